// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ratings over HTTP: the lists, the table of expected scores, a player's standing and history.
#include <stdlib.h>

#include "net/api.h"
#include "net/json_out.h"

static bool read_list(NetRequest *request, JdStr word, RatingList *out) {
    if (rating_list_parse(word, out))
        return true;
    net_reply_fault(request, "bad_request", "list",
                    "list: expected classic, advance, rapid or blitz");
    return false;
}

// limit and after of a list that is read page by page.
static bool read_page(NetRequest *request, PagesTableQuery *out) {
    uint64_t limit = 0;
    const JdStr text = net_request_query(request, "limit");
    if (text.size > 0 && (!jd_parse_u64(text, PAGES_RATINGS_MAX, &limit) || limit == 0)) {
        net_reply_fault(request, "bad_request", "limit", "limit: expected a number from 1 to 100");
        return false;
    }
    out->limit = (uint32_t)limit;
    out->after = net_request_query(request, "after");
    return true;
}

static void *take_results(NetRequest *request, size_t size) {
    request->results = calloc(1, size);
    if (request->results == NULL)
        net_reply_fault(request, "internal", NULL, "no memory for the answer");
    return request->results;
}

static void write_cursor(NetBuf *out, const char *after) {
    json_out_key_cstr(out, "after", after[0] == '\0' ? NULL : after);
}

static void write_score(NetBuf *out, RatingPlayer standing, uint32_t wins, uint32_t draws,
                        uint32_t losses) {
    json_out_key_int(out, "rating", standing.rating);
    json_out_key_bool(out, "provisional", rating_is_provisional(standing.games));
    json_out_key_int(out, "class", rating_class(standing.rating));
    json_out_key_int(out, "games", standing.games);
    json_out_key_int(out, "wins", wins);
    json_out_key_int(out, "draws", draws);
    json_out_key_int(out, "losses", losses);
}

// ---- the table of a list ----------------------------------------------------------------------

