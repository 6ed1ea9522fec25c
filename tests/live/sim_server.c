// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shell of the simulation: what src/net and src/store do, with a disk that takes its time and a
// process that may be killed between any two events.
#include "sim.h"

#include <jadoube/dead.h>

// ---- groups -------------------------------------------------------------------------------------

static void group_clear(Group *group) {
    live_effects_clear(&group->fx);
    group->cut_count = 0;
}

static void allow_cut(Group *group, size_t at) {
    if (group->cut_count == group->cut_capacity) {
        group->cut_capacity = group->cut_capacity == 0 ? 64 : group->cut_capacity * 2;
        group->cuts = realloc(group->cuts, group->cut_capacity * sizeof(*group->cuts));
    }
    group->cuts[group->cut_count++] = at;
}

// Notes where the effects of a step may be torn apart: never, but for the server's own events.
static void note_cuts(Group *group, size_t from, bool own_events) {
    for (size_t i = from + 1; own_events && i < group->fx.count; i++)
        if (group->fx.list[i].kind == LIVE_FX_LOG)
            allow_cut(group, i);
    if (group->fx.count > from)
        allow_cut(group, group->fx.count);
}

// ---- delivering ---------------------------------------------------------------------------------

static SimConnection *connection_of(Sim *sim, uint64_t number) {
    return number == 0 || number > sim->server.connection_count
               ? NULL
               : &sim->server.connections[number - 1];
}

static void fill_view(Sim *sim, SimMail *mail, const LiveGameView *view, int player) {
    const LiveAccount reader = sim->players[player].account;
    mail->state = view->row.state;
    mail->ply = view->row.plies;
    mail->seq = view->seq;
    mail->color = reader == 0                            ? LIVE_NO_COLOR
                  : view->row.seats[0].account == reader ? CHESS_WHITE
                  : view->row.seats[1].account == reader ? CHESS_BLACK
                                                         : LIVE_NO_COLOR;
    mail->moves = calloc(view->row.plies + 1, sizeof(*mail->moves));
    for (uint32_t i = 0; i < view->row.plies; i++)
        memcpy(mail->moves[i], view->moves[i].uci, CHESS_UCI_SIZE);
}

static void fill_message(Sim *sim, SimMail *mail, const LiveMessage *message, int player) {
    mail->kind = message->kind;
    mail->seq = message->seq;
    mail->id = message->id;
    switch ((LiveMessageKind)message->kind) {
    case LIVE_MSG_GAME:
        fill_view(sim, mail, message->game, player);
        break;
    case LIVE_MSG_MOVED:
        mail->ply = message->moved->ply;
        mail->draw = message->moved->move.draw;
        memcpy(mail->uci, message->moved->move.uci, CHESS_UCI_SIZE);
        break;
    case LIVE_MSG_GAMES:
        for (size_t i = 0; i < message->games.count && i < JD_COUNT(mail->rows); i++)
            mail->rows[mail->row_count++] = message->games.rows[i].id;
        break;
    case LIVE_MSG_END:
        mail->state = message->end->state;
        break;
    case LIVE_MSG_OFFER:
        mail->draw = message->offer->offer != LIVE_NO_COLOR;
        mail->ply = message->offer->offer;
        break;
    case LIVE_MSG_CHALLENGE_ADD:
        mail->draw = message->challenge->to == sim->players[player].account;
        break;
    case LIVE_MSG_LOBBY:
    case LIVE_MSG_LOBBY_ADD:
    case LIVE_MSG_LOBBY_REMOVE:
    case LIVE_MSG_CHALLENGE_REMOVE:
    case LIVE_MSG_STARTED:
    case LIVE_MSG_ROW:
    case LIVE_MSG_CLOCK:
    case LIVE_MSG_PRESENCE:
    case LIVE_MSG_SAID:
    case LIVE_MSG_CHAT:
    case LIVE_MSG_TOUCHED:
    case LIVE_MSG_PREMOVE:
    case LIVE_MSG_FALSE_FLAG:
    case LIVE_MSG_RATED:
    case LIVE_MSG_CORRECTED:
        break;
    }
}

// Mail of one connection arrives in order.
static void post(Sim *sim, SimMail *mail, int player, SimConnection *connection) {
    int64_t at_ms = sim->now_ms + sim_between(sim, 5, sim_chance(sim, 20) ? 900 : 80);
    if (connection != NULL) {
        if (at_ms < connection->last_delivery_ms)
            at_ms = connection->last_delivery_ms;
        connection->last_delivery_ms = at_ms;
    }
    sim_at(sim, at_ms, (SimEvent) { .kind = SIM_DELIVERY, .player = player, .mail = mail });
}

