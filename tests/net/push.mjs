// SPDX-License-Identifier: GPL-3.0-or-later
// notices by web push, sent to a push service and read by a browser's keys; what becomes of them
// when the service is busy, silent, or knows the browser no more.
import { Clock, day, hour, minute } from "./clock.mjs";
import { PATIENCE_MS, Person, Site, eventually, holds, runTests, same, sleep, test } from "./harness.mjs";

const { PushService } = await import("./push_service.mjs").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.log("skipped: run `npm ci` in tests/ first (./dev test does)");
  process.exit(77);
});
const clock = new Clock();
const service = await PushService.start();
const site = await Site.start({ env: clock.env, flags: ["--rate-limits", "off", "--push-local", "on"] });

const on = (person, browser) => person.post("/api/v1/me/push", browser.form);
// A socket that follows its own channel, and the messages of a type one after the other.
async function follow(person) {
  const socket = await person.connect();
  const at = {};
  socket.following = async (t) => {
    const message = await socket.wait((m) => m.t === t, t, PATIENCE_MS, at[t] ?? 0);
    at[t] = socket.heard.indexOf(message) + 1;
    return message.d;
  };
  await socket.must("sub", { ch: "me" });
  return socket;
}

const move = (person, id, ply, uci) => person.post(`/api/v1/games/${id}/move`, { ply, uci });
async function game(white, black, days = 3) {
  const challenge = await white.post("/api/v1/challenges", { control: { kind: "days", days }, color: "white", rated: false });
  return (await black.post(`/api/v1/challenges/${challenge.json.id}/join`)).json.game;
}
async function pass(ms) {
  clock.pass(ms);
  await sleep(1200);
  clock.pass(1.5 * minute);
  await sleep(800);
}

// One that comes with time.
const comes = (browser, count) => clock.until(service.heard(browser, count));

const anna = await Person.register(site, "Anna");
const boris = await Person.register(site, "Boris", { language: "ru" });

test("a browser is told, in its reader's language, what letters tell; encrypted and signed (X-007)", async () => {
  const browser = service.subscribe();
  const answer = await on(boris, browser);
  same(answer.status, 200);
  same(answer.json.devices.map((d) => d.own), [true]);
  const welcome = await service.heard(browser, 1);
  same(welcome.header, { typ: "JWT", alg: "ES256" });
  same(welcome.key, answer.json.key, "the key it subscribed with");
  same(welcome.claims.aud, service.origin);
  same(welcome.claims.sub, site.origin);
  const lives = welcome.claims.exp - clock.now / 1000;
  holds(lives > 0 && lives <= 86400, `the proof lasts ${lives} s`);
  same([welcome.message.title, welcome.message.url, welcome.message.lang], ["Уведомления включены", "/account/notices", "ru"]);
  const id = await game(anna, boris);
  same((await move(anna, id, 0, "e2e4")).status, 200);
  await pass(11 * minute);
  const told = await comes(browser, 2);
  same(told.message, {
    title: "Ваш ход: партия с Anna", body: "Партия ждёт вас.", url: `/game/${id}`, tag: `/game/${id}`, off: "Отключить", lang: "ru",
  });
  same(told.urgency, "normal");
  holds(told.ttl > 86000 && told.ttl <= 86400, `TTL ${told.ttl}`);
  await pass(2 * day + hour);
  same((await comes(browser, 3)).message.title, "Осталось меньше суток");
  await pass(18 * hour);
  const last = await comes(browser, 4);
  same([last.message.title, last.urgency], ["Осталось меньше шести часов", "high"]);
  same((await move(boris, id, 1, "e7e5")).status, 200);
  await pass(hour);
  same(browser.heard.length, 4, "each once");
});

test("the key outlives a restart; once a day means once a day for pushes too; off is off (X-007)", async () => {
  const clara = await Person.register(site, "Clara");
  const browser = service.subscribe();
  const { key } = (await on(clara, browser)).json;
  await service.heard(browser, 1);
  await site.kill();
  await site.restart();
  same((await clara.get("/api/v1/me/push")).json.key, key);
  const digest = (Math.floor(clock.now / hour) + 2) * hour;
  const later = new Date(digest).getUTCHours();
  const wish = { moves: true, day: false, hours: false, invitations: true, digest_hour: later };
  same((await clara.put("/api/v1/me/notices", wish)).json, wish);
  await game(clara, anna, 14);
  await game(clara, boris, 14);
  await pass(11 * minute);
  same(browser.heard.length, 1, "not one by one");
  await pass(digest - clock.now + minute);
  same((await comes(browser, 2)).message.title, "Games that wait for your move: 2");
  same((await site.request("POST", "/api/v1/push/off", { body: { endpoint: browser.form.endpoint } })).status, 204, "by the notice's button");
  same((await clara.get("/api/v1/me/push")).json.devices, []);
  await pass(day);
  same(browser.heard.length, 2, "no more");
});

