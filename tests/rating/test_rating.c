// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ratings against the printed table (tests/data/rating/expected.txt) and the check values of the
// house.
#include "../check.h"

#include <jadoube/rating.h>

// ---- S-114, S-116: expected scores --------------------------------------------------------------

// "from-to higher lower", every border of the printed table.
static void test_table(void **state) {
    (void)state;
    FILE *file = fopen(TEST_DATA "/rating/expected.txt", "r");
    assert_non_null(file);
    char line[128];
    int rows = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        int from, to, higher;
        if (line[0] == '#')
            continue;
        if (sscanf(line, "%d-%d %d", &from, &to, &higher) != 3)
            fail_msg("expected.txt: %s", line);
        const int borders[] = { from, to, (from + to) / 2 };
        for (size_t i = 0; i < JD_COUNT(borders); i++) {
            assert_int_equal(rating_expected(1500 + borders[i], 1500), higher);
            assert_int_equal(rating_expected(1500, 1500 + borders[i]), 100 - higher);
        }
        const RatingRow row = rating_row(rows);
        assert_int_equal(row.from, from);
        assert_int_equal(row.to, to == 9999 ? INT32_MAX : to);
        assert_int_equal(row.higher, higher);
        assert_int_equal(row.lower, 100 - higher);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, RATING_ROWS);
}

// S-114: no cap at 400 points, and differences of any size are taken.
static void test_no_cap(void **state) {
    (void)state;
    assert_int_equal(rating_expected(2000, 1600), 92); // a lead of 400 is not the end
    assert_int_equal(rating_expected(2000, 1100), 100);
    assert_int_equal(rating_expected(INT32_MAX, INT32_MIN), 100);
    assert_int_equal(rating_expected(INT32_MIN, INT32_MAX), 0);
}

// ---- S-113: the coefficient ---------------------------------------------------------------------

static void test_k(void **state) {
    (void)state;
    static const struct {
        RatingPlayer player;
        int k;
    } cases[] = {
        { { 1500, 0 }, 25 },  { { 1500, 29 }, 25 }, { { 1500, 30 }, 15 },  { { 2399, 30 }, 15 },
        { { 2400, 30 }, 10 }, { { 2400, 29 }, 25 }, { { 2399, 500 }, 15 }, // back below: 15 again
    };
    for (size_t i = 0; i < JD_COUNT(cases); i++)
        if (rating_k(cases[i].player) != cases[i].k)
            fail_msg("cases[%zu]: K %d", i, (int)rating_k(cases[i].player));
    assert_true(rating_is_provisional(29));
    assert_false(rating_is_provisional(30));
}

// ---- S-112, S-115: the change -------------------------------------------------------------------

static void test_changes(void **state) {
    (void)state;
    static const struct {
        RatingPlayer white;
        RatingPlayer black;
        int half_points; // of White
        int change[2];
    } cases[] = {
        // the check values of the house
        { { 1500, 0 }, { 1500, 0 }, 2, { 13, -13 } },
        { { 1500, 0 }, { 1500, 0 }, 1, { 0, 0 } },
        { { 1600, 30 }, { 1500, 0 }, 2, { 5, -9 } },
        { { 2450, 30 }, { 2250, 30 }, 0, { -8, 11 } },
        // half away from zero: 25 x 50 / 100 = 12.5; 15 x 50 / 100 = 7.5
        { { 1500, 30 }, { 1500, 30 }, 2, { 8, -8 } },
        // 10 x 45 / 100 = 4.5 up, -4.5 down
        { { 2435, 40 }, { 2400, 40 }, 2, { 5, -5 } },
        // nothing is won from a hopeless opponent, and nothing lost
        { { 2400, 40 }, { 1000, 40 }, 2, { 0, 0 } },
        { { 2400, 40 }, { 1000, 40 }, 1, { -5, 8 } },
        // the floor
        { { 100, 40 }, { 100, 40 }, 2, { 8, 0 } },
        { { 105, 0 }, { 100, 0 }, 0, { -5, 13 } },
    };
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        const RatingChange white =
            rating_after(cases[i].white, cases[i].black, cases[i].half_points);
        const RatingChange black =
            rating_after(cases[i].black, cases[i].white, 2 - cases[i].half_points);
        if (white.after - white.before != cases[i].change[0] ||
            black.after - black.before != cases[i].change[1] ||
            white.before != cases[i].white.rating || white.expected + black.expected != 100)
            fail_msg("cases[%zu]: %+d / %+d", i, (int)(white.after - white.before),
                     (int)(black.after - black.before));
    }
}

