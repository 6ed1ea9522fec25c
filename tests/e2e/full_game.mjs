// SPDX-License-Identifier: GPL-3.0-or-later
// Two people register, meet in the lobby and play whole games: one with castling, en passant and a
// promotion that mates, by every way of moving; one that ends by flag.
import { PATIENCE_MS, Person, Site, eventually, holds, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();

// 1.e4 e6 2.e5 d5 3.exd6 e.p. ... 7.O-O ... 10.cxd8=Q#
const GAME = ["e2e4", "e7e6", "e4e5", "d7d5", "e5d6", "g8h6", "g1f3", "h6f5", "d6c7", "a7a6", "f1e2", "h7h5", "e1g1", "h5h4",
  "d2d4", "h4h3", "c1g5", "b7b6", "c7d8q"];
const SCORE = ["e4", "e6", "e5", "d5", "exd6", "Nh6", "Nf3", "Nf5", "dxc7", "a6", "Be2", "h5", "O-O", "h4", "d4", "h3", "Bg5",
  "b6", "cxd8=Q#"];
const TYPED = { e7e6: "e6", d7d5: "d7d5", g8h6: "Кh6", h6f5: "Кf5" };

async function pair(names, control) {
  const [white, black] = await Promise.all([
    Person.open(browser, site, names[0]),
    Person.open(browser, site, names[1], { locale: "ru-RU" }),
  ]);
  await Promise.all([white.register(), black.register()]);
  await white.challenge({ ...control, color: "white" });
  await black.join();
  const id = await white.onBoard();
  same(await black.onBoard(), id, "both sit at the same board");
  return { white, black, id };
}

async function close(...people) {
  for (const person of people) {
    same(person.faults, [], `${person.nick}'s browser`);
    await person.context.close();
  }
}

// S-050, S-051, S-052, S-057, S-063, S-074, X-002, R-022.
async function wholeGame() {
  const { white, black, id } = await pair(["Anna", "Bella"], { base: 10, increment: 5 });
  const moves = async (from, to) => {
    for (const [i, uci] of [...GAME.entries()].slice(from, to)) {
      if (i % 2 === 0) await (i % 4 === 0 ? white.drag(uci, "white") : white.click(uci, "white"));
      else if (TYPED[uci]) await black.type(TYPED[uci]);
      else if (i % 4 === 1) await black.keys(uci);
      else await black.click(uci, "black");
      await Promise.all(everybody.map((person) => person.seesPly(i + 1)));
    }
  };
  const everybody = [white, black];
  await moves(0, 2); // these must come within half a minute
  const spectator = await Person.open(browser, site, "guest", { locale: "ro-RO" });
  everybody.push(spectator);
  await spectator.go(`/game/${id}`);
  await spectator.onBoard();
  // White sits below for White and for spectators, Black for Black; the board turns.
  const below = (person) => person.page.locator('[data-testid="board"] .cg-wrap').evaluate((e) => (e.classList.contains("orientation-white") ? "white" : "black"));
  await eventually("who sits below", async () => [await below(white), await below(black), await below(spectator)], ["white", "black", "white"]);
  await spectator.id("flip").click();
  await eventually("the board turned", () => below(spectator), "black");
  await spectator.id("flip").click();
  await moves(2);
  for (const person of everybody) {
    const panel = person.id("game-result");
    await panel.waitFor();
    await eventually("result", () => panel.getAttribute("data-result"), "1-0");
    await eventually("reason", () => panel.getAttribute("data-reason"), "checkmate");
  }
  await eventually("the mated king is marked", () => black.page.locator('[data-testid="board"] square.check').count(), 1);
  const game = await white.game(id);
  same(game.moves.map((move) => move.san), SCORE, "score");
  same(game.article, "5.1.1", "article");
  // The knight's letter is that of each reader: English, Russian, Romanian.
  await eventually("English score", async () => (await white.moves())[6], "Nf3");
  await eventually("Russian score", async () => (await black.moves())[6], "Кf3");
  await eventually("Romanian score", async () => (await spectator.moves())[6], "Cf3");

  // Replay by the arrow keys, and the score to take home.
  await spectator.page.keyboard.press("Home");
  await spectator.page.locator('[data-testid="moves"] [aria-current]').waitFor({ state: "detached" });
  await spectator.page.keyboard.press("ArrowRight");
  await eventually("after one step", () => spectator.page.locator('[data-testid="moves"] [aria-current]').getAttribute("data-ply"), "1");
  const pgn = await (await spectator.page.request.get(`${site.url}/api/v1/games/${id}.pgn`)).text();
  holds(pgn.includes('[White "Anna"]') && pgn.includes('[Result "1-0"]'), "tags of the PGN");
  holds(/10\.\s+cxd8=Q#/.test(pgn), `the mating move in the PGN:\n${pgn}`);

  // It stands in both profiles.
  // The list gives room to the panel of the end, and the last move stays in its sight.
  await white.page.setViewportSize({ width: 1280, height: 560 });
  await eventually("the last move in sight", () => white.id("moves").evaluate((list) => {
    const move = list.querySelector('[data-ply="19"]');
    const a = list.getBoundingClientRect();
    const b = move.getBoundingClientRect();
    return [move.getAttribute("aria-current"), list.scrollHeight > list.clientHeight, b.top >= a.top - 1 && b.bottom <= a.bottom + 1];
  }), ["true", true, true]);
  await spectator.go("/player/Bella");
  await spectator.page.locator(`a[href="/game/${id}"]`).first().waitFor();
  await close(white, black, spectator);
}

async function flagFall() {
  const { white, black, id } = await pair(["Cesar", "David"], { base: 0.5, increment: 0 });
  await white.click("e2e4", "white");
  await black.seesPly(1);
  await black.click("e7e5", "black");
  await white.seesPly(2);
  // White thinks until his flag falls; nobody does anything.
  await black.page.locator('[data-testid="game-result"]').waitFor({ timeout: 30_000 + PATIENCE_MS });
  await eventually("result", () => black.id("game-result").getAttribute("data-result"), "0-1");
  await eventually("reason", () => black.id("game-result").getAttribute("data-reason"), "flag");
  const game = await white.game(id);
  same(game.article, "6.9", "article");
  same(game.clocks.white, 0, "White's clock");
  await white.id("game-result").waitFor();
  await close(white, black);
}

// S-056: castling by the king onto its rook; S-093: a draw agreed.
async function drawnGame() {
  const { white, black } = await pair(["Eva", "Felix"], { base: 5, increment: 3 });
  await white.click("g1f3", "white");
  await black.seesPly(1);
  await black.click("g8f6", "black");
  await white.seesPly(2);
  const opening = ["g2g3", "g7g6", "f1g2", "f8g7", "e1h1"];
  for (const [i, uci] of opening.entries()) {
    await (i % 2 === 0 ? white.click(uci, "white") : black.click(uci, "black"));
    await Promise.all([white.seesPly(i + 3), black.seesPly(i + 3)]);
  }
  await eventually("the king onto the rook castles", async () => (await white.moves())[6], "0-0");
  await white.click("e2e4", "white");
  await white.click("d7d5", "white");
  await eventually("no variation in a live game (S-060)", () => white.id("variation").count(), 0);
  await eventually("the score", async () => (await white.moves()).length, 7);
  await white.page.mouse.click(...(await white.at("h5", "white")), { button: "right" });
  for (const [i, uci] of ["f6e4", "h2h3", "e8g8"].entries()) {
    await (i % 2 === 0 ? black.click(uci, "black") : white.click(uci, "white"));
    await Promise.all([white.seesPly(i + 8), black.seesPly(i + 8)]);
  }
  await white.id("offer-draw").check();
  await white.click("f3h4", "white");
  await black.id("accept-draw").click();
  for (const person of [white, black]) {
    await person.id("game-result").waitFor();
    await eventually("reason", () => person.id("game-result").getAttribute("data-reason"), "agreement");
  }
  await close(white, black);
}

// S-053, R-024: an illegal move cannot be made: the piece goes back and the clock runs on. S-060: nothing
// is tried out while a live game runs. S-069: who resigns is asked, and told how it will end.
async function illegalMove() {
  const { white, black, id } = await pair(["Gustav", "Hector"], { base: 5, increment: 3 });
  await white.type("e4"); // the first moves must come within half a minute
  await white.seesPly(1);
  // A forged move past the client is refused by the server with the reason.
  const forged = await black.page.request.post(`${site.url}/api/v1/games/${id}/move`, {
    data: { ply: 1, uci: "e8e4" }, headers: { Origin: site.url },
  });
  same([forged.status(), (await forged.json()).error.code], [422, "illegal_move"], "a forged move");
  const stale = await black.page.request.post(`${site.url}/api/v1/games/${id}/move`, {
    data: { ply: 0, uci: "e7e5" }, headers: { Origin: site.url },
  });
  same([stale.status(), (await stale.json()).error.code], [409, "stale_ply"], "a stale move");
  await black.seesPly(1);
  await black.click("e7e5", "black");
  await white.seesPly(2);
  await white.drag("d2d5", "white");
  await white.click("e1d1", "white");
  await white.type("Nf4");
  await white.id("move-error").waitFor();
  await eventually("plies made", async () => (await white.game(id)).ply, 2);
  await white.id("resign").click();
  // Black could still mate, so it is a loss (Article 5.1.2); the page finds that out in a worker.
  await white.id("resign-question").getByText("You lose the game.").waitFor();
  await white.id("resign-yes").click();
  await black.id("game-result").waitFor();
  await eventually("result", () => black.id("game-result").getAttribute("data-result"), "0-1");
  await close(white, black);
}

await run({ wholeGame, flagFall, drawnGame, illegalMove }, async () => {
  await browser.close();
  await site.stop();
});
