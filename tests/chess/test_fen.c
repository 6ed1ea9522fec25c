// SPDX-License-Identifier: GPL-3.0-or-later
//
// FEN: what is refused and where, what is accepted and how it is written back.
#include "support.h"

static void check_fault(const char *line, int number, void *context) {
    int *failures = context;
    unsigned code = 0;
    unsigned offset = 0;
    char field[24];
    int start = 0;
    if (sscanf(line, "%u | %u | %23[^|]| %n", &code, &offset, field, &start) != 3 || start == 0)
        fail_msg("line %d is no row", number);
    const size_t field_size = strlen(field) - 1;
    field[field_size] = '\0';
    const char *record = strchr(strchr(strchr(line, '|') + 1, '|') + 1, '|') + 2;
    ChessPosition pos;
    memset(&pos, 0x5a, sizeof pos);
    const ChessPosition untouched = pos;
    JdErr err = { 0 };
    const bool ok = chess_fen_parse(jd_str(record), &pos, &err);
    if (ok || err.code != code || err.offset != offset || strcmp(err.field, field) != 0 ||
        err.text[0] == '\0') {
        print_error("fen_faults.txt:%d \"%s\": %s, %u | %u | %s: %s\n", number, record,
                    ok ? "accepted" : "refused", err.code, err.offset, err.field, err.text);
        ++*failures;
    }
    if (!ok)
        assert_memory_equal(&pos, &untouched, sizeof pos);
    assert_false(chess_fen_parse(jd_str(record), &pos, NULL) && !ok);
}

static void test_faults(void **state) {
    (void)state;
    int failures = 0;
    each_line("chess/fen_faults.txt", check_fault, &failures);
    assert_int_equal(failures, 0);
}

static void check_accepted(const char *line, int number, void *context) {
    (void)context;
    ChessPosition pos;
    JdErr err = { 0 };
    if (!chess_fen_parse(jd_str(line), &pos, &err))
        fail_msg("fen_accepted.txt:%d \"%s\": %s, byte %u: %s", number, line, err.field, err.offset,
                 err.text);
    assert_true(pos.zobrist_key == chess_zobrist_key(&pos));
    char text[CHESS_FEN_SIZE];
    chess_fen_write(&pos, CHESS_FEN_EP_ALWAYS, text);
    if (strcmp(text, line) != 0) {
        chess_fen_write(&pos, CHESS_FEN_SHREDDER, text);
        if (strcmp(text, line) != 0)
            fail_msg("fen_accepted.txt:%d \"%s\" is written back as \"%s\"", number, line, text);
    }
}

static void test_accepted(void **state) {
    (void)state;
    each_line("chess/fen_accepted.txt", check_accepted, NULL);
}

// A view need not end in NUL, and bytes of any value are looked at without harm.
static void test_views(void **state) {
    (void)state;
    const char *text = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1garbage";
    ChessPosition pos;
    JdErr err;
    assert_true(chess_fen_parse(jd_str_n(text, 56), &pos, &err));
    const ChessPosition start = chess_position_start();
    assert_memory_equal(&pos, &start, sizeof pos);
    for (size_t size = 0; size < 56; size++)
        assert_false(chess_fen_parse(jd_str_n(text, size), &pos, &err));
    char copy[56];
    for (size_t at = 0; at < sizeof copy; at++)
        for (int byte = 0; byte < 256; byte++) {
            memcpy(copy, text, sizeof copy);
            copy[at] = (char)byte;
            if (chess_fen_parse(jd_str_n(copy, sizeof copy), &pos, &err))
                assert_true(pos.zobrist_key == chess_zobrist_key(&pos));
        }
    assert_false(chess_fen_parse(jd_str_n(NULL, 0), &pos, &err));
}

