// SPDX-License-Identifier: GPL-3.0-or-later
//
// The percentiles of jadoube-load against a sorted list, by the definition of the percentile.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "load/histogram.h"

#define COUNT 20000

static int by_value(const void *a, const void *b) {
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

// The least of the sorted values with at least so large a share at or below it.
static int64_t exact(const int64_t *sorted, size_t count, double share) {
    size_t at = (size_t)(share * (double)count);
    if ((double)at < share * (double)count)
        at++;
    return sorted[at == 0 ? 0 : at - 1];
}

static void test_small_values_are_exact(void **state) {
    (void)state;
    Histogram *histogram = calloc(1, sizeof(*histogram));
    assert_int_equal(histogram_at(histogram, 0.99), 0);
    for (int64_t value = 1; value <= 100; value++)
        histogram_add(histogram, value);
    assert_int_equal(histogram_at(histogram, 0.5), 50);
    assert_int_equal(histogram_at(histogram, 0.99), 99);
    assert_int_equal(histogram_at(histogram, 0.991), 100);
    assert_int_equal(histogram_at(histogram, 1), 100);
    assert_int_equal(histogram_at(histogram, 0), 1);
    free(histogram);
}

static void test_percentiles_are_within_one_percent(void **state) {
    static const double shares[] = { 0, 0.01, 0.5, 0.9, 0.99, 0.999, 0.9999, 1 };
    (void)state;
    Histogram *histogram = calloc(1, sizeof(*histogram));
    int64_t *values = calloc(COUNT, sizeof(*values));
    uint64_t random = 1; // fixed: the same values every time
    for (size_t i = 0; i < COUNT; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        values[i] = (int64_t)(random >> (24 + (random >> 33) % 38)); // all sizes up to 2^40
        histogram_add(histogram, values[i]);
    }
    qsort(values, COUNT, sizeof(*values), by_value);
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
        const int64_t want = exact(values, COUNT, shares[i]);
        const int64_t have = histogram_at(histogram, shares[i]);
        if (have < want || have > want + want / 100)
            fail_msg("share %g: %lld, expected %lld to 1 %% more", shares[i], (long long)have,
                     (long long)want);
    }
    free(values);
    free(histogram);
}

static void test_what_does_not_fit(void **state) {
    (void)state;
    Histogram *histogram = calloc(1, sizeof(*histogram));
    histogram_add(histogram, -5);
    assert_int_equal(histogram_at(histogram, 1), 0);
    histogram_add(histogram, INT64_MAX);
    assert_int_equal(histogram_at(histogram, 1), (INT64_C(1) << 42) - 1);
    assert_int_equal(histogram->count, 2);
    free(histogram);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_values_are_exact),
        cmocka_unit_test(test_percentiles_are_within_one_percent),
        cmocka_unit_test(test_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
