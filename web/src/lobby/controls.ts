// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time controls: the presets, their category and pace, and how they are written.
import { t, number } from "../i18n";
import type { Category, Control, Edition, FlagMode, GameType, Played } from "../net/types";

const clock = (minutes: number, increment: number): Control => ({
  kind: "clock",
  base_ms: minutes * 60_000,
  increment_ms: increment * 1000,
  delay_ms: 0,
});
const days = (n: number): Control => ({ kind: "days", days: n });
export const BANK: Control = {
  kind: "bank",
  base_ms: 864_000_000,
  increment_ms: 120_000,
  increment_moves: 360,
};

export type Row = Category | "days" | "bank";

const DAYS = [1, 2, 3, 5, 7, 10, 14].map(days);

// What each type of game may be played at (S-032, R-010); the first mentioned in FIRST is chosen.
export const PRESETS: Record<GameType, readonly { row: Row; controls: readonly Control[] }[]> = {
  classic: [{ row: "days", controls: DAYS }],
  advance: [
    { row: "bank", controls: [BANK] },
    { row: "days", controls: DAYS },
  ],
  blitz: [
    {
      row: "blitz",
      controls: [clock(1, 0), clock(2, 1), clock(3, 0), clock(3, 2), clock(5, 0), clock(5, 3), clock(10, 0)],
    },
    { row: "rapid", controls: [clock(15, 0), clock(15, 10), clock(25, 0), clock(25, 5), clock(25, 10)] },
    { row: "standard", controls: [clock(60, 0), clock(60, 30), clock(90, 30)] },
  ],
};

export const isSlow = (control: Control): boolean => control.kind === "days" || control.kind === "bank";

// All the time of a player for sixty moves, when each move's increment or delay counts so often.
function timeOf(control: Control, factor: number): number {
  if (control.kind === "days" || control.kind === "bank") return Infinity;
  const periods =
    control.kind === "clock" ? [{ ...control, time_ms: control.base_ms }] : control.periods;
  const added = Math.max(...periods.map((p) => p.increment_ms + p.delay_ms));
  return periods.reduce((sum, p) => sum + p.time_ms, 0) + factor * added;
}

// T = base + 60 increments: up to 10 minutes blitz, below an hour rapid (R-001 to R-003).
export function categoryOf(control: Control): Category {
  const total = timeOf(control, 60);
  return total <= 600_000 ? "blitz" : total < 3_600_000 ? "rapid" : "standard";
}

// Whose rules an edition lays down for a control: its own limits, which moved over the years.
export function paceOf(edition: Edition, control: Control): Category {
  const total = timeOf(control, edition === "fide-1997" ? 0 : 60);
  const early = edition === "fide-1997" || edition === "fide-2005" || edition === "fide-2009";
  const hourIsRapid = edition === "fide-1997" || edition === "fide-2005";
  if (total > 3_600_000 || (total === 3_600_000 && !hourIsRapid)) return "standard";
  return (early ? total >= 900_000 : total > 600_000) ? "rapid" : "blitz";
}

// Who makes a flag fall by the Laws themselves (R-025, R-026).
export function flagByLaws(edition: Edition, pace: Category, supervised: boolean): FlagMode {
  if (pace === "standard") return "auto";
  return edition === "fide-1997" || edition === "fide-2005" || (edition === "fide-2009" && !supervised)
    ? "claim"
    : "auto";
}

// What kind of game it is: the type of slow ones, the category of live ones.
export const kindText = (played: Pick<Played, "type" | "category">): string =>
  t(played.type === "blitz" ? `category.${played.category}` : `type.${played.type}`);

// "3+2", "½+1", "90/40 + 30+30", "3 days per move".
export function controlText(control: Control): string {
  switch (control.kind) {
    case "clock":
      return (
        `${minutes(control.base_ms)}+${number((control.increment_ms || control.delay_ms) / 1000)}` +
        (control.delay_ms > 0 && control.increment_ms === 0 ? ` ${t("control.delay_mark")}` : "")
      );
    case "periods":
      return control.periods
        .map((p) => {
          const each = (p.increment_ms || p.delay_ms) / 1000;
          return `${minutes(p.time_ms)}${p.moves > 0 ? `/${p.moves}` : ""}${each > 0 ? `+${number(each)}` : ""}`;
        })
        .join(", ");
    case "days":
      return t("control.days", { n: control.days });
    case "bank":
      return t("control.bank");
  }
}

// Of a game: against the computer nobody hurries where the control is one of days.
export const gameControlText = ({ type, control }: { type: GameType | "computer"; control: Control }): string =>
  type === "computer" && control.kind === "days" ? t("computer.no_hurry") : controlText(control);

function minutes(ms: number): string {
  const half = ms / 30_000;
  if (half % 2 === 0) return String(half / 2);
  if (Number.isInteger(half)) return half === 1 ? "½" : `${(half - 1) / 2}½`;
  return number(Math.round(ms / 600) / 100);
}

// A short name for tests and addresses: "3+2", "0.5+1", "3d".
export const controlKey = (control: Control): string =>
  control.kind === "days"
    ? `${control.days}d`
    : control.kind === "bank"
      ? "bank"
      : control.kind === "clock"
      ? `${control.base_ms / 60_000}+${control.increment_ms / 1000}`
      : "periods";
