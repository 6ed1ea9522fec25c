// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules by which dead.h proves without searching: the material lemmas gone through case by
// case, and the rule of blockades held against plain walks through every reachable position on
// boards of its own kind.
#include "../check.h"

#include <jadoube/dead.h>

#include "dead_make.h"
#include "dead_plain.h"

static unsigned char memory[16 << 20] __attribute__((aligned(16)));

// ---- squares ------------------------------------------------------------------------------------

static int distance(int a, int b) {
    const int files = abs(a % 8 - b % 8);
    const int ranks = abs(a / 8 - b / 8);
    return files > ranks ? files : ranks;
}

static bool are_a_jump_apart(int a, int b) {
    return abs(a % 8 - b % 8) * abs(a / 8 - b / 8) == 2;
}

// Whether a queen on from attacks to past the men of occupied.
static bool queen_attacks(int from, int to, uint64_t occupied) {
    const int files = to % 8 - from % 8;
    const int ranks = to / 8 - from / 8;
    if (from == to || (files != 0 && ranks != 0 && abs(files) != abs(ranks)))
        return false;
    const int step = (files > 0) - (files < 0) + 8 * ((ranks > 0) - (ranks < 0));
    for (int square = from + step; square != to; square += step)
        if ((occupied >> square & 1) != 0)
            return false;
    return true;
}

// Lemma L4 (U-19 of the specification), and the core of L3. With kings and bishops of one square
// colour alone, whoever owns them and however many: wherever the kings stand, beside the one to be
// mated there is a square of the other colour that the other king does not attack. No bishop ever
// stands there or attacks it, so it is always a flight; and a king on the other colour is never in
// check. All placings of two kings are all cases, for no bishop changes any of it.
static void test_bishops_of_one_color_never_mate(void **state) {
    (void)state;
    int cases = 0;
    for (int king = 0; king < 64; king++)
        for (int other = 0; other < 64; other++) {
            if (distance(king, other) < 2)
                continue;
            int flights = 0;
            for (int square = 0; square < 64; square++)
                flights += distance(square, king) == 1 && distance(square, other) > 1 &&
                           (square / 8 + square % 8) % 2 != (king / 8 + king % 8) % 2;
            if (flights == 0)
                fail_msg("kings on %d and %d: no flight on the other colour", king, other);
            cases++;
        }
    assert_int_equal(cases, 3612); // ways to put two kings that do not touch
    ChessPosition pos;
    assert_true(chess_fen_parse(JD_STR("8/7k/2b1b3/8/2B1B3/8/8/K7 b - - 0 1"), &pos, NULL));
    const DeadLimits limits = { .memory = memory, .memory_size = sizeof memory };
    for (int color = 0; color < 2; color++) {
        const DeadAnswer answer = dead_can_mate(&pos, (ChessColor)color, &limits, NULL, 0);
        assert_int_equal(answer.verdict, DEAD_IMPOSSIBLE);
        assert_int_equal(answer.proof, DEAD_BY_MATERIAL);
    }
}

// Lemma L2. King and knight against king and queens: whatever mate one tries to build, some queen
// that blocks a square beside the mated king takes the knight. A queen more, wherever she stands,
// is one taker more or shuts off another one only by standing on her line to the knight, from where
// she takes it herself.
static void test_knight_never_mates_queens(void **state) {
    (void)state;
    int cases = 0;
    for (int king = 0; king < 64; king++)
        for (int knight = 0; knight < 64; knight++) {
            if (!are_a_jump_apart(king, knight))
                continue;
            for (int other = 0; other < 64; other++) {
                if (other == knight || distance(other, king) < 2)
                    continue;
                uint64_t blocked = 0;
                for (int square = 0; square < 64; square++)
                    if (distance(square, king) == 1 && distance(square, other) != 1 &&
                        !are_a_jump_apart(square, knight))
                        blocked |= UINT64_C(1) << square;
                const uint64_t occupied = blocked | UINT64_C(1) << king | UINT64_C(1) << other;
                bool is_taken = false;
                for (int square = 0; square < 64; square++)
                    is_taken |=
                        (blocked >> square & 1) != 0 && queen_attacks(square, knight, occupied);
                if (!is_taken)
                    fail_msg("king %d, knight %d, king %d: nobody takes the knight", king, knight,
                             other);
                cases++;
            }
        }
    assert_true(cases > 10000);
}

// Lemma L3. Beside the first square of the checking diagonal and orthogonally beside the mated king
// there is a square that the bishops' king does not attack: a rook or queen has to block it, and
// goes to that square.
static void test_bishops_never_mate_rooks(void **state) {
    (void)state;
    int cases = 0;
    for (int king = 0; king < 64; king++)
        for (int diagonal = 0; diagonal < 4; diagonal++) {
            const int file = king % 8 + (diagonal & 1 ? 1 : -1);
            const int rank = king / 8 + (diagonal & 2 ? 1 : -1);
            if (file < 0 || file > 7 || rank < 0 || rank > 7)
                continue;
            const int beside[2] = { king / 8 * 8 + file, rank * 8 + king % 8 };
            for (int other = 0; other < 64; other++) {
                if (distance(other, king) < 2)
                    continue;
                assert_true(distance(other, beside[0]) > 1 || distance(other, beside[1]) > 1 ||
                            other == rank * 8 + file);
                cases++;
            }
            // A man on either square attacks the first square of the diagonal along rank or file.
            assert_true(distance(beside[0], rank * 8 + file) == 1 &&
                        distance(beside[1], rank * 8 + file) == 1);
        }
    assert_true(cases > 8000);
}

