// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opening and closing the store, and the doors through which other threads hand work to the commit
// thread.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "store/internal.h"

#define REPLAY_LAG 100000
#define CHECK_BYTES_MAX (INT64_C(64) << 20)
#define CHECKPOINT_PAGES 4000
#define RETRY_MS 50
#define LEASE_MS 3000

// ---- ids ----------------------------------------------------------------------------------------

bool store_id(JdStr text, StoreId *out) {
    if (text.size < 1 || text.size > STORE_ID_MAX)
        return false;
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] <= ' ' || text.data[i] > '~')
            return false;
    *out = (StoreId) { 0 };
    memcpy(out->text, text.data, text.size);
    return true;
}

JdStr store_id_str(const StoreId *id) {
    return jd_str(id->text);
}

// ---- opening ------------------------------------------------------------------------------------

// Signals are the business of the loop thread.
static bool start_thread(Store *store, JdErr *err) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(&store->thread, NULL, commit_thread, store);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    store->thread_runs = code == 0;
    return store->thread_runs ||
           jd_fail(err, STORE_MEMORY, 0, "the commit thread cannot be started: %s", strerror(code));
}

static bool open_all(Store *store, JdErr *err) {
    struct stat directory;
    const char *data_dir = store->config.data_dir;
    const bool is_needed = store->config.database == NULL || data_dir != NULL;
    if (is_needed && stat(data_dir, &directory) != 0)
        return jd_fail(err, STORE_IO, 0, "%s: %s", data_dir, strerror(errno));
    if (is_needed && !S_ISDIR(directory.st_mode))
        return jd_fail(err, STORE_IO, 0, "%s: not a directory", data_dir);
    if (store->config.node != NULL && !cluster_name_ok(store->config.node))
        return jd_fail(err, STORE_SQL, 0,
                       "a node's name has 1 to %d of A-Z, a-z, 0-9, \"-\", \"_\" and \".\"",
                       STORE_NODE_NAME_MAX);
    if (store->config.node != NULL && store->config.database == NULL)
        return jd_fail(err, STORE_SQL, 0, "nodes need a PostgreSQL database");
    if (!store->driver->open_site(store, err))
        return false;
    if (store->cluster != NULL) // everything comes as takings
        return start_thread(store, err) && cluster_start(store, err);
    return entities_load(&store->entities, &store->writer, NULL, err) && start_thread(store, err);
}

static void stop_threads(Store *store) {
    pthread_mutex_lock(&store->mutex);
    JD_ASSERT(store->readers == 0);
    store->closing = true;
    pthread_cond_signal(&store->wake);
    pthread_mutex_unlock(&store->mutex);
    if (store->thread_runs)
        pthread_join(store->thread, NULL);
    if (store->cluster != NULL)
        cluster_close(store);
}

static void free_spare(Store *store) {
    while (store->spare != NULL) {
        Submit *next = store->spare->next;
        free(store->spare);
        store->spare = next;
    }
}

static void release(Store *store) {
    free_spare(store);
    store->driver->close_site(store);
    while (store->adoptions != NULL) {
        Adoption *adoption = store->adoptions;
        store->adoptions = adoption->next;
        cluster_adoption_free(adoption);
    }
    free(store->cluster);
    entities_clear(&store->entities);
    pthread_cond_destroy(&store->wake);
    pthread_cond_destroy(&store->done);
    pthread_mutex_destroy(&store->mutex);
    free(store);
}

bool store_open(const StoreConfig *config, Store **out, JdErr *err) {
    Store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return jd_fail(err, STORE_MEMORY, 0, "no memory for the store");
    store->config = *config;
    store->driver = config->database != NULL ? &store_postgres : &store_sqlite;
    store->lock_fd = -1;
    store->next_ticket = 1;
    if (getrandom(&store->group_id, sizeof store->group_id, 0) != sizeof store->group_id)
        store->group_id = (uint64_t)monotonic_us();
    store->group_id >>= 2; // counts on from there and stays a positive number
    if (store->config.replay_lag == 0)
        store->config.replay_lag = REPLAY_LAG;
    if (store->config.check_bytes_max == 0)
        store->config.check_bytes_max = CHECK_BYTES_MAX;
    if (store->config.checkpoint_pages == 0)
        store->config.checkpoint_pages = CHECKPOINT_PAGES;
    if (store->config.retry_ms == 0)
        store->config.retry_ms = RETRY_MS;
    if (store->config.lease_ms == 0)
        store->config.lease_ms = LEASE_MS;
    const char *node = config->node;
    jd_format(store->group_key, sizeof store->group_key, "store.group%s%.32s",
              node != NULL ? "." : "", node != NULL ? node : "");
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&store->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_cond_init(&store->done, NULL);
    pthread_mutex_init(&store->mutex, NULL);
    if (!open_all(store, err)) {
        stop_threads(store);
        release(store);
        return false;
    }
    pthread_mutex_lock(&store->mutex);
    if (store->cluster == NULL)
        store->stats.open_entities = store->entities.count;
    pthread_mutex_unlock(&store->mutex);
    *out = store;
    return true;
}

bool store_close(Store *store, JdErr *err) {
    if (store == NULL)
        return true;
    stop_threads(store);
    const bool ok = !store->lost;
    if (!ok && err != NULL)
        *err = store->last_err;
    release(store);
    return ok;
}

