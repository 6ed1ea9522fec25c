// SPDX-License-Identifier: GPL-3.0-or-later
//
// On the analysis board: what is true of the move one stands at, and a hint by the reader's own engine
// as an arrow with one line why (L-024, L-052, L-054).
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Engine, scoreText, type Score } from "../analysis/engine";
import { forbidding, type Forbidding } from "../analysis/fair_play";
import type { Study } from "../analysis/study";
import { pathTo } from "../analysis/tree";
import { useStore } from "../app/store";
import { loadTutor, type Fact, type Phase } from "../core/tutor";
import type { WriteMove } from "../game/write";
import { t } from "../i18n";
import { BeforeMove, FactLine, useFacts } from "./before";

const HINT_MS = 1000;

interface Found {
  fen: string;
  uci: string;
  san: string;
  score: Score;
  reason: Fact | null;
}

interface Props {
  study: Study;
  write: WriteMove;
  onArrow: (uci: string | null) => void;
}

export function ExplainPanel({ study, write, onArrow }: Props): JSX.Element {
  const { at, tree } = useStore(study.state);
  const facts = useFacts(at.parent?.fen ?? at.fen, at.parent ? at.uci : null);
  const [phase, setPhase] = useState<Phase | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const [asking, setAsking] = useState(false);
  const [why, setWhy] = useState<Forbidding | "failed" | null>(null);
  const engine = useRef<Engine | null>(null);
  const over = study.core.describe(at.fen).legal_moves.length === 0;

  useEffect(() => () => engine.current?.quit(), []);
  useEffect(() => {
    let gone = false;
    onArrow(null);
    loadTutor().then(
      (tutor) => gone || setPhase(tutor.position(at.fen).phase),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [at]);

  const ask = async (): Promise<void> => {
    const { fen } = at;
    const no = await forbidding([tree.root, ...pathTo(at)].map((n) => n.fen));
    setWhy(no);
    if (no) return;
    setAsking(true);
    try {
      engine.current ??= new Engine(() => setWhy("failed"));
      const [tutor, { lines }] = await Promise.all([
        loadTutor(),
        engine.current.think(fen, { lines: 1, depth: 0, ms: HINT_MS }, () => {}),
      ]);
      const best = lines[0];
      if (best?.pv[0]) {
        const told = tutor.move(fen, best.pv[0], best.pv);
        setFound({ fen, uci: best.pv[0], san: told.san, score: best.score, reason: told.reason });
        if (study.state.get().at.fen === fen) onArrow(best.pv[0]);
      }
    } catch {
      // told by the engine's own failure
    }
    setAsking(false);
  };

  const hint = found?.fen === at.fen ? found : null;
  return (
    <section class="explain" aria-labelledby="explain-title" data-testid="explain">
      <h2 id="explain-title">
        {t("hints.explain")}{" "}
        {phase && (
          <span class="quiet small" data-testid="phase">
            {t(`hints.phase.${phase}`)}
          </span>
        )}
      </h2>
      {facts ? <BeforeMove facts={facts} write={write} over={over} /> : <p class="quiet small">{t("hints.explain_none")}</p>}
      <p class="engine-row">
        <button data-testid="hint" disabled={asking || over} onClick={() => void ask()}>
          {t(asking ? "hints.asking" : "hints.hint")}
        </button>
      </p>
      <p role="status" class={why ? "warning" : "hint-found"} data-testid="hint-found">
        {why && t(why === "failed" ? "analysis.engine_failed" : `analysis.forbidden.${why}`)}
        {!why && hint && (
          <>
            <b>{write(hint)}</b> <span class="quiet">{scoreText(hint.score)}</span>
            {". "}
            {hint.reason ? <FactLine fact={hint.reason} write={write} /> : t("tutor.plain")}
          </>
        )}
      </p>
    </section>
  );
}
