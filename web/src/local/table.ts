// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table at which a game on one machine is played. Whatever is ruled, and whichever move the
// computer chooses, comes from the core; here stands what happens when.
import { Engine, scoreText, type EngineLine, type Score } from "../analysis/engine";
import { createStore } from "../app/store";
import { CoreError, type LegalMove } from "../core/core";
import { loadTutor, type Fact } from "../core/tutor";
import { reading, other } from "../game/clock";
import { play as sound } from "../game/sound";
import type { Key, Params } from "../i18n";
import type { Clocks, Color } from "../net/types";
import type { Answer, LocalCore, LocalGame, Problem } from "./core";
import { keepGame, keptGame, localPrefs, type Kept } from "./prefs";

export interface Note {
  key: Key;
  params?: Params;
  problem?: Problem; // of a file
  bad?: boolean;
}

export interface Hint {
  uci: string;
  san: string;
  score: string;
  fen: string;
  reason: Fact | null; // why, where something is to be said
}

export interface TableState {
  game: LocalGame | null;
  shown: number; // plies of the position on the board
  promotion: LegalMove[] | null;
  thinking: boolean;
  asking: "resign" | "claim" | null;
  claiming: boolean; // the next move on the board goes with a claim
  note: Note | null;
  hint: Hint | null;
  lost: Kept | null; // a game that was cut off
  saved: boolean;
  flipped: boolean;
  engine: "unknown" | "ready" | "failed";
  redraw: number;
}

const LOG_LINES = 400;
export const log = createStore<readonly string[]>([]);
const write = (line: string): void => log.set([...log.get().slice(1 - LOG_LINES), line]);

// As the core reads them: "cp 34 e2e4 e7e5".
const lineText = ({ score, pv }: EngineLine): string =>
  `${"mate" in score ? `mate ${score.mate}` : `cp ${Math.round(score.cp)}`} ${pv.join(" ")}`;

export const clocksOf = (game: LocalGame): Clocks =>
  ({ ...game.clock, delay_left: game.clock.delay }) as unknown as Clocks;

// Why the move is good; null where there is nothing to say, or nobody to say it.
async function reasonOf(fen: string, uci: string, line: readonly string[]): Promise<Fact | null> {
  try {
    return (await loadTutor()).move(fen, uci, line).reason;
  } catch {
    return null;
  }
}

export class Table {
  readonly state = createStore<TableState>({
    game: null,
    shown: 0,
    promotion: null,
    thinking: false,
    asking: null,
    claiming: false,
    note: null,
    hint: null,
    lost: null,
    saved: true,
    flipped: false,
    engine: "unknown",
    redraw: 0,
  });
  name = ""; // of the game
  private readonly engine = new Engine(
    (why) => {
      write(`! ${why}`);
      this.state.patch({ engine: "failed" });
    },
    write,
  );
  private turn = 0; // grows with every change: an answer about what was is dropped
  private timer = 0;
  private thought = 0;
  private leafingStops = false;

  constructor(private readonly core: LocalCore) {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
    core.call(`seed ${seed}`);
    this.state.patch({ lost: keptGame() });
  }

  close(): void {
    this.turn++;
    window.clearTimeout(this.timer);
    window.clearTimeout(this.thought);
    this.engine.quit();
  }

  get levels(): Answer["levels"] {
    return this.core.call("levels").levels;
  }

  // ---- the game's course ------------------------------------------------------------------------

  // Throws a CoreError when the setup is not sound; the game before goes on then.
  begin(lines: readonly string[], name: string): void {
    const { game } = this.core.call("new", lines.join("\n"));
    this.name = name;
    this.state.patch({ lost: null, saved: true, flipped: false });
    this.take(game!, null);
    sound("start");
  }

  private now(): LocalGame {
    return this.state.get().game!;
  }

  // A game as the core left it, on the board, kept, and gone on with.
  private take(game: LocalGame, note: Note | null): void {
    const before = this.state.get().game;
    this.turn++;
    this.leafingStops = false;
    const plies = game.moves.length;
    const moved = before && plies > before.moves.length;
    this.state.patch({
      game,
      note,
      shown: plies,
      promotion: null,
      asking: null,
      claiming: false,
      hint: null,
      thinking: false,
      saved: plies === 0,
      redraw: this.state.get().redraw + 1,
    });
    if (moved) sound(game.check ? "check" : game.moves[plies - 1]!.san.includes("x") ? "capture" : "move");
    if (game.over && !before?.over) sound("end");
    this.keep();
    this.goOn();
  }

