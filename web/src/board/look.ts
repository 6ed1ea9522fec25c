// SPDX-License-Identifier: GPL-3.0-or-later
//
// How boards look: colours and men as preferred, set on the whole document.
import { loadSheet } from "../app/sheet";
import { prefs, type BoardName, type PieceSet, type Prefs } from "../app/prefs";

declare const PIECE_URLS: Record<string, string>;

export interface BoardColors {
  light: string;
  dark: string;
  last: string;
  selected: string;
  check: string;
  coordinates: string;
}
export type ColorName = keyof BoardColors;

// The club's board has its colours from tokens.css, another pair in the dark theme; these are those
// of the light one. No colour for coordinates: each takes that of the other squares' kind.
export const BOARD_COLORS: Record<BoardName, BoardColors> = {
  club: { light: "#efe6d0", dark: "#9aa68b", last: "#d8c96a", selected: "#f4d03f", check: "#c81e14", coordinates: "#3f4737" },
  wood: { light: "#f0d9b5", dark: "#b58863", last: "#d6c25c", selected: "#f4d03f", check: "#c81e14", coordinates: "#4f3423" },
  sea: { light: "#e4edf2", dark: "#7f9fb5", last: "#a9c48f", selected: "#f4d03f", check: "#c81e14", coordinates: "#243b4a" },
  slate: { light: "#d9d9d4", dark: "#8b8d8f", last: "#c2b667", selected: "#f4d03f", check: "#c81e14", coordinates: "#2c2e30" },
  print: { light: "#ffffff", dark: "#c9c9c9", last: "#e8d98a", selected: "#f4d03f", check: "#c81e14", coordinates: "#1d1b17" },
};

export const COLOR_NAMES: readonly ColorName[] = ["light", "dark", "selected", "last", "check", "coordinates"];
export type ColorPref = `color${Capitalize<ColorName>}`;
export const colorPref = (name: ColorName): ColorPref =>
  `color${name[0]!.toUpperCase()}${name.slice(1)}` as ColorPref;

// What the preferences come to; null: what the style sheet says.
function colorOf(now: Prefs, name: ColorName): string | null {
  return now[colorPref(name)] ?? (now.board === "club" ? null : BOARD_COLORS[now.board][name]);
}

function showColors(now: Prefs): void {
  const { style } = document.documentElement;
  for (const name of COLOR_NAMES) {
    const color = colorOf(now, name);
    if (color === null) style.removeProperty(`--board-${name}`);
    else style.setProperty(`--board-${name}`, color);
  }
  // Letters of one colour stand out on both kinds of squares only with the square around them.
  if (colorOf(now, "coordinates") === null) style.removeProperty("--board-seam");
  else style.setProperty("--board-seam", "var(--board-dark)");
}

// Sets other than the first are loaded when they are chosen; until then the men stay as they are.
export async function loadPieces(set: PieceSet): Promise<void> {
  const href = PIECE_URLS[set];
  if (href !== undefined) await loadSheet(href);
}

async function showPieces(set: PieceSet): Promise<void> {
  try {
    await loadPieces(set);
  } catch {
    return; // not reached: the men that are there do
  }
  if (prefs.get().pieces === set) document.documentElement.dataset.pieces = set;
}

let started = false;

// With the first board that is drawn.
export function startLook(): void {
  if (started) return;
  started = true;
  const show = (): void => {
    showColors(prefs.get());
    void showPieces(prefs.get().pieces);
  };
  prefs.subscribe(show);
  show();
}

// ---- contrast (WCAG 2.2) ------------------------------------------------------------------------

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const c = parseInt(color.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
