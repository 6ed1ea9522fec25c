// SPDX-License-Identifier: GPL-3.0-or-later
//
// How often what was measured fell where: 128 steps for each doubling, so that a figure read back
// is at most 1 % too large. Recording is an addition; nothing is allocated.
#ifndef JADOUBE_BENCH_HISTOGRAM_H
#define JADOUBE_BENCH_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_STEPS 128
// Up to 2^42: fifty days in microseconds.
#define HISTOGRAM_DOUBLINGS 35

typedef struct Histogram {
    uint64_t count;
    int64_t least;
    int64_t most;
    uint64_t steps[(HISTOGRAM_DOUBLINGS + 1) * HISTOGRAM_STEPS];
} Histogram;

// What is below zero counts as zero, what is past the end as the end.
void histogram_add(Histogram *histogram, int64_t value);
// The least value that is not below the given share of all (0.99: the 99th percentile); 0 when
// there is none.
int64_t histogram_at(const Histogram *histogram, double share);

#endif
