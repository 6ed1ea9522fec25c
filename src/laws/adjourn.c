// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adjourned games (Appendix A of 1997 and 2005, guidelines since): the sealed move is a commitment
// until the envelope is opened, so no state and no log tells it before (laws.h, sealed moves).
#include <jadoube/notation.h>

#include "laws/inner.h"

static ChessColor replier_of(const LawsGame *game) {
    return chess_other((ChessColor)game->desk.sealer);
}

static bool record_is_full(const LawsGame *game) {
    return game->ply_count >= game->ply_capacity || game->ply_count >= CHESS_GAME_PLIES_MAX;
}

static bool is_present(const LawsGame *game, ChessColor color) {
    return (game->desk.present >> color & 1) != 0;
}

// ---- sealing (A1)

static int64_t session_left(const LawsGame *game, int64_t now_ms) {
    const int64_t start = game->desk.session_start_ms != 0
                              ? game->desk.session_start_ms
                              : game->started_ms + game->interrupted_ms;
    return start + game->setup.session_ms - now_ms;
}

static LawsVerdict begin_sealing(LawsGame *game, const LawsRules *rules, bool is_early,
                                 Article article, int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const ChessColor sealer = laws_to_move(game);
    // A move made and not yet pressed is completed now, and the sealer's clock runs.
    if (desk->due[chess_other(sealer)]) {
        if (game->clock.running == 1 + chess_other(sealer))
            laws_clock_complete_move(game, chess_other(sealer), now_ms, 0);
        else
            (void)laws_clock_count_move(game, chess_other(sealer));
        desk->due[chess_other(sealer)] = 0;
    }
    if (desk->due[sealer]) {
        (void)laws_clock_count_move(game, sealer);
        desk->due[sealer] = 0;
    }
    if (game->clock.running != 1 + sealer) {
        laws_clock_stop(game, now_ms);
        laws_clock_start(game, sealer, now_ms);
    }
    game->state = LAWS_SEALING;
    desk->sealer = (uint8_t)sealer;
    desk->sealed = 0;
    desk->seal_on_board = 0;
    desk->seal_early = is_early;
    desk->sealed_move = CHESS_NO_MOVE;
    return laws_say(laws_verdict(rules, article, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK),
                    LAWS_MESSAGE_SEALING, sealer, 0, 0);
}

static LawsVerdict on_seal(LawsGame *game, const LawsRules *rules, const LawsEvent *event) {
    LawsDesk *const desk = &game->desk;
    if (event->actor != desk->sealer)
        return laws_refuse(rules, ARTICLE_SEAL, LAWS_REFUSED_NOT_YOUR_TURN);
    if (desk->seal_on_board)
        return laws_refuse(rules, ARTICLE_SEAL, LAWS_REFUSED_BOUND_MOVE);
    if (event->text.size < LAWS_COMMITMENT_SIZE)
        return laws_refuse(rules, ARTICLE_SEAL, LAWS_REFUSED_BAD_VALUE);
    jd_copy(desk->commitment[0], event->text.data, LAWS_COMMITMENT_SIZE);
    desk->sealed = 1;
    return laws_verdict(rules, ARTICLE_SEAL, LAWS_CHANGED_TOUCH);
}

static LawsVerdict on_stop_clock(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                 int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    if (game->state == LAWS_ADJOURNED) {
        // A9b: whoever comes late to reply may stop his clock until the envelope is opened.
        if (game->clock.running != 1 + event->actor || !is_present(game, (ChessColor)event->actor))
            return laws_refuse(rules, ARTICLE_RESUMED, LAWS_REFUSED_NOT_DUE);
        laws_clock_stop(game, now_ms);
        return laws_verdict(rules, ARTICLE_RESUMED, LAWS_CHANGED_CLOCK);
    }
    if (event->actor != desk->sealer)
        return laws_refuse(rules, ARTICLE_SEAL, LAWS_REFUSED_NOT_YOUR_TURN);
    if (!desk->sealed)
        return laws_refuse(rules, ARTICLE_SEAL, LAWS_REFUSED_NOT_SEALED);
    laws_clock_stop(game, now_ms);
    const int64_t left = desk->seal_early ? session_left(game, now_ms) : 0;
    if (left > 0) {
        // A1b: sealed at the nominal end of the session, as far as the clock goes.
        const ChessColor sealer = (ChessColor)desk->sealer;
        const int64_t reading = laws_clock_reading(game, sealer, (JdInstant) { .ms = now_ms });
        laws_clock_set(game, sealer, reading > left ? reading - left : 0, now_ms);
        if (laws_clock_is_down(game, sealer, now_ms))
            return laws_flag_fall(game, rules, sealer, now_ms);
    }
    game->state = LAWS_ADJOURNED;
    desk->seal_opened = 0;
    desk->seal_unclear = 0;
    desk->reply_sealed = 0;
    desk->envelope_checked = 0;
    desk->is_resumed = 0;
    desk->present = 0;
    desk->waived = 0; // what was excused at the start is not excused at the resumption
    desk->claim_clock_closed = 0;
    desk->adjourned_ms = now_ms;
    if (desk->adjournments < UINT8_MAX)
        desk->adjournments++;
    return laws_say(laws_verdict(rules, ARTICLE_SEAL, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK),
                    LAWS_MESSAGE_ADJOURNED, desk->sealer, 0, 0);
}

