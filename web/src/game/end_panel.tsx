// SPDX-License-Identifier: GPL-3.0-or-later
//
// The end of a game: the result, why, by which article, and where to go from here.
import { Fragment, type JSX } from "preact";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { ArticleLink } from "../rules/link";
import { t } from "../i18n";
import { changeText } from "../ui/rating";
import { pgnUrl } from "../net/api";
import type { Color, Game } from "../net/types";
import { later } from "../ui/later";
import type { GameSession } from "./session";
import type { WriteMove } from "./write";
import { outcomeText, reasonText, resultText } from "./words";

interface Props {
  session: GameSession;
  game: Game;
  side: Color | null;
  write: WriteMove;
  onReplay: () => void;
}

// Only the end of a game asks for them, so only then they are loaded.
const MateShown = later(async () => (await import("./mate_shown")).MateShown, ["mate"]);
const Ruling = later(async () => (await import("./ruling")).Ruling, ["ruling"]);
const Rematch = later(async () => (await import("./rematch")).Rematch, ["rematch"]);

export function EndPanel({ session, game, side, write, onReplay }: Props): JSX.Element {
  const account = useStore(me);
  return (
    <section class="end" aria-labelledby="end-title" data-testid="game-result" data-result={game.result} data-reason={game.reason}>
      <h2 id="end-title">
        <span class="end-score">{resultText(game.result)}</span> {outcomeText(game)}
      </h2>
      {game.reason && <p>{reasonText(game.reason)}.</p>}
      {game.corrected && (
        <p data-testid="corrected">
          <b>{t("game.corrected")}</b>
        </p>
      )}
      {game.ratings && (
        <p class="rating-changes" data-testid="rating-changes">
          {(["white", "black"] as const).map((color) => (
            <Fragment key={color}>
              <span>
                {game[color].nick ?? t("player.former")} <b>{game.ratings![color].after}</b> (
                {changeText(game.ratings![color])})
              </span>{" "}
            </Fragment>
          ))}
        </p>
      )}
      {game.article && (
        <p class="quiet small">
          <ArticleLink article={game.article} edition={game.edition} />
        </p>
      )}
      {side && <Rematch game={game} side={side} />}
      <MateShown session={session} game={game} write={write} />
      {account?.roles.includes("admin") && game.state === "ended" && (
        <Ruling game={game} onDone={() => void session.reload()} />
      )}
      <p class="buttons">
        <button data-testid="replay" onClick={onReplay}>
          {t("game.replay")}
        </button>
        <a class="button" href={`/analysis?game=${game.id}`} data-testid="end-board">
          {t("game.analysis_board")}
        </a>
        <a class="button" href={`/game/${game.id}/analysis`} data-testid="end-analysis">
          {t("game.analysis")}
        </a>
        {game.ply > 1 && (
          <a class="button" href={`/analysis?game=${game.id}&report=1`} data-testid="end-report">
            {t("game.report")}
          </a>
        )}
        <a class="button" href={pgnUrl(game.id)} download={`${game.id}.pgn`} data-testid="pgn">
          PGN
        </a>
        <a class="button" href="/" data-testid="new-game">
          {t("lobby.new")}
        </a>
      </p>
    </section>
  );
}
