// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is PostgreSQL's alone: opening, and a server that goes away in the middle of the work. Runs
// beside a server of its own (tests/tools/with_postgres.sh).
#include "support.h"

#include <libpq-fe.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "store/internal.h"

// ---- beside the program -------------------------------------------------------------------------

static void server_run(const TestDir *dir, const char *sql) {
    PGconn *conn = PQconnectdb(test_database(dir->path));
    PGresult *result = PQexec(conn, sql);
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(conn));
    PQclear(result);
    PQfinish(conn);
}

static StoreFault try_open(const TestDir *dir, const char *database, char text[JD_ERR_TEXT_SIZE]) {
    const StoreConfig config = { .data_dir = dir->path, .database = database };
    Store *store = NULL;
    JdErr err = { 0 };
    const bool ok = store_open(&config, &store, &err);
    memcpy(text, err.text, JD_ERR_TEXT_SIZE);
    if (ok)
        store_close(store, NULL);
    return ok ? STORE_OK : (StoreFault)err.code;
}

static void check_open(const TestDir *dir, StoreFault expected, const char *word) {
    char text[JD_ERR_TEXT_SIZE];
    const StoreFault fault = try_open(dir, test_database(dir->path), text);
    if (fault != expected || strstr(text, word) == NULL)
        fail_msg("expected fault %d with \"%s\", got %d: %s", expected, word, fault, text);
}

// ---- opening ------------------------------------------------------------------------------------

static void test_refusals(void **state) {
    (void)state;
    TestDir dir = test_dir();
    server_run(&dir, "CREATE TABLE stranger (a int)");
    check_open(&dir, STORE_FOREIGN, "another program");
    server_run(&dir, "DROP TABLE stranger");
    check_open(&dir, STORE_OK, "");
    server_run(&dir, "UPDATE schema_version SET version = version + 1");
    check_open(&dir, STORE_NEWER, "newer");
    test_dir_remove(&dir);

    dir = test_dir();
    char text[JD_ERR_TEXT_SIZE];
    assert_int_equal(try_open(&dir, "postgresql:///postgres?host=/no/such/place", text), STORE_IO);
    assert_non_null(strstr(text, "/no/such/place"));
    assert_int_equal(try_open(&dir, "postgresql://[", text), STORE_IO);
    assert_int_equal(try_open(&dir, "postgresql:///postgres?password=secretive&host=/none", text),
                     STORE_IO);
    assert_null(strstr(text, "secretive"));
    test_dir_remove(&dir);
}

static void test_one_process(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Store *store = open_store(&dir, NULL, NULL);
    check_open(&dir, STORE_IN_USE, "held");
    close_store(store);
    check_open(&dir, STORE_OK, "");
    test_dir_remove(&dir);
}

// The server takes every statement of the program, with its parameters of unknown types.
static void test_each_statement(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    close_store(open_store(&dir, NULL, NULL));
    PGconn *conn = PQconnectdb(test_database(dir.path));
    for (int query = 0; query < STORE_Q_COUNT; query++) {
        PGresult *result = PQprepare(conn, "", store_sql[query], 0, NULL);
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            fail_msg("%s: %s", store_sql[query], PQerrorMessage(conn));
        PQclear(result);
        // The columns are of kinds that the store reads.
        result = PQdescribePrepared(conn, "");
        for (int i = 0; i < PQnfields(result); i++) {
            const Oid type = PQftype(result, i);
            if (type != 16 && type != 17 && type != 20 && type != 21 && type != 23 && type != 25)
                fail_msg("%s: column %d has type %u", store_sql[query], i, type);
        }
        PQclear(result);
    }
    PQfinish(conn);
    test_dir_remove(&dir);
}

// ---- a server that goes away --------------------------------------------------------------------

enum { GAMES = 20, EVENTS = 4000 };

static void check_all_once(Store *store) {
    Seen *seen = seen_new();
    JdErr err = { 0 };
    if (!store_replay(store, seen_add, seen, &err))
        fail_msg("no replay: %s", err.text);
    assert_int_equal(seen->count, EVENTS);
    uint32_t last[GAMES] = { 0 };
    for (size_t i = 0; i < seen->count; i++)
        assert_int_equal(seen->events[i].seq, ++last[seen->events[i].n]);
    free(seen);
}

// Sessions are ended by the server again and again; each event is there once at the end.
static void test_sessions_end(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Listener listener;
    const StoreConfig config = { .retry_ms = 5 };
    Store *store = open_store(&dir, &listener, &config);
    uint64_t ticket = 0;
    for (uint32_t i = 0; i < EVENTS; i++) {
        ticket = submit_event(store, i % GAMES, 1 + i / GAMES);
        if (i % 400 == 399)
            server_run(&dir, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE"
                             " application_name = 'jadoube' AND pid <> pg_backend_pid()");
    }
    listener_wait_durable(&listener, ticket);
    assert_true(listener.failures > 0);
    check_all_once(store);
    close_store(store);
    store = open_store(&dir, NULL, NULL);
    check_all_once(store);
    close_store(store);
    test_dir_remove(&dir);
}

