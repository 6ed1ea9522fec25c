// SPDX-License-Identifier: GPL-3.0-or-later
//
// Unicode normal forms by utf8proc, in buffers of fixed size.
#include <utf8proc.h>

#include "pages/internal.h"

static bool decompose(JdStr text, int options, CodePoints *out) {
    out->count = 0;
    const utf8proc_ssize_t count =
        utf8proc_decompose((const utf8proc_uint8_t *)text.data, (utf8proc_ssize_t)text.size,
                           out->at, CODE_POINTS_MAX, (utf8proc_option_t)options);
    if (count < 0 || count > CODE_POINTS_MAX)
        return false;
    out->count = (size_t)count;
    return true;
}

static bool compose(CodePoints *points, int options) {
    const utf8proc_ssize_t count = utf8proc_normalize_utf32(
        points->at, (utf8proc_ssize_t)points->count, (utf8proc_option_t)options);
    points->count = count < 0 ? 0 : (size_t)count;
    return count >= 0;
}

bool text_nfc(JdStr text, CodePoints *out) {
    const int options = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
    return decompose(text, options, out) && compose(out, options);
}

bool text_lower(JdStr text, CodePoints *out) {
    const int options = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD;
    return decompose(text, options, out) && compose(out, options);
}

bool text_folded(JdStr text, CodePoints *out) {
    return decompose(text,
                     UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD |
                         UTF8PROC_STRIPMARK,
                     out);
}

bool text_write(const CodePoints *points, char *out, size_t capacity) {
    size_t size = 0;
    for (size_t i = 0; i < points->count; i++) {
        char bytes[4];
        const size_t written = jd_utf8_write((uint32_t)points->at[i], bytes);
        if (size + written >= capacity)
            return false;
        jd_copy(out + size, bytes, written);
        size += written;
    }
    out[size] = '\0';
    return size < capacity;
}
