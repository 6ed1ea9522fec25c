// SPDX-License-Identifier: GPL-3.0-or-later
//
// Letters: their texts in three languages, the queue they wait in, and when one is tried again. The
// sending itself is the business of net.
#include <string.h>

#include "pages/internal.h"

#define GIVE_UP_MS (INT64_C(48) * 3600000) // most links in letters have expired by then

// Seconds from one try to the next; the last goes on until the letter is given up.
static const int waits_s[] = { 5, 55, 240, 600, 2700, 3600, 7200, 14400, 28800 };

// ---- texts --------------------------------------------------------------------------------------

const PagesText *text_find(const PagesText *texts, size_t count, JdStr language, const char *name) {
    const PagesText *english = NULL;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(texts[i].name, name) != 0)
            continue;
        if (jd_str_equal(jd_str(texts[i].language), language))
            return &texts[i];
        if (strcmp(texts[i].language, "en") == 0)
            english = &texts[i];
    }
    return english;
}

static const JdStr *value_of(JdStr name, const PagesMailWord *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (words[i].name != NULL && jd_str_equal(name, jd_str(words[i].name)))
            return &words[i].value;
    return NULL;
}

bool text_fill(const char *text, const PagesMailWord *words, size_t count, JdOut *out,
               const char **missing) {
    for (JdStr rest = jd_str(text); rest.size > 0;) {
        const size_t brace = jd_str_find(rest, '{');
        jd_out_text(out, jd_str_part(rest, 0, brace));
        rest = jd_str_part(rest, brace, rest.size);
        if (rest.size == 0)
            break;
        const size_t end = jd_str_find(rest, '}');
        const JdStr *value = value_of(jd_str_part(rest, 1, end - 1), words, count);
        if (value == NULL) {
            *missing = rest.data;
            return false;
        }
        jd_out_text(out, *value);
        rest = jd_str_part(rest, end + 1, rest.size);
    }
    return true;
}

static const PagesText *plain(JdStr language, const char *name) {
    const PagesText *text = text_find(plain_texts, plain_texts_count, language, name);
    JD_ASSERT(text != NULL);
    return text;
}

void pages_plain_text(JdStr language, const char *name, const PagesMailWord *words, size_t count,
                      JdOut *out) {
    const char *missing = NULL;
    const bool filled = text_fill(plain(language, name)->subject, words, count, out, &missing);
    JD_ASSERT(filled);
}

void pages_plain_page(JdStr language, const char *name, const PagesMailWord *words, size_t count,
                      JdOut *out) {
    const char *missing = NULL;
    const bool filled = text_fill(plain(language, name)->text, words, count, out, &missing);
    JD_ASSERT(filled);
}

// ---- into the queue -----------------------------------------------------------------------------

typedef struct Recipient {
    char email[PAGES_EMAIL_MAX + 1];
    char nick[PAGES_NICK_SIZE];
    char language[4];
} Recipient;

static void copy(char *out, size_t size, JdStr text) {
    const size_t taken = text.size < size ? text.size : size - 1;
    memset(out, 0, size);
    memcpy(out, taken > 0 ? text.data : "", taken);
}

static bool find_recipient(StoreDb *db, const PagesMail *mail, Recipient *out, JdErr *err) {
    *out = (Recipient) { .language = "en" };
    if (mail->account != 0) {
        StoreStmt *find = store_query(db, STORE_ACCOUNT_ADDRESS);
        store_bind_int(find, 1, mail->account);
        const StoreStep step = store_step(find, err);
        if (step == STORE_STEP_ROW) {
            copy(out->nick, sizeof out->nick, store_column_text(find, 0));
            copy(out->language, sizeof out->language, store_column_text(find, 1));
            if (!store_column_is_null(find, 3)) // confirmed
                copy(out->email, sizeof out->email, store_column_text(find, 2));
        }
        store_done(find);
        if (step == STORE_STEP_FAILED)
            return false;
    }
    if (mail->address.size > 0)
        copy(out->email, sizeof out->email, mail->address);
    if (mail->language.size > 0)
        copy(out->language, sizeof out->language, mail->language);
    return true;
}

// A subject is one line, whatever was put into it.
static void make_one_line(char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            text[i] = ' ';
}

static bool insert(StoreDb *db, const PagesMail *mail, const char *recipient, JdStr subject,
                   JdStr body, JdInstant now, JdErr *err) {
    StoreStmt *add = store_query(db, STORE_MAIL_INSERT);
    store_bind_text(add, 1, jd_str(mail->kind));
    store_bind_text(add, 2, jd_str(recipient));
    store_bind_text(add, 3, subject);
    store_bind_text(add, 4, body);
    if (mail->unsubscribe.size > 0)
        store_bind_text(add, 5, mail->unsubscribe);
    else
        store_bind_null(add, 5);
    store_bind_int(add, 6, now.ms);
    return store_run(add, NULL, err);
}

