// SPDX-License-Identifier: GPL-3.0-or-later
//
// The moves with their variations, as a book prints them: the main line in bold, variations in
// brackets, comments between.
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { WriteMove } from "../game/write";
import { t } from "../i18n";
import { plainComment, type Node } from "./tree";

// The signs people print; others stand as $n.
export const NAG_SIGNS: Record<number, string> = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□",
  10: "=", 13: "∞", 14: "+=", 15: "=+", 16: "±", 17: "∓", 18: "+−", 19: "−+",
};

interface TreeProps {
  root: Node;
  at: Node;
  write: WriteMove;
  onGo: (node: Node) => void;
}

function numberOf(node: Node): { number: number; white: boolean } {
  const [, side, , , , full] = node.parent!.fen.split(" ");
  return { number: Number(full) || 1, white: side !== "b" };
}

export function MovesTree({ root, at, write, onGo }: TreeProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = frame.current!;
    const current = box.querySelector<HTMLElement>("[aria-current]");
    if (!current) return box.scrollTo(0, 0);
    const a = box.getBoundingClientRect();
    const b = current.getBoundingClientRect();
    if (b.top < a.top || b.bottom > a.bottom) box.scrollTop += b.top - a.top - (a.height - b.height) / 2;
  }, [at]);

  const move = (node: Node, withNumber: boolean): JSX.Element => {
    const { number, white } = numberOf(node);
    return (
      <button
        key={node.id}
        class="move"
        data-node={node.id}
        data-uci={node.uci}
        aria-current={node === at ? "true" : undefined}
        onClick={() => onGo(node)}
      >
        {(white || withNumber) && <span class="no">{`${number}${white ? "." : "…"} `}</span>}
        {write(node)}
        {node.nags.map((n) => (
          <span key={n} class="nag">
            {NAG_SIGNS[n] ?? `$${n}`}
          </span>
        ))}
      </button>
    );
  };
  const comment = (node: Node): JSX.Element | null => {
    const text = plainComment(node.comment);
    return text ? (
      <span class="comment" key={`c${node.id}`}>
        {text}{" "}
      </span>
    ) : null;
  };
  // The moves after a node, in one go; variations stand behind the move they replace.
  const line = (from: Node, numbered: boolean): ComponentChildren[] => {
    const out: ComponentChildren[] = [];
    let number = numbered;
    for (let node = from; node.children[0]; node = node.children[0]) {
      const [main, ...others] = node.children as [Node, ...Node[]];
      out.push(move(main, number), " ", comment(main));
      for (const other of others) out.push(variation(other));
      number = others.length > 0 || plainComment(main.comment) !== "";
    }
    return out;
  };
  const variation = (node: Node): JSX.Element => (
    <span class="variation" role="group" aria-label={t("analysis.variation")} key={`v${node.id}`}>
      ({move(node, true)} {comment(node)}
      {line(node, plainComment(node.comment) !== "")})
    </span>
  );
  return (
    <div class="moves-tree" ref={frame} role="region" aria-label={t("game.moves")} tabIndex={0} data-testid="moves-tree">
      {comment(root)}
      {root.children.length === 0 ? <p class="quiet">{t("analysis.no_moves")}</p> : line(root, true)}
    </div>
  );
}
