// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules core through the client's wrapper: node tests/web/core.mjs path/to/core.wasm. Node
// counts are the published ones of the native tables (tests/data).
import { existsSync, readFileSync } from "node:fs";
import { load, report, same, skip } from "./load.mjs";

const wasm = process.argv[2] ?? process.env.JADOUBE_CORE_WASM;
if (!wasm || !existsSync(wasm)) skip("no core.wasm was named");

const { boardFromBytes, coreFromBytes, CoreError } = await load("src/core/core.ts");
const core = await coreFromBytes(readFileSync(wasm));

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// ---- the initial position (Article 2.3)
const start = core.describe(START);
same(start.fen, START, "FEN of the start");
same(start.legal_moves.length, 20, "moves of the start");
same([start.check, start.checkmate, start.stalemate, start.side_to_move], [false, false, false, "white"], "state of the start");
same(start.legal_moves.find((m) => m.uci === "g1f3")?.san, "Nf3", "SAN of g1f3");
same(core.describe(START) === start, true, "a description is remembered");

// ---- leaf counts by describe and play alone (published perft figures)
function perft(fen, depth) {
  const { legal_moves } = core.describe(fen);
  if (depth === 1) return legal_moves.length;
  return legal_moves.reduce((sum, m) => sum + perft(core.move(fen, m.uci).fen, depth - 1), 0);
}
const counts = [
  [START, 3, 8902],
  ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, 2039],
  ["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, 2812],
  ["r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 2, 264],
  ["rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2, 1486],
];
for (const [fen, depth, nodes] of counts) same(perft(fen, depth), nodes, `perft ${depth} of ${fen}`);

// ---- a game: the mate of Article 5.1.1, and the notation on the way
const mate = core.play(START, ["f2f3", "e7e5", "g2g4", "d8h4"]);
same(mate.plies.map((p) => p.san), ["f3", "e5", "g4", "Qh4#"], "the shortest mate in SAN");
same([mate.end.checkmate, mate.end.legal_moves], [true, 0], "the shortest mate");
same(core.describe(mate.end.fen).checkmate, true, "described as mate");

// ---- castling, en passant, promotion
const castled = core.move("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O");
same([castled.uci, castled.san], ["e1g1", "O-O"], "castling");
const passant = core.move("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3");
same([passant.san, passant.captured], ["dxe3", "p"], "en passant");
const promotions = core.describe("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1").legal_moves.filter((m) => m.uci.startsWith("e7e8"));
same(promotions.map((m) => m.uci.at(-1)).sort().join(""), "bnqr", "four men to choose from");

// ---- repetition and fifty moves are counted as Article 9.2 says
const shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"];
same(core.play(START, [...shuffle, ...shuffle]).end.repetition, 3, "the third time");
same(core.play(START, shuffle).end.halfmove_clock, 4, "halfmove clock");

// ---- who can still mate (Articles 5.2.2, 6.9)
same(core.mayMate("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "white"), false, "bare kings");
same(core.mayMate(START, "black"), true, "the start");
same([core.mayMate("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", "white"), core.mayMate("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", "black")], [true, false], "a bare king cannot");

// ---- ... exactly, with a line or a proof
const wall = core.dead("k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1");
same([wall.dead, wall.white.verdict, wall.white.proof, wall.black.proof], [true, "impossible", "blocked", "blocked"], "a wall of pawns");
const lone = core.dead("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
same([lone.dead, lone.white.proof, lone.black.verdict, lone.black.proof], [false, "line", "impossible", "material"], "a pawn and a bare king");
same(core.play("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", lone.white.line).end.checkmate, true, "the line mates");
const given = core.dead("1k6/8/8/p1p1p3/P1P1Pp1p/5P1P/6B1/K7 w - - 0 1", 1);
same([given.dead === null || given.dead, given.white.line], [true, []], "within a limit nothing is guessed");
same(core.dead(mate.end.fen).black, { verdict: "possible", proof: "mate", line: [], nodes: 0, limit: null }, "mate on the board");

// ---- what goes wrong is said, not guessed
function fault(run) {
  try {
    run();
  } catch (error) {
    if (error instanceof CoreError) return error.fault.code;
    throw error;
  }
  return "nothing";
}
same(fault(() => core.describe("not a position")), "bad_fen", "a text that is no FEN");
same(fault(() => core.move(START, "e2e5")), "illegal_move", "an illegal move");
same(fault(() => core.move(START, "e9")), "bad_move", "no such square");
same(fault(() => core.play(START, ["e2e4", "e2e4"])), "illegal_move", "an illegal line");
same(fault(() => core.dead("not a position")), "bad_fen", "who can mate in no position");
same(fault(() => core.dead(START, 0)), "bad_limit", "a limit of nothing");
same(fault(() => core.describe("8".repeat(300_000))), "too_long", "more than fits");
same(core.describe(START).legal_moves.length, 20, "the core works on after faults");

// ---- the moves alone, which a board page loads first: word for word what the whole core says
const boardWasm = process.argv[3] ?? wasm.replace(/core\.wasm$/, "board.wasm");
if (existsSync(boardWasm)) {
  const board = await boardFromBytes(readFileSync(boardWasm));
  const game = "e2e4 c7c5 e4e5 d7d5 e5d6 e7d6 g1f3 b8c6 f1b5 g8f6 e1g1".split(" ");
  same(board.line(START, game), core.play(START, game).plies, "a line with en passant and castling");
  for (const { fen } of board.line(START, game)) same(board.describe(fen), core.describe(fen), fen);
  same(fault(() => board.move(START, "e2e5")), "illegal_move", "an illegal move on the board");
}

report();
