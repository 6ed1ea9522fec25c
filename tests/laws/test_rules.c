// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every parameter of every edition against the table of the specification; names.
#include "scenario.h"

typedef struct Field {
    const char *name;
    size_t offset;
    size_t size;
} Field;

#define FIELD(name)                                                                                \
    { #name, offsetof(LawsRules, name), sizeof(((LawsRules *)0)->name) }
static const Field fields[] = {
    FIELD(pace_increment_factor),
    FIELD(flag_caller),
    FIELD(flag_claim_needs_own_flag_up),
    FIELD(flag_win_needs_helpmate),
    FIELD(resign_loss_needs_helpmate),
    FIELD(both_flags_draw),
    FIELD(illegal_limit),
    FIELD(illegal_bonus_needs_claim),
    FIELD(illegal_loss_needs_helpmate),
    FIELD(claim_repetitions),
    FIELD(claim_moves),
    FIELD(forced_repetitions),
    FIELD(forced_moves),
    FIELD(claim_lost_by_touch),
    FIELD(claim_is_offer),
    FIELD(wrong_claim_cuts_time),
    FIELD(wrong_claim_binds_move),
    FIELD(draw_restriction_allowed),
    FIELD(agreement_min_own_moves),
    FIELD(quickplay_finish),
    FIELD(scoresheet_required),
    FIELD(rapid_min_inclusive),
    FIELD(rapid_max_inclusive),
    FIELD(supervision_matters),
    FIELD(must_announce_rules),
    FIELD(default_time_must_be_set),
    FIELD(both_absent_white_runs),
    FIELD(arrival_needs_default_time),
    FIELD(both_flags_other_period),
    FIELD(completed_moves_count),
    FIELD(illegal_draw_by_claim),
    FIELD(illegal_raised_by),
    FIELD(illegal_deadline),
    FIELD(illegal_stands_after_deadline),
    FIELD(illegal_corrected_by_agreement),
    FIELD(illegal_complete_at_press),
    FIELD(unfinished_promotion),
    FIELD(king_capture),
    FIELD(press_without_move_is_illegal),
    FIELD(two_hands_is_illegal),
    FIELD(illegal_position),
    FIELD(overlooking_penalised),
    FIELD(illegal_decides_at_once),
    FIELD(forced_repetitions_consecutive),
    FIELD(claim_stops_clocks),
    FIELD(claim_withdrawable),
    FIELD(quickplay_claim_is_offer),
    FIELD(wrong_claim_binds_piece),
    FIELD(written_move_final),
    FIELD(identity_en_passant),
    FIELD(identity_castling),
    FIELD(draw_restriction_bars_offers),
    FIELD(offer_gap_moves),
    FIELD(quickplay_needs_no_increment),
    FIELD(quickplay_needs_announcement),
    FIELD(quickplay_stops_clock),
    FIELD(quickplay_verdict_after_flag_only),
    FIELD(quickplay_decision_final),
    FIELD(quickplay_no_arbiter_ends),
    FIELD(scoresheet_exempt_rest_of_period),
    FIELD(record_ahead_forbidden),
    FIELD(setup_claim_limit_moves),
    FIELD(clock_setting_late_for_schedule),
    FIELD(setup_castling),
    FIELD(colors_reversed_restart_moves),
    FIELD(touch_ruling_on_request),
    FIELD(promotion_final_on_touch),
    FIELD(king_release_binds_castling),
    FIELD(device),
    FIELD(smoking_named),
    FIELD(appeal_allowed),
    FIELD(adjourn_late_default),
    FIELD(seal_fault_loses),
    FIELD(penalty_fine),
    FIELD(penalty_exclusion),
    FIELD(adjust_needs_own_clock),
    FIELD(sheet_views_max),
    FIELD(rapid_min_ms),
    FIELD(rapid_max_ms),
    FIELD(quickplay_postpone_bonus_ms),
    FIELD(quickplay_reject_bonus_ms),
    FIELD(quickplay_increment_ms),
    FIELD(scoresheet_exempt_needs_increment_below_ms),
    FIELD(record_ahead_bonus_ms),
    FIELD(adjourn_late_ms),
    FIELD(illegal_bonus_ms),
    FIELD(wrong_claim_bonus_ms),
    FIELD(default_time_ms),
    FIELD(quickplay_threshold_ms),
    FIELD(scoresheet_exempt_below_ms),
};

static int64_t value_of(const LawsRules *rules, const Field *field) {
    const unsigned char *const at = (const unsigned char *)rules + field->offset;
    int64_t value;
    if (field->size == 1)
        return *at;
    assert_int_equal(field->size, sizeof value);
    memcpy(&value, at, sizeof value);
    return value;
}

static const Field *field_of(JdStr name) {
    for (size_t i = 0; i < JD_COUNT(fields); i++)
        if (jd_str_equal(name, jd_str(fields[i].name)))
            return &fields[i];
    fail_msg("no field %.*s", JD_PRINT(name));
    return NULL;
}

static void check_row(int line, const Field *field, JdStr paces, JdStr supervision, JdStr values) {
    for (int edition = LAWS_FIDE_1997; edition <= LAWS_FIDE_2023; edition++) {
        const JdStr text = jd_str_cut(&values, ' ');
        uint64_t expected;
        if (!jd_parse_u64(text, UINT32_MAX, &expected))
            fail_msg("rules.txt:%d: no number \"%.*s\"", line, JD_PRINT(text));
        for (int pace = LAWS_STANDARD; pace <= LAWS_BLITZ; pace++) {
            if (!jd_str_equal(paces, JD_STR("all")) &&
                !jd_str_equal(paces, jd_str(laws_pace_name((LawsPace)pace))))
                continue;
            for (int supervised = 0; supervised < 2; supervised++) {
                if (jd_str_equal(supervision, supervised ? JD_STR("u") : JD_STR("s")))
                    continue;
                const LawsRules *const rules =
                    laws_rules((LawsEdition)edition, (LawsPace)pace, supervised);
                const int64_t is = value_of(rules, field);
                if (is != (int64_t)expected)
                    fail_msg("rules.txt:%d: %s of %s %s supervised=%d is %lld, expected %llu", line,
                             field->name, laws_edition_name((LawsEdition)edition),
                             laws_pace_name((LawsPace)pace), supervised, (long long)is,
                             (unsigned long long)expected);
            }
        }
    }
    assert_int_equal(values.size, 0);
}

static void test_parameters(void **state) {
    (void)state;
    bool seen[JD_COUNT(fields)] = { false };
    JdStr rest = jd_str(table_read("rules.txt"));
    JdStr line;
    int number = 0;
    while (table_line(&rest, &line, &number)) {
        const Field *const field = field_of(jd_str_trim(jd_str_cut(&line, '|')));
        const JdStr pace = jd_str_trim(jd_str_cut(&line, '|'));
        const JdStr supervision = jd_str_trim(jd_str_cut(&line, '|'));
        check_row(number, field, pace, supervision, jd_str_trim(line));
        seen[field - fields] = true;
    }
    for (size_t i = 0; i < JD_COUNT(fields); i++)
        if (!seen[i])
            fail_msg("%s is in no row", fields[i].name);
}

static void test_rows_name_themselves(void **state) {
    (void)state;
    for (int edition = LAWS_FIDE_1997; edition <= LAWS_FIDE_2023; edition++)
        for (int pace = LAWS_STANDARD; pace <= LAWS_BLITZ; pace++)
            for (int supervised = 0; supervised < 2; supervised++) {
                const LawsRules *const rules =
                    laws_rules((LawsEdition)edition, (LawsPace)pace, supervised);
                assert_int_equal(rules->edition, edition);
                assert_int_equal(rules->pace, pace);
                assert_int_equal(rules->supervised, supervised);
            }
    assert_null(laws_rules((LawsEdition)0, LAWS_RAPID, true));
    assert_null(laws_rules((LawsEdition)6, LAWS_RAPID, true));
    assert_null(laws_rules(LAWS_FIDE_2023, (LawsPace)0, true));
    assert_null(laws_rules(LAWS_FIDE_2023, (LawsPace)4, true));
}

static void test_names(void **state) {
    (void)state;
    LawsEdition edition;
    LawsPace pace;
    for (int i = LAWS_FIDE_1997; i <= LAWS_FIDE_2023; i++) {
        assert_true(laws_edition_parse(jd_str(laws_edition_name((LawsEdition)i)), &edition));
        assert_int_equal(edition, i);
    }
    for (int i = LAWS_STANDARD; i <= LAWS_BLITZ; i++) {
        assert_true(laws_pace_parse(jd_str(laws_pace_name((LawsPace)i)), &pace));
        assert_int_equal(pace, i);
    }
    assert_string_equal(laws_edition_name(LAWS_FIDE_2023), "fide-2023");
    assert_false(laws_edition_parse(JD_STR("fide-2018"), &edition));
    assert_false(laws_edition_parse(JD_STR(""), &edition));
    assert_false(laws_pace_parse(JD_STR("Blitz"), &pace));
    assert_null(laws_edition_name((LawsEdition)0));
    assert_null(laws_pace_name((LawsPace)9));
    assert_string_equal(laws_reason_name(LAWS_AUTO_75), "auto_75");
    assert_string_equal(laws_reason_name((LawsReason)63), "unknown");
    assert_string_equal(laws_refusal_name(LAWS_REFUSED_NOT_YET), "not_yet");
    assert_string_equal(laws_refusal_name((LawsRefusal)200), "unknown");
}

static void test_result_texts(void **state) {
    (void)state;
    static const struct {
        uint8_t white, black;
        const char *text;
    } results[] = {
        { 2, 0, "1-0" },   { 0, 2, "0-1" },   { 1, 1, "1/2-1/2" }, { 0, 0, "0-0" },
        { 0, 1, "0-1/2" }, { 1, 0, "1/2-0" }, { 2, 1, "*" },       { 3, 0, "*" },
    };
    for (size_t i = 0; i < JD_COUNT(results); i++) {
        LawsGame game = { .state = LAWS_ENDED, .result = { results[i].white, results[i].black } };
        assert_string_equal(laws_result_text(&game), results[i].text);
        game.state = LAWS_RUNNING;
        assert_string_equal(laws_result_text(&game), "*");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_rows_name_themselves),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_result_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
