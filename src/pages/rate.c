// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counting rated games (S-112 to S-118).
//
// The ratings of a list are the fold of its rated games in the order of their ends. A cursor says
// up to where they have been counted; each pass takes the games behind it, one by one, from where
// both players stood just before. A game that turns up before the cursor (its result was corrected,
// or it was written late) sets the cursor back to itself, and everything from there on is counted
// anew: so the outcome is always that of playing the games in order, whatever happened on the way.
// Cursor and counts change in one transaction, so a crash at any point loses and repeats nothing.
#include <string.h>

#include "pages/internal.h"

// A game takes some ten statements; one job must not hold the commits of play up.
#define GAMES_AT_ONCE PAGES_RATED_MAX

typedef struct Place { // in the order of ends
    int64_t ended_ms;
    StoreId game;
} Place;

static bool place_before(const Place *a, const Place *b) {
    return a->ended_ms != b->ended_ms ? a->ended_ms < b->ended_ms
                                      : strcmp(a->game.text, b->game.text) < 0;
}

typedef struct Standing {
    RatingPlayer player;
    uint32_t wins;
    uint32_t draws;
    int64_t last_ms;
    bool any; // has played
} Standing;

// ---- the cursor ---------------------------------------------------------------------------------

static bool read_cursor(StoreDb *db, int list, Place *out, JdErr *err) {
    *out = (Place) { .ended_ms = INT64_MIN };
    StoreStmt *find = store_query(db, STORE_RATE_CURSOR);
    store_bind_int(find, 1, list);
    const StoreStep step = store_step(find, err);
    if (step == STORE_STEP_ROW) {
        out->ended_ms = store_column_int(find, 0);
        // No id: before all games of that instant.
        (void)!store_id(store_column_text(find, 1), &out->game);
    }
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool put_cursor(StoreDb *db, int list, const Place *place, JdErr *err) {
    StoreStmt *put = store_query(db, STORE_RATE_CURSOR_PUT);
    store_bind_int(put, 1, list);
    store_bind_int(put, 2, place->ended_ms);
    store_bind_text(put, 3, jd_str(place->game.text));
    return store_run(put, NULL, err);
}

static bool set_back(StoreDb *db, int list, const Place *game, JdErr *err) {
    Place cursor;
    if (!read_cursor(db, list, &cursor, err))
        return false;
    if (place_before(&cursor, game))
        return true;
    const Place before = { .ended_ms = game->ended_ms };
    return put_cursor(db, list, &before, err);
}

// ---- noticing -----------------------------------------------------------------------------------

typedef struct Notice {
    Place game;
    int list;
    bool was_counted;
    int old_list;
    int64_t old_ended_ms;
} Notice;

static bool read_notices(StoreDb *db, Notice notices[GAMES_AT_ONCE], size_t *count, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_RATE_UNSETTLED);
    store_bind_int(find, 1, GAMES_AT_ONCE);
    StoreStep step;
    *count = 0;
    while ((step = store_step(find, err)) == STORE_STEP_ROW) {
        Notice *notice = &notices[(*count)++];
        *notice = (Notice) {
            .game.ended_ms = store_column_int(find, 2),
            .list = (int)store_column_int(find, 1),
            .was_counted = !store_column_is_null(find, 3),
            .old_list = (int)store_column_int(find, 3),
            .old_ended_ms = store_column_int(find, 4),
        };
        const bool sound = store_id(store_column_text(find, 0), &notice->game.game);
        JD_ASSERT(sound);
    }
    store_done(find);
    return step != STORE_STEP_FAILED;
}

