// SPDX-License-Identifier: GPL-3.0-or-later
//
// The WebSocket /ws: hand-shake, frames in and out, pings, silence. What the messages mean stands
// in messages.c.
#include <stdlib.h>
#include <string.h>

#include "net/errors.h"
#include "net/gateway.h"
#include "net/http.h"
#include "net/json_out.h"
#include "net/log.h"
#include "net/me.h"
#include "net/server.h"

#define SUBPROTOCOL "chess.v1"
// A client that has said nothing for so long, not even an answer to our pings, is gone.
#define SILENCE_MS 45000
#define PING_MS 15000
// Who sits at a board is asked more often: the round trip is what a move's credit is measured by.
#define PING_PLAYER_MS 5000
// A close that the peer does not answer.
#define CLOSE_PATIENCE_MS 4000
// A delay past this is no round trip but a hole in the line.
#define DELAY_MAX_MS 5000
// Messages there is room for at first.
#define QUEUE_START 8

// ---- hand-shake -------------------------------------------------------------------------------

static bool names_subprotocol(JdStr list) {
    while (list.size > 0)
        if (jd_str_equal(jd_str_trim(jd_str_cut(&list, ',')), JD_STR(SUBPROTOCOL)))
            return true;
    return false;
}

bool net_ws_judge(NetConn *conn) {
    NetServer *server = conn->server;
    char space[512];
    NetError err = { 0 };
    const JdStr path = net_header(conn->wsi, WSI_TOKEN_GET_URI, space, sizeof(space));
    if (!jd_str_equal(path, JD_STR("/ws"))) {
        net_fail(&err, "not_found", NULL, "the WebSocket is at GET /ws");
    } else if (!net_origin_ok(server, conn->wsi)) {
        net_fail(&err, "bad_origin", NULL, "the Origin header must name this site");
    } else if (!names_subprotocol(
                   net_header(conn->wsi, WSI_TOKEN_PROTOCOL, space, sizeof(space)))) {
        net_fail(&err, "bad_request", NULL, "Sec-WebSocket-Protocol must offer " SUBPROTOCOL);
    } else if (!jd_str_equal(net_header(conn->wsi, WSI_TOKEN_VERSION, space, sizeof(space)),
                             JD_STR("13"))) {
        net_fail(&err, "bad_request", NULL, "Sec-WebSocket-Version must be 13");
    } else if (net_header(conn->wsi, WSI_TOKEN_KEY, space, sizeof(space)).size == 0) {
        net_fail(&err, "bad_request", NULL, "Sec-WebSocket-Key is missing");
    } else if (server->stop ||
               !(net_shell_ready(&server->shell) || net_shell_pauses(&server->shell))) {
        net_fail(&err, "unavailable", NULL, "the server cannot play now");
    } else if (!net_allowed(server, conn, NET_QUOTA_SOCKET, &err.retry_after)) {
        const int wait = err.retry_after;
        net_fail(&err, "rate_limited", NULL, "too many WebSockets opened from this address");
        err.retry_after = wait;
    } else {
        return true;
    }
    net_http_refuse(conn, &err);
    return false;
}

// Looks up who is behind the cookie, on a worker.
typedef struct SessionJob {
    NetJob job;
    NetServer *server;
    uint64_t socket;
    JdInstant now;
    bool found;
    bool failed;
    PagesMe me;
    size_t ignored_count;
    int64_t ignored[PAGES_IGNORED_MAX];
    size_t token_size;
    char token[PAGES_TOKEN_TEXT + 1];
} SessionJob;

static void session_run(NetJob *job, NetWorkerKit *kit) {
    SessionJob *self = (SessionJob *)job;
    PagesFault fault = { 0 };
    self->failed = !pages_session(kit->pages, jd_str_n(self->token, self->token_size), self->now,
                                  &self->me, &self->found, &fault);
    // A blocked account watches like a guest (S-024).
    if (!self->failed && self->found && self->me.blocked_from_ms != 0)
        self->found = false;
    if (!self->failed && self->found && self->me.blocks > 0)
        self->failed = !pages_ignored(kit->pages, self->me.account, self->ignored,
                                      &self->ignored_count, &fault);
    if (self->failed)
        net_log(NET_LOG_ERROR, "session of a WebSocket: %s", fault.err.text);
}

