// SPDX-License-Identifier: GPL-3.0-or-later
// Two nodes on one database: whoever is at one of them notices nothing of it. Beside a PostgreSQL server
// (tests/tools/with_postgres.sh), with a Redis server of its own.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_MS, Person, Site, blitz, databaseOf, eventually, holds, host, onPostgres, runTests, same, sleep, slow, test, within } from "./harness.mjs";
import { freePort } from "./port.mjs";

if (!onPostgres) {
  console.log("skipped: run by tests/tools/with_postgres.sh");
  process.exit(77);
}

// ---- the bus and the nodes -----------------------------------------------------------------------

const port = await freePort();
const place = mkdtempSync(join(tmpdir(), "jadoube-gateway-"));
const redis = spawn("redis-server", ["--port", String(port), "--bind", host, "--save", "", "--appendonly", "no", "--dir", place], { stdio: "ignore" });
redis.once("error", () => {
  console.log("skipped: no redis-server is installed");
  process.exit(77);
});
process.on("exit", () => {
  redis.kill("SIGKILL");
  rmSync(place, { recursive: true, force: true });
});
const bus = `redis://${host}:${port}`;

const people = {};
const flags = ["--rate-limits", "off"];
const env = databaseOf(["--data", join(place, "a")]);
const start = (node) => Site.start({ data: join(place, node), flags: [...flags, "--node", node, "--bus", bus], env });
const nodes = [await start("a"), await start("b")];
const [a, b] = nodes;

const until = (what, fits) =>
  within(PATIENCE_MS, what, (async () => {
    for (;;) {
      const found = await fits();
      if (found) return found;
      await sleep(30);
    }
  })());

// Each has its share of the site, and hears the other.
const settled = (count, sites) =>
  until(`${count} nodes share the site`, async () => {
    const seen = await Promise.all(sites.map(async (site) => [await site.metric("cluster_shards"), await site.metric("bus_links")]));
    return seen.every(([shards, links]) => links === count - 1 && Math.abs(shards - 4096 / count) < 2);
  });
await settled(2, nodes);
for (const [i, name] of ["Anna", "Boris", "Vera", "Gleb"].entries()) people[name] = await Person.register(nodes[i % 2], `${name}-Gw`);

// The same person at one of the nodes: the session holds at every one.
const at = (site, person) => Object.assign(new Person(site, person.nick), { cookie: person.cookie, me: person.me });
const anna = at(a, people.Anna);
const boris = at(b, people.Boris);
const vera = at(b, people.Vera);

// Anna's challenge, so her node has the game; Boris, at the other, joins.
async function newGame(control = blitz, extra = {}) {
  const made = await anna.post("/api/v1/challenges", { control, color: "white", rated: false, ...extra });
  same(made.status, 201, made.text);
  const joined = await boris.post(`/api/v1/challenges/${made.json.id}/join`);
  same(joined.status, 200, `joined at the other node: ${joined.text}`);
  return joined.json.game;
}

async function follow(person, game) {
  const socket = await person.connect();
  const state = socket.wait((m) => m.t === "game" && m.d.id === game, "the game");
  await socket.must("sub", { ch: `game:${game}` });
  return { socket, state: (await state).d };
}

// A list of all nodes: one that is slow for a second is left out of it.
const listed = (what, person, path, rows, expected) => eventually(what, async () => rows((await person.get(path)).json), expected);
const challengesOf = (json) => json.challenges.map((c) => c.id);

// ---- the lobby -----------------------------------------------------------------------------------

