// SPDX-License-Identifier: GPL-3.0-or-later
// Games by days over simulated weeks: they leave memory, come back for whoever asks, lose on time when
// nobody does (S-097 to S-099), and stand still during a vacation.
import { Clock, day, hour, minute } from "./clock.mjs";
import { Person, Site, eventually, holds, runTests, same, slow, test } from "./harness.mjs";

const clock = new Clock();
const site = await Site.start({ env: clock.env, flags: ["--rate-limits", "off"] });

// A game by HTTP: nobody is connected.
async function newGame(control, people = {}) {
  const white = people.white ?? (await Person.register(site));
  const black = people.black ?? (await Person.register(site));
  const challenge = await white.post("/api/v1/challenges", { control, color: "white", rated: false });
  const joined = await black.post(`/api/v1/challenges/${challenge.json.id}/join`);
  return { white, black, id: joined.json.game };
}

async function until(what, ask) {
  let found;
  await eventually(what, async () => (found = await ask()));
  return found;
}

const inMemory = () => site.metric("games_in_memory");

// Everybody is away, and the games have been put to bed.
async function allAsleep() {
  let looks = 0;
  // One that has ended meanwhile stays for as long again.
  await until("games fall asleep", async () => {
    if (looks++ % 20 === 0) clock.pass(11 * minute);
    return (await inMemory()) === 0;
  });
}

async function move(person, game, ply, uci) {
  return person.post(`/api/v1/games/${game}/move`, { ply, uci });
}

test("a quiet game leaves memory and comes back for whoever asks (S-097)", async () => {
  const { white, black, id } = await newGame(slow);
  const moved = clock.now;
  same((await move(white, id, 0, "e2e4")).status, 200);
  await allAsleep();
  const seen = await site.request("GET", `/api/v1/games/${id}`);
  same([seen.status, seen.json.ply, seen.json.turn], [200, 1, "black"]);
  holds(Math.abs(seen.json.deadline - moved - 3 * day) < 60_000, `deadline ${seen.json.deadline}`);
  await allAsleep();
  same((await black.get("/api/v1/me/games")).json.games.map((row) => row.id), [id]);
  await allAsleep();
  same((await move(black, id, 1, "e7e5")).json.ply, 2);
  await allAsleep();
  const socket = await white.connect();
  const state = socket.wait((m) => m.t === "game");
  same((await socket.ask("sub", { ch: `game:${id}` })).t, "ok");
  same((await state).d.ply, 2);
  await socket.close();
});

test("what waits for a game is carried out in its order", async () => {
  const { white, id } = await newGame(slow);
  await allAsleep();
  const socket = await white.connect();
  const answers = await Promise.all([
    socket.ask("sub", { ch: "me" }),
    socket.ask("sub", { ch: `game:${id}` }),
    socket.ask("move", { game: id, ply: 0, uci: "d2d4" }),
    socket.ask("unsub", { ch: `game:${id}` }),
    socket.ask("sub", { ch: "game:doesnotexist" }),
  ]);
  same(answers.map((answer) => answer.t), ["ok", "ok", "ack", "ok", "error"]);
  await socket.close();
});

test("a flag falls while nobody looks, once, and a late move meets the end (S-097)", async () => {
  const { white, black, id } = await newGame({ kind: "days", days: 1 });
  same((await move(white, id, 0, "e2e4")).status, 200);
  await allAsleep();
  clock.pass(day);
  const late = await move(black, id, 1, "e7e5");
  same([late.status, late.json.error.code], [409, "game_over"]);
  const other = await newGame({ kind: "days", days: 1 });
  await allAsleep();
  const began = clock.now;
  clock.pass(day);
  // Nobody asks for it: the server finds it by itself.
  await until("the flag is found", async () => (await site.request("GET", `/api/v1/players/${other.white.nick}`)).json.losses === 1);
  const ended = (await site.request("GET", `/api/v1/games/${other.id}`)).json;
  same([ended.result, ended.reason], ["0-1", "flag"]);
  holds(ended.ended - began < day, "it fell at its instant");
});

