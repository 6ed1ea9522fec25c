// SPDX-License-Identifier: GPL-3.0-or-later
//
// A whole site in one file, made while the site runs, and a new site made of such a file.
//
// The file is a SQLite database with the tables that the migrations make, as far as the site had
// come with them, whichever database the site lies in. Beside them stand two tables: backup_about
// (when, by what) and backup_table (of each table the number of its rows and a hash over all of
// them in the order of their keys). Put into place as jadoube.db it is a site: who has nothing else
// left can do that by hand.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sodium.h>

#include "store/internal.h"

#define FORMAT 1
#define SQL_SIZE 2048
#define NAME_SIZE 64
#define HASH_SIZE 32
#define UPGRADES_MAX 100 // files kept of one schema

// What numbers were given, so that none is given twice: SQLite's own table, carried like the
// others.
#define SEQUENCE "sqlite_sequence"

typedef struct Table {
    char name[NAME_SIZE];
    char columns[SQL_SIZE / 2];
    int column_count;
    char key[256];
} Table;

typedef struct Sum {
    int64_t rows;
    unsigned char hash[HASH_SIZE];
} Sum;

// ---- which tables there are ---------------------------------------------------------------------

typedef sqlite3_stmt Plain; // of the side that is SQLite for certain

static bool prepare(StoreDb *db, const char *sql, Plain **out, JdErr *err) {
    const int code = sqlite3_prepare_v2(db->handle, sql, -1, out, NULL);
    return code == SQLITE_OK || sqlite_fail(db, code, db->path, err);
}

// The names that a statement with the parameter name gives, with commas between.
static bool join_names(StoreDb *db, const char *sql, const char *name, char *out, size_t size,
                       int *count, JdErr *err) {
    Plain *names = NULL;
    if (!prepare(db, sql, &names, err))
        return false;
    sqlite3_bind_text(names, 1, name, -1, SQLITE_STATIC);
    size_t at = 0;
    int found = 0;
    int code;
    for (; (code = sqlite3_step(names)) == SQLITE_ROW && at < size; found++)
        at += jd_format(out + at, size - at, "%s%s", found > 0 ? ", " : "",
                        (const char *)sqlite3_column_text(names, 0));
    sqlite3_finalize(names);
    *count = found;
    return (code == SQLITE_DONE && at < size && found > 0) ||
           jd_fail(err, STORE_CORRUPT, 0, "%s: table %s is not one of this program's", db->path,
                   name);
}

// It is there from the first table on whose numbers are given once.
static bool describe_sequence(StoreDb *db, Table *table, bool *more, JdErr *err) {
    int64_t is_there = 0;
    jd_format(table->columns, sizeof table->columns, "name, seq");
    jd_format(table->key, sizeof table->key, "name");
    table->column_count = 2;
    if (!db_number(db, "SELECT count(*) FROM sqlite_master WHERE name = '" SEQUENCE "'", &is_there,
                   err))
        return false;
    *more = is_there > 0;
    return true;
}

// The table after the one of that name. *more is false after the last; SEQUENCE is the last.
static bool next_table(StoreDb *db, Table *table, bool *more, JdErr *err) {
    Plain *next = NULL;
    int count;
    *more = strcmp(table->name, SEQUENCE) != 0;
    if (!*more)
        return true;
    if (!prepare(db,
                 "SELECT name FROM sqlite_master WHERE type = 'table' AND name > ?1"
                 " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
                 " AND name NOT IN ('backup_about', 'backup_table') ORDER BY name LIMIT 1",
                 &next, err))
        return false;
    sqlite3_bind_text(next, 1, table->name, -1, SQLITE_TRANSIENT);
    const int code = sqlite3_step(next);
    const bool ok =
        code == SQLITE_ROW || code == SQLITE_DONE || sqlite_fail(db, code, db->path, err);
    if (ok)
        jd_format(table->name, sizeof table->name, "%s",
                  code == SQLITE_ROW ? (const char *)sqlite3_column_text(next, 0) : SEQUENCE);
    sqlite3_finalize(next);
    if (!ok)
        return false;
    if (strcmp(table->name, SEQUENCE) == 0)
        return describe_sequence(db, table, more, err);
    return join_names(db, "SELECT name FROM pragma_table_info(?1) ORDER BY cid", table->name,
                      table->columns, sizeof table->columns, &table->column_count, err) &&
           join_names(db, "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk",
                      table->name, table->key, sizeof table->key, &count, err);
}