  private call(line: string, lines = ""): Answer {
    const answer = this.core.call(line, lines);
    write(`# ${line}`);
    return answer;
  }

  keep(): void {
    const { game } = this.state.get();
    if (!game) return;
    const plies = game.moves.length;
    keepGame(plies > 0 && !game.over ? { pgn: this.pgn(), plies, noUndo: game.no_undo, name: this.name } : null);
  }

  // What is due by itself: a flag, the computer's move.
  private goOn(): void {
    window.clearTimeout(this.timer);
    window.clearTimeout(this.thought);
    const game = this.now();
    if (game.over || game.state !== "running") return;
    this.watchFlag();
    if (this.levelToMove() > 0) void this.think();
  }

  private watchFlag(): void {
    const game = this.now();
    const running = game.clock.running;
    if (!running) return;
    const due = Math.max(0, reading(clocksOf(game), running, Date.now())) + game.clock.delay;
    this.timer = window.setTimeout(() => this.tick(), Math.min(due + 5, 2 ** 31 - 1));
  }

  private tick(): void {
    const answer = this.core.call("tick");
    if (answer.did.ok && answer.game) {
      this.take(answer.game, null);
      return;
    }
    const game = this.now();
    // In rapid and blitz of old editions a flag falls when it is claimed; the computer does at once.
    const running = game.clock.running;
    if (running && answer.clock && answer.clock[running] === 0) {
      if (game[other(running)].level > 0) {
        const claimed = this.call(`flag ${other(running)}`);
        if (claimed.did.ok && claimed.game) return this.take(claimed.game, null);
      }
      this.state.patch({ game: { ...game, clock: answer.clock } });
      return;
    }
    if (answer.clock) this.state.patch({ game: { ...game, clock: answer.clock } });
    this.watchFlag();
  }

  levelToMove(): number {
    const game = this.now();
    return game[game.turn].level;
  }

  // Who acts: the side to move, or the person when the computer has the move.
  actor(): Color {
    const game = this.now();
    return game[game.turn].level > 0 && game[other(game.turn)].level === 0 ? other(game.turn) : game.turn;
  }

  mayMove(): boolean {
    const { game, shown } = this.state.get();
    return !!game && !game.over && game.state === "running" && shown === game.moves.length && this.levelToMove() === 0;
  }

  // From the board: squares; several moves where a pawn arrives.
  attempt(from: string, to: string, altKey: boolean): void {
    const { game } = this.state.get();
    if (!game || !this.mayMove()) return this.redraw();
    const fits = game.legal.filter(
      (m) =>
        m.uci.startsWith(from) &&
        (m.uci.slice(2, 4) === to || (m.san.startsWith("O-O") && to === (m.san.startsWith("O-O-O") ? "a" : "h") + from[1]!)),
    );
    if (fits.length === 0) return this.redraw();
    const wish = localPrefs.get().promotion;
    const chosen = fits.length === 1 ? fits[0] : !altKey && wish !== "ask" ? fits.find((m) => m.uci.endsWith(wish)) : undefined;
    if (chosen) this.move(chosen.uci);
    else this.state.patch({ promotion: fits });
  }

  move(uci: string): void {
    const { claiming } = this.state.get();
    if (claiming) return this.claim(uci);
    const { did, game } = this.call(`move ${uci}`);
    this.take(game!, did.ok || game!.over ? null : { key: `error.${did.refused!}` as Key, bad: true });
  }

  redraw(): void {
    this.state.patch({ promotion: null, redraw: this.state.get().redraw + 1 });
  }

  // ---- draws, resignation, flags ----------------------------------------------------------------

  offer(): void {
    const side = this.actor();
    const game = this.now();
    if (game.offer === other(side)) return this.answer(true);
    const { did, game: after } = this.call(`offer ${side}`);
    if (!did.ok) return this.say({ key: `error.${did.refused!}` as Key, bad: true });
    this.take(after!, { key: "local.offered" });
    // Where the computer has the move it answers with that.
    if (after![other(side)].level > 0 && after!.turn === side) void this.askAboutDraw(other(side));
  }

