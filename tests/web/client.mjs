// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of the client that compute: reading and writing moves by the tables of the Laws'
// appendix on notation, folding the messages of a game, taken men, clocks, time controls. With a
// core.wasm as argument the legal moves come from it.
import { existsSync, readFileSync } from "node:fs";
import { load, report, same, skip } from "./load.mjs";

const wasm = process.argv[2] ?? process.env.JADOUBE_CORE_WASM;
if (!wasm || !existsSync(wasm)) skip("no core.wasm was named");
const { coreFromBytes } = await load("src/core/core.ts");
const core = await coreFromBytes(readFileSync(wasm));
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// ---- notation
const { LETTERS, FIGURINES, readMove, writeMove } = await load("src/core/notation.ts");
const V21 = "4k3/8/8/8/8/8/8/K3N1N1 w - - 0 1";
const V21P = "4k3/p7/8/8/8/8/8/K3N1N1 w - - 0 1"; // with a black pawn: nobody is bare
const V22 = "k7/8/8/3p4/2P1P3/8/8/K7 w - - 0 1";
const V27 = "2n4k/3P4/8/8/8/8/8/K7 w - - 0 1";
const CASTLES = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
const EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
const RO = "4k3/8/8/8/8/8/3N4/2B1K2R w K - 0 1";

