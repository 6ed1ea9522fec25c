// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the operator does at the command line: roles, names, blocks by the administration (S-252),
// the list of forbidden words (S-003), reports, and the audit log of all that.
#include <stdlib.h>
#include <string.h>

#include "pages/internal.h"

#define DAY_MS INT64_C(86400000)
#define LINES 200

typedef struct Command {
    Pages *pages;
    const JdStr *words;
    size_t count;
    JdInstant now;
    PagesAdmin *out;
    Account account;
    char skeleton[PAGES_SKELETON_SIZE]; // of a new name
    PagesNick nick;
} Command;

static void say(PagesAdmin *out, const char *format, ...) JD_FORMAT(2, 3);
static void say(PagesAdmin *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const size_t room = sizeof out->text - out->size;
    const size_t size = jd_format_v(out->text + out->size, room, format, arguments);
    va_end(arguments);
    out->size += size < room ? size : room - 1;
}

static bool done(Command *command, const char *what) {
    command->out->ok = true;
    say(command->out, "%s\n", what);
    return true;
}

static bool no(Command *command, const char *format, ...) JD_FORMAT(2, 3);
static bool no(Command *command, const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    jd_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    command->out->ok = false;
    say(command->out, "%s\n", text);
    return true;
}

static bool audit(StoreDb *db, const Command *command, const char *action, JdStr before,
                  JdStr after, JdStr reason, JdErr *err) {
    StoreStmt *insert = store_query(db, STORE_AUDIT_INSERT);
    store_bind_int(insert, 1, command->now.ms);
    store_bind_int(insert, 2, 0);
    store_bind_text(insert, 3, jd_str(action));
    store_bind_text(insert, 4, jd_str(command->account.me.nick));
    store_bind_text(insert, 5, before);
    store_bind_text(insert, 6, after);
    store_bind_text(insert, 7, reason);
    return store_run(insert, NULL, err);
}

// ---- roles --------------------------------------------------------------------------------------

static bool is_role(JdStr word) {
    static const char *const roles[] = { "admin", "moderator", "committee", "arbiter" };
    for (size_t i = 0; i < JD_COUNT(roles); i++)
        if (jd_str_equal(word, jd_str(roles[i])))
            return true;
    return false;
}

static bool set_role(StoreDb *db, Command *command, JdErr *err) {
    const bool give = jd_str_equal(command->words[0], JD_STR("role"));
    const JdStr role = command->words[2];
    if (!is_role(role))
        return no(command, "expected a role: admin, moderator, committee, arbiter");
    StoreStmt *set = store_query(db, give ? STORE_ROLE_INSERT : STORE_ROLE_DELETE);
    store_bind_int(set, 1, command->account.me.account);
    store_bind_text(set, 2, role);
    if (give)
        store_bind_int(set, 3, command->now.ms);
    int64_t changed = 0;
    if (!store_run(set, &changed, err))
        return false;
    if (changed == 0)
        return no(command, give ? "has this role already" : "does not have this role");
    return audit(db, command, give ? "role" : "unrole", jd_str(command->account.me.roles), role,
                 JD_STR(""), err) &&
           done(command, give ? "role given" : "role taken");
}

static bool list_roles(StoreDb *db, Command *command, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_ROLES);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW)
        say(command->out, "%.*s  %.*s\n", JD_PRINT(store_column_text(find, 1)),
            JD_PRINT(store_column_text(find, 0)));
    store_done(find);
    command->out->ok = true;
    return step != STORE_STEP_FAILED;
}

// ---- names --------------------------------------------------------------------------------------

