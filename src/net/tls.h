// SPDX-License-Identifier: GPL-3.0-or-later
//
// TLS of the server's own, where no proxy stands before it.
#ifndef JADOUBE_NET_TLS_H
#define JADOUBE_NET_TLS_H

#include <jadoube/base.h>

#include "net/config.h"

// Whether the operator wants it.
bool net_tls_wanted(const NetConfig *config);
// Looks at certificate and key before the library does, which does not say what is wrong with them:
// that both are given, can be read, and belong together.
JD_MUST_USE bool net_tls_check(const NetConfig *config, JdErr *err);
// Settles the library's context (an SSL_CTX): what a connection reads and writes into is given
// back while it is silent.
void net_tls_context(void *ssl_context);

#endif
