// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes games of random moves as PGN, half of them with clock readings, for measuring where no
// file of real games is at hand. usage: bench_pgn_games GAMES [SEED]
#include <jadoube/pgn.h>

#include <stdio.h>
#include <stdlib.h>

enum { PLIES_MAX = 80 };

static void to_stdout(void *context, JdStr text) {
    (void)context;
    fwrite(text.data, 1, text.size, stdout);
}

static void write_game(uint64_t number, uint64_t *seed) {
    char round[24];
    ChessPgnWriter writer;
    (void)jd_format(round, sizeof round, "%llu", (unsigned long long)number);
    ChessPgnTag tags[] = {
        { JD_STR("Event"), JD_STR("Random games") },
        { JD_STR("Date"), JD_STR("2024.01.01") },
        { JD_STR("Round"), jd_str(round) },
        { JD_STR("White"), JD_STR("Random Mover") },
        { JD_STR("Black"), JD_STR("Another Random Mover") },
        { JD_STR("TimeControl"), JD_STR("180+2") },
    };
    chess_pgn_writer_init(&writer, to_stdout, NULL, CHESS_FORM_PGN, CHESS_ENGLISH, CHESS_PGN_WIDTH);
    chess_pgn_write_tags(&writer, tags, JD_COUNT(tags), CHESS_PGN_UNKNOWN);
    ChessPosition pos = chess_position_start();
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        ChessMoveList legal;
        chess_moves_generate(&pos, &legal);
        if (legal.count == 0)
            break;
        const ChessMove move = legal.moves[jd_random_below(seed, (uint32_t)legal.count)];
        chess_pgn_write_move(&writer, &pos, move);
        chess_move_make(&pos, move, NULL);
        if (number % 2 == 0) {
            char clock[CHESS_PGN_CLOCK_SIZE];
            char comment[48];
            chess_pgn_clock_write(JD_SPAN_S(180 - ply), clock);
            (void)jd_format(comment, sizeof comment, "[%%clk %s]", clock);
            chess_pgn_write_comment(&writer, jd_str(comment));
        }
    }
    chess_pgn_write_result(&writer, CHESS_PGN_UNKNOWN);
}

int main(int argc, char **argv) {
    uint64_t games = 0;
    if (argc < 2 || !jd_parse_u64(jd_str(argv[1]), UINT32_MAX, &games)) {
        fprintf(stderr, "usage: bench_pgn_games GAMES [SEED]\n");
        return 2;
    }
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (uint64_t i = 1; i <= games; i++)
        write_game(i, &seed);
    return ferror(stdout) || fflush(stdout) != 0;
}
