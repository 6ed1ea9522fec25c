// SPDX-License-Identifier: GPL-3.0-or-later
#include "random_game.h"

static const char *const controls[] = {
    "180",     "60+1",        "0+3",  "600d5",           "30b3",          "1/259200",
    "3/60:60", "2/30+1:20",   "5/40", "2/60:1/10",       "864000+120x10", "5400+30",
    "20",      "10/100:50d2", "-",    "40/5400+30:1800",
};

static const char *const starts[] = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/8/8/3n4/8/8/8/R3K2R w KQ - 0 1",
    "8/5k2/8/3b4/8/2N5/8/4K3 b - - 0 1",
    "k7/8/8/8/8/8/1P6/K7 w - - 80 90",
    "4r1k1/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1",
    "8/8/4k3/8/8/2NN4/8/4K3 w - - 130 120",
};

static uint32_t below(RandomGame *random, uint32_t count) {
    return jd_random_below(&random->seed, count);
}

static void random_start(RandomGame *random, ChessPosition *pos) {
    const uint32_t pick = below(random, 20);
    if (pick < JD_COUNT(starts)) {
        JD_ASSERT(chess_fen_parse(jd_str(starts[pick]), pos, NULL));
    } else if (pick < 12) {
        *pos = chess960_start((int)below(random, 960));
    } else {
        *pos = chess_position_start();
    }
}

// Competition regulations.
static void random_event_setup(RandomGame *random, LawsSetup *setup) {
    setup->arbiter_present = below(random, 4) > 0;
    setup->separate_press = (uint8_t)below(random, 2);
    setup->touch_move = (uint8_t)below(random, 2);
    setup->unchecked_moves = (uint8_t)below(random, 2);
    setup->manual_scoresheet = below(random, 3) == 0;
    setup->attendance = below(random, 5) == 0;
    setup->rules_announced = 1;
    setup->default_given = 1;
    setup->ruled_later = (uint8_t)below(random, 2);
    setup->add_at_zero = (uint8_t)below(random, 2);
    setup->delay_drops_main = below(random, 5) == 0;
    setup->quickplay_announced = 1;
    setup->king_capture_wins = setup->edition == LAWS_FIDE_1997 && setup->pace == LAWS_BLITZ &&
                               setup->unchecked_moves && below(random, 2);
    setup->colors_reversed = below(random, 6) == 0;
    setup->session_ms = below(random, 2) * 3600000;
    setup->accessible =
        (uint8_t)(setup->separate_press && below(random, 3) == 0 ? below(random, 4) : 0);
    setup->default_ms = below(random, 2) * 60000;
    setup->flag_mode = LAWS_FLAGS_BY_EDITION;
    setup->sheet_language[0] = (uint8_t)below(random, 6);
    if (below(random, 8) == 0) {
        const ChessPosition declared = chess960_start((int)below(random, 960));
        laws_setup_declare(setup, &declared);
    }
    if (below(random, 6) == 0)
        (void)!laws_setup_override(setup, JD_STR("illegal_limit"), 1 + below(random, 4), NULL);
    if (below(random, 6) == 0)
        (void)!laws_setup_override(setup, JD_STR("quickplay_reject_bonus_ms"), 0, NULL);
}

