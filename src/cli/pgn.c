// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube pgn: files of games checked, converted, filtered and counted. This file reads the files
// and tells problems; the verbs are in files of their own.
#include "cli/cli.h"

#include "cli/pgn.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/pgn_input.h"

// Memory of the reader for text, and of one piece of a file: together they stay in the second-level
// cache.
enum { BUFFER_SIZE = 128 * 1024, PIECE_SIZE = 64 * 1024 };

const char pgn_common_usage[] =
    "  --encoding=NAME  of the files: utf-8 (the default), latin-1, windows-1251\n"
    "  --language=LANG  of the piece letters read: en (the default), ru, ro, de, figurine ...\n"
    "  --no-progress    no progress bar, even on a terminal\n"
    "\n"
    "FILE is PGN, plain or packed by gzip, bzip2 or zstd; none or \"-\" is standard input.\n"
    "Exit codes: 0 done, 1 damaged games were found, 2 wrong usage, 3 a file failed.\n";

// ---- options ------------------------------------------------------------------------------------

bool pgn_option_common(PgnRun *run, int option, const char *usage, int *exit_code) {
    *exit_code = PGN_EXIT_USAGE;
    switch (option) {
    case 1000: {
        ChessEncoding encoding;
        if (!chess_encoding_find(jd_str(optarg), &encoding)) {
            fprintf(stderr,
                    "jadoube pgn %s: no encoding is called \"%s\"; there are utf-8, latin-1, "
                    "windows-1251\n",
                    run->verb, optarg);
            return false;
        }
        run->options.encoding = (uint8_t)encoding;
        return true;
    }
    case 1001: {
        ChessLanguage language;
        if (!chess_language_find(jd_str(optarg), &language)) {
            fprintf(stderr, "jadoube pgn %s: no language is called \"%s\"\n", run->verb, optarg);
            return false;
        }
        run->options.language = (uint8_t)language;
        return true;
    }
    case 1002:
        run->no_progress = true;
        return true;
    case 1003:
        printf("%s%s", usage, pgn_common_usage);
        *exit_code = PGN_EXIT_SOUND;
        return false;
    default: // getopt_long has told what is wrong
        fprintf(stderr, "\"jadoube pgn %s --help\" lists the options\n", run->verb);
        return false;
    }
}

bool pgn_option_number(const char *verb, const char *option, const char *text, uint64_t max,
                       uint64_t *out) {
    if (jd_parse_u64(jd_str(text), max, out))
        return true;
    fprintf(stderr, "jadoube pgn %s: --%s: a number from 0 to %llu expected, found \"%s\"\n", verb,
            option, (unsigned long long)max, text);
    return false;
}

// Takes the progress bar off the terminal, so that a line can stand there.
static void clear_progress(PgnRun *run) {
    if (run->progress_shown)
        fprintf(stderr, "\r%70s\r", "");
    run->progress_shown = false;
}

// ---- problems -----------------------------------------------------------------------------------

static void tell_json(PgnRun *run, const char *name, bool damages, const ChessPgnProblem *problem) {
    char line[4096];
    JdOut out = jd_out(line, sizeof line);
    size_t valid = 0;
    const bool is_utf8 = jd_utf8_valid(jd_str(run->file), &valid);
    jd_out_cstr(&out, "{\"file\":");
    jd_out_json(&out, is_utf8 ? jd_str(run->file) : jd_str_n(run->file, valid));
    jd_out_cstr(&out, ",\"game\":");
    jd_out_u64(&out, problem->game);
    jd_out_cstr(&out, ",\"line\":");
    jd_out_u64(&out, problem->line);
    jd_out_cstr(&out, ",\"column\":");
    jd_out_u64(&out, problem->column);
    jd_out_cstr(&out, ",\"offset\":");
    jd_out_u64(&out, problem->offset);
    jd_out_cstr(&out, ",\"ply\":");
    jd_out_u64(&out, problem->ply);
    jd_out_cstr(&out, ",\"damages\":");
    jd_out_cstr(&out, damages ? "true" : "false");
    jd_out_cstr(&out, ",\"problem\":");
    jd_out_json(&out, jd_str(name));
    jd_out_cstr(&out, ",\"text\":");
    jd_out_json(&out, jd_str(problem->text));
    jd_out_cstr(&out, "}\n");
    fwrite(line, 1, jd_out_str(&out).size, run->problems_to);
}

