// SPDX-License-Identifier: GPL-3.0-or-later
//
// Four bitboards side by side, one for each axis in the order of chess_lines: file, diagonal, rank,
// antidiagonal. All sliders of a side are moved along all axes at once, without a loop over pieces
// and without a branch. With AVX2 a quad is one register, elsewhere four words.
#ifndef CHESS_QUAD_H
#define CHESS_QUAD_H

#include "chess/bits.h"

// Squares that one step towards higher numbers (up) or lower numbers (down) can arrive on.
#define ARRIVE_UP_1 (~FILE_A)
#define ARRIVE_UP_2 (~FILE_A)
#define ARRIVE_UP_3 (~FILE_H)
#define ARRIVE_DOWN_1 (~FILE_H)
#define ARRIVE_DOWN_2 (~FILE_H)
#define ARRIVE_DOWN_3 (~FILE_A)

#ifdef __AVX2__

typedef uint64_t Quad __attribute__((vector_size(32)));
typedef int64_t SignedQuad __attribute__((vector_size(32)));

JD_ALWAYS_INLINE Quad quad(uint64_t file, uint64_t diagonal, uint64_t rank, uint64_t antidiagonal) {
    return (Quad) { file, diagonal, rank, antidiagonal };
}
JD_ALWAYS_INLINE Quad quad_all(uint64_t set) {
    return (Quad) { set, set, set, set };
}
JD_ALWAYS_INLINE Quad quad_or(Quad a, Quad b) {
    return a | b;
}
JD_ALWAYS_INLINE Quad quad_and(Quad a, Quad b) {
    return a & b;
}
JD_ALWAYS_INLINE Quad quad_xor(Quad a, Quad b) {
    return a ^ b;
}
JD_ALWAYS_INLINE Quad quad_up(Quad q, unsigned steps) {
    return q << (Quad) { 8 * steps, 9 * steps, steps, 7 * steps };
}
JD_ALWAYS_INLINE Quad quad_down(Quad q, unsigned steps) {
    return q >> (Quad) { 8 * steps, 9 * steps, steps, 7 * steps };
}
JD_ALWAYS_INLINE uint64_t quad_lane(Quad q, int axis) {
    return q[axis];
}

#else

typedef struct Quad {
    uint64_t lane[4];
} Quad;

JD_ALWAYS_INLINE Quad quad(uint64_t file, uint64_t diagonal, uint64_t rank, uint64_t antidiagonal) {
    return (Quad) { { file, diagonal, rank, antidiagonal } };
}
JD_ALWAYS_INLINE Quad quad_all(uint64_t set) {
    return quad(set, set, set, set);
}
JD_ALWAYS_INLINE Quad quad_or(Quad a, Quad b) {
    return quad(a.lane[0] | b.lane[0], a.lane[1] | b.lane[1], a.lane[2] | b.lane[2],
                a.lane[3] | b.lane[3]);
}
JD_ALWAYS_INLINE Quad quad_and(Quad a, Quad b) {
    return quad(a.lane[0] & b.lane[0], a.lane[1] & b.lane[1], a.lane[2] & b.lane[2],
                a.lane[3] & b.lane[3]);
}
JD_ALWAYS_INLINE Quad quad_xor(Quad a, Quad b) {
    return quad(a.lane[0] ^ b.lane[0], a.lane[1] ^ b.lane[1], a.lane[2] ^ b.lane[2],
                a.lane[3] ^ b.lane[3]);
}
JD_ALWAYS_INLINE Quad quad_up(Quad q, unsigned steps) {
    return quad(q.lane[0] << 8 * steps, q.lane[1] << 9 * steps, q.lane[2] << steps,
                q.lane[3] << 7 * steps);
}
JD_ALWAYS_INLINE Quad quad_down(Quad q, unsigned steps) {
    return quad(q.lane[0] >> 8 * steps, q.lane[1] >> 9 * steps, q.lane[2] >> steps,
                q.lane[3] >> 7 * steps);
}
JD_ALWAYS_INLINE uint64_t quad_lane(Quad q, int axis) {
    return q.lane[axis];
}

#endif

JD_ALWAYS_INLINE uint64_t quad_union(Quad q) {
    return quad_lane(q, 0) | quad_lane(q, 1) | quad_lane(q, 2) | quad_lane(q, 3);
}
JD_ALWAYS_INLINE int quad_count(Quad q) {
    return count_bits(quad_lane(q, 0)) + count_bits(quad_lane(q, 1)) + count_bits(quad_lane(q, 2)) +
           count_bits(quad_lane(q, 3));
}

// Where sliders can pass: for 1, 2 and 4 steps in each direction (a Kogge-Stone fill). Depends on
// the occupied squares alone, so that one flow serves every fill of a position.
typedef struct Flow {
    Quad up[3];
    Quad down[3];
} Flow;

JD_ALWAYS_INLINE Quad arrive_up(void) {
    return quad(~UINT64_C(0), ARRIVE_UP_1, ARRIVE_UP_2, ARRIVE_UP_3);
}
JD_ALWAYS_INLINE Quad arrive_down(void) {
    return quad(~UINT64_C(0), ARRIVE_DOWN_1, ARRIVE_DOWN_2, ARRIVE_DOWN_3);
}

JD_ALWAYS_INLINE Flow flow_over(uint64_t empty) {
    Flow flow;
    flow.up[0] = quad_and(quad_all(empty), arrive_up());
    flow.up[1] = quad_and(flow.up[0], quad_up(flow.up[0], 1));
    flow.up[2] = quad_and(flow.up[1], quad_up(flow.up[1], 2));
    flow.down[0] = quad_and(quad_all(empty), arrive_down());
    flow.down[1] = quad_and(flow.down[0], quad_down(flow.down[0], 1));
    flow.down[2] = quad_and(flow.down[1], quad_down(flow.down[1], 2));
    return flow;
}

// Squares seen from the pieces of each lane: the empty ones passed and the first occupied one.
JD_ALWAYS_INLINE Quad slide_up(Quad from, const Flow *flow) {
    from = quad_or(from, quad_and(flow->up[0], quad_up(from, 1)));
    from = quad_or(from, quad_and(flow->up[1], quad_up(from, 2)));
    from = quad_or(from, quad_and(flow->up[2], quad_up(from, 4)));
    return quad_and(quad_up(from, 1), arrive_up());
}
JD_ALWAYS_INLINE Quad slide_down(Quad from, const Flow *flow) {
    from = quad_or(from, quad_and(flow->down[0], quad_down(from, 1)));
    from = quad_or(from, quad_and(flow->down[1], quad_down(from, 2)));
    from = quad_or(from, quad_and(flow->down[2], quad_down(from, 4)));
    return quad_and(quad_down(from, 1), arrive_down());
}

#endif
