// SPDX-License-Identifier: GPL-3.0-or-later
// The real program on a data directory of its own, people who talk to it as bots do, and a runner.
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onFreePort } from "./port.mjs";
import { databaseOf, onPostgres } from "./postgres.mjs";

// Status 77 is "skipped" for Meson.
const [{ default: WebSocket }, contract] = await Promise.all([import("ws"), import("./contract.mjs")]).catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.log("skipped: run `npm ci` in tests/ first (./dev test does)");
  process.exit(77);
});
export { databaseOf, onPostgres };
export const root = new URL("../..", import.meta.url).pathname;
export const program = process.env.JADOUBE_PROGRAM ?? join(root, "build", "jadoube");
export const host = "127.0.0.1";
// How long anything is waited for: longer than the slowest machine takes, for it is only spent where
// something is broken. How fast things are is measured by ./dev bench.
export const PATIENCE_MS = 90_000;
// A layout of the game zone that fits.
export const wideBlocks = {
  board: [0, 2, 21, 21],
  top: [0, 0, 22, 2],
  bottom: [0, 23, 22, 2],
  moves: [23, 0, 12, 14],
  captured: [0, 25, 22, 2],
  actions: [23, 14, 24, 4],
  chat: [36, 0, 12, 14],
  info: [23, 18, 25, 4],
  notes: [23, 22, 25, 5],
};
export const password = "knight on the rim 8";

// ---- running tests ---------------------------------------------------------------------------------

const cases = [];
const failures = [];
export function test(name, body) {
  cases.push({ name, body });
}

// Runs the cases in order; the status says whether all held. A name in argv picks cases.
export async function runTests() {
  const wanted = process.argv[2];
  let failed = 0;
  let passed = 0;
  for (const { name, body } of cases) {
    if (wanted && !name.includes(wanted)) continue;
    const began = Date.now();
    try {
      await body();
      passed++;
      console.log(`ok   ${name} (${Date.now() - began} ms)`);
    } catch (error) {
      failed++;
      failures.push(name);
      console.log(`FAIL ${name}: ${error.stack ?? error}`);
    }
  }
  for (const site of [...sites]) {
    try {
      await site.end();
    } catch (error) {
      failed++;
      failures.push("the end");
      console.log(`FAIL the end: ${error.message}`);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) console.log(`failed cases: ${failures.join("; ")}`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

export function same(actual, expected, what) {
  const a = JSON.stringify(actual);
  const b = JSON.stringify(expected);
  if (a !== b) throw new Error(`${what}: ${a}, expected ${b}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(`does not hold: ${what}`);
}

// The status that goes with a code, from the table of docs/protocol.md.
const statusOf = new Map();
for (const line of readFileSync(join(root, "docs/protocol.md"), "utf8").split("\n")) {
  const row = line.match(/^\| (\d{3}) \| (.*) \|$/);
  for (const [, code] of row ? row[2].matchAll(/`([a-z_]+)`/g) : []) if (!statusOf.has(code)) statusOf.set(code, Number(row[1]));
}
function codeFits({ status, json }) {
  if (statusOf.get(json.error.code) !== status)
    throw new Error(`code ${json.error.code} with status ${status}, docs/protocol.md says ${statusOf.get(json.error.code)}`);
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Looks until what is seen is as wanted (without a third argument: until it holds).
export async function eventually(what, look, ...rest) {
  const end = Date.now() + PATIENCE_MS;
  const wanted = rest.length > 0 ? JSON.stringify(rest[0]) : null;
  for (;;) {
    const seen = await look();
    if (wanted === null ? seen : JSON.stringify(seen) === wanted) return;
    if (Date.now() > end) throw new Error(wanted === null ? `does not hold: ${what}` : `${what}: ${JSON.stringify(seen)}, expected ${wanted}`);
    await sleep(50);
  }
}

// Asks in bursts until an answer is the one of who asks too often: one after the other may be slow enough
// to be allowed.
export async function tooOften(ask) {
  for (let burst = 0; burst < 40; burst++) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => ask(50 * burst + i)));
    const refused = answers.find((answer) => answer.status !== 200);
    if (refused) return refused;
  }
  throw new Error("never too often");
}

export async function within(ms, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms} ms: ${what}`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

// How many answers of HTTP have come to their end.
function wholeAnswers(text) {
  let count = 0;
  for (let at = 0; ; count++) {
    const end = text.indexOf("\r\n\r\n", at);
    if (end < 0) return count;
    const head = text.slice(at, end);
    at = end + 4 + Number(head.match(/^content-length: *(\d+)/im)?.[1] ?? 0);
    if (text.length < at) return count;
  }
}

// ---- the program -----------------------------------------------------------------------------------

const sites = new Set();

// Whatever ends the test ends the programs it began.
process.on("exit", () => {
  for (const site of sites) {
    site.process?.kill("SIGKILL");
    if (site.temporary) rmSync(site.data, { recursive: true, force: true });
  }
});

// Runs the program to its end: {code, signal, out, err}.
export function runProgram(args, { env, timeout = 2 * PATIENCE_MS } = {}) {
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...databaseOf(args), ...env } });
    const result = { out: "", err: "" };
    const timer = setTimeout(() => child.kill("SIGKILL"), timeout);
    child.stdout.on("data", (bytes) => (result.out += bytes));
    child.stderr.on("data", (bytes) => (result.err += bytes));
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      done({ code, signal, ...result });
    });
  });
}

