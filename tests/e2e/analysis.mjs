// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis board: variations, PGN there and back, positions set up, the engine on one's own machine, who can still mate,
// fair play; accessible in both themes, three languages, on a desk and on a phone; nothing from elsewhere.
import { Person, Site, accessible, eventually, holds, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const phone = { viewport: { width: 360, height: 640 }, mobile: true, scale: 2 };
const guest = await Person.open(browser, site, "guest");
await guest.context.grantPermissions(["clipboard-read", "clipboard-write"]);
const tree = (person = guest) => person.page.locator('[data-testid="moves-tree"] [data-uci]').evaluateAll((list) => list.map((b) => b.dataset.uci));
const current = () => guest.page.locator('[data-testid="moves-tree"] [aria-current]').getAttribute("data-uci");
const start = async (person, path = "/analysis") => {
  await person.go(path);
  await person.page.locator('[data-testid="board"] cg-board').waitFor();
};

const PGN = `[Event "Paris"]
[White "Morphy"]
[Black "Duke"]
[Result "1-0"]

{An opera.} 1. e4 e5 2. Nf3 d6 $6 (2... Nc6 {is usual} 3. Bb5 (3. Bc4 Bc5) 3... a6) 3. d4 1-0`;

async function variations() {
  await start(guest);
  for (const [i, uci] of ["e2e4", "e7e5"].entries()) {
    await guest.keys(uci);
    await eventually("by keys", () => tree(), ["e2e4", "e7e5"].slice(0, i + 1));
  }
  await guest.page.keyboard.press("Escape");
  await guest.id("prev").click();
  // an arrow by the right button.
  await guest.page.mouse.move(...(await guest.at("g8", "white")));
  await guest.page.mouse.down({ button: "right" });
  await guest.page.mouse.move(...(await guest.at("f6", "white")), { steps: 3 });
  await guest.page.mouse.up({ button: "right" });
  await eventually("an arrow", () => guest.page.locator(".cg-shapes line").count(), 1);
  await guest.drag("c7c5", "white");
  await eventually("another move is a variation", () => tree(), ["e2e4", "e7e5", "c7c5"]);
  await eventually("on the board", current, "c7c5");
  await guest.id("promote").click();
  await eventually("promoted", () => tree(), ["e2e4", "c7c5", "e7e5"]);
  await guest.id("nag-3").click();
  await guest.page.fill("#comment", "sharper");
  await eventually("a sign", async () => (await guest.page.locator('[data-testid="moves-tree"]').innerText()).includes("c5!!"), true);
  await guest.page.locator("h2").first().click();
  await guest.page.keyboard.press("ArrowDown");
  await eventually("down: the next variation", current, "e7e5");
  await guest.page.keyboard.press("Home");
  await guest.page.keyboard.press("ArrowRight");
  await eventually("right: the next move", current, "e2e4");
  await guest.page.keyboard.press("ArrowRight");
  await guest.id("delete-move").click();
  await eventually("deleted", () => tree(), ["e2e4", "e7e5"]);
}

async function pgn() {
  await start(guest);
  await guest.page.fill("#pgn", PGN);
  await guest.id("pgn-open").click();
  const moves = ["e2e4", "e7e5", "g1f3", "d7d6", "b8c6", "f1b5", "f1c4", "f8c5", "a7a6", "d2d4"];
  await eventually("moves and variations", () => tree(), moves);
  await guest.id("pgn-write").click();
  // The Seven Tag Roster is whole in what is written, unlike in what was read.
  await eventually("written anew", async () => (await guest.page.inputValue("#pgn")).includes('[Round "?"]'), true);
  const written = await guest.page.inputValue("#pgn");
  same([/2\. Nf3 d6 \$6 \(2\.\.\. Nc6 \{is usual\} 3\. Bb5 \(3\. Bc4 Bc5\) 3\.\.\. a6\)/.test(written.replace(/\s+/g, " ")), /\[White "Morphy"\]/.test(written)], [true, true], written);
  await guest.id("share").click();
  await eventually("a link to share", async () => (await guest.page.inputValue("#pgn")).startsWith(`${site.url}/analysis#pgn=`), true);
  const link = await guest.page.inputValue("#pgn");
  const other = await Person.open(browser, site, "other");
  await other.page.goto(link);
  await other.page.locator('[data-testid="board"] cg-board').waitFor();
  await eventually("the link holds the game", () => tree(other), moves);
  await other.context.close();
  await guest.page.fill("#pgn", "1. e4 e5 2. Ke3 *");
  await guest.id("pgn-open").click();
  await eventually("an illegal move is told", async () => [await tree(), (await guest.id("problems").innerText()).startsWith("Line 1")], [["e2e4", "e7e5"], true]);
  await guest.page.fill("#pgn", "no game");
  await guest.id("pgn-open").click();
  await eventually("no game is told", async () => await guest.id("pgn-error").innerText() !== "", true);
  await eventually("and what was wrong with the text before it no longer", () => guest.id("problems").count(), 0);
}

// The faults of positions and games in the reader's language, not in the core's English.
async function faultsAbroad() {
  const foreign = /[a-z]{4,}|White|Black/;
  const person = await Person.open(browser, site, "person", { locale: "ru-RU" });
  await start(person);
  await person.page.fill("#pgn", "1. e4 e5 2. Qh7 *");
  await person.id("pgn-open").click();
  await eventually("an illegal move", () => person.id("problems").innerText(), "Строка 1, столбец 13: невозможный ход");
  await person.page.fill("#pgn", "8/8/8/8/8/8/8/8 w - - 0 1");
  await person.id("pgn-open").click();
  await eventually("no kings", async () => /ровно один король/.test(await person.id("pgn-error").innerText()), true);
  await person.id("setup-open").click();
  for (const [fen, words] of [
    ["4k3/8/8/8/8/8/8/8 w - - 0 1", /ровно один король/],
    ["P3k3/8/8/8/8/8/8/4K3 w - - 0 1", /пешек не бывает/],
    ["4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", /рокировк/],
    ["4k3/8/8/8/8/8/8/4K3 w", /не читается/],
  ]) {
    await person.page.fill("#setup-fen", fen);
    await person.id("setup-done").click();
    await eventually(fen, async () => words.test(await person.id("setup-error").innerText()), true);
    same(foreign.test(await person.id("setup-error").innerText()), false, `${fen}: Russian alone`);
  }
  await person.go("/analysis?fen=8/8/8/8/8/8/8/8_w_-_-_0_1");
  await person.id("analysis-refused").waitFor();
  await eventually("by a link", async () => /ровно один король/.test(await person.id("analysis-refused").innerText()), true);
  same(person.faults, [], "faults");
  await person.context.close();
}

// What programs write into comments stays in the file and is not shown; moves are counted as a score sheet does.
async function clockComments() {
  await start(guest);
  await guest.page.fill("#pgn", "1. e4 {[%clk 0:16:42]} e5 {[%clk 0:16:40]} 2. Bc4 {[%clk 0:16:30]} Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
  await guest.id("pgn-open").click();
  await eventually("four moves", async () => (await guest.page.locator(".study-moves h2").innerText()).includes("4 moves"), true);
  await eventually("no number is said again for a comment that is not shown",
    async () => (await guest.page.locator('[data-testid="moves-tree"]').innerText()).replace(/\s+/g, " ").trim(), "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#");
  await guest.id("next").click();
  await eventually("at the first move", current, "e2e4");
  await eventually("no command in the field", () => guest.page.inputValue("#comment"), "");
  await guest.page.locator("#comment").pressSequentially("so be it");
  await eventually("typed", () => guest.page.inputValue("#comment"), "so be it");
  await guest.id("pgn-write").click();
  await eventually("kept in the file", async () => (await guest.page.inputValue("#pgn")).replace(/\s+/g, " ").includes("e4 {[%clk 0:16:42] so be it}"), true);
  await guest.page.locator('[data-question="answer"]').waitFor();
  await guest.id("last").click();
  await guest.page.locator('[data-fact="mates"]').waitFor();
  await eventually("after mate nobody answers", () => guest.page.locator("[data-question]").count(), 1);
}

async function setUp() {
  await start(guest);
  await guest.id("setup-open").click();
  await guest.page.getByRole("button", { name: "Empty board" }).click();
  await guest.id("setup-done").click();
  await eventually("no position without kings", async () => /king/i.test(await guest.id("setup-error").innerText()), true);
  for (const [man, square] of [["white-king", "g6"], ["white-rook", "a1"], ["black-king", "h8"]]) {
    await guest.page.click(`[data-hand="${man}"]`);
    await guest.page.click(`[data-put="${square}"]`);
  }
  await guest.id("setup-done").click();
  await eventually("set up", () => guest.page.inputValue("#fen"), "7k/8/6K1/8/8/8/8/R7 w - - 0 1");
}

// The engine finds a mate in two; its lines stand in one's notation and can be kept.
async function engine() {
  const fetched = [];
  guest.page.on("request", (r) => fetched.push(r.url()));
  await start(guest, "/analysis?fen=7k/8/5K2/8/8/8/8/R7_w_-_-_0_1");
  same(fetched.some((u) => /stockfish/.test(u)), false, "the engine is fetched when it is started");
  await guest.id("engine-toggle").click();
  await guest.page.waitForFunction(() => document.querySelector('[data-testid="best-score"]')?.textContent === "#2");
  same(fetched.filter((u) => /stockfish/.test(u)).every((u) => u.startsWith(site.url)), true, "by this site");
  await eventually("the king goes first", async () => /Kf7|Kg6/.test(await guest.id("best-move").innerText()), true);
  await guest.page.selectOption('[data-testid="engine-lines"]', "3");
  await guest.page.waitForFunction(() => document.querySelectorAll('[data-testid="engine-found"] li').length === 3);
  await guest.id("best-move").click();
  await guest.page.waitForFunction(() => document.querySelector('[data-testid="moves-tree"] [data-uci]'));
  await guest.id("engine-toggle").click();
  await eventually("stopped", () => guest.id("engine-found").count(), 0);
}

async function graph() {
  await start(guest);
  await guest.page.fill("#pgn", "1. f3 e5 2. g4 Qh4# 0-1");
  await guest.id("pgn-open").click();
  await guest.id("evaluate").click();
  await guest.page.locator('[data-testid="graph"][aria-label*="5 positions"]').waitFor();
  await eventually("drawn", () => guest.page.locator('[data-testid="graph"] canvas').count(), 1);
}

// "Explain dead position": who can mate, by a line or a proof.
async function dead() {
  await start(guest, "/analysis?fen=8/8/8/8/8/4k3/8/4KB2_w_-_-_0_1");
  await guest.id("dead-ask").click();
  await guest.page.locator('[data-testid="dead-white"]').waitFor();
  await eventually("king and bishop", async () => /The position is dead/.test(await guest.id("dead-answer").innerText()), true);
  await start(guest, "/analysis?fen=8/8/8/8/8/4k3/4P3/4K3_w_-_-_0_1");
  await guest.id("dead-ask").click();
  await guest.id("dead-line-white").click();
  await guest.id("last").click();
  await eventually("the line ends in mate", async () => (await guest.page.locator('[data-testid="moves-tree"]').innerText()).includes("#"), true);
  await eventually("on the board", async () => (await tree()).length > 3, true);
}

// No engine in a running game (S-065), a game that has ended opens from its panel.
async function fairPlay() {
  const anna = await Person.open(browser, site, "Anna");
  const mihai = await Person.open(browser, site, "Mihai");
  await Promise.all([anna.register(), mihai.register()]);
  await anna.challenge({ base: 15, increment: 10, color: "white" });
  await mihai.join();
  const game = await anna.onBoard();
  for (const [i, uci] of ["e2e4", "e7e5"].entries()) {
    const person = [anna, mihai][i % 2];
    await person.keys(uci);
    await Promise.all([anna.seesPly(i + 1), mihai.seesPly(i + 1)]);
  }
  await mihai.go(`/analysis?game=${game}`);
  await mihai.id("analysis-refused").waitFor();
  await start(mihai);
  await mihai.id("engine-toggle").click();
  await mihai.page.locator('[data-testid="engine-status"].warning').waitFor();
  await eventually("off while a live game runs", () => mihai.id("engine-found").count(), 0);
  await anna.id("resign").click();
  await anna.id("resign-yes").click();
  await anna.id("end-board").click();
  await anna.page.locator('[data-testid="board"] cg-board').waitFor();
  await anna.page.locator('[data-testid="moves-tree"] [data-uci]').first().waitFor();
  await eventually("the game that has ended", () => tree(anna), ["e2e4", "e7e5"]);
  same([...anna.faults, ...mihai.faults], [], "faults");
  await anna.context.close();
  await mihai.context.close();
}

async function everyLook() {
  for (const [locale, theme, size] of [["en-GB", "light", {}], ["ru-RU", "dark", {}], ["ro-RO", "dark", phone]]) {
    const person = await Person.open(browser, site, "reader", { locale, theme, ...size });
    await start(person);
    await person.page.fill("#pgn", PGN);
    await person.id("pgn-open").click();
    await person.id("last").click();
    const where = `${locale}, ${theme}, ${size.mobile ? "phone" : "desk"}`;
    await accessible(person, where);
    if (size.mobile) {
      await person.id("setup-open").click();
      await accessible(person, `setting up, ${where}`);
    }
    same(person.faults, [], where);
    await person.context.close();
  }
}

async function nothingWrong() {
  same(guest.faults, [], "faults, requests to elsewhere among them");
}

await run({ variations, pgn, faultsAbroad, clockComments, setUp, engine, graph, dead, fairPlay, everyLook, nothingWrong }, async () => {
  await browser.close();
  await site.stop();
});
