// SPDX-License-Identifier: GPL-3.0-or-later
//
// A rating in brackets beside a name, with a question mark while fewer than 30 games stand behind it.
import type { JSX } from "preact";
import { t } from "../i18n";
import type { RatingChange } from "../net/types";

interface Standing {
  rating: number;
  provisional: boolean;
}

// Figures of ratings are never grouped: 1500, not 1,500.
export const ratingText = (standing: Standing): string =>
  `${standing.rating}${standing.provisional ? "?" : ""}`;

export function Rating({ of }: { of: Standing }): JSX.Element {
  return (
    <span class="rating" title={of.provisional ? t("rating.provisional") : undefined}>
      ({ratingText(of)})
    </span>
  );
}

// "+13", "\u22129" with a true minus, "0".
export const signed = (by: number): string => (by > 0 ? `+${by}` : by < 0 ? `\u2212${-by}` : "0");

export const changeText = (change: Pick<RatingChange, "before" | "after">): string =>
  signed(change.after - change.before);
