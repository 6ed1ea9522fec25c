// SPDX-License-Identifier: GPL-3.0-or-later
//
// A few threads, so that a service that answers slowly holds up only its own. A notice is taken for
// a while (no other thread is given it), sent, then removed: after a crash between the last two it
// goes out twice, never not at all, and the browser shows the second in place of the first.
#include "net/pusher.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <curl/curl.h>
#include <sodium.h>

#include "net/clock.h"
#include "net/deadline.h"
#include "net/log.h"
#include "net/webpush.h"

#define THREADS 3
#define HOUR_MS INT64_C(3600000)
#define LOOK_MS INT64_C(10000)  // of one among several nodes
#define LEASE_MS INT64_C(60000) // far more than one try takes
#define PAUSE_MS INT64_C(30000) // after the queue could not be read
#define RETRY_MAX_S INT64_C(86400)

// Seconds from one try to the next; the last goes on until the notice has expired.
static const int waits_s[] = { 10, 60, 300, 900, 1800, 3600 };

struct NetPusher {
    NetPush push;
    Pages *pages;
    pthread_t threads[THREADS];
    int started;
    pthread_mutex_t lock; // guards clock and wakes
    pthread_cond_t wake;
    NetClock clock;
    uint64_t wakes; // counted, so that every thread sees each of them
    atomic_bool closing;
    bool shares; // with other nodes
    char key[128];
};

static JdInstant now_of(NetPusher *pusher) {
    pthread_mutex_lock(&pusher->lock);
    (void)net_clock_step(&pusher->clock);
    const JdInstant now = net_clock_now(&pusher->clock);
    pthread_mutex_unlock(&pusher->lock);
    return now;
}

// Until the instant, a notice put into the queue since `seen`, or the end. At most an hour at once:
// clocks are set.
static void sleep_until(NetPusher *pusher, int64_t until_ms, uint64_t *seen) {
    const int64_t most_ms = pusher->shares ? LOOK_MS : HOUR_MS;
    const struct timespec end = net_deadline(now_of(pusher), until_ms, most_ms);
    pthread_mutex_lock(&pusher->lock);
    int result = 0;
    while (pusher->wakes == *seen && !atomic_load(&pusher->closing) && result == 0)
        result = pthread_cond_timedwait(&pusher->wake, &pusher->lock, &end);
    *seen = pusher->wakes;
    pthread_mutex_unlock(&pusher->lock);
}

static bool settle(NetPusher *pusher, const PagesPush *notice, NetPushOutcome outcome,
                   int64_t retry_s, const JdErr *why, JdErr *err) {
    const long long id = (long long)notice->id;
    switch (outcome) {
    case NET_PUSH_SENT:
        return pages_push_done(pusher->pages, notice->id, err);
    case NET_PUSH_GONE:
        net_log(NET_LOG_INFO, "push %lld: the subscription is no more (%s)", id, why->text);
        return pages_push_gone(pusher->pages, notice->subscription, err);
    case NET_PUSH_REFUSED:
        net_log(NET_LOG_ERROR, "push %lld is given up: %s", id, why->text);
        return pages_push_done(pusher->pages, notice->id, err);
    case NET_PUSH_LATER:
        break;
    }
    if (atomic_load(&pusher->closing))
        return true; // the lease runs out
    const size_t last = JD_COUNT(waits_s) - 1;
    const size_t at = notice->tries - 1 < last ? notice->tries - 1 : last;
    int64_t wait_s = retry_s > waits_s[at] ? retry_s : waits_s[at];
    wait_s = wait_s < RETRY_MAX_S ? wait_s : RETRY_MAX_S;
    net_log(NET_LOG_WARN, "push %lld waits %lld s for try %u: %s", id, (long long)wait_s,
            notice->tries + 1, why->text);
    return pages_push_later(pusher->pages, notice->id, now_of(pusher).ms + wait_s * 1000, err);
}