test("S-037 a challenge is seen live at both nodes, and joined through the other", async () => {
  const [here, there] = [await anna.connect(), await boris.connect()];
  for (const socket of [here, there]) {
    const state = socket.wait((m) => m.t === "lobby", "the lobby");
    await socket.must("sub", { ch: "lobby", since: 1 });
    await state;
  }
  await Promise.all([here.must("sub", { ch: "me" }), there.must("sub", { ch: "me" })]);
  const before = [here, there].map((socket) => socket.heard.findLast((m) => m.t === "lobby").d.seq);
  const seen = [here, there].map((socket) => socket.wait((m) => m.t === "lobby+" && m.d.challenge.nick === anna.nick, "the challenge"));
  const { challenge } = (await here.must("challenge", { control: blitz, color: "white", rated: false })).d;
  for (const [i, wait] of seen.entries()) same((await wait).d.seq, before[i] + 1, "numbers of a channel grow by one");
  await listed("asked by HTTP at the other node", boris, "/api/v1/challenges", challengesOf, [challenge.id]);
  const gone = [here, there].map((socket) => socket.wait((m) => m.t === "lobby-" && m.d.id === challenge.id, "the challenge goes"));
  const started = here.wait((m) => m.t === "started", "the game starts");
  const { game } = (await there.must("join", { challenge: challenge.id })).d;
  await Promise.all(gone);
  same((await started).d.game, game, "its creator is told");
  same((await there.ask("abort", { game })).t, "ack", "commands go to the owner");
  for (const socket of [here, there]) await socket.close();
});

test("a challenge of each node: one lobby, newest first", async () => {
  const first = (await anna.post("/api/v1/challenges", { control: blitz, color: "white", rated: false })).json;
  await sleep(5);
  const second = (await boris.post("/api/v1/challenges", { control: blitz, color: "black", rated: false })).json;
  for (const person of [anna, boris]) {
    await listed(`at ${person.nick}'s`, person, "/api/v1/challenges", challengesOf, [second.id, first.id]);
    const socket = await person.connect();
    const lobby = socket.wait((m) => m.t === "lobby", "the lobby");
    await socket.must("sub", { ch: "lobby" });
    same((await lobby).d.challenges.map((c) => c.id), [second.id, first.id], `followed at ${person.nick}'s`);
    await socket.close();
  }
  same((await anna.request("DELETE", `/api/v1/challenges/${first.id}`)).status, 204, "one's own");
  same((await anna.request("DELETE", `/api/v1/challenges/${second.id}`)).status, 403, "another's, at the other node");
  same((await boris.request("DELETE", `/api/v1/challenges/${second.id}`)).status, 204, "and its creator's");
});

// ---- a game --------------------------------------------------------------------------------------

