// SPDX-License-Identifier: GPL-3.0-or-later
#include "../check.h"

static void check_format(int line, const char *expected, const char *format, ...) {
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    const size_t size = jd_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    if (strcmp(text, expected) != 0 || size != strlen(expected))
        fail_msg("line %d: \"%s\" (size %zu), expected \"%s\"", line, text, size, expected);
}

static void test_format(void **state) {
    (void)state;
    check_format(__LINE__, "-12 and 12", "%d and %u", -12, 12u);
    check_format(__LINE__, "-9223372036854775808", "%lld", (long long)INT64_MIN);
    check_format(__LINE__, "18446744073709551615", "%llu", (unsigned long long)UINT64_MAX);
    check_format(__LINE__, "007|  7|7  ", "%03d|%3d|%-3d", 7, 7, 7);
    check_format(__LINE__, "-07", "%03d", -7);
    check_format(__LINE__, "ff 4096", "%x %zu", 255u, (size_t)4096);
    check_format(__LINE__, "Nf3 (e4) 100%", "%.*s (%s) %d%%", 3, "Nf3xx", "e4", 100);
    check_format(__LINE__, "  x|c", "%3s|%c", "x", 'c');
    check_format(__LINE__, "(null)", "%s", (const char *)NULL);
}

static void test_format_cuts_and_reports(void **state) {
    (void)state;
    char text[5] = { 'z', 'z', 'z', 'z', 'z' };
    assert_int_equal(jd_format(text, sizeof text, "%s", "castling"), 8);
    assert_string_equal(text, "cast");
    assert_int_equal(jd_format(text, 0, "%s", "castling"), 8);
    assert_string_equal(text, "cast");
}

static void test_str(void **state) {
    (void)state;
    JdStr rest = JD_STR("e4 e5  Nf3");
    assert_true(jd_str_equal(jd_str_cut(&rest, ' '), JD_STR("e4")));
    assert_true(jd_str_equal(jd_str_cut(&rest, ' '), JD_STR("e5")));
    assert_int_equal(jd_str_cut(&rest, ' ').size, 0);
    assert_true(jd_str_equal(jd_str_cut(&rest, ' '), JD_STR("Nf3")));
    assert_int_equal(rest.size, 0);
    assert_true(jd_str_equal(jd_str_trim(JD_STR(" \t mate\r\n")), JD_STR("mate")));
    assert_true(jd_str_equal_nocase(JD_STR("Time"), JD_STR("tIME")));
    assert_false(jd_str_equal_nocase(JD_STR("Time"), JD_STR("Timer")));
    assert_true(jd_str_compare(JD_STR("abc"), JD_STR("abcd")) < 0);
    assert_true(jd_str_compare(JD_STR("\xff"), JD_STR("a")) > 0);
    assert_int_equal(jd_str_compare(JD_STR("a"), JD_STR("a")), 0);
    assert_true(jd_str_starts_with(JD_STR("fide-2023"), JD_STR("fide-")));
    assert_true(jd_str_ends_with(JD_STR("games.pgn"), JD_STR(".pgn")));
    assert_false(jd_str_ends_with(JD_STR("pgn"), JD_STR(".pgn")));
    assert_int_equal(jd_str_part(JD_STR("abc"), 9, 2).size, 0);
}

static void test_parse_u64(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool ok;
        uint64_t value;
    } cases[] = {
        { "0", true, 0 },
        { "18446744073709551615", true, UINT64_MAX },
        { "18446744073709551616", false, 0 },
        { "", false, 0 },
        { "01", false, 0 },
        { "-1", false, 0 },
        { "+1", false, 0 },
        { " 1", false, 0 },
        { "1x", false, 0 },
    };
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        uint64_t value = 77;
        const bool ok = jd_parse_u64(jd_str(cases[i].text), UINT64_MAX, &value);
        if (ok != cases[i].ok || value != (cases[i].ok ? cases[i].value : 77))
            fail_msg("\"%s\": %s", cases[i].text, ok ? "accepted" : "refused");
    }
    uint64_t value = 77;
    assert_false(jd_parse_u64(JD_STR("101"), 100, &value));
    assert_int_equal(value, 77);
}

