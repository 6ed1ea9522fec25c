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

// Now by the server's clock, UTC milliseconds.
#define PG_NOW_MS "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
// How the server knows the sessions of nodes: "jadoube/SITE/NODE/EPOCH/" and a letter for the use.
#define PG_SESSIONS_OF_SITE "'jadoube/' || to_hex(hashtext(current_schema())) || '/'"
#define PG_SESSION_OF(node)                                                                        \
    "datname = current_database() AND starts_with(application_name, " PG_SESSIONS_OF_SITE          \
    " || " node ")"
// Makes the shards of nodes nobody's; a condition on the node `n` may follow. A shard that was
// claimed but not played yet keeps what its owner before that left.
#define PG_FREE_SHARDS(released)                                                                   \
    "UPDATE shard AS s SET node = NULL, epoch = s.epoch + 1,"                                      \
    " alive_ms = CASE WHEN s.alive_ms = 0 THEN n.alive_ms ELSE s.alive_ms END,"                    \
    " released = CASE WHEN s.alive_ms = 0 THEN " released " ELSE s.released END"                   \
    " FROM node AS n WHERE s.node = n.name"

// What a connection is for.
typedef enum PgUse {
    PG_READS,
    PG_WRITES, // the commit thread's
    PG_LEASES, // the lease thread's
} PgUse;

struct PgLink {
    PGconn *conn; // never NULL; may be broken
    PgUse use;
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

// The first answer of one statement or of the last of several; the caller clears it. NULL: failed.
JD_MUST_USE PGresult *pg_rows(StoreDb *db, const char *sql, JdErr *err);
JD_MUST_USE bool pg_open_link(StoreDb *db, Store *store, PgUse use, JdErr *err);
// Makes a connection that was lost anew; of the writing one, also what must hold of it.
JD_MUST_USE bool pg_revive(StoreDb *db, JdErr *err);

// postgres_open.c
bool pg_open_site(Store *store, JdErr *err);
void pg_close_site(Store *store);
bool pg_open_reader(StoreDb *db, Store *store, JdErr *err);
// The lock that makes this process the only one, or one of the nodes. A connection of this very
// process that the server has not given up yet is ended.
JD_MUST_USE bool pg_take_lock(StoreDb *db, JdErr *err);
// After the writing connection was made anew: nothing of the former one is under way any more, and
// nobody had the database in between.
JD_MUST_USE bool pg_take_lock_again(StoreDb *db, JdErr *err);

#endif
