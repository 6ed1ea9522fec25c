// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings from outside: what a rated game changes, where it is shown, and what a crash leaves behind.
import { PATIENCE_MS, Person, Site, blitz, eventually, holds, runProgram, runTests, same, sleep, test, tooOften } from "./harness.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });

// A rated game between two, from a challenge to its first moves; both follow it.
async function begin(white, black, { control = blitz, moves = ["e2e4", "e7e5"] } = {}) {
  const challenge = await white.post("/api/v1/challenges", { control, color: "white", rated: true });
  same(challenge.status, 201, "the challenge");
  const { game } = (await black.post(`/api/v1/challenges/${challenge.json.id}/join`)).json;
  for (const person of [white, black]) {
    person.socket ??= await person.connect();
    await person.socket.must("sub", { ch: `game:${game}` });
  }
  for (const [ply, uci] of moves.entries())
    await [white, black][ply % 2].socket.must("move", { game, ply, uci });
  return { game, challenge: challenge.json };
}

const rated = (person, game) => person.socket.wait((m) => m.t === "rated" && m.d.game === game, "rated", PATIENCE_MS, 0);

test("a rated blitz game changes both ratings, everywhere they are shown (S-061, S-073, S-111, S-112)", async () => {
  const white = await Person.register(site, "Kieseritzky");
  const black = await Person.register(site, "Anderssen");
  const { game, challenge } = await begin(white, black);
  same([challenge.list, challenge.rating, challenge.provisional], ["blitz", 1500, true], "a newcomer's challenge (S-110)");
  const before = (await white.get(`/api/v1/games/${game}`)).json;
  same([before.white.rating, before.white.provisional, before.ratings], [1500, true, null], "before");
  const told = [rated(white, game), rated(black, game)];
  await black.socket.must("resign", { game });
  const [one, other] = await Promise.all(told);
  same(one, other, "both are told the same");
  const change = { white: { before: 1500, after: 1513, k: 25, e: 50 }, black: { before: 1500, after: 1487, k: 25, e: 50 } };
  same([one.d.white, one.d.black], [change.white, change.black], "the change (S-115)");
  const after = (await white.get(`/api/v1/games/${game}`)).json;
  same([after.ratings, after.white.rating, after.black.rating], [change, 1513, 1487], "the game");

  const lists = (await site.request("GET", "/api/v1/players/kieseritzky/ratings")).json.lists;
  same(Object.keys(lists), ["classic", "advance", "rapid", "blitz"], "the lists");
  const { last, ...blitzNow } = lists.blitz;
  same(blitzNow, { rating: 1513, provisional: true, class: 7, games: 1, wins: 1, draws: 0, losses: 0, place: 1 }, "blitz (S-117)");
  holds(Math.abs(last - Date.now()) < 60000, "when");
  for (const list of ["classic", "advance", "rapid"])
    same([lists[list].rating, lists[list].games, lists[list].place, lists[list].last], [1500, 0, null, null], list);

  const table = (await site.request("GET", "/api/v1/ratings/blitz")).json;
  same(
    table.players.map((p) => [p.place, p.nick, p.rating, p.games, p.wins, p.draws, p.losses, p.month]),
    [
      [1, "Kieseritzky", 1513, 1, 1, 0, 0, 13],
      [2, "Anderssen", 1487, 1, 0, 0, 1, -13],
    ],
    "the table (S-119)",
  );
  same((await site.request("GET", "/api/v1/ratings/rapid")).json, { players: [], after: null }, "another list");

  const history = (await site.request("GET", "/api/v1/players/Anderssen/ratings?list=blitz")).json;
  const { ended, ...row } = history.games[0];
  same(
    [history.list, history.games.length, row, history.after],
    ["blitz", 1, { game, color: "black", opponent: "Kieseritzky", opponent_rating: 1500, score: "0", before: 1500, after: 1487, k: 25, e: 50 }, null],
    "the history (S-120)",
  );
  same((await site.request("GET", "/api/v1/players/Anderssen/ratings/graph?list=blitz")).json.points, [[ended, 1487]], "the graph");

  const games = (await site.request("GET", "/api/v1/players/Anderssen/games")).json.games;
  same([games[0].white.rating, games[0].black.rating], [1500, 1500], "in the list of games: before the game");
  const next = await begin(white, black, { moves: [] });
  same([next.challenge.rating, next.challenge.provisional], [1513, true], "the next challenge");
  await white.socket.must("abort", { game: next.game });
});

