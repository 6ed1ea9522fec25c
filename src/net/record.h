// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games that have ended and left memory, read back from the database. Worker threads only.
#ifndef JADOUBE_NET_RECORD_H
#define JADOUBE_NET_RECORD_H

#include <jadoube/base.h>

#include "live/live.h"
#include "net/errors.h"
#include "net/workers.h"

// Codes in JdErr.code of everything that reads here.
enum {
    NET_RECORD_AWAY = 1, // the database cannot be read now: to be asked again
    NET_RECORD_BAD = 2,  // what it holds cannot be understood
};
// The same as people are told it.
void net_record_fault(const JdErr *err, NetError *out);

// The events of one game.
typedef struct NetEvents {
    LiveLogEvent *list;
    size_t count;
    size_t capacity;
    unsigned char *bodies;
    size_t bodies_size;
    size_t bodies_capacity;
    bool failed;
} NetEvents;

// Reads them; *found false, and true returned, when the log knows no such game. net_events_free in
// any case.
JD_MUST_USE bool net_events_read(NetWorkerKit *kit, const LiveId *id, NetEvents *out, bool *found,
                                 JdErr *err);
void net_events_free(NetEvents *events);

typedef struct NetRecord {
    LiveGameView game;
    void *memory; // what game points at
    size_t memory_size;
} NetRecord;

// Reads and decodes a finished game, nicks filled in. *found false, and true returned, when there
// is no such finished game. net_record_free in any case of true.
JD_MUST_USE bool net_record_read(NetWorkerKit *kit, const LiveId *id, JdInstant now, NetRecord *out,
                                 bool *found, JdErr *err);
// A ruling that sets another result (live_game_overrule), ready for the store.
typedef struct NetRuling {
    StoreEvent event; // STORE_RECORD_EVENT; its body lies in memory
    StoreGameRow before;
    StoreGameRow row;
    void *memory;
} NetRuling;
// err: there is no such game, or it runs. Free it with net_ruling_free in any case.
JD_MUST_USE bool net_record_overrule(NetWorkerKit *kit, const LiveId *id, const uint8_t halves[2],
                                     JdStr reason, JdInstant now, NetRuling *out, JdErr *err);
void net_ruling_free(NetRuling *ruling);

void net_record_free(NetRecord *record);

#endif
