// SPDX-License-Identifier: GPL-3.0-or-later
//
// After a restart: everything again from the log, then the interruption that no clock pays for.
#include "live/inner.h"

static bool replay_birth(Live *live, const LiveLogEvent *event, JdErr *err) {
    GameBirth birth;
    if (!fold_birth_read(event, &birth, err))
        return false;
    if (game_find(live, &event->id) != NULL)
        return jd_fail(err, 1, 0, "game %s is created twice", event->id.text);
    Game *game = game_create(live, &event->id, &birth, event->at);
    game->sign_ms = event->at.ms;
    game->replays = true;
    return true;
}

bool game_replay(Live *live, const LiveLogEvent *event, JdErr *err) {
    Game *game = game_find(live, &event->id);
    if (game == NULL)
        return jd_fail(err, 1, 0, "entry %u of game %s comes before its creation",
                       (unsigned)event->seq, event->id.text);
    const bool was_running = !fold_has_ended(&game->fold);
    game_make_room(live, game);
    if (!fold_replay(&game->fold, event, err))
        return false;
    if (event->kind == LIVE_EVENT_CHAT_SWITCHED && event->actor <= CHESS_BLACK)
        game->chat_off[event->actor] = event->body[0] == 0;
    if (event->kind == LIVE_EVENT_FALSE_FLAGS && event->actor <= CHESS_BLACK)
        game->false_flags[event->actor] = event->body[0];
    if (event->kind != LAWS_EVENT_INTERRUPTION)
        game->sign_ms = event->at.ms;
    if (was_running && fold_has_ended(&game->fold)) {
        for (int color = 0; color < 2; color++)
            list_remove(&game->players[color]->games, game);
        game->empty_since_ms = event->at.ms;
        live->stats.games_running--;
    }
    return true;
}

bool live_replay_event(Live *live, const LiveLogEvent *event, JdErr *err) {
    const bool good = event->kind == LIVE_EVENT_GAME_CREATED ? replay_birth(live, event, err)
                      : event->kind < LIVE_EVENT_GAME_CREATED || fold_is_note(event->kind) ||
                              event->kind == LIVE_EVENT_VACATION
                          ? game_replay(live, event, err)
                      : event->kind >= LIVE_EVENT_CHALLENGE_CREATED &&
                              event->kind <= LIVE_EVENT_CHALLENGE_DECLINED
                          ? lobby_replay(live, event, err)
                          : jd_fail(err, 1, 0, "entry %u of %s: kind %d is unknown",
                                    (unsigned)event->seq, event->id.text, (int)event->kind);
    if (good && event->at.ms > live->newest_event_ms)
        live->newest_event_ms = event->at.ms;
    // A crash may have torn the interruptions of an earlier restart apart: those that were written
    // must not make that outage count as life for the others.
    if (good && event->kind != LAWS_EVENT_INTERRUPTION && event->at.ms > live->newest_sign_ms)
        live->newest_sign_ms = event->at.ms;
    return good;
}

// Nobody is connected, whoever was; boards have to be loaded again.
static void reopen(Live *live, Game *game) {
    game->seq = (uint64_t)live->now_ms > live->seq_floor ? (uint64_t)live->now_ms : live->seq_floor;
    for (int color = 0; color < 2; color++)
        game->away_since_ms[color] = live->now_ms;
    if (game->fold.laws.state == LAWS_SCHEDULED)
        game->start_by_ms = live->now_ms + LIVE_START_MS;
}

void game_resume(Live *live, Game *game, int64_t served_ms) {
    const int64_t outage_ms = live->now_ms - served_ms;
    game->replays = false;
    reopen(live, game);
    // Lines are not in the log: the last one's number is no later than that clock, and goes on.
    game->chat_seq = served_ms > 0 ? (uint64_t)served_ms : 0;
    if (outage_ms > 0)
        game_interrupt(live, game, (JdSpan) { outage_ms }, live->now_ms);
    if (!game->asks)
        mating_reopen(live, game);
    computer_ask(live, game);
    game_reschedule(live, game);
}

void live_replay_done(Live *live, const LiveResume *resume, JdInstant now, LiveEffects *effects) {
    int64_t alive_ms = live->newest_sign_ms;
    if (resume->last_alive.ms > alive_ms)
        alive_ms = resume->last_alive.ms;
    if (live->now_ms < now.ms)
        live->now_ms = now.ms;
    // A clock that was set back must not come before what the log says.
    if (live->now_ms < live->newest_event_ms)
        live->now_ms = live->newest_event_ms;
    const int64_t outage_ms = live->now_ms - alive_ms - resume->heartbeat.ms;
    live->fx = effects;
    live->lobby_seq = (uint64_t)live->now_ms;
    size_t cursor = 0;
    for (Account *account; (account = table_next(&live->accounts, &cursor)) != NULL;) {
        account->last_seen_ms = live->now_ms;
        account->seq = (uint64_t)live->now_ms;
        // Deleted, and the crash came before the challenges could go.
        if (account->nick[0] == '\0')
            lobby_drop_all_of(live, account);
    }
    if (outage_ms > 0)
        sleep_outage(live, (JdSpan) { outage_ms });
    cursor = 0;
    for (Game *game; (game = table_next(&live->games, &cursor)) != NULL;)
        game_resume(live, game, alive_ms + resume->heartbeat.ms);
    cursor = 0;
    for (Challenge *challenge; (challenge = table_next(&live->challenges, &cursor)) != NULL;)
        lobby_resume(live, challenge);
    live->fx = NULL;
}
