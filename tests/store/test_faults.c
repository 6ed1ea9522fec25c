// SPDX-License-Identifier: GPL-3.0-or-later
//
// A disk that is full or failing: the failure is told, nothing is called durable that is not, and
// when the disk works again everything is there once and in order.
#include "fault_vfs.h"

#include <sqlite3.h>
#include <stdlib.h>

enum { EVENTS = 60 };

// One event of the load, with what goes with it: games of five events each, the last one folded,
// some left open.
static uint64_t submit_step(Store *store, uint32_t i) {
    char body[TEST_BODY_MAX];
    const uint32_t n = i / 15 * 3 + i % 3;
    const uint32_t seq = i % 15 / 3 + 1;
    StoreWork items[2] = { test_event(n, seq, body), test_fold(n) };
    return store_submit(store, items, seq == 5 && n % 3 != 2 ? 2 : 1);
}

static void expect_all(Store *store, uint32_t events) {
    StoreDb *db;
    JdErr err = { 0 };
    assert_true(store_reader_open(store, &db, &err));
    Seen *seen = seen_new();
    if (!store_entities_each(db, seen_add, seen, &err))
        fail_msg("%s", err.text);
    assert_int_equal(seen->count, events);
    uint8_t there[EVENTS + 1] = { 0 };
    for (size_t i = 0; i < seen->count; i++) { // arrival numbers are 1 to EVENTS, each once
        assert_in_range(seen->events[i].arrival, 1, EVENTS);
        there[seen->events[i].arrival]++;
        const uint32_t step = (uint32_t)seen->events[i].arrival - 1;
        assert_int_equal(seen->events[i].n, step / 15 * 3 + step % 3);
        assert_int_equal(seen->events[i].seq, step % 15 / 3 + 1);
    }
    for (uint32_t i = 1; i <= events; i++)
        assert_int_equal(there[i], 1);
    free(seen);
    store_reader_close(db);
}

// Runs the load with the disk failing at one place; returns how often that was told.
static int run_with_fault(uint64_t from, uint64_t count, int code, StoreFault expected) {
    const TestDir dir = test_dir();
    fault_vfs_reset();
    const StoreConfig config = {
        .vfs = FAULT_VFS, .checkpoint_pages = 20, .replay_lag = 12, .retry_ms = 1
    };
    Listener listener;
    Store *store = open_store(&dir, &listener, &config);
    fault_vfs_fail(fault_vfs_operations() + from, count, code);
    uint64_t ticket = 0;
    for (uint32_t i = 0; i < EVENTS; i++) {
        ticket = submit_step(store, i);
        if (i % 4 == 0)
            listener_wait_durable(&listener, ticket);
    }
    listener_wait_durable(&listener, ticket);
    fault_vfs_fail(0, 0, SQLITE_OK);
    if (listener.failures > 0)
        assert_int_equal(listener.err.code, expected);
    expect_all(store, EVENTS);
    close_store(store);
    store = open_store(&dir, NULL, &config);
    expect_all(store, EVENTS);
    close_store(store);
    test_dir_remove(&dir);
    fault_vfs_clear();
    return listener.failures;
}

// Operations of the disk are made to fail in turn, alone or with those after them.
static void test_each_operation_fails(void **state) {
    (void)state;
    int told = 0;
    for (uint64_t i = 0; i < 44; i++)
        told += run_with_fault(i < 20 ? i : i * 7, 1 + i % 4,
                               i % 2 == 0 ? SQLITE_FULL : SQLITE_IOERR_WRITE,
                               i % 2 == 0 ? STORE_FULL : STORE_IO);
    assert_true(told > 10); // failures of a checkpoint are nobody's business
}

static void test_sync_fails(void **state) {
    (void)state;
    int told = 0;
    for (uint64_t at = 0; at < 12; at++)
        told += run_with_fault(at, 1, SQLITE_IOERR_FSYNC, STORE_IO);
    assert_true(told > 3);
}

static bool touch_account(StoreDb *db, void *arg, JdErr *err) {
    (void)arg;
    StoreStmt *insert = store_query(db, STORE_ACCOUNT_INSERT);
    store_bind_int(insert, 1, 5);
    for (int i = 2; i <= 6; i++)
        store_bind_text(insert, i, JD_STR("x"));
    store_bind_text(insert, 7, JD_STR("en"));
    store_bind_int(insert, 8, 1);
    return store_run(insert, NULL, err);
}

