// SPDX-License-Identifier: GPL-3.0-or-later
//
// What goes by letter: confirming an address (S-004), a forgotten password (S-015), changing the
// address, and taking back a change that somebody else made (S-025).
//
// An address belongs to the account that confirmed it. An account may state any other address, and
// is answered the same whether somebody has it or not: only who reads its mail is told more.
#include <string.h>

#include "pages/internal.h"

static bool link_bad(PagesFault *fault) {
    return refuse(fault, PAGES_LINK_BAD, "token",
                  "the link was used, has expired or never existed");
}

// ---- confirming ---------------------------------------------------------------------------------

bool email_owner(StoreDb *db, const char *email_key, int64_t *out, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_ACCOUNT_BY_CONFIRMED_EMAIL);
    store_bind_text(find, 1, jd_str(email_key));
    const StoreStep step = store_step(find, err);
    *out = step == STORE_STEP_ROW ? store_column_int(find, 0) : 0;
    store_done(find);
    return step != STORE_STEP_FAILED;
}

// At most five letters in an hour to one address: nobody is buried in them.
static bool may_write_to(Pages *pages, const char *email_key, JdInstant now) {
    uint32_t wait_s = 0;
    return limit_take(&pages->letters, jd_str(email_key), now, &wait_s);
}

bool letter_confirm(Pages *pages, StoreDb *db, int64_t account, const char *email,
                    const char *email_key, JdInstant now, JdErr *err) {
    if (!pages->config.mail || !may_write_to(pages, email_key, now))
        return true;
    int64_t owner = 0;
    char link[TICKET_LINK_SIZE];
    if (!email_owner(db, email_key, &owner, err))
        return false;
    if (owner != 0 && owner != account) {
        jd_format(link, sizeof link, "%s/recover", pages->config.site);
        const PagesMail mail = { .kind = "address_used",
                                 .account = owner,
                                 .words = { { "link", jd_str(link) } } };
        return pages_mail_enqueue(pages, db, &mail, now, err);
    }
    Ticket ticket = { .kind = TICKET_CONFIRM, .account = account };
    memcpy(ticket.email, email, strlen(email) + 1);
    memcpy(ticket.email_key, email_key, strlen(email_key) + 1);
    if (!tickets_drop(db, account, TICKET_CONFIRM, err) ||
        !ticket_make(pages, db, &ticket, now, link, err))
        return false;
    const PagesMail mail = { .kind = "confirm",
                             .account = account,
                             .address = jd_str(email),
                             .words = { { "link", jd_str(link) } } };
    return pages_mail_enqueue(pages, db, &mail, now, err);
}

// ---- a corrected result -------------------------------------------------------------------------

typedef struct CorrectionJob {
    Pages *pages;
    const PagesCorrection *correction;
    JdInstant now;
} CorrectionJob;

static bool correction_job(StoreDb *db, void *arg, JdErr *err) {
    const CorrectionJob *job = arg;
    for (int i = 0; i < 2; i++) {
        const PagesMail mail = { .kind = "result_corrected",
                                 .account = job->correction->players[i],
                                 .words = { { "link", job->correction->link },
                                            { "before", job->correction->before },
                                            { "after", job->correction->after },
                                            { "reason", job->correction->reason } } };
        if (!pages_mail_enqueue(job->pages, db, &mail, job->now, err))
            return false;
    }
    return true;
}

bool pages_correction_letters(PagesWorker *worker, const PagesCorrection *correction, JdInstant now,
                              PagesFault *fault) {
    CorrectionJob job = { .pages = worker->pages, .correction = correction, .now = now };
    JdErr err = { 0 };
    return store_write(worker->pages->config.store, correction_job, &job, &err) ||
           refuse_store(fault, &err);
}

// ---- addresses ----------------------------------------------------------------------------------

bool email_set(StoreDb *db, int64_t account, const char *email, const char *email_key,
               JdInstant confirmed, JdErr *err) {
    StoreStmt *set = store_query(db, STORE_ACCOUNT_SET_EMAIL);
    store_bind_int(set, 1, account);
    if (email[0] != '\0') {
        store_bind_text(set, 2, jd_str(email));
        store_bind_text(set, 3, jd_str(email_key));
    } else {
        store_bind_null(set, 2);
        store_bind_null(set, 3);
    }
    if (confirmed.ms > 0)
        store_bind_int(set, 4, confirmed.ms);
    else
        store_bind_null(set, 4);
    return store_run(set, NULL, err);
}

