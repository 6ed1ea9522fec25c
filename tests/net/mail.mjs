// SPDX-License-Identifier: GPL-3.0-or-later
// Letters through a real mail server: confirming an address, a forgotten password, taking changes back.
import { Person, Site, eventually, holds, password, runTests, same, test } from "./harness.mjs";
import { Mailbox } from "./mailbox.mjs";

const box = await Mailbox.start();
if (!box) {
  console.log("skipped: python3-aiosmtpd is not installed (./dev test installs it)");
  process.exit(77);
}
const site = await Site.start({ flags: ["--rate-limits", "off", "--smtp", box.url, "--mail-from", "Клуб <club@chess.example>"] });
const api = (path, body) => site.request("POST", `/api/v1/${path}`, { body });
const tokenOf = (letter) => letter.link.split("/").at(-1);
const login = (name, word = password) => api("login", { login: name, password: word, remember: false });
const newWord = { password: "another long word", password2: "another long word" };

test("the site says that it sends mail, and an address is confirmed by its letter (S-004)", async () => {
  same((await site.request("GET", "/api/v1/site")).json.mail, true, "site");
  const anna = await Person.register(site, "Anna", { email: "Anna@Example.org", language: "ru" });
  same([anna.me.confirmed, anna.me.email], [false, "Anna@Example.org"], "not yet");
  const letter = await box.letter("Anna@Example.org");
  same(letter.subject, "Подтвердите адрес электронной почты", "in the language of the account");
  same(letter.headers.from, "Клуб <club@chess.example>", "from");
  same(letter.headers["auto-submitted"], "auto-generated", "no answers, please");
  holds(letter.link.startsWith(`${site.origin}/confirm/`), letter.link);
  holds(letter.body.includes("Здравствуйте, Anna!"), letter.body);
  same((await api("confirm", { token: tokenOf(letter) })).status, 204, "confirmed");
  same((await anna.get("/api/v1/me")).json.me.confirmed, true, "now it is");
  same((await api("confirm", { token: tokenOf(letter) })).json.error.code, "link_bad", "once");
  for (const token of ["", "x", "A".repeat(43)]) same((await api("confirm", { token })).status, 422, `token ${token}`);
});

test("nobody learns who has an address (S-004, S-015)", async () => {
  const body = { nick: "Stranger", password, password2: password, language: "en", accept_rules: true, email: "Anna+other@example.org" };
  const stranger = await api("register", body);
  const plain = await api("register", { ...body, nick: "Somebody", email: "somebody@example.org" });
  const shape = ({ status, json }) => [status, Object.keys(json.me), json.me.confirmed];
  same(shape(stranger), shape(plain), "the answers are alike");
  holds(stranger.json.me.email === "Anna+other@example.org", "it states what was typed");
  const told = await box.letter("Anna@Example.org", (l) => l.subject.startsWith("Кто-то указал"));
  holds(told.body.includes(`${site.origin}/recover`), told.body);
  same(box.letters().filter((l) => l.to === "Anna+other@example.org"), [], "no link goes to the other");
  const asked = [await api("recover", { email: "Anna@example.org" }), await api("recover", { email: "nobody@example.org" })];
  same(asked.map((a) => [a.status, a.text]), [[202, "{}"], [202, "{}"]], "alike");
  same((await api("recover", { email: "no address" })).json.error.code, "email_bad", "not an address");
});

test("a forgotten password: one link, once, every device out (S-015)", async () => {
  const bob = await Person.register(site, "Bob", { email: "bob@example.org" });
  await box.letter("bob@example.org");
  const socket = await bob.connect();
  await socket.must("hello");
  await api("recover", { email: "bob@EXAMPLE.org" });
  const letter = await box.letter("bob@example.org", (l) => l.link?.includes("/recover/"));
  const token = tokenOf(letter);
  same((await api("recover/finish", { token, ...newWord, password2: "other" })).json.error.code, "password_mismatch", "twice");
  same((await api("recover/finish", { token, password: "12345678", password2: "12345678" })).json.error.code, "password_weak", "a rule");
  same((await api("recover/finish", { token, ...newWord })).status, 204, "set");
  same(await socket.closed, 4003, "the open page is told");
  same((await bob.get("/api/v1/me")).json.me, null, "signed out");
  same((await login("Bob")).status, 401, "the old one");
  const again = await login("Bob", newWord.password);
  same([again.status, again.json.me.confirmed], [200, true], "whoever reads the mail has the address");
  same((await api("recover/finish", { token, ...newWord })).json.error.code, "link_bad", "once");
});

