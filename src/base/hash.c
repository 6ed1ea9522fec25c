// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hashing, mixing and reproducible chance.
#include <jadoube/base.h>

uint64_t jd_hash(uint64_t seed, const void *data, size_t size) {
    const unsigned char *const bytes = data;
    for (size_t i = 0; i < size; i++)
        seed = (seed ^ bytes[i]) * UINT64_C(0x100000001b3);
    return seed;
}

uint64_t jd_mix(uint64_t value) {
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

uint64_t jd_random(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    return jd_mix(*state);
}

uint32_t jd_random_below(uint64_t *state, uint32_t below) {
    JD_ASSERT(below > 0);
    return (uint32_t)(((jd_random(state) >> 32) * below) >> 32);
}
