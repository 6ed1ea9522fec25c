// SPDX-License-Identifier: GPL-3.0-or-later
//
// The editions of the Laws as rows of parameters. An edition has three parts: what holds at every
// pace (..._ALL), what differs by pace, and what differs by supervision (2.1: from 2009 on, rapid
// and blitz have a set of rules for games nobody watches). No field is named twice in a row.
#include <jadoube/laws.h>

// What all editions share.
#define EVERY_EDITION                                                                              \
    .flag_win_needs_helpmate = 1, .completed_moves_count = 1, .claim_repetitions = 3,              \
    .claim_moves = 50, .claim_is_offer = 1, .quickplay_claim_is_offer = 1,                         \
    .wrong_claim_binds_move = 1, .identity_en_passant = 1, .identity_castling = 1,                 \
    .both_absent_white_runs = 1, .quickplay_needs_no_increment = 1,                                \
    .quickplay_threshold_ms = 120000, .quickplay_postpone_bonus_ms = 120000,                       \
    .quickplay_reject_bonus_ms = 120000, .quickplay_no_arbiter_ends = 1,                           \
    .scoresheet_exempt_below_ms = 300000, .scoresheet_exempt_needs_increment_below_ms = 30000,     \
    .seal_fault_loses = 1, .both_flags_other_period = LAWS_BOTH_FLAGS_CONTINUE,                    \
    .rapid_max_ms = 3600000

#define FIDE_1997_ALL                                                                              \
    EVERY_EDITION,                                                                                 \
        .edition = LAWS_FIDE_1997, .pace_increment_factor = 0, .rapid_min_inclusive = 1,           \
        .rapid_max_inclusive = 1, .rapid_min_ms = 900000, .default_time_ms = 3600000,              \
        .unfinished_promotion = LAWS_PROMOTION_ILLEGAL, .king_capture = LAWS_KING_CAPTURE_ILLEGAL, \
        .claim_stops_clocks = LAWS_MUST, .wrong_claim_cuts_time = 1,                               \
        .wrong_claim_bonus_ms = 180000, .quickplay_stops_clock = LAWS_MUST,                        \
        .quickplay_verdict_after_flag_only = 1, .quickplay_decision_final = 1,                     \
        .setup_castling = LAWS_SETUP_CASTLING_SWAPPED_KING, .device = LAWS_DEVICE_NO_RULE,         \
        .adjourn_late_ms = 3600000
#define FIDE_2005_ALL                                                                              \
    EVERY_EDITION,                                                                                 \
        .edition = LAWS_FIDE_2005, .pace_increment_factor = 60, .rapid_min_inclusive = 1,          \
        .rapid_max_inclusive = 1, .rapid_min_ms = 900000, .default_time_ms = 3600000,              \
        .illegal_bonus_needs_claim = 1, .unfinished_promotion = LAWS_PROMOTION_ILLEGAL_NAMED,      \
        .king_capture = LAWS_KING_CAPTURE_ILLEGAL_NAMED, .claim_stops_clocks = LAWS_MUST,          \
        .wrong_claim_cuts_time = 1, .wrong_claim_bonus_ms = 180000,                                \
        .quickplay_stops_clock = LAWS_MUST, .quickplay_decision_final = 1,                         \
        .record_ahead_forbidden = 1, .record_ahead_bonus_ms = 120000,                              \
        .setup_castling = LAWS_SETUP_CASTLING_SWAPPED_KING, .promotion_final_on_touch = 1,         \
        .king_release_binds_castling = 1, .device = LAWS_DEVICE_RINGING_LOSES,                     \
        .adjourn_late_ms = 3600000
#define FIDE_2009_ALL                                                                              \
    EVERY_EDITION,                                                                                 \
        .edition = LAWS_FIDE_2009, .pace_increment_factor = 60, .rapid_min_inclusive = 1,          \
        .rapid_max_inclusive = 0, .rapid_min_ms = 900000, .default_time_ms = 0,                    \
        .arrival_needs_default_time = 1, .illegal_bonus_needs_claim = 1,                           \
        .unfinished_promotion = LAWS_PROMOTION_ILLEGAL_NAMED,                                      \
        .king_capture = LAWS_KING_CAPTURE_ILLEGAL_NAMED, .claim_stops_clocks = LAWS_MUST,          \
        .claim_lost_by_touch = 1, .wrong_claim_bonus_ms = 180000, .wrong_claim_binds_piece = 1,    \
        .draw_restriction_allowed = 1, .quickplay_stops_clock = LAWS_MUST,                         \
        .quickplay_decision_final = 1, .scoresheet_exempt_rest_of_period = 1,                      \
        .record_ahead_forbidden = 1, .record_ahead_bonus_ms = 120000,                              \
        .setup_castling = LAWS_SETUP_CASTLING_SWAPPED_KING, .promotion_final_on_touch = 1,         \
        .king_release_binds_castling = 1, .device = LAWS_DEVICE_RINGING_LOSES_OR_HALF,             \
        .smoking_named = 1, .appeal_allowed = 2, .adjourn_late_ms = 3600000
