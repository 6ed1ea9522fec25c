// SPDX-License-Identifier: GPL-3.0-or-later
//
// dead.h through its front: the table tests/data/dead/positions.txt, limits, memory, pieces of
// work. What our code answers is held against a second, plain game of chess (dead_plain.h).
#include "../check.h"

#include <jadoube/dead.h>

#include "dead_plain.h"
#include "dead_rows.h"
#include "dead_walls.h"

#define LINE_MAX_PLIES 2000
// Positions that the plain walk visits again here; the others were visited when the table was made.
#define WALK_AGAIN 1500

static unsigned char memory[64 << 20] __attribute__((aligned(16)));
static ChessMove line[LINE_MAX_PLIES];

static ChessPosition position(const char *fen) {
    ChessPosition pos;
    JdErr err;
    if (!chess_fen_parse(jd_str(fen), &pos, &err))
        fail_msg("%s: %s", fen, err.text);
    return pos;
}

static DeadAnswer ask(const ChessPosition *pos, ChessColor winner) {
    const DeadLimits limits = { .memory = memory, .memory_size = sizeof memory };
    return dead_can_mate(pos, winner, &limits, line, LINE_MAX_PLIES);
}

// A line of moves is a helpmate for winner by the plain game.
static bool mates(const char *fen, const char *moves, bool white_wins) {
    PlainBoard board;
    return plain_read(fen, &board) && plain_play(&board, moves) && board.white != white_wins &&
           plain_is_mate(&board);
}

static void write_line(const ChessPosition *from, uint32_t plies, char *out, size_t capacity) {
    ChessPosition pos = *from;
    size_t size = 0;
    out[0] = '\0';
    for (uint32_t ply = 0; ply < plies; ply++) {
        char uci[CHESS_UCI_SIZE];
        chess_uci_write(&pos, line[ply], uci);
        size += (size_t)snprintf(out + size, capacity - size, "%s%s", ply > 0 ? " " : "", uci);
        chess_move_make(&pos, line[ply], NULL);
    }
}

static void check_side(const DeadRow *row, const ChessPosition *pos, ChessColor winner) {
    static char text[LINE_MAX_PLIES * 6 + 1];
    const bool expected = row->verdict[winner] != '-';
    const DeadAnswer answer = ask(pos, winner);
    if (answer.verdict != (expected ? DEAD_POSSIBLE : DEAD_IMPOSSIBLE))
        fail_msg("positions.txt:%d: %s: %s to mate: %s, expected %s", row->number, row->fen,
                 winner == CHESS_WHITE ? "White" : "Black", dead_verdict_name(answer.verdict),
                 expected ? "possible" : "impossible");
    assert_int_equal(answer.winner, winner);
    if (!expected) {
        assert_true(answer.proof >= DEAD_BY_MATE && answer.line_size == 0);
        return;
    }
    assert_true(answer.line_size <= LINE_MAX_PLIES);
    write_line(pos, answer.line_size, text, sizeof text);
    if (!mates(row->fen, text, winner == CHESS_WHITE))
        fail_msg("positions.txt:%d: %s: no helpmate: %s", row->number, row->fen, text);
    // The table's own evidence.
    if (!mates(row->fen, row->line[winner], winner == CHESS_WHITE))
        fail_msg("positions.txt:%d: the line of the table is no helpmate: %s", row->number,
                 row->line[winner]);
}

static void test_table(void **state) {
    (void)state;
    DeadRows rows;
    dead_rows_open(&rows, TEST_DATA "/dead/positions.txt");
    DeadRow row;
    int count = 0;
    while (dead_rows_next(&rows, &row)) {
        count++;
        const ChessPosition pos = position(row.fen);
        check_side(&row, &pos, CHESS_WHITE);
        check_side(&row, &pos, CHESS_BLACK);
        const bool is_dead = row.verdict[0] == '-' && row.verdict[1] == '-';
        const DeadLimits limits = { .memory = memory, .memory_size = sizeof memory };
        const DeadAnswer anyone = dead_can_anyone_mate(&pos, &limits, NULL, 0);
        assert_int_equal(anyone.verdict, is_dead ? DEAD_IMPOSSIBLE : DEAD_POSSIBLE);
        if (row.walked > 0 && row.walked <= WALK_AGAIN) {
            PlainBoard board;
            PlainFindings found;
            assert_true(plain_read(row.fen, &board) && plain_enumerate(&board, WALK_AGAIN, &found));
            if (found.complete && found.positions != row.walked)
                fail_msg("positions.txt:%d: %llu positions, not %llu", row.number,
                         (unsigned long long)found.positions, (unsigned long long)row.walked);
            assert_true((row.verdict[0] != '-') == found.mated[1] || !found.complete);
            assert_true((row.verdict[1] != '-') == found.mated[0] || !found.complete);
        }
    }
    dead_rows_close(&rows);
    assert_true(count >= 1000);
    print_message("%d positions\n", count);
}

