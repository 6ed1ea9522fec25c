// SPDX-License-Identifier: GPL-3.0-or-later
//
// A site moves from one database to another: every table as the migrations leave it, row by row in
// the order of its key, and then both read again side by side.
#include <string.h>

#include "store/internal.h"

#define SQL_SIZE 2048

typedef struct Copy {
    StoreDb *from; // a reader
    StoreCopied done;
    char select[SQL_SIZE];
    char insert[SQL_SIZE];
} Copy;

static void write_select(const StoreTable *table, char out[SQL_SIZE]) {
    jd_format(out, SQL_SIZE, "SELECT %s FROM %s ORDER BY %s", table->columns, table->name,
              table->key);
}

static void write_insert(const StoreTable *table, char out[SQL_SIZE]) {
    size_t size =
        jd_format(out, SQL_SIZE, "INSERT INTO %s (%s) VALUES (", table->name, table->columns);
    for (int i = 1; i <= table->column_count; i++)
        size += jd_format(out + size, SQL_SIZE - size, "%s$%d%s", i > 1 ? ", " : "", i,
                          i == table->column_count ? ")" : "");
}

// ---- into an empty site -------------------------------------------------------------------------

static bool check_empty(StoreDb *to, JdErr *err) {
    for (int i = 0; i < store_table_count; i++) {
        char sql[SQL_SIZE];
        int64_t rows = 0;
        const char *name = store_tables[i].name;
        jd_format(sql, sizeof sql, "SELECT count(*) FROM (SELECT 1 FROM %s LIMIT 1) AS found",
                  name);
        if (strcmp(name, "meta") != 0 && !db_number(to, sql, &rows, err))
            return false;
        if (rows > 0)
            return jd_fail(err, STORE_CONFLICT, 0, "%s: not empty: there are rows in %s", to->path,
                           name);
    }
    return db_exec(to, "DELETE FROM meta", err); // what the opening itself has noted
}

static bool copy_table(Copy *copy, StoreDb *to, const StoreTable *table, JdErr *err) {
    JD_ASSERT(table->column_count <= STORE_PARAMS_MAX);
    write_select(table, copy->select);
    write_insert(table, copy->insert);
    StoreStmt *read = db_statement(copy->from, STORE_Q_FREE_READ, copy->select);
    StoreStep step = STORE_STEP_DONE;
    bool ok = true;
    while (ok && (step = store_step(read, err)) == STORE_STEP_ROW) {
        StoreStmt *write = db_statement(to, STORE_Q_FREE_WRITE, copy->insert);
        for (int i = 0; i < table->column_count; i++)
            db_carry(read, write, i);
        ok = store_run(write, NULL, err);
        copy->done.rows++;
    }
    store_done(read);
    if (!ok || step != STORE_STEP_DONE)
        return false;
    to->driver->copied(to, table);
    copy->done.tables++;
    return true;
}

static bool copy_all(StoreDb *to, void *context, JdErr *err) {
    Copy *copy = context;
    if (!check_empty(to, err) || !to->driver->pipeline(to, true, err))
        return false;
    bool ok = true;
    for (int i = 0; ok && i < store_table_count; i++) {
        ok = copy_table(copy, to, &store_tables[i], err);
        db_forget_free(copy->from);
        db_forget_free(to);
    }
    JdErr late;
    const bool caught_up = to->driver->pipeline(to, false, &late);
    if (ok && !caught_up && err != NULL)
        *err = late;
    return ok && caught_up;
}

// ---- looking again ------------------------------------------------------------------------------

static bool is_same(StoreStmt *left, StoreStmt *right, int column) {
    const DbKind kind = left->db->driver->column_kind(left, column);
    if (kind != right->db->driver->column_kind(right, column))
        return false;
    if (kind == DB_NULL)
        return true;
    if (kind == DB_INT)
        return store_column_int(left, column) == store_column_int(right, column);
    return jd_str_equal(store_column_blob(left, column), store_column_blob(right, column));
}

static bool differs(StoreDb *to, const StoreTable *table, uint64_t row, JdErr *err) {
    return jd_fail(err, STORE_CONFLICT, 0, "%s: row %llu of %s is not what was written", to->path,
                   (unsigned long long)row, table->name);
}

// In `meta` each side has notes of its own, such as the number of its last transaction.
static bool is_own_note(StoreStmt *stmt, const StoreTable *table) {
    return strcmp(table->name, "meta") == 0 &&
           jd_str_starts_with(store_column_text(stmt, 0), JD_STR("store."));
}

static StoreStep next_row(StoreStmt *stmt, const StoreTable *table, JdErr *err) {
    StoreStep step;
    do
        step = store_step(stmt, err);
    while (step == STORE_STEP_ROW && is_own_note(stmt, table));
    return step;
}

static bool compare_table(StoreDb *from, StoreDb *to, const StoreTable *table, const char *sql,
                          JdErr *err) {
    StoreStmt *left = db_statement(from, STORE_Q_FREE_READ, sql);
    StoreStmt *right = db_statement(to, STORE_Q_FREE_READ, sql);
    bool ok = true;
    for (uint64_t row = 1; ok; row++) {
        const StoreStep step = next_row(left, table, err);
        const StoreStep other = step == STORE_STEP_FAILED ? step : next_row(right, table, err);
        ok = step != STORE_STEP_FAILED && other != STORE_STEP_FAILED;
        if (ok && step != other)
            ok = differs(to, table, row, err);
        if (!ok || step == STORE_STEP_DONE)
            break;
        for (int i = 0; ok && i < table->column_count; i++)
            ok = is_same(left, right, i) || differs(to, table, row, err);
    }
    store_done(left);
    store_done(right);
    return ok;
}

static bool compare_all(StoreDb *from, StoreDb *to, JdErr *err) {
    bool ok = true;
    for (int i = 0; ok && i < store_table_count; i++) {
        char sql[SQL_SIZE];
        write_select(&store_tables[i], sql);
        ok = compare_table(from, to, &store_tables[i], sql, err);
        db_forget_free(from);
        db_forget_free(to);
    }
    return ok;
}

bool store_copy(Store *from, Store *to, StoreCopied *out, JdErr *err) {
    Copy copy = { 0 };
    StoreDb *again = NULL;
    bool ok = store_reader_open(from, &copy.from, err) && store_write(to, copy_all, &copy, err) &&
              store_reader_open(to, &again, err) && compare_all(copy.from, again, err);
    store_reader_close(again);
    store_reader_close(copy.from);
    if (ok)
        *out = copy.done;
    return ok;
}
