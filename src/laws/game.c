// SPDX-License-Identifier: GPL-3.0-or-later
//
// The state machine (spec section 4): one event at one instant gives one verdict. Whatever is
// refused has changed nothing; a flag that fell before the event is seen before the event.
#include "laws/inner.h"

// Instants beyond the year 9999 are no times of a game.
#define INSTANT_MAX_MS INT64_C(253402300799999)

// ---- verdicts

LawsVerdict laws_verdict(const LawsRules *rules, Article article, uint8_t changed) {
    LawsVerdict verdict = { .changed = changed };
    laws_article_write(article, rules, verdict.article);
    return verdict;
}

LawsVerdict laws_refuse(const LawsRules *rules, Article article, LawsRefusal refusal) {
    LawsVerdict verdict = laws_verdict(rules, article, LAWS_CHANGED_NOTHING);
    verdict.refusal = (uint8_t)refusal;
    verdict.message = (uint16_t)refusal;
    verdict.message_side = LAWS_BOTH_SIDES;
    return verdict;
}

LawsVerdict laws_say(LawsVerdict verdict, LawsMessage message, unsigned side, int64_t n,
                     int64_t m) {
    verdict.message = (uint16_t)message;
    verdict.message_side = (uint8_t)side;
    verdict.numbers[0] = n;
    verdict.numbers[1] = m;
    return verdict;
}

static void close_game(LawsGame *game, LawsState state, LawsReason reason, int64_t now_ms) {
    laws_clock_stop(game, now_ms);
    game->state = (uint8_t)state;
    game->reason = (uint8_t)reason;
    game->ended_ms = now_ms;
    game->offer[CHESS_WHITE] = 0;
    game->offer[CHESS_BLACK] = 0;
    game->bound_move = CHESS_NO_MOVE;
    game->bound_from = 0;
    game->desk.stop = LAWS_NOT_STOPPED;
    game->desk.verdict_winner = 0;
    game->desk.verdict_reason = 0;
    game->desk.verdict_ms = 0;
}

LawsVerdict laws_annul(LawsGame *game, const LawsRules *rules, LawsReason reason, Article article,
                       int64_t now_ms) {
    close_game(game, LAWS_ANNULLED, reason, now_ms);
    return laws_say(laws_verdict(rules, article, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK),
                    (LawsMessage)(LAWS_MESSAGE_REASONS + (int)reason), LAWS_BOTH_SIDES, 0, 0);
}

LawsVerdict laws_end(LawsGame *game, const LawsRules *rules, int white, int black,
                     LawsReason reason, Article article, int64_t now_ms) {
    close_game(game, LAWS_ENDED, reason, now_ms);
    game->result[CHESS_WHITE] = (uint8_t)white;
    game->result[CHESS_BLACK] = (uint8_t)black;
    const int winner = white == black ? LAWS_BOTH_SIDES : white > black ? CHESS_WHITE : CHESS_BLACK;
    return laws_say(laws_verdict(rules, article, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK),
                    (LawsMessage)(LAWS_MESSAGE_REASONS + (int)reason), (unsigned)winner, 0, 0);
}

LawsVerdict laws_end_won(LawsGame *game, const LawsRules *rules, ChessColor winner,
                         LawsReason reason, Article article, int64_t now_ms) {
    return laws_end(game, rules, winner == CHESS_WHITE ? 2 : 0, winner == CHESS_WHITE ? 0 : 2,
                    reason, article, now_ms);
}

// ---- moves

// Precedence after a made move (section 4.2).
LawsVerdict laws_after_move(LawsGame *game, const LawsRules *rules, ChessColor mover,
                            int64_t now_ms) {
    const ChessPosition *const pos = &game->position;
    LawsVerdict end;
    if (!chess_has_legal_move(pos)) {
        if (chess_is_check(pos))
            end = laws_end_won(game, rules, mover, LAWS_CHECKMATE, ARTICLE_CHECKMATE, now_ms);
        else
            end = laws_end(game, rules, 1, 1, LAWS_STALEMATE, ARTICLE_STALEMATE, now_ms);
    } else if (laws_is_dead_now(game)) {
        end = laws_end(game, rules, 1, 1, LAWS_DEAD_POSITION, ARTICLE_DEAD_POSITION, now_ms);
    } else if (rules->forced_moves > 0 && pos->halfmove_clock >= 2 * rules->forced_moves) {
        end = laws_end(game, rules, 1, 1, LAWS_AUTO_75, ARTICLE_AUTO_75, now_ms);
    } else if (laws_repetition_is_forced(game, rules)) {
        end = laws_end(game, rules, 1, 1, LAWS_AUTO_REPETITION, ARTICLE_AUTO_REPETITION, now_ms);
    } else {
        return laws_verdict(rules, ARTICLE_MOVE_MADE, LAWS_CHANGED_BOARD | LAWS_CHANGED_CLOCK);
    }
    end.changed |= LAWS_CHANGED_BOARD;
    return end;
}

