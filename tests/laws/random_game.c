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
    chess_moves_generate(&random->game.position, &list);
    if (list.count == 0)
        return CHESS_NO_MOVE;
    const LawsGame *const game = &random->game;
    if (game->ply_count >= 2 && below(random, 3) > 0) {
        const ChessMove last = game->plies[game->ply_count - 2].move;
        const ChessMove back =
            (ChessMove)(chess_move_to(last) | (unsigned)chess_move_from(last) << 6);
        if (chess_move_is_legal(&game->position, back))
            return back;
    }
    return list.moves[below(random, (uint32_t)list.count)];
}

LawsEvent random_game_event(RandomGame *random) {
    pass_time(random);
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
    const LawsEvent tick = { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER };
    const LawsEvent *logged = NULL;
    if (verdict.refusal != LAWS_NOT_REFUSED && verdict.changed)
        logged = &tick;
    else if (verdict.refusal == LAWS_NOT_REFUSED &&
             (event->kind != LAWS_EVENT_TICK || verdict.changed))
        logged = event;
    if (logged != NULL)
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
