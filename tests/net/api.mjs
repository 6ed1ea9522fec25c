// SPDX-License-Identifier: GPL-3.0-or-later
// Every route of the program and every route of docs/openapi.yaml: they are the same, and each answers as
// the document says (the harness holds every answer of every test against it).
import { createECDH } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { document, seen } from "./contract.mjs";
import { Person, Site, blitz, eventually, holds, newGame, password, runTests, same, slow, test, wideBlocks } from "./harness.mjs";

const root = new URL("../..", import.meta.url).pathname;
const site = await Site.start({ flags: ["--rate-limits", "off"] });

test("the table of routes and the document name the same routes", async () => {
  const table = readFileSync(`${root}/src/net/routes.c`, "utf8");
  const rows = [...table.matchAll(/\{ "([^"]+)",\s*NET_(GET|POST|PUT|DELETE)/g)].map(([, path, method]) => `${method} ${path}`);
  const told = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "{}")}`));
  same([...rows].sort(), [...told].sort(), "routes");
});

test("docs/protocol.md tells of every route under /api", async () => {
  const text = readFileSync(`${root}/docs/protocol.md`, "utf8");
  for (const path of Object.keys(document.paths)) {
    const act = path.match(/\/games\/\{id\}(\/\w+)$/)?.[1];
    holds(text.includes(`\`${path}`) || (act && text.includes(`\`${act}\``)), `${path} is in docs/protocol.md`);
  }
});

test("its codes are those of docs/protocol.md and of the program", async () => {
  const codes = document.components.schemas.Error.properties.error.properties.code.enum;
  const protocol = readFileSync(`${root}/docs/protocol.md`, "utf8");
  const rows = protocol.split("\n").filter((line) => /^\| \d{3} \|/.test(line));
  const told = rows.flatMap((line) => [...line.split("|")[2].matchAll(/`([a-z_]+)`/g)].map((m) => m[1])).filter((word) => !["retry_after", "ref"].includes(word));
  same([...codes].sort(), [...told].sort(), "docs/protocol.md");
  const table = readFileSync(`${root}/src/net/errors.c`, "utf8");
  const known = [...table.matchAll(/\{ "([a-z_]+)", \d{3} \}/g)].map((m) => m[1]);
  same([...codes].sort(), known.sort(), "src/net/errors.c");
});

