// SPDX-License-Identifier: GPL-3.0-or-later
//
// What comes and goes over a WebSocket: messages of the client to commands, answers of live to
// messages; the limits of a connection.
#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "net/commands.h"
#include "net/errors.h"
#include "net/gateway.h"
#include "net/hub.h"
#include "net/invite.h"
#include "net/json_in.h"
#include "net/json_live.h"
#include "net/json_out.h"
#include "net/log.h"
#include "net/me.h"
#include "net/record.h"
#include "net/server.h"

// 20 messages in 5 s (docs/protocol.md).
static const NetRate message_rate = { 20, 250 };
// Messages past that rate that are dropped unread before the connection is closed.
#define OVER_MAX 20
#define MALFORMED_SPAN_MS 10000

// The client's number goes through live in the origin's word: the number itself, and a mark that
// there is one.
#define TOKEN_HAS_ID (UINT64_C(1) << 63)
#define TOKEN_SILENT (UINT64_C(1) << 62)

static uint64_t token_of(const NetMessage *message) {
    return message->is_silent ? TOKEN_SILENT
           : message->has_id  ? TOKEN_HAS_ID | (uint64_t)message->id
                              : 0;
}

// ---- out --------------------------------------------------------------------------------------

static NetBuf *begin(NetSocket *socket, const char *type, bool has_id, int64_t id) {
    NetBuf *out = net_buf_from(&socket->server->hub.bufs);
    if (out == NULL)
        return NULL;
    json_out_open(out, '{');
    json_out_key_cstr(out, "t", type);
    if (has_id)
        json_out_key_int(out, "id", id);
    json_out_key(out, "d");
    return out;
}

static void end(NetSocket *socket, NetBuf *out) {
    json_out_close(out, '}');
    if (out->failed)
        net_socket_close(socket, 1011);
    else
        net_socket_send(socket, out);
    net_buf_drop(out);
}

static void send_error(NetSocket *socket, bool has_id, int64_t id, const NetError *err) {
    NetBuf *out = begin(socket, "error", has_id, id);
    if (out == NULL)
        return;
    NetError shown = *err;
    uint64_t ref = 0;
    if (net_error_status(err->code) == 500) {
        // As over HTTP: what went wrong is for the operator.
        ref = net_random64() | 1;
        net_log(NET_LOG_ERROR, "internal error %016llx at a connection: %s",
                (unsigned long long)ref, err->message);
        net_fail(&shown, "internal", NULL,
                 "something went wrong here; the operator finds it by its ref");
    }
    net_metrics_error(&socket->server->metrics, shown.code);
    net_error_write(out, &shown, ref);
    end(socket, out);
}

static void answer_error(NetSocket *socket, uint64_t token, const NetError *err) {
    if ((token & TOKEN_SILENT) == 0)
        send_error(socket, (token & TOKEN_HAS_ID) != 0,
                   (int64_t)(token & ~(TOKEN_HAS_ID | TOKEN_SILENT)), err);
}

void net_socket_refuse(NetSocket *socket, const NetMessage *message, const char *code,
                       const char *text) {
    NetError err = { 0 };
    net_fail(&err, code, NULL, "%s", text);
    answer_error(socket, token_of(message), &err);
}

static NetError error_of(const LiveAnswer *answer) {
    NetError err = { 0 };
    if (net_error_known(answer->code))
        net_fail(&err, answer->code, answer->err.field[0] == '\0' ? NULL : answer->err.field, "%s",
                 answer->err.text);
    else
        net_fail(&err, "internal", NULL, "%s", answer->code);
    err.retry_after = (int)((answer->retry_ms + 999) / 1000);
    jd_copy(err.article, answer->article, sizeof(err.article));
    return err;
}