static void test_plain_game(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        int depth;
        uint64_t nodes;
    } perft[] = {
        // Published numbers (laws.md V-30 to V-33).
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 3, 8902 },
        { "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 3, 97862 },
        { "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 4, 43238 },
        { "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 3, 9467 },
    };
    for (size_t i = 0; i < JD_COUNT(perft); i++) {
        PlainBoard board;
        assert_true(plain_read(perft[i].fen, &board));
        assert_int_equal(plain_perft(&board, perft[i].depth), perft[i].nodes);
    }
}

static void test_ends_of_games(void **state) {
    (void)state;
    const ChessPosition mate =
        position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    DeadAnswer answer = ask(&mate, CHESS_BLACK);
    assert_int_equal(answer.verdict, DEAD_POSSIBLE);
    assert_int_equal(answer.proof, DEAD_BY_MATE);
    assert_int_equal(answer.line_size, 0);
    answer = ask(&mate, CHESS_WHITE);
    assert_int_equal(answer.verdict, DEAD_IMPOSSIBLE);
    assert_int_equal(answer.proof, DEAD_BY_MATE);
    const ChessPosition stalemate = position("5k2/5P2/5K2/8/8/8/8/8 b - - 0 1");
    answer = ask(&stalemate, CHESS_WHITE);
    assert_int_equal(answer.verdict, DEAD_IMPOSSIBLE);
    assert_int_equal(answer.proof, DEAD_BY_STALEMATE);
}

// The kind of proof for one position of each kind.
static void test_proofs(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        ChessColor winner;
        DeadProof proof;
    } rows[] = {
        { "8/8/8/4k3/8/2N5/8/4K3 w - - 0 1", CHESS_WHITE, DEAD_BY_MATERIAL },
        { "8/8/4k3/3q4/8/2N5/8/4K3 w - - 0 1", CHESS_WHITE, DEAD_BY_MATERIAL },
        { "8/8/4k3/3r4/8/2B5/8/4K3 w - - 0 1", CHESS_WHITE, DEAD_BY_MATERIAL },
        { "k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1", CHESS_WHITE, DEAD_BY_BLOCKADE },
        { "k1b5/8/8/1p1p1p1p/1P1P1P1P/8/8/K1B5 w - - 0 1", CHESS_BLACK, DEAD_BY_BLOCKADE },
        { "5r1K/8/5N1k/5Q2/8/8/8/8 w - - 0 1", CHESS_WHITE, DEAD_BY_FORCE },
        { "K7/8/kq6/8/1P6/8/8/8 w - - 0 1", CHESS_BLACK, DEAD_BY_FORCE },
        // A corner out of which nobody finds: more than a few lines.
        { "8/8/7p/5p1P/5p1K/5Pp1/6P1/5kb1 b - - 0 1", CHESS_BLACK, DEAD_BY_SEARCH },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        const ChessPosition pos = position(rows[i].fen);
        const DeadAnswer answer = ask(&pos, rows[i].winner);
        if (answer.verdict != DEAD_IMPOSSIBLE || answer.proof != rows[i].proof)
            fail_msg("%s: %s by %s, expected impossible by %s", rows[i].fen,
                     dead_verdict_name(answer.verdict), dead_proof_name(answer.proof),
                     dead_proof_name(rows[i].proof));
    }
}