// The address of the ticket becomes the account's, unless another was quicker to confirm it.
static bool confirm_address(StoreDb *db, const Ticket *ticket, JdInstant now, bool *confirmed,
                            JdErr *err) {
    int64_t owner = 0;
    if (!email_owner(db, ticket->email_key, &owner, err))
        return false;
    *confirmed = owner == 0 || owner == ticket->account;
    return !*confirmed ||
           email_set(db, ticket->account, ticket->email, ticket->email_key, now, err);
}

typedef struct TicketJob {
    Pages *pages;
    unsigned char token[TOKEN_HASH_SIZE];
    JdInstant now;
    char hash[PASSWORD_HASH_SIZE];
    bool ok;
    int64_t account;
} TicketJob;

static bool confirm_job(StoreDb *db, void *arg, JdErr *err) {
    TicketJob *job = arg;
    Ticket ticket;
    bool found = false;
    if (!ticket_find(db, job->token, job->now, &ticket, &found, err))
        return false;
    if (!found || ticket.kind != TICKET_CONFIRM)
        return true;
    job->account = ticket.account;
    return confirm_address(db, &ticket, job->now, &job->ok, err) &&
           tickets_drop(db, ticket.account, TICKET_CONFIRM, err);
}

bool pages_confirm(PagesWorker *worker, JdStr token, JdInstant now, PagesMe *out,
                   PagesFault *fault) {
    TicketJob job = { .pages = worker->pages, .now = now };
    JdErr err = { 0 };
    if (!token_hash(token, job.token))
        return link_bad(fault);
    if (!store_write(worker->pages->config.store, confirm_job, &job, &err))
        return refuse_store(fault, &err);
    Account account;
    if (!job.ok)
        return link_bad(fault);
    const bool ok = account_own(worker, job.account, &account, fault);
    if (ok)
        *out = account_me(worker->pages, &account);
    sodium_memzero(&account, sizeof account);
    return ok;
}

// ---- a new address ------------------------------------------------------------------------------

typedef struct EmailJob {
    Pages *pages;
    const Account *account;
    const char *email;
    const char *email_key;
    JdInstant now;
    bool changed_meanwhile;
} EmailJob;

// The old address is told, and can bring itself back (S-025).
static bool tell_old_address(const EmailJob *job, StoreDb *db, JdErr *err) {
    Ticket ticket = { .kind = TICKET_UNDO, .account = job->account->me.account };
    char link[TICKET_LINK_SIZE];
    memcpy(ticket.email, job->account->me.email, sizeof ticket.email);
    if (!pages_email_check(jd_str(ticket.email), ticket.email_key, NULL) ||
        !ticket_make(job->pages, db, &ticket, job->now, link, err))
        return false;
    const PagesMail mail = { .kind = "email_changed",
                             .account = job->account->me.account,
                             .words = { { "link", jd_str(link) },
                                        { "new_email", jd_str(job->email) } } };
    return pages_mail_enqueue(job->pages, db, &mail, job->now, err);
}

static bool email_job(StoreDb *db, void *arg, JdErr *err) {
    EmailJob *job = arg;
    const int64_t account = job->account->me.account;
    bool unchanged = false;
    if (!account_unchanged(db, job->account, &unchanged, err))
        return false;
    job->changed_meanwhile = !unchanged;
    if (!unchanged)
        return true;
    // One that is confirmed stays until the new one is.
    if (!job->pages->config.mail || !job->account->email_confirmed)
        return email_set(db, account, job->email, job->email_key, (JdInstant) { 0 }, err) &&
               letter_confirm(job->pages, db, account, job->email, job->email_key, job->now, err);
    StoreStmt *pending = store_query(db, STORE_ACCOUNT_SET_PENDING);
    store_bind_int(pending, 1, account);
    store_bind_text(pending, 2, jd_str(job->email));
    return store_run(pending, NULL, err) && tell_old_address(job, db, err) &&
           letter_confirm(job->pages, db, account, job->email, job->email_key, job->now, err);
}

