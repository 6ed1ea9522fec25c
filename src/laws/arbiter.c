// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the arbiter does to clocks, position and result (Articles 6.11, 7.1, 10.2, 12.9), and what
// is done about results afterwards.
#include "laws/inner.h"

LawsVerdict laws_stop(LawsGame *game, const LawsRules *rules, LawsStop stop, uint8_t code,
                      ChessColor claimant, Article article, int64_t now_ms) {
    laws_clock_stop(game, now_ms);
    game->state = LAWS_STOPPED;
    game->desk.stop = (uint8_t)stop;
    game->desk.stop_code = code;
    game->desk.claimant = (uint8_t)claimant;
    return laws_say(laws_verdict(rules, article, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK),
                    LAWS_MESSAGE_STOPPED, (unsigned)claimant, stop, code);
}

void laws_resume(LawsGame *game, ChessColor side, int64_t now_ms) {
    game->state = LAWS_RUNNING;
    game->desk.stop = LAWS_NOT_STOPPED;
    game->desk.stop_code = 0;
    laws_clock_start(game, side, now_ms);
}

// ---- stopping and clocks

// Article 6.11.2: a player stops the clocks only to call the arbiter. Slow games go on meanwhile.
static LawsVerdict on_summon(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                             int64_t now_ms) {
    const ChessColor player = (ChessColor)event->actor;
    if (!game->setup.arbiter_present)
        return laws_refuse(rules, ARTICLE_STOP_BY_PLAYER, LAWS_REFUSED_NO_ARBITER);
    if (laws_control_is_slow(&game->setup.control[CHESS_WHITE]) ||
        laws_control_is_slow(&game->setup.control[CHESS_BLACK]))
        return laws_say(laws_verdict(rules, ARTICLE_STOP_BY_PLAYER, LAWS_CHANGED_RECORD),
                        LAWS_MESSAGE_ARBITER_CALLED, player, event->code, 0);
    return laws_stop(game, rules, LAWS_STOP_BY_PLAYER, event->code, player, ARTICLE_STOP_BY_PLAYER,
                     now_ms);
}

static LawsVerdict on_resume(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                             int64_t now_ms) {
    const ChessColor side =
        event->side == LAWS_BOTH_SIDES ? laws_clock_side(game) : (ChessColor)event->side;
    // A claim that stopped the clocks is answered first.
    if (game->desk.stop == LAWS_STOP_CLAIM_QPF)
        return laws_refuse(rules, ARTICLE_QUICKPLAY, LAWS_REFUSED_NOT_ALLOWED);
    laws_resume(game, side, now_ms);
    return laws_say(
        laws_verdict(rules, ARTICLE_RESUMPTION, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK),
        LAWS_MESSAGE_RESUMED, side, 0, 0);
}

static int64_t reading_of(const LawsGame *game, ChessColor color, int64_t now_ms) {
    return laws_clock_reading(game, color, (JdInstant) { .ms = now_ms });
}

static LawsVerdict on_clock(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms) {
    const Article article = event->kind == LAWS_EVENT_SET_CLOCK  ? ARTICLE_CLOCK_READING
                            : event->kind == LAWS_EVENT_SUB_TIME ? ARTICLE_PENALTIES
                                                                 : ARTICLE_EXTRA_TIME;
    if (laws_control_is_none(&game->setup.control[CHESS_WHITE]))
        return laws_refuse(rules, article, LAWS_REFUSED_NO_SUCH_RULE);
    const ChessColor side = event->side == CHESS_BLACK ? CHESS_BLACK : CHESS_WHITE;
    const int64_t old = reading_of(game, side, now_ms);
    if (event->kind == LAWS_EVENT_SET_CLOCK) {
        laws_clock_set(game, side, event->span_ms, now_ms);
    } else if (event->kind == LAWS_EVENT_ADD_TIME) {
        for (int color = 0; color < 2; color++)
            if (event->side == color || event->side == LAWS_BOTH_SIDES)
                laws_clock_give(game, (ChessColor)color, event->span_ms);
    } else if (event->span_ms >= old) {
        // More is taken than there is: zero, and the flag is the arbiter's to call.
        laws_clock_set(game, side, 0, now_ms);
    } else {
        laws_clock_adjust(game, side, -event->span_ms);
    }
    return laws_say(laws_verdict(rules, article, LAWS_CHANGED_CLOCK), LAWS_MESSAGE_CLOCK_SET,
                    event->side, old, reading_of(game, side, now_ms));
}

static LawsVerdict on_move_count(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                 int64_t now_ms) {
    const ChessColor side = (ChessColor)event->side;
    const uint32_t old = game->clock.moves_done[side];
    if (event->count > CHESS_GAME_PLIES_MAX)
        return laws_refuse(rules, ARTICLE_MOVE_COUNT, LAWS_REFUSED_BAD_VALUE);
    // The turn so far is settled by the period it was played in.
    const uint8_t running = game->clock.running;
    laws_clock_stop(game, now_ms);
    laws_clock_set_moves(game, side, event->count);
    if (running != 0)
        laws_clock_start(game, (ChessColor)(running - 1), now_ms);
    return laws_say(laws_verdict(rules, ARTICLE_MOVE_COUNT, LAWS_CHANGED_CLOCK),
                    LAWS_MESSAGE_MOVE_COUNT_SET, side, old, event->count);
}

