// SPDX-License-Identifier: GPL-3.0-or-later
// The game on one's own device (L-001 to L-032), the chess clock (L-028) and 64 = 65 (L-030), with the network off once they are loaded;
// accessible in both themes, three languages, on a desk and on a phone.
import { readFileSync } from "node:fs";
import { PATIENCE_MS, Person, Site, accessible, eventually, holds, openBrowser, resting, run, same } from "./site.mjs";

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
const onBoard = (person) => person.page.locator('[data-testid="board"] cg-board').waitFor();
const choose = (person, testid) => person.choose(testid);
const result = async (person) => {
  const end = person.id("game-result");
  await end.waitFor();
  return [await end.getAttribute("data-result"), await end.getAttribute("data-reason")];
};
// Loaded once, then without a network for good.
async function offline(person) {
  await person.page.locator('[data-testid="offline-ready"][data-ready="true"]').waitFor({ timeout: 2 * PATIENCE_MS });
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
    await eventually("the computer answers", async () =>
      (await person.id("game-result").count()) > 0 || (await person.page.locator('[data-testid="moves"] [data-ply]').count()) === ply);
    if (await person.id("game-result").count()) break;
    await person.id("hint").click();
    const arrow = person.id("hint-arrow");
    await arrow.waitFor();
    if (ply === 0) await eventually(async () => `L-024: a hint says why: ${await person.id("hint-text").innerText()}`, async () => /\. .*\.$/.test(await person.id("hint-text").innerText()));
    await person.keys(await arrow.getAttribute("data-uci"));
  }
  await eventually("won", () => result(person), ["1-0", "checkmate"]);
  await person.page.locator(".local-log summary").click();
  await eventually("L-032: what was said to the engine", async () => /> go movetime .* nodes 100/.test(await person.id("log-lines").innerText()));
  const [file] = await Promise.all([person.page.waitForEvent("download"), person.id("save").click()]);
  const pgn = readFileSync(await file.path(), "utf8");
  const unfolded = pgn.replace(/\s+/g, " "); // a comment may be folded at the end of a line
  holds(/\[BlackLevel "first_week"\]/.test(pgn) && /\{hints: \d+\}/.test(unfolded) && /# (\{[^}]*\} )?1-0/.test(unfolded), pgn);
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
    await eventually(async () => `counts: ${await person.id("note").innerText()}`, async () => /2.*2/.test((await person.id("note").innerText()).replace(/\n/g, " ")));
    await person.id("decline-draw").click();
    await play(person, REPEAT.slice(4, 7));
    // Claimed by the move that brings the position about.
    await person.id("claim-draw").click();
    await person.id("claim-move").click();
    await person.keys(REPEAT[7]);
    await eventually("a draw", () => result(person), ["1/2-1/2", "claim_repetition"]);
    await eventually(() => person.id("game-result").innerText(), async () => (await person.id("game-result").innerText()).includes(article));
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
  await eventually("L-003: out of range", () => person.id("local-start").isDisabled(), true);
  await eventually("the field says so", () => person.page.locator("#minutes-white-error").isVisible());
  await person.page.fill("#minutes-white", "10");
  await person.page.fill("#minutes-black", "2");
  await person.id("local-start").click();
  await onBoard(person);
  await eventually("L-004: handicap", async () => (await person.id("clock-black").innerText()).startsWith("02:00"));
  await play(person, ["e2e4", "e7e5", "g1f3", "b8c6"]);
  await person.id("pause").click();
  await person.id("paused").waitFor();
  await eventually("the board is hidden", () => person.page.locator('[data-testid="board"] cg-board').count(), 0);
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
  const white = Number(await person.id("clock-white").getAttribute("data-ms")); // it stands
  await play(person, ["c7c5"]);
  // As after a crash: no page says goodbye.
  await person.page.goto("about:blank");
  await person.go("/local");
  await person.id("lost-game").waitFor();
  await person.id("recover").click();
  await onBoard(person);
  await eventually("the game is there", () => person.moves(), ["e4", "c5"]);
  const now = Number(await person.id("clock-white").getAttribute("data-ms"));
  holds(now <= white && now > 500_000, `its clocks, too: ${white}, ${now}`);
  await person.id("resign").click();
  await person.id("ask-no").click();
  await person.id("resign").click();
  await person.id("resign-yes").click();
  await eventually("L-012", () => result(person), ["0-1", "resignation"]);
  await person.go("/local");
  await person.id("local-start").waitFor();
  await eventually("a game that is over is not offered", () => person.id("lost-game").count(), 0);
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
  await eventually("the first game", () => person.moves(), ["e4", "e5"]);
  await eventually("the saved clock", async () => (await person.id("clock-black").innerText()).slice(0, 5), "03:20");
  await eventually("names", async () => (await person.id("player-white").innerText()).includes("Ann"));
  await person.id("which-game").selectOption("2");
  await person.seesPly(2);
  await eventually(async () => `the line at fault: ${await person.id("note").innerText()}`, async () => /line 1[0-9]/.test(await person.id("note").innerText()));
  const before = await person.moves();
  await give("[FEN \"nonsense\"]\n\n1. e4 *\n");
  await eventually("a broken file says where", async () => /line 1/.test(await person.id("note").innerText()), true);
  await eventually("and changes nothing", () => person.moves(), before);
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
  for (const [width, least] of [[360, 280], [1280, 380]]) {
    await person.page.setViewportSize({ width, height: 800 });
    let box;
    await eventually(() => `a board at ${width}: ${JSON.stringify(box)}`, async () => {
      box = await person.page.locator(".setup-board").boundingBox();
      return Math.abs(box.width - box.height) < 1 && box.width >= least && box.width <= width;
    });
  }
  await eventually("its button", () => person.id("setup-done").innerText(), "Use this position");
  await person.page.locator('[data-hand="black-king"]').click();
  await person.page.locator('[data-put="h8"]').click();
  await person.id("setup-done").click();
  await eventually("two kings", () => person.id("setup-error").innerText().then((text) => text.includes("exactly one king")), true);
  await person.page.locator('[data-put="h8"]').click();
  await person.page.locator('[data-hand="black-rook"]').click();
  await person.page.locator('[data-put="g7"]').click();
  await person.id("setup-done").click();
  await eventually("the position is in sight", async () => [await person.page.inputValue("#fen"), await person.page.locator("#fen").isVisible()], ["8/P5r1/8/8/8/8/8/K6k w - - 0 1", true]);
  await eventually("as a little board too", () => person.id("setup-taken").locator(".man").count(), 4);
  await person.id("local-start").click();
  await onBoard(person);
  await person.keys("a7a8q");
  await person.seesPly(1);
  await eventually("asked", async () => (await person.moves())[0], "a8Q+");
  await person.id("undo").click();
  await person.seesPly(0);
  await person.page.locator(".local-view summary").click();
  await person.id("local-promotion").selectOption("n");
  await person.keys("a7a8");
  await person.seesPly(1);
  await eventually("as preferred", async () => (await person.moves())[0], "a8N");
  await person.id("local-notation").selectOption("words");
  await eventually("L-019: in words", async () => (await person.moves())[0].startsWith("pawn to a8"), true);
  await person.id("local-notation").selectOption("letters");
  // L-022: numbers at the edge on and off. L-021: whoever has the move sits below.
  await eventually("numbers", async () => await person.page.locator("coords").count() > 0, true);
  await person.page.locator("#local-coordinates").uncheck();
  await eventually("no numbers", () => person.page.locator("coords").count(), 0);
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
  await person.page.fill("#seconds-white", "600"); // what the test itself takes runs, too
  await person.id("local-start").click();
  await onBoard(person);
  await person.keys("e2e4");
  await person.seesPly(1);
  await person.page.clock.runFor(350_000);
  await person.keys("e7e5");
  await person.seesPly(2);
  await person.page.clock.runFor(350_000);
  await eventually("each move has its own time", () => person.id("game-result").count(), 0);
  await person.page.clock.runFor(260_000);
  await eventually("the flag", () => result(person), ["0-1", "flag"]);
  await person.id("new-game").click();
  await person.page.clock.runFor(500);
  await person.id("new-dialog").waitFor();
  await choose(person, "clock-total");
  await person.id("minutes-15").click();
  await person.id("local-start").click();
  await onBoard(person);
  await person.context.setOffline(true);
  await person.page.clock.runFor(1000);
  await eventually("greyed", () => person.id("play-on-site").isDisabled(), true);
  await person.context.setOffline(false);
  await eventually("there again", () => person.id("play-on-site").isDisabled(), false);
  await person.id("play-on-site").click();
  await person.id("own-base").waitFor();
  await eventually("the same time", async () => [await person.id("own-base").inputValue(), await person.id("own-increment").inputValue()], ["15", "0"]);
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
  // From here time passes by runFor() alone, however long a slow machine takes for the rest.
  await person.page.clock.pauseAt(Date.now() + 3_600_000);
  await eventually("neutral until the first press", () => runs(), ["false", "false"]);
  await person.id("clock-settings").click();
  await person.page.fill("#clock-white", "181");
  await eventually("181 minutes", () => person.id("clock-set").isDisabled(), true);
  await person.page.fill("#clock-white", "1");
  await person.page.fill("#clock-black", "2");
  await person.id("clock-kind-choice").selectOption("increment");
  await person.page.fill("#clock-extra", "5");
  await person.id("clock-set").click();
  await person.id("half-black").tap();
  await eventually("Black presses, White's clock runs", runs, ["true", "false"]);
  await eventually("nothing earned before anything ran", () => ms("black"), 120_000);
  await person.id("half-black").tap();
  await eventually("only the own side can be pressed", () => runs(), ["true", "false"]);
  await person.page.clock.runFor(10_000);
  await person.id("half-white").tap();
  await eventually("never both", runs, ["false", "true"]);
  await eventually(async () => `60 s less 10 s and 5 s more: ${await ms("white")}`, async () => Math.abs((await ms("white")) - 55_000) < 100);
  await person.page.clock.runFor(200);
  // A bounce: both sides are hit at once.
  await person.page.evaluate(() => {
    for (const side of ["black", "white"])
      document.querySelector(`[data-testid="half-${side}"]`).dispatchEvent(new PointerEvent("pointerdown", { button: 0, bubbles: true }));
  });
  await eventually("the second press within 50 ms does nothing", runs, ["true", "false"]);
  await person.page.clock.runFor(200);
  await person.id("half-white").tap();
  await eventually("and so on", runs, ["false", "true"]);
  await person.page.clock.runFor(1000);
  await person.id("clock-pause").tap();
  await eventually("stopped", runs, ["false", "false"]);
  await person.id("clock-pause").tap();
  await person.id("clock-face").tap();
  await person.page.locator(".dial").first().waitFor();
  await person.page.clock.runFor(30_000);
  await eventually("the flag rises near the hour", async () => Number(await person.page.locator('[data-testid="half-black"] .dial-flag').getAttribute("data-lift")) > 0.3);
  await person.page.clock.runFor(100_000);
  await person.id("flag-black").waitFor();
  await eventually("and falls at twelve", () => person.page.locator('[data-testid="half-black"] .dial-flag').getAttribute("data-lift"), "0.00");
  await person.id("half-black").tap();
  await person.page.clock.runFor(60_000);
  await person.id("flag-white").waitFor();
  await eventually("which fell first is marked", async () => (await person.id("flag-black").innerText()) !== (await person.id("flag-white").innerText()));
  // By keys, and with a delay.
  await person.id("clock-reset").tap();
  await person.id("clock-settings").click();
  await person.id("clock-kind-choice").selectOption("delay");
  await person.page.locator("#clock-match").check();
  await person.id("clock-set").click();
  await person.page.keyboard.press("ArrowLeft"); // Black sits first where the clock stands at White's right
  await eventually("by a key", runs, ["true", "false"]);
  await person.page.clock.runFor(4000);
  await eventually("the delay first", () => ms("white"), 60_000);
  await eventually("L-005: no pause in a match", () => person.id("clock-pause").isDisabled(), true);
  same(person.faults, [], "faults");
  await person.context.close();
}

