// SPDX-License-Identifier: GPL-3.0-or-later
//
// The smallest thing that holds a value and tells who asked: every piece of shared state is one.
import { useEffect, useState } from "preact/hooks";

export interface Store<T> {
  get(): T;
  set(next: T): void;
  // Shallow merge, for stores that hold an object.
  patch(part: Partial<T>): void;
  // Calls back after every change; the answer ends it.
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const set = (next: T): void => {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => value,
    set,
    patch: (part) => set({ ...value, ...part }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

// The value of a store, and a new rendering whenever it changes.
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({});
  const value = store.get();
  useEffect(() => {
    const end = store.subscribe(() => redraw({}));
    // It may have changed between the rendering and this effect.
    if (!Object.is(value, store.get())) redraw({});
    return end;
  }, [store]);
  return value;
}
