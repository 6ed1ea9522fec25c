// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game with its variations as a tree: the first child of a node is the line that goes on, the
// others are variations. Nodes are changed in place; whoever shows them draws again.
import type { StudyGame, StudyItem, StudyModule } from "../core/study";

export interface Node {
  readonly id: number;
  parent: Node | null;
  readonly uci: string; // empty in the root
  readonly san: string;
  readonly fen: string; // after the move
  comment: string;
  nags: number[];
  children: Node[];
}

export interface Tree {
  root: Node;
  tags: [string, string][];
  result: string;
}

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

let lastId = 0;
const newNode = (parent: Node | null, uci: string, san: string, fen: string): Node => ({
  id: ++lastId,
  parent,
  uci,
  san,
  fen,
  comment: "",
  nags: [],
  children: [],
});

export const newTree = (fen = START_FEN): Tree => ({ root: newNode(null, "", "", fen), tags: [], result: "*" });

// The child by a move; made when there is none.
export function addMove(at: Node, move: { uci: string; san: string; fen: string }): Node {
  const known = at.children.find((c) => c.uci === move.uci);
  if (known) return known;
  const child = newNode(at, move.uci, move.san, move.fen);
  at.children.push(child);
  return child;
}

export const pathTo = (node: Node): Node[] => (node.parent ? [...pathTo(node.parent), node] : []);

export function lastOf(node: Node): Node {
  let at = node;
  while (at.children[0]) at = at.children[0];
  return at;
}

export function mainLine(tree: Tree): Node[] {
  return pathTo(lastOf(tree.root));
}

// The place where the line of a node leaves a line that stands before it; null in the main line.
function branchOf(node: Node): Node | null {
  for (let at: Node | null = node; at?.parent; at = at.parent) if (at.parent.children[0] !== at) return at;
  return null;
}

export const inMainLine = (node: Node): boolean => branchOf(node) === null;

// A variation goes one place up among its brothers: the first of them is the line that goes on.
export function promote(node: Node): void {
  const branch = branchOf(node);
  if (!branch) return;
  const list = branch.parent!.children;
  const at = list.indexOf(branch);
  list.splice(at, 1);
  list.splice(at - 1, 0, branch);
}

// Takes a move away with all that follows; answers where one stands then.
export function remove(node: Node): Node {
  const { parent } = node;
  if (!parent) return node;
  parent.children = parent.children.filter((c) => c !== node);
  return parent;
}

export function find(tree: Tree, id: number): Node | null {
  const stack = [tree.root];
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (at.id === id) return at;
    stack.push(...at.children);
  }
  return null;
}

export function size(tree: Tree): number {
  let n = -1;
  const stack = [tree.root];
  for (let at = stack.pop(); at; at = stack.pop()) {
    n++;
    stack.push(...at.children);
  }
  return n;
}

// ---- PGN ----------------------------------------------------------------------------------------

const isMove = (item: StudyItem): item is { uci: string; san: string; fen: string } =>
  typeof item === "object" && "uci" in item;

export function fromGame(game: StudyGame): Tree {
  const tree: Tree = { ...newTree(game.start), tags: game.tags, result: game.result };
  let at = tree.root;
  const stack: Node[] = [];
  for (const item of game.text) {
    if (item === "(") {
      stack.push(at);
      at = at.parent ?? at;
    } else if (item === ")") at = stack.pop() ?? at;
    else if (isMove(item)) at = addMove(at, item);
    else if ("nag" in item) at.nags.push(item.nag);
    else at.comment = at.comment ? `${at.comment} ${item.comment.trim()}` : item.comment.trim();
  }
  return tree;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

function writeNode(node: Node, lines: string[]): void {
  lines.push(`M ${node.uci}`);
  for (const nag of node.nags) lines.push(`N ${nag}`);
  if (node.comment) lines.push(`C ${oneLine(node.comment)}`);
}

function writeAfter(node: Node, lines: string[]): void {
  for (let at = node; at.children[0]; at = at.children[0]) {
    const [main, ...others] = at.children as [Node, ...Node[]];
    writeNode(main, lines);
    for (const other of others) {
      lines.push("(");
      writeNode(other, lines);
      writeAfter(other, lines);
      lines.push(")");
    }
  }
}

export function toPgn(tree: Tree, study: StudyModule): string {
  const { root } = tree;
  const tags = tree.tags.filter(([name]) => name !== "FEN" && name !== "SetUp" && name !== "Result");
  if (root.fen !== START_FEN) tags.push(["SetUp", "1"], ["FEN", root.fen]);
  tags.push(["Result", tree.result]);
  const lines = tags.map(([name, value]) => `T ${name} ${oneLine(value)}`);
  lines.push(`F ${root.fen}`);
  if (root.comment) lines.push(`C ${oneLine(root.comment)}`);
  writeAfter(root, lines);
  lines.push(`R ${tree.result}`);
  return study.write(lines);
}

// The moves of the main line as a score sheet numbers them.
export function fullMoves(tree: Tree): number {
  const last = lastOf(tree.root);
  if (!last.parent) return 0;
  const numberOf = (fen: string): number => Number(fen.split(" ")[5]) || 1;
  return numberOf(last.parent.fen) - numberOf(tree.root.fen) + 1;
}

// What people read of a comment: without the commands of programs, [%clk 0:01:00].
export const plainComment = (text: string): string => oneLine(text.replace(/\[%[^\]]*\]/g, ""));

// The same for a field to write in, where a blank at the end is only the beginning of the next word;
// and the comment with other words, the commands kept.
const COMMANDS = /\[%[^\]]*\] ?/g;
export const ownWords = (comment: string): string => comment.replace(COMMANDS, "");
export const withWords = (comment: string, words: string): string =>
  [...(comment.match(COMMANDS) ?? []).map((command) => command.trim()), ...(words ? [words] : [])].join(" ");
