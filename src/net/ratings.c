// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts rated games after they have ended and tells live what came of it.
#include "net/ratings.h"

#include <stdlib.h>

#include "net/log.h"
#include "net/me.h"
#include "net/server.h"

typedef struct RatingsJob {
    NetJob job;
    NetServer *server;
    bool ok;
    PagesFault fault;
    PagesRatedGames games;
} RatingsJob;

static void run(NetJob *job, NetWorkerKit *kit) {
    RatingsJob *self = (RatingsJob *)job;
    self->ok = pages_rate(kit->pages, &self->games, &self->fault);
}

static void tell(NetServer *server, const PagesRated *rated) {
    for (int color = 0; color < 2; color++) {
        const LiveProfile profile = net_profile_of_ratings(&rated->standing[color]);
        net_tell_profile(server, rated->players[color], &profile);
    }
    LiveId id;
    LiveRated changes;
    if (!live_id_parse(store_id_str(&rated->game), &id))
        return;
    for (int color = 0; color < 2; color++)
        changes.change[color] = rated->change[color];
    net_tell_rated(server, &id, rated->counts ? &changes : NULL);
}

static void on_retry(uv_timer_t *timer) {
    net_ratings_wake(timer->data);
}

static void done(NetJob *job) {
    RatingsJob *self = (RatingsJob *)job;
    NetServer *server = self->server;
    NetRatings *ratings = &server->ratings;
    ratings->busy = false;
    const bool again = ratings->again;
    ratings->again = false;
    if (server->stop) {
        // The next start tells of nothing: everything is read anew.
    } else if (job->ran && self->ok) {
        for (size_t i = 0; i < self->games.count; i++)
            tell(server, &self->games.list[i]);
        if (again || self->games.more)
            net_ratings_wake(server);
    } else {
        // A disk that takes nothing now: what has ended is in the database and is not forgotten.
        net_log(NET_LOG_WARN, "ratings: %s", job->ran ? self->fault.err.text : "no worker");
        uv_timer_start(&ratings->retry, on_retry, NET_RATINGS_RETRY_MS, 0);
    }
    free(self);
}

void net_ratings_wake(NetServer *server) {
    NetRatings *ratings = &server->ratings;
    if (!ratings->open || server->stop)
        return; // the next start catches up
    if (ratings->busy) {
        ratings->again = true;
        return;
    }
    RatingsJob *job = calloc(1, sizeof(*job));
    if (job != NULL) {
        job->job = (NetJob) { .run = run, .done = done };
        job->server = server;
        if (net_workers_push(server->workers, &job->job)) {
            ratings->busy = true;
            return;
        }
        free(job);
    }
    uv_timer_start(&ratings->retry, on_retry, NET_RATINGS_RETRY_MS, 0);
}

void net_ratings_notice(NetServer *server, const LiveEffect *effect) {
    if (effect->kind == LIVE_FX_GAME_ROW && effect->row->rated != 0 &&
        effect->row->ended_ms != LIVE_NEVER)
        net_ratings_wake(server);
}

void net_ratings_open(NetServer *server) {
    NetRatings *ratings = &server->ratings;
    uv_timer_init(&server->loop, &ratings->retry);
    ratings->retry.data = server;
    ratings->open = true;
    net_ratings_wake(server);
}

void net_ratings_close(NetServer *server) {
    if (!server->ratings.open)
        return;
    server->ratings.open = false;
    uv_close((uv_handle_t *)&server->ratings.retry, NULL);
}