// The other direction: with the least material that no lemma excludes there is a mate.
static void test_least_material_mates(void **state) {
    (void)state;
    static const char *const mates[] = {
        "8/8/8/8/8/1N6/p1K5/k7 b - - 0 1",  // knight v pawn
        "kn6/2N5/1K6/8/8/8/8/8 b - - 0 1",  // knight v knight
        "kb6/8/KN6/8/8/8/8/8 b - - 0 1",    // knight v bishop
        "kr6/2N5/K7/8/8/8/8/8 b - - 0 1",   // knight v rook
        "8/8/8/8/3B4/8/p1K5/k7 b - - 0 1",  // bishop v pawn
        "6nk/6B1/6K1/8/8/8/8/8 b - - 0 1",  // bishop v knight
        "kb6/8/1K6/8/4B3/8/8/8 b - - 0 1",  // bishop v bishop of the other colour
        "k7/2N5/K1N5/8/8/8/8/8 b - - 0 1",  // two knights
        "k7/8/1K1B4/8/4B3/8/8/8 b - - 0 1", // bishops of both colours
        "k7/3N4/1K6/8/4B3/8/8/8 b - - 0 1", // bishop and knight
        "k6R/8/1K6/8/8/8/8/8 b - - 0 1",    // rook
        "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1",   // queen
    };
    for (size_t i = 0; i < JD_COUNT(mates); i++) {
        ChessPosition pos;
        JdErr err;
        if (!chess_fen_parse(jd_str(mates[i]), &pos, &err))
            fail_msg("%s: %s", mates[i], err.text);
        PlainBoard board;
        assert_true(plain_read(mates[i], &board));
        if (!chess_is_checkmate(&pos) || !plain_is_mate(&board))
            fail_msg("no mate: %s", mates[i]);
        assert_int_equal(dead_can_mate(&pos, CHESS_WHITE, NULL, NULL, 0).verdict, DEAD_POSSIBLE);
    }
}

// ---- rules against walks ------------------------------------------------------------------------

typedef struct Tally {
    int asked;
    int impossible[DEAD_BY_SEARCH + 1]; // by kind of proof, those that were walked through
} Tally;

static void compare_with_walk(const char *fen, uint64_t walk_limit, Tally *tally) {
    ChessPosition pos;
    JdErr err;
    if (!chess_fen_parse(jd_str(fen), &pos, &err))
        return;
    DeadAnswer answers[2];
    for (int color = 0; color < 2; color++) {
        const DeadLimits limits = { .memory = memory, .memory_size = sizeof memory };
        answers[color] = dead_can_mate(&pos, (ChessColor)color, &limits, NULL, 0);
        assert_int_not_equal(answers[color].verdict, DEAD_UNKNOWN);
    }
    tally->asked++;
    if (answers[0].verdict == DEAD_POSSIBLE && answers[1].verdict == DEAD_POSSIBLE)
        return; // a helpmate was played through; there is nothing to hold against it
    PlainBoard board;
    PlainFindings found;
    assert_true(plain_read(fen, &board) && plain_enumerate(&board, walk_limit, &found));
    for (int color = 0; color < 2; color++) {
        if (answers[color].verdict != DEAD_IMPOSSIBLE)
            continue;
        if (found.mated[color ^ 1])
            fail_msg("%s: %s was declared unable to mate by %s and mates in %d plies", fen,
                     color == 0 ? "White" : "Black", dead_proof_name(answers[color].proof),
                     found.plies[color ^ 1]);
        if (found.complete)
            tally->impossible[answers[color].proof]++;
    }
}

// Positions of every kind; what is declared impossible is walked through as far as walk_limit
// allows.
static void test_against_walks(void **state) {
    (void)state;
    // Forced lines end in king against king, which alone is 7,224 positions: fewer of them, longer
    // walks.
    static const struct {
        const char *kind;
        int count;
        uint64_t walk_limit;
    } runs[] = {
        { "wall", 500, 3000 },      { "chain", 1000, 3000 },   { "passing", 600, 3000 },
        { "corner", 8000, 200 },    { "corner", 400, 8000 },   { "near", 1500, 3000 },
        { "promotion", 300, 1000 }, { "castling", 300, 1000 }, { "minor", 100, 1000 },
    };
    Tally all = { 0 };
    for (size_t i = 0; i < JD_COUNT(runs); i++) {
        int kind = 0;
        while (strcmp(dead_kind_name(kind), runs[i].kind) != 0)
            kind++;
        Tally tally = { 0 };
        uint64_t seed = 20260105 + i;
        for (int n = 0; n < runs[i].count; n++) {
            char fen[DEAD_FEN_SIZE];
            dead_make(kind, &seed, fen);
            compare_with_walk(fen, runs[i].walk_limit, &tally);
        }
        print_message("%s: %d positions;", runs[i].kind, tally.asked);
        for (int proof = DEAD_BY_MATE; proof <= DEAD_BY_SEARCH; proof++) {
            print_message(" %d %s", tally.impossible[proof], dead_proof_name((DeadProof)proof));
            all.impossible[proof] += tally.impossible[proof];
        }
        print_message("\n");
    }
    assert_true(all.impossible[DEAD_BY_STALEMATE] >= 40);
    assert_true(all.impossible[DEAD_BY_BLOCKADE] >= 200);
    assert_true(all.impossible[DEAD_BY_FORCE] >= 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bishops_of_one_color_never_mate),
        cmocka_unit_test(test_knight_never_mates_queens),
        cmocka_unit_test(test_bishops_never_mate_rooks),
        cmocka_unit_test(test_least_material_mates),
        cmocka_unit_test(test_against_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
