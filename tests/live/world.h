// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Live with what a shell would keep for it: memory that is counted, and the log that is durable.
#ifndef JADOUBE_TESTS_LIVE_WORLD_H
#define JADOUBE_TESTS_LIVE_WORLD_H

#include "../check.h"
#include "live/live.h"

// Entries of a log with bodies of their own.
typedef struct Log {
    LiveLogEvent *entries;
    size_t count;
    size_t capacity;
} Log;

void log_append(Log *log, const LiveLogEvent *event);
// Entries of one entity, in order, into a new array the caller frees.
LiveLogEvent *log_of(const Log *log, const LiveId *id, size_t *count);
void log_free(Log *log);

// malloc and free, with every byte counted; *bytes is what is taken now.
LiveMemory test_memory(int64_t *bytes);

// Decodes a game from a log; the arena's memory is freed by the caller. Fails the test when the log
// cannot be decoded.
LiveGameView decode_game(const Log *log, const LiveId *id, JdInstant now, void **memory);

// Replays a whole log into a new Live; fails the test when an entry is refused.
Live *replay_log(const Log *log, const LiveMemory *memory, JdInstant now);

const char *event_kind_name(int kind); // "move", "created" ...

#endif
