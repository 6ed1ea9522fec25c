// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games of `jadoube play` as PGN files: saved with the clock after each move, opened again where
// they stood (L-015, L-016).
#ifndef CLI_PLAY_PGN_H
#define CLI_PLAY_PGN_H

#include "cli/play_game.h"

// Writes the game to a file, whole or not at all. err: the system's reason.
JD_MUST_USE bool play_pgn_save(const PlayGame *game, const char *path, JdInstant now, JdErr *err);

// Opens a game of a file, the first being number 1. False: nothing was opened; report.problem says
// where the fault is when has_problem is set, else err has the system's reason or, with code 0,
// there is no such game.
JD_MUST_USE bool play_pgn_open(PlayGame *game, const char *path, uint64_t number, JdInstant now,
                               PlayOpened *report, JdErr *err);

#endif
