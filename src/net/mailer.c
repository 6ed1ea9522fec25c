// SPDX-License-Identifier: GPL-3.0-or-later
//
// The thread that sends. A letter is taken and its next try set in one commit, then it is sent,
// then removed: after a crash between the last two it goes out twice, never not at all.
#include "net/mailer.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include <curl/curl.h>

#include "net/clock.h"
#include "net/deadline.h"
#include "net/log.h"
#include "net/smtp.h"

#define DAY_MS INT64_C(86400000)
#define LOOK_MS INT64_C(3000) // of one among several nodes: letters of others, and whether it sends
#define PAUSE_MS INT64_C(30000) // after the queue could not be read or the server not be reached

struct NetMailer {
    NetSmtp smtp;
    Pages *pages;
    NetClock clock;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_bool closing;
    atomic_bool shares; // with other nodes
    atomic_bool rests;  // another one sends
    bool started;
    bool woken;
    PagesLetter letter;
};

static JdInstant now_of(NetMailer *mailer) {
    (void)net_clock_step(&mailer->clock);
    return net_clock_now(&mailer->clock);
}

// Until the instant, a letter, or the end. Waits at most a day at once: clocks are set.
static void sleep_until(NetMailer *mailer, int64_t until_ms) {
    const int64_t most_ms = atomic_load(&mailer->shares) ? LOOK_MS : DAY_MS;
    const struct timespec end = net_deadline(now_of(mailer), until_ms, most_ms);
    pthread_mutex_lock(&mailer->lock);
    int result = 0;
    while (!mailer->woken && !atomic_load(&mailer->closing) && result == 0)
        result = pthread_cond_timedwait(&mailer->wake, &mailer->lock, &end);
    mailer->woken = false;
    pthread_mutex_unlock(&mailer->lock);
}

// True when the letter needs no more tries.
static bool send_letter(NetMailer *mailer) {
    const PagesLetter *letter = &mailer->letter;
    JdErr err = { 0 };
    const NetSmtpOutcome outcome = net_smtp_send(&mailer->smtp, letter, now_of(mailer), &err);
    const long long id = (long long)letter->id;
    if (outcome == NET_SMTP_SENT)
        return true;
    if (atomic_load(&mailer->closing))
        return false;
    if (outcome == NET_SMTP_REFUSED || letter->last_try) {
        net_log(NET_LOG_ERROR, "letter %lld (%s) is given up: %s", id, letter->kind, err.text);
        return true;
    }
    net_log(NET_LOG_WARN, "letter %lld (%s) waits for try %u: %s", id, letter->kind,
            letter->tries + 1, err.text);
    return false;
}

static void *run(void *argument) {
    NetMailer *mailer = argument;
    while (!atomic_load(&mailer->closing)) {
        JdErr err = { 0 };
        bool found = false;
        int64_t next_ms = INT64_MAX;
        if (atomic_load(&mailer->rests)) {
            sleep_until(mailer, next_ms);
            continue;
        }
        bool ok =
            pages_mail_take(mailer->pages, now_of(mailer), &mailer->letter, &found, &next_ms, &err);
        if (ok && !found) {
            sleep_until(mailer, next_ms);
            continue;
        }
        const bool through = ok && send_letter(mailer);
        if (through)
            ok = pages_mail_done(mailer->pages, mailer->letter.id, &err);
        if (!ok)
            net_log(NET_LOG_WARN, "the queue of letters: %s", err.text);
        if (!ok)
            sleep_until(mailer, now_of(mailer).ms + PAUSE_MS);
    }
    return NULL;
}

bool net_mailer_new(const NetConfig *config, NetMailer **out, JdErr *err) {
    *out = NULL;
    if (config->smtp[0] == '\0')
        return true;
    if (config->mail_from[0] == '\0')
        return jd_fail(err, 1, 0, "smtp is set: mail_from must say from whom letters come");
    NetMailer *mailer = calloc(1, sizeof(*mailer));
    if (mailer == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
        free(mailer);
        return jd_fail(err, 1, 0, "no memory to send mail");
    }
    if (!net_smtp_init(&mailer->smtp, config->smtp, config->mail_from, &mailer->closing, err)) {
        free(mailer);
        return false;
    }
    net_clock_init(&mailer->clock);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&mailer->lock, NULL);
    pthread_cond_init(&mailer->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    *out = mailer;
    return true;
}

bool net_mailer_start(NetMailer *mailer, Pages *pages, JdErr *err) {
    mailer->pages = pages;
    // Signals are the loop's.
    sigset_t all;
    sigset_t old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    mailer->started = pthread_create(&mailer->thread, NULL, run, mailer) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return mailer->started || jd_fail(err, 1, 0, "no thread to send mail");
}

void net_mailer_wake(void *context) {
    NetMailer *mailer = context;
    pthread_mutex_lock(&mailer->lock);
    mailer->woken = true;
    pthread_cond_signal(&mailer->wake);
    pthread_mutex_unlock(&mailer->lock);
}

void net_mailer_lead(NetMailer *mailer, bool leads) {
    if (mailer == NULL)
        return;
    atomic_store(&mailer->shares, true);
    if (atomic_exchange(&mailer->rests, !leads) && leads)
        net_mailer_wake(mailer);
}

void net_mailer_close(NetMailer *mailer) {
    if (mailer == NULL)
        return;
    atomic_store(&mailer->closing, true);
    net_mailer_wake(mailer);
    if (mailer->started)
        pthread_join(mailer->thread, NULL);
    pthread_cond_destroy(&mailer->wake);
    pthread_mutex_destroy(&mailer->lock);
    free(mailer);
}
