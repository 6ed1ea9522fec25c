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
                         uint64_t *nodes);

// Helpmate by minor pieces alone, in a corner; line has room for DEAD_QUICK_LINE (dead_minors.c).
// Stops soon after limit moves.
bool dead_mate_by_minors(const ChessPosition *pos, ChessColor us, uint64_t limit, ChessMove *line,
                         uint32_t *size, uint64_t *nodes);

#define DEAD_WALK_MAX 6

// A mate by a queen or rook that others help to: moves of the winner, in order; the last one mates.
typedef struct Plan {
    uint64_t quiet;  // squares the loser's other men shall neither enter nor attack
    uint64_t path;   // squares nobody else shall enter
    uint64_t guards; // men of the loser who have to go away first
    uint64_t actors; // men of the winner who are needed
    ChessMove moves[2 * DEAD_WALK_MAX];
    uint8_t count;
    uint8_t king_target; // where the loser's king shall stand in the end
    uint8_t hammer;      // ChessKind of who mates
    uint8_t place;       // where he does
} Plan;

#define DEAD_QUICK_LINE 200

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
    uint64_t nodes; // moves made
    bool has_plan;  // the line came from plan, played from the first position
    Plan plan;
    ChessPosition simplified;
} DeadQuick;

// Tries to find a helpmate without a search (dead_quick.c). The side to move has a legal move.
// Stops soon after limit moves.
DeadQuickly dead_find_quickly(const ChessPosition *pos, ChessColor winner, uint64_t limit,
                              bool planned, DeadQuick *quick);
// The first part of that alone: one plan on the board as it stands.
bool dead_find_plan(const ChessPosition *pos, ChessColor winner, DeadQuick *quick);
// Whether quick's plan, made for an earlier position, still mates; line and size are filled when it
// does.
bool dead_play_again(const ChessPosition *pos, ChessColor winner, DeadQuick *quick);

// dead_can_anyone_mate; planned: dead_find_plan has been tried for both (dead_ask.c).
DeadAnswer dead_ask_both(const ChessPosition *pos, const DeadLimits *limits, bool planned,
                         ChessMove *line, uint32_t line_capacity);
// Who is likelier to mate soon: queens and rooks count, then pawns, then the other men
// (dead_ask.c).
ChessColor dead_likelier(const ChessPosition *pos);
// Of the answers for both sides, the first of which is not "possible", the one that speaks for the
// position: a possible one, else one without proof, else the one whose proof took more.
DeadAnswer dead_worse(DeadAnswer one, DeadAnswer other);

#endif