void random_game_begin(RandomGame *random, uint64_t seed) {
    jd_zero(random, sizeof *random);
    random->seed = seed;
    LawsSetup setup;
    JdErr err;
    for (;;) {
        jd_zero(&setup, sizeof setup);
        random_start(random, &setup.start);
        setup.edition = (uint8_t)(LAWS_FIDE_1997 + below(random, 5));
        setup.pace = (uint8_t)(LAWS_STANDARD + below(random, 3));
        setup.supervised = (uint8_t)below(random, 2);
        const uint32_t white = below(random, JD_COUNT(controls));
        const uint32_t black = below(random, 4) > 0 ? white : below(random, JD_COUNT(controls));
        JD_ASSERT(laws_control_parse(jd_str(controls[white]), &setup.control[0], NULL));
        JD_ASSERT(laws_control_parse(jd_str(controls[black]), &setup.control[1], NULL));
        if (setup.control[0].period_count > 0)
            setup.control[0].first_increment = (uint8_t)below(random, 2);
        setup.flag_mode = (uint8_t)below(random, 3);
        setup.slow_no_penalty = below(random, 6) == 0;
        setup.fide_strict = below(random, 6) == 0;
        setup.ignore_fen_clock = (uint8_t)below(random, 2);
        setup.identity_exercisable = below(random, 6) == 0;
        setup.offer_gap_moves = (uint8_t)(below(random, 3) * below(random, 4));
        setup.draw_min_moves = (uint16_t)(below(random, 4) == 0 ? below(random, 20) : 0);
        setup.draw_never = below(random, 8) == 0;
        setup.default_ms = below(random, 3) * 1000;
        setup.mating = (uint8_t)below(random, 16);
        if (setup.mating > LAWS_MATING_ASKED)
            setup.mating = LAWS_MATING_BY_MATERIAL;
        if (below(random, 2) == 0)
            random_event_setup(random, &setup);
        if (laws_setup_check(&setup, &err))
            break;
    }
    laws_game_init(&random->game, &setup, random->plies, RANDOM_GAME_PLIES);
    random->log_size = laws_log_open(&setup, random->log);
    random->now_ms = below(random, 5) == 0 ? 0 : INT64_C(1700000000000) + below(random, 1000000);
}

static void pass_time(RandomGame *random) {
    const uint32_t pick = below(random, 100);
    if (pick < 55)
        random->now_ms += below(random, 1500);
    else if (pick < 70)
        random->now_ms += below(random, 12000);
    else if (pick < 71)
        random->now_ms += below(random, 4000000);
    JdInstant deadline;
    // Now and then exactly when the flag falls, or a millisecond before.
    if (pick >= 98 && laws_deadline(&random->game, &deadline) && deadline.ms - 1 > random->now_ms)
        random->now_ms = deadline.ms - (pick == 98);
}

// Moves that come back to where they were are what repetition lives on.
static ChessMove random_move(RandomGame *random) {
    ChessMoveList list;
    const LawsGame *const game = &random->game;
    laws_moves_allowed(game, &list);
    if (list.count == 0)
        return CHESS_NO_MOVE;
    if (game->desk.loose)
        return list.moves[below(random, (uint32_t)list.count)];
    if (game->ply_count >= 2 && below(random, 3) > 0) {
        const ChessMove last = game->plies[game->ply_count - 2].move;
        const ChessMove back =
            (ChessMove)(chess_move_to(last) | (unsigned)chess_move_from(last) << 6);
        if (chess_move_is_legal(&game->position, back))
            return back;
    }
    return list.moves[below(random, (uint32_t)list.count)];
}

