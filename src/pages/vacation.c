// SPDX-License-Identifier: GPL-3.0-or-later
//
// A vacation counts for the year in which it begins, by the days it lasted.
#include "pages/vacation.h"

#include "pages/internal.h"

#define DAY_MS INT64_C(86400000)

// 1 January of a year as days since 1970 (proleptic Gregorian calendar).
static int64_t days_before(int64_t year) {
    const int64_t y = year - 1;
    return y * 365 + y / 4 - y / 100 + y / 400 - 719162;
}

static int32_t year_of(int64_t ms) {
    const int64_t days = ms / DAY_MS;
    int64_t year = 1970 + days / 366; // not past it
    while (days_before(year + 1) <= days)
        year++;
    return (int32_t)year;
}

bool pages_vacations(PagesWorker *worker, int64_t account, JdInstant now, PagesVacations *out,
                     PagesFault *fault) {
    *out = (PagesVacations) { .year = year_of(now.ms) };
    StoreStmt *all = store_query(worker->db, STORE_VACATIONS_OF);
    store_bind_int(all, 1, account);
    store_bind_int(all, 2, days_before(out->year) * DAY_MS);
    JdErr err = { 0 };
    StoreStep step;
    int64_t used = 0;
    while ((step = store_step(all, &err)) == STORE_STEP_ROW) {
        const int64_t from_ms = store_column_int(all, 0);
        const int64_t until_ms = store_column_int(all, 1);
        const bool ended = !store_column_is_null(all, 2);
        const int64_t end_ms = ended ? store_column_int(all, 2) : until_ms;
        used += (end_ms - from_ms + DAY_MS - 1) / DAY_MS;
        if (!ended && until_ms > now.ms) {
            out->from_ms = from_ms;
            out->until_ms = until_ms;
        }
    }
    store_done(all);
    out->used = (uint8_t)(used < UINT8_MAX ? used : UINT8_MAX);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}
