// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules library for developers: jadoube.wasm exports every public C function; this wraps those of
// the board. A Position is a copy of the C struct, so it is a value: making a move gives a new one.
//
//     const chess = await ChessLibrary.instantiate(bytes);
//     const start = chess.start();
//     for (const move of chess.moves(start)) console.log(chess.san(start, move));

/** The bytes of a ChessPosition. */
export type Position = Uint8Array;
/** The 16 bits of a ChessMove. */
export type Move = number;

/** What a parser refused: JdErr. */
export class ChessError extends Error {
  constructor(
    readonly code: number,
    readonly offset: number,
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Whether a side can mate by any series of legal moves (dead.h), and how that is proved. */
export interface MateAnswer {
  verdict: "possible" | "impossible" | "unknown";
  proof: "none" | "line" | "mate" | "stalemate" | "material" | "blocked" | "forced" | "exhausted";
  /** A helpmate in UCI form; empty when the position is mate or nobody can mate. */
  line: string[];
  nodes: number;
}
export interface DeadAnswer {
  white: MateAnswer;
  black: MateAnswer;
  /** null: not known within the limit. */
  dead: boolean | null;
}

type Call = (...args: (number | bigint)[]) => number | bigint;
const POSITION = 0, MOVE_LIST = 1, JD_ERR = 3;
const DEAD_MEMORY_SMALL = 1 << 20, DEAD_MEMORY_LARGE = 64 << 20, LINE_PLIES = 4096;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class ChessLibrary {
  readonly #memory: WebAssembly.Memory;
  readonly #exports: WebAssembly.Exports;
  // Places in the module's memory: a position, another, a JdStr, a JdErr, results, text.
  readonly #a: number;
  readonly #b: number;
  readonly #str: number;
  readonly #err: number;
  readonly #out: number;
  readonly #text: number;
  readonly #positionSize: number;
  readonly #textSize: number;
  // Work memory for dead positions, taken when it is first needed.
  #work = { at: 0, size: 0 };

  private constructor(exports: WebAssembly.Exports) {
    this.#exports = exports;
    this.#memory = exports.memory as WebAssembly.Memory;
    this.#positionSize = this.#number("library_size_of", POSITION);
    let at = this.#number("library_memory");
    const end = at + this.#number("library_memory_size");
    const take = (size: number): number => {
      const here = at;
      at += (size + 15) & ~15;
      return here;
    };
    this.#a = take(this.#positionSize);
    this.#b = take(this.#positionSize);
    this.#str = take(8);
    this.#err = take(this.#number("library_size_of", JD_ERR));
    this.#out = take(Math.max(this.#number("library_size_of", MOVE_LIST), 16384));
    this.#text = at;
    this.#textSize = end - at;
  }

  static async instantiate(bytes: BufferSource): Promise<ChessLibrary> {
    const { instance } = await WebAssembly.instantiate(bytes);
    return new ChessLibrary(instance.exports);
  }

  /** The initial position (Article 2.3). */
  start(): Position {
    this.#call("chess_position_start", this.#a);
    return this.#position(this.#a);
  }

  /** The start position of Chess960 by its number, 0 to 959. */
  start960(number: number): Position {
    if (!Number.isInteger(number) || number < 0 || number > 959) throw new RangeError("0 to 959");
    this.#call("chess960_start", this.#a, number);
    return this.#position(this.#a);
  }

  /** Reads a FEN, X-FEN or Shredder-FEN record; throws a ChessError. */
  parseFen(fen: string): Position {
    this.#say(fen);
    if (!this.#number("chess_fen_parse", this.#str, this.#a, this.#err)) throw this.#error();
    return this.#position(this.#a);
  }

  /** style 0: en passant target only where a capture is legal; 1: after every double step; 2: Shredder-FEN. */
  fen(position: Position, style: 0 | 1 | 2 = 0): string {
    return this.#written("chess_fen_write", this.#put(position), style, this.#out);
  }

  /** Every legal move, each once. */
  moves(position: Position): Move[] {
    this.#call("chess_moves_generate", this.#put(position), this.#out);
    const view = new DataView(this.#memory.buffer, this.#out);
    return Array.from({ length: view.getInt32(0, true) }, (_, i) => view.getUint16(4 + 2 * i, true));
  }

  isLegal(position: Position, move: Move): boolean {
    return this.#number("chess_move_is_legal", this.#put(position), move) !== 0;
  }

  /** The position after a legal move. */
  make(position: Position, move: Move): Position {
    if (!this.isLegal(position, move)) throw new RangeError("not a legal move here");
    this.#call("chess_move_make", this.#put(position), move, 0);
    return this.#position(this.#a);
  }

  isCheck(position: Position): boolean {
    return this.#number("chess_is_check", this.#put(position)) !== 0;
  }
  isCheckmate(position: Position): boolean {
    return this.#number("chess_is_checkmate", this.#put(position)) !== 0;
  }
  isStalemate(position: Position): boolean {
    return this.#number("chess_is_stalemate", this.#put(position)) !== 0;
  }

  /** The same position in the sense of Article 9.2.3. */
  same(one: Position, other: Position): boolean {
    this.#put(one);
    new Uint8Array(this.#memory.buffer).set(other, this.#b);
    return this.#number("chess_position_same", this.#a, this.#b) !== 0;
  }

  uci(position: Position, move: Move): string {
    return this.#written("chess_uci_write", this.#put(position), move, this.#out);
  }
  san(position: Position, move: Move): string {
    return this.#written("chess_san_write", this.#put(position), move, this.#out);
  }

  /** Reads a UCI move that is legal here; throws a ChessError. */
  parseUci(position: Position, text: string): Move {
    return this.#parse("chess_uci_parse", position, text);
  }
  /** Reads SAN exactly as san writes it; throws a ChessError. */
  parseSan(position: Position, text: string): Move {
    return this.#parse("chess_san_parse", position, text);
  }

  /** Legal lines of exactly depth plies. */
  perft(position: Position, depth: number): bigint {
    return BigInt.asUintN(64, this.#call("chess_perft", this.#put(position), depth) as bigint);
  }

  /** Static exchange evaluation of a legal move, in centipawns. */
  see(position: Position, move: Move): number {
    return this.#number("chess_see", this.#put(position), move);
  }

  /** Squares of the pieces of a colour (0 white, 1 black) that attack a square, as a bitboard. */
  attackers(position: Position, square: number, by: 0 | 1): bigint {
    return BigInt.asUintN(64, this.#call("chess_attackers", this.#put(position), square, by) as bigint);
  }

  zobristKey(position: Position): bigint {
    return BigInt.asUintN(64, this.#call("chess_zobrist_key", this.#put(position)) as bigint);
  }

  /** One JSON object about the position, the bytes of `jadoube position --json`. */
  describe(position: Position): string {
    return this.#written("chess_describe", this.#put(position), this.#out);
  }

  /**
   * Who can still mate (Articles 5.2.2, 6.9). nodes limits the positions looked at for each side; without
   * it a composed position may take seconds: ask in a worker.
   */
  dead(position: Position, nodes = 0): DeadAnswer {
    const white = this.#mate(position, 0, nodes);
    const black = this.#mate(position, 1, nodes);
    const alive = white.verdict === "possible" || black.verdict === "possible";
    const isDead = white.verdict === "impossible" && black.verdict === "impossible";
    return { white, black, dead: isDead ? true : alive ? false : null };
  }

  // ---- crossing the wall

  #grow(size: number): void {
    if (this.#work.size >= size) return;
    const page = this.#memory.grow(size >> 16);
    this.#work = { at: page << 16, size };
  }
  #mate(position: Position, winner: 0 | 1, nodes: number): MateAnswer {
    this.#grow(DEAD_MEMORY_SMALL);
    const at = this.#put(position), answer = this.#out, limits = this.#out + 16, line = this.#out + 32;
    for (;;) {
      const view = new DataView(this.#memory.buffer);
      view.setBigUint64(limits, BigInt(nodes), true);
      view.setUint32(limits + 8, this.#work.at, true);
      view.setUint32(limits + 12, this.#work.size, true);
      this.#call("dead_can_mate", answer, at, winner, limits, line, LINE_PLIES);
      if (view.getUint8(answer + 3) === 0 || this.#work.size >= DEAD_MEMORY_LARGE) break;
      this.#grow(DEAD_MEMORY_LARGE);
    }
    const view = new DataView(this.#memory.buffer);
    const size = view.getUint8(answer) === 1 ? Math.min(view.getUint32(answer + 4, true), LINE_PLIES) : 0;
    const moves = Array.from({ length: size }, (_, i) => view.getUint16(line + 2 * i, true));
    const found = {
      verdict: this.#constant("dead_verdict_name", view.getUint8(answer)) as MateAnswer["verdict"],
      proof: this.#constant("dead_proof_name", view.getUint8(answer + 1)) as MateAnswer["proof"],
      nodes: Number(view.getBigUint64(answer + 8, true)),
    };
    let before = position;
    const uci = moves.map((move) => {
      const text = this.uci(before, move);
      before = this.make(before, move);
      return text;
    });
    return { ...found, line: uci };
  }
  #constant(name: string, number: number): string {
    const at = this.#number(name, number);
    const bytes = new Uint8Array(this.#memory.buffer, at);
    return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  #call(name: string, ...args: (number | bigint)[]): number | bigint {
    return (this.#exports[name] as unknown as Call)(...args);
  }
  #number(name: string, ...args: (number | bigint)[]): number {
    return Number(this.#call(name, ...args));
  }
  #put(position: Position): number {
    if (position.length !== this.#positionSize) throw new RangeError("not a position of this library");
    new Uint8Array(this.#memory.buffer).set(position, this.#a);
    return this.#a;
  }
  #position(at: number): Position {
    return new Uint8Array(this.#memory.buffer).slice(at, at + this.#positionSize);
  }
  #say(text: string): void {
    const bytes = encoder.encode(text);
    if (bytes.length > this.#textSize) throw new RangeError(`text of more than ${this.#textSize} bytes`);
    new Uint8Array(this.#memory.buffer).set(bytes, this.#text);
    const view = new DataView(this.#memory.buffer, this.#str);
    view.setUint32(0, this.#text, true);
    view.setUint32(4, bytes.length, true);
  }
  #written(name: string, ...args: number[]): string {
    const size = this.#number(name, ...args);
    return decoder.decode(new Uint8Array(this.#memory.buffer, this.#out, size));
  }
  #parse(name: string, position: Position, text: string): Move {
    this.#say(text);
    if (!this.#number(name, this.#str, this.#put(position), this.#out, this.#err)) throw this.#error();
    return new DataView(this.#memory.buffer, this.#out).getUint16(0, true);
  }
  // JdErr: code, offset, field[24], text[].
  #error(): ChessError {
    const view = new DataView(this.#memory.buffer, this.#err);
    const text = (at: number): string => {
      const bytes = new Uint8Array(this.#memory.buffer, this.#err + at);
      return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
    };
    return new ChessError(view.getUint32(0, true), view.getUint32(4, true), text(8), text(32));
  }
}