// A player's act at the board, often one that fits the moment.
static LawsEvent board_event(RandomGame *random) {
    static const uint8_t kinds[] = {
        LAWS_EVENT_TOUCH,         LAWS_EVENT_TOUCH,    LAWS_EVENT_ADJUST,
        LAWS_EVENT_RELEASE,       LAWS_EVENT_PRESS,    LAWS_EVENT_CLAIM_ILLEGAL,
        LAWS_EVENT_CLAIM_TOUCH,   LAWS_EVENT_RECORD,   LAWS_EVENT_ANNOUNCE,
        LAWS_EVENT_CLAIM_QPF,     LAWS_EVENT_SUMMON,   LAWS_EVENT_TAKE_BACK_AGREED,
        LAWS_EVENT_REPEAT,        LAWS_EVENT_RECORD,   LAWS_EVENT_REQUEST_INCREMENT,
        LAWS_EVENT_CLAIM_SETUP,   LAWS_EVENT_ARRIVE,   LAWS_EVENT_CLAIM_CLOCK_SETTING,
        LAWS_EVENT_ADJOURN_EARLY, LAWS_EVENT_INCIDENT, LAWS_EVENT_VIEW_SHEET,
        LAWS_EVENT_PROMO_TOUCH,   LAWS_EVENT_PRESS,    LAWS_EVENT_CLAIM_FLAG,
    };
    const LawsGame *const game = &random->game;
    LawsEvent event = { .kind = kinds[below(random, JD_COUNT(kinds))],
                        .actor = (uint8_t)below(random, 2) };
    const ChessMove move = game->desk.loose ? CHESS_NO_MOVE : random_move(random);
    event.move = move;
    event.square = (uint8_t)(below(random, 3) > 0 ? chess_move_from(move) : below(random, 64));
    event.code = (uint8_t)below(random, 4);
    if (event.kind == LAWS_EVENT_TOUCH || event.kind == LAWS_EVENT_RELEASE)
        event.actor = game->position.side_to_move;
    if (event.kind == LAWS_EVENT_RELEASE)
        event.square = chess_move_arrival(move);
    if (event.kind == LAWS_EVENT_PROMO_TOUCH) {
        ChessMoveList list;
        laws_moves_allowed(game, &list);
        event.actor = game->position.side_to_move;
        event.square = chess_move_to(move);
        for (int i = 0; i < list.count; i++)
            if (chess_move_promotion(list.moves[i]) != CHESS_NO_KIND)
                event.square = chess_move_to(list.moves[i]);
        event.code = (uint8_t)(2 + below(random, 4));
    }
    if (game->setup.ruled_later && below(random, 6) == 0)
        event.kind = LAWS_EVENT_CLAIM_QPF;
    if (event.kind == LAWS_EVENT_REQUEST_INCREMENT)
        event.actor = game->position.side_to_move;
    if (event.kind == LAWS_EVENT_CLAIM_QPF) {
        event.actor = game->position.side_to_move;
        event.code &= 1;
    }
    if (event.kind == LAWS_EVENT_RECORD)
        event.count = game->ply_count + (below(random, 6) == 0 ? 1 : 0);
    if (event.kind == LAWS_EVENT_ANNOUNCE && game->ply_count > 0 && below(random, 3) > 0)
        event.move = game->plies[game->ply_count - 1].move;
    if (below(random, 12) == 0)
        event.actor = (uint8_t)(LAWS_WHITE_ASSISTANT + below(random, 2));
    event.flag = event.kind == LAWS_EVENT_TOUCH && below(random, 4) == 0;
    return event;
}

static LawsEvent arbiter_event(RandomGame *random) {
    static const uint8_t kinds[] = {
        LAWS_EVENT_ARB_STOP,       LAWS_EVENT_SET_CLOCK,
        LAWS_EVENT_ADD_TIME,       LAWS_EVENT_SUB_TIME,
        LAWS_EVENT_SET_MOVE_COUNT, LAWS_EVENT_RESTORE,
        LAWS_EVENT_WARN,           LAWS_EVENT_RULE_ILLEGAL,
        LAWS_EVENT_POINTS,         LAWS_EVENT_EXPEL,
        LAWS_EVENT_FINE,           LAWS_EVENT_EXCLUDE_ROUNDS,
        LAWS_EVENT_NOTE,           LAWS_EVENT_INCIDENT,
        LAWS_EVENT_CONSENT,        LAWS_EVENT_ASSISTANT,
        LAWS_EVENT_ARB_SEAL,       LAWS_EVENT_WAIVE_DEFAULT,
        LAWS_EVENT_ARRIVE,         LAWS_EVENT_REMOVE_SPECTATOR,
        LAWS_EVENT_FLAG_OBSERVED,  LAWS_EVENT_RULE_TOUCH,
        LAWS_EVENT_RULE_COLORS,    LAWS_EVENT_ARB_QPF,
    };
    LawsEvent event = { .kind = kinds[below(random, JD_COUNT(kinds))],
                        .actor = LAWS_ARBITER_ACTOR,
                        .side = (uint8_t)below(random, 2),
                        .span_ms = below(random, 20000),
                        .code = (uint8_t)below(random, 6),
                        .square = (uint8_t)below(random, 64) };
    if (event.kind == LAWS_EVENT_SUB_TIME && below(random, 3) == 0)
        event.span_ms = 100000000;
    for (uint8_t color = 0; color < 2; color++)
        if (random->game.clock.flag_down[color] && below(random, 2) == 0) {
            event.kind = LAWS_EVENT_FLAG_OBSERVED;
            event.side = color;
        }
    if (event.kind == LAWS_EVENT_RESTORE)
        event.count = below(random, random->game.ply_count + 2);
    else if (event.kind == LAWS_EVENT_SET_MOVE_COUNT)
        event.count = random->game.clock.moves_done[event.side] + below(random, 3);
    if (event.kind == LAWS_EVENT_ASSISTANT)
        event.code = (uint8_t)below(random, 128);
    if (event.kind == LAWS_EVENT_INCIDENT) {
        event.code = (uint8_t)below(random, LAWS_INCIDENT_COUNT);
        event.flag = below(random, 8) == 0;
    }
    if (below(random, 40) == 0) {
        static const uint8_t ends[] = { LAWS_EVENT_ARB_RESULT, LAWS_EVENT_DECLARE_LOST,
                                        LAWS_EVENT_ANNUL };
        event.kind = ends[below(random, 3)];
        event.result[0] = (uint8_t)below(random, 3);
        event.result[1] = (uint8_t)below(random, 3);
        event.code = event.kind == LAWS_EVENT_ARB_RESULT
                         ? (uint8_t)(LAWS_PENALTY + below(random, 3))
                         : (uint8_t)below(random, 3);
    }
    if (event.kind == LAWS_EVENT_WARN || event.kind == LAWS_EVENT_NOTE)
        event.text = JD_STR("noted");
    return event;
}

