// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands around every page: the head with its menu and switches, the foot, announcements.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { LANGUAGES, language, number, setLanguage, t } from "../i18n";
import { api } from "../net/api";
import { overHttp, retryNow, socketStatus } from "../net/socket";
import type { Language } from "../net/types";
import { useDismiss } from "../ui/dismiss";
import { FlashBar } from "../ui/flash";
import { Icon } from "../ui/icons";
import { later } from "../ui/later";
import { isGuest, nickText } from "../ui/nick";
import { Announcer } from "../ui/say";
import { bellRung, myGames, waiting } from "./mygames";
import { prefs, type Theme } from "./prefs";
import { loginPath, navigate, place } from "./router";
import { leave, me } from "./session";
import { loadExtras } from "./sheet";
import { useStore } from "./store";
import { setTitleCount } from "./title";

// The parts of the house as a guest walks through it: playing, learning, what others play, the books.
const PARTS = [
  ["/", "nav.play"],
  ["/computer", "nav.computer"],
  ["/local", "nav.local"],
  ["/learn", "nav.learn"],
  ["/analysis", "nav.analysis"],
  ["/watch", "nav.watch"],
  ["/games", "nav.games"],
  ["/ratings/blitz", "nav.ratings"],
  ["/rules", "nav.rules"],
  ["/clock", "nav.clock"],
] as const;

export function Shell({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <>
      <a class="skip" href="#main">
        {t("shell.skip")}
      </a>
      <Head />
      <LostBanner />
      {useStore(overHttp) && <ByHttp />}
      <main id="main" tabIndex={-1}>
        <AccountNotice />
        {children}
      </main>
      <footer class="foot">
        <p>{t("shell.foot")}</p>
        <nav class="foot-links" aria-label={t("shell.more")}>
          {PARTS.map(([href, name]) => (
            <a key={href} href={href}>
              {t(name)}
            </a>
          ))}
          <a href="/curiosity">64 = 65</a>
        </nav>
      </footer>
      <FlashBar />
      <Announcer />
    </>
  );
}

const ByHttp = later(async () => (await import("../notices/by_http")).ByHttp, ["notices"]);
const Bell = later(async () => {
  const [part] = await Promise.all([import("../notices/bell"), loadExtras()]);
  return part.Bell;
}, ["notices"]);

function Head(): JSX.Element {
  const account = useStore(me);
  const { path } = useStore(place);
  const mine = waiting(useStore(myGames));
  useEffect(() => setTitleCount(mine.length), [mine.length]);
  // A board is loaded without it, until something is told.
  const rung = useStore(bellRung);
  const play = path === "/" || path === "/play";
  return (
    <header class={mine.length > 0 ? "head busy" : "head"}>
      <a class="wordmark" href="/" aria-label={t("shell.home")}>
        J<span class="apostrophe">’</span>adoube
      </a>
      <nav aria-label={t("shell.menu")}>
        <a href="/" class="wide" aria-current={play ? "page" : undefined}>
          {t("nav.play")}
        </a>
        <a href="/computer" class="wide" aria-current={path === "/computer" ? "page" : undefined} data-testid="nav-computer">
          {t("nav.computer")}
        </a>
        <a href="/learn" class="wide" aria-current={path.startsWith("/learn") ? "page" : undefined} data-testid="nav-learn">
          {t("nav.learn")}
        </a>
        <a href="/ratings/blitz" class="wide" aria-current={path.startsWith("/ratings") ? "page" : undefined} data-testid="nav-ratings">
          {t("nav.ratings")}
        </a>
        <Menu id="parts" label={<Icon name="menu" />} name={t("shell.parts")}>
          {PARTS.map(([href, name]) => (
            <li key={href}>
              <a href={href}>{t(name)}</a>
            </li>
          ))}
          {mine.length > 0 && (
            <li class="switches">
              <LanguageSwitch />
              <ThemeSwitch />
            </li>
          )}
        </Menu>
        {mine.length > 0 && (
          <a href={`/game/${nextWaiting(path)}`} data-testid="your-move">
            {t("nav.your_move")} <b class="count">{number(mine.length)}</b>
          </a>
        )}
      </nav>
      <div class="head-right">
        <LanguageSwitch />
        <ThemeSwitch />
        {account === null && (
          <>
            <a href={path === "/login" || path === "/register" ? "/login" : loginPath()} data-testid="nav-login">
              {t("nav.login")}
            </a>
            <a href="/register" class="wide" data-testid="nav-register">
              {t("nav.register")}
            </a>
          </>
        )}
        {account && isGuest(account.nick) && (
          <a href="/register" class="wide">
            {t("nav.register")}
          </a>
        )}
        {account && !isGuest(account.nick) && (rung || !path.startsWith("/game/")) && <Bell />}
        {account && <AccountMenu nick={account.nick} />}
      </div>
    </header>
  );

  // The next game that waits, another than the one being looked at if there is one.
  function nextWaiting(now: string): string {
    const at = mine.findIndex((row) => now === `/game/${row.id}`);
    return mine[(at + 1) % mine.length]!.id;
  }
}

