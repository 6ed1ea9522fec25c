// SPDX-License-Identifier: GPL-3.0-or-later
//
// Irregularities (Article 7; Article 6.14 of old for the times): illegal moves found, wrong set-up,
// colours reversed, wrong clock settings; spec section 4.4 step by step.
#include "laws/inner.h"

// ---- the penalty (Article 7.5.5)

bool laws_penalise_illegal(LawsGame *game, const LawsRules *rules, ChessColor offender,
                           bool is_bonus_due, int64_t now_ms, LawsVerdict *verdict) {
    LawsDesk *const desk = &game->desk;
    const ChessColor other = chess_other(offender);
    if (desk->illegal_count[offender] < UINT8_MAX)
        desk->illegal_count[offender]++;
    if (desk->illegal_count[offender] >= rules->illegal_limit) {
        const bool may_draw = rules->illegal_loss_needs_helpmate || rules->illegal_draw_by_claim;
        *verdict = may_draw ? laws_end_if_mate(game, rules, other, LAWS_ILLEGAL_LIMIT, now_ms)
                            : laws_end_won(game, rules, other, LAWS_ILLEGAL_LIMIT,
                                           ARTICLE_ILLEGAL_PENALTY, now_ms);
        return true;
    }
    const int64_t bonus = is_bonus_due ? rules->illegal_bonus_ms : 0;
    if (bonus > 0)
        laws_clock_give(game, other, bonus);
    verdict->changed |= LAWS_CHANGED_CLOCK | LAWS_CHANGED_RECORD;
    *verdict = laws_say(*verdict, LAWS_MESSAGE_ILLEGAL_CORRECTED, offender, bonus,
                        desk->illegal_count[offender]);
    return false;
}

// ---- finding

// The first illegal ply that does not stand, from first on; false: none.
static bool find_illegal(const LawsGame *game, bool with_standing, uint32_t *ply) {
    for (uint32_t i = 0; i < game->ply_count; i++) {
        const uint8_t flags = game->plies[i].flags;
        if ((flags & LAWS_PLY_ILLEGAL) && (with_standing || !(flags & LAWS_PLY_STANDS))) {
            *ply = i;
            return true;
        }
    }
    return false;
}

static bool is_completed(const LawsGame *game, uint32_t ply) {
    return !game->desk.due[laws_mover_of(game, ply)] || ply + 2 < game->ply_count;
}

// ---- correcting

static void go_on(LawsGame *game, const LawsRules *rules, ChessColor side, int64_t now_ms) {
    (void)rules;
    if (game->setup.arbiter_present) {
        game->state = LAWS_STOPPED;
        game->desk.stop = LAWS_STOP_ILLEGAL;
        game->desk.claimant = (uint8_t)side;
        return;
    }
    game->state = LAWS_RUNNING;
    game->desk.stop = LAWS_NOT_STOPPED;
    laws_clock_start(game, side, now_ms);
}

// What the hand touched in the illegal move binds its replacement (Articles 4.3, 4.4).
static void bind_piece(LawsGame *game, ChessMove move) {
    const ChessSquare to = chess_move_to(move);
    const bool touches_second =
        chess_move_is_castling(move) || game->position.board[to] != CHESS_NO_PIECE;
    laws_touch_bind(game, chess_move_from(move), touches_second ? to : CHESS_NO_SQUARE);
}

// Article 7.5.2 since 2014: the pawn left on the last rank becomes a queen. False: even so the move
// is illegal.
static bool place_queen(LawsGame *game, uint32_t ply) {
    LawsPly *const last = &game->plies[ply];
    ChessPosition pos;
    bool is_loose;
    laws_position_at(game, ply, &pos, &is_loose);
    const ChessMove queen = (ChessMove)(chess_move_from(last->move) |
                                        (unsigned)chess_move_to(last->move) << 6 | 7u << 12);
    if (is_loose || !chess_move_is_legal(&pos, queen))
        return false;
    chess_move_make(&pos, queen, NULL);
    last->move = queen;
    last->flags &= (uint8_t) ~(LAWS_PLY_ILLEGAL | LAWS_PLY_UNFINISHED | LAWS_PLY_FORCED);
    last->zobrist_key = pos.zobrist_key;
    last->irreversible = 1;
    last->halfmove_clock_low = 0;
    game->position = pos;
    game->desk.loose = 0;
    game->desk.illegal_wait = 0;
    return true;
}

