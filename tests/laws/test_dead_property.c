// SPDX-License-Identifier: GPL-3.0-or-later
//
// What must hold of every verdict, whatever the position: no mate ever happens that was declared
// impossible, the board turned or mirrored gets the same verdict, "impossible" stays so after every
// move, and neither earlier questions nor other threads change an answer.
#include "../check.h"

#include <pthread.h>

#include <jadoube/dead.h>

#include "dead_make.h"

#define MEMORY_SIZE ((size_t)32 << 20)

static unsigned char memory[MEMORY_SIZE] __attribute__((aligned(16)));

static DeadAnswer ask(const ChessPosition *pos, ChessColor winner, ChessMove *line,
                      uint32_t capacity) {
    const DeadLimits limits = { .memory = memory, .memory_size = sizeof memory };
    return dead_can_mate(pos, winner, &limits, line, capacity);
}

static const char *fen_of(const ChessPosition *pos) {
    static char fen[CHESS_FEN_SIZE];
    chess_fen_write(pos, CHESS_FEN_EP_LEGAL, fen);
    return fen;
}

// The next legal position of the kind.
static ChessPosition make(int kind, uint64_t *seed) {
    for (;;) {
        char fen[DEAD_FEN_SIZE];
        ChessPosition pos;
        JdErr err;
        dead_make(kind, seed, fen);
        if (chess_fen_parse(jd_str(fen), &pos, &err))
            return pos;
    }
}

// Random games, mostly of heavy pieces against few men so that many end in mate. Each position on
// the way to a mate must have been one from which the winner can mate.
static void test_mates_of_random_games(void **state) {
    (void)state;
    uint64_t seed = 41;
    int mates = 0;
    for (int game = 0; game < 3000; game++) {
        static ChessPosition seen[200];
        int plies = 0;
        ChessPosition pos = make(game % DEAD_KIND_COUNT, &seed);
        for (; plies < 200; plies++) {
            seen[plies] = pos;
            ChessMoveList list;
            chess_moves_generate(&pos, &list);
            if (list.count == 0)
                break;
            // A mate is taken when there is one, a check more often than other moves.
            ChessMove move = list.moves[jd_random_below(&seed, (uint32_t)list.count)];
            for (int i = 0; i < list.count; i++) {
                if (!chess_move_gives_check(&pos, list.moves[i]))
                    continue;
                ChessPosition after = pos;
                chess_move_make(&after, list.moves[i], NULL);
                if (!chess_has_legal_move(&after) || jd_random_below(&seed, 4) == 0)
                    move = list.moves[i];
            }
            chess_move_make(&pos, move, NULL);
        }
        if (plies == 200 || !chess_is_checkmate(&pos))
            continue;
        mates++;
        const ChessColor winner = chess_other((ChessColor)pos.side_to_move);
        for (int ply = plies; ply >= 0; ply -= 1 + plies / 20)
            if (ask(&seen[ply], winner, NULL, 0).verdict != DEAD_POSSIBLE)
                fail_msg("game %d: mated %d plies after %s", game, plies - ply, fen_of(&seen[ply]));
    }
    print_message("%d mates\n", mates);
    assert_true(mates > 200);
}

// Along its own helpmate a position stays one from which there is a mate.
static void test_along_the_line(void **state) {
    (void)state;
    uint64_t seed = 42;
    for (int i = 0; i < 400; i++) {
        ChessPosition pos = make(i % DEAD_KIND_COUNT, &seed);
        const ChessColor winner = (ChessColor)(i & 1);
        ChessMove line[1000];
        const DeadAnswer answer = ask(&pos, winner, line, JD_COUNT(line));
        if (answer.verdict != DEAD_POSSIBLE)
            continue;
        for (uint32_t ply = 0; ply < answer.line_size && ply < JD_COUNT(line); ply++) {
            assert_true(chess_move_is_legal(&pos, line[ply]));
            chess_move_make(&pos, line[ply], NULL);
            if (ply % 7 == 0 && ask(&pos, winner, NULL, 0).verdict != DEAD_POSSIBLE)
                fail_msg("lost on the way to mate: %s", fen_of(&pos));
        }
    }
}

static void test_symmetry(void **state) {
    (void)state;
    uint64_t seed = 43;
    for (int i = 0; i < 3000; i++) {
        const ChessPosition pos = make(i % DEAD_KIND_COUNT, &seed);
        if (pos.castling_rights != 0)
            continue;
        const ChessPosition mirrored = chess_position_mirrored(&pos);
        const ChessPosition rotated = chess_position_rotated(&pos);
        for (int color = 0; color < 2; color++) {
            const ChessColor winner = (ChessColor)color;
            const uint8_t verdict = ask(&pos, winner, NULL, 0).verdict;
            assert_int_not_equal(verdict, DEAD_UNKNOWN);
            if (ask(&mirrored, winner, NULL, 0).verdict != verdict)
                fail_msg("not as its mirror image: %s", fen_of(&pos));
            if (ask(&rotated, chess_other(winner), NULL, 0).verdict != verdict)
                fail_msg("not as with colours exchanged: %s", fen_of(&pos));
        }
    }
}

