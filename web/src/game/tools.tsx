// SPDX-License-Identifier: GPL-3.0-or-later
//
// Beside the score: walking through the game, turning the board, sound, settings, typing a move,
// taking the position and the game along.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { prefs } from "../app/prefs";
import { useStore } from "../app/store";
import type { LegalMove } from "../core/core";
import { readMove, writeMove, type Letters } from "../core/notation";
import { t } from "../i18n";
import { pgnUrl } from "../net/api";
import type { Game } from "../net/types";
import { Dialog } from "../ui/dialog";
import { Icon, type IconName } from "../ui/icons";
import { say } from "../ui/say";

interface WalkProps {
  shown: number;
  last: number;
  onView: (ply: number) => void;
  onFlip: () => void;
  analysis?: string; // address of the whole game to look at
  settings?: ComponentChildren; // the sign that opens them, in one's own game (S-270)
}

export function Walk({ shown, last, onView, onFlip, analysis, settings }: WalkProps): JSX.Element {
  const { sound } = useStore(prefs);
  const [open, setOpen] = useState<"keys" | null>(null);
  const sign = (icon: IconName, label: string, testid: string, disabled: boolean, act: () => void): JSX.Element => (
    <button class="plain sign" aria-label={label} title={label} data-testid={testid} disabled={disabled} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="walk">
      {sign("first", t("replay.first"), "first", shown === 0, () => onView(0))}
      {sign("prev", t("replay.prev"), "prev", shown === 0, () => onView(shown - 1))}
      {sign("next", t("replay.next"), "next", shown === last, () => onView(shown + 1))}
      {sign("last", t("replay.last"), "last", shown === last, () => onView(last))}
      <span class="gap" />
      {analysis && (
        <a class="sign" href={analysis} aria-label={t("game.analysis")} title={t("game.analysis")} data-testid="analysis">
          <Icon name="analysis" />
        </a>
      )}
      {sign("flip", t("game.flip"), "flip", false, onFlip)}
      {sign(sound ? "sound" : "mute", sound ? t("game.sound_off") : t("game.sound_on"), "sound", false, () =>
        prefs.patch({ sound: !sound }),
      )}
      {settings}
      {sign("help", t("game.keys"), "keys", false, () => setOpen("keys"))}
      {open === "keys" && (
        <Dialog title={t("game.keys")} onClose={() => setOpen(null)}>
          <p>{t("keys.page")}</p>
          <p>{t("keys.board")}</p>
          <p>{t("keys.ask")}</p>
          <p>{t("keys.flag")}</p>
          <p class="buttons">
            <button class="primary" onClick={() => setOpen(null)}>
              {t("common.close")}
            </button>
          </p>
        </Dialog>
      )}
    </div>
  );
}

interface InputProps {
  letters: Letters;
  legal: () => readonly LegalMove[];
  enabled: boolean;
  label: string;
  onMove: (uci: string) => void;
}

// A move by its name: in one's own letters, or by squares.
export function MoveInput({ letters, legal, enabled, label, onMove }: InputProps): JSX.Element {
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    const found = readMove(text, letters, legal());
    if ("uci" in found) {
      setText("");
      setError(undefined);
      onMove(found.uci);
      return;
    }
    const names = "moves" in found ? found.moves.map((m) => writeMove(m.san, letters)).join(", ") : "";
    const why = t(`typed.${found.fault}`, { moves: names, example: `${letters.N}f3` });
    setError(why);
    say(why);
  };
  return (
    <form class={error ? "move-form bad" : "move-form"} onSubmit={submit}>
      <label for="move-input">{label}</label>
      <span class="move-row">
        <input
          id="move-input"
          value={text}
          disabled={!enabled}
          placeholder={`${letters.N}f3, e2e4`}
          maxLength={16}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? "move-input-error" : undefined}
          onInput={(e) => {
            setText(e.currentTarget.value);
            setError(undefined);
          }}
        />
        <button disabled={!enabled} data-testid="move-submit">
          {t("typed.submit")}
        </button>
      </span>
      {error && (
        <p class="error" id="move-input-error" data-testid="move-error">
          {error}
        </p>
      )}
    </form>
  );
}

export function TakeAlong({ game, fen }: { game: Game; fen: string }): JSX.Element {
  const [copied, setCopied] = useState("");
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(fen);
      setCopied(fen);
    } catch {
      const field = document.querySelector<HTMLInputElement>("#fen");
      field?.focus();
      field?.select();
    }
  };
  return (
    <details class="take-along">
      <summary>{t("game.fen_pgn")}</summary>
      <p class="copy-row">
        <input id="fen" readOnly value={fen} aria-label="FEN" data-testid="fen" />
        <button onClick={() => void copy()} data-testid="copy-fen">
          {copied === fen ? t("common.copied") : t("common.copy")}
        </button>
      </p>
      <p>
        <a href={pgnUrl(game.id)} download={`${game.id}.pgn`}>
          {t("game.download_pgn")}
        </a>
      </p>
    </details>
  );
}
