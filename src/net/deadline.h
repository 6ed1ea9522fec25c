// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long a thread that keeps a queue sleeps.
#ifndef JADOUBE_NET_DEADLINE_H
#define JADOUBE_NET_DEADLINE_H

#include <time.h>

#include <jadoube/base.h>

// For pthread_cond_timedwait on CLOCK_MONOTONIC: when until_ms (UTC) comes, seen from now, but at
// the latest in most_ms, for clocks are set; at once when it is past.
struct timespec net_deadline(JdInstant now, int64_t until_ms, int64_t most_ms);

#endif
