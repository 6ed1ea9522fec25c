// SPDX-License-Identifier: GPL-3.0-or-later
// How a person likes the board, kept in the account: preferences.
import { Person, Site, holds, password, runTests, same, test } from "./harness.mjs";

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

test("too often", async () => {
  const strict = await Site.start({ flags: [] });
  const anna = await Person.register(strict);
  let answer = { status: 200 };
  for (let i = 0; i < 400 && answer.status === 200; i++) answer = await anna.put(PREFS, { volume: i % 100 });
  isError(answer, "rate_limited", 429, undefined);
  await strict.end();
});

await runTests();
