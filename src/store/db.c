// SPDX-License-Identifier: GPL-3.0-or-later
//
// A connection to either database: who asks need not know which.
#include <stdlib.h>
#include <string.h>

#include "store/internal.h"

void db_close(StoreDb *db) {
    if (db->driver != NULL)
        db->driver->close(db);
    *db = (StoreDb) { 0 };
}

bool db_exec(StoreDb *db, const char *sql, JdErr *err) {
    return db->driver->exec(db, sql, err);
}

bool db_number(StoreDb *db, const char *sql, int64_t *out, JdErr *err) {
    return db->driver->number(db, sql, out, err);
}

// ---- statements ---------------------------------------------------------------------------------

StoreStmt *db_query(StoreDb *db, int query) {
    JD_ASSERT(query >= 0 && query < STORE_Q_COUNT);
    StoreStmt *stmt = &db->statements[query];
    stmt->db = db;
    stmt->sql = store_sql[query];
    db->driver->begin_query(stmt);
    return stmt;
}

StoreStmt *db_statement(StoreDb *db, int place, const char *sql) {
    JD_ASSERT(place >= STORE_Q_COUNT && place < STORE_Q_PLACES);
    StoreStmt *stmt = &db->statements[place];
    stmt->db = db;
    if (stmt->sql != sql)
        db->driver->forget(stmt);
    stmt->sql = sql;
    db->driver->begin_query(stmt);
    return stmt;
}

void db_forget_free(StoreDb *db) {
    for (int place = STORE_Q_COUNT; place < STORE_Q_PLACES; place++) {
        StoreStmt *stmt = &db->statements[place];
        if (stmt->sql == NULL)
            continue;
        db->driver->forget(stmt);
        stmt->sql = NULL;
    }
}

void db_carry(StoreStmt *read, StoreStmt *write, int column) {
    switch (read->db->driver->column_kind(read, column)) {
    case DB_NULL:
        store_bind_null(write, column + 1);
        break;
    case DB_INT:
        store_bind_int(write, column + 1, store_column_int(read, column));
        break;
    case DB_TEXT:
        store_bind_text(write, column + 1, store_column_text(read, column));
        break;
    case DB_BLOB:
        store_bind_blob(write, column + 1, store_column_blob(read, column));
        break;
    }
}

StoreStmt *store_query(StoreDb *db, StoreQuery query) {
    return db_query(db, (int)query);
}

void store_bind_int(StoreStmt *stmt, int index, int64_t value) {
    stmt->db->driver->bind_int(stmt, index, value);
}

void store_bind_text(StoreStmt *stmt, int index, JdStr text) {
    stmt->db->driver->bind_text(stmt, index, text);
}

void store_bind_blob(StoreStmt *stmt, int index, JdStr bytes) {
    stmt->db->driver->bind_blob(stmt, index, bytes);
}

void store_bind_null(StoreStmt *stmt, int index) {
    stmt->db->driver->bind_null(stmt, index);
}

StoreStep store_step(StoreStmt *stmt, JdErr *err) {
    return stmt->db->driver->step(stmt, err);
}

int64_t store_column_int(StoreStmt *stmt, int index) {
    return stmt->db->driver->column_int(stmt, index);
}

JdStr store_column_text(StoreStmt *stmt, int index) {
    return stmt->db->driver->column_text(stmt, index);
}

JdStr store_column_blob(StoreStmt *stmt, int index) {
    return stmt->db->driver->column_blob(stmt, index);
}

bool store_column_is_null(StoreStmt *stmt, int index) {
    return stmt->db->driver->column_is_null(stmt, index);
}

void store_done(StoreStmt *stmt) {
    stmt->db->driver->done(stmt);
}

bool store_run(StoreStmt *stmt, int64_t *changed, JdErr *err) {
    return stmt->db->driver->run(stmt, changed, err);
}

// ---- growing bytes ------------------------------------------------------------------------------

bool bytes_append(Bytes *bytes, const void *data, size_t size, JdErr *err) {
    if (size > bytes->capacity - bytes->size) {
        size_t capacity = bytes->capacity < 512 ? 512 : bytes->capacity;
        while (capacity - bytes->size < size)
            capacity *= 2;
        unsigned char *grown = realloc(bytes->data, capacity);
        if (grown == NULL)
            return jd_fail(err, STORE_MEMORY, 0, "no memory for %zu bytes", capacity);
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

void bytes_clear(Bytes *bytes) {
    free(bytes->data);
    *bytes = (Bytes) { 0 };
}
