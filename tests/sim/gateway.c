// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bus between the nodes, which may lose, double and reorder, and the gateways at which clients
// are. What is lost is seen by the numbers: then who may have missed something comes anew.
#include "sim.h"

// ---- the bus ------------------------------------------------------------------------------------

void bus_send(Sim *s, Node *from, int to, BusMessage message) {
    if (to == from->index || from->live == NULL)
        return;
    message.from = from->index;
    message.run = from->run;
    message.number = message.kind == BUS_BEAT ? from->sent[to] : ++from->sent[to];
    const bool bad = s->bad_bus_until_ms > s->now_ms;
    if (s->bus_down_until_ms > s->now_ms || from->mute_until_ms[to] > s->now_ms ||
        (bad && sim_chance(&s->net_random, 80))) {
        s->count.lost++;
        return;
    }
    BusMessage *copy = sim_take(s, sizeof(*copy));
    *copy = message;
    const int copies = bad && sim_chance(&s->net_random, 80) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
        const int64_t delay_ms = bad ? sim_between(&s->net_random, 0, 200) : 2;
        sim_at(s, s->now_ms + delay_ms, (Event) { .kind = EVENT_BUS, .a = to, .message = copy });
    }
}

void bus_all(Sim *s, Node *from, BusMessage message) {
    for (int i = 0; i < s->nodes_count; i++)
        bus_send(s, from, i, message);
}

// ---- clients of a gateway -----------------------------------------------------------------------

static bool is_client_of(const Sim *s, uint64_t number, const Node *node) {
    const Connection *connection = &s->connections[number];
    return connection->open && connection->gateway == node->index && connection->run == node->run;
}

static bool follows_in(const Connection *connection, unsigned shards) {
    for (size_t i = 0; i < connection->follow_count; i++)
        if (shards >> sim_shard(&connection->follows[i]) & 1)
            return true;
    return false;
}

static unsigned shards_of(const Sim *s, const Node *node, int peer) {
    unsigned shards = 0;
    for (int i = 0; i < SIM_SHARDS; i++)
        shards |= (unsigned)(node->view[i] == peer) << i;
    (void)s;
    return shards;
}

static void forget_pending(Sim *s, uint64_t connection) {
    for (size_t i = 0; i < s->pending_count;)
        if (s->pending[i].connection == connection)
            s->pending[i] = s->pending[--s->pending_count];
        else
            i++;
}

static void gone(Sim *s, uint64_t number, int64_t client_hears_ms) {
    Connection *connection = &s->connections[number];
    Node *node = &s->nodes[connection->gateway];
    if (!connection->open)
        return;
    connection->open = false;
    s->count.closed++;
    forget_pending(s, number);
    sim_at(s, s->now_ms + client_hears_ms,
           (Event) { .kind = EVENT_CLOSED, .a = connection->user, .n = number });
    if (node->live == NULL || node->run != connection->run)
        return;
    bus_all(s, node, (BusMessage) { .kind = BUS_GONE, .connection = number });
    node_tell(s, node, LIVE_DISCONNECT, number, 0);
}

void gateway_gone(Sim *s, uint64_t connection) {
    gone(s, connection, 1);
}

void gateway_close(Sim *s, uint64_t connection) {
    gone(s, connection, sim_between(&s->net_random, 1, 80));
}

void gateway_dial(Sim *s, int user) {
    const int first = (int)sim_between(&s->net_random, 0, s->nodes_count - 1);
    for (int i = 0; i < s->nodes_count; i++) {
        Node *node = &s->nodes[(first + i) % s->nodes_count];
        if (node->live == NULL || node->frozen_until_ms > s->now_ms || node->stopping)
            continue;
        SIM_CHECK(s, s->connection_count + 1 < SIM_CONNECTIONS);
        const uint64_t number = ++s->connection_count;
        s->connections[number] = (Connection) { .user = user,
                                                .gateway = node->index,
                                                .run = node->run,
                                                .open = true,
                                                .last_delivery_ms = s->now_ms };
        s->users[user].connection = number;
        const LiveAccount account = s->users[user].account;
        bus_all(s, node,
                (BusMessage) { .kind = BUS_CONNECT, .connection = number, .account = account });
        node_tell(s, node, LIVE_CONNECT, number, account);
        return;
    }
}

