// SPDX-License-Identifier: GPL-3.0-or-later
//
// The game of `jadoube play` without a terminal: clocks, flags, moves taken back, files; and its
// words in three languages.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/play_pgn.h"
#include "cli/play_table.h"
#include "cli/play_text.h"

static const JdInstant begin = { INT64_C(1700000000000) };

static JdInstant at(int64_t ms) {
    return (JdInstant) { begin.ms + ms };
}

static void open_game(PlayGame *game, uint32_t white_min, uint32_t black_min, uint32_t increment_s,
                      LawsEdition edition, const char *fen) {
    PlaySetup setup;
    JdErr err = { 0 };
    const uint32_t minutes[2] = { white_min, black_min };
    play_setup_init(&setup);
    setup.edition = (uint8_t)edition;
    assert_true(play_setup_clock(&setup, minutes, increment_s, 0, &err));
    if (fen != NULL)
        assert_true(chess_fen_parse(jd_str(fen), &setup.start, &err));
    if (!play_game_open(game, &setup, begin, &err))
        fail_msg("%s: %s", err.field, err.text);
}

static void move(PlayGame *game, const char *uci, int64_t ms) {
    ChessMove found;
    assert_true(chess_uci_parse(jd_str(uci), &game->laws.position, &found, NULL));
    assert_int_equal(play_move(game, found, false, at(ms)).refusal, LAWS_NOT_REFUSED);
}

// L-003: minutes and seconds out of range are refused, with the field at fault.
static void test_clock_ranges(void **state) {
    (void)state;
    static const struct {
        uint32_t minutes[2], increment, delay;
        const char *field; // NULL: accepted
    } rows[] = {
        { { 0, 0 }, 0, 0, NULL },     { { 1, 1 }, 60, 0, NULL },   { { 600, 1 }, 0, 60, NULL },
        { { 601, 5 }, 0, 0, "time" }, { { 5, 0 }, 0, 0, "time" },  { { 5, 5 }, 61, 0, "increment" },
        { { 5, 5 }, 0, 61, "delay" }, { { 5, 5 }, 3, 3, "delay" }, { { 0, 0 }, 3, 0, "time" },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        PlaySetup setup;
        JdErr err = { 0 };
        play_setup_init(&setup);
        const bool ok =
            play_setup_clock(&setup, rows[i].minutes, rows[i].increment, rows[i].delay, &err);
        if (ok != (rows[i].field == NULL) || (!ok && strcmp(err.field, rows[i].field) != 0))
            fail_msg("row %zu: %s %s", i, ok ? "accepted" : "refused", err.field);
    }
}

// L-003, L-004, L-013: only the side to move loses time; its flag ends the game.
static void test_flag(void **state) {
    (void)state;
    PlayGame game;
    open_game(&game, 5, 2, 0, LAWS_FIDE_2023, NULL);
    move(&game, "e2e4", 10000);
    assert_int_equal(play_reading(&game, CHESS_WHITE, at(60000)), 290000);
    assert_int_equal(play_reading(&game, CHESS_BLACK, at(60000)), 70000);
    assert_false(play_tick(&game, at(129999)));
    assert_true(play_tick(&game, at(131000)));
    assert_int_equal(game.laws.reason, LAWS_FLAG);
    assert_string_equal(laws_result_text(&game.laws), "1-0");
    play_game_close(&game);
}

