// SPDX-License-Identifier: GPL-3.0-or-later
//
// The log: order, durability, folding and closing, records of long games, and reading it back.
#include "support.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

static void test_order_and_tickets(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Listener listener;
    Store *store = open_store(&dir, &listener, NULL);
    assert_int_equal(store_durable_ticket(store), 0);
    uint64_t last = 0;
    for (uint32_t seq = 1; seq <= 20; seq++) {
        for (uint32_t n = 1; n <= 2; n++) {
            const uint64_t ticket = submit_event(store, n, seq);
            assert_true(ticket > last);
            last = ticket;
        }
    }
    listener_wait_durable(&listener, last);
    assert_int_equal(store_durable_ticket(store), last);
    assert_int_equal(listener.failures, 0);
    StoreStats stats;
    store_stats(store, &stats);
    assert_int_equal(stats.events, 40);
    assert_int_equal(stats.open_entities, 2);
    assert_int_equal(stats.queued, 0);
    assert_true(stats.groups >= 1 && stats.groups <= 40);
    assert_false(stats.failing);
    close_store(store);
    test_dir_remove(&dir);
}

// Several items of one submit become durable together, in their order.
static void test_submit_is_whole(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Listener listener;
    Store *store = open_store(&dir, &listener, NULL);
    char bodies[4][TEST_BODY_MAX];
    const StoreWork items[] = { test_event(7, 1, bodies[0]), test_event(8, 1, bodies[1]),
                                test_event(7, 2, bodies[2]), test_fold(7),
                                test_event(8, 2, bodies[3]) };
    const uint64_t ticket = store_submit(store, items, JD_COUNT(items));
    memset(bodies, 'x', sizeof bodies); // they were copied
    listener_wait_durable(&listener, ticket);
    StoreStats stats;
    store_stats(store, &stats);
    assert_int_equal(stats.groups, 1);
    assert_int_equal(stats.largest_group, 5);
    assert_int_equal(stats.open_entities, 1);
    close_store(store);
    store = open_store(&dir, NULL, NULL);
    assert_replay(store, "8:1 8:2");
    close_store(store);
    test_dir_remove(&dir);
}

static void test_replay_after_reopening(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Store *store = open_store(&dir, NULL, NULL);
    assert_replay(store, "");
    submit_event(store, 1, 1);
    submit_event(store, 2, 1);
    submit_event(store, 3, 1);
    submit_event(store, 1, 2);
    submit_event(store, 2, 5); // numbers rise, they need not be dense
    submit_event(store, 3, 2);
    submit_one(store, test_fold(2));
    submit_event(store, 4, 1);
    submit_one(store, test_close(3));
    close_store(store);

    store = open_store(&dir, NULL, NULL);
    assert_replay(store, "1:1 1:2 4:1");
    submit_event(store, 1, 3);
    submit_one(store, test_close(4));
    submit_one(store, test_close(99)); // nothing to close is no fault
    submit_event(store, 5, 1);
    close_store(store);

    store = open_store(&dir, NULL, NULL);
    assert_replay(store, "1:1 1:2 1:3 5:1");
    submit_one(store, test_fold(1));
    submit_one(store, test_close(5));
    close_store(store);

    store = open_store(&dir, NULL, NULL);
    assert_replay(store, "");
    close_store(store);
    test_dir_remove(&dir);
}

static bool stop_at_second(void *context, const StoreEvent *event) {
    (void)event;
    return ++*(int *)context < 2;
}

static void test_replay_stops(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Store *store = open_store(&dir, NULL, NULL);
    for (uint32_t seq = 1; seq <= 5; seq++)
        submit_event(store, 1, seq);
    close_store(store);
    store = open_store(&dir, NULL, NULL);
    int count = 0;
    JdErr err = { 0 };
    assert_false(store_replay(store, stop_at_second, &count, &err));
    assert_int_equal(err.code, STORE_STOPPED);
    assert_int_equal(count, 2);
    close_store(store);
    test_dir_remove(&dir);
}

