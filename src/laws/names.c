// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stable names of editions, paces, reasons, states, refusals and results, as JSON, the command line
// and message catalogues use them.
#include <jadoube/laws.h>

static const char *const edition_names[LAWS_EDITION_COUNT] = {
    [LAWS_FIDE_1997] = "fide-1997", [LAWS_FIDE_2005] = "fide-2005", [LAWS_FIDE_2009] = "fide-2009",
    [LAWS_FIDE_2014] = "fide-2014", [LAWS_FIDE_2023] = "fide-2023",
};

static const char *const pace_names[] = {
    [LAWS_STANDARD] = "standard",
    [LAWS_RAPID] = "rapid",
    [LAWS_BLITZ] = "blitz",
};

static const char *const state_names[] = {
    [LAWS_SCHEDULED] = "scheduled", [LAWS_RUNNING] = "running",     [LAWS_STOPPED] = "stopped",
    [LAWS_SEALING] = "sealing",     [LAWS_ADJOURNED] = "adjourned", [LAWS_ENDED] = "ended",
    [LAWS_ANNULLED] = "annulled",
};

static const char *const reason_names[] = {
    [LAWS_NOT_ENDED] = "not_ended",
    [LAWS_CHECKMATE] = "checkmate",
    [LAWS_STALEMATE] = "stalemate",
    [LAWS_DEAD_POSITION] = "dead_position",
    [LAWS_RESIGNATION] = "resignation",
    [LAWS_RESIGN_DRAW] = "resign_draw",
    [LAWS_AGREEMENT] = "agreement",
    [LAWS_CLAIM_REPETITION] = "claim_repetition",
    [LAWS_CLAIM_50] = "claim_50",
    [LAWS_AUTO_REPETITION] = "auto_repetition",
    [LAWS_AUTO_75] = "auto_75",
    [LAWS_FLAG] = "flag",
    [LAWS_FLAG_DRAW] = "flag_draw",
    [LAWS_BOTH_FLAGS] = "both_flags",
    [LAWS_QPF_DRAW] = "qpf_draw",
    [LAWS_QPF_PENDING] = "qpf_pending",
    [LAWS_ILLEGAL_LIMIT] = "illegal_limit",
    [LAWS_ILLEGAL_CLAIM] = "illegal_claim",
    [LAWS_ILLEGAL_DRAW] = "illegal_draw",
    [LAWS_ILLEGAL_POSITION_DRAW] = "illegal_position_draw",
    [LAWS_DEFAULT] = "default",
    [LAWS_BOTH_DEFAULT] = "both_default",
    [LAWS_SEALED_FAULT] = "sealed_fault",
    [LAWS_DEVICE] = "device",
    [LAWS_PENALTY] = "penalty",
    [LAWS_BOTH_GUILTY] = "both_guilty",
    [LAWS_ARBITER] = "arbiter",
    [LAWS_ANNULLED_REASON] = "annulled",
    [LAWS_ABORTED] = "aborted",
    [LAWS_ABANDONED] = "abandoned",
    [LAWS_BLOCKED] = "blocked",
};