static void test_impossible_stays(void **state) {
    (void)state;
    uint64_t seed = 44;
    int positions = 0;
    for (int i = 0; i < 6000; i++) {
        const ChessPosition pos = make(i % DEAD_KIND_COUNT, &seed);
        for (int color = 0; color < 2; color++) {
            if (ask(&pos, (ChessColor)color, NULL, 0).verdict != DEAD_IMPOSSIBLE)
                continue;
            positions++;
            ChessMoveList list;
            chess_moves_generate(&pos, &list);
            for (int n = 0; n < list.count; n++) {
                ChessPosition after = pos;
                chess_move_make(&after, list.moves[n], NULL);
                if (ask(&after, (ChessColor)color, NULL, 0).verdict != DEAD_IMPOSSIBLE)
                    fail_msg("impossible, but not after a move: %s", fen_of(&pos));
            }
        }
    }
    print_message("%d positions\n", positions);
    assert_true(positions > 500);
}

// The watch says after every move of a game what the plain question says, and its line is a
// helpmate.
static void test_watch(void **state) {
    (void)state;
    uint64_t seed = 45;
    int moves = 0;
    for (int game = 0; game < 150; game++) {
        ChessPosition pos =
            game % 3 == 0 ? chess_position_start() : make(game % DEAD_KIND_COUNT, &seed);
        DeadWatch watch = { 0 };
        for (int ply = 0; ply < 120; ply++) {
            ChessMoveList list;
            chess_moves_generate(&pos, &list);
            if (list.count == 0)
                break;
            const ChessPosition before = pos;
            const ChessMove move = list.moves[jd_random_below(&seed, (uint32_t)list.count)];
            chess_move_make(&pos, move, NULL);
            const DeadLimits limits = { .memory = memory, .memory_size = sizeof memory };
            const DeadAnswer answer = dead_watch_move(&watch, &before, move, &pos, &limits);
            const DeadAnswer plain = dead_can_anyone_mate(&pos, &limits, NULL, 0);
            if (answer.verdict != plain.verdict)
                fail_msg("the watch says %s: %s", dead_verdict_name(answer.verdict), fen_of(&pos));
            moves++;
            if (answer.verdict != DEAD_POSSIBLE || watch.size == 0)
                continue;
            ChessPosition end = pos;
            for (int i = 0; i < watch.size; i++) {
                assert_true(chess_move_is_legal(&end, watch.line[i]));
                chess_move_make(&end, watch.line[i], NULL);
            }
            assert_true(chess_is_checkmate(&end) && end.side_to_move != watch.winner);
        }
    }
    print_message("%d moves\n", moves);
}

typedef struct Worker {
    pthread_t thread;
    uint64_t seed;
    uint64_t digest;
} Worker;

static void *work(void *argument) {
    Worker *worker = argument;
    unsigned char *own = aligned_alloc(16, MEMORY_SIZE);
    // Positions are made outside the threads: dead_make keeps a state.
    static const char *const fens[] = {
        "k7/8/8/1p1p1p2/1P1P1P2/8/8/K7 w - - 0 1",
        "8/8/7p/5p1P/5p1K/5Pp1/6P1/5kb1 b - - 0 1",
        "k1b5/8/8/1p1p1p1p/1P1P1P1P/8/8/K1B5 w - - 0 1",
        "8/8/4k3/3n4/8/2N5/8/4K3 w - - 0 1",
        "b6b/5k2/8/p1p2p2/P1P1pP2/4P3/8/K4B2 w - - 0 1",
        "6bk/6p1/6P1/8/8/8/8/K7 b - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    };
    worker->digest = JD_HASH_START;
    for (int round = 0; round < 21; round++) {
        ChessPosition pos;
        JdErr err;
        const size_t pick = (size_t)round % JD_COUNT(fens);
        if (!chess_fen_parse(jd_str(fens[pick]), &pos, &err))
            break;
        // Each worker goes through the same questions, but asks others in between.
        const DeadLimits limits = { .memory = own, .memory_size = MEMORY_SIZE };
        const ChessPosition between = chess960_start((int)jd_random_below(&worker->seed, 960));
        dead_can_mate(&between, CHESS_WHITE, &limits, NULL, 0);
        ChessMove line[400] = { 0 };
        const DeadAnswer answer =
            dead_can_mate(&pos, (ChessColor)(round & 1), &limits, line, JD_COUNT(line));
        worker->digest = jd_hash(worker->digest, &answer, sizeof answer);
        worker->digest = jd_hash(worker->digest, line, sizeof line);
    }
    free(own);
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    Worker workers[3] = { { .seed = 1 }, { .seed = 2 }, { .seed = 3 } };
    for (size_t i = 0; i < JD_COUNT(workers); i++)
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    for (size_t i = 0; i < JD_COUNT(workers); i++)
        pthread_join(workers[i].thread, NULL);
    assert_int_equal(workers[0].digest, workers[1].digest);
    assert_int_equal(workers[0].digest, workers[2].digest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mates_of_random_games),
        cmocka_unit_test(test_along_the_line),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_impossible_stays),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
