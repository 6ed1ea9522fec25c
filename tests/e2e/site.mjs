// SPDX-License-Identifier: GPL-3.0-or-later
// The real program on a data directory of its own, and the real browser in front of it.
//
// A page draws when it gets to it: what is read right after a click may be what stood there before.
// So whatever a test asks of a page it asks by eventually(), which looks until it is as wanted; same()
// and holds() are for values that are in the hand already and will not change.
//
// A fast machine hides a test that forgets this. The environment makes it slow, as often as one likes:
//   JADOUBE_SLOW_BROWSER=6     every page computes six times slower
//   JADOUBE_SLOW_NETWORK=150   every request takes so many milliseconds longer
//   JADOUBE_JITTER=200         a pause by chance, up to so many milliseconds, before every act and look
import { execFile, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { onFreePort } from "../net/port.mjs";
import { databaseOf } from "../net/postgres.mjs";

const root = new URL("../..", import.meta.url).pathname;
export const program = process.env.JADOUBE_PROGRAM ?? join(root, "build", "jadoube");

const slower = Math.max(1, Number(process.env.JADOUBE_SLOW_BROWSER ?? 1));
const latency = Number(process.env.JADOUBE_SLOW_NETWORK ?? 0);
const jitter = Number(process.env.JADOUBE_JITTER ?? 0);
// How long a state may be waited for: longer than the slowest machine takes, for it is only spent
// where something is broken.
export const PATIENCE_MS = 30_000 * Math.max(1, slower / 2);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Looks until what is seen is as wanted (without a third argument: until it holds). what: a text, or
// what makes one at the end.
export async function eventually(what, look, ...rest) {
  const end = Date.now() + PATIENCE_MS;
  const wanted = rest.length > 0 ? JSON.stringify(rest[0]) : null;
  for (let wait = 20; ; wait = Math.min(250, wait * 1.5)) {
    let seen;
    try {
      seen = await look();
      if (wanted === null ? seen : JSON.stringify(seen) === wanted) return;
    } catch (error) {
      if (Date.now() > end) throw error; // else: a page that is just being left, an element that is not there yet
    }
    if (Date.now() > end) {
      const text = typeof what === "function" ? await what() : what;
      throw new Error(wanted === null ? `does not hold: ${text}` : `${text}: ${JSON.stringify(seen)}, expected ${wanted}`);
    }
    await pause(wait);
  }
}

// Whatever ends a test ends the programs it began.
const sites = new Set();
process.on("exit", () => {
  for (const site of sites) site.process?.kill("SIGKILL");
});

// Starts `jadoube serve` and resolves when it says where it listens.
export class Site {
  static async start(options = {}) {
    const site = new Site();
    site.data = options.data ?? (await mkdtemp(join(tmpdir(), "jadoube-e2e-")));
    site.flags = options.flags ?? [];
    return onFreePort(async (port) => {
      site.port = options.port ?? port;
      await site.#launch();
      return site;
    });
  }

  async #launch() {
    sites.add(this);
    const flags = ["serve", "--data", this.data, "--host", "127.0.0.1", "--port", String(this.port), "--captcha", "off", ...this.flags];
    this.process = spawn(program, flags, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...databaseOf(flags) } });
    this.exited = new Promise((done) => this.process.once("exit", (code, signal) => done({ code, signal })));
    let said = "";
    this.errors = "";
    this.process.stderr.on("data", (bytes) => (this.errors += bytes));
    this.url = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no address printed: ${said}${this.errors}`)), PATIENCE_MS);
      this.process.stdout.on("data", (bytes) => {
        said += bytes;
        const match = said.match(/http:\/\/[^\s]+/);
        if (match) {
          clearTimeout(timer);
          resolve(match[0].replace(/\/$/, ""));
        }
      });
      this.exited.then(({ code, signal }) => reject(new Error(`ended at start (${code ?? signal}): ${this.errors}`)));
    });
    this.port = Number(new URL(this.url).port);
  }

  // SIGKILL: no chance to say goodbye.
  async kill() {
    this.process.kill("SIGKILL");
    await this.exited;
  }

  // Again on the same data and port.
  async restart() {
    await this.#launch();
  }

  // A command of the operator, who reaches the running site by its data directory.
  async admin(...words) {
    const args = ["admin", "--data", this.data, ...words];
    const { stdout } = await promisify(execFile)(program, args, { env: { ...process.env, ...databaseOf(args) } });
    return stdout;
  }

  // A number of /metrics, by its name without "jadoube_".
  async metric(name) {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const line = text.split("\n").find((row) => row.startsWith(`jadoube_${name} `));
    return line ? Number(line.split(" ")[1]) : undefined;
  }

  async stop() {
    this.process.kill("SIGTERM");
    const { code } = await this.exited;
    sites.delete(this);
    await rm(this.data, { recursive: true, force: true });
    return code;
  }
}

export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath: process.env.JADOUBE_CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required",
    ],
  });
  const { newContext } = browser;
  browser.newContext = async (options) => {
    const context = await newContext.call(browser, options);
    context.setDefaultTimeout(PATIENCE_MS);
    const { newPage } = context;
    context.newPage = async () => {
      const page = await newPage.call(context);
      await slowDown(page);
      return page;
    };
    return context;
  };
  return browser;
}

async function slowDown(page) {
  if (slower > 1 || latency > 0) {
    const cdp = await page.context().newCDPSession(page);
    if (slower > 1) await cdp.send("Emulation.setCPUThrottlingRate", { rate: slower });
    if (latency > 0) {
      await cdp.send("Network.enable");
      await cdp.send("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 });
    }
  }
  if (jitter > 0) hesitate(page);
}

// Pauses by chance in everything that is done to a page or read from it.
const HESITANT = [
  ["click", "fill", "check", "uncheck", "setChecked", "selectOption", "press", "focus", "tap", "innerText", "textContent", "count",
    "getAttribute", "isVisible", "isChecked", "isDisabled", "inputValue", "boundingBox", "evaluate", "evaluateAll", "allInnerTexts"],
  ["click", "move", "down", "up", "press", "tap"],
];
const hesitant = new WeakSet();
function hesitate(page) {
  const acting = [page.locator("html"), page.mouse, page.keyboard, page.touchscreen].map(Object.getPrototypeOf);
  for (const [i, prototype] of acting.entries()) {
    if (hesitant.has(prototype)) continue;
    hesitant.add(prototype);
    for (const name of HESITANT[Math.min(i, 1)]) {
      const act = prototype[name];
      if (!act) continue;
      prototype[name] = async function (...args) {
        await pause(Math.random() * jitter);
        return act.apply(this, args);
      };
    }
  }
}

const everybody = new Set(); // whose browser is open

// A person: a browser profile of his own, watched for faults and for requests that leave the site.
export class Person {
  static async open(browser, site, nick, options = {}) {
    const person = new Person();
    everybody.add(person);
    person.site = site;
    person.nick = nick;
    person.context = await browser.newContext({
      locale: options.locale ?? "en-GB",
      viewport: options.viewport ?? { width: 1280, height: 720 },
      isMobile: options.mobile ?? false,
      hasTouch: options.mobile ?? false,
      deviceScaleFactor: options.scale ?? 1,
      colorScheme: options.theme ?? "light",
      reducedMotion: options.motion ?? "reduce",
    });
    person.context.once("close", () => everybody.delete(person));
    person.page = await person.context.newPage();
    person.faults = [];
    person.page.on("pageerror", (error) => person.faults.push(`error: ${error.message}`));
    person.page.on("console", (message) => {
      if (message.type() === "error" && !/Failed to load resource|WebSocket connection|ERR_CONNECTION/.test(message.text()))
        person.faults.push(`console: ${message.text()}`);
    });
    person.page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(person.site.url) && !url.startsWith("data:") && !url.startsWith("blob:"))
        person.faults.push(`foreign request: ${url}`);
    });
    return person;
  }

  async go(path) {
    await this.page.goto(this.site.url + path);
  }

  id(name) {
    return this.page.locator(`[data-testid="${name}"]`);
  }

  // A radio or a box whose own square is not seen, only its label: a page that is still moving while it is
  // clicked moves away from under the click.
  async choose(name) {
    const box = this.id(name);
    await eventually(`${name} is chosen`, async () => {
      await box.check({ force: true, timeout: 5000 }).catch(() => {});
      return box.isChecked();
    });
  }

  async register(password = "correct horse 64") {
    await this.go("/register");
    await this.page.fill('input[name="nick"]', this.nick);
    await this.page.fill('input[name="password"]', password);
    await this.page.fill('input[name="password2"]', password);
    await this.page.check('input[name="accept"]');
    await this.id("register").click();
    await this.id("create-challenge").waitFor();
    await this.page.waitForURL(this.site.url + "/");
  }

  // Puts a challenge of one's own control into the lobby.
  async challenge({ base, increment, color, rated = true }) {
    await this.go("/");
    await this.choose("preset-own");
    await this.id("own-base").fill(String(base));
    await this.id("own-increment").fill(String(increment));
    await this.choose(`color-${color}`);
    await this.page.locator('input[name="rated"]').setChecked(rated);
    await this.id("create-challenge").click();
    await this.page.locator('[data-testid^="cancel-"]').first().waitFor();
  }

  // Joins the first challenge that somebody else has put there.
  async join() {
    await this.go("/");
    await this.page.locator('[data-testid^="join-"]').first().click();
    await this.onBoard();
  }

  async onBoard() {
    await this.page.waitForURL(/\/game\//);
    await this.page.locator('[data-testid="board"] cg-board').waitFor();
    // The board may be there before the line is; a live game begins when both boards have said so.
    await this.page.locator('html[data-line="open"]').waitFor();
    return this.page.url().replace(/.*\/game\//, "").slice(0, 12);
  }

  // Middle of a square on the screen.
  async at(square, color) {
    const box = await resting(this.page.locator('[data-testid="board"] cg-board'));
    const file = "abcdefgh".indexOf(square[0]);
    const rank = Number(square[1]) - 1;
    const column = color === "white" ? file : 7 - file;
    const row = color === "white" ? 7 - rank : rank;
    return [box.x + ((column + 0.5) * box.width) / 8, box.y + ((row + 0.5) * box.height) / 8];
  }

  async #promote(uci) {
    if (uci.length === 5) await this.id(`promo-${uci[4]}`).click();
  }

  async drag(uci, color) {
    await this.page.mouse.move(...(await this.at(uci.slice(0, 2), color)));
    await this.page.mouse.down();
    await this.page.mouse.move(...(await this.at(uci.slice(2, 4), color)), { steps: 4 });
    await this.page.mouse.up();
    await this.#promote(uci);
  }

  async click(uci, color) {
    await this.page.mouse.click(...(await this.at(uci.slice(0, 2), color)));
    await this.page.mouse.click(...(await this.at(uci.slice(2, 4), color)));
    await this.#promote(uci);
  }

  // Arrow keys on the board's grid, Enter to pick up and put down.
  async keys(uci) {
    for (const square of [uci.slice(0, 2), uci.slice(2, 4)]) await this.page.locator(`[data-square="${square}"]`).press("Enter");
    await this.#promote(uci);
  }

  async type(text) {
    await this.page.fill("#move-input", text);
    await this.page.press("#move-input", "Enter");
  }

  // Waits until the board shows so many plies.
  async seesPly(ply) {
    await eventually(`${this.nick} sees the moves made`, () => this.page.locator('[data-testid="moves"] [data-ply]').count(), ply);
  }

  async moves() {
    return this.page.locator('[data-testid="moves"] [data-ply]').allInnerTexts();
  }

  async game(id) {
    const answer = await this.page.request.get(`${this.site.url}/api/v1/games/${id}`);
    if (!answer.ok()) throw new Error(`game ${id}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  }
}

