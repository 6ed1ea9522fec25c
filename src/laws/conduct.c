// SPDX-License-Identifier: GPL-3.0-or-later
//
// The conduct of players and what the arbiter may do about it (Articles 11, 12.9; 12 and 13.4 of
// old): incidents, warnings, points, expulsion, assistants.
#include "laws/inner.h"

static Article article_of(LawsIncident incident) {
    switch (incident) {
    case LAWS_INCIDENT_TWO_HANDS:
        return ARTICLE_TWO_HANDS;
    case LAWS_INCIDENT_CLOCK_HAND:
        return ARTICLE_CLOCK_HAND;
    case LAWS_INCIDENT_CLOCK_ABUSE:
        return ARTICLE_CLOCK_ABUSE;
    case LAWS_INCIDENT_DISPLACED:
        return ARTICLE_DISPLACED;
    case LAWS_INCIDENT_ADVICE:
        return ARTICLE_ADVICE;
    case LAWS_INCIDENT_DEVICE:
        return ARTICLE_DEVICE;
    case LAWS_INCIDENT_LEFT:
        return ARTICLE_LEFT;
    case LAWS_INCIDENT_DISTRACTION:
    case LAWS_INCIDENT_OFFER_SPAM:
    case LAWS_INCIDENT_FALSE_CLAIM:
    case LAWS_INCIDENT_UNTIMELY_OFFER:
        return ARTICLE_DISTRACTION;
    case LAWS_INCIDENT_RECORD_BEHIND:
        return ARTICLE_RECORD;
    case LAWS_INCIDENT_RECORD_AHEAD:
        return ARTICLE_RECORD_AHEAD;
    case LAWS_INCIDENT_PRESS_WITHOUT_MOVE:
        return ARTICLE_PRESS_WITHOUT_MOVE;
    case LAWS_INCIDENT_BAD_SUMMON:
        return ARTICLE_BAD_STOP;
    case LAWS_INCIDENT_SPECTATOR:
        return ARTICLE_SPECTATORS;
    case LAWS_INCIDENT_SMOKING:
        return ARTICLE_SMOKING;
    case LAWS_INCIDENT_REFUSAL:
        return ARTICLE_REFUSAL;
    case LAWS_INCIDENT_ECHO:
        return ARTICLE_ANNOUNCEMENT;
    case LAWS_INCIDENT_DISREPUTE:
    case LAWS_NO_INCIDENT:
        break;
    }
    return ARTICLE_CONDUCT;
}

LawsVerdict laws_note_incident(LawsGame *game, LawsVerdict verdict, LawsIncident incident,
                               ChessColor side) {
    if (game->desk.incidents < UINT16_MAX)
        game->desk.incidents++;
    verdict.incident = (uint8_t)incident;
    verdict.changed |= LAWS_CHANGED_RECORD;
    if (verdict.message == LAWS_MESSAGE_NONE)
        verdict = laws_say(verdict, LAWS_MESSAGE_INCIDENT, side, incident, 0);
    return verdict;
}

static bool incident_result(LawsGame *game, LawsIncident incident, ChessColor offender,
                            uint8_t result[2]) {
    LawsRules space;
    const LawsRules *const rules = laws_game_rules(game, &space);
    const ChessColor other = chess_other(offender);
    // Not a draw: the offender has nothing, and who could not win has half a point (O14).
    const uint8_t score = laws_can_mate(game, other) ? 2 : 1;
    if (incident == LAWS_INCIDENT_DEVICE) {
        if (rules->device == LAWS_DEVICE_NO_RULE)
            return false;
    } else if (incident != LAWS_INCIDENT_REFUSAL) {
        return false;
    }
    result[offender] = 0;
    result[other] = score;
    return true;
}

bool laws_incident_result(const LawsGame *game, LawsIncident incident, ChessColor offender,
                          uint8_t result[2]) {
    LawsGame copy = *game;
    return incident_result(&copy, incident, offender, result);
}

// An incident is put on record. A confirmed one has the effect its article names.
static LawsVerdict on_incident(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                               int64_t now_ms) {
    const ChessColor side = (ChessColor)event->side;
    const LawsIncident incident = (LawsIncident)event->code;
    if (event->code == LAWS_NO_INCIDENT || event->code >= LAWS_INCIDENT_COUNT)
        return laws_refuse(rules, ARTICLE_CONDUCT, LAWS_REFUSED_BAD_VALUE);
    if (event->flag && event->actor != LAWS_ARBITER_ACTOR)
        return laws_refuse(rules, article_of(incident), LAWS_REFUSED_NOT_ALLOWED);
    LawsVerdict verdict = laws_verdict(rules, article_of(incident), LAWS_CHANGED_RECORD);
    if (event->flag && incident == LAWS_INCIDENT_TWO_HANDS && rules->two_hands_is_illegal &&
        game->state < LAWS_ENDED)
        (void)laws_penalise_illegal(game, rules, side, true, now_ms, &verdict);
    uint8_t result[2];
    if (event->flag && incident == LAWS_INCIDENT_DEVICE && game->state < LAWS_ENDED &&
        incident_result(game, incident, side, result))
        verdict = laws_end(game, rules, result[0], result[1], LAWS_DEVICE, ARTICLE_DEVICE, now_ms);
    return laws_note_incident(game, verdict, incident, side);
}