static void send_to(Sim *sim, uint64_t number, const LiveMessage *message, bool is_since) {
    SimConnection *connection = connection_of(sim, number);
    if (connection == NULL || !connection->open)
        return;
    SimMail *mail = calloc(1, sizeof(*mail));
    mail->connection = number;
    mail->is_since = is_since;
    fill_message(sim, mail, message, connection->player);
    post(sim, mail, connection->player, connection);
}

// ---- what may be published ----------------------------------------------------------------------

// Nothing is told that is not durable.
static void check_published(Sim *sim, const LiveMessage *message) {
    if (message->kind == LIVE_MSG_LOBBY_ADD || message->kind == LIVE_MSG_CHALLENGE_ADD) {
        LedgerChallenge *challenge = ledger_challenge(sim, &message->challenge->id);
        SIM_CHECK(sim, challenge != NULL && challenge->durable > 0);
        // S-041: the lobby never sees a direct one.
        SIM_CHECK(sim, message->kind != LIVE_MSG_LOBBY_ADD || message->challenge->to == 0);
        challenge->to = message->challenge->to;
        return;
    }
    if (message->kind < LIVE_MSG_STARTED || message->kind == LIVE_MSG_ROW ||
        message->kind == LIVE_MSG_CHALLENGE_REMOVE)
        return;
    const LedgerGame *game = ledger_game(sim, &message->id);
    SIM_CHECK(sim, game != NULL && game->durable > 0);
    if (message->kind == LIVE_MSG_MOVED) {
        SIM_CHECK(sim, message->moved->ply <= game->durable_plies);
        SIM_CHECK(sim,
                  game->laws.plies[message->moved->ply - 1].at_ms == message->moved->move.at_ms);
    }
    if (message->kind == LIVE_MSG_GAME)
        SIM_CHECK(sim, message->game->row.plies <= game->durable_plies &&
                           message->game->row.last_seq <= game->durable);
    if (message->kind == LIVE_MSG_END)
        SIM_CHECK(sim, game->durable_end && message->end->reason == game->laws.reason);
}

static void follow(uint64_t **list, size_t *count, size_t *capacity, uint64_t connection) {
    if (*count == *capacity) {
        *capacity = *capacity == 0 ? 4 : *capacity * 2;
        *list = realloc(*list, *capacity * sizeof(**list));
    }
    (*list)[(*count)++] = connection;
}

static bool unfollow(uint64_t *list, size_t *count, uint64_t connection) {
    for (size_t i = 0; i < *count; i++)
        if (list[i] == connection) {
            list[i] = list[--*count];
            return true;
        }
    return false;
}

// Both may come for a connection that has gone since.
static void add_follower(Sim *sim, const LiveEffect *effect) {
    Server *server = &sim->server;
    if (!connection_of(sim, effect->connection)->open)
        return;
    if (effect->channel.kind == LIVE_CHANNEL_GAME) {
        LedgerGame *game = ledger_game(sim, &effect->channel.game);
        SIM_CHECK(sim, game != NULL);
        follow(&game->follows, &game->follow_count, &game->follow_capacity, effect->connection);
    } else if (effect->channel.kind == LIVE_CHANNEL_LOBBY) {
        SIM_CHECK(sim, server->lobby_follow_count < JD_COUNT(server->lobby_follows));
        server->lobby_follows[server->lobby_follow_count++] = effect->connection;
    } else {
        connection_of(sim, effect->connection)->follows_me = true;
    }
}

static void remove_follower(Sim *sim, const LiveEffect *effect) {
    Server *server = &sim->server;
    LedgerGame *game = ledger_game(sim, &effect->channel.game);
    if (!connection_of(sim, effect->connection)->open)
        return;
    if (effect->channel.kind == LIVE_CHANNEL_GAME)
        SIM_CHECK(sim, unfollow(game->follows, &game->follow_count, effect->connection));
    else if (effect->channel.kind == LIVE_CHANNEL_LOBBY)
        SIM_CHECK(sim,
                  unfollow(server->lobby_follows, &server->lobby_follow_count, effect->connection));
}

static void forget_connection(Sim *sim, uint64_t number) {
    for (size_t i = 0; i < sim->ledger.game_count; i++) {
        LedgerGame *game = sim->ledger.games[i];
        if (game->follow_count > 0)
            (void)unfollow(game->follows, &game->follow_count, number);
    }
    (void)unfollow(sim->server.lobby_follows, &sim->server.lobby_follow_count, number);
}

