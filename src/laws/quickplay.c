// SPDX-License-Identifier: GPL-3.0-or-later
//
// The quickplay finish (Article 10 of 1997 to 2009, Appendix G of 2014, Guidelines III of 2023) and
// the procedure without an arbiter (Appendix D).
#include "laws/inner.h"

// Why that player may not claim now; the guard is the same for a request of an increment.
static LawsRefusal guard(const LawsGame *game, const LawsRules *rules, ChessColor player,
                         int64_t now_ms) {
    if (!rules->quickplay_finish ||
        (rules->quickplay_needs_announcement && !game->setup.quickplay_announced) ||
        !laws_clock_is_quickplay(game, player) ||
        laws_control_is_slow(&game->setup.control[player]))
        return LAWS_REFUSED_NO_SUCH_RULE;
    if (laws_to_move(game) != player)
        return LAWS_REFUSED_NOT_YOUR_TURN;
    if (laws_clock_is_down(game, player, now_ms))
        return LAWS_REFUSED_FLAG_DOWN;
    if (laws_clock_reading(game, player, (JdInstant) { .ms = now_ms }) >=
        rules->quickplay_threshold_ms)
        return LAWS_REFUSED_TIME_LEFT;
    return LAWS_NOT_REFUSED;
}

static void offer(LawsGame *game, ChessColor player, LawsVerdict *verdict) {
    if (!game->offer[player])
        verdict->changed |= LAWS_CHANGED_OFFER;
    game->offer[player] = 1;
}

static LawsVerdict on_claim(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms) {
    const ChessColor player = (ChessColor)event->actor;
    const LawsRefusal refusal = guard(game, rules, player, now_ms);
    if (refusal != LAWS_NOT_REFUSED)
        return laws_refuse(rules, ARTICLE_QUICKPLAY, refusal);
    if (game->desk.qpf_pending != 0)
        return laws_refuse(rules, ARTICLE_QUICKPLAY, LAWS_REFUSED_OFFER_STANDS);
    if (!game->setup.arbiter_present) {
        if (!game->setup.ruled_later || !rules->quickplay_no_arbiter_ends)
            return laws_refuse(rules, ARTICLE_QUICKPLAY_NO_ARBITER, LAWS_REFUSED_NO_ARBITER);
        // Appendix D: the game is over, and somebody rules later, finally.
        LawsVerdict end =
            laws_end(game, rules, 0, 0, LAWS_QPF_PENDING, ARTICLE_QUICKPLAY_NO_ARBITER, now_ms);
        game->desk.qpf_pending = (uint8_t)(1 + player);
        game->desk.stop_code = event->code;
        game->desk.claimant = (uint8_t)player;
        return end;
    }
    LawsVerdict verdict =
        laws_stop(game, rules, LAWS_STOP_CLAIM_QPF, event->code, player, ARTICLE_QUICKPLAY, now_ms);
    if (rules->quickplay_claim_is_offer)
        offer(game, player, &verdict);
    return verdict;
}

// The verdict on a claim that was postponed, or that ended the game (Appendix D).
static LawsVerdict on_final(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    if (desk->qpf_pending == 0 || (game->state == LAWS_ENDED && game->reason != LAWS_QPF_PENDING))
        return laws_refuse(rules, ARTICLE_QUICKPLAY, LAWS_REFUSED_NOT_DUE);
    if (rules->quickplay_verdict_after_flag_only && game->state != LAWS_ENDED)
        return laws_refuse(rules, ARTICLE_QUICKPLAY, LAWS_REFUSED_NOT_YET);
    const ChessColor claimant = (ChessColor)(desk->qpf_pending - 1);
    const bool was_ended = game->state == LAWS_ENDED;
    const int64_t ended_ms = game->ended_ms;
    LawsVerdict verdict;
    if (event->code == LAWS_QPF_FINAL_DRAW)
        verdict = laws_end(game, rules, 1, 1, LAWS_QPF_DRAW, ARTICLE_QUICKPLAY_FINAL, now_ms);
    else
        verdict = laws_end_won(game, rules, chess_other(claimant),
                               desk->qpf_fallen != 0 ? LAWS_FLAG : LAWS_ARBITER,
                               ARTICLE_QUICKPLAY_FINAL, now_ms);
    if (was_ended)
        game->ended_ms = ended_ms;
    return verdict;
}

