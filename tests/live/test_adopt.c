// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games and challenges that change hands between the nodes of a site (live_drop, live_adopt).
#include "world.h"

#define START_MS INT64_C(1700000000000)
#define HOUR_MS INT64_C(3600000)
#define PEOPLE 8

// ---- a node -------------------------------------------------------------------------------------

typedef struct Node {
    Live *live;
    LiveMemory memory;
    int64_t bytes;
    LiveEffects fx;
    Log *log; // of its site
    LiveAnswer answer;
    size_t thinks;
    size_t outages;
    LiveOutage outage; // the last
    LiveVacation vacation;
    size_t vacations;
} Node;

static const char *const nicks[PEOPLE + 1] = { "", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8" };

static void node_open(Node *node, Log *log, int64_t now_ms) {
    *node = (Node) { .log = log };
    node->memory = test_memory(&node->bytes);
    node->live = live_open(&node->memory, (JdInstant) { now_ms });
    live_effects_open(&node->fx, &node->memory);
}

static void node_close(Node *node) {
    live_close(node->live);
    live_effects_close(&node->fx);
    assert_int_equal(node->bytes, 0);
}

static void node_step(Node *node, const LiveCommand *command, int64_t now_ms);

// Everything is durable at once, and questions are answered at once.
static void absorb(Node *node, int64_t now_ms) {
    LiveCommand verdicts[16];
    size_t count = 0;
    node->answer = (LiveAnswer) { 0 };
    for (size_t i = 0; i < node->fx.count; i++) {
        const LiveEffect *effect = &node->fx.list[i];
        if (effect->kind == LIVE_FX_LOG)
            log_append(node->log, effect->log);
        else if (effect->kind == LIVE_FX_ANSWER)
            node->answer = *effect->answer;
        else if (effect->kind == LIVE_FX_THINK)
            node->thinks++;
        else if (effect->kind == LIVE_FX_OUTAGE)
            node->outage = effect->outage, node->outages++;
        else if (effect->kind == LIVE_FX_VACATION)
            node->vacation = effect->vacation, node->vacations++;
        else if (effect->kind == LIVE_FX_DECIDE && count < JD_COUNT(verdicts))
            verdicts[count++] = (LiveCommand) { .kind = LIVE_VERDICT,
                                                .id = effect->id,
                                                .ply = effect->question->ply };
    }
    const LiveAnswer answer = node->answer;
    for (size_t i = 0; i < count; i++)
        node_step(node, &verdicts[i], now_ms);
    node->answer = answer;
}

static void node_step(Node *node, const LiveCommand *command, int64_t now_ms) {
    live_effects_clear(&node->fx);
    live_step(node->live, command, (JdInstant) { now_ms }, &node->fx);
    absorb(node, now_ms);
}

static bool is_that(void *context, const LiveId *id) {
    return live_id_equal(context, id);
}

static void node_drop(Node *node, const LiveId *id) {
    LiveId copy = *id;
    live_effects_clear(&node->fx);
    live_drop(node->live, is_that, &copy, &node->fx);
    absorb(node, 0);
}

static const LivePerson *everybody(void) {
    static LivePerson people[PEOPLE];
    for (int i = 0; i < PEOPLE; i++)
        people[i] = (LivePerson) { .account = i + 1, .nick = jd_str(nicks[i + 1]) };
    return people;
}

// From the first `count` events; alive_ms: the sign of life of the former owner.
static bool try_adopt(Node *node, const LiveLogEvent *events, size_t count, int64_t alive_ms,
                      int64_t now_ms, JdErr *err) {
    const LiveAdoption adoption = { .events = events,
                                    .count = count,
                                    .people = everybody(),
                                    .people_count = PEOPLE,
                                    .last_alive = { alive_ms } };
    live_effects_clear(&node->fx);
    return live_adopt(node->live, &adoption, (JdInstant) { now_ms }, &node->fx, err);
}

static void node_adopt(Node *node, const LiveId *id, int64_t alive_ms, int64_t now_ms) {
    size_t count;
    LiveLogEvent *events = log_of(node->log, id, &count);
    JdErr err = { 0 };
    if (!try_adopt(node, events, count, alive_ms, now_ms, &err))
        fail_msg("%s", err.text);
    absorb(node, now_ms);
    free(events);
}

static void compare_logs(const Log *a, const Log *b, const LiveId *id, uint64_t seed) {
    size_t counts[2];
    LiveLogEvent *events[2] = { log_of(a, id, &counts[0]), log_of(b, id, &counts[1]) };
    for (size_t i = 0; i < counts[0] && i < counts[1]; i++) {
        const LiveLogEvent *x = &events[0][i];
        const LiveLogEvent *y = &events[1][i];
        if (x->seq != y->seq || x->kind != y->kind || x->at.ms != y->at.ms ||
            x->actor != y->actor || x->body_size != y->body_size ||
            memcmp(x->body, y->body, x->body_size) != 0)
            fail_msg("seed %llu: %s differs at entry %zu: %s at %lld, %s at %lld",
                     (unsigned long long)seed, id->text, i + 1, event_kind_name(x->kind),
                     (long long)x->at.ms, event_kind_name(y->kind), (long long)y->at.ms);
    }
    if (counts[0] != counts[1])
        fail_msg("seed %llu: %s has %zu and %zu entries", (unsigned long long)seed, id->text,
                 counts[0], counts[1]);
    free(events[0]);
    free(events[1]);
}

// ---- games of chance ----------------------------------------------------------------------------

#define NODES 4 // of the moving site; the other has one
#define GAMES 6

typedef struct Pair {
    uint64_t seed;
    uint64_t random;
    int64_t now_ms;
    Log logs[2];
    Node home;
    Node nodes[NODES];
    LiveId games[GAMES];
    int owner[GAMES];
    size_t moves;
} Pair;

static uint32_t below(Pair *pair, uint32_t limit) {
    return jd_random_below(&pair->random, limit);
}

// The same command to both sites.
static void both(Pair *pair, int owner, LiveCommand *command) {
    for (int i = 0; i < LIVE_RANDOM_SIZE; i++)
        command->random[i] = (uint8_t)jd_random(&pair->random);
    node_step(&pair->home, command, pair->now_ms);
    node_step(&pair->nodes[owner], command, pair->now_ms);
    if (pair->home.answer.kind != pair->nodes[owner].answer.kind)
        fail_msg("seed %llu: command %d on %s is answered %d %s and %d %s",
                 (unsigned long long)pair->seed, command->kind, command->id.text,
                 pair->home.answer.kind, pair->home.answer.err.text, pair->nodes[owner].answer.kind,
                 pair->nodes[owner].answer.err.text);
}

static void everywhere(Pair *pair, const LiveCommand *command) {
    node_step(&pair->home, command, pair->now_ms);
    for (int i = 0; i < NODES; i++)
        node_step(&pair->nodes[i], command, pair->now_ms);
}

static void begin_game(Pair *pair, int index) {
    static const LiveControl controls[] = {
        { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 180000, .increment_ms = 2000 } } },
        { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 60000, .delay_ms = 3000 } } },
        { .kind = LIVE_CONTROL_DAYS, .days = 1 },
    };
    const LiveAccount white = 1 + below(pair, PEOPLE);
    const LiveAccount black = 1 + (white - 1 + 1 + below(pair, PEOPLE - 1)) % PEOPLE;
    pair->owner[index] = (int)below(pair, NODES);
    LiveCommand challenge = { .kind = LIVE_CHALLENGE,
                              .account = white,
                              .nick = jd_str(nicks[white]),
                              .edition = (uint8_t)below(pair, LAWS_EDITION_COUNT),
                              .control = controls[below(pair, JD_COUNT(controls))] };
    both(pair, pair->owner[index], &challenge);
    LiveCommand join = { .kind = LIVE_JOIN,
                         .account = black,
                         .nick = jd_str(nicks[black]),
                         .id = pair->home.answer.id };
    both(pair, pair->owner[index], &join);
    pair->games[index] = pair->home.answer.id;
    // The 15 seconds to come begin anew at each change of hands: they are no subject here.
    pair->now_ms += LIVE_START_MS;
    const LiveCommand timer = { .kind = LIVE_TIMER };
    everywhere(pair, &timer);
}

