// SPDX-License-Identifier: GPL-3.0-or-later
//
// A second, plain game of chess for judging the first: letters on 64 squares, moves tried and taken
// back when the king is left en prise. It shares no line with src/, takes no short cut and knows no
// lemma.
#ifndef DEAD_PLAIN_H
#define DEAD_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct PlainBoard {
    char at[64];   // "PNBRQKpnbrqk", '.' for empty; a1 = 0, h8 = 63
    bool white;    // White has the move
    bool right[4]; // castling K, Q, k, q
    int passed;    // square an enemy pawn on a capturing square could take en passant; -1: none
} PlainBoard;

typedef struct PlainMove {
    int from;
    int to;         // castling: where the king arrives
    char promotion; // 'q', 'r', 'b', 'n' or 0
} PlainMove;

#define PLAIN_MOVES_MAX 256

// Reads the first four fields of a FEN; false when they make no board with one king each.
bool plain_read(const char *fen, PlainBoard *out);
// Legal moves; returns their number.
int plain_moves(const PlainBoard *board, PlainMove moves[PLAIN_MOVES_MAX]);
PlainBoard plain_after(const PlainBoard *board, PlainMove move);
bool plain_in_check(const PlainBoard *board, bool white);
uint64_t plain_perft(const PlainBoard *board, int depth);

// "e2e4", "e7e8q" of a move; with a NUL.
void plain_move_text(PlainMove move, char out[6]);
// Plays a line of such moves separated by blanks. False when one is not legal.
bool plain_play(PlainBoard *board, const char *line);
// Whether the side to move is checkmated.
bool plain_is_mate(const PlainBoard *board);

// What walking through every reachable position has shown.
typedef struct PlainFindings {
    uint64_t positions; // different ones seen
    bool complete;      // all of them: what was not found does not exist
    bool mated[2];      // a position in which [0] White, [1] Black is checkmated was met
    int plies[2];       // length of the shortest line to it
} PlainFindings;

// Breadth first from board over every legal move until nothing new is left, both mates have been
// met, or limit positions have been seen. Positions are compared whole, never by hash. False: no
// memory.
bool plain_enumerate(const PlainBoard *board, uint64_t limit, PlainFindings *out);

#endif
