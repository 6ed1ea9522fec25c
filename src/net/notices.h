// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells players of their games by days, once a minute (pages/notices.h). Loop thread only.
#ifndef JADOUBE_NET_NOTICES_H
#define JADOUBE_NET_NOTICES_H

#include <uv.h>

#include <jadoube/base.h>

#include "live/live.h"

struct NetServer;

typedef struct NetNotices {
    uv_timer_t timer;
    int64_t next_ms;
    bool telling;
    bool open;
} NetNotices;

void net_notices_open(struct NetServer *server);
// Somebody is invited: tells him here at once, and elsewhere when he is away.
void net_notices_invited(struct NetServer *server, const LiveId *challenge,
                         const LiveInvited *invited);
void net_notices_close(struct NetServer *server); // after the workers

#endif
