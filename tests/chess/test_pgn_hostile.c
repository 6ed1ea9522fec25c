// SPDX-License-Identifier: GPL-3.0-or-later
//
// PGN that means no good: any bytes end in a game or a named problem with its place, in linear time
// and in the memory given.
#include "support.h"

#include <time.h>

#include <jadoube/pgn.h>

#include "pgn_log.h"

#define MEGABYTE ((size_t)1 << 20)

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// A file made of head, a piece again and again, and tail.
static JdStr repeated(const char *head, const char *piece, size_t times, const char *tail) {
    const size_t size = strlen(head) + strlen(piece) * times + strlen(tail);
    char *text = malloc(size + 1);
    assert_non_null(text);
    char *at = text + sprintf(text, "%s", head);
    for (size_t i = 0; i < times; i++, at += strlen(piece))
        memcpy(at, piece, strlen(piece));
    memcpy(at, tail, strlen(tail) + 1);
    return jd_str_n(text, size);
}

typedef struct Hostile {
    const char *name;
    const char *head;
    const char *piece;
    size_t times;
    const char *tail;
    uint64_t games;
    uint64_t damaged;
    ChessPgnFault fault; // of the last problem
    uint64_t line;
    uint64_t column;
} Hostile;

static const Hostile files[] = {
    { "ten megabytes on one line", "", "1. Nf3 Nf6 2. Ng1 Ng8 * ", 10 * MEGABYTE / 24, "", 436906,
      0, CHESS_PGN_OK, 0, 0 },
    { "a game of ten megabytes", "", "Nf3 Nf6 Ng1 Ng8 ", 10 * MEGABYTE / 16, "*", 1, 1,
      CHESS_PGN_TOO_MANY_PLIES, 1, 48001 },
    { "variations ten thousand deep", "1. e4 ", "(1. d4 ", 10000, " *", 1, 1,
      CHESS_PGN_UNTERMINATED_VARIATION, 1, 70009 },
    { "ten megabytes of open brackets", "1. e4 ", "(", 10 * MEGABYTE, " *", 1, 1,
      CHESS_PGN_UNTERMINATED_VARIATION, 1, 10485769 },
    { "ten megabytes of closed brackets", "1. e4 ", ")", 10 * MEGABYTE, " *", 1, 1,
      CHESS_PGN_STRAY_BRACKET, 1, 7 },
    { "a tag of a million characters", "[Event \"", "x", 1000000, "\"]\n1. e4 *\n1. d4 *", 2, 1,
      CHESS_PGN_TAG_TOO_LONG, 1, 1 },
    { "a tag name of a million characters", "[", "x", 1000000, " \"\"]\n1. e4 *", 1, 1,
      CHESS_PGN_TAG_TOO_LONG, 1, 1 },
    { "a million quotes", "[Event \"", "\"", 1000000, "\n1. e4 *", 1, 1, CHESS_PGN_TAG_TOO_LONG, 1,
      1 },
    { "a million tags on a line", "", "[A \"\"]", 1000000, "\n1. e4 *", 1, 0, CHESS_PGN_OK, 0, 0 },
    { "a hundred thousand Event tags", "", "[Event \"\"]", 100000, " *", 100000, 0,
      CHESS_PGN_MISSING_RESULT, 1, 999991 },
    { "a word of a million characters", "1. e4 ", "x", 1000000, " e5 *", 1, 1,
      CHESS_PGN_WORD_TOO_LONG, 1, 7 },
    { "a number of a million digits", "1. e4 ", "7", 1000000, " e5 *", 1, 0, CHESS_PGN_OK, 0, 0 },
    { "a glyph of a million digits", "1. e4 $", "7", 1000000, " e5 *", 1, 0, CHESS_PGN_BAD_NAG, 1,
      7 },
    { "a million marks", "1. e4 ", "!", 1000000, " e5 *", 1, 0, CHESS_PGN_OK, 0, 0 },
    { "a comment of ten megabytes", "1. e4 {", "comment ", 10 * MEGABYTE / 8, "} e5 *", 1, 0,
      CHESS_PGN_OK, 0, 0 },
    { "a comment of ten megabytes without end", "1. e4 {", "comment\n", 10 * MEGABYTE / 8, " e5 *",
      1, 1, CHESS_PGN_UNTERMINATED_COMMENT, 1, 8 },
    { "almost an Event tag, a million times", "1. e4 {", "\n[Event ", 1000000, "} e5 *", 1, 0,
      CHESS_PGN_OK, 0, 0 },
    { "a line comment of ten megabytes", "1. e4 ;", "{ ( [ ", 10 * MEGABYTE / 6, "\n e5 *", 1, 0,
      CHESS_PGN_OK, 0, 0 },
    { "an escape of ten megabytes", "%", "x", 10 * MEGABYTE, "\n1. e4 *", 1, 0, CHESS_PGN_OK, 0,
      0 },
    { "overlong UTF-8", "1. e4 {", "\xc0\xaf", MEGABYTE, "} e5 *", 1, 0, CHESS_PGN_MALFORMED_UTF8,
      1, 8 },
    { "halves of characters", "1. e4 {", "\xe2\x99", MEGABYTE, "} e5 *", 1, 0,
      CHESS_PGN_MALFORMED_UTF8, 1, 8 },
    { "words of stray bytes", "1. e4 ", "\xff ", MEGABYTE, " e5 *", 1, 1, CHESS_PGN_MALFORMED_MOVE,
      1, 7 },
    { "a million blanks", "1. e4", " ", 1000000, "e5 *", 1, 0, CHESS_PGN_OK, 0, 0 },
    { "blanks and brackets", "1. e4", "   [", 1000000, " *", 1, 1, CHESS_PGN_STRAY_BYTE, 1, 9 },
    { "backslashes", "[Event \"", "\\", 8000, "\"]\n1. e4 *", 1, 0, CHESS_PGN_OK, 0, 0 },
    { "one more", "[Event \"", "\\", 8001, "\"]\n1. e4 *", 1, 0, CHESS_PGN_SLOPPY_TAG, 1, 8012 },
    { "prose", "", "It was a dark night. ", 100000, "", 0, 0, CHESS_PGN_TEXT_OUTSIDE, 1, 1 },
    { "lines of prose", "", "It was a dark night.\n", 100000, "", 0, 0, CHESS_PGN_TEXT_OUTSIDE, 1,
      1 },
    { "many damaged games", "", "1. e5 *\n", 100000, "", 100000, 100000, CHESS_PGN_ILLEGAL_MOVE,
      100000, 4 },
    { "many illegal moves", "", "[A \"\"]1. e5 *\n", 100000, "", 100000, 100000,
      CHESS_PGN_ILLEGAL_MOVE, 100000, 10 },
};

