// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games that have ended and left memory, read back from the database. Worker threads only.
#ifndef JADOUBE_NET_RECORD_H
#define JADOUBE_NET_RECORD_H

#include <jadoube/base.h>

#include "live/live.h"
#include "net/workers.h"

typedef struct NetRecord {
    LiveGameView game;
    void *memory; // what game points at
    size_t memory_size;
} NetRecord;

// Reads and decodes a finished game, nicks filled in. *found false, and true returned, when there
// is no such finished game. net_record_free in any case of true.
JD_MUST_USE bool net_record_read(NetWorkerKit *kit, const LiveId *id, JdInstant now, NetRecord *out,
                                 bool *found, JdErr *err);
void net_record_free(NetRecord *record);

#endif
