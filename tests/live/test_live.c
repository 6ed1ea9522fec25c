// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the scenarios do not show: ids, controls, bounds, damaged logs, numbers of channels.
#include "world.h"

#define BASE_MS INT64_C(1700000000000)

typedef struct World {
    Live *live;
    LiveEffects fx;
    LiveMemory memory;
    int64_t bytes;
    int64_t now_ms;
    uint64_t random;
    LiveAccount deleted; // while the server was down
    Log log;
} World;

static void world_open(World *w) {
    *w = (World) { .now_ms = BASE_MS, .random = 5 };
    w->memory = test_memory(&w->bytes);
    w->live = live_open(&w->memory, (JdInstant) { w->now_ms });
    live_effects_open(&w->fx, &w->memory);
}

static void world_close(World *w) {
    live_close(w->live);
    live_effects_close(&w->fx);
    log_free(&w->log);
    assert_int_equal(w->bytes, 0);
}

static void keep_log(World *w) {
    for (size_t i = 0; i < w->fx.count; i++)
        if (w->fx.list[i].kind == LIVE_FX_LOG)
            log_append(&w->log, w->fx.list[i].log);
}

// The answer of a step, or NULL.
static const LiveAnswer *step(World *w, LiveCommand command) {
    const LiveAnswer *answer = NULL;
    for (int i = 0; i < LIVE_RANDOM_SIZE; i++)
        command.random[i] = (uint8_t)jd_random(&w->random);
    if (command.account != 0)
        command.nick = JD_STR("somebody");
    live_effects_clear(&w->fx);
    live_step(w->live, &command, (JdInstant) { w->now_ms }, &w->fx);
    keep_log(w);
    for (size_t i = 0; i < w->fx.count; i++)
        if (w->fx.list[i].kind == LIVE_FX_ANSWER) {
            assert_null(answer);
            answer = w->fx.list[i].answer;
        }
    return answer;
}

static const LiveControl blitz = {
    .kind = LIVE_CONTROL_CLOCK,
    .periods = { { .time_ms = 180000, .increment_ms = 2000 } },
};

static LiveId new_game(World *w, LiveAccount white, LiveAccount black, LiveControl control) {
    const LiveAnswer *answer = step(w, (LiveCommand) { .kind = LIVE_CHALLENGE,
                                                       .account = white,
                                                       .color = LIVE_COLOR_WHITE,
                                                       .control = control });
    assert_int_equal(answer->kind, LIVE_ANSWER_CHALLENGE);
    answer = step(w, (LiveCommand) { .kind = LIVE_JOIN, .account = black, .id = answer->id });
    assert_int_equal(answer->kind, LIVE_ANSWER_GAME_ID);
    return answer->id;
}

static const LiveAnswer *move(World *w, LiveAccount who, LiveId game, uint32_t ply,
                              const char *uci) {
    return step(
        w, (LiveCommand) {
               .kind = LIVE_MOVE, .account = who, .id = game, .ply = ply, .uci = jd_str(uci) });
}

static void assert_code(const LiveAnswer *answer, const char *code) {
    assert_non_null(answer);
    assert_int_equal(answer->kind, LIVE_ANSWER_ERROR);
    assert_string_equal(answer->code, code);
}

// X-008, 6.9: the flag has fallen, it is being found out who can mate, and the opponent's vacation
// ends meanwhile. (The simulation found that time stood still then.)
static void test_vacation_ends_before_the_verdict(void **state) {
    (void)state;
    static const LiveControl one_day = { .kind = LIVE_CONTROL_DAYS, .days = 1 };
    World w;
    world_open(&w);
    live_ask_always(w.live);
    const LiveId game = new_game(&w, 1, 2, one_day);
    assert_int_equal(move(&w, 1, game, 0, "e2e4")->kind, LIVE_ANSWER_ACK);
    const int64_t turn_ms = w.now_ms;
    w.now_ms += 10000;
    assert_int_equal(
        step(&w, (LiveCommand) { .kind = LIVE_VACATION, .account = 1, .days = 1 })->kind,
        LIVE_ANSWER_VACATION);
    w.now_ms = turn_ms + 86400000;
    (void)step(&w, (LiveCommand) { .kind = LIVE_TIMER }); // the flag; it waits
    LiveGameRow row;
    assert_true(live_game_row(w.live, &game, &row));
    assert_true(row.state != LAWS_RUNNING && row.state != LAWS_ENDED);
    w.now_ms += 10000;
    (void)step(&w, (LiveCommand) { .kind = LIVE_TIMER }); // the vacation's end
    w.now_ms += LIVE_VERDICT_MS;
    (void)step(&w, (LiveCommand) { .kind = LIVE_TIMER });
    assert_true(live_game_row(w.live, &game, &row));
    assert_int_equal(row.state, LAWS_ENDED);
    assert_int_equal(row.reason, LAWS_FLAG);
    assert_int_equal(row.ended_ms, turn_ms + 86400000);
    world_close(&w);
}

