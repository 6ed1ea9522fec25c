// SPDX-License-Identifier: GPL-3.0-or-later
//
// Subscriptions and the queue of notices that wait for push services.
#include "pages/push.h"

#include <string.h>

#include "pages/internal.h"

// ---- the house's key ----------------------------------------------------------------------------

static bool read_key(StoreDb *db, PagesPushKey *out, bool *found, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_PUSH_KEY);
    const StoreStep step = store_step(find, err);
    *found = step == STORE_STEP_ROW;
    if (*found) {
        memcpy(out->private_key, store_column_blob(find, 0).data, sizeof out->private_key);
        memcpy(out->public_key, store_column_blob(find, 1).data, sizeof out->public_key);
    }
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool key_job(StoreDb *db, void *arg, JdErr *err) {
    PagesPushKey *key = arg;
    bool found = false;
    StoreStmt *put = store_query(db, STORE_PUSH_KEY_PUT);
    store_bind_blob(put, 1, jd_str_n((const char *)key->private_key, sizeof key->private_key));
    store_bind_blob(put, 2, jd_str_n((const char *)key->public_key, sizeof key->public_key));
    return store_run(put, NULL, err) && read_key(db, key, &found, err);
}

bool pages_push_key(Pages *pages, PagesPushKey *inout, JdErr *err) {
    return store_write(pages->config.store, key_job, inout, err);
}

// ---- subscriptions ------------------------------------------------------------------------------

typedef struct SubscribeJob {
    Pages *pages;
    int64_t account;
    unsigned char session[TOKEN_HASH_SIZE];
    const PagesPushTarget *target;
    JdInstant now;
} SubscribeJob;

static bool find_endpoint(StoreDb *db, JdStr endpoint, int64_t *id, int64_t *account, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_PUSH_BY_ENDPOINT);
    store_bind_text(find, 1, endpoint);
    const StoreStep step = store_step(find, err);
    *id = step == STORE_STEP_ROW ? store_column_int(find, 0) : 0;
    *account = step == STORE_STEP_ROW ? store_column_int(find, 1) : 0;
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool subscribe_job(StoreDb *db, void *arg, JdErr *err) {
    const SubscribeJob *job = arg;
    int64_t id = 0;
    int64_t before = 0;
    if (!find_endpoint(db, job->target->endpoint, &id, &before, err))
        return false;
    // What waited for somebody else's eyes is not shown to this one.
    if (before != 0 && before != job->account) {
        StoreStmt *drop = store_query(db, STORE_PUSH_DROP);
        store_bind_int(drop, 1, id);
        if (!store_run(drop, NULL, err))
            return false;
    }
    StoreStmt *put = store_query(db, STORE_PUSH_SUBSCRIBE);
    store_bind_int(put, 1, job->account);
    store_bind_blob(put, 2, jd_str_n((const char *)job->session, sizeof job->session));
    store_bind_text(put, 3, job->target->endpoint);
    store_bind_blob(put, 4, jd_str_n((const char *)job->target->public_key, PAGES_PUSH_PUBLIC));
    store_bind_blob(put, 5, jd_str_n((const char *)job->target->secret, PAGES_PUSH_SECRET));
    store_bind_int(put, 6, job->now.ms);
    if (!store_run(put, NULL, err))
        return false;
    StoreStmt *trim = store_query(db, STORE_PUSH_TRIM);
    store_bind_int(trim, 1, job->account);
    store_bind_int(trim, 2, PAGES_PUSH_DEVICES_MAX);
    if (!store_run(trim, NULL, err))
        return false;
    if (before == job->account)
        return true;
    if (!find_endpoint(db, job->target->endpoint, &id, &before, err))
        return false;
    const PushNotice welcome = { .kind = "push_on",
                                 .account = job->account,
                                 .subscription = id,
                                 .path = JD_STR("/account/notices"),
                                 .tag = JD_STR("on"),
                                 .lives_ms = INT64_C(600000) };
    return push_enqueue(job->pages, db, &welcome, job->now, err);
}

