// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube-load: many people play on a running server, and what they wait for is measured.
#include <curl/curl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "load.h"
#include "soak.h"

static const char usage[] =
    "usage: jadoube-load --port PORT [options]      games on a running server\n"
    "       jadoube-load --echo [options]           bare libwebsockets, to compare with\n"
    "       jadoube-load --port PORT --idle N --server PID   memory of connections that do "
    "nothing\n"
    "\n"
    "The server must run with --captcha off --rate-limits off, and on a database of its own.\n"
    "\n"
    "  --host ADDRESS       where the server is (127.0.0.1)\n"
    "  --games N            games between people (1000)\n"
    "  --every S            seconds from a move of a game to the next (5)\n"
    "  --seconds S          of measuring (20), after --warm-up S (5)\n"
    "  --people N           accounts (one for each eight games)\n"
    "  --watchers N         connections that watch ten games each (0)\n"
    "  --computers N        games against the computer beside (0), at --level L (8)\n"
    "  --reconnects N       connections of players broken in a second (0)\n"
    "  --server PID         says what the server used\n"
    "  --floor DIR          times a small durable write there in the same run\n"
    "  --p99-max MS         ends with 1 when the 99th percentile from due to echo is above\n"
    "  --soak MINUTES       a line a minute; ends with 1 when memory or the median grow;\n"
    "                       beside the games a lobby that changes and readers that do not read\n"
    "  --kib-max KIB        of --idle: ends with 1 when a connection takes more\n"
    "  --tls                by TLS, whatever the certificate\n"
    "  --connections N, --bytes N   of --echo (1000, 120)\n"
    "  --core N             processor of the echo server (any)\n";

int64_t load_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

bool load_usage(int process, Usage *out) {
    char path[64];
    char line[1024];
    unsigned long user = 0;
    unsigned long system = 0;
    long pages = 0;
    snprintf(path, sizeof(path), "/proc/%d/stat", process);
    FILE *file = process == 0 ? NULL : fopen(path, "r");
    if (file == NULL)
        return false;
    const bool read = fgets(line, sizeof(line), file) != NULL;
    fclose(file);
    // The name, which may hold anything, ends at the last bracket; fields 14, 15 and 24 of proc(5).
    const char *rest = read ? strrchr(line, ')') : NULL;
    if (rest == NULL ||
        sscanf(rest,
               ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %*u "
               "%*u %ld",
               &user, &system, &pages) != 3)
        return false;
    out->cpu_s = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    out->rss_kib = (int64_t)pages * (sysconf(_SC_PAGESIZE) / 1024);
    return true;
}

void load_print_head(void) {
    printf("%-26s%10s%9s%9s%9s%9s%9s  ms\n", "", "count", "p50", "p90", "p99", "p99.9", "worst");
}

void load_print_row(const char *name, const Histogram *histogram) {
    static const double shares[] = { 0.5, 0.9, 0.99, 0.999, 1 };
    printf("%-26s%10llu", name, (unsigned long long)histogram->count);
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
        printf("%9.2f", (double)histogram_at(histogram, shares[i]) / 1000);
    printf("\n");
}

