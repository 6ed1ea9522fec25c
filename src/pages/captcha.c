// SPDX-License-Identifier: GPL-3.0-or-later
//
// The captcha (S-006 to S-009): what is asked, in memory, for five minutes and one answer; how hard
// it is; and the pass that a right answer gives. Answers never leave the server.
#include "pages/captcha.h"

#include <stdlib.h>
#include <string.h>

#define LIFE_MS INT64_C(300000)
#define CODE_LIFE_MS INT64_C(600000) // a letter has to come first
#define CODE_TRIES 3

// ---- grids --------------------------------------------------------------------------------------

// Pieces that are taken for one another, for levels above the first.
static const uint8_t alike[CAPTCHA_PIECES][2] = { { 2, 3 }, { 2, 0 }, { 0, 1 },
                                                  { 4, 0 }, { 5, 3 }, { 4, 2 } };

void captcha_grid(int level, uint64_t *chance, CaptchaGrid *out, uint32_t *cells) {
    *out = (CaptchaGrid) { .side = level >= 3 ? 4 : 3, .noise = level >= 2, .turned = level >= 3 };
    out->piece = (uint8_t)jd_random_below(chance, CAPTCHA_PIECES);
    const uint32_t count = (uint32_t)out->side * out->side;
    uint32_t left = 2 + jd_random_below(chance, count / 3); // cells with the piece
    *cells = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (jd_random_below(chance, count - i) < left) {
            out->pieces[i] = out->piece;
            *cells |= UINT32_C(1) << i;
            left--;
        } else if (level >= 2 && jd_random_below(chance, 3) != 0) {
            out->pieces[i] = alike[out->piece][jd_random_below(chance, 2)];
        } else {
            const uint32_t step = 1 + jd_random_below(chance, CAPTCHA_PIECES - 1);
            out->pieces[i] = (uint8_t)((out->piece + step) % CAPTCHA_PIECES);
        }
    }
}

// ---- the table ----------------------------------------------------------------------------------

static void hash_of(JdStr id, unsigned char out[16]) {
    crypto_generichash(out, 16, (const unsigned char *)id.data, id.size, NULL, 0);
}

static CaptchaEntry *find(Captchas *captchas, JdStr id, JdInstant now) {
    unsigned char hash[16];
    if (id.size != PAGES_TOKEN_TEXT)
        return NULL;
    hash_of(id, hash);
    for (size_t i = 0; i < CAPTCHAS_MAX; i++)
        if (memcmp(captchas->entries[i].hash, hash, sizeof hash) == 0)
            return captchas->entries[i].expires_ms > now.ms ? &captchas->entries[i] : NULL;
    return NULL;
}

// A place for a new one: free, past its end, or the one that ends first.
static CaptchaEntry *place(Captchas *captchas) {
    CaptchaEntry *oldest = &captchas->entries[0];
    for (size_t i = 1; i < CAPTCHAS_MAX; i++)
        if (captchas->entries[i].expires_ms < oldest->expires_ms)
            oldest = &captchas->entries[i];
    return oldest;
}

static void put(Captchas *captchas, const CaptchaEntry *entry, char id[PAGES_TOKEN_TEXT + 1]) {
    NewSession drawn; // the same 32 bytes of chance
    session_draw(&drawn, false, (JdInstant) { 0 });
    memcpy(id, drawn.token, PAGES_TOKEN_TEXT + 1);
    CaptchaEntry *to = place(captchas);
    *to = *entry;
    hash_of(jd_str(id), to->hash);
}

bool captcha_open(const PagesConfig *config, Captchas **out, JdErr *err) {
    Captchas *captchas = calloc(1, sizeof *captchas);
    if (captchas == NULL)
        return jd_fail(err, PAGES_INTERNAL, 0, "no memory for the captcha");
    pthread_mutex_init(&captchas->mutex, NULL);
    if (!questions_open(config->questions, &captchas->questions, err)) {
        captcha_close(captchas);
        return false;
    }
    *out = captchas;
    return true;
}

void captcha_close(Captchas *captchas) {
    if (captchas == NULL)
        return;
    questions_close(&captchas->questions);
    pthread_mutex_destroy(&captchas->mutex);
    free(captchas);
}

// ---- asking -------------------------------------------------------------------------------------

static JdStr block_of(const PagesAddress *address, unsigned char block[BLOCK_SIZE]) {
    address_block(address, block);
    return jd_str_n((const char *)block, BLOCK_SIZE);
}

static bool locked(PagesFault *fault, uint32_t wait_s) {
    refuse(fault, PAGES_CAPTCHA_LOCKED, "", "too many wrong answers; wait %u s", (unsigned)wait_s);
    fault->retry_after_s = wait_s;
    return false;
}

static int level_of(Pages *pages, JdStr block, JdInstant now) {
    const uint32_t wrong = limit_count(&pages->captcha_level, block, now);
    return wrong >= 3 ? 4 : (int)wrong + 1;
}