// Whatever is played: expectations add up, equal coefficients give and take alike, nobody loses by
// winning, and a better result never gives fewer points.
static void test_properties(void **state) {
    (void)state;
    uint64_t random = 20261130;
    print_message("seed %llu\n", (unsigned long long)random);
    for (int i = 0; i < 200000; i++) {
        const RatingPlayer a = { 100 + (int32_t)jd_random_below(&random, 2900),
                                 jd_random_below(&random, 60) };
        const RatingPlayer b = { 100 + (int32_t)jd_random_below(&random, 2900),
                                 jd_random_below(&random, 60) };
        assert_int_equal(rating_expected(a.rating, b.rating) + rating_expected(b.rating, a.rating),
                         100);
        int32_t last = INT32_MIN;
        for (int score = 0; score <= 2; score++) {
            const RatingChange own = rating_after(a, b, score);
            const RatingChange other = rating_after(b, a, 2 - score);
            assert_true(own.after >= RATING_FLOOR && own.after >= last);
            assert_true(score != 2 || own.after >= own.before);
            assert_true(score != 0 || own.after <= own.before);
            assert_true(own.after - own.before <= own.k && own.before - own.after <= own.k);
            const bool floored = own.after == RATING_FLOOR || other.after == RATING_FLOOR;
            assert_true(floored || own.k != other.k ||
                        own.after - own.before == other.before - other.after);
            last = own.after;
        }
    }
}

// ---- S-117, S-121: classes and groups -----------------------------------------------------------

static void test_classes(void **state) {
    (void)state;
    static const struct {
        int rating;
        int class_number;
    } cases[] = {
        { 3000, 1 }, { 2600, 1 }, { 2599, 2 }, { 2400, 2 }, { 2399, 3 }, { 2200, 3 },
        { 2199, 4 }, { 2000, 4 }, { 1999, 5 }, { 1800, 5 }, { 1799, 6 }, { 1600, 6 },
        { 1599, 7 }, { 1400, 7 }, { 1399, 8 }, { 1200, 8 }, { 1199, 9 }, { 100, 9 },
    };
    for (size_t i = 0; i < JD_COUNT(cases); i++)
        if (rating_class(cases[i].rating) != cases[i].class_number)
            fail_msg("%d: class %d", cases[i].rating, rating_class(cases[i].rating));
    for (int number = 1; number < RATING_CLASSES; number++) {
        assert_int_equal(rating_class(rating_class_from(number)), number);
        assert_int_equal(rating_class(rating_class_from(number) - 1), number + 1);
    }
}

static void test_groups(void **state) {
    (void)state;
    static const struct {
        int rating;
        char group;
    } cases[] = { { 100, 'C' },  { 1599, 'C' }, { 1600, 'B' },
                  { 1899, 'B' }, { 1900, 'A' }, { 2700, 'A' } };
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        int32_t from, to;
        assert_int_equal(rating_group(cases[i].rating), cases[i].group);
        assert_true(rating_group_range(cases[i].group, &from, &to));
        assert_in_range(cases[i].rating, from, to);
    }
    int32_t from = 7, to = 7;
    assert_false(rating_group_range('D', &from, &to));
    assert_int_equal(from + to, 14);
}

// S-111: the four lists by name.
static void test_lists(void **state) {
    (void)state;
    for (int list = 0; list < RATING_LISTS; list++) {
        RatingList read = RATING_LISTS;
        assert_true(rating_list_parse(jd_str(rating_list_name((RatingList)list)), &read));
        assert_int_equal(read, list);
    }
    RatingList read = RATING_RAPID;
    assert_false(rating_list_parse(JD_STR("Blitz"), &read));
    assert_false(rating_list_parse(JD_STR(""), &read));
    assert_int_equal(read, RATING_RAPID);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),      cmocka_unit_test(test_no_cap),
        cmocka_unit_test(test_k),          cmocka_unit_test(test_changes),
        cmocka_unit_test(test_properties), cmocka_unit_test(test_classes),
        cmocka_unit_test(test_groups),     cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