void net_ws_join(NetSocket *socket, const PagesMe *me, const int64_t *ignored, size_t count) {
    if (me != NULL && (socket->me = malloc(sizeof(*me))) != NULL)
        *socket->me = *me;
    if ((me != NULL && socket->me == NULL) || !net_shell_ready(&socket->server->shell)) {
        net_socket_close(socket, 1013);
        return;
    }
    LiveProfile profile = me == NULL ? (LiveProfile) { .parts = 0 } : net_profile_of(me);
    if (me != NULL) {
        profile.parts |= LIVE_PROFILE_BLOCKED;
        profile.blocked = ignored;
        profile.blocked_count = (uint16_t)count;
    }
    const LiveCommand connect = {
        .kind = LIVE_CONNECT,
        .origin.connection = socket->id,
        .profile = &profile,
        .account = me == NULL ? 0 : me->account,
        .nick = jd_str(me == NULL ? "" : me->nick),
    };
    socket->known = true;
    net_shell_step(&socket->server->shell, &connect);
    if (socket->server->gateway != NULL && !socket->closing)
        net_gateway_joined(socket->server->gateway, socket, ignored, count);
    if (!socket->closing && socket->conn != NULL)
        lws_rx_flow_control(socket->conn->wsi, 1);
}

static void session_ready(void *context, bool ok) {
    SessionJob *self = context;
    NetSocket *socket = net_hub_find(&self->server->hub, self->socket);
    if (socket != NULL && !socket->closing && ok)
        net_ws_join(socket, self->found ? &self->me : NULL, self->ignored, self->ignored_count);
    else if (socket != NULL && !socket->closing)
        net_socket_close(socket, 1013);
    free(self);
}

static void session_done(NetJob *job) {
    SessionJob *self = (SessionJob *)job;
    if (job->ran && !self->failed) {
        if (self->server->stop || !net_shell_wait(&self->server->shell, session_ready, self))
            session_ready(self, true);
        return;
    }
    NetSocket *socket = net_hub_find(&self->server->hub, self->socket);
    if (socket != NULL && !socket->closing)
        net_socket_close(socket, job->ran ? 1011 : 1012);
    free(self);
}

static int established(NetConn *conn) {
    NetServer *server = conn->server;
    NetSocket *socket = net_hub_add(&server->hub, conn);
    if (socket == NULL)
        return -1;
    conn->socket = socket;
    socket->heard_ms = net_steady_ms();
    server->metrics.sockets++;
    server->metrics.sockets_total++;
    char space[NET_COOKIE_SPACE];
    const JdStr token = net_cookie(server, conn->wsi, space, sizeof(space));
    const bool named = token.size == PAGES_TOKEN_TEXT;
    if (!named && !net_shell_pauses(&server->shell)) {
        net_ws_join(socket, NULL, NULL, 0);
        return 0;
    }
    SessionJob *job = calloc(1, sizeof(*job));
    if (job == NULL)
        return -1;
    job->job.run = session_run;
    job->job.done = session_done;
    job->server = server;
    job->socket = socket->id;
    job->now = net_now(server);
    // What the client says meanwhile stays in the kernel until it is known who says it.
    lws_rx_flow_control(conn->wsi, 0);
    if (!named) { // nobody, once the disk is quick again
        if (!net_shell_wait(&server->shell, session_ready, job))
            session_ready(job, true);
        return 0;
    }
    job->token_size = token.size;
    memcpy(job->token, token.data, token.size);
    net_token_digest(token, socket->digest);
    if (!net_workers_push(server->workers, &job->job)) {
        free(job);
        net_socket_close(socket, 1013);
    }
    return 0;
}

