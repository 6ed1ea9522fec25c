// SPDX-License-Identifier: GPL-3.0-or-later
//
// Published leaf counts of the legal move tree (Article 3). The quick run stops at a million nodes
// a row, "test_perft slow" at 300 million.
#include "support.h"

typedef struct Run {
    const char *file;
    uint64_t max_nodes;
    int rows;
    int failures;
} Run;

// By listing every move and making and taking back each, without counting in bulk.
static uint64_t listed_perft(ChessPosition *pos, int depth) {
    if (depth == 0)
        return 1;
    ChessMoveList legal;
    chess_moves_generate(pos, &legal);
    uint64_t nodes = 0;
    for (int i = 0; i < legal.count; i++) {
        ChessUndo undo;
        chess_move_make(pos, legal.moves[i], &undo);
        nodes += listed_perft(pos, depth - 1);
        chess_move_unmake(pos, legal.moves[i], &undo);
    }
    return nodes;
}

static void check_row(const char *line, int number, void *context) {
    Run *run = context;
    const char *counts = strchr(line, ';');
    assert_non_null(counts);
    char fen[CHESS_FEN_SIZE];
    snprintf(fen, sizeof fen, "%.*s", (int)(counts - line - 1), line);
    ChessPosition pos = position_from(fen);
    while (counts != NULL) {
        int depth = 0;
        unsigned long long expected = 0;
        assert_int_equal(sscanf(counts, ";D%d %llu", &depth, &expected), 2);
        counts = strchr(counts + 1, ';');
        if (expected > run->max_nodes)
            continue;
        const uint64_t counted = chess_perft(&pos, depth);
        const uint64_t listed = expected <= 100000 ? listed_perft(&pos, depth) : expected;
        if (counted != expected || listed != expected) {
            print_error("%s:%d depth %d: expected %llu, chess_perft %llu, listed %llu\n", run->file,
                        number, depth, expected, (unsigned long long)counted,
                        (unsigned long long)listed);
            run->failures++;
        }
    }
    run->rows++;
}

// With memory, kept over several depths and positions, also when it is far too small.
static void test_hashed(void **state) {
    (void)state;
    static ChessPerftEntry entries[4096];
    const size_t capacities[] = { 1, 64, 4096 };
    for (size_t i = 0; i < JD_COUNT(capacities); i++) {
        memset(entries, 0, sizeof entries);
        const ChessPosition start = chess_position_start();
        const ChessPosition crowded =
            position_from("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        assert_int_equal(chess_perft_hashed(&start, 5, entries, capacities[i]), 4865609);
        assert_int_equal(chess_perft_hashed(&crowded, 4, entries, capacities[i]), 4085603);
        assert_int_equal(chess_perft_hashed(&start, 4, entries, capacities[i]), 197281);
        assert_int_equal(chess_perft_hashed(&start, 1, entries, capacities[i]), 20);
        assert_int_equal(chess_perft_hashed(&start, 0, entries, capacities[i]), 1);
    }
}

static uint64_t max_nodes = 1000000;

static void check_file(const char *file, int rows) {
    Run run = { .file = file, .max_nodes = max_nodes };
    each_line(file, check_row, &run);
    assert_int_equal(run.failures, 0);
    assert_int_equal(run.rows, rows);
}

static void test_standard(void **state) {
    (void)state;
    check_file("perft/standard.epd", 36);
}

static void test_chess960_games(void **state) {
    (void)state;
    check_file("perft/chess960_games.epd", 12);
}

static void test_chess960_starts(void **state) {
    (void)state;
    const uint64_t all = max_nodes;
    if (all < 10000000)
        max_nodes = 20000; // depth 3; the slow run takes depth 4
    check_file("perft/chess960_starts.epd", 960);
    max_nodes = all;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "slow") == 0)
        max_nodes = 300000000;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standard),
        cmocka_unit_test(test_chess960_games),
        cmocka_unit_test(test_chess960_starts),
        cmocka_unit_test(test_hashed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