test("a whole game between two nodes: moves, premove, offer, chat, spectators, presence, the end", async () => {
  const game = await newGame();
  const white = await follow(anna, game);
  const black = await follow(boris, game);
  const guest = await follow(new Person(b), game);
  await white.socket.wait((m) => m.t === "presence" && m.d.white && m.d.black && m.d.spectators === 1, "both are there, one watches", PATIENCE_MS, 0);
  const hear = (who, t, fits = () => true) => who.socket.wait((m) => m.t === t && (m.d.game ?? m.d.id) === game && fits(m), `${t}`);
  const move = async (who, ply, uci) => {
    const heard = [white, black, guest].map((one) => hear(one, "moved", (m) => m.d.ply === ply + 1));
    same((await who.socket.must("move", { game, ply, uci })).d, { game, ply: ply + 1 }, uci);
    const seqs = (await Promise.all(heard)).map((m) => m.d.seq);
    same(new Set(seqs).size, 1, "one number for all");
  };
  await move(white, 0, "e2e4");
  await move(black, 1, "e7e5");
  same((await black.socket.ask("move", { game, ply: 2, uci: "d7d5" })).d.code, "not_your_turn", "refusals come back");
  const premoved = hear(white, "moved", (m) => m.d.uci === "b8c6");
  await black.socket.must("premove", { game, ply: 3, uci: "b8c6" });
  await move(white, 2, "g1f3");
  await premoved;
  await white.socket.must("chat", { game, on: true });
  const said = [white, black].map((one) => hear(one, "said"));
  await black.socket.must("say", { ch: `game:${game}`, text: "Удачи!" });
  same((await Promise.all(said)).map((m) => m.d.text), ["Удачи!", "Удачи!"], "the chat");
  for (const person of [anna, boris]) same((await person.get(`/api/v1/games/${game}/chat`)).json.lines.length, 1, "read at either node");
  const offered = hear(black, "moved", (m) => m.d.draw);
  await white.socket.must("move", { game, ply: 4, uci: "f1b5", draw: true });
  await offered;
  const declined = hear(white, "offer", (m) => m.d.act === "decline");
  await black.socket.must("draw", { game, ply: 5, act: "decline" });
  await declined;
  // by HTTP at the node that does not have it
  const moved = await boris.post(`/api/v1/games/${game}/move`, { ply: 5, uci: "a7a6" });
  same([moved.status, moved.json.ply], [200, 6], moved.text);
  same((await boris.post(`/api/v1/games/${game}/move`, { ply: 5, uci: "a7a6" })).status, 409, "and its refusals");
  same((await boris.get(`/api/v1/games/${game}`)).json.fen, (await anna.get(`/api/v1/games/${game}`)).json.fen, "the same game");
  const pgn = await boris.get(`/api/v1/games/${game}.pgn`);
  holds(/^application\/x-chess-pgn/.test(pgn.headers["content-type"]) && /1\. e4/.test(pgn.text), pgn.text);
  const again = await boris.request("GET", `/api/v1/games/${game}.pgn`, { headers: { "If-None-Match": pgn.headers.etag } });
  same(again.status, 304, "known already");
  same((await boris.post(`/api/v1/games/${game}/flag`)).status, 422, "no flag is down");
  const ended = [white, black, guest].map((one) => hear(one, "end"));
  await white.socket.must("resign", { game });
  same((await Promise.all(ended)).map((m) => m.d.result), ["0-1", "0-1", "0-1"], "the end");
  for (const one of [white, black, guest]) await one.socket.close();
});

test("a flag falls at the owner and is heard at the other node", async () => {
  const game = await newGame({ kind: "clock", base_ms: 0, increment_ms: 6000, delay_ms: 0 }); // for the first moves on a busy machine
  const white = await follow(anna, game);
  const black = await follow(boris, game);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  const end = await black.socket.wait((m) => m.t === "end", "the flag");
  same([end.d.result, end.d.reason], ["0-1", "flag"], "by the owner's clock");
  for (const one of [white, black]) await one.socket.close();
});

test("who comes back asks for what he missed, wherever he is", async () => {
  const game = await newGame();
  const white = await follow(anna, game);
  let black = await follow(boris, game);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  const { seq } = (await black.socket.wait((m) => m.t === "moved", "the move", PATIENCE_MS, 0)).d;
  await black.socket.close();
  await boris.post(`/api/v1/games/${game}/move`, { ply: 1, uci: "e7e5" });
  const socket = await boris.connect();
  const missed = socket.wait((m) => m.t === "moved" && m.d.ply === 2, "what was missed");
  await socket.must("sub", { ch: `game:${game}`, since: seq });
  same(socket.heard.filter((m) => m.t === "game").length, 0, "no full state");
  await missed;
  await socket.must("unsub", { ch: `game:${game}` });
  const before = socket.heard.length;
  await white.socket.must("move", { game, ply: 2, uci: "g1f3" });
  await sleep(200);
  same(socket.heard.slice(before).filter((m) => m.t === "moved"), [], "nothing after unsub");
  await white.socket.must("resign", { game });
  for (const one of [white.socket, socket]) await one.close();
});

// ---- "me" ----------------------------------------------------------------------------------------