test("a changed password can be taken back from the letter (S-025)", async () => {
  const eve = await login("Bob", newWord.password);
  const thief = new Person(site, "Bob");
  thief.takeCookie(eve);
  const changed = await thief.post("/api/v1/me/password", { password: newWord.password, new_password: "the thief's own word", new_password2: "the thief's own word" });
  same(changed.status, 204, "changed");
  const letter = await box.letter("bob@example.org", (l) => l.subject === "Your password was changed");
  same((await api("recover/finish", { token: tokenOf(letter), password: "mine again, really", password2: "mine again, really" })).status, 204, "taken back");
  same((await thief.get("/api/v1/me")).json.me, null, "the thief is out");
  same((await login("Bob", "mine again, really")).status, 200, "Bob is in");
});

test("a changed address: the old one is told and comes back (S-025)", async () => {
  const bob = new Person(site, "Bob");
  bob.takeCookie(await login("Bob", "mine again, really"));
  same((await bob.post("/api/v1/me/email", { email: "thief@example.net", password: "wrong, of course" })).json.error.code, "bad_credentials", "the password is asked");
  const answer = await bob.post("/api/v1/me/email", { email: "thief@example.net", password: "mine again, really" });
  same([answer.json.me.email, answer.json.me.email_pending, answer.json.me.confirmed], ["bob@example.org", "thief@example.net", true], "not before it is confirmed");
  const undo = await box.letter("bob@example.org", (l) => l.link?.includes("/undo/") && l.body.includes("thief@example.net"));
  same((await api("confirm", { token: tokenOf(await box.letter("thief@example.net")) })).status, 204, "the thief confirms");
  same((await bob.get("/api/v1/me")).json.me.email, "thief@example.net", "moved");
  // The thief forgets the password, in vain.
  await api("recover", { email: "thief@example.net" });
  const theirs = await box.letter("thief@example.net", (l) => l.link?.includes("/recover/"));
  same((await api("recover/finish", { token: tokenOf(theirs), password: "thief's third word", password2: "thief's third word" })).status, 204, "the thief sets a password");
  same((await api("recover/finish", { token: tokenOf(undo), ...newWord })).status, 204, "taken back");
  const back = await login("Bob", newWord.password);
  same([back.json.me.email, back.json.me.email_pending, back.json.me.confirmed], ["bob@example.org", null, true], "everything is back");
});

test("the letter again, and its refusals", async () => {
  const carl = await Person.register(site, "Carl");
  same((await carl.post("/api/v1/me/confirm")).json.error.code, "not_found", "no address");
  same((await carl.post("/api/v1/me/email", { email: "carl@example.org", password })).json.me.confirmed, false, "stated");
  await box.letter("carl@example.org");
  for (let i = 0; i < 4; i++) same((await carl.post("/api/v1/me/confirm")).status, 202, "again");
  same((await carl.post("/api/v1/me/confirm")).json.error.code, "rate_limited", "not for ever");
  await eventually("five letters", () => box.letters().filter((l) => l.to === "carl@example.org").length, 5);
  const last = await box.letter("carl@example.org");
  same((await api("confirm", { token: tokenOf(last) })).status, 204, "the newest link works");
  for (const path of ["me/email", "me/confirm"]) same((await api(path, {})).status, 401, `${path}: not logged in`);
  same((await carl.post("/api/v1/me/email", { email: "x", password })).json.error.field, "email", "not an address");
  same((await api("recover", { email: 5 })).json.error.code, "bad_request", "malformed");
});

test("letters wait for a mail server that is away, over a restart", async () => {
  await box.stop();
  const dora = await Person.register(site, "Dora", { email: "dora@example.org" });
  same(dora.me.confirmed, false, "registering does not wait for it");
  await eventually("the letter waits", () => /waits for try 2/.test(site.err));
  holds(!site.err.includes("dora@example.org"), "no address stands in the journal");
  await site.stop();
  await box.launch();
  await site.restart();
  await box.letter("dora@example.org", () => true);
});

test("without a mail server everybody counts as confirmed, and nothing is asked for", async () => {
  const quiet = await Site.start({ flags: ["--rate-limits", "off"] });
  await eventually("the operator is told", () => /no mail server is set/.test(quiet.err));
  holds(/no mail server is set/.test(quiet.err) && /admin --data \S+ role YOUR-NICK admin/.test(quiet.err), quiet.err);
  same((await quiet.request("GET", "/api/v1/site")).json.mail, false, "site");
  const one = await Person.register(quiet, "One", { email: "one@example.org" });
  same(one.me.confirmed, true, "confirmed");
  const other = await one.post("/api/v1/me/email", { email: "two@example.org", password });
  same([other.json.me.email, other.json.me.email_pending], ["two@example.org", null], "changed at once");
  same((await quiet.request("POST", "/api/v1/recover", { body: { email: "one@example.org" } })).json.error.code, "no_mail", "said so");
  await quiet.end();
});

const status = runTests();
process.once("exit", () => box.process.kill("SIGKILL"));
await status;