bool pages_email_change(PagesWorker *worker, const PagesEmail *form, JdInstant now, PagesMe *out,
                        PagesFault *fault) {
    JdErr err = { 0 };
    char key[PAGES_EMAIL_MAX + 1];
    char email[PAGES_EMAIL_MAX + 1];
    Account account = { 0 };
    if (!check_text(form->password, "password", 4096, &err))
        return refuse_as(fault, &err, "password");
    if (!pages_email_check(form->email, key, &err))
        return refuse_as(fault, &err, "email");
    copy_text(email, sizeof email, jd_str_trim(form->email));
    EmailJob job = {
        .pages = worker->pages, .account = &account, .email = email, .email_key = key, .now = now
    };
    bool ok = account_own(worker, form->account, &account, fault) &&
              account_prove(worker, &account, form->password, &form->address, now, fault);
    if (ok && !store_write(worker->pages->config.store, email_job, &job, &err))
        ok = refuse_store(fault, &err);
    if (ok && job.changed_meanwhile)
        ok = refuse(fault, PAGES_BAD_CREDENTIALS, "password", "the password was changed meanwhile");
    ok = ok && account_own(worker, form->account, &account, fault);
    if (ok)
        *out = account_me(worker->pages, &account);
    sodium_memzero(&account, sizeof account);
    return ok;
}

static bool again_job(StoreDb *db, void *arg, JdErr *err) {
    const EmailJob *job = arg;
    return letter_confirm(job->pages, db, job->account->me.account, job->email, job->email_key,
                          job->now, err);
}

bool pages_confirm_again(PagesWorker *worker, int64_t id, JdInstant now, PagesFault *fault) {
    Account account = { 0 };
    char key[PAGES_EMAIL_MAX + 1];
    JdErr err = { 0 };
    uint32_t wait_s = 0;
    if (!account_own(worker, id, &account, fault))
        return false;
    sodium_memzero(account.hash, sizeof account.hash);
    const char *email = account.email_pending[0] != '\0' ? account.email_pending : account.me.email;
    const bool nothing = account.email_confirmed && account.email_pending[0] == '\0';
    if (!worker->pages->config.mail || nothing || !pages_email_check(jd_str(email), key, NULL))
        return refuse(fault, PAGES_NOT_FOUND, "", "no address waits to be confirmed");
    if (!limit_allows(&worker->pages->letters, jd_str(key), now, &wait_s))
        return rate_limited(fault, wait_s);
    EmailJob job = {
        .pages = worker->pages, .account = &account, .email = email, .email_key = key, .now = now
    };
    return store_write(worker->pages->config.store, again_job, &job, &err) ||
           refuse_store(fault, &err);
}

// ---- a forgotten password -----------------------------------------------------------------------

typedef struct RecoverJob {
    Pages *pages;
    char email_key[PAGES_EMAIL_MAX + 1];
    JdInstant now;
} RecoverJob;

// The account an address brings back: the one that confirmed it, else the newest that states it.
static bool find_stated(StoreDb *db, const char *email_key, Account *out, bool *found, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_ACCOUNTS_BY_EMAIL);
    store_bind_text(find, 1, jd_str(email_key));
    store_bind_int(find, 2, 1);
    const StoreStep step = store_step(find, err);
    *found = step == STORE_STEP_ROW;
    if (*found)
        account_of_row(find, out);
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool recover_job(StoreDb *db, void *arg, JdErr *err) {
    const RecoverJob *job = arg;
    Account account;
    bool found = false;
    if (!find_stated(db, job->email_key, &account, &found, err))
        return false;
    if (!found || !may_write_to(job->pages, job->email_key, job->now))
        return true;
    Ticket ticket = { .kind = TICKET_RECOVER, .account = account.me.account };
    char link[TICKET_LINK_SIZE];
    memcpy(ticket.email, account.me.email, sizeof ticket.email);
    memcpy(ticket.email_key, job->email_key, sizeof ticket.email_key);
    if (!ticket_make(job->pages, db, &ticket, job->now, link, err))
        return false;
    const PagesMail mail = { .kind = "recover",
                             .account = account.me.account,
                             .address = jd_str(account.me.email),
                             .words = { { "link", jd_str(link) } } };
    return pages_mail_enqueue(job->pages, db, &mail, job->now, err);
}

bool pages_recover(PagesWorker *worker, JdStr email, JdStr captcha, const PagesAddress *address,
                   JdInstant now, PagesFault *fault) {
    RecoverJob job = { .pages = worker->pages, .now = now };
    JdErr err = { 0 };
    unsigned char block[BLOCK_SIZE];
    uint32_t wait_s = 0;
    if (!worker->pages->config.mail)
        return refuse(fault, PAGES_NO_MAIL, "", "this house sends no mail");
    if (!pages_email_check(email, job.email_key, &err))
        return refuse_as(fault, &err, "email");
    if (!captcha_has_pass(worker->pages, captcha, now, true, fault))
        return false;
    address_block(address, block);
    if (!limit_take(&worker->pages->recoveries, jd_str_n((const char *)block, BLOCK_SIZE), now,
                    &wait_s))
        return rate_limited(fault, wait_s);
    // The same way through for an address nobody has: its answer takes as long.
    return store_write(worker->pages->config.store, recover_job, &job, &err) ||
           refuse_store(fault, &err);
}

