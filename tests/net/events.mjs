// SPDX-License-Identifier: GPL-3.0-or-later
// S-076: a connection without a WebSocket. A game played by two of them to its end; what is kept until it is
// fetched; what becomes of one that nobody asks after; every way to ask wrongly.
import { PATIENCE_MS, Person, Site, blitz, holds, runTests, same, sleep, test, tooOften, within } from "./harness.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });

// The messages of one connection, as a client fetches them.
class Poll {
  static async open(person) {
    const poll = new Poll();
    poll.person = person;
    poll.heard = [];
    poll.next = 1;
    const answer = await person.post("/api/v1/me/events");
    same(answer.status, 201, "opened");
    Object.assign(poll, answer.json);
    return poll;
  }

  ask(wait, after = this.after, connection = this.connection) {
    return this.person.get(`/api/v1/me/events?connection=${connection}&after=${after}${wait === undefined ? "" : `&wait=${wait}`}`);
  }

  async fetch(wait = 5) {
    const answer = await this.ask(wait);
    same(answer.status, 200, answer.text);
    this.after = answer.json.after;
    this.closed = answer.json.closed;
    this.heard.push(...answer.json.messages);
    return answer.json.messages;
  }

  // The next message of a type, after those asked for before.
  async until(t, fits = () => true) {
    this.at ??= {};
    return within(PATIENCE_MS, t, (async () => {
      for (;;) {
        const found = this.heard.findIndex((m, i) => i >= (this.at[t] ?? 0) && m.t === t && fits(m));
        if (found >= 0) {
          this.at[t] = found + 1;
          return this.heard[found];
        }
        await this.fetch();
      }
    })());
  }

  send(t, d = {}) {
    return this.person.post(`/api/v1/me/events/${this.connection}`, { t, id: this.next++, d });
  }

  async must(t, d) {
    const id = this.next;
    same((await this.send(t, d)).status, 204, t);
    for (;;) {
      const answer = this.heard.find((m) => m.id === id);
      if (answer) {
        if (answer.t === "error") throw new Error(`${t}: ${JSON.stringify(answer.d)}`);
        return answer;
      }
      await this.fetch();
    }
  }
}

async function game(white, black) {
  const challenge = await white.post("/api/v1/challenges", { control: blitz, color: "white", rated: false });
  return (await black.post(`/api/v1/challenges/${challenge.json.id}/join`)).json.game;
}

const anna = await Person.register(site, "Anna");
const boris = await Person.register(site, "Boris");

test("a game by HTTP alone, to mate: the same messages as over the WebSocket, presence too (S-076)", async () => {
  const [white, black] = [await Poll.open(anna), await Poll.open(boris)];
  same((await white.must("hello")).d.me.nick, "Anna");
  const id = await game(anna, boris);
  for (const poll of [white, black]) {
    await poll.must("sub", { ch: `game:${id}` });
    same((await poll.until("game")).d.id, id);
  }
  await white.until("presence", (m) => m.d.white && m.d.black);
  for (const [ply, uci] of ["f2f3", "e7e5", "g2g4", "d8h4"].entries()) {
    const [mover, other] = ply % 2 ? [black, white] : [white, black];
    same((await mover.must("move", { game: id, ply, uci })).d.ply, ply + 1);
    same((await other.until("moved", (m) => m.d.ply === ply + 1)).d.uci, uci);
  }
  for (const poll of [white, black]) same((await poll.until("end")).d.result, "0-1");
  same((await white.send("say", { ch: `game:${id}`, text: "Thank you" })).status, 204);
  same((await black.until("said")).d.text, "Thank you");
  for (const poll of [white, black]) same((await poll.person.request("DELETE", `/api/v1/me/events/${poll.connection}`)).status, 204);
  same((await white.ask(0)).json.error.code, "not_found");
});

test("what was sent is kept until it is fetched, and given again when the answer was lost", async () => {
  const poll = await Poll.open(anna);
  await poll.send("ping", { c: 1 });
  await poll.send("ping", { c: 2 });
  const first = (await poll.ask(0)).json;
  same(first.messages.map((m) => m.d.c), [1, 2]);
  same((await poll.ask(0)).json, first, "asked again with the same number");
  same((await poll.ask(0, first.after - 1)).json.messages.map((m) => m.d.c), [2]);
  same((await poll.ask(0, first.after)).json.messages, []);
  same((await poll.ask(0, first.after - 1)).json.error, { code: "conflict", message: "these messages are not kept: begin anew", field: "after" }, "stale");
  same((await poll.ask(0, first.after + 1)).json.error.code, "conflict", "never given");
  poll.after = first.after;
  const began = Date.now();
  const waiting = poll.fetch(20);
  await sleep(300);
  await poll.send("ping", { c: 3 });
  same((await waiting).map((m) => m.d.c), [3]);
  holds(Date.now() - began < 15000, "answered when something came, not when the 20 s are over");
  const older = poll.ask(9);
  await sleep(200);
  const newer = poll.ask(0);
  same((await older).json.messages, [], "one asks at a time: the older question is let go");
  same((await newer).status, 200);
  same((await poll.ask(1)).json.messages, [], "in time, with nothing");
});

