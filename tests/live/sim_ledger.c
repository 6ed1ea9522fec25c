// SPDX-License-Identifier: GPL-3.0-or-later
//
// The truth of the simulation. Games are folded here by the Laws alone, without the code of live;
// clocks are counted a second time from the instants of the moves and the true outages.
#include "sim.h"

#include <jadoube/pgn.h>

// ---- finding ------------------------------------------------------------------------------------

static size_t slot_of(const Ledger *ledger, const LiveId *id) {
    size_t at = (size_t)jd_hash(JD_HASH_START, id->text, LIVE_ID_CHARS) & (ledger->slot_count - 1);
    for (;; at = (at + 1) & (ledger->slot_count - 1)) {
        const int32_t index = ledger->slots[at];
        if (index == 0)
            return at;
        const LiveId *found =
            index > 0 ? &ledger->games[index - 1]->id : &ledger->challenges[-index - 1].id;
        if (live_id_equal(found, id))
            return at;
    }
}

static void put_slot(Ledger *ledger, const LiveId *id, int32_t index) {
    if ((ledger->game_count + ledger->challenge_count) * 2 >= ledger->slot_count) {
        Ledger old = *ledger;
        ledger->slot_count = old.slot_count == 0 ? 1024 : old.slot_count * 2;
        ledger->slots = calloc(ledger->slot_count, sizeof(*ledger->slots));
        for (size_t i = 0; i < old.slot_count; i++) {
            const int32_t moved = old.slots[i];
            if (moved != 0)
                ledger->slots[slot_of(ledger, moved > 0 ? &ledger->games[moved - 1]->id
                                                        : &ledger->challenges[-moved - 1].id)] =
                    moved;
        }
        free(old.slots);
    }
    ledger->slots[slot_of(ledger, id)] = index;
}

static int32_t index_of(const Sim *sim, const LiveId *id) {
    const Ledger *ledger = &sim->ledger;
    return ledger->slot_count == 0 ? 0 : ledger->slots[slot_of(ledger, id)];
}

LedgerGame *ledger_game(const Sim *sim, const LiveId *id) {
    const int32_t index = index_of(sim, id);
    return index > 0 ? sim->ledger.games[index - 1] : NULL;
}

LedgerChallenge *ledger_challenge(const Sim *sim, const LiveId *id) {
    const int32_t index = index_of(sim, id);
    return index < 0 ? &sim->ledger.challenges[-index - 1] : NULL;
}

// ---- clocks, counted again ----------------------------------------------------------------------

void ledger_outage(Sim *sim, int64_t from_ms, int64_t to_ms, int64_t slack_ms) {
    Ledger *ledger = &sim->ledger;
    ledger->outages = realloc(ledger->outages, (ledger->outage_count + 1) * sizeof(Outage));
    ledger->outages[ledger->outage_count++] = (Outage) { from_ms, to_ms, slack_ms };
}

// How much of a span the server was down, and how much of that it may have charged.
static int64_t down_within(const Sim *sim, int64_t from_ms, int64_t to_ms, int64_t *slack_ms) {
    int64_t sum = 0;
    *slack_ms = 0;
    for (size_t i = sim->ledger.outage_count; i-- > 0;) {
        const Outage *outage = &sim->ledger.outages[i];
        const int64_t begin = outage->from_ms > from_ms ? outage->from_ms : from_ms;
        const int64_t end = outage->to_ms < to_ms ? outage->to_ms : to_ms;
        if (end > begin) {
            sum += end - begin;
            *slack_ms += outage->slack_ms;
        }
    }
    return sum;
}

static const LawsPeriod *period_of(const LawsGame *laws, int side) {
    return &laws->setup.control[side].periods[laws->clock.period[side]];
}