// ---- resuming (A5 to A10)

static LawsVerdict on_resume_start(LawsGame *game, const LawsRules *rules, int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    if (desk->is_resumed)
        return laws_refuse(rules, ARTICLE_RESUME_POSITION, LAWS_REFUSED_ALREADY_STARTED);
    desk->is_resumed = 1;
    desk->resume_ms = now_ms;
    desk->session_start_ms = now_ms;
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_RESUME_POSITION, LAWS_CHANGED_STATE);
    if (!is_present(game, replier_of(game))) {
        laws_clock_start(game, replier_of(game), now_ms);
        verdict.changed |= LAWS_CHANGED_CLOCK;
    }
    return verdict;
}

// A8: what cannot be understood, or fits two moves or none, loses; unless the opponent could not
// have won.
static LawsVerdict sealed_fault(LawsGame *game, const LawsRules *rules, ChessColor offender,
                                int64_t now_ms) {
    laws_clock_stop(game, now_ms);
    return rules->seal_fault_loses
               ? laws_end_if_mate(game, rules, chess_other(offender), LAWS_SEALED_FAULT, now_ms)
               : laws_end(game, rules, 1, 1, LAWS_SEALED_FAULT, ARTICLE_SEAL_FAULT, now_ms);
}

// The sealed move is made, for which the record has room; offers stand as they stood (A4). The
// opponent's clock runs from now on.
static LawsVerdict make_sealed(LawsGame *game, const LawsRules *rules, ChessMove move,
                               int64_t now_ms) {
    const ChessColor mover = laws_to_move(game);
    const uint8_t rights = game->position.castling_rights;
    LawsPly ply = { .move = move, .flags = LAWS_PLY_SEALED };
    laws_board_make(game, &ply);
    laws_clock_stop(game, now_ms);
    game->state = LAWS_RUNNING;
    laws_clock_complete_move(game, mover, now_ms, 0);
    const uint16_t halfmoves = game->position.halfmove_clock;
    ply.zobrist_key = game->position.zobrist_key;
    ply.clock_ms = laws_clock_reading(game, mover, (JdInstant) { .ms = now_ms });
    ply.at_ms = now_ms;
    ply.irreversible = halfmoves == 0 || rights != game->position.castling_rights ||
                       (ply.flags & LAWS_PLY_FORCED) != 0;
    ply.halfmove_clock_low = (uint8_t)(halfmoves < 255 ? halfmoves : 255);
    ply.time_held = laws_clock_periods_held(game, mover);
    game->plies[game->ply_count++] = ply;
    laws_touch_clear(game);
    game->desk.touched_since = 0;
    game->bound_move = CHESS_NO_MOVE;
    game->bound_from = 0;
    game->claim_lost = 0;
    LawsVerdict verdict =
        laws_verdict(rules, ARTICLE_ENVELOPE_OPENED,
                     LAWS_CHANGED_BOARD | LAWS_CHANGED_CLOCK | LAWS_CHANGED_STATE);
    verdict = laws_say(verdict, LAWS_MESSAGE_ENVELOPE_OPENED, mover, 0, 0);
    if (game->desk.loose)
        return verdict;
    const LawsVerdict after = laws_after_move(game, rules, mover, now_ms);
    return game->state == LAWS_ENDED ? after : verdict;
}

