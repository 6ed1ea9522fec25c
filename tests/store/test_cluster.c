// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several nodes on one database: who has what, what happens to one that stands still, and that the
// database refuses what it writes afterwards. Runs beside a PostgreSQL server of its own
// (tests/tools/with_postgres.sh). Nodes that must die are processes: this program, started with the
// name of what they are to do.
#include "node.h"

#include <libpq-fe.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/internal.h"

// Of nodes that are to be found dead soon, of those that must not be, however busy the machine is,
// and of those that look around by themselves so seldom that whatever comes at once was told.
enum { QUICK_MS = 600, STEADY_MS = 5000, LONG_MS = 300000 };

// ---- shards -------------------------------------------------------------------------------------

static StoreId id_of(const char *text) {
    StoreId id;
    assert_true(store_id(jd_str(text), &id));
    return id;
}

static void test_shards(void **state) {
    (void)state;
    // FNV-1a 64 as its authors publish it (draft-eastlake-fnv): "a", "foobar".
    const StoreId a = id_of("a");
    const StoreId foobar = id_of("foobar");
    assert_int_equal(store_shard_of(&a), UINT64_C(0xaf63dc4c8601ec8c) % 4096);
    assert_int_equal(store_shard_of(&foobar), UINT64_C(0x85944171f73967e8) % 4096);
    StoreShards shards = { 0 };
    store_shards_add(&shards, 0);
    store_shards_add(&shards, 64);
    store_shards_add(&shards, 4095);
    store_shards_remove(&shards, 64);
    assert_true(store_shards_has(&shards, 0) && store_shards_has(&shards, 4095));
    assert_false(store_shards_has(&shards, 64));
    assert_int_equal(store_shards_count(&shards), 2);
}

// What member 0 gives away, by the numbers of shards that the members have. Negative: it leaves.
static const struct {
    int has[4];
    uint32_t gives;
} surpluses[] = {
    { { 4096 }, 0 },
    { { 4095, 1 }, 2047 },        // one that has just come
    { { 2048, 2047, 1 }, 682 },   // both of the others give to the third
    { { 1366, 1366, 1364 }, 0 },  // fair already
    { { 2048, 1000 }, 0 },        // what is free suffices
    { { 3000, 1000, -96 }, 952 }, // 2048 each; what the leaving one has will come too
    { { -4095, 1 }, 0 },          // who leaves gives all by other means
};

static void test_surplus(void **state) {
    (void)state;
    for (size_t row = 0; row < JD_COUNT(surpluses); row++) {
        StoreClusterView view = { 0 };
        uint32_t at = 0;
        memset(view.owner, STORE_NOBODY, sizeof view.owner);
        for (; view.count < 4 && surpluses[row].has[view.count] != 0; view.count++) {
            const int has = surpluses[row].has[view.count];
            view.members[view.count].shards = (uint16_t)abs(has);
            view.members[view.count].leaving = has < 0;
            for (int i = 0; i < abs(has) && at < STORE_SHARDS; i++)
                view.owner[at++] = (uint8_t)view.count;
        }
        StoreShards give;
        const bool gives = store_cluster_surplus(&view, &give);
        if (store_shards_count(&give) != surpluses[row].gives ||
            gives != (surpluses[row].gives > 0))
            fail_msg("surpluses[%zu]: %u, expected %u", row, store_shards_count(&give),
                     surpluses[row].gives);
        for (uint32_t shard = 0; shard < STORE_SHARDS; shard++)
            assert_true(!store_shards_has(&give, shard) || view.owner[shard] == 0);
    }
}

// ---- beside the nodes ---------------------------------------------------------------------------

static int64_t ask(const TestDir *dir, const char *sql) {
    return strtoll(test_database_text(dir->path, sql), NULL, 10);
}

static void server_run(const TestDir *dir, const char *sql) {
    PGconn *conn = PQconnectdb(test_database(dir->path));
    PGresult *result = PQexec(conn, sql);
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(conn));
    PQclear(result);
    PQfinish(conn);
}

static StoreFault try_open(const TestDir *dir, const char *node, char text[JD_ERR_TEXT_SIZE]) {
    const StoreConfig config = { .data_dir = dir->path,
                                 .database = test_database(dir->path),
                                 .node = node };
    Store *store = NULL;
    JdErr err = { 0 };
    const bool ok = store_open(&config, &store, &err);
    memcpy(text, err.text, JD_ERR_TEXT_SIZE);
    if (ok)
        store_close(store, NULL);
    return ok ? STORE_OK : (StoreFault)err.code;
}

// ---- who has what -------------------------------------------------------------------------------

