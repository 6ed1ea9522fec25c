// SPDX-License-Identifier: GPL-3.0-or-later
//
// The articles about ratings: how they are calculated, the table of expected scores, the classes.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { number, t } from "../i18n";
import { errorText } from "../ui/errors";
import { signed } from "../ui/rating";
import { LISTS, ratingsApi, type ExpectedRow } from "./api";
import { RatingsFrame } from "./frame";

export function RatingRulesPage(): JSX.Element {
  return (
    <RatingsFrame title={t("ratings.rules")}>
      <div class="article">
        <p>{t("rules.start")}</p>
        <p class="formula">{t("rules.formula")}</p>
        <p>
          {t("rules.score")} <a href="/ratings/table">{t("ratings.table")}</a>
        </p>
        <h2>{t("rules.k_title")}</h2>
        <ul>
          <li>{t("rules.k_new")}</li>
          <li>{t("rules.k_top")}</li>
          <li>{t("rules.k_mid")}</li>
        </ul>
        <h2>{t("rules.round_title")}</h2>
        <p>{t("rules.round")}</p>
        <h2>{t("rules.lists_title")}</h2>
        <dl class="lists">
          {LISTS.map((list) => (
            <div key={list}>
              <dt>{t(`list.${list}`)}</dt>
              <dd>{t(`list.${list}_what`)}</dd>
            </div>
          ))}
        </dl>
        <p>{t("rules.lists")}</p>
        <h2>{t("rules.count_title")}</h2>
        <p>{t("rules.count")}</p>
        <h2>{t("rules.examples")}</h2>
        <ul>
          <li>{t("rules.ex_new")}</li>
          <li>{t("rules.ex_mid")}</li>
          <li>{t("rules.ex_top")}</li>
        </ul>
        <p class="quiet">{t("rules.official")}</p>
      </div>
    </RatingsFrame>
  );
}

// ---- expected scores --------------------------------------------------------------------------

const hundredths = (e: number): string =>
  (e / 100).toLocaleString(document.documentElement.lang, { minimumFractionDigits: 2 });

const rangeText = (row: ExpectedRow): string =>
  row.to === null ? t("expected.over", { n: row.from - 1 }) : `${row.from}–${row.to}`;

export function RatingTablePage(): JSX.Element {
  const [rows, setRows] = useState<ExpectedRow[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    ratingsApi.expected().then((answer) => setRows(answer.rows), setError);
  }, []);
  // Three columns of seventeen rows on a wide screen.
  const third = Math.ceil((rows?.length ?? 0) / 3);
  return (
    <RatingsFrame title={t("ratings.table")}>
      <p>{t("expected.what")}</p>
      {error !== null && <p class="error" role="alert">{errorText(error)}</p>}
      {rows && <Calculator rows={rows} />}
      {rows && (
        <div class="expected-tables" data-testid="expected">
          {[0, 1, 2].map((n) => (
            <table key={n}>
              <thead>
                <tr>
                  <th scope="col">{t("expected.difference")}</th>
                  <th scope="col" class="right">{t("expected.higher")}</th>
                  <th scope="col" class="right">{t("expected.lower")}</th>
                </tr>
              </thead>
              <tbody>
                {rows.slice(n * third, (n + 1) * third).map((row) => (
                  <tr key={row.from}>
                    <td>{rangeText(row)}</td>
                    <td class="right">{hundredths(row.higher)}</td>
                    <td class="right">{hundredths(row.lower)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          ))}
        </div>
      )}
    </RatingsFrame>
  );
}

const coefficient = (rating: number, games: number): number =>
  games < 30 ? 25 : rating >= 2400 ? 10 : 15;

// Half away from zero, and never below 100.
function change(rating: number, k: number, halves: number, e: number): string {
  const exact = k * (50 * halves - e);
  const by = Math.sign(exact) * Math.floor((Math.abs(exact) + 50) / 100);
  return signed(Math.max(100, rating + by) - rating);
}

function Calculator({ rows }: { rows: ExpectedRow[] }): JSX.Element {
  const [own, setOwn] = useState("1600");
  const [other, setOther] = useState("1500");
  const [games, setGames] = useState("30");
  const value = (text: string): number => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : NaN);
  const [a, b, n] = [value(own), value(other), value(games)];
  const good = a >= 100 && a <= 4000 && b >= 100 && b <= 4000 && n >= 0;
  const row = rows.find((r) => r.to === null || Math.abs(a - b) <= r.to);
  const e = row ? (a < b ? row.lower : row.higher) : 50;
  const k = coefficient(a, n);
  const field = (label: string, text: string, set: (text: string) => void, id: string): JSX.Element => (
    <label>
      {label}
      <input inputMode="numeric" size={5} maxLength={4} value={text} data-testid={id} onInput={(ev) => set(ev.currentTarget.value)} />
    </label>
  );
  return (
    <form class="calculator" aria-label={t("expected.try")} onSubmit={(ev) => ev.preventDefault()}>
      {field(t("expected.own"), own, setOwn, "own-rating")}
      {field(t("expected.other"), other, setOther, "other-rating")}
      {field(t("expected.games"), games, setGames, "own-games")}
      <p role="status" data-testid="worked-out">
        {good
          ? `K ${k}. ${t("expected.answer", {
              expected: hundredths(e),
              win: change(a, k, 2, e),
              draw: change(a, k, 1, e),
              loss: change(a, k, 0, e),
            })}`
          : t("expected.range")}
      </p>
    </form>
  );
}

// ---- classes ----------------------------------------------------------------------------------

// The least rating of each class; the last has none.
const CLASSES = [2600, 2400, 2200, 2000, 1800, 1600, 1400, 1200, null] as const;
const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
const GROUPS = [
  { group: "A", from: 1900, to: null },
  { group: "B", from: 1600, to: 1899 },
  { group: "C", from: null, to: 1599 },
] as const;

function spanText(from: number | null, to: number | null): string {
  if (to === null) return t("classes.over", { from: String(from ?? 0) });
  return from === null ? t("classes.under", { to: String(to + 1) }) : `${from}–${to}`;
}

export function RatingClassesPage(): JSX.Element {
  return (
    <RatingsFrame title={t("ratings.classes")}>
      <p>{t("classes.what")}</p>
      <table class="narrow-table" data-testid="classes">
        <thead>
          <tr>
            <th scope="col" class="right">{t("ratings.class")}</th>
            <th scope="col">{t("ratings.rating")}</th>
            <th scope="col">{t("classes.level")}</th>
          </tr>
        </thead>
        <tbody>
          {NUMBERS.map((n) => (
            <tr key={n}>
              <td class="right">{number(n)}</td>
              <td class="nowrap">{spanText(CLASSES[n - 1]!, n === 1 ? null : CLASSES[n - 2]! - 1)}</td>
              <td>{t(`class.${n}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>{t("classes.groups")}</h2>
      <p>{t("classes.groups_what")}</p>
      <table class="narrow-table">
        <thead>
          <tr>
            <th scope="col">{t("classes.group")}</th>
            <th scope="col">{t("ratings.rating")}</th>
          </tr>
        </thead>
        <tbody>
          {GROUPS.map(({ group, from, to }) => (
            <tr key={group}>
              <td>{group}</td>
              <td>{spanText(from, to)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </RatingsFrame>
  );
}
