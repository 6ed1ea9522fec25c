// SPDX-License-Identifier: GPL-3.0-or-later
//
// PostgreSQL: one connection, statements prepared when first asked, values in and out in the binary
// form, and the server's codes turned into the store's. The commit thread sends what needs no
// answer ahead (libpq's pipeline mode, PostgreSQL manual, 34.5), so that a group of a thousand
// events makes some ten journeys instead of a thousand.
#include "store/postgres.h"

#include <stdlib.h>
#include <string.h>

// Types by their numbers in pg_type.dat, which never change.
enum { OID_BOOL = 16, OID_BYTEA = 17, OID_INT8 = 20, OID_INT2 = 21, OID_INT4 = 23, OID_TEXT = 25 };

// ---- errors -------------------------------------------------------------------------------------

// Classes of SQLSTATE (PostgreSQL manual, appendix A).
static StoreFault fault_of(const PGconn *conn, const char *state) {
    if (PQstatus(conn) == CONNECTION_BAD || state == NULL)
        return STORE_IO;
    static const struct {
        const char *begins;
        StoreFault fault;
    } faults[] = {
        { "23", STORE_CONFLICT },                       // integrity constraint violation
        { "53100", STORE_FULL },                        // disk full
        { "53200", STORE_MEMORY },  { "53", STORE_IO }, // too many connections and their like
        { "08", STORE_IO },                             // connection exception
        { "57P", STORE_IO },   // the server shuts down, starts, or ended the session
        { "58", STORE_IO },    // system error
        { "25006", STORE_IO }, // read-only: a stand-by
        { "40", STORE_IO },    // rolled back by the server: to be tried again
        { "XX001", STORE_CORRUPT }, { "XX002", STORE_CORRUPT },
    };
    for (size_t i = 0; i < JD_COUNT(faults); i++)
        if (strncmp(state, faults[i].begins, strlen(faults[i].begins)) == 0)
            return faults[i].fault;
    return STORE_SQL;
}

bool pg_fail(StoreDb *db, const PGresult *result, const char *doing, JdErr *err) {
    const char *state = result != NULL ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    const char *text = result != NULL ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    if (text == NULL)
        text = PQerrorMessage(db->pg->conn);
    // The server says goodbye before it hangs up; what has no code, libpq says of the connection.
    if (state == NULL || strncmp(state, "57P", 3) == 0 || strncmp(state, "08", 2) == 0)
        db->pg->is_over = true;
    else if (strncmp(state, "40", 2) == 0)
        db->collided = true;
    return jd_fail(err, (uint32_t)fault_of(db->pg->conn, state), 0, "%s: %s: %.*s", db->path, doing,
                   (int)strcspn(text, "\n"), text);
}

static bool is_broken(const StoreDb *db) {
    return db->pg->is_over || PQstatus(db->pg->conn) == CONNECTION_BAD;
}

// ---- what was sent ahead ------------------------------------------------------------------------

static void keep_pending_err(StoreDb *db, const PGresult *result) {
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK &&
        status != PGRES_PIPELINE_ABORTED && status != PGRES_PIPELINE_SYNC &&
        db->pg->pending_err.code == 0)
        pg_fail(db, result, "query", &db->pg->pending_err);
}

// Reads the answers to all that was sent ahead.
static bool catch_up(StoreDb *db, JdErr *err) {
    struct PgLink *link = db->pg;
    if (PQpipelineStatus(link->conn) != PQ_PIPELINE_OFF) {
        bool is_synced = PQpipelineSync(link->conn) == 0;
        while (!is_synced) {
            PGresult *result = PQgetResult(link->conn);
            is_synced = result != NULL ? PQresultStatus(result) == PGRES_PIPELINE_SYNC
                                       : PQstatus(link->conn) == CONNECTION_BAD;
            if (result != NULL)
                keep_pending_err(db, result);
            PQclear(result);
        }
        if (PQstatus(link->conn) == CONNECTION_BAD && link->pending_err.code == 0)
            pg_fail(db, NULL, "query", &link->pending_err);
        else
            PQexitPipelineMode(link->conn);
    }
    link->pending = 0;
    if (link->pending_err.code == 0)
        return true;
    if (err != NULL)
        *err = link->pending_err;
    link->pending_err = (JdErr) { 0 };
    return false;
}

