// SPDX-License-Identifier: GPL-3.0-or-later
// The computer as an opponent over HTTP: guests, levels, moves taken back, a restart and dead engines in the middle.
import { readdirSync, readFileSync } from "node:fs";
import { PATIENCE_MS, Person, Site, blitz, eventually, holds, runTests, same, sleep, test } from "./harness.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const noHurry = { kind: "days", days: 14 };

// Somebody who asks without a browser: keeps the cookie.
async function guest(at = site) {
  const answer = await at.request("POST", "/api/v1/guest", { body: { language: "en" } });
  same(answer.status, 201, "guest");
  const cookie = String(answer.headers["set-cookie"]).split(";")[0];
  const me = answer.json.me;
  const ask = (method, path, body) => at.request(method, path, { ...(body === undefined ? {} : { body }), cookie });
  return { me, ask };
}

async function begin(who, form) {
  const answer = await who.ask("POST", "/api/v1/computer-games", form);
  same(answer.status, 201, JSON.stringify(answer.json));
  return answer.json.game;
}

// The state once the computer has made its move and stands at that ply.
async function at(who, game, ply) {
  let state;
  await eventually(`the computer moves to ply ${ply}`, async () => {
    state = (await who.ask("GET", `/api/v1/games/${game}`)).json;
    return state.ply >= ply || state.state !== "running";
  });
  return state;
}

test("levels are told, weakest first", async () => {
  const { json } = await site.request("GET", "/api/v1/computers");
  same(json.available, true, "an engine is there");
  holds(json.levels.length >= 8, "at least eight levels");
  for (let i = 1; i < json.levels.length; i++) holds(json.levels[i].elo > json.levels[i - 1].elo, "rising");
});

test("a guest plays, takes back, and may do no more than that", async () => {
  const who = await guest();
  holds(who.me.nick.startsWith("guest-"), "the nick");
  const game = await begin(who, { level: 1, color: "white", control: noHurry, take_backs: true });
  const before = await at(who, game, 0);
  same([before.type, before.rated, before.take_backs], ["computer", false, true], "the game");
  same([before.white.level, before.black.level], [null, 1], "who sits there");
  same((await who.ask("POST", `/api/v1/games/${game}/takeback`, {})).json.error.code, "not_allowed", "nothing to take back");
  same((await who.ask("POST", `/api/v1/games/${game}/move`, { ply: 0, uci: "e2e4" })).status, 200, "a move");
  const answered = await at(who, game, 2);
  same(answered.moves.length, 2, "and its answer");
  const back = await who.ask("POST", `/api/v1/games/${game}/takeback`, {});
  same([back.status, back.json.ply, back.json.state], [200, 0, "running"], "taken back");
  same((await who.ask("POST", `/api/v1/games/${game}/move`, { ply: 0, uci: "d2d4" })).status, 200, "another move");
  same((await at(who, game, 2)).moves[0].uci, "d2d4", "the new game");
  const refused = await who.ask("POST", "/api/v1/challenges", { control: blitz, color: "white", rated: false });
  same([refused.status, refused.json.error.code], [401, "auth_required"], "guests do not challenge people");
  const own = await Person.register(site, "Wanderer");
  same((await own.post(`/api/v1/games/${game}/takeback`, {})).json.error.code, "forbidden", "not his game");
});

// The fork on c7: the engine finds it, the tutor says why.
const forkFen = "r3k3/8/8/3N4/8/8/4PPPP/6K1 w - - 0 1";

test("a hint says the best move and why, and is counted in the PGN (L-024)", async () => {
  const who = await guest();
  const game = await begin(who, { level: 1, color: "white", control: noHurry, fen: forkFen });
  const hint = await who.ask("POST", `/api/v1/games/${game}/hint`, { ply: 0 });
  same(hint.status, 200, JSON.stringify(hint.json));
  const { best, considered, hints } = hint.json;
  same([best.uci, best.san, hints, considered], ["d5c7", "Nc7+", 1, null], "the move");
  same(best.reason.id, "fork", "the reason");
  same(best.reason.targets.map((m) => m.square).sort(), ["a8", "e8"], "what it forks");
  same(best.line[0], "d5c7", "the line");
  holds(best.score.mate > 0 || best.score.cp > 100, `the score ${JSON.stringify(best.score)}`);
  same((await who.ask("GET", `/api/v1/games/${game}`)).json.hints, 1, "in the game");
  same((await who.ask("POST", `/api/v1/games/${game}/move`, { ply: 0, uci: "d5c7" })).status, 200, "played");
  await at(who, game, 2);
  same((await who.ask("POST", `/api/v1/games/${game}/resign`, {})).status, 200, "over");
  const pgn = (await site.request("GET", `/game/${game}.pgn`)).text;
  holds(/\n\n\{hints: 1\} 1\. Nc7\+/.test(pgn), pgn);
});