// The turn that ends at at_ms: the reading may not be above what the time really used leaves, nor
// below it by more than the slack of the outages. `left` is the reading without increment, credit
// and a new period's time.
static void check_turn(Sim *sim, const LedgerGame *game, int64_t at_ms, int64_t left_ms,
                       int64_t delay_ms, int64_t credit_ms) {
    int64_t slack_ms;
    const int64_t down_ms = down_within(sim, game->turn_start_ms, at_ms, &slack_ms);
    const int64_t used_ms = at_ms - game->turn_start_ms - down_ms - game->held_ms;
    const int64_t most_used = used_ms + slack_ms > delay_ms ? used_ms + slack_ms - delay_ms : 0;
    const int64_t least_used = used_ms > delay_ms ? used_ms - delay_ms : 0;
    if (left_ms > game->turn_reading_ms - least_used + credit_ms)
        SIM_FAIL(sim, "game %s: a clock was given %lld ms", game->id.text,
                 (long long)(left_ms - (game->turn_reading_ms - least_used + credit_ms)));
    if (left_ms < game->turn_reading_ms - most_used)
        SIM_FAIL(sim, "game %s: a clock lost %lld ms", game->id.text,
                 (long long)(game->turn_reading_ms - most_used - left_ms));
}

static void check_clock(Sim *sim, const LedgerGame *game, const LawsGame *before,
                        const LawsEvent *event, int64_t at_ms) {
    const LawsGame *laws = &game->laws;
    // Past a flag that nobody claims the clock shows 0, whatever was used.
    if (event->kind == LAWS_EVENT_CLAIM_FLAG ||
        (event->kind == LAWS_EVENT_MOVE &&
         (before->clock.flag_down[event->actor] || laws->clock.flag_down[event->actor])))
        return;
    if (event->kind == LAWS_EVENT_MOVE && !game->slow) {
        const LawsPeriod *period = period_of(before, event->actor);
        int64_t left = laws->plies[laws->ply_count - 1].clock_ms - period->increment_ms;
        if (laws->clock.period[event->actor] != before->clock.period[event->actor])
            left -= period_of(laws, event->actor)->time_ms;
        check_turn(sim, game, at_ms, left, period->delay_ms, LAWS_CREDIT_MOVE_MS);
    } else if (event->kind == LAWS_EVENT_TICK &&
               (laws->reason == LAWS_FLAG || laws->reason == LAWS_FLAG_DRAW ||
                laws->desk.verdict_reason == LAWS_FLAG)) {
        const int side = before->position.side_to_move;
        const int64_t fell_ms = laws->desk.verdict_winner ? laws->desk.verdict_ms : laws->ended_ms;
        check_turn(sim, game, fell_ms, 0, game->slow ? 0 : period_of(before, side)->delay_ms, 0);
    }
}

// between HOLD and UNHOLD his clock stands.
static void note_hold(Sim *sim, LedgerGame *game, const LawsEvent *event, int64_t at_ms) {
    const int side = event->side;
    if (event->kind == LAWS_EVENT_HOLD)
        game->hold_from_ms[side] = at_ms;
    if (event->kind != LAWS_EVENT_UNHOLD)
        return;
    const int64_t from_ms = game->hold_from_ms[side] > game->turn_start_ms
                                ? game->hold_from_ms[side]
                                : game->turn_start_ms;
    int64_t slack_ms;
    if (game->laws.position.side_to_move == side)
        game->held_ms += at_ms - from_ms - down_within(sim, from_ms, at_ms, &slack_ms);
    game->hold_from_ms[side] = 0;
}

static void note_turn(LedgerGame *game, const LawsGame *before, const LawsEvent *event,
                      int64_t at_ms) {
    // 1997, 2005: a wrong claim cuts the claimant's own time (Article 9.5).
    if (event->kind == LAWS_EVENT_CLAIM_DRAW) {
        const ChessColor claimant = (ChessColor)event->actor;
        game->turn_reading_ms -= laws_clock_reading(before, claimant, (JdInstant) { at_ms }) -
                                 laws_clock_reading(&game->laws, claimant, (JdInstant) { at_ms });
    }
    if (event->kind != LAWS_EVENT_MOVE && event->kind != LAWS_EVENT_START)
        return;
    game->turn_start_ms = at_ms;
    game->held_ms = 0;
    game->turn_reading_ms = laws_clock_reading(
        &game->laws, (ChessColor)game->laws.position.side_to_move, (JdInstant) { at_ms });
}

// ---- games --------------------------------------------------------------------------------------

static void append(LedgerGame *game, const LiveLogEvent *event) {
    if (game->count == game->capacity) {
        game->capacity = game->capacity == 0 ? 32 : game->capacity * 2;
        game->log = realloc(game->log, game->capacity * sizeof(*game->log));
    }
    unsigned char *body = malloc(event->body_size + 1);
    if (event->body_size > 0)
        memcpy(body, event->body, event->body_size);
    game->log[game->count] = *event;
    game->log[game->count++].body = body;
}

