// SPDX-License-Identifier: GPL-3.0-or-later
//
// The analysis board: a free board with variations, comments, FEN and PGN, the engine on the
// reader's own machine, and who can still mate. /analysis, ?fen=, ?game=, or a link with the game in
// itself.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { DeadPanel } from "../analysis/dead_panel";
import { EnginePanel } from "../analysis/engine_panel";
import { fenWords } from "../analysis/faults";
import { mayAnalyse } from "../analysis/fair_play";
import { MovesTree, NAG_SIGNS } from "../analysis/moves_tree";
import { Setup } from "../analysis/setup";
import { pgnOfHash } from "../analysis/share";
import { Study } from "../analysis/study";
import { TakeAlong } from "../analysis/take_along";
import { fullMoves, inMainLine, ownWords, withWords } from "../analysis/tree";
import { prefs } from "../app/prefs";
import { place } from "../app/router";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { Board } from "../board/board";
import { PromotionPicker } from "../board/promotion";
import { CoreError } from "../core/core";
import { loadCore } from "../core/load";
import { loadStudy } from "../core/study";
import { speakMove } from "../game/speech";
import { MoveInput } from "../game/tools";
import { lettersOf, moveWriter } from "../game/write";
import { language, t } from "../i18n";
import { api, pgnUrl } from "../net/api";
import { ReportPanel } from "../report/panel";
import { SettingsButton } from "../settings/open";
import { ExplainPanel } from "../tutor/explain_panel";
import { Icon, type IconName } from "../ui/icons";
import { say } from "../ui/say";

type Opened = { study: Study } | { failed: string };

// Whatever the address asks for; a running game is refused.
async function openStudy(query: URLSearchParams, hash: string): Promise<Opened> {
  const [core, pgn] = await Promise.all([loadCore(), loadStudy()]);
  const study = new Study(core, pgn);
  const fen = query.get("fen");
  const game = query.get("game");
  const shared = await pgnOfHash(hash);
  try {
    if (game) {
      const found = await api.game(game);
      if (!mayAnalyse(found)) return { failed: t("analysis.running") };
      const response = await fetch(pgnUrl(game));
      study.openPgn(await response.text());
      if (found.black.nick !== null && found.black.nick === me.get()?.nick) study.flip();
      study.last();
    } else if (shared) study.openPgn(shared);
    else if (fen) study.openFen(fen.replace(/_/g, " "));
  } catch (e) {
    if (game) return { failed: t("not_found.game") };
    if (e instanceof CoreError && e.fault.code === "bad_fen") return { failed: t("analysis.bad_fen", { why: fenWords(e.fault) }) };
    return { failed: t("analysis.bad_link", { why: e instanceof CoreError ? e.fault.message : "" }) };
  }
  return { study };
}

export function AnalysisPage(): JSX.Element {
  const { query } = useStore(place);
  const [opened, setOpened] = useState<Opened | null>(null);
  const asked = `${query.get("fen") ?? ""}|${query.get("game") ?? ""}`;
  useEffect(() => setTitle(t("analysis.title")), []);
  useEffect(() => {
    let current = true;
    setOpened(null);
    openStudy(query, location.hash).then(
      (found) => current && setOpened(found),
      () => current && setOpened({ failed: t("game.core_failed") }),
    );
    return () => {
      current = false;
    };
  }, [asked]);
  if (!opened) return <p class="loading">{t("common.loading")}</p>;
  if ("failed" in opened)
    return (
      <div class="sheet" data-testid="analysis-refused">
        <h1>{t("analysis.title")}</h1>
        <p class="error">{opened.failed}</p>
        <p>
          <a href="/analysis">{t("analysis.empty_board")}</a>
        </p>
      </div>
    );
  return <Desk study={opened.study} report={query.get("report") === "1"} game={query.get("game")} />;
}

// Nobody waits here: no moves in advance, nothing touched is bound, arrows and marks are one's own.
const nothing = (): void => {};
const FREE = {
  premovable: null,
  premove: null,
  reason: "",
  onPremove: nothing,
  onTouch: nothing,
  onImpossible: nothing,
  onDoubleTap: nothing,
  onQuery: () => false,
};

const NO_ARROWS: readonly string[] = [];

const MOVE_NAGS = [1, 2, 3, 4, 5, 6] as const;
const PLACE_NAGS = [10, 13, 14, 15, 16, 17, 18, 19] as const;

