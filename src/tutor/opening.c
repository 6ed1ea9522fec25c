// SPDX-License-Identifier: GPL-3.0-or-later
//
// The opening checklist (L-043), the centre (L-048) and the phases of a game (L-054).
#include "tutor/inner.h"

static int count_of(uint64_t set) {
    int count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

static uint64_t home_minors(const ChessPosition *pos, ChessColor color) {
    uint64_t rest = pos->colors[color] & (pos->kinds[CHESS_KNIGHT] | pos->kinds[CHESS_BISHOP]);
    uint64_t home = 0;
    while (rest != 0) {
        const ChessSquare square = next_square(&rest);
        if (tutor_on_home_square(pos, square))
            home |= square_bit(square);
    }
    return home;
}

TutorPhase tutor_phase(const ChessPosition *pos) {
    const int men = count_of(pos->kinds[CHESS_KNIGHT] | pos->kinds[CHESS_BISHOP] |
                             pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN]);
    const int home =
        count_of(home_minors(pos, CHESS_WHITE)) + count_of(home_minors(pos, CHESS_BLACK));
    return men <= 6 ? TUTOR_ENDGAME : men >= 11 && home >= 3 ? TUTOR_OPENING : TUTOR_MIDDLEGAME;
}

const char *tutor_phase_name(TutorPhase phase) {
    switch (phase) {
    case TUTOR_OPENING:
        return "opening";
    case TUTOR_MIDDLEGAME:
        return "middlegame";
    case TUTOR_ENDGAME:
        return "endgame";
    }
    return "";
}

void tutor_center(const ChessPosition *pos, TutorCenter *out) {
    static const ChessSquare squares[4] = { 27, 28, 35, 36 };
    for (int i = 0; i < 4; i++) {
        out->white[i] = (uint8_t)count_of(chess_attackers(pos, squares[i], CHESS_WHITE));
        out->black[i] = (uint8_t)count_of(chess_attackers(pos, squares[i], CHESS_BLACK));
    }
}

typedef struct Watch {
    ChessColor color;
    bool castled;
    uint64_t moved; // squares where men of the side stand that have moved before
    TutorOpening *out;
} Watch;

// Index of a rule, its bit being 1 << index.
enum { CENTER, DEVELOP, TWICE, CASTLE, BISHOPS, PAWNS, QUEEN };

static void broken_at(TutorOpening *out, int rule, uint16_t move_no, ChessSquare square) {
    if ((out->broken & (1u << rule)) != 0)
        return;
    out->broken |= 1u << rule;
    out->move_no[rule] = move_no;
    out->squares[rule] = square;
}

// Whether the opponent attacks the man with something cheaper, or nobody guards it.
static bool is_attacked(const ChessPosition *pos, ChessSquare square) {
    const ChessColor us = chess_piece_color(pos->board[square]);
    uint64_t attackers = chess_attackers(pos, square, chess_other(us));
    if (attackers != 0 && chess_attackers(pos, square, us) == 0)
        return true;
    while (attackers != 0)
        if (worth_at(pos, next_square(&attackers)) < worth_at(pos, square))
            return true;
    return false;
}

static void watch_move(Watch *watch, const ChessPosition *pos, ChessMove move) {
    const ChessSquare from = chess_move_from(move);
    const ChessKind kind = chess_piece_kind(pos->board[from]);
    const uint16_t move_no = (uint16_t)pos->fullmove_number;
    const int waiting = count_of(home_minors(pos, watch->color));
    const bool takes = chess_move_captured(pos, move) != CHESS_NO_PIECE;
    if (chess_move_is_castling(move))
        watch->castled = true;
    if ((kind == CHESS_KNIGHT || kind == CHESS_BISHOP || kind == CHESS_QUEEN) && !takes &&
        waiting > 0 && (watch->moved & square_bit(from)) != 0 && !is_attacked(pos, from))
        broken_at(watch->out, TWICE, move_no, chess_move_to(move));
    if (kind == CHESS_QUEEN && waiting > 2 && !takes)
        broken_at(watch->out, QUEEN, move_no, chess_move_to(move));
    watch->moved &= ~square_bit(from);
    watch->moved |= square_bit(chess_move_arrival(move));
}

// A bishop without a move whose ways are all barred by its own pawns.
static ChessSquare walled_bishop(const ChessPosition *pos, ChessColor color) {
    static const int steps[4][2] = { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } };
    uint64_t bishops = pos->colors[color] & pos->kinds[CHESS_BISHOP];
    while (bishops != 0) {
        const ChessSquare square = next_square(&bishops);
        bool open = false;
        for (int i = 0; i < 4; i++) {
            const int file = chess_file(square) + steps[i][0];
            const int rank = chess_rank(square) + steps[i][1];
            if (file < 0 || file > 7 || rank < 0 || rank > 7)
                continue;
            open = open || pos->board[chess_square(file, rank)] != chess_piece(color, CHESS_PAWN);
        }
        if (!open)
            return square;
    }
    return CHESS_NO_SQUARE;
}

static void judge_end(const Watch *watch, const ChessPosition *pos) {
    TutorOpening *out = watch->out;
    const uint64_t pawns = pos->colors[watch->color] & pos->kinds[CHESS_PAWN];
    const uint64_t home_rank = UINT64_C(0xff) << (watch->color == CHESS_WHITE ? 8 : 48);
    const uint64_t center_pawns = UINT64_C(0x18) << (watch->color == CHESS_WHITE ? 8 : 48);
    const uint64_t home = home_minors(pos, watch->color);
    const ChessSquare walled = walled_bishop(pos, watch->color);
    out->waiting = (uint8_t)count_of(home);
    if ((pawns & center_pawns) == center_pawns)
        broken_at(out, CENTER, 0, CHESS_NO_SQUARE);
    if (home != 0)
        broken_at(out, DEVELOP, 0, (ChessSquare)__builtin_ctzll(home));
    if (!watch->castled)
        broken_at(out, CASTLE, 0, chess_king_square(pos, watch->color));
    if (walled != CHESS_NO_SQUARE)
        broken_at(out, BISHOPS, 0, walled);
    if (8 - count_of(pawns & home_rank) >= 6)
        broken_at(out, PAWNS, 0, CHESS_NO_SQUARE);
}

void tutor_opening(const ChessMove *moves, int count, ChessColor color, TutorOpening *out) {
    ChessPosition pos = chess_position_start();
    Watch watch = { .color = color, .out = out };
    *out = (TutorOpening) { 0 };
    for (int i = 0; i < TUTOR_RULES; i++)
        out->squares[i] = CHESS_NO_SQUARE;
    for (int i = 0; i < count; i++) {
        if (pos.side_to_move == color)
            watch_move(&watch, &pos, moves[i]);
        else
            watch.moved &= ~square_bit(chess_move_to(moves[i])); // taken there
        chess_move_make(&pos, moves[i], NULL);
    }
    judge_end(&watch, &pos);
}
