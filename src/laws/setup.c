// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a setup can be played: what is fixed before the first move.
#include <jadoube/notation.h>

#include "laws/inner.h"

static bool fault(JdErr *err, const char *field, const char *text) {
    return jd_fail_field(err, LAWS_FAULT_SETUP, field, 0, "%s", text);
}

static bool controls_check(const LawsSetup *setup, JdErr *err) {
    const bool white_none = laws_control_is_none(&setup->control[CHESS_WHITE]);
    const bool black_none = laws_control_is_none(&setup->control[CHESS_BLACK]);
    if (white_none && black_none)
        return true;
    if (white_none || black_none)
        return fault(err, "control", "one player has a clock and the other has none");
    return laws_control_check(&setup->control[CHESS_WHITE], err) &&
           laws_control_check(&setup->control[CHESS_BLACK], err);
}

static bool switches_check(const LawsSetup *setup, JdErr *err) {
    const struct {
        const char *field;
        uint8_t value;
    } switches[] = {
        { "supervised", setup->supervised },
        { "arbiter_present", setup->arbiter_present },
        { "slow_no_penalty", setup->slow_no_penalty },
        { "draw_never", setup->draw_never },
        { "fide_strict", setup->fide_strict },
        { "ignore_fen_clock", setup->ignore_fen_clock },
        { "identity_exercisable", setup->identity_exercisable },
        { "separate_press", setup->separate_press },
        { "touch_move", setup->touch_move },
        { "unchecked_moves", setup->unchecked_moves },
        { "default_given", setup->default_given },
        { "attendance", setup->attendance },
        { "rules_announced", setup->rules_announced },
        { "ruled_later", setup->ruled_later },
        { "manual_scoresheet", setup->manual_scoresheet },
        { "strict_display", setup->strict_display },
        { "add_at_zero", setup->add_at_zero },
        { "delay_drops_main", setup->delay_drops_main },
        { "quickplay_announced", setup->quickplay_announced },
        { "king_capture_wins", setup->king_capture_wins },
        { "colors_reversed", setup->colors_reversed },
        { "clock_side", setup->clock_side },
        { "has_declared", setup->has_declared },
    };
    for (size_t i = 0; i < JD_COUNT(switches); i++)
        if (switches[i].value > 1)
            return fault(err, switches[i].field, "a switch is 0 or 1");
    if (setup->mating > LAWS_MATING_ASKED)
        return fault(err, "mating", "unknown way to find out who can mate");
    if (setup->accessible > 3)
        return fault(err, "accessible", "a bit for each player");
    if (setup->sheet_language[0] >= CHESS_LANGUAGE_COUNT ||
        setup->sheet_language[1] >= CHESS_LANGUAGE_COUNT)
        return fault(err, "sheet_language", "unknown language");
    return true;
}

static bool flags_check(const LawsSetup *setup, const LawsRules *rules, JdErr *err) {
    if (setup->flag_mode > LAWS_FLAGS_CLAIMED)
        return fault(err, "flag_mode", "unknown flag mode");
    if (setup->flag_mode == LAWS_FLAGS_OBSERVED && rules->flag_caller == LAWS_FLAG_BY_PLAYER_ONLY)
        return fault(err, "flag_mode", "in this edition only a player's claim makes a flag fall");
    if (setup->flag_mode == LAWS_FLAGS_CLAIMED &&
        (laws_control_is_slow(&setup->control[0]) || laws_control_is_slow(&setup->control[1])))
        return fault(err, "flag_mode", "flags of slow games fall by themselves");
    return true;
}

// What the event has to say beforehand, and what only some games may have.
static bool event_check(const LawsSetup *setup, const LawsRules *rules, JdErr *err) {
    const bool is_fast = setup->pace != LAWS_STANDARD;
    if (setup->arbiter_present && is_fast && rules->must_announce_rules && !setup->rules_announced)
        return fault(err, "rules_announced", "the event says whether A.3 or A.4 holds");
    if (setup->attendance && rules->default_time_must_be_set && !setup->default_given)
        return fault(err, "default_ms", "this edition lets the event name the default time");
    if (setup->king_capture_wins &&
        (setup->edition != LAWS_FIDE_1997 || setup->pace != LAWS_BLITZ || !setup->unchecked_moves))
        return fault(err, "king_capture_wins", "an option of blitz games of 1997 alone");
    if (setup->accessible != 0 && !setup->separate_press)
        return fault(err, "accessible", "moves are announced where the clock is pressed apart");
    if (setup->session_ms < 0 || setup->session_ms > INT64_C(86400000))
        return fault(err, "session_ms", "a session lasts 0 to 24 hours");
    for (size_t i = 0; i < sizeof setup->declared; i++)
        if (!setup->has_declared && setup->declared[i] != 0)
            return fault(err, "declared", "a declared position without the switch");
    return laws_override_check(setup, err);
}

// The profile fide_strict refuses what is no parameter of the Laws (Preface).
static bool strict_check(const LawsSetup *setup, JdErr *err) {
    if (setup->fide_strict == 0)
        return true;
    if (setup->slow_no_penalty != 0)
        return fault(err, "slow_no_penalty", "a strict game keeps the penalty of Article 9.5");
    if (setup->identity_exercisable != 0)
        return fault(err, "identity_exercisable", "a strict game compares castling rights");
    if (setup->offer_gap_moves != 0)
        return fault(err, "offer_gap_moves", "a strict game does not space draw offers");
    if (setup->king_capture_wins != 0)
        return fault(err, "king_capture_wins", "a strict game treats it as an illegal move");
    if (setup->delay_drops_main != 0)
        return fault(err, "delay_drops_main", "a strict game carries main time over");
    return true;
}

// The lemmas alone, though the exact service may know more: a setup stands at the head of a log,
// and must be accepted for ever or never. A game from a start that only the service proves dead
// ends with its first move (laws_is_dead_now).
static bool start_check(const LawsSetup *setup, JdErr *err) {
    if (!chess_has_legal_move(&setup->start))
        return fault(err, "start", "the start position has no legal move");
    if (laws_is_dead(&setup->start))
        return fault(err, "start", "no series of moves mates from the start position");
    return true;
}

bool laws_setup_check(const LawsSetup *setup, JdErr *err) {
    const LawsRules *const rules =
        laws_rules((LawsEdition)setup->edition, (LawsPace)setup->pace, setup->supervised != 0);
    if (rules == NULL)
        return fault(err, "edition", "unknown edition or pace");
    if (!controls_check(setup, err) || !switches_check(setup, err) ||
        !flags_check(setup, rules, err))
        return false;
    if (!rules->draw_restriction_allowed && (setup->draw_min_moves != 0 || setup->draw_never != 0))
        return fault(err, "draw_min_moves", "this edition lets no event forbid agreements");
    if (setup->default_ms < 0 || setup->default_ms > INT64_C(86400000))
        return fault(err, "default_ms", "a default time is 0 to 24 hours");
    return event_check(setup, rules, err) && strict_check(setup, err) && start_check(setup, err);
}
