// SPDX-License-Identifier: GPL-3.0-or-later
//
// What this browser can do, asked of the features themselves and never of its name (S-280).
const supports = (property: string, value: string): boolean =>
  typeof CSS !== "undefined" && CSS.supports(property, value);

export const canScaleDrawings = (): boolean =>
  supports("background-size", "600% 200%") && supports("background-image", 'url("data:image/svg+xml,x")');

export const canArrange = (): boolean =>
  "PointerEvent" in window && supports("display", "grid") && supports("width", "max(1px, min(2px, 3px))");