// The move of the actor, or why it may not be made.
static LawsRefusal move_fault(const LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              Article *article) {
    const ChessColor mover = (ChessColor)event->actor;
    *article = ARTICLE_TO_MOVE;
    if (mover != laws_to_move(game))
        return LAWS_REFUSED_NOT_YOUR_TURN;
    *article = ARTICLE_ILLEGAL_MOVE;
    if (!chess_move_is_legal(&game->position, event->move))
        return LAWS_REFUSED_ILLEGAL_MOVE;
    *article = ARTICLE_WRONG_CLAIM;
    if ((game->bound_move != CHESS_NO_MOVE && event->move != game->bound_move) ||
        (game->bound_from != 0 && chess_move_from(event->move) + 1 != game->bound_from))
        return LAWS_REFUSED_BOUND_MOVE;
    *article = ARTICLE_MOVE_MADE;
    if (game->ply_count >= game->ply_capacity || game->ply_count >= CHESS_GAME_PLIES_MAX)
        return LAWS_REFUSED_RECORD_FULL;
    if (event->offer && !game->offer[mover])
        return laws_offer_fault(game, rules, mover, game->clock.moves_done[mover] + 1, article);
    return LAWS_NOT_REFUSED;
}

static LawsVerdict on_move(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                           int64_t now_ms) {
    if (JD_UNLIKELY(game->desk.is_active))
        return laws_on_desk_move(game, rules, event, now_ms);
    Article article;
    const LawsRefusal refusal = move_fault(game, rules, event, &article);
    if (refusal != LAWS_NOT_REFUSED)
        return laws_refuse(rules, article, refusal);
    const ChessColor mover = (ChessColor)event->actor;
    const ChessColor other = chess_other(mover);
    const bool offer_fell = game->offer[other];
    const uint8_t rights = game->position.castling_rights;
    chess_move_make(&game->position, event->move, NULL);
    laws_clock_complete_move(game, mover, now_ms, event->span_ms);
    // Making a move refuses the opponent's offer; one's own stands on (Article 9.1.2.1).
    game->offer[other] = 0;
    if (event->offer && !game->offer[mover]) {
        game->offer[mover] = 1;
        game->offer_made[mover] = (uint16_t)(game->clock.moves_done[mover] + 1);
    }
    game->bound_move = CHESS_NO_MOVE;
    game->bound_from = 0;
    game->claim_lost = 0;
    const uint16_t halfmoves = game->position.halfmove_clock;
    game->plies[game->ply_count++] = (LawsPly) {
        .zobrist_key = game->position.zobrist_key,
        .clock_ms = laws_clock_reading(game, mover, (JdInstant) { .ms = now_ms }),
        .at_ms = now_ms,
        .move = event->move,
        .irreversible = halfmoves == 0 || rights != game->position.castling_rights,
        .offered_draw = event->offer != 0,
        .halfmove_clock_low = (uint8_t)(halfmoves < 255 ? halfmoves : 255),
        .flags = event->offer != 0 ? LAWS_PLY_OFFER : 0,
    };
    if (JD_UNLIKELY(game->desk.offer_mark >> mover & 1)) {
        // An offer made before the move stands on the sheet beside it (Article 9.1.2).
        game->plies[game->ply_count - 1].flags |= LAWS_PLY_OFFER;
        game->desk.offer_mark &= (uint8_t) ~(1u << mover);
    }
    game->desk.offers_since_move[other] = 0;
    LawsVerdict verdict = laws_after_move(game, rules, mover, now_ms);
    if (offer_fell || event->offer)
        verdict.changed |= LAWS_CHANGED_OFFER;
    return verdict;
}