static bool pipeline(StoreDb *db, bool on, JdErr *err) {
    db->pg->pipelined = on;
    return on || catch_up(db, err);
}

// ---- statements without parameters --------------------------------------------------------------

bool pg_exec(StoreDb *db, const char *sql, JdErr *err) {
    if (!catch_up(db, err))
        return false;
    PGresult *result = PQexec(db->pg->conn, sql);
    const ExecStatusType status = PQresultStatus(result);
    const bool ok = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    if (!ok) {
        char doing[48];
        const size_t line = strcspn(sql, "\n");
        jd_format(doing, sizeof doing, "%.*s", (int)(line < 40 ? line : 40), sql);
        pg_fail(db, result, doing, err);
    }
    PQclear(result);
    return ok;
}

PGresult *pg_rows(StoreDb *db, const char *sql, JdErr *err) {
    if (!catch_up(db, err))
        return NULL;
    PGresult *result = PQexec(db->pg->conn, sql);
    if (PQresultStatus(result) == PGRES_TUPLES_OK)
        return result;
    char doing[48];
    jd_format(doing, sizeof doing, "%.*s", 40, sql);
    pg_fail(db, result, doing, err);
    PQclear(result);
    return NULL;
}

bool pg_number(StoreDb *db, const char *sql, int64_t *out, JdErr *err) {
    if (!catch_up(db, err))
        return false;
    PGresult *result = PQexec(db->pg->conn, sql);
    const bool ok = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0;
    if (ok)
        *out = strtoll(PQgetvalue(result, 0, 0), NULL, 10);
    else
        pg_fail(db, result, sql, err);
    PQclear(result);
    return ok;
}

// ---- the connection -----------------------------------------------------------------------------

static void forget_statements(StoreDb *db) {
    for (size_t i = 0; i < JD_COUNT(db->statements); i++)
        if (db->statements[i].pg != NULL)
            db->statements[i].pg->is_prepared = false;
}

static void note_place(StoreDb *db) {
    const char *host = PQhost(db->pg->conn);
    const char *port = PQport(db->pg->conn);
    const char *name = PQdb(db->pg->conn);
    jd_format(db->path, sizeof db->path, "postgresql://%s:%s/%s", host != NULL ? host : "",
              port != NULL ? port : "", name != NULL ? name : "");
}

// What the server says without being asked; of a session's end the next question tells.
static void say_nothing(void *context, const char *text) {
    (void)context;
    (void)text;
}

bool pg_connect(StoreDb *db, JdErr *err) {
    // What stands in the operator's words takes the place of what stands before it here. A server
    // that says nothing is given up after ten seconds, not after the system's quarter of an hour.
    const char *const names[] = { "application_name",
                                  "connect_timeout",
                                  "tcp_user_timeout",
                                  "keepalives_idle",
                                  "dbname",
                                  "client_encoding",
                                  NULL };
    const char *const values[] = { "jadoube", "5", "10000", "10", db->store->config.database,
                                   "UTF8",    NULL };
    struct PgLink *link = db->pg;
    PQfinish(link->conn);
    forget_statements(db);
    link->pending = 0;
    link->pending_err = (JdErr) { 0 };
    link->in_transaction = false;
    link->is_over = false;
    link->conn = PQconnectdbParams(names, values, 1);
    if (link->conn == NULL)
        return jd_fail(err, STORE_MEMORY, 0, "no memory for a connection");
    note_place(db);
    if (PQstatus(link->conn) != CONNECTION_OK)
        return pg_fail(db, NULL, "connecting", err);
    PQsetNoticeProcessor(link->conn, say_nothing, NULL);
    if (!pg_exec(db,
                 link->use == PG_READS ? "SET default_transaction_read_only = on"
                                       : "SET synchronous_commit = on",
                 err))
        return false;
    // By this name the other nodes find the sessions of one that is dead.
    const Cluster *cluster = db->store->cluster;
    char name[120];
    jd_format(name, sizeof name, "SET application_name = '%s%s'",
              cluster != NULL ? cluster->session : "",
              link->use == PG_READS    ? "r"
              : link->use == PG_WRITES ? "w"
                                       : "l");
    return cluster == NULL || pg_exec(db, name, err);
}

