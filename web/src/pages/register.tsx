// SPDX-License-Identifier: GPL-3.0-or-later
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { navigate, place, returnPath } from "../app/router";
import { enter, me } from "../app/session";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { language, t } from "../i18n";
import { api } from "../net/api";
import { fieldErrors } from "../ui/errors";
import { CaptchaBox } from "../ui/captcha";
import type { Pending } from "../oidc/api";
import { usePending } from "../oidc/entry";
import { Check, Field, FormError } from "../ui/field";

const FIELDS = ["nick", "email", "password", "password2", "accept_rules", "captcha"] as const;
type Errors = Record<string, string | undefined>;

// What can be said before asking the server; it judges in any case.
function nickFault(nick: string): string | undefined {
  if (nick === "") return undefined;
  const letters = [...nick];
  if (letters.length < 3 || letters.length > 20) return t("error.nick_length");
  if (!/^\p{L}[\p{L}\p{M}\d_-]*$/u.test(nick)) return t("error.nick_characters");
  if (/\p{Script=Latin}/u.test(nick) && /\p{Script=Cyrillic}/u.test(nick)) return t("error.nick_mixed_script");
  return undefined;
}

// Told while typing, not on leaving the field: a line that appears under the pointer would move the
// box and the button below away from a click that has begun.
function passwordFault(first: string, second: string): string | undefined {
  const differs = second.length >= first.length && second !== first;
  return differs ? t("error.password_mismatch") : undefined;
}

const emailHint = (pending: Pending, email: string): string =>
  pending.verified && email.trim().toLowerCase() === pending.email?.toLowerCase()
    ? t("oidc.email_verified", { provider: pending.label })
    : t("oidc.email_needed", { provider: pending.label });

export function RegisterPage(): JSX.Element {
  const { query } = useStore(place);
  const account = useStore(me);
  const [form, setForm] = useState({ nick: "", email: "", password: "", password2: "", accept: false });
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const [pass, setPass] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const pending = usePending(query);
  const title = t("register.title");
  useEffect(() => setTitle(title), [title]);
  useEffect(() => {
    if (pending?.email) set({ email: pending.email });
  }, [pending]);
  useEffect(() => {
    if (account) navigate(returnPath(query), true);
  }, [account]);

  const set = (part: Partial<typeof form>): void => setForm({ ...form, ...part });
  const mark = (field: string, text: string | undefined): void => setErrors({ ...errors, [field]: text });

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const faults: Errors = {
      nick: form.nick === "" ? t("error.nick_length") : nickFault(form.nick),
      email: pending && form.email.trim() === "" ? t("error.email_bad") : undefined,
      password: [...form.password].length < 8 ? t("error.password_length") : undefined,
      password2: form.password !== form.password2 ? t("error.password_mismatch") : undefined,
      accept_rules: form.accept ? undefined : t("error.rules_not_accepted"),
    };
    if (Object.values(faults).some((text) => text !== undefined)) {
      setErrors(faults);
      return focusFirst(faults);
    }
    setBusy(true);
    setErrors({});
    try {
      const email = form.email.trim();
      const answer = await api.register({
        nick: form.nick.trim(),
        ...(email ? { email } : {}),
        password: form.password,
        password2: form.password2,
        language: language.get(),
        accept_rules: form.accept,
        ...(pass ? { captcha: pass } : {}),
        ...(pending ? { oidc: true } : {}),
      });
      enter(answer.me);
    } catch (error) {
      const found = fieldErrors(error, FIELDS);
      setErrors(found);
      if (found.captcha && pass) setRound(round + 1);
      setForm({ ...form, password: "", password2: "" });
      focusFirst(found);
    }
    setBusy(false);
  };

  return (
    <section class="sheet narrow">
      <h1>{title}</h1>
      {pending && (
        <div class="notice" data-testid="social-notice">
          <p>
            <b>{t("oidc.register_notice", { provider: pending.label })}</b>
          </p>
          <p>
            {t("oidc.register_clone")} <a href={`/login?${query}`}>{t("nav.login")}</a>
          </p>
        </div>
      )}
      <form onSubmit={submit} data-testid="register-form" noValidate>
        <FormError text={errors[""]} />
        <Field
          name="nick"
          label={t("register.nick")}
          hint={t("register.nick_hint")}
          value={form.nick}
          onValue={(nick) => set({ nick })}
          onBlur={() => mark("nick", nickFault(form.nick))}
          error={errors.nick}
          autocomplete="username"
          required
        />
        <Field
          name="email"
          type="email"
          label={pending ? t("oidc.email") : t("register.email")}
          hint={pending ? emailHint(pending, form.email) : t("register.email_hint")}
          value={form.email}
          onValue={(email) => set({ email })}
          error={errors.email}
          autocomplete="email"
        />
        <Field
          name="password"
          type="password"
          label={t("register.password")}
          hint={t("register.password_hint")}
          value={form.password}
          onValue={(password) => {
            set({ password });
            if (errors.password2) mark("password2", passwordFault(password, form.password2));
          }}
          error={errors.password}
          autocomplete="new-password"
          required
        />
        <Field
          name="password2"
          type="password"
          label={t("register.password2")}
          value={form.password2}
          onValue={(password2) => {
            set({ password2 });
            mark("password2", passwordFault(form.password, password2));
          }}
          error={errors.password2}
          autocomplete="new-password"
          required
        />
        <Check
          name="accept"
          checked={form.accept}
          onChecked={(accept) => set({ accept })}
          error={errors.accept_rules}
        >
          {t("register.accept")}
        </Check>
        <details class="rules">
          <summary>{t("register.rules_title")}</summary>
          <p>{t("register.rules_1")}</p>
          <p>{t("register.rules_2")}</p>
          <p>{t("register.rules_3")}</p>
        </details>
        <CaptchaBox onPass={setPass} round={round} error={errors.captcha} />
        <button class="primary" data-testid="register" disabled={busy}>
          {t("register.submit")}
        </button>
      </form>
      <p class="aside">
        {t("register.have_account")} <a href="/login">{t("nav.login")}</a>
      </p>
    </section>
  );
}

function focusFirst(faults: Errors): void {
  const field = FIELDS.find((name) => faults[name]);
  if (field) document.getElementById(field === "accept_rules" ? "accept" : field)?.focus();
}
