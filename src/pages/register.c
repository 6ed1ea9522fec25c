// SPDX-License-Identifier: GPL-3.0-or-later
//
// Registering (S-001 to S-005). What an address is worth is decided by letters.c; the password is
// hashed on the calling thread, before anything is handed to the commit thread.
#include <string.h>

#include "pages/internal.h"

#define ID_TRIES 8 // draws of an account's id; one in 2^53 is taken

// A skeleton once given is never free again, whoever bore it.
static bool skeleton_taken(StoreDb *db, const char *skeleton, bool *taken, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_ACCOUNT_BY_SKELETON);
    store_bind_text(find, 1, jd_str(skeleton));
    const StoreStep step = store_step(find, err);
    *taken = step == STORE_STEP_ROW;
    store_done(find);
    return step != STORE_STEP_FAILED;
}

typedef struct Registration {
    Pages *pages;
    PagesNick nick;
    char skeleton[PAGES_SKELETON_SIZE];
    char email[PAGES_EMAIL_MAX + 1]; // as it was typed
    char email_key[PAGES_EMAIL_MAX + 1];
    char hash[PASSWORD_HASH_SIZE];
    JdStr language;
    NewSession session;
    int64_t account;
    unsigned char other[TOKEN_HASH_SIZE]; // of the session that the browser had
    bool has_other;
    bool taken;
    const PagesIdentity *identity; // NULL: none
    bool verified;                 // the provider vouches for the address
    bool confirmed;                // which is the account's own from the start
    bool identity_taken;
} Registration;

static bool check_form_text(const PagesRegister *form, PagesFault *fault) {
    const struct {
        JdStr text;
        const char *field;
    } fields[] = { { form->nick, "nick" },
                   { form->email, "email" },
                   { form->password, "password" },
                   { form->password2, "password2" } };
    JdErr err = { 0 };
    for (size_t i = 0; i < JD_COUNT(fields); i++)
        if (!check_text(fields[i].text, fields[i].field, 4096, &err))
            return refuse_as(fault, &err, fields[i].field);
    return true;
}

static bool check_form(PagesWorker *worker, const PagesRegister *form, Registration *out,
                       PagesFault *fault) {
    JdErr err = { 0 };
    *out = (Registration) { .pages = worker->pages, .language = form->language };
    if (!check_form_text(form, fault))
        return false;
    if (!form->accept_rules)
        return refuse(fault, PAGES_RULES_NOT_ACCEPTED, "accept_rules",
                      "the rules are not accepted");
    if (!check_language(form->language, fault))
        return false;
    if (worker->pages->config.registration_closed)
        return refuse(fault, PAGES_CLOSED, "", "registration is closed");
    if (!pages_nick_check(form->nick, &out->nick, &err))
        return refuse_as(fault, &err, "nick");
    if (words_forbid(worker->pages, jd_str(out->nick.text)))
        return refuse(fault, PAGES_NICK_OBSCENE, "nick", "this nick is not allowed");
    if (!pages_nick_skeleton(jd_str(out->nick.text), out->skeleton))
        return refuse(fault, PAGES_NICK_LENGTH, "nick", "too long");
    const JdStr email = jd_str_trim(form->email);
    if (email.size > 0) {
        if (!pages_email_check(email, out->email_key, &err))
            return refuse_as(fault, &err, "email");
        copy_text(out->email, sizeof out->email, email);
    } else if (form->identity != NULL) {
        return refuse(fault, PAGES_EMAIL_BAD, "email", "an address is needed here");
    }
    out->identity = form->identity;
    out->verified = form->identity != NULL && form->identity->email_verified &&
                    jd_str_equal_nocase(email, jd_str(form->identity->email));
    return check_new_password(form->password, form->password2, jd_str(out->nick.text), email,
                              "password", "password2", fault);
}

static void bind_optional(StoreStmt *stmt, int index, const char *text) {
    if (text[0] != '\0')
        store_bind_text(stmt, index, jd_str(text));
    else
        store_bind_null(stmt, index);
}

static bool skeleton_is_taken(StoreDb *db, const char *skeleton, bool *taken, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_ACCOUNT_BY_SKELETON);
    store_bind_text(find, 1, jd_str(skeleton));
    const StoreStep step = store_step(find, err);
    *taken = step == STORE_STEP_ROW;
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool insert_account(StoreDb *db, Registration *job, JdErr *err) {
    for (int tries = 1;; tries++) {
        uint64_t drawn = 0;
        while (drawn == 0) {
            randombytes_buf(&drawn, sizeof drawn);
            drawn &= (UINT64_C(1) << 53) - 1;
        }
        job->account = (int64_t)drawn;
        StoreStmt *insert = store_query(db, STORE_ACCOUNT_INSERT);
        store_bind_int(insert, 1, job->account);
        store_bind_text(insert, 2, jd_str(job->nick.text));
        store_bind_text(insert, 3, jd_str(job->skeleton));
        bind_optional(insert, 4, job->email);
        bind_optional(insert, 5, job->email_key);
        store_bind_text(insert, 6, jd_str(job->hash));
        store_bind_text(insert, 7, job->language);
        store_bind_int(insert, 8, job->session.now.ms);
        int64_t changed = 0;
        if (!store_run(insert, &changed, err))
            return false;
        if (changed == 1)
            return true;
        // The nick is taken, or the number.
        if (!skeleton_is_taken(db, job->skeleton, &job->taken, err))
            return false;
        if (job->taken)
            return true;
        if (tries == ID_TRIES)
            return jd_fail(err, STORE_CONFLICT, 0, "%d numbers for an account were taken", tries);
    }
}