// ---- a new password by a link -------------------------------------------------------------------

static bool end_all_sessions(StoreDb *db, int64_t account, JdErr *err) {
    StoreStmt *end = store_query(db, STORE_SESSIONS_END);
    store_bind_int(end, 1, account);
    return store_run(end, NULL, err);
}

static bool use_link_job(StoreDb *db, void *arg, JdErr *err) {
    TicketJob *job = arg;
    Ticket ticket;
    bool confirmed = false;
    if (!ticket_find(db, job->token, job->now, &ticket, &job->ok, err))
        return false;
    job->ok = job->ok && ticket.kind != TICKET_CONFIRM;
    if (!job->ok)
        return true;
    job->account = ticket.account;
    // Who reads this letter has the address. A change that is taken back takes its letter with it.
    if (ticket.email_key[0] != '\0' && !confirm_address(db, &ticket, job->now, &confirmed, err))
        return false;
    // Only who takes a change back ends the links that take changes back: a forgotten password can
    // be asked for by who has just put in an address of his own.
    if (!tickets_drop(db, ticket.account, TICKET_CONFIRM, err) ||
        !tickets_drop(db, ticket.account, TICKET_RECOVER, err) ||
        (ticket.kind == TICKET_UNDO && !tickets_drop(db, ticket.account, TICKET_UNDO, err)))
        return false;
    // Nor does a way in stay that somebody may have added.
    if (ticket.kind == TICKET_UNDO && !identities_forget(db, ticket.account, err))
        return false;
    return account_set_hash(db, ticket.account, job->hash, err) &&
           end_all_sessions(db, ticket.account, err);
}

// Whose the link is, before a password is hashed for it.
static bool find_linked(PagesWorker *worker, const TicketJob *job, Account *out,
                        PagesFault *fault) {
    Ticket ticket;
    JdErr err = { 0 };
    bool found = false;
    if (!ticket_find(worker->db, job->token, job->now, &ticket, &found, &err))
        return refuse_store(fault, &err);
    if (!found || ticket.kind == TICKET_CONFIRM)
        return link_bad(fault);
    return account_own(worker, ticket.account, out, fault);
}

bool pages_link_password(PagesWorker *worker, JdStr token, JdStr password, JdStr password2,
                         JdInstant now, int64_t *out, PagesFault *fault) {
    TicketJob job = { .pages = worker->pages, .now = now };
    Account account = { 0 };
    JdErr err = { 0 };
    if (!check_text(password, "password", 4096, &err) ||
        !check_text(password2, "password2", 4096, &err))
        return refuse_as(fault, &err, err.field);
    if (!token_hash(token, job.token))
        return link_bad(fault);
    bool ok = find_linked(worker, &job, &account, fault) &&
              check_new_password(password, password2, jd_str(account.me.nick),
                                 jd_str(account.me.email), "password", "password2", fault);
    if (ok && !hash_make(&worker->pages->hashes, password, job.hash))
        ok = refuse(fault, PAGES_UNAVAILABLE, "", "no memory to hash a password");
    if (ok && !store_write(worker->pages->config.store, use_link_job, &job, &err))
        ok = refuse_store(fault, &err);
    if (ok && !job.ok)
        ok = link_bad(fault); // used meanwhile
    *out = job.account;
    sodium_memzero(&account, sizeof account);
    sodium_memzero(&job, sizeof job);
    return ok;
}

bool letter_password_changed(Pages *pages, StoreDb *db, int64_t account, JdInstant now,
                             JdErr *err) {
    if (!pages->config.mail)
        return true;
    const Ticket ticket = { .kind = TICKET_UNDO, .account = account };
    char link[TICKET_LINK_SIZE];
    if (!ticket_make(pages, db, &ticket, now, link, err))
        return false;
    const PagesMail mail = { .kind = "password_changed",
                             .account = account,
                             .words = { { "link", jd_str(link) } } };
    return pages_mail_enqueue(pages, db, &mail, now, err);
}

bool letter_stolen_session(Pages *pages, StoreDb *db, int64_t account, JdInstant now, JdErr *err) {
    char link[TICKET_LINK_SIZE];
    jd_format(link, sizeof link, "%s/account/password", pages->config.site);
    const PagesMail mail = { .kind = "stolen_session",
                             .account = account,
                             .words = { { "link", jd_str(link) } } };
    return pages_mail_enqueue(pages, db, &mail, now, err);
}
