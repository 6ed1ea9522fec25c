// SPDX-License-Identifier: GPL-3.0-or-later
// The Laws article by article (S-042), the links to them, and what guests are told is not for them (S-016).
import { join } from "node:path";
import { Person, Site, accessible, eventually, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const pictures = process.env.JADOUBE_PICTURES;
const cases = {};

const ways = [
  { lang: "en", locale: "en-GB", theme: "light", viewport: { width: 1280, height: 800 }, link: "Laws of Chess", only: "Only for logged-in users" },
  { lang: "ru", locale: "ru-RU", theme: "dark", viewport: { width: 360, height: 740 }, link: "Правила шахмат", only: "Только для авторизованных" },
  { lang: "ro", locale: "ro-RO", theme: "light", viewport: { width: 360, height: 740 }, link: "Regulile șahului", only: "Doar pentru utilizatori" },
];
for (const way of ways)
  cases[`${way.lang}-${way.viewport.width}: S-042 the link beside the challenge form leads to the Laws; an article by its number; editions`] = async () => {
    const person = await Person.open(browser, site, "Guest", way);
    const { page } = person;
    await person.go("/");
    await person.id("rules-link").waitFor();
    await eventually("the link", () => person.id("rules-link").innerText(), way.link);
    await person.id("rules-link").click();
    await page.waitForURL(site.url + "/rules");
    await page.locator('[id="9.6.1"], [id="9.6"]').first().waitFor();
    await eventually("more than a hundred articles", async () => (await page.locator(".law").count()) > 100);
    await person.go("/rules?edition=fide-2023#9.6.1");
    await page.locator(".law.here").waitFor();
    await eventually("the article is marked", async () => (await page.locator(".law.here").innerText()).startsWith("9.6"));
    // What has no row of its own is told under the nearest above it.
    await person.go("/rules?edition=fide-2005#9.5b");
    await page.locator(".law.here").waitFor();
    await eventually("the edition of the address", () => page.inputValue("#edition"), "fide-2005");
    await page.selectOption("#edition", "fide-1997");
    await page.waitForURL(/edition=fide-1997/);
    await eventually("five times the same position ends no game in 1997", async () => (await page.locator('[id="9.6.1"]').count()) === 0);
    if (pictures) await page.screenshot({ path: join(pictures, `rules-${way.lang}.png`) });
    await accessible(person, way.lang);

    // S-016: in place of the settings.
    await person.go("/account");
    await person.id("only-logged-in").waitFor();
    await eventually(() => person.id("only-logged-in").innerText(), async () => (await person.id("only-logged-in").innerText()).startsWith(way.only));
    same(person.faults, [], "faults");
    await person.context.close();
  };

cases["S-042 a ruling names its article, which is a link to it; S-016 in place of the chat"] = async () => {
  const white = await Person.open(browser, site, "Resigner");
  const black = await Person.open(browser, site, "Winner");
  await white.register();
  await black.register();
  await white.challenge({ base: 5, increment: 3, color: "white", rated: false });
  await black.join();
  const game = await white.onBoard();
  await white.drag("e2e4", "white");
  await black.seesPly(1);
  await black.drag("e7e5", "black");
  await white.seesPly(2);
  await white.page.evaluate((id) => fetch(`/api/v1/games/${id}/resign`, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }), game);
  const link = black.id("article-link").first();
  await link.waitFor();
  const href = `/rules?edition=fide-2023#${(await black.game(game)).article}`;
  await eventually("the article of the ruling", () => link.getAttribute("href"), href);
  await black.go(href);
  await black.page.locator(".law.here").waitFor();
  const guest = await Person.open(browser, site, "Guest");
  await guest.go(`/game/${game}`);
  await guest.id("chat").locator("summary").click();
  await guest.id("chat").locator("text=Only for logged-in users").waitFor();
  for (const person of [white, black, guest]) {
    same(person.faults, [], `faults of ${person.nick}`);
    await person.context.close();
  }
};

await run(cases, async () => {
  await browser.close();
  await site.stop();
});
