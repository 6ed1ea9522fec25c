// SPDX-License-Identifier: GPL-3.0-or-later
//
// Forks, pins, skewers, discovered attacks.
#include "learn/learn.h"

const char *const learn_motif_names[LEARN_MOTIF_COUNT] = { "", "fork", "pin", "skewer",
                                                           "discovered" };

static int rank_of(ChessKind kind) {
    return kind == CHESS_KING ? 10000 : learn_value(kind);
}

static bool slides(ChessKind kind, int file_step, int rank_step) {
    const bool diagonal = file_step != 0 && rank_step != 0;
    return kind == CHESS_QUEEN || kind == (diagonal ? CHESS_BISHOP : CHESS_ROOK);
}

// The next square with a man on it, from a square in a direction.
static ChessSquare next_man(const ChessPosition *pos, ChessSquare from, int file_step,
                            int rank_step) {
    int file = chess_file(from) + file_step;
    int rank = chess_rank(from) + rank_step;
    for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += file_step, rank += rank_step)
        if (chess_piece_at(pos, chess_square(file, rank)) != CHESS_NO_PIECE)
            return chess_square(file, rank);
    return CHESS_NO_SQUARE;
}

static bool is_man_of(const ChessPosition *pos, ChessSquare square, ChessColor color) {
    return square != CHESS_NO_SQUARE && (pos->colors[color] >> square & 1) != 0;
}

int learn_lines(const ChessPosition *pos, ChessColor by, LearnLine out[32]) {
    int count = 0;
    for (int square = 0; square < 64; square++) {
        if (!is_man_of(pos, (ChessSquare)square, by))
            continue;
        const ChessKind kind = chess_piece_kind(pos->board[square]);
        for (int direction = 0; direction < 9; direction++) {
            const int file_step = direction % 3 - 1;
            const int rank_step = direction / 3 - 1;
            if (direction == 4 || !slides(kind, file_step, rank_step))
                continue;
            const ChessSquare front = next_man(pos, (ChessSquare)square, file_step, rank_step);
            if (!is_man_of(pos, front, chess_other(by)))
                continue;
            const ChessSquare behind = next_man(pos, front, file_step, rank_step);
            if (is_man_of(pos, behind, chess_other(by)) && count < 32)
                out[count++] = (LearnLine) { (ChessSquare)square, front, behind };
        }
    }
    return count;
}

static ChessKind kind_on(const ChessPosition *pos, ChessSquare square) {
    return chess_piece_kind(chess_piece_at(pos, square));
}

bool learn_is_pin(const ChessPosition *pos, const LearnLine *line) {
    const ChessKind front = kind_on(pos, line->front);
    const ChessKind behind = kind_on(pos, line->behind);
    // To a man that is not greater than the pinning one it binds only when nobody guards it.
    const bool matters = behind == CHESS_KING ||
                         learn_value(behind) > learn_value(kind_on(pos, line->slider)) ||
                         chess_attackers(pos, line->behind,
                                         chess_piece_color(chess_piece_at(pos, line->behind))) == 0;
    return front != CHESS_KING && rank_of(front) < rank_of(behind) && matters;
}

bool learn_is_skewer(const ChessPosition *pos, const LearnLine *line) {
    const ChessKind front = kind_on(pos, line->front);
    const ChessKind behind = kind_on(pos, line->behind);
    return behind != CHESS_KING && behind != CHESS_PAWN && rank_of(front) >= rank_of(behind) &&
           (front == CHESS_KING || learn_value(front) > learn_value(kind_on(pos, line->slider)));
}

static uint64_t attacked_by(const ChessPosition *pos, ChessSquare from) {
    const ChessColor color = chess_piece_color(chess_piece_at(pos, from));
    uint64_t squares = 0;
    for (int square = 0; square < 64; square++)
        if (chess_attackers(pos, (ChessSquare)square, color) >> from & 1)
            squares |= (uint64_t)1 << square;
    return squares;
}

uint64_t learn_fork_targets(const ChessPosition *pos, ChessSquare square) {
    const ChessPiece piece = chess_piece_at(pos, square);
    const ChessColor them = chess_other(chess_piece_color(piece));
    const int value = learn_value(chess_piece_kind(piece));
    const uint64_t attacked = attacked_by(pos, square) & pos->colors[them];
    uint64_t targets = 0;
    for (int at = 0; at < 64; at++) {
        if ((attacked >> at & 1) == 0)
            continue;
        const ChessKind kind = chess_piece_kind(pos->board[at]);
        const bool is_free = kind != CHESS_PAWN && kind != CHESS_KING &&
                             chess_attackers(pos, (ChessSquare)at, them) == 0;
        const bool is_greater = chess_piece_kind(piece) != CHESS_KING && kind != CHESS_PAWN &&
                                learn_value(kind) > value;
        if (kind == CHESS_KING || is_greater || is_free)
            targets |= (uint64_t)1 << at;
    }
    return targets;
}

