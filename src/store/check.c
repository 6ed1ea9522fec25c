// SPDX-License-Identifier: GPL-3.0-or-later
//
// The look at a database file before it is opened for writing. A file that is refused is left as it
// was, byte for byte: first its header is read by hand, so that SQLite never touches a file of
// another program; then a read-only connection, which cannot checkpoint, looks inside.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/internal.h"

#define HEADER_SIZE 100 // "Database file format", section 1.3

static uint32_t big_endian(const unsigned char *at, int size) {
    uint32_t value = 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | at[i];
    return value;
}

static bool newer(const char *path, int64_t version, JdErr *err) {
    return jd_fail(
        err, STORE_NEWER, 0,
        "%s: written by a newer version of this program (schema %lld, this one knows %d)", path,
        (long long)version, store_migration_count);
}

static bool wal_has_content(const char *path, struct stat *wal) {
    char name[520];
    snprintf(name, sizeof name, "%s-wal", path);
    return stat(name, wal) == 0 && wal->st_size > 0;
}

static bool check_header(const char *path, const unsigned char *header, int64_t size, JdErr *err) {
    if (memcmp(header, "SQLite format 3", 16) != 0)
        return jd_fail(err, STORE_FOREIGN, 0, "%s: not a database file", path);
    const uint32_t application = big_endian(header + 68, 4);
    if (application != STORE_APPLICATION_ID)
        return jd_fail(err, STORE_FOREIGN, 68,
                       "%s: a database of another program (application id %x, expected %x)", path,
                       application, STORE_APPLICATION_ID);
    const uint32_t version = big_endian(header + 60, 4);
    if (version > (uint32_t)store_migration_count)
        return newer(path, version, err);
    uint32_t page = big_endian(header + 16, 2);
    page = page == 1 ? 65536 : page;
    if (page < 512 || (page & (page - 1)) != 0)
        return jd_fail(err, STORE_CORRUPT, 16, "%s: damaged: page size %u", path, page);
    // While a write-ahead log lies beside it a checkpoint may have been cut short, and the log
    // makes the file whole again.
    struct stat wal;
    const int64_t expected = (int64_t)big_endian(header + 28, 4) * page;
    if (size < expected && !wal_has_content(path, &wal))
        return jd_fail(err, STORE_CORRUPT, 0, "%s: torn: %lld bytes, expected %lld", path,
                       (long long)size, (long long)expected);
    return true;
}

// Reads quick_check's first word: "ok", or what is wrong.
static bool check_pages(StoreDb *db, JdErr *err) {
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(db->handle, "PRAGMA quick_check(1)", -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    bool ok = false;
    if (code == SQLITE_ROW) {
        const char *found = (const char *)sqlite3_column_text(stmt, 0);
        ok = found != NULL && strcmp(found, "ok") == 0;
        const char *line = found != NULL ? strchr(found, '\n') : NULL; // after a heading
        if (!ok)
            jd_fail(err, STORE_CORRUPT, 0, "%s: damaged: %s", db->path,
                    line != NULL ? line + 1 : found);
    } else {
        sqlite_fail(db, code, db->path, err);
    }
    sqlite3_finalize(stmt);
    return ok;
}

// Each statement the program has can be prepared: the schema is the one expected, not a stranger's.
static bool check_schema(StoreDb *db, int64_t version, JdErr *err) {
    if (version < store_migration_count)
        return true; // migrations will bring what is missing
    for (int query = 0; query < STORE_Q_COUNT; query++) {
        const StoreStmt *stmt = db_query(db, query);
        if (stmt->fault == SQLITE_OK)
            continue;
        const int code = stmt->fault & 0xff;
        if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR)
            return jd_fail(err, STORE_CORRUPT, 0, "%s: damaged: %s", db->path,
                           sqlite3_errmsg(db->handle));
        return sqlite_fail(db, stmt->fault, db->path, err);
    }
    return true;
}

static bool check_inside(StoreDb *db, bool whole, JdErr *err) {
    int64_t application = 0;
    int64_t version = 0;
    if (!db_number(db, "PRAGMA application_id", &application, err) ||
        !db_number(db, "PRAGMA user_version", &version, err))
        return false;
    if (application != STORE_APPLICATION_ID)
        return jd_fail(err, STORE_FOREIGN, 0, "%s: a database of another program", db->path);
    if (version > store_migration_count) // in the write-ahead log, the header was older
        return newer(db->path, version, err);
    if (version < 1)
        return jd_fail(err, STORE_CORRUPT, 60, "%s: damaged: schema version %lld", db->path,
                       (long long)version);
    return (!whole || check_pages(db, err)) && check_schema(db, version, err);
}

static bool read_header(const char *path, int fd, JdErr *err) {
    struct stat file;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode))
        return jd_fail(err, STORE_FOREIGN, 0, "%s: not a regular file", path);
    unsigned char header[HEADER_SIZE] = { 0 };
    const ssize_t got = pread(fd, header, sizeof header, 0);
    if (got < 0)
        return jd_fail(err, STORE_IO, 0, "%s: cannot be read: %s", path, strerror(errno));
    if (got < HEADER_SIZE)
        return jd_fail(err, STORE_FOREIGN, 0, "%s: not a database file (%d bytes)", path, (int)got);
    return check_header(path, header, file.st_size, err);
}

bool check_file(const char *path, const char *vfs, int64_t check_bytes_max, bool *exists,
                JdErr *err) {
    struct stat file;
    struct stat wal;
    *exists = stat(path, &file) == 0;
    if (!*exists) {
        if (errno != ENOENT)
            return jd_fail(err, STORE_IO, 0, "%s: cannot be read: %s", path, strerror(errno));
        if (wal_has_content(path, &wal)) // SQLite would delete it with all that is in it
            return jd_fail(err, STORE_CORRUPT, 0, "%s: missing, but %s-wal is there", path, path);
        return true;
    }
    // Closing any descriptor of a file drops this process's POSIX locks on it, so this one is
    // closed before SQLite opens the file.
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return jd_fail(err, STORE_IO, 0, "%s: cannot be opened: %s", path, strerror(errno));
    const bool header_ok = read_header(path, fd, err);
    close(fd);
    if (!header_ok)
        return false;
    StoreDb db;
    if (!sqlite_open(&db, NULL, path, vfs, DB_CHECK, err))
        return false;
    const int64_t size = file.st_size + (wal_has_content(path, &wal) ? wal.st_size : 0);
    const bool ok = check_inside(&db, size <= check_bytes_max, err);
    db_close(&db);
    return ok;
}
