// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commit thread: takes whatever waits, makes it durable in one transaction, says so, and
// checkpoints. There is no timer: while one group is being written the next one gathers by itself.
#include <stdlib.h>
#include <time.h>

#include "store/internal.h"

#define RETRY_MOST 20 // times the first wait
// Entities moved out of the log's tail by one commit, so that none takes long.
#define RECORDED_AT_ONCE 32

// What one transaction holds.
typedef struct Group {
    Submit *submits;
    Submit *last_submit;
    size_t items;
    Job *jobs;
} Group;

int64_t monotonic_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

// ---- taking work (mutex held) -------------------------------------------------------------------

// As many whole submits as STORE_GROUP_MAX items allow, and every job.
static Group take_group(Store *store) {
    Group group = { .submits = store->first, .jobs = store->first_job };
    store->first_job = store->last_job = NULL;
    store->jobs_waiting = 0;
    while (store->first != NULL && group.items + store->first->count <= STORE_GROUP_MAX) {
        group.items += store->first->count;
        group.last_submit = store->first;
        store->queued_bytes -= store->first->bytes;
        store->first = store->first->next;
    }
    if (store->first == NULL)
        store->last = NULL;
    if (group.last_submit != NULL)
        group.last_submit->next = NULL;
    else
        group.submits = NULL;
    store->stats.queued -= (uint32_t)group.items;
    return group;
}

// Blocks of the usual size are kept for the next submits.
static void free_submits(Store *store, Submit *submit) {
    while (submit != NULL) {
        Submit *next = submit->next;
        if (submit->bytes <= SUBMIT_SPARE_BYTES && store->spare_count < SUBMIT_SPARE_MAX) {
            submit->next = store->spare;
            store->spare = submit;
            store->spare_count++;
        } else {
            free(submit);
        }
        submit = next;
    }
}

// ---- one transaction ----------------------------------------------------------------------------

static bool transaction_lost(StoreDb *db) {
    return !db->driver->in_transaction(db);
}

// A job that fails is undone alone. False only when the whole transaction is gone with it.
static bool run_job(StoreDb *db, Job *job, JdErr *err) {
    if (!db_exec(db, "SAVEPOINT job", err))
        return false;
    job->err = (JdErr) { 0 };
    job->ok = job->run(db, job->arg, &job->err);
    if (transaction_lost(db)) { // a full disk can do that inside any statement
        *err = job->err;
        return err->code != 0 ? false
                              : jd_fail(err, STORE_IO, 0, "the transaction was rolled back");
    }
    if (!job->ok && !db_exec(db, "ROLLBACK TO job", err))
        return false;
    return db_exec(db, "RELEASE job", err);
}

static bool apply_group(Store *store, const Group *group, JdErr *err) {
    StoreDb *db = &store->writer;
    if (!store->driver->pipeline(db, true, err))
        return false;
    for (const Submit *submit = group->submits; submit != NULL; submit = submit->next)
        for (size_t i = 0; i < submit->count; i++)
            if (!log_apply(db, &store->entities, &submit->items[i], err))
                return false;
    if (!store->driver->pipeline(db, false, err))
        return false;
    for (Job *job = group->jobs; job != NULL; job = job->next)
        if (!run_job(db, job, err))
            return false;
    int moved;
    return log_record_old(db, &store->entities, store->config.replay_lag, RECORDED_AT_ONCE, &moved,
                          err);
}

static DbCommit run_group(Store *store, const Group *group, JdErr *err) {
    StoreDb *db = &store->writer;
    if (!store->driver->revive(db, err))
        return DB_UNDONE;
    if (store->entities_stale && !entities_load(&store->entities, db, err))
        return DB_UNDONE;
    store->entities_stale = false;
    store->group_id++;
    if (!store->driver->begin(db, err))
        return DB_UNDONE;
    const DbCommit end =
        apply_group(store, group, err) ? store->driver->commit(db, err) : DB_UNDONE;
    if (end == DB_UNDONE) {
        store->driver->rollback(db);
        store->entities_stale = true; // it may have run ahead of the database
    }
    return end;
}

// The connection broke while the commit was under way: only the database knows what became of it.
static DbCommit settle(Store *store, JdErr *err) {
    StoreDb *db = &store->writer;
    bool committed = false;
    if (!store->driver->revive(db, err) ||
        !store->driver->was_committed(db, (int64_t)store->group_id, &committed, err))
        return DB_UNKNOWN;
    if (committed)
        return DB_COMMITTED;
    store->entities_stale = true;
    jd_fail(err, STORE_IO, 0, "%s: the connection broke before the commit", db->path);
    return DB_UNDONE;
}

// ---- telling ------------------------------------------------------------------------------------

const uint32_t store_commit_ends_us[STORE_COMMIT_BUCKETS] = { 500,    1000,   2000,    5000,
                                                              10000,  20000,  50000,   100000,
                                                              250000, 500000, 1000000, 5000000 };

static int bucket_of(int64_t us) {
    int bucket = 0;
    while (bucket < STORE_COMMIT_BUCKETS && us > (int64_t)store_commit_ends_us[bucket])
        bucket++;
    return bucket;
}