test("every success of every route", async () => {
  const email = "someone@example.org";
  const anna = await Person.register(site, "Anna-B", { email });
  same(anna.me.email, email, "e-mail");
  for (const path of ["/healthz", "/metrics", "/api/v1/me", "/api/v1/challenges", "/ws"]) await site.request("GET", path);
  const login = await site.request("POST", "/api/v1/login", { body: { login: email, password, remember: true } });
  same(login.json.me.nick, "Anna-B", "by e-mail");
  anna.takeCookie(login);
  same((await anna.post("/api/v1/me/prefs", { language: "ro" })).json.me.language, "ro", "language");
  same((await anna.post("/api/v1/me/prefs", { language: "xx" })).status >= 400, true, "no such language");
  same((await anna.get("/api/v1/me")).json.me.language, "ro", "kept");
  same((await anna.put("/api/v1/me/prefs", { pieces: "merida", volume: 40 })).json.prefs, { pieces: "merida", volume: 40 }, "preferences");
  same((await anna.get("/api/v1/me/prefs")).json.prefs, { pieces: "merida", volume: 40 }, "preferences kept");
  const wants = { moves: true, day: false, hours: true, invitations: true, digest_hour: 7 };
  same((await anna.put("/api/v1/me/notices", wants)).json, wants, "notices");
  same((await anna.get("/api/v1/me/notices")).json, wants, "notices kept");
  same((await anna.put("/api/v1/me/notices", { ...wants, digest_hour: 24 })).status, 400, "no such hour");
  same((await site.request("POST", "/api/v1/notices/off/nobodys", { body: {} })).json.error.code, "link_bad", "a bad link");
  const browser = createECDH("prime256v1");
  const subscription = { endpoint: "https://push.invalid/x", p256dh: browser.generateKeys("base64url"), auth: "AAAAAAAAAAAAAAAAAAAAAA" };
  const on = await anna.post("/api/v1/me/push", subscription);
  same([on.status, on.json.devices.length], [200, 1], "told by push");
  same((await anna.get("/api/v1/me/push")).json, on.json, "the same");
  same((await anna.request("DELETE", `/api/v1/me/push/${on.json.devices[0].id}`)).status, 204, "no more");
  same((await site.request("POST", "/api/v1/push/off", { body: { endpoint: subscription.endpoint } })).status, 204, "by the notice");
  same((await anna.get("/api/v1/me/bell")).json, { notices: [], seen: 0 }, "the bell");
  same((await anna.post("/api/v1/me/bell", { seen: 1 })).status, 204, "seen");
  const { connection } = (await anna.post("/api/v1/me/events")).json;
  same((await anna.post(`/api/v1/me/events/${connection}`, { t: "ping", d: { c: 7 } })).status, 204, "sent by HTTP");
  same((await anna.get(`/api/v1/me/events?connection=${connection}`)).json.messages[0].d.c, 7, "fetched by HTTP");
  same((await anna.request("DELETE", `/api/v1/me/events/${connection}`)).status, 204, "ended");
  same((await anna.put("/api/v1/me/vacation", { days: 3 })).json.left, 27, "a vacation");
  same((await anna.put("/api/v1/me/vacation", { days: 0 })).json.current, null, "it ends");
  same((await anna.get("/api/v1/me/vacation")).json.left, 29, "a day begun counts");
  const layouts = "/api/v1/me/layouts";
  same((await anna.get(layouts)).json.layouts, [], "no layouts");
  same((await anna.put(`${layouts}/mine`, { form: "wide", blocks: wideBlocks })).json.layouts.length, 1, "saved");
  same((await anna.post(`${layouts}/mine`, { name: "ours" })).json.layouts[0].name, "ours", "renamed");
  same((await anna.request("DELETE", `${layouts}/ours`)).json.layouts, [], "deleted");
  const changed = await anna.post("/api/v1/me/password", { password, new_password: "a new one for Anna", new_password2: "a new one for Anna" });
  same(changed.status, 204, "password");
  const challenge = (await anna.post("/api/v1/challenges", { control: blitz, color: "random", rated: true })).json;
  same((await site.request("GET", "/api/v1/challenges")).json.challenges, [challenge], "the lobby");
  same((await anna.request("DELETE", `/api/v1/challenges/${challenge.id}`)).status, 204, "taken back");
  const periods = { kind: "periods", periods: [{ moves: 40, time_ms: 5400000, increment_ms: 30000, delay_ms: 0 }, { moves: 0, time_ms: 1800000, increment_ms: 30000, delay_ms: 0 }] };
  const long = await anna.post("/api/v1/challenges", { control: periods, color: "black", rated: false, key: "k" });
  same([long.status, long.json.control, long.json.category], [201, periods, "standard"], "periods");
  await anna.request("DELETE", `/api/v1/challenges/${long.json.id}`);

  const { white, black, game } = await newGame(site, slow);
  const api = (person, act, body) => person.post(`/api/v1/games/${game}/${act}`, body);
  same((await white.get(`/api/v1/games/${game}`)).json.state, "running", "running");
  same((await api(white, "move", { ply: 0, uci: "e2e4" })).status, 200, "move");
  same((await api(black, "move", { ply: 1, uci: "e7e5", draw: true })).status, 200, "move with an offer");
  same((await white.get("/api/v1/me/games")).json.games.length, 1, "my games");
  same((await api(white, "draw", { ply: 2, act: "decline" })).status, 200, "draw");
  holds((await api(white, "flag")).status >= 400, "flag");
  same((await white.get(`/api/v1/games/${game}/chat`)).json.lines, [], "nothing was said");
  holds((await api(white, "abandon", { act: "win" })).status >= 400, "abandon");
  same((await api(white, "resign")).status, 200, "resign");
  const player = await site.request("GET", `/api/v1/players/${black.nick}`);
  same([player.json.wins, player.json.online], [1, true], "player");
  const games = await site.request("GET", `/api/v1/players/${encodeURIComponent(black.nick)}/games?limit=1`);
  same(games.json.games.map((row) => [row.id, row.result, row.reason]), [[game, "0-1", "resignation"]], "player's games");
  same((await site.request("GET", `/api/v1/games/${game}.pgn`)).text, (await site.request("GET", `/game/${game}.pgn`)).text, "PGN");

  const direct = (await anna.post("/api/v1/challenges", { control: slow, color: "black", rated: false, to: black.nick })).json;
  same((await black.post(`/api/v1/challenges/${direct.id}/decline`)).status, 204, "decline");

  const second = await newGame(site, slow);
  same((await second.white.post(`/api/v1/games/${second.game}/abort`)).json.state, "annulled", "abort");
  for (const person of [white, black, second.white, second.black]) await person.socket.close();
  same((await anna.post("/api/v1/me/delete", { password: "a new one for Anna" })).status, 204, "delete");
  const bob = await Person.register(site);
  same((await site.request("GET", "/api/v1/site")).json, { mail: false, registration: true, captcha: "off", edition: "fide-2023", supervised: true, oidc: [] }, "site");
  same((await bob.get("/api/v1/oidc")).json, { identities: [] }, "no providers (tests/net/oidc.mjs has the rest)");
  same((await bob.get("/api/v1/oidc/pending")).json, { pending: null }, "nobody waits");
  same((await bob.post("/api/v1/oidc/none/link", { password })).status, 404, "nothing to link");
  same((await bob.post("/api/v1/oidc/none/unlink", { password })).status, 404, "nor to unlink");
  same((await bob.get("/login/oidc/none")).status, 302, "back to the log-in page");
  same((await bob.get("/login/oidc/none/back")).status, 302, "back again");
  same((await bob.post("/api/v1/me/email", { email: "bob@example.org", password })).json.me.email, "bob@example.org", "e-mail");
  same((await site.request("POST", "/api/v1/captcha", { body: { way: "pictures", language: "en" } })).json.error.code, "not_found", "off");
  same((await site.request("POST", "/api/v1/captcha/x", { body: { cells: [1] } })).json.error.code, "captcha_expired", "none");
  // The safety of an account: tests/net/safety.mjs.
  const twin = new Person(site, bob.nick);
  twin.takeCookie(await site.request("POST", "/api/v1/login", { body: { login: bob.nick, password, remember: false } }));
  const devices = (await bob.get("/api/v1/me/devices")).json.devices;
  same((await bob.request("DELETE", `/api/v1/me/devices/${devices.find((d) => !d.own).id}`)).status, 204, "signed out");
  same((await bob.post("/api/v1/me/blocks", { nick: white.nick })).status, 204, "blocked");
  same((await bob.get("/api/v1/me/blocks")).json.blocks.length, 1, "blocks");
  same((await bob.request("DELETE", `/api/v1/me/blocks/${white.nick}`)).status, 204, "taken back");
  same((await bob.post("/api/v1/me/misuse", { password, new_password: password, new_password2: password, text: "" })).status, 204, "misuse");
  same((await bob.post("/api/v1/me/appeal", { text: "Hello." })).status, 204, "a word");
  same((await bob.get("/api/v1/me/export")).status, 200, "archive");
  same((await site.admin("role", bob.nick, "admin")).code, 0, "an administrator");
  same((await bob.post(`/api/v1/games/${game}/result`, { result: "1-0", reason: "The wrong player resigned." })).json.after, "1-0", "corrected");
  same((await bob.post("/api/v1/me/delete", { password })).status, 204, "asked to be erased");
  bob.takeCookie(await site.request("POST", "/api/v1/login", { body: { login: bob.nick, password, remember: false } }));
  same((await bob.post("/api/v1/me/stay")).json.me.erase_after, null, "stays");
  const plain = await site.request("GET", "/login/classic");
  const token = plain.text.match(/name="token" value="([^"]*)"/)[1];
  const form = new URLSearchParams({ token, login: bob.nick, password }).toString();
  const sent = await site.request("POST", "/login/classic", { body: form, cookie: plain.headers["set-cookie"][0].split(";")[0], headers: { "Content-Type": "application/x-www-form-urlencoded" } });
  same(sent.status, 200, "plain log-in");
  // By letter: tests/net/mail.mjs.
  same((await bob.post("/api/v1/me/confirm")).json.error.code, "not_found", "nothing to confirm");
  same((await site.request("POST", "/api/v1/confirm", { body: { token: "x" } })).json.error.code, "link_bad", "no such link");
  same((await site.request("POST", "/api/v1/recover", { body: { email: "a@example.org" } })).json.error.code, "no_mail", "no mail");
  same((await site.request("POST", "/api/v1/recover/finish", { body: { token: "x", password, password2: password } })).json.error.code, "link_bad", "no such link");
  same((await bob.post("/api/v1/logout")).status, 204, "logout");
});

