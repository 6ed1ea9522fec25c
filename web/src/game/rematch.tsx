// SPDX-License-Identifier: GPL-3.0-or-later
//
// After the end: the same again with colours reversed, or with anybody (S-041, X-015).
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { declined, myChallenges } from "../app/mygames";
import { navigate } from "../app/router";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { t } from "../i18n";
import { api, ApiError } from "../net/api";
import type { Color, Game } from "../net/types";
import { errorText } from "../ui/errors";
import { INITIAL } from "./fold";

export function Rematch({ game, side }: { game: Game; side: Color }): JSX.Element | null {
  const account = useStore(me);
  const challenges = useStore(myChallenges).filter((c) => c.rematch === game.id);
  const wasDeclined = useStore(declined).has(game.id);
  const [error, setError] = useState<unknown>(null);
  const opponent = side === "white" ? game.black : game.white;
  if (!account || game.type === "computer") return null;
  const theirs = challenges.find((c) => c.nick !== account.nick);
  const own = challenges.find((c) => c.nick === account.nick);
  const attempt = (what: () => Promise<void>): void => {
    setError(null);
    what().catch(setError);
  };
  const ask = async (): Promise<void> => {
    const answer = await api.rematch(game.id);
    if ("game" in answer) navigate(`/game/${answer.game}`);
  };
  const again = async (): Promise<void> => {
    const { type, control, edition, flag, touch, rated } = game;
    if (type === "computer") return;
    const fen = game.start_fen === INITIAL ? {} : { fen: game.start_fen };
    await api.createChallenge({ type, control, edition, flag, touch, rated, color: "random", ...fen });
    navigate("/play");
  };
  const no = wasDeclined || (error instanceof ApiError && error.code === "conflict");
  return (
    <div class="rematch" data-testid="rematch-area">
      <div role="status">
        {theirs && <p>{t("rematch.asked", { nick: theirs.nick })}</p>}
        {own && <p data-testid="rematch-sent">{t("rematch.sent")}</p>}
        {no && <p data-testid="rematch-declined">{t("rematch.declined")}</p>}
      </div>
      <p class="buttons">
        {theirs ? (
          <>
            <button class="primary" data-testid="rematch-accept" onClick={() => attempt(ask)}>
              {t("game.accept")}
            </button>
            <button data-testid="rematch-decline" onClick={() => attempt(() => api.declineChallenge(theirs.id))}>
              {t("game.decline")}
            </button>
          </>
        ) : own ? (
          <button data-testid="rematch-cancel" onClick={() => attempt(() => api.cancelChallenge(own.id))}>
            {t("lobby.cancel")}
          </button>
        ) : (
          opponent.nick !== null && !no && (
            <button class="primary" data-testid="rematch" onClick={() => attempt(ask)}>
              {t("rematch.ask")}
            </button>
          )
        )}
        <button data-testid="play-again" onClick={() => attempt(again)}>
          {t("rematch.again")}
        </button>
      </p>
      {error !== null && !no && <p class="error" role="alert">{errorText(error)}</p>}
    </div>
  );
}
