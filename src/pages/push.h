// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notices by web push (X-007; RFC 8030): where browsers are reached, and what waits to be sent to
// them. Encrypting and sending are the business of net. Reached through pages/pages.h.
#ifndef PAGES_PUSH_H
#define PAGES_PUSH_H

#include "pages/pages.h"

#define PAGES_PUSH_PRIVATE 32
#define PAGES_PUSH_PUBLIC 65 // a point of P-256, uncompressed
#define PAGES_PUSH_SECRET 16
#define PAGES_PUSH_ENDPOINT_MAX 1000
#define PAGES_PUSH_DEVICES_MAX 10 // of an account; the oldest makes room
#define PAGES_PUSH_TEXT 512

// The house's key pair (RFC 8292): the one kept, or this one, which is kept from now on.
typedef struct PagesPushKey {
    unsigned char private_key[PAGES_PUSH_PRIVATE];
    unsigned char public_key[PAGES_PUSH_PUBLIC];
} PagesPushKey;
JD_MUST_USE bool pages_push_key(Pages *pages, PagesPushKey *inout, JdErr *err);

typedef struct PagesPushTarget {
    JdStr endpoint; // what it may be is net's to say
    unsigned char public_key[PAGES_PUSH_PUBLIC];
    unsigned char secret[PAGES_PUSH_SECRET];
} PagesPushTarget;

// The browser of this session wants notices, and is sent the first, which says so. One endpoint
// belongs to one account: the last that asked.
JD_MUST_USE bool pages_push_subscribe(PagesWorker *worker, int64_t account, JdStr token,
                                      const PagesPushTarget *target, JdInstant now,
                                      PagesFault *fault);

typedef struct PagesPushDevices {
    size_t count;
    struct {
        int64_t id;
        int64_t created_ms;
        char agent[PAGES_AGENT_SIZE]; // "Firefox, Linux"
        bool own;                     // of this session
    } list[PAGES_PUSH_DEVICES_MAX];
} PagesPushDevices;
JD_MUST_USE bool pages_push_devices(PagesWorker *worker, int64_t account, JdStr token,
                                    PagesPushDevices *out, PagesFault *fault);
// not_found: none of this account's.
JD_MUST_USE bool pages_push_end(PagesWorker *worker, int64_t account, int64_t device,
                                PagesFault *fault);
// Whoever knows an endpoint may end it: nobody but its browser does. True when there was none.
JD_MUST_USE bool pages_push_off(PagesWorker *worker, JdStr endpoint, PagesFault *fault);

// ---- for the threads that send ------------------------------------------------------------------

typedef struct PagesPush {
    int64_t id;
    int64_t subscription;
    int64_t expires_ms;
    uint32_t tries; // with this one
    bool urgent;
    char title[PAGES_PUSH_TEXT];
    char body[PAGES_PUSH_TEXT];
    char url[128]; // "/game/..."
    char tag[64];
    char off[64]; // words on the button that ends them
    char language[4];
    char endpoint[PAGES_PUSH_ENDPOINT_MAX + 1];
    unsigned char public_key[PAGES_PUSH_PUBLIC];
    unsigned char secret[PAGES_PUSH_SECRET];
} PagesPush;

// The notice that is due first; nobody else is given it for lease_ms. Those that have expired are
// dropped. *found false: none is due, the next at *next_ms (INT64_MAX: none waits).
JD_MUST_USE bool pages_push_take(Pages *pages, JdInstant now, int64_t lease_ms, PagesPush *out,
                                 bool *found, int64_t *next_ms, JdErr *err);
JD_MUST_USE bool pages_push_done(Pages *pages, int64_t push, JdErr *err);
JD_MUST_USE bool pages_push_later(Pages *pages, int64_t push, int64_t next_ms, JdErr *err);
// The service says the subscription is no more: it goes, with all that waits for it.
JD_MUST_USE bool pages_push_gone(Pages *pages, int64_t subscription, JdErr *err);

#endif
