// SPDX-License-Identifier: GPL-3.0-or-later
// The disk is full: play stands, nobody is told of anything that is not kept, and it goes on when there is
// room again, without anybody's clock having run meanwhile.
import { execFileSync, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { PATIENCE_MS, Site, eventually, holds, newGame, runTests, same, sleep, test, within } from "./harness.mjs";

try {
  execFileSync("prlimit", ["--version"]);
} catch {
  console.log("skipped: there is no prlimit");
  process.exit(77);
}

const STILL_MS = 2500;
// A commit that was under way before we looked is credited with all of its time, once it takes longer than this.
const STALL_MS = 1000;

// No file of the program may grow past size; undefined: any size.
const limit = (site, size) => execFileSync("prlimit", ["--pid", String(site.process.pid), `--fsize=${size ?? "unlimited"}:`]);

test("a full disk stops play and loses nothing", async () => {
  const site = await Site.start({ flags: ["--rate-limits", "off"] });
  const { white, black, game } = await newGame(site);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  const heard = white.socket.heard.length;
  const began = Date.now();
  const before = (await black.get(`/api/v1/games/${game}`)).json;

  limit(site, 1024);
  // White's move cannot be kept: neither he nor his opponent hears of it.
  white.socket.send("move", { game, ply: 2, uci: "g1f3" }, 900);
  await within(PATIENCE_MS, "the server knows", (async () => { while ((await site.request("GET", "/healthz")).status === 200) await sleep(50); })());
  const refused = await black.post(`/api/v1/games/${game}/resign`);
  same([refused.status, refused.json.error.code], [503, "unavailable"], "commands are refused");
  const other = await black.socket.ask("resign", { game });
  same([other.t, other.d.code], ["error", "unavailable"], "by WebSocket as well");
  const register = await site.request("POST", "/api/v1/register", {
    body: { nick: "Nobody-Now", password: "knight on the rim 8", password2: "knight on the rim 8", language: "en", accept_rules: true },
  });
  same(register.status, 503, "accounts as well");
  same(register.json.error.message, "the server cannot do that now; try again", "and where the files lie is told to nobody");
  await sleep(STILL_MS);
  // One that came too late to be made, on a slow machine, waits for a while and is then refused.
  const late = white.socket.heard.some((m) => m.t === "error" && m.id === 900 && m.d.code === "unavailable");
  holds(![...white.socket.heard, ...black.socket.heard].some((m) => m.d.ply === 3 || (m.id === 900 && !late)), "nothing was told");

  const told = white.socket.wait((m) => m.t === "ack" && m.id === (late ? 901 : 900), "the ack comes when the move is kept", PATIENCE_MS, heard);
  limit(site);
  if (late) {
    await eventually("there is room again", async () => (await site.request("GET", "/healthz")).status, 200);
    white.socket.send("move", { game, ply: 2, uci: "g1f3" }, 901);
  }
  await told;
  same((await site.request("GET", "/healthz")).status, 200, "health");
  const after = (await black.get(`/api/v1/games/${game}`)).json;
  same(after.ply, 3, "the move is made");
  // Nobody pays for more than what passed before and after the stand-still.
  const lived = Date.now() - began - STILL_MS + 100; // and what is rounded
  const used = before.clocks.white + 3000 - after.clocks.white;
  holds(used <= lived, `white was charged ${used} ms of the stand-still, lived ${lived}`);
  const blacks = before.clocks.black - after.clocks.black;
  holds(blacks <= lived, `black was charged ${blacks} ms of the stand-still, lived ${lived}`);
  await black.socket.must("move", { game, ply: 3, uci: "b8c6" });

  await site.kill();
  await site.restart();
  same((await white.get(`/api/v1/games/${game}`)).json.moves.map((m) => m.uci), ["e2e4", "e7e5", "g1f3", "b8c6"], "after a kill");
  await site.end();
});

// Nobody does anything; only the signs of life cannot be kept.
test("a full disk costs nobody time who only thinks", async () => {
  const site = await Site.start({ flags: ["--rate-limits", "off"] });
  const { white, black, game } = await newGame(site);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  await sleep(600);
  const began = Date.now();
  const before = (await black.get(`/api/v1/games/${game}`)).json.clocks;
  limit(site, 1024);
  await eventually("the server knows", async () => (await site.request("GET", "/healthz")).status, 503);
  await sleep(STILL_MS);
  limit(site);
  await eventually("it goes on", async () => (await site.request("GET", "/healthz")).status, 200);
  const after = (await black.get(`/api/v1/games/${game}`)).json.clocks;
  const lived = Date.now() - began - STILL_MS + 100;
  const used = before.white - after.white;
  holds(used > -STALL_MS && used <= lived, `white was charged ${used} ms of the stand-still, lived ${lived}`);
  await site.end();
});

// Another program has the file for itself: our commits take as long, and none fails. A slow disk is no different.
async function heldUp(site, ms, meanwhile) {
  const script = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None); db.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read()";
  const holder = spawn("/usr/bin/python3", ["-c", script, join(site.data, "jadoube.db")], { stdio: ["pipe", "pipe", "inherit"] });
  await within(PATIENCE_MS, "the file is held", new Promise((done) => holder.stdout.once("data", done)));
  const began = Date.now();
  const results = meanwhile();
  await sleep(ms - (Date.now() - began));
  const ended = new Promise((done) => holder.once("exit", done));
  holder.stdin.end();
  await ended;
  return results;
}

