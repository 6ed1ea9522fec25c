// SPDX-License-Identifier: GPL-3.0-or-later
//
// A process of the simulation: what src/net does around live. It keeps the promises of live/live.h,
// but for the one that a planted fault breaks.
#include "sim.h"

#include <jadoube/dead.h>

static bool is_cluster(const Sim *s) {
    return s->nodes_count > 1;
}

int64_t node_clock(const Sim *s, const Node *node) {
    return s->now_ms + node->offset_ms;
}

static JdInstant clock_of(const Sim *s, const Node *node) {
    return (JdInstant) { node_clock(s, node) };
}

// ---- groups -------------------------------------------------------------------------------------

static void group_open(Group *group, const LiveMemory *memory) {
    *group = (Group) { 0 };
    live_effects_open(&group->fx, memory);
}

static void group_close(Group *group) {
    live_effects_close(&group->fx);
    free(group->cuts);
    free(group->true_ms);
    *group = (Group) { 0 };
}

static void group_clear(Group *group) {
    Group kept = { .fx = group->fx,
                   .cuts = group->cuts,
                   .cut_capacity = group->cut_capacity,
                   .true_ms = group->true_ms,
                   .true_capacity = group->true_capacity };
    live_effects_clear(&kept.fx);
    *group = kept;
}

static void allow_cut(Group *group, size_t at) {
    group->cuts =
        sim_grow(group->cuts, group->cut_count, &group->cut_capacity, sizeof(*group->cuts));
    group->cuts[group->cut_count++] = at;
}

// Where a crash may tear the effects of a step apart: never, but for the server's own events.
static void note_cuts(Group *group, size_t from, bool own_events) {
    for (size_t i = from + 1; own_events && i < group->fx.count; i++)
        if (group->fx.list[i].kind == LIVE_FX_LOG)
            allow_cut(group, i);
    if (group->fx.count > from)
        allow_cut(group, group->fx.count);
}

// When it happened, by the clock that was ahead so far; never before the node began to serve it: a
// flag that fell by the clock of an earlier run is seen to have fallen by this one's.
static int64_t true_instant(const Node *node, const LiveLogEvent *event) {
    const int64_t at_ms = event->at.ms - node->offset_ms;
    const int64_t served_ms = node->served_ms[sim_shard(&event->id)];
    return at_ms > served_ms ? at_ms : served_ms;
}

static void note_times(Sim *s, Node *node, size_t from) {
    Group *group = &node->open;
    if (group->fx.count > group->true_capacity) {
        group->true_capacity = group->fx.count * 2;
        group->true_ms = realloc(group->true_ms, group->true_capacity * sizeof(*group->true_ms));
    }
    for (size_t i = from; i < group->fx.count; i++) {
        const LiveEffect *effect = &group->fx.list[i];
        group->true_ms[i] =
            effect->kind == LIVE_FX_LOG ? true_instant(node, effect->log) : s->now_ms;
        if (effect->kind == LIVE_FX_OUTAGE ||
            (effect->kind == LIVE_FX_LOG && effect->log->kind == LAWS_EVENT_INTERRUPTION))
            group->holds_credit = true;
    }
}

static bool is_to_be_kept(const Group *group) {
    if (group->released != 0 || group->adopted != 0 || group->alive_ms != 0)
        return true;
    for (size_t i = 0; i < group->fx.count; i++)
        if (group->fx.list[i].kind == LIVE_FX_LOG || group->fx.list[i].kind == LIVE_FX_OUTAGE ||
            group->fx.list[i].kind == LIVE_FX_VACATION || group->fx.list[i].kind == LIVE_FX_CHAT ||
            group->fx.list[i].kind == LIVE_FX_GAME_SLEEP)
            return true;
    return false;
}

// ---- carrying out -------------------------------------------------------------------------------

static void *copy_moves(Sim *s, const LiveGameView *view) {
    char(*moves)[CHESS_UCI_SIZE] = sim_take(s, (view->row.plies + 1) * sizeof(*moves));
    for (uint32_t i = 0; i < view->row.plies; i++)
        memcpy(moves[i], view->moves[i].uci, CHESS_UCI_SIZE);
    return moves;
}

static void fill_view(Sim *s, Mail *mail, const LiveGameView *view) {
    const LiveAccount reader = s->users[mail->user].account;
    mail->id = view->row.id;
    mail->state = view->row.state;
    mail->ply = view->row.plies;
    mail->seq = view->seq;
    mail->offered = view->row.offer != LIVE_NO_COLOR;
    mail->color = reader == 0                            ? LIVE_NO_COLOR
                  : view->row.seats[0].account == reader ? CHESS_WHITE
                  : view->row.seats[1].account == reader ? CHESS_BLACK
                                                         : LIVE_NO_COLOR;
    mail->moves = copy_moves(s, view);
}

static void send(Sim *s, Node *node, uint64_t connection, const LiveMessage *message) {
    judge_told(s, message);
    Mail *mail = sim_take(s, sizeof(*mail));
    mail->connection = connection;
    mail->user = s->connections[connection].user;
    mail->kind = message->kind;
    mail->seq = message->seq;
    mail->id = message->id;
    if (message->kind == LIVE_MSG_GAME) {
        fill_view(s, mail, message->game);
    } else if (message->kind == LIVE_MSG_MOVED) {
        mail->ply = message->moved->ply;
        mail->offered = message->moved->move.draw;
        memcpy(mail->uci, message->moved->move.uci, CHESS_UCI_SIZE);
    } else if (message->kind == LIVE_MSG_END) {
        mail->state = message->end->state;
    } else if (message->kind == LIVE_MSG_OFFER) {
        mail->offered = message->offer->offer != LIVE_NO_COLOR;
    } else if (message->kind == LIVE_MSG_SAID) {
        mail->line = asked_line_number(message->said);
    }
    gateway_mail(s, node, mail);
}

