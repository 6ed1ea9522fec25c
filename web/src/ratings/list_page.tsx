// SPDX-License-Identifier: GPL-3.0-or-later
//
// A rating list: everybody's place, rating and score (S-119).
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { navigate } from "../app/router";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { number, t } from "../i18n";
import type { RatingList } from "../net/types";
import { NotFoundPage } from "../pages/not_found";
import { errorText } from "../ui/errors";
import { ratingText, signed } from "../ui/rating";
import { LISTS, ratingsApi, type TableRow } from "./api";
import { RatingsFrame } from "./frame";

// /ratings: the first of them.
export function RatingsPage(): JSX.Element {
  useEffect(() => navigate("/ratings/blitz", true), []);
  return <RatingListPage list="blitz" />;
}

export function RatingListPage({ list }: { list: string }): JSX.Element {
  const known = LISTS.find((l) => l === list);
  return known ? <ListOf list={known} key={known} /> : <NotFoundPage />;
}

function ListOf({ list }: { list: RatingList }): JSX.Element {
  const account = useStore(me);
  const [all, setAll] = useState(false);
  const [rows, setRows] = useState<TableRow[] | null>(null);
  const [after, setAfter] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);

  const load = async (from: TableRow[], cursor: string | null): Promise<void> => {
    try {
      const page = await ratingsApi.table(list, all, cursor);
      setRows([...from, ...page.players]);
      setAfter(page.after);
      setError(null);
    } catch (e) {
      setError(e);
    }
  };
  useEffect(() => void load([], null), [all]);

  return (
    <RatingsFrame title={t("ratings.of", { list: t(`list.${list}`) })}>
      <p class="quiet">{t(`list.${list}_what`)}</p>
      <label class="tick">
        <input type="checkbox" checked={all} data-testid="all" onChange={(e) => setAll(e.currentTarget.checked)} />{" "}
        {t("ratings.all")}
      </label>
      {rows && rows.length === 0 && (
        <p class="empty" data-testid="no-ratings">
          {t("ratings.empty")}{" "}
          <a class="button" href="/">
            {t("lobby.new")}
          </a>
        </p>
      )}
      {rows && rows.length > 0 && (
        <div class="table-frame" tabIndex={0} role="region" aria-label={t(`list.${list}`)}>
          <table data-testid="rating-table">
            <thead>
              <tr>
                <th scope="col" class="right">{t("ratings.place")}</th>
                <th scope="col">{t("table.player")}</th>
                <th scope="col" class="right">{t("ratings.rating")}</th>
                <th scope="col" class="right lesser">{t("ratings.class")}</th>
                <th scope="col" class="right">{t("ratings.games")}</th>
                <th scope="col" class="right lesser"><abbr title={t("ratings.wins")}>+</abbr></th>
                <th scope="col" class="right lesser"><abbr title={t("ratings.draws")}>=</abbr></th>
                <th scope="col" class="right lesser"><abbr title={t("ratings.losses")}>−</abbr></th>
                <th scope="col" class="right">{t("ratings.month")}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.nick} class={row.nick === account?.nick ? "own" : ""}>
                  <td class="right">{number(row.place)}</td>
                  <td class="name-cell"><a href={`/player/${encodeURIComponent(row.nick)}`}>{row.nick}</a></td>
                  <td class="right figures-cell">{ratingText(row)}</td>
                  <td class="right lesser">{row.class}</td>
                  <td class="right">{number(row.games)}</td>
                  <td class="right lesser">{number(row.wins)}</td>
                  <td class="right lesser">{number(row.draws)}</td>
                  <td class="right lesser">{number(row.losses)}</td>
                  <td class="right nowrap">{signed(row.month)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {error !== null && <p class="error" role="alert">{errorText(error)}</p>}
      {after !== null && rows && (
        <p>
          <button data-testid="more-players" onClick={() => void load(rows, after)}>
            {t("ratings.more")}
          </button>
        </p>
      )}
    </RatingsFrame>
  );
}
