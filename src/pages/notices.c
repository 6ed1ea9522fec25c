// SPDX-License-Identifier: GPL-3.0-or-later
//
// One job of the commit thread tells a few players; its queries find those not told yet.
#include "pages/notices.h"

#include <string.h>

#include <jadoube/laws.h>

#include "pages/internal.h"

#define HOUR_MS INT64_C(3600000)
#define DAY_MS (24 * HOUR_MS)
// Letters of one job, so that no commit takes long.
#define AT_ONCE 16
#define TOKEN_BYTES_OFF 24
#define TOKEN_TEXT_OFF 33 // base64url, with NUL

typedef struct Wants {
    PagesNotices notices;
    char token[TOKEN_TEXT_OFF]; // empty: no row yet
} Wants;

// ---- what is wanted -----------------------------------------------------------------------------

static bool read_wants(StoreDb *db, int64_t account, Wants *out, JdErr *err) {
    *out = (Wants) { .notices = { true, true, true, true, -1 } };
    StoreStmt *find = store_query(db, STORE_NOTICE_PREFS);
    store_bind_int(find, 1, account);
    const StoreStep step = store_step(find, err);
    if (step == STORE_STEP_ROW) {
        out->notices = (PagesNotices) {
            .moves = store_column_int(find, 0) != 0,
            .day = store_column_int(find, 1) != 0,
            .hours = store_column_int(find, 2) != 0,
            .invitations = store_column_int(find, 5) != 0,
            .digest_hour = (int8_t)(store_column_is_null(find, 3) ? -1 : store_column_int(find, 3)),
        };
        jd_format(out->token, sizeof out->token, "%.*s", JD_PRINT(store_column_text(find, 4)));
    }
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool put_wants(StoreDb *db, int64_t account, Wants *wants, JdErr *err) {
    if (wants->token[0] == '\0') {
        unsigned char bytes[TOKEN_BYTES_OFF];
        randombytes_buf(bytes, sizeof bytes);
        sodium_bin2base64(wants->token, sizeof wants->token, bytes, sizeof bytes,
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    }
    StoreStmt *put = store_query(db, STORE_NOTICE_PREFS_PUT);
    store_bind_int(put, 1, account);
    store_bind_int(put, 2, wants->notices.moves);
    store_bind_int(put, 3, wants->notices.day);
    store_bind_int(put, 4, wants->notices.hours);
    if (wants->notices.digest_hour >= 0)
        store_bind_int(put, 5, wants->notices.digest_hour);
    else
        store_bind_null(put, 5);
    store_bind_text(put, 6, jd_str(wants->token));
    store_bind_int(put, 7, wants->notices.invitations);
    return store_run(put, NULL, err);
}

bool pages_notices(PagesWorker *worker, int64_t account, PagesNotices *out, PagesFault *fault) {
    Wants wants;
    JdErr err = { 0 };
    if (!read_wants(worker->db, account, &wants, &err))
        return refuse_store(fault, &err);
    *out = wants.notices;
    return true;
}

typedef struct SetJob {
    int64_t account;
    PagesNotices notices;
} SetJob;

static bool set_job(StoreDb *db, void *arg, JdErr *err) {
    const SetJob *job = arg;
    Wants wants;
    if (!read_wants(db, job->account, &wants, err))
        return false;
    wants.notices = job->notices;
    return put_wants(db, job->account, &wants, err);
}

bool pages_notices_set(PagesWorker *worker, int64_t account, const PagesNotices *notices,
                       PagesFault *fault) {
    SetJob job = { account, *notices };
    JdErr err = { 0 };
    if (notices->digest_hour < -1 || notices->digest_hour > 23)
        return refuse(fault, PAGES_BAD_REQUEST, "digest_hour", "expected 0 to 23, or null");
    return store_write(worker->pages->config.store, set_job, &job, &err) ||
           refuse_store(fault, &err);
}

typedef struct OffJob {
    JdStr token;
    int64_t changed;
} OffJob;

static bool off_job(StoreDb *db, void *arg, JdErr *err) {
    OffJob *job = arg;
    StoreStmt *off = store_query(db, STORE_NOTICES_OFF);
    store_bind_text(off, 1, job->token);
    return store_run(off, &job->changed, err);
}

bool pages_notices_off(PagesWorker *worker, JdStr token, PagesFault *fault) {
    OffJob job = { .token = token };
    JdErr err = { 0 };
    if (token.size != TOKEN_TEXT_OFF - 1)
        return refuse(fault, PAGES_LINK_BAD, "token", "the link is nobody's");
    if (!store_write(worker->pages->config.store, off_job, &job, &err))
        return refuse_store(fault, &err);
    return job.changed > 0 || refuse(fault, PAGES_LINK_BAD, "token", "the link is nobody's");
}

// ---- telling ------------------------------------------------------------------------------------

typedef struct TellJob {
    Pages *pages;
    JdInstant now;
    int left;
} TellJob;

// A game whose player to move is to be told something.
typedef struct Due {
    StoreId id;
    int64_t player;
    int64_t other;
    int64_t plies;
    int64_t deadline_ms;
    bool one_day; // the whole allotment is a day
} Due;

typedef struct Kind {
    StoreQuery find;
    StoreQuery told;
    const char *letter;
    int64_t lives_ms; // worth a push for so long
} Kind;

static const Kind kinds[] = {
    { STORE_NOTICES_MOVE, STORE_NOTICE_TOLD_MOVE, "notice_move", DAY_MS },
    { STORE_NOTICES_HOURS, STORE_NOTICE_TOLD_HOURS, "notice_hours", 6 * HOUR_MS },
    { STORE_NOTICES_DAY, STORE_NOTICE_TOLD_DAY, "notice_day", 18 * HOUR_MS },
};

// What is told, by letter and by push.
typedef struct Telling {
    const char *kind; // a section of data/mail.*.txt and of data/push.*.txt
    int64_t account;
    JdStr path;
    JdStr opponent;
    JdStr number;
    int64_t lives_ms;
    bool urgent;
} Telling;

static size_t find_due(StoreDb *db, const Kind *kind, JdInstant now, Due out[AT_ONCE], JdErr *err,
                       bool *ok) {
    size_t count = 0;
    StoreStmt *find = store_query(db, kind->find);
    store_bind_int(find, 1, now.ms);
    store_bind_int(find, 2, AT_ONCE);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW && count < AT_ONCE) {
        Due *due = &out[count];
        const bool white = store_column_int(find, 3) == 0;
        LawsControl control;
        *due = (Due) {
            .player = store_column_int(find, white ? 1 : 2),
            .other = store_column_int(find, white ? 2 : 1),
            .plies = store_column_int(find, 4),
            .deadline_ms = store_column_int(find, 5),
        };
        due->one_day = laws_control_parse(store_column_text(find, 6), &control, NULL) &&
                       control.move_ms == DAY_MS;
        if (store_id(store_column_text(find, 0), &due->id))
            count++;
    }
    store_done(find);
    *ok = step != STORE_STEP_FAILED;
    return count;
}

static bool mark_told(StoreDb *db, const Kind *kind, const Due *due, JdErr *err) {
    StoreStmt *told = store_query(db, kind->told);
    store_bind_text(told, 1, store_id_str(&due->id));
    store_bind_int(told, 2, due->plies);
    return store_run(told, NULL, err);
}

static bool is_wanted(const Kind *kind, const Due *due, const PagesNotices *wants) {
    if (kind->find == STORE_NOTICES_MOVE)
        return wants->moves && wants->digest_hour < 0;
    if (kind->find == STORE_NOTICES_DAY)
        return wants->day && !due->one_day; // that it is his move says as much
    return wants->hours;
}

static bool enqueue(TellJob *job, StoreDb *db, const Telling *telling, Wants *wants, JdErr *err) {
    char off[400];
    char one_click[400];
    char link[400];
    const char *site = job->pages->config.site;
    // The link's token must be in the database before the letter goes.
    if (wants->token[0] == '\0' && !put_wants(db, telling->account, wants, err))
        return false;
    jd_format(link, sizeof link, "%s%.*s", site, JD_PRINT(telling->path));
    jd_format(off, sizeof off, "%s/notices/off/%s", site, wants->token);
    jd_format(one_click, sizeof one_click, "%s/api/v1/notices/off/%s", site, wants->token);
    const PagesMail mail = {
        .kind = telling->kind,
        .account = telling->account,
        .unsubscribe = jd_str(one_click),
        .words = { { "link", jd_str(link) },
                   { "off", jd_str(off) },
                   { "opponent", telling->opponent },
                   { "count", telling->number } },
    };
    const PushNotice push = {
        .kind = telling->kind,
        .account = telling->account,
        .path = telling->path,
        .tag = telling->path, // of a game the newest is told
        .lives_ms = telling->lives_ms,
        .urgent = telling->urgent,
        .words = { { "opponent", telling->opponent }, { "count", telling->number } },
    };
    return pages_mail_enqueue(job->pages, db, &mail, job->now, err) &&
           push_enqueue(job->pages, db, &push, job->now, err);
}

static bool tell_one(TellJob *job, StoreDb *db, const Kind *kind, const Due *due, JdErr *err) {
    Wants wants;
    if (!mark_told(db, kind, due, err) || !read_wants(db, due->player, &wants, err))
        return false;
    if (!is_wanted(kind, due, &wants.notices))
        return true;
    char nick[PAGES_NICK_SIZE] = "?";
    StoreStmt *find = store_query(db, STORE_ACCOUNT_BY_ID);
    store_bind_int(find, 1, due->other);
    if (store_step(find, err) == STORE_STEP_ROW && !store_column_is_null(find, 1))
        jd_format(nick, sizeof nick, "%.*s", JD_PRINT(store_column_text(find, 1)));
    store_done(find);
    char path[40];
    jd_format(path, sizeof path, "/game/%s", due->id.text);
    const Telling telling = {
        .kind = kind->letter,
        .account = due->player,
        .path = jd_str(path),
        .opponent = jd_str(nick),
        .number = JD_STR(""),
        .lives_ms = kind->lives_ms,
        .urgent = kind->find == STORE_NOTICES_HOURS,
    };
    return enqueue(job, db, &telling, &wants, err);
}

// ---- once a day ---------------------------------------------------------------------------------

static bool digest_one(TellJob *job, StoreDb *db, int64_t account, int64_t day, JdErr *err) {
    StoreStmt *told = store_query(db, STORE_NOTICE_DIGESTED);
    store_bind_int(told, 1, account);
    store_bind_int(told, 2, day);
    if (!store_run(told, NULL, err))
        return false;
    StoreStmt *waiting = store_query(db, STORE_NOTICE_WAITING);
    store_bind_int(waiting, 1, account);
    int64_t count = 0;
    const StoreStep step = store_step(waiting, err);
    if (step == STORE_STEP_ROW)
        count = store_column_int(waiting, 0);
    store_done(waiting);
    Wants wants;
    if (step == STORE_STEP_FAILED || !read_wants(db, account, &wants, err))
        return false;
    if (count == 0 || !wants.notices.moves)
        return true;
    char number[24];
    jd_format(number, sizeof number, "%lld", (long long)count);
    const Telling telling = {
        .kind = "notice_digest",
        .account = account,
        .path = JD_STR("/"),
        .opponent = JD_STR(""),
        .number = jd_str(number),
        .lives_ms = DAY_MS,
    };
    return enqueue(job, db, &telling, &wants, err);
}

static bool tell_digests(TellJob *job, StoreDb *db, JdErr *err) {
    const int64_t day = job->now.ms / DAY_MS;
    int64_t accounts[AT_ONCE];
    size_t count = 0;
    StoreStmt *find = store_query(db, STORE_NOTICE_DIGESTS);
    store_bind_int(find, 1, job->now.ms / HOUR_MS % 24);
    store_bind_int(find, 2, day);
    store_bind_int(find, 3, AT_ONCE);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW && count < AT_ONCE)
        accounts[count++] = store_column_int(find, 0);
    store_done(find);
    bool ok = step != STORE_STEP_FAILED;
    for (size_t i = 0; ok && i < count; i++)
        ok = digest_one(job, db, accounts[i], day, err);
    job->left += count == AT_ONCE;
    return ok;
}

