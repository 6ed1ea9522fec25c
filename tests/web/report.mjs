// SPDX-License-Identifier: GPL-3.0-or-later
//
// the figures of docs/report.md: chances, accuracy, kinds of mistakes, missed mates.
import { load, report, same } from "./load.mjs";

const { chances, accuracyOf, judge, sums } = await load("src/report/judge.ts");
const round = (x) => Math.round(x);

same([0, 100, -100, 300, -300, 5000].map((cp) => round(chances({ cp }))), [50, 59, 41, 75, 25, 98], "chances by pawns");
same([chances({ mate: 3 }), chances({ mate: -1 })], [100, 0], "chances by mates");
same(chances({ cp: 1000 }), chances({ cp: 2500 }), "cut at ten pawns");
same([0, 5, 10, 20, 100].map((loss) => round(accuracyOf(100, 100 - loss))), [100, 80, 64, 40, 0], "accuracy by loss");
same(accuracyOf(40, 60), 100, "a move that gains loses nothing");

const look = (score, ...pv) => ({ score, pv });
const kind = (color, from, to) => judge(color, "a2a3", look({ cp: from }, "e2e4"), look({ cp: to })).verdict;
same(kind("white", 0, -50), null, "half a pawn is nothing");
same(kind("white", 0, -60), "inaccuracy", "five points");
same(kind("white", 0, -115), "mistake", "ten points");
same(kind("white", 0, -180), "blunder", "fifteen points");
same(kind("black", 0, 180), "blunder", "the same for Black");
same(kind("white", 0, 180), null, "what helps the mover is no mistake");
same(kind("white", 900, 700), null, "a won game stays won");
// The engine's own choice loses nothing, whatever it says a move later.
same(judge("white", "e2e4", look({ cp: 50 }, "e2e4"), look({ cp: -300 })).verdict, null, "its own choice");

const missed = (color, before, after) => judge(color, "a2a3", look(before, "e2e4"), look(after)).missedMate;
same(missed("white", { mate: 2 }, { cp: 300 }), 2, "a missed mate");
same(missed("black", { mate: -4 }, { cp: -100 }), 4, "Black's");
same(missed("white", { mate: 2 }, { mate: 3 }), null, "a slower mate is a mate");
same(missed("white", { mate: -2 }, { cp: 0 }), null, "the other's mate");

const moves = [
  judge("white", "a", look({ cp: 0 }, "a"), look({ cp: 0 })),
  judge("black", "b", look({ cp: 0 }, "x"), look({ cp: 200 })),
  judge("white", "c", look({ cp: 200 }, "x"), look({ cp: 0 })),
];
const white = sums(moves, "white");
same([white.blunder, white.mistake, white.inaccuracy, white.accuracy > 60 && white.accuracy < 80], [1, 0, 0, true], "White's sums");
same(sums([], "black").accuracy, null, "nobody moved");
report();