// The setup as the site promises it, not as live wrote it.
static void init_laws(Sim *sim, LedgerGame *game) {
    void *memory = aligned_alloc(16, (live_game_decode_size(1) + 15) / 16 * 16);
    JdArena arena = jd_arena(memory, live_game_decode_size(1));
    LiveGameView view;
    JdErr err = { 0 };
    if (!live_game_decode(game->log, 1, game->log[0].at, &arena, &view, &err))
        SIM_FAIL(sim, "%s", err.text);
    LawsSetup setup = { .start = chess_position_start(),
                        .edition = view.row.edition,
                        .touch_move = view.row.touch,
                        .supervised = 1,
                        .offer_gap_moves = LIVE_OFFER_GAP_MOVES };
    SIM_CHECK(sim, live_control_to_laws(&view.row.control, &setup.control[0], &err));
    setup.control[1] = setup.control[0];
    setup.pace = (uint8_t)laws_control_pace((LawsEdition)setup.edition, &setup.control[0]);
    game->slow = laws_control_is_slow(&setup.control[0]);
    setup.slow_no_penalty = game->slow;
    setup.mating = game->mating;
    // claims are the law in rapid and blitz of 1997 and 2005; elsewhere somebody chose them.
    const bool claims_are_law = setup.edition <= LAWS_FIDE_2005 && setup.pace != LAWS_STANDARD;
    SIM_CHECK(sim, !claims_are_law || view.row.flag == LIVE_FLAG_CLAIM);
    if (view.row.flag == LIVE_FLAG_CLAIM && !claims_are_law) {
        SIM_CHECK(sim, !view.row.rated && !game->slow);
        setup.flag_mode = LAWS_FLAGS_CLAIMED;
    }
    laws_game_init(&game->laws, &setup, game->plies, SIM_PLIES_MAX + 1);
    game->held_ms = 0;
    game->hold_from_ms[0] = game->hold_from_ms[1] = 0;
    game->players[0] = view.row.seats[0].account;
    game->players[1] = view.row.seats[1].account;
    free(memory);
}

static void apply(Sim *sim, LedgerGame *game, const LiveLogEvent *entry) {
    LawsEvent event;
    JdErr err = { 0 };
    if (!laws_event_read(entry->kind, entry->actor, entry->body, entry->body_size, &event, &err))
        SIM_FAIL(sim, "%s", err.text);
    const LawsGame before = game->laws;
    const LawsVerdict verdict = laws_apply(&game->laws, &event, entry->at);
    if (verdict.refusal != LAWS_NOT_REFUSED)
        SIM_FAIL(sim, "game %s: the Laws refuse entry %u: %s", game->id.text, entry->seq,
                 laws_refusal_name((LawsRefusal)verdict.refusal));
    check_clock(sim, game, &before, &event, entry->at.ms);
    note_hold(sim, game, &event, entry->at.ms);
    note_turn(game, &before, &event, entry->at.ms);
}

static void issue_game_event(Sim *sim, const LiveLogEvent *event) {
    Ledger *ledger = &sim->ledger;
    LedgerGame *game = ledger_game(sim, &event->id);
    if (event->kind == LIVE_EVENT_GAME_CREATED) {
        SIM_CHECK(sim, game == NULL && event->seq == 1);
        game = calloc(1, sizeof(*game));
        game->id = event->id;
        ledger->games = realloc(ledger->games, (ledger->game_count + 1) * sizeof(*ledger->games));
        ledger->games[ledger->game_count++] = game;
        put_slot(ledger, &event->id, (int32_t)ledger->game_count);
        append(game, event);
        game->mating = sim->server.asks ? LAWS_MATING_ASKED : LAWS_MATING_EXACT;
        init_laws(sim, game);
        return;
    }
    SIM_CHECK(sim, game != NULL && event->seq == game->count + 1);
    append(game, event);
    if (event->kind != LIVE_EVENT_VACATION)
        apply(sim, game, event);
}

// ---- challenges ---------------------------------------------------------------------------------