static void check_entity(StoreDb *db, uint32_t n, bool expect_found, const char *expected) {
    Seen *seen = seen_new();
    bool found = false;
    JdErr err = { 0 };
    const StoreId id = test_fold(n).id;
    if (!store_entity_events(db, &id, seen_add, seen, &found, &err))
        fail_msg("entity %u: %s", n, err.text);
    char text[1024];
    assert_string_equal(seen_text(seen, text), expected);
    assert_int_equal(found, expect_found);
    free(seen);
}

// S-104: a ruling on a game that has been folded stands in its record, and wakes nothing.
static void test_ruling_on_a_folded_game(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Store *store = open_store(&dir, NULL, NULL);
    submit_event(store, 1, 1);
    submit_event(store, 2, 1);
    submit_event(store, 1, 2);
    submit_one(store, test_fold(1));
    char body[TEST_BODY_MAX];
    StoreWork ruling = test_event(1, 3, body);
    ruling.kind = STORE_RECORD_EVENT;
    submit_one(store, ruling);
    submit_event(store, 2, 2);
    ruling = test_event(1, 4, body);
    ruling.kind = STORE_RECORD_EVENT;
    submit_one(store, ruling);
    const StoreWork audit = { .kind = STORE_AUDIT_ROW,
                              .audit = { .at_ms = 5, .action = "result", .object = "game:1" } };
    submit_one(store, audit);
    close_store(store);
    store = open_store(&dir, NULL, NULL);
    assert_replay(store, "2:1 2:2");
    StoreDb *db = NULL;
    assert_true(store_reader_open(store, &db, NULL));
    check_entity(db, 1, true, "1:1 1:2 1:3 1:4");
    store_reader_close(db);
    submit_event(store, 2, 3); // the log goes on behind it
    close_store(store);
    test_dir_remove(&dir);
}

static void check_all(StoreDb *db, const char *expected) {
    Seen *seen = seen_new();
    JdErr err = { 0 };
    if (!store_entities_each(db, seen_add, seen, &err))
        fail_msg("%s", err.text);
    char text[1024];
    assert_string_equal(seen_text(seen, text), expected);
    free(seen);
}

static void test_read_by_entity(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Listener listener;
    Store *store = open_store(&dir, &listener, NULL);
    StoreDb *db;
    JdErr err = { 0 };
    assert_true(store_reader_open(store, &db, &err));
    check_all(db, "");
    for (uint32_t seq = 1; seq <= 3; seq++)
        for (uint32_t n = 3; n >= 1; n--)
            submit_event(store, n, seq);
    submit_event(store, 4, 1);
    submit_one(store, test_close(4));
    listener_wait_durable(&listener, submit_one(store, test_fold(2)));
    check_entity(db, 1, true, "1:1 1:2 1:3");
    check_entity(db, 2, true, "2:1 2:2 2:3");
    check_entity(db, 4, false, ""); // closed
    check_entity(db, 5, false, ""); // never heard of
    check_all(db, "2:1 2:2 2:3 1:1 1:2 1:3 3:1 3:2 3:3");
    store_reader_close(db);
    close_store(store);
    test_dir_remove(&dir);
}

