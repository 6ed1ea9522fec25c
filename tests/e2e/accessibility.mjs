// SPDX-License-Identifier: GPL-3.0-or-later
// Every page in three languages, wide and on a phone, light and dark: axe-core finds no violation of
// WCAG 2.2 AA, nothing scrolls sideways, not even a table with long names in it, and at the board both clocks and the actions are in view.
import { Person, Site, accessible, eventually, holds, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();

const WINDOWS = [
  { viewport: { width: 1280, height: 720 } },
  { viewport: { width: 360, height: 640 }, mobile: true },
];
const LANGUAGES = { en: "en-GB", ru: "ru-RU", ro: "ro-RO" };

const anna = await Person.open(browser, site, "Anna");
const boris = await Person.open(browser, site, "Борис", { locale: "ru-RU" });
await Promise.all([anna.register(), boris.register()]);

async function newGame(control) {
  await anna.challenge({ ...control, color: "white" });
  await boris.join();
  return anna.onBoard();
}
const finished = await newGame({ base: 5, increment: 3 });
await anna.click("f2f3", "white");
await boris.seesPly(1);
await boris.click("e7e5", "black");
await anna.seesPly(2);
await anna.click("g2g4", "white");
await boris.seesPly(3);
await boris.click("d8h4", "black");
await anna.id("game-result").waitFor();
const running = await newGame({ base: 90, increment: 30 });
await anna.click("e2e4", "white");
await boris.seesPly(1);
await boris.click("e7e5", "black");
await anna.seesPly(2);
const session = await anna.context.cookies();
const longest = await Person.open(browser, site, "Шахматист-Любитель20", { locale: "ru-RU" });
await longest.register();
for (const control of [{ kind: "days", days: 14 }, { kind: "clock", base_ms: 5400000, increment_ms: 30000, delay_ms: 0 }])
  await longest.page.request.post(`${site.url}/api/v1/challenges`, {
    headers: { origin: site.url },
    data: { control, color: "random", rated: false },
  });

async function look(person, path, name) {
  await person.go(path);
  // The page stands when its heading does, and at a board when the men do.
  await person.page.locator(path.startsWith("/game/") ? "cg-board piece" : "main h1").first().waitFor({ state: "attached" });
  if (path === "/") await person.page.locator('[data-testid^="join-"]').first().waitFor();
  await accessible(person, `${name} ${path}`);
  await eventually(`${name} ${path}: every table is seen whole`, () => person.page.evaluate(() =>
    [...document.querySelectorAll(".table-frame")].every((frame) => frame.scrollWidth <= frame.clientWidth)));
}

const cases = {};
for (const [language, locale] of Object.entries(LANGUAGES))
  for (const theme of ["light", "dark"])
    for (const window of WINDOWS) {
      const name = `${language} ${theme} ${window.viewport.width}`;
      cases[name] = async () => {
        const guest = await Person.open(browser, site, "guest", { ...window, locale, theme });
        for (const path of ["/", "/login", "/register", "/player/Anna", `/game/${finished}`, "/nowhere"])
          await look(guest, path, name);
        await eventually("language of the page", () => guest.page.evaluate(() => document.documentElement.lang), language);
        same(guest.faults, [], "browser");
        await guest.context.close();

        const player = await Person.open(browser, site, "Anna", { ...window, locale, theme });
        await player.context.addCookies(session);
        await player.go("/account");
        await player.id(`language-${language}`).click();
        await player.page.locator(`html[lang="${language}"]`).waitFor();
        for (const path of ["/", "/account", `/game/${running}`]) await look(player, path, name);
        for (const id of ["board", "clock-white", "clock-black", "actions"]) {
          let box;
          await eventually(() => `${name}: ${id} in view without scrolling (${JSON.stringify(box)})`, async () => {
            box = await player.id(id).boundingBox();
            return box && box.y >= 0 && box.y + box.height <= window.viewport.height + 1;
          });
        }
        same(player.faults, [], "browser");
        await player.context.close();
      };
    }

// A click that begins in the moment a field is left must still arrive.
cases["the box is ticked by the first click after a wrong second password"] = async () => {
  const clumsy = await Person.open(browser, site, "Clumsy");
  await clumsy.go("/register");
  await clumsy.id("register").click();
  await eventually("the first field at fault", () => clumsy.page.evaluate(() => document.activeElement.id), "nick");
  await clumsy.page.fill('input[name="nick"]', "Clumsy");
  await clumsy.page.fill('input[name="password"]', "correct horse 64");
  await clumsy.page.fill('input[name="password2"]', "correct horse 65");
  await clumsy.page.locator("#password2-error").waitFor();
  await clumsy.page.click('input[name="accept"]');
  await eventually("ticked", () => clumsy.page.isChecked('input[name="accept"]'));
  await clumsy.context.close();
};

// What a desk shows in its head a phone finds behind one button, and the keyboard comes back from there.
cases["X-004 every part of the site is in the menu of a phone"] = async () => {
  const player = await Person.open(browser, site, "Anna", { ...WINDOWS[1], locale: "ru-RU" });
  await player.context.addCookies(session);
  await player.go("/");
  await player.id("your-move").waitFor();
  await player.id("parts").click();
  await accessible(player, "the open menu, with a move waiting");
  const parts = await player.page.locator("#parts a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  for (const path of ["/computer", "/local", "/learn", "/analysis", "/watch", "/games", "/ratings/blitz", "/rules", "/clock"])
    holds(parts.includes(path), `${path} is in the menu`);
  await player.page.keyboard.press("Escape");
  await eventually("Escape goes back to the button", () => player.page.evaluate(() => document.activeElement.dataset.testid), "parts");
  await player.id("parts").click();
  await player.page.locator('#parts a[href="/clock"]').click();
  await player.page.waitForURL(/\/clock$/);
  await eventually("closed by the choice", () => player.page.locator("#parts").count(), 0);
  await player.context.close();
};

await run(cases, async () => {
  await browser.close();
  await site.stop();
});
