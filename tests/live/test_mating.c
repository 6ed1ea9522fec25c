// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who can still mate, asked of the shell: what live does with answers that come, come late, come
// for a position that is gone, or never come. The games ask for every position (live_ask_always),
// and what the shell answers is taken on trust, be it true or not.
#include "world.h"

#define BASE_MS INT64_C(1700000000000)

typedef struct World {
    Live *live;
    LiveEffects fx;
    LiveMemory memory;
    int64_t bytes;
    int64_t now_ms;
    uint64_t random;
    LiveId game;
    uint32_t ply;
    Log log;
    // Of the last step.
    int questions;
    LawsQuestion question;
    const LiveAnswer *answer;
    uint8_t last_state; // LawsState of the last GAME message, or 0
} World;

static void look(World *w) {
    w->questions = 0;
    w->answer = NULL;
    w->last_state = 0;
    for (size_t i = 0; i < w->fx.count; i++) {
        const LiveEffect *effect = &w->fx.list[i];
        if (effect->kind == LIVE_FX_LOG)
            log_append(&w->log, effect->log);
        if (effect->kind == LIVE_FX_ANSWER)
            w->answer = effect->answer;
        if (effect->kind == LIVE_FX_PUBLISH && effect->message->kind == LIVE_MSG_GAME)
            w->last_state = effect->message->game->row.state;
        if (effect->kind != LIVE_FX_DECIDE)
            continue;
        // Not before the entry that raised it, if it is of this step.
        for (size_t later = i + 1; later < w->fx.count; later++)
            assert_int_not_equal(w->fx.list[later].kind, LIVE_FX_LOG);
        w->questions++;
        w->question = *effect->question;
        assert_true(live_id_equal(&effect->id, &w->game) || w->game.text[0] == '\0');
    }
}

static void step(World *w, LiveCommand command) {
    for (int i = 0; i < LIVE_RANDOM_SIZE; i++)
        command.random[i] = (uint8_t)jd_random(&w->random);
    if (command.account != 0)
        command.nick = JD_STR("somebody");
    live_effects_clear(&w->fx);
    live_step(w->live, &command, (JdInstant) { w->now_ms }, &w->fx);
    look(w);
}

static void move(World *w, LiveAccount who, const char *uci) {
    w->now_ms += 1000;
    step(w,
         (LiveCommand) {
             .kind = LIVE_MOVE, .account = who, .id = w->game, .ply = w->ply, .uci = jd_str(uci) });
    assert_int_equal(w->answer->kind, LIVE_ANSWER_ACK);
    w->ply++;
}

static void verdict(World *w, uint32_t ply, uint8_t code) {
    w->now_ms += 10;
    step(w, (LiveCommand) { .kind = LIVE_VERDICT, .id = w->game, .ply = ply, .act = code });
    assert_null(w->answer);
}

static LiveGameRow row_of(World *w) {
    step(w, (LiveCommand) { .kind = LIVE_QUERY_GAME, .id = w->game });
    assert_int_equal(w->answer->kind, LIVE_ANSWER_GAME);
    return w->answer->game->row;
}

static void assert_end(World *w, LawsReason reason, const char *result) {
    const LiveGameRow row = row_of(w);
    assert_int_equal(row.state, LAWS_ENDED);
    assert_int_equal(row.reason, reason);
    assert_string_equal(row.result, result);
}

// A blitz game of accounts 1 (White) and 2 after 1.e4 e5.
static void open_world(World *w, bool asks) {
    *w = (World) { .now_ms = BASE_MS, .random = 5 };
    w->memory = test_memory(&w->bytes);
    w->live = live_open(&w->memory, (JdInstant) { w->now_ms });
    live_effects_open(&w->fx, &w->memory);
    if (asks)
        live_ask_always(w->live);
    const LiveControl blitz = { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 180000 } } };
    step(w, (LiveCommand) { .kind = LIVE_CONNECT, .origin.connection = 1, .account = 1 });
    step(w, (LiveCommand) { .kind = LIVE_CONNECT, .origin.connection = 2, .account = 2 });
    step(w,
         (LiveCommand) {
             .kind = LIVE_CHALLENGE, .account = 1, .color = LIVE_COLOR_WHITE, .control = blitz });
    step(w, (LiveCommand) { .kind = LIVE_JOIN, .account = 2, .id = w->answer->id });
    w->game = w->answer->id;
    for (uint64_t i = 1; i <= 2; i++)
        step(w, (LiveCommand) { .kind = LIVE_SUBSCRIBE,
                                .origin.connection = i,
                                .account = (LiveAccount)i,
                                .channel = { .kind = LIVE_CHANNEL_GAME, .game = w->game } });
    move(w, 1, "e2e4");
    move(w, 2, "e7e5");
}

