// SPDX-License-Identifier: GPL-3.0-or-later
//
// What stands on the board: forks, pins, skewers, passed pawns.
#include "tutor/inner.h"

bool tutor_is_safe(const ChessPosition *pos, ChessSquare square) {
    ChessMove best;
    const int32_t net = tutor_best_capture(pos, square, &best);
    return best == CHESS_NO_MOVE || net < 0;
}

uint64_t tutor_fork_targets(const ChessPosition *pos, ChessSquare square) {
    const ChessColor us = chess_piece_color(pos->board[square]);
    const ChessColor them = chess_other(us);
    // A man that is pinned to its king attacks nothing it could take.
    if ((chess_pins(pos, us) & square_bit(square)) != 0)
        return 0;
    uint64_t rest = pos->colors[them] & ~pos->kinds[CHESS_PAWN];
    uint64_t targets = 0;
    while (rest != 0) {
        const ChessSquare target = next_square(&rest);
        if (!attacks(pos, square, target))
            continue;
        const bool unguarded = chess_attackers(pos, target, them) == 0;
        if (unguarded || worth_at(pos, target) > worth_at(pos, square))
            targets |= square_bit(target);
    }
    return targets;
}

static bool slides(ChessKind kind, int file_step, int rank_step) {
    const bool straight = file_step == 0 || rank_step == 0;
    return kind == CHESS_QUEEN || kind == (straight ? CHESS_ROOK : CHESS_BISHOP);
}

// The first man from a square in a direction; CHESS_NO_SQUARE: none.
static ChessSquare first_man(const ChessPosition *pos, ChessSquare from, int file_step,
                             int rank_step) {
    int file = chess_file(from) + file_step;
    int rank = chess_rank(from) + rank_step;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += file_step, rank += rank_step)
        if (pos->board[chess_square(file, rank)] != CHESS_NO_PIECE)
            return chess_square(file, rank);
    return CHESS_NO_SQUARE;
}

// What two men of the other side in one line from a slider are; TUTOR_NOTHING for nothing special.
static TutorKind pair_kind(const ChessPosition *pos, ChessSquare slider, ChessSquare front,
                           ChessSquare behind) {
    const ChessColor them = chess_piece_color(pos->board[front]);
    const ChessKind first = chess_piece_kind(pos->board[front]);
    const ChessKind second = chess_piece_kind(pos->board[behind]);
    const int32_t own = worth_at(pos, slider);
    if (second == CHESS_KING)
        return TUTOR_PIN_ABSOLUTE;
    // Does the man behind fall when the one in front goes? Its guards count as they stand now.
    const bool falls = tutor_worth(second) > own || chess_attackers(pos, behind, them) == 0;
    if (!falls || second == CHESS_PAWN)
        return TUTOR_NOTHING;
    if (first == CHESS_KING)
        return TUTOR_SKEWER;
    if (tutor_worth(second) > tutor_worth(first))
        return attacks(pos, front, slider) ? TUTOR_NOTHING : TUTOR_PIN_RELATIVE;
    const bool must_go = tutor_worth(first) > own || chess_attackers(pos, front, them) == 0;
    return must_go && tutor_worth(first) >= tutor_worth(second) && first != CHESS_PAWN
               ? TUTOR_SKEWER
               : TUTOR_NOTHING;
}

int tutor_line_pairs(const ChessPosition *pos, ChessColor color, LinePair pairs[LINE_PAIRS_MAX]) {
    int count = 0;
    uint64_t sliders = pos->colors[color] & (pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_ROOK] |
                                             pos->kinds[CHESS_QUEEN]);
    while (sliders != 0) {
        const ChessSquare slider = next_square(&sliders);
        const ChessKind kind = chess_piece_kind(pos->board[slider]);
        for (int way = 0; way < 9; way++) {
            const int file_step = way % 3 - 1;
            const int rank_step = way / 3 - 1;
            if (way == 4 || !slides(kind, file_step, rank_step))
                continue;
            const ChessSquare front = first_man(pos, slider, file_step, rank_step);
            if (front == CHESS_NO_SQUARE || chess_piece_color(pos->board[front]) == color)
                continue;
            const ChessSquare behind = first_man(pos, front, file_step, rank_step);
            if (behind == CHESS_NO_SQUARE || chess_piece_color(pos->board[behind]) == color)
                continue;
            const TutorKind found = pair_kind(pos, slider, front, behind);
            if (found != TUTOR_NOTHING && count < LINE_PAIRS_MAX)
                pairs[count++] = (LinePair) { (uint8_t)found, slider, front, behind };
        }
    }
    return count;
}

