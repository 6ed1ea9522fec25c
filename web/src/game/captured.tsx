// SPDX-License-Identifier: GPL-3.0-or-later
//
// The taken men, both colours on one line.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { Man } from "../board/promotion";
import { number, t } from "../i18n";
import type { Color, Move } from "../net/types";
import { other } from "./clock";
import { materialAfter } from "./material";

interface CapturedProps {
  startFen: string;
  moves: readonly Pick<Move, "uci" | "fen">[];
  bottom: Color;
}

export function Captured({ startFen, moves, bottom }: CapturedProps): JSX.Element {
  const material = useMemo(
    () => materialAfter(startFen, moves),
    [startFen, moves.length, moves[moves.length - 1]?.fen],
  );
  const half = (by: Color): JSX.Element => {
    const ahead = by === "white" ? material.difference : -material.difference;
    const men = material.taken[by];
    const words = men.map((m) => t(`man.${m.role}`)).join(", ");
    return (
      <span class="captured-half">
        {men.length > 0 && (
          <span role="img" aria-label={t("game.taken_by", { color: t(`color.${by}`), men: words })}>
            {men.map((m, i) => (
              <span key={i} class={m.promoted ? "was-promoted" : undefined} title={m.promoted ? t("game.was_promoted") : undefined}>
                <Man role={m.role} color={other(by)} />
              </span>
            ))}
          </span>
        )}
        {ahead > 0 && <b class="ahead">+{number(ahead)}</b>}
      </span>
    );
  };
  return (
    <div class="captured" data-testid="captured">
      {half(bottom)}
      {half(other(bottom))}
    </div>
  );
}
