// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: what the tutor's files share.
#ifndef TUTOR_INNER_H
#define TUTOR_INNER_H

#include "tutor/tutor.h"

JD_ALWAYS_INLINE uint64_t square_bit(int square) {
    return UINT64_C(1) << square;
}

// Takes the lowest square out of a set that is not empty.
JD_ALWAYS_INLINE ChessSquare next_square(uint64_t *set) {
    const int square = __builtin_ctzll(*set);
    *set &= *set - 1;
    return (ChessSquare)square;
}

JD_ALWAYS_INLINE TutorMan man_at(const ChessPosition *pos, int square) {
    return (TutorMan) { pos->board[square], (uint8_t)square };
}

JD_ALWAYS_INLINE int32_t worth_at(const ChessPosition *pos, int square) {
    return tutor_worth(chess_piece_kind(pos->board[square]));
}

JD_ALWAYS_INLINE bool attacks(const ChessPosition *pos, ChessSquare from, ChessSquare to) {
    const ChessColor by = chess_piece_color(pos->board[from]);
    return (chess_attackers(pos, to, by) & square_bit(from)) != 0;
}

// exchange.c: the most the side to move can net by taking the man on the square (en passant
// included), and the capture that does; INT32_MIN and CHESS_NO_MOVE when nobody can take it.
int32_t tutor_best_capture(const ChessPosition *pos, ChessSquare square, ChessMove *best);

// A new fact in the list, which the caller fills; NULL when the list is full.
TutorFact *tutor_add(TutorFacts *out, TutorKind kind);

// motifs.c. A man of `by` that cannot be taken without loss, the other side being to move in pos.
bool tutor_is_safe(const ChessPosition *pos, ChessSquare square);
// Targets of the man: the king, what is worth more, what nobody guards; without pawns.
uint64_t tutor_fork_targets(const ChessPosition *pos, ChessSquare square);
// The men of one line seen from a slider: it, then the next two of the other side.
typedef struct LinePair {
    uint8_t kind; // TutorKind: one of the pins or TUTOR_SKEWER
    ChessSquare slider, front, behind;
} LinePair;
#define LINE_PAIRS_MAX 32
// Of all sliders of a colour; without regard to whether the slider is safe.
int tutor_line_pairs(const ChessPosition *pos, ChessColor color, LinePair pairs[LINE_PAIRS_MAX]);
bool tutor_is_passed(const ChessPosition *pos, ChessSquare pawn);
bool tutor_on_home_square(const ChessPosition *pos, ChessSquare square);

#endif
