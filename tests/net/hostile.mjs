// SPDX-License-Identifier: GPL-3.0-or-later
// Bad input of every kind: it gets an error that says what was wrong, and others notice nothing.
import { createHash } from "node:crypto";
import { PATIENCE_MS, Person, Site, Socket, blitz, eventually, holds, newGame, password, runTests, same, sleep, test, within } from "./harness.mjs";

// Limits per address are switched off where they are not what is tested: all come from one.
const site = await Site.start({ flags: ["--rate-limits", "off"] });
const host = () => `127.0.0.1:${site.port}`;
const head = (...lines) => [`Host: ${host()}`, ...lines, "", ""].join("\r\n");
const status = (text) => Number((text.match(/^HTTP\/1\.1 (\d+)/) ?? [])[1]);

function isError(answer, code, codeStatus, field) {
  same(answer.status, codeStatus, `status for ${code}`);
  same(answer.json?.error?.code, code, "code");
  if (field !== undefined) same(answer.json.error.field, field, "field");
  holds(answer.json.error.message.length > 5, "a sentence");
}

async function refused(promise, wanted, code) {
  try {
    await promise;
  } catch (error) {
    same(error.status, wanted, "status of the hand-shake");
    if (code) same(JSON.parse(error.text).error.code, code, "code of the hand-shake");
    return;
  }
  throw new Error("the hand-shake was let through");
}

// ---- HTTP ------------------------------------------------------------------------------------------

test("a chunked body is refused at once", async () => {
  const { text } = await site.raw(
    "POST /api/v1/login HTTP/1.1\r\n" + head(`Origin: ${site.origin}`, "Content-Type: application/json", "Transfer-Encoding: chunked") +
      "5\r\nhello\r\n0\r\n\r\n");
  same(status(text), 411, "status");
  holds(text.includes("length_required"), "the code");
});

test("a chunked body with a method that has none is refused", async () => {
  const { text } = await site.raw("DELETE /api/v1/challenges/abcdefghijkl HTTP/1.1\r\n" + head("Transfer-Encoding: chunked") + "5\r\nhello\r\n");
  same(status(text), 411, "status");
});

test("a body without a length is refused", async () => {
  const { text } = await site.raw("POST /api/v1/login HTTP/1.1\r\n" + head(`Origin: ${site.origin}`, "Content-Type: application/json"));
  same(status(text), 411, "status");
});

test("a length that is no number is refused", async () => {
  for (const length of ["-5", "1e3", "0x10", "5, 5", "99999999999999999999"]) {
    const { text } = await site.raw("POST /api/v1/login HTTP/1.1\r\n" + head(`Origin: ${site.origin}`, `Content-Length: ${length}`));
    holds([400, 413].includes(status(text)), `Content-Length: ${length} gives ${status(text)}`);
  }
});

test("a body over the limit is refused and the refusal is read", async () => {
  const answer = await site.request("POST", "/api/v1/login", { body: `{"login":"${"x".repeat(70000)}"}` });
  isError(answer, "too_large", 413);
});

test("a body at the limit is read", async () => {
  const body = { login: "nobody-here", password: "x".repeat(100), remember: false };
  const text = JSON.stringify(body);
  const padded = text + " ".repeat(64 * 1024 - text.length);
  isError(await site.request("POST", "/api/v1/login", { body: padded }), "bad_credentials", 401);
});

test("malformed JSON names its fault", async () => {
  const bad = ["", "{", "[]", "null", "7", '{"login":"a","login":"b"}', '{"login":01}', "{}x", '{"a":1e999}', "\ufeff{}",
    '{"login":"\ud800"}'.replace("\ud800", "\\ud800")];
  for (const body of bad) {
    const answer = await site.request("POST", "/api/v1/login", { body });
    same([answer.status, ["bad_request", "bad_text"].includes(answer.json?.error.code)], [400, true], `body ${body}`);
  }
});

test("bytes that are not UTF-8 are refused", async () => {
  const body = Buffer.from([...Buffer.from('{"login":"'), 0xc3, 0x28, ...Buffer.from('","password":"x","remember":false}')]);
  const { text } = await site.raw([
    "POST /api/v1/login HTTP/1.1\r\n" + head(`Origin: ${site.origin}`, "Content-Type: application/json", `Content-Length: ${body.length}`), body,
  ]);
  same(status(text), 400, "status");
  holds(text.includes("bad_text"), "the code");
});

