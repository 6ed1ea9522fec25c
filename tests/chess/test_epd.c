// SPDX-License-Identifier: GPL-3.0-or-later
//
// EPD (PGN standard 16.2): lines read, written in their canonical form, and refused by name and
// place.
#include "support.h"

#include <jadoube/epd.h>

static int failures;

static const char *const fault_names[] = {
    [CHESS_EPD_OK] = "ok",
    [CHESS_EPD_TOO_LONG] = "too_long",
    [CHESS_EPD_BAD_POSITION] = "bad_position",
    [CHESS_EPD_BAD_OPCODE] = "bad_opcode",
    [CHESS_EPD_UNCLOSED_STRING] = "unclosed_string",
    [CHESS_EPD_BAD_OPERAND] = "bad_operand",
    [CHESS_EPD_TOO_MANY] = "too_many",
    [CHESS_EPD_TWICE] = "twice",
};

static void check_line(const char *line, int number, void *context) {
    (void)context;
    char expected[1024];
    const char *bar = strstr(line, " | ");
    if (bar == NULL)
        fail_msg("lines.txt:%d: no column", number);
    snprintf(expected, sizeof expected, "%.*s", (int)(bar - line), line);
    ChessEpd epd;
    JdErr err = { 0 };
    char got[1024];
    if (chess_epd_parse(jd_str(bar + 3), &epd, &err)) {
        memcpy(got, "ok ", 3);
        const size_t size = chess_epd_write(&epd, got + 3, sizeof got - 3);
        assert_int_equal(size, strlen(got + 3));
        ChessEpd again;
        char twice[1024];
        assert_true(chess_epd_parse(jd_str(got + 3), &again, &err));
        chess_epd_write(&again, twice, sizeof twice);
        assert_string_equal(twice, got + 3);
        assert_memory_equal(&again.position, &epd.position, sizeof epd.position);
    } else {
        snprintf(got, sizeof got, "%s %u", fault_names[err.code], (unsigned)err.offset);
    }
    if (strcmp(got, expected) != 0) {
        print_error("lines.txt:%d\n  got      %s (%s)\n  expected %s\n", number, got, err.text,
                    expected);
        failures++;
    }
}

static void test_lines(void **state) {
    (void)state;
    failures = 0;
    each_line("epd/lines.txt", check_line, NULL);
    assert_int_equal(failures, 0);
}