static void close_connection(StoreDb *db) {
    for (size_t i = 0; i < JD_COUNT(db->statements); i++) {
        if (db->statements[i].pg != NULL)
            PQclear(db->statements[i].pg->result);
        free(db->statements[i].pg);
    }
    if (db->pg != NULL)
        PQfinish(db->pg->conn);
    free(db->pg);
}

bool pg_revive(StoreDb *db, JdErr *err) {
    if (!is_broken(db))
        return true;
    const bool writes = db->pg->use == PG_WRITES;
    if (!pg_connect(db, err) || (writes && !pg_take_lock_again(db, err))) {
        db->pg->is_over = true; // also one that stands: without the lock nothing is written on it
        return false;
    }
    if (!writes)
        store_found_again(db->store);
    return true;
}

// ---- transactions -------------------------------------------------------------------------------

static bool begin(StoreDb *db, JdErr *err) {
    const bool writes = db->pg->use == PG_WRITES;
    const char *sql = writes ? "BEGIN" : "BEGIN ISOLATION LEVEL REPEATABLE READ";
    db->pg->in_transaction = pg_exec(db, sql, err);
    // A reader's connection that broke since it was last used is made anew; for the writer's the
    // group is tried again.
    if (!db->pg->in_transaction && !writes && is_broken(db))
        db->pg->in_transaction = pg_revive(db, err) && pg_exec(db, sql, err);
    return db->pg->in_transaction;
}

static bool in_transaction(StoreDb *db) {
    const PGTransactionStatusType status = PQtransactionStatus(db->pg->conn);
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE;
}

static void rollback(StoreDb *db) {
    db->pg->pipelined = false;
    db->pg->in_transaction = false;
    JdErr ignored;
    const bool caught_up = catch_up(db, &ignored); // what failed has been told
    (void)caught_up;
    if (in_transaction(db))
        PQclear(PQexec(db->pg->conn, "ROLLBACK"));
}

// The number of the transaction goes with it, so that it can be asked for when the answer is lost.
static bool note_group(StoreDb *db, JdErr *err) {
    StoreStmt *put = db_query(db, STORE_Q_META_PUT);
    store_bind_text(put, 1, jd_str(db->store->group_key));
    store_bind_int(put, 2, (int64_t)db->store->group_id);
    return store_run(put, NULL, err);
}

static DbCommit commit(StoreDb *db, JdErr *err) {
    if (!note_group(db, err) || !catch_up(db, err))
        return DB_UNDONE;
    db->pg->in_transaction = false;
    PGresult *result = PQexec(db->pg->conn, "COMMIT");
    DbCommit end = DB_UNDONE;
    if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        pg_fail(db, result, "COMMIT", err);
        end = is_broken(db) ? DB_UNKNOWN : DB_UNDONE;
    } else if (strcmp(PQcmdStatus(result), "COMMIT") == 0) {
        end = DB_COMMITTED;
    } else { // of a transaction that had failed the server says ROLLBACK
        jd_fail(err, STORE_SQL, 0, "%s: COMMIT: the transaction was rolled back", db->path);
    }
    PQclear(result);
    return end;
}

static bool was_committed(StoreDb *db, int64_t group, bool *committed, JdErr *err) {
    int64_t last = 0;
    bool found = false;
    const bool ok = store_meta_get(db, db->store->group_key, &last, &found, err);
    *committed = found && last == group;
    return ok;
}