function Desk({ study, report, game }: { study: Study; report: boolean; game: string | null }): JSX.Element {
  const state = useStore(study.state);
  const settings = useStore(prefs);
  const lang = useStore(language);
  const [setting, setSetting] = useState(false);
  const [arrow, setArrow] = useState<string | null>(null);
  const { at, orientation } = state;
  const position = study.position();
  const write = moveWriter(settings.notation, lang);
  const turn = position.side_to_move;
  const legal = position.legal_moves;
  const lastMove = useMemo(() => (at.uci ? ([at.uci.slice(0, 2), at.uci.slice(2, 4)] as const) : null), [at]);
  useKeys(study);
  useEffect(() => {
    if (at.san) say(speakMove(at.san));
  }, [at]);

  const sign = (icon: IconName, label: string, testid: string, disabled: boolean, act: () => void): JSX.Element => (
    <button class="plain sign" aria-label={label} title={label} data-testid={testid} disabled={disabled} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="study">
      <h1 class="unseen">{t("analysis.title")}</h1>
      <div class="study-board">
        {setting ? (
          <Setup
            fen={at.fen}
            orientation={orientation}
            done={t("analysis.setup_done")}
            faultText={(e) => fenWords(e.fault)}
            onFen={(fen) => {
              study.openFen(fen);
              setSetting(false);
            }}
            onCancel={() => setSetting(false)}
          />
        ) : (
          <>
            <div class="board-area">
              <Board
                fen={at.fen}
                orientation={orientation}
                turn={turn}
                lastMove={lastMove}
                check={position.check ? turn : null}
                movable={turn}
                legal={legal}
                redraw={state.changed}
                coordinates={settings.coordinates}
                animation={settings.animation}
                dots={settings.dots}
                label={t("board.label")}
                {...FREE}
                arrows={arrow ? [arrow] : NO_ARROWS}
                onMove={(from, to, alt) => study.attempt(from, to, alt)}
              />
              {state.promotion && (
                <PromotionPicker
                  moves={state.promotion}
                  color={turn}
                  orientation={orientation}
                  onChoose={(uci) => study.play(uci)}
                  onCancel={() => study.cancelPromotion()}
                />
              )}
            </div>
            <p id="board-keys" class="unseen">
              {t("keys.board")} {t("analysis.keys")}
            </p>
            <div class="walk">
              {sign("first", t("replay.first"), "first", !at.parent, () => study.first())}
              {sign("prev", t("replay.prev"), "prev", !at.parent, () => study.back())}
              {sign("next", t("replay.next"), "next", !at.children[0], () => study.forward())}
              {sign("last", t("replay.last"), "last", !at.children[0], () => study.last())}
              <span class="gap" />
              {sign("flip", t("game.flip"), "flip", false, () => study.flip())}
              <SettingsButton />
              <button class="plain" data-testid="setup-open" onClick={() => setSetting(true)}>
                {t("analysis.setup")}
              </button>
              <button class="plain" data-testid="new-study" onClick={() => study.openFen(NEW)}>
                {t("analysis.new")}
              </button>
            </div>
          </>
        )}
      </div>
      <div class="study-moves">
        <h2>
          {t("game.moves")} <span class="quiet small">{fullMoves(state.tree) > 0 && t("analysis.moves_count", { n: fullMoves(state.tree) })}</span>
        </h2>
        <MovesTree root={state.tree.root} at={at} write={write} onGo={(node) => study.go(node)} />
        <MoveInput
          letters={lettersOf(settings.notation, lang)}
          legal={() => study.position().legal_moves}
          enabled={!setting}
          label={t("typed.label")}
          onMove={(uci) => study.play(uci)}
        />
        <Annotate study={study} />
      </div>
      <div class="study-tools">
        {report && <ReportPanel study={study} write={write} game={game} auto />}
        <ExplainPanel study={study} write={write} onArrow={setArrow} />
        <EnginePanel study={study} write={write} />
        {!report && <ReportPanel study={study} write={write} game={game} auto={false} />}
        <DeadPanel study={study} />
        <TakeAlong study={study} onMessage={say} />
      </div>
    </div>
  );
}

const NEW = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// What can be said of the move one stands at, and where it belongs.
function Annotate({ study }: { study: Study }): JSX.Element {
  const { at } = useStore(study.state);
  const nags = (list: readonly number[], label: string): JSX.Element => (
    <span class="nags" role="group" aria-label={label}>
      {list.map((n) => (
        <button
          key={n}
          class="plain sign"
          aria-pressed={at.nags.includes(n)}
          aria-label={t(`analysis.nag.${n}` as "analysis.nag.1")}
          title={t(`analysis.nag.${n}` as "analysis.nag.1")}
          data-testid={`nag-${n}`}
          disabled={!at.parent}
          onClick={() => study.nag(n, list)}
        >
          {NAG_SIGNS[n]}
        </button>
      ))}
    </span>
  );
  return (
    <div class="annotate">
      <p class="nag-row">
        {nags(MOVE_NAGS, t("analysis.nags_move"))}
        {nags(PLACE_NAGS, t("analysis.nags_position"))}
      </p>
      <p class="field">
        <label for="comment">{t("analysis.comment")}</label>
        <textarea
          id="comment"
          rows={2}
          maxLength={4000}
          value={ownWords(at.comment)}
          onInput={(e) => study.comment(withWords(at.comment, e.currentTarget.value))}
        />
      </p>
      <p class="buttons">
        <button data-testid="promote" disabled={!at.parent || inMainLine(at)} onClick={() => study.promote()}>
          {t("analysis.promote")}
        </button>
        <button data-testid="delete-move" disabled={!at.parent} onClick={() => study.remove()}>
          {t("analysis.delete")}
        </button>
      </p>
    </div>
  );
}

// Left and right walk, up and down choose among variations; fields and dialogs keep their keys.
function useKeys(study: Study): void {
  useEffect(() => {
    const acts: Record<string, () => void> = {
      ArrowLeft: () => study.back(),
      ArrowRight: () => study.forward(),
      ArrowUp: () => study.sibling(-1),
      ArrowDown: () => study.sibling(1),
      Home: () => study.first(),
      End: () => study.last(),
      f: () => study.flip(),
    };
    const onKey = (e: KeyboardEvent): void => {
      if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || e.defaultPrevented) return;
      if ((e.target as Element).closest?.("input, select, textarea, dialog, [role=grid], [role=dialog], nav")) return;
      const act = acts[e.key];
      if (!act) return;
      act();
      e.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [study]);
}
