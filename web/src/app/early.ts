// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs before the first paint: the chosen theme and language, so that nothing flashes; and at the
// address of a game it sends for everything a board needs at once, not one thing after the other.

// What the build found (build.mjs): scripts of the board page, and the module of its moves.
declare const BOARD_SCRIPTS: readonly string[];
declare const BOARD_WASM_URL: string;

if (/^\/game\/[^/]+$/.test(location.pathname)) {
  const send = (rel: string, href: string, as?: string): void => {
    const link = document.createElement("link");
    link.rel = rel;
    link.href = href;
    if (as) {
      link.as = as;
      link.crossOrigin = "anonymous";
    }
    document.head.append(link);
  };
  send("preload", BOARD_WASM_URL, "fetch");
  for (const script of BOARD_SCRIPTS) send("modulepreload", script);
}

try {
  const { theme } = JSON.parse(localStorage.getItem("prefs") ?? "{}") as { theme?: string };
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const language = localStorage.getItem("language");
  if (language) document.documentElement.lang = language;
} catch {
  // Storage is forbidden here: the system's theme it is.
}
