// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is to be known or answered right now: offers, claims, a variation on the board, refusals.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useStore } from "../app/store";
import { ArticleLink } from "../rules/link";
import { t } from "../i18n";
import { serverNow } from "../net/clock_offset";
import type { Color, Game } from "../net/types";
import { other } from "./clock";
import { isOver } from "./fold";
import { rowsOf } from "./moves";
import type { GameSession, GameState } from "./session";
import type { WriteMove } from "./write";
import { wrongClaimArticle } from "./words";

interface PromptsProps {
  session: GameSession;
  state: GameState;
  game: Game;
  side: Color | null;
  write: WriteMove;
}

export function Prompts({ session, state, game, side, write }: PromptsProps): JSX.Element {
  const running = game.state === "running";
  const { line, notice, viewed } = state;
  const variation = line !== null && !line.shown && session.ready() === null;
  return (
    <div class="prompts" data-testid="prompts">
      {game.state === "scheduled" && <p class="prompt">{t("game.scheduled")}</p>}
      {game.state === "stopped" && (
        <p class="prompt" role="status" data-testid="verdict-awaited">
          {t("game.verdict_awaited")}
        </p>
      )}
      {running && game.first_move_by !== null && (
        <Until at={game.first_move_by}>
          {(n) => (
            <p class="prompt" data-testid="first-move">
              {game.turn === side ? t("game.first_move_own", { n }) : t("game.first_move", { n })}
            </p>
          )}
        </Until>
      )}
      {running && side && game.offer === other(side) && (
        <div class="prompt asking" role="alert" data-testid="draw-offered">
          <p>{t("game.offered")}</p>
          <p class="buttons">
            <button class="primary" data-testid="accept-draw" onClick={() => void session.draw("accept")}>
              {t("game.accept")}
            </button>
            <button data-testid="decline-draw" onClick={() => void session.draw("decline")}>
              {t("game.decline")}
            </button>
          </p>
        </div>
      )}
      {running && game.offer !== null && game.offer !== (side && other(side)) && (
        <p class="prompt" data-testid="draw-stands">
          {side ? t("game.offer_sent") : t("game.offer_of", { color: t(`color.${game.offer}`) })}
        </p>
      )}
      {running && game.bound_move !== null && (
        <p class="prompt" data-testid="bound-move">
          {t("game.bound", {
            move: write(session.core.move(game.fen, game.bound_move)),
            article: wrongClaimArticle(game.edition),
          })}
        </p>
      )}
      {running && side && game.abandon_claim_at !== null && <Abandoned session={session} at={game.abandon_claim_at} />}
      {state.claiming && !line && (
        <div class="prompt asking">
          <p>{t("game.claim_set_up")}</p>
          <p class="buttons">
            <button onClick={() => session.setClaiming(false)}>{t("common.cancel")}</button>
          </p>
        </div>
      )}
      {variation && (
        <div class="prompt" data-testid="variation">
          <p>
            {t("game.variation", { n: line.plies.length })}
            {line.base !== game.ply && !isOver(game) && <> {t("game.opponent_moved")}</>}
          </p>
          <p class="buttons">
            {(!side || isOver(game)) && <button onClick={() => session.back()}>{t("game.back")}</button>}
            <button class="plain link" onClick={() => session.toGame()}>
              {t("game.to_game")}
            </button>
          </p>
        </div>
      )}
      {viewed !== null && !isOver(game) && (
        <div class="prompt" data-testid="looking-back">
          <p>{viewed === 0 ? t("game.looking_back_start") : t("game.looking_back", { move: numbered(game, viewed, write) })}</p>
          <p class="buttons">
            <button data-testid="to-game" onClick={() => session.toGame()}>
              {t("game.to_game")}
            </button>
          </p>
        </div>
      )}
      {side && <UnreadChat session={session} />}
      <div role="alert">
        {notice && (
          <p class={notice.bad ? "prompt error" : "prompt"} data-testid="notice">
            {t(notice.key, notice.params)}{" "}
            {notice.article && (
              <span class="quiet" data-testid="notice-article">
                <ArticleLink article={notice.article} edition={game.edition} />.{" "}
              </span>
            )}
            <button class="plain" onClick={() => session.hush()} aria-label={t("common.close")}>
              ×
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

// The chat stands below the board on a phone: that something was said is told here.
function UnreadChat({ session }: { session: GameSession }): JSX.Element | null {
  const { unread, open } = useStore(session.chat.state);
  if (unread === 0 || open) return null;
  const read = (): void => {
    session.chat.setOpen(true);
    document.querySelector(".chat")?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div class="prompt" data-testid="chat-waiting">
      <p>
        {t("chat.mini")}: {t("chat.unread", { n: unread })}
      </p>
      <p class="buttons">
        <button data-testid="chat-read" onClick={read}>
          {t("chat.read")}
        </button>
      </p>
    </div>
  );
}

// "12. Nf3" or "12… Nf6".
function numbered(game: Game, ply: number, write: WriteMove): string {
  const row = rowsOf(game).find((r) => r.white === ply || r.black === ply);
  const move = game.moves[ply - 1];
  return `${row?.number ?? ""}${row?.white === ply ? "." : "…"} ${move ? write(move) : ""}`;
}

// Counts down to an instant in whole seconds.
function Until({ at, children }: { at: number; children: (seconds: number) => ComponentChildren }): JSX.Element {
  const [, redraw] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => redraw((n) => n + 1), 500);
    return () => window.clearInterval(timer);
  }, [at]);
  return <>{children(Math.max(0, Math.ceil((at - serverNow()) / 1000)))}</>;
}

// The opponent has left: after a while the game may be claimed, or waited for.
function Abandoned({ session, at }: { session: GameSession; at: number }): JSX.Element {
  return (
    <Until at={at}>
      {(n) => (
        <div class="prompt asking" data-testid="abandoned">
          <p>{n > 0 ? t("game.left", { n }) : t("game.left_claim")}</p>
          {n === 0 && (
            <p class="buttons">
              <button
                class="primary"
                data-testid="abandon-win"
                onClick={() => void session.act("abandon", { act: "win" })}
              >
                {t("game.claim_win")}
              </button>
              <button data-testid="abandon-draw" onClick={() => void session.act("abandon", { act: "draw" })}>
                {t("game.claim_draw_left")}
              </button>
            </p>
          )}
        </div>
      )}
    </Until>
  );
}
