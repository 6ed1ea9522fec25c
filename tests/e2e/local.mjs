// SPDX-License-Identifier: GPL-3.0-or-later
// The game on one's own device (L-001 to L-032), the chess clock (L-028) and 64 = 65 (L-030), with the network off once they are loaded;
// accessible in both themes, three languages, on a desk and on a phone.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Person, Site, holds, openBrowser, run, same } from "./site.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const phone = { viewport: { width: 360, height: 640 }, mobile: true, scale: 2 };

async function open(path, options = {}) {
  const person = await Person.open(browser, site, "guest", options);
  // Files come as downloads, which a test can see; the picker of the system cannot be driven.
  await person.page.addInitScript(() => delete window.showSaveFilePicker);
  await person.go(path);
  return person;
}
async function close(person) {
  same(person.faults, [], "the browser's own complaints");
  await person.context.close();
}
const soon = async (person, read, expected, what) => {
  for (let i = 0; i < 100 && JSON.stringify(await read()) !== JSON.stringify(expected); i++) await person.page.waitForTimeout(100);
  same(await read(), expected, what);
};
const onBoard = (person) => person.page.locator('[data-testid="board"] cg-board').waitFor();
const choose = (person, testid) => person.id(testid).check({ force: true });
const result = async (person) => {
  const end = person.id("game-result");
  await end.waitFor();
  return [await end.getAttribute("data-result"), await end.getAttribute("data-reason")];
};
// Loaded once, then without a network for good.
async function offline(person) {
  await person.page.locator('[data-testid="offline-ready"][data-ready="true"]').waitFor({ timeout: 60000 });
  await person.context.setOffline(true);
  await person.page.reload();
}
async function play(person, moves) {
  const before = await person.page.locator('[data-testid="moves"] [data-ply]').count();
  for (const [i, uci] of moves.entries()) {
    await person.keys(uci);
    await person.seesPly(before + i + 1);
  }
}

