// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the chess clock is set: minutes of each side, increment or delay, its face, where it stands.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { local } from "../app/local";
import { number, t } from "../i18n";
import { Dialog } from "../ui/dialog";
import { Check, Field } from "../ui/field";

export interface Choice {
  white: string; // minutes
  black: string;
  kind: "plain" | "increment" | "delay";
  extra: string; // seconds
  face: "digital" | "analogue";
  side: "right" | "left"; // of White, where the clock stands
  match: boolean; // no pause
}
const FIRST: Choice = { white: "10", black: "10", kind: "plain", extra: "5", face: "digital", side: "right", match: false };

const whole = (text: string, most: number): boolean => /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most;
const sound = (c: Choice): boolean => whole(c.white, 180) && whole(c.black, 180) && (c.kind === "plain" || whole(c.extra, 180));

export function lastChoice(): Choice {
  try {
    const kept = { ...FIRST, ...(JSON.parse(local.get("clock") ?? "{}") as Partial<Choice>) };
    return sound(kept) ? kept : FIRST;
  } catch {
    return FIRST;
  }
}

interface SettingsProps {
  choice: Choice;
  onSet: (choice: Choice) => void;
  onClose: () => void;
}

export function ClockSettings({ choice, onSet, onClose }: SettingsProps): JSX.Element {
  const [draft, setDraft] = useState(choice);
  const set = (part: Partial<Choice>): void => setDraft({ ...draft, ...part });
  const error = (text: string): string | undefined => (whole(text, 180) ? undefined : t("clock.range", { most: number(180) }));
  const choose = <K extends "kind" | "face" | "side">(name: K, values: readonly Choice[K][]): JSX.Element => (
    <label class="field clock-choice">
      <span>{t(`clock.${name}`)}</span>
      <select value={draft[name]} data-testid={`clock-${name}-choice`} onChange={(e) => set({ [name]: e.currentTarget.value } as Partial<Choice>)}>
        {values.map((v) => (
          <option key={v} value={v}>
            {t(`clock.${name}.${v}` as "clock.kind.plain")}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <Dialog title={t("clock.settings")} onClose={onClose} testid="clock-dialog">
      <form
        class="local-new"
        onSubmit={(e) => {
          e.preventDefault();
          if (sound(draft)) onSet(draft);
        }}
      >
        <div class="local-pair">
          <Field name="clock-white" label={t("clock.minutes_white")} value={draft.white} error={error(draft.white)} maxLength={3} onValue={(white) => set({ white })} />
          <Field name="clock-black" label={t("clock.minutes_black")} value={draft.black} error={error(draft.black)} maxLength={3} onValue={(black) => set({ black })} />
        </div>
        <div class="local-pair">
          {choose("kind", ["plain", "increment", "delay"])}
          {draft.kind !== "plain" && (
            <Field name="clock-extra" label={t("clock.seconds")} value={draft.extra} error={error(draft.extra)} maxLength={3} onValue={(extra) => set({ extra })} />
          )}
        </div>
        {choose("face", ["digital", "analogue"])}
        {choose("side", ["right", "left"])}
        <Check name="clock-match" checked={draft.match} onChecked={(match) => set({ match })}>
          {t("clock.match")}
        </Check>
        <p class="buttons">
          <button class="primary" data-testid="clock-set" disabled={!sound(draft)}>
            {t("clock.set")}
          </button>
          <button type="button" class="plain" onClick={onClose}>
            {t("common.cancel")}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
