// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the parts of the PGN reader work together: pgn_reader.c keeps buffer, place and game;
// pgn_text.c reads tags and comments; pgn_moves.c reads movetext and plays it.
#ifndef CHESS_PGN_READER_H
#define CHESS_PGN_READER_H

#include <jadoube/pgn.h>

// What the reader is in the middle of.
enum {
    PGN_IN_TEXT = 0,
    PGN_IN_BRACES = 1,   // { comment }
    PGN_IN_LINE = 2,     // ; comment
    PGN_IN_ESCAPE = 3,   // % line
    PGN_SKIPS_LINE = 4,  // the rest of a line that was reported
    PGN_SKIPS_WORD = 5,  // the rest of a word that was reported
    PGN_IN_RESERVED = 6, // < ... >
};

// What the Variant tag says.
enum { PGN_STANDARD = 0, PGN_CHESS960 = 1, PGN_OTHER_VARIANT = 2 };

enum { PGN_NOT_DEAD = INT32_MAX };

// How much text there is.
typedef enum PgnSupply {
    PGN_MORE_COMES = 0, // what seems cut may go on
    PGN_FULL = 1,       // the buffer holds nothing but the present token
    PGN_LAST = 2,       // the end of the file
} PgnSupply;

// Bytes behind the text that may be read (they are NUL) and in front of it (the byte before, if
// any).
enum { PGN_PADDING = 64, PGN_FRONT = 32 };

// Nothing at this depth is handed on: a fault, the visitor, or skip_variations said so.
JD_ALWAYS_INLINE bool chess_pgn_is_dead(const ChessPgnReader *reader) {
    return reader->depth >= reader->dead_depth;
}

#pragma GCC visibility push(hidden)

// Reports a fault found at a byte of the buffer. One that damages ends the line of play (a
// variation or the game) it stands in.
void chess_pgn_report(ChessPgnReader *reader, ChessPgnFault fault, const char *at,
                      const char *format, ...) JD_FORMAT(4, 5);
// The same without ending anything.
void chess_pgn_warn(ChessPgnReader *reader, ChessPgnFault fault, const char *at, const char *format,
                    ...) JD_FORMAT(4, 5);
// Moves the mark to at (at or behind it), so that line and offset of later places are counted from
// there.
void chess_pgn_mark(ChessPgnReader *reader, char *at);

void chess_pgn_game_begin(ChessPgnReader *reader, char *at);
void chess_pgn_game_end(ChessPgnReader *reader, char *at);
void chess_pgn_obey(ChessPgnReader *reader, ChessPgnStep step);

// Each reads from reader->at and moves it; false: more text is needed.
bool chess_pgn_read_movetext(ChessPgnReader *reader, PgnSupply supply);
bool chess_pgn_read_tag(ChessPgnReader *reader, PgnSupply supply);
bool chess_pgn_read_comment(ChessPgnReader *reader, PgnSupply supply);

// First movetext of a game: sets up the board and tells the visitor.
void chess_pgn_moves_begin(ChessPgnReader *reader);
// Makes the position at the end of the main line whole.
void chess_pgn_refresh_position(ChessPgnReader *reader);
// Closes the innermost variation.
void chess_pgn_variation_end(ChessPgnReader *reader);

#pragma GCC visibility pop

#endif