static void check_view(Node *node, const char *names) {
    StoreClusterView view;
    store_cluster_view(node->store, &view);
    char text[256] = "";
    for (uint32_t i = 0; i < view.count; i++) {
        strcat(strcat(text, i > 0 ? " " : ""), view.members[i].name);
        assert_string_equal(view.members[i].address, "http://node.example");
        uint32_t owned = 0;
        for (uint32_t shard = 0; shard < STORE_SHARDS; shard++)
            owned += view.owner[shard] == i;
        assert_int_equal(owned, view.members[i].shards);
    }
    assert_string_equal(text, names);
}

// Until each shard has its owner, who plays it.
static void wait_all_owned(const TestDir *dir, Node *const *nodes, int count) {
    for (int i = 0; i < 4000; i++) {
        uint32_t owned = 0;
        for (int n = 0; n < count; n++)
            owned += node_count(nodes[n]);
        if (owned == STORE_SHARDS && ask(dir, "SELECT count(*) FROM shard WHERE node IS NULL") == 0)
            return;
        usleep(10000);
    }
    fail_msg("some shards are nobody's");
}

// Until the node has read from the database that so many live.
static void wait_members(Node *node, uint32_t count) {
    static StoreClusterView view;
    for (int i = 0; i < 4000; i++) {
        store_cluster_view(node->store, &view);
        if (view.count == count)
            return;
        usleep(10000);
    }
    fail_msg("%s knows of %u nodes, expected %u", node->store->config.node, view.count, count);
}

static void test_fair_claims(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Node *a = node_open(&dir, "a", LONG_MS, NULL);
    node_wait_count(a, 4096, 4096);
    check_view(a, "a");
    Node *b = node_open(&dir, "b", LONG_MS, NULL);
    node_wait_count(b, 2048, 2048);
    node_wait_count(a, 2048, 2048);
    Node *c = node_open(&dir, "c", LONG_MS, NULL);
    node_wait_count(c, 1364, 1366);
    node_wait_count(a, 1364, 1366);
    node_wait_count(b, 1364, 1366);
    wait_all_owned(&dir, (Node *const[]) { a, b, c }, 3);
    check_view(a, "a b c");
    // One that goes leaves its part to the others, at once: long before its lease has run out.
    node_close(b);
    node_wait_count(a, 2048, 2048);
    node_wait_count(c, 2048, 2048);
    wait_members(c, 2);
    check_view(c, "a c");
    StoreStats stats;
    store_stats(a->store, &stats);
    assert_int_equal(stats.fenced, 0);
    node_close(a);
    node_close(c);
    test_dir_remove(&dir);
}

// Until the node has read from the database who lives.
static void wait_view(Node *node, const char *name, int64_t epoch) {
    static StoreClusterView view;
    for (int i = 0; i < 2000; i++) {
        store_cluster_view(node->store, &view);
        for (uint32_t at = 0; at < view.count; at++)
            if (strcmp(view.members[at].name, name) == 0 && view.members[at].epoch == epoch)
                return;
        usleep(5000);
    }
    fail_msg("%s does not know of %s, epoch %lld", node->store->config.node, name,
             (long long)epoch);
}

// What is told while a node looks around is looked at as well, and not when a look is due by
// itself.
static void test_told_while_looking(void **state) {
    (void)state;
    enum { TIMES = 200 };
    const TestDir dir = test_dir();
    Node *a = node_open(&dir, "a", LONG_MS, NULL);
    node_wait_count(a, 4096, 4096);
    server_run(&dir, "INSERT INTO node VALUES ('z', 1, '', 600000, (extract(epoch FROM now()) * "
                     "1000)::bigint, 0, 1)");
    PGconn *conn = PQconnectdb(test_database(dir.path));
    for (int i = 2; i < TIMES; i++) {
        char sql[200];
        PQclear(PQexec(conn, "DO $$ BEGIN EXECUTE format('NOTIFY %I', 'jadoube.' ||"
                             " current_schema()); END $$"));
        snprintf(sql, sizeof sql,
                 "DO $$ BEGIN UPDATE node SET epoch = %d WHERE name = 'z'; EXECUTE"
                 " format('NOTIFY %%I', 'jadoube.' || current_schema()); END $$",
                 i);
        usleep((useconds_t)(i % 20) * 100);
        PGresult *result = PQexec(conn, sql);
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            fail_msg("%s: %s", sql, PQerrorMessage(conn));
        PQclear(result);
        wait_view(a, "z", i);
    }
    PQfinish(conn);
    node_close(a);
    test_dir_remove(&dir);
}

// Runs `sql` and tells the nodes, and waits until `node` has looked: then it knows the next epoch
// of a node z that is of no account otherwise.
static void change_and_tell(const TestDir *dir, Node *node, const char *sql, int64_t epoch) {
    char text[600];
    snprintf(text, sizeof text,
             "DO $$ BEGIN %s; INSERT INTO node VALUES ('z', %lld, '', 600000, (extract(epoch FROM"
             " now()) * 1000)::bigint, 0, 1) ON CONFLICT (name) DO UPDATE SET epoch ="
             " excluded.epoch; EXECUTE format('NOTIFY %%I', 'jadoube.' || current_schema());"
             " END $$",
             sql, (long long)epoch);
    server_run(dir, text);
    wait_view(node, "z", epoch);
}

