// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parameters of an edition by name and number, and an event's regulations over them (Preface:
// additional rules may not contradict the Laws; a strict game has none).
#include "laws/inner.h"

// The number is what logs hold: rows are added at the end and never renumbered. What no event may
// change is fixed; some of that is a switch of LawsSetup instead (default time, identity by
// castling moves, the gap between offers).
#define ROW(position, field, min, max, overridable)                                                \
    {                                                                                              \
        .name = #field, .least = (min), .most = (max), .number = (position),                       \
        .offset = offsetof(LawsRules, field), .size = sizeof(((LawsRules *)0)->field),             \
        .may_override = (overridable)                                                              \
    }

static const LawsParameter parameters[] = {
    ROW(1, pace_increment_factor, 0, 100, 0),
    ROW(2, flag_caller, 1, 2, 1),
    ROW(3, flag_claim_needs_own_flag_up, 0, 1, 1),
    ROW(4, flag_win_needs_helpmate, 0, 1, 1),
    ROW(5, resign_loss_needs_helpmate, 0, 1, 1),
    ROW(6, both_flags_draw, 0, 2, 1),
    ROW(7, illegal_limit, 1, 100, 1),
    ROW(8, illegal_bonus_needs_claim, 0, 1, 1),
    ROW(9, illegal_loss_needs_helpmate, 0, 1, 1),
    ROW(10, claim_repetitions, 2, 100, 1),
    ROW(11, claim_moves, 1, 100, 1),
    ROW(12, forced_repetitions, 0, 100, 1),
    ROW(13, forced_moves, 0, 120, 1),
    ROW(14, claim_lost_by_touch, 0, 1, 1),
    ROW(15, claim_is_offer, 0, 1, 1),
    ROW(16, wrong_claim_cuts_time, 0, 1, 1),
    ROW(17, wrong_claim_binds_move, 0, 1, 1),
    ROW(18, draw_restriction_allowed, 0, 1, 0),
    ROW(19, agreement_min_own_moves, 0, 100, 1),
    ROW(20, quickplay_finish, 0, 1, 1),
    ROW(21, scoresheet_required, 0, 1, 1),
    ROW(22, rapid_min_inclusive, 0, 1, 0),
    ROW(23, rapid_max_inclusive, 0, 1, 0),
    ROW(24, supervision_matters, 0, 1, 0),
    ROW(25, must_announce_rules, 0, 1, 0),
    ROW(26, default_time_must_be_set, 0, 1, 0),
    ROW(27, both_absent_white_runs, 0, 1, 1),
    ROW(28, arrival_needs_default_time, 0, 1, 1),
    ROW(29, both_flags_other_period, 0, 2, 1),
    ROW(30, completed_moves_count, 0, 1, 0),
    ROW(31, illegal_draw_by_claim, 0, 1, 1),
    ROW(32, illegal_raised_by, 0, 3, 1),
    ROW(33, illegal_deadline, 0, 2, 1),
    ROW(34, illegal_stands_after_deadline, 0, 1, 1),
    ROW(35, illegal_corrected_by_agreement, 0, 1, 1),
    ROW(36, illegal_complete_at_press, 0, 1, 1),
    ROW(37, unfinished_promotion, 0, 2, 1),
    ROW(38, king_capture, 0, 1, 0),
    ROW(39, press_without_move_is_illegal, 0, 1, 1),
    ROW(40, two_hands_is_illegal, 0, 1, 1),
    ROW(41, illegal_position, 0, 2, 1),
    ROW(42, overlooking_penalised, 0, 1, 0),
    ROW(43, illegal_decides_at_once, 0, 1, 1),
    ROW(44, forced_repetitions_consecutive, 0, 1, 1),
    ROW(45, claim_stops_clocks, 0, 3, 1),
    ROW(46, claim_withdrawable, 0, 1, 0),
    ROW(47, quickplay_claim_is_offer, 0, 1, 1),
    ROW(48, wrong_claim_binds_piece, 0, 1, 1),
    ROW(49, written_move_final, 0, 1, 0),
    ROW(50, identity_en_passant, 0, 1, 0),
    ROW(51, identity_castling, 0, 1, 0),
    ROW(52, draw_restriction_bars_offers, 0, 1, 1),
    ROW(53, offer_gap_moves, 0, 100, 0),
    ROW(54, quickplay_needs_no_increment, 0, 1, 1),
    ROW(55, quickplay_needs_announcement, 0, 1, 1),
    ROW(56, quickplay_stops_clock, 0, 3, 1),
    ROW(57, quickplay_verdict_after_flag_only, 0, 1, 1),
    ROW(58, quickplay_decision_final, 0, 1, 1),
    ROW(59, quickplay_no_arbiter_ends, 0, 1, 1),
    ROW(60, scoresheet_exempt_rest_of_period, 0, 1, 1),
    ROW(61, record_ahead_forbidden, 0, 2, 1),
    ROW(62, setup_claim_limit_moves, 0, 100, 1),
    ROW(63, clock_setting_late_for_schedule, 0, 1, 1),
    ROW(64, setup_castling, 0, 1, 1),
    ROW(65, colors_reversed_restart_moves, 0, 100, 1),
    ROW(66, touch_ruling_on_request, 0, 1, 1),
    ROW(67, promotion_final_on_touch, 0, 1, 1),
    ROW(68, king_release_binds_castling, 0, 1, 1),
    ROW(69, device, 0, 3, 1),
    ROW(70, smoking_named, 0, 2, 0),
    ROW(71, appeal_allowed, 0, 2, 1),
    ROW(72, adjourn_late_default, 0, 1, 1),
    ROW(73, seal_fault_loses, 0, 1, 1),
    ROW(74, penalty_fine, 0, 1, 1),
    ROW(75, penalty_exclusion, 0, 1, 1),
    ROW(76, rapid_min_ms, 0, 86400000, 0),
    ROW(77, rapid_max_ms, 0, 86400000, 0),
    ROW(78, quickplay_postpone_bonus_ms, 0, 86400000, 1),
    ROW(79, quickplay_reject_bonus_ms, 0, 86400000, 1),
    ROW(80, quickplay_increment_ms, 0, 86400000, 1),
    ROW(81, scoresheet_exempt_needs_increment_below_ms, 0, 86400000, 1),
    ROW(82, record_ahead_bonus_ms, 0, 86400000, 1),
    ROW(83, adjourn_late_ms, 0, 86400000, 1),
    ROW(84, illegal_bonus_ms, 0, 86400000, 1),
    ROW(85, wrong_claim_bonus_ms, 0, 86400000, 1),
    ROW(86, default_time_ms, 0, 86400000, 0),
    ROW(87, quickplay_threshold_ms, 0, 86400000, 1),
    ROW(88, scoresheet_exempt_below_ms, 0, 86400000, 1),
    ROW(89, adjust_needs_own_clock, 0, 1, 1),
    ROW(90, sheet_views_max, 0, 100, 1),
};

