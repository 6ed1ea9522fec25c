// SPDX-License-Identifier: GPL-3.0-or-later
//
// The end of a process whose programmer was wrong.
#include <jadoube/base.h>

#ifdef __wasm__

void jd_assert_fail(const char *condition, const char *file, int line) {
    (void)condition;
    (void)file;
    (void)line;
    __builtin_trap();
}

#else

#include <stdlib.h>
#include <unistd.h>

void jd_assert_fail(const char *condition, const char *file, int line) {
    char text[512];
    JdOut out = jd_out(text, sizeof text);
    jd_out_cstr(&out, "assertion failed: ");
    jd_out_cstr(&out, condition);
    jd_out_cstr(&out, " (");
    jd_out_cstr(&out, file);
    jd_out_char(&out, ':');
    jd_out_i64(&out, line);
    jd_out_cstr(&out, ")\n");
    const JdStr message = jd_out_str(&out);
    // Nothing can be done about a failed write while dying.
    const ssize_t written = write(STDERR_FILENO, message.data, message.size);
    (void)written;
    abort();
}

#endif
