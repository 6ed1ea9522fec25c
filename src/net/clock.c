// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reading the time.
#include "net/clock.h"

#include <time.h>

static int64_t read_ms(clockid_t which) {
    struct timespec now;
    clock_gettime(which, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void net_clock_init(NetClock *clock) {
    clock->offset_ms = read_ms(CLOCK_REALTIME) - read_ms(CLOCK_MONOTONIC);
}

JdInstant net_clock_now(const NetClock *clock) {
    return (JdInstant) { read_ms(CLOCK_MONOTONIC) + clock->offset_ms };
}

JdSpan net_clock_step(NetClock *clock) {
    const int64_t ahead = read_ms(CLOCK_REALTIME) - read_ms(CLOCK_MONOTONIC) - clock->offset_ms;
    if (ahead <= 1000)
        return JD_SPAN_MS(0);
    clock->offset_ms += ahead;
    return JD_SPAN_MS(ahead);
}
