// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asking who can still mate from the command line: work memory that grows as a question needs it,
// time limits, lines as text.
#ifndef CLI_DEAD_TEXT_H
#define CLI_DEAD_TEXT_H

#include <jadoube/dead.h>

#include <stdbool.h>
#include <stdint.h>

typedef struct CliDead {
    uint64_t nodes;        // limit for each side; 0: none
    uint64_t time_ms;      // likewise
    uint64_t memory_limit; // bytes that may be taken
    unsigned char *memory; // grows up to that
    size_t memory_size;
    ChessMove *lines[2]; // by winner: the helpmate of the last possible answer
    uint32_t line_capacity[2];
} CliDead;

typedef struct CliDeadAnswer {
    DeadAnswer answer;
    uint64_t nanoseconds;
    bool out_of_time;
} CliDeadAnswer;

#define CLI_DEAD_MEMORY_MB 1024

// False (after a message) when there is no memory at all.
bool cli_dead_open(CliDead *dead);
void cli_dead_close(CliDead *dead);
// Asks for one side; tries again with more memory while there is some.
CliDeadAnswer cli_dead_ask(CliDead *dead, const ChessPosition *pos, ChessColor winner);
uint64_t cli_dead_now_ns(void);

#endif
