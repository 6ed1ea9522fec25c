// SPDX-License-Identifier: GPL-3.0-or-later
//
// From an empty list to the form that fills it.
import type { ComponentChildren, JSX } from "preact";

export function ToForm({ children, link }: { children: ComponentChildren; link?: boolean }): JSX.Element {
  const go = (): void => {
    const form = document.getElementById("new-game");
    form?.scrollIntoView({ block: "start", behavior: "smooth" });
    form?.querySelector<HTMLElement>("input:checked")?.focus({ preventScroll: true });
  };
  return (
    <button type="button" class={link ? "plain link" : ""} onClick={go}>
      {children}
    </button>
  );
}
