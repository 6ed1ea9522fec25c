// SPDX-License-Identifier: GPL-3.0-or-later
//
// My running games, kept up by the channel "me": the block on the main page, the counters in menu
// and title, and the jump to a game that has just begun.
import { t } from "../i18n";
import { follow } from "../net/socket";
import type { Color, GameRow } from "../net/types";
import { showFlash } from "../ui/flash";
import { navigate, place } from "./router";
import { me } from "./session";
import { createStore } from "./store";

// null until known.
export const myGames = createStore<GameRow[] | null>(null);

export function sideIn(row: GameRow, nick: string): Color | null {
  return row.white.nick === nick ? "white" : row.black.nick === nick ? "black" : null;
}

export function myTurn(row: GameRow): boolean {
  const nick = me.get()?.nick;
  return nick !== undefined && row.ended === null && sideIn(row, nick) === row.turn;
}

const waitsForMe = (row: GameRow): boolean => {
  const nick = me.get()?.nick;
  return myTurn(row) || (row.offer !== null && nick !== undefined && row.offer !== sideIn(row, nick));
};

export const waiting = (rows: GameRow[] | null): GameRow[] => (rows ?? []).filter(waitsForMe);

// Own move first, then those that have waited longest.
function inOrder(rows: GameRow[]): GameRow[] {
  return [...rows].sort(
    (a, b) => Number(myTurn(b)) - Number(myTurn(a)) || (a.started ?? 0) - (b.started ?? 0),
  );
}

export function startMyGames(): void {
  let end: (() => void) | null = null;
  let followed: string | null = null;
  const watch = (): void => {
    const id = me.get()?.id ?? null;
    if (id === followed) return;
    followed = id;
    end?.();
    end = null;
    myGames.set(null);
    if (id === null) return;
    end = follow("me", {
      message: (m) => {
        if (m.t === "games") myGames.set(inOrder(m.d.games as GameRow[]));
        else if (m.t === "row") {
          const row = m.d.game as GameRow;
          const rest = (myGames.get() ?? []).filter((r) => r.id !== row.id);
          myGames.set(inOrder(row.ended === null ? [...rest, row] : rest));
        } else if (m.t === "started") open(String(m.d.game));
      },
    });
  };
  me.subscribe(watch);
  watch();
}

// A challenge of mine was taken: on the main page the board opens, elsewhere a line says so.
function open(id: string): void {
  const { path } = place.get();
  if (path === `/game/${id}`) return;
  if (path === "/" || path === "/play") navigate(`/game/${id}`);
  else showFlash({ text: t("lobby.started"), href: `/game/${id}`, link: t("lobby.open_board") });
}