test("each of many browsers is welcomed, however fast they come (X-007)", async () => {
  const gina = await Person.register(site, "Gina");
  const browsers = Array.from({ length: 8 }, () => service.subscribe());
  for (const answer of await Promise.all(browsers.map((browser) => on(gina, browser)))) same(answer.status, 200);
  for (const browser of browsers) same((await service.heard(browser, 1)).message.url, "/account/notices");
});

test("an invitation to somebody absent is pushed at once, to somebody present it is not (X-007)", async () => {
  const dora = await Person.register(site, "Dora", { language: "ro" });
  const browser = service.subscribe();
  await on(dora, browser);
  await service.heard(browser, 1);
  const invite = (extra = {}) =>
    anna.post("/api/v1/challenges", { control: { kind: "clock", base_ms: 300000, increment_ms: 0, delay_ms: 0 }, color: "white", rated: false, to: "Dora", ...extra });
  same((await invite()).status, 201);
  const told = await service.heard(browser, 2);
  same([told.message.title, told.message.url, told.urgency], ["Anna te provoacă la o partidă", "/play", "high"]);
  const socket = await follow(dora);
  same((await invite({ color: "black" })).status, 201);
  const notice = await socket.following("notice");
  same([notice.kind, notice.nick], ["challenge", "Anna"]);
  await sleep(1500);
  same(browser.heard.length, 2, "she is here");
  socket.close();
  same((await dora.put("/api/v1/me/notices", { moves: true, day: true, hours: true, invitations: false })).status, 200);
  await sleep(300);
  same((await invite({ color: "random" })).status, 201);
  await sleep(1500);
  same(browser.heard.length, 2, "not wished");
  same((await dora.get("/api/v1/me/bell")).json.notices.map((n) => n.kind), ["challenge", "challenge", "challenge"]);
});

// What the senders do comes soon, and not at once.
async function soon(read, expected, what) {
  await eventually(what, read, expected);
}

test("404 and 410 end a subscription, 429 waits as it says, a silent service holds up nobody (X-007)", async () => {
  const gone = service.subscribe([201, 410]);
  const unknown = service.subscribe([404]);
  const busy = service.subscribe([{ status: 429, headers: { "Retry-After": "1800" } }, 503, 201]);
  const silent = service.subscribe(["hang", 201]);
  const wrong = service.subscribe([400, 201]);
  const eve = await Person.register(site, "Eve");
  await on(eve, silent);
  await on(eve, gone);
  await on(eve, unknown);
  await on(eve, busy);
  await on(eve, wrong);
  await service.heard(gone, 1);
  same(silent.heard.length, 0, "the silent one is still waited for");
  await soon(async () => (await eve.get("/api/v1/me/push")).json.devices.length, 4, "404");
  await soon(() => busy.tried, 1, "answered 429");
  await pass(10 * minute);
  same(busy.tried, 1, "not before it asked for");
  same((await anna.post("/api/v1/challenges", { control: { kind: "days", days: 1 }, color: "white", rated: false, to: "Eve" })).status, 201);
  await soon(() => gone.tried, 2, "another notice");
  await soon(async () => (await eve.get("/api/v1/me/push")).json.devices.length, 3, "410");
  same((await service.heard(wrong, 1)).message.title, "Anna invites you to a game", "what was refused is given up, the next one goes out");
  await soon(() => busy.tried, 2, "another notice, answered 503");
  clock.pass(2 * minute);
  same((await comes(busy, 1)).message.title, "Anna invites you to a game");
  same((await comes(silent, 1)).message.title !== "", true);
});

test("who logs out is told nothing there any more; nobody else reads what waited for him (X-007)", async () => {
  const fay = await Person.register(site, "Fay");
  const browser = service.subscribe([503]);
  await on(fay, browser);
  await soon(() => browser.tried, 1, "answered 503");
  const guest = await Person.register(site, "Gus");
  same((await on(guest, browser)).status, 200, "the same browser, another account");
  const heard = await service.heard(browser, 1);
  same(heard.message.title, "Notices are on");
  same((await fay.get("/api/v1/me/push")).json.devices, []);
  clock.pass(5 * minute);
  await sleep(1500);
  same(browser.heard.length, 1, "what waited for the first is gone");
  same((await guest.post("/api/v1/logout")).status, 204);
  same((await anna.post("/api/v1/challenges", { control: { kind: "days", days: 2 }, color: "white", rated: false, to: "Gus" })).status, 201);
  await sleep(1500);
  same(browser.heard.length, 1);
});

