// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fetches the rules, once, on first need: for a board its moves, for more the whole core.
import { boardFromBytes, coreFromBytes, type BoardCore, type Core } from "./core";

declare const BOARD_WASM_URL: string;
declare const CORE_WASM_URL: string;

function once<T>(url: string, make: (bytes: ArrayBuffer) => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  const get = async (): Promise<T> => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`the rules: HTTP ${response.status}`);
    return make(await response.arrayBuffer());
  };
  return () =>
    (loading ??= get().catch((error: unknown) => {
      loading = null;
      throw error;
    }));
}

// The board's rules once they are there, for who must not wait a moment.
let ready: BoardCore | null = null;
export const boardNow = (): BoardCore | null => ready;
export const loadBoard: () => Promise<BoardCore> = once(
  BOARD_WASM_URL,
  async (bytes) => (ready = await boardFromBytes(bytes)),
);
export const loadCore: () => Promise<Core> = once(CORE_WASM_URL, coreFromBytes);