static bool is_sealed_so(const LawsGame *game, bool is_reply, JdStr text) {
    unsigned char hash[LAWS_COMMITMENT_SIZE];
    if (text.size < LAWS_NONCE_SIZE)
        return false;
    laws_sha256(text, hash);
    return jd_bytes_equal(hash, game->desk.commitment[is_reply], sizeof hash);
}

static LawsVerdict open_seal(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                             int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const bool is_reply = event->flag != 0;
    if (!is_reply && desk->seal_on_board) {
        desk->seal_opened = 1;
        return make_sealed(game, rules, desk->sealed_move, now_ms);
    }
    if (!is_sealed_so(game, is_reply, event->text))
        return laws_refuse(rules, ARTICLE_ENVELOPE_OPENED, LAWS_REFUSED_SEAL_DIFFERS);
    const JdStr written = jd_str_part(event->text, LAWS_NONCE_SIZE, event->text.size);
    ChessReading reading;
    JdErr err = { 0 };
    const bool is_clear = chess_notation_parse(written, &game->position, (ChessLanguage)event->code,
                                               CHESS_TOLERATE_DEFAULT, &reading, &err);
    if (!is_reply)
        desk->seal_opened = 1;
    else
        desk->reply_sealed = 0;
    if (is_clear)
        return make_sealed(game, rules, reading.move, now_ms);
    // The arbiter decides what an unclear text means; several moves or none is a fault at once.
    const bool is_unclear = err.code == CHESS_MOVE_MALFORMED || reading.castling != CHESS_NO_MOVE;
    if (!is_unclear || reading.count > 1 || !game->setup.arbiter_present)
        return sealed_fault(game, rules, laws_to_move(game), now_ms);
    laws_clock_stop(game, now_ms);
    desk->seal_unclear = 1;
    return laws_say(
        laws_verdict(rules, ARTICLE_SEAL_FAULT, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK),
        LAWS_MESSAGE_ENVELOPE_UNCLEAR, laws_to_move(game), 0, 0);
}

static LawsVerdict on_open(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                           int64_t now_ms) {
    const LawsDesk *const desk = &game->desk;
    // A7: the player who must reply is there; a sealed reply waits for the sealer.
    const ChessColor waiting = event->flag ? (ChessColor)desk->sealer : replier_of(game);
    if (!desk->is_resumed)
        return laws_refuse(rules, ARTICLE_ENVELOPE_OPENED, LAWS_REFUSED_NOT_YET);
    if (event->flag ? !desk->reply_sealed : desk->seal_opened)
        return laws_refuse(rules, ARTICLE_ENVELOPE_OPENED, LAWS_REFUSED_NOT_DUE);
    if (!is_present(game, waiting))
        return laws_refuse(rules, ARTICLE_ENVELOPE_OPENED, LAWS_REFUSED_NOT_PRESENT);
    if (event->code >= CHESS_LANGUAGE_COUNT)
        return laws_refuse(rules, ARTICLE_ENVELOPE_OPENED, LAWS_REFUSED_BAD_VALUE);
    if (record_is_full(game))
        return laws_refuse(rules, ARTICLE_ENVELOPE_OPENED, LAWS_REFUSED_RECORD_FULL);
    return open_seal(game, rules, event, now_ms);
}

// A9c: the sealer is absent; his opponent seals the reply, and the absent player's clock runs.
static LawsVerdict on_seal_reply(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                 int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const ChessColor player = (ChessColor)event->actor;
    if (desk->adjournments == 0 || !desk->is_resumed || is_present(game, (ChessColor)desk->sealer))
        return laws_refuse(rules, ARTICLE_RESUMED, LAWS_REFUSED_NOT_DUE);
    if (player != laws_to_move(game) || player == (ChessColor)desk->sealer)
        return laws_refuse(rules, ARTICLE_RESUMED, LAWS_REFUSED_NOT_YOUR_TURN);
    if (event->text.size < LAWS_COMMITMENT_SIZE)
        return laws_refuse(rules, ARTICLE_RESUMED, LAWS_REFUSED_BAD_VALUE);
    jd_copy(desk->commitment[1], event->text.data, LAWS_COMMITMENT_SIZE);
    desk->reply_sealed = 1;
    laws_clock_stop(game, now_ms);
    laws_clock_start(game, (ChessColor)desk->sealer, now_ms);
    game->state = LAWS_ADJOURNED;
    return laws_verdict(rules, ARTICLE_RESUMED, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK);
}