static void answer(Sim *s, Node *node, const LiveEffect *effect) {
    const LiveAnswer *found = effect->answer;
    judge_answer(s, found);
    Mail *mail = sim_take(s, sizeof(*mail));
    mail->is_answer = true;
    mail->connection = effect->origin.connection;
    mail->token = effect->origin.token;
    mail->user = (int)(effect->origin.token >> 32);
    mail->kind = found->kind;
    mail->id = found->id;
    mail->ply = found->ply;
    mail->code = found->kind == LIVE_ANSWER_ERROR ? found->code : NULL;
    if (found->game != NULL)
        fill_view(s, mail, found->game);
    gateway_mail(s, node, mail);
}

static void publish(Sim *s, Node *node, const LiveEffect *effect) {
    if (effect->channel.kind != LIVE_CHANNEL_GAME)
        return;
    judge_told(s, effect->message);
    for (size_t i = 0; i < node->following_count; i++)
        if (live_id_equal(&node->following[i].game, &effect->channel.game))
            send(s, node, node->following[i].connection, effect->message);
}

static void unfollow(Node *node, uint64_t connection, const LiveId *game) {
    for (size_t i = 0; i < node->following_count;)
        if (node->following[i].connection == connection &&
            (game == NULL || live_id_equal(&node->following[i].game, game)))
            node->following[i] = node->following[--node->following_count];
        else
            i++;
}

static void follow(Node *node, uint64_t connection, const LiveId *game) {
    if (!node->here[connection])
        return; // it has gone since
    node->following = sim_grow(node->following, node->following_count, &node->following_capacity,
                               sizeof(*node->following));
    node->following[node->following_count++] = (Following) { connection, *game };
}

// The shell finds it out in its own time, or never: live has to ask again.
static void decide(Sim *s, Node *node, const LiveEffect *effect) {
    static unsigned char memory[1 << 18] __attribute__((aligned(16)));
    const LawsQuestion *question = effect->question;
    if (sim_chance(&s->live_random, 100))
        return;
    SimCommand *command = sim_take(s, sizeof(*command));
    command->user = -1;
    command->command =
        (LiveCommand) { .kind = LIVE_VERDICT, .id = effect->id, .ply = question->ply };
    const DeadLimits limits = { 100, memory, sizeof(memory) };
    for (int color = 0; color < 2; color++) {
        const DeadVerdict verdict =
            dead_can_mate(&question->position, (ChessColor)color, &limits, NULL, 0).verdict;
        if (verdict == DEAD_IMPOSSIBLE)
            command->command.act |= (uint8_t)(LAWS_MATING_NOT_WHITE << color);
        if (verdict == DEAD_UNKNOWN)
            command->command.act |= (uint8_t)(LAWS_MATING_OPEN_WHITE << color);
    }
    sim_at(s, s->now_ms + sim_between(&s->live_random, 0, 300),
           (Event) { .kind = EVENT_OWN, .a = node->index, .run = node->run, .command = command });
}

static void carry_out(Sim *s, Node *node, const LiveEffect *effect) {
    switch ((LiveEffectKind)effect->kind) {
    case LIVE_FX_LOG:
    case LIVE_FX_GAME_ROW:
    case LIVE_FX_GAME_FOLD:
    case LIVE_FX_CHALLENGE_CLOSED:
    case LIVE_FX_CHAT:
    case LIVE_FX_OUTAGE:
    case LIVE_FX_INVITED:
    case LIVE_FX_THINK:
        return;
    case LIVE_FX_GAME_SLEEP:
        if (node->slept_count < JD_COUNT(node->slept))
            node->slept[node->slept_count++] = *effect;
        return;
    case LIVE_FX_VACATION:
        bus_all(s, node, (BusMessage) { .kind = BUS_VACATION, .vacation = effect->vacation });
        return;
    case LIVE_FX_DECIDE:
        decide(s, node, effect);
        return;
    case LIVE_FX_ANSWER:
        answer(s, node, effect);
        return;
    case LIVE_FX_SEND:
        send(s, node, effect->connection, effect->message);
        return;
    case LIVE_FX_PUBLISH:
        publish(s, node, effect);
        return;
    case LIVE_FX_ADD:
        if (effect->channel.kind == LIVE_CHANNEL_GAME)
            follow(node, effect->connection, &effect->channel.game);
        return;
    case LIVE_FX_REMOVE:
        unfollow(node, effect->connection, &effect->channel.game);
        return;
    case LIVE_FX_CLOSE:
        node->here[effect->connection] = false;
        unfollow(node, effect->connection, NULL);
        if (s->connections[effect->connection].gateway == node->index)
            gateway_close(s, effect->connection);
        else
            bus_send(s, node, s->connections[effect->connection].gateway,
                     (BusMessage) { .kind = BUS_CLOSE, .connection = effect->connection });
        return;
    }
}

