// SPDX-License-Identifier: GPL-3.0-or-later
//
// A player's line above or below the board: name, presence, clock.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { date, t } from "../i18n";
import { serverNow } from "../net/clock_offset";
import type { Color, Game } from "../net/types";
import { Presence, SeatName, SeatRating } from "../ui/seat";
import { clockText, isLive, nextTick, reading } from "./clock";
import { isOver } from "./fold";
import { resultText } from "./words";

interface StripProps {
  game: Game;
  color: Color;
  own: boolean;
}

export function PlayerStrip({ game, color, own }: StripProps): JSX.Element {
  const seat = color === "white" ? game.white : game.black;
  const toMove = !isOver(game) && game.turn === color;
  const [white, black] = game.result.split("-");
  const points = game.state === "ended" ? (color === "white" ? white : black) : null;
  return (
    <div class={`strip ${toMove ? "to-move" : ""}`} data-testid={`player-${color}`}>
      <i class={`stone ${color}`} role="img" aria-label={t(`color.${color}`)} />
      <span class="strip-name">
        <SeatName seat={seat} />
        <SeatRating seat={seat} />
        {own && <span class="quiet small"> {t("game.you")}</span>}
      </span>
      {seat.nick !== null && <Presence online={seat.online} />}
      {seat.vacation_until !== null && !isOver(game) && (
        <span class="quiet small" data-testid={`vacation-${color}`}>{t("game.vacation", { date: date(seat.vacation_until) })}</span>
      )}
      {!own && !seat.online && game.state === "running" && isLive(game.control) && seat.nick !== null && (
        <span class="away" data-testid={`away-${color}`}>{t("game.connection_lost")}</span>
      )}
      {toMove && game.check && <span class="check-word">{t("game.check")}</span>}
      {points !== null && <b class="points">{resultText(points ?? "")}</b>}
      {!(game.type === "computer" && !isLive(game.control)) && <ClockFace game={game} color={color} />}
    </div>
  );
}

// The running clock is red, bold and underlined: colour is never the only mark.
function ClockFace({ game, color }: { game: Game; color: Color }): JSX.Element {
  const [, redraw] = useState(0);
  const live = isLive(game.control);
  const ms = reading(game.clocks, color, serverNow());
  const running = game.clocks.running === color && !isOver(game);
  useEffect(() => {
    if (!running) return;
    let timer = 0;
    const tick = (): void => {
      redraw((n) => n + 1);
      timer = window.setTimeout(tick, nextTick(reading(game.clocks, color, serverNow()), live));
    };
    timer = window.setTimeout(tick, nextTick(ms, live));
    return () => window.clearTimeout(timer);
  }, [running, game.clocks]);
  return (
    <span
      class={`clock ${running ? "running" : ""} ${running && live && ms < 20_000 ? "low" : ""}`}
      role="timer"
      aria-label={t("game.clock_of", { color: t(`color.${color}`) })}
      data-testid={`clock-${color}`}
      data-running={running}
    >
      {clockText(ms, live, t("unit.d"))}
    </span>
  );
}
