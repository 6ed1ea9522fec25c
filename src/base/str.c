// SPDX-License-Identifier: GPL-3.0-or-later
//
// String views.
#include <jadoube/base.h>

JdStr jd_str(const char *text) {
    size_t size = 0;
    if (text != NULL)
        while (text[size] != '\0')
            size++;
    return (JdStr) { text, size };
}

JdStr jd_str_n(const char *data, size_t size) {
    return (JdStr) { data, size };
}

bool jd_str_equal(JdStr a, JdStr b) {
    return a.size == b.size && jd_bytes_equal(a.data, b.data, a.size);
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool jd_str_equal_nocase(JdStr a, JdStr b) {
    if (a.size != b.size)
        return false;
    for (size_t i = 0; i < a.size; i++)
        if (lower(a.data[i]) != lower(b.data[i]))
            return false;
    return true;
}

int jd_str_compare(JdStr a, JdStr b) {
    const size_t shared = a.size < b.size ? a.size : b.size;
    for (size_t i = 0; i < shared; i++) {
        const int difference = (unsigned char)a.data[i] - (unsigned char)b.data[i];
        if (difference != 0)
            return difference;
    }
    return a.size < b.size ? -1 : a.size > b.size;
}

bool jd_str_starts_with(JdStr text, JdStr prefix) {
    return text.size >= prefix.size && jd_bytes_equal(text.data, prefix.data, prefix.size);
}

bool jd_str_ends_with(JdStr text, JdStr suffix) {
    return text.size >= suffix.size &&
           jd_str_equal(jd_str_part(text, text.size - suffix.size, suffix.size), suffix);
}

size_t jd_str_find(JdStr text, char c) {
    size_t i = 0;
    while (i < text.size && text.data[i] != c)
        i++;
    return i;
}

JdStr jd_str_part(JdStr text, size_t start, size_t size) {
    if (start >= text.size)
        return (JdStr) { NULL, 0 };
    const size_t left = text.size - start;
    return (JdStr) { text.data + start, size < left ? size : left };
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

JdStr jd_str_trim(JdStr text) {
    while (text.size > 0 && is_blank(text.data[0]))
        text = (JdStr) { text.data + 1, text.size - 1 };
    while (text.size > 0 && is_blank(text.data[text.size - 1]))
        text.size--;
    return text;
}

JdStr jd_str_cut(JdStr *rest, char separator) {
    const size_t end = jd_str_find(*rest, separator);
    const JdStr word = { rest->data, end };
    *rest = jd_str_part(*rest, end + 1, rest->size);
    return word;
}

bool jd_parse_u64(JdStr text, uint64_t max, uint64_t *out) {
    if (text.size == 0 || (text.size > 1 && text.data[0] == '0'))
        return false;
    uint64_t value = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        const uint64_t digit = (uint64_t)(text.data[i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (value > max)
        return false;
    *out = value;
    return true;
}