static void write_answer(NetBuf *out, const LiveAnswer *answer) {
    json_out_open(out, '{');
    switch ((LiveAnswerKind)answer->kind) {
    case LIVE_ANSWER_CHALLENGE:
        json_out_key(out, "challenge");
        net_write_challenge(out, answer->challenge);
        break;
    case LIVE_ANSWER_GAME_ID:
        json_out_key_cstr(out, "game", answer->id.text);
        break;
    case LIVE_ANSWER_ACK:
        json_out_key_cstr(out, "game", answer->id.text);
        json_out_key_int(out, "ply", answer->ply);
        if (answer->claim_wrong)
            json_out_key_cstr(out, "claim", "wrong");
        break;
    case LIVE_ANSWER_OK:
    case LIVE_ANSWER_ERROR:
    case LIVE_ANSWER_GAME:
    case LIVE_ANSWER_LOBBY:
    case LIVE_ANSWER_GAMES:
    case LIVE_ANSWER_VACATION:
    case LIVE_ANSWER_WATCH:
        break; // the last four answer queries, which only HTTP makes
    }
    json_out_close(out, '}');
}

void net_socket_answer(NetSocket *socket, const LiveOrigin *origin, const LiveAnswer *answer) {
    if ((origin->token & TOKEN_SILENT) != 0)
        return;
    const bool has_id = (origin->token & TOKEN_HAS_ID) != 0;
    const int64_t id = (int64_t)(origin->token & ~TOKEN_HAS_ID);
    if (answer->kind == LIVE_ANSWER_ERROR) {
        const NetError err = error_of(answer);
        send_error(socket, has_id, id, &err);
        return;
    }
    NetBuf *out = begin(socket, answer->kind == LIVE_ANSWER_ACK ? "ack" : "ok", has_id, id);
    if (out == NULL)
        return;
    write_answer(out, answer);
    end(socket, out);
    if (answer->kind == LIVE_ANSWER_ACK && socket->move_read_ms != 0) {
        net_metrics_echo(&socket->server->metrics,
                         net_now(socket->server).ms - socket->move_read_ms);
        socket->move_read_ms = 0;
    }
}

static void welcome(NetSocket *socket, const NetMessage *message) {
    NetBuf *out = begin(socket, "welcome", message->has_id, message->id);
    if (out == NULL)
        return;
    json_out_open(out, '{');
    json_out_key(out, "me");
    net_write_me(out, socket->me);
    json_out_key_int(out, "now", net_now(socket->server).ms);
    json_out_close(out, '}');
    end(socket, out);
}

static void pong(NetSocket *socket, const NetMessage *message) {
    NetBuf *out = begin(socket, "pong", message->has_id, message->id);
    if (out == NULL)
        return;
    json_out_open(out, '{');
    json_out_key_int(out, "c", message->ping);
    json_out_key_int(out, "now", net_now(socket->server).ms);
    json_out_close(out, '}');
    end(socket, out);
}

// ---- finished games ---------------------------------------------------------------------------

// A game that has left memory: shown to who asks to follow it, though nothing will ever follow.
typedef struct RecordJob {
    NetJob job;
    NetServer *server;
    uint64_t socket;
    uint64_t token;
    LiveId game;
    JdInstant now;
    bool found;
    JdErr err;
    NetBuf *state; // NULL: could not be read
} RecordJob;

static void record_run(NetJob *job, NetWorkerKit *kit) {
    RecordJob *self = (RecordJob *)job;
    NetRecord record;
    if (!net_record_read(kit, &self->game, self->now, &record, &self->found, &self->err))
        return;
    self->state = net_buf_new();
    if (self->found && self->state != NULL) {
        const LiveMessage message = { .kind = LIVE_MSG_GAME, .game = &record.game };
        net_write_message(self->state, &message);
    }
    net_record_free(&record);
}

