// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ground floor: string views, error values, time units, a formatter and a hash.
//
// Everything here is usable in freestanding code (WebAssembly): nothing includes stdio.h, string.h
// or assert.h, nothing allocates, nothing reads a clock. Names carry the prefix jd_, Jd or JD_.
#ifndef JADOUBE_BASE_H
#define JADOUBE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- compiler extensions, wrapped ---------------------------------------------------------------

#define JD_MUST_USE __attribute__((warn_unused_result))
#define JD_FORMAT(text, first) __attribute__((format(printf, text, first)))
#define JD_NORETURN __attribute__((noreturn))
#define JD_ALWAYS_INLINE static inline __attribute__((always_inline))
#define JD_NOINLINE __attribute__((noinline))
#define JD_LIKELY(x) __builtin_expect(!!(x), 1)
#define JD_UNLIKELY(x) __builtin_expect(!!(x), 0)
// Symbols of the public library; everything else is hidden.
#define JD_API __attribute__((visibility("default")))

// Number of elements of an array (not of a pointer).
#define JD_COUNT(array) (sizeof(array) / sizeof((array)[0]))

// ---- assertions ---------------------------------------------------------------------------------

// Ends the process (native: a line on standard error, then abort; WebAssembly: a trap).
JD_API JD_NORETURN void jd_assert_fail(const char *condition, const char *file, int line);

