// SPDX-License-Identifier: GPL-3.0-or-later
//
// "How could mate still come about?": who could still mate in the final position, with a line that plays on the board, or
// why nobody could, with the kind of proof (Articles 5.1.2, 5.2.2, 6.9). Worked out by the rules core
// itself, in a worker.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DeadAnswer, PlayedPly } from "../core/core";
import { dead } from "../core/dead";
import { t } from "../i18n";
import type { Color, Game } from "../net/types";
import { Icon, type IconName } from "../ui/icons";
import { say } from "../ui/say";
import { useStore } from "../app/store";
import { other } from "./clock";
import type { GameSession } from "./session";
import { speakBy } from "./speech";
import type { WriteMove } from "./write";

const STEP_MS = 900;

// Of whom the end of the game makes one ask whether he could mate; nobody: it does not.
export function askedOf(game: Pick<Game, "state" | "reason" | "result" | "edition">): readonly Color[] {
  if (game.state !== "ended") return [];
  switch (game.reason) {
    case "dead_position":
    case "flag_draw":
    case "resign_draw":
      return ["white", "black"];
    case "resignation":
      // Before 2023 whoever resigned lost, whatever the opponent could do.
      if (game.edition !== "fide-2023") return [];
      break;
    case "flag":
    case "abandoned":
      break;
    default:
      return [];
  }
  return game.result === "1-0" ? ["white"] : game.result === "0-1" ? ["black"] : ["white", "black"];
}

interface Props {
  session: GameSession;
  game: Game;
  write: WriteMove;
}

export function MateShown({ session, game, write }: Props): JSX.Element | null {
  const sides = askedOf(game);
  const [asked, setAsked] = useState(false);
  const [answer, setAnswer] = useState<DeadAnswer | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!asked) return;
    let gone = false;
    setFailed(false);
    dead(game.fen).then(
      (found) => {
        if (gone) return;
        setAnswer(found);
        say(sides.map((side) => sentence(found, side)).join(" "));
      },
      () => gone || setFailed(true),
    );
    return () => {
      gone = true;
    };
  }, [asked, game.fen]);
  if (sides.length === 0) return null;
  const drawn = game.result === "1/2-1/2";
  return (
    <div class="mate-shown" data-testid="mate-shown">
      {!asked && (
        <button data-testid="show-mate" onClick={() => setAsked(true)}>
          {drawn ? t("mate.why") : t("mate.show")}
        </button>
      )}
      {asked && !answer && !failed && <p role="status">{t("mate.working")}</p>}
      {failed && (
        <p class="error">
          {t("mate.failed")}{" "}
          <button class="plain link" onClick={() => setAsked(false)}>
            {t("common.close")}
          </button>
        </p>
      )}
      {answer &&
        sides.map((side) => (
          <div key={side} data-testid={`mate-${side}`} data-verdict={answer[side].verdict} data-proof={answer[side].proof}>
            <p>{sentence(answer, side)}</p>
            {answer[side].line.length > 0 && (
              <Witness session={session} game={game} line={answer[side].line} write={write} />
            )}
          </div>
        ))}
    </div>
  );
}

// "Black cannot mate: the men a mate would need can never get there."
export function sentence(answer: DeadAnswer, side: Color): string {
  const { verdict, proof } = answer[side];
  if (verdict === "possible")
    return proof === "mate" ? t(`mate.mated.${other(side)}`) : t(`mate.can.${side}`);
  if (verdict === "unknown" || proof === "none" || proof === "line") return t(`mate.unknown.${side}`);
  return t(`mate.cannot.${side}`, { proof: t(`mate.proof.${proof}`) });
}

interface WitnessProps extends Props {
  line: readonly string[];
}

// The line, a step at a time or by itself, on the board of the page.
function Witness({ session, game, line, write }: WitnessProps): JSX.Element {
  const state = useStore(session.state);
  const [plies, setPlies] = useState<PlayedPly[]>([]);
  const [playing, setPlaying] = useState(false);
  useEffect(() => setPlies(session.core.line(game.fen, line)), [game.fen, line]);
  const shown = state.line?.shown && state.line.base === game.ply ? state.line.plies : [];
  const at = shown.length <= plies.length && shown.every((ply, i) => ply.fen === plies[i]!.fen) ? shown.length : 0;

  const go = (to: number): void => {
    const count = Math.max(0, Math.min(to, plies.length));
    session.show(plies.slice(0, count));
    const last = plies[count - 1];
    if (last && to > at) say(speakBy(last.fen.split(" ")[1] === "b" ? "white" : "black", last.san));
  };
  useEffect(() => {
    if (!playing) return;
    if (at >= plies.length) {
      setPlaying(false);
      return;
    }
    const timer = window.setTimeout(() => go(at + 1), STEP_MS);
    return () => window.clearTimeout(timer);
  }, [playing, at, plies]);

  const sign = (icon: IconName, label: string, testid: string, disabled: boolean, to: number): JSX.Element => (
    <button
      class="plain sign"
      aria-label={label}
      title={label}
      data-testid={testid}
      disabled={disabled}
      onClick={() => {
        setPlaying(false);
        go(to);
      }}
    >
      <Icon name={icon} />
    </button>
  );
  const last = plies[at - 1];
  return (
    <div class="witness" role="group" aria-label={t("mate.line")}>
      <button
        class="primary"
        data-testid="mate-play"
        aria-pressed={playing}
        onClick={() => {
          if (!playing && at >= plies.length) session.show([]);
          setPlaying(!playing);
        }}
      >
        {playing ? t("mate.pause") : t("mate.play")}
      </button>
      {sign("first", t("replay.first"), "mate-first", at === 0, 0)}
      {sign("prev", t("replay.prev"), "mate-prev", at === 0, at - 1)}
      {sign("next", t("replay.next"), "mate-next", at >= plies.length, at + 1)}
      {sign("last", t("replay.last"), "mate-last", at >= plies.length, plies.length)}
      <span class="small" data-testid="mate-step">
        {t("mate.step", { n: at, of: plies.length })}
        {last ? `: ${write(last)}` : ""}
      </span>
    </div>
  );
}
