// SPDX-License-Identifier: GPL-3.0-or-later
//
// Addresses to pages, on the history interface of the browser. Links are plain <a href>: a click
// without modifier keys on one of ours changes the page in place.
import { createStore } from "./store";

export interface Place {
  path: string;
  query: URLSearchParams;
}

const here = (): Place => ({
  path: location.pathname,
  query: new URLSearchParams(location.search),
});

export const place = createStore<Place>(here());

export function navigate(to: string, replace = false): void {
  if (to === location.pathname + location.search) return;
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  place.set(here());
  if (!replace) window.scrollTo(0, 0);
}

export function startRouter(): void {
  window.addEventListener("popstate", () => place.set(here()));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.rel === "external" || link.hasAttribute("download")) return;
    const url = new URL(link.href, location.href);
    if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
    if (url.hash && url.pathname === location.pathname) return;
    event.preventDefault();
    navigate(url.pathname + url.search);
  });
}

// Where to go after logging in: back to where one came from, if that is a page of ours.
export function returnPath(query: URLSearchParams): string {
  const next = query.get("next");
  return next && /^\/(?![/\\])/.test(next) ? next : "/";
}

// The log-in page that leads on to a page of ours, by default the one being looked at.
export const loginPath = (then = location.pathname + location.search): string =>
  `/login?next=${encodeURIComponent(then)}`;