static void test_sizes(void **state) {
    (void)state;
    int failures = 0;
    for (size_t i = 0; i < JD_COUNT(files); i++) {
        const Hostile *row = &files[i];
        const JdStr text = repeated(row->head, row->piece, row->times, row->tail);
        const double begin = now_s();
        const PgnLog *log = pgn_log(text, 65536, 64, CHESS_UTF8);
        const double spent = now_s() - begin;
        const bool is_expected = log->games == row->games && log->damaged == row->damaged &&
                                 (row->fault == CHESS_PGN_OK ? log->problems == 0
                                                             : log->last.fault == row->fault &&
                                                                   log->last.line == row->line &&
                                                                   log->last.column == row->column);
        if (!is_expected || spent > 10) {
            print_error(
                "%s: %llu games, %llu damaged, %llu problems, the last %s at %llu:%llu; %.2f s\n",
                row->name, (unsigned long long)log->games, (unsigned long long)log->damaged,
                (unsigned long long)log->problems, chess_pgn_fault_name(log->last.fault),
                (unsigned long long)log->last.line, (unsigned long long)log->last.column, spent);
            failures++;
        }
        // Small pieces see the same; not all of it, byte for byte is slow.
        const uint64_t digest = log->digest;
        const JdStr part = jd_str_part(text, 0, 50000);
        const uint64_t whole = pgn_log(part, part.size, 64, CHESS_UTF8)->digest;
        if (pgn_log(part, 1, 64, CHESS_UTF8)->digest != whole ||
            pgn_log(text, 4099, 64, CHESS_UTF8)->digest != digest) {
            print_error("%s: differs in pieces\n", row->name);
            failures++;
        }
        free((char *)text.data);
    }
    assert_int_equal(failures, 0);
}

