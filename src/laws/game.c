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
}

LawsVerdict laws_end(LawsGame *game, const LawsRules *rules, int white, int black,
                     LawsReason reason, Article article, int64_t now_ms) {
    close_game(game, LAWS_ENDED, reason, now_ms);
    game->result[CHESS_WHITE] = (uint8_t)white;
    game->result[CHESS_BLACK] = (uint8_t)black;
    return laws_verdict(rules, article, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK);
}

LawsVerdict laws_end_won(LawsGame *game, const LawsRules *rules, ChessColor winner,
                         LawsReason reason, Article article, int64_t now_ms) {
    return laws_end(game, rules, winner == CHESS_WHITE ? 2 : 0, winner == CHESS_WHITE ? 0 : 2,
                    reason, article, now_ms);
}

// ---- moves

// Precedence after a made move (section 4.2).
static LawsVerdict after_move(LawsGame *game, const LawsRules *rules, ChessColor mover,
                              int64_t now_ms) {
    const ChessPosition *const pos = &game->position;
    LawsVerdict end = { 0 };
    if (!chess_has_legal_move(pos)) {
        if (chess_is_check(pos))
            end = laws_end_won(game, rules, mover, LAWS_CHECKMATE, ARTICLE_CHECKMATE, now_ms);
        else
            end = laws_end(game, rules, 1, 1, LAWS_STALEMATE, ARTICLE_STALEMATE, now_ms);
    } else if (laws_mate_by_material(pos, CHESS_WHITE) == LAWS_MATE_IMPOSSIBLE &&
               laws_mate_by_material(pos, CHESS_BLACK) == LAWS_MATE_IMPOSSIBLE) {
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
    *article = ARTICLE_NONE;
    if (game->ply_count >= game->ply_capacity || game->ply_count >= CHESS_GAME_PLIES_MAX)
        return LAWS_REFUSED_RECORD_FULL;
    if (event->offer && !game->offer[mover])
        return laws_offer_fault(game, rules, mover, game->clock.moves_done[mover] + 1, article);
    return LAWS_NOT_REFUSED;
}

static LawsVerdict on_move(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                           int64_t now_ms) {
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
    };
    LawsVerdict verdict = after_move(game, rules, mover, now_ms);
    if (offer_fell || event->offer)
        verdict.changed |= LAWS_CHANGED_OFFER;
    return verdict;
}

// ---- the other events of a running game

// Article 5.1.2: whoever resigns loses; since 2023 only to an opponent who could still mate.
static LawsVerdict on_resign(LawsGame *game, const LawsRules *rules, ChessColor player,
                             int64_t now_ms) {
    const ChessColor other = chess_other(player);
    if (rules->resign_loss_needs_helpmate &&
        laws_mate(&game->position, other) == LAWS_MATE_IMPOSSIBLE)
        return laws_end(game, rules, 1, 1, LAWS_RESIGN_DRAW, ARTICLE_RESIGNATION, now_ms);
    return laws_end_won(game, rules, other, LAWS_RESIGNATION, ARTICLE_RESIGNATION, now_ms);
}

// House rule: without a move by each side there has been no game.
static LawsVerdict on_abort(LawsGame *game, const LawsRules *rules, int64_t now_ms) {
    if (game->setup.fide_strict)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_NOT_ALLOWED);
    if (game->clock.moves_done[CHESS_WHITE] > 0 && game->clock.moves_done[CHESS_BLACK] > 0)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_TOO_LATE);
    close_game(game, LAWS_ANNULLED, LAWS_ABORTED, now_ms);
    return laws_verdict(rules, ARTICLE_NONE, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK);
}

// House rule: a player left a live game, and the other one takes the win or a draw.
static LawsVerdict on_abandoned(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                int64_t now_ms) {
    if (game->setup.fide_strict)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_NOT_ALLOWED);
    const ChessColor claimant = chess_other((ChessColor)event->side);
    if (event->draw || laws_mate(&game->position, claimant) == LAWS_MATE_IMPOSSIBLE)
        return laws_end(game, rules, 1, 1, LAWS_ABANDONED, ARTICLE_NONE, now_ms);
    return laws_end_won(game, rules, claimant, LAWS_ABANDONED, ARTICLE_NONE, now_ms);
}

// Article 6.7: strictly later than the default time after the start. Who has moved has come, and in
// a slow game both came at the start.
static LawsVerdict on_default(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              int64_t now_ms) {
    const bool white = event->side != CHESS_BLACK;
    const bool black = event->side != CHESS_WHITE;
    if (laws_control_is_slow(&game->setup.control[CHESS_WHITE]) ||
        laws_control_is_slow(&game->setup.control[CHESS_BLACK]))
        return laws_refuse(rules, ARTICLE_DEFAULT_TIME, LAWS_REFUSED_NOT_ALLOWED);
    if ((white && game->clock.moves_done[CHESS_WHITE] > 0) ||
        (black && game->clock.moves_done[CHESS_BLACK] > 0))
        return laws_refuse(rules, ARTICLE_DEFAULT_TIME, LAWS_REFUSED_TOO_LATE);
    const int64_t allowed =
        game->setup.default_ms > 0 ? game->setup.default_ms : rules->default_time_ms;
    if (now_ms - game->started_ms - game->interrupted_ms <= allowed)
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
    return laws_verdict(rules, ARTICLE_INTERRUPTION, LAWS_CHANGED_CLOCK);
}

