// SPDX-License-Identifier: GPL-3.0-or-later
#include "play/play.h"

// ---- setup --------------------------------------------------------------------------------------

void play_setup_init(PlaySetup *setup) {
    jd_zero(setup, sizeof(*setup));
    setup->start = chess_position_start();
    setup->edition = LAWS_FIDE_2023;
}

bool play_setup_clock(PlaySetup *setup, const uint32_t minutes[2], uint32_t increment_s,
                      uint32_t delay_s, JdErr *err) {
    const bool none = minutes[0] == 0 && minutes[1] == 0;
    for (int side = 0; side < 2; side++)
        if (minutes[side] > PLAY_MINUTES_MAX || (!none && minutes[side] == 0))
            return jd_fail_field(err, 1, "time", 0, "expected 1 to %d minutes for each side",
                                 PLAY_MINUTES_MAX);
    if (increment_s > PLAY_SECONDS_MAX)
        return jd_fail_field(err, 1, "increment", 0, "expected 1 to %d seconds", PLAY_SECONDS_MAX);
    if (delay_s > PLAY_SECONDS_MAX)
        return jd_fail_field(err, 1, "delay", 0, "expected 1 to %d seconds", PLAY_SECONDS_MAX);
    if (increment_s > 0 && delay_s > 0)
        return jd_fail_field(err, 1, "delay", 0, "expected an increment or a delay, not both");
    if (none && (increment_s > 0 || delay_s > 0))
        return jd_fail_field(err, 1, "time", 0, "an increment or a delay needs a clock");
    for (int side = 0; side < 2; side++) {
        LawsControl *control = &setup->control[side];
        jd_zero(control, sizeof(*control));
        if (none)
            continue;
        control->period_count = 1;
        control->periods[0].time_ms = (int64_t)minutes[side] * 60000;
        control->periods[0].increment_ms = (int64_t)increment_s * 1000;
        control->periods[0].delay_ms = (int64_t)delay_s * 1000;
        control->periods[0].delay_kind = delay_s > 0 ? LAWS_SIMPLE_DELAY : LAWS_NO_DELAY;
    }
    return true;
}

bool play_setup_move_limit(PlaySetup *setup, const uint32_t seconds[2], JdErr *err) {
    for (int side = 0; side < 2; side++)
        if (seconds[side] < 1 || seconds[side] > PLAY_MOVE_SECONDS_MAX)
            return jd_fail_field(err, 1, "time", 0, "expected 1 to %d seconds for each move",
                                 PLAY_MOVE_SECONDS_MAX);
    for (int side = 0; side < 2; side++) {
        jd_zero(&setup->control[side], sizeof(setup->control[side]));
        setup->control[side].move_ms = (int64_t)seconds[side] * 1000;
    }
    return true;
}

bool play_setup_has_clock(const PlaySetup *setup) {
    return setup->control[0].period_count > 0 || setup->control[0].move_ms > 0;
}

static void laws_setup(const PlaySetup *setup, LawsSetup *out) {
    jd_zero(out, sizeof(*out));
    out->start = setup->start;
    out->edition = setup->edition;
    out->control[0] = setup->control[0];
    out->control[1] = setup->control[1];
    out->pace = LAWS_STANDARD;
    if (play_setup_has_clock(setup)) {
        const LawsEdition edition = (LawsEdition)setup->edition;
        const LawsPace white = laws_control_pace(edition, &setup->control[0]);
        const LawsPace black = laws_control_pace(edition, &setup->control[1]);
        out->pace = (uint8_t)(white < black ? white : black); // odds: of whoever has more time
    }
    out->supervised = 1;
    // Moves are taken back as an arbiter restores a position.
    out->arbiter_present = 1;
    out->slow_no_penalty = 1;
    out->rules_announced = 1; // the program watches
    out->mating = LAWS_MATING_EXACT;
}

// ---- opening and asking -------------------------------------------------------------------------

bool play_setup_check(const PlaySetup *setup, JdErr *err) {
    LawsSetup laws;
    laws_setup(setup, &laws);
    return laws_setup_check(&laws, err);
}

bool play_begin(PlayGame *game, const PlaySetup *setup, const PlayMeans *means, JdInstant now,
                JdErr *err) {
    LawsSetup laws;
    laws_setup(setup, &laws);
    if (!laws_setup_check(&laws, err))
        return false;
    const PlaySetup kept = *setup; // may be that of the game itself
    jd_zero(game, sizeof(*game));
    game->setup = kept;
    game->begun_ms = now.ms;
    game->means = *means;
    game->plies = means->plies;
    game->clocks = means->clocks;
    laws_game_init(&game->laws, &laws, game->plies, CHESS_GAME_PLIES_MAX);
    const LawsEvent start = { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER };
    const LawsVerdict verdict = play_apply(game, &start, now);
    JD_ASSERT(verdict.refusal == LAWS_NOT_REFUSED);
    return true;
}

bool play_is_over(const PlayGame *game) {
    return game->laws.state == LAWS_ENDED || game->laws.state == LAWS_ANNULLED;
}