static void test_utf8(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool ok;
        size_t bad;
    } cases[] = {
        { "Ладья șț ♞ 😀", true, 0 },
        { "a\xC0\x80", false, 1 },        // overlong NUL
        { "ab\xED\xA0\x80", false, 2 },   // surrogate
        { "\xF4\x90\x80\x80", false, 0 }, // above U+10FFFF
        { "e4\xE2\x99", false, 2 },       // cut off
        { "\x80", false, 0 },             // stray continuation
        { "\xF0\x80\x80\x80", false, 0 }, // overlong four bytes
    };
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        size_t bad = 0;
        const bool ok = jd_utf8_valid(jd_str(cases[i].text), &bad);
        if (ok != cases[i].ok || bad != cases[i].bad)
            fail_msg("case %zu: %s, offset %zu", i, ok ? "valid" : "malformed", bad);
    }
}

static void test_utf8_round_trip(void **state) {
    (void)state;
    for (uint32_t code_point = 0; code_point <= 0x110000; code_point++) {
        char text[4];
        const size_t size = jd_utf8_write(code_point, text);
        const bool exists = code_point <= 0x10FFFF && (code_point < 0xD800 || code_point > 0xDFFF);
        size_t at = 0;
        if ((size > 0) != exists)
            fail_msg("U+%X: %zu bytes written", code_point, size);
        if (exists && (jd_utf8_next(jd_str_n(text, size), &at) != code_point || at != size))
            fail_msg("U+%X does not come back", code_point);
    }
    size_t at = 0;
    assert_int_equal(jd_utf8_next(JD_STR("\xFFz"), &at), 0xFFFD);
    assert_int_equal(at, 1);
}

static void test_out(void **state) {
    (void)state;
    char text[64];
    JdOut out = jd_out(text, sizeof text);
    jd_out_json(&out, JD_STR("a\"b\\c\n\x01"));
    jd_out_hex(&out, 0x1f, 4);
    jd_out_i64(&out, INT64_MIN);
    assert_true(jd_out_fits(&out));
    assert_true(jd_str_equal(jd_out_str(&out),
                             JD_STR("\"a\\\"b\\\\c\\n\\u0001\"001f-9223372036854775808")));
    JdOut small = jd_out(text, 3);
    jd_out_cstr(&small, "rook");
    assert_false(jd_out_fits(&small));
    assert_int_equal(small.size, 4);
    assert_true(jd_str_equal(jd_out_str(&small), JD_STR("roo")));
}

static void test_err(void **state) {
    (void)state;
    JdErr err;
    assert_false(jd_fail_field(&err, 7, "castling", 12, "expected one of %s", "KQkq-"));
    assert_int_equal(err.code, 7);
    assert_int_equal(err.offset, 12);
    assert_string_equal(err.field, "castling");
    assert_string_equal(err.text, "expected one of KQkq-");
    assert_false(jd_fail(&err, 8, (size_t)1 << 40, "x"));
    assert_int_equal(err.offset, UINT32_MAX);
    assert_string_equal(err.field, "");
    assert_false(jd_fail(NULL, 1, 0, "nobody asks"));
}

static void test_arena(void **state) {
    (void)state;
    unsigned char memory[100];
    memset(memory, 0xAA, sizeof memory);
    JdArena arena = jd_arena(memory, sizeof memory);
    unsigned char *const first = jd_arena_take(&arena, 3, 1);
    unsigned char *const second = jd_arena_take(&arena, 2, 8);
    assert_non_null(first);
    assert_non_null(second);
    assert_int_equal((uintptr_t)second % 16, 0);
    for (int i = 0; i < 16; i++)
        assert_int_equal(second[i], 0);
    assert_null(jd_arena_take(&arena, 1, 100));
    assert_null(jd_arena_take(&arena, SIZE_MAX, 2));
    assert_string_equal(jd_arena_text(&arena, JD_STR("e4")), "e4");
}

static void test_random_is_reproducible(void **state) {
    (void)state;
    // SplitMix64 from state 0, as published by its author (Vigna, prng.di.unimi.it).
    uint64_t seed = 0;
    assert_true(jd_random(&seed) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(jd_random(&seed) == UINT64_C(0x6e789e6aa1b965f4));
    for (int i = 0; i < 1000; i++)
        assert_true(jd_random_below(&seed, 20) < 20);
    // FNV-1a of "foobar" (draft-eastlake-fnv, test vectors).
    assert_true(jd_hash(JD_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_format), cmocka_unit_test(test_format_cuts_and_reports),
        cmocka_unit_test(test_str),    cmocka_unit_test(test_parse_u64),
        cmocka_unit_test(test_utf8),   cmocka_unit_test(test_utf8_round_trip),
        cmocka_unit_test(test_out),    cmocka_unit_test(test_err),
        cmocka_unit_test(test_arena),  cmocka_unit_test(test_random_is_reproducible),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
