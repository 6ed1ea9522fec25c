// SPDX-License-Identifier: GPL-3.0-or-later
//
// The page of a game, sent with what its board needs: who asks, what he has set, and the game as it
// stands. The men can be moved as soon as the scripts have run, before any other answer of the
// server. What cannot be put in, the page asks for itself: a game that has left memory, or
// a server that cannot read now, gives the empty page.
#include <string.h>

#include <zlib.h>

#include "net/api.h"
#include "net/cluster.h"
#include "net/json_live.h"
#include "net/json_out.h"
#include "net/me.h"

// What the client's build left open in the page (web/build.mjs).
#define PLACE "<script type=\"application/json\" id=\"boot\">"

typedef struct GamePage {
    PagesPrefs prefs;
    bool has_prefs;
} GamePage;

// On a worker, with the session looked up.
void game_page_prefs(NetRequest *request, NetWorkerKit *kit) {
    GamePage *page = api_results(request, sizeof(*page));
    PagesFault fault = { 0 };
    if (page != NULL && request->logged_in)
        page->has_prefs = pages_prefs_read(kit->pages, request->me.account, &page->prefs, &fault);
}

static NetBuf *write_boot(const NetRequest *request, const LiveGameView *game) {
    const GamePage *page = request->results;
    NetBuf *out = net_buf_new();
    if (out == NULL)
        return NULL;
    json_out_open(out, '{');
    json_out_key_int(out, "now", net_now(request->server).ms);
    json_out_key(out, "me");
    net_write_me(out, request->logged_in ? &request->me : NULL);
    json_out_key(out, "prefs");
    if (page->has_prefs)
        net_write_prefs(out, &page->prefs);
    else
        json_out_null(out);
    json_out_key(out, "game");
    net_write_game(out, game);
    json_out_close(out, '}');
    return out;
}

// JSON inside a page: a "<" stands in texts only, and must not end the element or begin a comment.
static void add_escaped(NetBuf *out, JdStr json) {
    while (json.size > 0) {
        const size_t plain = jd_str_find(json, '<');
        net_buf_add(out, json.data, plain);
        if (plain == json.size)
            return;
        net_buf_add(out, "\\u003c", 6);
        json = jd_str_part(json, plain + 1, json.size);
    }
}

static bool fill(NetBuf *out, JdStr form, JdStr boot) {
    const JdStr place = JD_STR(PLACE);
    for (size_t at = 0; at + place.size <= form.size; at++) {
        if (memcmp(form.data + at, place.data, place.size) != 0)
            continue;
        net_buf_add(out, form.data, at + place.size);
        add_escaped(out, boot);
        net_buf_add(out, form.data + at + place.size, form.size - at - place.size);
        return !out->failed;
    }
    return false; // a client of another make
}

// NULL: no memory, and the page goes out as it is.
static NetBuf *pack(const NetBuf *page) {
    NetBuf *out = net_buf_new();
    z_stream stream = { 0 };
    if (out == NULL || page->size > UINT32_MAX ||
        deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        net_buf_drop(out);
        return NULL;
    }
    const size_t most = deflateBound(&stream, page->size);
    unsigned char *space = (unsigned char *)net_buf_space(out, most);
    stream.next_in = page->data;
    stream.avail_in = (uInt)page->size;
    stream.next_out = space;
    stream.avail_out = (uInt)most;
    const bool ok = space != NULL && deflate(&stream, Z_FINISH) == Z_STREAM_END;
    out->size += ok ? most - stream.avail_out : 0;
    deflateEnd(&stream);
    if (ok)
        return out;
    net_buf_drop(out);
    return NULL;
}

// The page in the reader's language; *read must be dropped when it is not NULL.
static JdStr form_of(const NetRequest *request, NetBuf **read) {
    char path[32];
    const char *dir = request->server->config.static_dir;
    jd_format(path, sizeof(path), "/game.%s.html", request->language);
    if (dir[0] != '\0') {
        const char *type = NULL;
        *read = net_file_read(dir, jd_str(path), &type);
        return *read == NULL ? jd_str("") : net_buf_str(*read);
    }
    const NetFile *file = net_file_find(jd_str(path));
    return file == NULL ? jd_str("")
                        : jd_str_n((const char *)file->forms[NET_IDENTITY].data,
                                   file->forms[NET_IDENTITY].size);
}

// On a worker: compressing is not for the loop.
static void put_together(NetRequest *request, NetWorkerKit *kit) {
    NetBuf *read = NULL;
    NetBuf *boot = request->reply;
    NetBuf *page = net_buf_new();
    (void)kit;
    request->reply = NULL;
    if (page != NULL && fill(page, form_of(request, &read), net_buf_str(boot))) {
        NetBuf *packed = NULL;
        if (net_accepts_coding(jd_str(request->accept_encoding), JD_STR("gzip")))
            packed = pack(page);
        request->coding = packed == NULL ? "" : "gzip";
        request->reply = net_buf_hold(packed == NULL ? page : packed);
        request->type = "text/html; charset=utf-8";
        request->status = 200;
        net_buf_drop(packed);
    }
    net_buf_drop(page);
    net_buf_drop(boot);
    net_buf_drop(read);
}

static void reply_empty_page(NetRequest *request) {
    if (request->status == 0)
        net_reply_app(request);
    net_request_finish(request);
}

static void game_found(NetRequest *request, const LiveAnswer *answer) {
    if (answer->kind == LIVE_ANSWER_GAME)
        request->reply = write_boot(request, answer->game);
    if (request->reply == NULL || request->reply->failed)
        reply_empty_page(request);
    else
        net_request_work(request, put_together, reply_empty_page, false);
}

void game_page(NetRequest *request) {
    LiveCommand command = { .kind = LIVE_QUERY_GAME };
    NetServer *server = request->server;
    // A game of another node is asked for by the page itself.
    if (live_id_parse(request->params[0], &command.id) && net_shell_ready(&server->shell) &&
        net_cluster_owner(server->cluster, &command.id) == NET_OWNER_SELF)
        net_request_live(request, &command, game_found);
    else
        reply_empty_page(request);
}
