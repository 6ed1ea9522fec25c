// SPDX-License-Identifier: GPL-3.0-or-later
//
// What everybody may see of a player: the profile and the games that have ended.
#include <string.h>

#include "pages/internal.h"

#define LIMIT_DEFAULT 20

static bool find_player(PagesWorker *worker, JdStr nick, Account *out, PagesFault *fault) {
    char skeleton[PAGES_SKELETON_SIZE];
    bool found = false;
    JdErr err = { 0 };
    if (pages_nick_skeleton(nick, skeleton) &&
        !account_by_skeleton(worker->db, skeleton, out, &found, &err))
        return refuse_store(fault, &err);
    sodium_memzero(out->hash, sizeof out->hash);
    return found || refuse(fault, PAGES_NOT_FOUND, "", "no such player");
}

bool player_find(PagesWorker *worker, JdStr nick, int64_t *account, PagesFault *fault) {
    Account found;
    if (!find_player(worker, nick, &found, fault))
        return false;
    *account = found.me.account;
    return true;
}

bool pages_player(PagesWorker *worker, JdStr nick, PagesPlayer *out, PagesFault *fault) {
    Account account;
    if (!find_player(worker, nick, &account, fault))
        return false;
    StoreStmt *counts = store_query(worker->db, STORE_PLAYER_COUNTS);
    store_bind_int(counts, 1, account.me.account);
    JdErr err = { 0 };
    const bool ok = store_step(counts, &err) == STORE_STEP_ROW;
    if (ok) {
        *out = (PagesPlayer) {
            .account = account.me.account,
            .created_ms = account.me.created_ms,
            .games = (uint32_t)store_column_int(counts, 0),
            .wins = (uint32_t)store_column_int(counts, 1),
            .draws = (uint32_t)store_column_int(counts, 2),
            .losses = (uint32_t)store_column_int(counts, 3),
        };
        memcpy(out->nick, account.me.nick, sizeof out->nick);
    }
    store_done(counts);
    if (!ok)
        return refuse_store(fault, &err);
    StoreStmt *hidden = store_query(worker->db, STORE_ONLINE_HIDDEN);
    store_bind_int(hidden, 1, out->account);
    const StoreStep step = store_step(hidden, &err);
    out->hidden = step == STORE_STEP_ROW;
    store_done(hidden);
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}

// ---- games --------------------------------------------------------------------------------------

// A cursor is the last row of the page before: the end of that game and its id.
static bool read_cursor(JdStr text, int64_t *ended_ms, StoreId *id) {
    JdStr rest = text;
    uint64_t ended = 0;
    if (!jd_parse_u64(jd_str_cut(&rest, '.'), INT64_MAX, &ended) || !store_id(rest, id))
        return false;
    *ended_ms = (int64_t)ended;
    return true;
}

static void write_cursor(const StoreGameRow *last, char out[PAGES_CURSOR_SIZE]) {
    jd_format(out, PAGES_CURSOR_SIZE, "%lld.%s", (long long)last->ended_ms, last->id.text);
}

static void copy_nick(char out[PAGES_NICK_SIZE], JdStr nick) {
    JD_ASSERT(nick.size < PAGES_NICK_SIZE);
    memset(out, 0, PAGES_NICK_SIZE);
    memcpy(out, nick.size > 0 ? nick.data : "", nick.size);
}

static void read_standing(StoreStmt *row, int column, RatingPlayer *out) {
    *out = (RatingPlayer) { .rating = RATING_DEFAULT };
    if (store_column_is_null(row, column))
        return;
    out->rating = (int32_t)store_column_int(row, column);
    out->games = (uint32_t)store_column_int(row, column + 1);
}

// One row more than asked tells whether there is another page.
static bool read_games(StoreStmt *find, size_t limit, PagesGames *out, JdErr *err) {
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW && out->count < limit) {
        PagesGameRow *row = &out->rows[out->count++];
        store_game_row_of(find, &row->game);
        copy_nick(row->white, store_column_text(find, 21));
        copy_nick(row->black, store_column_text(find, 22));
        read_standing(find, 23, &row->standing[0]);
        read_standing(find, 25, &row->standing[1]);
    }
    if (step == STORE_STEP_ROW)
        write_cursor(&out->rows[limit - 1].game, out->after);
    store_done(find);
    return step != STORE_STEP_FAILED;
}