// The log gives the same game again, and asks nothing of anybody on the way.
static void close_world(World *w) {
    uint64_t digest = 0;
    uint64_t again = 0;
    assert_true(live_game_digest(w->live, &w->game, &digest));
    Live *other = replay_log(&w->log, &w->memory, (JdInstant) { w->now_ms });
    assert_true(live_game_digest(other, &w->game, &again));
    assert_int_equal(digest, again);
    live_close(other);
    live_close(w->live);
    live_effects_close(&w->fx);
    log_free(&w->log);
    assert_int_equal(w->bytes, 0);
}

static void test_dead_position_found_later(void **state) {
    (void)state;
    World w;
    open_world(&w, true);
    assert_int_equal(w.questions, 1);
    assert_int_equal(w.question.ply, 2);
    assert_int_equal(w.question.winner, LAWS_BOTH_SIDES);
    assert_true(live_wants_verdict(w.live, &w.game, 2));
    verdict(&w, 2, LAWS_MATING_NOT_WHITE | LAWS_MATING_NOT_BLACK);
    assert_end(&w, LAWS_DEAD_POSITION, "1/2-1/2");
    assert_false(live_wants_verdict(w.live, &w.game, 2));
    close_world(&w);
}

static void test_the_game_has_moved_on(void **state) {
    (void)state;
    World w;
    open_world(&w, true);
    move(&w, 1, "g1f3");
    assert_int_equal(w.questions, 1);
    const size_t logged = w.log.count;
    verdict(&w, 2, LAWS_MATING_NOT_WHITE | LAWS_MATING_NOT_BLACK);
    verdict(&w, 9, LAWS_MATING_NOT_WHITE | LAWS_MATING_NOT_BLACK);
    verdict(&w, 3, 200);                                            // no such answer
    verdict(&w, 3, LAWS_MATING_NOT_WHITE | LAWS_MATING_OPEN_WHITE); // nor such
    assert_int_equal(w.log.count, logged);
    assert_int_equal(row_of(&w).state, LAWS_RUNNING);
    // One of them can mate: settled, and nothing to log.
    verdict(&w, 3, LAWS_MATING_NOT_WHITE);
    assert_int_equal(w.log.count, logged);
    assert_int_equal(row_of(&w).state, LAWS_RUNNING);
    assert_false(live_wants_verdict(w.live, &w.game, 3));
    verdict(&w, 3, LAWS_MATING_NOT_WHITE | LAWS_MATING_NOT_BLACK);
    assert_int_equal(w.log.count, logged);
    close_world(&w);
}

static void test_lost_questions_are_asked_again(void **state) {
    (void)state;
    World w;
    open_world(&w, true);
    w.now_ms += LIVE_ASK_AGAIN_MS;
    step(&w, (LiveCommand) { .kind = LIVE_TIMER });
    assert_int_equal(w.questions, 1);
    assert_int_equal(w.question.ply, 2);
    verdict(&w, 2, 0);
    w.now_ms += LIVE_ASK_AGAIN_MS;
    step(&w, (LiveCommand) { .kind = LIVE_TIMER });
    assert_int_equal(w.questions, 0);
    close_world(&w);
}

static void let_flag_fall(World *w) {
    w->now_ms += 200000;
    step(w, (LiveCommand) { .kind = LIVE_TIMER });
    assert_int_equal(w->questions, 1);
    assert_int_equal(w->question.winner, CHESS_BLACK);
    assert_int_equal(w->last_state, LAWS_STOPPED); // everybody is shown that the game waits
}