static void publish(Sim *sim, const LiveEffect *effect) {
    const LiveMessage *message = effect->message;
    check_published(sim, message);
    if (effect->channel.kind == LIVE_CHANNEL_GAME) {
        const LedgerGame *game = ledger_game(sim, &effect->channel.game);
        for (size_t i = 0; i < game->follow_count; i++)
            send_to(sim, game->follows[i], message, false);
    } else if (effect->channel.kind == LIVE_CHANNEL_LOBBY) {
        const LiveId *id =
            message->kind == LIVE_MSG_LOBBY_ADD ? &message->challenge->id : &message->id;
        ledger_challenge(sim, id)->published = message->kind == LIVE_MSG_LOBBY_ADD;
        for (size_t i = 0; i < sim->server.lobby_follow_count; i++)
            send_to(sim, sim->server.lobby_follows[i], message, false);
    } else {
        if (message->kind == LIVE_MSG_CHALLENGE_ADD)
            SIM_CHECK(sim, effect->channel.account == message->challenge->account ||
                               effect->channel.account == message->challenge->to);
        const Player *player = &sim->players[effect->channel.account - 1];
        const SimConnection *connection = connection_of(sim, player->connection);
        if (connection != NULL && connection->follows_me)
            send_to(sim, connection->number, message, false);
    }
}

// ---- answers ------------------------------------------------------------------------------------

static void check_answer(Sim *sim, const LiveAnswer *answer) {
    if (answer->kind == LIVE_ANSWER_CHALLENGE)
        SIM_CHECK(sim, ledger_challenge(sim, &answer->id)->durable > 0);
    if (answer->kind == LIVE_ANSWER_GAME_ID)
        SIM_CHECK(sim, ledger_game(sim, &answer->id)->durable > 0);
    if (answer->kind == LIVE_ANSWER_ACK)
        SIM_CHECK(sim, answer->ply <= ledger_game(sim, &answer->id)->durable_plies);
    if (answer->game != NULL)
        SIM_CHECK(sim,
                  answer->game->row.last_seq <= ledger_game(sim, &answer->game->row.id)->durable);
}

// The player who asked: tokens hold his number.
static void answer(Sim *sim, const LiveEffect *effect) {
    const LiveAnswer *found = effect->answer;
    const int player = (int)(effect->origin.token >> 32);
    check_answer(sim, found);
    SimConnection *connection = connection_of(sim, effect->origin.connection);
    if (connection != NULL && !connection->open)
        return;
    SimMail *mail = calloc(1, sizeof(*mail));
    mail->is_answer = true;
    mail->connection = effect->origin.connection;
    mail->token = effect->origin.token;
    mail->kind = found->kind;
    mail->id = found->id;
    if (found->kind == LIVE_ANSWER_ERROR)
        snprintf(mail->code, sizeof mail->code, "%s", found->code);
    if (found->game != NULL) {
        mail->id = found->game->row.id;
        fill_view(sim, mail, found->game, player);
    } else {
        mail->ply = found->ply;
    }
    post(sim, mail, player, connection);
}

static void close_by_server(Sim *sim, const LiveEffect *effect) {
    SimConnection *connection = connection_of(sim, effect->connection);
    forget_connection(sim, effect->connection);
    if (connection->open) {
        connection->open = false;
        if (sim->players[connection->player].connection == effect->connection)
            player_cut_off(sim, connection->player);
    }
}

static void make_durable(Sim *sim, const LiveEffect *effect) {
    if (effect->kind == LIVE_FX_LOG) {
        ledger_durable(sim, effect->log);
    } else if (effect->kind == LIVE_FX_GAME_ROW) {
        LedgerGame *game = ledger_game(sim, &effect->id);
        game->row = *effect->row;
        game->has_row = true;
    } else if (effect->kind == LIVE_FX_GAME_FOLD) {
        LedgerGame *game = ledger_game(sim, &effect->id);
        SIM_CHECK(sim, game->durable_end && !game->folded);
        game->folded = true;
    } else if (effect->kind == LIVE_FX_CHALLENGE_CLOSED) {
        LedgerChallenge *challenge = ledger_challenge(sim, &effect->id);
        SIM_CHECK(sim, challenge->durable_closed && !challenge->told_closed);
        challenge->told_closed = true;
    } else if (effect->kind == LIVE_FX_GAME_SLEEP) {
        LedgerGame *game = ledger_game(sim, &effect->id);
        SIM_CHECK(sim, !game->asleep && game->durable == effect->sleep.last_seq);
        game->asleep = true;
        game->wake_ms = effect->sleep.wake_ms;
        sim->server.falls_asleep++;
    } else if (effect->kind == LIVE_FX_VACATION) {
        Server *server = &sim->server;
        const LiveVacation *vacation = &effect->vacation;
        size_t at = 0;
        while (at < server->vacation_count && (server->vacations[at].account != vacation->account ||
                                               server->vacations[at].from_ms != vacation->from_ms))
            at++;
        if (at == server->vacation_count)
            server->vacations =
                realloc(server->vacations, ++server->vacation_count * sizeof(*server->vacations));
        server->vacations[at] = *vacation;
    } else if (effect->kind == LIVE_FX_OUTAGE) {
        Server *server = &sim->server;
        server->outages =
            realloc(server->outages, (server->outage_count + 1) * sizeof(*server->outages));
        server->outages[server->outage_count++] = effect->outage;
    }
}

