// SPDX-License-Identifier: GPL-3.0-or-later
// How a person likes the board, kept in the account: preferences, layouts.
import { Person, Site, holds, password, runTests, same, test, tooOften, wideBlocks } from "./harness.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const PREFS = "/api/v1/me/prefs";

function isError(answer, code, status, field) {
  same([answer.status, answer.json?.error?.code, answer.json?.error?.field], [status, code, field], `${code}: ${answer.text}`);
  holds(answer.json.error.message.length > 5, "a sentence");
}

test("S-279: a preference is kept in the account and met on another device", async () => {
  const anna = await Person.register(site);
  same((await anna.get(PREFS)).json, { prefs: {} }, "nothing is set");
  const wanted = { always_queen: true, color_light: "#ffffff", coordinates: false, notation: "words", premove: true, sound: false, volume: 0 };
  same((await anna.put(PREFS, wanted)).json.prefs, wanted, "as sent");
  const login = await site.request("POST", "/api/v1/login", { body: { login: anna.nick, password, remember: false } });
  const other = new Person(site, anna.nick);
  other.takeCookie(login);
  same((await other.get(PREFS)).json.prefs, wanted, "on the other device");
});

test("what is left out stays, null takes one back (S-281)", async () => {
  const anna = await Person.register(site);
  await anna.put(PREFS, { board: "sea", dots: true });
  same((await anna.put(PREFS, { board: null })).json.prefs, { dots: true }, "one taken back");
  same((await anna.put(PREFS, {})).json.prefs, { dots: true }, "nothing changes nothing");
});

test("S-271: a bad colour is bad_colour and nothing changes", async () => {
  const anna = await Person.register(site);
  await anna.put(PREFS, { color_dark: "#102030" });
  for (const bad of ["red", "#FFF", "#12345", "#1234567", "#12345G", "", "rgb(0 0 0)", "#ABCDEF"])
    isError(await anna.put(PREFS, { dots: true, color_dark: bad }), "bad_colour", 422, "color_dark");
  same((await anna.get(PREFS)).json.prefs, { color_dark: "#102030" }, "as before");
});

test("unknown names, words and types are refused by name", async () => {
  const anna = await Person.register(site);
  isError(await anna.put(PREFS, { colour: "#000000" }), "bad_request", 400, undefined);
  isError(await anna.put(PREFS, { pieces: "staunton" }), "bad_request", 400, "pieces");
  isError(await anna.put(PREFS, { sound: "true" }), "bad_request", 400, "sound");
  isError(await anna.put(PREFS, { volume: "40" }), "bad_request", 400, "volume");
  isError(await anna.put(PREFS, { volume: 101 }), "bad_request", 400, "volume");
  isError(await anna.put(PREFS, { volume: -1 }), "bad_request", 400, "volume");
  isError(await anna.put(PREFS, { volume: 1.5 }), "bad_request", 400, "volume");
  isError(await anna.put(PREFS, { layout: "own:" }), "bad_request", 400, "layout");
  isError(await anna.put(PREFS, { layout: `own:${"x".repeat(200)}` }), "bad_request", 400, "layout");
  isError(await anna.put(PREFS, { theme: { dark: true } }), "bad_request", 400, "theme");
  same((await anna.get(PREFS)).json.prefs, {}, "nothing was set");
});

test("malformed, too large, of another kind", async () => {
  const anna = await Person.register(site);
  isError(await anna.request("PUT", PREFS, { body: "{" }), "bad_request", 400, undefined);
  isError(await anna.request("PUT", PREFS, { body: '{"dots":true,"dots":false}' }), "bad_request", 400, undefined);
  isError(await anna.request("PUT", PREFS, { body: "[]" }), "bad_request", 400, undefined);
  isError(await anna.request("PUT", PREFS, { body: `{"layout":"${"x".repeat(70000)}"}` }), "too_large", 413, undefined);
  isError(await anna.request("PUT", PREFS, { body: "{}", headers: { "Content-Type": "text/plain" } }), "not_json", 415, undefined);
});

test("without a session, from a foreign origin", async () => {
  isError(await site.request("GET", PREFS), "auth_required", 401, undefined);
  isError(await site.request("PUT", PREFS, { body: { dots: true } }), "auth_required", 401, undefined);
  const anna = await Person.register(site);
  isError(await anna.request("PUT", PREFS, { body: { dots: true }, origin: "https://elsewhere.example" }), "bad_origin", 403, undefined);
});

const LAYOUTS = "/api/v1/me/layouts";
const narrowBlocks = {
  board: [0, 3, 24, 24], top: [0, 0, 24, 3], bottom: [0, 27, 24, 3], moves: [0, 37, 24, 8], captured: [0, 30, 24, 2],
  actions: [0, 32, 24, 5], chat: [0, 45, 24, 10], info: [0, 55, 24, 6], notes: [0, 61, 24, 8],
};
const at = (name) => `${LAYOUTS}/${encodeURIComponent(name)}`;
const wide = { form: "wide", blocks: wideBlocks };

