// SPDX-License-Identifier: GPL-3.0-or-later
//
// The sections of one's settings that guard the account: address, devices, misuse, blocked players,
// one's data, and what is said first when the account is blocked or about to be erased.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { navigate, place } from "../app/router";
import { leave, me } from "../app/session";
import { loadSite, site } from "../app/site";
import { useStore } from "../app/store";
import { date, dateTime, dateTimeZone, t } from "../i18n";
import { api, ApiError } from "../net/api";
import type { BlockedPlayer, Device, Me } from "../net/types";
import { errorText, fieldErrors } from "../ui/errors";
import { Field, FormError } from "../ui/field";
import { showFlash } from "../ui/flash";

type Errors = Record<string, string | undefined>;

// Here the name is known, so only the password can have been wrong.
const wrongPassword = (error: unknown): boolean => error instanceof ApiError && error.code === "bad_credentials";
const passwordErrors = (error: unknown, fields: readonly string[], field = "password"): Errors =>
  wrongPassword(error) ? { [field]: t("account.password_wrong") } : fieldErrors(error, fields);

export function AccountNotices({ account }: { account: Me }): JSX.Element | null {
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const stay = async (): Promise<void> => {
    try {
      me.set((await api.stay()).me);
      showFlash({ text: t("account.stayed") });
    } catch (e) {
      setError(errorText(e));
    }
  };
  const appeal = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await api.appeal(text);
      setText("");
      setError(undefined);
      showFlash({ text: t("account.appeal_sent") });
    } catch (e) {
      setError(errorText(e));
    }
  };
  if (account.blocked)
    return (
      <div class="notice" data-testid="blocked-notice">
        <p>
          <b>{t("account.blocked_title")}</b> {t("account.blocked_since", { date: date(account.blocked.from) })}{" "}
          {account.blocked.until === null ? t("account.blocked_for_ever") : t("account.blocked_until", { date: date(account.blocked.until) })}
        </p>
        <p>{t("account.blocked_effect")}</p>
        <form onSubmit={appeal} data-testid="appeal-form">
          <TextArea name="appeal" label={t("account.appeal")} value={text} onValue={setText} />
          <FormError text={error} />
          <button disabled={text.trim() === ""}>{t("account.appeal_send")}</button>
        </form>
      </div>
    );
  if (account.erase_after === null) return null;
  return (
    <div class="notice" data-testid="leaving-notice">
      <p>{t("account.leaving", { date: date(account.erase_after) })}</p>
      <FormError text={error} />
      <button class="primary" data-testid="stay" onClick={() => void stay()}>{t("account.stay")}</button>
    </div>
  );
}

function TextArea(p: { name: string; label: string; value: string; onValue: (value: string) => void }): JSX.Element {
  return (
    <div class="field">
      <label for={p.name}>{p.label}</label>
      <textarea id={p.name} name={p.name} rows={4} maxLength={2000} value={p.value} onInput={(e) => p.onValue(e.currentTarget.value)} />
    </div>
  );
}

const Section = ({ id, title, children }: { id: string; title: string; children: ComponentChildren }): JSX.Element => (
  <section id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </section>
);

// ---- address ------------------------------------------------------------------------------------

