// SPDX-License-Identifier: GPL-3.0-or-later
//
// Challenges and games over HTTP, health and figures.
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "net/api.h"
#include "net/commands.h"
#include "net/invite.h"
#include "net/json_live.h"
#include "net/json_out.h"
#include "net/pgn.h"
#include "net/record.h"

// ---- service ----------------------------------------------------------------------------------

void api_healthz(NetRequest *request) {
    if (request->server->draining) {
        net_reply_fault(request, "unavailable", NULL, "the server is stopping");
    } else if (net_shell_ready(&request->server->shell)) {
        NetBuf *out = net_reply_json(request, 200);
        if (out != NULL)
            json_out_raw(out, JD_STR("{\"status\":\"ok\"}"));
    } else {
        net_reply_fault(request, "unavailable", NULL, "the database does not take writes");
    }
    net_request_finish(request);
}

void api_metrics(NetRequest *request) {
    NetServer *server = request->server;
    const bool all = strcmp(server->config.metrics, "all") == 0;
    const bool off = strcmp(server->config.metrics, "off") == 0;
    if (off || (!all && !(request->conn != NULL && request->conn->local))) {
        net_reply_fault(request, "not_found", NULL, "there is nothing at this path");
        net_request_finish(request);
        return;
    }
    NetMetricsView view = {
        .metrics = &server->metrics,
        .live = live_stats(server->shell.live),
        .ready = !server->draining && net_shell_ready(&server->shell),
        .connections_limit = (uint64_t)server->config.max_connections,
        .data_dir = server->config.data,
        .held = server->shell.outbox.count,
        .jobs = net_workers_pending(server->workers),
        .started_ms = server->started.ms,
        .now_ms = net_now(server).ms,
    };
    const NetClusterStats cluster = net_cluster_stats(server->cluster);
    view.cluster = server->cluster != NULL ? &cluster : NULL;
    store_stats(server->store, &view.store);
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        request->type = "text/plain; version=0.0.4; charset=utf-8";
        net_metrics_write(out, &view);
    }
    net_request_finish(request);
}

void api_not_a_websocket(NetRequest *request) {
    net_reply_fault(request, "bad_request", NULL, "a WebSocket hand-shake was expected here");
    net_request_finish(request);
}

// ---- answers of live --------------------------------------------------------------------------

static void reply_list(NetRequest *request, const char *key, const LiveMessage *message,
                       void (*write)(NetBuf *, const LiveMessage *)) {
    NetBuf *out = net_reply_json(request, 200);
    if (out == NULL)
        return;
    json_out_open(out, '{');
    json_out_key(out, key);
    write(out, message);
    json_out_close(out, '}');
}

static void reply_games(NetRequest *request, const LiveMessage *message) {
    NetBuf *out = net_reply_json(request, 200);
    if (out == NULL)
        return;
    json_out_open(out, '{');
    json_out_key(out, "games");
    net_write_games(out, message);
    json_out_key(out, "challenges");
    net_write_own_challenges(out, message);
    json_out_close(out, '}');
}

static void reply_game_id(NetRequest *request, const LiveId *id) {
    NetBuf *out = net_reply_json(request, 200);
    if (out == NULL)
        return;
    json_out_open(out, '{');
    json_out_key_cstr(out, "game", id->text);
    json_out_close(out, '}');
}

static void reply_live_error(NetRequest *request, const LiveAnswer *answer) {
    NetError err = { 0 };
    if (net_error_known(answer->code))
        net_fail(&err, answer->code, answer->err.field[0] == '\0' ? NULL : answer->err.field, "%s",
                 answer->err.text);
    else
        net_fail(&err, "internal", NULL, "live answered %s", answer->code);
    err.retry_after = (int)((answer->retry_ms + 999) / 1000);
    jd_copy(err.article, answer->article, sizeof(err.article));
    net_reply_error(request, &err);
}

static void reply_game(NetRequest *request, const LiveGameView *game) {
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL)
        net_write_game(out, game);
}

