// SPDX-License-Identifier: GPL-3.0-or-later
//
// The game on one machine and the chess clock, as src/wasm/local.h exports them: the code of `jadoube
// play`. Unlike the rules core an instance holds one game and one clock.
import { CoreError, type CoreFault, type LegalMove } from "../core/core";
import type { Color } from "../net/types";

declare const LOCAL_WASM_URL: string;

export interface LocalPlayer {
  name: string;
  level: number; // 0: a person
  control: string; // as PGN writes it
  move_ms: number; // limit for each move; 0: none
  base_ms: number;
  increment_ms: number;
  delay_ms: number;
}

export interface LocalMove extends LegalMove {
  fen: string;
  clock: number; // -1: not known
  draw: boolean;
}

export interface LocalClock {
  white: number;
  black: number;
  running: Color | null;
  delay: number; // of the running one, still to run
  at: number;
}

export interface LocalGame {
  state: string;
  over: boolean;
  result: string;
  reason: string;
  article: string;
  edition: string;
  start: string;
  fen: string;
  turn: Color;
  check: boolean;
  legal: LegalMove[];
  moves: LocalMove[];
  has_clock: boolean;
  clock: LocalClock;
  offer: Color | null;
  bound: string | null;
  white: LocalPlayer;
  black: LocalPlayer;
  no_undo: boolean;
  hints: number;
  begun: number;
  repetitions: number;
  quiet_moves: number;
  claim_is_right: boolean;
}

export interface Problem {
  fault: string;
  line: number;
  message: string;
}

// What a call did, beside the game it left.
export interface Did {
  ok: boolean;
  refused?: string;
  article?: string;
  repetitions?: number;
  moves?: number;
  undo?: "done" | "nothing" | "off" | "over" | "paused";
  games?: number;
  cut?: boolean;
  over_before_end?: boolean;
  problem?: Problem;
  press?: "pressed" | "bounced" | "not_running" | "paused";
}

export interface Level {
  level: number;
  name: string;
  elo: number;
}

export interface TimerState {
  white: number;
  black: number;
  running: Color | null;
  delay: number;
  started: boolean;
  paused: Color | null;
  first: Color | null; // whose flag fell first
  down: Record<Color, boolean>;
  presses: Record<Color, number>;
}

export interface Answer {
  did: Did;
  game?: LocalGame;
  clock?: LocalClock;
  pgn: string;
  levels: Level[];
  ask: { lines: number; nodes: number; ms: number };
  choose: { move: string; pace: number };
  accepts: boolean;
  timer: TimerState;
}

interface Exports {
  memory: WebAssembly.Memory;
  local_input(): number;
  local_input_size(): number;
  local_output(): number;
  local_call(size: number): number;
}

export class LocalCore {
  private readonly in = new TextEncoder();
  private readonly out = new TextDecoder();

  constructor(private readonly wasm: Exports) {}

  // Throws a CoreError where the text itself is at fault.
  call(line: string, lines = "", now = Date.now()): Answer {
    const bytes = this.in.encode(`${Math.floor(now)} ${line}\n${lines}`);
    const { memory } = this.wasm;
    const capacity = this.wasm.local_input_size();
    new Uint8Array(memory.buffer, this.wasm.local_input(), capacity).set(bytes.subarray(0, capacity));
    const size = this.wasm.local_call(bytes.length);
    const answer = JSON.parse(
      this.out.decode(new Uint8Array(memory.buffer, this.wasm.local_output(), size)),
    ) as Answer & { error?: CoreFault };
    if (answer.error) throw new CoreError(answer.error);
    return answer;
  }
}

export async function loadLocal(): Promise<LocalCore> {
  const response = await fetch(LOCAL_WASM_URL);
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer());
  return new LocalCore(instance.exports as unknown as Exports);
}