test("a blitz flag and an opponent who left, claimed over HTTP", async () => {
  const { white, black, game } = await newGame(site, { kind: "clock", base_ms: 30000, increment_ms: 0, delay_ms: 0 });
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  same((await white.post(`/api/v1/games/${game}/flag`)).json.error.code, "flag_not_down", "not down");
  same((await white.post(`/api/v1/games/${game}/abandon`, { act: "win" })).json.error.code, "not_abandoned", "not gone");
  for (const person of [white, black]) await person.socket.close();
});

test("pages of a list", async () => {
  const white = await Person.register(site);
  const black = await Person.register(site);
  const ids = [];
  for (let i = 0; i < 5; i++) {
    const challenge = (await white.post("/api/v1/challenges", { control: slow, color: "white", rated: false })).json;
    const { game } = (await black.post(`/api/v1/challenges/${challenge.id}/join`)).json;
    await white.post(`/api/v1/games/${game}/move`, { ply: 0, uci: "e2e4" });
    await black.post(`/api/v1/games/${game}/move`, { ply: 1, uci: "e7e5" });
    same((await white.post(`/api/v1/games/${game}/resign`)).status, 200, "resigned");
    ids.unshift(game);
  }
  const path = `/api/v1/players/${white.nick}/games`;
  const found = [];
  let after = "";
  for (let page = 0; page < 3; page++) {
    const answer = (await site.request("GET", `${path}?limit=2${after && `&after=${encodeURIComponent(after)}`}`)).json;
    found.push(...answer.games.map((row) => row.id));
    after = answer.after;
    same(after === null, page === 2, `the cursor of page ${page}`);
  }
  same(found, ids, "newest first, each once");
  for (const query of ["limit=0", "limit=51", "limit=x", "after=nonsense", "unknown=1", "limit=1&limit=2"])
    same((await site.request("GET", `${path}?${query}`)).json.error.code, "bad_request", query);
});

