// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Active games": my running games, those that wait for my move first.
import type { JSX } from "preact";
import { myGames, myTurn, sideIn } from "../app/mygames";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { number, t } from "../i18n";
import { RatedName } from "./game_table";
import { controlText } from "./controls";
import { Stone } from "./stone";
import { ToForm } from "./to_form";

export function ActiveGames(): JSX.Element | null {
  const account = useStore(me);
  const games = useStore(myGames);
  if (!account || !games) return null;
  return (
    <section class="active" aria-labelledby="active-title">
      <h2 id="active-title">{t("lobby.active")}</h2>
      {games.length === 0 ? (
        <p class="empty" data-testid="no-active">
          {t("lobby.no_active")} <ToForm link>{t("lobby.new")}</ToForm>
        </p>
      ) : (
        <div class="table-frame">
          <table class="cards active-cards" data-testid="active-games">
            <thead>
              <tr>
                <th scope="col">{t("table.opponent")}</th>
                <th scope="col">{t("table.control")}</th>
                <th scope="col">{t("table.my_color")}</th>
                <th scope="col" class="right lesser">{t("table.move")}</th>
                <th scope="col" class="right">{t("table.turn")}</th>
              </tr>
            </thead>
            <tbody>
              {games.map((game) => {
                const side = sideIn(game, account.nick) ?? "white";
                const mine = myTurn(game);
                const offered = game.offer !== null && game.offer !== side;
                return (
                  <tr key={game.id} class={mine ? "own" : ""} data-testid={`active-${game.id}`}>
                    <td><RatedName seat={side === "white" ? game.black : game.white} /></td>
                    <td class="figures-cell">{controlText(game.control)}</td>
                    <td class="nowrap"><Stone color={side} /></td>
                    <td class="right lesser">{number(Math.floor(game.plies / 2) + 1)}</td>
                    <td class="right">
                      <a
                        class={mine ? "button primary" : "button"}
                        href={`/game/${game.id}`}
                        aria-label={`${t("lobby.open_board")}: ${mine ? t("game.your_move") : t("game.their_move")}`}
                      >
                        {mine ? t("game.your_move") : t("game.their_move")}
                        {offered && <b title={t("game.offered")}> =</b>}
                      </a>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