// ---- preparing ----------------------------------------------------------------------------------

static int count_params(const char *sql) {
    int count = 0;
    for (const char *at = strchr(sql, '$'); at != NULL; at = strchr(at + 1, '$')) {
        const long number = strtol(at + 1, NULL, 10);
        if (number > count)
            count = (int)number;
    }
    JD_ASSERT(count <= STORE_PARAMS_MAX);
    return count;
}

static bool reads_much(int query) {
    return query == STORE_Q_FREE_READ || query == STORE_Q_EVENTS_FROM ||
           query == STORE_Q_RECORDS_ENDED || query == STORE_Q_OPEN_ALL;
}

static int number_of(const StoreStmt *stmt) {
    return (int)(stmt - stmt->db->statements);
}

static void begin_query(StoreStmt *stmt) {
    if (stmt->pg == NULL) {
        stmt->pg = calloc(1, sizeof *stmt->pg);
        if (stmt->pg == NULL)
            return; // step tells
        stmt->pg->count = count_params(stmt->sql);
        stmt->pg->by_rows = reads_much(number_of(stmt));
    }
    JD_ASSERT(!stmt->pg->is_asked);
}

static void name_of(const StoreStmt *stmt, char out[16]) {
    jd_format(out, 16, "q%d", number_of(stmt));
}

// A parameter that was NULL so far has the type the server guessed; with a value it has its own.
static bool fits(const struct PgStmt *pg) {
    for (int i = 0; i < pg->count; i++)
        if (pg->types[i] != 0 && pg->types[i] != pg->declared[i])
            return false;
    return pg->is_prepared;
}

static bool prepare(StoreStmt *stmt, JdErr *err) {
    struct PgStmt *pg = stmt->pg;
    if (fits(pg))
        return true;
    StoreDb *db = stmt->db;
    char name[16];
    char drop[32];
    name_of(stmt, name);
    jd_format(drop, sizeof drop, "DEALLOCATE %s", name);
    if (!catch_up(db, err) || (pg->is_prepared && !pg_exec(db, drop, err)))
        return false;
    for (int i = 0; i < pg->count; i++)
        if (pg->types[i] != 0)
            pg->declared[i] = pg->types[i];
    PGresult *result = PQprepare(db->pg->conn, name, stmt->sql, pg->count, pg->declared);
    pg->is_prepared = PQresultStatus(result) == PGRES_COMMAND_OK;
    if (!pg->is_prepared)
        pg_fail(db, result, stmt->sql, err);
    PQclear(result);
    return pg->is_prepared;
}

static void forget(StoreStmt *stmt) {
    char drop[32];
    JdErr ignored;
    if (stmt->pg != NULL && stmt->pg->is_prepared) {
        jd_format(drop, sizeof drop, "DEALLOCATE q%d", number_of(stmt));
        if (!pg_exec(stmt->db, drop, &ignored)) // then the connection is over, and it with it
            stmt->db->pg->is_over = true;
    }
    free(stmt->pg);
    stmt->pg = NULL;
}

// ---- values in ----------------------------------------------------------------------------------

static void bind(StoreStmt *stmt, int index, Oid type, const char *value, size_t size) {
    if (stmt->pg == NULL)
        return;
    JD_ASSERT(index >= 1 && index <= stmt->pg->count);
    stmt->pg->types[index - 1] = type;
    stmt->pg->values[index - 1] = value;
    stmt->pg->sizes[index - 1] = (int)size;
}

static void bind_int(StoreStmt *stmt, int index, int64_t value) {
    if (stmt->pg == NULL)
        return;
    JD_ASSERT(index >= 1 && index <= stmt->pg->count);
    unsigned char *number = stmt->pg->numbers[index - 1];
    for (int i = 0; i < 8; i++)
        number[i] = (unsigned char)((uint64_t)value >> (56 - 8 * i));
    bind(stmt, index, OID_INT8, (const char *)number, 8);
}