static void change_hands(Pair *pair, int index) {
    uint64_t before;
    uint64_t after;
    Node *from = &pair->nodes[pair->owner[index]];
    if (!live_game_digest(from->live, &pair->games[index], &before))
        return; // it has ended a while ago
    LiveGameRow row;
    assert_true(live_game_row(from->live, &pair->games[index], &row));
    if (row.state != LAWS_RUNNING)
        return;
    node_drop(from, &pair->games[index]);
    assert_false(live_game_digest(from->live, &pair->games[index], &after));
    pair->owner[index] = (pair->owner[index] + 1 + (int)below(pair, NODES - 1)) % NODES;
    Node *to = &pair->nodes[pair->owner[index]];
    node_adopt(to, &pair->games[index], pair->now_ms, pair->now_ms);
    assert_true(live_game_digest(to->live, &pair->games[index], &after));
    if (before != after)
        fail_msg("seed %llu: game %s is another one", (unsigned long long)pair->seed,
                 pair->games[index].text);
    pair->moves++;
}

static void play(Pair *pair, int index) {
    void *memory;
    const LiveGameView view =
        decode_game(&pair->logs[0], &pair->games[index], (JdInstant) { pair->now_ms }, &memory);
    if (view.row.state == LAWS_RUNNING) {
        ChessPosition pos;
        JdErr err = { 0 };
        assert_true(chess_fen_parse(jd_str(view.fen), &pos, &err));
        ChessMoveList moves;
        chess_moves_generate(&pos, &moves);
        char uci[CHESS_UCI_SIZE] = "0000";
        if (moves.count > 0)
            (void)chess_uci_write(&pos, moves.moves[below(pair, (uint32_t)moves.count)], uci);
        const uint32_t dice = below(pair, 100);
        LiveCommand command = { .kind = dice < 88   ? LIVE_MOVE
                                        : dice < 99 ? LIVE_DRAW
                                                    : LIVE_RESIGN,
                                .id = pair->games[index],
                                .account =
                                    view.row.seats[dice < 93 ? view.row.turn : dice % 2].account,
                                .ply = view.row.plies,
                                .uci = jd_str(uci),
                                .draw = below(pair, 20) == 0,
                                .delay_ms = below(pair, 600),
                                .act = (uint8_t)(1 + below(pair, 5)) };
        if (command.act == LIVE_DRAW_ACCEPT)
            command.act = LIVE_DRAW_OFFER;
        command.nick = jd_str(nicks[command.account]);
        both(pair, pair->owner[index], &command);
        // A move in a game by days ends a vacation, everywhere.
        for (int i = 0; i < NODES; i++)
            if (pair->nodes[pair->owner[index]].vacations > 0 && i != pair->owner[index]) {
                const LiveCommand told = { .kind = LIVE_VACATION_TOLD,
                                           .vacation = &pair->nodes[pair->owner[index]].vacation };
                node_step(&pair->nodes[i], &told, pair->now_ms);
            }
        pair->nodes[pair->owner[index]].vacations = 0;
    }
    free(memory);
}

// one node takes it down, the others are told.
static void vacate(Pair *pair) {
    LiveCommand vacation = { .kind = LIVE_VACATION,
                             .account = 1 + below(pair, PEOPLE),
                             .days = (uint8_t)below(pair, 3) };
    vacation.nick = jd_str(nicks[vacation.account]);
    const int at = (int)below(pair, NODES);
    both(pair, at, &vacation);
    if (pair->nodes[at].vacations == 0)
        return;
    pair->nodes[at].vacations = 0;
    const LiveCommand told = { .kind = LIVE_VACATION_TOLD, .vacation = &pair->nodes[at].vacation };
    for (int i = 0; i < NODES; i++)
        for (uint32_t times = below(pair, 2) + 1; i != at && times > 0; times--)
            node_step(&pair->nodes[i], &told, pair->now_ms);
    for (int i = 0; i < NODES; i++)
        assert_int_equal(pair->nodes[i].vacations, 0);
}

