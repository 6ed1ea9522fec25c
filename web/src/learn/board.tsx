// SPDX-License-Identifier: GPL-3.0-or-later
//
// The board of the lessons: moves of one side or of both, arrows and marks laid over it; and a board
// on which squares are chosen.
import { Chessground } from "@lichess-org/chessground";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { prefs } from "../app/prefs";
import { useStore } from "../app/store";
import { Board } from "../board/board";
import { PromotionPicker } from "../board/promotion";
import type { BoardCore, LegalMove } from "../core/core";
import * as sound from "../game/sound";
import { MoveInput } from "../game/tools";
import { lettersOf } from "../game/write";
import { language, t } from "../i18n";
import type { Color } from "../net/types";

export interface Shapes {
  arrows?: { from: string; to: string; kind?: string }[];
  marks?: { square: string; kind?: string }[];
}

const nothing = (): void => {};
const FREE = {
  premovable: null,
  premove: null,
  reason: "",
  onPremove: nothing,
  onTouch: nothing,
  onImpossible: nothing,
  onDoubleTap: nothing,
  onQuery: () => false,
};

interface Props {
  core: BoardCore;
  fen: string;
  orientation: Color;
  lastMove: readonly [string, string] | null;
  movable: boolean; // the side to move may move
  redraw: number;
  shapes?: Shapes | undefined;
  coordinates?: boolean;
  onMove?: (uci: string) => void;
}

export function LearnBoard(p: Props): JSX.Element {
  const settings = useStore(prefs);
  const lang = useStore(language);
  const [promotion, setPromotion] = useState<LegalMove[] | null>(null);
  const [again, setAgain] = useState(0);
  const position = p.core.describe(p.fen);
  const turn = position.side_to_move;
  useEffect(() => setPromotion(null), [p.fen]);

  const attempt = (from: string, to: string): void => {
    const castling = position.legal_moves.find(
      (m) => m.san.startsWith("O-O") && m.uci.startsWith(from) && to === (m.san.startsWith("O-O-O") ? "a" : "h") + from[1]!,
    );
    const found = position.legal_moves.filter((m) => m.uci.startsWith(from + to));
    const move = castling ?? found[0];
    if (!castling && found.length > 1) setPromotion(found);
    else if (move) p.onMove?.(move.uci);
  };
  return (
    <>
      <div class="board-area">
        <Board
          fen={p.fen}
          orientation={p.orientation}
          turn={turn}
          lastMove={p.lastMove}
          check={position.check ? turn : null}
          movable={p.movable ? turn : null}
          legal={position.legal_moves}
          redraw={p.redraw + again}
          coordinates={settings.coordinates && p.coordinates !== false}
          animation={settings.animation}
          dots={settings.dots || p.movable}
          label={t("board.label")}
          {...FREE}
          onMove={attempt}
        />
        {p.shapes && <ShapesLayer shapes={p.shapes} orientation={p.orientation} />}
        {promotion && (
          <PromotionPicker
            moves={promotion}
            color={turn}
            orientation={p.orientation}
            onChoose={(uci) => {
              setPromotion(null);
              p.onMove?.(uci);
            }}
            onCancel={() => {
              setPromotion(null);
              setAgain(again + 1);
            }}
          />
        )}
      </div>
      <p id="board-keys" class="unseen">
        {t("keys.board")}
      </p>
      {p.movable && (
        <MoveInput
          letters={lettersOf(settings.notation, lang)}
          legal={() => position.legal_moves}
          enabled
          label={t("typed.label")}
          onMove={(uci) => p.onMove?.(uci)}
        />
      )}
    </>
  );
}

export function playSound(move: { check: boolean; captured: string | null }): void {
  sound.play(move.check ? "check" : move.captured ? "capture" : "move");
}

// Middle of a square in the layer's own units, one a square.
function middle(square: string, orientation: Color): [number, number] {
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  return orientation === "white" ? [file + 0.5, 7.5 - rank] : [7.5 - file, rank + 0.5];
}

function ShapesLayer({ shapes, orientation }: { shapes: Shapes; orientation: Color }): JSX.Element {
  return (
    <svg class="shapes" viewBox="0 0 8 8" aria-hidden="true">
      {shapes.marks?.map(({ square, kind }) => {
        const [x, y] = middle(square, orientation);
        return <rect key={square} class={`mark ${kind ?? ""}`} x={x - 0.47} y={y - 0.47} width="0.94" height="0.94" rx="0.06" />;
      })}
      {shapes.arrows?.map(({ from, to, kind }) => {
        const [x1, y1] = middle(from, orientation);
        const [x2, y2] = middle(to, orientation);
        const length = Math.hypot(x2 - x1, y2 - y1);
        const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
        const head = [
          [x2 - dx * 0.1, y2 - dy * 0.1],
          [x2 - dx * 0.45 - dy * 0.2, y2 - dy * 0.45 + dx * 0.2],
          [x2 - dx * 0.45 + dy * 0.2, y2 - dy * 0.45 - dx * 0.2],
        ];
        return (
          <g key={from + to} class={`arrow ${kind ?? ""}`}>
            <line x1={x1} y1={y1} x2={x2 - dx * 0.42} y2={y2 - dy * 0.42} />
            <polygon points={head.map((point) => point.join(",")).join(" ")} />
          </g>
        );
      })}
    </svg>
  );
}

// ---- choosing squares ---------------------------------------------------------------------------

const FILES = [..."abcdefgh"];
const RANKS = [..."12345678"];

interface PickProps {
  fen: string;
  orientation: Color;
  coordinates: boolean;
  label: string;
  marks: Record<string, string>; // class by square
  onPick: (square: string) => void;
}

export function PickBoard({ fen, orientation, coordinates, label, marks, onPick }: PickProps): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLDivElement>(null);
  const [cursor, setCursor] = useState("e4");
  useEffect(() => {
    const ground = Chessground(element.current!, {
      fen,
      orientation,
      coordinates,
      ranksPosition: "left",
      viewOnly: true,
      animation: { enabled: false },
      drawable: { enabled: false },
    });
    return () => ground.destroy();
  }, [fen, orientation, coordinates]);
  const files = orientation === "white" ? FILES : [...FILES].reverse();
  const ranks = orientation === "white" ? [...RANKS].reverse() : RANKS;
  const onKey = (e: KeyboardEvent): void => {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[e.key];
    if (!step || e.ctrlKey || e.altKey || e.metaKey) return;
    const file = files[files.indexOf(cursor[0]!) + step[0]];
    const rank = ranks[ranks.indexOf(cursor[1]!) + step[1]];
    e.preventDefault();
    e.stopPropagation();
    if (!file || !rank) return;
    setCursor(file + rank);
    table.current?.querySelector<HTMLElement>(`[data-square="${file + rank}"]`)?.focus();
  };
  return (
    <div class="board-area">
      <div class="board" data-testid="pick-board">
        <div class="cg-wrap" ref={element} aria-hidden="true" />
        <div class="pick-grid" role="group" aria-label={label} ref={table} onKeyDown={onKey}>
          {ranks.flatMap((rank) =>
            files.map((file) => {
              const square = file + rank;
              return (
                <button
                  key={square}
                  type="button"
                  class={marks[square] ?? ""}
                  data-square={square}
                  aria-label={square}
                  aria-pressed={marks[square] !== undefined}
                  tabIndex={square === cursor ? 0 : -1}
                  onFocus={() => setCursor(square)}
                  onClick={() => onPick(square)}
                />
              );
            }),
          )}
        </div>
      </div>
    </div>
  );
}
