// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bytes. In WebAssembly this file also supplies what the compiler itself calls for structs; it is
// compiled with -fno-builtin there, so that memcpy is not turned into a call of itself.
#include <jadoube/base.h>

#ifdef __wasm__

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *at, int value, size_t size);
int memcmp(const void *a, const void *b, size_t size);

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (size-- > 0)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t size) {
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f) {
        while (size-- > 0)
            *t++ = *f++;
    } else {
        while (size-- > 0)
            t[size] = f[size];
    }
    return to;
}

void *memset(void *at, int value, size_t size) {
    unsigned char *t = at;
    while (size-- > 0)
        *t++ = (unsigned char)value;
    return at;
}

int memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *x = a;
    const unsigned char *y = b;
    for (; size > 0; size--, x++, y++)
        if (*x != *y)
            return *x < *y ? -1 : 1;
    return 0;
}

#endif

void jd_copy(void *restrict to, const void *restrict from, size_t size) {
    if (size > 0)
        __builtin_memcpy(to, from, size);
}

void jd_zero(void *at, size_t size) {
    if (size > 0)
        __builtin_memset(at, 0, size);
}

bool jd_bytes_equal(const void *a, const void *b, size_t size) {
    return size == 0 || __builtin_memcmp(a, b, size) == 0;
}