// Section 4.4 from step 4 on. is_bonus_due: as far as the claim goes.
static LawsVerdict correct(LawsGame *game, const LawsRules *rules, uint32_t ply, bool is_bonus_due,
                           int64_t now_ms) {
    const ChessColor offender = laws_mover_of(game, ply);
    const ChessMove move = game->plies[ply].move;
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_ILLEGAL_FOUND,
                                       LAWS_CHANGED_BOARD | LAWS_CHANGED_CLOCK |
                                           LAWS_CHANGED_STATE | LAWS_CHANGED_TOUCH);
    laws_clock_stop(game, now_ms);
    const bool is_queen = (game->plies[ply].flags & LAWS_PLY_UNFINISHED) &&
                          rules->unfinished_promotion == LAWS_PROMOTION_BECOMES_QUEEN &&
                          ply + 1 == game->ply_count && place_queen(game, ply);
    if (!is_queen) {
        laws_restore(game, ply);
        bind_piece(game, move);
    }
    LawsVerdict penalty = verdict;
    if (laws_penalise_illegal(game, rules, offender, is_bonus_due, now_ms, &penalty))
        return penalty;
    if (is_queen) {
        penalty.message = LAWS_MESSAGE_QUEEN_PLACED;
        LawsVerdict end = laws_after_move(game, rules, offender, now_ms);
        if (game->state == LAWS_ENDED)
            return end;
    }
    go_on(game, rules, laws_clock_side(game), now_ms);
    return penalty;
}

// ---- claims and rulings

static LawsVerdict unfounded(LawsGame *game, const LawsRules *rules, Article article,
                             ChessColor player) {
    LawsVerdict verdict = laws_verdict(rules, article, LAWS_CHANGED_RECORD);
    verdict.claim_wrong = 1;
    verdict = laws_say(verdict, LAWS_MESSAGE_CLAIM_UNFOUNDED, player, 0, 0);
    return laws_note_incident(game, verdict, LAWS_INCIDENT_FALSE_CLAIM, player);
}

// Articles 7.5.3 and 7.5.4 have no position to go back to.
static LawsVerdict rule_press(LawsGame *game, const LawsRules *rules, bool is_bonus_due,
                              int64_t now_ms) {
    const ChessColor offender = (ChessColor)(game->desk.press_fault - 1);
    LawsVerdict verdict =
        laws_verdict(rules, ARTICLE_PRESS_WITHOUT_MOVE, LAWS_CHANGED_CLOCK | LAWS_CHANGED_STATE);
    laws_clock_stop(game, now_ms);
    game->desk.press_fault = 0;
    if (laws_penalise_illegal(game, rules, offender, is_bonus_due, now_ms, &verdict))
        return verdict;
    go_on(game, rules, laws_clock_side(game), now_ms);
    return verdict;
}

// Whether it is too late for that claimant to complain of that ply (section 2.4).
static bool is_late(const LawsGame *game, const LawsRules *rules, uint32_t ply,
                    ChessColor claimant) {
    if (rules->illegal_deadline == LAWS_NO_DEADLINE)
        return false;
    return ply + 1 != game->ply_count || (rules->illegal_deadline == LAWS_UNTIL_CLAIMANT_TOUCHES &&
                                          (game->desk.touched_since >> claimant & 1));
}

// The claimant wins, or draws when he cannot mate (C3, A.4b): by the position before the move.
static LawsVerdict decide_at_once(LawsGame *game, const LawsRules *rules, uint32_t ply,
                                  int64_t now_ms) {
    const ChessColor offender = laws_mover_of(game, ply);
    laws_clock_stop(game, now_ms);
    if (game->desk.illegal_count[offender] < UINT8_MAX)
        game->desk.illegal_count[offender]++;
    ChessPosition before;
    bool is_loose;
    laws_position_at(game, ply, &before, &is_loose);
    if (!is_loose && !laws_can_mate_in(game, &before, chess_other(offender)))
        return laws_end(game, rules, 1, 1, LAWS_ILLEGAL_DRAW, ARTICLE_ILLEGAL_AT_ONCE, now_ms);
    return laws_end_won(game, rules, chess_other(offender), LAWS_ILLEGAL_CLAIM,
                        ARTICLE_ILLEGAL_AT_ONCE, now_ms);
}

