// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sessions (S-017): a random token in the browser's cookie, its hash in the database.
#include <string.h>

#include "pages/internal.h"

#define DAY_MS INT64_C(86400000)
#define LIFE_MS (30 * DAY_MS)           // of every session
#define IDLE_MS (7 * DAY_MS)            // of one that is not remembered
#define TOUCH_MS INT64_C(3600000)       // how exactly we know when a session was last seen
#define RETIRED_GRACE_MS INT64_C(60000) // requests under way when the new cookie came
#define EXPIRED_AT_ONCE 20              // old rows one log-in sweeps away

// ---- tokens -------------------------------------------------------------------------------------

bool token_hash(JdStr token, unsigned char out[TOKEN_HASH_SIZE]) {
    unsigned char bytes[TOKEN_BYTES];
    size_t size = 0;
    const bool ok = token.size == PAGES_TOKEN_TEXT &&
                    sodium_base642bin(bytes, sizeof bytes, token.data, token.size, NULL, &size,
                                      NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
                    size == TOKEN_BYTES;
    if (ok)
        crypto_generichash(out, TOKEN_HASH_SIZE, bytes, sizeof bytes, NULL, 0);
    sodium_memzero(bytes, sizeof bytes);
    return ok;
}

static JdStr hash_str(const unsigned char hash[TOKEN_HASH_SIZE]) {
    return jd_str_n((const char *)hash, TOKEN_HASH_SIZE);
}

void session_draw(NewSession *session, bool remember, JdInstant now) {
    _Static_assert(
        PAGES_TOKEN_TEXT + 1 ==
            sodium_base64_ENCODED_LEN(TOKEN_BYTES, sodium_base64_VARIANT_URLSAFE_NO_PADDING),
        "a token is 32 bytes in base64url");
    uint64_t device = 0;
    randombytes_buf(&device, sizeof device);
    *session = (NewSession) { .remember = remember,
                              .now = now,
                              .device = (int64_t)(device & ((UINT64_C(1) << 53) - 1)) };
    unsigned char bytes[TOKEN_BYTES];
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(session->token, sizeof session->token, bytes, sizeof bytes,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    crypto_generichash(session->hash, TOKEN_HASH_SIZE, bytes, sizeof bytes, NULL, 0);
    sodium_memzero(bytes, sizeof bytes);
}

int64_t session_max_age_s(const NewSession *session) {
    return session->remember ? LIFE_MS / 1000 : 0;
}

void session_out(PagesSession *out, const PagesMe *me, const NewSession *session) {
    *out = (PagesSession) { .me = *me, .max_age_s = session_max_age_s(session) };
    memcpy(out->token, session->token, sizeof out->token);
}

// ---- inside jobs --------------------------------------------------------------------------------

bool session_insert(StoreDb *db, const NewSession *session, int64_t account, JdErr *err) {
    StoreStmt *insert = store_query(db, STORE_SESSION_INSERT);
    store_bind_blob(insert, 1, hash_str(session->hash));
    store_bind_int(insert, 2, account);
    store_bind_int(insert, 3, session->now.ms);
    store_bind_int(insert, 4, session->now.ms + LIFE_MS);
    store_bind_int(insert, 5, session->remember ? 0 : IDLE_MS);
    store_bind_int(insert, 6, session->device);
    store_bind_text(insert, 7, jd_str(session->agent));
    if (!store_run(insert, NULL, err))
        return false;
    StoreStmt *trim = store_query(db, STORE_SESSIONS_TRIM);
    store_bind_int(trim, 1, account);
    store_bind_int(trim, 2, PAGES_SESSIONS_MAX);
    if (!store_run(trim, NULL, err))
        return false;
    StoreStmt *expire = store_query(db, STORE_SESSIONS_EXPIRE);
    store_bind_int(expire, 1, session->now.ms);
    store_bind_int(expire, 2, EXPIRED_AT_ONCE);
    return store_run(expire, NULL, err);
}

bool session_retire(StoreDb *db, JdStr token, JdInstant now, JdErr *err) {
    unsigned char hash[TOKEN_HASH_SIZE];
    if (!token_hash(token, hash))
        return true;
    StoreStmt *retire = store_query(db, STORE_SESSION_RETIRE);
    store_bind_blob(retire, 1, hash_str(hash));
    store_bind_int(retire, 2, now.ms);
    return store_run(retire, NULL, err);
}

typedef struct TokenJob {
    Pages *pages;
    unsigned char hash[TOKEN_HASH_SIZE];
    int64_t account;
    JdInstant now;
} TokenJob;

static bool delete_session(StoreDb *db, void *arg, JdErr *err) {
    const TokenJob *job = arg;
    StoreStmt *remove = store_query(db, STORE_SESSION_DELETE);
    store_bind_blob(remove, 1, hash_str(job->hash));
    return store_run(remove, NULL, err);
}

static bool touch_session(StoreDb *db, void *arg, JdErr *err) {
    const TokenJob *job = arg;
    StoreStmt *touch = store_query(db, STORE_SESSION_TOUCH);
    store_bind_blob(touch, 1, hash_str(job->hash));
    store_bind_int(touch, 2, job->now.ms);
    return store_run(touch, NULL, err);
}

static bool end_sessions(StoreDb *db, void *arg, JdErr *err) {
    const TokenJob *job = arg;
    StoreStmt *end = store_query(db, STORE_SESSIONS_END);
    store_bind_int(end, 1, job->account);
    return store_run(end, NULL, err) &&
           letter_stolen_session(job->pages, db, job->account, job->now, err);
}

// ---- services -----------------------------------------------------------------------------------

bool pages_logout(PagesWorker *worker, JdStr token, JdInstant now, PagesFault *fault) {
    TokenJob job = { .now = now };
    JdErr err = { 0 };
    if (!token_hash(token, job.hash))
        return true;
    return store_write(worker->pages->config.store, delete_session, &job, &err) ||
           refuse_store(fault, &err);
}

typedef struct Found {
    int64_t account;
    int64_t seen_ms;
    int64_t expires_ms;
    int64_t idle_ms;
    int64_t retired_ms;
    bool retired;
} Found;

static bool find_session(StoreDb *db, const unsigned char hash[TOKEN_HASH_SIZE], Found *out,
                         bool *found, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_SESSION_FIND);
    store_bind_blob(find, 1, hash_str(hash));
    const StoreStep step = store_step(find, err);
    *found = step == STORE_STEP_ROW;
    if (*found)
        *out = (Found) {
            .account = store_column_int(find, 0),
            .seen_ms = store_column_int(find, 1),
            .expires_ms = store_column_int(find, 2),
            .idle_ms = store_column_int(find, 3),
            .retired_ms = store_column_int(find, 4),
            .retired = !store_column_is_null(find, 4),
        };
    store_done(find);
    return step != STORE_STEP_FAILED;
}

bool pages_session(PagesWorker *worker, JdStr token, JdInstant now, PagesMe *out, bool *found,
                   PagesFault *fault) {
    Store *store = worker->pages->config.store;
    TokenJob job = { .pages = worker->pages, .now = now };
    JdErr err = { 0 };
    Found session;
    *found = false;
    if (!token_hash(token, job.hash))
        return true;
    bool known = false;
    if (!find_session(worker->db, job.hash, &session, &known, &err))
        return refuse_store(fault, &err);
    if (!known || now.ms >= session.expires_ms ||
        (session.idle_ms > 0 && now.ms - session.seen_ms >= session.idle_ms))
        return true;
    job.account = session.account;
    if (session.retired) {
        if (now.ms - session.retired_ms <= RETIRED_GRACE_MS)
            return true;
        *out = (PagesMe) { .account = session.account }; // whose connections must end too
        return store_write(store, end_sessions, &job, &err) || refuse_store(fault, &err);
    }
    // When it cannot be written now, it can an hour later.
    if (now.ms - session.seen_ms >= TOUCH_MS)
        (void)!store_write(store, touch_session, &job, NULL);
    Account account;
    if (!account_by_id(worker->db, session.account, &account, found, &err))
        return refuse_store(fault, &err);
    if (*found) {
        *out = account_me(worker->pages, &account);
        if (out->blocked_from_ms != 0 && now.ms >= out->blocked_until_ms)
            out->blocked_from_ms = out->blocked_until_ms = 0; // over
        if (!ratings_read(worker->db, out->account, &out->ratings, &err))
            return refuse_store(fault, &err);
    }
    sodium_memzero(account.hash, sizeof account.hash);
    return true;
}
