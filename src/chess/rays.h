// SPDX-License-Identifier: GPL-3.0-or-later
//
// Eight bitboards side by side, one for each direction: up the board along file, diagonal, rank and
// antidiagonal (the order of chess_lines), then down along the same. All pieces of a side are moved
// in all directions at once, without a loop over pieces and without a branch. With AVX2 the eight
// are two registers, elsewhere words.
#ifndef CHESS_RAYS_H
#define CHESS_RAYS_H

#include "chess/bits.h"

// Squares that one step in a direction can arrive on; the others it reaches only around the edge.
#define ARRIVE_N (~RANK_1)
#define ARRIVE_NE (~RANK_1 & ~FILE_A)
#define ARRIVE_E (~FILE_A)
#define ARRIVE_NW (~RANK_1 & ~FILE_H)
#define ARRIVE_S (~RANK_8)
#define ARRIVE_SW (~RANK_8 & ~FILE_H)
#define ARRIVE_W (~FILE_H)
#define ARRIVE_SE (~RANK_8 & ~FILE_A)

// The same for the eight jumps of a knight: by 17, 15, 10 and 6 squares up, then by as many down.
#define FILES_AB (FILE_A | FILE_A << 1)
#define FILES_GH (FILE_H | FILE_H >> 1)
#define ARRIVE_17 (~(RANK_1 | RANK_2) & ~FILE_A)
#define ARRIVE_15 (~(RANK_1 | RANK_2) & ~FILE_H)
#define ARRIVE_10 (~RANK_1 & ~FILES_AB)
#define ARRIVE_6 (~RANK_1 & ~FILES_GH)
#define ARRIVE_DOWN_17 (~(RANK_7 | RANK_8) & ~FILE_H)
#define ARRIVE_DOWN_15 (~(RANK_7 | RANK_8) & ~FILE_A)
#define ARRIVE_DOWN_10 (~RANK_8 & ~FILES_GH)
#define ARRIVE_DOWN_6 (~RANK_8 & ~FILES_AB)

// Members of eight sets, added in pairs, so that no sum waits for a long chain of others.
JD_ALWAYS_INLINE unsigned lanes_count(const uint64_t lanes[8]) {
    unsigned counts[8];
    for (int i = 0; i < 8; i++)
        counts[i] = (unsigned)count_bits(lanes[i]);
    return ((counts[0] + counts[1]) + (counts[2] + counts[3])) +
           ((counts[4] + counts[5]) + (counts[6] + counts[7]));
}

#ifdef __AVX2__
#include "chess/rays_avx2.h"
#else
#include "chess/rays_words.h"
#endif

// Where sliders can pass: for 1, 2 and 4 steps in each direction (a Kogge-Stone fill). Depends on
// the occupied squares alone, so that one flow serves every slide of a position.
typedef struct Flow {
    Rays one;
    Rays two;
    Rays four;
} Flow;

JD_ALWAYS_INLINE Flow flow_around(uint64_t occupied) {
    Flow flow;
    flow.one = rays_without(rays_arrive(), rays_all(occupied));
    flow.two = rays_and(flow.one, rays_shift_1(flow.one));
    flow.four = rays_and(flow.two, rays_shift_2(flow.two));
    return flow;
}

// One step of the pieces of each lane.
JD_ALWAYS_INLINE Rays rays_step(Rays from) {
    return rays_and(rays_shift_1(from), rays_arrive());
}

// Squares seen from the pieces of each lane: the empty ones passed and the first occupied one.
JD_ALWAYS_INLINE Rays rays_slide(Rays from, const Flow *flow) {
    from = rays_or_and(from, flow->one, rays_shift_1(from));
    from = rays_or_and(from, flow->two, rays_shift_2(from));
    from = rays_or_and(from, flow->four, rays_shift_4(from));
    return rays_step(from);
}

#endif
