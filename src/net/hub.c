// SPDX-License-Identifier: GPL-3.0-or-later
//
// Connections by id, followers by channel.
#include "net/hub.h"

#include <stdlib.h>
#include <string.h>

#include "net/gateway.h"
#include "net/json_live.h"
#include "net/json_out.h"
#include "net/log.h"
#include "net/server.h"

typedef struct Follower {
    NetSocket *socket;
    int place; // among the socket's follows
} Follower;

struct NetChannel {
    NetChannel *chain;
    LiveChannel key;
    Follower *followers;
    size_t count;
    size_t capacity;
    int64_t commit_wait_ms;
    uint32_t told_waiting; // of a player's channel: the games he was last told wait for him
};

#define SLOTS_START 256

bool net_hub_open(NetHub *hub, NetServer *server) {
    *hub = (NetHub) { .server = server, .socket_slots = SLOTS_START, .channel_slots = SLOTS_START };
    hub->sockets = calloc(hub->socket_slots, sizeof(NetSocket *));
    hub->channels = calloc(hub->channel_slots, sizeof(NetChannel *));
    hub->gathered = malloc(LWS_PRE + NET_GATHER_MAX);
    return hub->sockets != NULL && hub->channels != NULL && hub->gathered != NULL;
}

static void on_soon(uv_timer_t *timer) {
    NetServer *server = timer->data;
    net_poll_sweep(&server->hub, net_steady_ms());
}

void net_hub_start(NetHub *hub, uv_loop_t *loop) {
    uv_timer_init(loop, &hub->soon);
    hub->soon.data = hub->server;
    hub->open = true;
}

void net_hub_stop(NetHub *hub) {
    if (hub->open)
        uv_close((uv_handle_t *)&hub->soon, NULL);
    hub->open = false;
}

void net_hub_soon(NetHub *hub) {
    if (hub->open && !uv_is_active((const uv_handle_t *)&hub->soon))
        uv_timer_start(&hub->soon, on_soon, 1, 0);
}

static void free_channel(NetHub *hub, NetChannel *channel);

void net_hub_close(NetHub *hub) {
    for (size_t i = 0; hub->sockets != NULL && i < hub->socket_slots; i++) {
        for (NetSocket *socket = hub->sockets[i], *next = NULL; socket != NULL; socket = next) {
            next = socket->chain;
            net_hub_remove(hub, socket);
        }
    }
    free(hub->sockets);
    free(hub->channels);
    free(hub->gathered);
    net_buf_pool_free(&hub->bufs);
    *hub = (NetHub) { .server = NULL };
}

// ---- sockets ----------------------------------------------------------------------------------

static NetSocket **socket_place(NetHub *hub, uint64_t id) {
    return &hub->sockets[jd_mix(id) % hub->socket_slots];
}

// Twice the slots; when there is no memory the chains grow longer instead.
static void grow_sockets(NetHub *hub) {
    NetSocket **old = hub->sockets;
    const size_t slots = hub->socket_slots;
    NetSocket **wider = calloc(slots * 2, sizeof(NetSocket *));
    if (wider == NULL)
        return;
    hub->sockets = wider;
    hub->socket_slots = slots * 2;
    for (size_t i = 0; i < slots; i++) {
        for (NetSocket *socket = old[i], *next = NULL; socket != NULL; socket = next) {
            next = socket->chain;
            NetSocket **place = socket_place(hub, socket->id);
            socket->chain = *place;
            *place = socket;
        }
    }
    free(old);
}

NetSocket *net_hub_add(NetHub *hub, struct NetConn *conn) {
    NetSocket *socket = calloc(1, sizeof(*socket));
    if (socket == NULL)
        return NULL;
    if (hub->socket_count >= hub->socket_slots)
        grow_sockets(hub);
    socket->server = hub->server;
    socket->conn = conn;
    socket->id = ++hub->next_id;
    NetSocket **place = socket_place(hub, socket->id);
    socket->chain = *place;
    *place = socket;
    hub->socket_count++;
    return socket;
}

NetSocket *net_hub_find(NetHub *hub, uint64_t id) {
    NetSocket *socket = *socket_place(hub, id);
    while (socket != NULL && socket->id != id)
        socket = socket->chain;
    return socket;
}

static void unfollow(NetHub *hub, NetSocket *socket, int which);

void net_hub_remove(NetHub *hub, NetSocket *socket) {
    while (socket->follow_count > 0)
        unfollow(hub, socket, socket->follow_count - 1);
    NetSocket **place = socket_place(hub, socket->id);
    while (*place != socket)
        place = &(*place)->chain;
    *place = socket->chain;
    hub->socket_count--;
    if (socket->away != NULL)
        net_gateway_left(hub->server->gateway, socket);
    if (socket->far != NULL)
        net_far_free(socket);
    if (socket->poll != NULL)
        net_poll_free(socket);
    net_socket_unready(socket);
    for (size_t i = 0; i < socket->queue_count; i++)
        net_buf_drop(socket->queue[(socket->queue_first + i) % socket->queue_capacity]);
    free(socket->queue);
    net_socket_unpark(socket);
    net_buf_drop(socket->partial);
    free(socket->me);
    free(socket);
}

