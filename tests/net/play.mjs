// SPDX-License-Identifier: GPL-3.0-or-later
// Two people meet, play a whole game over WebSockets, and the program is killed in the middle of it.
import { PATIENCE_MS, Person, Site, Socket, blitz, eventually, holds, newGame, password, runTests, same, sleep, slow, test, within } from "./harness.mjs";

// Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
const opera = ("e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 " +
  "e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8").split(" ");
const operaSan = ("e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 " +
  "Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#").split(" ");

const site = await Site.start({ flags: ["--rate-limits", "off"] });

async function play(game, white, black, from, to) {
  for (let ply = from; ply < to; ply++) {
    const [mover, other] = ply % 2 === 0 ? [white, black] : [black, white];
    const fits = (m) => m.t === "moved" && m.d.game === game && m.d.ply === ply + 1;
    const seen = [mover, other].map((person) => person.socket.wait(fits, `ply ${ply + 1}`, PATIENCE_MS, 0));
    const ack = await mover.socket.must("move", { game, ply, uci: opera[ply] });
    same([ack.t, ack.d], ["ack", { game, ply: ply + 1 }], "ack");
    const [mine, his] = await Promise.all(seen);
    same(mine, his, "both are told the same");
    same([mine.d.uci, mine.d.san], [opera[ply], operaSan[ply]], "the move");
  }
}

async function follow(person, game, since) {
  person.socket = await person.connect();
  const before = person.socket.heard.length;
  await person.socket.must("sub", since === undefined ? { ch: `game:${game}` } : { ch: `game:${game}`, since });
  return (await person.socket.wait((m) => m.t === "game" && m.d.id === game, "the state", PATIENCE_MS, before)).d;
}

const OUTAGE_MS = 2500;

// the server writes the moves. S-103, R-023: the colours are those agreed, the position the initial one.
test("a game from the challenge to mate, with a SIGKILL in the middle", async () => {
  const white = await Person.register(site, "Morphy");
  const black = await Person.register(site, "Duke-and-Count");
  for (const person of [white, black]) {
    person.socket = await person.connect();
    same((await person.socket.must("hello")).d.me.nick, person.nick, "welcome");
    await person.socket.must("sub", { ch: "me" });
    await person.socket.must("sub", { ch: "lobby" });
  }
  const shown = black.socket.wait((m) => m.t === "lobby+", "the challenge in the lobby");
  const made = await white.socket.must("challenge", { control: blitz, color: "white", rated: true });
  const challenge = (await shown).d.challenge;
  same(challenge, made.d.challenge, "the challenge");
  same([challenge.nick, challenge.category, challenge.color, challenge.rated], ["Morphy", "blitz", "white", true], "its row");
  const gone = white.socket.wait((m) => m.t === "lobby-" && m.d.id === challenge.id, "the challenge leaves the lobby");
  const started = white.socket.wait((m) => m.t === "started", "started");
  const game = (await black.socket.must("join", { challenge: challenge.id })).d.game;
  same((await started).d.game, game, "both go to the same game");
  await gone;
  for (const person of [white, black]) await person.socket.must("sub", { ch: `game:${game}` });
  await play(game, white, black, 0, 15);
  const asked = Date.now();
  const told = (await white.get(`/api/v1/games/${game}`)).json;
  same(told.ply, 15, "before the kill");
  same([told.white.nick, told.black.nick], ["Morphy", "Duke-and-Count"], "the colours agreed");
  same(told.start_fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "the initial position");

  // Signs of life since then are kept: nobody is given what he has used.
  const commits = await site.metric("commits_total");
  await eventually("signs of life", async () => (await site.metric("commits_total")) >= commits + 3);
  await site.kill();
  same([await within(PATIENCE_MS, "white is cut", white.socket.closed), await within(PATIENCE_MS, "black is cut", black.socket.closed)], [1006, 1006], "cut");
  await sleep(OUTAGE_MS);
  await site.restart();

  const seen = await follow(white, game);
  const lived = Date.now() - asked - OUTAGE_MS + 100 + 1000; // what is rounded, and what is not known of an outage (docs/protocol.md)
  await follow(black, game);
  for (const key of ["ply", "fen", "white", "black", "control", "rated", "edition", "created", "started", "result", "offer"])
    if (key !== "white" && key !== "black") same(seen[key], told[key], key);
  same([seen.white.nick, seen.black.nick], ["Morphy", "Duke-and-Count"], "nicks are found again");
  same(seen.moves, told.moves, "every move, with its clock and time");
  const charged = told.clocks.black - seen.clocks.black;
  holds(charged >= -1 && charged <= lived, `the outage is charged to no clock (${charged} ms were, of ${lived} at most)`);
  await play(game, white, black, 15, opera.length - 1);
  const end = black.socket.wait((m) => m.t === "end" && m.d.game === game, "the end");
  await play(game, white, black, opera.length - 1, opera.length);
  const last = (await end).d;
  same([last.result, last.reason, last.article], ["1-0", "checkmate", "5.1.1"], "mate");

  const final = (await black.get(`/api/v1/games/${game}`)).json;
  same([final.state, final.result, final.reason, final.ply], ["ended", "1-0", "checkmate", 33], "the game");
  same(final.moves.map((m) => m.san), operaSan, "its moves");
  same((await black.socket.ask("move", { game, ply: 33, uci: "e8d8" })).d.code, "game_over", "after the end");
  const pgn = await site.request("GET", `/api/v1/games/${game}.pgn`);
  same(pgn.headers["content-type"], "application/x-chess-pgn; charset=utf-8", "type");
  for (const part of ['[White "Morphy"]', '[Black "Duke-and-Count"]', '[Result "1-0"]', "O-O-O", "Rd8#", "[%clk", `/game/${game}"]`])
    holds(pgn.text.includes(part), `PGN holds ${part}`);
  same((await white.get("/api/v1/players/morphy")).json.wins, 1, "the winner's score");
  const list = (await white.get("/api/v1/players/Morphy/games")).json;
  same([list.games.length, list.games[0].id, list.games[0].result, list.after], [1, game, "1-0", null], "his games");

  // A finished game is there after a restart as well: from its record.
  same((await site.stop()).code, 0, "a clean stop");
  await site.restart();
  const again = (await site.request("GET", `/api/v1/games/${game}`)).json;
  same([again.moves, again.result, again.white.nick], [final.moves, "1-0", "Morphy"], "the record");
  same((await site.request("GET", `/api/v1/games/${game}.pgn`)).text, pgn.text, "its PGN");
  const guest = await Socket.open(site);
  await guest.must("sub", { ch: `game:${game}` });
  same((await guest.wait((m) => m.t === "game", "its state", PATIENCE_MS, 0)).d.result, "1-0", "over WebSocket");
  await guest.close();
});

