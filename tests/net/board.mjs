// SPDX-License-Identifier: GPL-3.0-or-later
// What passes between people at a board beside the moves: mini-chat, touches, moves in advance, the flag.
import { Person, Site, blitz, holds, newGame, runTests, same, slow, test } from "./harness.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const said = (text) => (m) => m.t === "said" && m.d.text === text;
const code = async (person, type, data) => (await person.socket.ask(type, data)).d.code;

async function watcher(game) {
  const person = await Person.register(site);
  person.socket = await person.connect();
  await person.socket.must("sub", { ch: `game:${game}` });
  return person;
}

test("S-071 the mini-chat: both hear it, nobody else, and it is kept", async () => {
  const { white, black, game } = await newGame(site, slow);
  const third = await watcher(game);
  const heard = [white, black].map((person) => person.socket.wait(said("Noroc! Удачи! Good luck!")));
  await white.socket.must("say", { ch: `game:${game}`, text: "  Noroc!\n Удачи!   Good luck! " });
  for (const message of await Promise.all(heard))
    same([message.d.game, message.d.by, message.d.nick, message.d.room], [game, "white", white.nick, "players"], "said");
  // At any moment, whoever is to move.
  await black.socket.must("say", { ch: `game:${game}`, text: "thanks" });
  await third.socket.must("ping", { c: 1 });
  holds(!third.socket.heard.some((m) => m.t === "said"), "the third one hears nothing");
  same(await code(third, "say", { ch: `game:${game}`, text: "psst" }), "forbidden", "nor speaks");

  const kept = await black.get(`/api/v1/games/${game}/chat`);
  same(kept.json.lines.map((line) => [line.by, line.nick, line.text]), [["white", white.nick, "Noroc! Удачи! Good luck!"], ["black", black.nick, "thanks"]], "kept");
  const before = await black.get(`/api/v1/games/${game}/chat?before=${kept.json.lines[1].seq}`);
  same(before.json.lines, kept.json.lines.slice(0, 1), "before a line");
  same((await site.request("GET", `/api/v1/games/${game}/chat`)).json.error.code, "auth_required", "a guest");
  same((await third.get(`/api/v1/games/${game}/chat`)).json.error.code, "forbidden", "somebody else");
  same((await third.get(`/api/v1/games/${game}/chat?room=watchers`)).json.lines, [], "the other room");
  same((await white.get("/api/v1/games/AAAAAAAAAAAA/chat")).json.error.code, "not_found", "no such game");
  for (const query of ["room=all", "before=0", "before=x", "limit=3"])
    same((await white.get(`/api/v1/games/${game}/chat?${query}`)).json.error.code, "bad_request", query);
  const pgn = await site.request("GET", `/api/v1/games/${game}.pgn`);
  holds(!pgn.text.includes("Noroc"), "none of it in the PGN");
});

test("S-071 lines that are refused", async () => {
  const { white, game } = await newGame(site, slow);
  const ch = `game:${game}`;
  same((await white.socket.must("say", { ch, text: "   " })).t, "ok", "empty: nothing");
  same(await code(white, "say", { ch, text: "ы".repeat(201) }), "too_long", "201 characters");
  same(await code(white, "say", { ch, text: "x".repeat(5000) }), "too_long", "5,000 bytes");
  same((await white.socket.must("say", { ch, text: "ы".repeat(200) })).t, "ok", "200 characters");
  same(await code(white, "say", { ch, text: "a\u202Eb" }), "bad_text", "a direction mark");
  same(await code(white, "say", { ch, text: "a\u0007b" }), "bad_text", "a bell");
  same(await code(white, "say", { ch: "game:AAAAAAAAAAAA", text: "x" }), "not_found", "no such game");
});

test("S-071 what is no line at all", async () => {
  const { game } = await newGame(site, slow);
  const ch = `game:${game}`;
  for (const bad of [{ ch }, { ch, text: 5 }, { ch: "lobby", text: "x" }, { ch, text: "x", room: "all" }]) {
    const socket = await new Person(site, null).connect(); // the third fault would close it
    same((await socket.ask("say", bad)).d.code, "bad_request", JSON.stringify(bad));
    await socket.close();
  }
});

test("S-071 five lines in ten seconds; a guest says nothing", async () => {
  const { white, game } = await newGame(site, slow);
  const ch = `game:${game}`;
  for (let i = 0; i < 5; i++) await white.socket.must("say", { ch, text: `line ${i}` });
  const refused = (await white.socket.ask("say", { ch, text: "line 6" })).d;
  same(refused.code, "rate_limited", "the sixth");
  holds(refused.retry_after >= 1 && refused.retry_after <= 10, `retry after ${refused.retry_after} s`);
  const guest = await new Person(site, null).connect();
  same((await guest.ask("say", { ch, text: "x" })).d.code, "auth_required", "a guest");
});