test("whoever asks no more has left; whoever is logged out is told so (S-076)", async () => {
  const poll = await Poll.open(anna);
  const seen = await Poll.open(boris);
  const id = await game(anna, boris);
  await poll.must("sub", { ch: `game:${id}` });
  await seen.must("sub", { ch: `game:${id}` });
  await seen.until("presence", (m) => m.d.white);
  const until = Date.now() + 3 * PATIENCE_MS; // ten seconds of silence, and ten until the opponent is told
  while (seen.heard.findLast((m) => m.t === "presence").d.white) {
    holds(Date.now() < until, "White has left");
    await seen.fetch(2);
  }
  same((await poll.ask(0)).json.error.code, "not_found");
  const waiting = seen.fetch(9);
  await sleep(200);
  await boris.post("/api/v1/logout");
  await waiting;
  while (seen.closed === null) {
    const answer = await seen.ask(1);
    if (answer.status === 401) break;
    seen.closed = answer.json.closed;
  }
  const again = await site.request("POST", "/api/v1/login", { body: { login: "Boris", password: "knight on the rim 8", remember: false } });
  boris.takeCookie(again);
});

test("events: not logged in, another's, absent, malformed, too large, too often (S-076)", async () => {
  const poll = await Poll.open(anna);
  const carl = await Person.register(site, "Carl");
  for (const [method, path] of [["GET", "/api/v1/me/events"], ["POST", "/api/v1/me/events"], ["POST", `/api/v1/me/events/${poll.connection}`], ["DELETE", `/api/v1/me/events/${poll.connection}`]])
    same((await site.request(method, path, { body: method === "POST" ? {} : undefined })).json.error.code, "auth_required", `${method} ${path}`);
  same((await carl.get(`/api/v1/me/events?connection=${poll.connection}&after=0`)).json.error.code, "not_found", "another's");
  same((await carl.post(`/api/v1/me/events/${poll.connection}`, { t: "ping", d: { c: 1 } })).json.error.code, "not_found");
  same((await carl.request("DELETE", `/api/v1/me/events/${poll.connection}`)).json.error.code, "not_found");
  const [number, key] = poll.connection.split("-");
  for (const name of ["", "x", "1", `${number}-`, `${number}-${key}0`, `${number}_${key}`, `g-${key}`, `${"1".repeat(16)}-${key}`])
    same((await poll.ask(0, 0, name)).json.error, { code: "bad_request", message: "expected the name of a connection", field: "connection" }, name);
  same((await poll.ask(0, 0, `${number}-${"0".repeat(16)}`)).json.error.code, "not_found");
  for (const after of ["-1", "x", "1.5", "99999999999999999999"]) same((await poll.ask(0, after)).json.error.field, "after", after);
  for (const wait of ["21", "-1", "x"]) same((await poll.ask(wait)).json.error.field, "wait", wait);
  same((await anna.get(`/api/v1/me/events?connection=${poll.connection}&since=0`)).json.error.code, "bad_request");
  same((await anna.request("POST", `/api/v1/me/events/${poll.connection}`, { body: "{" })).json.error.code, "bad_request");
  same((await anna.post(`/api/v1/me/events/${poll.connection}`, { t: "ping", d: { c: 1, pad: "x".repeat(17000) } })).json.error.code, "too_large");
  same((await anna.post("/api/v1/me/events", { x: 1 })).json.error.code, "bad_request");
  // Malformed as a message: told as over the WebSocket, and the third closes.
  for (let i = 0; i < 3; i++) await poll.send("nonsense");
  same((await poll.ask(0)).json.messages.map((m) => m.d.code), ["bad_request", "bad_request", "bad_request"]);
  same((await poll.ask(0)).json.closed, 1008);
  const busy = await Poll.open(anna);
  const limited = await tooOften(() => busy.ask(0));
  same(limited.status, 429, "too often");
  holds(limited.json.error.retry_after >= 1, "when to come again");
  for (let i = 0; i < 6; i++) await Poll.open(carl);
  const first = await Poll.open(carl);
  for (let i = 0; i < 5; i++) await Poll.open(carl);
  while (first.closed == null) await first.fetch(2);
  same(first.closed, 4001, "a sixth connection: the oldest goes");
});

test("a server that stops lets go of those who wait; after a restart they begin anew", async () => {
  const poll = await Poll.open(anna);
  const waiting = poll.ask(9);
  await sleep(200);
  await site.stop();
  same((await waiting).json.closed, 1012);
  await site.restart();
  same((await poll.ask(0)).json.error.code, "not_found");
});

await runTests();
