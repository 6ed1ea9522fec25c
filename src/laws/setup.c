// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether a setup can be played: what is fixed before the first move.
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
    };
    for (size_t i = 0; i < JD_COUNT(switches); i++)
        if (switches[i].value > 1)
            return fault(err, switches[i].field, "a switch is 0 or 1");
    if (setup->separate_press != 0)
        return fault(err, "separate_press", "every move is pressed as it is made");
    if (setup->touch_move != 0)
        return fault(err, "touch_move", "touching binds nobody: only whole moves are entered");
    if (setup->unchecked_moves != 0)
        return fault(err, "unchecked_moves", "only legal moves can be entered");
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
    return true;
}

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
    return strict_check(setup, err) && start_check(setup, err);
}
