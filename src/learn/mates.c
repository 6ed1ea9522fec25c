// SPDX-License-Identifier: GPL-3.0-or-later
//
// Mates by trying every move of both sides.
#include "learn/learn.h"

static bool is_mate_after(ChessPosition *pos, ChessMove move) {
    if (!chess_move_gives_check(pos, move))
        return false;
    ChessUndo undo;
    chess_move_make(pos, move, &undo);
    const bool mate = !chess_has_legal_move(pos);
    chess_move_unmake(pos, move, &undo);
    return mate;
}

static bool defence_fails(ChessPosition *pos, int n, bool only_checks, ChessMove *refutation);

// Checks first, for they leave the fewest answers.
static void checks_first(const ChessPosition *pos, ChessMoveList *list) {
    int front = 0;
    for (int i = 0; i < list->count; i++)
        if (chess_move_gives_check(pos, list->moves[i])) {
            const ChessMove move = list->moves[i];
            list->moves[i] = list->moves[front];
            list->moves[front++] = move;
        }
}

static bool attack_works(ChessPosition *pos, int n, bool only_checks) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    for (int i = 0; i < list.count; i++)
        if (is_mate_after(pos, list.moves[i]))
            return true;
    if (n == 1)
        return false;
    checks_first(pos, &list);
    ChessMove refutation = CHESS_NO_MOVE;
    for (int i = 0; i < list.count; i++) {
        if (only_checks && !chess_move_gives_check(pos, list.moves[i]))
            return false;
        ChessUndo undo;
        chess_move_make(pos, list.moves[i], &undo);
        const bool fails = defence_fails(pos, n - 1, only_checks, &refutation);
        chess_move_unmake(pos, list.moves[i], &undo);
        if (fails)
            return true;
    }
    return false;
}

// Whether every reply is answered by mate in n. *refutation, where it is legal, is tried first, and
// is left as the reply that held.
static bool defence_fails(ChessPosition *pos, int n, bool only_checks, ChessMove *refutation) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    if (list.count == 0)
        return chess_is_check(pos);
    for (int i = 0; i < list.count; i++)
        if (list.moves[i] == *refutation) {
            list.moves[i] = list.moves[0];
            list.moves[0] = *refutation;
        }
    for (int i = 0; i < list.count; i++) {
        ChessUndo undo;
        chess_move_make(pos, list.moves[i], &undo);
        const bool mated = attack_works(pos, n, only_checks);
        chess_move_unmake(pos, list.moves[i], &undo);
        if (!mated) {
            *refutation = list.moves[i];
            return false;
        }
    }
    return true;
}

bool learn_mates(const ChessPosition *pos, int n) {
    ChessPosition work = *pos;
    return attack_works(&work, n, false);
}

bool learn_mates_by_checks(const ChessPosition *pos, int n) {
    ChessPosition work = *pos;
    return attack_works(&work, n, true);
}

int learn_mate_in(const ChessPosition *pos, int max) {
    for (int n = 1; n <= max; n++)
        if (learn_mates(pos, n))
            return n;
    return 0;
}

int learn_mating_moves(const ChessPosition *pos, int n, ChessMove *one) {
    ChessPosition work = *pos;
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    int count = 0;
    ChessMove refutation = CHESS_NO_MOVE;
    for (int i = 0; i < list.count; i++) {
        bool mates = is_mate_after(&work, list.moves[i]);
        if (!mates && n > 1) {
            ChessUndo undo;
            chess_move_make(&work, list.moves[i], &undo);
            mates = defence_fails(&work, n - 1, false, &refutation);
            chess_move_unmake(&work, list.moves[i], &undo);
        }
        if (mates && count++ == 0)
            *one = list.moves[i];
    }
    return count;
}

ChessMove learn_longest_defence(const ChessPosition *pos, int n) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    ChessMove best = CHESS_NO_MOVE;
    int longest = 0;
    for (int i = 0; i < list.count; i++) {
        ChessPosition after = *pos;
        chess_move_make(&after, list.moves[i], NULL);
        const int in = learn_mate_in(&after, n);
        const int moves = in == 0 ? n + 1 : in;
        if (moves > longest) {
            longest = moves;
            best = list.moves[i];
        }
    }
    return best;
}
