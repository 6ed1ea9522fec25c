// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plays through files of games in PGN and tells what is wrong with them.
//
//     cc validate_pgn.c $(pkg-config --cflags --libs jadoube) -o validate_pgn
//     ./validate_pgn games.pgn
//
// Exit code 0: all games are sound; 1: some are damaged; 2: a file could not be read.
#include <jadoube/pgn.h>

#include <stdio.h>
#include <string.h>

typedef struct Totals {
    const char *file;
    unsigned long long games;
    unsigned long long damaged;
    unsigned long long plies;
} Totals;

static void count_game(void *context, const ChessPgnGame *game) {
    Totals *totals = context;
    totals->games++;
    totals->damaged += game->damaged;
    totals->plies += game->plies;
}

static void print_problem(void *context, const ChessPgnProblem *problem) {
    const Totals *totals = context;
    printf("%s:%llu:%llu: game %llu: %s (%s)\n", totals->file, (unsigned long long)problem->line,
           (unsigned long long)problem->column, (unsigned long long)problem->game, problem->text,
           chess_pgn_fault_name(problem->fault));
}

// The reader works in memory of ours: a window on the text, and one board for each level of
// variations.
static bool validate(FILE *in, Totals *totals) {
    static unsigned char buffer[CHESS_PGN_BUFFER_MIN];
    static ChessPgnLine lines[16];
    static char chunk[16384];
    const ChessPgnOptions options = {
        .buffer = buffer,
        .buffer_size = sizeof buffer,
        .lines = lines,
        .line_count = JD_COUNT(lines),
    };
    const ChessPgnVisitor visitor = { .game_end = count_game, .problem = print_problem };
    ChessPgnReader reader;
    chess_pgn_init(&reader, &options, &visitor, totals);
    size_t size;
    while ((size = fread(chunk, 1, sizeof chunk, in)) > 0)
        if (!chess_pgn_push(&reader, jd_str_n(chunk, size)))
            break;
    chess_pgn_finish(&reader);
    return !ferror(in);
}

int main(int argc, char **argv) {
    Totals totals = { .file = "(standard input)" };
    bool read_all = true;
    if (argc < 2)
        read_all = validate(stdin, &totals);
    for (int i = 1; i < argc; i++) {
        FILE *in = fopen(argv[i], "rb");
        totals.file = argv[i];
        if (in == NULL || !validate(in, &totals)) {
            perror(argv[i]);
            read_all = false;
        }
        if (in != NULL)
            fclose(in);
    }
    printf("%llu games, %llu damaged, %llu plies\n", totals.games, totals.damaged, totals.plies);
    return !read_all ? 2 : totals.damaged > 0 ? 1 : 0;
}