test("what is not counted (S-118): unrated, aborted, without a move of both", async () => {
  const white = await Person.register(site);
  const black = await Person.register(site);
  const aborted = await begin(white, black, { moves: ["e2e4"] });
  await black.socket.must("abort", { game: aborted.game });
  const made = await white.post("/api/v1/challenges", { control: blitz, color: "white", rated: false });
  const { game } = (await black.post(`/api/v1/challenges/${made.json.id}/join`)).json;
  for (const person of [white, black]) await person.socket.must("sub", { ch: `game:${game}` });
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  await black.socket.must("resign", { game });
  await sleep(300);
  same((await white.get(`/api/v1/games/${game}`)).json.ratings, null, "unrated");
  same((await white.get(`/api/v1/players/${white.nick}/ratings`)).json.lists.blitz.games, 0, "nothing was counted");
});

test("killed between the end of a game and its counting: counted once, after the restart", async () => {
  const white = await Person.register(site);
  const black = await Person.register(site);
  for (let round = 1; round <= 3; round++) {
    white.socket = black.socket = undefined;
    const { game } = await begin(white, black);
    const end = white.socket.wait((m) => m.t === "end" && m.d.game === game, "the end", PATIENCE_MS, 0);
    void black.socket.ask("resign", { game }).catch(() => {});
    await end; // durable now, and perhaps not counted yet
    await site.kill();
    await site.restart();
    let lists;
    await eventually("counted", async () => {
      lists = (await site.request("GET", `/api/v1/players/${white.nick}/ratings`)).json.lists;
      return lists.blitz.games >= round;
    });
    same([lists.blitz.games, lists.blitz.wins], [round, round], `round ${round}`);
    const state = (await site.request("GET", `/api/v1/games/${game}`)).json;
    same(state.ratings.white.after, lists.blitz.rating, "the game says what it did");
  }
});

test("the table page by page: places, equals, limits; wrong questions", async () => {
  const everybody = (await site.request("GET", "/api/v1/ratings/blitz?limit=100")).json.players;
  const seen = [];
  let after = null;
  do {
    const page = (await site.request("GET", `/api/v1/ratings/blitz?limit=1${after ? `&after=${after}` : ""}`)).json;
    seen.push(...page.players);
    after = page.after;
  } while (after);
  same(seen, everybody, "the same rows one by one");
  same((await site.request("GET", "/api/v1/ratings/blitz?all=1")).json.players.length, everybody.length, "nobody is inactive");
  const cases = [
    ["/api/v1/ratings/bullet", 404, "not_found", undefined],
    ["/api/v1/ratings/blitz?limit=0", 400, "bad_request", "limit"],
    ["/api/v1/ratings/blitz?limit=101", 400, "bad_request", "limit"],
    ["/api/v1/ratings/blitz?after=1.2", 400, "bad_request", "after"],
    ["/api/v1/ratings/blitz?after=x", 400, "bad_request", "after"],
    ["/api/v1/ratings/blitz?all=yes", 400, "bad_request", "all"],
    ["/api/v1/ratings/blitz?page=2", 400, "bad_request", undefined],
    ["/api/v1/ratings/expected?diff=", 400, "bad_request", "diff"],
    ["/api/v1/ratings/expected?diff=many", 400, "bad_request", "diff"],
    ["/api/v1/ratings/expected?diff=10001", 400, "bad_request", "diff"],
    ["/api/v1/players/nobody-here/ratings", 404, "not_found", undefined],
    ["/api/v1/players/nobody-here/ratings?list=blitz", 404, "not_found", undefined],
    ["/api/v1/players/nobody-here/ratings/graph?list=blitz", 404, "not_found", undefined],
    ["/api/v1/players/Anderssen/ratings?list=bullet", 400, "bad_request", "list"],
    ["/api/v1/players/Anderssen/ratings?limit=5", 400, "bad_request", "list"],
    ["/api/v1/players/Anderssen/ratings?list=blitz&after=7", 400, "bad_request", "after"],
    ["/api/v1/players/Anderssen/ratings/graph", 400, "bad_request", "list"],
  ];
  for (const [path, status, code, field] of cases) {
    const { status: got, json } = await site.request("GET", path);
    same([got, json.error.code, json.error.field], [status, code, field], path);
  }
  for (const path of ["/api/v1/ratings/blitz", "/api/v1/players/Anderssen/ratings", "/api/v1/ratings/expected?diff=1"]) {
    const { headers } = await site.request("GET", path);
    same((await site.request("GET", path, { headers: { "If-None-Match": headers.etag } })).status, 304, `${path} unchanged`);
    same((await site.request("POST", path, { body: {} })).status, 405, `POST ${path}`);
  }
});

test("the expected score of a difference (S-114, S-116)", async () => {
  for (const [diff, expected] of [[0, 50], [3, 50], [4, 51], [-100, 36], [735, 99], [736, 100], [-736, 0], [400, 92]]) {
    const { json } = await site.request("GET", `/api/v1/ratings/expected?diff=${diff}`);
    same(json, { diff, expected, opponent: 100 - expected }, `diff ${diff}`);
  }
  const { rows } = (await site.request("GET", "/api/v1/ratings/expected")).json;
  same([rows.length, rows[0], rows.at(-1)], [51, { from: 0, to: 3, higher: 50, lower: 50 }, { from: 736, to: null, higher: 100, lower: 0 }], "the table");
});

