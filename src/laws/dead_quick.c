// SPDX-License-Identifier: GPL-3.0-or-later
//
// The order in which helpmates are looked for without a search: on the board as it stands, after a
// pawn has become a queen, and after everything of the loser's but his king has been given away.
#include "laws/dead_quick.h"

#define PROMOTION_TO_ROOK (6U << 12)
#define PROMOTION_TO_QUEEN (7U << 12)
#define ATTEMPTS 2
#define EVASIONS 3
// Plies that both sides spend on giving away between two plans.
#define SIMPLIFY_PLIES 6
// And so many at most before minor pieces are to mate.
#define GIVING_PLIES 24
// So often nothing may have been given away before it is given up.
#define ROUNDS_STILL 4

static uint64_t majors_of(const ChessPosition *pos, ChessColor color) {
    return (pos->kinds[CHESS_QUEEN] | pos->kinds[CHESS_ROOK]) & pos->colors[color];
}

// Plans need a side to move that is not in check: a check is evaded first, in a few ways.
static bool plan_after_evasion(const Track *track, int attempts, Plan *plan, uint32_t *count) {
    if (!chess_is_check(&track->pos))
        return dead_plan_and_play(track, &attempts, plan, count);
    ChessMoveList list;
    chess_moves_generate(&track->pos, &list);
    for (int i = 0; i < list.count && i < EVASIONS && attempts > 0; i++) {
        Track next = *track;
        advance(&next, list.moves[list.count - 1 - i]);
        if (dead_plan_and_play(&next, &attempts, plan, count))
            return true;
    }
    return false;
}

// A queen, or a rook where a queen would stalemate.
static ChessMove promoting(const ChessPosition *pos, ChessMove to_queen) {
    ChessPosition after = *pos;
    chess_move_make(&after, to_queen, NULL);
    if (chess_has_legal_move(&after) || chess_is_check(&after))
        return to_queen;
    return (ChessMove)(plain(chess_move_from(to_queen), chess_move_to(to_queen)) |
                       PROMOTION_TO_ROOK);
}

// ---- promotion ----------------------------------------------------------------------------------

// The pawn with the fewest steps to go that has none but loose men before it, who can go away; or
// CHESS_NO_SQUARE.
static int find_runner(const ChessPosition *pos, ChessColor us) {
    const uint64_t loose = pos->kinds[0] & ~pos->kinds[CHESS_PAWN];
    int best = CHESS_NO_SQUARE;
    int best_steps = 99;
    for (uint64_t pawns = pos->kinds[CHESS_PAWN] & pos->colors[us]; pawns != 0;) {
        const int square = take_lowest(&pawns);
        const uint64_t ahead = dead_ahead(square, us);
        const int steps = dead_count(ahead) + 2 * dead_count(ahead & loose);
        if ((ahead & pos->kinds[0] & ~loose) == 0 && steps < best_steps) {
            best = square;
            best_steps = steps;
        }
    }
    return best;
}

// The loser makes way for a pawn, or else passes with the man he passed with last.
static ChessMove make_way(const Track *track, uint64_t ahead, ChessMove *back) {
    const ChessPosition *pos = &track->pos;
    const uint64_t theirs = pos->colors[track->them];
    const uint64_t king = pos->kinds[CHESS_KING] & theirs;
    const uint64_t our_king = pos->kinds[CHESS_KING] & pos->colors[track->us];
    if ((king & ahead) != 0)
        return dead_any_move(pos, king, ahead);
    ChessMove move = dead_find_tempo(pos, theirs & ahead, 0, ahead, our_king);
    if (move != CHESS_NO_MOVE)
        return move;
    move = *back;
    if (move == CHESS_NO_MOVE || !chess_move_is_legal(pos, move))
        move = dead_find_tempo(pos, theirs & ~king & ~king_attacks(king), 0, ahead, our_king);
    if (move == CHESS_NO_MOVE)
        move = dead_any_move(pos, king, ahead);
    const bool is_pawn =
        move != CHESS_NO_MOVE && (pos->kinds[CHESS_PAWN] & bit(chess_move_from(move))) != 0;
    *back = move == CHESS_NO_MOVE || is_pawn ? CHESS_NO_MOVE : reversed(move);
    return move;
}