// ---- rows ---------------------------------------------------------------------------------------

static void write_select(const Table *table, char out[SQL_SIZE]) {
    jd_format(out, SQL_SIZE, "SELECT %s FROM %s ORDER BY %s", table->columns, table->name,
              table->key);
}

static void write_insert(const Table *table, char out[SQL_SIZE]) {
    size_t size =
        jd_format(out, SQL_SIZE, "INSERT INTO %s (%s) VALUES (", table->name, table->columns);
    for (int i = 1; i <= table->column_count; i++)
        size += jd_format(out + size, SQL_SIZE - size, "%s$%d%s", i > 1 ? ", " : "", i,
                          i == table->column_count ? ")" : "");
}

static void write_number(unsigned char out[8], uint64_t value) {
    for (int i = 0; i < 8; i++)
        out[i] = (unsigned char)(value >> (56 - 8 * i));
}

// A value says what it is and how long, so that no two rows give the same bytes.
static void hash_value(crypto_generichash_state *state, StoreStmt *read, int column) {
    const DbKind kind = read->db->driver->column_kind(read, column);
    const JdStr bytes =
        kind == DB_TEXT || kind == DB_BLOB ? store_column_blob(read, column) : jd_str_n(NULL, 0);
    unsigned char head[9] = { (unsigned char)kind };
    write_number(head + 1,
                 kind == DB_INT ? (uint64_t)store_column_int(read, column) : (uint64_t)bytes.size);
    crypto_generichash_update(state, head, sizeof head);
    if (bytes.size > 0)
        crypto_generichash_update(state, (const unsigned char *)bytes.data, bytes.size);
}

static void begin_sum(crypto_generichash_state *state, const Table *table, Sum *sum) {
    *sum = (Sum) { 0 };
    crypto_generichash_init(state, NULL, 0, HASH_SIZE);
    crypto_generichash_update(state, (const unsigned char *)table->columns, strlen(table->columns));
}

// Reads a table to its end; `to` takes its rows unless it is NULL.
static bool walk_table(StoreDb *from, StoreDb *to, const Table *table, Sum *sum, JdErr *err) {
    char select[SQL_SIZE];
    char insert[SQL_SIZE];
    crypto_generichash_state state;
    if (table->column_count > STORE_PARAMS_MAX)
        return jd_fail(err, STORE_CORRUPT, 0, "%s: table %s has %d columns", from->path,
                       table->name, table->column_count);
    write_select(table, select);
    write_insert(table, insert);
    begin_sum(&state, table, sum);
    StoreStmt *read = db_statement(from, STORE_Q_FREE_READ, select);
    StoreStep step = STORE_STEP_DONE;
    bool ok = true;
    while (ok && (step = store_step(read, err)) == STORE_STEP_ROW) {
        StoreStmt *write = to != NULL ? db_statement(to, STORE_Q_FREE_WRITE, insert) : NULL;
        for (int i = 0; i < table->column_count; i++) {
            hash_value(&state, read, i);
            if (write != NULL)
                db_carry(read, write, i);
        }
        ok = write == NULL || store_run(write, NULL, err);
        sum->rows++;
    }
    store_done(read);
    crypto_generichash_final(&state, sum->hash, sizeof sum->hash);
    db_forget_free(from);
    if (to != NULL)
        db_forget_free(to);
    return ok && step == STORE_STEP_DONE;
}

// ---- the sums in the file -----------------------------------------------------------------------

static bool put_sum(StoreDb *to, const Table *table, const Sum *sum, JdErr *err) {
    Plain *put = NULL;
    if (!prepare(to, "INSERT INTO backup_table (name, row_count, hash) VALUES (?1, ?2, ?3)", &put,
                 err))
        return false;
    sqlite3_bind_text(put, 1, table->name, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, sum->rows);
    sqlite3_bind_blob(put, 3, sum->hash, sizeof sum->hash, SQLITE_STATIC);
    const int code = sqlite3_step(put);
    const bool ok = code == SQLITE_DONE || sqlite_fail(to, code, to->path, err);
    sqlite3_finalize(put);
    return ok;
}

