// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who can still mate, as laws_apply uses it: every position of the specification's section 7.4
// (tests/data/laws/winnable.txt) is asked after a move, at a flag fall of both sides and at a
// resignation, in every edition, as it stands and mirrored. What the budget leaves open is answered
// by the table, as a shell would that has found it out.
#include <jadoube/laws.h>

#include "../check.h"
#include "scenario.h"

static LawsPly plies[16];
static LawsPly again_plies[16];

typedef struct Row {
    int number;
    ChessPosition pos;
    bool can[2];
    bool material[2]; // the lemmas do not exclude it
} Row;

// What a shell would find out, by the table.
static uint8_t answer_of(const Row *row) {
    return (uint8_t)((row->can[CHESS_WHITE] ? 0 : LAWS_MATING_NOT_WHITE) |
                     (row->can[CHESS_BLACK] ? 0 : LAWS_MATING_NOT_BLACK));
}

static LawsSetup setup_of(const Row *row, LawsEdition edition, LawsMating mating) {
    LawsSetup setup = { .start = row->pos,
                        .edition = (uint8_t)edition,
                        .pace = LAWS_STANDARD,
                        .supervised = 1,
                        .mating = (uint8_t)mating };
    assert_true(laws_control_parse(JD_STR("60"), &setup.control[0], NULL));
    setup.control[1] = setup.control[0];
    return setup;
}

// Applies an event; a game that stops for a verdict gets it.
static void apply(LawsGame *game, LawsEvent event, int64_t at_ms, const Row *row) {
    LawsVerdict verdict = laws_apply(game, &event, (JdInstant) { at_ms });
    assert_int_equal(verdict.refusal, LAWS_NOT_REFUSED);
    LawsQuestion question;
    if (game->desk.stop != LAWS_STOP_VERDICT)
        return;
    assert_true(laws_question(game, &question));
    const LawsEvent told = { .kind = LAWS_EVENT_VERDICT,
                             .actor = LAWS_SERVER,
                             .code = answer_of(row),
                             .count = question.ply };
    verdict = laws_apply(game, &told, (JdInstant) { at_ms + 5000 });
    assert_int_equal(verdict.refusal, LAWS_NOT_REFUSED);
    if (game->ended_ms != at_ms)
        fail_msg("winnable.txt:%d: the game ended later than at the flag", row->number);
}

static void begin(LawsGame *game, const Row *row, LawsEdition edition, LawsMating mating) {
    const LawsSetup setup = setup_of(row, edition, mating);
    laws_game_init(game, &setup, plies, JD_COUNT(plies));
    const LawsEvent start = { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER };
    apply(game, start, 0, row);
}

// "white" when White wins, and so on.
static void check(const Row *row, const LawsGame *game, bool is_draw, ChessColor winner,
                  const char *what) {
    const int white = is_draw ? 1 : winner == CHESS_WHITE ? 2 : 0;
    if (game->state != LAWS_ENDED || game->result[0] != white || game->result[1] != 2 - white)
        fail_msg("winnable.txt:%d: edition %d, %s: state %d, result %s", row->number,
                 game->setup.edition, what, game->state, laws_result_text(game));
}

// Article 7.5.5: the second illegal move loses, unless the opponent cannot mate. What is open is
// waited for, as at a flag fall.
static void check_illegal_limit(const Row *row) {
    for (int mating = LAWS_MATING_EXACT; mating <= LAWS_MATING_ASKED; mating++)
        for (int offender = 0; offender < 2; offender++) {
            LawsSetup setup = setup_of(row, LAWS_FIDE_2023, (LawsMating)mating);
            setup.arbiter_present = 1;
            LawsGame game;
            laws_game_init(&game, &setup, plies, JD_COUNT(plies));
            apply(&game, (LawsEvent) { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER }, 0, row);
            const LawsEvent illegal = { .kind = LAWS_EVENT_RULE_ILLEGAL,
                                        .actor = LAWS_ARBITER_ACTOR,
                                        .side = (uint8_t)offender };
            apply(&game, illegal, 1000, row);
            assert_true(game.state < LAWS_ENDED);
            apply(&game, illegal, 2000, row);
            const ChessColor other = chess_other((ChessColor)offender);
            check(row, &game, !row->can[other], other, "illegal limit");
            assert_int_equal(game.reason, row->can[other] ? LAWS_ILLEGAL_LIMIT : LAWS_ILLEGAL_DRAW);
        }
}

