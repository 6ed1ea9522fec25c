// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kings and walls of pawns, as the test and the measurement of blocked positions draw them.
#ifndef DEAD_WALLS_H
#define DEAD_WALLS_H

#include <stdbool.h>
#include <stdint.h>

#define DEAD_WALL_SIZE 96

// Up to eight pawns of each colour, face to face on their files, and the kings: on every other file
// at one height (which shuts), on all files with neighbours at different heights (which mostly
// does), and in between. Draws from *seed, which moves on; false when the position is
// none that the reader of FEN takes.
bool dead_random_wall(uint64_t *seed, char fen[DEAD_WALL_SIZE]);

#endif
