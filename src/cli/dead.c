// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube dead: who can still mate in a position, with the proof.
#include "cli/cli.h"

#include <jadoube/chess.h>

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/dead_text.h"
#include "cli/position_argument.h"

static const char usage[] =
    "usage: jadoube dead [OPTION...] FEN...\n"
    "\n"
    "Says of each position whether White and Black can still mate by any series of legal moves\n"
    "(Articles 5.2.2 and 6.9): \"possible\" with a line that mates, \"impossible\" with the kind "
    "of\n"
    "proof. A position is dead when neither can. FEN is one argument or its six fields; \"-\" "
    "reads\n"
    "positions from standard input, one a line.\n"
    "\n"
    "  --json          one JSON object to a line: fen, dead, white_can_mate, black_can_mate, and "
    "for\n"
    "                  each side verdict, proof, witness, nodes, microseconds\n"
    "  --nodes=N       look at no more than N positions for each side; the answer may be "
    "\"unknown\"\n"
    "  --time=MS       spend no more than MS milliseconds on each side; likewise\n"
    "  --memory=MB     work memory at most, 1024 unless said; it is taken as it is needed\n"
    "  --no-line       do not print the lines\n"
    "\n"
    "Exit codes: 0 answered, 1 a position was refused, 2 wrong usage.\n";

typedef struct Options {
    bool json;
    bool no_line;
} Options;

static const char *const side_names[2] = { "white", "black" };

// "true", "false", or "null" when it is not known.
static const char *truth(uint8_t verdict) {
    return verdict == DEAD_POSSIBLE ? "true" : verdict == DEAD_IMPOSSIBLE ? "false" : "null";
}

static void print_line(const ChessPosition *from, const CliDead *dead, const DeadAnswer *answer,
                       bool json) {
    const ChessMove *line = dead->lines[answer->winner];
    ChessPosition pos = *from;
    for (uint32_t ply = 0; ply < answer->line_size && ply < dead->line_capacity[answer->winner];
         ply++) {
        char text[CHESS_SAN_SIZE];
        if (json) {
            chess_uci_write(&pos, line[ply], text);
            printf("%s\"%s\"", ply > 0 ? "," : "", text);
        } else {
            chess_san_write(&pos, line[ply], text);
            if (pos.side_to_move == CHESS_WHITE || ply == 0)
                printf(" %u%s", pos.fullmove_number, pos.side_to_move == CHESS_WHITE ? "." : "...");
            printf(" %s", text);
        }
        chess_move_make(&pos, line[ply], NULL);
    }
}

static void print_side_json(const ChessPosition *pos, const CliDead *dead,
                            const CliDeadAnswer *found, bool no_line) {
    const DeadAnswer *answer = &found->answer;
    printf(",\"%s\":{\"verdict\":\"%s\",\"proof\":\"%s\",\"nodes\":%llu,\"microseconds\":%.3f",
           side_names[answer->winner], dead_verdict_name((DeadVerdict)answer->verdict),
           dead_proof_name((DeadProof)answer->proof), (unsigned long long)answer->nodes,
           (double)found->nanoseconds / 1000);
    if (answer->verdict == DEAD_POSSIBLE) {
        printf(",\"plies\":%u", answer->line_size);
        if (!no_line) {
            printf(",\"witness\":[");
            print_line(pos, dead, answer, true);
            printf("]");
        }
    }
    if (answer->verdict == DEAD_UNKNOWN)
        printf(",\"limit\":\"%s\"", answer->out_of_memory ? "memory"
                                    : found->out_of_time  ? "time"
                                                          : "nodes");
    printf("}");
}

static void print_side(const ChessPosition *pos, const CliDead *dead, const CliDeadAnswer *found,
                       bool no_line) {
    static const char *const who[2] = { "White", "Black" };
    const DeadAnswer *answer = &found->answer;
    const char *name = who[answer->winner];
    switch ((DeadVerdict)answer->verdict) {
    case DEAD_POSSIBLE:
        printf("  %s can mate", name);
        if (answer->proof == DEAD_BY_MATE)
            printf(": this is mate");
        else if (!no_line) {
            printf(" (%u plies):", answer->line_size);
            print_line(pos, dead, answer, false);
        }
        break;
    case DEAD_IMPOSSIBLE:
        printf("  %s cannot mate (%s)", name, dead_proof_name((DeadProof)answer->proof));
        break;
    case DEAD_UNKNOWN:
        printf("  %s: unknown, the limit of %s was reached", name,
               answer->out_of_memory ? "memory"
               : found->out_of_time  ? "time"
                                     : "nodes");
        break;
    }
    printf("; %llu nodes, %.1f us\n", (unsigned long long)answer->nodes,
           (double)found->nanoseconds / 1000);
}