// ---- submitting ---------------------------------------------------------------------------------

static bool is_event(const StoreWork *item) {
    return item->kind == STORE_LOG_EVENT || item->kind == STORE_RECORD_EVENT;
}

// The bytes an item points to, which the submit takes along; NULL: none.
static JdStr *body_of(StoreWork *item) {
    return is_event(item)                  ? &item->event.body
           : item->kind == STORE_CHAT_LINE ? &item->chat.text
                                           : NULL;
}

static size_t body_size(const StoreWork *item) {
    return is_event(item)                  ? item->event.body.size
           : item->kind == STORE_CHAT_LINE ? item->chat.text.size
                                           : 0;
}

static void check_item(const StoreWork *item) {
    JD_ASSERT(!is_event(item) || item->event.id.text[0] != '\0');
    JD_ASSERT(body_size(item) <= STORE_BODY_MAX);
}

// A block of at least that size: one that has been committed, while there are such (mutex held).
static Submit *take_block(Store *store, size_t size) {
    Submit *submit = size <= SUBMIT_SPARE_BYTES ? store->spare : NULL;
    if (submit == NULL)
        return NULL;
    store->spare = submit->next;
    store->spare_count--;
    return submit;
}

static Submit *copy_items(Store *store, const StoreWork *items, size_t count) {
    size_t size = sizeof(Submit) + count * sizeof *items;
    const size_t bodies = size;
    for (size_t i = 0; i < count; i++) {
        check_item(&items[i]);
        size += body_size(&items[i]);
    }
    pthread_mutex_lock(&store->mutex);
    Submit *submit = take_block(store, size);
    pthread_mutex_unlock(&store->mutex);
    if (submit == NULL)
        submit = malloc(size > SUBMIT_SPARE_BYTES ? size : SUBMIT_SPARE_BYTES);
    if (submit == NULL)
        return NULL;
    *submit = (Submit) { .bytes = size, .count = count };
    memcpy(submit->items, items, count * sizeof *items);
    char *at = (char *)submit + bodies;
    for (size_t i = 0; i < count; i++) {
        JdStr *body = body_of(&submit->items[i]);
        if (body == NULL || body->size == 0)
            continue;
        memcpy(at, body->data, body->size);
        body->data = at;
        at += body->size;
    }
    return submit;
}

uint64_t store_submit_quietly(Store *store, const StoreWork *items, size_t count) {
    JD_ASSERT(count >= 1 && count <= STORE_SUBMIT_MAX);
    Submit *submit = copy_items(store, items, count);
    if (submit == NULL)
        return 0;
    pthread_mutex_lock(&store->mutex);
    const bool taken = !store->closing && !store->fenced &&
                       store->queued_bytes + submit->bytes <= STORE_QUEUE_BYTES_MAX;
    uint64_t ticket = 0;
    if (taken) {
        ticket = submit->ticket = store->next_ticket++;
        *(store->last != NULL ? &store->last->next : &store->first) = submit;
        store->last = submit;
        store->queued_bytes += submit->bytes;
        store->stats.queued += (uint32_t)count;
    }
    pthread_mutex_unlock(&store->mutex);
    if (!taken)
        free(submit);
    return ticket;
}

void store_wake(Store *store) {
    pthread_mutex_lock(&store->mutex);
    if (store->first != NULL)
        pthread_cond_signal(&store->wake);
    pthread_mutex_unlock(&store->mutex);
}

uint64_t store_submit(Store *store, const StoreWork *items, size_t count) {
    const uint64_t ticket = store_submit_quietly(store, items, count);
    if (ticket != 0)
        store_wake(store);
    return ticket;
}

uint64_t store_durable_ticket(Store *store) {
    pthread_mutex_lock(&store->mutex);
    const uint64_t ticket = store->durable_ticket;
    pthread_mutex_unlock(&store->mutex);
    return ticket;
}

// ---- jobs ---------------------------------------------------------------------------------------

static bool may_write(const Store *store, JdErr *err) {
    if (store->closing)
        return jd_fail(err, STORE_CLOSING, 0, "the store is closing");
    if (store->stats.failing || store->fenced) {
        if (err != NULL)
            *err = store->last_err;
        return false;
    }
    return store->jobs_waiting < STORE_JOBS_MAX ||
           jd_fail(err, STORE_FULL, 0, "%d writes wait already", STORE_JOBS_MAX);
}

bool store_write(Store *store, StoreJob run, void *arg, JdErr *err) {
    JD_ASSERT(!pthread_equal(pthread_self(), store->thread));
    Job job = { .run = run, .arg = arg };
    pthread_mutex_lock(&store->mutex);
    const bool taken = may_write(store, err);
    if (taken) {
        *(store->last_job != NULL ? &store->last_job->next : &store->first_job) = &job;
        store->last_job = &job;
        store->jobs_waiting++;
        pthread_cond_signal(&store->wake);
        while (!job.done)
            pthread_cond_wait(&store->done, &store->mutex);
    }
    pthread_mutex_unlock(&store->mutex);
    if (taken && !job.ok && err != NULL)
        *err = job.err;
    return taken && job.ok;
}

// ---- watching -----------------------------------------------------------------------------------

void store_stats(Store *store, StoreStats *out) {
    pthread_mutex_lock(&store->mutex);
    *out = store->stats;
    pthread_mutex_unlock(&store->mutex);
}