// ---- ids ----------------------------------------------------------------------------------------

static void test_ids(void **state) {
    (void)state;
    static const uint8_t bytes[9] = { 0xff, 0xff, 0xff, 0x00, 0x10, 0x83, 0xfb, 0xef, 0xbe };
    const LiveId id = live_id_of_bytes(bytes);
    assert_string_equal(id.text, "____ABCD----"); // RFC 4648, section 5
    LiveId parsed;
    assert_true(live_id_parse(JD_STR("____ABCD----"), &parsed));
    assert_true(live_id_equal(&id, &parsed));
    static const char *const bad[] = { "",
                                       "____ABCD---",
                                       "____ABCD-----",
                                       "____ABCD---+",
                                       "____ABCD---=",
                                       "____ABCD--- ",
                                       "____ABCD---/" };
    for (size_t i = 0; i < JD_COUNT(bad); i++)
        if (live_id_parse(jd_str(bad[i]), &parsed))
            fail_msg("\"%s\" was taken for an id", bad[i]);
}

// ---- controls -----------------------------------------------------------------------------------

static void test_controls_there_and_back(void **state) {
    (void)state;
    static const struct {
        LiveControl control;
        const char *text; // PGN TimeControl
    } rows[] = {
        { { .kind = LIVE_CONTROL_CLOCK,
            .periods = { { .time_ms = 900000, .increment_ms = 10000 } } },
          "900+10" },
        { { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 90000 } } }, "90" },
        { { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 60000, .delay_ms = 5000 } } },
          "60d5" },
        { { .kind = LIVE_CONTROL_PERIODS,
            .period_count = 2,
            .periods = { { .moves = 40, .time_ms = 7200000 }, { .time_ms = 3600000 } } },
          "40/7200:3600" },
        { { .kind = LIVE_CONTROL_DAYS, .days = 3 }, "1/259200" },
        { { .kind = LIVE_CONTROL_BANK, // S-100
            .period_count = 1,
            .periods = { { .time_ms = LIVE_BANK_MS,
                           .increment_ms = LIVE_BANK_INCREMENT_MS,
                           .increment_moves = LIVE_BANK_MOVES } } },
          "864000+120x360" },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        LawsControl laws;
        JdErr err = { 0 };
        if (!live_control_to_laws(&rows[i].control, &laws, &err))
            fail_msg("%s: %s", rows[i].text, err.text);
        char text[LAWS_CONTROL_TEXT_SIZE];
        (void)laws_control_write(&laws, text);
        assert_string_equal(text, rows[i].text);
        const LiveControl back = live_control_from_laws(&laws);
        LawsControl again;
        assert_true(live_control_to_laws(&back, &again, &err));
        assert_memory_equal(&laws, &again, sizeof(laws));
        assert_int_equal(back.kind, rows[i].control.kind);
    }
}

// ---- channels -----------------------------------------------------------------------------------

static uint64_t last_seq_of(World *w, LiveId game) {
    const LiveAnswer *answer = step(w, (LiveCommand) { .kind = LIVE_QUERY_GAME, .id = game });
    assert_int_equal(answer->kind, LIVE_ANSWER_GAME);
    return answer->game->seq;
}

static size_t sent(const World *w, LiveMessageKind kind) {
    size_t count = 0;
    for (size_t i = 0; i < w->fx.count; i++)
        if (w->fx.list[i].kind == LIVE_FX_SEND && w->fx.list[i].message->kind == kind)
            count++;
    return count;
}