static bool promote(Track *track) {
    int square = find_runner(&track->pos, track->us);
    if (square == CHESS_NO_SQUARE)
        return false;
    int delays = 0;
    ChessMove back = CHESS_NO_MOVE;
    for (uint64_t ahead = dead_ahead(square, track->us); ahead != 0;) {
        if (track->count >= DEAD_QUICK_LINE - DEAD_MATE_LINE || is_spent(track))
            return false;
        const ChessPosition *pos = &track->pos;
        ChessMove move;
        if (pos->side_to_move == track->us) {
            const int to = track->us == CHESS_WHITE ? square + 8 : square - 8;
            move = plain(square, to);
            if ((bit(to) & (RANK_1 | RANK_8)) != 0)
                move = (ChessMove)(move | PROMOTION_TO_QUEEN);
            if (chess_move_is_legal(pos, move)) {
                if (chess_move_promotion(move) != CHESS_NO_KIND)
                    move = promoting(pos, move);
                square = to;
                ahead = dead_ahead(square, track->us);
            } else if (++delays <= 3) {
                const uint64_t in_the_way = pos->colors[track->us] & ahead;
                move = dead_any_move(pos, in_the_way != 0 ? in_the_way : pos->kinds[CHESS_KING],
                                     ahead);
            } else {
                return false;
            }
        } else {
            move = make_way(track, ahead | bit(square), &back);
        }
        if (move == CHESS_NO_MOVE)
            return false;
        advance(track, move);
    }
    return true;
}

// ---- simplification -----------------------------------------------------------------------------

// The winner's king goes where there is something to take, around what is guarded.
static ChessMove walk_king(const Track *track, const ChessMoveList *list, uint64_t prey) {
    const ChessPosition *pos = &track->pos;
    const uint64_t king = pos->kinds[CHESS_KING] & pos->colors[track->us];
    const uint64_t theirs = pos->colors[track->them];
    const uint64_t barred = pos->colors[track->us] |
                            dead_attacks_of(pos, theirs, track->them, ~pos->kinds[0]) |
                            king_attacks(pos->kinds[CHESS_KING] & theirs);
    uint64_t seen = prey & ~barred;
    uint64_t layer = seen;
    while (layer != 0 && (king_attacks(layer) & king) == 0) {
        layer = king_attacks(layer) & ~barred & ~seen;
        seen |= layer;
    }
    for (int i = 0; i < list->count; i++)
        if (bit(chess_move_from(list->moves[i])) == king &&
            (bit(chess_move_to(list->moves[i])) & layer) != 0)
            return list->moves[i];
    return CHESS_NO_MOVE;
}

// What the winner does: he takes, else makes a queen of a pawn or comes nearer to it, else attacks
// something, else his king goes where there is something to take.
static ChessMove our_choice(const Track *track, const ChessMoveList *list, ChessMove back) {
    const ChessPosition *pos = &track->pos;
    const uint64_t their = pos->colors[track->them];
    const uint64_t prey = their & ~pos->kinds[CHESS_KING];
    ChessMove best = CHESS_NO_MOVE;
    int best_worth = -1;
    for (int i = 0; i < list->count; i++) {
        const ChessMove move = list->moves[i];
        const ChessKind promotion = chess_move_promotion(move);
        if (promotion == CHESS_QUEEN)
            return promoting(pos, move);
        const int worth = (int)chess_piece_kind(pos->board[chess_move_to(move)]);
        if (promotion == CHESS_NO_KIND && (their & bit(chess_move_to(move))) != 0 &&
            worth > best_worth) {
            best_worth = worth;
            best = move;
        }
    }
    if (best != CHESS_NO_MOVE)
        return best;
    const bool has_hammer = majors_of(pos, track->us) != 0;
    for (int i = 0; i < list->count; i++) {
        const ChessMove move = list->moves[i];
        const int from = chess_move_from(move);
        const int to = chess_move_to(move);
        const ChessKind kind = chess_piece_kind(pos->board[from]);
        int worth = 0;
        if (move == back)
            worth = 0;
        else if (kind == CHESS_PAWN)
            worth = has_hammer ? 5 : 20 + dead_count(dead_ahead(to, track->them));
        else if ((attack_of(kind, to, pos->kinds[0] & ~bit(from), track->us) & prey) != 0)
            worth = 10;
        if (worth > best_worth) {
            best_worth = worth;
            best = move;
        }
    }
    if (best_worth > 0)
        return best;
    const ChessMove step = walk_king(track, list, prey);
    return step != CHESS_NO_MOVE ? step : best;
}

