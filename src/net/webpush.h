// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: what a push service is sent: the message encrypted for one browser (RFC 8291, RFC 8188),
// the proof of who sends it (RFC 8292), and the request itself.
#ifndef JADOUBE_NET_WEBPUSH_H
#define JADOUBE_NET_WEBPUSH_H

#include <stdatomic.h>

#include <jadoube/base.h>

#include "pages/pages.h"

// One record of at most 4,096 bytes, which every service takes (RFC 8291, 4).
#define NET_PUSH_PLAIN_MAX 3993
#define NET_PUSH_BODY_MAX 4096
#define NET_PUSH_JWT_MAX 1024

// A fresh key pair of P-256.
JD_MUST_USE bool net_push_make_key(PagesPushKey *out, JdErr *err);

// Whether 65 bytes are a point of P-256.
bool net_push_is_point(const unsigned char point[PAGES_PUSH_PUBLIC]);

// Encrypts for the browser of target with the one-time pair and salt. body: NET_PUSH_BODY_MAX.
JD_MUST_USE bool net_push_encrypt(JdStr plain, const PagesPushTarget *target,
                                  const PagesPushKey *one_time, const unsigned char salt[16],
                                  unsigned char *body, size_t *size, JdErr *err);

// The token of "Authorization: vapid t=..., k=...": audience is the service's origin, subject
// where its operator reaches ours ("mailto:..." or "https://...").
JD_MUST_USE bool net_push_sign(const PagesPushKey *key, JdStr audience, JdStr subject,
                               int64_t expires_s, char out[NET_PUSH_JWT_MAX], JdErr *err);

// Whether notices may be sent to this address: https, a name, no user, no port but the usual one,
// not this machine nor its network (a name may still lead there: the connection is looked at when
// it is made). local allows all of that, for tests.
bool net_push_endpoint_ok(JdStr endpoint, bool local);
// Whether an address of the network (in_addr or in6_addr) is one that the world does not reach.
bool net_push_is_private(int family, const void *address);

typedef struct NetPush {
    PagesPushKey key;
    char subject[512];
    bool local;
    const atomic_bool *stop;
} NetPush;

typedef enum NetPushOutcome {
    NET_PUSH_SENT,
    NET_PUSH_LATER, // not reached, busy; *retry_s: what the service asks for, 0: nothing
    NET_PUSH_GONE,  // the subscription is no more
    NET_PUSH_REFUSED,
} NetPushOutcome;
// Blocks, 15 s at most. err says why it was not sent, without the endpoint's secret.
NetPushOutcome net_push_send(const NetPush *push, const PagesPush *notice, JdInstant now,
                             int64_t *retry_s, JdErr *err);

#endif