static void carry_out_group(Sim *s, Node *node, Group *group) {
    const uint64_t run = node->run;
    for (size_t i = group->carried; i < group->fx.count && node->live != NULL && node->run == run;
         i++)
        carry_out(s, node, &group->fx.list[i]);
}

// ---- committing ---------------------------------------------------------------------------------

static void pump(Sim *s, Node *node) {
    while (!node->is_flying && (node->open.fx.count > 0 || is_to_be_kept(&node->open))) {
        const Group swapped = node->flying;
        node->flying = node->open;
        node->open = swapped;
        node->flying.number = ++node->group;
        node->flying.epoch = node->epoch;
        node->flying.owned = node->owned;
        if (is_to_be_kept(&node->flying)) {
            node->is_flying = true;
            node->commit_ms = s->now_ms;
            const bool slow = s->db.slow_until_ms > s->now_ms || sim_chance(&s->disk_random, 10);
            const int64_t takes =
                slow ? sim_between(&s->disk_random, 100, 4000) : sim_between(&s->disk_random, 1, 8);
            sim_at(s, s->now_ms + takes,
                   (Event) { .kind = EVENT_COMMIT,
                             .a = node->index,
                             .run = node->run,
                             .n = node->flying.number });
            return;
        }
        carry_out_group(s, node, &node->flying);
        if (node->live == NULL)
            return;
        group_clear(&node->flying);
    }
}

static void commit_ghost(Sim *s, Node *node) {
    if (s->db.up)
        (void)db_commit(s, node, &node->ghost, node->ghost.fx.count);
    group_close(&node->ghost);
    node->has_ghost = false;
}

void node_commit(Sim *s, Node *node, uint64_t run, uint64_t number) {
    const Event again = { .kind = EVENT_COMMIT, .a = node->index, .run = run, .n = number };
    if (run != node->run || node->live == NULL) {
        if (node->has_ghost && node->ghost.number == number)
            commit_ghost(s, node);
        return;
    }
    if (!node->is_flying || node->flying.number != number)
        return;
    if (!db_reached(s, node)) {
        sim_at(s, s->now_ms + 200, again);
        return;
    }
    if (s->db.full_until_ms > s->now_ms) {
        sim_at(s, s->now_ms + 300, again);
        return;
    }
    // The planted fault wants a crash in the middle of writing.
    if (s->mutant == MUTANT_TORN_STEP && !is_cluster(s) && !s->calm &&
        sim_chance(&s->disk_random, 20)) {
        node_kill(s, node, 500);
        return;
    }
    // After a lost connection nobody knows whether it went through: the database does.
    const bool is_there = s->db.nodes[node->index].group == number &&
                          s->db.nodes[node->index].epoch == node->epoch &&
                          s->mutant != MUTANT_COMMIT_TWICE;
    if (!is_there && !db_commit(s, node, &node->flying, node->flying.fx.count)) {
        node_fenced(s, node);
        return;
    }
    const int64_t back_ms =
        sim_between(&s->disk_random, 0, sim_chance(&s->disk_random, 50) ? 150 : 3);
    sim_at(s, s->now_ms + back_ms,
           (Event) { .kind = EVENT_ACK, .a = node->index, .run = run, .n = number });
}

// Of the games that sleep: in which shards an outage of this step was one.
static void mark_outages(Node *node, size_t from, unsigned adopted) {
    Group *group = &node->open;
    for (size_t i = from; i < group->fx.count; i++) {
        if (group->fx.list[i].kind != LIVE_FX_OUTAGE ||
            group->outage_count == JD_COUNT(group->outages))
            continue;
        group->outages[group->outage_count].index = i;
        group->outages[group->outage_count++].shards =
            group->fx.list[i].outage.adopted ? adopted : node->owned;
    }
}

// ---- steps --------------------------------------------------------------------------------------

static bool stands_still(const Sim *s, const Node *node) {
    return node->is_flying && s->now_ms - node->commit_ms > LIVE_STALL_MS;
}

// Within its lease, as far as it can know by its own clock. Beyond it others may own everything.
static bool has_lease(const Sim *s, const Node *node) {
    return !is_cluster(s) || s->now_ms - node->renewed_ms <= sim_scaled(s, LEASE_MS);
}

bool node_may_step(const Sim *s, const Node *node) {
    return has_lease(s, node) && !stands_still(s, node);
}

static void set_timer(Sim *s, Node *node) {
    JdInstant due;
    if (!live_next_deadline(node->live, &due))
        return;
    const int64_t at_ms =
        due.ms - node->offset_ms > s->now_ms ? due.ms - node->offset_ms : s->now_ms;
    if (node->timer_ms != 0 && node->timer_ms <= at_ms)
        return;
    node->timer_ms = at_ms;
    const int64_t late_ms =
        sim_chance(&s->live_random, 100) ? sim_between(&s->live_random, 0, 300) : 0;
    sim_at(s, at_ms + late_ms,
           (Event) { .kind = EVENT_DEADLINE, .a = node->index, .run = node->run });
}

static void draw(Sim *s, const Node *node, LiveCommand *command) {
    for (int tries = 0; tries < 400; tries++) {
        for (int i = 0; i < LIVE_RANDOM_SIZE; i++)
            command->random[i] = (uint8_t)jd_random(&s->live_random);
        const LiveId id = live_id_of_bytes(command->random);
        if (node->owned >> sim_shard(&id) & 1)
            return;
    }
}

