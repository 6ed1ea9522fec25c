// SPDX-License-Identifier: GPL-3.0-or-later
//
// The promises of the site, looked at from outside. Games are folded here by the Laws alone, clocks
// are counted a second time in true time, and what anybody was told is held against the database.
#include "sim.h"

// ---- entities -----------------------------------------------------------------------------------

static Entity *entity_of(Sim *s, const LiveId *id) {
    Entity *entity = db_find(s, id);
    if (entity != NULL)
        return entity;
    SIM_CHECK(s, s->db.entity_count < SIM_ENTITIES);
    entity = &s->db.entities[s->db.entity_count++];
    entity->id = *id;
    entity->shard = sim_shard(id);
    return entity;
}

static Fold *fold_of(Sim *s, Fold **place) {
    if (*place == NULL)
        *place = sim_take(s, sizeof(Fold));
    return *place;
}

static bool is_of_laws(const LiveLogEvent *event) {
    return event->kind < LIVE_EVENT_GAME_CREATED;
}

// The setup as the site promises it, not as live wrote it.
static void begin(Sim *s, Entity *entity, Fold *fold, const LiveLogEvent *birth, uint8_t mating) {
    const size_t size = live_game_decode_size(1);
    JdArena arena = jd_arena(sim_take(s, size), size);
    LiveGameView view;
    JdErr err = { 0 };
    if (!live_game_decode(birth, 1, birth->at, &arena, &view, &err))
        sim_fail(s, "%s", err.text);
    LawsSetup setup = { .start = chess_position_start(),
                        .edition = view.row.edition,
                        .touch_move = view.row.touch,
                        .supervised = 1,
                        .offer_gap_moves = LIVE_OFFER_GAP_MOVES };
    SIM_CHECK(s, live_control_to_laws(&view.row.control, &setup.control[0], &err));
    setup.control[1] = setup.control[0];
    setup.pace = (uint8_t)laws_control_pace((LawsEdition)setup.edition, &setup.control[0]);
    setup.slow_no_penalty = laws_control_is_slow(&setup.control[0]);
    setup.mating = mating;
    entity->is_game = true;
    entity->slow = setup.slow_no_penalty;
    entity->mating = mating;
    entity->players[0] = view.row.seats[0].account;
    entity->players[1] = view.row.seats[1].account;
    laws_game_init(&fold->laws, &setup, fold->plies, SIM_PLIES + 1);
    fold->count = 1;
}

// One entry more; the game before it in *before.
static void apply(Sim *s, const Entity *entity, Fold *fold, const LiveLogEvent *entry,
                  LawsGame *before, LawsEvent *event) {
    JdErr err = { 0 };
    *before = fold->laws;
    event->kind = 0;
    fold->count++;
    if (!is_of_laws(entry))
        return;
    if (!laws_event_read(entry->kind, entry->actor, entry->body, entry->body_size, event, &err))
        sim_fail(s, "%s", err.text);
    const LawsVerdict verdict = laws_apply(&fold->laws, event, entry->at);
    if (verdict.refusal != LAWS_NOT_REFUSED)
        sim_fail(s, "game %s: the Laws refuse entry %u: %s", entity->id.text, entry->seq,
                 laws_refusal_name((LawsRefusal)verdict.refusal));
}

static void fold_log(Sim *s, Entity *entity, Fold *fold) {
    LawsGame before;
    LawsEvent event;
    fold->count = 0;
    for (uint32_t i = 0; i < entity->count; i++) {
        if (i == 0)
            begin(s, entity, fold, &entity->log[0], entity->mating);
        else
            apply(s, entity, fold, &entity->log[i], &before, &event);
    }
}

static bool has_ended(const LawsGame *laws) {
    return laws->state == LAWS_ENDED || laws->state == LAWS_ANNULLED;
}

// ---- clocks, counted again in true time ---------------------------------------------------------

void judge_outage(Sim *s, unsigned shards, int64_t from_ms, int64_t to_ms, int64_t slack_ms,
                  int64_t given_ms) {
    if (to_ms <= from_ms)
        return;
    s->outages = sim_grow(s->outages, s->outage_count, &s->outage_capacity, sizeof(*s->outages));
    sim_trace(s, "unserved: %#x from %lld to %lld, slack %lld", shards,
              (long long)(from_ms - SIM_BASE_MS), (long long)(to_ms - SIM_BASE_MS),
              (long long)slack_ms);
    for (size_t i = 0; i < s->outage_count; i++) {
        const int64_t gap_ms = from_ms - s->outages[i].to_ms;
        if ((s->outages[i].shards & shards) != 0 && gap_ms > given_ms &&
            gap_ms <= sim_scaled(s, HEARTBEAT_MS))
            given_ms = gap_ms;
    }
    s->outages[s->outage_count++] = (Outage) { shards, from_ms, to_ms, slack_ms, given_ms };
}