test("what comes while a commit takes long waits for it, and nobody is refused", async () => {
  const site = await Site.start({ flags: ["--rate-limits", "off"] });
  const { white, black, game } = await newGame(site);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  const began = Date.now();
  const before = (await white.get(`/api/v1/games/${game}`)).json.clocks;
  const HELD_MS = 2500; // the program waits for its file for five seconds
  const [first, answered] = await heldUp(site, HELD_MS, async () => {
    const first = white.socket.must("move", { game, ply: 2, uci: "g1f3" });
    await sleep(1500); // by now the program knows that the commit takes long
    const asked = [
      black.socket.ask("move", { game, ply: 3, uci: "b8c6" }), // after White's, though he has not heard of it
      site.request("GET", `/api/v1/games/${game}`),
      black.get(`/api/v1/games/${game}`),
      white.post("/api/v1/challenges", { control: { kind: "days", days: 3 }, color: "white", rated: false }),
      white.post("/api/v1/me/events"),
      white.connect(),
    ];
    return [first, Promise.all(asked)];
  });
  await first;
  const [move, seen, own, made, events, socket] = await answered;
  same(move.t, "ack", "a move");
  same([seen.status, own.status, made.status, events.status], [200, 200, 201, 201], "requests");
  holds(socket, "a connection");
  await socket.close();
  const { moves, clocks } = (await white.get(`/api/v1/games/${game}`)).json;
  same(moves.map((m) => m.uci), ["e2e4", "e7e5", "g1f3", "b8c6"], "the moves");
  const lived = Date.now() - began - HELD_MS + 1000; // a commit is given its time once it has taken longer than this
  for (const color of ["white", "black"])
    holds(before[color] + 3000 - clocks[color] <= lived, `${color} did not pay for the disk: ${JSON.stringify([began, before, moves.map((m) => [m.at, m.clock]), clocks, lived])}`);
  await site.end();
});

// Stopped and let go on (SIGSTOP, a machine without a processor to spare): a move made meanwhile could not be seen.
test("a program that stood still charges nobody for it", async () => {
  const site = await Site.start({ flags: ["--rate-limits", "off"] });
  const { white, black, game } = await newGame(site);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  await sleep(600);
  const began = Date.now();
  const before = (await black.get(`/api/v1/games/${game}`)).json.clocks.white;
  site.process.kill("SIGSTOP");
  const stopped = Date.now();
  await sleep(500);
  const moved = black.socket.wait((m) => m.t === "moved" && m.d.ply === 3, "the move");
  white.socket.send("move", { game, ply: 2, uci: "g1f3" });
  await sleep(2500);
  const still = Date.now() - stopped;
  site.process.kill("SIGCONT");
  const used = before + 3000 - (await moved).d.clock;
  // The program looks at its own clock twice a second, and may have stood still for less than that before.
  const lived = Date.now() - began - still + 500 + 100;
  holds(used > -STALL_MS && used <= lived, `white, who moved after half a second, was charged ${used} ms, lived ${lived}`);
  await site.end();
});

await runTests();
