// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the pictures of the README anew: ./dev screenshots
import { mkdir } from "node:fs/promises";
import { Person, Site, openBrowser } from "./site.mjs";

const folder = new URL("../../docs/pictures/", import.meta.url).pathname;
await mkdir(folder, { recursive: true });
const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const phone = { viewport: { width: 360, height: 640 }, mobile: true, scale: 2 };

const anna = await Person.open(browser, site, "Anna");
const mihai = await Person.open(browser, site, "Mihai", { ...phone, locale: "ro-RO" });
const vera = await Person.open(browser, site, "Вера", { locale: "ru-RU", theme: "dark" });
await Promise.all([anna.register(), mihai.register(), vera.register()]);

// The Opera Game, Paris 1858, up to 12...Rd8.
const GAME = ["e2e4", "e7e5", "g1f3", "d7d6", "d2d4", "c8g4", "d4e5", "g4f3", "d1f3", "d6e5", "f1c4", "g8f6", "f3b3", "d8e7",
  "b1c3", "c7c6", "c1g5", "b7b5", "c3b5", "c6b5", "c4b5", "b8d7", "e1c1", "a8d8"];
await anna.challenge({ base: 15, increment: 10, color: "white" });
await mihai.join();
const id = await anna.onBoard();
for (const [i, uci] of GAME.entries()) {
  const person = [anna, mihai][i % 2];
  await person.keys(uci);
  await Promise.all([anna.seesPly(i + 1), mihai.seesPly(i + 1)]);
}
await anna.page.mouse.move(0, 0);
await anna.page.screenshot({ path: `${folder}game.png` });
await mihai.page.evaluate(() => document.activeElement?.blur());
await mihai.page.screenshot({ path: `${folder}game-phone.png` });

await vera.challenge({ base: 3, increment: 2, color: "random" });
await mihai.challenge({ base: 10, increment: 5, color: "white", rated: false });
await vera.go(`/`);
await vera.page.waitForLoadState("networkidle");
await vera.page.screenshot({ path: `${folder}lobby-dark.png` });
console.log(`pictures of game ${id} and the lobby in docs/pictures`);
await browser.close();
await site.stop();