static LawsVerdict on_claim_illegal(LawsGame *game, const LawsRules *rules, ChessColor player,
                                    int64_t now_ms) {
    uint32_t ply = 0;
    if (game->desk.press_fault == 1 + chess_other(player))
        return rule_press(game, rules, true, now_ms);
    if (!find_illegal(game, false, &ply)) {
        if (find_illegal(game, true, &ply))
            return laws_refuse(rules, ARTICLE_ILLEGAL_FOUND, LAWS_REFUSED_TOO_LATE);
        return unfounded(game, rules, ARTICLE_ILLEGAL_FOUND, player);
    }
    const ChessColor offender = laws_mover_of(game, ply);
    if (!is_completed(game, ply))
        return laws_refuse(rules, ARTICLE_ILLEGAL_FOUND, LAWS_REFUSED_NOT_COMPLETED);
    if (rules->illegal_raised_by != LAWS_RAISED_BY_ANYONE && offender == player)
        return laws_refuse(rules, ARTICLE_ILLEGAL_FOUND, LAWS_REFUSED_NOT_ALLOWED);
    if (is_late(game, rules, ply, player))
        return laws_refuse(rules, ARTICLE_ILLEGAL_FOUND, LAWS_REFUSED_TOO_LATE);
    if (rules->illegal_decides_at_once)
        return decide_at_once(game, rules, ply, now_ms);
    // 2005, 2009: the bonus is for the opponent who claimed it before he answered.
    const bool claimed = offender != player && ply + 1 == game->ply_count;
    return correct(game, rules, ply, !rules->illegal_bonus_needs_claim || claimed, now_ms);
}

static LawsVerdict on_rule_illegal(LawsGame *game, const LawsRules *rules, ChessColor offender,
                                   int64_t now_ms) {
    const bool is_bonus_due = !rules->illegal_bonus_needs_claim;
    if (rules->illegal_raised_by == LAWS_RAISED_BY_OPPONENT ||
        (rules->illegal_raised_by == LAWS_RAISED_BY_OPPONENT_GROSS_BY_ARBITER &&
         !laws_both_kings_in_check(&game->position) && !laws_pawn_on_last_rank(&game->position)))
        return laws_refuse(rules, ARTICLE_ILLEGAL_FOUND, LAWS_REFUSED_NOT_ALLOWED);
    if (game->desk.press_fault == 1 + offender)
        return rule_press(game, rules, is_bonus_due, now_ms);
    uint32_t ply = 0;
    if (!game->setup.unchecked_moves) {
        // The board beside the program knew better: the count and its consequences are recorded.
        LawsVerdict verdict = laws_verdict(rules, ARTICLE_ILLEGAL_PENALTY, LAWS_CHANGED_RECORD);
        (void)laws_penalise_illegal(game, rules, offender, is_bonus_due, now_ms, &verdict);
        return verdict;
    }
    if (!find_illegal(game, false, &ply) || laws_mover_of(game, ply) != offender)
        return laws_refuse(rules, ARTICLE_ILLEGAL_FOUND, LAWS_REFUSED_NOT_DUE);
    if (!is_completed(game, ply))
        return laws_refuse(rules, ARTICLE_ILLEGAL_FOUND, LAWS_REFUSED_NOT_COMPLETED);
    if (rules->illegal_deadline != LAWS_NO_DEADLINE && ply + 1 != game->ply_count)
        return laws_refuse(rules, ARTICLE_ILLEGAL_FOUND, LAWS_REFUSED_TOO_LATE);
    if (rules->illegal_decides_at_once)
        return decide_at_once(game, rules, ply, now_ms);
    return correct(game, rules, ply, is_bonus_due, now_ms);
}

// Commentary of 7.4a: players who settle it among themselves; no count, no bonus.
static LawsVerdict on_take_back(LawsGame *game, const LawsRules *rules, ChessColor player,
                                int64_t now_ms) {
    uint32_t ply = 0;
    if (!find_illegal(game, true, &ply))
        return laws_refuse(rules, ARTICLE_ILLEGAL_FOUND, LAWS_REFUSED_NOT_DUE);
    if ((game->plies[ply].flags & LAWS_PLY_STANDS) && !rules->illegal_corrected_by_agreement)
        return laws_refuse(rules, ARTICLE_ILLEGAL_FOUND, LAWS_REFUSED_TOO_LATE);
    game->desk.take_back |= (uint8_t)(1u << player);
    if (game->desk.take_back != 3)
        return laws_verdict(rules, ARTICLE_ILLEGAL_FOUND, LAWS_CHANGED_RECORD);
    const ChessMove move = game->plies[ply].move;
    laws_clock_stop(game, now_ms);
    laws_restore(game, ply);
    bind_piece(game, move);
    game->desk.take_back = 0;
    laws_clock_start(game, laws_to_move(game), now_ms);
    return laws_say(laws_verdict(rules, ARTICLE_ILLEGAL_FOUND,
                                 LAWS_CHANGED_BOARD | LAWS_CHANGED_CLOCK | LAWS_CHANGED_TOUCH),
                    LAWS_MESSAGE_ILLEGAL_TAKEN_BACK, laws_to_move(game), 0, 0);
}

// ---- set-up, colours, clock settings

static uint32_t moves_by_both(const LawsGame *game) {
    const uint32_t *const done = game->clock.moves_done;
    return done[0] < done[1] ? done[0] : done[1];
}

