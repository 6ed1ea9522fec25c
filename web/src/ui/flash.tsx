// SPDX-License-Identifier: GPL-3.0-or-later
//
// One passing message at the foot of the page, with a link where it leads somewhere.
import type { JSX } from "preact";
import { createStore, useStore } from "../app/store";
import { t } from "../i18n";

interface Flash {
  text: string;
  href?: string;
  link?: string;
}

const flash = createStore<Flash | null>(null);
let timer = 0;

export function showFlash(message: Flash): void {
  window.clearTimeout(timer);
  flash.set(message);
  timer = window.setTimeout(() => flash.set(null), 12_000);
}

export function FlashBar(): JSX.Element {
  const message = useStore(flash);
  return (
    <div class="flash" role="status" data-testid="flash">
      {message && (
        <p>
          {message.text}{" "}
          {message.href && (
            <a href={message.href} onClick={() => flash.set(null)}>
              {message.link}
            </a>
          )}
          <button class="plain" onClick={() => flash.set(null)} aria-label={t("common.close")}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}