test("what the browser has is not sent again", async () => {
  const first = await site.request("GET", "/api/v1/challenges");
  same(first.headers["cache-control"], "private, no-cache", "kept, and asked for");
  const second = await site.request("GET", "/api/v1/challenges", { headers: { "If-None-Match": first.headers.etag } });
  same([second.status, second.text], [304, ""], "not modified");
});

test("ratings are there for everybody (tests/net/ratings.mjs has the rest)", async () => {
  const anna = await Person.register(site);
  for (const path of ["/players/NICK/ratings", "/players/NICK/ratings?list=blitz", "/players/NICK/ratings/graph?list=blitz", "/ratings/blitz", "/ratings/expected?diff=100", "/games", "/games.pgn", "/games/running"])
    same((await site.request("GET", `/api/v1${path.replace("NICK", anna.nick)}`)).status, 200, path);
});

test("a guest begins a game against the computer", async () => {
  same((await site.request("GET", "/api/v1/computers")).json.available, true, "an engine is there");
  const entered = await site.request("POST", "/api/v1/guest", { body: { language: "ro" } });
  const cookie = String(entered.headers["set-cookie"]).split(";")[0];
  const form = { level: 1, color: "white", control: { kind: "days", days: 14 }, take_backs: true };
  const begun = await site.request("POST", "/api/v1/computer-games", { body: form, cookie });
  same(begun.status, 201, "begun");
  const path = `/api/v1/games/${begun.json.game}`;
  same((await site.request("POST", `${path}/hint`, { body: { ply: 0, uci: "e2e4" }, cookie })).json.considered.uci, "e2e4", "a hint");
  same((await site.request("POST", `${path}/move`, { body: { ply: 0, uci: "e2e4" }, cookie })).status, 200, "a move");
  const back = await site.request("POST", `${path}/takeback`, { body: {}, cookie });
  same([back.status, back.json.ply], [200, 0], "taken back");
  same((await site.request("POST", `${path}/takeback`, { body: {} })).status, 401, "not by anybody");
  same((await site.request("POST", `${path}/resign`, { body: {}, cookie })).status, 200, "over");
  let report = await site.request("POST", `${path}/report`, { body: {}, cookie });
  await eventually("the report is done", async () => {
    report = await site.request("POST", `${path}/report`, { body: {}, cookie });
    return report.json.state === "done";
  });
  same((await site.request("GET", `${path}/report`)).json, report.json, "its report");
});

