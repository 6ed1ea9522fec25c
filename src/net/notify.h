// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tells the service manager how things stand (sd_notify(3)); without one nothing happens.
#ifndef JADOUBE_NET_NOTIFY_H
#define JADOUBE_NET_NOTIFY_H

#include <jadoube/base.h>

// "READY=1", "STOPPING=1", "WATCHDOG=1", "STATUS=..."; several by line feeds.
void net_notify(const char *state);

// How often a sign of life is to be given, half of what the manager waits; 0: none is wanted.
uint64_t net_notify_watchdog_ms(void);

#endif
