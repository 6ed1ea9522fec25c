// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube pgn fens: the positions of games, one to a line.
#include "cli/pgn.h"

#include <jadoube/epd.h>

#include <string.h>

static const char usage[] =
    "usage: jadoube pgn fens [OPTION...] [FILE...]\n"
    "\n"
    "Writes the positions of the main lines, the first and the last included.\n"
    "\n"
    "  --final          only the last position of each game\n"
    "  --ply=N          only the position after N plies, of games that long\n"
    "  --every=N        only every Nth position, the first included\n"
    "  --variations     positions of variations as well\n"
    "  --epd            EPD with the players, the result and the move played: id, c0, sm\n"
    "  --ep=always      the en passant square after every double step; else only where a capture "
    "is legal\n";

typedef struct Fens {
    PgnRun run;
    bool only_final;
    bool has_ply;
    uint64_t ply;
    uint64_t every;
    bool epd;
    ChessFenStyle style;
    uint64_t plies; // made in the main line
    char white[128];
    char black[128];
    char result[16];
} Fens;

static ChessPgnStep on_game_begin(void *context, uint64_t number) {
    Fens *fens = context;
    (void)number;
    fens->plies = 0;
    (void)jd_format(fens->white, sizeof fens->white, "?");
    (void)jd_format(fens->black, sizeof fens->black, "?");
    (void)jd_format(fens->result, sizeof fens->result, "*");
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    Fens *fens = context;
    if (jd_str_equal(name, JD_STR("White")))
        (void)jd_format(fens->white, sizeof fens->white, "%.*s", JD_PRINT(value));
    else if (jd_str_equal(name, JD_STR("Black")))
        (void)jd_format(fens->black, sizeof fens->black, "%.*s", JD_PRINT(value));
    else if (jd_str_equal(name, JD_STR("Result")))
        (void)jd_format(fens->result, sizeof fens->result, "%.*s", JD_PRINT(value));
    return CHESS_PGN_GO;
}

static void write_epd(const Fens *fens, const ChessPosition *pos, ChessMove move) {
    char names[300];
    char quoted[2][320];
    char san[CHESS_SAN_SIZE];
    char line[2048];
    JdErr err;
    ChessEpd epd = { .position = *pos, .has_counters = true };
    (void)jd_format(names, sizeof names, "%s - %s", fens->white, fens->black);
    const size_t id_size = chess_epd_quote(jd_str(names), quoted[0], sizeof quoted[0]);
    const size_t result_size = chess_epd_quote(jd_str(fens->result), quoted[1], sizeof quoted[1]);
    // Texts in quotes and a legal move are always taken.
    (void)!chess_epd_set(&epd, JD_STR("id"), jd_str_n(quoted[0], id_size), &err);
    (void)!chess_epd_set(&epd, JD_STR("c0"), jd_str_n(quoted[1], result_size), &err);
    if (move != CHESS_NO_MOVE) {
        const size_t size = chess_san_write(pos, move, san);
        (void)!chess_epd_set(&epd, JD_STR("sm"), jd_str_n(san, size), &err);
    }
    (void)chess_epd_write(&epd, line, sizeof line);
    puts(line);
}

static void write_position(const Fens *fens, const ChessPosition *pos, ChessMove move) {
    if (fens->epd) {
        write_epd(fens, pos, move);
        return;
    }
    char text[CHESS_FEN_SIZE];
    chess_fen_write(pos, fens->style, text);
    puts(text);
}

static void write_if_wanted(const Fens *fens, const ChessPosition *pos, ChessMove move) {
    const bool is_wanted =
        fens->has_ply ? fens->plies == fens->ply : fens->plies % fens->every == 0;
    if (is_wanted)
        write_position(fens, pos, move);
}

static void on_move(void *context, const ChessPgnMove *move) {
    Fens *fens = context;
    if (move->depth == 0) {
        write_if_wanted(fens, move->position, move->move);
        fens->plies++;
    } else if (!move->is_null) {
        // The position of a variation is the one after the move: the one before stands in its main
        // line.
        ChessPosition after = *move->position;
        chess_move_make(&after, move->move, NULL);
        write_position(fens, &after, CHESS_NO_MOVE);
    }
}

static void on_game_end(void *context, const ChessPgnGame *game) {
    Fens *fens = context;
    if (game->position == NULL)
        return;
    if (fens->only_final)
        write_position(fens, game->position, CHESS_NO_MOVE);
    else
        write_if_wanted(fens, game->position, CHESS_NO_MOVE);
}

int pgn_fens(int argc, char **argv) {
    static const struct option options[] = {
        { "final", no_argument, NULL, 'f' },
        { "ply", required_argument, NULL, 'p' },
        { "every", required_argument, NULL, 'e' },
        { "variations", no_argument, NULL, 'v' },
        { "epd", no_argument, NULL, 'E' },
        { "ep", required_argument, NULL, 'a' },
        PGN_COMMON_OPTIONS,
    };
    Fens fens = { .run = { .verb = "fens", .checks_moves = true }, .every = 1 };
    fens.run.options.skip_variations = true;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        int exit_code = PGN_EXIT_USAGE;
        bool is_right = true;
        switch (option) {
        case 'f':
            fens.only_final = true;
            break;
        case 'p':
            fens.has_ply = true;
            is_right = pgn_option_number("fens", "ply", optarg, CHESS_GAME_PLIES_MAX, &fens.ply);
            break;
        case 'e':
            is_right =
                pgn_option_number("fens", "every", optarg, CHESS_GAME_PLIES_MAX, &fens.every);
            if (is_right && fens.every == 0) {
                fprintf(stderr, "jadoube pgn fens: --every=0 would write nothing\n");
                is_right = false;
            }
            break;
        case 'v':
            fens.run.options.skip_variations = false;
            break;
        case 'E':
            fens.epd = true;
            break;
        case 'a':
            is_right = strcmp(optarg, "always") == 0 || strcmp(optarg, "legal") == 0;
            if (!is_right)
                fprintf(stderr, "jadoube pgn fens: --ep=%s: always or legal expected\n", optarg);
            fens.style = strcmp(optarg, "always") == 0 ? CHESS_FEN_EP_ALWAYS : CHESS_FEN_EP_LEGAL;
            break;
        default:
            is_right = pgn_option_common(&fens.run, option, usage, &exit_code);
        }
        if (!is_right)
            return exit_code;
    }
    fens.run.context = &fens;
    fens.run.visitor = (ChessPgnVisitor) {
        .game_begin = on_game_begin,
        .tag = fens.epd ? on_tag : NULL,
        .move = fens.only_final ? NULL : on_move,
        .game_end = on_game_end,
    };
    return pgn_run(&fens.run, argc - optind, argv + optind);
}
