// SPDX-License-Identifier: GPL-3.0-or-later
//
// UTF-8 by RFC 3629.
#include <jadoube/base.h>

// Decodes a well-formed sequence at the start of the text; returns its size, 0 when malformed.
static size_t decode(const unsigned char *bytes, size_t size, uint32_t *out) {
    const uint32_t first = bytes[0];
    if (first < 0x80) {
        *out = first;
        return 1;
    }
    const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || length > size)
        return 0;
    uint32_t value = first & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (bytes[i] & 0x3Fu);
    }
    const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (overlong || surrogate || value > 0x10FFFF)
        return 0;
    *out = value;
    return length;
}

bool jd_utf8_valid(JdStr text, size_t *bad_offset) {
    size_t at = 0;
    while (at < text.size) {
        uint32_t ignored;
        const size_t length =
            decode((const unsigned char *)text.data + at, text.size - at, &ignored);
        if (length == 0) {
            if (bad_offset != NULL)
                *bad_offset = at;
            return false;
        }
        at += length;
    }
    return true;
}

uint32_t jd_utf8_next(JdStr text, size_t *at) {
    JD_ASSERT(*at < text.size);
    uint32_t value;
    const size_t length = decode((const unsigned char *)text.data + *at, text.size - *at, &value);
    *at += length == 0 ? 1 : length;
    return length == 0 ? 0xFFFD : value;
}

size_t jd_utf8_write(uint32_t code_point, char out[4]) {
    if (code_point < 0x80) {
        out[0] = (char)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        out[0] = (char)(0xC0 | code_point >> 6);
        out[1] = (char)(0x80 | (code_point & 0x3F));
        return 2;
    }
    if (code_point < 0x10000) {
        if (code_point >= 0xD800 && code_point <= 0xDFFF)
            return 0;
        out[0] = (char)(0xE0 | code_point >> 12);
        out[1] = (char)(0x80 | (code_point >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code_point & 0x3F));
        return 3;
    }
    if (code_point > 0x10FFFF)
        return 0;
    out[0] = (char)(0xF0 | code_point >> 18);
    out[1] = (char)(0x80 | (code_point >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code_point >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code_point & 0x3F));
    return 4;
}
