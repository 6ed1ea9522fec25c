// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a clock shows. The server's readings are final; between them we count down ourselves.
import type { Clocks, Color, Control } from "../net/types";

export const other = (color: Color): Color => (color === "white" ? "black" : "white");

// Reading of a side's clock at a server time, never below zero.
export function reading(clocks: Clocks, color: Color, now: number): number {
  if (clocks.running !== color) return Math.max(0, clocks[color]);
  const counted = Math.max(0, now - clocks.at - clocks.delay_left);
  return Math.max(0, clocks[color] - counted);
}

const two = (n: number): string => String(n).padStart(2, "0");

// "2 d 04:15" from a day on, "1:29:55" from an hour on, "04:07", and in live games under 20 seconds
// tenths, "00:09.3". Rounded up: zero is shown only when the time is out.
export function clockText(ms: number, live: boolean, dayUnit: string): string {
  if (live && ms < 20_000) {
    const tenths = Math.ceil(ms / 100);
    return `00:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${days}\u00A0${dayUnit} ${two(hours)}:${two(minutes)}`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${two(minutes)}:${two(seconds % 60)}`;
}

// How long the shown text stays true, so that a clock is redrawn no more often than it changes.
export function nextTick(ms: number, live: boolean): number {
  if (ms <= 0) return 1000;
  const step = live && ms <= 20_000 ? 100 : 1000;
  return (ms % step || step) + 4;
}

// Played on a clock, both at the board: not by the day, nor out of a bank of days.
export const isLive = (control: Control): boolean =>
  control.kind === "clock" || control.kind === "periods";

// The time a side began with, for "low time" warnings.
export function startTime(control: Control): number {
  if (control.kind === "clock" || control.kind === "bank") return control.base_ms;
  if (control.kind === "periods") return control.periods[0]?.time_ms ?? 0;
  return control.days * 86_400_000;
}
