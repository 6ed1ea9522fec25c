// SPDX-License-Identifier: GPL-3.0-or-later
// letters about a game by days over simulated days, each once, into a real mailbox.
import { Clock, day, hour, minute } from "./clock.mjs";
import { Person, Site, holds, runTests, same, sleep, test } from "./harness.mjs";
import { Mailbox } from "./mailbox.mjs";

const box = await Mailbox.start();
if (!box) {
  console.log("skipped: python3-aiosmtpd is not installed (./dev test installs it)");
  process.exit(77);
}
const clock = new Clock();
const flags = ["--rate-limits", "off", "--smtp", box.url, "--mail-from", "club@chess.example"];
const site = await Site.start({ env: clock.env, flags });

async function confirmed(nick, language = "en") {
  const address = `${nick.toLowerCase()}@example.org`;
  const person = await Person.register(site, nick, { email: address, language });
  const letter = await box.letter(address);
  same((await site.request("POST", "/api/v1/confirm", { body: { token: letter.link.split("/").at(-1) } })).status, 204);
  person.address = address;
  return person;
}

async function game(white, black, days = 3) {
  const challenge = await white.post("/api/v1/challenges", { control: { kind: "days", days }, color: "white", rated: false });
  return (await black.post(`/api/v1/challenges/${challenge.json.id}/join`)).json.game;
}

const move = (person, id, ply, uci) => person.post(`/api/v1/games/${id}/move`, { ply, uci });
const about = (subject) => (letter) => letter.subject.startsWith(subject);
// One that comes with time.
const comes = (person, subject) => clock.until(box.letter(person.address, about(subject)));
const count = (person, subject) => box.letters().filter((l) => l.to === person.address && l.subject.startsWith(subject)).length;

// Long enough for a notice that should not come.
async function pass(ms) {
  clock.pass(ms);
  await sleep(1500);
  // Letters are looked for once a minute, perhaps just before the game fell asleep: the next look finds it.
  clock.pass(1.5 * minute);
  await sleep(1000);
}

const anna = await confirmed("Anna");
const boris = await confirmed("Boris", "ru");

test("your move, a day left, six hours left: each once, across a kill (X-007)", async () => {
  const id = await game(anna, boris);
  same((await move(anna, id, 0, "e2e4")).status, 200);
  await pass(11 * minute);
  const letter = await comes(boris, "Ваш ход: партия с Anna");
  holds(letter.link.endsWith(`/game/${id}`), letter.link);
  holds(letter.headers["list-unsubscribe-post"] === "List-Unsubscribe=One-Click", "one click (RFC 8058)");
  await pass(2 * day + hour);
  await comes(boris, "Осталось меньше суток");
  await site.kill();
  await site.restart();
  await pass(minute * 2);
  same(count(boris, "Ваш ход"), 1, "told once");
  same(count(boris, "Осталось меньше суток"), 1, "told once");
  await pass(18 * hour);
  await comes(boris, "Осталось меньше шести часов");
  await pass(minute * 2);
  same(count(boris, "Осталось меньше шести часов"), 1, "told once");
  same((await move(boris, id, 1, "e7e5")).status, 200);
  await pass(11 * minute);
  await comes(anna, "Your move against Boris");
});

test("once a day at an hour of one's choice, and one click ends it (X-007)", async () => {
  const clara = await confirmed("Clara");
  const chosen = (Math.floor(clock.now / hour) + 2) * hour;
  const later = new Date(chosen).getUTCHours();
  same((await clara.put("/api/v1/me/notices", { moves: true, day: false, hours: false, digest_hour: later })).status, 200);
  await game(clara, anna, 14);
  await game(clara, boris, 14);
  await pass(11 * minute);
  same(count(clara, "Your move"), 0, "not one by one");
  await pass(chosen + 5 * minute - clock.now);
  const letter = await comes(clara, "Games that wait for your move: 2");
  const off = letter.headers["list-unsubscribe"].replace(/[<>]/g, "");
  const path = new URL(off).pathname;
  const answer = await site.request("POST", path, {
    body: "List-Unsubscribe=One-Click",
    origin: null,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  same(answer.status, 204, "by a mail program");
  same((await clara.get("/api/v1/me/notices")).json, { moves: false, day: false, hours: false, invitations: false, digest_hour: null });
  same((await site.request("POST", `${path}x`, { body: {} })).json.error.code, "link_bad");
  await pass(day);
  same(count(clara, "Games that wait"), 1, "no more");
});

const status = runTests();
process.once("exit", () => box.process.kill("SIGKILL"));
await status;
