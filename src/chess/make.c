// SPDX-License-Identifier: GPL-3.0-or-later
//
// Making and taking back moves.
#include <jadoube/chess.h>

#include "chess/make.h"

void chess_move_make(ChessPosition *pos, ChessMove move, ChessUndo *undo) {
    JD_ASSERT_SLOW(chess_move_is_legal(pos, move));
    if (undo != NULL)
        *undo = (ChessUndo) {
            .zobrist_key = pos->zobrist_key,
            .halfmove_clock = pos->halfmove_clock,
            .castling_rights = pos->castling_rights,
            .ep_target = pos->ep_target,
            .captured = chess_move_captured(pos, move),
            .ep_is_legal = pos->ep_is_legal,
        };
    if (pos->side_to_move == CHESS_WHITE)
        make_move(pos, move, CHESS_WHITE);
    else
        make_move(pos, move, CHESS_BLACK);
}

static void uncastle(ChessPosition *pos, ChessColor us, int king_from, int rook_from) {
    const bool kingside = rook_from > king_from;
    lift(pos, us, CHESS_KING, castling_king_to(home_of(us), kingside));
    lift(pos, us, CHESS_ROOK, castling_rook_to(home_of(us), kingside));
    put(pos, us, CHESS_KING, king_from);
    put(pos, us, CHESS_ROOK, rook_from);
}

void chess_move_unmake(ChessPosition *pos, ChessMove move, const ChessUndo *undo) {
    const ChessColor them = (ChessColor)pos->side_to_move;
    const ChessColor us = chess_other(them);
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const int type = move_type(move);
    if (type == MOVE_CASTLING) {
        uncastle(pos, us, from, to);
    } else {
        const ChessPiece arrived = pos->board[to];
        const ChessPiece moved = type >= MOVE_PROMOTION ? chess_piece(us, CHESS_PAWN) : arrived;
        pos->kinds[arrived & 7] ^= bit(to);
        pos->kinds[moved & 7] ^= bit(from);
        pos->colors[us] ^= bit(from) | bit(to);
        pos->board[from] = moved;
        pos->board[to] = CHESS_NO_PIECE;
        pos->kinds[0] = pos->colors[0] | pos->colors[1];
        if (undo->captured != CHESS_NO_PIECE)
            put(pos, them, chess_piece_kind(undo->captured), type == MOVE_EN_PASSANT ? to ^ 8 : to);
    }
    pos->zobrist_key = undo->zobrist_key;
    pos->halfmove_clock = undo->halfmove_clock;
    pos->castling_rights = undo->castling_rights;
    pos->ep_target = undo->ep_target;
    pos->ep_is_legal = undo->ep_is_legal;
    pos->fullmove_number -= us == CHESS_BLACK ? 1U : 0U;
    pos->side_to_move = (uint8_t)us;
}

ChessPiece chess_move_captured(const ChessPosition *pos, ChessMove move) {
    if (move_type(move) == MOVE_CASTLING)
        return CHESS_NO_PIECE;
    if (move_type(move) == MOVE_EN_PASSANT)
        return chess_piece(chess_other((ChessColor)pos->side_to_move), CHESS_PAWN);
    return pos->board[chess_move_to(move)];
}
