// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games by days that leave memory. Two clubs live through the same weeks, outages and restarts; in
// one of them games sleep, in the other none ever does. What they log about a game is the same,
// byte for byte.
#include "world.h"

#define PLAYERS 6
#define GAMES 12
#define START_MS INT64_C(1700000000000)
#define HOUR_MS INT64_C(3600000)

typedef struct Sleeping {
    LiveId id;
    int64_t wake_ms;
} Sleeping;

typedef struct Club {
    Live *live;
    LiveMemory memory;
    int64_t bytes;
    LiveEffects fx;
    bool sleeps;
    Log log;
    Sleeping asleep[GAMES];
    size_t asleep_count;
    LiveOutage outages[2000];
    size_t outage_count;
    LiveVacation vacations[PLAYERS + 1]; // the last of each
    LiveAnswer answer;                   // of the last step
    size_t woken;
} Club;

typedef struct Pair {
    Club clubs[2]; // 0: nobody sleeps
    int64_t now_ms;
    uint64_t random;
    uint64_t seed;
    LiveId games[GAMES];
    bool connected[PLAYERS + 1];
    size_t slept;
} Pair;

static uint32_t below(Pair *pair, uint32_t limit) {
    return jd_random_below(&pair->random, limit);
}

// ---- a club -------------------------------------------------------------------------------------

static Sleeping *find_asleep(Club *club, const LiveId *id) {
    for (size_t i = 0; i < club->asleep_count; i++)
        if (live_id_equal(&club->asleep[i].id, id))
            return &club->asleep[i];
    return NULL;
}

// What the store does with the effects of a step; they are durable at once.
static void absorb(Pair *pair, Club *club) {
    LiveId put_away[GAMES];
    uint32_t seqs[GAMES];
    size_t count = 0;
    club->answer = (LiveAnswer) { 0 };
    for (size_t i = 0; i < club->fx.count; i++) {
        const LiveEffect *effect = &club->fx.list[i];
        if (effect->kind == LIVE_FX_LOG) {
            log_append(&club->log, effect->log);
            Sleeping *sleeping = find_asleep(club, &effect->log->id);
            if (sleeping != NULL)
                *sleeping = club->asleep[--club->asleep_count];
        } else if (effect->kind == LIVE_FX_GAME_SLEEP && club->sleeps) {
            assert_null(find_asleep(club, &effect->id));
            assert_true(effect->sleep.wake_ms > pair->now_ms);
            club->asleep[club->asleep_count++] = (Sleeping) { effect->id, effect->sleep.wake_ms };
            put_away[count] = effect->id;
            seqs[count++] = effect->sleep.last_seq;
        } else if (effect->kind == LIVE_FX_OUTAGE) {
            assert_true(club->outage_count < JD_COUNT(club->outages));
            club->outages[club->outage_count++] = effect->outage;
        } else if (effect->kind == LIVE_FX_VACATION) {
            club->vacations[effect->vacation.account] = effect->vacation;
        } else if (effect->kind == LIVE_FX_ANSWER) {
            club->answer = *effect->answer;
        }
    }
    live_effects_clear(&club->fx);
    for (size_t i = 0; i < count; i++) {
        const LiveCommand slept = { .kind = LIVE_SLEPT, .id = put_away[i], .ply = seqs[i] };
        live_step(club->live, &slept, (JdInstant) { pair->now_ms }, &club->fx);
        assert_int_equal(club->fx.count, 0);
        pair->slept++;
    }
}

static void wake(Pair *pair, Club *club, const LiveId *id) {
    size_t count;
    LiveLogEvent *events = log_of(&club->log, id, &count);
    const LiveSleeper sleeper = { .events = events,
                                  .count = count,
                                  .nicks = { JD_STR("w"), JD_STR("b") } };
    JdErr err = { 0 };
    if (!live_wake(club->live, &sleeper, (JdInstant) { pair->now_ms }, &club->fx, &err))
        fail_msg("seed %llu: %s", (unsigned long long)pair->seed, err.text);
    free(events);
    club->woken++;
    absorb(pair, club);
}

