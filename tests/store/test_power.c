// SPDX-License-Identifier: GPL-3.0-or-later
//
// The power fails at every moment of a run. What is left is opened again and must hold everything
// that was called durable before that moment, in order, and nothing that was never submitted.
#include "fault_vfs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { EVENTS = 120, CUTS_MAX = 400 };

// What one cut left, and what had been promised by then.
typedef struct Cut {
    FileBytes database;
    FileBytes log;
    bool has_log;
    uint64_t promised; // ticket: event number
} Cut;

typedef struct Run {
    const char *database;
    const char *log;
    Store *store;
    uint64_t seed;
    atomic_uint_fast64_t promised;
    size_t count;
    Cut cuts[CUTS_MAX];
} Run;

static void on_durable(void *context, uint64_t ticket, bool ok, const JdErr *err) {
    (void)err;
    assert_true(ok);
    atomic_store(&((Run *)context)->promised, ticket);
}

static void cut(void *context, uint64_t operation) {
    (void)operation;
    Run *run = context;
    if (run->count == CUTS_MAX)
        return;
    Cut *at = &run->cuts[run->count++];
    bool exists = false;
    at->promised = atomic_load(&run->promised);
    at->database = fault_vfs_after_cut(run->database, &run->seed, &exists);
    assert_true(exists);
    at->log = fault_vfs_after_cut(run->log, &run->seed, &at->has_log);
}

// Event i (from 1) of the load: three games at a time, each five events long, two of three folded.
static uint64_t submit_step(Store *store, uint32_t i) {
    char body[TEST_BODY_MAX];
    const uint32_t n = (i - 1) / 15 * 3 + i % 3;
    const uint32_t seq = (i - 1) % 15 / 3 + 1;
    StoreWork items[2] = { test_event(n, seq, body), test_fold(n) };
    return store_submit(store, items, seq == 5 && n % 3 != 2 ? 2 : 1);
}

static void check_cut(const TestDir *dir, const Cut *at, size_t number, uint64_t seed) {
    char database[128];
    char log[128];
    test_path(dir, "jadoube.db", database);
    test_path(dir, "jadoube.db-wal", log);
    file_write(database, at->database.data, at->database.size);
    if (at->has_log)
        file_write(log, at->log.data, at->log.size);
    Store *store = NULL;
    // The same VFS, because it never waits for the real disk.
    const StoreConfig config = { .data_dir = dir->path, .vfs = FAULT_VFS };
    JdErr err = { 0 };
    if (!store_open(&config, &store, &err))
        fail_msg("seed %llu, cut %zu: %s", (unsigned long long)seed, number, err.text);
    StoreDb *db;
    assert_true(store_reader_open(store, &db, &err));
    Seen *seen = seen_new();
    if (!store_entities_each(db, seen_add, seen, &err))
        fail_msg("seed %llu, cut %zu: %s", (unsigned long long)seed, number, err.text);
    if (seen->count < at->promised)
        fail_msg("seed %llu, cut %zu: %zu events are left of %llu promised",
                 (unsigned long long)seed, number, seen->count, (unsigned long long)at->promised);
    for (size_t i = 0; i < seen->count; i++) { // the first so many of the load, no other
        const uint32_t step = (uint32_t)seen->events[i].arrival;
        assert_in_range(step, 1, seen->count);
        assert_int_equal(seen->events[i].n, (step - 1) / 15 * 3 + step % 3);
        assert_int_equal(seen->events[i].seq, (step - 1) % 15 / 3 + 1);
    }
    free(seen);
    store_reader_close(db);
    close_store(store);
    unlink(database);
    unlink(log);
}

static void run_and_cut(uint64_t seed) {
    fault_vfs_reset();
    const TestDir dir = test_dir();
    char database[128];
    char log[128];
    test_path(&dir, "jadoube.db", database);
    test_path(&dir, "jadoube.db-wal", log);
    Run *run = calloc(1, sizeof *run);
    assert_non_null(run);
    *run = (Run) { .database = database, .log = log, .seed = seed };
    const StoreConfig config = { .data_dir = dir.path,
                                 .vfs = FAULT_VFS,
                                 .checkpoint_pages = 30,
                                 .replay_lag = 20,
                                 .on_durable = on_durable,
                                 .context = run };
    JdErr err = { 0 };
    assert_true(store_open(&config, &run->store, &err));
    fault_vfs_hook(cut, run);
    uint64_t chance = seed;
    for (uint32_t i = 1; i <= EVENTS; i++) {
        const uint64_t ticket = submit_step(run->store, i);
        assert_int_equal(ticket, i);
        if (jd_random_below(&chance, 4) == 0) // groups of one to some events
            while (atomic_load(&run->promised) < ticket)
                usleep(100);
    }
    close_store(run->store);
    fault_vfs_hook(NULL, NULL);
    test_dir_remove(&dir);

    assert_true(run->count > 100);
    const TestDir left = test_dir();
    for (size_t i = 0; i < run->count; i++) {
        if (i % 4 == seed % 4) { // a quarter of the moments with each seed
            fault_vfs_reset();
            check_cut(&left, &run->cuts[i], i, seed);
        }
        free(run->cuts[i].database.data);
        free(run->cuts[i].log.data);
    }
    test_dir_remove(&left);
    free(run);
    fault_vfs_clear();
}

static void test_power_cut(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++)
        run_and_cut(seed);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_power_cut) };
    return cmocka_run_group_tests_name("store/power", tests, NULL, NULL);
}
