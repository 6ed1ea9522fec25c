// SPDX-License-Identifier: GPL-3.0-or-later
//
// A whole game to look at, from its start (S-065): step by step, by itself, or by a click on any
// move; the board only shows. What can be done with the shown position beside that is the caller's
// (children).
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { prefs } from "../app/prefs";
import { useStore } from "../app/store";
import { Board } from "../board/board";
import type { BoardCore } from "../core/core";
import { language, t } from "../i18n";
import { pgnUrl } from "../net/api";
import { serverNow } from "../net/clock_offset";
import type { Color, Game } from "../net/types";
import { Icon, type IconName } from "../ui/icons";
import { say } from "../ui/say";
import { useArrowKeys } from "./arrow_keys";
import { Captured } from "./captured";
import { other } from "./clock";
import { fenAt, isOver } from "./fold";
import { Moves } from "./moves";
import { answer, speakPly } from "./speech";
import { PlayerStrip } from "./strip";
import { moveWriter } from "./write";

const STEP_MS = 1200;
const nothing = (): void => {};

interface ReplayProps {
  game: Game;
  core: BoardCore;
  home: Color; // the side at the bottom
  children?: (fen: string, ply: number) => ComponentChildren;
}

export function Replay({ game, core, home, children }: ReplayProps): JSX.Element {
  const settings = useStore(prefs);
  const lang = useStore(language);
  const [ply, setPly] = useState(isOver(game) ? 0 : game.ply);
  const [flipped, setFlipped] = useState(false);
  const [playing, setPlaying] = useState(false);
  const bottom = flipped ? other(home) : home;
  const fen = fenAt(game, ply);
  const position = core.describe(fen);
  const last = game.moves[ply - 1];

  const view = (to: number): void => {
    const at = Math.max(0, Math.min(to, game.ply));
    setPlaying(false);
    setPly(at);
    if (at > 0) say(speakPly(game, at));
  };
  useArrowKeys(ply, game.ply, view);
  useEffect(() => {
    if (!playing) return;
    if (ply >= game.ply) return setPlaying(false);
    const timer = window.setTimeout(() => setPly(ply + 1), STEP_MS);
    return () => window.clearTimeout(timer);
  }, [playing, ply]);

  const sign = (icon: IconName, label: string, testid: string, disabled: boolean, act: () => void): JSX.Element => (
    <button class="plain sign" aria-label={label} title={label} data-testid={testid} disabled={disabled} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div class={`game watching replay ${isOver(game) ? "over" : ""}`}>
      <div class="table-area">
        <PlayerStrip game={game} color={other(bottom)} own={false} />
        <div class="board-area">
          <Board
            fen={fen}
            orientation={bottom}
            turn={position.side_to_move}
            lastMove={last ? [last.uci.slice(0, 2), last.uci.slice(2, 4)] : null}
            check={position.check ? position.side_to_move : null}
            movable={null}
            legal={position.legal_moves}
            redraw={0}
            coordinates={settings.coordinates}
            animation={settings.animation}
            dots={false}
            label={t("board.label")}
            premovable={null}
            premove={null}
            reason=""
            onMove={nothing}
            onPremove={nothing}
            onTouch={nothing}
            onImpossible={nothing}
            onDoubleTap={nothing}
            onQuery={(key) => {
              const text = answer(key, game, fen, serverNow());
              if (text) say(text);
              return text !== null;
            }}
          />
        </div>
        <p id="board-keys" class="unseen">
          {t("keys.ask")}
        </p>
        <PlayerStrip game={game} color={bottom} own={false} />
        <Captured startFen={game.start_fen} moves={game.moves.slice(0, ply)} bottom={bottom} />
      </div>
      <div class="action-area">
        <div class="walk">
          {sign("first", t("replay.first"), "first", ply === 0, () => view(0))}
          {sign("prev", t("replay.prev"), "prev", ply === 0, () => view(ply - 1))}
          {sign(playing ? "pause" : "play", t(playing ? "replay.stop" : "replay.play"), "autoplay", game.ply === 0, () => {
            if (!playing && ply >= game.ply) setPly(0);
            setPlaying(!playing);
          })}
          {sign("next", t("replay.next"), "next", ply === game.ply, () => view(ply + 1))}
          {sign("last", t("replay.last"), "last", ply === game.ply, () => view(game.ply))}
          <span class="gap" />
          {sign("flip", t("game.flip"), "flip", false, () => setFlipped(!flipped))}
        </div>
      </div>
      <div class="side-area">
        <div class="moves-area">
          <h2>{t("game.moves")}</h2>
          <div class="moves-frame">
            <Moves game={game} shown={ply} write={moveWriter(settings.notation, lang)} onView={view} plain />
          </div>
        </div>
        <div class="tool-area">
          {children?.(fen, ply)}
          <CopyRow id="fen" label="FEN" text={async () => fen} shown={fen} />
          <CopyRow id="pgn" label="PGN" text={async () => (await fetch(pgnUrl(game.id))).text()} />
          <p>
            <a href={pgnUrl(game.id)} download={`${game.id}.pgn`}>
              {t("game.download_pgn")}
            </a>
          </p>
        </div>
      </div>
    </div>
  );
}

interface CopyProps {
  id: string;
  label: string;
  text: () => Promise<string>;
  shown?: string;
}

// A text to take along by one press; where the clipboard is shut it stands in a field to be copied.
function CopyRow({ id, label, text, shown }: CopyProps): JSX.Element {
  const [copied, setCopied] = useState<string | null>(null);
  const [fallback, setFallback] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const full = await text();
    try {
      await navigator.clipboard.writeText(full);
      setCopied(full);
    } catch {
      setFallback(full);
    }
  };
  const field = shown ?? fallback;
  return (
    <p class="copy-row">
      {field !== null && field !== undefined ? (
        <input id={id} readOnly value={field} aria-label={label} data-testid={id} onFocus={(e) => e.currentTarget.select()} />
      ) : (
        <span class="copy-label">{label}</span>
      )}
      <button onClick={() => void copy()} data-testid={`copy-${id}`}>
        {copied !== null && (shown === undefined || copied === shown) ? t("common.copied") : t("common.copy")}
        <span class="unseen"> {label}</span>
      </button>
    </p>
  );
}