static void test_nul_bytes(void **state) {
    (void)state;
    static const char text[] = "[A \"x\0y\"]\n1. e4 {c\0d} \0 e5 *\n1. d4 *\0";
    const PgnLog *log = pgn_log(jd_str_n(text, sizeof text - 1), 1, 4, CHESS_UTF8);
    assert_string_equal(
        log->text,
        "game 1 / 1:6 malformed_utf8 A=x?y / start / e4 2:9 malformed_utf8 {c?d} "
        "2:13 stray_byte / end * plies 1 damaged / game 2 / start / d4 / end * plies 1 / "
        "3:8 text_outside / ");
}

// A file of 5 GiB: one comment, then an illegal move, whose byte is beyond what 32 bits hold.
static void test_beyond_4_gib(void **state) {
    (void)state;
    static unsigned char buffer[4 * CHESS_PGN_BUFFER_MIN];
    static ChessPgnLine lines[2];
    const size_t size = 16 * MEGABYTE;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, 'x', size);
    text[size - 1] = '\n';
    const ChessPgnOptions options = {
        .buffer = buffer, .buffer_size = sizeof buffer, .lines = lines, .line_count = 2
    };
    const ChessPgnVisitor visitor = { 0 };
    ChessPgnReader reader;
    chess_pgn_init(&reader, &options, &visitor, NULL);
    assert_true(chess_pgn_push(&reader, JD_STR("1. e4 {")));
    for (int i = 0; i < 320; i++)
        assert_true(chess_pgn_push(&reader, jd_str_n(text, size)));
    assert_true(chess_pgn_push(&reader, JD_STR("} e5 2. d4 *")));
    free(text);
    assert_int_equal(chess_pgn_offset(&reader), 320 * (uint64_t)size + 19);
    assert_int_equal(reader.game.end, 320 * (uint64_t)size + 19);
    assert_int_equal(reader.game.plies, 3);
    assert_int_equal(reader.mark_line, 321);
}

// Bytes changed at random: no crash, no overread (under sanitizers), and the same log however the
// file is cut.
static void test_mutations(void **state) {
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s/pgn/mixed.pgn", TEST_DATA);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    static char file[16384];
    const size_t size = fread(file, 1, sizeof file, in);
    fclose(in);
    assert_true(size > 1000 && size < sizeof file);
    static const char signs[] = "\0\n\r \t{}()[];%$*!?.\"\\<>=+#-/01278abehxNBRQKO\xff\xc3\x99\xe2";
    uint64_t seed = announce_seed();
    for (int round = 0; round < 600; round++) {
        static char changed[sizeof file];
        size_t length = size;
        memcpy(changed, file, size);
        for (uint32_t k = jd_random_below(&seed, 12); k > 0; k--) {
            const size_t at = jd_random_below(&seed, (uint32_t)length);
            const size_t run = 1 + jd_random_below(&seed, 40);
            switch (jd_random_below(&seed, 3)) {
            case 0:
                changed[at] = signs[jd_random_below(&seed, sizeof signs - 1)];
                break;
            case 1: // left out
                if (at + run < length) {
                    memmove(changed + at, changed + at + run, length - at - run);
                    length -= run;
                }
                break;
            default: // twice
                if (length + run < sizeof changed && at + run < length) {
                    memmove(changed + at + run, changed + at, length - at);
                    length += run;
                }
                break;
            }
        }
        static const size_t pieces[] = { 1, 3, 64, 1000 };
        const JdStr text = jd_str_n(changed, length);
        const uint64_t digest = pgn_log(text, length, 4, CHESS_UTF8)->digest;
        for (size_t k = 0; k < JD_COUNT(pieces); k++)
            if (pgn_log(text, pieces[k], 4, CHESS_UTF8)->digest != digest) {
                FILE *out = fopen("/tmp/pgn_mutation.pgn", "w");
                if (out != NULL) {
                    fwrite(changed, 1, length, out);
                    fclose(out);
                }
                fail_msg("round %d: pieces of %zu bytes differ; see /tmp/pgn_mutation.pgn", round,
                         pieces[k]);
            }
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest slow[] = { cmocka_unit_test(test_beyond_4_gib) };
    if (argc > 1 && strcmp(argv[1], "slow") == 0)
        return cmocka_run_group_tests(slow, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
