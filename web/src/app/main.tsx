// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first script: language, account and connection start side by side, then the page is drawn.
import { render, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { loadBoard } from "../core/load";
import { language, startLanguage } from "../i18n";
import { follow, startSocket } from "../net/socket";
import { startMyGames } from "./mygames";
import { Page, warmPage } from "./pages";
import { place, startRouter } from "./router";
import { loadPrefs } from "./prefs";
import { loadMe, me } from "./session";
import { Shell } from "./shell";
import { useStore } from "./store";

function App(): JSX.Element {
  useStore(language); // every text is drawn anew with another language
  const { path } = useStore(place);
  // After a change of page the reader starts at its head.
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else document.getElementById("main")?.focus({ preventScroll: true });
  }, [path]);
  return (
    <Shell>
      <Page path={path} />
    </Shell>
  );
}

async function start(): Promise<void> {
  startRouter();
  me.subscribe(() => void loadPrefs(me.get()?.id ?? null));
  const account = loadMe();
  startSocket();
  warmPage(location.pathname);
  const game = /^\/game\/([^/]+)/.exec(location.pathname);
  if (game) {
    // The page asks for both again, and finds them there.
    loadBoard().catch(() => {});
    const end = follow(`game:${game[1]!}`, { message: () => {} });
    window.setTimeout(end, 20_000);
  }
  await startLanguage();
  render(<App />, document.getElementById("app")!);
  await account;
  startMyGames();
}

void start();