// The old name stays reserved (S-003).
static bool rename_account(StoreDb *db, Command *command, JdErr *err) {
    const Account *account = &command->account;
    JdErr fault = { 0 };
    Account other;
    bool taken = false;
    char old[PAGES_SKELETON_SIZE];
    if (!pages_nick_check(command->words[2], &command->nick, &fault))
        return no(command, "%s: %s", pages_code_name((PagesCode)fault.code), fault.text);
    if (!pages_nick_skeleton(jd_str(command->nick.text), command->skeleton) ||
        !pages_nick_skeleton(jd_str(account->me.nick), old))
        return no(command, "not a name");
    const bool same = strcmp(old, command->skeleton) == 0;
    StoreStmt *find = store_query(db, STORE_ACCOUNT_BY_SKELETON);
    store_bind_text(find, 1, jd_str(command->skeleton));
    const StoreStep step = store_step(find, err);
    if (step == STORE_STEP_ROW)
        account_of_row(find, &other);
    taken = step == STORE_STEP_ROW && !same;
    store_done(find);
    if (step == STORE_STEP_FAILED)
        return false;
    if (taken)
        return no(command, "somebody has this name, or one that looks like it");
    StoreStmt *set = store_query(db, STORE_ACCOUNT_RENAME);
    store_bind_int(set, 1, account->me.account);
    store_bind_text(set, 2, jd_str(command->nick.text));
    store_bind_text(set, 3, jd_str(command->skeleton));
    if (!store_run(set, NULL, err))
        return false;
    if (!same) {
        uint64_t drawn = 0;
        randombytes_buf(&drawn, sizeof drawn);
        StoreStmt *keep = store_query(db, STORE_NICK_KEEP);
        store_bind_int(keep, 1, (int64_t)(drawn & ((UINT64_C(1) << 53) - 1)) | 1);
        store_bind_text(keep, 2, jd_str(old));
        store_bind_int(keep, 3, command->now.ms);
        if (!store_run(keep, NULL, err))
            return false;
    }
    char link[TICKET_LINK_SIZE];
    jd_format(link, sizeof link, "%s/login", command->pages->config.site);
    const PagesMail mail = { .kind = "renamed",
                             .account = account->me.account,
                             .words = { { "old_nick", jd_str(account->me.nick) },
                                        { "link", jd_str(link) } } };
    command->out->account = account->me.account;
    memcpy(command->out->nick, command->nick.text, sizeof command->out->nick);
    return audit(db, command, "rename", jd_str(account->me.nick), jd_str(command->nick.text),
                 JD_STR(""), err) &&
           pages_mail_enqueue(command->pages, db, &mail, command->now, err) &&
           done(command, "renamed");
}

// ---- blocks -------------------------------------------------------------------------------------

static bool block_letter(StoreDb *db, const Command *command, const char *kind, JdStr reason,
                         JdStr until, JdErr *err) {
    char link[TICKET_LINK_SIZE];
    jd_format(link, sizeof link, "%s/login", command->pages->config.site);
    const PagesMail mail = {
        .kind = kind,
        .account = command->account.me.account,
        .words = { { "link", jd_str(link) }, { "reason", reason }, { "until", until } }
    };
    return pages_mail_enqueue(command->pages, db, &mail, command->now, err);
}

static bool block(StoreDb *db, Command *command, JdErr *err) {
    const JdStr reason = jd_str_trim(command->words[2]);
    uint64_t days = 0;
    if (command->account.me.blocked_from_ms != 0 &&
        command->account.me.blocked_until_ms > command->now.ms)
        return no(command, "blocked already");
    if (reason.size == 0 || reason.size > 1000)
        return no(command, "a block needs a reason, of at most 1000 bytes");
    if (command->count > 3 && (!jd_parse_u64(command->words[3], 36500, &days) || days == 0))
        return no(command, "expected a number of days");
    StoreStmt *insert = store_query(db, STORE_SANCTION_INSERT);
    store_bind_int(insert, 1, command->account.me.account);
    store_bind_text(insert, 2, reason);
    store_bind_int(insert, 3, command->now.ms);
    if (days > 0)
        store_bind_int(insert, 4, command->now.ms + (int64_t)days * DAY_MS);
    else
        store_bind_null(insert, 4);
    char until[40] = "-";
    if (days > 0)
        date_write(command->now.ms + (int64_t)days * DAY_MS, until);
    command->out->account = command->account.me.account;
    command->out->blocked = true;
    return store_run(insert, NULL, err) &&
           audit(db, command, "block", JD_STR(""), jd_str(until), reason, err) &&
           block_letter(db, command, "blocked", reason, jd_str(until), err) &&
           done(command, "blocked");
}

static bool unblock(StoreDb *db, Command *command, JdErr *err) {
    StoreStmt *lift = store_query(db, STORE_SANCTIONS_LIFT);
    store_bind_int(lift, 1, command->account.me.account);
    store_bind_int(lift, 2, command->now.ms);
    int64_t changed = 0;
    if (!store_run(lift, &changed, err))
        return false;
    if (changed == 0)
        return no(command, "not blocked");
    return audit(db, command, "unblock", JD_STR(""), JD_STR(""), command->words[2], err) &&
           block_letter(db, command, "unblocked", JD_STR(""), JD_STR(""), err) &&
           done(command, "no longer blocked");
}

