// SPDX-License-Identifier: GPL-3.0-or-later
//
// One number for everything a game is. Values are mixed, never bytes of structs: neither the order
// of bytes, nor padding, nor the size of a pointer can show.
#include "laws/inner.h"

static void mix(uint64_t *digest, uint64_t value) {
    *digest = jd_mix((*digest ^ value) + UINT64_C(0x9e3779b97f4a7c15));
}

static void mix_bytes(uint64_t *digest, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        mix(digest, bytes[i]);
}

static void mix_position(uint64_t *digest, const ChessPosition *pos) {
    for (int square = 0; square < 64; square += 8) {
        uint64_t rank = 0;
        for (int file = 0; file < 8; file++)
            rank |= (uint64_t)pos->board[square + file] << (8 * file);
        mix(digest, rank);
    }
    mix(digest, pos->zobrist_key);
    mix(digest, (uint64_t)pos->side_to_move | (uint64_t)pos->castling_rights << 8 |
                    (uint64_t)pos->ep_target << 16 | (uint64_t)pos->rook_files[0] << 24 |
                    (uint64_t)pos->rook_files[1] << 32 | (uint64_t)pos->is_chess960 << 40 |
                    (uint64_t)pos->halfmove_clock << 48);
    mix(digest, pos->fullmove_number);
}

static void mix_control(uint64_t *digest, const LawsControl *control) {
    mix(digest, (uint64_t)control->move_ms);
    mix(digest, (uint64_t)control->period_count | (uint64_t)control->repeat << 8 |
                    (uint64_t)control->first_increment << 16);
    for (int i = 0; i < control->period_count && i < LAWS_PERIODS_MAX; i++) {
        const LawsPeriod *const period = &control->periods[i];
        mix(digest, period->moves | (uint64_t)period->increment_moves << 32);
        mix(digest, (uint64_t)period->time_ms);
        mix(digest, (uint64_t)period->increment_ms);
        mix(digest, (uint64_t)period->delay_ms);
        mix(digest, period->delay_kind);
    }
}

static void mix_setup(uint64_t *digest, const LawsSetup *setup) {
    mix_position(digest, &setup->start);
    mix_control(digest, &setup->control[CHESS_WHITE]);
    mix_control(digest, &setup->control[CHESS_BLACK]);
    mix(digest, (uint64_t)setup->edition | (uint64_t)setup->pace << 8 |
                    (uint64_t)setup->supervised << 16 | (uint64_t)setup->arbiter_present << 24 |
                    (uint64_t)setup->separate_press << 32 | (uint64_t)setup->touch_move << 40 |
                    (uint64_t)setup->unchecked_moves << 48 |
                    (uint64_t)setup->slow_no_penalty << 56);
    mix(digest, (uint64_t)setup->draw_min_moves | (uint64_t)setup->draw_never << 16 |
                    (uint64_t)setup->fide_strict << 24 | (uint64_t)setup->flag_mode << 32 |
                    (uint64_t)setup->ignore_fen_clock << 40 |
                    (uint64_t)setup->identity_exercisable << 48 |
                    (uint64_t)setup->offer_gap_moves << 56);
    mix(digest, (uint64_t)setup->default_ms);
    mix(digest, (uint64_t)setup->session_ms);
    mix(digest,
        (uint64_t)setup->default_given | (uint64_t)setup->attendance << 1 |
            (uint64_t)setup->rules_announced << 2 | (uint64_t)setup->ruled_later << 3 |
            (uint64_t)setup->manual_scoresheet << 4 | (uint64_t)setup->strict_display << 5 |
            (uint64_t)setup->add_at_zero << 6 | (uint64_t)setup->delay_drops_main << 7 |
            (uint64_t)setup->quickplay_announced << 8 | (uint64_t)setup->king_capture_wins << 9 |
            (uint64_t)setup->colors_reversed << 10 | (uint64_t)setup->clock_side << 11 |
            (uint64_t)setup->has_declared << 12 | (uint64_t)setup->mating << 13 |
            (uint64_t)setup->accessible << 16 | (uint64_t)setup->offer_spam_after << 24 |
            (uint64_t)setup->sheet_language[0] << 32 | (uint64_t)setup->sheet_language[1] << 40 |
            (uint64_t)setup->override_count << 48);
    mix_bytes(digest, setup->declared, sizeof setup->declared);
    for (int i = 0; i < setup->override_count && i < LAWS_OVERRIDES_MAX; i++) {
        mix(digest, setup->overrides[i].parameter);
        mix(digest, (uint64_t)setup->overrides[i].value);
    }
}