// A job whose session was ended under it is told so, and leaves nothing.
static bool insert_and_lose(StoreDb *db, void *dir, JdErr *err) {
    StoreStmt *put = store_query(db, STORE_WORD_INSERT);
    store_bind_text(put, 1, JD_STR("lost"));
    if (!store_run(put, NULL, err))
        return false;
    server_run(dir, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE"
                    " application_name = 'jadoube' AND pid <> pg_backend_pid()");
    usleep(100000);
    return true;
}

static void test_job_loses_its_session(void **state) {
    (void)state;
    TestDir dir = test_dir();
    Store *store = open_store(&dir, NULL, NULL);
    JdErr err = { 0 };
    assert_false(store_write(store, insert_and_lose, &dir, &err));
    assert_int_equal(err.code, STORE_IO);
    assert_string_equal(test_database_text(dir.path, "SELECT count(*) FROM obscene_word"), "0");
    close_store(store);
    test_dir_remove(&dir);
}

// A process that lost its session, and with it the lock, writes nothing while another one has it,
// however often it tries.
static void test_lock_lost(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Listener listener;
    const StoreConfig config = { .retry_ms = 10 };
    Store *late = open_store(&dir, &listener, &config);
    listener_wait_durable(&listener, submit_event(late, 3, 1));
    server_run(&dir, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE"
                     " application_name = 'jadoube' AND pid <> pg_backend_pid()");
    Store *store = open_store(&dir, NULL, NULL);
    submit_event(late, 3, 2);
    listener_wait_failures(&listener, 1);
    StoreStats stats = { 0 };
    for (int i = 0; i < 6000 && stats.failures < 3; i++) {
        usleep(10000);
        store_stats(late, &stats);
    }
    assert_true(stats.failures >= 3);
    assert_string_equal(test_database_text(dir.path, "SELECT count(*) FROM game_event"), "1");
    close_store(store);
    assert_false(store_close(late, NULL));
    assert_string_equal(test_database_text(dir.path, "SELECT count(*) FROM game_event"), "1");
    test_dir_remove(&dir);
}

// ---- an answer that is lost ---------------------------------------------------------------------

// Between the program and the server: carries bytes both ways and, when told to, lets the next
// COMMIT through but not its answer.
typedef struct Relay {
    char path[108];
    char server[108];
    int listening;
    pthread_t thread;
    atomic_bool lose_commit;
    atomic_bool stop;
    atomic_int lost;
    atomic_int wires; // threads that carry
} Relay;

static int connect_to(const char *path) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        fail_msg("%s: no connection", path);
    return fd;
}

// False: the connection is over.
static bool carry(Relay *relay, int from, int to, bool to_server, bool *losing) {
    static _Thread_local char bytes[1 << 16];
    const ssize_t got = read(from, bytes, sizeof bytes);
    if (got <= 0)
        return false;
    if (!to_server && *losing) {
        atomic_store(&relay->lose_commit, false);
        atomic_fetch_add(&relay->lost, 1);
        return false; // the server has answered, and nobody hears it
    }
    if (to_server && atomic_load(&relay->lose_commit) &&
        memmem(bytes, (size_t)got, "COMMIT", 6) != NULL)
        *losing = true;
    return write(to, bytes, (size_t)got) == got;
}

typedef struct Wire {
    Relay *relay;
    int client;
} Wire;

static void *run_wire(void *context) {
    Wire wire = *(Wire *)context;
    free(context);
    const int server = connect_to(wire.relay->server);
    bool losing = false;
    bool goes_on = true;
    while (goes_on && !atomic_load(&wire.relay->stop)) {
        struct pollfd ends[] = { { .fd = wire.client, .events = POLLIN },
                                 { .fd = server, .events = POLLIN } };
        if (poll(ends, 2, 50) <= 0)
            continue;
        if (ends[0].revents != 0)
            goes_on = carry(wire.relay, wire.client, server, true, &losing);
        if (goes_on && ends[1].revents != 0)
            goes_on = carry(wire.relay, server, wire.client, false, &losing);
    }
    close(wire.client);
    close(server);
    atomic_fetch_sub(&wire.relay->wires, 1);
    return NULL;
}

static void *run_relay(void *context) {
    Relay *relay = context;
    while (!atomic_load(&relay->stop)) {
        struct pollfd end = { .fd = relay->listening, .events = POLLIN };
        if (poll(&end, 1, 50) <= 0)
            continue;
        Wire *wire = malloc(sizeof *wire);
        *wire = (Wire) { relay, accept(relay->listening, NULL, NULL) };
        pthread_t thread;
        atomic_fetch_add(&relay->wires, 1);
        assert_int_equal(pthread_create(&thread, NULL, run_wire, wire), 0);
        pthread_detach(thread);
    }
    return NULL;
}

