// SPDX-License-Identifier: GPL-3.0-or-later
//
// The routes /api/v1/me/events (docs/protocol.md). Loop thread only, but for who is logged in.
#include "net/polls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/api.h"
#include "net/hub.h"
#include "net/json_out.h"
#include "net/server.h"

#define WAIT_MAX_S 20
// Nobody has asked for so long: the window was closed, or its machine sleeps.
#define SILENCE_MS 10000
// A page at a board asks after each message; this is far more.
static const NetRate ask_rate = { 60, 50 };
#define DELAY_MAX_MS 5000 // as of a WebSocket

// ---- which one is meant -------------------------------------------------------------------------

static void write_name(const NetSocket *socket, char out[48]) {
    jd_format(out, 48, "%llx-%016llx", (unsigned long long)socket->id,
              (unsigned long long)socket->poll->key);
}

// The connection of that name, if it is this session's; NULL: the error is given. A name that is
// none and one that is forgotten are the same to the client: it opens another.
static NetSocket *find(NetRequest *request, JdStr name) {
    NetHub *hub = &request->server->hub;
    uint8_t digest[NET_DIGEST_SIZE];
    char own[48];
    uint64_t id = 0;
    size_t i = 0;
    for (; i < name.size && i < 15 && name.data[i] != '-'; i++) {
        const char c = name.data[i];
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0)
            break;
        id = id * 16 + (uint64_t)digit;
    }
    if (i == 0 || name.size != i + 17 || name.data[i] != '-') {
        net_reply_fault(request, "bad_request", "connection", "expected the name of a connection");
        return NULL;
    }
    NetSocket *socket = net_hub_find(hub, id);
    net_token_digest(jd_str(request->token), digest);
    if (socket != NULL && socket->poll != NULL && socket->me != NULL &&
        socket->me->account == request->me.account &&
        memcmp(socket->digest, digest, sizeof(digest)) == 0) {
        write_name(socket, own);
        if (jd_str_equal(name, jd_str(own)))
            return socket;
    }
    net_reply_fault(request, "not_found", "connection", "there is no such connection any more");
    return NULL;
}

// ---- answers ------------------------------------------------------------------------------------

static NetBuf *queued(const NetSocket *socket, size_t index) {
    return socket->queue[(socket->queue_first + index) % socket->queue_capacity];
}

// Everything that waits, and up to which number that is.
static void answer(NetSocket *socket, NetRequest *request) {
    NetPoll *poll = socket->poll;
    NetBuf *out = net_reply_json(request, 200);
    request->cache = "no-store";
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_int(out, "after", (int64_t)(poll->first + socket->queue_count - 1));
        json_out_key(out, "messages");
        json_out_open(out, '[');
        for (size_t i = 0; i < socket->queue_count; i++)
            json_out_raw(out, net_buf_str(queued(socket, i)));
        json_out_close(out, ']');
        json_out_key(out, "closed");
        if (socket->closing)
            json_out_int(out, socket->close_code);
        else
            json_out_null(out);
        json_out_close(out, '}');
    }
    poll->answered_ms = net_steady_ms();
    socket->heard_ms = poll->answered_ms;
    net_request_finish(request);
}

// Lets go of who waits; answered or not.
static void release(NetSocket *socket, bool answered) {
    NetRequest *request = socket->poll->waiting;
    if (request == NULL)
        return;
    socket->poll->waiting = NULL;
    if (answered)
        answer(socket, request);
    net_request_drop(request);
}

void net_poll_news(NetSocket *socket) {
    // What one step of live says comes in one answer: it is written in the next turn of the loop.
    if (socket->poll->waiting != NULL)
        net_hub_soon(&socket->server->hub);
}