test("a client that comes back gets what it missed, and no more", async () => {
  const { white, black, game } = await newGame(site);
  const first = black.socket.wait((m) => m.t === "moved", "the first move");
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  const seq = (await first).d.seq;
  await black.socket.close();
  // White cannot move twice; an offer and its refusal by HTTP make messages meanwhile.
  same((await black.post(`/api/v1/games/${game}/move`, { ply: 1, uci: "e7e5" })).status, 200, "a move by HTTP");
  await white.socket.must("move", { game, ply: 2, uci: "g1f3" });
  black.socket = await black.connect();
  await black.socket.must("sub", { ch: `game:${game}`, since: seq });
  await black.socket.wait((m) => m.t === "moved" && m.d.ply === 3, "ply 3", PATIENCE_MS, 0);
  const missed = black.socket.heard.filter((m) => m.d.seq > 0);
  holds(missed.every((m) => m.t !== "game"), "no full state");
  same(missed.map((m) => m.d.seq), missed.map((_, i) => seq + 1 + i), "every number once");
  same(missed.filter((m) => m.t === "moved").map((m) => m.d.ply), [2, 3], "the moves");
  for (const person of [white, black]) await person.socket.close();
});

test("draws: offered, declined, claimed wrongly, agreed", async () => {
  const { white, black, game } = await newGame(site);
  same((await black.socket.ask("draw", { game, ply: 0, act: "accept" })).d.code, "no_offer", "nothing is offered");
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  const offered = black.socket.wait((m) => m.t === "moved" && m.d.draw, "the offer");
  await white.socket.must("move", { game, ply: 2, uci: "g1f3", draw: true });
  await offered;
  const declined = white.socket.wait((m) => m.t === "offer" && m.d.act === "decline", "the refusal");
  await black.socket.must("draw", { game, ply: 3, act: "decline" });
  await declined;
  const wrong = white.socket.wait((m) => m.t === "offer" && m.d.act === "claim_wrong", "the wrong claim");
  const ack = await black.socket.must("draw", { game, ply: 3, act: "claim" });
  same(ack.d.claim, "wrong", "a wrong claim");
  const message = (await wrong).d;
  same([message.by, message.bonus_ms, message.offer], ["black", 60000, "black"], "a minute to the opponent, and an offer");
  const end = black.socket.wait((m) => m.t === "end", "the end");
  await white.socket.must("draw", { game, ply: 3, act: "accept" });
  same([(await end).d.result, (await end).d.reason], ["1/2-1/2", "agreement"], "agreed");
  for (const person of [white, black]) await person.socket.close();
});

