// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/deadline.h"

struct timespec net_deadline(JdInstant now, int64_t until_ms, int64_t most_ms) {
    int64_t wait_ms = until_ms - now.ms;
    wait_ms = wait_ms < 0 ? 0 : wait_ms > most_ms ? most_ms : wait_ms;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)(wait_ms / 1000);
    end.tv_nsec += (long)(wait_ms % 1000) * 1000000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_nsec -= 1000000000;
        end.tv_sec++;
    }
    return end;
}
