// SPDX-License-Identifier: GPL-3.0-or-later
// Hints with their reasons in games against the computer and on the analysis board (L-024), the questions before a move (L-052),
// bait told of (L-051), and the report of a game with learning from one's mistakes; in three languages, on a desk and on a
// phone, accessible; none of it in a running game against a person.
import { PATIENCE_MS, Person, Site, accessible, eventually, holds, openBrowser, run, same } from "./site.mjs";

const site = await Site.start({ flags: ["--rate-limits", "off", "--engine-pace", "off"] });
const browser = await openBrowser();
const phone = { viewport: { width: 360, height: 740 }, mobile: true, scale: 2 };
const shots = process.env.JADOUBE_SHOTS;

const FORK = "r3k3/8/8/3N4/8/8/4PPPP/6K1 w - - 0 1";
const WORDS = {
  en: { reason: /Fork: the knight on c7 attacks the rook on a8 and the king on e8 at once\./, leaves: /Goes where it can be taken/ },
  ru: { reason: /Вилка: конь c7 нападает сразу на ладью a8 и короля e8\./, leaves: /Становится под удар/ },
  ro: { reason: /Furculiță: calul de pe c7 atacă deodată turnul de pe a8 și regele de pe e8\./, leaves: /Ajunge sub lovitură/ },
};
const LOCALES = { en: "en-GB", ru: "ru-RU", ro: "ro-RO" };