bool pages_push_subscribe(PagesWorker *worker, int64_t account, JdStr token,
                          const PagesPushTarget *target, JdInstant now, PagesFault *fault) {
    SubscribeJob job = { .pages = worker->pages, .account = account, .target = target, .now = now };
    JdErr err = { 0 };
    if (!token_hash(token, job.session))
        return refuse(fault, PAGES_AUTH_REQUIRED, "", "log in first");
    return store_write(worker->pages->config.store, subscribe_job, &job, &err) ||
           refuse_store(fault, &err);
}

bool pages_push_devices(PagesWorker *worker, int64_t account, JdStr token, PagesPushDevices *out,
                        PagesFault *fault) {
    unsigned char own[TOKEN_HASH_SIZE] = { 0 };
    JdErr err = { 0 };
    (void)token_hash(token, own);
    *out = (PagesPushDevices) { .count = 0 };
    StoreStmt *find = store_query(worker->db, STORE_PUSH_OF);
    store_bind_int(find, 1, account);
    StoreStep step;
    while ((step = store_step(find, &err)) == STORE_STEP_ROW && out->count < JD_COUNT(out->list)) {
        const JdStr session = store_column_blob(find, 3);
        out->list[out->count].id = store_column_int(find, 0);
        out->list[out->count].created_ms = store_column_int(find, 1);
        copy_text(out->list[out->count].agent, PAGES_AGENT_SIZE, store_column_text(find, 2));
        out->list[out->count].own =
            session.size == sizeof own && memcmp(session.data, own, sizeof own) == 0;
        out->count++;
    }
    store_done(find);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}

typedef struct EndJob {
    int64_t account;
    int64_t device;
    JdStr endpoint;
    int64_t changed;
} EndJob;

static bool end_job(StoreDb *db, void *arg, JdErr *err) {
    EndJob *job = arg;
    StoreStmt *end = store_query(db, STORE_PUSH_END);
    store_bind_int(end, 1, job->account);
    store_bind_int(end, 2, job->device);
    return store_run(end, &job->changed, err);
}

bool pages_push_end(PagesWorker *worker, int64_t account, int64_t device, PagesFault *fault) {
    EndJob job = { .account = account, .device = device };
    JdErr err = { 0 };
    if (!store_write(worker->pages->config.store, end_job, &job, &err))
        return refuse_store(fault, &err);
    return job.changed > 0 || refuse(fault, PAGES_NOT_FOUND, "", "no such device");
}

static bool off_job(StoreDb *db, void *arg, JdErr *err) {
    EndJob *job = arg;
    StoreStmt *drop = store_query(db, STORE_PUSH_DROP_ENDPOINT);
    store_bind_text(drop, 1, job->endpoint);
    return store_run(drop, &job->changed, err);
}

bool pages_push_off(PagesWorker *worker, JdStr endpoint, PagesFault *fault) {
    EndJob job = { .endpoint = endpoint };
    JdErr err = { 0 };
    return store_write(worker->pages->config.store, off_job, &job, &err) ||
           refuse_store(fault, &err);
}

// ---- into the queue -----------------------------------------------------------------------------

static bool language_of(StoreDb *db, int64_t account, char out[4], JdErr *err) {
    StoreStmt *find = store_query(db, STORE_ACCOUNT_ADDRESS);
    store_bind_int(find, 1, account);
    const StoreStep step = store_step(find, err);
    jd_format(out, 4, "en");
    if (step == STORE_STEP_ROW)
        copy_text(out, 4, store_column_text(find, 1));
    store_done(find);
    return step != STORE_STEP_FAILED;
}

