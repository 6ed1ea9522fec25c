// SPDX-License-Identifier: GPL-3.0-or-later
// The safety of an account: devices, misuse, blocked players, leaving, the
// administrator's command, a blocked account, the log-in page without scripts.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_MS, Person, Site, blitz, eventually, holds, newGame, password, runTests, same, slow, test, within } from "./harness.mjs";

const dir = mkdtempSync(join(tmpdir(), "jadoube-safety-"));
process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
writeFileSync(join(dir, "questions"), "# of the club\nen | Who guards the net? | Cerberus\nro | Cine? | Cerber\n");
writeFileSync(join(dir, "anonymizers"), "# exits\n192.0.2.0/24\n127.0.0.7\n");
const site = await Site.start({ flags: ["--rate-limits", "off", "--anonymizers", join(dir, "anonymizers")] });
const code = (answer) => answer.json?.error?.code ?? answer.status;
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const login = async (nick, word = password, headers = {}) => {
  const person = new Person(site, nick);
  const answer = await site.request("POST", "/api/v1/login", { body: { login: nick, password: word, remember: true }, headers });
  if (answer.status !== 200) throw new Error(`log-in of ${nick}: ${answer.text}`);
  person.takeCookie(answer);
  person.me = answer.json.me;
  return person;
};

test("the devices one is signed in on, each signed out by itself (S-022)", async () => {
  const anna = await Person.register(site, "Anna");
  const phone = await login("Anna", password, { "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605 Version/17.0 Mobile Safari/604.1" });
  const desk = await login("Anna", password, { "User-Agent": firefox });
  const list = async (who) => (await who.get("/api/v1/me/devices")).json.devices;
  const seen = await list(desk);
  same(seen.map((d) => [d.agent, d.own]).sort(), [["", false], ["Firefox, Linux", true], ["Safari, iPhone", false]].sort(), "three");
  const socket = await phone.connect();
  await socket.must("hello");
  const other = seen.find((d) => d.agent === "Safari, iPhone");
  same((await desk.request("DELETE", `/api/v1/me/devices/${other.id}`)).status, 204, "signed out");
  same(await within(PATIENCE_MS, "its page", socket.closed), 4003, "is told");
  same((await phone.get("/api/v1/me")).json.me, null, "is out");
  same((await list(desk)).length, 2, "two are left");
  for (const id of [other.id, 5, "x", "9".repeat(30)]) same(code(await desk.request("DELETE", `/api/v1/me/devices/${id}`)), "not_found", `device ${id}`);
  const stranger = await Person.register(site);
  same(code(await stranger.request("DELETE", `/api/v1/me/devices/${seen[0].id}`)), "not_found", "somebody else's");
  same(code(await site.request("GET", "/api/v1/me/devices")), "auth_required", "guests");
  await anna.post("/api/v1/logout");
});

test("a session that had ended is shown again: everybody is signed out (S-017)", async () => {
  const thief = await Person.register(site, "Theo");
  const stolen = thief.cookie;
  const answer = await thief.post("/api/v1/login", { login: "Theo", password, remember: true });
  thief.takeCookie(answer);
  same((await thief.get("/api/v1/me")).json.me.nick, "Theo", "the new one works");
  same((await site.request("GET", "/api/v1/me", { cookie: stolen })).json.me, null, "the old one does not");
});

test("somebody else used the account (S-021)", async () => {
  const boris = await Person.register(site, "Boris-K");
  const thief = await login("Boris-K");
  const form = { password, new_password: "another word altogether", new_password2: "another word altogether", text: "Games at night that I did not play." };
  same(code(await boris.post("/api/v1/me/misuse", { ...form, password: "wrong" })), "bad_credentials", "the password is asked");
  same(code(await boris.post("/api/v1/me/misuse", { ...form, text: 5 })), "bad_request", "malformed");
  same((await boris.post("/api/v1/me/misuse", form)).status, 204, "done");
  same((await thief.get("/api/v1/me")).json.me, null, "the thief is out");
  same((await boris.get("/api/v1/me")).json.me.nick, "Boris-K", "Boris is not");
  const reports = (await site.admin("reports")).text;
  holds(/compromised {2}Boris-K {2}Games at night/.test(reports), reports);
});

