// SPDX-License-Identifier: GPL-3.0-or-later
//
// The report of a game: how accurate each side was, the mistakes with what was better, the
// advantage through the game, and the mistakes once more to learn from. The reader's own engine works
// it out, and never while a game of the reader's runs that does not allow it.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Engine, scoreHeight, scoreText, type Score } from "../analysis/engine";
import { forbidding, type Forbidding } from "../analysis/fair_play";
import { EvaluationGraph } from "../analysis/graph";
import type { Study } from "../analysis/study";
import type { Node, Tree } from "../analysis/tree";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { loadTutor, type Tutor } from "../core/tutor";
import type { WriteMove } from "../game/write";
import { number, percent, t } from "../i18n";
import { FactLine } from "../tutor/before";
import { api, ApiError } from "../net/api";
import type { Color } from "../net/types";
import { errorText } from "../ui/errors";
import { judge, sums, type Judged, type Look, type Verdict } from "./judge";
import { Learn } from "./learn";

// For a position: nodes, so that two readers of a game see one report; and no longer than ms, on a
// device that is slow.
const CARE = {
  quick: { nodes: 40_000, ms: 400 },
  normal: { nodes: 150_000, ms: 1500 },
  deep: { nodes: 600_000, ms: 6000 },
} as const;
type Care = keyof typeof CARE;

export interface JudgedNode extends Judged {
  node: Node;
  best: readonly string[]; // the engine's line from the position before
  score: Score; // of that position
}

interface Report {
  tree: Tree;
  nodes: Node[]; // the root and the main line
  looks: Look[];
  moves: JudgedNode[];
  tutor: Tutor;
}

const SIGNS: Record<Verdict, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const NAGS: Record<Verdict, number> = { inaccuracy: 6, mistake: 2, blunder: 4 };

// The engine's look at a position; one where the game is over has its own score.
async function lookAt(study: Study, engine: Engine, fen: string, limits: { nodes: number; ms: number }): Promise<Look> {
  const position = study.core.describe(fen);
  if (position.checkmate) return { score: { mate: position.side_to_move === "white" ? -1 : 1 }, pv: [] };
  if (position.legal_moves.length === 0) return { score: { cp: 0 }, pv: [] };
  const { lines } = await engine.think(fen, { lines: 1, depth: 0, ...limits }, () => {});
  return { score: lines[0]?.score ?? { cp: 0 }, pv: lines[0]?.pv ?? [] };
}

const turnOf = (fen: string): Color => (fen.split(" ")[1] === "b" ? "black" : "white");

function judgeAll(nodes: readonly Node[], looks: readonly Look[]): JudgedNode[] {
  return nodes.slice(1).map((node, i) => ({
    ...judge(turnOf(nodes[i]!.fen), node.uci, looks[i]!, looks[i + 1]!),
    node,
    best: looks[i]!.pv,
    score: looks[i]!.score,
  }));
}

// "12." or "12…"
function numberOf(node: Node): string {
  const [, side, , , , full] = node.parent!.fen.split(" ");
  return `${full}${side === "b" ? "…" : "."}`;
}

function lineText(study: Study, fen: string, pv: readonly string[], write: WriteMove): string {
  try {
    return study.core.play(fen, pv.slice(0, 6)).plies.map(write).join(" ");
  } catch {
    return "";
  }
}

// The server's looks at a finished game; waits until they are there, or until stop says so.
async function serverLooks(game: string, stop: () => boolean, tell: (done: number) => void): Promise<Look[]> {
  for (let misses = 0; ; ) {
    try {
      const { state, done, looks } = await api.report(game);
      if (state === "done" && looks) return looks;
      tell(done);
    } catch (e) {
      // The record of a game that has just ended is written a moment later.
      if (!(e instanceof ApiError) || e.code !== "not_found" || ++misses > 10) throw e;
    }
    if (stop()) return [];
    await new Promise((resolve) => window.setTimeout(resolve, 700));
  }
}

interface Props {
  study: Study;
  write: WriteMove;
  game: string | null; // of the site, whose moves stand on the board
  auto: boolean;
}