bool tutor_is_passed(const ChessPosition *pos, ChessSquare pawn) {
    const ChessColor us = chess_piece_color(pos->board[pawn]);
    uint64_t theirs = pos->kinds[CHESS_PAWN] & pos->colors[chess_other(us)];
    while (theirs != 0) {
        const ChessSquare square = next_square(&theirs);
        const int apart = chess_file(square) - chess_file(pawn);
        const int ahead = us == CHESS_WHITE ? chess_rank(square) - chess_rank(pawn)
                                            : chess_rank(pawn) - chess_rank(square);
        if (apart >= -1 && apart <= 1 && ahead > 0)
            return false;
    }
    return true;
}

// A knight or bishop where it stands at the beginning.
bool tutor_on_home_square(const ChessPosition *pos, ChessSquare square) {
    const ChessPiece piece = pos->board[square];
    const ChessKind kind = chess_piece_kind(piece);
    const int home_rank = chess_piece_color(piece) == CHESS_WHITE ? 0 : 7;
    const int file = chess_file(square);
    if (chess_rank(square) != home_rank)
        return false;
    return (kind == CHESS_KNIGHT && (file == 1 || file == 6)) ||
           (kind == CHESS_BISHOP && (file == 2 || file == 5));
}

static void add_targets(TutorFact *fact, const ChessPosition *pos, uint64_t targets) {
    while (targets != 0 && fact->target_count < TUTOR_TARGETS_MAX)
        fact->targets[fact->target_count++] = man_at(pos, next_square(&targets));
}

// Whoever is to move with the man carries his threat out; else it must not be taken first.
static bool holds(const ChessPosition *pos, ChessSquare square) {
    return pos->side_to_move == chess_piece_color(pos->board[square]) || tutor_is_safe(pos, square);
}

static void add_pairs(const ChessPosition *pos, ChessColor color, TutorFacts *out) {
    LinePair pairs[LINE_PAIRS_MAX];
    const int count = tutor_line_pairs(pos, color, pairs);
    for (int i = 0; i < count; i++) {
        if (pairs[i].kind != TUTOR_PIN_ABSOLUTE && !holds(pos, pairs[i].slider))
            continue;
        TutorFact *fact = tutor_add(out, (TutorKind)pairs[i].kind);
        if (fact == NULL)
            return;
        fact->man = man_at(pos, pairs[i].slider);
        add_targets(fact, pos, square_bit(pairs[i].front));
        add_targets(fact, pos, square_bit(pairs[i].behind));
    }
}

static void add_forks(const ChessPosition *pos, ChessColor color, TutorFacts *out) {
    uint64_t men = pos->colors[color];
    while (men != 0) {
        const ChessSquare square = next_square(&men);
        const uint64_t targets = tutor_fork_targets(pos, square);
        const bool is_fork = (targets & (targets - 1)) != 0 && holds(pos, square);
        TutorFact *fact = is_fork ? tutor_add(out, TUTOR_FORK) : NULL;
        if (fact == NULL)
            continue;
        fact->man = man_at(pos, square);
        add_targets(fact, pos, targets);
    }
}

static void add_winnable(const ChessPosition *to_move, TutorFacts *out) {
    uint64_t men = to_move->colors[to_move->side_to_move ^ 1] & ~to_move->kinds[CHESS_KING];
    while (men != 0) {
        const ChessSquare square = next_square(&men);
        ChessMove best;
        const int32_t net = tutor_best_capture(to_move, square, &best);
        TutorFact *fact = best != CHESS_NO_MOVE && net > 0 ? tutor_add(out, TUTOR_THREATENS) : NULL;
        if (fact == NULL)
            continue;
        fact->man = man_at(to_move, chess_move_from(best));
        fact->number = net;
        fact->move = best;
        add_targets(fact, to_move, square_bit(square));
    }
}

void tutor_position_facts(const ChessPosition *pos, ChessColor color, TutorFacts *out) {
    ChessPosition to_move = *pos;
    jd_zero(out, sizeof *out);
    add_forks(pos, color, out);
    add_pairs(pos, color, out);
    if (pos->side_to_move == color || tutor_pass(pos, &to_move))
        add_winnable(&to_move, out);
}