// Jobs are told only what is known.
static void note_group(Store *store, const Group *group, bool ok, bool tell_jobs, int64_t took_us,
                       const JdErr *err) {
    StoreStats *stats = &store->stats;
    pthread_mutex_lock(&store->mutex);
    if (ok) {
        stats->groups++;
        for (const Submit *submit = group->submits; submit != NULL; submit = submit->next)
            for (size_t i = 0; i < submit->count; i++)
                stats->events += submit->items[i].kind == STORE_LOG_EVENT;
        if (group->items > stats->largest_group)
            stats->largest_group = (uint32_t)group->items;
        if (group->last_submit != NULL)
            store->durable_ticket = group->last_submit->ticket;
        stats->commit_us_sum += (uint64_t)took_us;
        stats->commit_buckets[bucket_of(took_us)]++;
        if ((uint64_t)took_us > stats->commit_us_max)
            stats->commit_us_max = (uint64_t)took_us;
        stats->wal_pages = (uint32_t)store->wal_pages;
        stats->open_entities = store->entities.count;
    } else {
        stats->failures++;
        store->last_err = *err;
    }
    // A group of jobs alone is not tried again: those who asked were told.
    stats->failing = !ok && (group->submits != NULL || !tell_jobs);
    for (Job *job = tell_jobs ? group->jobs : NULL, *next; job != NULL; job = next) {
        next = job->next; // the job is gone as soon as its thread sees `done`
        if (!ok) {
            job->ok = false;
            job->err = *err;
        }
        stats->jobs += job->ok;
        job->done = true;
    }
    pthread_cond_broadcast(&store->done);
    pthread_mutex_unlock(&store->mutex);
}

static void say(const Store *store, uint64_t ticket, bool ok, const JdErr *err) {
    if (store->config.on_durable != NULL)
        store->config.on_durable(store->config.context, ticket, ok, err);
}

void store_found_again(Store *store) {
    pthread_mutex_lock(&store->mutex);
    store->found_again = store->stats.failing;
    pthread_cond_signal(&store->wake);
    pthread_mutex_unlock(&store->mutex);
}

// Waits before the next try; false when the store began to close before this try already.
static bool wait_to_retry(Store *store, bool last_try, int64_t delay_ms) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(delay_ms / 1000);
    until.tv_nsec += (delay_ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&store->mutex);
    int code = 0;
    while (!last_try && !store->closing && !store->found_again && code == 0)
        code = pthread_cond_timedwait(&store->wake, &store->mutex, &until);
    store->found_again = false;
    pthread_mutex_unlock(&store->mutex);
    return !last_try;
}

static bool is_closing(Store *store) {
    pthread_mutex_lock(&store->mutex);
    const bool closing = store->closing;
    pthread_mutex_unlock(&store->mutex);
    return closing;
}

// Commits one group, however often that has to be tried. False when it was given up for good.
static bool commit_group(Store *store, Group *group) {
    const uint64_t ticket = group->last_submit != NULL ? group->last_submit->ticket : 0;
    bool told = false;
    DbCommit end = DB_UNDONE;
    const int64_t most_ms = (int64_t)store->config.retry_ms * RETRY_MOST;
    for (int64_t delay_ms = store->config.retry_ms;;
         delay_ms = delay_ms * 2 < most_ms ? delay_ms * 2 : most_ms) {
        const bool last_try = is_closing(store);
        JdErr err = { 0 };
        const int64_t start = monotonic_us();
        end = end == DB_UNKNOWN ? settle(store, &err) : run_group(store, group, &err);
        const bool ok = end == DB_COMMITTED;
        const bool is_known = end != DB_UNKNOWN || last_try;
        note_group(store, group, ok, is_known, monotonic_us() - start, &err);
        if (is_known)
            group->jobs = NULL;
        if (group->submits == NULL && is_known)
            return true;
        if (group->submits != NULL && (ok || !told))
            say(store, ticket, ok, ok ? NULL : &err);
        told = true;
        if (ok || !wait_to_retry(store, last_try, delay_ms)) {
            pthread_mutex_lock(&store->mutex);
            free_submits(store, group->submits);
            pthread_mutex_unlock(&store->mutex);
            return ok;
        }
    }
}

// ---- the thread ---------------------------------------------------------------------------------

// Everything that still waits is lost: the last try has failed.
static void give_up(Store *store) {
    store->lost = true;
    free_submits(store, store->first);
    store->first = store->last = NULL;
    for (Job *job = store->first_job, *next; job != NULL; job = next) {
        next = job->next;
        job->err = store->last_err;
        job->ok = false;
        job->done = true;
    }
    store->first_job = store->last_job = NULL;
    pthread_cond_broadcast(&store->done);
}

void *commit_thread(void *context) {
    Store *store = context;
    pthread_mutex_lock(&store->mutex);
    for (;;) {
        while (store->first == NULL && store->first_job == NULL && !store->closing)
            pthread_cond_wait(&store->wake, &store->mutex);
        if (store->first == NULL && store->first_job == NULL)
            break;
        Group group = take_group(store);
        pthread_mutex_unlock(&store->mutex);
        const bool committed = commit_group(store, &group);
        if (committed)
            store->driver->after_commit(store);
        pthread_mutex_lock(&store->mutex);
        if (!committed) {
            give_up(store);
            break;
        }
    }
    pthread_mutex_unlock(&store->mutex);
    return NULL;
}