test("what a move one thinks of is worth, beside the best one (L-052)", async () => {
  const who = await guest();
  const game = await begin(who, { level: 1, color: "white", control: noHurry, fen: "r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1" });
  const ask = (body) => who.ask("POST", `/api/v1/games/${game}/hint`, body);
  const answer = (await ask({ ply: 0, uci: "a1b1" })).json;
  same(answer.considered.san, "Rb1", "the move");
  holds(answer.best.score !== null && answer.considered.score !== null, "both have a score");
  const blunder = (await ask({ ply: 0, uci: "a1a7" })).json.considered;
  same([blunder.objection.id, blunder.objection.san], ["loses", "Rxa7"], "what answers it");
  const mates = (await ask({ ply: 0, uci: "a1a8" })).json.considered;
  same([mates.reason.id, mates.score], ["mates", { mate: 1 }], "a mate");
  same((await who.ask("GET", `/api/v1/games/${game}`)).json.hints, 3, "each is counted");
});

test("no hint in a game against a person, none out of turn, none for others (L-024)", async () => {
  const [ann, ben] = [await Person.register(site, "Ann"), await Person.register(site, "Ben")];
  const made = await ann.post("/api/v1/challenges", { control: blitz, color: "white", rated: false });
  const game = (await ben.post(`/api/v1/challenges/${made.json.id}/join`, {})).json.game;
  const refused = await ann.post(`/api/v1/games/${game}/hint`, { ply: 0 });
  same([refused.status, refused.json.error.code], [422, "not_allowed"], "against a person");
  same((await site.request("POST", `/api/v1/games/${game}/hint`, { body: { ply: 0 } })).status, 401, "nobody");
  const who = await guest();
  const own = await begin(who, { level: 1, color: "white", control: noHurry, fen: forkFen });
  const code = async (body, person = who) => (await person.ask("POST", `/api/v1/games/${own}/hint`, body)).json.error?.code;
  same(await code({ ply: 4 }), "stale_ply", "another ply");
  same(await code({ ply: 0, uci: "e1e5" }), "illegal_move", "an illegal move");
  same(await code({}), "bad_request", "no ply");
  same(await code({ ply: 0 }, await guest()), "forbidden", "somebody else's game");
  same((await who.ask("GET", `/api/v1/games/${own}`)).json.hints, 0, "none was counted");
});

test("a report of a finished game, worked out once for all who ask (X-020)", async () => {
  const who = await guest();
  const game = await begin(who, { level: 1, color: "white", control: noHurry, fen: "r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1" });
  const path = `/api/v1/games/${game}/report`;
  same((await who.ask("POST", path, {})).status, 404, "not of a game that runs");
  same((await who.ask("POST", `/api/v1/games/${game}/move`, { ply: 0, uci: "a1a7" })).status, 200, "a blunder");
  const { ply } = await at(who, game, 2);
  same((await who.ask("POST", `/api/v1/games/${game}/resign`, {})).status, 200, "over");
  same((await who.ask("GET", path)).status, 404, "nobody has asked for it");
  same((await site.request("POST", path, { body: {} })).status, 401, "not by anybody");
  let report;
  await eventually("the report is done", async () => {
    report = await who.ask("POST", path, {});
    return report.json.state === "done";
  });
  same([report.status, report.json.state, report.json.of, report.json.looks.length], [200, "done", ply + 1, ply + 1], JSON.stringify(report.json));
  const [before, after] = report.json.looks;
  same(before.pv[0], "a1a8", "the mate that was there");
  same(before.score, { mate: 1 }, "its score");
  holds(after.score.cp < -300 || after.score.mate < 0, `what the blunder made of it: ${JSON.stringify(after.score)}`);
  const other = await guest();
  same((await other.ask("GET", path)).json, report.json, "for others too");
});