static void check_row(const Row *row) {
    const ChessColor to_move = (ChessColor)row->pos.side_to_move;
    for (int edition = LAWS_FIDE_1997; edition <= LAWS_FIDE_2023; edition++)
        for (int mating = LAWS_MATING_EXACT; mating <= LAWS_MATING_ASKED; mating++) {
            LawsGame game;
            begin(&game, row, (LawsEdition)edition, (LawsMating)mating);
            apply(&game, (LawsEvent) { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER }, 60000, row);
            check(row, &game, !row->can[chess_other(to_move)], chess_other(to_move), "flag");
            for (int player = 0; player < 2; player++) {
                const ChessColor other = chess_other((ChessColor)player);
                begin(&game, row, (LawsEdition)edition, (LawsMating)mating);
                apply(&game, (LawsEvent) { .kind = LAWS_EVENT_RESIGN, .actor = (uint8_t)player },
                      1000, row);
                check(row, &game, edition == LAWS_FIDE_2023 && !row->can[other], other,
                      "resignation");
            }
        }
    check_illegal_limit(row);
    // A dead position is told the game by a VERDICT, and by nothing else.
    LawsGame game;
    LawsQuestion question;
    begin(&game, row, LAWS_FIDE_2023, LAWS_MATING_ASKED);
    const bool asked = laws_question(&game, &question);
    const bool is_excluded = !row->material[0] && !row->material[1];
    if (asked == is_excluded)
        fail_msg("winnable.txt:%d: asked although material settles it, or not asked", row->number);
    if (!asked)
        return;
    assert_int_equal(question.winner, LAWS_BOTH_SIDES);
    const LawsEvent told = { .kind = LAWS_EVENT_VERDICT,
                             .actor = LAWS_SERVER,
                             .code = answer_of(row),
                             .count = question.ply };
    const LawsVerdict verdict = laws_apply(&game, &told, (JdInstant) { 1000 });
    const bool is_dead = !row->can[0] && !row->can[1];
    assert_int_equal(verdict.refusal, is_dead ? LAWS_NOT_REFUSED : LAWS_REFUSED_NOT_DUE);
    assert_int_equal(game.reason, is_dead ? LAWS_DEAD_POSITION : LAWS_NOT_ENDED);
}

// The same by colour, or by file; neither changes anything where nobody can castle.
static void mirror(Row *row, bool by_color) {
    ChessSetup from = chess_setup_of(&row->pos);
    ChessSetup to = from;
    for (int square = 0; square < 64; square++) {
        const ChessPiece piece = from.board[square ^ (by_color ? 56 : 7)];
        to.board[square] = piece;
        if (by_color && piece != CHESS_NO_PIECE)
            to.board[square] =
                chess_piece(chess_other(chess_piece_color(piece)), chess_piece_kind(piece));
    }
    if (from.ep_target != CHESS_NO_SQUARE)
        to.ep_target = (uint8_t)(from.ep_target ^ (by_color ? 56 : 7));
    if (by_color) {
        to.side_to_move = (uint8_t)(1 - from.side_to_move);
        const bool can = row->can[0];
        row->can[0] = row->can[1];
        row->can[1] = can;
        const bool material = row->material[0];
        row->material[0] = row->material[1];
        row->material[1] = material;
    }
    ChessFaultList faults;
    if (!chess_position_build(&to, &row->pos, &faults))
        fail_msg("winnable.txt:%d: mirrored: %s", row->number, faults.faults[0].text);
}

