// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whom one does not want to deal with.
#include <string.h>

#include "pages/internal.h"

bool pages_ignored(PagesWorker *worker, int64_t account, int64_t out[PAGES_IGNORED_MAX],
                   size_t *count, PagesFault *fault) {
    StoreStmt *find = store_query(worker->db, STORE_BLOCKS_OF);
    store_bind_int(find, 1, account);
    JdErr err = { 0 };
    StoreStep step;
    *count = 0;
    while ((step = store_step(find, &err)) == STORE_STEP_ROW && *count < PAGES_IGNORED_MAX)
        out[(*count)++] = store_column_int(find, 0);
    store_done(find);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}

bool pages_ignored_list(PagesWorker *worker, int64_t account, PagesIgnoredList *out,
                        PagesFault *fault) {
    StoreStmt *find = store_query(worker->db, STORE_BLOCKS_OF);
    store_bind_int(find, 1, account);
    JdErr err = { 0 };
    StoreStep step;
    *out = (PagesIgnoredList) { .count = 0 };
    while ((step = store_step(find, &err)) == STORE_STEP_ROW && out->count < PAGES_IGNORED_MAX) {
        if (store_column_is_null(find, 1))
            continue; // a former player
        PagesIgnored *block = &out->list[out->count++];
        copy_text(block->nick, sizeof block->nick, store_column_text(find, 1));
        block->created_ms = store_column_int(find, 2);
    }
    store_done(find);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}

typedef struct BlockJob {
    int64_t account;
    int64_t other;
    JdInstant now;
    bool remove;
    bool full;
    int64_t changed;
} BlockJob;

static bool block_job(StoreDb *db, void *arg, JdErr *err) {
    BlockJob *job = arg;
    if (job->remove) {
        StoreStmt *remove = store_query(db, STORE_BLOCK_DELETE);
        store_bind_int(remove, 1, job->account);
        store_bind_int(remove, 2, job->other);
        return store_run(remove, &job->changed, err);
    }
    StoreStmt *count = store_query(db, STORE_BLOCKS_COUNT);
    store_bind_int(count, 1, job->account);
    const StoreStep step = store_step(count, err);
    job->full = step == STORE_STEP_ROW && store_column_int(count, 0) >= PAGES_IGNORED_MAX;
    store_done(count);
    if (step == STORE_STEP_FAILED || job->full)
        return step != STORE_STEP_FAILED;
    StoreStmt *insert = store_query(db, STORE_BLOCK_INSERT);
    store_bind_int(insert, 1, job->account);
    store_bind_int(insert, 2, job->other);
    store_bind_int(insert, 3, job->now.ms);
    return store_run(insert, NULL, err);
}

bool pages_ignore(PagesWorker *worker, int64_t account, JdStr nick, bool remove, JdInstant now,
                  PagesFault *fault) {
    char skeleton[PAGES_SKELETON_SIZE];
    Account other = { 0 };
    bool found = false;
    JdErr err = { 0 };
    if (!check_text(nick, "nick", 1024, &err))
        return refuse_as(fault, &err, "nick");
    if (pages_nick_skeleton(nick, skeleton) &&
        !account_by_skeleton(worker->db, skeleton, &other, &found, &err))
        return refuse_store(fault, &err);
    sodium_memzero(other.hash, sizeof other.hash);
    if (!found)
        return refuse(fault, PAGES_NOT_FOUND, "nick", "no such player");
    if (other.me.account == account)
        return refuse(fault, PAGES_BAD_REQUEST, "nick", "nobody blocks himself");
    BlockJob job = { .account = account, .other = other.me.account, .now = now, .remove = remove };
    if (!store_write(worker->pages->config.store, block_job, &job, &err))
        return refuse_store(fault, &err);
    if (job.full)
        return refuse(fault, PAGES_TOO_MANY_BLOCKS, "nick", "at most %d", PAGES_IGNORED_MAX);
    return !remove || job.changed > 0 ||
           refuse(fault, PAGES_NOT_FOUND, "nick", "this player is not blocked");
}
