// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queue between the log and the people.
#include "net/outbox.h"

// Lists kept for reuse: what one group of commits holds on a busy evening.
#define SPARE_MAX 512

void net_outbox_open(NetOutbox *outbox, const LiveMemory *memory) {
    *outbox = (NetOutbox) { .memory = memory };
}

static void destroy(NetOutbox *outbox, NetHeld *held) {
    live_effects_close(&held->effects);
    outbox->memory->resize(outbox->memory->context, held, sizeof(*held), 0);
}

static void destroy_all(NetOutbox *outbox, NetHeld *held) {
    while (held != NULL) {
        NetHeld *next = held->next;
        destroy(outbox, held);
        held = next;
    }
}

void net_outbox_close(NetOutbox *outbox) {
    destroy_all(outbox, outbox->first);
    destroy_all(outbox, outbox->spare);
    *outbox = (NetOutbox) { .memory = outbox->memory };
}

NetHeld *net_outbox_take(NetOutbox *outbox) {
    NetHeld *held = outbox->spare;
    if (held != NULL) {
        outbox->spare = held->next;
        outbox->spare_count--;
    } else {
        held = outbox->memory->resize(outbox->memory->context, NULL, 0, sizeof(*held));
        live_effects_open(&held->effects, outbox->memory);
    }
    held->next = NULL;
    return held;
}

void net_outbox_give_back(NetOutbox *outbox, NetHeld *held) {
    live_effects_clear(&held->effects);
    if (outbox->spare_count >= SPARE_MAX) {
        destroy(outbox, held);
        return;
    }
    held->next = outbox->spare;
    outbox->spare = held;
    outbox->spare_count++;
}

void net_outbox_put(NetOutbox *outbox, NetHeld *held, uint64_t ticket, JdInstant staged) {
    held->ticket = ticket;
    held->staged = staged;
    held->next = NULL;
    if (outbox->last != NULL)
        outbox->last->next = held;
    else
        outbox->first = held;
    outbox->last = held;
    outbox->count++;
}

NetHeld *net_outbox_next(NetOutbox *outbox, uint64_t durable) {
    NetHeld *held = outbox->first;
    if (held == NULL || held->ticket > durable)
        return NULL;
    outbox->first = held->next;
    if (outbox->first == NULL)
        outbox->last = NULL;
    outbox->count--;
    return held;
}

void net_outbox_stepped(NetOutbox *outbox, JdSpan by) {
    for (NetHeld *held = outbox->first; held != NULL; held = held->next)
        held->staged.ms += by.ms;
}

JdSpan net_outbox_waiting(const NetOutbox *outbox, JdInstant now) {
    return outbox->first == NULL ? JD_SPAN_MS(0) : jd_since(now, outbox->first->staged);
}