// The shell finds it out in its own time, or dies over it, or never: live has to ask again. Most of
// what it finds is right; where a search would take long it says so.
static void decide(Sim *sim, const LiveEffect *effect) {
    static unsigned char memory[1 << 20] __attribute__((aligned(16)));
    const LawsQuestion *question = effect->question;
    const LedgerGame *game = ledger_game(sim, &effect->id);
    SIM_CHECK(sim, game != NULL && question->ply <= game->durable_plies);
    sim->server.questions++;
    if (sim_chance(sim, 100))
        return;
    SimCommand *command = calloc(1, sizeof(*command));
    command->command = (LiveCommand) {
        .kind = LIVE_VERDICT,
        .id = effect->id,
        .ply = question->ply,
    };
    const DeadLimits limits = { 300, memory, sizeof(memory) };
    for (int color = 0; color < 2; color++) {
        const DeadVerdict verdict =
            dead_can_mate(&question->position, (ChessColor)color, &limits, NULL, 0).verdict;
        if (verdict == DEAD_IMPOSSIBLE)
            command->command.act |= (uint8_t)(LAWS_MATING_NOT_WHITE << color);
        if (verdict == DEAD_UNKNOWN)
            command->command.act |= (uint8_t)(LAWS_MATING_OPEN_WHITE << color);
    }
    const int64_t takes = sim_chance(sim, 30)    ? sim_between(sim, 5000, 90000)
                          : sim_chance(sim, 300) ? sim_between(sim, 100, 5000)
                                                 : sim_between(sim, 0, 100);
    sim_at(sim, sim->now_ms + takes, (SimEvent) { .kind = SIM_COMMAND, .command = command });
}

static void note_slept(Sim *sim, const LiveEffect *effect) {
    Server *server = &sim->server;
    if (server->slept_count == server->slept_capacity) {
        server->slept_capacity = server->slept_capacity * 2 + 16;
        server->slept = realloc(server->slept, server->slept_capacity * sizeof(*server->slept));
    }
    server->slept[server->slept_count++] = *effect;
}

static void carry_out(Sim *sim, const Group *group, size_t index, bool *after_add) {
    const LiveEffect *effect = &group->fx.list[index];
    switch ((LiveEffectKind)effect->kind) {
    case LIVE_FX_LOG:
    case LIVE_FX_GAME_ROW:
    case LIVE_FX_GAME_FOLD:
    case LIVE_FX_CHALLENGE_CLOSED:
    case LIVE_FX_CHAT:
    case LIVE_FX_OUTAGE:
    case LIVE_FX_VACATION:
    case LIVE_FX_INVITED:
        return;
    case LIVE_FX_GAME_SLEEP:
        note_slept(sim, effect);
        return;
    case LIVE_FX_DECIDE:
        decide(sim, effect);
        return;
    case LIVE_FX_ANSWER:
        *after_add = effect->answer->kind == LIVE_ANSWER_OK;
        answer(sim, effect);
        return;
    case LIVE_FX_SEND:
        check_published(sim, effect->message);
        send_to(sim, effect->connection, effect->message, *after_add);
        return;
    case LIVE_FX_PUBLISH:
        publish(sim, effect);
        return;
    case LIVE_FX_ADD:
        add_follower(sim, effect);
        return;
    case LIVE_FX_REMOVE:
        remove_follower(sim, effect);
        return;
    case LIVE_FX_THINK: // nobody plays the computer here
        break;
    case LIVE_FX_CLOSE:
        close_by_server(sim, effect);
        return;
    }
}

// ---- steps --------------------------------------------------------------------------------------

static void begin_commit(Sim *sim) {
    Server *server = &sim->server;
    if (server->is_flying || server->open.fx.count == 0)
        return;
    const Group open = server->open;
    server->open = server->flying;
    server->flying = open;
    server->is_flying = true;
    server->commit_start_ms = sim->now_ms;
    const int64_t takes = sim_chance(sim, 2)    ? sim_between(sim, 1200, 6000)
                          : sim_chance(sim, 50) ? sim_between(sim, 20, 300)
                                                : sim_between(sim, 1, 8);
    sim_at(sim, sim->now_ms + takes,
           (SimEvent) { .kind = SIM_COMMITTED, .serial = ++server->commit_serial });
}