export function ReportPanel({ study, write, game, auto }: Props): JSX.Element | null {
  const { tree, at } = useStore(study.state);
  const own = useStore(me);
  const [care, setCare] = useState<Care>("normal");
  const [done, setDone] = useState(-1); // positions looked at; -1: not at work
  const [report, setReport] = useState<Report | null>(null);
  const [why, setWhy] = useState<Forbidding | "failed" | null>(null);
  const [error, setError] = useState("");
  const [kept, setKept] = useState(false);
  const [learning, setLearning] = useState<Color | null>(null);
  const engine = useRef<Engine | null>(null);
  const cancelled = useRef(false);
  const main = study.main();

  useEffect(() => () => engine.current?.quit(), []);
  useEffect(() => {
    cancelled.current = true;
    setReport(null);
    setLearning(null);
    setKept(false);
    if (auto && study.main().length > 1) void make(false);
  }, [tree]);

  const theEngine = (): Engine => (engine.current ??= new Engine(() => setWhy("failed")));

  async function make(onServer: boolean): Promise<void> {
    const nodes = [tree.root, ...study.main()];
    const no = await forbidding(nodes.map((n) => n.fen));
    setWhy(no);
    if (no) return;
    cancelled.current = false;
    setReport(null);
    setLearning(null);
    setKept(false);
    setError("");
    setDone(0);
    try {
      const tutor = await loadTutor();
      const looks: Look[] = onServer && game ? await serverLooks(game, () => cancelled.current, setDone) : [];
      for (const node of onServer ? [] : nodes) {
        if (cancelled.current) break;
        looks.push(await lookAt(study, theEngine(), node.fen, CARE[care]));
        setDone(looks.length);
      }
      // On the board may stand another game by now.
      if (!cancelled.current && looks.length === nodes.length) setReport({ tree, nodes, looks, moves: judgeAll(nodes, looks), tutor });
    } catch (e) {
      if (onServer) setError(errorText(e)); // else the engine has told of its own failure
    }
    setDone(-1);
  }

  // Signs and better lines into the tree, where they can be walked through and taken along as PGN.
  const keep = (): void => {
    for (const move of report!.moves) {
      if (!move.verdict) continue;
      move.node.nags = [...move.node.nags.filter((n) => n > 6), NAGS[move.verdict]];
      study.go(move.node.parent!);
      study.addLine(move.best.slice(0, 6), scoreText(move.score));
    }
    study.go(at);
    setKept(true);
  };

  if (main.length < 2) return null;
  const faults = report?.moves.filter((move) => move.verdict) ?? [];
  return (
    <section class="report" aria-labelledby="report-title" data-testid="report">
      <h2 id="report-title">{t("report.title")}</h2>
      {!report && (
        <>
          <p class="quiet small">{t("report.lead")}</p>
          <p class="engine-row">
            <button
              class={done >= 0 ? "" : "primary"}
              data-testid="report-start"
              onClick={() => (done >= 0 ? (cancelled.current = true) : void make(false))}
            >
              {t(done >= 0 ? "report.stop" : "report.start")}
            </button>
            <label>
              {t("report.care")}{" "}
              <select value={care} data-testid="report-care" disabled={done >= 0} onChange={(e) => setCare(e.currentTarget.value as Care)}>
                {(Object.keys(CARE) as Care[]).map((name) => (
                  <option key={name} value={name}>
                    {t(`report.${name}`)}
                  </option>
                ))}
              </select>
            </label>
            {game && own && done < 0 && (
              <button class="plain" data-testid="report-server" onClick={() => void make(true)}>
                {t("report.on_server")}
              </button>
            )}
            {done >= 0 && <progress max={main.length + 1} value={done} aria-label={t("report.title")} />}
          </p>
        </>
      )}
      {why && (
        <p role="status" class="warning">
          {t(why === "failed" ? "analysis.engine_failed" : `analysis.forbidden.${why}`)}
        </p>
      )}
      {error && (
        <p role="status" class="error">
          {error}
        </p>
      )}
      {report && report.tree === tree && (
        <div data-testid="report-done">
          <SumsTable moves={report.moves} />
          <p class="quiet small">{t("report.accuracy_how")}</p>
          <EvaluationGraph
            nodes={report.nodes}
            heights={report.looks.map((look) => scoreHeight(look.score))}
            at={at}
            onGo={(node) => study.go(node)}
          />
          {learning ? (
            <Learn
              study={study}
              write={write}
              tutor={report.tutor}
              faults={faults.filter((move) => move.color === learning)}
              look={(fen) => lookAt(study, theEngine(), fen, CARE.normal)}
              onEnd={() => setLearning(null)}
            />
          ) : (
            <p class="report-learn">
              {(["white", "black"] as const)
                .filter((color) => faults.some((move) => move.color === color))
                .map((color) => (
                  <button key={color} data-testid={`learn-${color}`} onClick={() => setLearning(color)}>
                    {t(`report.learn_${color}`)}
                  </button>
                ))}
            </p>
          )}
          {faults.length === 0 ? (
            <p>{t("report.none")}</p>
          ) : (
            !learning && (
              <>
                <ol class="faults" data-testid="faults">
                  {faults.map((move) => (
                    <Fault key={move.node.id} study={study} move={move} write={write} tutor={report.tutor} />
                  ))}
                </ol>
                <p>
                  <button class="plain" data-testid="report-keep" disabled={kept} onClick={keep}>
                    {t("report.keep")}
                  </button>{" "}
                  <span role="status" class="quiet small">
                    {kept && t("report.kept")}
                  </span>
                </p>
              </>
            )
          )}
        </div>
      )}
    </section>
  );
}

