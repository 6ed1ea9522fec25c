// SPDX-License-Identifier: GPL-3.0-or-later
//
// A helpmate that goes along with a game. A move that was not in it seldom destroys it: the side
// that has the move now can often just carry on, or pass once and carry on, or pass while the other
// takes his move back. Each of these is tried on the board and counts only when it ends in mate, so
// nothing is taken on trust; when none does, the question is asked anew.
#include "laws/dead_quick.h"

// Moves to pass with that are tried.
#define PASSES 6

// Follows moves from pos, which it changes; true when all are legal.
static bool follow(ChessPosition *pos, const ChessMove *moves, int count) {
    for (int i = 0; i < count; i++) {
        if (!chess_move_is_legal(pos, moves[i]))
            return false;
        chess_move_make(pos, moves[i], NULL);
    }
    return true;
}

static void put_before(DeadWatch *watch, const ChessMove *moves, int count, int skipped) {
    const int kept = watch->size - skipped;
    if (count > skipped)
        for (int i = kept - 1; i >= 0; i--)
            watch->line[count + i] = watch->line[skipped + i];
    else if (count < skipped)
        for (int i = 0; i < kept; i++)
            watch->line[count + i] = watch->line[skipped + i];
    for (int i = 0; i < count; i++)
        watch->line[i] = moves[i];
    watch->size = (uint8_t)(count + kept);
}

// A man of the side to move steps aside without taking, checking or losing a right.
static ChessMove find_pass(const ChessPosition *pos) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    uint64_t men = pos->colors[us] & ~pos->kinds[CHESS_KING];
    if (pos->castling_rights != 0)
        men &= ~(pos->kinds[CHESS_ROOK] & (RANK_1 | RANK_8));
    // A piece comes back, a pawn does not.
    if ((men & ~pos->kinds[CHESS_PAWN]) != 0)
        men &= ~pos->kinds[CHESS_PAWN];
    return dead_find_tempo(pos, men, 0, 0, pos->kinds[CHESS_KING] & pos->colors[chess_other(us)]);
}

// The line still mates from after when it is joined to it by these moves, its first skipped plies
// left out.
static bool mend(DeadWatch *watch, const ChessPosition *after, const ChessMove *moves, int count,
                 int skipped) {
    if (watch->size <= skipped || count + watch->size - skipped > DEAD_WATCH_PLIES)
        return false;
    ChessPosition pos = *after;
    if (!follow(&pos, moves, count) ||
        !follow(&pos, watch->line + skipped, watch->size - skipped) || !chess_is_checkmate(&pos))
        return false;
    put_before(watch, moves, count, skipped);
    return true;
}

static bool can_be_taken_back(const ChessPosition *before, ChessMove move) {
    return chess_piece_kind(before->board[chess_move_from(move)]) != CHESS_PAWN &&
           !chess_move_is_castling(move) && before->board[chess_move_to(move)] == CHESS_NO_PIECE;
}

// The mover takes his move back while the other goes to and fro: before is on the board again.
static bool take_back(DeadWatch *watch, const ChessPosition *before, ChessMove move,
                      const ChessPosition *after, ChessMove pass) {
    if (!can_be_taken_back(before, move) || watch->size + 3 > DEAD_WATCH_PLIES)
        return false;
    if (chess_piece_kind(after->board[chess_move_from(pass)]) == CHESS_PAWN)
        return false;
    const ChessMove moves[3] = { pass, reversed(move), reversed(pass) };
    ChessPosition pos = *after;
    if (!follow(&pos, moves, 3) || !chess_position_same(&pos, before))
        return false;
    put_before(watch, moves, 3, 0);
    return true;
}

_Static_assert(sizeof(Plan) <= sizeof(((DeadWatch *)0)->plan), "a plan fits into the watch");

static bool play_plan_again(DeadWatch *watch, const ChessPosition *after) {
    if (!watch->has_plan)
        return false;
    DeadQuick quick;
    jd_copy(&quick.plan, watch->plan, sizeof quick.plan);
    if (!dead_play_again(after, (ChessColor)watch->winner, &quick) || quick.size > DEAD_WATCH_PLIES)
        return false;
    jd_copy(watch->plan, &quick.plan, sizeof quick.plan);
    jd_copy(watch->line, quick.line, quick.size * sizeof quick.line[0]);
    watch->size = (uint8_t)quick.size;
    return true;
}

static bool keep_line(DeadWatch *watch, const ChessPosition *before, ChessMove move,
                      const ChessPosition *after) {
    if (watch->size == 0)
        return false;
    if (watch->line[0] == move) {
        put_before(watch, NULL, 0, 1);
        return true;
    }
    ChessMove pass = CHESS_NO_MOVE;
    if (!chess_is_check(after)) {
        pass = find_pass(after);
        if (pass != CHESS_NO_MOVE && take_back(watch, before, move, after, pass))
            return true;
    }
    if (can_be_taken_back(before, move)) {
        // Whatever else there is to go to and fro with; in check, a way out and back.
        ChessMoveList list;
        chess_moves_generate(after, &list);
        for (int i = 0; i < list.count && i < PASSES; i++)
            if (take_back(watch, before, move, after, list.moves[list.count - 1 - i]))
                return true;
    }
    if (play_plan_again(watch, after))
        return true;
    return mend(watch, after, NULL, 0, 1) ||
           (pass != CHESS_NO_MOVE && mend(watch, after, &pass, 1, 0));
}

static DeadAnswer keep(DeadWatch *watch, const DeadQuick *quick, ChessColor winner,
                       uint64_t nodes) {
    watch->winner = (uint8_t)winner;
    if (quick->size <= DEAD_WATCH_PLIES) {
        jd_copy(watch->line, quick->line, quick->size * sizeof quick->line[0]);
        watch->size = (uint8_t)quick->size;
        watch->has_plan = quick->has_plan;
        if (quick->has_plan)
            jd_copy(watch->plan, &quick->plan, sizeof quick->plan);
    }
    return (DeadAnswer) {
        .verdict = DEAD_POSSIBLE,
        .proof = DEAD_BY_LINE,
        .winner = (uint8_t)winner,
        .line_size = quick->size,
        .nodes = nodes,
    };
}

DeadAnswer dead_watch_move(DeadWatch *watch, const ChessPosition *before, ChessMove move,
                           const ChessPosition *after, const DeadLimits *limits) {
    if (keep_line(watch, before, move, after))
        return (DeadAnswer) {
            .verdict = DEAD_POSSIBLE,
            .proof = watch->size != 0 ? DEAD_BY_LINE : DEAD_BY_MATE,
            .winner = watch->winner,
            .line_size = watch->size,
        };
    watch->size = 0;
    watch->has_plan = 0;
    // A plan for either side costs little; when it is found nothing else is asked.
    DeadQuick quick;
    uint64_t nodes = 0;
    const ChessColor first = dead_likelier(after);
    for (int i = 0; i < 2 && chess_has_legal_move(after); i++) {
        const ChessColor winner = i == 0 ? first : chess_other(first);
        if (dead_find_plan(after, winner, &quick))
            return keep(watch, &quick, winner, nodes + quick.nodes);
        nodes += quick.nodes;
    }
    DeadAnswer answer = dead_ask_both(after, limits, true, watch->line, DEAD_WATCH_PLIES);
    answer.nodes += nodes;
    watch->winner = answer.winner;
    if (answer.verdict == DEAD_POSSIBLE && answer.line_size <= DEAD_WATCH_PLIES)
        watch->size = (uint8_t)answer.line_size;
    return answer;
}
