// SPDX-License-Identifier: GPL-3.0-or-later
// Whole games without a mouse: one by the keyboard alone, one through what a screen reader
// is given alone, the tree of roles and names, without a look at the board's pixels. Then the words that
// are spoken, in three languages, as Appendix D of the Laws names moves.
import { Person, Site, eventually, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const blitz = { kind: "clock", base_ms: 600000, increment_ms: 5000, delay_ms: 0 };

async function post(one, path, data) {
  const answer = await one.page.request.post(`${site.url}/api/v1${path}`, { data, headers: { Origin: site.url } });
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}
async function pair(name, language, locale) {
  const open = async (nick) => {
    const one = await Person.open(browser, site, nick, { locale });
    await post(one, "/register", { nick, password: "correct horse 64", password2: "correct horse 64", language, accept_rules: true });
    return one;
  };
  const [white, black] = await Promise.all([open(`${name}-one`), open(`${name}-two`)]);
  const challenge = await post(white, "/challenges", { control: blitz, color: "white", rated: false });
  const { game } = await post(black, `/challenges/${challenge.id}/join`, {});
  await Promise.all([white.go(`/game/${game}`), black.go(`/game/${game}`)]);
  await Promise.all([white.onBoard(), black.onBoard()]);
  return { white, black, game };
}
async function close(...people) {
  for (const one of people) {
    same(one.faults, [], `the browser of ${one.nick}`);
    await one.context.close();
  }
}

// ---- by the keyboard: Tab to the board, arrows, Enter -----------------------------------------------

// Presses Tab until the focus is on what is wanted, as somebody without a mouse does.
async function tabTo(one, what) {
  for (let i = 0; i < 80; i++) {
    if (await one.page.evaluate((css) => document.activeElement?.matches(css) ?? false, what)) return;
    await one.page.keyboard.press("Tab");
  }
  throw new Error(`Tab never comes to ${what}`);
}
async function walk(one, square, color) {
  const at = await one.page.evaluate(() => document.activeElement.dataset.square);
  const turn = color === "white" ? 1 : -1;
  const dx = (square.charCodeAt(0) - at.charCodeAt(0)) * turn;
  const dy = (Number(square[1]) - Number(at[1])) * turn;
  for (let i = 0; i < Math.abs(dx); i++) await one.page.keyboard.press(dx > 0 ? "ArrowRight" : "ArrowLeft");
  for (let i = 0; i < Math.abs(dy); i++) await one.page.keyboard.press(dy > 0 ? "ArrowUp" : "ArrowDown");
}
async function byKeys(one, color, uci) {
  await tabTo(one, "[data-square]");
  await walk(one, uci.slice(0, 2), color);
  await one.page.keyboard.press("Enter");
  await walk(one, uci.slice(2, 4), color);
  await one.page.keyboard.press("Enter");
}
async function keyboardGame() {
  const { white, black } = await pair("Keys", "en", "en-GB");
  const line = "f2f3 e7e5 g2g4".split(" ");
  for (const [i, uci] of line.entries()) {
    await byKeys(i % 2 === 0 ? white : black, i % 2 === 0 ? "white" : "black", uci);
    await Promise.all([white.seesPly(i + 1), black.seesPly(i + 1)]);
  }
  // An offer, declined by keys; the clock and the last move on request; then mate.
  await tabTo(white, '[data-testid="offer-draw"]');
  await white.page.keyboard.press("Space");
  await eventually("ticked by the space bar", () => white.id("offer-draw").isChecked());
  await white.page.keyboard.press("Space");
  await tabTo(black, "[data-square]");
  await black.page.keyboard.press("l");
  await black.page.locator('[data-testid="announcer"] p', { hasText: "pawn Gustav four" }).first().waitFor();
  await black.page.keyboard.press("c");
  await black.page.locator('[data-testid="announcer"] p', { hasText: /White 1?\d:?\d\d/ }).first().waitFor();
  await byKeys(black, "black", "d8h4");
  await white.id("game-result").waitFor();
  await eventually("mate", () => white.id("game-result").getAttribute("data-reason"), "checkmate");
  await close(white, black);
}

// ---- through the tree of roles and names ------------------------------------------------------------

const NAME = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

async function treeGame() {
  const { white, black } = await pair("Tree", "en", "en-GB");
  // Nothing but roles and names: the board must say what stands where.
  const cell = (one, square, what) => one.page.getByRole("grid", { name: "Chessboard" }).getByRole("gridcell", { name: `${square}, ${what}`, exact: true });
  const act = async (one, color, man, from, to) => {
    await cell(one, from, `${color} ${NAME[man]}`).focus();
    await one.page.keyboard.press("Enter");
    const target = one.page.getByRole("grid", { name: "Chessboard" }).getByRole("gridcell", { name: new RegExp(`^${to}, `) });
    await target.focus();
    await one.page.keyboard.press("Enter");
    await Promise.all([white, black].map((who) => cell(who, to, `${color} ${NAME[man]}`).waitFor({ state: "attached" })));
  };
  await act(white, "white", "p", "e2", "e4");
  await act(black, "black", "p", "e7", "e5");
  // Scholar's mate, as far as it goes, and the moves are read from the score.
  await act(white, "white", "q", "d1", "h5");
  await act(black, "black", "n", "b8", "c6");
  await act(white, "white", "b", "f1", "c4");
  await act(black, "black", "n", "g8", "f6");
  await eventually("the score", () => white.page.getByRole("list", { name: "Moves" }).getByRole("button").allInnerTexts(), ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6"]);
  await act(white, "white", "q", "h5", "f7");
  await black.page.getByRole("heading", { name: /White wins/, level: 2 }).waitFor();
  await black.page.getByRole("log").getByText(/queen takes Felix seven, mate/).waitFor({ state: "attached" });
  await close(white, black);
}

// ---- what is said -----------------------------------------------------------------------------------

// Plies with what is said of them: exd6 e.p., Nh6, N1f3 (another knight stands on g5), 0-0.
const LINE = "e2e4 e7e6 e4e5 d7d5 e5d6 g8h6 b1c3 a7a6 c3e4 a6a5 e4g5 a5a4 g1f3 a4a3 f1e2 b7b6 e1g1".split(" ");
const SAID = {
  en: { 5: "White: pawn Eva takes David six en passant", 6: "Black: knight Hector six", 13: "White: knight one, Felix three", 17: "White: castles short" },
  ru: { 5: "Белые: пешка Ева бьёт Давид шесть на проходе", 6: "Чёрные: конь Гектор шесть", 13: "Белые: конь один, Феликс три", 17: "Белые: короткая рокировка" },
  ro: { 5: "Alb: pion Eva ia David șase en passant", 6: "Negru: cal Hector șase", 13: "Alb: cal unu, Felix trei", 17: "Alb: rocada mică" },
};
function speech(language, locale) {
  return async () => {
    const { white, black } = await pair(`Say-${language}`, language, locale);
    for (const [i, move] of LINE.entries()) {
      await (i % 2 === 0 ? white : black).keys(move);
      await Promise.all([white.seesPly(i + 1), black.seesPly(i + 1)]);
      const words = SAID[language][i + 1];
      if (!words) continue;
      for (const one of [white, black]) {
        await one.page.locator('[data-testid="announcer"] p').filter({ hasText: words }).first()
          .waitFor({ state: "attached" })
          .catch(async () => {
            throw new Error(`${language}, ply ${i + 1}: "${words}" not among ${JSON.stringify(await one.page.locator('[data-testid="announcer"] p').allInnerTexts())}`);
          });
      }
    }
    await close(white, black);
  };
}

await run({
  "X-002 a game by the keyboard alone": keyboardGame,
  "X-003 a game through roles and names alone": treeGame,
  "X-003 moves are spoken in English": speech("en", "en-GB"),
  "X-003 moves are spoken in Russian": speech("ru", "ru-RU"),
  "X-003 moves are spoken in Romanian": speech("ro", "ro-RO"),
}, async () => {
  await browser.close();
  await site.stop();
});