test("blocked players: no challenges, no chat (X-016)", async () => {
  const carl = await Person.register(site, "Carl");
  const dora = await Person.register(site, "Dora");
  same((await carl.post("/api/v1/me/blocks", { nick: "DORA" })).status, 204, "by any spelling");
  same((await carl.get("/api/v1/me/blocks")).json.blocks.map((b) => b.nick), ["Dora"], "the list");
  const form = { control: slow, color: "white", rated: false };
  const one = (await carl.post("/api/v1/challenges", form)).json;
  same(code(await dora.post(`/api/v1/challenges/${one.id}/join`)), "not_found", "she joins him");
  const two = (await dora.post("/api/v1/challenges", form)).json;
  same(code(await carl.post(`/api/v1/challenges/${two.id}/join`)), "not_found", "he joins her");
  await site.stop();
  await site.restart();
  same(code(await dora.post(`/api/v1/challenges/${one.id}/join`)), "not_found", "after a restart");
  same((await carl.request("DELETE", "/api/v1/me/blocks/Dora")).status, 204, "taken back");
  const { game } = (await dora.post(`/api/v1/challenges/${one.id}/join`)).json;
  const his = await carl.connect();
  const hers = await dora.connect();
  for (const socket of [his, hers]) await socket.must("sub", { ch: `game:${game}` });
  await carl.post("/api/v1/me/blocks", { nick: "Dora" });
  const own = hers.wait((m) => m.t === "said", "she hears herself");
  await hers.must("say", { ch: `game:${game}`, text: "hello?" });
  await own;
  await his.must("ping", { c: 1 });
  same(his.heard.filter((m) => m.t === "said").length, 0, "he does not");
  for (const [nick, expected] of [["Nobody-here", "not_found"], ["Carl", "bad_request"], ["", "not_found"]])
    same(code(await carl.post("/api/v1/me/blocks", { nick })), expected, `nick "${nick}"`);
  same(code(await carl.request("DELETE", "/api/v1/me/blocks/Theo")), "not_found", "not blocked");
  same(code(await site.request("GET", "/api/v1/me/blocks")), "auth_required", "guests");
  for (const socket of [his, hers]) await socket.close();
});

// The games of who leaves end right after his leaving is durable.
async function over(person, game) {
  let found;
  await eventually("the game is over", async () => {
    found = (await person.get(`/api/v1/games/${game}`)).json;
    return found.state !== "running";
  });
  return found;
}

test("leaving: games end, fourteen days to come back (X-009)", async () => {
  const { white, black, game } = await newGame(site, slow);
  for (const [person, ply, uci] of [[white, 0, "e2e4"], [black, 1, "e7e5"], [white, 2, "g1f3"]]) await person.socket.must("move", { game, ply, uci });
  const open = (await white.post("/api/v1/challenges", { control: blitz, color: "white", rated: false })).json;
  same((await white.post("/api/v1/me/delete", { password })).status, 204, "asked");
  const ended = await over(black, game);
  same([ended.state, ended.result, ended.white.nick], ["ended", "0-1", white.nick], "the opponent does not wait");
  holds(!(await site.request("GET", "/api/v1/challenges")).json.challenges.some((c) => c.id === open.id), "no challenge is left");
  const back = await login(white.nick);
  holds(back.me.erase_after > Date.now() + 13 * 86400000, "until then");
  same((await back.post("/api/v1/me/stay")).json.me.erase_after, null, "stays");
  same(code(await back.post("/api/v1/me/stay")), "not_found", "once");
  for (const person of [white, black]) await person.socket.close();
});

