// SPDX-License-Identifier: GPL-3.0-or-later
//
// Double checks: the answer of chess_position_faults against a search that tries every last move
// forwards.
#include "support.h"

#include "chess/move.h"

// The setup as a position without asking whether it is legal.
static ChessPosition raw_position(const ChessSetup *setup) {
    ChessPosition pos;
    memset(&pos, 0, sizeof pos);
    for (int square = 0; square < 64; square++) {
        const ChessPiece piece = setup->board[square];
        if (piece == CHESS_NO_PIECE)
            continue;
        pos.board[square] = piece;
        pos.kinds[0] |= bit(square);
        pos.kinds[chess_piece_kind(piece)] |= bit(square);
        pos.colors[chess_piece_color(piece)] |= bit(square);
    }
    pos.side_to_move = setup->side_to_move;
    pos.castling_rights = setup->castling_rights;
    pos.ep_target = setup->ep_target;
    pos.rook_files[1] = 7;
    return pos;
}

// Legal but for how the checks of the side to move have come about.
static bool is_legal_but_for_checkers(const ChessSetup *setup) {
    ChessFaultList list;
    chess_position_faults(setup, &list);
    for (int i = 0; i < list.count; i++)
        if (list.faults[i].code != CHESS_FEN_TOO_MANY_CHECKERS &&
            list.faults[i].code != CHESS_FEN_IMPOSSIBLE_CHECKERS)
            return false;
    return true;
}

static bool leads_to(const ChessSetup *before, ChessMove move, const ChessSetup *after) {
    if (!is_legal_but_for_checkers(before))
        return false;
    ChessPosition pos = raw_position(before);
    if (!chess_move_is_legal(&pos, move))
        return false;
    chess_move_make(&pos, move, NULL);
    return memcmp(pos.board, after->board, sizeof pos.board) == 0 &&
           (pos.castling_rights & after->castling_rights) == after->castling_rights;
}

// Some step of a piece from from to to, with every capture and promotion, leads to the setup.
static bool step_exists(const ChessSetup *after, int from, int to) {
    const ChessColor us = (ChessColor)after->side_to_move;
    const ChessColor them = chess_other(us);
    const ChessKind now = chess_piece_kind(after->board[to]);
    for (int captured = CHESS_NO_KIND; captured < CHESS_KING; captured++)
        for (int type = MOVE_PLAIN; type <= promotion_type(CHESS_QUEEN); type++) {
            if (type == MOVE_CASTLING || type == MOVE_EN_PASSANT)
                continue;
            ChessSetup before = *after;
            before.side_to_move = (uint8_t)them;
            before.board[from] =
                type >= MOVE_PROMOTION ? chess_piece(them, CHESS_PAWN) : after->board[to];
            before.board[to] =
                captured == CHESS_NO_KIND ? CHESS_NO_PIECE : chess_piece(us, (ChessKind)captured);
            if (type >= MOVE_PROMOTION && type_promotion(type) != now)
                continue;
            if (leads_to(&before, move_of(from, to, type), after))
                return true;
        }
    return false;
}

static bool en_passant_exists(const ChessSetup *after, int from, int to) {
    const ChessColor us = (ChessColor)after->side_to_move;
    const ChessColor them = chess_other(us);
    if (after->board[to] != chess_piece(them, CHESS_PAWN) || after->board[to ^ 8] != CHESS_NO_PIECE)
        return false;
    ChessSetup before = *after;
    before.side_to_move = (uint8_t)them;
    before.board[from] = after->board[to];
    before.board[to] = CHESS_NO_PIECE;
    before.board[to ^ 8] = chess_piece(us, CHESS_PAWN);
    before.ep_target = (uint8_t)to;
    return leads_to(&before, move_of(from, to, MOVE_EN_PASSANT), after);
}

static bool castling_exists(const ChessSetup *after) {
    const ChessColor them = chess_other((ChessColor)after->side_to_move);
    const int home = home_of(them);
    for (int kingside = 0; kingside < 2; kingside++) {
        const int king_to = castling_king_to(home, kingside != 0);
        const int rook_to = castling_rook_to(home, kingside != 0);
        const int rook_from = home + (kingside != 0 ? 7 : 0);
        if (after->board[king_to] != chess_piece(them, CHESS_KING) ||
            after->board[rook_to] != chess_piece(them, CHESS_ROOK))
            continue;
        ChessSetup before = *after;
        before.side_to_move = (uint8_t)them;
        before.board[king_to] = CHESS_NO_PIECE;
        before.board[rook_to] = CHESS_NO_PIECE;
        before.board[home + 4] = after->board[king_to];
        before.board[rook_from] = after->board[rook_to];
        before.castling_rights |= (uint8_t)castling_right(them, kingside != 0);
        if (leads_to(&before, move_of(home + 4, rook_from, MOVE_CASTLING), after))
            return true;
    }
    return false;
}

// A move of the opponent's leads to the setup.
static bool last_move_exists(const ChessSetup *after) {
    const ChessColor them = chess_other((ChessColor)after->side_to_move);
    for (int to = 0; to < 64; to++) {
        if (after->board[to] == CHESS_NO_PIECE || chess_piece_color(after->board[to]) != them)
            continue;
        for (int from = 0; from < 64; from++)
            if (after->board[from] == CHESS_NO_PIECE &&
                (step_exists(after, from, to) || en_passant_exists(after, from, to)))
                return true;
    }
    return castling_exists(after);
}