// ---- channels ---------------------------------------------------------------------------------

static NetChannel **channel_place(NetHub *hub, const LiveChannel *key) {
    uint64_t hash = jd_hash(JD_HASH_START ^ hub->server->secret, &key->kind, sizeof(key->kind));
    if (key->kind == LIVE_CHANNEL_ME)
        hash = jd_hash(hash, &key->account, sizeof(key->account));
    if (key->kind == LIVE_CHANNEL_GAME)
        hash = jd_hash(hash, key->game.text, LIVE_ID_CHARS);
    return &hub->channels[jd_mix(hash) % hub->channel_slots];
}

static NetChannel *find_channel(NetHub *hub, const LiveChannel *key) {
    NetChannel *channel = *channel_place(hub, key);
    while (channel != NULL && !live_channel_equal(&channel->key, key))
        channel = channel->chain;
    return channel;
}

static void grow_channels(NetHub *hub) {
    NetChannel **old = hub->channels;
    const size_t slots = hub->channel_slots;
    NetChannel **wider = calloc(slots * 2, sizeof(NetChannel *));
    if (wider == NULL)
        return;
    hub->channels = wider;
    hub->channel_slots = slots * 2;
    for (size_t i = 0; i < slots; i++) {
        for (NetChannel *channel = old[i], *next = NULL; channel != NULL; channel = next) {
            next = channel->chain;
            NetChannel **place = channel_place(hub, &channel->key);
            channel->chain = *place;
            *place = channel;
        }
    }
    free(old);
}

static NetChannel *make_channel(NetHub *hub, const LiveChannel *key) {
    NetChannel *channel = find_channel(hub, key);
    if (channel != NULL)
        return channel;
    channel = calloc(1, sizeof(*channel));
    if (channel == NULL)
        return NULL;
    if (hub->channel_count >= hub->channel_slots)
        grow_channels(hub);
    channel->key = *key;
    NetChannel **place = channel_place(hub, key);
    channel->chain = *place;
    *place = channel;
    hub->channel_count++;
    return channel;
}

static void free_channel(NetHub *hub, NetChannel *channel) {
    NetChannel **place = channel_place(hub, &channel->key);
    while (*place != channel)
        place = &(*place)->chain;
    *place = channel->chain;
    hub->channel_count--;
    free(channel->followers);
    free(channel);
}

static bool follow(NetHub *hub, NetSocket *socket, const LiveChannel *key) {
    for (int i = 0; i < socket->follow_count; i++)
        if (live_channel_equal(&socket->follows[i].channel->key, key))
            return true;
    JD_ASSERT(socket->follow_count < LIVE_CHANNELS_PER_CONNECTION);
    NetChannel *channel = make_channel(hub, key);
    if (channel == NULL)
        return false;
    if (channel->count == channel->capacity) {
        const size_t capacity = channel->capacity == 0 ? 2 : channel->capacity * 2;
        Follower *wider = realloc(channel->followers, capacity * sizeof(*wider));
        if (wider == NULL)
            return false;
        channel->followers = wider;
        channel->capacity = capacity;
    }
    channel->followers[channel->count] = (Follower) { socket, socket->follow_count };
    socket->follows[socket->follow_count++] = (NetFollow) { channel, channel->count };
    channel->count++;
    return true;
}

// Takes the socket's follow out of both arrays; the last of each moves into the gap.
static void unfollow(NetHub *hub, NetSocket *socket, int which) {
    NetChannel *channel = socket->follows[which].channel;
    const size_t place = socket->follows[which].place;
    const Follower moved = channel->followers[--channel->count];
    if (place < channel->count) {
        channel->followers[place] = moved;
        moved.socket->follows[moved.place].place = place;
    }
    const NetFollow last = socket->follows[--socket->follow_count];
    if (which < socket->follow_count) {
        socket->follows[which] = last;
        last.channel->followers[last.place].place = which;
    }
    if (channel->count == 0)
        free_channel(hub, channel);
}

bool net_hub_is_game(const NetFollow *follow) {
    return follow->channel->key.kind == LIVE_CHANNEL_GAME;
}

int64_t net_hub_commit_wait(NetHub *hub, const LiveId *game) {
    const LiveChannel key = { .kind = LIVE_CHANNEL_GAME, .game = *game };
    const NetChannel *channel = find_channel(hub, &key);
    return channel == NULL ? 0 : channel->commit_wait_ms;
}

