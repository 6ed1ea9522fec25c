// SPDX-License-Identifier: GPL-3.0-or-later
//
// Switches of the board on this device; on the account page and beside the board.
import type { JSX } from "preact";
import { prefs, type Notation, type Prefs } from "../app/prefs";
import { useStore } from "../app/store";
import { t, type Key } from "../i18n";
import { Check } from "./field";

const SWITCHES: readonly { name: "sound" | "confirmLive" | "alwaysQueen" | "coordinates" | "animation"; text: Key }[] = [
  { name: "sound", text: "prefs.sound" },
  { name: "confirmLive", text: "prefs.confirm_live" },
  { name: "alwaysQueen", text: "prefs.always_queen" },
  { name: "coordinates", text: "prefs.coordinates" },
  { name: "animation", text: "prefs.animation" },
];
const NOTATIONS: readonly Notation[] = ["letters", "figurine", "english"];

export function BoardPrefs(): JSX.Element {
  const now = useStore(prefs);
  return (
    <div class="board-prefs">
      {SWITCHES.map(({ name, text }) => (
        <Check
          key={name}
          name={`pref-${name}`}
          checked={now[name]}
          onChecked={(on) => prefs.patch({ [name]: on } as Partial<Prefs>)}
        >
          {t(text)}
        </Check>
      ))}
      <p class="field">
        <label for="pref-notation">{t("prefs.notation")}</label>
        <select
          id="pref-notation"
          value={now.notation}
          onChange={(e) => prefs.patch({ notation: e.currentTarget.value as Notation })}
        >
          {NOTATIONS.map((n) => (
            <option key={n} value={n}>
              {t(`notation.${n}`)}
            </option>
          ))}
        </select>
      </p>
    </div>
  );
}