static void test_rows(void **state) {
    (void)state;
    JdStr rest = jd_str(table_read("winnable.txt"));
    JdStr line;
    Row row;
    int rows = 0;
    while (table_line(&rest, &line, &row.number)) {
        (void)jd_str_cut(&line, '|');
        if (!parse_position(jd_str_trim(jd_str_cut(&line, '|')), &row.pos))
            fail_msg("winnable.txt:%d: no position", row.number);
        const JdStr can = jd_str_trim(jd_str_cut(&line, '|'));
        const JdStr left = jd_str_trim(line);
        for (int color = 0; color < 2; color++) {
            row.can[color] = can.data[color] != '-';
            row.material[color] = left.data[color] != '-';
        }
        if (!chess_has_legal_move(&row.pos))
            continue; // no game begins there
        rows++;
        check_row(&row);
        mirror(&row, true);
        check_row(&row);
        mirror(&row, false);
        check_row(&row);
    }
    assert_true(rows >= 46);
}

// A log holds what was found, so that reading it asks nothing: the answers of another search,
// better or worse, change no game that was played.
static void test_replay_asks_nothing(void **state) {
    (void)state;
    Row row = { 0 };
    assert_true(parse_position(JD_STR("8/8/8/8/8/q7/K1k5/3R4 w - -"), &row.pos));
    const LawsSetup setup = setup_of(&row, LAWS_FIDE_2023, LAWS_MATING_EXACT);
    for (int said = 0; said < 3; said++) {
        // What the event says decides, be it true or not.
        static const uint8_t bits[] = { LAWS_MATING_NOT_BLACK, LAWS_MATING_OPEN_BLACK, 0 };
        LawsGame game;
        laws_game_init(&game, &setup, plies, JD_COUNT(plies));
        unsigned char log[LAWS_LOG_HEAD_SIZE + 2 * LAWS_LOG_EVENT_SIZE];
        size_t size = laws_log_open(&setup, log);
        const LawsEvent start = { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER };
        size += laws_log_event(&start, (JdInstant) { 0 }, log + size);
        const LawsEvent tick = { .kind = LAWS_EVENT_TICK,
                                 .actor = LAWS_SERVER,
                                 .mating = (uint8_t)(LAWS_MATING_SAID | bits[said]) };
        size += laws_log_event(&tick, (JdInstant) { 60000 }, log + size);
        JdErr err;
        assert_true(
            laws_log_replay(log, size, &game, again_plies, JD_COUNT(again_plies), NULL, &err));
        assert_int_equal(game.state, said == 1 ? LAWS_STOPPED : LAWS_ENDED);
        assert_int_equal(game.reason, said == 0   ? LAWS_FLAG_DRAW
                                      : said == 1 ? LAWS_NOT_ENDED
                                                  : LAWS_FLAG);
    }
}

// Games set up before there was more ask material alone, and their bytes and digests are as ever.
static void test_old_games(void **state) {
    (void)state;
    Row row = { 0 };
    assert_true(parse_position(JD_STR("8/8/8/8/8/q7/K1k5/3R4 w - -"), &row.pos));
    LawsGame game;
    begin(&game, &row, LAWS_FIDE_2023, LAWS_MATING_BY_MATERIAL);
    apply(&game, (LawsEvent) { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER }, 60000, &row);
    assert_int_equal(game.reason, LAWS_FLAG);
    // The digest as it was before the field was there.
    assert_int_equal(laws_game_digest(&game), UINT64_C(0x82d7b032b097567e));
}

// An event that tells bits without saying that it tells, or a value that cannot be.
static void test_malformed(void **state) {
    (void)state;
    Row row = { 0 };
    assert_true(parse_position(JD_STR("8/8/8/8/8/q7/K1k5/3R4 w - -"), &row.pos));
    LawsGame game;
    begin(&game, &row, LAWS_FIDE_2023, LAWS_MATING_EXACT);
    const LawsGame before = game;
    const LawsEvent event = { .kind = LAWS_EVENT_RESIGN,
                              .actor = LAWS_WHITE,
                              .mating = LAWS_MATING_NOT_BLACK };
    assert_int_equal(laws_apply(&game, &event, (JdInstant) { 1000 }).refusal,
                     LAWS_REFUSED_UNKNOWN_EVENT);
    assert_memory_equal(&game, &before, sizeof game);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_replay_asks_nothing),
        cmocka_unit_test(test_old_games),
        cmocka_unit_test(test_malformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
