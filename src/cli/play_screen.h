// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: what the screen of `jadoube play` remembers, and its drawing.
#ifndef CLI_PLAY_SCREEN_H
#define CLI_PLAY_SCREEN_H

#include "cli/play_table.h"

#define PLAY_SCREEN_LINES 24
#define PLAY_SCREEN_COLUMNS 80
#define PLAY_MESSAGES 256
#define PLAY_INPUT_SIZE 512

typedef struct PlayScreen {
    PlayTable *table;
    char messages[PLAY_MESSAGES][PLAY_LINE_SIZE / 2]; // a ring
    uint32_t message_count;
    char input[PLAY_INPUT_SIZE];
    size_t input_size;
    ChessSquare cursor;   // walked by arrows
    ChessSquare selected; // CHESS_NO_SQUARE: none
    bool shows_page;      // the messages from page_from on fill the screen
    uint32_t page_from;
    uint32_t page_skipped; // lines scrolled away
    bool has_colors;
} PlayScreen;

// Where things stand on a window of that size.
typedef struct PlayLayout {
    int square_lines;
    int square_columns;
    int board_line;
    int board_column;
    int list_column;
    int message_line;
    int message_lines;
} PlayLayout;
// False: the window is too small.
JD_MUST_USE bool play_layout(PlayLayout *out);

void play_draw_begin(PlayScreen *screen); // colours
void play_draw(PlayScreen *screen);
// The square at a place of the window, or CHESS_NO_SQUARE.
ChessSquare play_square_at(const PlayScreen *screen, int line, int column);
// Lines a text takes in that width.
uint32_t play_wrapped_lines(const char *text, int columns);

#endif
