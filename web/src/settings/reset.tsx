// SPDX-License-Identifier: GPL-3.0-or-later
//
// "Reset" (S-281): asks once, by turning into its own question.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t, type Key } from "../i18n";

export function Reset({ onReset, text = "settings.reset" }: { onReset: () => void; text?: Key }): JSX.Element {
  const [asked, setAsked] = useState(false);
  return asked ? (
    <button
      class="danger"
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
    <button class="plain" data-testid="reset" onClick={() => setAsked(true)}>
      {t(text)}
    </button>
  );
}