// How much of a span nobody served the shard; what of it may have been charged.
int64_t judge_down(const Sim *s, int shard, int64_t from_ms, int64_t to_ms, int64_t *slack_ms,
                   int64_t *given_ms) {
    int64_t sum = 0;
    int64_t at = from_ms;
    *slack_ms = 0;
    *given_ms = 0;
    while (at < to_ms) { // they overlap: from one end to the next
        int64_t until = at;
        int64_t next = to_ms;
        for (size_t i = 0; i < s->outage_count; i++) {
            const Outage *outage = &s->outages[i];
            if ((outage->shards >> shard & 1) == 0 || outage->to_ms <= at)
                continue;
            if (outage->from_ms <= at && outage->to_ms > until)
                until = outage->to_ms;
            else if (outage->from_ms > at && outage->from_ms < next)
                next = outage->from_ms;
        }
        if (until > to_ms)
            until = to_ms;
        sum += until - at;
        at = until > at ? until : next;
    }
    for (size_t i = 0; i < s->outage_count; i++)
        if ((s->outages[i].shards >> shard & 1) && s->outages[i].to_ms > from_ms &&
            s->outages[i].from_ms < to_ms) {
            *slack_ms += s->outages[i].slack_ms;
            *given_ms += s->outages[i].given_ms;
        }
    return sum;
}

static const LawsPeriod *period_of(const LawsGame *laws, int side) {
    return &laws->setup.control[side].periods[laws->clock.period[side]];
}

#define ROUGH_MS 5 // a millisecond here and there

// A game that is interrupted because its node's clock leaps, for shards that it has taken over: if
// the node dies soon after, it is taken to have died with it (Outage, given_ms).
static int64_t given_after_leaps(const Sim *s, const Entity *entity, int64_t true_ms) {
    int64_t sum = 0;
    for (size_t i = 0; i < s->outage_count; i++) {
        const Outage *outage = &s->outages[i];
        if ((outage->shards >> entity->shard & 1) == 0 || outage->from_ms < entity->turn_ms ||
            outage->from_ms > true_ms)
            continue;
        int64_t most_ms = outage->given_ms;
        for (uint32_t k = 0; k < JD_COUNT(entity->interrupted_ms) && k < entity->interrupted_count;
             k++) {
            const int64_t gap_ms = outage->from_ms - entity->interrupted_ms[k];
            if (gap_ms > most_ms && gap_ms <= sim_scaled(s, HEARTBEAT_MS))
                most_ms = gap_ms;
        }
        sum += most_ms - outage->given_ms;
    }
    return sum;
}

// The turn that ends at true_ms with left_ms on the clock, increment and new period aside.
static void check_turn(Sim *s, const Entity *entity, int64_t true_ms, int64_t left_ms,
                       int64_t delay_ms) {
    int64_t slack_ms;
    int64_t given_ms;
    const int64_t down_ms =
        judge_down(s, entity->shard, entity->turn_ms, true_ms, &slack_ms, &given_ms);
    given_ms += given_after_leaps(s, entity, true_ms);
    const int64_t used_ms = true_ms - entity->turn_ms - down_ms;
    const int64_t most_ms =
        used_ms + slack_ms + ROUGH_MS > delay_ms ? used_ms + slack_ms + ROUGH_MS - delay_ms : 0;
    const int64_t least_ms = used_ms - ROUGH_MS > delay_ms ? used_ms - ROUGH_MS - delay_ms : 0;
    const int64_t charged_ms = entity->turn_reading_ms - left_ms;
    if (charged_ms < least_ms - LAWS_CREDIT_MOVE_MS - given_ms)
        sim_fail(s, "game %s: a clock was given %lld ms", entity->id.text,
                 (long long)(least_ms - LAWS_CREDIT_MOVE_MS - charged_ms));
    if (charged_ms > most_ms)
        sim_fail(s, "game %s: a clock was charged %lld ms of an outage", entity->id.text,
                 (long long)(charged_ms - most_ms));
}