// The server stood still between a node's renewal and its look: by its clock the lease has run out,
// and nobody has ended it. What the node has it keeps, and it does not come a second time.
static void test_late_and_not_ended(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Node *a = node_open(&dir, "a", LONG_MS, NULL);
    node_wait_count(a, 4096, 4096);
    node_append(a, 7, 1);
    pthread_mutex_lock(&a->mutex);
    const int takings = a->takings;
    pthread_mutex_unlock(&a->mutex);
    for (int64_t i = 0; i < 3; i++) {
        change_and_tell(&dir, a, "UPDATE node SET alive_at = 1 WHERE name = 'a'", 2 * i + 1);
        change_and_tell(&dir, a,
                        "UPDATE node SET alive_at = (extract(epoch FROM now()) * 1000)::bigint"
                        " WHERE name = 'a'",
                        2 * i + 2);
        node_append(a, 7, (uint32_t)i + 2);
    }
    usleep(300000); // a taking would be read
    pthread_mutex_lock(&a->mutex);
    assert_int_equal(a->takings, takings);
    pthread_mutex_unlock(&a->mutex);
    assert_false(node_is_fenced(a));
    assert_int_equal(ask(&dir, "SELECT count(*) FROM game_event"), 4);
    node_close(a);
    test_dir_remove(&dir);
}

// Before its first sign of life a node has nothing and counts for nobody.
static void test_not_ready(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Node *a = node_open(&dir, "a", LONG_MS, NULL);
    node_wait_count(a, 4096, 4096);
    StoreConfig config = { .data_dir = dir.path,
                           .database = test_database(dir.path),
                           .node = "b",
                           .address = "http://node.example",
                           .lease_ms = LONG_MS };
    Store *b = NULL;
    assert_true(store_open(&config, &b, NULL));
    wait_view(a, "b", 1);
    usleep(1500000);
    assert_int_equal(node_count(a), 4096);
    check_view(a, "a b");
    assert_true(store_close(b, NULL));
    node_close(a);
    test_dir_remove(&dir);
}

static void check_all_known(Node *node, uint32_t games, const char *events) {
    char text[512];
    for (uint32_t n = 0; n < games; n++)
        if (node_has(node, n))
            assert_string_equal(node_seen(node, n, text), events);
}

static void append_all(Node *node, uint32_t games, uint32_t seq) {
    uint64_t ticket = 0;
    for (uint32_t n = 0; n < games; n++)
        if (node_has(node, n))
            ticket = submit_event(node->store, n, seq);
    if (ticket != 0)
        listener_wait_durable(&node->listener, ticket);
}

// Shards wander between nodes; each owner finds all that was written before and goes on with it.
static void test_release_and_claim(void **state) {
    (void)state;
    enum { GAMES = 200 };
    const TestDir dir = test_dir();
    Node *a = node_open(&dir, "a", LONG_MS, NULL);
    node_wait_count(a, 4096, 4096);
    append_all(a, GAMES, 1);
    const int64_t before_ms = node_now_ms();
    Node *b = node_open(&dir, "b", LONG_MS, NULL);
    node_wait_count(b, 2048, 2048);
    check_all_known(b, GAMES, "1");
    assert_true(b->released && b->alive_ms >= before_ms);
    append_all(a, GAMES, 2);
    append_all(b, GAMES, 2);
    // A finished one is not handed over.
    const uint32_t folded = node_entity(b, 0);
    const uint32_t closed = node_entity(b, folded + 1);
    submit_one(b->store, test_fold(folded));
    listener_wait_durable(&b->listener, submit_one(b->store, test_close(closed)));
    node_close(b);
    node_wait_count(a, 4096, 4096);
    char text[512];
    assert_string_equal(node_seen(a, folded, text), "");
    assert_string_equal(node_seen(a, closed, text), "");
    for (uint32_t n = 0; n < GAMES; n++)
        if (n != folded && n != closed && node_seen(a, n, text)[0] != '\0')
            assert_string_equal(text, "1 2");
    for (uint32_t n = 0; n < GAMES; n++)
        if (n != folded && n != closed)
            node_append(a, n, 3);
    assert_int_equal(ask(&dir, "SELECT count(*) FROM (SELECT game FROM game_event AS e WHERE EXISTS"
                               " (SELECT 1 FROM game_event AS l WHERE l.game = e.game AND l.seq >"
                               " e.seq AND l.arrival < e.arrival)) AS wrong"),
                     0);
    node_close(a);
    test_dir_remove(&dir);
}

