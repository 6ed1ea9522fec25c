// SPDX-License-Identifier: GPL-3.0-or-later
//
// The judge of `jadoube arbitrate` walks over moves with arithmetic of its own; here its verdicts
// are held against those of laws_apply over random games: the same ends at the same ply under the
// same article, and at every turn the same answer to whether a claim would have been right.
#include "../check.h"

#include "cli/arbitrate.h"

#include <jadoube/dead.h>

enum { GAMES = 600, PLIES = 420 };

static ArbJudge judge;
static ArbReport report;
static LawsGame game;
static LawsPly plies[PLIES];
static ChessMove moves[PLIES];
static bool right[PLIES + 1][2]; // by ply: a claim of repetition, of fifty moves would be right

static const char *const starts[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/8/8/3n4/8/8/8/R3K2R w KQ - 0 1",
    "8/5k2/8/3b4/8/2N5/8/4K3 b - - 0 1",
    "4r1k1/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1",
    "8/8/4k3/8/8/2NN4/8/4K3 w - - 138 120",
    "8/8/4k3/8/3r4/8/8/3RK3 w - - 92 90",
    "4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
};

// Moves that come back to where they were are what repetition lives on.
static ChessMove random_move(const ChessPosition *pos, uint32_t made, uint64_t *seed) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    if (made >= 2 && jd_random_below(seed, 5) > 0) {
        const ChessMove last = moves[made - 2];
        const ChessMove back =
            (ChessMove)(chess_move_to(last) | (unsigned)chess_move_from(last) << 6);
        if (chess_move_is_legal(pos, back))
            return back;
    }
    // Few captures and pawn moves, so that counters grow.
    for (int tries = 0; tries < 6; tries++) {
        const ChessMove move = list.moves[jd_random_below(seed, (uint32_t)list.count)];
        if (chess_move_captured(pos, move) == CHESS_NO_PIECE &&
            chess_piece_kind(chess_piece_at(pos, chess_move_from(move))) != CHESS_PAWN)
            return move;
    }
    return list.moves[jd_random_below(seed, (uint32_t)list.count)];
}

static bool is_right(const LawsGame *played, uint8_t kind, ChessMove move) {
    static LawsGame copy;
    static LawsPly record[PLIES];
    copy = *played;
    copy.plies = record;
    jd_copy(record, plies, played->ply_count * sizeof record[0]);
    const LawsEvent claim = { .kind = kind, .actor = played->position.side_to_move, .move = move };
    const LawsVerdict verdict = laws_apply(&copy, &claim, (JdInstant) { .ms = played->now_ms });
    return verdict.refusal == LAWS_NOT_REFUSED && !verdict.claim_wrong;
}

// By laws_apply: with the position on the board, or with any legal move written down.
static void ask_claims(uint32_t ply) {
    right[ply][0] = right[ply][1] = false;
    ChessMoveList list;
    chess_moves_generate(&game.position, &list);
    list.moves[list.count++] = CHESS_NO_MOVE;
    for (int i = 0; i < list.count; i++) {
        if (!laws_claim_is_right(&game, list.moves[i]))
            continue;
        right[ply][0] |= is_right(&game, LAWS_EVENT_CLAIM_REP, list.moves[i]);
        right[ply][1] |= is_right(&game, LAWS_EVENT_CLAIM_50, list.moves[i]);
    }
}

static LawsVerdict apply(uint8_t kind, uint8_t actor, ChessMove move) {
    const LawsEvent event = { .kind = kind, .actor = actor, .move = move };
    return laws_apply(&game, &event, (JdInstant) { .ms = 1000 });
}

