// SPDX-License-Identifier: GPL-3.0-or-later
//
// One node among several, towards its clients (docs/decisions/0007-many-nodes.md). A client is at
// one node, its gateway, whatever it deals with: what it says about a game or a challenge of
// another node is carried there, and what is said to it is carried back. The owner treats it as a
// connection of its own, with a *far* socket in place of the WebSocket; so the wire between nodes
// is the public protocol in an envelope (envelope.h).
//
// Who a client is was found out by its gateway, and is believed: the bus is the operator's own
// network. Allowances of addresses and connections are counted by the gateway alone.
//
// Alone, server->gateway is NULL and nothing here is called but what says that it may be.
#ifndef JADOUBE_NET_GATEWAY_H
#define JADOUBE_NET_GATEWAY_H

#include <jadoube/base.h>

#include "live/live.h"
#include "net/buf.h"
#include "net/commands.h"
#include "net/envelope.h"
#include "pages/pages.h"

struct NetRequest;
struct NetServer;
struct NetSocket;

typedef struct NetGateway NetGateway;

// How long an owner may take to answer a request, and all nodes a question.
#define NET_GATEWAY_ANSWER_MS 5000
#define NET_GATEWAY_GATHER_MS 1000
// Requests and questions that may wait for other nodes at once.
#define NET_GATEWAY_WAITING_MAX 8192

// After the cluster; *out NULL when there is none.
JD_MUST_USE bool net_gateway_open(struct NetServer *server, NetGateway **out, JdErr *err);
// Before the cluster is closed; the loop runs once more before the second. NULL is allowed.
void net_gateway_close(NetGateway *gateway);
void net_gateway_free(NetGateway *gateway);

// ---- connections of clients (gateway.c) ---------------------------------------------------------

// live knows the connection; and it is going.
void net_gateway_joined(NetGateway *gateway, struct NetSocket *socket, const int64_t *ignored,
                        size_t count);
void net_gateway_left(NetGateway *gateway, struct NetSocket *socket);
// A command of a client; text is all of the message. False: it is for live here.
bool net_gateway_take(NetGateway *gateway, struct NetSocket *socket, NetMessage *message,
                      JdStr text);
// The effect LIVE_FX_ADD.
void net_gateway_followed(NetGateway *gateway, struct NetSocket *socket,
                          const LiveChannel *channel);

// A message for one connection, here or far; buf NULL: a new count alone. Those of one begin and
// end that have the same buf travel as one.
void net_gateway_begin(NetGateway *gateway);
void net_gateway_deliver(NetGateway *gateway, struct NetSocket *socket, NetBuf *buf, NetMark mark,
                         uint32_t waiting);
void net_gateway_end(NetGateway *gateway);

// A far socket is written to, or closed.
void net_far_send(struct NetSocket *socket, NetBuf *buf);
void net_far_close(struct NetSocket *socket, uint16_t code);
void net_far_free(struct NetSocket *socket);
// The delay of the message being read, which its gateway has measured.
uint32_t net_far_delay(const struct NetSocket *socket);

// ---- requests (gateway_http.c) ------------------------------------------------------------------

// A request before its first stage; true: it has gone its way.
bool net_gateway_request(NetGateway *gateway, struct NetRequest *request);
// A request was answered with 503: true when that is because what it needs has another owner by
// now, who is asked instead.
bool net_gateway_again(NetGateway *gateway, struct NetRequest *request);
// The reply to a request of another node is made.
void net_far_reply(struct NetRequest *request);

// ---- what concerns all nodes (gateway_facts.c); server->gateway may be NULL ---------------------

// An account has a new nick, or (empty) was deleted; or its games end.
void net_tell_renamed(struct NetServer *server, LiveAccount account, JdStr nick);
void net_tell_leaves(struct NetServer *server, LiveAccount account, bool erased);
void net_tell_profile(struct NetServer *server, LiveAccount account, const LiveProfile *profile);
void net_tell_sessions(struct NetServer *server, LiveAccount account, const uint8_t *digest,
                       const uint8_t *except);
void net_tell_me(struct NetServer *server, const PagesMe *me);
void net_tell_notice(struct NetServer *server, LiveAccount account, const char *kind,
                     const char *nick, const char *ref, int64_t at_ms);
void net_tell_rated(struct NetServer *server, const LiveId *game, const LiveRated *rated);
void net_tell_vacation(struct NetServer *server, const LiveVacation *vacation);

// Fair play: whether an engine of the site may help that account with these positions, asked of all
// other nodes: live_forbids_engine, or (boards) live_stands_on_a_board. Without a gateway, or when
// nobody else is there, `then` is called at once. Who does not answer in time forbids.
typedef void (*NetMayFn)(void *context, bool allowed);
typedef struct NetPositions {
    const ChessPosition *list;
    size_t count;
    bool boards;
} NetPositions;
void net_gateway_may(struct NetServer *server, LiveAccount account, const NetPositions *positions,
                     NetMayFn then, void *context);
// Whether it must be asked before the command is stepped, and what.
bool net_gateway_must_ask(const struct NetServer *server, const LiveCommand *command,
                          ChessPosition *position, NetPositions *out);

#endif