static const char *const refusal_names[] = {
    [LAWS_NOT_REFUSED] = "not_refused",
    [LAWS_REFUSED_GAME_OVER] = "game_over",
    [LAWS_REFUSED_NOT_STARTED] = "not_started",
    [LAWS_REFUSED_NOT_YOUR_TURN] = "not_your_turn",
    [LAWS_REFUSED_ILLEGAL_MOVE] = "illegal_move",
    [LAWS_REFUSED_NO_OFFER] = "no_offer",
    [LAWS_REFUSED_OFFER_STANDS] = "offer_stands",
    [LAWS_REFUSED_DRAW_TOO_EARLY] = "draw_too_early",
    [LAWS_REFUSED_DRAW_FORBIDDEN] = "draw_forbidden",
    [LAWS_REFUSED_RIGHT_LOST] = "right_lost",
    [LAWS_REFUSED_BOUND_MOVE] = "bound_move",
    [LAWS_REFUSED_FLAG_NOT_DOWN] = "flag_not_down",
    [LAWS_REFUSED_TOO_LATE] = "too_late",
    [LAWS_REFUSED_ALREADY_STARTED] = "already_started",
    [LAWS_REFUSED_NOT_ALLOWED] = "not_allowed",
    [LAWS_REFUSED_RECORD_FULL] = "record_full",
    [LAWS_REFUSED_UNKNOWN_EVENT] = "unknown_event",
    [LAWS_REFUSED_TIME_BACKWARDS] = "time_backwards",
    [LAWS_REFUSED_OFFER_TOO_SOON] = "offer_too_soon",
    [LAWS_REFUSED_NOT_YET] = "not_yet",
    [LAWS_REFUSED_CLOCKS_STOPPED] = "clocks_stopped",
    [LAWS_REFUSED_NO_ARBITER] = "no_arbiter",
    [LAWS_REFUSED_NO_SUCH_RULE] = "no_such_rule",
    [LAWS_REFUSED_TOUCH_MOVE] = "touch_move",
    [LAWS_REFUSED_NOT_DUE] = "not_due",
    [LAWS_REFUSED_NOT_COMPLETED] = "not_completed",
    [LAWS_REFUSED_NOT_STOPPED] = "not_stopped",
    [LAWS_REFUSED_BAD_VALUE] = "bad_value",
    [LAWS_REFUSED_SHEET_INCOMPLETE] = "sheet_incomplete",
    [LAWS_REFUSED_NOT_ANNOUNCED] = "not_announced",
    [LAWS_REFUSED_TIME_LEFT] = "time_left",
    [LAWS_REFUSED_FLAG_DOWN] = "flag_down",
    [LAWS_REFUSED_NOT_PRESENT] = "not_present",
    [LAWS_REFUSED_SEAL_DIFFERS] = "seal_differs",
    [LAWS_REFUSED_FINAL] = "final",
    [LAWS_REFUSED_NOT_SEALED] = "not_sealed",
    [LAWS_REFUSED_NO_DUTY] = "no_duty",
};

static const char *const stop_names[] = {
    [LAWS_NOT_STOPPED] = "not_stopped",      [LAWS_STOP_BY_PLAYER] = "by_player",
    [LAWS_STOP_BY_ARBITER] = "by_arbiter",   [LAWS_STOP_CLAIM_QPF] = "claim_qpf",
    [LAWS_STOP_CLAIM_TOUCH] = "claim_touch", [LAWS_STOP_CLAIM_SETUP] = "claim_setup",
    [LAWS_STOP_CLAIM_CLOCK] = "claim_clock", [LAWS_STOP_REQUEST_INCREMENT] = "request_increment",
    [LAWS_STOP_ILLEGAL] = "illegal",         [LAWS_STOP_SHEETS] = "sheets",
    [LAWS_STOP_VERDICT] = "verdict",
};

static const char *const incident_names[LAWS_INCIDENT_COUNT] = {
    [LAWS_NO_INCIDENT] = "none",
    [LAWS_INCIDENT_TWO_HANDS] = "two_hands",
    [LAWS_INCIDENT_CLOCK_HAND] = "clock_hand",
    [LAWS_INCIDENT_CLOCK_ABUSE] = "clock_abuse",
    [LAWS_INCIDENT_DISPLACED] = "displaced",
    [LAWS_INCIDENT_DISREPUTE] = "disrepute",
    [LAWS_INCIDENT_ADVICE] = "advice",
    [LAWS_INCIDENT_DEVICE] = "device",
    [LAWS_INCIDENT_LEFT] = "left",
    [LAWS_INCIDENT_DISTRACTION] = "distraction",
    [LAWS_INCIDENT_RECORD_BEHIND] = "record_behind",
    [LAWS_INCIDENT_RECORD_AHEAD] = "record_ahead",
    [LAWS_INCIDENT_OFFER_SPAM] = "offer_spam",
    [LAWS_INCIDENT_FALSE_CLAIM] = "false_claim",
    [LAWS_INCIDENT_PRESS_WITHOUT_MOVE] = "press_without_move",
    [LAWS_INCIDENT_BAD_SUMMON] = "bad_summon",
    [LAWS_INCIDENT_SPECTATOR] = "spectator",
    [LAWS_INCIDENT_SMOKING] = "smoking",
    [LAWS_INCIDENT_REFUSAL] = "refusal",
    [LAWS_INCIDENT_ECHO] = "echo",
    [LAWS_INCIDENT_UNTIMELY_OFFER] = "untimely_offer",
};

