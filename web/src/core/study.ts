// SPDX-License-Identifier: GPL-3.0-or-later
//
// PGN with variations, as src/wasm/study.h exports it. Fetched with the analysis board alone.
import { CoreError, type CoreFault } from "./core";

declare const STUDY_WASM_URL: string;

export type StudyItem =
  | { uci: string; san: string; fen: string }
  | { comment: string }
  | { nag: number }
  | "("
  | ")";

export interface StudyProblem {
  fault: string;
  line: number;
  column: number;
  message: string;
}

export interface StudyGame {
  games: number;
  tags: [string, string][];
  start: string;
  result: string;
  text: StudyItem[];
  problems: StudyProblem[];
}

interface Exports {
  memory: WebAssembly.Memory;
  study_input(): number;
  study_input_size(): number;
  study_output(): number;
  study_read(size: number): number;
  study_write(size: number): number;
}

export class StudyModule {
  constructor(private readonly wasm: Exports) {}

  // The n-th game of a text, from 1.
  read(pgn: string, n = 1): StudyGame {
    return this.call("study_read", `${n}\n${pgn}`) as StudyGame;
  }

  // Lines as study.h describes them; gives PGN.
  write(lines: readonly string[]): string {
    return (this.call("study_write", lines.join("\n")) as { pgn: string }).pgn;
  }

  private call(name: "study_read" | "study_write", input: string): unknown {
    const bytes = new TextEncoder().encode(input);
    const capacity = this.wasm.study_input_size();
    new Uint8Array(this.wasm.memory.buffer, this.wasm.study_input(), capacity).set(bytes.subarray(0, capacity));
    const size = this.wasm[name](bytes.length);
    const answer: unknown = JSON.parse(
      new TextDecoder().decode(new Uint8Array(this.wasm.memory.buffer, this.wasm.study_output(), size)),
    );
    const fault = (answer as { error?: CoreFault }).error;
    if (fault) throw new CoreError(fault);
    return answer;
  }
}

export async function studyFromBytes(bytes: BufferSource): Promise<StudyModule> {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new StudyModule(instance.exports as unknown as Exports);
}

let loading: Promise<StudyModule> | null = null;

export function loadStudy(): Promise<StudyModule> {
  loading ??= fetchStudy().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function fetchStudy(): Promise<StudyModule> {
  const response = await fetch(STUDY_WASM_URL);
  if (!response.ok) throw new Error(`the PGN module: HTTP ${response.status}`);
  return studyFromBytes(await response.arrayBuffer());
}
