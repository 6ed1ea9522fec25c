// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts the service worker. For the pages that need one: notices by push, and what works offline.

// null: this browser has none, or does not allow it here (only https and localhost have one).
export async function startServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!("serviceWorker" in navigator)) return null;
  try {
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
    return await navigator.serviceWorker.ready;
  } catch {
    return null;
  }
}
