// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves, clocks and boards as text, in the player's language and notation.
#ifndef CLI_PLAY_TEXT_H
#define CLI_PLAY_TEXT_H

#include "cli/play_table.h"

// A legal move of the position; writes a NUL.
void play_move_text(const PlayOptions *options, const ChessPosition *pos, ChessMove move,
                    char out[CHESS_SPOKEN_SIZE]);

typedef enum PlayReading {
    PLAY_READ_MOVE = 0,
    PLAY_READ_MALFORMED = 1,
    PLAY_READ_ILLEGAL = 2,
    PLAY_READ_AMBIGUOUS = 3,
    PLAY_READ_PROMOTION = 4, // the piece is not named
} PlayReading;
// A typed move, in the letters of the language or in English ones, long, short or as squares
// . found: the move, or those that fit; a "(=)" behind it sets the DRAW_OFFER bit of its
// tolerances.
PlayReading play_read_move(const PlayOptions *options, const ChessPosition *pos, JdStr text,
                           ChessReading *found);

// What was typed, fit to be shown: cut, without control characters or bytes that are no text.
#define PLAY_SHOWN_SIZE 128
void play_shown(JdStr text, char out[PLAY_SHOWN_SIZE]);

// "1:02:03" or "4:05"; with tenths below ten seconds.
#define PLAY_CLOCK_SIZE 24
void play_clock_text(int64_t ms, char out[PLAY_CLOCK_SIZE]);
// What stands on a square: a figurine, or with ascii a letter of the language, lower case for
// Black.
const char *play_piece_text(const PlayOptions *options, ChessPiece piece, char out[8]);
// Says the board line by line.
void play_say_board(PlayTable *table);
void play_say_moves(PlayTable *table);
void play_say_help(PlayTable *table);
void play_say_rules(PlayTable *table);

#endif
