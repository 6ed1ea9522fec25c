// SPDX-License-Identifier: GPL-3.0-or-later
//
// Beside the board: what is asked and said, the acts of the game, its files, how it is shown, the
// manual, the engine's log.
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { NOTATIONS, prefs, type Notation } from "../app/prefs";
import { local } from "../app/local";
import { navigate } from "../app/router";
import { createStore, useStore } from "../app/store";
import { pgnWords } from "../analysis/faults";
import { linkOf } from "../analysis/share";
import { editionYear, outcomeText, reasonText, resultText } from "../game/words";
import { other } from "../game/clock";
import { number, t } from "../i18n";
import type { Game, Result } from "../net/types";
import { Dialog } from "../ui/dialog";
import { Check } from "../ui/field";
import type { LocalGame, Problem } from "./core";
import { FOREGROUNDS, PROMOTIONS, localPrefs, type LocalPrefs } from "./prefs";
import { nameOf } from "./strip";
import { log, type Note, type Table } from "./table";

export const problemText = (problem: Problem): string =>
  t("local.line", { n: problem.line, why: pgnWords(problem) });
export const noteText = ({ key, params, problem }: Note): string =>
  [t(key, params), problem ? problemText(problem) : ""].filter(Boolean).join(" ");

// ---- what is asked and said -----------------------------------------------------------------------

export function Prompts({ table, hint }: { table: Table; hint: string | null }): JSX.Element {
  const state = useStore(table.state);
  const game = state.game!;
  const last = game.moves.length;
  const yesNo = (yes: JSX.Element[]): JSX.Element => <p class="buttons">{yes}</p>;
  const cancel = (
    <button key="no" class="plain" data-testid="ask-no" onClick={() => table.ask(null)}>
      {t("common.cancel")}
    </button>
  );
  return (
    <div class="prompt-area" aria-live="polite">
      {game.over && <End game={game} table={table} />}
      {state.asking === "resign" && (
        <div class="prompt asking">
          <p>{t("local.ask_resign", { name: nameOf(game, table.actor()) })}</p>
          {yesNo([
            <button key="yes" class="danger" data-testid="resign-yes" onClick={() => table.resign()}>
              {t("local.resign")}
            </button>,
            cancel,
          ])}
        </div>
      )}
      {state.asking === "claim" && (
        <div class="prompt asking">
          <p>{t("local.ask_claim", { n: game.repetitions, m: game.quiet_moves })}</p>
          {yesNo([
            <button key="now" data-testid="claim-now" onClick={() => table.claim()}>
              {t("local.claim_now")}
            </button>,
            <button key="move" data-testid="claim-move" onClick={() => table.claimWithMove()}>
              {t("local.claim_with")}
            </button>,
            cancel,
          ])}
        </div>
      )}
      {!game.over && game.offer && game[other(game.offer)].level === 0 && (
        <div class="prompt asking" data-testid="draw-offered">
          <p>{t("local.offered_by", { name: nameOf(game, game.offer) })}</p>
          {yesNo([
            <button key="yes" data-testid="accept-draw" onClick={() => table.answer(true)}>
              {t("local.accept")}
            </button>,
            <button key="no" class="plain" data-testid="decline-draw" onClick={() => table.answer(false)}>
              {t("local.decline")}
            </button>,
          ])}
        </div>
      )}
      {!game.over && state.shown < last && (
        <div class="prompt" data-testid="leafing">
          <p>{t("local.leafing", { n: state.shown, m: last })}</p>
          {yesNo([
            <button key="on" data-testid="continue-here" onClick={() => table.continueHere()}>
              {t("local.continue_here")}
            </button>,
            <button key="back" class="plain" data-testid="to-game" onClick={() => table.view(last)}>
              {t("replay.to_game")}
            </button>,
          ])}
        </div>
      )}
      {game.bound && (
        <p class="prompt">{t("local.bound", { move: game.legal.find((m) => m.uci === game.bound)?.san ?? game.bound })}</p>
      )}
      {hint && (
        <p class="prompt" data-testid="hint-text">
          {hint}
        </p>
      )}
      {state.note && (
        <p class={state.note.bad ? "prompt error" : "prompt"} data-testid="note">
          {noteText(state.note)}
        </p>
      )}
      {state.engine === "failed" && (game.white.level > 0 || game.black.level > 0) && (
        <p class="prompt error" data-testid="engine-failed">
          {t("local.engine_failed")}
        </p>
      )}
    </div>
  );
}

function End({ game, table }: { game: LocalGame; table: Table }): JSX.Element {
  const [link, setLink] = useState<string | null>(null);
  if (link === null) void linkOf(table.pgn()).then(setLink, () => setLink(""));
  return (
    <section class="end" data-testid="game-result" data-result={game.result} data-reason={game.reason}>
      <h2>
        <span class="end-score">{resultText(game.result as Result)}</span> {outcomeText(game as unknown as Game)}
      </h2>
      <p>{reasonText(game.reason)}.</p>
      {game.article && (
        <p class="quiet small">{t("game.article", { article: game.article, year: editionYear(game.edition) })}</p>
      )}
      {link && navigator.onLine && (
        <p class="buttons">
          <a class="button" href={link} data-testid="to-analysis">
            {t("game.analysis_board")}
          </a>
        </p>
      )}
    </section>
  );
}