// A disk that stays full: told once, writes of pages are refused at once, and closing says that
// something was lost. What was durable before is still there.
static void test_full_for_good(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    fault_vfs_reset();
    const StoreConfig config = { .vfs = FAULT_VFS };
    Listener listener;
    Store *store = open_store(&dir, &listener, &config);
    uint64_t ticket = 0;
    for (uint32_t i = 0; i < 10; i++)
        ticket = submit_step(store, i);
    listener_wait_durable(&listener, ticket);
    fault_vfs_fail(0, UINT64_MAX, SQLITE_FULL);
    const uint64_t lost = submit_step(store, 10);
    listener_wait_failures(&listener, 1);
    assert_int_equal(listener.failed, lost);
    assert_int_equal(listener.err.code, STORE_FULL);
    assert_true(submit_step(store, 11) > lost); // taken, and waits
    JdErr err = { 0 };
    assert_false(store_write(store, touch_account, NULL, &err));
    assert_int_equal(err.code, STORE_FULL);
    StoreStats stats;
    store_stats(store, &stats);
    assert_true(stats.failing);
    assert_int_equal(store_durable_ticket(store), ticket);
    assert_false(store_close(store, &err));
    assert_int_equal(err.code, STORE_FULL);
    assert_int_equal(listener.failures, 1);
    assert_int_equal(listener.durable, ticket);

    store = open_store(&dir, NULL, NULL);
    expect_all(store, 10);
    close_store(store);
    test_dir_remove(&dir);
    fault_vfs_clear();
}

// A write of pages alone that fails is told to the one who asked, and to nobody else.
static void test_job_on_full_disk(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    fault_vfs_reset();
    const StoreConfig config = { .vfs = FAULT_VFS };
    Listener listener;
    Store *store = open_store(&dir, &listener, &config);
    fault_vfs_fail(0, UINT64_MAX, SQLITE_FULL);
    JdErr err = { 0 };
    assert_false(store_write(store, touch_account, NULL, &err));
    assert_int_equal(err.code, STORE_FULL);
    assert_int_equal(listener.failures, 0);
    fault_vfs_fail(0, 0, SQLITE_OK);
    assert_true(store_write(store, touch_account, NULL, &err));
    close_store(store);
    test_dir_remove(&dir);
    fault_vfs_clear();
}

// Opening on a failing disk is refused or works; the next opening always works.
static void test_open_fails(void **state) {
    (void)state;
    int refused = 0;
    for (uint64_t at = 0; at < 40; at++) {
        const TestDir dir = test_dir();
        fault_vfs_reset();
        fault_vfs_fail(at, UINT64_MAX, SQLITE_FULL);
        const StoreConfig config = { .data_dir = dir.path, .vfs = FAULT_VFS };
        Store *store = NULL;
        JdErr err = { 0 };
        if (store_open(&config, &store, &err)) {
            store_close(store, NULL);
        } else {
            refused++;
            assert_int_equal(err.code, STORE_FULL);
        }
        fault_vfs_fail(0, 0, SQLITE_OK);
        store = open_store(&dir, NULL, &config);
        submit_event(store, 1, 1);
        close_store(store);
        test_dir_remove(&dir);
    }
    fault_vfs_clear();
    assert_true(refused > 10);
}

static void test_queue_has_an_end(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    fault_vfs_reset();
    const StoreConfig config = { .vfs = FAULT_VFS };
    Listener listener;
    Store *store = open_store(&dir, &listener, &config);
    fault_vfs_fail(0, UINT64_MAX, SQLITE_FULL);
    static char big[STORE_BODY_MAX];
    const StoreWork work = { .kind = STORE_LOG_EVENT,
                             .event = { .id = { "big" }, .body = { big, sizeof big } } };
    StoreWork items[100];
    size_t taken = 0;
    uint32_t seq = 0;
    for (bool more = true; more; taken += more) {
        for (size_t i = 0; i < JD_COUNT(items); i++) {
            items[i] = work;
            items[i].event.seq = ++seq;
        }
        more = store_submit(store, items, JD_COUNT(items)) != 0;
        assert_true(taken < 100);
    }
    // 100 bodies of 16 KiB at a time into 64 MiB; the group being tried waits no longer
    assert_in_range(taken, 39, 50);
    listener_wait_failures(&listener, 1);
    fault_vfs_fail(0, 0, SQLITE_OK);
    close_store(store); // and all that was taken gets through
    store = open_store(&dir, NULL, &config);
    StoreStats stats;
    store_stats(store, &stats);
    assert_int_equal(stats.open_entities, 1);
    close_store(store);
    test_dir_remove(&dir);
    fault_vfs_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_operation_fails), cmocka_unit_test(test_sync_fails),
        cmocka_unit_test(test_full_for_good),        cmocka_unit_test(test_job_on_full_disk),
        cmocka_unit_test(test_open_fails),           cmocka_unit_test(test_queue_has_an_end),
    };
    return cmocka_run_group_tests_name("store/faults", tests, NULL, NULL);
}
