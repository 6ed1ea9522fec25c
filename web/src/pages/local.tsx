// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game on this machine (L-001 to L-032): against the computer or by two at one board, with no
// network once the page has been loaded.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { prefs } from "../app/prefs";
import { startServiceWorker } from "../app/service_worker";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { Board } from "../board/board";
import { PromotionPicker } from "../board/promotion";
import { Captured } from "../game/captured";
import { other } from "../game/clock";
import { Moves } from "../game/moves";
import { answer, speakPly } from "../game/speech";
import { MoveInput, Walk } from "../game/tools";
import { outcomeText, reasonText } from "../game/words";
import { lettersOf, moveWriter } from "../game/write";
import { language, t } from "../i18n";
import { loadLocal, type LocalCore, type LocalGame } from "../local/core";
import { HintArrow, hintText } from "../local/hint";
import { NewGameForm } from "../local/new_game";
import { keepOffline, offlineReady } from "../local/offline";
import { OpeningChecklist } from "../local/opening";
import { localPrefs } from "../local/prefs";
import { Actions, FileRow, Files, Help, LogWindow, Prompts, SiteButton, ViewSettings, noteText } from "../local/side";
import { Strip, nameOf } from "../local/strip";
import { Table, clocksOf } from "../local/table";
import type { Color, Game } from "../net/types";
import { SettingsButton } from "../settings/open";
import { Dialog } from "../ui/dialog";
import { say } from "../ui/say";

// What the parts of the site's game page read of a game.
const asGame = (game: LocalGame): Game =>
  ({
    start_fen: game.start,
    moves: game.moves,
    ply: game.moves.length,
    turn: game.turn,
    check: game.check,
    offer: game.offer,
    state: game.over ? "ended" : "running",
    clocks: clocksOf(game),
    control: { kind: "clock", base_ms: 0, increment_ms: 0, delay_ms: 0 },
  }) as unknown as Game;

const nothing = (): void => {};

export function LocalPage(): JSX.Element {
  const [core, setCore] = useState<LocalCore | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => setTitle(t("local.title")), []);
  useEffect(() => {
    loadLocal().then(setCore, () => setFailed(true));
    void startServiceWorker().then(keepOffline);
  }, []);
  if (failed) return <p class="error">{t("game.core_failed")}</p>;
  return core ? <AtTable core={core} /> : <p class="loading">{t("common.loading")}</p>;
}

function AtTable({ core }: { core: LocalCore }): JSX.Element {
  const table = useMemo(() => new Table(core), [core]);
  const files = useMemo(() => new Files(table), [table]);
  const { game, lost, note } = useStore(table.state);
  const [asking, setAsking] = useState<"new" | "unfinished" | "help" | null>(null);
  const pick = useRef<(() => void) | null>(null);
  useEffect(() => () => table.close(), [table]);
  const anew = (): void => {
    const now = table.state.get();
    const unfinished = now.game && !now.game.over && now.game.moves.length > 0 && !now.saved;
    setAsking(unfinished ? "unfinished" : "new");
  };
  useShortcuts({
    n: anew,
    o: () => pick.current?.(),
    s: () => void (game && files.save(false)),
    z: () => game && table.undo(),
    q: () => history.back(),
    F1: () => setAsking("help"),
  });
  return (
    <>
      {lost && (
        <div class="prompt asking" data-testid="lost-game">
          <p>{t("local.lost", { n: lost.plies })}</p>
          <p class="buttons">
            <button class="primary" data-testid="recover" onClick={() => table.recover()}>
              {t("local.recover")}
            </button>
            <button class="plain" data-testid="forget" onClick={() => table.forget()}>
              {t("local.forget")}
            </button>
          </p>
        </div>
      )}
      {game ? (
        <Game_ table={table} files={files} pick={pick} onNew={anew} onHelp={() => setAsking("help")} />
      ) : (
        <div class="sheet computer">
          <h1>{t("local.title")}</h1>
          <p>{t("local.lead")}</p>
          <OfflineNote />
          <NewGameForm table={table} core={core} onBegun={() => files.forget()} />
          <FileRow table={table} files={files} pick={pick} />
          {note && (
            <p class={note.bad ? "prompt error" : "prompt"} role="alert" data-testid="note">
              {noteText(note)}
            </p>
          )}
          <p class="buttons">
            <button class="plain" onClick={() => setAsking("help")} data-testid="help">
              {t("local.help")}
            </button>
          </p>
        </div>
      )}
      {asking === "unfinished" && (
        <Dialog title={t("local.new")} onClose={() => setAsking(null)}>
          <p>{t("local.unfinished")}</p>
          <p class="buttons">
            <button
              class="primary"
              data-testid="unfinished-save"
              onClick={() => void files.save(false).then(() => table.state.get().saved && setAsking("new"))}
            >
              {t("local.save")}
            </button>
            <button data-testid="unfinished-discard" onClick={() => setAsking("new")}>
              {t("local.discard")}
            </button>
            <button class="plain" onClick={() => setAsking(null)}>
              {t("common.cancel")}
            </button>
          </p>
        </Dialog>
      )}
      {asking === "new" && (
        <Dialog title={t("local.new")} onClose={() => setAsking(null)} testid="new-dialog">
          <div class="computer">
            <NewGameForm
              table={table}
              core={core}
              onBegun={() => {
                files.forget();
                setAsking(null);
              }}
              onCancel={() => setAsking(null)}
            />
          </div>
        </Dialog>
      )}
      {asking === "help" && <Help onClose={() => setAsking(null)} />}
    </>
  );
}

