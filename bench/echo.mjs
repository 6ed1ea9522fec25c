// SPDX-License-Identifier: GPL-3.0-or-later
// Move echo with many games running: from sending a move to hearing of it on the same connection, after it is on disk.
// usage: node bench/echo.mjs [GAMES [SECONDS [SECONDS_A_MOVE]]]
import { fdatasyncSync, openSync, writeSync, closeSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Person, Site, sleep } from "../tests/net/harness.mjs";

const games = Number(process.argv[2] ?? 1000);
const seconds = Number(process.argv[3] ?? 20);
const every = Number(process.argv[4] ?? 5);
const PEOPLE = Math.max(4, Math.ceil(games / 20)); // 40 seats each
const CONNECTIONS = 4; // of a person, 10 seats each
const shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]; // long enough; nobody claims

const percentile = (sorted, p) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))];
const show = (name, list) => {
  const sorted = list.sort((a, b) => a - b);
  const [p50, p99, p999] = [0.5, 0.99, 0.999].map((p) => percentile(sorted, p).toFixed(1));
  console.log(`${name}: ${sorted.length}, p50 ${p50} ms, p99 ${p99} ms, p99.9 ${p999} ms, worst ${sorted.at(-1).toFixed(1)} ms`);
};

const site = await Site.start({ flags: ["--rate-limits", "off", "--workers", "2"] });
const people = [];
for (let i = 0; i < PEOPLE; i++) people.push(await Person.register(site, `Player${String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26))}`));
for (const person of people) {
  person.sockets = [];
  for (let i = 0; i < CONNECTIONS; i++) person.sockets.push(await person.connect());
}
console.log(`${people.length} people, ${people.length * CONNECTIONS} connections`);

const control = { kind: "clock", base_ms: 10800000, increment_ms: 0, delay_ms: 0 };
const tables = [];
for (let g = 0; g < games; g++) {
  const white = people[g % PEOPLE];
  const black = people[(g + 1 + Math.floor(g / PEOPLE)) % PEOPLE];
  if (white === black) continue;
  const made = await white.post("/api/v1/challenges", { control, color: "white", rated: false });
  const { json } = await black.post(`/api/v1/challenges/${made.json.id}/join`, {});
  const table = { id: json.game, ply: 0, sides: [white, black].map((p) => p.sockets[g % CONNECTIONS]) };
  for (const socket of table.sides) await socket.must("sub", { ch: `game:${table.id}` });
  tables.push(table);
}
console.log(`${tables.length} games run, a move in each every ${every} s`);

const echoes = [];
const acks = [];
let behind = 0;
async function play(table, until) {
  await sleep(Math.random() * every * 1000);
  while (Date.now() < until) {
    const began = performance.now();
    const socket = table.sides[table.ply % 2];
    const ply = table.ply + 1;
    const heard = socket.wait((m) => m.t === "moved" && m.d.game === table.id && m.d.ply === ply, `ply ${ply}`, 10000);
    await socket.must("move", { game: table.id, ply: table.ply, uci: shuffle[table.ply % 4] });
    acks.push(performance.now() - began);
    await heard;
    echoes.push(performance.now() - began);
    table.ply = ply;
    if (table.ply === 14) return; // the fivefold repetition comes at 16
    for (const side of table.sides) side.heard.length = 0;
    const rest = every * 1000 - (performance.now() - began);
    if (rest < 0) behind++;
    else await sleep(rest);
  }
}
await sleep(16000); // White's clock runs at the latest then
const until = Date.now() + seconds * 1000;
await Promise.all(tables.map((table) => play(table, until)));
show("move to ack", acks);
show("move to echo", echoes);
if (behind > 0) console.log(`${behind} moves came late`);

// The floor in the same run: one small write made durable.
const file = join(site.data, "floor");
const fd = openSync(file, "w");
const floor = [];
for (let i = 0; i < 300; i++) {
  const began = performance.now();
  writeSync(fd, "x".repeat(4096));
  fdatasyncSync(fd);
  floor.push(performance.now() - began);
}
closeSync(fd);
rmSync(file);
show("write and fdatasync of 4 KiB", floor);
const rss = (await import("node:fs")).readFileSync(`/proc/${site.process.pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1];
console.log(`server: ${Math.round(rss / 1024)} MiB`);
await site.end();
process.exit(0);
