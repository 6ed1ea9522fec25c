// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where players stand.
#include "pages/internal.h"

bool ratings_read(StoreDb *db, int64_t account, PagesRatings *out, JdErr *err) {
    for (int list = 0; list < RATING_LISTS; list++)
        out->lists[list] = (RatingPlayer) { .rating = RATING_DEFAULT };
    StoreStmt *find = store_query(db, STORE_RATINGS_OF);
    store_bind_int(find, 1, account);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW)
        out->lists[store_column_int(find, 0)] = (RatingPlayer) {
            .rating = (int32_t)store_column_int(find, 1),
            .games = (uint32_t)store_column_int(find, 2),
        };
    store_done(find);
    return step != STORE_STEP_FAILED;
}

bool pages_ratings(PagesWorker *worker, int64_t account, PagesRatings *out, PagesFault *fault) {
    JdErr err = { 0 };
    return ratings_read(worker->db, account, out, &err) || refuse_store(fault, &err);
}

bool pages_rated_game(PagesWorker *worker, const StoreId *game, RatingChange out[2], bool *found,
                      PagesFault *fault) {
    JdErr err = { 0 };
    int rows = 0;
    StoreStmt *find = store_query(worker->db, STORE_RATED_GAME);
    store_bind_text(find, 1, store_id_str(game));
    StoreStep step;
    while ((step = store_step(find, &err)) == STORE_STEP_ROW && rows < 2)
        out[rows++] = (RatingChange) {
            .before = (int32_t)store_column_int(find, 1),
            .after = (int32_t)store_column_int(find, 2),
            .k = (int32_t)store_column_int(find, 3),
            .expected = (int32_t)store_column_int(find, 4),
        };
    store_done(find);
    *found = rows == 2;
    return step != STORE_STEP_FAILED || refuse_store(fault, &err);
}