export class Site {
  static async start(options = {}) {
    const site = new Site();
    site.temporary = !options.data;
    site.data = options.data ?? (await mkdtemp(join(tmpdir(), "jadoube-net-")));
    site.flags = options.flags ?? [];
    site.env = options.env ?? {};
    site.before = options.before ?? []; // a command that starts the program
    sites.add(site);
    return onFreePort(async (port) => {
      site.port = options.port ?? port;
      await site.launch();
      return site;
    });
  }

  async launch() {
    // What the captcha asks is tested by itself (captcha.mjs); everybody else goes past it.
    const flags = ["serve", "--data", this.data, "--host", host, "--port", String(this.port), "--captcha", "off", ...this.flags];
    const began = Date.now();
    const [command, ...rest] = [...this.before, program, ...flags];
    this.process = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...databaseOf(flags), ...this.env } });
    this.exited = new Promise((done) => this.process.once("exit", (code, signal) => done({ code, signal })));
    this.out = "";
    this.err = "";
    this.process.stderr.on("data", (bytes) => {
      this.err += bytes;
      this.said = (this.said ?? "") + bytes; // in all its lives
    });
    await within(
      Number(process.env.JADOUBE_START_MS ?? PATIENCE_MS),
      "the program says where it listens",
      new Promise((resolve, reject) => {
        this.process.stdout.on("data", (bytes) => {
          this.out += bytes;
          const match = this.out.match(/http:\/\/[^/\s]+:(\d+)/);
          if (!match) return;
          this.port = Number(match[1]);
          resolve();
        });
        this.exited.then(({ code, signal }) => reject(new Error(`ended at start: ${code ?? signal} ${this.err}`)));
      }),
    );
    this.startMs = Date.now() - began;
    this.origin = `http://${host}:${this.port}`;
  }

  // SIGKILL: no chance to say goodbye.
  async kill() {
    this.process.kill("SIGKILL");
    await this.exited;
  }

  async restart() {
    await this.launch();
  }

  async stop(signal = "SIGTERM") {
    this.process.kill(signal);
    return within(PATIENCE_MS, "the program stops", this.exited);
  }

  async end() {
    sites.delete(this);
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const { code, signal } = await this.stop();
      if (code !== 0) throw new Error(`the program ended with ${code ?? signal}: ${this.err}`);
    }
    if (this.temporary) await rm(this.data, { recursive: true, force: true });
    // A sanitizer that does not end the program speaks here.
    if (/ERROR: \w+Sanitizer|WARNING: \w+Sanitizer|runtime error:/.test(this.err)) throw new Error(this.err);
  }

  // One request. body: an object is sent as JSON; text as it is. Answers {status, headers, text, json}.
  request(method, path, { body, headers = {}, origin = this.origin, cookie, agent } = {}) {
    return new Promise((resolve, reject) => {
      const sent = { ...headers };
      let bytes;
      if (body !== undefined) {
        bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
        sent["Content-Length"] ??= bytes.length;
        sent["Content-Type"] ??= "application/json";
      }
      if (origin && method !== "GET") sent.Origin ??= origin;
      if (cookie) sent.Cookie = cookie;
      const call = http.request({ host, port: this.port, method, path, headers: sent, agent }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => {
          const data = Buffer.concat(parts);
          const text = data.toString("utf8");
          const result = { status: answer.statusCode, headers: answer.headers, text, data };
          try {
            if ((answer.headers["content-type"] ?? "").startsWith("application/json") && text) result.json = JSON.parse(text);
            if (result.json?.error) codeFits(result);
            contract.check(method, path, result);
            resolve(result);
          } catch (error) {
            reject(error);
          }
        });
      });
      call.on("error", reject);
      call.setTimeout(PATIENCE_MS, () => call.destroy(new Error(`no answer to ${method} ${path}`)));
      if (bytes) call.write(bytes);
      call.end();
    });
  }

  // Bytes as they are, and what comes back until the server closes, or has given so many whole answers. silent:
  // it may say nothing at all, and is listened to for a while.
  raw(bytes, { answers = 1, silent = false } = {}) {
    return new Promise((resolve) => {
      const socket = net.connect(this.port, host);
      let text = "";
      let closed = false;
      const done = () => {
        clearTimeout(timer);
        socket.destroy();
        resolve({ text, closed });
      };
      const timer = setTimeout(done, silent ? 300 : PATIENCE_MS);
      socket.setEncoding("latin1"); // a byte is a character: lengths are counted
      socket.on("connect", () => {
        for (const part of [].concat(bytes)) socket.write(part);
      });
      socket.on("data", (part) => {
        text += part;
        if (!silent && wholeAnswers(text) >= answers) done();
      });
      socket.on("error", () => {
        closed = true;
        done();
      });
      socket.on("close", () => {
        closed = true;
        done();
      });
    });
  }

  // One command of `jadoube admin`, which finds the running site by its data directory.
  async admin(...words) {
    const { code, out, err } = await runProgram(["admin", "--data", this.data, ...words]);
    return { code, text: out + err };
  }

  async metric(name) {
    const { text } = await this.request("GET", "/metrics");
    const line = text.split("\n").find((row) => row.startsWith(`jadoube_${name} `));
    return line ? Number(line.split(" ")[1]) : undefined;
  }
}