// What the loser does: he puts a man where he can be taken, or leaves one there; he takes nothing
// if he can.
static ChessMove their_choice(const Track *track, const ChessMoveList *list, ChessMove back) {
    const ChessPosition *pos = &track->pos;
    const uint64_t attacked =
        dead_attacks_of(pos, pos->colors[track->us], track->us, ~pos->kinds[0]) |
        king_attacks(pos->kinds[CHESS_KING] & pos->colors[track->us]);
    ChessMove best = list->moves[0];
    int best_worth = -100;
    for (int i = 0; i < list->count; i++) {
        const ChessMove move = list->moves[i];
        const uint64_t from = bit(chess_move_from(move));
        const uint64_t to = bit(chess_move_to(move));
        int worth = move == back ? -3 : 0;
        if ((pos->kinds[0] & to) != 0)
            worth -= 40;
        if ((from & pos->kinds[CHESS_KING]) != 0)
            worth -= 5;
        else if ((attacked & to) != 0)
            worth += 20 + (int)chess_piece_kind(pos->board[chess_move_from(move)]);
        else if ((attacked & from) != 0)
            worth -= 20;
        if (worth > best_worth) {
            best_worth = worth;
            best = move;
        }
    }
    return best;
}

static bool is_bare(const Track *track) {
    return (track->pos.colors[track->them] & ~track->pos.kinds[CHESS_KING]) == 0;
}

// Changes with every capture and every move of a pawn.
static uint64_t stock_of(const ChessPosition *pos) {
    return pos->kinds[CHESS_PAWN] * 64 + (uint64_t)dead_count(pos->kinds[0]);
}

// The winner has mated, meant or not.
static bool has_mated(const Track *track) {
    return track->pos.side_to_move == track->them && chess_is_checkmate(&track->pos);
}

// Both sides work towards a bare king: the loser puts his men where they can be taken, the winner
// takes them, and pushes a pawn while he has nothing to mate with. False when there is no going on.
static bool simplify(Track *track, ChessMove back[2], int plies_max) {
    for (int plies = 0; plies < plies_max && !is_bare(track); plies++) {
        const ChessPosition *pos = &track->pos;
        ChessMoveList list;
        chess_moves_generate(pos, &list);
        if (list.count == 0 || track->count >= DEAD_QUICK_LINE - DEAD_MATE_LINE || is_spent(track))
            return false;
        const bool ours = pos->side_to_move == track->us;
        const ChessMove best =
            ours ? our_choice(track, &list, back[0]) : their_choice(track, &list, back[1]);
        back[ours ? 0 : 1] = reversed(best);
        advance(track, best);
    }
    return true;
}

// Minor pieces alone mate as the board stands, or after some of the men who would be in the way
// have been given away.
static bool mate_by_minors(Track *track, DeadQuick *quick) {
    ChessMove back[2] = { CHESS_NO_MOVE, CHESS_NO_MOVE };
    for (int plies = 0;;) {
        uint32_t more;
        if (dead_mate_by_minors(&track->pos, track->us, track->limit, track->line + track->count,
                                &more, &quick->nodes)) {
            quick->size = track->count + more;
            return true;
        }
        const int men = dead_count(track->pos.kinds[0]);
        while (dead_count(track->pos.kinds[0]) == men)
            if (++plies > GIVING_PLIES || !simplify(track, back, 1))
                return false;
        if (!chess_has_legal_move(&track->pos) || dead_is_material(&track->pos, track->us))
            return false;
    }
}