static void record_done(NetJob *job) {
    RecordJob *self = (RecordJob *)job;
    NetSocket *socket = net_hub_find(&self->server->hub, self->socket);
    NetError err = { 0 };
    if (!job->ran)
        net_fail(&err, "unavailable", NULL, "the server is stopping");
    else if (self->err.code != 0)
        net_record_fault(&self->err, &err);
    else if (self->state == NULL || self->state->failed)
        net_fail(&err, "internal", NULL, "the game cannot be read");
    else if (!self->found)
        net_fail(&err, "not_found", "ch", "there is no such game");
    if (self->err.code != 0)
        net_log(NET_LOG_ERROR, "game %s: %s", self->game.text, self->err.text);
    if (socket != NULL && err.code != NULL) {
        answer_error(socket, self->token, &err);
    } else if (socket != NULL) {
        const LiveAnswer ok = { .kind = LIVE_ANSWER_OK };
        const LiveOrigin origin = { .connection = socket->id, .token = self->token };
        net_socket_answer(socket, &origin, &ok);
        if (socket->far == NULL)
            net_socket_send(socket, self->state);
        else
            net_gateway_deliver(self->server->gateway, socket, self->state, NET_MARK_PLAIN, 0);
    }
    net_buf_drop(self->state);
    free(self);
}

static void show_record(NetSocket *socket, const NetMessage *message) {
    RecordJob *job = calloc(1, sizeof(*job));
    NetError err = { 0 };
    if (job != NULL) {
        *job = (RecordJob) { .job = { .run = record_run, .done = record_done },
                             .server = socket->server,
                             .socket = socket->id,
                             .token = token_of(message),
                             .game = message->command.channel.game,
                             .now = net_now(socket->server) };
        if (net_workers_push(socket->server->workers, &job->job))
            return;
        free(job);
    }
    net_fail(&err, "unavailable", NULL, "too many requests are waiting");
    answer_error(socket, token_of(message), &err);
}

// Whether the message asks to follow a game that live does not hold.
static bool is_for_record(const NetSocket *socket, const LiveCommand *command) {
    uint64_t digest = 0;
    return command->kind == LIVE_SUBSCRIBE && command->channel.kind == LIVE_CHANNEL_GAME &&
           !live_game_digest(socket->server->shell.live, &command->channel.game, &digest);
}

// ---- in --------------------------------------------------------------------------------------

// The delay a mover is credited: the shortest of the last round trips measured, so that a
// client gains nothing by answering a ping late now and then, and the time our own disk took.
uint32_t net_socket_delay(const NetSocket *socket) {
    int64_t shortest = 0;
    const int known = socket->delay_count < 3 ? socket->delay_count : 3;
    for (int i = 0; i < known; i++)
        if (i == 0 || socket->delays_ms[i] < shortest)
            shortest = socket->delays_ms[i];
    return (uint32_t)shortest;
}

static uint32_t delay_of(const NetSocket *socket, const LiveId *game) {
    const uint32_t trip = socket->far == NULL ? net_socket_delay(socket) : net_far_delay(socket);
    return trip + (uint32_t)net_hub_commit_wait(&socket->server->hub, game);
}

// What is said, as it is kept; false: refused.
static bool clean_line(NetSocket *socket, NetMessage *message, PagesLine *line) {
    PagesFault fault = { 0 };
    if (pages_line(message->command.text, LIVE_CHAT_CHARS, line, &fault)) {
        message->command.text = jd_str(line->text);
        return true;
    }
    NetError err = { 0 };
    net_fail(&err, pages_code_name((PagesCode)fault.err.code), "text", "%s", fault.err.text);
    send_error(socket, message->has_id, message->id, &err);
    return false;
}

// ---- direct challenges ------------------------------------------------------------------------

typedef struct InviteJob {
    NetJob job;
    NetServer *server;
    uint64_t socket;
    NetInvite invite;
} InviteJob;

static void invite_run(NetJob *job, NetWorkerKit *kit) {
    net_invite_look_up(&((InviteJob *)job)->invite, kit);
}

static void invite_ready(void *context, bool ok) {
    InviteJob *self = context;
    NetServer *server = self->server;
    NetSocket *socket = net_hub_find(&server->hub, self->socket);
    LiveCommand *command = net_invite_command(&self->invite);
    NetError err = self->invite.err;
    if (err.code == NULL && !(ok && net_shell_ready(&server->shell)))
        net_fail(&err, "unavailable", NULL, "the server cannot write now; try again");
    if (socket != NULL && socket->me != NULL && err.code == NULL) {
        LiveProfile profile = net_profile_of(socket->me);
        profile.parts &= (uint8_t)~LIVE_PROFILE_CONFIRMED;
        command->nick = jd_str(socket->me->nick);
        command->profile = &profile;
        net_shell_step(&server->shell, command);
    } else if (socket != NULL) {
        answer_error(socket, self->invite.command.origin.token, &err);
    }
    free(self);
}

