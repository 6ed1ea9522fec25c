// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game being set up: what the form holds, kept in this browser for the next time, and the
// challenge it makes.
import { local } from "../app/local";
import { site } from "../app/site";
import { useStore } from "../app/store";
import { EDITIONS, type ChallengeForm, type Color, type Control, type Edition, type FlagMode, type GameType } from "../net/types";
import { controlKey, flagByLaws, isSlow, paceOf, PRESETS } from "./controls";

export interface Draft {
  type: GameType;
  preset: Record<GameType, string>; // key of a preset, or "own"
  base: string; // minutes
  increment: string; // seconds
  extra: "increment" | "delay";
  split: boolean; // two periods: so many moves in the base time, then the rest
  moves: string;
  rest: string;
  color: Color | "random";
  rated: boolean;
  edition: Edition | null; // null: the site's
  flag: FlagMode;
  touch: boolean;
  to: string; // nick of the one it is directed to; empty: everybody
  least: string; // ratings of those who may join
  most: string;
  confirmed: boolean;
  fen: string; // position to begin with; empty: the initial one
}

export const FIRST: Draft = {
  type: "blitz",
  preset: { classic: "3d", advance: "bank", blitz: "15+10" },
  base: "20",
  increment: "5",
  extra: "increment",
  split: false,
  moves: "40",
  rest: "30",
  color: "random",
  rated: true,
  edition: null,
  flag: "auto",
  touch: false,
  to: "",
  least: "",
  most: "",
  confirmed: false,
  fen: "",
};

// What the house plays by; as most do until the server has told.
export interface House {
  edition: Edition;
  supervised: boolean;
}
const USUAL: House = { edition: "fide-2023", supervised: true };
export const useHouse = (): House => useStore(site) ?? USUAL;

export function lastDraft(): Draft {
  try {
    const kept = JSON.parse(local.get("game") ?? "{}") as Partial<Draft>;
    const draft = { ...FIRST, ...kept, to: "", fen: "", preset: { ...FIRST.preset, ...kept.preset } };
    const known =
      draft.type in PRESETS && (draft.edition === null || EDITIONS.includes(draft.edition));
    return known ? draft : FIRST;
  } catch {
    return FIRST;
  }
}

export const keepDraft = (draft: Draft): void => local.set("game", JSON.stringify(draft));

const whole = (text: string, least: number, most: number): number | null => {
  const n = Number(text);
  return text.trim() !== "" && Number.isInteger(n) && n >= least && n <= most ? n : null;
};

// The control the own fields name, or null when they are out of range: 0 to 180 minutes, by
// halves below five; 0 to 180 seconds a move; not both nothing; 1 to 200 moves in a first period.
function ownControl(d: Draft): Control | null {
  const base = Number(d.base.replace(",", "."));
  const seconds = whole(d.increment, 0, 180);
  if (d.base.trim() === "" || seconds === null || !(base >= 0 && base <= 180)) return null;
  if (!Number.isInteger(base < 5 ? base * 2 : base)) return null;
  const extra = {
    increment_ms: d.extra === "increment" ? seconds * 1000 : 0,
    delay_ms: d.extra === "delay" ? seconds * 1000 : 0,
  };
  if (!d.split)
    return base === 0 && seconds === 0 ? null : { kind: "clock", base_ms: base * 60_000, ...extra };
  const moves = whole(d.moves, 1, 200);
  const rest = whole(d.rest, 1, 180);
  if (moves === null || rest === null || base === 0) return null;
  return {
    kind: "periods",
    periods: [
      { moves, time_ms: base * 60_000, ...extra },
      { moves: 0, time_ms: rest * 60_000, ...extra },
    ],
  };
}

export function chosenControl(d: Draft): Control | null {
  const key = d.preset[d.type];
  if (key === "own" && d.type === "blitz") return ownControl(d);
  for (const row of PRESETS[d.type])
    for (const control of row.controls) if (controlKey(control) === key) return control;
  return null;
}

// What the Laws and the house leave to choose for this control.
export interface Choices {
  edition: Edition;
  pace: ReturnType<typeof paceOf>;
  byLaws: FlagMode;
  flag: FlagMode; // as it will be
  mayClaim: boolean; // instead of automatic flags
  mayTouch: boolean;
}

export function choicesOf(d: Draft, control: Control, site: House): Choices {
  const edition = d.edition ?? site.edition;
  const pace = paceOf(edition, control);
  const byLaws = flagByLaws(edition, pace, site.supervised);
  const open = !isSlow(control) && !d.rated;
  const mayClaim = byLaws === "auto" && open;
  return {
    edition,
    pace,
    byLaws,
    flag: mayClaim ? d.flag : byLaws,
    mayClaim,
    mayTouch: open,
  };
}

// The range of ratings the fields name: null for none, undefined when they are no range (S-035).
export function rangeOf(d: Draft): [number, number] | null | undefined {
  if (d.least.trim() === "" && d.most.trim() === "") return null;
  const least = d.least.trim() === "" ? 0 : whole(d.least, 0, 4000);
  const most = d.most.trim() === "" ? 4000 : whole(d.most, 0, 4000);
  return least === null || most === null || most - least < 100 ? undefined : [least, most];
}

function whoMayJoin(d: Draft): Pick<ChallengeForm, "to" | "rating" | "confirmed"> {
  if (d.to.trim() !== "") return { to: d.to.trim() };
  const rating = rangeOf(d);
  return { ...(rating ? { rating } : {}), ...(d.confirmed ? { confirmed: true } : {}) };
}

export function formOf(d: Draft, control: Control, site: House, key: string): ChallengeForm {
  const choices = choicesOf(d, control, site);
  return {
    type: d.type,
    control,
    color: d.color,
    rated: d.rated,
    edition: choices.edition,
    ...(choices.mayClaim && d.flag === "claim" ? { flag: "claim" as const } : {}),
    ...(choices.mayTouch && d.touch ? { touch: true } : {}),
    ...(d.fen.trim() === "" ? {} : { fen: d.fen.trim() }),
    ...whoMayJoin(d),
    key,
  };
}