bool dead_play_again(const ChessPosition *pos, ChessColor winner, DeadQuick *quick) {
    quick->nodes = 0;
    quick->has_plan = true;
    const Track track = { .pos = *pos,
                          .line = quick->line,
                          .us = winner,
                          .them = chess_other(winner),
                          .nodes = &quick->nodes,
                          .limit = UINT64_MAX };
    return dead_play(&track, &quick->plan, &quick->size) ||
           (!chess_is_check(pos) && dead_plan_again(&track, &quick->plan, &quick->size));
}

bool dead_find_plan(const ChessPosition *pos, ChessColor winner, DeadQuick *quick) {
    quick->nodes = 0;
    quick->has_plan = true;
    const Track track = { .pos = *pos,
                          .line = quick->line,
                          .us = winner,
                          .them = chess_other(winner),
                          .nodes = &quick->nodes,
                          .limit = UINT64_MAX };
    return majors_of(pos, winner) != 0 && !is_bare(&track) &&
           plan_after_evasion(&track, 2, &quick->plan, &quick->size);
}

DeadQuickly dead_find_quickly(const ChessPosition *pos, ChessColor winner, uint64_t limit,
                              bool planned, DeadQuick *quick) {
    quick->nodes = 0;
    Track track = { .pos = *pos,
                    .line = quick->line,
                    .us = winner,
                    .them = chess_other(winner),
                    .nodes = &quick->nodes,
                    .limit = limit };
    quick->has_plan = false;
    if (majors_of(pos, winner) != 0) {
        if (!planned && !is_bare(&track) &&
            plan_after_evasion(&track, ATTEMPTS, &quick->plan, &quick->size)) {
            quick->has_plan = true;
            return DEAD_QUICKLY_FOUND;
        }
    } else if ((pos->kinds[CHESS_PAWN] & pos->colors[winner]) == 0) {
        // Half of what may be spent is left to the search.
        track.limit = limit / 2;
        return mate_by_minors(&track, quick) ? DEAD_QUICKLY_FOUND : DEAD_QUICKLY_NOTHING;
    } else if (dead_is_blocked(pos, winner)) {
        return DEAD_QUICKLY_BLOCKED;
    }
    ChessMove back[2] = { CHESS_NO_MOVE, CHESS_NO_MOVE };
    uint64_t still = 0; // men and pawns as they have stood for so many rounds
    for (int rounds = 0; !is_bare(&track); rounds++) {
        const uint64_t now = stock_of(&track.pos);
        rounds = now == still ? rounds : 0;
        still = now;
        if (rounds == ROUNDS_STILL)
            return DEAD_QUICKLY_NOTHING;
        const bool goes_on = simplify(&track, back, SIMPLIFY_PLIES);
        if (has_mated(&track)) {
            quick->size = track.count;
            return DEAD_QUICKLY_FOUND;
        }
        if (!goes_on)
            return DEAD_QUICKLY_NOTHING;
        if (!is_bare(&track) && majors_of(&track.pos, winner) != 0 &&
            plan_after_evasion(&track, 1, &quick->plan, &quick->size))
            return DEAD_QUICKLY_FOUND;
    }
    if (majors_of(&track.pos, winner) == 0 && !promote(&track))
        return DEAD_QUICKLY_NOTHING;
    uint32_t more;
    if (!is_spent(&track) &&
        dead_mate_bare_king(&track.pos, winner, track.line + track.count, &more, &quick->nodes)) {
        quick->size = track.count + more;
        return DEAD_QUICKLY_FOUND;
    }
    if (plan_after_evasion(&track, ATTEMPTS, &quick->plan, &quick->size))
        return DEAD_QUICKLY_FOUND;
    quick->size = track.count;
    quick->simplified = track.pos;
    return chess_has_legal_move(&track.pos) ? DEAD_QUICKLY_SIMPLIFIED : DEAD_QUICKLY_NOTHING;
}
