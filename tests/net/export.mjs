// SPDX-License-Identifier: GPL-3.0-or-later
// The archive of one's data: everything tests/data/export.txt says is there is there.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseOf, onPostgres } from "./postgres.mjs";
import { PATIENCE_MS, Person, Site, blitz, holds, newGame, password, root, runTests, same, slow, test, wideBlocks } from "./harness.mjs";

const dir = mkdtempSync(join(tmpdir(), "jadoube-export-"));
process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
const site = await Site.start({ flags: ["--rate-limits", "off"] });

// Read by another program than the one that wrote it: every file of the archive as text.
function unzip(bytes) {
  const path = join(dir, "data.zip");
  writeFileSync(path, bytes);
  const script = "import sys,zipfile,json; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))";
  return JSON.parse(execFileSync("/usr/bin/python3", ["-c", script, path], { maxBuffer: 1 << 28 }));
}

async function archive(person) {
  const answer = await person.get("/api/v1/me/export");
  same([answer.status, answer.headers["content-type"]], [200, "application/zip"], "a ZIP");
  const files = unzip(answer.data);
  const read = (name) => JSON.parse(files[name] ?? "null");
  return { files, read };
}

const promised = readFileSync(join(root, "tests/data/export.txt"), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => line.split("\t")[1])
  .filter((file) => !file.startsWith("- "));

test("everything the house holds of one, as a ZIP (X-009)", async () => {
  const { white, black, game } = await newGame(site, slow);
  await white.socket.must("say", { ch: `game:${game}`, text: "Good luck!" });
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  // A rated game, counted; one that runs; challenges of his own and to him.
  const rated = (await black.post(`/api/v1/challenges/${(await white.post("/api/v1/challenges", { control: blitz, color: "white", rated: true })).json.id}/join`)).json.game;
  for (const person of [white, black]) await person.socket.must("sub", { ch: `game:${rated}` });
  await white.socket.must("move", { game: rated, ply: 0, uci: "d2d4" });
  await black.socket.must("move", { game: rated, ply: 1, uci: "d7d5" });
  await black.socket.must("resign", { game: rated });
  await white.socket.wait((m) => m.t === "rated" && m.d.game === rated, "rated", PATIENCE_MS, 0);
  const open = (await white.post("/api/v1/challenges", { control: slow, color: "random", rated: false })).json;
  const invited = (await black.post("/api/v1/challenges", { control: blitz, color: "white", rated: false, to: white.nick })).json;
  const troll = await Person.register(site, "Export-troll");
  same((await white.post("/api/v1/me/blocks", { nick: troll.nick })).status, 204, "blocked");
  same((await white.put(`/api/v1/me/friends/${black.nick}`)).status, 204, "a friend");
  same((await white.put("/api/v1/me/prefs", { theme: "dark" })).status, 200, "a preference");
  const notices = (await white.get("/api/v1/me/notices")).json;
  same((await white.put("/api/v1/me/notices", { moves: true, day: false, hours: notices.hours })).status, 200, "notices");
  
  const saved = await white.put("/api/v1/me/layouts/Mine", { form: "wide", blocks: wideBlocks });
  same((await white.put("/api/v1/me/vacation", { days: 2 })).status, 200, "a vacation");
  same((await site.admin("role", white.nick, "moderator")).code, 0, "an office");
  same((await white.post("/api/v1/me/appeal", { text: "May I?" })).status, 204, "a word to the administrators");

  const { files, read } = await archive(white);
  for (const file of new Set(promised)) holds(file in files, `${file} is in the archive`);
  for (const file of Object.keys(files)) if (file !== "README.txt") holds(files["README.txt"].includes(file), `the README tells of ${file}`);
  holds(files["README.txt"].startsWith(`What ${site.origin} holds of ${white.nick}`), files["README.txt"].slice(0, 80));

  same([read("account.json").nick, read("account.json").roles], [white.nick, ["moderator"]], "account");
  same(read("devices.json").map((d) => Object.keys(d)), [["created", "seen", "expires", "agent"]], "devices");
  same(read("chat.json").map((l) => [l.game, l.room, l.text]), [[game, "players", "Good luck!"]], "chat");
  same(read("preferences.json"), [{ name: "theme", value: "dark" }], "preferences");
  same(read("notices.json")[0].day, false, "notices");
  same(saved.status, 200, "a layout");
  same([read("layouts.json")[0].name, read("layouts.json")[0].wide], ["Mine", wideBlocks], "layouts");
  same(read("people.json").map((p) => [p.kind, p.nick]), [["friend", black.nick]], "people");
  same(read("blocks.json").map((b) => b.nick), [troll.nick], "blocks");
  same(read("vacations.json").map((v) => [v.until - v.from, v.ended]), [[2 * 86400000, null]], "vacations");
  same(read("ratings.json").map((r) => [r.list, r.rating, r.games]), [["blitz", 1513, 1]], "ratings");
  same(read("rating_history.json").map((r) => [r.game, r.color, r.opponent, r.half_points, r.before, r.after, r.k, r.expected]), [[rated, "white", black.nick, 2, 1500, 1513, 25, 50]], "history");
  same(read("running_games.json").map((g) => g.id), [game], "running games");
  same(read("challenges.json").map((c) => c.id).sort(), [open.id, invited.id].sort(), "challenges");
  same(read("roles.json").map((r) => r.role), ["moderator"], "roles");
  same(read("reports.json").map((r) => r.text), ["May I?"], "reports");
  same(read("audit.json").map((a) => [a.action, a.by_you, a.after]), [["role", false, "moderator"]], "audit: about him, not who did it");
  same([read("sanctions.json"), read("letters.json"), read("links.json")], [[], [], []], "nothing there");
  holds(files["games.pgn"].includes(`[White "${white.nick}"]`) && /1\. d4 .*d5/s.test(files["games.pgn"]), files["games.pgn"]);

  // Nothing of it is anybody else's secret, or his own.
  const all = Object.values(files).join("\n");
  for (const secret of [white.cookie.split("=")[1], "argon2", "token_hash"]) holds(!all.includes(secret), `no ${secret}`);
  const his = await archive(black);
  same([his.read("chat.json"), his.read("blocks.json"), his.read("people.json")], [[], [], []], "what others did is not his");
  same((await site.request("GET", "/api/v1/me/export")).json.error.code, "auth_required", "guests");
  for (const person of [white, black]) await person.socket.close();
});

