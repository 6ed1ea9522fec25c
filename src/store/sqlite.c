// SPDX-License-Identifier: GPL-3.0-or-later
//
// SQLite: one connection with every pragma that matters, statements kept prepared, values in and
// out, SQLite's codes turned into the store's, and the write-ahead log.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

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

bool sqlite_fail(StoreDb *db, int code, const char *doing, JdErr *err) {
    const char *detail = db->handle != NULL ? sqlite3_errmsg(db->handle) : sqlite3_errstr(code);
    return jd_fail(err, (uint32_t)fault_of(db->handle, code), 0, "%s: %s (%d)", doing, detail,
                   code);
}

// ---- running ----------------------------------------------------------------------------------

static bool exec(StoreDb *db, const char *sql, JdErr *err) {
    const int code = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
    if (code == SQLITE_OK)
        return true;
    char doing[48];
    const size_t line = strcspn(sql, "\n");
    jd_format(doing, sizeof doing, "%.*s", (int)(line < 40 ? line : 40), sql);
    return sqlite_fail(db, code, doing, err);
}

static bool number(StoreDb *db, const char *sql, int64_t *out, JdErr *err) {
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(db->handle, sql, -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    const bool found = code == SQLITE_ROW;
    if (found)
        *out = sqlite3_column_int64(stmt, 0);
    else
        sqlite_fail(db, code, sql, err);
    sqlite3_finalize(stmt);
    return found;
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

bool sqlite_open(StoreDb *db, Store *store, const char *path, const char *vfs, DbMode mode,
                 JdErr *err) {
    *db = (StoreDb) { .driver = &store_sqlite, .store = store };
    if (strlen(path) >= sizeof db->path)
        return jd_fail(err, STORE_IO, 0, "the path of the database is longer than %d bytes",
                       (int)sizeof db->path - 1);
    memcpy(db->path, path, strlen(path) + 1);
    int flags = SQLITE_OPEN_NOMUTEX; // one thread to a connection
    flags |= mode == DB_CHECK || mode == DB_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    flags |= mode == DB_CREATE ? SQLITE_OPEN_CREATE : 0;
    const int code = sqlite3_open_v2(path, &db->handle, flags, vfs);
    if (code != SQLITE_OK) {
        sqlite_fail(db, code, path, err);
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
        if (pragmas[i].of_mode[mode] && !exec(db, pragmas[i].sql, err)) {
            db_close(db);
            return false;
        }
    }
    return true;
}

static void close_connection(StoreDb *db) {
    for (size_t i = 0; i < JD_COUNT(db->statements); i++)
        sqlite3_finalize(db->statements[i].handle);
    sqlite3_close(db->handle);
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

static void begin_query(StoreStmt *stmt) {
    stmt->fault = SQLITE_OK;
    if (stmt->handle == NULL) {
        stmt->fault = sqlite3_prepare_v3(stmt->db->handle, stmt->sql, -1, SQLITE_PREPARE_PERSISTENT,
                                         &stmt->handle, NULL);
        if (stmt->fault == SQLITE_OK)
            find_params(stmt);
    }
    JD_ASSERT(stmt->handle == NULL || !sqlite3_stmt_busy(stmt->handle));
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

static void bind_int(StoreStmt *stmt, int index, int64_t value) {
    if (stmt->fault == SQLITE_OK)
        keep_fault(stmt, sqlite3_bind_int64(stmt->handle, place(stmt, index), value));
}

static void bind_text(StoreStmt *stmt, int index, JdStr text) {
    if (stmt->fault == SQLITE_OK) // NULL data would bind NULL
        keep_fault(stmt, sqlite3_bind_text64(stmt->handle, place(stmt, index),
                                             text.size > 0 ? text.data : "", text.size,
                                             SQLITE_STATIC, SQLITE_UTF8));
}

static void bind_blob(StoreStmt *stmt, int index, JdStr bytes) {
    if (stmt->fault == SQLITE_OK)
        keep_fault(stmt, sqlite3_bind_blob64(stmt->handle, place(stmt, index),
                                             bytes.size > 0 ? bytes.data : "", bytes.size,
                                             SQLITE_STATIC));
}

static void bind_null(StoreStmt *stmt, int index) {
    if (stmt->fault == SQLITE_OK)
        keep_fault(stmt, sqlite3_bind_null(stmt->handle, place(stmt, index)));
}

static StoreStep step(StoreStmt *stmt, JdErr *err) {
    const int code = stmt->fault != SQLITE_OK ? stmt->fault : sqlite3_step(stmt->handle);
    if (code == SQLITE_ROW)
        return STORE_STEP_ROW;
    if (code == SQLITE_DONE)
        return STORE_STEP_DONE;
    sqlite_fail(stmt->db, code, "query", err);
    return STORE_STEP_FAILED;
}

static int64_t column_int(StoreStmt *stmt, int index) {
    return sqlite3_column_int64(stmt->handle, index);
}

static JdStr column_text(StoreStmt *stmt, int index) {
    const unsigned char *text = sqlite3_column_text(stmt->handle, index);
    return jd_str_n((const char *)text, (size_t)sqlite3_column_bytes(stmt->handle, index));
}

static JdStr column_blob(StoreStmt *stmt, int index) {
    const void *bytes = sqlite3_column_blob(stmt->handle, index);
    return jd_str_n(bytes, (size_t)sqlite3_column_bytes(stmt->handle, index));
}

static bool column_is_null(StoreStmt *stmt, int index) {
    return sqlite3_column_type(stmt->handle, index) == SQLITE_NULL;
}

static void done(StoreStmt *stmt) {
    if (stmt->handle == NULL)
        return;
    sqlite3_reset(stmt->handle);
    sqlite3_clear_bindings(stmt->handle); // they point into the caller's memory
}

static bool run(StoreStmt *stmt, int64_t *changed, JdErr *err) {
    StoreStep last;
    do
        last = step(stmt, err);
    while (last == STORE_STEP_ROW);
    if (last == STORE_STEP_DONE && changed != NULL)
        *changed = sqlite3_changes64(stmt->db->handle);
    done(stmt);
    return last == STORE_STEP_DONE;
}

static void forget(StoreStmt *stmt) {
    sqlite3_finalize(stmt->handle);
    stmt->handle = NULL;
}

static void copied(StoreDb *db, const StoreTable *table) {
    (void)db; // the next number follows from the rows
    (void)table;
}

static DbKind column_kind(StoreStmt *stmt, int index) {
    switch (sqlite3_column_type(stmt->handle, index)) {
    case SQLITE_INTEGER:
        return DB_INT;
    case SQLITE_TEXT:
        return DB_TEXT;
    case SQLITE_BLOB:
        return DB_BLOB;
    default:
        return DB_NULL; // STRICT tables without REAL hold nothing else
    }
}

// ---- transactions -------------------------------------------------------------------------------

static bool begin(StoreDb *db, JdErr *err) {
    return exec(db, sqlite3_db_readonly(db->handle, NULL) == 1 ? "BEGIN" : "BEGIN IMMEDIATE", err);
}

static DbCommit commit(StoreDb *db, JdErr *err) {
    return exec(db, "COMMIT", err) ? DB_COMMITTED : DB_UNDONE;
}

static bool in_transaction(StoreDb *db) {
    return sqlite3_get_autocommit(db->handle) == 0;
}

static void rollback(StoreDb *db) {
    if (in_transaction(db))
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

static bool revive(StoreDb *db, JdErr *err) {
    (void)db; // a file does not go away
    (void)err;
    return true;
}

static bool was_committed(StoreDb *db, int64_t group, bool *committed, JdErr *err) {
    (void)db;
    (void)group;
    (void)err;
    *committed = false; // commit never answers DB_UNKNOWN
    return true;
}

static bool pipeline(StoreDb *db, bool on, JdErr *err) {
    (void)db; // a statement here costs no journey
    (void)on;
    (void)err;
    return true;
}

// ---- the file and its log -----------------------------------------------------------------------

// One process to a data directory. The lock goes with the process, however it ends.
bool sqlite_lock(const char *data_dir, int *fd, JdErr *err) {
    char path[520];
    snprintf(path, sizeof path, "%s/jadoube.lock", data_dir);
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (*fd < 0)
        return jd_fail(err, STORE_IO, 0, "%s: cannot be opened: %s", path, strerror(errno));
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    const int cause = errno;
    close(*fd);
    *fd = -1;
    if (cause == EWOULDBLOCK)
        return jd_fail(err, STORE_IN_USE, 0, "%s: held by another process of this program",
                       data_dir);
    return jd_fail(err, STORE_IO, 0, "%s: cannot be locked: %s", path, strerror(cause));
}

static int on_wal(void *context, sqlite3 *handle, const char *name, int pages) {
    (void)handle;
    (void)name;
    ((Store *)context)->wal_pages = pages;
    return SQLITE_OK;
}

static bool check_wal_mode(StoreDb *db, JdErr *err) {
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(db->handle, "PRAGMA journal_mode = WAL", -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    bool ok = false;
    if (code != SQLITE_ROW)
        sqlite_fail(db, code, db->path, err);
    else if (strcmp((const char *)sqlite3_column_text(stmt, 0), "wal") == 0)
        ok = true;
    else
        jd_fail(err, STORE_IO, 0, "%s: this file system cannot carry a write-ahead log", db->path);
    sqlite3_finalize(stmt);
    return ok;
}

static bool open_file(Store *store, JdErr *err) {
    const StoreConfig *config = &store->config;
    bool exists = false;
    if (!check_file(store->path, config->vfs, config->check_bytes_max, &exists, err))
        return false;
    if (!exists && !create_file(store, store->path, config->vfs, err))
        return false;
    if (exists && !config->migrates_bare && !keep_before_migrating(store->path, config->vfs, err))
        return false;
    if (!sqlite_open(&store->writer, store, store->path, config->vfs, DB_WRITE, err))
        return false;
    sqlite3_wal_hook(store->writer.handle, on_wal, store);
    return check_wal_mode(&store->writer, err) && migrate(&store->writer, err);
}

static bool open_site(Store *store, JdErr *err) {
    const int size =
        snprintf(store->path, sizeof store->path, "%s/jadoube.db", store->config.data_dir);
    if (size < 0 || (size_t)size >= sizeof store->path)
        return jd_fail(err, STORE_IO, 0, "the path of the data directory is too long");
    return sqlite_lock(store->config.data_dir, &store->lock_fd, err) && open_file(store, err);
}

static void close_site(Store *store) {
    // Whatever is in the log is durable there; moving it into the file is a courtesy.
    if (store->writer.handle != NULL)
        sqlite3_wal_checkpoint_v2(store->writer.handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL,
                                  NULL);
    db_close(&store->writer);
    if (store->lock_fd >= 0)
        close(store->lock_fd);
}

static bool open_reader(StoreDb *db, Store *store, JdErr *err) {
    return sqlite_open(db, store, store->path, store->config.vfs, DB_READ, err);
}

// After the group has been told of: nobody waits for a checkpoint. PASSIVE takes what readers do
// not hold back; a log that a reader keeps from starting anew is looked at again so many pages
// later.
static void after_commit(Store *store) {
    if (store->wal_pages < store->wal_pages_checked)
        store->wal_pages_checked = 0;
    if (store->wal_pages - store->wal_pages_checked < (int)store->config.checkpoint_pages)
        return;
    sqlite3_wal_checkpoint_v2(store->writer.handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    store->wal_pages_checked = store->wal_pages;
    pthread_mutex_lock(&store->mutex);
    store->stats.checkpoints++;
    pthread_mutex_unlock(&store->mutex);
}

const StoreDriver store_sqlite = {
    .open_site = open_site,
    .close_site = close_site,
    .open_reader = open_reader,
    .close = close_connection,
    .after_commit = after_commit,
    .revive = revive,
    .was_committed = was_committed,
    .exec = exec,
    .number = number,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .in_transaction = in_transaction,
    .pipeline = pipeline,
    .begin_query = begin_query,
    .forget = forget,
    .copied = copied,
    .bind_int = bind_int,
    .bind_text = bind_text,
    .bind_blob = bind_blob,
    .bind_null = bind_null,
    .step = step,
    .run = run,
    .column_int = column_int,
    .column_text = column_text,
    .column_blob = column_blob,
    .column_is_null = column_is_null,
    .column_kind = column_kind,
    .done = done,
};
