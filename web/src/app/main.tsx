// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first script: language, account and connection start side by side, then the page is drawn.
import { options, render, type JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { loadBoard } from "../core/load";
import { language, startLanguage } from "../i18n";
import { follow, startSocket } from "../net/socket";
import { boot } from "./boot";
import { startMyGames } from "./mygames";
import { Page, warmPage } from "./pages";
import { place, startRouter } from "./router";
import { loadPrefs } from "./prefs";
import { loadMe, me } from "./session";
import { Shell } from "./shell";
import { useStore } from "./store";

// Effects (listeners, subscriptions, the focus, the board's men) run with the drawing that asked for
// them, before any click or key can come. Left to themselves they wait for the next frame, which on a
// slow phone is late: a key would be lost on a page that is seen already, a click meet yesterday's men.
options.requestAnimationFrame = (run) => queueMicrotask(run);

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

// A page that brought its game along is drawn once, with its board, if that does not take long.
const PATIENCE_MS = 400;

async function start(): Promise<void> {
  startRouter();
  me.subscribe(() => void loadPrefs(me.get()?.id ?? null, boot?.prefs));
  const account = boot ? me.set(boot.me) : loadMe();
  const parts = [warmPage(location.pathname).catch(() => {})]; // the page itself says what is wrong
  const game = boot?.game.id ?? /^\/game\/([^/]+)/.exec(location.pathname)?.[1];
  if (game) {
    // The page asks for both again, and finds them there.
    parts.push(loadBoard().then(() => {}, () => {}));
    const end = follow(`game:${game}`, { message: () => {} }, boot?.game);
    window.setTimeout(end, 20_000);
  }
  startSocket();
  await startLanguage();
  if (boot) await Promise.race([Promise.all(parts), new Promise((done) => window.setTimeout(done, PATIENCE_MS))]);
  render(<App />, document.getElementById("app")!);
  await account;
  startMyGames();
}

void start();
