// SPDX-License-Identifier: GPL-3.0-or-later
//
// The board as a table of 64 named cells, laid unseen over the drawn one: arrows walk, Enter picks a
// man up and puts it down, Escape lets go; letters and figures ask about the position. The pointer
// passes through it.
import type { Api } from "@lichess-org/chessground/api";
import { read } from "@lichess-org/chessground/fen";
import type { Key, Piece } from "@lichess-org/chessground/types";
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import type { Color } from "../net/types";
import { say } from "../ui/say";

const FILES = ["a", "b", "c", "d", "e", "f", "g", "h"];
const RANKS = ["1", "2", "3", "4", "5", "6", "7", "8"];

export const pieceText = (piece: Piece): string => t(`piece.${piece.color}.${piece.role}`);

interface GridProps {
  fen: string;
  orientation: Color;
  label: string;
  ground: () => Api | null;
  onSelect: (square: Key) => void;
  onQuery: (key: string) => boolean;
}

export function BoardGrid({ fen, orientation, label, ground, onSelect, onQuery }: GridProps): JSX.Element {
  const pieces = useMemo(() => read(fen), [fen]);
  const [cursor, setCursor] = useState("e2");
  const table = useRef<HTMLDivElement>(null);
  const files = orientation === "white" ? FILES : [...FILES].reverse();
  const ranks = orientation === "white" ? [...RANKS].reverse() : RANKS;

  const go = (square: string): void => {
    setCursor(square);
    table.current?.querySelector<HTMLElement>(`[data-square="${square}"]`)?.focus();
  };
  const step = (dx: number, dy: number): void => {
    const x = files.indexOf(cursor[0]!) + dx;
    const y = ranks.indexOf(cursor[1]!) + dy;
    if (x >= 0 && x < 8 && y >= 0 && y < 8) go(files[x]! + ranks[y]!);
  };
  const press = (): void => {
    const api = ground();
    if (!api) return;
    const before = api.state.selected;
    onSelect(cursor as Key);
    api.selectSquare(cursor as Key);
    const after = api.state.selected;
    if (after === cursor) {
      const piece = pieces.get(cursor as Key);
      say(t("board.picked", { piece: piece ? pieceText(piece) : "", square: cursor }));
    } else if (before === undefined) say(t("board.not_yours", { square: cursor }));
    else if (before === cursor) say(t("board.let_go"));
    // A selection that is still there means that the move was not possible.
    else if (after !== undefined || pieces.get(before)) {
      if (api.state.pieces.get(before)) say(t("board.cannot", { square: cursor }));
    }
  };
  const onKey = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    switch (e.key) {
      case "ArrowLeft":
        step(-1, 0);
        break;
      case "ArrowRight":
        step(1, 0);
        break;
      case "ArrowUp":
        step(0, -1);
        break;
      case "ArrowDown":
        step(0, 1);
        break;
      case "Enter":
      case " ":
        press();
        break;
      case "Escape":
        ground()?.cancelMove();
        break;
      default:
        if (!onQuery(e.key)) return;
    }
    e.preventDefault();
    e.stopPropagation();
  };

  return (
    <div
      class="board-grid"
      role="grid"
      aria-label={label}
      aria-describedby="board-keys"
      ref={table}
      onKeyDown={onKey}
    >
      {ranks.map((rank) => (
        <div role="row" key={rank}>
          {files.map((file) => {
            const square = file + rank;
            const piece = pieces.get(square as Key);
            return (
              <div
                role="gridcell"
                key={square}
                data-square={square}
                tabIndex={square === cursor ? 0 : -1}
                aria-label={`${square}, ${piece ? pieceText(piece) : t("board.empty")}`}
                onFocus={() => setCursor(square)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}