const LawsParameter *laws_parameters(size_t *count) {
    *count = JD_COUNT(parameters);
    return parameters;
}

const LawsParameter *laws_parameter_find(JdStr name) {
    for (size_t i = 0; i < JD_COUNT(parameters); i++)
        if (jd_str_equal(name, jd_str(parameters[i].name)))
            return &parameters[i];
    return NULL;
}

const LawsParameter *laws_parameter_by_number(uint16_t number) {
    return number >= 1 && number <= JD_COUNT(parameters) ? &parameters[number - 1] : NULL;
}

int64_t laws_parameter_value(const LawsRules *rules, const LawsParameter *parameter) {
    const unsigned char *const at = (const unsigned char *)rules + parameter->offset;
    if (parameter->size == 1)
        return *at;
    int64_t value;
    jd_copy(&value, at, sizeof value);
    return value;
}

static void set_value(LawsRules *rules, const LawsParameter *parameter, int64_t value) {
    unsigned char *const at = (unsigned char *)rules + parameter->offset;
    if (parameter->size == 1)
        *at = (unsigned char)value;
    else
        jd_copy(at, &value, sizeof value);
}

static bool fault(JdErr *err, const char *parameter, const char *text) {
    return jd_fail_field(err, LAWS_FAULT_SETUP, parameter, 0, "%s: %s", parameter, text);
}

bool laws_override_check(const LawsSetup *setup, JdErr *err) {
    if (setup->override_count > LAWS_OVERRIDES_MAX)
        return fault(err, "overrides", "at most 8 parameters are set otherwise");
    for (int i = 0; i < setup->override_count; i++) {
        const LawsOverride *const override = &setup->overrides[i];
        const LawsParameter *const parameter = laws_parameter_by_number(override->parameter);
        if (parameter == NULL)
            return fault(err, "overrides", "unknown parameter");
        if (!parameter->may_override)
            return fault(err, parameter->name, "no event may set this otherwise");
        if (override->value < parameter->least || override->value > parameter->most)
            return fault(err, parameter->name, "the value is out of range");
        if (setup->fide_strict)
            return fault(err, parameter->name, "a strict game keeps the Laws as they are");
        for (int j = 0; j < i; j++)
            if (setup->overrides[j].parameter == override->parameter)
                return fault(err, parameter->name, "set twice");
    }
    return true;
}

bool laws_setup_override(LawsSetup *setup, JdStr name, int64_t value, JdErr *err) {
    const LawsParameter *const parameter = laws_parameter_find(name);
    if (parameter == NULL)
        return jd_fail_field(err, LAWS_FAULT_SETUP, "overrides", 0, "no parameter \"%.*s\"",
                             JD_PRINT(name));
    if (setup->override_count == LAWS_OVERRIDES_MAX)
        return fault(err, parameter->name, "at most 8 parameters are set otherwise");
    LawsSetup copy = *setup;
    copy.overrides[copy.override_count++] =
        (LawsOverride) { .value = value, .parameter = parameter->number };
    if (!laws_override_check(&copy, err))
        return false;
    *setup = copy;
    return true;
}

void laws_setup_declare(LawsSetup *setup, const ChessPosition *declared) {
    setup->has_declared = 1;
    for (int i = 0; i < 32; i++)
        setup->declared[i] =
            (uint8_t)(declared->board[2 * i] | (unsigned)declared->board[2 * i + 1] << 4);
}

const LawsRules *laws_setup_rules(const LawsSetup *setup, LawsRules *space) {
    const LawsRules *const rules =
        laws_rules((LawsEdition)setup->edition, (LawsPace)setup->pace, setup->supervised != 0);
    if (setup->override_count == 0 || rules == NULL)
        return rules;
    *space = *rules;
    for (int i = 0; i < setup->override_count; i++)
        set_value(space, laws_parameter_by_number(setup->overrides[i].parameter),
                  setup->overrides[i].value);
    return space;
}

const LawsRules *laws_game_rules(const LawsGame *game, LawsRules *space) {
    return laws_setup_rules(&game->setup, space);
}
