// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the writer and the reader of notation share: letters of the languages and departure detail.
#ifndef CHESS_NOTATION_TABLES_H
#define CHESS_NOTATION_TABLES_H

#include <jadoube/notation.h>

#include "chess/bits.h"

// Letters by ChessKind in UTF-8; "" for none.
typedef struct LanguageRow {
    const char *code;
    const char *name;
    char letters[7][5];
} LanguageRow;

#pragma GCC visibility push(hidden)
extern const LanguageRow chess_languages[CHESS_LANGUAGE_COUNT];
#pragma GCC visibility pop

enum { DETAIL_NONE = 0, DETAIL_FILE = 1, DETAIL_RANK = 2, DETAIL_BOTH = 3 };

// The departure detail the PGN standard (8.2.3.4) asks for: none when from is alone, else its file
// when no other stands on it, else its rank, else both. candidates: all that can legally arrive,
// from included.
JD_ALWAYS_INLINE int detail_needed(uint64_t candidates, int from) {
    const uint64_t others = candidates & ~bit(from);
    if (others == 0)
        return DETAIL_NONE;
    if ((others & (FILE_A << (from & 7))) == 0)
        return DETAIL_FILE;
    return (others & (RANK_1 << (from & 56))) == 0 ? DETAIL_RANK : DETAIL_BOTH;
}

#endif