static bool get_sum(StoreDb *file, const Table *table, Sum *sum, JdErr *err) {
    Plain *get = NULL;
    if (!prepare(file, "SELECT row_count, hash FROM backup_table WHERE name = ?1", &get, err))
        return false;
    sqlite3_bind_text(get, 1, table->name, -1, SQLITE_STATIC);
    const bool found = sqlite3_step(get) == SQLITE_ROW && sqlite3_column_bytes(get, 1) == HASH_SIZE;
    if (found) {
        sum->rows = sqlite3_column_int64(get, 0);
        memcpy(sum->hash, sqlite3_column_blob(get, 1), HASH_SIZE);
    }
    sqlite3_finalize(get);
    return found ||
           jd_fail(err, STORE_CORRUPT, 0, "%s: damaged: it does not say what table %s holds",
                   file->path, table->name);
}

// What was read is what was to be there.
static bool is_right(const StoreDb *db, const Table *table, const Sum *found, const Sum *expected,
                     JdErr *err) {
    if (found->rows != expected->rows)
        return jd_fail(err, STORE_CORRUPT, 0, "%s: damaged: table %s has %lld rows, expected %lld",
                       db->path, table->name, (long long)found->rows, (long long)expected->rows);
    return memcmp(found->hash, expected->hash, HASH_SIZE) == 0 ||
           jd_fail(err, STORE_CORRUPT, 0, "%s: damaged: a row of table %s is not what was written",
                   db->path, table->name);
}

static void count_table(StoreBackup *done, const Sum *sum) {
    done->tables++;
    done->rows += (uint64_t)sum->rows;
}

// ---- a new database -----------------------------------------------------------------------------

static bool remove_if_there(const char *path, JdErr *err) {
    return unlink(path) == 0 || errno == ENOENT ||
           jd_fail(err, STORE_IO, 0, "%s: %s", path, strerror(errno));
}

// Nobody sees it before it is complete and has its name, so it needs no log that survives a crash.
static bool make_new(StoreDb *db, const char *path, int64_t version, JdErr *err) {
    static const char *const settings[] = { "PRAGMA journal_mode = MEMORY",
                                            "PRAGMA synchronous = OFF",
                                            "PRAGMA foreign_keys = OFF" };
    char application[64];
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        return jd_fail(
            err, STORE_CONFLICT, 0,
            "%s: there already: another run is under way, or one was cut short and left it", path);
    if (fd < 0)
        return jd_fail(err, STORE_IO, 0, "%s: cannot be created: %s", path, strerror(errno));
    close(fd);
    if (!sqlite_open(db, NULL, path, NULL, DB_CREATE, err))
        return false;
    for (size_t i = 0; i < JD_COUNT(settings); i++)
        if (!db_exec(db, settings[i], err))
            return false;
    jd_format(application, sizeof application, "PRAGMA application_id = %d", STORE_APPLICATION_ID);
    return db_exec(db, application, err) && migrate_to(db, (int)version, err);
}

// From here on it is there after a power cut too.
static bool give_name(const char *fresh, const char *path, int64_t *size, JdErr *err) {
    struct stat file = { 0 };
    const int fd = open(fresh, O_RDONLY | O_CLOEXEC);
    const bool synced = fd >= 0 && fsync(fd) == 0 && fstat(fd, &file) == 0;
    const int cause = errno;
    if (fd >= 0)
        close(fd);
    if (!synced)
        return jd_fail(err, cause == ENOSPC ? STORE_FULL : STORE_IO, 0, "%s: %s", fresh,
                       strerror(cause));
    if (rename(fresh, path) != 0)
        return jd_fail(err, STORE_IO, 0, "%s: cannot be renamed: %s", fresh, strerror(errno));
    *size = (int64_t)file.st_size;
    return sync_directory(path, err);
}

