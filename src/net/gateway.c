// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a message of a client goes, and what comes from the bus.
#include "net/gateway.h"

#include <stdlib.h>
#include <string.h>

#include "net/errors.h"
#include "net/gateway_inner.h"
#include "net/json_in.h"
#include "net/log.h"

#define TICK_MS 50
// How often a message may find that its subject has moved.
#define TRIES_MAX 60
#define LATER_MS 50

// ---- sending ----------------------------------------------------------------------------------

void gateway_send(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    far_flush(gateway);
    if (!gateway->open)
        return;
    NetBuf *out = net_buf_new();
    if (out != NULL)
        net_envelope_write(out, envelope);
    if (out == NULL || out->failed)
        net_log(NET_LOG_ERROR, "no memory for a message to node %s",
                net_bus_name(net_cluster_bus(gateway->cluster), peer));
    else
        (void)net_bus_send(net_cluster_bus(gateway->cluster), peer,
                           net_buf_str(out)); // no link: on_down has been told
    net_buf_drop(out);
}

void gateway_all(NetGateway *gateway, const NetEnvelope *envelope) {
    int peers[NET_BUS_PEERS_MAX];
    const int count = net_cluster_reached(gateway->cluster, peers);
    for (int i = 0; i < count; i++)
        gateway_send(gateway, peers[i], envelope);
}

// ---- sockets of clients here ------------------------------------------------------------------

void gateway_connect(NetGateway *gateway, NetSocket *socket, int peer) {
    NetAway *away = socket->away;
    if ((away->connected & SOURCE_BIT(peer)) != 0)
        return;
    NetBuf *list = net_buf_new();
    if (list == NULL)
        return;
    for (size_t i = 0; i < away->ignored_count; i++)
        net_envelope_add(list, (uint64_t)away->ignored[i]);
    NetEnvelope envelope = { .kind = NET_ENV_CONNECT, .number = socket->id };
    if (list->size > 0)
        envelope.list = net_buf_str(list);
    if (socket->me != NULL) {
        envelope.flags = NET_ENV_HAS_ME;
        envelope.me = *socket->me;
    }
    away->connected |= SOURCE_BIT(peer);
    gateway_send(gateway, peer, &envelope);
    net_buf_drop(list);
}

void net_gateway_joined(NetGateway *gateway, NetSocket *socket, const int64_t *ignored,
                        size_t count) {
    if (socket->far != NULL || socket->away != NULL)
        return;
    NetAway *away = calloc(1, sizeof(*away));
    if (away == NULL) {
        net_socket_close(socket, 1013);
        return;
    }
    socket->away = away;
    away->me_seq = (uint64_t)net_now(gateway->server).ms;
    if (count > 0 && (away->ignored = calloc(count, sizeof(int64_t))) != NULL) {
        memcpy(away->ignored, ignored, count * sizeof(int64_t));
        away->ignored_count = count;
    }
    // Who is logged in is known everywhere: whether he is there is asked of every owner. A guest
    // only where he deals with something.
    int peers[NET_BUS_PEERS_MAX];
    const int reached = socket->me == NULL ? 0 : net_cluster_reached(gateway->cluster, peers);
    for (int i = 0; i < reached; i++)
        gateway_connect(gateway, socket, peers[i]);
}

void net_gateway_left(NetGateway *gateway, NetSocket *socket) {
    NetAway *away = socket->away;
    if (away == NULL)
        return;
    merge_end_me(gateway, socket);
    const NetEnvelope envelope = { .kind = NET_ENV_LEAVE, .number = socket->id };
    for (int peer = 0; peer < NET_BUS_PEERS_MAX; peer++)
        if ((away->connected & SOURCE_BIT(peer)) != 0)
            gateway_send(gateway, peer, &envelope);
    free(away->ignored);
    free(away);
    socket->away = NULL;
}

