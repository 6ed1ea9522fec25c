// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bounded text output.
#include <jadoube/base.h>

JdOut jd_out(char *data, size_t capacity) {
    return (JdOut) { .data = data, .capacity = capacity, .size = 0 };
}

bool jd_out_fits(const JdOut *out) {
    return out->size <= out->capacity;
}

JdStr jd_out_str(const JdOut *out) {
    return jd_str_n(out->data, out->size < out->capacity ? out->size : out->capacity);
}

void jd_out_char(JdOut *out, char c) {
    if (out->size < out->capacity)
        out->data[out->size] = c;
    out->size++;
}

void jd_out_text(JdOut *out, JdStr text) {
    if (out->size < out->capacity) {
        const size_t left = out->capacity - out->size;
        jd_copy(out->data + out->size, text.data, text.size < left ? text.size : left);
    }
    out->size += text.size;
}

void jd_out_cstr(JdOut *out, const char *text) {
    jd_out_text(out, jd_str(text));
}

void jd_out_u64(JdOut *out, uint64_t value) {
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    jd_out_text(out, jd_str_n(digits + at, sizeof digits - at));
}

void jd_out_i64(JdOut *out, int64_t value) {
    if (value < 0)
        jd_out_char(out, '-');
    jd_out_u64(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void jd_out_hex(JdOut *out, uint64_t value, int digits) {
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        jd_out_char(out, "0123456789abcdef"[(value >> shift) & 15]);
}

static void put_escape(JdOut *out, unsigned char c) {
    jd_out_char(out, '\\');
    switch (c) {
    case '"':
    case '\\':
        jd_out_char(out, (char)c);
        break;
    case '\n':
        jd_out_char(out, 'n');
        break;
    case '\r':
        jd_out_char(out, 'r');
        break;
    case '\t':
        jd_out_char(out, 't');
        break;
    default:
        jd_out_cstr(out, "u00");
        jd_out_hex(out, c, 2);
    }
}

void jd_out_json(JdOut *out, JdStr text) {
    jd_out_char(out, '"');
    for (size_t i = 0; i < text.size; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20 || c == '"' || c == '\\' || c == 0x7f)
            put_escape(out, c);
        else
            jd_out_char(out, (char)c);
    }
    jd_out_char(out, '"');
}
