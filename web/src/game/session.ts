// SPDX-License-Identifier: GPL-3.0-or-later
//
// One open game: what the server says of it, and what the person in front of the board is about to
// do: looking back, setting up a move or a whole variation, sending, claiming. The page draws it.
import type { BoardCore, LegalMove, PlayedPly } from "../core/core";
import type { Key, Params } from "../i18n";
import { known } from "../i18n";
import { prefs } from "../app/prefs";
import { createStore } from "../app/store";
import { tab } from "../app/local";
import { api, ApiError } from "../net/api";
import { ask, follow, socketStatus, type Message } from "../net/socket";
import type {
  Color,
  FalseFlagMessage,
  Game,
  OfferMessage,
  PremoveMessage,
  TouchedMessage,
} from "../net/types";
import { Chat } from "./chat";
import { isLive, other } from "./clock";
import { fenAt, fold, isOver } from "./fold";

// Moves on the board that nobody has been told of, from the position after `base` plies.
export interface Line {
  base: number;
  plies: PlayedPly[];
  shown?: boolean; // by the page, not made by hand
}

export interface Sent {
  ply: number;
  uci: string;
  draw: boolean;
}

export interface Notice {
  bad: boolean;
  key: Key;
  params?: Params;
  article?: string; // of the Laws that a ruling goes by
}

export interface GameState {
  game: Game | null;
  refused: string | null; // the game cannot be shown: an error code
  viewed: number | null; // a ply being looked at; null: the game itself
  line: Line | null;
  sent: Sent | null; // a move on its way
  tick: boolean; // offer a draw with the next move
  claiming: boolean; // the next move set up belongs to a claim
  promotion: LegalMove[] | null; // four moves to choose from
  premove: string | null; // a move in advance, in UCI form
  asksFirst: boolean; // against the computer: each move is looked at before it is made (L-052)
  hint: string | null; // a move shown by an arrow (L-024)
  adjusting: boolean; // J'adoube is pressed: touches are meant to be free
  notice: Notice | null;
  reason: Notice | null; // why the last try on the board was not possible
  // Grows whenever the board must be drawn anew although nothing it shows has changed.
  redraw: number;
}

export type GameEvent =
  | { kind: "move"; ply: number; capture: boolean }
  | { kind: "offer"; by: Color }
  | { kind: "decline"; by: Color }
  | { kind: "claim_wrong"; by: Color; bonusMs: number; article: string | undefined }
  | { kind: "touch"; by: Color; act: TouchedMessage["act"]; square: string | null }
  | { kind: "false_flag"; by: Color; presses: number }
  | { kind: "start" }
  | { kind: "end" };

export class GameSession {
  readonly state = createStore<GameState>({
    game: null,
    refused: null,
    viewed: null,
    line: null,
    sent: null,
    tick: false,
    claiming: false,
    promotion: null,
    premove: null,
    asksFirst: false,
    hint: null,
    adjusting: false,
    notice: null,
    reason: null,
    redraw: 0,
  });
  readonly chat: Chat;
  onEvent: (event: GameEvent) => void = () => {};
  private readonly ends: (() => void)[] = [];
  private delivering: Sent | null = null;

  constructor(
    readonly id: string,
    readonly core: BoardCore,
    readonly nick: () => string | null,
  ) {
    this.state.patch({ tick: tab.get(`tick:${id}`) === "1" });
    this.chat = new Chat(
      id,
      () => this.side(),
      () => {
        const { game } = this.state.get();
        return game !== null && isOver(game);
      },
    );
    this.ends.push(
      follow(`game:${id}`, {
        message: (m) => this.receive(m),
        refused: (e) => this.state.patch({ refused: e.code }),
      }),
      socketStatus.subscribe(() => this.resendWhenBack()),
    );
  }

  // A game that has left the server's memory is followed by nobody: asked for anew.
  async reload(): Promise<void> {
    this.receive({ t: "game", d: { ...(await api.game(this.id)) } });
  }

  close(): void {
    this.chat.close();
    for (const end of this.ends) end();
  }

  // ---- what is so

  // My side; null for a spectator.
  side(game = this.state.get().game): Color | null {
    const nick = this.nick();
    if (!game || nick === null) return null;
    return game.white.nick === nick ? "white" : game.black.nick === nick ? "black" : null;
  }

  // Whether the moves of this game must be confirmed.
  confirms(game: Game): boolean {
    if (game.type === "computer") return this.state.get().claiming || this.state.get().asksFirst;
    return !isLive(game.control) || prefs.get().confirmLive || this.state.get().claiming;
  }

  // Whether own and foreign men may be moved freely to look ahead: in games by the day, and when
  // the game is over. Never in a running live game (analysing on another board, Article 11.3.1).
  mayTry(game: Game): boolean {
    if (game.type === "computer") return isOver(game);
    return isOver(game) || (this.side(game) !== null && !isLive(game.control));
  }

