// SPDX-License-Identifier: GPL-3.0-or-later
//
// /learn/openings (L-045): named lines, watched first, then played from memory with either colour.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import type { BoardCore } from "../core/core";
import { loadBoard } from "../core/load";
import { language, t } from "../i18n";
import type { Color } from "../net/types";
import { LearnBoard, type Shapes } from "./board";
import { loadOpenings, type Opening } from "./data";
import { useLine } from "./line";
import { openingDone, progress } from "./progress";
import { HintButton } from "./steps";
import { useWriteSan } from "./text";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
type Way = "watch" | Color;

export function OpeningsPage(): JSX.Element {
  const lang = useStore(language);
  const [core, setCore] = useState<BoardCore | null>(null);
  const [list, setList] = useState<Opening[] | null>(null);
  const [failed, setFailed] = useState(false);
  const [at, setAt] = useState(0);
  const [way, setWay] = useState<Way>("watch");
  const [turn, setTurn] = useState(0);
  const { openings: done } = useStore(progress);
  useEffect(() => setTitle(t("learn.openings")), [lang]);
  useEffect(() => {
    loadBoard().then(setCore, () => setFailed(true));
    loadOpenings().then(setList, () => setFailed(true));
  }, []);
  if (failed) return <p class="sheet error">{t("learn.failed")}</p>;
  if (!core || !list) return <p class="loading">{t("common.loading")}</p>;
  const begin = (index: number, how: Way): void => {
    setAt(index);
    setWay(how);
    setTurn(turn + 1);
  };
  const opening = list[at]!;
  const times = (o: Opening): number => (done[`${o.eco} ${o.name.en} white`] ?? 0) + (done[`${o.eco} ${o.name.en} black`] ?? 0);
  return (
    <div class="learn">
      <p class="learn-crumb">
        <a href="/learn">{t("learn.title")}</a>
      </p>
      <h1>{t("learn.openings")}</h1>
      <p class="field learn-pick-opening">
        <label for="opening">{t("learn.opening")}</label>
        <select id="opening" value={String(at)} data-testid="opening" onChange={(e) => begin(Number(e.currentTarget.value), "watch")}>
          {list.map((o, i) => (
            <option key={i} value={String(i)}>
              {o.eco} {o.name[lang]}
              {times(o) > 0 ? " ✓" : ""}
            </option>
          ))}
        </select>
      </p>
      <div class="learn-desk">
        <Trainer key={`${at} ${way} ${turn}`} opening={opening} way={way} core={core} onWay={(how) => begin(at, how)} onNext={() => begin((at + 1) % list.length, "watch")} />
      </div>
    </div>
  );
}

function Trainer({ opening, way, core, onWay, onNext }: { opening: Opening; way: Way; core: BoardCore; onWay: (way: Way) => void; onNext: () => void }): JSX.Element {
  const lang = useStore(language);
  const write = useWriteSan();
  const [faults, setFaults] = useState(0);
  const [hint, setHint] = useState(0);
  const [wrong, setWrong] = useState<string | null>(null);
  const line = useLine({
    core,
    start: START,
    line: opening.moves.map((san) => [san]),
    first: way === "black" ? 1 : 0,
    watch: way === "watch",
    onRight: () => {
      setWrong(null);
      setHint(0);
    },
    onWrong: (uci) => {
      setFaults(faults + 1);
      setWrong(write(core.move(line.fen, uci).san));
    },
    onDone: () => {
      if (way !== "watch" && faults === 0) openingDone(`${opening.eco} ${opening.name.en} ${way}`);
    },
  });
  const from = line.expected?.slice(0, 2);
  const to = line.expected?.slice(2, 4);
  const shapes: Shapes =
    hint === 1 && from ? { marks: [{ square: from, kind: "hint" }] } : hint === 2 && from && to ? { arrows: [{ from, to, kind: "hint" }] } : {};
  // The first moves of a remembered line are numbered as on a score sheet.
  const played = line.played.map((ply, i) => (i % 2 === 0 ? `${i / 2 + 1}. ` : "") + write(ply.san)).join(" ");
  return (
    <>
      <div class="learn-board">
        <LearnBoard core={core} fen={line.fen} orientation={way === "black" ? "black" : "white"} lastMove={line.lastMove} movable={line.mine} redraw={line.redraw} shapes={shapes} onMove={line.attempt} />
      </div>
      <div class="learn-side" data-testid="trainer" data-way={way} data-done={line.done}>
        <h2>
          {opening.name[lang]} <span class="quiet small">{opening.eco}</span>
        </h2>
        <p>{way === "watch" ? t("learn.watch_lead") : t("learn.memory_lead")}</p>
        <p class="learn-line" data-testid="line">
          {played}
        </p>
        <p class={line.done ? "learn-note good" : "learn-note wrong"} role="status" data-testid="note">
          {line.done
            ? way === "watch"
              ? t("learn.now_you")
              : faults === 0
                ? `✓ ${t("learn.by_heart")}`
                : t("learn.with_faults", { n: faults })
            : wrong
              ? `✗ ${t("learn.not_line", { move: wrong })}`
              : ""}
        </p>
        {way !== "watch" && !line.done && (
          <HintButton
            level={hint}
            expected={line.expected}
            onHint={() => {
              setHint(hint + 1);
              setFaults(faults + 1);
            }}
          />
        )}
        <p class="buttons">
          <button data-testid="way-watch" onClick={() => onWay("watch")}>
            {t("learn.watch")}
          </button>{" "}
          <button class={line.done && way === "watch" ? "primary" : ""} data-testid="way-white" onClick={() => onWay("white")}>
            {t("learn.play_white")}
          </button>{" "}
          <button data-testid="way-black" onClick={() => onWay("black")}>
            {t("learn.play_black")}
          </button>{" "}
          {line.done && way !== "watch" && (
            <button class="primary" data-testid="next-opening" onClick={onNext}>
              {t("learn.next_opening")}
            </button>
          )}
        </p>
      </div>
    </>
  );
}
