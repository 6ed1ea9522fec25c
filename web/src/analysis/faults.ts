// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is wrong with a position or a game text, in the reader's language. The core's own sentences
// are English; they stand where a fault has no words here.
import type { CoreFault } from "../core/core";
import { known, t } from "../i18n";

// By the number of the fault (ChessFenFault in chess.h); below 20 the text itself is none.
const FEN_FAULTS: Record<number, string> = {
  20: "king_count",
  21: "pawn_rank",
  22: "piece_count",
  23: "piece_count",
  24: "piece_count",
  25: "opponent_in_check",
  26: "impossible_castling",
  27: "impossible_en_passant",
  28: "impossible_checkers",
  29: "impossible_checkers",
};

export function fenWords({ fault }: CoreFault): string {
  const key = `analysis.fen.${fault < 20 ? "unreadable" : FEN_FAULTS[fault]}`;
  return known(key) ? t(key) : t("analysis.fen.other");
}

export function pgnWords({ fault, message }: { fault: string; message: string }): string {
  const key = `analysis.fault.${fault}`;
  return known(key) ? t(key) : message;
}
