// SPDX-License-Identifier: GPL-3.0-or-later
//
// What this site can do, asked once by the first page that needs to know.
import { api } from "../net/api";
import type { SiteInfo } from "../net/types";
import { createStore } from "./store";

export const site = createStore<SiteInfo | null>(null);
let asked: Promise<void> | undefined;

export function loadSite(): Promise<void> {
  asked ??= api.site().then(
    (info) => site.set(info),
    () => {
      asked = undefined; // the next page asks again
    },
  );
  return asked;
}
