// SPDX-License-Identifier: GPL-3.0-or-later
//
// core.wasm against the native core: the same bytes for positions, moves, whole games, mistakes and
// the logs of random games, whose digests must agree. Usage: node core.test.mjs core.wasm core_native
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const [wasmPath, nativePath] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(wasmPath));
const core = new WebAssembly.Instance(module).exports;
const utf8 = new TextDecoder("utf-8", { fatal: true });
const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const functions = {
  d: core.core_describe,
  p: core.core_play,
  m: core.core_move,
  r: core.core_laws_replay,
  s: core.core_start960,
  w: core.core_dead,
};

const bytesOf = (input) => (typeof input === "string" ? Buffer.from(input) : Buffer.from(input));

function inWasm(letter, input) {
  let number = input;
  if (letter !== "s") {
    const bytes = bytesOf(input);
    new Uint8Array(core.memory.buffer, core.core_input(), bytes.length).set(bytes);
    number = bytes.length;
  }
  const size = functions[letter](number);
  assert.ok(size > 0);
  return utf8.decode(new Uint8Array(core.memory.buffer, core.core_output(), size));
}

// All requests in one process; answers as Buffers.
function inNative(requests) {
  const parts = [];
  for (const [letter, input] of requests) {
    const head = Buffer.alloc(5);
    head.write(letter, 0);
    if (typeof input === "number") {
      head.writeUInt32LE(input >>> 0, 1);
      parts.push(head);
    } else {
      const bytes = bytesOf(input);
      head.writeUInt32LE(bytes.length, 1);
      parts.push(head, bytes);
    }
  }
  const output = execFileSync(nativePath, { input: Buffer.concat(parts), maxBuffer: 1 << 29 });
  const answers = [];
  for (let at = 0; at < output.length; ) {
    const size = output.readUInt32LE(at);
    answers.push(output.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  assert.equal(answers.length, requests.length);
  return answers;
}

function compare(requests) {
  const native = inNative(requests);
  requests.forEach(([letter, input], i) => {
    const answer = inWasm(letter, input);
    assert.equal(answer, native[i].toString("utf8"), `${letter} ${String(input).slice(0, 120)}`);
    JSON.parse(answer);
  });
  return native.map((answer) => JSON.parse(answer.toString("utf8")));
}

// A small reproducible generator.
function chance(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomGame(fen, seed, length) {
  const pick = chance(seed);
  const moves = [];
  let at = fen;
  while (moves.length < length) {
    const { legal_moves: legal } = JSON.parse(inWasm("d", at));
    if (legal.length === 0) break;
    const move = legal[pick(legal.length)];
    moves.push(move.uci);
    at = JSON.parse(inWasm("m", `${at}\n${move.san}`)).fen;
  }
  return { moves, end: at };
}

test("the module needs nothing from outside", () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  assert.ok(core.core_input_size() >= 65536);
});

test("shapes of the answers", () => {
  const described = JSON.parse(inWasm("d", start));
  assert.equal(described.side_to_move, "white");
  assert.equal(described.legal_moves.length, 20);
  assert.equal(described.check, false);
  assert.match(described.zobrist_key, /^[0-9a-f]{16}$/);
  const played = JSON.parse(inWasm("p", `${start}\nf2f3 e7e5 g2g4 d8h4`));
  assert.deepEqual(Object.keys(played), ["start", "plies", "end"]);
  assert.deepEqual(played.plies[3], {
    uci: "d8h4",
    san: "Qh4#",
    fen: "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
    check: true,
    captured: null,
  });
  assert.deepEqual(played.end, {
    fen: played.plies[3].fen,
    side_to_move: "white",
    check: true,
    checkmate: true,
    stalemate: false,
    dead: false,
    can_mate: { white: false, black: true },
    halfmove_clock: 1,
    repetition: 1,
    legal_moves: 0,
  });
  const back = JSON.parse(inWasm("p", "\ng1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"));
  assert.equal(back.end.repetition, 3);
  assert.equal(back.start, start);
  assert.equal(JSON.parse(inWasm("p", start)).plies.length, 0);
  assert.equal(JSON.parse(inWasm("p", "7k/8/8/3p4/8/1B6/8/K7 w - - 0 1\nb3d5")).end.dead, true);
  assert.equal(JSON.parse(inWasm("p", "7k/8/8/3p4/8/1B6/8/K7 w - - 0 1\nb3d5")).plies[0].captured, "p");
  assert.deepEqual(JSON.parse(inWasm("p", "8/8/4k3/3r4/8/2B5/8/4K3 w - - 0 1")).end.can_mate, {
    white: false,
    black: true,
  });
  assert.equal(JSON.parse(inWasm("m", `${start}\ne2e4`)).san, "e4");
  assert.equal(JSON.parse(inWasm("m", `${start}\nNf3`)).uci, "g1f3");
  assert.deepEqual(JSON.parse(inWasm("s", 518)), { number: 518, fen: start });
});

test("mistakes say what, where and why", () => {
  const errors = [
    ["d", "", "bad_fen", "board", 0],
    ["d", "8/8/8/8/8/8/8 w - - 0 1", "bad_fen", "board", 13],
    ["d", `${start} `, "bad_fen", "", null],
    ["p", "x\n", "bad_fen", "board", 0],
    ["p", "\ne2e4 e7e5 g1f4", "illegal_move", "moves", 11],
    ["p", "\ne2e4  e7e5", "bad_move", "moves", 6],
    ["m", `${start}\nQh9`, "bad_move", "move", null],
    ["m", `${start}\nNd4`, "illegal_move", "move", null],
    ["m", `4k3/8/8/8/8/8/8/K3N1N1 w - - 0 1\nNf3`, "ambiguous_move", "move", null],
    ["s", 960, "bad_number", "number", 0],
    ["s", -1, "bad_number", "number", 0],
    ["w", "8/8", "bad_fen", "board", null],
    ["w", `${start}\n0`, "bad_limit", "limit", start.length + 1],
    ["w", `${start}\n99999999999`, "bad_limit", "limit", start.length + 1],
    ["w", `${start}\nmany`, "bad_limit", "limit", start.length + 1],
    ["r", "JDL1", "bad_log", "log", null],
  ];
  for (const [letter, input, code, field, offset] of errors) {
    const { error } = JSON.parse(inWasm(letter, input));
    assert.equal(error.code, code, JSON.stringify(error));
    if (field !== "") assert.equal(error.field, field, JSON.stringify(error));
    if (offset !== null) assert.equal(error.offset, offset, JSON.stringify(error));
    assert.ok(error.message.length > 0);
  }
  assert.equal(JSON.parse(inWasm("p", "\ne2e4 e7e5 g1f4")).error.ply, 2);
  for (const call of [core.core_describe, core.core_play, core.core_move, core.core_dead, core.core_laws_replay]) {
    for (const size of [-1, core.core_input_size() + 1, 0x7fffffff]) {
      const answer = utf8.decode(
        new Uint8Array(core.memory.buffer, core.core_output(), call(size)),
      );
      assert.equal(JSON.parse(answer).error.code, "too_long");
    }
  }
  compare(errors.map(([letter, input]) => [letter, input]));
});

test("random games are the same natively", () => {
  const requests = [];
  const fens = [
    start,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    JSON.parse(inWasm("s", 0)).fen,
    JSON.parse(inWasm("s", 959)).fen,
  ];
  fens.forEach((fen, i) => {
    for (let round = 0; round < 5; round++) {
      const { moves, end } = randomGame(fen, 100 * i + round + 1, 120);
      requests.push(["p", `${fen}\n${moves.join(" ")}`], ["d", end]);
    }
  });
  for (let number = 0; number < 960; number += 13) requests.push(["s", number]);
  for (const answer of compare(requests)) assert.equal(answer.error, undefined);
});

// The table of the native tests, of which the last lines are the hardest.
test("who can still mate is answered alike, and as the table says", () => {
  const rows = readFileSync(new URL("../data/dead/positions.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .filter((_, i) => i % 12 === 0 || i < 20);
  const answers = compare(rows.map((row) => ["w", row.split(";")[1]]));
  answers.forEach((answer, i) => {
    const [verdict, fen] = rows[i].split(";");
    for (const side of ["white", "black"]) {
      const { verdict: can, proof, line } = answer[side];
      assert.equal(can, verdict[side === "white" ? 0 : 1] === "-" ? "impossible" : "possible", fen);
      if (proof !== "line") continue;
      const played = JSON.parse(inWasm("p", `${fen}\n${line.join(" ")}`));
      assert.equal(played.end.checkmate, true, fen);
      assert.notEqual(played.end.side_to_move, side);
    }
    assert.equal(answer.dead, verdict === "--", fen);
  });
  compare(rows.map((row) => ["w", `${row.split(";")[1]}\n50`]));
});

test("the longest game fits", () => {
  const moves = [];
  const cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
  for (let i = 0; i < 12000; i++) moves.push(cycle[i % 4]);
  const answer = JSON.parse(inWasm("p", `\n${moves.join(" ")}`));
  assert.equal(answer.plies.length, 12000);
  assert.equal(answer.end.repetition, 3001);
  moves.push("e2e4");
  assert.equal(JSON.parse(inWasm("p", `\n${moves.join(" ")}`)).error.code, "too_large");
});

test("logs replay to the native digest", () => {
  const seeds = Array.from({ length: 300 }, (_, i) => i + 1);
  const logs = inNative(seeds.map((seed) => ["g", seed]));
  const answers = compare(logs.map((log) => ["r", log]));
  const reasons = new Set();
  for (const answer of answers) {
    assert.equal(answer.error, undefined, JSON.stringify(answer));
    assert.match(answer.digest, /^[0-9a-f]{16}$/);
    reasons.add(answer.reason);
  }
  assert.equal(new Set(answers.map((answer) => answer.digest)).size, seeds.length);
  assert.ok(reasons.size >= 6, [...reasons].join(" "));
  // Logs with a wrong byte: the same refusal on both sides.
  const pick = chance(7);
  const spoilt = logs.slice(0, 150).map((log) => {
    const bytes = Buffer.from(log);
    bytes[pick(bytes.length)] ^= 1 << pick(8);
    return ["r", bytes];
  });
  compare(spoilt);
});