function OfflineNote(): JSX.Element {
  const ready = useStore(offlineReady);
  return (
    <p class="quiet small" role="status" data-testid="offline-ready" data-ready={ready}>
      {ready ? t("local.offline_ready") : ""}
    </p>
  );
}

function bottomOf(game: LocalGame, wish: string, flipped: boolean): Color {
  const human: Color = game.white.level > 0 && game.black.level === 0 ? "black" : "white";
  const side = wish === "mover" ? game.turn : wish === "human" ? human : (wish as Color);
  return flipped ? other(side) : side;
}

interface TableProps {
  table: Table;
  files: Files;
  pick: { current: (() => void) | null };
  onNew: () => void;
  onHelp: () => void;
}

function Game_({ table, files, pick, onNew, onHelp }: TableProps): JSX.Element {
  const state = useStore(table.state);
  const settings = useStore(prefs);
  const mine = useStore(localPrefs);
  const lang = useStore(language);
  const online = useOnline();
  const game = state.game!;
  const last = game.moves.length;
  const { shown } = state;
  const latest = shown === last;
  const bottom = bottomOf(game, mine.foreground, state.flipped);
  const write = moveWriter(settings.notation, lang);
  const before = shown > 0 ? game.moves[shown - 1]! : null;
  const fen = before ? before.fen : game.start;
  const check = before ? /[+#]$/.test(before.san) : game.check;
  const turn: Color = fen.split(" ")[1] === "b" ? "black" : "white";
  const paused = game.state === "stopped" && latest && !game.over;
  const lastMove = useMemo(() => (before ? ([before.uci.slice(0, 2), before.uci.slice(2, 4)] as const) : null), [before?.uci, shown]);
  useViewKeys(table, shown, last);
  const spoken = useRef(last);
  useEffect(() => {
    if (last > spoken.current) say(speakPly(asGame(game), last));
    spoken.current = last;
    if (game.over) say(`${outcomeText(game as unknown as Game)}. ${reasonText(game.reason)}.`);
  }, [last, game.over]);

  return (
    <div class={`game local ${game.over ? "over" : ""}`}>
      <h1 class="unseen">{t("local.title")}</h1>
      <div class="table-area">
        <Strip game={game} color={other(bottom)} thinking={state.thinking} />
        <div class="board-area">
          {paused ? (
            <div class="board local-paused" data-testid="paused">
              <p>{t("local.paused")}</p>
              <button class="primary" data-testid="resume-big" onClick={() => table.resume()}>
                {t("local.resume")}
              </button>
            </div>
          ) : (
            <Board
              fen={fen}
              orientation={bottom}
              turn={turn}
              lastMove={lastMove}
              check={check ? turn : null}
              movable={table.mayMove() && latest ? turn : null}
              legal={latest ? game.legal : []}
              redraw={state.redraw}
              coordinates={settings.coordinates}
              animation={settings.animation}
              dots={mine.dots}
              label={t("board.label")}
              premovable={null}
              premove={null}
              reason=""
              onMove={(from, to, alt) => table.attempt(from, to, alt)}
              onPremove={nothing}
              onTouch={nothing}
              onImpossible={nothing}
              onDoubleTap={nothing}
              onQuery={(key) => {
                const words = answer(key, asGame(game), fen, Date.now());
                if (words !== null) say(words);
                return words !== null;
              }}
            />
          )}
          {state.hint && latest && state.hint.fen === fen && <HintArrow uci={state.hint.uci} orientation={bottom} />}
          {state.promotion && (
            <PromotionPicker
              moves={state.promotion}
              color={turn}
              orientation={bottom}
              onChoose={(uci) => table.move(uci)}
              onCancel={() => table.redraw()}
            />
          )}
        </div>
        <Strip game={game} color={bottom} thinking={state.thinking} />
        <Captured startFen={game.start} moves={game.moves} bottom={bottom} />
        <p id="board-keys" class="unseen">
          {t("keys.board")} {t("keys.ask")}
        </p>
      </div>
      <Actions table={table} onNew={onNew} />
      <div class="side-area">
        <Prompts table={table} hint={state.hint && latest ? hintText(state.hint, write) : null} />
        <div class="moves-area">
          <h2>{table.name || t("game.moves")}</h2>
          <div class="moves-frame">
            <Moves game={asGame(game)} shown={shown} write={write} onView={(ply) => table.view(ply)} plain />
          </div>
          <Walk shown={shown} last={last} onView={(ply) => table.view(ply)} onFlip={() => table.flip()} settings={<SettingsButton />} />
        </div>
        <div class="tool-area">
          <MoveInput
            letters={lettersOf(settings.notation, lang)}
            legal={() => table.state.get().game!.legal}
            enabled={table.mayMove()}
            label={t("typed.label")}
            onMove={(uci) => table.move(uci)}
          />
          <OpeningChecklist game={game} shown={shown} write={write} />
          <FileRow table={table} files={files} pick={pick} />
          <ViewSettings />
          <LogWindow />
          <p class="buttons">
            <button class="plain" data-testid="help" onClick={onHelp}>
              {t("local.help")}
            </button>
            <SiteButton game={game} online={online} />
          </p>
          <OfflineNote />
          <p class="quiet small">
            {t("local.players", { white: nameOf(game, "white"), black: nameOf(game, "black"), year: game.edition.slice(5) })}
            {game.hints > 0 && <> {t("local.hints_taken", { n: game.hints })}</>}
          </p>
        </div>
      </div>
    </div>
  );
}

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = (): void => setOnline(navigator.onLine);
    window.addEventListener("online", look);
    window.addEventListener("offline", look);
    return () => {
      window.removeEventListener("online", look);
      window.removeEventListener("offline", look);
    };
  }, []);
  return online;
}

