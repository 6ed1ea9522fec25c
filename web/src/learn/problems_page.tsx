// SPDX-License-Identifier: GPL-3.0-or-later
//
// /learn/problems (L-059): sets by theme and difficulty, solved by moving. A hint costs points; the
// solution can be shown. ?theme=, ?grade=, ?p= (one problem) and ?day (that of the day).
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { navigate, place } from "../app/router";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import type { BoardCore } from "../core/core";
import { loadBoard } from "../core/load";
import { language, number, t } from "../i18n";
import { LearnBoard, type Shapes } from "./board";
import { loadProblems, THEMES, type Problem, type Theme } from "./data";
import { useLine } from "./line";
import { problemDone, progress } from "./progress";
import { useWriteSan } from "./text";

const GRADES = [1, 2, 3, 4, 5] as const;
// A clean solution, and what is taken off it.
const POINTS = 3;

const dayNumber = (): number => Math.floor(Date.now() / 86_400_000);

export function ProblemsPage(): JSX.Element {
  const lang = useStore(language);
  const { query } = useStore(place);
  const [core, setCore] = useState<BoardCore | null>(null);
  const [all, setAll] = useState<Problem[] | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => setTitle(t("learn.problems")), [lang]);
  useEffect(() => {
    loadBoard().then(setCore, () => setFailed(true));
    loadProblems().then(setAll, () => setFailed(true));
  }, []);
  if (failed) return <p class="sheet error">{t("learn.failed")}</p>;
  if (!core || !all) return <p class="loading">{t("common.loading")}</p>;
  const theme = THEMES.find((name) => name === query.get("theme")) ?? null;
  const grade = GRADES.find((n) => String(n) === query.get("grade")) ?? null;
  return <Sets all={all} core={core} theme={theme} grade={grade} asked={query.get("p")} day={query.has("day")} />;
}

interface SetsProps {
  all: Problem[];
  core: BoardCore;
  theme: Theme | null;
  grade: number | null;
  asked: string | null;
  day: boolean;
}

function address(theme: Theme | null, grade: number | null, p: string | null = null): string {
  const query = new URLSearchParams();
  if (theme) query.set("theme", theme);
  if (grade) query.set("grade", String(grade));
  if (p) query.set("p", p);
  const text = query.toString();
  return `/learn/problems${text ? `?${text}` : ""}`;
}

function Sets({ all, core, theme, grade, asked, day }: SetsProps): JSX.Element {
  const { problems: points, streak, best } = useStore(progress);
  const set = useMemo(() => all.filter((p) => (!theme || p.theme === theme) && (!grade || p.grade === grade)), [all, theme, grade]);
  // The next one is chosen when the set is opened or "next" is pressed, not when points change.
  const [turn, setTurn] = useState(0);
  const current = useMemo(() => {
    if (day) return all[dayNumber() % all.length];
    const one = all.find((p) => p.id === asked);
    if (one && turn === 0) return one;
    const from = one ? set.indexOf(one) : -1;
    const order = [...set.slice(from + 1), ...set.slice(0, from + 1)];
    const fresh = order.filter((p) => points[p.id] === undefined);
    // Of a mixed set the easy ones first.
    const list = fresh.length > 0 ? fresh : order;
    return theme || grade ? list[turn % list.length] : [...list].sort((a, b) => a.grade - b.grade)[0];
  }, [set, asked, day, turn, all]);
  const solved = set.filter((p) => (points[p.id] ?? 0) > 0).length;
  const next = (): void => {
    if (asked || day) navigate(address(theme, grade));
    setTurn(turn + 1);
  };
  // On a phone the rows are longer than the screen: what is chosen stays in sight.
  const sets = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const row of sets.current!.querySelectorAll<HTMLElement>(".learn-chips")) {
      const chip = row.querySelector<HTMLElement>("[aria-current]");
      if (!chip) continue;
      const a = row.getBoundingClientRect();
      const b = chip.getBoundingClientRect();
      if (b.left < a.left || b.right > a.right) row.scrollLeft += b.left - a.left - (a.width - b.width) / 2;
    }
  }, [theme, grade, day]);
  return (
    <div class="learn with-sets" ref={sets}>
      <p class="learn-crumb">
        <a href="/learn">{t("learn.title")}</a>
      </p>
      <h1>{day ? t("learn.of_the_day") : t("learn.problems")}</h1>
      <nav class="learn-chips" aria-label={t("learn.themes")}>
        <a href={address(null, grade)} aria-current={!theme && !day ? "true" : undefined}>
          {t("learn.mixed")}
        </a>
        {THEMES.map((name) => (
          <a key={name} href={address(name, grade)} aria-current={theme === name ? "true" : undefined} data-testid={`theme-${name}`}>
            {t(`learn.theme.${name}`)}
          </a>
        ))}
      </nav>
      <nav class="learn-chips" aria-label={t("learn.grades")}>
        <a href={address(theme, null)} aria-current={!grade ? "true" : undefined}>
          {t("learn.any_grade")}
        </a>
        {GRADES.map((n) => (
          <a key={n} href={address(theme, n)} aria-current={grade === n ? "true" : undefined} aria-label={t("learn.grade", { n })} data-testid={`grade-${n}`}>
            {"★".repeat(n)}
          </a>
        ))}
        <a href="/learn/problems?day" aria-current={day ? "true" : undefined} data-testid="of-the-day">
          {t("learn.of_the_day")}
        </a>
      </nav>
      <p class="learn-score" data-testid="score">
        {t("learn.set_solved", { n: solved, all: set.length })} · {t("learn.streak", { n: streak })}
        {best > 0 && ` (${t("learn.best", { n: best })})`}
      </p>
      {current ? (
        <div class="learn-desk">
          <ProblemView key={`${current.id} ${turn}`} problem={current} core={core} named={theme !== null} onNext={next} />
        </div>
      ) : (
        <p>{t("learn.empty_set")}</p>
      )}
    </div>
  );
}

