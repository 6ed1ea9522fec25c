// SPDX-License-Identifier: GPL-3.0-or-later
//
// My running games, kept up by the channel "me": the block on the main page, the counters in menu
// and title, and the jump to a game that has just begun.
import { t } from "../i18n";
import { follow } from "../net/socket";
import type { Challenge, Color, GameRow, Notice } from "../net/types";
import { showFlash } from "../ui/flash";
import { navigate, place } from "./router";
import { me } from "./session";
import { createStore } from "./store";
import { blinkTitle } from "./title";

// null until known.
export const myGames = createStore<GameRow[] | null>(null);

// What I offer, and what is offered to me alone; newest first.
export const myChallenges = createStore<Challenge[]>([]);
// Games whose rematch the opponent has declined.
export const declined = createStore<ReadonlySet<string>>(new Set());
// Something new was told: the bell is shown, on a board too.
export const bellRung = createStore(false);
let rematched: string | null = null; // the game whose rematch has just been taken

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

// S-046: own move first, then the least time left.
function inOrder(rows: GameRow[]): GameRow[] {
  const due = (row: GameRow): number => row.deadline ?? Infinity;
  return [...rows].sort(
    (a, b) =>
      Number(myTurn(b)) - Number(myTurn(a)) ||
      (due(a) === due(b) ? (a.started ?? 0) - (b.started ?? 0) : due(a) - due(b)),
  );
}

function putChallenge(challenge: Challenge): void {
  const known = myChallenges.get().some((c) => c.id === challenge.id);
  const rest = myChallenges.get().filter((c) => c.id !== challenge.id);
  myChallenges.set([challenge, ...rest].sort((a, b) => b.created - a.created));
  const { path } = place.get();
  const seen = path === "/" || path === "/play" || path === `/game/${challenge.rematch}`;
  if (known || challenge.to === null || challenge.nick === me.get()?.nick) return;
  blinkTitle(t("lobby.invited", { nick: challenge.nick }));
  if (!seen)
    showFlash({ text: t("lobby.invited", { nick: challenge.nick }), href: "/play", link: t("lobby.look") });
}

function dropChallenge(id: string, gone: string): void {
  const challenge = myChallenges.get().find((c) => c.id === id);
  myChallenges.set(myChallenges.get().filter((c) => c.id !== id));
  rematched = gone === "joined" ? (challenge?.rematch ?? null) : null;
  if (gone !== "declined" || !challenge || challenge.nick !== me.get()?.nick) return;
  if (challenge.rematch) declined.set(new Set([...declined.get(), challenge.rematch]));
  else showFlash({ text: t("lobby.was_declined", { nick: challenge.to ?? "" }) });
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
    myChallenges.set([]);
    if (id === null) return;
    end = follow("me", {
      message: (m) => {
        if (m.t === "games") {
          myChallenges.set(m.d.challenges as Challenge[]);
          myGames.set(inOrder(m.d.games as GameRow[]));
        } else if (m.t === "challenge+") putChallenge(m.d.challenge as Challenge);
        else if (m.t === "challenge-") dropChallenge(String(m.d.id), String(m.d.gone));
        else if (m.t === "row") {
          const row = m.d.game as GameRow;
          const rest = (myGames.get() ?? []).filter((r) => r.id !== row.id);
          myGames.set(inOrder(row.ended === null ? [...rest, row] : rest));
        } else if (m.t === "corrected") {
          const href = `/game/${String(m.d.game)}`;
          showFlash({ text: t("game.corrected_yours"), href, link: t("lobby.look") });
        } else if (m.t === "started") open(String(m.d.game));
        else if (m.t === "notice") {
          bellRung.set(true);
          void import("../notices/bell").then((bell) => bell.ring(m.d as unknown as Notice));
        }
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
  const rematch = rematched !== null && path === `/game/${rematched}`;
  if (path === "/" || path === "/play" || rematch) navigate(`/game/${id}`);
  else showFlash({ text: t("lobby.started"), href: `/game/${id}`, link: t("lobby.open_board") });
}