static void put_random(ChessSetup *setup, uint64_t *seed, ChessPiece piece) {
    const uint32_t square = jd_random_below(seed, 64);
    if (setup->board[square] == CHESS_NO_PIECE)
        setup->board[square] = piece;
}

// A board with few pieces near each other, many of them the opponent's, so that double checks are
// common.
static ChessSetup random_setup(uint64_t *seed) {
    ChessSetup setup = chess_setup_empty();
    setup.side_to_move = (uint8_t)jd_random_below(seed, 2);
    const ChessColor us = (ChessColor)setup.side_to_move;
    setup.board[jd_random_below(seed, 64)] = chess_piece(us, CHESS_KING);
    put_random(&setup, seed, chess_piece(chess_other(us), CHESS_KING));
    for (int i = 0; i < 7; i++) {
        const ChessKind kind = (ChessKind)(1 + jd_random_below(seed, 5));
        put_random(&setup, seed,
                   chess_piece(jd_random_below(seed, 4) == 0 ? us : chess_other(us), kind));
    }
    return setup;
}

static void test_double_checks(void **state) {
    (void)state;
    uint64_t seed = announce_seed();
    int possible = 0;
    int impossible = 0;
    while (possible + impossible < 1000) {
        const ChessSetup setup = random_setup(&seed);
        if (!is_legal_but_for_checkers(&setup))
            continue;
        const ChessPosition pos = raw_position(&setup);
        if (__builtin_popcountll(chess_checkers(&pos)) != 2)
            continue;
        ChessFaultList list;
        const bool accepted = chess_position_faults(&setup, &list) == 0;
        if (accepted != last_move_exists(&setup))
            fail_msg("%s: %s, but %s", fen_of(&pos), accepted ? "accepted" : "refused",
                     accepted ? "no last move leads here" : "a last move leads here");
        possible += accepted ? 1 : 0;
        impossible += accepted ? 0 : 1;
    }
    print_message("%d possible, %d impossible\n", possible, impossible);
    assert_true(possible > 50 && impossible > 50);
}

// Three are always refused, and rightly.
static void test_more_than_two(void **state) {
    (void)state;
    uint64_t seed = announce_seed();
    for (int tried = 0; tried < 100;) {
        const ChessSetup setup = random_setup(&seed);
        if (!is_legal_but_for_checkers(&setup))
            continue;
        const ChessPosition pos = raw_position(&setup);
        if (__builtin_popcountll(chess_checkers(&pos)) < 3)
            continue;
        ChessFaultList list;
        assert_int_equal(chess_position_faults(&setup, &list), 1);
        assert_int_equal(list.faults[0].code, CHESS_FEN_TOO_MANY_CHECKERS);
        if (last_move_exists(&setup))
            fail_msg("%s: refused, but a last move leads here", fen_of(&pos));
        tried++;
    }
}

// What cannot come up at random often enough.
static void test_named_cases(void **state) {
    (void)state;
    static const struct {
        const char *why;
        const char *fen;
        bool possible;
    } rows[] = {
        { "knight uncovers rook", "4k3/8/3N4/8/8/8/8/4RK2 b - - 0 1", true },
        { "bishop uncovers rook", "4k3/8/8/1B6/8/8/8/4RK2 b - - 0 1", true },
        { "rook uncovers bishop", "4k3/8/4R3/1B6/8/8/8/5K2 b - - 0 1", true },
        { "rook too far to have come", "4k3/8/8/1B6/8/8/4R3/5K2 b - - 0 1", false },
        { "pawn leaves the file of the rook", "8/8/8/4k3/3P4/8/8/4R1K1 b - - 0 1", true },
        { "pawn captured, but nothing is missing",
          "rnbq1bnr/pppppppp/8/4k3/3P4/8/PP3PPP/4R1K1 b - - 0 1", false },
        { "promotion by a capture", "3Qk3/8/8/8/8/8/8/4R1K1 b - - 0 1", true },
        { "no pawn can be missing", "3Qk3/8/8/8/8/P7/PPPP1PPP/3NRNK1 b - - 0 1", false },
        { "en passant opens file and diagonal", "4R3/1B6/3P4/8/4k3/8/8/7K b - - 0 1", true },
        { "and from below", "8/8/3Pk3/8/8/1B6/8/4R2K b - - 0 1", true },
        { "en passant, but our pawn had no room to come from",
          "4R3/1B1n4/3P4/8/4k3/8/8/7K b - - 0 1", false },
        { "en passant, but all our pawns are there", "4R3/1B3ppp/pp1P4/ppp5/4k3/8/8/7K b - - 0 1",
          false },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        ChessPosition pos;
        JdErr err = { 0 };
        const bool accepted = chess_fen_parse(jd_str(rows[i].fen), &pos, &err);
        if (accepted != rows[i].possible ||
            (!accepted && err.code != CHESS_FEN_IMPOSSIBLE_CHECKERS))
            fail_msg("%s: %s: %s %s", rows[i].why, rows[i].fen, accepted ? "accepted" : "refused",
                     err.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double_checks),
        cmocka_unit_test(test_more_than_two),
        cmocka_unit_test(test_named_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