static void tell(PgnRun *run, const char *name, bool damages, const ChessPgnProblem *problem) {
    run->warnings += !damages;
    if (run->quiet)
        return;
    clear_progress(run);
    if (run->json) {
        tell_json(run, name, damages, problem);
        return;
    }
    fprintf(run->problems_to, "%s:%llu:%llu: byte %llu, game %llu: %s%s: %s\n", run->file,
            (unsigned long long)problem->line, (unsigned long long)problem->column,
            (unsigned long long)problem->offset, (unsigned long long)problem->game,
            damages ? "" : "warning: ", name, problem->text);
}

void pgn_tell(PgnRun *run, const char *name, bool damages, uint64_t game, uint64_t line,
              const char *text) {
    ChessPgnProblem problem = { .game = game, .line = line, .column = 1 };
    (void)jd_format(problem.text, sizeof problem.text, "%s", text);
    tell(run, name, damages, &problem);
}

// ---- the visitor between reader and verb --------------------------------------------------------

static void on_problem(void *context, const ChessPgnProblem *problem) {
    PgnRun *run = context;
    tell(run, chess_pgn_fault_name(problem->fault), chess_pgn_fault_damages(problem->fault),
         problem);
    if (run->inner.problem != NULL)
        run->inner.problem(run->context, problem);
}

static void on_game_end(void *context, const ChessPgnGame *game) {
    PgnRun *run = context;
    run->games++;
    run->damaged += game->damaged;
    if (run->inner.game_end != NULL)
        run->inner.game_end(run->context, game);
}

static ChessPgnStep on_game_begin(void *context, uint64_t number) {
    PgnRun *run = context;
    return run->inner.game_begin(run->context, number);
}
static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    PgnRun *run = context;
    return run->inner.tag(run->context, name, value);
}
static ChessPgnStep on_tags_end(void *context, const ChessPosition *start) {
    PgnRun *run = context;
    return run->inner.tags_end(run->context, start);
}
static void on_move(void *context, const ChessPgnMove *move) {
    PgnRun *run = context;
    run->inner.move(run->context, move);
}
static void on_comment(void *context, JdStr text, bool to_line_end, bool more) {
    PgnRun *run = context;
    run->inner.comment(run->context, text, to_line_end, more);
}
static void on_nag(void *context, int nag) {
    PgnRun *run = context;
    run->inner.nag(run->context, nag);
}
static void on_escape(void *context, JdStr text, bool more) {
    PgnRun *run = context;
    run->inner.escape(run->context, text, more);
}
static ChessPgnStep on_variation_begin(void *context) {
    PgnRun *run = context;
    return run->inner.variation_begin(run->context);
}
static void on_variation_end(void *context) {
    PgnRun *run = context;
    run->inner.variation_end(run->context);
}

// ---- progress -----------------------------------------------------------------------------------

typedef struct Progress {
    bool is_shown;
    double begin_s;
    double last_s;
} Progress;

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// A line that is written over, from the second second on.
static void show_progress(Progress *progress, PgnRun *run, const PgnInput *input) {
    if (!progress->is_shown)
        return;
    const double now = now_s();
    if (now - progress->begin_s < 1 || now - progress->last_s < 0.2)
        return;
    progress->last_s = now;
    run->progress_shown = true;
    uint64_t taken = 0;
    uint64_t all = 0;
    pgn_input_progress(input, &taken, &all);
    if (all == 0) {
        fprintf(stderr, "\r%.1f MB, %llu games ", (double)taken / 1e6,
                (unsigned long long)run->games);
        return;
    }
    char bar[31] = "..............................";
    const size_t filled = (size_t)(taken >= all ? 30 : taken * 30 / all);
    memset(bar, '#', filled);
    fprintf(stderr, "\r[%s] %3u%%, %llu games ", bar,
            (unsigned)(taken >= all ? 100 : taken * 100 / all), (unsigned long long)run->games);
}

// ---- files --------------------------------------------------------------------------------------

static void fail_file(PgnRun *run, const char *error) {
    fprintf(stderr, "jadoube pgn %s: %s: %s\n", run->verb, run->file, error);
    run->io_failed = true;
}

