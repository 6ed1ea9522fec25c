// SPDX-License-Identifier: GPL-3.0-or-later
//
// The devices an account is signed in on (S-022), and what is done when somebody else used it
// (S-021).
#include <string.h>

#include "pages/internal.h"

// ---- what a browser calls itself ----------------------------------------------------------------

// The first that is found; those that pass themselves off as others stand before them.
static const struct {
    const char *mark;
    const char *name;
} browsers[] = {
    { "Edg", "Edge" },          { "OPR/", "Opera" },       { "YaBrowser", "Yandex" },
    { "SamsungBrowser", "Samsung" }, { "Firefox/", "Firefox" }, { "FxiOS", "Firefox" },
    { "CriOS", "Chrome" },      { "Chrome/", "Chrome" },   { "Safari/", "Safari" },
}, systems[] = {
    { "Android", "Android" }, { "iPhone", "iPhone" }, { "iPad", "iPad" },   { "Windows", "Windows" },
    { "Mac OS X", "macOS" },  { "CrOS", "ChromeOS" }, { "Linux", "Linux" },
};

static bool holds(JdStr text, const char *mark) {
    const size_t size = strlen(mark);
    for (size_t at = 0; at + size <= text.size; at++)
        if (memcmp(text.data + at, mark, size) == 0)
            return true;
    return false;
}

void agent_name(JdStr agent, char out[PAGES_AGENT_SIZE]) {
    const char *browser = "";
    const char *system = "";
    for (size_t i = JD_COUNT(browsers); i-- > 0;)
        if (holds(agent, browsers[i].mark))
            browser = browsers[i].name;
    for (size_t i = JD_COUNT(systems); i-- > 0;)
        if (holds(agent, systems[i].mark))
            system = systems[i].name;
    jd_format(out, PAGES_AGENT_SIZE, "%s%s%s", browser,
              browser[0] != '\0' && system[0] != '\0' ? ", " : "", system);
}

// ---- the list -----------------------------------------------------------------------------------

bool pages_devices(PagesWorker *worker, int64_t account, JdStr token, JdInstant now,
                   PagesDevices *out, PagesFault *fault) {
    unsigned char own[TOKEN_HASH_SIZE] = { 0 };
    (void)token_hash(token, own);
    StoreStmt *find = store_query(worker->db, STORE_SESSIONS_OF);
    store_bind_int(find, 1, account);
    store_bind_int(find, 2, now.ms);
    *out = (PagesDevices) { .count = 0 };
    JdErr err = { 0 };
    StoreStep step;
    while ((step = store_step(find, &err)) == STORE_STEP_ROW && out->count < PAGES_SESSIONS_MAX) {
        PagesDevice *device = &out->list[out->count++];
        const JdStr hash = store_column_blob(find, 0);
        device->id = store_column_int(find, 1);
        device->created_ms = store_column_int(find, 2);
        device->seen_ms = store_column_int(find, 3);
        copy_text(device->agent, sizeof device->agent, store_column_text(find, 4));
        device->own = hash.size == sizeof own && memcmp(hash.data, own, sizeof own) == 0;
    }
    store_done(find);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}

typedef struct DeviceJob {
    int64_t account;
    int64_t device;
    int64_t changed;
} DeviceJob;

static bool device_job(StoreDb *db, void *arg, JdErr *err) {
    DeviceJob *job = arg;
    StoreStmt *end = store_query(db, STORE_SESSION_END_DEVICE);
    store_bind_int(end, 1, job->account);
    store_bind_int(end, 2, job->device);
    return store_run(end, &job->changed, err);
}

bool pages_device_end(PagesWorker *worker, int64_t account, int64_t device, PagesFault *fault) {
    DeviceJob job = { .account = account, .device = device };
    JdErr err = { 0 };
    if (!store_write(worker->pages->config.store, device_job, &job, &err))
        return refuse_store(fault, &err);
    return job.changed > 0 || refuse(fault, PAGES_NOT_FOUND, "", "no such device");
}

// ---- reports to the administrators --------------------------------------------------------------

bool report_insert(Pages *pages, StoreDb *db, const Account *from, const char *kind, JdStr text,
                   JdInstant now, JdErr *err) {
    StoreStmt *insert = store_query(db, STORE_REPORT_INSERT);
    store_bind_int(insert, 1, from->me.account);
    store_bind_text(insert, 2, jd_str(kind));
    store_bind_int(insert, 3, now.ms);
    store_bind_text(insert, 4, text);
    if (!store_run(insert, NULL, err))
        return false;
    int64_t admins[16];
    size_t count = 0;
    StoreStmt *find = store_query(db, STORE_ROLE_HOLDERS);
    store_bind_text(find, 1, JD_STR("admin"));
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW && count < JD_COUNT(admins))
        admins[count++] = store_column_int(find, 0);
    store_done(find);
    if (step == STORE_STEP_FAILED)
        return false;
    char link[TICKET_LINK_SIZE];
    jd_format(link, sizeof link, "%s/player/%s", pages->config.site, from->me.nick);
    for (size_t i = 0; i < count; i++) {
        const PagesMail mail = { .kind = strcmp(kind, "appeal") == 0 ? "appeal" : "compromised",
                                 .account = admins[i],
                                 .words = { { "reporter", jd_str(from->me.nick) },
                                            { "text", text },
                                            { "link", jd_str(link) } } };
        if (!pages_mail_enqueue(pages, db, &mail, now, err))
            return false;
    }
    return true;
}

