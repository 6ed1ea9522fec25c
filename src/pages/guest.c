// SPDX-License-Identifier: GPL-3.0-or-later
//
// Accounts that nobody registers: those under which the computer plays, and those of guests who
// play against it. Their nicks begin with words that are reserved for the house, so no person's
// nick looks like them; their password hash is no hash, so nobody logs in to them.
#include "pages/internal.h"

#include <stdio.h>
#include <string.h>

#define NO_PASSWORD "!"
#define GUEST_PREFIX "guest-"
#define COMPUTER_PREFIX "computer-"
#define GUEST_LETTERS 8
#define GUESTS_SWEPT 20                        // old ones erased with each new one
#define GUEST_LIFE_MS (INT64_C(30) * 86400000) // as long as their cookie

bool pages_is_guest(JdStr nick) {
    return jd_str_starts_with(nick, JD_STR(GUEST_PREFIX));
}

int pages_level_of(JdStr nick) {
    uint64_t level = 0;
    const JdStr prefix = JD_STR(COMPUTER_PREFIX);
    if (!jd_str_starts_with(nick, prefix) ||
        !jd_parse_u64(jd_str_part(nick, prefix.size, nick.size), 99, &level))
        return 0;
    return (int)level;
}

// Inserts an account without a password; *taken when the nick is.
static bool insert(StoreDb *db, int64_t id, const char *nick, const char *language, JdInstant now,
                   bool *taken, JdErr *err) {
    char skeleton[PAGES_SKELETON_SIZE];
    const bool sound = pages_nick_skeleton(jd_str(nick), skeleton);
    JD_ASSERT(sound);
    StoreStmt *put = store_query(db, STORE_ACCOUNT_INSERT);
    store_bind_int(put, 1, id);
    store_bind_text(put, 2, jd_str(nick));
    store_bind_text(put, 3, jd_str(skeleton));
    store_bind_null(put, 4);
    store_bind_null(put, 5);
    store_bind_text(put, 6, JD_STR(NO_PASSWORD));
    store_bind_text(put, 7, jd_str(language));
    store_bind_int(put, 8, now.ms);
    int64_t changed = 0;
    if (!store_run(put, &changed, err))
        return false;
    *taken = changed == 0;
    return true;
}

static int64_t draw_id(void) {
    uint64_t bits = 0;
    while (bits == 0) {
        randombytes_buf(&bits, sizeof bits);
        bits &= (UINT64_C(1) << 53) - 1;
    }
    return (int64_t)bits;
}

// ---- the computer -------------------------------------------------------------------------------

typedef struct Computers {
    size_t count;
    PagesMe *accounts;
    JdInstant now;
} Computers;

static bool find_or_make(StoreDb *db, PagesMe *out, JdInstant now, JdErr *err) {
    char skeleton[PAGES_SKELETON_SIZE];
    Account account;
    bool found = false;
    bool taken = false;
    const bool sound = pages_nick_skeleton(jd_str(out->nick), skeleton);
    JD_ASSERT(sound);
    if (!account_by_skeleton(db, skeleton, &account, &found, err))
        return false;
    if (found) {
        *out = account.me;
        return true;
    }
    out->account = draw_id();
    return insert(db, out->account, out->nick, out->language, now, &taken, err) &&
           (!taken || jd_fail(err, PAGES_INTERNAL, 0, "the nick %s was taken", out->nick));
}

static bool computers_job(StoreDb *db, void *context, JdErr *err) {
    Computers *job = context;
    for (size_t i = 0; i < job->count; i++) {
        PagesMe *me = &job->accounts[i];
        *me = (PagesMe) { .created_ms = job->now.ms, .language = "en" };
        snprintf(me->nick, sizeof me->nick, COMPUTER_PREFIX "%zu", i + 1);
        if (!find_or_make(db, me, job->now, err))
            return false;
    }
    return true;
}

bool pages_computers(PagesWorker *worker, size_t count, PagesMe *accounts, JdInstant now,
                     PagesFault *fault) {
    Computers job = { count, accounts, now };
    JdErr err = { 0 };
    return store_write(worker->pages->config.store, computers_job, &job, &err) ||
           refuse_store(fault, &err);
}

// ---- guests -------------------------------------------------------------------------------------

typedef struct Guest {
    PagesMe me;
    NewSession session;
    JdInstant now;
} Guest;

// Guests whose cookie has long ended; their games stay, under "former player".
static bool sweep(StoreDb *db, JdInstant now, JdErr *err) {
    int64_t old[GUESTS_SWEPT];
    size_t count = 0;
    StoreStmt *find = store_query(db, STORE_GUESTS_OLD);
    store_bind_int(find, 1, now.ms - GUEST_LIFE_MS);
    store_bind_int(find, 2, GUESTS_SWEPT);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW)
        old[count++] = store_column_int(find, 0);
    store_done(find);
    bool ok = step == STORE_STEP_DONE;
    for (size_t i = 0; ok && i < count; i++)
        ok = account_erase(db, old[i], now, err);
    return ok;
}

static bool guest_job(StoreDb *db, void *context, JdErr *err) {
    Guest *job = context;
    bool taken = false;
    if (!sweep(db, job->now, err) ||
        !insert(db, job->me.account, job->me.nick, job->me.language, job->now, &taken, err))
        return false;
    if (taken) // one in 2^40: asked again by whoever asked
        return jd_fail(err, PAGES_UNAVAILABLE, 0, "the nick %s was taken", job->me.nick);
    return session_insert(db, &job->session, job->me.account, err);
}

bool pages_guest(PagesWorker *worker, JdStr language, const PagesAddress *address, JdInstant now,
                 PagesSession *out, PagesFault *fault) {
    static const char letters[] = "abcdefghjkmnpqrstuvwxyz23456789z";
    Pages *pages = worker->pages;
    *fault = (PagesFault) { 0 };
    if (!jd_str_equal(language, JD_STR("ru")) && !jd_str_equal(language, JD_STR("ro")) &&
        !jd_str_equal(language, JD_STR("en")))
        return jd_fail_field(&fault->err, PAGES_BAD_REQUEST, "language", 0,
                             "expected ru, ro or en");
    unsigned char block[BLOCK_SIZE];
    address_block(address, block);
    if (!limit_take(&pages->guests, jd_str_n((const char *)block, sizeof block), now,
                    &fault->retry_after_s))
        return jd_fail(&fault->err, PAGES_RATE_LIMITED, 0, "too many guests from this address");
    Guest job = { .now = now };
    unsigned char random[GUEST_LETTERS];
    randombytes_buf(random, sizeof random);
    char name[GUEST_LETTERS + 1] = { 0 };
    for (int i = 0; i < GUEST_LETTERS; i++)
        name[i] = letters[random[i] & 31];
    snprintf(job.me.nick, sizeof job.me.nick, "%s%s", GUEST_PREFIX, name);
    snprintf(job.me.language, sizeof job.me.language, "%.*s", JD_PRINT(language));
    job.me.account = draw_id();
    job.me.created_ms = now.ms;
    session_draw(&job.session, true, now);
    JdErr err = { 0 };
    if (!store_write(pages->config.store, guest_job, &job, &err))
        return refuse_store(fault, &err);
    *out = (PagesSession) { .me = job.me, .max_age_s = session_max_age_s(&job.session) };
    memcpy(out->token, job.session.token, sizeof out->token);
    sodium_memzero(&job, sizeof job);
    return true;
}
