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

// UTC minus the monotonic clock. Whoever is kept from running between two readings takes the pause
// for a difference: the closest of some readings counts.
static int64_t difference_ms(void) {
    enum { TRIES = 100 };
    int64_t best_ms = INT64_MAX;
    int64_t difference = 0;
    for (int i = 0; best_ms > 1 && i < TRIES; i++) {
        const int64_t before_ms = read_ms(CLOCK_MONOTONIC);
        const int64_t utc_ms = read_ms(CLOCK_REALTIME);
        const int64_t took_ms = read_ms(CLOCK_MONOTONIC) - before_ms;
        if (took_ms < best_ms) {
            best_ms = took_ms;
            difference = utc_ms - before_ms;
        }
    }
    return difference;
}

void net_clock_init(NetClock *clock) {
    clock->offset_ms = difference_ms();
}

JdInstant net_clock_now(const NetClock *clock) {
    return (JdInstant) { read_ms(CLOCK_MONOTONIC) + clock->offset_ms };
}

JdSpan net_clock_step(NetClock *clock) {
    const int64_t ahead = difference_ms() - clock->offset_ms;
    if (ahead <= 1000)
        return JD_SPAN_MS(0);
    clock->offset_ms += ahead;
    return JD_SPAN_MS(ahead);
}

void net_clock_on_leap(const NetClock *clock, NetLeapFn leapt, void *context) {
    (void)clock;
    (void)leapt;
    (void)context;
}