// What gets a game on that stands, or was adjourned.
static LawsEvent waiting_event(RandomGame *random) {
    const LawsGame *const game = &random->game;
    LawsEvent event = { .actor = LAWS_ARBITER_ACTOR };
    if (game->state == LAWS_STOPPED) {
        static const uint8_t kinds[] = { LAWS_EVENT_RESUME,     LAWS_EVENT_RESUME,
                                         LAWS_EVENT_ARB_QPF,    LAWS_EVENT_RULE_INCREMENT,
                                         LAWS_EVENT_RULE_TOUCH, LAWS_EVENT_RULE_COLORS,
                                         LAWS_EVENT_RESTORE };
        event.kind = kinds[below(random, JD_COUNT(kinds))];
        if (game->desk.stop == LAWS_STOP_REQUEST_INCREMENT && below(random, 2) == 0)
            event.kind = LAWS_EVENT_RULE_INCREMENT;
        if (game->desk.stop == LAWS_STOP_CLAIM_SETUP && below(random, 2) == 0)
            event.kind = LAWS_EVENT_RULE_COLORS;
        event.side = event.kind == LAWS_EVENT_RESUME ? LAWS_BOTH_SIDES : (uint8_t)below(random, 2);
        event.code = (uint8_t)below(random, 5);
        event.flag = (uint8_t)below(random, 2);
        event.square = (uint8_t)below(random, 64);
        event.count = below(random, game->ply_count + 1);
        return event;
    }
    const bool is_reply = game->state == LAWS_RUNNING;
    if (game->state == LAWS_SEALING || is_reply) {
        // A sealed text is sometimes sound, sometimes ambiguous, sometimes nothing.
        event.actor = game->position.side_to_move;
        event.kind = is_reply ? LAWS_EVENT_SEAL_REPLY : LAWS_EVENT_SEAL;
        if (!is_reply && game->desk.sealed && below(random, 2) == 0) {
            event.kind = LAWS_EVENT_STOP_CLOCK;
            return event;
        }
        char *const text = random->text[is_reply];
        for (int i = 0; i < LAWS_NONCE_SIZE; i++)
            text[i] = (char)jd_random(&random->seed);
        char san[CHESS_SAN_SIZE] = "Nxy";
        const ChessMove move = game->desk.loose ? CHESS_NO_MOVE : random_move(random);
        size_t size = 3;
        if (move != CHESS_NO_MOVE && below(random, 8) > 0)
            size = chess_san_write(&game->position, move, san);
        jd_copy(text + LAWS_NONCE_SIZE, san, size);
        random->text_size[is_reply] = (uint8_t)(LAWS_NONCE_SIZE + size);
        laws_sha256(jd_str_n(text, LAWS_NONCE_SIZE + size), random->body);
        event.text = jd_str_n((const char *)random->body, LAWS_COMMITMENT_SIZE + below(random, 20));
        return event;
    }
    static const uint8_t kinds[] = { LAWS_EVENT_RESUME_START,  LAWS_EVENT_OPEN_ENVELOPE,
                                     LAWS_EVENT_OPEN_ENVELOPE, LAWS_EVENT_ARRIVE,
                                     LAWS_EVENT_ARRIVE,        LAWS_EVENT_ENVELOPE_CHECK,
                                     LAWS_EVENT_RULE_SEALED,   LAWS_EVENT_STOP_CLOCK,
                                     LAWS_EVENT_DEFAULT,       LAWS_EVENT_ENVELOPE_LOST };
    event.kind = kinds[below(random, JD_COUNT(kinds))];
    event.side = (uint8_t)below(random, 2);
    event.move = below(random, 2) == 0 && !game->desk.loose ? random_move(random) : CHESS_NO_MOVE;
    if (event.kind == LAWS_EVENT_STOP_CLOCK)
        event.actor = (uint8_t)below(random, 2);
    if (event.kind == LAWS_EVENT_ENVELOPE_LOST && below(random, 4) > 0)
        event.kind = LAWS_EVENT_OPEN_ENVELOPE;
    if (event.kind == LAWS_EVENT_OPEN_ENVELOPE) {
        event.flag = game->desk.reply_sealed;
        event.text = jd_str_n(random->text[event.flag], random->text_size[event.flag]);
    }
    return event;
}

