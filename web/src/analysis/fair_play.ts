// SPDX-License-Identifier: GPL-3.0-or-later
//
// No engine in a running game of another type than Advance (S-065, X-011): while a live game of one's
// own runs the engine stays off; of one's games by the day it is not shown a position.
import { myGames } from "../app/mygames";
import { me } from "../app/session";
import { api } from "../net/api";
import type { Game, GameRow } from "../net/types";

export type Forbidding = "live" | "slow" | "unknown";

const isAdvance = (game: Pick<GameRow, "type">): boolean => game.type === "advance";

// What counts in a position: board, side, rights; not the numbers of moves.
const placed = (fen: string): string => fen.split(" ").slice(0, 3).join(" ");

// Why the engine must not see these positions, or null.
export async function forbidding(fens: readonly string[]): Promise<Forbidding | null> {
  if (!me.get()) return null;
  const running = (myGames.get() ?? []).filter((row) => row.ended === null && !isAdvance(row));
  if (running.some((row) => row.control.kind !== "days")) return "live";
  const shown = new Set(fens.map(placed));
  try {
    for (const row of running) {
      const game = await api.game(row.id);
      if (game.state !== "ended" && game.state !== "annulled" && game.ply > 0 && shown.has(placed(game.fen))) return "slow";
    }
  } catch {
    return "unknown";
  }
  return null;
}

// Whether a game may be opened here: ended ones, and Advance games.
export const mayAnalyse = (game: Game): boolean =>
  game.state === "ended" || game.state === "annulled" || isAdvance(game);
