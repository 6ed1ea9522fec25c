// SPDX-License-Identifier: GPL-3.0-or-later
//
// The service worker, served as /sw.js: what the site does in a browser that does not show it. Each
// of its subjects has a module, which hangs its own listeners on the worker's scope. Registered only
// by what needs it (app/service_worker.ts), so that no page loads a byte more for it.
import { offline } from "./offline";
import { push } from "./push";

declare const self: ServiceWorkerGlobalScope;

// A new worker takes over at once: the old one knows scripts that the server has no more.
self.addEventListener("install", () => void self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

push(self);
offline(self);
