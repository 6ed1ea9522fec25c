// SPDX-License-Identifier: GPL-3.0-or-later
//
// Commit, then publish: the effects of each step wait here, in one queue in the order of the steps,
// until everything logged up to them is durable.
#ifndef JADOUBE_NET_OUTBOX_H
#define JADOUBE_NET_OUTBOX_H

#include <jadoube/base.h>

#include "live/live.h"

// The effects of one step.
typedef struct NetHeld {
    struct NetHeld *next;
    uint64_t ticket;  // of the store; they may be told when it is durable
    JdInstant staged; // when the step was made
    LiveEffects effects;
} NetHeld;

typedef struct NetOutbox {
    const LiveMemory *memory;
    NetHeld *first;
    NetHeld *last;
    size_t count;
    NetHeld *spare; // emptied, for the next steps
    size_t spare_count;
} NetOutbox;

void net_outbox_open(NetOutbox *outbox, const LiveMemory *memory);
void net_outbox_close(NetOutbox *outbox); // what still waits is dropped untold

// An empty list for a step that is about to be made; ends by _put or _give_back.
NetHeld *net_outbox_take(NetOutbox *outbox);
void net_outbox_put(NetOutbox *outbox, NetHeld *held, uint64_t ticket, JdInstant staged);
void net_outbox_give_back(NetOutbox *outbox, NetHeld *held);

// The oldest, taken out, when its ticket is at most durable; NULL otherwise.
NetHeld *net_outbox_next(NetOutbox *outbox, uint64_t durable);
// The clock went ahead by so much: what waits was staged later than it says.
void net_outbox_stepped(NetOutbox *outbox, JdSpan by);
// How long the oldest has waited for its commit; 0 when nothing waits.
JdSpan net_outbox_waiting(const NetOutbox *outbox, JdInstant now);

#endif
