// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bell of the head: what one was told while one looked elsewhere. Loaded when it is needed, not
// with a board.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { myChallenges } from "../app/mygames";
import { place } from "../app/router";
import { me } from "../app/session";
import { createStore, useStore } from "../app/store";
import { age, loadArea, number, t } from "../i18n";
import { api } from "../net/api";
import { serverNow } from "../net/clock_offset";
import type { Bell as BellList, Challenge, Notice } from "../net/types";
import { useDismiss } from "../ui/dismiss";
import { showFlash } from "../ui/flash";
import { nickText } from "../ui/nick";

const bell = createStore<BellList>({ notices: [], seen: 0 });

export async function loadBell(): Promise<void> {
  try {
    bell.set(await api.bell());
  } catch {
    // What comes from now on is shown all the same.
  }
}

const wordsOf = (notice: Notice): string =>
  t(`notices.${notice.kind}`, { nick: notice.nick === null ? t("player.former") : nickText(notice.nick) });

function hrefOf(notice: Notice): string {
  if (notice.kind === "rematch" && notice.ref) return `/game/${notice.ref}`;
  if (notice.kind === "challenge") return "/play";
  return notice.nick === null ? "/account/people" : `/player/${encodeURIComponent(notice.nick)}`;
}

// Something new; what the lobby's own channel says of challenges already is not said twice.
export async function ring(notice: Notice): Promise<void> {
  await loadArea("notices");
  const now = bell.get();
  if (now.notices.length === 0) await loadBell();
  if (!bell.get().notices.some((n) => n.at === notice.at && n.kind === notice.kind))
    bell.set({ ...bell.get(), notices: [notice, ...bell.get().notices].slice(0, 30) });
  if (notice.kind === "friend_asks" || notice.kind === "friend")
    showFlash({ text: wordsOf(notice), href: hrefOf(notice), link: t("notices.look") });
}

// An invitation stands while it can be answered, not after it was taken, declined or withdrawn.
function stands(notice: Notice, open: readonly Challenge[]): boolean {
  const mine = open.filter((c) => c.nick !== me.get()?.nick);
  if (notice.kind === "rematch") return mine.some((c) => c.rematch === notice.ref);
  return notice.kind !== "challenge" || mine.some((c) => c.id === notice.ref);
}

const unseenOf = ({ notices, seen }: BellList): number => notices.filter((n) => n.at > seen).length;

export function Bell(): JSX.Element {
  const told = useStore(bell);
  const challenges = useStore(myChallenges);
  const list = { ...told, notices: told.notices.filter((notice) => stands(notice, challenges)) };
  const { path } = useStore(place);
  const account = useStore(me);
  const [open, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const unseen = unseenOf(list);
  // What was new when the list was opened stays marked while it is open.
  const [mark, setMark] = useState(0);
  useEffect(() => void loadBell(), [account?.id]);
  useEffect(() => setOpen(false), [path]);
  useDismiss(ref, open, () => setOpen(false));
  const toggle = (): void => {
    if (!open) {
      setMark(list.seen);
      const newest = list.notices[0]?.at ?? 0;
      if (newest > list.seen) {
        bell.set({ ...told, seen: newest });
        api.bellSeen(newest).catch(() => {});
      }
    }
    setOpen(!open);
  };
  const name = unseen > 0 ? t("notices.bell_new", { count: unseen }) : t("notices.bell");
  return (
    <div class="menu bell" ref={ref}>
      <button
        class="plain sign"
        aria-expanded={open}
        aria-controls="bell-list"
        aria-label={name}
        title={name}
        data-testid="bell"
        data-unseen={unseen}
        onClick={toggle}
      >
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
          <path d="M4.500 14h11c-1.300-1.300-1.500-2.800-1.500-5a4 4 0 00-8 0c0 2.200-.2 3.700-1.500 5zM8.500 16.500a1.600 1.600 0 003 0M10 3v2" />
        </svg>
        {unseen > 0 && <b class="count">{number(unseen)}</b>}
      </button>
      {open && (
        <div id="bell-list" class="menu-sheet bell-sheet" data-testid="bell-list">
          {list.notices.length === 0 && <p class="hint">{t("notices.none")}</p>}
          {list.notices.length > 0 && (
            <ul>
              {list.notices.map((notice) => (
                <li key={`${notice.at}${notice.kind}`} class={notice.at > mark ? "new" : undefined}>
                  <a href={hrefOf(notice)}>
                    {wordsOf(notice)}
                    <small>{age(serverNow() - notice.at)}</small>
                  </a>
                </li>
              ))}
            </ul>
          )}
          <p>
            <a href="/account/notices">{t("notices.choose")}</a>
          </p>
        </div>
      )}
    </div>
  );
}