test("a corrected result (S-104): a mark on the game, the list counted anew from there, a row in the audit log", async () => {
  const winner = await Person.register(site);
  const loser = await Person.register(site);
  const third = await Person.register(site);
  const first = await begin(winner, loser);
  await loser.socket.must("resign", { game: first.game });
  await rated(winner, first.game);
  const second = await begin(winner, third);
  await third.socket.must("resign", { game: second.game });
  await rated(winner, second.game);
  const admin = (...args) => runProgram(["admin", "--data", site.data, "result", ...args]);
  await site.stop();
  const cases = [
    [["AAAAAAAAAAAA", "0-1"], /there is no game AAAAAAAAAAAA/],
    [["short", "0-1"], /no id of a game/],
    [[first.game, "1-0"], /has the result 1-0 already/],
  ];
  for (const [args, message] of cases) {
    const refused = await admin(...args, "--reason", "why");
    holds(refused.code === 1 && message.test(refused.err), `${args}: ${refused.err}`);
  }
  const done = await admin(first.game, "0-1", "--reason", "The arbiter saw two moves in one turn.");
  same([done.code, done.out], [0, `game ${first.game}: 1-0 becomes 0-1\nthe ratings of 2 games were counted anew\n`], "corrected");
  await site.restart();
  const game = (await site.request("GET", `/api/v1/games/${first.game}`)).json;
  same([game.result, game.reason, game.corrected, game.ratings.white.after, game.ratings.black.after], ["0-1", "arbiter", true, 1487, 1513], "the game");
  const later = (await site.request("GET", `/api/v1/games/${second.game}`)).json;
  same([later.corrected, later.ratings.white.before, later.ratings.white.after], [false, 1487, 1500], "the later game");
  const { lists } = (await site.request("GET", `/api/v1/players/${winner.nick}/ratings`)).json;
  same([lists.blitz.rating, lists.blitz.wins, lists.blitz.losses], [1500, 1, 1], "the list");
  const pgn = await site.request("GET", `/api/v1/games/${first.game}.pgn`);
  holds(pgn.text.includes('[Result "0-1"]'), "the PGN");
  // Again, and back: each ruling stands in the log.
  await site.stop();
  same((await admin(first.game, "1-0", "--reason", "The appeal was granted.")).code, 0, "corrected once more");
  await site.restart();
  const back = (await site.request("GET", `/api/v1/players/${winner.nick}/ratings`)).json.lists.blitz;
  same([back.rating, back.wins], [1525, 2], "as it was");
});

