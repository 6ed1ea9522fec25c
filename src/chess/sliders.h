// SPDX-License-Identifier: GPL-3.0-or-later
//
// Attacks of one bishop, rook or queen. Three ways to the same answer:
//
//   PEXT    one table look-up by the PEXT instruction, spread out by PDEP: 215 KB
//   magic   one table look-up by a multiplication: 861 KB
//   lines   a few operations on each line: no table but chess_lines; for WebAssembly
#ifndef CHESS_SLIDERS_H
#define CHESS_SLIDERS_H

#include "chess/tables.h"

#if !defined(__wasm__) && !defined(CHESS_SMALL_TABLES)
#define CHESS_SLIDER_TABLES
#endif

#ifdef CHESS_SLIDER_TABLES

#define CHESS_SLIDER_ENTRIES 107648

typedef struct ChessSliderRow {
    uint64_t mask;   // squares whose occupation matters
    uint64_t reach;  // attack on the empty board
    uint64_t factor; // the magic
    uint32_t offset; // of the square's part in the tables
    uint32_t shift;
} ChessSliderRow;

#pragma GCC visibility push(hidden)
extern const ChessSliderRow chess_bishop_rows[64];
extern const ChessSliderRow chess_rook_rows[64];
extern const uint64_t chess_magic_attacks[CHESS_SLIDER_ENTRIES];
extern const uint16_t chess_pext_attacks[CHESS_SLIDER_ENTRIES];
#pragma GCC visibility pop

#ifdef __BMI2__
JD_ALWAYS_INLINE uint64_t slider_look_up(const ChessSliderRow *row, uint64_t occupied) {
    const uint64_t index = __builtin_ia32_pext_di(occupied, row->mask);
    return __builtin_ia32_pdep_di(chess_pext_attacks[row->offset + index], row->reach);
}
#else
JD_ALWAYS_INLINE uint64_t slider_look_up(const ChessSliderRow *row, uint64_t occupied) {
    return chess_magic_attacks[row->offset +
                               (((occupied & row->mask) * row->factor) >> row->shift)];
}
#endif

JD_ALWAYS_INLINE uint64_t bishop_attacks(int square, uint64_t occupied) {
    return slider_look_up(&chess_bishop_rows[square], occupied);
}
JD_ALWAYS_INLINE uint64_t rook_attacks(int square, uint64_t occupied) {
    return slider_look_up(&chess_rook_rows[square], occupied);
}

#else

// The part of a line seen from square: up to the lowest occupied square above and down to the
// highest occupied one below.
static inline uint64_t line_attacks(int square, int axis, uint64_t occupied) {
    const uint64_t below = bit(square) - 1;
    const uint64_t up = chess_lines[square][axis] & ~below;
    const uint64_t down = chess_lines[square][axis] & below;
    const uint64_t first_up = up & occupied;
    const uint64_t first_down = down & occupied;
    const uint64_t seen_up = up & (first_up ^ (first_up - 1));
    const uint64_t seen_down = down & (~UINT64_C(0) << (63 - __builtin_clzll(first_down | 1)));
    return seen_up | seen_down;
}

static inline uint64_t bishop_attacks(int square, uint64_t occupied) {
    return line_attacks(square, 1, occupied) | line_attacks(square, 3, occupied);
}
static inline uint64_t rook_attacks(int square, uint64_t occupied) {
    return line_attacks(square, 0, occupied) | line_attacks(square, 2, occupied);
}

#endif

JD_ALWAYS_INLINE uint64_t queen_attacks(int square, uint64_t occupied) {
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied);
}

#endif
