#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
// jadoube admin backup, check, restore, schema: a site that is played on is kept in one file, and a new site is made of it.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_MS, Person, Site, blitz, databaseOf, eventually, holds, newGame, onPostgres, program, root, runProgram, runTests, same, sleep, slow, test } from "./harness.mjs";

const scratch = mkdtempSync(join(tmpdir(), "jadoube-backup-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
let serial = 0;
const place = () => mkdtempSync(join(scratch, `place-${++serial}-`));
const admin = (data, ...words) => runProgram(["admin", "--data", data, ...words], { timeout: 60000 });
const python = (text, ...args) => execFileSync("python3", ["-c", text, ...args], { encoding: "utf8" });
const sql = (file, text) => python("import sqlite3, sys\ndatabase = sqlite3.connect(sys.argv[1])\nprint(database.execute(sys.argv[2]).fetchall())\ndatabase.commit()", file, text).trim();
async function must(data, ...words) {
  const answer = await admin(data, ...words);
  if (answer.code !== 0) throw new Error(`${words.join(" ")}: ${answer.code} ${answer.err}`);
  return answer.out;
}
async function refused(pattern, data, ...words) {
  const answer = await admin(data, ...words);
  same([answer.code, answer.signal], [1, null], words.join(" "));
  same(answer.err.trim().split("\n").length, 1, answer.err);
  holds(pattern.test(answer.err), `${answer.err} fits ${pattern}`);
}

const opera = ("e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 " +
  "e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8").split(" ");

async function begin(white, black, games) {
  const challenge = (await white.post("/api/v1/challenges", { control: slow, color: "white", rated: false })).json;
  const { game } = (await black.post(`/api/v1/challenges/${challenge.id}/join`)).json;
  games.push({ id: game, white, black, told: 0 });
  return games.at(-1);
}

// As far as the ply, as fast as answers come, or until told to stop.
async function play(game, plies, going) {
  while (going.on && game.told < plies) {
    const answer = await (game.told % 2 ? game.black : game.white).post(`/api/v1/games/${game.id}/move`, { ply: game.told, uci: opera[game.told] });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    game.told = answer.json.ply;
  }
}

// One game after another.
async function table(white, black, games, going) {
  while (going.on) await play(await begin(white, black, games), opera.length, going);
}

test("a site that is played on is backed up, and the copy holds all that was told and goes on", async () => {
  const site = await Site.start({ data: place(), flags: ["--rate-limits", "off"] });
  const people = [];
  for (let i = 0; i < 8; i++) people.push(await Person.register(site));
  const games = [];
  const going = { on: true };
  await play(await begin(people[0], people[1], games), 7, going); // one that stands
  const tables = [0, 2, 4, 6].map((i) => table(people[i], people[i + 1], games, going));
  let chosen;
  for (let round = 0; round < 3; round++) {
    await sleep(400);
    if (round === 2) await eventually("a game is over", () => games.some((game) => game.told === opera.length));
    const told = games.map((game) => ({ ...game }));
    const moves = await site.metric("moves_total");
    const file = join(scratch, `load-${round}.backup`);
    // Where the disk is slow, more than one backup is made between two moves.
    let out = "";
    for (let tries = 0; out === "" || (await site.metric("moves_total")) === moves; tries++) {
      holds(tries < 50, "play goes on meanwhile");
      rmSync(file, { force: true });
      out = await must(site.data, "backup", file);
    }
    holds(/load-\d\.backup: \d+ rows of \d+ tables, \d+ bytes, schema \d+/.test(out), out);
    same(statSync(file).mode & 0o777, 0o600, "nobody else may read it");
    chosen = { told, file };
  }
  going.on = false;
  await Promise.all(tables);
  holds(chosen.told.some((game) => game.told === opera.length), "some games are over");
  await site.end();

  const data = join(place(), "new");
  const out = await must(data, "restore", chosen.file);
  holds(/the site as it was \d{4}-\d\d-\d\d .*: \d+ rows of \d+ tables are there/.test(out), out);
  const copy = await Site.start({ data, flags: ["--rate-limits", "off"] });
  for (const person of people) person.site = copy;
  const running = [];
  for (const game of chosen.told) {
    const now = (await game.white.get(`/api/v1/games/${game.id}`)).json;
    holds(now.ply >= game.told, `game ${game.id}: ply ${now.ply}, told of ${game.told} before the backup`);
    same(now.moves.map((m) => m.uci), opera.slice(0, now.ply), "its moves");
    if (now.ply < opera.length) running.push({ ...game, told: now.ply });
  }
  holds(running.length > 0, "games go on");
  for (const game of running) {
    for (let ply = game.told; ply < opera.length; ply++) {
      const answer = await (ply % 2 ? game.black : game.white).post(`/api/v1/games/${game.id}/move`, { ply, uci: opera[ply] });
      same(answer.status, 200, `game ${game.id}, ply ${ply}: in the session of before ${answer.text}`);
    }
  }
  await Person.register(copy); // numbers that count up go on
  await copy.end();
});

test("who has seen more than the copy knows is shown the copy's state", async () => {
  const site = await Site.start({ data: place() });
  const { white, black, game } = await newGame(site, blitz);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await must(site.data, "backup", join(scratch, "since.backup"));
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  await white.socket.must("move", { game, ply: 2, uci: "g1f3" });
  const seen = (await white.socket.wait((m) => m.t === "moved" && m.d.ply === 3, "the last move", PATIENCE_MS, 0)).d.seq;
  await site.kill();
  await site.end();
  const data = place();
  await must(data, "restore", join(scratch, "since.backup"));
  const copy = await Site.start({ data });
  for (const person of [white, black]) person.site = copy;
  const socket = await white.connect();
  const state = socket.wait((m) => m.t === "game" && m.d.id === game, "the game as it is there", PATIENCE_MS, 0);
  await socket.must("sub", { ch: `game:${game}`, since: seen });
  same((await state).d.ply, 1, "its plies");
  const other = await black.connect();
  await other.must("sub", { ch: `game:${game}` });
  await other.must("move", { game, ply: 1, uci: "c7c5" });
  for (const one of [socket, other]) await one.close();
  await copy.end();
});

// A site of its own, stopped, and a backup of it.
let shelf;
async function onShelf() {
  if (!shelf) {
    const site = await Site.start({ data: place() });
    const { white, game } = await newGame(site, slow);
    await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
    await site.admin("word", "patzer");
    await site.end();
    shelf = { data: site.data, file: join(scratch, "shelf.backup") };
    await must(site.data, "backup", shelf.file);
  }
  return shelf;
}
async function spoiled(spoil) {
  const { file } = await onShelf();
  const copy = join(scratch, `spoiled-${++serial}.backup`);
  copyFileSync(file, copy);
  spoil(copy);
  return copy;
}
// Checked and restored, it is refused, and no site is there afterwards.
async function isRefused(pattern, file) {
  const data = place();
  await refused(pattern, data, "check", file);
  await refused(pattern, data, "restore", file);
  same(readdirSync(data).filter((name) => name !== "jadoube.lock"), [], "what a refused restore leaves");
}

test("a stopped site is backed up as well, and its file is checked without restoring it", async () => {
  const { data, file } = await onShelf();
  holds(/shelf\.backup: whole; made \d{4}.* by jadoube \d+\.\d+\.\d+; schema \d+, this program knows \d+; \d+ rows of \d+ tables/.test(await must(data, "check", file)), "what it says");
  const again = join(scratch, "again.backup");
  const third = place();
  await must(third, "restore", file);
  await must(third, "backup", again);
  const sums = (one) => sql(one, "SELECT name, row_count, hex(hash) FROM backup_table WHERE name <> 'meta' ORDER BY name");
  same(sums(again), sums(file), "the backup of what was restored: every row of every table");
});

test("nothing that is there is written over", async () => {
  const { data, file } = await onShelf();
  const before = readFileSync(file);
  await refused(/shelf\.backup: there already/, data, "backup", file);
  holds(readFileSync(file).equals(before), "the file is as it was");
  await refused(onPostgres ? /not empty: there are rows in/ : /jadoube\.db: there already: a restore goes into an empty place only/, data, "restore", file);
  const site = await Site.start({ data });
  await refused(/held by another process/, data, "restore", file);
  await site.end();
  writeFileSync(join(scratch, "cut.backup.partial"), "left behind");
  await refused(/cut\.backup\.partial: there already/, data, "backup", join(scratch, "cut.backup"));
  same(readFileSync(join(scratch, "cut.backup.partial"), "utf8"), "left behind", "somebody else's work");
});

test("a damaged file is refused, wherever the damage is", async () => {
  await isRefused(/torn|not a database file/, await spoiled((file) => truncateSync(file, statSync(file).size - 4096)));
  await isRefused(/not a database file/, await spoiled((file) => truncateSync(file, 50)));
  await isRefused(/damaged|malformed/, await spoiled((file) => {
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 8192, 12288);
    writeFileSync(file, bytes);
  }));
  await isRefused(/a row of table game_event is not what was written|a row of table/, await spoiled((file) => sql(file, "UPDATE game_event SET time_ms = time_ms + 1 WHERE arrival = 1")));
  await isRefused(/table account has \d+ rows, expected \d+/, await spoiled((file) => sql(file, "DELETE FROM account WHERE id = (SELECT max(id) FROM account)")));
  await isRefused(/does not say what table game holds/, await spoiled((file) => sql(file, "DELETE FROM backup_table WHERE name = 'game'")));
});

test("a foreign file is refused", async () => {
  await isRefused(/no such file/, join(scratch, "none"));
  await isRefused(/not a database file/, await spoiled((file) => writeFileSync(file, "this is no backup\n".repeat(50))));
  await isRefused(/not a regular file/, scratch);
  await isRefused(/a database of another program/, await spoiled((file) => sql(file, "PRAGMA application_id = 7")));
  await isRefused(/a site's own database, not a backup of one/, await spoiled((file) => sql(file, "DROP TABLE backup_about")));
});

test("a newer file is refused", async () => {
  await isRefused(/newer version of this program \(schema 9000/, await spoiled((file) => sql(file, "PRAGMA user_version = 9000")));
  await isRefused(/newer version of this program \(form 9/, await spoiled((file) => sql(file, "UPDATE backup_about SET value = '9' WHERE key = 'format'")));
});

test("a full disk leaves no half of a backup", async () => {
  const { data } = await onShelf();
  const file = join(scratch, "full.backup");
  const result = await new Promise((done) => {
    try {
      const out = execFileSync("prlimit", ["--fsize=20000", program, "admin", "--data", data, "backup", file], { encoding: "utf8", stdio: "pipe", env: { ...process.env, ...databaseOf(["--data", data]) } });
      done({ code: 0, err: out });
    } catch (error) {
      done({ code: error.status, err: error.stderr ?? String(error) });
    }
  });
  same(result.code, 1, result.err);
  holds(/full|I\/O/.test(result.err), result.err);
  same(readdirSync(scratch).filter((name) => name.startsWith("full.backup")), [], "nothing is left");
});

test("a directory keeps the newest", async () => {
  const { data } = await onShelf();
  const directory = place();
  for (const name of ["jadoube-20200101T000000Z.backup", "jadoube-20200102T000000Z.backup", "jadoube-mine.backup"]) writeFileSync(join(directory, name), "");
  await must(data, "backup", directory, "--keep", "2");
  const names = readdirSync(directory).sort();
  same(names.length, 3, names.join(" "));
  holds(names.includes("jadoube-20200102T000000Z.backup") && names.includes("jadoube-mine.backup"), `of ${names} only the oldest with a time is gone`);
});

test("from one kind of database to the other", async () => {
  if (!onPostgres) return;
  const { file, data } = await onShelf();
  const here = place();
  const done = await runProgram(["admin", "--data", here, "restore", file], { env: { JADOUBE_DATABASE: "" } });
  same(done.code, 0, done.err);
  const back = join(scratch, "back.backup");
  same((await runProgram(["admin", "--data", here, "backup", back], { env: { JADOUBE_DATABASE: "" } })).code, 0, "from SQLite");
  const sums = (one) => sql(one, "SELECT name, row_count, hex(hash) FROM backup_table WHERE name NOT IN ('meta', 'sqlite_sequence') ORDER BY name");
  same(sums(back), sums(file), "every row of every table");
  await must(place(), "restore", back);
  holds(data !== here, "another site");
});

test("a schema that changes: a backup is kept first, and is the way back", async () => {
  if (onPostgres) return;
  const old = place();
  // A site as the program left it two migrations ago.
  const known = Number(python(`
import glob, os, sqlite3, sys
folder, path = sys.argv[1:]
sys.path.insert(0, folder)
import embed
files = sorted(glob.glob(os.path.join(folder, "0*.sql")))
database = sqlite3.connect(path)
database.execute("PRAGMA application_id = 0x4a414442")
for file in files[:-2]:
    database.executescript("\\n".join(embed.lines_for(open(file, encoding="utf-8").readlines(), "SQLite")))
database.execute("PRAGMA user_version = %d" % (len(files) - 2))
database.execute("INSERT INTO meta VALUES ('test.kept', 42)")
database.commit()
database.execute("PRAGMA journal_mode = WAL")
print(len(files))`, join(root, "src/store/migrations"), join(old, "jadoube.db")));
  same((await must(old, "schema")).trim(), `the site has schema ${known - 2}, this program knows ${known}: it migrates when it starts next`, "before");
  same(readdirSync(old).filter((name) => name.endsWith(".backup")), [], "asking changes nothing");
  const site = await Site.start({ data: old });
  holds(new RegExp(`schema changes from ${known - 2} to ${known}.*jadoube\\.db\\.schema-${known - 2}\\.backup`).test(site.err), `the log says so: ${site.err}`);
  await site.end();
  same((await must(old, "schema")).trim(), `the site has schema ${known}, this program knows ${known}`, "after");
  const kept = join(old, `jadoube.db.schema-${known - 2}.backup`);
  holds(existsSync(kept), "it is there");
  holds((await must(old, "check", kept)).includes(`schema ${known - 2}, this program knows ${known}`), "and whole");
  await (await Site.start({ data: old })).end();
  same(readdirSync(old).filter((name) => name.endsWith(".backup")).length, 1, "a second start makes no second one");

  const data = place();
  const out = await must(data, "restore", kept);
  holds(out.includes(`from schema ${known - 2} to ${known}`), out);
  same(sql(join(data, "jadoube.db"), "SELECT value FROM meta WHERE key = 'test.kept'"), "[(42,)]", "what was there");
  await (await Site.start({ data })).end();

  // No room for a backup: no migration.
  const poor = place();
  copyFileSync(kept, join(poor, "jadoube.db"));
  mkdirSync(join(poor, `jadoube.db.schema-${known - 2}.backup.partial`));
  const bytes = readFileSync(join(poor, "jadoube.db"));
  const failed = await runProgram(["serve", "--data", poor, "--host", "127.0.0.1", "--port", "0"]);
  holds(failed.code === 1 && /no backup can be made before the schema changes/.test(failed.err), failed.err);
  holds(readFileSync(join(poor, "jadoube.db")).equals(bytes), "not one byte is changed");
  const bare = await Site.start({ data: poor, flags: ["--upgrade-backup", "off"] });
  await bare.end();
});

test("wrong usage", async () => {
  const { data } = await onShelf();
  for (const words of [["backup"], ["backup", scratch, "--keep"], ["backup", scratch, "--keep", "0"], ["backup", join(scratch, "x"), "--keep", "3"], ["restore"], ["restore", "a", "b"], ["check"], ["schema", "now"]])
    same((await admin(data, ...words)).code, 2, words.join(" "));
  await refused(onPostgres ? /./ : /no site is here/, onPostgres ? "/nonexistent/none" : place(), "backup", join(scratch, "y.backup"));
});

await runTests();
