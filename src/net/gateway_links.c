// SPDX-License-Identifier: GPL-3.0-or-later
//
// Other nodes come, go, and take over games.
#include <stdlib.h>
#include <string.h>

#include "net/gateway_inner.h"
#include "net/log.h"

// After a change of ownership the merged channels are asked for anew when it has come to rest.
#define REFRESH_MS 150
#define CLOSE_COME_BACK 1012

// Calls visit for every socket of a client here; it may close it, but not remove it.
static void each_client(NetGateway *gateway, void (*visit)(NetGateway *, NetSocket *, const void *),
                        const void *context) {
    const NetHub *hub = &gateway->server->hub;
    for (size_t i = 0; i < hub->socket_slots; i++)
        for (NetSocket *socket = hub->sockets[i]; socket != NULL; socket = socket->chain)
            if (socket->away != NULL && !socket->closing)
                visit(gateway, socket, context);
}

static void announce(NetGateway *gateway, NetSocket *socket, const void *context) {
    if (socket->me != NULL)
        gateway_connect(gateway, socket, *(const int *)context);
}

static void ask_lobby(NetGateway *gateway, int peer) {
    const NetEnvelope follow = { .kind = NET_ENV_SAY,
                                 .number = NODE_SOCKET,
                                 .flags = NET_ENV_SILENT,
                                 .text = JD_STR("{\"t\":\"sub\",\"d\":{\"ch\":\"lobby\"}}") };
    gateway_send(gateway, peer, &follow);
}

// By the node's own connection, which is nobody's.
static void follow_lobby(NetGateway *gateway, int peer) {
    const NetEnvelope connection = { .kind = NET_ENV_CONNECT, .number = NODE_SOCKET };
    gateway_send(gateway, peer, &connection);
    ask_lobby(gateway, peer);
}

static void ask_merged(NetGateway *gateway, NetSocket *socket, const void *context) {
    (void)context;
    if (net_hub_follows(socket, LIVE_CHANNEL_LOBBY))
        gateway_say(gateway, socket, HERE, "{\"t\":\"sub\",\"d\":{\"ch\":\"lobby\"}}");
    if (socket->away->follows_me) {
        socket->away->late = 0;
        merge_begin_me(gateway, socket, true);
    }
}

static void on_refresh(uv_timer_t *timer) {
    NetGateway *gateway = timer->data;
    int peers[NET_BUS_PEERS_MAX];
    const int count = net_cluster_reached(gateway->cluster, peers);
    for (int i = 0; i < count; i++)
        ask_lobby(gateway, peers[i]);
    if (net_shell_ready(&gateway->server->shell))
        each_client(gateway, ask_merged, NULL);
}

static void refresh_soon(NetGateway *gateway) {
    if (gateway->open)
        uv_timer_start(&gateway->refresh, on_refresh, REFRESH_MS, 0);
}

void links_up(void *context, int peer) {
    NetGateway *gateway = context;
    follow_lobby(gateway, peer);
    each_client(gateway, announce, &peer);
    refresh_soon(gateway);
}

// What was on its way to or from that node may be lost: whoever deals with something there comes
// anew and asks for what he missed. The merged channels go on without it.
static void on_lost(NetGateway *gateway, NetSocket *socket, const void *context) {
    const int peer = *(const int *)context;
    NetAway *away = socket->away;
    bool deals = away->unanswered[peer] > 0;
    for (int i = 0; i < away->game_count; i++)
        deals = deals || away->games[i].peer == peer;
    away->connected &= ~SOURCE_BIT(peer);
    away->unanswered[peer] = 0;
    if (deals)
        net_socket_close(socket, CLOSE_COME_BACK);
    else
        merge_source_gone(gateway, socket, peer);
}

void links_down(void *context, int peer) {
    NetGateway *gateway = context;
    each_client(gateway, on_lost, &peer);
    far_gone(gateway, peer);
    merge_lobby_gone(gateway, peer);
    http_gone(gateway, peer);
    facts_gone(gateway, peer);
    refresh_soon(gateway);
}

static bool is_among(const StoreShards *shards, const LiveId *id) {
    StoreId store;
    if (!store_id(jd_str(id->text), &store))
        return false;
    const unsigned shard = store_shard_of(&store);
    return (shards->bits[shard / 64] >> (shard % 64) & 1) != 0;
}

// Its games that have another owner now are followed there.
static void follow_anew(NetGateway *gateway, NetSocket *socket, const void *context) {
    NetAway *away = socket->away;
    for (int i = 0; i < away->game_count; i++) {
        NetGame *game = &away->games[i];
        if (!is_among(context, &game->id))
            continue;
        const int owner = net_cluster_owner(gateway->cluster, &game->id);
        const bool moved = owner != game->peer && owner != NET_OWNER_NOBODY;
        game->peer = owner;
        if (!moved)
            continue;
        char text[64];
        jd_format(text, sizeof(text), "{\"t\":\"sub\",\"d\":{\"ch\":\"game:%s\"}}", game->id.text);
        gateway_say(gateway, socket, owner, text);
    }
}

void links_owners(void *context, const StoreShards *shards) {
    NetGateway *gateway = context;
    each_client(gateway, follow_anew, shards);
    refresh_soon(gateway);
}
