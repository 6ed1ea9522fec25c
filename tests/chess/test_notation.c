// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notation: texts read and written in every form and language (Appendix C; specification section
// 8).
#include "support.h"

#include <jadoube/notation.h>

static int failures;

// Splits a row at " | " into exactly count columns.
static void split(const char *line, int number, char columns[][256], int count) {
    const char *at = line;
    for (int i = 0; i < count; i++) {
        const char *end = strstr(at, " | ");
        if (i == count - 1)
            end = at + strlen(at);
        if (end == NULL || end - at > 255)
            fail_msg("line %d: %d columns expected", number, count);
        memcpy(columns[i], at, (size_t)(end - at));
        columns[i][end - at] = '\0';
        at = end + 3;
    }
}

static uint32_t tolerances_of(const char *names) {
    uint32_t bits = 0;
    JdStr rest = jd_str(names);
    while (rest.size > 0) {
        const JdStr name = jd_str_cut(&rest, '+');
        ChessTolerance bit;
        if (jd_str_equal(name, JD_STR("default")))
            bits |= CHESS_TOLERATE_DEFAULT;
        else if (chess_tolerance_find(name, &bit))
            bits |= (uint32_t)bit;
        else if (!jd_str_equal(name, JD_STR("none")))
            fail_msg("no tolerance is called %.*s", JD_PRINT(name));
    }
    return bits;
}

static void outcome_write(const ChessPosition *pos, const ChessReading *reading, const JdErr *err,
                          char *out, size_t size) {
    static const char *const faults[] = {
        [CHESS_MOVE_MALFORMED] = "malformed",
        [CHESS_MOVE_ILLEGAL] = "illegal",
        [CHESS_MOVE_AMBIGUOUS] = "ambiguous",
        [CHESS_MOVE_WRONG_SIGN] = "inexact",
    };
    if (err->code != 0) {
        snprintf(out, size, "%s",
                 reading->castling != CHESS_NO_MOVE ? "castling" : faults[err->code]);
        return;
    }
    char uci[CHESS_UCI_SIZE];
    ChessPosition standard = *pos;
    standard.is_chess960 = 0;
    chess_uci_write(&standard, reading->move, uci);
    int at = snprintf(out, size, "%s", uci);
    char separator = ' ';
    for (int bit = 0; bit < CHESS_TOLERANCE_COUNT; bit++) {
        if ((reading->tolerances >> bit & 1) != 0) {
            const char *name = chess_tolerance_name((ChessTolerance)(1u << bit));
            at += snprintf(out + at, size - (size_t)at, "%c%s", separator, name);
            separator = '+';
        }
    }
}

static void check_reading(const char *line, int number, void *context) {
    (void)context;
    char columns[5][256];
    split(line, number, columns, 5);
    ChessLanguage language;
    if (!chess_language_find(jd_str(columns[0]), &language))
        fail_msg("reading.txt:%d: no language %s", number, columns[0]);
    const ChessPosition pos = position_from(columns[4]);
    ChessReading reading;
    JdErr err = { 0 };
    const bool ok = chess_notation_parse(jd_str(columns[2]), &pos, language,
                                         tolerances_of(columns[1]), &reading, &err);
    char outcome[256];
    outcome_write(&pos, &reading, &err, outcome, sizeof outcome);
    if (strcmp(outcome, columns[3]) != 0 || ok != (err.code == 0) ||
        (reading.move != CHESS_NO_MOVE) != ok) {
        print_error("reading.txt:%d \"%s\": %s (%s), expected %s\n", number, columns[2], outcome,
                    err.text, columns[3]);
        failures++;
    }
}

static void test_reading(void **state) {
    (void)state;
    failures = 0;
    each_line("notation/reading.txt", check_reading, NULL);
    assert_int_equal(failures, 0);
}

static void check_writing(const char *line, int number, void *context) {
    (void)context;
    char columns[5][256];
    split(line, number, columns, 5);
    ChessLanguage language;
    ChessForm form = CHESS_FORM_PGN;
    const bool is_spoken = strcmp(columns[0], "spoken") == 0;
    if (!chess_language_find(jd_str(columns[1]), &language) ||
        (!is_spoken && !chess_form_find(jd_str(columns[0]), &form)))
        fail_msg("writing.txt:%d: unknown form or language", number);
    const ChessPosition pos = position_from(columns[4]);
    ChessMove move;
    JdErr err;
    if (!chess_uci_parse(jd_str(columns[2]), &pos, &move, &err))
        fail_msg("writing.txt:%d: %s", number, err.text);
    char text[CHESS_SPOKEN_SIZE];
    const size_t size = is_spoken ? chess_spoken_write(&pos, move, language, text)
                                  : chess_notation_write(&pos, move, form, language, text);
    if (strcmp(text, columns[3]) != 0 || size != strlen(text)) {
        print_error("writing.txt:%d %s: written \"%s\", expected \"%s\"\n", number, columns[2],
                    text, columns[3]);
        failures++;
    }
}

