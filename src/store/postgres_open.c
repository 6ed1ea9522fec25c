// SPDX-License-Identifier: GPL-3.0-or-later
//
// A PostgreSQL database as the store's: the lock that makes this process the only one, and a schema
// that is the one expected, made or brought up to date.
#include "store/postgres.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// "JADB", and the schema: several sites may share one database, each in a schema of its own.
#define LOCK_CALL "(1245791298, hashtext(current_schema()))"

// Of 50 ms each: a process that ended a moment ago may still be held by the server.
#define LOCK_TRIES 60

// ---- the lock -----------------------------------------------------------------------------------

// After a broken connection the server may still hold our own session, until it notices.
static bool end_former_self(StoreDb *db, JdErr *err) {
    char sql[160];
    jd_format(sql, sizeof sql,
              "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid = %d"
              " AND application_name = 'jadoube'",
              db->store->writer_pid);
    int64_t ended = 0;
    return db->store->writer_pid == 0 || pg_number(db, sql, &ended, err);
}

bool pg_take_lock(StoreDb *db, JdErr *err) {
    for (int i = 0; i < LOCK_TRIES; i++) {
        int64_t taken = 0;
        if (!pg_number(db, "SELECT pg_try_advisory_lock" LOCK_CALL "::int", &taken, err))
            return false;
        if (taken != 0) {
            db->store->writer_pid = PQbackendPID(db->pg->conn);
            return true;
        }
        if (!end_former_self(db, err))
            return false;
        nanosleep(&(struct timespec) { .tv_nsec = 50 * 1000000L }, NULL);
    }
    return jd_fail(err, STORE_IN_USE, 0, "%s: held by another process of this program", db->path);
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

static bool bring_up_to_date(StoreDb *db, JdErr *err) {
    int64_t is_there = 0;
    int64_t version = 0;
    if (!pg_number(db, "SELECT (to_regclass('schema_version') IS NOT NULL)::int", &is_there, err))
        return false;
    if (is_there == 0 && !make_schema(db, err))
        return false;
    if (!pg_number(db, "SELECT version FROM schema_version", &version, err))
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

static bool open_link(StoreDb *db, Store *store, bool writes, JdErr *err) {
    *db = (StoreDb) { .driver = &store_postgres, .store = store };
    db->pg = calloc(1, sizeof *db->pg);
    if (db->pg == NULL)
        return jd_fail(err, STORE_MEMORY, 0, "no memory for a connection");
    db->pg->writes = writes;
    if (pg_connect(db, err))
        return true;
    db_close(db);
    return false;
}

bool pg_open_site(Store *store, JdErr *err) {
    StoreDb *db = &store->writer;
    return open_link(db, store, true, err) && check_server(db, err) && pg_take_lock(db, err) &&
           bring_up_to_date(db, err);
}

void pg_close_site(Store *store) {
    db_close(&store->writer); // the lock goes with the connection
}

bool pg_open_reader(StoreDb *db, Store *store, JdErr *err) {
    return open_link(db, store, false, err);
}
