// SPDX-License-Identifier: GPL-3.0-or-later
//
// One step of a lesson, of each kind.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useStore } from "../app/store";
import type { BoardCore } from "../core/core";
import { speakMove } from "../game/speech";
import { t } from "../i18n";
import type { Color } from "../net/types";
import { say } from "../ui/say";
import { LearnBoard, PickBoard, playSound, type Shapes } from "./board";
import type { LessonCore, Step } from "./data";
import { useLine } from "./line";
import { OverlayPanel, overlayShapes } from "./overlays";
import { planWritten, progress } from "./progress";
import { Prose, useWriteSan } from "./text";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export interface StepProps {
  slug: string;
  step: Step;
  core: BoardCore;
  facts: LessonCore;
  onDone: () => void;
  footer: ComponentChildren; // leads on, shown when the step is done
}

// What every kind of step has: where it begins and who sits in front.
function usePlace({ step, core }: StepProps): { fen: string; moves: string[]; front: Color } {
  return useMemo(() => {
    const plies = step.game ? core.line(START, step.game) : [];
    const fen = plies.at(-1)?.fen ?? step.fen ?? START;
    return { fen, moves: plies.map((ply) => ply.uci), front: step.side ?? core.describe(fen).side_to_move };
  }, [step, core]);
}

function shapesOf({ step, facts }: StepProps, fen: string): Shapes {
  const drawn = step.overlay ? overlayShapes(facts, step.overlay, fen) : {};
  return {
    arrows: [...(drawn.arrows ?? []), ...(step.arrow ?? []).map((a) => ({ from: a.slice(0, 2), to: a.slice(2, 4) }))],
    marks: [...(drawn.marks ?? []), ...(step.mark ?? []).map((square) => ({ square }))],
  };
}

export function StepView(p: StepProps): JSX.Element {
  switch (p.step.kind) {
    case "move":
      return <MoveStep {...p} />;
    case "choice":
      return <ChoiceStep {...p} />;
    case "squares":
      return <SquaresStep {...p} />;
    case "safe":
      return <SafeStep {...p} />;
    case "win":
      return <WinStep {...p} />;
    case "plan":
      return <PlanStep {...p} />;
    case "flag":
      return <FlagStep {...p} />;
    case "links":
    case "read":
      return <ReadStep {...p} />;
  }
}

interface FrameProps {
  board: ComponentChildren;
  children: ComponentChildren;
}
// Without a position the words stand alone.
const Frame = ({ board, children }: FrameProps): JSX.Element => (
  <>
    {board && <div class="learn-board">{board}</div>}
    <div class={board ? "learn-side" : "learn-side learn-alone"}>{children}</div>
  </>
);
const hasPosition = (step: Step): boolean => step.fen !== undefined || step.game !== undefined;

const Said = ({ text }: { text: string | undefined }): JSX.Element | null => (text ? <p class="learn-text"><Prose text={text} /></p> : null);

type Note = { text: string; good: boolean } | null;
const NoteLine = ({ note }: { note: Note }): JSX.Element => (
  <p class={note ? (note.good ? "learn-note good" : "learn-note wrong") : "learn-note"} role="status" data-testid="note">
    {note && (
      <>
        <span aria-hidden="true">{note.good ? "✓ " : "✗ "}</span>
        <Prose text={note.text} />
      </>
    )}
  </p>
);

function ReadStep(p: StepProps): JSX.Element {
  const { fen, moves, front } = usePlace(p);
  useEffect(p.onDone, []);
  return (
    <Frame board={hasPosition(p.step) && <LearnBoard core={p.core} fen={fen} orientation={front} lastMove={null} movable={false} redraw={0} shapes={shapesOf(p, fen)} />}>
      <Said text={p.step.say} />
      {p.step.overlay && <OverlayPanel core={p.facts} overlay={p.step.overlay} fen={fen} moves={moves} />}
      {p.step.kind === "links" && <NextLinks />}
      {p.footer}
    </Frame>
  );
}

