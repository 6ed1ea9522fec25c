// SPDX-License-Identifier: GPL-3.0-or-later
#include "../check.h"

#include "engine/levels.h"

static ChessPosition position(const char *fen) {
    ChessPosition pos;
    JdErr err;
    if (!chess_fen_parse(jd_str(fen), &pos, &err))
        fail_msg("%s: %s", fen, err.text);
    return pos;
}

static ChessMove move_of(const ChessPosition *pos, const char *uci) {
    ChessMove move;
    if (!chess_uci_parse(jd_str(uci), pos, &move, NULL))
        fail_msg("%s is not legal", uci);
    return move;
}

static void test_names(void **state) {
    (void)state;
    for (int i = 1; i <= ENGINE_LEVELS; i++) {
        assert_int_equal(engine_level_find(jd_str(engine_level(i)->name)), i);
        if (i > 1)
            assert_true(engine_level(i)->elo > engine_level(i - 1)->elo);
    }
    assert_int_equal(engine_level_find(JD_STR("grandmother")), 0);
}

// Whatever the engine said or did not say, the move is legal.
static void test_always_legal(void **state) {
    (void)state;
    uint64_t random = 1;
    ChessPosition pos = chess_position_start();
    for (int ply = 0; ply < 400; ply++) {
        if (!chess_has_legal_move(&pos))
            pos = chess_position_start();
        const EngineAnswer none = { .outcome = ENGINE_FAILED };
        const EngineLevel *level = engine_level(1 + ply % ENGINE_LEVELS);
        const ChessMove move = engine_level_choose(level, &pos, &none, &random);
        assert_true(chess_move_is_legal(&pos, move));
        ChessUndo undo;
        chess_move_make(&pos, move, &undo);
    }
}

static int taken_by(int number, const char *fen, const char *uci, int games) {
    uint64_t random = 7;
    const ChessPosition pos = position(fen);
    const ChessMove wanted = move_of(&pos, uci);
    const EngineAnswer none = { .outcome = ENGINE_FAILED };
    int count = 0;
    for (int i = 0; i < games; i++)
        count += engine_level_choose(engine_level(number), &pos, &none, &random) == wanted;
    return count;
}

// A beginner takes what stands free, and mostly does not see that the pawn on d5 is guarded.
static void test_how_beginners_err(void **state) {
    (void)state;
    const char *free_queen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 20";
    assert_true(taken_by(1, free_queen, "e4d5", 100) > 95);
    const char *guarded = "4k3/8/4p3/3p4/8/8/3Q4/4K3 w - - 0 20";
    const int blind = taken_by(1, guarded, "d2d5", 200);
    const int seeing = taken_by(6, guarded, "d2d5", 200);
    assert_true(blind > 2 * seeing);
    assert_true(seeing < 40);
}

// A loss of `blur` halves the chance; the engine's own choice where nothing is blurred.
static void test_choice_among_lines(void **state) {
    (void)state;
    const ChessPosition pos = chess_position_start();
    EngineAnswer answer = { .outcome = ENGINE_ANSWERED, .lines_count = 2 };
    answer.best = move_of(&pos, "e2e4");
    answer.lines[0] = (EngineLine) { .score = 100, .count = 1, .moves = { answer.best } };
    answer.lines[1] = (EngineLine) { .count = 1, .moves = { move_of(&pos, "a2a3") } };
    const EngineLevel blurred = { .attention = 1000, .blur = 100, .lines = 2 };
    uint64_t random = 3;
    int best = 0;
    for (int i = 0; i < 3000; i++)
        best += engine_level_choose(&blurred, &pos, &answer, &random) == answer.best;
    assert_in_range(best, 1900, 2100); // two thirds
    for (int i = 0; i < 100; i++)
        assert_int_equal(engine_level_choose(engine_level(ENGINE_LEVELS), &pos, &answer, &random),
                         answer.best);
    // A forced mate is not one move among others of 1000 centipawns more.
    answer.lines[0].is_mate = true;
    answer.lines[0].score = 1;
    for (int i = 0; i < 100; i++)
        assert_int_equal(engine_level_choose(&blurred, &pos, &answer, &random), answer.best);
}

static void test_pace(void **state) {
    (void)state;
    const ChessPosition pos =
        position("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 9");
    const EngineAnswer answer = { .outcome = ENGINE_ANSWERED, .best = move_of(&pos, "d4c5") };
    uint64_t random = 5;
    uint32_t least = UINT32_MAX;
    uint32_t most = 0;
    for (int i = 0; i < 500; i++) {
        const uint32_t pace =
            engine_level_pace(engine_level(3), &pos, CHESS_NO_MOVE, &answer, 300000, 0, &random);
        least = pace < least ? pace : least;
        most = pace > most ? pace : most;
    }
    assert_true(least >= 350);
    assert_true(most <= 15000 && most > 3 * least);
    // With seconds left it never thinks itself over the flag.
    for (int64_t left = 100; left < 20000; left += 100)
        assert_true(engine_level_pace(engine_level(5), &pos, CHESS_NO_MOVE, &answer, left, 0,
                                      &random) <= left / 10);
}

static void test_draws(void **state) {
    (void)state;
    EngineAnswer answer = { .outcome = ENGINE_ANSWERED, .lines_count = 1 };
    answer.lines[0].score = 30;
    assert_true(engine_level_accepts_draw(&answer, 31));
    assert_false(engine_level_accepts_draw(&answer, 30));
    answer.lines[0].score = 31;
    assert_false(engine_level_accepts_draw(&answer, 60));
    answer.lines[0].score = -100; // however bad it is, not in the opening
    assert_false(engine_level_accepts_draw(&answer, 1));
    assert_true(engine_level_accepts_draw(&answer, 31));
    answer.outcome = ENGINE_FAILED;
    assert_false(engine_level_accepts_draw(&answer, 60));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_always_legal),
        cmocka_unit_test(test_how_beginners_err),
        cmocka_unit_test(test_choice_among_lines),
        cmocka_unit_test(test_pace),
        cmocka_unit_test(test_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