static void run_pair(uint64_t seed, size_t *moves) {
    Pair *pair = calloc(1, sizeof(*pair));
    pair->seed = seed;
    pair->random = jd_mix(seed);
    pair->now_ms = START_MS;
    node_open(&pair->home, &pair->logs[0], START_MS);
    for (int i = 0; i < NODES; i++)
        node_open(&pair->nodes[i], &pair->logs[1], START_MS);
    for (int i = 0; i < NODES && seed % 2 == 0; i++)
        live_ask_always(pair->nodes[i].live);
    if (seed % 2 == 0)
        live_ask_always(pair->home.live);
    for (int i = 0; i < GAMES; i++)
        begin_game(pair, i);
    for (int i = 0; i < 400; i++) {
        pair->now_ms += below(pair, 40) == 0 ? below(pair, 10) * HOUR_MS : below(pair, 3000);
        const LiveCommand timer = { .kind = LIVE_TIMER };
        everywhere(pair, &timer);
        const int index = (int)below(pair, GAMES);
        if (below(pair, 4) == 0)
            change_hands(pair, index);
        else if (below(pair, 40) == 0)
            vacate(pair);
        else
            play(pair, index);
    }
    for (int i = 0; i < GAMES; i++)
        compare_logs(&pair->logs[0], &pair->logs[1], &pair->games[i], seed);
    *moves += pair->moves;
    node_close(&pair->home);
    for (int i = 0; i < NODES; i++)
        node_close(&pair->nodes[i]);
    log_free(&pair->logs[0]);
    log_free(&pair->logs[1]);
    free(pair);
}

// A game that wanders from node to node is byte for byte the one that stays.
static void test_wandering_games(void **state) {
    (void)state;
    size_t moves = 0;
    for (uint64_t seed = 1; seed <= 60; seed++)
        run_pair(seed, &moves);
    print_message("%zu changes of hands\n", moves);
    assert_true(moves > 1000);
}

// ---- one site of two nodes ----------------------------------------------------------------------

typedef struct Site {
    Log log;
    Node nodes[2];
    int64_t now_ms;
    uint64_t random;
} Site;

static void site_open(Site *site) {
    *site = (Site) { .now_ms = START_MS, .random = 7 };
    for (int i = 0; i < 2; i++)
        node_open(&site->nodes[i], &site->log, START_MS);
}

static void site_close(Site *site) {
    for (int i = 0; i < 2; i++)
        node_close(&site->nodes[i]);
    log_free(&site->log);
}

static const LiveAnswer *site_step(Site *site, int node, LiveCommand command) {
    for (int i = 0; i < LIVE_RANDOM_SIZE; i++)
        command.random[i] = (uint8_t)jd_random(&site->random);
    if (command.account != 0)
        command.nick = jd_str(nicks[command.account]);
    node_step(&site->nodes[node], &command, site->now_ms);
    return &site->nodes[node].answer;
}

static const LiveControl blitz = { .kind = LIVE_CONTROL_CLOCK,
                                   .periods = { { .time_ms = 180000, .increment_ms = 2000 } } };
static const LiveControl one_day = { .kind = LIVE_CONTROL_DAYS, .days = 1 };

// Player 1 has White against player 2, and has moved.
static LiveId site_game(Site *site, int node, LiveControl control) {
    const LiveAnswer *answer = site_step(
        site, node, (LiveCommand) { .kind = LIVE_CHALLENGE, .account = 1, .control = control });
    answer =
        site_step(site, node, (LiveCommand) { .kind = LIVE_JOIN, .account = 2, .id = answer->id });
    assert_int_equal(answer->kind, LIVE_ANSWER_GAME_ID);
    const LiveId id = answer->id;
    site->now_ms += LIVE_START_MS;
    (void)site_step(site, node, (LiveCommand) { .kind = LIVE_TIMER });
    answer = site_step(
        site, node,
        (LiveCommand) { .kind = LIVE_MOVE, .account = 1, .id = id, .uci = JD_STR("e2e4") });
    assert_int_equal(answer->kind, LIVE_ANSWER_ACK);
    return id;
}

static LiveGameView view_of(Site *site, int node, const LiveId *id) {
    const LiveAnswer *answer =
        site_step(site, node, (LiveCommand) { .kind = LIVE_QUERY_GAME, .id = *id });
    assert_int_equal(answer->kind, LIVE_ANSWER_GAME);
    return *answer->game;
}

static const LiveEffect *effect_of(const Node *node, LiveEffectKind kind, size_t nth) {
    for (size_t i = 0; i < node->fx.count; i++)
        if (node->fx.list[i].kind == kind && nth-- == 0)
            return &node->fx.list[i];
    return NULL;
}

// ---- outages ------------------------------------------------------------------------------------

// The time without an owner is charged to nobody; a flag that fell before it has fallen.
static void test_outage_is_credited(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId game = site_game(&site, 0, blitz);
    site.now_ms += 10000; // Black thinks for ten seconds, then the node dies
    const int64_t alive_ms = site.now_ms;
    site.now_ms += 4000;
    node_adopt(&site.nodes[1], &game, alive_ms, site.now_ms);
    assert_int_equal(view_of(&site, 1, &game).clocks.ms[CHESS_BLACK], 180000 - 10000);
    // What sleeps in its shards is to be credited as well, by whoever wakes it.
    assert_int_equal(site.nodes[1].outages, 1);
    assert_int_equal(site.nodes[1].outage.at_ms, site.now_ms);
    assert_int_equal(site.nodes[1].outage.span_ms, 4000);
    assert_true(site.nodes[1].outage.adopted);
    site_close(&site);
}