// language, position, what is typed, the move in UCI form or the fault
const typed = [
  ["en", START, "e4", "e2e4"],
  ["en", START, " Nf3 ", "g1f3"],
  ["en", START, "nf3", "g1f3"],
  ["en", START, "e2e4", "e2e4"],
  ["en", START, "e2-e4", "e2e4"],
  ["en", START, "E2E4", "e2e4"],
  ["en", START, "e5", "illegal"],
  ["en", START, "Kf3", "illegal"],
  ["en", START, "x", "malformed"],
  ["en", START, "e9", "malformed"],
  ["en", START, "", "malformed"],
  ["en", START, "Кf3", "malformed"], // the Russian letter is none in English
  ["en", V21, "Nef3", "e1f3"],
  ["en", V21, "Ngf3", "g1f3"],
  ["en", V21, "Nf3", "ambiguous"],
  ["en", V21P, "Ne1-f3", "e1f3"],
  ["en", V22, "cxd5", "c4d5"],
  ["en", V22, "cd5", "c4d5"],
  ["en", V22, "exd5", "e4d5"],
  ["en", V22, "d5", "illegal"], // a push only, never a capture
  ["en", V27, "d8Q", "d7d8q"],
  ["en", V27, "d8=Q+", "d7d8q"],
  ["en", V27, "d8(N)", "d7d8n"],
  ["en", V27, "d8/R", "d7d8r"],
  ["en", V27, "dxc8B", "d7c8b"],
  ["en", V27, "d7d8n", "d7d8n"],
  ["en", V27, "d8", "ambiguous"],
  ["en", V27, "d7d8", "ambiguous"],
  ["en", CASTLES, "0-0", "e1g1"],
  ["en", CASTLES, "O-O", "e1g1"],
  ["en", CASTLES, "o-o-o", "e1c1"],
  ["en", CASTLES, "О-О", "e1g1"], // Cyrillic
  ["en", CASTLES, "Kg1", "castling"],
  ["en", CASTLES, "Kf1", "e1f1"],
  ["en", EN_PASSANT, "exd6 e.p.", "e5d6"],
  ["en", EN_PASSANT, "exd6ep", "e5d6"],
  ["en", EN_PASSANT, "ed6", "e5d6"],
  ["ru", START, "Кf3", "g1f3"],
  ["ru", START, "е4", "e2e4"], // Cyrillic е
  ["ru", START, "Кс3", "b1c3"], // Cyrillic с as a file
  ["ru", V21P, "Кf3", "ambiguous"],
  ["ru", V21P, "Кgf3", "g1f3"],
  ["ru", V21P, "Крb1", "a1b1"],
  ["ru", V21P, "крb1", "a1b1"],
  ["ru", V27, "d8Ф", "d7d8q"],
  ["ru", V27, "d:c8К", "d7c8n"],
  ["ru", "4k3/8/8/8/8/8/4P3/4KB2 w - - 0 1", "Сg2", "f1g2"],
  ["ru", "4k3/8/8/8/8/8/2P5/4K3 w - - 0 1", "с4", "c2c4"], // small: a pawn
  ["ro", START, "Cf3", "g1f3"],
  ["ro", RO, "Rd1", "e1d1"], // the king, not the rook
  ["ro", RO, "Tg1", "h1g1"],
  ["ro", RO, "Nb2", "c1b2"], // the bishop
  ["ro", RO, "Cf3", "d2f3"],
  ["ro", V27, "d8D", "d7d8q"],
  // Latin letters that look like Russian ones
  ["ru", START, "Kf3", "g1f3"],
  ["ru", START, "kf3", "g1f3"],
  ["ru", V21, "Kef3", "e1f3"],
  ["ru", CASTLES, "Kpf2", "e1f2"],
  ["ru", CASTLES, "Kрf2", "e1f2"],
  ["ru", CASTLES, "Кpf2", "e1f2"],
  ["ru", "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "Cd2", "c1d2"],
  ["ru", START, "c4", "c2c4"],
  ["ru", V27, "d8K", "d7d8n"],
  ["ru", V27, "d8C", "d7d8b"],
];
for (const [language, fen, text, expected] of typed) {
  const reading = readMove(text, LETTERS[language], core.describe(fen).legal_moves);
  same(reading.uci ?? reading.fault, expected, `"${text}" typed in ${language} on ${fen}`);
}
for (const [san, language, expected] of [
  ["Nbxd7+", "ru", "Кbxd7+"],
  ["Kb1", "ru", "Крb1"],
  ["Bb5#", "ro", "Nb5#"],
  ["e8=Q", "ro", "e8D"],
  ["O-O-O", "en", "0-0-0"],
  ["exd6", "en", "exd6"],
])
  same(writeMove(san, LETTERS[language]), expected, `${san} written in ${language}`);
same(writeMove("Rxe8=Q".slice(0, 4), FIGURINES), "♖\uFE0Exe8", "figurines");
// What is written is read again, for every move of a few positions.
for (const language of ["en", "ru", "ro"])
  for (const fen of [START, V21P, V22, V27, CASTLES, EN_PASSANT, RO]) {
    const legal = core.describe(fen).legal_moves;
    for (const { uci, san } of legal)
      same(readMove(writeMove(san, LETTERS[language]), LETTERS[language], legal).uci, uci, `${san} in ${language}`);
  }

// ---- folding a game
const { fold, fenAt } = await load("src/game/fold.ts");
const clocks = (white, black, running, at) => ({ white, black, running, delay_left: 0, at });
let game = fold(null, {
  t: "game",
  d: {
    id: "g", seq: 4, state: "scheduled", turn: "white", ply: 0, moves: [], start_fen: START, fen: START,
    white: { nick: "A", online: true, vacation_until: null }, black: { nick: "B", online: true, vacation_until: null }, offer: "black", bound_move: "e2e4",
    clocks: clocks(1000, 1000, null, 0), check: false, result: "*", reason: null, spectators: 0,
    first_move_by: null, abandon_claim_at: null, created: 0, started: null, ended: null, deadline: null,
  },
});
const e4 = core.move(START, "e2e4");
game = fold(game, { t: "moved", d: { game: "g", seq: 5, ply: 1, uci: "e2e4", san: "e4", fen: e4.fen,
  clocks: clocks(900, 1000, "black", 5), check: false, draw: true, at: 5, clock: 900, first_move_by: 99 } });
same([game.state, game.ply, game.turn, game.offer, game.bound_move, game.seq, game.first_move_by],
  ["running", 1, "black", "white", null, 5, 99], "after a move with an offer");
same([fenAt(game, 0), fenAt(game, 1), fenAt(game, 9)], [START, e4.fen, e4.fen], "positions by ply");
game = fold(game, { t: "offer", d: { game: "g", seq: 6, offer: null, by: "black", act: "decline", bound_move: null } });
same(game.offer, null, "declined");
game = fold(game, { t: "presence", d: { game: "g", seq: 7, white: false, black: true, spectators: 3, abandon_claim_at: 77 } });
same([game.white.online, game.spectators, game.abandon_claim_at], [false, 3, 77], "presence");
const ended = fold(game, { t: "end", d: { game: "g", seq: 8, result: "0-1", reason: "flag", article: "6.9", clocks: clocks(0, 800, null, 9) } });
same([ended.state, ended.result, ended.ended, ended.abandon_claim_at, game.state], ["ended", "0-1", 9, null, "running"], "the end");
same(fold(game, { t: "end", d: { result: "*", reason: "aborted", article: null, clocks: clocks(0, 0, null, 9) } }).state, "annulled", "called off");

// ---- taken men
const { materialAfter } = await load("src/game/material.ts");
const roles = (list) => list.map((x) => x.role[0] + (x.promoted ? "*" : "")).join("");
const material = (line) => materialAfter(START, core.play(START, line.split(" ")).plies);
let m = material("e2e4 d7d5 e4d5 d8d5 b1c3 d5a5");
same([roles(m.taken.white), roles(m.taken.black), m.difference], ["p", "p", 0], "one pawn each");
m = material("e2e4 a7a6 e4e5 d7d5 e5d6");
same([roles(m.taken.white), m.difference], ["p", 1], "en passant");
m = material("h2h4 g7g5 h4g5 h7h6 g5h6 a7a6 h6h7 a6a5 h7g8q h8g8");
same([roles(m.taken.white), roles(m.taken.black), m.difference], ["kpp", "p*", 4], "a promoted pawn is taken");

// ---- clocks
const { reading, clockText } = await load("src/game/clock.ts");
const c = { white: 5000, black: 3000, running: "white", delay_left: 1000, at: 100 };
same([reading(c, "white", 600), reading(c, "white", 2100), reading(c, "white", 99_999), reading(c, "black", 99_999)],
  [5000, 4000, 0, 3000], "readings: delay first, never below zero");
for (const [ms, live, text] of [
  [300_000, true, "05:00"], [299_001, true, "05:00"], [20_000, true, "00:20"], [19_999, true, "00:20.0"],
  [9_250, true, "00:09.3"], [1, true, "00:00.1"], [0, true, "00:00.0"], [9_250, false, "00:10"],
  [5_400_000, true, "1:30:00"], [86_400_000 * 2 + 4.25 * 3_600_000, false, "2\u00A0d 04:15"],
])
  same(clockText(ms, live, "d"), text, `${ms} ms on the clock`);

// ---- categories
const { categoryOf, controlKey, flagByLaws, paceOf, PRESETS } = await load("src/lobby/controls.ts");
for (const [base, increment, category] of [
  [10, 0, "blitz"], [5, 5, "blitz"], [10, 1, "rapid"], [59, 0, "rapid"], [45, 15, "standard"], [60, 0, "standard"], [0.5, 1, "blitz"],
])
  same(categoryOf({ kind: "clock", base_ms: base * 60_000, increment_ms: increment * 1000, delay_ms: 0 }), category, `${base}+${increment}`);
// the presets stand in the row of their category.
for (const { row, controls } of PRESETS.blitz)
  for (const control of controls) same(categoryOf(control), row, `preset ${controlKey(control)}`);
// The pace by the edition's own limits (laws.md 2.1): minutes, increment, then 1997 to 2023.
const paces = [
  [15, 0, "rapid rapid rapid rapid rapid"],
  [60, 0, "rapid rapid standard standard standard"],
  [10, 0, "blitz blitz blitz blitz blitz"],
  [10, 5, "blitz rapid rapid rapid rapid"],
  [5, 5, "blitz blitz blitz blitz blitz"],
  [5, 6, "blitz blitz blitz rapid rapid"],
  [50, 10, "rapid rapid standard standard standard"],
  [14, 0, "blitz blitz blitz rapid rapid"],
  [90, 30, "standard standard standard standard standard"],
];
const YEARS = [1997, 2005, 2009, 2014, 2023];
for (const [base, increment, expected] of paces) {
  const control = { kind: "clock", base_ms: base * 60_000, increment_ms: increment * 1000, delay_ms: 0 };
  same(YEARS.map((year) => paceOf(`fide-${year}`, control)).join(" "), expected, `pace of ${base}+${increment}`);
}
// claims are the law of rapid and blitz of 1997, 2005 and, unsupervised, 2009.
const flags = (pace, supervised) => YEARS.map((year) => flagByLaws(`fide-${year}`, pace, supervised)).join(" ");
same(flags("rapid", true), "claim claim auto auto auto", "flags, supervised");
same(flags("blitz", false), "claim claim claim auto auto", "flags, unsupervised");
same(flags("standard", false), "auto auto auto auto auto", "flags, standard");

// ---- of whom the end of a game makes one ask whether he could still mate (5.1.2, 5.2.2, 6.9)
const { askedOf, sentence } = await load("src/game/mate_shown.tsx");
const asked = (reason, result, edition = "fide-2023", state = "ended") => askedOf({ reason, result, edition, state }).join(" ");
same(asked("flag", "1-0"), "white", "a flag: the winner");
same(asked("flag_draw", "1/2-1/2"), "white black", "a flag and a draw: both");
same(asked("resignation", "0-1"), "black", "a resignation of 2023");
same(asked("resignation", "0-1", "fide-2014"), "", "before 2023 nobody asks");
same(asked("resign_draw", "1/2-1/2"), "white black", "a resignation that is a draw");
same(asked("dead_position", "1/2-1/2", "fide-1997"), "white black", "a dead position");
same(asked("abandoned", "1-0"), "white", "a player left");
same([asked("checkmate", "1-0"), asked("agreement", "1/2-1/2"), asked("flag", "*", "fide-2023", "running")], ["", "", ""], "nothing to ask");
// Without a catalogue a text is its key: which one is what matters.
const wall = core.dead("k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1");
same([sentence(wall, "white"), sentence(wall, "black")], ["mate.cannot.white", "mate.cannot.black"], "a proof");
const pawn = core.dead("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
same(sentence(pawn, "white"), "mate.can.white", "a line");
same(sentence(core.dead("8/4p3/4k3/8/8/2N5/8/4K3 b - - 0 1", 1), "white"), "mate.unknown.white", "not known");

// ---- layouts of the game zone (S-273, S-275)
const { BLOCKS, STANDARD_LAYOUTS, ZONES, faultOf, isSound, layoutStyle } = await load("src/game/layout.ts");
for (const [name, forms] of Object.entries(STANDARD_LAYOUTS))
  for (const [form, blocks] of Object.entries(forms))
    for (const block of BLOCKS) same(faultOf(form, blocks, block), null, `${name}, ${form}: ${block}`);
const desk = STANDARD_LAYOUTS.standard.wide;
const moved = (block, to) => faultOf("wide", { ...desk, [block]: to }, block);
same([moved("board", [0, 2, 14, 14]), moved("board", [0, 2, 23, 22]), moved("board", [26, 2, 23, 23]), moved("board", [2, 2, 23, 23])],
  ["small", "square", "outside", "overlap"], "a board that may not stand there");
same(isSound("wide", { ...desk, notes: [24, 22, 24, 6] }), false, "below the zone");
const css = layoutStyle("narrow", STANDARD_LAYOUTS.standard.narrow);
same([css["--board-x"], css["--board-y"], css["--board-w"], css["--columns"]], ["1", "4", "24", "24"], "places as grid lines");
same([ZONES.wide.width * 16, ZONES.wide.least.board[0] * 16 >= 240, (ZONES.narrow.least.board[0] * 320) / 24], [768, true, 240], "240 pixels in the smallest window");

// ---- the long notation and that in words (L-019)
const { moveWriter } = await load("src/game/write.ts");
const long = moveWriter("long", "ro");
same([{ san: "Nf3", uci: "g1f3" }, { san: "exd8=Q+", uci: "e7d8q" }, { san: "O-O-O", uci: "e1c1" }, { san: "e4", uci: "e2e4" }].map(long).join(" "),
  "Cg1-f3 e7xd8D+ 0-0-0 e2-e4", "long, Romanian letters");

report();