static void subscribe_since(World *w, LiveId game, uint64_t since) {
    (void)step(w, (LiveCommand) { .kind = LIVE_SUBSCRIBE,
                                  .origin = { 1, 0 },
                                  .has_since = true,
                                  .since = since,
                                  .channel = { .kind = LIVE_CHANNEL_GAME, .game = game } });
}

static void test_a_ring_forgets(void **state) {
    (void)state;
    static const char *const moves[] = { "g1f3", "g8f6", "f3g1", "f6g8", "b1c3", "b8c6",
                                         "c3b1", "c6b8", "a2a3", "a7a6", "b2b3", "b7b6",
                                         "c2c3", "c7c6", "d2d3", "d7d6", "e2e3", "e7e6",
                                         "f2f3", "f7f6", "g2g3", "g7g6", "h2h3", "h7h6" };
    World w;
    world_open(&w);
    (void)step(&w, (LiveCommand) { .kind = LIVE_CONNECT, .origin = { 1, 0 } });
    const LiveId game = new_game(&w, 1, 2, blitz);
    w.now_ms += LIVE_START_MS;
    uint32_t ply = 0;
    for (; ply < JD_COUNT(moves); ply++)
        assert_int_equal(move(&w, 1 + ply % 2, game, ply, moves[ply])->kind, LIVE_ANSWER_ACK);
    // Then pieces walk to and fro, with pawn moves in between against the fifth repetition.
    static const char *const walk[] = { "e1e2", "e8e7", "e2e1", "e7e8", "d1d2", "d8d7",
                                        "d2d1", "d7d8", "c1d2", "c8d7", "d2c1", "d7c8" };
    static const char *const pawns[] = { "a3a4", "a6a5", "h3h4", "h6h5", "e3e4", "e6e5",
                                         "b3b4", "b6b5", "g3g4", "g6g5", "c3c4", "c6c5" };
    while (last_seq_of(&w, game) < LIVE_GAME_RING + 20) {
        const uint32_t at = ply - (uint32_t)JD_COUNT(moves);
        const char *uci = at % 14 < 12 ? walk[at % 14] : pawns[at / 14 * 2 + at % 14 - 12];
        const LiveAnswer *answer = move(&w, 1 + ply % 2, game, ply, uci);
        if (answer->kind != LIVE_ANSWER_ACK)
            fail_msg("ply %u, %s: %s", ply, uci, answer->err.text);
        ply++;
    }
    const uint64_t seq = last_seq_of(&w, game);
    subscribe_since(&w, game, seq - LIVE_GAME_RING);
    assert_int_equal(sent(&w, LIVE_MSG_GAME), 0);
    assert_int_equal(sent(&w, LIVE_MSG_MOVED), LIVE_GAME_RING);
    for (size_t i = 0, k = 0; i < w.fx.count; i++)
        if (w.fx.list[i].kind == LIVE_FX_SEND)
            assert_int_equal(w.fx.list[i].message->seq, seq - LIVE_GAME_RING + ++k);
    subscribe_since(&w, game, seq - LIVE_GAME_RING - 1);
    assert_int_equal(sent(&w, LIVE_MSG_GAME), 1);
    assert_int_equal(sent(&w, LIVE_MSG_MOVED), 0);
    world_close(&w);
}

static void restart(World *w) {
    live_close(w->live);
    w->live = replay_log(&w->log, &w->memory, (JdInstant) { w->now_ms });
    size_t cursor = 0;
    for (LiveAccount account; live_account_next(w->live, &cursor, &account);)
        live_account_name(w->live, account,
                          account == w->deleted ? JD_STR("") : JD_STR("somebody"));
    live_effects_clear(&w->fx);
    const LiveResume resume = { { w->now_ms }, { 0 } };
    live_replay_done(w->live, &resume, (JdInstant) { w->now_ms }, &w->fx);
    keep_log(w);
}

static void test_numbers_rise_over_restarts(void **state) {
    (void)state;
    World w;
    world_open(&w);
    const LiveId game = new_game(&w, 1, 2, blitz);
    w.now_ms += LIVE_START_MS;
    (void)move(&w, 1, game, 0, "e2e4");
    const uint64_t before = last_seq_of(&w, game);
    restart(&w);
    const uint64_t after = last_seq_of(&w, game);
    assert_true(after > before);
    (void)move(&w, 2, game, 1, "e7e5");
    const uint64_t later = last_seq_of(&w, game);
    assert_true(later > after);
    w.now_ms += 2;
    restart(&w);
    assert_true(last_seq_of(&w, game) > later);
    world_close(&w);
}