// What 2014 and 2023 have in common.
#define FIDE_SINCE_2014                                                                            \
    EVERY_EDITION,                                                                                 \
        .pace_increment_factor = 60, .rapid_min_inclusive = 0, .rapid_max_inclusive = 0,           \
        .rapid_min_ms = 600000, .must_announce_rules = 1, .default_time_ms = 0,                    \
        .illegal_loss_needs_helpmate = 1, .illegal_complete_at_press = 1,                          \
        .unfinished_promotion = LAWS_PROMOTION_BECOMES_QUEEN,                                      \
        .king_capture = LAWS_KING_CAPTURE_ILLEGAL_NAMED, .claim_lost_by_touch = 1,                 \
        .forced_repetitions = 5, .forced_moves = 75, .wrong_claim_binds_piece = 1,                 \
        .draw_restriction_allowed = 1, .quickplay_needs_announcement = 1,                          \
        .quickplay_stops_clock = LAWS_MAY, .quickplay_increment_ms = 5000,                         \
        .scoresheet_exempt_rest_of_period = 1, .setup_castling = LAWS_SETUP_CASTLING_BY_PIECE,     \
        .promotion_final_on_touch = 1, .king_release_binds_castling = 1,                           \
        .device = LAWS_DEVICE_CARRYING_LOSES, .appeal_allowed = 1, .adjourn_late_default = 1,      \
        .penalty_fine = 1, .penalty_exclusion = 1, .flag_caller = LAWS_FLAG_BY_ARBITER_OR_PLAYER,  \
        .both_flags_draw = LAWS_BOTH_FLAGS_DRAW
#define FIDE_2014_ALL                                                                              \
    FIDE_SINCE_2014, .edition = LAWS_FIDE_2014, .default_time_must_be_set = 1,                     \
                     .claim_stops_clocks = LAWS_MAY, .forced_repetitions_consecutive = 1,          \
                     .record_ahead_forbidden = 1, .smoking_named = 1
#define FIDE_2023_ALL                                                                              \
    FIDE_SINCE_2014, .edition = LAWS_FIDE_2023, .arrival_needs_default_time = 1,                   \
                     .resign_loss_needs_helpmate = 1, .press_without_move_is_illegal = 1,          \
                     .two_hands_is_illegal = 1, .claim_stops_clocks = LAWS_SHALL,                  \
                     .written_move_final = 1, .draw_restriction_bars_offers = 1,                   \
                     .agreement_min_own_moves = 1, .record_ahead_forbidden = 2,                    \
                     .adjust_needs_own_clock = 1, .colors_reversed_restart_moves = 10,             \
                     .smoking_named = 2

// Paces.
#define STANDARD .pace = LAWS_STANDARD, .scoresheet_required = 1, .quickplay_finish = 1
#define RAPID .pace = LAWS_RAPID, .quickplay_finish = 1
#define BLITZ .pace = LAWS_BLITZ
#define SUPERVISED .supervised = 1

#define ILLEGAL_STANDARD(limit)                                                                    \
    .illegal_limit = (limit), .illegal_bonus_ms = 120000, .illegal_raised_by = LAWS_RAISED_BY_ANYONE

// Rapid and blitz of 1997 to 2009: only the player sees the flag; the appendix of the players
// alone.
#define FLAG_OF_PLAYERS                                                                            \
    .flag_caller = LAWS_FLAG_BY_PLAYER_ONLY, .flag_claim_needs_own_flag_up = 1,                    \
    .both_flags_draw = LAWS_BOTH_FLAGS_DRAW
#define FLAG_OF_ALL(both) .flag_caller = LAWS_FLAG_BY_ARBITER_OR_PLAYER, .both_flags_draw = (both)
#define LATE_ILLEGAL_STANDS .illegal_stands_after_deadline = 1, .setup_claim_limit_moves = 3
#define UNWATCHED_TOUCH .touch_ruling_on_request = 1

#define ROW_1997_STANDARD                                                                          \
    FIDE_1997_ALL, STANDARD, ILLEGAL_STANDARD(3), FLAG_OF_ALL(LAWS_BOTH_FLAGS_DRAW_IN_QUICKPLAY)
#define ROW_1997_RAPID                                                                             \
    FIDE_1997_ALL, RAPID, FLAG_OF_PLAYERS, LATE_ILLEGAL_STANDS, UNWATCHED_TOUCH,                   \
        .illegal_limit = 3, .illegal_bonus_ms = 120000,                                            \
        .illegal_raised_by = LAWS_RAISED_BY_OPPONENT,                                              \
        .illegal_deadline = LAWS_UNTIL_CLAIMANT_TOUCHES
