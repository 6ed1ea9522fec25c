// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time controls: the presets, their category, and how they are written.
import { t, number } from "../i18n";
import type { Category, Control } from "../net/types";

const clock = (minutes: number, increment: number): Control => ({
  kind: "clock",
  base_ms: minutes * 60_000,
  increment_ms: increment * 1000,
  delay_ms: 0,
});
const days = (n: number): Control => ({ kind: "days", days: n });

export type Row = Category | "days";

export const PRESETS: readonly { row: Row; controls: readonly Control[] }[] = [
  {
    row: "blitz",
    controls: [clock(1, 0), clock(2, 1), clock(3, 0), clock(3, 2), clock(5, 0), clock(5, 3), clock(10, 0)],
  },
  { row: "rapid", controls: [clock(15, 0), clock(15, 10), clock(25, 0), clock(25, 5), clock(25, 10)] },
  { row: "standard", controls: [clock(60, 0), clock(60, 30), clock(90, 30)] },
  { row: "days", controls: [days(1), days(2), days(3), days(5), days(7), days(10), days(14)] },
];

// T = base + 60 increments, in seconds: up to 600 blitz, below 3600 rapid (Appendices A and B).
export function categoryOf(control: Control): Category {
  if (control.kind === "days" || control.kind === "bank") return "standard";
  const periods =
    control.kind === "clock" ? [{ ...control, time_ms: control.base_ms }] : control.periods;
  const last = periods[periods.length - 1];
  const total =
    periods.reduce((sum, p) => sum + p.time_ms, 0) +
    60 * ((last?.increment_ms ?? 0) + (last?.delay_ms ?? 0));
  return total <= 600_000 ? "blitz" : total < 3_600_000 ? "rapid" : "standard";
}

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