static void test_flag_that_fell_before(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId game = site_game(&site, 0, blitz);
    site.now_ms += 20000;
    (void)site_step(
        &site, 0,
        (LiveCommand) {
            .kind = LIVE_MOVE, .account = 2, .id = game, .ply = 1, .uci = JD_STR("e7e5") });
    const int64_t turn_ms = site.now_ms;
    // White's clock shows 3:02. The owner lived on beyond that and saw nothing: it hung.
    const int64_t alive_ms = turn_ms + 200000;
    site.now_ms = alive_ms + 5000;
    node_adopt(&site.nodes[1], &game, alive_ms, site.now_ms);
    const LiveGameView view = view_of(&site, 1, &game);
    assert_int_equal(view.row.state, LAWS_ENDED);
    assert_int_equal(view.row.reason, LAWS_FLAG);
    assert_int_equal(view.row.ended_ms, turn_ms + 182000);
    site_close(&site);
}

// Another owner wrote later: that says nothing of the one who died.
static void test_own_log_counts_alone(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId dead = site_game(&site, 0, blitz);
    const int64_t alive_ms = site.now_ms;
    site.now_ms += 5000;
    const LiveId alive = site_game(&site, 1, blitz); // 15 seconds more go by
    size_t counts[2];
    LiveLogEvent *events[2] = { log_of(&site.log, &dead, &counts[0]),
                                log_of(&site.log, &alive, &counts[1]) };
    LiveLogEvent all[64];
    memcpy(all, events[0], counts[0] * sizeof(*all));
    memcpy(all + counts[0], events[1], counts[1] * sizeof(*all));
    Node third;
    node_open(&third, &site.log, START_MS);
    JdErr err = { 0 };
    site.now_ms += 1000;
    assert_true(try_adopt(&third, all, counts[0] + counts[1], alive_ms, site.now_ms, &err));
    LiveCommand query = { .kind = LIVE_QUERY_GAME, .id = dead };
    node_step(&third, &query, site.now_ms);
    assert_int_equal(third.answer.game->clocks.ms[CHESS_BLACK], 180000);
    query.id = alive;
    node_step(&third, &query, site.now_ms);
    assert_int_equal(third.answer.game->clocks.ms[CHESS_BLACK], 180000);
    node_close(&third);
    free(events[0]);
    free(events[1]);
    site_close(&site);
}

// The log is ahead of this machine's clock: nobody here pays for that.
static void test_clock_behind_the_log(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId here = site_game(&site, 1, blitz);
    const int64_t here_ms = site.now_ms;
    site.now_ms += 7000;
    const LiveId there = site_game(&site, 0, blitz); // 15 s later by that clock
    const int64_t there_ms = site.now_ms;
    node_adopt(&site.nodes[1], &there, there_ms, here_ms + 2000);
    site.now_ms = here_ms + 2000;
    assert_int_equal(view_of(&site, 1, &here).clocks.ms[CHESS_BLACK], 178000);
    assert_int_equal(view_of(&site, 1, &there).clocks.ms[CHESS_BLACK], 180000);
    site_close(&site);
}

// So is the former owner's last sign: what was played until then was played.
static void test_clock_behind_the_sign(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId game = site_game(&site, 0, blitz);
    const int64_t moved_ms = site.now_ms;
    node_adopt(&site.nodes[1], &game, moved_ms + 5000, moved_ms - 3000);
    assert_int_equal(live_now(site.nodes[1].live).ms, moved_ms + 5000);
    site.now_ms = moved_ms + 6000;
    assert_int_equal(view_of(&site, 1, &game).clocks.ms[CHESS_BLACK], 180000 - 6000);
    site_close(&site);
}

static uint64_t line_of(Site *site, int node, const LiveId *game) {
    (void)site_step(site, node,
                    (LiveCommand) { .kind = LIVE_SAY,
                                    .account = 1,
                                    .id = *game,
                                    .room = LIVE_ROOM_PLAYERS,
                                    .text = JD_STR("Good luck") });
    const LiveEffect *kept = effect_of(&site->nodes[node], LIVE_FX_CHAT, 0);
    assert_non_null(kept);
    return kept->chat.seq;
}

// Lines are not in the log. What was said after the last sign, by a clock that was ahead, stands
// before what is said to the new owner.
static void test_lines_go_on(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId game = site_game(&site, 0, blitz);
    const int64_t alive_ms = site.now_ms + 1000;
    site.now_ms = alive_ms + 900;
    const uint64_t before = line_of(&site, 0, &game);
    site.now_ms = alive_ms + 100;
    size_t count;
    LiveLogEvent *events = log_of(&site.log, &game, &count);
    const LiveAdoption adoption = { .events = events,
                                    .count = count,
                                    .people = everybody(),
                                    .people_count = PEOPLE,
                                    .last_alive = { alive_ms },
                                    .heartbeat = { 1500 } };
    JdErr err = { 0 };
    live_effects_clear(&site.nodes[1].fx);
    assert_true(live_adopt(site.nodes[1].live, &adoption, (JdInstant) { site.now_ms },
                           &site.nodes[1].fx, &err));
    absorb(&site.nodes[1], site.now_ms);
    assert_true(line_of(&site, 1, &game) > before);
    free(events);
    site_close(&site);
}

