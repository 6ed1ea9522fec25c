// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is true of a move and of a position, as src/wasm/tutor.h exports it: for hints, lessons and
// reports. Fetched when it is first asked.
import { CoreError, type CoreFault } from "./core";

declare const TUTOR_WASM_URL: string;

export interface Man {
  piece: string; // as in FEN: "N", "k"
  square: string;
}

// A fact: its words are tutor.ID (../tutor/words.ts makes them).
export interface Fact {
  id: string;
  question?: "attacked" | "left" | "king" | "answer"; // of "before you move" (L-052)
  good: boolean;
  man?: Man;
  targets?: Man[];
  n?: number;
  move?: string; // an answer, or what is threatened
  san?: string;
}

export interface MoveFacts {
  san: string;
  net: number; // of the exchange on the arrival square, in hundredths of a pawn
  facts: Fact[];
  reason: Fact | null; // the first good one
  objection: Fact | null; // the first that costs something
}

export type Phase = "opening" | "middlegame" | "endgame";

export interface PositionFacts {
  phase: Phase;
  material: number; // for White
  center: { white: number[]; black: number[] }; // attackers of d4, e4, d5, e5
  white: Fact[];
  black: Fact[];
}

export interface Exchange {
  moves: { uci: string; san: string; balance: number }[];
  best: number; // captures after which it is best to stop; 0: better not begin
  net: number;
  given: number;
  taken: number;
}

export const OPENING_RULES = ["center", "develop", "twice", "castle", "bishops", "pawns", "queen"] as const;
export type OpeningRule = (typeof OPENING_RULES)[number];
export interface OpeningFacts {
  waiting: number;
  broken: { rule: OpeningRule; move: number; square: string | null }[];
}

type Call = "tutor_move" | "tutor_position" | "tutor_square" | "tutor_first_moves" | "tutor_proves";
type Exports = Record<Call, (size: number) => number> & {
  memory: WebAssembly.Memory;
  tutor_input(): number;
  tutor_input_size(): number;
  tutor_output(): number;
};

export class Tutor {
  constructor(private readonly wasm: Exports) {}

  // line: the variation that begins with the move, if one is known.
  move(fen: string, uci: string, line: readonly string[] = []): MoveFacts {
    return this.call("tutor_move", `${fen}\n${uci}\n${line.slice(0, 60).join(" ")}`) as MoveFacts;
  }
  position(fen: string): PositionFacts {
    return this.call("tutor_position", fen) as PositionFacts;
  }
  // Captures on a square, that side first (L-041).
  exchange(fen: string, square: string, side: "w" | "b"): Exchange {
    return this.call("tutor_square", `${fen}\n${square}\n${side}`) as Exchange;
  }
  // The opening checklist (L-043), from the initial position.
  opening(side: "w" | "b", moves: readonly string[]): OpeningFacts {
    return this.call("tutor_first_moves", `${side}\n${moves.join(" ")}`) as OpeningFacts;
  }
  // Whether the side to move mates in at most n moves, 1 to 4.
  mates(fen: string, n: number): { answer: "mate" | "no_mate" | "undecided"; move: string | null } {
    return this.call("tutor_proves", `${fen}\n${n}`) as ReturnType<Tutor["mates"]>;
  }

  private call(name: Call, input: string): unknown {
    const bytes = new TextEncoder().encode(input);
    const capacity = this.wasm.tutor_input_size();
    new Uint8Array(this.wasm.memory.buffer, this.wasm.tutor_input(), capacity).set(bytes.subarray(0, capacity));
    const size = this.wasm[name](bytes.length);
    const answer: unknown = JSON.parse(
      new TextDecoder().decode(new Uint8Array(this.wasm.memory.buffer, this.wasm.tutor_output(), size)),
    );
    const fault = (answer as { error?: CoreFault }).error;
    if (fault) throw new CoreError(fault);
    return answer;
  }
}

export async function tutorFromBytes(bytes: BufferSource): Promise<Tutor> {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new Tutor(instance.exports as unknown as Exports);
}

let loading: Promise<Tutor> | null = null;

export function loadTutor(): Promise<Tutor> {
  loading ??= fetchTutor().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function fetchTutor(): Promise<Tutor> {
  const response = await fetch(TUTOR_WASM_URL);
  if (!response.ok) throw new Error(`the tutor: HTTP ${response.status}`);
  return tutorFromBytes(await response.arrayBuffer());
}
