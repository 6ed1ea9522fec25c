// SPDX-License-Identifier: GPL-3.0-or-later
// Learning (L-040 to L-062): every lesson is played through by typing its moves, one step of each kind also with the mouse and in the
// other languages; a problem of each theme is solved (L-059), hints cost points, the solution is shown; an opening is watched and played
// from memory (L-045); squares are found and named against the clock. All of it by keyboard too, accessible, at 360 and 1280 pixels,
// without an account, and kept in the browser.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { readLesson, readRows } from "../../web/learn.mjs";
import { Person, Site, accessible, eventually, holds, openBrowser, resting, run, same } from "./site.mjs";

const data = new URL("../../learn", import.meta.url).pathname;
const site = await Site.start({ flags: ["--rate-limits", "off"] });
const browser = await openBrowser();
const PHONE = { viewport: { width: 360, height: 740 }, mobile: true };

const files = readdirSync(join(data, "lessons")).sort();
const source = (name) => readFileSync(join(data, "lessons", name), "utf8");
const problems = readRows(data, "problems.txt")
  .split("\n")
  .map((row) => {
    const [head, fen, line, game] = row.split(";");
    return { theme: head.split(" ")[0], grade: Number(head.split(" ")[1]), fen, line: line.split(" "), id: game.replace(" ", "-") };
  });

// The rook endings of "win" steps are played by an engine of the test's own.
const helper = spawn("/usr/games/stockfish", { stdio: ["pipe", "pipe", "ignore"] });
let told = () => {};
createInterface({ input: helper.stdout }).on("line", (line) => line.startsWith("bestmove ") && told(line.split(" ")[1]));
const best = (fen) =>
  new Promise((resolve) => {
    told = resolve;
    helper.stdin.write(`position fen ${fen}\ngo nodes 30000\n`);
  });

async function open(options = {}) {
  return Person.open(browser, site, "learner", options);
}
async function close(person) {
  same(person.faults, [], "the browser has nothing to complain of");
  await person.context.close();
}
// What the browser keeps of it all.
const kept = async (person) => JSON.parse(await person.page.evaluate(() => localStorage.getItem("learn") ?? "{}"));

// A move by its name, once it is the learner's turn.
async function typed(person, text) {
  await person.page.locator("#move-input:not([disabled])").waitFor();
  await person.type(text);
}
const done = (person) => person.page.locator('[data-testid="next-step"], [data-testid="lesson-done"]').first().waitFor();

// ---- lessons ------------------------------------------------------------------------------------

const solve = {
  read: async () => {},
  links: async (person) => {
    const links = await person.page.locator('[data-testid="next-links"] a').evaluateAll((list) => list.map((a) => a.getAttribute("href")));
    for (const path of ["/computer", "/local", "/ratings/blitz", "/"]) holds(links.includes(path), `a link to ${path} (L-062)`);
  },
  move: async (person, step) => {
    for (let i = 0; i < step.line.length; i += 2) await typed(person, step.line[i][0]);
  },
  choice: async (person) => person.id("option-right").click(),
  squares: async (person, step) => {
    for (const square of step.squares) await person.page.locator(`.pick-grid [data-square="${square}"]`).click();
  },
  safe: async (person, step, raw) => typed(person, /claim safe (\S+)/.exec(raw)[1]),
  win: async (person, step) => {
    let fen = step.fen;
    for (let i = 0; i < 40; i++) {
      const move = await best(fen);
      const left = blackMen(fen).filter((man) => !man.endsWith(move.slice(2, 4))).join();
      await typed(person, move);
      // Answered when a black man has moved; or the end.
      await eventually("an answer", async () => {
        if (await person.id("lesson-done").count()) return true;
        fen = await position(person, "w");
        return blackMen(fen).join() !== left && (await person.page.locator("#move-input").isEnabled());
      });
      if (await person.id("lesson-done").count()) return;
    }
    throw new Error("no mate after 40 moves");
  },
  plan: async (person) => {
    await eventually("nothing to compare yet", () => person.id("compare").isDisabled(), true);
    await person.page.fill("#plan", "Castle, then the knight to g3 and d4.");
    await person.id("compare").click();
  },
  flag: async (person) => {
    await person.id("flag-start").click();
    await person.page.locator(".flag-clock .fallen").waitFor();
    await person.id("flag-stop").click();
    await person.id("flag-claim").click();
  },
};

