// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finding a helpmate without searching: a plan for the end is made on the board as it stands and
// played with both sides helping, and what does not work is given up.
#ifndef LAWS_DEAD_QUICK_H
#define LAWS_DEAD_QUICK_H

#include "laws/dead_inner.h"

#define EDGE (FILE_A | FILE_H | RANK_1 | RANK_8)

// A line that is being played.
typedef struct Track {
    ChessPosition pos;
    ChessMove *line; // room for DEAD_QUICK_LINE
    uint32_t count;
    ChessColor us;   // who shall mate
    ChessColor them; // who is to be mated
    uint64_t *nodes; // moves made, counted
    uint64_t limit;  // at which to stop
} Track;

static inline ChessMove plain(int from, int to) {
    return (ChessMove)((unsigned)from | (unsigned)to << 6);
}
static inline ChessMove reversed(ChessMove move) {
    return plain(chess_move_to(move), chess_move_from(move));
}

static inline uint64_t attack_of(ChessKind kind, int from, uint64_t occupied, ChessColor color) {
    switch (kind) {
    case CHESS_PAWN:
        return pawn_attacks(bit(from), color);
    case CHESS_KNIGHT:
        return knight_attacks(bit(from));
    case CHESS_BISHOP:
        return bishop_attacks(from, occupied);
    case CHESS_ROOK:
        return rook_attacks(from, occupied);
    case CHESS_QUEEN:
        return queen_attacks(from, occupied);
    case CHESS_KING:
        return king_attacks(bit(from));
    case CHESS_NO_KIND:
        break;
    }
    return 0;
}

static inline bool is_spent(const Track *track) {
    return *track->nodes >= track->limit;
}

static inline void advance(Track *track, ChessMove move) {
    track->line[track->count++] = move;
    (*track->nodes)++;
    chess_move_make(&track->pos, move, NULL);
}

// A man of men steps to a free square outside quiet and path from which he attacks nothing of quiet
// and not the enemy's king; CHESS_NO_MOVE when none can (dead_play.c).
ChessMove dead_find_tempo(const ChessPosition *pos, uint64_t men, uint64_t quiet, uint64_t path,
                          uint64_t enemy_king);
// Any legal move outside quiet, by a man of men if there is one.
ChessMove dead_any_move(const ChessPosition *pos, uint64_t men, uint64_t quiet);
// Plays the plan from where the track is; true when that ended in mate, *count plies from the start
// of the line.
bool dead_play(const Track *from, const Plan *plan, uint32_t *count);

// Plans a mate by queen or rook and plays it, at most attempts times. The side to move is not in
// check (dead_plan.c).
bool dead_plan_and_play(const Track *track, int *attempts, Plan *plan, uint32_t *count);

// The same for one end only: that of plan, with the king on his square. plan is made anew.
bool dead_plan_again(const Track *track, Plan *plan, uint32_t *count);

#endif