// Asked for by other ways than the site's own, at once and for good.
static bool erase_account(StoreDb *db, Command *command, JdErr *err) {
    const int64_t account = command->account.me.account;
    command->out->account = account;
    command->out->erased = true;
    command->account.me.nick[0] = '\0'; // the log does not keep what is to be forgotten
    return audit(db, command, "erase", JD_STR(""), JD_STR(""), JD_STR(""), err) &&
           account_erase(db, account, command->now, err) && done(command, "erased");
}

// ---- words --------------------------------------------------------------------------------------

static bool set_word(StoreDb *db, Command *command, JdErr *err) {
    const bool add = jd_str_equal(command->words[0], JD_STR("word"));
    CodePoints folded;
    char word[PAGES_NICK_SIZE];
    if (!text_lower(jd_str_trim(command->words[1]), &folded) || folded.count < 3 ||
        !text_write(&folded, word, sizeof word))
        return no(command, "expected a word of 3 letters or more");
    StoreStmt *set = store_query(db, add ? STORE_WORD_INSERT : STORE_WORD_DELETE);
    store_bind_text(set, 1, jd_str(word));
    int64_t changed = 0;
    if (!store_run(set, &changed, err))
        return false;
    if (changed == 0)
        return no(command, add ? "stands in the list already" : "does not stand in the list");
    return audit(db, command, add ? "word" : "unword", JD_STR(""), jd_str(word), JD_STR(""), err) &&
           done(command, add ? "no new nick may hold it" : "allowed again");
}

static bool list_words(StoreDb *db, Command *command, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_WORDS);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW)
        say(command->out, "%.*s\n", JD_PRINT(store_column_text(find, 0)));
    store_done(find);
    command->out->ok = true;
    return step != STORE_STEP_FAILED;
}

// ---- identities (S-010) -------------------------------------------------------------------------

static bool list_identities(StoreDb *db, Command *command, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_IDENTITIES_OF);
    store_bind_int(find, 1, command->account.me.account);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW) {
        char date[40];
        date_write(store_column_int(find, 3), date);
        say(command->out, "%s  %.*s  %.*s  %.*s\n", date, JD_PRINT(store_column_text(find, 0)),
            JD_PRINT(store_column_text(find, 1)), JD_PRINT(store_column_text(find, 2)));
    }
    store_done(find);
    command->out->ok = true;
    return step != STORE_STEP_FAILED;
}

// Every account has a password, so a way in is left.
static bool unlink_identity(StoreDb *db, Command *command, JdErr *err) {
    StoreStmt *drop = store_query(db, STORE_IDENTITY_DELETE);
    store_bind_int(drop, 1, command->account.me.account);
    store_bind_text(drop, 2, command->words[2]);
    int64_t changed = 0;
    if (!store_run(drop, &changed, err))
        return false;
    if (changed == 0)
        return no(command, "not linked to that provider");
    return audit(db, command, "unlink", command->words[2], JD_STR(""), JD_STR(""), err) &&
           done(command, "no longer linked");
}

// ---- what happened ------------------------------------------------------------------------------

static bool list_rows(StoreDb *db, Command *command, StoreQuery query, int columns, JdErr *err) {
    StoreStmt *find = store_query(db, query);
    store_bind_int(find, 1, LINES);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW) {
        char date[40];
        date_write(store_column_int(find, 0), date);
        say(command->out, "%s", date);
        for (int i = 1; i < columns; i++) {
            const JdStr text = store_column_text(find, i);
            say(command->out, "  %.*s", JD_PRINT(text.size > 0 ? text : JD_STR("-")));
        }
        say(command->out, "\n");
    }
    store_done(find);
    command->out->ok = true;
    return step != STORE_STEP_FAILED;
}

static bool list_reports(StoreDb *db, Command *command, JdErr *err) {
    return list_rows(db, command, STORE_REPORTS, 4, err);
}

static bool list_audit(StoreDb *db, Command *command, JdErr *err) {
    return list_rows(db, command, STORE_AUDIT, 7, err);
}

// ---- all of it ----------------------------------------------------------------------------------

static const struct {
    const char *name;
    size_t least; // words, with the name
    size_t most;
    bool on_account; // the second word is a nick
    bool (*run)(StoreDb *db, Command *command, JdErr *err);
} commands[] = {
    { "role", 3, 3, true, set_role },         { "unrole", 3, 3, true, set_role },
    { "roles", 1, 1, false, list_roles },     { "rename", 3, 3, true, rename_account },
    { "block", 3, 4, true, block },           { "unblock", 3, 3, true, unblock },
    { "erase", 2, 2, true, erase_account },   { "word", 2, 2, false, set_word },
    { "unword", 2, 2, false, set_word },      { "words", 1, 1, false, list_words },
    { "links", 2, 2, true, list_identities }, { "unlink", 3, 3, true, unlink_identity },
    { "reports", 1, 1, false, list_reports }, { "audit", 1, 1, false, list_audit },
};

