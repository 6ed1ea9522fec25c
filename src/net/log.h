// SPDX-License-Identifier: GPL-3.0-or-later
//
// One line per notable event: time, level, what. No secrets, no addresses of people, no message
// texts of theirs, nothing per request.
//
// As text, "2026-01-31T12:00:00.000Z warning letter 7 waits", or as one JSON object a line,
// {"time":"2026-01-31T12:00:00.000Z","level":"warning","source":"mailer","message":"..."}; to
// standard error (the journal), or to a file that is opened anew when it has been moved away.
#ifndef JADOUBE_NET_LOG_H
#define JADOUBE_NET_LOG_H

#include <jadoube/base.h>

typedef enum NetLogLevel { NET_LOG_ERROR, NET_LOG_WARN, NET_LOG_INFO } NetLogLevel;

typedef struct NetLogConfig {
    bool json;
    NetLogLevel most; // lines of a higher level are left out
    const char *file; // NULL: standard error
} NetLogConfig;

// Before the first thread is started. False: the file cannot be opened, and nothing has changed.
JD_MUST_USE bool net_log_open(const NetLogConfig *config, JdErr *err);
// The file is opened anew by its name; what cannot be opened leaves the old one in use and says so.
// Callable while other threads write.
void net_log_reopen(void);

// How many lines of a level were to be written since the start, left out or not.
uint64_t net_log_count(NetLogLevel level);

// Callable from any thread; a line is written with one write(2), cut at 400 bytes, control
// characters replaced. The source is the name of the C file.
#define net_log(level, ...) net_log_line(level, __FILE__, __VA_ARGS__)
void net_log_line(NetLogLevel level, const char *file, const char *format, ...) JD_FORMAT(3, 4);

#endif
