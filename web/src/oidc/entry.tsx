// SPDX-License-Identifier: GPL-3.0-or-later
//
// The providers on the pages of those who are not logged in: the buttons, what came of a try, and the
// page "no account with this address" (S-012).
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { site } from "../app/site";
import { useStore } from "../app/store";
import { language, t } from "../i18n";
import { oidc, type Pending } from "./api";

const SAID = ["failed", "down", "refused", "stale", "clock"] as const;

// What the server sent the browser back with, in words.
export function socialError(query: URLSearchParams): string | undefined {
  const said = SAID.find((word) => word === query.get("social"));
  return said && t(`oidc.said.${said}`);
}

// Who came back from a provider without an account here; undefined until the server has said.
export function usePending(query: URLSearchParams): Pending | null | undefined {
  const asked = query.get("social") === "unknown";
  const [pending, setPending] = useState<Pending | null | undefined>(asked ? undefined : null);
  useEffect(() => {
    if (!asked) return setPending(null);
    void oidc.pending().then(
      (answer) => setPending(answer.pending),
      () => setPending(null),
    );
  }, [asked]);
  return pending;
}

export function ProviderButtons({ next, remember }: { next: string; remember: boolean }): JSX.Element | null {
  const info = useStore(site);
  if (!info || info.oidc.length === 0) return null;
  const query = new URLSearchParams({ hl: language.get(), ...(next === "/" ? {} : { next }), ...(remember ? { remember: "1" } : {}) });
  return (
    <div class="providers" data-testid="providers">
      <p class="or">
        <span>{t("oidc.or")}</span>
      </p>
      {info.oidc.map((provider) => (
        <a class="button" rel="external" key={provider.name} href={`/login/oidc/${provider.name}?${query}`} data-testid={`provider-${provider.name}`}>
          {t("oidc.with", { provider: provider.label })}
        </a>
      ))}
    </div>
  );
}

// S-012, above the log-in form.
export function UnknownNotice({ pending, next }: { pending: Pending; next: string }): JSX.Element {
  const to = new URLSearchParams({ social: "unknown", ...(next === "/" ? {} : { next }) });
  return (
    <div class="notice" role="status" data-testid="social-unknown">
      <p>
        <b>{pending.email === null ? t("oidc.no_email", { provider: pending.label }) : t("oidc.unknown", { email: pending.email })}</b>
      </p>
      <p>{t("oidc.have_account", { provider: pending.label })}</p>
      <p>
        {t("oidc.clone")} <a href={`/register?${to}`} data-testid="social-register">{t("oidc.register")}</a>
      </p>
    </div>
  );
}