void gateway_died(Sim *s, Node *node) {
    for (uint64_t c = 1; c <= s->connection_count; c++) {
        Connection *connection = &s->connections[c];
        if (!connection->open || connection->gateway != node->index)
            continue;
        connection->open = false;
        forget_pending(s, c);
        sim_at(s, s->now_ms + sim_between(&s->net_random, 1, 80),
               (Event) { .kind = EVENT_CLOSED, .a = connection->user, .n = c });
    }
    for (size_t i = 0; i < s->pending_count;)
        if (s->pending[i].gateway == node->index)
            s->pending[i] = s->pending[--s->pending_count];
        else
            i++;
}

// Who follows a game of these shards comes anew, and asks its owner.
static void close_followers(Sim *s, Node *node, unsigned shards) {
    for (uint64_t c = 1; c <= s->connection_count; c++)
        if (is_client_of(s, c, node) && follows_in(&s->connections[c], shards))
            gateway_close(s, c);
}

void gateway_owners(Sim *s, Node *node, unsigned shards) {
    close_followers(s, node, shards);
}

// ---- mail ---------------------------------------------------------------------------------------

static void deliver(Sim *s, Mail *mail) {
    int64_t at_ms =
        s->now_ms + sim_between(&s->net_random, 3, sim_chance(&s->net_random, 30) ? 500 : 40);
    if (mail->connection != 0) {
        Connection *connection = &s->connections[mail->connection];
        if (!connection->open)
            return;
        if (at_ms < connection->last_delivery_ms)
            at_ms = connection->last_delivery_ms;
        connection->last_delivery_ms = at_ms;
    }
    sim_at(s, at_ms, (Event) { .kind = EVENT_MAIL, .mail = mail });
}

static bool no_longer_pending(Sim *s, uint64_t token) {
    for (size_t i = 0; i < s->pending_count; i++)
        if (s->pending[i].token == token) {
            s->pending[i] = s->pending[--s->pending_count];
            return true;
        }
    return false;
}

static Ask *ask_of(const Sim *s, int user, uint64_t token) {
    const User *asker = &s->users[user];
    for (size_t i = asker->ask_count; i-- > 0;)
        if (asker->asks[i].token == token)
            return &asker->asks[i];
    return NULL;
}

void gateway_mail(Sim *s, Node *owner, Mail *mail) {
    const Ask *ask = mail->is_answer ? ask_of(s, mail->user, mail->token) : NULL;
    const int gateway = ask != NULL ? ask->gateway : s->connections[mail->connection].gateway;
    if (gateway == owner->index)
        deliver(s, mail);
    else
        bus_send(s, owner, gateway, (BusMessage) { .kind = BUS_MAIL, .mail = mail });
}

void client_mail(Sim *s, Mail *mail) {
    const User *user = &s->users[mail->user];
    sim_trace(s, "user %d by %llu: %s %d of %s, number %llu", mail->user,
              (unsigned long long)mail->connection, mail->is_answer ? "answer" : "message",
              mail->kind, mail->id.text, (unsigned long long)mail->seq);
    if (mail->connection != 0 && mail->connection != user->connection)
        return; // of an old connection
    if (mail->is_answer)
        judge_answered(s, mail);
    user_mail(s, mail);
}

static void refuse(Sim *s, const SimCommand *command) {
    Mail *mail = sim_take(s, sizeof(*mail));
    mail->is_answer = true;
    mail->connection = command->command.origin.connection;
    mail->token = command->command.origin.token;
    mail->user = command->user;
    mail->kind = LIVE_ANSWER_ERROR;
    mail->code = "unavailable";
    s->count.unavailable++;
    deliver(s, mail);
}

// ---- commands of clients ------------------------------------------------------------------------

static void note_following(Sim *s, const LiveCommand *command) {
    Connection *connection = &s->connections[command->origin.connection];
    const LiveId *game = &command->channel.game;
    size_t at = 0;
    while (at < connection->follow_count && !live_id_equal(&connection->follows[at], game))
        at++;
    if (command->kind == LIVE_UNSUBSCRIBE && at < connection->follow_count)
        connection->follows[at] = connection->follows[--connection->follow_count];
    if (command->kind == LIVE_SUBSCRIBE && at == connection->follow_count &&
        at < JD_COUNT(connection->follows))
        connection->follows[connection->follow_count++] = *game;
}

