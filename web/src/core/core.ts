// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules of the game, as src/wasm/core.h exports them: the very code that judges on the server.
// Texts go in, JSON comes out; an instance keeps no state between calls.

export interface LegalMove {
  uci: string;
  san: string;
}

export interface Description {
  fen: string;
  side_to_move: "white" | "black";
  legal_moves: LegalMove[];
  check: boolean;
  checkmate: boolean;
  stalemate: boolean;
  zobrist_key: string;
}

export interface PlayedPly {
  uci: string;
  san: string;
  fen: string;
  check: boolean;
  captured: string | null;
}

export interface PlayedLine {
  start: string;
  plies: PlayedPly[];
  end: {
    fen: string;
    side_to_move: "white" | "black";
    check: boolean;
    checkmate: boolean;
    stalemate: boolean;
    dead: boolean;
    halfmove_clock: number;
    repetition: number;
    legal_moves: number;
    can_mate: { white: boolean; black: boolean };
  };
}

// What is known of one side: whether it can mate by any series of legal moves, and how that is proved.
export interface MateAnswer {
  verdict: "possible" | "impossible" | "unknown";
  proof: "line" | "mate" | "stalemate" | "material" | "blocked" | "forced" | "exhausted" | "none";
  line: string[];
  nodes: number;
  limit: "nodes" | "memory" | null;
}

export interface DeadAnswer {
  fen: string;
  white: MateAnswer;
  black: MateAnswer;
  dead: boolean | null;
}

export interface CoreFault {
  code: string;
  message: string;
  field: string;
  offset: number;
  fault: number;
  ply?: number;
}

export class CoreError extends Error {
  constructor(readonly fault: CoreFault) {
    super(fault.message);
  }
}

type Call = (size: number) => number;

interface Exports {
  memory: WebAssembly.Memory;
  core_input(): number;
  core_input_size(): number;
  core_output(): number;
  core_describe: Call;
  core_play: Call;
  core_move: Call;
  core_dead: Call;
}

export class Core {
  private readonly out = new TextDecoder();
  private readonly in = new TextEncoder();
  private readonly described = new Map<string, Description>();

  constructor(private readonly wasm: Exports) {}

  // Everything about one position. The last few hundred are remembered.
  describe(fen: string): Description {
    let d = this.described.get(fen);
    if (!d) {
      d = this.call(this.wasm.core_describe, fen) as Description;
      if (this.described.size >= 512) this.described.clear();
      this.described.set(fen, d);
    }
    return d;
  }

  // Plays moves in UCI form from a position.
  play(fen: string, moves: readonly string[]): PlayedLine {
    return this.call(this.wasm.core_play, `${fen}\n${moves.join(" ")}`) as PlayedLine;
  }

  // One move, in UCI form or as PGN writes it.
  move(fen: string, text: string): PlayedPly {
    return this.call(this.wasm.core_move, `${fen}\n${text}`) as PlayedPly;
  }

  // Whether a side might still mate by some series of legal moves; "no" is proved (Article 5.2.2).
  mayMate(fen: string, color: "white" | "black"): boolean {
    const { end } = this.play(fen, []);
    return end.can_mate[color];
  }

  // Who can still mate, exactly (Articles 5.2.2, 6.9). A composed position may take seconds: pages ask
  // through dead.ts, which does it in a worker.
  dead(fen: string, nodes?: number): DeadAnswer {
    return this.call(this.wasm.core_dead, nodes === undefined ? fen : `${fen}\n${nodes}`) as DeadAnswer;
  }

  private call(run: Call, input: string): unknown {
    const bytes = this.in.encode(input);
    // One byte more than the buffer holds is a size the core itself refuses with "too_long".
    const capacity = this.wasm.core_input_size();
    const memory = this.wasm.memory;
    new Uint8Array(memory.buffer, this.wasm.core_input(), capacity).set(bytes.subarray(0, capacity));
    const size = run(bytes.length);
    const answer: unknown = JSON.parse(
      this.out.decode(new Uint8Array(memory.buffer, this.wasm.core_output(), size)),
    );
    const fault = (answer as { error?: CoreFault }).error;
    if (fault) throw new CoreError(fault);
    return answer;
  }
}

export async function coreFromBytes(bytes: BufferSource): Promise<Core> {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new Core(instance.exports as unknown as Exports);
}