void net_answer_reply(NetRequest *request, const LiveAnswer *answer) {
    NetBuf *out = NULL;
    switch ((LiveAnswerKind)answer->kind) {
    case LIVE_ANSWER_ERROR:
        reply_live_error(request, answer);
        break;
    case LIVE_ANSWER_OK:
        net_reply_empty(request, 204);
        break;
    case LIVE_ANSWER_CHALLENGE:
        out = net_reply_json(request, 201);
        if (out != NULL)
            net_write_challenge(out, answer->challenge);
        break;
    case LIVE_ANSWER_GAME_ID:
        reply_game_id(request, &answer->id);
        break;
    case LIVE_ANSWER_ACK:
    case LIVE_ANSWER_GAME:
        reply_game(request, answer->game);
        break;
    case LIVE_ANSWER_LOBBY:
        reply_list(request, "challenges", answer->message, net_write_challenges);
        break;
    case LIVE_ANSWER_VACATION: // api_vacation.c tells of it
        net_reply_empty(request, 204);
        break;
    case LIVE_ANSWER_GAMES:
        reply_games(request, answer->message);
        break;
    case LIVE_ANSWER_WATCH:
        reply_list(request, "games", answer->message, net_write_watch);
        break;
    }
    net_request_finish(request);
}

// ---- challenges -------------------------------------------------------------------------------

static void refuse(NetRequest *request, const NetError *err) {
    net_reply_error(request, err);
    net_request_finish(request);
}

void api_challenges(NetRequest *request) {
    LiveCommand command = { .kind = LIVE_QUERY_LOBBY };
    net_request_live(request, &command, NULL);
}

void api_my_games(NetRequest *request) {
    LiveCommand command = { .kind = LIVE_QUERY_GAMES };
    net_request_live(request, &command, NULL);
}

// People meet people: a guest is asked to register; false: the answer is given.
static bool is_registered(NetRequest *request) {
    if (!pages_is_guest(jd_str(request->me.nick)))
        return true;
    net_reply_fault(request, "auth_required", NULL,
                    "guests play against the computer: register first");
    net_request_finish(request);
    return false;
}

static void look_up(NetRequest *request, NetWorkerKit *kit) {
    net_invite_look_up(request->results, kit);
}

static void looked_up(NetRequest *request) {
    NetInvite *invite = request->results;
    LiveCommand *command = net_invite_command(invite);
    if (command == NULL)
        refuse(request, &invite->err);
    else
        net_request_live(request, command, NULL);
}

void api_challenge(NetRequest *request) {
    if (!is_registered(request))
        return;
    LiveCommand command = { .kind = LIVE_CHALLENGE };
    NetError err = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL) {
        net_request_finish(request);
        return;
    }
    if (!net_command_challenge(object, &command, &err)) {
        refuse(request, &err);
        return;
    }
    net_command_house(&request->server->config, &command);
    randombytes_buf(command.random, sizeof(command.random));
    if (!net_invite_needed(&command)) {
        net_request_live(request, &command, NULL);
        return;
    }
    NetInvite *invite = malloc(sizeof(*invite));
    if (invite == NULL) {
        net_reply_fault(request, "internal", NULL, "no memory");
        net_request_finish(request);
        return;
    }
    request->results = invite;
    net_invite_begin(invite, request->server, &command, request->me.account);
    net_request_work(request, look_up, looked_up, false);
}

// The id in the path; false: 404 is given.
static bool path_id(NetRequest *request, LiveId *out) {
    if (live_id_parse(request->params[0], out))
        return true;
    net_reply_fault(request, "not_found", NULL, "there is nothing of that id");
    net_request_finish(request);
    return false;
}

// A command without data, on the id in the path.
static void bare_command(NetRequest *request, LiveCommandKind kind) {
    LiveCommand command = { .kind = (uint8_t)kind };
    NetError err = { 0 };
    // A DELETE needs no body.
    const bool no_body = request->method == NET_DELETE && request->body == NULL;
    json_t *object = no_body ? NULL : net_request_json(request);
    if (!no_body && object == NULL) {
        net_request_finish(request);
        return;
    }
    if (!no_body && !net_command_empty(object, &err)) {
        refuse(request, &err);
        return;
    }
    if (!path_id(request, &command.id))
        return;
    if (kind == LIVE_JOIN)
        randombytes_buf(command.random, sizeof(command.random));
    net_request_live(request, &command, NULL);
}