// A limit of nodes is kept, and the answer says what was looked at.
static void test_node_limit(void **state) {
    (void)state;
    const ChessPosition pos = position("8/8/7p/5p1P/5p1K/5Pp1/6P1/5kb1 b - - 0 1");
    for (uint64_t nodes = 1; nodes < 20000; nodes *= 3) {
        const DeadLimits limits = { .nodes = nodes,
                                    .memory = memory,
                                    .memory_size = sizeof memory };
        const DeadAnswer answer = dead_can_mate(&pos, CHESS_BLACK, &limits, NULL, 0);
        assert_int_equal(answer.verdict, DEAD_UNKNOWN);
        assert_int_equal(answer.proof, DEAD_NOT_PROVED);
        assert_false(answer.out_of_memory);
        assert_in_range(answer.nodes, nodes, nodes + 8);
    }
    const ChessPosition open = position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    const DeadLimits one = { .nodes = 1, .memory = memory, .memory_size = sizeof memory };
    const DeadAnswer answer = dead_can_mate(&open, CHESS_WHITE, &one, NULL, 0);
    assert_int_equal(answer.verdict, DEAD_UNKNOWN);
    assert_in_range(answer.nodes, 1, 130);
}

// Too little memory gives no wrong answer, and the size of the memory no other one.
static void test_memory(void **state) {
    (void)state;
    const ChessPosition hard = position("8/8/7p/5p1P/5p1K/5Pp1/6P1/5kb1 b - - 0 1");
    DeadAnswer answer = dead_can_mate(&hard, CHESS_BLACK, NULL, NULL, 0);
    assert_int_equal(answer.verdict, DEAD_UNKNOWN);
    assert_true(answer.out_of_memory);
    const DeadLimits small = { .memory = memory, .memory_size = DEAD_JOB_MEMORY_MIN };
    answer = dead_can_mate(&hard, CHESS_BLACK, &small, NULL, 0);
    assert_int_equal(answer.verdict, DEAD_UNKNOWN);
    const DeadLimits middle = { .memory = memory, .memory_size = (size_t)8 << 20 };
    answer = dead_can_mate(&hard, CHESS_BLACK, &middle, NULL, 0);
    assert_int_equal(answer.verdict, DEAD_IMPOSSIBLE);
    const uint64_t nodes = answer.nodes;
    assert_int_equal(ask(&hard, CHESS_BLACK).nodes, nodes);
    // What stood in the memory before does not matter.
    memset(memory, 0xa5, sizeof memory);
    assert_int_equal(ask(&hard, CHESS_BLACK).nodes, nodes);
}

static void test_line_buffer(void **state) {
    (void)state;
    const ChessPosition pos = position("k7/8/8/1p1p1p2/1P1P1P2/8/8/K7 w - - 0 1");
    ChessMove part[4] = { 0, 0, 0, 0xffff };
    const DeadLimits limits = { .memory = memory, .memory_size = sizeof memory };
    const DeadAnswer answer = dead_can_mate(&pos, CHESS_WHITE, &limits, part, 3);
    assert_int_equal(answer.verdict, DEAD_POSSIBLE);
    assert_true(answer.line_size > 3);
    assert_int_equal(part[3], 0xffff);
    ask(&pos, CHESS_WHITE);
    assert_memory_equal(part, line, 3 * sizeof part[0]);
}

// In pieces it is the same work with the same outcome.
static void test_job(void **state) {
    (void)state;
    static const char *const fens[] = {
        "8/8/7p/5p1P/5p1K/5Pp1/6P1/5kb1 b - - 0 1",
        "k7/8/8/1p1p1p2/1P1P1P2/8/8/K7 w - - 0 1",
        "8/8/4k3/3n4/8/2N5/8/4K3 w - - 0 1",
        "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
    };
    for (size_t i = 0; i < JD_COUNT(fens); i++) {
        const ChessPosition pos = position(fens[i]);
        const DeadAnswer whole = ask(&pos, CHESS_BLACK);
        static ChessMove whole_line[LINE_MAX_PLIES];
        memcpy(whole_line, line, sizeof whole_line);
        DeadJob *job = dead_job_begin(&pos, CHESS_BLACK, UINT64_MAX, memory, sizeof memory);
        DeadAnswer answer = dead_job_run(job, 0);
        int pieces = 1;
        for (; answer.verdict == DEAD_UNKNOWN; pieces++)
            answer = dead_job_run(job, 100);
        assert_int_equal(answer.verdict, whole.verdict);
        assert_int_equal(answer.proof, whole.proof);
        assert_int_equal(answer.nodes, whole.nodes);
        assert_int_equal(dead_job_line(job, line, LINE_MAX_PLIES), whole.line_size);
        assert_memory_equal(line, whole_line, whole.line_size * sizeof line[0]);
        if (i == 0)
            assert_true(pieces > 100);
    }
}

// ---- ends of games ------------------------------------------------------------------------------

// Ends of real games lost on time, of kinds that once took a search of thousands of positions and
// are built now.
#define END_NODES 1000

