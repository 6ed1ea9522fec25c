// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs before the first paint: the chosen theme and language, so that nothing flashes.
try {
  const { theme } = JSON.parse(localStorage.getItem("prefs") ?? "{}") as { theme?: string };
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  const language = localStorage.getItem("language");
  if (language) document.documentElement.lang = language;
} catch {
  // Storage is forbidden here: the system's theme it is.
}
