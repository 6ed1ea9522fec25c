// SPDX-License-Identifier: GPL-3.0-or-later
//
// Playing against the computer over HTTP: the levels, a guest's account, a game, a move taken back.
#include <sodium.h>

#include "engine/engine.h"
#include "net/api.h"
#include "net/commands.h"
#include "net/computer.h"
#include "net/json_in.h"
#include "net/json_out.h"
#include "net/me.h"

// ---- levels -------------------------------------------------------------------------------------

void api_computers(NetRequest *request) {
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        EngineStats stats;
        net_computer_stats(request->server->computer, &stats);
        json_out_open(out, '{');
        json_out_key_bool(out, "available", net_computer_is_there(request->server->computer));
        json_out_key_cstr(out, "engine", stats.name[0] == '\0' ? NULL : stats.name);
        json_out_key(out, "levels");
        json_out_open(out, '[');
        for (int i = 1; i <= ENGINE_LEVELS; i++) {
            json_out_open(out, '{');
            json_out_key_int(out, "level", i);
            json_out_key_cstr(out, "name", engine_level(i)->name);
            json_out_key_int(out, "elo", engine_level(i)->elo);
            json_out_close(out, '}');
        }
        json_out_close(out, ']');
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

// ---- guests -------------------------------------------------------------------------------------

void api_guest(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { { "language", NET_FIELD_TEXT, false, 2, 2, 0 } };
    JdStr language = { NULL, 0 };
    NetError err = { 0 };
    PagesSession session;
    PagesFault fault;
    json_t *object = net_request_json(request);
    if (object == NULL)
        return;
    if (request->logged_in) {
        net_reply_fault(request, "conflict", NULL, "you are logged in");
    } else if (!net_json_read(object, fields, JD_COUNT(fields), &language, &err)) {
        net_reply_error(request, &err);
    } else if (!pages_guest(kit->pages, language, &request->address, request->now, &session,
                            &fault)) {
        net_reply_pages_fault(request, &fault);
    } else {
        NetBuf *out = net_reply_json(request, 201);
        if (out != NULL) {
            json_out_open(out, '{');
            json_out_key(out, "me");
            net_write_me(out, &session.me);
            json_out_close(out, '}');
            net_reply_cookie(request, &session);
        }
    }
    sodium_memzero(&session, sizeof session);
}

void api_guest_made(NetRequest *request) {
    net_request_finish(request);
}

// ---- games --------------------------------------------------------------------------------------

static void created(NetRequest *request, const LiveAnswer *answer) {
    if (answer->kind != LIVE_ANSWER_GAME_ID) {
        net_answer_reply(request, answer);
        return;
    }
    NetBuf *out = net_reply_json(request, 201);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_cstr(out, "game", answer->id.text);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

void api_computer_game(NetRequest *request) {
    LiveCommand command = { .kind = LIVE_PLAY_COMPUTER };
    NetError err = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL) {
        net_request_finish(request);
        return;
    }
    if (!net_computer_is_there(request->server->computer)) {
        net_reply_fault(request, "no_engine", NULL, "no engine is installed here");
        net_request_finish(request);
        return;
    }
    if (!net_command_computer(object, &command, &err)) {
        net_reply_error(request, &err);
        net_request_finish(request);
        return;
    }
    net_command_house(&request->server->config, &command);
    randombytes_buf(command.random, sizeof(command.random));
    net_request_live(request, &command, created);
}
