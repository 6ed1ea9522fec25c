// SPDX-License-Identifier: GPL-3.0-or-later
// A game is set up by hand: the Laws of 2005, rapid, flags by claim (S-031, S-105, R-026). Somebody
// else joins in another browser; both see edition and pace on the game's page, in three languages.
import { Person, Site, eventually, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();

const LINES = {
  "en-GB": ["played by the Laws of 2005, rapid", "a flag falls only by a claim", "touch-move"],
  "ru-RU": ["по правилам 2005 года, рапид", "флажок падает только по требованию", "взялся — ходи"],
  "ro-RO": ["după Regulile din 2005, rapid", "steagul cade numai la cerere", "piesă atinsă, piesă mutată"],
};
const people = {};
async function person(locale) {
  if (!people[locale]) {
    people[locale] = await Person.open(browser, site, `Maia-${locale.slice(0, 2)}`, { locale });
    await people[locale].register();
  }
  return people[locale];
}

// The maker reads one language, the joiner the next.
function setsUp(maker, joiner) {
  return async () => {
    const [one, two] = [await person(maker), await person(joiner)];
    await one.go("/");
    await one.choose("type-blitz");
    await one.choose("preset-15+10");
    await one.page.locator('input[name="rated"]').setChecked(false);
    await one.id("edition").selectOption("fide-2023");
    await one.id("flag-mode").selectOption("claim"); // may be chosen: not rated, on the clock
    await one.id("edition").selectOption("fide-2005");
    await one.id("flag-by-laws").waitFor(); // the law of this edition at this pace
    await one.page.locator('input[name="touch"]').setChecked(true);
    await one.id("create-challenge").click();
    await two.join();
    const id = await one.onBoard();
    for (const [locale, reader] of [[maker, one], [joiner, two]]) {
      const line = () => reader.id("game-info").innerText();
      for (const part of LINES[locale]) await eventually(async () => `${locale}: "${part}" in "${await line()}"`, async () => (await line()).includes(part));
    }
    const game = await one.game(id);
    same([game.type, game.edition, game.pace, game.flag, game.touch, game.list],
      ["blitz", "fide-2005", "rapid", "claim", true, "rapid"], "the game as the program has it");
    await one.id("abort").click();
    await two.id("game-result").waitFor();
    for (const reader of [one, two]) same(reader.faults, [], `${reader.nick}'s browser`);
  };
}

// from a position that is written into the form; what is wrong with it is said beside the field.
function fromPosition(maker, joiner) {
  const words = {
    "en-GB": ["series of legal moves mates", "from a position", "from a set-up position"],
    "ru-RU": ["мата не будет", "с позиции", "с заданной позиции"],
    "ro-RO": ["serie de mutări nu duce la mat", "dintr-o poziție", "dintr-o poziție dată"],
  };
  return async () => {
    const [one, two] = [await person(maker), await person(joiner)];
    await one.go("/");
    await one.choose("type-blitz");
    await one.choose("color-white");
    await one.id("from-position").locator("summary").click();
    // On a phone, with all that an unrated game leaves to choose, nothing sticks out.
    await one.page.locator('input[name="rated"]').setChecked(false);
    await one.page.setViewportSize({ width: 360, height: 640 });
    await eventually("the form fits a phone", () => one.page.evaluate(() => document.documentElement.scrollWidth), 360);
    await one.page.setViewportSize({ width: 1280, height: 720 });
    const field = one.page.locator('input[name="fen"]');
    await field.fill("4k3/8/8/8/8/8/8/4KB2 w - - 0 1");
    await eventually("not rated", () => one.page.locator('input[name="rated"]').isChecked(), false);
    await one.id("create-challenge").click();
    await one.page.locator("#fen-error", { hasText: words[maker][0] }).waitFor();
    await field.fill("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    await one.id("create-challenge").click();
    await one.page.locator('[data-testid^="cancel-"]').first().waitFor();
    await two.go("/");
    await two.page.locator('[data-testid="challenges"] .special', { hasText: words[joiner][1] }).waitFor();
    await two.join();
    const id = await one.onBoard();
    for (const [locale, reader] of [[maker, one], [joiner, two]])
      await eventually(`${locale}: the game's page`, async () => (await reader.id("game-info").innerText()).includes(words[locale][2]), true);
    await one.page.locator('[data-testid="clock-white"][data-running="true"]').waitFor();
    await one.click("e2e4", "white");
    await two.seesPly(1);
    await eventually("the game begins there", async () => (await one.game(id)).start_fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    await two.id("abort").click();
    await one.id("game-result").waitFor();
    for (const reader of [one, two]) same(reader.faults, [], `${reader.nick}'s browser`);
  };
}

// A challenge from a player's page, taken; then a rematch with colours reversed (S-041, X-015).
async function direct() {
  const [one, two] = [await person("en-GB"), await person("ru-RU")];
  await two.go("/");
  await two.id("create-challenge").waitFor();
  await one.go(`/player/${two.nick}`);
  await one.id("challenge-player").click();
  await one.choose("preset-5+3");
  await one.choose("color-white");
  await one.page.locator('input[name="rated"]').setChecked(false);
  await one.id("create-challenge").click();
  await one.page.locator('[data-testid^="withdraw-"]').first().waitFor();
  await eventually("it does not stand in the table", () => one.page.locator('[data-testid="challenges"]').count(), 0);
  // The invitation names the colour of the one invited, not that of the challenger.
  const invitation = two.page.locator('[data-testid^="invited-"]');
  await eventually("my own colour", async () => /ваш цвет:\s+Чёрные/.test(await invitation.innerText()));
  await two.page.locator('[data-testid^="accept-"]').click();
  const first = await two.onBoard();
  same(await one.onBoard(), first, "both at the board");
  await two.id("abort").click();
  await one.id("rematch").click();
  const asks = async () => {
    if ((await two.id("bell-list").count()) === 0) await two.id("bell").click();
    return (await two.id("bell-list").innerText()).includes(`${one.nick} предлагает реванш`);
  };
  await eventually("the bell says so", asks, true);
  await two.page.keyboard.press("Escape");
  await two.id("rematch-accept").click();
  await two.page.waitForURL((url) => !url.pathname.includes(first));
  const next = await two.onBoard();
  await one.page.waitForURL(new RegExp(next));
  await eventually("what was answered is asked no longer", asks, false);
  await two.page.keyboard.press("Escape");
  const game = await one.game(next);
  same([game.white.nick, game.black.nick], [two.nick, one.nick], "colours reversed");
  await one.id("abort").click();
  await two.id("rematch").click();
  await one.id("rematch-decline").click();
  await two.id("rematch-declined").waitFor();
  await two.go("/watch");
  await two.id("bell").waitFor();
  await eventually("nor on another page", asks, false);
  for (const reader of [one, two]) same(reader.faults, [], `${reader.nick}'s browser`);
}

// The block "Active games" (S-046) and the way to the next of them (S-049).
async function active() {
  const [one, two] = [await person("en-GB"), await person("ru-RU")];
  const post = (who, path, data) => who.page.request.post(`${site.url}/api/v1${path}`, { data, headers: { Origin: site.url } });
  const games = [];
  for (const days of [3, 1]) {
    const made = await (await post(two, "/challenges", { control: { kind: "days", days }, color: "black", rated: false })).json();
    games.push((await (await post(one, `/challenges/${made.id}/join`, {})).json()).game);
  }
  const [three, single] = games; // days for a move
  await one.go("/");
  await one.id(`active-${single}`).waitFor();
  const rows = () => one.page.locator('[data-testid="active-games"] tbody tr').evaluateAll((all) => all.map((row) => row.dataset.testid));
  await eventually("the least time left first", async () => (await rows()).slice(0, 2), [`active-${single}`, `active-${three}`]);
  await eventually("under a day is red", () => one.id(`left-${single}`).getAttribute("class"), "time-low");
  await eventually("three days are not", async () => await one.id(`left-${three}`).getAttribute("class") ?? "", "");
  await eventually("counted in the title (S-047)", async () => (await one.page.title()).startsWith("(2) "), true);
  await one.go(`/game/${single}`);
  await one.onBoard();
  await one.click("e2e4", "white");
  await one.id("confirm-move").click();
  await one.seesPly(1);
  await one.id("next-game").click();
  await one.page.waitForURL(new RegExp(three));
  await one.onBoard();
  await one.click("d2d4", "white");
  await one.id("confirm-move").click();
  await one.seesPly(1);
  await one.id("no-next-game").click();
  await one.id("active-games").waitFor();
  await post(two, `/games/${three}/draw`, { ply: 1, act: "offer" });
  await one.page.locator(`[data-testid="active-${three}"] b[title]`).waitFor();
  for (const game of games) await post(two, `/games/${game}/resign`, {});
  await one.id("no-active").waitFor();
}

// The table of waiting games (S-037) and the hint for who stands there alone (S-040).
async function lobby() {
  const [one, two] = [await person("en-GB"), await person("ru-RU")];
  const post = (who, data) => who.page.request.post(`${site.url}/api/v1/challenges`, { data: { color: "random", ...data }, headers: { Origin: site.url } });
  const clock = (minutes) => ({ kind: "clock", base_ms: minutes * 60000, increment_ms: 0, delay_ms: 0 });
  await one.go("/");
  const mine = await (await post(one, { control: clock(5), rated: true })).json();
  await one.id("alone-hint").waitFor();
  await eventually("a link that invites", async () => (await one.page.locator("#invite-link").inputValue()).endsWith(`/?join=${mine.id}`), true);
  const ids = [];
  for (const data of [{ control: clock(10), rated: false }, { control: { kind: "days", days: 3 }, rated: true }, { type: "advance", control: { kind: "days", days: 3 }, rated: false }])
    ids.unshift((await (await post(two, data)).json()).id);
  await one.id("filter-type").waitFor();
  await eventually("no longer alone", () => one.page.locator('[data-testid="alone-hint"]').count(), 0);
  const shown = async () => one.page.locator('[data-testid="challenges"] tbody tr').evaluateAll((all) => all.map((row) => row.dataset.testid.slice(10)));
  const [advance, classic, blitz] = ids;
  await eventually("newest first", () => shown(), [advance, classic, blitz, mine.id]);
  await one.id("filter-type").selectOption("classic");
  await eventually("by type", () => shown(), [classic]);
  await one.id("filter-type").selectOption("");
  await one.id("filter-rated").selectOption("no");
  await eventually("by rated", () => shown(), [advance, blitz]);
  await one.id("filter-control").selectOption("10+0");
  await eventually("by control", () => shown(), [blitz]);
  for (const name of ["filter-control", "filter-rated"]) await one.id(name).selectOption("");
  await one.id(`cancel-${mine.id}`).click();
  await one.page.locator(`[data-testid="challenge-${mine.id}"]`).waitFor({ state: "detached" });
  for (const id of ids) await two.page.request.delete(`${site.url}/api/v1/challenges/${id}`, { headers: { Origin: site.url } });
  await one.id("no-challenges").waitFor();
}

await run({
  "English sets up, Russian joins": setsUp("en-GB", "ru-RU"),
  "Russian sets up, Romanian joins": setsUp("ru-RU", "ro-RO"),
  "Romanian sets up, English joins": setsUp("ro-RO", "en-GB"),
  "X-031 from a position: English, Russian": fromPosition("en-GB", "ru-RU"),
  "X-031 from a position: Romanian, English": fromPosition("ro-RO", "en-GB"),
  "X-031 from a position: Russian, Romanian": fromPosition("ru-RU", "ro-RO"),
  "a direct challenge, and rematches": direct,
  "active games": active,
  "the table of waiting games": lobby,
}, async () => {
  await browser.close();
  await site.stop();
});
