// SPDX-License-Identifier: GPL-3.0-or-later
//
// The plain way to know what the tutor claims: steps on a board of 64 letters, and every legal move
// tried. Slow, short, and sharing nothing with src/tutor.
#ifndef TESTS_TUTOR_PLAIN_H
#define TESTS_TUTOR_PLAIN_H

#include <jadoube/chess.h>

int plain_worth(unsigned piece);
// Whether the man on `from` attacks `to`, by walking there.
bool plain_attacks(const uint8_t board[64], int from, int to);
bool plain_is_attacked(const uint8_t board[64], int square, int color);
int plain_king(const uint8_t board[64], int color);
// What the side to move nets on a square: all legal captures there, all answers, nothing pruned.
int plain_exchange(const ChessPosition *pos, int square);
// The most it nets by taking a man; below -100000: nobody can take it.
int plain_take(const ChessPosition *pos, int square);
// Whether the side to move mates in at most n.
bool plain_mates(const ChessPosition *pos, int n);
// Whether the side to move, which has just been moved against, is mated in at most n whatever it
// does.
bool plain_is_lost(const ChessPosition *pos, int n);
// The other side to move; false in check.
bool plain_pass(const ChessPosition *pos, ChessPosition *out);

#endif