static bool is_free(const char *path, JdErr *err) {
    struct stat file;
    if (lstat(path, &file) == 0)
        return jd_fail(err, STORE_CONFLICT, 0, "%s: there already", path);
    return errno == ENOENT || jd_fail(err, STORE_IO, 0, "%s: %s", path, strerror(errno));
}

// ---- from a site --------------------------------------------------------------------------------

static bool source_version(StoreDb *from, int64_t *version, JdErr *err) {
    const bool is_file = from->driver == &store_sqlite;
    if (!db_number(from, is_file ? "PRAGMA user_version" : "SELECT version FROM schema_version",
                   version, err))
        return false;
    return *version <= store_migration_count ||
           jd_fail(
               err, STORE_NEWER, 0,
               "%s: written by a newer version of this program (schema %lld, this one knows %d)",
               from->path, (long long)*version, store_migration_count);
}

static bool database_of(const StoreConfig *site, char *out, size_t size, JdErr *err) {
    return jd_format(out, size, "%s/jadoube.db", site->data_dir) < size ||
           jd_fail(err, STORE_IO, 0, "the path of the data directory is too long");
}

// A connection that only reads, beside a site that runs or not. bare is what it needs of a store.
static bool open_source(const StoreConfig *site, Store *bare, StoreDb *from, JdErr *err) {
    char path[512];
    bool exists = false;
    bare->config = *site;
    bare->lock_fd = -1;
    if (site->database != NULL)
        return store_postgres.open_reader(from, bare, err);
    if (!database_of(site, path, sizeof path, err) ||
        !check_file(path, site->vfs, -1, &exists, err))
        return false;
    if (!exists)
        return jd_fail(err, STORE_NOT_FOUND, 0, "%s: no site is here", path);
    return sqlite_open(from, bare, path, site->vfs, DB_READ, err);
}

// The numbers that PostgreSQL has given stand in its own objects.
static bool carry_sequence(StoreDb *from, StoreDb *to, JdErr *err) {
    Plain *names = NULL;
    bool ok = prepare(
        to, "SELECT s.name, i.name FROM " SEQUENCE " s, pragma_table_info(s.name) i WHERE i.pk > 0",
        &names, err);
    while (ok && sqlite3_step(names) == SQLITE_ROW) {
        char sql[400];
        int64_t last = 0;
        const char *table = (const char *)sqlite3_column_text(names, 0);
        jd_format(sql, sizeof sql,
                  "SELECT coalesce(max(last_value), 0) FROM pg_sequences WHERE schemaname = "
                  "current_schema()"
                  " AND sequencename = '%s_%s_seq'",
                  table, (const char *)sqlite3_column_text(names, 1));
        ok = db_number(from, sql, &last, err);
        jd_format(sql, sizeof sql, "UPDATE " SEQUENCE " SET seq = max(seq, %lld) WHERE name = '%s'",
                  (long long)last, table);
        ok = ok && db_exec(to, sql, err);
    }
    sqlite3_finalize(names);
    return ok;
}

// Which node owns what is not the site's, but of the machines it runs on.
static bool is_of_nodes(const Table *table) {
    return strcmp(table->name, "node") == 0 || strcmp(table->name, "shard") == 0;
}

static bool fill_table(StoreDb *from, StoreDb *to, const Table *table, Sum *sum, JdErr *err) {
    char sql[NAME_SIZE + 20];
    const bool is_sequence = strcmp(table->name, SEQUENCE) == 0;
    if (is_sequence && from->driver != &store_sqlite)
        return carry_sequence(from, to, err) && walk_table(to, NULL, table, sum, err);
    jd_format(sql, sizeof sql, "DELETE FROM %s", table->name);
    if (!db_exec(to, sql, err))
        return false;
    return is_of_nodes(table) ? walk_table(to, NULL, table, sum, err)
                              : walk_table(from, to, table, sum, err);
}