#define ROW_1997_BLITZ                                                                             \
    FIDE_1997_ALL, BLITZ, FLAG_OF_PLAYERS, LATE_ILLEGAL_STANDS, UNWATCHED_TOUCH,                   \
        .illegal_limit = 1, .illegal_draw_by_claim = 1, .illegal_decides_at_once = 1,              \
        .illegal_raised_by = LAWS_RAISED_BY_OPPONENT,                                              \
        .illegal_deadline = LAWS_UNTIL_CLAIMANT_MOVES

#define ROW_2005_STANDARD                                                                          \
    FIDE_2005_ALL, STANDARD, ILLEGAL_STANDARD(3), FLAG_OF_ALL(LAWS_BOTH_FLAGS_DRAW)
#define ROW_2005_RAPID                                                                             \
    FIDE_2005_ALL, RAPID, FLAG_OF_PLAYERS, LATE_ILLEGAL_STANDS, UNWATCHED_TOUCH,                   \
        .illegal_limit = 3, .illegal_bonus_ms = 120000,                                            \
        .illegal_raised_by = LAWS_RAISED_BY_OPPONENT_GROSS_BY_ARBITER,                             \
        .illegal_deadline = LAWS_UNTIL_CLAIMANT_MOVES,                                             \
        .illegal_position = LAWS_ILLEGAL_POSITION_ARBITER
#define ROW_2005_BLITZ                                                                             \
    FIDE_2005_ALL, BLITZ, FLAG_OF_PLAYERS, LATE_ILLEGAL_STANDS, UNWATCHED_TOUCH,                   \
        .illegal_limit = 1, .illegal_draw_by_claim = 1, .illegal_decides_at_once = 1,              \
        .illegal_raised_by = LAWS_RAISED_BY_OPPONENT,                                              \
        .illegal_deadline = LAWS_UNTIL_CLAIMANT_MOVES,                                             \
        .illegal_position = LAWS_ILLEGAL_POSITION_ARBITER

#define ROW_2009_STANDARD                                                                          \
    FIDE_2009_ALL, STANDARD, ILLEGAL_STANDARD(3), FLAG_OF_ALL(LAWS_BOTH_FLAGS_DRAW)
#define FAST_2009                                                                                  \
    LATE_ILLEGAL_STANDS, .illegal_corrected_by_agreement = 1, .supervision_matters = 1,            \
                         .illegal_deadline = LAWS_UNTIL_CLAIMANT_MOVES,                            \
                         .illegal_position = LAWS_ILLEGAL_POSITION_ARBITER
#define ROW_2009_RAPID                                                                             \
    FIDE_2009_ALL, RAPID, FAST_2009, FLAG_OF_PLAYERS, UNWATCHED_TOUCH,                             \
        .illegal_limit = 3, .illegal_bonus_ms = 120000,                                            \
        .illegal_raised_by = LAWS_RAISED_BY_OPPONENT_GROSS_BY_ARBITER
#define ROW_2009_RAPID_SUPERVISED                                                                  \
    FIDE_2009_ALL, RAPID, SUPERVISED, FAST_2009, FLAG_OF_ALL(LAWS_BOTH_FLAGS_DRAW),                \
        .flag_claim_needs_own_flag_up = 1, ILLEGAL_STANDARD(3)
#define ROW_2009_BLITZ                                                                             \
    FIDE_2009_ALL, BLITZ, FAST_2009, FLAG_OF_PLAYERS, UNWATCHED_TOUCH,                             \
        .illegal_limit = 1, .illegal_draw_by_claim = 1, .illegal_decides_at_once = 1,              \
        .illegal_raised_by = LAWS_RAISED_BY_OPPONENT
#define ROW_2009_BLITZ_SUPERVISED                                                                  \
    FIDE_2009_ALL, BLITZ, SUPERVISED, FAST_2009, FLAG_OF_ALL(LAWS_BOTH_FLAGS_DRAW),                \
        .flag_claim_needs_own_flag_up = 1, .illegal_draw_by_claim = 1, ILLEGAL_STANDARD(3)

#define FAST_SINCE_2014                                                                            \
    .supervision_matters = 1, .illegal_raised_by = LAWS_RAISED_BY_OPPONENT_OR_ARBITER,             \
    .illegal_deadline = LAWS_UNTIL_CLAIMANT_MOVES, .illegal_stands_after_deadline = 1,             \
    .illegal_corrected_by_agreement = 1, .illegal_position = LAWS_ILLEGAL_POSITION_WAIT_DRAW,      \
    .setup_claim_limit_moves = 10, .clock_setting_late_for_schedule = 1