void api_take_back(NetRequest *request) {
    bare_command(request, LIVE_TAKE_BACK);
}

void api_cancel(NetRequest *request) {
    bare_command(request, LIVE_CANCEL);
}

void api_decline(NetRequest *request) {
    bare_command(request, LIVE_DECLINE);
}

void api_join(NetRequest *request) {
    if (is_registered(request))
        bare_command(request, LIVE_JOIN);
}

// ---- playing ----------------------------------------------------------------------------------

// A command read from the body, on the game in the path.
static void body_command(NetRequest *request, bool (*read)(json_t *, LiveCommand *, NetError *)) {
    LiveCommand command = { .kind = LIVE_TIMER };
    NetError err = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL) {
        net_request_finish(request);
        return;
    }
    if (!read(object, &command, &err)) {
        refuse(request, &err);
        return;
    }
    if (!path_id(request, &command.id))
        return;
    // Over HTTP no round trip is measured: only our own delay is credited.
    if (command.kind == LIVE_MOVE)
        command.delay_ms = (uint32_t)net_hub_commit_wait(&request->server->hub, &command.id);
    net_request_live(request, &command, NULL);
}

void api_move(NetRequest *request) {
    body_command(request, net_command_move);
}

void api_draw(NetRequest *request) {
    body_command(request, net_command_draw);
}

void api_abandon(NetRequest *request) {
    body_command(request, net_command_abandon);
}

void api_resign(NetRequest *request) {
    bare_command(request, LIVE_RESIGN);
}

void api_abort(NetRequest *request) {
    bare_command(request, LIVE_ABORT);
}

void api_flag(NetRequest *request) {
    bare_command(request, LIVE_FLAG);
}

// ---- looking at games -------------------------------------------------------------------------

static void reply_pgn(NetRequest *request, const LiveGameView *game) {
    NetBuf *out = net_reply_json(request, 200);
    if (out == NULL)
        return;
    request->type = "application/x-chess-pgn; charset=utf-8";
    if (!net_pgn_write(request->server->site, game, out))
        net_reply_fault(request, "internal", NULL, "no memory for the answer");
}

static bool wants_pgn(const NetRequest *request) {
    return jd_str_ends_with(request->path, JD_STR(".pgn"));
}

// A game that is no longer in memory.
static void read_record(NetRequest *request, NetWorkerKit *kit) {
    NetRecord record;
    LiveId id;
    bool found = false;
    JdErr err = { 0 };
    if (!live_id_parse(request->params[0], &id)) {
        net_reply_fault(request, "not_found", NULL, "there is no such game");
        return;
    }
    if (!net_record_read(kit, &id, request->now, &record, &found, &err)) {
        NetError fault = { 0 };
        net_record_fault(&err, &fault);
        net_reply_error(request, &fault);
        return;
    }
    if (!found)
        net_reply_fault(request, "not_found", NULL, "there is no such game");
    else if (wants_pgn(request))
        reply_pgn(request, &record.game);
    else
        reply_game(request, &record.game);
    net_record_free(&record);
}

static void game_answered(NetRequest *request, const LiveAnswer *answer) {
    if (answer->kind == LIVE_ANSWER_ERROR && strcmp(answer->code, "not_found") == 0) {
        net_request_work(request, read_record, NULL, false);
        return;
    }
    if (answer->kind == LIVE_ANSWER_GAME && wants_pgn(request)) {
        reply_pgn(request, answer->game);
        net_request_finish(request);
        return;
    }
    net_answer_reply(request, answer);
}

void api_game(NetRequest *request) {
    LiveCommand command = { .kind = LIVE_QUERY_GAME };
    if (path_id(request, &command.id))
        net_request_live(request, &command, game_answered);
}

void api_game_pgn(NetRequest *request) {
    api_game(request);
}
