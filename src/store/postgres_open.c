// SPDX-License-Identifier: GPL-3.0-or-later
//
// A PostgreSQL database as the store's: the lock that makes this process the only one, and a schema
// that is the one expected, made or brought up to date.
#include "store/postgres.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// Of 50 ms each: a process that ended a moment ago may still be held by the server.
#define LOCK_TRIES 60
// Likewise: so long may the lease of a node last that nobody renews.
#define LEASE_TRIES 100

// ---- the lock -----------------------------------------------------------------------------------

// One process alone holds it, or any number of nodes share it. "JADB", and the schema: several
// sites may share one database, each in a schema of its own.
static bool lock_call(StoreDb *db, const char *function, bool *taken, JdErr *err) {
    char sql[120];
    int64_t answer = 0;
    jd_format(sql, sizeof sql, "SELECT %s(1245791298, hashtext(current_schema()))::int", function);
    if (!pg_number(db, sql, &answer, err))
        return false;
    *taken = answer != 0;
    if (*taken)
        db->store->writer_pid = PQbackendPID(db->pg->conn);
    return true;
}

static void pause_ms(int64_t ms) {
    nanosleep(&(struct timespec) { .tv_nsec = ms * 1000000L }, NULL);
}

static bool held_by_another(const StoreDb *db, JdErr *err) {
    return jd_fail(err, STORE_IN_USE, 0, "%s: held by another process of this program", db->path);
}

// After a broken connection the server may still hold our own session, until it notices. *ended
// says how many there were.
static bool end_former_self(StoreDb *db, int64_t *ended, JdErr *err) {
    char sql[240];
    const Cluster *cluster = db->store->cluster;
    jd_format(sql, sizeof sql,
              "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid = %d"
              " AND application_name = '%s%s'",
              db->store->writer_pid, cluster != NULL ? cluster->session : "jadoube",
              cluster != NULL ? "w" : "");
    *ended = 0;
    return db->store->writer_pid == 0 || pg_number(db, sql, ended, err);
}

static bool nodes_exist(StoreDb *db, bool *exist, JdErr *err) {
    int64_t found = 0;
    const bool ok = pg_number(db, "SELECT (to_regclass('node') IS NOT NULL)::int", &found, err);
    *exist = found != 0;
    return ok;
}

// Nodes that died with their connections open, of which the server knows nothing yet.
static bool end_dead_nodes(StoreDb *db, JdErr *err) {
    int64_t ended = 0;
    bool exist = false;
    return nodes_exist(db, &exist, err) &&
           (!exist || pg_number(db,
                                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                " JOIN node AS n ON " PG_SESSION_OF(
                                    "n.name || '/'") " WHERE n.alive_at + n.lease_ms <= " PG_NOW_MS,
                                &ended, err));
}

bool pg_take_lock(StoreDb *db, JdErr *err) {
    for (int i = 0; i < LOCK_TRIES; i++) {
        bool taken = false;
        int64_t ended = 0;
        if (!lock_call(db, "pg_try_advisory_lock", &taken, err))
            return false;
        if (taken)
            return true;
        if (!end_former_self(db, &ended, err) || !end_dead_nodes(db, err))
            return false;
        pause_ms(50);
    }
    return held_by_another(db, err);
}

// A transaction of the former session is decided when that is gone.
static bool wait_for_former_self(StoreDb *db, JdErr *err) {
    int64_t there = 1;
    for (int i = 0; i < LOCK_TRIES && there > 0; i++) {
        if (i > 0)
            pause_ms(20);
        if (!end_former_self(db, &there, err))
            return false;
    }
    return there == 0 || held_by_another(db, err);
}

static bool check_tenure(StoreDb *db, JdErr *err) {
    int64_t tenure = 0;
    bool found = false;
    if (!store_meta_get(db, "store.tenure", &tenure, &found, err))
        return false;
    return (found && tenure == db->store->tenure) ||
           jd_fail(err, STORE_FENCED, 0, "%s: another process had it meanwhile", db->path);
}

