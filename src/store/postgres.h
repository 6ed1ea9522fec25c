// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files about PostgreSQL share. Nobody outside src/store includes this.
#ifndef STORE_POSTGRES_H
#define STORE_POSTGRES_H

#include <libpq-fe.h>

#include "store/internal.h"

// The answers to as many statements wait at most, so that neither side's buffers fill while the
// other one writes.
#define PG_PENDING_MAX 128

struct PgLink {
    PGconn *conn; // never NULL; may be broken
    bool writes;  // the commit thread's
    bool is_over; // the server has said that it ends the session
    bool pipelined;
    uint32_t pending;    // statements sent whose answers have not been read
    JdErr pending_err;   // of the first of them that failed
    bool in_transaction; // begun here; the server may have forgotten
};

struct PgStmt {
    int count; // $1 ... $count
    bool is_prepared;
    bool by_rows;  // read row by row: the answer may be larger than memory
    bool is_asked; // the question has been put; result holds what has come
    PGresult *result;
    int row;
    Oid declared[STORE_PARAMS_MAX]; // with what type it was prepared; 0: what the server guessed
    Oid types[STORE_PARAMS_MAX];    // as bound now
    const char *values[STORE_PARAMS_MAX];
    int sizes[STORE_PARAMS_MAX];
    unsigned char numbers[STORE_PARAMS_MAX][8];
};

// Fills err from what the server or libpq said; always false.
bool pg_fail(StoreDb *db, const PGresult *result, const char *doing, JdErr *err);
// Connects db anew, whatever was before; prepared statements are forgotten.
JD_MUST_USE bool pg_connect(StoreDb *db, JdErr *err);
// Runs statements without parameters.
JD_MUST_USE bool pg_exec(StoreDb *db, const char *sql, JdErr *err);
JD_MUST_USE bool pg_number(StoreDb *db, const char *sql, int64_t *out, JdErr *err);

// postgres_open.c
bool pg_open_site(Store *store, JdErr *err);
void pg_close_site(Store *store);
bool pg_open_reader(StoreDb *db, Store *store, JdErr *err);
// The lock that makes this process the only one. A connection of this very process that the server
// has not given up yet is ended.
JD_MUST_USE bool pg_take_lock(StoreDb *db, JdErr *err);

#endif
