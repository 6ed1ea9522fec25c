// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a learner is shown: an exchange counted out, what a move leaves, a pawn's race.
#include "learn/learn.h"

// ---- development --------------------------------------------------------------------------------

#define BIT(square) ((uint64_t)1 << (square))

// Where knights and bishops stand at first: b, c, f, g on the first and last rank.
static uint64_t minors_at_home(const ChessPosition *pos, ChessColor color) {
    const int base = color == CHESS_WHITE ? 0 : 56;
    const uint64_t knights = (BIT(1) | BIT(6)) << base & pos->kinds[CHESS_KNIGHT];
    const uint64_t bishops = (BIT(2) | BIT(5)) << base & pos->kinds[CHESS_BISHOP];
    return (knights | bishops) & pos->colors[color];
}

static uint64_t minors(const ChessPosition *pos, ChessColor color) {
    return (pos->kinds[CHESS_KNIGHT] | pos->kinds[CHESS_BISHOP]) & pos->colors[color];
}

int learn_developed(const ChessPosition *pos, ChessColor color) {
    return __builtin_popcountll(minors(pos, color) & ~minors_at_home(pos, color));
}

// ---- exchange ----------------------------------------------------------------------------------

void learn_exchange(const ChessPosition *pos, ChessSquare square, LearnExchange *out) {
    *out = (LearnExchange) { 0 };
    TutorExchange counted;
    if (!tutor_exchange(pos, square, (ChessColor)pos->side_to_move, &counted))
        return;
    out->count = counted.count;
    for (int i = 0; i < counted.count; i++) {
        out->moves[i] = counted.moves[i];
        out->balance[i] = counted.balance[i] / 100;
    }
    // From the end: whoever is to take goes on only where that pays. The first capture is made, for
    // the question is what comes of it.
    out->stop = out->count;
    out->result = out->count > 0 ? out->balance[out->count - 1] : 0;
    for (int i = out->count - 1; i > 0; i--) {
        const bool is_beginner = i % 2 == 0;
        const int now = out->balance[i - 1];
        if (is_beginner ? out->result <= now : out->result >= now) {
            out->result = now;
            out->stop = i;
        }
    }
}

// ---- before a move -----------------------------------------------------------------------------

int learn_leaves(const ChessPosition *pos, ChessMove move) {
    ChessPosition after = *pos;
    chess_move_make(&after, move, NULL);
    if (!chess_has_legal_move(&after))
        return 0;
    if (learn_mates(&after, 1))
        return LEARN_MATE;
    const int gain = learn_gain(&after, 2, CHESS_NO_MOVE, NULL);
    return gain > 0 ? gain : 0;
}

// ---- races -------------------------------------------------------------------------------------

static bool runs(ChessPosition *pos, int n);

// The side to move is the defender: no move of it may hold.
static bool cannot_stop(ChessPosition *pos, int n) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    if (list.count == 0)
        return chess_is_check(pos);
    for (int i = 0; i < list.count; i++) {
        ChessUndo undo;
        chess_move_make(pos, list.moves[i], &undo);
        const bool promotes = runs(pos, n);
        chess_move_unmake(pos, list.moves[i], &undo);
        if (!promotes)
            return false;
    }
    return true;
}

static bool is_safe_promotion(ChessPosition *pos, ChessMove move) {
    if (chess_move_promotion(move) != CHESS_QUEEN || chess_see(pos, move) < 0)
        return false;
    ChessUndo undo;
    chess_move_make(pos, move, &undo);
    const bool is_stalemate = chess_is_stalemate(pos);
    chess_move_unmake(pos, move, &undo);
    return !is_stalemate;
}

static bool runs(ChessPosition *pos, int n) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    for (int i = 0; i < list.count; i++)
        if (is_safe_promotion(pos, list.moves[i]))
            return true;
    for (int i = 0; i < list.count && n > 1; i++) {
        ChessUndo undo;
        chess_move_make(pos, list.moves[i], &undo);
        const bool works = cannot_stop(pos, n - 1);
        chess_move_unmake(pos, list.moves[i], &undo);
        if (works)
            return true;
    }
    return false;
}

bool learn_promotes(const ChessPosition *pos, int n) {
    ChessPosition work = *pos;
    return runs(&work, n);
}
