// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Active games" (S-045, S-046): what is offered to me alone, my running games, those that wait for
// my move first, and what I offer.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { myChallenges, myGames, myTurn, sideIn } from "../app/mygames";
import { navigate } from "../app/router";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { clockText, isLive } from "../game/clock";
import { number, t } from "../i18n";
import { api } from "../net/api";
import { serverNow } from "../net/clock_offset";
import type { Challenge, GameRow, Me } from "../net/types";
import { errorText } from "../ui/errors";
import { Rating } from "../ui/rating";
import { controlText, gameControlText, kindText } from "./controls";
import { RatedName } from "./game_table";
import { Stone } from "./stone";
import { ToForm } from "./to_form";

const DAY_MS = 86_400_000;

export function ActiveGames(): JSX.Element | null {
  const account = useStore(me);
  const games = useStore(myGames);
  const challenges = useStore(myChallenges);
  const live = games?.some((game) => isLive(game.control)) ?? false;
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => redraw((n) => n + 1), live ? 1000 : 30_000);
    return () => window.clearInterval(timer);
  }, [live]);
  if (!account || !games) return null;
  const invitations = challenges.filter((c) => c.nick !== account.nick);
  const own = challenges.filter((c) => c.nick === account.nick);
  return (
    <section class="active" aria-labelledby="active-title">
      <h2 id="active-title">{t("lobby.active")}</h2>
      {invitations.map((c) => <Invitation key={c.id} challenge={c} />)}
      {games.length + challenges.length === 0 ? (
        <p class="empty" data-testid="no-active">
          {t("lobby.no_active")} <ToForm link>{t("lobby.new")}</ToForm>
        </p>
      ) : (
        games.length + own.length > 0 && (
          <div class="table-frame">
            <table class="cards active-cards" data-testid="active-games">
              <thead>
                <tr>
                  <th scope="col">{t("table.opponent")}</th>
                  <th scope="col">{t("table.control")}</th>
                  <th scope="col">{t("table.my_color")}</th>
                  <th scope="col" class="right lesser">{t("table.move")}</th>
                  <th scope="col" class="right">{t("table.time_left")}</th>
                  <th scope="col" class="right">{t("table.turn")}</th>
                </tr>
              </thead>
              <tbody>
                {games.map((game) => <GameLine key={game.id} game={game} account={account} />)}
                {own.map((c) => <OwnChallenge key={c.id} challenge={c} />)}
              </tbody>
            </table>
          </div>
        )
      )}
    </section>
  );
}

function GameLine({ game, account }: { game: GameRow; account: Me }): JSX.Element {
  const side = sideIn(game, account.nick) ?? "white";
  const mine = myTurn(game);
  const offered = game.offer !== null && game.offer !== side;
  const turn = mine ? t("game.your_move") : t("game.their_move");
  return (
    <tr class={mine ? "own" : ""} data-testid={`active-${game.id}`}>
      <td><RatedName seat={side === "white" ? game.black : game.white} /></td>
      <td class="figures-cell">
        {gameControlText(game)} <small class="special">{kindText(game)}</small>
      </td>
      <td class="nowrap"><Stone color={side} /></td>
      <td class="right lesser">{number(Math.floor(game.plies / 2) + 1)}</td>
      <td class="right nowrap figures-cell"><TimeLeft game={game} /></td>
      <td class="right">
        <a
          class={mine ? "button primary" : "button"}
          href={`/game/${game.id}`}
          aria-label={`${t("lobby.open_board")}: ${turn}${offered ? `. ${t("game.offered")}` : ""}`}
        >
          {turn}
          {offered && <b title={t("game.offered")}> =</b>}
        </a>
      </td>
    </tr>
  );
}

// Of whoever has the move; red, and bold with it, when a day is all there is.
function TimeLeft({ game }: { game: GameRow }): JSX.Element {
  if (game.deadline === null || (game.type === "computer" && !isLive(game.control))) return <span class="quiet">–</span>;
  const left = Math.max(0, game.deadline - serverNow());
  const low = !isLive(game.control) && left < DAY_MS;
  return (
    <span class={low ? "time-low" : ""} data-testid={`left-${game.id}`}>
      {clockText(left, false, t("unit.d"))}
    </span>
  );
}

function OwnChallenge({ challenge: c }: { challenge: Challenge }): JSX.Element {
  const [error, setError] = useState<unknown>(null);
  return (
    <tr data-testid={`offered-${c.id}`}>
      <td>
        {c.to === null ? (
          <i class="quiet">{t("lobby.waits")}</i>
        ) : (
          <a href={`/player/${encodeURIComponent(c.to)}`}>{c.to}</a>
        )}
      </td>
      <td class="figures-cell">
        {controlText(c.control)} <small class="special">{kindText(c)}</small>
      </td>
      <td class="nowrap"><Stone color={c.color} /></td>
      <td class="right lesser" />
      <td class="right quiet">–</td>
      <td class="right">
        <button
          data-testid={`withdraw-${c.id}`}
          onClick={() => void api.cancelChallenge(c.id).catch(setError)}
        >
          {t("lobby.cancel")}
        </button>
        {error !== null && <p class="error" role="alert">{errorText(error)}</p>}
      </td>
    </tr>
  );
}

// What is left to me: a challenge names the colour of whoever made it.
function otherColor(color: Challenge["color"]): Challenge["color"] {
  if (color === "random") return color;
  return color === "white" ? "black" : "white";
}

// A challenge directed to me (S-041).
function Invitation({ challenge: c }: { challenge: Challenge }): JSX.Element {
  const [error, setError] = useState<unknown>(null);
  const accept = async (): Promise<void> => {
    const { game } = await api.joinChallenge(c.id);
    navigate(`/game/${game}`);
  };
  return (
    <div class="invitation" data-testid={`invited-${c.id}`}>
      <p>
        <a href={`/player/${encodeURIComponent(c.nick)}`}>{c.nick}</a> <Rating of={c} />{" "}
        {t(c.rematch === null ? "lobby.invites" : "lobby.invites_again")}{" "}
        <b>{controlText(c.control)}</b> · {kindText(c)} · {c.rated ? t("game.rated") : t("game.unrated")} ·{" "}
        {t("lobby.you_play")}: <Stone color={otherColor(c.color)} words />
      </p>
      <p class="buttons">
        <button class="primary" data-testid={`accept-${c.id}`} onClick={() => void accept().catch(setError)}>
          {t("game.accept")}
        </button>
        <button data-testid={`decline-${c.id}`} onClick={() => void api.declineChallenge(c.id).catch(setError)}>
          {t("game.decline")}
        </button>
      </p>
      {error !== null && <p class="error" role="alert">{errorText(error)}</p>}
    </div>
  );
}
