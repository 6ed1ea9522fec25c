// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: one running server and its connections. Everything here lives on the loop thread.
#ifndef JADOUBE_NET_SERVER_H
#define JADOUBE_NET_SERVER_H

#include <libwebsockets.h>
#include <uv.h>

#include <jadoube/base.h>

#include "net/admin.h"
#include "net/clock.h"
#include "net/cluster.h"
#include "net/computer.h"
#include "net/config.h"
#include "net/decide.h"
#include "net/gateway.h"
#include "net/hub.h"
#include "net/rate_limits.h"
#include "net/ratings.h"
#include "net/report.h"
#include "net/listener.h"
#include "net/mailer.h"
#include "net/metrics.h"
#include "net/notices.h"
#include "net/oidc_flow.h"
#include "net/oidc_provider.h"
#include "net/pusher.h"
#include "net/shell.h"
#include "net/sleepers.h"
#include "net/workers.h"
#include "pages/pages.h"

struct NetRequest;

typedef struct NetServer {
    NetConfig config;
    NetClock clock;
    uv_loop_t loop;
    struct lws_context *context;
    struct lws_vhost *vhost;
    NetListener listener;
    NetLimits *limits;
    NetMetrics metrics;
    NetHub hub;
    NetGateway *gateway; // NULL: this node is alone
    NetShell shell;
    NetRatings ratings;
    NetSleepers sleepers;
    NetNotices notices;
    Store *store;
    Pages *pages;
    NetWorkers *workers;
    NetOidc *oidc;       // NULL: no providers
    NetOidcFlows *flows; // NULL with it
    NetWorkers *outside; // NULL with it
    NetCluster *cluster; // NULL: this process is alone
    NetDecider *decider;
    NetComputer *computer;
    NetReports *reports;
    NetMailer *mailer; // NULL: no mail is sent
    NetPusher *pusher;
    NetAdmin *admin;      // NULL: no socket
    uint8_t form_key[32]; // chance of this run: tokens of forms
    bool ruling;          // a result is being corrected: one at a time
    int sweeps;
    int sweep_parts;
    bool swept; // the first look at what is due once in a while was taken
    uv_signal_t signals[3];
    uv_timer_t sweep;    // looks after silent connections
    uv_prepare_t before; // the turn of the loop ends: before it waits,
    uv_check_t after;    // and after what came has been read
    uv_timer_t watchdog; // tells the service manager that the loop turns
    uv_timer_t stopping; // while the server stops
    struct NetConn *adopting;
    struct NetConn *conns; // all, newest first
    size_t requests;       // of HTTP, being answered
    JdInstant started;
    char here[600];           // where it listens, as an address
    char site[600];           // what people call it, for texts that name it
    char policy_sockets[600]; // " wss://chess.example" for each origin that was set
    uint64_t secret;          // chance of this run: seeds of tables
    int stop_ticks;
    int exit_code; // of a stop nobody asked for; 0: none
    bool draining; // asked to stop: health says so, all else goes on for a while
    bool leaving;  // the stop has begun, or a hand-over before it
    bool stop;     // nothing new is begun
    bool handles;  // the loop's handles exist
} NetServer;

// One TCP connection: HTTP, and after the hand-shake a WebSocket.
typedef struct NetConn {
    struct NetConn *next;
    struct NetConn *previous;
    NetServer *server;
    struct lws *wsi;
    NetAddress peer;            // counted by it
    NetAddress address;         // of the peer, or of the client behind the proxy
    bool local;                 // the peer is this machine
    struct NetRequest *request; // HTTP: being read or answered
    NetSocket *socket;          // WebSocket: after the hand-shake
    size_t ignored;             // bytes of a refused body thrown away
    bool draining;              // answered already; what still comes is thrown away
} NetConn;

JdInstant net_now(const NetServer *server);
// For spans that have nothing to do with the time of day: silence, round trips. Whoever sets the
// system's clock cuts nobody's line.
int64_t net_steady_ms(void);
// Begins to stop, of its own accord: the process ends with that status.
void net_server_end(NetServer *server, int exit_code);
// Whether an allowance of the address is used up; *retry_s is then the seconds to wait.
bool net_allowed(NetServer *server, const NetConn *conn, NetQuota quota, int *retry_s);
// 64 random bits, 16 random bytes.
uint64_t net_random64(void);
// What is kept of a session's token to know it again.
void net_token_digest(JdStr token, uint8_t out[NET_DIGEST_SIZE]);

// Whether the Origin header of a request is one of our own (docs/protocol.md).
bool net_origin_ok(const NetServer *server, struct lws *wsi);
// The session's cookie; empty when there is none.
JdStr net_cookie(const NetServer *server, struct lws *wsi, char *space, size_t size);
#define NET_COOKIE_SPACE 4096
const char *net_cookie_name(const NetServer *server);
// One header into space; the empty view when it is absent or longer.
JdStr net_header(struct lws *wsi, enum lws_token_indexes token, char *space, size_t size);

// The lws callbacks of the two protocols (http.c, ws.c).
int net_http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                      size_t size);
int net_ws_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t size);
// The connection of a wsi; NULL for what is not a client's.
NetConn *net_conn_of(struct lws *wsi);

// The end of a connection (http.c).
void net_conn_gone(NetConn *conn);

// Judges a hand-shake that asks for a WebSocket: true to go on. False: a reply was written (ws.c).
bool net_ws_judge(NetConn *conn);
// The session of a connection has ended: logged out, password changed.
#define NET_CLOSE_SESSION_ENDED 4003
// Closes sessions' connections: of the account when digest is NULL, but for the one with except;
// else those with that digest.
void net_ws_close_sessions(NetServer *server, LiveAccount account, const uint8_t *digest,
                           const uint8_t *except);
// The account has another nick; empty: none any more.
void net_ws_rename(NetServer *server, LiveAccount account, JdStr nick);
// The account's own data changed: its open connections say so from now on.
void net_ws_refresh_me(NetServer *server, const PagesMe *me);
// Looks after one of so many parts of the connections, another at each call: pings to all of them
// at once would hold up the moves.
void net_ws_sweep(NetServer *server, size_t parts);
// Makes a connection known to live; me NULL: a guest.
void net_ws_join(NetSocket *socket, const PagesMe *me, const int64_t *ignored, size_t count);
void net_ws_close_all(NetServer *server, uint16_t code);

// Ends requests whose bodies do not come (http.c).
void net_http_sweep(NetServer *server);
// An answer of live for an HTTP request (http.c).
void net_http_answer(NetServer *server, const LiveOrigin *origin, const LiveAnswer *answer);

#endif
