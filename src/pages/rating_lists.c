// SPDX-License-Identifier: GPL-3.0-or-later
//
// What people read of the ratings: the table of a list, and one player's way there (S-119, S-120).
#include <string.h>

#include "pages/internal.h"

#define LIMIT_DEFAULT 50
#define DAY_MS INT64_C(86400000)
#define MONTH_MS (30 * DAY_MS)
#define ACTIVE_MS (365 * DAY_MS) // twelve months, leap years aside

static bool read_limit(uint32_t *limit, PagesFault *fault) {
    if (*limit > PAGES_RATINGS_MAX)
        return refuse(fault, PAGES_BAD_REQUEST, "limit", "expected 1 to %d", PAGES_RATINGS_MAX);
    if (*limit == 0)
        *limit = LIMIT_DEFAULT;
    return true;
}

static bool bad_cursor(PagesFault *fault) {
    return refuse(fault, PAGES_BAD_REQUEST, "after", "expected the cursor of an earlier answer");
}

static void copy_nick(char out[PAGES_NICK_SIZE], JdStr nick) {
    JD_ASSERT(nick.size < PAGES_NICK_SIZE);
    memset(out, 0, PAGES_NICK_SIZE);
    memcpy(out, nick.size > 0 ? nick.data : "", nick.size);
}

// ---- the table of a list ------------------------------------------------------------------------

// The last row of the page before, how many rows stood up to it, and its place.
typedef struct TableKey {
    int64_t rating;
    int64_t games;
    int64_t account;
    int64_t rows;
    int64_t place;
} TableKey;

static bool read_table_cursor(JdStr text, TableKey *out) {
    uint64_t parts[5];
    JdStr rest = text;
    for (size_t i = 0; i < JD_COUNT(parts); i++)
        if (!jd_parse_u64(jd_str_cut(&rest, '.'), INT64_MAX, &parts[i]))
            return false;
    *out = (TableKey) { (int64_t)parts[0], (int64_t)parts[1], (int64_t)parts[2], (int64_t)parts[3],
                        (int64_t)parts[4] };
    return rest.size == 0;
}

static void write_table_cursor(const TableKey *key, char out[PAGES_TABLE_CURSOR_SIZE]) {
    jd_format(out, PAGES_TABLE_CURSOR_SIZE, "%lld.%lld.%lld.%lld.%lld", (long long)key->rating,
              (long long)key->games, (long long)key->account, (long long)key->rows,
              (long long)key->place);
}

// One row of the table; *key moves on to it. Who has as many games at the same rating shares the
// place.
static void read_table_row(StoreStmt *find, TableKey *key, PagesRatingRow *row) {
    const int64_t rating = store_column_int(find, 2);
    const int64_t games = store_column_int(find, 3);
    const int64_t month_ago = store_column_is_null(find, 7) ? rating : store_column_int(find, 7);
    const bool shared = key->rows > 0 && key->rating == rating && key->games == games;
    key->rows++;
    *key = (TableKey) { rating, games, store_column_int(find, 1), key->rows,
                        shared ? key->place : key->rows };
    *row = (PagesRatingRow) {
        .place = (uint32_t)key->place,
        .standing = { (int32_t)rating, (uint32_t)games },
        .wins = (uint32_t)store_column_int(find, 4),
        .draws = (uint32_t)store_column_int(find, 5),
        .last_ms = store_column_int(find, 6),
        .month = (int32_t)(rating - month_ago),
    };
    row->losses = row->standing.games - row->wins - row->draws;
    copy_nick(row->nick, store_column_text(find, 0));
}

bool pages_rating_table(PagesWorker *worker, const PagesTableQuery *query, JdInstant now,
                        PagesRatingTable *out, PagesFault *fault) {
    TableKey key = { INT64_MAX, INT64_MAX, 0, 0, 0 };
    uint32_t limit = query->limit;
    JdErr err = { 0 };
    *out = (PagesRatingTable) { 0 };
    if (!read_limit(&limit, fault))
        return false;
    if (query->after.size > 0 && !read_table_cursor(query->after, &key))
        return bad_cursor(fault);
    StoreStmt *find = store_query(worker->db, STORE_RATING_TABLE);
    store_bind_int(find, 1, query->list);
    store_bind_int(find, 2, query->all ? 0 : now.ms - ACTIVE_MS);
    store_bind_int(find, 3, key.rating);
    store_bind_int(find, 4, key.games);
    store_bind_int(find, 5, key.account);
    store_bind_int(find, 6, now.ms - MONTH_MS);
    store_bind_int(find, 7, (int64_t)limit + 1);
    StoreStep step;
    while ((step = store_step(find, &err)) == STORE_STEP_ROW && out->count < limit)
        read_table_row(find, &key, &out->rows[out->count++]);
    if (step == STORE_STEP_ROW)
        write_table_cursor(&key, out->after);
    store_done(find);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}

// ---- one player ---------------------------------------------------------------------------------

// Where the player stands among those who have played in the last twelve months; 0: he has not.
static bool read_place(StoreDb *db, int list, JdInstant now, PagesListStanding *out, JdErr *err) {
    if (out->last_ms < now.ms - ACTIVE_MS)
        return true;
    StoreStmt *count = store_query(db, STORE_RATING_PLACE);
    store_bind_int(count, 1, list);
    store_bind_int(count, 2, now.ms - ACTIVE_MS);
    store_bind_int(count, 3, out->standing.rating);
    store_bind_int(count, 4, out->standing.games);
    const bool ok = store_step(count, err) == STORE_STEP_ROW;
    if (ok)
        out->place = (uint32_t)store_column_int(count, 0) + 1;
    store_done(count);
    return ok;
}