// ---- the other events of a running game

// Article 5.1.2: whoever resigns loses; since 2023 only to an opponent who could still mate.
static LawsVerdict on_resign(LawsGame *game, const LawsRules *rules, ChessColor player,
                             int64_t now_ms) {
    const ChessColor other = chess_other(player);
    if (rules->resign_loss_needs_helpmate)
        return laws_end_if_mate(game, rules, other, LAWS_RESIGNATION, now_ms);
    return laws_end_won(game, rules, other, LAWS_RESIGNATION, ARTICLE_RESIGNATION, now_ms);
}

// House rule: without a move by each side there has been no game.
static LawsVerdict on_abort(LawsGame *game, const LawsRules *rules, int64_t now_ms) {
    if (game->setup.fide_strict)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_NOT_ALLOWED);
    if (laws_moves_made(game, CHESS_WHITE) > 0 && laws_moves_made(game, CHESS_BLACK) > 0)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_TOO_LATE);
    return laws_annul(game, rules, LAWS_ABORTED, ARTICLE_NONE, now_ms);
}

// House rule: a player left a live game, and the other one takes the win or a draw.
static LawsVerdict on_abandoned(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                int64_t now_ms) {
    if (game->setup.fide_strict)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_NOT_ALLOWED);
    const ChessColor claimant = chess_other((ChessColor)event->side);
    if (event->draw)
        return laws_end(game, rules, 1, 1, LAWS_ABANDONED, ARTICLE_NONE, now_ms);
    return laws_end_if_mate(game, rules, claimant, LAWS_ABANDONED, now_ms);
}

static int64_t default_time(const LawsGame *game, const LawsRules *rules) {
    return game->setup.default_ms > 0 || game->setup.default_given ? game->setup.default_ms
                                                                   : rules->default_time_ms;
}

int64_t laws_default_from(const LawsGame *game, const LawsRules *rules) {
    return game->started_ms + game->interrupted_ms + default_time(game, rules) + 1;
}

// Who has not come to the board: where arrivals are noted, by them; else who has moved has come.
static bool has_come(const LawsGame *game, ChessColor color) {
    return game->setup.attendance ? ((game->desk.arrived | game->desk.waived) >> color & 1) != 0
                                  : game->clock.moves_done[color] > 0;
}

// Article 6.7: strictly later than the default time after the start. In a slow game both came at
// the start.
static LawsVerdict on_default(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              int64_t now_ms) {
    if (game->desk.adjournments > 0)
        return laws_on_late_resumption(game, rules, event, now_ms);
    const bool white = event->side != CHESS_BLACK;
    const bool black = event->side != CHESS_WHITE;
    if (laws_control_is_slow(&game->setup.control[CHESS_WHITE]) ||
        laws_control_is_slow(&game->setup.control[CHESS_BLACK]))
        return laws_refuse(rules, ARTICLE_DEFAULT_TIME, LAWS_REFUSED_NOT_ALLOWED);
    if ((white && has_come(game, CHESS_WHITE)) || (black && has_come(game, CHESS_BLACK)))
        return laws_refuse(rules, ARTICLE_DEFAULT_TIME, LAWS_REFUSED_TOO_LATE);
    if (now_ms < laws_default_from(game, rules))
        return laws_refuse(rules, ARTICLE_DEFAULT_TIME, LAWS_REFUSED_NOT_YET);
    if (white && black)
        return laws_end(game, rules, 0, 0, LAWS_BOTH_DEFAULT, ARTICLE_DEFAULT_TIME, now_ms);
    return laws_end_won(game, rules, white ? CHESS_BLACK : CHESS_WHITE, LAWS_DEFAULT,
                        ARTICLE_DEFAULT_TIME, now_ms);
}

// The program was down: the span is charged to no clock. It reaches back to the last event at most,
// for then the program was up.
static int64_t interruption_of(const LawsGame *game, int64_t span_ms, int64_t now_ms) {
    const int64_t most = now_ms - game->now_ms;
    return span_ms < most ? span_ms : most;
}

