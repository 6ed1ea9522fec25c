// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Reset" (S-281): asks once, by turning into its own question.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t, type Key } from "../i18n";

export function Reset({
  onReset,
  text = "settings.reset",
  disabled = false,
}: {
  onReset: () => void;
  text?: Key;
  disabled?: boolean;
}): JSX.Element {
  const [asked, setAsked] = useState(false);
  return asked ? (
    <button
      type="button"
      class="danger"
      disabled={disabled}
      data-testid="reset-yes"
      onClick={() => {
        setAsked(false);
        onReset();
      }}
      onBlur={() => setAsked(false)}
    >
      {t("settings.reset_yes")}
    </button>
  ) : (
    <button type="button" class="plain" data-testid="reset" disabled={disabled} onClick={() => setAsked(true)}>
      {t(text)}
    </button>
  );
}
