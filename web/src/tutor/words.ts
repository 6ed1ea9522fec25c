// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tutor's facts in the reader's language. Whoever shows them loads the area "tutor" first.
import type { LegalMove } from "../core/core";
import type { Fact, Man } from "../core/tutor";
import { t } from "../i18n";

const ROLES: Record<string, "pawn" | "knight" | "bishop" | "rook" | "queen" | "king"> = {
  p: "pawn",
  n: "knight",
  b: "bishop",
  r: "rook",
  q: "queen",
  k: "king",
};
const roleOf = (man: Man): (typeof ROLES)[string] => ROLES[man.piece.toLowerCase()] ?? "pawn";

const named = (man: Man | undefined): string =>
  man ? t(`tutor.man.${roleOf(man)}`, { square: man.square }) : "";
const object = (man: Man | undefined): string =>
  man ? t(`tutor.acc.${roleOf(man)}`, { square: man.square }) : "";

// "the rook on a8, the queen on d8 and the king on e8".
function all(men: readonly Man[]): string {
  const [last, ...others] = [...men].reverse().map(object);
  if (last === undefined) return "";
  return others.length > 0 ? t("tutor.and", { a: others.reverse().join(", "), b: last }) : last;
}

// Hundredths of a pawn as points (L-040).
export const points = (n: number): string => t("tutor.points", { n: Math.round(Math.abs(n) / 100) });

// Facts whose man is the object of the sentence.
const OBJECTS = new Set(["develops"]);

export function factText(fact: Fact, write: (move: LegalMove) => string): string {
  const { id, man, targets = [], n = 0 } = fact;
  const [front, behind] = targets;
  const promoted = man && roleOf(man);
  const key = id === "mates" && n === 1 ? "mate_now" : id === "allows_mate" && n === 1 ? "allows_mate_now" : id;
  return t(`tutor.${key}` as "tutor.fork", {
    n,
    man: OBJECTS.has(id) ? object(man) : named(man),
    target: object(front),
    targets: all(targets),
    front: id === "skewer" ? object(front) : named(front),
    behind: named(behind),
    square: man?.square ?? "",
    kind: id === "promotes" && promoted && promoted !== "pawn" && promoted !== "king" ? t(`tutor.into.${promoted}`) : "",
    points: points(n),
    san: fact.san && fact.move ? write({ san: fact.san, uci: fact.move }) : "",
  });
}