  // The position on the board: the game's, one looked back at, or the end of the line.
  shownFen(): string {
    const { game, line, sent, viewed } = this.state.get();
    if (!game) return "";
    const last = line?.plies[line.plies.length - 1];
    if (last) return last.fen;
    if (sent && viewed === null && sent.ply === game.ply) return this.core.move(game.fen, sent.uci).fen;
    return fenAt(game, viewed ?? game.ply);
  }

  // The one move that "Move!" would send, if the board shows the game and exactly one own move.
  ready(): PlayedPly | null {
    const { game, line } = this.state.get();
    if (!game || !line || line.plies.length !== 1 || line.base !== game.ply) return null;
    return game.state === "running" && game.turn === this.side(game) ? line.plies[0]! : null;
  }

  // The side whose men may be moved on the board as it stands; null: none.
  movable(): Color | "both" | null {
    const { game, line, sent, viewed } = this.state.get();
    if (!game || sent) return null;
    if (this.mayTry(game)) {
      // Looking back at a running game is only looking.
      return isOver(game) || viewed === null ? "both" : null;
    }
    const side = this.side(game);
    if (game.state !== "running" || viewed !== null || line || side !== game.turn) return null;
    return side;
  }

  // Legal moves of the shown position: only the announced one where a wrong claim binds the player
  // (Article 9.5.3), and those that what he has touched leaves him (Article 4).
  legal(): LegalMove[] {
    const { game, line, viewed } = this.state.get();
    if (!game) return [];
    const moves = this.core.describe(this.shownFen()).legal_moves;
    if (line || viewed !== null || game.turn !== this.side(game)) return moves;
    if (game.bound_move) return moves.filter((m) => m.uci === game.bound_move);
    const allowed = game.touched?.allowed;
    return allowed ? moves.filter((m) => allowed.includes(m.uci)) : moves;
  }

  // Whether a move may be made in advance now: in live games while the opponent thinks.
  mayPremove(): boolean {
    const { game, viewed, line, sent } = this.state.get();
    if (!game || viewed !== null || line) return false;
    const side = this.side(game);
    return (
      side !== null &&
      prefs.get().premove &&
      game.state === "running" &&
      isLive(game.control) &&
      !game.touch &&
      !this.confirms(game) &&
      (game.turn !== side || sent !== null)
    );
  }

  // ---- moving

  // A man was put from one square on another. altKey asks for the choice of a promotion in any case.
  attempt(from: string, to: string, altKey = false): void {
    const found = this.legal().filter((m) => m.uci.startsWith(from + to) || castlesOnRook(m, from, to));
    this.state.patch({ reason: null });
    if (found.length === 0) return this.snapBack();
    if (found.length === 1) return this.play(found[0]!.uci);
    const queen = found.find((m) => m.uci.endsWith("q"));
    if (queen && prefs.get().alwaysQueen && !altKey) return this.play(queen.uci);
    this.state.patch({ promotion: found });
  }

  // A man was put where it cannot go; it is back by itself, and a word why waits for the pointer.
  impossible(from: string): void {
    const { game } = this.state.get();
    if (!game) return;
    const { check } = this.core.describe(this.shownFen());
    const stuck = !this.legal().some((m) => m.uci.startsWith(from));
    const key = check ? "board.why_check" : stuck ? "board.why_stuck" : "board.why";
    this.state.patch({ reason: { bad: false, key, params: { square: from } } });
  }

  // A double tap on the square a move on the board has arrived at is "Move!".
  doubleTap(square: string): void {
    const move = this.ready();
    if (move && move.uci.slice(2, 4) === square && !this.state.get().claiming) this.confirm();
  }

  cancelPromotion(): void {
    this.state.patch({ promotion: null });
    this.snapBack();
  }

  // Plays a legal move of the shown position: on the board only, or to the server.
  play(uci: string): void {
    const state = this.state.get();
    const { game } = state;
    if (!game) return;
    this.state.patch({ promotion: null, notice: null });
    const onTop = state.line ?? { base: state.viewed ?? game.ply, plies: [] };
    if (this.mayTry(game) || this.confirms(game)) {
      const made = this.core.move(this.shownFen(), uci);
      this.state.patch({ line: { base: onTop.base, plies: [...onTop.plies, made] }, viewed: null });
      return;
    }
    this.send(uci);
  }

  // Queues a move in advance at the server, which makes it 0.1 s after the opponent's; null: none.
  setPremove(uci: string | null): void {
    const { game, premove, sent } = this.state.get();
    if (!game || (uci === null && premove === null)) return;
    this.state.patch({ premove: uci });
    const ply = (sent && sent.ply === game.ply ? game.ply + 1 : game.ply) + 1;
    ask("premove", { game: this.id, ply, ...(uci === null ? {} : { uci }) }).catch(() =>
      // The opponent has moved in the meantime, or the connection is down.
      this.state.patch({ premove: null, redraw: this.state.get().redraw + 1 }),
    );
  }