static void check_clock(Sim *s, Entity *entity, const LawsGame *before, const LawsEvent *event,
                        const LiveLogEvent *entry, int64_t true_ms) {
    const LawsGame *laws = &entity->fold->laws;
    // During a vacation his clock stands.
    if (!entity->turn_known || entity->held_ms > 0 || entity->held_from_ms[0] != 0 ||
        entity->held_from_ms[1] != 0)
        return;
    if (entity->slow && event->kind == LAWS_EVENT_MOVE)
        check_turn(s, entity, true_ms,
                   laws_clock_reading(before, (ChessColor)event->actor, entry->at), 0);
    // Past a flag that nobody claims the clock shows 0, whatever was used.
    if (!entity->slow && event->kind == LAWS_EVENT_MOVE && !before->clock.flag_down[event->actor] &&
        !laws->clock.flag_down[event->actor]) {
        const LawsPeriod *period = period_of(before, event->actor);
        int64_t left_ms = laws->plies[laws->ply_count - 1].clock_ms - period->increment_ms;
        if (laws->clock.period[event->actor] != before->clock.period[event->actor])
            left_ms -= period_of(laws, event->actor)->time_ms;
        check_turn(s, entity, true_ms, left_ms, period->delay_ms);
    }
    // The instant of a flag is told by the clock of who owned the game then.
    if (event->kind == LAWS_EVENT_TICK && laws->reason == LAWS_FLAG && has_ended(laws) &&
        s->now_ms - true_ms < 1000)
        check_turn(s, entity, true_ms, 0,
                   entity->slow ? 0 : period_of(before, before->position.side_to_move)->delay_ms);
}

static void note_turn(Entity *entity, const LawsGame *before, const LawsEvent *event,
                      const LiveLogEvent *entry, int64_t true_ms) {
    LawsGame *laws = &entity->fold->laws;
    if (event->kind == LAWS_EVENT_HOLD)
        entity->held_from_ms[event->side] = true_ms;
    if (event->kind == LAWS_EVENT_UNHOLD) {
        entity->held_ms += 1;
        entity->held_from_ms[event->side] = 0;
    }
    // 1997, 2005: a wrong claim cuts the claimant's own time (Article 9.5).
    if (event->kind == LAWS_EVENT_CLAIM_DRAW) {
        const ChessColor claimant = (ChessColor)event->actor;
        entity->turn_reading_ms -= laws_clock_reading(before, claimant, entry->at) -
                                   laws_clock_reading(laws, claimant, entry->at);
    }
    if (event->kind == LAWS_EVENT_INTERRUPTION)
        entity->interrupted_ms[entity->interrupted_count++ % JD_COUNT(entity->interrupted_ms)] =
            true_ms;
    if (event->kind != LAWS_EVENT_MOVE && event->kind != LAWS_EVENT_START)
        return;
    entity->interrupted_count = 0;
    entity->turn_known = true;
    entity->turn_ms = true_ms;
    entity->held_ms = 0;
    entity->turn_reading_ms =
        laws_clock_reading(laws, (ChessColor)laws->position.side_to_move, entry->at);
}

// ---- what the database takes --------------------------------------------------------------------

static void keep(Sim *s, Entity *entity, const LiveLogEvent *event) {
    if (entity->count == entity->capacity) {
        entity->capacity = entity->capacity == 0 ? 32 : entity->capacity * 2;
        entity->log = realloc(entity->log, entity->capacity * sizeof(*entity->log));
        entity->arrivals = realloc(entity->arrivals, entity->capacity * sizeof(*entity->arrivals));
    }
    unsigned char *body = sim_take(s, event->body_size + 1);
    if (event->body_size > 0)
        memcpy(body, event->body, event->body_size);
    entity->arrivals[entity->count] = ++s->db.arrival;
    entity->log[entity->count] = *event;
    entity->log[entity->count++].body = body;
}

static void append_to_challenge(Sim *s, Entity *entity, const LiveLogEvent *event) {
    if (event->kind == LIVE_EVENT_CHALLENGE_CREATED) {
        LiveAccount accounts[2];
        size_t count;
        JdErr err = { 0 };
        SIM_CHECK(s, live_birth_accounts(event, accounts, &count, &err) && count >= 1);
        entity->players[0] = accounts[0];
        return;
    }
    SIM_CHECK(s, !entity->over); // a seat is won once, and nothing comes after
    entity->over = true;
    if (event->kind == LIVE_EVENT_CHALLENGE_JOINED)
        memcpy(entity->game.text, event->body + 8, LIVE_ID_CHARS);
}