static void summon(Pair *pair, Club *club, LiveAccount account) {
    const LiveCommand summoned = { .kind = LIVE_SUMMONED,
                                   .account = account,
                                   .since = live_sleeps(club->live) };
    LiveId ids[GAMES];
    size_t count = 0;
    for (size_t i = 0; i < club->asleep_count; i++)
        ids[count++] = club->asleep[i].id; // more than his own do no harm
    for (size_t i = 0; i < count; i++)
        wake(pair, club, &ids[i]);
    live_step(club->live, &summoned, (JdInstant) { pair->now_ms }, &club->fx);
    absorb(pair, club);
}

static void step_club(Pair *pair, Club *club, const LiveCommand *command) {
    LiveNeed need;
    while (club->sleeps && live_need(club->live, command, &need)) {
        if (need.account) {
            summon(pair, club, command->account);
            if (!live_is_partial(club->live, command->account))
                break;
        } else if (find_asleep(club, &need.id) != NULL) {
            wake(pair, club, &need.id);
        } else {
            break; // it has ended
        }
    }
    live_step(club->live, command, (JdInstant) { pair->now_ms }, &club->fx);
    absorb(pair, club);
}

static void step(Pair *pair, LiveCommand *command) {
    for (int i = 0; i < LIVE_RANDOM_SIZE; i++)
        command->random[i] = (uint8_t)jd_random(&pair->random);
    step_club(pair, &pair->clubs[0], command);
    step_club(pair, &pair->clubs[1], command);
    // How long an ended game stays in memory depends on when its end was noticed.
    for (int i = 0; i < 2; i++)
        if (pair->clubs[i].answer.code != NULL &&
            strcmp(pair->clubs[i].answer.code, "not_found") == 0)
            return;
    if (pair->clubs[0].answer.kind != pair->clubs[1].answer.kind)
        fail_msg("seed %llu: command %d on %s is answered %d %s and %d %s",
                 (unsigned long long)pair->seed, command->kind, command->id.text,
                 pair->clubs[0].answer.kind, pair->clubs[0].answer.err.text,
                 pair->clubs[1].answer.kind, pair->clubs[1].answer.err.text);
    if (pair->clubs[0].answer.code != NULL)
        assert_string_equal(pair->clubs[0].answer.code, pair->clubs[1].answer.code);
}

static void look_for_due(Pair *pair, int64_t ahead_ms) {
    Club *club = &pair->clubs[1];
    for (size_t i = 0; i < club->asleep_count;) {
        const LiveId id = club->asleep[i].id;
        uint64_t digest;
        if (club->asleep[i].wake_ms > pair->now_ms + ahead_ms ||
            live_game_digest(club->live, &id, &digest)) {
            i++;
            continue;
        }
        wake(pair, club, &id);
        i = 0;
    }
}

// ---- life ---------------------------------------------------------------------------------------

static void open_club(Club *club, bool sleeps) {
    club->memory = test_memory(&club->bytes);
    club->sleeps = sleeps;
    live_effects_open(&club->fx, &club->memory);
    club->live = live_open(&club->memory, (JdInstant) { START_MS });
}

static void restart_club(Pair *pair, Club *club, int64_t alive_ms) {
    live_close(club->live);
    club->live = live_open(&club->memory, (JdInstant) { pair->now_ms });
    for (size_t i = 0; i < club->outage_count; i++)
        live_replay_outage(club->live, &club->outages[i]);
    for (int i = 0; i <= PLAYERS; i++)
        if (club->vacations[i].account != 0 && club->vacations[i].ended_ms == LIVE_NEVER &&
            club->vacations[i].until_ms > pair->now_ms)
            live_replay_vacation(club->live, club->vacations[i].account, club->vacations[i].from_ms,
                                 club->vacations[i].until_ms);
    for (size_t i = 0; i < club->log.count; i++) {
        JdErr err = { 0 };
        if (find_asleep(club, &club->log.entries[i].id) == NULL &&
            !live_replay_event(club->live, &club->log.entries[i], &err))
            fail_msg("%s", err.text);
    }
    size_t cursor = 0;
    for (LiveAccount account; live_account_next(club->live, &cursor, &account);)
        live_account_name(club->live, account, JD_STR("p"));
    const LiveResume resume = { { alive_ms }, { 500 } };
    live_replay_done(club->live, &resume, (JdInstant) { pair->now_ms }, &club->fx);
    absorb(pair, club);
}