#define HERE (-1)
#define NOWHERE (-2)

static int owner_of(const Sim *s, const Node *node, const LiveCommand *command) {
    if (command->kind == LIVE_CHALLENGE || command->kind == LIVE_VACATION)
        return node->owned != 0 ? HERE : NOWHERE;
    const LiveId *id = command->kind == LIVE_SUBSCRIBE || command->kind == LIVE_UNSUBSCRIBE
                           ? &command->channel.game
                           : &command->id;
    const int shard = sim_shard(id);
    if (node->owned >> shard & 1)
        return HERE;
    const int owner = node->view[shard];
    if (owner < 0 || owner == node->index || node->lost[owner] ||
        s->now_ms - node->heard_ms[owner] > sim_scaled(s, SILENCE_MS))
        return NOWHERE;
    return owner;
}

void gateway_command(Sim *s, SimCommand *command) {
    Node *node = &s->nodes[command->gateway];
    const LiveCommand *c = &command->command;
    if (node->live == NULL || node->run != command->gateway_run)
        return;
    if (c->origin.connection != 0 && !s->connections[c->origin.connection].open)
        return;
    if (node->frozen_until_ms > s->now_ms) {
        sim_at(s, node->frozen_until_ms, (Event) { .kind = EVENT_RETRY, .command = command });
        return;
    }
    Connection *connection = &s->connections[c->origin.connection];
    if (command->arrived_ms == 0) {
        command->arrived_ms = s->now_ms;
        command->place = connection->arrived++;
    }
    const int owner = owner_of(s, node, c);
    const bool waits = c->origin.connection != 0 && command->place != connection->done;
    if (owner == NOWHERE && !waits && s->now_ms - command->arrived_ms >= PATIENCE_MS) {
        connection->done++;
        refuse(s, command);
        return;
    }
    if (owner == NOWHERE || waits) { // those of one connection stay in their order
        sim_at(s, s->now_ms + (waits ? 5 : 100),
               (Event) { .kind = EVENT_RETRY, .command = command });
        return;
    }
    connection->done++;
    if (c->kind == LIVE_SUBSCRIBE || c->kind == LIVE_UNSUBSCRIBE)
        note_following(s, c);
    sim_trace(s, "user %d asks node %d for %d of %s by %llu, owner %d", command->user, node->index,
              c->kind, c->id.text[0] != '\0' ? c->id.text : c->channel.game.text,
              (unsigned long long)c->origin.connection, owner);
    if (owner == HERE) {
        node_command(s, node, command);
        return;
    }
    s->pending = sim_grow(s->pending, s->pending_count, &s->pending_capacity, sizeof(*s->pending));
    s->pending[s->pending_count++] = (Pending) { .token = c->origin.token,
                                                 .gateway = node->index,
                                                 .run = node->run,
                                                 .peer = owner,
                                                 .connection = c->origin.connection,
                                                 .user = command->user,
                                                 .sent_ms = s->now_ms };
    SimCommand *copy = sim_take(s, sizeof(*copy));
    *copy = *command;
    bus_send(s, node, owner, (BusMessage) { .kind = BUS_COMMAND, .command = copy });
}

// ---- what is lost -------------------------------------------------------------------------------

// Something of the peer did not come: its clients' connections here are dropped, it will name them
// anew; clients here that follow a game of it may have missed something and come anew.
static void lost_peer(Sim *s, Node *node, int peer) {
    s->count.gaps++;
    sim_trace(s, "node %d has lost something of node %d", node->index, peer);
    node->lost[peer] = true;
    for (uint64_t c = 1; c <= s->connection_count; c++)
        if (s->connections[c].gateway == peer &&
            (node->here[c] || node->held_count > 0)) // those that wait to be told, too
            node_tell(s, node, LIVE_DISCONNECT, c, 0);
    close_followers(s, node, shards_of(s, node, peer));
    for (size_t i = 0; db_reached(s, node) && i < s->db.vacation_count; i++)
        node_vacation(s, node, &s->db.vacations[i]);
}

