// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of src/chess share: data files line by line, positions from FEN, random games.
#ifndef TESTS_CHESS_SUPPORT_H
#define TESTS_CHESS_SUPPORT_H

#include <check.h>
#include <jadoube/chess.h>

// A position that must be legal; the test fails with the reason when it is not.
ChessPosition position_from(const char *fen);

// Calls visit for each line of a file below TEST_DATA that is neither empty nor a comment.
void each_line(const char *file, void (*visit)(const char *line, int number, void *context),
               void *context);

// The seed of this run's random games: the environment's JADOUBE_SEED, else a fixed one; printed.
uint64_t announce_seed(void);

// Plays random games of at most max_plies from the start position, from Chess960 starts, and from
// some crowded positions, and shows each position reached, together with its legal moves.
typedef void Visit(const ChessPosition *pos, const ChessMoveList *legal, void *context);
void each_random_position(uint64_t *seed, int games, int max_plies, Visit *visit, void *context);

// FEN of a position in a static buffer, for messages.
const char *fen_of(const ChessPosition *pos);

#endif
