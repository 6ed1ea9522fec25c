// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pool of worker threads.
#include "net/workers.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

typedef struct Thread {
    pthread_t thread;
    NetWorkerKit kit;
    NetWorkers *pool;
} Thread;

typedef struct Queue {
    NetJob *first;
    NetJob *last;
} Queue;

struct NetWorkers {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    Queue todo;
    Queue heavy;
    int heavy_running;
    Queue finished;
    size_t pending; // loop thread only
    bool closing;
    int count;
    int started;
    uv_async_t back;
    Thread threads[NET_WORKERS_MAX];
};

static void put(Queue *queue, NetJob *job) {
    job->next = NULL;
    if (queue->last != NULL)
        queue->last->next = job;
    else
        queue->first = job;
    queue->last = job;
}

static NetJob *take(Queue *queue) {
    NetJob *job = queue->first;
    if (job != NULL) {
        queue->first = job->next;
        if (queue->first == NULL)
            queue->last = NULL;
    }
    return job;
}

// The next job this thread may take. A tenth of a second of hashing must not stand before a page
// that takes a millisecond, so one thread never hashes.
static NetJob *next_job(NetWorkers *pool) {
    NetJob *job = take(&pool->todo);
    if (job == NULL && (pool->heavy_running < pool->count - 1 || pool->count == 1))
        job = take(&pool->heavy);
    if (job != NULL && job->heavy)
        pool->heavy_running++;
    return job;
}

static void *work(void *argument) {
    Thread *self = argument;
    NetWorkers *pool = self->pool;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        NetJob *job = NULL;
        while (!pool->closing && (job = next_job(pool)) == NULL)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (job == NULL)
            break;
        pthread_mutex_unlock(&pool->lock);
        job->run(job, &self->kit);
        job->ran = true;
        pthread_mutex_lock(&pool->lock);
        if (job->heavy) {
            pool->heavy_running--;
            pthread_cond_signal(&pool->wake); // another heavy one may wait for this place
        }
        put(&pool->finished, job);
        uv_async_send(&pool->back);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void finish_all(NetWorkers *pool) {
    pthread_mutex_lock(&pool->lock);
    NetJob *job = pool->finished.first;
    pool->finished = (Queue) { NULL, NULL };
    pthread_mutex_unlock(&pool->lock);
    while (job != NULL) {
        NetJob *next = job->next;
        pool->pending--;
        job->done(job);
        job = next;
    }
}

static void on_back(uv_async_t *handle) {
    finish_all(handle->data);
}

static void close_kits(NetWorkers *pool) {
    for (int i = 0; i < pool->count; i++) {
        pages_worker_close(pool->threads[i].kit.pages);
        store_reader_close(pool->threads[i].kit.db);
    }
}

bool net_workers_open(uv_loop_t *loop, Pages *pages, Store *store, int count, NetWorkers **out,
                      JdErr *err) {
    JD_ASSERT(count > 0 && count <= NET_WORKERS_MAX);
    NetWorkers *pool = calloc(1, sizeof(*pool));
    if (pool == NULL)
        return jd_fail(err, 1, 0, "no memory for the worker threads");
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    uv_async_init(loop, &pool->back, on_back);
    pool->back.data = pool;
    *out = pool;
    for (int i = 0; i < count; i++) {
        NetWorkerKit *kit = &pool->threads[i].kit;
        pool->threads[i].pool = pool;
        pool->count = i + 1;
        if (!pages_worker_open(pages, &kit->pages, err) || !store_reader_open(store, &kit->db, err))
            return false;
    }
    // Signals are the loop's business.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < count; i++) {
        if (pthread_create(&pool->threads[i].thread, NULL, work, &pool->threads[i]) != 0)
            break;
        pool->started = i + 1;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pool->started < count)
        return jd_fail(err, 1, 0, "cannot start a worker thread");
    return true;
}

bool net_workers_push(NetWorkers *pool, NetJob *job) {
    if (pool->pending >= NET_JOBS_MAX || pool->closing)
        return false;
    job->ran = false;
    pool->pending++;
    pthread_mutex_lock(&pool->lock);
    put(job->heavy ? &pool->heavy : &pool->todo, job);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    return true;
}

size_t net_workers_pending(const NetWorkers *pool) {
    return pool->pending;
}

void net_workers_close(NetWorkers *pool) {
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->started; i++)
        pthread_join(pool->threads[i].thread, NULL);
    for (NetJob *job = take(&pool->todo); job != NULL; job = take(&pool->todo))
        put(&pool->finished, job);
    for (NetJob *job = take(&pool->heavy); job != NULL; job = take(&pool->heavy))
        put(&pool->finished, job);
    finish_all(pool);
    close_kits(pool);
    uv_close((uv_handle_t *)&pool->back, NULL);
}

void net_workers_free(NetWorkers *pool) {
    if (pool == NULL)
        return;
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
