// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the board in one's own game: colours, pieces, layouts of the game zone, the rest; kept in the account and met
// on another device. Their dialogs in three languages, both themes, on a desk and on a phone.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Person, Site, openBrowser, run, same } from "./site.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const phone = { viewport: { width: 360, height: 640 }, mobile: true, scale: 2 };
const anna = await Person.open(browser, site, "Anna");
const mihai = await Person.open(browser, site, "Mihai", { ...phone, locale: "ro-RO", theme: "dark" });
await Promise.all([anna.register(), mihai.register()]);
await anna.challenge({ base: 60, increment: 10, color: "white" });
await mihai.join();
const game = await anna.onBoard();

const variable = (person, name) => person.page.evaluate((n) => getComputedStyle(document.documentElement).getPropertyValue(n).trim(), name);
const prefs = async (person) => (await (await person.page.request.get(`${site.url}/api/v1/me/prefs`)).json()).prefs;
const open = async (person, item) => {
  await person.id("settings").click();
  await person.id(`settings-${item}`).click();
};
const eventually = async (what, look, wanted) => {
  for (let i = 0; i < 60; i++) {
    if (JSON.stringify(await look()) === JSON.stringify(wanted)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  same(await look(), wanted, what);
};
const place = async (person, block) => (await person.page.locator(`[data-block="${block}"]`).first().boundingBox());
// Boxes over the blocks must have settled: the sheet comes with the first of them.
const box = async (person, block) => (await person.id(`box-${block}`).boundingBox());

async function clean(person, where) {
  await person.page.evaluate(`${axe}; 0`);
  const found = await person.page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"] });
    return violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target.join(" ")} (${n.failureSummary.split("\n")[1]?.trim()})`).join("; ")}`);
  });
  same(found, [], `accessibility, ${where}`);
  const wide = await person.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  same(wide <= 0, true, `${where}: nothing beside the page (${wide} px)`);
}

// S-270: four items at the left, by keyboard too; nobody but the players has them.
async function menu() {
  await anna.id("settings").focus();
  await anna.page.keyboard.press("Enter");
  const list = anna.id("settings-menu");
  await list.waitFor();
  same(await list.locator("button").allInnerTexts(), ["Board colours", "Pieces", "Position and size of blocks", "Other"], "four items");
  same((await list.boundingBox()).x, 0, "at the left");
  await anna.page.keyboard.press("ArrowDown");
  same(await anna.page.evaluate(() => document.activeElement?.dataset.testid), "settings-pieces", "arrows walk");
  await anna.page.keyboard.press("Escape");
  same(await anna.page.evaluate(() => document.activeElement?.dataset.testid), "settings", "Escape leads back");
  const guest = await Person.open(browser, site, "guest");
  await guest.go(`/game/${game}`);
  await guest.page.locator('[data-testid="board"] cg-board').waitFor();
  same(await guest.id("settings").count(), 0, "a guest has no button");
  same(guest.faults, [], "faults");
  await guest.context.close();
}

// S-271: a preview, a warning under 1.3 that does not prevent saving.
async function colors() {
  await open(anna, "colors");
  await anna.page.check('[name="board"][value="wood"]');
  await anna.id("color-light").fill("#b0b0b0");
  await anna.id("color-dark").fill("#aaaaaa");
  same(await anna.id("contrast").innerText() !== "", true, "hardly any contrast is warned of");
  const sample = await anna.id("board-sample").evaluate((e) => e.style.getPropertyValue("--board-dark"));
  same(sample, "#aaaaaa", "the preview");
  await anna.id("colors-save").click();
  same([await variable(anna, "--board-light"), await variable(anna, "--board-dark")], ["#b0b0b0", "#aaaaaa"], "on the board");
  await eventually("in the account", () => prefs(anna), { board: "wood", color_dark: "#aaaaaa", color_light: "#b0b0b0" });
  await open(anna, "colors");
  await anna.id("reset").click();
  await anna.id("reset-yes").click();
  same(await anna.id("contrast").innerText(), "", "no warning");
  await anna.id("colors-save").click();
  await eventually("back to the defaults (S-281)", () => prefs(anna), {});
}

// S-272: fetched when chosen, drawn as vectors, kept for the account.
async function pieces() {
  const fetched = [];
  anna.page.on("request", (r) => /pieces-|\.svg$/.test(r.url()) && fetched.push(r.url().replace(/.*\/assets\/|-[A-Z0-9]{8}/g, "")));
  await open(anna, "pieces");
  same(fetched, [], "nothing is fetched before it is chosen");
  await anna.id("pieces-celtic").check();
  await anna.page.waitForFunction(() => document.documentElement.dataset.pieces === "celtic");
  const image = await anna.page.locator("cg-board piece.white.king").first().evaluate((e) => getComputedStyle(e).backgroundImage);
  same(/celtic-[0-9A-F]{8}\.svg/.test(image), true, `a scalable drawing: ${image.slice(0, 80)}`);
  for (const set of ["merida", "fantasy", "spatial"]) {
    await anna.id(`pieces-${set}`).check();
    await anna.page.waitForFunction((s) => document.documentElement.dataset.pieces === s, set);
  }
  await anna.id("pieces-merida").check();
  await anna.page.keyboard.press("Escape");
  await eventually("in the account", () => prefs(anna), { pieces: "merida" });
}

