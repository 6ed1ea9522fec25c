// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the site does without a network: the game on this machine, the chess clock, 64 = 65. Their
// files are kept when one of these pages asks for it, and from then on with every new version; who
// never opens them keeps nothing. The network's answers to everything else pass untouched.

// The files the offline pages consist of, and a mark that is another in every build. Put in by
// build.mjs.
declare const OFFLINE_FILES: readonly string[];
declare const OFFLINE_VERSION: string;

const PAGES: readonly string[] = ["/local", "/clock", "/curiosity"];
const PREFIX = "offline-";
const CACHE = PREFIX + OFFLINE_VERSION;
// A network that is there but does not answer is as good as none.
const PATIENCE_MS = 4000;

const KEPT = new Set(OFFLINE_FILES);

async function isKept(): Promise<boolean> {
  return (await caches.keys()).some((name) => name.startsWith(PREFIX));
}

async function fill(): Promise<void> {
  if (await caches.has(CACHE)) return;
  // All or nothing: a cache under its own name is a whole one.
  const fresh = await caches.open(`filling-${OFFLINE_VERSION}`);
  await fresh.addAll(OFFLINE_FILES.map((file) => new Request(file, { cache: "no-cache" })));
  // One page for all addresses.
  await fresh.add(new Request(PAGES[0]!, { cache: "no-cache" }));
  const cache = await caches.open(CACHE);
  for (const request of await fresh.keys()) await cache.put(request, (await fresh.match(request))!);
  await caches.delete(`filling-${OFFLINE_VERSION}`);
}

// Old versions go once the new one is whole.
async function clean(): Promise<void> {
  if (!(await caches.has(CACHE))) return;
  const old = (await caches.keys()).filter((name) => /^(offline|filling)-/.test(name) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function page(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(PAGES[0]!);
  if (!kept) return fetch(request);
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE_MS));
  return Promise.race([fetch(request).catch(() => kept), late]);
}

async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(new URL(request.url).pathname)) ?? fetch(request);
}

export function offline(scope: ServiceWorkerGlobalScope): void {
  scope.addEventListener("install", (event) => {
    event.waitUntil(
      isKept().then(async (wanted) => {
        if (wanted) await fill();
      }),
    );
  });
  scope.addEventListener("activate", (event) => event.waitUntil(clean()));
  scope.addEventListener("message", (event) => {
    if (event.data !== "keep") return;
    const tell = (word: string): void => event.ports[0]?.postMessage(word);
    event.waitUntil(
      fill()
        .then(clean)
        .then(
          () => tell("kept"),
          () => tell("failed"),
        ),
    );
  });
  scope.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== scope.location.origin) return;
    if (request.mode === "navigate") {
      if (PAGES.includes(url.pathname.replace(/\/$/, ""))) event.respondWith(page(request));
    } else if (KEPT.has(url.pathname)) event.respondWith(file(request));
  });
}