// Where something stands once it has come to rest: a picture or a font that arrives late moves it.
export async function resting(locator) {
  let box = await locator.boundingBox();
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    await pause(30);
    const now = await locator.boundingBox();
    if (now && JSON.stringify(now) === JSON.stringify(box)) return now;
    if (Date.now() > end) throw new Error(`${locator} does not come to rest: ${JSON.stringify(now)}`);
    box = now;
  }
}

// No violation of WCAG 2.2 AA that axe-core can find, and nothing that sticks out at the side. What is
// still being drawn is looked at again. all: axe-core's advice beyond WCAG, too.
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export async function accessible(person, where, { all = false } = {}) {
  const rules = all ? {} : { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };
  const look = async () => {
    await person.page.evaluate(`window.axe || (() => { ${axe} })(); 0`);
    return person.page.evaluate(async (options) => {
      const { violations } = await window.axe.run(document, options);
      const found = violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target.join(" ")} (${n.failureSummary.split("\n")[1]?.trim()})`).join("; ")}`);
      const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      return over > 0 ? [...found, `${over} px stick out at the side`] : found;
    }, rules);
  };
  let found;
  await eventually(() => `accessibility, ${where}: ${JSON.stringify(found)}`, async () => (found = await look()).length === 0);
}

// Runs named cases one after the other, cleans up, and exits with 1 when any failed. One that fails
// leaves a picture of every open page, and pages as if it had not been for the next one.
const only = process.argv[2];
export async function run(cases, cleanUp) {
  const failed = [];
  const chosen = Object.entries(cases).filter(([name]) => !only || name.includes(only));
  for (const [name, test] of chosen) {
    const started = Date.now();
    try {
      await test();
      console.log(`ok   ${name} (${Date.now() - started} ms)`);
    } catch (error) {
      failed.push(name);
      console.log(`FAIL ${name} (${Date.now() - started} ms): ${error.stack}`);
      for (const [i, person] of [...everybody].entries()) {
        await report(person, `${failed.length}-${i + 1}`).catch((e) => console.log(`  ${person.nick}: no picture: ${e.message}`));
        await tidy(person).catch((e) => console.log(`  ${person.nick}: not tidied: ${e.message}`));
      }
    }
  }
  const faults = [];
  await Promise.resolve()
    .then(cleanUp)
    .catch((error) => {
      faults.push("the end");
      console.log(`FAIL the end: ${error.stack}`);
    });
  console.log(`${chosen.length - failed.length} passed, ${failed.length + faults.length} failed`);
  if (failed.length + faults.length > 0) console.log(`failed cases: ${[...failed, ...faults].join("; ")}`);
  process.exit(failed.length + faults.length === 0 && chosen.length > 0 ? 0 : 1);
}

