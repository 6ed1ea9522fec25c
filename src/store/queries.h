// SPDX-License-Identifier: GPL-3.0-or-later
//
// The names of the queries that `pages` asks; reached through store/store.h. Each line of the enum
// says what the parameters and columns are. The SQL stands in queries.c.
#ifndef STORE_QUERIES_H
#define STORE_QUERIES_H

typedef enum StoreQuery {
    // Accounts. An "account row" has the columns
    // id, nick (NULL: deleted), language, email (NULL: none), password hash, created_ms, state.
    STORE_ACCOUNT_INSERT,       // id, nick, skeleton, email, email_key, hash, language, created_ms
    STORE_ACCOUNT_BY_ID,        // id -> account row
    STORE_ACCOUNT_BY_SKELETON,  // skeleton -> account row
    STORE_ACCOUNTS_BY_EMAIL,    // email_key, limit -> account rows, newest first
    STORE_ACCOUNT_SET_PASSWORD, // id, hash
    STORE_ACCOUNT_SET_LANGUAGE, // id, language
    STORE_ACCOUNT_ERASE,        // id, deleted_ms: everything personal goes, the skeleton stays
    // Sessions. Times are UTC milliseconds.
    STORE_SESSION_INSERT,      // token_hash, account, created, seen, expires, idle_ms, remember
    STORE_SESSION_FIND,        // token_hash -> account, created, seen, expires, idle_ms, retired_ms
    STORE_SESSION_TOUCH,       // token_hash, seen
    STORE_SESSION_RETIRE,      // token_hash, retired_ms
    STORE_SESSION_DELETE,      // token_hash
    STORE_SESSIONS_END,        // account: all of it
    STORE_SESSIONS_END_OTHERS, // account, token_hash that stays
    STORE_SESSIONS_EXPIRE,     // now, limit: rows past their end
    STORE_SESSIONS_TRIM,       // account, count: the oldest beyond the newest count
    // Games of a player.
    STORE_PLAYER_COUNTS, // account -> games, wins, draws, losses
    STORE_PLAYER_GAMES,  // account, ended_ms, id (start below these), limit -> game rows with nicks
    STORE_QUERY_COUNT
} StoreQuery;

#endif