static void issue_challenge_event(Sim *sim, const LiveLogEvent *event) {
    Ledger *ledger = &sim->ledger;
    if (event->kind == LIVE_EVENT_CHALLENGE_CREATED) {
        SIM_CHECK(sim, index_of(sim, &event->id) == 0 && event->seq == 1);
        ledger->challenges = realloc(ledger->challenges,
                                     (ledger->challenge_count + 1) * sizeof(*ledger->challenges));
        ledger->challenges[ledger->challenge_count++] = (LedgerChallenge) { .id = event->id };
        put_slot(ledger, &event->id, -(int32_t)ledger->challenge_count);
    }
    LedgerChallenge *challenge = ledger_challenge(sim, &event->id);
    SIM_CHECK(sim, challenge != NULL && event->seq == challenge->count + 1);
    SIM_CHECK(sim, !challenge->closed); // a seat is won once, and nothing comes after
    challenge->count++;
    challenge->closed = event->kind != LIVE_EVENT_CHALLENGE_CREATED;
}

// ---- what happens to the log --------------------------------------------------------------------

void ledger_issue(Sim *sim, const LiveLogEvent *event) {
    if (event->kind <= LIVE_EVENT_GAME_CREATED || event->kind == LIVE_EVENT_VACATION)
        issue_game_event(sim, event);
    else
        issue_challenge_event(sim, event);
}

void ledger_durable(Sim *sim, const LiveLogEvent *event) {
    log_append(&sim->ledger.durable, event);
    LedgerChallenge *challenge = ledger_challenge(sim, &event->id);
    if (challenge != NULL) {
        challenge->durable++;
        challenge->durable_closed = challenge->durable > 1;
        return;
    }
    LedgerGame *game = ledger_game(sim, &event->id);
    SIM_CHECK(sim, game != NULL && event->seq == game->durable + 1);
    game->durable++;
    game->asleep = false;
    if (event->kind == LAWS_EVENT_MOVE) {
        game->durable_plies++;
        sim->ledger.moves++;
    }
    if (game->durable == game->count &&
        (game->laws.state == LAWS_ENDED || game->laws.state == LAWS_ANNULLED)) {
        game->durable_end = true;
        sim->ledger.ended++;
        sim->ledger.reasons[game->laws.reason]++;
    }
}

// Forgets the tail of a game and folds what is left.
static void cut_game(Sim *sim, LedgerGame *game) {
    if (game->count == game->durable)
        return;
    while (game->count > game->durable)
        free((void *)(uintptr_t)game->log[--game->count].body);
    if (game->count == 0)
        return;
    init_laws(sim, game);
    for (size_t i = 1; i < game->count; i++)
        if (game->log[i].kind != LIVE_EVENT_VACATION)
            apply(sim, game, &game->log[i]);
}

void ledger_crash(Sim *sim) {
    Ledger *ledger = &sim->ledger;
    size_t kept = 0;
    for (size_t i = 0; i < ledger->game_count; i++) {
        LedgerGame *game = ledger->games[i];
        cut_game(sim, game);
        game->follow_count = 0;
        if (game->count > 0) {
            ledger->games[kept++] = game;
            continue;
        }
        free(game->log);
        free(game->follows);
        free(game);
    }
    ledger->game_count = kept;
    kept = 0;
    for (size_t i = 0; i < ledger->challenge_count; i++) {
        LedgerChallenge challenge = ledger->challenges[i];
        challenge.count = challenge.durable;
        challenge.closed = challenge.durable_closed;
        if (challenge.count > 0)
            ledger->challenges[kept++] = challenge;
    }
    ledger->challenge_count = kept;
    memset(ledger->slots, 0, ledger->slot_count * sizeof(*ledger->slots));
    for (size_t i = 0; i < ledger->game_count; i++)
        ledger->slots[slot_of(ledger, &ledger->games[i]->id)] = (int32_t)i + 1;
    for (size_t i = 0; i < ledger->challenge_count; i++)
        ledger->slots[slot_of(ledger, &ledger->challenges[i].id)] = -(int32_t)i - 1;
}

// ---- comparing ----------------------------------------------------------------------------------

void ledger_check_all(Sim *sim) {
    for (size_t i = 0; i < sim->ledger.game_count; i++) {
        const LedgerGame *game = sim->ledger.games[i];
        uint64_t digest;
        const bool there = live_game_digest(sim->server.live, &game->id, &digest);
        const bool running = game->laws.state == LAWS_SCHEDULED || game->laws.state == LAWS_RUNNING;
        if (running && !there && !game->asleep)
            SIM_FAIL(sim, "game %s is not in memory", game->id.text);
        if (there && digest != laws_game_digest(&game->laws))
            SIM_FAIL(sim, "game %s differs from its log", game->id.text);
    }
}