// What is released is out of reach: a slip of the program is no way round it.
static void test_foreign_shard(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Node *a = node_open(&dir, "a", STEADY_MS, NULL);
    node_wait_count(a, 4096, 4096);
    Node *b = node_open(&dir, "b", STEADY_MS, NULL);
    node_wait_count(b, 2048, 2048);
    const uint32_t theirs = node_entity(b, 0);
    assert_true(submit_event(a->store, theirs, 1) > 0);
    node_wait_fenced(a);
    assert_int_equal(ask(&dir, "SELECT count(*) FROM game_event"), 0);
    node_close(a);
    node_wait_count(b, 4096, 4096);
    node_close(b);
    test_dir_remove(&dir);
}

// ---- who stands still ---------------------------------------------------------------------------

// The loop hangs: no sign of life, so no renewal, so others take the shards.
static void test_loop_hangs(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Node *a = node_open(&dir, "a", STEADY_MS, NULL);
    node_wait_count(a, 4096, 4096);
    node_append(a, 7, 1);
    Node *b = node_open(&dir, "b", STEADY_MS, NULL);
    node_wait_count(b, 2048, 2048);
    const int64_t before_ms = node_now_ms();
    node_fall_silent(a);
    const int64_t silent_ms = node_now_ms();
    node_wait_count(b, 4096, 4096);
    assert_true(b->alive_ms <= silent_ms && b->alive_ms > before_ms - STEADY_MS);
    assert_false(b->released);
    node_wait_fenced(a);
    char body[TEST_BODY_MAX];
    const StoreWork work = test_event(7, 2, body);
    assert_int_equal(store_submit(a->store, &work, 1), 0);
    node_append(b, 7, 2);
    node_close(a);
    node_close(b);
    test_dir_remove(&dir);
}

static bool was_told(Node *node) {
    pthread_mutex_lock(&node->listener.mutex);
    const bool told = node->listener.failures > 0 && node->listener.err.code == STORE_FENCED;
    pthread_mutex_unlock(&node->listener.mutex);
    return told;
}

// The fence itself, on a connection that works: the epoch is another one, and the database says no.
static void test_database_refuses(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Node *a = node_open(&dir, "a", LONG_MS, NULL);
    node_wait_count(a, 4096, 4096);
    node_append(a, 1, 1);
    server_run(&dir, "UPDATE node SET epoch = epoch + 1 WHERE name = 'a'");
    assert_true(submit_event(a->store, 1, 2) > 0);
    node_wait_fenced(a);
    for (int i = 0; i < 6000 && !was_told(a); i++)
        usleep(10000);
    assert_true(was_told(a));
    assert_int_equal(ask(&dir, "SELECT count(*) FROM game_event"), 1);
    node_close(a);
    test_dir_remove(&dir);
}

