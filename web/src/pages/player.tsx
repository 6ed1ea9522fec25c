// SPDX-License-Identifier: GPL-3.0-or-later
//
// A player's page: figures and games, newest first.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { date, number, t } from "../i18n";
import { GameTable } from "../lobby/game_table";
import { api, ApiError } from "../net/api";
import type { GameRow, Player } from "../net/types";
import { PeopleButtons } from "../people/buttons";
import { PlayerRatings } from "../ratings/player";
import { errorText } from "../ui/errors";
import { NotFoundPage } from "./not_found";
import { Presence } from "../ui/seat";

const PAGE = 25;

export function PlayerPage({ nick }: { nick: string }): JSX.Element | null {
  const account = useStore(me);
  const [player, setPlayer] = useState<Player | null>(null);
  const [games, setGames] = useState<GameRow[] | null>(null);
  const [after, setAfter] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => setTitle(player?.nick ?? nick), [player, nick]);

  const more = async (): Promise<void> => {
    setBusy(true);
    try {
      const page = await api.playerGames(nick, PAGE, after);
      setGames([...(games ?? []), ...page.games]);
      setAfter(page.after);
      setError(null);
    } catch (e) {
      setError(e);
    }
    setBusy(false);
  };
  useEffect(() => {
    api.player(nick).then((p) => {
      setPlayer(p);
      void more();
    }, setError);
  }, []);

  if (error instanceof ApiError && error.code === "not_found" && !player)
    return <NotFoundPage what={t("player.unknown")} />;
  if (!player) return error ? <p class="sheet error">{errorText(error)}</p> : null;
  const own = account?.nick === player.nick;
  return (
    <section class="sheet">
      <h1>
        {player.nick} <Presence online={own || player.online} />
      </h1>
      <p class="quiet">{t("player.since", { date: date(player.created) })}</p>
      {account && !own && (
        <p>
          <a class="button" href={`/?to=${encodeURIComponent(player.nick)}`} data-testid="challenge-player">
            {t("player.challenge")}
          </a>{" "}
          <a href={`/account/blocks?nick=${encodeURIComponent(player.nick)}`} data-testid="block-player">
            {t("player.block")}
          </a>
        </p>
      )}
      <dl class="figures">
        <Figure name={t("player.games")} value={player.games} />
        <Figure name={t("player.wins")} value={player.wins} />
        <Figure name={t("player.draws")} value={player.draws} />
        <Figure name={t("player.losses")} value={player.losses} />
      </dl>
      {account && !own && <PeopleButtons nick={player.nick} />}
      <PlayerRatings nick={player.nick} />
      <h2>{t("player.games")}</h2>
      {games && games.length === 0 && (
        <p class="empty">
          {own ? t("player.no_games_own") : t("player.no_games")}{" "}
          <a class="button" href="/">
            {t("lobby.new")}
          </a>
        </p>
      )}
      {games && games.length > 0 && <GameTable games={games} nick={player.nick} />}
      {error !== null && <p class="error">{errorText(error)}</p>}
      {after !== null && (
        <p>
          <button data-testid="more-games" disabled={busy} onClick={() => void more()}>
            {t("player.more")}
          </button>
        </p>
      )}
    </section>
  );
}

function Figure({ name, value }: { name: string; value: number }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{number(value)}</dd>
    </div>
  );
}
