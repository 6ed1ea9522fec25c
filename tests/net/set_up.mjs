// SPDX-License-Identifier: GPL-3.0-or-later
// Setting games up over the wire: editions, types, flags, touch mode (S-031, S-032, S-090, S-100, S-105, R-025,
// R-026), who may join (S-035), direct challenges (S-041) and rematches; and all of it asked wrongly.
import { Person, Site, blitz, holds, newGame, runTests, same, slow, test } from "./harness.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off", "--edition", "fide-2014"] });
const CHALLENGES = "/api/v1/challenges";
const minutes = (base, increment = 0) => ({ kind: "clock", base_ms: base * 60000, increment_ms: increment * 1000, delay_ms: 0 });
const bank = { kind: "bank", base_ms: 864000000, increment_ms: 120000, increment_moves: 360 };
const form = (more) => ({ control: minutes(15, 10), color: "white", rated: false, ...more });
const code = (answer) => answer.json.error?.code;

function isError(answer, name, status, field) {
  const error = answer.json?.error;
  same([error?.code, answer.status, error?.field], [name, status, field ?? error?.field], JSON.stringify(answer.json));
}

const anna = await Person.register(site, "Anna-Setup");
const boris = await Person.register(site, "Boris-Setup");
const carla = await Person.register(site, "Carla-Setup");
const make = async (person, more) => {
  const answer = await person.post(CHALLENGES, form(more));
  same(answer.status, 201, JSON.stringify(answer.json));
  return answer.json;
};
const drop = (person, challenge) => person.request("DELETE", `${CHALLENGES}/${challenge.id}`);

test("S-105: the site's edition unless another is chosen; pace by the edition, category and list by R-001 to R-003", async () => {
  for (const [edition, control, pace, category, list, flag] of [
    [undefined, minutes(15, 10), "rapid", "rapid", "rapid", "auto"],
    ["fide-1997", minutes(10, 5), "blitz", "rapid", "rapid", "claim"],
    ["fide-2005", minutes(60), "rapid", "standard", "classic", "claim"],
    ["fide-2009", minutes(60), "standard", "standard", "classic", "auto"],
    ["fide-2023", minutes(3, 2), "blitz", "blitz", "blitz", "auto"],
  ]) {
    const made = await make(anna, { control, ...(edition && { edition }) });
    same([made.edition, made.pace, made.category, made.list, made.flag, made.type],
      [edition ?? "fide-2014", pace, category, list, flag, "blitz"], `${edition} ${control.base_ms}`);
    await drop(anna, made);
  }
  for (const edition of ["fide-2018", "fide-2005 ", "2005", ""])
    isError(await anna.post(CHALLENGES, form({ edition })), "bad_request", 400, "edition");
});

test("S-031, S-032, S-100: types take their own controls", async () => {
  for (const [type, control] of [["classic", slow], ["advance", slow], ["advance", bank], ["blitz", blitz]]) {
    const made = await make(anna, { type, control });
    same([made.type, made.control], [type, control], "the challenge");
    await drop(anna, made);
  }
  same((await make(anna, { control: bank })).list, "advance", "the bank is Advance's");
  for (const [type, control] of [["classic", blitz], ["classic", bank], ["advance", blitz], ["blitz", slow]])
    isError(await anna.post(CHALLENGES, form({ type, control })), "control_range", 422, "control");
  for (const wrong of [{ ...bank, base_ms: 86400000 }, { ...bank, increment_ms: 0 }, { ...bank, increment_moves: 361 }, { ...bank, increment_moves: -1 }])
    same(code(await anna.post(CHALLENGES, form({ control: wrong }))), "control_range", JSON.stringify(wrong));
  isError(await anna.post(CHALLENGES, form({ type: "bullet" })), "bad_request", 400, "type");
  isError(await anna.post(CHALLENGES, form({ control: { ...bank, delay_ms: 0 } })), "bad_request", 400, "delay_ms");
});