static bool try_sql(PGconn *conn, const char *sql) {
    PGresult *result = PQexec(conn, sql);
    const ExecStatusType status = PQresultStatus(result);
    PQclear(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

// What the fence rests on: a take-over waits for a transaction that passed it, and a renewal does
// not.
static void test_conflicts(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Node *a = node_open(&dir, "a", LONG_MS, NULL);
    node_wait_count(a, 4096, 4096);
    PGconn *owner = PQconnectdb(test_database(dir.path));
    PGconn *other = PQconnectdb(test_database(dir.path));
    assert_true(try_sql(owner, "BEGIN"));
    assert_true(try_sql(owner, "SELECT 1 FROM node WHERE name = 'a' AND epoch = 1 FOR KEY SHARE"));
    assert_true(try_sql(other, "SET lock_timeout = '60s'"));
    assert_true(try_sql(other, "UPDATE node SET alive_at = alive_at + 1 WHERE name = 'a'"));
    assert_true(try_sql(other, "SET lock_timeout = '100ms'"));
    assert_false(try_sql(other, "UPDATE node SET epoch = epoch + 1 WHERE name = 'a'"));
    assert_true(try_sql(other, "SET lock_timeout = '60s'"));
    assert_true(try_sql(owner, "COMMIT"));
    assert_true(try_sql(other, "UPDATE node SET epoch = epoch + 1 WHERE name = 'a'"));
    PQfinish(owner);
    PQfinish(other);
    node_close(a);
    test_dir_remove(&dir);
}

static void test_same_name(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    enum { OLD_MS = 30000 }; // is renewed after a third of it
    Node *old = node_open(&dir, "a", OLD_MS, NULL);
    node_wait_count(old, 4096, 4096);
    node_append(old, 5, 1);
    const int64_t start = node_now_ms();
    Node *new = node_open(&dir, "a", LONG_MS, NULL);
    assert_int_equal(store_cluster_epoch(new->store), 2); // before it has looked around
    node_wait_count(new, 4096, 4096);
    assert_true(node_now_ms() - start < OLD_MS / 2); // nobody waited for the old one's lease
    char text[512];
    assert_string_equal(node_seen(new, 5, text), "1");
    node_wait_fenced(old);
    StoreClusterView view;
    store_cluster_view(new->store, &view);
    assert_int_equal(view.count, 1);
    assert_int_equal(view.members[0].epoch, 2);
    node_append(new, 5, 2);
    node_close(old);
    assert_int_equal(node_count(new), 4096);
    node_append(new, 5, 3);
    node_close(new);
    test_dir_remove(&dir);
}

// ---- alone, or nodes ----------------------------------------------------------------------------

static void test_alone_or_nodes(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    char text[JD_ERR_TEXT_SIZE];
    Store *alone = open_store(&dir, NULL, NULL);
    submit_event(alone, 3, 1);
    assert_int_equal(try_open(&dir, "a", text), STORE_IN_USE);
    close_store(alone);
    assert_int_equal(try_open(&dir, "no spaces", text), STORE_SQL);
    assert_int_equal(try_open(&dir, "", text), STORE_SQL);

    Node *a = node_open(&dir, "a", STEADY_MS, NULL);
    node_wait_count(a, 4096, 4096);
    char seen[512];
    assert_string_equal(node_seen(a, 3, seen), "1");
    assert_int_equal(a->alive_ms, 0);
    assert_int_equal(try_open(&dir, NULL, text), STORE_IN_USE);
    node_append(a, 3, 2);
    node_close(a);

    alone = open_store(&dir, NULL, NULL);
    assert_replay(alone, "3:1 3:2");
    StoreDb *db = NULL;
    assert_true(store_reader_open(alone, &db, NULL));
    StoreStmt *alive = store_query(db, STORE_NODES_ALIVE);
    assert_int_equal(store_step(alive, NULL), STORE_STEP_ROW);
    assert_true(store_column_int(alive, 0) > node_now_ms() - 60000);
    store_done(alive);
    store_reader_close(db);
    submit_event(alone, 3, 3);
    close_store(alone);

    a = node_open(&dir, "a", STEADY_MS, NULL);
    node_wait_count(a, 4096, 4096);
    assert_string_equal(node_seen(a, 3, seen), "1 2 3");
    node_append(a, 3, 4);
    node_close(a);
    assert_string_equal(test_database_text(dir.path,
                                           "SELECT string_agg(seq::text, ' ' ORDER BY arrival)"
                                           " FROM game_event"),
                        "1 2 3 4");
    test_dir_remove(&dir);

    const StoreConfig file = { .data_dir = "/tmp", .node = "a" };
    Store *store = NULL;
    JdErr err = { 0 };
    assert_false(store_open(&file, &store, &err));
    assert_non_null(strstr(err.text, "PostgreSQL"));
}

// A process alone that lost its connection, and nodes that came before it was back.
static void test_alone_is_late(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Listener listener;
    const StoreConfig config = { .retry_ms = 10 };
    Store *alone = open_store(&dir, &listener, &config);
    listener_wait_durable(&listener, submit_event(alone, 3, 1));
    server_run(&dir, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE"
                     " application_name = 'jadoube' AND pid <> pg_backend_pid()");
    Node *a = node_open(&dir, "a", STEADY_MS, NULL);
    node_wait_count(a, 4096, 4096);
    node_append(a, 3, 2);
    node_close(a);
    submit_event(alone, 3, 2);
    listener_wait_failures(&listener, 1);
    for (int i = 0; i < 6000 && listener.err.code != STORE_FENCED; i++)
        usleep(10000);
    assert_int_equal(listener.err.code, STORE_FENCED);
    assert_false(store_close(alone, NULL));
    assert_int_equal(ask(&dir, "SELECT count(*) FROM game_event"), 2);
    test_dir_remove(&dir);
}

// ---- processes ----------------------------------------------------------------------------------

typedef struct Child {
    pid_t pid;
    int told; // what it says, line by line
} Child;

static Child child_start(const TestDir *dir, const char *what, const char *name) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char end[8];
    snprintf(end, sizeof end, "%d", ends[1]);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        execl("/proc/self/exe", "test_store_cluster", what, dir->path, name, end, (char *)NULL);
        _exit(99);
    }
    close(ends[1]);
    return (Child) { pid, ends[0] };
}

static uint32_t child_read(const Child *child) {
    uint32_t value = 0;
    if (read(child->told, &value, sizeof value) != sizeof value)
        fail_msg("the child says nothing");
    return value;
}