static void after_step(Sim *s, Node *node, size_t from, const LiveCommand *command, bool known,
                       bool own_events) {
    note_times(s, node, from);
    judge_step(s, node, from, command, known);
    note_cuts(&node->open, from, own_events);
    if (s->mutant == MUTANT_PUBLISH_FIRST)
        for (; node->open.carried < node->open.fx.count; node->open.carried++)
            carry_out(s, node, &node->open.fx.list[node->open.carried]);
}

static void step(Sim *s, Node *node, LiveCommand *command) {
    const size_t from = node->open.fx.count;
    const uint64_t connection = command->origin.connection;
    const bool known = connection == 0 || node->here[connection];
    draw(s, node, command);
    if (command->kind == LIVE_CONNECT)
        node->here[connection] = true;
    if (command->kind == LIVE_DISCONNECT) {
        node->here[connection] = false;
        unfollow(node, connection, NULL);
    }
    live_step(node->live, command, clock_of(s, node), &node->open.fx);
    after_step(s, node, from, command, known,
               command->kind == LIVE_TIMER || command->kind == LIVE_STALLED);
}

static LiveProfile profile_of(LiveAccount account) {
    return (LiveProfile) { .parts = LIVE_PROFILE_CONFIRMED, .confirmed = account % 2 == 0 };
}

static JdStr nick_of(const Sim *s, LiveAccount account) {
    return account == 0 ? JD_STR("") : jd_str(s->users[account - 1].nick);
}

// ---- games that sleep ---------------------------------------------------------------------------

// Outages that are not durable yet.
static void add_coming(const Group *group, const Entity *entity, LiveOutage *kept, size_t *count) {
    for (size_t i = 0; i < group->outage_count; i++)
        if (group->outages[i].shards >> entity->shard & 1)
            kept[(*count)++] = group->fx.list[group->outages[i].index].outage;
}

static void wake(Sim *s, Node *node, Entity *entity) {
    size_t outages;
    LiveOutage *kept = db_outages(s, entity, &outages);
    if (is_cluster(s) && node->is_flying)
        add_coming(&node->flying, entity, kept, &outages);
    if (is_cluster(s))
        add_coming(&node->open, entity, kept, &outages);
    const LiveSleeper sleeper = {
        .events = entity->log,
        .count = entity->count,
        .nicks = { nick_of(s, entity->players[0]), nick_of(s, entity->players[1]) },
        .has_outages = is_cluster(s),
        .outages = kept,
        .outage_count = is_cluster(s) ? outages : 0,
    };
    const LiveCommand nobody = { .kind = LIVE_TIMER };
    const size_t from = node->open.fx.count;
    JdErr err = { 0 };
    judge_woken(s, node, entity);
    if (!live_wake(node->live, &sleeper, clock_of(s, node), &node->open.fx, &err))
        sim_fail(s, "game %s does not wake: %s", entity->id.text, err.text);
    s->count.wakes++;
    sim_trace(s, "node %d wakes %s with %zu outages", node->index, entity->id.text, outages);
    after_step(s, node, from, &nobody, true, false);
}

static bool is_here(const Node *node, const Entity *entity) {
    uint64_t digest;
    return live_game_digest(node->live, &entity->id, &digest);
}

static void bring(Sim *s, Node *node, const LiveCommand *command) {
    LiveNeed need;
    if (!live_need(node->live, command, &need))
        return;
    LiveCommand summoned = { .kind = LIVE_SUMMONED,
                             .account = command->account,
                             .since = live_sleeps(node->live) };
    for (size_t i = 0; i < s->db.entity_count; i++) {
        Entity *entity = &s->db.entities[i];
        const bool wanted = need.account ? entity->players[0] == command->account ||
                                               entity->players[1] == command->account
                                         : live_id_equal(&entity->id, &need.id);
        if (entity->is_game && entity->asleep && wanted && (node->owned >> entity->shard & 1) &&
            !is_here(node, entity))
            wake(s, node, entity);
    }
    if (need.account)
        step(s, node, &summoned);
}

void node_scan(Sim *s, Node *node) {
    if (!node_may_step(s, node) || !db_reached(s, node) || s->mutant == MUTANT_FORGET_SLEEPERS)
        return;
    for (size_t i = 0; i < s->db.entity_count; i++) {
        Entity *entity = &s->db.entities[i];
        if (entity->asleep && (node->owned >> entity->shard & 1) && !is_here(node, entity) &&
            entity->wake_ms <= node_clock(s, node) + 15 * SCAN_MS)
            wake(s, node, entity);
    }
    pump(s, node);
    if (node->live != NULL)
        set_timer(s, node);
}

// ---- commands -----------------------------------------------------------------------------------

static const LiveId *target_of(const LiveCommand *command) {
    static const uint8_t of_none[] = { LIVE_CHALLENGE, LIVE_VACATION, LIVE_VACATION_TOLD,
                                       LIVE_CONNECT,   LIVE_TIMER,    LIVE_DISCONNECT,
                                       LIVE_STALLED,   LIVE_SLEPT,    LIVE_VERDICT,
                                       LIVE_SUMMONED };
    for (size_t i = 0; i < JD_COUNT(of_none); i++)
        if (command->kind == of_none[i])
            return NULL;
    return command->kind == LIVE_SUBSCRIBE || command->kind == LIVE_UNSUBSCRIBE
               ? &command->channel.game
               : &command->id;
}

