// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rays in two registers of AVX2. Part of rays.h.
#include <immintrin.h>

typedef struct Rays {
    __m256i up;
    __m256i down;
} Rays;

#define FOUR(a, b, c, d)                                                                           \
    _mm256_setr_epi64x((long long)(a), (long long)(b), (long long)(c), (long long)(d))

JD_ALWAYS_INLINE Rays rays_all(uint64_t set) {
    const __m256i all = _mm256_set1_epi64x((long long)set);
    return (Rays) { all, all };
}
JD_ALWAYS_INLINE Rays rays_lines(uint64_t rooks, uint64_t bishops) {
    const __m256i lines = _mm256_blend_epi32(_mm256_set1_epi64x((long long)rooks),
                                             _mm256_set1_epi64x((long long)bishops), 0xcc);
    return (Rays) { lines, lines };
}
// The lanes in which pawns of us capture; nothing in the others.
JD_ALWAYS_INLINE Rays rays_captures(Rays rays, ChessColor us) {
    const __m256i none = _mm256_setzero_si256();
    return us == CHESS_WHITE ? (Rays) { _mm256_blend_epi32(none, rays.up, 0xcc), none }
                             : (Rays) { none, _mm256_blend_epi32(none, rays.down, 0xcc) };
}
JD_ALWAYS_INLINE Rays rays_arrive(void) {
    return (Rays) { FOUR(ARRIVE_N, ARRIVE_NE, ARRIVE_E, ARRIVE_NW),
                    FOUR(ARRIVE_S, ARRIVE_SW, ARRIVE_W, ARRIVE_SE) };
}
JD_ALWAYS_INLINE Rays rays_and(Rays a, Rays b) {
    return (Rays) { _mm256_and_si256(a.up, b.up), _mm256_and_si256(a.down, b.down) };
}
// a & ~b
JD_ALWAYS_INLINE Rays rays_without(Rays a, Rays b) {
    return (Rays) { _mm256_andnot_si256(b.up, a.up), _mm256_andnot_si256(b.down, a.down) };
}
JD_ALWAYS_INLINE Rays rays_or(Rays a, Rays b) {
    return (Rays) { _mm256_or_si256(a.up, b.up), _mm256_or_si256(a.down, b.down) };
}
JD_ALWAYS_INLINE Rays rays_or_and(Rays a, Rays b, Rays c) {
    return rays_or(a, rays_and(b, c));
}
JD_ALWAYS_INLINE Rays rays_shift(Rays from, __m256i by) {
    return (Rays) { _mm256_sllv_epi64(from.up, by), _mm256_srlv_epi64(from.down, by) };
}
JD_ALWAYS_INLINE Rays rays_shift_1(Rays from) {
    return rays_shift(from, FOUR(8, 9, 1, 7));
}
JD_ALWAYS_INLINE Rays rays_shift_2(Rays from) {
    return rays_shift(from, FOUR(16, 18, 2, 14));
}
JD_ALWAYS_INLINE Rays rays_shift_4(Rays from) {
    return rays_shift(from, FOUR(32, 36, 4, 28));
}
JD_ALWAYS_INLINE Rays rays_knights(Rays knights) {
    const Rays jumps = rays_shift(knights, FOUR(17, 15, 10, 6));
    return rays_and(jumps,
                    (Rays) { FOUR(ARRIVE_17, ARRIVE_15, ARRIVE_10, ARRIVE_6),
                             FOUR(ARRIVE_DOWN_17, ARRIVE_DOWN_15, ARRIVE_DOWN_10, ARRIVE_DOWN_6) });
}
// Each lane exchanged with that of the opposite direction.
JD_ALWAYS_INLINE Rays rays_opposite(Rays rays) {
    return (Rays) { rays.down, rays.up };
}
// One lane; cheap for lane 0.
JD_ALWAYS_INLINE uint64_t rays_lane(Rays rays, int lane) {
    const __m256i half = lane < 4 ? rays.up : rays.down;
    const __m128i part =
        lane % 4 < 2 ? _mm256_castsi256_si128(half) : _mm256_extracti128_si256(half, 1);
    return (uint64_t)(lane % 2 == 0 ? _mm_cvtsi128_si64(part) : _mm_extract_epi64(part, 1));
}
JD_ALWAYS_INLINE uint64_t rays_union(Rays rays) {
    const __m256i four = _mm256_or_si256(rays.up, rays.down);
    const __m128i two =
        _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    return (uint64_t)_mm_cvtsi128_si64(two) | (uint64_t)_mm_extract_epi64(two, 1);
}
JD_ALWAYS_INLINE bool rays_any(Rays rays) {
    const __m256i either = _mm256_or_si256(rays.up, rays.down);
    return _mm256_testz_si256(either, either) == 0;
}
JD_ALWAYS_INLINE unsigned rays_count(Rays rays) {
    uint64_t lanes[8] __attribute__((aligned(32)));
    _mm256_store_si256((__m256i *)lanes, rays.up);
    _mm256_store_si256((__m256i *)(lanes + 4), rays.down);
    __asm__(""
            : "+m"(lanes)); // through memory: POPCNT reads it there, and extracting would cost more

    return lanes_count(lanes);
}
