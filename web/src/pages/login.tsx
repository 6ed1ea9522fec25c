// SPDX-License-Identifier: GPL-3.0-or-later
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { navigate, place, returnPath } from "../app/router";
import { enter, me } from "../app/session";
import { loadSite, site } from "../app/site";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { t } from "../i18n";
import { api } from "../net/api";
import { fieldErrors } from "../ui/errors";
import { CaptchaBox } from "../ui/captcha";
import { ProviderButtons, socialError, UnknownNotice, usePending } from "../oidc/entry";
import { showFlash } from "../ui/flash";
import { Check, Field, FormError } from "../ui/field";
import { isGuest } from "../ui/nick";

export function LoginPage(): JSX.Element {
  const { query } = useStore(place);
  const account = useStore(me);
  const info = useStore(site);
  const next = returnPath(query);
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const [remember, setRemember] = useState(true);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  // After three errors the server asks to see a person.
  const [round, setRound] = useState(0);
  const [pass, setPass] = useState<string | null>(null);
  const pending = usePending(query);
  const title = t("login.title");
  useEffect(() => setTitle(title), [title]);
  useEffect(() => void loadSite(), []);
  useEffect(() => {
    if (account && !isGuest(account.nick)) navigate(next, true);
  }, [account]);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const form = { login: login.trim(), password, remember, ...(pass ? { captcha: pass } : {}) };
      const answer = await api.login({ ...form, ...(pending ? { oidc: true } : {}) });
      enter(answer.me);
      if (answer.warning) showFlash({ text: t("login.anonymizer") }); // S-023
    } catch (error) {
      const found = fieldErrors(error, ["login", "password", "captcha"]);
      setErrors(found);
      if (found.captcha || pass) setRound(round + 1); // asked for, or spent
      setPassword("");
    }
    setBusy(false);
  };
  return (
    <section class="sheet narrow">
      <h1>{title}</h1>
      {next.startsWith("/account") && <p data-testid="only-logged-in">{t("chat.guest")}.</p>}
      {pending && <UnknownNotice pending={pending} next={next} />}
      <form onSubmit={submit} data-testid="login-form">
        <FormError text={errors[""] ?? socialError(query)} />
        <Field
          name="login"
          label={t("login.login")}
          value={login}
          onValue={setLogin}
          autocomplete="username"
          error={errors.login}
          required
        />
        <Field
          name="password"
          type="password"
          label={t("login.password")}
          value={password}
          onValue={setPassword}
          autocomplete="current-password"
          error={errors.password}
          required
        />
        <Check name="remember" checked={remember} onChecked={setRemember}>
          {t("login.remember")}
        </Check>
        {round > 0 && <CaptchaBox onPass={setPass} round={round} error={errors.captcha} />}
        <button class="primary" data-testid="login" disabled={busy}>
          {pending ? t("oidc.login_and_link") : t("login.submit")}
        </button>
      </form>
      {pending === null && <ProviderButtons next={next} remember={remember} />}
      {info?.mail && (
        <p class="aside">
          <a href="/recover">{t("login.forgot")}</a>
        </p>
      )}
      <p class="aside">
        <a href="/login/classic" rel="external">{t("login.classic")}</a>
      </p>
      <p class="aside">
        {t("login.no_account")}{" "}
        <a href={`/register?next=${encodeURIComponent(next)}`}>{t("nav.register")}</a>
      </p>
    </section>
  );
}