static void test_access(void **state) {
    (void)state;
    ChessEpd epd;
    JdErr err = { 0 };
    assert_true(
        chess_epd_parse(JD_STR("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 Nf3; "
                               "ce -12; id \"a; b\"; pv e4 e5; tcri \"x\" y; resign;"),
                        &epd, &err));
    ChessMove moves[4];
    const ChessEpdOperation *operation = chess_epd_find(&epd, JD_STR("bm"));
    assert_non_null(operation);
    assert_int_equal(chess_epd_moves(&epd, operation, moves, 1), 2);
    assert_int_equal(chess_epd_moves(&epd, operation, moves, 4), 2);
    assert_int_equal(chess_move_from(moves[1]), chess_square(6, 0));
    assert_int_equal(chess_epd_moves(&epd, chess_epd_find(&epd, JD_STR("pv")), moves, 4), 2);
    assert_int_equal(chess_move_from(moves[1]), chess_square(4, 6));
    assert_int_equal(chess_epd_moves(&epd, chess_epd_find(&epd, JD_STR("ce")), moves, 4), 0);
    int64_t number = 0;
    assert_true(chess_epd_number(chess_epd_find(&epd, JD_STR("ce")), &number));
    assert_int_equal(number, -12);
    assert_false(chess_epd_number(chess_epd_find(&epd, JD_STR("resign")), &number));
    JdStr operand;
    size_t at = 0;
    assert_true(chess_epd_operand_next(chess_epd_find(&epd, JD_STR("id")), &at, &operand));
    assert_true(jd_str_equal(operand, JD_STR("a; b")));
    assert_false(chess_epd_operand_next(chess_epd_find(&epd, JD_STR("id")), &at, &operand));
    at = 0;
    assert_true(chess_epd_operand_next(chess_epd_find(&epd, JD_STR("tcri")), &at, &operand));
    assert_true(chess_epd_operand_next(chess_epd_find(&epd, JD_STR("tcri")), &at, &operand));
    assert_true(jd_str_equal(operand, JD_STR("y")));
    assert_null(chess_epd_find(&epd, JD_STR("am")));

    // A refused change changes nothing.
    assert_false(chess_epd_set(&epd, JD_STR("bm"), JD_STR("e5"), &err));
    assert_int_equal(err.code, CHESS_EPD_BAD_OPERAND);
    assert_false(chess_epd_set(&epd, JD_STR("c0"), JD_STR("a;b"), &err));
    assert_false(chess_epd_set(&epd, JD_STR("c0"), JD_STR("\"a"), &err));
    assert_false(chess_epd_set(&epd, JD_STR("9"), JD_STR("1"), &err));
    assert_int_equal(epd.count, 6);
    assert_true(chess_epd_set(&epd, JD_STR("bm"), JD_STR("d4"), &err));
    assert_true(chess_epd_set(&epd, JD_STR("fmvn"), JD_STR("7"), &err));
    assert_true(chess_epd_remove(&epd, JD_STR("pv")));
    assert_true(chess_epd_remove(&epd, JD_STR("tcri")));
    assert_false(chess_epd_remove(&epd, JD_STR("tcri")));
    char quoted[32];
    const size_t size = chess_epd_quote(JD_STR("a \"b\"\n"), quoted, sizeof quoted);
    assert_true(chess_epd_set(&epd, JD_STR("id"), jd_str_n(quoted, size), &err));
    char text[256];
    chess_epd_write(&epd, text, sizeof text);
    assert_string_equal(
        text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm d4; ce -12; fmvn 7; "
              "hmvc 0; id \"a 'b' \"; resign;");
    // Too little room: cut, and the size that is needed.
    char small[10];
    assert_int_equal(chess_epd_write(&epd, small, sizeof small), strlen(text));
    assert_string_equal(small, "rnbqkbnr/");
}

static void test_limits(void **state) {
    (void)state;
    static char text[CHESS_EPD_TEXT_MAX + 64];
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ";
    ChessEpd epd;
    JdErr err = { 0 };
    int size = sprintf(text, "%s", start);
    for (int i = 0; i <= CHESS_EPD_OPERATIONS_MAX; i++)
        size += sprintf(text + size, "x%d 1; ", i);
    assert_false(chess_epd_parse(jd_str(text), &epd, &err));
    assert_int_equal(err.code, CHESS_EPD_TOO_MANY);
    memset(text, ' ', sizeof text);
    assert_false(chess_epd_parse(jd_str_n(text, sizeof text), &epd, &err));
    assert_int_equal(err.code, CHESS_EPD_TOO_LONG);
    assert_false(chess_epd_parse(jd_str_n(NULL, 0), &epd, &err));
    assert_int_equal(err.code, CHESS_EPD_BAD_POSITION);
    // Any bytes: a value or a named fault.
    uint64_t seed = announce_seed();
    static const char signs[] = "bm e4;\"id0129 -cpv\0\n\t\xff";
    for (int i = 0; i < 50000; i++) {
        const uint32_t length = jd_random_below(&seed, 60);
        size = sprintf(text, "%s", start);
        for (uint32_t k = 0; k < length; k++)
            text[size++] = signs[jd_random_below(&seed, sizeof signs - 1)];
        err = (JdErr) { 0 };
        if (!chess_epd_parse(jd_str_n(text, (size_t)size), &epd, &err))
            if (err.code == 0 || err.text[0] == 0 || err.offset > (uint32_t)size)
                fail_msg("%.*s: code %u byte %u of %d: %s", size, text, err.code, err.offset, size,
                         err.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_access),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