static const char *const message_names[LAWS_MESSAGE_END - LAWS_MESSAGE_FIRST] = {
    "claim_wrong",
    "claim_unfounded",
    "illegal_corrected",
    "illegal_taken_back",
    "queen_placed",
    "stopped",
    "resumed",
    "clock_set",
    "restored",
    "warned",
    "points",
    "expelled",
    "fined",
    "excluded",
    "incident",
    "qpf_postponed",
    "qpf_rejected",
    "increment_granted",
    "increment_refused",
    "touch_binds",
    "sealing",
    "adjourned",
    "envelope_opened",
    "envelope_unclear",
    "colors_stand",
    "setup_stands",
    "both_flags_continue",
    "next_period",
    "on_hold",
    "offer_untimely",
    "move_count_set",
    "arbiter_called",
    "sheets",
    "verdict_awaited",
};

static const char *name_of(const char *const *names, size_t count, size_t number,
                           const char *otherwise) {
    return number < count && names[number] != NULL ? names[number] : otherwise;
}

static bool number_of(const char *const *names, size_t count, JdStr name, size_t *out) {
    for (size_t i = 0; i < count; i++)
        if (names[i] != NULL && jd_str_equal(name, jd_str(names[i]))) {
            *out = i;
            return true;
        }
    return false;
}

const char *laws_edition_name(LawsEdition edition) {
    return name_of(edition_names, JD_COUNT(edition_names), (size_t)edition, NULL);
}

bool laws_edition_parse(JdStr name, LawsEdition *out) {
    size_t number;
    if (!number_of(edition_names, JD_COUNT(edition_names), name, &number))
        return false;
    *out = (LawsEdition)number;
    return true;
}

const char *laws_pace_name(LawsPace pace) {
    return name_of(pace_names, JD_COUNT(pace_names), (size_t)pace, NULL);
}

bool laws_pace_parse(JdStr name, LawsPace *out) {
    size_t number;
    if (!number_of(pace_names, JD_COUNT(pace_names), name, &number))
        return false;
    *out = (LawsPace)number;
    return true;
}

const char *laws_state_name(LawsState state) {
    return name_of(state_names, JD_COUNT(state_names), (size_t)state, "unknown");
}

const char *laws_reason_name(LawsReason reason) {
    return name_of(reason_names, JD_COUNT(reason_names), (size_t)reason, "unknown");
}

const char *laws_refusal_name(LawsRefusal refusal) {
    return name_of(refusal_names, JD_COUNT(refusal_names), (size_t)refusal, "unknown");
}

const char *laws_stop_name(LawsStop stop) {
    return name_of(stop_names, JD_COUNT(stop_names), (size_t)stop, "unknown");
}

const char *laws_incident_name(LawsIncident incident) {
    return name_of(incident_names, JD_COUNT(incident_names), (size_t)incident, "unknown");
}

size_t laws_message_name(uint16_t message, char out[LAWS_MESSAGE_NAME_SIZE]) {
    const char *group = "done.";
    const char *name = NULL;
    if (message >= LAWS_MESSAGE_FIRST) {
        name = name_of(message_names, JD_COUNT(message_names),
                       (size_t)(message - LAWS_MESSAGE_FIRST), NULL);
    } else if (message > LAWS_MESSAGE_REASONS) {
        group = "ended.";
        name = name_of(reason_names, JD_COUNT(reason_names),
                       (size_t)(message - LAWS_MESSAGE_REASONS), NULL);
    } else if (message > 0) {
        group = "refused.";
        name = name_of(refusal_names, JD_COUNT(refusal_names), message, NULL);
    }
    if (name == NULL) {
        out[0] = '\0';
        return 0;
    }
    return jd_format(out, LAWS_MESSAGE_NAME_SIZE, "%s%s", group, name);
}

const char *laws_result_text(const LawsGame *game) {
    // By half-points of White and Black; no game gives more than two (Article 10.2).
    static const char *const texts[3][3] = {
        { "0-0", "0-1/2", "0-1" },
        { "1/2-0", "1/2-1/2", "*" },
        { "1-0", "*", "*" },
    };
    if (game->state != LAWS_ENDED || game->reason == LAWS_QPF_PENDING || game->result[0] > 2 ||
        game->result[1] > 2)
        return "*";
    return texts[game->result[0]][game->result[1]];
}
