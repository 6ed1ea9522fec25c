// SPDX-License-Identifier: GPL-3.0-or-later
//
// The opening checklist beside the board (L-043): what a side has done so far and, after its tenth
// move, what it has not. For the people who play; for both sides where two computers do.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { START_FEN } from "../analysis/tree";
import { useStore } from "../app/store";
import { loadTutor, type Tutor } from "../core/tutor";
import type { WriteMove } from "../game/write";
import { t } from "../i18n";
import type { Color } from "../net/types";
import { Checklist, type ChecklistColumn } from "../tutor/checklist";
import type { LocalGame } from "./core";
import { localPrefs } from "./prefs";

const MOVES = 10;

function columnOf(tutor: Tutor, game: LocalGame, shown: number, color: Color, write: WriteMove): ChecklistColumn {
  const second = color === "black" ? 1 : 0;
  const plies = 2 * MOVES - 1 + second;
  const moves = game.moves.slice(0, Math.min(shown, plies));
  const { broken } = tutor.opening(color === "white" ? "w" : "b", moves.map((m) => m.uci));
  const breach = new Map(broken.map((one) => [one.rule, one.move]));
  return {
    color,
    sign: (rule) => (!breach.has(rule) ? "kept" : shown < plies ? "open" : "broken"),
    move: (rule) => {
      const number = breach.get(rule) ?? 0;
      const made = number > 0 && shown >= plies ? moves[2 * (number - 1) + second] : undefined;
      return made ? `${number}${second ? "…" : "."}\u00a0${write(made)}` : null;
    },
  };
}

export function OpeningChecklist({ game, shown, write }: { game: LocalGame; shown: number; write: WriteMove }): JSX.Element | null {
  const { opening } = useStore(localPrefs);
  const [tutor, setTutor] = useState<Tutor | null>(null);
  useEffect(() => {
    let gone = false;
    loadTutor().then(
      (loaded) => gone || setTutor(loaded),
      () => {}, // without it the game goes on without the list
    );
    return () => {
      gone = true;
    };
  }, []);
  if (!tutor || game.start !== START_FEN) return null;
  const colors = (["white", "black"] as const).filter((color) => game[color].level === 0);
  const columns = (colors.length > 0 ? colors : (["white", "black"] as const)).map((color) => columnOf(tutor, game, shown, color, write));
  return (
    <details
      class="local-opening"
      open={opening}
      onToggle={(e) => {
        if (e.currentTarget.open !== opening) localPrefs.patch({ opening: e.currentTarget.open });
      }}
    >
      <summary>{t("tutor.checklist")}</summary>
      <Checklist columns={columns} testid="opening-checklist" titled />
    </details>
  );
}
