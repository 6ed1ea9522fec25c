// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the links in letters lead: an address confirmed, a forgotten password replaced, a change that
// somebody else made taken back; and the form that asks for such a letter. Nothing happens before a
// button is pressed: programs that look through mail open links too.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadMe, me } from "../app/session";
import { loadSite, site } from "../app/site";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { t, type Key } from "../i18n";
import { api } from "../net/api";
import { CaptchaBox } from "../ui/captcha";
import { errorText, fieldErrors } from "../ui/errors";
import { Field, FormError } from "../ui/field";

type Errors = Record<string, string | undefined>;

export function ConfirmPage({ token }: { token: string }): JSX.Element {
  const account = useStore(me);
  const [done, setDone] = useState(false);
  const [error, setError] = useState<string>();
  const title = t("entry.confirm_title");
  useEffect(() => setTitle(title), [title]);
  const confirm = async (): Promise<void> => {
    setError(undefined);
    try {
      await api.confirmEmail(token);
      setDone(true);
      await loadMe();
    } catch (e) {
      setError(errorText(e));
    }
  };
  return (
    <section class="sheet narrow" data-testid="confirm-page">
      <h1>{title}</h1>
      {done ? (
        <>
          <p role="status" data-testid="confirmed">{t("entry.confirm_done")}</p>
          <a class="button primary" href={account ? "/play" : "/login"}>{account ? t("nav.play") : t("nav.login")}</a>
        </>
      ) : (
        <>
          <p>{t("entry.confirm_text")}</p>
          <FormError text={error} />
          <button class="primary" data-testid="confirm" onClick={() => void confirm()}>{t("entry.confirm_button")}</button>
        </>
      )}
    </section>
  );
}

export function RecoverPage(): JSX.Element {
  const info = useStore(site);
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [pass, setPass] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const title = t("entry.recover_title");
  useEffect(() => setTitle(title), [title]);
  useEffect(() => void loadSite(), []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setErrors({});
    try {
      await api.recover({ email: email.trim(), ...(pass ? { captcha: pass } : {}) });
      setSent(true);
    } catch (e) {
      setErrors(fieldErrors(e, ["email", "captcha"]));
      if (pass) setRound(round + 1);
    }
    setBusy(false);
  };
  return (
    <section class="sheet narrow">
      <h1>{title}</h1>
      {info && !info.mail ? (
        <p data-testid="recover-off">{t("entry.recover_off")}</p>
      ) : sent ? (
        <p role="status" data-testid="recover-sent">{t("entry.recover_sent", { email: email.trim() })}</p>
      ) : (
        <form onSubmit={submit} noValidate data-testid="recover-form">
          <p>{t("entry.recover_text")}</p>
          <FormError text={errors[""]} />
          <Field name="email" type="email" label={t("entry.email")} value={email} onValue={setEmail} error={errors.email}
            autocomplete="email" required />
          <CaptchaBox onPass={setPass} round={round} error={errors.captcha} />
          <button class="primary" data-testid="recover" disabled={busy}>{t("entry.recover_submit")}</button>
        </form>
      )}
      <p class="aside"><a href="/login">{t("nav.login")}</a></p>
    </section>
  );
}

export const FinishPage = ({ token }: { token: string }): JSX.Element => (
  <NewPassword token={token} title="entry.recover_title" text="entry.finish_text" />
);
export const UndoPage = ({ token }: { token: string }): JSX.Element => (
  <NewPassword token={token} title="entry.undo_title" text="entry.undo_text" />
);

function NewPassword({ token, title, text }: { token: string; title: Key; text: Key }): JSX.Element {
  const [form, setForm] = useState({ password: "", password2: "" });
  const [done, setDone] = useState(false);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const name = t(title);
  useEffect(() => setTitle(name), [name]);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const faults: Errors = {
      password: [...form.password].length < 8 ? t("error.password_length") : undefined,
      password2: form.password !== form.password2 ? t("error.password_mismatch") : undefined,
    };
    setErrors(faults);
    if (faults.password || faults.password2) return;
    setBusy(true);
    try {
      await api.finishRecover({ token, ...form });
      setDone(true);
      await loadMe();
    } catch (e) {
      setErrors(fieldErrors(e, ["password", "password2"]));
    }
    setBusy(false);
  };
  return (
    <section class="sheet narrow">
      <h1>{name}</h1>
      {done ? (
        <>
          <p role="status" data-testid="password-set">{t("entry.finish_done")}</p>
          <a class="button primary" href="/login">{t("nav.login")}</a>
        </>
      ) : (
        <form onSubmit={submit} noValidate data-testid="finish-form">
          <p>{t(text)}</p>
          <FormError text={errors[""]} />
          <Field name="password" type="password" label={t("entry.new_password")} hint={t("register.password_hint")}
            value={form.password} onValue={(password) => setForm({ ...form, password })} error={errors.password}
            autocomplete="new-password" required />
          <Field name="password2" type="password" label={t("register.password2")} value={form.password2}
            onValue={(password2) => setForm({ ...form, password2 })} error={errors.password2}
            autocomplete="new-password" required />
          <button class="primary" data-testid="finish" disabled={busy}>{t("entry.finish_submit")}</button>
        </form>
      )}
    </section>
  );
}
