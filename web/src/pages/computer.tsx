// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game against the computer, for anybody: level, colour, clock, and for the curious the edition of
// the Laws and a position to begin with. Who has no account plays as a guest.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { local } from "../app/local";
import { navigate } from "../app/router";
import { enter, me } from "../app/session";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { language, t } from "../i18n";
import { controlKey, controlText } from "../lobby/controls";
import { api, type Computers } from "../net/api";
import type { Color, Control } from "../net/types";
import { errorText } from "../ui/errors";
import { Check, Field, FormError } from "../ui/field";

const clock = (minutes: number, increment: number): Control => ({
  kind: "clock",
  base_ms: minutes * 60_000,
  increment_ms: increment * 1000,
  delay_ms: 0,
});
// Fourteen days a move: no clock that anybody would feel.
const NO_HURRY: Control = { kind: "days", days: 14 };
const CONTROLS: readonly Control[] = [NO_HURRY, clock(5, 3), clock(10, 5), clock(15, 10), clock(30, 0)];
const COLORS = ["white", "random", "black"] as const;
const EDITIONS = ["fide-2023", "fide-2014", "fide-2009", "fide-2005", "fide-1997"] as const;

interface Draft {
  level: number;
  color: Color | "random";
  control: string;
  edition: string;
  takeBacks: boolean;
  fen: string;
}
const FIRST: Draft = {
  level: 2,
  color: "white",
  control: controlKey(NO_HURRY),
  edition: "fide-2023",
  takeBacks: true,
  fen: "",
};

function lastDraft(): Draft {
  try {
    return { ...FIRST, ...(JSON.parse(local.get("computer") ?? "{}") as Partial<Draft>), fen: "" };
  } catch {
    return FIRST;
  }
}

export function ComputerPage(): JSX.Element {
  const account = useStore(me);
  const [computers, setComputers] = useState<Computers | null>(null);
  const [draft, setDraft] = useState(lastDraft);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => setTitle(t("computer.title")), []);
  useEffect(() => {
    api.computers().then(setComputers, setError);
  }, []);

  const set = (part: Partial<Draft>): void => {
    const next = { ...draft, ...part };
    setDraft(next);
    setError(null);
    local.set("computer", JSON.stringify(next));
  };

  const start = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      if (account === null) enter((await api.guest(language.get())).me);
      const { game } = await api.playComputer({
        level: draft.level,
        color: draft.color,
        control: CONTROLS.find((c) => controlKey(c) === draft.control) ?? NO_HURRY,
        edition: draft.edition,
        take_backs: draft.takeBacks,
        ...(draft.fen.trim() === "" ? {} : { fen: draft.fen.trim() }),
      });
      navigate(`/game/${game}`);
    } catch (e) {
      setError(e);
      setBusy(false);
    }
  };

  return (
    <section class="sheet computer">
      <h1>{t("computer.title")}</h1>
      <p>{t("computer.lead")}</p>
      <p>
        <a href="/local" data-testid="to-local">
          {t("computer.local")}
        </a>
      </p>
      {computers && !computers.available && (
        <p class="error" data-testid="no-engine">
          {t("error.no_engine")}
        </p>
      )}
      {computers?.available && (
        <form onSubmit={start} data-testid="computer-form">
          <fieldset class="levels">
            <legend>{t("computer.level")}</legend>
            {computers.levels.map(({ level, elo }) => (
              <label class="level" key={level}>
                <input
                  type="radio"
                  name="level"
                  value={level}
                  checked={draft.level === level}
                  onChange={() => set({ level })}
                  data-testid={`level-${level}`}
                />
                <span>
                  <b>{level}</b> {t(`level.${level}` as "level.1")}{" "}
                  <span class="quiet small">{t("computer.about", { elo: String(elo) })}</span>
                </span>
              </label>
            ))}
          </fieldset>
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
          <fieldset class="colors">
            <legend>{t("lobby.control")}</legend>
            {CONTROLS.map((control) => (
              <label class="chip" key={controlKey(control)}>
                <input
                  type="radio"
                  name="control"
                  value={controlKey(control)}
                  checked={draft.control === controlKey(control)}
                  onChange={() => set({ control: controlKey(control) })}
                  data-testid={`control-${controlKey(control)}`}
                />
                <span>{control === NO_HURRY ? t("computer.no_hurry") : controlText(control)}</span>
              </label>
            ))}
          </fieldset>
          <Check name="take-backs" checked={draft.takeBacks} onChecked={(takeBacks) => set({ takeBacks })}>
            {t("computer.take_backs")}
          </Check>
          <details>
            <summary>{t("computer.more")}</summary>
            <label class="field">
              <span>{t("computer.edition")}</span>
              <select
                value={draft.edition}
                data-testid="edition"
                onChange={(e) => set({ edition: e.currentTarget.value })}
              >
                {EDITIONS.map((edition) => (
                  <option key={edition} value={edition}>
                    {t("computer.laws_of", { year: edition.slice(5) })}
                  </option>
                ))}
              </select>
            </label>
            <Field
              name="fen"
              label={t("computer.fen")}
              hint={t("computer.fen_hint")}
              value={draft.fen}
              maxLength={128}
              onValue={(fen) => set({ fen })}
            />
          </details>
          <FormError text={error ? errorText(error) : undefined} />
          <button class="primary" data-testid="start-computer" disabled={busy}>
            {t("computer.start")}
          </button>
          {account === null && <p class="hint">{t("computer.guest_hint")}</p>}
        </form>
      )}
      {computers === null && error !== null && <FormError text={errorText(error)} />}
    </section>
  );
}