static void bind_text(StoreStmt *stmt, int index, JdStr text) {
    bind(stmt, index, OID_TEXT, text.size > 0 ? text.data : "", text.size);
}

static void bind_blob(StoreStmt *stmt, int index, JdStr bytes) {
    bind(stmt, index, OID_BYTEA, bytes.size > 0 ? bytes.data : "", bytes.size);
}

static void bind_null(StoreStmt *stmt, int index) {
    bind(stmt, index, 0, NULL, 0);
}

// ---- asking -------------------------------------------------------------------------------------

static const int binary[STORE_PARAMS_MAX] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                              1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

static bool send_rows(StoreStmt *stmt, const char *name, JdErr *err) {
    struct PgStmt *pg = stmt->pg;
    PGconn *conn = stmt->db->pg->conn;
    if (PQsendQueryPrepared(conn, name, pg->count, pg->values, pg->sizes, binary, 1) == 0)
        return pg_fail(stmt->db, NULL, "query", err);
    PQsetSingleRowMode(conn);
    return true;
}

static bool ask_once(StoreStmt *stmt, JdErr *err) {
    StoreDb *db = stmt->db;
    struct PgStmt *pg = stmt->pg;
    if (!catch_up(db, err) || !prepare(stmt, err))
        return false;
    char name[16];
    name_of(stmt, name);
    pg->is_asked = true;
    pg->row = -1;
    if (pg->by_rows)
        return send_rows(stmt, name, err);
    PQclear(pg->result);
    pg->result = PQexecPrepared(db->pg->conn, name, pg->count, pg->values, pg->sizes, binary, 1);
    const ExecStatusType status = PQresultStatus(pg->result);
    return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK ||
           pg_fail(db, pg->result, "query", err);
}

// A reader's question outside of a snapshot may be put again when the connection is found broken.
static bool ask(StoreStmt *stmt, JdErr *err) {
    StoreDb *db = stmt->db;
    if (stmt->pg == NULL)
        return jd_fail(err, STORE_MEMORY, 0, "no memory for a query");
    if (ask_once(stmt, err))
        return true;
    return db->pg->use == PG_READS && !db->pg->in_transaction && is_broken(db) &&
           pg_revive(db, err) && ask_once(stmt, err);
}

static StoreStep next_row(StoreStmt *stmt, JdErr *err) {
    struct PgStmt *pg = stmt->pg;
    PQclear(pg->result);
    pg->result = PQgetResult(stmt->db->pg->conn);
    pg->row = 0;
    const ExecStatusType status = PQresultStatus(pg->result);
    if (status == PGRES_SINGLE_TUPLE)
        return STORE_STEP_ROW;
    if (status == PGRES_TUPLES_OK)
        return STORE_STEP_DONE;
    pg_fail(stmt->db, pg->result, "query", err);
    return STORE_STEP_FAILED;
}

static StoreStep step(StoreStmt *stmt, JdErr *err) {
    if ((stmt->pg == NULL || !stmt->pg->is_asked) && !ask(stmt, err))
        return STORE_STEP_FAILED;
    JD_ASSERT(stmt->pg != NULL); // ask() has seen to it
    if (stmt->pg->by_rows)
        return next_row(stmt, err);
    if (stmt->pg->row + 1 >= PQntuples(stmt->pg->result))
        return STORE_STEP_DONE;
    stmt->pg->row++;
    return STORE_STEP_ROW;
}

static void done(StoreStmt *stmt) {
    struct PgStmt *pg = stmt->pg;
    if (pg == NULL)
        return;
    PQclear(pg->result);
    pg->result = NULL;
    if (pg->by_rows && pg->is_asked)
        for (PGresult *rest; (rest = PQgetResult(stmt->db->pg->conn)) != NULL;)
            PQclear(rest);
    pg->is_asked = false;
    memset(pg->types, 0, sizeof pg->types); // the values point into the caller's memory
    memset(pg->values, 0, sizeof pg->values);
    memset(pg->sizes, 0, sizeof pg->sizes);
}

