// SPDX-License-Identifier: GPL-3.0-or-later
//
// The colour of a side, as a stone and in words (on a phone the words are for screen readers, unless
// `words` asks to show them there too: where no heading of a column says whose colour it is).
import type { JSX } from "preact";
import { t } from "../i18n";
import type { Color } from "../net/types";

export function Stone({ color, words = false }: { color: Color | "random"; words?: boolean }): JSX.Element {
  const word = t(`color.${color}`);
  return (
    <>
      <i class={`stone ${color}`} aria-hidden="true" title={word} /> <span class={words ? "" : "stone-word"}>{word}</span>
    </>
  );
}
