// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the server put into the page of a game (src/net/game_page.c): who is sitting here, what he has
// set, and the game as it stood. With it the board needs no other answer to be drawn and moved on.
import type { WirePrefs } from "../net/api";
import { noteServerTime } from "../net/clock_offset";
import type { Game, Me } from "../net/types";

export interface Boot {
  now: number;
  me: Me | null;
  prefs: WirePrefs | null;
  game: Game;
}

function read(): Boot | null {
  const text = document.getElementById("boot")?.textContent;
  if (!text) return null;
  try {
    return JSON.parse(text) as Boot;
  } catch {
    return null; // a proxy that rewrites pages: everything is asked for as elsewhere
  }
}

// The first sample for the clock. A page out of the browser's own store says nothing about now.
function setClock(now: number): void {
  const [here] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (!here || here.transferSize === 0) return;
  const { timeOrigin } = performance;
  noteServerTime(now, timeOrigin + here.requestStart, timeOrigin + here.responseStart);
}

export const boot = read();
if (boot) setClock(boot.now);
