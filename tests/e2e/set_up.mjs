// SPDX-License-Identifier: GPL-3.0-or-later
// A game is set up by hand: the Laws of 2005, rapid, flags by claim (S-031, S-105, R-026). Somebody
// else joins in another browser; both see edition and pace on the game's page, in three languages.
import { Person, Site, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();

const LINES = {
  "en-GB": ["played by the Laws of 2005, rapid", "a flag falls only by a claim", "touch-move"],
  "ru-RU": ["по правилам 2005 года, быстрые шахматы", "флажок падает только по требованию", "взялся — ходи"],
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
    await one.id("type-blitz").check({ force: true });
    await one.id("preset-15+10").check({ force: true });
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
      const line = await reader.id("game-info").innerText();
      for (const part of LINES[locale]) same(line.includes(part), true, `${locale}: "${part}" in "${line}"`);
    }
    const game = await one.game(id);
    same([game.type, game.edition, game.pace, game.flag, game.touch, game.list],
      ["blitz", "fide-2005", "rapid", "claim", true, "rapid"], "the game as the program has it");
    await one.id("abort").click();
    await two.id("game-result").waitFor();
    for (const reader of [one, two]) same(reader.faults, [], `${reader.nick}'s browser`);
  };
}

await run({
  "English sets up, Russian joins": setsUp("en-GB", "ru-RU"),
  "Russian sets up, Romanian joins": setsUp("ru-RU", "ro-RO"),
  "Romanian sets up, English joins": setsUp("ro-RO", "en-GB"),
}, async () => {
  await browser.close();
  await site.stop();
});
