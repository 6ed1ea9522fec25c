// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a side can still mate, by material (spec section 7.2). The lemmas prove "cannot", never
// "can": they are sound, and a position they say nothing of may still be dead.
#include "laws/inner.h"

#define LIGHT_SQUARES UINT64_C(0x55aa55aa55aa55aa)

// Every bishop of the set stands on squares of one colour.
static bool same_square_color(uint64_t bishops) {
    return (bishops & LIGHT_SQUARES) == 0 || (bishops & ~LIGHT_SQUARES) == 0;
}

static bool exactly_one(uint64_t set) {
    return set != 0 && (set & (set - 1)) == 0;
}

LawsMate laws_mate_by_material(const ChessPosition *pos, ChessColor color) {
    const uint64_t own = pos->colors[color] & ~pos->kinds[CHESS_KING];
    const uint64_t other = pos->colors[chess_other(color)] & ~pos->kinds[CHESS_KING];
    const uint64_t bishops = pos->kinds[CHESS_BISHOP];
    // L1: a bare king never gives check.
    if (own == 0)
        return LAWS_MATE_IMPOSSIBLE;
    // L2: a lone knight needs a blocker beside the mated king that a queen is not.
    if (exactly_one(own) && (own & pos->kinds[CHESS_KNIGHT]) != 0 &&
        (other & ~pos->kinds[CHESS_QUEEN]) == 0)
        return LAWS_MATE_IMPOSSIBLE;
    if ((own & ~bishops) != 0 || !same_square_color(own))
        return LAWS_MATE_NOT_EXCLUDED;
    // L3: bishops of one square colour cannot take the squares of the other from the mated king,
    // and only a pawn, a knight or a bishop of that other colour would block them for good.
    // L4 (only bishops on the board, all on one colour) is contained in it for both sides.
    const uint64_t bishop_color = (own & LIGHT_SQUARES) != 0 ? LIGHT_SQUARES : ~LIGHT_SQUARES;
    const uint64_t blockers =
        (pos->kinds[CHESS_PAWN] | pos->kinds[CHESS_KNIGHT] | (bishops & ~bishop_color)) & other;
    return blockers == 0 ? LAWS_MATE_IMPOSSIBLE : LAWS_MATE_NOT_EXCLUDED;
}

LawsMate laws_mate(const ChessPosition *pos, ChessColor color) {
    if (!chess_has_legal_move(pos)) {
        // L5: a stalemate is final, and so is a mate, which is the winner's.
        const bool is_won = chess_is_check(pos) && (ChessColor)pos->side_to_move != color;
        return is_won ? LAWS_MATE_NOT_EXCLUDED : LAWS_MATE_IMPOSSIBLE;
    }
    return laws_mate_by_material(pos, color);
}

bool laws_is_dead(const ChessPosition *pos) {
    return laws_mate(pos, CHESS_WHITE) == LAWS_MATE_IMPOSSIBLE &&
           laws_mate(pos, CHESS_BLACK) == LAWS_MATE_IMPOSSIBLE;
}
