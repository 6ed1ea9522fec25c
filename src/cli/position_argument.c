// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/position_argument.h"

#include <stdio.h>

JdStr cli_join_arguments(char **arguments, int count, char *out, size_t size) {
    JdOut text = jd_out(out, size);
    for (int i = 0; i < count; i++) {
        if (i > 0)
            jd_out_char(&text, ' ');
        jd_out_cstr(&text, arguments[i]);
    }
    return jd_out_str(&text);
}

void cli_show_fault(const char *command, JdStr text, const JdErr *err) {
    fprintf(stderr, "%s: %s%s%s\n  ", command, err->field, err->field[0] != '\0' ? ": " : "",
            err->text);
    for (size_t i = 0; i < text.size; i++) { // the caret stays in place: one column for each byte
        const char c = text.data[i];
        fputc(c >= ' ' && c <= '~' ? c : '?', stderr);
    }
    fprintf(stderr, "\n  %*s^\n", (int)err->offset, "");
}
