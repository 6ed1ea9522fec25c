// SPDX-License-Identifier: GPL-3.0-or-later
//
// Positions of the kinds that are hard for the question who can still mate. Some are no legal
// positions (the reader of FEN refuses them); nothing is known of their verdicts. Not for threads.
#ifndef DEAD_MAKE_H
#define DEAD_MAKE_H

#include <stdint.h>

// material wall chain promotion minor corner passing castling near
#define DEAD_KIND_COUNT 9
#define DEAD_FEN_SIZE 128

const char *dead_kind_name(int kind);
// Draws one from *seed, which moves on.
void dead_make(int kind, uint64_t *seed, char fen[DEAD_FEN_SIZE]);

#endif
