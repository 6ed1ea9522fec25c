// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/bell.h"

#include "pages/internal.h"

bool pages_bell(PagesWorker *worker, int64_t account, PagesBell *out, PagesFault *fault) {
    JdErr err = { 0 };
    *out = (PagesBell) { .count = 0 };
    StoreStmt *seen = store_query(worker->db, STORE_BELL_SEEN);
    store_bind_int(seen, 1, account);
    StoreStep step = store_step(seen, &err);
    if (step == STORE_STEP_ROW)
        out->seen_ms = store_column_int(seen, 0);
    store_done(seen);
    if (step == STORE_STEP_FAILED)
        return refuse_store(fault, &err);
    StoreStmt *find = store_query(worker->db, STORE_BELL_OF);
    store_bind_int(find, 1, account);
    store_bind_int(find, 2, PAGES_BELL_SHOWN);
    while ((step = store_step(find, &err)) == STORE_STEP_ROW && out->count < PAGES_BELL_SHOWN) {
        PagesBellRow *row = &out->list[out->count++];
        copy_text(row->kind, sizeof row->kind, store_column_text(find, 0));
        if (!store_column_is_null(find, 1))
            copy_text(row->nick, sizeof row->nick, store_column_text(find, 1));
        copy_text(row->ref, sizeof row->ref, store_column_text(find, 2));
        row->at_ms = store_column_int(find, 3);
    }
    store_done(find);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}

typedef struct SeenJob {
    int64_t account;
    int64_t at_ms;
} SeenJob;

static bool seen_job(StoreDb *db, void *arg, JdErr *err) {
    const SeenJob *job = arg;
    StoreStmt *put = store_query(db, STORE_BELL_SEEN_PUT);
    store_bind_int(put, 1, job->account);
    store_bind_int(put, 2, job->at_ms);
    return store_run(put, NULL, err);
}

bool pages_bell_seen(PagesWorker *worker, int64_t account, int64_t at_ms, PagesFault *fault) {
    SeenJob job = { account, at_ms };
    JdErr err = { 0 };
    return store_write(worker->pages->config.store, seen_job, &job, &err) ||
           refuse_store(fault, &err);
}

bool bell_add(StoreDb *db, int64_t account, const char *kind, int64_t other, JdInstant now,
              bool *rang, JdErr *err) {
    int64_t added = 0;
    StoreStmt *put = store_query(db, STORE_BELL_INSERT);
    store_bind_int(put, 1, account);
    store_bind_text(put, 2, jd_str(kind));
    store_bind_int(put, 3, other);
    store_bind_text(put, 4, JD_STR(""));
    store_bind_int(put, 5, now.ms);
    store_bind_int(put, 6, 0);
    if (!store_run(put, &added, err))
        return false;
    *rang = added > 0;
    StoreStmt *trim = store_query(db, STORE_BELL_TRIM);
    store_bind_int(trim, 1, account);
    store_bind_int(trim, 2, STORE_BELL_MAX);
    return store_run(trim, NULL, err);
}

bool bell_erase(StoreDb *db, int64_t account, JdErr *err) {
    static const StoreQuery forget[] = { STORE_BELL_FORGET, STORE_BELL_SEEN_FORGET };
    for (size_t i = 0; i < JD_COUNT(forget); i++) {
        StoreStmt *stmt = store_query(db, forget[i]);
        store_bind_int(stmt, 1, account);
        if (!store_run(stmt, NULL, err))
            return false;
    }
    return true;
}