// What somebody must know wherever he is.
function AccountNotice(): JSX.Element | null {
  const account = useStore(me);
  const { path } = useStore(place);
  if (!account || (!account.blocked && account.erase_after === null) || path.startsWith("/account")) return null;
  return (
    <p class="notice" role="status" data-testid="account-notice">
      {account.blocked ? t("shell.blocked") : t("shell.leaving")} <a href="/account">{t("nav.account")}</a>
    </p>
  );
}

function LanguageSwitch(): JSX.Element {
  const now = useStore(language);
  const choose = async (code: Language): Promise<void> => {
    await setLanguage(code);
    if (me.get()) api.setLanguage(code).then((a) => me.set(a.me), () => {});
  };
  return (
    <label class="switch">
      <span class="unseen">{t("shell.language")}</span>
      <select
        value={now}
        data-testid="language"
        onChange={(e) => void choose(e.currentTarget.value as Language)}
      >
        {LANGUAGES.map((l) => (
          <option key={l.code} value={l.code} lang={l.code} title={l.name}>
            {l.short}
          </option>
        ))}
      </select>
    </label>
  );
}

const THEMES: readonly { theme: Theme; icon: "auto" | "sun" | "moon" }[] = [
  { theme: "system", icon: "auto" },
  { theme: "light", icon: "sun" },
  { theme: "dark", icon: "moon" },
];

function ThemeSwitch(): JSX.Element {
  const { theme } = useStore(prefs);
  const at = THEMES.findIndex((x) => x.theme === theme);
  const next = THEMES[(at + 1) % THEMES.length]!;
  return (
    <button
      class="plain sign theme"
      data-testid="theme"
      onClick={() => prefs.patch({ theme: next.theme })}
      aria-label={`${t("shell.theme")}: ${t(`theme.${theme}`)}`}
      title={`${t("shell.theme")}: ${t(`theme.${theme}`)}`}
    >
      <Icon name={THEMES[at]!.icon} />
    </button>
  );
}

// A button and the sheet that hangs from it, until a choice, Escape or a touch elsewhere.
function Menu({ id, label, name, children }: { id: string; label: ComponentChildren; name?: string; children: ComponentChildren }): JSX.Element {
  const [open, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const { path } = useStore(place);
  useEffect(() => setOpen(false), [path]);
  useDismiss(ref, open, () => setOpen(false));
  return (
    <div class="menu" ref={ref}>
      <button
        class="plain"
        aria-expanded={open}
        aria-controls={id}
        aria-label={name}
        title={name}
        data-testid={id}
        onClick={() => setOpen(!open)}
      >
        {label}
      </button>
      {open && (
        <ul id={id} class="menu-sheet" onClick={(e) => (e.target as Element).closest("a") && setOpen(false)}>
          {children}
        </ul>
      )}
    </div>
  );
}

function AccountMenu({ nick }: { nick: string }): JSX.Element {
  const logout = async (): Promise<void> => {
    try {
      await api.logout();
    } catch {
      // Without an answer the cookie may live on; the page forgets all the same.
    }
    leave();
    navigate("/");
  };
  return (
    <Menu
      id="account-menu"
      label={
        <>
          <span class="nick">{nickText(nick)}</span>
          <Icon name="person" />
        </>
      }
    >
      <li>
        <a href={`/player/${encodeURIComponent(nick)}`}>{t("nav.profile")}</a>
      </li>
      <li>
        <a href="/account">{t("nav.account")}</a>
      </li>
      <li>
        <button class="plain" data-testid="logout" onClick={() => void logout()}>
          {t("nav.logout")}
        </button>
      </li>
    </Menu>
  );
}

// Shown once the connection has been gone for a moment; short breaks heal unseen.
function LostBanner(): JSX.Element | null {
  const status = useStore(socketStatus);
  const { path } = useStore(place);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (status === "open") {
      setShown(false);
      return;
    }
    const wait = status === "crowded" ? 0 : status === "lost" ? 1200 : 5000;
    const timer = window.setTimeout(() => setShown(true), wait);
    return () => window.clearTimeout(timer);
  }, [status]);
  return (
    <div role="status">
      {shown && !/^\/(local|clock|curiosity)$/.test(path) && (
        <p class="lost" data-testid="connection-lost">
          <b>{t(status === "crowded" ? "net.crowded" : "net.lost")}</b>{" "}
          {status !== "crowded" && t("net.lost_more")}{" "}
          <button class="plain link" onClick={retryNow}>
            {t("net.retry")}
          </button>
        </p>
      )}
    </div>
  );
}
