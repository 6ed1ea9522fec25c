// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Start a new game": time control, colour, rated or not. The presets are a table of figures, as in
// a bulletin; the last row takes a control of one's own.
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { local } from "../app/local";
import { loginPath, navigate } from "../app/router";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { t } from "../i18n";
import { api, ApiError } from "../net/api";
import type { Challenge, ChallengeForm, Color, Control } from "../net/types";
import { errorText } from "../ui/errors";
import { Check, FormError } from "../ui/field";
import { categoryOf, controlKey, controlText, PRESETS, type Row } from "./controls";

interface Draft {
  preset: string; // key of a preset, or "own"
  kind: "clock" | "days";
  base: string;
  increment: string;
  days: string;
  color: Color | "random";
  rated: boolean;
}

const FIRST: Draft = {
  preset: "15+10",
  kind: "clock",
  base: "20",
  increment: "5",
  days: "4",
  color: "random",
  rated: true,
};

function lastDraft(): Draft {
  try {
    return { ...FIRST, ...(JSON.parse(local.get("challenge") ?? "{}") as Partial<Draft>) };
  } catch {
    return FIRST;
  }
}

const COLORS = ["white", "random", "black"] as const;

// The control the own fields name, or null when they are out of range: 0 to 180 minutes, by halves
// below five; 0 to 180 seconds a move; not both nothing; 1 to 14 days.
function ownControl(d: Draft): Control | null {
  if (d.kind === "days") {
    const days = Number(d.days);
    return Number.isInteger(days) && days >= 1 && days <= 14 ? { kind: "days", days } : null;
  }
  const base = Number(d.base.replace(",", "."));
  const increment = Number(d.increment);
  if (d.base.trim() === "" || d.increment.trim() === "") return null;
  if (!(base >= 0 && base <= 180) || !(increment >= 0 && increment <= 180)) return null;
  if (!Number.isInteger(increment) || !Number.isInteger(base < 5 ? base * 2 : base)) return null;
  if (base === 0 && increment === 0) return null;
  return { kind: "clock", base_ms: base * 60_000, increment_ms: increment * 1000, delay_ms: 0 };
}

function chosen(d: Draft): Control | null {
  if (d.preset === "own") return ownControl(d);
  for (const row of PRESETS)
    for (const control of row.controls) if (controlKey(control) === d.preset) return control;
  return null;
}

const rowName = (row: Row): string => (row === "days" ? t("lobby.days") : t(`category.${row}`));

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

export function ChallengeFormBlock({ onCreated }: { onCreated: (c: Challenge) => void }): JSX.Element {
  const account = useStore(me);
  const [draft, setDraft] = useState(lastDraft);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // One key per wish: a double click, or a second try after a broken connection, makes one challenge.
  const key = useRef(newKey());
  const control = chosen(draft);

  const set = (part: Partial<Draft>): void => {
    const next = { ...draft, ...part };
    setDraft(next);
    setError(null);
    local.set("challenge", JSON.stringify(next));
    key.current = newKey();
  };

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    if (account === null) return navigate(loginPath());
    if (!control) return setError(new ApiError("control_range", "", "control"));
    setBusy(true);
    const form: ChallengeForm = { control, color: draft.color, rated: draft.rated, key: key.current };
    try {
      const challenge = await api.createChallenge(form);
      key.current = newKey();
      setError(null);
      onCreated(challenge);
    } catch (e) {
      setError(e);
    }
    setBusy(false);
  };

  const controlError = error instanceof ApiError && error.code === "control_range";
  return (
    <form class="challenge" onSubmit={submit} data-testid="challenge-form">
      <fieldset class="presets">
        <legend>{t("lobby.control")}</legend>
        {PRESETS.map(({ row, controls }) => (
          <div class="preset-row" key={row} role="group" aria-label={rowName(row)}>
            <span class="preset-name" aria-hidden="true">{rowName(row)}</span>
            <span class="preset-list">
              {controls.map((c) => {
                const name = controlKey(c);
                return (
                  <label class="chip" key={name}>
                    <input
                      type="radio"
                      name="preset"
                      value={name}
                      checked={draft.preset === name}
                      onChange={() => set({ preset: name })}
                      data-testid={`preset-${name}`}
                      aria-label={controlText(c)}
                    />
                    <span aria-hidden="true">{c.kind === "days" ? c.days : controlText(c)}</span>
                  </label>
                );
              })}
            </span>
          </div>
        ))}
        <div class="preset-row" role="group" aria-label={t("lobby.own")}>
          <span class="preset-name">
            <label class="chip">
              <input
                type="radio"
                name="preset"
                value="own"
                checked={draft.preset === "own"}
                onChange={() => set({ preset: "own" })}
                data-testid="preset-own"
              />
              <span>{t("lobby.own")}</span>
            </label>
          </span>
          <span class="preset-list own">
            <select
              aria-label={t("lobby.own_kind")}
              value={draft.kind}
              data-testid="own-kind"
              onChange={(e) => set({ kind: e.currentTarget.value as Draft["kind"], preset: "own" })}
            >
              <option value="clock">{t("lobby.kind_clock")}</option>
              <option value="days">{t("lobby.kind_days")}</option>
            </select>
            {draft.kind === "clock" ? (
              <>
                <OwnNumber name="own-base" label={t("lobby.base")} unit={t("unit.min")} value={draft.base}
                  onValue={(base) => set({ base, preset: "own" })} />
                <OwnNumber name="own-increment" label={t("lobby.increment")} unit={t("unit.s_per_move")}
                  value={draft.increment} onValue={(increment) => set({ increment, preset: "own" })} />
              </>
            ) : (
              <OwnNumber name="own-days" label={t("lobby.days")} unit={t("lobby.days_unit")} value={draft.days}
                onValue={(days) => set({ days, preset: "own" })} />
            )}
            {draft.preset === "own" && control && control.kind !== "days" && (
              <span class="quiet small">= {t(`category.${categoryOf(control)}`)}</span>
            )}
          </span>
        </div>
        {controlError && <p class="error" id="control-error">{errorText(error)}</p>}
      </fieldset>
      <div class="challenge-rest">
        <fieldset class="colors">
          <legend>{t("lobby.color")}</legend>
          {COLORS.map((color) => (
            <label class="chip" key={color}>
              <input
                type="radio"
                name="color"
                value={color}
                checked={draft.color === color}
                onChange={() => set({ color })}
                data-testid={`color-${color}`}
              />
              <span>
                <i class={`stone ${color}`} aria-hidden="true" />
                {t(`color.${color}`)}
              </span>
            </label>
          ))}
        </fieldset>
        <Check name="rated" checked={draft.rated} onChecked={(rated) => set({ rated })}>
          {t("lobby.rated")}
        </Check>
      </div>
      <FormError text={error && !controlError ? errorText(error) : undefined} />
      <button class="primary" data-testid="create-challenge" disabled={busy}>
        {account === null ? t("lobby.login_to_play") : t("lobby.accept")}
      </button>
    </form>
  );
}

interface OwnProps {
  name: string;
  label: string;
  unit: string;
  value: string;
  onValue: (value: string) => void;
}

function OwnNumber({ name, label, unit, value, onValue }: OwnProps): JSX.Element {
  return (
    <label class="own-number">
      <input
        type="text"
        inputMode="decimal"
        size={3}
        maxLength={5}
        value={value}
        aria-label={label}
        data-testid={name}
        onInput={(e) => onValue(e.currentTarget.value)}
      />{" "}
      <span class="small">{unit}</span>
    </label>
  );
}