// An adoption is, for each of its games, what a restart of that game would be.
static void test_adoption_is_a_restart(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = jd_mix(seed);
        Site site;
        site_open(&site);
        const LiveId game = site_game(&site, 0, jd_random_below(&random, 3) == 0 ? one_day : blitz);
        const int64_t alive_ms =
            site.now_ms + jd_random_below(&random, jd_random_below(&random, 2) ? 400000 : 4000);
        site.now_ms = alive_ms + jd_random_below(&random, 90000);
        const JdSpan heartbeat = { jd_random_below(&random, 1000) };
        Log logs[2] = { { 0 }, { 0 } };
        size_t count;
        LiveLogEvent *events = log_of(&site.log, &game, &count);
        for (int i = 0; i < 2; i++) {
            Node node;
            node_open(&node, &logs[i], START_MS);
            if (i == 0) {
                for (size_t k = 0; k < count; k++) {
                    JdErr err = { 0 };
                    assert_true(live_replay_event(node.live, &events[k], &err));
                }
                for (int k = 1; k <= 2; k++)
                    live_account_name(node.live, k, jd_str(nicks[k]));
                const LiveResume resume = { { alive_ms }, heartbeat };
                live_replay_done(node.live, &resume, (JdInstant) { site.now_ms }, &node.fx);
            } else {
                const LiveAdoption adoption = { .events = events,
                                                .count = count,
                                                .people = everybody(),
                                                .people_count = PEOPLE,
                                                .last_alive = { alive_ms },
                                                .heartbeat = heartbeat };
                JdErr err = { 0 };
                assert_true(
                    live_adopt(node.live, &adoption, (JdInstant) { site.now_ms }, &node.fx, &err));
            }
            absorb(&node, site.now_ms);
            const LiveCommand timer = { .kind = LIVE_TIMER };
            node_step(&node, &timer, site.now_ms + 200000);
            node_close(&node);
        }
        compare_logs(&logs[0], &logs[1], &game, seed);
        log_free(&logs[0]);
        log_free(&logs[1]);
        free(events);
        site_close(&site);
    }
}

// ---- who is there already -----------------------------------------------------------------------

static void follow(Site *site, int node, uint64_t connection, LiveAccount account,
                   LiveChannelKind kind, const LiveId *game) {
    (void)site_step(site, node,
                    (LiveCommand) { .kind = LIVE_CONNECT,
                                    .account = account,
                                    .origin.connection = connection });
    LiveCommand command = { .kind = LIVE_SUBSCRIBE,
                            .account = account,
                            .origin.connection = connection,
                            .channel.kind = (uint8_t)kind };
    if (game != NULL)
        command.channel.game = *game;
    assert_int_equal(site_step(site, node, command)->kind, LIVE_ANSWER_OK);
}

static void test_followers(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId game = site_game(&site, 0, blitz);
    const LiveId challenge =
        site_step(&site, 0,
                  (LiveCommand) { .kind = LIVE_CHALLENGE, .account = 3, .control = blitz })
            ->id;
    site.now_ms += 1;
    const LiveId later =
        site_step(&site, 1,
                  (LiveCommand) { .kind = LIVE_CHALLENGE, .account = 4, .control = one_day })
            ->id;
    follow(&site, 0, 11, 2, LIVE_CHANNEL_GAME, &game);
    follow(&site, 0, 12, 0, LIVE_CHANNEL_GAME, &game);
    const uint64_t seq = effect_of(&site.nodes[0], LIVE_FX_SEND, 0)->message->seq;
    follow(&site, 1, 21, 2, LIVE_CHANNEL_ME, NULL);
    const uint64_t me_seq = effect_of(&site.nodes[1], LIVE_FX_SEND, 0)->message->seq;
    follow(&site, 1, 22, 5, LIVE_CHANNEL_LOBBY, NULL);
    const uint64_t lobby_seq = effect_of(&site.nodes[1], LIVE_FX_SEND, 0)->message->seq;

    // The old owner: both follow no more, and hear nothing.
    node_drop(&site.nodes[0], &game);
    assert_int_equal(site.nodes[0].fx.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const LiveEffect *effect = &site.nodes[0].fx.list[i];
        assert_int_equal(effect->kind, LIVE_FX_REMOVE);
        assert_true(live_id_equal(&effect->channel.game, &game));
        assert_true(effect->connection == 11 || effect->connection == 12);
    }
    assert_string_equal(
        site_step(&site, 0, (LiveCommand) { .kind = LIVE_RESIGN, .account = 1, .id = game })->code,
        "not_found");
    node_drop(&site.nodes[0], &challenge);
    assert_int_equal(site.nodes[0].fx.count, 0);
    assert_int_equal(live_stats(site.nodes[0].live).challenges, 0);
    assert_int_equal(live_stats(site.nodes[0].live).games_running, 0);
    JdInstant due; // no timer is left but that of the challenge that became the game
    assert_true(!live_next_deadline(site.nodes[0].live, &due) ||
                due.ms <= site.now_ms + LIVE_LINGER_MS);

    // The new one: the list of player 2 and the lobby come anew, each as the next message.
    node_adopt(&site.nodes[1], &game, site.now_ms, site.now_ms);
    const LiveEffect *told = effect_of(&site.nodes[1], LIVE_FX_PUBLISH, 0);
    assert_non_null(told);
    assert_int_equal(told->channel.account, 2);
    assert_int_equal(told->message->kind, LIVE_MSG_GAMES);
    assert_int_equal(told->message->seq, me_seq + 1);
    assert_int_equal(told->message->games.count, 1);
    assert_true(live_id_equal(&told->message->games.rows[0].id, &game));
    node_adopt(&site.nodes[1], &challenge, site.now_ms, site.now_ms);
    told = effect_of(&site.nodes[1], LIVE_FX_PUBLISH, 0);
    assert_int_equal(told->message->kind, LIVE_MSG_LOBBY);
    assert_int_equal(told->message->seq, lobby_seq + 1);
    assert_int_equal(told->message->lobby.count, 2); // newest first, whoever made them
    assert_true(live_id_equal(&told->message->lobby.challenges[0].id, &later));
    assert_true(live_id_equal(&told->message->lobby.challenges[1].id, &challenge));

    // Whoever comes with the number he saw gets the full state under a higher one.
    site.now_ms += 5;
    (void)site_step(&site, 1,
                    (LiveCommand) { .kind = LIVE_SUBSCRIBE,
                                    .origin.connection = 22,
                                    .channel = { .kind = LIVE_CHANNEL_GAME, .game = game },
                                    .has_since = true,
                                    .since = seq });
    told = effect_of(&site.nodes[1], LIVE_FX_SEND, 0);
    assert_int_equal(told->message->kind, LIVE_MSG_GAME);
    assert_true(told->message->seq >= seq);
    site_close(&site);
}

