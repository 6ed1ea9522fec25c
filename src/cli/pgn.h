// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the verbs of `jadoube pgn` share: input files, packed or not, problems told, numbers read.
#ifndef CLI_PGN_H
#define CLI_PGN_H

#include <jadoube/pgn.h>

#include <getopt.h>
#include <stdio.h>

// Exit codes of all verbs.
enum {
    PGN_EXIT_SOUND = 0,   // done; every game was sound
    PGN_EXIT_DAMAGED = 1, // done as far as possible; damaged games were reported
    PGN_EXIT_USAGE = 2,
    PGN_EXIT_IO = 3, // a file could not be read or written
};

// Levels of play that are followed: the main line and variations in it.
#define PGN_LINES 64
// The text of one game that is kept to be written again.
#define PGN_GAME_TEXT_MAX ((size_t)64 << 20)

// One run over files.
typedef struct PgnRun {
    const char *verb;        // for messages: "check"
    ChessPgnOptions options; // language, encoding, exact ...; buffer and lines are given by pgn_run
    ChessPgnVisitor visitor;
    void *context;
    bool checks_moves; // follow the moves on the board
    bool no_progress;
    bool quiet;        // problems are counted, not told
    bool json;         // problems as JSON lines
    FILE *problems_to; // stdout or stderr
    // Sees the bytes of the file before the reader does, unpacked; may be NULL.
    void (*bytes)(void *context, JdStr bytes);
    // The file has been read, the reader has not been finished; may be NULL.
    void (*file_begin)(void *context, const char *name, const ChessPgnReader *reader);

    // What the run found.
    const char *file; // being read
    uint64_t games;
    uint64_t damaged;
    uint64_t warnings;
    bool io_failed;
    bool progress_shown;   // a bar stands on the terminal
    ChessPgnVisitor inner; // the caller's visitor, which the counting one calls
} PgnRun;

// Reads the files (none: standard input) through the run's visitor. Returns the exit code so far.
int pgn_run(PgnRun *run, int count, char **files);
// Tells a warning of the command line's own in the form of the reader's problems.
void pgn_tell(PgnRun *run, const char *name, bool damages, uint64_t game, uint64_t line,
              const char *text);

// Options that all verbs know: give them to getopt_long behind the verb's own and hand on what it
// returns. --help is answered (exit 0) by pgn_option_common returning false with *exit_code set.
#define PGN_COMMON_OPTIONS                                                                         \
    { "encoding", required_argument, NULL, 1000 }, { "language", required_argument, NULL, 1001 },  \
        { "no-progress", no_argument, NULL, 1002 }, { "help", no_argument, NULL, 1003 }, {         \
        NULL, 0, NULL, 0                                                                           \
    }
bool pgn_option_common(PgnRun *run, int option, const char *usage, int *exit_code);
extern const char pgn_common_usage[];

// A number from 0 to max of an option; tells what is wrong.
bool pgn_option_number(const char *verb, const char *option, const char *text, uint64_t max,
                       uint64_t *out);

int pgn_check(int argc, char **argv);
int pgn_convert(int argc, char **argv);
int pgn_fens(int argc, char **argv);
int pgn_filter(int argc, char **argv);
int pgn_stats(int argc, char **argv);

#endif
