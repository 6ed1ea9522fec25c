// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time controls: text, checks, pace.
#include "scenario.h"

static void test_pace(void **state) {
    (void)state;
    JdStr rest = jd_str(table_read("controls.txt"));
    JdStr line;
    int number = 0;
    while (table_line(&rest, &line, &number)) {
        const JdStr text = jd_str_trim(jd_str_cut(&line, '|'));
        JdStr paces = jd_str_trim(line);
        LawsControl control;
        JdErr err = { 0 };
        if (!laws_control_parse(text, &control, &err))
            fail_msg("controls.txt:%d: %s", number, err.text);
        for (int edition = LAWS_FIDE_1997; edition <= LAWS_FIDE_2023; edition++) {
            const JdStr expected = jd_str_cut(&paces, ' ');
            const char *const is =
                laws_pace_name(laws_control_pace((LawsEdition)edition, &control));
            if (!jd_str_equal(expected, JD_STR("?")) && !jd_str_equal(expected, jd_str(is)))
                fail_msg("controls.txt:%d: %.*s is %s in %s, expected %.*s", number, JD_PRINT(text),
                         is, laws_edition_name((LawsEdition)edition), JD_PRINT(expected));
        }
    }
}

static void test_text_round_trip(void **state) {
    (void)state;
    static const char *const texts[] = {
        "900+10",
        "300",
        "-",
        "1/259200",
        "40/7200:3600",
        "40/7200:20/3600:1800",
        "40/7200:20/3600",
        "900d10",
        "900b10",
        "864000+120x360",
        "90.5+0.001",
        "40/5400+30:1800+30",
        "0+5",
        "0d5",
        "2/60:1/30",
        "3/60+5",
    };
    for (size_t i = 0; i < JD_COUNT(texts); i++) {
        LawsControl control;
        JdErr err = { 0 };
        char text[LAWS_CONTROL_TEXT_SIZE];
        if (!laws_control_parse(jd_str(texts[i]), &control, &err))
            fail_msg("%s: byte %u: %s", texts[i], err.offset, err.text);
        assert_int_equal(laws_control_write(&control, text), strlen(texts[i]));
        assert_string_equal(text, texts[i]);
        if (strcmp(texts[i], "-") != 0)
            assert_true(laws_control_check(&control, &err));
    }
    // Ten years and a millisecond is too long.
    LawsControl control;
    assert_false(laws_control_parse(JD_STR("315360000.001"), &control, NULL));
}

static void test_longest_text_fits(void **state) {
    (void)state;
    LawsControl control = { .period_count = LAWS_PERIODS_MAX, .repeat = 1 };
    for (int i = 0; i < LAWS_PERIODS_MAX; i++)
        control.periods[i] = (LawsPeriod) { .moves = 9999,
                                            .increment_moves = 9999,
                                            .time_ms = INT64_C(315359999999),
                                            .increment_ms = INT64_C(315359999999) };
    JdErr err = { 0 };
    char text[LAWS_CONTROL_TEXT_SIZE];
    LawsControl again;
    assert_true(laws_control_check(&control, &err));
    laws_control_write(&control, text);
    assert_true(laws_control_parse(jd_str(text), &again, &err));
    assert_memory_equal(&again, &control, sizeof control);
}

static const struct {
    const char *text;
    uint32_t offset;
} bad_texts[] = {
    { "", 0 },           { "x", 0 },        { "900+", 4 },
    { "900+x", 4 },      { "900++10", 4 },  { "900 +10", 3 },
    { "40/", 3 },        { "0/60", 2 },     { "900+10:", 7 },
    { "900.", 4 },       { "900.1234", 7 }, { "0900", 0 },
    { "1234567890", 9 }, { "900+10d5", 6 }, { "60:60:60:60:60:60:60", 18 },
    { "1/0", 3 },        { "--", 0 },       { "900+10x", 7 },
    { "900+10 ", 6 },
};

