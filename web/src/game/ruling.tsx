// SPDX-License-Identifier: GPL-3.0-or-later
//
// An administrator sets another result for a game that is over (S-104).
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { api, ApiError } from "../net/api";
import type { Game } from "../net/types";
import { errorText } from "../ui/errors";
import { Field } from "../ui/field";
import { resultText } from "./words";

const results = ["1-0", "1/2-1/2", "0-1", "0-0"] as const;
const REASON_BYTES = 200;

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

export function Ruling({ game, onDone }: { game: Game; onDone: () => void }): JSX.Element {
  const others = results.filter((r) => r !== game.result);
  const [result, setResult] = useState<string>(others[0]!);
  const [reason, setReason] = useState("");
  const [error, setError] = useState<unknown>(null);
  const send = (event: Event): void => {
    event.preventDefault();
    setError(null);
    api.rule(game.id, { result, reason }).then(() => {
      setReason("");
      onDone();
    }, setError);
  };
  const chosen = others.some((r) => r === result) ? result : others[0]!;
  return (
    <details class="ruling" data-testid="ruling">
      <summary>{t("ruling.title")}</summary>
      <form onSubmit={send}>
        <div class="field">
          <label for="ruling-result">{t("ruling.result")}</label>
          <select id="ruling-result" value={chosen} onChange={(e) => setResult(e.currentTarget.value)}>
            {others.map((r) => (
              <option key={r} value={r}>
                {r === "0-0" ? t("ruling.both_lose") : resultText(r)}
              </option>
            ))}
          </select>
        </div>
        <Field
          name="ruling-reason"
          label={t("ruling.reason")}
          hint={t("ruling.reason_hint")}
          value={reason}
          onValue={(text) => bytesOf(text) <= REASON_BYTES && setReason(text)}
          required
        />
        {error !== null && (
          <p class="error" role="alert">
            {error instanceof ApiError && error.code === "conflict" ? t("ruling.conflict") : errorText(error)}
          </p>
        )}
        <p class="buttons">
          <button type="submit" data-testid="rule">
            {t("ruling.save")}
          </button>
        </p>
      </form>
    </details>
  );
}
