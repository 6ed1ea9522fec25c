// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chess clock by itself (Articles 6.1 to 6.3, 6.8; L-028).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jadoube/laws_timer.h>

static JdInstant at(int64_t ms) {
    return (JdInstant) { INT64_C(1700000000000) + ms };
}

static LawsTimer timer_of(int64_t white_ms, int64_t black_ms, int64_t increment_ms,
                          int64_t delay_ms) {
    LawsTimer timer;
    LawsControl control[2] = { 0 };
    for (int side = 0; side < 2; side++) {
        control[side].period_count = 1;
        control[side].periods[0] =
            (LawsPeriod) { .time_ms = side == CHESS_WHITE ? white_ms : black_ms,
                           .increment_ms = increment_ms,
                           .delay_ms = delay_ms,
                           .delay_kind = delay_ms > 0 ? LAWS_SIMPLE_DELAY : LAWS_NO_DELAY };
    }
    JdErr err = { 0 };
    if (!laws_timer_set(&timer, control, &err))
        fail_msg("%s: %s", err.field, err.text);
    return timer;
}

// Neither runs before the first press; then one does, and never both.
static void test_presses(void **state) {
    (void)state;
    LawsTimer timer = timer_of(60000, 120000, 5000, 0);
    assert_int_equal(laws_timer_running(&timer), 0);
    assert_int_equal(laws_timer_reading(&timer, CHESS_WHITE, at(50000)), 60000);
    assert_int_equal(laws_timer_press(&timer, CHESS_BLACK, at(1000)), LAWS_TIMER_PRESSED);
    assert_int_equal(laws_timer_running(&timer), 1 + CHESS_WHITE);
    assert_int_equal(laws_timer_reading(&timer, CHESS_BLACK, at(9000)), 120000);
    assert_int_equal(laws_timer_press(&timer, CHESS_BLACK, at(9000)), LAWS_TIMER_NOT_RUNNING);
    assert_int_equal(laws_timer_press(&timer, CHESS_WHITE, at(11000)), LAWS_TIMER_PRESSED);
    assert_int_equal(laws_timer_reading(&timer, CHESS_WHITE, at(99000)), 55000);
    assert_int_equal(laws_timer_running(&timer), 1 + CHESS_BLACK);
}

// A second press within 50 ms is the same press.
static void test_bounce(void **state) {
    (void)state;
    LawsTimer timer = timer_of(60000, 60000, 0, 0);
    assert_int_equal(laws_timer_press(&timer, CHESS_WHITE, at(0)), LAWS_TIMER_PRESSED);
    assert_int_equal(laws_timer_press(&timer, CHESS_BLACK, at(49)), LAWS_TIMER_BOUNCED);
    assert_int_equal(laws_timer_press(&timer, CHESS_BLACK, at(50)), LAWS_TIMER_PRESSED);
}

// A fallen flag stops nothing; of two the first is known, each with its own instant.
static void test_flags(void **state) {
    (void)state;
    LawsTimer timer = timer_of(60000, 60000, 0, 0);
    (void)laws_timer_press(&timer, CHESS_BLACK, at(0));
    assert_false(laws_timer_look(&timer, at(59999)));
    assert_true(laws_timer_look(&timer, at(60000)));
    assert_false(laws_timer_look(&timer, at(70000)));
    assert_true(laws_timer_is_down(&timer, CHESS_WHITE));
    assert_int_equal(laws_timer_reading(&timer, CHESS_WHITE, at(70000)), 0);
    assert_int_equal(timer.first_fallen, 1 + CHESS_WHITE);
    assert_int_equal(timer.fallen_ms[CHESS_WHITE], at(60000).ms);
    (void)laws_timer_press(&timer, CHESS_WHITE, at(80000));
    assert_true(laws_timer_look(&timer, at(150000)));
    assert_true(laws_timer_is_down(&timer, CHESS_BLACK));
    assert_int_equal(timer.first_fallen, 1 + CHESS_WHITE);
    assert_int_equal(timer.fallen_ms[CHESS_BLACK], at(140000).ms);
}

// A flag that nobody looked at before the press has fallen all the same; an increment revives none.
static void test_flag_at_press(void **state) {
    (void)state;
    LawsTimer timer = timer_of(60000, 60000, 5000, 0);
    (void)laws_timer_press(&timer, CHESS_BLACK, at(0));
    (void)laws_timer_press(&timer, CHESS_WHITE, at(61000));
    assert_true(laws_timer_is_down(&timer, CHESS_WHITE));
    assert_int_equal(timer.fallen_ms[CHESS_WHITE], at(60000).ms);
    assert_int_equal(laws_timer_reading(&timer, CHESS_WHITE, at(62000)), 0);
}

static void test_delay_and_pause(void **state) {
    (void)state;
    LawsTimer timer = timer_of(60000, 60000, 0, 5000);
    (void)laws_timer_press(&timer, CHESS_BLACK, at(0));
    assert_int_equal(laws_timer_reading(&timer, CHESS_WHITE, at(4000)), 60000);
    assert_int_equal(laws_timer_delay_left(&timer, at(4000)), 1000);
    assert_int_equal(laws_timer_reading(&timer, CHESS_WHITE, at(7000)), 58000);
    assert_true(laws_timer_pause(&timer, at(7000)));
    assert_false(laws_timer_pause(&timer, at(8000)));
    assert_int_equal(laws_timer_press(&timer, CHESS_WHITE, at(8000)), LAWS_TIMER_PAUSED);
    assert_int_equal(laws_timer_reading(&timer, CHESS_WHITE, at(100000)), 58000);
    assert_true(laws_timer_resume(&timer, at(100000)));
    assert_int_equal(laws_timer_running(&timer), 1 + CHESS_WHITE);
}

static void test_unsound(void **state) {
    (void)state;
    LawsTimer timer;
    JdErr err = { 0 };
    const LawsControl control[2] = { { .period_count = 1 }, { .period_count = 1 } };
    assert_false(laws_timer_set(&timer, control, &err));
    assert_true(err.text[0] != '\0');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_presses),         cmocka_unit_test(test_bounce),
        cmocka_unit_test(test_flags),           cmocka_unit_test(test_flag_at_press),
        cmocka_unit_test(test_delay_and_pause), cmocka_unit_test(test_unsound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