static LawsVerdict on_interruption(LawsGame *game, const LawsRules *rules, int64_t span_ms,
                                   int64_t now_ms) {
    const int64_t span = interruption_of(game, span_ms, now_ms);
    if (game->clock.running != 0)
        game->clock.run_start_ms += span;
    game->interrupted_ms += span;
    if (game->desk.is_resumed)
        game->desk.resume_ms += span;
    if (game->desk.session_start_ms != 0)
        game->desk.session_start_ms += span;
    return laws_verdict(rules, ARTICLE_INTERRUPTION, LAWS_CHANGED_CLOCK);
}

static LawsVerdict on_start(LawsGame *game, const LawsRules *rules, int64_t now_ms) {
    game->state = LAWS_RUNNING;
    game->started_ms = now_ms;
    laws_clock_start(game, laws_to_move(game), now_ms);
    return laws_verdict(rules, ARTICLE_CLOCK_START, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK);
}

// ---- dispatch

// An event that nobody could have meant.
static bool malformed(const LawsEvent *event) {
    if (event->kind == 0 || event->kind >= LAWS_EVENT_KIND_COUNT ||
        event->actor > LAWS_BLACK_ASSISTANT || event->offer > 1 || event->draw > 1 ||
        event->flag > 1 || event->square > 63 || event->span_ms < 0 ||
        event->text.size > LAWS_EVENT_TEXT_MAX)
        return true;
    // What is not said with SAID is not said.
    if ((event->mating & LAWS_MATING_BITS) != 0 && !(event->mating & LAWS_MATING_SAID))
        return true;
    const bool for_both = event->kind == LAWS_EVENT_DEFAULT || event->kind == LAWS_EVENT_RESUME ||
                          event->kind == LAWS_EVENT_ADD_TIME ||
                          event->kind == LAWS_EVENT_WAIVE_DEFAULT;
    if (event->side > (for_both ? LAWS_BOTH_SIDES : CHESS_BLACK))
        return true;
    return (event->kind == LAWS_EVENT_CLAIM_SETUP && event->code > LAWS_CLAIM_COLORS) ||
           (event->kind == LAWS_EVENT_CLAIM_QPF && event->code > LAWS_QPF_NO_EFFORT);
}

static LawsVerdict dispatch(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms) {
    const ChessColor player = (ChessColor)event->actor;
    if (event->kind >= LAWS_EVENT_ARRIVE)
        return laws_on_desk_event(game, rules, event, now_ms);
    switch (event->kind) {
    case LAWS_EVENT_START:
        return on_start(game, rules, now_ms);
    case LAWS_EVENT_MOVE:
        return on_move(game, rules, event, now_ms);
    case LAWS_EVENT_OFFER:
        return laws_on_offer(game, rules, player);
    case LAWS_EVENT_ACCEPT:
        return laws_on_accept(game, rules, player, now_ms);
    case LAWS_EVENT_DECLINE:
        return laws_on_decline(game, rules, player);
    case LAWS_EVENT_RESIGN:
        return on_resign(game, rules, player, now_ms);
    case LAWS_EVENT_CLAIM_REP:
    case LAWS_EVENT_CLAIM_50:
    case LAWS_EVENT_CLAIM_DRAW:
        return laws_on_claim(game, rules, event, now_ms);
    case LAWS_EVENT_CLAIM_FLAG:
        return laws_on_claim_flag(game, rules, player, now_ms);
    case LAWS_EVENT_TICK:
        return laws_verdict(rules, ARTICLE_NONE, LAWS_CHANGED_NOTHING);
    case LAWS_EVENT_INTERRUPTION:
        return on_interruption(game, rules, event->span_ms, now_ms);
    case LAWS_EVENT_ABORT:
        return on_abort(game, rules, now_ms);
    case LAWS_EVENT_ABANDONED:
        return on_abandoned(game, rules, event, now_ms);
    case LAWS_EVENT_DEFAULT:
        return on_default(game, rules, event, now_ms);
    default:
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_UNKNOWN_EVENT);
    }
}

// ---- what comes by itself

// Article 8.5a: both were exempt and a flag falls that does not lose.
static bool sheets_due(const LawsGame *game, int64_t *at_ms) {
    return game->setup.manual_scoresheet && game->setup.arbiter_present &&
           game->state == LAWS_RUNNING && game->desk.exempt == 3 &&
           laws_clock_shows_zero(game, at_ms);
}

