// SPDX-License-Identifier: GPL-3.0-or-later
//
// Listing and counting legal moves: the public functions, which choose the variant.
#include <jadoube/chess.h>

#include "chess/variants.h"

#ifdef CHESS_HAS_V3
#define CHOOSE(function, ...) (use_v3() ? function##_v3(__VA_ARGS__) : function##_any(__VA_ARGS__))
#else
#define CHOOSE(function, ...) function##_any(__VA_ARGS__)
#endif

void chess_moves_generate(const ChessPosition *pos, ChessMoveList *out) {
    CHOOSE(chess_generate, pos, out);
}

int chess_moves_count(const ChessPosition *pos) {
    return CHOOSE(chess_count, pos);
}

uint64_t chess_perft(const ChessPosition *pos, int depth) {
    JD_ASSERT(depth >= 0 && depth <= CHESS_PERFT_DEPTH_MAX);
    if (depth < 2)
        return depth == 0 ? 1 : (uint64_t)chess_moves_count(pos);
    return CHOOSE(chess_perft_deep, pos, depth);
}
