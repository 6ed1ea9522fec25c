// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notices that arrive by web push: shown, and opened by a click.

// What the server sends, encrypted (docs/protocol.md). Its words are in the reader's language.
export interface PushMessage {
  title: string;
  body: string;
  url: string; // of this site, with "/" in front
  tag: string; // a later notice of the same tag takes the place of the earlier
  lang: string;
}

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
    const { title, body, url, tag, lang } = message;
    event.waitUntil(scope.registration.showNotification(title, { body, tag, lang, data: url, icon: "/favicon.svg" }));
  });

  scope.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(open(scope, String(event.notification.data ?? "/")));
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
