// SPDX-License-Identifier: GPL-3.0-or-later
//
// A long run, minute by minute: whether what it takes grows.
#ifndef JADOUBE_BENCH_SOAK_H
#define JADOUBE_BENCH_SOAK_H

#include <stdbool.h>
#include <stddef.h>

#define SOAK_MINUTES_MAX 2880

typedef struct SoakMinute {
    double rss_mib;
    double p50_ms;
    double p99_ms;
} SoakMinute;

typedef struct Soak {
    SoakMinute minutes[SOAK_MINUTES_MAX];
    size_t count;
} Soak;

void soak_add(Soak *soak, SoakMinute minute);
// What grew in the second half of the run (in the first caches fill), by the line of least squares
// through its minutes: from the line's beginning to its end. False: too few minutes to say.
bool soak_growth(const Soak *soak, SoakMinute *growth, SoakMinute *mean);
// Whether memory grew by more than a twentieth and 2 MiB, or the median by more than a half and
// half a millisecond. The 99th percentile is the disk's and is told only.
bool soak_grows(const SoakMinute *growth, const SoakMinute *mean);

#endif
