// SPDX-License-Identifier: GPL-3.0-or-later
//
// Token buckets by address, in a table of fixed size.
#include "net/rate_limits.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

// Generous for a school class behind one address, and far below what hurts: a page loads some 20
// files; a blitz player sends a move a second; Argon2 costs 50 ms a log-in.
static const NetRate quotas[NET_QUOTA_COUNT] = {
    [NET_QUOTA_API] = { 200, 50 },
    [NET_QUOTA_PAGE] = { 400, 20 },
    [NET_QUOTA_LOGIN] = { 60, 3000 },
    [NET_QUOTA_SOCKET] = { 60, 1000 },
};

// Neighbours looked at for one address; the table is split into such sets.
#define SET_SIZE 8
#define SET_COUNT (NET_ADDRESSES_MAX / SET_SIZE)

typedef struct Row {
    NetAddress address;
    int64_t seen_ms; // 0: the row is free
    uint32_t connections;
    NetBucket buckets[NET_QUOTA_COUNT];
} Row;

struct NetLimits {
    uint64_t seed;
    Row rows[NET_ADDRESSES_MAX];
};

bool net_bucket_take(NetBucket *bucket, NetRate rate, JdInstant now, int64_t *retry_ms) {
    const int64_t full_at = bucket->full_at_ms > now.ms ? bucket->full_at_ms : now.ms;
    const int64_t after = full_at + rate.refill_ms;
    const int64_t wait = after - now.ms - (int64_t)rate.burst * rate.refill_ms;
    if (wait > 0) {
        if (retry_ms != NULL)
            *retry_ms = wait;
        return false;
    }
    bucket->full_at_ms = after;
    return true;
}

bool net_address_parse(const char *text, NetAddress *out) {
    NetAddress address = { { 0 } };
    struct in_addr v4;
    if (inet_pton(AF_INET, text, &v4) == 1) {
        address.bytes[10] = address.bytes[11] = 0xff;
        memcpy(address.bytes + 12, &v4, 4);
    } else {
        if (inet_pton(AF_INET6, text, address.bytes) != 1)
            return false;
        static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
        if (memcmp(address.bytes, mapped, sizeof(mapped)) != 0)
            memset(address.bytes + 8, 0, 8);
    }
    *out = address;
    return true;
}

NetLimits *net_limits_new(uint64_t seed) {
    NetLimits *limits = calloc(1, sizeof(*limits));
    if (limits != NULL)
        limits->seed = seed;
    return limits;
}

void net_limits_free(NetLimits *limits) {
    free(limits);
}

static Row *set_of(NetLimits *limits, const NetAddress *address) {
    uint64_t parts[2];
    memcpy(parts, address->bytes, sizeof(parts));
    const uint64_t hash = jd_mix(jd_mix(limits->seed ^ parts[0]) ^ parts[1]);
    return &limits->rows[(size_t)(hash % SET_COUNT) * SET_SIZE];
}

static Row *find(NetLimits *limits, const NetAddress *address) {
    Row *set = set_of(limits, address);
    for (int i = 0; i < SET_SIZE; i++)
        if (set[i].seen_ms != 0 && memcmp(&set[i].address, address, sizeof(*address)) == 0)
            return &set[i];
    return NULL;
}

// The row of the address, made when there is none: in a free place, else in that of the address
// seen longest ago, those with connections last.
static Row *find_or_make(NetLimits *limits, const NetAddress *address, JdInstant now) {
    Row *row = find(limits, address);
    if (row == NULL) {
        Row *set = set_of(limits, address);
        row = &set[0];
        for (int i = 1; i < SET_SIZE; i++) {
            const bool idler = (set[i].connections == 0) > (row->connections == 0);
            const bool as_idle = (set[i].connections == 0) == (row->connections == 0);
            if (idler || (as_idle && set[i].seen_ms < row->seen_ms))
                row = &set[i];
        }
        memset(row, 0, sizeof(*row));
        row->address = *address;
    }
    row->seen_ms = now.ms > 0 ? now.ms : 1;
    return row;
}

bool net_limits_take(NetLimits *limits, const NetAddress *address, NetQuota quota, JdInstant now,
                     int64_t *retry_ms) {
    Row *row = find_or_make(limits, address, now);
    return net_bucket_take(&row->buckets[quota], quotas[quota], now, retry_ms);
}

bool net_limits_open(NetLimits *limits, const NetAddress *address, uint32_t max, JdInstant now) {
    Row *row = find_or_make(limits, address, now);
    if (row->connections >= max)
        return false;
    row->connections++;
    return true;
}

void net_limits_close(NetLimits *limits, const NetAddress *address) {
    // A row that was pushed out while its connections were open is simply gone.
    Row *row = find(limits, address);
    if (row != NULL && row->connections > 0)
        row->connections--;
}
