// SPDX-License-Identifier: GPL-3.0-or-later
//
// One's own account: language, board, password, and the way out.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { prefs } from "../app/prefs";
import { navigate } from "../app/router";
import { leave, me } from "../app/session";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { date, language, LANGUAGES, setLanguage, t } from "../i18n";
import { api, ApiError } from "../net/api";
import type { Language, Me } from "../net/types";
import { errorText, fieldErrors } from "../ui/errors";
import { Check, Field, FormError } from "../ui/field";
import { showFlash } from "../ui/flash";
import { BoardPrefs } from "../ui/board_prefs";

export function AccountPage(): JSX.Element | null {
  const account = useStore(me);
  const settings = useStore(prefs);
  const title = t("account.title");
  useEffect(() => setTitle(title), [title]);
  useEffect(() => {
    if (account === null) navigate("/login?next=/account", true);
  }, [account]);
  if (!account) return null;
  return (
    <section class="sheet narrow account">
      <h1>{title}</h1>
      <p class="quiet">
        <b>{account.nick}</b>
        {account.email !== null && ` · ${account.email}`} · {t("player.since", { date: date(account.created) })}
      </p>
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
      <PasswordForm />
      <DeleteForm account={account} />
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
      <h2>{t("account.password")}</h2>
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

function DeleteForm({ account }: { account: Me }): JSX.Element {
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      await api.deleteAccount(password);
      leave();
      navigate("/");
      showFlash({ text: t("account.deleted") });
    } catch (e) {
      setError(isWrongPassword(e) ? t("account.password_wrong") : errorText(e));
      setBusy(false);
    }
  };
  return (
    <>
      <h2>{t("account.delete")}</h2>
      <p>{t("account.delete_effect")}</p>
      {open ? (
        <form onSubmit={submit} data-testid="delete-form">
          <Field name="delete_password" type="password" label={t("account.delete_password", { nick: account.nick })}
            value={password} onValue={setPassword} error={error} autocomplete="current-password" required />
          <button class="danger" data-testid="delete-yes" disabled={busy}>
            {t("account.delete_yes")}
          </button>{" "}
          <button type="button" onClick={() => setOpen(false)}>
            {t("common.cancel")}
          </button>
        </form>
      ) : (
        <button class="danger" data-testid="delete-account" onClick={() => setOpen(true)}>
          {t("account.delete_button")}
        </button>
      )}
    </>
  );
}
