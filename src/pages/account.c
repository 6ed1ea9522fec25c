// SPDX-License-Identifier: GPL-3.0-or-later
//
// Accounts: logging in and changing one. Passwords are hashed on the calling thread,
// before anything is handed to the commit thread.
#include <string.h>

#include "pages/internal.h"

#define LOGIN_CANDIDATES 3 // accounts that state one e-mail address
#define ERRORS_BEFORE_CAPTCHA 3
#define INPUT_MAX 1024 // bytes of a nick, login or e-mail before it is looked at

// ---- reading accounts ---------------------------------------------------------------------------

void copy_text(char *out, size_t size, JdStr text) {
    JD_ASSERT(text.size < size);
    memset(out, 0, size);
    memcpy(out, text.size > 0 ? text.data : "", text.size);
}

void account_of_row(StoreStmt *row, Account *out) {
    *out = (Account) { .me = { .account = store_column_int(row, 0),
                               .created_ms = store_column_int(row, 5) } };
    copy_text(out->me.nick, sizeof out->me.nick, store_column_text(row, 1));
    copy_text(out->me.language, sizeof out->me.language, store_column_text(row, 2));
    copy_text(out->me.email, sizeof out->me.email, store_column_text(row, 3));
    copy_text(out->hash, sizeof out->hash, store_column_text(row, 4));
    out->email_confirmed = !store_column_is_null(row, 6);
    copy_text(out->email_pending, sizeof out->email_pending, store_column_text(row, 7));
    out->me.erase_after_ms = store_column_int(row, 8);
    out->me.blocks = (uint16_t)store_column_int(row, 9);
    copy_text(out->me.roles, sizeof out->me.roles, store_column_text(row, 10));
    out->me.blocked_from_ms = store_column_int(row, 11);
    out->me.blocked_until_ms = store_column_int(row, 12);
}

PagesMe account_me(const Pages *pages, const Account *account) {
    PagesMe me = account->me;
    me.confirmed = !pages->config.mail || account->email_confirmed;
    memcpy(me.email_pending, account->email_pending, sizeof me.email_pending);
    return me;
}

static bool read_account(StoreStmt *find, Account *out, bool *found, JdErr *err) {
    const StoreStep step = store_step(find, err);
    *found = step == STORE_STEP_ROW;
    if (*found) {
        account_of_row(find, out);
        *found = out->hash[0] != '\0'; // not deleted
    }
    store_done(find);
    return step != STORE_STEP_FAILED;
}

bool account_by_id(StoreDb *db, int64_t id, Account *out, bool *found, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_ACCOUNT_BY_ID);
    store_bind_int(find, 1, id);
    return read_account(find, out, found, err);
}

bool account_by_skeleton(StoreDb *db, const char *skeleton, Account *out, bool *found, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_ACCOUNT_BY_SKELETON);
    store_bind_text(find, 1, jd_str(skeleton));
    return read_account(find, out, found, err);
}

// ---- limits -------------------------------------------------------------------------------------

bool rate_limited(PagesFault *fault, uint32_t wait_s) {
    refuse(fault, PAGES_RATE_LIMITED, "", "too many tries; wait %u s", (unsigned)wait_s);
    if (fault != NULL)
        fault->retry_after_s = wait_s;
    return false;
}

// What a try at a password is counted under: the account, or what was typed for one, with the
// address block.
typedef struct TryKey {
    char bytes[BLOCK_SIZE + PAGES_EMAIL_MAX + 1];
    size_t size;
} TryKey;

static TryKey try_key(const PagesAddress *address, JdStr name) {
    TryKey key = { .size = BLOCK_SIZE };
    address_block(address, (unsigned char *)key.bytes);
    const JdStr taken = jd_str_part(name, 0, sizeof key.bytes - BLOCK_SIZE);
    memcpy(key.bytes + BLOCK_SIZE, taken.size > 0 ? taken.data : "", taken.size);
    key.size += taken.size;
    return key;
}

