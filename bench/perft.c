// SPDX-License-Identifier: GPL-3.0-or-later
//
// Speed of the move generator: leaf counts of one position, one thread, no memory of what was
// counted.
//
//   bench_perft perft DEPTH FEN   chess_perft
//   bench_perft calls DEPTH FEN   the same by calls of the public functions: chess_moves_generate,
//                                 chess_move_make on a copy, chess_moves_count at the last ply
//
// Prints the nodes and the nanoseconds they took. bench/perft.py runs it over the standard
// positions.
#include <jadoube/chess.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t perft_by_calls(const ChessPosition *pos, int depth) {
    if (depth <= 1)
        return depth == 0 ? 1 : (uint64_t)chess_moves_count(pos);
    ChessMoveList legal;
    chess_moves_generate(pos, &legal);
    uint64_t nodes = 0;
    for (int i = 0; i < legal.count; i++) {
        ChessPosition after = *pos;
        chess_move_make(&after, legal.moves[i], NULL);
        nodes += perft_by_calls(&after, depth - 1);
    }
    return nodes;
}

static long long now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: bench_perft perft|calls DEPTH FEN\n");
        return 2;
    }
    const bool by_calls = strcmp(argv[1], "calls") == 0;
    const int depth = (int)strtol(argv[2], NULL, 10);
    ChessPosition pos;
    JdErr err = { 0 };
    if (depth < 0 || depth > CHESS_PERFT_DEPTH_MAX ||
        !chess_fen_parse(jd_str(argv[3]), &pos, &err)) {
        fprintf(stderr, "bench_perft: bad depth or position: %s\n", err.text);
        return 1;
    }
    const long long start = now_ns();
    const uint64_t nodes = by_calls ? perft_by_calls(&pos, depth) : chess_perft(&pos, depth);
    printf("%llu %lld\n", (unsigned long long)nodes, now_ns() - start);
    return 0;
}