function SumsTable({ moves }: { moves: readonly Judged[] }): JSX.Element {
  const both = [sums(moves, "white"), sums(moves, "black")] as const;
  const row = (label: string, testid: string, value: (i: 0 | 1) => string): JSX.Element => (
    <tr data-testid={testid}>
      <th scope="row">{label}</th>
      <td>{value(0)}</td>
      <td>{value(1)}</td>
    </tr>
  );
  return (
    <table class="sums">
      <thead>
        <tr>
          <td />
          <th scope="col">{t("color.white")}</th>
          <th scope="col">{t("color.black")}</th>
        </tr>
      </thead>
      <tbody>
        {row(t("report.accuracy"), "accuracy", (i) => {
          const { accuracy } = both[i];
          return accuracy === null ? "–" : percent(accuracy);
        })}
        {row(t("report.inaccuracies"), "inaccuracies", (i) => number(both[i].inaccuracy))}
        {row(t("report.mistakes"), "mistakes", (i) => number(both[i].mistake))}
        {row(t("report.blunders"), "blunders", (i) => number(both[i].blunder))}
      </tbody>
    </table>
  );
}

interface FaultProps {
  study: Study;
  move: JudgedNode;
  write: WriteMove;
  tutor: Tutor;
}

// One mistake: what is wrong with the move, and what was better and why.
function Fault({ study, move, write, tutor }: FaultProps): JSX.Element {
  const { node, best, verdict } = move;
  const fen = node.parent!.fen;
  const wrong = tutor.move(fen, node.uci).objection;
  const reason = best[0] ? tutor.move(fen, best[0], best).reason : null;
  return (
    <li data-verdict={verdict}>
      <button class="plain link" onClick={() => study.go(node)}>
        {numberOf(node)} {write(node)}
        {verdict && SIGNS[verdict]}
      </button>{" "}
      <span class="quiet">{verdict && t(`report.${verdict}`)}</span>
      {move.missedMate !== null && <span class="fault-why"> {t("report.missed_mate", { n: move.missedMate })}</span>}
      {wrong && (
        <span class="fault-why">
          {" "}
          <FactLine fact={wrong} write={write} />
        </span>
      )}
      {best.length > 0 && (
        <span class="fault-best">
          {t("report.better", { line: lineText(study, fen, best, write) })}
          {reason && (
            <span class="quiet">
              {" — "}
              <FactLine fact={reason} write={write} />
            </span>
          )}
        </span>
      )}
    </li>
  );
}
