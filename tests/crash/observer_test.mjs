// SPDX-License-Identifier: GPL-3.0-or-later
// The observer of the crash rounds can fail: what was told and is not kept, kept twice, in another order, forbidden
// by the Laws, or charged for an outage, is found, each by its own words.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteFile, copyOf } from "./database.mjs";
import { Machine, disks } from "./faults.mjs";
import { Load } from "./load.mjs";
import { Observer } from "./observer.mjs";
import { randomOf } from "./random.mjs";
import { Person, Site, holds, runTests, same, sleep, test } from "../net/harness.mjs";

const folder = mkdtempSync(join(tmpdir(), "jadoube-observer-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

// A short load without any fault, and everything that was told.
const machine = new Machine(process.env.JADOUBE_BAD_MACHINE);
const site = await Site.start({ flags: ["--rate-limits", "off"], env: machine.env });
const people = [];
for (let i = 0; i < 4; i++) people.push(await Person.register(site, `Player-${200 + i}`));
const observer = new Observer();
for (const { nick } of people) observer.note({ kind: "account", nick });
const load = new Load(site, observer, randomOf(7), people, 6, 1);
await load.connect();
const line = load.tables[0].lines[0];
load.go();
for (let i = 0; i < 300 && observer.plies.size < 150; i++) await sleep(100);
await load.tables[0].sit(load.tables[0].game ?? [...observer.known][0]); // it stands on every board
await load.rest(15000);
const speaking = load.tables[0].game ?? [...observer.known][0];
await line.ask("say", { ch: `game:${speaking}`, text: "a line to be lost" });
await load.settings[0].put("/api/v1/me/prefs", { volume: 17 });
observer.prefSent(load.settings[0].nick, 17);
observer.prefAcked(load.settings[0].nick, 17);
await sleep(200);
const told = observer.fresh;

// What the observer finds in a copy to which something was done.
let number = 0;
async function found(...sql) {
  const place = join(folder, String(++number));
  cpSync(original, place, { recursive: true });
  const file = new SqliteFile(join(place, "jadoube.db"));
  if (sql.length > 0) await file.sql(...sql);
  observer.reset();
  observer.again = false;
  observer.faults = [];
  observer.fresh = [...told];
  observer.judge(await file.read());
  return [...observer.faults, await file.faults(true)].filter(Boolean);
}
copyOf(site.data, join(folder, "original"));
const original = join(folder, "original");

async function finds(pattern, ...sql) {
  const faults = await found(...sql);
  holds(faults.some((fault) => pattern.test(fault)), `${sql.join("; ")} is found as ${pattern}: ${faults.slice(0, 3).join("; ") || "nothing was found"}`);
}

const lastMove = "(SELECT max(arrival) FROM game_event WHERE kind = 2)";

test("what was not tampered with is sound", async () => {
  same(await found(), [], "faults");
  holds(told.filter((fact) => fact.kind === "ply").length > 100, "many moves were told");
});

test("a move that was told and is lost", () => finds(/was told and is not in the log/, `DELETE FROM game_event WHERE arrival = ${lastMove}`));
test("a move in the middle that is lost", () =>
  finds(/follows entry/, "DELETE FROM game_event WHERE arrival = (SELECT a.arrival FROM game_event a JOIN game_event b ON b.game = a.game AND b.seq = a.seq + 1 WHERE a.kind = 2 LIMIT 1)"));
test("a move that is there twice", () =>
  finds(/follows entry/, "INSERT INTO game_event SELECT (SELECT max(arrival) FROM game_event) + 1, game, seq, time_ms, actor, kind, body FROM game_event WHERE kind = 2 LIMIT 1"));
test("two moves in the wrong order", () =>
  finds(/follows entry/, "CREATE TEMP TABLE two AS SELECT a.arrival AS first, b.arrival AS second FROM game_event a JOIN game_event b ON b.game = a.game AND b.seq = a.seq + 1"
    + " WHERE a.kind = 2 AND b.kind = 2 LIMIT 1",
    "UPDATE game_event SET arrival = -1 WHERE arrival = (SELECT first FROM two)",
    "UPDATE game_event SET arrival = (SELECT first FROM two) WHERE arrival = (SELECT second FROM two)",
    "UPDATE game_event SET arrival = (SELECT second FROM two) WHERE arrival = -1"));
test("another move than was told", () => finds(/forbidden by the Laws|was told as/, `UPDATE game_event SET body = x'01000c070000' WHERE arrival = ${lastMove}`));
test("a move at another time, which is another clock", () => finds(/was told at/, `UPDATE game_event SET time_ms = time_ms + 5 WHERE arrival = ${lastMove}`));
test("a game that is lost", () => finds(/the game was told|created twice|follows entry/, `DELETE FROM game_event WHERE game = '${speaking}'`));
test("a row of the projection that is lost", () => finds(/no row in the table/, `DELETE FROM game WHERE id = '${speaking}'`));
test("a line of chat that is lost", () => finds(/was told as "a line to be lost"/, "DELETE FROM game_chat WHERE text = 'a line to be lost'"));
test("a line of chat that is there twice", () =>
  finds(/there twice/, "INSERT INTO game_chat SELECT game, seq + 1000, room, account, time_ms, text FROM game_chat WHERE text = 'a line to be lost'"));
test("an account that is lost", () => finds(/the account .* is not there/, "PRAGMA foreign_keys = OFF", `DELETE FROM account WHERE nick = '${people[3].nick}'`));
test("a setting that went back", () => finds(/setting is/, "UPDATE prefs SET value = '18' WHERE name = 'volume'"));
test("a reference into nothing", () => finds(/account\|/, "PRAGMA foreign_keys = OFF", "UPDATE session SET account = 999999"));

test("an outage that somebody paid for, and one that gave time", async () => {
  const [from, to] = [Date.now() - 86400000, Date.now() + 86400000];
  const pay = new Observer();
  for (const [id, control] of observer.controls) pay.controls.set(id, control);
  pay.outage(from, to); // it was away all the while, and no interruption is in the log
  const events = (await new SqliteFile(join(original, "jadoube.db")).read()).events;
  const late = events.map((event) => ({ ...event, time: event.time + (event.seq > 6 ? 5000 : 0) }));
  for (const event of late) pay.take(event);
  holds(pay.faults.some((fault) => /paid for an outage/.test(fault)), `somebody paid: ${pay.faults[0]}`);
  const body = Buffer.alloc(9);
  body[0] = 1;
  const given = (span, log) => {
    const give = new Observer();
    give.said(log);
    body.writeBigInt64LE(BigInt(span), 1);
    const shifts = new Map();
    for (const event of late) {
      const shift = shifts.get(event.game) ?? 0;
      give.take({ ...event, arrival: event.arrival * 2, seq: event.seq + shift });
      if (event.kind !== 2 || event.seq !== 6) continue;
      give.take({ ...event, arrival: event.arrival * 2 + 1, seq: event.seq + 1, kind: 11, actor: 3, body });
      shifts.set(event.game, 1);
    }
    return give.faults.some((fault) => /was given time/.test(fault));
  };
  holds(given(4000, ""), "somebody was given time");
  holds(given(3000, "a commit took 2000 ms"), "more than the program says it paused");
  holds(given(4000, "a commit took 4000 ms"), "more than any machine is kept");
  holds(!given(3000, "a commit took 3010 ms; the clocks are given that time"), "a pause that the program tells of");
});

test("a message that was never told by the program", async () => {
  const liar = new Observer();
  liar.ply(speaking, 1, "e2e4");
  liar.ply(speaking, 1, "d2d4");
  holds(/was told as e2e4 and as d2d4/.test(liar.faults[0]), "two stories of one move");
});

// The disk says that all is well and keeps nothing: no program can help that, and the observer must see it.
test("a disk that lies", async () => {
  observer.faults = [];
  machine.set({ disk: disks.lies });
  load.go();
  await sleep(700);
  const cut = load.cut();
  await site.kill();
  await cut;
  machine.set({ disk: disks.sound });
  const file = copyOf(site.data, join(folder, "liar"));
  observer.reset();
  observer.judge(await file.read());
  holds(observer.faults.some((fault) => /is not in the log|is not there|setting is/.test(fault)), `the loss is seen: ${observer.faults[0]}`);
  load.over = true;
});

await runTests();
