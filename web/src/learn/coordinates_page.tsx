// SPDX-License-Identifier: GPL-3.0-or-later
//
// /learn/coordinates: the names of the squares against the clock, from either side: the square whose
// name is shown is clicked, or the square that is marked is named.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { language, t } from "../i18n";
import type { Color } from "../net/types";
import { say } from "../ui/say";
import { PickBoard } from "./board";
import { coordinatesDone, progress } from "./progress";

const MODES = ["click", "name"] as const;
type Mode = (typeof MODES)[number];
const SIDES = ["white", "black", "random"] as const;
type Side = (typeof SIDES)[number];
const SECONDS = 30;
const EMPTY = "8/8/8/8/8/8/8/8";
const FULL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

function anySquare(but: string): string {
  for (;;) {
    const at = Math.floor(Math.random() * 64);
    const square = "abcdefgh"[at % 8]! + String(Math.floor(at / 8) + 1);
    if (square !== but) return square;
  }
}
const anySide = (side: Side): Color => (side === "random" ? (Math.random() < 0.5 ? "white" : "black") : side);

export function CoordinatesPage(): JSX.Element {
  const lang = useStore(language);
  const { coordinates: best } = useStore(progress);
  const [mode, setMode] = useState<Mode>("click");
  const [side, setSide] = useState<Side>("white");
  const [timed, setTimed] = useState(true);
  const [pieces, setPieces] = useState(false);
  const [running, setRunning] = useState(false);
  const [over, setOver] = useState(false);
  const [front, setFront] = useState<Color>("white");
  const [square, setSquare] = useState("");
  const [score, setScore] = useState(0);
  const [missed, setMissed] = useState(0);
  const [left, setLeft] = useState(SECONDS);
  const [wrong, setWrong] = useState<string | null>(null);
  const [typed, setTyped] = useState("");
  const desk = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const key = `${mode} ${side}`;
  useEffect(() => setTitle(t("learn.coordinates")), [lang]);

  const ask = (before: string): void => {
    const next = anySquare(before);
    setSquare(next);
    setTyped("");
    if (mode === "click") say(next);
  };
  const start = (): void => {
    setFront(anySide(side));
    setScore(0);
    setMissed(0);
    setLeft(SECONDS);
    setOver(false);
    setWrong(null);
    setRunning(true);
    ask("");
  };
  const stop = (): void => {
    setRunning(false);
    setOver(true);
    if (timed) coordinatesDone(key, score);
    say(t("learn.coordinates_over", { n: score }));
  };
  useEffect(() => {
    if (!running) return;
    // On a phone the button stands below the board, and the square asked for below that.
    const { top, bottom } = desk.current!.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) desk.current!.scrollIntoView({ block: "start" });
    if (mode === "name") field.current?.focus({ preventScroll: true });
    if (!timed) return;
    const end = performance.now() + SECONDS * 1000;
    const timer = window.setInterval(() => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000))), 200);
    return () => window.clearInterval(timer);
  }, [running]);
  useEffect(() => {
    if (running && timed && left === 0) stop();
  }, [left]);

  const answer = (given: string): void => {
    if (!running) return;
    if (given === square) {
      setScore(score + 1);
      setWrong(null);
      ask(square);
      return;
    }
    setMissed(missed + 1);
    setWrong(given);
    setTyped("");
    say(t("learn.not_square", { square: given }));
  };
  const type = (text: string): void => {
    const clean = text.trim().toLowerCase().replace(/[асе]/g, (c) => ({ а: "a", с: "c", е: "e" })[c]!);
    setTyped(clean);
    if (/^[a-h][1-8]$/.test(clean)) answer(clean);
  };
  const marks: Record<string, string> = {
    ...(running && mode === "name" ? { [square]: "asked" } : {}),
    ...(wrong && mode === "click" ? { [wrong]: "wrong" } : {}),
  };
  const chips = <T extends string>(name: string, list: readonly T[], now: T, set: (value: T) => void, label: string): JSX.Element => (
    <fieldset class="colors">
      <legend>{label}</legend>
      {list.map((value) => (
        <label class="chip" key={value}>
          <input type="radio" name={name} value={value} checked={now === value} disabled={running} onChange={() => set(value)} data-testid={`${name}-${value}`} />
          <span>{t(`learn.${name}.${value}` as "learn.mode.click")}</span>
        </label>
      ))}
    </fieldset>
  );
  return (
    <div class="learn">
      <p class="learn-crumb">
        <a href="/learn">{t("learn.title")}</a>
      </p>
      <h1>{t("learn.coordinates")}</h1>
      <div class="learn-desk" ref={desk}>
        <div class="learn-board">
          <PickBoard fen={pieces ? FULL : EMPTY} orientation={running || over ? front : side === "black" ? "black" : "white"} coordinates={false} label={t("board.label")} marks={marks} onPick={(s) => mode === "click" && answer(s)} />
        </div>
        <div class="learn-side">
          {!running && (
            <>
              <p>{t("learn.coordinates_lead")}</p>
              {chips("mode", MODES, mode, setMode, t("learn.mode"))}
              {chips("side", SIDES, side, setSide, t("learn.side"))}
              <p class="field check">
                <label>
                  <input type="checkbox" checked={timed} onChange={(e) => setTimed(e.currentTarget.checked)} data-testid="timed" />
                  <span>{t("learn.timed", { n: SECONDS })}</span>
                </label>
              </p>
              <p class="field check">
                <label>
                  <input type="checkbox" checked={pieces} onChange={(e) => setPieces(e.currentTarget.checked)} />
                  <span>{t("learn.with_pieces")}</span>
                </label>
              </p>
              <p>
                <button class="primary" data-testid="coordinates-start" onClick={start}>
                  {t("learn.start")}
                </button>
              </p>
            </>
          )}
          {running && (
            <>
              {mode === "click" ? (
                <p class="learn-asked" data-testid="asked">
                  {square}
                </p>
              ) : (
                <p class="field">
                  <label for="square-name">{t("learn.name_it")}</label>
                  <input id="square-name" ref={field} value={typed} maxLength={2} autocomplete="off" autocapitalize="none" spellcheck={false} onInput={(e) => type(e.currentTarget.value)} />
                </p>
              )}
              <p class="learn-score" data-testid="coordinates-score">
                {t("learn.coordinates_score", { n: score, missed })}
                {timed && ` · ${t("learn.seconds", { n: left })}`}
              </p>
              <p class="learn-note wrong" role="status">
                {wrong ? `✗ ${t("learn.not_square", { square: wrong })}` : ""}
              </p>
              <p>
                <button data-testid="coordinates-stop" onClick={stop}>
                  {t("learn.stop")}
                </button>
              </p>
            </>
          )}
          {over && !running && (
            <p class="learn-note good" data-testid="coordinates-over">
              {t("learn.coordinates_over", { n: score })}
            </p>
          )}
          {best[key] !== undefined && <p class="quiet">{t("learn.coordinates_best", { n: best[key]! })}</p>}
        </div>
      </div>
    </div>
  );
}
