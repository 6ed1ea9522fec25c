// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one clock of the process. It never goes back, and a step of the system's clock does not move
// it until net_clock_step is asked: players' clocks run by it.
#ifndef JADOUBE_NET_CLOCK_H
#define JADOUBE_NET_CLOCK_H

#include <jadoube/base.h>

typedef struct NetClock {
    int64_t offset_ms; // UTC minus the monotonic clock, as last agreed
} NetClock;

void net_clock_init(NetClock *clock);
JdInstant net_clock_now(const NetClock *clock);
// When the system's clock has run ahead of ours by more than a second (it was set, or the machine
// slept), follows it and returns by how much; the caller credits that span to the running games. A
// system clock set back is not followed: time stands as if it had never been wrong. 0 otherwise.
JdSpan net_clock_step(NetClock *clock);

typedef void (*NetLeapFn)(void *context, JdSpan span);
// For a clock that tests let leap (tests/net/shifted_clock.c): leapt is called by the thread that
// asks here, in net_clock_now, when it does. Nothing has waited for that span. This clock never
// leaps.
void net_clock_on_leap(const NetClock *clock, NetLeapFn leapt, void *context);

#endif
