// SPDX-License-Identifier: GPL-3.0-or-later
//
// Signs of our own, drawn on a 20 by 20 field in the colour of the text.
import type { JSX } from "preact";

const PATHS = {
  first: "M5 4v12M15 4l-7 6 7 6z",
  prev: "M13 4l-7 6 7 6z",
  next: "M7 4l7 6-7 6z",
  last: "M15 4v12M5 4l7 6-7 6z",
  flip: "M6 16V4M3 7l3-3 3 3M14 4v12M11 13l3 3 3-3",
  settings: "M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4",
  sound: "M4 8v4h3l4 3V5L7 8zM14 7.500c1.5 1.5 1.5 3.5 0 5",
  mute: "M4 8v4h3l4 3V5L7 8zM14 8l4 4M18 8l-4 4",
  sun: "M10 6.500a3.5 3.5 0 100 7 3.5 3.5 0 000-7M10 2v2M10 16v2M2 10h2M16 10h2M4.5 4.500l1.4 1.400M14.1 14.100l1.4 1.400M15.5 4.500l-1.4 1.400M5.9 14.100l-1.4 1.4",
  moon: "M15.5 12.200A6.5 6.5 0 017.8 4.500a6.5 6.5 0 107.7 7.700z",
  auto: "M10 3a7 7 0 100 14zM10 3a7 7 0 010 14",
  menu: "M3 5h14M3 10h14M3 15h14",
  person: "M10 10a3.3 3.3 0 100-6.6 3.3 3.3 0 000 6.600zM3.5 17c.6-3.6 3-5.2 6.5-5.200s5.9 1.6 6.5 5.2",
  analysis: "M3 17V3M3 17h14M6 13l3-4 3 2 4-6",
  play: "M6 4l10 6-10 6z",
  pause: "M6 4v12M14 4v12",
  copy: "M7 7h9v10H7zM4 13V3h9",
  help: "M7.5 7.500c0-3.5 5.2-3.3 5.2-.2 0 2-2.7 2.3-2.7 4.400M10 15v.5",
} as const;

export type IconName = keyof typeof PATHS;
const FILLED: readonly IconName[] = ["first", "prev", "next", "last"];

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg
      class={FILLED.includes(name) ? "icon filled" : "icon"}
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
      {name === "auto" && <path class="half" d="M10 3a7 7 0 000 14z" />}
    </svg>
  );
}
