// SPDX-License-Identifier: GPL-3.0-or-later
//
// The game on one machine and the chess clock as the browser has them: node tests/web/local.mjs
// path/to/local.wasm; and 64 = 65, which computes in the page.
import { existsSync, readFileSync } from "node:fs";
import { load, report, same, skip } from "./load.mjs";

const wasm = process.argv[2];
if (!wasm || !existsSync(wasm)) skip("no local.wasm was named");
const { LocalCore } = await load("src/local/core.ts");
const { instance } = await WebAssembly.instantiate(readFileSync(wasm));
const core = new LocalCore(instance.exports);
const fault = (line, lines, now) => {
  try {
    core.call(line, lines, now);
    return null;
  } catch (e) {
    return [e.fault.code, e.fault.field];
  }
};
const T = 1_700_000_000_000;

// ---- setting up (L-002 to L-004, L-025)
same(fault("game"), ["no_game", ""], "no game yet");
const levels = core.call("levels").levels;
same([levels.length, levels[0].name, levels[14].name], [15, "first_week", "full"], "levels of src/engine/levels.c");
same(fault("new", "white-minutes 601\nblack-minutes 5"), ["bad_setup", "time"], "601 minutes");
same(fault("new", "white-minutes 5\nblack-minutes 5\nincrement 61"), ["bad_setup", "increment"], "61 seconds");
same(fault("new", "white-minutes 5\nblack-minutes 5\nincrement 3\ndelay 3"), ["bad_setup", "delay"], "increment and delay");
same(fault("new", "white-move 3601\nblack-move 10"), ["bad_setup", "time"], "3601 seconds for a move");
same(fault("check", "8/8/8/8/8/8/8/K6k w - - 0 1")?.[0], "bad_setup", "nobody can mate there");
same(fault("check", "P6k/8/8/8/8/8/8/K7 w - - 0 1"), ["bad_fen", "pawn_rank"], "a pawn on the last rank");
same(fault("check", "k6k/8/8/8/8/8/8/KR6 w - - 0 1"), ["bad_fen", "king_count"], "two kings");

// ---- a game on unequal clocks; flags, taking back, files
let { game } = core.call("new", "white-minutes 5\nblack-minutes 3\nincrement 2\nwhite-name Ann\nedition fide-2014", T);
same([game.state, game.edition, game.white.name, game.clock.white, game.clock.black], ["running", "fide-2014", "Ann", 300_000, 180_000], "begun");
game = core.call("move e2e4", "", T + 10_000).game;
same([game.clock.white, game.clock.running, game.moves[0].clock], [292_000, "black", 292_000], "the increment is added");
same(fault("move e2e4", "", T + 11_000)?.[0], "illegal_move", "a move that is none there");
game = core.call("move e7e5", "", T + 20_000).game;
const { pgn } = core.call("write 2026.11.30", "", T + 21_000);
same([/\[White "Ann"\]/.test(pgn), /\[WhiteTimeControl "300\+2"\]/.test(pgn), /1\. e4 \{\[%clk 0:04:51\]\} 1\.\.\. e5 \{\[%clk 0:02:52\]\} \*/.test(pgn)], [true, true, true], pgn);
const undone = core.call("undo", "", T + 30_000);
same([undone.did.undo, undone.game.moves.length, undone.game.clock.running, undone.game.clock.black], ["done", 1, "black", 172_000], "time used is not given back");
same(core.call("tick", "", T + 100_000).did.ok, false, "no flag yet");
const fallen = core.call("tick", "", T + 30_000 + 172_000).game;
same([fallen.over, fallen.result, fallen.reason, fallen.article], [true, "1-0", "flag", "6.9"], "the flag");
const again = core.call("open 1 no-undo", pgn, T + 500_000);
same([again.did.ok, again.game.moves.length, again.game.clock.white, again.game.no_undo], [true, 2, 291_000, true], "opened where it stood");
same(core.call("undo", "", T + 500_000).did.undo, "off", "as it was set");
const broken = core.call("open 1", "[Event \"x\"]\n\n1. e4 e5 2. Ke4 *", T + 600_000);
same([broken.did.ok, broken.did.cut, broken.did.problem.line, broken.game.moves.length], [true, true, 3, 2], "up to the fault, by its line");
same(core.call("open 2", pgn, T + 600_000).did.ok, false, "there is no second game");

