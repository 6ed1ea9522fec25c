// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the pages of /learn read: lessons as the build makes them of the texts, and lesson.wasm, which
// says what is true of a position.
import { existsSync, readFileSync } from "node:fs";
import { LEARN_LANGUAGES, readLesson, readLessons, readRows } from "../../web/learn.mjs";
import { load, report, same, skip } from "./load.mjs";

const wasm = process.argv[2];
if (!wasm || !existsSync(wasm)) skip("no lesson.wasm was named");
globalThis.window = { matchMedia: () => ({ matches: false }), addEventListener: () => {} };
const check = (name, found, expected) => same(found, expected, name);
const { lessonFromBytes, readProblem, readOpening } = await load("src/learn/data.ts");
const core = await lessonFromBytes(readFileSync(wasm));
const folder = new URL("../../learn", import.meta.url).pathname;
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// ---- lessons: one text each, in the language asked for
const TEXT = `# a comment
lesson pin L-049
title
en The pin
ru Связка
ro Legarea
step move
fen 8/8/8/8/8/8/8/8 w - - 0 1
say
en Take {Nxd5}.
ru Возьмите {Nxd5}.
ro Ia {Nxd5}.
line Qg7#|Qh8# Kd7 Re1
no Qxd5
en No.
ru Нет.
ro Nu.
claim mate 1
step choice
option right
en a
ru б
ro c
option
en d
ru е
ro f
claim advice`;
const lesson = readLesson(TEXT, "ru");
check("title", lesson.title, "Связка");
check("kinds", lesson.steps.map((s) => s.kind), ["move", "choice"]);
check("text", lesson.steps[0].say, "Возьмите {Nxd5}.");
check("line", lesson.steps[0].line, [["Qg7#", "Qh8#"], ["Kd7"], ["Re1"]]);
check("tried", lesson.steps[0].no, [{ san: "Qxd5", text: "Нет." }]);
check("options", lesson.steps[1].options, [{ right: true, text: "б" }, { right: false, text: "е" }]);
const slugs = LEARN_LANGUAGES.map((code) => readLessons(folder, code).map((l) => `${l.id} ${l.slug} ${l.steps.length}`).join());
check("the same lessons in every language", new Set(slugs).size, 1);
for (const code of LEARN_LANGUAGES)
  for (const l of readLessons(folder, code))
    for (const [i, step] of l.steps.entries())
      if (!l.title || !l.lead || (!step.say && step.kind !== "read")) check(`${code} ${l.slug} step ${i + 1} has its texts`, false, true);

// ---- problems and openings
const problems = readRows(folder, "problems.txt").trim().split("\n").map(readProblem);
check("every problem is its own", new Set(problems.map((p) => p.id)).size, problems.length);
check("solved by an odd number of plies", problems.filter((p) => p.line.length % 2 === 0).length, 0);
const openings = readRows(folder, "openings.txt").trim().split("\n").map(readOpening);
check("four or five moves", openings.filter((o) => o.moves.length < 8 || o.moves.length > 10).length, 0);

// ---- lesson.wasm
const EXCHANGE = "4k3/4n3/2p5/3p4/4P3/2N5/8/3RK3 w - - 0 1";
check("L-041 balance", core.exchange(EXCHANGE, "d5").moves.map((m) => `${m.san} ${m.balance}`), ["exd5 1", "cxd5 0", "Nxd5 1", "Nxd5 -2", "Rxd5 1"]);
check("L-041 result", [core.exchange(EXCHANGE, "d5").result, core.exchange(EXCHANGE, "d5").stop], [1, 1]);
check("L-041 rook for knight loses two", core.exchange("4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1", "d5").result, -2);
check("L-041 bishop for rook gains two", core.exchange("4k3/8/2p5/3r4/8/1B6/8/4K3 w - - 0 1", "d5").result, 2);
check("nothing to take", core.exchange(START, "d5"), { moves: [], result: 0, stop: 0 });
check("L-054 phase", core.facts(START).phase, "opening");
const OPEN = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
check("L-048 centre", core.facts(OPEN).centre, { d4: [0, 1], e4: [0, 0], d5: [1, 0], e5: [0, 0] });
check("L-049 pin", core.facts("4k3/3p4/4n3/8/5P2/8/8/4R1K1 w - - 0 1").pins, [["e1", "e6", "e8"]]);
check("L-052 a mate is let in", core.leaves("6k1/5ppp/8/8/8/1q6/1P3PPP/3R2K1 b - - 0 1", "b3b2"), { leaves: 20000, by: "Rd8#" });
check("L-052 nothing is left", core.leaves(START, "e2e4"), { leaves: 0, by: "" });
check("L-043 kept", core.checklist(["e2e4"]).white.includes("center"), true);
check("L-043 broken", core.checklist(["a2a3"]).white.includes("center"), false);
check("a rook that hangs is taken", core.reply("8/8/8/3k4/4R3/8/8/4K3 b - - 0 1"), "d5e4");
for (const [what, call] of [
  ["bad_fen", () => core.facts("nonsense")],
  ["bad_move", () => core.leaves(START, "e2e5")],
  ["bad_square", () => core.exchange(START, "z9")],
]) {
  let code = "";
  try {
    call();
  } catch (error) {
    code = error.message;
  }
  check(what, code, what);
}
report();
