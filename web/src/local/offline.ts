// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks the service worker to keep the offline pages, and knows when it has (worker/offline.ts).
import { createStore } from "../app/store";

export const offlineReady = createStore(false);

export function keepOffline(registration: ServiceWorkerRegistration | null): void {
  const worker = registration?.active;
  if (!worker) return;
  const channel = new MessageChannel();
  channel.port1.onmessage = (e: MessageEvent<unknown>) => offlineReady.set(e.data === "kept");
  worker.postMessage("keep", [channel.port2]);
}