static void read_file(PgnRun *run, const char *name, const ChessPgnOptions *options,
                      const ChessPgnVisitor *visitor, char *piece) {
    const char *error = NULL;
    run->file = name == NULL || strcmp(name, "-") == 0 ? "(standard input)" : name;
    PgnInput *input = pgn_input_open(name, &error);
    if (input == NULL) {
        fail_file(run, error);
        return;
    }
    Progress progress = { .is_shown = !run->no_progress && isatty(STDERR_FILENO),
                          .begin_s = now_s() };
    ChessPgnReader reader;
    chess_pgn_init(&reader, options, visitor, run);
    if (run->file_begin != NULL)
        run->file_begin(run->context, run->file, &reader);
    for (int count = 0;; count++) {
        const ptrdiff_t size = pgn_input_read(input, piece, PIECE_SIZE, &error);
        if (size < 0)
            fail_file(run, error);
        if (size <= 0)
            break;
        const JdStr bytes = jd_str_n(piece, (size_t)size);
        if (run->bytes != NULL)
            run->bytes(run->context, bytes);
        if (!chess_pgn_push(&reader, bytes))
            break;
        if (count % 32 == 31)
            show_progress(&progress, run, input);
    }
    chess_pgn_finish(&reader);
    clear_progress(run);
    pgn_input_close(input);
}

int pgn_run(PgnRun *run, int count, char **files) {
    static unsigned char buffer[BUFFER_SIZE];
    static char piece[PIECE_SIZE];
    static ChessPgnLine lines[PGN_LINES];
    ChessPgnOptions options = run->options;
    options.buffer = buffer;
    options.buffer_size = sizeof buffer;
    options.lines = run->checks_moves ? lines : NULL;
    options.line_count = JD_COUNT(lines);
    if (run->problems_to == NULL)
        run->problems_to = stderr;
    run->inner = run->visitor;
    const ChessPgnVisitor *inner = &run->inner;
    const ChessPgnVisitor visitor = {
        .game_begin = inner->game_begin != NULL ? on_game_begin : NULL,
        .tag = inner->tag != NULL ? on_tag : NULL,
        .tags_end = inner->tags_end != NULL ? on_tags_end : NULL,
        .move = inner->move != NULL ? on_move : NULL,
        .comment = inner->comment != NULL ? on_comment : NULL,
        .nag = inner->nag != NULL ? on_nag : NULL,
        .escape = inner->escape != NULL ? on_escape : NULL,
        .variation_begin = inner->variation_begin != NULL ? on_variation_begin : NULL,
        .variation_end = inner->variation_end != NULL ? on_variation_end : NULL,
        .game_end = on_game_end,
        .problem = on_problem,
    };
    char *standard_input[1] = { NULL };
    if (count == 0) {
        count = 1;
        files = standard_input;
    }
    for (int i = 0; i < count; i++)
        read_file(run, files[i], &options, &visitor, piece);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        run->file = "(standard output)";
        fail_file(run, "cannot be written");
    }
    if (run->io_failed)
        return PGN_EXIT_IO;
    return run->damaged > 0 ? PGN_EXIT_DAMAGED : PGN_EXIT_SOUND;
}

// ---- verbs --------------------------------------------------------------------------------------

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} verbs[] = {
    { "check", pgn_check, "are all moves of all games legal? Reports every fault by its place" },
    { "convert", pgn_convert,
      "writes games anew: notation, language, without comments ..., split" },
    { "filter", pgn_filter,
      "writes the games that have certain tags, positions, material, results" },
    { "stats", pgn_stats, "counts games, results, lengths, openings ..." },
    { "dead", cli_pgn_dead,
      "reports dead positions played on in, and flags that fell against who cannot mate" },
    { "fens", pgn_fens, "writes the positions of games as FEN or EPD" },
};

static void print_usage(FILE *out) {
    fprintf(out, "usage: jadoube pgn VERB [OPTION...] [FILE...]\n\nFiles of games in PGN.\n\n");
    for (size_t i = 0; i < JD_COUNT(verbs); i++)
        fprintf(out, "  %-10s %s\n", verbs[i].name, verbs[i].what);
    fprintf(out, "\n\"jadoube pgn VERB --help\" tells of one verb.\n");
}

int cli_pgn(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stderr);
        return PGN_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return PGN_EXIT_SOUND;
    }
    for (size_t i = 0; i < JD_COUNT(verbs); i++) {
        if (strcmp(argv[1], verbs[i].name) == 0) {
            optind = 1;
            return verbs[i].run(argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "jadoube pgn: there is no verb \"%s\"; \"jadoube pgn --help\" lists them\n",
            argv[1]);
    return PGN_EXIT_USAGE;
}