// Articles 7.4 to 7.6: back to an earlier position; the readings of then are proposed.
static LawsVerdict on_restore(LawsGame *game, const LawsRules *rules, const LawsEvent *event) {
    if (event->count > game->ply_count)
        return laws_refuse(rules, ARTICLE_DISPLACED_FOUND, LAWS_REFUSED_BAD_VALUE);
    laws_restore(game, event->count);
    return laws_say(laws_verdict(rules, ARTICLE_DISPLACED_FOUND,
                                 LAWS_CHANGED_BOARD | LAWS_CHANGED_CLOCK | LAWS_CHANGED_OFFER),
                    LAWS_MESSAGE_RESTORED, LAWS_BOTH_SIDES, event->count, 0);
}

// ---- results

// Half-points of one game: normal scores, not more than the maximum together (Article 10.2).
static bool is_normal(const uint8_t result[2]) {
    return result[0] <= 2 && result[1] <= 2 && result[0] + result[1] <= 2;
}

static bool is_known_reason(uint8_t reason) {
    return reason != LAWS_NOT_ENDED && reason != LAWS_QPF_PENDING &&
           reason != LAWS_ANNULLED_REASON && reason <= LAWS_BLOCKED &&
           laws_reason_name((LawsReason)reason)[0] != 'u';
}

static LawsVerdict on_result(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                             int64_t now_ms) {
    if (!is_normal(event->result) || !is_known_reason(event->code))
        return laws_refuse(rules, ARTICLE_POINTS, LAWS_REFUSED_BAD_VALUE);
    const Article article = event->code == LAWS_BOTH_GUILTY ? ARTICLE_BOTH_GUILTY
                            : event->code == LAWS_PENALTY   ? ARTICLE_PENALTIES
                            : event->code == LAWS_DEVICE    ? ARTICLE_DEVICE
                                                            : ARTICLE_ARBITER;
    if (event->kind == LAWS_EVENT_ARB_RESULT)
        return laws_end(game, rules, event->result[0], event->result[1], (LawsReason)event->code,
                        article, now_ms);
    // Overruling changes what is recorded, not when and how the game ended.
    game->state = LAWS_ENDED;
    game->result[0] = event->result[0];
    game->result[1] = event->result[1];
    game->reason = event->code;
    game->desk.overruled = 1;
    return laws_say(laws_verdict(rules, article, LAWS_CHANGED_STATE | LAWS_CHANGED_RECORD),
                    (LawsMessage)(LAWS_MESSAGE_REASONS + event->code), LAWS_BOTH_SIDES, 0, 0);
}

// 13.4: declared lost; the opponent's score is the arbiter's to set, from the present position.
static LawsVerdict on_declare_lost(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                   int64_t now_ms) {
    const ChessColor loser = (ChessColor)event->side;
    if (event->code > 2)
        return laws_refuse(rules, ARTICLE_POINTS, LAWS_REFUSED_BAD_VALUE);
    return laws_end(game, rules, loser == CHESS_WHITE ? 0 : event->code,
                    loser == CHESS_WHITE ? event->code : 0, LAWS_PENALTY, ARTICLE_PENALTIES,
                    now_ms);
}

// Article 8.7: what both signed stands, and the arbiter is shown where the board says otherwise.
static LawsVerdict on_confirm(LawsGame *game, const LawsRules *rules, const LawsEvent *event) {
    LawsDesk *const desk = &game->desk;
    const ChessColor player = (ChessColor)event->actor;
    if (!is_normal(event->result))
        return laws_refuse(rules, ARTICLE_SIGNED, LAWS_REFUSED_BAD_VALUE);
    if (game->reason == LAWS_QPF_PENDING)
        return laws_refuse(rules, ARTICLE_SIGNED, LAWS_REFUSED_NOT_DUE);
    desk->signed_by |= (uint8_t)(1u << player);
    desk->signed_result[player][0] = event->result[0];
    desk->signed_result[player][1] = event->result[1];
    if (desk->signed_by == 3 && !desk->overruled &&
        desk->signed_result[0][0] == desk->signed_result[1][0] &&
        desk->signed_result[0][1] == desk->signed_result[1][1] &&
        (event->result[0] != game->result[0] || event->result[1] != game->result[1])) {
        game->result[0] = event->result[0];
        game->result[1] = event->result[1];
        desk->signed_differs = 1;
        return laws_verdict(rules, ARTICLE_SIGNED, LAWS_CHANGED_STATE | LAWS_CHANGED_RECORD);
    }
    return laws_verdict(rules, ARTICLE_SIGNED, LAWS_CHANGED_RECORD);
}

