// SPDX-License-Identifier: GPL-3.0-or-later
//
// From "which piece arrives where" to the legal moves, backwards: the arrival square is looked at
// as if the piece stood there, and of the one or two candidates those that leave their king
// attacked fall out. Moves are not generated. Sliders are asked line by line: the small tables stay
// in the cache beside the text.
#ifndef CHESS_RESOLVE_H
#define CHESS_RESOLVE_H

#include "chess/move.h"
#include "chess/tables.h"

// The part of one line seen from a square, both ends included.
JD_ALWAYS_INLINE uint64_t seen_on_line(int square, int axis, uint64_t occupied) {
    const uint64_t below = bit(square) - 1;
    const uint64_t up = chess_lines[square][axis] & ~below;
    const uint64_t down = chess_lines[square][axis] & below;
    const uint64_t first_up = up & occupied;
    const uint64_t first_down = down & occupied;
    return (up & (first_up ^ (first_up - 1))) |
           (down & (~UINT64_C(0) << (63 - __builtin_clzll(first_down | 1))));
}
JD_ALWAYS_INLINE uint64_t seen_straight(int square, uint64_t occupied) {
    return seen_on_line(square, 0, occupied) | seen_on_line(square, 2, occupied);
}
JD_ALWAYS_INLINE uint64_t seen_diagonally(int square, uint64_t occupied) {
    return seen_on_line(square, 1, occupied) | seen_on_line(square, 3, occupied);
}

// Opponent's sliders that would attack the king of us on an empty board.
JD_ALWAYS_INLINE uint64_t snipers_of(const ChessPosition *pos, ChessColor us, int king) {
    const uint64_t straight = chess_lines[king][0] | chess_lines[king][2];
    const uint64_t diagonal = chess_lines[king][1] | chess_lines[king][3];
    return ((straight & (pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN])) |
            (diagonal & (pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_QUEEN]))) &
           pos->colors[chess_other(us)];
}

// Opponent's knights and pawns that attack the king of us.
JD_ALWAYS_INLINE uint64_t leapers_at(const ChessPosition *pos, ChessColor us, int king) {
    return ((chess_knight_attacks[king] & pos->kinds[CHESS_KNIGHT]) |
            (chess_pawn_attacks[us][king] & pos->kinds[CHESS_PAWN])) &
           pos->colors[chess_other(us)];
}

// Whether the king of us is safe when the squares of occupied are, and gone is the square of a
// captured piece (or empty).
JD_ALWAYS_INLINE bool king_is_safe(const ChessPosition *pos, ChessColor us, int king,
                                   uint64_t occupied, uint64_t gone) {
    if ((leapers_at(pos, us, king) & ~gone) != 0)
        return false;
    const uint64_t snipers = snipers_of(pos, us, king) & ~gone;
    if (snipers == 0)
        return true;
    const uint64_t straight = snipers & (chess_lines[king][0] | chess_lines[king][2]);
    if (straight != 0 && (straight & seen_straight(king, occupied)) != 0)
        return false;
    const uint64_t diagonal = snipers & ~straight;
    return diagonal == 0 || (diagonal & seen_diagonally(king, occupied)) == 0;
}

// Whether our piece on from, not a king, may go to: a plain arrival or the capture of what stands
// there.
JD_ALWAYS_INLINE bool arrival_is_safe(const ChessPosition *pos, ChessColor us, int from, int to) {
    const int king = lowest(pos->kinds[CHESS_KING] & pos->colors[us]);
    return king_is_safe(pos, us, king, (pos->kinds[0] & ~bit(from)) | bit(to), bit(to));
}

JD_ALWAYS_INLINE uint64_t keep_safe(const ChessPosition *pos, ChessColor us, uint64_t candidates,
                                    int to) {
    uint64_t legal = 0;
    while (candidates != 0) {
        const int from = take_lowest(&candidates);
        if (arrival_is_safe(pos, us, from, to))
            legal |= bit(from);
    }
    return legal;
}

// Knights, bishops, rooks or queens of us that reach the square, pins not looked at.
JD_ALWAYS_INLINE uint64_t officers_reaching(const ChessPosition *pos, ChessColor us, ChessKind kind,
                                            int to) {
    const uint64_t ours = pos->kinds[kind] & pos->colors[us];
    const uint64_t occupied = pos->kinds[0];
    uint64_t reach = 0;
    if (kind == CHESS_KNIGHT)
        reach = chess_knight_attacks[to];
    if (kind == CHESS_BISHOP || kind == CHESS_QUEEN)
        reach |= seen_diagonally(to, occupied);
    if (kind == CHESS_ROOK || kind == CHESS_QUEEN)
        reach |= seen_straight(to, occupied);
    return reach & ours;
}

// Whether the king of us may step to the square (castling is another question).
JD_ALWAYS_INLINE bool king_step_is_legal(const ChessPosition *pos, ChessColor us, int to) {
    const uint64_t kings = pos->kinds[CHESS_KING];
    const uint64_t ours = kings & pos->colors[us];
    return (chess_king_attacks[to] & ours) != 0 && (pos->colors[us] & bit(to)) == 0 &&
           (chess_king_attacks[to] & kings & ~ours) == 0 &&
           king_is_safe(pos, us, to, (pos->kinds[0] & ~ours) | bit(to), bit(to));
}

// The square a pawn of us must come from to step straight to the square; CHESS_NO_SQUARE when none
// can. The double step is the longer one.
JD_ALWAYS_INLINE int pawn_push_origin(const ChessPosition *pos, ChessColor us, int to) {
    const uint64_t pawns = pos->kinds[CHESS_PAWN] & pos->colors[us];
    const uint64_t occupied = pos->kinds[0];
    if ((occupied & bit(to)) != 0)
        return CHESS_NO_SQUARE;
    const int back = us == CHESS_WHITE ? to - 8 : to + 8;
    if (back < 0 || back > 63)
        return CHESS_NO_SQUARE;
    if ((pawns & bit(back)) != 0)
        return back;
    const int double_rank = us == CHESS_WHITE ? 3 : 4;
    const int start = us == CHESS_WHITE ? to - 16 : to + 16;
    if (to >> 3 == double_rank && (occupied & bit(back)) == 0 && (pawns & bit(start)) != 0)
        return start;
    return CHESS_NO_SQUARE;
}

// Whether the pawn of us on from, which attacks the square, may capture there; *en_passant tells
// how.
JD_ALWAYS_INLINE bool pawn_capture_is_legal(const ChessPosition *pos, ChessColor us, int from,
                                            int to, bool *en_passant) {
    *en_passant = false;
    if ((pos->colors[chess_other(us)] & bit(to)) != 0)
        return arrival_is_safe(pos, us, from, to);
    if (to != pos->ep_target)
        return false;
    // Article 3.7.3.1: two pawns leave their squares at once.
    const uint64_t victim = bit(to ^ 8);
    const int king = lowest(pos->kinds[CHESS_KING] & pos->colors[us]);
    *en_passant = true;
    return king_is_safe(pos, us, king, (pos->kinds[0] & ~bit(from) & ~victim) | bit(to), victim);
}

#endif
