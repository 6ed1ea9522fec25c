// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/notices.h"

#include <stdlib.h>

#include "net/log.h"
#include "net/server.h"
#include "pages/pages.h"

#define TICK_MS 500
#define EVERY_MS 60000

typedef struct NoticesJob {
    NetJob job;
    NetServer *server;
    JdInstant now;
    bool more;
    bool ok;
    PagesFault fault;
} NoticesJob;

static void run(NetJob *job, NetWorkerKit *kit) {
    NoticesJob *self = (NoticesJob *)job;
    self->ok = pages_notices_tell(kit->pages, self->now, &self->more, &self->fault);
}

static void done(NetJob *job) {
    NoticesJob *self = (NoticesJob *)job;
    NetNotices *notices = &self->server->notices;
    notices->telling = false;
    if (job->ran && !self->ok)
        net_log(NET_LOG_ERROR, "notices: %s", self->fault.err.text);
    if (self->ok && self->more)
        notices->next_ms = 0;
    free(self);
}

static void on_tick(uv_timer_t *timer) {
    NetServer *server = timer->data;
    NetNotices *notices = &server->notices;
    const JdInstant now = net_now(server);
    if (notices->telling || now.ms < notices->next_ms || server->stop ||
        !net_cluster_leads(server->cluster) || !net_shell_ready(&server->shell))
        return;
    NoticesJob *job = calloc(1, sizeof(*job));
    if (job == NULL)
        return;
    *job = (NoticesJob) { .job = { .run = run, .done = done }, .server = server, .now = now };
    notices->next_ms = now.ms + EVERY_MS;
    notices->telling = net_workers_push(server->workers, &job->job);
    if (!notices->telling)
        free(job);
}

void net_notices_invited(NetServer *server, const LiveId *challenge, const LiveInvited *invited) {
    const bool rematch = invited->rematch.text[0] != '\0';
    const LiveId *ref = rematch ? &invited->rematch : challenge;
    net_tell_notice(server, invited->to, rematch ? "rematch" : "challenge", invited->nick,
                    ref->text, invited->at_ms);
    if (invited->away)
        server->notices.next_ms = 0;
}

void net_notices_open(NetServer *server) {
    NetNotices *notices = &server->notices;
    notices->open = true;
    uv_timer_init(&server->loop, &notices->timer);
    notices->timer.data = server;
    uv_timer_start(&notices->timer, on_tick, TICK_MS, TICK_MS);
}

void net_notices_close(NetServer *server) {
    if (server->notices.open)
        uv_close((uv_handle_t *)&server->notices.timer, NULL);
    server->notices.open = false;
}
