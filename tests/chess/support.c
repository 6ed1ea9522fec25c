// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

ChessPosition position_from(const char *fen) {
    ChessPosition pos;
    JdErr err;
    if (!chess_fen_parse(jd_str(fen), &pos, &err))
        fail_msg("\"%s\": %s, byte %u: %s", fen, err.field, (unsigned)err.offset, err.text);
    return pos;
}

void each_line(const char *file, void (*visit)(const char *line, int number, void *context),
               void *context) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, file);
    FILE *in = fopen(path, "r");
    if (in == NULL)
        fail_msg("cannot open %s", path);
    char line[2048];
    int number = 0;
    int visited = 0;
    while (fgets(line, sizeof line, in) != NULL) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0')
            continue;
        visit(line, number, context);
        visited++;
    }
    fclose(in);
    assert_true(visited > 0);
}

uint64_t announce_seed(void) {
    const char *text = getenv("JADOUBE_SEED");
    const uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : 20230101;
    print_message("JADOUBE_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

void each_random_position(uint64_t *seed, int games, int max_plies, Visit *visit, void *context) {
    static const char *const crowded[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "1k6/8/8/1rR1pP1K/8/8/8/8 w - e6 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", // 218 moves
    };
    for (int game = 0; game < games; game++) {
        const uint32_t choice = jd_random_below(seed, 3);
        ChessPosition pos = choice == 0 ? chess_position_start()
                            : choice == 1
                                ? chess960_start((int)jd_random_below(seed, 960))
                                : position_from(crowded[jd_random_below(seed, JD_COUNT(crowded))]);
        for (int ply = 0; ply < max_plies; ply++) {
            ChessMoveList legal;
            chess_moves_generate(&pos, &legal);
            visit(&pos, &legal, context);
            if (legal.count == 0)
                break;
            chess_move_make(&pos, legal.moves[jd_random_below(seed, (uint32_t)legal.count)], NULL);
        }
    }
}

const char *fen_of(const ChessPosition *pos) {
    static char fen[CHESS_FEN_SIZE];
    chess_fen_write(pos, CHESS_FEN_EP_ALWAYS, fen);
    return fen;
}
