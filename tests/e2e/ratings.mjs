// SPDX-License-Identifier: GPL-3.0-or-later
// A rated blitz game changes both ratings, on the end panel, in the list and on the players' pages, in
// three languages; the pages about ratings are clean for axe-core in both themes.
import { readFileSync } from "node:fs";
import { Person, Site, holds, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const LANGUAGES = { en: "en-GB", ru: "ru-RU", ro: "ro-RO" };
const BLITZ = { kind: "clock", base_ms: 180000, increment_ms: 2000, delay_ms: 0 };

const anna = await Person.open(browser, site, "Anna");
const boris = await Person.open(browser, site, "Борис", { locale: "ru-RU" });

const text = async (locator) => (await locator.innerText()).replace(/\s+/g, " ").trim();
const post = async (person, path, data) => {
  const answer = await person.page.request.post(`${site.url}/api/v1${path}`, { headers: { origin: site.url }, data });
  if (!answer.ok()) throw new Error(`POST ${path}: ${await answer.text()}`);
  return answer.json();
};

// A rated game by the API: a move by each, then one resigns.
async function play(white, black, loser) {
  const { id } = await post(white, "/challenges", { control: BLITZ, color: "white", rated: true });
  const { game } = await post(black, `/challenges/${id}/join`, {});
  for (const person of [white, black]) await person.go(`/game/${game}`);
  await white.page.locator('[data-testid="clock-white"][data-running="true"]').waitFor();
  for (const [ply, uci] of ["e2e4", "e7e5"].entries()) await post([white, black][ply], `/games/${game}/move`, { ply, uci });
  await post(loser, `/games/${game}/resign`, {});
  await white.id("rating-changes").waitFor();
  return game;
}

async function bothRatings() {
  await Promise.all([anna.register(), boris.register()]);
  await anna.challenge({ base: 3, increment: 2, color: "white" });
  same(await text(anna.page.locator('[data-testid="challenges"] .rating').first()), "(1500?)", "the rating in the lobby (S-061)");
  await boris.join();
  const id = await anna.onBoard();
  same(await text(boris.id("player-white").locator(".rating")), "(1500?)", "beside the name");
  await anna.click("e2e4", "white");
  await boris.seesPly(1);
  await boris.click("e7e5", "black");
  await anna.seesPly(2);
  await boris.id("resign").click();
  await boris.id("resign-yes").click();
  // S-073: the change of both on the end panel, without a reload.
  for (const person of [anna, boris]) {
    await person.id("rating-changes").waitFor();
    same(await text(person.id("rating-changes")), "Anna 1513 (+13) Борис 1487 (−13)", `${person.nick}'s end panel`);
    same(await text(person.id("player-white").locator(".rating")), "(1513?)", "beside the name afterwards");
  }
  for (const [language, locale] of Object.entries(LANGUAGES)) {
    const guest = await Person.open(browser, site, "guest", { locale });
    await guest.go(`/game/${id}`);
    same(await text(guest.id("rating-changes")), "Anna 1513 (+13) Борис 1487 (−13)", `the panel in ${language}`);
    await guest.go("/ratings/blitz");
    const rows = guest.id("rating-table").locator("tbody tr");
    await rows.first().waitFor();
    same(await Promise.all([0, 1].map((i) => text(rows.nth(i)))), ["1 Anna 1513? 7 1 1 0 0 +13", "2 Борис 1487? 7 1 0 0 1 −13"], `the list in ${language}`);
    const title = { en: "Ratings: Blitz", ru: "Рейтинг: Блиц", ro: "Clasament: Blitz" }[language];
    same(await text(guest.page.locator("h1")), title, "its title");
    same(guest.faults, [], "browser");
    await guest.context.close();
  }
}

async function graphAndHistory() {
  for (const loser of [boris, anna, boris]) await play(anna, boris, loser);
  const guest = await Person.open(browser, site, "guest");
  await guest.go("/player/Anna");
  holds((await text(guest.id("standing-blitz"))).startsWith("Blitz 15"), "the standing in Blitz (S-120)");
  same(await text(guest.id("standing-rapid")), "Rapid 1500? no rated games", "and in Rapid (S-110)");
  const rows = guest.id("rating-history").locator("tbody tr");
  await rows.nth(3).waitFor();
  same(await rows.count(), 4, "a row for each game");
  holds(/Борис \(1500\) 1 1500 → 1513 25 0\.50 \+13$/.test(await text(rows.nth(3))), `the first game: ${await text(rows.nth(3))}`);
  // The figures can be read without seeing the line.
  await guest.id("graph").locator("canvas").waitFor();
  await guest.id("graph").focus();
  await guest.page.keyboard.press("End");
  const last = (await text(rows.nth(0))).match(/→ (\d+)/)[1];
  holds((await text(guest.page.locator(".rating-graph figcaption"))).endsWith(`: ${last}`), "the point under the cursor");
  await guest.page.locator(".rating-graph summary").click();
  holds((await text(guest.page.locator(".graph-table tbody tr").first())).endsWith(` ${last}`), "the graph as a table");
  same(guest.faults, [], "browser");
  await guest.context.close();
}

// S-104: an administrator corrects a result while everybody looks on.
async function corrected() {
  const words = {
    en: ["Correct the result", "An administrator has corrected the result of a game of yours."],
    ru: ["Исправить результат", "Администратор исправил результат вашей партии."],
    ro: ["Corectează rezultatul", "Un administrator a corectat rezultatul unei partide de-ale tale."],
  };
  const judges = [];
  for (const [language, locale] of Object.entries(LANGUAGES)) {
    const judge = await Person.open(browser, site, `Lange-${language}`, { locale, ...(language === "ru" ? { viewport: { width: 360, height: 640 }, mobile: true } : {}) });
    await judge.register();
    await site.admin("role", judge.nick, "admin");
    judges.push([language, judge]);
  }
  const game = await play(anna, boris, boris);
  await boris.go("/ratings/blitz");
  const scores = ["0-1", "1/2-1/2", "1-0"];
  for (const [i, [language, judge]] of judges.entries()) {
    await judge.go(`/game/${game}`);
    const form = judge.id("ruling");
    await form.waitFor();
    same(await text(form.locator("summary")), words[language][0], "the form");
    await form.locator("summary").click();
    await form.locator("select").selectOption(scores[i]);
    await form.locator("input").fill("Two moves in one turn.");
    await judge.id("rule").click();
    for (const person of [judge, anna]) await person.page.locator(`[data-testid="game-result"][data-result="${scores[i]}"]`).waitFor();
    await anna.id("corrected").waitFor();
    same(judge.faults, [], "browser");
  }
  // Boris is elsewhere on the site, and hears of it there.
  await boris.page.locator(`text=${words.ru[1]}`).first().waitFor();
  await anna.page.locator(`text=${words.en[1]}`).first().waitFor();
  holds((await anna.id("ruling").count()) === 0, "players have no such form");
  for (const [, judge] of judges) await judge.context.close();
}

async function workedOut() {
  const guest = await Person.open(browser, site, "guest");
  await guest.go("/ratings/table");
  await guest.id("expected").waitFor();
  same(await guest.id("expected").locator("tbody tr").count(), 51, "rows of the table (S-116)");
  same(await text(guest.id("worked-out")), "K 15. Expected: 0.64. A win +5, a draw −2, a loss −10.", "1600 against 1500");
  await guest.id("own-rating").fill("2250");
  await guest.id("other-rating").fill("2450");
  same(await text(guest.id("worked-out")), "K 15. Expected: 0.24. A win +11, a draw +4, a loss −4.", "2250 against 2450");
  await guest.id("other-rating").fill("x");
  same(await text(guest.id("worked-out")), "Ratings from 100 to 4000, please.", "no number");
  await guest.context.close();
}

async function clean() {
  for (const [language, theme, phone] of [["en", "dark", false], ["ru", "light", true], ["ro", "light", false]]) {
    const locale = LANGUAGES[language];
    const window = phone ? { viewport: { width: 360, height: 640 }, mobile: true } : {};
    const guest = await Person.open(browser, site, "guest", { ...window, locale, theme });
    for (const path of ["/ratings/blitz", "/ratings/rules", "/ratings/table", "/ratings/classes", "/player/Anna"]) {
      await guest.go(path);
      await guest.page.locator("main h1").waitFor();
      await guest.page.waitForLoadState("networkidle");
      await guest.page.evaluate(axe);
      const found = await guest.page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }));
      same(found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target)}`), [], `${language} ${theme} ${path}`);
      const over = await guest.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      holds(over <= 0, `${language} ${theme} ${path} does not scroll sideways (${over} px)`);
      const hidden = await guest.page.evaluate(() => [...document.querySelectorAll(".table-frame")].map((f) => f.scrollWidth - f.clientWidth));
      holds(hidden.every((px) => px <= 0), `${language} ${theme} ${path}: tables are seen whole (${hidden})`);
      if (process.env.JADOUBE_SHOTS) await guest.page.screenshot({ path: `${process.env.JADOUBE_SHOTS}/${language}-${theme}${path.replaceAll("/", "-")}.png`, fullPage: true });
    }
    await guest.context.close();
  }
}

await run({ bothRatings, graphAndHistory, corrected, workedOut, clean }, async () => {
  for (const person of [anna, boris]) same(person.faults, [], `${person.nick}'s browser`);
  await browser.close();
  await site.stop();
});