static LawsVerdict on_rule_sealed(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                  int64_t now_ms) {
    if (!game->desk.seal_unclear)
        return laws_refuse(rules, ARTICLE_SEAL_FAULT, LAWS_REFUSED_NOT_DUE);
    if (event->move != CHESS_NO_MOVE && !laws_move_is_legal(game, event->move))
        return laws_refuse(rules, ARTICLE_SEAL_FAULT, LAWS_REFUSED_ILLEGAL_MOVE);
    if (record_is_full(game))
        return laws_refuse(rules, ARTICLE_SEAL_FAULT, LAWS_REFUSED_RECORD_FULL);
    game->desk.seal_unclear = 0;
    return event->move == CHESS_NO_MOVE ? sealed_fault(game, rules, laws_to_move(game), now_ms)
                                        : make_sealed(game, rules, event->move, now_ms);
}

// A11: from the recorded position and times; the sealer makes the move he says he sealed.
static LawsVerdict on_lost(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                           int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    if (!desk->is_resumed)
        return laws_refuse(rules, ARTICLE_ENVELOPE_LOST, LAWS_REFUSED_NOT_YET);
    if (desk->seal_opened)
        return laws_refuse(rules, ARTICLE_ENVELOPE_LOST, LAWS_REFUSED_NOT_DUE);
    if (event->move != CHESS_NO_MOVE && !laws_move_is_legal(game, event->move))
        return laws_refuse(rules, ARTICLE_ENVELOPE_LOST, LAWS_REFUSED_ILLEGAL_MOVE);
    if (record_is_full(game))
        return laws_refuse(rules, ARTICLE_ENVELOPE_LOST, LAWS_REFUSED_RECORD_FULL);
    desk->seal_opened = 1;
    if (event->move != CHESS_NO_MOVE) {
        desk->present |= (uint8_t)(1u << desk->sealer); // who says what he sealed is there
        return make_sealed(game, rules, event->move, now_ms);
    }
    laws_clock_stop(game, now_ms);
    game->state = LAWS_RUNNING;
    laws_clock_start(game, laws_to_move(game), now_ms);
    return laws_verdict(rules, ARTICLE_ENVELOPE_LOST, LAWS_CHANGED_STATE | LAWS_CHANGED_CLOCK);
}

// ---- late for the resumption (A10)

static int64_t late_from(const LawsGame *game, const LawsRules *rules) {
    const int64_t by_default =
        game->setup.default_ms > 0 ? game->setup.default_ms : rules->default_time_ms;
    return game->desk.resume_ms + 1 +
           (rules->adjourn_late_default ? by_default : rules->adjourn_late_ms);
}

// A bit per colour: who has not come to the resumption and was not excused by the arbiter.
static uint8_t absent_from(const LawsGame *game) {
    return (uint8_t)(3u & ~(unsigned)(game->desk.present | game->desk.waived));
}

// The move of a late sealer may mate or draw: his opponent has the envelope opened before he loses,
// and an unclear text is ruled first.
static bool seal_may_save(const LawsGame *game, uint8_t absent) {
    const LawsDesk *const desk = &game->desk;
    return absent == 1u << desk->sealer && (!desk->seal_opened || desk->seal_unclear);
}

bool laws_resumption_due(const LawsGame *game, const LawsRules *rules, int64_t *at_ms,
                         uint8_t *absent) {
    if (!game->desk.is_resumed || game->state >= LAWS_ENDED)
        return false;
    *absent = absent_from(game);
    if (*absent == 0 || seal_may_save(game, *absent))
        return false;
    *at_ms = late_from(game, rules);
    if (*at_ms < game->now_ms)
        *at_ms = game->now_ms;
    return true;
}

LawsVerdict laws_end_late(LawsGame *game, const LawsRules *rules, uint8_t absent, int64_t at_ms) {
    if (absent == 3)
        return laws_end(game, rules, 0, 0, LAWS_BOTH_DEFAULT, ARTICLE_LATE_RESUMPTION, at_ms);
    return laws_end_won(game, rules, absent == 1u << CHESS_WHITE ? CHESS_BLACK : CHESS_WHITE,
                        LAWS_DEFAULT, ARTICLE_LATE_RESUMPTION, at_ms);
}

