// SPDX-License-Identifier: GPL-3.0-or-later
// What happens at a board, in three languages, at 1280 and at 360 pixels: one browser, one program, every
// case a new game between two people. Six pairs of language and width take turns, so that every one of
// them plays White and Black somewhere.
import { PATIENCE_MS, Person, Site, eventually, holds, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();

const WIDE = { viewport: { width: 1280, height: 720 } };
const PHONE = { viewport: { width: 360, height: 640 }, mobile: true };
const LOOKS = [
  ["en", WIDE], ["ru", PHONE], ["ro", WIDE], ["en", PHONE], ["ru", WIDE], ["ro", PHONE],
];
const LOCALE = { en: "en-GB", ru: "ru-RU", ro: "ro-RO" };
// Knights' letters, for typed moves.
const KNIGHT = { en: "N", ru: "К", ro: "C" };

const people = [];
async function person(look, name) {
  const [language, size] = LOOKS[look % LOOKS.length];
  const one = await Person.open(browser, site, name, { locale: LOCALE[language], ...size });
  const form = { nick: name, password: "correct horse 64", password2: "correct horse 64", language, accept_rules: true };
  await post(one, "/register", form);
  await one.page.addInitScript((lang) => localStorage.setItem("language", lang), language);
  one.language = language;
  one.narrow = size === PHONE;
  people.push(one);
  return one;
}
async function post(one, path, data) {
  const answer = await one.page.request.post(`${site.url}/api/v1${path}`, { data, headers: { Origin: site.url } });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return answer.status() === 204 ? null : answer.json();
}

const blitz = { kind: "clock", base_ms: 300000, increment_ms: 3000, delay_ms: 0 };
const slow = { kind: "days", days: 3 };
let games = 0;

// A game between two people at two boards; each has the look that comes next.
async function pair(form = {}) {
  const n = games++;
  const [white, black] = await Promise.all([person(2 * n, `White-${n}`), person(2 * n + 1, `Black-${n}`)]);
  const challenge = await post(white, "/challenges", { control: blitz, color: "white", rated: false, ...form });
  const { game } = await post(black, `/challenges/${challenge.id}/join`, {});
  await Promise.all([white.go(`/game/${game}`), black.go(`/game/${game}`)]);
  await Promise.all([white.onBoard(), black.onBoard()]);
  white.color = "white";
  black.color = "black";
  return { white, black, game };
}

// Moves by the mouse or by the finger, and "Move!" where it is asked for.
async function move(mover, uci) {
  if (!mover.narrow) return mover.click(uci, mover.color);
  for (const square of [uci.slice(0, 2), uci.slice(2, 4)]) await mover.page.touchscreen.tap(...(await mover.at(square, mover.color)));
}
async function play(mover, other, ply, uci, confirm = false) {
  await move(mover, uci);
  if (confirm) await mover.id("confirm-move").click();
  await Promise.all([mover.seesPly(ply), other.seesPly(ply)]);
}
async function opening({ white, black }, line, confirm = false) {
  for (const [i, uci] of line.split(" ").entries())
    await (i % 2 === 0 ? play(white, black, i + 1, uci, confirm) : play(black, white, i + 1, uci, confirm));
}
const ended = async (list, result, reason) => {
  for (const one of list) {
    const panel = one.id("game-result");
    await panel.waitFor();
    await eventually(`${one.nick} sees`, async () => [await panel.getAttribute("data-result"), await panel.getAttribute("data-reason")], [result, reason]);
  }
};
async function close() {
  for (const one of people.splice(0)) {
    same(one.faults, [], `the browser of ${one.nick}`);
    const wide = await one.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    holds(wide <= 0, `${one.nick} (${one.language}) scrolls sideways by ${wide} px`);
    await one.context.close();
  }
}

// S-051, S-052, X-001, X-002: a blitz game by drag, by clicks and by typed moves in one's own letters.
function wholeGame() {
  return async () => {
    const at = await pair();
    const { white, black, game } = at;
    if (white.narrow) await play(white, black, 1, "e2e4");
    else await white.drag("e2e4", "white");
    await black.seesPly(1);
    await black.type("e5");
    await white.seesPly(2);
    await white.type(`${KNIGHT[white.language]}f3`);
    await black.seesPly(3);
    await play(black, white, 4, "b8c6");
    await play(white, black, 5, "f1c4");
    await black.type(`${KNIGHT[black.language]}d4`);
    await white.seesPly(6);
    await eventually("the score in White's letters", async () => (await white.moves())[2], `${KNIGHT[white.language]}f3`);
    await eventually("and in Black's", async () => (await black.moves())[5], `${KNIGHT[black.language]}d4`);
    // S-062: under an hour mm:ss.
    await eventually("mm:ss", async () => /^0[45]:\d\d$/.test(await white.id("clock-black").innerText()));
    await play(white, black, 7, "f3e5");
    await play(black, white, 8, "d8g5");
    await play(white, black, 9, "e5f7");
    await play(black, white, 10, "g5g2");
    await play(white, black, 11, "h1f1");
    await play(black, white, 12, "g2e4");
    await play(white, black, 13, "c4e2");
    await play(black, white, 14, "d4f3");
    await ended([white, black], "0-1", "checkmate");
    // S-066: the captured men of both colours and the difference.
    await eventually("captured men", async () => (await white.page.locator('[data-testid="captured"] piece').count()) === 4);
    // The box says that it tries variations now.
    await eventually("a variation is announced", async () => (await white.page.locator('label[for="move-input"]').innerText()).includes("("));
    await white.type("a3").catch(() => {});
    // S-065: the whole game to look at.
    await white.go(`/game/${game}/analysis`);
    await white.page.locator("cg-board piece").first().waitFor();
    await white.id("next").click();
    await eventually("one step", () => white.page.locator('[data-testid="moves"] [aria-current]').getAttribute("data-ply"), "1");
    await white.page.locator('[data-ply="14"]').click();
    await eventually("the FEN of the end", async () => (await white.page.inputValue("#fen")).startsWith("r1b1kbnr/pppp1Npp/8/8/4q3/5n2/PPPPBP1P/RNBQKR2 w"));
    await white.id("first").click();
    await white.id("autoplay").click();
    await white.page.waitForFunction(() => document.querySelector('[data-testid="moves"] [aria-current]')?.getAttribute("data-ply") === "2");
    await close();
  };
}

// S-070: the third time the position would stand after the move just set up; then a wrong claim.
async function claims() {
  const at = await pair({ control: slow });
  const { white, black, game } = at;
  const line = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
  await opening(at, line, true);
  // Black sets up the move that would repeat the position, and claims with it instead of making it.
  await move(black, "f6g8");
  await black.id("claim-draw").click();
  await black.id("claim-with-yes").click();
  await ended([white, black], "1/2-1/2", "claim_repetition");
  await eventually("the move was not made", async () => (await white.game(game)).ply, 7);
  await close();
}
async function wrongClaim() {
  const at = await pair();
  const { white, black, game } = at;
  await opening(at, "e2e4 e7e5");
  await white.id("claim-draw").click();
  await white.id("claim-move").click();
  await move(white, "g1f3");
  await white.id("claim-with").click();
  // The set-up move is played, the claim stands as an offer, and Black has a minute more (2023, blitz).
  await black.id("accept-draw").waitFor();
  await Promise.all([white.seesPly(3), black.seesPly(3)]);
  await white.id("notice").waitFor();
  const { clocks } = await white.game(game);
  // 303 s without it, less what it took until here.
  holds(clocks.black > 303000, `a minute more: ${clocks.black}`);
  await black.id("decline-draw").click();
  await black.id("resign").click();
  await black.id("resign-yes").click();
  await ended([white, black], "1-0", "resignation");
  await close();
}

// one move in advance; a right click takes it back; one that is illegal by then is dropped.
async function premove() {
  const at = await pair();
  const { white, black, game } = at;
  await opening(at, "e2e4 e7e5");
  const [quick, other, own] = white.narrow ? [black, white, "black"] : [white, black, "white"];
  if (own === "white") await play(white, black, 3, "g1f3");
  const [first, answer] = own === "white" ? ["f1c4", "b8c6"] : ["g8f6", "g1f3"];
  // Chessground keeps squares that are no longer marked, unseen.
  const queued = () => quick.page.locator("cg-board square.current-premove >> visible=true");
  await quick.click(first, own);
  await queued().first().waitFor();
  // Taken back, then made again.
  await quick.page.mouse.click(...(await quick.at("a4", own)), { button: "right" });
  await queued().first().waitFor({ state: "detached" });
  await quick.drag(first, own);
  await queued().first().waitFor();
  const ply = own === "white" ? 4 : 3;
  await move(other, answer); // the next move comes at once
  await Promise.all([quick.seesPly(ply + 1), other.seesPly(ply + 1)]);
  const { moves } = await quick.game(game);
  same([moves[ply].uci, moves[ply].at - moves[ply - 1].at], [first, 100], "made 0.1 s later");
  await queued().first().waitFor({ state: "detached" });
  await close();
}

// S-054, S-055, S-058, S-059, S-075: a move waits for "Move!"; a variation is tried, and the opponent moves
// meanwhile; the tick for a draw is kept over a reload.
async function slowGame() {
  const at = await pair({ control: slow });
  const { white, black, game } = at;
  const tap = async (one, square) =>
    one.narrow ? one.page.touchscreen.tap(...(await one.at(square, one.color))) : one.page.mouse.click(...(await one.at(square, one.color)));
  await tap(white, "e2");
  await tap(white, "e4");
  await white.id("confirm-move").waitFor();
  await eventually("nothing was sent", async () => (await white.game(game)).ply, 0);
  await white.id("back-move").click();
  await tap(white, "d2");
  await tap(white, "d4");
  await white.id("offer-draw").check();
  await white.page.reload();
  await white.onBoard();
  await eventually("the tick is kept", () => white.id("offer-draw").isChecked());
  await white.id("offer-draw").uncheck();
  await play(white, black, 1, "d2d4", true);
  // White looks ahead for both sides while Black thinks.
  for (const [n, squares] of [["d7", "d5"], ["c2", "c4"]].entries()) {
    for (const square of squares) await tap(white, square);
    await white.page.locator('[data-testid="variation"]', { hasText: `${n + 1}` }).waitFor();
  }
  await eventually("a variation is not sent", () => white.id("confirm-move").isDisabled());
  await play(black, white, 2, "g8f6", true);
  await eventually("the opponent moved", async () => (await white.id("variation").innerText()).length > 30);
  await eventually("the game", async () => (await white.game(game)).ply, 2);
  await white.page.locator('[data-testid="variation"] button').last().click();
  await white.id("variation").waitFor({ state: "detached" });
  // Last four moves: a click shows the position before the move (S-064).
  await white.page.locator('[data-ply="1"]').click();
  await white.id("looking-back").waitFor();
  await white.id("to-game").click();
  // A second tap on the square confirms on a phone.
  const quick = white.narrow ? white : black;
  if (quick === black) await play(white, black, 3, "c2c4", true);
  const [from, to] = quick === black ? ["e7", "e6"] : ["c2", "c4"];
  await tap(quick, from);
  await tap(quick, to);
  await quick.id("confirm-move").waitFor();
  if (quick.narrow) {
    // Two taps that come too slowly are none, and may be made again.
    const place = await quick.at(to, quick.color);
    for (let i = 0; i < 8 && (await quick.id("confirm-move").isVisible()); i++) {
      await Promise.all([quick.page.touchscreen.tap(...place), quick.page.touchscreen.tap(...place)]);
      await quick.page.waitForTimeout(500);
    }
  } else await quick.id("confirm-move").click();
  const plies = quick === black ? 4 : 3;
  await Promise.all([white.seesPly(plies), black.seesPly(plies)]);
  await close();
}

// R-026, S-090: a flag called too early; what is touched must be moved.
async function earlyFlag() {
  const at = await pair({ flag: "claim", touch: true });
  const { white, black, game } = at;
  await opening(at, "e2e4 e7e5");
  // Too early: nothing happens, the button is off for five seconds, and so is watched from before.
  const off = black.page.waitForFunction(() => document.querySelector('[data-testid="flag"]').disabled);
  await Promise.all([off, black.id("flag").click()]);
  await eventually("it goes on", async () => (await black.game(game)).state, "running");
  // White touches his knight and must move it.
  await white.page.mouse.click(...(await white.at("g1", "white")));
  await eventually("touched", async () => (await white.game(game)).touched.squares, ["g1"]);
  const refused = await white.page.request.post(`${site.url}/api/v1/games/${game}/move`, { data: { ply: 2, uci: "d2d4" }, headers: { Origin: site.url } });
  same((await refused.json()).error.code, "touch_move", "the pawn must wait");
  await close();
}

// the flag falls by a claim, with the key F.
async function claimedFlag() {
  const at = await pair({ control: { kind: "clock", base_ms: 30000, increment_ms: 0, delay_ms: 0 }, flag: "claim" });
  const { white, black, game } = at;
  await opening(at, "e2e4 e7e5");
  // White's time runs out; nobody is told; Black sees 0 and claims.
  await black.page.waitForFunction(() => document.querySelector('[data-testid="clock-white"]').textContent === "00:00.0", null, { timeout: 30_000 + PATIENCE_MS });
  await eventually("at zero nothing is signalled", async () => (await black.game(game)).state, "running");
  await black.page.keyboard.press("f");
  await ended([white, black], "0-1", "flag");
  await close();
}

// S-071, S-072: the mini-chat, its unread mark, the typed text over a reload, switched off.
async function miniChat() {
  const at = await pair({ control: slow });
  const { white, black, game } = at;
  const open = (one) => one.page.locator('[data-testid="chat"] > summary').click();
  await open(white);
  await white.id("chat-text").fill("Noroc! Удачи!");
  await white.id("chat-send").click();
  await black.id("chat-unread").waitFor();
  await black.id("chat-read").click();
  await black.page.locator('[data-testid="chat-lines"] li', { hasText: "Noroc! Удачи!" }).waitFor();
  await black.id("chat-unread").waitFor({ state: "detached" });
  await black.id("chat-text").fill("спаси");
  await black.page.reload();
  await black.onBoard();
  await eventually("what was typed is kept", () => black.id("chat-text").inputValue(), "спаси");
  await black.id("chat-text").fill("x".repeat(201));
  await black.id("chat-error").waitFor();
  await eventually("201 characters are too many", () => black.id("chat-send").isDisabled());
  await black.id("chat-text").fill("спасибо");
  await black.id("chat-text").press("Enter");
  await white.page.locator('[data-testid="chat-lines"] li', { hasText: "спасибо" }).waitFor();
  await black.id("chat-switch-off").click();
  await white.id("chat-off-other").waitFor();
  await eventually("White cannot speak to the wind", () => white.id("chat-text").isDisabled());
  await black.id("chat-on").click();
  await white.id("chat-off-other").waitFor({ state: "detached" });
  // S-041, S-073: a rematch, with the colours reversed.
  await white.id("abort").click();
  await black.id("rematch").waitFor();
  await black.id("rematch").click();
  await white.id("rematch-accept").click();
  await white.page.waitForURL((url) => /\/game\//.test(url.pathname) && !url.pathname.includes(game));
  await black.page.waitForURL((url) => /\/game\//.test(url.pathname) && !url.pathname.includes(game));
  await white.onBoard();
  await eventually("the colours are reversed", async () => await white.page.locator(".orientation-black").count() > 0);
  await close();
}

// who watches is counted while the game runs; after its end all of them may talk, and players with them.
async function watchersRoom() {
  const at = await pair();
  const { white, black, game } = at;
  await opening(at, "e2e4 e7e5"); // these must come within half a minute
  const [guest, talker] = [await Person.open(browser, site, "guest", { ...PHONE, locale: "ro-RO" }), await person(2 * games++, "Watcher")];
  for (const one of [guest, talker]) {
    await one.go(`/game/${game}`);
    await one.onBoard();
  }
  await white.page.locator('[data-testid="spectators"]', { hasText: "2" }).waitFor();
  await eventually("nothing is said while the game runs", () => talker.id("chat").count(), 0);
  await black.id("resign").click();
  await black.id("resign-yes").click();
  await ended([white, black], "1-0", "resignation");
  await talker.id("chat").waitFor();
  if (!(await talker.id("chat-text").isVisible())) await talker.id("chat").locator("summary").click();
  await talker.id("chat-text").fill("Well played!");
  await talker.id("chat-send").click();
  const line = (one) => one.page.locator('[data-testid="chat-lines"]', { hasText: "Well played!" });
  await line(talker).waitFor();
  if (!(await white.id("chat-watchers").isVisible())) await white.id("chat").locator("summary").click();
  await white.id("chat-watchers").click();
  await line(white).waitFor();
  await white.id("chat-text").fill("Thank you.");
  await white.id("chat-send").click();
  await talker.page.locator('[data-testid="chat-lines"]', { hasText: "Thank you." }).waitFor();
  // A guest reads, and is told that one must log in to speak.
  await guest.id("chat").waitFor();
  if (!(await guest.id("chat-lines").isVisible())) await guest.id("chat").locator("summary").click();
  await line(guest).waitFor();
  await eventually("guests do not speak", () => guest.id("chat-text").count(), 0);
  same(guest.faults, [], "the guest's browser");
  await guest.context.close();
  // One is a word in Romanian: "un spectator".
  const watching = async () => Number((/\d+|\bun\b/.exec((await white.id("spectators").allInnerTexts()).join())?.[0] ?? "0").replace("un", "1"));
  await eventually(async () => `one of them has left, the server: ${(await white.game(game)).spectators}`, watching, 1);
  await close();
}

// arrows and marked squares in a running game are one's own view, and go with the next move.
async function arrows() {
  const at = await pair();
  const [drawer, other] = at.white.narrow ? [at.black, at.white] : [at.white, at.black];
  await opening(at, "e2e4 e7e5"); // these must come within half a minute
  const right = async (from, to) => {
    await drawer.page.mouse.move(...(await drawer.at(from, drawer.color)));
    await drawer.page.mouse.down({ button: "right" });
    await drawer.page.mouse.move(...(await drawer.at(to, drawer.color)), { steps: 4 });
    await drawer.page.mouse.up({ button: "right" });
  };
  const drawn = (one) => one.page.evaluate(() => [document.querySelectorAll(".cg-shapes line").length, document.querySelectorAll(".cg-shapes circle").length]);
  await right("g1", "f3");
  await right("d4", "d4");
  await drawer.page.locator(".cg-shapes line").first().waitFor({ state: "attached" });
  await drawer.page.locator(".cg-shapes circle").first().waitFor({ state: "attached" });
  await eventually("an arrow and a marked square", () => drawn(drawer), [1, 1]);
  await eventually("nobody else sees them", () => drawn(other), [0, 0]);
  await eventually("no move was made", async () => (await drawer.page.request.get(`${site.url}/api/v1/games/${at.game}`).then((a) => a.json())).ply, 2);
  await right("g1", "f3");
  await drawer.page.locator(".cg-shapes line").waitFor({ state: "detached" });
  await eventually("drawn again, it is gone", () => drawn(drawer), [0, 1]);
  await close();
}

// S-031, S-100: an Advance game from the form to its end: the bank, both clocks of days, an engine by right.
async function advance() {
  const n = games++;
  const [white, black] = await Promise.all([person(2 * n, `White-${n}`), person(2 * n + 1, `Black-${n}`)]);
  [white.color, black.color] = ["white", "black"];
  await white.go("/");
  await white.choose("type-advance");
  await white.choose("color-white");
  await white.id("create-challenge").click();
  await black.join();
  const game = await white.onBoard();
  await black.go(`/game/${game}`);
  await black.onBoard();
  const state = await white.game(game);
  same([state.type, state.list, state.control.kind, state.control.base_ms], ["advance", "advance", "bank", 864000000], "out of the bank");
  await eventually("days on the clock", async () => /^(9|10)\s/.test(await white.id("clock-white").innerText()));
  await opening({ white, black }, "f2f3 e7e5 g2g4", true);
  await play(black, white, 4, "d8h4", true);
  await ended([white, black], "0-1", "checkmate");
  await white.id("rating-changes").waitFor();
  await eventually("the list of Advance", async () => (await white.id("rating-changes").innerText()).includes("1487"));
  await close();
}

// S-076: a move made while the connection is away is kept and sent once it is back.
async function connectionLost() {
  const at = await pair();
  const { white, black } = at;
  await opening(at, "e2e4 e7e5");
  await site.kill();
  await white.id("connection-lost").waitFor();
  await move(white, "g1f3");
  await eventually("the move stands on the board", async () => await white.page.locator("cg-board square.last-move").count() > 0);
  await site.restart();
  await black.seesPly(3);
  await white.seesPly(3);
  await white.id("connection-lost").waitFor({ state: "detached" });
  await close();
}

await run({
  "S-051 S-052 X-002 a blitz game by drag, clicks and typed moves (en wide, ru phone)": wholeGame(),
  "S-051 S-052 X-002 a blitz game (ro wide, en phone)": wholeGame(),
  "S-051 S-052 X-002 a blitz game (ru wide, ro phone)": wholeGame(),
  "S-070 a draw claimed with a move set up on the board": claims,
  "S-070 a wrong claim": wrongClaim,
  "X-013 a move in advance": premove,
  "S-054 S-055 S-058 S-059 S-064 S-075 a variation tried in a slow game": slowGame,
  "R-026 S-090 a flag called too early, and touch-move": earlyFlag,
  "R-026 R-027 a flag by claim": claimedFlag,
  "S-071 S-072 S-073 mini-chat and rematch": miniChat,
  "X-010 the watchers' room": watchersRoom,
  "X-028 arrows and marked squares in a game": arrows,
  "S-031 S-100 an Advance game from the form to its end": advance,
  "S-076 a move over a lost connection": connectionLost,
}, async () => {
  await browser.close();
  await site.stop();
});
