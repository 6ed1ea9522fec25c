// SPDX-License-Identifier: GPL-3.0-or-later
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { setTitle } from "../app/title";
import { t } from "../i18n";

export function NotFoundPage({ what }: { what?: string }): JSX.Element {
  const text = what ?? t("not_found.page");
  useEffect(() => setTitle(text), [text]);
  return (
    <section class="sheet narrow" data-testid="not-found">
      <h1>{text}</h1>
      <p>{t("not_found.more")}</p>
      <p>
        <a class="button primary" href="/">
          {t("not_found.home")}
        </a>
      </p>
    </section>
  );
}
