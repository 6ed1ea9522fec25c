// SPDX-License-Identifier: GPL-3.0-or-later
//
// The men each side has taken, by value, and the difference of material (pawn 1, knight and bishop
// 3, rook 5, queen 9). A taken man that had been promoted counts among the pawns, with a mark.
import { read } from "@lichess-org/chessground/fen";
import type { Key, Pieces, Role } from "@lichess-org/chessground/types";
import type { Color, Move } from "../net/types";

export interface Taken {
  role: Role;
  promoted: boolean;
}

export interface Material {
  // By the colour of the side that took them.
  taken: Record<Color, Taken[]>;
  // White's men minus Black's men on the board, in pawns.
  difference: number;
}

const VALUE: Record<Role, number> = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 0 };

export function materialAfter(startFen: string, moves: readonly Pick<Move, "uci" | "fen">[]): Material {
  const taken: Record<Color, Taken[]> = { white: [], black: [] };
  const promoted = new Set<string>();
  let pieces: Pieces = read(startFen);
  for (const move of moves) {
    const from = move.uci.slice(0, 2) as Key;
    const to = move.uci.slice(2, 4) as Key;
    const mover = pieces.get(from);
    const after = read(move.fen);
    if (mover) {
      const target = pieces.get(to);
      if (target && target.color !== mover.color) {
        taken[mover.color].push({ role: promoted.has(to) ? "pawn" : target.role, promoted: promoted.has(to) });
        promoted.delete(to);
      } else if (mover.role === "pawn" && !target && from[0] !== to[0]) {
        taken[mover.color].push({ role: "pawn", promoted: false }); // en passant
      }
      if (promoted.delete(from) || move.uci.length === 5) promoted.add(to);
    }
    pieces = after;
  }
  const order = (a: Taken, b: Taken): number => VALUE[b.role] - VALUE[a.role];
  taken.white.sort(order);
  taken.black.sort(order);
  let difference = 0;
  for (const piece of pieces.values()) difference += VALUE[piece.role] * (piece.color === "white" ? 1 : -1);
  return { taken, difference };
}
