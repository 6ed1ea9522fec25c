// SPDX-License-Identifier: GPL-3.0-or-later
//
// One's own account: language, board, password, and the way out.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { prefs } from "../app/prefs";
import { navigate } from "../app/router";
import { me } from "../app/session";
import { site } from "../app/site";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { date, language, LANGUAGES, setLanguage, t } from "../i18n";
import { api, ApiError } from "../net/api";
import type { Language } from "../net/types";
import { AccountNotices, BlocksSection, DataSection, DevicesSection, EmailSection } from "./account_safety";
import { LoginsSection } from "../oidc/section";
import { errorText, fieldErrors } from "../ui/errors";
import { Check, Field, FormError } from "../ui/field";
import { showFlash } from "../ui/flash";
import { BoardPrefs } from "../ui/board_prefs";

const SECTIONS = ["email", "password", "devices", "blocks", "data"] as const;

export function AccountPage({ section }: { section?: string }): JSX.Element | null {
  const account = useStore(me);
  const settings = useStore(prefs);
  const info = useStore(site);
  const title = t("account.title");
  useEffect(() => setTitle(title), [title]);
  useEffect(() => {
    if (account === null) navigate("/login?next=/account", true);
  }, [account]);
  useEffect(() => {
    if (account && section) document.getElementById(section)?.scrollIntoView();
  }, [account !== null, section]);
  if (!account) return null;
  // S-024: what a blocked account still has.
  if (account.blocked)
    return (
      <section class="sheet narrow account">
        <h1>{title}</h1>
        <AccountNotices account={account} />
        <DataSection account={account} />
      </section>
    );
  return (
    <section class="sheet narrow account">
      <h1>{title}</h1>
      <p class="quiet">
        <b>{account.nick}</b> · {t("player.since", { date: date(account.created) })}
      </p>
      <AccountNotices account={account} />
      <nav class="section-links" aria-label={t("account.sections")}>
        {SECTIONS.map((id) => (
          <a href={`#${id}`} key={id}>{t(`account.${id}`)}</a>
        ))}
        {info && info.oidc.length > 0 && <a href="#logins">{t("oidc.title")}</a>}
      </nav>
      <LanguageChoice />
      <h2>{t("account.board")}</h2>
      <p class="hint">{t("account.board_hint")}</p>
      <BoardPrefs />
      <h2>{t("account.challenges")}</h2>
      <Check
        name="pref-declines"
        checked={settings.declines}
        onChecked={(declines) => prefs.patch({ declines })}
      >
        {t("account.declines")}
      </Check>
      <Check
        name="pref-online-hidden"
        checked={settings.onlineHidden}
        onChecked={(onlineHidden) => prefs.patch({ onlineHidden })}
      >
        {t("people.hide")}
      </Check>
      <h2>{t("account.slow")}</h2>
      <p>
        <a href="/account/vacation">{t("account.vacation")}</a> · <a href="/account/notices">{t("account.notices")}</a>
      </p>
      <EmailSection account={account} />
      <PasswordForm />
      <LoginsSection />
      <DevicesSection />
      <BlocksSection />
      <DataSection account={account} />
    </section>
  );
}

function LanguageChoice(): JSX.Element {
  const now = useStore(language);
  const [error, setError] = useState<string>();
  const choose = async (code: Language): Promise<void> => {
    setError(undefined);
    await setLanguage(code);
    try {
      me.set((await api.setLanguage(code)).me);
    } catch (e) {
      setError(errorText(e));
    }
  };
  return (
    <fieldset class="plain-set">
      <legend>{t("account.language")}</legend>
      {LANGUAGES.map((l) => (
        <label class="chip" key={l.code} lang={l.code}>
          <input
            type="radio"
            name="account-language"
            value={l.code}
            checked={now === l.code}
            onChange={() => void choose(l.code)}
            data-testid={`language-${l.code}`}
          />
          <span>{l.name}</span>
        </label>
      ))}
      {error && <p class="error">{error}</p>}
    </fieldset>
  );
}

// Here the name is known, so only the password can have been wrong.
const isWrongPassword = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "bad_credentials";

const EMPTY = { password: "", new_password: "", new_password2: "" };

function PasswordForm(): JSX.Element {
  const [form, setForm] = useState(EMPTY);
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});
  const [busy, setBusy] = useState(false);
  const set = (part: Partial<typeof EMPTY>): void => setForm({ ...form, ...part });

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const faults = {
      new_password: [...form.new_password].length < 8 ? t("error.password_length") : undefined,
      new_password2: form.new_password !== form.new_password2 ? t("error.password_mismatch") : undefined,
    };
    setErrors(faults);
    if (faults.new_password || faults.new_password2) return;
    setBusy(true);
    try {
      await api.changePassword(form);
      setForm(EMPTY);
      showFlash({ text: t("account.password_changed") });
    } catch (error) {
      setErrors(
        isWrongPassword(error)
          ? { password: t("account.password_wrong") }
          : fieldErrors(error, ["password", "new_password", "new_password2"]),
      );
    }
    setBusy(false);
  };
  return (
    <form onSubmit={submit} noValidate data-testid="password-form">
      <h2 id="password">{t("account.password")}</h2>
      <FormError text={errors[""]} />
      <Field name="password" type="password" label={t("account.password_now")} value={form.password}
        onValue={(password) => set({ password })} error={errors.password} autocomplete="current-password" />
      <Field name="new_password" type="password" label={t("account.password_new")} hint={t("register.password_hint")}
        value={form.new_password} onValue={(new_password) => set({ new_password })} error={errors.new_password}
        autocomplete="new-password" />
      <Field name="new_password2" type="password" label={t("register.password2")} value={form.new_password2}
        onValue={(new_password2) => set({ new_password2 })} error={errors.new_password2} autocomplete="new-password" />
      <p class="hint">{t("account.password_effect")}</p>
      <button data-testid="change-password" disabled={busy}>
        {t("account.password_submit")}
      </button>
    </form>
  );
}