// Half-points taken from or given to a player; nobody gets more than a game can give.
static LawsVerdict on_points(LawsGame *game, const LawsRules *rules, const LawsEvent *event) {
    const ChessColor side = (ChessColor)event->side;
    const int sum = game->desk.points[side] + (event->flag ? -event->code : event->code);
    const int base = game->state == LAWS_ENDED ? game->result[side] : 0;
    if (event->code == 0 || event->code > 2 || sum > 2 - base || sum < -100)
        return laws_refuse(rules, ARTICLE_POINTS, LAWS_REFUSED_BAD_VALUE);
    game->desk.points[side] = (int8_t)sum;
    return laws_say(laws_verdict(rules, ARTICLE_PENALTIES, LAWS_CHANGED_RECORD),
                    LAWS_MESSAGE_POINTS, side, event->flag ? -event->code : event->code, 0);
}

static LawsVerdict penalty(const LawsRules *rules, const LawsEvent *event, LawsMessage message) {
    return laws_say(laws_verdict(rules, ARTICLE_PENALTIES, LAWS_CHANGED_RECORD), message,
                    event->side, event->count, 0);
}

LawsVerdict laws_on_conduct(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const uint8_t bit = (uint8_t)(1u << (event->side & 1));
    switch (event->kind) {
    case LAWS_EVENT_INCIDENT:
        return on_incident(game, rules, event, now_ms);
    case LAWS_EVENT_WARN:
        if (desk->warnings[event->side] < UINT8_MAX)
            desk->warnings[event->side]++;
        return penalty(rules, event, LAWS_MESSAGE_WARNED);
    case LAWS_EVENT_POINTS:
        return on_points(game, rules, event);
    case LAWS_EVENT_EXPEL:
        desk->expelled |= bit;
        return penalty(rules, event, LAWS_MESSAGE_EXPELLED);
    case LAWS_EVENT_FINE:
        if (!rules->penalty_fine)
            return laws_refuse(rules, ARTICLE_PENALTIES, LAWS_REFUSED_NO_SUCH_RULE);
        desk->fined |= bit;
        return penalty(rules, event, LAWS_MESSAGE_FINED);
    case LAWS_EVENT_EXCLUDE_ROUNDS:
        if (!rules->penalty_exclusion)
            return laws_refuse(rules, ARTICLE_PENALTIES, LAWS_REFUSED_NO_SUCH_RULE);
        desk->excluded |= bit;
        return penalty(rules, event, LAWS_MESSAGE_EXCLUDED);
    case LAWS_EVENT_ASSISTANT:
        desk->duties[event->side] = event->code;
        desk->assistant[event->side] = event->count;
        return laws_verdict(rules, ARTICLE_ASSISTANT, LAWS_CHANGED_RECORD);
    case LAWS_EVENT_REMOVE_SPECTATOR:
        return laws_verdict(rules, ARTICLE_SPECTATORS, LAWS_CHANGED_RECORD);
    default: // LAWS_EVENT_NOTE
        return laws_verdict(rules, ARTICLE_ARBITER, LAWS_CHANGED_RECORD);
    }
}

// ---- beside the game (Articles 6.12, 11.3.1, 11.4, 12.6, 12.7)

LawsVerdict laws_aside(const LawsGame *game, LawsAside what) {
    LawsRules space;
    const LawsRules *const rules = laws_game_rules(game, &space);
    JD_ASSERT(rules != NULL);
    Article article = ARTICLE_FINISHED;
    bool is_barred = game->state < LAWS_ENDED;
    switch (what) {
    case LAWS_ASIDE_COUNTERS:
        article = ARTICLE_DISPLAYS;
        is_barred &= game->setup.strict_display;
        break;
    case LAWS_ASIDE_ANALYSIS:
        article = ARTICLE_ADVICE;
        break;
    case LAWS_ASIDE_VOICES:
        break;
    }
    return is_barred ? laws_refuse(rules, article, LAWS_REFUSED_NOT_ALLOWED)
                     : laws_verdict(rules, article, LAWS_CHANGED_NOTHING);
}

// ---- points (Article 10.1)

bool laws_is_forfeit(const LawsGame *game) {
    return game->state == LAWS_ENDED &&
           (game->reason == LAWS_DEFAULT || game->reason == LAWS_BOTH_DEFAULT);
}

int laws_points(const LawsGame *game, const LawsScoring *scoring, ChessColor color) {
    if (game->state != LAWS_ENDED || game->reason == LAWS_QPF_PENDING)
        return 0;
    const bool forfeit = laws_is_forfeit(game);
    int score = game->result[color] == 1   ? scoring->draw
                : game->result[color] == 2 ? (forfeit ? scoring->forfeit_win : scoring->win)
                                           : (forfeit ? scoring->forfeit_loss : scoring->loss);
    // Penalties are half-points of the classic system; they scale with what a win is worth.
    score += game->desk.points[color] * scoring->win / 2;
    return score > scoring->win ? scoring->win : score;
}
