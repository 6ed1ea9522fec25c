// SPDX-License-Identifier: GPL-3.0-or-later
//
// What people are shown of a game, made from its fold.
#include "live/fold.h"
#include "live/terms.h"

LiveClocks fold_clocks(const GameFold *fold, JdInstant now) {
    return (LiveClocks) {
        .ms = { laws_clock_reading(&fold->laws, CHESS_WHITE, now),
                laws_clock_reading(&fold->laws, CHESS_BLACK, now) },
        .running = fold->laws.clock.running,
        .delay_left_ms =
            fold->laws.clock.running == 0 ? 0 : laws_clock_delay_left(&fold->laws, now),
        .at_ms = now.ms,
    };
}

void fold_row(const GameFold *fold, LiveGameRow *out) {
    const LawsGame *laws = &fold->laws;
    jd_zero(out, sizeof(*out));
    out->id = fold->id;
    out->seats[CHESS_WHITE].account = fold->players[CHESS_WHITE];
    out->seats[CHESS_BLACK].account = fold->players[CHESS_BLACK];
    for (int color = 0; color < 2; color++)
        out->seats[color].vacation_until_ms =
            fold_has_ended(fold) ? LIVE_NEVER : fold->vacation_until_ms[color];
    out->control = live_control_from_laws(&laws->setup.control[CHESS_WHITE]);
    out->edition = laws->setup.edition;
    out->pace = laws->setup.pace;
    out->category = (uint8_t)live_control_category(&out->control);
    out->type = fold->type;
    out->flag = terms_flag(&laws->setup);
    out->touch = laws->setup.touch_move;
    out->rated = fold->rated;
    out->take_backs = fold->take_backs;
    out->hints = fold->hints;
    out->state = laws->state;
    out->reason = laws->reason;
    out->turn = laws->position.side_to_move;
    out->offer = fold_offer(fold);
    out->halves[CHESS_WHITE] = laws->result[CHESS_WHITE];
    out->halves[CHESS_BLACK] = laws->result[CHESS_BLACK];
    out->result = laws_result_text(laws);
    out->plies = laws->ply_count;
    out->last_seq = fold->last_seq;
    out->created_ms = fold->created_ms;
    out->started_ms =
        laws->state == LAWS_SCHEDULED || laws->started_ms == 0 ? LIVE_NEVER : laws->started_ms;
    out->ended_ms = fold_has_ended(fold) ? laws->ended_ms : LIVE_NEVER;
    JdInstant deadline;
    out->deadline_ms =
        !fold_has_ended(fold) && laws_deadline(laws, &deadline) ? deadline.ms : LIVE_NEVER;
}

void fold_move_row(ChessPosition *pos, const LawsPly *ply, LiveMoveRow *out) {
    (void)chess_uci_write(pos, ply->move, out->uci);
    (void)chess_san_write(pos, ply->move, out->san);
    chess_move_make(pos, ply->move, NULL);
    (void)chess_fen_write(pos, CHESS_FEN_EP_LEGAL, out->fen);
    out->clock_ms = ply->clock_ms;
    out->at_ms = ply->at_ms;
    out->draw = ply->offered_draw != 0;
}

void fold_move_rows(const GameFold *fold, LiveMoveRow *out) {
    ChessPosition pos = fold->laws.setup.start;
    for (uint32_t i = 0; i < fold->laws.ply_count; i++)
        fold_move_row(&pos, &fold->laws.plies[i], &out[i]);
}

void fold_move_row_at(const GameFold *fold, uint32_t ply, LiveMoveRow *out) {
    ChessPosition pos = fold->laws.setup.start;
    for (uint32_t i = 0; i < ply; i++)
        chess_move_make(&pos, fold->laws.plies[i].move, NULL);
    fold_move_row(&pos, &fold->laws.plies[ply], out);
}

void fold_touched(const GameFold *fold, LiveTouched *out) {
    const LawsGame *laws = &fold->laws;
    LawsRules space;
    jd_zero(out, sizeof(*out));
    if (!laws->setup.touch_move || fold_has_ended(fold))
        return;
    out->count = laws->desk.touched_count;
    jd_copy(out->squares, laws->desk.touched, sizeof(out->squares));
    out->adjusting = laws->desk.adjusting != 0;
    out->binds = laws->desk.enforced || !laws_game_rules(laws, &space)->touch_ruling_on_request;
    if (out->count == 0 || !out->binds)
        return;
    ChessMoveList all;
    ChessMoveList left;
    chess_moves_generate(&laws->position, &all);
    laws_moves_allowed(laws, &left);
    if (left.count == all.count || left.count > LIVE_ALLOWED_MAX)
        return;
    out->allowed_count = (uint8_t)left.count;
    for (int i = 0; i < left.count; i++)
        (void)chess_uci_write(&laws->position, left.moves[i], out->allowed[i]);
}

void fold_view(const GameFold *fold, JdInstant now, const LiveMoveRow *moves, LiveGameView *out) {
    const LawsGame *laws = &fold->laws;
    jd_zero(out, sizeof(*out));
    fold_row(fold, &out->row);
    (void)chess_fen_write(&laws->setup.start, CHESS_FEN_EP_LEGAL, out->start_fen);
    (void)chess_fen_write(&laws->position, CHESS_FEN_EP_LEGAL, out->fen);
    out->moves = moves;
    out->clocks = fold_clocks(fold, now);
    out->corrected = laws->desk.overruled != 0;
    out->check = chess_is_check(&laws->position);
    if (laws->bound_move != CHESS_NO_MOVE && !fold_has_ended(fold))
        (void)chess_uci_write(&laws->position, laws->bound_move, out->bound_move);
    jd_copy(out->article, fold->article, sizeof(out->article));
    fold_touched(fold, &out->touched);
    out->first_move_by_ms = fold->first_move_by_ms;
    out->abandon_claim_at_ms = LIVE_NEVER;
    out->digest = laws_game_digest(laws);
}