// The men as the page tells a screen reader.
async function position(person, turn) {
  const cells = await person.page.locator(".board-grid [data-square]").evaluateAll((list) => list.map((c) => [c.dataset.square, c.getAttribute("aria-label")]));
  const letters = { king: "k", queen: "q", rook: "r", bishop: "b", knight: "n", pawn: "p" };
  const board = Object.fromEntries(cells);
  let text = "";
  for (let rank = 8; rank >= 1; rank--) {
    for (const file of "abcdefgh") {
      const man = /(white|black) (\w+)$/.exec(board[file + rank]);
      text += man ? (man[1] === "white" ? letters[man[2]].toUpperCase() : letters[man[2]]) : "1";
    }
    if (rank > 1) text += "/";
  }
  return `${text.replace(/1+/g, (ones) => String(ones.length))} ${turn} - - 0 1`;
}

// "kg8" and so on, of a position in FEN.
function blackMen(fen) {
  const men = [];
  fen.split(" ")[0].split("/").forEach((row, i) => {
    let file = 0;
    for (const sign of row) {
      if (/[a-z]/.test(sign)) men.push(`${sign}${"abcdefgh"[file]}${8 - i}`);
      file += Number(sign) || 1;
    }
  });
  return men;
}

async function everyLesson() {
  const person = await open();
  for (const name of files) {
    const raw = source(name);
    const lesson = readLesson(raw, "en");
    const parts = raw.split(/^step /m).slice(1);
    await person.go(`/learn/${lesson.slug}`);
    await person.page.locator(`[data-lesson="${lesson.id}"]`).waitFor();
    for (const [i, step] of lesson.steps.entries()) {
      if (i > 0) await person.id("next-step").click();
      await solve[step.kind](person, step, parts[i]);
      await done(person).catch((error) => {
        throw new Error(`${name}, step ${i + 1} (${step.kind}): ${error.message}`);
      });
    }
    await person.id("lesson-done").waitFor();
  }
  // Kept: the index says so after a reload.
  await person.go("/learn");
  await person.id("lesson-pin").waitFor();
  // The list is whole when the last of the files has come.
  const finished = person.page.locator(".learn-lessons a", { hasText: "✓" });
  await finished.nth(files.length - 1).waitFor();
  await eventually("finished lessons", () => finished.count(), files.length);
  await close(person);
}

async function overlays() {
  const person = await open();
  const text = async (id) => (await person.id(id).innerText()).replace(/\s+/g, " ");
  await person.go("/learn/exchange");
  await eventually("the exchange is counted out (L-041)", async () => (await text("overlay-exchange")).includes("exd5 +1 cxd5 0 Nxd5 +1 Nxd5 −2 Rxd5 +1"));
  await person.go("/learn/opening-checklist");
  await eventually("White keeps all seven rules (L-043)", async () => (await text("overlay-checklist")).split("✓").length - 1 >= 7, true);
  await person.go("/learn/centre");
  await eventually("attackers of d4 (L-048)", async () => (await text("overlay-centre")).includes("d4 1 3"));
  await person.go("/learn/pin");
  await eventually("the pin is shown (L-049)", async () => (await text("overlay-pins")).includes("b5") && (await person.page.locator(".shapes .arrow.pin").count()) === 1);
  await person.go("/learn/phases");
  await eventually("the answer is not given away", () => person.id("overlay-phase").count(), 0);
  await person.id("option-right").click();
  await eventually("the phase (L-054)", async () => (await text("overlay-phase")).includes("opening"));
  await close(person);
}

async function wrongMoves() {
  const person = await open();
  await person.go("/learn/values");
  await person.id("step-3").click();
  await typed(person, "Nxf4");
  await person.id("note").filter({ hasText: "guards the bishop" }).waitFor();
  await eventually("not done", () => person.id("next-step").count(), 0);
  await person.id("hint").click();
  await person.id("hint").click();
  await eventually("an arrow as a hint", () => person.page.locator(".shapes .arrow.hint").count(), 1);
  await person.click("d5b4", "white");
  await done(person);
  // A move that lets itself be mated, in a step where any safe move will do.
  await person.go("/learn/four-move-mate");
  await person.id("step-2").click();
  await typed(person, "Nf6");
  await person.id("note").filter({ hasText: "Qxf7#" }).waitFor();
  await typed(person, "g6");
  await done(person);
  await close(person);
}

