// SPDX-License-Identifier: GPL-3.0-or-later
//
// The library in WebAssembly through its TypeScript wrapper, on the tables of the native tests:
// node tests/web/library.mjs path/to/jadoube.wasm
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load, report, root, same, skip } from "./load.mjs";

const wasm = process.argv[2];
if (!wasm || !existsSync(wasm)) skip("no jadoube.wasm was named");
const { ChessLibrary, ChessError } = await load("src/core/library.ts");
const chess = await ChessLibrary.instantiate(readFileSync(wasm));
const rows = (name) =>
  readFileSync(join(root, "tests/data", name), "utf8").split("\n").filter((line) => line !== "" && !line.startsWith("#"));

function caught(act) {
  try {
    act();
  } catch (error) {
    if (error instanceof ChessError) return error;
    throw error;
  }
  return null;
}

// ---- leaf counts, as far as a second or two goes
for (const [file, limit] of [["perft/standard.epd", 300_000], ["perft/chess960_games.epd", 300_000], ["perft/chess960_starts.epd", 1000]])
  for (const row of rows(file)) {
    const [fen, ...counts] = row.split(";").map((part) => part.trim());
    const position = chess.parseFen(fen);
    for (const count of counts) {
      const [depth, nodes] = count.slice(1).split(" ").map(Number);
      if (nodes <= limit) same(Number(chess.perft(position, depth)), nodes, `perft ${depth} of ${fen}`);
    }
  }

// ---- FEN: what is accepted comes back, what is refused says what, where and why
for (const fen of rows("chess/fen_accepted.txt")) {
  const position = chess.parseFen(fen);
  same([chess.fen(position, 0), chess.fen(position, 1), chess.fen(position, 2)].includes(fen), true, `${fen} comes back`);
}
for (const row of rows("chess/fen_faults.txt")) {
  const [, code, offset, field, fen] = row.match(/^(\d+) \| (\d+) \| ([^|]*?) \| (.*)$/s);
  const error = caught(() => chess.parseFen(fen));
  same([error?.code, error?.offset, error?.field], [Number(code), Number(offset), field.trim()], `refusal of "${fen}"`);
}

// ---- moves as text
for (const row of rows("chess/san.txt")) {
  const [code, text, fen] = row.split(" | ");
  const position = chess.parseFen(fen);
  if (code !== "0") {
    same(caught(() => chess.parseSan(position, text))?.code, Number(code), `${text} in ${fen}`);
    continue;
  }
  const [uci, san] = text.split(":");
  const move = chess.parseUci(position, uci);
  same([chess.san(position, move), chess.uci(position, chess.parseSan(position, san))], [san, uci], `${text} in ${fen}`);
}
for (const row of rows("chess/uci.txt")) {
  const [code, , text, fen] = row.split(" | ");
  same(caught(() => chess.parseUci(chess.parseFen(fen), text))?.code ?? 0, Number(code), `${text} in ${fen}`);
}
for (const row of rows("chess/see.txt")) {
  const [gain, uci, fen] = row.split(" | ");
  const position = chess.parseFen(fen);
  same(chess.see(position, chess.parseUci(position, uci)), Number(gain), `exchange ${uci} in ${fen}`);
}

// ---- who can still mate: the first rows of the native table, and some further on
for (const row of rows("dead/positions.txt").filter((_, i) => i < 30 || i % 25 === 0)) {
  const [verdict, fen] = row.split(";");
  const position = chess.parseFen(fen);
  const answer = chess.dead(position);
  const can = (side) => (side.verdict === "possible" ? 1 : 0);
  same([can(answer.white), can(answer.black)], [verdict[0] === "W" ? 1 : 0, verdict[1] === "B" ? 1 : 0], `who can mate in ${fen}`);
  same(answer.dead, verdict === "--", `dead: ${fen}`);
  for (const side of [answer.white, answer.black]) {
    if (side.proof !== "line") continue;
    let end = position;
    for (const uci of side.line) end = chess.make(end, chess.parseUci(end, uci));
    same(chess.isCheckmate(end), true, `the line mates in ${fen}`);
  }
}
const hard = chess.dead(chess.parseFen("8/8/4k3/3n4/8/2N5/8/4K3 w - - 0 1"), 1);
same([hard.white.verdict, hard.black.verdict, hard.dead], ["unknown", "unknown", null], "within one position nothing is known");

// ---- values: a made move leaves the old position as it was
const start = chess.start();
const after = chess.make(start, chess.parseUci(start, "e2e4"));
same(chess.fen(start), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "the start is untouched");
same(chess.fen(after, 1), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "after 1.e4");
same(chess.same(start, chess.start960(518)), true, "number 518 is the initial position");
same(chess.moves(start).length, 20, "moves of the start");
same(JSON.parse(chess.describe(start)).zobrist_key, chess.zobristKey(start).toString(16).padStart(16, "0"), "key");
report();