static void test_bad_texts(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(bad_texts); i++) {
        LawsControl control;
        memset(&control, 7, sizeof control);
        const LawsControl before = control;
        JdErr err = { 0 };
        if (laws_control_parse(jd_str(bad_texts[i].text), &control, &err))
            fail_msg("\"%s\" accepted", bad_texts[i].text);
        assert_memory_equal(&control, &before, sizeof control);
        assert_true(err.text[0] != '\0' && err.field[0] != '\0');
        if (err.code == LAWS_FAULT_CONTROL_TEXT && err.offset != bad_texts[i].offset)
            fail_msg("\"%s\": byte %u (%s), expected %u", bad_texts[i].text, err.offset, err.text,
                     bad_texts[i].offset);
    }
}

static const struct {
    const char *text; // a sound control ...
    int what;         // ... and what is done to it
    const char *field;
} unsound[] = {
    { "900+10", 0, "time" },     { "900+10", 1, "increment" }, { "900d5", 2, "delay" },
    { "900", 3, "periods" },     { "900", 4, "periods" },      { "40/60:60", 5, "moves" },
    { "900", 6, "repeat" },      { "900+10", 7, "delay" },     { "900", 8, "time" },
    { "1/60", 9, "move time" },  { "1/60", 10, "move time" },  { "900", 11, "increment" },
    { "900d5", 12, "delay" },    { "40/60:60", 13, "time" },   { "900", 14, "switch" },
    { "40/60:60", 15, "moves" }, { "900", 16, "time" },        { "40/60", 17, "moves" },
};

static void spoil(LawsControl *control, int what) {
    LawsPeriod *const first = &control->periods[0];
    LawsPeriod *const last =
        &control->periods[control->period_count > 0 ? control->period_count - 1 : 0];
    switch (what) {
    case 0:
        first->time_ms = -1;
        break;
    case 1:
        first->increment_ms = -1;
        break;
    case 2:
        first->delay_kind = 0;
        break;
    case 3:
        control->period_count = 0;
        break;
    case 4:
        control->period_count = 7;
        break;
    case 5:
        first->moves = 0;
        break;
    case 6:
        control->repeat = 1;
        break;
    case 7:
        first->delay_ms = 5000;
        first->delay_kind = LAWS_SIMPLE_DELAY;
        break;
    case 8:
        first->time_ms = 0;
        break;
    case 9:
        control->move_ms = -5;
        break;
    case 10:
        control->period_count = 1;
        first->time_ms = 1000;
        break;
    case 11:
        first->increment_moves = 5;
        break;
    case 12:
        first->delay_kind = 3;
        break;
    case 13:
        last->time_ms = 0;
        break;
    case 14:
        control->first_increment = 2;
        break;
    case 15:
        last->moves = 10;
        break;
    case 16:
        first->time_ms = INT64_MAX;
        break;
    case 17:
        first->moves = 10000;
        break;
    default:
        fail();
    }
}

static void test_unsound_controls(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(unsound); i++) {
        LawsControl control;
        JdErr err = { 0 };
        assert_true(laws_control_parse(jd_str(unsound[i].text), &control, &err));
        spoil(&control, unsound[i].what);
        if (laws_control_check(&control, &err))
            fail_msg("unsound[%zu] accepted", i);
        if (err.code != LAWS_FAULT_CONTROL || strcmp(err.field, unsound[i].field) != 0)
            fail_msg("unsound[%zu]: field %s (%s), expected %s", i, err.field, err.text,
                     unsound[i].field);
    }
}

static void test_slow(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool is_slow;
    } controls[] = { { "1/60", true }, { "86400", true }, { "86399+60", false }, { "-", false } };
    for (size_t i = 0; i < JD_COUNT(controls); i++) {
        LawsControl control;
        assert_true(laws_control_parse(jd_str(controls[i].text), &control, NULL));
        assert_int_equal(laws_control_is_slow(&control), controls[i].is_slow);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pace),
        cmocka_unit_test(test_text_round_trip),
        cmocka_unit_test(test_longest_text_fits),
        cmocka_unit_test(test_bad_texts),
        cmocka_unit_test(test_unsound_controls),
        cmocka_unit_test(test_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