static JdStr key_pair(const TryKey *key) {
    return jd_str_n(key->bytes, key->size);
}

static JdStr key_block(const TryKey *key) {
    return jd_str_n(key->bytes, BLOCK_SIZE);
}

// Each try counts as an error until it has proved to be none, so that tries at once count too.
static bool begin_try(Pages *pages, const TryKey *key, JdInstant now, PagesFault *fault) {
    uint32_t wait_s = 0;
    if (!limit_take(&pages->block_errors, key_block(key), now, &wait_s))
        return rate_limited(fault, wait_s);
    if (limit_take(&pages->pair_errors, key_pair(key), now, &wait_s))
        return true;
    limit_give_back(&pages->block_errors, key_block(key), now);
    return rate_limited(fault, wait_s);
}

static void try_was_right(Pages *pages, const TryKey *key, JdInstant now) {
    limit_forget(&pages->pair_errors, key_pair(key));
    limit_give_back(&pages->block_errors, key_block(key), now);
}

bool account_prove(PagesWorker *worker, const Account *account, JdStr password,
                   const PagesAddress *address, JdInstant now, PagesFault *fault) {
    char name[32];
    jd_format(name, sizeof name, "#%lld", (long long)account->me.account);
    const TryKey key = try_key(address, jd_str(name));
    if (!begin_try(worker->pages, &key, now, fault))
        return false;
    if (!hash_verify(&worker->pages->hashes, password, account->hash))
        return refuse(fault, PAGES_BAD_CREDENTIALS, "password", "the password is wrong");
    try_was_right(worker->pages, &key, now);
    return true;
}

// ---- fields -------------------------------------------------------------------------------------

static bool is_language(JdStr text) {
    return jd_str_equal(text, JD_STR("ru")) || jd_str_equal(text, JD_STR("ro")) ||
           jd_str_equal(text, JD_STR("en"));
}

bool check_language(JdStr language, PagesFault *fault) {
    return is_language(language) ||
           refuse(fault, PAGES_BAD_REQUEST, "language", "expected ru, ro or en");
}

// The rule's own fault as a service's; fields of the rule have the names of the form.
bool refuse_as(PagesFault *fault, const JdErr *err, const char *field) {
    return refuse(fault, (PagesCode)err->code, field, "%s", err->text);
}

bool check_new_password(JdStr password, JdStr again, JdStr nick, JdStr email, const char *field,
                        const char *field2, PagesFault *fault) {
    if (!jd_str_equal(password, again))
        return refuse(fault, PAGES_PASSWORD_MISMATCH, field2, "the two passwords differ");
    JdErr err = { 0 };
    return pages_password_check(password, nick, email, &err) || refuse_as(fault, &err, field);
}

// ---- logging in ---------------------------------------------------------------------------------

typedef struct Candidates {
    Account accounts[LOGIN_CANDIDATES];
    size_t count;
    size_t tried;                   // hashes to compute, whoever exists
    char name[PAGES_EMAIL_MAX + 1]; // skeleton or e-mail key: one spelling of what was typed
} Candidates;

static bool find_by_email(StoreDb *db, Candidates *out, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_ACCOUNTS_BY_EMAIL);
    store_bind_text(find, 1, jd_str(out->name));
    store_bind_int(find, 2, LOGIN_CANDIDATES);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW)
        account_of_row(find, &out->accounts[out->count++]);
    store_done(find);
    return step == STORE_STEP_DONE;
}

// What cannot be a nick or an address is nobody's; it costs the same.
static bool find_candidates(StoreDb *db, JdStr login, Candidates *out, JdErr *err) {
    *out = (Candidates) { 0 };
    out->tried = jd_str_find(login, '@') < login.size ? LOGIN_CANDIDATES : 1;
    if (out->tried > 1)
        return !pages_email_check(login, out->name, NULL) || find_by_email(db, out, err);
    char skeleton[PAGES_SKELETON_SIZE];
    if (!pages_nick_skeleton(login, skeleton))
        return true;
    memcpy(out->name, skeleton, strlen(skeleton) + 1);
    bool found = false;
    if (!account_by_skeleton(db, skeleton, &out->accounts[0], &found, err))
        return false;
    out->count = found;
    return true;
}

