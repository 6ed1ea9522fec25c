// SPDX-License-Identifier: GPL-3.0-or-later
//
// One walk over the moves of a game: claims that would have been right, and the end the board makes
// by itself (Articles 5.1.1, 5.2.1, 5.2.2, 9.2, 9.3, 9.6).
//
// Positions are counted by their keys. A key is a hint: where it would found a claim or a draw for
// the first time, the game is played through again and the positions themselves are compared, as
// Article 9.2.3 asks.
#include "cli/arbitrate.h"

// The fourth ply after a position is the first that can bring it back.
enum { RECURRENCE_PLIES = 4 };

void arb_judge_begin(ArbJudge *judge, const LawsRules *rules, const ChessPosition *start) {
    judge->rules = rules;
    judge->start = *start;
    judge->game++;
    if (judge->game == 0) { // the stamps have gone round
        jd_zero(judge->seen, sizeof judge->seen);
        judge->game = 1;
    }
    judge->ply = 0;
    judge->entered = 0;
    judge->twice_ply[0] = 0;
    judge->twice_ply[1] = 0;
    judge->end_ply = ARB_NO_PLY;
    judge->end_reason = LAWS_NOT_ENDED;
    judge->range_count = 0;
    judge->ranges_left_out = 0;
    judge->mates.unproved = false;
}

ChessPosition arb_judge_replay(const ArbJudge *judge, uint32_t ply) {
    ChessPosition pos = judge->start;
    for (uint32_t i = 0; i < ply; i++)
        chess_move_make(&pos, judge->moves[i], NULL);
    return pos;
}

// ---- counting positions -------------------------------------------------------------------------

static ArbSeen *seen_find(ArbJudge *judge, uint64_t key) {
    size_t at = (size_t)key & (ARB_SEEN_SIZE - 1);
    while (judge->seen[at].game == judge->game && judge->seen[at].key != key)
        at = (at + 1) & (ARB_SEEN_SIZE - 1);
    return &judge->seen[at];
}

// How often the position has occurred, this time included.
static uint32_t seen_add(ArbJudge *judge, uint64_t key) {
    ArbSeen *const seen = seen_find(judge, key);
    if (seen->game != judge->game)
        *seen = (ArbSeen) { .key = key, .game = judge->game };
    return ++seen->count;
}

// Counts the position on the board. What stood before the last capture or pawn move cannot come
// again and is never entered; what stood since then is entered when something can come again at
// all.
static uint32_t count_now(ArbJudge *judge, const ChessPosition *pos) {
    const uint32_t back = pos->halfmove_clock < judge->ply ? pos->halfmove_clock : judge->ply;
    if (judge->entered < judge->ply - back)
        judge->entered = judge->ply - back;
    while (judge->entered < judge->ply)
        seen_add(judge, judge->keys[judge->entered++]);
    judge->entered = judge->ply + 1;
    return seen_add(judge, pos->zobrist_key);
}

static uint32_t seen_count(ArbJudge *judge, uint64_t key) {
    const ArbSeen *const seen = seen_find(judge, key);
    return seen->game == judge->game ? seen->count : 0;
}

// The count by comparing positions: those before ply end that are the same as wanted.
static uint32_t count_exactly(const ArbJudge *judge, const ChessPosition *wanted, uint32_t end) {
    uint32_t count = 0;
    ChessPosition pos = judge->start;
    for (uint32_t ply = 0; ply < end; ply++) {
        if (judge->keys[ply] == wanted->zobrist_key && chess_position_same(&pos, wanted))
            count++;
        chess_move_make(&pos, judge->moves[ply], NULL);
    }
    return count;
}

// 2014, read literally: so many occurrences, each four plies after the last.
static bool is_consecutive(const ArbJudge *judge, uint32_t wanted) {
    const uint32_t span = RECURRENCE_PLIES * (wanted - 1);
    if (judge->ply < span)
        return false;
    for (uint32_t back = RECURRENCE_PLIES; back <= span; back += RECURRENCE_PLIES)
        if (judge->keys[judge->ply - back] != judge->keys[judge->ply])
            return false;
    return true;
}