typedef struct AppealJob {
    Pages *pages;
    const Account *account;
    JdStr text;
    JdInstant now;
} AppealJob;

static bool appeal_job(StoreDb *db, void *arg, JdErr *err) {
    const AppealJob *job = arg;
    return report_insert(job->pages, db, job->account, "appeal", job->text, job->now, err);
}

bool pages_appeal(PagesWorker *worker, int64_t id, JdStr text, JdInstant now, PagesFault *fault) {
    Account account = { 0 };
    JdErr err = { 0 };
    uint32_t wait_s = 0;
    char key[32];
    text = jd_str_trim(text);
    if (!check_text(text, "text", PAGES_REPORT_MAX, &err))
        return refuse_as(fault, &err, "text");
    if (text.size == 0)
        return refuse(fault, PAGES_BAD_REQUEST, "text", "nothing was written");
    if (!account_own(worker, id, &account, fault))
        return false;
    sodium_memzero(account.hash, sizeof account.hash);
    jd_format(key, sizeof key, "#%lld", (long long)id);
    if (!limit_take(&worker->pages->letters, jd_str(key), now, &wait_s))
        return rate_limited(fault, wait_s);
    AppealJob job = { .pages = worker->pages, .account = &account, .text = text, .now = now };
    return store_write(worker->pages->config.store, appeal_job, &job, &err) ||
           refuse_store(fault, &err);
}

typedef struct MisuseJob {
    Pages *pages;
    const Account *account;
    const char *hash;
    unsigned char token[TOKEN_HASH_SIZE];
    JdStr text;
    JdInstant now;
    bool changed_meanwhile;
} MisuseJob;

static bool misuse_job(StoreDb *db, void *arg, JdErr *err) {
    MisuseJob *job = arg;
    bool unchanged = false;
    if (!account_unchanged(db, job->account, &unchanged, err))
        return false;
    job->changed_meanwhile = !unchanged;
    if (!unchanged)
        return true;
    StoreStmt *end = store_query(db, STORE_SESSIONS_END_OTHERS);
    store_bind_int(end, 1, job->account->me.account);
    store_bind_blob(end, 2, jd_str_n((const char *)job->token, TOKEN_HASH_SIZE));
    return store_run(end, NULL, err) &&
           account_set_hash(db, job->account->me.account, job->hash, err) &&
           identities_forget(db, job->account->me.account, err) &&
           letter_password_changed(job->pages, db, job->account->me.account, job->now, err) &&
           report_insert(job->pages, db, job->account, "compromised", job->text, job->now, err);
}

bool pages_misuse(PagesWorker *worker, const PagesPassword *form, JdStr text, JdInstant now,
                  PagesFault *fault) {
    JdErr err = { 0 };
    Account account = { 0 };
    char hash[PASSWORD_HASH_SIZE];
    MisuseJob job = { .pages = worker->pages,
                      .account = &account,
                      .hash = hash,
                      .text = jd_str_trim(text),
                      .now = now };
    if (!check_text(form->password, "password", 4096, &err) ||
        !check_text(form->new_password, "new_password", 4096, &err) ||
        !check_text(form->new_password2, "new_password2", 4096, &err) ||
        !check_text(text, "text", PAGES_REPORT_MAX, &err))
        return refuse_as(fault, &err, err.field);
    if (!token_hash(form->token, job.token))
        return refuse(fault, PAGES_AUTH_REQUIRED, "", "no session");
    bool ok =
        account_own(worker, form->account, &account, fault) &&
        check_new_password(form->new_password, form->new_password2, jd_str(account.me.nick),
                           jd_str(account.me.email), "new_password", "new_password2", fault) &&
        account_prove(worker, &account, form->password, &form->address, now, fault);
    if (ok && !hash_make(&worker->pages->hashes, form->new_password, hash))
        ok = refuse(fault, PAGES_UNAVAILABLE, "", "no memory to hash a password");
    if (ok && !store_write(worker->pages->config.store, misuse_job, &job, &err))
        ok = refuse_store(fault, &err);
    if (ok && job.changed_meanwhile)
        ok = refuse(fault, PAGES_BAD_CREDENTIALS, "password", "the password was changed meanwhile");
    sodium_memzero(hash, sizeof hash);
    sodium_memzero(&account, sizeof account);
    return ok;
}