LawsVerdict laws_on_late_resumption(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                    int64_t now_ms) {
    const uint8_t named = event->side == LAWS_BOTH_SIDES ? 3 : (uint8_t)(1u << event->side);
    if (!game->desk.is_resumed || (named & absent_from(game)) != named)
        return laws_refuse(rules, ARTICLE_LATE_RESUMPTION, LAWS_REFUSED_NOT_DUE);
    if (now_ms < late_from(game, rules))
        return laws_refuse(rules, ARTICLE_LATE_RESUMPTION, LAWS_REFUSED_NOT_YET);
    if (named != 3 && is_present(game, replier_of(game)) && seal_may_save(game, named))
        return laws_refuse(rules, ARTICLE_LATE_RESUMPTION, LAWS_REFUSED_NOT_DUE);
    return laws_end_late(game, rules, named, now_ms);
}

LawsVerdict laws_on_arrive(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                           int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const ChessColor player =
        event->actor <= LAWS_BLACK ? (ChessColor)event->actor : (ChessColor)(event->side & 1);
    const uint8_t bit = (uint8_t)(1u << player);
    (void)now_ms;
    if (desk->adjournments > 0) {
        if (desk->present & bit)
            return laws_refuse(rules, ARTICLE_RESUMED, LAWS_REFUSED_NOT_DUE);
        desk->present |= bit;
        return laws_verdict(rules, ARTICLE_RESUMED, LAWS_CHANGED_RECORD);
    }
    if (!game->setup.attendance || (desk->arrived & bit))
        return laws_refuse(rules, ARTICLE_ARRIVAL, LAWS_REFUSED_NOT_DUE);
    desk->arrived |= bit;
    return laws_verdict(rules, ARTICLE_ARRIVAL, LAWS_CHANGED_RECORD);
}

LawsVerdict laws_on_adjourn(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms) {
    switch (event->kind) {
    case LAWS_EVENT_ARB_SEAL:
        return begin_sealing(game, rules, false, ARTICLE_SEAL, now_ms);
    case LAWS_EVENT_ADJOURN_EARLY:
        if (game->setup.session_ms == 0)
            return laws_refuse(rules, ARTICLE_ADJOURN_EARLY, LAWS_REFUSED_NO_SUCH_RULE);
        if (laws_to_move(game) != (ChessColor)event->actor)
            return laws_refuse(rules, ARTICLE_ADJOURN_EARLY, LAWS_REFUSED_NOT_YOUR_TURN);
        return begin_sealing(game, rules, true, ARTICLE_ADJOURN_EARLY, now_ms);
    case LAWS_EVENT_SEAL:
        return on_seal(game, rules, event);
    case LAWS_EVENT_STOP_CLOCK:
        return on_stop_clock(game, rules, event, now_ms);
    case LAWS_EVENT_RESUME_START:
        return on_resume_start(game, rules, now_ms);
    case LAWS_EVENT_OPEN_ENVELOPE:
        return on_open(game, rules, event, now_ms);
    case LAWS_EVENT_SEAL_REPLY:
        return on_seal_reply(game, rules, event, now_ms);
    case LAWS_EVENT_RULE_SEALED:
        return on_rule_sealed(game, rules, event, now_ms);
    case LAWS_EVENT_ENVELOPE_LOST:
        return on_lost(game, rules, event, now_ms);
    default: // LAWS_EVENT_ENVELOPE_CHECK
        game->desk.envelope_checked = 1;
        return laws_verdict(rules, ARTICLE_ENVELOPE_CHECK, LAWS_CHANGED_RECORD);
    }
}

bool laws_envelope(const LawsGame *game, LawsEnvelope *out) {
    const LawsDesk *const desk = &game->desk;
    if (game->state != LAWS_ADJOURNED || desk->seal_opened)
        return false;
    const JdInstant now = { .ms = game->now_ms };
    *out = (LawsEnvelope) {
        .position = game->position,
        .reading_ms = { laws_clock_reading(game, CHESS_WHITE, now),
                        laws_clock_reading(game, CHESS_BLACK, now) },
        .sealed_ms = desk->adjourned_ms,
        .move_number = game->position.fullmove_number,
        .sealer = desk->sealer,
        .offer = { game->offer[CHESS_WHITE], game->offer[CHESS_BLACK] },
        .is_checked = desk->envelope_checked,
    };
    return true;
}
