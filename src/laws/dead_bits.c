// SPDX-License-Identifier: GPL-3.0-or-later
#include "laws/dead_inner.h"

uint64_t dead_attacks_of(const ChessPosition *pos, uint64_t men, ChessColor color, uint64_t open) {
    const uint64_t queens = pos->kinds[CHESS_QUEEN];
    return pawn_attacks(men & pos->kinds[CHESS_PAWN], color) |
           knight_attacks(men & pos->kinds[CHESS_KNIGHT]) |
           rooks_attack(men & (pos->kinds[CHESS_ROOK] | queens), open) |
           bishops_attack(men & (pos->kinds[CHESS_BISHOP] | queens), open);
}

int dead_count(uint64_t set) {
    int count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

int dead_edge_distance(int square) {
    const int file = square & 7;
    const int rank = square >> 3;
    const int to_side = file < 4 ? file : 7 - file;
    const int to_end = rank < 4 ? rank : 7 - rank;
    return to_side < to_end ? to_side : to_end;
}

uint64_t dead_ahead(int square, ChessColor color) {
    return color == CHESS_WHITE ? FILE_A << square << 8 : file_of(square) & (bit(square) - 1);
}
