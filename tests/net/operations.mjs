#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
// What the operator sees and does: the log, the figures, the service manager, the way down.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_MS, Person, Site, holds, host, newGame, runProgram, runTests, same, sleep, test, within } from "./harness.mjs";

const scratch = mkdtempSync(join(tmpdir(), "jadoube-operations-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const until = (what, fits) => within(PATIENCE_MS, what, (async () => { while (!(await fits())) await sleep(20); })());

test("the log as JSON: one object a line, with time, level, source and message", async () => {
  const site = await Site.start({ flags: ["--log", "json", "--engine", 'no "such" \\ engine'] });
  await Person.register(site, "Secret-Nick");
  await site.stop();
  const lines = site.err.trim().split("\n").map((line) => JSON.parse(line));
  for (const line of lines) {
    same(Object.keys(line), ["time", "level", "source", "message"], "its keys");
    holds(!Number.isNaN(Date.parse(line.time)) && ["error", "warning", "info"].includes(line.level), JSON.stringify(line));
  }
  holds(lines.some((line) => line.source === "server" && line.message.startsWith("running at ")), "it says that it runs");
  holds(lines.some((line) => line.level === "warning" && line.source === "computer" && line.message.includes('no "such" \\ engine')), "quotes and backslashes survive");
  holds(!/Secret-Nick|knight on the rim|127\.0\.0\.1:\d+.*(GET|POST)/.test(site.err), "no people, no requests");
  await site.end();
});

test("levels", async () => {
  const site = await Site.start({ flags: ["--log-level", "error"] });
  await site.stop();
  same(site.err, "", "a site without errors says nothing");
  await site.end();
  same((await runProgram(["serve", "--log", "xml"])).code, 2, "a form that is none");
});

test("a log file is opened anew on SIGHUP, and no line is lost", async () => {
  const file = join(scratch, "site.log");
  const site = await Site.start({ flags: ["--log-file", file] });
  await until("the first lines", () => existsSync(file) && readFileSync(file, "utf8").includes("running at"));
  renameSync(file, `${file}.1`);
  site.process.kill("SIGHUP");
  await until("the new file", () => existsSync(file) && readFileSync(file, "utf8").includes("SIGHUP"));
  same((await site.request("GET", "/healthz")).status, 200, "it serves on");
  await site.stop();
  const [old, fresh] = [readFileSync(`${file}.1`, "utf8"), readFileSync(file, "utf8")];
  holds(/running at/.test(old) && !/SIGTERM|stopped/.test(old), "the old file ends");
  holds(/SIGTERM: stopping/.test(fresh) && /stopped/.test(fresh), "the new one goes on");
  same(site.err, "", "standard error is silent");
  await site.end();
  const bad = await runProgram(["serve", "--data", join(scratch, "x"), "--port", "0", "--log-file", join(scratch, "none", "x.log")]);
  holds(bad.code === 1 && /none\/x\.log: No such file/.test(bad.err), bad.err);
});

// Parses the exposition format and holds it to Prometheus' rules of naming.
function figures(text) {
  const families = new Map();
  const samples = new Map();
  for (const line of text.trim().split("\n")) {
    const meta = line.match(/^# (HELP|TYPE) (\S+) (.+)$/);
    if (meta) {
      const family = families.get(meta[2]) ?? {};
      holds(!(meta[1] in family), `${meta[1]} of ${meta[2]} once`);
      family[meta[1]] = meta[3];
      families.set(meta[2], family);
      continue;
    }
    const sample = line.match(/^([a-z_]+)(\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? (\d+(?:\.\d+)?)$/);
    holds(sample, `a sample: ${line}`);
    const family = sample[1].replace(/_(bucket|sum|count)$/, "");
    holds(families.has(sample[1]) || families.get(family)?.TYPE === "histogram", `${sample[1]} has its type first`);
    holds(!samples.has(sample[1] + (sample[2] ?? "")), `${line} once`);
    samples.set(sample[1] + (sample[2] ?? ""), Number(sample[3]));
  }
  for (const [name, { HELP, TYPE }] of families) {
    holds(HELP && TYPE, `help and type of ${name}`);
    holds(name.startsWith("jadoube_"), name);
    same(name.endsWith("_total"), TYPE === "counter", `${name} is a ${TYPE}`);
    holds(!/_(ms|us|millis|micros|kb|mb)(_|$)/.test(name), `${name}: seconds and bytes`);
    if (TYPE === "histogram") {
      const buckets = [...samples].filter(([key]) => key.startsWith(`${name}_bucket{`)).map(([key, value]) => [key.match(/le="([^"]*)"/)[1], value]);
      same(buckets.at(-1)[0], "+Inf", `the last bucket of ${name}`);
      same(buckets.at(-1)[1], samples.get(`${name}_count`), `the count of ${name}`);
      for (let i = 1; i < buckets.length; i++) holds(buckets[i][1] >= buckets[i - 1][1] && (i === buckets.length - 1 || Number(buckets[i][0]) > Number(buckets[i - 1][0])), `${name} rises`);
    }
  }
  return samples;
}

test("the figures", async () => {
  const site = await Site.start();
  const { white, black, game } = await newGame(site);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  same((await white.socket.ask("move", { game, ply: 2, uci: "e4e6" })).d.code, "illegal_move", "a bad move");
  await site.request("GET", "/api/v1/nothing");
  // What is on its way to the disk, and signs of life are all the while, is in the queues.
  let answer;
  await until("a moment when nothing waits for the disk", async () => {
    answer = await site.request("GET", "/metrics");
    return /^jadoube_store_queued 0$/m.test(answer.text) && /^jadoube_steps_held 0$/m.test(answer.text);
  });
  const { text, headers } = answer;
  same(headers["content-type"], "text/plain; version=0.0.4; charset=utf-8", "its type");
  const now = figures(text);
  const figure = (name) => now.get(`jadoube_${name}`);
  same([figure("moves_total"), figure("games_running"), figure("games_started_total"), figure("websockets"), figure("ready")], [2, 1, 1, 2, 1], "games, moves, people");
  same([figure('errors_total{code="illegal_move"}'), figure('errors_total{code="not_found"}'), figure('errors_total{code="internal"}')], [1, 1, 0], "errors by code");
  holds(figure("commit_seconds_count") > 0 && figure("commit_seconds_sum") > 0 && figure("commit_seconds_count") === figure("commits_total"), "commits");
  holds(figure("move_echo_seconds_count") >= 2, "echo of moves");
  holds(figure("resident_bytes") > 1e6 && figure("data_free_bytes") > 0 && figure("connections_limit") >= 16, "the system");
  holds(Math.abs(figure("start_time_seconds") - Date.now() / 1000) < 60, "its start");
  holds([...now.keys()].some((key) => /^jadoube_build_info\{version="\d+\.\d+\.\d+",schema="\d+"\}$/.test(key)), "the program");
  holds(figure('log_lines_total{level="info"}') > 0 && figure("store_queued") === 0 && figure("steps_held") === 0, "log and queues");
  await site.end();
});

// The service manager's end of sd_notify: prints what comes.
function manager(path) {
  const child = spawn("python3", ["-u", "-c", `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace("@", "\\0", 1))
print("bound")
while True:
    print(s.recv(4096).decode())
`, path], { stdio: ["ignore", "pipe", "inherit"] });
  const self = { child, text: "" };
  child.stdout.on("data", (bytes) => (self.text += bytes));
  process.on("exit", () => child.kill());
  return self;
}

test("the service manager is told: ready, alive, stopping", async () => {
  for (const path of [join(scratch, "notify.sock"), `@jadoube-test-${process.pid}`]) {
    const systemd = manager(path);
    await until("the socket", () => systemd.text.includes("bound"));
    const site = await Site.start({ env: { NOTIFY_SOCKET: path, WATCHDOG_USEC: "200000" } });
    await until("READY", () => systemd.text.includes("READY=1"));
    await until("signs of life", () => systemd.text.split("WATCHDOG=1").length > 4);
    holds(!systemd.text.includes("STOPPING"), "not yet");
    await site.stop();
    await until("STOPPING", () => systemd.text.includes("STOPPING=1"));
    await site.end();
    systemd.child.kill();
  }
  const deaf = await Site.start({ env: { NOTIFY_SOCKET: join(scratch, "nobody.sock"), WATCHDOG_USEC: "200000", WATCHDOG_PID: "1" } });
  await deaf.end();
});

test("draining: health turns first, play goes on, then clients are told to come back", async () => {
  const drain = 6; // seconds; a slow machine has to play two moves in them
  const site = await Site.start({ flags: ["--drain", String(drain)] });
  const { white, black, game } = await newGame(site);
  const began = Date.now();
  const stopped = site.stop();
  await until("health says so", async () => (await site.request("GET", "/healthz")).status === 503);
  same(await site.metric("ready"), 0, "and the figures");
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  await black.socket.must("move", { game, ply: 1, uci: "e7e5" });
  same(await within(PATIENCE_MS, "the close", white.socket.closed), 1012, "service restart");
  holds(Date.now() - began >= 1000 * drain - 100, "after the drain");
  same((await stopped).code, 0, "a clean stop");
  await site.restart();
  same((await white.get(`/api/v1/games/${game}`)).json.ply, 2, "what was played meanwhile is there");
  await site.end();
});

test("what is being committed when the signal comes is there, and whoever was told was told the truth", async () => {
  for (let round = 0; round < 3; round++) {
    const site = await Site.start({ flags: ["--rate-limits", "off"] });
    const { white, black, game } = await newGame(site);
    const moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7"];
    let told = 0;
    const playing = (async () => {
      for (const uci of moves) {
        const answer = await (told % 2 ? black : white).socket.ask("move", { game, ply: told, uci });
        if (answer.t !== "ack") return;
        told++;
      }
    })().catch(() => {});
    await sleep(5 + 10 * round);
    const ended = await site.stop();
    same(ended.code, 0, "a clean stop");
    same(await within(PATIENCE_MS, "the close", white.socket.closed), 1012, "the client knows that it may come back");
    await Promise.race([playing, sleep(100)]);
    await site.restart();
    const now = (await white.get(`/api/v1/games/${game}`)).json;
    holds(now.ply >= told, `ply ${now.ply}, told of ${told}`);
    await site.end();
  }
});

test("the units are what systemd understands", async () => {
  const folder = new URL("../../packaging/systemd", import.meta.url).pathname;
  try {
    execFileSync("systemd-analyze", ["--version"], { stdio: "ignore" });
  } catch {
    return;
  }
  for (const unit of ["jadoube.service", "jadoube-backup.service", "jadoube-backup.timer"]) {
    let said = "";
    try {
      said = execFileSync("systemd-analyze", ["verify", "--man=no", join(folder, unit)], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    } catch (error) {
      said = String(error.stderr);
    }
    // The program need not be installed here, nor a manager run.
    const faults = said.split("\n").filter((line) => line && !/not executable|No such file|Failed to (connect|create|load)|bus|postgresql|redis/.test(line));
    same(faults, [], unit);
  }
});

await runTests();
