// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves as people write them: the letters of their language (Appendix C of the Laws), and reading
// what they type. The core gives and takes PGN's English letters; what is legal it alone knows, so
// reading means choosing among the legal moves it listed.
import type { Language } from "../net/types";
import type { LegalMove } from "./core";

export type Man = "K" | "Q" | "R" | "B" | "N";
export const MEN: readonly Man[] = ["K", "Q", "R", "B", "N"];

export type Letters = Record<Man, string>;

export const LETTERS: Record<Language, Letters> = {
  en: { K: "K", Q: "Q", R: "R", B: "B", N: "N" },
  ru: { K: "Кр", Q: "Ф", R: "Л", B: "С", N: "К" },
  ro: { K: "R", Q: "D", R: "T", B: "N", N: "C" },
};

// One set for both colours, as bulletins print it. U+FE0E keeps phones from drawing emoji.
export const FIGURINES: Letters = {
  K: "♔\uFE0E",
  Q: "♕\uFE0E",
  R: "♖\uFE0E",
  B: "♗\uFE0E",
  N: "♘\uFE0E",
};

// "Nbxd7+" to "Кbxd7+", "e8=Q" to "e8D", "O-O" to "0-0".
export function writeMove(san: string, letters: Letters): string {
  return san
    .replace(/O/g, "0")
    .replace(/=?([KQRBN])/g, (_, man: Man) => letters[man]);
}

export type Reading =
  | { uci: string }
  | { fault: "malformed" | "illegal" }
  | { fault: "ambiguous"; moves: LegalMove[] }
  // A king move to the square of a castling that is legal: castling is written as such.
  | { fault: "castling"; moves: LegalMove[] };

// Cyrillic letters that look like the files and the sign of a capture.
const LOOKALIKES: Record<string, string> = { а: "a", с: "c", е: "e", х: "x", Х: "x" };
// Latin letters that look like those of the men in Russian, where a text begins with them. A small c
// stays the file.
const LATIN_MEN: Record<string, string> = { K: "К", k: "к", C: "С", P: "Р", p: "р" };
const CASTLING = /^[0OoОо]-[0OoОо](-[0OoОо])?$/;
const BY_SQUARES = /^([a-h][1-8])[-x:]?([a-h][1-8])[=/(]?([qrbn])?\)?$/i;
const SHORT = /^([a-h])?([1-8])?[-x:]?([a-h])([1-8])(.*)$/;

const manOf = (move: LegalMove): Man | null =>
  (MEN as readonly string[]).includes(move.san[0] ?? "") ? (move.san[0] as Man) : null;
const isCastling = (move: LegalMove): boolean => move.san.startsWith("O");

// The letter a text begins with, longest first ("Кр" before "К"). Small letters do as well where
// they cannot be taken for a file.
function leadingMan(typed: string, letters: Letters): { man: Man; rest: string } | null {
  const russian = letters.N === LETTERS.ru.N;
  const text = russian ? typed.replace(/^(?:[KkКк][Pp]?|C)/, (men) => men.replace(/[KkCPp]/g, (c) => LATIN_MEN[c]!)) : typed;
  const byLength = [...MEN].sort((a, b) => letters[b].length - letters[a].length);
  for (const man of byLength) {
    const letter = letters[man];
    if (text.startsWith(letter)) return { man, rest: text.slice(letter.length) };
  }
  for (const man of byLength) {
    const small = letters[man].toLowerCase();
    if (/^[a-hасе]/.test(small)) continue;
    if (text.startsWith(small)) return { man, rest: text.slice(small.length) };
  }
  return null;
}

function choose(found: LegalMove[]): Reading {
  if (found.length === 1) return { uci: found[0]!.uci };
  return found.length === 0 ? { fault: "illegal" } : { fault: "ambiguous", moves: found };
}

// Reads a move as typed, by the letters of one language; squares ("e2e4", "e7e8q") in any.
export function readMove(typed: string, letters: Letters, legal: readonly LegalMove[]): Reading {
  const text = typed
    .trim()
    .replace(/\uFE0E/g, "")
    .replace(/\(=\)$/, "")
    .replace(/[!?]+$/, "")
    .replace(/[+#†]+$/, "")
    .replace(/\s*e\.?p\.?$/i, "")
    .replace(/\s+/g, "");

  if (CASTLING.test(text)) {
    const long = text.length === 5;
    return choose(legal.filter((m) => isCastling(m) && m.san.startsWith("O-O-O") === long));
  }

  const bySquares = BY_SQUARES.exec(text.replace(/[асех]/g, (c) => LOOKALIKES[c]!));
  if (bySquares) {
    const [, from, to, man] = bySquares;
    const uci = (from! + to! + (man ?? "")).toLowerCase();
    const found = legal.filter((m) => m.uci === uci);
    // Without a letter a promotion is one of four.
    return choose(found.length > 0 || man ? found : legal.filter((m) => m.uci.startsWith(uci)));
  }

  const leading = leadingMan(text, letters);
  const rest = (leading?.rest ?? text).replace(/[асехХ]/g, (c) => LOOKALIKES[c]!);
  const parts = SHORT.exec(rest);
  if (!parts) return { fault: "malformed" };
  const [, file, rank, toFile, toRank, tail] = parts;
  const to = toFile! + toRank!;

  let promotion: Man | null = null;
  if (tail) {
    if (leading) return { fault: "malformed" };
    const asked = leadingMan(tail.replace(/^[=/(]/, "").replace(/\)$/, ""), letters);
    if (!asked || asked.rest !== "") return { fault: "malformed" };
    promotion = asked.man;
  }

  const found = legal.filter((m) => {
    if (isCastling(m) || manOf(m) !== (leading?.man ?? null) || m.uci.slice(2, 4) !== to) return false;
    if (file && m.uci[0] !== file) return false;
    if (rank && m.uci[1] !== rank) return false;
    if (!leading && !file && m.uci[0] !== toFile) return false; // "d5" is never a capture
    return promotion === null || m.uci[4] === promotion.toLowerCase();
  });
  if (found.length === 0 && leading?.man === "K") {
    const castlings = legal.filter((m) => isCastling(m) && m.uci.slice(2, 4) === to);
    if (castlings.length > 0) return { fault: "castling", moves: castlings };
  }
  return choose(found);
}
