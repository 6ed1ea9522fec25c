// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube pgn check: are all moves legal, and does the file say what it should?
#include "cli/pgn.h"

#include <string.h>

static const char usage[] =
    "usage: jadoube pgn check [OPTION...] [FILE...]\n"
    "\n"
    "Plays every game, variations too, and reports each fault: file, line, column, byte, game and "
    "reason.\n"
    "Reading goes on at the next game. Warnings tell of what does not damage a game.\n"
    "\n"
    "  --exact          moves must be written exactly as the PGN standard has it\n"
    "  --tolerances     also count the liberties that moves take: missing +, 0-0, e8Q ...\n"
    "  --main-line      pass over variations\n"
    "  --quiet          print the summary only\n"
    "  --json           problems and summary as JSON, one object to a line\n";

typedef struct Check {
    PgnRun run;
    uint64_t plies;
    uint64_t tolerances[CHESS_TOLERANCE_COUNT]; // moves by liberty
} Check;

// What the board says of the result: Articles 5.1.1 and 5.2.1.
static void check_result(Check *check, const ChessPgnGame *game) {
    const ChessPosition *pos = game->position;
    if (pos == NULL || game->result <= CHESS_PGN_UNKNOWN || chess_has_legal_move(pos))
        return;
    ChessPgnResult due = CHESS_PGN_DRAW;
    if (chess_is_check(pos))
        due = pos->side_to_move == CHESS_WHITE ? CHESS_PGN_BLACK_WINS : CHESS_PGN_WHITE_WINS;
    if (game->result == due)
        return;
    char text[JD_ERR_TEXT_SIZE];
    (void)jd_format(text, sizeof text, "the game ends in %s, yet with %s",
                    due == CHESS_PGN_DRAW ? "stalemate" : "checkmate",
                    chess_pgn_result_text(game->result));
    pgn_tell(&check->run, "result_against_board", false, game->number, game->line, text);
}

static void on_game_end(void *context, const ChessPgnGame *game) {
    Check *check = context;
    check->plies += game->plies;
    check_result(check, game);
}

static void on_move(void *context, const ChessPgnMove *move) {
    Check *check = context;
    for (uint32_t bits = move->tolerances; bits != 0; bits &= bits - 1)
        check->tolerances[__builtin_ctz(bits)]++;
}

static void print_summary(const Check *check) {
    const PgnRun *run = &check->run;
    if (run->json) {
        printf("{\"games\":%llu,\"damaged\":%llu,\"warnings\":%llu,\"plies\":%llu",
               (unsigned long long)run->games, (unsigned long long)run->damaged,
               (unsigned long long)run->warnings, (unsigned long long)check->plies);
        for (int i = 0; run->options.report_tolerances && i < CHESS_TOLERANCE_COUNT; i++)
            printf(",\"%s\":%llu", chess_tolerance_name((ChessTolerance)(1u << i)),
                   (unsigned long long)check->tolerances[i]);
        printf("}\n");
        return;
    }
    printf("%llu games, %llu damaged, %llu warnings, %llu plies\n", (unsigned long long)run->games,
           (unsigned long long)run->damaged, (unsigned long long)run->warnings,
           (unsigned long long)check->plies);
    for (int i = 0; i < CHESS_TOLERANCE_COUNT; i++)
        if (check->tolerances[i] > 0)
            printf("  %-20s %llu moves\n", chess_tolerance_name((ChessTolerance)(1u << i)),
                   (unsigned long long)check->tolerances[i]);
}

int pgn_check(int argc, char **argv) {
    static const struct option options[] = {
        { "exact", no_argument, NULL, 'e' },     { "tolerances", no_argument, NULL, 't' },
        { "main-line", no_argument, NULL, 'm' }, { "quiet", no_argument, NULL, 'q' },
        { "json", no_argument, NULL, 'j' },      PGN_COMMON_OPTIONS,
    };
    Check check = { .run = { .verb = "check", .checks_moves = true, .problems_to = stdout } };
    check.run.context = &check;
    check.run.visitor.game_end = on_game_end;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        int exit_code;
        switch (option) {
        case 'e':
            check.run.options.exact = true;
            break;
        case 't':
            check.run.options.report_tolerances = true;
            check.run.visitor.move = on_move;
            break;
        case 'm':
            check.run.options.skip_variations = true;
            break;
        case 'q':
            check.run.quiet = true;
            break;
        case 'j':
            check.run.json = true;
            break;
        default:
            if (!pgn_option_common(&check.run, option, usage, &exit_code))
                return exit_code;
        }
    }
    const int exit_code = pgn_run(&check.run, argc - optind, argv + optind);
    print_summary(&check);
    return exit_code;
}