void net_gateway_followed(NetGateway *gateway, NetSocket *socket, const LiveChannel *channel) {
    if (channel->kind != LIVE_CHANNEL_GAME)
        return;
    if (socket->far != NULL) {
        const NetEnvelope envelope = { .kind = NET_ENV_FOLLOW,
                                       .number = socket->far->number,
                                       .id = channel->game };
        gateway_send(gateway, socket->far->peer, &envelope);
        return;
    }
    NetAway *away = socket->away;
    if (away == NULL)
        return;
    for (int i = 0; i < away->game_count; i++) {
        if (live_id_equal(&away->games[i].id, &channel->game)) {
            away->games[i].peer = NET_OWNER_SELF;
            return;
        }
    }
    if (away->game_count < LIVE_CHANNELS_PER_CONNECTION)
        away->games[away->game_count++] = (NetGame) { channel->game, NET_OWNER_SELF };
}

static void on_follow(NetSocket *socket, int peer, const NetEnvelope *envelope) {
    const LiveChannel channel = { .kind = LIVE_CHANNEL_GAME, .game = envelope->id };
    net_gateway_followed(socket->server->gateway, socket, &channel);
    for (int i = 0; i < socket->away->game_count; i++)
        if (live_id_equal(&socket->away->games[i].id, &envelope->id))
            socket->away->games[i].peer = peer;
}

static void forget_game(NetAway *away, const LiveId *id) {
    for (int i = 0; i < away->game_count; i++)
        if (live_id_equal(&away->games[i].id, id))
            away->games[i--] = away->games[--away->game_count];
}

// ---- where a message goes ---------------------------------------------------------------------

// The entity a command is about; false: it is made, or answered, where the client is.
static bool subject(const LiveCommand *command, LiveId *out) {
    switch (command->kind) {
    case LIVE_SUBSCRIBE:
    case LIVE_UNSUBSCRIBE:
        *out = command->channel.game;
        return command->channel.kind == LIVE_CHANNEL_GAME;
    case LIVE_CHALLENGE: // a rematch: where the other's request for it would be
        *out = command->rematch;
        return command->rematch.text[0] != '\0';
    default:
        *out = command->id;
        return live_changes_entity(command->kind);
    }
}

// A message on its way: of a client here, of one elsewhere, or of the gateway itself.
struct NetSaying {
    NetSaying *next;
    int64_t at_ms;
    NetGateway *gateway;
    uint64_t socket;
    uint8_t flags;
    uint16_t tries;
    uint32_t delay_ms;
    size_t size;
    char text[];
};

static void on_owner(void *context, bool ok);

static NetSaying *new_saying(NetGateway *gateway, const NetSocket *socket, JdStr text,
                             uint8_t flags, uint16_t tries, uint32_t delay_ms) {
    NetSaying *saying = malloc(sizeof(*saying) + text.size);
    if (saying == NULL)
        return NULL;
    *saying = (NetSaying) { .gateway = gateway,
                            .socket = socket->id,
                            .flags = flags,
                            .tries = tries,
                            .delay_ms = delay_ms,
                            .size = text.size };
    memcpy(saying->text, text.data, text.size);
    return saying;
}

static bool wait_for_owner(NetGateway *gateway, NetSocket *socket, const LiveId *id, JdStr text,
                           uint8_t flags, uint16_t tries, uint32_t delay_ms) {
    NetSaying *saying = new_saying(gateway, socket, text, flags, tries, delay_ms);
    if (saying == NULL)
        return false;
    if (net_cluster_wait(gateway->cluster, id, on_owner, saying))
        return true;
    free(saying);
    return false;
}

static void refuse(NetSocket *socket, const NetMessage *message, uint8_t flags) {
    if ((flags & NET_ENV_SILENT) == 0)
        net_socket_refuse(socket, message, "unavailable",
                          "the game is between two servers; try again");
}

