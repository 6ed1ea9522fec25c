// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: a child process that speaks lines. Sockets instead of pipes, so that writing to one that
// has died is an error and no signal.
#ifndef JADOUBE_ENGINE_PROCESS_H
#define JADOUBE_ENGINE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <jadoube/base.h>

#define PROCESS_LINE_MAX 8192 // a longer line is cut; its rest is thrown away

typedef struct Process {
    pid_t pid; // 0: none
    int fd;
    char *out; // what waits to be written
    size_t out_size;
    size_t out_capacity;
    char in[PROCESS_LINE_MAX];
    size_t in_size;
    bool skipping;     // the rest of a line that was too long
    uint64_t in_bytes; // read since the counter was last set to 0
} Process;

typedef struct ProcessLimits {
    uint32_t memory_mib;
    int nice;
} ProcessLimits;

// Starts program (a path) without arguments, in a process group of its own, that dies with us, its
// standard error thrown away and every other descriptor closed. False: err says why.
JD_MUST_USE bool process_start(Process *process, const char *program, const ProcessLimits *limits,
                               JdErr *err);
// Sends a line, or keeps what the pipe does not take. False: it is dead or has not read for long.
JD_MUST_USE bool process_send(Process *process, JdStr line);
// Writes what waits. False: it is dead.
JD_MUST_USE bool process_flush(Process *process);
// Reads what is there into the line buffer. False: it has closed its output, or is dead.
JD_MUST_USE bool process_read(Process *process);
// Takes the next whole line out of the buffer; the view is valid until the next call.
JD_MUST_USE bool process_line(Process *process, JdStr *out);
// Kills it (and its group), waits for it, closes everything.
void process_kill(Process *process);
// Whether it has ended by itself; then it is waited for, closed and forgotten.
bool process_ended(Process *process);

#endif
