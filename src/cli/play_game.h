// SPDX-License-Identifier: GPL-3.0-or-later
//
// A local game (play/play.h) with memory of its own.
#ifndef CLI_PLAY_GAME_H
#define CLI_PLAY_GAME_H

#include "play/play.h"

// Begins a game. err: why the setup is not sound. Takes memory until play_game_close.
JD_MUST_USE bool play_game_open(PlayGame *game, const PlaySetup *setup, JdInstant now, JdErr *err);
void play_game_close(PlayGame *game);

// The memory alone, for a game that is begun otherwise; give it back by play_means_close.
JD_MUST_USE bool play_means_open(PlayMeans *means, JdErr *err);
void play_means_close(PlayMeans *means);

#endif