// What the PGN reader finds in the export.
typedef struct PgnFound {
    uint32_t plies;
    size_t problems;
    size_t games;
    ChessPgnResult result;
} PgnFound;

static void on_game_end(void *context, const ChessPgnGame *game) {
    PgnFound *found = context;
    found->games++;
    found->plies = game->plies;
    found->result = game->result == game->tag_result ? game->result : CHESS_PGN_NO_RESULT;
}

static void on_problem(void *context, const ChessPgnProblem *problem) {
    print_error("%s\n", problem->text);
    ((PgnFound *)context)->problems++;
}

// The export is read back without a complaint.
static void check_pgn(Sim *sim, const LiveGameView *view) {
    const LivePgnTags tags = { JD_STR("Casual \"game\""), JD_STR("https://example.org/g") };
    const size_t size = live_game_pgn_size(view, &tags);
    char *text = malloc(size);
    JdOut out = jd_out(text, size);
    live_game_pgn(view, &tags, &out);
    SIM_CHECK(sim, jd_out_fits(&out));
    static unsigned char buffer[CHESS_PGN_BUFFER_MIN];
    ChessPgnLine line;
    const ChessPgnOptions options = { .buffer = buffer,
                                      .buffer_size = sizeof buffer,
                                      .lines = &line,
                                      .line_count = 1,
                                      .exact = true };
    const ChessPgnVisitor visitor = { .game_end = on_game_end, .problem = on_problem };
    ChessPgnReader reader;
    PgnFound found = { 0 };
    chess_pgn_init(&reader, &options, &visitor, &found);
    (void)chess_pgn_push(&reader, jd_out_str(&out));
    chess_pgn_finish(&reader);
    SIM_CHECK(sim, found.games == 1 && found.problems == 0 && found.plies == view->row.plies);
    SIM_CHECK(sim, strcmp(chess_pgn_result_text(found.result), view->row.result) == 0);
    free(text);
}

static void check_decoded(Sim *sim, const LedgerGame *game) {
    const size_t size = (live_game_decode_size(game->count) + 15) / 16 * 16;
    void *memory = aligned_alloc(16, size);
    JdArena arena = jd_arena(memory, size);
    LiveGameView view;
    JdErr err = { 0 };
    if (!live_game_decode(game->log, game->count, (JdInstant) { sim->now_ms }, &arena, &view, &err))
        SIM_FAIL(sim, "%s", err.text);
    SIM_CHECK(sim, view.digest == laws_game_digest(&game->laws));
    SIM_CHECK(sim, game->has_row);
    const LiveGameRow *row = &game->row;
    SIM_CHECK(
        sim, row->plies == view.row.plies && row->state == view.row.state &&
                 row->reason == view.row.reason && row->ended_ms == view.row.ended_ms &&
                 row->started_ms == view.row.started_ms && row->created_ms == view.row.created_ms &&
                 row->last_seq == view.row.last_seq && strcmp(row->result, view.row.result) == 0 &&
                 row->seats[0].account == view.row.seats[0].account &&
                 row->seats[1].account == view.row.seats[1].account);
    check_pgn(sim, &view);
    free(memory);
}

void ledger_check_end(Sim *sim) {
    for (size_t i = 0; i < sim->ledger.game_count; i++) {
        SIM_CHECK(sim, sim->ledger.games[i]->folded == sim->ledger.games[i]->durable_end);
        if (sim->ledger.games[i]->durable_end)
            check_decoded(sim, sim->ledger.games[i]);
    }
    for (size_t i = 0; i < sim->ledger.challenge_count; i++)
        SIM_CHECK(sim, sim->ledger.challenges[i].told_closed ==
                           sim->ledger.challenges[i].durable_closed);
}

void ledger_free(Sim *sim) {
    Ledger *ledger = &sim->ledger;
    for (size_t i = 0; i < ledger->game_count; i++) {
        LedgerGame *game = ledger->games[i];
        for (size_t k = 0; k < game->count; k++)
            free((void *)(uintptr_t)game->log[k].body);
        free(game->log);
        free(game->follows);
        free(game);
    }
    free(ledger->games);
    free(ledger->challenges);
    free(ledger->slots);
    free(ledger->outages);
    log_free(&ledger->durable);
}