bool pages_player_games(PagesWorker *worker, JdStr nick, uint32_t limit, JdStr after,
                        PagesGames *out, PagesFault *fault) {
    int64_t ended_ms = INT64_MAX;
    StoreId id = { "~" };
    if (limit > PAGES_LIST_MAX)
        return refuse(fault, PAGES_BAD_REQUEST, "limit", "expected 1 to %d", PAGES_LIST_MAX);
    if (after.size > 0 && !read_cursor(after, &ended_ms, &id))
        return refuse(fault, PAGES_BAD_REQUEST, "after",
                      "expected the cursor of an earlier answer");
    limit = limit == 0 ? LIMIT_DEFAULT : limit;
    Account account;
    if (!find_player(worker, nick, &account, fault))
        return false;
    StoreStmt *find = store_query(worker->db, STORE_PLAYER_GAMES);
    store_bind_int(find, 1, account.me.account);
    store_bind_int(find, 2, ended_ms);
    store_bind_text(find, 3, store_id_str(&id));
    store_bind_int(find, 4, (int64_t)limit + 1);
    *out = (PagesGames) { 0 };
    JdErr err = { 0 };
    return read_games(find, limit, out, &err) || refuse_store(fault, &err);
}

static void bind_number(StoreStmt *stmt, int index, int value) {
    if (value < 0)
        store_bind_null(stmt, index);
    else
        store_bind_int(stmt, index, value);
}

bool pages_search(PagesWorker *worker, const PagesFilter *filter, PagesGames *out,
                  PagesFault *fault) {
    int64_t ended_ms = INT64_MAX;
    StoreId id = { "~" };
    const bool of_player = filter->player.size > 0;
    const uint32_t limit = filter->limit == 0 ? LIMIT_DEFAULT : filter->limit;
    int64_t account = 0;
    if (limit > PAGES_LIST_MAX)
        return refuse(fault, PAGES_BAD_REQUEST, "limit", "expected 1 to %d", PAGES_LIST_MAX);
    if (filter->after.size > 0 && !read_cursor(filter->after, &ended_ms, &id))
        return refuse(fault, PAGES_BAD_REQUEST, "after",
                      "expected the cursor of an earlier answer");
    if (of_player && !player_find(worker, filter->player, &account, fault))
        return false;
    StoreStmt *find =
        store_query(worker->db, of_player ? STORE_GAMES_SEARCH_OF : STORE_GAMES_SEARCH);
    store_bind_int(find, 1, account);
    store_bind_int(find, 2, ended_ms);
    store_bind_text(find, 3, store_id_str(&id));
    store_bind_int(find, 4, (int64_t)limit + 1);
    if (filter->result.size > 0)
        store_bind_text(find, 5, filter->result);
    else
        store_bind_null(find, 5);
    bind_number(find, 6, filter->list);
    bind_number(find, 7, filter->edition);
    store_bind_int(find, 8, filter->from_ms);
    store_bind_int(find, 9, filter->to_ms);
    *out = (PagesGames) { 0 };
    JdErr err = { 0 };
    return read_games(find, limit, out, &err) || refuse_store(fault, &err);
}

bool pages_nicks(PagesWorker *worker, const int64_t *accounts, size_t count, PagesNick *out,
                 PagesFault *fault) {
    JD_ASSERT(count <= PAGES_NICKS_MAX);
    for (size_t i = 0; i < count; i++) {
        StoreStmt *find = store_query(worker->db, STORE_ACCOUNT_BY_ID);
        store_bind_int(find, 1, accounts[i]);
        JdErr err = { 0 };
        const StoreStep step = store_step(find, &err);
        out[i] = (PagesNick) { 0 };
        if (step == STORE_STEP_ROW)
            copy_nick(out[i].text, store_column_text(find, 1));
        store_done(find);
        if (step == STORE_STEP_FAILED)
            return refuse_store(fault, &err);
    }
    return true;
}
