// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games as rows of a table, as a player's page lists them.
import type { JSX } from "preact";
import { dateTime, dateTimeZone, number, t } from "../i18n";
import type { GameRow, Seat } from "../net/types";
import { SeatName, SeatRating } from "../ui/seat";
import { reasonText, resultText } from "../game/words";
import { gameControlText } from "./controls";

export function RatedName({ seat }: { seat: Seat }): JSX.Element {
  return (
    <>
      <SeatName seat={seat} />
      <SeatRating seat={seat} />
    </>
  );
}

export function GameTable({ games, nick }: { games: GameRow[]; nick: string }): JSX.Element {
  return (
    <div class="table-frame">
      <table class="cards game-cards" data-testid="games">
        <thead>
          <tr>
            <th scope="col">{t("table.date")}</th>
            <th scope="col">{t("color.white")}</th>
            <th scope="col" class="center">{t("table.result")}</th>
            <th scope="col">{t("color.black")}</th>
            <th scope="col">{t("table.control")}</th>
            <th scope="col" class="right lesser">{t("table.moves")}</th>
            <th scope="col">{t("table.reason")}</th>
            <th scope="col" class="lesser"><span class="unseen">{t("table.open")}</span></th>
          </tr>
        </thead>
        <tbody>
          {games.map((game) => (
            <tr key={game.id} data-testid={`game-${game.id}`}>
              <td class="nowrap quiet">
                {game.started !== null && (
                  <time title={dateTimeZone(game.started)}>{dateTime(game.started)}</time>
                )}
              </td>
              <td class={game.white.nick === nick ? "own" : ""}><RatedName seat={game.white} /></td>
              <td class="center figures-cell">
                <a href={`/game/${game.id}`} aria-label={`${t("table.open")}: ${resultText(game.result)}`}>
                  {game.ended === null ? "…" : resultText(game.result)}
                </a>
              </td>
              <td class={game.black.nick === nick ? "own" : ""}><RatedName seat={game.black} /></td>
              <td class="nowrap">{gameControlText(game)}</td>
              <td class="right lesser">{number(Math.ceil(game.plies / 2))}</td>
              <td>{game.ended === null ? t("table.running") : game.reason && reasonText(game.reason)}</td>
              <td class="lesser">
                <a href={`/game/${game.id}`}>{game.ended === null ? t("table.watch") : t("table.replay")}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
