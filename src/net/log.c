// SPDX-License-Identifier: GPL-3.0-or-later
//
// The log on standard error or in a file.
#include "net/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE_SIZE 400
#define PATH_SIZE 512
// A quote and a backslash take two bytes each; the head is short.
#define LINE_SIZE (2 * MESSAGE_SIZE + 200)

static const char *const level_names[] = { "error", "warning", "info" };

// The one thing here that a process has once: where its log goes. Set before threads are started;
// a reopened file takes the descriptor of the old one, so that who is writing does not notice.
static struct {
    bool json;
    NetLogLevel most;
    int fd;
    char path[PATH_SIZE];
} log_place = { .most = NET_LOG_INFO, .fd = STDERR_FILENO };
static _Atomic uint64_t counts[NET_LOG_INFO + 1];

static int open_file(const char *path) {
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0640);
}

bool net_log_open(const NetLogConfig *config, JdErr *err) {
    int fd = STDERR_FILENO;
    if (config->file != NULL) {
        if (strlen(config->file) >= sizeof(log_place.path))
            return jd_fail(err, 1, 0, "the name of the log is too long");
        fd = open_file(config->file);
        if (fd < 0)
            return jd_fail(err, 1, 0, "%s: %s", config->file, strerror(errno));
    }
    if (log_place.fd != STDERR_FILENO)
        close(log_place.fd);
    log_place.json = config->json;
    log_place.most = config->most;
    log_place.fd = fd;
    jd_format(log_place.path, sizeof(log_place.path), "%s",
              config->file != NULL ? config->file : "");
    return true;
}

void net_log_reopen(void) {
    if (log_place.path[0] == '\0')
        return;
    const int fd = open_file(log_place.path);
    if (fd < 0) {
        net_log(NET_LOG_ERROR, "%s cannot be opened anew: %s", log_place.path, strerror(errno));
        return;
    }
    if (dup3(fd, log_place.fd, O_CLOEXEC) < 0)
        net_log(NET_LOG_ERROR, "%s cannot be opened anew: %s", log_place.path, strerror(errno));
    close(fd);
}

uint64_t net_log_count(NetLogLevel level) {
    return atomic_load_explicit(&counts[level], memory_order_relaxed);
}

// ---- a line -------------------------------------------------------------------------------------

static size_t write_time(char *out, size_t size) {
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    return jd_format(out, size, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     (int)(now.tv_nsec / 1000000));
}

// "../src/net/mailer.c" is "mailer".
static JdStr source_of(const char *file) {
    const char *slash = strrchr(file, '/');
    const JdStr name = jd_str(slash != NULL ? slash + 1 : file);
    return jd_str_part(name, 0, jd_str_find(name, '.'));
}

static size_t put_json(char *out, const char *text, size_t size) {
    size_t at = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"' || text[i] == '\\')
            out[at++] = '\\';
        out[at++] = text[i];
    }
    return at;
}

// What a cut has left of a character, and bytes that are no text, would spoil the whole line.
static size_t clean(char *text, size_t size) {
    JdStr rest = jd_str_n(text, size);
    size_t fault = 0;
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            text[i] = '?';
    while (!jd_utf8_valid(rest, &fault)) {
        text[size - rest.size + fault] = '?';
        rest = jd_str_part(rest, fault + 1, rest.size);
    }
    return size;
}

void net_log_line(NetLogLevel level, const char *file, const char *format, ...) {
    char message[MESSAGE_SIZE];
    char line[LINE_SIZE];
    char stamp[40];
    atomic_fetch_add_explicit(&counts[level], 1, memory_order_relaxed);
    if (level > log_place.most)
        return;
    va_list arguments;
    va_start(arguments, format);
    size_t size = jd_format_v(message, sizeof(message), format, arguments);
    va_end(arguments);
    size = clean(message, size < sizeof(message) ? size : sizeof(message) - 1);
    write_time(stamp, sizeof(stamp));
    const JdStr source = source_of(file);
    size_t at;
    if (log_place.json) {
        at = jd_format(line, sizeof(line),
                       "{\"time\":\"%s\",\"level\":\"%s\",\"source\":\"%.*s\",\"message\":\"",
                       stamp, level_names[level], JD_PRINT(source));
        at += put_json(line + at, message, size);
        line[at++] = '"';
        line[at++] = '}';
    } else {
        at = jd_format(line, sizeof(line), "%s %s ", stamp, level_names[level]);
        memcpy(line + at, message, size);
        at += size;
    }
    line[at++] = '\n';
    // A log that cannot be written must not stop the game.
    const ssize_t written = write(log_place.fd, line, at);
    (void)written;
}
