// SPDX-License-Identifier: GPL-3.0-or-later
// Three nodes on one PostgreSQL database and one Redis server: played through all of them, killed, stopped,
// restarted, while an observer writes down what was acknowledged.
import { execFileSync, spawn } from "node:child_process";
import { Clock, day, minute } from "./clock.mjs";
import { PATIENCE_MS, Person, Site, blitz, databaseOf, holds, host, onPostgres, runTests, same, sleep, slow, test, within } from "./harness.mjs";
import { freePort } from "./port.mjs";

if (!onPostgres) {
  console.log("skipped: not beside a PostgreSQL server (with_postgres.sh)");
  process.exit(77);
}

const opera = ("e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 " +
  "e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8").split(" ");

// ---- Redis -----------------------------------------------------------------------------------------

const redisPort = await freePort();
let redis;
function startRedis() {
  redis = spawn("redis-server", ["--port", String(redisPort), "--bind", host, "--save", "", "--appendonly", "no"], { stdio: "ignore" });
  redis.once("error", () => {
    console.log("skipped: no redis-server is installed");
    process.exit(77);
  });
  redis.gone = new Promise((done) => redis.once("exit", done));
}
startRedis();
process.on("exit", () => redis.kill("SIGKILL"));

// ---- nodes -----------------------------------------------------------------------------------------

const clock = new Clock();
const shared = { ...databaseOf(["--data", `/nowhere/cluster-${process.pid}`]), ...clock.env };
const names = ["a", "b", "c"];
const nodes = {};
for (const name of names)
  nodes[name] = await Site.start({ env: shared, flags: ["--node", name, "--bus", `redis://${host}:${redisPort}`, "--rate-limits", "off"] });
const [a, b, c] = names.map((name) => nodes[name]);
const all = [a, b, c];
const alive = (site) => site.process.exitCode === null && site.process.signalCode === null;