static bool put_about(StoreDb *to, const char *key, int64_t number, const char *text, JdErr *err) {
    Plain *put = NULL;
    char digits[24];
    if (!prepare(to, "INSERT INTO backup_about (key, value) VALUES (?1, ?2)", &put, err))
        return false;
    jd_format(digits, sizeof digits, "%lld", (long long)number);
    sqlite3_bind_text(put, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(put, 2, text != NULL ? text : digits, -1, SQLITE_STATIC);
    const int code = sqlite3_step(put);
    const bool ok = code == SQLITE_DONE || sqlite_fail(to, code, to->path, err);
    sqlite3_finalize(put);
    return ok;
}

static bool fill_file(StoreDb *from, StoreDb *to, StoreBackup *done, JdErr *err) {
    static const char own_tables[] =
        "CREATE TABLE backup_about (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;"
        "CREATE TABLE backup_table (name TEXT PRIMARY KEY, row_count INTEGER NOT NULL, hash BLOB "
        "NOT NULL) STRICT";
    Table table = { .name = "" };
    bool more = true;
    if (!db_exec(to, "BEGIN", err) || !db_exec(to, own_tables, err) ||
        !put_about(to, "format", FORMAT, NULL, err) ||
        !put_about(to, "made_ms", done->made_ms, NULL, err) ||
        !put_about(to, "program", 0, done->program, err))
        return false;
    while (next_table(to, &table, &more, err) && more) {
        Sum sum = { 0 };
        if (!fill_table(from, to, &table, &sum, err) || !put_sum(to, &table, &sum, err))
            return false;
        count_table(done, &sum);
    }
    return !more && db_exec(to, "COMMIT", err);
}

// Reads a file whole and compares it with what it says of itself.
static bool compare_file(StoreDb *file, StoreBackup *found, JdErr *err) {
    Table table = { .name = "" };
    bool more = true;
    while (next_table(file, &table, &more, err) && more) {
        Sum expected = { 0 };
        Sum sum = { 0 };
        if (!get_sum(file, &table, &expected, err) || !walk_table(file, NULL, &table, &sum, err) ||
            !is_right(file, &table, &sum, &expected, err))
            return false;
        count_table(found, &sum);
    }
    return !more;
}

// One snapshot of `from` into a file that has its name only when it is whole.
static bool write_backup(StoreDb *from, const char *path, StoreBackup *out, JdErr *err) {
    char fresh[540];
    StoreDb to = { 0 };
    StoreBackup again = { 0 };
    int64_t version = 0;
    if (jd_format(fresh, sizeof fresh, "%s.partial", path) >= sizeof fresh)
        return jd_fail(err, STORE_IO, 0, "the path of the backup is too long");
    JD_ASSERT(from->driver != NULL);
    if (!is_free(path, err) || !from->driver->begin(from, err) ||
        !source_version(from, &version, err))
        return false;
    out->schema = (int)version;
    struct stat other;
    const bool is_ours = lstat(fresh, &other) != 0;
    const bool ok = make_new(&to, fresh, version, err) && fill_file(from, &to, out, err) &&
                    compare_file(&to, &again, err);
    db_close(&to);
    if (ok && give_name(fresh, path, &out->bytes, err))
        return true;
    if (is_ours)
        unlink(fresh);
    return false;
}

bool store_backup(const StoreConfig *site, const char *path, StoreBackup *out, JdErr *err) {
    StoreDb from = { 0 };
    Store *bare = calloc(1, sizeof *bare);
    out->tables = out->rows = 0;
    if (bare == NULL)
        return jd_fail(err, STORE_MEMORY, 0, "no memory for a backup");
    const bool ok = open_source(site, bare, &from, err) && write_backup(&from, path, out, err);
    if (from.driver != NULL)
        from.driver->rollback(&from);
    db_close(&from);
    free(bare);
    return ok;
}

bool keep_before_migrating(const char *path, const char *vfs, JdErr *err) {
    StoreDb from;
    int64_t version = 0;
    StoreBackup made = { 0 };
    char name[560];
    if (!sqlite_open(&from, NULL, path, vfs, DB_READ, err))
        return false;
    bool ok = db_number(&from, "PRAGMA user_version", &version, err);
    if (ok && version < store_migration_count) {
        struct stat other;
        int count = 1;
        jd_format(name, sizeof name, "%s.schema-%d.backup", path, (int)version);
        while (lstat(name, &other) == 0 && ++count < UPGRADES_MAX)
            jd_format(name, sizeof name, "%s.schema-%d-%d.backup", path, (int)version, count);
        JdErr cause = { 0 };
        ok = write_backup(&from, name, &made, &cause);
        if (!ok)
            jd_fail(err, cause.code, 0, "no backup can be made before the schema changes: %s",
                    cause.text);
        store_sqlite.rollback(&from);
    }
    db_close(&from);
    return ok;
}

bool store_schema(const StoreConfig *site, int *version, JdErr *err) {
    StoreDb from = { 0 };
    Store *bare = calloc(1, sizeof *bare);
    int64_t found = 0;
    if (bare == NULL)
        return jd_fail(err, STORE_MEMORY, 0, "no memory for a connection");
    const bool ok = open_source(site, bare, &from, err) && source_version(&from, &found, err);
    db_close(&from);
    free(bare);
    *version = (int)found;
    return ok;
}

int store_schema_known(void) {
    return store_migration_count;
}

// ---- from a file --------------------------------------------------------------------------------

static bool get_about(StoreDb *file, const char *key, char *out, size_t size, JdErr *err) {
    Plain *get = NULL;
    if (!prepare(file, "SELECT value FROM backup_about WHERE key = ?1", &get, err))
        return false;
    sqlite3_bind_text(get, 1, key, -1, SQLITE_STATIC);
    const bool found = sqlite3_step(get) == SQLITE_ROW;
    if (found)
        jd_format(out, size, "%s", (const char *)sqlite3_column_text(get, 0));
    sqlite3_finalize(get);
    return found ||
           jd_fail(err, STORE_CORRUPT, 0, "%s: damaged: it does not say its %s", file->path, key);
}

static bool read_about(StoreDb *file, StoreBackup *out, JdErr *err) {
    int64_t tables = 0;
    int64_t version = 0;
    char format[24];
    char made[24];
    if (!db_number(
            file,
            "SELECT count(*) FROM sqlite_master WHERE name IN ('backup_about', 'backup_table')",
            &tables, err))
        return false;
    if (tables != 2)
        return jd_fail(err, STORE_FOREIGN, 0, "%s: a site's own database, not a backup of one",
                       file->path);
    if (!get_about(file, "format", format, sizeof format, err) ||
        !get_about(file, "made_ms", made, sizeof made, err) ||
        !get_about(file, "program", out->program, sizeof out->program, err) ||
        !source_version(file, &version, err))
        return false;
    if (strtol(format, NULL, 10) > FORMAT)
        return jd_fail(
            err, STORE_NEWER, 0,
            "%s: written by a newer version of this program (form %s, this one knows %d)",
            file->path, format, FORMAT);
    out->made_ms = strtoll(made, NULL, 10);
    out->schema = (int)version;
    return true;
}

static bool open_backup(const char *path, StoreDb *file, StoreBackup *out, JdErr *err) {
    bool exists = false;
    struct stat info = { 0 };
    *out = (StoreBackup) { 0 };
    if (!check_file(path, NULL, INT64_MAX, &exists, err))
        return false;
    if (!exists || stat(path, &info) != 0)
        return jd_fail(err, STORE_NOT_FOUND, 0, "%s: no such file", path);
    out->bytes = (int64_t)info.st_size;
    return sqlite_open(file, NULL, path, NULL, DB_READ, err) && read_about(file, out, err);
}

bool store_backup_check(const char *path, StoreBackup *out, JdErr *err) {
    StoreDb file = { 0 };
    const bool ok = open_backup(path, &file, out, err) && compare_file(&file, out, err);
    db_close(&file);
    return ok;
}

static bool fill_site(StoreDb *file, StoreDb *to, StoreBackup *done, JdErr *err) {
    Table table = { .name = "" };
    bool more = true;
    if (!db_exec(to, "BEGIN", err))
        return false;
    while (next_table(file, &table, &more, err) && more) {
        Sum expected = { 0 };
        Sum sum = { 0 };
        Sum again = { 0 };
        if (!get_sum(file, &table, &expected, err) || !fill_table(file, to, &table, &sum, err) ||
            !is_right(file, &table, &sum, &expected, err) ||
            !walk_table(to, NULL, &table, &again, err) ||
            !is_right(to, &table, &again, &expected, err))
            return false;
        count_table(done, &sum);
    }
    return !more && db_exec(to, "COMMIT", err);
}

// Beside its place first, brought up to date, then moved into it: a restore that is cut short
// leaves a directory without a site.
static bool restore_file(StoreDb *file, const char *path, StoreBackup *out, JdErr *err) {
    static const char *const parts[] = { "", "-journal", "-wal", "-shm" };
    char fresh[520];
    char left[540];
    StoreDb to = { 0 };
    int64_t size = 0;
    jd_format(fresh, sizeof fresh, "%s.new", path);
    for (size_t i = 0; i < JD_COUNT(parts); i++) { // the lock is ours: of a run that was cut short
        jd_format(left, sizeof left, "%s%s", fresh, parts[i]);
        if (!remove_if_there(left, err))
            return false;
    }
    const bool ok = make_new(&to, fresh, out->schema, err) && fill_site(file, &to, out, err) &&
                    migrate_to(&to, store_migration_count, err) &&
                    db_exec(&to, "PRAGMA journal_mode = WAL", err);
    db_close(&to);
    if (ok && give_name(fresh, path, &size, err))
        return true;
    unlink(fresh);
    return false;
}

static bool restore_to_directory(StoreDb *file, const char *directory, StoreBackup *out,
                                 JdErr *err) {
    const StoreConfig site = { .data_dir = directory };
    char path[512];
    char log[520];
    int lock = -1;
    JdErr there = { 0 };
    if (!database_of(&site, path, sizeof path, err) || !sqlite_lock(directory, &lock, err))
        return false;
    jd_format(log, sizeof log, "%s-wal", path);
    bool ok = is_free(path, &there) && is_free(log, &there);
    if (!ok)
        jd_fail(err, there.code, 0, "%s: a restore goes into an empty place only", there.text);
    ok = ok && restore_file(file, path, out, err);
    close(lock);
    return ok;
}

// By way of a directory, which brings the tables up to date.
static bool restore_to_server(StoreDb *file, const StoreConfig *site, StoreBackup *out,
                              JdErr *err) {
    static const char *const names[] = { "jadoube.db", "jadoube.db-wal", "jadoube.db-shm",
                                         "jadoube.lock" };
    const char *place = getenv("TMPDIR");
    char directory[400];
    char name[420];
    Store *from = NULL;
    Store *to = NULL;
    StoreCopied copied;
    jd_format(directory, sizeof directory, "%s/jadoube-restore-XXXXXX",
              place != NULL ? place : "/var/tmp");
    if (mkdtemp(directory) == NULL)
        return jd_fail(err, STORE_IO, 0, "%s: %s", directory, strerror(errno));
    const StoreConfig here = { .data_dir = directory };
    bool ok = restore_to_directory(file, directory, out, err) && store_open(&here, &from, err) &&
              store_open(site, &to, err) && store_copy(from, to, &copied, err);
    if (!store_close(to, ok ? err : NULL))
        ok = false;
    (void)!store_close(from, NULL); // nothing was written there
    for (size_t i = 0; i < JD_COUNT(names); i++) {
        jd_format(name, sizeof name, "%s/%s", directory, names[i]);
        unlink(name);
    }
    rmdir(directory);
    return ok;
}

static bool make_directory(const char *directory, JdErr *err) {
    return directory == NULL || mkdir(directory, 0700) == 0 || errno == EEXIST ||
           jd_fail(err, STORE_IO, 0, "%s: %s", directory, strerror(errno));
}

bool store_restore(const char *path, const StoreConfig *site, StoreBackup *out, JdErr *err) {
    StoreDb file = { 0 };
    const bool ok =
        open_backup(path, &file, out, err) && make_directory(site->data_dir, err) &&
        (site->database != NULL ? restore_to_server(&file, site, out, err)
                                : restore_to_directory(&file, site->data_dir, out, err));
    db_close(&file);
    return ok;
}
