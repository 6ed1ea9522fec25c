// SPDX-License-Identifier: GPL-3.0-or-later
//
// The board page: a game as it runs, and as it is replayed.
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { myGames, waiting } from "../app/mygames";
import { prefs } from "../app/prefs";
import { me } from "../app/session";
import { loadExtras } from "../app/sheet";
import { createStore, useStore } from "../app/store";
import { blinkTitle, setTitle } from "../app/title";
import { Board } from "../board/board";
import { PromotionPicker } from "../board/promotion";
import type { BoardCore } from "../core/core";
import { boardNow, loadBoard } from "../core/load";
import { Actions } from "../game/actions";
import { Captured } from "../game/captured";
import { ChatPanel } from "../game/chat_panel";
import { other, isLive } from "../game/clock";
import { EndPanel } from "../game/end_panel";
import { INITIAL, isOver } from "../game/fold";
import { Moves } from "../game/moves";
import { Prompts } from "../game/prompts";
import { GameSession, type GameEvent } from "../game/session";
import * as sound from "../game/sound";
import { answer, speakPly, squareName } from "../game/speech";
import { useLowTime } from "../game/low_time";
import { useArrowKeys } from "../game/arrow_keys";
import { PlayerStrip } from "../game/strip";
import { MoveInput, TakeAlong, Walk } from "../game/tools";
import { editionYear, outcomeText, reasonText } from "../game/words";
import { lettersOf, moveWriter } from "../game/write";
import { useZone } from "../game/zone";
import { language, t } from "../i18n";
import { gameControlText, kindText } from "../lobby/controls";
import { serverNow } from "../net/clock_offset";
import type { Color, Game } from "../net/types";
import { ArrangeBlocks, SettingsButton } from "../settings/open";
import { later } from "../ui/later";
import { say } from "../ui/say";
import { seatText } from "../ui/seat";
import { NotFoundPage } from "./not_found";

export function GamePage({ id }: { id: string }): JSX.Element {
  const [core, setCore] = useState<BoardCore | null>(boardNow);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!core) loadBoard().then(setCore, () => setFailed(true));
  }, []);
  if (failed) return <p class="sheet error">{t("game.core_failed")}</p>;
  return core ? <OpenGame id={id} core={core} /> : <p class="loading">{t("common.loading")}</p>;
}

// Against the computer alone (L-024).
const HintPanel = later(async () => {
  const [part] = await Promise.all([import("../tutor/hint_panel"), loadExtras()]);
  return part.HintPanel;
}, ["tutor", "hints"]);
const NO_ARROWS: readonly string[] = [];

const nobody = createStore(null);

function OpenGame({ id, core }: { id: string; core: BoardCore }): JSX.Element {
  const [session, setSession] = useState<GameSession | null>(null);
  // Before the first paint: the page may have brought the game along.
  useLayoutEffect(() => {
    const opened = new GameSession(id, core, () => me.get()?.nick ?? null);
    opened.onEvent = (event) => tellPlayer(opened, event);
    opened.chat.onLine = (line) => {
      sound.play("chat");
      say(`${line.nick ?? t("player.former")}: ${line.text}`);
    };
    setSession(opened);
    return () => opened.close();
  }, [id]);
  const state = useStore(session?.state ?? nobody);
  if (state?.refused) return <NotFoundPage what={t("not_found.game")} />;
  if (!session || !state?.game) return <p class="loading">{t("common.loading")}</p>;
  return <Table session={session} game={state.game} />;
}

