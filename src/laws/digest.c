// SPDX-License-Identifier: GPL-3.0-or-later
//
// One number for everything a game is. Values are mixed, never bytes of structs: neither the order
// of bytes, nor padding, nor the size of a pointer can show.
#include "laws/inner.h"

static void mix(uint64_t *digest, uint64_t value) {
    *digest = jd_mix((*digest ^ value) + UINT64_C(0x9e3779b97f4a7c15));
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
}

static void mix_clock(uint64_t *digest, const LawsClock *clock) {
    for (int color = 0; color < 2; color++) {
        mix(digest, (uint64_t)clock->remaining_ms[color]);
        mix(digest, clock->moves_done[color] | (uint64_t)clock->period_start[color] << 32);
        mix(digest, (uint64_t)clock->period[color] | (uint64_t)clock->flag_down[color] << 8 |
                        (uint64_t)clock->credit_ms[color] << 16);
    }
    mix(digest, (uint64_t)clock->run_start_ms);
    mix(digest, clock->running);
}

static void mix_ply(uint64_t *digest, const LawsPly *ply) {
    mix(digest, ply->zobrist_key);
    mix(digest, (uint64_t)ply->clock_ms);
    mix(digest, (uint64_t)ply->at_ms);
    mix(digest, (uint64_t)ply->move | (uint64_t)ply->irreversible << 16 |
                    (uint64_t)ply->offered_draw << 24 | (uint64_t)ply->halfmove_clock_low << 32);
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
    return digest;
}
