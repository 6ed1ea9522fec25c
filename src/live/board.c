// SPDX-License-Identifier: GPL-3.0-or-later
//
// What players do at the board beside moving: touching pieces (Article 4) in games that want it,
// and calling the flag where nobody else may see it fall.
#include "live/inner.h"

// ---- touch mode (S-090) -------------------------------------------------------------------------

static void tell_touch(Live *live, Game *game, ChessColor by, LiveTouchAct act, uint8_t square) {
    GameNote note;
    jd_zero(&note, sizeof(note));
    note.kind = LIVE_MSG_TOUCHED;
    note.touch.by = (uint8_t)by;
    note.touch.act = (uint8_t)act;
    note.touch.square = square;
    note.touch.ply = game->fold.laws.ply_count;
    game_note(live, game, &note, NULL);
}

static bool in_touch_mode(Live *live, const LiveCommand *command, const Game *game) {
    if (game->fold.laws.setup.touch_move)
        return true;
    (void)fx_error(live->fx, command->origin, "bad_request", "game",
                   "this game is not played by touch-move");
    return false;
}

// Whether the event would add nothing: such a touch is acknowledged and kept off the record.
static bool is_idle(const LawsGame *laws, const LiveCommand *command) {
    const LawsDesk *desk = &laws->desk;
    if (command->kind == LIVE_ADJUST)
        return desk->adjusting != 0;
    if (desk->adjusting)
        return false;
    for (int i = 0; i < desk->touched_count; i++)
        if (desk->touched[i] == command->square)
            return true;
    return desk->touched_count == LAWS_TOUCHED_MAX;
}

void board_touch(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    const bool adjusts = command->kind == LIVE_ADJUST;
    LawsGame *laws = &game->fold.laws;
    if (!in_touch_mode(live, command, game) || game_is_stale(live, command, game))
        return;
    if (!adjusts &&
        (command->square > 63 || laws->position.board[command->square] == CHESS_NO_PIECE)) {
        (void)fx_error(live->fx, command->origin, "bad_request", "square",
                       "there is no piece on this square");
        return;
    }
    const LawsEvent event = {
        .kind = adjusts ? LAWS_EVENT_ADJUST : LAWS_EVENT_TOUCH,
        .actor = (uint8_t)color,
        .square = adjusts ? 0 : command->square,
        .flag = !adjusts && command->on && laws->desk.adjusting != 0,
    };
    if (laws->position.side_to_move == color && is_idle(laws, command)) {
        game_acknowledge(live, command, game, false, false);
        game_acknowledge(live, command, game, false, true);
        return;
    }
    if (game->touches >= LIVE_TOUCHES_MAX) {
        fx_error(live->fx, command->origin, "rate_limited", NULL,
                 "more than %d touches in one turn", LIVE_TOUCHES_MAX)
            ->retry_ms = 1000;
        return;
    }
    const LawsVerdict verdict = game_apply(live, game, &event, now_of(live));
    if (verdict.refusal != LAWS_NOT_REFUSED) {
        game_refuse_by_laws(live, command, game, verdict);
        return;
    }
    game->touches++;
    game_acknowledge(live, command, game, false, false);
    tell_touch(live, game, color, adjusts ? LIVE_TOUCH_ADJUSTING : LIVE_TOUCH_TOUCHED,
               event.square);
    // Article 9.1: touching a piece to move it declines an offer.
    if (verdict.changed & LAWS_CHANGED_OFFER)
        game_tell_offer(live, game, color, LIVE_OFFER_DECLINED, &verdict, 0);
    game_tell(live, game, true);
    game_acknowledge(live, command, game, false, true);
}

// Rapid and blitz of 1997 to 2009: what was touched obliges only when the opponent asks for it.
void board_claim_touch(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    const LawsEvent event = { .kind = LAWS_EVENT_CLAIM_TOUCH, .actor = (uint8_t)color };
    if (!in_touch_mode(live, command, game))
        return;
    if (game->fold.laws.desk.enforced && game->fold.laws.position.side_to_move != color) {
        game_acknowledge(live, command, game, false, false); // asked for and granted already
        game_acknowledge(live, command, game, false, true);
        return;
    }
    const LawsVerdict verdict = game_apply(live, game, &event, now_of(live));
    if (verdict.refusal != LAWS_NOT_REFUSED) {
        game_refuse_by_laws(live, command, game, verdict);
        return;
    }
    game_acknowledge(live, command, game, verdict.claim_wrong, false);
    if (verdict.changed & LAWS_CHANGED_BOARD)
        game_note_state(live, game); // the move was taken back
    else if (!verdict.claim_wrong)
        tell_touch(live, game, color, LIVE_TOUCH_CLAIMED, game->fold.laws.desk.touched[0]);
    game_tell(live, game, true);
    game_acknowledge(live, command, game, verdict.claim_wrong, true);
}