// Two people and a game that runs between them from a position of their own.
async function between(names, form, moves = []) {
  const [ann, ben] = [await Person.register(site, names[0]), await Person.register(site, names[1])];
  const made = await ann.post("/api/v1/challenges", { color: "white", rated: false, ...form });
  same(made.status, 201, JSON.stringify(made.json));
  const { game } = (await ben.post(`/api/v1/challenges/${made.json.id}/join`, {})).json;
  for (const [ply, uci] of moves.entries())
    same((await (ply % 2 ? ben : ann).post(`/api/v1/games/${game}/move`, { ply, uci })).status, 200, uci);
  return { ann, ben, game };
}
const asGuest = (person) => ({ ask: (method, path, body) => person.request(method, path, body === undefined ? {} : { body }) });
const refusal = ({ status, json }) => [status, json.error?.code];
const fair = [422, "fair_play"];
const reportOf = async (who, game) => {
  let answer;
  await eventually("the game has a record", async () => {
    answer = await who.ask("POST", `/api/v1/games/${game}/report`, {});
    return answer.status !== 404;
  });
  return answer;
};

test("S-065, L-024, X-020: no way to have the engine look at what people are playing", async () => {
  // What was asked before the people came to that position: a game against the computer, and one that is over.
  const fen = "6k1/5ppp/8/8/8/1r6/5PPP/R5K1 w - - 0 1";
  const after = "6k1/5ppp/8/8/8/1r6/5PPP/1R4K1 b - - 1 1"; // a1b1
  const friend = await guest();
  const form = { level: 1, color: "white", control: noHurry };
  const early = await begin(friend, { ...form, fen });
  const over = await begin(friend, { ...form, fen });
  same((await friend.ask("POST", `/api/v1/games/${over}/resign`, {})).status, 200, "over");
  const { ann, ben, game } = await between(["Ann-Fair", "Ben-Fair"], { control: noHurry, fen });
  for (const [who, whose] of [[friend, "a friend"], [asGuest(ann), "a player"]]) {
    same(refusal(await who.ask("POST", "/api/v1/computer-games", { ...form, fen })), fair, `set up by ${whose}`);
    same(refusal(await who.ask("POST", "/api/v1/computer-games", { ...form, color: "black", fen: fen.replace("0 1", "7 30") })), fair, "other numbers");
    same(refusal(await who.ask("POST", "/api/v1/computer-games", { ...form, fen: fen.replace(" w ", " b ") })), fair, "the other side to move");
  }
  same(refusal(await friend.ask("POST", `/api/v1/games/${early}/hint`, { ply: 0 })), fair, "a hint in a game begun before");
  same((await friend.ask("GET", `/api/v1/games/${early}`)).json.hints, 0, "and none is counted");
  same(refusal(await reportOf(friend, over)), fair, "a report of a game that came by");
  same(refusal(await reportOf(asGuest(ben), over)), fair, "for the other player");
  // The people go on: now the move to their position is what the computer must not answer.
  same((await ann.post(`/api/v1/games/${game}/move`, { ply: 0, uci: "a1b1" })).status, 200, "a move");
  same(refusal(await friend.ask("POST", `/api/v1/games/${early}/move`, { ply: 0, uci: "a1b1" })), fair, "the computer is not led there");
  same(refusal(await friend.ask("POST", "/api/v1/computer-games", { ...form, fen: after })), fair, "nor set there");
  same((await friend.ask("POST", `/api/v1/games/${early}/hint`, { ply: 0 })).status, 200, "what is not played any more may be asked");
  // And when they are done, everything is free.
  same((await ben.post(`/api/v1/games/${game}/resign`, {})).status, 200, "resigned");
  same((await friend.ask("POST", `/api/v1/games/${early}/move`, { ply: 0, uci: "a1b1" })).status, 200, "the same move");
  same((await reportOf(friend, over)).status, 200, "the report");
  same((await reportOf(friend, game)).status, 200, "of their game");
});

