// SPDX-License-Identifier: GPL-3.0-or-later
//
// A player's ratings on his page: where he stands in each list, and how he came there (S-120).
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { dateTime, dateTimeZone, t } from "../i18n";
import type { RatingList } from "../net/types";
import { resultText } from "../game/words";
import { errorText } from "../ui/errors";
import { changeText, ratingText } from "../ui/rating";
import { LISTS, ratingsApi, type RatedGame, type Standing } from "./api";

export function PlayerRatings({ nick }: { nick: string }): JSX.Element | null {
  const [lists, setLists] = useState<Record<RatingList, Standing> | null>(null);
  const [shown, setShown] = useState<RatingList | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    ratingsApi.standings(nick).then((answer) => {
      setLists(answer.lists);
      // The list he plays most, if he plays any.
      const most = [...LISTS].sort((a, b) => answer.lists[b].games - answer.lists[a].games)[0]!;
      setShown(answer.lists[most].games > 0 ? most : null);
    }, setError);
  }, [nick]);
  if (error !== null) return <p class="error">{errorText(error)}</p>;
  if (!lists) return null;
  return (
    <>
      <h2>{t("ratings.title")}</h2>
      <div class="standings" data-testid="standings">
        {LISTS.map((list) => (
          <ListCard key={list} list={list} standing={lists[list]} chosen={shown === list} choose={() => setShown(list)} />
        ))}
      </div>
      {shown && <Way nick={nick} list={shown} key={shown} />}
    </>
  );
}

interface CardProps {
  list: RatingList;
  standing: Standing;
  chosen: boolean;
  choose: () => void;
}

function ListCard({ list, standing, chosen, choose }: CardProps): JSX.Element {
  const played = standing.games > 0;
  return (
    <div class={chosen ? "standing chosen" : "standing"} data-testid={`standing-${list}`}>
      <span class="standing-list">
        {played ? (
          <button class="as-link" aria-pressed={chosen} onClick={choose}>
            {t(`list.${list}`)}
          </button>
        ) : (
          t(`list.${list}`)
        )}
      </span>
      <b class="standing-rating" title={standing.provisional ? t("rating.provisional") : undefined}>
        {ratingText(standing)}
      </b>
      {played ? (
        <>
          <span class="quiet">
            {t("ratings.count", { n: standing.games })}: +{standing.wins} ={standing.draws} −{standing.losses}
          </span>
          <span class="quiet">
            <a href="/ratings/classes">
              {t("ratings.class")} {standing.class}
            </a>
            {standing.place !== null && (
              <>
                , <a href={`/ratings/${list}`}>{t("ratings.at_place", { place: standing.place })}</a>
              </>
            )}
          </span>
        </>
      ) : (
        <span class="quiet">{t("ratings.none")}</span>
      )}
    </div>
  );
}

type Graph = ComponentType<{ points: [number, number][]; label: string }>;

function Way({ nick, list }: { nick: string; list: RatingList }): JSX.Element {
  const [points, setPoints] = useState<[number, number][] | null>(null);
  const [Graph, setGraph] = useState<Graph | null>(null);
  const [games, setGames] = useState<RatedGame[]>([]);
  const [after, setAfter] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const name = t(`list.${list}`);
  const more = (): Promise<void> =>
    ratingsApi.history(nick, list, after).then((page) => {
      setGames([...games, ...page.games]);
      setAfter(page.after);
    }, setError);
  useEffect(() => {
    ratingsApi.graph(nick, list).then((answer) => setPoints(answer.points), setError);
    // The plotting code is loaded for who looks at a graph.
    void import("./graph").then((module) => setGraph(() => module.RatingGraph));
    void more();
  }, []);
  return (
    <>
      {points && points.length > 1 && <h3>{t("ratings.graph", { list: name })}</h3>}
      {points && points.length > 1 && Graph && <Graph points={points} label={t("ratings.graph", { list: name })} />}
      <h3>{t("ratings.history", { list: name })}</h3>
      {games.length > 0 && <History games={games} label={t("ratings.history", { list: name })} />}
      {error !== null && <p class="error" role="alert">{errorText(error)}</p>}
      {after !== null && (
        <p>
          <button data-testid="more-history" onClick={() => void more()}>
            {t("ratings.more_games")}
          </button>
        </p>
      )}
    </>
  );
}

function History({ games, label }: { games: RatedGame[]; label: string }): JSX.Element {
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={label}>
      <table data-testid="rating-history">
        <thead>
          <tr>
            <th scope="col" class="lesser">{t("ratings.date")}</th>
            <th scope="col">{t("ratings.opponent")}</th>
            <th scope="col" class="center">{t("ratings.score")}</th>
            <th scope="col" class="right">{t("ratings.rating")}</th>
            <th scope="col" class="right lesser">K</th>
            <th scope="col" class="right lesser">{t("ratings.expected")}</th>
            <th scope="col" class="right">{t("ratings.change")}</th>
          </tr>
        </thead>
        <tbody>
          {games.map((game) => (
            <tr key={game.game}>
              <td class="nowrap quiet lesser">
                <time title={dateTimeZone(game.ended)}>{dateTime(game.ended)}</time>
              </td>
              <td class="name-cell">
                {game.opponent === null ? (
                  <i class="quiet">{t("player.former")}</i>
                ) : (
                  <a href={`/player/${encodeURIComponent(game.opponent)}`}>{game.opponent}</a>
                )}{" "}
                <span class="rating">({game.opponent_rating})</span>
              </td>
              <td class="center figures-cell">
                <a href={`/game/${game.game}`} aria-label={`${t("table.open")}: ${resultText(game.score)}`}>
                  {resultText(game.score)}
                </a>
              </td>
              <td class="right nowrap">
                <span class="lesser">{game.before} → </span>
                {game.after}
              </td>
              <td class="right lesser">{game.k}</td>
              <td class="right lesser">
                {(game.e / 100).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 2 })}
              </td>
              <td class="right nowrap figures-cell">{changeText(game)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
