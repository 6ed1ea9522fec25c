// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules of thumb of the opening, and which of them a side has kept (L-043).
import type { JSX } from "preact";
import { OPENING_RULES, type OpeningRule } from "../core/tutor";
import { t } from "../i18n";
import type { Color } from "../net/types";

// "open": not so far, and not too late.
export type Sign = "kept" | "broken" | "open";
const SIGNS: Record<Sign, string> = { kept: "✓", broken: "✗", open: "○" };

export interface ChecklistColumn {
  color: Color;
  sign: (rule: OpeningRule) => Sign;
  move?: (rule: OpeningRule) => string | null; // that broke it
}

interface Props {
  columns: readonly ChecklistColumn[];
  testid: string;
  titled?: boolean; // something beside it shows the title
}

export function Checklist({ columns, testid, titled }: Props): JSX.Element {
  return (
    <table class="facts" data-testid={testid}>
      <caption class={titled ? "unseen" : ""}>{t("tutor.checklist")}</caption>
      <thead>
        <tr>
          <td />
          {columns.map(({ color }) => (
            <th key={color} scope="col">
              {t(`color.${color}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {OPENING_RULES.map((rule) => (
          <tr key={rule}>
            <th scope="row">{t(`tutor.check.${rule}`)}</th>
            {columns.map(({ color, sign, move }) => (
              <td key={color} class={sign(rule)} data-rule={`${color}-${rule}`}>
                <span aria-hidden="true">{SIGNS[sign(rule)]}</span>
                <span class="unseen">{t(`tutor.check_${sign(rule)}`)}</span>
                {move?.(rule) && <span class="small"> {move(rule)}</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
