// SPDX-License-Identifier: GPL-3.0-or-later
//
// One connection to SQLite: opening with every pragma that matters, statements kept prepared,
// values in and out, and SQLite's codes turned into the store's.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/internal.h"

// ---- errors -------------------------------------------------------------------------------------

static StoreFault fault_of(sqlite3 *handle, int code) {
    if (code == SQLITE_IOERR_NOMEM)
        return STORE_MEMORY;
    switch (code & 0xff) {
    case SQLITE_FULL:
        return STORE_FULL;
    case SQLITE_IOERR: {
        // A quota or a file size limit is told as a failed write.
        const int cause = handle != NULL ? sqlite3_system_errno(handle) : 0;
        return cause == ENOSPC || cause == EDQUOT || cause == EFBIG ? STORE_FULL : STORE_IO;
    }
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_BUSY:
        return STORE_IO;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return STORE_CORRUPT;
    case SQLITE_CONSTRAINT:
        return STORE_CONFLICT;
    case SQLITE_NOMEM:
        return STORE_MEMORY;
    default:
        return STORE_SQL;
    }
}

bool db_fail(StoreDb *db, int code, const char *doing, JdErr *err) {
    const char *detail = db->handle != NULL ? sqlite3_errmsg(db->handle) : sqlite3_errstr(code);
    return jd_fail(err, (uint32_t)fault_of(db->handle, code), 0, "%s: %s (%d)", doing, detail,
                   code);
}

// ---- opening ------------------------------------------------------------------------------------

// Only what must differ from the defaults, and what must be so whatever the defaults become.
static const struct {
    const char *sql;
    bool of_mode[4]; // by DbMode
} pragmas[] = {
    //                                            CHECK  READ   WRITE  CREATE
    { "PRAGMA trusted_schema = OFF", { true, true, true, true } },
    { "PRAGMA mmap_size = 0", { true, true, true, true } },
    { "PRAGMA temp_store = MEMORY", { true, true, true, true } },
    { "PRAGMA query_only = ON", { true, true, false, false } },
    { "PRAGMA foreign_keys = ON", { false, true, true, true } },
    { "PRAGMA secure_delete = FAST", { false, false, true, true } },
    { "PRAGMA synchronous = FULL", { false, false, true, true } },
    { "PRAGMA cache_size = -32768", { false, false, true, false } },
    { "PRAGMA cache_size = -4096", { false, true, false, false } },
    { "PRAGMA journal_size_limit = 67108864", { false, false, true, false } },
    { "PRAGMA wal_autocheckpoint = 0",
      { false, true, true, false } }, // the commit thread's own doing
};

bool db_open(StoreDb *db, Store *store, const char *path, const char *vfs, DbMode mode,
             JdErr *err) {
    *db = (StoreDb) { .store = store };
    if (strlen(path) >= sizeof db->path)
        return jd_fail(err, STORE_IO, 0, "the path of the database is longer than %d bytes",
                       (int)sizeof db->path - 1);
    memcpy(db->path, path, strlen(path) + 1);
    int flags = SQLITE_OPEN_NOMUTEX; // one thread to a connection
    flags |= mode == DB_CHECK || mode == DB_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    flags |= mode == DB_CREATE ? SQLITE_OPEN_CREATE : 0;
    const int code = sqlite3_open_v2(path, &db->handle, flags, vfs);
    if (code != SQLITE_OK) {
        db_fail(db, code, path, err);
        db_close(db);
        return false;
    }
    sqlite3_extended_result_codes(db->handle, 1);
    sqlite3_busy_timeout(db->handle, 5000);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    if (mode == DB_CHECK || mode == DB_READ) // never checkpoints, not even as the last to close
        sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    for (size_t i = 0; i < JD_COUNT(pragmas); i++) {
        if (pragmas[i].of_mode[mode] && !db_exec(db, pragmas[i].sql, err)) {
            db_close(db);
            return false;
        }
    }
    return true;
}

void db_close(StoreDb *db) {
    for (size_t i = 0; i < JD_COUNT(db->statements); i++)
        sqlite3_finalize(db->statements[i].handle);
    sqlite3_close(db->handle);
    *db = (StoreDb) { 0 };
}

bool db_exec(StoreDb *db, const char *sql, JdErr *err) {
    const int code = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        return true;
    char doing[48];
    const size_t line = strcspn(sql, "\n");
    jd_format(doing, sizeof doing, "%.*s", (int)(line < 40 ? line : 40), sql);
    return db_fail(db, code, doing, err);
}

bool db_number(StoreDb *db, const char *sql, int64_t *out, JdErr *err) {
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    const bool found = code == SQLITE_ROW;
    if (found)
        *out = sqlite3_column_int64(stmt, 0);
    else
        db_fail(db, code, sql, err);
    sqlite3_finalize(stmt);
    return found;
}

// ---- statements ---------------------------------------------------------------------------------

