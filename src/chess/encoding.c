// SPDX-License-Identifier: GPL-3.0-or-later
//
// One-byte encodings of old files, turned into UTF-8.
#include <jadoube/pgn.h>

// Bytes 0x80 to 0x9f of Windows-1252, which files that say Latin-1 use; 0xfffd: not assigned.
static const uint16_t windows_1252[32] = {
    0x20ac, 0xfffd, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0xfffd, 0x017d, 0xfffd, 0xfffd, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0xfffd, 0x017e, 0x0178,
};

// Bytes 0x80 to 0xbf of Windows-1251; 0xc0 to 0xff are U+0410 to U+044f.
static const uint16_t windows_1251[64] = {
    0x0402, 0x0403, 0x201a, 0x0453, 0x201e, 0x2026, 0x2020, 0x2021, 0x20ac, 0x2030, 0x0409,
    0x2039, 0x040a, 0x040c, 0x040b, 0x040f, 0x0452, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0xfffd, 0x2122, 0x0459, 0x203a, 0x045a, 0x045c, 0x045b, 0x045f, 0x00a0,
    0x040e, 0x045e, 0x0408, 0x00a4, 0x0490, 0x00a6, 0x00a7, 0x0401, 0x00a9, 0x0404, 0x00ab,
    0x00ac, 0x00ad, 0x00ae, 0x0407, 0x00b0, 0x00b1, 0x0406, 0x0456, 0x0491, 0x00b5, 0x00b6,
    0x00b7, 0x0451, 0x2116, 0x0454, 0x00bb, 0x0458, 0x0405, 0x0455, 0x0457,
};

static const struct {
    const char *name;
    ChessEncoding encoding;
} names[] = {
    { "utf-8", CHESS_UTF8 },          { "utf8", CHESS_UTF8 },
    { "latin-1", CHESS_LATIN1 },      { "latin1", CHESS_LATIN1 },
    { "iso-8859-1", CHESS_LATIN1 },   { "windows-1252", CHESS_LATIN1 },
    { "cp1252", CHESS_LATIN1 },       { "windows-1251", CHESS_WINDOWS_1251 },
    { "cp1251", CHESS_WINDOWS_1251 },
};

bool chess_encoding_find(JdStr name, ChessEncoding *out) {
    for (size_t i = 0; i < JD_COUNT(names); i++) {
        if (jd_str_equal_nocase(name, jd_str(names[i].name))) {
            *out = names[i].encoding;
            return true;
        }
    }
    return false;
}

static uint32_t code_point_of(ChessEncoding encoding, unsigned char byte) {
    if (byte < 0x80)
        return byte;
    if (encoding == CHESS_WINDOWS_1251)
        return byte < 0xc0 ? windows_1251[byte - 0x80] : (uint32_t)byte - 0xc0 + 0x0410;
    return byte < 0xa0 ? windows_1252[byte - 0x80] : byte;
}

size_t chess_encoding_convert(ChessEncoding encoding, JdStr text, JdOut *out) {
    const size_t room = out->capacity > out->size ? out->capacity - out->size : 0;
    if (encoding == CHESS_UTF8) {
        const size_t size = text.size < room ? text.size : room;
        jd_out_text(out, jd_str_n(text.data, size));
        return size;
    }
    size_t taken = 0;
    while (taken < text.size) {
        char bytes[4];
        const uint32_t code = code_point_of(encoding, (unsigned char)text.data[taken]);
        const size_t size = jd_utf8_write(code, bytes);
        if (size > out->capacity - out->size)
            break;
        jd_out_text(out, jd_str_n(bytes, size));
        taken++;
    }
    return taken;
}
