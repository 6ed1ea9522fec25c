// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube arbitrate: what the Laws of an edition say of games on file. This file reads the command
// line and opens the files; reading, judging and telling are in files of their own.
#include "cli/cli.h"

#include "cli/arbitrate.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/pgn_input.h"

static const char usage[] =
    "usage: jadoube arbitrate [OPTION...] [FILE...]\n"
    "       jadoube arbitrate --explain ARTICLE [--edition NAME] [--lang LANG] [--json]\n"
    "\n"
    "Says what the FIDE Laws of Chess make of each game: draws that could have been claimed and\n"
    "when the right was lost, games played past their end, flags and who could still mate, the\n"
    "result by the Laws against the one in the file.\n"
    "\n"
    "  --edition=NAME    fide-1997, fide-2005, fide-2009, fide-2014 or fide-2023 (the default)\n"
    "  --pace=PACE       standard, rapid or blitz; else by the time control\n"
    "  --control=TEXT    time control, such as 5400+30 or 40/7200:3600, instead of the file's\n"
    "  --unsupervised    rapid and blitz without an arbiter for every few games\n"
    "  --lang=LANG       of the report: en (the default), ru, ro\n"
    "  --json            one JSON object a line for every game\n"
    "  --differing       only games whose result differs from the Laws or that are damaged\n"
    "  --summary         only the totals\n"
    "  --language=LANG   of the piece letters in PGN: en (the default), ru, ro, de ...\n"
    "  --encoding=NAME   of PGN: utf-8 (the default), latin-1, windows-1251\n"
    "  --explain=ARTICLE what the program does for an article\n"
    "\n"
    "FILE is PGN or an event file (its first sign is a brace), plain or packed by gzip, bzip2 or\n"
    "zstd; none or \"-\" is standard input. jadoube-arbitrate(1) describes both.\n"
    "Exit codes: 0 no result differs, 1 some result differs from the Laws, 2 wrong usage,\n"
    "3 a file, line, game or article could not be read, or an illegal move stands in a game.\n";

// ---- output -------------------------------------------------------------------------------------

void arb_flush(ArbRun *run) {
    const JdStr text = jd_out_str(&run->out);
    fwrite(text.data, 1, text.size, stdout);
    run->out.size = 0;
}

static void count_game(ArbRun *run) {
    ArbTotals *const totals = &run->totals;
    const ArbReport *const report = &run->report;
    totals->games++;
    totals->by_comparison[report->comparison]++;
    totals->by_reason[report->reason]++;
    totals->claims += run->judge.range_count > 0;
    totals->damaged += run->game.is_damaged;
    for (uint32_t i = 0; i < report->remark_count; i++)
        totals->played_past += report->remarks[i].kind == ARB_REMARK_PLAYED_PAST;
}

void arb_finish_game(ArbRun *run) {
    count_game(run);
    if (run->options.summary_only ||
        (run->options.only_differing && run->report.comparison != ARB_DIFFERS &&
         !run->game.is_damaged))
        return;
    if (run->options.json)
        arb_print_json(run);
    else
        arb_print_text(run);
    JD_ASSERT(jd_out_fits(&run->out));
    if (run->out.size > ARB_OUT_SIZE - ARB_OUT_GAME_MAX)
        arb_flush(run);
}

// ---- input --------------------------------------------------------------------------------------

bool arb_input_read(ArbRun *run, JdStr *out) {
    if (run->ahead_size > 0) {
        *out = jd_str_n(run->piece, run->ahead_size);
        run->ahead_size = 0;
        return true;
    }
    const char *error = NULL;
    const ptrdiff_t size = pgn_input_read(run->input, run->piece, sizeof run->piece, &error);
    if (size < 0) {
        fprintf(stderr, "jadoube arbitrate: %s: %s\n", run->file, error);
        run->totals.bad_input = true;
        return false;
    }
    *out = jd_str_n(run->piece, (size_t)size);
    return size > 0;
}

// The first sign that is no blank tells an event file from PGN.
static bool begins_with_brace(ArbRun *run) {
    JdStr piece = { 0 };
    if (!arb_input_read(run, &piece))
        return false;
    run->ahead_size = piece.size;
    if (jd_str_starts_with(piece, JD_STR("\xef\xbb\xbf")))
        piece = jd_str_part(piece, 3, piece.size);
    piece = jd_str_trim(piece);
    return piece.size > 0 && piece.data[0] == '{';
}

static void read_file(ArbRun *run, const char *name) {
    const char *error = NULL;
    run->file = name == NULL || strcmp(name, "-") == 0 ? "(standard input)" : name;
    run->input = pgn_input_open(name, &error);
    if (run->input == NULL) {
        fprintf(stderr, "jadoube arbitrate: %s: %s\n", run->file, error);
        run->totals.bad_input = true;
        return;
    }
    run->ahead_size = 0;
    if (begins_with_brace(run))
        arb_read_events(run);
    else
        arb_read_pgn(run);
    pgn_input_close(run->input);
}

// ---- the command line ---------------------------------------------------------------------------

enum {
    OPTION_EDITION = 256,
    OPTION_PACE,
    OPTION_CONTROL,
    OPTION_UNSUPERVISED,
    OPTION_LANG,
    OPTION_JSON,
    OPTION_DIFFERING,
    OPTION_SUMMARY,
    OPTION_LANGUAGE,
    OPTION_ENCODING,
    OPTION_EXPLAIN,
    OPTION_HELP
};