static void test_start_positions(void **state) {
    (void)state;
    static const struct {
        int number;
        const char *fen;
    } rows[] = {
        { 0, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1" },
        { 1, "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1" },
        { 518, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1" },
        { 959, "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1" },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        const ChessPosition pos = chess960_start(rows[i].number);
        char text[CHESS_FEN_SIZE];
        chess_fen_write(&pos, CHESS_FEN_SHREDDER, text);
        assert_string_equal(text, rows[i].fen);
    }
    const ChessPosition start = chess_position_start();
    char text[CHESS_FEN_SIZE];
    chess_fen_write(&start, CHESS_FEN_EP_LEGAL, text);
    assert_string_equal(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_int_equal(start.is_chess960, 0);

    // All 960 are different and have the king between the rooks and bishops on both colours.
    static ChessPosition all[960];
    for (int number = 0; number < 960; number++) {
        all[number] = chess960_start(number);
        const ChessPosition *pos = &all[number];
        const int king = chess_file(chess_king_square(pos, CHESS_WHITE));
        assert_true(pos->rook_files[0] < king && king < pos->rook_files[1]);
        const uint64_t bishops = pos->kinds[CHESS_BISHOP] & pos->colors[CHESS_WHITE];
        assert_int_equal(__builtin_popcountll(bishops & 0xaa), 1);
        assert_int_equal(__builtin_popcountll(bishops & 0x55), 1);
        for (int other = 0; other < number; other++)
            assert_false(chess_position_same(&all[other], pos));
    }
}

static void test_longest_fen_fits(void **state) {
    (void)state;
    const ChessPosition pos = position_from("r1b1k1n1/1p1p1p1p/p1p1p1p1/n1b1q1r1/P1P1P1P1/1P1P1P1P/"
                                            "N1B1Q1R1/R1B1K1N1 w Qq - 65535 99999");
    char text[CHESS_FEN_SIZE];
    assert_true(chess_fen_write(&pos, CHESS_FEN_EP_ALWAYS, text) < CHESS_FEN_SIZE);
}

static void test_faults_lists_all(void **state) {
    (void)state;
    ChessSetup setup = chess_setup_empty();
    setup.board[0] = chess_piece(CHESS_WHITE, CHESS_PAWN);
    setup.board[63] = chess_piece(CHESS_BLACK, CHESS_PAWN);
    setup.board[12] = chess_piece(CHESS_BLACK, CHESS_KING);
    setup.castling_rights = CHESS_WHITE_KINGSIDE | CHESS_BLACK_QUEENSIDE;
    setup.ep_target = chess_square(4, 2);
    ChessFaultList list;
    static const struct {
        ChessFenFault code;
        ChessSquare square;
        uint8_t right;
    } expected[] = {
        { CHESS_FEN_KING_COUNT, CHESS_NO_SQUARE, 0 },
        { CHESS_FEN_PAWN_RANK, 0, 0 },
        { CHESS_FEN_PAWN_RANK, 63, 0 },
        { CHESS_FEN_IMPOSSIBLE_CASTLING, CHESS_NO_SQUARE, CHESS_WHITE_KINGSIDE },
        { CHESS_FEN_IMPOSSIBLE_CASTLING, CHESS_NO_SQUARE, CHESS_BLACK_QUEENSIDE },
        { CHESS_FEN_IMPOSSIBLE_EP, 20, 0 },
    };
    assert_int_equal(chess_position_faults(&setup, &list), JD_COUNT(expected));
    assert_int_equal(list.count, JD_COUNT(expected));
    for (size_t i = 0; i < JD_COUNT(expected); i++) {
        assert_int_equal(list.faults[i].code, expected[i].code);
        assert_int_equal(list.faults[i].square, expected[i].square);
        assert_int_equal(list.faults[i].castling_right, expected[i].right);
        assert_true(list.faults[i].text[0] != '\0');
    }
    ChessPosition pos;
    assert_false(chess_position_build(&setup, &pos, NULL));

    // Values no field can have are told alone.
    setup.board[5] = 7;
    setup.board[6] = 200;
    setup.side_to_move = 2;
    setup.castling_rights = 16;
    setup.ep_target = 65;
    setup.fullmove_number = 0;
    assert_int_equal(chess_position_faults(&setup, &list), 6);
    // A board full of nonsense does not overflow the list.
    memset(setup.board, 255, sizeof setup.board);
    assert_int_equal(chess_position_faults(&setup, &list), CHESS_FAULTS_MAX);
    memset(setup.board, chess_piece(CHESS_WHITE, CHESS_PAWN), sizeof setup.board);
    setup = (ChessSetup) { .ep_target = CHESS_NO_SQUARE, .fullmove_number = 1 };
    memset(setup.board, chess_piece(CHESS_WHITE, CHESS_KING), sizeof setup.board);
    assert_true(chess_position_faults(&setup, &list) > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_start_positions),
        cmocka_unit_test(test_longest_fen_fits),
        cmocka_unit_test(test_faults_lists_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