// After the end.
static LawsEvent late_event(RandomGame *random) {
    static const uint8_t kinds[] = { LAWS_EVENT_APPEAL,          LAWS_EVENT_CONFIRM_RESULT,
                                     LAWS_EVENT_OVERRULE_RESULT, LAWS_EVENT_ARB_QPF,
                                     LAWS_EVENT_VERIFY,          LAWS_EVENT_POINTS };
    LawsEvent event = { .kind = kinds[below(random, JD_COUNT(kinds))],
                        .actor = (uint8_t)below(random, 2),
                        .code = (uint8_t)(1 + below(random, 30)),
                        .result = { (uint8_t)below(random, 3), (uint8_t)below(random, 2) } };
    if (random->game.reason == LAWS_QPF_PENDING && below(random, 2) == 0) {
        event.kind = LAWS_EVENT_VERIFY;
        event.actor = (uint8_t)(random->game.desk.claimant ^ 1);
    }
    if (event.kind == LAWS_EVENT_ARB_QPF)
        event.code = (uint8_t)(LAWS_QPF_FINAL_DRAW + below(random, 2));
    if (event.kind != LAWS_EVENT_APPEAL && event.kind != LAWS_EVENT_CONFIRM_RESULT &&
        event.kind != LAWS_EVENT_VERIFY)
        event.actor = LAWS_ARBITER_ACTOR;
    return event;
}

// A house event of slow games, or one that nobody should raise.
static LawsEvent odd_event(RandomGame *random) {
    static const uint8_t kinds[] = { LAWS_EVENT_HOLD, LAWS_EVENT_UNHOLD, LAWS_EVENT_UNHOLD };
    LawsEvent event = { .kind = kinds[below(random, 3)],
                        .actor = LAWS_SERVER,
                        .side = (uint8_t)below(random, 2) };
    if (below(random, 60) == 0)
        event.kind = LAWS_EVENT_BLOCKED;
    if (below(random, 3) == 0) {
        event.kind = (uint8_t)(LAWS_EVENT_ARRIVE + below(random, LAWS_EVENT_KIND_COUNT - 15));
        event.actor = (uint8_t)below(random, 7);
        event.code = (uint8_t)below(random, 256);
        event.square = (uint8_t)below(random, 66);
        event.side = (uint8_t)below(random, 3);
        event.count = below(random, 300);
    }
    return event;
}

// What somebody found out about the position, or about one long gone.
static LawsEvent verdict_event(RandomGame *random) {
    return (LawsEvent) { .kind = LAWS_EVENT_VERDICT,
                         .actor = LAWS_SERVER,
                         .code = (uint8_t)(below(random, 8) == 0 ? below(random, 20)
                                                                 : below(random, 4)),
                         .count = random->game.ply_count - (below(random, 8) == 0) };
}

