// SPDX-License-Identifier: GPL-3.0-or-later
//
// That the network blocks live connections: said once for each window; whoever has read it puts it away.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { tab } from "../app/local";
import { loadExtras } from "../app/sheet";
import { t } from "../i18n";

export function ByHttp(): JSX.Element {
  const [read, setRead] = useState(tab.get("polling-read") !== null);
  const close = (): void => {
    tab.set("polling-read", "1");
    setRead(true);
  };
  return (
    <div role="status">
      {!read && (
        <p class="by-http" data-testid="by-http">
          {t("notices.by_http")}{" "}
          <button class="plain" onClick={close} aria-label={t("common.close")}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}

void loadExtras();
