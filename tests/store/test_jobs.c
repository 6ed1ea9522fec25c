// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes of worker threads: in the group's transaction, undone alone, durable on return; and all of
// it at once from several threads.
#include "support.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef struct AccountJob {
    int64_t id;
    const char *nick;
    bool fail_after;
    int64_t changed;
} AccountJob;

static bool insert_account(StoreDb *db, void *arg, JdErr *err) {
    AccountJob *job = arg;
    StoreStmt *insert = store_query(db, STORE_ACCOUNT_INSERT);
    store_bind_int(insert, 1, job->id);
    store_bind_text(insert, 2, jd_str(job->nick));
    store_bind_text(insert, 3, jd_str(job->nick));
    store_bind_null(insert, 4);
    store_bind_null(insert, 5);
    store_bind_text(insert, 6, JD_STR("hash"));
    store_bind_text(insert, 7, JD_STR("ro"));
    store_bind_int(insert, 8, 1234);
    if (!store_run(insert, &job->changed, err))
        return false;
    return !job->fail_after || jd_fail(err, 4711, 0, "changed my mind");
}

static bool insert_report(StoreDb *db, void *account, JdErr *err) {
    StoreStmt *insert = store_query(db, STORE_REPORT_INSERT);
    store_bind_int(insert, 1, *(int64_t *)account);
    store_bind_text(insert, 2, JD_STR("misuse"));
    store_bind_int(insert, 3, 1234);
    store_bind_text(insert, 4, JD_STR("text"));
    return store_run(insert, NULL, err);
}

static bool account_exists(StoreDb *db, int64_t id) {
    StoreStmt *find = store_query(db, STORE_ACCOUNT_BY_ID);
    store_bind_int(find, 1, id);
    JdErr err = { 0 };
    const StoreStep step = store_step(find, &err);
    const bool exists = step == STORE_STEP_ROW;
    if (exists) {
        assert_int_equal(store_column_int(find, 0), id);
        assert_true(jd_str_equal(store_column_text(find, 2), JD_STR("ro")));
        assert_true(store_column_is_null(find, 3));
    }
    store_done(find);
    assert_int_not_equal(step, STORE_STEP_FAILED);
    return exists;
}

static void test_write_and_read(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Store *store = open_store(&dir, NULL, NULL);
    StoreDb *db;
    JdErr err = { 0 };
    assert_true(store_reader_open(store, &db, &err));
    AccountJob job = { .id = 1, .nick = "anna" };
    assert_true(store_write(store, insert_account, &job, &err));
    assert_int_equal(job.changed, 1);
    assert_true(account_exists(db, 1)); // what returned is there for every reader

    job = (AccountJob) { .id = 2, .nick = "anna" }; // the name is taken: no row, no error
    assert_true(store_write(store, insert_account, &job, &err));
    assert_int_equal(job.changed, 0);
    assert_false(account_exists(db, 2));

    job = (AccountJob) { .id = 1, .nick = "bella" }; // the id is taken: the same
    assert_true(store_write(store, insert_account, &job, &err));
    assert_int_equal(job.changed, 0);

    int64_t nobody = 77; // a report of an account that is not there
    assert_false(store_write(store, insert_report, &nobody, &err));
    assert_int_equal(err.code, STORE_CONFLICT);

    job = (AccountJob) { .id = 3, .nick = "clara", .fail_after = true };
    assert_false(store_write(store, insert_account, &job, &err));
    assert_int_equal(err.code, 4711);
    assert_string_equal(err.text, "changed my mind");
    assert_false(account_exists(db, 3));
    job = (AccountJob) { .id = 0, .nick = "nobody" }; // refused by a CHECK
    assert_false(store_write(store, insert_account, &job, NULL));
    store_reader_close(db);
    close_store(store);
    test_dir_remove(&dir);
}

static bool write_on_reader(StoreDb *db, JdErr *err) {
    AccountJob job = { .id = 9, .nick = "intruder" };
    return insert_account(db, &job, err);
}

