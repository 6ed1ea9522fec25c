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
import { startLook } from "./look";

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
  // The side that may move in advance now, and the move that waits.
  premovable: Color | null;
  premove: string | null;
  arrows?: readonly string[]; // moves in UCI form, drawn over the board: a hint
  reason: string; // why the last try was not possible, shown on hover (S-053)
  onMove: (from: string, to: string, altKey: boolean) => void;
  onPremove: (uci: string | null) => void;
  onTouch: (square: string) => void;
  onImpossible: (from: string, to: string) => void;
  onDoubleTap: (square: string) => void;
  onQuery: (key: string) => boolean;
}

startLook();

const DOUBLE_TAP_MS = 350;

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
  const pressed = useRef<Key | undefined>(undefined);
  const tapped = useRef<{ key: Key; at: number } | null>(null);
  const latest = useRef(p);
  latest.current = p;
  const fresh = useRef(false); // made in this very drawing

  // A man in advance: a pawn that arrives becomes a queen, for nobody can be asked then.
  const inAdvance = (from: Key, to: Key): void => {
    const pawn = ground.current?.state.pieces.get(from)?.role === "pawn";
    latest.current.onPremove(from + to + (pawn && (to[1] === "1" || to[1] === "8") ? "q" : ""));
  };

  // Called before chessground acts on a square that is clicked or chosen by the keyboard.
  const onSelect = (key: Key): void => {
    const { state } = ground.current!;
    const now = latest.current;
    if (!now.movable) return;
    const piece = state.pieces.get(key);
    const before = state.selected;
    if (before === undefined || before === key) {
      if (piece) now.onTouch(key);
    } else if (!state.movable.dests?.get(before)?.includes(key)) {
      if (piece && piece.color === now.turn) now.onTouch(key);
      else now.onImpossible(before, key);
    }
  };

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
      color: p.movable ?? p.premovable ?? undefined,
      dests: p.movable ? destinations(p.legal) : new Map(),
      showDests: p.dots,
      rookCastle: true,
      events: { after: (from, to) => latest.current.onMove(from, to, alt.current) },
    },
    premovable: {
      enabled: p.premovable !== null,
      showDests: p.dots,
      events: { set: inAdvance, unset: () => latest.current.onPremove(null) },
    },
    draggable: { showGhost: true, distance: 4 },
    // Arrows and marks of one's own, by the right button; nobody else sees them.
    drawable: { enabled: true, visible: true },
    highlight: { lastMove: true, check: true },
    disableContextMenu: true,
  });

  // Chessground keeps its own DOM, which must not be drawn again with the page.
  useLayoutEffect(() => {
    const api = Chessground(element.current!, config());
    ground.current = api;
    fresh.current = true;
    return () => api.destroy();
  }, [p.coordinates]);

  useEffect(() => {
    const api = ground.current!;
    const shown = fresh.current && !p.premove;
    fresh.current = false;
    if (shown) return;
    // A drag under way goes on when only the clock or the other side's state has changed.
    if (api.state.orientation !== p.orientation) api.toggleOrientation();
    api.state.premovable.current = p.premove
      ? ([p.premove.slice(0, 2), p.premove.slice(2, 4)] as [Key, Key])
      : undefined;
    api.set(config());
  }, [
    p.fen, p.orientation, p.movable, p.redraw, p.check, p.legal, p.animation, p.dots,
    p.lastMove?.join(), p.premovable, p.premove, p.coordinates,
  ]);

  useEffect(() => {
    const shapes = (p.arrows ?? []).map((uci) => ({
      orig: uci.slice(0, 2) as Key,
      dest: uci.slice(2, 4) as Key,
      brush: "green",
    }));
    ground.current?.setAutoShapes(shapes);
  }, [p.arrows?.join(), p.fen, p.coordinates]);

  // Chessground remembers where the board stands; whatever has moved it meanwhile (a prompt, a font),
  // the square under the pointer is the one that is seen there.
  const onPointer = (e: PointerEvent): Key | undefined => {
    alt.current = e.altKey;
    ground.current?.state.dom.bounds.clear();
    return ground.current?.getKeyAtDomPos([e.clientX, e.clientY]);
  };
  const onDown = (e: PointerEvent): void => {
    const key = onPointer(e);
    pressed.current = e.button === 0 ? key : undefined;
    if (pressed.current) onSelect(pressed.current);
  };
  const onUp = (e: PointerEvent): void => {
    const key = onPointer(e);
    const from = pressed.current;
    pressed.current = undefined;
    const { state } = ground.current!;
    if (from && key && from !== key) {
      const man = state.pieces.get(from);
      const mine = p.movable === "both" ? man?.color === p.turn : man?.color === p.movable;
      if (man && mine && !state.movable.dests?.get(from)?.includes(key)) p.onImpossible(from, key);
      return;
    }
    if (e.pointerType === "mouse" || !key) return;
    const twice = tapped.current?.key === key && e.timeStamp - tapped.current.at < DOUBLE_TAP_MS;
    tapped.current = twice ? null : { key, at: e.timeStamp };
    if (twice) p.onDoubleTap(key);
  };
  return (
    <div
      class="board"
      data-testid="board"
      title={p.reason || undefined}
      onPointerDownCapture={onDown}
      onPointerUpCapture={onUp}
    >
      <div class="cg-wrap" ref={element} />
      <BoardGrid
        fen={p.fen}
        orientation={p.orientation}
        label={p.label}
        ground={() => ground.current}
        onSelect={onSelect}
        onQuery={p.onQuery}
      />
    </div>
  );
}
