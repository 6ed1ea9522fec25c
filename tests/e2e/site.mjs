// SPDX-License-Identifier: GPL-3.0-or-later
// The real program on a data directory of its own, and the real browser in front of it.
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const root = new URL("../..", import.meta.url).pathname;
export const program = process.env.JADOUBE_PROGRAM ?? join(root, "build", "jadoube");

// Starts `jadoube serve` and resolves when it says where it listens.
export class Site {
  static async start(options = {}) {
    const site = new Site();
    site.data = options.data ?? (await mkdtemp(join(tmpdir(), "jadoube-e2e-")));
    site.port = options.port ?? 0;
    site.flags = options.flags ?? [];
    await site.#launch();
    return site;
  }

  async #launch() {
    const flags = ["serve", "--data", this.data, "--host", "127.0.0.1", "--port", String(this.port), "--captcha", "off", ...this.flags];
    this.process = spawn(program, flags, { stdio: ["ignore", "pipe", "pipe"] });
    this.exited = new Promise((done) => this.process.once("exit", (code, signal) => done({ code, signal })));
    let said = "";
    this.errors = "";
    this.process.stderr.on("data", (bytes) => (this.errors += bytes));
    this.url = await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no address printed: ${said}${this.errors}`)), 10000);
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
    const { stdout } = await promisify(execFile)(program, ["admin", "--data", this.data, ...words]);
    return stdout;
  }

  async stop() {
    this.process.kill("SIGTERM");
    const { code } = await this.exited;
    await rm(this.data, { recursive: true, force: true });
    return code;
  }
}

export async function openBrowser() {
  return chromium.launch({
    executablePath: process.env.JADOUBE_CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required",
    ],
  });
}

// A person: a browser profile of his own, watched for faults and for requests that leave the site.
export class Person {
  static async open(browser, site, nick, options = {}) {
    const person = new Person();
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
    await this.id("preset-own").check({ force: true });
    await this.id("own-base").fill(String(base));
    await this.id("own-increment").fill(String(increment));
    await this.id(`color-${color}`).check({ force: true });
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
    const box = await this.page.locator('[data-testid="board"] cg-board').boundingBox();
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
    for (const square of [uci.slice(0, 2), uci.slice(2, 4)]) {
      await this.page.locator(`[data-square="${square}"]`).focus();
      await this.page.keyboard.press("Enter");
    }
    await this.#promote(uci);
  }

  async type(text) {
    await this.page.fill("#move-input", text);
    await this.page.keyboard.press("Enter");
  }

  // Waits until the board shows so many plies.
  async seesPly(ply) {
    await this.page.waitForFunction(
      (wanted) => document.querySelectorAll('[data-testid="moves"] [data-ply]').length === wanted,
      ply, { timeout: 10000 });
  }

  async moves() {
    return this.page.locator('[data-testid="moves"] [data-ply]').allInnerTexts();
  }

  async game(id) {
    return (await this.page.request.get(`${this.site.url}/api/v1/games/${id}`)).json();
  }
}

// Runs named cases one after the other, cleans up, and exits with 1 when any failed.
export async function run(cases, cleanUp) {
  let failed = 0;
  for (const [name, test] of Object.entries(cases)) {
    const started = Date.now();
    try {
      await test();
      console.log(`ok   ${name} (${Date.now() - started} ms)`);
    } catch (error) {
      failed++;
      console.log(`FAIL ${name}: ${error.stack}`);
    }
  }
  console.log(`${Object.keys(cases).length - failed} passed, ${failed} failed`);
  await cleanUp();
  process.exit(failed === 0 ? 0 : 1);
}

export function same(actual, expected, what) {
  const a = JSON.stringify(actual);
  const b = JSON.stringify(expected);
  if (a !== b) throw new Error(`${what}: ${a}, expected ${b}`);
}
export function holds(condition, what) {
  if (!condition) throw new Error(`does not hold: ${what}`);
}
