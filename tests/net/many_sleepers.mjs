// SPDX-License-Identifier: GPL-3.0-or-later
// bench/sleeping.sh: one real game falls asleep, is copied COUNT times inside the database, and the
// program starts on it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Clock, minute } from "./clock.mjs";
import { Person, Site, sleep } from "./harness.mjs";

const count = Number(process.argv[2] ?? 100000);
const clock = new Clock();
const site = await Site.start({ env: clock.env, flags: ["--rate-limits", "off"] });
const white = await Person.register(site);
const black = await Person.register(site);
const challenge = await white.post("/api/v1/challenges", { control: { ...slow, days: 14 }, color: "white", rated: false });
const { game } = (await black.post(`/api/v1/challenges/${challenge.json.id}/join`)).json;
const opera = "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6".split(" ");
for (const [ply, uci] of opera.entries()) await (ply % 2 ? black : white).post(`/api/v1/games/${game}/move`, { ply, uci });
clock.pass(11 * minute);
for (let i = 0; i < 100 && (await site.metric("games_in_memory")) > 0; i++) await sleep(100);

async function figures(label) {
  await site.stop();
  await site.restart();
  await sleep(1500);
  const kib = readFileSync(`/proc/${site.process.pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1];
  console.log(`${label}: first answer after ${site.startMs} ms, ${kib} KiB resident, ${await site.metric("games_in_memory")} games in memory`);
}

for (let round = 1; round <= 3; round++) await figures(`1 sleeping game, round ${round}`);
await site.stop();
execFileSync("python3", ["-c", `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1]); game, count = sys.argv[2], int(sys.argv[3])
for table, key in (("game", "id"), ("game_record", "game")):
    names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    row = dict(zip(names, db.execute(f"SELECT * FROM {table} WHERE {key} = ?", (game,)).fetchone()))
    def copies():
        for i in range(count):
            yield [("copy%08d" % i) if n == key else 1000 + i if n in ("white", "black") and n == "white" else 5000000 + i if n == "black" else row[n] for n in names]
    db.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(names))})", copies())
db.commit()
`, `${site.data}/jadoube.db`, game, String(count)]);
await site.restart();
for (let round = 1; round <= 3; round++) await figures(`${count} sleeping games, round ${round}`);
const began = Date.now();
for (let i = 0; i < 100; i++) await site.request("GET", `/api/v1/games/copy${String(i * 7).padStart(8, "0")}`);
console.log(`waking: ${((Date.now() - began) / 100).toFixed(1)} ms each, one after the other`);
await site.end();
process.exit(0);