test("S-046 the games and the count of a player, of all nodes", async () => {
  const here = await newGame(slow); // Anna's node has it, White is to move
  const made = await boris.post("/api/v1/challenges", { control: slow, color: "white", rated: false });
  const there = (await anna.post(`/api/v1/challenges/${made.json.id}/join`)).json.game;
  for (const person of [anna, boris]) {
    const ids = ({ games }) => games.map((row) => row.id);
    if (person === anna) await listed("own move first", person, "/api/v1/me/games", ids, [here, there]);
    else await listed("both wait for Boris", person, "/api/v1/me/games", (json) => ids(json).sort(), [here, there].sort());
    const { games } = (await person.get("/api/v1/me/games")).json;
    const counted = (waiting) => (m) => m.t === "count" && m.d.waiting === waiting;
    const socket = await person.connect();
    const state = socket.wait((m) => m.t === "games" && m.d.games.length === 2, "the games");
    const count = socket.wait(counted(person === anna ? 1 : 2), "how many wait");
    await socket.must("sub", { ch: "me" });
    same(ids((await state).d), ids({ games }), "over the WebSocket");
    await count;
    const row = socket.wait((m) => m.t === "row" && m.d.game.id === here, "the row");
    const less = socket.wait(counted(person === anna ? 0 : 1), "one less waits");
    const [ply, uci] = person === anna ? [0, "e2e4"] : [1, "e7e5"];
    await person.post(`/api/v1/games/${here}/move`, { ply, uci });
    await row;
    await less;
    const numbers = socket.heard.filter((m) => ["games", "row"].includes(m.t)).map((m) => m.d.seq);
    same(numbers, numbers.map((_, i) => numbers[0] + i), "numbers of the connection");
    await socket.close();
  }
  for (const game of [here, there]) await anna.post(`/api/v1/games/${game}/resign`);
});

test("S-041 a challenge to one who is at the other node", async () => {
  const socket = await boris.connect();
  const state = socket.wait((m) => m.t === "games", "the games");
  await socket.must("sub", { ch: "me" });
  await state;
  const asked = socket.wait((m) => m.t === "challenge+", "the challenge");
  const notice = socket.wait((m) => m.t === "notice", "the bell");
  const made = await anna.post("/api/v1/challenges", { control: blitz, color: "white", rated: false, to: boris.nick });
  same(made.status, 201, made.text);
  same((await asked).d.challenge.id, made.json.id, "it comes");
  same((await notice).d, { kind: "challenge", nick: anna.nick, ref: made.json.id, at: (await notice).d.at }, "behind the bell");
  const gone = socket.wait((m) => m.t === "challenge-", "declined");
  await socket.must("decline", { challenge: made.json.id });
  same((await gone).d.gone, "declined", "and goes");
  await socket.close();
});

test("X-015 both ask for a rematch at their own nodes: the game begins", async () => {
  const game = await newGame();
  const white = await follow(anna, game);
  const black = await follow(boris, game);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  await black.socket.must("resign", { game });
  const asked = (await black.socket.must("challenge", { rematch: game })).d;
  holds(asked.challenge.rematch === game, "asked");
  const begun = await anna.post("/api/v1/challenges", { rematch: game });
  same(begun.status, 200, begun.text);
  await anna.post(`/api/v1/games/${begun.json.game}/abort`);
  for (const one of [white, black]) await one.socket.close();
});

test("by HTTP alone, through the node that does not have the game", async () => {
  const game = await newGame();
  const white = await follow(anna, game);
  const { connection } = (await boris.post("/api/v1/me/events")).json;
  const events = `/api/v1/me/events/${connection}`;
  let after = 0;
  const heard = [];
  const fetch = async () => {
    const { json } = await boris.get(`/api/v1/me/events?connection=${connection}&after=${after}&wait=2`);
    after = json.after;
    heard.push(...json.messages);
  };
  const hear = (fits, what) => until(what, async () => heard.find(fits) ?? (await fetch(), heard.find(fits)));
  await boris.post(events, { t: "sub", id: 1, d: { ch: `game:${game}` } });
  await hear((m) => m.t === "game", "the state");
  await anna.post(`/api/v1/games/${game}/move`, { ply: 0, uci: "d2d4" });
  await hear((m) => m.t === "moved" && m.d.ply === 1, "the move");
  await boris.post(events, { t: "move", id: 2, d: { game, ply: 1, uci: "d7d5" } });
  await hear((m) => m.t === "ack" && m.id === 2, "the answer");
  same((await at(a, people.Boris).post(events, { t: "ping", d: { c: 1 } })).status, 404, "its name is known to its node alone");
  await boris.request("DELETE", events);
  await anna.post(`/api/v1/games/${game}/resign`);
  await white.socket.close();
});

