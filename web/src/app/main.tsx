// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first script: language, account and connection start side by side, then the page is drawn.
import { render, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { loadCore } from "../core/load";
import { language, startLanguage } from "../i18n";
import { startSocket } from "../net/socket";
import { AccountPage } from "../pages/account";
import { HomePage } from "../pages/home";
import { LoginPage } from "../pages/login";
import { NotFoundPage } from "../pages/not_found";
import { PlayerPage } from "../pages/player";
import { RegisterPage } from "../pages/register";
import { startMyGames } from "./mygames";
import { place, startRouter } from "./router";
import { loadMe } from "./session";
import { Shell } from "./shell";
import { useStore } from "./store";

// The board and its rules are half of the code: loaded when a game is opened.
type GamePage = typeof import("../pages/game").GamePage;
let loadedGamePage: GamePage | null = null;
const loadGamePage = async (): Promise<GamePage> => {
  loadedGamePage = (await import("../pages/game")).GamePage;
  return loadedGamePage;
};

function Game({ id }: { id: string }): JSX.Element | null {
  const [Page, setPage] = useState<GamePage | null>(() => loadedGamePage);
  useEffect(() => {
    if (!Page) void loadGamePage().then((page) => setPage(() => page));
  }, []);
  return Page ? <Page id={id} key={id} /> : null;
}

function page(path: string): JSX.Element {
  const [, first = "", second = "", third] = path.replace(/\/$/, "").split("/");
  if (third === undefined) {
    if (second === "") {
      switch (first) {
        case "":
        case "play":
          return <HomePage />;
        case "register":
          return <RegisterPage />;
        case "login":
          return <LoginPage />;
        case "account":
          return <AccountPage />;
      }
    } else if (first === "game") return <Game id={second} />;
    else if (first === "player") {
      let nick = second;
      try {
        nick = decodeURIComponent(second);
      } catch {
        // A stray percent sign: no nick has one, the page will say so.
      }
      return <PlayerPage nick={nick} key={nick} />;
    }
  }
  return <NotFoundPage />;
}

function App(): JSX.Element {
  useStore(language); // every text is drawn anew with another language
  const { path } = useStore(place);
  // After a change of page the reader starts at its head.
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else document.getElementById("main")?.focus({ preventScroll: true });
  }, [path]);
  return <Shell>{page(path)}</Shell>;
}

async function start(): Promise<void> {
  startRouter();
  const account = loadMe();
  if (location.pathname.startsWith("/game/")) {
    void loadGamePage();
    loadCore().catch(() => {}); // the page asks again and tells
  }
  await startLanguage();
  render(<App />, document.getElementById("app")!);
  await account;
  startSocket();
  startMyGames();
}

void start();