void api_ratings(NetRequest *request, NetWorkerKit *kit) {
    static const char *const names[] = { "limit", "after", "all" };
    PagesTableQuery query = { .list = RATING_CLASSIC };
    if (!net_request_query_only(request, names, JD_COUNT(names)))
        return;
    // A list that is not there is a page that is not there.
    if (!rating_list_parse(request->params[0], &query.list)) {
        net_reply_fault(request, "not_found", NULL, "there is no such list");
        return;
    }
    const JdStr all = net_request_query(request, "all");
    if (all.size > 0 && !jd_str_equal(all, JD_STR("1"))) {
        net_reply_fault(request, "bad_request", "all", "all: expected 1");
        return;
    }
    query.all = all.size > 0;
    if (!read_page(request, &query))
        return;
    PagesRatingTable *table = take_results(request, sizeof(*table));
    PagesFault fault = { 0 };
    if (table != NULL && !pages_rating_table(kit->pages, &query, request->now, table, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_ratings_found(NetRequest *request) {
    const PagesRatingTable *table = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "players");
        json_out_open(out, '[');
        for (size_t i = 0; i < table->count; i++) {
            const PagesRatingRow *row = &table->rows[i];
            json_out_open(out, '{');
            json_out_key_int(out, "place", row->place);
            json_out_key_cstr(out, "nick", row->nick);
            write_score(out, row->standing, row->wins, row->draws, row->losses);
            json_out_key_int(out, "month", row->month);
            json_out_key_int(out, "last", row->last_ms);
            json_out_close(out, '}');
        }
        json_out_close(out, ']');
        write_cursor(out, table->after);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

// ---- expected scores --------------------------------------------------------------------------

#define DIFFERENCE_MAX 10000

// Without a difference the whole table.
static void reply_table(NetRequest *request) {
    NetBuf *out = net_reply_json(request, 200);
    if (out == NULL)
        return;
    json_out_open(out, '{');
    json_out_key(out, "rows");
    json_out_open(out, '[');
    for (int i = 0; i < RATING_ROWS; i++) {
        const RatingRow row = rating_row(i);
        json_out_open(out, '{');
        json_out_key_int(out, "from", row.from);
        json_out_key(out, "to");
        if (row.to == INT32_MAX)
            json_out_null(out);
        else
            json_out_int(out, row.to);
        json_out_key_int(out, "higher", row.higher);
        json_out_key_int(out, "lower", row.lower);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
    json_out_close(out, '}');
}

void api_rating_expected(NetRequest *request) {
    static const char *const names[] = { "diff" };
    uint64_t difference = 0;
    if (!net_request_query_only(request, names, JD_COUNT(names))) {
        net_request_finish(request);
        return;
    }
    JdStr text = net_request_query(request, "diff");
    if (request->query_count == 0) {
        reply_table(request);
        net_request_finish(request);
        return;
    }
    const bool below = jd_str_starts_with(text, JD_STR("-"));
    text = jd_str_part(text, below ? 1 : 0, text.size);
    if (!jd_parse_u64(text, DIFFERENCE_MAX, &difference)) {
        net_reply_fault(request, "bad_request", "diff",
                        "diff: expected a difference from -10000 to 10000");
        net_request_finish(request);
        return;
    }
    const int32_t lead = below ? -(int32_t)difference : (int32_t)difference;
    const int32_t expected = rating_expected(lead, 0);
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_int(out, "diff", lead);
        json_out_key_int(out, "expected", expected);
        json_out_key_int(out, "opponent", 100 - expected);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

// ---- a player ---------------------------------------------------------------------------------

typedef struct PlayerRatings {
    bool one_list;
    RatingList list;
    PagesPlayerRatings standings; // all lists
    PagesRatingHistory history;   // one list
} PlayerRatings;

void api_player_ratings(NetRequest *request, NetWorkerKit *kit) {
    static const char *const names[] = { "list", "limit", "after" };
    if (!net_request_query_only(request, names, JD_COUNT(names)))
        return;
    PagesTableQuery query = { .list = RATING_CLASSIC };
    const JdStr list = net_request_query(request, "list");
    if (!read_page(request, &query) || (list.size > 0 && !read_list(request, list, &query.list)))
        return;
    if (list.size == 0 && (query.limit > 0 || query.after.size > 0)) {
        net_reply_fault(request, "bad_request", "list", "list: the history of which one?");
        return;
    }
    PlayerRatings *results = take_results(request, sizeof(*results));
    PagesFault fault = { 0 };
    if (results == NULL)
        return;
    results->one_list = list.size > 0;
    results->list = query.list;
    const bool ok = results->one_list
                        ? pages_rating_history(kit->pages, request->params[0], &query,
                                               &results->history, &fault)
                        : pages_player_ratings(kit->pages, request->params[0], request->now,
                                               &results->standings, &fault);
    if (!ok)
        net_reply_pages_fault(request, &fault);
}

static void write_standings(NetBuf *out, const PagesPlayerRatings *ratings) {
    json_out_key(out, "lists");
    json_out_open(out, '{');
    for (int list = 0; list < RATING_LISTS; list++) {
        const PagesListStanding *standing = &ratings->lists[list];
        json_out_key(out, rating_list_name((RatingList)list));
        json_out_open(out, '{');
        write_score(out, standing->standing, standing->wins, standing->draws, standing->losses);
        json_out_key(out, "place");
        if (standing->place == 0)
            json_out_null(out);
        else
            json_out_int(out, standing->place);
        json_out_key(out, "last");
        if (standing->last_ms == 0)
            json_out_null(out);
        else
            json_out_int(out, standing->last_ms);
        json_out_close(out, '}');
    }
    json_out_close(out, '}');
}

static void write_change_row(NetBuf *out, const PagesChangeRow *row) {
    static const char *const points[] = { "0", "1/2", "1" };
    json_out_open(out, '{');
    json_out_key_cstr(out, "game", row->game.text);
    json_out_key_int(out, "ended", row->ended_ms);
    json_out_key_cstr(out, "color", row->color == 0 ? "white" : "black");
    json_out_key_cstr(out, "opponent", row->opponent[0] == '\0' ? NULL : row->opponent);
    json_out_key_int(out, "opponent_rating", row->opponent_rating);
    json_out_key_cstr(out, "score", points[row->half_points]);
    json_out_key_int(out, "before", row->change.before);
    json_out_key_int(out, "after", row->change.after);
    json_out_key_int(out, "k", row->change.k);
    json_out_key_int(out, "e", row->change.expected);
    json_out_close(out, '}');
}

void api_player_ratings_found(NetRequest *request) {
    const PlayerRatings *results = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        if (!results->one_list) {
            write_standings(out, &results->standings);
        } else {
            json_out_key_cstr(out, "list", rating_list_name(results->list));
            json_out_key(out, "games");
            json_out_open(out, '[');
            for (size_t i = 0; i < results->history.count; i++)
                write_change_row(out, &results->history.rows[i]);
            json_out_close(out, ']');
            write_cursor(out, results->history.after);
        }
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

void api_player_graph(NetRequest *request, NetWorkerKit *kit) {
    static const char *const names[] = { "list" };
    RatingList list;
    if (!net_request_query_only(request, names, JD_COUNT(names)) ||
        !read_list(request, net_request_query(request, "list"), &list))
        return;
    PagesRatingGraph *graph = take_results(request, sizeof(*graph));
    PagesFault fault = { 0 };
    if (graph != NULL && !pages_rating_graph(kit->pages, request->params[0], list, graph, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_player_graph_found(NetRequest *request) {
    const PagesRatingGraph *graph = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "points");
        json_out_open(out, '[');
        for (size_t i = 0; i < graph->count; i++) {
            json_out_open(out, '[');
            json_out_int(out, graph->points[i].ended_ms);
            json_out_int(out, graph->points[i].rating);
            json_out_close(out, ']');
        }
        json_out_close(out, ']');
        json_out_close(out, '}');
    }
    net_request_finish(request);
}