LawsEvent random_game_event(RandomGame *random) {
    pass_time(random);
    const LawsGame *const game = &random->game;
    const uint32_t act = below(random, 100);
    const bool at_board = game->setup.separate_press || game->setup.touch_move ||
                          game->setup.unchecked_moves || game->setup.arbiter_present;
    if (game->state >= LAWS_ENDED && act < 60)
        return late_event(random);
    if (game->state >= LAWS_STOPPED && game->state <= LAWS_ADJOURNED && act < 70)
        return waiting_event(random);
    if (game->state == LAWS_RUNNING && game->desk.is_resumed && act < 5)
        return waiting_event(random);
    if (at_board && game->state == LAWS_RUNNING && game->setup.separate_press && act >= 70) {
        LawsEvent press = { .kind = LAWS_EVENT_PRESS };
        press.actor = game->desk.due[0] ? LAWS_WHITE : LAWS_BLACK;
        if (game->desk.due[0] || game->desk.due[1])
            return press;
    }
    if (at_board && act < 16)
        return board_event(random);
    if (at_board && act < 20 && game->setup.arbiter_present)
        return arbiter_event(random);
    if (act == 20)
        return odd_event(random);
    if (game->setup.mating != 0 && act == 21 && below(random, 8) == 0)
        return verdict_event(random);
    if (game->desk.stop == LAWS_STOP_VERDICT && act < 40)
        return verdict_event(random);
    LawsEvent event = { .kind = LAWS_EVENT_MOVE, .actor = random->game.position.side_to_move };
    const uint32_t pick = below(random, 1000);
    if (random->game.state == LAWS_SCHEDULED && pick < 900) {
        event = (LawsEvent) { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER };
    } else if (pick < 850) {
        event.move = random->game.bound_move != CHESS_NO_MOVE && pick < 700
                         ? random->game.bound_move
                         : random_move(random);
        event.offer = pick < 30;
        event.span_ms = below(random, 4) == 0 ? below(random, 500) : 0;
    } else if (pick < 870) {
        event.move = (ChessMove)jd_random(&random->seed);
        if (random->game.setup.unchecked_moves && below(random, 2) == 0)
            event.move = (ChessMove)(chess_move_from(random_move(random)) | below(random, 64) << 6);
    } else {
        static const uint8_t kinds[] = {
            LAWS_EVENT_START,      LAWS_EVENT_OFFER,     LAWS_EVENT_ACCEPT,
            LAWS_EVENT_DECLINE,    LAWS_EVENT_CLAIM_REP, LAWS_EVENT_CLAIM_50,
            LAWS_EVENT_CLAIM_FLAG, LAWS_EVENT_TICK,      LAWS_EVENT_INTERRUPTION,
            LAWS_EVENT_CLAIM_DRAW, LAWS_EVENT_OFFER,     LAWS_EVENT_CLAIM_REP,
            LAWS_EVENT_TICK,       LAWS_EVENT_DEFAULT,
        };
        event.kind = kinds[below(random, JD_COUNT(kinds))];
        event.actor = (uint8_t)below(random, 4);
        if (below(random, 3) == 0)
            event.move = random_move(random);
        event.side = (uint8_t)below(random, 2);
        if (event.kind == LAWS_EVENT_INTERRUPTION)
            event.span_ms = below(random, 3000);
        if (below(random, 40) == 0)
            event.kind = (uint8_t)below(random, 20); // ends, house events, unknown kinds
    }
    return event;
}

LawsVerdict random_game_apply(RandomGame *random, const LawsEvent *event) {
    const JdInstant now = { .ms = random->now_ms };
    const LawsVerdict verdict = laws_apply(&random->game, event, now);
    LawsEvent tick = { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER };
    LawsEvent given = *event;
    LawsEvent *logged = NULL;
    if (verdict.refusal != LAWS_NOT_REFUSED && verdict.changed)
        logged = &tick;
    else if (verdict.refusal == LAWS_NOT_REFUSED &&
             (event->kind != LAWS_EVENT_TICK || verdict.changed))
        logged = &given;
    if (logged == NULL)
        return verdict;
    laws_event_settle(logged, &verdict);
    random->log_size += laws_log_event(logged, now, random->log + random->log_size);
    return verdict;
}

void random_game_play(RandomGame *random, uint64_t seed) {
    random_game_begin(random, seed);
    for (int i = 0; i < RANDOM_GAME_EVENTS && random->game.state < LAWS_ENDED; i++) {
        const LawsEvent event = random_game_event(random);
        (void)random_game_apply(random, &event);
    }
}
