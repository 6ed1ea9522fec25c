// SPDX-License-Identifier: GPL-3.0-or-later
#include "../check.h"

#include "engine/uci.h"

static void test_words(void **state) {
    (void)state;
    static const struct {
        const char *text;
        UciWord word;
        const char *rest;
    } cases[] = {
        { "uciok", UCI_OK, "" },
        { "readyok\r", UCI_READY_OK, "" },
        { "id name Stockfish 15.1", UCI_ID_NAME, "Stockfish 15.1" },
        { "bestmove e2e4 ponder e7e5", UCI_BEST_MOVE, "e2e4 ponder e7e5" },
        { "info depth 1", UCI_INFO, "depth 1" },
        { "option name Hash type spin", UCI_OPTION, "name Hash type spin" },
        { "bestmove", UCI_OTHER, "bestmove" },
        { "id author somebody", UCI_OTHER, "id author somebody" },
        { "", UCI_OTHER, "" },
    };
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        const UciLine line = uci_line(jd_str(cases[i].text));
        if (line.word != cases[i].word || !jd_str_equal(line.rest, jd_str(cases[i].rest)))
            fail_msg("\"%s\": word %d, rest \"%.*s\"", cases[i].text, (int)line.word,
                     JD_PRINT(line.rest));
    }
}

static void test_options(void **state) {
    (void)state;
    UciOptionLine out;
    assert_true(
        uci_option_line(JD_STR("name Skill Level type spin default 20 min 0 max 20"), &out));
    assert_true(jd_str_equal(out.name, JD_STR("Skill Level")));
    assert_int_equal(out.min, 0);
    assert_int_equal(out.max, 20);
    assert_true(
        uci_option_line(JD_STR("name UCI_Elo type spin default 1350 min 1350 max 2850"), &out));
    assert_int_equal(out.min, 1350);
    assert_true(uci_option_line(JD_STR("name Debug Log File type string default"), &out));
    assert_true(jd_str_equal(out.name, JD_STR("Debug Log File")));
    assert_false(uci_option_line(JD_STR("name type spin"), &out));
    assert_false(uci_option_line(JD_STR("Hash type spin"), &out));
    assert_false(uci_option_line(JD_STR("name Hash"), &out));
    assert_false(uci_option_line(JD_STR("name Hash type spin min x"), &out));
}

static void test_info(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    EngineLine line;
    uint32_t number = 0;
    uint64_t nodes = 0;
    assert_true(
        uci_info_line(JD_STR("depth 12 seldepth 15 multipv 2 score cp -34 wdl 80 900 20 nodes "
                             "12345 nps 1 time 3 pv e2e4 e7e5 g1f3"),
                      &start, &number, &line, &nodes));
    assert_int_equal(number, 2);
    assert_int_equal(line.depth, 12);
    assert_int_equal(line.score, -34);
    assert_false(line.is_mate);
    assert_true(line.has_wdl);
    assert_int_equal(line.wdl[1], 900);
    assert_int_equal(line.count, 3);
    assert_int_equal(nodes, 12345);
    assert_true(uci_info_line(JD_STR("score mate -2 pv d2d4"), &start, &number, &line, &nodes));
    assert_true(line.is_mate);
    assert_int_equal(line.score, -2);
    assert_int_equal(number, 1);
    // The variation is cut where it stops being legal.
    assert_true(
        uci_info_line(JD_STR("score cp 1 pv e2e4 e2e4 d2d4"), &start, &number, &line, &nodes));
    assert_int_equal(line.count, 1);
    static const char *const ignored[] = {
        "string score cp 1 pv e2e4",
        "depth 3 currmove e2e4 currmovenumber 1",
        "score cp 5 lowerbound pv e2e4",
        "score cp 5 pv e2e5",
        "score cp five pv e2e4",
        "multipv 9 score cp 1 pv e2e4",
        "multipv 0 score cp 1 pv e2e4",
        "depth 99999 score cp 1 pv e2e4",
        "score cp 1 wdl 2000 0 0 pv e2e4",
        "score cp 99999999 pv e2e4",
        "",
    };
    for (size_t i = 0; i < JD_COUNT(ignored); i++)
        if (uci_info_line(jd_str(ignored[i]), &start, &number, &line, &nodes))
            fail_msg("taken: \"%s\"", ignored[i]);
}

static void test_best_move(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    ChessMove move;
    assert_true(uci_best_move(JD_STR("e2e4 ponder e7e5"), &start, &move));
    assert_int_equal(chess_move_from(move), 12);
    assert_false(uci_best_move(JD_STR("e2e5"), &start, &move));
    assert_false(uci_best_move(JD_STR("(none)"), &start, &move));
    assert_false(uci_best_move(JD_STR(""), &start, &move));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_best_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
