// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/dead_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Between two looks at the clock.
#define NODES_AT_A_TIME 4096
#define LINE_FIRST_CAPACITY 4096
// Work memory grows by this factor.
#define GROWTH 8

uint64_t cli_dead_now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static bool grow(CliDead *dead, size_t size) {
    unsigned char *memory = aligned_alloc(16, size);
    if (memory == NULL)
        return false;
    free(dead->memory);
    dead->memory = memory;
    dead->memory_size = size;
    return true;
}

bool cli_dead_open(CliDead *dead) {
    dead->memory = NULL;
    bool enough = grow(dead, DEAD_MEMORY_SMALL);
    for (int color = 0; color < 2; color++) {
        dead->line_capacity[color] = LINE_FIRST_CAPACITY;
        dead->lines[color] = malloc(LINE_FIRST_CAPACITY * sizeof dead->lines[color][0]);
        enough = enough && dead->lines[color] != NULL;
    }
    if (enough)
        return true;
    fprintf(stderr, "jadoube: no memory\n");
    cli_dead_close(dead);
    return false;
}

void cli_dead_close(CliDead *dead) {
    free(dead->memory);
    free(dead->lines[0]);
    free(dead->lines[1]);
    *dead = (CliDead) { 0 };
}

static void keep_line(CliDead *dead, DeadJob *job, const DeadAnswer *answer) {
    const int color = answer->winner;
    if (answer->line_size > dead->line_capacity[color]) {
        ChessMove *line = realloc(dead->lines[color], answer->line_size * sizeof line[0]);
        if (line != NULL) {
            dead->lines[color] = line;
            dead->line_capacity[color] = answer->line_size;
        }
    }
    dead_job_line(job, dead->lines[color], dead->line_capacity[color]);
}

CliDeadAnswer cli_dead_ask(CliDead *dead, const ChessPosition *pos, ChessColor winner) {
    const uint64_t begin = cli_dead_now_ns();
    CliDeadAnswer result = { 0 };
    for (;;) {
        const uint64_t limit = dead->nodes != 0 ? dead->nodes : UINT64_MAX;
        DeadJob *job = dead_job_begin(pos, winner, limit, dead->memory, dead->memory_size);
        DeadAnswer answer = dead_job_run(job, 0);
        while (answer.verdict == DEAD_UNKNOWN && !answer.out_of_memory && answer.nodes < limit) {
            result.out_of_time = dead->time_ms != 0 &&
                                 cli_dead_now_ns() - begin >= dead->time_ms * UINT64_C(1000000);
            if (result.out_of_time)
                break;
            const uint64_t left = limit - answer.nodes;
            answer = dead_job_run(job, left < NODES_AT_A_TIME ? left : NODES_AT_A_TIME);
        }
        result.answer = answer;
        if (answer.verdict == DEAD_POSSIBLE)
            keep_line(dead, job, &answer);
        const uint64_t wanted = (uint64_t)dead->memory_size * GROWTH;
        const uint64_t size = wanted < dead->memory_limit ? wanted : dead->memory_limit;
        if (!answer.out_of_memory || size <= dead->memory_size ||
            !grow(dead, (size_t)size & ~(size_t)15))
            break;
    }
    result.nanoseconds = cli_dead_now_ns() - begin;
    return result;
}
