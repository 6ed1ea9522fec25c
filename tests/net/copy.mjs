#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
// A site moves from SQLite to PostgreSQL and back (jadoube admin copy): everything is there and goes on. Beside a PostgreSQL server
// (tests/tools/with_postgres.sh).
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Person, Site, databaseOf, holds, newGame, onPostgres, runProgram, runTests, same, slow, test } from "./harness.mjs";

if (!onPostgres) {
  console.log("skipped: run by tests/tools/with_postgres.sh");
  process.exit(77);
}
const made = [];
const place = () => made[made.push(mkdtempSync(join(tmpdir(), "jadoube-copy-"))) - 1];
process.on("exit", () => made.forEach((one) => rmSync(one, { recursive: true, force: true })));
const address = (data) => databaseOf(["--data", data]).JADOUBE_DATABASE;
const copy = (from, to) => runProgram(["admin", "copy", "--from", from, "--to", to], { timeout: 60000 });
const rows = (data) =>
  execFileSync("python3", ["-c", `
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name").fetchall():
    for row in sorted(map(repr, database.execute(f"SELECT * FROM {name}"))):
        if "'store." not in row: # each side's own notes
            print(name, row)
`, join(data, "jadoube.db")], { encoding: "utf8" });

test("a site moves to PostgreSQL, goes on there, and moves back", async () => {
  const first = place();
  const site = await Site.start({ data: first, env: { JADOUBE_DATABASE: "" } });
  const { white, black, game } = await newGame(site, slow);
  const send = (person, ply, uci) => person.socket.must("move", { game, ply, uci });
  await send(white, 0, "e2e4");
  await send(black, 1, "e7e5");
  const over = await newGame(site, slow);
  await over.white.socket.must("resign", { game: over.game });
  await site.admin("word", "patzer");
  const before = (await black.get(`/api/v1/games/${game}`)).json;
  const running = await copy(first, address(place()));
  holds(running.code === 1 && /held by another process/.test(running.err), running.err);
  await site.stop();

  const second = place();
  const done = await copy(first, address(second));
  same([done.code, /^\d+ rows of \d+ tables are there/.test(done.out)], [0, true], done.out + done.err);
  const twice = await copy(first, address(second));
  holds(twice.code === 1 && /not empty: there are rows in account/.test(twice.err), twice.err);

  site.data = second;
  site.env = {};
  await site.restart();
  const after = (await black.get(`/api/v1/games/${game}`)).json;
  same([after.moves, after.fen, after.white.nick], [before.moves, before.fen, before.white.nick], "the game");
  same((await white.post(`/api/v1/games/${game}/move`, { ply: 2, uci: "g1f3" })).status, 200, "goes on, in the same session");
  same((await site.admin("word", "duffer")).code, 0, "numbers that count up go on");
  await Person.register(site);
  await site.stop();

  const third = place();
  same((await copy(address(second), third)).code, 0, "back");
  site.data = third;
  site.env = { JADOUBE_DATABASE: "" };
  await site.restart();
  same((await black.get(`/api/v1/games/${game}`)).json.ply, 3, "with what happened there");
  await site.stop();
});

test("what is copied is the same byte for byte", async () => {
  const first = place();
  const site = await Site.start({ data: first, env: { JADOUBE_DATABASE: "" } });
  const { white, game } = await newGame(site, slow);
  await white.socket.must("move", { game, ply: 0, uci: "d2d4" });
  await white.socket.must("chat", { game, text: "Удачи! Noroc, \u2654" }).catch(() => {});
  await site.stop();
  const there = address(place());
  const back = place();
  same((await copy(first, there)).code, 0, "there");
  same((await copy(there, back)).code, 0, "and back");
  same(rows(back), rows(first), "every row of every table");
});

test("a wrong place", async () => {
  for (const [words, code, text] of [
    [["copy"], 2, /expected: copy --from PLACE --to PLACE/],
    [["copy", "--from", "/no/such/place", "--to", place()], 1, /\/no\/such\/place/],
    [["copy", "--from", place(), "--to", "postgresql://nobody@127.0.0.1:1/none"], 1, /127\.0\.0\.1.*refused/],
  ]) {
    const answer = await runProgram(["admin", ...words]);
    same(answer.code, code, words.join(" "));
    holds(text.test(answer.err), answer.err);
  }
});

await runTests();