static void invite_done(NetJob *job) {
    InviteJob *self = (InviteJob *)job;
    NetShell *shell = &self->server->shell;
    if (!job->ran || self->server->stop || !net_shell_wait(shell, invite_ready, self))
        invite_ready(self, job->ran);
}

// What live must know of the one it is directed to comes out of the database first.
static void look_up(NetSocket *socket, const NetMessage *message) {
    InviteJob *job = calloc(1, sizeof(*job));
    NetError err = { 0 };
    if (job != NULL) {
        job->job = (NetJob) { .run = invite_run, .done = invite_done };
        job->server = socket->server;
        job->socket = socket->id;
        net_invite_begin(&job->invite, socket->server, &message->command, socket->me->account);
        if (net_workers_push(socket->server->workers, &job->job))
            return;
        free(job);
    }
    net_fail(&err, "unavailable", NULL, "too many requests are waiting");
    send_error(socket, message->has_id, message->id, &err);
}

// ---- fair play among several nodes ------------------------------------------------------------

typedef struct FairAsk {
    NetServer *server;
    uint64_t socket;
    NetMessage message; // holds its object
} FairAsk;

static void command(NetSocket *socket, NetMessage *message);

static void on_fair(void *context, bool allowed) {
    FairAsk *ask = context;
    NetSocket *socket = net_hub_find(&ask->server->hub, ask->socket);
    ask->message.is_fair = true;
    if (socket != NULL && !socket->closing && allowed)
        command(socket, &ask->message);
    else if (socket != NULL && !socket->closing)
        net_socket_refuse(socket, &ask->message, "fair_play",
                          "the position after it is being played between people");
    json_decref(ask->message.object);
    free(ask);
}

// Whether other nodes are asked first.
static bool must_be_fair(NetSocket *socket, const NetMessage *message) {
    ChessPosition position;
    NetPositions positions;
    const LiveCommand *command = &message->command;
    if (socket->server->gateway != NULL && command->kind == LIVE_PREMOVE && command->uci.size > 0 &&
        live_leads_on(socket->server->shell.live, &command->id)) {
        net_socket_refuse(socket, message, "fair_play",
                          "no move is made in advance in a game against the computer from there");
        return true;
    }
    if (message->is_fair ||
        !net_gateway_must_ask(socket->server, &message->command, &position, &positions))
        return false;
    FairAsk *ask = malloc(sizeof(*ask));
    if (ask == NULL) {
        net_socket_refuse(socket, message, "unavailable", "no memory");
        return true;
    }
    *ask = (FairAsk) { .server = socket->server, .socket = socket->id, .message = *message };
    json_incref(ask->message.object);
    net_gateway_may(socket->server, message->command.account, &positions, on_fair, ask);
    return true;
}

static void command(NetSocket *socket, NetMessage *message) {
    LiveCommand *command = &message->command;
    NetServer *server = socket->server;
    PagesLine line;
    if (command->kind == LIVE_SAY && !clean_line(socket, message, &line))
        return;
    if (!net_shell_ready(&server->shell)) {
        net_socket_refuse(socket, message, "unavailable", "the server cannot write now; try again");
        return;
    }
    command->origin.connection = socket->id;
    command->origin.token = token_of(message);
    if (socket->me != NULL) {
        command->account = socket->me->account;
        command->nick = jd_str(socket->me->nick);
    }
    if ((command->kind == LIVE_CHALLENGE || command->kind == LIVE_JOIN) &&
        pages_is_guest(command->nick)) {
        NetError err = { 0 };
        net_fail(&err, "auth_required", NULL, "guests play against the computer: register first");
        send_error(socket, message->has_id, message->id, &err);
        return;
    }
    if (must_be_fair(socket, message))
        return;
    if (command->kind == LIVE_MOVE) {
        command->delay_ms = delay_of(socket, &command->id);
        socket->move_read_ms = net_now(server).ms;
    }
    net_command_house(&server->config, command);
    if (command->kind == LIVE_CHALLENGE || command->kind == LIVE_JOIN)
        randombytes_buf(command->random, sizeof(command->random));
    if (socket->me != NULL && net_invite_needed(command)) {
        look_up(socket, message);
        return;
    }
    LiveCommand own = *command; // with what lives only here
    LiveProfile profile;
    if (socket->me != NULL) {
        profile = net_profile_of(socket->me);
        // What this connection knew when it came; live has heard of changes since.
        profile.parts &= (uint8_t)~LIVE_PROFILE_CONFIRMED;
        own.profile = &profile;
    }
    net_shell_step(&server->shell, &own);
}

