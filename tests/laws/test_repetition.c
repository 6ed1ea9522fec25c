// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counting positions (Article 9.2): against a count over the whole game by comparison alone, and
// with keys that lie.
#include "scenario.h"

#define PLIES 400

static LawsPly plies[PLIES];
static ChessPosition positions[PLIES + 1];

static void start_game(LawsGame *game, const ChessPosition *start) {
    LawsSetup setup = { .start = *start,
                        .edition = LAWS_FIDE_2009, // no automatic draws
                        .pace = LAWS_STANDARD,
                        .supervised = 1 };
    laws_game_init(game, &setup, plies, PLIES);
    const LawsEvent begin = { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER };
    assert_int_equal(laws_apply(game, &begin, (JdInstant) { 0 }).refusal, LAWS_NOT_REFUSED);
    positions[0] = game->position;
}

static LawsVerdict play(LawsGame *game, ChessMove move) {
    const LawsEvent event = { .kind = LAWS_EVENT_MOVE,
                              .actor = game->position.side_to_move,
                              .move = move };
    const LawsVerdict verdict = laws_apply(game, &event, (JdInstant) { 0 });
    positions[game->ply_count] = game->position;
    return verdict;
}

static int brute_count(const LawsGame *game, const ChessPosition *wanted) {
    int count = 0;
    for (uint32_t i = 0; i <= game->ply_count; i++)
        count += chess_position_same(&positions[i], wanted);
    return count;
}

static void check_counts(const LawsGame *game, uint64_t seed) {
    const int expected = brute_count(game, &game->position);
    if (laws_repetition_count(game, CHESS_NO_MOVE) != expected)
        fail_msg("seed %llu, ply %u: %d, expected %d", (unsigned long long)seed, game->ply_count,
                 laws_repetition_count(game, CHESS_NO_MOVE), expected);
    ChessMoveList list;
    chess_moves_generate(&game->position, &list);
    for (int i = 0; i < list.count; i++) {
        ChessPosition after = game->position;
        chess_move_make(&after, list.moves[i], NULL);
        const int with_move = 1 + brute_count(game, &after);
        if (laws_repetition_count(game, list.moves[i]) != with_move)
            fail_msg("seed %llu, ply %u, move %d: %d, expected %d", (unsigned long long)seed,
                     game->ply_count, i, laws_repetition_count(game, list.moves[i]), with_move);
        const bool right = with_move >= 3 || (after.halfmove_clock >= 100);
        assert_int_equal(laws_claim_is_right(game, list.moves[i]), right);
    }
}

static void test_against_whole_game(void **state) {
    (void)state;
    static const char *const starts[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/3p1p2/8/2P1P1P1/8/8/8/4K3 b - - 0 1",
        "7k/8/8/8/8/8/8/NK5N w - - 0 1",
        "k7/7p/8/8/8/8/P7/7K w - - 40 60",
    };
    int third_times = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        ChessPosition start;
        assert_true(parse_position(jd_str(starts[seed % JD_COUNT(starts)]), &start));
        LawsGame game;
        start_game(&game, &start);
        uint64_t chance = seed;
        while (game.state == LAWS_RUNNING && game.ply_count < 120) {
            ChessMoveList list;
            chess_moves_generate(&game.position, &list);
            ChessMove move = list.moves[jd_random_below(&chance, (uint32_t)list.count)];
            if (game.ply_count >= 2 && jd_random_below(&chance, 4) > 0) {
                const ChessMove last = plies[game.ply_count - 2].move;
                const ChessMove back =
                    (ChessMove)(chess_move_to(last) | (unsigned)chess_move_from(last) << 6);
                if (chess_move_is_legal(&game.position, back))
                    move = back;
            }
            assert_int_equal(play(&game, move).refusal, LAWS_NOT_REFUSED);
            if (game.state == LAWS_RUNNING)
                check_counts(&game, seed);
            third_times += laws_repetition_count(&game, CHESS_NO_MOVE) >= 3;
        }
    }
    assert_true(third_times > 100);
}

static void play_text(LawsGame *game, const char *moves) {
    JdStr rest = jd_str(moves);
    while (rest.size > 0) {
        const ChessMove move = parse_move(jd_str_cut(&rest, ' '), &game->position);
        assert_int_not_equal(move, CHESS_NO_MOVE);
        assert_int_equal(play(game, move).refusal, LAWS_NOT_REFUSED);
    }
}

// Two positions may share a key; they are not the same for that.
static void test_false_keys(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    LawsGame game;
    start_game(&game, &start);
    play_text(&game, "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8");
    assert_int_equal(laws_repetition_count(&game, CHESS_NO_MOVE), 3);
    // The positions after plies 2 and 6 get the key of the present one.
    plies[1].zobrist_key = game.position.zobrist_key;
    plies[5].zobrist_key = game.position.zobrist_key;
    assert_int_equal(laws_repetition_count(&game, CHESS_NO_MOVE), 3);
    const ChessMove move = parse_move(JD_STR("Na3"), &game.position);
    ChessPosition after = game.position;
    chess_move_make(&after, move, NULL);
    plies[0].zobrist_key = after.zobrist_key;
    plies[2].zobrist_key = after.zobrist_key;
    assert_int_equal(laws_repetition_count(&game, move), 1);
    assert_false(laws_claim_is_right(&game, move));
}

// The automatic draw looks behind the keys as well (Article 9.6.1).
static void test_false_keys_do_not_draw(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    LawsGame game;
    start_game(&game, &start);
    game.setup.edition = LAWS_FIDE_2023;
    play_text(&game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nc3 Nc6");
    ChessPosition after = game.position;
    const ChessMove move = parse_move(JD_STR("Nf3"), &after);
    chess_move_make(&after, move, NULL);
    for (uint32_t i = 0; i < game.ply_count; i += 2)
        plies[i].zobrist_key = after.zobrist_key;
    assert_int_equal(play(&game, move).refusal, LAWS_NOT_REFUSED);
    assert_int_equal(game.state, LAWS_RUNNING);
    assert_int_equal(laws_repetition_count(&game, CHESS_NO_MOVE), 1);
}

static void test_illegal_move_never_occurs(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    LawsGame game;
    start_game(&game, &start);
    assert_int_equal(laws_repetition_count(&game, (ChessMove)0xffff), 0);
    assert_false(laws_claim_is_right(&game, (ChessMove)0xffff));
    assert_int_equal(laws_repetition_count(&game, CHESS_NO_MOVE), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_whole_game),
        cmocka_unit_test(test_false_keys),
        cmocka_unit_test(test_false_keys_do_not_draw),
        cmocka_unit_test(test_illegal_move_never_occurs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