static LawsVerdict on_appeal(LawsGame *game, const LawsRules *rules, ChessColor player) {
    const bool was_quickplay = game->reason == LAWS_QPF_DRAW || game->desk.qpf_pending != 0;
    if (rules->quickplay_decision_final && was_quickplay)
        return laws_refuse(rules, ARTICLE_QUICKPLAY_FINAL, LAWS_REFUSED_FINAL);
    if (!rules->appeal_allowed)
        return laws_refuse(rules, ARTICLE_APPEAL, LAWS_REFUSED_NO_SUCH_RULE);
    game->desk.appealed |= (uint8_t)(1u << player);
    return laws_verdict(rules, ARTICLE_APPEAL, LAWS_CHANGED_RECORD);
}

// Article 6.8: the arbiter sees the flag, or the program that watches for him.
static LawsVerdict on_flag_observed(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                    int64_t now_ms) {
    const ChessColor side = (ChessColor)event->side;
    if (rules->flag_caller == LAWS_FLAG_BY_PLAYER_ONLY)
        return laws_refuse(rules, ARTICLE_FLAG_CONSIDERED_FALLEN, LAWS_REFUSED_NOT_ALLOWED);
    if (!laws_clock_is_down(game, side, now_ms))
        return laws_refuse(rules, ARTICLE_FLAG_CONSIDERED_FALLEN, LAWS_REFUSED_FLAG_NOT_DOWN);
    return laws_on_flag_seen(game, rules, side, now_ms);
}

// ---- slow games, house rules

static LawsVerdict on_hold(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                           int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const ChessColor side = (ChessColor)event->side;
    const uint8_t bit = (uint8_t)(1u << side);
    if (game->setup.fide_strict || (!laws_control_is_slow(&game->setup.control[CHESS_WHITE]) &&
                                    !laws_control_is_slow(&game->setup.control[CHESS_BLACK])))
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_NOT_ALLOWED);
    const bool holds = event->kind == LAWS_EVENT_HOLD;
    if (((desk->on_hold & bit) != 0) == holds)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_NOT_DUE);
    if (holds) {
        if (game->clock.running == 1 + side)
            laws_clock_stop(game, now_ms);
        desk->on_hold |= bit;
    } else {
        desk->on_hold &= (uint8_t)~bit;
        if (game->state == LAWS_RUNNING && game->clock.running == 0)
            laws_clock_start(game, laws_clock_side(game), now_ms);
    }
    return laws_say(laws_verdict(rules, ARTICLE_NONE, LAWS_CHANGED_CLOCK), LAWS_MESSAGE_ON_HOLD,
                    side, holds, 0);
}

static LawsVerdict on_blocked(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              int64_t now_ms) {
    if (game->setup.fide_strict)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_NOT_ALLOWED);
    return laws_end_won(game, rules, chess_other((ChessColor)event->side), LAWS_BLOCKED,
                        ARTICLE_NONE, now_ms);
}

LawsVerdict laws_on_arbiter(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms) {
    switch (event->kind) {
    case LAWS_EVENT_SUMMON:
        return on_summon(game, rules, event, now_ms);
    case LAWS_EVENT_ARB_STOP:
        return laws_stop(game, rules, LAWS_STOP_BY_ARBITER, event->code, laws_clock_side(game),
                         ARTICLE_STOP_BY_ARBITER, now_ms);
    case LAWS_EVENT_RESUME:
        return on_resume(game, rules, event, now_ms);
    case LAWS_EVENT_SET_CLOCK:
    case LAWS_EVENT_ADD_TIME:
    case LAWS_EVENT_SUB_TIME:
        return on_clock(game, rules, event, now_ms);
    case LAWS_EVENT_SET_MOVE_COUNT:
        return on_move_count(game, rules, event, now_ms);
    case LAWS_EVENT_RESTORE:
        return on_restore(game, rules, event);
    case LAWS_EVENT_ARB_RESULT:
    case LAWS_EVENT_OVERRULE_RESULT:
        return on_result(game, rules, event, now_ms);
    case LAWS_EVENT_DECLARE_LOST:
        return on_declare_lost(game, rules, event, now_ms);
    case LAWS_EVENT_CONFIRM_RESULT:
        return on_confirm(game, rules, event);
    case LAWS_EVENT_APPEAL:
        return on_appeal(game, rules, (ChessColor)event->actor);
    case LAWS_EVENT_FLAG_OBSERVED:
        return on_flag_observed(game, rules, event, now_ms);
    case LAWS_EVENT_HOLD:
    case LAWS_EVENT_UNHOLD:
        return on_hold(game, rules, event, now_ms);
    case LAWS_EVENT_BLOCKED:
        return on_blocked(game, rules, event, now_ms);
    case LAWS_EVENT_ANNUL:
        return laws_annul(game, rules, LAWS_ANNULLED_REASON, ARTICLE_SETUP_ANNULLED, now_ms);
    case LAWS_EVENT_CONSENT:
        if (!rules->draw_restriction_allowed)
            return laws_refuse(rules, ARTICLE_DRAW_RESTRICTION, LAWS_REFUSED_NO_SUCH_RULE);
        game->desk.consent = 1;
        return laws_verdict(rules, ARTICLE_DRAW_RESTRICTION, LAWS_CHANGED_RECORD);
    default:
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_UNKNOWN_EVENT);
    }
}
