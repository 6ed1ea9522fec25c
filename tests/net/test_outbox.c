// SPDX-License-Identifier: GPL-3.0-or-later
//
// Commit, then publish: what waits, and in which order it is let out.
#include "../check.h"

#include "net/outbox.h"

static void *resize(void *context, void *block, size_t old_size, size_t new_size) {
    (void)old_size;
    int64_t *blocks = context;
    *blocks += (new_size != 0 && block == NULL) - (new_size == 0 && block != NULL);
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    void *memory = realloc(block, new_size);
    assert_non_null(memory);
    return memory;
}

static void put(NetOutbox *outbox, uint64_t ticket, int64_t ms) {
    net_outbox_put(outbox, net_outbox_take(outbox), ticket, (JdInstant) { ms });
}

static void take(NetOutbox *outbox, uint64_t durable, int64_t expected_ms) {
    NetHeld *held = net_outbox_next(outbox, durable);
    if (expected_ms < 0) {
        assert_null(held);
        return;
    }
    assert_non_null(held);
    assert_int_equal(held->staged.ms, expected_ms);
    net_outbox_give_back(outbox, held);
}

static void test_order(void **state) {
    (void)state;
    int64_t blocks = 0;
    const LiveMemory memory = { &blocks, resize };
    NetOutbox outbox;
    net_outbox_open(&outbox, &memory);
    assert_int_equal(net_outbox_waiting(&outbox, (JdInstant) { 50 }).ms, 0);
    put(&outbox, 1, 10);
    put(&outbox, 2, 20);
    put(&outbox, 2, 30); // logs nothing itself, but comes after what does
    put(&outbox, 3, 40);
    assert_int_equal(net_outbox_waiting(&outbox, (JdInstant) { 50 }).ms, 40);
    take(&outbox, 0, -1);
    take(&outbox, 2, 10);
    take(&outbox, 2, 20);
    take(&outbox, 2, 30);
    take(&outbox, 2, -1);
    assert_int_equal(outbox.count, 1);
    put(&outbox, 3, 50);
    take(&outbox, 3, 40);
    take(&outbox, 3, 50);
    take(&outbox, 9, -1);
    assert_int_equal(outbox.count, 0);
    net_outbox_close(&outbox);
    assert_int_equal(blocks, 0);
}

static void test_what_waits_is_dropped_at_the_end(void **state) {
    (void)state;
    int64_t blocks = 0;
    const LiveMemory memory = { &blocks, resize };
    NetOutbox outbox;
    net_outbox_open(&outbox, &memory);
    for (int i = 0; i < 1000; i++)
        put(&outbox, (uint64_t)i, i);
    for (int i = 0; i < 500; i++)
        take(&outbox, 499, i);
    take(&outbox, 499, -1);
    net_outbox_close(&outbox);
    assert_int_equal(blocks, 0);
}

// The system's clock was set: what waits has not waited any longer for that.
static void test_the_clock_steps(void **state) {
    (void)state;
    int64_t blocks = 0;
    const LiveMemory memory = { &blocks, resize };
    NetOutbox outbox;
    net_outbox_open(&outbox, &memory);
    put(&outbox, 1, 10);
    put(&outbox, 2, 30);
    net_outbox_stepped(&outbox, JD_SPAN_MS(3600000));
    assert_int_equal(net_outbox_waiting(&outbox, (JdInstant) { 3600050 }).ms, 40);
    take(&outbox, 1, 3600010);
    assert_int_equal(net_outbox_waiting(&outbox, (JdInstant) { 3600050 }).ms, 20);
    net_outbox_close(&outbox);
    assert_int_equal(blocks, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_what_waits_is_dropped_at_the_end),
        cmocka_unit_test(test_the_clock_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