bool pages_player_ratings(PagesWorker *worker, JdStr nick, JdInstant now, PagesPlayerRatings *out,
                          PagesFault *fault) {
    JdErr err = { 0 };
    *out = (PagesPlayerRatings) { 0 };
    for (int list = 0; list < RATING_LISTS; list++)
        out->lists[list].standing.rating = RATING_DEFAULT;
    if (!player_find(worker, nick, &out->account, fault))
        return false;
    StoreStmt *find = store_query(worker->db, STORE_RATINGS_OF);
    store_bind_int(find, 1, out->account);
    StoreStep step;
    while ((step = store_step(find, &err)) == STORE_STEP_ROW) {
        PagesListStanding *list = &out->lists[store_column_int(find, 0)];
        list->standing = (RatingPlayer) { (int32_t)store_column_int(find, 1),
                                          (uint32_t)store_column_int(find, 2) };
        list->wins = (uint32_t)store_column_int(find, 3);
        list->draws = (uint32_t)store_column_int(find, 4);
        list->losses = list->standing.games - list->wins - list->draws;
        list->last_ms = store_column_int(find, 5);
    }
    store_done(find);
    for (int list = 0; step != STORE_STEP_FAILED && list < RATING_LISTS; list++)
        if (!read_place(worker->db, list, now, &out->lists[list], &err))
            step = STORE_STEP_FAILED;
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}

static void read_change(StoreStmt *find, PagesChangeRow *row) {
    *row = (PagesChangeRow) {
        .ended_ms = store_column_int(find, 0),
        .color = (uint8_t)store_column_int(find, 2),
        .half_points = (uint8_t)store_column_int(find, 3),
        .opponent_rating = (int32_t)store_column_int(find, 4),
        .change = { .before = (int32_t)store_column_int(find, 5),
                    .after = (int32_t)store_column_int(find, 6),
                    .k = (int32_t)store_column_int(find, 7),
                    .expected = (int32_t)store_column_int(find, 8) },
    };
    const bool sound = store_id(store_column_text(find, 1), &row->game);
    JD_ASSERT(sound);
    copy_nick(row->opponent, store_column_text(find, 9));
}

static bool read_history_cursor(JdStr text, int64_t *ended_ms, StoreId *id) {
    JdStr rest = text;
    uint64_t ended = 0;
    if (!jd_parse_u64(jd_str_cut(&rest, '.'), INT64_MAX, &ended) || !store_id(rest, id))
        return false;
    *ended_ms = (int64_t)ended;
    return true;
}

bool pages_rating_history(PagesWorker *worker, JdStr nick, const PagesTableQuery *query,
                          PagesRatingHistory *out, PagesFault *fault) {
    int64_t ended_ms = INT64_MAX;
    StoreId id = { "~" };
    uint32_t limit = query->limit;
    int64_t account;
    JdErr err = { 0 };
    *out = (PagesRatingHistory) { 0 };
    if (!read_limit(&limit, fault))
        return false;
    if (query->after.size > 0 && !read_history_cursor(query->after, &ended_ms, &id))
        return bad_cursor(fault);
    if (!player_find(worker, nick, &account, fault))
        return false;
    StoreStmt *find = store_query(worker->db, STORE_RATING_HISTORY);
    store_bind_int(find, 1, account);
    store_bind_int(find, 2, query->list);
    store_bind_int(find, 3, ended_ms);
    store_bind_text(find, 4, store_id_str(&id));
    store_bind_int(find, 5, (int64_t)limit + 1);
    StoreStep step;
    while ((step = store_step(find, &err)) == STORE_STEP_ROW && out->count < limit)
        read_change(find, &out->rows[out->count++]);
    if (step == STORE_STEP_ROW) {
        const PagesChangeRow *last = &out->rows[limit - 1];
        jd_format(out->after, sizeof out->after, "%lld.%s", (long long)last->ended_ms,
                  last->game.text);
    }
    store_done(find);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}

// Newest first, so that a long life keeps its newest part. True with *full when not all fitted.
static bool read_points(StoreDb *db, int64_t account, RatingList list, bool by_day,
                        PagesRatingGraph *out, bool *full, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_RATING_POINTS);
    store_bind_int(find, 1, account);
    store_bind_int(find, 2, list);
    StoreStep step;
    int64_t last_day = INT64_MAX;
    *full = false;
    out->count = 0;
    while (!*full && (step = store_step(find, err)) == STORE_STEP_ROW) {
        const int64_t ended_ms = store_column_int(find, 0);
        if (by_day && ended_ms / DAY_MS == last_day)
            continue;
        last_day = ended_ms / DAY_MS;
        *full = out->count == PAGES_GRAPH_MAX;
        if (!*full)
            out->points[out->count++] =
                (PagesRatingPoint) { ended_ms, (int32_t)store_column_int(find, 1) };
    }
    store_done(find);
    return *full || step != STORE_STEP_FAILED;
}

bool pages_rating_graph(PagesWorker *worker, JdStr nick, RatingList list, PagesRatingGraph *out,
                        PagesFault *fault) {
    int64_t account;
    JdErr err = { 0 };
    bool full;
    *out = (PagesRatingGraph) { 0 };
    if (!player_find(worker, nick, &account, fault))
        return false;
    if (!read_points(worker->db, account, list, false, out, &full, &err) ||
        (full && !read_points(worker->db, account, list, true, out, &full, &err)))
        return refuse_store(fault, &err);
    for (size_t i = 0; i < out->count / 2; i++) { // oldest first
        const PagesRatingPoint point = out->points[i];
        out->points[i] = out->points[out->count - 1 - i];
        out->points[out->count - 1 - i] = point;
    }
    return true;
}
