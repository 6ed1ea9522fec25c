// SPDX-License-Identifier: GPL-3.0-or-later
//
// the board page transfers less than 100 KiB without its pictures, and on a slow phone line
// (1.6 Mbit/s, 150 ms, a processor four times slower) a move can be made within 2.5 s when the page is
// opened for the first time and within 1 s when it has been seen before. Measured in Debian's Chromium
// in front of the real program; the median of so many openings (5, or as the first argument says).
// At the end a move is made at that very moment, and must arrive. Ends with 1 when a bound is broken.
import { readFileSync } from "node:fs";
import { Person, Site, openBrowser } from "../tests/e2e/site.mjs";

const RUNS = Number(process.argv[2] ?? 5);
const SIZE_MAX = 100 * 1024;
const COLD_MAX_MS = 2500;
const WARM_MAX_MS = 1000;
const LINE = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 };

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

// A game by the day in which White is to move; the cookie of White.
async function newGame() {
  const [white, black] = await Promise.all(["Anna", "Bella"].map((nick) => Person.open(browser, site, nick)));
  await Promise.all([white.register(), black.register()]);
  const post = async (person, path, data) =>
    (await person.page.request.post(`${site.url}/api/v1${path}`, { data, headers: { Origin: site.url } })).json();
  const challenge = await post(white, "/challenges", { control: { kind: "days", days: 3 }, color: "white", rated: false });
  const { game } = await post(black, `/challenges/${challenge.id}/join`, {});
  const state = await white.context.storageState();
  await Promise.all([white.context.close(), black.context.close()]);
  return { game, state };
}

// Opens the board once. A move is possible when the men stand: the page shows them only when it has the
// game and the rules; a move made before the connection stands waits for it (S-076). `then` is done at
// that moment.
async function open(context, game, then) {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", LINE);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  let bytes = 0;
  const kinds = new Map();
  const types = new Map();
  cdp.on("Network.responseReceived", ({ requestId, type, response }) => types.set(requestId, { type, url: response.url }));
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const { type, url } = types.get(requestId) ?? { type: "?", url: "" };
    if (type === "Image" || url.endsWith(".svg") || url.startsWith("data:")) return;
    bytes += encodedDataLength;
    const name = url.replace(site.url, "");
    kinds.set(name, (kinds.get(name) ?? 0) + encodedDataLength);
  });
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('cg-board piece.pawn')) return;
      observer.disconnect();
      window.movable = performance.now();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${site.url}/game/${game}`, { waitUntil: "commit" });
  await page.waitForFunction(() => window.movable !== undefined, null, { timeout: 30000 });
  const ms = await page.evaluate(() => window.movable);
  await then?.(page);
  await page.waitForTimeout(500); // what still comes belongs to the page, too
  await page.close();
  return { ms, bytes, kinds };
}

const { game, state } = await newGame();
const cold = [];
const warm = [];
for (let run = 0; run < RUNS; run++) {
  const context = await browser.newContext({ storageState: state, locale: "ru-RU", viewport: { width: 360, height: 640 } });
  cold.push(await open(context, game));
  warm.push(await open(context, game));
  await context.close();
}
// The move of that moment: by the mouse, on the board, and confirmed.
async function moveAtOnce(page) {
  const square = async (name) => {
    const box = await page.locator('[data-testid="board"] cg-board').boundingBox();
    const file = "abcdefgh".indexOf(name[0]);
    await page.mouse.click(box.x + ((file + 0.5) * box.width) / 8, box.y + ((8.5 - Number(name[1])) * box.height) / 8);
  };
  const began = Date.now();
  await square("e2");
  await square("e4");
  await page.locator('[data-testid="confirm-move"]').click();
  while ((await (await page.request.get(`${site.url}/api/v1/games/${game}`)).json()).ply === 0) {
    if (Date.now() - began > 10000) throw new Error("the first move does not arrive");
    await page.waitForTimeout(20);
  }
  return Date.now() - began;
}
let arrived = 0;
{
  const context = await browser.newContext({ storageState: state, locale: "ru-RU", viewport: { width: 360, height: 640 } });
  await open(context, game, async (page) => (arrived = await moveAtOnce(page)));
  await context.close();
}
await browser.close();
await site.stop();

const size = median(cold.map((one) => one.bytes));
const coldMs = Math.round(median(cold.map((one) => one.ms)));
const warmMs = Math.round(median(warm.map((one) => one.ms)));
for (const [name, bytes] of [...cold[0].kinds].sort((a, b) => b[1] - a[1])) console.log(`${String(bytes).padStart(7)}  ${name}`);
const row = (name, value, most, unit) => {
  console.log(`${name}: ${value} ${unit} (at most ${most}) ${value <= most ? "ok" : "TOO MUCH"}`);
  return value <= most;
};
const good = [
  row("transferred without pictures", size, SIZE_MAX, "bytes"),
  row("first move possible, opened for the first time", coldMs, COLD_MAX_MS, "ms"),
  row("first move possible, seen before", warmMs, WARM_MAX_MS, "ms"),
];
console.log(`a move made at that moment, with three clicks, is at the server ${arrived} ms later`);
console.log(`${RUNS} openings of each kind; load average ${readFileSync("/proc/loadavg", "utf8").split(" ").slice(0, 3).join(" ")}`);
process.exit(good.every(Boolean) ? 0 : 1);
