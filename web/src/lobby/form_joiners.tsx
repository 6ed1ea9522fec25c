// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who may join a new game: one player alone (S-041), or a range of ratings and confirmed accounts
// (S-035).
import type { JSX } from "preact";
import { t } from "../i18n";
import { Check, Field } from "../ui/field";
import type { Draft } from "./draft";

interface Props {
  draft: Draft;
  set: (part: Partial<Draft>) => void;
  error: { to?: string | undefined; rating?: string | undefined };
}

export function JoinerFields({ draft, set, error }: Props): JSX.Element {
  const open = draft.to !== "" || draft.least !== "" || draft.most !== "" || draft.confirmed;
  return (
    <details class="joiners" open={open} data-testid="joiners">
      <summary>{t("lobby.joiners")}</summary>
      <Field
        name="to"
        label={t("lobby.to")}
        hint={t("lobby.to_hint")}
        value={draft.to}
        maxLength={20}
        error={error.to}
        onValue={(to) => set({ to })}
      />
      {draft.to.trim() === "" && (
        <>
          <p class="range-row" role="group" aria-label={t("lobby.range")}>
            <span>{t("lobby.range")}</span>{" "}
            <RangeEnd name="range-least" label={t("lobby.range_least")} value={draft.least}
              onValue={(least) => set({ least })} />
            {" – "}
            <RangeEnd name="range-most" label={t("lobby.range_most")} value={draft.most}
              onValue={(most) => set({ most })} />
          </p>
          {error.rating && <p class="error" role="alert">{error.rating}</p>}
          <Check name="confirmed" checked={draft.confirmed} onChecked={(confirmed) => set({ confirmed })}>
            {t("lobby.confirmed")}
          </Check>
        </>
      )}
    </details>
  );
}

interface EndProps {
  name: string;
  label: string;
  value: string;
  onValue: (value: string) => void;
}

function RangeEnd({ name, label, value, onValue }: EndProps): JSX.Element {
  return (
    <input
      type="text"
      inputMode="numeric"
      size={4}
      maxLength={4}
      value={value}
      aria-label={label}
      data-testid={name}
      onInput={(e) => onValue(e.currentTarget.value)}
    />
  );
}
