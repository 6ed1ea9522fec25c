// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ratings are counted on a worker, after the end of a game is durable. Loop thread only.
#ifndef JADOUBE_NET_RATINGS_H
#define JADOUBE_NET_RATINGS_H

#include <uv.h>

#include "live/live.h"

#define NET_RATINGS_RETRY_MS 1000

struct NetServer;

typedef struct NetRatings {
    uv_timer_t retry;
    bool open;
    bool busy;  // a pass is under way
    bool again; // and another one is wanted
} NetRatings;

// When everything runs: counts what ended before a crash could be followed up.
void net_ratings_open(struct NetServer *server);
void net_ratings_close(struct NetServer *server);
// An effect that may be told: the end of a rated game wakes the counting.
void net_ratings_notice(struct NetServer *server, const LiveEffect *effect);
void net_ratings_wake(struct NetServer *server);

#endif
