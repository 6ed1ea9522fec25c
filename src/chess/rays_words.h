// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rays in eight words, for any processor. Part of rays.h.

typedef struct Rays {
    uint64_t lane[8];
} Rays;

JD_ALWAYS_INLINE Rays rays_all(uint64_t set) {
    return (Rays) { { set, set, set, set, set, set, set, set } };
}
JD_ALWAYS_INLINE Rays rays_lines(uint64_t rooks, uint64_t bishops) {
    return (Rays) { { rooks, bishops, rooks, bishops, rooks, bishops, rooks, bishops } };
}
// The lanes in which pawns of us capture; nothing in the others.
JD_ALWAYS_INLINE Rays rays_captures(Rays rays, ChessColor us) {
    return us == CHESS_WHITE ? (Rays) { { 0, rays.lane[1], 0, rays.lane[3], 0, 0, 0, 0 } }
                             : (Rays) { { 0, 0, 0, 0, 0, rays.lane[5], 0, rays.lane[7] } };
}
JD_ALWAYS_INLINE Rays rays_arrive(void) {
    return (Rays) { { ARRIVE_N, ARRIVE_NE, ARRIVE_E, ARRIVE_NW, ARRIVE_S, ARRIVE_SW, ARRIVE_W,
                      ARRIVE_SE } };
}
JD_ALWAYS_INLINE Rays rays_and(Rays a, Rays b) {
    for (int i = 0; i < 8; i++)
        a.lane[i] &= b.lane[i];
    return a;
}
// a & ~b
JD_ALWAYS_INLINE Rays rays_without(Rays a, Rays b) {
    for (int i = 0; i < 8; i++)
        a.lane[i] &= ~b.lane[i];
    return a;
}
JD_ALWAYS_INLINE Rays rays_or(Rays a, Rays b) {
    for (int i = 0; i < 8; i++)
        a.lane[i] |= b.lane[i];
    return a;
}
JD_ALWAYS_INLINE Rays rays_or_and(Rays a, Rays b, Rays c) {
    return rays_or(a, rays_and(b, c));
}
JD_ALWAYS_INLINE Rays rays_shift(Rays from, int a, int b, int c, int d) {
    return (Rays) { { from.lane[0] << a, from.lane[1] << b, from.lane[2] << c, from.lane[3] << d,
                      from.lane[4] >> a, from.lane[5] >> b, from.lane[6] >> c,
                      from.lane[7] >> d } };
}
JD_ALWAYS_INLINE Rays rays_shift_1(Rays from) {
    return rays_shift(from, 8, 9, 1, 7);
}
JD_ALWAYS_INLINE Rays rays_shift_2(Rays from) {
    return rays_shift(from, 16, 18, 2, 14);
}
JD_ALWAYS_INLINE Rays rays_shift_4(Rays from) {
    return rays_shift(from, 32, 36, 4, 28);
}
JD_ALWAYS_INLINE Rays rays_knights(Rays knights) {
    return rays_and(rays_shift(knights, 17, 15, 10, 6),
                    (Rays) { { ARRIVE_17, ARRIVE_15, ARRIVE_10, ARRIVE_6, ARRIVE_DOWN_17,
                               ARRIVE_DOWN_15, ARRIVE_DOWN_10, ARRIVE_DOWN_6 } });
}
// Each lane exchanged with that of the opposite direction.
JD_ALWAYS_INLINE Rays rays_opposite(Rays rays) {
    return (Rays) { { rays.lane[4], rays.lane[5], rays.lane[6], rays.lane[7], rays.lane[0],
                      rays.lane[1], rays.lane[2], rays.lane[3] } };
}
JD_ALWAYS_INLINE uint64_t rays_lane(Rays rays, int lane) {
    return rays.lane[lane];
}
JD_ALWAYS_INLINE uint64_t rays_union(Rays rays) {
    return rays.lane[0] | rays.lane[1] | rays.lane[2] | rays.lane[3] | rays.lane[4] | rays.lane[5] |
           rays.lane[6] | rays.lane[7];
}
JD_ALWAYS_INLINE bool rays_any(Rays rays) {
    return rays_union(rays) != 0;
}
JD_ALWAYS_INLINE unsigned rays_count(Rays rays) {
    return lanes_count(rays.lane);
}