async function shot(person, name) {
  if (shots) await person.page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

// A game against the computer from a position, on the board.
async function begin(person, language, fen) {
  await person.go(`/?hl=${language}`);
  const post = async (path, body) => {
    const answer = await person.page.request.post(site.url + path, { data: body, headers: { Origin: site.url } });
    holds(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
    return answer.json();
  };
  await post("/api/v1/guest", { language });
  const { game } = await post("/api/v1/computer-games", { level: 1, color: "white", control: { kind: "days", days: 14 }, fen, take_backs: true });
  await person.go(`/game/${game}?hl=${language}`);
  await person.onBoard();
  await person.id("hint").waitFor();
  return game;
}

async function hints(language, options, name) {
  const words = WORDS[language];
  const guest = await Person.open(browser, site, "guest", { locale: LOCALES[language], ...options });
  const game = await begin(guest, language, FORK);
  // L-052: the move stands on the board and is looked at first.
  await guest.id("ask-first").check();
  await guest.keys("d5e7");
  await guest.id("before-move").waitFor();
  await eventually("four questions", () => guest.page.locator("[data-question]").count(), 4);
  await eventually("the king takes it", async () => words.leaves.test(await guest.page.locator('[data-question="answer"]').innerText()));
  await guest.id("better").click();
  await guest.id("compared").waitFor({ timeout: 2 * PATIENCE_MS }); // an engine starts for it
  await guest.page.locator(".cg-shapes line").waitFor({ state: "attached" });
  await shot(guest, `before-${name}`);
  await accessible(guest, `before a move, ${name}`, { all: true });
  await guest.id("back-move").click();
  await guest.id("ask-first").uncheck();
  // L-024: the hint, its arrow, its reason, its count.
  await guest.id("hint").click();
  await guest.page.waitForFunction(() => /2/.test(document.querySelector('[data-testid="hints-count"]')?.textContent ?? ""));
  const told = () => guest.id("hint-found").innerText();
  await eventually(told, async () => words.reason.test(await told()));
  await eventually("one arrow", () => guest.page.locator(".cg-shapes line").count(), 1);
  await shot(guest, `hint-${name}`);
  await accessible(guest, `a hint, ${name}`, { all: true });
  await guest.keys("d5c7");
  await guest.page.waitForFunction(() => document.querySelectorAll(".cg-shapes line").length === 0);
  await guest.seesPly(2);
  await eventually("counted", async () => (await guest.game(game)).hints, 2);
  const pgn = await (await guest.page.request.get(`${site.url}/game/${game}.pgn`)).text();
  holds(pgn.includes("{hints: 2}"), pgn);
  same(guest.faults, [], "faults");
  await guest.context.close();
}

// 2...Nc6 3.Bc4 Nf6?? lets White mate; 3.Bc4 g6 4.Qf3 is met; the queen is thrown away later.
const GAME = `[Event "Lesson"]
[White "A"]
[Black "B"]
[Result "*"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxe5+ Nxe5 5. Bb3 d5 *`;

async function report(language, options, name) {
  const guest = await Person.open(browser, site, "guest", { locale: LOCALES[language], ...options });
  await guest.go(`/analysis?hl=${language}`);
  await guest.page.locator('[data-testid="board"] cg-board').waitFor();
  await guest.page.fill("#pgn", GAME);
  await guest.id("pgn-open").click();
  await guest.id("report-start").click();
  await guest.id("report-done").waitFor({ timeout: 4 * PATIENCE_MS });
  const faults = guest.page.locator('[data-testid="faults"] li');
  const texts = await faults.allInnerTexts();
  // 3...Nf6 allows mate at once; 4.Qxe5+ misses it and throws the queen away.
  const [nf6, qxe5] = [texts.find((text) => text.startsWith("3…")), texts.find((text) => text.startsWith("4."))];
  holds(nf6?.includes("??") && /f7#|f7†/.test(nf6), `the mate allowed: ${nf6}`);
  holds(qxe5?.includes("??") && /(1|один|într-o)/.test(qxe5), `the mate missed: ${qxe5}`);
  const accuracy = await guest.page.locator('[data-testid="accuracy"] td').allInnerTexts();
  same(accuracy.length, 2, "accuracy of both");
  holds(accuracy.every((text) => Number.parseFloat(text.replace(",", ".")) < 95), accuracy.join());
  await shot(guest, `report-${name}`);
  await accessible(guest, `the report, ${name}`, { all: true });
  // Learning: the wrong move first, then the mate.
  await guest.id("learn-white").click();
  let steps = 0;
  for (; steps < 6; steps++) {
    if (/Qxe5|Фxe5|Фe5|Dxe5/.test(await guest.id("learn").innerText())) break;
    await guest.id("learn-next").click();
  }
  await guest.keys("a2a3");
  await guest.page.locator('[data-answer="wrong"]').waitFor();
  await guest.id("learn-again").click();
  await guest.keys("h5f7");
  await guest.page.locator('[data-answer="right"], [data-answer="good"]').waitFor();
  await shot(guest, `learn-${name}`);
  await accessible(guest, `learning, ${name}`, { all: true });
  await guest.id("learn-end").first().click();
  await guest.id("report-keep").click();
  await eventually("signs in the moves", async () => (await guest.page.locator('[data-testid="moves-tree"]').innerText()).includes("??"));
  same(guest.faults, [], "faults");
  await guest.context.close();
}

async function explained() {
  const guest = await Person.open(browser, site, "guest");
  await guest.go(`/analysis?fen=${"4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1".replaceAll(" ", "_")}`);
  await guest.page.locator('[data-testid="board"] cg-board').waitFor();
  await eventually("the phase (L-054)", () => guest.id("phase").innerText(), "Endgame");
  await guest.id("hint").click();
  await guest.page.waitForFunction(() => document.querySelector('[data-testid="hint-found"]')?.textContent.length > 0);
  await guest.page.locator(".cg-shapes line").waitFor({ state: "attached" });
  await guest.keys("d1d5");
  const decoy = guest.page.locator('[data-fact="decoy"]');
  await decoy.waitFor();
  await eventually(() => decoy.innerText(), async () => /Beware of bait: taking the knight on d5 costs more than it brings, because of exd5\./.test(await decoy.innerText()));
  same(guest.faults, [], "faults");
  await guest.context.close();
}

// The end of a game leads to its report.
async function afterTheEnd() {
  const guest = await Person.open(browser, site, "guest");
  const game = await begin(guest, "en", "r5k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
  await guest.drag("a1a7", "white");
  await guest.seesPly(2);
  await guest.id("resign").click();
  await guest.id("resign-yes").click();
  await guest.id("end-report").click();
  await guest.id("report-done").waitFor({ timeout: 2 * PATIENCE_MS });
  await eventually("the mistake is found", async () => (await guest.page.locator('[data-testid="faults"]').innerText()).includes("Ra7??"));
  same(new URL(guest.page.url()).searchParams.get("game"), game, "of this game");
  // The same by the server, for a browser that runs no engine.
  await guest.go(`/analysis?game=${game}`);
  await guest.id("report-server").click();
  await guest.id("report-done").waitFor({ timeout: 2 * PATIENCE_MS });
  await eventually("the server finds it too", async () => (await guest.page.locator('[data-testid="faults"]').innerText()).includes("Ra7??"));
  same(guest.faults, [], "faults");
  await guest.context.close();
}

// L-024: no hint beside a running game against a person, on its page or on the analysis board.
async function noneAgainstPeople() {
  const ann = await Person.open(browser, site, "Anntest");
  const ben = await Person.open(browser, site, "Bentest");
  await ann.register();
  await ben.register();
  await ann.challenge({ base: 5, increment: 0, color: "white", rated: false });
  await ben.join();
  await ann.onBoard();
  // These must come within half a minute, or the game is called off.
  await ann.click("e2e4", "white");
  await ben.seesPly(1);
  await ben.click("e7e5", "black");
  await ann.seesPly(2);
  await eventually("no hint on the page", async () => [await ann.id("hint").count(), await ann.id("hints").count()], [0, 0]);
  const page = await ann.context.newPage();
  await page.goto(`${site.url}/analysis`);
  await page.locator('[data-testid="explain"] [data-testid="hint"]').click();
  await page.waitForFunction(() => document.querySelector('[data-testid="hint-found"]')?.classList.contains("warning"));
  same([...ann.faults, ...ben.faults], [], "faults");
  await ann.context.close();
  await ben.context.close();
}

const cases = { "a move is explained on the analysis board (L-049 to L-054)": explained };
for (const language of ["en", "ru", "ro"]) {
  cases[`L-024 L-052 hints against the computer, ${language}`] = () => hints(language, {}, `${language}-wide`);
  cases[`X-020 a report and learning from it, ${language}`] = () => report(language, {}, `${language}-wide`);
}
cases["L-024 L-052 hints on a phone, dark, ru"] = () => hints("ru", { ...phone, theme: "dark" }, "ru-phone");
cases["X-020 a report on a phone, dark, ro"] = () => report("ro", { ...phone, theme: "dark" }, "ro-phone");
cases["X-020 from the end of a game to its report"] = afterTheEnd;
cases["L-024 no hints against people"] = noneAgainstPeople;
await run(cases, async () => {
  await browser.close();
  await site.stop();
});