static void restart(Pair *pair) {
    const int64_t alive_ms = pair->now_ms;
    pair->now_ms += below(pair, 3) == 0 ? below(pair, 72) * HOUR_MS : below(pair, 600000) + 1;
    restart_club(pair, &pair->clubs[0], alive_ms);
    restart_club(pair, &pair->clubs[1], alive_ms);
    memset(pair->connected, 0, sizeof pair->connected);
}

static void make_game(Pair *pair, int index) {
    const LiveAccount white = 1 + below(pair, PLAYERS);
    LiveAccount black = 1 + below(pair, PLAYERS - 1);
    black += black >= white;
    LiveCommand challenge = { .kind = LIVE_CHALLENGE,
                              .account = white,
                              .nick = JD_STR("w"),
                              .control = { .kind = LIVE_CONTROL_DAYS,
                                           .days = (uint8_t)(1 + below(pair, 3)) } };
    step(pair, &challenge);
    LiveCommand join = {
        .kind = LIVE_JOIN, .account = black, .nick = JD_STR("b"), .id = pair->clubs[0].answer.id
    };
    step(pair, &join);
    pair->games[index] = pair->clubs[0].answer.id;
}

static void act(Pair *pair) {
    const LiveId *id = &pair->games[below(pair, GAMES)];
    LiveCommand query = { .kind = LIVE_QUERY_GAME, .id = *id };
    step(pair, &query);
    if (pair->clubs[0].answer.kind != LIVE_ANSWER_GAME)
        return;
    void *memory;
    const LiveGameView view =
        decode_game(&pair->clubs[0].log, id, (JdInstant) { pair->now_ms }, &memory);
    ChessPosition pos;
    JdErr err = { 0 };
    assert_true(chess_fen_parse(jd_str(view.fen), &pos, &err));
    ChessMoveList moves;
    chess_moves_generate(&pos, &moves);
    char uci[CHESS_UCI_SIZE] = "0000";
    if (moves.count > 0)
        (void)chess_uci_write(&pos, moves.moves[below(pair, (uint32_t)moves.count)], uci);
    const uint32_t dice = below(pair, 100);
    LiveCommand command = { .kind = dice < 85   ? LIVE_MOVE
                                    : dice < 93 ? LIVE_DRAW
                                    : dice < 95 ? LIVE_RESIGN
                                                : LIVE_FLAG,
                            .id = *id,
                            .account = view.row.seats[dice < 90 ? view.row.turn : dice % 2].account,
                            .nick = JD_STR("p"),
                            .ply = view.row.plies,
                            .uci = jd_str(uci),
                            .act = LIVE_DRAW_OFFER };
    step(pair, &command);
    free(memory);
}

static void come_or_go(Pair *pair) {
    const LiveAccount account = 1 + below(pair, PLAYERS);
    LiveCommand command = { .kind = pair->connected[account] ? LIVE_DISCONNECT : LIVE_CONNECT,
                            .account = account,
                            .nick = JD_STR("p"),
                            .origin.connection = (uint64_t)account };
    step(pair, &command);
    pair->connected[account] = !pair->connected[account];
    if (!pair->connected[account])
        return;
    command.kind = LIVE_SUBSCRIBE;
    command.channel.kind = below(pair, 2) == 0 ? LIVE_CHANNEL_ME : LIVE_CHANNEL_GAME;
    command.channel.game = pair->games[below(pair, GAMES)];
    step(pair, &command);
}