// S-279; L-023: no dots on the squares a man may go to, unless one wants them.
async function other() {
  await anna.page.mouse.click(...(await anna.at("g1", "white")));
  same(await anna.page.locator("square.move-dest").count(), 0, "no dots");
  await anna.page.mouse.click(...(await anna.at("g1", "white")));
  await open(anna, "other");
  await anna.page.check("#pref-dots");
  await anna.page.keyboard.press("Escape");
  await anna.page.mouse.click(...(await anna.at("g1", "white")));
  await eventually("dots", () => anna.page.locator("square.move-dest").count(), 2);
  await anna.page.mouse.click(...(await anna.at("g1", "white")));
  await open(anna, "other");
  await anna.page.selectOption("#pref-notation", "words");
  await anna.page.uncheck("#pref-coordinates");
  await anna.page.keyboard.press("Escape");
  await anna.keys("g1f3");
  await anna.seesPly(1);
  same(await anna.moves(), ["knight to f3"], "in words (L-019)");
  await mihai.keys("e7e5"); // in time for a first move
  await anna.seesPly(2);
  same(await anna.page.locator("coords").count(), 0, "no letters at the edge");
}

// S-273, S-274, S-275, S-278: a standard layout at once; boxes dragged, drawn out and pushed by keys; what does not fit goes back.
async function layouts() {
  await open(anna, "layout");
  await anna.id("layout-choice").selectOption("mirrored");
  await anna.page.waitForFunction(() => document.querySelector('[data-block="board"]').getBoundingClientRect().x > 500);
  await anna.id("layout-choice").selectOption("standard");
  await anna.id("layout-own").check();
  await anna.id("box-board").waitFor();
  await eventually("tinted boxes over all blocks", () => anna.page.locator("[data-place]").count(), 9);

  // The notes: one cell up by mouse is over the acts and goes back; the acts made smaller first, it stays.
  const cell = (await box(anna, "board")).width / 23;
  const drag = async (from, dx, dy) => {
    await anna.page.mouse.move(from[0], from[1]);
    await anna.page.mouse.down();
    await anna.page.mouse.move(from[0] + dx / 2, from[1] + dy / 2, { steps: 3 });
    await anna.page.mouse.move(from[0] + dx, from[1] + dy, { steps: 3 });
    await anna.page.mouse.up();
  };
  const moves = await box(anna, "moves");
  const grip = [moves.x + moves.width / 2, moves.y + moves.height / 2];
  await drag(grip, 3 * cell, 0);
  same(Math.round((await box(anna, "moves")).x), Math.round(moves.x), "over the chat: back where it was");
  await drag(grip, 0, -40 * cell);
  same(Math.round((await box(anna, "moves")).y), Math.round(moves.y), "out of the zone: back");
  const corner = await anna.id("corner-moves").boundingBox();
  await drag([corner.x + 12, corner.y + 12], -2 * cell, -3 * cell);
  const smaller = await box(anna, "moves");
  same([Math.round((moves.width - smaller.width) / cell), Math.round((moves.height - smaller.height) / cell)], [2, 3], "drawn out at the corner");
  same(await anna.id("corner-captured").count(), 0, "a block of fixed size has no corner");

  // By keys: the board becomes smaller and stays a square; the chat moves.
  await anna.id("box-board").focus();
  for (let i = 0; i < 3; i++) await anna.page.keyboard.press("Shift+ArrowLeft");
  const board = await box(anna, "board");
  same([Math.round(board.width / cell), Math.round(board.height / cell)], [20, 20], "a smaller square");
  for (let i = 0; i < 12; i++) await anna.page.keyboard.press("Shift+ArrowUp");
  same((await box(anna, "board")).width >= 240, true, "240 pixels at least");
  same(/smaller/.test(await anna.id("announcer").innerText()), true, "the reason is said");
  await anna.id("box-moves").focus();
  await anna.page.keyboard.press("ArrowDown");
  same(Math.round(((await box(anna, "moves")).y - smaller.y) / cell), 1, "one cell down");
  await clean(anna, "arranging, desk");

  await anna.id("layout-name").fill("Мой стол");
  await anna.id("layout-save").click();
  await eventually("saved", async () => (await prefs(anna)).layout, "own:Мой стол");
  await anna.id("arrange-close").click();
}