test("S-276, S-277: layouts with a name, one form for large and one for small windows, the previous kept", async () => {
  const anna = await Person.register(site);
  const [first] = (await anna.put(at(" Мой стол "), wide)).json.layouts;
  same([first.name, first.wide, first.narrow, first.previous], ["Мой стол", wideBlocks, null, { wide: null, narrow: null }], "saved");
  const moved = { ...wideBlocks, captured: [0, 25, 10, 2] };
  await anna.put(at("мой стол"), { form: "narrow", blocks: narrowBlocks });
  const [second] = (await anna.put(at("мой стол"), { form: "wide", blocks: moved })).json.layouts;
  same([second.wide, second.narrow, second.previous], [moved, narrowBlocks, { wide: wideBlocks, narrow: null }], "the last save wins");
  const [third] = (await anna.post(at("мой стол"), { previous: "wide" })).json.layouts;
  same([third.wide, third.previous.wide], [wideBlocks, moved], "back to the previous");
  isError(await anna.post(at("мой стол"), { previous: "narrow" }), "not_found", 404, undefined);
  same((await anna.get(LAYOUTS)).json.layouts, [third], "kept");
  const other = await Person.register(site);
  same((await other.get(LAYOUTS)).json.layouts, [], "nobody else's");
  isError(await other.post(at("мой стол"), { name: "x" }), "not_found", 404, undefined);
  isError(await other.request("DELETE", at("мой стол")), "not_found", 404, undefined);
});

test("S-276: names are unique and of 1 to 30 characters, ten at most, renamed and deleted", async () => {
  const anna = await Person.register(site);
  for (const bad of [" ", "x".repeat(31), "a\u202eb", "a\tb"]) isError(await anna.put(at(bad), wide), "name_bad", 422, "name");
  for (let i = 0; i < 10; i++) same((await anna.put(at(`№ ${i}`), { ...wide, new: true })).status, 200, `layout ${i}`);
  isError(await anna.put(at("one more"), wide), "too_many_layouts", 422, "name");
  isError(await anna.put(at("№ 3"), { ...wide, new: true }), "name_taken", 422, "name");
  isError(await anna.post(at("№ 3"), { name: "№ 4" }), "name_taken", 422, "name");
  await anna.put(PREFS, { layout: "own:№ 3" });
  const names = (await anna.post(at("№ 3"), { name: "ș".repeat(30) })).json.layouts.map((l) => l.name);
  holds(names.includes("ș".repeat(30)) && !names.includes("№ 3"), "renamed");
  same((await anna.get(PREFS)).json.prefs, { layout: `own:${"ș".repeat(30)}` }, "the choice follows");
  same((await anna.request("DELETE", at("ș".repeat(30)))).json.layouts.length, 9, "deleted");
  same((await anna.get(PREFS)).json.prefs, {}, "and goes with it");
});

test("S-275: blocks that overlap or leave the zone, a board that is small or no square", async () => {
  const anna = await Person.register(site);
  const rows = [
    ["board", { board: [0, 2, 21, 20] }],
    ["board", { board: [0, 2, 14, 14] }],
    ["board", { board: [30, 2, 22, 22] }],
    ["notes", { notes: [23, 22, 25, 6] }],
    ["moves", { moves: [21, 0, 12, 14] }],
    ["chat", { chat: [34, 0, 12, 14] }],
    ["info", { info: [23, 18, 1, 1] }],
  ];
  for (const [field, change] of rows) isError(await anna.put(at("x"), { form: "wide", blocks: { ...wideBlocks, ...change } }), "bad_layout", 422, field);
  const { chat, ...without } = wideBlocks;
  for (const [field, blocks] of [["chat", without], ["chat", { ...wideBlocks, chat: [1, 2, 3] }], ["chat", { ...wideBlocks, chat: [1, 2, 3, -4] }], ["chat", { ...wideBlocks, chat: [1, 2, 3, 4e9] }], ["chat", { ...wideBlocks, chat: "36,0" }], ["blocks", { ...wideBlocks, more: chat }]])
    isError(await anna.put(at("x"), { form: "wide", blocks }), "bad_request", 400, field);
  isError(await anna.put(at("x"), { form: "tall", blocks: wideBlocks }), "bad_request", 400, "form");
  isError(await anna.put(at("x"), { form: "narrow", blocks: wideBlocks }), "bad_layout", 422, "top");
  isError(await anna.put(at("x"), { blocks: wideBlocks }), "bad_request", 400, "form");
  isError(await anna.post(at("x"), {}), "bad_request", 400, undefined);
  isError(await anna.post(at("x"), { name: "y", previous: "wide" }), "bad_request", 400, undefined);
  isError(await site.request("GET", LAYOUTS), "auth_required", 401, undefined);
  isError(await site.request("PUT", at("x"), { body: wide }), "auth_required", 401, undefined);
  same((await anna.get(LAYOUTS)).json.layouts, [], "nothing was saved");
});

test("too often", async () => {
  const strict = await Site.start({ flags: [] });
  const anna = await Person.register(strict);
  const answer = await tooOften((i) => anna.put(PREFS, { volume: i % 100 }));
  isError(answer, "rate_limited", 429, undefined);
  await strict.end();
});

await runTests();
