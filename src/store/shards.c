// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shards: which one an entity is in, sets of them, and who is to have how many.
#include <string.h>

#include "store/internal.h"

uint16_t store_shard_of(const StoreId *id) {
    return (uint16_t)(jd_hash(JD_HASH_START, id->text, strlen(id->text)) % STORE_SHARDS);
}

bool store_shards_has(const StoreShards *shards, uint32_t shard) {
    JD_ASSERT(shard < STORE_SHARDS);
    return (shards->bits[shard / 64] >> (shard % 64) & 1) != 0;
}

void store_shards_add(StoreShards *shards, uint32_t shard) {
    JD_ASSERT(shard < STORE_SHARDS);
    shards->bits[shard / 64] |= UINT64_C(1) << (shard % 64);
}

void store_shards_remove(StoreShards *shards, uint32_t shard) {
    JD_ASSERT(shard < STORE_SHARDS);
    shards->bits[shard / 64] &= ~(UINT64_C(1) << (shard % 64));
}

uint32_t store_shards_count(const StoreShards *shards) {
    uint32_t count = 0;
    for (size_t i = 0; i < JD_COUNT(shards->bits); i++)
        for (uint64_t bits = shards->bits[i]; bits != 0; bits &= bits - 1)
            count++;
    return count;
}

// ---- who is to have how many --------------------------------------------------------------------

uint32_t shards_fair(const StoreClusterView *view) {
    uint32_t takers = 0;
    for (uint32_t i = 0; i < view->count; i++)
        takers += !view->members[i].leaving;
    return takers == 0 ? 0 : (STORE_SHARDS + takers - 1) / takers;
}

// What the others lack and do not get from nobody's shards and from those who leave.
static uint32_t lacking(const StoreClusterView *view, uint32_t fair) {
    uint32_t lack = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const StoreMember *member = &view->members[i];
        kept += member->leaving ? 0 : member->shards;
        if (i != view->self && !member->leaving && member->shards < fair)
            lack += fair - member->shards;
    }
    const uint32_t coming = STORE_SHARDS - kept;
    return lack > coming ? lack - coming : 0;
}

bool store_cluster_surplus(const StoreClusterView *view, StoreShards *out) {
    *out = (StoreShards) { 0 };
    const uint32_t fair = shards_fair(view);
    if (view->self >= view->count || view->members[view->self].leaving ||
        view->members[view->self].shards <= fair)
        return false;
    const uint32_t above = view->members[view->self].shards - fair;
    const uint32_t lack = lacking(view, fair);
    uint32_t give = above < lack ? above : lack;
    const bool gives = give > 0;
    // From the top: what hangs on shard 0 wanders least.
    for (uint32_t shard = STORE_SHARDS; give > 0 && shard-- > 0;) {
        if (view->owner[shard] == view->self) {
            store_shards_add(out, shard);
            give--;
        }
    }
    return gives;
}