static const Account *try_candidates(HashSlots *hashes, const Candidates *candidates,
                                     JdStr password) {
    const Account *right = NULL;
    for (size_t i = 0; i < candidates->tried; i++) {
        const Account *account = i < candidates->count ? &candidates->accounts[i] : NULL;
        if (hash_verify(hashes, password, account != NULL ? account->hash : NULL) && right == NULL)
            right = account;
    }
    return right;
}

typedef struct LoginJob {
    const Account *account;
    const char *new_hash; // empty: the old one stays
    JdStr old_token;
    NewSession session;
    Pages *pages;
    const PagesIdentity *identity; // NULL: none to link
    PagesCode refused;             // why it was not linked, and nobody logged in
    bool changed_meanwhile;
} LoginJob;

// The account as it was when its password was checked, or nobody.
bool account_unchanged(StoreDb *db, const Account *account, bool *unchanged, JdErr *err) {
    Account now;
    bool found = false;
    if (!account_by_id(db, account->me.account, &now, &found, err))
        return false;
    *unchanged = found && strcmp(now.hash, account->hash) == 0;
    return true;
}

bool account_set_hash(StoreDb *db, int64_t account, const char *hash, JdErr *err) {
    StoreStmt *set = store_query(db, STORE_ACCOUNT_SET_PASSWORD);
    store_bind_int(set, 1, account);
    store_bind_text(set, 2, jd_str(hash));
    return store_run(set, NULL, err);
}

static bool login_job(StoreDb *db, void *arg, JdErr *err) {
    LoginJob *job = arg;
    bool unchanged = false;
    if (!account_unchanged(db, job->account, &unchanged, err))
        return false;
    job->changed_meanwhile = !unchanged;
    if (!unchanged)
        return true;
    const int64_t account = job->account->me.account;
    if (job->identity != NULL && !identity_attach(job->pages, db, account, job->identity,
                                                  job->session.now, &job->refused, err))
        return false;
    if (job->refused != PAGES_OK)
        return true;
    return (job->new_hash[0] == '\0' || account_set_hash(db, account, job->new_hash, err)) &&
           session_retire(db, job->old_token, job->session.now, err) &&
           session_insert(db, &job->session, account, err);
}

static bool bad_credentials(PagesFault *fault) {
    return refuse(fault, PAGES_BAD_CREDENTIALS, "", "unknown login or wrong password");
}

static bool do_login(PagesWorker *worker, const PagesLogin *form, const Candidates *candidates,
                     JdInstant now, PagesSession *out, PagesFault *fault) {
    Pages *pages = worker->pages;
    const TryKey key = try_key(&form->address, jd_str(candidates->name));
    if (limit_count(&pages->pair_errors, key_pair(&key), now) >= ERRORS_BEFORE_CAPTCHA &&
        !captcha_has_pass(pages, form->captcha, now, true, fault))
        return false;
    if (!begin_try(pages, &key, now, fault))
        return false;
    const Account *account = try_candidates(&pages->hashes, candidates, form->password);
    if (account == NULL)
        return bad_credentials(fault);
    try_was_right(pages, &key, now);
    char new_hash[PASSWORD_HASH_SIZE] = "";
    if (hash_is_outdated(&pages->hashes, account->hash) &&
        !hash_make(&pages->hashes, form->password, new_hash))
        new_hash[0] = '\0'; // at the next log-in, then
    LoginJob job = { .account = account, .new_hash = new_hash, .old_token = form->old_token };
    job.pages = pages;
    job.identity = form->identity;
    session_draw(&job.session, form->remember, now);
    agent_name(form->agent, job.session.agent);
    JdErr err = { 0 };
    if (!store_write(pages->config.store, login_job, &job, &err))
        return refuse_store(fault, &err);
    if (job.changed_meanwhile)
        return bad_credentials(fault);
    if (job.refused != PAGES_OK)
        return identity_refuse(fault, job.refused);
    const PagesMe me = account_me(pages, account);
    session_out(out, &me, &job.session);
    return true;
}