// ---- acts -----------------------------------------------------------------------------------------

export function Actions({ table, onNew }: { table: Table; onNew: () => void }): JSX.Element {
  const state = useStore(table.state);
  const game = state.game!;
  const running = !game.over && game.state === "running";
  const person = game.white.level === 0 || game.black.level === 0;
  const mine = running && person;
  const act = (testid: string, label: string, enabled: boolean, onClick: () => void): JSX.Element => (
    <button class="plain" data-testid={testid} disabled={!enabled} onClick={onClick}>
      {label}
    </button>
  );
  // Where a flag falls only when it is claimed (rapid and blitz of old editions).
  const flagDown = running && game.has_clock && (game.clock.white === 0 || game.clock.black === 0);
  return (
    <div class="actions action-area local-actions">
      {act("new-game", t("local.new"), true, onNew)}
      {act("undo", t("local.undo"), mine && game.moves.length > 0 && !(game.no_undo && game.has_clock), () => table.undo())}
      {act("hint", t("local.hint"), table.mayMove() && !state.thinking, () => void table.hint())}
      {act("offer-draw", t("local.offer"), mine && game.offer === null, () => table.offer())}
      {act("claim-draw", t("local.claim"), mine && table.levelToMove() === 0, () => table.ask("claim"))}
      {flagDown && act("flag", t("local.flag"), true, () => table.flag())}
      {game.state === "stopped" && state.shown === game.moves.length
        ? act("resume", t("local.resume"), true, () => table.resume())
        : act("pause", t("local.pause"), running, () => table.pause())}
      {act("resign", t("local.resign"), mine, () => table.ask("resign"))}
    </div>
  );
}

// ---- files ----------------------------------------------------------------------------------------

interface Picker {
  showSaveFilePicker?: (options: object) => Promise<{
    name: string;
    createWritable(): Promise<{ write(text: string): Promise<void>; close(): Promise<void> }>;
  }>;
}
type Handle = Awaited<ReturnType<NonNullable<Picker["showSaveFilePicker"]>>>;

export class Files {
  private handle: Handle | null = null;
  // A file with several games, from which another may be opened.
  readonly many = createStore<{ pgn: string; count: number } | null>(null);

  constructor(private readonly table: Table) {}

  private fileName(): string {
    const { game } = this.table.state.get();
    const day = new Date(game?.begun ?? Date.now()).toISOString().slice(0, 10);
    return `${(this.table.name || "jadoube").replace(/[^\p{L}\p{N} _-]/gu, "")}-${day}.pgn`;
  }

  forget(): void {
    this.handle = null;
    this.many.set(null);
  }

  async open(file: File | undefined): Promise<void> {
    if (!file) return;
    if (file.size > 1_000_000) return this.table.say({ key: "local.too_large", bad: true });
    const pgn = await file.text();
    const count = this.table.open(pgn);
    if (count === 0) return;
    this.forget();
    if (count > 1) this.many.set({ pgn, count });
  }

  // Where the browser lets us write to a file we do, and it remembers the folder; elsewhere the file
  // goes where downloads go.
  async save(anew: boolean): Promise<void> {
    const pgn = this.table.pgn();
    const picker = (window as unknown as Picker).showSaveFilePicker;
    try {
      if (picker) {
        if (anew || !this.handle)
          this.handle = await picker({
            id: "jadoube-games",
            suggestedName: this.fileName(),
            types: [{ description: "PGN", accept: { "application/x-chess-pgn": [".pgn"] } }],
          });
        const file = await this.handle.createWritable();
        await file.write(pgn);
        await file.close();
      } else download(pgn, this.fileName());
      this.table.saved();
    } catch (e) {
      if ((e as Error).name === "AbortError") return;
      // No right to write there: the game is kept, and comes as a download.
      const name = this.handle?.name ?? "";
      this.handle = null;
      this.table.say({ key: "local.not_saved", params: { name, why: (e as Error).message }, bad: true });
    }
  }
}

