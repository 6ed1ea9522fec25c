// SPDX-License-Identifier: GPL-3.0-or-later
//
// The title of the window: the page, the number of games that wait for me, and while the window is
// hidden a blinking word when the opponent has moved.
const SITE = "J’adoube";

let page = "";
let count = 0;
let alert: string | null = null;
let timer = 0;

function show(blink: boolean): void {
  const plain = (count > 0 ? `(${count}) ` : "") + (page ? `${page} · ${SITE}` : SITE);
  document.title = blink && alert ? `● ${alert}` : plain;
}

export function setTitle(text: string): void {
  page = text;
  show(false);
}

export function setTitleCount(n: number): void {
  count = n;
  show(false);
}

// Blinks until the window is looked at.
export function blinkTitle(text: string): void {
  if (document.visibilityState === "visible" && document.hasFocus()) return;
  alert = text;
  window.clearInterval(timer);
  let on = true;
  show(on);
  timer = window.setInterval(() => {
    on = !on;
    show(on);
  }, 1000);
}

function stop(): void {
  if (document.visibilityState !== "visible") return;
  window.clearInterval(timer);
  alert = null;
  show(false);
}
window.addEventListener("focus", stop);
document.addEventListener("visibilitychange", stop);
