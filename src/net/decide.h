// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds out who can still mate where the Laws could not within a move's time (LIVE_FX_DECIDE). One
// question at a time, a slice at a time, on a worker that must not hash meanwhile: pages and other
// games do not wait for it. Games that wait for the answer come first; a question whose position is
// gone is dropped. Loop thread only.
#ifndef JADOUBE_NET_DECIDE_H
#define JADOUBE_NET_DECIDE_H

#include "live/live.h"
#include "net/workers.h"

// Questions that may wait; more are dropped, and live asks again.
#define NET_QUESTIONS_MAX 256
// What a question may cost: positions looked at for each side, and memory while it is worked on.
#define NET_QUESTION_NODES UINT64_C(20000000)
#define NET_QUESTION_MEMORY ((size_t)256 << 20)
// Positions of one slice: about fifty milliseconds.
#define NET_QUESTION_SLICE UINT64_C(200000)

// code: LAWS_MATING_* bits.
typedef void (*NetDecidedFn)(void *context, const LiveId *game, uint32_t ply, uint8_t code);
typedef bool (*NetWantedFn)(void *context, const LiveId *game, uint32_t ply);

typedef struct NetDecider NetDecider;
// decided gets every answer; wanted says whether one would still be taken.
NetDecider *net_decider_new(NetWorkers *workers, NetDecidedFn decided, NetWantedFn wanted,
                            void *context);
void net_decider_ask(NetDecider *decider, const LiveId *game, const LawsQuestion *question);
// No more questions; what is worked on comes to its end without an answer. Before
// net_workers_close.
void net_decider_stop(NetDecider *decider);
// After net_workers_close. NULL is allowed.
void net_decider_free(NetDecider *decider);

#endif
