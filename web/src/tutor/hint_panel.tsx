// SPDX-License-Identifier: GPL-3.0-or-later
//
// In a game against the computer: a hint with its reason (L-024), and the questions before a move
// (L-052). The server finds the hint and counts it; it gives none in a game against a person.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { local } from "../app/local";
import { scoreText } from "../analysis/engine";
import type { GameSession, GameState } from "../game/session";
import type { WriteMove } from "../game/write";
import { t } from "../i18n";
import { api, type Hint, type HintMove } from "../net/api";
import type { Color, Game } from "../net/types";
import { errorText } from "../ui/errors";
import { say } from "../ui/say";
import { BeforeMove, FactLine, useFacts } from "./before";

interface Props {
  session: GameSession;
  state: GameState;
  game: Game;
  side: Color;
  write: WriteMove;
}

// Told for the player; the board's panels speak for White.
const playersScore = ({ score }: HintMove): string => (score ? scoreText(score) : "");

// How much worse the one move is than the other, in hundredths of a pawn; null: it cannot be told so.
function lossOf(best: HintMove, other: HintMove): number | null {
  const { score: a } = best;
  const { score: b } = other;
  return a && b && "cp" in a && "cp" in b ? a.cp - b.cp : null;
}

export function HintPanel({ session, state, game, side, write }: Props): JSX.Element {
  const [asking, setAsking] = useState(false);
  const [found, setFound] = useState<{ ply: number; hint: Hint } | null>(null);
  const [error, setError] = useState("");
  const myMove = game.state === "running" && game.turn === side && !state.sent;
  const tried = session.ready();
  const facts = useFacts(game.fen, state.asksFirst ? (tried?.uci ?? null) : null);
  const hint = found?.ply === game.ply ? found.hint : null;

  useEffect(() => session.state.patch({ asksFirst: local.get("ask-first") === "1" }), [session]);
  useEffect(() => setError(""), [game.ply]);

  const setAsksFirst = (on: boolean): void => {
    local.set("ask-first", on ? "1" : "0");
    if (!on && state.line) session.toGame();
    session.state.patch({ asksFirst: on });
  };
  const ask = async (uci?: string): Promise<void> => {
    setAsking(true);
    setError("");
    try {
      const ply = game.ply;
      const answer = await api.hint(game.id, ply, uci);
      setFound({ ply, hint: answer });
      if (session.state.get().game?.ply === ply) session.state.patch({ hint: answer.best.uci });
      say(`${t("hints.best")}: ${write(answer.best)}`);
    } catch (e) {
      setError(errorText(e));
    }
    setAsking(false);
  };

  return (
    <section class="hints" aria-labelledby="hints-title" data-testid="hints">
      <h2 id="hints-title" class="unseen">
        {t("hints.title")}
      </h2>
      <p class="hints-row">
        <button data-testid="hint" disabled={!myMove || asking} onClick={() => void ask()}>
          {t(asking ? "hints.asking" : "hints.hint")}
        </button>
        <label class="hints-option">
          <input
            type="checkbox"
            data-testid="ask-first"
            checked={state.asksFirst}
            onChange={(e) => setAsksFirst(e.currentTarget.checked)}
          />
          <span>{t("hints.ask_first")}</span>
        </label>
        {game.hints > 0 && (
          <span class="quiet small" data-testid="hints-count">
            {t("hints.count", { n: game.hints })}
          </span>
        )}
      </p>
      {state.asksFirst && myMove && !tried && <p class="quiet small">{t("hints.ask_first_how")}</p>}
      {tried && facts && (
        <div class="tried" data-testid="tried">
          <h3>{t("hints.before", { move: write(tried) })}</h3>
          <BeforeMove facts={facts} write={write} />
          <p>
            <button class="plain link" data-testid="better" disabled={asking} onClick={() => void ask(tried.uci)}>
              {t("hints.better")}
            </button>
          </p>
        </div>
      )}
      <div role="status">
        {error && (
          <p class="error" data-testid="hint-error">
            {error}
          </p>
        )}
        {hint && (
          <p class="hint-found" data-testid="hint-found">
            <b>{write(hint.best)}</b> <span class="quiet">{playersScore(hint.best)}</span>
            {". "}
            {hint.best.reason ? <FactLine fact={hint.best.reason} write={write} /> : t("tutor.plain")}
          </p>
        )}
        {hint?.considered && (
          <p data-testid="compared">
            {compare(hint.best, hint.considered, write)}
          </p>
        )}
      </div>
    </section>
  );
}

function compare(best: HintMove, tried: HintMove, write: WriteMove): string {
  if (best.uci === tried.uci) return t("hints.is_best", { move: write(tried) });
  const loss = lossOf(best, tried);
  if (loss !== null && loss < 30) return t("hints.as_good", { move: write(tried) });
  return t("hints.is_worse", { move: write(tried), score: playersScore(tried), best: write(best), best_score: playersScore(best) });
}