// ---- anonymisers (S-023) ------------------------------------------------------------------------

#define HIDDEN_KEPT_MS (INT64_C(30) * 86400000)
#define HIDDEN_TOLERATED 2
#define HIDDEN_REPORTED 10

typedef struct HiddenJob {
    int64_t account;
    JdInstant now;
    int64_t count;
} HiddenJob;

static bool report(StoreDb *db, const HiddenJob *job, const char *kind, JdStr text, JdErr *err) {
    StoreStmt *insert = store_query(db, STORE_REPORT_INSERT);
    store_bind_int(insert, 1, job->account);
    store_bind_text(insert, 2, jd_str(kind));
    store_bind_int(insert, 3, job->now.ms);
    store_bind_text(insert, 4, text);
    return store_run(insert, NULL, err);
}

static bool hidden_job(StoreDb *db, void *arg, JdErr *err) {
    HiddenJob *job = arg;
    StoreStmt *trim = store_query(db, STORE_HIDDEN_TRIM);
    store_bind_int(trim, 1, job->account);
    store_bind_int(trim, 2, job->now.ms - HIDDEN_KEPT_MS);
    if (!store_run(trim, NULL, err) || !report(db, job, "hidden_login", JD_STR(""), err))
        return false;
    StoreStmt *count = store_query(db, STORE_HIDDEN_COUNT);
    store_bind_int(count, 1, job->account);
    const bool ok = store_step(count, err) == STORE_STEP_ROW;
    job->count = ok ? store_column_int(count, 0) : 0;
    store_done(count);
    return ok && (job->count != HIDDEN_REPORTED ||
                  report(db, job, "anonymizer",
                         JD_STR("Ten log-ins through anonymisers within 30 days."), err));
}

static bool note_hidden(PagesWorker *worker, const PagesAddress *address, JdInstant now,
                        PagesSession *out, PagesFault *fault) {
    HiddenJob job = { .account = out->me.account, .now = now };
    JdErr err = { 0 };
    out->hides = false;
    if (!nets_hold(&worker->pages->anonymizers, address))
        return true;
    if (!store_write(worker->pages->config.store, hidden_job, &job, &err))
        return refuse_store(fault, &err);
    out->hides = job.count > HIDDEN_TOLERATED;
    return true;
}

bool pages_login(PagesWorker *worker, const PagesLogin *form, JdInstant now, PagesSession *out,
                 PagesFault *fault) {
    JdErr err = { 0 };
    if (!check_text(form->login, "login", INPUT_MAX, &err) ||
        !check_text(form->password, "password", 4096, &err))
        return refuse_as(fault, &err, err.field);
    Candidates candidates;
    bool ok = find_candidates(worker->db, jd_str_trim(form->login), &candidates, &err);
    if (ok)
        ok = do_login(worker, form, &candidates, now, out, fault) &&
             note_hidden(worker, &form->address, now, out, fault);
    else
        refuse_store(fault, &err);
    sodium_memzero(&candidates, sizeof candidates);
    return ok;
}

// ---- changing -----------------------------------------------------------------------------------

typedef struct ChangeJob {
    Pages *pages;
    const Account *account;
    const char *new_hash;
    unsigned char token_hash[TOKEN_HASH_SIZE];
    JdInstant now;
    bool changed_meanwhile;
} ChangeJob;

