// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the browser keeps between visits. Storage may be forbidden or full; then it is forgotten.

export const local = {
  get(name: string): string | null {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set(name: string, value: string): void {
    try {
      localStorage.setItem(name, value);
    } catch {
      // Nothing depends on it.
    }
  },
};

// The same for one tab: survives a reload, not the end of the visit.
export const tab = {
  get(name: string): string | null {
    try {
      return sessionStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set(name: string, value: string | null): void {
    try {
      if (value === null) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, value);
    } catch {
      // Nothing depends on it.
    }
  },
};
