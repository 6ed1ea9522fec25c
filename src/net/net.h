// SPDX-License-Identifier: GPL-3.0-or-later
//
// The server: HTTP, the WebSocket, and the running club behind them. docs/protocol.md is the wire.
#ifndef JADOUBE_NET_NET_H
#define JADOUBE_NET_NET_H

#include <jadoube/base.h>

#include "net/config.h"

// Runs the server until SIGTERM or SIGINT and everything told is durable and every client has been
// told goodbye. Prints "jadoube is running at http://HOST:PORT/" on standard output once it
// listens.
//
// Returns the exit status: 0 after a clean stop; 1 when it could not start (the port is taken, the
// data directory cannot be used, the database is damaged, newer, in use) after one line on standard
// error that says what was found and what was expected.
int net_serve(const NetConfig *config);

// Where `jadoube admin` finds a running site: a socket in its data directory. False when the
// directory's name is too long for one.
JD_MUST_USE bool net_admin_path(const NetConfig *config, char *out, size_t size);

#endif