// What a dropped entity left in the memory of a channel is not told to who comes back.
static void test_notes_go_along(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    follow(&site, 0, 11, 3, LIVE_CHANNEL_ME, NULL);
    const uint64_t me_seq = effect_of(&site.nodes[0], LIVE_FX_SEND, 0)->message->seq;
    const LiveId challenge =
        site_step(&site, 0,
                  (LiveCommand) { .kind = LIVE_CHALLENGE, .account = 3, .control = blitz })
            ->id;
    node_drop(&site.nodes[0], &challenge);
    (void)site_step(&site, 0,
                    (LiveCommand) { .kind = LIVE_SUBSCRIBE,
                                    .account = 3,
                                    .origin.connection = 11,
                                    .channel.kind = LIVE_CHANNEL_ME,
                                    .has_since = true,
                                    .since = me_seq });
    const LiveEffect *told = effect_of(&site.nodes[0], LIVE_FX_SEND, 0);
    assert_int_equal(told->message->kind, LIVE_MSG_GAMES);
    assert_int_equal(told->message->games.challenge_count, 0);
    site_close(&site);
}

// ---- challenges ---------------------------------------------------------------------------------

static void test_challenges(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveCommand ask = {
        .kind = LIVE_CHALLENGE, .account = 3, .control = blitz, .key = JD_STR("once")
    };
    const LiveId id = site_step(&site, 0, ask)->id;
    const LiveId invitation =
        site_step(
            &site, 0,
            (LiveCommand) { .kind = LIVE_CHALLENGE, .account = 4, .to = 5, .control = one_day })
            ->id;
    node_drop(&site.nodes[0], &id);
    node_drop(&site.nodes[0], &invitation);
    assert_int_equal(live_stats(site.nodes[0].live).accounts, 0);
    site.now_ms += 60000;
    node_adopt(&site.nodes[1], &id, site.now_ms, site.now_ms);
    node_adopt(&site.nodes[1], &invitation, site.now_ms, site.now_ms);
    // The same key is the same wish (S-036).
    assert_true(live_id_equal(&site_step(&site, 1, ask)->id, &id));
    // Its creator is away from here: it runs out a while after it came (S-037) ...
    site.now_ms += LIVE_CHALLENGE_AWAY_MS - 1;
    (void)site_step(&site, 1, (LiveCommand) { .kind = LIVE_TIMER });
    assert_int_equal(live_stats(site.nodes[1].live).challenges, 2);
    site.now_ms += 1;
    (void)site_step(&site, 1, (LiveCommand) { .kind = LIVE_TIMER });
    assert_int_equal(live_stats(site.nodes[1].live).challenges, 1);
    // ... and one by days in its time, wherever it was meanwhile.
    site.now_ms = START_MS + JD_SPAN_DAYS(LIVE_CHALLENGE_DAYS).ms - 1;
    assert_int_equal(
        site_step(&site, 1, (LiveCommand) { .kind = LIVE_CANCEL, .account = 5, .id = invitation })
            ->kind,
        LIVE_ANSWER_ERROR); // it is there: only its creator takes it back
    assert_string_equal(site.nodes[1].answer.code, "forbidden");
    site.now_ms += 1;
    (void)site_step(&site, 1, (LiveCommand) { .kind = LIVE_TIMER });
    assert_int_equal(live_stats(site.nodes[1].live).challenges, 0);
    site_close(&site);
}

// Its creator was deleted while nobody owned it.
static void test_deleted_meanwhile(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId id =
        site_step(&site, 0,
                  (LiveCommand) { .kind = LIVE_CHALLENGE, .account = 3, .control = blitz })
            ->id;
    node_drop(&site.nodes[0], &id);
    size_t count;
    LiveLogEvent *events = log_of(&site.log, &id, &count);
    const LivePerson gone = { .account = 3 };
    const LiveAdoption adoption = {
        .events = events, .count = count, .people = &gone, .people_count = 1
    };
    JdErr err = { 0 };
    live_effects_clear(&site.nodes[1].fx);
    assert_true(live_adopt(site.nodes[1].live, &adoption, (JdInstant) { site.now_ms },
                           &site.nodes[1].fx, &err));
    const LiveEffect *logged = effect_of(&site.nodes[1], LIVE_FX_LOG, 0);
    assert_int_equal(logged->log->kind, LIVE_EVENT_CHALLENGE_CANCELLED);
    assert_int_equal(live_stats(site.nodes[1].live).challenges, 0);
    free(events);
    site_close(&site);
}

// ---- what is asked anew -------------------------------------------------------------------------

static void test_computer_thinks_on(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    for (int i = 0; i < 2; i++)
        live_set_level(site.nodes[i].live, 1, 8, JD_STR("level 1"));
    const LiveId game =
        site_step(&site, 0,
                  (LiveCommand) {
                      .kind = LIVE_PLAY_COMPUTER, .account = 1, .level = 1, .control = blitz })
            ->id;
    site.now_ms += LIVE_START_MS;
    (void)site_step(&site, 0, (LiveCommand) { .kind = LIVE_TIMER });
    (void)site_step(
        &site, 0,
        (LiveCommand) { .kind = LIVE_MOVE, .account = 1, .id = game, .uci = JD_STR("d2d4") });
    assert_int_equal(site.nodes[0].thinks, 1);
    node_drop(&site.nodes[0], &game);
    node_adopt(&site.nodes[1], &game, site.now_ms, site.now_ms);
    assert_int_equal(site.nodes[1].thinks, 1);
    assert_int_equal(
        site_step(
            &site, 1,
            (LiveCommand) {
                .kind = LIVE_MOVE, .account = 8, .id = game, .ply = 1, .uci = JD_STR("d7d5") })
            ->kind,
        LIVE_ANSWER_ACK);
    site_close(&site);
}