static LawsVerdict on_start(LawsGame *game, const LawsRules *rules, int64_t now_ms) {
    game->state = LAWS_RUNNING;
    game->started_ms = now_ms;
    laws_clock_start(game, laws_to_move(game), now_ms);
    return laws_verdict(rules, ARTICLE_CLOCK_START, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK);
}

// ---- dispatch

// Who may raise an event, as a set of LawsActor.
enum {
    PLAYERS = 1 << LAWS_WHITE | 1 << LAWS_BLACK,
    ARBITER = 1 << LAWS_ARBITER_ACTOR,
    SERVER = 1 << LAWS_SERVER
};

static const uint8_t allowed_actors[] = {
    [LAWS_EVENT_START] = SERVER | ARBITER, [LAWS_EVENT_MOVE] = PLAYERS,
    [LAWS_EVENT_OFFER] = PLAYERS,          [LAWS_EVENT_ACCEPT] = PLAYERS,
    [LAWS_EVENT_DECLINE] = PLAYERS,        [LAWS_EVENT_RESIGN] = PLAYERS,
    [LAWS_EVENT_CLAIM_REP] = PLAYERS,      [LAWS_EVENT_CLAIM_50] = PLAYERS,
    [LAWS_EVENT_CLAIM_FLAG] = PLAYERS,     [LAWS_EVENT_TICK] = SERVER | ARBITER,
    [LAWS_EVENT_INTERRUPTION] = SERVER,    [LAWS_EVENT_ABORT] = PLAYERS | SERVER,
    [LAWS_EVENT_ABANDONED] = SERVER,       [LAWS_EVENT_DEFAULT] = SERVER | ARBITER,
    [LAWS_EVENT_CLAIM_DRAW] = PLAYERS,
};

// An event that nobody could have meant.
static bool malformed(const LawsEvent *event) {
    if (event->kind == 0 || event->kind >= JD_COUNT(allowed_actors) || event->actor > LAWS_SERVER ||
        event->offer > 1 || event->draw > 1 || event->span_ms < 0)
        return true;
    return event->side > (event->kind == LAWS_EVENT_DEFAULT ? LAWS_BOTH_SIDES : CHESS_BLACK);
}

static LawsVerdict on_running(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              int64_t now_ms) {
    const ChessColor player = (ChessColor)event->actor;
    switch ((LawsEventKind)event->kind) {
    case LAWS_EVENT_START:
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_ALREADY_STARTED);
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
    }
    return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_UNKNOWN_EVENT);
}

static LawsVerdict on_scheduled(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                int64_t now_ms) {
    if (event->kind == LAWS_EVENT_START)
        return on_start(game, rules, now_ms);
    if (event->kind == LAWS_EVENT_ABORT)
        return on_abort(game, rules, now_ms);
    return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_NOT_STARTED);
}

// Section 4.3: any event implies a TICK first. An interruption looks at its beginning, for no flag
// falls within it.
static bool implied_tick(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                         int64_t now_ms, LawsVerdict *verdict) {
    int64_t at_ms;
    if (game->state != LAWS_RUNNING || !laws_flags_observed(game, rules) ||
        !laws_clock_fall(game, &at_ms))
        return false;
    if (event->kind == LAWS_EVENT_INTERRUPTION)
        now_ms -= interruption_of(game, event->span_ms, now_ms);
    if (at_ms > now_ms)
        return false;
    *verdict = laws_flag_fall(game, rules, (ChessColor)(game->clock.running - 1), at_ms);
    game->events++;
    game->now_ms = at_ms;
    return true;
}

void laws_game_init(LawsGame *game, const LawsSetup *setup, LawsPly *plies, uint32_t ply_capacity) {
    jd_zero(game, sizeof *game);
    game->setup = *setup;
    game->position = setup->start;
    if (setup->ignore_fen_clock)
        game->position.halfmove_clock = 0;
    game->plies = plies;
    game->ply_capacity = ply_capacity;
    game->state = LAWS_SCHEDULED;
    laws_clock_init(game);
}

LawsVerdict laws_apply(LawsGame *game, const LawsEvent *event, JdInstant now) {
    const LawsRules *const rules = laws_rules(
        (LawsEdition)game->setup.edition, (LawsPace)game->setup.pace, game->setup.supervised != 0);
    JD_ASSERT(rules != NULL);
    if (malformed(event))
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_UNKNOWN_EVENT);
    if (!(allowed_actors[event->kind] & 1 << event->actor))
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_NOT_ALLOWED);
    if (now.ms < game->now_ms || now.ms > INSTANT_MAX_MS)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_TIME_BACKWARDS);
    LawsVerdict fall;
    const bool fell = implied_tick(game, rules, event, now.ms, &fall);
    if (fell) {
        // Only a TICK looked for it; any other event meets an ended game.
        if (event->kind != LAWS_EVENT_TICK)
            fall.refusal = LAWS_REFUSED_GAME_OVER;
        return fall;
    }
    if (game->state == LAWS_ENDED || game->state == LAWS_ANNULLED)
        return laws_refuse(rules, ARTICLE_NONE, LAWS_REFUSED_GAME_OVER);
    const LawsVerdict verdict = game->state == LAWS_SCHEDULED
                                    ? on_scheduled(game, rules, event, now.ms)
                                    : on_running(game, rules, event, now.ms);
    if (verdict.refusal == LAWS_NOT_REFUSED && event->kind != LAWS_EVENT_TICK) {
        game->events++;
        game->now_ms = now.ms;
    }
    return verdict;
}