// A text of push_texts: its subject is the title, its first lines are the body.
static bool fill(const PushNotice *notice, JdStr language, const char *name, char *title,
                 char *body, JdErr *err) {
    const PagesText *text = text_find(push_texts, push_texts_count, language, name);
    if (text == NULL)
        return jd_fail(err, PAGES_INTERNAL, 0, "no text \"%s\"", name);
    const char *missing = NULL;
    JdOut title_out = jd_out(title, PAGES_PUSH_TEXT - 1);
    JdOut body_out = jd_out(body, PAGES_PUSH_TEXT - 1);
    if (!text_fill(text->subject, notice->words, JD_COUNT(notice->words), &title_out, &missing) ||
        !text_fill(text->text, notice->words, JD_COUNT(notice->words), &body_out, &missing))
        return jd_fail(err, PAGES_INTERNAL, 0, "notice \"%s\": no word for %.20s", name, missing);
    if (!jd_out_fits(&title_out) || !jd_out_fits(&body_out))
        return jd_fail(err, PAGES_INTERNAL, 0, "notice \"%s\" is too long", name);
    title[title_out.size] = '\0';
    body[body_out.size] = '\0';
    while (body_out.size > 0 && body[body_out.size - 1] == '\n')
        body[--body_out.size] = '\0';
    return true;
}

bool push_enqueue(Pages *pages, StoreDb *db, const PushNotice *notice, JdInstant now, JdErr *err) {
    char language[4];
    char title[PAGES_PUSH_TEXT];
    char body[PAGES_PUSH_TEXT];
    char off[PAGES_PUSH_TEXT];
    char nothing[PAGES_PUSH_TEXT];
    if (pages->config.push_waits == NULL)
        return true;
    if (!language_of(db, notice->account, language, err) ||
        !fill(notice, jd_str(language), notice->kind, title, body, err) ||
        !fill(notice, jd_str(language), "push_off", off, nothing, err))
        return false;
    // What is out of date is not sent when the service is reached again.
    StoreStmt *replace = store_query(db, STORE_PUSH_REPLACE);
    store_bind_int(replace, 1, notice->account);
    store_bind_text(replace, 2, notice->tag);
    store_bind_int(replace, 3, notice->subscription); // 0: of all the account's browsers
    if (!store_run(replace, NULL, err))
        return false;
    const bool one = notice->subscription != 0;
    StoreStmt *put = store_query(db, one ? STORE_PUSH_ENQUEUE_ONE : STORE_PUSH_ENQUEUE);
    store_bind_int(put, 1, one ? notice->subscription : notice->account);
    store_bind_text(put, 2, jd_str(title));
    store_bind_text(put, 3, jd_str(body));
    store_bind_text(put, 4, notice->path);
    store_bind_text(put, 5, notice->tag);
    store_bind_text(put, 6, jd_str(off));
    store_bind_text(put, 7, jd_str(language));
    store_bind_int(put, 8, notice->urgent);
    store_bind_int(put, 9, now.ms + notice->lives_ms);
    store_bind_int(put, 10, now.ms);
    int64_t queued = 0;
    if (!store_run(put, &queued, err))
        return false;
    if (queued > 0)
        pages->config.push_waits(pages->config.push_context);
    return true;
}

bool push_erase(StoreDb *db, int64_t account, JdErr *err) {
    StoreStmt *forget = store_query(db, STORE_PUSH_FORGET);
    store_bind_int(forget, 1, account);
    return store_run(forget, NULL, err);
}

// ---- out of the queue ---------------------------------------------------------------------------

typedef struct TakeJob {
    JdInstant now;
    int64_t lease_ms;
    PagesPush *push;
    bool found;
    int64_t next_ms;
} TakeJob;

static bool remove_push(StoreDb *db, int64_t id, JdErr *err) {
    StoreStmt *remove = store_query(db, STORE_PUSH_DELETE);
    store_bind_int(remove, 1, id);
    return store_run(remove, NULL, err);
}

