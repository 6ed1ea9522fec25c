// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sets of squares as 64 bits (bit n is square n), and how men walk over whole sets at once.
#ifndef LAWS_DEAD_BITS_H
#define LAWS_DEAD_BITS_H

#include <jadoube/chess.h>

#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_H UINT64_C(0x8080808080808080)
#define RANK_1 UINT64_C(0x00000000000000ff)
#define RANK_8 UINT64_C(0xff00000000000000)
#define LIGHT_SQUARES UINT64_C(0x55aa55aa55aa55aa)

JD_ALWAYS_INLINE uint64_t bit(int square) {
    return UINT64_C(1) << square;
}
JD_ALWAYS_INLINE int lowest(uint64_t set) {
    return __builtin_ctzll(set);
}
JD_ALWAYS_INLINE int take_lowest(uint64_t *set) {
    const int square = lowest(*set);
    *set &= *set - 1;
    return square;
}
JD_ALWAYS_INLINE bool has_two(uint64_t set) {
    return (set & (set - 1)) != 0;
}
JD_ALWAYS_INLINE bool exactly_one(uint64_t set) {
    return set != 0 && !has_two(set);
}

// One step of a whole set; what leaves the board falls off.
JD_ALWAYS_INLINE uint64_t east(uint64_t set) {
    return (set & ~FILE_H) << 1;
}
JD_ALWAYS_INLINE uint64_t west(uint64_t set) {
    return (set & ~FILE_A) >> 1;
}
JD_ALWAYS_INLINE uint64_t forward(uint64_t set, ChessColor color) {
    return color == CHESS_WHITE ? set << 8 : set >> 8;
}
JD_ALWAYS_INLINE uint64_t pawn_attacks(uint64_t pawns, ChessColor color) {
    return forward(east(pawns) | west(pawns), color);
}
JD_ALWAYS_INLINE uint64_t knight_attacks(uint64_t knights) {
    const uint64_t one = east(knights) | west(knights);
    const uint64_t two = east(east(knights)) | west(west(knights));
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}
JD_ALWAYS_INLINE uint64_t king_attacks(uint64_t kings) {
    const uint64_t rank = kings | east(kings) | west(kings);
    return (rank | rank << 8 | rank >> 8) & ~kings;
}
JD_ALWAYS_INLINE uint64_t orthogonal_steps(uint64_t set) {
    return east(set) | west(set) | set << 8 | set >> 8;
}
JD_ALWAYS_INLINE uint64_t diagonal_steps(uint64_t set) {
    const uint64_t sides = east(set) | west(set);
    return sides << 8 | sides >> 8;
}

// What sliders standing on a whole set attack when only squares of open may be passed: three
// doublings for each direction (Kogge and Stone).
JD_ALWAYS_INLINE uint64_t ray(uint64_t from, uint64_t open, int shift, uint64_t wrap) {
    open &= wrap;
    if (shift > 0) {
        from |= open & from << shift;
        open &= open << shift;
        from |= open & from << 2 * shift;
        open &= open << 2 * shift;
        from |= open & from << 4 * shift;
        return from << shift & wrap;
    }
    shift = -shift;
    from |= open & from >> shift;
    open &= open >> shift;
    from |= open & from >> 2 * shift;
    open &= open >> 2 * shift;
    from |= open & from >> 4 * shift;
    return from >> shift & wrap;
}
static inline uint64_t rooks_attack(uint64_t rooks, uint64_t open) {
    return ray(rooks, open, 8, ~UINT64_C(0)) | ray(rooks, open, -8, ~UINT64_C(0)) |
           ray(rooks, open, 1, ~FILE_A) | ray(rooks, open, -1, ~FILE_H);
}
static inline uint64_t bishops_attack(uint64_t bishops, uint64_t open) {
    return ray(bishops, open, 9, ~FILE_A) | ray(bishops, open, 7, ~FILE_H) |
           ray(bishops, open, -7, ~FILE_A) | ray(bishops, open, -9, ~FILE_H);
}

// What one slider on square attacks along a line through it.
JD_ALWAYS_INLINE uint64_t line_attacks(int square, uint64_t line, uint64_t occupied) {
    const uint64_t below = bit(square) - 1;
    const uint64_t up = line & ~below & ~bit(square);
    const uint64_t down = line & below;
    const uint64_t first_up = up & occupied;
    const uint64_t first_down = down & occupied;
    return (up & (first_up ^ (first_up - 1))) |
           (down & (~UINT64_C(0) << (63 - __builtin_clzll(first_down | 1))));
}
JD_ALWAYS_INLINE uint64_t file_of(int square) {
    return FILE_A << (square & 7);
}
JD_ALWAYS_INLINE uint64_t rank_of(int square) {
    return RANK_1 << (square & 56);
}
JD_ALWAYS_INLINE uint64_t shifted_ranks(uint64_t set, int ranks) {
    return ranks >= 0 ? set << 8 * ranks : set >> -8 * ranks;
}
JD_ALWAYS_INLINE uint64_t rook_attacks(int square, uint64_t occupied) {
    return line_attacks(square, file_of(square), occupied) |
           line_attacks(square, rank_of(square), occupied);
}
JD_ALWAYS_INLINE uint64_t bishop_attacks(int square, uint64_t occupied) {
    const int file = square & 7;
    const int rank = square >> 3;
    return line_attacks(square, shifted_ranks(UINT64_C(0x8040201008040201), rank - file),
                        occupied) |
           line_attacks(square, shifted_ranks(UINT64_C(0x0102040810204080), rank + file - 7),
                        occupied);
}
JD_ALWAYS_INLINE uint64_t queen_attacks(int square, uint64_t occupied) {
    return rook_attacks(square, occupied) | bishop_attacks(square, occupied);
}

// Moves between two squares for a king on an empty board.
JD_ALWAYS_INLINE int king_distance(int a, int b) {
    const int files = (a & 7) > (b & 7) ? (a & 7) - (b & 7) : (b & 7) - (a & 7);
    const int ranks = a >> 3 > b >> 3 ? (a >> 3) - (b >> 3) : (b >> 3) - (a >> 3);
    return files > ranks ? files : ranks;
}

#endif
