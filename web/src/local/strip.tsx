// SPDX-License-Identifier: GPL-3.0-or-later
//
// A player's line above or below the board of a local game.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { clockText, nextTick, reading } from "../game/clock";
import { resultText } from "../game/words";
import { t } from "../i18n";
import type { Color } from "../net/types";
import type { LocalGame } from "./core";
import { clocksOf } from "./table";

interface StripProps {
  game: LocalGame;
  color: Color;
  thinking: boolean;
}

export const nameOf = (game: LocalGame, color: Color): string => {
  const { name, level } = game[color];
  if (level > 0) return t("local.level_name", { n: level, name: t(`level.${level}` as "level.1") });
  return name || t("local.person");
};

export function Strip({ game, color, thinking }: StripProps): JSX.Element {
  const toMove = !game.over && game.turn === color;
  const [white, black] = game.result.split("-");
  return (
    <div class={`strip ${toMove ? "to-move" : ""}`} data-testid={`player-${color}`}>
      <i class={`stone ${color}`} role="img" aria-label={t(`color.${color}`)} />
      <span class="strip-name">
        <b>{game[color].level > 0 || game[color].name ? nameOf(game, color) : t(`color.${color}`)}</b>
        {toMove && thinking && game[color].level > 0 && <span class="quiet small"> {t("local.thinking")}</span>}
      </span>
      {toMove && game.check && <span class="check-word">{t("game.check")}</span>}
      {game.over && game.result !== "*" && <b class="points">{resultText((color === "white" ? white : black) as "1-0")}</b>}
      {game.has_clock && <Face game={game} color={color} />}
    </div>
  );
}

function Face({ game, color }: { game: LocalGame; color: Color }): JSX.Element {
  const [, redraw] = useState(0);
  const clocks = clocksOf(game);
  const running = game.clock.running === color && !game.over;
  const now = Date.now();
  const ms = reading(clocks, color, now);
  useEffect(() => {
    if (!running) return;
    let timer = 0;
    const tick = (): void => {
      redraw((n) => n + 1);
      timer = window.setTimeout(tick, nextTick(reading(clocks, color, Date.now()), true));
    };
    timer = window.setTimeout(tick, nextTick(ms, true));
    return () => window.clearTimeout(timer);
  }, [running, game.clock]);
  return (
    <span
      class={`clock ${running ? "running" : ""}`}
      role="timer"
      aria-label={t("game.clock_of", { color: t(`color.${color}`) })}
      data-testid={`clock-${color}`}
      data-running={running}
      data-ms={ms}
    >
      {clockText(ms, true, t("unit.d"))}
    </span>
  );
}
