// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who is at the board of a game, how many watch, and since when a player has been away.
//
// A page that reloads is gone for a moment only, so a player who leaves is shown as there for some
// seconds more (S-076), and counts of spectators are gathered before they are told.
#include "live/inner.h"

uint8_t seat_of(const Game *game, const Account *account) {
    if (account == NULL)
        return LIVE_NO_COLOR;
    return account == game->players[CHESS_WHITE]   ? CHESS_WHITE
           : account == game->players[CHESS_BLACK] ? CHESS_BLACK
                                                   : LIVE_NO_COLOR;
}

static bool in_grace(const Game *game, int color, int64_t now_ms) {
    return game->left_ms[color] != LIVE_NEVER &&
           now_ms < game->left_ms[color] + LIVE_PRESENCE_GRACE_MS;
}

static bool seems_online(const Live *live, const Game *game, int color) {
    return game->seat_follows[color] > 0 || in_grace(game, color, live->now_ms) ||
           level_of(live, game->players[color]->number) > 0;
}

int64_t abandon_claim_at(const Live *live, const Game *game) {
    if (game->fold.laws.state != LAWS_RUNNING || fold_is_slow(&game->fold) ||
        is_against_computer(game))
        return LIVE_NEVER;
    const bool white = seems_online(live, game, CHESS_WHITE);
    const bool black = seems_online(live, game, CHESS_BLACK);
    if (white == black) // both there, or nobody to claim
        return LIVE_NEVER;
    return game->away_since_ms[white ? CHESS_BLACK : CHESS_WHITE] + fold_abandon_ms(&game->fold);
}

LivePresence presence_now(const Live *live, const Game *game) {
    return (LivePresence) {
        .online = { seems_online(live, game, CHESS_WHITE), seems_online(live, game, CHESS_BLACK) },
        .spectators =
            game->follows - game->seat_follows[CHESS_WHITE] - game->seat_follows[CHESS_BLACK],
        .abandon_claim_at_ms = abandon_claim_at(live, game),
    };
}

void presence_update(Live *live, Game *game) {
    game->presence_due_ms = LIVE_NEVER;
    if (game->follows == 0)
        return;
    for (int color = 0; color < 2; color++)
        if (game->seat_follows[color] == 0 && in_grace(game, color, live->now_ms))
            game->presence_due_ms =
                earlier(game->presence_due_ms, game->left_ms[color] + LIVE_PRESENCE_GRACE_MS);
    const LivePresence now = presence_now(live, game);
    const LivePresence *shown = &game->shown;
    const bool seats_differ =
        now.online[0] != shown->online[0] || now.online[1] != shown->online[1];
    if (!seats_differ && now.spectators == shown->spectators &&
        now.abandon_claim_at_ms == shown->abandon_claim_at_ms)
        return;
    if (!seats_differ && live->now_ms < game->shown_ms + LIVE_PRESENCE_EVERY_MS) {
        game->presence_due_ms =
            earlier(game->presence_due_ms, game->shown_ms + LIVE_PRESENCE_EVERY_MS);
        return;
    }
    game->shown = now;
    game->shown_ms = live->now_ms;
    GameNote note;
    jd_zero(&note, sizeof(note));
    note.kind = LIVE_MSG_PRESENCE;
    note.presence = now;
    game_note(live, game, &note, NULL);
}

void presence_follow(Live *live, Game *game, const Account *account) {
    const uint8_t seat = seat_of(game, account);
    game->follows++;
    if (seat == LIVE_NO_COLOR)
        return;
    game->seat_follows[seat]++;
    game->loaded[seat] = true;
    game->left_ms[seat] = LIVE_NEVER;
    game->away_since_ms[seat] = live->now_ms;
}

void presence_leave(Live *live, Game *game, const Account *account) {
    const uint8_t seat = seat_of(game, account);
    game->follows--;
    if (game->follows == 0)
        game->empty_since_ms = live->now_ms;
    if (seat != LIVE_NO_COLOR) {
        game->seat_follows[seat]--;
        game->away_since_ms[seat] = live->now_ms;
        if (game->seat_follows[seat] == 0)
            game->left_ms[seat] = live->now_ms;
    }
    presence_update(live, game);
    game_reschedule(live, game);
}

void presence_sign(Live *live, Game *game, ChessColor color) {
    game->away_since_ms[color] = live->now_ms;
    game->players[color]->last_seen_ms = live->now_ms;
}