// ---- claims -------------------------------------------------------------------------------------

static ArbRange *range_of_last_turn(ArbJudge *judge, bool is_fifty, ChessColor color) {
    for (uint32_t i = judge->range_count; i > 0; i--) {
        ArbRange *const range = &judge->ranges[i - 1];
        if (range->is_fifty == is_fifty && range->color == color)
            return range->last + 2 == judge->ply ? range : NULL;
    }
    return NULL;
}

static void add_turn(ArbJudge *judge, const ChessPosition *pos, const ArbRange *turn) {
    ArbRange *const before =
        range_of_last_turn(judge, turn->is_fifty != 0, (ChessColor)turn->color);
    if (before != NULL) {
        before->last = judge->ply;
        return;
    }
    if (!turn->is_fifty) {
        // A first turn rests on positions, not on keys.
        ChessPosition wanted = *pos;
        if (!turn->on_board)
            chess_move_make(&wanted, turn->intended, NULL);
        if (count_exactly(judge, &wanted, judge->ply) + 1 < judge->rules->claim_repetitions)
            return;
    }
    if (judge->range_count == ARB_RANGES_MAX) {
        judge->ranges_left_out++;
        return;
    }
    judge->ranges[judge->range_count++] = *turn;
}

static ArbRange turn_of(const ArbJudge *judge, const ChessPosition *pos, bool is_fifty) {
    return (ArbRange) {
        .is_fifty = is_fifty, .color = pos->side_to_move, .first = judge->ply, .last = judge->ply
    };
}

static bool is_quiet(const ChessPosition *pos, ChessMove move) {
    return chess_piece_kind(chess_piece_at(pos, chess_move_from(move))) != CHESS_PAWN &&
           chess_move_captured(pos, move) == CHESS_NO_PIECE;
}

// Article 9.2.1: a move after which the position stands for the third time; the one played, if it
// is one.
static void look_for_intended(ArbJudge *judge, const ChessPosition *pos) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    for (int i = 0; i < list.count; i++) {
        if (!is_quiet(pos, list.moves[i]))
            continue;
        ChessPosition after = *pos;
        chess_move_make(&after, list.moves[i], NULL);
        const uint32_t count = seen_count(judge, after.zobrist_key) + 1;
        if (count < judge->rules->claim_repetitions)
            continue;
        ArbRange turn = turn_of(judge, pos, false);
        turn.intended = list.moves[i];
        turn.count = (uint16_t)count;
        add_turn(judge, pos, &turn);
        return;
    }
}

static void look_for_repetition(ArbJudge *judge, const ChessPosition *pos, uint32_t count) {
    const uint32_t parity = judge->ply & 1;
    if (count >= 2)
        judge->twice_ply[parity] = judge->ply;
    if (count >= judge->rules->claim_repetitions) {
        ArbRange turn = turn_of(judge, pos, false);
        turn.on_board = 1;
        turn.count = (uint16_t)count;
        add_turn(judge, pos, &turn);
        return;
    }
    // Only a position that stood twice since the last capture or pawn move can come for the third
    // time.
    const uint32_t twice = judge->twice_ply[parity ^ 1];
    if (twice > 0 && judge->ply - twice < pos->halfmove_clock)
        look_for_intended(judge, pos);
}

// Article 9.3: fifty moves by each side, the written one included.
static void look_for_fifty(ArbJudge *judge, const ChessPosition *pos) {
    const uint32_t plies = 2 * (uint32_t)judge->rules->claim_moves;
    ArbRange turn = turn_of(judge, pos, true);
    turn.count = judge->rules->claim_moves;
    turn.on_board = pos->halfmove_clock >= plies;
    if (!turn.on_board) {
        ChessMoveList list;
        chess_moves_generate(pos, &list);
        for (int i = 0; i < list.count && turn.intended == CHESS_NO_MOVE; i++)
            if (is_quiet(pos, list.moves[i]))
                turn.intended = list.moves[i];
        if (turn.intended == CHESS_NO_MOVE)
            return;
    }
    if (chess_has_legal_move(pos))
        add_turn(judge, pos, &turn);
}