static void test_deleted_while_down(void **state) {
    (void)state;
    World w;
    world_open(&w);
    for (LiveAccount account = 1; account <= 2; account++)
        (void)step(&w,
                   (LiveCommand) { .kind = LIVE_CHALLENGE, .account = account, .control = blitz });
    w.deleted = 1;
    restart(&w);
    assert_int_equal(live_stats(w.live).challenges, 1);
    const LiveAnswer *answer = step(&w, (LiveCommand) { .kind = LIVE_QUERY_LOBBY });
    assert_int_equal(answer->message->lobby.challenges[0].account, 2);
    restart(&w); // it is in the log
    assert_int_equal(live_stats(w.live).challenges, 1);
    world_close(&w);
}

// ---- bounds -------------------------------------------------------------------------------------

static void test_bounds_of_a_player(void **state) {
    (void)state;
    World w;
    world_open(&w);
    const LiveControl days = { .kind = LIVE_CONTROL_DAYS, .days = 14 };
    for (int i = 0; i < LIVE_GAMES_PER_PLAYER; i++)
        (void)new_game(&w, 1, 2, days);
    const LiveAnswer *answer =
        step(&w, (LiveCommand) { .kind = LIVE_CHALLENGE, .account = 1, .control = days });
    const LiveId challenge = answer->id;
    assert_code(step(&w, (LiveCommand) { .kind = LIVE_JOIN, .account = 3, .id = challenge }),
                "unavailable");
    // One ends, and there is room again.
    answer = step(&w, (LiveCommand) { .kind = LIVE_QUERY_GAMES, .account = 1 });
    assert_int_equal(answer->message->games.count, LIVE_GAMES_PER_PLAYER);
    const LiveId first = answer->message->games.rows[0].id;
    (void)step(&w, (LiveCommand) { .kind = LIVE_RESIGN, .account = 1, .id = first });
    answer = step(&w, (LiveCommand) { .kind = LIVE_JOIN, .account = 3, .id = challenge });
    assert_int_equal(answer->kind, LIVE_ANSWER_GAME_ID);
    restart(&w);
    assert_int_equal(live_stats(w.live).games_running, LIVE_GAMES_PER_PLAYER);
    world_close(&w);
}

static void test_channels_of_a_connection(void **state) {
    (void)state;
    World w;
    world_open(&w);
    (void)step(&w, (LiveCommand) { .kind = LIVE_CONNECT, .origin = { 1, 0 } });
    LiveId games[LIVE_CHANNELS_PER_CONNECTION + 1];
    for (int i = 0; i <= LIVE_CHANNELS_PER_CONNECTION; i++)
        games[i] = new_game(&w, 1, 2, blitz);
    LiveCommand sub = { .kind = LIVE_SUBSCRIBE,
                        .origin = { 1, 7 },
                        .channel = { .kind = LIVE_CHANNEL_GAME } };
    for (int i = 0; i < LIVE_CHANNELS_PER_CONNECTION; i++) {
        sub.channel.game = games[i];
        assert_int_equal(step(&w, sub)->kind, LIVE_ANSWER_OK);
    }
    sub.channel.game = games[LIVE_CHANNELS_PER_CONNECTION];
    assert_code(step(&w, sub), "bad_request");
    sub.channel.game = games[0]; // again: no new channel
    assert_int_equal(step(&w, sub)->kind, LIVE_ANSWER_OK);
    assert_int_equal(live_stats(w.live).connections, 1);
    world_close(&w);
}

static void test_time_never_runs_back(void **state) {
    (void)state;
    World w;
    world_open(&w);
    const LiveId game = new_game(&w, 1, 2, blitz);
    w.now_ms += LIVE_START_MS;
    assert_int_equal(move(&w, 1, game, 0, "e2e4")->kind, LIVE_ANSWER_ACK);
    w.now_ms -= 5000;
    assert_int_equal(move(&w, 2, game, 1, "e7e5")->kind, LIVE_ANSWER_ACK);
    for (size_t i = 1; i < w.log.count; i++)
        assert_true(w.log.entries[i].at.ms >= w.log.entries[i - 1].at.ms);
    world_close(&w);
}

