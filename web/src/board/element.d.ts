// SPDX-License-Identifier: GPL-3.0-or-later
//
// The element that the style sheets of chessground's piece sets speak of.
import type { JSX as Base } from "preact";

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      piece: Base.HTMLAttributes<HTMLElement>;
    }
  }
}