// L-030.
async function curiosity() {
  const person = await open("/curiosity");
  const form = () => person.id("field").getAttribute("data-form");
  await person.id("field").waitFor();
  await eventually("8 x 8 at first", () => form(), "square");
  await person.id("piece-0").focus();
  await person.page.keyboard.press("ArrowRight");
  await eventually("moved by keys", () => form(), "none");
  await person.page.keyboard.press("ArrowLeft");
  await eventually("and back", () => form(), "square");
  for (let i = 0; i < 4; i++) await person.page.keyboard.press("r");
  await eventually("four quarters are a whole turn", () => form(), "square");
  // By hand, from the square to the rectangle: the trapezium a quarter round and to its place.
  const box = await resting(person.id("piece-0"));
  const unit = (box.width - box.height) / 5; // 8 by 3, and a stroke around
  await person.page.mouse.move(box.x + unit, box.y + unit);
  await person.page.mouse.down();
  await person.page.mouse.move(box.x + 6.1 * unit, box.y + 0.9 * unit, { steps: 5 });
  await person.page.mouse.up();
  await eventually("dragged", () => form(), "none");
  const moved = await resting(person.id("piece-0"));
  holds(Math.abs(moved.x - box.x - 5 * unit) < 2 && Math.abs(moved.y - box.y) < 2, `it snaps to whole squares: ${JSON.stringify([box, moved])}`);
  await person.id("to-rectangle").click();
  await eventually("5 x 13", () => form(), "rectangle");
  await eventually("65", async () => (await person.id("form").innerText()).includes("65"));
  const rest = await person.id("rest").getAttribute("points");
  const points = rest.split(" ").map((p) => p.split(",").map(Number));
  const twice = points.reduce((sum, [x, y], i) => sum + x * points[(i + 1) % 4][1] - y * points[(i + 1) % 4][0], 0);
  same(Math.abs(twice) / 2, 1, "a parallelogram of area 1");
  const narrow = (await resting(person.id("rest"))).width;
  await person.id("zoom").fill("12");
  await eventually("the glass shows it", async () => (await person.id("rest").boundingBox()).width > 10 * narrow);
  await person.id("size-13").click();
  await person.id("to-rectangle").click();
  await eventually("13: an overlap", async () => (await person.id("form").innerText()).includes("168") && (await person.id("explain").innerText()).includes("overlap"));
  await close(person);
}

