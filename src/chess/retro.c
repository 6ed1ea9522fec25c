// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looking one move back: which checks can have arisen.
//
// Two checkers are possible exactly when the opponent has a last move after which the position
// stands as it does and before which our king was not attacked (else we should have left him in
// check). That move is found among few:
//
// - Castling never gives two checks: king and rook end on the home rank, whose squares lie at the
// edge,
//   so the squares they left can open only that one rank; the rook checks along it or on its file,
//   and a king on the file is not on the rank.
// - Any other move but en passant vacates one square. That opens at most one line to our king,
// since two
//   lines meet nowhere but at the king. So the moved piece is itself one of the two checkers.
// - En passant vacates two squares and may open two lines; the moved pawn need not be a checker.
//
// So it suffices to take back every move of each checker, as a plain move, a capture and, on the
// last rank, a promotion, and every en passant capture. That a checker which did not move must
// stand on a line just opened, that two knights or two pawns never check together, that a rook
// never uncovers a rook's line, all this follows from asking whether our king was attacked before.
#include "chess/retro.h"

#include "chess/make.h"

bool chess_material_is_possible(const int counts[7], const int bishops[2]) {
    int promoted = 0;
    for (int i = 0; i < 2; i++)
        promoted += bishops[i] > 1 ? bishops[i] - 1 : 0;
    promoted += counts[CHESS_KNIGHT] > 2 ? counts[CHESS_KNIGHT] - 2 : 0;
    promoted += counts[CHESS_ROOK] > 2 ? counts[CHESS_ROOK] - 2 : 0;
    promoted += counts[CHESS_QUEEN] > 1 ? counts[CHESS_QUEEN] - 1 : 0;
    return promoted + counts[CHESS_PAWN] <= 8;
}

static bool is_light(int square) {
    return ((square >> 3) + square) % 2 != 0;
}

void chess_material_count(const ChessPosition *pos, ChessColor color, int counts[7],
                          int bishops[2]) {
    const uint64_t light = UINT64_C(0x55aa55aa55aa55aa);
    const uint64_t own = pos->colors[color];
    counts[0] = count_bits(own);
    for (int kind = CHESS_PAWN; kind <= CHESS_KING; kind++)
        counts[kind] = count_bits(pos->kinds[kind] & own);
    bishops[0] = count_bits(pos->kinds[CHESS_BISHOP] & own & ~light);
    bishops[1] = count_bits(pos->kinds[CHESS_BISHOP] & own & light);
}

// Whether the numbers of a colour stay possible with one piece more and, unless lost is
// CHESS_NO_KIND, one piece less; both on square.
static bool exchange_is_possible(const ChessPosition *pos, ChessColor color, ChessKind won,
                                 ChessKind lost, int square) {
    int counts[7];
    int bishops[2];
    chess_material_count(pos, color, counts, bishops);
    counts[won]++;
    bishops[is_light(square)] += won == CHESS_BISHOP ? 1 : 0;
    if (lost != CHESS_NO_KIND) {
        counts[lost]--;
        bishops[is_light(square)] -= lost == CHESS_BISHOP ? 1 : 0;
    }
    return chess_material_is_possible(counts, bishops);
}

// Whether a piece of color may have been captured on square by the last move.
static bool can_have_lost(const ChessPosition *pos, ChessColor color, int square) {
    const bool pawn_may_stand = (bit(square) & (RANK_1 | RANK_8)) == 0;
    for (int kind = pawn_may_stand ? CHESS_PAWN : CHESS_KNIGHT; kind < CHESS_KING; kind++)
        if (exchange_is_possible(pos, color, (ChessKind)kind, CHESS_NO_KIND, square))
            return true;
    return false;
}

// Whether our king was attacked before the opponent's piece came from from to to, where it was of
// this kind; restored are the squares on which we had a piece then that is gone now.
static bool was_attacked(const ChessPosition *pos, ChessColor us, ChessKind kind, int from, int to,
                         uint64_t restored) {
    const ChessColor them = chess_other(us);
    ChessPosition before = *pos;
    const ChessKind now = chess_piece_kind(pos->board[to]);
    before.kinds[now] &= ~bit(to);
    before.kinds[kind] |= bit(from);
    before.colors[them] = (before.colors[them] & ~bit(to)) | bit(from);
    before.kinds[0] = (before.kinds[0] & ~bit(to)) | bit(from) | restored;
    return king_is_attacked(&before, us, chess_king_square(pos, us), before.kinds[0],
                            before.colors[them]);
}

// A last move from from to to, with or without a capture there.
static bool last_move_is_possible(const ChessPosition *pos, ChessColor us, ChessKind kind, int from,
                                  int to, bool captures) {
    if (captures && !can_have_lost(pos, us, to))
        return false;
    return !was_attacked(pos, us, kind, from, to, captures ? bit(to) : 0);
}