// ---- "Flag!" (R-026 to R-029) -------------------------------------------------------------------

static void false_press(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    game->flag_quiet_ms[color] = live->now_ms + LIVE_FALSE_FLAG_MS;
    game->false_flags[color]++;
    const bool on_record =
        game->false_flags[color] % LIVE_FALSE_FLAGS == 0 && game->false_flags[color] <= UINT8_MAX;
    if (on_record)
        game_log_note(live, game, LIVE_EVENT_FALSE_FLAGS, (uint8_t)color,
                      (uint8_t)game->false_flags[color]);
    game_refuse(live, command, game, laws_refusal_name(LAWS_REFUSED_FLAG_NOT_DOWN), NULL,
                "the opponent's flag has not fallen");
    if (!on_record)
        return;
    // Without an arbiter at hand both players are told what he would be.
    GameNote note;
    jd_zero(&note, sizeof(note));
    note.kind = LIVE_MSG_FALSE_FLAG;
    note.false_flag = (LiveFalseFlag) { .by = (uint8_t)color, .presses = game->false_flags[color] };
    game_note(live, game, &note, NULL);
}

void board_flag(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    const ChessColor other = chess_other(color);
    const LawsEvent event = { .kind = LAWS_EVENT_CLAIM_FLAG, .actor = (uint8_t)color };
    const bool claims = fold_flags_claimed(&game->fold) && game->fold.laws.state == LAWS_RUNNING;
    if (claims && live->now_ms < game->flag_quiet_ms[color]) {
        fx_error(live->fx, command->origin, "rate_limited", NULL,
                 "the button is off for %d seconds after a false press", LIVE_FALSE_FLAG_MS / 1000)
            ->retry_ms = game->flag_quiet_ms[color] - live->now_ms;
        return;
    }
    if (claims && laws_clock_reading(&game->fold.laws, other, now_of(live)) > 0) {
        false_press(live, command, game, color);
        return;
    }
    game_plain(live, command, game, &event, LIVE_OFFERED);
}

// a flag is down, nobody has claimed, and nobody is there.
int64_t board_settle_at(const Game *game) {
    const LawsGame *laws = &game->fold.laws;
    if (laws->state != LAWS_RUNNING || !fold_flags_claimed(&game->fold) ||
        game->seat_follows[CHESS_WHITE] > 0 || game->seat_follows[CHESS_BLACK] > 0)
        return LIVE_NEVER;
    int64_t from_ms = fold_flag_at(&game->fold);
    if (laws->clock.flag_down[CHESS_WHITE] || laws->clock.flag_down[CHESS_BLACK])
        from_ms = laws->now_ms; // it fell before the last event
    for (int color = 0; color < 2 && from_ms != LIVE_NEVER; color++)
        if (from_ms < game->away_since_ms[color])
            from_ms = game->away_since_ms[color];
    return from_ms == LIVE_NEVER ? LIVE_NEVER : from_ms + LIVE_UNCLAIMED_FLAG_MS;
}

// As the program would have done had it seen the flag: the claim is entered for the absent opponent
// of who was down first, as far as that is known. A game that the Laws let go on with both flags
// down is drawn: nobody is there to go on with it.
void board_settle_flag(Live *live, Game *game) {
    const LawsGame *laws = &game->fold.laws;
    const uint8_t running = laws->clock.running;
    const uint8_t fallen = laws->clock.flag_down[CHESS_WHITE]   ? CHESS_WHITE
                           : laws->clock.flag_down[CHESS_BLACK] ? CHESS_BLACK
                                                                : (uint8_t)(running - 1);
    const LawsEvent claim = { .kind = LAWS_EVENT_CLAIM_FLAG, .actor = (uint8_t)(1 - fallen) };
    const LawsEvent draw = {
        .kind = LAWS_EVENT_ABANDONED, .actor = LAWS_SERVER, .side = fallen, .draw = 1
    };
    game_log_note(live, game, LIVE_EVENT_FLAG_SETTLED, LAWS_SERVER, fallen);
    (void)game_apply(live, game, &claim, now_of(live));
    if (laws->state == LAWS_RUNNING)
        (void)game_apply(live, game, &draw, now_of(live));
    JD_ASSERT(fold_has_ended(&game->fold) || laws->desk.stop == LAWS_STOP_VERDICT);
    game_project(live, game, true, false);
    game_tell(live, game, true);
}