static bool default_due(const LawsGame *game, const LawsRules *rules, int64_t *at_ms) {
    if (!game->setup.attendance || game->state == LAWS_SCHEDULED || game->desk.adjournments > 0 ||
        game->state >= LAWS_ENDED || (has_come(game, CHESS_WHITE) && has_come(game, CHESS_BLACK)))
        return false;
    *at_ms = laws_default_from(game, rules);
    return true;
}

static bool flag_due(const LawsGame *game, const LawsRules *rules, int64_t *at_ms) {
    return game->clock.running != 0 && laws_flags_observed(game, rules) &&
           laws_clock_fall(game, at_ms);
}

bool laws_due(const LawsGame *game, const LawsRules *rules, int64_t *at_ms) {
    int64_t at;
    uint8_t absent;
    bool any = flag_due(game, rules, at_ms);
    if (JD_LIKELY(!game->desk.is_active) || game->desk.verdict_winner != 0)
        return any; // a game that only waits for a VERDICT is over
    if (default_due(game, rules, &at) && (!any || at < *at_ms)) {
        *at_ms = at;
        any = true;
    }
    if (laws_resumption_due(game, rules, &at, &absent) && (!any || at < *at_ms)) {
        *at_ms = at;
        any = true;
    }
    if (sheets_due(game, &at) && (!any || at < *at_ms)) {
        *at_ms = at;
        any = true;
    }
    return any;
}

// Section 4.3: any event implies a TICK first. An interruption looks at its beginning, for no flag
// falls within it.
static bool implied_tick(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                         int64_t now_ms, LawsVerdict *verdict) {
    int64_t at_ms;
    int64_t at;
    uint8_t absent;
    if (!laws_due(game, rules, &at_ms))
        return false;
    if (event->kind == LAWS_EVENT_INTERRUPTION)
        now_ms -= interruption_of(game, event->span_ms, now_ms);
    if (at_ms > now_ms)
        return false;
    if (flag_due(game, rules, &at) && at == at_ms) {
        *verdict = laws_flag_fall(game, rules, (ChessColor)(game->clock.running - 1), at_ms);
    } else if (default_due(game, rules, &at) && at == at_ms) {
        const bool white = !has_come(game, CHESS_WHITE);
        *verdict = white && !has_come(game, CHESS_BLACK)
                       ? laws_end(game, rules, 0, 0, LAWS_BOTH_DEFAULT, ARTICLE_DEFAULT_TIME, at_ms)
                       : laws_end_won(game, rules, white ? CHESS_BLACK : CHESS_WHITE, LAWS_DEFAULT,
                                      ARTICLE_DEFAULT_TIME, at_ms);
    } else if (laws_resumption_due(game, rules, &at, &absent) && at == at_ms) {
        // Whoever declares the default himself is heard: it is the same end.
        if (event->kind == LAWS_EVENT_DEFAULT)
            return false;
        *verdict = laws_end_late(game, rules, absent, at_ms);
    } else {
        *verdict = laws_stop(game, rules, LAWS_STOP_SHEETS, 0, laws_clock_side(game),
                             ARTICLE_SHEET_COMPLETE, at_ms);
        *verdict = laws_say(*verdict, LAWS_MESSAGE_SHEETS, LAWS_BOTH_SIDES, 0, 0);
        for (int color = 0; color < 2; color++)
            if (game->desk.recorded[color] < game->ply_count)
                game->desk.sheet_due |= (uint8_t)(1u << color);
        game->desk.exempt = 0;
    }
    game->events++;
    game->now_ms = at_ms;
    return true;
}

