// SPDX-License-Identifier: GPL-3.0-or-later
//
// Memory for one game that grows to a limit and is used again for the next.
#ifndef CLI_PGN_TEXT_H
#define CLI_PGN_TEXT_H

#include <jadoube/base.h>

typedef struct PgnText {
    char *data;
    size_t size;
    size_t capacity;
    size_t limit;
    bool overflowed; // something was dropped since the last clearing
} PgnText;

// Appends, or sets overflowed when the limit or the memory does not allow it.
void pgn_text_add(PgnText *text, JdStr bytes);
// Drops the first size bytes.
void pgn_text_drop(PgnText *text, size_t size);
void pgn_text_clear(PgnText *text);
void pgn_text_free(PgnText *text);

#endif
