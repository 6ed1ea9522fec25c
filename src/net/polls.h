// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: a connection without a WebSocket, for networks that let none through. It is to live and to
// the hub what a WebSocket is; its messages wait, numbered, until the client fetches them by HTTP,
// and are kept until the client says that it has them.
#ifndef JADOUBE_NET_POLLS_H
#define JADOUBE_NET_POLLS_H

#include <jadoube/base.h>

#include "net/buf.h"
#include "net/rate_limits.h"

struct NetHub;
struct NetRequest;
struct NetSocket;

typedef struct NetPoll {
    struct NetSocket *next; // of all of them
    struct NetSocket *previous;
    uint64_t key;               // chance: a number of before a restart opens nothing
    uint64_t first;             // number of the oldest message that is kept, in the queue's order
    struct NetRequest *waiting; // held; answered when something comes, or in time
    int64_t answer_by_ms;
    int64_t answered_ms; // 0: nothing yet
    NetBucket rate;
} NetPoll;

// Makes a fresh socket one of these; false: no memory.
JD_MUST_USE bool net_poll_new(struct NetSocket *socket);
// Something has been put into the socket's queue, or it has begun to close.
void net_poll_news(struct NetSocket *socket);
// Looks after all of them: answers whom something waits for, or who has waited long enough, and
// forgets who does not ask any more.
void net_poll_sweep(struct NetHub *hub, int64_t now_ms);
// Before the socket is freed.
void net_poll_free(struct NetSocket *socket);

#endif
