// SPDX-License-Identifier: GPL-3.0-or-later
//
// Style sheets that only some need, each fetched once.
declare const EXTRAS_CSS_URL: string;

const sheets = new Map<string, Promise<void>>();

export function loadSheet(href: string): Promise<void> {
  let loaded = sheets.get(href);
  if (!loaded) {
    loaded = new Promise((resolve, reject) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = href;
      link.onload = () => resolve();
      link.onerror = () => {
        link.remove();
        sheets.delete(href);
        reject(new Error(`${href} was not loaded`));
      };
      document.head.append(link);
    });
    sheets.set(href, loaded);
  }
  return loaded;
}

export const loadExtras = (): Promise<void> => loadSheet(EXTRAS_CSS_URL);