// ---- people --------------------------------------------------------------------------------------

test("who is there is known at both nodes", async () => {
  await until("away", async () => !(await boris.get(`/api/v1/players/${anna.nick}`)).json.online);
  const socket = await anna.connect();
  await until("there", async () => (await boris.get(`/api/v1/players/${anna.nick}`)).json.online);
  await socket.close();
  await until("away", async () => !(await boris.get(`/api/v1/players/${anna.nick}`)).json.online);
});

test("a log-out at one node closes the connection at the other", async () => {
  const person = await Person.register(a);
  const socket = await at(b, person).connect();
  await socket.must("hello");
  await person.post("/api/v1/logout");
  same(await within(PATIENCE_MS, "it is closed", socket.closed), 4003, "the session has ended");
});

test("games that are watched, of all nodes", async () => {
  const here = await newGame();
  const made = await boris.post("/api/v1/challenges", { control: blitz, color: "white", rated: false });
  const there = (await vera.post(`/api/v1/challenges/${made.json.id}/join`)).json.game;
  await listed("both", vera, "/api/v1/games/running", ({ games }) => games.map((row) => row.game.id).sort(), [here, there].sort());
  await anna.post(`/api/v1/games/${here}/abort`);
  await boris.post(`/api/v1/games/${there}/abort`);
});

test("S-065 no engine helps at one node with what is played at the other", async () => {
  const fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
  const computer = { level: 1, color: "white", control: blitz, fen };
  // A node that does not answer within a second cannot be asked: no help.
  let alone;
  await until("a game from there", async () => (alone = await vera.post("/api/v1/computer-games", computer)).status === 201);
  const board = await follow(vera, alone.json.game);
  const game = await newGame(blitz, { fen });
  const hint = await vera.post(`/api/v1/games/${alone.json.game}/hint`, { ply: 0 });
  same([hint.status, hint.json.error?.code], [422, "fair_play"], "no hint");
  same((await vera.post("/api/v1/computer-games", computer)).json.error?.code, "fair_play", "nor a game from there");
  await anna.post(`/api/v1/games/${game}/abort`);
  await eventually("afterwards there is", async () => (await vera.post(`/api/v1/games/${alone.json.game}/hint`, { ply: 0 })).status, 200);
  same((await board.socket.ask("premove", { game: alone.json.game, ply: 2, uci: "d2d3" })).d.code, "fair_play", "nor a move in advance, of which nobody can be asked");
  await vera.post(`/api/v1/games/${alone.json.game}/resign`);
  await board.socket.close();
});

test("a new nick is shown at both nodes", async () => {
  const gleb = at(b, people.Gleb);
  const socket = await gleb.connect();
  const made = await gleb.post("/api/v1/challenges", { control: blitz, color: "white", rated: false });
  const nick = `Gleb-${process.pid % 1000}-New`;
  const watch = await vera.connect();
  await watch.must("sub", { ch: "lobby" });
  const renamed = watch.wait((m) => m.t === "lobby+" && m.d.challenge.nick === nick, "the new nick");
  const done = await a.admin("rename", gleb.nick, nick);
  same(done.code, 0, done.text);
  await renamed;
  await gleb.request("DELETE", `/api/v1/challenges/${made.json.id}`);
  for (const one of [socket, watch]) await one.close();
});

// ---- games change hands --------------------------------------------------------------------------

