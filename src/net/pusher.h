// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: the threads that hand waiting notices to the browsers' push services.
#ifndef JADOUBE_NET_PUSHER_H
#define JADOUBE_NET_PUSHER_H

#include <jadoube/base.h>

#include "net/config.h"
#include "pages/pages.h"

typedef struct NetPusher NetPusher;

// subject: where a push service finds out whose notices these are. False (err): no memory.
JD_MUST_USE bool net_pusher_new(const NetConfig *config, NetPusher **out, JdErr *err);
// Reads or makes the house's key, then starts the threads.
JD_MUST_USE bool net_pusher_start(NetPusher *pusher, Pages *pages, const char *site, JdErr *err);
// The public half, as browsers want it: base64url without padding.
const char *net_pusher_key(const NetPusher *pusher);
// A notice waits (PagesConfig.push_waits); callable from any thread, also before the start.
void net_pusher_wake(void *pusher);
// One among several nodes: notices of others that are due are looked for as well. Before the start.
void net_pusher_share(NetPusher *pusher);
// Breaks off what is being sent (it stays in the queue) and joins the threads. NULL is allowed.
void net_pusher_close(NetPusher *pusher);

#endif