// False: the message is for live here.
static bool dispatch(NetGateway *gateway, NetSocket *socket, const NetMessage *message, JdStr text,
                     uint8_t flags, uint16_t tries, uint32_t delay_ms) {
    LiveId id;
    if (message->kind != NET_MESSAGE_COMMAND || !subject(&message->command, &id))
        return false;
    const int owner = net_cluster_owner(gateway->cluster, &id);
    if (owner == NET_OWNER_SELF)
        return false;
    if (tries > TRIES_MAX ||
        (owner == NET_OWNER_NOBODY &&
         !wait_for_owner(gateway, socket, &id, text, flags, (uint16_t)(tries + 1), delay_ms))) {
        refuse(socket, message, flags);
        return true;
    }
    if (owner == NET_OWNER_NOBODY)
        return true;
    NetEnvelope envelope = { .kind = NET_ENV_SAY,
                             .number = socket->id,
                             .flags = flags,
                             .count = delay_ms,
                             .code = tries,
                             .text = text };
    if (socket->far != NULL) { // it has moved on: its gateway tries again
        envelope.kind = NET_ENV_BOUNCE;
        envelope.number = socket->far->number;
        envelope.code++;
        gateway_send(gateway, socket->far->peer, &envelope);
        return true;
    }
    gateway_connect(gateway, socket, owner);
    if ((flags & NET_ENV_SILENT) == 0)
        socket->away->unanswered[owner]++;
    gateway_send(gateway, owner, &envelope);
    return true;
}

// Reads a message (which its gateway has found to be one) and carries it out, or carries it on.
static void say(NetGateway *gateway, NetSocket *socket, JdStr text, uint8_t flags, uint16_t tries,
                uint32_t delay_ms) {
    NetError err = { 0 };
    NetMessage message = { .has_id = false };
    json_t *object = net_json_parse(text, &err);
    if (socket->far == NULL && socket->away == NULL) {
        json_decref(object);
        return; // it is going
    }
    if (object != NULL && net_message_read(object, &message, &err) &&
        message.kind == NET_MESSAGE_COMMAND &&
        !dispatch(gateway, socket, &message, text, flags, tries, delay_ms)) {
        if (socket->far != NULL)
            socket->far->delay_ms = delay_ms;
        message.is_silent = (flags & NET_ENV_SILENT) != 0;
        net_socket_command(socket, object, &message);
    }
    json_decref(object);
}

static void on_owner(void *context, bool ok) {
    NetSaying *saying = context;
    NetGateway *gateway = saying->gateway;
    NetSocket *socket = net_hub_find(&gateway->server->hub, saying->socket);
    const JdStr text = jd_str_n(saying->text, saying->size);
    if (socket != NULL && !socket->closing && ok) {
        say(gateway, socket, text, saying->flags, saying->tries, saying->delay_ms);
    } else if (socket != NULL && !socket->closing) {
        NetError err = { 0 };
        NetMessage message = { .has_id = false };
        json_t *object = net_json_parse(text, &err);
        if (object != NULL && net_message_read(object, &message, &err))
            refuse(socket, &message, saying->flags);
        json_decref(object);
    }
    free(saying);
}

void gateway_say(NetGateway *gateway, NetSocket *socket, int peer, const char *text) {
    if (peer == HERE) {
        say(gateway, socket, jd_str(text), NET_ENV_SILENT, 0, 0);
        return;
    }
    const NetEnvelope envelope = {
        .kind = NET_ENV_SAY, .number = socket->id, .flags = NET_ENV_SILENT, .text = jd_str(text)
    };
    gateway_connect(gateway, socket, peer);
    gateway_send(gateway, peer, &envelope);
}

static bool has_room(const NetAway *away, const LiveId *id) {
    for (int i = 0; i < away->game_count; i++)
        if (live_id_equal(&away->games[i].id, id))
            return true;
    return away->game_count < LIVE_CHANNELS_PER_CONNECTION;
}