static void refuse(Sim *s, Node *node, const SimCommand *command) {
    if (command->user < 0)
        return;
    Mail *mail = sim_take(s, sizeof(*mail));
    mail->is_answer = true;
    mail->connection = command->command.origin.connection;
    mail->token = command->command.origin.token;
    mail->user = command->user;
    mail->kind = LIVE_ANSWER_ERROR;
    mail->code = "unavailable";
    s->count.unavailable++;
    gateway_mail(s, node, mail);
}

static void execute(Sim *s, Node *node, SimCommand *command) {
    LiveCommand *c = &command->command;
    const LiveId *target = target_of(c);
    const LiveProfile profile = profile_of(c->account);
    if ((target != NULL && (node->owned >> sim_shard(target) & 1) == 0) ||
        (c->kind == LIVE_CHALLENGE && node->owned == 0)) {
        refuse(s, node, command);
        return;
    }
    if (s->mutant == MUTANT_STALE_TEXT && c->kind == LIVE_PREMOVE) {
        char uci[CHESS_UCI_SIZE];
        memcpy(uci, command->uci, sizeof(uci));
        memcpy(command->uci, s->stale_uci, sizeof(uci));
        memcpy(s->stale_uci, uci, sizeof(uci));
    }
    c->uci = jd_str(command->uci);
    c->key = jd_str(command->key);
    c->text = jd_str(command->text);
    c->nick = nick_of(s, c->account);
    c->to_nick = nick_of(s, c->to);
    c->profile = c->account != 0 ? &profile : NULL;
    bring(s, node, c);
    step(s, node, c);
    c->profile = NULL;
}

static void hold(Node *node, SimCommand *command) {
    node->held = sim_grow(node->held, node->held_count, &node->held_capacity, sizeof(*node->held));
    node->held[node->held_count++] = command;
}

static void let_through(Sim *s, Node *node) {
    if (node->held_count == 0 || !node_may_step(s, node))
        return;
    SimCommand **held = node->held;
    const size_t count = node->held_count;
    node->held = NULL;
    node->held_count = node->held_capacity = 0;
    for (size_t i = 0; i < count && node->live != NULL; i++)
        execute(s, node, held[i]);
    free(held);
}

void node_command(Sim *s, Node *node, SimCommand *command) {
    if (!node_may_step(s, node) || node->held_count > 0) {
        hold(node, command);
        return;
    }
    execute(s, node, command);
    pump(s, node);
    if (node->live != NULL)
        set_timer(s, node);
}

void node_tell(Sim *s, Node *node, LiveCommandKind kind, uint64_t connection, LiveAccount account) {
    SimCommand *command = sim_take(s, sizeof(*command));
    command->user = -1;
    command->command = (LiveCommand) { .kind = (uint8_t)kind,
                                       .account = account,
                                       .origin.connection = connection };
    node_command(s, node, command);
}

void node_vacation(Sim *s, Node *node, const LiveVacation *vacation) {
    SimCommand *command = sim_take(s, sizeof(*command));
    LiveVacation *copy = sim_take(s, sizeof(*copy));
    *copy = *vacation;
    command->user = -1;
    command->command = (LiveCommand) { .kind = LIVE_VACATION_TOLD,
                                       .account = vacation->account,
                                       .vacation = copy };
    node_command(s, node, command);
}

void node_deadline(Sim *s, Node *node) {
    JdInstant due;
    node->timer_ms = 0;
    if (!node_may_step(s, node))
        return;
    if (live_next_deadline(node->live, &due) && due.ms <= node_clock(s, node)) {
        LiveCommand timer = { .kind = LIVE_TIMER };
        step(s, node, &timer);
        pump(s, node);
    }
    if (node->live != NULL)
        set_timer(s, node);
}

void node_ack(Sim *s, Node *node, uint64_t number) {
    if (!node->is_flying || node->flying.number != number)
        return;
    if (!db_reached(s, node)) { // the answer is lost; it will ask
        sim_at(s, s->now_ms + 200,
               (Event) { .kind = EVENT_COMMIT, .a = node->index, .run = node->run, .n = number });
        return;
    }
    const int64_t took_ms = s->now_ms - node->commit_ms;
    node->is_flying = false;
    node->has_heart = true;
    const unsigned dropped = node->flying.released & node->leaving;
    if (dropped != 0)
        node_release(s, node, dropped); // MUTANT_LATE_DROP: only now
    const bool gives = node->flying.released != 0;
    carry_out_group(s, node, &node->flying);
    if (node->live == NULL)
        return;
    group_clear(&node->flying);
    if (gives)
        bus_all(s, node, (BusMessage) { .kind = BUS_POKE });
    if (took_ms > LIVE_STALL_MS) {
        s->count.stalls++;
        // Until it counts as standing still commands go on: what happened to a game then is not
        // undone, so that first second may be charged.
        unsigned owned = 0; // a deposed node is past crediting anybody
        for (int i = 0; i < SIM_SHARDS; i++)
            owned |= (unsigned)(s->db.shards[i].owner == node->index) << i;
        judge_outage(s, node->owned & owned, s->now_ms - took_ms, s->now_ms, LIVE_STALL_MS, 0);
        LiveCommand stalled = { .kind = LIVE_STALLED, .span_ms = took_ms };
        const size_t from = node->open.fx.count;
        if (s->mutant != MUTANT_STALL_CHARGED)
            step(s, node, &stalled);
        mark_outages(node, from, 0);
    }
    for (size_t i = 0; i < node->slept_count; i++) {
        LiveCommand slept = { .kind = LIVE_SLEPT,
                              .id = node->slept[i].id,
                              .ply = node->slept[i].sleep.last_seq };
        step(s, node, &slept);
    }
    node->slept_count = 0;
    let_through(s, node);
    pump(s, node);
    if (node->live == NULL)
        return;
    set_timer(s, node);
    if (node->stopping && node->owned != 0 && node_may_step(s, node))
        node_release(s, node, node->owned);
    if (node->stopping && !node->is_flying && node->owned == 0 && node->claimed == 0)
        node_kill(s, node, 300);
}

