// SPDX-License-Identifier: GPL-3.0-or-later
//
// The move generator is compiled for any processor and, on x86-64, once more for x86-64-v3 (AVX2,
// BMI2, POPCNT). Which one runs is asked of the processor at each call: one load and a branch that
// is always predicted, no start-up order, no pointer that could be changed, and nothing a sanitizer
// could trip on.
#ifndef CHESS_VARIANTS_H
#define CHESS_VARIANTS_H

#include <jadoube/chess.h>

#include "chess/perft_memory.h"

int chess_count_any(const ChessPosition *pos);
void chess_generate_any(const ChessPosition *pos, ChessMoveList *out);
// depth at least 2; memory may be NULL
uint64_t chess_perft_deep_any(const ChessPosition *pos, int depth, const PerftMemory *memory);

#if defined(__x86_64__) && !defined(CHESS_SMALL_TABLES)
#define CHESS_HAS_V3
int chess_count_v3(const ChessPosition *pos);
void chess_generate_v3(const ChessPosition *pos, ChessMoveList *out);
uint64_t chess_perft_deep_v3(const ChessPosition *pos, int depth, const PerftMemory *memory);

// Zen 1 and 2 have BMI2, but their PEXT takes as long as hundreds of other instructions.
JD_ALWAYS_INLINE bool use_v3(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}
#endif

#endif
