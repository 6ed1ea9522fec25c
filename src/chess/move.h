// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a ChessMove is held: departure in bits 0 to 5, arrival in bits 6 to 11, and one of these in
// bits 12 to 15. A legal move has exactly one encoding.
#ifndef CHESS_MOVE_H
#define CHESS_MOVE_H

#include "chess/bits.h"

enum {
    MOVE_PLAIN = 0,
    MOVE_DOUBLE_STEP = 1, // Article 3.7.2
    MOVE_CASTLING = 2,    // arrival is the square of the rook
    MOVE_EN_PASSANT = 3,
    MOVE_PROMOTION = 4, // to a knight; 5 bishop, 6 rook, 7 queen
};

JD_ALWAYS_INLINE ChessMove move_of(int from, int to, int type) {
    return (ChessMove)((unsigned)from | (unsigned)to << 6 | (unsigned)type << 12);
}
JD_ALWAYS_INLINE int move_type(ChessMove move) {
    return move >> 12;
}
JD_ALWAYS_INLINE int promotion_type(ChessKind kind) {
    return MOVE_PROMOTION + (int)kind - (int)CHESS_KNIGHT;
}
JD_ALWAYS_INLINE ChessKind type_promotion(int type) {
    return (ChessKind)(type - MOVE_PROMOTION + (int)CHESS_KNIGHT);
}

// Castling, kingside or not, of the side with this home rank (0 or 56): where king and rook arrive.
JD_ALWAYS_INLINE int castling_king_to(int home, bool kingside) {
    return home + (kingside ? 6 : 2);
}
JD_ALWAYS_INLINE int castling_rook_to(int home, bool kingside) {
    return home + (kingside ? 5 : 3);
}
JD_ALWAYS_INLINE int home_of(ChessColor color) {
    return color == CHESS_WHITE ? 0 : 56;
}
JD_ALWAYS_INLINE unsigned castling_right(ChessColor color, bool kingside) {
    return (kingside ? 1U : 2U) << (2 * (unsigned)color);
}

#endif
