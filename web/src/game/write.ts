// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves in the notation a reader has chosen (L-019). The core gives PGN's short form and the squares;
// everything else is made of these two.
import type { Notation } from "../app/prefs";
import type { LegalMove } from "../core/core";
import { FIGURINES, LETTERS, writeMove, type Letters, type Man } from "../core/notation";
import { t } from "../i18n";
import type { Language } from "../net/types";
import { ROLE_OF } from "./speech";

export type WriteMove = (move: LegalMove) => string;

const SAN = /^([KQRBN])?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=([QRBN]))?/;

const ending = (san: string): string => /[+#]$/.exec(san)?.[0] ?? "";

// "Ng1-f3", "e7xd8Q+"; castling stays 0-0.
function writeLong({ san, uci }: LegalMove, letters: Letters): string {
  const parts = SAN.exec(san);
  if (!parts) return writeMove(san, letters);
  const [, man, , , takes, to, promotion] = parts;
  const letter = (m: string | undefined): string => (m ? letters[m as Man] : "");
  return letter(man) + uci.slice(0, 2) + (takes ? "x" : "-") + to! + letter(promotion) + ending(san);
}

// "knight to f3", "pawn takes on d8, queen, check".
function writeWords({ san, uci }: LegalMove): string {
  const end = san.endsWith("#") ? `, ${t("speech.mate")}` : san.endsWith("+") ? `, ${t("speech.check")}` : "";
  if (san.startsWith("O-O-O")) return t("speech.castles_long") + end;
  if (san.startsWith("O-O")) return t("speech.castles_short") + end;
  const parts = SAN.exec(san);
  if (!parts) return san;
  const [, man, file, rank, takes, to, promotion] = parts;
  const name = t(`man.${man ? ROLE_OF[man]! : "pawn"}`);
  // Two knights can go there: which one is told by its square.
  const who = (man && (file ?? rank)) || (!man && takes) ? `${name} ${uci.slice(0, 2)}` : name;
  const done = t(takes ? "words.takes" : "words.to", { man: who, square: to! });
  return done + (promotion ? `, ${t(`man.${ROLE_OF[promotion]!}`)}` : "") + end;
}

export const lettersOf = (notation: Notation, language: Language): Letters =>
  notation === "english" ? LETTERS.en : LETTERS[language];

export function moveWriter(notation: Notation, language: Language): WriteMove {
  switch (notation) {
    case "words":
      return writeWords;
    case "long":
      return (move) => writeLong(move, LETTERS[language]);
    case "figurine":
      return ({ san }) => writeMove(san, FIGURINES);
    case "letters":
    case "english":
      return ({ san }) => writeMove(san, lettersOf(notation, language));
  }
}
