// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which layout the game zone has now: a standard one, one of the account's own, or the one being
// arranged.
import { useEffect, useState } from "preact/hooks";
import { local } from "../app/local";
import { prefs } from "../app/prefs";
import { loadExtras } from "../app/sheet";
import { createStore, useStore } from "../app/store";
import { api } from "../net/api";
import type { Blocks, Form, Layout } from "../net/types";
import { STANDARD_LAYOUTS, WIDE_FROM, isSound, type StandardLayout } from "./layout";

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

// Blocks as they are being moved; null: nobody arranges.
export const draft = createStore<Blocks | null>(null);

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

// What the game page lays out; in one's own game only.
export function useBlocks(own: boolean): { form: Form; blocks: Blocks | null } {
  const form = useForm();
  const { layout } = useStore(prefs);
  const list = useStore(layouts);
  const arranged = useStore(draft);
  useEffect(() => {
    if (own && ownName(layout) !== null) void loadLayouts();
  }, [own, layout]);
  const blocks = own ? (arranged ?? blocksOf(layout, form, list)) : null;
  const [dressed, setDressed] = useState(false);
  useEffect(() => {
    if (blocks && !dressed) loadExtras().then(() => setDressed(true), () => {});
  }, [blocks !== null]);
  return { form, blocks: dressed ? blocks : null };
}
