// SPDX-License-Identifier: GPL-3.0-or-later
//
// For games by days: vacations, letters about them, and the page behind the link that ends these.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { navigate } from "../app/router";
import { me } from "../app/session";
import { loadExtras } from "../app/sheet";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { dateTime, t, type Key } from "../i18n";
import { api } from "../net/api";
import type { Notices, Vacation } from "../net/types";
import { errorText } from "../ui/errors";
import { Check, FormError } from "../ui/field";
import { showFlash } from "../ui/flash";
import { later } from "../ui/later";

const DAYS_AT_A_TIME = 14;
const PushHere = later(async () => {
  const [part] = await Promise.all([import("../notices/push_here"), loadExtras()]);
  return part.PushHere;
}, ["notices"]);

function useOwnPage(title: Key, path: string): boolean {
  const account = useStore(me);
  const name = t(title);
  useEffect(() => setTitle(name), [name]);
  useEffect(() => {
    if (account === null) navigate(`/login?next=${path}`, true);
  }, [account, path]);
  return Boolean(account);
}

export function VacationPage(): JSX.Element | null {
  const own = useOwnPage("slow.vacation", "/account/vacation");
  const [vacation, setVacation] = useState<Vacation>();
  const [days, setDays] = useState(7);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (own) api.vacation().then(setVacation, (e: unknown) => setError(errorText(e)));
  }, [own]);
  const send = async (count: number): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      setVacation(await api.setVacation(count));
    } catch (e) {
      setError(errorText(e));
    }
    setBusy(false);
  };
  if (!own) return null;
  const most = Math.min(DAYS_AT_A_TIME, vacation?.left ?? 0);
  const chosen = Math.min(days, most);
  return (
    <section class="sheet narrow account">
      <h1>{t("slow.vacation")}</h1>
      <p>{t("slow.vacation_text")}</p>
      {vacation?.current && (
        <>
          <p role="status" data-testid="vacation-now">
            <b>{t("slow.vacation_until", { date: dateTime(vacation.current.until) })}</b>
          </p>
          <button type="button" class="button" disabled={busy} onClick={() => void send(0)} data-testid="vacation-end">
            {t("slow.vacation_end")}
          </button>
        </>
      )}
      {vacation && !vacation.current && most === 0 && <p>{t("slow.vacation_none_left", { year: String(vacation.year) })}</p>}
      {vacation && !vacation.current && most > 0 && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send(chosen);
          }}
        >
          <p>{t("slow.vacation_left", { days: vacation.left, year: String(vacation.year) })}</p>
          <div class="field">
            <label for="vacation-days">{t("slow.vacation_days")}</label>
            <select id="vacation-days" value={String(chosen)} onChange={(e) => setDays(Number(e.currentTarget.value))} data-testid="vacation-days">
              {Array.from({ length: most }, (_, i) => (
                <option key={i} value={String(i + 1)}>
                  {i + 1}
                </option>
              ))}
            </select>
          </div>
          <button class="button primary" disabled={busy} data-testid="vacation-begin">
            {t("slow.vacation_begin")}
          </button>
        </form>
      )}
      <FormError text={error} />
    </section>
  );
}

// Hours are kept in UTC and shown as here.
const offset = (): number => Math.round(-new Date().getTimezoneOffset() / 60);
const shift = (hour: number, by: number): number => (((hour + by) % 24) + 24) % 24;

export function NoticesPage(): JSX.Element | null {
  const own = useOwnPage("slow.notices", "/account/notices");
  const account = useStore(me);
  const [notices, setNotices] = useState<Notices>();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (own) api.notices().then(setNotices, (e: unknown) => setError(errorText(e)));
  }, [own]);
  if (!own) return null;
  const set = (part: Partial<Notices>): void => setNotices(notices && { ...notices, ...part });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (busy || !notices) return;
    setBusy(true);
    setError(undefined);
    try {
      setNotices(await api.setNotices(notices));
      showFlash({ text: t("slow.notices_saved") });
    } catch (e) {
      setError(errorText(e));
    }
    setBusy(false);
  };
  return (
    <section class="sheet narrow account">
      <h1>{t("slow.notices")}</h1>
      <p>{t("slow.notices_text")}</p>
      {account && account.email === null && <p class="hint">{t("slow.notices_no_address")}</p>}
      {notices && (
        <form onSubmit={(event) => void submit(event)}>
          <Check name="notice-moves" checked={notices.moves} onChecked={(moves) => set({ moves })}>
            {t("slow.notice_moves")}
          </Check>
          <Check name="notice-day" checked={notices.day} onChecked={(day) => set({ day })}>
            {t("slow.notice_day")}
          </Check>
          <Check name="notice-hours" checked={notices.hours} onChecked={(hours) => set({ hours })}>
            {t("slow.notice_hours")}
          </Check>
          <Check name="notice-invitations" checked={notices.invitations} onChecked={(invitations) => set({ invitations })}>
            {t("slow.notice_invitations")}
          </Check>
          <div class="field">
            <label for="notice-hour">{t("slow.notice_when")}</label>
            <select
              id="notice-hour"
              value={notices.digest_hour === null ? "" : String(shift(notices.digest_hour, offset()))}
              disabled={!notices.moves}
              onChange={(e) => set({ digest_hour: e.currentTarget.value === "" ? null : shift(Number(e.currentTarget.value), -offset()) })}
              data-testid="notice-hour"
            >
              <option value="">{t("slow.notice_at_once")}</option>
              {Array.from({ length: 24 }, (_, hour) => (
                <option key={hour} value={String(hour)}>
                  {t("slow.notice_daily", { hour: `${String(hour).padStart(2, "0")}:00` })}
                </option>
              ))}
            </select>
          </div>
          <button class="button primary" disabled={busy} data-testid="notices-save">
            {t("slow.notices_save")}
          </button>
        </form>
      )}
      <FormError text={error} />
      <PushHere />
    </section>
  );
}

export function NoticesOffPage({ token }: { token: string }): JSX.Element {
  const title = t("slow.notices");
  const [state, setState] = useState<string>();
  useEffect(() => setTitle(title), [title]);
  useEffect(() => {
    api.noticesOff(token).then(
      () => setState(t("slow.notices_off")),
      (e: unknown) => setState(errorText(e)),
    );
  }, [token]);
  return (
    <section class="sheet narrow">
      <h1>{title}</h1>
      <p role="status" data-testid="notices-off">
        {state}
      </p>
      <p>
        <a href="/account/notices">{t("slow.notices_choose")}</a>
      </p>
    </section>
  );
}