async function until(what, ask, ms = PATIENCE_MS) {
  const end = Date.now() + ms;
  for (;;) {
    const found = await ask();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not in ${ms} ms: ${what}`);
    await sleep(50);
  }
}

// Each node has a third of the shards, and hears the other two.
const settled = async () => {
  for (const site of all) if (!alive(site)) await site.restart(); // what a case before has left
  return until("three nodes share the site", async () => {
    const seen = await Promise.all(all.map(async (site) => [await site.metric("cluster_shards"), await site.metric("bus_links")]));
    return seen.every(([shards, links]) => shards > 1300 && shards <= 1366 && links === 2);
  });
};

const state = async (site, game) => (await site.request("GET", `/api/v1/games/${game}`)).json;

// Asks until it is answered, at another node when one is going, as a client does.
async function insist(person, ask, ms = PATIENCE_MS) {
  for (const end = Date.now() + ms; ; ) {
    const answer = await ask().catch((error) => ({ status: 503, text: String(error) }));
    if (answer.status !== 503 || Date.now() > end) return answer;
    person.site = all.filter((site) => site !== person.site && alive(site))[0];
    await sleep(20);
  }
}

// A game that lives where white's challenge was made: by HTTP, nobody follows it. By days, for those begin at once.
async function newGame(white, black, control = slow) {
  const made = await insist(white, () => white.post("/api/v1/challenges", { control, color: "white", rated: false }));
  same(made.status, 201, `a challenge: ${made.text}`);
  const joined = await insist(black, () => black.post(`/api/v1/challenges/${made.json.id}/join`));
  same(joined.status, 200, `joining: ${joined.text}`);
  return { id: joined.json.game, white, black, told: 0, acks: [] };
}

// What a hand-over or a take-over does is some thirty times the work of a move: how much longer it may take than on
// a machine with nothing else to do, by the moves that were answered from an instant on (those that waited for it are few).
const took = [];
function slower(from) {
  const all = took.filter(({ at }) => at >= from).map(({ ms }) => ms).sort((a, b) => a - b);
  return 30 * Math.max(0, (all[Math.floor(all.length / 2)] ?? 0) - 30);
}

// One move, said again and again, at another node when one does not answer, as a client does. Only an
// acknowledgement, or the game's own word that the move was made, counts.
async function move(game, ms = PATIENCE_MS) {
  const mover = game.told % 2 === 0 ? game.white : game.black;
  const end = Date.now() + ms;
  for (let tries = 0; ; tries++) {
    if (Date.now() > end) throw new Error(`game ${game.id}, ply ${game.told}: not in ${ms} ms`);
    const asked = Date.now();
    let answer;
    try {
      answer = await mover.post(`/api/v1/games/${game.id}/move`, { ply: game.told, uci: opera[game.told] });
    } catch {
      const others = all.filter((site) => site !== mover.site && alive(site));
      mover.site = others[tries % others.length];
      await sleep(20);
      continue;
    }
    if (answer.status === 200) {
      game.told++;
      game.acks.push(Date.now());
      took.push({ at: asked, ms: Date.now() - asked });
      return;
    }
    if (answer.status === 409 && answer.json.error.code === "stale_ply") {
      const now = await state(mover.site, game.id);
      same(now.moves.map((m) => m.uci), opera.slice(0, now.ply), "its moves");
      holds(now.ply === game.told + 1, `game ${game.id}: ply ${now.ply} after ${game.told} were told`);
      game.told++;
      game.acks.push(Date.now());
      return;
    }
    if (answer.status !== 503) throw new Error(`game ${game.id}, ply ${game.told}: ${answer.status} ${answer.text}`);
    await sleep(20);
  }
}

process.on("unhandledRejection", () => {}); // whoever awaits it says so

async function playOn(game, pace) {
  while (game.told < opera.length) {
    await move(game);
    await sleep(pace);
  }
}

// The longest time without an acknowledgement around an instant.
function pauseAt(game, instant) {
  const after = game.acks.find((at) => at > instant);
  return after === undefined ? Infinity : after - instant;
}

async function manyGames(count) {
  const games = [];
  for (let i = 0; i < count; i++) {
    const white = await Person.register(all[i % 3]);
    const black = await Person.register(all[(i + 1 + (i % 2)) % 3]);
    games.push(await newGame(white, black));
  }
  return games;
}

// So that nothing of it falls due in a later case.
async function giveUp(game) {
  const answer = await insist(game.white, () => game.white.post(`/api/v1/games/${game.id}/resign`));
  same(answer.status, 200, `resigning: ${answer.text}`);
}

async function wholeAndOver(games) {
  for (const game of games)
    for (const site of all.filter(alive)) {
      const now = await state(site, game.id);
      same([now.moves.map((m) => m.uci), now.result], [opera, "1-0"], `game ${game.id} as ${site.origin} has it`);
    }
}

// The person at another node, with a socket that follows the game there.
async function follow(person, site, game) {
  person.site = site;
  person.socket = await person.connect();
  const first = person.socket.wait((m) => m.t === "game" && m.d.id === game.id, "the game");
  await person.socket.must("sub", { ch: `game:${game.id}` });
  return (await first).d;
}

// ---- cases -----------------------------------------------------------------------------------------

test("a game is played through two nodes and watched at the third", async () => {
  await settled();
  const white = await Person.register(a);
  const black = await Person.register(b);
  const watcher = await Person.register(c);
  const game = await newGame(white, black, blitz);
  for (const person of [white, black, watcher]) same((await follow(person, person.site, game)).ply, 0);
  for (let ply = 0; ply < opera.length; ply++) {
    const mover = ply % 2 === 0 ? white : black;
    const seen = [white, black, watcher].map((person) => person.socket.wait((m) => m.t === "moved" && m.d.ply === ply + 1, `move ${ply + 1}`));
    same((await mover.socket.ask("move", { game: game.id, ply, uci: opera[ply] })).t, "ack");
    await Promise.all(seen);
  }
  await wholeAndOver([game]);
  for (const person of [white, black, watcher]) await person.socket.close();
});

test("a killed node's games go on within five seconds, nothing acknowledged is lost, no clock pays", async () => {
  await settled();
  for (const victim of all) {
    const survivors = all.filter((site) => site !== victim);
    const games = await manyGames(6);
    // One on the clock that stands: the victim owns it, the others are its players' gateways, white is to move.
    const standing = await newGame(await Person.register(victim), await Person.register(survivors[0]), blitz);
    const { white, black } = standing;
    await follow(white, survivors[0], standing);
    await follow(black, survivors[1], standing);
    await until("the game begins", async () => (await state(survivors[0], standing.id)).started !== null);
    await move(standing);
    await move(standing);
    const playing = games.map((game) => playOn(game, 120));
    await sleep(500);
    const before = await state(survivors[0], standing.id);
    await sleep(1000);
    for (const person of [white, black]) person.heardBefore = person.socket.heard.length;
    const killed = Date.now();
    await victim.kill();
    let asked; // when it was last asked for: the clock runs from then on at the earliest
    let missed = killed;
    const after = await until("the standing game is back", async () => {
      missed = asked ?? killed;
      asked = Date.now();
      const { status, json } = await survivors[0].request("GET", `/api/v1/games/${standing.id}`);
      return status === 200 && json.clocks.at > killed && json;
    });
    const ran = Date.now() - missed;
    const back = Date.now() - killed;
    // Who followed it gets the state from its new owner, or, where something may be lost, is told to come back.
    for (const person of [white, black]) {
      const anew = person.socket.wait((m) => m.t === "game" && m.d.ply === 2, "the state", PATIENCE_MS, person.heardBefore);
      anew.catch(() => {});
      const code = await Promise.race([person.socket.closed, anew.then(() => 0)]);
      if (code === 0) continue;
      same(code, 1012);
      same((await follow(person, person.site, standing)).ply, 2);
    }
    const heard = [white, black].map((person) => person.socket.wait((m) => m.t === "moved" && m.d.ply === 3, "the next move"));
    same((await white.socket.ask("move", { game: standing.id, ply: 2, uci: opera[2] })).t, "ack");
    await Promise.all(heard);
    await Promise.all([white.socket.close(), black.socket.close()]);
    await Promise.all(playing);
    const more = slower(killed - 1500);
    holds(back < 5000 + more, `the standing game came back after ${back} ms, ${more} more than five seconds are the machine's`);
    for (const game of games) {
      const pause = pauseAt(game, killed);
      holds(pause < 5000 + more, `game ${game.id} stood for ${pause} ms, ${more} more than five seconds are the machine's`);
    }
    await wholeAndOver(games);
    // White was charged what went by while the node lived, and at most one sign of life more.
    const charged = before.clocks.white - after.clocks.white;
    const lived = killed - before.clocks.at;
    holds(charged < lived + 1100 + ran + 100, `white was charged ${charged} ms; the node lived for ${lived} ms of that, and ${ran} ms went by since`);
    holds(charged > lived - 300 - more, `white was charged ${charged} ms of ${lived} ms`);
    console.log(`     back after ${back} ms (${more} more may be the machine's), charged ${charged} ms of ${after.clocks.at - before.clocks.at} ms`);
    await victim.restart();
    await settled();
  }
});

