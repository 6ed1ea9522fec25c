// SPDX-License-Identifier: GPL-3.0-or-later
// The archive and its filter, games running now, and friends: in three languages, clean for axe-core.
import { readFileSync } from "node:fs";
import { Person, Site, accessible, eventually, holds, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const LANGUAGES = { en: "en-GB", ru: "ru-RU", ro: "ro-RO" };

const anna = await Person.open(browser, site, "Anna");
const boris = await Person.open(browser, site, "Борис", { locale: "ru-RU" });
await Promise.all([anna.register(), boris.register()]);
const text = async (locator) => (await locator.innerText()).replace(/\s+/g, " ").trim();

async function newGame() {
  await anna.challenge({ base: 5, increment: 3, color: "white" });
  await boris.join();
  const id = await anna.onBoard();
  await anna.click("e2e4", "white");
  await boris.seesPly(1);
  await boris.click("e7e5", "black");
  await anna.seesPly(2);
  return id;
}

async function archive() {
  const id = await newGame();
  await boris.id("resign").click();
  await boris.id("resign-yes").click();
  await anna.id("game-result").waitFor();
  const guest = await Person.open(browser, site, "guest");
  await guest.go("/games");
  await guest.id(`game-${id}`).waitFor();
  await guest.id("filter-player").fill("борис");
  await guest.id("filter-result").selectOption("0-1");
  await guest.id("search").click();
  await guest.id("no-games").waitFor();
  await eventually("the search stands in the address", () => new URL(guest.page.url()).search, "?player=%D0%B1%D0%BE%D1%80%D0%B8%D1%81&result=0-1");
  await guest.id("filter-result").selectOption("1-0");
  await guest.id("search").click();
  await guest.id(`game-${id}`).waitFor();
  const [download] = await Promise.all([guest.page.waitForEvent("download"), guest.id("export").click()]);
  const pgn = readFileSync(await download.path(), "utf8");
  holds(pgn.includes('[WhiteElo "1500"]') && pgn.includes('[Black "Борис"]'), `the PGN:\n${pgn}`);
  same(guest.faults, [], "browser");
  await guest.context.close();
}

async function watch() {
  const guest = await Person.open(browser, site, "guest");
  await guest.go("/watch");
  await guest.id("nothing-runs").waitFor();
  const id = await newGame();
  await guest.id(`watch-${id}`).waitFor(); // without a reload
  const row = () => text(guest.id(`watch-${id}`)); // the moves are as of the last look
  await eventually(async () => `its row: ${await row()}`, async () => /^Anna \(1513\?\) Борис \(1487\?\) 5\+3 [12] 0 Watch$/.test(await row()));
  await guest.id(`watch-${id}`).locator("a.button").click();
  await guest.onBoard();
  await guest.context.close();
  await anna.id("resign").click();
  await anna.id("resign-yes").click();
  await boris.id("game-result").waitFor();
}

async function friends() {
  await anna.go("/player/Борис");
  await anna.id("befriend").click();
  await anna.id("withdraw").waitFor();
  await boris.go("/");
  await boris.id("friends-online").getByText("Anna").click();
  await boris.id("befriend").click();
  await boris.id("unfriend").waitFor();
  await anna.go("/");
  await eventually("on the main page", () => text(anna.id("friends-online")), "Friends online Борис");
  await anna.go("/player/Борис");
  await anna.id("follow").click();
  await anna.page.locator('[data-testid="follow"][aria-pressed="true"]').waitFor();
  await anna.id("unfriend").click();
  await anna.id("befriend").waitFor();
  await anna.go("/");
  await eventually("still followed", () => text(anna.id("friends-online")), "Followed players online Борис");
}

async function clean() {
  const session = await anna.context.cookies();
  for (const [language, theme, phone] of [["en", "dark", true], ["ru", "light", true], ["ro", "light", false]]) {
    const window = phone ? { viewport: { width: 360, height: 640 }, mobile: true } : {};
    const reader = await Person.open(browser, site, "Anna", { ...window, locale: LANGUAGES[language], theme });
    await reader.context.addCookies(session);
    for (const path of ["/games", "/watch", "/player/Борис"]) {
      await reader.go(path);
      await reader.page.locator("main h1").waitFor();
      await reader.page.waitForLoadState("networkidle");
      await accessible(reader, `${language} ${theme} ${path}`);
      if (process.env.JADOUBE_SHOTS) await reader.page.screenshot({ path: `${process.env.JADOUBE_SHOTS}/${language}-${theme}${encodeURI(path).replaceAll("/", "-")}.png`, fullPage: true });
    }
    await reader.context.close();
  }
}

await run({ archive, watch, friends, clean }, async () => {
  for (const person of [anna, boris]) same(person.faults, [], `${person.nick}'s browser`);
  await browser.close();
  await site.stop();
});
