// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was said at a game.
#include <stdlib.h>

#include "net/api.h"
#include "net/json_out.h"

void api_chat(NetRequest *request, NetWorkerKit *kit) {
    static const char *const names[] = { "room", "before" };
    if (!net_request_query_only(request, names, JD_COUNT(names)))
        return;
    const JdStr room = net_request_query(request, "room");
    const JdStr before = net_request_query(request, "before");
    const bool watchers = jd_str_equal(room, JD_STR("watchers"));
    uint64_t below = 0;
    if (room.size > 0 && !watchers && !jd_str_equal(room, JD_STR("players"))) {
        net_reply_fault(request, "bad_request", "room", "room: expected players or watchers");
        return;
    }
    if (before.size > 0 && (!jd_parse_u64(before, INT64_MAX, &below) || below == 0)) {
        net_reply_fault(request, "bad_request", "before", "before: expected the number of a line");
        return;
    }
    PagesChat *chat = calloc(1, sizeof(*chat));
    if (chat == NULL) {
        net_reply_fault(request, "internal", NULL, "no memory for the answer");
        return;
    }
    request->results = chat;
    const PagesChatAsk ask = {
        .game = request->params[0],
        .room = watchers ? PAGES_ROOM_WATCHERS : PAGES_ROOM_PLAYERS,
        .account = request->logged_in ? request->me.account : 0,
        .before = (int64_t)below,
    };
    PagesFault fault = { 0 };
    if (!pages_chat(kit->pages, &ask, chat, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_chat_found(NetRequest *request) {
    const PagesChat *chat = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "lines");
        json_out_open(out, '[');
        for (size_t i = 0; i < chat->count; i++) {
            const PagesChatLine *line = &chat->lines[i];
            json_out_open(out, '{');
            json_out_key_int(out, "seq", line->seq);
            json_out_key_cstr(out, "by",
                              line->account == chat->white   ? "white"
                              : line->account == chat->black ? "black"
                                                             : NULL);
            json_out_key_cstr(out, "nick", line->nick[0] == '\0' ? NULL : line->nick);
            json_out_key_int(out, "at", line->time_ms);
            json_out_key_text(out, "text", jd_str(line->text));
            json_out_close(out, '}');
        }
        json_out_close(out, ']');
        json_out_close(out, '}');
    }
    net_request_finish(request);
}