test("roles, names and words by the administrator's command (S-003)", async () => {
  const erik = await Person.register(site, "Erik");
  same((await site.admin("role", "erik", "admin")).code, 0, "role");
  same((await erik.get("/api/v1/me")).json.me.roles, ["admin"], "in Me");
  holds(/admin {2}Erik/.test((await site.admin("roles")).text), "listed");
  for (const [words, text] of [[["role", "erik", "king"], "expected a role"], [["role", "nobody-1", "admin"], "no such player"], [["role", "erik"], "--help"], [["dance"], "unknown"]]) {
    const answer = await site.admin(...words);
    same(answer.code, 1, words.join(" "));
    holds(answer.text.includes(text), answer.text);
  }
  same((await site.admin("unrole", "erik", "admin")).code, 0, "taken");
  const frank = await Person.register(site, "Grobian");
  const { game, white } = await newGame(site, slow);
  same((await site.admin("rename", "Grobian", "Frank-R")).code, 0, "renamed");
  same((await frank.get("/api/v1/me")).json.me.nick, "Frank-R", "is so at once");
  const body = { password, password2: password, language: "en", accept_rules: true };
  same(code(await site.request("POST", "/api/v1/register", { body: { ...body, nick: "GROBIAN" } })), "nick_taken", "the old name stays reserved");
  holds((await site.admin("rename", "Frank-R", "admin")).text.includes("nick_reserved"), "a reserved one");
  same((await site.admin("rename", white.nick, "Frank_R")).code, 1, "one that looks like it");
  same((await site.admin("word", "patzer")).code, 0, "a word");
  same(code(await site.request("POST", "/api/v1/register", { body: { ...body, nick: "P4tzer-1" } })), "nick_obscene", "however spelt");
  same((await site.admin("unword", "patzer")).code, 0, "allowed again");
  same((await site.request("POST", "/api/v1/register", { body: { ...body, nick: "Patzer" } })).status, 201, "again");
  const audit = (await site.admin("audit")).text;
  for (const action of ["role", "unrole", "rename", "word", "unword"]) holds(audit.includes(`  ${action}  `), `${action} in ${audit}`);
  await site.admin("erase", white.nick);
  same((await site.request("GET", `/api/v1/games/${game}`)).json.white.nick, null, "a former player");
});

test("a blocked account: its games end, it may read, take its data and appeal (S-024, S-252)", async () => {
  const { white, black, game } = await newGame(site, slow);
  same((await site.admin("block", white.nick, "")).code, 1, "not without a reason");
  same((await site.admin("block", white.nick, "threats", "30")).code, 0, "blocked");
  same(await within(PATIENCE_MS, "its page", white.socket.closed), 4003, "closed");
  same((await over(black, game)).state, "annulled", "nobody waits");
  const back = await login(white.nick);
  const { blocked } = (await back.get("/api/v1/me")).json.me;
  same(Math.round((blocked.until - blocked.from) / 86400000), 30, "kind, date, term");
  same(code(await back.post("/api/v1/challenges", { control: slow, color: "white", rated: false })), "blocked", "no play");
  same(code(await back.get("/api/v1/me/devices")), "blocked", "nothing else");
  const socket = await back.connect();
  same((await socket.must("hello")).d.me, null, "watches like a guest");
  await socket.close();
  same((await back.get("/api/v1/me/export")).status, 200, "its data");
  same((await back.post("/api/v1/me/appeal", { text: "It was my brother." })).status, 204, "appeal");
  holds((await site.admin("reports")).text.includes("It was my brother."), "is read");
  same(code(await back.post("/api/v1/me/appeal", { text: " " })), "bad_request", "an empty one");
  same((await site.admin("unblock", white.nick, "proved")).code, 0, "lifted");
  same((await back.get("/api/v1/me")).json.me.blocked, null, "free");
  await black.socket.close();
});

test("blocked while the site was stopped: games end at the start", async () => {
  const { white, black, game } = await newGame(site, slow);
  for (const [person, ply, uci] of [[white, 0, "e2e4"], [black, 1, "e7e5"]]) await person.socket.must("move", { game, ply, uci });
  await site.stop();
  same((await site.admin("block", white.nick, "spam")).code, 0, "on the database itself");
  await site.restart();
  const state = async () => (await site.request("GET", `/api/v1/games/${game}`)).json.state;
  await eventually("ended", state, "ended");
});

test("nobody registers through an exit that hides people (S-023)", async () => {
  const proxied = await Site.start({ flags: ["--rate-limits", "off", "--behind-proxy", "on", "--anonymizers", join(dir, "anonymizers")] });
  const body = { nick: "Onion", password, password2: password, language: "en", accept_rules: true };
  const from = (address) => proxied.request("POST", "/api/v1/register", { body, headers: { "X-Forwarded-For": address } });
  for (const address of ["192.0.2.77", "127.0.0.7"]) same(code(await from(address)), "anonymizer", address);
  same((await from("192.0.3.1")).status, 201, "from anywhere else");
  // Logging in so is tolerated once in a while; repeated, it is said, and at last told to the administrators.
  const enter = async (address) => (await proxied.request("POST", "/api/v1/login", { body: { login: "Onion", password, remember: false }, headers: { "X-Forwarded-For": address } })).json.warning;
  const warnings = [];
  for (let i = 0; i < 10; i++) warnings.push(await enter("192.0.2.77"));
  same(warnings, [undefined, undefined, ...Array(8).fill("anonymizer")], "the third is warned");
  same(await enter("192.0.3.1"), undefined, "not from elsewhere");
  same((await proxied.admin("reports")).text.match(/anonymizer {2}Onion/g)?.length, 1, "one report");
  await proxied.end();
});