static void set_timer(Sim *sim) {
    JdInstant due;
    if (!live_next_deadline(sim->server.live, &due))
        return;
    const int64_t late = sim_chance(sim, 100) ? sim_between(sim, 0, 400) : 0;
    const int64_t at_ms = due.ms > sim->now_ms ? due.ms : sim->now_ms;
    sim_at(sim, at_ms + late,
           (SimEvent) { .kind = SIM_DEADLINE, .serial = sim->server.incarnation });
}

// Every command that is to be answered is answered once, and every game that was touched is what
// its log says.
static void check_step(Sim *sim, const LiveCommand *command, bool known, size_t from) {
    const LiveEffects *fx = &sim->server.open.fx;
    size_t answers = 0;
    for (size_t i = from; i < fx->count; i++) {
        const LiveEffect *effect = &fx->list[i];
        if (effect->kind == LIVE_FX_LOG)
            ledger_issue(sim, effect->log);
        if (effect->kind == LIVE_FX_ANSWER) {
            answers++;
            SIM_CHECK(sim, effect->origin.token == command->origin.token);
            // A move is made at the ply it was meant for, or not at all.
            SIM_CHECK(sim, effect->answer->kind != LIVE_ANSWER_ACK || command->kind != LIVE_MOVE ||
                               effect->answer->ply == command->ply + 1);
        }
    }
    for (size_t i = from; i < fx->count; i++) {
        uint64_t digest;
        const LedgerGame *game =
            fx->list[i].kind == LIVE_FX_LOG ? ledger_game(sim, &fx->list[i].id) : NULL;
        if (game != NULL && live_game_digest(sim->server.live, &game->id, &digest) &&
            digest != laws_game_digest(&game->laws))
            SIM_FAIL(sim, "game %s differs from its log", game->id.text);
    }
    const bool silent = command->kind <= LIVE_DISCONNECT || command->kind == LIVE_ACCOUNT_CHANGED ||
                        command->kind == LIVE_STALLED || command->kind == LIVE_VERDICT ||
                        command->kind == LIVE_SLEPT || command->kind == LIVE_SUMMONED || !known;
    if (answers != (silent ? 0 : 1))
        SIM_FAIL(sim, "command %d was answered %zu times", command->kind, answers);
}

static void step(Sim *sim, LiveCommand *command, bool known) {
    Server *server = &sim->server;
    const size_t from = server->open.fx.count;
    for (int i = 0; i < LIVE_RANDOM_SIZE; i++)
        command->random[i] = (uint8_t)jd_random(&sim->random);
    live_step(server->live, command, (JdInstant) { sim->now_ms }, &server->open.fx);
    server->steps++;
    check_step(sim, command, known, from);
    note_cuts(&server->open, from, command->kind == LIVE_TIMER || command->kind == LIVE_STALLED);
    JdInstant due;
    SIM_CHECK(sim, !live_next_deadline(server->live, &due) || due.ms > sim->now_ms);
    begin_commit(sim);
}

// ---- games that sleep ---------------------------------------------------------------------------

static void wake(Sim *sim, LedgerGame *game) {
    Server *server = &sim->server;
    const size_t from = server->open.fx.count;
    const LiveSleeper sleeper = { .events = game->log,
                                  .count = game->durable,
                                  .nicks = { jd_str(sim->players[game->players[0] - 1].nick),
                                             jd_str(sim->players[game->players[1] - 1].nick) } };
    JdErr err = { 0 };
    if (!live_wake(server->live, &sleeper, (JdInstant) { sim->now_ms }, &server->open.fx, &err))
        SIM_FAIL(sim, "game %s does not wake: %s", game->id.text, err.text);
    server->wakes++;
    const LiveCommand nobody = { .kind = LIVE_TIMER };
    check_step(sim, &nobody, true, from);
    note_cuts(&server->open, from, false);
    uint64_t digest;
    SIM_CHECK(sim, live_game_digest(server->live, &game->id, &digest) &&
                       digest == laws_game_digest(&game->laws));
    begin_commit(sim);
}

// The player sees whole lists only when all of his games are there.
static void bring(Sim *sim, const LiveCommand *command) {
    LiveNeed need;
    if (!live_need(sim->server.live, command, &need))
        return;
    const uint64_t began = live_sleeps(sim->server.live);
    for (size_t i = 0; i < sim->ledger.game_count; i++) {
        LedgerGame *game = sim->ledger.games[i];
        uint64_t digest;
        if (game->asleep && !live_game_digest(sim->server.live, &game->id, &digest) &&
            (need.account
                 ? game->players[0] == command->account || game->players[1] == command->account
                 : live_id_equal(&game->id, &need.id)))
            wake(sim, game);
    }
    if (!need.account)
        return;
    LiveCommand summoned = { .kind = LIVE_SUMMONED, .account = command->account, .since = began };
    step(sim, &summoned, true);
}

