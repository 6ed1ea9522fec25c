// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of the dead-position service, in the order it asks them.
#ifndef LAWS_DEAD_INNER_H
#define LAWS_DEAD_INNER_H

#include <jadoube/dead.h>

#include "laws/dead_bits.h"

// The winner's men are too few whatever happens (dead_material.c).
bool dead_is_material(const ChessPosition *pos, ChessColor winner);
// No man can ever get where a mate would need him (dead_reach.c).
bool dead_is_blocked(const ChessPosition *pos, ChessColor winner);

// What men of that colour attack, kings aside, when only squares of open can be passed
// (dead_bits.c).
uint64_t dead_attacks_of(const ChessPosition *pos, uint64_t men, ChessColor color, uint64_t open);
int dead_count(uint64_t set);
int dead_edge_distance(int square);
// Squares before a pawn of that colour on its file.
uint64_t dead_ahead(int square, ChessColor color);

#define DEAD_ESTIMATE_MAX 900
// How far from mate the position seems; for ordering only (dead_estimate.c).
uint32_t dead_estimate(const ChessPosition *pos, ChessColor winner);

// Room for a mate after the line that led to where it is played.
#define DEAD_MATE_LINE 64

// Helpmate of a bare king by king and one queen or rook; line has room for DEAD_MATE_LINE
// (dead_bare.c).
bool dead_mate_bare_king(const ChessPosition *pos, ChessColor us, ChessMove *line, uint32_t *size,
                         uint32_t *nodes);

#define DEAD_QUICK_LINE 160

typedef enum DeadQuickly {
    DEAD_QUICKLY_FOUND,      // line is a helpmate of size plies
    DEAD_QUICKLY_BLOCKED,    // proved impossible by dead_is_blocked
    DEAD_QUICKLY_SIMPLIFIED, // line leads in size plies to simplified, where a search should be
                             // short
    DEAD_QUICKLY_NOTHING,
} DeadQuickly;

typedef struct DeadQuick {
    ChessMove line[DEAD_QUICK_LINE];
    uint32_t size;
    uint32_t nodes; // moves made
    ChessPosition simplified;
} DeadQuick;

// Tries to find a helpmate without a search (dead_quick.c). The side to move has a legal move.
DeadQuickly dead_find_quickly(const ChessPosition *pos, ChessColor winner, DeadQuick *quick);

#endif
