// SPDX-License-Identifier: GPL-3.0-or-later
//
// A text of a lesson: moves in braces are written in the reader's own notation.
import type { JSX } from "preact";
import { prefs } from "../app/prefs";
import { useStore } from "../app/store";
import { FIGURINES, writeMove } from "../core/notation";
import { lettersOf } from "../game/write";
import { language } from "../i18n";

export function useWriteSan(): (san: string) => string {
  const { notation } = useStore(prefs);
  const lang = useStore(language);
  return (san) => writeMove(san, notation === "figurine" ? FIGURINES : lettersOf(notation, lang));
}

export function Prose({ text }: { text: string }): JSX.Element {
  const write = useWriteSan();
  return <>{text.split(/\{([^}]+)\}/).map((part, i) => (i % 2 === 0 ? part : <b key={i} class="san">{write(part)}</b>))}</>;
}