test("resigning, aborting and slow games by HTTP alone", async () => {
  const { white, black, game } = await newGame(site, slow);
  const api = (person, act, body) => person.post(`/api/v1/games/${game}/${act}`, body);
  same((await api(white, "move", { ply: 0, uci: "d2d4" })).json.ply, 1, "a move");
  same((await api(black, "move", { ply: 1, uci: "d7d5", draw: true })).json.offer, "black", "with an offer");
  const rows = (await white.get("/api/v1/me/games")).json.games;
  same([rows.length, rows[0].id, rows[0].turn, rows[0].offer], [1, game, "white", "black"], "my games");
  same((await api(white, "abort")).json.error.code, "too_late", "too late to abort");
  const over = (await api(white, "resign")).json;
  same([over.state, over.result, over.reason], ["ended", "0-1", "resignation"], "resigned");
  same((await api(white, "resign")).status, 409, "once only");
  for (const person of [white, black]) await person.socket.close();
  const second = await newGame(site);
  const aborted = second.white.socket.wait((m) => m.t === "end", "the end");
  await second.black.socket.must("abort", { game: second.game });
  same([(await aborted).d.result, (await aborted).d.reason], ["*", "aborted"], "aborted");
  for (const person of [second.white, second.black]) await person.socket.close();
});

test("the sixth window of an account closes the first", async () => {
  const person = await Person.register(site);
  const windows = [];
  for (let i = 0; i < 6; i++) {
    windows.push(await person.connect());
    await windows[i].must("hello");
  }
  same(await within(PATIENCE_MS, "the first is closed", windows[0].closed), 4001, "code");
  for (const socket of windows.slice(1)) same((await socket.must("hello")).d.me.nick, person.nick, "the others live");
  for (const socket of windows.slice(1)) await socket.close();
});

test("a changed password ends every other session", async () => {
  const person = await Person.register(site);
  const other = new Person(site, person.nick);
  const login = await site.request("POST", "/api/v1/login", { body: { login: person.nick, password, remember: true } });
  other.takeCookie(login);
  holds(/Max-Age=2592000/.test(login.headers["set-cookie"][0]), "remembered for 30 days");
  holds(/HttpOnly/.test(login.headers["set-cookie"][0]) && /SameSite=Lax/.test(login.headers["set-cookie"][0]), "the cookie is kept from scripts");
  const mine = await person.connect();
  const his = await other.connect();
  await his.must("hello");
  const changed = await person.post("/api/v1/me/password", { password, new_password: "another horse 77", new_password2: "another horse 77" });
  same(changed.status, 204, "changed");
  same(await within(PATIENCE_MS, "the other window", his.closed), 4003, "closed");
  same((await mine.must("hello")).d.me.nick, person.nick, "mine stays");
  same((await other.get("/api/v1/me")).json.me, null, "the other session has ended");
  await mine.close();
});

test("a deleted account becomes a former player", async () => {
  const { white, black, game } = await newGame(site, slow);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  same((await white.post("/api/v1/me/delete", { password: "wrong one 11" })).status, 401, "a wrong password");
  same((await white.post("/api/v1/me/delete", { password })).status, 204, "deleted");
  same(await within(PATIENCE_MS, "its window", white.socket.closed), 4003, "closed");
  same((await white.get("/api/v1/me")).json.me, null, "logged out");
  await eventually("nobody waits for a move", async () => (await black.get(`/api/v1/games/${game}`)).json.state, "annulled");
  same((await site.admin("erase", white.nick)).code, 0, "fourteen days later");
  same((await site.request("GET", `/api/v1/players/${white.nick}`)).status, 404, "no such player");
  same((await black.get(`/api/v1/games/${game}`)).json.white.nick, null, "in its games");
  await black.socket.close();
});

await runTests();