static void look_after(NetSocket *socket, int64_t now_ms) {
    NetPoll *poll = socket->poll;
    if (poll->waiting != NULL && poll->waiting->conn == NULL) {
        socket->heard_ms = now_ms; // it has hung up
        release(socket, false);
    }
    if (poll->waiting != NULL &&
        (socket->queue_count > 0 || socket->closing || now_ms >= poll->answer_by_ms))
        release(socket, true);
    if (poll->waiting != NULL || now_ms - socket->heard_ms < SILENCE_MS)
        return;
    NetServer *server = socket->server;
    const uint64_t id = socket->id;
    const bool known = socket->known && !socket->closing;
    net_hub_remove(&server->hub, socket);
    if (known)
        net_shell_disconnect(&server->shell, id);
}

void net_poll_sweep(NetHub *hub, int64_t now_ms) {
    for (NetSocket *socket = hub->polls, *next = NULL; socket != NULL; socket = next) {
        next = socket->poll->next; // one that nobody asks after is freed
        look_after(socket, now_ms);
    }
}

bool net_poll_new(NetSocket *socket) {
    NetHub *hub = &socket->server->hub;
    NetPoll *poll = calloc(1, sizeof(*poll));
    if (poll == NULL)
        return false;
    poll->key = net_random64();
    poll->first = 1;
    poll->next = hub->polls;
    if (hub->polls != NULL)
        hub->polls->poll->previous = socket;
    hub->polls = socket;
    socket->poll = poll;
    socket->heard_ms = net_steady_ms();
    return true;
}

void net_poll_free(NetSocket *socket) {
    NetPoll *poll = socket->poll;
    if (poll->previous != NULL)
        poll->previous->poll->next = poll->next;
    else
        socket->server->hub.polls = poll->next;
    if (poll->next != NULL)
        poll->next->poll->previous = poll->previous;
    NetRequest *request = poll->waiting;
    poll->waiting = NULL;
    if (request != NULL) {
        net_reply_fault(request, "not_found", "connection", "the connection has ended");
        net_request_finish(request);
        net_request_drop(request);
    }
    free(poll);
    socket->poll = NULL;
}

// ---- routes -------------------------------------------------------------------------------------

