// SPDX-License-Identifier: GPL-3.0-or-later
//
// The log on standard error.
#include "net/log.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

void net_log(NetLogLevel level, const char *format, ...) {
    static const char *const names[] = { "error", "warning", "info" };
    char line[400];
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    size_t size = jd_format(line, sizeof(line), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ %s ",
                            parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
                            parts.tm_min, parts.tm_sec, (int)(now.tv_nsec / 1000000), names[level]);
    va_list arguments;
    va_start(arguments, format);
    size += jd_format_v(line + size, sizeof(line) - size - 1, format, arguments);
    va_end(arguments);
    if (size > sizeof(line) - 2)
        size = sizeof(line) - 2;
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
            line[i] = '?';
    line[size++] = '\n';
    // A log that cannot be written must not stop the game.
    const ssize_t written = write(STDERR_FILENO, line, size);
    (void)written;
}
