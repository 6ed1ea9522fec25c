// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who may raise which event in which state, under which article, and what fields it has (spec
// sections 4.1 and 4.3): one row for each kind.
#include "laws/inner.h"

// Sets of LawsActor.
enum {
    PLAYERS = 1 << LAWS_WHITE | 1 << LAWS_BLACK,
    ARBITER = 1 << LAWS_ARBITER_ACTOR,
    SERVER = 1 << LAWS_SERVER,
    AIDES = 1 << LAWS_WHITE_ASSISTANT | 1 << LAWS_BLACK_ASSISTANT,
    EVERYBODY = PLAYERS | ARBITER | SERVER,
};

// Sets of LawsState.
enum {
    SCHEDULED = 1 << LAWS_SCHEDULED,
    RUNNING = 1 << LAWS_RUNNING,
    STOPPED = 1 << LAWS_STOPPED,
    SEALING = 1 << LAWS_SEALING,
    ADJOURNED = 1 << LAWS_ADJOURNED,
    ENDED = 1 << LAWS_ENDED,
    PLAYING = RUNNING | STOPPED | SEALING | ADJOURNED,
    ALIVE = SCHEDULED | PLAYING,
    ANY = ALIVE | ENDED,
};

enum {
    SIDE = LAWS_FIELD_SIDE,
    CODE = LAWS_FIELD_CODE,
    SQUARE = LAWS_FIELD_SQUARE,
    FLAG = LAWS_FIELD_FLAG,
    RESULT = LAWS_FIELD_RESULT,
    COUNT = LAWS_FIELD_COUNT,
    SPAN = LAWS_FIELD_SPAN,
    MOVE = LAWS_FIELD_MOVE,
    TEXT = LAWS_FIELD_TEXT,
};

typedef LawsVerdict Handler(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms);

// Article 6.7: the arbiter may decide otherwise before the default is found.
static LawsVerdict on_waive(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms) {
    (void)now_ms;
    for (int color = 0; color < 2; color++)
        if (event->side == color || event->side == LAWS_BOTH_SIDES)
            game->desk.waived |= (uint8_t)(1u << color);
    return laws_verdict(rules, ARTICLE_DEFAULT_TIME, LAWS_CHANGED_RECORD);
}

typedef struct Row {
    const char *name;
    Handler *handler; // NULL: game.c itself
    uint16_t fields;
    uint8_t article; // Article
    uint8_t actors;
    uint8_t states;
    uint8_t duty; // of the player's assistant
} Row;

