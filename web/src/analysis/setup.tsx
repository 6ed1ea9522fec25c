// SPDX-License-Identifier: GPL-3.0-or-later
//
// Setting up a position: a man of the box is taken and put on squares, or the FEN is typed. The rules
// core says whether it is a legal position, and where not.
import { read, write as writeBoard } from "@lichess-org/chessground/fen";
import type { Key as Square, Piece, Pieces, Role } from "@lichess-org/chessground/types";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { pieceText } from "../board/grid";
import { Man } from "../board/promotion";
import { CoreError } from "../core/core";
import { t } from "../i18n";
import type { Color } from "../net/types";
import { START_FEN } from "./tree";

const ROLES: readonly Role[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];
const RIGHTS = ["K", "Q", "k", "q"] as const;
type Right = (typeof RIGHTS)[number];
const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";

// What a castling right needs: king and rook at home. A right that cannot be is not offered.
const HOME: Record<Right, readonly [Square, Square, Color]> = {
  K: ["e1", "h1", "white"],
  Q: ["e1", "a1", "white"],
  k: ["e8", "h8", "black"],
  q: ["e8", "a8", "black"],
};
const possible = (pieces: Pieces, right: Right): boolean => {
  const [king, rook, color] = HOME[right];
  const is = (square: Square, role: Role): boolean => {
    const piece = pieces.get(square);
    return piece?.role === role && piece.color === color;
  };
  return is(king, "king") && is(rook, "rook");
};

interface Placed {
  pieces: Pieces;
  turn: Color;
  rights: readonly Right[];
  rest: string; // en passant, half moves, number
}

function placedOf(fen: string): Placed {
  const [board, turn, rights, ...rest] = fen.trim().split(/\s+/);
  return {
    pieces: read(board ?? EMPTY),
    turn: turn === "b" ? "black" : "white",
    rights: RIGHTS.filter((r) => rights?.includes(r)),
    rest: rest.length === 3 ? rest.join(" ") : "- 0 1",
  };
}

function fenOf({ pieces, turn, rights, rest }: Placed): string {
  const able = rights.filter((r) => possible(pieces, r)).join("") || "-";
  return `${writeBoard(pieces)} ${turn[0]!} ${able} ${rest}`;
}

interface SetupProps {
  fen: string;
  orientation: Color;
  done: string; // on the button that takes the position
  faultText: (error: CoreError) => string;
  onFen: (fen: string) => void; // throws a CoreError when it is no legal position
  onCancel: () => void;
}

export function Setup({ fen: first, orientation, done: doneText, faultText, onFen, onCancel }: SetupProps): JSX.Element {
  const [placed, setPlaced] = useState(() => placedOf(first));
  const [hand, setHand] = useState<Piece | null>({ role: "pawn", color: "white" });
  const [fen, setFen] = useState(first);
  const [error, setError] = useState<string>();

  const show = (next: Placed): void => {
    setPlaced(next);
    setFen(fenOf(next));
    setError(undefined);
  };
  // A change of the men leaves no en passant and begins the count anew.
  const put = (square: Square): void => {
    const pieces = new Map(placed.pieces);
    const there = pieces.get(square);
    if (!hand || (there?.role === hand.role && there.color === hand.color)) pieces.delete(square);
    else pieces.set(square, hand);
    show({ ...placed, pieces, rest: "- 0 1" });
  };
  const done = (e: Event): void => {
    e.preventDefault();
    try {
      onFen(fen);
    } catch (problem) {
      setError(problem instanceof CoreError ? t("analysis.bad_fen", { why: faultText(problem) }) : String(problem));
    }
  };
  const files = [..."abcdefgh"];
  const ranks = [..."87654321"];
  if (orientation === "black") {
    files.reverse();
    ranks.reverse();
  }
  return (
    <form class="setup" onSubmit={done} data-testid="setup">
      <div class="setup-board" role="grid" aria-label={t("analysis.setup")}>
        {ranks.map((rank) => (
          <div role="row" key={rank}>
            {files.map((file) => {
              const square = (file + rank) as Square;
              const piece = placed.pieces.get(square);
              const light = (file.charCodeAt(0) + Number(rank)) % 2 === 1;
              return (
                <span role="gridcell" key={square}>
                  <button
                    type="button"
                    class={light ? "light" : "dark"}
                    data-put={square}
                    aria-label={`${square}, ${piece ? pieceText(piece) : t("board.empty")}`}
                    onClick={() => put(square)}
                  >
                    {piece && <Man role={piece.role} color={piece.color} />}
                  </button>
                </span>
              );
            })}
          </div>
        ))}
      </div>
      <div class="setup-box" role="radiogroup" aria-label={t("analysis.hand")}>
        {(["white", "black"] as const).map((color) => (
          <span key={color}>
            {ROLES.map((role) => (
              <button
                key={role}
                type="button"
                role="radio"
                aria-checked={hand?.role === role && hand.color === color}
                aria-label={t(`piece.${color}.${role}`)}
                data-hand={`${color}-${role}`}
                onClick={() => setHand({ role, color })}
              >
                <Man role={role} color={color} />
              </button>
            ))}
          </span>
        ))}
        <button
          type="button"
          role="radio"
          aria-checked={hand === null}
          data-hand="none"
          onClick={() => setHand(null)}
        >
          {t("analysis.take_off")}
        </button>
      </div>
      <p class="setup-row">
        <label>
          {t("analysis.to_move")}{" "}
          <select
            value={placed.turn}
            data-testid="setup-turn"
            onChange={(e) => show({ ...placed, turn: e.currentTarget.value as Color, rest: "- 0 1" })}
          >
            <option value="white">{t("color.white")}</option>
            <option value="black">{t("color.black")}</option>
          </select>
        </label>
        <span role="group" aria-label={t("analysis.castling")}>
          {t("analysis.castling")}{" "}
          {RIGHTS.map((right) => (
            <label key={right} class="tick">
              <input
                type="checkbox"
                checked={placed.rights.includes(right) && possible(placed.pieces, right)}
                disabled={!possible(placed.pieces, right)}
                onChange={(e) =>
                  show({
                    ...placed,
                    rights: RIGHTS.filter((r) => (r === right ? e.currentTarget.checked : placed.rights.includes(r))),
                  })
                }
              />
              <span>
                {t(right === right.toUpperCase() ? "color.white" : "color.black")} {right.toUpperCase() === "K" ? "0-0" : "0-0-0"}
              </span>
            </label>
          ))}
        </span>
      </p>
      <p class="field">
        <label for="setup-fen">FEN</label>
        <input
          id="setup-fen"
          value={fen}
          maxLength={120}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby="setup-error"
          onInput={(e) => {
            setFen(e.currentTarget.value);
            setError(undefined);
            try {
              setPlaced(placedOf(e.currentTarget.value));
            } catch {
              // Not yet a position; the button tells.
            }
          }}
        />
      </p>
      <p id="setup-error" role="alert" class={error ? "error" : ""} data-testid="setup-error">
        {error}
      </p>
      <p class="buttons">
        <button class="primary" data-testid="setup-done">
          {doneText}
        </button>
        <button type="button" onClick={() => show(placedOf(START_FEN))}>
          {t("analysis.setup_start")}
        </button>
        <button type="button" onClick={() => show(placedOf(EMPTY))}>
          {t("analysis.setup_empty")}
        </button>
        <button type="button" class="plain" onClick={onCancel}>
          {t("common.cancel")}
        </button>
      </p>
    </form>
  );
}
