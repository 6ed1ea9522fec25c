// SPDX-License-Identifier: GPL-3.0-or-later
//
// By which Laws a new game is played (S-105): the edition, the pace it gives to the control, and
// what it leaves to choose: how flags fall and touch mode (S-090).
import type { JSX } from "preact";
import { t } from "../i18n";
import { EDITIONS, type Control, type Edition } from "../net/types";
import { editionYear } from "../game/words";
import { Check } from "../ui/field";
import { isSlow } from "./controls";
import { choicesOf, type Draft, type House } from "./draft";

interface Props {
  draft: Draft;
  control: Control | null;
  site: House;
  set: (part: Partial<Draft>) => void;
}

export function LawsFields({ draft, control, site, set }: Props): JSX.Element {
  const edition = draft.edition ?? site.edition;
  const choices = control && choicesOf(draft, control, site);
  return (
    <fieldset class="laws-choice">
      <legend>{t("lobby.laws")}</legend>
      <p class="laws-row">
        <select
          value={edition}
          aria-label={t("lobby.edition")}
          data-testid="edition"
          onChange={(e) => set({ edition: e.currentTarget.value as Edition })}
        >
          {EDITIONS.map((key) => (
            <option key={key} value={key}>
              {t("game.laws", { year: editionYear(key) })}
            </option>
          ))}
        </select>{" "}
        {choices && (
          <span role="status" data-testid="pace">
            {t(`pace.${choices.pace}`)}
          </span>
        )}
      </p>
      {choices && control && !isSlow(control) && (
        <p class="laws-row">
          {choices.mayClaim ? (
            <select
              value={draft.flag}
              aria-label={t("lobby.flag")}
              data-testid="flag-mode"
              onChange={(e) => set({ flag: e.currentTarget.value === "claim" ? "claim" : "auto" })}
            >
              <option value="auto">{t("flag.auto")}</option>
              <option value="claim">{t("flag.claim")}</option>
            </select>
          ) : (
            <span data-testid="flag-by-laws">
              {t(choices.byLaws === "claim" ? "flag.claim_law" : "flag.auto")}
            </span>
          )}
        </p>
      )}
      {choices?.mayTouch && (
        <Check name="touch" checked={draft.touch} onChecked={(touch) => set({ touch })}>
          {t("lobby.touch")}
        </Check>
      )}
    </fieldset>
  );
}
