// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a move text says, before any position is asked.
#ifndef CHESS_NOTATION_WORDS_H
#define CHESS_NOTATION_WORDS_H

#include <jadoube/notation.h>

enum { CASTLE_NONE = 0, CASTLE_KINGSIDE = 1, CASTLE_QUEENSIDE = 2 };
enum { SIGN_NONE = 0, SIGN_CHECK = 1, SIGN_MATE = 2 };

typedef struct MoveWords {
    uint32_t needed;   // tolerances the form of the text needs
    uint8_t kind;      // ChessKind; CHESS_NO_KIND: squares only, any piece may be meant
    uint8_t castle;    // CASTLE_*
    int8_t from_file;  // 0 to 7, or -1 when not said
    int8_t from_rank;  // 0 to 7, or -1 when not said
    uint8_t to;        // ChessSquare
    uint8_t promotion; // ChessKind, or CHESS_NO_KIND when not said
    uint8_t sign;      // SIGN_*
    bool says_capture; // an x was written
    bool hyphen;       // a hyphen was written
} MoveWords;

typedef struct WordsStyle {
    uint8_t language; // ChessLanguage
    bool lower_case;  // the piece letter at the start is a small one
    uint32_t allowed; // tolerances that decide between readings
} WordsStyle;

// Reads a text by the grammar of specification section 8.4 with every liberty a ChessTolerance
// names, and says which it needed. On failure err names what was found and expected.
bool chess_words_parse(JdStr text, const WordsStyle *style, MoveWords *out, JdErr *err);

// Which of the allowed tolerances a reading lacks, as an error; true when it lacks none.
bool chess_tolerances_suffice(uint32_t needed, uint32_t allowed, ChessMoveFault fault, JdErr *err);

#endif