static void mix_clock(uint64_t *digest, const LawsClock *clock) {
    for (int color = 0; color < 2; color++) {
        mix(digest, (uint64_t)clock->remaining_ms[color]);
        mix(digest, clock->moves_done[color] | (uint64_t)clock->period_start[color] << 32);
        mix(digest, (uint64_t)clock->period[color] | (uint64_t)clock->flag_down[color] << 8 |
                        (uint64_t)clock->credit_ms[color] << 16);
        mix(digest, (uint64_t)clock->held_ms[color]);
    }
    mix(digest, (uint64_t)clock->run_start_ms);
    mix(digest, clock->running);
    mix(digest, (uint64_t)clock->extra_increment_ms);
}

static void mix_ply(uint64_t *digest, const LawsPly *ply) {
    mix(digest, ply->zobrist_key);
    mix(digest, (uint64_t)ply->clock_ms);
    mix(digest, (uint64_t)ply->at_ms);
    mix(digest, (uint64_t)ply->move | (uint64_t)ply->irreversible << 16 |
                    (uint64_t)ply->offered_draw << 24 | (uint64_t)ply->halfmove_clock_low << 32 |
                    (uint64_t)ply->flags << 40 | (uint64_t)ply->time_held << 48);
}

// Every field of the desk, in the order of the struct.
static void mix_desk(uint64_t *digest, const LawsDesk *desk) {
    mix(digest, (uint64_t)desk->is_active | (uint64_t)desk->loose << 8 |
                    (uint64_t)desk->due[0] << 16 | (uint64_t)desk->due[1] << 24 |
                    (uint64_t)desk->stop << 32 | (uint64_t)desk->stop_code << 40 |
                    (uint64_t)desk->claimant << 48 | (uint64_t)desk->arrived << 56);
    mix(digest, (uint64_t)desk->waived | (uint64_t)desk->on_hold << 8 |
                    (uint64_t)desk->consent << 16 | (uint64_t)desk->qpf_pending << 24 |
                    (uint64_t)desk->qpf_fallen << 32 | (uint64_t)desk->touched_count << 40 |
                    (uint64_t)desk->adjusting << 48 | (uint64_t)desk->release_from << 56);
    mix(digest, (uint64_t)desk->release_to | (uint64_t)desk->promotion << 8 |
                    (uint64_t)desk->enforced << 16 | (uint64_t)desk->touched_since << 24 |
                    (uint64_t)desk->last_touched_count << 32 |
                    (uint64_t)desk->illegal_count[0] << 40 |
                    (uint64_t)desk->illegal_count[1] << 48 | (uint64_t)desk->press_fault << 56);
    mix(digest, (uint64_t)desk->illegal_wait | (uint64_t)desk->take_back << 8 |
                    (uint64_t)desk->exempt << 16 | (uint64_t)desk->sheet_due << 24 |
                    (uint64_t)desk->record_step[0] << 32 | (uint64_t)desk->record_step[1] << 40 |
                    (uint64_t)desk->sheet_views[0] << 48 | (uint64_t)desk->sheet_views[1] << 56);
    mix(digest, (uint64_t)desk->offers_since_move[0] | (uint64_t)desk->offers_since_move[1] << 8 |
                    (uint64_t)desk->offer_mark << 16 | (uint64_t)desk->warnings[0] << 24 |
                    (uint64_t)desk->warnings[1] << 32 | (uint64_t)desk->expelled << 40 |
                    (uint64_t)desk->excluded << 48 | (uint64_t)desk->fined << 56);
    mix(digest, (uint64_t)desk->appealed | (uint64_t)desk->overruled << 8 |
                    (uint64_t)desk->verified << 16 | (uint64_t)desk->signed_by << 24 |
                    (uint64_t)desk->signed_differs << 32 | (uint64_t)desk->duties[0] << 40 |
                    (uint64_t)desk->duties[1] << 48 | (uint64_t)desk->is_announced << 56);
    mix(digest, (uint64_t)desk->echo_differs | (uint64_t)desk->sealer << 8 |
                    (uint64_t)desk->sealed << 16 | (uint64_t)desk->seal_on_board << 24 |
                    (uint64_t)desk->seal_early << 32 | (uint64_t)desk->seal_opened << 40 |
                    (uint64_t)desk->seal_unclear << 48 | (uint64_t)desk->reply_sealed << 56);
    mix(digest, (uint64_t)desk->envelope_checked | (uint64_t)desk->is_resumed << 8 |
                    (uint64_t)desk->present << 16 | (uint64_t)desk->adjournments << 24 |
                    (uint64_t)desk->claim_clock_closed << 32);
    mix_bytes(digest, desk->touched, sizeof desk->touched);
    mix_bytes(digest, desk->last_touched, sizeof desk->last_touched);
    mix(digest, desk->recorded[0] | (uint64_t)desk->recorded[1] << 32);
    mix(digest, (uint8_t)desk->points[0] | (uint64_t)(uint8_t)desk->points[1] << 8);
    for (int color = 0; color < 2; color++)
        mix_bytes(digest, desk->signed_result[color], sizeof desk->signed_result[color]);
    mix(digest, (uint64_t)desk->incidents);
    mix(digest, (uint64_t)desk->announced);
    mix(digest, desk->assistant[0] | (uint64_t)desk->assistant[1] << 32);
    mix(digest, (uint64_t)desk->sealed_move);
    for (int i = 0; i < 2; i++)
        mix_bytes(digest, desk->commitment[i], sizeof desk->commitment[i]);
    mix(digest, (uint64_t)desk->session_start_ms);
    mix(digest, (uint64_t)desk->resume_ms);
    mix(digest, (uint64_t)desk->adjourned_ms);
    // Games that know no such question keep the digest they had.
    if (desk->verdict_winner != 0) {
        mix(digest, (uint64_t)desk->verdict_winner | (uint64_t)desk->verdict_reason << 8);
        mix(digest, (uint64_t)desk->verdict_ms);
    }
}

