// SPDX-License-Identifier: GPL-3.0-or-later
//
// One's own clock running low in a live game: a sound, and for those who cannot see the clock spoken
// times (a talking clock, Appendix D.2.4 of the 2023 Laws): 15, 10, 5 and 1 minutes, 30 and 10 seconds,
// the last five one by one.
import { useEffect, useRef } from "preact/hooks";
import { prefs } from "../app/prefs";
import { t } from "../i18n";
import { serverNow } from "../net/clock_offset";
import type { Color, Game } from "../net/types";
import { say } from "../ui/say";
import { isLive, reading, startTime } from "./clock";
import { isOver } from "./fold";
import * as sound from "./sound";

const SPOKEN_S = [900, 600, 300, 60, 30, 10, 5, 4, 3, 2, 1];

const spokenTime = (seconds: number): string =>
  seconds >= 60
    ? t("speech.minutes_left", { n: seconds / 60 })
    : seconds > 5
      ? t("speech.seconds_left", { n: seconds })
      : String(seconds);

export function useLowTime(game: Game, side: Color | null): void {
  const warned = useRef(false);
  useEffect(() => {
    if (!side || isOver(game) || !isLive(game.control) || game.clocks.running !== side) return;
    const left = reading(game.clocks, side, serverNow());
    const wait = left + game.clocks.delay_left;
    const limit = Math.min(20_000, startTime(game.control) / 8);
    const timers: number[] = [];
    const at = (ms: number, act: () => void): void => {
      timers.push(window.setTimeout(act, ms));
    };
    if (wait > limit) warned.current = false;
    if (!warned.current)
      at(Math.max(0, wait - limit), () => {
        warned.current = true;
        sound.play("low");
        say(t("game.low_time"));
      });
    if (prefs.get().speakClock)
      for (const seconds of SPOKEN_S)
        if (left > seconds * 1000) at(wait - seconds * 1000, () => say(spokenTime(seconds)));
    return () => timers.forEach((timer) => window.clearTimeout(timer));
  }, [game.clocks, game.state]);
}
