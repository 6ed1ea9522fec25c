// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads the table files of this module: lines, times, positions, moves as people write them.
#ifndef JADOUBE_TESTS_LAWS_SCENARIO_H
#define JADOUBE_TESTS_LAWS_SCENARIO_H

#include "../check.h"

#include <jadoube/laws.h>

// A whole table file of tests/data/laws in memory; ends the test when it cannot be read.
char *table_read(const char *name);
// The next line that is neither empty nor a comment, trimmed; false at the end. *number counts.
bool table_line(JdStr *rest, JdStr *line, int *number);

// "1:29:55.250", "0:05", "5": hours, minutes and seconds with up to three decimals.
bool parse_time(JdStr text, int64_t *ms);
// Writes a time as the tables have it.
void write_time(int64_t ms, char out[32]);

// A FEN with four or six fields.
bool parse_position(JdStr text, ChessPosition *pos);

// A move by its SAN with or without x, + and #; by UCI; or "raw:e2e5", legal or not.
ChessMove parse_move(JdStr text, const ChessPosition *pos);

// The position with colours and ranks exchanged; with files exchanged. Castling rights must be
// none.
ChessPosition mirror_colors(const ChessPosition *pos);
ChessPosition mirror_files(const ChessPosition *pos);

#endif
