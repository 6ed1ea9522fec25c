// SPDX-License-Identifier: GPL-3.0-or-later
//
// How often something may be tried. A table of fixed size: when a set of eight entries is full, the
// one used longest ago is forgotten. Sets are chosen by a keyed hash, so nobody can aim at an
// entry; to push one out takes more tries than the limits per address block allow.
#include <stdlib.h>
#include <string.h>

#include "pages/internal.h"

bool limit_open(Limit *limit, LimitRule rule) {
    *limit = (Limit) { .rule = rule, .sets = calloc(LIMIT_SETS, sizeof *limit->sets) };
    crypto_shorthash_keygen(limit->secret);
    pthread_mutex_init(&limit->mutex, NULL);
    return limit->sets != NULL;
}

void limit_close(Limit *limit) {
    if (limit->sets != NULL)
        pthread_mutex_destroy(&limit->mutex);
    free(limit->sets);
    limit->sets = NULL;
}

static uint64_t key_of(const Limit *limit, JdStr text) {
    unsigned char hash[crypto_shorthash_BYTES];
    uint64_t key = 0;
    crypto_shorthash(hash, (const unsigned char *)text.data, text.size, limit->secret);
    memcpy(&key, hash, sizeof key);
    return key != 0 ? key : 1;
}

static LimitEntry *find(const Limit *limit, uint64_t key) {
    LimitEntry *set = limit->sets[key % LIMIT_SETS];
    for (size_t i = 0; i < LIMIT_WAYS; i++)
        if (set[i].key == key)
            return &set[i];
    return NULL;
}

static LimitEntry *find_or_replace(const Limit *limit, uint64_t key, JdInstant now) {
    LimitEntry *entry = find(limit, key);
    if (entry != NULL)
        return entry;
    LimitEntry *set = limit->sets[key % LIMIT_SETS];
    entry = &set[0];
    for (size_t i = 0; i < LIMIT_WAYS && entry->key != 0; i++)
        if (set[i].key == 0 || set[i].last_ms < entry->last_ms)
            entry = &set[i];
    *entry = (LimitEntry) { .key = key, .first_ms = now.ms };
    return entry;
}

static bool is_paused(const LimitEntry *entry, JdInstant now, uint32_t *wait_s) {
    if (entry == NULL || now.ms >= entry->paused_until_ms)
        return false;
    *wait_s = (uint32_t)((entry->paused_until_ms - now.ms + 999) / 1000);
    return true;
}

bool limit_allows(Limit *limit, JdStr text, JdInstant now, uint32_t *wait_s) {
    pthread_mutex_lock(&limit->mutex);
    const bool paused = is_paused(find(limit, key_of(limit, text)), now, wait_s);
    pthread_mutex_unlock(&limit->mutex);
    return !paused;
}

uint32_t limit_count(Limit *limit, JdStr text, JdInstant now) {
    pthread_mutex_lock(&limit->mutex);
    const LimitEntry *entry = find(limit, key_of(limit, text));
    const uint32_t count =
        entry != NULL && now.ms - entry->first_ms < limit->rule.window_ms ? entry->count : 0;
    pthread_mutex_unlock(&limit->mutex);
    return count;
}

bool limit_take(Limit *limit, JdStr text, JdInstant now, uint32_t *wait_s) {
    pthread_mutex_lock(&limit->mutex);
    LimitEntry *entry = find_or_replace(limit, key_of(limit, text), now);
    const bool paused = is_paused(entry, now, wait_s);
    if (!paused) {
        if (now.ms - entry->first_ms >= limit->rule.window_ms || entry->count >= limit->rule.most) {
            entry->first_ms = now.ms; // a new window, also after a pause
            entry->count = 0;
        }
        entry->last_ms = now.ms;
        if (++entry->count >= limit->rule.most)
            entry->paused_until_ms = limit->rule.pause_ms > 0
                                         ? now.ms + limit->rule.pause_ms
                                         : entry->first_ms + limit->rule.window_ms;
    }
    pthread_mutex_unlock(&limit->mutex);
    return !paused;
}

void limit_give_back(Limit *limit, JdStr text, JdInstant now) {
    pthread_mutex_lock(&limit->mutex);
    LimitEntry *entry = find(limit, key_of(limit, text));
    if (entry != NULL && entry->count > 0) {
        if (entry->count-- >= limit->rule.most && entry->paused_until_ms > now.ms)
            entry->paused_until_ms = 0; // this one had begun the pause
    }
    pthread_mutex_unlock(&limit->mutex);
}

void limit_forget(Limit *limit, JdStr text) {
    pthread_mutex_lock(&limit->mutex);
    LimitEntry *entry = find(limit, key_of(limit, text));
    if (entry != NULL)
        *entry = (LimitEntry) { 0 };
    pthread_mutex_unlock(&limit->mutex);
}

void address_block(const PagesAddress *address, unsigned char out[BLOCK_SIZE]) {
    static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
    memset(out, 0, BLOCK_SIZE);
    if (memcmp(address->bytes, mapped, sizeof mapped) == 0) {
        out[0] = 4;
        memcpy(out + 1, address->bytes + 12, 3);
    } else {
        out[0] = 6;
        memcpy(out + 1, address->bytes, 8);
    }
}