test("a result corrected while the site runs (S-104): the board, both players, the list, a letter of the audit log", async () => {
  const [winner, loser, third, admin] = [await Person.register(site), await Person.register(site), await Person.register(site), await Person.register(site, "Ruling-hand")];
  same((await site.admin("role", admin.nick, "admin")).code, 0, "an administrator");
  const first = await begin(winner, loser);
  await loser.socket.must("resign", { game: first.game });
  await rated(winner, first.game);
  const second = await begin(winner, third);
  await third.socket.must("resign", { game: second.game });
  await rated(winner, second.game);
  const running = await begin(winner, third);
  const path = (game) => `/api/v1/games/${game}/result`;
  const form = { result: "0-1", reason: "Two moves in one turn." };
  const cases = [
    [undefined, path(first.game), form, 401, "auth_required", undefined],
    [winner, path(first.game), form, 403, "forbidden", undefined],
    [admin, path("AAAAAAAAAAAA"), form, 404, "not_found", undefined],
    [admin, path("short"), form, 404, "not_found", undefined],
    [admin, path(running.game), form, 409, "conflict", undefined],
    [admin, path(first.game), { ...form, result: "1-0" }, 409, "conflict", undefined],
    [admin, path(first.game), { ...form, result: "2-0" }, 400, "bad_request", "result"],
    [admin, path(first.game), { ...form, result: 1 }, 400, "bad_request", "result"],
    [admin, path(first.game), { result: "0-1" }, 400, "bad_request", "reason"],
    [admin, path(first.game), { ...form, reason: "  " }, 400, "bad_request", "reason"],
    [admin, path(first.game), { ...form, reason: "x".repeat(201) }, 400, "bad_request", "reason"],
    [admin, path(first.game), { ...form, points: 2 }, 400, "bad_request", "points"],
    [admin, path(first.game), "{", 400, "bad_request", undefined],
    [admin, path(first.game), `{"result":"0-1","reason":"${"x".repeat(100000)}"}`, 413, undefined, undefined],
  ];
  for (const [who, to, body, status, code, field] of cases) {
    const answer = await (who ?? site).request("POST", to, { body });
    same([answer.status, answer.json?.error?.code, answer.json?.error?.field], [status, code ?? answer.json?.error?.code, field], `${to} ${JSON.stringify(body).slice(0, 60)}`);
  }
  same((await winner.get(`/api/v1/games/${first.game}`)).json.result, "1-0", "nothing has changed");

  for (const person of [winner, loser]) await person.socket.must("sub", { ch: "me" });
  const told = [winner, loser].map((p) => p.socket.wait((m) => m.t === "corrected" && m.d.game === first.game, "corrected", PATIENCE_MS, 0));
  const shown = loser.socket.wait((m) => m.t === "game" && m.d.id === first.game && m.d.corrected, "the board", PATIENCE_MS, 0);
  const done = await admin.post(path(first.game), form);
  same([done.status, done.json], [200, { game: first.game, before: "1-0", after: "0-1" }], "corrected");
  await Promise.all(told);
  same((await shown).d.result, "0-1", "the board shows it");
  const find = async (id) => (await site.request("GET", `/api/v1/games/${id}`)).json;
  await eventually("counted anew", async () => (await find(second.game)).ratings.white.before, 1487);
  const game = await find(first.game);
  same([game.result, game.reason, game.corrected, game.ratings.white.after, game.ratings.black.after], ["0-1", "arbiter", true, 1487, 1513], "the game");
  const later = (await site.request("GET", `/api/v1/games/${second.game}`)).json;
  same([later.ratings.white.before, later.ratings.white.after], [1487, 1500], "the later game: as if played in order");
  holds((await site.request("GET", `/api/v1/games/${first.game}.pgn`)).text.includes('[Result "0-1"]'), "the PGN");
  holds(/Ruling-hand {2}result {2}game:\S+ {2}1-0 {2}0-1 {2}Two moves/.test((await site.admin("audit")).text), "the audit log");

  // The operator's command reaches the running site, too.
  const back = await site.admin("result", first.game, "1/2-1/2", "--reason", "The appeal was granted in part.");
  same([back.code, back.text], [0, `game ${first.game}: 0-1 becomes 1/2-1/2\nthe ratings are counted anew from that game on\n`], "by the operator");
  for (const [words, message] of [
    [["AAAAAAAAAAAA", "0-1"], /there is no game AAAAAAAAAAAA/],
    [["short", "0-1"], /no id of a game/],
    [[first.game, "1/2-1/2"], /has the result 1\/2-1\/2 already/],
    
    [[running.game, "1-0"], /has not ended/],
  ]) {
    const refused = await site.admin("result", ...words, "--reason", "why");
    holds(refused.code === 1 && message.test(refused.text), `${words}: ${refused.text}`);
  }
  same((await site.admin("result", first.game, "0-1")).code, 2, "without a reason");
  same((await site.admin("result", first.game, "3-0", "--reason", "why")).code, 2, "no result");
  // Two at once: each of them is made, or told to come again; the log holds what it says.
  const both = await Promise.all(["1-0", "0-1", "0-0"].map((result) => admin.post(path(first.game), { result, reason: "at once" })));
  for (const answer of both) holds([200, 409].includes(answer.status), answer.text);
  const last = (await site.request("GET", `/api/v1/games/${first.game}`)).json;
  await winner.socket.must("resign", { game: running.game });
  await site.kill();
  await site.restart();
  const after = (await site.request("GET", `/api/v1/games/${first.game}`)).json;
  same([after.result, after.corrected], [last.result, true], "it is in the log");
});

test("a deleted account leaves the table; its opponent's history stays", async () => {
  const winner = await Person.register(site, "Winner-who-goes");
  const loser = await Person.register(site);
  const { game } = await begin(winner, loser);
  const told = rated(loser, game);
  await loser.socket.must("resign", { game });
  await told;
  same((await runProgram(["admin", "--data", site.data, "erase", winner.nick])).code, 0, "erased");
  const { players } = (await site.request("GET", "/api/v1/ratings/blitz?limit=100")).json;
  holds(!players.some((p) => p.nick === winner.nick) && players.some((p) => p.nick === loser.nick), "the table");
  const history = (await site.request("GET", `/api/v1/players/${loser.nick}/ratings?list=blitz`)).json;
  same([history.games[0].opponent, history.games[0].after], [null, 1487], "a former player");
});

test("too often", async () => {
  const limited = await Site.start();
  const answer = await tooOften(() => limited.request("GET", "/api/v1/ratings/blitz"));
  same([answer.status, answer.json.error.code], [429, "rate_limited"], "429");
  holds(answer.json.error.retry_after >= 1, "seconds to wait");
  await limited.end();
});

await runTests();
