// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notices by push, on the page of notices: what will be told, on and off for this browser, and the
// other devices. The browser is asked for its permission by a click alone.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { startServiceWorker } from "../app/service_worker";
import { date, t } from "../i18n";
import { api } from "../net/api";
import type { PushDevices } from "../net/types";
import { errorText } from "../ui/errors";
import { FormError } from "../ui/field";

// iPhones have push only for a site on the home screen, other browsers none at all.
const able = (): boolean => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

function sameKey(subscription: PushSubscription, key: Uint8Array): boolean {
  const own = subscription.options.applicationServerKey;
  return own !== null && new Uint8Array(own).every((byte, i) => byte === key[i]);
}

// Subscribes this browser and tells the server; with a subscription made for another key a new one.
async function turnOn(key: string): Promise<PushDevices> {
  const registration = await startServiceWorker();
  if (!registration) throw new Error("no worker");
  const bytes = bytesOf(key);
  let subscription = await registration.pushManager.getSubscription();
  if (subscription && !sameKey(subscription, bytes)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes });
  const { endpoint, keys } = subscription.toJSON();
  return api.pushOn({ endpoint: endpoint ?? "", p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" });
}

async function turnOff(id: number): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  const subscription = await registration?.pushManager.getSubscription();
  await Promise.all([api.pushEnd(id), subscription?.unsubscribe()]);
}

export function PushHere(): JSX.Element {
  const [devices, setDevices] = useState<PushDevices>();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [denied, setDenied] = useState(able() && Notification.permission === "denied");
  useEffect(() => {
    api.push().then(setDevices, (e: unknown) => setError(errorText(e)));
  }, []);
  const own = devices?.devices.find((d) => d.own);
  const others = devices?.devices.filter((d) => !d.own) ?? [];
  const act = async (what: () => Promise<PushDevices>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      setDevices(await what());
    } catch (e) {
      // The browser's own refusals have no code of ours.
      setError(e instanceof Error && "code" in e && typeof e.code === "string" ? errorText(e) : t("notices.push_failed"));
    }
    setBusy(false);
  };
  const on = async (): Promise<void> => {
    const answer = await Notification.requestPermission();
    setDenied(answer === "denied");
    if (answer === "granted" && devices) await act(() => turnOn(devices.key));
  };
  const end = (id: number, here: boolean): Promise<void> =>
    act(async () => {
      await (here ? turnOff(id) : api.pushEnd(id));
      return api.push();
    });
  return (
    <section class="push" aria-labelledby="push-title" data-testid="push" aria-busy={devices === undefined}>
      <h2 id="push-title">{t("notices.push")}</h2>
      <p>{t("notices.push_text")}</p>
      {!able() && (
        <p class="hint" data-testid="push-unable">
          {t("notices.push_unable")}
        </p>
      )}
      {able() && denied && !own && (
        <p class="hint" role="status" data-testid="push-denied">
          {t("notices.push_denied")}
        </p>
      )}
      {own && (
        <p role="status" data-testid="push-is-on">
          <b>{t("notices.push_is_on")}</b>
        </p>
      )}
      {able() && devices && !own && !denied && (
        <button type="button" class="button primary" disabled={busy} onClick={() => void on()} data-testid="push-on">
          {t("notices.push_on")}
        </button>
      )}
      {own && (
        <button type="button" class="button" disabled={busy} onClick={() => void end(own.id, true)} data-testid="push-off">
          {t("notices.push_off")}
        </button>
      )}
      {others.length > 0 && (
        <>
          <h3>{t("notices.push_others")}</h3>
          <ul class="push-devices">
            {others.map((d) => (
              <li key={d.id}>
                <span>
                  {d.agent || t("notices.push_unknown")} <small>{t("notices.push_since", { date: date(d.created) })}</small>
                </span>
                <button type="button" class="plain link" disabled={busy} onClick={() => void end(d.id, false)}>
                  {t("notices.push_end")}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <FormError text={error} />
    </section>
  );
}
