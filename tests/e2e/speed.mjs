// SPDX-License-Identifier: GPL-3.0-or-later
// the board does not wait for the line. The page brings the game along, a move made before the
// connection stands arrives when it does (S-076), and what can be shown at once is not asked for again.
// How soon that is on a slow line is measured by ./dev bench page.
import { Person, Site, eventually, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const blitz = { kind: "clock", base_ms: 600000, increment_ms: 5000, delay_ms: 0 };
const slow = { kind: "days", days: 3 };

async function post(one, path, data) {
  const answer = await one.page.request.post(`${site.url}/api/v1${path}`, { data, headers: { Origin: site.url } });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}
async function pair(name, control) {
  const open = async (nick) => {
    const one = await Person.open(browser, site, nick);
    await post(one, "/register", { nick, password: "correct horse 64", password2: "correct horse 64", language: "en", accept_rules: true });
    return one;
  };
  const [white, black] = await Promise.all([open(`${name}-one`), open(`${name}-two`)]);
  const challenge = await post(white, "/challenges", { control, color: "white", rated: false });
  const { game } = await post(black, `/challenges/${challenge.id}/join`, {});
  return { white, black, game };
}
async function close(...people) {
  for (const one of people) {
    same(one.faults, [], `the browser of ${one.nick}`);
    await one.context.close();
  }
}
// From the next page on the line of this person stands only when the answer is called.
async function holdLine(one) {
  let release;
  const held = new Promise((done) => (release = done));
  await one.page.routeWebSocket(/\/ws$/, async (socket) => {
    await held;
    socket.connectToServer();
  });
  return release;
}

await run({
  "X-037 S-076 a move in a live game before the connection stands": async () => {
    const { white, black, game } = await pair("Live", blitz);
    await Promise.all([white.go(`/game/${game}`), black.go(`/game/${game}`)]);
    await Promise.all([white.onBoard(), black.onBoard()]);
    await white.click("e2e4", "white");
    await black.seesPly(1);
    await black.click("e7e5", "black");
    await white.seesPly(2);
    const release = await holdLine(white);
    await white.page.reload();
    await white.seesPly(2); // out of the page itself
    await eventually("no line yet", async () => (await white.page.locator("html").getAttribute("data-line")) !== "open");
    await white.click("g1f3", "white");
    await white.page.waitForTimeout(300);
    same((await white.game(game)).ply, 2, "the server knows nothing yet");
    await eventually("the move stands on the board", async () => await white.page.locator('cg-board square.last-move').count() === 2);
    release();
    await black.seesPly(3);
    await white.seesPly(3);
    await eventually("the move that arrived", async () => (await white.game(game)).moves[2].san, "Nf3");
    // What came while the line was away is asked for by its number.
    await black.click("b8c6", "black");
    await white.seesPly(4);
    await close(white, black);
  },
  "X-037 a move in a game by the day, confirmed before the connection stands": async () => {
    const { white, black, game } = await pair("Days", slow);
    const release = await holdLine(white);
    await white.go(`/game/${game}`);
    await white.page.locator("cg-board piece").first().waitFor();
    await white.click("d2d4", "white");
    await white.id("confirm-move").click();
    release();
    await eventually("the move arrives", async () => (await white.game(game)).ply === 1);
    await eventually("the move that arrived", async () => (await white.game(game)).moves[0].san, "d4");
    await close(white, black);
  },
  "X-037 the page of a game asks neither for its person nor for the game again": async () => {
    const { white, black, game } = await pair("Asks", slow);
    const asked = [];
    white.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const states = [];
    white.page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => states.push(JSON.parse(payload).t)));
    await white.go(`/game/${game}`);
    await white.onBoard();
    await white.page.waitForTimeout(500);
    same(asked.filter((path) => /^\/api\/v1\/(me|me\/prefs)$/.test(path)), [], "requests");
    same(states.filter((type) => type === "game"), [], "states over the line");
    await close(white, black);
  },
  "X-037 a game that was changed meanwhile is shown as it is now": async () => {
    const { white, black, game } = await pair("Meanwhile", slow);
    const release = await holdLine(white);
    await white.go(`/game/${game}`);
    await white.page.locator("cg-board piece").first().waitFor();
    await post(white, `/games/${game}/move`, { ply: 0, uci: "c2c4" }); // on another device
    await white.click("d2d4", "white");
    await white.id("confirm-move").click();
    release();
    await white.seesPly(1);
    await eventually("the move that was first", () => white.moves(), ["c4"]);
    await close(white, black);
  },
}, async () => {
  await browser.close();
  await site.stop();
});
