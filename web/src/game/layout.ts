// SPDX-License-Identifier: GPL-3.0-or-later
//
// Layouts of the game zone as data (S-273 to S-278): each block has a rectangle of cells in a grid
// of square cells. The server keeps the same rules (src/pages/layout.c).
import type { Blocks, Cells, Form } from "../net/types";

export const BLOCKS = ["board", "top", "bottom", "moves", "captured", "actions", "chat", "info", "notes"] as const;
export type Block = (typeof BLOCKS)[number];

interface Zone {
  width: number;
  height: number;
  least: Record<Block, readonly [width: number, height: number]>;
}

export const ZONES: Record<Form, Zone> = {
  wide: {
    width: 48,
    height: 27,
    least: {
      board: [15, 15],
      top: [10, 2],
      bottom: [10, 2],
      moves: [8, 5],
      captured: [8, 2],
      actions: [12, 2],
      chat: [8, 4],
      info: [8, 2],
      notes: [8, 2],
    },
  },
  narrow: {
    width: 24,
    height: 72,
    least: {
      board: [18, 18],
      top: [12, 3],
      bottom: [12, 3],
      moves: [12, 6],
      captured: [12, 2],
      actions: [18, 4],
      chat: [12, 6],
      info: [12, 3],
      notes: [12, 3],
    },
  },
};

// From this width of the window on the wide form is used: 48 cells of 16 pixels and their margins.
export const WIDE_FROM = 820;

// Blocks whose size is their content's: they can be moved, not drawn out.
export const isFixed = (block: Block): boolean => block === "captured";

export const overlaps = (a: Cells, b: Cells): boolean =>
  a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3];

export type LayoutFault = "outside" | "small" | "overlap" | "square";

// What is wrong with the place of one block among the others, or null.
export function faultOf(form: Form, blocks: Blocks, block: Block): LayoutFault | null {
  const zone = ZONES[form];
  const [x, y, width, height] = blocks[block];
  if (x < 0 || y < 0 || x + width > zone.width || y + height > zone.height) return "outside";
  if (width < zone.least[block][0] || height < zone.least[block][1]) return "small";
  if (block === "board" && width !== height) return "square";
  return BLOCKS.some((other) => other !== block && overlaps(blocks[block], blocks[other])) ? "overlap" : null;
}

export const isSound = (form: Form, blocks: Blocks): boolean => BLOCKS.every((b) => faultOf(form, blocks, b) === null);

const mirror = (blocks: Blocks): Blocks =>
  Object.fromEntries(
    BLOCKS.map((b) => [b, [ZONES.wide.width - blocks[b][0] - blocks[b][2], ...blocks[b].slice(1)]]),
  ) as unknown as Blocks;

const STANDARD_WIDE: Blocks = {
  top: [0, 0, 23, 2],
  board: [0, 2, 23, 23],
  bottom: [0, 25, 23, 2],
  info: [24, 0, 24, 2],
  moves: [24, 2, 12, 12],
  chat: [36, 2, 12, 12],
  captured: [24, 14, 24, 2],
  actions: [24, 16, 24, 6],
  notes: [24, 22, 24, 5],
};
const STANDARD_NARROW: Blocks = {
  top: [0, 0, 24, 3],
  board: [0, 3, 24, 24],
  bottom: [0, 27, 24, 3],
  captured: [0, 30, 24, 2],
  actions: [0, 32, 24, 8],
  moves: [0, 40, 24, 6],
  chat: [0, 46, 24, 10],
  info: [0, 56, 24, 4],
  notes: [0, 60, 24, 12],
};

// "standard" is what game.css does by itself and fits itself to every window; its data here are where
// a layout of one's own begins.
export const STANDARD_LAYOUTS = {
  standard: { wide: STANDARD_WIDE, narrow: STANDARD_NARROW },
  mirrored: {
    wide: mirror(STANDARD_WIDE),
    narrow: {
      ...STANDARD_NARROW,
      moves: [0, 0, 24, 6],
      top: [0, 6, 24, 3],
      board: [0, 9, 24, 24],
      bottom: [0, 33, 24, 3],
      captured: [0, 36, 24, 2],
      actions: [0, 38, 24, 8],
    },
  },
  middle: {
    wide: {
      top: [13, 0, 21, 2],
      board: [13, 2, 21, 21],
      bottom: [13, 23, 21, 2],
      captured: [13, 25, 21, 2],
      info: [0, 0, 12, 4],
      notes: [0, 4, 12, 8],
      chat: [0, 12, 12, 15],
      moves: [36, 0, 12, 15],
      actions: [36, 15, 12, 12],
    },
    narrow: { ...STANDARD_NARROW, chat: [0, 40, 24, 10], moves: [0, 50, 24, 6] },
  },
  large: {
    wide: {
      board: [0, 0, 27, 27],
      top: [28, 0, 20, 2],
      moves: [28, 2, 10, 8],
      chat: [38, 2, 10, 8],
      captured: [28, 10, 20, 2],
      actions: [28, 12, 20, 6],
      info: [28, 18, 20, 2],
      notes: [28, 20, 20, 5],
      bottom: [28, 25, 20, 2],
    },
    narrow: {
      ...STANDARD_NARROW,
      board: [0, 0, 24, 24],
      top: [0, 24, 12, 3],
      bottom: [12, 24, 12, 3],
      actions: [0, 27, 24, 8],
      captured: [0, 35, 24, 2],
      moves: [0, 37, 24, 9],
    },
  },
} satisfies Record<string, Record<Form, Blocks>>;
export type StandardLayout = keyof typeof STANDARD_LAYOUTS;

// Where blocks stand, for the style sheet: --board-x and so on, counted from 1 as grid lines are.
export function layoutStyle(form: Form, blocks: Blocks): Record<string, string> {
  const style: Record<string, string> = {
    "--columns": String(ZONES[form].width),
    "--rows": String(Math.max(...BLOCKS.map((b) => blocks[b][1] + blocks[b][3]), form === "wide" ? ZONES.wide.height : 0)),
  };
  for (const block of BLOCKS) {
    const [x, y, width, height] = blocks[block];
    Object.assign(style, {
      [`--${block}-x`]: String(x + 1),
      [`--${block}-y`]: String(y + 1),
      [`--${block}-w`]: String(width),
      [`--${block}-h`]: String(height),
    });
  }
  return style;
}
