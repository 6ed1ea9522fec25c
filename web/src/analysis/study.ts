// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands on the analysis board: the tree, where one is in it, and every way to change it. The
// parts of the page read `state` and call these functions.
import { prefs } from "../app/prefs";
import { createStore } from "../app/store";
import type { Core, Description, LegalMove } from "../core/core";
import type { StudyModule, StudyProblem } from "../core/study";
import type { Color } from "../net/types";
import * as sound from "../game/sound";
import { addMove, fromGame, lastOf, mainLine, newTree, promote, remove, toPgn, type Node, type Tree } from "./tree";

export interface StudyState {
  tree: Tree;
  at: Node;
  orientation: Color;
  promotion: LegalMove[] | null;
  problems: StudyProblem[]; // of the PGN that was read last
  games: number; // in that PGN
  changed: number; // grows with every change of the tree
}

export class Study {
  readonly state;

  constructor(
    readonly core: Core,
    readonly pgn: StudyModule,
  ) {
    const tree = newTree();
    this.state = createStore<StudyState>({
      tree,
      at: tree.root,
      orientation: "white",
      promotion: null,
      problems: [],
      games: 0,
      changed: 0,
    });
  }

  position(): Description {
    return this.core.describe(this.state.get().at.fen);
  }

  private touch(part: Partial<StudyState> = {}): void {
    this.state.patch({ ...part, changed: this.state.get().changed + 1 });
  }

  open(tree: Tree, orientation?: Color): void {
    this.touch({ tree, at: tree.root, promotion: null, problems: [], games: 0, ...(orientation ? { orientation } : {}) });
  }

  // Throws the core's fault when the FEN is no legal position.
  openFen(fen: string): void {
    this.open(newTree(this.core.describe(fen.trim()).fen));
  }

  // Throws when there is no n-th game; what is wrong inside one is told in problems.
  openPgn(text: string, n = 1): void {
    const game = this.pgn.read(text, n);
    this.open(fromGame(game));
    this.state.patch({ problems: game.problems, games: game.games });
  }

  // What was told of one text is not said of the next.
  forgetProblems(): void {
    this.state.patch({ problems: [], games: 0 });
  }

  writePgn(): string {
    return toPgn(this.state.get().tree, this.pgn);
  }

  go(node: Node): void {
    this.state.patch({ at: node, promotion: null });
  }
  back(): void {
    const { at } = this.state.get();
    if (at.parent) this.go(at.parent);
  }
  forward(): void {
    const { at } = this.state.get();
    if (at.children[0]) this.go(at.children[0]);
  }
  first(): void {
    this.go(this.state.get().tree.root);
  }
  last(): void {
    this.go(lastOf(this.state.get().at));
  }
  // The next or previous among the moves that could stand here.
  sibling(by: 1 | -1): void {
    const { at } = this.state.get();
    const list = at.parent?.children ?? [];
    const next = list[list.indexOf(at) + by];
    if (next) this.go(next);
  }

  attempt(from: string, to: string, alt: boolean): void {
    const { legal_moves } = this.position();
    const rook = legal_moves.find(
      (m) => m.san.startsWith("O-O") && m.uci.startsWith(from) && to === (m.san.startsWith("O-O-O") ? "a" : "h") + from[1]!,
    );
    const found = legal_moves.filter((m) => m.uci.startsWith(from + to));
    if (found.length > 1 && !(prefs.get().alwaysQueen && !alt)) return this.state.patch({ promotion: found });
    const move = rook ?? found.find((m) => m.uci.length === 4 || m.uci.endsWith("q"));
    if (move) this.play(move.uci);
  }

  play(uci: string): void {
    const { at } = this.state.get();
    const move = this.core.move(at.fen, uci);
    const node = addMove(at, move);
    sound.play(move.check ? "check" : move.captured ? "capture" : "move");
    this.touch({ at: node, promotion: null });
  }

  // A line of moves from here as a variation; stands at its first move.
  addLine(uci: readonly string[], comment: string): void {
    let { at } = this.state.get();
    const from = at;
    for (const { uci: move, san, fen } of this.core.play(at.fen, uci).plies) at = addMove(at, { uci: move, san, fen });
    if (at !== from && comment) at.comment = comment;
    this.touch({ at: from.children.find((c) => c.uci === uci[0]) ?? from });
  }

  cancelPromotion(): void {
    this.state.patch({ promotion: null });
    this.touch(); // the board is set anew
  }
  promote(): void {
    promote(this.state.get().at);
    this.touch();
  }
  remove(): void {
    this.touch({ at: remove(this.state.get().at) });
  }
  comment(text: string): void {
    this.state.get().at.comment = text;
    this.touch();
  }
  nag(nag: number, group: readonly number[]): void {
    const { at } = this.state.get();
    const had = at.nags.includes(nag);
    at.nags = [...at.nags.filter((n) => !group.includes(n)), ...(had ? [] : [nag])];
    this.touch();
  }
  flip(): void {
    const { orientation } = this.state.get();
    this.state.patch({ orientation: orientation === "white" ? "black" : "white" });
  }

  main(): Node[] {
    return mainLine(this.state.get().tree);
  }
}
