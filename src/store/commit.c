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
// Between two questions whether it is this node's turn to run jobs.
#define TURN_US 5000
// A group that the database undid because another one was in its way is tried again at once so
// often.
#define COLLISIONS_MAX 10

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
    Group group = { .submits = store->first };
    if (monotonic_us() >= store->turn_after_us) {
        group.jobs = store->first_job;
        store->first_job = store->last_job = NULL;
        store->jobs_waiting = 0;
    }
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

// It is another node's turn: they wait at the head of the queue.
static void give_back_jobs(Store *store, Group *group) {
    pthread_mutex_lock(&store->mutex);
    store->stats.turns++;
    store->turn_after_us = monotonic_us() + TURN_US;
    Job *last = group->jobs;
    for (uint32_t count = 1; last != NULL; last = last->next, count++) {
        if (last->next != NULL)
            continue;
        last->next = store->first_job;
        store->first_job = group->jobs;
        if (store->last_job == NULL)
            store->last_job = last;
        store->jobs_waiting += count;
        break;
    }
    group->jobs = NULL;
    pthread_mutex_unlock(&store->mutex);
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

// One more than the last arrival of the log, as far as is known here.
static int64_t log_end(Store *store) {
    int64_t end = store->entities.next_arrival;
    if (store->cluster != NULL) {
        pthread_mutex_lock(&store->mutex);
        end = store->log_end;
        pthread_mutex_unlock(&store->mutex);
    }
    return end;
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
    return log_record_old(db, &store->entities, log_end(store) - store->config.replay_lag,
                          RECORDED_AT_ONCE, &moved, err);
}

static bool reload(Store *store, JdErr *err) {
    const bool is_node = store->cluster != NULL;
    if (!entities_load(&store->entities, &store->writer, is_node ? &store->mine : NULL, err))
        return false;
    if (is_node) // the next arrivals are of a new block
        store->entities.next_arrival = store->entities.block_end = 0;
    store->entities_stale = false;
    return true;
}

// What the transaction was to change in memory has not come about.
static void note_undone(Store *store) {
    store->entities_stale = true; // it may have run ahead of the database
    store->mine = store->mine_before;
    store->leaving = store->leaving_before;
}

static bool has_ruling(const Group *group) {
    for (const Submit *submit = group->submits; submit != NULL; submit = submit->next)
        for (size_t i = 0; i < submit->count; i++)
            if (submit->items[i].kind == STORE_RECORD_EVENT)
                return true;
    return false;
}

// Jobs, and rulings on games whose ratings they settle, are run by one node after the other. Play
// does not wait for them. *is_turn false: there is nothing to be done now.
static bool begin_group(Store *store, Group *group, bool *is_turn, JdErr *err) {
    *is_turn = true;
    if (store->cluster == NULL)
        return store->driver->begin(&store->writer, err);
    const bool ruling = has_ruling(group);
    bool has_turn = false;
    if (!cluster_begin(store, ruling || group->jobs != NULL, &has_turn, err))
        return false;
    if (has_turn)
        return true;
    if (group->jobs != NULL)
        give_back_jobs(store, group);
    *is_turn = group->submits != NULL && !ruling;
    if (!*is_turn)
        store->driver->rollback(&store->writer);
    return true;
}

static DbCommit run_group(Store *store, Group *group, JdErr *err) {
    StoreDb *db = &store->writer;
    bool is_turn = false;
    store->mine_before = store->mine;
    store->leaving_before = store->leaving;
    db->collided = false;
    if (!store->driver->revive(db, err) || (store->entities_stale && !reload(store, err)))
        return DB_UNDONE;
    store->group_id++;
    if (!begin_group(store, group, &is_turn, err))
        return DB_UNDONE;
    if (!is_turn)
        return DB_POSTPONED;
    const DbCommit end =
        apply_group(store, group, err) ? store->driver->commit(db, err) : DB_UNDONE;
    if (end == DB_UNDONE) {
        store->driver->rollback(db);
        note_undone(store);
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
    note_undone(store);
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

// Those of a group that will not be tried again with it.
static void fail_jobs(Store *store, Group *group, const JdErr *err) {
    pthread_mutex_lock(&store->mutex);
    for (Job *job = group->jobs, *next; job != NULL; job = next) {
        next = job->next;
        job->ok = false;
        job->err = *err;
        job->done = true;
    }
    store->stats.collided++;
    pthread_cond_broadcast(&store->done);
    pthread_mutex_unlock(&store->mutex);
    group->jobs = NULL;
}

// Another node's turn, or another transaction was in the way: the group is as it was, and nobody
// need be told. False: it is to be told, or there is nothing left of it.
static bool try_again_quietly(Store *store, Group *group, DbCommit end, int *collisions,
                              const JdErr *err) {
    if (end == DB_POSTPONED) {
        if (group->submits != NULL)
            nanosleep(&(struct timespec) { .tv_nsec = TURN_US * 1000L }, NULL);
        return group->submits != NULL;
    }
    if (end != DB_UNDONE || !store->writer.collided || group->submits == NULL ||
        ++*collisions > COLLISIONS_MAX)
        return false;
    fail_jobs(store, group, err);
    return true;
}

// Commits one group, however often that has to be tried. False when it was given up for good.
static bool commit_group(Store *store, Group *group) {
    const uint64_t ticket = group->last_submit != NULL ? group->last_submit->ticket : 0;
    bool told = false;
    DbCommit end = DB_UNDONE;
    int collisions = 0;
    const int64_t most_ms = (int64_t)store->config.retry_ms * RETRY_MOST;
    for (int64_t delay_ms = store->config.retry_ms;;
         delay_ms = delay_ms * 2 < most_ms ? delay_ms * 2 : most_ms) {
        const bool last_try = is_closing(store);
        JdErr err = { 0 };
        const int64_t start = monotonic_us();
        end = end == DB_UNKNOWN ? settle(store, &err) : run_group(store, group, &err);
        if (try_again_quietly(store, group, end, &collisions, &err))
            continue;
        if (end == DB_POSTPONED)
            return true;
        const bool ok = end == DB_COMMITTED;
        const bool is_fenced = !ok && err.code == STORE_FENCED;
        const bool is_known = end != DB_UNKNOWN || last_try || is_fenced;
        note_group(store, group, ok, is_known, monotonic_us() - start, &err);
        if (is_known)
            group->jobs = NULL;
        if (is_fenced)
            cluster_fence(store, &err);
        if (group->submits == NULL && is_known)
            return true;
        if (group->submits != NULL && (ok || is_fenced || !told))
            say(store, ticket, ok, ok ? NULL : &err);
        told = true;
        if (ok || is_fenced || !wait_to_retry(store, last_try, delay_ms)) {
            pthread_mutex_lock(&store->mutex);
            free_submits(store, group->submits);
            pthread_mutex_unlock(&store->mutex);
            return ok;
        }
    }
}

// ---- the thread ---------------------------------------------------------------------------------

// Everything that still waits is lost: the last try has failed, or the node is over. Mutex held.
static void give_up(Store *store) {
    store->lost |= store->first != NULL;
    free_submits(store, store->first);
    store->first = store->last = NULL;
    store->queued_bytes = 0;
    store->stats.queued = 0;
    for (Job *job = store->first_job, *next; job != NULL; job = next) {
        next = job->next;
        job->err = store->last_err;
        job->ok = false;
        job->done = true;
    }
    store->first_job = store->last_job = NULL;
    store->jobs_waiting = 0;
    pthread_cond_broadcast(&store->done);
}

static void give_up_fenced(Store *store) {
    const uint64_t ticket = store->last != NULL ? store->last->ticket : 0;
    give_up(store);
    if (ticket == 0)
        return;
    const JdErr err = store->last_err;
    pthread_mutex_unlock(&store->mutex);
    say(store, ticket, false, &err);
    pthread_mutex_lock(&store->mutex);
}

// Old events of a node that has little to write must leave the log's tail because of what the
// others write. Once for each time the end of the log was heard of.
static bool records_due(Store *store) {
    const Entity *oldest = store->entities.oldest;
    return store->cluster != NULL && oldest != NULL && !store->fenced &&
           store->log_end > store->recorded_to &&
           store->log_end - oldest->arrivals[0] > (int64_t)store->config.replay_lag;
}

// Waits for something to do; false: there is nothing, and the store closes. Mutex held.
static bool wait_for_work(Store *store) {
    for (;;) {
        if (store->first != NULL || store->adoptions != NULL || records_due(store))
            return true;
        const int64_t until_us = store->turn_after_us;
        if (store->first_job != NULL && (monotonic_us() >= until_us || store->fenced))
            return true;
        if (store->first_job == NULL && store->closing)
            return false;
        const struct timespec until = { .tv_sec = (time_t)(until_us / 1000000),
                                        .tv_nsec = (until_us % 1000000) * 1000 };
        if (store->first_job != NULL)
            pthread_cond_timedwait(&store->wake, &store->mutex, &until);
        else
            pthread_cond_wait(&store->wake, &store->mutex);
    }
}

// Mutex held, and given up meanwhile.
static void take_adoptions(Store *store) {
    Adoption *adoption = store->adoptions;
    store->adoptions = NULL;
    pthread_mutex_unlock(&store->mutex);
    while (adoption != NULL) {
        Adoption *next = adoption->next;
        cluster_adopt(store, adoption);
        adoption = next;
    }
    pthread_mutex_lock(&store->mutex);
}

void *commit_thread(void *context) {
    Store *store = context;
    pthread_mutex_lock(&store->mutex);
    while (wait_for_work(store)) {
        if (store->adoptions != NULL)
            take_adoptions(store);
        if (store->fenced) {
            give_up_fenced(store);
            continue;
        }
        if (store->first == NULL && store->first_job == NULL && !records_due(store))
            continue;
        Group group = take_group(store);
        store->recorded_to = store->log_end;
        pthread_mutex_unlock(&store->mutex);
        const bool committed = commit_group(store, &group);
        if (committed)
            store->driver->after_commit(store);
        pthread_mutex_lock(&store->mutex);
        if (!committed && !store->fenced) {
            store->lost = true;
            give_up(store);
            break;
        }
        store->lost |= !committed;
    }
    pthread_mutex_unlock(&store->mutex);
    return NULL;
}
