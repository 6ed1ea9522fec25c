// SPDX-License-Identifier: GPL-3.0-or-later
//
// Little-endian numbers in the bodies of log entries.
#ifndef JADOUBE_LIVE_CODEC_H
#define JADOUBE_LIVE_CODEC_H

#include <jadoube/base.h>

typedef struct Writer {
    unsigned char *data;
    size_t capacity;
    size_t size;
} Writer;

static inline void write_bytes(Writer *out, const void *data, size_t size) {
    JD_ASSERT(out->capacity - out->size >= size);
    jd_copy(out->data + out->size, data, size);
    out->size += size;
}
static inline void write_number(Writer *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) {
        const unsigned char byte = (unsigned char)(value >> (8 * i));
        write_bytes(out, &byte, 1);
    }
}

// A read past the end makes the whole reading fail: test `failed` once, at the end.
typedef struct Reader {
    const unsigned char *data;
    size_t size;
    size_t at;
    bool failed;
} Reader;

static inline void read_bytes(Reader *in, void *out, size_t size) {
    if (in->size - in->at < size) {
        in->failed = true;
        jd_zero(out, size);
        return;
    }
    jd_copy(out, in->data + in->at, size);
    in->at += size;
}
static inline uint64_t read_number(Reader *in, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++) {
        unsigned char byte;
        read_bytes(in, &byte, 1);
        value |= (uint64_t)byte << (8 * i);
    }
    return value;
}

#endif
