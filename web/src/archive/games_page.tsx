// SPDX-License-Identifier: GPL-3.0-or-later
//
// The archive: finished games by player, result, list, edition and date, and the same as PGN. The
// filter stands in the address, so that a search can be sent to a friend.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { navigate, place } from "../app/router";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { editionYear } from "../game/words";
import { t } from "../i18n";
import { GameTable } from "../lobby/game_table";
import { ApiError, request } from "../net/api";
import { EDITIONS, type GameRow } from "../net/types";
import { LISTS } from "../ratings/api";
import { errorText } from "../ui/errors";

const FIELDS = ["player", "result", "list", "edition", "from", "to"] as const;
type Filter = Partial<Record<(typeof FIELDS)[number], string>>;

const RESULTS = ["1-0", "0-1", "1/2-1/2"] as const;
const RESULT_TEXT = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" };

function read(query: URLSearchParams): Filter {
  const filter: Filter = {};
  for (const field of FIELDS) {
    const value = query.get(field)?.trim();
    if (value) filter[field] = value;
  }
  return filter;
}

// Days of the reader's own calendar; the last one counts to its end.
function instant(day: string, after: number): number {
  const [y, m, d] = day.split("-").map(Number) as [number, number, number];
  return new Date(y, m - 1, d + after).getTime();
}

function apiQuery(filter: Filter): string {
  const query = new URLSearchParams();
  for (const field of FIELDS) {
    const value = filter[field];
    if (!value) continue;
    const day = field === "from" ? instant(value, 0) : field === "to" ? instant(value, 1) : null;
    if (day === null) query.set(field, value);
    else if (Number.isFinite(day)) query.set(field, String(Math.max(0, day)));
  }
  return query.toString();
}

export function GamesPage(): JSX.Element {
  const { query } = useStore(place);
  const filter = read(query);
  const asked = apiQuery(filter);
  const [games, setGames] = useState<GameRow[] | null>(null);
  const [after, setAfter] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const title = t("archive.title");
  useEffect(() => setTitle(title), [title]);

  const load = async (from: GameRow[], cursor: string | null): Promise<void> => {
    const more = cursor === null ? "" : `&after=${encodeURIComponent(cursor)}`;
    try {
      const page = await request<{ games: GameRow[]; after: string | null }>("GET", `/games?limit=25${asked && `&${asked}`}${more}`);
      setGames([...from, ...page.games]);
      setAfter(page.after);
      setError(null);
    } catch (e) {
      setGames(from);
      setAfter(null);
      setError(e);
    }
  };
  useEffect(() => void load([], null), [asked]);

  const unknown = error instanceof ApiError && error.code === "not_found";
  return (
    <section class="sheet archive">
      <h1>{title}</h1>
      <FilterForm filter={filter} key={asked} />
      {unknown && <p class="error" role="alert">{t("player.unknown")}</p>}
      {error !== null && !unknown && <p class="error" role="alert">{errorText(error)}</p>}
      {games && games.length === 0 && error === null && (
        <p class="empty" data-testid="no-games">{t("archive.none")}</p>
      )}
      {games && games.length > 0 && (
        <>
          <p>
            <a class="button" href={`/api/v1/games.pgn${asked && `?${asked}`}`} download="games.pgn" data-testid="export">
              {t("archive.export")}
            </a>{" "}
            <span class="quiet">{t("archive.export_hint")}</span>
          </p>
          <GameTable games={games} nick={filter.player ?? ""} />
        </>
      )}
      {after !== null && games && (
        <p>
          <button data-testid="more-games" onClick={() => void load(games, after)}>{t("player.more")}</button>
        </p>
      )}
    </section>
  );
}

function FilterForm({ filter }: { filter: Filter }): JSX.Element {
  const submit = (e: Event): void => {
    e.preventDefault();
    const data = new FormData(e.currentTarget as HTMLFormElement);
    const query = new URLSearchParams();
    for (const field of FIELDS) {
      const value = String(data.get(field) ?? "").trim();
      if (value) query.set(field, value);
    }
    const text = query.toString();
    navigate(text === "" ? "/games" : `/games?${text}`);
  };
  const choice = (name: keyof Filter, label: string, options: readonly (readonly [string, string])[]): JSX.Element => (
    <label>
      {label}
      <select name={name} data-testid={`filter-${name}`}>
        <option value="">{t("archive.any")}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={filter[name] === value}>{text}</option>
        ))}
      </select>
    </label>
  );
  return (
    <form class="filter" onSubmit={submit} role="search" aria-label={t("archive.title")}>
      <label>
        {t("table.player")}
        <input name="player" maxLength={20} defaultValue={filter.player ?? ""} autocomplete="off" data-testid="filter-player" />
      </label>
      {choice("result", t("table.result"), RESULTS.map((r) => [r, RESULT_TEXT[r]] as const))}
      {choice("list", t("archive.list"), LISTS.map((l) => [l, t(`list.${l}`)] as const))}
      {choice("edition", t("archive.edition"), EDITIONS.map((e) => [e, editionYear(e)] as const))}
      <label>
        {t("archive.from")}
        <input type="date" name="from" defaultValue={filter.from ?? ""} data-testid="filter-from" />
      </label>
      <label>
        {t("archive.to")}
        <input type="date" name="to" defaultValue={filter.to ?? ""} data-testid="filter-to" />
      </label>
      <button class="primary" data-testid="search">{t("archive.search")}</button>
    </form>
  );
}
