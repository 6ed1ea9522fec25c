// SPDX-License-Identifier: GPL-3.0-or-later
//
// The games worth watching: those on the clock that run now.
#include "live/inner.h"

// Most followed first, then the stronger players, then by id: the same list for everybody.
static bool more_watched(const Game *a, const Game *b) {
    const uint32_t followers_a = a->follows;
    const uint32_t followers_b = b->follows;
    if (followers_a != followers_b)
        return followers_a > followers_b;
    const RatingList list_a = fold_list(&a->fold);
    const RatingList list_b = fold_list(&b->fold);
    const int32_t sum_a = a->players[0]->lists[list_a].rating + a->players[1]->lists[list_a].rating;
    const int32_t sum_b = b->players[0]->lists[list_b].rating + b->players[1]->lists[list_b].rating;
    if (sum_a != sum_b)
        return sum_a > sum_b;
    return jd_str_compare(jd_str(a->fold.id.text), jd_str(b->fold.id.text)) < 0;
}

static size_t pick(const Live *live, const Game *best[LIVE_WATCH_MAX]) {
    size_t count = 0;
    size_t cursor = 0;
    for (const Game *game; (game = table_next(&live->games, &cursor)) != NULL;) {
        if (fold_has_ended(&game->fold) || fold_is_slow(&game->fold))
            continue;
        size_t at = count < LIVE_WATCH_MAX ? count : LIVE_WATCH_MAX;
        while (at > 0 && more_watched(game, best[at - 1]))
            at--;
        if (at == LIVE_WATCH_MAX)
            continue;
        if (count < LIVE_WATCH_MAX)
            count++;
        for (size_t i = count - 1; i > at; i--)
            best[i] = best[i - 1];
        best[at] = game;
    }
    return count;
}

void watch_answer(Live *live, LiveOrigin origin) {
    const Game *best[LIVE_WATCH_MAX];
    const size_t count = pick(live, best);
    LiveGameRow *rows = fx_take(live->fx, count * sizeof(*rows));
    uint32_t *spectators = fx_take(live->fx, count * sizeof(*spectators));
    for (size_t i = 0; i < count; i++) {
        game_fill_row(live, best[i], &rows[i]);
        spectators[i] = presence_now(live, best[i]).spectators;
    }
    LiveMessage *message = fx_message(live->fx, LIVE_MSG_GAMES, 0);
    message->games.rows = rows;
    message->games.spectators = spectators;
    message->games.count = count;
    fx_answer(live->fx, origin, LIVE_ANSWER_WATCH)->message = message;
}
