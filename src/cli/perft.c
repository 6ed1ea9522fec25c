// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube perft: counts the legal lines of a position, on several threads if asked.
#include "cli/cli.h"

#include <jadoube/chess.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/position_argument.h"

static const char usage[] =
    "usage: jadoube perft [--threads N] [--hash MiB] [--divide] [--chess960] DEPTH [FEN]\n"
    "\n"
    "Counts the lines of exactly DEPTH legal plies from FEN (the start position when left out).\n"
    "\n"
    "  --threads N    count on N threads, 1 to 256 (default 1)\n"
    "  --hash MiB     remember what was counted in so much memory, 1 to 65536 (default: none)\n"
    "  --divide       print the count below each first move as well\n"
    "  --chess960     write castling as king takes rook\n"
    "\n"
    "The last line of the output is \"nodes N\".\n";

enum { THREADS_MAX = 256, HASH_MIB_MAX = 65536, JOBS_MAX = CHESS_MOVES_MAX * CHESS_MOVES_MAX };

typedef struct Options {
    int threads;
    int hash_mib;
    bool divide;
    bool chess960;
    int depth;
} Options;

// One subtree: the position after one or two plies, and the first move it belongs to.
typedef struct Job {
    ChessPosition pos;
    int first;
    uint64_t nodes;
} Job;

typedef struct Work {
    Job *jobs;
    int count;
    int depth; // left below each job
    ChessPerftEntry *entries;
    size_t capacity;
    atomic_int next;
} Work;

static void *worker(void *context) {
    Work *work = context;
    for (;;) {
        const int index = atomic_fetch_add(&work->next, 1);
        if (index >= work->count)
            return NULL;
        Job *job = &work->jobs[index];
        job->nodes = work->entries != NULL
                         ? chess_perft_hashed(&job->pos, work->depth, work->entries, work->capacity)
                         : chess_perft(&job->pos, work->depth);
    }
}

static void run(Work *work, int threads) {
    pthread_t started[THREADS_MAX];
    int count = 0;
    while (count < threads - 1 && pthread_create(&started[count], NULL, worker, work) == 0)
        count++;
    worker(work); // this thread works as well, and alone where no other could be started
    for (int i = 0; i < count; i++)
        pthread_join(started[i], NULL);
}

// Cuts the tree into jobs; many small ones keep the threads equally busy to the end.
static void cut(Work *work, const ChessPosition *pos, const ChessMoveList *first, bool two_plies) {
    for (int i = 0; i < first->count; i++) {
        ChessPosition after = *pos;
        chess_move_make(&after, first->moves[i], NULL);
        if (!two_plies) {
            work->jobs[work->count++] = (Job) { .pos = after, .first = i };
            continue;
        }
        ChessMoveList replies;
        chess_moves_generate(&after, &replies);
        for (int j = 0; j < replies.count; j++) {
            Job *job = &work->jobs[work->count++];
            *job = (Job) { .pos = after, .first = i };
            chess_move_make(&job->pos, replies.moves[j], NULL);
        }
    }
}

typedef struct Division {
    char uci[CHESS_UCI_SIZE];
    uint64_t nodes;
} Division;

static int by_uci(const void *a, const void *b) {
    return strcmp(((const Division *)a)->uci, ((const Division *)b)->uci);
}

static void print_division(const ChessPosition *pos, const ChessMoveList *first,
                           const uint64_t *nodes) {
    Division rows[CHESS_MOVES_MAX];
    for (int i = 0; i < first->count; i++) {
        chess_uci_write(pos, first->moves[i], rows[i].uci);
        rows[i].nodes = nodes[i];
    }
    qsort(rows, (size_t)first->count, sizeof rows[0], by_uci);
    for (int i = 0; i < first->count; i++)
        printf("%s: %llu\n", rows[i].uci, (unsigned long long)rows[i].nodes);
}