  // ---- touching (games with touch mode)

  touch(square: string): void {
    const { game, adjusting, line, viewed } = this.state.get();
    if (!game?.touch || game.state !== "running" || line || viewed !== null) return;
    if (game.turn !== this.side(game) || game.touched?.squares.includes(square)) return;
    if (adjusting && !game.touched?.adjusting) return; // not said yet
    const binds = !adjusting && game.touched?.adjusting === true;
    void this.act("touch", { ply: game.ply, square, ...(binds ? { binds } : {}) });
  }

  // "J'adoube": pressed, touches are free; pressed again, the next one is meant.
  adjust(): void {
    const { game, adjusting } = this.state.get();
    if (!game) return;
    this.state.patch({ adjusting: !adjusting });
    if (!adjusting && !game.touched?.adjusting) void this.act("adjust", { ply: game.ply });
  }

  // "Move!"
  confirm(): void {
    const move = this.ready();
    if (move) this.send(move.uci);
  }

  // "Back": one tried move less.
  back(): void {
    const { line } = this.state.get();
    if (!line) return this.toGame();
    const plies = line.plies.slice(0, -1);
    this.state.patch({ line: plies.length > 0 ? { ...line, plies } : null, promotion: null });
    const { game } = this.state.get();
    if (game && plies.length === 0 && isOver(game) && line.base !== game.ply)
      this.state.patch({ viewed: line.base });
  }

  // Puts the end of a line from the final position on the board; an empty one: the position itself.
  show(plies: PlayedPly[]): void {
    const { game } = this.state.get();
    if (!game) return;
    const line = plies.length > 0 ? { base: game.ply, plies, shown: true } : null;
    this.state.patch({ line, viewed: null, promotion: null });
  }

  toGame(): void {
    this.state.patch({ line: null, viewed: null, claiming: false, promotion: null });
    this.snapBack();
  }

  // Looks at the position after so many plies.
  view(ply: number): void {
    const { game } = this.state.get();
    if (!game) return;
    const at = Math.max(0, Math.min(ply, game.ply));
    this.state.patch({ viewed: at === game.ply ? null : at, line: null, promotion: null });
  }

  setTick(tick: boolean): void {
    this.state.patch({ tick });
    tab.set(`tick:${this.id}`, tick ? "1" : null);
  }

  setClaiming(claiming: boolean): void {
    this.state.patch({ claiming, line: null, viewed: null, notice: null });
    this.snapBack();
  }

  say(key: Key, params?: Params, article?: string, bad = false): void {
    this.state.patch({
      notice: { bad, key, ...(params ? { params } : {}), ...(article ? { article } : {}) },
    });
  }
  hush(): void {
    this.state.patch({ notice: null });
  }

  private snapBack(): void {
    this.state.patch({ redraw: this.state.get().redraw + 1 });
  }

  private send(uci: string): void {
    const { game, tick } = this.state.get();
    if (!game) return;
    const sent: Sent = { ply: game.ply, uci, draw: tick };
    this.state.patch({ sent, line: null, viewed: null, notice: null, claiming: false });
    void this.deliver(sent);
  }

  private async deliver(sent: Sent): Promise<void> {
    if (this.delivering === sent) return; // it waits for the first connection, or for the answer
    this.delivering = sent;
    try {
      await ask("move", {
        game: this.id,
        ply: sent.ply,
        uci: sent.uci,
        ...(sent.draw ? { draw: true } : {}),
      });
      this.settle(sent);
    } catch (error) {
      const { code } = error as ApiError;
      // Kept, and sent again by its ply once the connection is back.
      if (code === "unreachable" || this.state.get().sent !== sent) return;
      this.state.patch({ sent: null });
      this.snapBack();
      if (code === "stale_ply" && this.wasMade(sent)) return;
      if (sent.draw && OFFER_FAULTS.has(code)) this.withoutOffer(sent);
      this.fail(error as ApiError);
    } finally {
      if (this.delivering === sent) this.delivering = null;
    }
  }

  // The offer was refused, and the move with it: it stands on the board again, the tick is gone.
  private withoutOffer(sent: Sent): void {
    this.setTick(false);
    const { game } = this.state.get();
    if (!game || game.ply !== sent.ply || !this.confirms(game)) return;
    this.state.patch({ line: { base: game.ply, plies: [this.core.move(game.fen, sent.uci)] } });
  }

  // The server has the move; its own message puts it on the board, and brings it again if lost.
  private settle(sent: Sent): void {
    if (sent.draw) this.setTick(false);
    const { game } = this.state.get();
    if (game && game.ply > sent.ply && this.state.get().sent === sent) this.state.patch({ sent: null });
  }

