// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the game zone is laid out now. Most people have it as the style sheet does; what is needed for
// another layout is fetched when there is one.
import { useEffect, useState } from "preact/hooks";
import { prefs } from "../app/prefs";
import { loadExtras } from "../app/sheet";
import { createStore, useStore } from "../app/store";
import type { Blocks, Form } from "../net/types";

export interface Zone {
  form: Form;
  style: Record<string, string>; // for layoutStyle's custom properties
}

// Blocks as they are being moved; null: nobody arranges.
export const draft = createStore<Blocks | null>(null);

// In one's own game only; null: the style sheet's own layout.
export function useZone(own: boolean): Zone | null {
  const { layout } = useStore(prefs);
  const arranged = useStore(draft);
  const [zone, setZone] = useState<Zone | null>(null);
  const wanted = own && (layout !== "standard" || arranged !== null);
  useEffect(() => {
    if (!wanted) return;
    let over = false;
    let end = (): void => {};
    Promise.all([import("./layout_store"), loadExtras()]).then(
      ([store]) => {
        if (!over) end = store.watchZone(setZone);
      },
      () => {}, // not reached: the board is there all the same
    );
    return () => {
      over = true;
      end();
      setZone(null);
    };
  }, [wanted]);
  return wanted ? zone : null;
}
