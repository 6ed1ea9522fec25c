// SPDX-License-Identifier: GPL-3.0-or-later
//
// The score: numbered moves in the reader's notation, the shown one marked. While a game runs the
// last four are underlined, and a click shows the position before a move; afterwards, the one after
// it.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import type { Game, Move } from "../net/types";
import { isOver } from "./fold";
import type { WriteMove } from "./write";

interface MovesProps {
  game: Game;
  shown: number; // the ply whose position is on the board
  write: WriteMove;
  onView: (ply: number) => void;
  plain?: boolean; // a click shows the position after the move, and none is underlined
}

interface Row {
  number: number;
  white: number | null; // ply counted from 1
  black: number | null;
}

export function rowsOf(game: Pick<Game, "start_fen" | "moves">): Row[] {
  const [, side, , , , full] = game.start_fen.split(" ");
  let number = Number(full) || 1;
  let white = side !== "b";
  const rows: Row[] = [];
  game.moves.forEach((_, i) => {
    const last = rows[rows.length - 1];
    if (white) rows.push({ number, white: i + 1, black: null });
    else {
      if (last && last.number === number) last.black = i + 1;
      else rows.push({ number, white: null, black: i + 1 });
      number++;
    }
    white = !white;
  });
  return rows;
}

export function Moves({ game, shown, write, onView, plain = false }: MovesProps): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  const over = plain || isOver(game);
  const inSight = useRef(() => {});
  inSight.current = () => {
    const frame = list.current;
    if (!frame) return;
    const current = frame.querySelector<HTMLElement>("[aria-current]");
    if (!current) {
      if (shown === 0) frame.scrollTo(0, 0);
      return;
    }
    // Only the list scrolls, never the page.
    const a = frame.getBoundingClientRect();
    const b = current.getBoundingClientRect();
    if (b.top < a.top || b.bottom > a.bottom) frame.scrollTop += b.top - a.top - (a.height - b.height) / 2;
    if (b.left < a.left || b.right > a.right) frame.scrollLeft += b.left - a.left - (a.width - b.width) / 2;
  };
  useEffect(() => inSight.current(), [shown, game.ply]);
  // The panel of the end takes room from the list.
  useEffect(() => {
    const watch = new ResizeObserver(() => inSight.current());
    watch.observe(list.current!);
    return () => watch.disconnect();
  }, []);

  const cell = (ply: number | null): JSX.Element => {
    if (ply === null) return <span class="no-move">…</span>;
    const move: Move = game.moves[ply - 1]!;
    const recent = !over && ply > game.ply - 4;
    return (
      <button
        class={`move ${recent ? "recent" : ""}`}
        aria-current={ply === shown ? "true" : undefined}
        data-ply={ply}
        title={over ? undefined : t("game.show_before")}
        onClick={() => onView(over ? ply : ply - 1)}
      >
        {write(move)}
        {move.draw && <span title={t("game.with_offer")}> (=)</span>}
      </button>
    );
  };
  return (
    <ol class="moves" ref={list} data-testid="moves" aria-label={t("game.moves")} tabIndex={-1}>
      {game.moves.length === 0 && <li class="quiet none">{t("game.no_moves")}</li>}
      {rowsOf(game).map((row) => (
        <li key={row.number}>
          <span class="no">{row.number}.</span>
          {cell(row.white)}
          {row.black !== null ? cell(row.black) : <span />}
        </li>
      ))}
    </ol>
  );
}