// ---- clocks, beats ------------------------------------------------------------------------------

// As net_clock_step: what the machine's clock leaps ahead is charged to nobody.
static void look_at_clock(Sim *s, Node *node) {
    const int64_t ahead_ms = node->wall_ms - node->offset_ms;
    if (ahead_ms <= 1000 || stands_still(s, node))
        return;
    node->offset_ms += ahead_ms;
    LiveCommand stalled = { .kind = LIVE_STALLED, .span_ms = ahead_ms };
    const size_t from = node->open.fx.count;
    step(s, node, &stalled);
    mark_outages(node, from, 0);
}

// While a credit is not durable there is no sign: who finds it would take the time that is credited
// for time that was played. With one node signs go the way of the log, so they come after it.
static void give_sign(Sim *s, Node *node) {
    const bool waits = node->open.holds_credit || (node->is_flying && node->flying.holds_credit);
    if (stands_still(s, node))
        return;
    if (is_cluster(s)) {
        if (!waits || s->mutant == MUTANT_EARLY_SIGN)
            node->sign_ms = node_clock(s, node);
    } else if (node->has_heart) {
        node->open.alive_ms = node_clock(s, node);
    } else if (s->mutant == MUTANT_EARLY_SIGN) {
        s->db.nodes[0].alive_ms = node_clock(s, node);
    }
}

void node_beat(Sim *s, Node *node) {
    look_at_clock(s, node);
    bus_beat(s, node);
    if (node->live == NULL)
        return;
    give_sign(s, node);
    let_through(s, node);
    pump(s, node);
    if (node->live == NULL)
        return;
    node->timer_ms = 0;
    set_timer(s, node);
}

// ---- adopting, releasing ------------------------------------------------------------------------

void node_claimed(Sim *s, Node *node, unsigned shards) {
    node->claimed |= shards;
    // Those of one former owner and one moment together.
    while (shards != 0) {
        int first = 0;
        while ((shards >> first & 1) == 0)
            first++;
        unsigned same = 0;
        for (int i = first; i < SIM_SHARDS; i++)
            if ((shards >> i & 1) && s->db.shards[i].alive_ms == s->db.shards[first].alive_ms &&
                s->db.shards[i].exact == s->db.shards[first].exact)
                same |= 1u << i;
        shards &= ~same;
        sim_at(s, s->now_ms + sim_between(&s->disk_random, 2, 60),
               (Event) { .kind = EVENT_ADOPT, .a = node->index, .run = node->run, .n = same });
    }
}

// The log may be ahead of this machine's clock: the shell's goes on from there.
static int64_t behind(Sim *s, Node *node, const LiveLogEvent *events, size_t count,
                      int64_t alive_ms, int64_t heartbeat_ms) {
    int64_t newest_ms = alive_ms;
    for (size_t i = 0; i < count; i++)
        if (events[i].at.ms > newest_ms)
            newest_ms = events[i].at.ms;
    if (newest_ms <= node_clock(s, node))
        return 0;
    if (newest_ms < alive_ms + heartbeat_ms)
        newest_ms = alive_ms + heartbeat_ms;
    return newest_ms - node_clock(s, node);
}

static void mark_adopted(Sim *s, Node *node, unsigned shards) {
    node->open.adopted |= shards;
    for (int i = 0; i < SIM_SHARDS; i++)
        if (shards >> i & 1)
            node->served_ms[i] = node->open.adopted_ms[i] = s->now_ms;
    node->owned |= shards;
    node->claimed &= ~shards;
    s->count.adoptions++;
}

