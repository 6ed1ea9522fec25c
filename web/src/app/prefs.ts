// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person prefers: colours, pieces, sound, how moves are entered and written. This is the one
// door: read prefs.get() or useStore(prefs), change with prefs.patch(). Kept in this browser for
// guests, in the account for people who are logged in, who meet them on every device.
import { api, type WirePrefs } from "../net/api";
import type { Me } from "../net/types";
import { local } from "./local";
import { createStore } from "./store";

export type Theme = "system" | "light" | "dark";
export const NOTATIONS = ["letters", "english", "figurine", "long", "words"] as const;
export type Notation = (typeof NOTATIONS)[number];
export const BOARDS = ["club", "wood", "sea", "slate", "print"] as const;
export type BoardName = (typeof BOARDS)[number];
export const PIECE_SETS = ["cburnett", "merida", "celtic", "fantasy", "spatial"] as const;
export type PieceSet = (typeof PIECE_SETS)[number];
export type Layout = "standard" | "mirrored" | "middle" | "large" | `own:${string}`;

export interface Prefs {
  theme: Theme;
  // A set of colours, and colours of one's own ("#rrggbb") that stand above it; null: those of the set.
  board: BoardName;
  colorLight: string | null;
  colorDark: string | null;
  colorSelected: string | null;
  colorLast: string | null;
  colorCheck: string | null;
  colorCoordinates: string | null;
  pieces: PieceSet;
  layout: Layout;
  coordinates: boolean;
  // Where the picked man may go.
  dots: boolean;
  animation: boolean;
  notation: Notation;
  sound: boolean;
  volume: number; // 0 to 100
  // "Move!" before a move counts, in live games; games by the day always ask.
  confirmLive: boolean;
  alwaysQueen: boolean;
  declines: boolean; // no direct challenges
  premove: boolean;
  onlineHidden: boolean; // nobody is shown that one is there
  speakClock: boolean; // one's own clock is spoken as it runs low, for screen readers
}

const touch = window.matchMedia("(pointer: coarse)").matches;
export const DEFAULTS: Readonly<Prefs> = {
  theme: "system",
  board: "club",
  colorLight: null,
  colorDark: null,
  colorSelected: null,
  colorLast: null,
  colorCheck: null,
  colorCoordinates: null,
  pieces: "cburnett",
  layout: "standard",
  coordinates: true,
  dots: false,
  animation: true,
  notation: "letters",
  sound: !touch,
  volume: 70,
  confirmLive: false,
  alwaysQueen: false,
  declines: false,
  premove: true,
  onlineHidden: false,
  speakClock: true,
};
const NAMES = Object.keys(DEFAULTS) as (keyof Prefs)[];

// colorLight here, color_light on the wire and nowhere else.
const wireName = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);

type Kept = Partial<Record<keyof Prefs, unknown>>;

// What is kept may come from an older or newer client: only values of the right type are taken.
function checked(given: Kept): Prefs {
  const lists: Kept = { board: BOARDS, pieces: PIECE_SETS, notation: NOTATIONS, theme: ["system", "light", "dark"] };
  const out: Record<string, unknown> = { ...DEFAULTS };
  for (const name of NAMES) {
    const value = given[name];
    const list = lists[name] as readonly unknown[] | undefined;
    if (value === undefined || (list && !list.includes(value))) continue;
    const usual = DEFAULTS[name] ?? "";
    if (typeof value === typeof usual || (value === null && DEFAULTS[name] === null)) out[name] = value;
  }
  return out as unknown as Prefs;
}

function kept(): Prefs {
  try {
    return checked(JSON.parse(local.get("prefs") ?? "{}") as Kept);
  } catch {
    return { ...DEFAULTS };
  }
}

export const prefs = createStore<Prefs>(kept());

// What differs from the defaults.
function chosen(now: Prefs): Kept {
  return Object.fromEntries(NAMES.filter((n) => now[n] !== DEFAULTS[n]).map((n) => [n, now[n]]));
}

const fromWire = (wire: WirePrefs): Kept =>
  Object.fromEntries(NAMES.filter((n) => wireName(n) in wire).map((n) => [n, wire[wireName(n)]]));

const toWire = (values: Kept): WirePrefs =>
  Object.fromEntries(Object.entries(values).map(([n, value]) => [wireName(n), value as WirePrefs[string]]));

// ---- with an account ----------------------------------------------------------------------------

let account: Me["id"] | null = null; // whose preferences these are; null: this browser's
let saved: Prefs = prefs.get(); // what the account has
let timer = 0;

// Tells the account what has changed since, all changes of a moment at once. A failure is no
// disaster: they are kept here and go along with the next change.
async function save(): Promise<void> {
  const now = prefs.get();
  const changed = NAMES.filter((n) => now[n] !== saved[n]);
  if (account === null || changed.length === 0) return;
  const values = Object.fromEntries(changed.map((n) => [n, now[n] === DEFAULTS[n] ? null : now[n]]));
  try {
    await api.savePrefs(toWire(values));
    saved = now;
  } catch {
    // The next change tries again.
  }
}

prefs.subscribe(() => {
  local.set("prefs", JSON.stringify(chosen(prefs.get())));
  showTheme();
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void save(), 300);
});

// Somebody came or went. An account that has never set anything takes over what this browser has.
// What the page itself brought along needs no asking, the first time.
export async function loadPrefs(id: Me["id"] | null, brought?: WirePrefs | null): Promise<void> {
  if (id === account) return;
  const first = account === null;
  account = id;
  if (id === null) return;
  try {
    const wire = (first && brought) || (await api.prefs()).prefs;
    if (account !== id) return;
    if (Object.keys(wire).length === 0) {
      saved = { ...DEFAULTS };
      await save();
    } else {
      saved = checked(fromWire(wire));
      prefs.set(saved);
    }
  } catch {
    saved = prefs.get(); // not reached: what this browser knows stays until it is
  }
}

// early.ts did the same before the first paint.
export function showTheme(): void {
  const { theme } = prefs.get();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