// A misplaced king does not castle, a misplaced rook not with it (A.4a, B4): whether or not the
// position is ever complained of.
static void take_rights(LawsGame *game, const LawsRules *rules) {
    const ChessSetup before = chess_setup_of(&game->position);
    ChessSetup setup = before;
    for (int color = 0; color < 2; color++) {
        const int home = color == CHESS_WHITE ? 0 : 56;
        const unsigned shift = color == CHESS_WHITE ? 0 : 2;
        bool king_differs = false;
        bool rook_differs[2] = { false, false };
        for (int file = 0; file < 8; file++) {
            const unsigned declared =
                game->setup.declared[(home + file) / 2] >> ((home + file) % 2 * 4) & 15;
            const ChessPiece is = setup.board[home + file];
            const ChessPiece king = chess_piece((ChessColor)color, CHESS_KING);
            king_differs |= (declared == king) != (is == king);
            for (int side = 0; side < 2; side++)
                if (setup.rook_files[side] == file && declared != is)
                    rook_differs[side] = true;
        }
        unsigned lost = king_differs ? 3u : 0u;
        if (rules->setup_castling == LAWS_SETUP_CASTLING_BY_PIECE)
            lost |= (rook_differs[1] ? 1u : 0u) | (rook_differs[0] ? 2u : 0u);
        setup.castling_rights &= (uint8_t) ~(lost << shift);
    }
    if (setup.castling_rights != before.castling_rights) {
        game->position.castling_rights = setup.castling_rights;
        game->position.zobrist_key = chess_zobrist_key(&game->position);
    }
}

void laws_game_init(LawsGame *game, const LawsSetup *setup, LawsPly *plies, uint32_t ply_capacity) {
    LawsRules space;
    jd_zero(game, sizeof *game);
    game->setup = *setup;
    game->position = setup->start;
    if (setup->ignore_fen_clock)
        game->position.halfmove_clock = 0;
    const LawsRules *const rules = laws_game_rules(game, &space);
    if (setup->has_declared && rules != NULL) {
        take_rights(game, rules);
        game->setup.start.castling_rights = game->position.castling_rights;
        game->setup.start.zobrist_key = chess_zobrist_key(&game->setup.start);
    }
    game->plies = plies;
    game->ply_capacity = ply_capacity;
    game->state = LAWS_SCHEDULED;
    game->desk.is_active = setup->separate_press || setup->touch_move || setup->unchecked_moves ||
                           setup->manual_scoresheet || setup->attendance || setup->add_at_zero ||
                           setup->accessible != 0 || setup->arbiter_present;
    laws_clock_init(game);
}

static LawsVerdict apply(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                         JdInstant now) {
    if (malformed(event))
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_UNKNOWN_EVENT);
    if (now.ms < game->now_ms || now.ms > INSTANT_MAX_MS)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_TIME_BACKWARDS);
    Article article;
    LawsRefusal refusal = laws_event_fault(game, event, &article);
    if (refusal == LAWS_REFUSED_NOT_ALLOWED)
        return laws_refuse(rules, article, refusal);
    LawsVerdict fall;
    const bool fell = implied_tick(game, rules, event, now.ms, &fall);
    if (fell) {
        // Only a TICK looked for it; any other event meets a game that has ended or stands.
        if (event->kind != LAWS_EVENT_TICK)
            fall.refusal = (uint8_t)(game->state >= LAWS_ENDED ? LAWS_REFUSED_GAME_OVER
                                                               : LAWS_REFUSED_CLOCKS_STOPPED);
        return fall;
    }
    if (refusal != LAWS_NOT_REFUSED)
        return laws_refuse(rules, article, refusal);
    LawsEvent acted;
    if (JD_UNLIKELY(event->actor >= LAWS_WHITE_ASSISTANT)) {
        acted = *event;
        acted.actor = (uint8_t)(event->actor - LAWS_WHITE_ASSISTANT);
        event = &acted;
    }
    const LawsVerdict verdict = dispatch(game, rules, event, now.ms);
    if (verdict.refusal == LAWS_NOT_REFUSED && event->kind != LAWS_EVENT_TICK) {
        game->events++;
        game->now_ms = now.ms;
    }
    return verdict;
}

LawsVerdict laws_apply(LawsGame *game, const LawsEvent *event, JdInstant now) {
    LawsRules space;
    const LawsRules *const rules = laws_game_rules(game, &space);
    JD_ASSERT(rules != NULL);
    game->mating = event->mating;
    LawsVerdict verdict = apply(game, rules, event, now);
    verdict.mating = game->mating_found & LAWS_MATING_BITS;
    verdict.is_open = (game->mating_found & MATING_FOUND_OPEN) != 0;
    game->mating = 0;
    game->mating_found = 0;
    return verdict;
}
