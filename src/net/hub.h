// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who is connected by WebSocket, and who follows which channel: carries out the effects of live
// that speak to people. A message is encoded once, however many hear it.
#ifndef JADOUBE_NET_HUB_H
#define JADOUBE_NET_HUB_H

#include <uv.h>

#include <jadoube/base.h>

#include "live/live.h"
#include "net/buf.h"
#include "net/commands.h"
#include "net/envelope.h"
#include "net/polls.h"
#include "net/rate_limits.h"
#include "pages/pages.h"

#define NET_DIGEST_SIZE 16
// Messages, and bytes, that may wait for one client that reads too slowly; past it the client is
// disconnected, and catches up when it comes back.
#define NET_QUEUE_MAX 512
#define NET_QUEUE_BYTES_MAX ((size_t)1024 * 1024)
// Bytes of messages that are put together for one write.
#define NET_GATHER_MAX ((size_t)16 * 1024)

struct NetAway;
struct NetConn;
struct NetFar;
struct NetServer;

typedef struct NetChannel NetChannel;

typedef struct NetFollow {
    NetChannel *channel;
    size_t place; // among the channel's followers
} NetFollow;

// One WebSocket connection.
typedef struct NetSocket {
    struct NetSocket *chain; // of the table of ids
    struct NetServer *server;
    struct NetConn *conn; // NULL: the connection has gone, or there is none:
    NetPoll *poll;        // not NULL: its messages are fetched by HTTP (polls.h)
    struct NetFar *far;   // not NULL: it is of a client of another node (gateway.h)
    struct NetAway *away; // what it deals with at other nodes; NULL when there are none
    uint64_t id;
    PagesMe *me;                     // NULL: a guest
    uint8_t digest[NET_DIGEST_SIZE]; // of the session's token
    bool known;                      // the session has been looked up, live knows the connection
    bool closing;                    // a close is on its way: nothing more is sent or taken
    bool close_sent;
    uint16_t close_code;
    // what it follows
    NetFollow follows[LIVE_CHANNELS_PER_CONNECTION];
    int follow_count;
    // a message that comes in pieces
    NetBuf *partial;
    // what waits to be written
    NetBuf **queue;
    size_t queue_first;
    size_t queue_count;
    size_t queue_capacity;
    size_t queue_bytes;
    bool ready; // in the hub's list of those to write to at the end of this turn of the loop
    struct NetSocket *ready_next;
    struct NetSocket *ready_previous;
    // commands that wait for a game to wake, and those that came after them
    struct NetParked *parked;
    int parked_count;
    // limits
    NetBucket rate;
    int over; // messages past the rate since it was last kept
    int64_t malformed_ms[3];
    int malformed_next;
    // life and delay
    int64_t heard_ms; // the last frame of any kind
    int64_t pinged_ms;
    int64_t closing_ms;   // when the close began
    int64_t delays_ms[3]; // the last round trips
    int delay_count;
    int64_t move_read_ms; // when the move being answered was read
} NetSocket;

typedef struct NetHub {
    struct NetServer *server;
    NetSocket **sockets; // by id
    size_t socket_slots;
    size_t socket_count;
    NetChannel **channels;
    size_t channel_slots;
    size_t channel_count;
    uint64_t next_id;
    NetBufPool bufs;
    NetSocket *ready;        // something waits to be written to them
    unsigned char *gathered; // messages on their way in one write
    size_t swept;            // the part of the table that was looked at last
    NetSocket *polls;        // those without a WebSocket
    uv_timer_t soon;         // those who wait by HTTP are answered
    bool open;
} NetHub;

bool net_hub_open(NetHub *hub, struct NetServer *server);
void net_hub_close(NetHub *hub);
// The loop's part of it: made after the loop, closed before.
void net_hub_start(NetHub *hub, uv_loop_t *loop);
void net_hub_stop(NetHub *hub);
// Connections without a WebSocket are looked at in the next turn of the loop.
void net_hub_soon(NetHub *hub);

// A new socket with a fresh id, NULL when there is no memory; and the end of one.
NetSocket *net_hub_add(NetHub *hub, struct NetConn *conn);
void net_hub_remove(NetHub *hub, NetSocket *socket);
NetSocket *net_hub_find(NetHub *hub, uint64_t id);

// Carries out one effect that speaks to WebSockets; staged: when the step was made.
void net_hub_deliver(NetHub *hub, const LiveEffect *effect, JdInstant staged);

// Tells all connections of an account that follow its channel of something (docs/protocol.md).
void net_hub_notice(NetHub *hub, LiveAccount account, const char *kind, const char *nick,
                    const char *ref, int64_t at_ms);

// Passes a message of the lobby, as another node has it, to all who follow it here.
void net_hub_pass(NetHub *hub, NetBuf *buf, NetMark mark);
// Whether the socket follows a channel of that kind.
bool net_hub_follows(const NetSocket *socket, LiveChannelKind kind);
// {"t":"count"...}; NULL: no memory.
NetBuf *net_count_message(uint32_t waiting);

// Whether it is a game that is followed.
bool net_hub_is_game(const NetFollow *follow);
// How long the last message of a game waited for its commit, in ms.
int64_t net_hub_commit_wait(NetHub *hub, const LiveId *game);

// Queues; net_hub_write writes it (ws.c). The caller keeps its hold on buf.
void net_socket_send(NetSocket *socket, NetBuf *buf);
// At the end of each turn of the loop: what has been queued in it is written, as many messages of a
// connection at once as there are.
void net_hub_write(NetHub *hub);
// Begins to close (ws.c).
void net_socket_close(NetSocket *socket, uint16_t code);

// Takes it out of the list of those to write to (ws.c).
void net_socket_unready(NetSocket *socket);
// Forgets what waits for a game to wake (messages.c).
void net_socket_unpark(NetSocket *socket);
// Carries out a command that was read from the object; or answers it with an error (messages.c).
void net_socket_command(NetSocket *socket, json_t *object, NetMessage *message);
void net_socket_refuse(NetSocket *socket, const NetMessage *message, const char *code,
                       const char *text);
// The network delay its moves are credited with, as far as it is this node's to know (messages.c).
uint32_t net_socket_delay(const NetSocket *socket);
// Takes one whole message of the client (messages.c).
void net_socket_message(NetSocket *socket, JdStr text);
// Tells the client of an answer of live (messages.c).
void net_socket_answer(NetSocket *socket, const LiveOrigin *origin, const LiveAnswer *answer);

#endif