static int count(const ChessPosition *pos, const Options *options) {
    ChessMoveList first;
    chess_moves_generate(pos, &first);
    uint64_t per_move[CHESS_MOVES_MAX] = { 0 };
    uint64_t total = options->depth == 0 ? 1 : 0;
    if (options->depth > 0) {
        const bool two_plies = options->threads > 1 && options->depth > 3;
        Work work = { .depth = options->depth - (two_plies ? 2 : 1) };
        work.jobs =
            calloc(two_plies ? (size_t)JOBS_MAX : (size_t)CHESS_MOVES_MAX, sizeof *work.jobs);
        size_t capacity =
            (size_t)options->hash_mib * ((size_t)1024 * 1024 / sizeof(ChessPerftEntry));
        while ((capacity & (capacity - 1)) != 0)
            capacity &= capacity - 1; // down to a power of two
        work.capacity = capacity;
        work.entries = capacity > 0 ? calloc(capacity, sizeof *work.entries) : NULL;
        if (work.jobs == NULL || (capacity > 0 && work.entries == NULL)) {
            fprintf(stderr, "jadoube perft: not enough memory\n");
            free(work.jobs);
            free(work.entries);
            return 1;
        }
        cut(&work, pos, &first, two_plies);
        run(&work, options->threads);
        for (int i = 0; i < work.count; i++) {
            per_move[work.jobs[i].first] += work.jobs[i].nodes;
            total += work.jobs[i].nodes;
        }
        free(work.jobs);
        free(work.entries);
    }
    if (options->divide && options->depth > 0)
        print_division(pos, &first, per_move);
    printf("nodes %llu\n", (unsigned long long)total);
    return 0;
}

static int wrong(const char *what, const char *argument) {
    fprintf(stderr, "jadoube perft: %s%s%s\n%s", what, argument != NULL ? ": " : "",
            argument != NULL ? argument : "", usage);
    return 2;
}

static bool parse_number(const char *text, int lowest, int highest, int *out) {
    uint64_t value = 0;
    if (text == NULL || !jd_parse_u64(jd_str(text), (uint64_t)highest, &value) ||
        value < (uint64_t)lowest)
        return false;
    *out = (int)value;
    return true;
}

int cli_perft(int argc, char **argv) {
    Options options = { .threads = 1, .depth = -1 };
    int at = 1;
    for (; at < argc && argv[at][0] == '-' && argv[at][1] != '\0'; at++) {
        const char *name = argv[at];
        const char *value = at + 1 < argc ? argv[at + 1] : NULL;
        if (strcmp(name, "--help") == 0) {
            fputs(usage, stdout);
            return 0;
        }
        if (strcmp(name, "--divide") == 0) {
            options.divide = true;
        } else if (strcmp(name, "--chess960") == 0) {
            options.chess960 = true;
        } else if (strcmp(name, "--threads") == 0) {
            if (!parse_number(value, 1, THREADS_MAX, &options.threads))
                return wrong("--threads wants a number from 1 to 256", value);
            at++;
        } else if (strcmp(name, "--hash") == 0) {
            if (!parse_number(value, 1, HASH_MIB_MAX, &options.hash_mib))
                return wrong("--hash wants a number of MiB from 1 to 65536", value);
            at++;
        } else {
            return wrong("unknown option", name);
        }
    }
    if (at == argc)
        return wrong("DEPTH is missing", NULL);
    if (!parse_number(argv[at], 0, CHESS_PERFT_DEPTH_MAX, &options.depth))
        return wrong("DEPTH is a number from 0 to 64", argv[at]);
    at++;

    ChessPosition pos = chess_position_start();
    if (at < argc) {
        char text[CHESS_FEN_TEXT_MAX + 2];
        const JdStr fen = cli_join_arguments(argv + at, argc - at, text, sizeof text);
        JdErr err = { 0 };
        if (!chess_fen_parse(fen, &pos, &err)) {
            cli_show_fault("jadoube perft", fen, &err);
            return 1;
        }
    }
    if (options.chess960)
        pos.is_chess960 = 1;
    return count(&pos, &options);
}
