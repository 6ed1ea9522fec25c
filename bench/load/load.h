// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the parts of jadoube-load share.
#ifndef JADOUBE_BENCH_LOAD_H
#define JADOUBE_BENCH_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "histogram.h"

typedef struct Options {
    char host[64];
    int port;
    int games;
    int people;            // 0: as many as the games need
    int watchers;          // connections of guests, each at WATCHED_PER_CONNECTION games
    int computers;         // games against the computer
    int level;             // of the computer
    double seconds;        // of measuring
    double warm_up;        // seconds of play before it
    double every;          // seconds from a move of a game to the next
    double reconnects;     // connections of players broken and made anew in a second
    int64_t p99_max_us;    // 0: no bound
    int server;            // process id, 0: not told
    const char *floor_dir; // where a small durable write is timed; NULL: it is not
    int soak;              // minutes; 0: no soak
    int idle;              // connections that do nothing; 0: games are played
    double kib_max;        // of memory for each of them; 0: no bound
    bool tls;
    bool echo;
    int echo_connections;
    int echo_bytes;
    int echo_core; // processor of its server; -1: any
} Options;

// Instants of the driver, in microseconds.
int64_t load_now_us(void);

// What a process has used: seconds of processor, KiB of memory. False when it is not there.
typedef struct Usage {
    double cpu_s;
    int64_t rss_kib;
} Usage;
bool load_usage(int process, Usage *out);

void load_print_head(void);
void load_print_row(const char *name, const Histogram *histogram);

// ---- people.c: by HTTP, before anything is measured ---------------------------------------------

#define COOKIE_SIZE 160

// Registers so many people at once; false (said on stderr) when one is refused.
bool people_register(const Options *options, int count, char (*cookies)[COOKIE_SIZE]);
// Guests, each with a game against the computer in which he has White.
bool people_begin_computers(const Options *options, int count, char (*cookies)[COOKIE_SIZE],
                            char (*games)[16]);
// One more, for a guest whose game is over; any thread.
bool people_begin_computer(const Options *options, const char *cookie, char game[16]);

// ---- play.c, echo.c and idle.c: the program's status
// ---------------------------------------------

int play_run(const Options *options);
int echo_run(const Options *options);
int idle_run(const Options *options);

#endif