bool net_gateway_take(NetGateway *gateway, NetSocket *socket, NetMessage *message, JdStr text) {
    LiveCommand *command = &message->command;
    NetAway *away = socket->away;
    if (away == NULL)
        return false;
    if (command->kind == LIVE_SUBSCRIBE && command->channel.kind == LIVE_CHANNEL_GAME &&
        !has_room(away, &command->channel.game)) {
        net_socket_refuse(socket, message, "bad_request", "at most 20 channels at once");
        return true;
    }
    if (command->channel.kind == LIVE_CHANNEL_ME && socket->me != NULL) {
        if (command->kind == LIVE_SUBSCRIBE)
            merge_begin_me(gateway, socket, false);
        else if (command->kind == LIVE_UNSUBSCRIBE)
            merge_end_me(gateway, socket);
    }
    if (command->kind == LIVE_SUBSCRIBE && command->channel.kind != LIVE_CHANNEL_GAME)
        command->has_since = false; // the numbers are ours: always the full state
    if (command->kind == LIVE_UNSUBSCRIBE && command->channel.kind == LIVE_CHANNEL_GAME)
        forget_game(away, &command->channel.game);
    return dispatch(gateway, socket, message, text, 0, 0, net_socket_delay(socket));
}

// ---- from the bus -----------------------------------------------------------------------------

static void on_say(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    NetSocket *socket = far_find(gateway, peer, envelope->number);
    if (socket != NULL && !socket->closing)
        say(gateway, socket, envelope->text, envelope->flags, envelope->code, envelope->count);
}

static void on_bounce(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    NetSocket *socket = net_hub_find(&gateway->server->hub, envelope->number);
    if (socket == NULL || socket->away == NULL || socket->closing)
        return;
    if ((envelope->flags & NET_ENV_SILENT) == 0 && socket->away->unanswered[peer] > 0)
        socket->away->unanswered[peer]--;
    // That node knows more of the owner than is known here yet.
    NetSaying *saying = new_saying(gateway, socket, envelope->text, envelope->flags, envelope->code,
                                   envelope->count);
    if (saying == NULL)
        return;
    saying->at_ms = net_now(gateway->server).ms + LATER_MS;
    NetSaying **last = &gateway->later;
    while (*last != NULL)
        last = &(*last)->next;
    *last = saying;
    gateway_tick(gateway);
}

static void say_later(NetGateway *gateway, int64_t now_ms) {
    while (gateway->later != NULL && gateway->later->at_ms <= now_ms) {
        NetSaying *saying = gateway->later;
        gateway->later = saying->next;
        on_owner(saying, true);
    }
}

static void on_frame(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    const NetMark mark = (NetMark)envelope->mark;
    const size_t count = net_envelope_count(envelope);
    if (count == 1 && net_envelope_item(envelope, 0) == NODE_SOCKET) {
        merge_lobby(gateway, peer, envelope->text, mark);
        return;
    }
    NetBuf *buf = net_buf_new();
    if (buf != NULL)
        net_buf_add(buf, envelope->text.data, envelope->text.size);
    for (size_t i = 0; buf != NULL && !buf->failed && i < count; i++) {
        NetSocket *socket = net_hub_find(&gateway->server->hub, net_envelope_item(envelope, i));
        if (socket == NULL || socket->away == NULL)
            continue; // gone meanwhile
        if (mark == NET_MARK_ANSWER && socket->away->unanswered[peer] > 0)
            socket->away->unanswered[peer]--;
        merge_pass(gateway, socket, peer, buf, mark, envelope->count);
    }
    net_buf_drop(buf);
}

