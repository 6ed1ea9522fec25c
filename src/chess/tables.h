// SPDX-License-Identifier: GPL-3.0-or-later
//
// The small constant tables: steps, lines and Zobrist keys, and what is derived from lines in a few
// operations. tables.c is written by tools/gen_attacks.c.
#ifndef CHESS_TABLES_H
#define CHESS_TABLES_H

#include "chess/bits.h"

#pragma GCC visibility push(hidden)
extern const uint64_t chess_knight_attacks[64];
extern const uint64_t chess_king_attacks[64];
extern const uint64_t chess_pawn_attacks[2][64]; // by the colour of the pawn
// The four lines through a square without the square: file, diagonal (a1-h8), rank, antidiagonal.
extern const uint64_t chess_lines[64][4];

// Rows by ChessPiece; the row of CHESS_NO_PIECE is zero.
extern const uint64_t chess_zobrist_squares[16][64];
extern const uint64_t chess_zobrist_rights[16];
extern const uint64_t chess_zobrist_ep_files[8];
extern const uint64_t chess_zobrist_black;
#pragma GCC visibility pop

// The whole line through two squares, both included; empty when no rook or bishop joins them.
static inline uint64_t line_through(int a, int b) {
    for (int axis = 0; axis < 4; axis++)
        if ((chess_lines[a][axis] & bit(b)) != 0)
            return chess_lines[a][axis] | bit(a);
    return 0;
}

// Squares strictly between two squares of one line; empty when they share none. Along any line the
// squares come in the order of their numbers.
static inline uint64_t between(int a, int b) {
    const uint64_t below_a = bit(a) - 1;
    const uint64_t below_b = bit(b) - 1;
    return line_through(a, b) & (below_a ^ below_b) & ~bit(a) & ~bit(b);
}

#endif