  // The one who was offered a draw answers.
  answer(accepts: boolean): void {
    const { offer } = this.now();
    if (!offer) return;
    const { game } = this.call(`${accepts ? "accept" : "decline"} ${other(offer)}`);
    this.take(game!, accepts ? null : { key: "local.declined" });
  }

  ask(what: "resign" | "claim" | null): void {
    this.state.patch({ asking: what, claiming: false });
  }
  claimWithMove(): void {
    this.state.patch({ asking: null, claiming: true, note: { key: "local.claim_move_now" } });
  }

  // A claim that is not right costs nothing here, and stands as an offer (L-010).
  claim(uci = ""): void {
    const { did, game } = this.call(`claim ${uci}`.trim());
    if (did.ok) return this.take(game!, null);
    this.state.patch({ asking: null, claiming: false });
    this.offer();
    if (!this.now().over)
      this.say({ key: "local.not_yet", params: { n: did.repetitions!, m: did.moves! } });
    this.redraw();
  }

  resign(): void {
    const { game } = this.call(`resign ${this.actor()}`);
    this.take(game!, null);
  }

  // Two persons share the board: whoever may claim does.
  flag(): void {
    for (const side of ["white", "black"] as const) {
      const { did, game } = this.call(`flag ${side}`);
      if (did.ok || game!.over) return this.take(game!, null);
    }
    this.say({ key: "local.flag_not_down" });
  }

  // ---- time, moves taken back, leafing ----------------------------------------------------------

  pause(): void {
    const { did, game } = this.call("pause");
    if (did.ok || game!.over) this.take(game!, null);
  }
  resume(): void {
    const { did, game } = this.call("resume");
    if (did.ok) this.take(game!, null);
  }

  undo(): void {
    const before = this.now().moves.length;
    const { did, game } = this.call("undo");
    if (did.undo === "done") this.take(game!, { key: "local.undone", params: { n: before - game!.moves.length } });
    else this.say({ key: `local.undo.${did.undo!}` as Key });
  }

  // Against the computer the clocks wait while one leafs (L-018).
  view(ply: number): void {
    const { game, shown } = this.state.get();
    if (!game) return;
    const last = game.moves.length;
    const to = Math.max(0, Math.min(last, ply));
    if (to === shown) return;
    const computers = game.white.level > 0 || game.black.level > 0;
    if (to < last && shown === last && computers && game.state === "running" && this.levelToMove() === 0) {
      const { did, game: after } = this.core.call("pause");
      if (did.ok) this.state.patch({ game: after! });
      this.leafingStops = did.ok;
      window.clearTimeout(this.timer);
    }
    if (to === last && this.leafingStops) {
      const { game: after } = this.core.call("resume");
      this.state.patch({ game: after! });
      this.leafingStops = false;
    }
    this.state.patch({ shown: to, hint: null, promotion: null });
    if (to === last) this.goOn();
  }

  // The game goes on from the position that is shown.
  continueHere(): void {
    const { shown } = this.state.get();
    const before = this.now().moves.length;
    if (this.leafingStops) this.core.call("resume");
    this.leafingStops = false;
    const { did, game } = this.call(`back ${shown}`);
    if (did.undo === "done") this.take(game!, { key: "local.undone", params: { n: before - game!.moves.length } });
    else {
      this.take(game!, null);
      this.say({ key: `local.undo.${did.undo!}` as Key });
    }
  }

  flip(): void {
    this.state.patch({ flipped: !this.state.get().flipped });
  }

  say(note: Note | null): void {
    this.state.patch({ note });
  }

  // ---- files ------------------------------------------------------------------------------------

