// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a soak calls growth, on lines whose slope is known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "load/soak.h"

// An hour: caches fill for twenty minutes, then so many MiB and ms are added every minute, with an
// unrest that has no direction.
static bool hour_grows(double mib, double ms, SoakMinute *growth) {
    static Soak soak;
    SoakMinute mean;
    soak.count = 0;
    for (int i = 0; i < 60; i++)
        soak_add(&soak, (SoakMinute) {
                            .rss_mib = 100 + (i < 20 ? 2 * i : 40) + i * mib + (i % 2) * 0.5,
                            .p50_ms = 1 + i * ms + (i % 3) * 0.1,
                            .p99_ms = 20 + (i % 5) * 10,
                        });
    assert_true(soak_growth(&soak, growth, &mean));
    return soak_grows(growth, &mean);
}

static void test_growth(void **state) {
    SoakMinute growth;
    (void)state;
    assert_false(hour_grows(0, 0, &growth)); // what filled at first is no growth
    assert_true(growth.rss_mib < 0.5 && growth.rss_mib > -0.5);
    assert_true(hour_grows(0.5, 0, &growth));
    assert_true(growth.rss_mib > 14 && growth.rss_mib < 15); // 29 steps of half a MiB
    assert_true(hour_grows(0, 0.05, &growth));
    assert_false(hour_grows(-1, -0.01, &growth));
}

static void test_too_short(void **state) {
    SoakMinute growth;
    SoakMinute mean;
    Soak soak = { .count = 6 };
    (void)state;
    assert_false(soak_growth(&soak, &growth, &mean));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_too_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
