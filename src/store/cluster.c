// SPDX-License-Identifier: GPL-3.0-or-later
//
// A node among others: its doors for the loop.
#include <stdlib.h>

#include "store/internal.h"

void store_cluster_alive(Store *store, int64_t now_ms) {
    (void)store;
    (void)now_ms;
}

void store_cluster_poke(Store *store) {
    (void)store;
}

void store_cluster_view(Store *store, StoreClusterView *out) {
    (void)store;
    *out = (StoreClusterView) { 0 };
    for (uint32_t shard = 0; shard < STORE_SHARDS; shard++)
        out->owner[shard] = STORE_NOBODY;
}

StoreTaking *store_taking_next(Store *store) {
    (void)store;
    return NULL;
}

void store_taking_free(StoreTaking *taking) {
    if (taking == NULL)
        return;
    free(taking->events);
    free(taking->bodies);
    free(taking);
}
