// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games of `jadoube play` as PGN files: saved with the clock after each move, opened again where
// they stood (L-015, L-016).
#ifndef CLI_PLAY_PGN_H
#define CLI_PLAY_PGN_H

#include <jadoube/pgn.h>

#include "cli/play_game.h"

// Writes the game to a file, whole or not at all. err: the system's reason.
JD_MUST_USE bool play_pgn_save(const PlayGame *game, const char *path, JdInstant now, JdErr *err);

typedef struct PlayOpened {
    uint64_t games;          // in the file
    bool is_cut;             // damaged: opened up to the fault
    bool is_over_before_end; // the Laws ended it before the moves of the file did
    bool has_problem;        // problem says where and what
    ChessPgnProblem problem;
} PlayOpened;

// Opens a game of a file, the first being number 1. False: nothing was opened; report.problem says
// where the fault is when has_problem is set, else err has the system's reason or, with code 0,
// there is no such game.
JD_MUST_USE bool play_pgn_open(PlayGame *game, const char *path, uint64_t number, JdInstant now,
                               PlayOpened *report, JdErr *err);

#endif