function task(problem: Problem, side: "white" | "black", named: boolean): string {
  const color = t(`color.${side}`);
  if (problem.theme.startsWith("mate")) return t("learn.task.mate", { color, n: Number(problem.theme[4]) });
  if (problem.theme === "draw") return t("learn.task.draw", { color });
  if (problem.theme === "pawns" || problem.theme === "ending") return t("learn.task.win", { color });
  return named ? t(`learn.task.${problem.theme}` as "learn.task.fork", { color }) : t("learn.task.gain", { color });
}

function ProblemView({ problem, core, named, onNext }: { problem: Problem; core: BoardCore; named: boolean; onNext: () => void }): JSX.Element {
  const write = useWriteSan();
  const side = core.describe(problem.fen).side_to_move;
  const [lost, setLost] = useState(0); // points, by hints and wrong moves
  const [shown, setShown] = useState(false);
  const [hint, setHint] = useState(0);
  const [wrong, setWrong] = useState<string | null>(null);
  const [earned, setEarned] = useState<number | null>(null);
  const line = useLine({
    core,
    start: problem.fen,
    line: problem.line.map((uci) => [uci]),
    first: 0,
    onRight: () => {
      setWrong(null);
      setHint(0);
    },
    onWrong: (uci) => {
      setWrong(write(core.move(line.fen, uci).san));
      setLost(lost + 1);
    },
    onDone: () => {
      const points = shown ? 0 : Math.max(1, POINTS - lost);
      setEarned(points);
      problemDone(problem.id, points, !shown && lost === 0);
    },
  });
  const askHint = (): void => {
    if (hint >= 2) return;
    setHint(hint + 1);
    setLost(lost + 1);
  };
  const reveal = (): void => {
    setShown(true);
    setWrong(null);
    setHint(0);
    line.reveal();
  };
  const from = line.expected?.slice(0, 2);
  const to = line.expected?.slice(2, 4);
  const shapes: Shapes =
    hint === 1 && from ? { marks: [{ square: from, kind: "hint" }] } : hint === 2 && from && to ? { arrows: [{ from, to, kind: "hint" }] } : {};
  const text = task(problem, side, named);
  return (
    <>
      <div class="learn-board">
        <LearnBoard core={core} fen={line.fen} orientation={side} lastMove={line.lastMove} movable={line.mine} redraw={line.redraw} shapes={shapes} onMove={line.attempt} />
      </div>
      <div class="learn-side" data-testid="problem" data-problem={problem.id} data-theme={problem.theme}>
        <p class="learn-text" data-testid="task">
          {text}
        </p>
        <p class="quiet small">
          <span aria-hidden="true">{"★".repeat(problem.grade)}</span> {t("learn.grade", { n: problem.grade })}
        </p>
        <p class={earned !== null ? "learn-note good" : "learn-note wrong"} role="status" data-testid="note">
          {earned !== null
            ? shown
              ? t("learn.was_shown")
              : `✓ ${t("learn.earned", { n: earned })} ${t(`learn.why.${problem.theme}`)}`
            : wrong
              ? `✗ ${t("learn.not_this", { move: wrong })}`
              : line.played.length > 0 && line.mine
                ? t("learn.go_on")
                : ""}
        </p>
        {line.played.length > 0 && (
          <p class="learn-line" data-testid="line">
            {line.played.map((ply) => write(ply.san)).join(" ")}
          </p>
        )}
        {earned === null ? (
          <>
            <p class="learn-hint">
              <button type="button" data-testid="hint" disabled={hint >= 2 || !line.mine} onClick={askHint}>
                {t("learn.hint_costs")}
              </button>{" "}
              <button type="button" data-testid="solution" disabled={shown} onClick={reveal}>
                {t("learn.solution")}
              </button>
            </p>
            <p role="status" class="quiet">
              {hint === 1 && from ? t("learn.hint_from", { square: from }) : hint === 2 && from && to ? t("learn.hint_to", { from, to }) : ""}
            </p>
          </>
        ) : (
          <>
            <p class="learn-next">
              <button class="primary" data-testid="next-problem" onClick={onNext}>
                {t("learn.next_problem")}
              </button>{" "}
              <a class="button" href={`/analysis?fen=${encodeURIComponent(problem.fen)}`}>
                {t("learn.analyse")}
              </a>
            </p>
          </>
        )}
        <p class="quiet small">{t("learn.source", { game: number(Number(problem.game)), move: Math.floor(problem.ply / 2) + 1 })}</p>
      </div>
    </>
  );
}