static void test_readers_cannot_write(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Store *store = open_store(&dir, NULL, NULL);
    StoreDb *db;
    JdErr err = { 0 };
    assert_true(store_reader_open(store, &db, &err));
    assert_false(write_on_reader(db, &err));
    assert_int_equal(err.code, STORE_IO); // a read-only database
    store_reader_close(db);
    close_store(store);
    test_dir_remove(&dir);
}

// ---- everything at once -------------------------------------------------------------------------

enum { WRITERS = 4, WRITES = 40, EVENTS = 2000 };

typedef struct Worker {
    Store *store;
    int number;
    atomic_bool *stop;
    int failed; // writes that were refused as they should have been
    int seen;   // accounts the reader saw at last
} Worker;

static void *write_accounts(void *context) {
    Worker *worker = context;
    for (int i = 0; i < WRITES; i++) {
        char nick[24];
        snprintf(nick, sizeof nick, "w%d-%d", worker->number, i);
        AccountJob job = { .id = 1 + worker->number * 1000 + i,
                           .nick = nick,
                           .fail_after = i % 5 == 0 };
        JdErr err = { 0 };
        worker->failed += !store_write(worker->store, insert_account, &job, &err);
    }
    return NULL;
}

static void *read_accounts(void *context) {
    Worker *worker = context;
    StoreDb *db;
    JdErr err = { 0 };
    if (!store_reader_open(worker->store, &db, &err))
        return NULL;
    bool last;
    do {
        last = atomic_load(worker->stop);
        int seen = 0;
        for (int64_t number = 0; number < WRITERS; number++)
            for (int64_t i = 0; i < WRITES; i++)
                seen += account_exists(db, 1 + number * 1000 + i);
        worker->seen = seen;
    } while (!last);
    store_reader_close(db);
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Listener listener;
    const StoreConfig config = { .checkpoint_pages = 50, .replay_lag = 300 };
    Store *store = open_store(&dir, &listener, &config);
    atomic_bool stop = false;
    pthread_t threads[WRITERS + 1];
    Worker workers[WRITERS + 1];
    for (int i = 0; i <= WRITERS; i++) {
        workers[i] = (Worker) { .store = store, .number = i, .stop = &stop };
        pthread_create(&threads[i], NULL, i < WRITERS ? write_accounts : read_accounts,
                       &workers[i]);
    }
    uint64_t ticket = 0;
    for (uint32_t i = 0; i < EVENTS; i++)
        ticket = submit_event(store, i % 50, i / 50 + 1);
    listener_wait_durable(&listener, ticket);
    int failed = 0;
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        failed += workers[i].failed;
    }
    atomic_store(&stop, true);
    pthread_join(threads[WRITERS], NULL);
    assert_int_equal(failed, WRITERS * WRITES / 5);
    assert_int_equal(workers[WRITERS].seen, WRITERS * WRITES * 4 / 5);
    StoreStats stats;
    store_stats(store, &stats);
    assert_int_equal(stats.events, EVENTS);
    assert_int_equal(stats.jobs, WRITERS * WRITES * 4 / 5);
    assert_int_equal(stats.open_entities, 50);
    assert_true(stats.checkpoints > 0 || test_on_postgres());
    assert_true(stats.groups < EVENTS); // commits were grouped
    close_store(store);

    store = open_store(&dir, NULL, NULL);
    Seen *seen = seen_new();
    JdErr err = { 0 };
    assert_true(store_replay(store, seen_add, seen, &err));
    assert_int_equal(seen->count, EVENTS);
    for (uint32_t i = 0; i < EVENTS; i++) {
        assert_int_equal(seen->events[i].n, i % 50);
        assert_int_equal(seen->events[i].seq, i / 50 + 1);
    }
    free(seen);
    close_store(store);
    test_dir_remove(&dir);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_and_read),
        cmocka_unit_test(test_readers_cannot_write),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests_name("store/jobs", tests, NULL, NULL);
}
