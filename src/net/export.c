// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything the house holds of a person, as one ZIP: account, devices, blocked players and
// lines of chat as JSON, the games that have ended as PGN.
#include <stdlib.h>
#include <string.h>

#include <zip.h>

#include "net/api.h"
#include "net/json_out.h"
#include "net/log.h"
#include "net/me.h"
#include "net/record.h"

#define PGN_MAX ((size_t)64 * 1024 * 1024)

// Bytes that grow past what an answer may have.
typedef struct Text {
    char *data;
    size_t size;
    size_t capacity;
    bool failed;
} Text;

static char *room(Text *text, size_t size) {
    if (text->failed || size > PGN_MAX - text->size) {
        text->failed = true;
        return NULL;
    }
    if (text->capacity - text->size < size) {
        const size_t capacity = text->capacity * 2 + size;
        char *wider = realloc(text->data, capacity);
        if (wider == NULL) {
            text->failed = true;
            return NULL;
        }
        text->data = wider;
        text->capacity = capacity;
    }
    return text->data + text->size;
}

// ---- the parts --------------------------------------------------------------------------------

static bool add_account(NetRequest *request, NetWorkerKit *kit, NetBuf *out, PagesFault *fault) {
    PagesDevices devices;
    PagesIgnoredList *ignored = calloc(1, sizeof(*ignored));
    bool ok = ignored != NULL || (net_reply_fault(request, "internal", NULL, "no memory"), false);
    ok = ok &&
         pages_devices(kit->pages, request->me.account, jd_str(request->token), request->now,
                       &devices, fault) &&
         pages_ignored_list(kit->pages, request->me.account, ignored, fault);
    if (ok) {
        json_out_open(out, '{');
        json_out_key(out, "account");
        net_write_me(out, &request->me);
        json_out_key(out, "devices");
        json_out_open(out, '[');
        for (size_t i = 0; i < devices.count; i++) {
            json_out_open(out, '{');
            json_out_key_int(out, "created", devices.list[i].created_ms);
            json_out_key_int(out, "seen", devices.list[i].seen_ms);
            json_out_key_cstr(out, "agent", devices.list[i].agent);
            json_out_close(out, '}');
        }
        json_out_close(out, ']');
        json_out_key(out, "blocks");
        json_out_open(out, '[');
        for (size_t i = 0; i < ignored->count; i++)
            json_out_cstr(out, ignored->list[i].nick);
        json_out_close(out, ']');
        json_out_close(out, '}');
    }
    free(ignored);
    return ok;
}

static bool add_chat(NetRequest *request, NetWorkerKit *kit, NetBuf *out, JdErr *err) {
    StoreStmt *find = store_query(kit->db, STORE_CHAT_OF);
    store_bind_int(find, 1, request->me.account);
    json_out_open(out, '[');
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW) {
        json_out_open(out, '{');
        json_out_key_text(out, "game", store_column_text(find, 0));
        json_out_key_int(out, "at", store_column_int(find, 1));
        json_out_key_text(out, "text", store_column_text(find, 2));
        json_out_close(out, '}');
    }
    store_done(find);
    json_out_close(out, ']');
    return step != STORE_STEP_FAILED;
}

static bool add_game(NetRequest *request, NetWorkerKit *kit, const StoreId *id, Text *out,
                     JdErr *err) {
    LiveId game;
    NetRecord record;
    bool found = false;
    if (!live_id_parse(store_id_str(id), &game))
        return true;
    if (!net_record_read(kit, &game, request->now, &record, &found, err))
        return false;
    if (found) {
        const LivePgnTags tags = { .event = record.game.row.rated ? JD_STR("Rated game")
                                                                  : JD_STR("Casual game"),
                                   .site = jd_str(request->server->site) };
        const size_t most = live_game_pgn_size(&record.game, &tags) + 1;
        char *space = room(out, most);
        if (space != NULL) {
            JdOut text = jd_out(space, most);
            live_game_pgn(&record.game, &tags, &text);
            jd_out_char(&text, '\n');
            out->size += text.size;
        }
        net_record_free(&record);
    }
    return true;
}

