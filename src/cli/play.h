// SPDX-License-Identifier: GPL-3.0-or-later
//
// The faces of `jadoube play`.
#ifndef CLI_PLAY_H
#define CLI_PLAY_H

#include "cli/play_table.h"

// Lines in and out, until quit or the end of the input. Returns the exit code.
int play_lines(PlayTable *table);
// The screen. Returns the exit code; -1: this terminal cannot show it.
int play_screen(PlayTable *table);

#endif
