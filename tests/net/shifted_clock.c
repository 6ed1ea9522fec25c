// SPDX-License-Identifier: GPL-3.0-or-later
//
// The clock of a program that exists for tests alone (jadoube_shifted): it reads ahead by as many
// milliseconds as the first eight bytes of the file named in JADOUBE_TEST_CLOCK say, least byte
// first. A test writes them, and days have gone by. This file stands in the place of
// src/net/clock.c when that program is linked; nothing of it is in `jadoube`.
//
// A leap is met by the thread that keeps the clock between two of its steps, so that a commit under
// way is not taken for one that lasted days.
#include "net/clock.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static const volatile int64_t *ahead;

static struct {
    const NetClock *clock;
    pthread_t thread;
    NetLeapFn leapt;
    void *context;
    _Atomic int64_t met; // of what stands in the file
} keeper;

static int64_t read_ms(clockid_t which) {
    struct timespec now;
    clock_gettime(which, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void net_clock_init(NetClock *clock) {
    static const int64_t none;
    const char *path = getenv("JADOUBE_TEST_CLOCK");
    const int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *memory = fd >= 0 ? mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    ahead = memory != MAP_FAILED ? memory : &none;
    clock->offset_ms = read_ms(CLOCK_REALTIME) - read_ms(CLOCK_MONOTONIC);
}

void net_clock_on_leap(const NetClock *clock, NetLeapFn leapt, void *context) {
    keeper.clock = clock;
    keeper.thread = pthread_self();
    keeper.leapt = leapt;
    keeper.context = context;
    atomic_store(&keeper.met, *ahead);
}

static int64_t ahead_of(const NetClock *clock) {
    const int64_t wanted = *ahead;
    if (clock != keeper.clock)
        return wanted;
    const int64_t met = atomic_load(&keeper.met);
    if (wanted == met || !pthread_equal(keeper.thread, pthread_self()))
        return met;
    atomic_store(&keeper.met, wanted);
    keeper.leapt(keeper.context, JD_SPAN_MS(wanted - met));
    return wanted;
}

JdInstant net_clock_now(const NetClock *clock) {
    const int64_t leaps_ms = ahead_of(clock);
    return (JdInstant) { read_ms(CLOCK_MONOTONIC) + clock->offset_ms + leaps_ms };
}

// The program ran all the while: nothing is credited.
JdSpan net_clock_step(NetClock *clock) {
    (void)clock;
    return JD_SPAN_MS(0);
}