static int child_wait(const Child *child) {
    int status = 0;
    close(child->told);
    assert_int_equal(waitpid(child->pid, &status, 0), child->pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void tell(int end, uint32_t value) {
    if (write(end, &value, sizeof value) != sizeof value)
        _exit(98);
}

enum { EXIT_REFUSED = 75, EXIT_WRITTEN = 76 };

static bool hide_session(StoreDb *db, void *arg, JdErr *err) {
    (void)arg;
    return db_exec(db, "SET application_name = 'hidden'", err);
}

// Writes an event, stands still, and tries to write another one when it is woken. `hidden`: the
// others do not find its session, so that the connection on which it tries is as good as ever, and
// the server's refusal is the first thing it hears: its lease thread, whose session was ended, does
// not get to the server any more.
static int child_stopped(const TestDir *dir, const char *name, int end, bool hidden) {
    Node *node = node_open(dir, name, QUICK_MS, NULL);
    node_wait_count(node, 4096, 4096);
    node_append(node, 1, 1);
    if (hidden && !store_write(node->store, hide_session, NULL, NULL))
        return 2;
    if (hidden)
        node->store->config.database = "host=/nowhere";
    atomic_store(&node->selfish, true);
    tell(end, 1);
    raise(SIGSTOP);
    // It believes that all is as it was.
    char body[TEST_BODY_MAX];
    const StoreWork work = test_event(1, 2, body);
    const uint64_t ticket = store_submit(node->store, &work, 1); // 0: it knows better already
    for (int i = 0; i < 6000 && ticket != 0 && !was_told(node); i++)
        usleep(10000);
    StoreStats stats;
    store_stats(node->store, &stats);
    const bool written = ticket != 0 && store_durable_ticket(node->store) >= ticket;
    const bool told = ticket == 0 || was_told(node);
    const bool tried = ticket != 0 && stats.failures > 0;
    const bool fenced = node_is_fenced(node);
    node_close(node);
    return written ? EXIT_WRITTEN : fenced && told && (tried || !hidden) ? EXIT_REFUSED : 1;
}

static bool stand_still_and_insert(StoreDb *db, void *end, JdErr *err) {
    StoreStmt *put = store_query(db, STORE_WORD_INSERT);
    store_bind_text(put, 1, JD_STR("before"));
    if (!store_run(put, NULL, err))
        return false;
    tell(*(int *)end, 1);
    raise(SIGSTOP);
    put = store_query(db, STORE_WORD_INSERT);
    store_bind_text(put, 1, JD_STR("after"));
    return store_run(put, NULL, err);
}

// Stands still in the middle of a transaction.
static int child_stopped_inside(const TestDir *dir, const char *name, int end) {
    Node *node = node_open(dir, name, QUICK_MS, NULL);
    node_wait_count(node, 4096, 4096);
    atomic_store(&node->selfish, true);
    JdErr err = { 0 };
    const bool written = store_write(node->store, stand_still_and_insert, &end, &err);
    for (int i = 0; i < 6000 && !node_is_fenced(node); i++)
        usleep(10000);
    const bool fenced = node_is_fenced(node);
    node_close(node);
    return written ? EXIT_WRITTEN : fenced ? EXIT_REFUSED : 1;
}

// Appends as long as it lives and says what is durable. Never far ahead of that, so that the queue
// is not full when the database stands still, and no more than the test can look through.
enum { AHEAD_MAX = 2000, WRITES_MAX = TEST_SEEN_MAX / 2 };

typedef struct Writing {
    int end;
    _Atomic uint64_t durable;
} Writing;

static void tell_seq(void *context, uint64_t ticket, bool ok, const JdErr *err) {
    Writing *writing = context;
    (void)err;
    if (!ok)
        return;
    tell(writing->end, (uint32_t)ticket);
    atomic_store(&writing->durable, ticket);
}

static int child_writes(const TestDir *dir, const char *name, int end) {
    static Writing writing;
    writing.end = end;
    const StoreConfig config = { .data_dir = dir->path,
                                 .database = test_database(dir->path),
                                 .node = name,
                                 .lease_ms = QUICK_MS,
                                 .on_durable = tell_seq,
                                 .context = &writing };
    Store *store = NULL;
    if (!store_open(&config, &store, NULL))
        return 1;
    StoreTaking *taking;
    do
        store_cluster_alive(store, node_now_ms());
    while ((taking = store_taking_next(store)) == NULL && usleep(1000) == 0);
    uint64_t ticket = 0;
    for (uint32_t seq = 1;; seq++) {
        for (uint32_t n = 0; n < 10; n++)
            ticket = submit_event(store, n, seq);
        usleep(seq % 16 == 0 ? 500 : 0);
        do
            store_cluster_alive(store, node_now_ms());
        while ((ticket >= WRITES_MAX || ticket - atomic_load(&writing.durable) > AHEAD_MAX) &&
               usleep(1000) == 0);
    }
}

// A must: a stale owner makes it try, and the database refuses.
static void check_stopped(const char *what, uint32_t events) {
    const TestDir dir = test_dir();
    const Child a = child_start(&dir, what, "a");
    assert_int_equal(child_read(&a), 1);
    int status = 0;
    assert_int_equal(waitpid(a.pid, &status, WUNTRACED), a.pid);
    assert_true(WIFSTOPPED(status));
    // It takes over after the lease has run out, and not when it looks around by itself.
    enum { LOOKS_MS = 20000 };
    Node *b = node_open(&dir, "b", LOOKS_MS * 3, NULL);
    const int64_t start = node_now_ms();
    node_wait_count(b, 4096, 4096);
    assert_true(node_now_ms() - start < LOOKS_MS - 2000);
    char text[512];
    assert_string_equal(node_seen(b, 1, text), events > 0 ? "1" : "");
    kill(a.pid, SIGCONT);
    assert_int_equal(child_wait(&a), EXIT_REFUSED);
    assert_int_equal(ask(&dir, "SELECT count(*) FROM game_event"), events);
    assert_int_equal(ask(&dir, "SELECT count(*) FROM obscene_word"), 0);
    node_append(b, 1, events + 1);
    node_close(b);
    test_dir_remove(&dir);
}

static void test_stopped(void **state) {
    (void)state;
    check_stopped("stopped", 1);
}

static void test_stopped_and_hidden(void **state) {
    (void)state;
    check_stopped("stopped-hidden", 1);
}

static void test_stopped_inside(void **state) {
    (void)state;
    check_stopped("stopped-inside", 0);
}

// kill -9 in the midst of committing: what it was told is durable comes with the taking.
static void test_killed(void **state) {
    (void)state;
    for (int round = 0; round < 3; round++) {
        const TestDir dir = test_dir();
        const Child a = child_start(&dir, "writes", "a");
        assert_true(child_read(&a) > 0);
        usleep((useconds_t)(50000 + round * 40000));
        kill(a.pid, SIGKILL);
        uint32_t told = 0;
        for (uint32_t value; read(a.told, &value, sizeof value) == sizeof value;)
            told = value;
        assert_int_equal(child_wait(&a), 1000 + SIGKILL);
        Node *b = node_open(&dir, "b", STEADY_MS, NULL);
        node_wait_count(b, 4096, 4096);
        assert_true(b->seen->count >= told);
        uint32_t last[10] = { 0 };
        for (size_t i = 0; i < b->seen->count; i++)
            assert_int_equal(b->seen->events[i].seq, ++last[b->seen->events[i].n]);
        for (uint32_t n = 0; n < 10; n++)
            node_append(b, n, last[n] + 1);
        node_close(b);
        test_dir_remove(&dir);
    }
}

// ---- jobs ---------------------------------------------------------------------------------------

enum { JOBS = 60 };

// Reads a number, thinks, and writes one more: two at a time would lose some.
static bool count_one(StoreDb *db, void *arg, JdErr *err) {
    (void)arg;
    int64_t value = 0;
    bool found = false;
    if (!store_meta_get(db, "counter", &value, &found, err))
        return false;
    usleep(1000);
    StoreStmt *put = db_query(db, STORE_Q_META_PUT);
    store_bind_text(put, 1, JD_STR("counter"));
    store_bind_int(put, 2, value + 1);
    return store_run(put, NULL, err);
}

static void *run_jobs(void *context) {
    Node *node = context;
    for (int i = 0; i < JOBS; i++) {
        JdErr err = { 0 };
        if (!store_write(node->store, count_one, NULL, &err))
            fail_msg("a job failed: %s", err.text);
    }
    return NULL;
}

// A job that goes on until it is told to end.
typedef struct LongJob {
    Node *node;
    atomic_bool begun, may_end, over;
} LongJob;

static bool take_long(StoreDb *db, void *context, JdErr *err) {
    LongJob *job = context;
    atomic_store(&job->begun, true);
    for (int i = 0; i < 10000 && !atomic_load(&job->may_end); i++)
        usleep(5000);
    atomic_store(&job->over, true);
    return count_one(db, NULL, err);
}

static void *run_long(void *context) {
    LongJob *job = context;
    assert_true(store_write(job->node->store, take_long, job, NULL));
    return NULL;
}

static void test_jobs(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Node *nodes[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        nodes[i] = node_open(&dir, (const char *[]) { "a", "b", "c" }[i], LONG_MS, NULL);
    for (int i = 0; i < 3; i++)
        node_wait_count(nodes[i], 1364, 1366);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run_jobs, nodes[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(ask(&dir, "SELECT value FROM meta WHERE key = 'counter'"), 3 * JOBS);
    // While one node's job takes long, play on the others goes on, also where jobs wait.
    LongJob job = { .node = nodes[0] };
    pthread_create(&threads[0], NULL, run_long, &job);
    while (!atomic_load(&job.begun))
        usleep(1000);
    pthread_create(&threads[1], NULL, run_jobs, nodes[1]);
    const uint32_t n = node_entity(nodes[1], 0);
    for (uint32_t seq = 1; seq <= 20; seq++) {
        node_append(nodes[1], n, seq);
        usleep(5000);
    }
    assert_false(atomic_load(&job.over));
    atomic_store(&job.may_end, true);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert_int_equal(ask(&dir, "SELECT value FROM meta WHERE key = 'counter'"), 4 * JOBS + 1);
    for (int i = 0; i < 3; i++)
        node_close(nodes[i]);
    test_dir_remove(&dir);
}

// ---- the server, and the tail of the log --------------------------------------------------------

static void restart_server(void) {
    char command[512];
    const char *as =
        geteuid() == 0 ? "setpriv --reuid postgres --regid postgres --init-groups" : "";
    snprintf(command, sizeof command,
             "cd / && %s %s/pg_ctl -D %s -m immediate -s -w -l /dev/null restart", as,
             getenv("JADOUBE_TEST_POSTGRES_BIN"), getenv("JADOUBE_TEST_POSTGRES_DATA"));
    assert_int_equal(system(command), 0);
}

// The server goes away and comes back: nobody takes anything from anybody, nothing is lost.
static void test_server_restarts(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Node *a = node_open(&dir, "a", STEADY_MS, NULL);
    node_wait_count(a, 4096, 4096);
    Node *b = node_open(&dir, "b", STEADY_MS, NULL);
    node_wait_count(b, 2048, 2048);
    node_wait_count(a, 2048, 2048);
    uint64_t tickets[2] = { 0 };
    for (uint32_t seq = 1; seq <= 40; seq++) {
        for (uint32_t n = 0; n < 40; n++) {
            Node *owner = node_has(a, n) ? a : b;
            tickets[owner == b] = submit_event(owner->store, n, seq);
        }
        if (seq % 20 == 10)
            restart_server();
        usleep(3000);
    }
    listener_wait_durable(&a->listener, tickets[0]);
    listener_wait_durable(&b->listener, tickets[1]);
    usleep(STEADY_MS * 1200);
    assert_int_equal(node_count(a), 2048);
    assert_int_equal(node_count(b), 2048);
    assert_int_equal(ask(&dir, "SELECT count(*) FROM game_event"), 1600);
    assert_int_equal(ask(&dir, "SELECT count(DISTINCT (game, seq)) FROM game_event"), 1600);
    node_close(a);
    node_close(b);
    test_dir_remove(&dir);
}

// One that has little to write does not keep the whole log to be read at a take-over.
static void test_tail_is_short(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    const StoreConfig config = { .replay_lag = 3000 };
    Node *a = node_open(&dir, "a", STEADY_MS, &config);
    node_wait_count(a, 4096, 4096);
    Node *b = node_open(&dir, "b", STEADY_MS, &config);
    node_wait_count(b, 2048, 2048);
    const uint32_t quiet = node_entity(a, 0);
    const uint32_t busy = node_entity(b, 0);
    node_append(a, quiet, 1);
    for (uint32_t seq = 1; seq <= 8000; seq++)
        if (submit_event(b->store, busy, seq) % 500 == 0)
            usleep(20000);
    node_append(b, busy, 8001);
    char sql[200];
    char body[TEST_BODY_MAX];
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM log_open WHERE entity = '%s' AND first_arrival"
             " IS NULL",
             test_event(quiet, 1, body).event.id.text);
    for (int i = 0; i < 4000 && ask(&dir, sql) == 0; i++)
        usleep(10000);
    assert_int_equal(ask(&dir, sql), 1);
    char text[512];
    node_close(a);
    node_wait_count(b, 4096, 4096);
    assert_string_equal(node_seen(b, quiet, text), "1");
    node_append(b, quiet, 2);
    node_close(b);
    test_dir_remove(&dir);
}

// ---- all of them --------------------------------------------------------------------------------

static int run_child(char **words) {
    TestDir dir;
    snprintf(dir.path, sizeof dir.path, "%s", words[2]);
    const int end = (int)strtol(words[4], NULL, 10);
    return strcmp(words[1], "stopped") == 0          ? child_stopped(&dir, words[3], end, false)
           : strcmp(words[1], "stopped-hidden") == 0 ? child_stopped(&dir, words[3], end, true)
           : strcmp(words[1], "stopped-inside") == 0 ? child_stopped_inside(&dir, words[3], end)
                                                     : child_writes(&dir, words[3], end);
}

int main(int count, char **words) {
    if (count == 5)
        _exit(run_child(words));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shards),
        cmocka_unit_test(test_surplus),
        cmocka_unit_test(test_fair_claims),
        cmocka_unit_test(test_told_while_looking),
        cmocka_unit_test(test_late_and_not_ended),
        cmocka_unit_test(test_not_ready),
        cmocka_unit_test(test_release_and_claim),
        cmocka_unit_test(test_foreign_shard),
        cmocka_unit_test(test_loop_hangs),
        cmocka_unit_test(test_database_refuses),
        cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_same_name),
        cmocka_unit_test(test_alone_or_nodes),
        cmocka_unit_test(test_alone_is_late),
        cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_stopped_and_hidden),
        cmocka_unit_test(test_stopped_inside),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_server_restarts),
        cmocka_unit_test(test_tail_is_short),
    };
    cmocka_set_test_filter(getenv("FILTER"));
    return cmocka_run_group_tests_name("store/cluster", tests, NULL, NULL);
}