static void append_to_game(Sim *s, Node *node, Entity *entity, const LiveLogEvent *event,
                           int64_t true_ms) {
    LawsGame before;
    LawsEvent read;
    Fold *fold = fold_of(s, &entity->fold);
    if (event->kind == LIVE_EVENT_GAME_CREATED) {
        begin(s, entity, fold, event, entity->mating);
        s->count.games++;
        return;
    }
    SIM_CHECK(s, !entity->over);
    apply(s, entity, fold, event, &before, &read);
    if (event->kind == LAWS_EVENT_MOVE)
        asked_made(s, entity, &before, &read);
    check_clock(s, entity, &before, &read, event, true_ms);
    note_turn(entity, &before, &read, event, true_ms);
    s->count.moves += event->kind == LAWS_EVENT_MOVE;
    s->count.touches += event->kind == LAWS_EVENT_TOUCH;
    if (has_ended(&fold->laws)) {
        entity->over = true;
        s->count.ends++;
        s->count.flags += fold->laws.reason == LAWS_FLAG;
    }
    (void)node;
}

// Two owners never both write; entries follow one another.
void judge_appended(Sim *s, Node *node, const LiveLogEvent *event, int64_t true_ms) {
    Entity *entity = entity_of(s, &event->id);
    if (s->db.shards[entity->shard].owner != node->index)
        sim_fail(s, "node %d writes to %s, which is owned by %d", node->index, event->id.text,
                 s->db.shards[entity->shard].owner);
    if (event->seq != entity->count + 1)
        sim_fail(s, "%s: entry %u is written after %u", event->id.text, event->seq, entity->count);
    sim_trace(s, "node %d writes %s %u: %s (%d) at %lld, true %lld", node->index, event->id.text,
              event->seq, event_kind_name(event->kind), event->kind,
              (long long)(event->at.ms - SIM_BASE_MS), (long long)(true_ms - SIM_BASE_MS));
    keep(s, entity, event);
    entity->asleep = false;
    if (entity->is_game || event->kind == LIVE_EVENT_GAME_CREATED)
        append_to_game(s, node, entity, event, true_ms);
    else
        append_to_challenge(s, entity, event);
}

// ---- what a node has in memory ------------------------------------------------------------------

static void issued(Sim *s, Node *node, const LiveLogEvent *event) {
    Entity *entity = entity_of(s, &event->id);
    LawsGame before;
    LawsEvent read;
    if (event->kind == LIVE_EVENT_GAME_CREATED)
        begin(s, entity, fold_of(s, &entity->shadows[node->index]), event,
              node->asks ? LAWS_MATING_ASKED : LAWS_MATING_EXACT);
    else if (entity->is_game)
        apply(s, entity, entity->shadows[node->index], event, &before, &read);
}

static void compare(Sim *s, Node *node, const LiveId *id) {
    const Entity *entity = db_find(s, id);
    uint64_t digest;
    if (entity != NULL && entity->is_game && live_game_digest(node->live, id, &digest) &&
        digest != laws_game_digest(&entity->shadows[node->index]->laws))
        sim_fail(s, "game %s differs from its log on node %d", id->text, node->index);
}

// Every command that is to be answered is answered once, and every game that was touched is what
// its log says.
void judge_step(Sim *s, Node *node, size_t from, const LiveCommand *command, bool known) {
    const LiveEffects *fx = &node->open.fx;
    size_t answers = 0;
    for (size_t i = from; i < fx->count; i++) {
        const LiveEffect *effect = &fx->list[i];
        if (effect->kind == LIVE_FX_LOG)
            issued(s, node, effect->log);
        if (effect->kind != LIVE_FX_ANSWER)
            continue;
        answers++;
        SIM_CHECK(s, effect->origin.token == command->origin.token);
        // A move is made at the ply it was meant for, or not at all.
        SIM_CHECK(s, effect->answer->kind != LIVE_ANSWER_ACK || command->kind != LIVE_MOVE ||
                         effect->answer->ply == command->ply + 1);
    }
    for (size_t i = from; i < fx->count; i++)
        if (fx->list[i].kind == LIVE_FX_LOG)
            compare(s, node, &fx->list[i].id);
    const bool silent = command->kind <= LIVE_DISCONNECT || command->kind == LIVE_STALLED ||
                        command->kind == LIVE_VERDICT || command->kind == LIVE_SLEPT ||
                        command->kind == LIVE_SUMMONED || command->kind == LIVE_VACATION_TOLD ||
                        !known;
    if (answers != (silent ? 0 : 1))
        sim_fail(s, "command %d was answered %zu times", command->kind, answers);
    JdInstant due; // what was due has been done
    SIM_CHECK(s, command->kind != LIVE_TIMER || !live_next_deadline(node->live, &due) ||
                     from == 0 || due.ms > node_clock(s, node) - 100000000);
}

