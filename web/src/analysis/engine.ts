// SPDX-License-Identifier: GPL-3.0-or-later
//
// An engine on the reader's own machine: Stockfish as WebAssembly in a worker, spoken to in UCI. It
// is fetched when it is first asked, and told nothing but positions that the rules core has accepted
// (it does not survive others).
declare const ENGINE_URL: string;

// For White, whoever is to move: centipawns, or moves to mate (negative: Black mates).
export type Score = { cp: number } | { mate: number };

export interface EngineLine {
  depth: number;
  score: Score;
  pv: string[]; // UCI
}

export interface Thinking {
  fen: string;
  lines: EngineLine[]; // best first
  depth: number;
  nps: number;
  done: boolean;
}

export interface Limits {
  lines: number;
  depth: number; // 0: until it is stopped
  ms?: number;
  nodes?: number; // beside ms, whichever comes first
}

const INFO = /^info .*\bdepth (\d+)\b.*?\bmultipv (\d+)\b.*?\bscore (cp|mate) (-?\d+)( lowerbound| upperbound)?.*?(?:\bnps (\d+)\b.*?)?\bpv (.+)$/;

export class Engine {
  private worker: Worker | null = null;
  private ready: Promise<void> | null = null;
  private now: Thinking | null = null;
  private tell: (thinking: Thinking) => void = () => {};
  private ended: () => void = () => {};
  private idle: Promise<void> = Promise.resolve();
  private stopped = false;
  name = "";

  // onLine hears every line that goes to and fro (L-032).
  constructor(
    private readonly onFail: (why: string) => void,
    private readonly onLine: (line: string) => void = () => {},
  ) {}

  // Looks at a position until its limits or until stop(); tells what it finds at every step. The
  // answer comes with the end.
  async think(fen: string, limits: Limits, tell: (thinking: Thinking) => void): Promise<Thinking> {
    await this.stop();
    await (this.ready ??= this.start());
    const thinking: Thinking = { fen, lines: [], depth: 0, nps: 0, done: false };
    this.tell = tell;
    this.stopped = false;
    this.say(`setoption name MultiPV value ${limits.lines}`);
    this.say(`position fen ${fen}`);
    const nodes = limits.nodes ? ` nodes ${limits.nodes}` : "";
    await this.search(thinking, limits.ms ? `go movetime ${limits.ms}${nodes}` : limits.depth ? `go depth ${limits.depth}` : "go infinite");
    // On a slow machine the time may be over before anything was found: one ply is looked at all the same.
    if (limits.ms && !thinking.lines[0] && !this.stopped && this.worker) await this.search(thinking, "go depth 1");
    return { ...thinking, done: true };
  }

  private search(thinking: Thinking, go: string): Promise<void> {
    this.now = thinking;
    this.idle = new Promise((resolve) => (this.ended = resolve));
    this.say(go);
    return this.idle;
  }

  async stop(): Promise<void> {
    if (!this.now) return;
    this.stopped = true;
    this.say("stop");
    await this.idle;
  }

  quit(): void {
    this.worker?.terminate();
    this.worker = null;
    this.ready = null;
    this.end();
  }

  private say(command: string): void {
    this.onLine(`> ${command}`);
    this.worker?.postMessage(command);
  }

  private end(): void {
    this.now = null;
    this.ended();
  }

  private start(): Promise<void> {
    const worker = new Worker(ENGINE_URL);
    this.worker = worker;
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        if (this.worker !== worker) return;
        this.quit();
        this.onFail(why);
        reject(new Error(why));
      };
      const timer = window.setTimeout(() => fail("the engine does not start"), 30_000);
      worker.addEventListener("error", (e) => fail(e.message || "the engine failed"));
      worker.addEventListener("message", (e: MessageEvent<unknown>) => {
        const line = String(e.data);
        this.onLine(`< ${line}`);
        if (line.startsWith("id name ")) this.name = line.slice(8);
        else if (line === "uciok") worker.postMessage("isready");
        else if (line === "readyok") {
          window.clearTimeout(timer);
          resolve();
        } else if (line.startsWith("bestmove")) this.end();
        else this.hear(line);
      });
      worker.postMessage("uci");
    });
  }

  private hear(line: string): void {
    const { now } = this;
    const found = now && INFO.exec(line);
    if (!found || found[5]) return;
    const [, depth, number, kind, value, , nps, pv] = found;
    const sign = now.fen.split(" ")[1] === "b" ? -1 : 1;
    const score: Score = kind === "mate" ? { mate: sign * Number(value) } : { cp: sign * Number(value) };
    now.lines[Number(number) - 1] = { depth: Number(depth), score, pv: pv!.trim().split(/\s+/) };
    now.depth = Math.max(now.depth, Number(depth));
    if (nps) now.nps = Number(nps);
    this.tell({ ...now, lines: now.lines.filter(Boolean) });
  }
}

// "+0.35", "−1.20", "#3", "#−2": for White, as in books.
export function scoreText(score: Score): string {
  if ("mate" in score) return `#${score.mate < 0 ? "−" : ""}${Math.abs(score.mate)}`;
  const pawns = Math.abs(score.cp / 100).toFixed(2);
  return `${score.cp > 0 ? "+" : score.cp < 0 ? "−" : ""}${pawns}`;
}

// For a graph: pawns between -10 and 10, a mate at the edge.
export function scoreHeight(score: Score): number {
  if ("mate" in score) return score.mate >= 0 ? 10 : -10;
  return Math.max(-10, Math.min(10, score.cp / 100));
}
