// SPDX-License-Identifier: GPL-3.0-or-later
//
// Error values: filled where the fault is known, passed up unchanged.
#include <jadoube/base.h>

static void fill(JdErr *err, uint32_t code, const char *field, size_t offset, const char *format,
                 va_list arguments) {
    jd_zero(err, sizeof *err);
    err->code = code;
    err->offset = offset > UINT32_MAX ? UINT32_MAX : (uint32_t)offset;
    jd_format(err->field, sizeof err->field, "%s", field);
    jd_format_v(err->text, sizeof err->text, format, arguments);
}

bool jd_fail(JdErr *err, uint32_t code, size_t offset, const char *format, ...) {
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        fill(err, code, "", offset, format, arguments);
        va_end(arguments);
    }
    return false;
}

bool jd_fail_field(JdErr *err, uint32_t code, const char *field, size_t offset, const char *format,
                   ...) {
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        fill(err, code, field, offset, format, arguments);
        va_end(arguments);
    }
    return false;
}