function download(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Names of the games of a text, for a list to choose from: a look at the tags is enough here.
const namesIn = (pgn: string): string[] => {
  const whites = [...pgn.matchAll(/^\[White "([^"]*)"\]/gm)].map((m) => m[1]!);
  const blacks = [...pgn.matchAll(/^\[Black "([^"]*)"\]/gm)].map((m) => m[1]!);
  return whites.map((white, i) => `${white} – ${blacks[i] ?? "?"}`);
};

export function FileRow({ table, files, pick }: { table: Table; files: Files; pick: { current: (() => void) | null } }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const many = useStore(files.many);
  pick.current = () => input.current?.click();
  const names = many ? namesIn(many.pgn) : [];
  const { game } = table.state.get();
  return (
    <div class="local-files">
      <p class="buttons">
        {game && (
          <>
            <button data-testid="save" onClick={() => void files.save(false)}>
              {t("local.save")}
            </button>
            <button class="plain" data-testid="save-as" onClick={() => void files.save(true)}>
              {t("local.save_as")}
            </button>
          </>
        )}
        <button class="plain" data-testid="open" onClick={() => input.current?.click()}>
          {t("local.open")}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".pgn,text/plain,application/x-chess-pgn"
          data-testid="open-file"
          onChange={(e) => {
            void files.open(e.currentTarget.files?.[0]);
            e.currentTarget.value = "";
          }}
        />
      </p>
      {many && (
        <label class="field">
          <span>{t("local.games_in_file", { n: many.count })}</span>
          <select data-testid="which-game" onChange={(e) => table.open(many.pgn, Number(e.currentTarget.value))}>
            {Array.from({ length: many.count }, (_, i) => (
              <option key={i} value={i + 1}>
                {number(i + 1)}. {names[i] ?? ""}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

// ---- how it is shown ------------------------------------------------------------------------------

export function ViewSettings(): JSX.Element {
  const mine = useStore(localPrefs);
  const { notation, coordinates } = useStore(prefs);
  const choice = <T extends string>(name: string, label: string, values: readonly T[], value: T, text: (v: T) => string, set: (v: T) => void): JSX.Element => (
    <label class="field">
      <span>{label}</span>
      <select value={value} data-testid={name} onChange={(e) => set(e.currentTarget.value as T)}>
        {values.map((v) => (
          <option key={v} value={v}>
            {text(v)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <details class="local-view">
      <summary>{t("local.view")}</summary>
      {choice("local-notation", t("prefs.notation"), NOTATIONS, notation, (v: Notation) => t(`notation.${v}`), (v) => prefs.patch({ notation: v }))}
      {choice("local-promotion", t("local.promotion"), PROMOTIONS, mine.promotion, (v) => t(`local.promotion.${v}`), (v: LocalPrefs["promotion"]) =>
        localPrefs.patch({ promotion: v }),
      )}
      {choice("local-foreground", t("local.foreground"), FOREGROUNDS, mine.foreground, (v) => t(`local.foreground.${v}`), (v: LocalPrefs["foreground"]) =>
        localPrefs.patch({ foreground: v }),
      )}
      <Check name="local-dots" checked={mine.dots} onChecked={(dots) => localPrefs.patch({ dots })}>
        {t("local.dots")}
      </Check>
      <Check name="local-coordinates" checked={coordinates} onChecked={(v) => prefs.patch({ coordinates: v })}>
        {t("prefs.coordinates")}
      </Check>
      {document.fullscreenEnabled && (
        <p>
          <button
            data-testid="full-screen"
            onClick={() => void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen())}
          >
            {t("local.full_screen")}
          </button>
        </p>
      )}
    </details>
  );
}

// ---- the site, the manual, the log ----------------------------------------------------------------

// The site's own form for a new game, filled in with the time of this one (L-031).
function playOnSite(game: LocalGame | null): void {
  const player = game?.white;
  if (player && game.has_clock && player.move_ms === 0) {
    const minutes = Math.min(180, player.base_ms / 60_000);
    const extra = player.delay_ms > 0 ? "delay" : "increment";
    let before: object = {};
    try {
      before = JSON.parse(local.get("game") ?? "{}") as object;
    } catch {
      // The form begins anew.
    }
    local.set(
      "game",
      JSON.stringify({
        ...before,
        type: "blitz",
        preset: { ...((before as { preset?: object }).preset ?? {}), blitz: "own" },
        base: String(minutes),
        increment: String((player.delay_ms || player.increment_ms) / 1000),
        extra,
        split: false,
      }),
    );
  }
  navigate("/");
}

export function SiteButton({ game, online }: { game: LocalGame | null; online: boolean }): JSX.Element {
  return (
    <button
      class="plain"
      data-testid="play-on-site"
      disabled={!online}
      title={online ? undefined : t("local.site_offline")}
      onClick={() => playOnSite(game)}
    >
      {t("local.site")}
    </button>
  );
}

export const HELP_SECTIONS = ["play", "pieces", "pawn", "castling", "clock", "draws", "computer", "files", "settings", "offline", "keys"] as const;

export function Help({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title={t("local.help")} onClose={onClose} testid="local-help">
      <div class="local-help" tabIndex={0} role="region" aria-label={t("local.help")}>
        {HELP_SECTIONS.map((section) => (
          <section key={section}>
            <h3>{t(`local.help.${section}.title`)}</h3>
            <p>{t(`local.help.${section}`)}</p>
          </section>
        ))}
      </div>
      <p class="buttons">
        <button class="primary" onClick={onClose}>
          {t("common.close")}
        </button>
      </p>
    </Dialog>
  );
}

export function LogWindow(): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <details class="local-log" onToggle={(e) => setOpen(e.currentTarget.open)} data-testid="log">
      <summary>{t("local.log")}</summary>
      {open && <LogLines />}
    </details>
  );
}
function LogLines(): JSX.Element {
  const lines = useStore(log);
  return (
    <pre tabIndex={0} aria-label={t("local.log")} data-testid="log-lines">
      {lines.length > 0 ? lines.join("\n") : t("local.log_empty")}
    </pre>
  );
}