// ---- commands that wait -----------------------------------------------------------------------

// Commands of one connection are carried out in their order, so while one waits for a game to wake
// the next ones wait behind it.
#define PARKED_MAX 64

typedef struct NetParked {
    struct NetParked *next;
    json_t *object; // what the message points at
    NetMessage message;
    bool asked; // what it needs is being, or has been, brought
} NetParked;

typedef struct Waiting {
    NetServer *server;
    uint64_t socket;
} Waiting;

static void carry_out(NetSocket *socket, NetMessage *message) {
    if (is_for_record(socket, &message->command))
        show_record(socket, message);
    else
        command(socket, message);
}

static void no_room(NetSocket *socket, const NetMessage *message, const char *why) {
    net_socket_refuse(socket, message, "unavailable", why);
}

static void take_parked(NetSocket *socket) {
    NetParked *parked = socket->parked;
    socket->parked = parked->next;
    socket->parked_count--;
    json_decref(parked->object);
    free(parked);
}

void net_socket_unpark(NetSocket *socket) {
    while (socket->parked != NULL)
        take_parked(socket);
}

static void go_on(NetSocket *socket);

static void on_awake(void *context, bool ok) {
    Waiting *waiting = context;
    NetSocket *socket = net_hub_find(&waiting->server->hub, waiting->socket);
    free(waiting);
    if (socket == NULL || socket->parked == NULL)
        return;
    if (ok)
        carry_out(socket, &socket->parked->message);
    else
        no_room(socket, &socket->parked->message, "the game cannot be read now; try again");
    take_parked(socket);
    go_on(socket);
}

// The commit that took long is over: now it is seen what else is needed.
static void on_ready(void *context, bool ok) {
    Waiting *waiting = context;
    NetSocket *socket = net_hub_find(&waiting->server->hub, waiting->socket);
    free(waiting);
    if (socket == NULL || socket->parked == NULL)
        return;
    if (ok) {
        socket->parked->asked = false;
    } else {
        no_room(socket, &socket->parked->message, "the server cannot write now; try again");
        take_parked(socket);
    }
    go_on(socket);
}

// Who asks, for what is needed depends on it.
static void sign(const NetSocket *socket, LiveCommand *command) {
    if (socket->me == NULL)
        return;
    command->account = socket->me->account;
    command->nick = jd_str(socket->me->nick);
}

// Whether the message must wait; one that cannot even wait is answered.
static bool must_wait(NetSocket *socket, NetMessage *message, bool *answered) {
    bool full = false;
    *answered = false;
    sign(socket, &message->command);
    NetShell *shell = &socket->server->shell;
    const bool pauses = net_shell_pauses(shell) && !socket->server->stop;
    if (!pauses && !net_sleepers_needed(&socket->server->sleepers, &message->command))
        return false;
    Waiting *waiting = malloc(sizeof(*waiting));
    if (waiting != NULL) {
        *waiting = (Waiting) { .server = socket->server, .socket = socket->id };
        if (pauses ? net_shell_wait(shell, on_ready, waiting)
                   : net_sleepers_wait(&socket->server->sleepers, &message->command, on_awake,
                                       waiting, &full))
            return true;
    }
    *answered = full || waiting == NULL;
    free(waiting);
    if (*answered)
        no_room(socket, message, "too many requests are waiting");
    return false;
}