test("a text with U+0000 or a direction mark is refused", async () => {
  for (const login of ["a\\u0000b", "a\\u202eb", "a\\u2066b"]) {
    const answer = await site.request("POST", "/api/v1/login", { body: `{"login":"${login}","password":"x","remember":false}` });
    isError(answer, "bad_text", 400, "login");
  }
});

test("deep nesting is refused", async () => {
  const answer = await site.request("POST", "/api/v1/login", { body: `{"login":${"[".repeat(3000)}${"]".repeat(3000)}}` });
  isError(answer, "bad_request", 400);
});

test("a missing, an unknown and a wrong field are named", async () => {
  isError(await site.request("POST", "/api/v1/login", { body: { login: "a", password: "b" } }), "bad_request", 400, "remember");
  isError(await site.request("POST", "/api/v1/login", { body: { login: "a", password: "b", remember: false, extra: 1 } }), "bad_request", 400, "extra");
  isError(await site.request("POST", "/api/v1/login", { body: { login: 5, password: "b", remember: false } }), "bad_request", 400, "login");
  isError(await site.request("POST", "/api/v1/login", { body: { login: "a", password: "b", remember: "no" } }), "bad_request", 400, "remember");
});

test("a state change needs our own Origin", async () => {
  const body = { login: "a", password: "b", remember: false };
  for (const origin of [null, "null", "https://evil.example", `${site.origin}.evil.example`, `http://127.0.0.1:${site.port + 1}`, "http://localhost"])
    isError(await site.request("POST", "/api/v1/login", { body, origin }), "bad_origin", 403);
});

test("a state change needs the JSON content type", async () => {
  const body = '{"login":"a","password":"b","remember":false}';
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx"])
    isError(await site.request("POST", "/api/v1/login", { body, headers: { "Content-Type": type } }), "not_json", 415);
  const ok = await site.request("POST", "/api/v1/login", { body, headers: { "Content-Type": "application/json; charset=utf-8" } });
  isError(ok, "bad_credentials", 401);
});

test("methods: 405 with Allow, HEAD, OPTIONS", async () => {
  const wrong = await site.request("POST", "/api/v1/me", { body: {} });
  isError(wrong, "method_not_allowed", 405);
  same(wrong.headers.allow, "GET, HEAD, OPTIONS", "Allow");
  isError(await site.request("PUT", "/api/v1/challenges", { body: {} }), "method_not_allowed", 405);
  isError(await site.request("PATCH", "/api/v1/challenges", { body: {} }), "method_not_allowed", 405);
  isError(await site.request("GET", "/api/v1/login"), "method_not_allowed", 405);
  const both = await site.request("DELETE", "/api/v1/challenges");
  same(both.headers.allow, "GET, HEAD, POST, OPTIONS", "Allow of two methods");
  const headOnly = await site.request("HEAD", "/api/v1/me");
  same([headOnly.status, headOnly.text, headOnly.headers["content-length"]], [200, "", "11"], "HEAD");
  const options = await site.request("OPTIONS", "/api/v1/me");
  same([options.status, options.headers.allow], [204, "GET, HEAD, OPTIONS"], "OPTIONS");
  same((await site.request("POST", "/play", { body: {} })).status, 405, "POST to a page");
});

test("paths that are not there", async () => {
  isError(await site.request("GET", "/api/v1/nothing"), "not_found", 404);
  isError(await site.request("GET", "/api/v2/me"), "not_found", 404);
  isError(await site.request("GET", "/api/v1/games/short"), "not_found", 404);
  isError(await site.request("GET", "/api/v1/games/abcdefghijkl"), "not_found", 404);
  isError(await site.request("GET", "/api/v1/games/abcdefghijkl.pgn"), "not_found", 404);
  isError(await site.request("GET", "/api/v1/players/Nobody-of-that-name"), "not_found", 404);
  isError(await site.request("GET", "/api/v1/me/"), "not_found", 404);
  const page = await site.request("GET", "/no/such/page");
  same([page.status, page.headers["content-type"]], [404, "text/html; charset=utf-8"], "page");
  for (const path of ["/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/../../../etc/passwd", "/.git/config"]) {
    const { text } = await site.raw(`GET ${path} HTTP/1.1\r\n` + head("Connection: close"));
    holds(!text.includes("root:"), `${path} leaks nothing`);
  }
});

