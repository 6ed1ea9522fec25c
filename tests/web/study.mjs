// SPDX-License-Identifier: GPL-3.0-or-later
//
// PGN with variations through the analysis board's module: node tests/web/study.mjs path/to/study.wasm.
// What is written is read by another program's parser (chessops) where that is installed.
import { existsSync, readFileSync } from "node:fs";
import { load, report, same, skip } from "./load.mjs";

const wasm = process.argv[2];
if (!wasm || !existsSync(wasm)) skip("no study.wasm was named");
const { studyFromBytes } = await load("src/core/study.ts");
const { fromGame, toPgn, mainLine, promote, remove, addMove, newTree, pathTo, inMainLine, fullMoves, ownWords, withWords, plainComment } = await load("src/analysis/tree.ts");
const study = await studyFromBytes(readFileSync(wasm));

const PGN = `[Event "Casual"]
[White "Ivanov, \\"Grisha\\""]
[Black "Попа"]
[Result "1-0"]

{Before the first move.} 1. e4 $1 {best by test} e5 (1... c5 2. Nf3 (2. Nc3 {closed} Nc6) 2... d6 $6) (1... e6 2. d4) 2. Qh5?! Nc6
3. Bc4 Nf6?? 4. Qxf7# 1-0

[Event "Second"]
[SetUp "1"]
[FEN "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"]

*
`;

// ---- reading
const game = study.read(PGN);
same(game.games, 2, "games in the text");
same(game.tags.map(([name]) => name), ["Event", "White", "Black", "Result"], "tags");
same(game.tags[1][1], 'Ivanov, "Grisha"', "an escaped tag");
same(game.problems, [], "nothing is wrong");
const tree = fromGame(game);
same(tree.root.comment, "Before the first move.", "comment before the moves");
same(mainLine(tree).map((n) => n.san).join(" "), "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#", "main line");
same(mainLine(tree).map((n) => n.nags), [[1], [], [6], [], [], [4], []], "NAGs");
const e4 = tree.root.children[0];
same(e4.children.map((n) => n.san), ["e5", "c5", "e6"], "variations of the second move");
same(e4.children[1].children.map((n) => n.san), ["Nf3", "Nc3"], "a variation in a variation");
same(e4.children[1].children[1].comment, "closed", "a comment in it");
same(study.read(PGN, 2).start, "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", "the second game");

// ---- numbers of moves, and what programs wrote into comments
same([fullMoves(tree), fullMoves(newTree())], [4, 0], "moves as a score sheet counts them, without variations");
same(fullMoves(fromGame(study.read('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K2R b K - 0 30"]\n\n30... Kd7 31. O-O Kd6 *'))), 2, "from a position");
same(ownWords("[%clk 0:16:42.046]"), "", "the clock of a move is no comment");
same(withWords("[%clk 0:16:42.046]", "good "), "[%clk 0:16:42.046] good ", "it stays when one is written, with the blank just typed");
same(ownWords(withWords("[%clk 0:1] [%eval 0.3] old", "new words")), "new words", "the words alone are changed");
same(withWords("[%clk 0:1] old", ""), "[%clk 0:1]", "and taken away");
same(withWords("old", "new"), "new", "a comment without them");
same(plainComment("[%clk 0:1] so "), "so", "as it is read");

// ---- writing, and reading that
const written = toPgn(tree, study);
const again = fromGame(study.read(written));
const shape = (node) => [node.uci, node.nags, node.comment, node.children.map(shape)];
same(shape(again.root), shape(tree.root), "the round trip keeps moves, variations, comments and NAGs");
same(again.tags.filter(([n]) => ["White", "Black"].includes(n)), game.tags.slice(1, 3), "and tags");
same(toPgn(again, study), written, "a second trip changes nothing");
const second = toPgn(fromGame(study.read(PGN, 2)), study);
same(/\[SetUp "1"\]\n/.test(second) && /\[FEN "8\/8\/8\/8\/8\/4k3\/4p3\/4K3 w - - 0 1"\]/.test(second), true, "a position of one's own is told by its tags");

let chessops = null;
try {
  chessops = await import(new URL("../node_modules/chessops/dist/esm/pgn.js", import.meta.url));
} catch {
  // Not installed: the round trip stands alone.
}
if (chessops) {
  const count = (node) => node.children.reduce((sum, child) => sum + 1 + count(child), 0);
  const ours = (node) => node.children.reduce((sum, child) => sum + 1 + ours(child), 0);
  const [theirs] = chessops.parsePgn(written);
  same(count(theirs.moves), ours(tree.root), "another program finds as many moves");
}

// ---- changing the tree
const c5 = e4.children[1];
promote(c5.children[0]);
same(e4.children.map((n) => n.san), ["c5", "e5", "e6"], "promoted by a move deep in it");
same([inMainLine(c5), inMainLine(e4.children[1])], [true, false], "main line now");
promote(c5);
same(e4.children[0] === c5, true, "the main line cannot be promoted");
same(remove(c5) === e4, true, "deleting leads to the move before");
same(e4.children.map((n) => n.san), ["e5", "e6"], "deleted with what follows");
const fresh = newTree();
const first = addMove(fresh.root, { uci: "e2e4", san: "e4", fen: "x" });
same([addMove(fresh.root, { uci: "e2e4", san: "e4", fen: "x" }) === first, pathTo(first).length], [true, 1], "the same move is the same node");

// ---- what is wrong is told, and what could be read is there
const broken = study.read('[White "A"]\n\n1. e4 e5 2. Ke3 Nc6 *');
same([fromGame(broken).root.children[0].children[0].san, broken.problems[0].fault, broken.problems[0].line], ["e5", "illegal_move", 3], "an illegal move");
const nulls = study.read("1. e4 (1. d4 -- 2. c4) e5 *");
same([nulls.problems.map((p) => p.fault), fromGame(nulls).root.children.map((n) => n.san)], [["null_move"], ["e4", "d4"]], "a null move");
const fails = (run) => {
  try {
    run();
  } catch (e) {
    return e.fault?.code ?? String(e);
  }
  return "no error";
};
same(fails(() => study.read(PGN, 3)), "no_game", "no third game");
same(fails(() => study.read("", 0)), "bad_number", "game 0");
same(fails(() => study.read("x".repeat(600_000))), "too_long", "too long");
same(fails(() => study.write(["F nonsense", "R *"])), "bad_fen", "a bad FEN");
same(fails(() => study.write(["M e2e5", "R *"])), "illegal_move", "an illegal move");
same(fails(() => study.write(["M e9", "R *"])), "bad_move", "no move");
for (const lines of [["(", "R *"], [")", "R *"], ["M e2e4"], ["X y", "R *"], ["M e2e4", "(", "R *"], ["N 256", "R *"], ["R *", "M e2e4"]])
  same(fails(() => study.write(lines)), "bad_line", lines.join("|"));
same(fails(() => study.write([...Array(65).fill("T A b"), "R *"])), "bad_line", "too many tags");
same(study.read(`1. e4 {${"long ".repeat(60_000)}} e5 *`).text.length > 3, true, "a very long comment comes in pieces");

report();
