// SPDX-License-Identifier: GPL-3.0-or-later
// The rules core beside an independent implementation (chessops): random games from the initial
// position and from every start position of Chess960. In each position they must agree on the legal
// moves, their SAN, check, mate, stalemate, the en passant target and the FEN.
// usage: node agreement.mjs CORE.WASM   (AGREEMENT_POSITIONS=10000 positions of standard chess)
import { readFileSync } from "node:fs";
import { Chess, normalizeMove } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { makeSan } from "chessops/san";
import { makeUci, parseUci } from "chessops/util";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const core = instance.exports;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function ask(call, text) {
  const bytes = encoder.encode(text);
  new Uint8Array(core.memory.buffer).set(bytes, core.core_input());
  const size = core[call](bytes.length);
  return JSON.parse(decoder.decode(new Uint8Array(core.memory.buffer, core.core_output(), size)));
}

let seed = BigInt(process.env.AGREEMENT_SEED ?? 20260101);
function below(n) {
  seed = BigInt.asUintN(64, seed * 6364136223846793005n + 1442695040888963407n);
  return Number((seed >> 33n) % BigInt(n));
}

const faults = [];
let compared = 0;
function differ(fen, what, ours, theirs) {
  if (faults.length < 20) faults.push(`${fen}: ${what}: ${JSON.stringify(ours)}, chessops ${JSON.stringify(theirs)}`);
}

// Every legal move of chessops as "king takes rook" UCI, promotions spelled out.
function theirMoves(chess) {
  const moves = [];
  for (const [from, dests] of chess.allDests())
    for (const to of dests) {
      const piece = chess.board.get(from);
      const last = piece.role === "pawn" && (to < 8 || to >= 56);
      for (const promotion of last ? ["queen", "rook", "bishop", "knight"] : [undefined]) moves.push({ from, to, promotion });
    }
  return moves;
}

function compare(chess, fen, chess960) {
  compared++;
  const ours = ask("core_describe", fen);
  if (ours.error) return differ(fen, "read", ours.error.message, "accepted");
  // A castling move of ours (e1g1) becomes theirs (e1h1) by what it means on this board.
  const byUci = new Map(ours.legal_moves.map(({ uci, san }) => [makeUci(normalizeMove(chess, parseUci(uci))), san]));
  const theirs = theirMoves(chess);
  const theirUcis = theirs.map(makeUci).sort();
  const ourUcis = [...byUci.keys()].sort();
  if (ourUcis.join() !== theirUcis.join()) differ(fen, "legal moves", ourUcis.filter((m) => !theirUcis.includes(m)), theirUcis.filter((m) => !ourUcis.includes(m)));
  for (const move of theirs) {
    const san = makeSan(chess, move);
    if (byUci.get(makeUci(move)) !== san) differ(fen, `SAN of ${makeUci(move)}`, byUci.get(makeUci(move)), san);
  }
  const facts = [ours.check, ours.checkmate, ours.stalemate, ours.side_to_move];
  const theirFacts = [chess.isCheck(), chess.isCheckmate(), chess.isStalemate(), chess.turn];
  if (facts.join() !== theirFacts.join()) differ(fen, "check, mate, stalemate, side", facts, theirFacts);
  // chessops writes the target only where a capture is legal, as we do.
  const theirFen = makeFen(chess.toSetup());
  if (!chess960 && ours.fen !== theirFen) differ(fen, "FEN", ours.fen, theirFen);
  if (chess960 && ours.fen.split(" ").filter((_, i) => i !== 2).join(" ") !== theirFen.split(" ").filter((_, i) => i !== 2).join(" "))
    differ(fen, "FEN", ours.fen, theirFen);
}

function play(start, plies, chess960) {
  const chess = Chess.fromSetup(parseFen(start).unwrap()).unwrap();
  let fen = start;
  for (let i = 0; i <= plies; i++) {
    compare(chess, fen, chess960);
    const moves = theirMoves(chess);
    if (moves.length === 0) return;
    // Castling, en passant and promotions are rare: take one every other time there is one.
    const rare = moves.filter((m) => m.promotion || (chess.board.get(m.from).role === "pawn" && m.to === chess.epSquare) ||
      (chess.board.get(m.from).role === "king" && chess.board.get(m.to)?.color === chess.turn));
    const move = rare.length > 0 && below(2) === 0 ? rare[below(rare.length)] : moves[below(moves.length)];
    const san = makeSan(chess, move);
    const made = ask("core_move", `${fen}\n${san}`);
    if (made.error) return differ(fen, `playing ${san}`, made.error.message, "legal");
    chess.play(move);
    fen = made.fen;
  }
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const wanted = Number(process.env.AGREEMENT_POSITIONS ?? 10000);
while (compared < wanted) play(START, 150, false);
const standard = compared;
for (let number = 0; number < 960; number++) {
  const size = core.core_start960(number);
  const { fen } = JSON.parse(decoder.decode(new Uint8Array(core.memory.buffer, core.core_output(), size)));
  play(fen, 12, true);
}
for (const fault of faults) console.log(fault);
console.log(`${standard} positions of standard chess and ${compared - standard} of Chess960 compared, ${faults.length} differences`);
process.exit(faults.length === 0 && standard >= wanted ? 0 : 1);
