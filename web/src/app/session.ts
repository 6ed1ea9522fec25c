// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who is sitting here: undefined until the server has said so, null for a guest.
import { api } from "../net/api";
import type { Me } from "../net/types";
import { onWelcome, restartSocket } from "../net/socket";
import { setLanguage } from "../i18n";
import { createStore } from "./store";

export const me = createStore<Me | null | undefined>(undefined);

export async function loadMe(): Promise<void> {
  try {
    me.set((await api.me()).me);
  } catch {
    me.set(null);
  }
}

// A session can end elsewhere: by a changed password, by a deleted account.
onWelcome((account) => {
  const theirs = account as Me | null;
  if (me.get() !== undefined && (theirs?.id ?? null) !== (me.get()?.id ?? null)) me.set(theirs);
});

// A registration or a login succeeded: the language of the account becomes that of the page, and the
// connection is made anew with the new cookie.
export function enter(account: Me): void {
  me.set(account);
  void setLanguage(account.language);
  restartSocket();
}

export function leave(): void {
  me.set(null);
  restartSocket();
}