void judge_woken(Sim *s, Node *node, Entity *entity) {
    fold_log(s, entity, fold_of(s, &entity->shadows[node->index]));
}

void judge_adopted(Sim *s, Node *node, unsigned shards) {
    for (size_t i = 0; i < s->db.entity_count; i++) {
        Entity *entity = &s->db.entities[i];
        if (entity->is_game && entity->count > 0 && (shards >> entity->shard & 1))
            fold_log(s, entity, fold_of(s, &entity->shadows[node->index]));
    }
}

void judge_in_memory(Sim *s, Node *node, unsigned shards) {
    for (size_t i = 0; i < s->db.entity_count; i++) {
        const Entity *entity = &s->db.entities[i];
        uint64_t digest;
        if (!entity->is_game || entity->count == 0 || (shards >> entity->shard & 1) == 0)
            continue;
        if (!entity->over && !entity->asleep && !live_game_digest(node->live, &entity->id, &digest))
            sim_fail(s, "game %s is not in the memory of node %d", entity->id.text, node->index);
        compare(s, node, &entity->id);
    }
}

// ---- what people are told -----------------------------------------------------------------------

static void told_view(Sim *s, const LiveGameView *view) {
    Entity *entity = db_find(s, &view->row.id);
    SIM_CHECK(s, entity != NULL && view->row.last_seq <= entity->count);
    if (view->row.last_seq > entity->told)
        entity->told = view->row.last_seq;
    if (view->row.plies > entity->told_plies)
        entity->told_plies = view->row.plies;
}

// Nothing is told that is not durable.
void judge_told(Sim *s, const LiveMessage *message) {
    Entity *entity = db_find(s, &message->id);
    if (message->kind == LIVE_MSG_GAME)
        told_view(s, message->game);
    if (message->kind == LIVE_MSG_SAID)
        asked_told(s, &message->id, asked_line_number(message->said));
    if (message->kind == LIVE_MSG_MOVED) {
        SIM_CHECK(s, entity != NULL && entity->count > 0 &&
                         message->moved->ply <= entity->fold->laws.ply_count);
        if (message->moved->ply > entity->told_plies)
            entity->told_plies = message->moved->ply;
    }
    if (message->kind == LIVE_MSG_END) {
        SIM_CHECK(s, entity != NULL && entity->over &&
                         message->end->reason == entity->fold->laws.reason);
        entity->told = entity->count;
    }
}

void judge_answer(Sim *s, const LiveAnswer *answer) {
    Entity *entity = db_find(s, &answer->id);
    if (answer->game != NULL)
        told_view(s, answer->game);
    if (answer->kind == LIVE_ANSWER_CHALLENGE || answer->kind == LIVE_ANSWER_GAME_ID) {
        SIM_CHECK(s, entity != NULL && entity->count > 0);
        if (entity->told == 0)
            entity->told = 1;
        entity->published = true;
    }
    if (answer->kind == LIVE_ANSWER_ACK) {
        SIM_CHECK(s, entity != NULL && answer->ply <= entity->fold->laws.ply_count);
        if (answer->ply > entity->told_plies)
            entity->told_plies = answer->ply;
    }
}

void judge_crashed(Sim *s) {
    for (size_t i = 0; i < s->db.entity_count; i++)
        if (s->db.entities[i].count < s->db.entities[i].told)
            sim_fail(s, "%s: entry %u was told and is lost", s->db.entities[i].id.text,
                     s->db.entities[i].told);
    asked_crashed(s);
}

// ---- answers ------------------------------------------------------------------------------------

void judge_asked(Sim *s, int user, const SimCommand *command) {
    User *u = &s->users[user];
    u->asks = sim_grow(u->asks, u->ask_count, &u->ask_capacity, sizeof(*u->asks));
    u->asks[u->ask_count++] = (Ask) { .token = command->command.origin.token,
                                      .connection = command->command.origin.connection,
                                      .gateway = command->gateway,
                                      .run = command->gateway_run,
                                      .sent_ms = s->now_ms,
                                      .says = command->command.kind == LIVE_SAY,
                                      .game = command->command.id };
    asked_move(s, command);
}

