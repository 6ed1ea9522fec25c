// SPDX-License-Identifier: GPL-3.0-or-later
//
// A few threads for what blocks (database, password hashes), and the way back to the loop.
#ifndef JADOUBE_NET_WORKERS_H
#define JADOUBE_NET_WORKERS_H

#include <uv.h>

#include <jadoube/base.h>

#include "pages/pages.h"
#include "store/store.h"

#define NET_WORKERS_MAX 8
// Jobs that may wait; past it a request is answered "unavailable".
#define NET_JOBS_MAX 1024

// What a worker thread owns.
typedef struct NetWorkerKit {
    PagesWorker *pages;
    StoreDb *db;
} NetWorkerKit;

// A job: run on a worker, then done on the loop. Embedded as the first member of the caller's
// struct.
typedef struct NetJob {
    struct NetJob *next;
    void (*run)(struct NetJob *job, NetWorkerKit *kit);
    void (*done)(struct NetJob *job); // also called, with run not called, when the pool is closing
    bool heavy; // computes a password hash: one thread always stays free of these
    bool ran;
} NetJob;

typedef struct NetWorkers NetWorkers;

// Starts count threads. err: what could not be opened.
JD_MUST_USE bool net_workers_open(uv_loop_t *loop, Pages *pages, Store *store, int count,
                                  NetWorkers **out, JdErr *err);
// Loop thread. False: too much waits already, the job was not taken.
JD_MUST_USE bool net_workers_push(NetWorkers *workers, NetJob *job);
// Jobs taken whose done has not been called.
size_t net_workers_pending(const NetWorkers *workers);
// Loop thread: lets running jobs end, calls done for all, joins the threads, closes the handle (run
// the loop once more for its callback). NULL is allowed.
void net_workers_close(NetWorkers *workers);
// After the loop has run: frees.
void net_workers_free(NetWorkers *workers);

#endif