// ---- effects ----------------------------------------------------------------------------------

// A message for somebody that could not be made or kept: the client must not go on without it.
static void lost(NetSocket *socket) {
    net_log(NET_LOG_ERROR, "no memory for a message: connection %llu is closed",
            (unsigned long long)socket->id);
    net_socket_close(socket, 1011);
}

static NetBuf *encode(NetHub *hub, const LiveMessage *message) {
    NetBuf *buf = net_buf_from(&hub->bufs);
    if (buf == NULL)
        return NULL;
    net_write_message(buf, message);
    if (!buf->failed)
        return buf;
    net_buf_drop(buf);
    return NULL;
}

NetBuf *net_count_message(uint32_t waiting) {
    NetBuf *buf = net_buf_new();
    if (buf == NULL)
        return NULL;
    json_out_open(buf, '{');
    json_out_key_cstr(buf, "t", "count");
    json_out_key(buf, "d");
    json_out_open(buf, '{');
    json_out_key_int(buf, "waiting", waiting);
    json_out_close(buf, '}');
    json_out_close(buf, '}');
    return buf;
}

// After the games of a player comes how many of them wait for him.
static void send_count(NetHub *hub, NetSocket *socket, uint32_t waiting) {
    if (socket->me == NULL)
        return;
    const LiveChannel key = { .kind = LIVE_CHANNEL_ME, .account = socket->me->account };
    NetChannel *channel = find_channel(hub, &key);
    if (channel != NULL)
        channel->told_waiting = waiting;
    if (hub->server->gateway != NULL)
        return; // it went along with the games
    NetBuf *buf = net_count_message(waiting);
    if (buf == NULL || buf->failed)
        lost(socket);
    else
        net_socket_send(socket, buf);
    net_buf_drop(buf);
}

// What a message is to a gateway.
static NetMark mark_of(const LiveMessage *message) {
    switch ((LiveMessageKind)message->kind) {
    case LIVE_MSG_LOBBY:
        return NET_MARK_LOBBY_STATE;
    case LIVE_MSG_LOBBY_ADD:
    case LIVE_MSG_LOBBY_REMOVE:
        return NET_MARK_LOBBY;
    case LIVE_MSG_GAMES:
        return NET_MARK_ME_STATE;
    case LIVE_MSG_STARTED:
    case LIVE_MSG_ROW:
    case LIVE_MSG_CHALLENGE_ADD:
    case LIVE_MSG_CHALLENGE_REMOVE:
    case LIVE_MSG_CORRECTED:
        return NET_MARK_ME;
    case LIVE_MSG_GAME:
    case LIVE_MSG_MOVED:
    case LIVE_MSG_CLOCK:
    case LIVE_MSG_OFFER:
    case LIVE_MSG_END:
    case LIVE_MSG_PRESENCE:
    case LIVE_MSG_SAID:
    case LIVE_MSG_CHAT:
    case LIVE_MSG_TOUCHED:
    case LIVE_MSG_PREMOVE:
    case LIVE_MSG_FALSE_FLAG:
    case LIVE_MSG_RATED:
        return NET_MARK_PLAIN;
    }
    return NET_MARK_PLAIN;
}

static void send_one(NetHub *hub, const LiveEffect *effect) {
    NetSocket *socket = net_hub_find(hub, effect->connection);
    if (socket == NULL)
        return;
    NetBuf *buf = encode(hub, effect->message);
    NetGateway *gateway = hub->server->gateway;
    if (buf == NULL)
        lost(socket);
    else if (gateway == NULL)
        net_socket_send(socket, buf);
    else
        net_gateway_deliver(gateway, socket, buf, mark_of(effect->message),
                            effect->message->waiting);
    net_buf_drop(buf);
    if (effect->message->kind == LIVE_MSG_GAMES)
        send_count(hub, socket, effect->message->waiting);
}

static void tell_followers(NetChannel *channel, NetBuf *buf) {
    for (size_t i = 0; i < channel->count; i++) {
        if (channel->followers[i].socket->far != NULL)
            continue; // a notice: every node tells its own
        if (buf == NULL || buf->failed)
            lost(channel->followers[i].socket);
        else
            net_socket_send(channel->followers[i].socket, buf);
    }
}

// The same among several nodes: followers may be far, and channels have other numbers there.
static void tell_nodes(NetHub *hub, NetChannel *channel, NetBuf *buf, NetMark mark,
                       uint32_t waiting) {
    NetGateway *gateway = hub->server->gateway;
    net_gateway_begin(gateway);
    for (size_t i = 0; i < channel->count; i++) {
        if (mark != NET_MARK_COUNT && (buf == NULL || buf->failed))
            lost(channel->followers[i].socket);
        else
            net_gateway_deliver(gateway, channel->followers[i].socket, buf, mark, waiting);
    }
    net_gateway_end(gateway);
}

