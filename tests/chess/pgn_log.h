// SPDX-License-Identifier: GPL-3.0-or-later
//
// A PGN visitor that writes down what it is told, for comparing.
#ifndef TESTS_CHESS_PGN_LOG_H
#define TESTS_CHESS_PGN_LOG_H

#include <jadoube/pgn.h>

typedef struct PgnLog {
    size_t size;
    bool in_game;
    bool in_comment;
    uint64_t games;
    uint64_t damaged;
    uint64_t problems;
    uint64_t digest;         // of the whole log, also of what the text cannot hold
    uint64_t problem_digest; // of the problems alone
    ChessPgnProblem last;    // the last problem
    char text[8192];         // the beginning of the log
} PgnLog;

// Reads a file in pieces with room for so many lines of play (0: moves are not checked). The log
// stands in static memory until the next call.
const PgnLog *pgn_log(JdStr file, size_t piece, size_t line_count, ChessEncoding encoding);
const PgnLog *pgn_log_with(const ChessPgnOptions *options, JdStr file, size_t piece);

#endif