typedef struct Three {
    ChessPosition before;
    ChessPosition after; // the first move
    ChessPosition last;  // before the second move of the same side
    ChessSquare arrived;
    ChessSquare taken_at; // where the third ply takes, or CHESS_NO_SQUARE
    ChessSquare taken_by; // from where
    ChessMove line[3];
} Three;

static Three three_of(const ChessPosition *pos, const ChessMove line[3]) {
    Three t = { .before = *pos, .after = *pos, .line = { line[0], line[1], line[2] } };
    chess_move_make(&t.after, line[0], NULL);
    t.last = t.after;
    chess_move_make(&t.last, line[1], NULL);
    t.arrived = chess_move_arrival(line[0]);
    t.taken_by = chess_move_from(line[2]);
    t.taken_at = chess_move_captured(&t.last, line[2]) == CHESS_NO_PIECE ? CHESS_NO_SQUARE
                                                                         : chess_move_to(line[2]);
    return t;
}

static bool takes_at_least(const Three *t, int value) {
    return t->taken_at != CHESS_NO_SQUARE && learn_value(kind_on(&t->last, t->taken_at)) >= value;
}

static bool shows_fork(const Three *t) {
    const uint64_t targets = learn_fork_targets(&t->after, t->arrived);
    return __builtin_popcountll(targets) >= 2 && takes_at_least(t, 300) &&
           t->taken_by == t->arrived && (targets >> t->taken_at & 1) != 0;
}

static bool shows_skewer(const Three *t) {
    LearnLine lines[32];
    const int count = learn_lines(&t->after, (ChessColor)t->before.side_to_move, lines);
    for (int i = 0; i < count; i++)
        if (lines[i].slider == t->arrived && learn_is_skewer(&t->after, &lines[i]) &&
            takes_at_least(t, 300) && t->taken_at == lines[i].behind && t->taken_by == t->arrived)
            return true;
    return false;
}

// A pinned man is taken: pinned by the first move, or attacked once more by it.
static bool shows_pin(const Three *t) {
    if (!takes_at_least(t, 300))
        return false;
    const ChessColor us = (ChessColor)t->before.side_to_move;
    LearnLine lines[32];
    const int count = learn_lines(&t->after, us, lines);
    for (int i = 0; i < count; i++) {
        if (lines[i].front != t->taken_at || !learn_is_pin(&t->after, &lines[i]))
            continue;
        const bool is_new = lines[i].slider == t->arrived;
        const bool attacks = (chess_attackers(&t->after, t->taken_at, us) >> t->arrived & 1) != 0;
        // The pinned man has not moved away and come back: it is the very one.
        if ((is_new || attacks) && chess_move_from(t->line[1]) != t->taken_at &&
            chess_move_to(t->line[1]) != t->taken_at)
            return true;
    }
    return false;
}

// The man that moved stood between a slider of its side and what the slider takes, or the slider
// gives check and the man that moved takes.
static bool shows_discovered(const Three *t) {
    const ChessColor us = (ChessColor)t->before.side_to_move;
    const ChessSquare from = chess_move_from(t->line[0]);
    if (!takes_at_least(t, 300))
        return false;
    for (int square = 0; square < 64; square++) {
        if (!is_man_of(&t->after, (ChessSquare)square, us) || square == t->arrived)
            continue;
        const ChessKind kind = kind_on(&t->after, (ChessSquare)square);
        if (kind < CHESS_BISHOP || kind > CHESS_QUEEN)
            continue;
        for (int direction = 0; direction < 9; direction++) {
            const int file_step = direction % 3 - 1;
            const int rank_step = direction / 3 - 1;
            if (direction == 4 || !slides(kind, file_step, rank_step) ||
                next_man(&t->before, (ChessSquare)square, file_step, rank_step) != from)
                continue;
            const ChessSquare target =
                next_man(&t->after, (ChessSquare)square, file_step, rank_step);
            if (!is_man_of(&t->after, target, chess_other(us)))
                continue;
            const bool checks = kind_on(&t->after, target) == CHESS_KING;
            if ((target == t->taken_at && t->taken_by == square) ||
                (checks && t->taken_by == t->arrived))
                return true;
        }
    }
    return false;
}

bool learn_shows(const ChessPosition *pos, const ChessMove line[3], LearnMotif motif) {
    const Three t = three_of(pos, line);
    switch (motif) {
    case LEARN_FORK:
        return shows_fork(&t);
    case LEARN_PIN:
        return shows_pin(&t);
    case LEARN_SKEWER:
        return shows_skewer(&t);
    case LEARN_DISCOVERED:
        return shows_discovered(&t);
    case LEARN_NO_MOTIF:
    case LEARN_MOTIF_COUNT:
        break;
    }
    return false;
}

LearnMotif learn_motif(const ChessPosition *pos, const ChessMove line[3]) {
    static const LearnMotif order[] = { LEARN_DISCOVERED, LEARN_SKEWER, LEARN_PIN, LEARN_FORK };
    for (size_t i = 0; i < JD_COUNT(order); i++)
        if (learn_shows(pos, line, order[i]))
            return order[i];
    return LEARN_NO_MOTIF;
}
