// SPDX-License-Identifier: GPL-3.0-or-later
// Starting and stopping: one clear line when it cannot, and a clean end when it is asked to.
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync, truncateSync, statSync } from "node:fs";
import { execFileSync } from "node:child_process";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_MS, Person, Site, holds, host, newGame, runProgram, runTests, same, sleep, slow, test, within } from "./harness.mjs";

const scratch = mkdtempSync(join(tmpdir(), "jadoube-start-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const dir = (name) => join(scratch, name);

function oneLine(result, pattern) {
  same([result.code, result.signal], [1, null], "exit status");
  const lines = result.err.trim().split("\n").filter((line) => line.startsWith("jadoube: "));
  same(lines.length, 1, `lines on standard error: ${result.err}`);
  holds(pattern.test(lines[0]), `${lines[0]} fits ${pattern}`);
  same(result.out, "", "standard output");
}

const serve = (...flags) => runProgram(["serve", "--host", host, "--port", "0", ...flags]);

// How fast it starts and how much it takes is measured by ./dev bench footprint.
test("it starts on nothing and stays small", async () => {
  const site = await Site.start();
  same(site.out.trim(), `jadoube is running at http://${host}:${site.port}/`, "what it says");
  same((await site.request("GET", "/healthz")).json, { status: "ok" }, "health");
  await sleep(500);
  const resident = await site.metric("resident_bytes");
  if (!process.env.JADOUBE_SANITIZED) holds(resident < 30 * 1024 * 1024, `${(resident / 1048576).toFixed(1)} MiB resident`);
  same((await site.stop()).code, 0, "SIGTERM");
  await site.end();
});

test("SIGINT stops it as well, and clients are told", async () => {
  const site = await Site.start();
  const { white, black, game } = await newGame(site);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  const stopped = site.stop("SIGINT");
  same([await within(PATIENCE_MS, "white", white.socket.closed), await within(PATIENCE_MS, "black", black.socket.closed)], [1012, 1012], "close codes");
  same((await stopped).code, 0, "exit status");
  await site.restart();
  same((await white.get(`/api/v1/games/${game}`)).json.ply, 1, "the game is there again");
  await site.end();
});

test("a port that is taken", async () => {
  const other = net.createServer().listen(0, host);
  await new Promise((done) => other.once("listening", done));
  const { port } = other.address();
  oneLine(await runProgram(["serve", "--host", host, "--port", String(port), "--data", dir("taken")]), new RegExp(`port ${port}.*taken`));
  other.close();
});

test("a host that is not ours", async () => {
  oneLine(await runProgram(["serve", "--host", "192.0.2.1", "--port", "0", "--data", dir("host")]), /192\.0\.2\.1/);
  oneLine(await runProgram(["serve", "--host", "no such host", "--port", "0", "--data", dir("host")]), /no such host/);
});

test("a data directory that is none", async () => {
  writeFileSync(dir("file"), "");
  oneLine(await serve("--data", dir("file")), /file.*it is a file|Not a directory/);
  oneLine(await serve("--data", join(dir("file"), "below")), /file/);
  oneLine(await serve("--data", "/proc/jadoube"), /\/proc\/jadoube/);
});

test("a data directory that another process holds", async () => {
  const site = await Site.start({ data: dir("held") });
  oneLine(await serve("--data", site.data), /held|lock|use/i);
  same((await site.request("GET", "/healthz")).status, 200, "the first goes on");
  await site.end();
});

// A database of our own, stopped cleanly.
async function filledDatabase(name) {
  const site = await Site.start({ data: dir(name) });
  await Person.register(site);
  await site.end();
  return join(site.data, "jadoube.db");
}

test("a database of a newer program is left alone", async () => {
  const file = await filledDatabase("newer");
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(60000, 60); // user_version
  writeFileSync(file, bytes);
  oneLine(await serve("--data", dir("newer")), /newer/);
  holds(readFileSync(file).equals(bytes), "not one byte is changed");
});

test("a database of another program is left alone", async () => {
  const file = await filledDatabase("foreign");
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(0x12345678, 68); // application_id
  writeFileSync(file, bytes);
  oneLine(await serve("--data", dir("foreign")), /jadoube\.db/);
  holds(readFileSync(file).equals(bytes), "not one byte is changed");
});

test("a damaged database is left alone", async () => {
  const file = await filledDatabase("damaged");
  const good = readFileSync(file);
  const spoil = {
    "text in its place": () => Buffer.from("this is no database\n".repeat(100)),
    "cut in half": () => good.subarray(0, (good.length / 2) & ~511),
    "a page of noise": () => {
      const bytes = Buffer.from(good);
      for (let at = 4096; at < 8192; at++) bytes[at] = (at * 2654435761) >>> 24;
      return bytes;
    },
    "a torn header": () => {
      const bytes = Buffer.from(good);
      bytes.fill(0xff, 16, 40);
      return bytes;
    },
  };
  for (const [name, make] of Object.entries(spoil)) {
    const bytes = make();
    writeFileSync(file, bytes);
    oneLine(await serve("--data", dir("damaged")), /jadoube\.db/);
    holds(readFileSync(file).equals(bytes), `${name}: not one byte is changed`);
  }
});

test("settings by file, environment and flags", async () => {
  mkdirSync(dir("settings"));
  const file = join(dir("settings"), "jadoube.conf");
  writeFileSync(file, `# test\ndata = ${dir("settings")}/data\nregistration = off\nmetrics = all\n`);
  const site = await Site.start({ data: `${dir("settings")}/data`, flags: ["--config", file], env: { JADOUBE_METRICS: "off" } });
  same((await site.request("GET", "/metrics")).status, 404, "the environment is stronger than the file");
  const body = { nick: "Too-Late", password: "knight on the rim", password2: "knight on the rim", language: "en", accept_rules: true };
  same((await site.request("POST", "/api/v1/register", { body })).json.error.code, "closed", "registration is closed");
  await site.end();
  const bad = await runProgram(["serve", "--config", file, "--port", "many"]);
  same(bad.code, 2, "a bad flag is wrong usage");
  writeFileSync(file, "prot = 80\n");
  const typo = await runProgram(["serve", "--config", file]);
  same(typo.code, 1, "a bad file");
  holds(/line 1.*prot/.test(typo.err), typo.err);
});

test("a client that waits to be asked for the body is asked", async () => {
  const site = await Site.start();
  const body = '{"login":"nobody","password":"wrong wrong","remember":false}';
  const socket = net.connect(site.port, host);
  let text = "";
  socket.on("data", (part) => (text += part));
  socket.write(`POST /api/v1/login HTTP/1.1\r\nHost: ${host}:${site.port}\r\nOrigin: ${site.origin}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`);
  await within(PATIENCE_MS, "100 Continue", (async () => { while (!text.startsWith("HTTP/1.1 100 Continue\r\n\r\n")) await sleep(10); })());
  socket.write(body);
  await within(PATIENCE_MS, "the answer", (async () => { while (!text.includes("HTTP/1.1 401")) await sleep(10); })());
  socket.destroy();
  await site.end();
});

test("an origin that was set is the only one", async () => {
  const site = await Site.start({ flags: ["--origin", "https://chess.example https://www.chess.example"] });
  const body = { login: "a", password: "b", remember: false };
  for (const [origin, code] of [["https://chess.example", "bad_credentials"], ["https://www.chess.example", "bad_credentials"], [site.origin, "bad_origin"], ["http://chess.example", "bad_origin"]])
    same((await site.request("POST", "/api/v1/login", { body, origin })).json.error.code, code, origin);
  const made = await site.request("POST", "/api/v1/register", {
    origin: "https://chess.example",
    body: { nick: "Secure", password: "knight on the rim 8", password2: "knight on the rim 8", language: "ro", accept_rules: true },
  });
  holds(/^__Host-jadoube=.*; Secure/.test(made.headers["set-cookie"][0]), "the cookie is for https only");
  same(made.headers["strict-transport-security"], "max-age=31536000", "HSTS");
  holds(made.headers["content-security-policy"].includes("connect-src 'self' wss://chess.example wss://www.chess.example"), "the WebSocket may be opened");
  await site.end();
});

test("limits of one address", async () => {
  const site = await Site.start();
  const answers = [];
  for (let i = 0; i < 75; i++) answers.push(await site.request("POST", "/api/v1/login", { body: { login: `nobody-${i}` } }));
  const limited = answers.filter((answer) => answer.status === 429);
  holds(limited.length >= 5, "some are refused");
  same(limited[0].json.error.code, "rate_limited", "code");
  holds(limited[0].json.error.retry_after >= 1 && Number(limited[0].headers["retry-after"]) >= 1, "when to come again");
  same((await site.request("GET", "/api/v1/challenges")).status, 200, "other requests are not touched");
  await site.end();
});

test("a system clock that was set back does not stop the games' clocks", async () => {
  const site = await Site.start();
  const { white, black, game } = await newGame(site, slow);
  await white.socket.must("move", { game, ply: 0, uci: "e2e4" });
  for (const person of [white, black]) await person.socket.close();
  await site.stop();
  // As if the last sign of life had been written by a clock an hour ahead.
  const change = "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute(\"update meta set value=value+3600000 where key='net.alive'\"); d.commit()";
  execFileSync("/usr/bin/python3", ["-c", change, join(site.data, "jadoube.db")]);
  await site.restart();
  const first = (await black.get(`/api/v1/games/${game}`)).json.clocks;
  await sleep(300);
  const second = (await black.get(`/api/v1/games/${game}`)).json.clocks;
  holds(first.black - second.black >= 250, `black's clock runs: ${first.black}, then ${second.black}`);
  holds(/behind the log/.test(site.err), "the operator is told");
  await site.end();
});

test("behind a proxy the client is whom the proxy names last", async () => {
  const site = await Site.start({ flags: ["--behind-proxy", "on"] });
  const attempt = (forwarded) =>
    site.request("POST", "/api/v1/login", { body: { login: "nobody", password: "wrong wrong", remember: false }, headers: { "X-Forwarded-For": forwarded } });
  let last;
  for (let i = 0; i < 45; i++) last = await attempt(`10.${i}.0.1, 203.0.113.7`);
  same(last.status, 429, "what stands before is not believed");
  same((await attempt("198.51.100.8")).status, 401, "another client is not touched");
  same((await site.request("GET", "/metrics", { headers: { "X-Forwarded-For": "203.0.113.8" } })).status, 404, "figures are not for him");
  await site.end();
});

test("static files: coding, names, pages", async () => {
  const site = await Site.start();
  const page = await site.request("GET", "/", { headers: { "Accept-Encoding": "gzip, br" } });
  same(page.status, 200, "page");
  same(page.headers["cache-control"], "no-cache", "the page is asked for each time");
  holds(page.headers.etag && page.headers.vary === "Accept-Encoding", "ETag, Vary");
  const same304 = await site.request("GET", "/", { headers: { "If-None-Match": page.headers.etag } });
  same([same304.status, same304.text], [304, ""], "not modified");
  const csp = page.headers["content-security-policy"];
  holds(csp.includes("default-src 'none'") && csp.includes("script-src 'self' 'wasm-unsafe-eval'") && !csp.includes("unsafe-inline"), "CSP");
  same(page.headers["x-content-type-options"], "nosniff", "nosniff");
  const plain = await site.request("GET", "/");
  for (const [script] of plain.text.matchAll(/\/assets\/main-[\w-]+\.js/g)) {
    const file = await site.request("GET", script, { headers: { "Accept-Encoding": "br" } });
    same([file.status, file.headers["content-encoding"], file.headers["cache-control"]], [200, "br", "public, max-age=31536000, immutable"], "a script");
    const raw = await site.request("GET", script);
    same(raw.headers["content-encoding"], undefined, "identity");
    holds(raw.data.length > file.data.length, "compressed is smaller");
  }
  mkdirSync(dir("client"));
  writeFileSync(join(dir("client"), "index.html"), "<!doctype html><title>mine</title>");
  writeFileSync(join(dir("client"), ".secret"), "no");
  await site.end();
  const dev = await Site.start({ flags: ["--static", dir("client")] });
  holds((await dev.request("GET", "/login")).text.includes("mine"), "a folder in its place");
  for (const path of ["/.secret", "/../file", "/%2e%2e/file"]) same((await dev.request("GET", path)).status, 404, path);
  await dev.end();
});

test("a large answer to a slow reader does not hold up others", async () => {
  const big = dir("big");
  mkdirSync(big);
  writeFileSync(join(big, "index.html"), "x");
  writeFileSync(join(big, "large.bin"), Buffer.alloc(6 * 1024 * 1024, 7));
  const site = await Site.start({ flags: ["--static", big] });
  const socket = net.connect(site.port, host);
  socket.on("error", () => {});
  socket.write(`GET /large.bin HTTP/1.1\r\nHost: ${host}:${site.port}\r\n\r\n`);
  await sleep(100);
  socket.pause();
  for (let i = 0; i < 20; i++) same((await site.request("GET", "/healthz")).status, 200, "others are answered while he does not read");
  let size = 0;
  socket.on("data", (part) => (size += part.length));
  socket.resume();
  await within(PATIENCE_MS, "all of it", (async () => { while (size < 6 * 1024 * 1024) await sleep(20); })());
  socket.destroy();
  await site.end();
});

await runTests();