#define ROW_2014_STANDARD                                                                          \
    FIDE_2014_ALL, STANDARD, ILLEGAL_STANDARD(2), .wrong_claim_bonus_ms = 120000
#define FAST_2014 FAST_SINCE_2014, .flag_claim_needs_own_flag_up = 1
#define ROW_2014_RAPID                                                                             \
    FIDE_2014_ALL, RAPID, FAST_2014, .wrong_claim_bonus_ms = 120000, .illegal_limit = 1,           \
                                     .illegal_decides_at_once = 1
#define ROW_2014_RAPID_SUPERVISED                                                                  \
    FIDE_2014_ALL, RAPID, SUPERVISED, FAST_2014, .wrong_claim_bonus_ms = 120000,                   \
                                                 .illegal_limit = 2, .illegal_bonus_ms = 120000
#define ROW_2014_BLITZ                                                                             \
    FIDE_2014_ALL, BLITZ, FAST_2014, .wrong_claim_bonus_ms = 60000, .illegal_limit = 1,            \
                                     .illegal_decides_at_once = 1
#define ROW_2014_BLITZ_SUPERVISED                                                                  \
    FIDE_2014_ALL, BLITZ, SUPERVISED, FAST_2014, .wrong_claim_bonus_ms = 60000,                    \
                                                 .illegal_limit = 2, .illegal_bonus_ms = 60000

#define ROW_2023_STANDARD                                                                          \
    FIDE_2023_ALL, STANDARD, ILLEGAL_STANDARD(2), .wrong_claim_bonus_ms = 120000
#define FAST_2023                                                                                  \
    FAST_SINCE_2014, .wrong_claim_bonus_ms = 60000, .illegal_limit = 2, .illegal_bonus_ms = 60000, \
                     .sheet_views_max = 5
#define ROW_2023_RAPID FIDE_2023_ALL, RAPID, FAST_2023
#define ROW_2023_BLITZ FIDE_2023_ALL, BLITZ, FAST_2023

static const LawsRules editions[LAWS_EDITION_COUNT][LAWS_BLITZ + 1][2] = {
    [LAWS_FIDE_1997] = {
        [LAWS_STANDARD] = { { ROW_1997_STANDARD }, { ROW_1997_STANDARD, SUPERVISED } },
        [LAWS_RAPID] = { { ROW_1997_RAPID }, { ROW_1997_RAPID, SUPERVISED } },
        [LAWS_BLITZ] = { { ROW_1997_BLITZ }, { ROW_1997_BLITZ, SUPERVISED } },
    },
    [LAWS_FIDE_2005] = {
        [LAWS_STANDARD] = { { ROW_2005_STANDARD }, { ROW_2005_STANDARD, SUPERVISED } },
        [LAWS_RAPID] = { { ROW_2005_RAPID }, { ROW_2005_RAPID, SUPERVISED } },
        [LAWS_BLITZ] = { { ROW_2005_BLITZ }, { ROW_2005_BLITZ, SUPERVISED } },
    },
    [LAWS_FIDE_2009] = {
        [LAWS_STANDARD] = { { ROW_2009_STANDARD }, { ROW_2009_STANDARD, SUPERVISED } },
        [LAWS_RAPID] = { { ROW_2009_RAPID }, { ROW_2009_RAPID_SUPERVISED } },
        [LAWS_BLITZ] = { { ROW_2009_BLITZ }, { ROW_2009_BLITZ_SUPERVISED } },
    },
    [LAWS_FIDE_2014] = {
        [LAWS_STANDARD] = { { ROW_2014_STANDARD }, { ROW_2014_STANDARD, SUPERVISED } },
        [LAWS_RAPID] = { { ROW_2014_RAPID }, { ROW_2014_RAPID_SUPERVISED } },
        [LAWS_BLITZ] = { { ROW_2014_BLITZ }, { ROW_2014_BLITZ_SUPERVISED } },
    },
    [LAWS_FIDE_2023] = {
        [LAWS_STANDARD] = { { ROW_2023_STANDARD }, { ROW_2023_STANDARD, SUPERVISED } },
        [LAWS_RAPID] = { { ROW_2023_RAPID }, { ROW_2023_RAPID, SUPERVISED } },
        [LAWS_BLITZ] = { { ROW_2023_BLITZ }, { ROW_2023_BLITZ, SUPERVISED } },
    },
};

const LawsRules *laws_rules(LawsEdition edition, LawsPace pace, bool supervised) {
    if ((unsigned)edition < LAWS_FIDE_1997 || (unsigned)edition > LAWS_FIDE_2023 ||
        (unsigned)pace < LAWS_STANDARD || (unsigned)pace > LAWS_BLITZ)
        return NULL;
    return &editions[edition][pace][supervised];
}