static void tell_slept(Sim *sim) {
    Server *server = &sim->server;
    for (size_t i = 0; i < server->slept_count; i++) {
        LiveCommand slept = { .kind = LIVE_SLEPT,
                              .id = server->slept[i].id,
                              .ply = server->slept[i].sleep.last_seq };
        step(sim, &slept, true);
    }
    server->slept_count = 0;
}

#define SCAN_MS 30000

static bool stands_still(const Sim *sim);

// S-097: what is due while nobody looks is found in time.
void server_scan(Sim *sim) {
    Server *server = &sim->server;
    sim_at(sim, sim->now_ms + SCAN_MS, (SimEvent) { .kind = SIM_SCAN });
    if (server->live == NULL || stands_still(sim))
        return;
    for (size_t i = 0; i < sim->ledger.game_count; i++) {
        LedgerGame *game = sim->ledger.games[i];
        uint64_t digest;
        if (!game->asleep || game->wake_ms > sim->now_ms + SCAN_MS ||
            live_game_digest(server->live, &game->id, &digest))
            continue;
        SIM_CHECK(sim,
                  game->wake_ms > sim->now_ms - 60000 || server->started_ms > sim->now_ms - 60000);
        wake(sim, game);
    }
    set_timer(sim);
}

static bool stands_still(const Sim *sim) {
    return sim->server.is_flying && sim->now_ms - sim->server.commit_start_ms > LIVE_STALL_MS;
}

// What net does for who asks for a rematch; false: it answers an error itself.
static bool fill_rematch(const Sim *sim, LiveCommand *command) {
    LiveGameRow row;
    const char *code = NULL;
    const LiveId game = command->rematch;
    return game.text[0] == '\0' || (live_game_row(sim->server.live, &game, &row) &&
                                    live_rematch(&row, command->account, command, &code));
}

static void process(Sim *sim, SimCommand *command) {
    LiveCommand *c = &command->command;
    const SimConnection *connection = connection_of(sim, c->origin.connection);
    c->uci = jd_str(command->uci);
    c->key = jd_str(command->key);
    c->nick = jd_str(sim->players[command->player].nick);
    if (c->kind == LIVE_CHALLENGE && !fill_rematch(sim, c)) {
        free(command);
        return;
    }
    // Every tenth has no confirmed account: unrated games only (S-004).
    const LiveProfile profile = { .parts = LIVE_PROFILE_CONFIRMED,
                                  .confirmed = command->player % 10 != 0 };
    c->profile = &profile;
    if (c->to > 0 && c->to <= SIM_PLAYERS)
        c->to_nick = jd_str(sim->players[c->to - 1].nick);
    const bool known = c->origin.connection == 0 || c->kind == LIVE_CONNECT ||
                       (connection != NULL && connection->open);
    if (known)
        bring(sim, c);
    if (known || c->kind == LIVE_DISCONNECT)
        step(sim, c, known);
    free(command);
}

void server_receive(Sim *sim, SimCommand *command) {
    Server *server = &sim->server;
    if (server->live == NULL) {
        free(command);
        return;
    }
    if (!stands_still(sim)) {
        process(sim, command);
        return;
    }
    if (server->held_count == server->held_capacity) {
        server->held_capacity = server->held_capacity == 0 ? 64 : server->held_capacity * 2;
        server->held = realloc(server->held, server->held_capacity * sizeof(SimCommand *));
    }
    server->held[server->held_count++] = command;
}

static void after_stall(Sim *sim, int64_t span_ms) {
    Server *server = &sim->server;
    server->stalls++;
    ledger_outage(sim, sim->now_ms - span_ms, sim->now_ms, span_ms);
    LiveCommand stalled = { .kind = LIVE_STALLED, .span_ms = span_ms };
    step(sim, &stalled, true);
    const size_t count = server->held_count;
    server->held_count = 0;
    for (size_t i = 0; i < count; i++)
        process(sim, server->held[i]);
}

// Not before the interruptions of the restart are durable.
static void begin_heartbeat(Sim *sim) {
    sim->server.has_heart = true;
    server_heartbeat(sim, sim->server.incarnation);
}

