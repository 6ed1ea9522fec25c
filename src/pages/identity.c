// SPDX-License-Identifier: GPL-3.0-or-later
//
// Identities at providers of OpenID Connect (S-010 to S-012). What net hands over has been checked:
// the provider says that the subject has just shown who he is. Here it is decided whose account
// that opens.
//
// An address opens an account only when both sides have proved it: the account by a letter, the
// person before the provider. An account that merely states an address could have been made by
// somebody who waits for its owner to come.
#include <string.h>

#include "pages/internal.h"

bool identity_refuse(PagesFault *fault, PagesCode code) {
    return refuse(fault, code, "",
                  code == PAGES_IDENTITY_TAKEN
                      ? "this identity is linked to another account"
                      : "the account is linked to another identity of this provider");
}

// ---- inside jobs --------------------------------------------------------------------------------

static bool find_account(StoreDb *db, const PagesIdentity *identity, int64_t *out, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_IDENTITY_FIND);
    store_bind_text(find, 1, jd_str(identity->issuer));
    store_bind_text(find, 2, jd_str(identity->subject));
    const StoreStep step = store_step(find, err);
    *out = step == STORE_STEP_ROW ? store_column_int(find, 0) : 0;
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool has_other(StoreDb *db, int64_t account, const char *issuer, bool *out, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_IDENTITY_OF_ISSUER);
    store_bind_int(find, 1, account);
    store_bind_text(find, 2, jd_str(issuer));
    const StoreStep step = store_step(find, err);
    *out = step == STORE_STEP_ROW;
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static void bind_email(StoreStmt *stmt, int index, const PagesIdentity *identity) {
    if (identity->email[0] != '\0')
        store_bind_text(stmt, index, jd_str(identity->email));
    else
        store_bind_null(stmt, index);
}

static bool write_letter(Pages *pages, StoreDb *db, int64_t account, const char *kind,
                         const char *provider, JdInstant now, JdErr *err) {
    char link[TICKET_LINK_SIZE];
    jd_format(link, sizeof link, "%s/account/logins", pages->config.site);
    const PagesMail mail = { .kind = kind,
                             .account = account,
                             .words = { { "link", jd_str(link) },
                                        { "provider", jd_str(provider) } } };
    return pages_mail_enqueue(pages, db, &mail, now, err);
}

bool identity_free(StoreDb *db, const PagesIdentity *identity, bool *is_free, JdErr *err) {
    int64_t owner = 0;
    if (!find_account(db, identity, &owner, err))
        return false;
    *is_free = owner == 0;
    return true;
}

bool identity_attach(Pages *pages, StoreDb *db, int64_t account, const PagesIdentity *identity,
                     JdInstant now, PagesCode *code, JdErr *err) {
    int64_t owner = 0;
    bool other = false;
    *code = PAGES_OK;
    if (!find_account(db, identity, &owner, err))
        return false;
    if (owner != 0) {
        *code = owner == account ? PAGES_OK : PAGES_IDENTITY_TAKEN;
        return true;
    }
    if (!has_other(db, account, identity->issuer, &other, err))
        return false;
    if (other) {
        *code = PAGES_IDENTITY_LINKED;
        return true;
    }
    StoreStmt *insert = store_query(db, STORE_IDENTITY_INSERT);
    store_bind_text(insert, 1, jd_str(identity->issuer));
    store_bind_text(insert, 2, jd_str(identity->subject));
    store_bind_int(insert, 3, account);
    store_bind_text(insert, 4, jd_str(identity->provider));
    bind_email(insert, 5, identity);
    store_bind_int(insert, 6, now.ms);
    return store_run(insert, NULL, err) &&
           write_letter(pages, db, account, "login_linked", identity->label, now, err);
}

bool identities_forget(StoreDb *db, int64_t account, JdErr *err) {
    StoreStmt *forget = store_query(db, STORE_IDENTITIES_FORGET);
    store_bind_int(forget, 1, account);
    return store_run(forget, NULL, err);
}

static bool mark_used(StoreDb *db, const PagesIdentity *identity, JdInstant now, JdErr *err) {
    StoreStmt *used = store_query(db, STORE_IDENTITY_USED);
    store_bind_text(used, 1, jd_str(identity->issuer));
    store_bind_text(used, 2, jd_str(identity->subject));
    store_bind_text(used, 3, jd_str(identity->provider));
    bind_email(used, 4, identity);
    store_bind_int(used, 5, now.ms);
    return store_run(used, NULL, err);
}

// ---- logging in ---------------------------------------------------------------------------------

typedef struct EnterJob {
    Pages *pages;
    const PagesIdentity *identity;
    JdStr old_token;
    NewSession session;
    Account account;
    bool entered;
} EnterJob;

// S-011: the account whose confirmed address is the one the provider has verified. The keys of
// addresses leave a +tag out; here they must be the same throughout.
static bool find_by_address(StoreDb *db, EnterJob *job, JdErr *err) {
    char key[PAGES_EMAIL_MAX + 1];
    int64_t owner = 0;
    const JdStr email = jd_str(job->identity->email);
    if (!job->identity->email_verified || !pages_email_check(email, key, NULL))
        return true;
    if (!email_owner(db, key, &owner, err))
        return false;
    if (owner == 0)
        return true;
    bool found = false;
    PagesCode code = PAGES_OK;
    if (!account_by_id(db, owner, &job->account, &found, err))
        return false;
    if (!found || !jd_str_equal_nocase(jd_str(job->account.me.email), email))
        return true;
    if (!identity_attach(job->pages, db, owner, job->identity, job->session.now, &code, err))
        return false;
    job->entered = code == PAGES_OK;
    return true;
}

