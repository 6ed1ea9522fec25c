// SPDX-License-Identifier: GPL-3.0-or-later
//
// Steps of equal size within each doubling.
#include "histogram.h"

#include <stddef.h>

#define STEP_BITS 7 // HISTOGRAM_STEPS = 2^7
#define VALUE_MAX ((INT64_C(1) << (STEP_BITS + HISTOGRAM_DOUBLINGS)) - 1)
_Static_assert(HISTOGRAM_STEPS == 1 << STEP_BITS, "steps are a power of two");

// Values below 128 have a step each; above, the upper eight bits choose it.
static size_t step_of(int64_t value) {
    size_t doubling = 0;
    while (value >> doubling >= 2 * HISTOGRAM_STEPS)
        doubling++;
    if (value < HISTOGRAM_STEPS)
        return (size_t)value;
    return (doubling + 1) * HISTOGRAM_STEPS + (size_t)(value >> doubling) - HISTOGRAM_STEPS;
}

static int64_t last_of(size_t step) {
    if (step < HISTOGRAM_STEPS)
        return (int64_t)step;
    const size_t doubling = step / HISTOGRAM_STEPS - 1;
    const int64_t upper = (int64_t)(step % HISTOGRAM_STEPS) + HISTOGRAM_STEPS;
    return ((upper + 1) << doubling) - 1;
}

void histogram_add(Histogram *histogram, int64_t value) {
    if (value < 0)
        value = 0;
    if (value > VALUE_MAX)
        value = VALUE_MAX;
    if (histogram->count == 0 || value < histogram->least)
        histogram->least = value;
    if (histogram->count == 0 || value > histogram->most)
        histogram->most = value;
    histogram->count++;
    histogram->steps[step_of(value)]++;
}

int64_t histogram_at(const Histogram *histogram, double share) {
    if (histogram->count == 0)
        return 0;
    // So many values must lie at or below the answer, the last of them included.
    uint64_t wanted = (uint64_t)(share * (double)histogram->count);
    if ((double)wanted < share * (double)histogram->count)
        wanted++;
    if (wanted == 0)
        return histogram->least;
    uint64_t seen = 0;
    for (size_t step = 0; step < sizeof(histogram->steps) / sizeof(histogram->steps[0]); step++) {
        seen += histogram->steps[step];
        if (seen >= wanted) {
            const int64_t value = last_of(step);
            return value < histogram->most ? value : histogram->most;
        }
    }
    return histogram->most;
}