const FIELDS = "input, select, textarea, dialog, [role=grid], [role=dialog], pre";

// With Ctrl, or with Alt where the browser keeps Ctrl+N and Ctrl+Q to itself (L-026). By the place of
// the key, so that they work on a Russian layout.
function useShortcuts(acts: Record<string, () => unknown>): void {
  const now = useRef(acts);
  now.current = acts;
  useEffect(() => {
    const onKey = (e: KeyboardEvent): void => {
      const withCtrl = (e.ctrlKey || e.metaKey || e.altKey) && !e.shiftKey;
      const name = e.key === "F1" ? "F1" : withCtrl && e.code.startsWith("Key") ? e.code.slice(3).toLowerCase() : "";
      const act = now.current[name];
      if (!act || e.defaultPrevented) return;
      // In a field Ctrl+Z is the field's own.
      if (name === "z" && (e.target as Element).closest?.("input, textarea")) return;
      e.preventDefault();
      if (!document.querySelector("dialog[open]")) act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

// Arrows leaf; a letter or a figure begins a move by its name.
function useViewKeys(table: Table, shown: number, last: number): void {
  const now = useRef({ shown, last });
  now.current = { shown, last };
  useEffect(() => {
    const onKey = (e: KeyboardEvent): void => {
      if (e.altKey || e.ctrlKey || e.metaKey || e.defaultPrevented) return;
      if ((e.target as Element).closest?.(FIELDS)) return;
      const at = now.current;
      const to = { ArrowLeft: at.shown - 1, ArrowRight: at.shown + 1, Home: 0, End: at.last }[e.key];
      if (to !== undefined) {
        table.view(to);
        e.preventDefault();
      } else if (/^[\p{L}0]$/u.test(e.key)) document.getElementById("move-input")?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [table]);
}