static bool read_first(StoreDb *db, TakeJob *job, JdErr *err) {
    PagesPush *push = job->push;
    StoreStmt *first = store_query(db, STORE_PUSH_FIRST);
    const StoreStep step = store_step(first, err);
    job->found = step == STORE_STEP_ROW;
    job->next_ms = job->found ? store_column_int(first, 10) : INT64_MAX;
    if (job->found && job->next_ms <= job->now.ms) {
        push->id = store_column_int(first, 0);
        push->subscription = store_column_int(first, 1);
        copy_text(push->title, sizeof push->title, store_column_text(first, 2));
        copy_text(push->body, sizeof push->body, store_column_text(first, 3));
        copy_text(push->url, sizeof push->url, store_column_text(first, 4));
        copy_text(push->tag, sizeof push->tag, store_column_text(first, 5));
        copy_text(push->off, sizeof push->off, store_column_text(first, 6));
        copy_text(push->language, sizeof push->language, store_column_text(first, 7));
        push->urgent = store_column_int(first, 8) != 0;
        push->expires_ms = store_column_int(first, 9);
        push->tries = (uint32_t)store_column_int(first, 11) + 1;
        copy_text(push->endpoint, sizeof push->endpoint, store_column_text(first, 12));
        memcpy(push->public_key, store_column_blob(first, 13).data, sizeof push->public_key);
        memcpy(push->secret, store_column_blob(first, 14).data, sizeof push->secret);
    }
    store_done(first);
    return step != STORE_STEP_FAILED;
}

static bool take_job(StoreDb *db, void *arg, JdErr *err) {
    TakeJob *job = arg;
    // A bound, so that no commit takes long over what nobody wants any more.
    for (int i = 0; i < 64; i++) {
        if (!read_first(db, job, err))
            return false;
        if (!job->found || job->next_ms > job->now.ms) {
            job->found = false;
            return true;
        }
        if (job->push->expires_ms > job->now.ms) {
            StoreStmt *claim = store_query(db, STORE_PUSH_CLAIM);
            store_bind_int(claim, 1, job->push->id);
            store_bind_int(claim, 2, job->now.ms + job->lease_ms);
            return store_run(claim, NULL, err);
        }
        if (!remove_push(db, job->push->id, err))
            return false;
    }
    job->found = false;
    job->next_ms = job->now.ms;
    return true;
}

bool pages_push_take(Pages *pages, JdInstant now, int64_t lease_ms, PagesPush *out, bool *found,
                     int64_t *next_ms, JdErr *err) {
    TakeJob job = { .now = now, .lease_ms = lease_ms, .push = out, .next_ms = INT64_MAX };
    *out = (PagesPush) { 0 };
    if (!store_write(pages->config.store, take_job, &job, err))
        return false;
    *found = job.found;
    *next_ms = job.next_ms;
    return true;
}

static bool done_job(StoreDb *db, void *arg, JdErr *err) {
    return remove_push(db, *(const int64_t *)arg, err);
}

bool pages_push_done(Pages *pages, int64_t push, JdErr *err) {
    return store_write(pages->config.store, done_job, &push, err);
}

typedef struct LaterJob {
    int64_t push;
    int64_t next_ms;
} LaterJob;

static bool later_job(StoreDb *db, void *arg, JdErr *err) {
    const LaterJob *job = arg;
    StoreStmt *later = store_query(db, STORE_PUSH_LATER);
    store_bind_int(later, 1, job->push);
    store_bind_int(later, 2, job->next_ms);
    return store_run(later, NULL, err);
}

bool pages_push_later(Pages *pages, int64_t push, int64_t next_ms, JdErr *err) {
    LaterJob job = { push, next_ms };
    return store_write(pages->config.store, later_job, &job, err);
}

static bool gone_job(StoreDb *db, void *arg, JdErr *err) {
    StoreStmt *drop = store_query(db, STORE_PUSH_DROP);
    store_bind_int(drop, 1, *(const int64_t *)arg);
    return store_run(drop, NULL, err);
}

bool pages_push_gone(Pages *pages, int64_t subscription, JdErr *err) {
    return store_write(pages->config.store, gone_job, &subscription, err);
}