// Sends a statement whose answer nobody waits for.
static bool send_ahead(StoreStmt *stmt, JdErr *err) {
    StoreDb *db = stmt->db;
    struct PgStmt *pg = stmt->pg;
    if (!fits(pg) && !prepare(stmt, err))
        return false;
    if (db->pg->pending >= PG_PENDING_MAX && !catch_up(db, err))
        return false;
    if (PQpipelineStatus(db->pg->conn) == PQ_PIPELINE_OFF)
        PQenterPipelineMode(db->pg->conn);
    char name[16];
    name_of(stmt, name);
    if (PQsendQueryPrepared(db->pg->conn, name, pg->count, pg->values, pg->sizes, binary, 1) == 0)
        return pg_fail(db, NULL, "query", err);
    db->pg->pending++;
    return true;
}

static bool run(StoreStmt *stmt, int64_t *changed, JdErr *err) {
    bool ok;
    if (stmt->db->pg->pipelined && changed == NULL && stmt->pg != NULL) {
        ok = send_ahead(stmt, err);
    } else {
        StoreStep last;
        do
            last = step(stmt, err);
        while (last == STORE_STEP_ROW);
        ok = last == STORE_STEP_DONE;
        if (ok && changed != NULL)
            *changed = strtoll(PQcmdTuples(stmt->pg->result), NULL, 10);
    }
    done(stmt);
    return ok;
}

// ---- values out ---------------------------------------------------------------------------------

static JdStr bytes_at(StoreStmt *stmt, int index) {
    const struct PgStmt *pg = stmt->pg;
    return jd_str_n(PQgetvalue(pg->result, pg->row, index),
                    (size_t)PQgetlength(pg->result, pg->row, index));
}

static int64_t column_int(StoreStmt *stmt, int index) {
    const JdStr bytes = bytes_at(stmt, index);
    const Oid type = PQftype(stmt->pg->result, index);
    if (bytes.size == 0) // NULL
        return 0;
    JD_ASSERT(type == OID_INT8 || type == OID_INT4 || type == OID_INT2 || type == OID_BOOL);
    uint64_t value = (signed char)bytes.data[0] < 0 ? UINT64_MAX : 0;
    for (size_t i = 0; i < bytes.size; i++)
        value = value << 8 | (unsigned char)bytes.data[i];
    return (int64_t)value;
}

static bool column_is_null(StoreStmt *stmt, int index) {
    return PQgetisnull(stmt->pg->result, stmt->pg->row, index) != 0;
}

static DbKind column_kind(StoreStmt *stmt, int index) {
    if (column_is_null(stmt, index))
        return DB_NULL;
    const Oid type = PQftype(stmt->pg->result, index);
    return type == OID_TEXT ? DB_TEXT : type == OID_BYTEA ? DB_BLOB : DB_INT;
}

// Numbers that count up by themselves go on after the highest one that came.
static void copied(StoreDb *db, const StoreTable *table) {
    char sql[300];
    jd_format(sql, sizeof sql,
              "SELECT setval(sequence, (SELECT max(%s) FROM %s)) FROM (SELECT"
              " pg_get_serial_sequence('%s', '%s') AS sequence) AS own WHERE sequence IS NOT NULL",
              table->key, table->name, table->name, table->key);
    JdErr err;
    if (table->counts && !pg_exec(db, sql, &err))
        db->pg->pending_err = err;
}

static void after_commit(Store *store) {
    (void)store; // the server looks after its own log
}

const StoreDriver store_postgres = {
    .open_site = pg_open_site,
    .close_site = pg_close_site,
    .open_reader = pg_open_reader,
    .close = close_connection,
    .after_commit = after_commit,
    .revive = pg_revive,
    .was_committed = was_committed,
    .exec = pg_exec,
    .number = pg_number,
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
    .column_text = bytes_at,
    .column_blob = bytes_at,
    .column_is_null = column_is_null,
    .column_kind = column_kind,
    .done = done,
};