static void test_idle_memory_is_given_back(void **state) {
    (void)state;
    World w;
    world_open(&w);
    for (int i = 0; i < 50; i++) {
        const LiveId game = new_game(&w, 1 + i, 100 + i, blitz);
        (void)step(&w, (LiveCommand) { .kind = LIVE_ABORT, .account = 1 + i, .id = game });
    }
    assert_int_equal(live_stats(w.live).games_in_memory, 50);
    assert_int_equal(live_stats(w.live).games_running, 0);
    w.now_ms += LIVE_LINGER_MS;
    (void)step(&w, (LiveCommand) { .kind = LIVE_TIMER });
    const LiveStats stats = live_stats(w.live);
    assert_int_equal(stats.games_in_memory, 0);
    assert_int_equal(stats.accounts, 0);
    JdInstant due;
    assert_false(live_next_deadline(w.live, &due));
    world_close(&w);
}

// ---- damaged logs -------------------------------------------------------------------------------

// A log with one of everything.
static void fill_log(World *w) {
    const LiveId game = new_game(w, 1, 2, blitz);
    (void)step(w,
               (LiveCommand) {
                   .kind = LIVE_CHALLENGE, .account = 1, .control = blitz, .key = JD_STR("key") });
    const LiveAnswer *answer =
        step(w, (LiveCommand) { .kind = LIVE_CHALLENGE, .account = 2, .control = blitz });
    (void)step(w, (LiveCommand) { .kind = LIVE_CANCEL, .account = 2, .id = answer->id });
    w->now_ms += LIVE_START_MS;
    (void)move(w, 1, game, 0, "e2e4");
    (void)move(w, 2, game, 1, "e7e5");
    (void)step(w, (LiveCommand) { .kind = LIVE_DRAW,
                                  .act = LIVE_DRAW_CLAIM_WITH,
                                  .account = 1,
                                  .id = game,
                                  .ply = 2,
                                  .uci = JD_STR("g1f3") });
    (void)step(w, (LiveCommand) { .kind = LIVE_STALLED, .span_ms = 1000 });
    (void)step(
        w, (LiveCommand) {
               .kind = LIVE_DRAW, .act = LIVE_DRAW_DECLINE, .account = 2, .id = game, .ply = 3 });
    (void)step(w, (LiveCommand) { .kind = LIVE_RESIGN, .account = 2, .id = game });
    assert_true(w->log.count >= 12);
}

// Whatever is changed, the replay ends with an error or with a site that works.
static void test_damaged_logs(void **state) {
    (void)state;
    World w;
    world_open(&w);
    fill_log(&w);
    uint64_t random = 99;
    int refused = 0;
    for (int round = 0; round < 3000; round++) {
        Live *live = live_open(&w.memory, (JdInstant) { w.now_ms });
        const size_t hurt = jd_random_below(&random, (uint32_t)w.log.count);
        const uint32_t how = jd_random_below(&random, 5);
        bool good = true;
        for (size_t i = 0; i < w.log.count && good; i++) {
            LiveLogEvent event = w.log.entries[i];
            unsigned char body[LIVE_EVENT_BODY_MAX];
            if (event.body_size > 0)
                memcpy(body, event.body, event.body_size);
            event.body = body;
            if (i == hurt && how == 0)
                continue; // lost
            if (i == hurt && how == 1 && event.body_size > 0)
                body[jd_random_below(&random, (uint32_t)event.body_size)] ^=
                    (unsigned char)(1 << jd_random_below(&random, 8));
            if (i == hurt && how == 2)
                event.body_size = jd_random_below(&random, (uint32_t)event.body_size + 1);
            if (i == hurt && how == 3)
                event.kind = (uint8_t)jd_random(&random);
            if (i == hurt && how == 4)
                event.actor = (uint8_t)jd_random(&random);
            JdErr err = { 0 };
            good = live_replay_event(live, &event, &err);
            if (!good) {
                refused++;
                assert_true(err.text[0] != '\0');
            }
        }
        live_effects_clear(&w.fx);
        const LiveResume resume = { { 0 }, { 0 } };
        live_replay_done(live, &resume, (JdInstant) { w.now_ms + 1000 }, &w.fx);
        const LiveCommand timer = { .kind = LIVE_TIMER };
        live_step(live, &timer, (JdInstant) { w.now_ms + 1000000 }, &w.fx);
        live_close(live);
    }
    assert_true(refused > 1000);
    world_close(&w);
}