test("S-065: who plays a person on the clock asks no engine at all; the opening and Advance are free", async () => {
  const { ann, ben, game } = await between(["Ann-Clock", "Ben-Clock"], { control: { kind: "clock", base_ms: 900000, increment_ms: 0, delay_ms: 0 } });
  const [a, stranger] = [asGuest(ann), await guest()];
  const form = { level: 1, color: "white", control: noHurry };
  const own = await begin(a, form);
  const others = await begin(stranger, form);
  same(refusal(await a.ask("POST", `/api/v1/games/${own}/hint`, { ply: 0 })), fair, "a player");
  same((await stranger.ask("POST", `/api/v1/games/${others}/hint`, { ply: 0 })).status, 200, "the first position of a game is everybody's");
  same((await a.ask("POST", `/api/v1/games/${own}/resign`, {})).status, 200, "over");
  same(refusal(await reportOf(a, own)), fair, "no report either");
  same((await ben.post(`/api/v1/games/${game}/abort`, {})).status, 200, "called off");
  same((await reportOf(a, own)).status, 200, "afterwards");
  const fen = "6k1/5ppp/8/8/8/2r5/5PPP/R5K1 w - - 0 1";
  await between(["Ann-Advance", "Ben-Advance"], { type: "advance", control: noHurry, fen });
  const free = await begin(stranger, { ...form, fen });
  same((await stranger.ask("POST", `/api/v1/games/${free}/hint`, { ply: 0 })).status, 200, "Advance");
});

test("X-020: no more reports by asking for all of them at once", async () => {
  const who = await guest();
  const games = [];
  for (let i = 0; i < 14; i++) {
    games.push(await begin(who, { level: 1, color: "white", control: noHurry }));
    same((await who.ask("POST", `/api/v1/games/${games[i]}/resign`, {})).status, 200, "over");
  }
  const answers = await Promise.all(games.map((game) => reportOf(who, game)));
  const begun = answers.filter(({ status }) => status === 200).length;
  holds(begun > 0 && begun <= 10, `${begun} are begun: ${answers.map(({ status }) => status)}`);
  holds(answers.every(({ status }) => [200, 429, 503].includes(status)), "the others are refused");
});

test("ten reports a day (X-020)", async () => {
  const who = await guest();
  for (let i = 0; i < 11; i++) {
    const game = await begin(who, { level: 1, color: "white", control: noHurry });
    same((await who.ask("POST", `/api/v1/games/${game}/resign`, {})).status, 200, "over");
    const answer = await reportOf(who, game);
    same([answer.status, answer.json.error?.code], i < 10 ? [200, undefined] : [429, "rate_limited"], `report ${i + 1}`);
    if (i === 10) holds(answer.json.error.retry_after > 0, "when to come back");
  }
});

test("what is asked wrongly is refused", async () => {
  const who = await guest();
  const form = { level: 3, color: "white", control: noHurry };
  const code = async (body) => {
    const answer = await who.ask("POST", "/api/v1/computer-games", body);
    return `${answer.status} ${answer.json.error?.code} ${answer.json.error?.field}`;
  };
  same(await code({ ...form, level: 16 }), "400 bad_request level", "no such level");
  same(await code({ ...form, level: 0 }), "400 bad_request level", "level 0");
  same(await code({ ...form, color: "green" }), "400 bad_request color", "colour");
  same(await code({ ...form, edition: "fide-1900" }), "400 bad_request edition", "edition");
  same(await code({ ...form, fen: "8/8/8/8/8/8/8/8 w - - 0 1" }), "422 position_bad fen", "no kings");
  same(await code({ ...form, fen: "k7/8/1Q6/8/8/8/8/K7 b - - 0 1" }), "422 position_over fen", "no move there");
  same(await code({ ...form, control: { kind: "clock", base_ms: 0, increment_ms: 0, delay_ms: 0 } }), "422 control_range base_ms", "no time");
  same(await code({ ...form, rated: true }), "400 bad_request rated", "never rated");
  same((await site.request("POST", "/api/v1/computer-games", { body: form })).status, 401, "nobody");
  same((await site.request("POST", "/api/v1/guest", { body: { language: "fr" } })).status, 400, "language");
});

test("black, on the clock, from a position of one's own", async () => {
  const who = await guest();
  const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  const game = await begin(who, { level: 5, color: "black", control: blitz, fen, edition: "fide-2005" });
  same((await who.ask("POST", "/api/v1/computer-games", { level: 2, color: "white", control: blitz, fen, take_backs: true })).status, 201, "with moves taken back");
  const state = await at(who, game, 1); // its 15 seconds are over when nobody loads the board
  same([state.start_fen, state.edition, state.black.nick], [fen, "fide-2005", who.me.nick], "as asked");
});

