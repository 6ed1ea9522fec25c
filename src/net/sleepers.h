// SPDX-License-Identifier: GPL-3.0-or-later
//
// Brings slow games back from the database: when somebody asks for one, and a little before
// something is due in it. Workers read, live replays, the loop never waits. Loop thread only.
#ifndef JADOUBE_NET_SLEEPERS_H
#define JADOUBE_NET_SLEEPERS_H

#include <uv.h>

#include <jadoube/base.h>

#include "live/live.h"

struct NetServer;

// Commands that may wait for sleeping games at once.
#define NET_SLEEPERS_WAITING_MAX 4096

typedef struct NetSleepers {
    struct NetServer *server;
    uv_timer_t timer;
    struct NetLoad *loads; // being read
    size_t waiting;
    int64_t next_scan_ms;
    bool scanning;
    bool open;
} NetSleepers;

void net_sleepers_open(NetSleepers *sleepers, struct NetServer *server); // begins to look
void net_sleepers_close(NetSleepers *sleepers); // after the workers; the loop runs once more

// ok false: it could not be read, or nothing is taken now.
typedef void (*NetAwakeFn)(void *context, bool ok);
// Whether something must be brought into memory before the command is stepped.
bool net_sleepers_needed(const NetSleepers *sleepers, const LiveCommand *command);
// Asks the same; if so `then` is
// called once it is there, never during this call. *full: too many wait already.
bool net_sleepers_wait(NetSleepers *sleepers, const LiveCommand *command, NetAwakeFn then,
                       void *context, bool *full);

#endif