uint8_t play_level_to_move(const PlayGame *game) {
    return game->laws.state == LAWS_RUNNING ? game->setup.level[game->laws.position.side_to_move]
                                            : 0;
}

int64_t play_reading(const PlayGame *game, ChessColor color, JdInstant now) {
    // A game that is over shows the clocks as its record has them; a file's may end it.
    if (play_is_over(game) && game->laws.reason != LAWS_FLAG && game->laws.reason != LAWS_FLAG_DRAW)
        for (uint32_t i = game->laws.ply_count; i-- > 0;)
            if (((game->setup.start.side_to_move + i) & 1) == (uint32_t)color)
                return game->clocks[i] >= 0 ? game->clocks[i] : 0;
    return laws_clock_reading(&game->laws, color, now);
}

// ---- events -------------------------------------------------------------------------------------

static uint8_t mating_bits(PlayGame *game, const LawsQuestion *question) {
    unsigned bits = 0;
    for (int side = 0; side < 2; side++) {
        if (question->winner != LAWS_BOTH_SIDES && question->winner != side)
            continue;
        const DeadVerdict found =
            game->means.can_mate(game->means.context, &question->position, (ChessColor)side);
        if (found == DEAD_IMPOSSIBLE)
            bits |= (unsigned)LAWS_MATING_NOT_WHITE << side;
        else if (found == DEAD_UNKNOWN)
            bits |= (unsigned)LAWS_MATING_OPEN_WHITE << side;
        else if (question->winner == LAWS_BOTH_SIDES)
            break; // one can mate: the position is not dead
    }
    return (uint8_t)bits;
}

static LawsVerdict settle(PlayGame *game, LawsVerdict verdict, JdInstant now) {
    LawsQuestion question;
    const bool waits =
        game->laws.state == LAWS_STOPPED && game->laws.desk.stop == LAWS_STOP_VERDICT;
    if ((!verdict.is_open && !waits) || !laws_question(&game->laws, &question))
        return verdict;
    const LawsEvent event = { .kind = LAWS_EVENT_VERDICT,
                              .actor = LAWS_SERVER,
                              .count = question.ply,
                              .code = mating_bits(game, &question) };
    const LawsVerdict settled = laws_apply(&game->laws, &event, now);
    return settled.refusal == LAWS_NOT_REFUSED ? settled : verdict; // refused: the game goes on
}

LawsVerdict play_apply(PlayGame *game, const LawsEvent *event, JdInstant now) {
    if (now.ms < game->laws.now_ms)
        now.ms = game->laws.now_ms; // the clock of the machine was set back
    const bool was_over = play_is_over(game);
    const LawsVerdict verdict = settle(game, laws_apply(&game->laws, event, now), now);
    if (!play_is_over(game))
        game->article[0] = '\0';
    else if (!was_over)
        jd_copy(game->article, verdict.article, sizeof(game->article));
    return verdict;
}

LawsVerdict play_move(PlayGame *game, ChessMove move, bool offers_draw, JdInstant now) {
    const uint8_t mover = game->laws.position.side_to_move;
    const uint32_t before = game->laws.ply_count;
    const LawsEvent event = {
        .kind = LAWS_EVENT_MOVE, .actor = mover, .move = move, .offer = offers_draw
    };
    const LawsVerdict verdict = play_apply(game, &event, now);
    if (game->laws.ply_count > before)
        game->clocks[before] =
            play_setup_has_clock(&game->setup) ? game->plies[before].clock_ms : -1;
    return verdict;
}

bool play_tick(PlayGame *game, JdInstant now) {
    JdInstant due;
    if (!laws_deadline(&game->laws, &due) || now.ms < due.ms)
        return false;
    const LawsEvent event = { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER };
    (void)play_apply(game, &event, now);
    return play_is_over(game);
}

bool play_claim_flag(PlayGame *game, ChessColor claimant, JdInstant now) {
    if (game->laws.state != LAWS_RUNNING || !play_setup_has_clock(&game->setup) ||
        laws_clock_reading(&game->laws, chess_other(claimant), now) > 0)
        return play_tick(game, now);
    const LawsEvent event = { .kind = LAWS_EVENT_CLAIM_FLAG, .actor = (uint8_t)claimant };
    (void)play_apply(game, &event, now);
    return play_is_over(game);
}

// ---- claims -------------------------------------------------------------------------------------

PlayClaim play_claim(PlayGame *game, ChessMove intended, JdInstant now) {
    LawsGame *laws = &game->laws;
    LawsRules space;
    const LawsRules *rules = laws_game_rules(laws, &space);
    PlayClaim claim = { .repetitions = laws_repetition_count(laws, intended),
                        .moves = laws->position.halfmove_clock / 2,
                        .is_right = laws_claim_is_right(laws, intended) };
    if (!claim.is_right)
        return claim;
    const LawsEvent event = { .kind = claim.repetitions >= rules->claim_repetitions
                                          ? LAWS_EVENT_CLAIM_REP
                                          : LAWS_EVENT_CLAIM_50,
                              .actor = laws->position.side_to_move,
                              .move = intended };
    claim.verdict = play_apply(game, &event, now);
    return claim;
}