static LawsVerdict on_answer(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                             int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    if (event->code == LAWS_QPF_FINAL_DRAW || event->code == LAWS_QPF_FINAL_LOSS)
        return on_final(game, rules, event, now_ms);
    if (event->code > LAWS_QPF_FINAL_LOSS)
        return laws_refuse(rules, ARTICLE_QUICKPLAY, LAWS_REFUSED_BAD_VALUE);
    if (game->state != LAWS_STOPPED || desk->stop != LAWS_STOP_CLAIM_QPF)
        return laws_refuse(rules, ARTICLE_QUICKPLAY, LAWS_REFUSED_NOT_DUE);
    const ChessColor claimant = (ChessColor)desk->claimant;
    if (event->code == LAWS_QPF_ACCEPT) {
        // The appeal asks which decision ended the game.
        desk->qpf_pending = (uint8_t)(1 + claimant);
        return laws_end(game, rules, 1, 1, LAWS_QPF_DRAW, ARTICLE_QUICKPLAY, now_ms);
    }
    const bool is_postponed = event->code == LAWS_QPF_POSTPONE;
    const int64_t bonus = !is_postponed ? rules->quickplay_reject_bonus_ms
                          : event->flag ? rules->quickplay_postpone_bonus_ms
                                        : 0;
    if (bonus > 0)
        laws_clock_give(game, chess_other(claimant), bonus);
    if (is_postponed)
        desk->qpf_pending = (uint8_t)(1 + claimant);
    laws_resume(game, claimant, now_ms);
    return laws_say(laws_verdict(rules, ARTICLE_QUICKPLAY, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK),
                    is_postponed ? LAWS_MESSAGE_QPF_POSTPONED : LAWS_MESSAGE_QPF_REJECTED,
                    chess_other(claimant), bonus, 0);
}

// G.4, III.4: an increment instead; the request is an offer, and without an arbiter nothing more.
static LawsVerdict on_request(LawsGame *game, const LawsRules *rules, ChessColor player,
                              int64_t now_ms) {
    const LawsRefusal refusal = rules->quickplay_increment_ms == 0
                                    ? LAWS_REFUSED_NO_SUCH_RULE
                                    : guard(game, rules, player, now_ms);
    if (refusal != LAWS_NOT_REFUSED)
        return laws_refuse(rules, ARTICLE_QUICKPLAY_INCREMENT, refusal);
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_QUICKPLAY_INCREMENT, LAWS_CHANGED_OFFER);
    if (game->setup.arbiter_present)
        verdict = laws_stop(game, rules, LAWS_STOP_REQUEST_INCREMENT, 0, player,
                            ARTICLE_QUICKPLAY_INCREMENT, now_ms);
    offer(game, player, &verdict);
    return verdict;
}

static LawsVerdict on_rule_increment(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                     int64_t now_ms) {
    const ChessColor claimant = (ChessColor)game->desk.claimant;
    if (game->desk.stop != LAWS_STOP_REQUEST_INCREMENT)
        return laws_refuse(rules, ARTICLE_QUICKPLAY_INCREMENT, LAWS_REFUSED_NOT_DUE);
    if (event->flag) {
        game->clock.extra_increment_ms = rules->quickplay_increment_ms;
        laws_clock_give(game, chess_other(claimant), rules->quickplay_postpone_bonus_ms);
    }
    laws_resume(game, claimant, now_ms);
    return laws_say(
        laws_verdict(rules, ARTICLE_QUICKPLAY_INCREMENT, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK),
        event->flag ? LAWS_MESSAGE_INCREMENT_GRANTED : LAWS_MESSAGE_INCREMENT_REFUSED, claimant,
        event->flag ? rules->quickplay_increment_ms : 0, 0);
}

LawsVerdict laws_on_quickplay(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              int64_t now_ms) {
    const ChessColor player = (ChessColor)event->actor;
    switch (event->kind) {
    case LAWS_EVENT_CLAIM_QPF:
        return on_claim(game, rules, event, now_ms);
    case LAWS_EVENT_ARB_QPF:
        return on_answer(game, rules, event, now_ms);
    case LAWS_EVENT_REQUEST_INCREMENT:
        return on_request(game, rules, player, now_ms);
    case LAWS_EVENT_RULE_INCREMENT:
        return on_rule_increment(game, rules, event, now_ms);
    default: // LAWS_EVENT_VERIFY: the opponent of the claimant confirms what the envelope holds
        if (game->reason != LAWS_QPF_PENDING || game->desk.claimant == event->actor)
            return laws_refuse(rules, ARTICLE_QUICKPLAY_NO_ARBITER, LAWS_REFUSED_NOT_DUE);
        game->desk.verified = 1;
        return laws_verdict(rules, ARTICLE_QUICKPLAY_NO_ARBITER, LAWS_CHANGED_RECORD);
    }
}