uint64_t laws_game_digest(const LawsGame *game) {
    uint64_t digest = JD_HASH_START;
    mix_setup(&digest, &game->setup);
    mix_position(&digest, &game->position);
    mix_clock(&digest, &game->clock);
    mix(&digest, game->ply_count | (uint64_t)game->events << 32);
    for (uint32_t i = 0; i < game->ply_count; i++)
        mix_ply(&digest, &game->plies[i]);
    mix(&digest, (uint64_t)game->state | (uint64_t)game->reason << 8 |
                     (uint64_t)game->result[0] << 16 | (uint64_t)game->result[1] << 24 |
                     (uint64_t)game->offer[0] << 32 | (uint64_t)game->offer[1] << 40 |
                     (uint64_t)game->claim_lost << 48 | (uint64_t)game->bound_from << 56);
    mix(&digest, (uint64_t)game->bound_move | (uint64_t)game->wrong_claims[0] << 16 |
                     (uint64_t)game->wrong_claims[1] << 32);
    mix(&digest, (uint64_t)game->offer_made[0] | (uint64_t)game->offer_made[1] << 16);
    mix(&digest, (uint64_t)game->started_ms);
    mix(&digest, (uint64_t)game->ended_ms);
    mix(&digest, (uint64_t)game->now_ms);
    mix(&digest, (uint64_t)game->interrupted_ms);
    if (game->desk.is_active || game->desk.offer_mark || game->desk.offers_since_move[0] ||
        game->desk.offers_since_move[1] || game->desk.incidents)
        mix_desk(&digest, &game->desk);
    return digest;
}