// S-276, S-277: on another device of the same account, after a reload; names are unique.
async function elsewhere() {
  const here = await place(anna, "moves");
  const other = await Person.open(browser, site, "Anna");
  await other.go("/login");
  await other.page.fill("#login", "Anna");
  await other.page.fill("#password", "correct horse 64");
  await other.id("login").click();
  await other.page.waitForURL(site.url + "/");
  for (const round of ["first sight", "after a reload"]) {
    await other.go(`/game/${game}`);
    await other.page.locator(".laid-out").waitFor();
    await eventually(`the same place, ${round}`, async () => Math.round((await place(other, "moves")).y), Math.round(here.y));
  }
  same(await other.page.evaluate(() => document.documentElement.dataset.pieces), "merida", "the same men");
  await open(other, "layout");
  await other.id("layout-own").check();
  await other.id("layout-name").fill("second");
  await other.id("layout-save").click();
  await eventually("a second one", async () => (await prefs(other)).layout, "own:second");
  await other.id("layout-name").fill("МОЙ СТОЛ");
  await other.id("layout-rename").click();
  await eventually("a name that is taken", () => other.id("layout-error").innerText(), "There is a layout of this name already.");
  await other.id("layout-name").fill("third");
  await other.id("layout-rename").click();
  await eventually("renamed", async () => (await prefs(other)).layout, "own:third");
  await other.id("reset").click();
  await other.id("reset-yes").click();
  await eventually("deleted", async () => (await prefs(other)).layout, undefined);
  same(other.faults, [], "faults");
  await other.context.close();
}

// The narrow form has places of its own, by finger; Romanian, dark.
async function onPhone() {
  await open(mihai, "layout");
  await clean(mihai, "arranging, phone, dark, Romanian");
  await mihai.id("layout-own").check();
  await mihai.id("box-chat").waitFor();
  await mihai.id("box-notes").focus();
  await mihai.page.keyboard.press("Shift+ArrowUp");
  await mihai.id("layout-name").fill("telefon");
  await mihai.id("layout-save").click();
  await eventually("saved", async () => (await prefs(mihai)).layout, "own:telefon");
  const { layouts } = await (await mihai.page.request.get(`${site.url}/api/v1/me/layouts`)).json();
  same([layouts[0].wide, layouts[0].narrow.notes[3]], [null, 11], "for small windows alone");
  await mihai.id("arrange-close").click();
  for (const [item, dialog] of [["colors", "colors-dialog"], ["pieces", "pieces-dialog"], ["other", "settings-dialog"]]) {
    await open(mihai, item);
    await mihai.id(dialog).waitFor();
    // X-005: silent on phones until one says otherwise.
    if (item === "other") same(await mihai.page.isChecked("#pref-sound"), false, "sounds are off on a phone");
    await clean(mihai, `${dialog}, phone, dark, Romanian`);
    await mihai.page.keyboard.press("Escape");
  }
  await mihai.page.selectOption('[data-testid="language"]', "ru").catch(() => {});
  await open(mihai, "pieces");
  await clean(mihai, "pieces, phone, Russian");
  await mihai.page.keyboard.press("Escape");
}

async function desk() {
  for (const [item, dialog] of [["colors", "colors-dialog"], ["pieces", "pieces-dialog"], ["other", "settings-dialog"]]) {
    await open(anna, item);
    await anna.id(dialog).waitFor();
    await clean(anna, `${dialog}, desk`);
    await anna.page.keyboard.press("Escape");
  }
}

// S-280: a browser that lacks a feature is told so, by the feature, and plays all the same.
async function old() {
  const veteran = await Person.open(browser, site, "Mihai");
  await veteran.context.addInitScript(() => {
    const { supports } = CSS;
    CSS.supports = (...asked) => !/background|max\(/.test(asked.join(" ")) && supports.apply(CSS, asked);
  });
  await veteran.go("/login");
  await veteran.page.fill("#login", "Mihai");
  await veteran.page.fill("#password", "correct horse 64");
  await veteran.id("login").click();
  await veteran.page.waitForURL(site.url + "/");
  await veteran.go(`/game/${game}`);
  await veteran.page.locator('[data-testid="board"] cg-board').waitFor();
  await open(veteran, "pieces");
  same(await veteran.id("pieces-celtic").isDisabled(), true, "no choice of pieces");
  same(await veteran.page.locator(".warning").count(), 1, "and why");
  await veteran.page.locator("dialog:modal").waitFor(); // Escape is for who has the keyboard
  await veteran.page.keyboard.press("Escape");
  await veteran.page.locator("dialog").waitFor({ state: "detached" });
  await open(veteran, "layout");
  same(await veteran.id("layout-own").isDisabled(), true, "no layout of one's own");
  await veteran.id("arrange-close").click();
  await anna.keys("b1c3");
  await veteran.seesPly(3);
  await veteran.keys("b8c6");
  await veteran.seesPly(4);
  same(veteran.faults, [], "faults");
  await veteran.context.close();
}

async function nothingWrong() {
  same(anna.faults, [], "faults");
  same(mihai.faults, [], "faults");
}

await run({ menu, colors, pieces, other, layouts, elsewhere, onPhone, desk, old, nothingWrong }, async () => {
  await browser.close();
  await site.stop();
});