bool pg_take_lock_again(StoreDb *db, JdErr *err) {
    if (db->store->cluster == NULL)
        return pg_take_lock(db, err) && check_tenure(db, err);
    // The lock only keeps a process alone from waiting for this node in vain: should one hold it,
    // this node is fenced already, and is told so by the fence.
    bool taken = false;
    if (!wait_for_former_self(db, err) ||
        !lock_call(db, "pg_try_advisory_lock_shared", &taken, err))
        return false;
    db->store->writer_pid = PQbackendPID(db->pg->conn);
    return true;
}

// ---- the schema ---------------------------------------------------------------------------------

// What SQLite has and the queries use.
static const char helpers[] =
    "CREATE FUNCTION jadoube_joined(text, text, text) RETURNS text LANGUAGE sql IMMUTABLE AS"
    " 'SELECT coalesce($1 || $3, '''') || $2';"
    "CREATE AGGREGATE group_concat(text, text) (SFUNC = jadoube_joined, STYPE = text);"
    "CREATE TABLE schema_version (only_row BIGINT PRIMARY KEY CHECK (only_row = 1),"
    " version BIGINT NOT NULL);"
    "INSERT INTO schema_version VALUES (1, 0)";

static bool run_migration(StoreDb *db, int number, JdErr *err) {
    char set_version[64];
    jd_format(set_version, sizeof set_version, "UPDATE schema_version SET version = %d", number);
    JdErr first = { 0 };
    if (pg_exec(db, "BEGIN", &first) &&
        pg_exec(db, store_migrations[number - 1].postgres, &first) &&
        pg_exec(db, set_version, &first) && pg_exec(db, "COMMIT", &first))
        return true;
    db->driver->rollback(db);
    return jd_fail(err, first.code, 0, "migration %s: %s", store_migrations[number - 1].name,
                   first.text);
}

static bool make_schema(StoreDb *db, JdErr *err) {
    int64_t tables = 0;
    if (!pg_number(db, "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()",
                   &tables, err))
        return false;
    if (tables > 0)
        return jd_fail(err, STORE_FOREIGN, 0, "%s: a database of another program (%lld tables)",
                       db->path, (long long)tables);
    return pg_exec(db, "BEGIN", err) && pg_exec(db, helpers, err) && pg_exec(db, "COMMIT", err);
}

// -1: there is none.
static bool schema_version(StoreDb *db, int64_t *version, JdErr *err) {
    int64_t is_there = 0;
    *version = -1;
    return pg_number(db, "SELECT (to_regclass('schema_version') IS NOT NULL)::int", &is_there,
                     err) &&
           (is_there == 0 || pg_number(db, "SELECT version FROM schema_version", version, err));
}

static bool bring_up_to_date(StoreDb *db, JdErr *err) {
    int64_t version = 0;
    if (!schema_version(db, &version, err))
        return false;
    if (version < 0 && (!make_schema(db, err) || !schema_version(db, &version, err)))
        return false;
    if (version > store_migration_count)
        return jd_fail(
            err, STORE_NEWER, 0,
            "%s: written by a newer version of this program (schema %lld, this one knows %d)",
            db->path, (long long)version, store_migration_count);
    for (int number = (int)version + 1; number <= store_migration_count; number++)
        if (!run_migration(db, number, err))
            return false;
    return true;
}

static bool check_server(StoreDb *db, JdErr *err) {
    const int version = PQserverVersion(db->pg->conn);
    if (version < 130000)
        return jd_fail(err, STORE_FOREIGN, 0, "%s: PostgreSQL %d, expected 13 or newer", db->path,
                       version / 10000);
    const char *encoding = PQparameterStatus(db->pg->conn, "server_encoding");
    if (encoding == NULL || strcmp(encoding, "UTF8") != 0)
        return jd_fail(err, STORE_FOREIGN, 0, "%s: its encoding is %s, expected UTF8", db->path,
                       encoding != NULL ? encoding : "unknown");
    return true;
}