static bool add_games(NetRequest *request, NetWorkerKit *kit, Text *out, PagesFault *fault) {
    PagesGames *games = calloc(1, sizeof(*games));
    char after[PAGES_CURSOR_SIZE] = "";
    bool ok = games != NULL;
    for (bool more = ok; ok && more;) {
        ok = pages_player_games(kit->pages, jd_str(request->me.nick), PAGES_LIST_MAX, jd_str(after),
                                games, fault);
        for (size_t i = 0; ok && i < games->count; i++)
            ok = add_game(request, kit, &games->rows[i].game.id, out, &fault->err);
        more = ok && games->after[0] != '\0';
        memcpy(after, games->after, sizeof(after));
    }
    free(games);
    return ok && !out->failed;
}

// ---- the ZIP ----------------------------------------------------------------------------------

typedef struct ZipResult {
    unsigned char *data;
    size_t size;
} ZipResult;

static bool add_file(zip_t *zip, const char *name, const void *data, size_t size) {
    zip_source_t *source = zip_source_buffer(zip, data, size, 0);
    if (source != NULL && zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8) >= 0)
        return true;
    zip_source_free(source);
    return false;
}

static bool read_back(zip_source_t *bytes, ZipResult *out) {
    zip_stat_t stat;
    if (zip_source_stat(bytes, &stat) != 0 || zip_source_open(bytes) != 0)
        return false;
    out->data = malloc(stat.size + 1);
    out->size = stat.size;
    const bool ok =
        out->data != NULL && zip_source_read(bytes, out->data, stat.size) == (zip_int64_t)stat.size;
    zip_source_close(bytes);
    return ok;
}

static bool pack(const NetBuf *account, const NetBuf *chat, const Text *games, ZipResult *out) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *bytes = zip_source_buffer_create(NULL, 0, 0, &error);
    zip_t *zip = bytes == NULL ? NULL : zip_open_from_source(bytes, ZIP_TRUNCATE, &error);
    if (zip == NULL) {
        zip_source_free(bytes);
        return false;
    }
    zip_source_keep(bytes);
    bool ok = add_file(zip, "account.json", account->data, account->size) &&
              add_file(zip, "chat.json", chat->data, chat->size) &&
              add_file(zip, "games.pgn", games->data != NULL ? games->data : "", games->size);
    if (!ok)
        zip_discard(zip);
    else
        ok = zip_close(zip) == 0 && read_back(bytes, out);
    zip_source_free(bytes);
    return ok;
}

void api_export(NetRequest *request, NetWorkerKit *kit) {
    NetBuf *account = net_buf_new();
    NetBuf *chat = net_buf_new();
    Text games = { .data = NULL };
    PagesFault fault = { 0 };
    ZipResult zip = { .data = NULL };
    const bool ok = account != NULL && chat != NULL && add_account(request, kit, account, &fault) &&
                    add_chat(request, kit, chat, &fault.err) &&
                    add_games(request, kit, &games, &fault) && !account->failed && !chat->failed &&
                    pack(account, chat, &games, &zip);
    if (ok) {
        request->results = zip.data;
        request->fixed = zip.data;
        request->fixed_size = zip.size;
    } else {
        net_log(NET_LOG_ERROR, "an archive of one's data: %s", fault.err.text);
        free(zip.data);
        net_reply_fault(request, "internal", NULL, "the archive cannot be made");
    }
    net_buf_drop(account);
    net_buf_drop(chat);
    free(games.data);
}

void api_exported(NetRequest *request) {
    request->status = 200;
    request->type = "application/zip";
    jd_format(request->extra, sizeof(request->extra),
              "Content-Disposition: attachment; filename=\"jadoube-%s.zip\"\r\n", "data");
    net_request_finish(request);
}