bool pages_mail_enqueue(Pages *pages, StoreDb *db, const PagesMail *mail, JdInstant now,
                        JdErr *err) {
    if (!pages->config.mail)
        return true;
    Recipient to;
    if (!find_recipient(db, mail, &to, err))
        return false;
    if (to.email[0] == '\0')
        return true;
    const PagesText *text =
        text_find(mail_texts, mail_texts_count, jd_str(to.language), mail->kind);
    if (text == NULL)
        return jd_fail(err, PAGES_INTERNAL, 0, "no letter \"%s\"", mail->kind);
    PagesMailWord words[PAGES_MAIL_WORDS + 2] = {
        { "nick", jd_str(to.nick) },
        { "site", jd_str(pages->config.site) },
    };
    memcpy(words + 2, mail->words, sizeof mail->words);
    char subject[PAGES_MAIL_SUBJECT];
    char body[PAGES_MAIL_BODY];
    JdOut subject_out = jd_out(subject, sizeof subject);
    JdOut body_out = jd_out(body, sizeof body);
    const char *missing = NULL;
    if (!text_fill(text->subject, words, JD_COUNT(words), &subject_out, &missing) ||
        !text_fill(text->text, words, JD_COUNT(words), &body_out, &missing))
        return jd_fail(err, PAGES_INTERNAL, 0, "letter \"%s\": no word for %.20s", mail->kind,
                       missing);
    if (!jd_out_fits(&subject_out) || !jd_out_fits(&body_out))
        return jd_fail(err, PAGES_INTERNAL, 0, "letter \"%s\" is too long", mail->kind);
    make_one_line(subject, subject_out.size);
    if (!insert(db, mail, to.email, jd_out_str(&subject_out), jd_out_str(&body_out), now, err))
        return false;
    if (pages->config.mail_waits != NULL)
        pages->config.mail_waits(pages->config.context);
    return true;
}

// ---- out of the queue ---------------------------------------------------------------------------

typedef struct TakeJob {
    JdInstant now;
    PagesLetter *letter;
    bool found;
    int64_t next_ms;
} TakeJob;

static bool remove_letter(StoreDb *db, int64_t id, JdErr *err) {
    StoreStmt *remove = store_query(db, STORE_MAIL_DELETE);
    store_bind_int(remove, 1, id);
    return store_run(remove, NULL, err);
}

static bool read_first(StoreDb *db, TakeJob *job, JdErr *err) {
    PagesLetter *letter = job->letter;
    StoreStmt *first = store_query(db, STORE_MAIL_FIRST);
    const StoreStep step = store_step(first, err);
    job->found = step == STORE_STEP_ROW;
    job->next_ms = job->found ? store_column_int(first, 7) : INT64_MAX;
    if (job->found && job->next_ms <= job->now.ms) {
        letter->id = store_column_int(first, 0);
        copy(letter->kind, sizeof letter->kind, store_column_text(first, 1));
        copy(letter->to, sizeof letter->to, store_column_text(first, 2));
        copy(letter->subject, sizeof letter->subject, store_column_text(first, 3));
        copy(letter->body, sizeof letter->body, store_column_text(first, 4));
        copy(letter->unsubscribe, sizeof letter->unsubscribe, store_column_text(first, 5));
        letter->created_ms = store_column_int(first, 6);
        letter->tries = (uint32_t)store_column_int(first, 8);
    }
    store_done(first);
    return step != STORE_STEP_FAILED;
}

// Takes the letter and says at once when it is due again, should this try come to nothing.
static bool take_job(StoreDb *db, void *arg, JdErr *err) {
    TakeJob *job = arg;
    PagesLetter *letter = job->letter;
    if (!read_first(db, job, err))
        return false;
    if (!job->found || job->next_ms > job->now.ms) {
        job->found = false;
        return true;
    }
    const size_t last = JD_COUNT(waits_s) - 1;
    const size_t at = letter->tries < last ? letter->tries : last;
    const int64_t next_ms = job->now.ms + waits_s[at] * INT64_C(1000);
    letter->last_try = next_ms - letter->created_ms > GIVE_UP_MS;
    letter->tries++;
    StoreStmt *claim = store_query(db, STORE_MAIL_CLAIM);
    store_bind_int(claim, 1, letter->id);
    store_bind_int(claim, 2, next_ms);
    return store_run(claim, NULL, err);
}

bool pages_mail_take(Pages *pages, JdInstant now, PagesLetter *out, bool *found, int64_t *next_ms,
                     JdErr *err) {
    TakeJob job = { .now = now, .letter = out, .next_ms = INT64_MAX };
    *out = (PagesLetter) { 0 };
    if (!store_write(pages->config.store, take_job, &job, err))
        return false;
    *found = job.found;
    *next_ms = job.next_ms;
    return true;
}

static bool done_job(StoreDb *db, void *arg, JdErr *err) {
    return remove_letter(db, *(const int64_t *)arg, err);
}

bool pages_mail_done(Pages *pages, int64_t letter, JdErr *err) {
    return store_write(pages->config.store, done_job, &letter, err);
}