void judge_answered(Sim *s, const Mail *mail) {
    User *u = &s->users[mail->user];
    for (size_t i = u->ask_count; i-- > 0;) {
        Ask *ask = &u->asks[i];
        if (ask->token != mail->token)
            continue;
        if (ask->answered)
            sim_fail(s, "user %d was answered twice", mail->user);
        ask->answered = true;
        if (ask->says && mail->kind == LIVE_ANSWER_OK)
            asked_told(s, &ask->game, ask->token);
        return;
    }
    sim_fail(s, "user %d was answered what nobody asked", mail->user);
}

// Whoever kept his connection has his answer, or knows that there is none.
static void check_asks(Sim *s, int user) {
    const User *u = &s->users[user];
    for (size_t i = 0; i < u->ask_count; i++) {
        const Ask *ask = &u->asks[i];
        const Node *node = &s->nodes[ask->gateway];
        const bool there = node->live != NULL && node->run == ask->run &&
                           (ask->connection == 0 || s->connections[ask->connection].open);
        if (!ask->answered && there && s->now_ms - ask->sent_ms > sim_scaled(s, 2 * PATIENCE_MS))
            sim_fail(s, "user %d: a command of %.1f s ago has no answer", user,
                     (double)(s->now_ms - ask->sent_ms) / 1000);
    }
}

// ---- the end ------------------------------------------------------------------------------------

static void check_decoded(Sim *s, const Entity *entity) {
    const size_t size = live_game_decode_size(entity->count);
    JdArena arena = jd_arena(sim_take(s, size), size);
    LiveGameView view;
    JdErr err = { 0 };
    if (!live_game_decode(entity->log, entity->count, (JdInstant) { s->now_ms }, &arena, &view,
                          &err))
        sim_fail(s, "%s", err.text);
    SIM_CHECK(s, view.digest == laws_game_digest(&entity->fold->laws));
    SIM_CHECK(s, view.row.plies >= entity->told_plies && entity->count >= entity->told);
}

// Every shard is served by one node, every game stands in its owner's memory or sleeps.
static void check_ownership(Sim *s) {
    for (int i = 0; i < SIM_SHARDS; i++) {
        int owners = 0;
        for (int k = 0; k < s->nodes_count; k++)
            owners += s->nodes[k].live != NULL && (s->nodes[k].owned >> i & 1);
        if (owners != 1)
            sim_fail(s, "shard %d has %d owners although everything works", i, owners);
    }
    for (int k = 0; k < s->nodes_count; k++) {
        Node *node = &s->nodes[k];
        if (!node->is_flying && node->open.fx.count == 0)
            judge_in_memory(s, node, node->owned);
    }
}

// Nobody plays any more: what has a clock has ended, by its deadline and in time.
static void check_rest(Sim *s, const Entity *entity) {
    if (entity->over)
        return;
    JdInstant due;
    const LawsGame *laws = &entity->fold->laws;
    if (laws->state == LAWS_RUNNING && laws_deadline(laws, &due) &&
        due.ms < s->now_ms - sim_scaled(s, 5000) && entity->held_from_ms[0] == 0 &&
        entity->held_from_ms[1] == 0)
        sim_fail(s, "game %s: the flag fell %.1f s ago and nobody has seen it", entity->id.text,
                 (double)(s->now_ms - due.ms) / 1000);
    if (!entity->slow)
        sim_fail(s, "game %s does not end", entity->id.text);
}

void judge_end(Sim *s) {
    check_ownership(s);
    for (int i = 0; i < SIM_USERS && !s->quiet; i++)
        check_asks(s, i);
    for (size_t i = 0; i < s->db.entity_count; i++) {
        const Entity *entity = &s->db.entities[i];
        if (entity->count < entity->told)
            sim_fail(s, "%s: entry %u was told and is lost", entity->id.text, entity->told);
        if (entity->game.text[0] != '\0') {
            const Entity *game = db_find(s, &entity->game);
            SIM_CHECK(s, game != NULL && game->count > 0); // it became that game
        }
        if (entity->is_game && entity->count > 0) {
            check_decoded(s, entity);
            if (s->quiet)
                check_rest(s, entity);
        }
    }
}
