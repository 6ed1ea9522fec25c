// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opening and closing, codes of refusals, addresses, and the check every text from outside goes
// through.
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pages/internal.h"

#define REGISTRATIONS_PER_HOUR 10
#define GUESTS_PER_HOUR 60

// ---- refusals -----------------------------------------------------------------------------------

static const struct {
    const char *name;
    int status;
} codes[] = {
    [PAGES_OK] = { "ok", 200 },
    [PAGES_BAD_REQUEST] = { "bad_request", 400 },
    [PAGES_BAD_TEXT] = { "bad_text", 400 },
    [PAGES_AUTH_REQUIRED] = { "auth_required", 401 },
    [PAGES_BAD_CREDENTIALS] = { "bad_credentials", 401 },
    [PAGES_CLOSED] = { "closed", 403 },
    [PAGES_NOT_FOUND] = { "not_found", 404 },
    [PAGES_NICK_LENGTH] = { "nick_length", 422 },
    [PAGES_NICK_CHARACTERS] = { "nick_characters", 422 },
    [PAGES_NICK_MIXED_SCRIPT] = { "nick_mixed_script", 422 },
    [PAGES_NICK_RESERVED] = { "nick_reserved", 422 },
    [PAGES_NICK_OBSCENE] = { "nick_obscene", 422 },
    [PAGES_NICK_TAKEN] = { "nick_taken", 422 },
    [PAGES_EMAIL_BAD] = { "email_bad", 422 },
    [PAGES_PASSWORD_LENGTH] = { "password_length", 422 },
    [PAGES_PASSWORD_WEAK] = { "password_weak", 422 },
    [PAGES_PASSWORD_MISMATCH] = { "password_mismatch", 422 },
    [PAGES_RULES_NOT_ACCEPTED] = { "rules_not_accepted", 422 },
    [PAGES_RATE_LIMITED] = { "rate_limited", 429 },
    [PAGES_INTERNAL] = { "internal", 500 },
    [PAGES_UNAVAILABLE] = { "unavailable", 503 },
    [PAGES_BAD_COLOUR] = { "bad_colour", 422 },
    [PAGES_NAME_TAKEN] = { "name_taken", 422 },
    [PAGES_NAME_BAD] = { "name_bad", 422 },
    [PAGES_BAD_LAYOUT] = { "bad_layout", 422 },
    [PAGES_TOO_MANY_LAYOUTS] = { "too_many_layouts", 422 },
    [PAGES_FORBIDDEN] = { "forbidden", 403 },
    [PAGES_TOO_LONG] = { "too_long", 422 },
    [PAGES_LINK_BAD] = { "link_bad", 422 },
    [PAGES_NO_MAIL] = { "no_mail", 422 },
    [PAGES_CAPTCHA_REQUIRED] = { "captcha_required", 422 },
    [PAGES_CAPTCHA_WRONG] = { "captcha_wrong", 422 },
    [PAGES_CAPTCHA_EXPIRED] = { "captcha_expired", 422 },
    [PAGES_CAPTCHA_LOCKED] = { "captcha_locked", 429 },
    [PAGES_BLOCKED] = { "blocked", 403 },
    [PAGES_ANONYMIZER] = { "anonymizer", 403 },
    [PAGES_TOO_MANY_BLOCKS] = { "too_many_blocks", 422 },
    [PAGES_TOO_MANY_PEOPLE] = { "too_many_people", 422 },
    [PAGES_IDENTITY_TAKEN] = { "identity_taken", 422 },
    [PAGES_IDENTITY_LINKED] = { "identity_linked", 422 },
};

static bool is_code(PagesCode code) {
    return (size_t)code < JD_COUNT(codes) && codes[code].name != NULL;
}

const char *pages_code_name(PagesCode code) {
    return codes[is_code(code) ? code : PAGES_INTERNAL].name;
}

int pages_code_status(PagesCode code) {
    return codes[is_code(code) ? code : PAGES_INTERNAL].status;
}

bool refuse(PagesFault *fault, PagesCode code, const char *field, const char *format, ...) {
    if (fault == NULL)
        return false;
    char text[JD_ERR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    jd_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    fault->retry_after_s = 0;
    return jd_fail_field(&fault->err, code, field, 0, "%s", text);
}

bool refuse_store(PagesFault *fault, const JdErr *err) {
    const StoreFault code = (StoreFault)err->code;
    const bool may_pass =
        code == STORE_FULL || code == STORE_IO || code == STORE_CLOSING || code == STORE_MEMORY;
    return refuse(fault, may_pass ? PAGES_UNAVAILABLE : PAGES_INTERNAL, "", "%s", err->text);
}

bool check_text(JdStr text, const char *field, size_t size_max, JdErr *err) {
    if (text.size > size_max)
        return jd_fail_field(err, PAGES_BAD_TEXT, field, size_max, "more than %zu bytes", size_max);
    size_t offset = 0;
    if (!jd_utf8_valid(text, &offset))
        return jd_fail_field(err, PAGES_BAD_TEXT, field, offset, "byte %zu: not UTF-8", offset);
    for (size_t at = 0; at < text.size;) {
        const size_t start = at;
        const uint32_t point = jd_utf8_next(text, &at);
        // Embeddings, overrides and isolates turn text around that stands beside them.
        if (point == 0 || (point >= 0x202a && point <= 0x202e) ||
            (point >= 0x2066 && point <= 0x2069))
            return jd_fail_field(err, PAGES_BAD_TEXT, field, start,
                                 "byte %zu: a NUL or a change of writing direction", start);
    }
    return true;
}

bool file_read(const char *path, char *out, size_t capacity, size_t *size, JdErr *err) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return jd_fail(err, PAGES_BAD_REQUEST, 0, "%s: %s", path, strerror(errno));
    *size = fread(out, 1, capacity, file);
    const bool whole = feof(file) != 0 && ferror(file) == 0;
    fclose(file);
    return whole || jd_fail(err, PAGES_BAD_REQUEST, 0, "%s: cannot be read, or above %zu bytes",
                            path, capacity - 1);
}

