// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a fallen flag means (Articles 6.4, 6.8, 6.9 and Guidelines III.3; spec section 5.5).
#include "laws/inner.h"

LawsVerdict laws_flag_fall(LawsGame *game, const LawsRules *rules, ChessColor fallen,
                           int64_t at_ms) {
    const ChessColor other = chess_other(fallen);
    // The quota was missed: a completed one has brought the next period's time already.
    if (rules->flag_win_needs_helpmate && laws_mate(&game->position, other) == LAWS_MATE_IMPOSSIBLE)
        return laws_end(game, rules, 1, 1, LAWS_FLAG_DRAW, ARTICLE_FLAG_FALL, at_ms);
    return laws_end_won(game, rules, other, LAWS_FLAG, ARTICLE_FLAG_FALL, at_ms);
}

// Both flags are down and nobody can say which fell first.
static LawsVerdict on_both_flags(LawsGame *game, const LawsRules *rules, int64_t now_ms) {
    if (rules->both_flags_other_period == LAWS_BOTH_FLAGS_CONTINUE &&
        laws_clock_next_periods(game, now_ms))
        return laws_verdict(rules, ARTICLE_BOTH_FLAGS, LAWS_CHANGED_CLOCK);
    const bool is_quickplay =
        laws_clock_is_quickplay(game, CHESS_WHITE) && laws_clock_is_quickplay(game, CHESS_BLACK);
    if (rules->both_flags_draw == LAWS_BOTH_FLAGS_DRAW ||
        (rules->both_flags_draw == LAWS_BOTH_FLAGS_DRAW_IN_QUICKPLAY && is_quickplay))
        return laws_end(game, rules, 1, 1, LAWS_BOTH_FLAGS, ARTICLE_BOTH_FLAGS, now_ms);
    // The game continues although neither player has time left.
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_BOTH_FLAGS, LAWS_CHANGED_NOTHING);
    verdict.claim_wrong = 1;
    return verdict;
}

LawsVerdict laws_on_claim_flag(LawsGame *game, const LawsRules *rules, ChessColor claimant,
                               int64_t now_ms) {
    const ChessColor other = chess_other(claimant);
    if (!laws_clock_is_down(game, other, now_ms))
        return laws_refuse(rules, ARTICLE_FLAG_CONSIDERED_FALLEN, LAWS_REFUSED_FLAG_NOT_DOWN);
    if (laws_clock_is_down(game, claimant, now_ms))
        return on_both_flags(game, rules, now_ms);
    return laws_flag_fall(game, rules, other, now_ms);
}
