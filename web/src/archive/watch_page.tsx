// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is played right now: games on the clock with their spectators, looked at again every few
// seconds while the page is seen.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { setTitle } from "../app/title";
import { number, t } from "../i18n";
import { gameControlText } from "../lobby/controls";
import { RatedName } from "../lobby/game_table";
import { request } from "../net/api";
import type { GameRow } from "../net/types";
import { errorText } from "../ui/errors";

const EVERY_MS = 5000;
interface Watched {
  game: GameRow;
  spectators: number;
}

export function WatchPage(): JSX.Element {
  const [rows, setRows] = useState<Watched[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const title = t("watch.title");
  useEffect(() => setTitle(title), [title]);
  useEffect(() => {
    const look = async (): Promise<void> => {
      if (document.hidden) return;
      try {
        setRows((await request<{ games: Watched[] }>("GET", "/games/running")).games);
        setError(null);
      } catch (e) {
        setError(e);
      }
    };
    void look();
    const timer = window.setInterval(() => void look(), EVERY_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return (
    <section class="sheet">
      <h1>{title}</h1>
      {error !== null && <p class="error" role="alert">{errorText(error)}</p>}
      {rows && rows.length === 0 && (
        <p class="empty" data-testid="nothing-runs">
          {t("watch.none")} <a class="button" href="/games">{t("archive.title")}</a>
        </p>
      )}
      {rows && rows.length > 0 && (
        <div class="table-frame">
          <table data-testid="watch">
            <thead>
              <tr>
                <th scope="col">{t("color.white")}</th>
                <th scope="col">{t("color.black")}</th>
                <th scope="col" class="lesser">{t("table.control")}</th>
                <th scope="col" class="right lesser">{t("table.move")}</th>
                <th scope="col" class="right">{t("watch.spectators")}</th>
                <th scope="col"><span class="unseen">{t("table.open")}</span></th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ game, spectators }) => (
                <tr key={game.id} data-testid={`watch-${game.id}`}>
                  <td class="name-cell"><RatedName seat={game.white} /></td>
                  <td class="name-cell"><RatedName seat={game.black} /></td>
                  <td class="nowrap lesser">{gameControlText(game)}</td>
                  <td class="right lesser">{number(Math.floor(game.plies / 2) + 1)}</td>
                  <td class="right">{number(spectators)}</td>
                  <td class="right">
                    <a class="button" href={`/game/${game.id}`} aria-label={`${t("table.watch")}: ${game.white.nick ?? ""} – ${game.black.nick ?? ""}`}>
                      {t("table.watch")}
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows && rows.length > 0 && <p><a href="/games">{t("archive.title")}</a></p>}
    </section>
  );
}