// Plays a random game by laws_apply until it ends or enough moves have been made.
static LawsVerdict play(const LawsSetup *setup, uint64_t *seed) {
    laws_game_init(&game, setup, plies, PLIES);
    LawsVerdict verdict = apply(LAWS_EVENT_START, LAWS_SERVER, CHESS_NO_MOVE);
    const uint32_t wanted = 20 + jd_random_below(seed, PLIES - 20);
    while (game.state == LAWS_RUNNING && game.ply_count < wanted) {
        ask_claims(game.ply_count);
        const ChessMove move = random_move(&game.position, game.ply_count, seed);
        moves[game.ply_count] = move;
        verdict = apply(LAWS_EVENT_MOVE, game.position.side_to_move, move);
        assert_int_equal(verdict.refusal, LAWS_NOT_REFUSED);
    }
    if (game.state == LAWS_RUNNING)
        ask_claims(game.ply_count);
    return verdict;
}

static bool judged_right(uint32_t ply, bool is_fifty) {
    for (uint32_t i = 0; i < judge.range_count; i++) {
        const ArbRange *const range = &judge.ranges[i];
        if (range->is_fifty == is_fifty && range->first <= ply && ply <= range->last &&
            (ply - range->first) % 2 == 0)
            return true;
    }
    return false;
}

static void check_game(uint64_t seed_start, uint64_t *seed) {
    LawsSetup setup;
    jd_zero(&setup, sizeof setup);
    assert_true(chess_fen_parse(jd_str(starts[jd_random_below(seed, JD_COUNT(starts))]),
                                &setup.start, NULL));
    setup.edition = (uint8_t)(LAWS_FIDE_1997 + jd_random_below(seed, 5));
    setup.pace = (uint8_t)(LAWS_STANDARD + jd_random_below(seed, 3));
    setup.supervised = 1;
    setup.rules_announced = 1;
    JdErr err = { 0 };
    if (!laws_setup_check(&setup, &err))
        fail_msg("setup: %s: %s", err.field, err.text);
    const LawsVerdict last = play(&setup, seed);

    arb_judge_begin(&judge, laws_rules((LawsEdition)setup.edition, (LawsPace)setup.pace, true),
                    &setup.start);
    ChessPosition pos = setup.start;
    for (uint32_t i = 0; i < game.ply_count; i++) {
        arb_judge_position(&judge, &pos);
        arb_judge_move(&judge, moves[i]);
        chess_move_make(&pos, moves[i], NULL);
    }
    arb_judge_position(&judge, &pos);
    uint32_t end_ply = 0;
    const LawsReason reason = arb_judge_end(&judge, &pos, CHESS_WHITE, &end_ply);
    const bool ended = game.state == LAWS_ENDED;
    const LawsReason by_laws = ended ? (LawsReason)game.reason : LAWS_NOT_ENDED;
    if (reason != by_laws || (ended && end_ply != game.ply_count))
        fail_msg("seed %llu, edition %u: the judge says %s at ply %u, laws_apply %s at ply %u",
                 (unsigned long long)seed_start, setup.edition, laws_reason_name(reason), end_ply,
                 laws_reason_name(by_laws), game.ply_count);
    if (ended) {
        report.edition = (LawsEdition)setup.edition;
        report.article = (uint16_t)arb_article_of_reason(reason);
        assert_string_equal(arb_end_article(&report), last.article);
    }
    if (judge.ranges_left_out > 0)
        return;
    const uint32_t turns = ended ? game.ply_count : game.ply_count + 1;
    for (uint32_t ply = 0; ply < turns; ply++)
        for (int fifty = 0; fifty < 2; fifty++)
            if (judged_right(ply, fifty) != right[ply][fifty])
                fail_msg("seed %llu, edition %u, ply %u: a claim of %s is %s by laws_apply",
                         (unsigned long long)seed_start, setup.edition, ply,
                         fifty ? "fifty moves" : "repetition",
                         right[ply][fifty] ? "right" : "wrong");
}

static void test_as_laws_apply(void **state) {
    (void)state;
    for (uint64_t i = 1; i <= GAMES; i++) {
        uint64_t seed = i;
        check_game(i, &seed);
    }
}

