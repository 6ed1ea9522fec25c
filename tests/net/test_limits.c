// SPDX-License-Identifier: GPL-3.0-or-later
//
// Token buckets and the table of addresses.
#include "../check.h"

#include "net/rate_limits.h"

static JdInstant at(int64_t ms) {
    return (JdInstant) { 1700000000000 + ms };
}

static void test_bucket(void **state) {
    (void)state;
    const NetRate rate = { 20, 250 }; // 20 in 5 s
    NetBucket bucket = { 0 };
    int64_t wait = 0;
    for (int i = 0; i < 20; i++)
        assert_true(net_bucket_take(&bucket, rate, at(0), &wait));
    assert_false(net_bucket_take(&bucket, rate, at(0), &wait));
    assert_int_equal(wait, 250);
    assert_false(net_bucket_take(&bucket, rate, at(249), &wait));
    assert_int_equal(wait, 1);
    assert_true(net_bucket_take(&bucket, rate, at(250), &wait));
    assert_false(net_bucket_take(&bucket, rate, at(250), &wait));
    // Long silence fills it to the brim and no further.
    for (int i = 0; i < 20; i++)
        assert_true(net_bucket_take(&bucket, rate, at(1000000), NULL));
    assert_false(net_bucket_take(&bucket, rate, at(1000000), NULL));
}

static void test_bucket_bounds_any_span(void **state) {
    (void)state;
    const NetRate rate = { 5, 100 };
    uint64_t seed = 42;
    NetBucket bucket = { 0 };
    int64_t taken[2000];
    int count = 0;
    for (int64_t now = 0; now < 20000; now += (int64_t)jd_random_below(&seed, 40))
        if (net_bucket_take(&bucket, rate, at(now), NULL))
            taken[count++] = now;
    // In any window of w ms at most burst + w / refill are let through.
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++)
            if (j - i + 1 > 5 + (taken[j] - taken[i]) / 100)
                fail_msg("seed 42: %d in %lld ms", j - i + 1, (long long)(taken[j] - taken[i]));
    assert_true(count > 190); // and it is not stricter than it says
}

static NetAddress address(const char *text) {
    NetAddress out;
    if (!net_address_parse(text, &out))
        fail_msg("%s: no address", text);
    return out;
}

static void test_addresses(void **state) {
    (void)state;
    NetAddress v4 = address("10.0.0.1");
    NetAddress mapped = address("::ffff:10.0.0.1");
    assert_memory_equal(&v4, &mapped, sizeof(v4));
    // A subscriber's network of 64 bits is one; the next is another.
    NetAddress a = address("2001:db8:1:2::1");
    NetAddress b = address("2001:db8:1:2:ffff::9");
    NetAddress c = address("2001:db8:1:3::1");
    assert_memory_equal(&a, &b, sizeof(a));
    assert_memory_not_equal(&a, &c, sizeof(a));
    NetAddress out;
    static const char *const bad[] = { "",          "10.0.0",     "10.0.0.256",  "::g",
                                       "localhost", "1.2.3.4:80", "fe80::1%eth0" };
    for (size_t i = 0; i < JD_COUNT(bad); i++)
        if (net_address_parse(bad[i], &out))
            fail_msg("\"%s\" was read", bad[i]);
}

static void test_quotas_are_apart(void **state) {
    (void)state;
    NetLimits *limits = net_limits_new(7);
    const NetAddress one = address("192.0.2.1");
    const NetAddress two = address("192.0.2.2");
    int64_t wait = 0;
    while (net_limits_take(limits, &one, NET_QUOTA_LOGIN, at(0), &wait)) {
    }
    assert_true(wait > 0);
    assert_true(net_limits_take(limits, &one, NET_QUOTA_API, at(0), NULL));
    assert_true(net_limits_take(limits, &two, NET_QUOTA_LOGIN, at(0), NULL));
    assert_true(net_limits_take(limits, &one, NET_QUOTA_LOGIN, at(wait), NULL));
    net_limits_free(limits);
}

static void test_connections(void **state) {
    (void)state;
    NetLimits *limits = net_limits_new(7);
    const NetAddress one = address("192.0.2.1");
    assert_true(net_limits_open(limits, &one, 2, at(0)));
    assert_true(net_limits_open(limits, &one, 2, at(0)));
    assert_false(net_limits_open(limits, &one, 2, at(0)));
    net_limits_close(limits, &one);
    assert_true(net_limits_open(limits, &one, 2, at(0)));
    net_limits_free(limits);
}

// A flood of addresses pushes out the idle ones, not one with a connection.
static void test_flood_of_addresses(void **state) {
    (void)state;
    NetLimits *limits = net_limits_new(7);
    const NetAddress kept = address("192.0.2.1");
    assert_true(net_limits_open(limits, &kept, 1, at(0)));
    for (int i = 0; i < 4 * NET_ADDRESSES_MAX; i++) {
        char text[32];
        snprintf(text, sizeof(text), "10.%d.%d.%d", i >> 16, (i >> 8) & 255, i & 255);
        const NetAddress other = address(text);
        assert_true(net_limits_take(limits, &other, NET_QUOTA_API, at(i + 1), NULL));
    }
    assert_false(net_limits_open(limits, &kept, 1, at(1000000)));
    net_limits_free(limits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bucket),      cmocka_unit_test(test_bucket_bounds_any_span),
        cmocka_unit_test(test_addresses),   cmocka_unit_test(test_quotas_are_apart),
        cmocka_unit_test(test_connections), cmocka_unit_test(test_flood_of_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