void node_adopt(Sim *s, Node *node, unsigned shards) {
    if (!node_may_step(s, node)) {
        sim_at(s, s->now_ms + 50,
               (Event) { .kind = EVENT_ADOPT, .a = node->index, .run = node->run, .n = shards });
        return;
    }
    size_t count;
    const LiveLogEvent *events = db_unfinished(s, shards, &count);
    LivePerson people[SIM_USERS];
    LiveProfile profiles[SIM_USERS];
    for (int i = 0; i < SIM_USERS - 1; i++) {
        profiles[i] = profile_of(i + 1);
        people[i] = (LivePerson) { i + 1, nick_of(s, i + 1), &profiles[i] };
    }
    int first = 0;
    while ((shards >> first & 1) == 0)
        first++;
    const bool exact = s->db.shards[first].exact;
    int64_t alive_ms = s->db.shards[first].alive_ms;
    const int64_t heartbeat_ms = exact || alive_ms == 0 ? 0 : sim_scaled(s, HEARTBEAT_MS);
    const int64_t leap_ms = behind(s, node, events, count, alive_ms, heartbeat_ms);
    if (s->mutant == MUTANT_NO_CREDIT && alive_ms != 0)
        alive_ms = node_clock(s, node);
    if (s->mutant == MUTANT_CREDIT_TWICE && alive_ms != 0)
        alive_ms -= 20000;
    const LiveAdoption adoption = {
        .events = events,
        .count = count,
        .people = people,
        .people_count = SIM_USERS - 1,
        .last_alive = { alive_ms },
        .heartbeat = { heartbeat_ms },
    };
    const LiveCommand nobody = { .kind = LIVE_TIMER };
    const size_t from = node->open.fx.count;
    JdErr err = { 0 };
    judge_adopted(s, node, shards);
    if (!live_adopt(node->live, &adoption, clock_of(s, node), &node->open.fx, &err))
        sim_fail(s, "node %d does not adopt: %s", node->index, err.text);
    node->offset_ms += leap_ms;
    mark_outages(node, from, shards);
    sim_trace(s, "node %d adopts %#x: %zu events", node->index, shards, count);
    mark_adopted(s, node, shards);
    after_step(s, node, from, &nobody, true, true);
    judge_in_memory(s, node, shards);
    gateway_owners(s, node, shards);
    bus_all(s, node, (BusMessage) { .kind = BUS_POKE });
    // Of the vacations that last, once more: for what sleeps in these shards.
    for (size_t i = 0; i < s->db.vacation_count; i++)
        if (s->db.vacations[i].until_ms > node_clock(s, node))
            node_vacation(s, node, &s->db.vacations[i]);
    if (node->live != NULL && node->stopping)
        node_release(s, node, node->owned);
    if (node->live == NULL)
        return;
    pump(s, node);
    if (node->live != NULL)
        set_timer(s, node);
}

static bool in_shards(void *context, const LiveId *id) {
    return *(unsigned *)context >> sim_shard(id) & 1;
}

void node_release(Sim *s, Node *node, unsigned shards) {
    const bool late = s->mutant == MUTANT_LATE_DROP;
    if (!late || (node->leaving & shards) != 0) {
        unsigned dropped = shards;
        const size_t from = node->open.fx.count;
        live_drop(node->live, in_shards, &dropped, &node->open.fx);
        note_times(s, node, from);
        node->leaving &= ~shards;
        if (late)
            return;
    } else {
        node->leaving |= shards;
    }
    sim_trace(s, "node %d gives %#x away", node->index, shards);
    node->owned &= ~shards;
    node->open.released |= shards;
    node->open.released_ms = node_clock(s, node);
    node->open.released_true_ms = s->now_ms;
    if (s->mutant == MUTANT_RELEASE_FIRST)
        db_give(s, node, shards, node_clock(s, node), s->now_ms);
    gateway_owners(s, node, shards);
    pump(s, node);
}

// ---- life and death -----------------------------------------------------------------------------

void node_stop_serving(Sim *s, Node *node) {
    if (node->down_since_ms == 0)
        node->down_since_ms = s->now_ms;
}

static void every(Sim *s, Node *node, EventKind kind, int64_t after_ms) {
    sim_at(s, s->now_ms + after_ms, (Event) { .kind = kind, .a = node->index, .run = node->run });
}

// One node: what a restart is.
static void restart(Sim *s, Node *node) {
    size_t count;
    const LiveLogEvent *events = db_unfinished(s, SIM_ALL, &count);
    int64_t alive_ms = s->db.nodes[0].alive_ms;
    node->offset_ms += behind(s, node, events, count, alive_ms, sim_scaled(s, HEARTBEAT_MS));
    size_t outages;
    const Entity any = { .shard = 0 };
    const LiveOutage *kept = db_outages(s, &any, &outages);
    JdErr err = { 0 };
    for (size_t i = 0; i < outages; i++)
        live_replay_outage(node->live, &kept[i]);
    for (size_t i = 0; i < s->db.vacation_count; i++)
        if (s->db.vacations[i].ended_ms == LIVE_NEVER &&
            s->db.vacations[i].until_ms > node_clock(s, node))
            live_replay_vacation(node->live, s->db.vacations[i].account, s->db.vacations[i].from_ms,
                                 s->db.vacations[i].until_ms);
    for (size_t i = 0; i < count; i++)
        if (!live_replay_event(node->live, &events[i], &err))
            sim_fail(s, "replay: %s", err.text);
    size_t cursor = 0;
    for (LiveAccount account; live_account_next(node->live, &cursor, &account);)
        live_account_name(node->live, account, nick_of(s, account));
    if (s->mutant == MUTANT_NO_CREDIT)
        alive_ms = node_clock(s, node);
    if (s->mutant == MUTANT_CREDIT_TWICE)
        alive_ms -= 20000;
    const LiveResume resume = { { alive_ms }, { sim_scaled(s, HEARTBEAT_MS) } };
    const LiveCommand nobody = { .kind = LIVE_TIMER };
    judge_adopted(s, node, SIM_ALL);
    live_replay_done(node->live, &resume, clock_of(s, node), &node->open.fx);
    mark_adopted(s, node, SIM_ALL);
    after_step(s, node, 0, &nobody, true, true);
    judge_in_memory(s, node, SIM_ALL);
}