// ---- opening ------------------------------------------------------------------------------------

bool pg_open_link(StoreDb *db, Store *store, PgUse use, JdErr *err) {
    *db = (StoreDb) { .driver = &store_postgres, .store = store };
    db->pg = calloc(1, sizeof *db->pg);
    if (db->pg == NULL)
        return jd_fail(err, STORE_MEMORY, 0, "no memory for a connection");
    db->pg->use = use;
    if (pg_connect(db, err))
        return true;
    db_close(db);
    return false;
}

// Tables that are not there yet, or older ones, are for one process to make: it takes the whole
// lock for that.
static bool enter_as_node(StoreDb *db, JdErr *err) {
    bool taken = false;
    bool outdated = false;
    for (int i = 0; i < LOCK_TRIES; i++) {
        int64_t version = 0;
        if (!lock_call(db, "pg_try_advisory_lock_shared", &taken, err))
            return false;
        if (taken) {
            if (!schema_version(db, &version, err))
                return false;
            if (version >= store_migration_count)
                return bring_up_to_date(db, err); // or it is too new
            outdated = true;
            if (!lock_call(db, "pg_advisory_unlock_shared", &taken, err) ||
                !lock_call(db, "pg_try_advisory_lock", &taken, err))
                return false;
            if (taken)
                return bring_up_to_date(db, err) &&
                       lock_call(db, "pg_try_advisory_lock_shared", &taken, err) &&
                       lock_call(db, "pg_advisory_unlock", &taken, err);
        }
        pause_ms(30 + PQbackendPID(db->pg->conn) % 40); // not in step with others that try this
    }
    return outdated ? jd_fail(err, STORE_IN_USE, 0,
                              "%s: its tables are older than this program, and nodes are running:"
                              " stop them first",
                              db->path)
                    : held_by_another(db, err);
}

// Alone: the nodes that were are over, whatever they think. What they last said of themselves stays
// with their shards.
static bool end_nodes(StoreDb *db, JdErr *err) {
    int64_t alive = 1;
    for (int i = 0; i < LEASE_TRIES && alive > 0; i++) {
        if (i > 0)
            pause_ms(50);
        if (!pg_number(db, "SELECT count(*) FROM node WHERE alive_at + lease_ms > " PG_NOW_MS,
                       &alive, err))
            return false;
    }
    if (alive > 0)
        return jd_fail(err, STORE_IN_USE, 0, "%s: held by %lld nodes of this program", db->path,
                       (long long)alive);
    char tenure[160];
    jd_format(tenure, sizeof tenure,
              "INSERT INTO meta VALUES ('store.tenure', %lld) ON CONFLICT (key) DO UPDATE"
              " SET value = excluded.value",
              (long long)db->store->tenure);
    return pg_exec(db, "BEGIN", err) &&
           pg_exec(db, "UPDATE node SET epoch = epoch + 1, alive_at = 0 WHERE alive_at > 0", err) &&
           pg_exec(db, PG_FREE_SHARDS("0"), err) && pg_exec(db, tenure, err) &&
           pg_exec(db, "COMMIT", err);
}

bool pg_open_site(Store *store, JdErr *err) {
    StoreDb *db = &store->writer;
    if (!pg_open_link(db, store, PG_WRITES, err) || !check_server(db, err))
        return false;
    if (store->config.node != NULL)
        return enter_as_node(db, err) && cluster_join(store, err);
    store->tenure = (int64_t)store->group_id;
    return pg_take_lock(db, err) && bring_up_to_date(db, err) && end_nodes(db, err);
}

void pg_close_site(Store *store) {
    db_close(&store->writer); // the lock goes with the connection
}

bool pg_open_reader(StoreDb *db, Store *store, JdErr *err) {
    return pg_open_link(db, store, PG_READS, err);
}
