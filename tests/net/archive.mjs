// SPDX-License-Identifier: GPL-3.0-or-later
// The archive: finished games by filter, as rows and as PGN (X-006), and what runs now.
import { PATIENCE_MS, Person, Site, blitz, holds, runTests, same, sleep, test, tooOften } from "./harness.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const anna = await Person.register(site, "Anna");
const boris = await Person.register(site, "Boris");
const clara = await Person.register(site, "Clara");
const rapid = { kind: "clock", base_ms: 900000, increment_ms: 10000, delay_ms: 0 };

async function begin(white, black, { control = blitz, rated = true, edition } = {}) {
  const challenge = await white.post("/api/v1/challenges", { control, color: "white", rated, ...(edition && { edition }) });
  same(challenge.status, 201, challenge.text);
  const { game } = (await black.post(`/api/v1/challenges/${challenge.json.id}/join`)).json;
  for (const person of [white, black]) {
    person.socket ??= await person.connect();
    await person.socket.must("sub", { ch: `game:${game}` });
  }
  for (const [ply, uci] of ["e2e4", "e7e5"].entries()) await [white, black][ply].socket.must("move", { game, ply, uci });
  return game;
}
async function play(white, black, loser, options) {
  const game = await begin(white, black, options);
  await loser.socket.must("resign", { game });
  if (options?.rated !== false) await white.socket.wait((m) => m.t === "rated" && m.d.game === game, "rated", PATIENCE_MS, 0);
  await sleep(5); // no two end in the same millisecond
  return game;
}

const games = [
  await play(anna, boris, boris),
  await play(boris, anna, boris, { control: rapid }),
  await play(anna, clara, anna, { rated: false, edition: "fide-2009" }),
  await play(clara, boris, boris),
];
const find = async (query) => (await site.request("GET", `/api/v1/games${query}`)).json;
const ids = async (query) => (await find(query)).games.map((g) => games.indexOf(g.id));

test("by player, result, list, edition and time, newest first", async () => {
  same(await ids(""), [3, 2, 1, 0], "all");
  same(await ids("?player=anna"), [2, 1, 0], "a player, of either colour");
  same(await ids("?player=Boris&result=1-0"), [3, 0], "and a result");
  same(await ids("?list=rapid"), [1], "a list");
  same(await ids("?edition=fide-2009"), [2], "an edition");
  same(await ids("?list=classic"), [], "none");
  const all = (await find("")).games;
  same(await ids(`?from=${all[2].ended}`), [3, 2, 1], "from an instant on");
  same(await ids(`?to=${all[2].ended}`), [0], "and before it");
  same(await ids(`?from=${all[2].ended}&to=${all[0].ended}&player=clara`), [2], "everything together");
});

test("page by page", async () => {
  const seen = [];
  let after = null;
  do {
    const page = await find(`?limit=1&player=Boris${after ? `&after=${after}` : ""}`);
    seen.push(...page.games.map((g) => games.indexOf(g.id)));
    after = page.after;
  } while (after);
  same(seen, [3, 1, 0], "the same rows");
});

test("as PGN: the same filters, clocks, ratings and event", async () => {
  const answer = await site.request("GET", "/api/v1/games.pgn?player=Anna");
  holds(answer.headers["content-type"].startsWith("application/x-chess-pgn"), "its type");
  const parts = answer.text.split("[Event ").slice(1);
  same(parts.length, 3, "three games");
  holds(/^"Casual game"/.test(parts[0]) && !parts[0].includes("Elo"), "the unrated one says no ratings");
  holds(/^"Rated game"/.test(parts[2]) && parts[2].includes('[WhiteElo "1500"]') && parts[2].includes('[BlackElo "1500"]'), `before the game:\n${parts[2]}`);
  holds(/1\. e4 \{\[%clk 0:0\d:\d\d(\.\d+)?\]\} 1\.\.\. e5 \{\[%clk 0:0/.test(parts[2].replace(/\n/g, " ")), `clocks:\n${parts[2]}`);
  const one = await site.request("GET", `/api/v1/games/${games[3]}.pgn`);
  holds(one.text.includes('[WhiteElo "1500"]') && one.text.includes('[BlackElo "1487"]'), `a single one as well:\n${one.text}`);
  same((await site.request("GET", "/api/v1/games.pgn?limit=2")).text.split("[Event ").length, 3, "as many as asked");
  same((await site.request("GET", "/api/v1/games.pgn?list=classic")).text, "", "none");
});

test("wrong questions", async () => {
  const cases = [
    ["?player=nobody-here", 404, "not_found", undefined],
    ["?result=2-0", 400, "bad_request", "result"],
    ["?result=*", 400, "bad_request", "result"],
    ["?list=bullet", 400, "bad_request", "list"],
    ["?edition=2023", 400, "bad_request", "edition"],
    ["?from=yesterday", 400, "bad_request", "from"],
    ["?to=-1", 400, "bad_request", "to"],
    ["?limit=0", 400, "bad_request", "limit"],
    ["?limit=501", 400, "bad_request", "limit"],
    ["?after=1", 400, "bad_request", "after"],
    ["?opening=ruy", 400, "bad_request", undefined],
  ];
  for (const path of ["/api/v1/games", "/api/v1/games.pgn"])
    for (const [query, status, code, field] of cases) {
      const { status: got, json } = await site.request("GET", path + query);
      same([got, json.error.code, json.error.field], [status, code, field], path + query);
    }
  same((await site.request("POST", "/api/v1/games", { body: {} })).status, 405, "POST");
});

test("what runs now, with its spectators (X-010)", async () => {
  same((await find("/running")).games, [], "nothing");
  const quiet = await begin(anna, boris, { rated: false });
  const watched = await begin(boris, clara, { rated: false });
  const guest = await anna.connect({ cookie: undefined });
  await guest.must("sub", { ch: `game:${watched}` });
  const rows = (await find("/running")).games;
  same(rows.map((r) => [r.game.id, r.spectators]), [[watched, 1], [quiet, 0]], "most followed first");
  for (const [who, game] of [[anna, quiet], [boris, watched]]) await who.socket.must("resign", { game });
  same((await find("/running")).games, [], "nothing any more");
});

test("too often", async () => {
  const limited = await Site.start();
  const answer = await tooOften(() => limited.request("GET", "/api/v1/games"));
  same([answer.status, answer.json.error.code], [429, "rate_limited"], "429");
  await limited.end();
});

await runTests();
