// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws that players bring about: offers (Article 9.1), claims of repetition and of fifty moves
// (Articles 9.2 to 9.5).
#include "laws/inner.h"

// ---- offers

static bool restricted(const LawsGame *game) {
    return laws_moves_made(game, CHESS_WHITE) < game->setup.draw_min_moves ||
           laws_moves_made(game, CHESS_BLACK) < game->setup.draw_min_moves;
}

LawsRefusal laws_offer_fault(const LawsGame *game, const LawsRules *rules, ChessColor player,
                             uint32_t own_moves, Article *article) {
    *article = ARTICLE_DRAW_RESTRICTION;
    const bool is_barred = rules->draw_restriction_bars_offers && !game->desk.consent;
    if (is_barred && game->setup.draw_never)
        return LAWS_REFUSED_DRAW_FORBIDDEN;
    if (is_barred && (own_moves < game->setup.draw_min_moves ||
                      laws_moves_made(game, chess_other(player)) < game->setup.draw_min_moves))
        return LAWS_REFUSED_DRAW_TOO_EARLY;
    *article = ARTICLE_DRAW_OFFER;
    const uint32_t last = game->offer_made[player];
    const uint32_t gap = rules->offer_gap_moves > game->setup.offer_gap_moves
                             ? rules->offer_gap_moves
                             : game->setup.offer_gap_moves;
    if (gap > 0 && last > 0 && own_moves + 1 < last + gap)
        return LAWS_REFUSED_OFFER_TOO_SOON;
    return LAWS_NOT_REFUSED;
}

// The moment Article 9.1.2.1 names is between one's move and the press of the clock. At any other
// the offer is as valid, but may be a disturbance.
static bool is_untimely(const LawsGame *game, ChessColor player) {
    return !(game->setup.separate_press && game->desk.due[player] && laws_to_move(game) != player &&
             game->state == LAWS_RUNNING);
}

// (=) goes beside the move just made, or the next one (Article 8.1).
static void mark_offer(LawsGame *game, ChessColor player) {
    const uint32_t last = game->ply_count;
    if (last > 0 && laws_mover_of(game, last - 1) == player)
        game->plies[last - 1].flags |= LAWS_PLY_OFFER;
    else
        game->desk.offer_mark |= (uint8_t)(1u << player);
}

LawsVerdict laws_on_offer(LawsGame *game, const LawsRules *rules, ChessColor player) {
    if (game->offer[player])
        return laws_refuse(rules, ARTICLE_DRAW_OFFER, LAWS_REFUSED_OFFER_STANDS);
    const uint32_t own_moves = laws_moves_made(game, player);
    Article article;
    const LawsRefusal refusal = laws_offer_fault(game, rules, player, own_moves, &article);
    if (refusal != LAWS_NOT_REFUSED)
        return laws_refuse(rules, article, refusal);
    LawsVerdict verdict = laws_verdict(
        rules, game->state == LAWS_ADJOURNED ? ARTICLE_ADJOURN_OFFER : ARTICLE_DRAW_OFFER,
        LAWS_CHANGED_OFFER);
    verdict.untimely = is_untimely(game, player);
    game->offer[player] = 1;
    game->offer_made[player] = (uint16_t)(own_moves + 1);
    mark_offer(game, player);
    // Article 11.5: offers without a move of the opponent between.
    const uint8_t most = game->setup.offer_spam_after > 0 ? game->setup.offer_spam_after : 3;
    if (game->desk.offers_since_move[player] < UINT8_MAX)
        game->desk.offers_since_move[player]++;
    if (game->desk.offers_since_move[player] >= most)
        verdict = laws_note_incident(game, verdict, LAWS_INCIDENT_OFFER_SPAM, player);
    return verdict;
}

LawsVerdict laws_on_accept(LawsGame *game, const LawsRules *rules, ChessColor player,
                           int64_t now_ms) {
    if (!game->offer[chess_other(player)])
        return laws_refuse(rules, ARTICLE_DRAW_OFFER, LAWS_REFUSED_NO_OFFER);
    if (game->setup.draw_never && !game->desk.consent)
        return laws_refuse(rules, ARTICLE_DRAW_RESTRICTION, LAWS_REFUSED_DRAW_FORBIDDEN);
    if (restricted(game) && !game->desk.consent)
        return laws_refuse(rules, ARTICLE_DRAW_RESTRICTION, LAWS_REFUSED_DRAW_TOO_EARLY);
    if (laws_moves_made(game, CHESS_WHITE) < rules->agreement_min_own_moves ||
        laws_moves_made(game, CHESS_BLACK) < rules->agreement_min_own_moves)
        return laws_refuse(rules, ARTICLE_AGREEMENT, LAWS_REFUSED_DRAW_TOO_EARLY);
    return laws_end(game, rules, 1, 1, LAWS_AGREEMENT, ARTICLE_AGREEMENT, now_ms);
}

LawsVerdict laws_on_decline(LawsGame *game, const LawsRules *rules, ChessColor player) {
    if (!game->offer[chess_other(player)])
        return laws_refuse(rules, ARTICLE_DRAW_OFFER, LAWS_REFUSED_NO_OFFER);
    game->offer[chess_other(player)] = 0;
    return laws_verdict(rules, ARTICLE_DRAW_OFFER, LAWS_CHANGED_OFFER);
}

// ---- claims

// Article 9.2: the position stands, or would stand after the move, for the third time at least.
static bool repetition_is_right(const LawsGame *game, const LawsRules *rules, ChessMove move) {
    return laws_repetition_reaches(game, move, rules->claim_repetitions);
}

