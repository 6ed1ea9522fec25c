// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the pages about ratings ask the server.
import { request } from "../net/api";
import type { Color, RatingList } from "../net/types";

export const LISTS: readonly RatingList[] = ["classic", "advance", "rapid", "blitz"];

export interface Score {
  rating: number;
  provisional: boolean;
  class: number;
  games: number;
  wins: number;
  draws: number;
  losses: number;
}
export interface TableRow extends Score {
  place: number;
  nick: string;
  month: number;
  last: number;
}
export interface Standing extends Score {
  place: number | null;
  last: number | null;
}
export interface RatedGame {
  game: string;
  ended: number;
  color: Color;
  opponent: string | null;
  opponent_rating: number;
  score: "0" | "1/2" | "1";
  before: number;
  after: number;
  k: number;
  e: number;
}
export interface ExpectedRow {
  from: number;
  to: number | null;
  higher: number;
  lower: number;
}

const part = encodeURIComponent;
const cursor = (after: string | null): string => (after === null ? "" : `&after=${part(after)}`);

export const ratingsApi = {
  table: (list: RatingList, all: boolean, after: string | null) =>
    request<{ players: TableRow[]; after: string | null }>(
      "GET",
      `/ratings/${list}?limit=50${all ? "&all=1" : ""}${cursor(after)}`,
    ),
  expected: () => request<{ rows: ExpectedRow[] }>("GET", "/ratings/expected"),
  standings: (nick: string) =>
    request<{ lists: Record<RatingList, Standing> }>("GET", `/players/${part(nick)}/ratings`),
  history: (nick: string, list: RatingList, after: string | null) =>
    request<{ games: RatedGame[]; after: string | null }>(
      "GET",
      `/players/${part(nick)}/ratings?list=${list}&limit=25${cursor(after)}`,
    ),
  graph: (nick: string, list: RatingList) =>
    request<{ points: [number, number][] }>("GET", `/players/${part(nick)}/ratings/graph?list=${list}`),
};
