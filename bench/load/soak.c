// SPDX-License-Identifier: GPL-3.0-or-later
#include "soak.h"

#define MINUTES_NEEDED 4

void soak_add(Soak *soak, SoakMinute minute) {
    if (soak->count < SOAK_MINUTES_MAX)
        soak->minutes[soak->count++] = minute;
}

static double value_of(const SoakMinute *minute, int which) {
    return which == 0 ? minute->rss_mib : which == 1 ? minute->p50_ms : minute->p99_ms;
}

bool soak_growth(const Soak *soak, SoakMinute *growth, SoakMinute *mean) {
    const SoakMinute *from = soak->minutes + soak->count / 2;
    const size_t count = soak->count - soak->count / 2;
    double grown[3];
    double means[3];
    if (count < MINUTES_NEEDED)
        return false;
    const double middle = (double)(count - 1) / 2;
    for (int which = 0; which < 3; which++) {
        double sum = 0;
        double above = 0;
        double below = 0;
        for (size_t i = 0; i < count; i++)
            sum += value_of(&from[i], which);
        means[which] = sum / (double)count;
        for (size_t i = 0; i < count; i++) {
            above += ((double)i - middle) * (value_of(&from[i], which) - means[which]);
            below += ((double)i - middle) * ((double)i - middle);
        }
        grown[which] = above / below * (double)(count - 1);
    }
    *growth = (SoakMinute) { grown[0], grown[1], grown[2] };
    *mean = (SoakMinute) { means[0], means[1], means[2] };
    return true;
}

bool soak_grows(const SoakMinute *growth, const SoakMinute *mean) {
    return (growth->rss_mib > 2 && growth->rss_mib > mean->rss_mib / 20) ||
           (growth->p50_ms > 0.5 && growth->p50_ms > mean->p50_ms / 4);
}