test("who was stopped for too long has its write refused, says so, and ends", async () => {
  await settled();
  const owner = b;
  const game = await newGame(await Person.register(owner), await Person.register(a));
  await move(game);
  await move(game);
  owner.process.kill("SIGSTOP");
  try {
    // Said to the stopped node, which will read it when it goes on.
    const late = game.white.request("POST", `/api/v1/games/${game.id}/move`, { body: { ply: 2, uci: "a2a3" } }).then(
      ({ status }) => status, () => "closed");
    const again = new Person(c, game.white.nick);
    again.cookie = game.white.cookie;
    game.white = again;
    await within(PATIENCE_MS, "the game goes on elsewhere", move(game));
    await move(game);
    owner.process.kill("SIGCONT");
    const end = await within(PATIENCE_MS, "the stopped node ends", owner.exited);
    same(end.code, 75, `its exit status: ${owner.err}`);
    holds(/place of/.test(owner.err), `it says why: ${owner.err}`);
    holds((await late) !== 200, "what it was told late is not acknowledged");
  } finally {
    owner.process.kill("SIGCONT");
  }
  for (const site of [a, c]) {
    const now = await state(site, game.id);
    same(now.moves.map((m) => m.uci), opera.slice(0, 4));
  }
  await owner.restart();
  await settled();
  await playOn(game, 0);
  await wholeAndOver([game]);
});

test("Redis is restarted in the middle: play goes on, nothing is missing", async () => {
  await settled();
  const games = await manyGames(4);
  const follower = await games[0].black.connect();
  const playing = games.map((game) => playOn(game, 120));
  await sleep(700);
  redis.kill("SIGKILL");
  await redis.gone;
  await sleep(800);
  startRedis();
  await Promise.all(playing);
  await wholeAndOver(games);
  await follower.close();
  await settled();
});