static bool enter_job(StoreDb *db, void *arg, JdErr *err) {
    EnterJob *job = arg;
    int64_t owner = 0;
    if (!find_account(db, job->identity, &owner, err))
        return false;
    if (owner != 0 && !account_by_id(db, owner, &job->account, &job->entered, err))
        return false;
    if (owner == 0 && !find_by_address(db, job, err))
        return false;
    return !job->entered || (mark_used(db, job->identity, job->session.now, err) &&
                             session_retire(db, job->old_token, job->session.now, err) &&
                             session_insert(db, &job->session, job->account.me.account, err));
}

bool pages_identity_enter(PagesWorker *worker, const PagesEnter *form, JdInstant now,
                          PagesSession *out, bool *entered, PagesFault *fault) {
    EnterJob job = { .pages = worker->pages,
                     .identity = form->identity,
                     .old_token = form->old_token };
    JdErr err = { 0 };
    session_draw(&job.session, form->remember, now);
    agent_name(form->agent, job.session.agent);
    const bool ok = store_write(worker->pages->config.store, enter_job, &job, &err) ||
                    refuse_store(fault, &err);
    *entered = ok && job.entered;
    if (*entered) {
        const PagesMe me = account_me(worker->pages, &job.account);
        session_out(out, &me, &job.session);
    }
    sodium_memzero(&job, sizeof job);
    return ok;
}

// ---- linking ------------------------------------------------------------------------------------

bool pages_identity_prove(PagesWorker *worker, int64_t id, JdStr password,
                          const PagesAddress *address, JdInstant now, PagesFault *fault) {
    JdErr err = { 0 };
    Account account = { 0 };
    if (!check_text(password, "password", 4096, &err))
        return refuse_as(fault, &err, "password");
    const bool ok = account_own(worker, id, &account, fault) &&
                    account_prove(worker, &account, password, address, now, fault);
    sodium_memzero(&account, sizeof account);
    return ok;
}

typedef struct LinkJob {
    Pages *pages;
    int64_t account;
    const PagesIdentity *identity;
    JdStr provider;
    JdInstant now;
    PagesCode code;
} LinkJob;

static bool link_job(StoreDb *db, void *arg, JdErr *err) {
    LinkJob *job = arg;
    return identity_attach(job->pages, db, job->account, job->identity, job->now, &job->code, err);
}

bool pages_identity_link(PagesWorker *worker, int64_t account, const PagesIdentity *identity,
                         JdInstant now, PagesFault *fault) {
    LinkJob job = { .pages = worker->pages, .account = account, .identity = identity, .now = now };
    JdErr err = { 0 };
    Account own = { 0 };
    const bool there = account_own(worker, account, &own, fault);
    sodium_memzero(&own, sizeof own);
    if (!there)
        return false;
    if (!store_write(worker->pages->config.store, link_job, &job, &err))
        return refuse_store(fault, &err);
    return job.code == PAGES_OK || identity_refuse(fault, job.code);
}

static bool unlink_job(StoreDb *db, void *arg, JdErr *err) {
    LinkJob *job = arg;
    char provider[64];
    int64_t changed = 0;
    StoreStmt *drop = store_query(db, STORE_IDENTITY_DELETE);
    store_bind_int(drop, 1, job->account);
    store_bind_text(drop, 2, job->provider);
    if (!store_run(drop, &changed, err))
        return false;
    job->code = changed > 0 ? PAGES_OK : PAGES_NOT_FOUND;
    jd_format(provider, sizeof provider, "%.*s", JD_PRINT(job->provider));
    return changed == 0 ||
           write_letter(job->pages, db, job->account, "login_unlinked", provider, job->now, err);
}

bool pages_identity_unlink(PagesWorker *worker, int64_t account, JdStr provider, JdInstant now,
                           PagesFault *fault) {
    LinkJob job = { .pages = worker->pages, .account = account, .provider = provider, .now = now };
    JdErr err = { 0 };
    if (!check_text(provider, "provider", sizeof(((PagesIdentity *)0)->provider) - 1, &err))
        return refuse_as(fault, &err, "provider");
    if (!store_write(worker->pages->config.store, unlink_job, &job, &err))
        return refuse_store(fault, &err);
    return job.code == PAGES_OK ||
           refuse(fault, job.code, "", "the account is not linked to this provider");
}

bool pages_identities(PagesWorker *worker, int64_t account, PagesIdentities *out,
                      PagesFault *fault) {
    JdErr err = { 0 };
    StoreStep step;
    StoreStmt *find = store_query(worker->db, STORE_IDENTITIES_OF);
    store_bind_int(find, 1, account);
    *out = (PagesIdentities) { .count = 0 };
    while ((step = store_step(find, &err)) == STORE_STEP_ROW && out->count < PAGES_IDENTITIES_MAX) {
        copy_text(out->list[out->count].provider, sizeof out->list[0].provider,
                  store_column_text(find, 0));
        copy_text(out->list[out->count].issuer, sizeof out->list[0].issuer,
                  store_column_text(find, 1));
        copy_text(out->list[out->count].email, sizeof out->list[0].email,
                  store_column_text(find, 2));
        out->list[out->count].linked_ms = store_column_int(find, 3);
        copy_text(out->list[out->count].subject, sizeof out->list[0].subject,
                  store_column_text(find, 5));
        out->list[out->count++].used_ms = store_column_int(find, 4);
    }
    store_done(find);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}
