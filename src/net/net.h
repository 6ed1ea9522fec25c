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
// ---- a result corrected, on a site that is stopped (S-104) --------------------------------------

typedef struct NetCorrection {
    const char *data;     // the site's directory
    const char *database; // as StoreConfig.database
    JdStr game;
    JdStr result; // "1-0", "0-1", "1/2-1/2", "0-0"
    JdStr reason; // UTF-8, 1 to LAWS_EVENT_TEXT_MAX bytes
    JdInstant now;
} NetCorrection;

typedef struct NetCorrected {
    char before[8]; // results as texts
    char after[8];
    bool rated;
    size_t games; // whose changes are new
} NetCorrected;

// Adds the arbiter's ruling to the game's log and to the audit log, writes the game's row, and
// counts the ratings of its list anew from that game on; blocks until all is durable. err: no such
// game, one that runs, the same result, a directory in use by a running site.
JD_MUST_USE bool net_correct(const NetCorrection *correction, NetCorrected *out, JdErr *err);

#endif
