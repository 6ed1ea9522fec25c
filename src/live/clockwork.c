// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happens to a game by itself, and what follows from every event: log, projection, the end.
//
// Server events that come from a deadline carry the instant of the deadline, not of the timer that
// woke us: who was timed out is timed out to the millisecond, however late we look.
#include "live/inner.h"

void game_make_room(Live *live, Game *game) {
    LawsGame *laws = &game->fold.laws;
    if (laws->ply_count < laws->ply_capacity || laws->ply_capacity >= CHESS_GAME_PLIES_MAX)
        return;
    const uint32_t doubled = laws->ply_capacity == 0 ? 32 : laws->ply_capacity * 2;
    const uint32_t capacity = doubled < CHESS_GAME_PLIES_MAX ? doubled : CHESS_GAME_PLIES_MAX;
    laws->plies = mem_grow(&live->memory, laws->plies, laws->ply_capacity * sizeof(LawsPly),
                           capacity * sizeof(LawsPly));
    laws->ply_capacity = capacity;
}

LawsVerdict game_apply(Live *live, Game *game, const LawsEvent *event, JdInstant at) {
    const LawsVerdict verdict = fold_apply(&game->fold, event, at);
    if (verdict.refusal != LAWS_NOT_REFUSED) {
        JD_ASSERT(verdict.changed == LAWS_CHANGED_NOTHING); // no flag was left unseen
        return verdict;
    }
    unsigned char body[LAWS_EVENT_BODY_SIZE];
    LawsEvent settled = *event;
    laws_event_settle(&settled, &verdict);
    const LiveLogEvent entry = fold_log_event(&game->fold, &settled, at, body);
    fx_log(live->fx, &entry);
    mating_note(live, game, &verdict);
    return verdict;
}

void game_project(Live *live, Game *game, bool was_running, bool started) {
    const bool ended = was_running && fold_has_ended(&game->fold);
    // Of a slow game the row holds turn and deadline: lists and notices are made of it.
    if (!ended && !started && !fold_is_slow(&game->fold))
        return;
    LiveGameRow *row = fx_take(live->fx, sizeof(*row));
    game_fill_row(live, game, row);
    LiveEffect *effect = fx_push(live->fx, LIVE_FX_GAME_ROW);
    effect->id = game->fold.id;
    effect->row = row;
    if (!ended)
        return;
    fx_push(live->fx, LIVE_FX_GAME_FOLD)->id = game->fold.id;
    for (int color = 0; color < 2; color++)
        list_remove(&game->players[color]->games, game);
    game->empty_since_ms = live->now_ms;
    live->stats.games_running--;
    live->stats.games_ended++;
}

void game_tell_clock(Live *live, Game *game) {
    GameNote note;
    jd_zero(&note, sizeof(note));
    note.kind = LIVE_MSG_CLOCK;
    note.clock.clocks = fold_clocks(&game->fold, now_of(live));
    note.clock.first_move_by_ms = game->fold.first_move_by_ms;
    game_note(live, game, &note, NULL);
}

void game_tell(Live *live, Game *game, bool was_running) {
    if (was_running && fold_has_ended(&game->fold)) {
        GameNote note;
        jd_zero(&note, sizeof(note));
        note.kind = LIVE_MSG_END;
        note.end.result = laws_result_text(&game->fold.laws);
        note.end.state = game->fold.laws.state;
        note.end.reason = game->fold.laws.reason;
        jd_copy(note.end.article, game->fold.article, sizeof(note.end.article));
        note.end.clocks = fold_clocks(&game->fold, now_of(live));
        game_note(live, game, &note, NULL);
    }
    if (game->fold.laws.desk.stop == LAWS_STOP_VERDICT && !game->told_waiting) {
        game->told_waiting = true;
        game_note_state(live, game);
    }
    me_note(live, game->players[CHESS_WHITE], LIVE_MSG_ROW, game);
    me_note(live, game->players[CHESS_BLACK], LIVE_MSG_ROW, game);
    premove_consider(live, game);
    presence_update(live, game);
    computer_ask(live, game);
    game_reschedule(live, game);
}

// An event of the server's own.
static void serve(Live *live, Game *game, const LawsEvent *event, JdInstant at) {
    const bool was_running = !fold_has_ended(&game->fold);
    const LawsVerdict verdict = game_apply(live, game, event, at);
    JD_ASSERT(verdict.refusal == LAWS_NOT_REFUSED);
    game_project(live, game, was_running, event->kind == LAWS_EVENT_START);
    if (!fold_has_ended(&game->fold))
        game_tell_clock(live, game);
    game_tell(live, game, was_running);
}

void game_start(Live *live, Game *game) {
    // Nobody has left a game that had not begun.
    for (int color = 0; color < 2; color++)
        game->away_since_ms[color] = live->now_ms;
    const LawsEvent start = { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER };
    serve(live, game, &start, now_of(live));
}

