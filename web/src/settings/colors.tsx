// SPDX-License-Identifier: GPL-3.0-or-later
//
// Colours of the board (S-271): a ready set or one's own, seen on a piece of board before they are
// saved. Colours that can hardly be told apart are warned of, and saved all the same.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { BOARDS, prefs, type BoardName } from "../app/prefs";
import { BOARD_COLORS, COLOR_NAMES, colorPref, contrast, type BoardColors, type ColorName } from "../board/look";
import { Man } from "../board/promotion";
import { t } from "../i18n";
import { Dialog } from "../ui/dialog";
import { Reset } from "./reset";

const CONTRAST_MIN = 1.3;

type Chosen = { board: BoardName } & BoardColors;

function chosenNow(): Chosen {
  const now = prefs.get();
  const own = Object.fromEntries(COLOR_NAMES.map((n) => [n, now[colorPref(n)] ?? BOARD_COLORS[now.board][n]]));
  return { board: now.board, ...(own as unknown as BoardColors) };
}

// A colour is kept only where it differs from the set's.
function save(chosen: Chosen): void {
  const set = BOARD_COLORS[chosen.board];
  const own = COLOR_NAMES.map((n) => [colorPref(n), chosen[n] === set[n] ? null : chosen[n]] as const);
  prefs.patch({ board: chosen.board, ...Object.fromEntries(own) });
}

export function ColorsDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const [chosen, setChosen] = useState(chosenNow);
  const weak = contrast(chosen.light, chosen.dark) < CONTRAST_MIN;
  return (
    <Dialog title={t("settings.colors")} onClose={onClose} testid="colors-dialog">
      <Preview colors={chosen} />
      <fieldset class="choices" data-testid="boards">
        <legend>{t("settings.board_set")}</legend>
        {BOARDS.map((board) => (
          <label key={board}>
            <input
              type="radio"
              name="board"
              value={board}
              checked={chosen.board === board}
              onChange={() => setChosen({ board, ...BOARD_COLORS[board] })}
            />
            <span>{t(`settings.board.${board}`)}</span>
          </label>
        ))}
      </fieldset>
      <div class="swatches">
        {COLOR_NAMES.map((name) => (
          <label key={name}>
            <input
              type="color"
              value={chosen[name]}
              data-testid={`color-${name}`}
              onInput={(e) => setChosen({ ...chosen, [name]: e.currentTarget.value })}
            />
            <span>{t(`settings.color.${name}`)}</span>
          </label>
        ))}
      </div>
      <p role="status" class={weak ? "warning" : ""} data-testid="contrast">
        {weak && t("settings.contrast_weak")}
      </p>
      <p class="buttons">
        <button
          class="primary"
          data-testid="colors-save"
          onClick={() => {
            save(chosen);
            onClose();
          }}
        >
          {t("settings.save")}
        </button>
        <button onClick={onClose}>{t("common.cancel")}</button>
        <Reset onReset={() => setChosen({ board: "club", ...BOARD_COLORS.club })} />
      </p>
    </Dialog>
  );
}

// Four by two squares: a picked man, the last move, a king in check.
const SQUARES: readonly { mark?: ColorName; man?: "king" | "knight" | "pawn"; color?: "white" | "black"; text?: string }[] = [
  { text: "2", man: "pawn", color: "black" },
  { mark: "last" },
  { mark: "last", man: "knight", color: "black" },
  { mark: "check", man: "king", color: "white" },
  { text: "1", man: "king", color: "black" },
  { mark: "selected", man: "pawn", color: "white" },
  {},
  { man: "knight", color: "white" },
];

// The colours go in by script: the page's policy allows no styles in the text of the page.
function Preview({ colors }: { colors: BoardColors }): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const name of COLOR_NAMES) frame.current!.style.setProperty(`--board-${name}`, colors[name]);
  });
  return (
    <div class="board-sample" ref={frame} aria-hidden="true" data-testid="board-sample">
      {SQUARES.map(({ mark, man, color, text }, i) => (
        <span key={i} class={`${(i + (i > 3 ? 1 : 0)) % 2 === 0 ? "light" : "dark"} ${mark ?? ""}`}>
          {text && <small>{text}</small>}
          {man && <Man role={man} color={color!} />}
        </span>
      ))}
    </div>
  );
}
