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