static void start_relay(Relay *relay, const TestDir *dir) {
    *relay = (Relay) { 0 };
    // The server's socket lies beside its data.
    snprintf(relay->server, sizeof relay->server, "%.70s", getenv("JADOUBE_TEST_POSTGRES_DATA"));
    *strrchr(relay->server, '/') = '\0';
    strcat(relay->server, "/.s.PGSQL.5432");
    snprintf(relay->path, sizeof relay->path, "%s/.s.PGSQL.5432", dir->path);
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    snprintf(address.sun_path, sizeof address.sun_path, "%s", relay->path);
    relay->listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(relay->listening, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(relay->listening, 20), 0);
    assert_int_equal(pthread_create(&relay->thread, NULL, run_relay, relay), 0);
}

// The commit was made and its answer lost: nothing is written a second time, nothing is missing,
// and a job that was in it is told that it was done.
static bool insert_word(StoreDb *db, void *word, JdErr *err) {
    StoreStmt *put = store_query(db, STORE_WORD_INSERT);
    store_bind_text(put, 1, jd_str(word));
    return store_run(put, NULL, err);
}

static void test_answer_lost(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Relay relay;
    start_relay(&relay, &dir);
    assert_non_null(test_database(dir.path)); // makes the schema
    char url[300];
    snprintf(url, sizeof url,
             "host=%s dbname=postgres user=jadoube options='-c search_path=\"%s\"'", dir.path,
             strrchr(dir.path, '/') + 1);
    Listener listener;
    listener_init(&listener);
    const StoreConfig config = { .data_dir = dir.path,
                                 .database = url,
                                 .on_durable = listener_on_durable,
                                 .context = &listener,
                                 .retry_ms = 5 };
    Store *store = NULL;
    JdErr err = { 0 };
    if (!store_open(&config, &store, &err))
        fail_msg("not opened: %s", err.text);
    uint64_t ticket = 0;
    char word[16];
    for (uint32_t i = 0; i < EVENTS; i++) {
        ticket = submit_event(store, i % GAMES, 1 + i / GAMES);
        if (i % 500 == 499) {
            listener_wait_durable(&listener, ticket);
            atomic_store(&relay.lose_commit, true);
            snprintf(word, sizeof word, "word%u", i);
            if (!store_write(store, insert_word, word, &err))
                fail_msg("the job is told that it failed: %s", err.text);
        }
    }
    listener_wait_durable(&listener, ticket);
    assert_int_equal(atomic_load(&relay.lost), EVENTS / 500);
    check_all_once(store);
    close_store(store);
    assert_string_equal(test_database_text(dir.path, "SELECT count(*) FROM obscene_word"), "8");
    atomic_store(&relay.stop, true);
    pthread_join(relay.thread, NULL);
    close(relay.listening);
    while (atomic_load(&relay.wires) > 0)
        usleep(10000);
    unlink(relay.path);
    test_dir_remove(&dir);
}

// ---- the server is started anew -----------------------------------------------------------------

static void restart_server(void) {
    char command[512];
    const char *as =
        geteuid() == 0 ? "setpriv --reuid postgres --regid postgres --init-groups" : "";
    snprintf(command, sizeof command,
             "cd / && %s %s/pg_ctl -D %s -m immediate -s -w -l /dev/null restart", as,
             getenv("JADOUBE_TEST_POSTGRES_BIN"), getenv("JADOUBE_TEST_POSTGRES_DATA"));
    assert_int_equal(system(command), 0);
}

static void test_server_restarts(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Listener listener;
    const StoreConfig config = { .retry_ms = 20 };
    Store *store = open_store(&dir, &listener, &config);
    uint64_t ticket = 0;
    for (uint32_t i = 0; i < EVENTS; i++) {
        ticket = submit_event(store, i % GAMES, 1 + i / GAMES);
        if (i % 2000 == 1000)
            restart_server(); // at once, as if it had been killed
    }
    listener_wait_durable(&listener, ticket);
    check_all_once(store);
    StoreDb *db = NULL;
    JdErr err = { 0 };
    assert_true(store_reader_open(store, &db, &err));
    restart_server();
    int64_t value = 0;
    bool found = false;
    if (!store_meta_get(db, "store.group", &value, &found, &err)) // its connection is made anew
        fail_msg("a reader does not come back: %s", err.text);
    assert_true(found);
    store_reader_close(db);
    close_store(store);
    test_dir_remove(&dir);
}

int main(void) {
    if (!test_on_postgres()) {
        printf("skipped: run by tests/tools/with_postgres.sh\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_one_process),
        cmocka_unit_test(test_each_statement),
        cmocka_unit_test(test_sessions_end),
        cmocka_unit_test(test_job_loses_its_session),
        cmocka_unit_test(test_lock_lost),
        cmocka_unit_test(test_answer_lost),
        cmocka_unit_test(test_server_restarts),
    };
    return cmocka_run_group_tests_name("store/postgres", tests, NULL, NULL);
}
