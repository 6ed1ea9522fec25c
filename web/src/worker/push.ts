// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notices that arrive by web push: shown, opened by a click, and ended by a click.

// What the server sends, encrypted (docs/protocol.md). Its words are in the reader's language.
export interface PushMessage {
  title: string;
  body: string;
  url: string; // of this site, with "/" in front
  tag: string; // a later notice of the same tag takes the place of the earlier
  off: string; // on the button that ends notices here
  lang: string;
}

// TypeScript's own list has no actions: not every browser shows them.
type Shown = NotificationOptions & { actions?: { action: string; title: string }[]; renotify?: boolean };

function read(event: PushEvent): PushMessage | null {
  try {
    const message = event.data?.json() as PushMessage;
    return typeof message.title === "string" && typeof message.url === "string" ? message : null;
  } catch {
    return null; // not ours
  }
}

export function push(scope: ServiceWorkerGlobalScope): void {
  scope.addEventListener("push", (event) => {
    const message = read(event);
    if (message === null) return;
    const { title, body, url, tag, off, lang } = message;
    const shown: Shown = { body, tag, lang, data: url, icon: "/favicon.svg", renotify: true };
    if (off) shown.actions = [{ action: "off", title: off }];
    event.waitUntil(scope.registration.showNotification(title, shown));
  });

  scope.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(event.action === "off" ? end(scope) : open(scope, String(event.notification.data ?? "/")));
  });
}

// The page of a notice: a tab that shows it already, or a new one.
async function open(scope: ServiceWorkerGlobalScope, url: string): Promise<void> {
  const wanted = new URL(url, scope.location.origin);
  if (wanted.origin !== scope.location.origin) return;
  const tabs = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find((client) => new URL(client.url).pathname === wanted.pathname);
  if (tab) await tab.focus();
  else await scope.clients.openWindow(wanted.href);
}

// No more notices here. The server believes whoever knows the endpoint, so it does not matter who is
// logged in by now; and should it not be reached, the browser's service tells it later.
async function end(scope: ServiceWorkerGlobalScope): Promise<void> {
  const subscription = await scope.registration.pushManager.getSubscription();
  if (!subscription) return;
  const told = fetch("/api/v1/push/off", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ endpoint: subscription.endpoint }),
  });
  await Promise.allSettled([told, subscription.unsubscribe()]);
}
