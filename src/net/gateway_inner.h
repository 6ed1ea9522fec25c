// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: what the parts of the gateway share.
#ifndef JADOUBE_NET_GATEWAY_INNER_H
#define JADOUBE_NET_GATEWAY_INNER_H

#include <jansson.h>
#include <uv.h>

#include "net/cluster.h"
#include "net/gateway.h"
#include "net/hub.h"
#include "net/server.h"

// Where something comes from: a peer of the bus, or this node.
#define HERE (-1)
#define SOURCES (NET_BUS_PEERS_MAX + 1)
#define SOURCE_BIT(peer) (UINT64_C(1) << ((peer) + 1))

// The connection by which a node follows another's lobby: no client has its number.
#define NODE_SOCKET 0

// ---- a far socket: of a client that is at another node ------------------------------------------

typedef struct NetFar {
    NetSocket *next; // of the table by peer and number
    int peer;
    uint64_t number; // of the client's socket there
    uint32_t delay_ms;
} NetFar;

// ---- a socket of a client that is here ----------------------------------------------------------

// The state of channel "me" being put together.
typedef struct NetGather {
    NetSocket *socket;
    struct NetGather *next;
    uint64_t pending; // SOURCE_BIT of those who have not answered
    int64_t until_ms;
    NetBuf *parts[SOURCES];
    NetBuf **held; // what came meanwhile
    size_t held_count;
} NetGather;

typedef struct NetGame {
    LiveId id;
    int peer; // NET_OWNER_SELF, a peer
} NetGame;

typedef struct NetAway {
    uint64_t connected; // SOURCE_BIT of the peers that know the connection
    NetGame games[LIVE_CHANNELS_PER_CONNECTION];
    int game_count;
    bool follows_me;
    bool left;
    int late; // states of "me" that came too late since the client asked
    uint64_t me_seq;
    uint32_t waiting[SOURCES]; // games that wait for the player
    uint32_t told_waiting;
    NetGather *gather;
    uint16_t unanswered[NET_BUS_PEERS_MAX];
    int64_t *ignored; // whom the account has blocked
    size_t ignored_count;
} NetAway;

// ---- all of it ----------------------------------------------------------------------------------

typedef struct NetSaying NetSaying;   // gateway.c
typedef struct NetPending NetPending; // gateway_http.c
typedef struct NetMay NetMay;         // gateway_facts.c

struct NetGateway {
    NetServer *server;
    NetCluster *cluster;
    NetSocket **far; // by peer and number
    size_t far_slots;
    size_t far_count;
    // the frame being gathered
    int depth;
    int frame_peer;
    NetBuf *frame;
    NetBuf *frame_list;
    NetMark frame_mark;
    uint32_t frame_waiting;
    // the lobby
    json_t *lobby[NET_BUS_PEERS_MAX]; // of each peer, challenges by id; NULL: not known
    uint64_t lobby_seq;
    NetBuf *lobby_raw; // the last message, and as it is numbered here
    NetBuf *lobby_numbered;
    NetGather *gathers;
    // requests and questions
    uint64_t next_number;
    NetPending *pending;
    NetSaying *later; // messages that are tried again in a moment
    NetMay *mays;
    size_t waiting;
    struct NetRequest *finished;
    uv_timer_t tick;    // while something waits
    uv_timer_t refresh; // merged channels are asked for anew
    uv_timer_t reaper;
    bool open;
};

void gateway_send(NetGateway *gateway, int peer, const NetEnvelope *envelope);
void gateway_all(NetGateway *gateway, const NetEnvelope *envelope);
// Something waits: it is looked after until nothing does.
void gateway_tick(NetGateway *gateway);
// A message of ours to a peer (HERE: to live), for a socket; nobody waits for its answer.
void gateway_say(NetGateway *gateway, NetSocket *socket, int peer, const char *text);

// The connection is announced to the peer, if it is not yet.
void gateway_connect(NetGateway *gateway, NetSocket *socket, int peer);

// gateway_links.c: as NetClusterEars
void links_up(void *context, int peer);
void links_down(void *context, int peer);
void links_owners(void *context, const StoreShards *shards);

// gateway_far.c
bool far_open(NetGateway *gateway);
void far_close(NetGateway *gateway);
NetSocket *far_find(const NetGateway *gateway, int peer, uint64_t number);
void far_connect(NetGateway *gateway, int peer, const NetEnvelope *envelope);
void far_leave(NetGateway *gateway, int peer, const NetEnvelope *envelope);
void far_end(NetGateway *gateway, NetSocket *socket);
void far_gone(NetGateway *gateway, int peer);
// Sends the frame that is being gathered.
void far_flush(NetGateway *gateway);

// gateway_merge.c
void merge_pass(NetGateway *gateway, NetSocket *socket, int source, NetBuf *buf, NetMark mark,
                uint32_t waiting);
// A frame for the node itself: of the peer's lobby.
void merge_lobby(NetGateway *gateway, int peer, JdStr text, NetMark mark);
void merge_lobby_gone(NetGateway *gateway, int peer);
void merge_begin_me(NetGateway *gateway, NetSocket *socket, bool ask_live);
void merge_end_me(NetGateway *gateway, NetSocket *socket);
void merge_source_gone(NetGateway *gateway, NetSocket *socket, int peer);
void merge_tick(NetGateway *gateway, int64_t now_ms);
void merge_close(NetGateway *gateway);
// {"games":[GameRow],"challenges":[Challenge]} of several nodes, in the usual order; nick: the
// player's. Nothing in it is checked again but its form: it comes from live. The caller gives back.
void merge_sort_games(json_t *rows, const char *nick);
void merge_sort_challenges(json_t *rows);
void merge_sort_watched(json_t *rows);
// Appends the elements of from[key] to the array.
void merge_take(json_t *array, const json_t *from, const char *key);

// gateway_http.c
void http_request(NetGateway *gateway, int peer, const NetEnvelope *envelope);
void http_reply(NetGateway *gateway, int peer, const NetEnvelope *envelope);
void http_gone(NetGateway *gateway, int peer);
void http_tick(NetGateway *gateway, int64_t now_ms);
void http_close(NetGateway *gateway);

// gateway_facts.c
bool facts_take(NetGateway *gateway, int peer, const NetEnvelope *envelope);
void facts_gone(NetGateway *gateway, int peer);
void facts_tick(NetGateway *gateway, int64_t now_ms);
void facts_close(NetGateway *gateway);

#endif