  pgn(): string {
    const d = new Date();
    const two = (n: number): string => String(n).padStart(2, "0");
    const { pgn } = this.core.call(`write ${d.getFullYear()}.${two(d.getMonth() + 1)}.${two(d.getDate())}`);
    return this.name ? pgn.replace(/\[Event "[^"]*"\]/, `[Event "${this.name.replace(/[\\"]/g, "")}"]`) : pgn;
  }

  saved(): void {
    this.state.patch({ saved: true, note: { key: "local.saved" } });
  }

  // Answers how many games there are; the first is opened unless another is named.
  open(pgn: string, number = 1, noUndo = false): number {
    let answer: Answer;
    try {
      answer = this.call(`open ${number}${noUndo ? " no-undo" : ""}`, pgn);
    } catch (e) {
      this.say({ key: "local.not_opened", params: { why: e instanceof CoreError ? e.fault.message : "" }, bad: true });
      return 0;
    }
    const { did, game } = answer;
    if (!did.ok || !game) {
      this.say({ key: did.problem ? "local.not_opened_at" : "local.no_game", bad: true, ...(did.problem ? { problem: did.problem } : {}) });
      return 0;
    }
    this.name = /\[Event "([^"]*)"\]/.exec(pgn)?.[1] ?? "";
    if (this.name === "Local game" || this.name === "?") this.name = "";
    this.state.patch({ lost: null, flipped: false });
    this.take(
      game,
      did.cut && did.problem
        ? { key: "local.opened_up_to", params: { n: game.moves.length }, problem: did.problem, bad: true }
        : did.over_before_end
          ? { key: "local.over_by_laws" }
          : { key: "local.opened" },
    );
    this.state.patch({ saved: !did.cut });
    return did.games ?? 1;
  }

  recover(): void {
    const { lost } = this.state.get();
    if (!lost) return;
    this.open(lost.pgn, 1, lost.noUndo);
    this.name = lost.name;
    this.state.patch({ saved: false });
    this.keep();
  }
  forget(): void {
    keepGame(null);
    this.state.patch({ lost: null });
  }

  // ---- the computer -----------------------------------------------------------------------------

  private async find(limits: { lines: number; ms: number; nodes?: number }): Promise<EngineLine[]> {
    if (this.state.get().engine === "failed") return [];
    const { fen } = this.now();
    try {
      const found = await this.engine.think(fen, { ...limits, depth: 0 }, () => {});
      if (this.state.get().engine === "unknown") this.state.patch({ engine: "ready" });
      return found.lines.filter(Boolean);
    } catch {
      return []; // the computer then plays at one look
    }
  }

  private async think(): Promise<void> {
    const turn = this.turn;
    const began = Date.now();
    this.state.patch({ thinking: true });
    const { ask } = this.core.call("ask");
    const lines = await this.find(ask);
    if (turn !== this.turn || this.levelToMove() === 0) return;
    const text = lines.map(lineText).join("\n");
    const game = this.now();
    if (game.offer === other(game.turn)) {
      const { accepts } = this.core.call(`accepts ${game.turn}`, text);
      if (accepts) return this.answer(true);
      const { game: after } = this.call(`decline ${game.turn}`);
      this.state.patch({ game: after!, note: { key: "local.declined" } });
    }
    const { choose } = this.core.call("choose", text);
    // With a clock at a person's pace; without one nobody need wait long.
    const pace = game.has_clock ? choose.pace : Math.min(choose.pace, 700);
    this.thought = window.setTimeout(
      () => {
        if (turn !== this.turn || !this.mayThinkerMove()) return;
        this.move(choose.move);
      },
      Math.max(0, pace - (Date.now() - began)),
    );
  }

  private mayThinkerMove(): boolean {
    const { game } = this.state.get();
    return !!game && !game.over && game.state === "running" && this.levelToMove() > 0;
  }

  private async askAboutDraw(side: Color): Promise<void> {
    const turn = this.turn;
    const lines = await this.find({ lines: 1, ms: 1000 });
    if (turn !== this.turn || this.now().offer === null) return;
    const { accepts } = this.core.call(`accepts ${side}`, lines.map(lineText).join("\n"));
    this.answer(accepts);
  }

  // The best move, as an arrow; counted in the file (L-024).
  async hint(): Promise<void> {
    if (!this.mayMove()) return;
    const turn = this.turn;
    this.state.patch({ thinking: true });
    const lines = await this.find({ lines: 1, ms: 1200 });
    if (turn !== this.turn) return;
    const best = lines[0];
    const uci = best?.pv[0];
    const game = this.now();
    const move = game.legal.find((m) => m.uci === uci);
    if (!best || !move) {
      this.state.patch({ thinking: false, note: { key: "local.no_hint" } });
      return;
    }
    const reason = await reasonOf(game.fen, uci!, best.pv);
    if (turn !== this.turn) return;
    const { game: after } = this.core.call("hint");
    this.state.patch({
      game: after!,
      thinking: false,
      saved: false,
      note: null,
      hint: { uci: move.uci, san: move.san, score: scoreText(best.score as Score), fen: game.fen, reason },
    });
    this.keep();
  }
}
