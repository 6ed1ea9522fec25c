// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube pgn dead: what Articles 5.2.2 and 6.9 say of the games of a file: who played on in a dead
// position, whose flag fell against an opponent who could not mate.
#include "cli/cli.h"

#include "cli/dead_text.h"
#include "cli/pgn.h"

#include <string.h>
#include <strings.h>

static const char usage[] =
    "usage: jadoube pgn dead [OPTION...] [FILE...]\n"
    "\n"
    "Asks after every move whether anybody can still mate, and at the end of a game lost or drawn "
    "on\n"
    "time (Termination \"time forfeit\") whether the opponent of the fallen flag could. Reports\n"
    "\n"
    "  played_on_dead       moves were made after the position was dead: the game was drawn then\n"
    "  result_of_dead       the game ends in a dead position, yet not with a draw\n"
    "  lost_on_time         lost on time although the opponent could not mate: a draw\n"
    "  drawn_on_time        drawn on time although the opponent could mate: a loss\n"
    "\n"
    "  --json           findings and summary as JSON, one object to a line\n"
    "  --quiet          print the summary only\n"
    "  --lines          with each finding of a possible mate, a line that mates\n";

typedef struct DeadRun {
    PgnRun run;
    CliDead dead;
    bool lines;
    // The game being read:
    bool on_time; // by its Termination tag
    bool sound;
    ChessPosition position;
    DeadWatch watch;
    uint32_t plies;
    uint32_t dead_ply; // after which ply the position was dead first; UINT32_MAX: never
    uint8_t dead_proof;
    // Counted over all:
    uint64_t moves;
    uint64_t findings[4];
    uint64_t dead_games;
    uint64_t flags;
    uint64_t unknown;
    uint64_t nanoseconds;
    uint64_t slowest_ns;
    uint64_t flag_ns;
    uint64_t slowest_flag_ns;
} DeadRun;

typedef enum Finding { PLAYED_ON_DEAD, RESULT_OF_DEAD, LOST_ON_TIME, DRAWN_ON_TIME } Finding;

static const char *const finding_names[] = { "played_on_dead", "result_of_dead", "lost_on_time",
                                             "drawn_on_time" };
static const char *const side_names[2] = { "White", "Black" };