// States what the programmer guarantees; never used to judge input. Stays on in release builds.
#define JD_ASSERT(condition)                                                                       \
    ((condition) ? (void)0 : jd_assert_fail(#condition, __FILE__, __LINE__))

// The few assertions too dear for hot paths: debug, sanitizer and fuzz builds only.
#ifdef JD_SLOW_CHECKS
#define JD_ASSERT_SLOW(condition) JD_ASSERT(condition)
#else
#define JD_ASSERT_SLOW(condition) ((void)sizeof(!(condition)))
#endif

// ---- string views -------------------------------------------------------------------------------

// A view of bytes: not owned, not NUL-terminated, valid as long as what it points into.
typedef struct JdStr {
    const char *data; // may be NULL when size is 0
    size_t size;      // bytes
} JdStr;

// A string literal as a JdStr constant.
#define JD_STR(literal) ((JdStr) { "" literal, sizeof(literal) - 1 })
// For printf: "%.*s", JD_PRINT(str).
#define JD_PRINT(str) (int)(str).size, (str).data

// View of a NUL-terminated string (without the NUL). NULL gives the empty view.
JD_API JdStr jd_str(const char *text);
// View of size bytes at data.
JD_API JdStr jd_str_n(const char *data, size_t size);
// Same bytes.
JD_API bool jd_str_equal(JdStr a, JdStr b);
// Same bytes, ASCII letters compared without case.
JD_API bool jd_str_equal_nocase(JdStr a, JdStr b);
// Order of the bytes as unsigned numbers: below 0, 0, above 0.
JD_API int jd_str_compare(JdStr a, JdStr b);
JD_API bool jd_str_starts_with(JdStr text, JdStr prefix);
JD_API bool jd_str_ends_with(JdStr text, JdStr suffix);
// Index of the first byte c, or text.size when there is none.
JD_API size_t jd_str_find(JdStr text, char c);
// The part from start (clamped to the size) of at most size bytes.
JD_API JdStr jd_str_part(JdStr text, size_t start, size_t size);
// Without leading and trailing ASCII blanks (space, tab, CR, LF).
JD_API JdStr jd_str_trim(JdStr text);
// Cuts the first word (up to separator or the end) off *rest and returns it; *rest moves past the
// separator. An empty *rest gives an empty word.
JD_API JdStr jd_str_cut(JdStr *rest, char separator);

// Decimal number without sign, blanks or superfluous leading zeros; false (and *out untouched) when
// the text is anything else or exceeds max.
JD_MUST_USE JD_API bool jd_parse_u64(JdStr text, uint64_t max, uint64_t *out);

// True when the bytes are well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF).
// On false, *bad_offset (may be NULL) is the first byte of the faulty sequence.
JD_API bool jd_utf8_valid(JdStr text, size_t *bad_offset);
// Decodes one code point at *at (which must be below text.size) and advances *at past it; a
// malformed sequence yields U+FFFD and advances by one byte.
JD_API uint32_t jd_utf8_next(JdStr text, size_t *at);
// Writes one code point as UTF-8; returns the bytes written (1 to 4; 0 for a surrogate or >
// U+10FFFF).
JD_API size_t jd_utf8_write(uint32_t code_point, char out[4]);

// ---- text output --------------------------------------------------------------------------------

// A bounded output buffer of the caller's. size counts what was asked for, so that overflow is
// seen: bytes beyond capacity are dropped and jd_out_fits answers false. Never writes a NUL.
typedef struct JdOut {
    char *data;
    size_t capacity;
    size_t size;
} JdOut;

JD_API JdOut jd_out(char *data, size_t capacity);
JD_API bool jd_out_fits(const JdOut *out);
// What has been written so far (cut at capacity).
JD_API JdStr jd_out_str(const JdOut *out);
JD_API void jd_out_char(JdOut *out, char c);
JD_API void jd_out_text(JdOut *out, JdStr text);
JD_API void jd_out_cstr(JdOut *out, const char *text);
JD_API void jd_out_u64(JdOut *out, uint64_t value);
JD_API void jd_out_i64(JdOut *out, int64_t value);
// Fixed width lower-case hexadecimal, digits 1 to 16.
JD_API void jd_out_hex(JdOut *out, uint64_t value, int digits);
// A JSON string with its quotes; control characters, quotes and backslashes are escaped. The bytes
// must be UTF-8 already.
JD_API void jd_out_json(JdOut *out, JdStr text);

// A small printf: %d %u %zu %lld %llu %x %c %s %% and %.*s, with an optional width and 0 flag for
// numbers. Writes at most capacity bytes including a NUL; returns the size the whole text would
// have (without the NUL). capacity 0 writes nothing.
JD_API size_t jd_format(char *out, size_t capacity, const char *format, ...) JD_FORMAT(3, 4);
JD_API size_t jd_format_v(char *out, size_t capacity, const char *format, va_list arguments);

// ---- errors -------------------------------------------------------------------------------------

#define JD_ERR_TEXT_SIZE 160

// What went wrong. Filled by the function that knows, passed up unchanged.
typedef struct JdErr {
    uint32_t code;   // the module's own enumeration; 0 means no error
    uint32_t offset; // bytes from the start of the input at which the fault was found
    char field[24];  // the part of the input at fault ("castling"), NUL-terminated; empty: no part
    char text[JD_ERR_TEXT_SIZE]; // a sentence: what was found and what was expected; NUL-terminated
} JdErr;

// Fills *err (NULL allowed) and returns false, so that a parser can say: return jd_fail(...).
JD_API bool jd_fail(JdErr *err, uint32_t code, size_t offset, const char *format, ...)
    JD_FORMAT(4, 5);
// The same, naming the field at fault.
JD_API bool jd_fail_field(JdErr *err, uint32_t code, const char *field, size_t offset,
                          const char *format, ...) JD_FORMAT(5, 6);

// ---- time ---------------------------------------------------------------------------------------

// A point in time: milliseconds since 1970-01-01 UTC. A span is a length of time. Different types,
// so that one is never taken for the other.
typedef struct JdInstant {
    int64_t ms;
} JdInstant;
typedef struct JdSpan {
    int64_t ms;
} JdSpan;

#define JD_SPAN_MS(n) ((JdSpan) { (n) })
#define JD_SPAN_S(n) ((JdSpan) { (int64_t)(n)*1000 })
#define JD_SPAN_MIN(n) ((JdSpan) { (int64_t)(n)*60000 })
#define JD_SPAN_DAYS(n) ((JdSpan) { (int64_t)(n)*86400000 })

static inline JdSpan jd_since(JdInstant later, JdInstant earlier) {
    return (JdSpan) { later.ms - earlier.ms };
}
static inline JdInstant jd_after(JdInstant from, JdSpan span) {
    return (JdInstant) { from.ms + span.ms };
}

// ---- hashing, mixing and chance -----------------------------------------------------------------

// 64-bit FNV-1a of size bytes, continuing from seed (JD_HASH_START to begin). Not for adversaries.
#define JD_HASH_START UINT64_C(0xcbf29ce484222325)
JD_API uint64_t jd_hash(uint64_t seed, const void *data, size_t size);
// A bijective mixer (SplitMix64 finaliser).
JD_API uint64_t jd_mix(uint64_t value);
// A deterministic generator for tests and simulations (SplitMix64): *state advances.
JD_API uint64_t jd_random(uint64_t *state);
// A number in 0 .. below-1 from jd_random; below must be positive.
JD_API uint32_t jd_random_below(uint64_t *state, uint32_t below);

// ---- memory -------------------------------------------------------------------------------------

JD_API void jd_copy(void *__restrict to, const void *__restrict from, size_t size);
JD_API void jd_zero(void *at, size_t size);
JD_API bool jd_bytes_equal(const void *a, const void *b, size_t size);

// A bump allocator over the caller's memory. Allocations are zeroed and aligned to 16 bytes; NULL
// when the memory is used up. Freed all at once by resetting used to a mark taken before.
typedef struct JdArena {
    unsigned char *memory;
    size_t capacity;
    size_t used;
} JdArena;

JD_API JdArena jd_arena(void *memory, size_t capacity);
JD_API void *jd_arena_take(JdArena *arena, size_t count, size_t size);
// A NUL-terminated copy; NULL when the memory is used up.
JD_API char *jd_arena_text(JdArena *arena, JdStr text);

#ifdef __cplusplus
}
#endif
#endif