// Last moves of the pawn that stands on to now, or stood on from as a pawn and was promoted on to.
static bool pawn_can_have_come(const ChessPosition *pos, ChessColor us, int to) {
    const ChessColor them = chess_other(us);
    const uint64_t empty = ~pos->kinds[0];
    const uint64_t may_stand = empty & ~(RANK_1 | RANK_8);
    const uint64_t one = forward(bit(to), us) & may_stand; // backwards for the pawn
    const uint64_t two = forward(one, us) & empty & (them == CHESS_WHITE ? RANK_2 : RANK_7);
    for (uint64_t steps = one | two; steps != 0;)
        if (last_move_is_possible(pos, us, CHESS_PAWN, take_lowest(&steps), to, false))
            return true;
    for (uint64_t sides = chess_pawn_attacks[us][to] & may_stand; sides != 0;)
        if (last_move_is_possible(pos, us, CHESS_PAWN, take_lowest(&sides), to, true))
            return true;
    return false;
}

static bool piece_can_have_come(const ChessPosition *pos, ChessColor us, ChessKind kind, int to) {
    const uint64_t occupied = pos->kinds[0];
    uint64_t origins = kind == CHESS_KNIGHT ? chess_knight_attacks[to] : 0;
    if (kind == CHESS_BISHOP || kind == CHESS_QUEEN)
        origins |= bishop_attacks(to, occupied);
    if (kind == CHESS_ROOK || kind == CHESS_QUEEN)
        origins |= rook_attacks(to, occupied);
    for (origins &= ~occupied; origins != 0;) {
        const int from = take_lowest(&origins);
        if (last_move_is_possible(pos, us, kind, from, to, false) ||
            last_move_is_possible(pos, us, kind, from, to, true))
            return true;
    }
    return false;
}

// A rook that may still castle has not moved.
static bool has_never_moved(const ChessPosition *pos, ChessColor color, int square) {
    for (int kingside = 0; kingside < 2; kingside++)
        if ((pos->castling_rights & castling_right(color, kingside != 0)) != 0 &&
            square == home_of(color) + pos->rook_files[kingside])
            return true;
    return false;
}

static bool checker_can_have_come(const ChessPosition *pos, ChessColor us, int to) {
    const ChessColor them = chess_other(us);
    const ChessKind kind = chess_piece_kind(pos->board[to]);
    if (kind == CHESS_PAWN)
        return pawn_can_have_come(pos, us, to);
    if (has_never_moved(pos, them, to))
        return false;
    if (piece_can_have_come(pos, us, kind, to))
        return true;
    const bool on_last_rank = (bit(to) & (them == CHESS_WHITE ? RANK_8 : RANK_1)) != 0;
    return on_last_rank && exchange_is_possible(pos, them, CHESS_PAWN, kind, to) &&
           pawn_can_have_come(pos, us, to);
}

// The last move was the capture en passant by the pawn that came from from to to.
static bool ep_can_have_been(const ChessPosition *pos, ChessColor us, int from, int to) {
    const ChessColor them = chess_other(us);
    const int victim = to ^ 8;
    const uint64_t origin = forward(bit(to), them); // where our pawn had started its double step
    if (was_attacked(pos, us, CHESS_PAWN, from, to, bit(victim)))
        return false;
    // And before that double step their king was not attacked, for it was our move.
    ChessPosition before = *pos;
    before.kinds[CHESS_PAWN] = (before.kinds[CHESS_PAWN] & ~bit(to)) | bit(from) | origin;
    before.colors[them] = (before.colors[them] & ~bit(to)) | bit(from);
    before.colors[us] |= origin;
    before.kinds[0] = before.colors[0] | before.colors[1];
    return !king_is_attacked(&before, them, chess_king_square(pos, them), before.kinds[0],
                             before.colors[us]);
}

static bool some_ep_can_have_been(const ChessPosition *pos, ChessColor us) {
    const ChessColor them = chess_other(us);
    const uint64_t empty = ~pos->kinds[0];
    const uint64_t arrivals = pos->kinds[CHESS_PAWN] & pos->colors[them] &
                              (them == CHESS_WHITE ? RANK_6 : RANK_3) & forward(empty, them) &
                              forward(empty, us);
    for (uint64_t left = arrivals; left != 0;) {
        const int to = take_lowest(&left);
        if (!exchange_is_possible(pos, us, CHESS_PAWN, CHESS_NO_KIND, to))
            return false;
        for (uint64_t sides = chess_pawn_attacks[us][to] & empty; sides != 0;)
            if (ep_can_have_been(pos, us, take_lowest(&sides), to))
                return true;
    }
    return false;
}

bool chess_double_check_is_possible(const ChessPosition *pos, uint64_t checkers) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    while (checkers != 0)
        if (checker_can_have_come(pos, us, take_lowest(&checkers)))
            return true;
    return some_ep_can_have_been(pos, us);
}

bool chess_double_step_is_possible(const ChessPosition *pos, int target) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const uint64_t step = bit(target);
    const int from = lowest(forward(step, us));
    const int to = lowest(forward(step, chess_other(us)));
    return !was_attacked(pos, us, CHESS_PAWN, from, to, 0);
}
