// SPDX-License-Identifier: GPL-3.0-or-later
//
// A chess clock for a board of wood (L-028): two displays of which never both run. What is counted is
// counted by the Laws' clock in the core; here stand the faces and the hands that press.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { local } from "../app/local";
import { startServiceWorker } from "../app/service_worker";
import { setTitle } from "../app/title";
import { Dial } from "../clock/dial";
import { ClockSettings, lastChoice, type Choice } from "../clock/settings";
import { clockText, other } from "../game/clock";
import { play as sound } from "../game/sound";
import { t } from "../i18n";
import { loadLocal, type LocalCore, type TimerState } from "../local/core";
import { keepOffline } from "../local/offline";
import type { Color } from "../net/types";
import { Dialog } from "../ui/dialog";
import { Icon, type IconName } from "../ui/icons";
import { say } from "../ui/say";

// Time that only goes forward, whatever is done to the clock of the machine.
const start = Date.now() - performance.now();
const now = (): number => start + performance.now();

export function ClockPage(): JSX.Element {
  const [core, setCore] = useState<LocalCore | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => setTitle(t("clock.title")), []);
  useEffect(() => {
    loadLocal().then(setCore, () => setFailed(true));
    void startServiceWorker().then(keepOffline);
  }, []);
  if (failed) return <p class="error">{t("game.core_failed")}</p>;
  return core ? <ChessClock core={core} /> : <p class="loading">{t("common.loading")}</p>;
}

const setLine = (c: Choice): string =>
  `timer ${Number(c.white) * 60_000} ${Number(c.black) * 60_000} ${c.kind === "increment" ? Number(c.extra) * 1000 : 0} ${c.kind === "delay" ? Number(c.extra) * 1000 : 0}`;

