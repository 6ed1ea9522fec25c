// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a player has had of his vacations. Beginning and ending one is live's business.
#ifndef PAGES_VACATION_H
#define PAGES_VACATION_H

#include "pages/pages.h"

typedef struct PagesVacations {
    int32_t year;     // of now, UTC
    uint8_t used;     // days of vacations that began in it, begun days counted whole
    int64_t from_ms;  // of the one that lasts; 0: none
    int64_t until_ms; // and
} PagesVacations;

JD_MUST_USE bool pages_vacations(PagesWorker *worker, int64_t account, JdInstant now,
                                 PagesVacations *out, PagesFault *fault);

#endif
