// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/oidc_flow.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#define LIFE_MS INT64_C(900000) // a quarter of an hour to log in at the provider
// More at once, and the oldest are dropped; a quota per address stands before it.
#define FLOWS_MAX 4096
#define HASH_SIZE 32

typedef struct Entry {
    struct Entry *next; // older
    unsigned char hash[HASH_SIZE];
    int64_t until_ms;
    NetOidcFlow flow;
} Entry;

struct NetOidcFlows {
    pthread_mutex_t lock;
    Entry *newest;
    size_t count;
};

NetOidcFlows *net_oidc_flows_new(void) {
    NetOidcFlows *flows = calloc(1, sizeof(*flows));
    if (flows != NULL)
        pthread_mutex_init(&flows->lock, NULL);
    return flows;
}

static void drop(Entry *entry) {
    sodium_memzero(entry, sizeof(*entry));
    free(entry);
}

void net_oidc_flows_free(NetOidcFlows *flows) {
    if (flows == NULL)
        return;
    for (Entry *entry = flows->newest; entry != NULL;) {
        Entry *next = entry->next;
        drop(entry);
        entry = next;
    }
    pthread_mutex_destroy(&flows->lock);
    free(flows);
}

static void draw(char out[NET_OIDC_RANDOM]) {
    unsigned char bytes[32];
    randombytes_buf(bytes, sizeof(bytes));
    sodium_bin2base64(out, NET_OIDC_RANDOM, bytes, sizeof(bytes),
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

static bool hash_of(JdStr key, unsigned char out[HASH_SIZE]) {
    return key.size == NET_OIDC_RANDOM - 1 &&
           crypto_generichash(out, HASH_SIZE, (const unsigned char *)key.data, key.size, NULL, 0) ==
               0;
}

// Under the lock: what is over goes, and the oldest when there are too many.
static void sweep(NetOidcFlows *flows, JdInstant now) {
    size_t kept = 0;
    for (Entry **at = &flows->newest; *at != NULL;) {
        Entry *entry = *at;
        if (now.ms < entry->until_ms && kept + 1 < FLOWS_MAX) {
            kept++;
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        drop(entry);
    }
    flows->count = kept;
}

bool net_oidc_flow_put(NetOidcFlows *flows, NetOidcFlow *flow, JdInstant now,
                       char key[NET_OIDC_RANDOM]) {
    Entry *entry = calloc(1, sizeof(*entry));
    draw(key);
    if (entry == NULL || !hash_of(jd_str(key), entry->hash)) {
        free(entry);
        return false;
    }
    if (!flow->answered) {
        draw(flow->state);
        draw(flow->nonce);
        draw(flow->verifier);
    }
    entry->flow = *flow;
    entry->until_ms = now.ms + LIFE_MS;
    pthread_mutex_lock(&flows->lock);
    sweep(flows, now);
    entry->next = flows->newest;
    flows->newest = entry;
    flows->count++;
    pthread_mutex_unlock(&flows->lock);
    return true;
}

static bool find(NetOidcFlows *flows, JdStr key, JdInstant now, NetOidcFlow *out, bool take) {
    unsigned char hash[HASH_SIZE];
    bool found = false;
    if (!hash_of(key, hash))
        return false;
    pthread_mutex_lock(&flows->lock);
    for (Entry **at = &flows->newest; *at != NULL; at = &(*at)->next) {
        Entry *entry = *at;
        if (sodium_memcmp(entry->hash, hash, HASH_SIZE) != 0)
            continue;
        found = now.ms < entry->until_ms;
        *out = entry->flow;
        if (take) {
            *at = entry->next;
            flows->count--;
            drop(entry);
        }
        break;
    }
    pthread_mutex_unlock(&flows->lock);
    return found;
}

bool net_oidc_flow_take(NetOidcFlows *flows, JdStr key, JdInstant now, NetOidcFlow *out) {
    return find(flows, key, now, out, true);
}

bool net_oidc_flow_look(NetOidcFlows *flows, JdStr key, JdInstant now, NetOidcFlow *out) {
    return find(flows, key, now, out, false);
}

void net_oidc_challenge(const char *verifier, char out[NET_OIDC_RANDOM]) {
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, (const unsigned char *)verifier, strlen(verifier));
    sodium_bin2base64(out, NET_OIDC_RANDOM, hash, sizeof(hash),
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}
