// SPDX-License-Identifier: GPL-3.0-or-later
//
// On the main page: friends and followed players who are there, and who wants to be a friend.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useStore } from "../app/store";
import { t } from "../i18n";
import { lookAtPeople, people, type Someone } from "./api";

const EVERY_MS = 30_000;

export function FriendsOnline(): JSX.Element | null {
  const now = useStore(people);
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) lookAtPeople().catch(() => {}); // the next look may succeed
    };
    look();
    const timer = window.setInterval(look, EVERY_MS);
    return () => window.clearInterval(timer);
  }, []);
  if (!now) return null;
  const friends = now.friends.filter((p) => p.online);
  const follows = now.follows.filter((p) => p.online && !friends.some((f) => f.nick === p.nick));
  if (friends.length + follows.length + now.asks.length === 0) return null;
  return (
    <section class="people" data-testid="friends-online">
      <Names title={t("people.asks")} list={now.asks} />
      <Names title={t("people.online")} list={friends} />
      <Names title={t("people.followed")} list={follows} />
    </section>
  );
}

function Names({ title, list }: { title: string; list: Someone[] }): JSX.Element | null {
  if (list.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="names">
        {list.map((p) => (
          <li key={p.nick}>
            <a href={`/player/${encodeURIComponent(p.nick)}`}>{p.nick}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