// Sound, spoken words and the window's title for what has just happened.
function tellPlayer(session: GameSession, event: GameEvent): void {
  const { game } = session.state.get();
  if (!game) return;
  const side = session.side(game);
  switch (event.kind) {
    case "move": {
      const move = game.moves[event.ply - 1];
      if (!move) return;
      sound.play(game.check ? "check" : event.capture ? "capture" : "move");
      say(speakPly(game, event.ply));
      if (side === game.turn && !isOver(game)) blinkTitle(t("game.your_move"));
      return;
    }
    case "offer":
      if (side && event.by !== side) {
        sound.play("offer");
        say(t("game.offered"));
        blinkTitle(t("game.offered"));
      }
      return;
    case "decline":
      say(t("game.declined"));
      if (side && event.by !== side) session.say("game.declined");
      return;
    case "claim_wrong":
      session.say(event.bonusMs > 0 ? "game.claim_wrong" : "game.claim_wrong_free", {
        n: Math.round(event.bonusMs / 60_000),
      }, event.article);
      return;
    case "touch": {
      if (event.by === side) return;
      const name = t(`color.${event.by}`);
      if (event.act === "adjust") say(t("touch.said_adjust", { color: name }));
      else if (event.act === "claim") session.say("touch.said_claim", { square: event.square ?? "" });
      else say(t("touch.said", { color: name, square: event.square ? squareName(event.square) : "" }));
      return;
    }
    case "false_flag":
      session.say("game.false_flags", { color: t(`color.${event.by}`), n: event.presses });
      return;
    case "start":
      sound.play("start");
      return;
    case "end": {
      sound.play("end");
      say(`${outcomeText(game)}. ${game.reason ? reasonText(game.reason) : ""}`);
      blinkTitle(outcomeText(game));
      return;
    }
  }
}