// What helps to understand a failure.
async function report(person, number) {
  const folder = join(dirname(program), "e2e-failures");
  mkdirSync(folder, { recursive: true });
  for (const [i, page] of person.context.pages().entries()) {
    const path = join(folder, `${basename(process.argv[1], ".mjs")}-${number}-${i + 1}.png`);
    await page.screenshot({ path, timeout: 10_000 });
    console.log(`  ${person.nick}: ${page.url()}, picture ${path}`);
  }
  if (person.faults.length > 0) console.log(`  ${person.nick}: faults ${JSON.stringify(person.faults)}`);
  if (person.site.errors) console.log(`  the program: ${person.site.errors.slice(-500)}`);
}

// Nothing hangs open, and no game of this person waits in the lobby.
async function tidy(person) {
  await person.context.setOffline(false);
  const { request } = person.page;
  const { challenges = [] } = await (await request.get(`${person.site.url}/api/v1/challenges`)).json();
  for (const { id, nick } of challenges)
    if (nick === person.nick) await request.delete(`${person.site.url}/api/v1/challenges/${id}`, { headers: { Origin: person.site.url } });
  if (person.page.url().startsWith(person.site.url)) await person.page.reload();
}

export function same(actual, expected, what) {
  const a = JSON.stringify(actual);
  const b = JSON.stringify(expected);
  if (a !== b) throw new Error(`${what}: ${a}, expected ${b}`);
}
export function holds(condition, what) {
  if (!condition) throw new Error(`does not hold: ${what}`);
}