test("a header that is too big ends the connection only", async () => {
  const { text, closed } = await site.raw("GET /healthz HTTP/1.1\r\n" + head(`X-Big: ${"x".repeat(20000)}`, `Cookie: ${"y".repeat(20000)}`));
  holds(closed || status(text) >= 400, "refused");
  same((await site.request("GET", "/healthz")).status, 200, "the server lives");
});

test("what is no HTTP ends the connection only", async () => {
  for (const bytes of ["\0\0\0\0\r\n\r\n", "GARBAGE\r\n\r\n", "GET\r\n\r\n", "GET http://evil/ HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "CONNECT example.com:80 HTTP/1.1\r\nHost: example.com\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"])
    await site.raw(bytes, { silent: true });
  same((await site.request("GET", "/healthz")).status, 200, "the server lives");
});

test("upgrades to something else are refused", async () => {
  for (const upgrade of ["h2c", "foo", "TLS/1.0", "websocket2"]) {
    const { text } = await site.raw("GET /healthz HTTP/1.1\r\n" + head(`Upgrade: ${upgrade}`, "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"));
    holds(!text.startsWith("HTTP/1.1 101"), `${upgrade} is not switched to`);
  }
  same((await site.request("GET", "/healthz")).status, 200, "the server lives");
});

test("requests in one packet are answered in order", async () => {
  const one = (path) => `GET ${path} HTTP/1.1\r\nHost: ${host()}\r\n\r\n`;
  const { text } = await site.raw(one("/api/v1/me") + one("/api/v1/challenges") + one("/healthz") + one("/api/v1/nothing"), { answers: 4 });
  const found = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((m) => Number(m[1]));
  same(found, [200, 200, 200, 404], "answers");
  holds(text.indexOf('{"me":null}') < text.indexOf('{"challenges"') && text.indexOf('{"challenges"') < text.indexOf('{"status":"ok"}'), "their order");
});

test("a body that dribbles in is put together", async () => {
  const body = '{"login":"nobody-here","password":"xxxxxxxx","remember":false}';
  const http = "POST /api/v1/login HTTP/1.1\r\n" + head(`Origin: ${site.origin}`, "Content-Type: application/json", `Content-Length: ${body.length}`);
  const net = await import("node:net");
  const socket = net.connect(site.port, "127.0.0.1");
  let text = "";
  socket.on("data", (part) => (text += part));
  socket.write(http.slice(0, 40));
  for (const part of [http.slice(40), body.slice(0, 3), body.slice(3, 30), body.slice(30)]) {
    await sleep(60);
    socket.write(part);
  }
  await within(PATIENCE_MS, "an answer", (async () => { while (!text.includes("bad_credentials")) await sleep(20); })());
  socket.destroy();
});

// ---- accounts --------------------------------------------------------------------------------------

test("registering: what is wrong is named", async () => {
  const good = { nick: "Good-Nick", password, password2: password, language: "en", accept_rules: true };
  const tries = [
    [{ accept_rules: false }, "rules_not_accepted"],
    [{ nick: "ab" }, "nick_length", "nick"],
    [{ password: "short", password2: "short" }, "password_length"],
    [{ password2: "something else 9" }, "password_mismatch", "password2"],
  ];
  for (const [change, code, field] of tries)
    isError(await site.request("POST", "/api/v1/register", { body: { ...good, ...change } }), code, 422, field);
  await Person.register(site, "Good-Nick");
  isError(await site.request("POST", "/api/v1/register", { body: { ...good, nick: "good-nick" } }), "nick_taken", 422, "nick");
});

test("a weak password is refused", async () => {
  const body = { nick: "Weak-One", password: "password123", password2: "password123", language: "en", accept_rules: true };
  isError(await site.request("POST", "/api/v1/register", { body }), "password_weak", 422, "password");
});

test("a wrong password says no more than an unknown name", async () => {
  await Person.register(site, "Careful");
  const wrong = await site.request("POST", "/api/v1/login", { body: { login: "Careful", password: "wrong password", remember: false } });
  const unknown = await site.request("POST", "/api/v1/login", { body: { login: "Careless", password: "wrong password", remember: false } });
  isError(wrong, "bad_credentials", 401);
  same(unknown.json, wrong.json, "the same answer");
});

test("a session that has ended is a guest", async () => {
  const person = await Person.register(site);
  same((await person.post("/api/v1/logout")).status, 204, "logout");
  same((await person.get("/api/v1/me")).json, { me: null }, "me");
  isError(await person.get("/api/v1/me/games"), "auth_required", 401);
  for (const cookie of ["jadoube=", "jadoube=x", `jadoube=${"A".repeat(43)}`, `jadoube=${"A".repeat(3000)}`, "jadoube"])
    same((await site.request("GET", "/api/v1/me", { cookie })).json, { me: null }, cookie.slice(0, 20));
});

test("a WebSocket ends with its session", async () => {
  const person = await Person.register(site);
  const socket = await person.connect();
  same((await socket.must("hello")).d.me.nick, person.nick, "known");
  await person.post("/api/v1/logout");
  same(await within(PATIENCE_MS, "the close", socket.closed), 4003, "code");
});

// ---- the WebSocket hand-shake ----------------------------------------------------------------------

test("a WebSocket without or with another subprotocol is refused", async () => {
  await refused(Socket.open(site, { protocols: [] }), 400, "bad_request");
  await refused(Socket.open(site, { protocols: ["chess.v2"] }), 400, "bad_request");
  await refused(Socket.open(site, { protocols: ["http-only"] }), 400, "bad_request");
  const both = await Socket.open(site, { protocols: ["other", "chess.v1"] });
  same(both.ws.protocol, "chess.v1", "the one we know is chosen");
  await both.close();
});

test("a WebSocket from a foreign page is refused", async () => {
  await refused(Socket.open(site, { origin: "https://evil.example" }), 403, "bad_origin");
  await refused(Socket.open(site, { origin: null }), 403, "bad_origin");
});

test("a WebSocket elsewhere than /ws is refused", async () => {
  await refused(Socket.open(site, { path: "/" }), 404, "not_found");
  await refused(Socket.open(site, { path: "/ws/x" }), 404, "not_found");
  isError(await site.request("GET", "/ws"), "bad_request", 400);
});

test("a hand-shake without its headers is refused", async () => {
  const full = ["Upgrade: websocket", "Connection: Upgrade", `Origin: ${site.origin}`, "Sec-WebSocket-Protocol: chess.v1", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];
  for (const without of ["Sec-WebSocket-Key", "Sec-WebSocket-Version", "Connection"]) {
    const { text } = await site.raw("GET /ws HTTP/1.1\r\n" + head(...full.filter((line) => !line.startsWith(without))));
    holds(!text.startsWith("HTTP/1.1 101"), `without ${without}`);
  }
  const { text } = await site.raw("GET /ws HTTP/1.1\r\n" + head(...full));
  holds(text.startsWith("HTTP/1.1 101"), "with all of them");
  const accept = createHash("sha1").update("dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest("base64");
  holds(text.includes(accept), "RFC 6455, 4.2.2");
});

// ---- WebSocket messages ----------------------------------------------------------------------------

const guest = () => Socket.open(site);

test("malformed messages get an error, the third in ten seconds closes", async () => {
  const socket = await guest();
  for (const text of ["not json", '{"t":"hello"}', '{"t":"no-such-thing","d":{}}']) {
    const answer = socket.wait((m) => m.t === "error", "an error");
    socket.ws.send(text);
    same((await answer).d.code, "bad_request", text);
  }
  same(await within(PATIENCE_MS, "the close", socket.closed), 1008, "code");
});

test("errors of messages name the field and carry the number", async () => {
  const bad = [
    ["sub", { ch: "nowhere" }, "bad_request", "ch"],
    ["move", { game: "abcdefghijkl", ply: 0, uci: 5 }, "bad_request", "uci"],
    ["move", { game: "abcdefghijkl", ply: -1, uci: "e2e4" }, "bad_request", "ply"],
    ["draw", { game: "abcdefghijkl", ply: 0, act: "beg" }, "bad_request", "act"],
    ["challenge", { control: blitz, color: "red", rated: false }, "bad_request", "color"],
    ["challenge", { control: { ...blitz, base_ms: 1.5 }, color: "white", rated: false }, "bad_request", "base_ms"],
    ["resign", { game: "abcdefghijkl", extra: 1 }, "bad_request", "extra"],
  ];
  for (const [t, d, code, field] of bad) {
    const socket = await guest();
    const answer = await socket.ask(t, d);
    same([answer.t, answer.d.code, answer.d.field], ["error", code, field], `${t} ${JSON.stringify(d)}`);
    await socket.close();
  }
});

test("a guest may watch and nothing else", async () => {
  const socket = await guest();
  same((await socket.must("hello")).d.me, null, "me");
  same((await socket.must("sub", { ch: "lobby" })).t, "ok", "lobby");
  same((await socket.ask("sub", { ch: "me" })).d.code, "auth_required", "me");
  same((await socket.ask("challenge", { control: blitz, color: "white", rated: false })).d.code, "auth_required", "challenge");
  same((await socket.ask("sub", { ch: "game:abcdefghijkl" })).d.code, "not_found", "a game that is not there");
  same((await socket.ask("sub", { ch: "game:x" })).d.code, "not_found", "an id that is none");
  await socket.close();
});

test("a frame over 16 KiB closes with 1009, in one piece or many", async () => {
  const big = await guest();
  big.ws.send(JSON.stringify({ t: "ping", d: { c: 1 }, pad: "x".repeat(17000) }));
  same(await within(PATIENCE_MS, "the close", big.closed), 1009, "one frame");
  const pieces = await guest();
  for (let i = 0; i < 20; i++) pieces.ws.send("x".repeat(1000), { fin: false });
  same(await within(PATIENCE_MS, "the close", pieces.closed), 1009, "many");
});

test("a message in pieces is put together", async () => {
  const socket = await guest();
  const answer = socket.wait((m) => m.id === 77, "pong");
  const text = JSON.stringify({ t: "ping", id: 77, d: { c: 5 } }) + " ".repeat(9000);
  for (let at = 0; at < text.length; at += 1500) socket.ws.send(text.slice(at, at + 1500), { fin: at + 1500 >= text.length });
  same((await answer).d.c, 5, "pong");
  await socket.close();
});

test("binary and text that is not UTF-8 close the connection", async () => {
  const binary = await guest();
  binary.ws.send(Buffer.from([1, 2, 3]));
  same(await within(PATIENCE_MS, "the close", binary.closed), 1003, "binary");
  const text = await guest();
  text.ws.send(Buffer.from([0xc3, 0x28]), { binary: false });
  same(await within(PATIENCE_MS, "the close", text.closed), 1007, "not UTF-8");
});

test("20 messages in 5 s pass, the next is told, a flood is closed and others notice nothing", async () => {
  const { white, black, game } = await newGame(site);
  const flood = await guest();
  for (let i = 0; i < 20; i++) flood.send("ping", { c: i }, i);
  await flood.wait((m) => m.t === "pong" && m.d.c === 19, "the twentieth pong", PATIENCE_MS, 0);
  const told = flood.wait((m) => m.t === "error" && m.d.code === "rate_limited", "rate_limited");
  for (let i = 0; i < 1000; i++) flood.send("ping", { c: i }, 100 + i);
  const error = await told;
  holds(error.d.retry_after >= 1, "retry_after");
  same(error.id, 100, "its number");
  same(await within(PATIENCE_MS, "the close", flood.closed), 1008, "code");
  holds(flood.heard.filter((m) => m.t === "error").length === 1, "one error only");
  const seen = black.socket.wait((m) => m.t === "moved" && m.d.ply === 1, "the move");
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await seen;
  await white.socket.close();
  await black.socket.close();
});

test("a thousand connections that say nothing are bounded", async () => {
  const limited = await Site.start({ flags: ["--max-connections", "40", "--rate-limits", "off"] });
  const net = await import("node:net");
  const sockets = [];
  for (let i = 0; i < 100; i++) {
    const socket = net.connect(limited.port, "127.0.0.1");
    socket.on("error", () => {});
    sockets.push(socket);
  }
  await eventually("the rest was refused", () => sockets.filter((socket) => socket.closed).length >= 60);
  for (const socket of sockets) socket.destroy();
  await eventually("it answers again", () => limited.request("GET", "/healthz").then((answer) => answer.status === 200, () => false));
  holds((await limited.metric("connections_refused_total")) >= 60, "the refusals are counted");
  await limited.end();
});

// ---- playing against the rules ---------------------------------------------------------------------

test("illegal, stale and foreign moves are refused and change nothing", async () => {
  const { white, black, game } = await newGame(site);
  const stranger = await Person.register(site);
  stranger.socket = await stranger.connect();
  const before = (await white.get(`/api/v1/games/${game}`)).json;
  const refusals = [
    [white, { ply: 0, uci: "e2e5" }, "illegal_move"],
    [white, { ply: 0, uci: "e1e2" }, "illegal_move"],
    [white, { ply: 1, uci: "e2e4" }, "stale_ply"],
    [black, { ply: 0, uci: "e7e5" }, "not_your_turn"],
  ];
  for (const [person, move, code] of refusals) {
    const answer = await person.socket.ask("move", { game, ...move });
    same([answer.t, answer.d.code], ["error", code], JSON.stringify(move));
    await person.socket.wait((m) => m.t === "game" && m.d.ply === 0, "the full state follows", PATIENCE_MS, 0);
  }
  const foreign = await stranger.socket.ask("move", { game, ply: 0, uci: "e2e4" });
  same(foreign.t, "error", "a stranger");
  same((await stranger.post(`/api/v1/games/${game}/resign`)).status >= 400, true, "a stranger cannot resign");
  const after = (await white.get(`/api/v1/games/${game}`)).json;
  same([after.ply, after.fen, after.result], [before.ply, before.fen, "*"], "the game");
  isError(await white.post(`/api/v1/games/${game}/move`, { ply: 0, uci: "e2e5" }), "illegal_move", 422);
  isError(await white.post(`/api/v1/games/${game}/move`, { ply: 3, uci: "e2e4" }), "stale_ply", 409);
  isError(await white.post(`/api/v1/games/${game}/move`, { ply: 0 }), "bad_request", 400, "uci");
  for (const person of [white, black, stranger]) await person.socket.close();
});

test("challenges out of range are refused", async () => {
  const person = await Person.register(site);
  const make = (control, more = {}) => person.post("/api/v1/challenges", { control, color: "white", rated: false, ...more });
  for (const control of [{ ...blitz, base_ms: 0, increment_ms: 0 }, { ...blitz, base_ms: -1 }, { ...blitz, base_ms: 1e12 }, { kind: "days", days: 0 }, { kind: "days", days: 15 }])
    isError(await make(control), "control_range", 422);
  isError(await make({ kind: "sandglass" }), "bad_request", 400, "kind");
  isError(await make({ kind: "days" }), "bad_request", 400, "days");
  isError(await make(blitz, { key: "k".repeat(100) }), "bad_request", 400, "key");
  const first = await make(blitz, { key: "the same" });
  same((await make(blitz, { key: "the same" })).json.id, first.json.id, "the same key gives the same challenge");
  isError(await person.post(`/api/v1/challenges/${first.json.id}/join`), "own_challenge", 422);
  for (let i = 0; i < 9; i++) same((await make(blitz)).status, 201, `challenge ${i}`);
  isError(await make(blitz), "too_many_challenges", 422);
  const other = await Person.register(site);
  isError(await other.request("DELETE", `/api/v1/challenges/${first.json.id}`), "forbidden", 403);
  same((await person.request("DELETE", `/api/v1/challenges/${first.json.id}`)).status, 204, "cancelled");
  isError(await other.post(`/api/v1/challenges/${first.json.id}/join`), "not_found", 404);
});

await runTests();
