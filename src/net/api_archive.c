// SPDX-License-Identifier: GPL-3.0-or-later
//
// The archive: finished games by filter, as rows or as PGN; and what runs now.
#include <stdlib.h>
#include <string.h>

#include "net/api.h"
#include "net/json_live.h"
#include "net/json_out.h"
#include "net/log.h"
#include "net/pgn.h"
#include "net/record.h"
#include "net/rows.h"

// ---- filters ----------------------------------------------------------------------------------

static const char *const names[] = { "player", "result", "list",  "edition",
                                     "from",   "to",     "limit", "after" };

static bool bad(NetRequest *request, const char *field, const char *message) {
    net_reply_fault(request, "bad_request", field, message);
    return false;
}

static bool read_time(NetRequest *request, const char *field, int64_t *out) {
    uint64_t ms = 0;
    const JdStr text = net_request_query(request, field);
    if (text.size == 0)
        return true;
    if (!jd_parse_u64(text, INT64_MAX, &ms))
        return bad(request, field, "expected milliseconds since 1970");
    *out = (int64_t)ms;
    return true;
}

static bool read_filter(NetRequest *request, uint32_t most, PagesFilter *out) {
    static const char *const results[] = { "1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2" };
    *out = (PagesFilter) { .list = -1, .to_ms = INT64_MAX };
    if (!net_request_query_only(request, names, JD_COUNT(names)))
        return false;
    out->player = net_request_query(request, "player");
    out->after = net_request_query(request, "after");
    out->result = net_request_query(request, "result");
    size_t result = 0;
    while (result < JD_COUNT(results) && !jd_str_equal(out->result, jd_str(results[result])))
        result++;
    if (out->result.size > 0 && result == JD_COUNT(results))
        return bad(request, "result", "result: expected 1-0, 0-1, 1/2-1/2 or another result");
    RatingList list;
    const JdStr word = net_request_query(request, "list");
    if (word.size > 0 && !rating_list_parse(word, &list))
        return bad(request, "list", "list: expected classic, advance, rapid or blitz");
    if (word.size > 0)
        out->list = (int)list;
    const JdStr edition = net_request_query(request, "edition");
    LawsEdition number;
    if (edition.size > 0 && !laws_edition_parse(edition, &number))
        return bad(request, "edition", "edition: expected fide-1997 ... fide-2023");
    out->edition = edition.size > 0 ? (int)number : -1;
    if (!read_time(request, "from", &out->from_ms) || !read_time(request, "to", &out->to_ms))
        return false;
    uint64_t limit = 0;
    const JdStr text = net_request_query(request, "limit");
    if (text.size > 0 && (!jd_parse_u64(text, most, &limit) || limit == 0))
        return bad(request, "limit", "limit: expected a smaller number above 0");
    out->limit = (uint32_t)limit;
    return true;
}

static PagesGames *search(NetRequest *request, NetWorkerKit *kit, const PagesFilter *filter) {
    PagesFault fault = { 0 };
    PagesGames *games = calloc(1, sizeof(*games));
    if (games == NULL) {
        net_reply_fault(request, "internal", NULL, "no memory for the answer");
    } else if (!pages_search(kit->pages, filter, games, &fault)) {
        net_reply_pages_fault(request, &fault);
        free(games);
        games = NULL;
    }
    return games;
}

void api_games(NetRequest *request, NetWorkerKit *kit) {
    PagesFilter filter;
    if (read_filter(request, PAGES_LIST_MAX, &filter))
        request->results = search(request, kit, &filter);
}

void api_games_found(NetRequest *request) {
    net_reply_rows(request, request->results);
    net_request_finish(request);
}

// ---- PGN --------------------------------------------------------------------------------------

// How many bytes of games one answer holds at most; the rest comes with a later `to`.
#define PGN_BYTES_MAX ((size_t)8 * 1024 * 1024)

// False after a refusal was written.
static bool add_game(NetRequest *request, NetWorkerKit *kit, const StoreId *id, NetBuf *out) {
    NetRecord record;
    LiveId game;
    bool found = false;
    JdErr err = { 0 };
    if (!live_id_parse(store_id_str(id), &game))
        return true;
    if (!net_record_read(kit, &game, request->now, &record, &found, &err)) {
        NetError fault = { 0 };
        net_log(NET_LOG_ERROR, "game %s: %s", id->text, err.text);
        net_record_fault(&err, &fault);
        net_reply_error(request, &fault);
        return false;
    }
    const bool ok = !found || net_pgn_write(request->server->site, &record.game, out);
    net_record_free(&record);
    if (!ok)
        net_reply_fault(request, "internal", NULL, "a game cannot be read");
    return ok;
}

// Games are read and written one after the other; what is held is the text alone.
void api_games_pgn(NetRequest *request, NetWorkerKit *kit) {
    PagesFilter filter;
    if (!read_filter(request, PAGES_PGN_MAX, &filter))
        return;
    uint32_t left = filter.limit == 0 ? PAGES_PGN_MAX : filter.limit;
    NetBuf *out = net_reply_json(request, 200);
    if (out == NULL)
        return;
    request->type = "application/x-chess-pgn; charset=utf-8";
    char after[PAGES_CURSOR_SIZE];
    for (bool more = true; more && left > 0 && out->size < PGN_BYTES_MAX;) {
        filter.limit = left < PAGES_LIST_MAX ? left : PAGES_LIST_MAX;
        PagesGames *games = search(request, kit, &filter);
        if (games == NULL)
            return;
        left -= (uint32_t)games->count;
        for (size_t i = 0; i < games->count; i++)
            if (!add_game(request, kit, &games->rows[i].game.id, out)) {
                free(games);
                return;
            }
        memcpy(after, games->after, sizeof(after));
        filter.after = jd_str(after);
        more = after[0] != '\0';
        free(games);
    }
}

// ---- what runs --------------------------------------------------------------------------------

void api_watch(NetRequest *request) {
    LiveCommand command = { .kind = LIVE_QUERY_WATCH };
    net_request_live(request, &command, NULL);
}
