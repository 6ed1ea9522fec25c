// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: one letter to a mail server, by libcurl.
#ifndef JADOUBE_NET_SMTP_H
#define JADOUBE_NET_SMTP_H

#include <stdatomic.h>

#include <jadoube/base.h>

#include "pages/pages.h"

typedef struct NetSmtp {
    char url[512];  // smtp://user:password@host:port or smtps://...
    char from[512]; // "club@chess.example" or "Chess club <club@chess.example>"
    bool tls_must;  // a password goes over the wire: no letter without TLS
    const atomic_bool *stop;
} NetSmtp;

// Reads both settings; false (err) when one is malformed.
JD_MUST_USE bool net_smtp_init(NetSmtp *smtp, const char *url, const char *from,
                               const atomic_bool *stop, JdErr *err);

typedef enum NetSmtpOutcome {
    NET_SMTP_SENT,
    NET_SMTP_LATER,   // not reached, busy, does not know us now
    NET_SMTP_REFUSED, // for good: no such mailbox, not taken
} NetSmtpOutcome;
// Blocks, 60 s at most. err says why it was not sent, without addresses.
NetSmtpOutcome net_smtp_send(const NetSmtp *smtp, const PagesLetter *letter, JdInstant now,
                             JdErr *err);

// The message as it goes over the wire (RFC 5322, RFC 2045 to 2047); for tests too. False: too
// long.
JD_MUST_USE bool net_smtp_message(const NetSmtp *smtp, const PagesLetter *letter, JdInstant now,
                                  JdOut *out);
#define NET_SMTP_MESSAGE_MAX (PAGES_MAIL_BODY * 3 / 2 + 8192)

#endif
