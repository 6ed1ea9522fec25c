// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an engine's scores say of a game. Pure. docs/report.md has the formulas and where they
// come from.
import type { Score } from "../analysis/engine";
import type { Color } from "../net/types";

// What the engine says of a position: its score for White, and the line it expects.
export interface Look {
  score: Score;
  pv: readonly string[]; // UCI; empty: the game is over there
}

export type Verdict = "inaccuracy" | "mistake" | "blunder";

export interface Judged {
  color: Color;
  before: number; // chances to win of the mover, in per cent, with best play
  after: number; // after the move
  accuracy: number; // 0 to 100
  verdict: Verdict | null;
  missedMate: number | null; // a mate in so many moves was there, and is gone
}

export interface Sums {
  accuracy: number | null; // null: no move
  inaccuracy: number;
  mistake: number;
  blunder: number;
}

// Scores beyond ten pawns say no more than ten do.
const CP_MAX = 1000;
// Points of the chances to win that a move may lose.
const LIMITS: readonly [Verdict, number][] = [
  ["blunder", 15],
  ["mistake", 10],
  ["inaccuracy", 5],
];

// White's chances to win in per cent: a logistic curve through the results of many games.
export function chances(score: Score): number {
  if ("mate" in score) return score.mate > 0 ? 100 : 0;
  const cp = Math.max(-CP_MAX, Math.min(CP_MAX, score.cp));
  return 50 + 50 * (2 / (1 + Math.exp(-0.00368208 * cp)) - 1);
}

// How accurate a move is that takes the mover's chances from one value to another.
export function accuracyOf(before: number, after: number): number {
  if (after >= before) return 100;
  const raw = 103.1668 * Math.exp(-0.04354 * (before - after)) - 3.1669;
  return Math.max(0, Math.min(100, raw));
}

const mover = (score: Score, color: Color): number => {
  const white = chances(score);
  return color === "white" ? white : 100 - white;
};

const mateFor = (score: Score, color: Color): number | null => {
  if (!("mate" in score)) return null;
  const n = color === "white" ? score.mate : -score.mate;
  return n > 0 ? n : null;
};

// One move: what the engine said before it and after it.
export function judge(color: Color, uci: string, before: Look, after: Look): Judged {
  const best = before.pv[0] === uci;
  const had = mover(before.score, color);
  // The engine's own choice loses nothing, however much deeper it looks a move later.
  const has = best ? had : mover(after.score, color);
  const loss = Math.max(0, had - has);
  const mate = best ? null : mateFor(before.score, color);
  const missedMate = mate !== null && mateFor(after.score, color) === null ? mate : null;
  return {
    color,
    before: had,
    after: has,
    accuracy: accuracyOf(had, has),
    verdict: LIMITS.find(([, limit]) => loss >= limit)?.[0] ?? null,
    missedMate,
  };
}

// The mean of a side's moves.
export function sums(moves: readonly Judged[], color: Color): Sums {
  const own = moves.filter((move) => move.color === color);
  const count = (verdict: Verdict): number => own.filter((move) => move.verdict === verdict).length;
  return {
    accuracy: own.length === 0 ? null : own.reduce((sum, move) => sum + move.accuracy, 0) / own.length,
    inaccuracy: count("inaccuracy"),
    mistake: count("mistake"),
    blunder: count("blunder"),
  };
}