static void test_ends_are_cheap(void **state) {
    (void)state;
    static const struct {
        const char *fen;
        ChessColor winner;
    } ends[] = {
        // A pawn becomes a knight, who blocks his king in; the bishop strikes beside him.
        { "8/2k2K2/Pb6/8/8/8/8/8 w - - 8 65", CHESS_BLACK },
        { "6k1/6b1/6P1/8/4K3/8/8/8 w - - 7 63", CHESS_BLACK },
        { "8/8/8/8/b7/2K5/4N3/1k6 w - - 42 77", CHESS_BLACK },
        { "5N1k/7P/5Kb1/8/8/8/8/8 w - - 0 89", CHESS_BLACK },
        // The king has to walk to what can be taken.
        { "8/8/8/7p/7P/1b1pk3/8/2K5 b - - 7 63", CHESS_WHITE },
        { "8/4B3/8/5k1p/p3b2P/P5K1/8/8 b - - 8 51", CHESS_WHITE },
        { "6k1/p1p2p2/2p4p/6p1/8/6K1/P7/8 b - - 1 37", CHESS_WHITE },
        // He stands before his own pawn.
        { "8/5P2/4K3/p7/Pb6/8/3k4/8 b - - 0 69", CHESS_WHITE },
        { "8/7K/8/4q3/5q1p/7P/2k5/8 b - - 5 57", CHESS_WHITE },
        // Giving everything away ends in mate.
        { "3rr1k1/1p3ppp/p4n2/3P1p2/8/P3BK2/1P6/R7 b - - 0 31", CHESS_WHITE },
        { "6rk/pR3prp/8/8/8/P4P1P/8/2R4K w - - 1 32", CHESS_BLACK },
    };
    for (size_t i = 0; i < JD_COUNT(ends); i++) {
        const ChessPosition pos = position(ends[i].fen);
        const DeadAnswer answer = ask(&pos, ends[i].winner);
        static char text[LINE_MAX_PLIES * 6 + 1];
        write_line(&pos, answer.line_size, text, sizeof text);
        if (answer.verdict != DEAD_POSSIBLE || answer.nodes > END_NODES ||
            !mates(ends[i].fen, text, ends[i].winner == CHESS_WHITE))
            fail_msg("%s: %s after %llu positions, expected a helpmate within %d: %s", ends[i].fen,
                     dead_verdict_name(answer.verdict), (unsigned long long)answer.nodes, END_NODES,
                     text);
    }
}

// ---- walls --------------------------------------------------------------------------------------

// A position looked at takes 0.2 to 0.35 microseconds, so this is 2 to 3.5 milliseconds: well under
// the 10 that a blocked wall may take.
#define WALL_NODES 10000
#define WALLS 1500

static void test_walls_are_cheap(void **state) {
    (void)state;
    uint64_t seed = 2024;
    int closed = 0;
    int walked = 0;
    for (int wall = 0; wall < WALLS;) {
        char fen[DEAD_WALL_SIZE];
        if (!dead_random_wall(&seed, fen))
            continue;
        wall++;
        const ChessPosition pos = position(fen);
        bool can[2];
        for (int color = 0; color < 2; color++) {
            const DeadAnswer answer = ask(&pos, (ChessColor)color);
            assert_int_not_equal(answer.verdict, DEAD_UNKNOWN);
            can[color] = answer.verdict == DEAD_POSSIBLE;
            if (answer.nodes > WALL_NODES)
                fail_msg("%s: %llu positions were looked at, expected at most %d", fen,
                         (unsigned long long)answer.nodes, WALL_NODES);
        }
        if (can[0] || can[1])
            continue;
        closed++;
        // Whatever can be reached behind a wall is soon walked through, by the other program.
        PlainBoard board;
        PlainFindings found;
        assert_true(plain_read(fen, &board));
        assert_true(plain_enumerate(&board, 1500, &found));
        walked += found.complete;
        assert_false(found.mated[0] || found.mated[1]);
    }
    assert_true(closed >= 40);
    assert_true(walked >= 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_game),     cmocka_unit_test(test_table),
        cmocka_unit_test(test_ends_of_games),  cmocka_unit_test(test_proofs),
        cmocka_unit_test(test_node_limit),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_line_buffer),    cmocka_unit_test(test_job),
        cmocka_unit_test(test_ends_are_cheap), cmocka_unit_test(test_walls_are_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
