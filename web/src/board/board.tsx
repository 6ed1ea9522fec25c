// SPDX-License-Identifier: GPL-3.0-or-later
//
// The board: chessground for the eyes and the hand, and over it an unseen grid of 64 cells for the
// keyboard and screen readers. Both move through the same door.
import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Config } from "@lichess-org/chessground/config";
import type { Dests, Key } from "@lichess-org/chessground/types";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { LegalMove } from "../core/core";
import type { Color } from "../net/types";
import { BoardGrid } from "./grid";

export interface BoardProps {
  fen: string;
  orientation: Color;
  turn: Color;
  lastMove: readonly [string, string] | null;
  check: Color | null;
  movable: Color | "both" | null;
  legal: readonly LegalMove[];
  redraw: number; // grows when the board must be set anew, whatever it shows
  coordinates: boolean;
  animation: boolean;
  dots: boolean; // where the picked man may go (L-023)
  label: string;
  onMove: (from: string, to: string, altKey: boolean) => void;
  onQuery: (key: string) => boolean;
}

const reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

// Where each man may go; castling also by putting the king on its rook.
function destinations(legal: readonly LegalMove[]): Dests {
  const dests: Dests = new Map();
  const add = (from: string, to: string): void => {
    const list = dests.get(from as Key);
    if (!list) dests.set(from as Key, [to as Key]);
    else if (!list.includes(to as Key)) list.push(to as Key);
  };
  for (const { uci, san } of legal) {
    const from = uci.slice(0, 2);
    add(from, uci.slice(2, 4));
    if (san.startsWith("O-O")) add(from, (san.startsWith("O-O-O") ? "a" : "h") + from[1]!);
  }
  return dests;
}

export function Board(p: BoardProps): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const ground = useRef<Api | null>(null);
  const alt = useRef(false);
  const latest = useRef(p);
  latest.current = p;

  const config = (): Config => ({
    fen: p.fen,
    orientation: p.orientation,
    turnColor: p.turn,
    lastMove: p.lastMove ? [...p.lastMove] as Key[] : undefined,
    check: p.check ?? false,
    coordinates: p.coordinates,
    ranksPosition: "left",
    animation: { enabled: p.animation && !reducedMotion.matches, duration: 160 },
    movable: {
      free: false,
      color: p.movable ?? undefined,
      dests: p.movable ? destinations(p.legal) : new Map(),
      showDests: p.dots,
      rookCastle: true,
      events: { after: (from, to) => latest.current.onMove(from, to, alt.current) },
    },
    premovable: { enabled: false },
    draggable: { showGhost: true, distance: 4 },
    drawable: { enabled: false, visible: false },
    highlight: { lastMove: true, check: true },
    disableContextMenu: true,
  });

  // Chessground keeps its own DOM, which must not be drawn again with the page.
  useLayoutEffect(() => {
    const api = Chessground(element.current!, config());
    ground.current = api;
    return () => api.destroy();
  }, [p.coordinates]);

  useEffect(() => {
    const api = ground.current!;
    // A drag under way goes on when only the clock or the other side's state has changed.
    if (api.state.orientation !== p.orientation) api.toggleOrientation();
    api.set(config());
  }, [p.fen, p.orientation, p.movable, p.redraw, p.check, p.legal, p.animation, p.dots, p.lastMove?.join()]);

  // Chessground remembers where the board stands; whatever has moved it meanwhile (a prompt, a font),
  // the square under the pointer is the one that is seen there.
  const onPointer = (e: PointerEvent): void => {
    alt.current = e.altKey;
    ground.current?.state.dom.bounds.clear();
  };
  return (
    <div class="board" data-testid="board" onPointerDownCapture={onPointer} onPointerUpCapture={onPointer}>
      <div class="cg-wrap" ref={element} />
      <BoardGrid
        fen={p.fen}
        orientation={p.orientation}
        label={p.label}
        ground={() => ground.current}
        onQuery={p.onQuery}
      />
    </div>
  );
}