static void test_damaged_games_do_not_decode(void **state) {
    (void)state;
    World w;
    world_open(&w);
    fill_log(&w);
    size_t count = 0;
    LiveLogEvent *events = NULL;
    for (size_t i = 0; i < w.log.count && events == NULL; i++)
        if (w.log.entries[i].kind == LIVE_EVENT_GAME_CREATED)
            events = log_of(&w.log, &w.log.entries[i].id, &count);
    assert_non_null(events);
    const size_t size = live_game_decode_size(count);
    void *memory = aligned_alloc(16, (size + 15) / 16 * 16);
    LiveGameView view;
    JdErr err = { 0 };
    JdArena arena = jd_arena(memory, size);
    assert_true(live_game_decode(events, count, (JdInstant) { w.now_ms }, &arena, &view, &err));
    assert_int_equal(view.row.plies, 3);
    assert_string_equal(view.moves[2].san, "Nf3");
    assert_string_equal(view.row.result, "1-0");
    assert_int_equal(view.row.reason, LAWS_RESIGNATION);
    assert_int_equal(view.row.seats[0].account, 1);
    assert_string_equal(view.row.seats[0].nick, "");
    arena.used = 0;
    assert_false(live_game_decode(events, 0, (JdInstant) { 0 }, &arena, &view, &err));
    arena.used = 0;
    assert_false(live_game_decode(events + 1, count - 1, (JdInstant) { 0 }, &arena, &view, &err));
    events[3].seq++;
    arena.used = 0;
    assert_false(live_game_decode(events, count, (JdInstant) { 0 }, &arena, &view, &err));
    arena = jd_arena(memory, 64);
    events[3].seq--;
    assert_false(live_game_decode(events, count, (JdInstant) { 0 }, &arena, &view, &err));
    free(memory);
    free(events);
    world_close(&w);
}

// ---- PGN ----------------------------------------------------------------------------------------

static void test_pgn(void **state) {
    (void)state;
    // The tags as the PGN standard orders them, the movetext by hand.
    static const char expected[] = "[Event \"Casual game\"]\n"
                                   "[Site \"https://example.org/g/1\"]\n"
                                   "[Date \"2023.11.14\"]\n"
                                   "[Round \"-\"]\n"
                                   "[White \"somebody\"]\n"
                                   "[Black \"?\"]\n"
                                   "[Result \"0-1\"]\n"
                                   "[Termination \"normal\"]\n"
                                   "[TimeControl \"180+2\"]\n"
                                   "[UTCDate \"2023.11.14\"]\n"
                                   "[UTCTime \"22:13:35\"]\n"
                                   "\n"
                                   "1. f3 {[%clk 0:03:01]} 1... e5 {[%clk 0:03:00.5]} 2. g4 "
                                   "{[%clk 0:02:50]} 2...\n"
                                   "Qh4# {[%clk 0:03:02.5]} 0-1\n"
                                   "\n";
    World w;
    world_open(&w);
    const LiveId game = new_game(&w, 1, 2, blitz);
    w.now_ms += LIVE_START_MS;
    (void)step(&w, (LiveCommand) { .kind = LIVE_TIMER });
    static const struct {
        const char *uci;
        int64_t ms;
    } moves[] = { { "f2f3", 1000 }, { "e7e5", 1500 }, { "g2g4", 13000 }, { "d8h4", 0 } };
    for (uint32_t i = 0; i < JD_COUNT(moves); i++) {
        w.now_ms += moves[i].ms;
        assert_int_equal(move(&w, 1 + i % 2, game, i, moves[i].uci)->kind, LIVE_ANSWER_ACK);
    }
    void *memory;
    LiveGameView view = decode_game(&w.log, &game, (JdInstant) { w.now_ms }, &memory);
    snprintf(view.row.seats[CHESS_WHITE].nick, LIVE_NICK_SIZE, "somebody");
    char text[4096];
    JdOut out = jd_out(text, sizeof text - 1);
    const LivePgnTags tags = { JD_STR("Casual game"), JD_STR("https://example.org/g/1") };
    live_game_pgn(&view, &tags, &out);
    text[out.size] = '\0';
    assert_true(jd_out_fits(&out) && out.size <= live_game_pgn_size(&view, &tags));
    assert_string_equal(text, expected);
    free(memory);
    world_close(&w);
}

