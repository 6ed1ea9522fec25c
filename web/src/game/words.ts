// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a game ended, in words.
import { known, t } from "../i18n";
import type { Game, Result } from "../net/types";

// "1-0" with a real dash, "½–½".
export const resultText = (result: Result): string =>
  result.replace(/1\/2/g, "½").replace("-", "–").replace("*", "—");

export function reasonText(reason: string): string {
  const key = `reason.${reason}`;
  return known(key) ? t(key) : reason;
}

// "White wins", "Draw", "No result".
export function outcomeText(game: Game): string {
  switch (game.result) {
    case "1-0":
      return t("result.white");
    case "0-1":
      return t("result.black");
    case "1/2-1/2":
      return t("result.draw");
    case "*":
      return t("result.none");
    default:
      return resultText(game.result);
  }
}

// The article on a wrong claim and the move announced with it.
export const wrongClaimArticle = (edition: string): string =>
  edition === "fide-2023" ? "9.5.3" : "9.5b";

// "fide-2023" to "2023".
export const editionYear = (edition: string): string => edition.replace(/^\D+/, "");
