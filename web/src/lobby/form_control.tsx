// SPDX-License-Identifier: GPL-3.0-or-later
//
// The time control of a new game: the presets of its type as a table of figures, as in a bulletin;
// for live games the last row takes a control of one's own (R-011, S-101, S-102).
import type { JSX } from "preact";
import { t } from "../i18n";
import type { Control } from "../net/types";
import { categoryOf, controlKey, controlText, PRESETS, type Row } from "./controls";
import type { Draft } from "./draft";

interface Props {
  draft: Draft;
  control: Control | null;
  set: (part: Partial<Draft>) => void;
  error: string | undefined;
}

const rowName = (row: Row): string =>
  row === "days" ? t("lobby.days") : row === "bank" ? t("lobby.bank") : t(`category.${row}`);

export function ControlFields({ draft, control, set, error }: Props): JSX.Element {
  const { type } = draft;
  const choose = (key: string): void => set({ preset: { ...draft.preset, [type]: key } });
  return (
    <fieldset class="presets">
      <legend>{t("lobby.control")}</legend>
      {PRESETS[type].map(({ row, controls }) => (
        <div class="preset-row" key={row} role="group" aria-label={rowName(row)}>
          <span class="preset-name" aria-hidden="true">{rowName(row)}</span>
          <span class="preset-list">
            {controls.map((c) => (
              <label class="chip" key={controlKey(c)}>
                <input
                  type="radio"
                  name="preset"
                  value={controlKey(c)}
                  checked={draft.preset[type] === controlKey(c)}
                  onChange={() => choose(controlKey(c))}
                  data-testid={`preset-${controlKey(c)}`}
                  aria-label={controlText(c)}
                />
                <span aria-hidden="true">{c.kind === "days" ? c.days : controlText(c)}</span>
              </label>
            ))}
          </span>
        </div>
      ))}
      {type === "blitz" && <OwnRow draft={draft} control={control} set={set} choose={choose} />}
      {error && <p class="error" id="control-error" role="alert">{error}</p>}
    </fieldset>
  );
}

interface OwnRowProps extends Omit<Props, "error"> {
  choose: (key: string) => void;
}

function OwnRow({ draft, control, set, choose }: OwnRowProps): JSX.Element {
  const own = draft.preset.blitz === "own";
  const change = (part: Partial<Draft>): void =>
    set({ ...part, preset: { ...draft.preset, blitz: "own" } });
  return (
    <div class="preset-row" role="group" aria-label={t("lobby.own")}>
      <span class="preset-name">
        <label class="chip">
          <input
            type="radio"
            name="preset"
            value="own"
            checked={own}
            onChange={() => choose("own")}
            data-testid="preset-own"
          />
          <span>{t("lobby.own")}</span>
        </label>
      </span>
      <span class="preset-list own">
        {draft.split && (
          <OwnNumber name="own-moves" label={t("lobby.period_moves")} unit={t("lobby.moves_in")}
            value={draft.moves} onValue={(moves) => change({ moves })} />
        )}
        <OwnNumber name="own-base" label={t("lobby.base")} unit={t("unit.min")} value={draft.base}
          onValue={(base) => change({ base })} />
        {draft.split && (
          <OwnNumber name="own-rest" label={t("lobby.period_rest")} unit={t("unit.min")} before={t("lobby.then")}
            value={draft.rest} onValue={(rest) => change({ rest })} />
        )}
        <OwnNumber name="own-increment" label={t(draft.extra === "delay" ? "lobby.delay" : "lobby.increment")}
          unit={t("unit.s")} before="+" value={draft.increment} onValue={(increment) => change({ increment })} />
        <select
          aria-label={t("lobby.extra")}
          value={draft.extra}
          data-testid="own-extra"
          onChange={(e) => change({ extra: e.currentTarget.value as Draft["extra"] })}
        >
          <option value="increment">{t("lobby.extra_increment")}</option>
          <option value="delay">{t("lobby.extra_delay")}</option>
        </select>
        <label class="own-split">
          <input
            type="checkbox"
            checked={draft.split}
            data-testid="own-split"
            onChange={(e) => change({ split: e.currentTarget.checked })}
          />{" "}
          {t("lobby.split")}
        </label>
        {own && control && (
          <span class="quiet" data-testid="own-category" role="status">
            = {t(`category.${categoryOf(control)}`)}
          </span>
        )}
      </span>
    </div>
  );
}

interface OwnProps {
  name: string;
  label: string;
  unit: string;
  before?: string;
  value: string;
  onValue: (value: string) => void;
}

function OwnNumber({ name, label, unit, before, value, onValue }: OwnProps): JSX.Element {
  return (
    <label class="own-number">
      {before && <span>{before} </span>}
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
      <span>{unit}</span>
    </label>
  );
}