// ---- claims (L-010)
core.call("new", "", T);
for (const uci of ["g1f3", "g8f6", "f3g1", "f6g8"]) core.call(`move ${uci}`, "", T);
const early = core.call("claim", "", T).did;
same([early.ok, early.repetitions, early.moves], [false, 2, 2], "not yet");
for (const uci of ["g1f3", "g8f6", "f3g1"]) core.call(`move ${uci}`, "", T);
game = core.call("claim f6g8", "", T).game;
same([game.result, game.reason, game.article], ["1/2-1/2", "claim_repetition", "9.2.1"], "by the intended move");

// ---- dead positions and resignation by the Laws (L-011, L-012)
core.call("new", "fen 7k/8/8/8/8/8/1p6/K7 w - - 0 1", T);
game = core.call("move a1b2", "", T).game;
same([game.over, game.reason, game.result], [true, "dead_position", "1/2-1/2"], "two kings");
core.call("new", "fen 7k/8/8/8/8/8/P7/K7 b - - 0 1", T);
game = core.call("resign white", "", T).game;
same([game.reason, game.result], ["resign_draw", "1/2-1/2"], "the opponent cannot mate (2023)");

// ---- the computer (L-006): the level's question, and a legal move whatever the engine says
core.call("seed 7");
core.call("new", "white-level 3\nblack-level 1", T);
same(core.call("ask", "", T).ask, { lines: 8, nodes: 800, ms: 2000 }, "level 3");
const legal = new Set(core.call("game").game.legal.map((m) => m.uci));
for (const said of ["", "cp 20 e2e4 e7e5\ncp 10 d2d4", "cp x nonsense", "mate 3 a1a8"]) {
  const { move, pace } = core.call("choose", said, T).choose;
  same([legal.has(move), pace > 0], [true, true], `a legal move on "${said}"`);
}
core.call("move e2e4", "", T);
same(core.call("ask", "", T).ask.nodes, 100, "level 1");
// For White, whoever is told it: Black, who stands a rook up, declines.
core.call("new", "black-level 2\nfen 4k3/8/8/8/8/8/r7/4K2R b K - 0 40", T);
same([core.call("accepts black", "cp -500 a2a1", T).accepts, core.call("accepts black", "cp 500 a2a1", T).accepts], [false, true], "draws");

// ---- a limit for each move (L-003)
core.call("new", "white-move 20\nblack-move 10", T);
game = core.call("move e2e4", "", T + 15_000).game;
same([game.clock.white, game.clock.black], [20_000, 10_000], "nothing is saved");
game = core.call("tick", "", T + 25_000).game;
same([game.reason, game.result], ["flag", "1-0"], "ten seconds are over");

// ---- the chess clock (L-028)
let { timer } = core.call("timer 60000 60000 0 3000", "", T);
same([timer.running, timer.started], [null, false], "neutral");
timer = core.call("press black", "", T).timer;
same([timer.running, core.call("read", "", T + 2000).timer.white, core.call("read", "", T + 5000).timer.white], ["white", 60_000, 58_000], "the delay first");
same(core.call("press white", "", T + 20).did.press, "bounced", "within 50 ms");

// ---- 64 = 65 (L-030)
const geometry = await load("src/curiosity/geometry.ts");
for (const size of geometry.SIZES) {
  const list = geometry.shapes(size);
  const area = list.reduce((sum, shape) => sum + geometry.areaOf(shape), 0);
  same(area, size.c ** 2, `${size.c}: the pieces are the square`);
  same(geometry.areaOf(geometry.rest(size)), 1, `${size.c}: the rest has area 1`);
  same(geometry.cassini(size), size.n % 2 === 0 ? 1 : -1, `${size.c}: Cassini`);
  same([geometry.formOf(size, geometry.square(size)), geometry.formOf(size, geometry.rectangle(size))], ["square", "rectangle"], `${size.c}: both forms`);
  const moved = geometry.rectangle(size).map((at) => ({ ...at, x: at.x + 3 }));
  same(geometry.formOf(size, moved), "rectangle", `${size.c}: wherever it lies`);
  for (const [i, shape] of list.entries()) {
    let at = geometry.square(size)[i];
    for (let k = 0; k < 4; k++) at = geometry.turn(shape, at);
    same(at, geometry.square(size)[i], `${size.c}: four quarters of piece ${i}`);
  }
}
report();
