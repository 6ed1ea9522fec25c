// SPDX-License-Identifier: GPL-3.0-or-later
//
// Passwords: which are refused (S-005), and their hashes by Argon2id, so many at once as memory was
// set aside for.
#include <string.h>

#include "pages/internal.h"

// Bytes of a password before it is composed.
#define PASSWORD_TEXT_MAX ((size_t)CODE_POINTS_MAX * 4)

// ---- the rules ----------------------------------------------------------------------------------

static bool is_common(const char *lower) {
    size_t low = 0;
    size_t high = common_password_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = jd_str_compare(jd_str(common_passwords[middle]), jd_str(lower));
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

// Equal but for case, both in NFC.
static bool same_word(const char *lower, JdStr other) {
    CodePoints points;
    char text[PAGES_EMAIL_MAX + 1];
    return other.size > 0 && text_lower(other, &points) && text_write(&points, text, sizeof text) &&
           strcmp(lower, text) == 0;
}

static bool check_password(JdStr password, JdStr nick, JdStr email, CodePoints *points, char *lower,
                           size_t lower_size, JdErr *err) {
    if (!check_text(password, "password", PASSWORD_TEXT_MAX, err))
        return false;
    if (!text_nfc(password, points) || points->count < PAGES_PASSWORD_MIN ||
        points->count > PAGES_PASSWORD_MAX)
        return jd_fail_field(err, PAGES_PASSWORD_LENGTH, "password", 0,
                             "expected %d to %d characters", PAGES_PASSWORD_MIN,
                             PAGES_PASSWORD_MAX);
    if (!text_lower(password, points) || !text_write(points, lower, lower_size))
        return true; // folding made it longer than any word of the list
    const JdStr local = jd_str_part(email, 0, jd_str_find(email, '@'));
    if (is_common(lower))
        return jd_fail_field(err, PAGES_PASSWORD_WEAK, "password", 0,
                             "among the commonest passwords");
    if (same_word(lower, jd_str_trim(nick)) || same_word(lower, email) || same_word(lower, local))
        return jd_fail_field(err, PAGES_PASSWORD_WEAK, "password", 0,
                             "equal to the nick or the e-mail address");
    return true;
}

bool pages_password_check(JdStr password, JdStr nick, JdStr email, JdErr *err) {
    CodePoints points;
    char lower[PAGES_PASSWORD_MAX * 4 + 1];
    const bool ok = check_password(password, nick, email, &points, lower, sizeof lower, err);
    sodium_memzero(&points, sizeof points);
    sodium_memzero(lower, sizeof lower);
    return ok;
}

// ---- hashes -------------------------------------------------------------------------------------

#define HASHES_AT_ONCE 2

static void take_slot(HashSlots *slots) {
    pthread_mutex_lock(&slots->mutex);
    while (slots->free == 0)
        pthread_cond_wait(&slots->freed, &slots->mutex);
    slots->free--;
    pthread_mutex_unlock(&slots->mutex);
}

static void free_slot(HashSlots *slots) {
    pthread_mutex_lock(&slots->mutex);
    slots->free++;
    pthread_cond_signal(&slots->freed);
    pthread_mutex_unlock(&slots->mutex);
}

// What is hashed: the NFC form, so that every keyboard writes the same password. A text that is
// none (too long) gives false.
static bool password_bytes(JdStr password, char out[PAGES_PASSWORD_MAX * 4 + 1]) {
    CodePoints points;
    const bool ok = password.size <= PASSWORD_TEXT_MAX && text_nfc(password, &points) &&
                    text_write(&points, out, PAGES_PASSWORD_MAX * 4 + 1);
    sodium_memzero(&points, sizeof points);
    return ok;
}

bool hash_make(HashSlots *slots, JdStr password, char out[PASSWORD_HASH_SIZE]) {
    char bytes[PAGES_PASSWORD_MAX * 4 + 1];
    bool ok = password_bytes(password, bytes);
    if (ok) {
        take_slot(slots);
        ok = crypto_pwhash_str_alg(out, bytes, strlen(bytes), slots->passes, slots->memory_bytes,
                                   crypto_pwhash_ALG_ARGON2ID13) == 0;
        free_slot(slots);
    }
    sodium_memzero(bytes, sizeof bytes);
    return ok;
}

bool hash_verify(HashSlots *slots, JdStr password, const char *hash) {
    char bytes[PAGES_PASSWORD_MAX * 4 + 1];
    const bool readable = password_bytes(password, bytes);
    if (!readable)
        bytes[0] = '\0';
    const char *against = hash != NULL && readable ? hash : slots->dummy;
    take_slot(slots);
    const bool same = crypto_pwhash_str_verify(against, bytes, strlen(bytes)) == 0;
    free_slot(slots);
    sodium_memzero(bytes, sizeof bytes);
    return same && against == hash;
}

bool hash_is_outdated(const HashSlots *slots, const char *hash) {
    return crypto_pwhash_str_needs_rehash(hash, slots->passes, slots->memory_bytes) != 0;
}

bool hash_open(HashSlots *slots, const PagesConfig *config, JdErr *err) {
    *slots = (HashSlots) {
        .free = config->hashes_at_once != 0 ? config->hashes_at_once : HASHES_AT_ONCE,
        .passes = config->hash_passes != 0 ? config->hash_passes
                                           : crypto_pwhash_argon2id_OPSLIMIT_INTERACTIVE,
        .memory_bytes = config->hash_memory_bytes != 0
                            ? config->hash_memory_bytes
                            : crypto_pwhash_argon2id_MEMLIMIT_INTERACTIVE,
    };
    pthread_mutex_init(&slots->mutex, NULL);
    pthread_cond_init(&slots->freed, NULL);
    unsigned char random[24];
    char password[sizeof random * 2 + 1];
    randombytes_buf(random, sizeof random);
    sodium_bin2hex(password, sizeof password, random, sizeof random);
    if (hash_make(slots, jd_str(password), slots->dummy))
        return true;
    hash_close(slots);
    return jd_fail(err, PAGES_INTERNAL, 0,
                   "a password cannot be hashed with %llu passes over %zu bytes", slots->passes,
                   slots->memory_bytes);
}

void hash_close(HashSlots *slots) {
    pthread_cond_destroy(&slots->freed);
    pthread_mutex_destroy(&slots->mutex);
}
