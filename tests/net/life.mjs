// SPDX-License-Identifier: GPL-3.0-or-later
// Connections in time: delay that is measured, slow readers, crowds.
import { Person, Site, Socket, blitz, holds, newGame, runTests, same, sleep, test, within } from "./harness.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });

test("network delay that was measured is credited, within R-021", async () => {
  const { white, black, game } = await newGame(site);
  await white.socket.close();
  await black.socket.close();
  // The same two again, White behind a line with a round trip of 250 ms: pings are answered late.
  white.socket = await white.connect({ autoPong: false });
  let pongs = 0;
  white.socket.ws.on("ping", (data) => setTimeout(() => { white.socket.ws.pong(data); pongs++; }, 250));
  black.socket = await black.connect();
  for (const person of [white, black]) await person.socket.must("sub", { ch: `game:${game}` });
  await within(12000, "a ping is answered", (async () => { while (pongs === 0) await sleep(20); })());
  await sleep(50);
  const state = (await white.get(`/api/v1/games/${game}`)).json;
  const before = state.clocks.white - (Date.now() - state.clocks.at);
  const moved = white.socket.wait((m) => m.t === "moved", "the move");
  const began = Date.now();
  await sleep(400);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  const used = before + 3000 - (await moved).d.clock;
  const really = Date.now() - began;
  holds(used < really - 150 && used > really - 420, `charged ${used} ms of ${really} ms with a delay of 250 ms`);
  // Black answers pings at once: nothing is credited.
  const reply = black.socket.wait((m) => m.t === "moved" && m.d.ply === 2, "the reply");
  const start = Date.now();
  await sleep(400);
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  const blacks = 300000 + 3000 - (await reply).d.clock;
  holds(blacks >= Date.now() - start - 80, `black is charged ${blacks} ms of ${Date.now() - start} ms`);
  for (const person of [white, black]) await person.socket.close();
});

test("a client that does not read is dropped, and catches up", async () => {
  const watcher = await Socket.open(site);
  await watcher.must("sub", { ch: "lobby" });
  watcher.ws._socket.pause();
  const makers = [];
  for (let i = 0; i < 4; i++) makers.push(await Person.register(site));
  const slowBefore = await site.metric("websockets_slow_total");
  const deadline = Date.now() + 40000;
  while ((await site.metric("websockets_slow_total")) === slowBefore && Date.now() < deadline) {
    await Promise.all(makers.map(async (maker) => {
      for (let i = 0; i < 60; i++) {
        const made = await maker.post("/api/v1/challenges", { control: blitz, color: "white", rated: false, key: `k${Math.random()}` });
        await maker.request("DELETE", `/api/v1/challenges/${made.json.id}`);
      }
    }));
  }
  holds((await site.metric("websockets_slow_total")) > slowBefore, "it is dropped");
  same((await site.request("GET", "/healthz")).status, 200, "the others go on");
  watcher.ws._socket.resume();
  same(await within(5000, "the close", watcher.closed), 1006, "cut off");
  const again = await Socket.open(site);
  await again.must("sub", { ch: "lobby", since: watcher.heard.at(-1)?.d.seq ?? 0 });
  await again.wait((m) => m.t === "lobby" || m.t === "lobby+", "it catches up", 3000, 0);
  await again.close();
});

test("two hundred spectators hear every move at once", async () => {
  const { white, black, game } = await newGame(site);
  const crowd = await Promise.all(Array.from({ length: 200 }, () => Socket.open(site)));
  await Promise.all(crowd.map((socket) => socket.must("sub", { ch: `game:${game}` })));
  const moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];
  let slowest = 0;
  for (let ply = 0; ply < moves.length; ply++) {
    const all = Promise.all(crowd.map((socket) => socket.wait((m) => m.t === "moved" && m.d.ply === ply + 1, "the move", 5000, 0)));
    const began = Date.now();
    await (ply % 2 ? black : white).socket.must("move", { game, ply, uci: moves[ply] });
    await all;
    slowest = Math.max(slowest, Date.now() - began);
  }
  holds(slowest < 1000, `the slowest move took ${slowest} ms`);
  await Promise.all(crowd.map((socket) => socket.close()));
  for (const person of [white, black]) await person.socket.close();
  same(await site.metric("websockets"), 0, "all are gone");
});

await runTests();