static bool ask_pictures(Pages *pages, int level, int grid, JdInstant now, PagesCaptcha *out,
                         PagesFault *fault) {
    uint64_t chance = 0;
    CaptchaGrid drawn;
    CaptchaEntry entry = { .expires_ms = now.ms + LIFE_MS,
                           .way = PAGES_CAPTCHA_PICTURES,
                           .level = (uint8_t)level,
                           .grid = (uint8_t)grid,
                           .tries_left = 1 };
    randombytes_buf(&chance, sizeof chance);
    captcha_grid(level, &chance, &drawn, &entry.cells);
    if (!captcha_draw(&drawn, chance, out->png, sizeof out->png, &out->png_size))
        return refuse(fault, PAGES_INTERNAL, "", "the captcha cannot be drawn");
    out->way = PAGES_CAPTCHA_PICTURES;
    out->level = (uint8_t)level;
    out->piece = drawn.piece;
    out->side = drawn.side;
    out->grid = (uint8_t)(grid + 1);
    out->grids = level == 4 ? 2 : 1;
    out->expires_ms = entry.expires_ms;
    put(pages->captchas, &entry, out->id);
    return true;
}

static void ask_question(Pages *pages, JdStr language, JdInstant now, PagesCaptcha *out) {
    const Questions *questions = &pages->captchas->questions;
    const Question *question = question_draw(questions, language, randombytes_random());
    const CaptchaEntry entry = { .expires_ms = now.ms + LIFE_MS,
                                 .way = PAGES_CAPTCHA_QUESTION,
                                 .question = (uint32_t)(question - questions->list),
                                 .tries_left = 1 };
    out->way = PAGES_CAPTCHA_QUESTION;
    memcpy(out->question, question->text, sizeof out->question);
    out->expires_ms = entry.expires_ms;
    put(pages->captchas, &entry, out->id);
}

typedef struct CodeJob {
    Pages *pages;
    JdStr email;
    JdStr language;
    const char *code;
    JdInstant now;
} CodeJob;

static bool code_job(StoreDb *db, void *arg, JdErr *err) {
    const CodeJob *job = arg;
    const PagesMail mail = { .kind = "code",
                             .address = job->email,
                             .language = job->language,
                             .words = { { "code", jd_str(job->code) } } };
    return pages_mail_enqueue(job->pages, db, &mail, job->now, err);
}

static bool ask_code(PagesWorker *worker, const PagesCaptchaAsk *ask, JdInstant now,
                     PagesCaptcha *out, PagesFault *fault) {
    Pages *pages = worker->pages;
    char key[PAGES_EMAIL_MAX + 1];
    JdErr err = { 0 };
    uint32_t wait_s = 0;
    if (!pages->config.mail)
        return refuse(fault, PAGES_NO_MAIL, "", "this house sends no mail");
    if (!pages_email_check(ask->email, key, &err))
        return refuse_as(fault, &err, "email");
    if (!limit_take(&pages->letters, jd_str(key), now, &wait_s))
        return rate_limited(fault, wait_s);
    CaptchaEntry entry = { .expires_ms = now.ms + CODE_LIFE_MS,
                           .way = PAGES_CAPTCHA_CODE,
                           .tries_left = CODE_TRIES };
    jd_format(entry.code, sizeof entry.code, "%06u", randombytes_uniform(1000000));
    CodeJob job = { .pages = pages,
                    .email = jd_str_trim(ask->email),
                    .language = ask->language,
                    .code = entry.code,
                    .now = now };
    if (!store_write(pages->config.store, code_job, &job, &err))
        return refuse_store(fault, &err);
    out->way = PAGES_CAPTCHA_CODE;
    out->expires_ms = entry.expires_ms;
    pthread_mutex_lock(&pages->captchas->mutex);
    put(pages->captchas, &entry, out->id);
    pthread_mutex_unlock(&pages->captchas->mutex);
    return true;
}

// Another one in place of that: at the same level, without penalty, ten times in ten minutes
// (S-007).
static bool give_up_old(Pages *pages, const PagesCaptchaAsk *ask, JdStr block, JdInstant now,
                        PagesFault *fault) {
    uint32_t wait_s = 0;
    if (ask->instead_of.size == 0)
        return true;
    if (!limit_take(&pages->captcha_refreshes, block, now, &wait_s))
        return rate_limited(fault, wait_s);
    pthread_mutex_lock(&pages->captchas->mutex);
    CaptchaEntry *old = find(pages->captchas, ask->instead_of, now);
    if (old != NULL && !old->passed)
        *old = (CaptchaEntry) { 0 };
    pthread_mutex_unlock(&pages->captchas->mutex);
    return true;
}