  private wasMade(sent: Sent): boolean {
    return this.state.get().game?.moves[sent.ply]?.uci === sent.uci;
  }

  private resendWhenBack(): void {
    if (socketStatus.get() !== "open") return;
    // The answer to the new subscription comes first and may show that the move had arrived.
    window.setTimeout(() => {
      const { sent, game } = this.state.get();
      if (sent && game && socketStatus.get() === "open" && game.ply === sent.ply) void this.deliver(sent);
    }, 400);
  }

  // ---- the other acts of a player

  // The code of the refusal, or null.
  act(t: string, more: object = {}): Promise<string | null> {
    return ask(t, { game: this.id, ...more }).then(
      () => null,
      (error: ApiError) => {
        this.fail(error);
        return error.code;
      },
    );
  }

  async draw(act: "offer" | "accept" | "decline"): Promise<void> {
    const { game } = this.state.get();
    if (game) await this.act("draw", { ply: game.ply, act });
  }

  // Claims a draw (Articles 9.2, 9.3): with the move set up on the board, else as the board stands.
  async claim(): Promise<void> {
    const { game } = this.state.get();
    if (!game) return;
    const move = this.ready();
    const d = move
      ? { ply: game.ply, act: "claim_with", uci: move.uci }
      : { ply: game.ply, act: "claim" };
    this.state.patch({ claiming: false, line: null, viewed: null });
    await this.act("draw", d);
    this.snapBack();
  }

  private fail(error: ApiError): void {
    const key = `error.${error.code}`;
    this.say(known(key) ? key : "error.internal", { n: error.retryAfter ?? 0, ref: error.ref ?? "" }, error.article, true);
  }

  // ---- messages

  private receive(message: Message): void {
    if (this.chat.receive(message)) return;
    if (message.t === "premove") return this.premoved(message.d as unknown as PremoveMessage);
    const before = this.state.get();
    const game = fold(before.game, message);
    if (!game) return;
    const patch: Partial<GameState> = { game, refused: null };
    if (before.sent && game.ply > before.sent.ply) patch.sent = null;
    if (before.game && game.ply !== before.game.ply) Object.assign(patch, { adjusting: false, hint: null });
    if (message.t === "game") patch.premove = null; // the server tells of one that waits
    // A move set up for a position that is gone is of no use; a variation is kept until Back.
    if (before.line && before.game && game.ply !== before.game.ply && !this.mayTry(game)) patch.line = null;
    if (before.game && isOver(game) && !isOver(before.game)) {
      patch.sent = null;
      patch.claiming = false;
      patch.premove = null;
      patch.notice = null;
      if (before.line && before.line.base !== game.ply) patch.line = null;
    }
    this.state.patch(patch);
    if (message.t === "game") this.snapBack();
    this.tell(message, before.game, game);
  }

  private premoved(d: PremoveMessage): void {
    const { game, premove, redraw } = this.state.get();
    if (d.uci === premove) return;
    this.state.patch({ premove: d.uci, redraw: redraw + 1 });
    if (d.dropped && game) this.say("game.premove_dropped");
  }

  private tell(message: Message, before: Game | null, game: Game): void {
    if (!before) return;
    if (game.ply > before.ply) {
      const move = game.moves[game.ply - 1];
      this.onEvent({ kind: "move", ply: game.ply, capture: move?.san.includes("x") ?? false });
      if (move?.draw) this.onEvent({ kind: "offer", by: other(game.turn) });
    }
    if (message.t === "offer") {
      const d = message.d as unknown as OfferMessage;
      if (d.act === "claim_wrong")
        this.onEvent({ kind: "claim_wrong", by: d.by, bonusMs: d.bonus_ms ?? 0, article: d.article });
      else this.onEvent({ kind: d.act, by: d.by });
    }
    if (message.t === "touched") {
      const { by, act, square } = message.d as unknown as TouchedMessage;
      this.onEvent({ kind: "touch", by, act, square });
    }
    if (message.t === "false_flag") {
      const { by, presses } = message.d as unknown as FalseFlagMessage;
      this.onEvent({ kind: "false_flag", by, presses });
    }
    if (before.state === "scheduled" && game.state === "running") this.onEvent({ kind: "start" });
    if (!isOver(before) && isOver(game)) this.onEvent({ kind: "end" });
  }
}

// Why a draw may not be offered with a move now.
const OFFER_FAULTS = new Set(["offer_too_soon", "offer_stands", "draw_too_early", "draw_forbidden"]);

// Castling by putting the king on its own rook.
function castlesOnRook(move: LegalMove, from: string, to: string): boolean {
  if (!move.san.startsWith("O-O") || move.uci.slice(0, 2) !== from) return false;
  const long = move.san.startsWith("O-O-O");
  return to === (long ? "a" : "h") + from[1]!;
}