test("a node comes and takes its share, and goes: nobody is sent away, and games and lobby go on", async () => {
  const [white, black] = [await anna.connect(), await boris.connect()];
  for (const socket of [white, black]) for (const ch of ["me", "lobby"]) await socket.must("sub", { ch });
  const games = [];
  for (let i = 0; i < 8; i++) {
    const game = await newGame(slow); // it stands while others are made
    for (const socket of [white, black]) await socket.must("sub", { ch: `game:${game}` });
    games.push({ game, ply: 0 });
  }
  const open = [];
  for (let i = 0; i < 6; i++) open.push((await vera.post("/api/v1/challenges", { control: slow, color: "white", rated: false })).json.id);
  const moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"];
  const playOn = async () => {
    for (const one of games) {
      const [mover, other] = one.ply % 2 ? [boris, white] : [anna, black];
      // By itself, or in the state that a follower is sent when the game has another node.
      const heard = () => other.heard.some((m) => (m.t === "moved" && m.d.game === one.game && m.d.ply === one.ply + 1) ||
        (m.t === "game" && m.d.id === one.game && m.d.ply > one.ply));
      const answer = await mover.post(`/api/v1/games/${one.game}/move`, { ply: one.ply, uci: moves[one.ply] });
      same(answer.status, 200, answer.text);
      await until("the move at the other node", () => {
        same(other.ws.readyState, 1, "nobody is closed");
        return heard();
      });
      one.ply++;
    }
  };
  const sound = async (when) => {
    for (const [person, socket] of [[anna, white], [boris, black]]) {
      await listed(`the lobby ${when}`, person, "/api/v1/challenges", (json) => challengesOf(json).sort(), [...open].sort());
      await listed(`the games ${when}`, person, "/api/v1/me/games", (json) => json.games.length, games.length);
      same(socket.ws.readyState, 1, `nobody is closed ${when}`);
      const lobby = socket.wait((m) => m.t === "lobby", "the lobby");
      await socket.must("sub", { ch: "lobby" });
      same((await lobby).d.challenges.map((c) => c.id).sort(), [...open].sort(), `the lobby as followed ${when}`);
    }
  };
  await playOn();
  await playOn();
  const states = () => black.heard.filter((m) => m.t === "game").length;
  const before = states();
  const c = await start("c");
  await settled(3, [a, b, c]);
  await until("some games have another node, and their followers its state", async () => states() > before);
  await playOn();
  await sound("with the third node");
  await listed("and at it", at(c, people.Vera), "/api/v1/challenges", (json) => json.challenges.length, open.length);
  // One of the others gets no processor just then: it has to hear who has the games now before it hears that c is gone.
  const stopping = c.stop();
  b.process.kill("SIGSTOP");
  await sleep(500);
  b.process.kill("SIGCONT");
  const { code } = await stopping;
  same(code, 0, "it stops by itself");
  await playOn();
  await sound("without it");
  await playOn();
  for (const { game } of games) await anna.post(`/api/v1/games/${game}/resign`);
  for (const id of open) await vera.request("DELETE", `/api/v1/challenges/${id}`);
  for (const socket of [white, black]) await socket.close();
});

// ---- when Redis goes away ------------------------------------------------------------------------

test("a break of the bus is seen: who deals with the other node comes anew, and all is there", async () => {
  const game = await newGame();
  const white = await follow(anna, game);
  const black = await follow(boris, game);
  redis.kill("SIGSTOP");
  same(await within(PATIENCE_MS, "sent away", black.socket.closed), 1012, "come back");
  const moved = await white.socket.ask("move", { game, ply: 0, uci: "e2e4" });
  same(moved.t, "ack", "the owner goes on");
  redis.kill("SIGCONT");
  const back = await until("the game is reached again", async () => {
    const socket = await boris.connect();
    const answer = await socket.ask("sub", { ch: `game:${game}` }).catch(() => ({ t: "error" }));
    if (answer.t === "ok") return socket;
    await socket.close();
    return null;
  });
  const state = await back.wait((m) => m.t === "game", "the state", PATIENCE_MS, 0);
  same(state.d.ply, 1, "the move made meanwhile");
  await back.must("move", { game, ply: 1, uci: "e7e5" });
  await anna.post(`/api/v1/games/${game}/resign`);
  for (const socket of [white.socket, back]) await socket.close();
});

await runTests();