static void test_writing(void **state) {
    (void)state;
    failures = 0;
    each_line("notation/writing.txt", check_writing, NULL);
    assert_int_equal(failures, 0);
}

// V-20: the sample game of the appendix, as printed, with captures unmarked, and in the long form.
static void test_sample_game(void **state) {
    (void)state;
    static const char *const games[] = {
        "e4 e5 Nf3 Nf6 d4 exd4 e5 Ne4 Qxd4 d5 exd6_e.p. Nxd6 Bg5 Nc6 Qe3+ Be7 Nbd2 0-0 0-0-0 Re8 "
        "Kb1_(=)",
        "e4 e5 Nf3 Nf6 d4 ed4 e5 Ne4 Qd4 d5 ed6 Nd6 Bg5 Nc6 Qe3 Be7 Nbd2 0-0 0-0-0 Re8 Kb1",
        "e2-e4 e7-e5 Ng1-f3 Ng8-f6 d2-d4 e5xd4 e4-e5 Nf6-e4 Qd1xd4 d7-d5 e5xd6_e.p. Ne4xd6 Bc1-g5 "
        "Nb8-c6 Qd4-e3+ Bf8-e7 Nb1-d2 0-0 0-0-0 Rf8-e8 Kc1-b1",
    };
    for (size_t i = 0; i < JD_COUNT(games); i++) {
        ChessPosition pos = chess_position_start();
        ChessReading reading = { 0 };
        JdStr rest = jd_str(games[i]);
        while (rest.size > 0) {
            char text[32] = "";
            const JdStr word = jd_str_cut(&rest, ' ');
            memcpy(text, word.data, word.size);
            for (char *p = text; *p != '\0'; p++)
                *p = (char)(*p == '_' ? ' ' : *p);
            JdErr err = { 0 };
            if (!chess_notation_parse(jd_str(text), &pos, CHESS_ENGLISH, CHESS_TOLERATE_DEFAULT,
                                      &reading, &err))
                fail_msg("game %zu: %s: %s", i, text, err.text);
            chess_move_make(&pos, reading.move, NULL);
        }
        assert_int_equal((reading.tolerances & CHESS_TOLERATE_DRAW_OFFER) != 0, i == 0);
        assert_string_equal(fen_of(&pos),
                            "r1bqr1k1/ppp1bppp/2nn4/6B1/8/4QN2/PPPN1PPP/1K1R1B1R b - - 9 11");
    }
}

// ---- properties ---------------------------------------------------------------------------------

typedef struct Round {
    uint64_t seed;
    uint64_t texts;
} Round;

static void expect(const ChessPosition *pos, const char *text, ChessLanguage language,
                   uint32_t allowed, ChessMove move) {
    ChessReading reading;
    JdErr err = { 0 };
    if (!chess_notation_parse(jd_str(text), pos, language, allowed, &reading, &err) ||
        reading.move != move || reading.count != 1 || (reading.tolerances & ~allowed) != 0)
        fail_msg("%s: \"%s\" in %s: %s", fen_of(pos), text, chess_language_name(language),
                 err.text);
}

// What is written is read again as the same move: exactly where it is exact, with the liberties of
// its form elsewhere. The exact form is that of chess_san_write.
static void check_round(const ChessPosition *pos, const ChessMoveList *legal, void *context) {
    Round *round = context;
    for (int i = 0; i < legal->count; i++) {
        const ChessMove move = legal->moves[i];
        char san[CHESS_SAN_SIZE];
        char text[CHESS_NOTATION_SIZE];
        const ChessLanguage language =
            (ChessLanguage)jd_random_below(&round->seed, CHESS_LANGUAGE_COUNT);
        chess_san_write(pos, move, san);
        chess_notation_write(pos, move, CHESS_FORM_PGN, CHESS_ENGLISH, text);
        if (strcmp(san, text) != 0)
            fail_msg("%s: %s written as %s", fen_of(pos), san, text);
        expect(pos, text, CHESS_ENGLISH, CHESS_TOLERATE_NOTHING, move);
        chess_notation_write(pos, move, CHESS_FORM_PGN, language, text);
        expect(pos, text, language, CHESS_TOLERATE_NOTHING, move);
        expect(pos, text, language, CHESS_TOLERATE_DEFAULT, move);
        chess_notation_write(pos, move, CHESS_FORM_FIDE, language, text);
        expect(pos, text, language, CHESS_TOLERATE_FIDE, move);
        chess_notation_write(pos, move, CHESS_FORM_LONG, language, text);
        expect(pos, text, language, CHESS_TOLERATE_FIDE | CHESS_TOLERATE_LONG, move);
        chess_notation_write(pos, move, CHESS_FORM_UCI, language, text);
        expect(pos, text, CHESS_ENGLISH, CHESS_TOLERATE_DEFAULT, move);
        chess_notation_write(pos, move, CHESS_FORM_ICCF, language, text);
        // In Chess960 a king step and castling can have the same digits; the step is read.
        if (!(pos->is_chess960 && chess_move_is_castling(move)))
            expect(pos, text, CHESS_ENGLISH, CHESS_TOLERATE_NUMERIC, move);
        round->texts += 8;
    }
}

