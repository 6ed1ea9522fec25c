// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looking through text many bytes at a time. Every byte of a file comes by here, so this is where
// vectors pay.
#ifndef CHESS_PGN_SCAN_H
#define CHESS_PGN_SCAN_H

#include <jadoube/base.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define EACH_BYTE UINT64_C(0x0101010101010101)
#define HIGH_BITS UINT64_C(0x8080808080808080)

JD_ALWAYS_INLINE uint64_t load_word(const char *at) {
    uint64_t word;
    __builtin_memcpy(&word, at, sizeof word);
    return word;
}

// First "}" or control character from p on, or end when there is none. *high becomes other than 0
// when a byte before it has its high bit. Reads up to 16 bytes behind end.
JD_ALWAYS_INLINE char *find_brace(char *p, char *end, uint64_t *high) {
#ifdef __SSE2__
    for (; p < end; p += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        const __m128i braces = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('}'));
        const __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
        const unsigned hits = (unsigned)_mm_movemask_epi8(_mm_or_si128(braces, controls));
        const unsigned highs = (unsigned)_mm_movemask_epi8(bytes);
        if (hits != 0) {
            const unsigned before = (hits & (~hits + 1)) - 1;
            *high |= highs & before;
            p += __builtin_ctz(hits);
            return p < end ? p : end;
        }
        *high |= highs;
    }
    return end;
#else
    for (; p < end; p += 8) {
        const uint64_t word = load_word(p);
        const uint64_t braces = word ^ ('}' * EACH_BYTE);
        // The usual tests for zero bytes and for bytes below 32, exact up to the first hit.
        const uint64_t hits =
            (((braces - EACH_BYTE) & ~braces) | ((word - 0x20 * EACH_BYTE) & ~word)) & HIGH_BITS;
        if (hits != 0) {
            while (*p != '}' && (unsigned char)*p >= 0x20)
                *high |= (unsigned char)*p++ & 0x80;
            return p < end ? p : end;
        }
        *high |= word & HIGH_BITS;
    }
    return end;
#endif
}

// First quote, backslash, control character or byte that is no ASCII from p on. There must be one;
// up to 16 bytes behind it are read.
JD_ALWAYS_INLINE char *find_special(char *p) {
#ifdef __SSE2__
    for (;; p += 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
        const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
        const __m128i slashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
        // As signed numbers bytes that are no ASCII are below the blank as well.
        const __m128i others = _mm_cmplt_epi8(bytes, _mm_set1_epi8(' '));
        const int hits = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, slashes), others));
        if (hits != 0)
            return p + __builtin_ctz((unsigned)hits);
    }
#else
    while (*p != '"' && *p != '\\' && (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x80)
        p++;
    return p;
#endif
}

// Line ends between p and end.
JD_ALWAYS_INLINE uint64_t count_newlines(const char *p, const char *end) {
    uint64_t count = 0;
#ifdef __SSE2__
    // Sixteen counters of a byte, emptied before they run over.
    while (end - p >= 16) {
        __m128i lanes = _mm_setzero_si128();
        for (int i = 0; i < 255 && end - p >= 16; i++, p += 16) {
            const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)p);
            lanes = _mm_sub_epi8(lanes, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
        }
        const __m128i sums = _mm_sad_epu8(lanes, _mm_setzero_si128());
        count += (uint64_t)_mm_extract_epi16(sums, 0) + (uint64_t)_mm_extract_epi16(sums, 4);
    }
#endif
    for (; p < end; p++)
        count += *p == '\n';
    return count;
}

// The beginning of the line that p stands in: behind the last line end before p. There must be one;
// up to 16 bytes before it are read.
JD_ALWAYS_INLINE const char *find_line_begin(const char *p) {
#ifdef __SSE2__
    for (;; p -= 16) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(p - 16));
        const unsigned hits =
            (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')));
        if (hits != 0)
            return p - 16 + (32 - __builtin_clz(hits));
    }
#else
    while (p[-1] != '\n')
        p--;
    return p;
#endif
}

#endif
