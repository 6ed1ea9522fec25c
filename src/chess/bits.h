// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sets of squares as 64 bits: bit n is square n.
#ifndef CHESS_BITS_H
#define CHESS_BITS_H

#include <jadoube/base.h>
#include <jadoube/chess.h>

#define FILE_A UINT64_C(0x0101010101010101)
#define FILE_H UINT64_C(0x8080808080808080)
#define RANK_1 UINT64_C(0x00000000000000ff)
#define RANK_2 UINT64_C(0x000000000000ff00)
#define RANK_3 UINT64_C(0x0000000000ff0000)
#define RANK_6 UINT64_C(0x0000ff0000000000)
#define RANK_7 UINT64_C(0x00ff000000000000)
#define RANK_8 UINT64_C(0xff00000000000000)

JD_ALWAYS_INLINE uint64_t bit(int square) {
    return UINT64_C(1) << square;
}

// Lowest square of a set that is not empty.
JD_ALWAYS_INLINE int lowest(uint64_t set) {
    return __builtin_ctzll(set);
}

// Takes the lowest square out of a set that is not empty.
JD_ALWAYS_INLINE int take_lowest(uint64_t *set) {
    const int square = lowest(*set);
    *set &= *set - 1;
    return square;
}

// Where the processor has no such instruction, gcc would call a function for it.
JD_ALWAYS_INLINE int count_bits(uint64_t set) {
#if defined(__x86_64__) && !defined(__POPCNT__)
    set -= (set >> 1) & UINT64_C(0x5555555555555555);
    set = (set & UINT64_C(0x3333333333333333)) + ((set >> 2) & UINT64_C(0x3333333333333333));
    set = (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int)((set * UINT64_C(0x0101010101010101)) >> 56);
#else
    return __builtin_popcountll(set);
#endif
}

JD_ALWAYS_INLINE bool has_two(uint64_t set) {
    return (set & (set - 1)) != 0;
}

// One rank towards the opponent of us.
JD_ALWAYS_INLINE uint64_t forward(uint64_t set, ChessColor us) {
    return us == CHESS_WHITE ? set << 8 : set >> 8;
}

// Squares that pawns of us attack towards the queenside (file a) and the kingside (file h).
JD_ALWAYS_INLINE uint64_t pawns_attack_west(uint64_t pawns, ChessColor us) {
    return us == CHESS_WHITE ? (pawns & ~FILE_A) << 7 : (pawns & ~FILE_A) >> 9;
}
JD_ALWAYS_INLINE uint64_t pawns_attack_east(uint64_t pawns, ChessColor us) {
    return us == CHESS_WHITE ? (pawns & ~FILE_H) << 9 : (pawns & ~FILE_H) >> 7;
}

// Squares that knights attack, all knights at once.
JD_ALWAYS_INLINE uint64_t knights_attack(uint64_t knights) {
    const uint64_t one_west = (knights & ~FILE_A) >> 1;
    const uint64_t one_east = (knights & ~FILE_H) << 1;
    const uint64_t two_west = (knights & ~(FILE_A | FILE_A << 1)) >> 2;
    const uint64_t two_east = (knights & ~(FILE_H | FILE_H >> 1)) << 2;
    const uint64_t one = one_west | one_east;
    const uint64_t two = two_west | two_east;
    return one << 16 | one >> 16 | two << 8 | two >> 8;
}

#endif