// Two accounts of one browser are noted, and nothing is refused for it (S-014).
static bool note_signal(StoreDb *db, const Registration *job, JdErr *err) {
    if (!job->has_other)
        return true;
    StoreStmt *find = store_query(db, STORE_SESSION_FIND);
    store_bind_blob(find, 1, jd_str_n((const char *)job->other, TOKEN_HASH_SIZE));
    const StoreStep step = store_step(find, err);
    const int64_t other = step == STORE_STEP_ROW ? store_column_int(find, 0) : 0;
    store_done(find);
    if (step == STORE_STEP_FAILED || other == 0)
        return step != STORE_STEP_FAILED;
    StoreStmt *insert = store_query(db, STORE_SIGNAL_INSERT);
    store_bind_int(insert, 1, job->account);
    store_bind_int(insert, 2, other);
    store_bind_text(insert, 3, JD_STR("browser"));
    store_bind_int(insert, 4, job->session.now.ms);
    return store_run(insert, NULL, err);
}

// Confirmed at once where the provider vouches for it and nobody else has it; else by letter.
static bool settle_email(StoreDb *db, Registration *job, JdErr *err) {
    const JdInstant now = job->session.now;
    int64_t owner = 0;
    if (job->email[0] == '\0')
        return true;
    if (job->verified && !email_owner(db, job->email_key, &owner, err))
        return false;
    job->confirmed = job->verified && owner == 0;
    if (job->confirmed)
        return email_set(db, job->account, job->email, job->email_key, now, err);
    return letter_confirm(job->pages, db, job->account, job->email, job->email_key, now, err);
}

static bool attach_identity(StoreDb *db, const Registration *job, JdErr *err) {
    PagesCode code = PAGES_OK; // it was free when this job began
    return job->identity == NULL || identity_attach(job->pages, db, job->account, job->identity,
                                                    job->session.now, &code, err);
}

static bool register_job(StoreDb *db, void *arg, JdErr *err) {
    Registration *job = arg;
    if (job->identity != NULL) {
        bool is_free = false;
        if (!identity_free(db, job->identity, &is_free, err))
            return false;
        job->identity_taken = !is_free;
        if (!is_free)
            return true;
    }
    if (!insert_account(db, job, err))
        return false;
    return job->taken ||
           (note_signal(db, job, err) && session_insert(db, &job->session, job->account, err) &&
            settle_email(db, job, err) && attach_identity(db, job, err));
}

static bool do_register(PagesWorker *worker, const PagesRegister *form, Registration *job,
                        JdInstant now, PagesFault *fault) {
    Pages *pages = worker->pages;
    unsigned char block[BLOCK_SIZE];
    address_block(&form->address, block);
    const JdStr block_key = jd_str_n((const char *)block, sizeof block);
    uint32_t wait_s = 0;
    if (!limit_allows(&pages->registrations, block_key, now, &wait_s))
        return rate_limited(fault, wait_s);
    if (!captcha_has_pass(pages, form->captcha, now, false, fault))
        return false;
    if (nets_hold(&pages->anonymizers, &form->address))
        return refuse(fault, PAGES_ANONYMIZER, "", "nobody registers through an anonymiser");
    JdErr err = { 0 };
    if (!skeleton_taken(worker->db, job->skeleton, &job->taken, &err))
        return refuse_store(fault, &err);
    if (!job->taken) {
        if (!limit_take(&pages->registrations, block_key, now, &wait_s))
            return rate_limited(fault, wait_s);
        if (!hash_make(&pages->hashes, form->password, job->hash))
            return refuse(fault, PAGES_UNAVAILABLE, "", "no memory to hash a password");
        if (!captcha_has_pass(pages, form->captcha, now, true, fault)) // spent by another meanwhile
            return false;
        session_draw(&job->session, false, now);
        agent_name(form->agent, job->session.agent);
        job->has_other = token_hash(form->token, job->other);
        if (!store_write(pages->config.store, register_job, job, &err))
            return refuse_store(fault, &err);
        if (job->identity_taken)
            return identity_refuse(fault, PAGES_IDENTITY_TAKEN);
    }
    return !job->taken || refuse(fault, PAGES_NICK_TAKEN, "nick",
                                 "somebody has this nick, or one that looks like it");
}

bool pages_register(PagesWorker *worker, const PagesRegister *form, JdInstant now,
                    PagesSession *out, PagesFault *fault) {
    Registration job;
    const bool ok =
        check_form(worker, form, &job, fault) && do_register(worker, form, &job, now, fault);
    if (ok) {
        Account account = { .me = { .account = job.account, .created_ms = now.ms },
                            .email_confirmed = job.confirmed };
        memcpy(account.me.nick, job.nick.text, sizeof account.me.nick);
        copy_text(account.me.language, sizeof account.me.language, job.language);
        memcpy(account.me.email, job.email, sizeof account.me.email);
        const PagesMe me = account_me(worker->pages, &account);
        session_out(out, &me, &job.session);
    }
    sodium_memzero(&job, sizeof job);
    return ok;
}
