// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which layout the game zone has now: a standard one, one of the account's own, or the one being
// arranged.
import { useEffect, useState } from "preact/hooks";
import { local } from "../app/local";
import { prefs } from "../app/prefs";
import { createStore } from "../app/store";
import { api } from "../net/api";
import type { Blocks, Form, Layout } from "../net/types";
import { STANDARD_LAYOUTS, WIDE_FROM, isSound, layoutStyle, type StandardLayout } from "./layout";
import { draft, type Zone } from "./zone";

function kept(): Layout[] {
  try {
    return JSON.parse(local.get("layouts") ?? "[]") as Layout[];
  } catch {
    return [];
  }
}

// The account's own, by name; what this browser saw last until the server has answered.
export const layouts = createStore<Layout[]>(kept());
layouts.subscribe(() => local.set("layouts", JSON.stringify(layouts.get())));

let asked = false;
export async function loadLayouts(): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    layouts.set((await api.layouts()).layouts);
  } catch {
    asked = false; // a guest, or no answer: what is there does
  }
}

export const ownName = (layout: string): string | null => (layout.startsWith("own:") ? layout.slice(4) : null);

// The places of a layout's blocks, or null where the style sheet arranges by itself.
export function blocksOf(layout: string, form: Form, own: readonly Layout[]): Blocks | null {
  const name = ownName(layout);
  if (name === null) return layout === "standard" ? null : (STANDARD_LAYOUTS[layout as StandardLayout]?.[form] ?? null);
  const blocks = own.find((l) => l.name === name)?.[form] ?? null;
  return blocks && isSound(form, blocks) ? blocks : null;
}

const formNow = (): Form => (window.innerWidth >= WIDE_FROM ? "wide" : "narrow");

export function useForm(): Form {
  const [form, setForm] = useState(formNow);
  useEffect(() => {
    const wide = window.matchMedia(`(min-width: ${WIDE_FROM}px)`);
    const change = (): void => setForm(formNow());
    wide.addEventListener("change", change);
    return () => wide.removeEventListener("change", change);
  }, []);
  return form;
}

// Tells how the zone is laid out, now and after every change; the answer ends it.
export function watchZone(tell: (zone: Zone | null) => void): () => void {
  const show = (): void => {
    const { layout } = prefs.get();
    const form = formNow();
    if (ownName(layout) !== null) void loadLayouts();
    const blocks = draft.get() ?? blocksOf(layout, form, layouts.get());
    tell(blocks && { form, style: layoutStyle(form, blocks) });
  };
  const wide = window.matchMedia(`(min-width: ${WIDE_FROM}px)`);
  wide.addEventListener("change", show);
  const ends = [prefs.subscribe(show), layouts.subscribe(show), draft.subscribe(show)];
  show();
  return () => {
    wide.removeEventListener("change", show);
    for (const end of ends) end();
  };
}
