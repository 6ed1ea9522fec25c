// SPDX-License-Identifier: GPL-3.0-or-later
//
// The game kept after each move, so that a crash loses nothing (L-017): a PGN file for each running
// program in $XDG_STATE_HOME/jadoube, else ~/.local/state/jadoube.
#ifndef CLI_PLAY_STORE_H
#define CLI_PLAY_STORE_H

#include <jadoube/base.h>

#define PLAY_PATH_SIZE 1024

// The file of this program; its folder is made. False: err has the system's reason, out the path.
JD_MUST_USE bool play_store_own(char out[PLAY_PATH_SIZE], JdErr *err);
// A file whose program is no more; false when there is none.
JD_MUST_USE bool play_store_lost(char out[PLAY_PATH_SIZE]);

#endif
