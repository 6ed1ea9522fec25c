// SPDX-License-Identifier: GPL-3.0-or-later
//
// The terminal as it was: remembered before the screen begins, given back at every way out, also
// when a signal or a fault ends the program.
#ifndef CLI_PLAY_TERMINAL_H
#define CLI_PLAY_TERMINAL_H

#include <stdbool.h>

// Before ncurses touches the terminal.
bool play_terminal_remember(void);
// After ncurses has begun: from now on a deadly signal gives the terminal back first.
void play_terminal_guard(void);
// The signals are as they were; called when ncurses has ended.
void play_terminal_release(void);

#endif