static void open_now(NetRequest *request) {
    NetServer *server = request->server;
    if (server->stop || !net_shell_ready(&server->shell)) {
        net_reply_fault(request, "unavailable", NULL, "the server cannot play now");
        net_request_finish(request);
        return;
    }
    NetSocket *socket = net_hub_add(&server->hub, NULL);
    if (socket == NULL || !net_poll_new(socket)) {
        if (socket != NULL)
            net_hub_remove(&server->hub, socket);
        net_reply_fault(request, "unavailable", NULL, "no memory");
        net_request_finish(request);
        return;
    }
    net_token_digest(jd_str(request->token), socket->digest);
    net_ws_join(socket, &request->me, request->ignored, request->ignored_count);
    char name[48];
    write_name(socket, name);
    NetBuf *out = net_reply_json(request, 201);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_cstr(out, "connection", name);
        json_out_key_int(out, "after", 0);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

// A commit that took long is over, or nobody waits for it any more.
static void open_later(void *context, bool ok) {
    NetRequest *request = context;
    (void)ok; // asked for again
    open_now(request);
    net_request_drop(request);
}

void api_events_open(NetRequest *request) {
    NetShell *shell = &request->server->shell;
    if (!api_empty_body(request)) {
        net_request_finish(request);
        return;
    }
    if (request->server->stop || !net_shell_wait(shell, open_later, request))
        open_now(request);
    else
        net_request_hold(request);
}

static bool query_number(NetRequest *request, const char *name, uint64_t most, uint64_t preset,
                         uint64_t *out) {
    const JdStr text = net_request_query(request, name);
    *out = preset;
    if (text.size == 0 || jd_parse_u64(text, most, out))
        return true;
    net_reply_fault(request, "bad_request", name, "expected a number within its bounds");
    return false;
}

// Forgets what the client has; false: it names what it cannot have, or what is forgotten.
static bool acknowledge(NetSocket *socket, uint64_t after) {
    NetPoll *poll = socket->poll;
    if (after + 1 < poll->first || after + 1 > poll->first + socket->queue_count)
        return false;
    while (poll->first <= after) {
        NetBuf *buf = queued(socket, 0);
        socket->queue_first = (socket->queue_first + 1) % socket->queue_capacity;
        socket->queue_count--;
        socket->queue_bytes -= buf->size;
        poll->first++;
        net_buf_drop(buf);
    }
    return true;
}

// From an answer to the next question is a round trip: what a move is credited with.
static void measure(NetSocket *socket, int64_t now_ms) {
    const int64_t trip_ms = now_ms - socket->poll->answered_ms;
    if (socket->poll->answered_ms == 0 || trip_ms > DELAY_MAX_MS)
        return;
    socket->delays_ms[socket->delay_count % 3] = trip_ms;
    socket->delay_count++;
}

static bool events(NetRequest *request) {
    static const char *const known[] = { "connection", "after", "wait" };
    NetServer *server = request->server;
    uint64_t after = 0;
    uint64_t wait_s = WAIT_MAX_S;
    int64_t wait_ms = 0;
    NetSocket *socket = NULL;
    if (!net_request_query_only(request, known, JD_COUNT(known)) ||
        !query_number(request, "after", INT64_MAX, 0, &after) ||
        !query_number(request, "wait", WAIT_MAX_S, WAIT_MAX_S, &wait_s) ||
        (socket = find(request, net_request_query(request, "connection"))) == NULL)
        return true;
    const JdInstant now = net_now(server);
    if (!net_bucket_take(&socket->poll->rate, ask_rate, now, &wait_ms)) {
        NetError err = { 0 };
        net_fail(&err, "rate_limited", NULL, "more than %d questions in 3 seconds", ask_rate.burst);
        err.retry_after = (int)((wait_ms + 999) / 1000);
        net_reply_error(request, &err);
        return true;
    }
    const int64_t steady_ms = net_steady_ms();
    measure(socket, steady_ms);
    socket->heard_ms = steady_ms;
    release(socket, true); // one asks at a time: the older question is answered as it is
    if (!acknowledge(socket, after)) {
        net_reply_fault(request, "conflict", "after", "these messages are not kept: begin anew");
        return true;
    }
    if (socket->queue_count > 0 || socket->closing || wait_s == 0 || server->stop) {
        answer(socket, request);
        return false;
    }
    net_request_hold(request);
    socket->poll->waiting = request;
    socket->poll->answer_by_ms = steady_ms + (int64_t)wait_s * 1000;
    return false;
}

void api_events(NetRequest *request) {
    if (events(request))
        net_request_finish(request);
}

// One message, as over the WebSocket; its answer comes among the others.
void api_events_send(NetRequest *request) {
    NetSocket *socket = find(request, request->params[0]);
    const JdStr text = request->body == NULL ? jd_str("") : net_buf_str(request->body);
    if (socket != NULL && net_request_json(request) != NULL) {
        if (text.size > (size_t)(NET_FRAME_MAX)) {
            net_reply_fault(request, "too_large", NULL, "a message has at most 16 KiB");
        } else if (socket->closing) {
            net_reply_fault(request, "not_found", "connection", "the connection has ended");
        } else {
            socket->heard_ms = net_steady_ms();
            net_socket_message(socket, text);
            net_reply_empty(request, 204);
        }
    }
    net_request_finish(request);
}

void api_events_close(NetRequest *request) {
    NetServer *server = request->server;
    NetSocket *socket = find(request, request->params[0]);
    if (socket != NULL) {
        const uint64_t id = socket->id;
        const bool known = socket->known && !socket->closing;
        net_hub_remove(&server->hub, socket);
        if (known)
            net_shell_disconnect(&server->shell, id);
        net_reply_empty(request, 204);
    }
    net_request_finish(request);
}
