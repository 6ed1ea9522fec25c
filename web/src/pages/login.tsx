// SPDX-License-Identifier: GPL-3.0-or-later
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { navigate, place, returnPath } from "../app/router";
import { enter, me } from "../app/session";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { t } from "../i18n";
import { api } from "../net/api";
import { fieldErrors } from "../ui/errors";
import { Check, Field, FormError } from "../ui/field";

export function LoginPage(): JSX.Element {
  const { query } = useStore(place);
  const account = useStore(me);
  const next = returnPath(query);
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const [remember, setRemember] = useState(true);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const title = t("login.title");
  useEffect(() => setTitle(title), [title]);
  useEffect(() => {
    if (account) navigate(next, true);
  }, [account]);

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      enter((await api.login({ login: login.trim(), password, remember })).me);
    } catch (error) {
      setErrors(fieldErrors(error, ["login", "password"]));
      setPassword("");
    }
    setBusy(false);
  };
  return (
    <section class="sheet narrow">
      <h1>{title}</h1>
      <form onSubmit={submit} data-testid="login-form">
        <FormError text={errors[""]} />
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
        <button class="primary" data-testid="login" disabled={busy}>
          {t("login.submit")}
        </button>
      </form>
      <p class="aside">
        {t("login.no_account")}{" "}
        <a href={`/register?next=${encodeURIComponent(next)}`}>{t("nav.register")}</a>
      </p>
    </section>
  );
}