test("R-025, R-026, S-090: flags and touch mode only where they may be chosen", async () => {
  same((await make(anna, { flag: "claim", touch: true })).flag, "claim", "unrated, on the clock");
  isError(await anna.post(CHALLENGES, form({ flag: "claim", rated: true })), "flag_mode", 422, "flag");
  isError(await anna.post(CHALLENGES, form({ flag: "claim", control: slow })), "flag_mode", 422, "flag");
  isError(await anna.post(CHALLENGES, form({ flag: "auto", edition: "fide-1997" })), "flag_mode", 422, "flag");
  isError(await anna.post(CHALLENGES, form({ touch: true, rated: true })), "touch_mode", 422, "touch");
  isError(await anna.post(CHALLENGES, form({ touch: true, control: slow })), "touch_mode", 422, "touch");
  isError(await anna.post(CHALLENGES, form({ flag: "never" })), "bad_request", 400, "flag");
});

test("X-031: a game from a set-up position, unrated; a dead, a finished or no position is refused with the reason", async () => {
  const fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
  for (const [wrong, want] of [
    ["8/8/8/8/8/8/8/8 w - - 0 1", "position_bad"], // no kings
    ["4k3/8/8/8/8/8/8/4K2R b K - 0", "position_bad"], // a field is missing
    ["4k2R/8/8/8/8/8/8/4K3 w - - 0 1", "position_bad"], // he who is not to move stands in check
    ["P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "position_bad"], // a pawn on the last rank
    ["k7/8/1Q6/8/8/8/8/K7 b - - 0 1", "position_over"], // stalemate
    ["4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "position_dead"],
    ["x", "position_bad"],
  ])
    isError(await anna.post(CHALLENGES, form({ fen: wrong })), want, 422, "fen");
  isError(await anna.post(CHALLENGES, form({ fen, rated: true })), "position_rated", 422, "fen");
  for (const [wrong, status] of [["", 400], [7, 400], ["k".repeat(129), 400]]) same((await anna.post(CHALLENGES, form({ fen: wrong }))).status, status, String(wrong).slice(0, 9));
  const initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  const usual = await make(anna, { fen: initial, rated: true });
  same(usual.fen, null, "the initial position is no set-up one");
  await drop(anna, usual);
  const made = await make(anna, { fen, color: "white", control: slow });
  same([made.fen, made.rated], [fen, false], "the challenge");
  await site.kill();
  await site.restart();
  same((await anna.get("/api/v1/challenges")).json.challenges.find((c) => c.id === made.id).fen, fen, "the log keeps it");
  const { game } = (await boris.post(`${CHALLENGES}/${made.id}/join`)).json;
  const state = (await boris.get(`/api/v1/games/${game}`)).json;
  same([state.start_fen, state.fen, state.rated], [fen, fen, false], "the game");
  same((await anna.post(`/api/v1/games/${game}/move`, { ply: 0, uci: "e2e4" })).status, 200, "a move there");
  same((await boris.post(`/api/v1/games/${game}/move`, { ply: 1, uci: "e8e7" })).status, 200, "and another");
  same((await boris.post(`/api/v1/games/${game}/resign`)).status, 200, "resigned");
  const pgn = (await anna.get(`/api/v1/games/${game}.pgn`)).text;
  for (const part of ['[SetUp "1"]', `[FEN "${fen}"]`, "1. e4"]) same(pgn.includes(part), true, part);
  // The same again with colours reversed: from that position.
  const again = (await boris.post(CHALLENGES, { rematch: game })).json;
  same([again.fen, again.color], [fen, "white"], "a rematch");
  await drop(boris, again);
});

test("S-035, S-038: a range holds one's own rating and is wide enough", async () => {
  for (const rating of [[1450, 1549], [1501, 1700], [1500, 1500], [1600, 1400], [-1, 1600], [1400, 4001], ["a", "b"]])
    isError(await carla.post(CHALLENGES, form({ rating })), "range_bad", 422, "rating");
  for (const rating of [[], [1400], [1400, 1500, 1600]])
    isError(await carla.post(CHALLENGES, form({ rating })), "bad_request", 400, "rating");
  const made = await make(carla, { rating: [1400, 1600], confirmed: true });
  same([made.range, made.confirmed], [[1400, 1600], true], "the challenge");
  same((await boris.post(`${CHALLENGES}/${made.id}/join`)).status, 200, "1500 is inside");
});

test("S-041: a direct challenge is the business of two", async () => {
  boris.socket = await boris.connect();
  await boris.socket.must("sub", { ch: "me" });
  const asked = boris.socket.wait((m) => m.t === "challenge+", "the invitation");
  const made = await make(anna, { to: "boris-setup", control: slow });
  same(made.to, "Boris-Setup", "the nick as it is");
  same((await asked).d.challenge, made, "what the invitee is shown");
  const lobby = (await site.request("GET", CHALLENGES)).json.challenges;
  holds(!lobby.some((row) => row.id === made.id), "not in the lobby");
  holds((await anna.get("/api/v1/me/games")).json.challenges.some((row) => row.id === made.id), "among her own");
  holds((await boris.get("/api/v1/me/games")).json.challenges.some((row) => row.id === made.id), "among his");
  same((await carla.get("/api/v1/me/games")).json.challenges.length, 0, "not among others'");
  // Hidden objects are not there.
  for (const act of [() => carla.post(`${CHALLENGES}/${made.id}/join`), () => carla.post(`${CHALLENGES}/${made.id}/decline`), () => drop(carla, made)])
    isError(await act(), "not_found", 404);
  isError(await site.request("POST", `${CHALLENGES}/${made.id}/decline`, { body: {} }), "auth_required", 401);
  isError(await anna.post(`${CHALLENGES}/${made.id}/decline`), "own_challenge", 422);
  const gone = boris.socket.wait((m) => m.t === "challenge-", "gone");
  same((await boris.post(`${CHALLENGES}/${made.id}/decline`)).status, 204, "declined");
  same((await gone).d.gone, "declined", "why");
  same((await boris.post(`${CHALLENGES}/${made.id}/decline`)).status, 204, "twice is once");
  isError(await boris.post(`${CHALLENGES}/${made.id}/join`), "not_found", 404);
  isError(await boris.post(`${CHALLENGES}/AAAAAAAAAAAA/decline`), "not_found", 404);
  isError(await boris.post(`${CHALLENGES}/${made.id}/decline`, { why: "no" }), "bad_request", 400, "why");
  const taken = await make(anna, { to: boris.nick });
  const { game } = (await boris.post(`${CHALLENGES}/${taken.id}/join`)).json;
  same((await boris.get(`/api/v1/games/${game}`)).json.white.nick, "Anna-Setup", "the game");
  isError(await boris.post(`${CHALLENGES}/${taken.id}/decline`), "seat_taken", 409);
  await boris.socket.close();
});

test("S-041: nobody, oneself, and who takes none", async () => {
  isError(await anna.post(CHALLENGES, form({ to: "Nobody-Here" })), "not_found", 404, "to");
  isError(await anna.post(CHALLENGES, form({ to: "x".repeat(64) })), "not_found", 404, "to");
  isError(await anna.post(CHALLENGES, form({ to: "x".repeat(65) })), "bad_request", 400, "to");
  isError(await anna.post(CHALLENGES, form({ to: "anna-setup" })), "own_challenge", 422, "to");
  same((await carla.put("/api/v1/me/prefs", { declines: true })).status, 200, "no challenges, please");
  isError(await anna.post(CHALLENGES, form({ to: "Carla-Setup" })), "declines", 422, "to");
  anna.socket = await anna.connect();
  same((await anna.socket.ask("challenge", form({ to: "Carla-Setup" }))).d.code, "declines", "over the WebSocket");
  same((await anna.socket.ask("challenge", form({ to: "Nobody-Here" }))).d.code, "not_found", "over the WebSocket");
  await carla.put("/api/v1/me/prefs", { declines: null });
  const made = (await anna.socket.must("challenge", form({ to: "Carla-Setup", control: slow }))).d.challenge;
  same(made.to, "Carla-Setup", "now she does");
  carla.socket = await carla.connect();
  same((await carla.socket.must("decline", { challenge: made.id })).t, "ok", "declined");
  for (const person of [anna, carla]) await person.socket.close();
});

test("S-038, X-016: whom a player has blocked finds nobody", async () => {
  const open = await make(carla, { control: slow });
  same((await carla.post("/api/v1/me/blocks", { nick: anna.nick })).status < 300, true, "blocked");
  isError(await anna.post(CHALLENGES, form({ to: carla.nick })), "not_found", 404, "to");
  isError(await anna.post(`${CHALLENGES}/${open.id}/join`), "not_found", 404);
  same((await make(boris, { to: carla.nick, control: slow })).to, carla.nick, "others find her");
  same((await carla.request("DELETE", `/api/v1/me/blocks/${anna.nick}`)).status < 300, true, "unblocked");
  same((await make(anna, { to: carla.nick, control: slow })).to, carla.nick, "found again");
  await drop(carla, open);
});

test("S-036: a key whose challenge was taken back makes a new one", async () => {
  const first = await make(carla, { key: "same" });
  same((await make(carla, { key: "same" })).id, first.id, "a double click");
  await drop(carla, first);
  const second = await make(carla, { key: "same" });
  holds(second.id !== first.id, "not the dead one");
  same((await drop(carla, second)).status, 204, "and it can be taken back");
});

test("X-015: a rematch reverses the colours, over HTTP and WebSocket, from memory and from the record", async () => {
  const { white, black, game } = await newGame(site, { ...minutes(5, 3) });
  isError(await white.post(CHALLENGES, { rematch: game }), "conflict", 409, "rematch");
  isError(await carla.post(CHALLENGES, { rematch: game }), "forbidden", 403, "rematch");
  await white.post(`/api/v1/games/${game}/abort`);
  for (const [body, want] of [[{ rematch: game, rated: true }, "bad_request"], [{ rematch: "x" }, "not_found"], [{ rematch: "AAAAAAAAAAAA" }, "not_found"], [{ rematch: 7 }, "bad_request"]])
    same(code(await white.post(CHALLENGES, body)), want, JSON.stringify(body));
  const made = (await white.post(CHALLENGES, { rematch: game })).json;
  same([made.rematch, made.to, made.color, made.edition], [game, black.nick, "black", "fide-2014"], "the rematch");
  same((await white.post(CHALLENGES, { rematch: game })).json.id, made.id, "asked twice");
  const taken = await black.socket.must("challenge", { rematch: game });
  const next = (await white.get(`/api/v1/games/${taken.d.game}`)).json;
  same([next.white.nick, next.black.nick], [black.nick, white.nick], "colours reversed");
  same((await white.post(CHALLENGES, { rematch: game })).json, { game: next.id }, "it has begun");
  for (const person of [white, black]) await person.socket.close();

  const old = await newGame(site, { ...minutes(5, 3) });
  await old.white.post(`/api/v1/games/${old.game}/abort`);
  for (const person of [old.white, old.black]) await person.socket.close();
  await site.stop();
  await site.restart(); // what has ended is no longer in memory
  const kept = await old.black.post(CHALLENGES, { rematch: old.game });
  same([kept.status, kept.json.to, kept.json.color], [201, old.white.nick, "white"], "out of the record");
  isError(await anna.post(CHALLENGES, { rematch: old.game }), "forbidden", 403, "rematch");
  same((await old.white.post(`${CHALLENGES}/${kept.json.id}/decline`)).status, 204, "declined");
  isError(await old.black.post(CHALLENGES, { rematch: old.game }), "conflict", 409, "rematch");
});

test("ten open challenges are the most, direct ones among them", async () => {
  const flood = await Person.register(site);
  const made = [];
  for (let i = 0; i < 10; i++) made.push(await make(flood, i % 2 ? { to: "Carla-Setup", control: slow } : { control: slow }));
  isError(await flood.post(CHALLENGES, form({ to: "Carla-Setup" })), "too_many_challenges", 422);
  flood.socket = await flood.connect();
  const answers = await Promise.all(Array.from({ length: 30 }, () => flood.socket.ask("challenge", form({ to: "Carla-Setup" })).catch(() => ({ d: { code: "closed" } }))));
  holds(answers.every((answer) => ["too_many_challenges", "rate_limited", "closed"].includes(answer.d.code)), "none of a flood gets through");
  for (const challenge of made) same((await drop(flood, challenge)).status, 204, "taken back");
});

await runTests();