// A deadline of the game as an instant the Laws take: never before its last event, which is where
// a deadline that passed before an interruption has been moved to.
static JdInstant instant_of(const Game *game, int64_t at_ms) {
    return (JdInstant) { at_ms > game->fold.laws.now_ms ? at_ms : game->fold.laws.now_ms };
}

// Flag falls, ends of vacations, and first moves that did not come by then.
void game_expire(Live *live, Game *game, int64_t until_ms) {
    while (game->fold.laws.state == LAWS_RUNNING) {
        JdInstant flag;
        ChessColor back;
        const int64_t flag_ms = laws_deadline(&game->fold.laws, &flag) ? flag.ms : LIVE_NEVER;
        const int64_t back_ms = fold_vacation_end(&game->fold, &back);
        const int64_t next_ms = earlier(earlier(flag_ms, game->fold.first_move_by_ms), back_ms);
        if (next_ms == LIVE_NEVER || next_ms > until_ms)
            return;
        const JdInstant at = instant_of(game, next_ms);
        LawsEvent event = { .kind = LAWS_EVENT_ABORT, .actor = LAWS_SERVER };
        if (flag_ms == next_ms)
            event.kind = LAWS_EVENT_TICK;
        else if (back_ms == next_ms)
            event = (LawsEvent) { .kind = LAWS_EVENT_UNHOLD,
                                  .actor = LAWS_SERVER,
                                  .side = (uint8_t)back };
        serve(live, game, &event, at);
    }
}

void game_due(Live *live, Game *game) {
    if (game->premove_due_ms != LIVE_NEVER && game->premove_due_ms <= live->now_ms) {
        const int64_t due_ms = game->premove_due_ms;
        // A flag that falls in the very moment has fallen first.
        game_expire(live, game, due_ms);
        premove_make(live, game, instant_of(game, due_ms));
    }
    game_expire(live, game, live->now_ms);
    mating_due(live, game);
    const int64_t settle_ms = board_settle_at(game);
    if (settle_ms != LIVE_NEVER && settle_ms <= live->now_ms)
        board_settle_flag(live, game);
    if (game->fold.laws.state == LAWS_SCHEDULED && game->start_by_ms <= live->now_ms)
        game_start(live, game);
    if (fold_has_ended(&game->fold) && game->follows == 0 &&
        game->empty_since_ms + LIVE_LINGER_MS <= live->now_ms) {
        game_free(live, game);
        return;
    }
    const int64_t rest_ms = sleep_at(live, game);
    if (rest_ms != LIVE_NEVER && rest_ms <= live->now_ms && sleep_begin(live, game))
        return;
    presence_update(live, game);
    game_reschedule(live, game);
}

void game_reschedule(Live *live, Game *game) {
    int64_t at_ms = game->presence_due_ms;
    JdInstant flag;
    ChessColor back;
    if (game->fold.laws.state == LAWS_SCHEDULED)
        at_ms = earlier(at_ms, game->start_by_ms);
    else if (fold_has_ended(&game->fold))
        at_ms =
            earlier(at_ms, game->follows == 0 ? game->empty_since_ms + LIVE_LINGER_MS : LIVE_NEVER);
    else if (laws_deadline(&game->fold.laws, &flag))
        at_ms = earlier(at_ms, flag.ms);
    at_ms = earlier(at_ms, game->fold.first_move_by_ms);
    at_ms = earlier(at_ms, game->premove_due_ms);
    at_ms = earlier(at_ms, board_settle_at(game));
    at_ms = earlier(at_ms, mating_due_at(game));
    // As in game_expire: while it waits for a verdict nothing comes to it, or it would come for
    // ever.
    if (game->fold.laws.state == LAWS_RUNNING) {
        at_ms = earlier(at_ms, fold_vacation_end(&game->fold, &back));
        at_ms = earlier(at_ms, sleep_at(live, game));
    }
    heap_set(&live->due, &live->memory, &game->due, at_ms);
}

void game_interrupt(Live *live, Game *game, JdSpan span, int64_t at_ms) {
    // What was due before the interruption began is still so.
    const int64_t most_ms = at_ms - game->fold.laws.now_ms;
    const JdSpan charged = { span.ms < most_ms ? span.ms : most_ms };
    if (charged.ms <= 0)
        return; // it has been credited already
    game_expire(live, game, at_ms - charged.ms);
    if (game->fold.laws.state != LAWS_RUNNING)
        return;
    const LawsEvent event = { .kind = LAWS_EVENT_INTERRUPTION,
                              .actor = LAWS_SERVER,
                              .span_ms = charged.ms };
    serve(live, game, &event, (JdInstant) { at_ms });
}