// ---- out --------------------------------------------------------------------------------------

static void kill_socket(NetSocket *socket) {
    socket->closing = true;
    if (socket->closing_ms == 0)
        socket->closing_ms = net_steady_ms();
    if (socket->conn != NULL)
        lws_set_timeout(socket->conn->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

// ---- writing

static void note_ready(NetSocket *socket) {
    NetHub *hub = &socket->server->hub;
    if (socket->ready)
        return;
    socket->ready = true;
    socket->ready_previous = NULL;
    socket->ready_next = hub->ready;
    if (hub->ready != NULL)
        hub->ready->ready_previous = socket;
    hub->ready = socket;
}

void net_socket_unready(NetSocket *socket) {
    if (!socket->ready)
        return;
    socket->ready = false;
    if (socket->ready_previous != NULL)
        socket->ready_previous->ready_next = socket->ready_next;
    else
        socket->server->hub.ready = socket->ready_next;
    if (socket->ready_next != NULL)
        socket->ready_next->ready_previous = socket->ready_previous;
}

static const NetBuf *queued(const NetSocket *socket, size_t index) {
    return socket->queue[(socket->queue_first + index) % socket->queue_capacity];
}

static void count_written(NetSocket *socket, size_t size) {
    socket->server->metrics.messages_out++;
    socket->server->metrics.bytes_out += size;
}

static void take_first(NetSocket *socket) {
    NetBuf *buf = socket->queue[socket->queue_first];
    socket->queue_first = (socket->queue_first + 1) % socket->queue_capacity;
    socket->queue_count--;
    socket->queue_bytes -= buf->size;
    net_buf_drop(buf);
    if (socket->queue_count > 0 || socket->queue_capacity <= QUEUE_START)
        return;
    free(socket->queue); // what a crowd once needed
    socket->queue = NULL;
    socket->queue_capacity = socket->queue_first = 0;
}

// The head of a text frame that holds a whole message, not masked (RFC 6455, 5.2).
#define FRAME_HEAD_MAX 4
static size_t put_frame_head(unsigned char *at, size_t size) {
    at[0] = 0x81;
    if (size < 126) {
        at[1] = (unsigned char)size;
        return 2;
    }
    at[1] = 126;
    at[2] = (unsigned char)(size >> 8);
    at[3] = (unsigned char)size;
    return 4;
}

// As many of the messages that wait as go into one write, their frames one after the other, for
// what a message costs is mostly the call of the kernel. The library writes it as it is: the way
// it has for what is no frame of its own making.
static bool write_gathered(NetSocket *socket) {
    unsigned char *at = socket->server->hub.gathered + LWS_PRE;
    size_t size = 0;
    do {
        const NetBuf *buf = queued(socket, 0);
        if (size + FRAME_HEAD_MAX + buf->size > NET_GATHER_MAX)
            break;
        size += put_frame_head(at + size, buf->size);
        memcpy(at + size, buf->data, buf->size);
        size += buf->size;
        count_written(socket, buf->size);
        take_first(socket);
    } while (socket->queue_count > 0);
    return lws_write(socket->conn->wsi, at, size, LWS_WRITE_HTTP) >= 0;
}

static bool write_one(NetSocket *socket) {
    NetBuf *buf = net_buf_hold(socket->queue[socket->queue_first]);
    take_first(socket);
    count_written(socket, buf->size);
    const bool ok = lws_write(socket->conn->wsi, buf->data, buf->size, LWS_WRITE_TEXT) >= 0;
    net_buf_drop(buf);
    return ok;
}

// What the kernel did not take the library keeps, and asks for no more until that is gone: so at
// most one write waits there, and the rest here, where it is bounded. False: the connection is
// broken.
static bool write_queue(NetSocket *socket) {
    struct lws *wsi = socket->conn->wsi;
    while (socket->queue_count > 0) {
        if (lws_partial_buffered(wsi)) {
            lws_callback_on_writable(wsi);
            return true;
        }
        const bool two =
            socket->queue_count > 1 &&
            queued(socket, 0)->size + queued(socket, 1)->size + 2 * (size_t)FRAME_HEAD_MAX <=
                NET_GATHER_MAX;
        if (!(two ? write_gathered(socket) : write_one(socket)))
            return false;
    }
    return true;
}

void net_hub_write(NetHub *hub) {
    while (hub->ready != NULL) {
        NetSocket *socket = hub->ready;
        net_socket_unready(socket);
        const bool wanted = !socket->closing || socket->close_code != 0;
        if (socket->conn != NULL && wanted && !socket->close_sent && !write_queue(socket))
            kill_socket(socket);
    }
}

// ---- queueing

static bool enqueue(NetSocket *socket, NetBuf *buf) {
    // One message may be larger than all that may wait: a long game, for a client that just came.
    if (socket->queue_count >= NET_QUEUE_MAX ||
        (socket->queue_count > 0 && socket->queue_bytes + buf->size > NET_QUEUE_BYTES_MAX))
        return false;
    if (socket->queue_count == socket->queue_capacity) {
        const size_t old = socket->queue_capacity;
        const size_t capacity = old == 0 ? QUEUE_START : old * 2;
        NetBuf **wider = malloc(capacity * sizeof(NetBuf *));
        if (wider == NULL)
            return false;
        for (size_t i = 0; i < socket->queue_count; i++)
            wider[i] = socket->queue[(socket->queue_first + i) % old];
        free(socket->queue);
        socket->queue = wider;
        socket->queue_first = 0;
        socket->queue_capacity = capacity;
    }
    socket->queue[(socket->queue_first + socket->queue_count) % socket->queue_capacity] =
        net_buf_hold(buf);
    socket->queue_count++;
    socket->queue_bytes += buf->size;
    return true;
}

// By HTTP: kept until it is fetched.
static void keep(NetSocket *socket, NetBuf *buf) {
    if (!enqueue(socket, buf))
        net_socket_close(socket, 1013); // it does not fetch: it comes back and asks anew
    net_poll_news(socket);
}

void net_socket_send(NetSocket *socket, NetBuf *buf) {
    if (!socket->closing && socket->far != NULL)
        net_far_send(socket, buf);
    if (!socket->closing && socket->poll != NULL)
        keep(socket, buf);
    if (socket->closing || socket->conn == NULL)
        return;
    // More in one turn of the loop than may wait: what can be written is.
    if (!enqueue(socket, buf) && (!write_queue(socket) || !enqueue(socket, buf))) {
        // It comes back and asks for what it missed.
        socket->server->metrics.sockets_slow++;
        net_log(NET_LOG_INFO, "connection %llu reads too slowly and is dropped",
                (unsigned long long)socket->id);
        kill_socket(socket);
        return;
    }
    note_ready(socket);
}

static void end_poll(NetSocket *socket, uint16_t code) {
    socket->closing = true;
    socket->close_code = code;
    if (socket->away != NULL)
        net_gateway_left(socket->server->gateway, socket);
    if (socket->known) // it is gone from here on; who wants to know why asks within a moment
        net_shell_disconnect(&socket->server->shell, socket->id);
    net_poll_news(socket);
}

void net_socket_close(NetSocket *socket, uint16_t code) {
    if (!socket->closing && socket->poll != NULL)
        end_poll(socket, code);
    if (!socket->closing && socket->far != NULL)
        net_far_close(socket, code);
    if (socket->closing || socket->conn == NULL)
        return;
    socket->closing = true;
    socket->closing_ms = net_steady_ms();
    socket->close_code = code;
    lws_callback_on_writable(socket->conn->wsi);
}

static int writable(NetSocket *socket) {
    struct lws *wsi = socket->conn->wsi;
    if (!socket->closing || socket->close_code != 0) {
        if (!write_queue(socket))
            return -1;
        if (socket->queue_count > 0)
            return 0;
    }
    if (!socket->closing || socket->close_sent)
        return 0;
    if (socket->close_code == 0)
        return -1;
    // From here on a close would lose its frame: asked for by -1 in this callback the library
    // (4.1.6 as Debian builds it, with _DEBUG) closes twice, the second time at once. From a timer
    // it does not.
    lws_set_timer_usecs(wsi, 1);
    return 0;
}

static int send_close(NetSocket *socket) {
    if (!socket->closing || socket->close_sent)
        return 0;
    socket->close_sent = true;
    lws_close_reason(socket->conn->wsi, (enum lws_close_status)socket->close_code, NULL, 0);
    return -1;
}

// ---- in ---------------------------------------------------------------------------------------

static int received(NetSocket *socket, const char *bytes, size_t size) {
    struct lws *wsi = socket->conn->wsi;
    if (socket->closing)
        return 0;
    socket->heard_ms = net_steady_ms();
    const bool whole = lws_is_final_fragment(wsi) != 0;
    const size_t before = socket->partial == NULL ? 0 : socket->partial->size;
    if (before + size + lws_remaining_packet_payload(wsi) > (size_t)(NET_FRAME_MAX)) {
        net_socket_close(socket, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
        return 0;
    }
    if (lws_frame_is_binary(wsi)) {
        net_socket_close(socket, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
        return 0;
    }
    if (whole && before == 0) {
        net_socket_message(socket, jd_str_n(bytes, size));
        return 0;
    }
    if (socket->partial == NULL && (socket->partial = net_buf_new()) == NULL)
        return -1;
    net_buf_add(socket->partial, bytes, size);
    if (socket->partial->failed)
        return -1;
    if (whole) {
        NetBuf *message = socket->partial;
        socket->partial = NULL;
        net_socket_message(socket, net_buf_str(message));
        net_buf_drop(message);
    }
    return 0;
}

// The payload is the time in decimal digits: the library checks the payloads of pongs as if they
// were text, and closes the connection over bytes that are not UTF-8.
static void ping(NetSocket *socket, int64_t now_ms) {
    unsigned char space[LWS_PRE + 24];
    struct lws *wsi = socket->conn->wsi;
    if (lws_send_pipe_choked(wsi))
        return;
    socket->pinged_ms = now_ms;
    const size_t size = jd_format((char *)space + LWS_PRE, 24, "%lld", (long long)now_ms);
    if (lws_write(wsi, space + LWS_PRE, size, LWS_WRITE_PING) < 0)
        kill_socket(socket);
}

static void pong(NetSocket *socket, const char *bytes, size_t size) {
    const int64_t now_ms = net_steady_ms();
    uint64_t sent = 0;
    socket->heard_ms = now_ms;
    if (socket->pinged_ms == 0 || !jd_parse_u64(jd_str_n(bytes, size), INT64_MAX, &sent))
        return;
    if ((int64_t)sent != socket->pinged_ms || now_ms - (int64_t)sent > DELAY_MAX_MS)
        return;
    socket->delays_ms[socket->delay_count % 3] = now_ms - (int64_t)sent;
    socket->delay_count++;
    socket->pinged_ms = now_ms; // a second answer to the same ping is not believed
}

static void closed(NetConn *conn) {
    NetSocket *socket = conn->socket;
    if (socket == NULL)
        return;
    conn->socket = NULL;
    socket->conn = NULL;
    conn->server->metrics.sockets--;
    const uint64_t id = socket->id;
    const bool known = socket->known;
    net_hub_remove(&conn->server->hub, socket);
    if (known)
        net_shell_disconnect(&conn->server->shell, id);
}

int net_ws_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t size) {
    NetConn *conn = net_conn_of(wsi);
    (void)user;
    if (conn == NULL)
        return 0;
    // The reasons that concern a WebSocket; the others of the library's list are not ours.
    if (reason == LWS_CALLBACK_ESTABLISHED)
        return established(conn);
    if (reason == LWS_CALLBACK_CLOSED) {
        closed(conn);
        return 0;
    }
    if (conn->socket == NULL)
        return 0;
    if (reason == LWS_CALLBACK_RECEIVE)
        return received(conn->socket, in, size);
    if (reason == LWS_CALLBACK_TIMER)
        return send_close(conn->socket);
    if (reason == LWS_CALLBACK_RECEIVE_PONG)
        pong(conn->socket, in, size);
    else if (reason == LWS_CALLBACK_SERVER_WRITEABLE)
        return writable(conn->socket);
    return 0;
}

// ---- all of them ------------------------------------------------------------------------------

static void sweep_one(NetSocket *socket, int64_t now_ms) {
    if (socket->conn == NULL)
        return;
    if (socket->closing) {
        if (now_ms - socket->closing_ms > CLOSE_PATIENCE_MS)
            kill_socket(socket);
        return;
    }
    if (now_ms - socket->heard_ms > SILENCE_MS) {
        net_socket_close(socket, LWS_CLOSE_STATUS_GOINGAWAY);
        return;
    }
    bool at_board = false;
    for (int i = 0; socket->me != NULL && i < socket->follow_count && !at_board; i++)
        at_board = net_hub_is_game(&socket->follows[i]);
    if (now_ms - socket->pinged_ms >= (at_board ? PING_PLAYER_MS : PING_MS))
        ping(socket, now_ms);
}

void net_ws_sweep(NetServer *server, size_t parts) {
    NetHub *hub = &server->hub;
    const int64_t now_ms = net_steady_ms();
    hub->swept = (hub->swept + 1) % parts;
    const size_t end = hub->socket_slots * (hub->swept + 1) / parts;
    for (size_t i = hub->socket_slots * hub->swept / parts; i < end; i++)
        for (NetSocket *socket = hub->sockets[i]; socket != NULL; socket = socket->chain)
            sweep_one(socket, now_ms);
}

void net_ws_close_all(NetServer *server, uint16_t code) {
    for (size_t i = 0; i < server->hub.socket_slots; i++)
        for (NetSocket *socket = server->hub.sockets[i]; socket != NULL; socket = socket->chain)
            if (socket->far == NULL) // the others are not ours to send away
                net_socket_close(socket, code);
}

void net_ws_close_sessions(NetServer *server, LiveAccount account, const uint8_t *digest,
                           const uint8_t *except) {
    for (size_t i = 0; i < server->hub.socket_slots; i++) {
        for (NetSocket *socket = server->hub.sockets[i]; socket != NULL; socket = socket->chain) {
            if (socket->far != NULL)
                continue; // its own node closes it
            if (digest != NULL && memcmp(socket->digest, digest, NET_DIGEST_SIZE) != 0)
                continue;
            if (digest == NULL && (socket->me == NULL || socket->me->account != account))
                continue;
            if (except != NULL && memcmp(socket->digest, except, NET_DIGEST_SIZE) == 0)
                continue;
            net_socket_close(socket, NET_CLOSE_SESSION_ENDED);
        }
    }
}

void net_ws_refresh_me(NetServer *server, const PagesMe *me) {
    for (size_t i = 0; i < server->hub.socket_slots; i++)
        for (NetSocket *socket = server->hub.sockets[i]; socket != NULL; socket = socket->chain)
            if (socket->me != NULL && socket->me->account == me->account)
                *socket->me = *me;
}

void net_ws_rename(NetServer *server, LiveAccount account, JdStr nick) {
    for (size_t i = 0; i < server->hub.socket_slots && nick.size > 0; i++)
        for (NetSocket *socket = server->hub.sockets[i]; socket != NULL; socket = socket->chain)
            if (socket->me != NULL && socket->me->account == account)
                jd_format(socket->me->nick, sizeof(socket->me->nick), "%.*s", JD_PRINT(nick));
}
