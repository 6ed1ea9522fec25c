// SPDX-License-Identifier: GPL-3.0-or-later
//
// The main page: what runs, what waits, and the form for a new game.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { myGames } from "../app/mygames";
import { me } from "../app/session";
import { useStore } from "../app/store";
import { setTitle } from "../app/title";
import { loadArea, t, weekdayDate } from "../i18n";
import { ActiveGames } from "../lobby/active";
import { ChallengeFormBlock } from "../lobby/challenge_form";
import { challenges, followLobby, WaitingTable } from "../lobby/waiting";
import { say } from "../ui/say";

export function HomePage(): JSX.Element {
  const account = useStore(me);
  const list = useStore(challenges);
  const games = useStore(myGames);
  const [created, setCreated] = useState(false);
  useEffect(() => setTitle(""), []);
  useEffect(() => {
    const end = followLobby();
    return () => {
      end();
      challenges.set(null);
    };
  }, []);

  return (
    <div class="home">
      <div class="dateline">
        <span>{weekdayDate(Date.now())}</span>
        {list !== null && list.length > 0 && <span>{t("lobby.count_waiting", { n: list.length })}</span>}
        {games !== null && games.length > 0 && <span>{t("lobby.count_active", { n: games.length })}</span>}
      </div>
      {account && <h1 class="unseen">{t("nav.play")}</h1>}
      {account === null && (
        <div class="lead">
          <h1>{t("home.title")}</h1>
          <p>{t("home.lead")}</p>
          <p class="buttons">
            <a class="button primary" href="/register">
              {t("nav.register")}
            </a>
            <a class="button" href="/login">
              {t("nav.login")}
            </a>
            <a class="button" href="/computer" data-testid="home-computer">
              {t("home.computer")}
            </a>{" "}
            <a class="button" href="/learn" data-testid="home-learn">
              {t("home.learn")}
            </a>{" "}
            <a class="button" href="/local" data-testid="home-local">
              {t("home.local")}
            </a>
          </p>
        </div>
      )}
      <div class="home-columns">
        <section class="new-game" id="new-game" aria-labelledby="new-title">
          <h2 id="new-title">{t("lobby.new")}</h2>
          <ChallengeFormBlock
            onCreated={() => {
              setCreated(true);
              say(t("lobby.created"));
            }}
          />
          {created && list?.some((c) => c.nick === account?.nick) && <p class="good">{t("lobby.created")}</p>}
        </section>
        <div class="home-lists">
          <ActiveGames />
          {account && <Friends />}
          <WaitingTable />
        </div>
      </div>
    </div>
  );
}

// Loaded for who is logged in, after the page stands.
function Friends(): JSX.Element | null {
  const [Block, setBlock] = useState<(() => JSX.Element | null) | null>(null);
  useEffect(() => {
    void Promise.all([import("../people/home_block"), loadArea("people")]).then(([module]) =>
      setBlock(() => module.FriendsOnline),
    );
  }, []);
  return Block ? <Block /> : null;
}
