// SPDX-License-Identifier: GPL-3.0-or-later
//
// Listing and counting legal moves and lines: the public functions, which choose the variant.
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

static uint64_t perft(const ChessPosition *pos, int depth, const PerftMemory *memory) {
    JD_ASSERT(depth >= 0 && depth <= CHESS_PERFT_DEPTH_MAX);
    if (depth < 2)
        return depth == 0 ? 1 : (uint64_t)chess_moves_count(pos);
    return CHOOSE(chess_perft_deep, pos, depth, memory);
}

uint64_t chess_perft(const ChessPosition *pos, int depth) {
    return perft(pos, depth, NULL);
}

uint64_t chess_perft_hashed(const ChessPosition *pos, int depth, ChessPerftEntry *entries,
                            size_t capacity) {
    JD_ASSERT(capacity > 0 && (capacity & (capacity - 1)) == 0);
    const PerftMemory memory = { entries, capacity - 1 };
    return perft(pos, depth, &memory);
}
