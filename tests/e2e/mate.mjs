// SPDX-License-Identifier: GPL-3.0-or-later
// "How could mate still come about?" (Articles 5.1.2, 6.9): after a resignation the page finds a line in which the winner mates
// and plays it on the board: by the buttons, by itself, by the keyboard, spoken for screen readers.
import { Person, Site, eventually, holds, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const SHOTS = process.env.MATE_SHOTS; // a directory: pictures of every state

const TEXTS = {
  "en-GB": ["How could mate still come about?", "Black could still mate"],
  "ru-RU": ["Как ещё мог быть поставлен мат?", "Чёрные ещё могли поставить мат"],
  "ro-RO": ["Cum s-ar mai fi putut da mat?", "Negrul mai putea da mat"],
};

async function shot(person, name) {
  if (SHOTS) await person.page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

async function resigned() {
  const white = await Person.open(browser, site, "Rosa", { locale: "en-GB" });
  const black = await Person.open(browser, site, "Siim", { locale: "ru-RU" });
  await Promise.all([white.register(), black.register()]);
  await white.challenge({ base: 10, increment: 5, color: "white" });
  await black.join();
  const id = await white.onBoard();
  await white.click("e2e4", "white");
  await black.seesPly(1);
  await black.click("e7e5", "black");
  await white.seesPly(2);
  await white.id("resign").click();
  await white.id("resign-yes").click();
  const guest = await Person.open(browser, site, "guest", { locale: "ro-RO" });
  await guest.go(`/game/${id}`);
  for (const [locale, reader] of [["en-GB", white], ["ru-RU", black], ["ro-RO", guest]]) {
    await reader.id("game-result").waitFor();
    await eventually("the button", () => reader.id("show-mate").innerText(), TEXTS[locale][0]);
    await reader.id("show-mate").focus();
    await reader.page.keyboard.press("Enter");
    const told = reader.id("mate-black");
    await told.waitFor();
    await eventually("Black can mate", async () => [await told.getAttribute("data-verdict"), await told.getAttribute("data-proof")], ["possible", "line"]);
    await eventually(async () => `the sentence: ${await told.innerText()}`, async () => (await told.innerText()).startsWith(TEXTS[locale][1]));
    await eventually("it is spoken", async () => (await reader.id("announcer").innerText()).includes(TEXTS[locale][1]));
    await shot(reader, `asked-${locale}`);
  }

  // Step by step, and to the mate.
  const step = () => white.id("mate-step").innerText();
  await eventually("at first", async () => (await step()).startsWith("0 of "));
  await white.id("mate-next").click();
  await eventually("a step", async () => (await step()).startsWith("1 of "));
  await white.id("mate-last").click();
  await eventually("the end is mate", async () => /^(\d+) of \1: .*#$/.test(await step()));
  await eventually("the mate is spoken", async () => (await white.id("announcer").innerText()).toLowerCase().includes("mate"));
  await shot(white, "mated");
  await eventually("no further", () => white.id("mate-next").isDisabled(), true);
  await white.id("mate-prev").click();
  await white.id("mate-first").click();
  await eventually("back at the game", async () => (await step()).startsWith("0 of "));

  // By itself; a pause holds it.
  await white.id("mate-play").click();
  await white.page.waitForFunction(() => /^[2-9]/.test(document.querySelector('[data-testid="mate-step"]').textContent));
  await white.id("mate-play").click();
  await white.page.locator('[data-testid="mate-play"][aria-pressed="false"]').waitFor();
  const held = await step();
  await white.page.waitForTimeout(1200);
  same(await step(), held, "paused");
  for (const person of [white, black, guest]) {
    same(person.faults, [], `${person.nick}'s browser`);
    await person.context.close();
  }
}

await run({ "a resignation": resigned }, async () => {
  await browser.close();
  await site.stop();
});