// The order of ends changes with what has been written since the last time.
static bool take_notice(StoreDb *db, bool *more, JdErr *err) {
    Notice notices[GAMES_AT_ONCE];
    size_t count;
    if (!read_notices(db, notices, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const Notice *notice = &notices[i];
        const Place old = { notice->old_ended_ms, notice->game.game };
        StoreStmt *settle = store_query(db, STORE_RATE_SETTLE);
        store_bind_text(settle, 1, store_id_str(&notice->game.game));
        if (!store_run(settle, NULL, err) || !set_back(db, notice->list, &notice->game, err) ||
            (notice->was_counted && !set_back(db, notice->old_list, &old, err)))
            return false;
    }
    *more = count == GAMES_AT_ONCE;
    return true;
}

// ---- counting one game --------------------------------------------------------------------------

// Half-points of White and Black; false for a game without a result.
static bool read_result(const char *text, int out[2]) {
    static const struct {
        const char *text;
        int halves[2];
    } results[] = {
        { "1-0", { 2, 0 } }, { "0-1", { 0, 2 } },   { "1/2-1/2", { 1, 1 } },
        { "0-0", { 0, 0 } }, { "1/2-0", { 1, 0 } }, { "0-1/2", { 0, 1 } },
    };
    for (size_t i = 0; i < JD_COUNT(results); i++) {
        if (strcmp(text, results[i].text) != 0)
            continue;
        memcpy(out, results[i].halves, sizeof results[i].halves);
        return true;
    }
    return false;
}

// S-118: rated, with a result, and at least one move by each side.
static bool counts(const StoreGameRow *game, int halves[2]) {
    return game->rated && game->plies >= 2 && game->white != game->black && game->white > 0 &&
           game->black > 0 && read_result(game->result, halves);
}

// Where the account stands just before a place.
static bool read_standing(StoreDb *db, int64_t account, int list, const Place *before,
                          Standing *out, JdErr *err) {
    *out = (Standing) { .player = { .rating = RATING_DEFAULT } };
    StoreStmt *find = store_query(db, STORE_RATE_STANDING);
    store_bind_int(find, 1, account);
    store_bind_int(find, 2, list);
    store_bind_int(find, 3, before->ended_ms);
    store_bind_text(find, 4, jd_str(before->game.text));
    const StoreStep step = store_step(find, err);
    if (step == STORE_STEP_ROW)
        *out = (Standing) {
            .player = { (int32_t)store_column_int(find, 0), (uint32_t)store_column_int(find, 1) },
            .wins = (uint32_t)store_column_int(find, 2),
            .draws = (uint32_t)store_column_int(find, 3),
            .last_ms = store_column_int(find, 4),
            .any = true,
        };
    store_done(find);
    return step != STORE_STEP_FAILED;
}

// Brings the row that everybody reads to the account's last game.
static bool refresh(StoreDb *db, int64_t account, int list, JdErr *err) {
    static const Place end = { INT64_MAX, { "~" } };
    Standing now;
    if (!read_standing(db, account, list, &end, &now, err))
        return false;
    StoreStmt *put = store_query(db, now.any ? STORE_RATE_PUT : STORE_RATE_DELETE);
    store_bind_int(put, 1, account);
    store_bind_int(put, 2, list);
    if (now.any) {
        store_bind_int(put, 3, now.player.rating);
        store_bind_int(put, 4, now.player.games);
        store_bind_int(put, 5, now.wins);
        store_bind_int(put, 6, now.draws);
        store_bind_int(put, 7, now.last_ms);
    }
    return store_run(put, NULL, err);
}

static bool put_change(StoreDb *db, const StoreGameRow *game, int color, const Standing *own,
                       const Standing *other, int halves, const RatingChange *change, JdErr *err) {
    StoreStmt *put = store_query(db, STORE_RATE_CHANGE_PUT);
    const int64_t values[] = {
        color == 0 ? game->black : game->white,
        halves,
        other->player.rating,
        change->before,
        change->after,
        change->k,
        change->expected,
        own->player.games + 1,
        own->wins + (halves == 2),
        own->draws + (halves == 1),
    };
    store_bind_int(put, 1, color == 0 ? game->white : game->black);
    store_bind_int(put, 2, game->list);
    store_bind_int(put, 3, game->ended_ms);
    store_bind_text(put, 4, store_id_str(&game->id));
    store_bind_int(put, 5, color);
    for (int i = 0; i < (int)JD_COUNT(values); i++)
        store_bind_int(put, 6 + i, values[i]);
    return store_run(put, NULL, err);
}

static bool read_changes(StoreDb *db, const StoreId *game, RatingChange out[2], int *rows,
                         JdErr *err) {
    StoreStmt *find = store_query(db, STORE_RATED_GAME);
    store_bind_text(find, 1, store_id_str(game));
    StoreStep step = STORE_STEP_DONE;
    for (*rows = 0; *rows < 2 && (step = store_step(find, err)) == STORE_STEP_ROW; ++*rows)
        out[*rows] = (RatingChange) {
            .before = (int32_t)store_column_int(find, 1),
            .after = (int32_t)store_column_int(find, 2),
            .k = (int32_t)store_column_int(find, 3),
            .expected = (int32_t)store_column_int(find, 4),
        };
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool delete_changes(StoreDb *db, const StoreId *game, JdErr *err) {
    StoreStmt *clear = store_query(db, STORE_RATE_CHANGES_DELETE);
    store_bind_text(clear, 1, store_id_str(game));
    return store_run(clear, NULL, err);
}

static bool rate_game(StoreDb *db, const StoreGameRow *game, PagesRatedGames *out, JdErr *err) {
    const Place place = { game->ended_ms, game->id };
    const int64_t players[2] = { game->white, game->black };
    PagesRated rated = { .game = game->id, .players = { game->white, game->black } };
    RatingChange old[2];
    int old_rows;
    int halves[2];
    rated.counts = counts(game, halves);
    if (!read_changes(db, &game->id, old, &old_rows, err) ||
        (old_rows > 0 && !delete_changes(db, &game->id, err)))
        return false;
    Standing standing[2];
    for (int color = 0; color < 2; color++)
        if (!read_standing(db, players[color], game->list, &place, &standing[color], err))
            return false;
    for (int color = 0; rated.counts && color < 2; color++) {
        rated.change[color] =
            rating_after(standing[color].player, standing[1 - color].player, halves[color]);
        if (!put_change(db, game, color, &standing[color], &standing[1 - color], halves[color],
                        &rated.change[color], err))
            return false;
    }
    if (!rated.counts && old_rows == 0)
        return true;
    for (int color = 0; color < 2; color++)
        if (!refresh(db, players[color], game->list, err))
            return false;
    if (old_rows != 2 || !rated.counts || memcmp(old, rated.change, sizeof old) != 0)
        out->list[out->count++] = rated;
    return true;
}

// ---- passes -------------------------------------------------------------------------------------

static bool read_next(StoreDb *db, int list, const Place *cursor, size_t limit, StoreGameRow *games,
                      size_t *count, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_RATE_NEXT);
    store_bind_int(find, 1, list);
    store_bind_int(find, 2, cursor->ended_ms);
    store_bind_text(find, 3, jd_str(cursor->game.text));
    store_bind_int(find, 4, (int64_t)limit);
    StoreStep step;
    *count = 0;
    while ((step = store_step(find, err)) == STORE_STEP_ROW)
        store_game_row_of(find, &games[(*count)++]);
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool pass(StoreDb *db, void *arg, JdErr *err) {
    PagesRatedGames *out = arg;
    StoreGameRow games[GAMES_AT_ONCE];
    size_t left = GAMES_AT_ONCE;
    out->count = 0;
    if (!take_notice(db, &out->more, err))
        return false;
    for (int list = 0; list < RATING_LISTS && left > 0; list++) {
        Place cursor;
        size_t count;
        if (!read_cursor(db, list, &cursor, err) ||
            !read_next(db, list, &cursor, left, games, &count, err))
            return false;
        for (size_t i = 0; i < count; i++)
            if (!rate_game(db, &games[i], out, err))
                return false;
        if (count == 0)
            continue;
        const Place reached = { games[count - 1].ended_ms, games[count - 1].id };
        if (!put_cursor(db, list, &reached, err))
            return false;
        left -= count;
    }
    out->more = out->more || left == 0;
    return true;
}

bool pages_rate(PagesWorker *worker, PagesRatedGames *out, PagesFault *fault) {
    JdErr err = { 0 };
    *out = (PagesRatedGames) { 0 };
    if (!store_write(worker->pages->config.store, pass, out, &err))
        return refuse_store(fault, &err);
    for (size_t i = 0; i < out->count; i++)
        for (int color = 0; color < 2; color++)
            if (!ratings_read(worker->db, out->list[i].players[color],
                              &out->list[i].standing[color], &err))
                return refuse_store(fault, &err);
    return true;
}