function Table({ session, game }: { session: GameSession; game: Game }): JSX.Element {
  const state = useStore(session.state);
  const settings = useStore(prefs);
  const lang = useStore(language);
  useStore(me);
  const [flipped, setFlipped] = useState(false);
  const [arranging, setArranging] = useState(false);
  const side = session.side(game);
  const over = isOver(game);
  const zone = useZone(side !== null);
  const home: Color = side ?? "white";
  const bottom = flipped ? other(home) : home;

  const fen = session.shownFen();
  const position = session.core.describe(fen);
  const movable = session.movable();
  const legal = useMemo(() => session.legal(), [fen, movable, game.bound_move, game.touched]);
  const premovable = session.mayPremove() ? side : null;
  const shown = state.line ? state.line.base : (state.viewed ?? game.ply);
  const write = moveWriter(settings.notation, lang);

  // The moves that led to the shown position, the tried ones included.
  const played = [...game.moves.slice(0, shown), ...(state.line?.plies ?? [])];
  const underWay = state.sent && !state.line && state.viewed === null ? state.sent.uci : null;
  const lastUci = underWay ?? played[played.length - 1]?.uci;
  const lastMove = lastUci ? ([lastUci.slice(0, 2), lastUci.slice(2, 4)] as const) : null;

  const title = gameTitle(game, side);
  useEffect(() => setTitle(title), [title]);
  useLowTime(game, side);
  useArrowKeys(shown, game.ply, (ply) => session.view(ply));

  const view = (ply: number): void => session.view(ply);
  return (
    <div
      class={`game ${over ? "over" : ""} ${side ? "playing" : "watching"} ${zone ? `laid-out form-${zone.form}` : ""} ${arranging ? "arranging" : ""}`}
      style={zone?.style}
      data-testid="zone"
    >
      <h1 class="unseen">{title}</h1>
      <div class="table-area">
        <div data-block="top">
          <PlayerStrip game={game} color={other(bottom)} own={side === other(bottom)} />
        </div>
        <div class="board-area" data-block="board">
          <Board
            fen={fen}
            orientation={bottom}
            turn={position.side_to_move}
            lastMove={lastMove}
            check={position.check ? position.side_to_move : null}
            movable={movable}
            legal={legal}
            redraw={state.redraw}
            coordinates={settings.coordinates}
            animation={settings.animation}
            dots={settings.dots}
            label={t("board.label")}
            premovable={premovable}
            premove={state.premove}
            arrows={state.hint && state.viewed === null && !state.sent ? [state.hint] : NO_ARROWS}
            reason={state.reason ? t(state.reason.key, state.reason.params) : ""}
            onMove={(from, to, alt) => session.attempt(from, to, alt)}
            onPremove={(uci) => session.setPremove(uci)}
            onTouch={(square) => session.touch(square)}
            onImpossible={(from) => session.impossible(from)}
            onDoubleTap={(square) => session.doubleTap(square)}
            onQuery={(key) => {
              const text = answer(key, game, fen, serverNow());
              if (text) say(text);
              return text !== null;
            }}
          />
          {state.promotion && (
            <PromotionPicker
              moves={state.promotion}
              color={position.side_to_move}
              orientation={bottom}
              onChoose={(uci) => session.play(uci)}
              onCancel={() => session.cancelPromotion()}
            />
          )}
        </div>
        <p id="board-keys" class="unseen">
          {t("keys.board")} {t("keys.ask")}
        </p>
        <div data-block="bottom">
          <PlayerStrip game={game} color={bottom} own={side === bottom} />
        </div>
        <div data-block="captured">
          <Captured startFen={game.start_fen} moves={played} bottom={bottom} />
        </div>
      </div>
      <div class="action-area" data-block="actions">
        {side && !over && <Actions session={session} state={state} game={game} side={side} write={write} />}
      </div>
      <div class="side-area">
      <div class="prompt-area" data-block="actions">
        {over && <EndPanel side={side} session={session} game={game} write={write} onReplay={() => session.view(0)} />}
        {side && !over && game.type === "computer" && (
          <HintPanel session={session} state={state} game={game} side={side} write={write} />
        )}
        <Prompts session={session} state={state} game={game} side={side} write={write} />
      </div>
      <div class="moves-area" data-block="moves">
        <h2>{t("game.moves")}</h2>
        <div class="moves-frame">
          <Moves game={game} shown={shown} write={write} onView={view} />
        </div>
        <Walk
          shown={shown}
          last={game.ply}
          onView={view}
          onFlip={() => setFlipped(!flipped)}
          analysis={`/game/${game.id}/analysis`}
          settings={side && <SettingsButton onLayout={() => setArranging(true)} />}
        />
      </div>
      <div class="chat-area" data-block="chat">
        {game.type !== "computer" && <ChatPanel chat={session.chat} game={game} side={side} />}
      </div>
      <div class="tool-area" data-block="notes">
        {(side || over) && (
          <MoveInput
            letters={lettersOf(settings.notation, lang)}
            legal={() => session.legal()}
            enabled={movable !== null}
            label={t(over || (movable === "both" && game.turn !== side) ? "typed.label_try" : "typed.label")}
            onMove={(uci) => session.play(uci)}
          />
        )}
        <TakeAlong game={game} fen={fen} />
        <NextGame game={game} side={side} />
      </div>
      <div class="info-area" data-block="info">
        <p data-testid="game-info">
          {kindText(game)}{" "}
          {game.type === "computer" && !isLive(game.control) ? "· " : ""}{gameControlText(game)} · {game.rated ? t("game.rated") : t("game.unrated")} ·{" "}
          <span data-testid="game-laws">
            {t("game.played_by", { year: editionYear(game.edition), pace: t(`pace.${game.pace}`) })}
          </span>
          {game.flag === "claim" && <> · {t("game.flag_claim")}</>}
          {game.touch && <> · {t("game.touch")}</>}
          {game.start_fen !== INITIAL && <> · {t("game.position")}</>}
          {game.spectators > 0 && (
            <span data-testid="spectators"> · {t("game.spectators", { n: game.spectators })}</span>
          )}
        </p>
      </div>
      </div>
      {arranging && <ArrangeBlocks onClose={() => setArranging(false)} />}
    </div>
  );
}

// "Next game waiting" (S-049): the way on when games wait for my move, the one with the least time
// first; after my move, with none left, to the main page.
function NextGame({ game, side }: { game: Game; side: Color | null }): JSX.Element | null {
  const next = waiting(useStore(myGames)).find((row) => row.id !== game.id);
  if (next)
    return (
      <p>
        <a class="button" href={`/game/${next.id}`} data-testid="next-game">
          {t("game.next_waiting")}
        </a>
      </p>
    );
  const moved = side !== null && !isOver(game) && game.turn !== side && !isLive(game.control);
  return moved ? (
    <p>
      <a class="button" href="/" data-testid="no-next-game">
        {t("game.none_waiting")}
      </a>
    </p>
  ) : null;
}

function gameTitle(game: Game, side: Color | null): string {
  const pair = `${seatText(game.white)} – ${seatText(game.black)}`;
  if (isOver(game)) return `${outcomeText(game)}: ${pair}`;
  if (side && game.state === "running")
    return `${game.turn === side ? t("game.your_move") : t("game.their_move")}: ${pair}`;
  return pair;
}