static bool setup_limit_passed(const LawsGame *game, const LawsRules *rules) {
    return rules->setup_claim_limit_moves > 0 &&
           moves_by_both(game) >= rules->setup_claim_limit_moves;
}

static bool setup_differs(const LawsSetup *setup) {
    if (!setup->has_declared)
        return false;
    for (int square = 0; square < 64; square++) {
        const unsigned declared = setup->declared[square / 2] >> (square % 2 * 4) & 15;
        if (setup->start.board[square] != declared)
            return true;
    }
    return false;
}

static LawsVerdict on_claim_setup(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                  int64_t now_ms) {
    const ChessColor player = (ChessColor)event->actor;
    if (event->code == LAWS_CLAIM_BOARD)
        return laws_verdict(rules, ARTICLE_BOARD_TURNED, LAWS_CHANGED_RECORD);
    if (event->code == LAWS_CLAIM_POSITION) {
        // A wrong position stands after the limit, and the misplaced king does not castle.
        if (setup_limit_passed(game, rules))
            return laws_refuse(rules, ARTICLE_SETUP, LAWS_REFUSED_TOO_LATE);
        if (!setup_differs(&game->setup))
            return unfounded(game, rules, ARTICLE_SETUP, player);
        return laws_annul(game, rules, LAWS_ANNULLED_REASON, ARTICLE_SETUP_ANNULLED, now_ms);
    }
    if (!game->setup.colors_reversed)
        return unfounded(game, rules, ARTICLE_COLORS_REVERSED, player);
    if (rules->colors_reversed_restart_moves > 0 &&
        moves_by_both(game) < rules->colors_reversed_restart_moves)
        return laws_annul(game, rules, LAWS_ANNULLED_REASON, ARTICLE_COLORS_REVERSED, now_ms);
    if (rules->colors_reversed_restart_moves == 0 && game->setup.arbiter_present)
        return laws_stop(game, rules, LAWS_STOP_CLAIM_SETUP, event->code, player,
                         ARTICLE_COLORS_REVERSED, now_ms);
    return laws_say(laws_verdict(rules, ARTICLE_COLORS_REVERSED, LAWS_CHANGED_RECORD),
                    LAWS_MESSAGE_COLORS_STAND, LAWS_BOTH_SIDES, 0, 0);
}

static LawsVerdict on_rule_colors(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                  int64_t now_ms) {
    if (game->desk.stop != LAWS_STOP_CLAIM_SETUP)
        return laws_refuse(rules, ARTICLE_COLORS_REVERSED, LAWS_REFUSED_NOT_DUE);
    if (event->flag)
        return laws_annul(game, rules, LAWS_ANNULLED_REASON, ARTICLE_COLORS_REVERSED, now_ms);
    laws_resume(game, laws_clock_side(game), now_ms);
    return laws_say(
        laws_verdict(rules, ARTICLE_COLORS_REVERSED, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK),
        LAWS_MESSAGE_COLORS_STAND, LAWS_BOTH_SIDES, 0, 0);
}

static LawsVerdict on_claim_clock(LawsGame *game, const LawsRules *rules, ChessColor player,
                                  int64_t now_ms) {
    const bool resumed = game->desk.adjournments > 0;
    const Article article = resumed ? ARTICLE_RESUMED_TIMES : ARTICLE_CLOCK_SETTING;
    if (!game->setup.arbiter_present)
        return laws_refuse(rules, article, LAWS_REFUSED_NO_ARBITER);
    if (setup_limit_passed(game, rules) || (game->desk.claim_clock_closed >> player & 1))
        return laws_refuse(rules, article, LAWS_REFUSED_TOO_LATE);
    return laws_stop(game, rules, LAWS_STOP_CLAIM_CLOCK, 0, player, article, now_ms);
}

LawsVerdict laws_on_irregular(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              int64_t now_ms) {
    const ChessColor player = (ChessColor)event->actor;
    if (event->kind == LAWS_EVENT_CLAIM_ILLEGAL)
        return on_claim_illegal(game, rules, player, now_ms);
    if (event->kind == LAWS_EVENT_RULE_ILLEGAL)
        return on_rule_illegal(game, rules, (ChessColor)event->side, now_ms);
    if (event->kind == LAWS_EVENT_TAKE_BACK_AGREED)
        return on_take_back(game, rules, player, now_ms);
    if (event->kind == LAWS_EVENT_CLAIM_SETUP)
        return on_claim_setup(game, rules, event, now_ms);
    if (event->kind == LAWS_EVENT_RULE_COLORS)
        return on_rule_colors(game, rules, event, now_ms);
    return on_claim_clock(game, rules, player, now_ms);
}