// ---- invitations --------------------------------------------------------------------------------

typedef struct Invitation {
    int64_t id;
    int64_t account;
    int64_t at_ms;
    bool rematch;
    char nick[PAGES_NICK_SIZE]; // empty: by now a former player
} Invitation;

static bool tell_invitation(TellJob *job, StoreDb *db, const Invitation *invitation, JdErr *err) {
    StoreStmt *told = store_query(db, STORE_BELL_TOLD);
    store_bind_int(told, 1, invitation->id);
    Wants wants;
    if (!store_run(told, NULL, err) || !read_wants(db, invitation->account, &wants, err))
        return false;
    // One who was not told in time, because the program was down, finds it behind the bell.
    if (!wants.notices.invitations || invitation->nick[0] == '\0' ||
        job->now.ms - invitation->at_ms > HOUR_MS)
        return true;
    const Telling telling = {
        .kind = invitation->rematch ? "rematch" : "invitation",
        .account = invitation->account,
        .path = JD_STR("/play"),
        .opponent = jd_str(invitation->nick),
        .number = JD_STR(""),
        .lives_ms = HOUR_MS,
        .urgent = true,
    };
    return enqueue(job, db, &telling, &wants, err);
}

static bool tell_invitations(TellJob *job, StoreDb *db, JdErr *err) {
    Invitation due[AT_ONCE];
    size_t count = 0;
    StoreStmt *find = store_query(db, STORE_BELL_UNTOLD);
    store_bind_int(find, 1, AT_ONCE);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW && count < AT_ONCE) {
        Invitation *one = &due[count++];
        *one =
            (Invitation) { .id = store_column_int(find, 0),
                           .account = store_column_int(find, 1),
                           .rematch = jd_str_equal(store_column_text(find, 2), JD_STR("rematch")),
                           .at_ms = store_column_int(find, 5) };
        if (!store_column_is_null(find, 3))
            copy_text(one->nick, sizeof one->nick, store_column_text(find, 3));
    }
    store_done(find);
    bool ok = step != STORE_STEP_FAILED;
    for (size_t i = 0; ok && i < count; i++)
        ok = tell_invitation(job, db, &due[i], err);
    job->left += count == AT_ONCE;
    return ok;
}

static bool tell_job(StoreDb *db, void *arg, JdErr *err) {
    TellJob *job = arg;
    bool ok = true;
    job->left = 0;
    for (size_t i = 0; ok && i < JD_COUNT(kinds); i++) {
        Due due[AT_ONCE];
        const size_t count = find_due(db, &kinds[i], job->now, due, err, &ok);
        for (size_t k = 0; ok && k < count; k++)
            ok = tell_one(job, db, &kinds[i], &due[k], err);
        job->left += count == AT_ONCE;
    }
    return ok && tell_invitations(job, db, err) && tell_digests(job, db, err);
}

bool pages_notices_tell(PagesWorker *worker, JdInstant now, bool *more, PagesFault *fault) {
    TellJob job = { .pages = worker->pages, .now = now };
    JdErr err = { 0 };
    const bool ok = store_write(worker->pages->config.store, tell_job, &job, &err);
    *more = ok && job.left > 0;
    return ok || refuse_store(fault, &err);
}