static void refuse(const Options *options, JdStr text, const JdErr *err) {
    if (!options->json) {
        cli_show_fault("jadoube dead", text, err);
        return;
    }
    char line[1024];
    JdOut out = jd_out(line, sizeof line);
    jd_out_cstr(&out, "{\"error\":{\"field\":");
    jd_out_json(&out, jd_str(err->field));
    jd_out_cstr(&out, ",\"offset\":");
    jd_out_u64(&out, err->offset);
    jd_out_cstr(&out, ",\"code\":");
    jd_out_json(&out, jd_str(chess_fen_fault_name((ChessFenFault)err->code)));
    jd_out_cstr(&out, ",\"message\":");
    jd_out_json(&out, jd_str(err->text));
    jd_out_cstr(&out, "}}");
    printf("%.*s\n", JD_PRINT(jd_out_str(&out)));
}

// Answers for one position; false when it is refused.
static bool tell(CliDead *dead, const Options *options, JdStr text) {
    ChessPosition pos;
    JdErr err = { 0 };
    if (!chess_fen_parse(text, &pos, &err)) {
        refuse(options, text, &err);
        return false;
    }
    char fen[CHESS_FEN_SIZE];
    chess_fen_write(&pos, CHESS_FEN_EP_LEGAL, fen);
    CliDeadAnswer found[2];
    for (int color = 0; color < 2; color++)
        found[color] = cli_dead_ask(dead, &pos, (ChessColor)color);
    const uint8_t white = found[0].answer.verdict;
    const uint8_t black = found[1].answer.verdict;
    const char *is_dead = white == DEAD_IMPOSSIBLE && black == DEAD_IMPOSSIBLE ? "true"
                          : white == DEAD_POSSIBLE || black == DEAD_POSSIBLE   ? "false"
                                                                               : "null";
    if (options->json)
        printf("{\"fen\":\"%s\",\"dead\":%s,\"white_can_mate\":%s,\"black_can_mate\":%s", fen,
               is_dead, truth(white), truth(black));
    else
        printf("%s: %s\n", fen,
               strcmp(is_dead, "true") == 0    ? "dead"
               : strcmp(is_dead, "false") == 0 ? "not dead"
                                               : "unknown");
    for (int color = 0; color < 2; color++) {
        if (options->json)
            print_side_json(&pos, dead, &found[color], options->no_line);
        else
            print_side(&pos, dead, &found[color], options->no_line);
    }
    if (options->json)
        printf("}\n");
    return true;
}

static bool tell_all_lines(CliDead *dead, const Options *options) {
    bool fine = true;
    char *text = NULL;
    size_t capacity = 0;
    for (ssize_t size; (size = getline(&text, &capacity, stdin)) >= 0;) {
        const JdStr line = jd_str_trim(jd_str_n(text, (size_t)size));
        if (line.size > 0 && line.data[0] != '#')
            fine = tell(dead, options, line) && fine;
    }
    free(text);
    return fine;
}

static bool number(const char *option, const char *text, uint64_t max, uint64_t *out) {
    if (jd_parse_u64(jd_str(text), max, out) && *out > 0)
        return true;
    fprintf(stderr, "jadoube dead: --%s: a number from 1 to %llu expected, found \"%s\"\n", option,
            (unsigned long long)max, text);
    return false;
}

int cli_dead(int argc, char **argv) {
    static const struct option long_options[] = {
        { "json", no_argument, NULL, 'j' },
        { "nodes", required_argument, NULL, 'n' },
        { "time", required_argument, NULL, 't' },
        { "memory", required_argument, NULL, 'm' },
        { "no-line", no_argument, NULL, 'l' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    Options options = { 0 };
    CliDead dead = { 0 };
    uint64_t memory_mb = CLI_DEAD_MEMORY_MB;
    optind = 1;
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        switch (option) {
        case 'j':
            options.json = true;
            break;
        case 'l':
            options.no_line = true;
            break;
        case 'n':
            if (!number("nodes", optarg, UINT64_MAX / 2, &dead.nodes))
                return 2;
            break;
        case 't':
            if (!number("time", optarg, UINT64_C(1000) * 86400 * 7, &dead.time_ms))
                return 2;
            break;
        case 'm':
            if (!number("memory", optarg, 1 << 20, &memory_mb))
                return 2;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        default:
            fprintf(stderr, "\"jadoube dead --help\" lists the options\n");
            return 2;
        }
    }
    const int count = argc - optind;
    if (count == 0) {
        fprintf(stderr, "jadoube dead: FEN is missing\n%s", usage);
        return 2;
    }
    dead.memory_limit = memory_mb << 20;
    if (!cli_dead_open(&dead))
        return 1;
    bool fine = true;
    char **arguments = argv + optind;
    for (int i = 0; i < count;) {
        if (strcmp(arguments[i], "-") == 0) {
            fine = tell_all_lines(&dead, &options) && fine;
            i++;
            continue;
        }
        // An argument with blanks is a whole record; otherwise the six fields follow each other.
        const int fields = strchr(arguments[i], ' ') != NULL ? 1 : count - i < 6 ? count - i : 6;
        char memory[CHESS_FEN_TEXT_MAX + 2];
        fine = tell(&dead, &options,
                    cli_join_arguments(arguments + i, fields, memory, sizeof memory)) &&
               fine;
        i += fields;
    }
    cli_dead_close(&dead);
    return fine ? 0 : 1;
}
