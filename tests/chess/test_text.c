// SPDX-License-Identifier: GPL-3.0-or-later
//
// SAN and UCI: the exact texts of the PGN standard, and what is refused and why. The JSON
// description. Static exchange evaluation, whose table names its moves in UCI.
#include "support.h"

// Rows of san.txt and uci.txt: fault | text or "uci = san" | FEN.
static int failures;

static void check_san_row(const char *line, int number, void *context) {
    (void)context;
    int fault = 0;
    char text[64];
    int start = 0;
    assert_int_equal(sscanf(line, "%d | %63[^|]| %n", &fault, text, &start), 2);
    text[strlen(text) - 1] = '\0';
    const ChessPosition pos = position_from(line + start);
    ChessMove move = CHESS_NO_MOVE;
    JdErr err = { 0 };
    char *equals = strchr(text, ':');
    if (fault == 0) {
        assert_non_null(equals);
        *equals = '\0';
        if (!chess_uci_parse(jd_str(text), &pos, &move, &err))
            fail_msg("san.txt:%d %s: %s", number, text, err.text);
        char written[CHESS_SAN_SIZE];
        chess_san_write(&pos, move, written);
        ChessMove read = CHESS_NO_MOVE;
        if (strcmp(written, equals + 1) != 0 ||
            !chess_san_parse(jd_str(equals + 1), &pos, &read, &err) || read != move) {
            print_error("san.txt:%d %s is written %s, expected %s; %s\n", number, text, written,
                        equals + 1, err.text);
            failures++;
        }
        return;
    }
    if (chess_san_parse(jd_str(text), &pos, &move, &err) || err.code != (uint32_t)fault ||
        move != CHESS_NO_MOVE || err.text[0] == '\0') {
        print_error("san.txt:%d %s: code %u %s, expected %d\n", number, text, err.code, err.text,
                    fault);
        failures++;
    }
}

static void test_san(void **state) {
    (void)state;
    failures = 0;
    each_line("chess/san.txt", check_san_row, NULL);
    assert_int_equal(failures, 0);
}

static void check_uci_row(const char *line, int number, void *context) {
    (void)context;
    int fault = 0;
    unsigned offset = 0;
    char text[64];
    int start = 0;
    assert_int_equal(sscanf(line, "%d | %u | %63[^|]| %n", &fault, &offset, text, &start), 3);
    text[strlen(text) - 1] = '\0';
    const ChessPosition pos = position_from(line + start);
    ChessMove move = CHESS_NO_MOVE;
    JdErr err = { 0 };
    const bool ok = chess_uci_parse(jd_str(text), &pos, &move, &err);
    char written[CHESS_UCI_SIZE] = "";
    if (ok)
        chess_uci_write(&pos, move, written);
    if (ok != (fault == 0) || (!ok && (err.code != (uint32_t)fault || err.offset != offset))) {
        print_error("uci.txt:%d %s: %s code %u offset %u %s\n", number, text, written, err.code,
                    err.offset, err.text);
        failures++;
    }
}

static void test_uci(void **state) {
    (void)state;
    failures = 0;
    each_line("chess/uci.txt", check_uci_row, NULL);
    assert_int_equal(failures, 0);
}

static void check_see_row(const char *line, int number, void *context) {
    (void)context;
    int expected = 0;
    char text[8];
    int start = 0;
    assert_int_equal(sscanf(line, "%d | %7s | %n", &expected, text, &start), 2);
    const ChessPosition pos = position_from(line + start);
    ChessMove move = CHESS_NO_MOVE;
    JdErr err = { 0 };
    if (!chess_uci_parse(jd_str(text), &pos, &move, &err))
        fail_msg("see.txt:%d %s: %s", number, text, err.text);
    const int found = chess_see(&pos, move);
    const ChessPosition flipped = chess_position_flipped(&pos);
    const ChessMove flipped_move = (ChessMove)(move ^ (56 | 56 << 6));
    if (found != expected || chess_see(&flipped, flipped_move) != expected) {
        print_error("see.txt:%d %s: %d, expected %d\n", number, text, found, expected);
        failures++;
    }
}

static void test_see(void **state) {
    (void)state;
    failures = 0;
    each_line("chess/see.txt", check_see_row, NULL);
    assert_int_equal(failures, 0);
}

static void test_describe(void **state) {
    (void)state;
    static char text[CHESS_DESCRIBE_SIZE];
    const ChessPosition pos = position_from("7k/8/5KQ1/8/8/8/8/8 b - - 3 60");
    const size_t size = chess_describe(&pos, text);
    assert_int_equal(size, strlen(text));
    char expected[CHESS_DESCRIBE_SIZE];
    snprintf(
        expected, sizeof expected,
        "{\"fen\":\"7k/8/5KQ1/8/8/8/8/8 b - - 3 60\",\"side_to_move\":\"black\",\"legal_moves\":[],"
        "\"check\":false,\"checkmate\":false,\"stalemate\":true,\"zobrist_key\":\"%016llx\"}",
        (unsigned long long)pos.zobrist_key);
    assert_string_equal(text, expected);

    const ChessPosition mate = position_from("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    chess_describe(&mate, text);
    assert_non_null(
        strstr(text, "\"legal_moves\":[],\"check\":true,\"checkmate\":true,\"stalemate\":false"));

    const ChessPosition pawn = position_from("8/P7/8/8/8/8/8/k1K5 w - - 0 1");
    chess_describe(&pawn, text);
    assert_non_null(
        strstr(text, "\"legal_moves\":[{\"uci\":\"a7a8b\",\"san\":\"a8=B\"},"
                     "{\"uci\":\"a7a8n\",\"san\":\"a8=N\"},{\"uci\":\"a7a8q\",\"san\":\"a8=Q#\"},"
                     "{\"uci\":\"a7a8r\",\"san\":\"a8=R#\"},{\"uci\":\"c1c2\",\"san\":\"Kc2\"}"));

    // The position with the most moves fits by far.
    const ChessPosition most =
        position_from("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_true(chess_describe(&most, text) < CHESS_DESCRIBE_SIZE / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_san),
        cmocka_unit_test(test_uci),
        cmocka_unit_test(test_see),
        cmocka_unit_test(test_describe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
