// SPDX-License-Identifier: GPL-3.0-or-later
// Connections in time: delay that is measured, slow readers, crowds.
import { PATIENCE_MS, Person, Site, Socket, blitz, eventually, holds, newGame, runTests, same, sleep, slow, test, within } from "./harness.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });

// How often the machine, or its disk, has kept the program from running: the clocks are given that time, too.
const stalls = () => (site.said?.match(/the clocks are given that time/g) ?? []).length;

// undefined: the machine stood still meanwhile.
async function delayCredited() {
  const { white, black, game } = await newGame(site);
  await white.socket.close();
  await black.socket.close();
  // The same two again, White behind a line with a round trip of 250 ms: pings are answered late.
  white.socket = await white.connect({ autoPong: false });
  let pongs = 0;
  white.socket.ws.on("ping", (data) => setTimeout(() => { white.socket.ws.pong(data); pongs++; }, 250));
  black.socket = await black.connect();
  for (const person of [white, black]) await person.socket.must("sub", { ch: `game:${game}` });
  await within(PATIENCE_MS, "a ping is answered", (async () => { while (pongs === 0) await sleep(20); })());
  await white.socket.must("ping", { c: 1 }); // what came before it has been read
  const state = (await white.get(`/api/v1/games/${game}`)).json;
  const before = state.clocks.white - (Date.now() - state.clocks.at);
  const stalled = stalls();
  const moved = white.socket.wait((m) => m.t === "moved", "the move");
  const began = Date.now();
  await sleep(400);
  const sent = Date.now();
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  const used = before + 3000 - (await moved).d.clock;
  const really = Date.now() - began;
  if (stalls() !== stalled) {
    for (const person of [white, black]) await person.socket.close();
    return undefined;
  }
  // At least 250 ms of delay were measured; no more than 300 are credited, whatever was.
  holds(used < really - 240 && used >= sent - began - 310, `charged ${used} ms of ${sent - began} to ${really} ms with a delay of 250 ms`);
  // Black answers pings at once, as fast as this machine is: next to nothing is credited, once a ping came
  // in a moment when it was not busy.
  const credits = [];
  for (let ply = 1; ply < 12 && !credits.some((ms) => ms < 150); ply += 2) {
    if (ply > 1) {
      await sleep(10_000); // another ping
      await white.socket.must("move", { game, ply: ply - 1, uci: ply % 4 === 3 ? "g1f3" : "f3g1" });
    }
    const clock = (await black.get(`/api/v1/games/${game}`)).json.clocks;
    const stood = clock.black - (Date.now() - clock.at);
    const reply = black.socket.wait((m) => m.t === "moved" && m.d.ply === ply + 1, "the reply");
    const start = Date.now();
    await sleep(400);
    const gone = Date.now() - start;
    await black.socket.must("move", { game, ply, uci: ply % 4 === 1 ? "b8c6" : "c6b8" });
    credits.push(gone - (stood + 3000 - (await reply).d.clock));
  }
  holds(credits.some((ms) => ms < 150), `black is credited ${credits} ms`);
  for (const person of [white, black]) await person.socket.close();
  return true;
}

test("network delay that was measured is credited, within R-021", async () => {
  for (let tries = 0; !(await delayCredited()); tries++) holds(tries < 10, "a moment in which the machine does not stand still");
});

test("a client that does not read is dropped, never the game it watches, and catches up", async () => {
  const { white, black, game } = await newGame(site, slow); // it stands until the client is dropped
  const watcher = await Socket.open(site);
  await watcher.must("sub", { ch: "lobby" });
  await watcher.must("sub", { ch: `game:${game}` });
  watcher.ws._socket.pause();
  const makers = [];
  for (let i = 0; i < 4; i++) makers.push(await Person.register(site));
  const slowBefore = await site.metric("websockets_slow_total");
  const deadline = Date.now() + 3 * PATIENCE_MS;
  while ((await site.metric("websockets_slow_total")) === slowBefore && Date.now() < deadline) {
    await Promise.all(makers.map(async (maker) => {
      for (let i = 0; i < 60; i++) {
        const made = await maker.post("/api/v1/challenges", { control: blitz, color: "white", rated: false, key: `k${Math.random()}` });
        await maker.request("DELETE", `/api/v1/challenges/${made.json.id}`);
      }
    }));
  }
  same(await site.metric("websockets_slow_total"), slowBefore + 1, "it is dropped, and it alone");
  for (const [ply, uci] of ["e2e4", "e7e5"].entries()) {
    const mover = ply % 2 ? black : white;
    const other = ply % 2 ? white : black;
    const heard = other.socket.wait((m) => m.t === "moved" && m.d.ply === ply + 1, "the move", PATIENCE_MS, 0);
    await mover.socket.must("move", { game, ply, uci });
    await heard;
  }
  for (const person of [white, black]) await person.socket.close();
  same((await site.request("GET", "/healthz")).status, 200, "the others go on");
  watcher.ws._socket.resume();
  same(await within(PATIENCE_MS, "the close", watcher.closed), 1006, "cut off");
  const again = await Socket.open(site);
  await again.must("sub", { ch: "lobby", since: watcher.heard.at(-1)?.d.seq ?? 0 });
  await again.wait((m) => m.t === "lobby" || m.t === "lobby+", "it catches up", PATIENCE_MS, 0);
  await again.close();
});

test("two hundred spectators hear every move", async () => {
  const { white, black, game } = await newGame(site, slow);
  const crowd = await Promise.all(Array.from({ length: 200 }, () => Socket.open(site)));
  await Promise.all(crowd.map((socket) => socket.must("sub", { ch: `game:${game}` })));
  const moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];
  for (let ply = 0; ply < moves.length; ply++) {
    const all = Promise.all(crowd.map((socket) => socket.wait((m) => m.t === "moved" && m.d.ply === ply + 1, "the move", PATIENCE_MS, 0)));
    await (ply % 2 ? black : white).socket.must("move", { game, ply, uci: moves[ply] });
    await all;
  }
  await Promise.all(crowd.map((socket) => socket.close()));
  for (const person of [white, black]) await person.socket.close();
  await eventually("all are gone", () => site.metric("websockets"), 0);
});

await runTests();