// SQLite takes "$1" for a name and numbers names by their first appearance, so the table says which
// index a number has.
static void find_params(StoreStmt *stmt) {
    const int count = sqlite3_bind_parameter_count(stmt->handle);
    JD_ASSERT(count <= STORE_PARAMS_MAX);
    for (int index = 1; index <= count; index++) {
        const char *name = sqlite3_bind_parameter_name(stmt->handle, index);
        JD_ASSERT(name != NULL && name[0] == '$');
        uint64_t number = 0;
        JD_ASSERT(jd_parse_u64(jd_str(name + 1), STORE_PARAMS_MAX, &number) && number > 0);
        stmt->params[number] = (int8_t)index;
    }
}

StoreStmt *db_query(StoreDb *db, int query) {
    JD_ASSERT(query >= 0 && query < STORE_Q_COUNT);
    StoreStmt *stmt = &db->statements[query];
    stmt->db = db;
    stmt->fault = SQLITE_OK;
    if (stmt->handle == NULL) {
        stmt->fault = sqlite3_prepare_v3(db->handle, store_sql[query], -1,
                                         SQLITE_PREPARE_PERSISTENT, &stmt->handle, NULL);
        if (stmt->fault == SQLITE_OK)
            find_params(stmt);
    }
    JD_ASSERT(stmt->handle == NULL || !sqlite3_stmt_busy(stmt->handle));
    return stmt;
}

StoreStmt *store_query(StoreDb *db, StoreQuery query) {
    return db_query(db, (int)query);
}

static int place(const StoreStmt *stmt, int index) {
    if (stmt->handle == NULL)
        return 0;
    JD_ASSERT(index >= 1 && index <= STORE_PARAMS_MAX && stmt->params[index] > 0);
    return stmt->params[index];
}

static void keep_fault(StoreStmt *stmt, int code) {
    if (stmt->fault == SQLITE_OK)
        stmt->fault = code;
}

void store_bind_int(StoreStmt *stmt, int index, int64_t value) {
    if (stmt->fault == SQLITE_OK)
        keep_fault(stmt, sqlite3_bind_int64(stmt->handle, place(stmt, index), value));
}

void store_bind_text(StoreStmt *stmt, int index, JdStr text) {
    if (stmt->fault == SQLITE_OK) // NULL data would bind NULL
        keep_fault(stmt, sqlite3_bind_text64(stmt->handle, place(stmt, index),
                                             text.size > 0 ? text.data : "", text.size,
                                             SQLITE_STATIC, SQLITE_UTF8));
}

void store_bind_blob(StoreStmt *stmt, int index, JdStr bytes) {
    if (stmt->fault == SQLITE_OK)
        keep_fault(stmt, sqlite3_bind_blob64(stmt->handle, place(stmt, index),
                                             bytes.size > 0 ? bytes.data : "", bytes.size,
                                             SQLITE_STATIC));
}

void store_bind_null(StoreStmt *stmt, int index) {
    if (stmt->fault == SQLITE_OK)
        keep_fault(stmt, sqlite3_bind_null(stmt->handle, place(stmt, index)));
}

StoreStep store_step(StoreStmt *stmt, JdErr *err) {
    const int code = stmt->fault != SQLITE_OK ? stmt->fault : sqlite3_step(stmt->handle);
    if (code == SQLITE_ROW)
        return STORE_STEP_ROW;
    if (code == SQLITE_DONE)
        return STORE_STEP_DONE;
    db_fail(stmt->db, code, "query", err);
    return STORE_STEP_FAILED;
}

int64_t store_column_int(StoreStmt *stmt, int index) {
    return sqlite3_column_int64(stmt->handle, index);
}

JdStr store_column_text(StoreStmt *stmt, int index) {
    const unsigned char *text = sqlite3_column_text(stmt->handle, index);
    return jd_str_n((const char *)text, (size_t)sqlite3_column_bytes(stmt->handle, index));
}

JdStr store_column_blob(StoreStmt *stmt, int index) {
    const void *bytes = sqlite3_column_blob(stmt->handle, index);
    return jd_str_n(bytes, (size_t)sqlite3_column_bytes(stmt->handle, index));
}

bool store_column_is_null(StoreStmt *stmt, int index) {
    return sqlite3_column_type(stmt->handle, index) == SQLITE_NULL;
}

void store_done(StoreStmt *stmt) {
    if (stmt->handle == NULL)
        return;
    sqlite3_reset(stmt->handle);
    sqlite3_clear_bindings(stmt->handle); // they point into the caller's memory
}

bool store_run(StoreStmt *stmt, int64_t *changed, JdErr *err) {
    StoreStep step;
    do
        step = store_step(stmt, err);
    while (step == STORE_STEP_ROW);
    if (step == STORE_STEP_DONE && changed != NULL)
        *changed = sqlite3_changes64(stmt->db->handle);
    store_done(stmt);
    return step == STORE_STEP_DONE;
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