test("a rolling restart: games are handed over, not taken over, and every node ends well", async () => {
  await settled();
  const games = await manyGames(6);
  let going = true;
  const playing = games.map(async (game, i) => {
    const played = [];
    while (going) {
      await playOn(game, 40);
      played.push(...game.acks);
      Object.assign(game, { ...(await newGame(game.white, game.black)), i });
    }
    game.all = played.concat(game.acks);
  });
  const began = Date.now();
  await sleep(500);
  let taken = 0;
  let lease = 0; // the longest renewal of one that was not stopped
  for (const site of all) {
    const before = await Promise.all(all.map((other) => other.metric("cluster_take_overs_total")));
    const stopped = Date.now();
    const { code } = await site.stop();
    same(code, 0, `${site.origin} ends: ${site.err}`);
    console.log(`     stopped in ${Date.now() - stopped} ms`);
    for (const other of all) if (other !== site) lease = Math.max(lease, (await other.metric("cluster_lease_us_max")) / 1000);
    for (const [i, other] of all.entries())
      if (other !== site) taken += (await other.metric("cluster_take_overs_total")) - before[i];
    await site.restart();
    await settled();
  }
  going = false;
  await Promise.all(playing);
  for (const game of games) await giveUp(game);
  let longest = 0;
  for (const game of games) for (let i = 1; i < game.all.length; i++) longest = Math.max(longest, game.all[i] - game.all[i - 1]);
  const more = slower(began);
  console.log(`     longest pause ${longest} ms (${more} more may be the machine's), longest renewal ${lease} ms`);
  if (lease < 2900) same(taken, 0, "shards taken of nodes that died"); // who gets no processor for three seconds has died for the others
  // A quiet machine shows 0.2 to 0.8 s. A lease that has to run out takes three seconds.
  holds(longest < 2500 + more, `a game stood for ${longest} ms, ${more} more than 2.5 s are the machine's`);
});

async function asleep() {
  await until("all sleep", async () => {
    clock.pass(3 * minute);
    await sleep(300);
    const counts = await Promise.all(all.map((site) => site.metric("games_in_memory")));
    return counts.every((count) => count === 0);
  });
}

// Games by days of all nodes, asleep.
async function sleepers(count) {
  const games = [];
  for (let i = 0; i < count; i++) {
    const game = await newGame(await Person.register(all[i % 3]), await Person.register(all[(i + 1) % 3]), { kind: "days", days: 1 });
    await move(game);
    games.push(game);
  }
  await asleep();
  return games;
}

test("games that sleep are credited with an outage of the whole site", async () => {
  await settled();
  const games = await sleepers(3);
  const before = await Promise.all(games.map(async (game) => (await state(a, game.id)).deadline));
  await asleep();
  // What each says of itself after the clock went ahead is kept.
  const said = clock.now;
  const signs = `SELECT count(*) FROM node WHERE alive_ms >= ${said}`;
  await until("signs of life", () => execFileSync("psql", ["-XqAt", "-d", shared.JADOUBE_DATABASE, "-c", signs], { encoding: "utf8" }).trim() === "3");
  await Promise.all(all.map((site) => site.kill()));
  clock.pass(5 * day);
  await settled();
  for (const [i, game] of games.entries()) {
    const { deadline, ended } = await state(b, game.id);
    same(ended, null, "five days of outage cost nothing");
    holds(Math.abs(deadline - before[i] - 5 * day) < 60000, `the deadline moved by ${deadline - before[i]} ms`);
    await move(game);
    await giveUp(game);
  }
});

test("the flag of a slow game falls once, whoever owns it by then", async () => {
  await settled();
  // They fall asleep, and one of the nodes goes.
  const games = await sleepers(6);
  await c.kill();
  await until("two nodes have everything", async () => (await a.metric("cluster_shards")) + (await b.metric("cluster_shards")) === 4096);
  const before = (await a.metric("games_ended_total")) + (await b.metric("games_ended_total"));
  // A commit that is under way while the day passes takes a day itself, and the clocks are given it: then another passes.
  let passed = 0;
  for (const game of games)
    await until(`game ${game.id} is lost on time`, async () => {
      if (Date.now() > passed + 10000) {
        clock.pass(day);
        passed = Date.now();
      }
      const row = await state(a, game.id);
      return row.result === "1-0" && row.reason === "flag";
    }).catch(async (error) => {
      console.log(JSON.stringify(await state(a, game.id)), clock.now, a.err, b.err);
      throw error;
    });
  same((await a.metric("games_ended_total")) + (await b.metric("games_ended_total")) - before, games.length, "ends, of both nodes together");
  await c.restart();
  await settled();
});

await runTests();
