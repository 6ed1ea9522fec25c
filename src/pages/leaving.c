// SPDX-License-Identifier: GPL-3.0-or-later
//
// Leaving for good: fourteen days to think it over, then the person is erased and the games
// stay, played by a former player.
#include <string.h>

#include "pages/internal.h"

#define GRACE_MS (INT64_C(14) * 86400000)
#define ERASED_AT_ONCE 20

void date_write(int64_t ms, char out[static 32]) {
    // Days since 1970-01-01 to a date, by the proleptic Gregorian calendar.
    const int64_t shifted = ms / 86400000 + 719468;
    const int64_t era = shifted / 146097;
    const int64_t day_of_era = shifted - era * 146097;
    const int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const int64_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t month_from_march = (5 * day_of_year + 2) / 153;
    const int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    const int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    const int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
    jd_format(out, 32, "%04lld-%02lld-%02lld", (long long)year, (long long)month, (long long)day);
}

typedef struct LeaveJob {
    Pages *pages;
    const Account *account;
    int64_t id;
    JdInstant now;
    bool undo;
    bool changed_meanwhile;
} LeaveJob;

static bool leave_job(StoreDb *db, void *arg, JdErr *err) {
    LeaveJob *job = arg;
    if (!job->undo) {
        bool unchanged = false;
        if (!account_unchanged(db, job->account, &unchanged, err))
            return false;
        job->changed_meanwhile = !unchanged;
        if (!unchanged)
            return true;
    }
    StoreStmt *set = store_query(db, STORE_ACCOUNT_SET_ERASE);
    store_bind_int(set, 1, job->id);
    if (job->undo)
        store_bind_null(set, 2);
    else
        store_bind_int(set, 2, job->now.ms + GRACE_MS);
    if (!store_run(set, NULL, err))
        return false;
    if (!job->undo) {
        StoreStmt *end = store_query(db, STORE_SESSIONS_END);
        store_bind_int(end, 1, job->id);
        if (!store_run(end, NULL, err))
            return false;
    }
    char date[32];
    char link[TICKET_LINK_SIZE];
    date_write(job->now.ms + GRACE_MS, date);
    jd_format(link, sizeof link, "%s/%s", job->pages->config.site, job->undo ? "" : "login");
    const PagesMail mail = { .kind = job->undo ? "delete_undone" : "delete_asked",
                             .account = job->id,
                             .words = { { "link", jd_str(link) }, { "date", jd_str(date) } } };
    return pages_mail_enqueue(job->pages, db, &mail, job->now, err);
}

bool pages_account_delete(PagesWorker *worker, int64_t id, JdStr password,
                          const PagesAddress *address, JdInstant now, PagesFault *fault) {
    JdErr err = { 0 };
    if (!check_text(password, "password", 4096, &err))
        return refuse_as(fault, &err, "password");
    Account account = { 0 };
    LeaveJob job = { .pages = worker->pages, .account = &account, .id = id, .now = now };
    bool ok = account_own(worker, id, &account, fault) &&
              account_prove(worker, &account, password, address, now, fault);
    if (ok && !store_write(worker->pages->config.store, leave_job, &job, &err))
        ok = refuse_store(fault, &err);
    if (ok && job.changed_meanwhile)
        ok = refuse(fault, PAGES_BAD_CREDENTIALS, "password", "the password was changed meanwhile");
    sodium_memzero(&account, sizeof account);
    return ok;
}

bool pages_account_stay(PagesWorker *worker, int64_t id, JdInstant now, PagesMe *out,
                        PagesFault *fault) {
    Account account = { 0 };
    LeaveJob job = { .pages = worker->pages, .id = id, .now = now, .undo = true };
    JdErr err = { 0 };
    bool ok = account_own(worker, id, &account, fault);
    if (ok && account.me.erase_after_ms == 0)
        ok = refuse(fault, PAGES_NOT_FOUND, "", "this account is not to be erased");
    if (ok && !store_write(worker->pages->config.store, leave_job, &job, &err))
        ok = refuse_store(fault, &err);
    ok = ok && account_own(worker, id, &account, fault);
    if (ok)
        *out = account_me(worker->pages, &account);
    sodium_memzero(&account, sizeof account);
    return ok;
}

// ---- erasing ------------------------------------------------------------------------------------

typedef struct EraseJob {
    PagesErased *out;
    JdInstant now;
} EraseJob;

static bool run_for(StoreDb *db, StoreQuery query, int64_t account, JdErr *err) {
    StoreStmt *stmt = store_query(db, query);
    store_bind_int(stmt, 1, account);
    return store_run(stmt, NULL, err);
}

bool account_erase(StoreDb *db, int64_t account, JdInstant now, JdErr *err) {
    static const StoreQuery forget[] = { STORE_SESSIONS_END,     STORE_CHAT_FORGET,
                                         STORE_TICKETS_FORGET,   STORE_BLOCKS_FORGET,
                                         STORE_ROLES_FORGET,     STORE_SIGNALS_FORGET,
                                         STORE_REPORTS_FORGET,   STORE_MAIL_FORGET,
                                         STORE_IDENTITIES_FORGET };
    for (size_t i = 0; i < JD_COUNT(forget); i++)
        if (!run_for(db, forget[i], account, err))
            return false;
    if (!settings_erase(db, account, err) || !people_erase(db, account, err) ||
        !push_erase(db, account, err) || !bell_erase(db, account, err))
        return false;
    StoreStmt *last = store_query(db, STORE_ACCOUNT_ERASE);
    store_bind_int(last, 1, account);
    store_bind_int(last, 2, now.ms);
    return store_run(last, NULL, err);
}

static bool erase_job(StoreDb *db, void *arg, JdErr *err) {
    const EraseJob *job = arg;
    StoreStmt *due = store_query(db, STORE_ACCOUNTS_TO_ERASE);
    store_bind_int(due, 1, job->now.ms);
    store_bind_int(due, 2, ERASED_AT_ONCE);
    StoreStep step;
    while ((step = store_step(due, err)) == STORE_STEP_ROW)
        job->out->accounts[job->out->count++] = store_column_int(due, 0);
    store_done(due);
    bool ok = step != STORE_STEP_FAILED;
    for (size_t i = 0; ok && i < job->out->count; i++)
        ok = account_erase(db, job->out->accounts[i], job->now, err);
    return ok;
}

bool pages_erase_due(PagesWorker *worker, JdInstant now, PagesErased *out, PagesFault *fault) {
    _Static_assert(ERASED_AT_ONCE == PAGES_ERASED_MAX, "what one call erases fits its answer");
    EraseJob job = { .out = out, .now = now };
    JdErr err = { 0 };
    *out = (PagesErased) { .count = 0 };
    return store_write(worker->pages->config.store, erase_job, &job, &err) ||
           refuse_store(fault, &err);
}