static void on_message(void *context, int peer, JdStr bytes) {
    NetGateway *gateway = context;
    NetEnvelope envelope;
    NetSocket *socket = NULL;
    if (!net_envelope_read(bytes, &envelope)) {
        net_log(NET_LOG_WARN, "node %s says what this version does not know (%d)",
                net_bus_name(net_cluster_bus(gateway->cluster), peer),
                bytes.size > 0 ? bytes.data[0] : 0);
        return;
    }
    switch ((NetEnvelopeKind)envelope.kind) {
    case NET_ENV_CONNECT:
        far_connect(gateway, peer, &envelope);
        return;
    case NET_ENV_LEAVE:
        far_leave(gateway, peer, &envelope);
        return;
    case NET_ENV_SAY:
        on_say(gateway, peer, &envelope);
        return;
    case NET_ENV_REQUEST:
        http_request(gateway, peer, &envelope);
        return;
    case NET_ENV_FRAME:
        on_frame(gateway, peer, &envelope);
        return;
    case NET_ENV_FOLLOW:
    case NET_ENV_CLOSE:
        socket = net_hub_find(&gateway->server->hub, envelope.number);
        if (socket == NULL || socket->away == NULL)
            return;
        if (envelope.kind == NET_ENV_FOLLOW)
            on_follow(socket, peer, &envelope);
        else
            net_socket_close(socket, envelope.code);
        return;
    case NET_ENV_BOUNCE:
        on_bounce(gateway, peer, &envelope);
        return;
    case NET_ENV_REPLY:
        http_reply(gateway, peer, &envelope);
        return;
    case NET_ENV_RENAMED:
    case NET_ENV_LEAVES:
    case NET_ENV_PROFILE:
    case NET_ENV_SESSIONS:
    case NET_ENV_ME:
    case NET_ENV_NOTICE:
    case NET_ENV_VACATION:
    case NET_ENV_RATED:
    case NET_ENV_MAY:
    case NET_ENV_ANSWER:
        (void)facts_take(gateway, peer, &envelope);
        return;
    }
}

// ---- the whole of it --------------------------------------------------------------------------

static void on_tick(uv_timer_t *timer) {
    NetGateway *gateway = timer->data;
    const int64_t now_ms = net_now(gateway->server).ms;
    say_later(gateway, now_ms);
    merge_tick(gateway, now_ms);
    http_tick(gateway, now_ms);
    facts_tick(gateway, now_ms);
    if (gateway->gathers == NULL && gateway->pending == NULL && gateway->mays == NULL &&
        gateway->later == NULL)
        uv_timer_stop(timer);
}

void gateway_tick(NetGateway *gateway) {
    if (gateway->open && !uv_is_active((const uv_handle_t *)&gateway->tick))
        uv_timer_start(&gateway->tick, on_tick, TICK_MS, TICK_MS);
}

bool net_gateway_open(NetServer *server, NetGateway **out, JdErr *err) {
    *out = NULL;
    if (server->cluster == NULL)
        return true;
    NetGateway *gateway = calloc(1, sizeof(*gateway));
    if (gateway == NULL || !far_open(gateway)) {
        free(gateway);
        return jd_fail(err, 1, 0, "no memory to start");
    }
    gateway->server = server;
    gateway->cluster = server->cluster;
    gateway->lobby_seq = (uint64_t)net_now(server).ms;
    uv_timer_init(&server->loop, &gateway->tick);
    uv_timer_init(&server->loop, &gateway->refresh);
    uv_timer_init(&server->loop, &gateway->reaper);
    gateway->tick.data = gateway;
    gateway->refresh.data = gateway;
    gateway->reaper.data = gateway;
    gateway->open = true;
    const NetClusterEars ears = { .context = gateway,
                                  .on_up = links_up,
                                  .on_down = links_down,
                                  .on_message = on_message,
                                  .on_owners = links_owners };
    *out = gateway;
    net_cluster_listen(server->cluster, &ears);
    return true;
}

void net_gateway_close(NetGateway *gateway) {
    if (gateway == NULL)
        return;
    gateway->open = false;
    const NetClusterEars none = { .context = NULL };
    net_cluster_listen(gateway->cluster, &none);
    http_close(gateway);
    facts_close(gateway);
    while (gateway->later != NULL) {
        NetSaying *saying = gateway->later;
        gateway->later = saying->next;
        free(saying);
    }
    merge_close(gateway);
    uv_close((uv_handle_t *)&gateway->tick, NULL);
    uv_close((uv_handle_t *)&gateway->refresh, NULL);
    uv_close((uv_handle_t *)&gateway->reaper, NULL);
}

void net_gateway_free(NetGateway *gateway) {
    if (gateway == NULL)
        return;
    http_close(gateway); // what workers have finished since
    far_close(gateway);
    free(gateway);
}
