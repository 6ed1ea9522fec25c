// SPDX-License-Identifier: GPL-3.0-or-later
//
// Playing moves that nobody watches. When no visitor asks for the position between moves, its key
// and the legality of en passant captures need not be kept up to date: they are computed once, at
// the end.
#ifndef CHESS_PGN_BOARD_H
#define CHESS_PGN_BOARD_H

#include "chess/make.h"

// chess_move_make without zobrist_key and ep_is_legal, which are left stale.
JD_ALWAYS_INLINE void make_unwatched(ChessPosition *pos, ChessMove move, ChessUndo *undo) {
    const int type = move_type(move);
    if (JD_UNLIKELY(type > MOVE_DOUBLE_STEP)) {
        chess_move_make(pos, move, undo);
        return;
    }
    const ChessColor us = (ChessColor)pos->side_to_move;
    const ChessColor them = chess_other(us);
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const ChessPiece piece = pos->board[from];
    const ChessPiece captured = pos->board[to];
    const ChessKind kind = chess_piece_kind(piece);
    const uint64_t both = bit(from) | bit(to);
    undo->halfmove_clock = pos->halfmove_clock;
    undo->castling_rights = pos->castling_rights;
    undo->ep_target = pos->ep_target;
    undo->ep_is_legal = pos->ep_is_legal;
    undo->captured = captured;

    pos->kinds[captured & 7] &=
        ~bit(to); // an empty square changes kinds[0], which is made anew below
    pos->colors[them] &= ~bit(to);
    pos->kinds[kind] ^= both;
    pos->colors[us] ^= both;
    pos->kinds[0] = pos->colors[0] | pos->colors[1];
    pos->board[from] = CHESS_NO_PIECE;
    pos->board[to] = piece;
    pos->ep_target = type == MOVE_DOUBLE_STEP ? (uint8_t)((from + to) / 2) : CHESS_NO_SQUARE;
    pos->ep_is_legal = 0;
    if (pos->castling_rights != 0)
        pos->castling_rights &= (uint8_t)~rights_lost(pos, us, kind, both);
    const unsigned clock = pos->halfmove_clock + (pos->halfmove_clock < UINT16_MAX ? 1U : 0U);
    const bool is_zeroing = (kind == CHESS_PAWN) | (captured != CHESS_NO_PIECE);
    pos->halfmove_clock = (uint16_t)(is_zeroing ? 0 : clock);
    pos->fullmove_number += us;
    pos->side_to_move = (uint8_t)them;
}

// Brings a position up to date whose moves were not watched.
JD_ALWAYS_INLINE void refresh_unwatched(ChessPosition *pos) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    pos->ep_is_legal =
        pos->ep_target != CHESS_NO_SQUARE && ep_capturers(pos, us, pos->ep_target) != 0;
    pos->zobrist_key = chess_zobrist_key(pos);
}

#endif