static void test_round_trips(void **state) {
    (void)state;
    const char *games = getenv("JADOUBE_GAMES");
    Round round = { announce_seed(), 0 };
    uint64_t seed = round.seed;
    each_random_position(&seed, games != NULL ? atoi(games) / 10 : 200, 60, check_round, &round);
    print_message("%llu texts\n", (unsigned long long)round.texts);
    assert_true(round.texts > 10000);
}

// Of all short texts over the letters of moves the exact reader accepts those that are written, and
// nothing else.
static void test_exactness(void **state) {
    (void)state;
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1",
        "2n4k/3P4/8/8/8/8/8/K7 w - - 0 1",
    };
    for (size_t i = 0; i < JD_COUNT(fens); i++) {
        const ChessPosition pos = position_from(fens[i]);
        ChessMoveList legal;
        chess_moves_generate(&pos, &legal);
        for (int k = 0; k < legal.count; k++) {
            char text[CHESS_SAN_SIZE + 2];
            const size_t size = chess_san_write(&pos, legal.moves[k], text);
            // One sign changed, left out or put in is never exact, unless it is another move.
            static const char signs[] = "abcdefgh12345678xNBRQKO=+#-!?. \t";
            for (size_t at = 0; at < size; at++) {
                for (size_t s = 0; s < sizeof signs; s++) {
                    char changed[CHESS_SAN_SIZE + 2];
                    memcpy(changed, text, sizeof changed);
                    if (signs[s] == '\0')
                        memmove(changed + at, changed + at + 1, size - at);
                    else
                        changed[at] = signs[s];
                    ChessReading reading;
                    if (!chess_notation_parse(jd_str(changed), &pos, CHESS_ENGLISH,
                                              CHESS_TOLERATE_NOTHING, &reading, NULL))
                        continue;
                    char written[CHESS_SAN_SIZE];
                    chess_san_write(&pos, reading.move, written);
                    if (strcmp(written, changed) != 0)
                        fail_msg("%s: \"%s\" was taken for %s", fens[i], changed, written);
                }
            }
        }
    }
}

// Any bytes end in a move or a named fault.
static void test_any_bytes(void **state) {
    (void)state;
    static const char pieces[] =
        "abcdefgh12345678xNBRQKnbrqkO0o=+#-!?.() :/PKрКрСЛФасех♘†\xff\xc0\x80";
    const ChessPosition pos =
        position_from("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    uint64_t seed = announce_seed();
    for (int i = 0; i < 200000; i++) {
        char text[24];
        const uint32_t size = jd_random_below(&seed, sizeof text);
        for (uint32_t k = 0; k < size; k++)
            text[k] = pieces[jd_random_below(&seed, sizeof pieces)]; // the NUL as well
        ChessReading reading;
        JdErr err = { 0 };
        const uint32_t allowed = i % 2 == 0 ? (uint32_t)jd_random(&seed) : CHESS_TOLERATE_DEFAULT;
        const ChessLanguage language = (ChessLanguage)jd_random_below(&seed, CHESS_LANGUAGE_COUNT);
        if (chess_notation_parse(jd_str_n(text, size), &pos, language, allowed, &reading, &err))
            assert_true(chess_move_is_legal(&pos, reading.move));
        else
            assert_true(err.code != 0 && err.text[0] != '\0' && reading.move == CHESS_NO_MOVE);
    }
    ChessReading reading;
    JdErr err;
    assert_false(chess_notation_parse(jd_str_n(NULL, 0), &pos, CHESS_ENGLISH, 0, &reading, &err));
    assert_int_equal(err.code, CHESS_MOVE_MALFORMED);
}

static void test_names(void **state) {
    (void)state;
    for (int i = 0; i < CHESS_LANGUAGE_COUNT; i++) {
        ChessLanguage found;
        assert_true(chess_language_find(jd_str(chess_language_code((ChessLanguage)i)), &found));
        assert_int_equal(found, i);
        // No two pieces of a language share a letter.
        for (int a = CHESS_PAWN; a <= CHESS_KING; a++)
            for (int b = CHESS_PAWN; b < a; b++)
                assert_string_not_equal(chess_language_letter((ChessLanguage)i, (ChessKind)a),
                                        chess_language_letter((ChessLanguage)i, (ChessKind)b));
    }
    for (int i = 0; i < CHESS_TOLERANCE_COUNT; i++) {
        ChessTolerance found;
        assert_true(
            chess_tolerance_find(jd_str(chess_tolerance_name((ChessTolerance)(1u << i))), &found));
        assert_int_equal(found, 1u << i);
    }
    ChessLanguage language;
    assert_false(chess_language_find(JD_STR("Klingon"), &language));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),     cmocka_unit_test(test_writing),
        cmocka_unit_test(test_sample_game), cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_exactness),   cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