// One step of each kind in another language, by keys alone where the board is concerned.
async function abroad(locale, options, flag) {
  const person = await open({ locale, ...options });
  await person.go("/learn");
  await person.id("lesson-pin").waitFor();
  await accessible(person, `index ${locale}`);
  await person.go("/learn/pin");
  await person.id("overlay-pins").waitFor();
  await accessible(person, `pin ${locale}`);
  await person.id("next-step").click();
  // Arrow keys on the grid of squares.
  await person.page.locator('.pick-grid [data-square="e4"]').focus();
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowDown", "Enter"]) await person.page.keyboard.press(key);
  await done(person);
  await accessible(person, `squares ${locale}`);
  await person.id("next-step").click();
  await person.page.locator(".board-grid").waitFor();
  await person.keys("a1e1");
  await done(person);
  await accessible(person, `move ${locale}`);
  const letters = locale === "ru-RU" ? /[а-я]/ : /[ăâîșț]/;
  await eventually("the text is in the language", async () => letters.test(await person.page.locator(".learn-text").innerText()));
  await person.go("/learn/values");
  await person.id("step-2").click();
  await person.id("option-0").click();
  await person.id("option-right").click();
  await done(person);
  await accessible(person, `choice ${locale}`);
  await person.go("/learn/opening-checklist");
  await person.id("overlay-checklist").waitFor();
  await accessible(person, `checklist ${locale}`);
  await person.go("/learn/flag");
  await person.id("option-right").click();
  await person.id("next-step").click();
  if (flag) await solve.flag(person);
  await accessible(person, `flag ${locale}`);
  await close(person);
}

// ---- problems -----------------------------------------------------------------------------------

async function problem(person, one, how) {
  await person.go(`/learn/problems?p=${one.id}`);
  await person.page.locator(`[data-problem="${one.id}"]`).waitFor();
  const side = one.fen.split(" ")[1] === "w" ? "white" : "black";
  for (let i = 0; i < one.line.length; i += 2) {
    await answered(person, i);
    await person[how](one.line[i], side);
  }
  await person.id("next-problem").waitFor();
}
// So many moves have been made, and the solver is to move.
async function answered(person, plies) {
  await person.page.waitForFunction((n) => {
    const line = document.querySelector('[data-testid="line"]')?.textContent ?? "";
    return line.split(" ").filter(Boolean).length === n && document.querySelector("#move-input");
  }, plies);
}

async function everyTheme() {
  const person = await open();
  const themes = [...new Set(problems.map((p) => p.theme))];
  same(themes.length, 10, "themes");
  for (const [i, theme] of themes.entries())
    await problem(person, problems.find((p) => p.theme === theme), i % 2 === 0 ? "click" : "keys");
  await eventually("three points each, one streak", async () => {
    const now = await kept(person);
    return [now.streak, Object.values(now.problems)];
  }, [10, Array(10).fill(3)]);
  await person.id("next-problem").click();
  await person.page.locator("[data-problem]").waitFor();
  await eventually("a fresh problem", async () => await person.id("next-problem").count() === 0);
  await close(person);
}

async function costs() {
  const person = await open();
  const one = problems.find((p) => p.theme === "mate2");
  const side = one.fen.split(" ")[1] === "w" ? "white" : "black";
  await person.go(`/learn/problems?theme=mate2&p=${one.id}`);
  await person.page.locator(`[data-problem="${one.id}"]`).waitFor();
  await person.id("hint").click();
  await eventually("the man is marked", () => person.page.locator(".shapes .mark.hint").count(), 1);
  await person.click(one.line[0], side);
  await answered(person, 2);
  await person.click(one.line[2], side);
  await person.id("note").filter({ hasText: "2 points" }).waitFor();
  const other = problems.filter((p) => p.theme === "fork")[1];
  await person.go(`/learn/problems?p=${other.id}`);
  await person.id("solution").click();
  await person.id("next-problem").waitFor();
  await eventually("the solution is played through", async () => (await person.id("line").innerText()).split(" ").length, other.line.length);
  await eventually("points", async () => {
    const now = await kept(person);
    return [now.problems[one.id], now.problems[other.id], now.streak];
  }, [2, 0, 0]);
  // A set by difficulty, and that of the day.
  await person.go("/learn/problems?theme=mate1&grade=2");
  const shown = problems.find((p) => p.theme === "mate1" && p.grade === 2);
  await eventually("the first of its set", () => person.page.locator("[data-problem]").getAttribute("data-problem"), shown.id);
  await person.id("of-the-day").click();
  await person.page.locator("[data-problem]").waitFor();
  await eventually("the problem of the day", () => new URL(person.page.url()).search, "?day");
  await close(person);
}

async function problemsAbroad(locale, options) {
  const person = await open({ locale, ...options });
  const one = problems.find((p) => p.theme === "mate1");
  await person.go(`/learn/problems?p=${one.id}`);
  await person.page.locator("[data-problem]").waitFor();
  await accessible(person, `problems ${locale}`);
  // The chosen chip stays in its row's sight.
  const chips = person.page.locator(".learn-chips").first();
  await chips.locator("a").last().click();
  await chips.locator("a[aria-current]").last().waitFor();
  await eventually("the last theme in sight", () => chips.evaluate((row) => {
    const last = row.lastElementChild;
    const a = row.getBoundingClientRect();
    const b = last.getBoundingClientRect();
    return [last.getAttribute("aria-current"), b.left >= a.left - 1 && b.right <= a.right + 1];
  }), ["true", true]);
  await person.go(`/learn/problems?p=${one.id}`);
  await person.page.locator("[data-problem]").waitFor();
  await problem(person, one, "keys");
  await accessible(person, `solved ${locale}`);
  await close(person);
}

