// SPDX-License-Identifier: GPL-3.0-or-later
//
// What hangs from a button goes by Escape, which gives the button the keyboard back, and by a touch elsewhere.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

export function useDismiss(ref: RefObject<HTMLElement | null>, open: boolean, close: () => void): void {
  useEffect(() => {
    if (!open) return;
    const outside = (e: Event): void => {
      if (!ref.current?.contains(e.target as Node)) close();
    };
    const escape = (e: KeyboardEvent): void => {
      if (e.key !== "Escape") return;
      close();
      ref.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("keydown", escape);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("keydown", escape);
    };
  }, [open]);
}