// A game that stays open while thousands of events pass is moved into a record piece by piece. What
// a replay gives is the same, whatever part of it lies where.
static void test_long_games_leave_the_tail(void **state) {
    (void)state;
    static const uint32_t lags[] = { 1, 2, 3, 7, 20, 1000 };
    for (size_t i = 0; i < JD_COUNT(lags); i++) {
        const TestDir dir = test_dir();
        const StoreConfig config = { .replay_lag = lags[i] };
        Store *store = open_store(&dir, NULL, &config);
        submit_event(store, 1, 1); // days to a move
        submit_event(store, 2, 1);
        uint32_t quick = 10;
        for (uint32_t round = 0; round < 6; round++) {
            for (uint32_t seq = 1; seq <= 4; seq++)
                submit_event(store, quick, seq);
            submit_one(store, test_fold(quick++));
            submit_event(store, 1, round + 2);
            if (round == 3)
                submit_event(store, 2, 2);
            if (round == 2) { // in the midst of it the program ends
                close_store(store);
                store = open_store(&dir, NULL, &config);
            }
        }
        submit_event(store, 3, 1);
        close_store(store);

        Listener listener;
        store = open_store(&dir, &listener, &config);
        assert_replay(store, "1:1 2:1 1:2 1:3 1:4 1:5 2:2 1:6 1:7 3:1");
        StoreDb *db;
        JdErr err = { 0 };
        assert_true(store_reader_open(store, &db, &err));
        check_entity(db, 1, true, "1:1 1:2 1:3 1:4 1:5 1:6 1:7");
        check_entity(db, 2, true, "2:1 2:2");
        check_entity(db, 12, true, "12:1 12:2 12:3 12:4");
        submit_event(store, 2, 3);
        submit_one(store, test_fold(1));
        listener_wait_durable(&listener, submit_one(store, test_close(3)));
        check_entity(db, 1, true, "1:1 1:2 1:3 1:4 1:5 1:6 1:7");
        check_entity(db, 2, true, "2:1 2:2 2:3");
        check_entity(db, 3, false, "");
        store_reader_close(db);
        close_store(store);
        store = open_store(&dir, NULL, &config);
        assert_replay(store, "2:1 2:2 2:3");
        close_store(store);
        test_dir_remove(&dir);
    }
}

// With a small lag start-up reads little: no unfinished entity points far back.
static void test_lag_is_bounded(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    const StoreConfig config = { .replay_lag = 50 };
    Listener listener;
    Store *store = open_store(&dir, &listener, &config);
    for (uint32_t n = 0; n < 200; n++)
        submit_event(store, n, 1);
    uint64_t ticket = 0;
    for (uint32_t seq = 2; seq <= 400; seq++) // each wait makes a commit of its own
        listener_wait_durable(&listener, ticket = submit_event(store, 7, seq));
    assert_int_equal(listener.durable, ticket);
    close_store(store);
    char path[128];
    test_path(&dir, "jadoube.db", path);
    if (!test_on_postgres())
        file_sql(path,
                 "CREATE TEMP TABLE bound (lag INTEGER CHECK (lag <= 52)); INSERT INTO bound "
                 "SELECT (SELECT max(arrival) FROM game_event) - min(first_arrival) FROM log_open "
                 "WHERE first_arrival IS NOT NULL;");
    store = open_store(&dir, NULL, &config);
    Seen *seen = seen_new();
    JdErr err = { 0 };
    assert_true(store_replay(store, seen_add, seen, &err));
    assert_int_equal(seen->count, 200 + 399);
    free(seen);
    close_store(store);
    test_dir_remove(&dir);
}

typedef struct Bodies {
    size_t bytes;
    uint64_t hash; // so that each byte is looked at
} Bodies;

static bool read_body(void *context, const StoreEvent *event) {
    Bodies *bodies = context;
    bodies->bytes += event->body.size;
    bodies->hash = jd_hash(bodies->hash, event->body.data, event->body.size);
    return true;
}

static void test_damaged_record(void **state) {
    (void)state;
    if (test_on_postgres())
        skip(); // it spoils the file by hand
    const TestDir dir = test_dir();
    Store *store = open_store(&dir, NULL, NULL);
    for (uint32_t seq = 1; seq <= 3; seq++)
        submit_event(store, 1, seq);
    submit_one(store, test_fold(1));
    close_store(store);
    char path[128];
    test_path(&dir, "jadoube.db", path);
    static const char *const damages[] = {
        "x''",                                                            // nothing
        "CAST(x'02' || substr(body, 2) AS BLOB)",                         // another version
        "substr(body, 1, length(body) - 1)",                              // cut short
        "CAST(substr(body, 1, 20) || x'ff' || substr(body, 22) AS BLOB)", // one byte
    };
    const FileBytes whole = file_read(path);
    for (size_t i = 0; i < JD_COUNT(damages); i++) {
        char sql[160];
        snprintf(sql, sizeof sql, "UPDATE game_record SET body = %s", damages[i]);
        file_write(path, whole.data, whole.size);
        file_sql(path, sql);
        store = open_store(&dir, NULL, NULL);
        StoreDb *db;
        JdErr err = { 0 };
        assert_true(store_reader_open(store, &db, &err));
        Seen *seen = seen_new();
        bool found = false;
        const StoreId id = test_fold(1).id;
        assert_false(store_entity_events(db, &id, seen_add, seen, &found, &err));
        assert_int_equal(err.code, STORE_CORRUPT);
        assert_int_equal(seen->count, 0);
        assert_false(store_entities_each(db, seen_add, seen, &err));
        assert_int_equal(err.code, STORE_CORRUPT);
        free(seen);
        store_reader_close(db);
        close_store(store);
    }
    free(whole.data);
    test_dir_remove(&dir);
}