test("sleeping games outlast kills, and the outage is credited to them (S-099)", async () => {
  const { white, black, id } = await newGame({ kind: "days", days: 1 });
  same((await move(white, id, 0, "e2e4")).status, 200);
  await allAsleep();
  const before = (await black.get(`/api/v1/games/${id}`)).json.deadline;
  await allAsleep();
  // The server says twice a second that it is alive: what it says after the clock went ahead is kept.
  const commits = await site.metric("commits_total");
  await eventually("signs of life", async () => (await site.metric("commits_total")) >= commits + 3);
  await site.kill();
  clock.pass(5 * day);
  await site.restart();
  const after = (await black.get(`/api/v1/games/${id}`)).json;
  holds(after.ended === null, "five days of outage cost nothing");
  holds(Math.abs(after.deadline - before - 5 * day) < 30000, `moved by ${after.deadline - before}`);
  same((await move(black, id, 1, "e7e5")).json.ply, 2);
});

test("a vacation stops the clocks, is shown, and ends by its time or by a move (X-008)", async () => {
  const { white, black, id } = await newGame({ kind: "days", days: 1 });
  await allAsleep();
  same((await white.put("/api/v1/me/vacation", { days: 15 })).json.error.code, "vacation_days");
  same((await white.put("/api/v1/me/vacation", { days: 0 })).json.error.code, "conflict");
  same((await site.request("PUT", "/api/v1/me/vacation", { body: { days: 2 } })).status, 401);
  same((await white.put("/api/v1/me/vacation", { days: "2" })).json.error.code, "bad_request");
  same((await white.put("/api/v1/me/vacation", { day: 2 })).json.error.code, "bad_request");
  const began = (await white.put("/api/v1/me/vacation", { days: 2 })).json;
  same(began.left, 28);
  same(began.current.until - began.current.from, 2 * day);
  same((await white.put("/api/v1/me/vacation", { days: 1 })).json.error.code, "conflict");
  let seen = (await black.get(`/api/v1/games/${id}`)).json;
  same([seen.white.vacation_until, seen.black.vacation_until, seen.clocks.running, seen.deadline], [began.current.until, null, null, null]);
  await allAsleep();
  // It ends by its time, while the game sleeps; then his day runs, and only then his flag falls.
  clock.pass(2 * day);
  seen = (await black.get(`/api/v1/games/${id}`)).json;
  same([seen.ended, seen.white.vacation_until, seen.clocks.running], [null, null, "white"]);
  same((await white.get("/api/v1/me/vacation")).json.current, null);
  same((await move(white, id, 0, "e2e4")).json.ply, 1);
  // And by a move: of the other he may think as long as he likes.
  same((await black.put("/api/v1/me/vacation", { days: 14 })).json.left, 16);
  const second = await newGame(slow, { white: black, black: white });
  await allAsleep();
  clock.pass(3 * day);
  same((await move(black, id, 1, "e7e5")).json.ply, 2);
  const now = (await black.get("/api/v1/me/vacation")).json;
  same([now.current, now.left], [null, 26]);
  const other = (await black.get(`/api/v1/games/${second.id}`)).json;
  same([other.white.vacation_until, other.clocks.running], [null, "white"]);
  holds(Math.abs(other.deadline - clock.now - 3 * day) < 2 * hour, "a game begun during it had its clock stopped too");
});

test("one's own game counts for fair play while it sleeps (S-065)", async () => {
  const [white, black] = [await Person.register(site), await Person.register(site)];
  const fen = "6k1/5ppp/8/8/8/1r6/5PPP/R5K1 w - - 0 1";
  const challenge = await white.post("/api/v1/challenges", { control: slow, color: "white", rated: false, fen });
  same((await black.post(`/api/v1/challenges/${challenge.json.id}/join`)).status, 200);
  await allAsleep();
  const asked = await white.post("/api/v1/computer-games", { level: 1, color: "white", control: slow, fen });
  same([asked.status, asked.json.error?.code], [422, "fair_play"]);
});

await runTests();
