// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the board in one's own game: colours, pieces, layouts of the game zone, the rest; kept in the account and met
// on another device. Their dialogs in three languages, both themes, on a desk and on a phone.
import { Person, Site, accessible, eventually, openBrowser, resting, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const phone = { viewport: { width: 360, height: 640 }, mobile: true, scale: 2 };
const anna = await Person.open(browser, site, "Anna");
const mihai = await Person.open(browser, site, "Mihai", { ...phone, locale: "ro-RO", theme: "dark" });
await Promise.all([anna.register(), mihai.register()]);
await anna.challenge({ base: 60, increment: 10, color: "white" });
await mihai.join();
const game = await anna.onBoard();
// Both moves that must come within half a minute, before anything is looked at.
await anna.keys("d2d4");
await mihai.seesPly(1);
await mihai.keys("d7d5");
await anna.seesPly(2);

const variable = (person, name) => person.page.evaluate((n) => getComputedStyle(document.documentElement).getPropertyValue(n).trim(), name);
const prefs = async (person) => (await (await person.page.request.get(`${site.url}/api/v1/me/prefs`)).json()).prefs;
const closeDialog = async (person) => {
  await person.page.keyboard.press("Escape");
  await person.page.locator("dialog").waitFor({ state: "detached" });
};
const open = async (person, item) => {
  await person.id("settings").click();
  await person.id(`settings-${item}`).click();
};
const place = (person, block) => resting(person.page.locator(`[data-block="${block}"]`).first());
// Boxes over the blocks must have settled: the sheet comes with the first of them.
const box = (person, block) => resting(person.id(`box-${block}`));

// S-270: four items at the left, by keyboard too; nobody but the players has them.
async function menu() {
  await anna.id("settings").focus();
  await anna.page.keyboard.press("Enter");
  const list = anna.id("settings-menu");
  await list.waitFor();
  await eventually("four items", () => list.locator("button").allInnerTexts(), ["Board colours", "Pieces", "Position and size of blocks", "Other"]);
  await eventually("at the left", async () => (await list.boundingBox())?.x, 0);
  await anna.page.keyboard.press("ArrowDown");
  await eventually("arrows walk", () => anna.page.evaluate(() => document.activeElement?.dataset.testid), "settings-pieces");
  await anna.page.keyboard.press("Escape");
  await eventually("Escape leads back", () => anna.page.evaluate(() => document.activeElement?.dataset.testid), "settings");
  // What is seen can be used: no frame is waited for between the drawing of a dialog and its opening.
  await anna.id("settings").click();
  await list.waitFor();
  const opened = await anna.page.evaluate(async () => {
    document.querySelector('[data-testid="settings-other"]').click();
    for (let i = 0; i < 20; i++) await null;
    return document.querySelector("dialog")?.matches(":modal");
  });
  same(opened, true, "a modal dialog at once");
  // A browser may close a dialog without asking the page.
  await anna.page.evaluate(() => document.querySelector("dialog").close());
  await anna.page.locator("dialog").waitFor({ state: "detached" });
  await open(anna, "other");
  await closeDialog(anna);
  const guest = await Person.open(browser, site, "guest");
  await guest.go(`/game/${game}`);
  await guest.page.locator('[data-testid="board"] cg-board').waitFor();
  await eventually("a guest has no button", () => guest.id("settings").count(), 0);
  same(guest.faults, [], "faults");
  await guest.context.close();
}

// S-271: a preview, a warning under 1.3 that does not prevent saving.
async function colors() {
  await open(anna, "colors");
  await anna.page.check('[name="board"][value="wood"]');
  await anna.id("color-light").fill("#b0b0b0");
  await anna.id("color-dark").fill("#aaaaaa");
  await eventually("hardly any contrast is warned of", async () => await anna.id("contrast").innerText() !== "", true);
  await eventually("the preview", () => anna.id("board-sample").evaluate((e) => e.style.getPropertyValue("--board-dark")), "#aaaaaa");
  await anna.id("colors-save").click();
  await eventually("on the board", async () => [await variable(anna, "--board-light"), await variable(anna, "--board-dark")], ["#b0b0b0", "#aaaaaa"]);
  await eventually("in the account", () => prefs(anna), { board: "wood", color_dark: "#aaaaaa", color_light: "#b0b0b0" });
  await open(anna, "colors");
  await anna.id("reset").click();
  await anna.id("reset-yes").click();
  await eventually("no warning", () => anna.id("contrast").innerText(), "");
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
  const image = () => anna.page.locator("cg-board piece.white.king").first().evaluate((e) => getComputedStyle(e).backgroundImage);
  await eventually("a scalable drawing", async () => /celtic-[0-9A-F]{8}\.svg/.test(await image()));
  for (const set of ["merida", "fantasy", "spatial"]) {
    await anna.id(`pieces-${set}`).check();
    await anna.page.waitForFunction((s) => document.documentElement.dataset.pieces === s, set);
  }
  await anna.id("pieces-merida").check();
  await closeDialog(anna);
  await eventually("in the account", () => prefs(anna), { pieces: "merida" });
}

// S-279; L-023: no dots on the squares a man may go to, unless one wants them.
async function other() {
  await anna.page.mouse.click(...(await anna.at("g1", "white")));
  await eventually("no dots", () => anna.page.locator("square.move-dest").count(), 0);
  await anna.page.mouse.click(...(await anna.at("g1", "white")));
  await open(anna, "other");
  await anna.page.check("#pref-dots");
  await closeDialog(anna);
  await anna.page.mouse.click(...(await anna.at("g1", "white")));
  await eventually("dots", () => anna.page.locator("square.move-dest").count(), 2);
  await anna.page.mouse.click(...(await anna.at("g1", "white")));
  await open(anna, "other");
  await anna.page.selectOption("#pref-notation", "words");
  await anna.page.uncheck("#pref-coordinates");
  await closeDialog(anna);
  await anna.keys("g1f3");
  await anna.seesPly(3);
  await eventually("in words (L-019)", async () => (await anna.moves())[2], "knight to f3");
  await mihai.keys("e7e6");
  await anna.seesPly(4);
  await eventually("no letters at the edge", () => anna.page.locator("coords").count(), 0);
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
  await eventually("over the chat: back where it was", async () => Math.round((await box(anna, "moves")).x), Math.round(moves.x));
  await drag(grip, 0, -40 * cell);
  await eventually("out of the zone: back", async () => Math.round((await box(anna, "moves")).y), Math.round(moves.y));
  const corner = await resting(anna.id("corner-moves"));
  await drag([corner.x + 12, corner.y + 12], -2 * cell, -3 * cell);
  let smaller;
  await eventually("drawn out at the corner", async () => {
    smaller = await box(anna, "moves");
    return [Math.round((moves.width - smaller.width) / cell), Math.round((moves.height - smaller.height) / cell)];
  }, [2, 3]);
  await eventually("a block of fixed size has no corner", () => anna.id("corner-captured").count(), 0);

  // By keys: the board becomes smaller and stays a square; the chat moves.
  await anna.id("box-board").focus();
  for (let i = 0; i < 3; i++) await anna.page.keyboard.press("Shift+ArrowLeft");
  await eventually("a smaller square", async () => {
    const board = await box(anna, "board");
    return [Math.round(board.width / cell), Math.round(board.height / cell)];
  }, [20, 20]);
  for (let i = 0; i < 12; i++) await anna.page.keyboard.press("Shift+ArrowUp");
  await eventually("240 pixels at least", async () => (await box(anna, "board")).width >= 240, true);
  await eventually("the reason is said", async () => /smaller/.test(await anna.id("announcer").innerText()), true);
  await anna.id("box-moves").focus();
  await anna.page.keyboard.press("ArrowDown");
  await eventually("one cell down", async () => Math.round(((await box(anna, "moves")).y - smaller.y) / cell), 1);
  await accessible(anna, "arranging, desk");

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
  await eventually("the same men", () => other.page.evaluate(() => document.documentElement.dataset.pieces), "merida");
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
  await accessible(mihai, "arranging, phone, dark, Romanian");
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
    // silent on phones until one says otherwise.
    if (item === "other") await eventually("sounds are off on a phone", () => mihai.page.isChecked("#pref-sound"), false);
    await accessible(mihai, `${dialog}, phone, dark, Romanian`);
    await closeDialog(mihai);
  }
  await mihai.page.selectOption('[data-testid="language"]', "ru");
  await mihai.page.locator('html[lang="ru"]').waitFor();
  await open(mihai, "pieces");
  await accessible(mihai, "pieces, phone, Russian");
  await closeDialog(mihai);
}

async function desk() {
  for (const [item, dialog] of [["colors", "colors-dialog"], ["pieces", "pieces-dialog"], ["other", "settings-dialog"]]) {
    await open(anna, item);
    await anna.id(dialog).waitFor();
    await accessible(anna, `${dialog}, desk`);
    await closeDialog(anna);
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
  await eventually("no choice of pieces", () => veteran.id("pieces-celtic").isDisabled(), true);
  await eventually("and why", () => veteran.page.locator(".warning").count(), 1);
  await closeDialog(veteran);
  await open(veteran, "layout");
  await eventually("no layout of one's own", () => veteran.id("layout-own").isDisabled(), true);
  await veteran.id("arrange-close").click();
  await anna.keys("b1c3");
  await veteran.seesPly(5);
  await veteran.keys("b8c6");
  await veteran.seesPly(6);
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