test("an account that is erased while the site stands: its games end at the start, nobody waits for it (X-009)", async () => {
  const club = await Site.start({ flags: ["--rate-limits", "off"] });
  const { white, black, game } = await newGame(club, slow);
  for (const [person, ply, uci] of [[white, 0, "e2e4"], [black, 1, "e7e5"]]) await person.socket.must("move", { game, ply, uci });
  await club.stop();
  same((await club.admin("erase", white.nick)).code, 0, "erased in the database");
  await club.restart();
  let found;
  await eventually("ended", async () => {
    found = (await black.get(`/api/v1/games/${game}`)).json;
    return found.state === "ended";
  });
  same([found.state, found.result, found.reason, found.white.nick], ["ended", "0-1", "resignation", null], "the opponent has won");
  await club.end();
});

test("the plain log-in page: a form, a token, a question after three errors (S-013)", async () => {
  const plain = await Site.start({ flags: ["--rate-limits", "off", "--captcha", "question", "--questions", join(dir, "questions")] });
  const asked = (await plain.request("POST", "/api/v1/captcha", { body: { way: "question", language: "en" } })).json;
  same(asked.question, "Who guards the net?", "the operator's question");
  const { pass } = (await plain.request("POST", `/api/v1/captcha/${asked.id}`, { body: { text: "cerberus" } })).json;
  await Person.register(plain, "Gerda", { captcha: pass });

  const field = (page, name) => page.text.match(new RegExp(`name="${name}" value="([^"]*)"`))?.[1];
  const formCookie = (page) => page.headers["set-cookie"].find((c) => c.startsWith("jadoube-form=")).split(";")[0];
  const show = (language = "en") => plain.request("GET", `/login/classic?hl=${language}`);
  const send = async (page, values, headers = {}) => {
    const body = new URLSearchParams({ token: field(page, "token"), ...values }).toString();
    return plain.request("POST", "/login/classic?hl=en", { body, cookie: formCookie(page), origin: null, headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers } });
  };
  let page = await show("ro");
  same([page.status, page.headers["content-type"]], [200, "text/html; charset=utf-8"], "a page");
  holds(page.text.includes('<html lang="ro">') && page.text.includes("Conectează-te") && !/<script|<img/.test(page.text), page.text);
  page = await show();
  same((await send(page, { login: "Gerda", password, token: "0".repeat(64) })).status, 403, "a form of somebody else's");
  same((await send(page, { login: "Gerda", password }, { Origin: "https://evil.example" })).status, 403, "from another site");
  for (let i = 0; i < 3; i++) {
    const wrong = await send(page, { login: i === 0 ? "Nobody" : "Gerda", password: "wrong" });
    same(wrong.status, 401, "wrong");
    holds(wrong.text.includes("The nick, the e-mail or the password is wrong."), "never says which");
    page = wrong;
  }
  page = await send(page, { login: "Gerda", password: "wrong" });
  page = await send(page, { login: "Gerda", password });
  same(page.status, 422, "a question first");
  holds(page.text.includes("Who guards the net?"), page.text);
  page = await send(page, { login: "Gerda", password, question: field(page, "question"), answer: "Fafner" });
  holds(page.text.includes("That was not the answer."), page.text);
  page = await send(page, { login: "Gerda", password, question: field(page, "question"), answer: "Cerberus" });
  same(page.status, 200, "inside");
  holds(page.text.includes("You are logged in as Gerda."), page.text);
  const session = page.headers["set-cookie"].find((c) => c.startsWith("jadoube=")).split(";")[0];
  same((await plain.request("GET", "/api/v1/me", { cookie: session })).json.me.nick, "Gerda", "a session");
  const inside = await plain.request("GET", "/login/classic", { cookie: session });
  holds(inside.text.includes("Gerda"), "knows who is there");
  const body = new URLSearchParams({ token: field(inside, "token"), act: "logout" }).toString();
  await plain.request("POST", "/login/classic", { body, cookie: `${session}; ${formCookie(inside)}`, headers: { "Content-Type": "application/x-www-form-urlencoded" } });
  same((await plain.request("GET", "/api/v1/me", { cookie: session })).json.me, null, "logged out");
  await plain.end();
});

await runTests();