// ---- addresses ----------------------------------------------------------------------------------

bool pages_address_parse(JdStr text, PagesAddress *out) {
    char copy[INET6_ADDRSTRLEN];
    if (text.size >= sizeof copy || jd_str_find(text, '\0') < text.size)
        return false;
    memcpy(copy, text.size > 0 ? text.data : "", text.size);
    copy[text.size] = '\0';
    PagesAddress read = { .bytes = { [10] = 0xff, [11] = 0xff } };
    if (inet_pton(AF_INET, copy, read.bytes + 12) != 1 &&
        inet_pton(AF_INET6, copy, read.bytes) != 1)
        return false;
    *out = read;
    return true;
}

// ---- opening ------------------------------------------------------------------------------------

typedef struct LimitPlace {
    size_t offset;
    LimitRule rule;
} LimitPlace;

#define HOUR_MS INT64_C(3600000)
#define QUARTER_MS INT64_C(900000)

static const LimitPlace limits[] = {
    { offsetof(Pages, pair_errors), { 10, HOUR_MS, QUARTER_MS } }, // S-013
    { offsetof(Pages, block_errors), { 100, HOUR_MS, QUARTER_MS } },
    { offsetof(Pages, registrations), { REGISTRATIONS_PER_HOUR, HOUR_MS, 0 } },
    { offsetof(Pages, guests), { GUESTS_PER_HOUR, HOUR_MS, 0 } },
    { offsetof(Pages, recoveries), { 10, HOUR_MS, 0 } },
    { offsetof(Pages, letters), { 5, HOUR_MS, 0 } },
    { offsetof(Pages, captcha_errors), { 8, HOUR_MS, QUARTER_MS } }, // S-008
    { offsetof(Pages, captcha_level), { UINT32_MAX, HOUR_MS, 0 } },
    { offsetof(Pages, captcha_refreshes), { 10, 600000, 0 } }, // S-007
};

static Limit *limit_at(Pages *pages, size_t index) {
    return (Limit *)(void *)((char *)pages + limits[index].offset);
}

static bool open_limits(Pages *pages) {
    bool ok = true;
    for (size_t i = 0; i < JD_COUNT(limits); i++)
        ok = limit_open(limit_at(pages, i), limits[i].rule) && ok;
    if (pages->config.registrations_per_hour != 0)
        pages->registrations.rule.most = pages->config.registrations_per_hour;
    return ok;
}

static void close_limits(Pages *pages) {
    for (size_t i = 0; i < JD_COUNT(limits); i++)
        limit_close(limit_at(pages, i));
}

bool pages_open(const PagesConfig *config, Pages **out, JdErr *err) {
    if (sodium_init() < 0)
        return jd_fail(err, PAGES_INTERNAL, 0, "libsodium cannot be started");
    Pages *pages = calloc(1, sizeof *pages);
    if (pages == NULL)
        return jd_fail(err, PAGES_INTERNAL, 0, "no memory for the pages");
    pages->config = *config;
    if (!open_limits(pages)) {
        close_limits(pages);
        free(pages);
        return jd_fail(err, PAGES_INTERNAL, 0, "no memory for the limits");
    }
    pthread_mutex_init(&pages->mutex, NULL);
    if (!captcha_open(config, &pages->captchas, err) ||
        !nets_open(config->anonymizers, &pages->anonymizers, err) || !words_open(pages, err) ||
        !hash_open(&pages->hashes, config, err)) {
        captcha_close(pages->captchas);
        nets_close(&pages->anonymizers);
        words_close(pages);
        pthread_mutex_destroy(&pages->mutex);
        close_limits(pages);
        free(pages);
        return false;
    }
    *out = pages;
    return true;
}

void pages_close(Pages *pages) {
    if (pages == NULL)
        return;
    JD_ASSERT(pages->workers == 0);
    hash_close(&pages->hashes);
    captcha_close(pages->captchas);
    nets_close(&pages->anonymizers);
    words_close(pages);
    close_limits(pages);
    pthread_mutex_destroy(&pages->mutex);
    free(pages);
}

static void count_worker(Pages *pages, int by) {
    pthread_mutex_lock(&pages->mutex);
    pages->workers += (unsigned)by;
    pthread_mutex_unlock(&pages->mutex);
}

bool pages_worker_open(Pages *pages, PagesWorker **out, JdErr *err) {
    PagesWorker *worker = calloc(1, sizeof *worker);
    if (worker == NULL)
        return jd_fail(err, PAGES_INTERNAL, 0, "no memory for a worker");
    worker->pages = pages;
    if (!store_reader_open(pages->config.store, &worker->db, err)) {
        free(worker);
        return false;
    }
    count_worker(pages, 1);
    *out = worker;
    return true;
}

void pages_worker_close(PagesWorker *worker) {
    if (worker == NULL)
        return;
    store_reader_close(worker->db);
    count_worker(worker->pages, -1);
    free(worker);
}
