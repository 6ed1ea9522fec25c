// SPDX-License-Identifier: GPL-3.0-or-later
// Crash rounds: many games at once on the real program, something terrible in every round, and an observer who was
// told everything and looks into the database by himself.
//   node tests/crash/rounds.mjs [--rounds 140] [--seed 1] [--only kill]
// Beside a PostgreSQL server (with_postgres.sh) it is that one which is used. The seed chooses faults, moments and
// moves; how far the program had come by then, the machine decides.
import { mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { PostgresSchema, SqliteFile, copyOf } from "./database.mjs";
import { Machine, Server, Wire, onPostgres as postgresFaults, onSqlite as sqliteFaults, pick } from "./faults.mjs";
import { Load } from "./load.mjs";
import { Observer } from "./observer.mjs";
import { randomOf } from "./random.mjs";
import { Person, Site, onPostgres, sleep, within } from "../net/harness.mjs";

const { values: wanted } = parseArgs({
  options: {
    rounds: { type: "string", default: onPostgres ? "60" : "140" },
    seed: { type: "string", default: String(Date.now() % 1000000) },
    only: { type: "string", default: "" },
    library: { type: "string", default: process.env.JADOUBE_BAD_MACHINE },
    quiet: { type: "boolean", default: false },
  },
});
const rounds = Number(wanted.rounds);
const lifeOfASite = 70; // rounds, then a new one: what a database is asked grows with it

class World {
  static async make(random) {
    const world = new World();
    world.observer = new Observer();
    world.machine = new Machine(wanted.library);
    world.data = mkdtempSync(join(tmpdir(), "jadoube-crash-"));
    process.on("exit", () => rmSync(world.data, { recursive: true, force: true }));
    const env = { ...world.machine.env };
    if (onPostgres) {
      world.server = new Server();
      world.wire = new Wire(`${dirname(world.server.data)}/.s.PGSQL.5432`);
      const port = await world.wire.listen();
      env.JADOUBE_DATABASE = `postgresql://jadoube@127.0.0.1:${port}/postgres?options=-csearch_path%3D"${basename(world.data)}"&sslmode=disable`;
    }
    world.site = await Site.start({ data: world.data, flags: ["--rate-limits", "off"], env });
    world.database = onPostgres
      ? new PostgresSchema(process.env.JADOUBE_TEST_DATABASE, basename(world.data))
      : new SqliteFile(join(world.data, "jadoube.db"));
    const people = [];
    for (let i = 0; i < 12; i++) people.push(await Person.register(world.site, `Player-${200 + i}`));
    for (const { nick } of people) world.observer.note({ kind: "account", nick });
    world.load = new Load(world.site, world.observer, random, people, 24, 4);
    await world.load.connect();
    let last = Date.now();
    world.pulse = setInterval(() => {
      world.observer.lag(Date.now() - last - 20);
      last = Date.now();
    }, 20);
    return world;
  }

  ask(sql) {
    return this.database.sql(sql);
  }

  // The database as it lies there, the program dead.
  async look() {
    const database = onPostgres ? this.database : copyOf(this.data, join(this.machine.folder, "copy"));
    this.observer.judge(await database.read(this.observer.arrival, ["events", "games", "accounts", "chat", "prefs"]));
    const faults = await database.faults(false);
    if (faults) this.observer.fault(`the database is damaged: ${faults}`);
  }

  // The program runs and nobody asks anything of it: what each has on his board is what is kept.
  async compare() {
    this.observer.said(this.site.said ?? "");
    this.observer.judge(await this.database.read(this.observer.arrival, ["events", "games", "accounts", "chat", "prefs"]));
    const behind = () => {
      for (const line of this.load.lines)
        for (const [game, moves] of line.boards) {
          const kept = this.observer.games.get(game)?.moves.map((move) => move.uci) ?? [];
          if (line.channels.has(`game:${game}`) && kept.join(" ") !== moves.join(" "))
            return `${line.name} has ${moves.length} plies of ${game}, kept are ${kept.length}`;
        }
      return undefined;
    };
    for (let i = 0; i < 3000 && behind(); i++) await sleep(10); // messages are on the way
    if (behind()) this.observer.fault(`${behind()}: something was missed`);
  }

  async end() {
    clearInterval(this.pulse);
    await this.load.stop();
    const { code, signal } = await this.site.stop();
    if (code !== 0) this.observer.fault(`the end: ${code ?? signal} ${this.site.err}`);
    this.observer.judgeAll(await this.database.read());
    const faults = await this.database.faults(true);
    if (faults) this.observer.fault(`the database is damaged: ${faults}`);
    if (/ERROR: \w+Sanitizer|WARNING: \w+Sanitizer|runtime error:/.test(this.site.err)) this.observer.fault(this.site.err);
    await this.site.end();
    this.wire?.close();
    this.machine.remove();
    rmSync(this.data, { recursive: true, force: true });
  }
}

async function round(world, number, random) {
  const faults = (onPostgres ? postgresFaults : sqliteFaults).filter(({ name }) => name.includes(wanted.only));
  const fault = pick(faults, random);
  world.load.random = random;
  world.load.go();
  await Promise.race([sleep(40 + random() * 200), world.load.failed]);
  const began = Date.now();
  try {
    await within(180000, `${fault.name} is over`, fault.act(world, random));
    await world.load.rest(60000);
  } catch (error) {
    error.message = `round ${number}, ${fault.name}: ${error.message}`;
    throw error;
  }
  const took = Date.now() - began;
  await world.compare();
  if (!wanted.quiet) console.log(`round ${number}: ${fault.name} (${took} ms), ${world.observer.events} entries, ${world.observer.told} told, ${Math.round(world.observer.late)} ms late`);
  if (world.observer.faults.length > 0) throw new Error(`round ${number}, ${fault.name}:\n${world.observer.faults.join("\n")}`);
  return fault.name;
}

async function main() {
  console.log(`crash rounds: ${rounds}, seed ${wanted.seed}, ${onPostgres ? "PostgreSQL" : "SQLite"}`);
  const counts = new Map();
  let told = 0, events = 0;
  for (let first = 0; first < rounds; first += lifeOfASite) {
    const world = await World.make(randomOf(Number(wanted.seed)));
    try {
      for (let number = first; number < Math.min(rounds, first + lifeOfASite); number++) {
        const name = await round(world, number, randomOf(Number(wanted.seed) * 1000003 + number));
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      await world.end();
      if (world.observer.faults.length > 0) throw new Error(`at the end:\n${world.observer.faults.join("\n")}`);
    } catch (error) {
      error.message += `\nthe program said: ${world.site.err.split("\n").slice(-15).join("\n")}`;
      throw error;
    }
    told += world.observer.told;
    events += world.observer.events;
  }
  for (const [name, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`${String(count).padStart(5)}  ${name}`);
  console.log(`${rounds} rounds: ${told} things were told, ${events} entries are in the log, nothing is missing`);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  console.log(`FAIL (seed ${wanted.seed}) ${error.stack}`);
  process.exit(1);
}
