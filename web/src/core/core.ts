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

interface BoardExports {
  memory: WebAssembly.Memory;
  core_input(): number;
  core_input_size(): number;
  core_output(): number;
  core_describe: Call;
  core_move: Call;
}
interface Exports extends BoardExports {
  core_play: Call;
  core_dead: Call;
}

// What a board asks before and after every move. board.wasm holds this and nothing more, so that a
// board page is ready soon on a slow line.
export class BoardCore {
  private readonly out = new TextDecoder();
  private readonly in = new TextEncoder();
  private readonly described = new Map<string, Description>();

  constructor(protected readonly wasm: BoardExports) {}

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

  // One move, in UCI form or as PGN writes it.
  move(fen: string, text: string): PlayedPly {
    return this.call(this.wasm.core_move, `${fen}\n${text}`) as PlayedPly;
  }

  // Moves one after the other, of which nothing else is to be known.
  line(fen: string, moves: readonly string[]): PlayedPly[] {
    const plies: PlayedPly[] = [];
    for (const text of moves) plies.push(this.move(plies[plies.length - 1]?.fen ?? fen, text));
    return plies;
  }

  protected call(run: Call, input: string): unknown {
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

// The whole rules core: repetition, who can still mate.
export class Core extends BoardCore {
  constructor(private readonly all: Exports) {
    super(all);
  }

  // Plays moves in UCI form from a position.
  play(fen: string, moves: readonly string[]): PlayedLine {
    return this.call(this.all.core_play, `${fen}\n${moves.join(" ")}`) as PlayedLine;
  }

  // Whether a side might still mate by some series of legal moves; "no" is proved (Article 5.2.2).
  mayMate(fen: string, color: "white" | "black"): boolean {
    const { end } = this.play(fen, []);
    return end.can_mate[color];
  }

  // Who can still mate, exactly (Articles 5.2.2, 6.9). A composed position may take seconds: pages ask
  // through dead.ts, which does it in a worker.
  dead(fen: string, nodes?: number): DeadAnswer {
    return this.call(this.all.core_dead, nodes === undefined ? fen : `${fen}\n${nodes}`) as DeadAnswer;
  }
}

const exportsOf = async (bytes: BufferSource): Promise<unknown> =>
  (await WebAssembly.instantiate(bytes, {})).instance.exports;

export const coreFromBytes = async (bytes: BufferSource): Promise<Core> =>
  new Core((await exportsOf(bytes)) as Exports);
export const boardFromBytes = async (bytes: BufferSource): Promise<BoardCore> =>
  new BoardCore((await exportsOf(bytes)) as BoardExports);