static const Row rows[LAWS_EVENT_KIND_COUNT] = {
    [LAWS_EVENT_START] = { "start", NULL, 0, ARTICLE_CLOCK_START, SERVER | ARBITER, SCHEDULED, 0 },
    [LAWS_EVENT_MOVE] = { "move", NULL, 0, ARTICLE_TO_MOVE, PLAYERS | AIDES, RUNNING | SEALING,
                          LAWS_DUTY_MOVE },
    [LAWS_EVENT_OFFER] = { "offer", NULL, 0, ARTICLE_DRAW_OFFER, PLAYERS, RUNNING | ADJOURNED, 0 },
    [LAWS_EVENT_ACCEPT] = { "accept", NULL, 0, ARTICLE_DRAW_OFFER, PLAYERS, PLAYING, 0 },
    [LAWS_EVENT_DECLINE] = { "decline", NULL, 0, ARTICLE_DRAW_OFFER, PLAYERS, PLAYING, 0 },
    [LAWS_EVENT_RESIGN] = { "resign", NULL, 0, ARTICLE_RESIGNATION, PLAYERS, PLAYING, 0 },
    [LAWS_EVENT_CLAIM_REP] = { "claim_rep", NULL, 0, ARTICLE_REPETITION_ON_BOARD, PLAYERS, RUNNING,
                               0 },
    [LAWS_EVENT_CLAIM_50] = { "claim_50", NULL, 0, ARTICLE_50_ON_BOARD, PLAYERS, RUNNING, 0 },
    [LAWS_EVENT_CLAIM_FLAG] = { "claim_flag", NULL, 0, ARTICLE_FLAG_CONSIDERED_FALLEN,
                                PLAYERS | AIDES, PLAYING, LAWS_DUTY_CLAIM_FLAG },
    [LAWS_EVENT_TICK] = { "tick", NULL, 0, ARTICLE_FLAG_FALL, SERVER | ARBITER, ALIVE, 0 },
    [LAWS_EVENT_INTERRUPTION] = { "interruption", NULL, 0, ARTICLE_INTERRUPTION, SERVER, PLAYING,
                                  0 },
    [LAWS_EVENT_ABORT] = { "abort", NULL, 0, ARTICLE_NONE, PLAYERS | SERVER,
                           SCHEDULED | RUNNING | STOPPED, 0 },
    [LAWS_EVENT_ABANDONED] = { "abandoned", NULL, 0, ARTICLE_NONE, SERVER, RUNNING, 0 },
    [LAWS_EVENT_DEFAULT] = { "default", NULL, 0, ARTICLE_DEFAULT_TIME, SERVER | ARBITER,
                             RUNNING | STOPPED | ADJOURNED, 0 },
    [LAWS_EVENT_CLAIM_DRAW] = { "claim_draw", NULL, 0, ARTICLE_REPETITION_ON_BOARD, PLAYERS,
                                RUNNING, 0 },
    [LAWS_EVENT_ARRIVE] = { "arrive", laws_on_arrive, SIDE, ARTICLE_ARRIVAL, EVERYBODY, ALIVE, 0 },
    [LAWS_EVENT_TOUCH] = { "touch", laws_on_touch, SQUARE | FLAG, ARTICLE_TOUCH, PLAYERS | AIDES,
                           RUNNING, LAWS_DUTY_MOVE },
    [LAWS_EVENT_ADJUST] = { "adjust", laws_on_touch, 0, ARTICLE_ADJUST, PLAYERS, RUNNING, 0 },
    [LAWS_EVENT_RELEASE] = { "release", laws_on_touch, SQUARE, ARTICLE_RELEASE, PLAYERS | AIDES,
                             RUNNING, LAWS_DUTY_MOVE },
    [LAWS_EVENT_PROMO_TOUCH] = { "promo_touch", laws_on_touch, SQUARE | CODE,
                                 ARTICLE_PROMOTION_CHOICE, PLAYERS | AIDES, RUNNING,
                                 LAWS_DUTY_MOVE },
    [LAWS_EVENT_PRESS] = { "press", laws_on_press, 0, ARTICLE_PRESS, PLAYERS | AIDES, RUNNING,
                           LAWS_DUTY_PRESS },
    [LAWS_EVENT_REQUEST_INCREMENT] = { "request_increment", laws_on_quickplay, 0,
                                       ARTICLE_QUICKPLAY_INCREMENT, PLAYERS, RUNNING, 0 },
    [LAWS_EVENT_FLAG_OBSERVED] = { "flag_observed", laws_on_arbiter, SIDE,
                                   ARTICLE_FLAG_CONSIDERED_FALLEN, SERVER | ARBITER, PLAYING, 0 },
    [LAWS_EVENT_CLAIM_ILLEGAL] = { "claim_illegal", laws_on_irregular, 0, ARTICLE_ILLEGAL_FOUND,
                                   PLAYERS, RUNNING, 0 },
    [LAWS_EVENT_CLAIM_TOUCH] = { "claim_touch", laws_on_touch, TEXT, ARTICLE_COMPLAINT,
                                 PLAYERS | AIDES, RUNNING, LAWS_DUTY_REPORT_TOUCH },
    [LAWS_EVENT_CLAIM_SETUP] = { "claim_setup", laws_on_irregular, CODE, ARTICLE_SETUP, PLAYERS,
                                 RUNNING, 0 },
    [LAWS_EVENT_CLAIM_CLOCK_SETTING] = { "claim_clock_setting", laws_on_irregular, 0,
                                         ARTICLE_CLOCK_SETTING, PLAYERS, RUNNING, 0 },
    [LAWS_EVENT_SUMMON] = { "summon", laws_on_arbiter, CODE | TEXT, ARTICLE_STOP_BY_PLAYER, PLAYERS,
                            RUNNING, 0 },
    [LAWS_EVENT_ARB_STOP] = { "arb_stop", laws_on_arbiter, CODE | TEXT, ARTICLE_STOP_BY_ARBITER,
                              ARBITER, RUNNING, 0 },
    [LAWS_EVENT_RESUME] = { "resume", laws_on_arbiter, SIDE, ARTICLE_RESUMPTION, ARBITER, STOPPED,
                            0 },
    [LAWS_EVENT_SET_CLOCK] = { "set_clock", laws_on_arbiter, SIDE | SPAN | TEXT,
                               ARTICLE_CLOCK_READING, ARBITER, ALIVE, 0 },
    [LAWS_EVENT_ADD_TIME] = { "add_time", laws_on_arbiter, SIDE | SPAN | TEXT, ARTICLE_EXTRA_TIME,
                              ARBITER, ALIVE, 0 },
    [LAWS_EVENT_SUB_TIME] = { "sub_time", laws_on_arbiter, SIDE | SPAN | TEXT, ARTICLE_PENALTIES,
                              ARBITER, ALIVE, 0 },
    [LAWS_EVENT_SET_MOVE_COUNT] = { "set_move_count", laws_on_arbiter, SIDE | COUNT | TEXT,
                                    ARTICLE_MOVE_COUNT, ARBITER, ALIVE, 0 },
    [LAWS_EVENT_RESTORE] = { "restore", laws_on_arbiter, COUNT | TEXT, ARTICLE_DISPLACED_FOUND,
                             ARBITER, STOPPED, 0 },
    [LAWS_EVENT_RULE_ILLEGAL] = { "rule_illegal", laws_on_irregular, SIDE, ARTICLE_ILLEGAL_FOUND,
                                  ARBITER, RUNNING | STOPPED, 0 },
    [LAWS_EVENT_WARN] = { "warn", laws_on_conduct, SIDE | TEXT, ARTICLE_PENALTIES, ARBITER, ANY,
                          0 },
    [LAWS_EVENT_POINTS] = { "points", laws_on_conduct, SIDE | CODE | FLAG | TEXT, ARTICLE_PENALTIES,
                            ARBITER, ANY, 0 },
    [LAWS_EVENT_EXPEL] = { "expel", laws_on_conduct, SIDE | TEXT, ARTICLE_PENALTIES, ARBITER, ANY,
                           0 },
    [LAWS_EVENT_FINE] = { "fine", laws_on_conduct, SIDE | COUNT | TEXT, ARTICLE_PENALTIES, ARBITER,
                          ANY, 0 },
    [LAWS_EVENT_EXCLUDE_ROUNDS] = { "exclude_rounds", laws_on_conduct, SIDE | COUNT | TEXT,
                                    ARTICLE_PENALTIES, ARBITER, ANY, 0 },
    [LAWS_EVENT_NOTE] = { "note", laws_on_conduct, TEXT, ARTICLE_ARBITER, ARBITER | SERVER, ANY,
                          0 },
    [LAWS_EVENT_INCIDENT] = { "incident", laws_on_conduct, SIDE | CODE | FLAG | TEXT,
                              ARTICLE_CONDUCT, PLAYERS | ARBITER | SERVER, ANY, 0 },
    [LAWS_EVENT_ARB_RESULT] = { "arb_result", laws_on_arbiter, CODE | RESULT | TEXT,
                                ARTICLE_ARBITER, ARBITER, ALIVE, 0 },
    [LAWS_EVENT_CLAIM_QPF] = { "claim_qpf", laws_on_quickplay, CODE, ARTICLE_QUICKPLAY, PLAYERS,
                               RUNNING, 0 },
    [LAWS_EVENT_ARB_QPF] = { "arb_qpf", laws_on_quickplay, CODE | FLAG, ARTICLE_QUICKPLAY, ARBITER,
                             RUNNING | STOPPED | ENDED, 0 },
    [LAWS_EVENT_CONSENT] = { "consent", laws_on_arbiter, 0, ARTICLE_DRAW_RESTRICTION, ARBITER,
                             PLAYING, 0 },
    [LAWS_EVENT_ASSISTANT] = { "assistant", laws_on_conduct, SIDE | CODE | COUNT | TEXT,
                               ARTICLE_ASSISTANT, ARBITER, ALIVE, 0 },
    [LAWS_EVENT_ARB_SEAL] = { "arb_seal", laws_on_adjourn, 0, ARTICLE_SEAL, ARBITER | SERVER,
                              RUNNING, 0 },
    [LAWS_EVENT_ADJOURN_EARLY] = { "adjourn_early", laws_on_adjourn, 0, ARTICLE_ADJOURN_EARLY,
                                   PLAYERS, RUNNING, 0 },
    [LAWS_EVENT_SEAL] = { "seal", laws_on_adjourn, TEXT, ARTICLE_SEAL, PLAYERS | AIDES, SEALING,
                          LAWS_DUTY_ADJOURN },
    [LAWS_EVENT_STOP_CLOCK] = { "stop_clock", laws_on_adjourn, 0, ARTICLE_SEAL, PLAYERS | AIDES,
                                SEALING | ADJOURNED, LAWS_DUTY_ADJOURN },
    [LAWS_EVENT_RESUME_START] = { "resume_start", laws_on_adjourn, 0, ARTICLE_RESUME_POSITION,
                                  ARBITER | SERVER, ADJOURNED, 0 },
    [LAWS_EVENT_OPEN_ENVELOPE] = { "open_envelope", laws_on_adjourn, CODE | FLAG | TEXT,
                                   ARTICLE_ENVELOPE_OPENED, ARBITER | SERVER, ADJOURNED, 0 },
    [LAWS_EVENT_SEAL_REPLY] = { "seal_reply", laws_on_adjourn, TEXT, ARTICLE_RESUMED,
                                PLAYERS | AIDES, RUNNING, LAWS_DUTY_ADJOURN },
    [LAWS_EVENT_RULE_SEALED] = { "rule_sealed", laws_on_adjourn, MOVE, ARTICLE_SEAL_FAULT, ARBITER,
                                 ADJOURNED, 0 },
    [LAWS_EVENT_ENVELOPE_LOST] = { "envelope_lost", laws_on_adjourn, MOVE, ARTICLE_ENVELOPE_LOST,
                                   ARBITER, ADJOURNED, 0 },
    [LAWS_EVENT_ENVELOPE_CHECK] = { "envelope_check", laws_on_adjourn, TEXT, ARTICLE_ENVELOPE_CHECK,
                                    ARBITER, ADJOURNED, 0 },
    [LAWS_EVENT_ANNUL] = { "annul", laws_on_arbiter, TEXT, ARTICLE_SETUP_ANNULLED, ARBITER, ALIVE,
                           0 },
    [LAWS_EVENT_APPEAL] = { "appeal", laws_on_arbiter, TEXT, ARTICLE_APPEAL, PLAYERS, ENDED, 0 },
    [LAWS_EVENT_OVERRULE_RESULT] = { "overrule_result", laws_on_arbiter, CODE | RESULT | TEXT,
                                     ARTICLE_ARBITER, ARBITER, ENDED, 0 },
    [LAWS_EVENT_WAIVE_DEFAULT] = { "waive_default", on_waive, SIDE, ARTICLE_DEFAULT_TIME, ARBITER,
                                   SCHEDULED | PLAYING, 0 },
    [LAWS_EVENT_HOLD] = { "hold", laws_on_arbiter, SIDE, ARTICLE_NONE, SERVER, RUNNING, 0 },
    [LAWS_EVENT_UNHOLD] = { "unhold", laws_on_arbiter, SIDE, ARTICLE_NONE, SERVER, RUNNING, 0 },
    [LAWS_EVENT_BLOCKED] = { "blocked", laws_on_arbiter, SIDE, ARTICLE_NONE, SERVER, PLAYING, 0 },
    [LAWS_EVENT_RECORD] = { "record", laws_on_record, COUNT | TEXT, ARTICLE_RECORD, PLAYERS | AIDES,
                            PLAYING, LAWS_DUTY_RECORD },
    [LAWS_EVENT_RULE_TOUCH] = { "rule_touch", laws_on_touch, SIDE | SQUARE, ARTICLE_TOUCH, ARBITER,
                                STOPPED, 0 },
    [LAWS_EVENT_RULE_INCREMENT] = { "rule_increment", laws_on_quickplay, FLAG,
                                    ARTICLE_QUICKPLAY_INCREMENT, ARBITER, STOPPED, 0 },
    [LAWS_EVENT_VERIFY] = { "verify", laws_on_quickplay, 0, ARTICLE_QUICKPLAY_NO_ARBITER, PLAYERS,
                            ENDED, 0 },
    [LAWS_EVENT_TAKE_BACK_AGREED] = { "take_back_agreed", laws_on_irregular, 0,
                                      ARTICLE_ILLEGAL_FOUND, PLAYERS, RUNNING, 0 },
    [LAWS_EVENT_CONFIRM_RESULT] = { "confirm_result", laws_on_arbiter, RESULT, ARTICLE_SIGNED,
                                    PLAYERS, ENDED, 0 },
    [LAWS_EVENT_DECLARE_LOST] = { "declare_lost", laws_on_arbiter, SIDE | CODE | TEXT,
                                  ARTICLE_PENALTIES, ARBITER, ALIVE, 0 },
    [LAWS_EVENT_VIEW_SHEET] = { "view_sheet", laws_on_record, 0, ARTICLE_SHEET_VIEW, PLAYERS,
                                PLAYING, 0 },
    [LAWS_EVENT_ANNOUNCE] = { "announce", laws_on_announce, MOVE, ARTICLE_ANNOUNCEMENT,
                              PLAYERS | AIDES, RUNNING, LAWS_DUTY_ANNOUNCE },
    [LAWS_EVENT_REPEAT] = { "repeat", laws_on_announce, MOVE, ARTICLE_ANNOUNCEMENT, PLAYERS | AIDES,
                            RUNNING, LAWS_DUTY_ANNOUNCE },
    [LAWS_EVENT_REMOVE_SPECTATOR] = { "remove_spectator", laws_on_conduct, TEXT, ARTICLE_SPECTATORS,
                                      ARBITER, ANY, 0 },
    [LAWS_EVENT_RULE_COLORS] = { "rule_colors", laws_on_irregular, FLAG, ARTICLE_COLORS_REVERSED,
                                 ARBITER, STOPPED, 0 },
    [LAWS_EVENT_VERDICT] = { "verdict", laws_on_verdict, CODE | COUNT, ARTICLE_DEAD_POSITION,
                             SERVER | ARBITER, PLAYING, 0 },
};