static void live_on(Pair *pair) {
    pair->now_ms += below(pair, 4) == 0 ? below(pair, 20) * HOUR_MS : below(pair, 900000);
    look_for_due(pair, below(pair, 2) * 60000);
    const uint32_t dice = below(pair, 100);
    if (dice < 50) {
        act(pair);
    } else if (dice < 75) {
        come_or_go(pair);
    } else if (dice < 80) {
        restart(pair);
    } else if (dice < 84) {
        LiveCommand vacation = { .kind = LIVE_VACATION,
                                 .account = 1 + below(pair, PLAYERS),
                                 .nick = JD_STR("p"),
                                 .days = (uint8_t)below(pair, 4) };
        step(pair, &vacation);
    } else if (dice < 88) {
        LiveCommand stalled = { .kind = LIVE_STALLED, .span_ms = 1 + below(pair, 300000) };
        step(pair, &stalled);
    } else {
        LiveCommand timer = { .kind = LIVE_TIMER };
        step(pair, &timer);
    }
}

// ---- comparing ----------------------------------------------------------------------------------

static void compare_game(const Pair *pair, const LiveId *id) {
    size_t counts[2];
    LiveLogEvent *events[2];
    for (int i = 0; i < 2; i++)
        events[i] = log_of(&pair->clubs[i].log, id, &counts[i]);
    for (size_t i = 0; i < counts[0] && i < counts[1]; i++) {
        const LiveLogEvent *a = &events[0][i];
        const LiveLogEvent *b = &events[1][i];
        if (a->seq != b->seq || a->kind != b->kind || a->at.ms != b->at.ms ||
            a->actor != b->actor || a->body_size != b->body_size ||
            memcmp(a->body, b->body, a->body_size) != 0)
            fail_msg("seed %llu: game %s differs at entry %zu: %s at %lld, %s at %lld",
                     (unsigned long long)pair->seed, id->text, i + 1, event_kind_name(a->kind),
                     (long long)a->at.ms, event_kind_name(b->kind), (long long)b->at.ms);
    }
    if (counts[0] != counts[1])
        fail_msg("seed %llu: game %s has %zu and %zu entries", (unsigned long long)pair->seed,
                 id->text, counts[0], counts[1]);
    free(events[0]);
    free(events[1]);
    uint64_t digests[2];
    if (live_game_digest(pair->clubs[0].live, id, &digests[0]) &&
        live_game_digest(pair->clubs[1].live, id, &digests[1]))
        assert_int_equal(digests[0], digests[1]);
}

// S-097, S-098, S-099, X-008: a game that slept is byte for byte the one that never did.
static void test_twins(void **state) {
    (void)state;
    size_t slept = 0;
    size_t woken = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Pair *pair = calloc(1, sizeof(*pair));
        pair->seed = seed;
        pair->random = jd_mix(seed);
        pair->now_ms = START_MS;
        open_club(&pair->clubs[0], false);
        open_club(&pair->clubs[1], true);
        for (int i = 0; i < GAMES; i++)
            make_game(pair, i);
        for (int i = 0; i < 500; i++)
            live_on(pair);
        while (pair->clubs[1].asleep_count > 0) {
            const LiveId id = pair->clubs[1].asleep[0].id;
            wake(pair, &pair->clubs[1], &id);
            if (pair->clubs[1].asleep_count > 0 && live_id_equal(&id, &pair->clubs[1].asleep[0].id))
                pair->clubs[1].asleep[0] = pair->clubs[1].asleep[--pair->clubs[1].asleep_count];
        }
        for (int i = 0; i < GAMES; i++)
            compare_game(pair, &pair->games[i]);
        slept += pair->slept;
        woken += pair->clubs[1].woken;
        for (int i = 0; i < 2; i++) {
            live_close(pair->clubs[i].live);
            live_effects_close(&pair->clubs[i].fx);
            assert_int_equal(pair->clubs[i].bytes, 0);
            log_free(&pair->clubs[i].log);
        }
        free(pair);
    }
    print_message("%zu times asleep, %zu times awake again\n", slept, woken);
    assert_true(slept > 1000 && woken > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_twins) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