static void test_pgn_dates(void **state) {
    (void)state;
    static const struct {
        int64_t ms;
        const char *date;
        const char *time;
    } rows[] = {
        // date -u -d @...
        { 0, "1970.01.01", "00:00:00" },
        { INT64_C(951782399999), "2000.02.28", "23:59:59" },
        { INT64_C(951782400000), "2000.02.29", "00:00:00" },
        { INT64_C(1709251199000), "2024.02.29", "23:59:59" },
        { INT64_C(4107542400000), "2100.03.01", "00:00:00" },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        LiveGameView view = { .row = { .control = blitz,
                                       .created_ms = rows[i].ms,
                                       .started_ms = LIVE_NEVER,
                                       .state = LAWS_SCHEDULED,
                                       .result = "*" },
                              .start_fen =
                                  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" };
        char text[2048];
        JdOut out = jd_out(text, sizeof text - 1);
        const LivePgnTags tags = { { NULL, 0 }, { NULL, 0 } };
        live_game_pgn(&view, &tags, &out);
        text[out.size] = '\0';
        char tag[64];
        snprintf(tag, sizeof tag, "[Date \"%s\"]", rows[i].date);
        if (strstr(text, tag) == NULL)
            fail_msg("%s is not in %s", tag, text);
        snprintf(tag, sizeof tag, "[UTCTime \"%s\"]", rows[i].time);
        if (strstr(text, tag) == NULL)
            fail_msg("%s is not in %s", tag, text);
        assert_non_null(strstr(text, "[Termination \"unterminated\"]"));
    }
}

// Logs from before challenges had types and editions: body version 1 of both creations.
static void test_logs_of_version_1(void **state) {
    (void)state;
    World w;
    world_open(&w);
    const LiveControl days = { .kind = LIVE_CONTROL_DAYS, .days = 2 };
    const LiveId challenge = { "oldchallenge" };
    const LiveId game = { "oldgame-0001" };
    // version, creator, colour, rated, key size, then the control: kind, periods, days
    static const unsigned char created[] = { 1, 7, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 3, 0, 5 };
    LiveLogEvent event = { .id = challenge,
                           .seq = 1,
                           .at = { BASE_MS },
                           .actor = LAWS_SERVER,
                           .kind = LIVE_EVENT_CHALLENGE_CREATED,
                           .body = created,
                           .body_size = sizeof created };
    JdErr err = { 0 };
    if (!live_replay_event(w.live, &event, &err))
        fail_msg("%s", err.text);
    // version, rated, White, Black, the challenge's id, then the setup
    unsigned char body[LIVE_EVENT_BODY_MAX] = { 1, 1, 7, 0, 0, 0, 0, 0, 0, 0, 8 };
    memcpy(body + 18, challenge.text, LIVE_ID_CHARS);
    LawsSetup setup = { .start = chess_position_start(),
                        .edition = LAWS_FIDE_2023,
                        .pace = LAWS_STANDARD,
                        .supervised = 1,
                        .slow_no_penalty = 1,
                        .offer_gap_moves = LIVE_OFFER_GAP_MOVES };
    assert_true(live_control_to_laws(&days, &setup.control[0], &err));
    setup.control[1] = setup.control[0];
    event.id = game;
    event.kind = LIVE_EVENT_GAME_CREATED;
    event.body = body;
    event.body_size = 30 + laws_setup_write(&setup, body + 30);
    if (!live_replay_event(w.live, &event, &err))
        fail_msg("%s", err.text);
    const LiveResume resume = { { 0 }, { 0 } };
    live_account_name(w.live, 7, JD_STR("anna"));
    live_account_name(w.live, 8, JD_STR("boris"));
    live_replay_done(w.live, &resume, (JdInstant) { w.now_ms }, &w.fx);
    const LiveAnswer *answer = step(&w, (LiveCommand) { .kind = LIVE_QUERY_LOBBY });
    assert_int_equal(answer->message->lobby.count, 1);
    const LiveChallenge *row = &answer->message->lobby.challenges[0];
    assert_int_equal(row->type, LIVE_CLASSIC);
    assert_int_equal(row->edition, LAWS_FIDE_2023);
    assert_int_equal(row->flag, LIVE_FLAG_AUTO);
    assert_int_equal(row->control.days, 5);
    assert_int_equal(row->rated, 1);
    answer = step(&w, (LiveCommand) { .kind = LIVE_QUERY_GAME, .id = game });
    assert_int_equal(answer->game->row.type, LIVE_CLASSIC);
    assert_int_equal(answer->game->row.category, LAWS_STANDARD);
    assert_int_equal(live_list(answer->game->row.type, &answer->game->row.control), RATING_CLASSIC);
    world_close(&w);
}

// S-111: the list follows from the type and from base + 60 increments.
static void test_lists(void **state) {
    (void)state;
    static const struct {
        int64_t base_s, extra_s;
        RatingList list;
    } rows[] = {
        { 180, 2, RATING_BLITZ },    { 300, 5, RATING_BLITZ },     { 600, 0, RATING_BLITZ },
        { 600, 1, RATING_RAPID },    { 900, 10, RATING_RAPID },    { 3540, 0, RATING_RAPID },
        { 3600, 0, RATING_CLASSIC }, { 2700, 15, RATING_CLASSIC }, { 5400, 30, RATING_CLASSIC },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        LiveControl control = {
            .kind = LIVE_CONTROL_CLOCK,
            .periods = { { .time_ms = rows[i].base_s * 1000,
                           .increment_ms = rows[i].extra_s * 1000 } },
        };
        assert_int_equal(live_list(LIVE_BLITZ, &control), rows[i].list);
        control.periods[0].delay_ms = control.periods[0].increment_ms;
        control.periods[0].increment_ms = 0;
        assert_int_equal(live_list(LIVE_BLITZ, &control), rows[i].list);
    }
    const LiveControl days = { .kind = LIVE_CONTROL_DAYS, .days = 1 };
    assert_int_equal(live_list(LIVE_CLASSIC, &days), RATING_CLASSIC);
    assert_int_equal(live_list(LIVE_ADVANCE, &days), RATING_ADVANCE);
}

// ---- chat
// -----------------------------------------------------------------------------------------

static size_t count_effects(const World *w, LiveEffectKind kind) {
    size_t count = 0;
    for (size_t i = 0; i < w->fx.count; i++)
        count += w->fx.list[i].kind == kind;
    return count;
}

static void say(World *w, LiveAccount who, LiveId game) {
    const LiveAnswer *answer = step(w, (LiveCommand) { .kind = LIVE_SAY,
                                                       .account = who,
                                                       .id = game,
                                                       .room = LIVE_ROOM_PLAYERS,
                                                       .text = JD_STR("hello") });
    assert_non_null(answer);
    assert_int_equal(answer->kind, LIVE_ANSWER_OK);
}

// who is blocked is told nothing of it, and his lines are neither kept nor sent.
static void test_chat_to_somebody_who_blocks(void **state) {
    (void)state;
    World w;
    world_open(&w);
    const LiveAccount annoying = 2;
    const LiveProfile profile = {
        .parts = LIVE_PROFILE_BLOCKED,
        .blocked = &annoying,
        .blocked_count = 1,
    };
    const LiveId game = new_game(&w, 1, annoying, blitz);
    (void)step(&w,
               (LiveCommand) { .kind = LIVE_ACCOUNT_PROFILE, .account = 1, .profile = &profile });
    say(&w, annoying, game);
    assert_int_equal(count_effects(&w, LIVE_FX_CHAT), 0);
    say(&w, 1, game);
    assert_int_equal(count_effects(&w, LIVE_FX_CHAT), 1);
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chat_to_somebody_who_blocks),
        cmocka_unit_test(test_vacation_ends_before_the_verdict),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_controls_there_and_back),
        cmocka_unit_test(test_logs_of_version_1),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_a_ring_forgets),
        cmocka_unit_test(test_numbers_rise_over_restarts),
        cmocka_unit_test(test_deleted_while_down),
        cmocka_unit_test(test_bounds_of_a_player),
        cmocka_unit_test(test_channels_of_a_connection),
        cmocka_unit_test(test_time_never_runs_back),
        cmocka_unit_test(test_idle_memory_is_given_back),
        cmocka_unit_test(test_damaged_logs),
        cmocka_unit_test(test_damaged_games_do_not_decode),
        cmocka_unit_test(test_pgn),
        cmocka_unit_test(test_pgn_dates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