void server_committed(Sim *sim, uint64_t serial) {
    Server *server = &sim->server;
    if (server->live == NULL || !server->is_flying || serial != server->commit_serial)
        return;
    const int64_t took_ms = sim->now_ms - server->commit_start_ms;
    for (size_t i = 0; i < server->flying.fx.count; i++)
        make_durable(sim, &server->flying.fx.list[i]);
    bool after_add = false;
    for (size_t i = 0; i < server->flying.fx.count; i++)
        carry_out(sim, &server->flying, i, &after_add);
    group_clear(&server->flying);
    server->is_flying = false;
    if (took_ms <= LIVE_STALL_MS)
        tell_slept(sim);
    if (!server->has_heart)
        begin_heartbeat(sim);
    if (took_ms > LIVE_STALL_MS)
        after_stall(sim, took_ms);
    tell_slept(sim);
    begin_commit(sim);
    set_timer(sim);
}

void server_heartbeat(Sim *sim, uint64_t incarnation) {
    Server *server = &sim->server;
    if (server->live == NULL || incarnation != server->incarnation)
        return;
    server->last_alive_ms = sim->now_ms;
    server->last_alive_heartbeat_ms = server->heartbeat_ms;
    server->heart_begin_ms = sim->now_ms;
    if (!sim->slow)
        sim_at(sim, sim->now_ms + server->heartbeat_ms,
               (SimEvent) { .kind = SIM_HEARTBEAT, .serial = incarnation });
}

void server_deadline(Sim *sim, uint64_t incarnation) {
    Server *server = &sim->server;
    JdInstant due;
    if (server->live == NULL || incarnation != server->incarnation || stands_still(sim))
        return;
    if (live_next_deadline(server->live, &due) && due.ms <= sim->now_ms) {
        LiveCommand timer = { .kind = LIVE_TIMER };
        step(sim, &timer, true);
    }
    set_timer(sim);
}

// ---- connections --------------------------------------------------------------------------------

static void tell_live(Sim *sim, LiveCommandKind kind, uint64_t connection, int player) {
    SimCommand *command = calloc(1, sizeof(*command));
    command->player = player;
    command->command = (LiveCommand) {
        .kind = (uint8_t)kind,
        .account = sim->players[player].account,
        .origin = { connection, (uint64_t)player << 32 },
    };
    server_receive(sim, command);
}

uint64_t server_dial(Sim *sim, int player) {
    Server *server = &sim->server;
    if (server->live == NULL)
        return 0;
    server->connections =
        realloc(server->connections, (server->connection_count + 1) * sizeof(*server->connections));
    const uint64_t number = server->connection_count + 1;
    server->connections[server->connection_count++] = (SimConnection) {
        .number = number,
        .player = player,
        .open = true,
        .last_delivery_ms = sim->now_ms,
    };
    tell_live(sim, LIVE_CONNECT, number, player);
    return number;
}

void server_hang_up(Sim *sim, uint64_t number) {
    SimConnection *connection = connection_of(sim, number);
    if (connection == NULL || !connection->open)
        return;
    connection->open = false;
    forget_connection(sim, number);
    if (sim->server.live != NULL)
        tell_live(sim, LIVE_DISCONNECT, number, connection->player);
}

// ---- life and death -----------------------------------------------------------------------------

static void group_open(Group *group, const LiveMemory *memory) {
    *group = (Group) { 0 };
    live_effects_open(&group->fx, memory);
}

static void group_close(Group *group) {
    live_effects_close(&group->fx);
    free(group->cuts);
}

// The log as the store replays it: entities that are folded or closed are left out, or some of them
// come once more.
static void replay(Sim *sim, Live *live) {
    const Log *log = &sim->ledger.durable;
    const bool with_ended = sim_chance(sim, 300);
    for (size_t i = 0; i < log->count; i++) {
        const LiveLogEvent *entry = &log->entries[i];
        const LedgerGame *game = ledger_game(sim, &entry->id);
        const LedgerChallenge *challenge = ledger_challenge(sim, &entry->id);
        const bool ended = game != NULL ? game->durable_end : challenge->durable_closed;
        JdErr err = { 0 };
        if (game != NULL && game->asleep)
            continue;
        if ((!ended || with_ended) && !live_replay_event(live, entry, &err))
            SIM_FAIL(sim, "replay: %s", err.text);
    }
}

static void name_accounts(Sim *sim, Live *live) {
    size_t cursor = 0;
    for (LiveAccount account; live_account_next(live, &cursor, &account);)
        live_account_name(live, account, jd_str(sim->players[account - 1].nick));
}