static ChessPgnStep on_game_begin(void *context, uint64_t number) {
    (void)number;
    DeadRun *run = context;
    run->on_time = false;
    run->sound = false;
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    DeadRun *run = context;
    if (jd_str_equal(name, JD_STR("Termination")))
        run->on_time = jd_str_equal_nocase(value, JD_STR("time forfeit"));
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tags_end(void *context, const ChessPosition *start) {
    DeadRun *run = context;
    run->sound = start != NULL;
    run->plies = 0;
    run->dead_ply = UINT32_MAX;
    run->watch = (DeadWatch) { 0 };
    if (start != NULL)
        run->position = *start;
    return CHESS_PGN_GO;
}

static void on_move(void *context, const ChessPgnMove *move) {
    DeadRun *run = context;
    if (move->depth != 0 || move->position == NULL || move->move == CHESS_NO_MOVE)
        return;
    const ChessPosition before = *move->position;
    run->position = before;
    chess_move_make(&run->position, move->move, NULL);
    run->plies++;
    run->moves++;
    if (run->dead_ply != UINT32_MAX)
        return;
    const uint64_t begin = cli_dead_now_ns();
    const DeadLimits limits = { .memory = run->dead.memory, .memory_size = run->dead.memory_size };
    DeadAnswer answer = dead_watch_move(&run->watch, &before, move->move, &run->position, &limits);
    if (answer.verdict == DEAD_UNKNOWN) {
        // More memory than the watch had.
        for (int color = 0; color < 2 && answer.verdict != DEAD_POSSIBLE; color++)
            answer = cli_dead_ask(&run->dead, &run->position, (ChessColor)color).answer;
    }
    const uint64_t spent = cli_dead_now_ns() - begin;
    run->nanoseconds += spent;
    if (spent > run->slowest_ns)
        run->slowest_ns = spent;
    run->unknown += answer.verdict == DEAD_UNKNOWN;
    if (answer.verdict == DEAD_IMPOSSIBLE) {
        run->dead_ply = run->plies;
        run->dead_proof = answer.proof;
    }
}

static void tell_json(const DeadRun *run, Finding finding, const ChessPgnGame *game, uint32_t ply,
                      const char *proof) {
    char fen[CHESS_FEN_SIZE];
    char line[2048];
    chess_fen_write(&run->position, CHESS_FEN_EP_LEGAL, fen);
    JdOut out = jd_out(line, sizeof line);
    size_t valid = 0;
    const bool is_utf8 = jd_utf8_valid(jd_str(run->run.file), &valid);
    jd_out_cstr(&out, "{\"file\":");
    jd_out_json(&out, is_utf8 ? jd_str(run->run.file) : jd_str_n(run->run.file, valid));
    jd_out_cstr(&out, ",\"game\":");
    jd_out_u64(&out, game->number);
    jd_out_cstr(&out, ",\"line\":");
    jd_out_u64(&out, game->line);
    jd_out_cstr(&out, ",\"finding\":");
    jd_out_json(&out, jd_str(finding_names[finding]));
    jd_out_cstr(&out, ",\"ply\":");
    jd_out_u64(&out, ply);
    jd_out_cstr(&out, ",\"plies\":");
    jd_out_u64(&out, run->plies);
    jd_out_cstr(&out, ",\"proof\":");
    jd_out_json(&out, jd_str(proof));
    jd_out_cstr(&out, ",\"result\":");
    jd_out_json(&out, jd_str(chess_pgn_result_text(game->result)));
    jd_out_cstr(&out, ",\"fen\":");
    jd_out_json(&out, jd_str(fen));
    printf("%.*s", JD_PRINT(jd_out_str(&out)));
}

static void print_witness(const DeadRun *run, const DeadAnswer *answer) {
    ChessPosition pos = run->position;
    for (uint32_t ply = 0; ply < answer->line_size && ply < run->dead.line_capacity[answer->winner];
         ply++) {
        char uci[CHESS_UCI_SIZE];
        const ChessMove move = run->dead.lines[answer->winner][ply];
        chess_uci_write(&pos, move, uci);
        if (run->run.json)
            printf("%s\"%s\"", ply > 0 ? "," : "", uci);
        else
            printf(" %s", uci);
        chess_move_make(&pos, move, NULL);
    }
}

// answer: of a side that can mate, for its line; or NULL.
static void tell(DeadRun *run, Finding finding, const ChessPgnGame *game, uint32_t ply,
                 const char *proof, const char *text, const DeadAnswer *answer) {
    run->findings[finding]++;
    if (run->run.quiet)
        return;
    if (run->run.json) {
        tell_json(run, finding, game, ply, proof);
        if (run->lines && answer != NULL) {
            printf(",\"witness\":[");
            print_witness(run, answer);
            printf("]");
        }
        printf("}\n");
        return;
    }
    char fen[CHESS_FEN_SIZE];
    chess_fen_write(&run->position, CHESS_FEN_EP_LEGAL, fen);
    printf("%s:%llu: game %llu: %s: %s (%s); %s, %s\n", run->run.file,
           (unsigned long long)game->line, (unsigned long long)game->number, finding_names[finding],
           text, proof, chess_pgn_result_text(game->result), fen);
    if (run->lines && answer != NULL) {
        printf("   ");
        print_witness(run, answer);
        printf("\n");
    }
}

// The flag of the loser fell; in a draw, of the side to move.
static void judge_flag(DeadRun *run, const ChessPgnGame *game) {
    ChessColor opponent = CHESS_WHITE;
    switch (game->result) {
    case CHESS_PGN_WHITE_WINS:
        opponent = CHESS_WHITE;
        break;
    case CHESS_PGN_BLACK_WINS:
        opponent = CHESS_BLACK;
        break;
    case CHESS_PGN_DRAW:
        opponent = chess_other((ChessColor)run->position.side_to_move);
        break;
    case CHESS_PGN_NO_RESULT:
    case CHESS_PGN_UNKNOWN:
        return;
    }
    const CliDeadAnswer found = cli_dead_ask(&run->dead, &run->position, opponent);
    const DeadAnswer *answer = &found.answer;
    run->flags++;
    run->flag_ns += found.nanoseconds;
    if (found.nanoseconds > run->slowest_flag_ns)
        run->slowest_flag_ns = found.nanoseconds;
    run->unknown += answer->verdict == DEAD_UNKNOWN;
    char text[128];
    if (answer->verdict == DEAD_IMPOSSIBLE && game->result != CHESS_PGN_DRAW) {
        snprintf(text, sizeof text, "lost on time though %s could not mate", side_names[opponent]);
        tell(run, LOST_ON_TIME, game, run->plies, dead_proof_name((DeadProof)answer->proof), text,
             NULL);
    } else if (answer->verdict == DEAD_POSSIBLE && game->result == CHESS_PGN_DRAW) {
        snprintf(text, sizeof text, "drawn on time though %s could mate", side_names[opponent]);
        tell(run, DRAWN_ON_TIME, game, run->plies, dead_proof_name((DeadProof)answer->proof), text,
             answer);
    }
}

static void on_game_end(void *context, const ChessPgnGame *game) {
    DeadRun *run = context;
    if (!run->sound || game->damaged)
        return;
    if (run->dead_ply == UINT32_MAX) {
        if (run->on_time)
            judge_flag(run, game);
        return;
    }
    run->dead_games++;
    const char *proof = dead_proof_name((DeadProof)run->dead_proof);
    char text[128];
    if (run->plies > run->dead_ply) {
        snprintf(text, sizeof text, "dead since ply %u, played on for %u plies", run->dead_ply,
                 run->plies - run->dead_ply);
        tell(run, PLAYED_ON_DEAD, game, run->dead_ply, proof, text, NULL);
    }
    if (game->result == CHESS_PGN_WHITE_WINS || game->result == CHESS_PGN_BLACK_WINS) {
        snprintf(text, sizeof text, "dead since ply %u, yet won", run->dead_ply);
        tell(run, RESULT_OF_DEAD, game, run->dead_ply, proof, text, NULL);
    }
}

static void print_summary(const DeadRun *run) {
    const double mean = run->moves > 0 ? (double)run->nanoseconds / (double)run->moves : 0;
    const double flag_mean = run->flags > 0 ? (double)run->flag_ns / (double)run->flags : 0;
    if (run->run.json) {
        printf("{\"games\":%llu,\"damaged\":%llu,\"moves\":%llu,\"dead_games\":%llu,\"flags\":%llu",
               (unsigned long long)run->run.games, (unsigned long long)run->run.damaged,
               (unsigned long long)run->moves, (unsigned long long)run->dead_games,
               (unsigned long long)run->flags);
        for (int i = 0; i < 4; i++)
            printf(",\"%s\":%llu", finding_names[i], (unsigned long long)run->findings[i]);
        printf(
            ",\"unknown\":%llu,\"microseconds_per_move\":%.3f,\"microseconds_slowest_move\":%.1f,"
            "\"microseconds_per_flag\":%.3f,\"microseconds_slowest_flag\":%.1f}\n",
            (unsigned long long)run->unknown, mean / 1000, (double)run->slowest_ns / 1000,
            flag_mean / 1000, (double)run->slowest_flag_ns / 1000);
        return;
    }
    printf("%llu games, %llu damaged, %llu moves; %llu games came to a dead position, %llu ended "
           "on time\n",
           (unsigned long long)run->run.games, (unsigned long long)run->run.damaged,
           (unsigned long long)run->moves, (unsigned long long)run->dead_games,
           (unsigned long long)run->flags);
    for (int i = 0; i < 4; i++)
        printf("  %-16s %llu\n", finding_names[i], (unsigned long long)run->findings[i]);
    printf("  unknown          %llu\n", (unsigned long long)run->unknown);
    printf(
        "after each move %.2f us (slowest %.0f us), at each flag fall %.2f us (slowest %.0f us)\n",
        mean / 1000, (double)run->slowest_ns / 1000, flag_mean / 1000,
        (double)run->slowest_flag_ns / 1000);
}

int cli_pgn_dead(int argc, char **argv) {
    static const struct option options[] = {
        { "json", no_argument, NULL, 'j' },
        { "quiet", no_argument, NULL, 'q' },
        { "lines", no_argument, NULL, 'l' },
        PGN_COMMON_OPTIONS,
    };
    static DeadRun run = { .run = { .verb = "dead", .checks_moves = true } };
    run.run.context = &run;
    run.run.options.skip_variations = true;
    run.run.visitor = (ChessPgnVisitor) {
        .game_begin = on_game_begin,
        .tag = on_tag,
        .tags_end = on_tags_end,
        .move = on_move,
        .game_end = on_game_end,
    };
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        int exit_code;
        switch (option) {
        case 'j':
            run.run.json = true;
            break;
        case 'q':
            run.run.quiet = true;
            break;
        case 'l':
            run.lines = true;
            break;
        default:
            if (!pgn_option_common(&run.run, option, usage, &exit_code))
                return exit_code;
        }
    }
    run.dead.memory_limit = (uint64_t)CLI_DEAD_MEMORY_MB << 20;
    if (!cli_dead_open(&run.dead))
        return PGN_EXIT_IO;
    const int exit_code = pgn_run(&run.run, argc - optind, argv + optind);
    print_summary(&run);
    cli_dead_close(&run.dead);
    return exit_code;
}