// ---- people ----------------------------------------------------------------------------------------

let serial = 0;

export class Person {
  constructor(site, nick) {
    this.site = site;
    this.nick = nick ?? `Player-${process.pid % 1000}-${++serial}`;
  }

  static async register(site, nick, extra = {}) {
    const person = new Person(site, nick);
    const body = { nick: person.nick, password, password2: password, language: "en", accept_rules: true, ...extra };
    const answer = await site.request("POST", "/api/v1/register", { body });
    if (answer.status !== 201) throw new Error(`register ${person.nick}: ${answer.status} ${answer.text}`);
    person.me = answer.json.me;
    person.takeCookie(answer);
    return person;
  }

  takeCookie(answer) {
    const set = answer.headers["set-cookie"]?.[0];
    if (set) this.cookie = set.split(";")[0];
  }

  request(method, path, options = {}) {
    return this.site.request(method, path, { cookie: this.cookie, ...options });
  }
  get(path) {
    return this.request("GET", path);
  }
  post(path, body = {}) {
    return this.request("POST", path, { body });
  }

  put(path, body = {}) {
    return this.request("PUT", path, { body });
  }

  connect(options = {}) {
    return Socket.open(this.site, { cookie: this.cookie, ...options });
  }
}

// A WebSocket that keeps what it hears and lets one wait for it.
export class Socket {
  static open(site, { cookie, origin = site.origin, protocols = ["chess.v1"], path = "/ws", headers = {}, autoPong = true } = {}) {
    const sent = { ...headers };
    if (cookie) sent.Cookie = cookie;
    const ws = new WebSocket(`ws://${host}:${site.port}${path}`, protocols, { headers: sent, origin: origin ?? undefined, autoPong });
    const socket = new Socket(ws);
    return new Promise((resolve, reject) => {
      ws.once("open", () => resolve(socket));
      ws.once("unexpected-response", (_, answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("end", () => {
          const error = new Error(`refused with ${answer.statusCode}`);
          error.status = answer.statusCode;
          error.text = Buffer.concat(parts).toString();
          reject(error);
        });
      });
      ws.once("error", reject);
    });
  }

