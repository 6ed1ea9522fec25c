// SPDX-License-Identifier: GPL-3.0-or-later
// The server is killed with SIGKILL in the middle of games and started again: no move that a browser
// has seen is lost, play goes on in the same windows, and no clock gets time back.
import { Person, Site, eventually, holds, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();

const OUTAGE_MS = 2500;
const SIGNS_MS = 1000; // between two signs of life, which may be charged

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The game as it stands (asked for when: began), with signs of life on the disk that are not older than they should be: a machine or a
// disk that stood still just now has none, and gives the clocks back what it cannot know.
async function alive(person, id) {
  const { request } = person.page;
  const headers = { Origin: site.url };
  let game;
  let began;
  await eventually("the disk is quick", async () => {
    began = Date.now();
    const made = await request.post(`${site.url}/api/v1/challenges`, { headers, data: { control: { kind: "days", days: 3 }, color: "white", rated: false } });
    holds(made.ok(), `${made.status()} for a challenge`);
    await request.delete(`${site.url}/api/v1/challenges/${(await made.json()).id}`, { headers });
    game = await person.game(id);
    return Date.now() - began < SIGNS_MS / 2 - 100;
  });
  return { game, began };
}

async function killedInTheMiddle() {
  const white = await Person.open(browser, site, "Ivan");
  const black = await Person.open(browser, site, "Maria");
  await Promise.all([white.register(), black.register()]);
  await white.challenge({ base: 10, increment: 0, color: "white" });
  await black.join();
  const id = await white.onBoard();
  const moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"];
  const players = [white, black];
  const colors = ["white", "black"];
  for (const [i, uci] of moves.entries()) {
    const mover = players[i % 2];
    await mover.click(uci, colors[i % 2]);
    await mover.seesPly(i + 1);
    if (i % 3 === 1) {
      const { game: before, began } = await alive(white, id);
      await site.kill();
      await pause(OUTAGE_MS);
      await site.restart();
      const after = await white.game(id);
      const lived = Date.now() - began - OUTAGE_MS + 100; // and what is rounded
      same(after.moves.slice(0, i + 1).map((move) => move.uci), moves.slice(0, i + 1), "moves after the restart");
      same(after.moves.slice(0, i + 1).map((move) => move.clock), before.moves.map((move) => move.clock), "clock times in the record");
      for (const color of colors)
        holds(after.clocks[color] <= before.clocks[color], `${color}'s clock is no higher: ${before.clocks[color]} then ${after.clocks[color]}`);
      // The outage is nobody's: he pays for no more than what passed before the kill and after the start.
      holds(before.clocks.white - after.clocks.white <= lived + SIGNS_MS, `White did not pay for the outage: ${before.clocks.white} then ${after.clocks.white}, ${lived} ms`);
    }
    await Promise.all(players.map((person) => person.seesPly(i + 1)));
  }
  await black.id("resign").click({ trial: true });
  await white.id("resign").click();
  await white.id("resign-yes").click();
  for (const person of players) {
    await person.id("game-result").waitFor();
    await eventually("result", () => person.id("game-result").getAttribute("data-result"), "0-1");
    same(person.faults, [], `${person.nick}'s browser`);
  }
  // And once more after the end.
  await site.kill();
  await site.restart();
  const game = await white.game(id);
  same([game.result, game.reason, game.ply], ["0-1", "resignation", moves.length], "the finished game after a restart");
}

async function challengesSurvive() {
  const person = await Person.open(browser, site, "Petru", { locale: "ro-RO" });
  await person.register();
  await person.challenge({ base: 15, increment: 10, color: "random" });
  await site.kill();
  await site.restart();
  const { challenges } = await (await person.page.request.get(`${site.url}/api/v1/challenges`)).json();
  same(challenges.map((c) => c.nick), ["Petru"], "the lobby after a restart");
  await person.context.close();
}

await run({ killedInTheMiddle, challengesSurvive }, async () => {
  await browser.close();
  await site.stop();
});