// The engine processes of a site.
const children = (of = site) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === of.process.pid && stat.includes("(stockfish)");
      } catch {
        return false;
      }
    })
    .map(Number);

const killEngines = () => {
  for (const pid of children())
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error; // it has ended by itself meanwhile
    }
};

test("engines are killed and the program is restarted: a pause, nothing worse", async () => {
  const who = await guest();
  const game = await begin(who, { level: 8, color: "white", control: noHurry });
  await who.ask("POST", `/api/v1/games/${game}/move`, { ply: 0, uci: "e2e4" });
  await at(who, game, 2);
  killEngines();
  let state = await at(who, game, 2);
  const reply = async (ply) => {
    const moves = ["g1f3", "f1e2", "h2h3", "a2a3", "b1c3", "d2d3", "b2b3", "g2g3"];
    for (const uci of moves) {
      const answer = await who.ask("POST", `/api/v1/games/${game}/move`, { ply, uci });
      if (answer.status === 200) return;
    }
    throw new Error("no move of the list is legal");
  };
  await reply(2);
  killEngines();
  state = await at(who, game, 4);
  same(state.ply, 4, "it moved all the same");
  await reply(4);
  await site.kill();
  await site.restart();
  state = await at(who, game, 6);
  same(state.ply, 6, "and after a restart");
});

test("many games at once: no more engines than are set, each with one thread that thinks, behind the server", async () => {
  const engines = 2;
  const busy = await Site.start({ flags: ["--rate-limits", "off", "--engines", String(engines), "--engine-pace", "off"] });
  const seen = { processes: 0, work: new Map() }; // process -> thread -> ticks of the processor it has had
  const fieldsOf = (task) => readFileSync(`/proc/${task}/stat`, "utf8").replace(/^.*\) /, "").split(" ").map(Number);
  const niceOf = (pid) => fieldsOf(pid)[16];
  const look = () => {
    const pids = children(busy);
    seen.processes = Math.max(seen.processes, pids.length);
    for (const pid of pids) {
      try {
        // Beside the one that reads our words and writes its own.
        const threads = readdirSync(`/proc/${pid}/task`).filter((task) => Number(task) !== pid);
        if (!seen.work.has(pid)) seen.work.set(pid, new Map());
        for (const task of threads) seen.work.get(pid).set(task, fieldsOf(`${pid}/task/${task}`)[11]);
        holds(niceOf(pid) >= niceOf(busy.process.pid) + 10 || niceOf(pid) === 19, "an engine stands behind the server");
      } catch (error) {
        if (error.code !== "ENOENT" && error.code !== "ESRCH") throw error; // gone meanwhile
      }
    }
  };
  const players = [];
  for (let i = 0; i < 12; i++) {
    const who = await guest(busy);
    players.push([who, await begin(who, { level: 11, color: "white", control: noHurry })]);
  }
  const moves = await Promise.all(players.map(([who, game]) => who.ask("POST", `/api/v1/games/${game}/move`, { ply: 0, uci: "e2e4" })));
  same(moves.map(({ status }) => status), Array(12).fill(200), "twelve moves at once");
  let answered = 0;
  for (const end = Date.now() + PATIENCE_MS, i = { now: 0 }; answered < players.length && Date.now() < end; i.now++) {
    look();
    await sleep(5);
    if (i.now % 20 > 0) continue;
    const states = await Promise.all(players.map(([who, game]) => who.ask("GET", `/api/v1/games/${game}`)));
    answered = states.filter(({ json }) => json.ply === 2).length;
  }
  same([answered, seen.processes], [12, engines], "all are answered, by as many engines as may be");
  const thinking = [...seen.work.values()].map((work) => [...work.values()].filter((ticks) => ticks > 2).length);
  holds(thinking.includes(1) && thinking.every((count) => count <= 1), `one thread of an engine thinks: ${thinking}`);
  await busy.end();
});

test("without an engine the site says so, and works", async () => {
  const bare = await Site.start({ flags: ["--rate-limits", "off", "--engine", "/nowhere/engine"] });
  same((await bare.request("GET", "/api/v1/computers")).json.available, false, "not available");
  const who = await guest(bare);
  const answer = await who.ask("POST", "/api/v1/computer-games", { level: 3, color: "white", control: noHurry });
  same([answer.status, answer.json.error.code], [503, "no_engine"], "no game");
  await bare.end();
});

await runTests();