  constructor(ws) {
    this.ws = ws;
    this.heard = [];
    this.waiting = [];
    this.next = 1;
    ws.on("message", (bytes) => this.take(JSON.parse(bytes.toString())));
    ws.on("error", () => {});
    this.closed = new Promise((done) => ws.once("close", (code) => done(code)));
  }

  take(message) {
    this.heard.push(message);
    for (const entry of [...this.waiting]) {
      if (!entry.fits(message)) continue;
      this.waiting.splice(this.waiting.indexOf(entry), 1);
      entry.done(message);
    }
  }

  // The next message, from now on or among those heard since from, that fits.
  wait(fits, what = "a message", ms = PATIENCE_MS, from = this.heard.length) {
    const before = this.heard.slice(from).find(fits);
    if (before) return Promise.resolve(before);
    const heard = within(ms, what, new Promise((done) => this.waiting.push({ fits, done })));
    heard.catch(() => {}); // whoever awaits it says so; when a case has failed before, nobody does
    return heard;
  }

  send(t, d = {}, id) {
    this.ws.send(JSON.stringify(id === undefined ? { t, d } : { t, id, d }));
  }

  // Sends with a number of its own and waits for the answer of that number.
  ask(t, d = {}) {
    const id = this.next++;
    const answer = this.wait((message) => message.id === id, `the answer to ${t}`);
    this.send(t, d, id);
    return answer;
  }

  async must(t, d = {}) {
    const answer = await this.ask(t, d);
    if (answer.t === "error") throw new Error(`${t} ${JSON.stringify(d)}: ${JSON.stringify(answer.d)}`);
    return answer;
  }

  close() {
    this.ws.close();
    return this.closed;
  }
}

export const blitz = { kind: "clock", base_ms: 300000, increment_ms: 3000, delay_ms: 0 };
export const slow = { kind: "days", days: 3 };

// Two people and a game between them, white and black; both follow it.
export async function newGame(site, control = blitz) {
  const white = await Person.register(site);
  const black = await Person.register(site);
  const challenge = await white.post("/api/v1/challenges", { control, color: "white", rated: false });
  if (challenge.status !== 201) throw new Error(`challenge: ${challenge.text}`);
  const joined = await black.post(`/api/v1/challenges/${challenge.json.id}/join`);
  if (joined.status !== 200) throw new Error(`join: ${joined.text}`);
  const game = joined.json.game;
  for (const person of [white, black]) {
    person.socket = await person.connect();
    const state = person.socket.wait((m) => m.t === "game" && m.d.id === game, "the game");
    await person.socket.must("sub", { ch: `game:${game}` });
    person.state = (await state).d;
  }
  return { white, black, game, challenge: challenge.json };
}