const char *laws_event_name(uint8_t kind) {
    return kind < LAWS_EVENT_KIND_COUNT ? rows[kind].name : NULL;
}

bool laws_event_find(JdStr name, uint8_t *kind) {
    for (uint8_t i = 1; i < LAWS_EVENT_KIND_COUNT; i++)
        if (jd_str_equal(name, jd_str(rows[i].name))) {
            *kind = i;
            return true;
        }
    return false;
}

uint32_t laws_event_fields(uint8_t kind) {
    return kind < LAWS_EVENT_KIND_COUNT ? rows[kind].fields : 0;
}

// The state does not allow the event: why.
static LawsRefusal state_fault(const LawsGame *game, const Row *row) {
    switch ((LawsState)game->state) {
    case LAWS_SCHEDULED:
        return LAWS_REFUSED_NOT_STARTED;
    case LAWS_RUNNING:
        if (row->states == SCHEDULED)
            return LAWS_REFUSED_ALREADY_STARTED;
        return row->states & STOPPED ? LAWS_REFUSED_NOT_STOPPED : LAWS_REFUSED_NOT_DUE;
    case LAWS_STOPPED:
    case LAWS_SEALING:
    case LAWS_ADJOURNED:
        if (row->states == SCHEDULED)
            return LAWS_REFUSED_ALREADY_STARTED;
        return row->states & RUNNING ? LAWS_REFUSED_CLOCKS_STOPPED : LAWS_REFUSED_NOT_DUE;
    case LAWS_ENDED:
    case LAWS_ANNULLED:
        break;
    }
    return LAWS_REFUSED_GAME_OVER;
}

