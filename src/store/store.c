// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opening and closing the store, and the doors through which other threads hand work to the commit
// thread.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/internal.h"

#define REPLAY_LAG 100000
#define CHECK_BYTES_MAX (INT64_C(64) << 20)
#define CHECKPOINT_PAGES 4000
#define RETRY_MS 50

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

// One process to a data directory. The lock goes with the process, however it ends.
static bool take_lock(Store *store, JdErr *err) {
    char path[520];
    snprintf(path, sizeof path, "%s/jadoube.lock", store->config.data_dir);
    store->lock_fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (store->lock_fd < 0)
        return jd_fail(err, STORE_IO, 0, "%s: cannot be opened: %s", path, strerror(errno));
    if (flock(store->lock_fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    const int cause = errno;
    close(store->lock_fd);
    store->lock_fd = -1;
    if (cause == EWOULDBLOCK)
        return jd_fail(err, STORE_IN_USE, 0, "%s: held by another process of this program",
                       store->config.data_dir);
    return jd_fail(err, STORE_IO, 0, "%s: cannot be locked: %s", path, strerror(cause));
}

static int on_wal(void *context, sqlite3 *handle, const char *name, int pages) {
    (void)handle;
    (void)name;
    ((Store *)context)->wal_pages = pages;
    return SQLITE_OK;
}

static bool check_wal_mode(StoreDb *db, JdErr *err) {
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(db->handle, "PRAGMA journal_mode = WAL", -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    bool ok = false;
    if (code != SQLITE_ROW)
        db_fail(db, code, db->path, err);
    else if (strcmp((const char *)sqlite3_column_text(stmt, 0), "wal") == 0)
        ok = true;
    else
        jd_fail(err, STORE_IO, 0, "%s: this file system cannot carry a write-ahead log", db->path);
    sqlite3_finalize(stmt);
    return ok;
}

static bool open_file(Store *store, JdErr *err) {
    const StoreConfig *config = &store->config;
    bool exists = false;
    if (!check_file(store->path, config->vfs, config->check_bytes_max, &exists, err))
        return false;
    if (!exists && !create_file(store, store->path, config->vfs, err))
        return false;
    if (!db_open(&store->writer, store, store->path, config->vfs, DB_WRITE, err))
        return false;
    sqlite3_wal_hook(store->writer.handle, on_wal, store);
    return check_wal_mode(&store->writer, err) && migrate(&store->writer, err) &&
           entities_load(&store->entities, &store->writer, err);
}

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
    if (stat(data_dir, &directory) != 0)
        return jd_fail(err, STORE_IO, 0, "%s: %s", data_dir, strerror(errno));
    if (!S_ISDIR(directory.st_mode))
        return jd_fail(err, STORE_IO, 0, "%s: not a directory", data_dir);
    const int size = snprintf(store->path, sizeof store->path, "%s/jadoube.db", data_dir);
    if (size < 0 || (size_t)size >= sizeof store->path)
        return jd_fail(err, STORE_IO, 0, "the path of the data directory is too long");
    return take_lock(store, err) && open_file(store, err) && start_thread(store, err);
}

static void release(Store *store) {
    db_close(&store->writer);
    entities_clear(&store->entities);
    if (store->lock_fd >= 0)
        close(store->lock_fd);
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
    store->lock_fd = -1;
    store->next_ticket = 1;
    if (store->config.replay_lag == 0)
        store->config.replay_lag = REPLAY_LAG;
    if (store->config.check_bytes_max == 0)
        store->config.check_bytes_max = CHECK_BYTES_MAX;
    if (store->config.checkpoint_pages == 0)
        store->config.checkpoint_pages = CHECKPOINT_PAGES;
    if (store->config.retry_ms == 0)
        store->config.retry_ms = RETRY_MS;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&store->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_cond_init(&store->done, NULL);
    pthread_mutex_init(&store->mutex, NULL);
    if (!open_all(store, err)) {
        release(store);
        return false;
    }
    store->stats.open_entities = store->entities.count;
    *out = store;
    return true;
}

bool store_close(Store *store, JdErr *err) {
    if (store == NULL)
        return true;
    pthread_mutex_lock(&store->mutex);
    JD_ASSERT(store->readers == 0);
    store->closing = true;
    pthread_cond_signal(&store->wake);
    pthread_mutex_unlock(&store->mutex);
    pthread_join(store->thread, NULL);
    const bool ok = !store->lost;
    if (!ok && err != NULL)
        *err = store->last_err;
    // Whatever is in the log is durable there; moving it into the file is a courtesy.
    sqlite3_wal_checkpoint_v2(store->writer.handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
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

static Submit *copy_items(const StoreWork *items, size_t count) {
    size_t size = sizeof(Submit) + count * sizeof *items;
    const size_t bodies = size;
    for (size_t i = 0; i < count; i++) {
        check_item(&items[i]);
        size += body_size(&items[i]);
    }
    Submit *submit = malloc(size);
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

uint64_t store_submit(Store *store, const StoreWork *items, size_t count) {
    JD_ASSERT(count >= 1 && count <= STORE_SUBMIT_MAX);
    Submit *submit = copy_items(items, count);
    if (submit == NULL)
        return 0;
    pthread_mutex_lock(&store->mutex);
    const bool taken =
        !store->closing && store->queued_bytes + submit->bytes <= STORE_QUEUE_BYTES_MAX;
    uint64_t ticket = 0;
    if (taken) {
        ticket = submit->ticket = store->next_ticket++;
        *(store->last != NULL ? &store->last->next : &store->first) = submit;
        store->last = submit;
        store->queued_bytes += submit->bytes;
        store->stats.queued += (uint32_t)count;
        pthread_cond_signal(&store->wake);
    }
    pthread_mutex_unlock(&store->mutex);
    if (!taken)
        free(submit);
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
    if (store->stats.failing) {
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
