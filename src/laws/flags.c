// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a fallen flag means (Articles 6.4, 6.8, 6.9 and Guidelines III.3; spec section 5.5).
#include "laws/inner.h"

// While an illegal move can be complained of, whether the opponent of a fallen flag can still mate
// is asked of the position before it, for it would be restored first (O33). False: there is none.
static bool find_restored(const LawsGame *game, const LawsRules *rules, ChessPosition *before,
                          bool *is_loose) {
    uint32_t ply = 0;
    while (ply < game->ply_count &&
           (game->plies[ply].flags & (LAWS_PLY_ILLEGAL | LAWS_PLY_STANDS)) != LAWS_PLY_ILLEGAL)
        ply++;
    if (!game->setup.unchecked_moves || ply == game->ply_count ||
        rules->illegal_deadline != LAWS_NO_DEADLINE)
        return false;
    laws_position_at(game, ply, before, is_loose);
    return true;
}

LawsVerdict laws_flag_fall(LawsGame *game, const LawsRules *rules, ChessColor fallen,
                           int64_t at_ms) {
    const ChessColor other = chess_other(fallen);
    // The quota was missed: a completed one has brought the next period's time already.
    ChessPosition before;
    bool is_loose;
    const bool is_restored = find_restored(game, rules, &before, &is_loose);
    const bool is_awaited = !is_restored && game->desk.qpf_pending == 0;
    if (rules->flag_win_needs_helpmate && is_awaited)
        return laws_end_if_mate(game, rules, other, LAWS_FLAG, at_ms);
    if (rules->flag_win_needs_helpmate &&
        !(is_restored ? is_loose || laws_can_mate_in(game, &before, other)
                      : laws_can_mate(game, other)))
        return laws_end(game, rules, 1, 1, LAWS_FLAG_DRAW, ARTICLE_FLAG_FALL, at_ms);
    if (game->desk.qpf_pending != 0) {
        // Article 10.2b: the postponed claim is decided after the flag has fallen.
        game->desk.qpf_fallen = (uint8_t)(1 + fallen);
        return laws_end(game, rules, 0, 0, LAWS_QPF_PENDING, ARTICLE_QUICKPLAY, at_ms);
    }
    return laws_end_won(game, rules, other, LAWS_FLAG, ARTICLE_FLAG_FALL, at_ms);
}

// Both flags are down and nobody can say which fell first.
static LawsVerdict on_both_flags(LawsGame *game, const LawsRules *rules, int64_t now_ms) {
    if (rules->both_flags_other_period == LAWS_BOTH_FLAGS_CONTINUE &&
        laws_clock_next_periods(game, now_ms))
        return laws_say(laws_verdict(rules, ARTICLE_BOTH_FLAGS, LAWS_CHANGED_CLOCK),
                        LAWS_MESSAGE_BOTH_FLAGS_CONTINUE, LAWS_BOTH_SIDES, 0, 0);
    const bool is_quickplay =
        laws_clock_is_quickplay(game, CHESS_WHITE) && laws_clock_is_quickplay(game, CHESS_BLACK);
    if (rules->both_flags_draw == LAWS_BOTH_FLAGS_DRAW ||
        (rules->both_flags_draw == LAWS_BOTH_FLAGS_DRAW_IN_QUICKPLAY && is_quickplay))
        return laws_end(game, rules, 1, 1, LAWS_BOTH_FLAGS, ARTICLE_BOTH_FLAGS, now_ms);
    // The game continues although neither player has time left.
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_BOTH_FLAGS, LAWS_CHANGED_NOTHING);
    verdict.claim_wrong = 1;
    return laws_say(verdict, LAWS_MESSAGE_BOTH_FLAGS_CONTINUE, LAWS_BOTH_SIDES, 0, 0);
}

LawsVerdict laws_on_flag_seen(LawsGame *game, const LawsRules *rules, ChessColor fallen,
                              int64_t now_ms) {
    if (laws_clock_is_down(game, chess_other(fallen), now_ms))
        return on_both_flags(game, rules, now_ms);
    return laws_flag_fall(game, rules, fallen, now_ms);
}

LawsVerdict laws_on_claim_flag(LawsGame *game, const LawsRules *rules, ChessColor claimant,
                               int64_t now_ms) {
    const ChessColor other = chess_other(claimant);
    if (!laws_clock_is_down(game, other, now_ms))
        return laws_refuse(rules, ARTICLE_FLAG_CONSIDERED_FALLEN, LAWS_REFUSED_FLAG_NOT_DOWN);
    return laws_on_flag_seen(game, rules, other, now_ms);
}
