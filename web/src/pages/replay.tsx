// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Game analysis": a game from its start, read-only. A running one is followed as it goes on.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { me } from "../app/session";
import { createStore, useStore } from "../app/store";
import { setTitle } from "../app/title";
import type { BoardCore } from "../core/core";
import { loadBoard } from "../core/load";
import { fold } from "../game/fold";
import { Replay } from "../game/replay";
import { t } from "../i18n";
import { follow } from "../net/socket";
import type { Game } from "../net/types";
import { NotFoundPage } from "./not_found";

export function ReplayPage({ id }: { id: string }): JSX.Element {
  const [core, setCore] = useState<BoardCore | null>(null);
  const [failed, setFailed] = useState(false);
  const [refused, setRefused] = useState(false);
  const [game] = useState(() => createStore<Game | null>(null));
  const shown = useStore(game);
  const own = useStore(me);
  useEffect(() => {
    loadBoard().then(setCore, () => setFailed(true));
    return follow(`game:${id}`, {
      message: (message) => game.set(fold(game.get(), message)),
      refused: () => setRefused(true),
    });
  }, [id]);
  const names = shown && [shown.white, shown.black].map((seat) => seat.nick ?? t("player.former")).join(" – ");
  const title = names ? `${t("game.analysis")}: ${names}` : t("game.analysis");
  useEffect(() => setTitle(title), [title]);
  if (refused) return <NotFoundPage what={t("not_found.game")} />;
  if (failed) return <p class="sheet error">{t("game.core_failed")}</p>;
  if (!core || !shown) return <p class="loading">{t("common.loading")}</p>;
  return (
    <>
      <h1 class="replay-title">{title}</h1>
      <p class="replay-back">
        <a href={`/game/${id}`} data-testid="back-to-game">
          {t("replay.to_game")}
        </a>
      </p>
      <Replay game={shown} core={core} home={shown.black.nick === own?.nick && own ? "black" : "white"} />
    </>
  );
}
