// SPDX-License-Identifier: GPL-3.0-or-later
// Friends by mutual consent, following, and the online mark that can be hidden.
import { Person, Site, runProgram, runTests, same, test, tooOften } from "./harness.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const anna = await Person.register(site, "Anna");
const boris = await Person.register(site, "Boris");
const clara = await Person.register(site, "Clara");
const people = async (person) => (await person.get("/api/v1/me/people")).json;
const nicks = async (person, key) => (await people(person))[key].map((p) => p.nick);
const del = (person, path) => person.request("DELETE", path);

test("a friendship holds when both have said so, and ends when one takes it back", async () => {
  same((await anna.put("/api/v1/me/friends/boris")).status, 204, "asked");
  same([await nicks(anna, "asked"), await nicks(anna, "friends")], [["Boris"], []], "Anna's side");
  same([await nicks(boris, "asks"), await nicks(boris, "friends")], [["Anna"], []], "Boris's side");
  same((await anna.put("/api/v1/me/friends/Boris")).status, 204, "asked twice");
  same((await boris.put("/api/v1/me/friends/Anna")).status, 204, "agreed");
  for (const [person, friend] of [[anna, "Boris"], [boris, "Anna"]])
    same([await nicks(person, "friends"), await nicks(person, "asked"), await nicks(person, "asks")], [[friend], [], []], `${person.nick}`);
  same((await del(boris, "/api/v1/me/friends/Anna")).status, 204, "ended");
  for (const person of [anna, boris]) same(await people(person), { friends: [], asked: [], asks: [], follows: [] }, `${person.nick} afterwards`);
});

test("a request can be declined", async () => {
  await anna.put("/api/v1/me/friends/Clara");
  same((await del(clara, "/api/v1/me/friends/Anna")).status, 204, "declined");
  same(await nicks(anna, "asked"), [], "it is gone");
});

test("following asks nobody", async () => {
  same((await anna.put("/api/v1/me/follows/Clara")).status, 204, "followed");
  same([await nicks(anna, "follows"), await nicks(clara, "asks")], [["Clara"], []], "she is not asked");
  same((await del(anna, "/api/v1/me/follows/Clara")).status, 204, "no more");
  same(await nicks(anna, "follows"), [], "gone");
});

test("who is online, unless it is hidden", async () => {
  await anna.put("/api/v1/me/friends/Boris");
  await boris.put("/api/v1/me/friends/Anna");
  const socket = await boris.connect();
  await socket.must("hello");
  same((await people(anna)).friends, [{ nick: "Boris", online: true }], "seen");
  same((await site.request("GET", "/api/v1/players/Boris")).json.online, true, "on his page");
  same((await boris.put("/api/v1/me/prefs", { online_hidden: true })).status, 200, "hidden");
  same((await people(anna)).friends, [{ nick: "Boris", online: false }], "not seen");
  same((await site.request("GET", "/api/v1/players/Boris")).json.online, false, "nor on his page");
  await boris.put("/api/v1/me/prefs", { online_hidden: null });
});

test("wrong questions", async () => {
  for (const kind of ["follows", "friends"]) {
    const at = `/api/v1/me/${kind}/`;
    const code = async (answer) => [(await answer).status, (await answer).json.error.code];
    same(await code(anna.put(`${at}nobody-here`)), [404, "not_found"], "nobody");
    same(await code(anna.put(`${at}Anna`)), [400, "bad_request"], "oneself");
    same(await code(anna.put(`${at}Boris`, { really: true })), [400, "bad_request"], "a field");
    same(await code(site.request("PUT", `${at}Boris`, { body: {} })), [401, "auth_required"], "a guest");
    same(await code(site.request("DELETE", `${at}Boris`)), [401, "auth_required"], "a guest");
    same(await code(anna.post(`${at}Boris`)), [405, "method_not_allowed"], "POST");
    same((await del(anna, `${at}Clara`)).status, 204, "nothing to take back is no fault");
  }
  same((await site.request("GET", "/api/v1/me/people")).status, 401, "a guest has no people");
});

test("a deleted account is nobody's friend", async () => {
  same(await nicks(anna, "friends"), ["Boris"], "before");
  same((await runProgram(["admin", "--data", site.data, "erase", "Boris"])).code, 0, "erased");
  same(await people(anna), { friends: [], asked: [], asks: [], follows: [] }, "after");
});

test("too often", async () => {
  const limited = await Site.start();
  const person = await Person.register(limited);
  const answer = await tooOften(() => person.get("/api/v1/me/people"));
  same([answer.status, answer.json.error.code], [429, "rate_limited"], "429");
  await limited.end();
});

await runTests();
