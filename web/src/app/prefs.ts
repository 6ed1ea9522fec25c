// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person prefers on this device: colours, sound, how moves are entered and written.
import { local } from "./local";
import { createStore } from "./store";

export type Theme = "system" | "light" | "dark";
export type Notation = "letters" | "figurine" | "english";

export interface Prefs {
  theme: Theme;
  sound: boolean;
  // "Move!" before a move counts, in live games; games by the day always ask.
  confirmLive: boolean;
  alwaysQueen: boolean;
  coordinates: boolean;
  animation: boolean;
  notation: Notation;
}

const touch = window.matchMedia("(pointer: coarse)").matches;
const initial: Prefs = {
  theme: "system",
  sound: !touch,
  confirmLive: false,
  alwaysQueen: false,
  coordinates: true,
  animation: true,
  notation: "letters",
};

function kept(): Partial<Prefs> {
  try {
    return JSON.parse(local.get("prefs") ?? "{}") as Partial<Prefs>;
  } catch {
    return {};
  }
}

export const prefs = createStore<Prefs>({ ...initial, ...kept() });

prefs.subscribe(() => {
  local.set("prefs", JSON.stringify(prefs.get()));
  showTheme();
});

// early.ts did the same before the first paint.
export function showTheme(): void {
  const { theme } = prefs.get();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