// Those who run the event or site may act after a game that had no arbiter (section 4.5).
static bool needs_arbiter(const LawsGame *game, const LawsEvent *event) {
    return event->kind >= LAWS_EVENT_ARRIVE && event->actor == LAWS_ARBITER_ACTOR &&
           !game->setup.arbiter_present && game->state < LAWS_ENDED &&
           event->kind != LAWS_EVENT_NOTE && event->kind != LAWS_EVENT_ARRIVE;
}

LawsRefusal laws_event_fault(const LawsGame *game, const LawsEvent *event, Article *article) {
    const Row *const row = &rows[event->kind];
    *article = (Article)row->article;
    if (!(row->actors & 1u << event->actor))
        return LAWS_REFUSED_NOT_ALLOWED;
    if (event->actor >= LAWS_WHITE_ASSISTANT &&
        !(game->desk.duties[event->actor - LAWS_WHITE_ASSISTANT] & row->duty)) {
        *article = ARTICLE_ASSISTANT;
        return LAWS_REFUSED_NO_DUTY;
    }
    if (needs_arbiter(game, event)) {
        *article = ARTICLE_ARBITER;
        return LAWS_REFUSED_NO_ARBITER;
    }
    if (!(row->states & 1u << game->state))
        return state_fault(game, row);
    if (game->state == LAWS_STOPPED && game->desk.stop == LAWS_STOP_VERDICT &&
        !laws_waits_for(game, event))
        return LAWS_REFUSED_CLOCKS_STOPPED;
    return LAWS_NOT_REFUSED;
}

bool laws_event_possible(const LawsGame *game, uint8_t kind, uint8_t actor) {
    const LawsEvent event = { .kind = kind, .actor = actor };
    Article article;
    return kind > 0 && kind < LAWS_EVENT_KIND_COUNT && actor <= LAWS_BLACK_ASSISTANT &&
           laws_event_fault(game, &event, &article) == LAWS_NOT_REFUSED;
}

LawsVerdict laws_on_desk_event(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                               int64_t now_ms) {
    const LawsVerdict verdict = rows[event->kind].handler(game, rules, event, now_ms);
    if (verdict.refusal == LAWS_NOT_REFUSED)
        game->desk.is_active = 1;
    return verdict;
}
