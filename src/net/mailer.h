// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: the thread that hands waiting letters to the operator's mail server.
#ifndef JADOUBE_NET_MAILER_H
#define JADOUBE_NET_MAILER_H

#include <jadoube/base.h>

#include "net/config.h"
#include "pages/pages.h"

typedef struct NetMailer NetMailer;

// Reads --smtp and --mail-from; false (err) when they are not what was expected. NULL in *out, and
// true, when no mail server was named.
JD_MUST_USE bool net_mailer_new(const NetConfig *config, NetMailer **out, JdErr *err);
// Starts the thread, which takes letters from pages until net_mailer_close.
JD_MUST_USE bool net_mailer_start(NetMailer *mailer, Pages *pages, JdErr *err);
// A letter waits (PagesConfig.mail_waits); callable from any thread, also before the start.
void net_mailer_wake(void *mailer);
// Of one among several nodes: whether it is the one that sends. Any thread; NULL is allowed.
void net_mailer_lead(NetMailer *mailer, bool leads);
// Breaks off what is being sent (it stays in the queue) and joins the thread. NULL is allowed.
void net_mailer_close(NetMailer *mailer);

#endif