const PAGES = ["/local", "/clock", "/curiosity"];
const LOOKS = [
  { locale: "en-GB" },
  { locale: "ru-RU", theme: "dark" },
  { locale: "ro-RO", ...phone },
  { locale: "ru-RU", ...phone, theme: "dark" },
];

async function everyLook() {
  for (const look of LOOKS)
    for (const path of PAGES) {
      const person = await open(path, look);
      const check = (what) => accessible(person, `${path} ${what} ${look.locale}`);
      await person.page.locator("h1").first().waitFor({ state: "attached" });
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
  await eventually("one cache, nothing of the site's own answers", () => person.page.evaluate(async () => {
    const names = await caches.keys();
    const urls = (await (await caches.open(names[0])).keys()).map((r) => new URL(r.url).pathname);
    return [names.length, urls.some((u) => u.startsWith("/api")), urls.includes("/")];
  }), [1, false, false]);
  await close(person);
  const other = await open("/computer");
  await other.id("computer-form").or(other.id("no-engine")).first().waitFor();
  await eventually("who never comes here has no worker", () => other.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  await close(other);
}

// L-043: beside the board, live: what is kept so far, and what is broken after a side's tenth move.
const GOOD = ["e2e4", "g1f3", "f1c4", "e1g1", "d2d3", "b1c3", "c1e3", "d1d2", "f1e1", "a2a3"];
const BAD = ["a7a6", "h7h6", "b7b6", "g7g6", "f7f6", "c7c6", "d8c7", "c7d6", "e8d8", "d8c7"];
const RULES = ["center", "develop", "twice", "castle", "bishops", "pawns", "queen"];

async function opening() {
  const person = await open("/local");
  await offline(person);
  await choose(person, "opponents-human");
  await person.id("local-start").click();
  await onBoard(person);
  const list = person.id("opening-checklist");
  await list.waitFor();
  const signs = (color) => Promise.all(RULES.map((rule) => list.locator(`[data-rule="${color}-${rule}"]`).getAttribute("class")));
  await play(person, [GOOD[0], BAD[0]]);
  await eventually("White after a move", () => signs("white"), ["kept", "open", "kept", "open", "open", "kept", "kept"]);
  await eventually("Black after a move", () => signs("black"), ["open", "open", "kept", "open", "open", "kept", "kept"]);
  await play(person, GOOD.slice(1).flatMap((move, i) => [move, BAD[i + 1]]).slice(0, -1));
  await eventually("White after ten", () => signs("white"), RULES.map(() => "kept"));
  await eventually("Black after nine", () => signs("black"), ["open", "open", "open", "open", "kept", "open", "open"]);
  await play(person, [BAD[9]]);
  const broken = ["broken", "broken", "broken", "broken", "kept", "broken", "broken"];
  await eventually("Black after ten", () => signs("black"), broken);
  await eventually("by which move", async () => (await list.locator('[data-rule="black-queen"]').innerText()).includes("7…\u00a0Qc7"));
  await accessible(person, "the opening checklist");
  await play(person, ["h2h3", "d6e6"]);
  await eventually("what comes later changes nothing", () => signs("black"), broken);
  // Folded up it stays so.
  await person.page.locator(".local-opening summary").click();
  await eventually("folded", () => list.isVisible(), false);
  await person.go("/local");
  await person.id("forget").click();
  await choose(person, "opponents-computer");
  await person.id("local-start").click();
  await onBoard(person);
  await person.page.locator(".local-opening summary").click();
  await eventually("only the person's own", async () => [await list.locator('[data-rule^="white-"]').count(), await list.locator('[data-rule^="black-"]').count()], [7, 0]);
  await close(person);
}

const cases = {
  "against the computer, offline (L-006, L-032)": computer,
  "two at one board claim a draw (L-010)": claim,
  "the course of a game": course,
  "the opening checklist (L-043)": opening,
  "files (L-015, L-016)": files,
  "set-up and promotion (L-025, L-020)": setUp,
  "flags and the site (L-013, L-031)": flags,
  "the chess clock (L-028)": clock,
  "64 = 65 (L-030)": curiosity,
  "what is kept offline": worker,
  "accessible in every look": everyLook,
};
await run(cases, async () => {
  await browser.close();
  await site.stop();
});
