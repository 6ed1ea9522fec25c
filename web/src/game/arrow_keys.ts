// SPDX-License-Identifier: GPL-3.0-or-later
//
// The arrow keys, Home and End on a page with a game.
import { useEffect, useRef } from "preact/hooks";

// Arrows walk through the game, unless something else wants them.
export function useArrowKeys(shown: number, last: number, view: (ply: number) => void): void {
  const now = useRef({ shown, last, view });
  now.current = { shown, last, view };
  useEffect(() => {
    const onKey = (e: KeyboardEvent): void => {
      if (e.altKey || e.ctrlKey || e.metaKey || e.shiftKey || e.defaultPrevented) return;
      if ((e.target as Element).closest?.("input, select, textarea, dialog, [role=grid], [role=dialog]")) return;
      const at = now.current;
      if (e.key === "ArrowLeft") at.view(at.shown - 1);
      else if (e.key === "ArrowRight") at.view(at.shown + 1);
      else if (e.key === "Home") at.view(0);
      else if (e.key === "End") at.view(at.last);
      else return;
      e.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
