// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fetches the rules core once, on first need.
import { Core, coreFromBytes } from "./core";

declare const CORE_WASM_URL: string;

let loading: Promise<Core> | null = null;

export function loadCore(): Promise<Core> {
  loading ??= fetchCore().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function fetchCore(): Promise<Core> {
  const response = await fetch(CORE_WASM_URL);
  if (!response.ok) throw new Error(`the rules core: HTTP ${response.status}`);
  return coreFromBytes(await response.arrayBuffer());
}