export function EmailSection({ account }: { account: Me }): JSX.Element {
  const info = useStore(site);
  const [form, setForm] = useState({ email: "", password: "" });
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  useEffect(() => void loadSite(), []);
  const waiting = account.email_pending ?? (account.confirmed ? null : account.email);
  const again = async (): Promise<void> => {
    try {
      await api.confirmAgain();
      showFlash({ text: t("account.email_sent", { email: waiting ?? "" }) });
    } catch (e) {
      setErrors({ again: errorText(e) });
    }
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setErrors({});
    try {
      me.set((await api.changeEmail({ email: form.email.trim(), password: form.password })).me);
      showFlash({ text: info?.mail ? t("account.email_sent", { email: form.email.trim() }) : t("account.email_changed") });
      setForm({ email: "", password: "" });
    } catch (e) {
      const found = passwordErrors(e, ["email", "password"]);
      setErrors({ ...found, email_password: found.password });
    }
    setBusy(false);
  };
  return (
    <Section id="email" title={t("account.email")}>
      <p data-testid="email-state">
        {account.email === null ? t("account.email_none") : <b>{account.email}</b>}{" "}
        {info?.mail && account.email !== null && (account.confirmed ? t("account.email_confirmed") : t("account.email_unconfirmed"))}
      </p>
      {info && !info.mail && <p class="hint">{t("account.email_off")}</p>}
      {info?.mail && !account.confirmed && <p class="hint">{t("account.email_why")}</p>}
      {info?.mail && waiting !== null && (
        <p>
          {account.email_pending !== null && t("account.email_waiting", { email: account.email_pending })}{" "}
          <button type="button" class="plain link" data-testid="confirm-again" onClick={() => void again()}>{t("account.email_again")}</button>
        </p>
      )}
      <FormError text={errors.again ?? errors[""]} />
      <form onSubmit={submit} noValidate data-testid="email-form">
        <Field name="email" type="email" label={t("account.email_new")} value={form.email} onValue={(email) => setForm({ ...form, email })}
          error={errors.email} autocomplete="email" />
        <Field name="email_password" type="password" label={t("account.password_now")} value={form.password}
          onValue={(password) => setForm({ ...form, password })} error={errors.email_password} autocomplete="current-password" />
        <button disabled={busy || form.email.trim() === ""}>{t("account.email_submit")}</button>
      </form>
    </Section>
  );
}

// ---- devices ------------------------------------------------------------------------------------

export function DevicesSection(): JSX.Element {
  const [devices, setDevices] = useState<Device[] | null>(null);
  const [error, setError] = useState<string>();
  const load = (): void => void api.devices().then((a) => setDevices(a.devices), (e) => setError(errorText(e)));
  useEffect(load, []);
  const end = async (device: Device): Promise<void> => {
    try {
      await api.endDevice(device.id);
      showFlash({ text: t("account.device_ended") });
      load();
    } catch (e) {
      setError(errorText(e));
    }
  };
  return (
    <Section id="devices" title={t("account.devices")}>
      <ul class="plain-list" data-testid="devices">
        {devices?.map((device) => (
          <li key={device.id}>
            <span>
              <b>{device.agent || t("account.device_unknown")}</b>
              <br />
              <small>
                {t("account.device_since")} <time title={dateTimeZone(device.created)}>{dateTime(device.created)}</time>
              </small>
            </span>
            {device.own ? (
              <span class="quiet">{t("account.device_own")}</span>
            ) : (
              <button onClick={() => void end(device)} aria-label={`${t("account.device_end")}: ${device.agent || t("account.device_unknown")}`}>
                {t("account.device_end")}
              </button>
            )}
          </li>
        ))}
      </ul>
      <FormError text={error} />
      <Misuse />
    </Section>
  );
}

const EMPTY = { password: "", new_password: "", new_password2: "", text: "" };

