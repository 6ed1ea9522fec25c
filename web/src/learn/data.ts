// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the pages of /learn read: lessons of one language, problems, opening lines, and lesson.wasm
// (src/wasm/lesson.h), which says what is true of a position. Each is fetched once, when needed.
import { loadSheet } from "../app/sheet";
import type { OpeningRule } from "../core/tutor";
import type { Language } from "../net/types";

declare const LEARN_URLS: Record<Language | "problems" | "openings" | "wasm" | "css", string>;

export type StepKind = "read" | "move" | "choice" | "squares" | "safe" | "win" | "plan" | "flag" | "links";

export interface Step {
  kind: StepKind;
  fen?: string;
  game?: string[]; // moves from the initial position
  side?: "white" | "black"; // in front; else the side to move
  say?: string;
  done?: string;
  line?: string[][]; // turn by turn; several at one turn are as good as each other
  no?: { san: string; text: string }[];
  options?: { right: boolean; text: string }[];
  squares?: string[];
  overlay?: string;
  mark?: string[];
  arrow?: string[];
}

export interface Lesson {
  slug: string;
  id: string;
  title: string;
  lead: string;
  steps: Step[];
}

export const THEMES = [
  "mate1", "mate2", "mate3", "fork", "pin", "skewer", "discovered", "pawns", "ending", "draw",
] as const;
export type Theme = (typeof THEMES)[number];

export interface Problem {
  id: string; // number of the game and ply
  theme: Theme;
  grade: number;
  fen: string;
  line: string[]; // UCI, the solver's first
  game: string;
  ply: number;
}

export interface Opening {
  eco: string;
  name: Record<Language, string>;
  moves: string[]; // SAN
}

async function text(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  return response.text();
}

// Kept when it came; asked again when it did not.
function once<K, T>(get: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const kept = new Map<K, Promise<T>>();
  return (key) => {
    let found = kept.get(key);
    if (!found) {
      found = get(key);
      found.catch(() => kept.delete(key));
      kept.set(key, found);
    }
    return found;
  };
}

export const loadLessons = once(async (code: Language): Promise<Lesson[]> => JSON.parse(await text(LEARN_URLS[code])) as Lesson[]);

export function readProblem(row: string): Problem {
  const [head, fen, line, source] = row.split(";");
  const [theme, grade] = head!.split(" ");
  const [game, ply] = source!.split(" ");
  return {
    id: `${game}-${ply}`,
    theme: theme as Theme,
    grade: Number(grade),
    fen: fen!,
    line: line!.split(" "),
    game: game!,
    ply: Number(ply),
  };
}
const problems = once(async (_: "all"): Promise<Problem[]> => (await text(LEARN_URLS.problems)).trim().split("\n").map(readProblem));
export const loadProblems = (): Promise<Problem[]> => problems("all");

export function readOpening(row: string): Opening {
  const [eco, en, ru, ro, moves] = row.split(";");
  return { eco: eco!, name: { en: en!, ru: ru!, ro: ro! }, moves: moves!.split(" ") };
}
const openings = once(async (_: "all"): Promise<Opening[]> => (await text(LEARN_URLS.openings)).trim().split("\n").map(readOpening));
export const loadOpenings = (): Promise<Opening[]> => openings("all");

export const loadLearnSheet = (): Promise<void> => loadSheet(LEARN_URLS.css);

// ---- lesson.wasm --------------------------------------------------------------------------------

export interface Facts {
  phase: "opening" | "middlegame" | "endgame";
  developed: { white: number; black: number };
  centre: Record<string, [number, number]>;
  pins: [string, string, string][];
  skewers: [string, string, string][];
}
export interface Exchange {
  moves: { uci: string; san: string; balance: number }[];
  result: number;
  stop: number;
}
type Call = "facts" | "exchange" | "leaves" | "checklist" | "reply";

interface Buffers {
  memory: WebAssembly.Memory;
  lesson_input(): number;
  lesson_input_size(): number;
  lesson_output(): number;
}
type Exports = Buffers & { [name in `lesson_${Call}`]: (size: number) => number };

export class LessonCore {
  constructor(private readonly wasm: Exports) {}

  facts = (fen: string): Facts => this.call("facts", fen) as Facts;
  exchange = (fen: string, square: string): Exchange => this.call("exchange", `${fen}\n${square}`) as Exchange;
  leaves = (fen: string, uci: string): { leaves: number; by: string } =>
    this.call("leaves", `${fen}\n${uci}`) as { leaves: number; by: string };
  checklist = (moves: readonly string[]): Record<"white" | "black", OpeningRule[]> =>
    this.call("checklist", moves.join(" ")) as Record<"white" | "black", OpeningRule[]>;
  reply = (fen: string): string => (this.call("reply", fen) as { uci: string }).uci;

  private call(name: Call, input: string): unknown {
    const bytes = new TextEncoder().encode(input);
    const { buffer } = this.wasm.memory;
    new Uint8Array(buffer, this.wasm.lesson_input(), this.wasm.lesson_input_size()).set(bytes);
    const size = this.wasm[`lesson_${name}`](bytes.length);
    const answer: unknown = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, this.wasm.lesson_output(), size)));
    const { error } = answer as { error?: string };
    if (error) throw new Error(error);
    return answer;
  }
}

export async function lessonFromBytes(bytes: BufferSource): Promise<LessonCore> {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new LessonCore(instance.exports as unknown as Exports);
}
const lessonCore = once(async (_: "all"): Promise<LessonCore> => {
  const response = await fetch(LEARN_URLS.wasm);
  if (!response.ok) throw new Error(`lesson.wasm: HTTP ${response.status}`);
  return lessonFromBytes(await response.arrayBuffer());
});
export const loadLessonCore = (): Promise<LessonCore> => lessonCore("all");
