// SPDX-License-Identifier: GPL-3.0-or-later
//
// Making the file, and bringing an older one up to date. user_version is the number of migrations a
// file has had; each runs in a transaction of its own together with the new number.
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "store/internal.h"

static bool run_migration(StoreDb *db, int number, JdErr *err) {
    char set_version[48];
    jd_format(set_version, sizeof set_version, "PRAGMA user_version = %d", number);
    if (!db_exec(db, "BEGIN IMMEDIATE", err))
        return false;
    JdErr first = { 0 };
    if (db_exec(db, store_migrations[number - 1].sql, &first) && db_exec(db, set_version, &first) &&
        db_exec(db, "COMMIT", &first))
        return true;
    if (!sqlite3_get_autocommit(db->handle))
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    return jd_fail(err, first.code, 0, "migration %s: %s", store_migrations[number - 1].name,
                   first.text);
}

bool migrate_to(StoreDb *db, int newest, JdErr *err) {
    int64_t version = 0;
    if (!db_number(db, "PRAGMA user_version", &version, err))
        return false;
    for (int number = (int)version + 1; number <= newest; number++)
        if (!run_migration(db, number, err))
            return false;
    return true;
}

bool migrate(StoreDb *db, JdErr *err) {
    return migrate_to(db, store_migration_count, err);
}

static bool each(StoreDb *db, const char *const sql[], size_t count, JdErr *err) {
    for (size_t i = 0; i < count; i++)
        if (!db_exec(db, sql[i], err))
            return false;
    return true;
}

// Nobody sees the file before it is complete and has its name: a creation that is cut short begins
// anew. So it is synced once, at its end, by the commit that makes the log the way to write.
static bool fill_new(StoreDb *db, JdErr *err) {
    static const char *const begin[] = { "PRAGMA journal_mode = MEMORY",
                                         "PRAGMA synchronous = OFF" };
    static const char *const end[] = { "PRAGMA synchronous = FULL", "PRAGMA journal_mode = WAL" };
    char application[64];
    jd_format(application, sizeof application, "PRAGMA application_id = %d", STORE_APPLICATION_ID);
    // The header's number is in the main file from the first byte on; only then comes the log.
    return each(db, begin, JD_COUNT(begin), err) && db_exec(db, application, err) &&
           migrate(db, err) && each(db, end, JD_COUNT(end), err);
}

bool sync_directory(const char *path, JdErr *err) {
    char copy[520];
    snprintf(copy, sizeof copy, "%s", path);
    const char *directory = dirname(copy);
    const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool ok = fd >= 0 && fsync(fd) == 0;
    const int cause = errno;
    if (fd >= 0)
        close(fd);
    return ok || jd_fail(err, STORE_IO, 0, "%s: %s", directory, strerror(cause));
}

bool create_file(Store *store, const char *path, const char *vfs, JdErr *err) {
    char fresh[520];
    char left[540];
    snprintf(fresh, sizeof fresh, "%s.new", path);
    static const char *const parts[] = { "", "-journal", "-wal", "-shm" };
    for (size_t i = 0; i < JD_COUNT(parts); i++) { // of a creation that was cut short
        snprintf(left, sizeof left, "%s%s", fresh, parts[i]);
        if (unlink(left) != 0 && errno != ENOENT)
            return jd_fail(err, STORE_IO, 0, "%s: %s", left, strerror(errno));
    }
    // Made here so that nobody else can read it; SQLite gives the log beside it the same rights.
    const int fd = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return jd_fail(err, STORE_IO, 0, "%s: cannot be created: %s", fresh, strerror(errno));
    close(fd);
    StoreDb db;
    if (!sqlite_open(&db, store, fresh, vfs, DB_CREATE, err))
        return false;
    const bool filled = fill_new(&db, err);
    db_close(&db); // the only connection: its log is checkpointed and removed
    if (!filled) {
        unlink(fresh);
        return false;
    }
    if (rename(fresh, path) != 0)
        return jd_fail(err, STORE_IO, 0, "%s: cannot be renamed: %s", fresh, strerror(errno));
    return sync_directory(path, err);
}
