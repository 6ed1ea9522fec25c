// SPDX-License-Identifier: GPL-3.0-or-later
//
// How much of something one may do in a time: token buckets, and a bounded table of addresses.
// Pure: the time is a parameter.
#ifndef JADOUBE_NET_RATE_LIMITS_H
#define JADOUBE_NET_RATE_LIMITS_H

#include <jadoube/base.h>

// A rule: burst at once, one more every refill_ms.
typedef struct NetRate {
    int32_t burst;
    int32_t refill_ms;
} NetRate;

// The state of one rule for one subject. All zero: full.
typedef struct NetBucket {
    int64_t full_at_ms; // when the bucket is full again; what lies ahead of now is what was used
} NetBucket;

// Takes one; true when allowed. Otherwise *retry_ms (may be NULL) is the time until one is there.
bool net_bucket_take(NetBucket *bucket, NetRate rate, JdInstant now, int64_t *retry_ms);

// An address: IPv4 as the mapped IPv6 address; of IPv6 the network of 64 bits, which is what one
// subscriber is given.
typedef struct NetAddress {
    uint8_t bytes[16];
} NetAddress;

// Reads "127.0.0.1", "::1", "::ffff:10.0.0.1"; false when it is no address.
JD_MUST_USE bool net_address_parse(const char *text, NetAddress *out);

// What is counted for an address.
typedef enum NetQuota {
    NET_QUOTA_API,    // requests of the JSON API
    NET_QUOTA_PAGE,   // pages and files
    NET_QUOTA_LOGIN,  // what hashes a password
    NET_QUOTA_SOCKET, // WebSockets opened
    NET_QUOTA_COUNT,
} NetQuota;

// Subjects remembered; past this the one seen longest ago without connections is forgotten.
#define NET_ADDRESSES_MAX 8192

typedef struct NetLimits NetLimits;

// seed makes the places of the table unpredictable. NULL when there is no memory.
NetLimits *net_limits_new(uint64_t seed);
void net_limits_free(NetLimits *limits);
bool net_limits_take(NetLimits *limits, const NetAddress *address, NetQuota quota, JdInstant now,
                     int64_t *retry_ms);
// A connection of this address opens (false: the address has max already) or closes.
bool net_limits_open(NetLimits *limits, const NetAddress *address, uint32_t max, JdInstant now);
void net_limits_close(NetLimits *limits, const NetAddress *address);

#endif