static void name_all(Sim *s, Node *node, int peer) {
    close_followers(s, node, shards_of(s, node, peer));
    for (uint64_t c = 1; c <= s->connection_count; c++)
        if (is_client_of(s, c, node))
            bus_send(s, node, peer,
                     (BusMessage) { .kind = BUS_CONNECT,
                                    .connection = c,
                                    .account = s->users[s->connections[c].user].account });
}

// Whether the message is to be looked at.
static bool count(Sim *s, Node *node, const BusMessage *message) {
    const int peer = message->from;
    const bool careless = s->mutant == MUTANT_NO_GAPS;
    node->heard_ms[peer] = s->now_ms;
    if (node->heard_run[peer] != message->run) {
        if (message->run < node->heard_run[peer])
            return false; // of a run that is over
        lost_peer(s, node, peer);
        node->heard_run[peer] = message->run;
        node->heard[peer] = message->number;
        return message->kind != BUS_BEAT;
    }
    if (message->kind == BUS_BEAT) {
        if (message->number > node->heard[peer] && !careless)
            lost_peer(s, node, peer);
        if (message->number > node->heard[peer])
            node->heard[peer] = message->number;
        return false;
    }
    if (message->number <= node->heard[peer])
        return s->mutant == MUTANT_DOUBLE_MESSAGES;
    if (message->number > node->heard[peer] + 1 && !careless)
        lost_peer(s, node, peer);
    node->heard[peer] = message->number;
    return true;
}

static void take_mail(Sim *s, Node *node, Mail *mail) {
    if (mail->is_answer && !no_longer_pending(s, mail->token))
        return; // it was given up
    if (mail->connection != 0 && !is_client_of(s, mail->connection, node))
        return;
    deliver(s, mail);
}

void bus_take(Sim *s, Node *node, BusMessage *message) {
    const int peer = message->from;
    const bool taken = count(s, node, message);
    if (node->lost[peer] && node->live != NULL) {
        node->lost[peer] = false;
        bus_send(s, node, peer, (BusMessage) { .kind = BUS_RESYNC });
    }
    if (!taken || node->live == NULL)
        return;
    switch (message->kind) {
    case BUS_BEAT:
        return;
    case BUS_POKE:
        db_look(s, node);
        return;
    case BUS_CONNECT:
        if (s->connections[message->connection].open)
            node_tell(s, node, LIVE_CONNECT, message->connection, message->account);
        return;
    case BUS_GONE:
        node_tell(s, node, LIVE_DISCONNECT, message->connection, 0);
        return;
    case BUS_COMMAND: {
        SimCommand *copy = sim_take(s, sizeof(*copy));
        *copy = *message->command;
        node_command(s, node, copy);
        return;
    }
    case BUS_MAIL:
        take_mail(s, node, message->mail);
        return;
    case BUS_CLOSE:
        if (is_client_of(s, message->connection, node))
            gateway_close(s, message->connection);
        return;
    case BUS_RESYNC:
        name_all(s, node, peer);
        return;
    case BUS_VACATION:
        node_vacation(s, node, &message->vacation);
        return;
    }
}

static void give_up(Sim *s, Node *node) {
    for (size_t i = 0; i < s->pending_count;) {
        const Pending pending = s->pending[i];
        if (pending.gateway != node->index || s->now_ms - pending.sent_ms < PATIENCE_MS) {
            i++;
            continue;
        }
        s->pending[i] = s->pending[--s->pending_count];
        s->count.timeouts++;
        const SimCommand command = {
            .command.origin = { pending.connection, pending.token },
            .user = pending.user,
        };
        refuse(s, &command);
    }
}

void bus_beat(Sim *s, Node *node) {
    bus_all(s, node, (BusMessage) { .kind = BUS_BEAT });
    if (s->mutant != MUTANT_NO_TIMEOUT)
        give_up(s, node);
    for (int i = 0; i < s->nodes_count && node->live != NULL; i++)
        if (i != node->index && !node->lost[i] && node->heard_run[i] != 0 &&
            s->now_ms - node->heard_ms[i] > sim_scaled(s, SILENCE_MS))
            lost_peer(s, node, i);
}