test("push: not logged in, another's, absent, malformed, too many, an address of this network (X-007)", async () => {
  const browser = service.subscribe();
  const refused = async (form, field) => {
    const answer = await anna.post("/api/v1/me/push", form);
    same([answer.json.error.code, answer.json.error.field], ["bad_request", field]);
  };
  for (const [method, path, body] of [["GET", "/api/v1/me/push"], ["POST", "/api/v1/me/push", browser.form], ["DELETE", "/api/v1/me/push/1"], ["GET", "/api/v1/me/bell"], ["POST", "/api/v1/me/bell", { seen: 1 }]])
    same((await site.request(method, path, { body })).json.error.code, "auth_required", `${method} ${path}`);
  await refused({ ...browser.form, p256dh: browser.form.auth }, "p256dh");
  await refused({ ...browser.form, p256dh: Buffer.alloc(65, 4).toString("base64url") }, "p256dh");
  await refused({ ...browser.form, auth: "AAAA" }, "auth");
  await refused({ ...browser.form, endpoint: "ftp://x/y" }, "endpoint");
  await refused({ ...browser.form, endpoint: `https://${"x".repeat(1001)}.example/` }, "endpoint");
  same((await anna.post("/api/v1/me/push", { endpoint: browser.form.endpoint })).json.error.code, "bad_request");
  const mine = (await on(anna, browser)).json.devices[0].id;
  same((await boris.request("DELETE", `/api/v1/me/push/${mine}`)).json.error.code, "not_found");
  same((await anna.request("DELETE", "/api/v1/me/push/x")).json.error.code, "not_found");
  same((await anna.request("DELETE", `/api/v1/me/push/${mine}`)).status, 204);
  same((await anna.request("DELETE", `/api/v1/me/push/${mine}`)).json.error.code, "not_found");
  for (let i = 0; i < 12; i++) same((await on(anna, service.subscribe())).status, 200);
  same((await anna.get("/api/v1/me/push")).json.devices.length, 10);
  const strict = await Site.start();
  const hugo = await Person.register(strict, "Hugo");
  for (const endpoint of [browser.form.endpoint, "https://localhost/x", "https://169.254.169.254/latest", "https://push.example:99/x"])
    same((await hugo.post("/api/v1/me/push", { ...browser.form, endpoint })).json.error.field, "endpoint", endpoint);
});

test("the bell: invitations, rematches and friends, at once on every page, and seen once for all devices", async () => {
  const ida = await Person.register(site, "Ida");
  const jon = await Person.register(site, "Jon");
  const socket = await follow(ida);
  same((await socket.following("count")).waiting, 0);
  same((await jon.put("/api/v1/me/friends/Ida")).status, 204);
  const asks = await socket.following("notice");
  same([asks.kind, asks.nick, asks.ref], ["friend_asks", "Jon", null]);
  same((await jon.request("DELETE", "/api/v1/me/friends/Ida")).status, 204);
  same((await jon.put("/api/v1/me/friends/Ida")).status, 204);
  same((await ida.get("/api/v1/me/bell")).json.notices.length, 1, "asked again in vain");
  same((await ida.put("/api/v1/me/friends/Jon")).status, 204);
  same((await jon.get("/api/v1/me/bell")).json.notices.map((n) => [n.kind, n.nick]), [["friend", "Ida"]]);
  const id = await game(ida, jon);
  same((await socket.following("count")).waiting, 1, "it is her move");
  await move(ida, id, 0, "e2e4");
  same((await socket.following("count")).waiting, 0);
  await move(jon, id, 1, "e7e5");
  same((await socket.following("count")).waiting, 1);
  same((await ida.post(`/api/v1/games/${id}/resign`)).status, 200);
  same((await socket.following("count")).waiting, 0, "ended");
  same((await jon.post("/api/v1/challenges", { rematch: id })).status, 201);
  const rematch = await socket.following("notice");
  same([rematch.kind, rematch.ref], ["rematch", id]);
  const bell = (await ida.get("/api/v1/me/bell")).json;
  same(bell.notices.map((n) => n.kind), ["rematch", "friend_asks"]);
  same(bell.seen, 0);
  same((await ida.post("/api/v1/me/bell", { seen: bell.notices[0].at })).status, 204);
  same((await ida.post("/api/v1/me/bell", { seen: 5 })).status, 204, "never back");
  same((await ida.get("/api/v1/me/bell")).json.seen, bell.notices[0].at);
  same((await ida.post("/api/v1/me/bell", { seen: -1 })).json.error.code, "bad_request");
  await ida.post("/api/v1/me/blocks", { nick: "Jon" });
  const kim = await Person.register(site, "Kim");
  await kim.post("/api/v1/me/blocks", { nick: "Jon" });
  same((await jon.put("/api/v1/me/friends/Kim")).status, 204);
  same((await kim.get("/api/v1/me/bell")).json.notices, [], "not by one whom she has blocked");
});

await runTests().finally(() => service.stop());
