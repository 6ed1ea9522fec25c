// SPDX-License-Identifier: GPL-3.0-or-later
//
// A hint on the board: an arrow, and its words (L-024).
import type { JSX } from "preact";
import type { WriteMove } from "../game/write";
import { t } from "../i18n";
import type { Color } from "../net/types";
import { factText } from "../tutor/words";
import type { Hint } from "./table";

const middle = (square: string, orientation: Color): [number, number] => {
  const file = "abcdefgh".indexOf(square[0]!);
  const rank = Number(square[1]) - 1;
  return orientation === "white" ? [file + 0.5, 7.5 - rank] : [7.5 - file, rank + 0.5];
};

export function HintArrow({ uci, orientation }: { uci: string; orientation: Color }): JSX.Element {
  const [x1, y1] = middle(uci.slice(0, 2), orientation);
  const [x2, y2] = middle(uci.slice(2, 4), orientation);
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [tx, ty] = [x2 - dx * 0.45, y2 - dy * 0.45];
  const head = `${x2 - dx * 0.1},${y2 - dy * 0.1} ${tx - dy * 0.22},${ty + dx * 0.22} ${tx + dy * 0.22},${ty - dx * 0.22}`;
  return (
    <svg class="hint-arrow" viewBox="0 0 8 8" aria-hidden="true" data-testid="hint-arrow" data-uci={uci}>
      <line x1={x1} y1={y1} x2={tx} y2={ty} />
      <polygon points={head} />
    </svg>
  );
}

export const hintText = (hint: Hint, write: WriteMove): string => {
  const words = t("local.hint_text", { move: write(hint), score: hint.score });
  return hint.reason ? `${words}. ${factText(hint.reason, write)}` : words;
};