test("people (tests/net/people.mjs has the rest)", async () => {
  const [anna, other] = [await Person.register(site), await Person.register(site)];
  for (const kind of ["follows", "friends"])
    for (const method of ["PUT", "DELETE"])
      same((await anna.request(method, `/api/v1/me/${kind}/${other.nick}`, method === "PUT" ? { body: {} } : {})).status, 204, `${method} ${kind}`);
  same((await anna.get("/api/v1/me/people")).status, 200, "people");
});

test("X-037 the page of a game holds it, and who asks", async () => {
  const { white, game } = await newGame(site);
  const page = async (headers, cookie) => {
    const answer = await site.request("GET", `/game/${game}`, { headers, cookie });
    same([answer.status, answer.headers["cache-control"]], [200, "no-store"], "the page");
    return answer;
  };
  const bootOf = ({ text }) => JSON.parse(text.match(/<script type="application\/json" id="boot">(.*?)<\/script>/s)[1]);
  const own = await page({ "Accept-Language": "ru" }, white.cookie);
  if (own.text.includes("without the browser client")) return; // nothing to look into
  holds(own.text.includes('<html lang="ru">'), "in the language of the browser");
  const boot = bootOf(own);
  same(boot.me, (await white.get("/api/v1/me")).json.me, "who asks");
  same(boot.prefs, (await white.get("/api/v1/me/prefs")).json.prefs, "what he has set");
  const without = ({ clocks, ...rest }) => rest; // a clock runs
  same(without(boot.game), without((await site.request("GET", `/api/v1/games/${game}`)).json), "the game");
  const guest = bootOf(await page({}));
  same([guest.me, guest.prefs, guest.game.id], [null, null, game], "a guest");
  const packed = await page({ "Accept-Encoding": "gzip, br" }, white.cookie);
  same(packed.headers["content-encoding"], "gzip", "coding");
  same(bootOf({ text: gunzipSync(packed.data).toString() }).game.id, game, "unpacked");
  const none = await site.request("GET", "/game/AAAAAAAAAAAA");
  same([none.status, none.text.includes('id="boot"')], [200, false], "no such game: the client says so");
});

test("every operation of the document has succeeded or been refused in these tests", async () => {
  const missing = [];
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item)) {
      const name = `${method.toUpperCase()} ${path}`;
      const statuses = [...seen].filter((row) => row.startsWith(`${name} `)).map((row) => row.split(" ").at(-1));
      const successes = Object.keys(operation.responses).filter((status) => /^20/.test(status));
      // A flag, an absence, the captcha and what goes by letter have tests of their own; here they are refused.
      if (successes.length > 0 && !/flag|abandon|confirm|recover|captcha|notices.off|oidc.*link/.test(path) && !statuses.some((status) => successes.includes(status))) missing.push(name);
      if (statuses.length === 0) missing.push(`${name} (not asked at all)`);
    }
  same(missing, [], "operations without a success");
});

await runTests();