function Misuse(): JSX.Element {
  const [open, setOpen] = useState(false);
  const [form, setForm] = useState(EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState(false);
  const set = (part: Partial<typeof EMPTY>): void => setForm({ ...form, ...part });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      await api.misuse(form);
      setForm(EMPTY);
      setOpen(false);
      showFlash({ text: t("account.misuse_done") });
    } catch (e) {
      setErrors(passwordErrors(e, ["password", "new_password", "new_password2"]));
    }
    setBusy(false);
  };
  if (!open)
    return (
      <p>
        <button class="danger" data-testid="misuse" onClick={() => setOpen(true)}>{t("account.misuse")}</button>
      </p>
    );
  return (
    <form onSubmit={submit} noValidate data-testid="misuse-form">
      <p>{t("account.misuse_effect")}</p>
      <FormError text={errors[""]} />
      <Field name="misuse_password" type="password" label={t("account.password_now")} value={form.password}
        onValue={(password) => set({ password })} error={errors.password} autocomplete="current-password" />
      <Field name="misuse_new" type="password" label={t("account.password_new")} value={form.new_password}
        onValue={(new_password) => set({ new_password })} error={errors.new_password} autocomplete="new-password" />
      <Field name="misuse_new2" type="password" label={t("register.password2")} value={form.new_password2}
        onValue={(new_password2) => set({ new_password2 })} error={errors.new_password2} autocomplete="new-password" />
      <TextArea name="misuse_text" label={t("account.misuse_text")} value={form.text} onValue={(text) => set({ text })} />
      <p class="buttons">
        <button class="danger" disabled={busy}>{t("account.misuse_send")}</button>
        <button type="button" onClick={() => setOpen(false)}>{t("common.cancel")}</button>
      </p>
    </form>
  );
}

// ---- blocked players ----------------------------------------------------------------------------

export function BlocksSection(): JSX.Element {
  const { query } = useStore(place);
  const [blocks, setBlocks] = useState<BlockedPlayer[] | null>(null);
  const [nick, setNick] = useState(query.get("nick") ?? "");
  const [error, setError] = useState<string>();
  const load = (): void => void api.blocks().then((a) => setBlocks(a.blocks), (e) => setError(errorText(e)));
  useEffect(load, []);
  const change = async (act: Promise<void>): Promise<void> => {
    setError(undefined);
    try {
      await act;
      setNick("");
      load();
    } catch (e) {
      setError(e instanceof ApiError && e.code === "not_found" ? t("account.block_nobody") : errorText(e));
    }
  };
  return (
    <Section id="blocks" title={t("account.blocks")}>
      <p class="hint">{t("account.blocks_hint")}</p>
      <ul class="plain-list" data-testid="blocks">
        {blocks?.map((block) => (
          <li key={block.nick}>
            <a href={`/player/${encodeURIComponent(block.nick)}`}>{block.nick}</a>
            <button onClick={() => void change(api.unblock(block.nick))} aria-label={`${t("account.unblock")}: ${block.nick}`}>
              {t("account.unblock")}
            </button>
          </li>
        ))}
      </ul>
      <form noValidate data-testid="block-form" onSubmit={(e) => {
        e.preventDefault();
        void change(api.block(nick.trim()));
      }}>
        <Field name="block_nick" label={t("account.block_nick")} value={nick} onValue={setNick} error={error} />
        <button disabled={nick.trim() === ""}>{t("account.block")}</button>
      </form>
    </Section>
  );
}

// ---- one's data ---------------------------------------------------------------------------------

export function DataSection({ account }: { account: Me }): JSX.Element {
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
      setError(wrongPassword(e) ? t("account.password_wrong") : errorText(e));
      setBusy(false);
    }
  };
  return (
    <Section id="data" title={t("account.data")}>
      <p>{t("account.export_hint")}</p>
      <p>
        <a class="button" href="/api/v1/me/export" download data-testid="export">{t("account.export")}</a>
      </p>
      <p>{t("account.delete_effect")}</p>
      {open ? (
        <form onSubmit={submit} data-testid="delete-form">
          <Field name="delete_password" type="password" label={t("account.delete_password", { nick: account.nick })}
            value={password} onValue={setPassword} error={error} autocomplete="current-password" required />
          <p class="buttons">
            <button class="danger" data-testid="delete-yes" disabled={busy}>{t("account.delete_yes")}</button>
            <button type="button" onClick={() => setOpen(false)}>{t("common.cancel")}</button>
          </p>
        </form>
      ) : (
        <button class="danger" data-testid="delete-account" onClick={() => setOpen(true)}>{t("account.delete_button")}</button>
      )}
    </Section>
  );
}