static bool refuse(const char *option, const char *found, const char *expected) {
    fprintf(stderr, "jadoube arbitrate: --%s: found \"%s\", expected %s\n", option, found,
            expected);
    return false;
}

static bool set_control(ArbRun *run, const char *text) {
    JdErr err = { 0 };
    if (strlen(text) >= sizeof run->game.control_text ||
        !laws_control_parse(jd_str(text), &run->options.control, &err) ||
        !laws_control_check(&run->options.control, &err))
        return refuse("control", text, err.text[0] != '\0' ? err.text : "a shorter text");
    run->options.has_control = true;
    run->game.has_control = true;
    run->game.control = run->options.control;
    jd_format(run->game.control_text, sizeof run->game.control_text, "%s", text);
    return true;
}

static bool set_language(ArbOptions *options, const char *text) {
    static const char *const names[] = { "en", "ru", "ro" };
    for (size_t i = 0; i < JD_COUNT(names); i++)
        if (strcmp(text, names[i]) == 0) {
            options->language = (ArbLanguage)i;
            return true;
        }
    return refuse("lang", text, "en, ru or ro");
}

// One option that takes effect on the run; false when its value is refused.
static bool take(ArbRun *run, int option, const char *value) {
    ArbOptions *const options = &run->options;
    LawsPace pace;
    ChessLanguage language;
    ChessEncoding encoding;
    switch (option) {
    case OPTION_EDITION:
        return laws_edition_parse(jd_str(value), &options->edition) ||
               refuse("edition", value, "fide-1997, fide-2005, fide-2009, fide-2014 or fide-2023");
    case OPTION_PACE:
        if (!laws_pace_parse(jd_str(value), &pace))
            return refuse("pace", value, "standard, rapid or blitz");
        options->pace = (uint8_t)pace;
        return true;
    case OPTION_CONTROL:
        return set_control(run, value);
    case OPTION_UNSUPERVISED:
        options->unsupervised = true;
        return true;
    case OPTION_LANG:
        return set_language(options, value);
    case OPTION_JSON:
        options->json = true;
        return true;
    case OPTION_DIFFERING:
        options->only_differing = true;
        return true;
    case OPTION_SUMMARY:
        options->summary_only = true;
        return true;
    case OPTION_LANGUAGE:
        if (!chess_language_find(jd_str(value), &language))
            return refuse("language", value, "a language of piece letters: en, ru, ro, de ...");
        options->pgn_language = (uint8_t)language;
        return true;
    case OPTION_ENCODING:
        if (!chess_encoding_find(jd_str(value), &encoding))
            return refuse("encoding", value, "utf-8, latin-1 or windows-1251");
        options->encoding = (uint8_t)encoding;
        return true;
    default: // getopt_long has told what is wrong
        fprintf(stderr, "\"jadoube arbitrate --help\" lists the options\n");
        return false;
    }
}

static int run_files(ArbRun *run, int count, char **files) {
    char *standard_input[1] = { NULL };
    if (count == 0) {
        count = 1;
        files = standard_input;
    }
    for (int i = 0; i < count; i++)
        read_file(run, files[i]);
    if (run->options.summary_only || (!run->options.json && run->totals.games > 1))
        arb_print_totals(run);
    arb_flush(run);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "jadoube arbitrate: standard output cannot be written\n");
        return ARB_EXIT_BAD_INPUT;
    }
    if (run->totals.bad_input || run->totals.damaged > 0)
        return ARB_EXIT_BAD_INPUT;
    return run->totals.by_comparison[ARB_DIFFERS] > 0 ? ARB_EXIT_DIFFERS : ARB_EXIT_AGREES;
}

int cli_arbitrate(int argc, char **argv) {
    static const struct option long_options[] = {
        { "edition", required_argument, NULL, OPTION_EDITION },
        { "pace", required_argument, NULL, OPTION_PACE },
        { "control", required_argument, NULL, OPTION_CONTROL },
        { "unsupervised", no_argument, NULL, OPTION_UNSUPERVISED },
        { "lang", required_argument, NULL, OPTION_LANG },
        { "json", no_argument, NULL, OPTION_JSON },
        { "differing", no_argument, NULL, OPTION_DIFFERING },
        { "summary", no_argument, NULL, OPTION_SUMMARY },
        { "language", required_argument, NULL, OPTION_LANGUAGE },
        { "encoding", required_argument, NULL, OPTION_ENCODING },
        { "explain", required_argument, NULL, OPTION_EXPLAIN },
        { "help", no_argument, NULL, OPTION_HELP },
        { NULL, 0, NULL, 0 },
    };
    ArbRun *const run = calloc(1, sizeof *run);
    if (run == NULL) {
        fprintf(stderr, "jadoube arbitrate: no memory\n");
        return ARB_EXIT_BAD_INPUT;
    }
    run->options.edition = LAWS_FIDE_2023;
    run->out = jd_out(run->memory, sizeof run->memory);
    const char *explain = NULL;
    int exit_code = -1;
    int option;
    optind = 1;
    while (exit_code < 0 && (option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (option == OPTION_HELP) {
            fputs(usage, stdout);
            exit_code = ARB_EXIT_AGREES;
        } else if (option == OPTION_EXPLAIN) {
            explain = optarg;
        } else if (!take(run, option, optarg)) {
            exit_code = ARB_EXIT_USAGE;
        }
    }
    if (exit_code < 0)
        exit_code = explain != NULL ? arb_explain(explain, &run->options)
                                    : run_files(run, argc - optind, argv + optind);
    cli_dead_close(&run->judge.mates.dead);
    free(run);
    return exit_code;
}
