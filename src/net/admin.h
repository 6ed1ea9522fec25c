// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: `jadoube admin` talks to a running site through a socket in its data directory, which only
// the system's user of the site may open.
#ifndef JADOUBE_NET_ADMIN_H
#define JADOUBE_NET_ADMIN_H

#include <jadoube/base.h>

#include "net/config.h"

struct NetServer;
typedef struct NetAdmin NetAdmin;

// Listens; NULL when that cannot be (the journal says why): the site runs without.
NetAdmin *net_admin_open(struct NetServer *server);
// Closes its handles (run the loop once more). NULL is allowed.
void net_admin_close(NetAdmin *admin);

// The account is blocked or wants to be erased (erased: is a former player now): its challenges go
// and its games end, those by days that sleep in the database too.
void net_leaves(struct NetServer *server, int64_t account, bool erased);

// A look at what is due once in a while: persons to be erased; at the start also accounts that were
// blocked while the site was down.
void net_housework(struct NetServer *server);

#endif