bool pages_captcha_ask(PagesWorker *worker, const PagesCaptchaAsk *ask, JdInstant now,
                       PagesCaptcha *out, PagesFault *fault) {
    Pages *pages = worker->pages;
    unsigned char bytes[BLOCK_SIZE];
    const JdStr block = block_of(&ask->address, bytes);
    uint32_t wait_s = 0;
    *out = (PagesCaptcha) { .id = "" };
    if (pages->config.captcha == PAGES_CAPTCHA_OFF)
        return refuse(fault, PAGES_NOT_FOUND, "", "this house asks nothing");
    if (!check_language(ask->language, fault))
        return false;
    if (!limit_allows(&pages->captcha_errors, block, now, &wait_s))
        return locked(fault, wait_s);
    if (!give_up_old(pages, ask, block, now, fault))
        return false;
    if (ask->way == PAGES_CAPTCHA_CODE)
        return ask_code(worker, ask, now, out, fault);
    const bool question =
        ask->way == PAGES_CAPTCHA_QUESTION && (!pages->config.mail || ask->no_pictures);
    const bool pictures = pages->config.captcha == PAGES_CAPTCHA_PICTURES && !question;
    const int level = level_of(pages, block, now);
    pthread_mutex_lock(&pages->captchas->mutex);
    bool ok = true;
    if (pictures)
        ok = ask_pictures(pages, level, 0, now, out, fault);
    else
        ask_question(pages, ask->language, now, out);
    pthread_mutex_unlock(&pages->captchas->mutex);
    return ok;
}

// ---- answering ----------------------------------------------------------------------------------

static bool is_right(const Captchas *captchas, const CaptchaEntry *entry,
                     const PagesCaptchaAnswer *answer) {
    switch ((PagesCaptchaWay)entry->way) {
    case PAGES_CAPTCHA_PICTURES:
        return answer->has_cells && answer->cells == entry->cells;
    case PAGES_CAPTCHA_QUESTION:
        return question_answered(&captchas->questions.list[entry->question], answer->text);
    case PAGES_CAPTCHA_CODE:
        return jd_str_equal(jd_str_trim(answer->text), jd_str(entry->code));
    case PAGES_CAPTCHA_OFF:
        break;
    }
    return false;
}

static bool wrong_answer(Pages *pages, JdStr block, JdInstant now, PagesFault *fault) {
    uint32_t wait_s = 0;
    (void)!limit_take(&pages->captcha_level, block, now, &wait_s);
    (void)!limit_take(&pages->captcha_errors, block, now, &wait_s);
    if (!limit_allows(&pages->captcha_errors, block, now, &wait_s))
        return locked(fault, wait_s);
    return refuse(fault, PAGES_CAPTCHA_WRONG, "captcha", "not the right choice");
}

bool pages_captcha_answer(PagesWorker *worker, const PagesCaptchaAnswer *answer, JdInstant now,
                          PagesCaptcha *out, PagesFault *fault) {
    Pages *pages = worker->pages;
    Captchas *captchas = pages->captchas;
    unsigned char bytes[BLOCK_SIZE];
    const JdStr block = block_of(&answer->address, bytes);
    uint32_t wait_s = 0;
    *out = (PagesCaptcha) { .id = "" };
    if (!limit_allows(&pages->captcha_errors, block, now, &wait_s))
        return locked(fault, wait_s);
    pthread_mutex_lock(&captchas->mutex);
    CaptchaEntry *entry = find(captchas, answer->id, now);
    const bool known = entry != NULL && !entry->passed;
    const CaptchaEntry was = known ? *entry : (CaptchaEntry) { 0 };
    const bool right = known && is_right(captchas, entry, answer);
    bool ok = true;
    if (known && (right || --entry->tries_left == 0))
        *entry = (CaptchaEntry) { 0 };
    if (right && was.way == PAGES_CAPTCHA_PICTURES && was.level == 4 && was.grid == 0) {
        ok = ask_pictures(pages, 4, 1, now, out, fault);
    } else if (right) {
        const CaptchaEntry pass = { .expires_ms = now.ms + LIFE_MS, .passed = true };
        out->passed = true;
        out->expires_ms = pass.expires_ms;
        put(captchas, &pass, out->id);
    }
    pthread_mutex_unlock(&captchas->mutex);
    if (!known)
        return refuse(fault, PAGES_CAPTCHA_EXPIRED, "captcha", "answered already, or too late");
    if (!right)
        return wrong_answer(pages, block, now, fault);
    if (out->passed)
        limit_forget(&pages->captcha_level, block);
    return ok;
}

bool captcha_has_pass(Pages *pages, JdStr pass, JdInstant now, bool spend, PagesFault *fault) {
    if (pages->config.captcha == PAGES_CAPTCHA_OFF)
        return true;
    if (pass.size == 0)
        return refuse(fault, PAGES_CAPTCHA_REQUIRED, "captcha", "answer a captcha first");
    pthread_mutex_lock(&pages->captchas->mutex);
    CaptchaEntry *entry = find(pages->captchas, pass, now);
    const bool good = entry != NULL && entry->passed;
    if (good && spend)
        *entry = (CaptchaEntry) { 0 };
    pthread_mutex_unlock(&pages->captchas->mutex);
    return good ||
           refuse(fault, PAGES_CAPTCHA_EXPIRED, "captcha", "the pass was used or is too old");
}