function ChessClock({ core }: { core: LocalCore }): JSX.Element {
  const [choice, setChoice] = useState(lastChoice);
  const [timer, setTimer] = useState<TimerState>(() => core.call(setLine(lastChoice()), "", now()).timer);
  const [open, setOpen] = useState<"settings" | "reset" | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(timer);
  latest.current = timer;

  const take = (next: TimerState): void => {
    for (const side of ["white", "black"] as const)
      if (next.down[side] && !latest.current.down[side]) {
        sound("end");
        say(t(next.first === side ? "clock.flag_first" : "clock.flag_fell", { color: t(`color.${side}`) }));
      }
    latest.current = next;
    setTimer(next);
  };
  const press = (side: Color): void => {
    const { did, timer: next } = core.call(`press ${side}`, "", now());
    if (did.press === "pressed") sound("move");
    take(next);
  };
  const pause = (): void => {
    const { paused } = latest.current;
    if (!paused && choice.match) return;
    take(core.call(paused ? "start" : "stop", "", now()).timer);
  };
  const reset = (with_: Choice): void => {
    local.set("clock", JSON.stringify(with_));
    setChoice(with_);
    latest.current = core.call(setLine(with_), "", now()).timer;
    setTimer(latest.current);
    setOpen(null);
  };
  // A clock that runs is set back only after a question.
  const askReset = (): void => (latest.current.started && !latest.current.down.white && !latest.current.down.black ? setOpen("reset") : reset(choice));
  const fullScreen = (): void =>
    void (document.fullscreenElement ? document.exitFullscreen() : frame.current?.requestFullscreen?.());
  const flipFace = (): void => {
    const next = { ...choice, face: choice.face === "digital" ? ("analogue" as const) : ("digital" as const) };
    local.set("clock", JSON.stringify(next));
    setChoice(next);
  };

  useRunning(timer, () => take(core.call("look", "", now()).timer));
  useWakeLock(timer.running !== null);
  // Where the players look at the clock from the board, White sits at the side it stands on.
  const [first, second]: readonly Color[] = choice.side === "right" ? ["black", "white"] : ["white", "black"];
  useClockKeys({ first: () => press(first!), second: () => press(second!), any: () => press(latest.current.running ?? "black"), pause, reset: askReset, fullScreen });

  const sign = (testid: string, icon: IconName, label: string, disabled: boolean, act: () => void): JSX.Element => (
    <button class="plain sign" data-testid={testid} aria-label={label} title={label} disabled={disabled} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  const half = (side: Color, place: "first" | "second"): JSX.Element => (
    <Half key={side} side={side} place={place} timer={timer} choice={choice} core={core} onPress={() => press(side)} />
  );
  return (
    <div class={`chess-clock ${choice.face}`} ref={frame} data-testid="chess-clock">
      <h1 class="unseen">{t("clock.title")}</h1>
      {half(first!, "first")}
      <div class="clock-bar">
        {sign("clock-pause", timer.paused ? "play" : "pause", t(timer.paused ? "clock.go_on" : "clock.pause"), !timer.started || (choice.match && !timer.paused), pause)}
        {sign("clock-reset", "first", t("clock.reset"), !timer.started, askReset)}
        {sign("clock-face", "auto", t(choice.face === "digital" ? "clock.to_analogue" : "clock.to_digital"), false, flipFace)}
        {sign("clock-settings", "settings", t("clock.settings"), timer.running !== null, () => setOpen("settings"))}
        {document.fullscreenEnabled && (
          <button class="plain sign" data-testid="clock-full" aria-label={t("clock.full_screen")} title={t("clock.full_screen")} onClick={fullScreen}>
            <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
              <path d="M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4" />
            </svg>
          </button>
        )}
      </div>
      {half(second!, "second")}
      <p class={`clock-hint quiet small ${timer.started ? "by-keys" : ""}`}>{t(timer.started ? "clock.keys" : "clock.neutral")}</p>
      {open === "settings" && <ClockSettings choice={choice} onSet={reset} onClose={() => setOpen(null)} />}
      {open === "reset" && (
        <Dialog title={t("clock.reset")} onClose={() => setOpen(null)}>
          <p>{t("clock.ask_reset")}</p>
          <p class="buttons">
            <button class="primary" data-testid="reset-yes" onClick={() => reset(choice)}>
              {t("clock.reset")}
            </button>
            <button class="plain" onClick={() => setOpen(null)}>
              {t("common.cancel")}
            </button>
          </p>
        </Dialog>
      )}
    </div>
  );
}

interface HalfProps {
  side: Color;
  place: "first" | "second";
  timer: TimerState;
  choice: Choice;
  core: LocalCore;
  onPress: () => void;
}

function Half({ side, place, timer, choice, core, onPress }: HalfProps): JSX.Element {
  const running = timer.running === side;
  const down = timer.down[side];
  const [, redraw] = useState(0);
  // The running side is read anew for every picture; the core says what it shows.
  const shown = running ? core.call("read", "", now()).timer : timer;
  const ms = shown[side];
  useEffect(() => {
    if (!running) return;
    let id = 0;
    const tick = (): void => {
      redraw((n) => n + 1);
      id = requestAnimationFrame(tick);
    };
    id = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(id);
  }, [running]);
  const text = clockText(ms, true, t("unit.d"));
  const first = down && timer.first === side && timer.down[other(side)];
  return (
    <button
      class={`clock-half ${place} ${side} ${running ? "running" : ""} ${down ? "down" : ""}`}
      data-testid={`half-${side}`}
      data-running={running}
      data-down={down}
      data-ms={Math.round(ms)}
      onPointerDown={(e) => {
        if (e.button !== 0) return;
        e.preventDefault();
        onPress();
      }}
      onClick={(e) => e.detail === 0 && onPress()}
    >
      <span class="clock-name">
        <i class={`stone ${side}`} aria-hidden="true" /> {t(`color.${side}`)}
        <span class="quiet"> {t("clock.moves", { n: timer.presses[side] })}</span>
      </span>
      {choice.face === "digital" ? <span class="clock-digits">{text}</span> : (
        <>
          <Dial ms={ms} down={down} />
          <span class={running ? "clock-small" : "clock-small resting"}>{text}</span>
        </>
      )}
      <span class="clock-below">
        {running && shown.delay > 0 && t("clock.delay_left", { n: Math.ceil(shown.delay / 1000) })}
        {down && <b data-testid={`flag-${side}`}>{t(first ? "clock.flag_was_first" : "clock.flag")}</b>}
        {timer.paused === side && t("clock.paused")}
      </span>
    </button>
  );
}

// Looks at the flag when it is due.
function useRunning(timer: TimerState, look: () => void): void {
  const act = useRef(look);
  act.current = look;
  useEffect(() => {
    if (!timer.running || timer.down[timer.running]) return;
    const id = window.setTimeout(() => act.current(), timer[timer.running] + timer.delay + 2);
    return () => window.clearTimeout(id);
  }, [timer]);
}

// The screen stays on while a clock runs, where the browser can do that.
function useWakeLock(running: boolean): void {
  useEffect(() => {
    if (!running || !("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let over = false;
    const hold = (): void => {
      if (document.visibilityState !== "visible") return;
      navigator.wakeLock.request("screen").then(
        (got) => {
          lock = got;
          if (over) void got.release();
        },
        () => {},
      );
    };
    hold();
    document.addEventListener("visibilitychange", hold);
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", hold);
      void lock?.release();
    };
  }, [running]);
}

interface Acts {
  first: () => void;
  second: () => void;
  any: () => void;
  pause: () => void;
  reset: () => void;
  fullScreen: () => void;
}

// By the place of the key: the left hand presses the left clock on every layout.
function useClockKeys(acts: Acts): void {
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    const keys: Record<string, keyof Acts> = {
      ShiftLeft: "first",
      KeyA: "first",
      ArrowLeft: "first",
      ArrowUp: "first",
      ShiftRight: "second",
      KeyL: "second",
      ArrowRight: "second",
      ArrowDown: "second",
      Space: "any",
      KeyP: "pause",
      KeyR: "reset",
      KeyF: "fullScreen",
    };
    const onKey = (e: KeyboardEvent): void => {
      const act = keys[e.code];
      if (!act || e.repeat || e.ctrlKey || e.altKey || e.metaKey || document.querySelector("dialog[open]")) return;
      const target = (e.target as Element).closest?.("button, a, input, select");
      if (target && (!target.classList.contains("clock-half")) && e.code === "Space") return;
      e.preventDefault();
      latest.current[act]();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