static bool end_other_sessions(StoreDb *db, const ChangeJob *job, JdErr *err) {
    StoreStmt *end = store_query(db, STORE_SESSIONS_END_OTHERS);
    store_bind_int(end, 1, job->account->me.account);
    store_bind_blob(end, 2, jd_str_n((const char *)job->token_hash, TOKEN_HASH_SIZE));
    return store_run(end, NULL, err);
}

static bool change_job(StoreDb *db, void *arg, JdErr *err) {
    ChangeJob *job = arg;
    bool unchanged = false;
    if (!account_unchanged(db, job->account, &unchanged, err))
        return false;
    job->changed_meanwhile = !unchanged;
    if (!unchanged)
        return true;
    return account_set_hash(db, job->account->me.account, job->new_hash, err) &&
           end_other_sessions(db, job, err) &&
           letter_password_changed(job->pages, db, job->account->me.account, job->now, err);
}

static bool write_change(PagesWorker *worker, ChangeJob *job, PagesFault *fault) {
    JdErr err = { 0 };
    if (!store_write(worker->pages->config.store, change_job, job, &err))
        return refuse_store(fault, &err);
    return !job->changed_meanwhile ||
           refuse(fault, PAGES_BAD_CREDENTIALS, "password", "the password was changed meanwhile");
}

bool account_own(PagesWorker *worker, int64_t id, Account *out, PagesFault *fault) {
    JdErr err = { 0 };
    bool found = false;
    if (!account_by_id(worker->db, id, out, &found, &err))
        return refuse_store(fault, &err);
    return found || refuse(fault, PAGES_AUTH_REQUIRED, "", "this account was deleted");
}

bool pages_password_change(PagesWorker *worker, const PagesPassword *form, JdInstant now,
                           PagesFault *fault) {
    JdErr err = { 0 };
    Account account = { 0 };
    char hash[PASSWORD_HASH_SIZE];
    ChangeJob job = { .pages = worker->pages, .account = &account, .new_hash = hash, .now = now };
    if (!check_text(form->password, "password", 4096, &err) ||
        !check_text(form->new_password, "new_password", 4096, &err) ||
        !check_text(form->new_password2, "new_password2", 4096, &err))
        return refuse_as(fault, &err, err.field);
    if (!token_hash(form->token, job.token_hash))
        return refuse(fault, PAGES_AUTH_REQUIRED, "", "no session");
    bool ok =
        account_own(worker, form->account, &account, fault) &&
        check_new_password(form->new_password, form->new_password2, jd_str(account.me.nick),
                           jd_str(account.me.email), "new_password", "new_password2", fault) &&
        account_prove(worker, &account, form->password, &form->address, now, fault);
    if (ok && !hash_make(&worker->pages->hashes, form->new_password, hash))
        ok = refuse(fault, PAGES_UNAVAILABLE, "", "no memory to hash a password");
    ok = ok && write_change(worker, &job, fault);
    sodium_memzero(hash, sizeof hash);
    sodium_memzero(&account, sizeof account);
    return ok;
}

typedef struct PrefsJob {
    int64_t account;
    JdStr language;
} PrefsJob;

static bool prefs_job(StoreDb *db, void *arg, JdErr *err) {
    const PrefsJob *job = arg;
    StoreStmt *set = store_query(db, STORE_ACCOUNT_SET_LANGUAGE);
    store_bind_int(set, 1, job->account);
    store_bind_text(set, 2, job->language);
    return store_run(set, NULL, err);
}

bool pages_prefs(PagesWorker *worker, int64_t id, JdStr language, PagesMe *out, PagesFault *fault) {
    PrefsJob job = { .account = id, .language = language };
    if (language.size > 0) {
        if (!check_language(language, fault))
            return false;
        JdErr err = { 0 };
        if (!store_write(worker->pages->config.store, prefs_job, &job, &err))
            return refuse_store(fault, &err);
    }
    Account account = { 0 };
    const bool ok = account_own(worker, id, &account, fault);
    if (ok)
        *out = account_me(worker->pages, &account);
    sodium_memzero(&account, sizeof account);
    return ok;
}