// Article 9.3: fifty moves by each side without capture or pawn move, the written one included.
static bool fifty_is_right(const LawsGame *game, const LawsRules *rules, ChessMove move) {
    const int plies = 2 * rules->claim_moves;
    const ChessPosition *const pos = &game->position;
    if (move == CHESS_NO_MOVE)
        return pos->halfmove_clock >= plies;
    const ChessPiece piece = chess_piece_at(pos, chess_move_from(move));
    return pos->halfmove_clock + 1 >= plies && chess_piece_kind(piece) != CHESS_PAWN &&
           chess_move_captured(pos, move) == CHESS_NO_PIECE;
}

bool laws_claim_is_right(const LawsGame *game, ChessMove move) {
    LawsRules space;
    const LawsRules *const rules = laws_game_rules(game, &space);
    if (rules == NULL || game->state != LAWS_RUNNING || game->claim_lost)
        return false;
    if (move != CHESS_NO_MOVE && !laws_move_is_legal(game, move))
        return false;
    return repetition_is_right(game, rules, move) || fifty_is_right(game, rules, move);
}

static bool has_move_from(const LawsGame *game, ChessSquare square) {
    ChessMoveList list;
    laws_moves_legal(game, &list);
    for (int i = 0; i < list.count; i++)
        if (chess_move_from(list.moves[i]) == square)
            return true;
    return false;
}

// Article 9.5, 1997 and 2005: half of the claimant's time is taken, at most three minutes, and
// nobody who had a minute is left with less. Both neighbours of the figures the text does not name
// (exactly one and two minutes) give one minute.
static int64_t cut_of(int64_t reading_ms) {
    if (reading_ms <= 60000)
        return 0;
    if (reading_ms <= 120000)
        return reading_ms - 60000;
    return reading_ms / 2 < 180000 ? reading_ms / 2 : 180000;
}

// Article 9.5.3: the claim was wrong, the game goes on.
static LawsVerdict punish(LawsGame *game, const LawsRules *rules, ChessColor claimant,
                          ChessMove move, bool is_legal, int64_t now_ms) {
    uint8_t changed = LAWS_CHANGED_NOTHING;
    if (!game->setup.slow_no_penalty) {
        laws_clock_adjust(game, chess_other(claimant), rules->wrong_claim_bonus_ms);
        if (rules->wrong_claim_cuts_time) {
            const int64_t reading =
                laws_clock_reading(game, claimant, (JdInstant) { .ms = now_ms });
            laws_clock_adjust(game, claimant, -cut_of(reading));
        }
        changed |= LAWS_CHANGED_CLOCK;
    }
    if (move != CHESS_NO_MOVE && is_legal && rules->wrong_claim_binds_move) {
        game->bound_move = move;
    } else if (move != CHESS_NO_MOVE && !is_legal && rules->wrong_claim_binds_piece &&
               has_move_from(game, chess_move_from(move))) {
        // A written move that is illegal obliges its piece, as a touched one (Article 4.3).
        game->bound_from = (uint8_t)(chess_move_from(move) + 1);
    }
    if (game->wrong_claims[claimant] < UINT16_MAX)
        game->wrong_claims[claimant]++;
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_WRONG_CLAIM, changed);
    verdict.claim_wrong = 1;
    return laws_say(verdict, LAWS_MESSAGE_CLAIM_WRONG, claimant,
                    game->setup.slow_no_penalty ? 0 : rules->wrong_claim_bonus_ms, 0);
}

LawsVerdict laws_on_claim(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                          int64_t now_ms) {
    const ChessColor claimant = (ChessColor)event->actor;
    if (claimant != laws_to_move(game))
        return laws_refuse(rules, ARTICLE_TO_MOVE, LAWS_REFUSED_NOT_YOUR_TURN);
    if (game->claim_lost)
        return laws_refuse(rules, ARTICLE_CLAIM_LOST, LAWS_REFUSED_RIGHT_LOST);
    const ChessMove move = event->move;
    // After a wrong claim the announced move stays announced.
    if (move != CHESS_NO_MOVE &&
        ((game->bound_move != CHESS_NO_MOVE && move != game->bound_move) ||
         (game->bound_from != 0 && chess_move_from(move) + 1 != game->bound_from)))
        return laws_refuse(rules, ARTICLE_WRONG_CLAIM, LAWS_REFUSED_BOUND_MOVE);
    const bool is_legal = move == CHESS_NO_MOVE || laws_move_is_legal(game, move);
    if (is_legal && event->kind != LAWS_EVENT_CLAIM_50 && repetition_is_right(game, rules, move))
        return laws_end(game, rules, 1, 1, LAWS_CLAIM_REPETITION,
                        move == CHESS_NO_MOVE ? ARTICLE_REPETITION_ON_BOARD
                                              : ARTICLE_REPETITION_INTENDED,
                        now_ms);
    if (is_legal && event->kind != LAWS_EVENT_CLAIM_REP && fifty_is_right(game, rules, move))
        return laws_end(game, rules, 1, 1, LAWS_CLAIM_50,
                        move == CHESS_NO_MOVE ? ARTICLE_50_ON_BOARD : ARTICLE_50_INTENDED, now_ms);
    LawsVerdict verdict = punish(game, rules, claimant, move, is_legal, now_ms);
    // Article 9.1.2.3: a claim is an offer, which outlives its rejection.
    if (rules->claim_is_offer && !game->offer[claimant]) {
        game->offer[claimant] = 1;
        verdict.changed |= LAWS_CHANGED_OFFER;
    }
    return verdict;
}
