// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opening: what is accepted, what is refused, and that a refused file stays as it was.
#include "support.h"

#include "store/internal.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static StoreFault try_open(const TestDir *dir, char text[JD_ERR_TEXT_SIZE]) {
    const StoreConfig config = { .data_dir = dir->path };
    Store *store = NULL;
    JdErr err = { 0 };
    const bool ok = store_open(&config, &store, &err);
    memcpy(text, err.text, JD_ERR_TEXT_SIZE);
    if (ok)
        store_close(store, NULL);
    return ok ? STORE_OK : (StoreFault)err.code;
}

// A refusal leaves every byte of the database and of its log.
static void check_refused(const TestDir *dir, StoreFault expected, const char *word) {
    char path[128];
    char wal[128];
    test_path(dir, "jadoube.db", path);
    test_path(dir, "jadoube.db-wal", wal);
    const bool has_wal = access(wal, F_OK) == 0;
    const FileBytes before = file_read(path);
    const FileBytes wal_before = has_wal ? file_read(wal) : (FileBytes) { 0 };
    char text[JD_ERR_TEXT_SIZE];
    const StoreFault fault = try_open(dir, text);
    if (fault != expected || strstr(text, word) == NULL)
        fail_msg("expected fault %d with \"%s\", got %d: %s", expected, word, fault, text);
    const FileBytes after = file_read(path);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.data, before.data, before.size);
    free(after.data);
    if (has_wal) {
        const FileBytes wal_after = file_read(wal);
        assert_int_equal(wal_after.size, wal_before.size);
        assert_memory_equal(wal_after.data, wal_before.data, wal_before.size);
        free(wal_after.data);
    }
    free(before.data);
    free(wal_before.data);
}

static TestDir dir_with_database(char path[128]) {
    const TestDir dir = test_dir();
    Store *store = open_store(&dir, NULL, NULL);
    for (uint32_t seq = 1; seq <= 300; seq++)
        submit_event(store, seq % 9, seq);
    close_store(store);
    test_path(&dir, "jadoube.db", path);
    return dir;
}

static void test_new_and_again(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    close_store(open_store(&dir, NULL, NULL));
    close_store(open_store(&dir, NULL, NULL));
    char path[128];
    test_path(&dir, "jadoube.db", path);
    const FileBytes file = file_read(path);
    assert_memory_equal(file.data, "SQLite format 3", 16);
    assert_memory_equal(file.data + 68, "JADB", 4);
    free(file.data);
    test_path(&dir, "jadoube.db.new", path);
    assert_int_not_equal(access(path, F_OK), 0);
    test_dir_remove(&dir);
}

// E-mail addresses and hashes of passwords are in it: nobody but the owner may read it.
static void test_private(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Listener listener;
    Store *store = open_store(&dir, &listener, NULL);
    listener_wait_durable(&listener, submit_event(store, 1, 1));
    static const char *const names[] = { "jadoube.db", "jadoube.db-wal", "jadoube.db-shm",
                                         "jadoube.lock" };
    for (size_t i = 0; i < JD_COUNT(names); i++) {
        char path[128];
        struct stat file;
        test_path(&dir, names[i], path);
        assert_int_equal(stat(path, &file), 0);
        assert_int_equal(file.st_mode & 0777, 0600);
    }
    close_store(store);
    test_dir_remove(&dir);
}

// A creation that was cut short leaves jadoube.db.new behind; it is thrown away.
static void test_creation_cut_short(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    char path[128];
    test_path(&dir, "jadoube.db.new", path);
    file_write(path, "half a database", 15);
    close_store(open_store(&dir, NULL, NULL));
    assert_int_not_equal(access(path, F_OK), 0);
    test_dir_remove(&dir);
}

static void test_no_directory(void **state) {
    (void)state;
    const TestDir dir = { "/tmp/jd-store-is-not-there" };
    char text[JD_ERR_TEXT_SIZE];
    assert_int_equal(try_open(&dir, text), STORE_IO);
    assert_non_null(strstr(text, dir.path));
}

static void test_not_a_database(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
    } files[] = {
        { "", 0 },
        { "x", 1 },
        { "SQLite format 3", 16 },
        { "A letter to the club, longer than the hundred bytes that the header of a database "
          "takes, so "
          "that it is read and not just measured.",
          131 },
    };
    for (size_t i = 0; i < JD_COUNT(files); i++) {
        const TestDir dir = test_dir();
        char path[128];
        test_path(&dir, "jadoube.db", path);
        file_write(path, files[i].bytes, files[i].size);
        check_refused(&dir, STORE_FOREIGN, "not a database");
        test_dir_remove(&dir);
    }
}

static void test_other_program(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    char path[128];
    test_path(&dir, "jadoube.db", path);
    file_sql(path, "CREATE TABLE recipe (name TEXT); PRAGMA user_version = 1;");
    check_refused(&dir, STORE_FOREIGN, "another program");
    file_sql(path, "PRAGMA application_id = 77;");
    check_refused(&dir, STORE_FOREIGN, "another program");
    test_dir_remove(&dir);
}

static void test_newer(void **state) {
    (void)state;
    char path[128];
    const TestDir dir = dir_with_database(path);
    file_sql(path, "PRAGMA user_version = 1000;");
    check_refused(&dir, STORE_NEWER, "newer version");
    test_dir_remove(&dir);
}

