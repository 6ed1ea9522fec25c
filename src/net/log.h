// SPDX-License-Identifier: GPL-3.0-or-later
//
// One line per notable event on standard error: time, level, what. No secrets, no message texts of
// people, nothing per request.
#ifndef JADOUBE_NET_LOG_H
#define JADOUBE_NET_LOG_H

#include <jadoube/base.h>

typedef enum NetLogLevel { NET_LOG_ERROR, NET_LOG_WARN, NET_LOG_INFO } NetLogLevel;

// Callable from any thread; a line is written with one write(2), cut at 400 bytes, control
// characters replaced.
void net_log(NetLogLevel level, const char *format, ...) JD_FORMAT(2, 3);

#endif