test("the README speaks one's language; a blocked account gets its data too (S-024, X-009)", async () => {
  for (const [language, words] of [["ru", "хранит о вас"], ["ro", "Ce păstrează"], ["en", "holds of"]]) {
    const person = await Person.register(site, `Reader-${language}`, { language });
    const { files } = await archive(person);
    holds(files["README.txt"].includes(words), `${language}: ${files["README.txt"].slice(0, 60)}`);
    if (language !== "ru") continue;
    same((await site.admin("block", person.nick, "spam", "3")).code, 0, "blocked");
    const answer = await site.request("POST", "/api/v1/login", { body: { login: person.nick, password, remember: false } });
    person.takeCookie(answer);
    const { read } = await archive(person);
    same(read("sanctions.json").map((s) => [s.kind, s.reason, s.lifted]), [["block", "spam", null]], "its block");
  }
});

// Of somebody who has talked for years: more than any answer or message may hold.
test("an archive of many lines is whole (X-009)", async () => {
  const { white, black, game } = await newGame(site, slow);
  await white.socket.must("say", { ch: `game:${game}`, text: "First" });
  const many = 60_000;
  const lines = (series) =>
    `INSERT INTO game_chat SELECT c.game, s.n, 1, c.account, 1, '${"x".repeat(150)}' FROM game_chat AS c, ${series} WHERE c.game = '${game}'`;
  if (onPostgres)
    execFileSync("psql", ["-q", "-d", databaseOf(["--data", site.data]).JADOUBE_DATABASE, "-c", lines(`generate_series(1, ${many}) AS s (n)`)]);
  else
    execFileSync("/usr/bin/python3", [
      "-c",
      "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], timeout=30); db.execute(sys.argv[2]); db.commit()",
      join(site.data, "jadoube.db"),
      lines(`(WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < ${many}) SELECT n FROM r) AS s`),
    ]);
  const { read } = await archive(white);
  same(read("chat.json").length, many + 1, "lines");
  for (const person of [white, black]) await person.socket.close();
});

await runTests();
