// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the board behaves (S-279); on the account page and beside the board.
import type { JSX } from "preact";
import { NOTATIONS, prefs, type Notation, type Prefs } from "../app/prefs";
import { useStore } from "../app/store";
import { number, t, type Key } from "../i18n";
import { Check } from "./field";

type Switch = { [K in keyof Prefs]: Prefs[K] extends boolean ? K : never }[keyof Prefs];

const SWITCHES: readonly { name: Switch; text: Key }[] = [
  { name: "confirmLive", text: "prefs.confirm_live" },
  { name: "premove", text: "prefs.premove" },
  { name: "alwaysQueen", text: "prefs.always_queen" },
  { name: "coordinates", text: "prefs.coordinates" },
  { name: "dots", text: "prefs.dots" },
  { name: "animation", text: "prefs.animation" },
  { name: "speakClock", text: "prefs.speak_clock" },
  { name: "sound", text: "prefs.sound" },
];

export function BoardPrefs(): JSX.Element {
  const now = useStore(prefs);
  return (
    <div class="board-prefs">
      {SWITCHES.map(({ name, text }) => (
        <Check
          key={name}
          name={`pref-${name}`}
          checked={now[name]}
          onChecked={(on) => prefs.patch({ [name]: on })}
        >
          {t(text)}
        </Check>
      ))}
      <p class="field">
        <label for="pref-volume">
          {t("prefs.volume")} <span class="quiet">{number(now.volume)}</span>
        </label>
        <input
          id="pref-volume"
          type="range"
          min="0"
          max="100"
          step="10"
          value={now.volume}
          disabled={!now.sound}
          onInput={(e) => prefs.patch({ volume: Number(e.currentTarget.value) })}
        />
      </p>
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