// ---- openings and squares -----------------------------------------------------------------------

async function opening() {
  const person = await open();
  const [, , , , line] = readRows(data, "openings.txt").split("\n")[0].split(";");
  const moves = line.split(" ");
  await person.go("/learn/openings");
  await person.page.locator('[data-testid="trainer"][data-done="true"]').waitFor();
  await person.id("way-black").click();
  await person.page.locator('[data-way="black"]').waitFor();
  for (let i = 1; i < moves.length; i += 2) await typed(person, moves[i]);
  await person.page.locator('[data-testid="trainer"][data-done="true"]').waitFor();
  await person.id("note").filter({ hasText: "✓" }).waitFor();
  await person.id("way-white").click();
  await person.page.locator('[data-way="white"]').waitFor();
  await typed(person, "d4");
  await person.id("note").filter({ hasText: "d4" }).waitFor();
  for (let i = 0; i < moves.length; i += 2) await typed(person, moves[i]);
  await person.id("note").filter({ hasText: "1 fault" }).waitFor();
  await accessible(person, "openings");
  await close(person);
}

async function squares(locale, options) {
  const person = await open({ locale, ...options });
  await person.go("/learn/coordinates");
  await person.id("coordinates-start").waitFor();
  await accessible(person, `coordinates ${locale}`);
  await person.choose("side-black");
  await person.id("timed").uncheck();
  await person.id("coordinates-start").click();
  await person.id("asked").waitFor();
  const right = (n) => eventually(`${n} right`, async () => Number(/\d+/.exec(await person.id("coordinates-score").innerText())[0]), n);
  const inSight = (selector) => person.page.locator(selector).first().evaluate((e) => e.getBoundingClientRect().top >= -1 && e.getBoundingClientRect().bottom <= innerHeight + 1);
  await eventually("board and question in sight", async () => [await inSight(".pick-grid"), await inSight('[data-testid="asked"]')], [true, true]);
  for (let i = 0; i < 3; i++) {
    const asked = (await person.id("asked").innerText()).trim();
    await person.page.mouse.click(...(await at(person, asked)));
    await right(i + 1);
  }
  await person.id("coordinates-stop").click();
  await person.id("coordinates-over").waitFor();
  await person.choose("mode-name");
  await person.id("timed").check();
  await person.id("coordinates-start").click();
  for (let i = 0; i < 3; i++) {
    const square = await person.page.locator(".pick-grid .asked").getAttribute("data-square");
    await person.page.fill("#square-name", square);
    await right(i + 1);
  }
  await person.id("coordinates-stop").click();
  await eventually("the best against the clock", async () => (await kept(person)).coordinates, { "name black": 3 });
  await close(person);
}
// From Black's side.
async function at(person, square) {
  const box = await resting(person.page.locator(".pick-grid"));
  const column = 7 - "abcdefgh".indexOf(square[0]);
  return [box.x + ((column + 0.5) * box.width) / 8, box.y + ((Number(square[1]) - 0.5) * box.height) / 8];
}

await run(
  {
    "every lesson is played through (L-040 L-041 L-042 L-043 L-044 L-046 L-047 L-048 L-049 L-050 L-051 L-052 L-053 L-054 L-055 L-056 L-057 L-058 L-060 L-061 L-062)": everyLesson,
    "what stands over and beside the board (L-041 L-043 L-048 L-049 L-054)": overlays,
    "wrong moves are answered, hints given (L-051)": wrongMoves,
    "in Russian, on a phone": () => abroad("ru-RU", PHONE, true),
    "in Romanian, in the dark": () => abroad("ro-RO", { theme: "dark" }, false),
    "a problem of each theme (L-059)": everyTheme,
    "hints cost points, the solution none the less (L-059)": costs,
    "problems in Russian on a phone": () => problemsAbroad("ru-RU", { ...PHONE, theme: "dark" }),
    "problems in Romanian": () => problemsAbroad("ro-RO", {}),
    "an opening from memory (L-045)": opening,
    "squares found and named (X-024)": () => squares("en-GB", {}),
    "squares in Romanian on a phone": () => squares("ro-RO", PHONE),
  },
  async () => {
    helper.kill();
    await browser.close();
    await site.stop();
  },
);
