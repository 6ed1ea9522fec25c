// SPDX-License-Identifier: GPL-3.0-or-later
//
// The engine's lines for the position on the board, and the graph of a whole game. It thinks on the
// reader's own machine, and never while a game of the reader's runs that does not allow it.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useStore } from "../app/store";
import type { WriteMove } from "../game/write";
import { number, t } from "../i18n";
import { Engine, scoreHeight, scoreText, type EngineLine, type Score, type Thinking } from "./engine";
import { forbidding, type Forbidding } from "./fair_play";
import { EvaluationGraph } from "./graph";
import type { Study } from "./study";
import { pathTo, type Node } from "./tree";

const GRAPH_MS = 250; // a position
const DEPTHS = [12, 18, 24, 0] as const;

export function EnginePanel({ study, write }: { study: Study; write: WriteMove }): JSX.Element {
  const { at, tree, changed } = useStore(study.state);
  const [on, setOn] = useState(false);
  const [lines, setLines] = useState(2);
  const [depth, setDepth] = useState<number>(18);
  const [thinking, setThinking] = useState<Thinking | null>(null);
  const [why, setWhy] = useState<Forbidding | "failed" | null>(null);
  const [graph, setGraph] = useState<Map<number, Score> | null>(null);
  const [counting, setCounting] = useState(false);
  const engine = useRef<Engine | null>(null);
  const cancelled = useRef(false);
  const over = useMemo(() => study.core.describe(at.fen).legal_moves.length === 0, [at]);

  useEffect(() => () => engine.current?.quit(), []);
  useEffect(() => {
    setGraph(null);
    cancelled.current = true;
  }, [tree]);

  const theEngine = (): Engine =>
    (engine.current ??= new Engine(() => {
      setWhy("failed");
      setOn(false);
    }));

  useEffect(() => {
    if (!on || counting) return;
    let current = true;
    setThinking(null);
    if (over) {
      void engine.current?.stop();
      return;
    }
    void (async () => {
      const no = await forbidding(pathTo(at).map((n) => n.fen).concat(tree.root.fen));
      if (!current) return;
      setWhy(no);
      if (no) return setOn(false);
      const end = await theEngine().think(at.fen, { lines, depth }, (now) => current && setThinking(now));
      if (current) setThinking(end);
    })().catch(() => {});
    return () => {
      current = false;
      void engine.current?.stop();
    };
  }, [on, at, lines, depth, over, counting]);

  const main = useMemo(() => study.main(), [tree, changed]);
  const evaluate = async (): Promise<void> => {
    const nodes = [tree.root, ...main];
    const no = await forbidding(nodes.map((n) => n.fen));
    setWhy(no);
    if (no) return;
    cancelled.current = false;
    setCounting(true);
    const found = new Map<number, Score>();
    try {
      for (const node of nodes) {
        if (cancelled.current) break;
        const score = await scoreOf(study, theEngine(), node);
        if (score) found.set(node.id, score);
        setGraph(new Map(found));
      }
    } catch {
      // told by the engine's own failure
    }
    setCounting(false);
  };

  return (
    <section class="engine" aria-labelledby="engine-title" data-testid="engine">
      <h2 id="engine-title">{t("analysis.engine")}</h2>
      <p class="engine-row">
        <button
          class={on ? "" : "primary"}
          data-testid="engine-toggle"
          aria-pressed={on}
          disabled={counting}
          onClick={() => {
            setWhy(null);
            setOn(!on);
          }}
        >
          {t(on ? "analysis.engine_stop" : "analysis.engine_start")}
        </button>
        <label>
          {t("analysis.lines")}{" "}
          <select value={lines} data-testid="engine-lines" onChange={(e) => setLines(Number(e.currentTarget.value))}>
            {[1, 2, 3, 4, 5].map((n) => (
              <option key={n}>{n}</option>
            ))}
          </select>
        </label>
        <label>
          {t("analysis.depth")}{" "}
          <select value={depth} data-testid="engine-depth" onChange={(e) => setDepth(Number(e.currentTarget.value))}>
            {DEPTHS.map((n) => (
              <option key={n} value={n}>
                {n === 0 ? "∞" : n}
              </option>
            ))}
          </select>
        </label>
      </p>
      <p role="status" class={why ? "warning" : "quiet small"} data-testid="engine-status">
        {why
          ? t(why === "failed" ? "analysis.engine_failed" : `analysis.forbidden.${why}`)
          : on && over
            ? t("analysis.game_over")
            : on && thinking
              ? t("analysis.thinking", { depth: thinking.depth, nps: number(Math.round(thinking.nps / 1000)) })
              : t("analysis.engine_own")}
      </p>
      {on && thinking && !over && (
        <ol class="engine-lines" data-testid="engine-found">
          {thinking.lines.map((line, i) => (
            <Line key={i} study={study} fen={thinking.fen} line={line} write={write} first={i === 0} />
          ))}
        </ol>
      )}
      {main.length > 1 && (
        <p class="engine-row">
          <button
            data-testid="evaluate"
            disabled={on && !counting}
            onClick={() => (counting ? (cancelled.current = true) : void evaluate())}
          >
            {t(counting ? "analysis.engine_stop" : "analysis.evaluate")}
          </button>
          {counting && <progress max={main.length + 1} value={graph?.size ?? 0} aria-label={t("analysis.evaluate")} />}
        </p>
      )}
      {graph && (
        <EvaluationGraph
          nodes={[tree.root, ...main]}
          heights={[tree.root, ...main].map((n) => (graph.has(n.id) ? scoreHeight(graph.get(n.id)!) : null))}
          at={at}
          onGo={(node) => study.go(node)}
        />
      )}
    </section>
  );
}

async function scoreOf(study: Study, engine: Engine, node: Node): Promise<Score | null> {
  const position = study.core.describe(node.fen);
  if (position.checkmate) return { mate: position.side_to_move === "white" ? -1 : 1 };
  if (position.legal_moves.length === 0) return { cp: 0 };
  const { lines } = await engine.think(node.fen, { lines: 1, depth: 0, ms: GRAPH_MS }, () => {});
  return lines[0]?.score ?? null;
}

// A line as moves; a press plays its first move, the sign beside it keeps the whole line.
function Line({ study, fen, line, write, first }: { study: Study; fen: string; line: EngineLine; write: WriteMove; first: boolean }): JSX.Element {
  const plies = useMemo(() => {
    try {
      return study.core.play(fen, line.pv.slice(0, 12)).plies;
    } catch {
      return [];
    }
  }, [fen, line.pv.join()]);
  const mate = "mate" in line.score;
  return (
    <li>
      <b class={mate ? "score mate" : "score"} data-testid={first ? "best-score" : undefined}>
        {scoreText(line.score)}
      </b>{" "}
      <button class="plain link" onClick={() => study.play(line.pv[0]!)} data-testid={first ? "best-move" : undefined}>
        {plies[0] ? write(plies[0]) : line.pv[0]}
      </button>{" "}
      <span class="quiet">{plies.slice(1).map(write).join(" ")}</span>{" "}
      <button
        class="plain link small"
        onClick={() => study.addLine(line.pv, `${scoreText(line.score)} / ${line.depth}`)}
      >
        {t("analysis.keep_line")}
      </button>
    </li>
  );
}
