// SPDX-License-Identifier: GPL-3.0-or-later
// S-076: a browser whose network lets no WebSocket through plays on by HTTP: a whole blitz game and a
// correspondence game to their ends against a browser that has one, and is told so.
import assert from "node:assert/strict";

const { PATIENCE_MS, Person, Site, eventually, openBrowser, run } = await import("./site.mjs").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  console.log("skipped: run `npm ci` in tests/ first (./dev test does)");
  process.exit(77);
});
const site = await Site.start();
const browser = await openBrowser();
const cases = {};
let serial = 0;

// How a network blocks: the connection is refused at once, or it never opens.
const BLOCKS = {
  refused: () => {
    window.WebSocket = class extends EventTarget {
      readyState = 0;
      constructor() {
        super();
        setTimeout(() => {
          this.readyState = 3;
          this.onerror?.(new Event("error"));
          this.onclose?.({ code: 1006 });
        }, 20);
      }
      send() {}
      close() {}
    };
  },
  silent: () => {
    window.WebSocket = class {
      readyState = 0;
      send() {}
      close() {}
    };
  },
  forbidden: () => {
    window.WebSocket = function () {
      throw new DOMException("blocked", "SecurityError");
    };
  },
};

async function pair(block, locale = "en-GB") {
  const behind = await Person.open(browser, site, `Behind${++serial}`, { locale });
  const free = await Person.open(browser, site, `Free${serial}`);
  await behind.context.addInitScript(BLOCKS[block]);
  await Promise.all([behind.register(), free.register()]);
  return [behind, free];
}

const call = async (person, method, path, data) => {
  const answer = await person.page.request.fetch(`${site.url}/api/v1${path}`, { method, data, headers: { Origin: site.url } });
  assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
  return answer.status() === 204 ? null : answer.json();
};

for (const [block, locale, word] of [["refused", "en-GB", /blocks live connections/], ["forbidden", "ru-RU", /постоянное соединение/], ["silent", "ro-RO", /conexiunile permanente/]])
  cases[`a browser whose WebSocket is ${block} finds another way, and says so (S-076)`] = async () => {
    const [behind, free] = await pair(block, locale);
    await behind.id("by-http").waitFor({ timeout: 2 * PATIENCE_MS });
    await eventually("the words", async () => word.test(await behind.id("by-http").textContent()));
    // The lobby lives: a challenge made elsewhere appears without a reload.
    await free.challenge({ base: 5, increment: 3, color: "white", rated: false });
    await behind.page.locator('[data-testid^="join-"]').first().waitFor();
    await behind.id("by-http").locator("button").click();
    await eventually("put away", () => behind.id("by-http").count(), 0);
    await behind.page.reload();
    await behind.page.locator('[data-testid^="join-"]').first().waitFor();
    await free.page.locator('[data-testid^="cancel-"]').first().click();
    await behind.page.locator('[data-testid^="join-"]').first().waitFor({ state: "detached" });
    assert.deepEqual([...behind.faults, ...free.faults], []);
  };

cases["a whole blitz game by HTTP, to mate, with the opponent's clock and presence (S-076)"] = async () => {
  const [behind, free] = await pair("refused");
  await behind.id("by-http").waitFor();
  await free.challenge({ base: 5, increment: 3, color: "white", rated: false });
  await behind.join();
  await free.onBoard();
  await free.page.locator('[data-testid="clock-white"][data-running="true"]').waitFor();
  const moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
  for (const [ply, uci] of moves.entries()) {
    const [mover, other] = ply % 2 ? [behind, free] : [free, behind];
    await mover.click(uci, ply % 2 ? "black" : "white");
    await mover.seesPly(ply + 1);
    await other.seesPly(ply + 1);
    if (ply === 1) {
      await free.page.locator('[data-testid="clock-white"][data-running="true"]').waitFor();
      await behind.page.locator('[data-testid="clock-white"][data-running="true"]').waitFor();
    }
  }
  for (const person of [behind, free]) await person.page.getByText("0–1").or(person.page.getByText("0-1")).first().waitFor();
  await eventually("the result", async () => (await free.game(await free.onBoard())).result, "0-1");
  // A closed window is seen at once, not only when nobody asks any more.
  assert.deepEqual([...behind.faults, ...free.faults], []);
};

cases["a correspondence game by HTTP: moves come in without a reload, to the resignation (S-076)"] = async () => {
  const [behind, free] = await pair("refused");
  await behind.id("by-http").waitFor();
  const made = await call(behind, "POST", "/challenges", { control: { kind: "days", days: 3 }, color: "white", rated: false });
  const { game } = await call(free, "POST", `/challenges/${made.id}/join`, {});
  for (const person of [behind, free]) {
    await person.go(`/game/${game}`);
    await person.onBoard();
  }
  for (const [ply, san] of ["e4", "e5", "Nf3", "Nc6"].entries()) {
    const [mover, other] = ply % 2 ? [free, behind] : [behind, free];
    await mover.type(san);
    await mover.id("confirm-move").click();
    await mover.seesPly(ply + 1);
    await other.seesPly(ply + 1);
  }
  await behind.page.waitForFunction(() => document.title.startsWith("(1)"));
  await free.id("resign").click();
  await free.id("resign-yes").click();
  await behind.page.waitForFunction(() => !document.title.startsWith("(1)"));
  await eventually("the result", async () => (await behind.game(game)).result, "1-0");
  assert.deepEqual([...behind.faults, ...free.faults], []);
};

await run(cases, async () => {
  await browser.close();
  await site.stop();
});