static bool find_named(StoreDb *db, Command *command, bool *found, JdErr *err) {
    char skeleton[PAGES_SKELETON_SIZE];
    *found = false;
    if (pages_nick_skeleton(command->words[1], skeleton) &&
        !account_by_skeleton(db, skeleton, &command->account, found, err))
        return false;
    if (!*found)
        (void)no(command, "no such player");
    return true;
}

static bool admin_job(StoreDb *db, void *arg, JdErr *err) {
    Command *command = arg;
    for (size_t i = 0; i < JD_COUNT(commands); i++) {
        if (!jd_str_equal(command->words[0], jd_str(commands[i].name)))
            continue;
        if (command->count < commands[i].least || command->count > commands[i].most)
            return no(command, "%s: see jadoube admin --help", commands[i].name);
        bool found = true;
        if (commands[i].on_account && !find_named(db, command, &found, err))
            return false;
        return !found || commands[i].run(db, command, err);
    }
    return no(command, "unknown command; see jadoube admin --help");
}

bool pages_admin(PagesWorker *worker, const JdStr *words, size_t count, JdInstant now,
                 PagesAdmin *out, PagesFault *fault) {
    Command command = { .pages = worker->pages, .words = words, .count = count, .now = now };
    command.out = out;
    JdErr err = { 0 };
    *out = (PagesAdmin) { .size = 0 };
    if (count == 0 || count > PAGES_ADMIN_WORDS)
        return refuse(fault, PAGES_BAD_REQUEST, "", "expected 1 to %d words", PAGES_ADMIN_WORDS);
    for (size_t i = 0; i < count; i++)
        if (!check_text(words[i], "", 4096, &err))
            return refuse_as(fault, &err, "");
    const bool ok = store_write(worker->pages->config.store, admin_job, &command, &err);
    sodium_memzero(&command.account, sizeof command.account);
    if (!ok)
        return refuse_store(fault, &err);
    return words_open(worker->pages, &err) || refuse_store(fault, &err);
}

bool pages_sanctioned(PagesWorker *worker, JdInstant now, int64_t *out, size_t capacity,
                      size_t *count, PagesFault *fault) {
    StoreStmt *find = store_query(worker->db, STORE_SANCTIONED);
    store_bind_int(find, 1, now.ms);
    JdErr err = { 0 };
    StoreStep step;
    *count = 0;
    while ((step = store_step(find, &err)) == STORE_STEP_ROW && *count < capacity)
        out[(*count)++] = store_column_int(find, 0);
    store_done(find);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}

// ---- the operator's words -----------------------------------------------------------------------

#define WORDS_MAX 5000

struct WordList {
    size_t count;
    char list[WORDS_MAX][PAGES_NICK_SIZE];
};

bool words_open(Pages *pages, JdErr *err) {
    StoreDb *db = NULL;
    struct WordList *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL)
        return jd_fail(err, STORE_MEMORY, 0, "no memory for the words");
    if (!store_reader_open(pages->config.store, &db, err)) {
        free(fresh);
        return false;
    }
    StoreStmt *find = store_query(db, STORE_WORDS);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW && fresh->count < WORDS_MAX) {
        char *word = fresh->list[fresh->count++];
        copy_text(word, PAGES_NICK_SIZE, store_column_text(find, 0));
    }
    store_done(find);
    store_reader_close(db);
    pthread_mutex_lock(&pages->mutex);
    free(pages->words);
    pages->words = fresh;
    pthread_mutex_unlock(&pages->mutex);
    return step != STORE_STEP_FAILED;
}

void words_close(Pages *pages) {
    free(pages->words);
    pages->words = NULL;
}

bool words_forbid(Pages *pages, JdStr nick) {
    CodePoints points;
    bool found = false;
    if (!text_nfc(nick, &points))
        return true;
    pthread_mutex_lock(&pages->mutex);
    for (size_t i = 0; i < pages->words->count && !found; i++)
        found = is_word_in(&points, pages->words->list[i]);
    pthread_mutex_unlock(&pages->mutex);
    return found;
}