// Bytes that were never a record, with the right version and checksum: read to the end or called
// damaged, and never more.
static void test_random_records(void **state) {
    (void)state;
    if (test_on_postgres())
        skip(); // it spoils the file by hand
    enum { RECORDS = 400 };
    const TestDir dir = test_dir();
    close_store(open_store(&dir, NULL, NULL));
    char path[128];
    test_path(&dir, "jadoube.db", path);
    sqlite3 *raw = NULL;
    sqlite3_stmt *put = NULL;
    assert_int_equal(sqlite3_open(path, &raw), SQLITE_OK);
    sqlite3_exec(raw, "BEGIN", NULL, NULL, NULL);
    sqlite3_prepare_v2(raw, "INSERT INTO game_record VALUES (?, 1, 1, 1, ?)", -1, &put, NULL);
    uint64_t seed = 20240501;
    for (uint32_t n = 0; n < RECORDS; n++) {
        unsigned char body[80] = { 1 };
        const uint32_t size = 1 + jd_random_below(&seed, 60);
        for (uint32_t i = 1; i < size; i++) // small numbers make longer records
            body[i] = (unsigned char)(jd_random_below(&seed, 3) == 0 ? jd_random_below(&seed, 256)
                                                                     : jd_random_below(&seed, 8));
        const uint64_t sum = jd_hash(JD_HASH_START, body, size);
        for (uint32_t i = 0; i < 8; i++)
            body[size + i] = (unsigned char)(sum >> (8 * i));
        sqlite3_bind_text(put, 1, test_fold(n).id.text, -1, SQLITE_TRANSIENT);
        sqlite3_bind_blob(put, 2, body, (int)size + 8, SQLITE_TRANSIENT);
        assert_int_equal(sqlite3_step(put), SQLITE_DONE);
        sqlite3_reset(put);
    }
    sqlite3_exec(raw, "COMMIT", NULL, NULL, NULL);
    sqlite3_finalize(put);
    sqlite3_close(raw);
    Store *store = open_store(&dir, NULL, NULL);
    StoreDb *db;
    JdErr err = { 0 };
    assert_true(store_reader_open(store, &db, &err));
    int read = 0;
    int damaged = 0;
    for (uint32_t n = 0; n < RECORDS; n++) {
        Bodies bodies = { 0 };
        bool found = false;
        const StoreId id = test_fold(n).id;
        if (store_entity_events(db, &id, read_body, &bodies, &found, &err))
            read++;
        else if (err.code == STORE_CORRUPT)
            damaged++;
        assert_true(bodies.bytes <= 60);
    }
    assert_int_equal(read + damaged, RECORDS);
    assert_true(read > 5); // seed 20240501 makes some of either
    assert_true(damaged > 5);
    store_reader_close(db);
    close_store(store);
    test_dir_remove(&dir);
}

static StoreGameRow some_row(uint32_t n) {
    return (StoreGameRow) { .id = test_fold(n).id,
                            .white = 11 + n,
                            .black = 22,
                            .control = "180+2",
                            .category = "blitz",
                            .rated = 1,
                            .edition = 5,
                            .pace = 3,
                            .turn = 1,
                            .offer = 2,
                            .result = "*",
                            .plies = 3,
                            .created_ms = 1000 + n,
                            .started_ms = 2000 };
}