// ---- moves taken back ---------------------------------------------------------------------------

static bool arbiter(PlayGame *game, LawsEvent event, JdInstant now) {
    event.actor = LAWS_ARBITER_ACTOR;
    return play_apply(game, &event, now).refusal == LAWS_NOT_REFUSED;
}

static bool set_clocks(PlayGame *game, const int64_t left_ms[2], JdInstant now) {
    bool ok = true;
    for (int side = 0; ok && side < 2 && play_setup_has_clock(&game->setup); side++)
        ok = arbiter(game,
                     (LawsEvent) { .kind = LAWS_EVENT_SET_CLOCK,
                                   .side = (uint8_t)side,
                                   .span_ms = left_ms[side] },
                     now);
    return ok;
}

PlayUndo play_go_back(PlayGame *game, uint32_t stays, JdInstant now) {
    (void)play_tick(game, now);
    if (play_is_over(game))
        return PLAY_UNDO_OVER;
    if (game->laws.state != LAWS_RUNNING)
        return PLAY_UNDO_PAUSED;
    if (game->setup.no_undo && play_setup_has_clock(&game->setup))
        return PLAY_UNDO_OFF;
    if (stays >= game->laws.ply_count)
        return PLAY_UNDO_NOTHING;
    int64_t left_ms[2];
    for (int side = 0; side < 2; side++)
        left_ms[side] = laws_clock_reading(&game->laws, (ChessColor)side, now);
    const bool ok =
        arbiter(game, (LawsEvent) { .kind = LAWS_EVENT_ARB_STOP }, now) &&
        arbiter(game, (LawsEvent) { .kind = LAWS_EVENT_RESTORE, .count = stays }, now) &&
        set_clocks(game, left_ms, now) && play_resume(game, now);
    JD_ASSERT(ok);
    return PLAY_UNDONE;
}

PlayUndo play_undo(PlayGame *game, JdInstant now) {
    const uint8_t *level = game->setup.level;
    const bool any_person = level[0] == 0 || level[1] == 0;
    for (uint32_t stays = game->laws.ply_count; stays-- > 0;)
        if (!any_person || level[(game->setup.start.side_to_move + stays) & 1] == 0)
            return play_go_back(game, stays, now);
    return play_is_over(game) ? PLAY_UNDO_OVER : PLAY_UNDO_NOTHING;
}

bool play_pause(PlayGame *game, JdInstant now) {
    (void)play_tick(game, now);
    return game->laws.state == LAWS_RUNNING &&
           arbiter(game, (LawsEvent) { .kind = LAWS_EVENT_ARB_STOP }, now);
}

bool play_resume(PlayGame *game, JdInstant now) {
    return game->laws.state == LAWS_STOPPED &&
           arbiter(game, (LawsEvent) { .kind = LAWS_EVENT_RESUME, .side = LAWS_BOTH_SIDES }, now);
}

// ---- games from files ---------------------------------------------------------------------------

uint32_t play_refill(PlayGame *game, const ChessMove *moves, const int64_t *clocks, uint32_t count,
                     JdInstant now) {
    int64_t left_ms[2];
    for (int side = 0; side < 2; side++)
        left_ms[side] = laws_clock_reading(&game->laws, (ChessColor)side, now);
    uint32_t taken = 0;
    for (; taken < count && game->laws.state == LAWS_RUNNING; taken++) {
        const uint8_t mover = game->laws.position.side_to_move;
        if (play_move(game, moves[taken], false, now).refusal != LAWS_NOT_REFUSED)
            break;
        game->clocks[taken] = clocks[taken];
        left_ms[mover] =
            clocks[taken] >= 0 ? clocks[taken] : laws_clock_reading(&game->laws, mover, now);
    }
    if (game->laws.state == LAWS_RUNNING && play_setup_has_clock(&game->setup) &&
        play_pause(game, now)) {
        const bool ok = set_clocks(game, left_ms, now) && play_resume(game, now);
        JD_ASSERT(ok);
    }
    return taken;
}

void play_set_result(PlayGame *game, const uint8_t result[2], LawsReason reason, JdInstant now) {
    const LawsReason reasons[2] = { reason, LAWS_ARBITER };
    for (int i = 0; i < 2 && !play_is_over(game); i++)
        (void)arbiter(game,
                      (LawsEvent) { .kind = LAWS_EVENT_ARB_RESULT,
                                    .result = { result[0], result[1] },
                                    .code = (uint8_t)reasons[i] },
                      now);
}

ChessPosition play_position_at(const PlayGame *game, uint32_t plies) {
    ChessPosition pos = game->setup.start;
    for (uint32_t i = 0; i < plies && i < game->laws.ply_count; i++)
        chess_move_make(&pos, game->plies[i].move, NULL);
    return pos;
}
