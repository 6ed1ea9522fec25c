// SPDX-License-Identifier: GPL-3.0-or-later
// A guest without an account plays a whole game against level 3, in each language, while the engine is killed twice.
// The guest's moves come from an engine of the test's own, so that the game ends.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Person, Site, eventually, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off", "--engine-pace", "off"] });
const browser = await openBrowser();

// The helper's engine: one question at a time.
const helper = spawn("/usr/games/stockfish", { stdio: ["pipe", "pipe", "ignore"] });
const lines = createInterface({ input: helper.stdout });
let told = () => {};
lines.on("line", (line) => line.startsWith("bestmove ") && told(line.split(" ")[1]));
helper.stdin.write("uci\n");
const best = (moves) =>
  new Promise((resolve) => {
    told = resolve;
    helper.stdin.write(`position startpos moves ${moves.join(" ")}\ngo nodes 40000\n`);
  });

function engines() {
  return readdirSync("/proc").filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      return stat.includes("(stockfish)") && Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === site.process.pid;
    } catch {
      return false;
    }
  });
}

async function wholeGame(locale, phone) {
  const options = { locale, ...(phone ? { viewport: { width: 360, height: 740 }, mobile: true } : {}) };
  const guest = await Person.open(browser, site, "guest", options);
  await guest.go("/computer");
  await guest.choose("level-3");
  await guest.choose("color-white");
  await guest.id("start-computer").click();
  const id = await guest.onBoard();
  let game = await guest.game(id);
  let killed = 0;
  while (game.state === "running" && game.ply < 300) {
    const uci = await best(game.moves.map((move) => move.uci));
    if (game.ply === 6 || game.ply === 12) {
      for (const pid of engines()) process.kill(Number(pid), "SIGKILL");
      killed++;
    }
    await guest.click(uci, "white");
    const ply = game.ply;
    await eventually(`the computer answers move ${ply / 2 + 1}`, async () => {
      game = await guest.game(id);
      return game.state !== "running" || game.ply === ply + 2;
    });
    await guest.seesPly(game.ply);
  }
  same([game.result, game.reason], ["1-0", "checkmate"], `the end after ${game.ply} plies`);
  same(killed, 2, "the engine was killed twice");
  await guest.id("game-result").waitFor();
  await eventually("the page says so", () => guest.id("game-result").getAttribute("data-result"), "1-0");
  await eventually("no horizontal scroll", () => guest.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  same(guest.faults, [], "the browser has nothing to complain of");
  await guest.context.close();
}

async function takenBack() {
  const guest = await Person.open(browser, site, "guest");
  await guest.go("/computer");
  await guest.choose("level-1");
  await guest.id("start-computer").click();
  await guest.onBoard();
  await guest.click("e2e4", "white");
  await guest.seesPly(2);
  await guest.id("take-back").click();
  await guest.seesPly(0);
  await guest.click("d2d4", "white");
  await guest.seesPly(2);
  await eventually("the move that stands", async () => (await guest.moves())[0], "d4");
  // Neither has a rating: such games are never rated.
  await eventually("ratings beside the names", () => guest.page.locator(".strip .rating").count(), 0);
  const path = new URL(guest.page.url()).pathname;
  // The page opened by its address: every word is there.
  await guest.page.reload();
  await eventually("no clock", async () => /· no clock ·/.test(await guest.id("game-info").innerText()), true);
  // The main page says so too, and who is a guest is shown the way in, not a form that will be refused.
  await guest.go("/");
  const row = guest.page.locator('[data-testid="active-games"] tbody tr');
  const said = () => row.innerText();
  await eventually(said, async () => /no clock/.test(await said()) && !/days|13 d|14 d/.test(await said()));
  await eventually("the button of the form", () => guest.id("create-challenge").innerText(), "Log in to play");
  await guest.id("create-challenge").click();
  await guest.id("login-form").waitFor();
  // The page closed and opened again: the game waits.
  await guest.go(path);
  await guest.seesPly(2);
  same(guest.faults, [], "the browser");
  await guest.context.close();
}

await run(
  {
    "a guest mates level 3, in English": () => wholeGame("en-GB", false),
    "in Russian, on a phone": () => wholeGame("ru-RU", true),
    "in Romanian": () => wholeGame("ro-RO", false),
    "a move is taken back, and the game waits": takenBack,
  },
  async () => {
    helper.kill();
    await browser.close();
    await site.stop();
  },
);