static void test_a_flag_waits(void **state) {
    (void)state;
    World w;
    open_world(&w, true);
    let_flag_fall(&w);
    // Nobody does anything meanwhile.
    static const LiveCommandKind kinds[] = { LIVE_RESIGN, LIVE_FLAG, LIVE_ABANDON, LIVE_ABORT };
    for (size_t i = 0; i < JD_COUNT(kinds); i++) {
        step(&w, (LiveCommand) { .kind = (uint8_t)kinds[i], .account = 2, .id = w.game });
        assert_int_equal(w.answer->kind, LIVE_ANSWER_ERROR);
        assert_string_equal(w.answer->code, "clocks_stopped");
    }
    const int64_t fell_ms = w.now_ms;
    verdict(&w, 2, LAWS_MATING_NOT_BLACK);
    assert_end(&w, LAWS_FLAG_DRAW, "1/2-1/2");
    assert_true(row_of(&w).ended_ms < fell_ms); // when the flag fell, not when it was known
    close_world(&w);
}

static void test_a_flag_waits_no_longer_than_that(void **state) {
    (void)state;
    World w;
    open_world(&w, true);
    let_flag_fall(&w);
    w.now_ms += LIVE_VERDICT_MS - 1;
    step(&w, (LiveCommand) { .kind = LIVE_TIMER });
    assert_int_equal(row_of(&w).state, LAWS_STOPPED);
    w.now_ms += 1;
    step(&w, (LiveCommand) { .kind = LIVE_TIMER });
    assert_end(&w, LAWS_FLAG, "0-1"); // never a draw without a proof
    close_world(&w);
}

static void test_a_resignation_waits(void **state) {
    (void)state;
    World w;
    open_world(&w, true);
    w.now_ms += 500;
    step(&w, (LiveCommand) { .kind = LIVE_RESIGN, .account = 2, .id = w.game });
    assert_int_equal(w.answer->kind, LIVE_ANSWER_ACK);
    assert_int_equal(w.questions, 1);
    assert_int_equal(w.question.winner, CHESS_WHITE);
    verdict(&w, 2, LAWS_MATING_NOT_BLACK); // White can
    assert_end(&w, LAWS_RESIGNATION, "1-0");
    close_world(&w);
}

// The answer dies with the process; what is open is asked again after the restart.
static void test_restart(void **state) {
    (void)state;
    for (int waiting = 0; waiting < 2; waiting++) {
        World w;
        open_world(&w, true);
        if (waiting)
            let_flag_fall(&w);
        live_effects_clear(&w.fx);
        live_close(w.live);
        w.now_ms += 1000;
        w.live = replay_log(&w.log, &w.memory, (JdInstant) { w.now_ms });
        const LiveResume resume = { { w.now_ms - 1000 }, { 500 } };
        live_replay_done(w.live, &resume, (JdInstant) { w.now_ms }, &w.fx);
        look(&w);
        assert_int_equal(w.questions, 1);
        assert_int_equal(w.question.winner, waiting ? CHESS_BLACK : LAWS_BOTH_SIDES);
        verdict(&w, 2, LAWS_MATING_NOT_WHITE | LAWS_MATING_NOT_BLACK);
        assert_end(&w, waiting ? LAWS_FLAG_DRAW : LAWS_DEAD_POSITION, "1/2-1/2");
        close_world(&w);
    }
}

// An ordinary game asks nobody: the Laws find it out themselves.
static void test_nothing_is_asked_in_vain(void **state) {
    (void)state;
    World w;
    open_world(&w, false);
    assert_int_equal(live_stats(w.live).questions, 0);
    w.now_ms += 200000;
    step(&w, (LiveCommand) { .kind = LIVE_TIMER });
    assert_int_equal(w.questions, 0);
    assert_end(&w, LAWS_FLAG, "0-1");
    close_world(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dead_position_found_later),
        cmocka_unit_test(test_the_game_has_moved_on),
        cmocka_unit_test(test_lost_questions_are_asked_again),
        cmocka_unit_test(test_a_flag_waits),
        cmocka_unit_test(test_a_flag_waits_no_longer_than_that),
        cmocka_unit_test(test_a_resignation_waits),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_nothing_is_asked_in_vain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
