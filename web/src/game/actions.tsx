// SPDX-License-Identifier: GPL-3.0-or-later
//
// The row under the board: Move!, Back, the tick for a draw offer, claim, resign, abort, flag.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { dead } from "../core/dead";
import { t } from "../i18n";
import { api } from "../net/api";
import type { Color, Game } from "../net/types";
import { Dialog } from "../ui/dialog";
import { isLive, other } from "./clock";
import { errorText } from "../ui/errors";
import { showFlash } from "../ui/flash";
import type { GameSession, GameState } from "./session";
import type { WriteMove } from "./write";

interface ActionsProps {
  session: GameSession;
  state: GameState;
  game: Game;
  side: Color;
  write: WriteMove;
}

type Question = "resign" | "claim" | null;

export function Actions({ session, state, game, side, write }: ActionsProps): JSX.Element {
  const [question, setQuestion] = useState<Question>(null);
  const ready = session.ready();
  const confirming = session.confirms(game) || state.line !== null;
  const myTurn = game.state === "running" && game.turn === side;
  const mayAbort = game.ply < 2;
  return (
    <div class="actions" data-testid="actions">
      {confirming && (
        <span class="confirm">
          {state.claiming ? (
            <button class="primary" data-testid="claim-with" disabled={!ready} onClick={() => void session.claim()}>
              {ready ? t("game.claim_with", { move: write(ready) }) : t("game.claim_draw")}
            </button>
          ) : (
            <button class="primary" data-testid="confirm-move" disabled={!ready} onClick={() => session.confirm()}>
              {t("game.confirm")}
            </button>
          )}
          <button data-testid="back-move" disabled={!state.line} onClick={() => session.back()}>
            {t("game.back")}
          </button>
        </span>
      )}
      <label class="draw-tick">
        <input
          type="checkbox"
          data-testid="offer-draw"
          checked={state.tick}
          onChange={(e) => session.setTick(e.currentTarget.checked)}
        />
        <span>{t("game.offer_draw")}</span>
      </label>
      <span class="gap" />
      {game.take_backs && (
        <button
          class="plain"
          data-testid="take-back"
          disabled={game.state !== "running" || game.ply < (side === "white" ? 1 : 2)}
          onClick={() => void api.takeBack(game.id).catch((e: unknown) => showFlash({ text: errorText(e) }))}
        >
          {t("game.take_back")}
        </button>
      )}
      {game.flag === "claim" && <FlagButton session={session} game={game} />}
      {game.touch && <TouchButtons session={session} state={state} game={game} side={side} />}
      {mayAbort ? (
        <button class="plain" data-testid="abort" onClick={() => void session.act("abort")}>
          {t("game.abort")}
        </button>
      ) : (
        <button
          class="plain"
          data-testid="claim-draw"
          disabled={!myTurn || state.sent !== null}
          title={myTurn ? undefined : t("game.claim_own_move")}
          onClick={() => setQuestion("claim")}
        >
          {t("game.claim_draw")}
        </button>
      )}
      <button
        class="plain"
        data-testid="resign"
        disabled={game.state !== "running"}
        onClick={() => setQuestion("resign")}
      >
        {t("game.resign")}
      </button>
      {question === "resign" && (
        <ResignQuestion session={session} game={game} side={side} onClose={() => setQuestion(null)} />
      )}
      {question === "claim" && (
        <ClaimQuestion session={session} game={game} write={write} onClose={() => setQuestion(null)} />
      )}
    </div>
  );
}