void net_hub_pass(NetHub *hub, NetBuf *buf, NetMark mark) {
    const LiveChannel key = { .kind = LIVE_CHANNEL_LOBBY };
    NetChannel *channel = find_channel(hub, &key);
    for (size_t i = 0; channel != NULL && i < channel->count; i++)
        if (channel->followers[i].socket->far == NULL)
            net_gateway_deliver(hub->server->gateway, channel->followers[i].socket, buf, mark, 0);
}

bool net_hub_follows(const NetSocket *socket, LiveChannelKind kind) {
    for (int i = 0; i < socket->follow_count; i++)
        if (socket->follows[i].channel->key.kind == kind)
            return true;
    return false;
}

static void publish(NetHub *hub, const LiveEffect *effect, JdInstant staged) {
    NetChannel *channel = find_channel(hub, &effect->channel);
    if (channel == NULL)
        return;
    channel->commit_wait_ms = jd_since(net_now(hub->server), staged).ms;
    NetBuf *buf = encode(hub, effect->message);
    const bool alone = hub->server->gateway == NULL;
    if (alone)
        tell_followers(channel, buf);
    else
        tell_nodes(hub, channel, buf, mark_of(effect->message), effect->message->waiting);
    net_buf_drop(buf);
    // S-047: how many games wait for him, where a game has changed that.
    if (effect->message->kind != LIVE_MSG_ROW || effect->message->waiting == channel->told_waiting)
        return;
    channel->told_waiting = effect->message->waiting;
    if (!alone) {
        tell_nodes(hub, channel, NULL, NET_MARK_COUNT, effect->message->waiting);
        return;
    }
    buf = net_count_message(channel->told_waiting);
    tell_followers(channel, buf);
    net_buf_drop(buf);
}

void net_hub_notice(NetHub *hub, LiveAccount account, const char *kind, const char *nick,
                    const char *ref, int64_t at_ms) {
    const LiveChannel key = { .kind = LIVE_CHANNEL_ME, .account = account };
    NetChannel *channel = find_channel(hub, &key);
    NetBuf *buf = channel == NULL ? NULL : net_buf_new();
    if (channel == NULL)
        return;
    if (buf != NULL) {
        json_out_open(buf, '{');
        json_out_key_cstr(buf, "t", "notice");
        json_out_key(buf, "d");
        net_write_notice(buf, kind, nick, ref, at_ms);
        json_out_close(buf, '}');
    }
    tell_followers(channel, buf);
    net_buf_drop(buf);
}

void net_hub_deliver(NetHub *hub, const LiveEffect *effect, JdInstant staged) {
    NetSocket *socket = NULL;
    switch ((LiveEffectKind)effect->kind) {
    case LIVE_FX_ANSWER:
        socket = net_hub_find(hub, effect->origin.connection);
        if (socket != NULL)
            net_socket_answer(socket, &effect->origin, effect->answer);
        return;
    case LIVE_FX_SEND:
        send_one(hub, effect);
        return;
    case LIVE_FX_PUBLISH:
        publish(hub, effect, staged);
        return;
    case LIVE_FX_ADD:
        socket = net_hub_find(hub, effect->connection);
        if (socket != NULL && !follow(hub, socket, &effect->channel))
            lost(socket);
        else if (socket != NULL && hub->server->gateway != NULL)
            net_gateway_followed(hub->server->gateway, socket, &effect->channel);
        return;
    case LIVE_FX_REMOVE:
        socket = net_hub_find(hub, effect->connection);
        for (int i = 0; socket != NULL && i < socket->follow_count; i++) {
            if (live_channel_equal(&socket->follows[i].channel->key, &effect->channel)) {
                unfollow(hub, socket, i);
                return;
            }
        }
        return;
    case LIVE_FX_CLOSE:
        socket = net_hub_find(hub, effect->connection);
        if (socket == NULL)
            return;
        while (socket->follow_count > 0)
            unfollow(hub, socket, socket->follow_count - 1);
        net_socket_close(socket, effect->close_code);
        return;
    case LIVE_FX_DECIDE: // the server's business
    case LIVE_FX_THINK:  // for the engines
    case LIVE_FX_INVITED:
    case LIVE_FX_LOG:
    case LIVE_FX_GAME_ROW:
    case LIVE_FX_GAME_FOLD:
    case LIVE_FX_CHALLENGE_CLOSED:
    case LIVE_FX_CHAT:
    case LIVE_FX_GAME_SLEEP:
    case LIVE_FX_OUTAGE:
    case LIVE_FX_VACATION:
        return; // written already
    }
}
