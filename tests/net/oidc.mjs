// SPDX-License-Identifier: GPL-3.0-or-later
// Log-in by providers of OpenID Connect: before npm's oidc-provider, and before one that lies.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person, Site, holds, password, runProgram, runTests, same, sleep, test } from "./harness.mjs";
import { Browser, coded, key, logInAt, lyingProvider, realProvider, unsigned } from "./oidc_peers.mjs";
import { Mailbox } from "./mailbox.mjs";

const folder = mkdtempSync(join(tmpdir(), "jadoube-oidc-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const secretFile = join(folder, "secret");
const SECRET = "a secret with: signs & spaces/%";
writeFileSync(secretFile, `${SECRET}\n`);

const real = await realProvider({
  anna: { email: "anna@chess.example", email_verified: true },
  boris: { email: "boris@chess.example", email_verified: false },
  carl: {},
  dora: { email: "dora+tag@chess.example", email_verified: true },
  emil: { email: "emil@chess.example", email_verified: true },
});
const liar = await lyingProvider();
const mailbox = await Mailbox.start();
if (!mailbox) {
  console.log("skipped: python3-aiosmtpd is not installed (./dev test installs it)");
  process.exit(77);
}
const site = await Site.start({
  flags: [
    "--oidc", `real,${real.issuer},club,${secretFile},Real Provider`, "--oidc", `liar,${liar.issuer},liar-club,`,
    "--rate-limits", "off", "--smtp", mailbox.url, "--mail-from", "club@chess.example",
  ],
});
await real.admit(site.origin, [{ id: "club", secret: SECRET, name: "real" }]);

const path = (answer) => answer.location?.replace(site.origin, "") ?? "";
const begin = (name, query = "") => `${site.origin}/login/oidc/${name}${query}`;
const meOf = async (browser) => (await site.request("GET", "/api/v1/me", { cookie: browser.cookies(site.origin) })).json.me;
// The whole way through a provider; answers the last redirect of the site's own.
const own = new RegExp(`^${site.origin}/(?!login/oidc/)`);
async function throughReal(login, { browser = new Browser(), query = "" } = {}) {
  const answer = await logInAt(browser, await browser.go(begin("real", query)), login, own);
  return { browser, answer };
}
async function throughLiar({ browser = new Browser(), query = "" } = {}) {
  return { browser, answer: await browser.go(begin("liar", query), { until: own }) };
}
async function confirmed(nick, email) {
  const person = await Person.register(site, nick, { email });
  const letter = await mailbox.letter(email, (one) => /\/confirm\//.test(one.link));
  const answer = await site.request("POST", "/api/v1/confirm", { body: { token: letter.link.split("/").at(-1) } });
  same(answer.status, 204, `${email} is confirmed`);
  return person;
}

// ---- the real provider -----------------------------------------------------------------------------

test("S-010 the site names its providers, and asks with PKCE, state and nonce", async () => {
  const { json } = await site.request("GET", "/api/v1/site");
  same(json.oidc, [{ name: "real", label: "Real Provider" }, { name: "liar", label: "liar" }], "providers");
  const answer = await new Browser().step(begin("real"));
  same(answer.status, 302, "to the provider");
  const url = new URL(answer.location);
  same(url.origin, real.issuer, "the provider");
  const query = Object.fromEntries(url.searchParams);
  same([query.response_type, query.client_id, query.code_challenge_method], ["code", "club", "S256"], "what is asked");
  same(query.redirect_uri, `${site.origin}/login/oidc/real/back`, "the way back");
  for (const name of ["state", "nonce", "code_challenge"]) holds(query[name].length === 43, `${name} is 32 bytes of chance`);
  const cookie = answer.headers["set-cookie"][0];
  holds(/^jadoube-oidc=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax/.test(cookie), cookie);
  holds(!answer.text.includes(query.state) && !cookie.includes(query.state), "the cookie is not the state");
});

test("S-011 a confirmed address that the provider has verified enters the account, and is linked", async () => {
  const anna = await confirmed("Anna", "anna@chess.example");
  const { browser, answer } = await throughReal("anna", { query: "?next=/ratings/table&remember=1" });
  same(path(answer), "/ratings/table", "where one wanted to go");
  same((await meOf(browser)).id, anna.me.id, "the account");
  holds(/Max-Age=2592000/.test(answer.headers["set-cookie"].join()), "remembered");
  await mailbox.letter("anna@chess.example", (one) => one.subject === "A new way to log in: Real Provider");
  const list = (await anna.get("/api/v1/oidc")).json.identities;
  same(list.map(({ name, label, email }) => [name, label, email]), [["real", "Real Provider", "anna@chess.example"]], "linked");
  // By the link from now on, whatever the address is.
  await anna.post("/api/v1/me/email", { password, email: "other@chess.example" });
  const again = await throughReal("anna");
  same((await meOf(again.browser)).id, anna.me.id, "by the link");
});

test("S-011 an address the provider has not verified, or the account not confirmed, enters nothing", async () => {
  await confirmed("Boris", "boris@chess.example");
  const first = await throughReal("boris");
  same(path(first.answer), "/login?social=unknown", "unverified at the provider");
  same(await meOf(first.browser), null, "nobody is logged in");
  await Person.register(site, "Emil-waits", { email: "emil@chess.example" });
  same(path((await throughReal("emil")).answer), "/login?social=unknown", "unconfirmed here");
  // The keys of addresses leave a tag out; another mailbox may stand behind it.
  await confirmed("Dora", "dora@chess.example");
  same(path((await throughReal("dora")).answer), "/login?social=unknown", "only nearly the same address");
});

test("S-012 nobody's address: log in by password and link", async () => {
  const boris = new Person(site, "Boris");
  const { browser } = await throughReal("boris");
  const cookie = () => browser.cookies(site.origin);
  const { json } = await site.request("GET", "/api/v1/oidc/pending", { cookie: cookie() });
  same(json.pending, { name: "real", label: "Real Provider", email: "boris@chess.example", verified: false }, "what is known");
  const wrong = await site.request("POST", "/api/v1/login", { cookie: cookie(), body: { login: "Boris", password: "wrong one 1", remember: false, oidc: true } });
  same(wrong.json.error.code, "bad_credentials", "the password is needed");
  const right = await site.request("POST", "/api/v1/login", { cookie: cookie(), body: { login: "Boris", password, remember: false, oidc: true } });
  same(right.status, 200, "logged in");
  boris.takeCookie(right);
  same((await boris.get("/api/v1/oidc")).json.identities.length, 1, "linked");
  const after = await site.request("GET", "/api/v1/oidc/pending", { cookie: cookie() });
  same(after.json.pending, null, "settled, once");
  same((await meOf((await throughReal("boris")).browser)).nick, "Boris", "by the link from now on");
});

test("S-012 nobody's address: a new account; a verified address is confirmed at once, a missing one is asked for", async () => {
  const form = { password, password2: password, language: "en", accept_rules: true, oidc: true };
  liar.reset();
  Object.assign(liar, { subject: "fresh", email: "fresh@chess.example" });
  const { browser } = await throughLiar();
  const cookie = browser.cookies(site.origin);
  const made = await site.request("POST", "/api/v1/register", { cookie, body: { ...form, nick: "Fresh", email: "fresh@chess.example" } });
  same([made.status, made.json.me.confirmed], [201, true], "registered");
  same((await meOf((await throughLiar()).browser)).nick, "Fresh", "by the link");

  const carl = await throughReal("carl");
  const without = await site.request("POST", "/api/v1/register", { cookie: carl.browser.cookies(site.origin), body: { ...form, nick: "Carl" } });
  same([without.status, without.json.error.code, without.json.error.field], [422, "email_bad", "email"], "an address is asked for");
  const stated = await site.request("POST", "/api/v1/register", { cookie: carl.browser.cookies(site.origin), body: { ...form, nick: "Carl", email: "carl@chess.example" } });
  same([stated.status, stated.json.me.confirmed], [201, false], "and waits to be confirmed");
  await mailbox.letter("carl@chess.example", (one) => /\/confirm\//.test(one.link));
  const late = await site.request("POST", "/api/v1/register", { body: { ...form, nick: "Nobody", email: "n@chess.example" } });
  same([late.status, late.json.error.code], [422, "social_failed"], "no log-in under way");
});

test("S-010 the plain page without scripts: a button, the way there and back, S-012 and errors in words", async () => {
  const browser = new Browser();
  const page = await browser.step(`${site.origin}/login/classic?hl=ro`);
  holds(page.text.includes('href="/login/oidc/real?plain=1&amp;hl=ro"') && page.text.includes("Autentificare cu Real Provider"), "the button");
  holds(!page.text.includes("<script"), "no script");
  const { answer } = await throughReal("anna", { browser, query: "?plain=1&hl=ro" });
  same(path(answer), "/login/classic?hl=ro", "back to the plain page");
  holds((await browser.step(answer.location)).text.includes("Anna"), "logged in");

  liar.reset();
  Object.assign(liar, { subject: "plain", email: "plain@chess.example" });
  const other = await confirmed("Plain", "plain-here@chess.example");
  const unknown = await throughLiar({ query: "?plain=1&hl=en" });
  const asked = await unknown.browser.step(unknown.answer.location);
  holds(asked.text.includes("No account here has the confirmed address plain@chess.example"), "S-012 in words");
  holds(asked.text.includes("a second account of one person is blocked"), "the warning");
  const token = /name="token" value="(\w+)"/.exec(asked.text)[1];
  const done = await unknown.browser.step(`${site.origin}/login/classic?hl=en`, { method: "POST", form: { token, oidc: "1", login: "Plain", password } });
  holds(done.text.includes("You are logged in as Plain"), "logged in by the plain form");
  same((await other.get("/api/v1/oidc")).json.identities.map((one) => one.name), ["liar"], "and linked");
  for (const [word, text] of [["down", "does not answer"], ["refused", "called off"], ["clock", "clock"], ["stale", "begin again"], ["failed", "did not work"]]) {
    const shown = await new Browser().step(`${site.origin}/login/classic?hl=en&social=${word}`);
    holds(shown.text.includes(text), word);
  }
});

// ---- linking in the settings -----------------------------------------------------------------------

test("S-010 linking and unlinking ask the password; another's identity stays another's", async () => {
  const gina = await confirmed("Gina", "gina@chess.example");
  same((await site.request("POST", "/api/v1/oidc/liar/link", { body: { password } })).json.error.code, "auth_required", "guests");
  same((await gina.post("/api/v1/oidc/liar/link", {})).status, 400, "no password");
  same((await gina.post("/api/v1/oidc/liar/link", { password: "wrong one 1" })).json.error.code, "bad_credentials", "a wrong one");
  same((await gina.post("/api/v1/oidc/none/link", { password })).status, 404, "no such provider");
  const foreign = await gina.request("POST", "/api/v1/oidc/liar/link", { body: { password }, origin: "https://evil.example" });
  same([foreign.status, foreign.json.error.code], [403, "bad_origin"], "another site cannot begin it");
  same((await gina.get("/api/v1/oidc/liar/link")).status, 405, "nor a picture's address");

  liar.reset();
  liar.subject = "gina-there";
  const started = await gina.post("/api/v1/oidc/liar/link", { password });
  same(started.status, 200, "begun");
  const browser = new Browser();
  browser.take(site.origin, started.headers);
  // Somebody else's browser, or none that is logged in, cannot finish it.
  same(path(await browser.go(started.json.location, { until: own })), "/account/logins?social=stale", "without the session");
  const again = await gina.post("/api/v1/oidc/liar/link", { password });
  browser.take(site.origin, { "set-cookie": [gina.cookie] });
  browser.take(site.origin, again.headers);
  same(path(await browser.go(again.json.location, { until: own })), "/account/logins?social=linked", "linked");
  const linked = (await gina.get("/api/v1/oidc")).json.identities;
  same([linked.length, linked[0].name, linked[0].email, linked[0].used], [1, "liar", null, null], "the list");
  same((await meOf((await throughLiar()).browser)).nick, "Gina", "it opens the account");

  const hugo = await confirmed("Hugo", "hugo@chess.example");
  const theirs = await hugo.post("/api/v1/oidc/liar/link", { password });
  const second = new Browser();
  second.take(site.origin, { "set-cookie": [hugo.cookie] });
  second.take(site.origin, theirs.headers);
  same(path(await second.go(theirs.json.location, { until: own })), "/account/logins?social=identity_taken", "it is Gina's");
  liar.subject = "gina-too";
  const more = await gina.post("/api/v1/oidc/liar/link", { password });
  browser.take(site.origin, more.headers);
  same(path(await browser.go(more.json.location, { until: own })), "/account/logins?social=identity_linked", "one of each provider");

  same((await gina.post("/api/v1/oidc/liar/unlink", { password: "wrong one 1" })).json.error.code, "bad_credentials", "unlinking asks too: the password is the way that stays");
  same((await gina.post("/api/v1/oidc/liar/unlink", { password })).json.identities, [], "unlinked");
  same((await gina.post("/api/v1/oidc/liar/unlink", { password })).status, 404, "once");
  await mailbox.letter("gina@chess.example", (one) => one.subject.includes("no longer opens"));
  liar.subject = "gina-there";
  same(path((await throughLiar()).answer), "/login?social=unknown", "it opens nothing any more");
});

test("the operator lists and unlinks; export and deletion know the links; a misused account loses them", async () => {
  const iris = await confirmed("Iris", "iris@chess.example");
  liar.reset();
  Object.assign(liar, { subject: "iris-there", email: "iris@chess.example" });
  await throughLiar();
  const listed = await site.admin("links", "Iris");
  holds(listed.code === 0 && listed.text.includes(liar.issuer) && listed.text.includes("iris@chess.example"), listed.text);
  const zip = await iris.get("/api/v1/me/export");
  writeFileSync(join(folder, "data.zip"), zip.data);
  same(zip.status, 200, "export");
  const script = "import sys,zipfile; print(zipfile.ZipFile(sys.argv[1]).read('identities.json').decode())";
  const exported = JSON.parse(execFileSync("python3", ["-c", script, join(folder, "data.zip")]));
  same(exported.map((one) => [one.provider, one.issuer, one.subject, one.email]), [["liar", liar.issuer, "iris-there", "iris@chess.example"]], "in the archive");
  same((await site.admin("unlink", "Iris", "liar")).code, 0, "unlinked by the operator");
  same((await site.admin("unlink", "Iris", "liar")).code, 1, "once");
  await throughLiar();
  same((await iris.get("/api/v1/oidc")).json.identities.length, 1, "linked anew");
  const fresh = "another good one 9";
  same((await iris.post("/api/v1/me/misuse", { password, new_password: fresh, new_password2: fresh, text: "" })).status, 204, "misused");
  same((await iris.get("/api/v1/oidc")).json.identities, [], "who had got in has no way left");
  await throughLiar();
  same((await site.admin("erase", "Iris")).code, 0, "erased");
  same(path((await throughLiar()).answer), "/login?social=unknown", "the identity is nobody's");
});

// ---- what is not taken -----------------------------------------------------------------------------

// A provider that says this of a person with an account here.
const lies = {
  "another nonce": () => (liar.claims = { nonce: "x".repeat(43) }),
  "no nonce": () => (liar.claims = { nonce: undefined }),
  "another audience": () => (liar.claims = { aud: "somebody-else" }),
  "several audiences without azp": () => (liar.claims = { aud: ["liar-club", "somebody-else"] }),
  "another party": () => (liar.claims = { azp: "somebody-else" }),
  "another issuer": () => (liar.claims = { iss: "https://other.example" }),
  "no subject": () => (liar.claims = { sub: "" }),
  "alg none": () => (liar.token = unsigned),
  "a shared secret for a key": () => (liar.header = { alg: "HS256" }),
  "a key of another kind": () => (liar.header = { alg: "ES256" }),
  "a broken signature": () => {
    const good = liar.token;
    liar.token = (claims) => good(claims).replace(/\.[^.]+\./, `.${coded({ ...claims, sub: "admin" })}.`);
  },
  "a critical extension": () => (liar.header = { crit: ["x"] }),
  "no token": () => (liar.tokenAnswer = (_, response) => response.writeHead(200, { "Content-Type": "application/json" }).end("{}")),
  "a refused code": () => (liar.tokenAnswer = (_, response) => response.writeHead(400).end('{"error":"invalid_grant"}')),
  "the name of another issuer in the answer": () => (liar.answer = { iss: "https://other.example" }),
};
for (const [name, lie] of Object.entries(lies))
  test(`S-010 not taken: ${name}`, async () => {
    liar.reset();
    liar.subject = "fresh"; // linked to Fresh by now
    lie();
    const { browser, answer } = await throughLiar();
    same(path(answer), "/login?social=failed", name);
    same(await meOf(browser), null, "nobody is logged in");
  });

for (const [name, claims] of Object.entries({
  "expired": () => ({ exp: Math.floor(Date.now() / 1000) - 120, iat: Math.floor(Date.now() / 1000) - 600 }),
  "from the future": () => ({ iat: Math.floor(Date.now() / 1000) + 3600 }),
}))
  test(`S-010 not taken: ${name}; the clock is named`, async () => {
    liar.reset();
    liar.subject = "fresh";
    liar.claims = claims();
    same(path((await throughLiar()).answer), "/login?social=clock", name);
  });

test("S-010 clocks may differ by a minute", async () => {
  liar.reset();
  liar.subject = "fresh";
  const now = Math.floor(Date.now() / 1000);
  liar.claims = { exp: now - 30, iat: now + 30 };
  same((await meOf((await throughLiar()).browser))?.nick, "Fresh", "entered");
});

test("S-010 a new key of the provider is looked for once a token names it; ES256 too", async () => {
  liar.reset();
  liar.subject = "fresh";
  await sleep(3100); // keys were asked for a moment ago
  liar.signer = key("two", "ec");
  const unknown = await throughLiar();
  same(path(unknown.answer), "/login?social=failed", "a key the provider does not show");
  await sleep(3100);
  liar.keys = [liar.signer];
  same((await meOf((await throughLiar()).browser))?.nick, "Fresh", "after the rotation");
  const before = liar.asked.filter((one) => one === "/keys").length;
  await throughLiar();
  same(liar.asked.filter((one) => one === "/keys").length, before, "and kept");
});

test("S-010 an answer is used once, by the browser that asked, at the provider that was asked", async () => {
  liar.reset();
  liar.subject = "fresh";
  const browser = new Browser();
  const first = await browser.step(begin("liar"));
  const back = await browser.step(first.location); // the provider's redirect
  const used = browser.cookies(site.origin);
  const thief = new Browser();
  same(path(await thief.step(back.location)), "/login?social=stale", "another browser");
  same(path(await browser.step(back.location.replace("/liar/", "/real/"))), "/login?social=stale", "another provider's address");
  same(path(await browser.step(back.location.replace(/state=[^&]+/, "state=" + "A".repeat(43)))), "/login?social=stale", "another state");
  same(path(await browser.step(back.location)), "/", "the right one");
  same(path(await browser.step(back.location)), "/login?social=stale", "again");
  const replay = await site.request("GET", new URL(back.location).pathname + new URL(back.location).search, { cookie: used });
  same(replay.headers.location, "/login?social=stale", "again with the cookie of then");
  // A log-in that waits for an account is no answer to one that is asked again.
  liar.subject = "unknown-one";
  const waiting = await throughLiar();
  same(path(await waiting.browser.step(`${site.origin}/login/oidc/liar/back?state=x&code=y`)), "/login?social=stale", "no state to fit");
});

test("S-010 the session of before ends, and none is taken from an address", async () => {
  liar.reset();
  liar.subject = "fresh";
  const { browser } = await throughLiar();
  const old = browser.cookies(site.origin);
  await throughLiar({ browser });
  holds(browser.cookies(site.origin) !== old, "another session");
  same((await site.request("GET", "/api/v1/me", { cookie: old })).json.me, null, "the old one has ended");
});

test("S-010 after the log-in only pages of this site follow", async () => {
  liar.reset();
  liar.subject = "fresh";
  for (const next of ["//evil.example", "https://evil.example/", "/\\evil.example", "\\/evil.example", "/%09/evil.example", "javascript:alert(1)", "/login/oidc/liar", "/api/v1/me", "/%0d%0aSet-Cookie: a=b"]) {
    const { answer } = await throughLiar({ query: `?next=${next.includes("%") ? next.replaceAll(" ", "%20") : encodeURIComponent(next)}` });
    same(path(answer), "/", next);
  }
  const { answer } = await throughLiar({ query: `?next=${encodeURIComponent("/player/Анна?a=1")}` });
  same(path(answer), "/player/%D0%90%D0%BD%D0%BD%D0%B0?a=1", "a page of ours");
});

test("S-010 refused at the provider, and what a provider says of itself", async () => {
  const answers = { access_denied: "refused", temporarily_unavailable: "down", server_error: "down", invalid_scope: "failed" };
  for (const [error, word] of Object.entries(answers)) {
    const browser = new Browser();
    const there = new URL((await browser.step(begin("liar", "?next=/games%3Fa=1%26b=2"))).location);
    const back = `${site.origin}/login/oidc/liar/back?error=${error}&state=${there.searchParams.get("state")}`;
    same(path(await browser.step(back)), `/login?social=${word}&next=/games?a=1%26b=2`, error);
  }
  same(path(await new Browser().step(begin("nobody"))), "/login?social=failed", "no such provider");
  same((await new Browser().step(begin("liar", "?other=1"))).status, 400, "an unknown word");
});

// Each on a site of its own, which knows nothing of the provider yet.
async function fresh(provider = liar) {
  const other = await Site.start({ flags: ["--oidc", `liar,${provider.issuer},liar-club,`, "--rate-limits", "off"] });
  return { other, at: `${other.origin}/login/oidc/liar` };
}
const answersOf = {
  "down": () => (liar.down = true),
  "without a description": () => (liar.discovery = (_, response) => response.writeHead(404).end()),
  "with a description that is no JSON": () => (liar.discovery = (_, response) => response.end("<html>")),
  "with another's description": () => (liar.description = { issuer: "https://other.example" }),
  "with a description of 10 MB": () =>
    (liar.discovery = (_, response) => {
      response.writeHead(200);
      for (let i = 0; i < 160; i++) response.write("a".repeat(65536));
      response.end();
    }),
  "that sends elsewhere": () => (liar.discovery = (_, response) => response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end()),
  "with an address of another kind": () => (liar.description = { token_endpoint: "file:///etc/passwd" }),
  "with an address on another machine without TLS": () => (liar.description = { token_endpoint: "http://example.com/token" }),
  "without keys": () => (liar.keysAnswer = (_, response) => response.end("[]")),
};
for (const [name, set] of Object.entries(answersOf))
  test(`S-010 a provider ${name} is said not to answer, and the site lives on`, async () => {
    liar.reset();
    set();
    const { other, at } = await fresh();
    same((await new Browser().step(at)).headers.location, "/login?social=down", name);
    same((await other.request("GET", "/api/v1/me")).status, 200, "the site answers");
    const asked = liar.asked.length;
    same((await new Browser().step(at)).headers.location, "/login?social=down", "again");
    same(liar.asked.length, asked, "and is not asked at once again");
    holds(/oidc liar: /.test(other.err), "the journal says why");
    await other.end();
  });

test("S-010 a slow provider holds nobody up, and is given up after some seconds", async () => {
  liar.reset();
  liar.discovery = () => {}; // never answers
  const { other, at } = await fresh();
  let given = 0;
  const waiting = [1, 2, 3].map(() => new Browser().step(at).finally(() => given++));
  await sleep(200);
  const registered = await Person.register(other, "Not-held-up");
  same((await registered.get("/api/v1/me")).status, 200, "others go on");
  same(given, 0, "while they wait");
  for (const answer of await Promise.all(waiting)) same(answer.headers.location, "/login?social=down", "given up");
  // It stops at once while a provider is being asked.
  await sleep(5100);
  const hanging = new Browser().step(at).catch(() => {});
  await sleep(300);
  const stopping = Date.now();
  await other.end();
  holds(Date.now() - stopping < 7000, `stopped after ${Date.now() - stopping} ms`);
  await hanging;
});

test("S-010 no secret is shown: not in the journal, not on the command line, not in any answer", async () => {
  holds(!site.err.includes(SECRET) && !site.out.includes(SECRET), "the journal");
  holds(!/eyJ|code=|state=/.test(site.err), "nor what logs somebody in");
  const exchange = liar.exchanges.at(-1)?.form ?? {};
  holds(!("client_secret" in exchange), "a public client has none");
});

test("S-010 what the operator may write", async () => {
  const bad = {
    "name,http://example.com,club,": "https",
    "name,https://a.example,,": "expected NAME",
    "Name,https://a.example,club,": "a name has",
    "name,ftp://a.example,club,": "https",
    "name,https://a.example/?x=1,club,": "https",
    "name,https://u:p@a.example,club,": "https",
    "a,https://a.example,club,;b,https://a.example,club,": "the issuer of a",
  };
  for (const [value, word] of Object.entries(bad)) {
    const { code, err } = await runProgram(["serve", "--data", join(folder, "never"), "--port", "0", "--oidc", value]);
    holds(code === 2 && err.includes(word), `${value}: ${code} ${err}`);
  }
  const gone = await runProgram(["serve", "--data", join(folder, "never"), "--port", "0", "--oidc", `name,https://a.example,club,${folder}/none`]);
  holds(gone.code === 1 && gone.err.includes("expected one line with the client's secret"), gone.err);
});

test("S-010 without a provider nothing is shown", async () => {
  const other = await Site.start();
  same((await other.request("GET", "/api/v1/site")).json.oidc, [], "none");
  same((await other.request("GET", "/api/v1/oidc/pending")).json.pending, null, "nobody");
  holds(!(await new Browser().step(`${other.origin}/login/classic`)).text.includes("/login/oidc/"), "no button");
  same((await new Browser().step(`${other.origin}/login/oidc/real`)).headers.location, "/login?social=failed", "no way there");
  same((await new Browser().step(`${other.origin}/login/oidc/real/back?state=a&code=b`)).headers.location, "/login?social=stale", "nor back");
  await other.end();
});

await runTests();