// Where nobody but the opponent may see a flag fall: the button, and the key F.
function FlagButton({ session, game }: { session: GameSession; game: Game }): JSX.Element {
  const [off, setOff] = useState(false);
  const running = game.state === "running";
  // A false press switches the button off for five seconds.
  const press = async (): Promise<void> => {
    if (off || !running) return;
    const fault = await session.act("flag");
    if (fault !== "flag_not_down" && fault !== "rate_limited") return;
    setOff(true);
    window.setTimeout(() => setOff(false), 5000);
  };
  useEffect(() => {
    const onKey = (e: KeyboardEvent): void => {
      if (e.key.toLowerCase() !== "f" || e.altKey || e.ctrlKey || e.metaKey || e.defaultPrevented) return;
      if ((e.target as Element).closest?.("input, select, textarea, dialog, [role=dialog]")) return;
      e.preventDefault();
      void press();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
  return (
    <button data-testid="flag" disabled={off || !running} aria-keyshortcuts="F" onClick={() => void press()}>
      {t("game.flag")}
    </button>
  );
}

interface TouchProps {
  session: GameSession;
  state: GameState;
  game: Game;
  side: Color;
}

// J'adoube; and where touching obliges only on the opponent's request (rapid and blitz up to 2009),
// the request.
function TouchButtons({ session, state, game, side }: TouchProps): JSX.Element {
  const onRequest = game.pace !== "standard" && game.edition < "fide-2014";
  return (
    <>
      <button
        data-testid="adjust"
        aria-pressed={state.adjusting}
        disabled={game.state !== "running" || game.turn !== side}
        title={t("touch.adjust_hint")}
        onClick={() => session.adjust()}
      >
        {t("touch.adjust")}
      </button>
      {onRequest && (
        <button
          class="plain"
          data-testid="claim-touch"
          disabled={game.state !== "running"}
          title={t("touch.claim_hint")}
          onClick={() => void session.act("claim_touch")}
        >
          {t("touch.claim")}
        </button>
      )}
    </>
  );
}

// Tells beforehand how it will end: a loss, or under the 2023 Laws a draw when the opponent cannot
// mate by any series of legal moves (Article 5.1.2).
function ResignQuestion(p: { session: GameSession; game: Game; side: Color; onClose: () => void }): JSX.Element {
  const opponent = other(p.side);
  const asks = p.game.edition === "fide-2023";
  const [drawn, setDrawn] = useState<boolean | null>(asks ? null : false); // null: not known yet
  useEffect(() => {
    if (!asks) return;
    let gone = false;
    setDrawn(null);
    dead(p.game.fen).then(
      (answer) => gone || setDrawn(answer[opponent].verdict === "impossible"),
      () => gone || setDrawn(false),
    );
    return () => {
      gone = true;
    };
  }, [p.game.fen]);
  return (
    <Dialog title={t("game.resign_title")} onClose={p.onClose} testid="resign-question">
      <p aria-live="polite">
        {drawn === null ? t("common.loading") : drawn ? t("game.resign_draw") : t("game.resign_loss")}
      </p>
      <p class="buttons">
        <button
          class="primary"
          data-testid="resign-yes"
          onClick={() => {
            p.onClose();
            void p.session.act("resign");
          }}
        >
          {t("game.resign_yes")}
        </button>
        <button data-testid="resign-no" onClick={p.onClose}>
          {t("common.cancel")}
        </button>
      </p>
    </Dialog>
  );
}

interface ClaimProps {
  session: GameSession;
  game: Game;
  write: WriteMove;
  onClose: () => void;
}

// What a wrong claim gives the opponent, by the edition (Article 9.5).
function bonusMinutes(game: Game): number {
  if (game.edition === "fide-2023") return game.pace === "standard" ? 2 : 1;
  if (game.edition === "fide-2014") return game.pace === "blitz" ? 1 : 2;
  return 3;
}

function ClaimQuestion({ session, game, write, onClose }: ClaimProps): JSX.Element {
  const ready = session.ready();
  const cost = !isLive(game.control)
    ? t("game.claim_cost_none")
    : t(game.edition < "fide-2009" ? "game.claim_cost_cut" : "game.claim_cost", { n: bonusMinutes(game) });
  return (
    <Dialog title={t("game.claim_title")} onClose={onClose} testid="claim-question">
      <p>{t("game.claim_rule")}</p>
      <p>
        {cost} {isLive(game.control) && (game.edition === "fide-1997" || game.edition === "fide-2005") && t("game.claim_cut")}
      </p>
      <p class="buttons column">
        {ready ? (
          <button
            class="primary"
            data-testid="claim-with-yes"
            onClick={() => {
              onClose();
              void session.claim();
            }}
          >
            {t("game.claim_with", { move: write(ready) })}
          </button>
        ) : (
          <>
            <button
              class="primary"
              data-testid="claim-yes"
              onClick={() => {
                onClose();
                session.toGame();
                void session.claim();
              }}
            >
              {t("game.claim_now")}
            </button>
            <button
              data-testid="claim-move"
              onClick={() => {
                onClose();
                session.setClaiming(true);
              }}
            >
              {t("game.claim_move")}
            </button>
          </>
        )}
        <button data-testid="claim-no" onClick={onClose}>
          {t("common.cancel")}
        </button>
      </p>
    </Dialog>
  );
}