void server_start(Sim *sim) {
    Server *server = &sim->server;
    const bool again = server->incarnation > 0;
    if (!again)
        server->memory = test_memory(&server->bytes);
    server->incarnation++;
    server->started_ms = sim->now_ms;
    server->slept_count = 0;
    group_open(&server->open, &server->memory);
    group_open(&server->flying, &server->memory);
    server->live = live_open(&server->memory, (JdInstant) { sim->now_ms });
    server->asks = sim_chance(sim, 500);
    if (server->asks)
        live_ask_always(server->live);
    if (again) {
        ledger_outage(sim, server->killed_ms, sim->now_ms, server->last_alive_heartbeat_ms);
        for (size_t i = 0; i < server->outage_count; i++)
            live_replay_outage(server->live, &server->outages[i]);
        for (size_t i = 0; i < server->vacation_count; i++)
            if (server->vacations[i].ended_ms == LIVE_NEVER &&
                server->vacations[i].until_ms > sim->now_ms)
                live_replay_vacation(server->live, server->vacations[i].account,
                                     server->vacations[i].from_ms, server->vacations[i].until_ms);
        replay(sim, server->live);
        name_accounts(sim, server->live);
        const LiveResume resume = { { server->last_alive_ms },
                                    { server->last_alive_heartbeat_ms } };
        live_replay_done(server->live, &resume, (JdInstant) { sim->now_ms }, &server->open.fx);
        const LiveCommand nobody = { .kind = LIVE_TIMER };
        check_step(sim, &nobody, true, 0);
        note_cuts(&server->open, 0, true);
        ledger_check_all(sim);
        begin_commit(sim);
    }
    server->heartbeat_ms = sim_between(sim, 50, 1000);
    server->has_heart = false;
    if (server->open.fx.count == 0 && !server->is_flying)
        begin_heartbeat(sim);
    set_timer(sim);
}

// A part of what was being written may have reached the disk.
static void tear(Sim *sim) {
    Server *server = &sim->server;
    const Group *group = &server->flying;
    size_t upto = 0;
    if (server->is_flying && group->cut_count > 0 && !sim_chance(sim, 400))
        upto = sim_chance(sim, 500) ? group->fx.count
                                    : group->cuts[sim_below(sim, (uint32_t)group->cut_count)];
    for (size_t i = 0; i < upto; i++)
        make_durable(sim, &group->fx.list[i]);
}

void server_kill(Sim *sim) {
    Server *server = &sim->server;
    if (server->live == NULL)
        return;
    server->kills++;
    server->killed_ms = sim->now_ms;
    if (sim->slow && server->has_heart)
        server->last_alive_ms = server->heart_begin_ms + (sim->now_ms - server->heart_begin_ms) /
                                                             server->heartbeat_ms *
                                                             server->heartbeat_ms;
    tear(sim);
    ledger_crash(sim);
    live_close(server->live);
    server->live = NULL;
    server->is_flying = false;
    group_close(&server->open);
    group_close(&server->flying);
    SIM_CHECK(sim, server->bytes == 0);
    for (size_t i = 0; i < server->held_count; i++)
        free(server->held[i]);
    server->held_count = 0;
    server->lobby_follow_count = 0;
    for (size_t i = 0; i < server->connection_count; i++)
        if (server->connections[i].open) {
            server->connections[i].open = false;
            if (sim->players[server->connections[i].player].connection == i + 1)
                player_cut_off(sim, server->connections[i].player);
        }
    const int64_t down_ms = sim->slow && sim_chance(sim, 500)
                                ? sim_between(sim, 60000, 12 * 3600000)
                            : sim_chance(sim, 200) ? sim_between(sim, 60000, 600000)
                                                   : sim_between(sim, 20, 8000);
    sim_at(sim, sim->now_ms + down_ms, (SimEvent) { .kind = SIM_RESTART });
}

// Everybody goes home: what is over leaves memory.
static void check_emptied(Sim *sim) {
    sim->server.is_flying = false; // the disk is looked at no more
    for (size_t i = 0; i < sim->server.connection_count; i++)
        server_hang_up(sim, sim->server.connections[i].number);
    for (int i = 0; i < 2; i++) { // the second time for what ended by the first
        sim->now_ms += LIVE_CHALLENGE_AWAY_MS + LIVE_LINGER_MS;
        LiveCommand timer = { .kind = LIVE_TIMER };
        step(sim, &timer, true);
    }
    const LiveStats stats = live_stats(sim->server.live);
    SIM_CHECK(sim, stats.connections == 0);
    SIM_CHECK(sim, stats.games_in_memory == stats.games_running);
}

void server_stop(Sim *sim) {
    Server *server = &sim->server;
    if (server->live == NULL)
        return;
    check_emptied(sim);
    live_close(server->live);
    server->live = NULL;
    group_close(&server->open);
    group_close(&server->flying);
    SIM_CHECK(sim, server->bytes == 0);
    for (size_t i = 0; i < server->held_count; i++)
        free(server->held[i]);
    free(server->held);
    free(server->connections);
    free(server->outages);
    free(server->vacations);
    free(server->slept);
}