// ---- the walk -----------------------------------------------------------------------------------

static void end_by(ArbJudge *judge, LawsReason reason) {
    judge->end_reason = reason;
    judge->end_ply = judge->ply;
}

// Article 9.6: what ends the game without a claim. Mate goes first.
static bool is_forced(ArbJudge *judge, const ChessPosition *pos, uint32_t count) {
    const LawsRules *const rules = judge->rules;
    if (judge->ply == 0)
        return false;
    if (rules->forced_moves > 0 && pos->halfmove_clock >= 2 * rules->forced_moves &&
        chess_has_legal_move(pos)) {
        end_by(judge, LAWS_AUTO_75);
        return true;
    }
    const uint32_t wanted = rules->forced_repetitions;
    if (wanted == 0 || count < wanted ||
        (rules->forced_repetitions_consecutive && !is_consecutive(judge, wanted)) ||
        count_exactly(judge, pos, judge->ply) + 1 < wanted)
        return false;
    end_by(judge, LAWS_AUTO_REPETITION);
    return true;
}

void arb_judge_position(ArbJudge *judge, const ChessPosition *pos) {
    judge->keys[judge->ply] = pos->zobrist_key;
    if (JD_LIKELY(pos->halfmove_clock < RECURRENCE_PLIES) || judge->end_ply != ARB_NO_PLY)
        return;
    const uint32_t count = count_now(judge, pos);
    if (is_forced(judge, pos, count))
        return;
    look_for_repetition(judge, pos, count);
    if (pos->halfmove_clock + 1 >= 2 * judge->rules->claim_moves)
        look_for_fifty(judge, pos);
}

void arb_judge_move(ArbJudge *judge, ChessMove move) {
    judge->moves[judge->ply++] = move;
}

// ---- the end ------------------------------------------------------------------------------------

// No legal move leads out of a dead position to one that is not: the first dead one is found by
// halving.
static uint32_t first_dead(ArbJudge *judge, uint32_t last) {
    uint32_t low = 0; // the first dead ply is in low ..= last
    while (low < last) {
        const uint32_t middle = low + (last - low) / 2;
        const ChessPosition pos = arb_judge_replay(judge, middle);
        if (arb_is_dead(&judge->mates, &pos, CHESS_WHITE))
            last = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Claims are for games that go on.
void arb_judge_strike_out(ArbJudge *judge, uint32_t end_ply) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < judge->range_count; i++) {
        ArbRange range = judge->ranges[i];
        if (range.first >= end_ply)
            continue;
        while (range.last >= end_ply)
            range.last -= 2;
        range.open_ended = range.last == judge->ply;
        judge->ranges[kept++] = range;
    }
    judge->range_count = kept;
}

LawsReason arb_judge_end(ArbJudge *judge, const ChessPosition *pos, ChessColor likely,
                         uint32_t *ply) {
    LawsReason reason = judge->end_reason;
    uint32_t end = judge->end_ply;
    if (reason == LAWS_NOT_ENDED && !chess_has_legal_move(pos)) {
        reason = chess_is_check(pos) ? LAWS_CHECKMATE : LAWS_STALEMATE;
        end = judge->ply;
    }
    // Whoever can mate at the end could do so all along.
    const uint32_t last = reason == LAWS_NOT_ENDED              ? judge->ply
                          : reason == LAWS_STALEMATE && end > 0 ? end - 1
                                                                : end;
    const bool has_mate = reason == LAWS_CHECKMATE;
    if (!has_mate && !(reason == LAWS_STALEMATE && end == 0)) {
        const ChessPosition at_last = last == judge->ply ? *pos : arb_judge_replay(judge, last);
        if (arb_is_dead(&judge->mates, &at_last, likely)) {
            reason = LAWS_DEAD_POSITION;
            end = first_dead(judge, last);
        }
    }
    arb_judge_strike_out(judge, reason == LAWS_NOT_ENDED ? ARB_NO_PLY : end);
    *ply = end;
    return reason;
}
