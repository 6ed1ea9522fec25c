// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is said aloud: moves with the file names of the appendix for visually disabled players
// (Appendix D of the 2023 Laws), and answers about the position.
import { read } from "@lichess-org/chessground/fen";
import type { Key as Square, Role } from "@lichess-org/chessground/types";
import { t, type Key } from "../i18n";
import type { Color, Game } from "../net/types";
import { pieceText } from "../board/grid";
import { clockText, isLive, other, reading } from "./clock";
import { fenAt } from "./fold";

export const ROLE_OF: Record<string, Role> = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };
const RANKS = "12345678";

export const fileName = (file: string): string => t(`speech.file.${file}` as Key);
export const rankName = (rank: string): string => t(`speech.number.${rank}` as Key);
export const squareName = (square: string): string => `${fileName(square[0]!)} ${rankName(square[1]!)}`;

// "Knight Gustav, Felix three, check" for "Ngf3+".
export function speakMove(san: string, enPassant = false): string {
  const end = san.endsWith("#") ? `, ${t("speech.mate")}` : san.endsWith("+") ? `, ${t("speech.check")}` : "";
  if (san.startsWith("O-O-O")) return t("speech.castles_long") + end;
  if (san.startsWith("O-O")) return t("speech.castles_short") + end;
  const parts = /^([KQRBN])?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=([QRBN]))?/.exec(san);
  if (!parts) return san;
  const [, man, file, rank, takes, to, promotion] = parts;
  const words: string[] = [t(`man.${man ? ROLE_OF[man]! : "pawn"}`)];
  const from = [file ? fileName(file) : "", rank ? rankName(rank) : ""].filter(Boolean).join(" ");
  if (from) words.push(takes ? from : `${from},`);
  if (takes) words.push(t("speech.takes"));
  words.push(squareName(to!));
  if (enPassant) words.push(t("speech.en_passant"));
  if (promotion) words.push(t(`man.${ROLE_OF[promotion]!}`));
  return words.join(" ") + end;
}

export const speakBy = (color: Color, san: string, enPassant = false): string =>
  `${t(`color.${color}`)}: ${speakMove(san, enPassant)}`;

// A pawn takes on a square where nothing stood.
const isEnPassant = (game: Game, ply: number): boolean => {
  const move = game.moves[ply - 1];
  return !!move && /^[a-h]x/.test(move.san) && !read(fenAt(game, ply - 1)).has(move.uci.slice(2, 4) as Square);
};

// The move that made so many plies: "White: pawn Eva takes David six en passant".
export function speakPly(game: Game, ply: number): string {
  const move = game.moves[ply - 1];
  if (!move) return t("speech.no_move");
  const color = ply % 2 === 1 ? firstColor(game) : other(firstColor(game));
  return speakBy(color, move.san, isEnPassant(game, ply));
}

// "White pawns: ..." for a letter of English notation, small or capital.
function whereIs(fen: string, role: Role): string {
  const pieces = read(fen);
  const lists = (["white", "black"] as const).map((color) => {
    const squares = [...pieces].filter(([, p]) => p.role === role && p.color === color).map(([s]) => s);
    return `${t(`color.${color}`)}: ${squares.length > 0 ? squares.sort().map(squareName).join(", ") : t("speech.none")}`;
  });
  return `${t(`man.${role}`)}. ${lists.join(". ")}`;
}

function onRank(fen: string, rank: string): string {
  const pieces = read(fen);
  const men = [..."abcdefgh"].flatMap((file) => {
    const piece = pieces.get((file + rank) as Square);
    return piece ? [`${fileName(file)}, ${pieceText(piece)}`] : [];
  });
  return `${t("speech.rank", { rank })}: ${men.length > 0 ? men.join("; ") : t("board.empty")}`;
}

export function speakClocks(game: Game, now: number): string {
  const live = isLive(game.control);
  return (["white", "black"] as const)
    .map((c) => `${t(`color.${c}`)} ${clockText(reading(game.clocks, c, now), live, t("unit.d"))}`)
    .join(", ");
}

const ROLE_KEYS: Record<string, Role> = {
  k: "king",
  q: "queen",
  r: "rook",
  b: "bishop",
  n: "knight",
  p: "pawn",
};

// The answer to a key pressed on the board, or null when the key asks nothing: 1 to 8 a rank, the
// letter of a man where it stands, L the last move, C the clocks, T whose turn and what is offered.
export function answer(key: string, game: Game, fen: string, now: number): string | null {
  const small = key.toLowerCase();
  if (key.length !== 1) return null;
  if (RANKS.includes(small)) return onRank(fen, small);
  const role = ROLE_KEYS[small];
  if (role) return whereIs(fen, role);
  switch (small) {
    case "l":
      return speakPly(game, game.ply);
    case "c":
      return speakClocks(game, now);
    case "t":
      return [
        t("speech.turn", { color: t(`color.${game.turn}`) }),
        game.check ? t("speech.check") : "",
        game.offer ? t("speech.offer_by", { color: t(`color.${game.offer}`) }) : "",
      ]
        .filter(Boolean)
        .join(", ");
    default:
      return null;
  }
}

const firstColor = (game: Game): Color => (game.start_fen.split(" ")[1] === "b" ? "black" : "white");
