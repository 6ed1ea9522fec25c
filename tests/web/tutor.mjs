// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tutor's module: node tests/web/tutor.mjs path/to/tutor.wasm. What it says of positions is tested
// natively (tests/tutor); here that every call answers, in the words the interface promises.
import { existsSync, readFileSync } from "node:fs";
import { load, report, same, skip } from "./load.mjs";

const wasm = process.argv[2];
if (!wasm || !existsSync(wasm)) skip("no tutor.wasm was named");
const { tutorFromBytes } = await load("src/core/tutor.ts");
const tutor = await tutorFromBytes(readFileSync(wasm));
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const fails = (act) => {
  try {
    act();
    return "nothing thrown";
  } catch (error) {
    return error.fault?.code ?? String(error);
  }
};

const fork = tutor.move("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7");
same(fork.san, "Nc7+", "SAN");
same(
  fork.reason,
  {
    id: "fork",
    question: "attacked",
    good: true,
    man: { piece: "N", square: "c7" },
    targets: [
      { piece: "r", square: "a8" },
      { piece: "k", square: "e8" },
    ],
  },
  "the reason",
);
same(fork.objection, null, "no objection");
const decoy = tutor.move("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "d1d5");
same([decoy.net, decoy.objection.id, decoy.objection.san], [-200, "decoy", "exd5"], "bait (L-051)");

// Qa4+ wins the pawn a move later: only the line tells.
const line = ["d1a4", "e8e7", "a4e4", "e7d6"];
const hidden = "4k3/8/8/8/4p3/8/8/3QK3 w - - 0 1";
same(tutor.move(hidden, "d1a4", line).facts.some((f) => f.id === "line_wins"), true, "what the line wins");
same(tutor.move(hidden, "d1a4").facts.some((f) => f.id === "line_wins"), false, "without a line");

const place = tutor.position("r1bqkbnr/ppp2ppp/2np4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4");
same([place.phase, place.material, place.center.white], ["opening", 0, [1, 0, 1, 1]], "phase, material, centre (L-048, L-054)");
same(place.white.some((f) => f.id === "pin_absolute" && f.targets[0].square === "c6"), true, "a pin (L-049)");

const exchange = tutor.exchange("4k3/8/4p3/3n4/8/2N5/8/3RK3 w - - 0 1", "d5", "w");
same(exchange.moves.map((m) => [m.san, m.balance]), [["Nxd5", 300], ["exd5", 0], ["Rxd5", 100]], "an exchange (L-041)");
same([exchange.best, exchange.net, exchange.given, exchange.taken], [3, 100, 300, 300], "its sums");
same(fails(() => tutor.exchange(START, "e2", "w")), "bad_input", "one's own man");
same(fails(() => tutor.exchange(START, "e9", "w")), "bad_input", "no square");

const opening = tutor.opening("w", ["e2e4", "e7e5", "d1h5", "b8c6", "h5f3"]);
same(opening.broken.find((b) => b.rule === "queen"), { rule: "queen", move: 2, square: "h5" }, "the queen goes out early (L-043)");
same(opening.waiting, 4, "men at home");

same(tutor.mates("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 2).answer, "mate", "mate in two");
same(tutor.mates(START, 1), { answer: "no_mate", move: null }, "no mate");
same(fails(() => tutor.mates(START, 9)), "bad_input", "too many moves");

same(fails(() => tutor.move("nonsense", "e2e4")), "bad_fen", "a bad FEN");
same(fails(() => tutor.move(START, "e2e5")), "illegal_move", "an illegal move");
same(fails(() => tutor.move(START, "e9")), "bad_move", "no move");
same(fails(() => tutor.position("x".repeat(20_000))), "too_long", "too long");
report();