// L-013: whose opponent has a bare king does not lose by the flag.
static void test_flag_bare_king(void **state) {
    (void)state;
    PlayGame game;
    open_game(&game, 1, 1, 0, LAWS_FIDE_2023, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_true(play_tick(&game, at(61000)));
    assert_int_equal(game.laws.reason, LAWS_FLAG_DRAW);
    play_game_close(&game);
}

// L-013: in blitz of an old edition a flag falls when it is claimed.
static void test_flag_claimed(void **state) {
    (void)state;
    PlayGame game;
    open_game(&game, 5, 5, 0, LAWS_FIDE_2005, NULL);
    assert_false(play_claim_flag(&game, CHESS_BLACK, at(299000)));
    assert_false(play_tick(&game, at(301000)));
    assert_true(play_claim_flag(&game, CHESS_BLACK, at(301000)));
    assert_string_equal(laws_result_text(&game.laws), "0-1");
    play_game_close(&game);
}

// Every edition takes every pace.
static void test_editions(void **state) {
    (void)state;
    static const uint32_t minutes[] = { 0, 3, 20, 120, 600 };
    for (int edition = LAWS_FIDE_1997; edition <= LAWS_FIDE_2023; edition++)
        for (size_t i = 0; i < JD_COUNT(minutes); i++) {
            PlayGame game;
            open_game(&game, minutes[i], minutes[i], 0, (LawsEdition)edition, NULL);
            move(&game, "e2e4", 1000);
            assert_int_equal(play_undo(&game, at(2000)), PLAY_UNDONE);
            assert_int_equal(game.laws.ply_count, 0);
            play_game_close(&game);
        }
}

// L-014: two plies against the computer, time that was used is not given back, off where it is off.
static void test_undo(void **state) {
    (void)state;
    PlayGame game;
    open_game(&game, 5, 5, 0, LAWS_FIDE_2023, NULL);
    assert_int_equal(play_undo(&game, at(0)), PLAY_UNDO_NOTHING);
    game.setup.level[CHESS_BLACK] = 1;
    move(&game, "e2e4", 10000);
    move(&game, "e7e5", 30000);
    assert_int_equal(play_undo(&game, at(35000)), PLAY_UNDONE);
    assert_int_equal(game.laws.ply_count, 0);
    assert_int_equal(play_reading(&game, CHESS_WHITE, at(35000)), 285000);
    assert_int_equal(play_reading(&game, CHESS_BLACK, at(35000)), 280000);
    assert_int_equal(play_reading(&game, CHESS_WHITE, at(36000)), 284000);
    move(&game, "d2d4", 40000);
    game.setup.no_undo = true;
    assert_int_equal(play_undo(&game, at(41000)), PLAY_UNDO_OFF);
    play_game_close(&game);
}

// L-018: play goes on from a position of the history.
static void test_go_back(void **state) {
    (void)state;
    PlayGame game;
    open_game(&game, 0, 0, 0, LAWS_FIDE_2023, NULL);
    static const char *const moves[] = { "e2e4", "e7e5", "g1f3", "b8c6" };
    for (size_t i = 0; i < JD_COUNT(moves); i++)
        move(&game, moves[i], 1000);
    assert_int_equal(play_go_back(&game, 1, at(2000)), PLAY_UNDONE);
    assert_int_equal(game.laws.ply_count, 1);
    move(&game, "c7c5", 3000);
    play_game_close(&game);
}

// L-005: a pause stops both clocks.
static void test_pause(void **state) {
    (void)state;
    PlayGame game;
    open_game(&game, 5, 5, 0, LAWS_FIDE_2023, NULL);
    assert_true(play_pause(&game, at(10000)));
    assert_false(play_pause(&game, at(11000)));
    assert_int_equal(play_reading(&game, CHESS_WHITE, at(500000)), 290000);
    assert_true(play_resume(&game, at(500000)));
    assert_int_equal(play_reading(&game, CHESS_WHITE, at(501000)), 289000);
    play_game_close(&game);
}

// L-010: a claim that is not right changes nothing and says how far it is.
static void test_claims(void **state) {
    (void)state;
    PlayGame game;
    open_game(&game, 0, 0, 0, LAWS_FIDE_2023, NULL);
    static const char *const knights[] = { "g1f3", "g8f6", "f3g1", "f6g8" };
    for (int i = 0; i < 7; i++)
        move(&game, knights[i % 4], i * 1000);
    const uint64_t digest = laws_game_digest(&game.laws);
    PlayClaim claim = play_claim(&game, CHESS_NO_MOVE, at(9000));
    assert_false(claim.is_right);
    assert_int_equal(claim.repetitions, 2);
    assert_int_equal(claim.moves, 3);
    assert_int_equal(laws_game_digest(&game.laws), digest);
    ChessMove back;
    assert_true(chess_uci_parse(JD_STR("f6g8"), &game.laws.position, &back, NULL));
    claim = play_claim(&game, back, at(9000)); // by the move that would be made (Article 9.2.1)
    assert_true(claim.is_right);
    assert_int_equal(game.laws.reason, LAWS_CLAIM_REPETITION);
    play_game_close(&game);
}

// L-015, L-016: a file gives the game back: moves, clocks of both, level, edition, hints, result.
static void test_files(void **state) {
    (void)state;
    char path[] = "/tmp/jadoube-play-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    PlayGame game;
    PlayGame again = { 0 };
    PlayOpened report;
    JdErr err = { 0 };
    open_game(&game, 10, 5, 3, LAWS_FIDE_2014, NULL);
    game.setup.level[CHESS_BLACK] = 4;
    game.hints = 2;
    move(&game, "e2e4", 20000);
    move(&game, "c7c5", 50000);
    assert_true(play_pgn_save(&game, path, at(57000), &err));
    assert_true(play_pgn_open(&again, path, 1, at(900000), &report, &err));
    assert_int_equal(again.laws.ply_count, 2);
    assert_int_equal(again.hints, 2);
    assert_int_equal(again.setup.level[CHESS_BLACK], 4);
    assert_int_equal(again.setup.edition, LAWS_FIDE_2014);
    for (int side = 0; side < 2; side++)
        assert_int_equal(play_reading(&again, (ChessColor)side, at(900000)),
                         play_reading(&game, (ChessColor)side, at(57000)));
    const LawsEvent resign = { .kind = LAWS_EVENT_RESIGN, .actor = LAWS_WHITE };
    (void)play_apply(&again, &resign, at(901000));
    assert_true(play_pgn_save(&again, path, at(902000), &err));
    assert_true(play_pgn_open(&game, path, 1, at(903000), &report, &err));
    assert_string_equal(laws_result_text(&game.laws), "0-1");
    assert_int_equal(game.laws.reason, LAWS_RESIGNATION);
    // A game of the file that is not there changes nothing.
    assert_false(play_pgn_open(&game, path, 2, at(904000), &report, &err));
    assert_string_equal(laws_result_text(&game.laws), "0-1");
    play_game_close(&game);
    play_game_close(&again);
    (void)unlink(path);
}

// ---- the table ----------------------------------------------------------------------------------

typedef struct Said {
    char text[8192];
    size_t size;
} Said;

static void hear(void *context, const char *line) {
    Said *said = context;
    const int size =
        snprintf(said->text + said->size, sizeof(said->text) - said->size, "%s\n", line);
    said->size += (size_t)size;
    assert_true(said->size < sizeof(said->text));
}

static void open_table(PlayTable *table, Said *said, uint8_t black_level) {
    PlaySetup setup;
    JdErr err = { 0 };
    play_setup_init(&setup);
    setup.level[CHESS_BLACK] = black_level;
    *table = (PlayTable) { .engine = play_engine_open(NULL), .say = hear, .context = said };
    *said = (Said) { .size = 0 };
    assert_non_null(table->engine);
    assert_true(play_table_open(table, &setup, &err));
}

// Lets the computer work until nothing is awaited.
static void settle(PlayTable *table) {
    for (int i = 0; i < 6000; i++) {
        play_table_step(table);
        if (!play_table_is_busy(table))
            return;
        (void)usleep(10000);
    }
    fail_msg("the computer does not answer");
}

// L-024: a hint that is overtaken by a move is not given, and not counted.
static void test_hint_overtaken(void **state) {
    (void)state;
    PlayTable table;
    Said said;
    open_table(&table, &said, 0);
    play_table_input(&table, JD_STR("hint"));
    play_table_input(&table, JD_STR("e4"));
    for (int i = 0; i < 150; i++) {
        play_table_step(&table);
        (void)usleep(10000);
    }
    assert_null(strstr(said.text, "Hint"));
    assert_int_equal(table.game.hints, 0);
    play_table_close(&table);
}

// L-006, L-014: a move taken back while the computer thinks; it does not answer a position that is
// no more.
static void test_undo_while_thinking(void **state) {
    (void)state;
    PlayTable table;
    Said said;
    open_table(&table, &said, 8);
    play_table_input(&table, JD_STR("e4"));
    play_table_step(&table);
    play_table_input(&table, JD_STR("undo"));
    settle(&table);
    assert_int_equal(table.game.laws.ply_count, 0);
    play_table_input(&table, JD_STR("Nf3 (=)")); // an offer travels with the move
    settle(&table);
    assert_true(table.game.laws.ply_count == 2 || play_is_over(&table.game));
    assert_non_null(strstr(said.text, "White: draw offered."));
    play_table_close(&table);
}

// L-018: against the computer the clocks wait while the player leafs.
static void test_leafing(void **state) {
    (void)state;
    PlayTable table;
    Said said;
    open_table(&table, &said, 1);
    play_table_input(&table, JD_STR("e4"));
    settle(&table);
    play_table_leaf(&table, 1);
    assert_int_equal(table.game.laws.state, LAWS_STOPPED);
    assert_int_equal(play_table_shown(&table).side_to_move, CHESS_BLACK);
    play_table_input(&table, JD_STR("d4"));
    assert_non_null(strstr(said.text, "Move 1 of 2"));
    play_table_leaf(&table, 2);
    assert_int_equal(table.game.laws.state, LAWS_RUNNING);
    play_table_input(&table, JD_STR("d4"));
    assert_int_equal(table.game.laws.ply_count, 3);
    play_table_close(&table);
}

// ---- words --------------------------------------------------------------------------------------

// The places a text has, as bits.
static unsigned places(const char *text) {
    unsigned bits = 0;
    for (const char *c = text; *c != '\0'; c++)
        if (c[0] == '{' && c[1] >= 'a' && c[1] <= 'c' && c[2] == '}')
            bits |= 1u << (c[1] - 'a');
    return bits;
}

// L-027: every word is there in three languages, with the same places to fill; Romanian is written
// with commas below.
static void test_words(void **state) {
    (void)state;
    for (int word = 0; word < PLAY_WORD_COUNT; word++) {
        const char *english = play_word((PlayWord)word, PLAY_ENGLISH);
        for (int language = 0; language < PLAY_LANGUAGE_COUNT; language++) {
            const char *text = play_word((PlayWord)word, (PlayLanguage)language);
            if (text == NULL || text[0] == '\0' || !jd_utf8_valid(jd_str(text), NULL) ||
                places(text) != places(english))
                fail_msg("word %d, language %d: %s", word, language, text);
            if (strstr(text, "ş") != NULL || strstr(text, "ţ") != NULL)
                fail_msg("a cedilla: %s", text);
        }
    }
}

// Each command is found by its name in each language, and no two share one.
static void test_commands(void **state) {
    (void)state;
    for (int command = PLAY_NO_COMMAND + 1; command < PLAY_COMMAND_COUNT; command++)
        for (int language = 0; language < PLAY_LANGUAGE_COUNT; language++) {
            JdStr rest;
            char line[64];
            (void)snprintf(line, sizeof(line), "  %s  x y ",
                           play_command_name((PlayCommand)command, (PlayLanguage)language));
            assert_int_equal(play_command_find(jd_str(line), &rest), command);
            assert_true(jd_str_equal(rest, JD_STR("x y")));
        }
}

static void test_languages(void **state) {
    (void)state;
    PlayLanguage language;
    assert_true(play_language_find("ru_RU.UTF-8", &language));
    assert_int_equal(language, PLAY_RUSSIAN);
    assert_true(play_language_find("ro", &language));
    assert_int_equal(language, PLAY_ROMANIAN);
    assert_false(play_language_find("rom", &language));
    assert_false(play_language_find("C.UTF-8", &language));
}

static void test_clock_text(void **state) {
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = { { 0, "0:00.0" },    { -5, "0:00.0" },   { 9999, "0:09.9" },    { 10000, "0:10" },
                 { 300000, "5:00" }, { 299001, "5:00" }, { 3600000, "1:00:00" } };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        char text[PLAY_CLOCK_SIZE];
        play_clock_text(rows[i].ms, text);
        assert_string_equal(text, rows[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_ranges),   cmocka_unit_test(test_flag),
        cmocka_unit_test(test_flag_bare_king), cmocka_unit_test(test_flag_claimed),
        cmocka_unit_test(test_editions),       cmocka_unit_test(test_undo),
        cmocka_unit_test(test_go_back),        cmocka_unit_test(test_pause),
        cmocka_unit_test(test_claims),         cmocka_unit_test(test_files),
        cmocka_unit_test(test_hint_overtaken), cmocka_unit_test(test_undo_while_thinking),
        cmocka_unit_test(test_leafing),        cmocka_unit_test(test_words),
        cmocka_unit_test(test_commands),       cmocka_unit_test(test_languages),
        cmocka_unit_test(test_clock_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