// Moves of the specification's vectors, which laws_apply is tested with as well.
static void judge_moves(const char *fen, const char *line, LawsEdition edition) {
    ChessPosition pos;
    assert_true(chess_fen_parse(jd_str(fen), &pos, NULL));
    arb_judge_begin(&judge, laws_rules(edition, LAWS_STANDARD, true), &pos);
    JdStr rest = jd_str(line);
    while (rest.size > 0) {
        const JdStr word = jd_str_cut(&rest, ' ');
        ChessReading reading;
        JdErr err = { 0 };
        if (!chess_notation_parse(word, &pos, CHESS_ENGLISH, CHESS_TOLERATE_DEFAULT, &reading,
                                  &err))
            fail_msg("%.*s: %s", JD_PRINT(word), err.text);
        arb_judge_position(&judge, &pos);
        arb_judge_move(&judge, reading.move);
        chess_move_make(&pos, reading.move, NULL);
    }
    arb_judge_position(&judge, &pos);
    uint32_t ply;
    (void)arb_judge_end(&judge, &pos, CHESS_WHITE, &ply);
}

// The first turn at which that colour could claim a repetition; ARB_NO_PLY: never.
static uint32_t first_claim(ChessColor color) {
    for (uint32_t i = 0; i < judge.range_count; i++)
        if (!judge.ranges[i].is_fifty && judge.ranges[i].color == color)
            return judge.ranges[i].first;
    return ARB_NO_PLY;
}

static void test_vectors(void **state) {
    (void)state;
    const char *const start = starts[0];
    // V-40: White on the board after ply 8, Black with ...Ng8 after ply 7.
    judge_moves(start, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", LAWS_FIDE_2023);
    assert_int_equal(first_claim(CHESS_WHITE), 8);
    assert_int_equal(first_claim(CHESS_BLACK), 7);
    // V-41: castling rights lost on the way part positions; White's first right claim comes after
    // ply 12.
    judge_moves(start, "Nf3 Nf6 Rg1 Rg8 Rh1 Rh8 Rg1 Rg8 Rh1 Rh8 Rg1 Rg8 Rh1 Rh8", LAWS_FIDE_2023);
    assert_int_equal(first_claim(CHESS_WHITE), 12);
    // V-44: en passant was possible once; on the board the third time comes after ply 14,
    // with 7.Nf3 written down (plies 5, 9, 13) a turn earlier.
    judge_moves(start, "e4 Nf6 e5 d5 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1 Nf6",
                LAWS_FIDE_2023);
    assert_int_equal(first_claim(CHESS_WHITE), 12);
    assert_false(judge.ranges[0].on_board);
    // V-45: no black pawn could capture on e3, so Black may claim after ply 9.
    judge_moves(start, "e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1", LAWS_FIDE_2023);
    assert_int_equal(first_claim(CHESS_BLACK), 9);
    // V-49a: the pinned pawn may not capture, the other may; White's first right claim comes after
    // ply 11.
    judge_moves(starts[3], "d5 Kf1 Kf8 Ke1 Kg8 Kf1 Kf8 Ke1 Kg8 Kf1 Kf8 Ke1 Kg8", LAWS_FIDE_2023);
    assert_int_equal(first_claim(CHESS_WHITE), 9);
    assert_false(judge.ranges[0].on_board);
    // V-43: five times, but not each four plies after the last: a draw in 2023, not in 2014.
    const char *const five =
        "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nh3 Nh6 Nf4 Nf5 Nh3 Nh6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    judge_moves(start, five, LAWS_FIDE_2023);
    assert_int_equal(judge.end_reason, LAWS_AUTO_REPETITION);
    assert_int_equal(judge.end_ply, 20);
    judge_moves(start, five, LAWS_FIDE_2014);
    assert_int_equal(judge.end_reason, LAWS_NOT_ENDED);
    judge_moves(start, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8",
                LAWS_FIDE_2014);
    assert_int_equal(judge.end_ply, 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_as_laws_apply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
