// SPDX-License-Identifier: GPL-3.0-or-later
//
// What this browser remembers of the local game: how it is shown, and what the last game was made of.
import { local } from "../app/local";
import { createStore } from "../app/store";
import type { Color } from "../net/types";

export const PROMOTIONS = ["ask", "q", "r", "b", "n"] as const;
export const FOREGROUNDS = ["human", "white", "black", "mover"] as const;

export interface LocalPrefs {
  promotion: (typeof PROMOTIONS)[number]; // L-020
  foreground: (typeof FOREGROUNDS)[number]; // L-021
  dots: boolean; // L-023: on, unlike on the site
  opening: boolean; // the checklist is unfolded (L-043)
}
const FIRST: LocalPrefs = { promotion: "ask", foreground: "human", dots: true, opening: true };

export type Seat = "human" | "computer";
export interface NewGame {
  name: string;
  names: Record<Color, string>;
  opponents: "computer" | "human" | "computers";
  level: number;
  level2: number; // of Black, when two computers play
  color: "white" | "black" | "random" | "alternate";
  lastColor: Color; // what one had in the last game, for "alternate"
  clock: "none" | "total" | "move";
  minutes: Record<Color, string>;
  unequal: boolean;
  seconds: Record<Color, string>; // for each move
  kind: "plain" | "increment" | "delay";
  extra: string;
  edition: string;
  noUndo: boolean;
  fen: string;
}
export const FIRST_GAME: NewGame = {
  name: "",
  names: { white: "", black: "" },
  opponents: "computer",
  level: 2,
  level2: 2,
  color: "white",
  lastColor: "black",
  clock: "none",
  minutes: { white: "10", black: "10" },
  unequal: false,
  seconds: { white: "30", black: "30" },
  kind: "plain",
  extra: "5",
  edition: "fide-2023",
  noUndo: false,
  fen: "",
};

function read<T extends object>(name: string, first: T): T {
  try {
    return { ...first, ...(JSON.parse(local.get(name) ?? "{}") as Partial<T>) };
  } catch {
    return first;
  }
}

export const localPrefs = createStore<LocalPrefs>(read("local-prefs", FIRST));
localPrefs.subscribe(() => local.set("local-prefs", JSON.stringify(localPrefs.get())));

export const lastNewGame = (): NewGame => ({ ...read("local-new", FIRST_GAME), fen: "" });
export const keepNewGame = (game: NewGame): void => local.set("local-new", JSON.stringify(game));

// ---- the game that is being played (L-017) ------------------------------------------------------

export interface Kept {
  pgn: string;
  plies: number;
  noUndo: boolean;
  name: string;
}

export function keptGame(): Kept | null {
  try {
    const kept = JSON.parse(local.get("local-game") ?? "null") as Kept | null;
    return kept && typeof kept.pgn === "string" && kept.plies > 0 ? kept : null;
  } catch {
    return null;
  }
}
export const keepGame = (kept: Kept | null): void => local.set("local-game", JSON.stringify(kept));