// As many descriptors as the system gives.
static void raise_descriptors(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

enum {
    HOST = 1,
    PORT,
    GAMES,
    EVERY,
    SECONDS,
    WARM_UP,
    PEOPLE,
    WATCHERS,
    COMPUTERS,
    LEVEL,
    RECONNECTS,
    SERVER,
    FLOOR,
    P99_MAX,
    ECHO,
    CONNECTIONS,
    BYTES,
    CORE,
    SOAK,
    IDLE,
    KIB_MAX,
    TLS,
    HELP,
};

static const struct option names[] = {
    { "host", required_argument, NULL, HOST },
    { "port", required_argument, NULL, PORT },
    { "games", required_argument, NULL, GAMES },
    { "every", required_argument, NULL, EVERY },
    { "seconds", required_argument, NULL, SECONDS },
    { "warm-up", required_argument, NULL, WARM_UP },
    { "people", required_argument, NULL, PEOPLE },
    { "watchers", required_argument, NULL, WATCHERS },
    { "computers", required_argument, NULL, COMPUTERS },
    { "level", required_argument, NULL, LEVEL },
    { "reconnects", required_argument, NULL, RECONNECTS },
    { "server", required_argument, NULL, SERVER },
    { "floor", required_argument, NULL, FLOOR },
    { "p99-max", required_argument, NULL, P99_MAX },
    { "echo", no_argument, NULL, ECHO },
    { "connections", required_argument, NULL, CONNECTIONS },
    { "bytes", required_argument, NULL, BYTES },
    { "core", required_argument, NULL, CORE },
    { "soak", required_argument, NULL, SOAK },
    { "idle", required_argument, NULL, IDLE },
    { "kib-max", required_argument, NULL, KIB_MAX },
    { "tls", no_argument, NULL, TLS },
    { "help", no_argument, NULL, HELP },
    { NULL, 0, NULL, 0 },
};

// Where a whole number of an option goes, and what it may be.
static bool read_number(Options *options, int name, double value) {
    const struct {
        int name;
        int *into;
        double least;
        double most;
    } numbers[] = {
        { PORT, &options->port, 1, 65535 },
        { GAMES, &options->games, 0, 200000 },
        { PEOPLE, &options->people, 2, 100000 },
        { WATCHERS, &options->watchers, 0, 100000 },
        { COMPUTERS, &options->computers, 0, 1000 },
        { LEVEL, &options->level, 1, 99 },
        { SERVER, &options->server, 1, 1e9 },
        { CONNECTIONS, &options->echo_connections, 1, 100000 },
        { BYTES, &options->echo_bytes, 1, 1024 },
        { CORE, &options->echo_core, 0, 1023 },
        { SOAK, &options->soak, 1, SOAK_MINUTES_MAX },
        { IDLE, &options->idle, 1, 100000 },
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        if (numbers[i].name != name)
            continue;
        if (value < numbers[i].least || value > numbers[i].most || value != (double)(int)value)
            return false;
        *numbers[i].into = (int)value;
        return true;
    }
    if (name == P99_MAX)
        options->p99_max_us = (int64_t)(value * 1000);
    else if (name == KIB_MAX)
        options->kib_max = value;
    else if (name == EVERY)
        options->every = value;
    else if (name == SECONDS)
        options->seconds = value;
    else if (name == WARM_UP)
        options->warm_up = value;
    else
        options->reconnects = value;
    return value >= (name == SECONDS || name == EVERY ? 0.01 : 0) && value <= 1e6;
}

static bool read_options(int argc, char **argv, Options *options) {
    int name;
    while ((name = getopt_long(argc, argv, "", names, NULL)) != -1) {
        char *end = NULL;
        if (name == '?')
            return false;
        if (name == HELP) {
            fputs(usage, stdout);
            exit(0);
        }
        if (name == ECHO)
            options->echo = true;
        else if (name == TLS)
            options->tls = true;
        else if (name == FLOOR)
            options->floor_dir = optarg;
        else if (name == HOST)
            snprintf(options->host, sizeof(options->host), "%s", optarg);
        else if (!read_number(options, name, strtod(optarg, &end)) || end == optarg ||
                 *end != '\0') {
            fprintf(stderr, "jadoube-load: \"%s\" is no value for this option\n", optarg);
            return false;
        }
    }
    return optind == argc && (options->echo || options->port > 0) &&
           (options->echo || options->games + options->computers + options->idle > 0);
}

int main(int argc, char **argv) {
    Options options = {
        .host = "127.0.0.1",
        .games = 1000,
        .level = 8,
        .seconds = 20,
        .warm_up = 5,
        .every = 5,
        .echo_connections = 1000,
        .echo_bytes = 120,
        .echo_core = -1,
    };
    if (!read_options(argc, argv, &options)) {
        fputs(usage, stderr);
        return 2;
    }
    raise_descriptors();
    curl_global_init(CURL_GLOBAL_DEFAULT);
    if (options.soak > 0)
        options.seconds = options.soak * 60;
    return options.echo       ? echo_run(&options)
           : options.idle > 0 ? idle_run(&options)
                              : play_run(&options);
}