static void *run(void *argument) {
    NetPusher *pusher = argument;
    PagesPush notice;
    uint64_t seen = 0;
    while (!atomic_load(&pusher->closing)) {
        JdErr err = { 0 };
        bool found = false;
        int64_t next_ms = INT64_MAX;
        bool ok = pages_push_take(pusher->pages, now_of(pusher), LEASE_MS, &notice, &found,
                                  &next_ms, &err);
        if (ok && !found) {
            sleep_until(pusher, next_ms, &seen);
            continue;
        }
        if (ok) {
            JdErr why = { 0 };
            int64_t retry_s = 0;
            const NetPushOutcome outcome =
                net_push_send(&pusher->push, &notice, now_of(pusher), &retry_s, &why);
            ok = settle(pusher, &notice, outcome, retry_s, &why, &err);
        }
        if (!ok && !atomic_load(&pusher->closing)) {
            net_log(NET_LOG_WARN, "the queue of pushes: %s", err.text);
            sleep_until(pusher, now_of(pusher).ms + PAUSE_MS, &seen);
        }
    }
    sodium_memzero(&notice, sizeof(notice));
    return NULL;
}

bool net_pusher_new(const NetConfig *config, NetPusher **out, JdErr *err) {
    NetPusher *pusher = calloc(1, sizeof(*pusher));
    *out = pusher;
    if (pusher == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
        free(pusher);
        *out = NULL;
        return jd_fail(err, 1, 0, "no memory to send notices");
    }
    pusher->push.local = config->push_local;
    pusher->push.stop = &pusher->closing;
    // The operator's address, where there is one; else the site says who it is.
    JdStr from = jd_str(config->mail_from);
    const size_t open = jd_str_find(from, '<');
    if (open < from.size)
        from = jd_str_part(from, open + 1, jd_str_find(from, '>'));
    if (from.size > 0)
        jd_format(pusher->push.subject, sizeof(pusher->push.subject), "mailto:%.*s",
                  JD_PRINT(from));
    net_clock_init(&pusher->clock);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&pusher->lock, NULL);
    pthread_cond_init(&pusher->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    return true;
}

bool net_pusher_start(NetPusher *pusher, Pages *pages, const char *site, JdErr *err) {
    pusher->pages = pages;
    if (pusher->push.subject[0] == '\0')
        jd_format(pusher->push.subject, sizeof(pusher->push.subject), "%s", site);
    if (!net_push_make_key(&pusher->push.key, err) ||
        !pages_push_key(pages, &pusher->push.key, err))
        return false;
    sodium_bin2base64(pusher->key, sizeof(pusher->key), pusher->push.key.public_key,
                      PAGES_PUSH_PUBLIC, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    // Signals are the loop's.
    sigset_t all;
    sigset_t old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (pusher->started < THREADS &&
           pthread_create(&pusher->threads[pusher->started], NULL, run, pusher) == 0)
        pusher->started++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return pusher->started > 0 || jd_fail(err, 1, 0, "no thread to send notices");
}

const char *net_pusher_key(const NetPusher *pusher) {
    return pusher->key;
}

void net_pusher_wake(void *context) {
    NetPusher *pusher = context;
    pthread_mutex_lock(&pusher->lock);
    pusher->wakes++;
    pthread_cond_broadcast(&pusher->wake);
    pthread_mutex_unlock(&pusher->lock);
}

void net_pusher_share(NetPusher *pusher) {
    pusher->shares = true;
}

void net_pusher_close(NetPusher *pusher) {
    if (pusher == NULL)
        return;
    atomic_store(&pusher->closing, true);
    net_pusher_wake(pusher);
    for (int i = 0; i < pusher->started; i++)
        pthread_join(pusher->threads[i], NULL);
    pthread_cond_destroy(&pusher->wake);
    pthread_mutex_destroy(&pusher->lock);
    sodium_memzero(&pusher->push.key, sizeof(pusher->push.key));
    free(pusher);
}