// L-006, L-024: a whole game against the computer, with the network off, by the hints it gives.
async function computer() {
  const person = await open("/local");
  await offline(person);
  await person.id("level").selectOption("1");
  await person.id("local-start").click();
  await onBoard(person);
  for (let ply = 0; ply < 200; ply += 2) {
    await person.page.waitForFunction(
      (n) => document.querySelector('[data-testid="game-result"]') || document.querySelectorAll('[data-testid="moves"] [data-ply]').length === n,
      ply, { timeout: 30000 });
    if (await person.id("game-result").count()) break;
    await person.id("hint").click();
    const arrow = person.id("hint-arrow");
    await arrow.waitFor({ timeout: 30000 });
    if (ply === 0) holds(/\. .*\.$/.test(await person.id("hint-text").innerText()), `L-024: a hint says why: ${await person.id("hint-text").innerText()}`);
    await person.keys(await arrow.getAttribute("data-uci"));
  }
  same(await result(person), ["1-0", "checkmate"], "won");
  await person.page.locator(".local-log summary").click();
  holds(/> go movetime .* nodes 100/.test(await person.id("log-lines").innerText()), "L-032: what was said to the engine");
  const [file] = await Promise.all([person.page.waitForEvent("download"), person.id("save").click()]);
  const pgn = readFileSync(await file.path(), "utf8");
  holds(/\[BlackLevel "first_week"\]/.test(pgn) && /\{hints: \d+\}/.test(pgn) && /# (\{[^}]*\} )?1-0/.test(pgn.replace(/\s+/g, " ")), pgn);
  await close(person);
}

const REPEAT = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"];
const WORDS = { "en-GB": "Article 9.2", "ru-RU": "9.2", "ro-RO": "9.2" };

// L-003, L-010: two persons at one board with clocks; the third time is claimed. In each language.
async function claim() {
  for (const [locale, article] of Object.entries(WORDS)) {
    const person = await open("/local", { locale, ...(locale === "ru-RU" ? phone : {}) });
    await offline(person);
    await choose(person, "opponents-human");
    await choose(person, "clock-total");
    await person.id("minutes-5").click();
    await person.id("kind").selectOption("increment");
    await person.page.fill("#extra", "3");
    await person.id("local-start").click();
    await onBoard(person);
    await play(person, REPEAT.slice(0, 4));
    // A wrong claim costs nothing and stands as an offer.
    await person.id("claim-draw").click();
    await person.id("claim-now").click();
    await person.id("draw-offered").waitFor();
    holds(/2.*2/.test((await person.id("note").innerText()).replace(/\n/g, " ")), `counts: ${await person.id("note").innerText()}`);
    await person.id("decline-draw").click();
    await play(person, REPEAT.slice(4, 7));
    // Claimed by the move that brings the position about.
    await person.id("claim-draw").click();
    await person.id("claim-move").click();
    await person.keys(REPEAT[7]);
    same(await result(person), ["1/2-1/2", "claim_repetition"], "a draw");
    holds((await person.id("game-result").innerText()).includes(article), await person.id("game-result").innerText());
    await close(person);
  }
}

// L-005, L-014, L-017, L-018: pause, taking back, leafing, playing on from there; a page that dies keeps the game with its clocks.
async function course() {
  const person = await open("/local");
  await choose(person, "opponents-human");
  await choose(person, "clock-total");
  await person.page.locator("#unequal").check();
  await person.page.fill("#minutes-white", "601");
  same(await person.id("local-start").isDisabled(), true, "L-003: out of range");
  holds(await person.page.locator("#minutes-white-error").isVisible(), "the field says so");
  await person.page.fill("#minutes-white", "10");
  await person.page.fill("#minutes-black", "2");
  await person.id("local-start").click();
  await onBoard(person);
  holds((await person.id("clock-black").innerText()).startsWith("02:00"), "L-004: handicap");
  await play(person, ["e2e4", "e7e5", "g1f3", "b8c6"]);
  await person.id("pause").click();
  await person.id("paused").waitFor();
  same(await person.page.locator('[data-testid="board"] cg-board').count(), 0, "the board is hidden");
  await person.id("resume").click();
  await onBoard(person);
  await person.page.locator("h2").first().click();
  await person.page.keyboard.press("Control+z");
  await person.seesPly(3);
  await person.id("prev").click();
  await person.id("prev").click();
  await person.id("leafing").waitFor();
  await person.id("continue-here").click();
  await person.seesPly(1);
  await play(person, ["c7c5"]);
  // As after a crash: no page says goodbye.
  const white = Number(await person.id("clock-white").getAttribute("data-ms"));
  await person.page.goto("about:blank");
  await person.go("/local");
  await person.id("lost-game").waitFor();
  await person.id("recover").click();
  await onBoard(person);
  same(await person.moves(), ["e4", "c5"], "the game is there");
  const now = Number(await person.id("clock-white").getAttribute("data-ms"));
  holds(now <= white + 1000 && now > 500_000, `its clocks, too: ${white}, ${now}`);
  await person.id("resign").click();
  await person.id("ask-no").click();
  await person.id("resign").click();
  await person.id("resign-yes").click();
  same(await result(person), ["0-1", "resignation"], "L-012");
  await person.go("/local");
  await person.id("local-start").waitFor();
  same(await person.id("lost-game").count(), 0, "a game that is over is not offered");
  await close(person);
}

const PGN = `[Event "Club"]
[White "Ann"]
[Black "Bob"]
[Result "*"]
[TimeControl "300+2"]

1. e4 {[%clk 0:04:10]} e5 {[%clk 0:03:20]} *

[Event "Second"]
[White "Cid"]
[Black "Dan"]
[Result "*"]

1. d4 d5 2. Ke4 *
`;

// L-015, L-016: files with clocks, several games, faults by their line.
async function files() {
  const person = await open("/local");
  await offline(person);
  const give = (text) => person.id("open-file").setInputFiles({ name: "games.pgn", mimeType: "text/plain", buffer: Buffer.from(text) });
  await give(PGN);
  await onBoard(person);
  same(await person.moves(), ["e4", "e5"], "the first game");
  same((await person.id("clock-black").innerText()).slice(0, 5), "03:20", "the saved clock");
  holds((await person.id("player-white").innerText()).includes("Ann"), "names");
  await person.id("which-game").selectOption("2");
  await person.seesPly(2);
  holds(/line 1[0-9]/.test(await person.id("note").innerText()), `the line at fault: ${await person.id("note").innerText()}`);
  const before = await person.moves();
  await give("[FEN \"nonsense\"]\n\n1. e4 *\n");
  await soon(person, async () => /line 1/.test(await person.id("note").innerText()), true, "a broken file says where");
  same(await person.moves(), before, "and changes nothing");
  await person.context.setOffline(false);
  await close(person);
}

// L-025, L-020, L-023: set up by pieces and by FEN; promotion as preferred; what the Laws refuse.
async function setUp() {
  const person = await open("/local");
  await choose(person, "opponents-human");
  await person.page.locator("details summary").first().click();
  await person.page.fill("#fen", "8/P7/8/8/8/8/8/K6k w - - 0 1");
  await person.id("setup-open").click();
  await person.page.locator('[data-hand="black-king"]').click();
  await person.page.locator('[data-put="h8"]').click();
  await person.id("setup-done").click();
  await soon(person, () => person.id("setup-error").innerText().then((text) => text.includes("exactly one king")), true, "two kings");
  await person.page.locator('[data-put="h8"]').click();
  await person.page.locator('[data-hand="black-rook"]').click();
  await person.page.locator('[data-put="g7"]').click();
  await person.id("setup-done").click();
  await person.id("local-start").click();
  await onBoard(person);
  await person.keys("a7a8q");
  await person.seesPly(1);
  same((await person.moves())[0], "a8Q+", "asked");
  await person.id("undo").click();
  await person.seesPly(0);
  await person.page.locator(".local-view summary").click();
  await person.id("local-promotion").selectOption("n");
  await person.keys("a7a8");
  await person.seesPly(1);
  same((await person.moves())[0], "a8N", "as preferred");
  await person.id("local-notation").selectOption("words");
  await soon(person, async () => (await person.moves())[0].startsWith("pawn to a8"), true, "L-019: in words");
  await person.id("local-notation").selectOption("letters");
  // L-022: numbers at the edge on and off. L-021: whoever has the move sits below.
  same(await person.page.locator("coords").count() > 0, true, "numbers");
  await person.page.locator("#local-coordinates").uncheck();
  await soon(person, () => person.page.locator("coords").count(), 0, "no numbers");
  await person.id("local-foreground").selectOption("mover");
  await person.page.locator(".orientation-black").first().waitFor();
  await person.page.keyboard.press("F1");
  await person.id("local-help").waitFor();
  await person.page.keyboard.press("Escape");
  await close(person);
}

// L-001, L-013: whose flag falls has lost. L-003: a limit for each move. L-031: greyed without a network, else the form with the same time.
async function flags() {
  const person = await Person.open(browser, site, "guest");
  await person.page.clock.install();
  await person.go("/local");
  await choose(person, "opponents-human");
  await choose(person, "clock-move");
  await person.page.fill("#seconds-white", "20");
  await person.id("local-start").click();
  await onBoard(person);
  await person.keys("e2e4");
  await person.seesPly(1);
  await person.page.clock.runFor(15_000);
  await person.keys("e7e5");
  await person.seesPly(2);
  await person.page.clock.runFor(15_000);
  same(await person.id("game-result").count(), 0, "each move has its own time");
  await person.page.clock.runFor(6_000);
  same(await result(person), ["0-1", "flag"], "the flag");
  await person.id("new-game").click();
  await person.page.clock.runFor(500);
  await person.id("new-dialog").waitFor();
  await choose(person, "clock-total");
  await person.id("minutes-15").click();
  await person.id("local-start").click();
  await onBoard(person);
  await person.context.setOffline(true);
  await person.page.clock.runFor(1000);
  await soon(person, () => person.id("play-on-site").isDisabled(), true, "greyed");
  await person.context.setOffline(false);
  await soon(person, () => person.id("play-on-site").isDisabled(), false, "there again");
  await person.id("play-on-site").click();
  await person.id("own-base").waitFor();
  same([await person.id("own-base").inputValue(), await person.id("own-increment").inputValue()], ["15", "0"], "the same time");
  same(person.faults, [], "faults");
  await person.context.close();
}

// L-028.
async function clock() {
  const person = await Person.open(browser, site, "guest", phone);
  await person.page.clock.install();
  await person.go("/clock");
  const ms = async (side) => Number(await person.id(`half-${side}`).getAttribute("data-ms"));
  const runs = async () => [await person.id("half-white").getAttribute("data-running"), await person.id("half-black").getAttribute("data-running")];
  await person.id("half-white").waitFor();
  same(await runs(), ["false", "false"], "neutral until the first press");
  await person.id("clock-settings").click();
  await person.page.fill("#clock-white", "181");
  same(await person.id("clock-set").isDisabled(), true, "181 minutes");
  await person.page.fill("#clock-white", "1");
  await person.page.fill("#clock-black", "2");
  await person.id("clock-kind-choice").selectOption("increment");
  await person.page.fill("#clock-extra", "5");
  await person.id("clock-set").click();
  await person.id("half-black").tap();
  await soon(person, runs, ["true", "false"], "Black presses, White's clock runs");
  same(await ms("black"), 120_000, "nothing earned before anything ran");
  await person.id("half-black").tap();
  same(await runs(), ["true", "false"], "only the own side can be pressed");
  await person.page.clock.runFor(10_000);
  await person.id("half-white").tap();
  await soon(person, runs, ["false", "true"], "never both");
  holds(Math.abs((await ms("white")) - 55_000) < 2500, `60 s less 10 s and 5 s more: ${await ms("white")}`);
  await person.page.clock.runFor(200);
  // A bounce: both sides are hit at once.
  await person.page.evaluate(() => {
    for (const side of ["black", "white"])
      document.querySelector(`[data-testid="half-${side}"]`).dispatchEvent(new PointerEvent("pointerdown", { button: 0, bubbles: true }));
  });
  await soon(person, runs, ["true", "false"], "the second press within 50 ms does nothing");
  await person.page.clock.runFor(200);
  await person.id("half-white").tap();
  await soon(person, runs, ["false", "true"], "and so on");
  await person.page.clock.runFor(1000);
  await person.id("clock-pause").tap();
  await soon(person, runs, ["false", "false"], "stopped");
  await person.id("clock-pause").tap();
  await person.id("clock-face").tap();
  await person.page.locator(".dial").first().waitFor();
  await person.page.clock.runFor(30_000);
  holds(Number(await person.page.locator('[data-testid="half-black"] .dial-flag').getAttribute("data-lift")) > 0.3, "the flag rises near the hour");
  await person.page.clock.runFor(100_000);
  await person.id("flag-black").waitFor();
  same(await person.page.locator('[data-testid="half-black"] .dial-flag').getAttribute("data-lift"), "0.00", "and falls at twelve");
  await person.id("half-black").tap();
  await person.page.clock.runFor(60_000);
  await person.id("flag-white").waitFor();
  holds((await person.id("flag-black").innerText()) !== (await person.id("flag-white").innerText()), "which fell first is marked");
  // By keys, and with a delay.
  await person.id("clock-reset").tap();
  await person.id("clock-settings").click();
  await person.id("clock-kind-choice").selectOption("delay");
  await person.page.locator("#clock-match").check();
  await person.id("clock-set").click();
  await person.page.keyboard.press("ArrowLeft"); // Black sits first where the clock stands at White's right
  await soon(person, runs, ["true", "false"], "by a key");
  await person.page.clock.runFor(4000);
  same(await ms("white"), 60_000, "the delay first");
  same(await person.id("clock-pause").isDisabled(), true, "L-005: no pause in a match");
  same(person.faults, [], "faults");
  await person.context.close();
}

// L-030.
async function curiosity() {
  const person = await open("/curiosity");
  const form = () => person.id("field").getAttribute("data-form");
  await person.id("field").waitFor();
  same(await form(), "square", "8 x 8 at first");
  await person.id("piece-0").focus();
  await person.page.keyboard.press("ArrowRight");
  same(await form(), "none", "moved by keys");
  await person.page.keyboard.press("ArrowLeft");
  same(await form(), "square", "and back");
  for (let i = 0; i < 4; i++) await person.page.keyboard.press("r");
  same(await form(), "square", "four quarters are a whole turn");
  // By hand, from the square to the rectangle: the trapezium a quarter round and to its place.
  const box = await person.id("piece-0").boundingBox();
  const unit = (box.width - box.height) / 5; // 8 by 3, and a stroke around
  await person.page.mouse.move(box.x + unit, box.y + unit);
  await person.page.mouse.down();
  await person.page.mouse.move(box.x + 6.1 * unit, box.y + 0.9 * unit, { steps: 5 });
  await person.page.mouse.up();
  same(await form(), "none", "dragged");
  const moved = await person.id("piece-0").boundingBox();
  holds(Math.abs(moved.x - box.x - 5 * unit) < 2 && Math.abs(moved.y - box.y) < 2, `it snaps to whole squares: ${JSON.stringify([box, moved])}`);
  await person.id("to-rectangle").click();
  same(await form(), "rectangle", "5 x 13");
  holds((await person.id("form").innerText()).includes("65"), "65");
  const rest = await person.id("rest").getAttribute("points");
  const points = rest.split(" ").map((p) => p.split(",").map(Number));
  const twice = points.reduce((sum, [x, y], i) => sum + x * points[(i + 1) % 4][1] - y * points[(i + 1) % 4][0], 0);
  same(Math.abs(twice) / 2, 1, "a parallelogram of area 1");
  const narrow = (await person.id("rest").boundingBox()).width;
  await person.id("zoom").fill("12");
  holds((await person.id("rest").boundingBox()).width > 10 * narrow, "the glass shows it");
  await person.id("size-13").click();
  await person.id("to-rectangle").click();
  holds((await person.id("form").innerText()).includes("168") && (await person.id("explain").innerText()).includes("overlap"), "13: an overlap");
  await close(person);
}

const PAGES = ["/local", "/clock", "/curiosity"];
const LOOKS = [
  { locale: "en-GB" },
  { locale: "ru-RU", theme: "dark" },
  { locale: "ro-RO", ...phone },
  { locale: "ru-RU", ...phone, theme: "dark" },
];

async function accessible() {
  for (const look of LOOKS)
    for (const path of PAGES) {
      const person = await open(path, look);
      const check = async (what) => {
        const { violations } = await person.page.evaluate(`${axe}; axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })`);
        same(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(", ")}`), [], `${path} ${what} ${look.locale}`);
        const [wide, room] = await person.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
        holds(wide <= room, `${path} ${what} ${look.locale}: no sideways scrolling (${wide} in ${room})`);
      };
      await person.page.locator("h1").first().waitFor({ state: "attached" });
      await person.page.waitForTimeout(300);
      await check("at first");
      if (path === "/local") {
        await choose(person, "opponents-human");
        await choose(person, "clock-total");
        await check("with a clock");
        await person.id("local-start").click();
        await onBoard(person);
        await play(person, ["e2e4"]);
        await person.id("claim-draw").click();
        await check("in play");
        await person.id("help").click();
        await person.id("local-help").waitFor();
        await check("with the manual");
      }
      if (path === "/curiosity") {
        await person.id("to-rectangle").click();
        await check("as a rectangle");
      }
      if (path === "/clock") {
        await person.id("clock-face").click();
        await person.page.keyboard.press("Space");
        await check("with hands");
      }
      await close(person);
    }
}

// Nothing of other pages passes through the worker, and every offline page opens without a network.
async function worker() {
  const person = await open("/local");
  await offline(person);
  for (const path of PAGES) {
    await person.go(path);
    await person.page.locator("h1").first().waitFor({ state: "attached" });
  }
  await person.context.setOffline(false);
  await person.go("/");
  await person.id("challenge-form").waitFor();
  const kept = await person.page.evaluate(async () => {
    const names = await caches.keys();
    const urls = (await (await caches.open(names[0])).keys()).map((r) => new URL(r.url).pathname);
    return [names.length, urls.some((u) => u.startsWith("/api")), urls.includes("/")];
  });
  same(kept, [1, false, false], "one cache, nothing of the site's own answers");
  await close(person);
  const other = await open("/computer");
  await other.id("computer-form").or(other.id("no-engine")).first().waitFor();
  same(await other.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0, "who never comes here has no worker");
  await close(other);
}

const cases = {
  "against the computer, offline (L-006, L-032)": computer,
  "two at one board claim a draw (L-010)": claim,
  "the course of a game": course,
  "files (L-015, L-016)": files,
  "set-up and promotion (L-025, L-020)": setUp,
  "flags and the site (L-013, L-031)": flags,
  "the chess clock (L-028)": clock,
  "64 = 65 (L-030)": curiosity,
  "what is kept offline": worker,
  "accessible in every look": accessible,
};
const only = process.argv[2];
await run(only ? Object.fromEntries(Object.entries(cases).filter(([name]) => name.includes(only))) : cases, async () => {
  await browser.close();
  await site.stop();
});