static bool add_row(void *context, const StoreGameRow *row) {
    JdOut *out = context;
    jd_out_text(out, jd_str_part(store_id_str(&row->id), 11, 1));
    jd_out_char(out, ':');
    jd_out_cstr(out, row->result);
    jd_out_char(out, ' ');
    return true;
}

static void test_projection_and_meta(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Listener listener;
    Store *store = open_store(&dir, &listener, NULL);
    StoreDb *db;
    JdErr err = { 0 };
    assert_true(store_reader_open(store, &db, &err));
    StoreGameRow row = some_row(2);
    submit_one(store, (StoreWork) { .kind = STORE_GAME_ROW, .row = row });
    submit_one(store, (StoreWork) { .kind = STORE_GAME_ROW, .row = some_row(1) });
    submit_one(store, (StoreWork) { .kind = STORE_META_SET, .meta = { "alive", -5 } });
    listener_wait_durable(&listener, submit_one(store, (StoreWork) { .kind = STORE_META_SET,
                                                                     .meta = { "alive", 77 } }));
    StoreGameRow got;
    bool found = false;
    assert_true(store_game_row(db, &row.id, &got, &found, &err));
    assert_true(found);
    assert_memory_equal(&got, &row, sizeof row);
    strcpy(row.result, "1/2-1/2");
    strcpy(row.reason, "agreement");
    row.ended_ms = 3000;
    row.plies = 41;
    row.offer = 0;
    listener_wait_durable(&listener,
                          submit_one(store, (StoreWork) { .kind = STORE_GAME_ROW, .row = row }));
    assert_true(store_game_row(db, &row.id, &got, &found, &err));
    assert_memory_equal(&got, &row, sizeof row);
    const StoreId other = test_fold(3).id;
    assert_true(store_game_row(db, &other, &got, &found, &err));
    assert_false(found);

    char text[64];
    JdOut out = jd_out(text, sizeof text);
    assert_true(store_game_rows_each(db, add_row, &out, &err));
    assert_int_equal(jd_str_compare(jd_out_str(&out), JD_STR("1:* 2:1/2-1/2 ")), 0);
    int64_t value = 0;
    assert_true(store_meta_get(db, "alive", &value, &found, &err));
    assert_true(found);
    assert_int_equal(value, 77);
    assert_true(store_meta_get(db, "dead", &value, &found, &err));
    assert_false(found);

    listener_wait_durable(&listener, submit_one(store, (StoreWork) { .kind = STORE_GAMES_CLEAR }));
    out = jd_out(text, sizeof text);
    assert_true(store_game_rows_each(db, add_row, &out, &err));
    assert_int_equal(out.size, 0);
    store_reader_close(db);
    close_store(store);
    test_dir_remove(&dir);
}

static void test_ids(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool ok;
    } ids[] = { { "AZaz09_-AZaz", true },   { "a", true },    { "", false },
                { "thirteen-char", false }, { "a b", false }, { "\xc3\xa9", false } };
    for (size_t i = 0; i < JD_COUNT(ids); i++) {
        StoreId id;
        assert_int_equal(store_id(jd_str(ids[i].text), &id), ids[i].ok);
        if (ids[i].ok)
            assert_string_equal(id.text, ids[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_tickets),
        cmocka_unit_test(test_submit_is_whole),
        cmocka_unit_test(test_replay_after_reopening),
        cmocka_unit_test(test_replay_stops),
        cmocka_unit_test(test_read_by_entity),
        cmocka_unit_test(test_long_games_leave_the_tail),
        cmocka_unit_test(test_lag_is_bounded),
        cmocka_unit_test(test_damaged_record),
        cmocka_unit_test(test_random_records),
        cmocka_unit_test(test_projection_and_meta),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_ruling_on_a_folded_game),
    };
    return cmocka_run_group_tests_name("store/log", tests, NULL, NULL);
}