// The shards that came may hold games of anybody that sleep.
static void test_no_list_is_whole(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId game = site_game(&site, 0, blitz);
    follow(&site, 1, 21, 6, LIVE_CHANNEL_LOBBY, NULL);
    const LiveCommand list = { .kind = LIVE_QUERY_GAMES, .account = 6 };
    LiveNeed need;
    const uint64_t began = live_sleeps(site.nodes[1].live);
    assert_true(live_need(site.nodes[1].live, &list, &need) && need.account);
    (void)site_step(&site, 1,
                    (LiveCommand) { .kind = LIVE_SUMMONED, .account = 6, .since = began });
    assert_false(live_need(site.nodes[1].live, &list, &need));
    const uint64_t again = live_sleeps(site.nodes[1].live);
    node_drop(&site.nodes[0], &game);
    node_adopt(&site.nodes[1], &game, site.now_ms, site.now_ms);
    assert_true(live_need(site.nodes[1].live, &list, &need) && need.account);
    // What was being read while the shards came is not enough.
    (void)site_step(&site, 1,
                    (LiveCommand) { .kind = LIVE_SUMMONED, .account = 6, .since = again });
    assert_true(live_need(site.nodes[1].live, &list, &need));
    site_close(&site);
}

// A sleeping game is credited with the outages of its owners, not with this node's.
static void test_outages_of_sleepers(void **state) {
    (void)state;
    for (int how = 0; how < 2; how++) {
        Site site;
        site_open(&site);
        const LiveId game = site_game(&site, 0, one_day);
        const int64_t turn_ms = site.now_ms;
        site.now_ms += HOUR_MS;
        (void)site_step(&site, 1, (LiveCommand) { .kind = LIVE_STALLED, .span_ms = 5000 });
        size_t count;
        LiveLogEvent *events = log_of(&site.log, &game, &count);
        const LiveOutage outage = { .at_ms = site.now_ms, .span_ms = 3000 };
        const LiveSleeper sleeper = { .events = events,
                                      .count = count,
                                      .nicks = { JD_STR("w"), JD_STR("b") },
                                      .has_outages = how == 1,
                                      .outages = &outage,
                                      .outage_count = 1 };
        JdErr err = { 0 };
        assert_true(live_wake(site.nodes[1].live, &sleeper, (JdInstant) { site.now_ms },
                              &site.nodes[1].fx, &err));
        LiveGameRow row;
        assert_true(live_game_row(site.nodes[1].live, &game, &row));
        assert_int_equal(row.deadline_ms, turn_ms + 24 * HOUR_MS + (how == 1 ? 3000 : 5000));
        free(events);
        site_close(&site);
    }
}

// ---- vacations ----------------------------------------------------------------------------------

static void told(Site *site, int64_t from_ms, int64_t until_ms, int64_t ended_ms) {
    const LiveVacation vacation = {
        .account = 2, .from_ms = from_ms, .until_ms = until_ms, .ended_ms = ended_ms
    };
    (void)site_step(site, 1, (LiveCommand) { .kind = LIVE_VACATION_TOLD, .vacation = &vacation });
    assert_null(effect_of(&site->nodes[1], LIVE_FX_VACATION, 0));
    assert_null(effect_of(&site->nodes[1], LIVE_FX_ANSWER, 0));
}

// X-008 among nodes.
static void test_vacation_told(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId game = site_game(&site, 1, one_day); // Black, player 2, has the move
    const int64_t from_ms = site.now_ms;
    const int64_t until_ms = from_ms + 3 * 24 * HOUR_MS;
    LiveGameRow row;
    told(&site, from_ms, until_ms, LIVE_NEVER);
    assert_true(live_game_row(site.nodes[1].live, &game, &row));
    assert_int_equal(row.seats[CHESS_BLACK].vacation_until_ms, until_ms);
    assert_int_equal(row.deadline_ms, LIVE_NEVER);
    const uint32_t seq = row.last_seq;
    told(&site, from_ms, until_ms, LIVE_NEVER); // twice is once
    assert_true(live_game_row(site.nodes[1].live, &game, &row));
    assert_int_equal(row.last_seq, seq);
    site.now_ms += HOUR_MS;
    told(&site, from_ms, until_ms, site.now_ms);
    assert_true(live_game_row(site.nodes[1].live, &game, &row));
    assert_int_equal(row.seats[CHESS_BLACK].vacation_until_ms, LIVE_NEVER);
    assert_int_equal(row.deadline_ms, from_ms + 25 * HOUR_MS);
    // Its beginning comes late, from another node: it is over all the same.
    told(&site, from_ms, until_ms, LIVE_NEVER);
    assert_true(live_game_row(site.nodes[1].live, &game, &row));
    assert_int_equal(row.seats[CHESS_BLACK].vacation_until_ms, LIVE_NEVER);
    // The end of an earlier one says nothing of this one.
    site.now_ms += HOUR_MS;
    told(&site, site.now_ms, until_ms, LIVE_NEVER);
    told(&site, from_ms, until_ms, from_ms + HOUR_MS);
    assert_true(live_game_row(site.nodes[1].live, &game, &row));
    assert_int_equal(row.seats[CHESS_BLACK].vacation_until_ms, until_ms);
    site_close(&site);
}

// A vacation that began, or ended, while nobody owned the game.
static void test_vacation_missed(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId game = site_game(&site, 0, one_day);
    node_drop(&site.nodes[0], &game);
    const int64_t from_ms = site.now_ms;
    const int64_t until_ms = from_ms + 3 * 24 * HOUR_MS;
    LiveGameRow row;
    told(&site, from_ms, until_ms, LIVE_NEVER);
    node_adopt(&site.nodes[1], &game, site.now_ms, site.now_ms);
    assert_true(live_game_row(site.nodes[1].live, &game, &row));
    assert_int_equal(row.seats[CHESS_BLACK].vacation_until_ms, until_ms);
    node_drop(&site.nodes[1], &game);
    site.now_ms += HOUR_MS;
    told(&site, from_ms, until_ms, site.now_ms);
    node_adopt(&site.nodes[1], &game, site.now_ms, site.now_ms);
    assert_true(live_game_row(site.nodes[1].live, &game, &row));
    assert_int_equal(row.seats[CHESS_BLACK].vacation_until_ms, LIVE_NEVER);
    site_close(&site);
}