function NextLinks(): JSX.Element {
  const links: [string, string][] = [
    ["/learn/problems", t("learn.problems")],
    ["/computer", t("nav.computer")],
    ["/local", t("learn.local")],
    ["/", t("learn.club")],
    ["/ratings/blitz", t("nav.ratings")],
    ["/ratings/rules", t("learn.rating_rules")],
  ];
  return (
    <ul class="learn-links" data-testid="next-links">
      {links.map(([href, text]) => (
        <li key={href}>
          <a href={href}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

function MoveStep(p: StepProps): JSX.Element {
  const { step, core } = p;
  const { fen, moves, front } = usePlace(p);
  const write = useWriteSan();
  const [note, setNote] = useState<Note>(null);
  const [hint, setHint] = useState(0);
  const tell = (text: string, good: boolean): void => {
    setNote({ text, good });
  };
  const line = useLine({
    core,
    start: fen,
    line: step.line!,
    first: 0,
    onRight: () => {
      setNote(null);
      setHint(0);
    },
    onWrong: (uci) => {
      const { san } = core.move(line.fen, uci);
      const known = step.no?.find((wrong) => line.played.length === 0 && core.move(fen, wrong.san).uci === uci);
      tell(known?.text ?? t("learn.not_this", { move: write(san) }), false);
    },
    onDone: () => {
      tell(step.done ?? t("learn.right"), true);
      p.onDone();
    },
  });
  const shapes = shapesOf(p, line.fen);
  if (hint > 0 && line.expected) {
    const [from, to] = [line.expected.slice(0, 2), line.expected.slice(2, 4)];
    if (hint === 1) shapes.marks!.push({ square: from, kind: "hint" });
    else shapes.arrows!.push({ from, to, kind: "hint" });
  }
  return (
    <Frame
      board={
        <LearnBoard core={core} fen={line.fen} orientation={front} lastMove={line.lastMove} movable={line.mine} redraw={line.redraw} shapes={shapes} onMove={line.attempt} />
      }
    >
      <Said text={step.say} />
      <NoteLine note={note} />
      {!line.done && <HintButton level={hint} expected={line.expected} onHint={() => setHint(Math.min(2, hint + 1))} />}
      {step.overlay && <OverlayPanel core={p.facts} overlay={step.overlay} fen={step.overlay.startsWith("exchange") ? fen : line.fen} moves={[...moves, ...line.played.map((ply) => ply.uci)]} />}
      {line.done && p.footer}
    </Frame>
  );
}

// First the man, then where it goes; both are also said.
export function HintButton({ level, expected, onHint }: { level: number; expected: string | null; onHint: () => void }): JSX.Element {
  const text = level === 0 || !expected
    ? ""
    : level === 1
      ? t("learn.hint_from", { square: expected.slice(0, 2) })
      : t("learn.hint_to", { from: expected.slice(0, 2), to: expected.slice(2, 4) });
  return (
    <p class="learn-hint">
      <button type="button" data-testid="hint" disabled={!expected || level >= 2} onClick={onHint}>
        {t("learn.hint")}
      </button>{" "}
      <span role="status">{text}</span>
    </p>
  );
}

function ChoiceStep(p: StepProps): JSX.Element {
  const { step } = p;
  const { fen, moves, front } = usePlace(p);
  const [tried, setTried] = useState<number[]>([]);
  const done = tried.some((i) => step.options![i]!.right);
  // The counters give the answer away: they come with it.
  const overlay = step.overlay && (done || step.overlay === "checklist" || step.overlay === "centre") ? step.overlay : undefined;
  const choose = (i: number): void => {
    if (done || tried.includes(i)) return;
    setTried([...tried, i]);
    if (step.options![i]!.right) p.onDone();
  };
  const last = tried.at(-1);
  const note: Note = last === undefined ? null : done ? { text: step.done ?? t("learn.right"), good: true } : { text: t("learn.think_again"), good: false };
  const shown = { ...p, step: { ...step, overlay } };
  return (
    <Frame
      board={hasPosition(step) && <LearnBoard core={p.core} fen={fen} orientation={front} lastMove={null} movable={false} redraw={0} shapes={shapesOf(shown, fen)} />}
    >
      <Said text={step.say} />
      <div class="learn-options" role="group" aria-label={t("learn.answers")}>
        {step.options!.map((option, i) => (
          <button
            key={i}
            type="button"
            class={tried.includes(i) ? (option.right ? "right" : "wrong") : ""}
            aria-disabled={done || tried.includes(i)}
            data-testid={option.right ? "option-right" : `option-${i}`}
            onClick={() => choose(i)}
          >
            {tried.includes(i) && <span aria-hidden="true">{option.right ? "✓ " : "✗ "}</span>}
            <Prose text={option.text} />
          </button>
        ))}
      </div>
      <NoteLine note={note} />
      {overlay && <OverlayPanel core={p.facts} overlay={overlay} fen={fen} moves={moves} />}
      {done && p.footer}
    </Frame>
  );
}

function SquaresStep(p: StepProps): JSX.Element {
  const { step } = p;
  const { fen, front } = usePlace(p);
  const [found, setFound] = useState<string[]>([]);
  const [wrong, setWrong] = useState<string | null>(null);
  const wanted = step.squares!;
  const done = found.length === wanted.length;
  const pick = (square: string): void => {
    if (done || found.includes(square)) return;
    if (!wanted.includes(square)) {
      setWrong(square);
      say(t("learn.not_square", { square }));
      return;
    }
    setWrong(null);
    setFound([...found, square]);
    say(t("learn.square_right", { square }));
    if (found.length + 1 === wanted.length) p.onDone();
  };
  const marks = Object.fromEntries([...found.map((square) => [square, "right"]), ...(wrong ? [[wrong, "wrong"]] : [])]) as Record<string, string>;
  return (
    <Frame board={<PickBoard fen={fen} orientation={front} coordinates label={t("learn.pick")} marks={marks} onPick={pick} />}>
      <Said text={step.say} />
      <p data-testid="found">{t("learn.found", { n: found.length, all: wanted.length })}</p>
      <NoteLine note={done ? { text: step.done ?? t("learn.right"), good: true } : wrong ? { text: t("learn.not_square", { square: wrong }), good: false } : null} />
      {done && p.footer}
    </Frame>
  );
}

// Any move that leaves the other side nothing to gain.
function SafeStep(p: StepProps): JSX.Element {
  const { step, core } = p;
  const { fen, front } = usePlace(p);
  const write = useWriteSan();
  const [redraw, setRedraw] = useState(0);
  const [made, setMade] = useState<{ fen: string; uci: string } | null>(null);
  const [note, setNote] = useState<Note>(null);
  const [shapes, setShapes] = useState<Shapes>({});
  const attempt = (uci: string): void => {
    const move = core.move(fen, uci);
    const { leaves, by } = p.facts.leaves(fen, uci);
    if (leaves === 0) {
      playSound(move);
      setShapes({});
      setMade({ fen: move.fen, uci });
      setNote({ text: step.done ?? t("learn.right"), good: true });
      p.onDone();
      return;
    }
    const answer = core.move(move.fen, by);
    setRedraw(redraw + 1);
    setShapes({ arrows: [{ from: answer.uci.slice(0, 2), to: answer.uci.slice(2, 4), kind: "danger" }] });
    const text =
      leaves >= 20000
        ? t("learn.leaves_mate", { move: write(move.san), answer: write(by) })
        : t("learn.leaves", { move: write(move.san), answer: write(by), n: Math.round(leaves / 100) });
    setNote({ text, good: false });
  };
  return (
    <Frame
      board={
        <LearnBoard
          core={core}
          fen={made?.fen ?? fen}
          orientation={front}
          lastMove={made ? [made.uci.slice(0, 2), made.uci.slice(2, 4)] : null}
          movable={!made}
          redraw={redraw}
          shapes={shapes}
          onMove={attempt}
        />
      }
    >
      <Said text={step.say} />
      <NoteLine note={note} />
      {made && p.footer}
    </Frame>
  );
}

// Played to mate against answers that lose as little as they can.
function WinStep(p: StepProps): JSX.Element {
  const { step, core } = p;
  const { fen: start, front } = usePlace(p);
  const write = useWriteSan();
  const [fen, setFen] = useState(start);
  const [last, setLast] = useState<readonly [string, string] | null>(null);
  const [moves, setMoves] = useState(0);
  const [note, setNote] = useState<Note>(null);
  const position = core.describe(fen);
  const mine = position.side_to_move === front;
  const over = position.legal_moves.length === 0;
  const go = (from: string, uci: string): void => {
    const move = core.move(from, uci);
    playSound(move);
    say(speakMove(move.san));
    setFen(move.fen);
    setLast([uci.slice(0, 2), uci.slice(2, 4)]);
  };
  useEffect(() => {
    if (over) {
      if (position.checkmate) {
        setNote({ text: step.done ?? t("learn.right"), good: true });
        p.onDone();
      } else setNote({ text: t("learn.stalemate"), good: false });
      return;
    }
    if (mine) return;
    const timer = window.setTimeout(() => go(fen, p.facts.reply(fen)), 400);
    return () => window.clearTimeout(timer);
  }, [fen]);
  const attempt = (uci: string): void => {
    setMoves(moves + 1);
    const move = core.move(fen, uci);
    const { leaves, by } = p.facts.leaves(fen, uci);
    setNote(leaves > 0 ? { text: t("learn.leaves", { move: write(move.san), answer: write(by), n: Math.round(leaves / 100) }), good: false } : null);
    go(fen, uci);
  };
  const again = (): void => {
    setFen(start);
    setLast(null);
    setMoves(0);
    setNote(null);
  };
  return (
    <Frame board={<LearnBoard core={core} fen={fen} orientation={front} lastMove={last} movable={mine && !over} redraw={moves} onMove={attempt} />}>
      <Said text={step.say} />
      <p data-testid="win-moves">{t("learn.moves_made", { n: moves })}</p>
      <NoteLine note={note} />
      {!position.checkmate && moves > 0 && (
        <p>
          <button type="button" onClick={again} data-testid="again">
            {t("learn.again")}
          </button>
        </p>
      )}
      {position.checkmate && p.footer}
    </Frame>
  );
}

function PlanStep(p: StepProps): JSX.Element {
  const { fen, front } = usePlace(p);
  const { plans } = useStore(progress);
  const [text, setText] = useState(plans[p.slug] ?? "");
  const [compared, setCompared] = useState(false);
  const enough = text.trim().length >= 10;
  const compare = (event: Event): void => {
    event.preventDefault();
    if (!enough) return;
    planWritten(p.slug, text.trim().slice(0, 2000));
    setCompared(true);
    p.onDone();
  };
  return (
    <Frame board={<LearnBoard core={p.core} fen={fen} orientation={front} lastMove={null} movable={false} redraw={0} />}>
      <Said text={p.step.say} />
      <form onSubmit={compare}>
        <p class="field">
          <label for="plan">{t("learn.your_plan")}</label>
          <textarea id="plan" rows={4} maxLength={2000} value={text} onInput={(e) => setText(e.currentTarget.value)} />
        </p>
        <p>
          <button class="primary" data-testid="compare" disabled={!enough}>
            {t("learn.compare")}
          </button>
        </p>
      </form>
      {compared && <NoteLine note={{ text: p.step.done ?? "", good: true }} />}
      {compared && p.footer}
    </Frame>
  );
}

const OWN_MS = 2000;

// The other flag falls after a moment; then one's own two seconds run until the clock is stopped.
function FlagStep(p: StepProps): JSX.Element {
  const [state, setState] = useState<"ready" | "running" | "fallen" | "stopped" | "claimed" | "late" | "spoken">("ready");
  const [left, setLeft] = useState(OWN_MS);
  const began = useRef(0);
  const start = (): void => {
    setLeft(OWN_MS);
    setState("running");
  };
  useEffect(() => {
    if (state === "running") {
      const timer = window.setTimeout(() => {
        began.current = performance.now();
        setState("fallen");
        say(t("learn.flag_fell"));
      }, 1500 + Math.random() * 1500);
      return () => window.clearTimeout(timer);
    }
    if (state !== "fallen" && state !== "spoken") return;
    const timer = window.setInterval(() => {
      const rest = OWN_MS - (performance.now() - began.current);
      setLeft(Math.max(0, rest));
      if (rest <= 0) setState("late");
    }, 50);
    return () => window.clearInterval(timer);
  }, [state]);
  const stop = (): void => {
    if (state === "fallen" || state === "spoken") setState("stopped");
  };
  const claim = (): void => {
    if (state === "fallen") setState("spoken");
    if (state !== "stopped") return;
    setState("claimed");
    p.onDone();
  };
  const note: Note =
    state === "claimed"
      ? { text: p.step.done ?? "", good: true }
      : state === "late"
        ? { text: t("learn.flag_late"), good: false }
        : state === "spoken"
          ? { text: t("learn.flag_spoken"), good: false }
          : null;
  const theirs = state === "ready" || state === "running" ? "0:01" : "0:00";
  const going = state === "running" || state === "fallen" || state === "spoken" || state === "stopped";
  return (
    <div class="learn-side learn-alone">
      <Said text={p.step.say} />
      <div class="flag-clock" aria-hidden="true">
        <span>{(left / 1000).toFixed(1)}</span>
        <span class={theirs === "0:00" ? "fallen" : ""}>{theirs} {theirs === "0:00" ? "⚑" : ""}</span>
      </div>
      <p class="buttons">
        {!going && state !== "claimed" && (
          <button type="button" class="primary" data-testid="flag-start" onClick={start}>
            {t(state === "late" ? "learn.again" : "learn.flag_start")}
          </button>
        )}
        {going && (
          <>
            <button type="button" data-testid="flag-claim" onClick={claim}>
              {t("learn.flag_claim")}
            </button>
            <button type="button" data-testid="flag-stop" disabled={state === "stopped"} onClick={stop}>
              {t("learn.flag_stop")}
            </button>
          </>
        )}
      </p>
      <NoteLine note={note} />
      {state === "claimed" && p.footer}
    </div>
  );
}
