// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game seen from outside: its state, and what each message of its channel changes. Pure.
import type { Message } from "../net/socket";
import type {
  ClockMessage,
  Color,
  EndMessage,
  Game,
  Moved,
  OfferMessage,
  PresenceMessage,
  RatedMessage,
  TouchedMessage,
} from "../net/types";

const NO_RESULT = new Set(["aborted", "annulled"]);

const turnOf = (fen: string): Color => (fen.split(" ")[1] === "b" ? "black" : "white");

// Where games begin, unless they were set up.
export const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export function fold(game: Game | null, message: Message): Game | null {
  if (message.t === "game") return message.d as unknown as Game;
  if (!game) return null;
  switch (message.t) {
    case "moved":
      return afterMove(game, message.d as unknown as Moved);
    case "clock": {
      const d = message.d as unknown as ClockMessage;
      return {
        ...game,
        seq: d.seq,
        clocks: d.clocks,
        first_move_by: d.first_move_by,
        state: game.state === "scheduled" && d.clocks.running ? "running" : game.state,
      };
    }
    case "offer": {
      const d = message.d as unknown as OfferMessage;
      return { ...game, seq: d.seq, offer: d.offer, bound_move: d.bound_move ?? null };
    }
    case "end": {
      const d = message.d as unknown as EndMessage;
      return {
        ...game,
        seq: d.seq,
        state: NO_RESULT.has(d.reason) ? "annulled" : "ended",
        result: d.result,
        reason: d.reason,
        article: d.article,
        clocks: { ...d.clocks, running: null },
        offer: null,
        bound_move: null,
        first_move_by: null,
        abandon_claim_at: null,
        touched: null,
        ended: d.clocks.at,
      };
    }
    case "presence": {
      const d = message.d as unknown as PresenceMessage;
      return {
        ...game,
        seq: d.seq,
        white: { ...game.white, online: d.white },
        black: { ...game.black, online: d.black },
        spectators: d.spectators,
        abandon_claim_at: d.abandon_claim_at,
      };
    }
    case "rated": {
      const { seq, white, black } = message.d as unknown as RatedMessage;
      return {
        ...game,
        seq,
        ratings: { white, black },
        white: { ...game.white, rating: white.after },
        black: { ...game.black, rating: black.after },
      };
    }
    case "touched": {
      const d = message.d as unknown as TouchedMessage;
      return { ...game, seq: d.seq, touched: d.touched };
    }
    default:
      return typeof message.d.seq === "number" && message.t !== "said"
        ? { ...game, seq: message.d.seq }
        : game;
  }
}

function afterMove(game: Game, d: Moved): Game {
  const mover = game.turn;
  const move = { uci: d.uci, san: d.san, fen: d.fen, clock: d.clock, at: d.at, draw: d.draw };
  return {
    ...game,
    seq: d.seq,
    state: game.state === "scheduled" ? "running" : game.state,
    moves: [...game.moves.slice(0, d.ply - 1), move],
    ply: d.ply,
    fen: d.fen,
    turn: turnOf(d.fen),
    clocks: d.clocks,
    check: d.check,
    // A confirmed move answers the opponent's offer; the mover's own stands on, or travels with it.
    offer: d.draw || game.offer === mover ? mover : null,
    bound_move: null,
    first_move_by: d.first_move_by,
    touched: null,
  };
}

// The position after so many plies.
export function fenAt(game: Game, ply: number): string {
  if (ply <= 0) return game.start_fen;
  return game.moves[Math.min(ply, game.moves.length) - 1]?.fen ?? game.fen;
}

export const isOver = (game: Game): boolean => game.state === "ended" || game.state === "annulled";
