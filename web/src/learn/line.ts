// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line of moves that a learner finds turn by turn while the other side answers.
import { useEffect, useRef, useState } from "preact/hooks";
import type { BoardCore, PlayedPly } from "../core/core";
import { speakMove } from "../game/speech";
import { say } from "../ui/say";
import { playSound } from "./board";

const REPLY_MS = 500;

export interface Line {
  fen: string;
  played: PlayedPly[];
  lastMove: readonly [string, string] | null;
  mine: boolean; // the learner is to move
  done: boolean;
  redraw: number;
  expected: string | null; // what he should play, in UCI form
  attempt: (uci: string) => void;
  // The rest is played through for him.
  reveal: () => void;
}

interface Options {
  core: BoardCore;
  start: string;
  line: readonly (readonly string[])[];
  first: 0 | 1; // whose turns are the learner's: 0 the first, third ... move
  watch?: boolean; // all of it is shown
  onWrong: (uci: string) => void;
  onRight?: () => void;
  onDone: () => void;
}

export function useLine({ core, start, line, first, watch, onWrong, onRight, onDone }: Options): Line {
  const [played, setPlayed] = useState<PlayedPly[]>([]);
  const [redraw, setRedraw] = useState(0);
  const [shown, setShown] = useState(watch ?? false);
  const finished = useRef(false);
  const fen = played.at(-1)?.fen ?? start;
  const at = played.length;
  const over = at >= line.length;
  const mine = !over && !shown && at % 2 === first;
  const last = played.at(-1);

  const go = (text: string): void => {
    const move = core.move(fen, text);
    playSound(move);
    say(speakMove(move.san));
    setPlayed([...played, move]);
  };
  // The other side answers after a moment, and what is only shown goes at the same pace.
  useEffect(() => {
    if (over || mine) return;
    const timer = window.setTimeout(() => go(line[at]![0]!), REPLY_MS);
    return () => window.clearTimeout(timer);
  }, [at, mine, over, shown]);
  useEffect(() => {
    if (!over || finished.current) return;
    finished.current = true;
    onDone();
  }, [over]);

  const uciOf = (text: string): string => core.move(fen, text).uci;
  const attempt = (uci: string): void => {
    if (!mine) return;
    const good = line[at]!.map(uciOf);
    const move = core.move(fen, uci);
    // Where the line ends in mate, any mate is as good.
    const mates = at === line.length - 1 && move.san.endsWith("#") && core.move(fen, good[0]!).san.endsWith("#");
    if (good.includes(uci) || mates) {
      onRight?.();
      go(uci);
      return;
    }
    setRedraw(redraw + 1);
    onWrong(uci);
  };
  return {
    fen,
    played,
    lastMove: last ? [last.uci.slice(0, 2), last.uci.slice(2, 4)] : null,
    mine,
    done: over,
    redraw,
    expected: mine ? uciOf(line[at]![0]!) : null,
    attempt,
    reveal: () => setShown(true),
  };
}
