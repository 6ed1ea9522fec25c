// SPDX-License-Identifier: GPL-3.0-or-later
// A rated blitz game changes both ratings, on the end panel, in the list and on the players' pages, in
// three languages; the pages about ratings are clean for axe-core in both themes.
import { PATIENCE_MS, Person, Site, accessible, eventually, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
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
  await eventually("the rating in the lobby (S-061)", () => text(anna.page.locator('[data-testid="challenges"] .rating').first()), "(1500?)");
  await boris.join();
  const id = await anna.onBoard();
  await eventually("beside the name", () => text(boris.id("player-white").locator(".rating")), "(1500?)");
  await anna.click("e2e4", "white");
  await boris.seesPly(1);
  await boris.click("e7e5", "black");
  await anna.seesPly(2);
  await boris.id("resign").click();
  await boris.id("resign-yes").click();
  // S-073: the change of both on the end panel, without a reload.
  for (const person of [anna, boris]) {
    await person.id("rating-changes").waitFor();
    await eventually(`${person.nick}'s end panel`, () => text(person.id("rating-changes")), "Anna 1513 (+13) Борис 1487 (−13)");
    await eventually("beside the name afterwards", () => text(person.id("player-white").locator(".rating")), "(1513?)");
  }
  for (const [language, locale] of Object.entries(LANGUAGES)) {
    const guest = await Person.open(browser, site, "guest", { locale });
    await guest.go(`/game/${id}`);
    await eventually(`the panel in ${language}`, () => text(guest.id("rating-changes")), "Anna 1513 (+13) Борис 1487 (−13)");
    await guest.go("/ratings"); // leads to the first list
    await eventually("the address", () => new URL(guest.page.url()).pathname, "/ratings/blitz");
    const rows = guest.id("rating-table").locator("tbody tr");
    await rows.first().waitFor();
    await eventually(`the list in ${language}`, () => Promise.all([0, 1].map((i) => text(rows.nth(i)))), ["1 Anna 1513? 7 1 1 0 0 +13", "2 Борис 1487? 7 1 0 0 1 −13"]);
    const title = { en: "Ratings: Blitz", ru: "Рейтинг: Блиц", ro: "Clasament: Blitz" }[language];
    await eventually("its title", () => text(guest.page.locator("h1")), title);
    same(guest.faults, [], "browser");
    await guest.context.close();
  }
}

async function graphAndHistory() {
  for (const loser of [boris, anna, boris]) await play(anna, boris, loser);
  const guest = await Person.open(browser, site, "guest");
  await guest.go("/player/Anna");
  await eventually("the standing in Blitz (S-120)", async () => (await text(guest.id("standing-blitz"))).startsWith("Blitz 15"));
  await eventually("and in Rapid (S-110)", () => text(guest.id("standing-rapid")), "Rapid 1500? no rated games");
  const rows = guest.id("rating-history").locator("tbody tr");
  await rows.nth(3).waitFor();
  await eventually("a row for each game", () => rows.count(), 4);
  await eventually("the first game", async () => /Борис \(1500\) 1 1500 → 1513 25 0\.50 \+13$/.test(await text(rows.nth(3))));
  // The figures can be read without seeing the line.
  await guest.id("graph").locator("canvas").waitFor();
  await guest.id("graph").focus();
  await guest.page.keyboard.press("End");
  const last = (await text(rows.nth(0))).match(/→ (\d+)/)[1];
  await eventually("the point under the cursor", async () => (await text(guest.page.locator(".rating-graph figcaption"))).endsWith(`: ${last}`));
  await guest.page.locator(".rating-graph summary").click();
  await eventually("the graph as a table", async () => (await text(guest.page.locator(".graph-table tbody tr").first())).endsWith(` ${last}`));
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
  await boris.id("bell").waitFor();
  // Boris is elsewhere on the site, and hears of it there. It is said for twelve seconds.
  const heard = Promise.all([[boris, words.ru[1]], [anna, words.en[1]]].map(([person, text]) => person.page.locator(`text=${text}`).first().waitFor({ timeout: 3 * PATIENCE_MS })));
  heard.catch(() => {}); // thrown below
  const scores = ["0-1", "1/2-1/2", "1-0"];
  for (const [i, [language, judge]] of judges.entries()) {
    await judge.go(`/game/${game}`);
    const form = judge.id("ruling");
    await form.waitFor();
    await eventually("the form", () => text(form.locator("summary")), words[language][0]);
    await form.locator("summary").click();
    await form.locator("select").selectOption(scores[i]);
    await form.locator("input").fill("Two moves in one turn.");
    await judge.id("rule").click();
    for (const person of [judge, anna]) await person.page.locator(`[data-testid="game-result"][data-result="${scores[i]}"]`).waitFor();
    await anna.id("corrected").waitFor();
    same(judge.faults, [], "browser");
  }
  await heard;
  await eventually("players have no such form", async () => (await anna.id("ruling").count()) === 0);
  for (const [, judge] of judges) await judge.context.close();
}

async function workedOut() {
  const guest = await Person.open(browser, site, "guest");
  await guest.go("/ratings/table");
  await guest.id("expected").waitFor();
  await eventually("rows of the table (S-116)", () => guest.id("expected").locator("tbody tr").count(), 51);
  await eventually("1600 against 1500", () => text(guest.id("worked-out")), "K 15. Expected: 0.64. A win +5, a draw −2, a loss −10.");
  await guest.id("own-rating").fill("2250");
  await guest.id("other-rating").fill("2450");
  await eventually("2250 against 2450", () => text(guest.id("worked-out")), "K 15. Expected: 0.24. A win +11, a draw +4, a loss −4.");
  await guest.id("other-rating").fill("x");
  await eventually("no number", () => text(guest.id("worked-out")), "Ratings from 100 to 4000, please.");
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
      await accessible(guest, `${language} ${theme} ${path}`);
      await eventually(`${language} ${theme} ${path}: tables are seen whole`, () =>
        guest.page.evaluate(() => [...document.querySelectorAll(".table-frame")].every((f) => f.scrollWidth <= f.clientWidth)));
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