// ---- memory, faults -----------------------------------------------------------------------------

static void test_memory_is_given_back(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId game = site_game(&site, 0, blitz);
    const LiveId challenge =
        site_step(&site, 0,
                  (LiveCommand) { .kind = LIVE_CHALLENGE, .account = 3, .to = 4, .control = blitz })
            ->id;
    uint64_t bytes = 0;
    for (int i = 0; i < 5; i++) { // tables grow once
        node_adopt(&site.nodes[1], &game, site.now_ms, site.now_ms);
        node_adopt(&site.nodes[1], &challenge, site.now_ms, site.now_ms);
        (void)site_step(
            &site, 1,
            (LiveCommand) {
                .kind = LIVE_PREMOVE, .account = 1, .id = game, .ply = 2, .uci = JD_STR("d2d4") });
        assert_int_equal(site.nodes[1].answer.kind, LIVE_ANSWER_OK);
        node_drop(&site.nodes[1], &game);
        node_drop(&site.nodes[1], &challenge);
        const LiveStats stats = live_stats(site.nodes[1].live);
        assert_int_equal(stats.games_in_memory, 0);
        assert_int_equal(stats.games_running, 0);
        assert_int_equal(stats.challenges, 0);
        assert_int_equal(stats.accounts, 0);
        JdInstant due;
        assert_false(live_next_deadline(site.nodes[1].live, &due));
        assert_true(i == 0 || stats.memory_bytes == bytes);
        bytes = stats.memory_bytes;
    }
    site_close(&site);
}

// Bad events change nothing, wherever the fault stands.
static void test_what_does_not_fit(void **state) {
    (void)state;
    Site site;
    site_open(&site);
    const LiveId here = site_game(&site, 1, blitz);
    const LiveId game = site_game(&site, 0, blitz);
    const LiveId challenge =
        site_step(&site, 0,
                  (LiveCommand) { .kind = LIVE_CHALLENGE, .account = 3, .control = blitz })
            ->id;
    size_t counts[3];
    LiveLogEvent *events[3] = { log_of(&site.log, &challenge, &counts[0]),
                                log_of(&site.log, &game, &counts[1]),
                                log_of(&site.log, &here, &counts[2]) };
    LiveLogEvent all[64];
    size_t count = 0;
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < counts[i]; k++)
            all[count++] = events[i][k];
    JdErr err = { 0 };
    Node *node = &site.nodes[1];
    assert_true(try_adopt(node, all, count, 0, site.now_ms, &err)); // so that tables have grown
    node_drop(node, &challenge);
    node_drop(node, &game);
    const uint64_t bytes = live_stats(node->live).memory_bytes;
    uint64_t digest;
    assert_true(live_game_digest(node->live, &here, &digest));
    for (size_t hurt = 0; hurt < count + 2; hurt++) {
        LiveLogEvent bad[65];
        memcpy(bad, all, count * sizeof(*all));
        size_t bad_count = count;
        if (hurt < count)
            bad[hurt].seq += 7;
        else
            bad[bad_count++] = events[2][hurt == count ? 0 : counts[2] - 1]; // of a game here
        live_effects_clear(&node->fx);
        err = (JdErr) { 0 };
        assert_false(try_adopt(node, bad, bad_count, 0, site.now_ms, &err));
        assert_true(err.text[0] != '\0');
        assert_int_equal(node->fx.count, 0);
        uint64_t now;
        assert_true(live_game_digest(node->live, &here, &now) && now == digest);
        const LiveStats stats = live_stats(node->live);
        assert_int_equal(stats.memory_bytes, bytes);
        assert_int_equal(stats.games_running, 1);
        assert_int_equal(stats.challenges, 0);
    }
    // Somebody nobody has named.
    const LiveAdoption unnamed = { .events = events[0], .count = counts[0] };
    err = (JdErr) { 0 };
    assert_false(live_adopt(node->live, &unnamed, (JdInstant) { site.now_ms }, &node->fx, &err));
    LiveAccount accounts[2];
    size_t names;
    assert_true(live_birth_accounts(&events[0][0], accounts, &names, &err));
    assert_int_equal(names, 1);
    assert_int_equal(accounts[0], 3);
    assert_false(live_knows(node->live, 3));
    assert_true(live_knows(node->live, 1));
    assert_true(live_birth_accounts(&events[1][0], accounts, &names, &err));
    assert_int_equal(names, 2);
    assert_true(live_birth_accounts(&events[1][1], accounts, &names, &err));
    assert_int_equal(names, 0);
    for (int i = 0; i < 3; i++)
        free(events[i]);
    site_close(&site);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wandering_games),
        cmocka_unit_test(test_outage_is_credited),
        cmocka_unit_test(test_flag_that_fell_before),
        cmocka_unit_test(test_own_log_counts_alone),
        cmocka_unit_test(test_clock_behind_the_log),
        cmocka_unit_test(test_clock_behind_the_sign),
        cmocka_unit_test(test_lines_go_on),
        cmocka_unit_test(test_adoption_is_a_restart),
        cmocka_unit_test(test_followers),
        cmocka_unit_test(test_notes_go_along),
        cmocka_unit_test(test_challenges),
        cmocka_unit_test(test_deleted_meanwhile),
        cmocka_unit_test(test_computer_thinks_on),
        cmocka_unit_test(test_no_list_is_whole),
        cmocka_unit_test(test_outages_of_sleepers),
        cmocka_unit_test(test_vacation_told),
        cmocka_unit_test(test_vacation_missed),
        cmocka_unit_test(test_memory_is_given_back),
        cmocka_unit_test(test_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
