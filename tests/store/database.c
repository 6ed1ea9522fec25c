// SPDX-License-Identifier: GPL-3.0-or-later
#include "database.h"

#include <libgen.h>
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "../check.h"

bool test_on_postgres(void) {
    return getenv("JADOUBE_TEST_DATABASE") != NULL;
}

static void schema_of(const char *dir, char out[80]) {
    char copy[256];
    snprintf(copy, sizeof copy, "%s", dir);
    snprintf(out, 80, "%s", basename(copy));
}

static void server_run(const char *sql) {
    PGconn *conn = PQconnectdb(getenv("JADOUBE_TEST_DATABASE"));
    PGresult *result = PQexec(conn, sql);
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        fail_msg("%s: %s", sql, PQerrorMessage(conn));
    PQclear(result);
    PQfinish(conn);
}

const char *test_database(const char *dir) {
    static char url[512];
    char schema[80];
    char sql[160];
    if (!test_on_postgres())
        return NULL;
    schema_of(dir, schema);
    snprintf(sql, sizeof sql,
             "SET client_min_messages = warning; CREATE SCHEMA IF NOT EXISTS \"%s\"", schema);
    server_run(sql);
    // A server on a busy machine has its time to answer, also at the start.
    snprintf(url, sizeof url, "%s&connect_timeout=60&options=-csearch_path%%3D\"%s\"",
             getenv("JADOUBE_TEST_DATABASE"), schema);
    return url;
}

void test_database_drop(const char *dir) {
    char schema[80];
    char sql[160];
    if (!test_on_postgres())
        return;
    schema_of(dir, schema);
    snprintf(sql, sizeof sql,
             "SET client_min_messages = warning; DROP SCHEMA IF EXISTS \"%s\" CASCADE", schema);
    server_run(sql);
}

static void file_text(const char *dir, const char *sql, char *out, size_t size) {
    char path[256];
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    snprintf(path, sizeof path, "%s/jadoube.db", dir);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK ||
        sqlite3_step(stmt) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    const char *text = (const char *)sqlite3_column_text(stmt, 0);
    snprintf(out, size, "%s", text != NULL ? text : "");
    sqlite3_finalize(stmt);
    sqlite3_close(db);
}

static void server_text(const char *dir, const char *sql, char *out, size_t size) {
    PGconn *conn = PQconnectdb(test_database(dir));
    PGresult *result = PQexec(conn, sql);
    if (PQresultStatus(result) != PGRES_TUPLES_OK || PQntuples(result) == 0)
        fail_msg("%s: %s", sql, PQerrorMessage(conn));
    snprintf(out, size, "%s", PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(conn);
}

const char *test_database_text(const char *dir, const char *sql) {
    static char text[1024];
    (test_on_postgres() ? server_text : file_text)(dir, sql, text, sizeof text);
    return text;
}