test("S-072 switched off: the other is told, and nobody speaks", async () => {
  const { white, black, game } = await newGame(site, slow);
  const told = white.socket.wait((m) => m.t === "chat", "told");
  await black.socket.must("chat", { game, on: false });
  same((await told).d, { game, white: true, black: false }, "who has it on");
  same(await code(white, "say", { ch: `game:${game}`, text: "hello?" }), "chat_off", "refused");
  same(await code(white, "chat", { game }), "bad_request", "without on");
  // Whoever comes back is told again, also after the program was killed.
  await site.kill();
  await site.restart();
  white.socket = await white.connect();
  const again = white.socket.wait((m) => m.t === "chat", "told again");
  await white.socket.must("sub", { ch: `game:${game}` });
  same((await again).d.black, false, "still off");
  black.socket = await black.connect();
  await black.socket.must("chat", { game, on: true });
  same((await white.socket.must("say", { ch: `game:${game}`, text: "hello!" })).t, "ok", "on again");
});

test("X-010 those who watch talk when the game is over; a deleted account's lines go with it", async () => {
  const { white, black, game } = await newGame(site, slow);
  const third = await watcher(game);
  const ch = `game:${game}`;
  same(await code(third, "say", { ch, room: "watchers", text: "e5!" }), "not_allowed", "while it runs");
  await white.socket.must("resign", { game });
  const heard = black.socket.wait(said("A fine game."));
  await third.socket.must("say", { ch, room: "watchers", text: "A fine game." });
  same([(await heard).d.by, (await heard).d.room], [null, "watchers"], "all hear it");
  const kept = (await site.request("GET", `/api/v1/games/${game}/chat?room=watchers`)).json.lines;
  same(kept.map((line) => [line.by, line.nick, line.text]), [[null, third.nick, "A fine game."]], "and guests read it");
  same((await third.post("/api/v1/me/delete", { password: "knight on the rim 8" })).status, 204, "deleted");
  same((await site.admin("erase", third.nick)).code, 0, "fourteen days later");
  same((await site.request("GET", `/api/v1/games/${game}/chat?room=watchers`)).json.lines, [], "forgotten");
});

test("X-013 a move in advance is made 0.1 s after the opponent's, by the server's clock", async () => {
  const { white, black, game } = await newGame(site, { kind: "clock", base_ms: 60000, increment_ms: 0, delay_ms: 0 });
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  const own = white.socket.wait((m) => m.t === "premove" && m.d.uci === "g1f3", "his own is confirmed");
  await white.socket.must("premove", { game, ply: 2, uci: "g1f3" });
  await own;
  const answer = black.socket.wait((m) => m.t === "moved" && m.d.ply === 3, "the move");
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  await answer;
  holds(!black.socket.heard.some((m) => m.t === "premove"), "the opponent was not told of it");
  const { moves } = (await white.get(`/api/v1/games/${game}`)).json;
  same(moves[2].uci, "g1f3", "made");
  same([moves[2].at - moves[1].at, moves[0].clock - moves[2].clock], [100, 100], "a tenth of a second");
  // The next one is illegal by then.
  const dropped = white.socket.wait((m) => m.t === "premove" && m.d.dropped, "dropped");
  await white.socket.must("premove", { game, ply: 4, uci: "e4d5" });
  await black.socket.must("move", { game, ply: 3, uci: "a7a6" });
  same((await dropped).d, { game, ply: 0, uci: null, dropped: true }, "e4d5 takes nothing");
  same((await white.get(`/api/v1/games/${game}`)).json.ply, 4, "White is to move");
  same(await code(black, "premove", { game, ply: 5, uci: "e2" }), "bad_request", "no move");
  same(await code(black, "premove", { game, ply: 6, uci: "a6a5" }), "stale_ply", "another ply");
});

test("touch mode is for games that want it; false flags", async () => {
  const { white, black, game } = await newGame(site, blitz);
  same(await code(white, "touch", { game, ply: 0, square: "e2" }), "bad_request", "touch");
  same(await code(white, "touch", { game, ply: 0, square: "e9" }), "bad_request", "no square");
  same(await code(white, "adjust", { game, ply: 0 }), "bad_request", "adjust");
  same(await code(black, "claim_touch", { game }), "bad_request", "claim_touch");
  same((await white.get(`/api/v1/games/${game}`)).json.touched, null, "nothing touched");
  same(await code(black, "flag", { game }), "flag_not_down", "flag");
});

await runTests();
