// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lessons draw over the board and write beside it: who rules the centre, pins, the phase, the
// rules of thumb of the opening, an exchange counted out. lesson.wasm says what is so.
import type { JSX } from "preact";
import { number, t } from "../i18n";
import { Checklist } from "../tutor/checklist";
import type { Shapes } from "./board";
import type { Facts, LessonCore } from "./data";
import { useWriteSan } from "./text";

export function overlayShapes(core: LessonCore, overlay: string, fen: string): Shapes {
  const [name] = overlay.split(" ");
  if (name === "centre") {
    const { centre } = core.facts(fen);
    return {
      marks: Object.entries(centre).map(([square, [white, black]]) => ({
        square,
        kind: white > black ? "for-white" : black > white ? "for-black" : "even",
      })),
    };
  }
  if (name === "pins") return { arrows: core.facts(fen).pins.map(([from, , to]) => ({ from, to, kind: "pin" })) };
  return {};
}

export function OverlayPanel({ core, overlay, fen, moves }: {
  core: LessonCore;
  overlay: string;
  fen: string;
  moves: readonly string[];
}): JSX.Element | null {
  const [name, square] = overlay.split(" ");
  switch (name) {
    case "centre":
      return <Centre facts={core.facts(fen)} />;
    case "pins":
      return <Pins facts={core.facts(fen)} />;
    case "phase":
      return <Phase facts={core.facts(fen)} />;
    case "checklist":
      return <Kept core={core} moves={moves} />;
    case "exchange":
      return <ExchangePanel core={core} fen={fen} square={square!} />;
    default:
      return null;
  }
}

function Centre({ facts }: { facts: Facts }): JSX.Element {
  return (
    <table class="facts" data-testid="overlay-centre">
      <caption>{t("learn.centre")}</caption>
      <thead>
        <tr>
          <th scope="col">{t("learn.square")}</th>
          <th scope="col">{t("color.white")}</th>
          <th scope="col">{t("color.black")}</th>
        </tr>
      </thead>
      <tbody>
        {Object.entries(facts.centre).map(([square, [white, black]]) => (
          <tr key={square}>
            <th scope="row">{square}</th>
            <td class={white > black ? "more" : ""}>{number(white)}</td>
            <td class={black > white ? "more" : ""}>{number(black)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Pins({ facts }: { facts: Facts }): JSX.Element {
  return (
    <div class="facts" data-testid="overlay-pins">
      {facts.pins.length === 0 && <p>{t("learn.no_pins")}</p>}
      {facts.pins.map(([slider, front, behind]) => (
        <p key={slider + behind}>{t("learn.pin", { slider, front, behind })}</p>
      ))}
    </div>
  );
}

function Phase({ facts }: { facts: Facts }): JSX.Element {
  return (
    <p class="facts" data-testid="overlay-phase">
      {t("learn.phase", { phase: t(`learn.phase.${facts.phase}`) })}
      <br />
      {t("learn.developed", { white: facts.developed.white, black: facts.developed.black })}
    </p>
  );
}

function Kept({ core, moves }: { core: LessonCore; moves: readonly string[] }): JSX.Element {
  const kept = core.checklist(moves);
  return (
    <Checklist
      testid="overlay-checklist"
      columns={(["white", "black"] as const).map((color) => ({
        color,
        sign: (rule) => (kept[color].includes(rule) ? "kept" : "broken"),
      }))}
    />
  );
}

const signed = (n: number): string => (n > 0 ? `+${number(n)}` : n < 0 ? `−${number(-n)}` : "0");

function ExchangePanel({ core, fen, square }: { core: LessonCore; fen: string; square: string }): JSX.Element {
  const write = useWriteSan();
  const exchange = core.exchange(fen, square);
  return (
    <div class="facts" data-testid="overlay-exchange">
      <p>{t("learn.exchange", { square })}</p>
      <ol class="exchange">
        {exchange.moves.map((move, i) => (
          <li key={i} class={i >= exchange.stop ? "beyond" : ""}>
            <b>{write(move.san)}</b> <span>{signed(move.balance)}</span>
          </li>
        ))}
      </ol>
      <p>
        {t("learn.exchange_result", { n: signed(exchange.result) })}
        {exchange.stop < exchange.moves.length && ` ${t("learn.exchange_stop")}`}
      </p>
    </div>
  );
}