static void go_on(NetSocket *socket) {
    while (socket->parked != NULL && !socket->parked->asked) {
        bool answered = false;
        if (must_wait(socket, &socket->parked->message, &answered)) {
            socket->parked->asked = true;
            return;
        }
        if (!answered)
            carry_out(socket, &socket->parked->message);
        take_parked(socket);
    }
}

void net_socket_command(NetSocket *socket, json_t *object, NetMessage *message) {
    bool answered = false;
    bool asked = false;
    message->object = object;
    if (socket->parked == NULL) {
        asked = must_wait(socket, message, &answered);
        if (!asked && !answered)
            carry_out(socket, message);
        if (!asked)
            return;
    }
    NetParked *parked = socket->parked_count < PARKED_MAX ? malloc(sizeof(*parked)) : NULL;
    if (parked == NULL) {
        no_room(socket, message, "too many requests are waiting");
        return;
    }
    *parked = (NetParked) { .object = json_incref(object), .message = *message, .asked = asked };
    NetParked **last = &socket->parked;
    while (*last != NULL)
        last = &(*last)->next;
    *last = parked;
    socket->parked_count++;
}

// ---- malformed, too many ----------------------------------------------------------------------

static void malformed(NetSocket *socket, const NetMessage *message, const NetError *err) {
    const int64_t now_ms = net_now(socket->server).ms;
    socket->server->metrics.malformed++;
    send_error(socket, message->has_id, message->id, err);
    if (strcmp(err->code, "bad_request") != 0 && strcmp(err->code, "bad_text") != 0)
        return; // well-formed, but refused
    int64_t *oldest = &socket->malformed_ms[socket->malformed_next];
    *oldest = now_ms;
    socket->malformed_next = (socket->malformed_next + 1) % 3;
    // The place that comes next holds the last but two.
    const int64_t third = socket->malformed_ms[socket->malformed_next];
    if (third != 0 && now_ms - third < MALFORMED_SPAN_MS)
        net_socket_close(socket, LWS_CLOSE_STATUS_POLICY_VIOLATION);
}

// Takes one from the connection's allowance. The first message past it is told so; the next ones
// are dropped unread; a client that goes on all the same is closed.
static bool within_rate(NetSocket *socket, JdStr text) {
    NetServer *server = socket->server;
    const JdInstant now = net_now(server);
    int64_t wait_ms = 0;
    if (socket->rate.full_at_ms <= now.ms)
        socket->over = 0;
    if (net_bucket_take(&socket->rate, message_rate, now, &wait_ms))
        return true;
    server->metrics.rate_limited++;
    if (socket->over++ == 0) {
        NetError err = { 0 };
        NetMessage message = { .has_id = false };
        json_t *object = net_json_parse(text, &err);
        if (object != NULL && !net_message_read(object, &message, &err))
            message.kind = NET_MESSAGE_HELLO; // only its number is of interest here
        json_decref(object);
        net_fail(&err, "rate_limited", NULL, "more than %d messages in 5 seconds",
                 message_rate.burst);
        err.retry_after = (int)((wait_ms + 999) / 1000);
        send_error(socket, message.has_id, message.id, &err);
    } else if (socket->over > OVER_MAX) {
        net_socket_close(socket, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    }
    return false;
}

void net_socket_message(NetSocket *socket, JdStr text) {
    NetServer *server = socket->server;
    server->metrics.messages_in++;
    if (!within_rate(socket, text))
        return;
    NetError err = { 0 };
    NetMessage message = { .has_id = false };
    json_t *object = net_json_parse(text, &err);
    if (object == NULL || !net_message_read(object, &message, &err)) {
        malformed(socket, &message, &err);
    } else {
        switch (message.kind) {
        case NET_MESSAGE_HELLO:
            welcome(socket, &message);
            break;
        case NET_MESSAGE_PING:
            pong(socket, &message);
            break;
        case NET_MESSAGE_COMMAND:
            if (server->gateway == NULL ||
                !net_gateway_take(server->gateway, socket, &message, text))
                net_socket_command(socket, object, &message);
            break;
        }
    }
    json_decref(object);
}