// The newer number stands only in the write-ahead log, as after a crash of the newer program.
static void test_newer_in_log(void **state) {
    (void)state;
    char path[128];
    const TestDir dir = dir_with_database(path);
    const pid_t child = fork();
    if (child == 0) {
        sqlite3 *db = NULL;
        sqlite3_open(path, &db);
        sqlite3_exec(db, "PRAGMA user_version = 1000; CREATE TABLE newer (x)", NULL, NULL, NULL);
        _exit(0); // without closing: the log stays
    }
    waitpid(child, NULL, 0);
    char wal[128];
    test_path(&dir, "jadoube.db-wal", wal);
    struct stat log;
    assert_int_equal(stat(wal, &log), 0);
    assert_true(log.st_size > 0);
    check_refused(&dir, STORE_NEWER, "newer version");
    test_dir_remove(&dir);
}

static void test_torn(void **state) {
    (void)state;
    char path[128];
    const TestDir dir = dir_with_database(path);
    FileBytes file = file_read(path);
    assert_true(file.size > 3 * 4096);
    static const size_t cuts[] = { 1, 4096, 8192 }; // bytes cut off at the end
    for (size_t i = 0; i < JD_COUNT(cuts); i++) {
        file_write(path, file.data, file.size - cuts[i]);
        check_refused(&dir, STORE_CORRUPT, "torn");
    }
    file_write(path, file.data, 50);
    check_refused(&dir, STORE_FOREIGN, "not a database");
    free(file.data);
    test_dir_remove(&dir);
}

static void test_damaged(void **state) {
    (void)state;
    char path[128];
    const TestDir dir = dir_with_database(path);
    FileBytes file = file_read(path);
    // Each page in turn is overwritten; the first one keeps its header of 100 bytes.
    for (size_t page = 0; page < file.size / 4096; page++) {
        unsigned char *copy = malloc(file.size);
        memcpy(copy, file.data, file.size);
        const size_t from = page == 0 ? 100 : page * 4096;
        memset(copy + from, 0x5a, (page + 1) * 4096 - from);
        file_write(path, copy, file.size);
        free(copy);
        check_refused(&dir, STORE_CORRUPT, "");
    }
    file_write(path, file.data, file.size); // and whole again it is accepted
    close_store(open_store(&dir, NULL, NULL));
    free(file.data);
    test_dir_remove(&dir);
}

// A large file is not read whole at start, but a schema that is not ours is seen all the same.
static void test_table_missing(void **state) {
    (void)state;
    char path[128];
    const TestDir dir = dir_with_database(path);
    file_sql(path, "DROP TABLE session;");
    check_refused(&dir, STORE_CORRUPT, "session");
    test_dir_remove(&dir);
}

static void test_database_missing(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    char path[128];
    test_path(&dir, "jadoube.db-wal", path);
    file_write(path, "a log without its database", 26);
    char text[JD_ERR_TEXT_SIZE];
    assert_int_equal(try_open(&dir, text), STORE_CORRUPT);
    assert_non_null(strstr(text, "missing"));
    const FileBytes wal = file_read(path);
    assert_int_equal(wal.size, 26);
    free(wal.data);
    test_dir_remove(&dir);
}

static void test_second_process(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    Store *store = open_store(&dir, NULL, NULL);
    char text[JD_ERR_TEXT_SIZE];
    assert_int_equal(try_open(&dir, text), STORE_IN_USE); // nor in the same process
    assert_non_null(strstr(text, "another process"));
    const pid_t child = fork();
    if (child == 0)
        _exit((int)try_open(&dir, text));
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), STORE_IN_USE);
    close_store(store);
    assert_int_equal(try_open(&dir, text), STORE_OK);
    test_dir_remove(&dir);
}

// An older schema is brought up to date and keeps what it holds.
static void test_migration(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    char path[128];
    char numbers[96];
    test_path(&dir, "jadoube.db", path);
    // A file as the first version made it.
    snprintf(numbers, sizeof numbers,
             "PRAGMA application_id = %d; PRAGMA user_version = 1; PRAGMA journal_mode = WAL;",
             STORE_APPLICATION_ID);
    file_sql(path, store_migrations[0].sql);
    file_sql(path, numbers);
    file_sql(path, "INSERT INTO meta VALUES ('kept', 42);");
    Store *store = open_store(&dir, NULL, NULL);
    StoreDb *db;
    JdErr err = { 0 };
    assert_true(store_reader_open(store, &db, &err));
    int64_t value = 0;
    bool found = false;
    assert_true(store_meta_get(db, "kept", &value, &found, &err));
    assert_true(found);
    assert_int_equal(value, 42);
    StoreStmt *find = store_query(db, STORE_ACCOUNT_BY_ID);
    store_bind_int(find, 1, 1);
    assert_int_equal(store_step(find, &err), STORE_STEP_DONE); // the table is there
    store_done(find);
    store_reader_close(db);
    close_store(store);
    test_dir_remove(&dir);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_and_again),
        cmocka_unit_test(test_private),
        cmocka_unit_test(test_creation_cut_short),
        cmocka_unit_test(test_no_directory),
        cmocka_unit_test(test_not_a_database),
        cmocka_unit_test(test_other_program),
        cmocka_unit_test(test_newer),
        cmocka_unit_test(test_newer_in_log),
        cmocka_unit_test(test_torn),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_table_missing),
        cmocka_unit_test(test_database_missing),
        cmocka_unit_test(test_second_process),
        cmocka_unit_test(test_migration),
    };
    return cmocka_run_group_tests_name("store/open", tests, NULL, NULL);
}