void node_start(Sim *s, Node *node) {
    node->run++;
    if (node->epoch != 0)
        node->last_offset_ms = node->offset_ms;
    node->offset_ms = node->wall_ms;
    node->memory = test_memory(&node->bytes);
    node->fx_memory = test_memory(&node->fx_bytes);
    group_open(&node->open, &node->fx_memory);
    group_open(&node->flying, &node->fx_memory);
    node->live = live_open(&node->memory, clock_of(s, node));
    node->asks = sim_chance(&s->live_random, 300);
    if (node->asks)
        live_ask_always(node->live);
    node->frozen_until_ms = 0;
    node->owned = node->claimed = node->leaving = 0;
    node->stopping = node->is_flying = node->has_heart = false;
    node->timer_ms = 0;
    node->slept_count = 0;
    node->group = is_cluster(s) ? 0 : s->db.nodes[0].group;
    for (int i = 0; i < SIM_SHARDS; i++)
        node->view[i] = -1;
    sim_trace(s, "node %d starts", node->index);
    if (is_cluster(s)) {
        node->epoch = 0;
        if (!db_reached(s, node)) { // it will come up when the database is there
            node_kill(s, node, 500);
            return;
        }
        db_register(s, node);
        node->down_since_ms = 0;
        node->sign_ms = node_clock(s, node);
        every(s, node, EVENT_RENEW, sim_scaled(s, RENEW_MS));
        every(s, node, EVENT_TICK, 5);
    } else {
        node->owned = SIM_ALL;
        restart(s, node);
        node->down_since_ms = 0;
        for (int i = 0; i < SIM_SHARDS; i++)
            node->view[i] = 0;
    }
    every(s, node, EVENT_BEAT, sim_scaled(s, BEAT_MS));
    every(s, node, EVENT_SCAN, 1000);
    pump(s, node);
    set_timer(s, node);
}

// What was being written may get through all the same.
static void leave_group(Sim *s, Node *node) {
    Group *group = &node->flying;
    if (!node->is_flying || s->db.nodes[node->index].group == group->number)
        return; // nothing, or it is written and not acknowledged
    if (is_cluster(s)) {
        if (node->has_ghost)
            group_close(&node->ghost);
        node->ghost = node->flying;
        node->has_ghost = true;
        group_open(&node->flying, &node->fx_memory);
        if (sim_chance(&s->disk_random, 400)) {
            group_close(&node->ghost);
            node->has_ghost = false;
        }
        return;
    }
    size_t upto = 0;
    if (s->mutant == MUTANT_TORN_STEP)
        upto = (size_t)sim_between(&s->disk_random, 0, (int64_t)group->fx.count);
    else if (group->cut_count > 0 && !sim_chance(&s->disk_random, 400))
        upto = sim_chance(&s->disk_random, 500)
                   ? group->fx.count
                   : group->cuts[sim_between(&s->disk_random, 0, (int64_t)group->cut_count - 1)];
    if (upto > 0)
        (void)db_commit(s, node, group, upto);
}

void node_kill(Sim *s, Node *node, int64_t back_ms) {
    if (node->live == NULL)
        return;
    sim_trace(s, "node %d is gone", node->index);
    s->count.kills++;
    node_stop_serving(s, node);
    if (node->is_flying && node->commit_ms < node->down_since_ms)
        node->down_since_ms = node->commit_ms; // nothing got through since
    const int64_t down_since_ms = node->down_since_ms;
    leave_group(s, node);
    node->down_since_ms = down_since_ms;
    if (!is_cluster(s)) {
        if (s->mutant == MUTANT_ACK_UNSYNCED)
            db_crash(s);
        for (int i = 0; i < SIM_SHARDS; i++) {
            s->db.shards[i].pending = true;
            if (s->db.shards[i].unserved_ms == 0)
                s->db.shards[i].unserved_ms = node->down_since_ms;
            s->db.shards[i].offset_ms = node->offset_ms;
            s->db.shards[i].signed_ms = s->db.nodes[0].alive_ms - node->offset_ms;
        }
    }
    live_close(node->live);
    node->live = NULL;
    node->is_flying = false;
    group_close(&node->open);
    group_close(&node->flying);
    SIM_CHECK(s, node->bytes == 0);
    SIM_CHECK(s, node->fx_bytes == 0 || node->has_ghost);
    free(node->held);
    node->held = NULL;
    node->held_count = node->held_capacity = 0;
    free(node->following);
    node->following = NULL;
    node->following_count = node->following_capacity = 0;
    memset(node->here, 0, sizeof node->here);
    node->owned = node->claimed = 0;
    gateway_died(s, node);
    sim_at(s, s->now_ms + (back_ms < 20 ? 20 : back_ms),
           (Event) { .kind = EVENT_START, .a = node->index });
}

void node_fenced(Sim *s, Node *node) {
    sim_trace(s, "node %d has been deposed", node->index);
    node_kill(s, node, sim_between(&s->disk_random, 100, 2000));
}

void node_term(Sim *s, Node *node) {
    if (node->live == NULL)
        return;
    if (!is_cluster(s) || node->owned == 0) {
        node_kill(s, node, 500);
        return;
    }
    node->stopping = true;
    if (node_may_step(s, node)) // else when the commit is through
        node_release(s, node, node->owned);
}

void node_close(Sim *s, Node *node) {
    if (node->live != NULL) {
        live_close(node->live);
        group_close(&node->open);
        group_close(&node->flying);
    }
    if (node->has_ghost)
        group_close(&node->ghost);
    free(node->held);
    free(node->following);
    SIM_CHECK(s, node->bytes == 0 && node->fx_bytes == 0);
}
