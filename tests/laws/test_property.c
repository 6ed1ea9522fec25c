// SPDX-License-Identifier: GPL-3.0-or-later
//
// What holds in every game, whatever the events: nothing crashes, a refused event changes no byte
// and names its article, no state is reached but by the ways of the machine (section 4.1 of the
// rules specification), at most one clock runs (Article 6.1), time is created by an article that
// grants it only - the sum is checked by books of its own (books.h) -, and the log replays to the
// same game. JD_LAWS_GAMES says how many games, JD_LAWS_SEED the first seed.
#include <stdlib.h>

#include "../check.h"
#include "books.h"
#include "random_game.h"

#define GAMES 10000

static RandomGame random_game;
static LawsPly plies_before[RANDOM_GAME_PLIES];
static LawsPly replayed[RANDOM_GAME_PLIES];
static uint64_t current_seed;
static const char *current_event;
static Books books;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("seed %llu, event %u %s, line %d: %s", (unsigned long long)current_seed,      \
                     random_game.game.events, current_event, __LINE__, #condition);                \
    } while (0)

static const LawsRules *rules_of(const LawsGame *game) {
    return laws_rules((LawsEdition)game->setup.edition, (LawsPace)game->setup.pace,
                      game->setup.supervised != 0);
}

static int64_t reading(const LawsGame *game, int color, int64_t at_ms) {
    return laws_clock_reading(game, (ChessColor)color, (JdInstant) { at_ms });
}

// The most that a completed move can add to the mover's clock.
static int64_t most_added(const LawsControl *control) {
    int64_t most = control->move_ms;
    int64_t increment = 0;
    for (int i = 0; i < control->period_count; i++) {
        if (control->periods[i].time_ms > most)
            most = control->periods[i].time_ms;
        if (control->periods[i].increment_ms > increment)
            increment = control->periods[i].increment_ms;
    }
    return most + increment + LAWS_CREDIT_MOVE_MS;
}

// How one event may change the readings.
// Readings never exceed what a clock has shown before, unless an article grants time: what a
// restored position brings back was there once.
static int64_t most_seen[2];

static void check_desk_time(const LawsGame *before, const LawsGame *after, const LawsEvent *event,
                            const LawsVerdict *verdict, int64_t now_ms) {
    const LawsRules *const rules = rules_of(after);
    for (int color = 0; color < 2; color++) {
        const int64_t gain = reading(after, color, now_ms) - reading(before, color, now_ms);
        const int64_t most = most_added(&after->setup.control[color]) + 5000;
        if (verdict->refusal != LAWS_NOT_REFUSED && !verdict->changed) {
            CHECK(gain == 0);
            continue;
        }
        if (verdict->refusal != LAWS_NOT_REFUSED || event->kind == LAWS_EVENT_TICK) {
            // What came by itself came at its own instant, at which the clocks have stopped.
            CHECK(reading(after, color, now_ms) == reading(before, color, after->now_ms) ||
                  event->kind == LAWS_EVENT_TICK);
            continue;
        }
        switch (event->kind) {
        case LAWS_EVENT_SET_CLOCK:
            CHECK(gain == 0 || color == event->side);
            break;
        case LAWS_EVENT_ADD_TIME:
            CHECK(gain <= event->span_ms);
            CHECK(gain == 0 || event->side == color || event->side == LAWS_BOTH_SIDES);
            break;
        case LAWS_EVENT_SUB_TIME:
            CHECK(gain <= 0);
            break;
        case LAWS_EVENT_RESTORE:
        case LAWS_EVENT_RULE_TOUCH:
        case LAWS_EVENT_CLAIM_TOUCH:
        case LAWS_EVENT_CLAIM_ILLEGAL:
        case LAWS_EVENT_RULE_ILLEGAL:
        case LAWS_EVENT_TAKE_BACK_AGREED:
            CHECK(reading(after, color, now_ms) <= most_seen[color] + rules->illegal_bonus_ms);
            break;
        case LAWS_EVENT_MOVE:
        case LAWS_EVENT_PRESS:
        case LAWS_EVENT_OPEN_ENVELOPE:
        case LAWS_EVENT_RULE_SEALED:
        case LAWS_EVENT_ENVELOPE_LOST:
        case LAWS_EVENT_ARB_SEAL:
        case LAWS_EVENT_ADJOURN_EARLY:
            CHECK(gain <= most);
            break;
        case LAWS_EVENT_ARB_QPF:
        case LAWS_EVENT_RULE_INCREMENT:
            CHECK(gain >= 0 && gain <= 120000);
            break;
        case LAWS_EVENT_RECORD:
            CHECK(gain >= 0 && gain <= rules->record_ahead_bonus_ms);
            break;
        case LAWS_EVENT_INCIDENT:
            CHECK(gain >= 0 && gain <= rules->illegal_bonus_ms);
            break;
        case LAWS_EVENT_CLAIM_REP:
        case LAWS_EVENT_CLAIM_50:
        case LAWS_EVENT_CLAIM_DRAW:
            CHECK(gain <= (color == event->actor ? 0 : rules->wrong_claim_bonus_ms));
            break;
        case LAWS_EVENT_INTERRUPTION:
            // Back before zero the display does not yet show the next period's time.
            CHECK((gain >= 0 && gain <= event->span_ms) || after->clock.held_ms[color] > 0);
            break;
        case LAWS_EVENT_CLAIM_FLAG:
        case LAWS_EVENT_FLAG_OBSERVED:
            CHECK(gain == 0 || after->state < LAWS_ENDED);
            break;
        case LAWS_EVENT_STOP_CLOCK: // A1b charges the session's rest
        case LAWS_EVENT_SET_MOVE_COUNT:
            CHECK(gain <= 0);
            break;
        default:
            CHECK(gain == 0);
            break;
        }
    }
}

static void check_time(const LawsGame *before, const LawsGame *after, const LawsEvent *event,
                       const LawsVerdict *verdict, int64_t now_ms) {
    if (before->desk.is_active || after->desk.is_active) {
        check_desk_time(before, after, event, verdict, now_ms);
        return;
    }
    for (int color = 0; color < 2; color++) {
        const int64_t gain = reading(after, color, now_ms) - reading(before, color, now_ms);
        if (verdict->refusal != LAWS_NOT_REFUSED && !verdict->changed) {
            CHECK(gain == 0);
            continue;
        }
        switch (event->kind) {
        case LAWS_EVENT_MOVE:
            // A time per move is not saved, a bonus within it neither.
            CHECK(gain >= 0 ||
                  reading(after, color, now_ms) == after->setup.control[color].move_ms);
            CHECK(gain <= (color == event->actor ? most_added(&after->setup.control[color]) : 0));
            break;
        case LAWS_EVENT_CLAIM_REP:
        case LAWS_EVENT_CLAIM_50:
        case LAWS_EVENT_CLAIM_DRAW:
            if (color == event->actor)
                CHECK(gain <= 0 && (gain == 0 || rules_of(after)->wrong_claim_cuts_time));
            else
                CHECK(gain == 0 ||
                      (verdict->claim_wrong && gain == rules_of(after)->wrong_claim_bonus_ms));
            break;
        case LAWS_EVENT_INTERRUPTION:
            CHECK(gain >= 0 && gain <= event->span_ms);
            break;
        case LAWS_EVENT_CLAIM_FLAG:
            // Both flags down in an earlier period: both enter the next one.
            CHECK(gain == 0 || after->state == LAWS_RUNNING);
            CHECK(gain >= 0);
            break;
        default:
            CHECK(gain == 0);
            break;
        }
    }
}

// Section 4.1: by which events a state is left for another one. An end is possible from every state
// in which a game lives; none is left again.
static bool may_lead(uint8_t from, uint8_t to, uint8_t stop, uint8_t kind) {
    if (from == to)
        return true;
    if (from >= LAWS_ENDED)
        return false;
    switch (to) {
    case LAWS_ENDED:
        // Before the start nobody but the arbiter ends it: a device brought along loses, too.
        return from != LAWS_SCHEDULED || kind == LAWS_EVENT_ARB_RESULT ||
               kind == LAWS_EVENT_DECLARE_LOST || kind == LAWS_EVENT_INCIDENT;
    case LAWS_ANNULLED:
        return kind == LAWS_EVENT_ABORT || kind == LAWS_EVENT_ANNUL ||
               kind == LAWS_EVENT_CLAIM_SETUP || kind == LAWS_EVENT_RULE_COLORS;
    case LAWS_RUNNING:
        switch (from) {
        case LAWS_SCHEDULED:
            return kind == LAWS_EVENT_START;
        case LAWS_STOPPED:
            return kind == LAWS_EVENT_RESUME || kind == LAWS_EVENT_ARB_QPF ||
                   kind == LAWS_EVENT_RULE_INCREMENT || kind == LAWS_EVENT_RULE_TOUCH ||
                   kind == LAWS_EVENT_RULE_COLORS || kind == LAWS_EVENT_RULE_ILLEGAL;
        case LAWS_ADJOURNED:
            return kind == LAWS_EVENT_OPEN_ENVELOPE || kind == LAWS_EVENT_RULE_SEALED ||
                   kind == LAWS_EVENT_ENVELOPE_LOST;
        default:
            return false;
        }
    case LAWS_STOPPED:
        // An end that hangs on a verdict comes from wherever an end comes.
        return from == LAWS_RUNNING || (from != LAWS_SCHEDULED && stop == LAWS_STOP_VERDICT);
    case LAWS_SEALING:
        return from == LAWS_RUNNING &&
               (kind == LAWS_EVENT_ARB_SEAL || kind == LAWS_EVENT_ADJOURN_EARLY);
    case LAWS_ADJOURNED:
        return (from == LAWS_SEALING && kind == LAWS_EVENT_STOP_CLOCK) ||
               (from == LAWS_RUNNING && kind == LAWS_EVENT_SEAL_REPLY);
    default:
        return false;
    }
}

// More time than there was comes from an article, from the network's credit, or from an outage of
// the program that the clock is spared.
static void check_grant(const LawsGame *before, const LawsGame *after, const LawsVerdict *verdict,
                        int64_t now_ms) {
    for (int color = 0; color < 2; color++)
        if (verdict->refusal == LAWS_NOT_REFUSED &&
            reading(after, color, now_ms) > reading(before, color, now_ms))
            CHECK(verdict->article[0] != '\0');
}

// The clocks show what the books say, to the millisecond, and the flag falls when they are empty.
static uint32_t games_booked;

static void check_books(const LawsGame *game, const LawsEvent *event, const LawsVerdict *verdict,
                        int64_t now_ms) {
    const bool fell = game->state == LAWS_ENDED &&
                      (game->reason == LAWS_FLAG || game->reason == LAWS_FLAG_DRAW) &&
                      event->kind != LAWS_EVENT_CLAIM_FLAG;
    if (books.are_kept && fell && books.running != 0) {
        CHECK(books_reading(&books, books.running - 1, game->ended_ms) == 0);
        CHECK(books_reading(&books, books.running - 1, game->ended_ms - 1) > 0);
    }
    books_enter(&books, event, verdict, now_ms);
    if (!books.are_kept)
        return;
    const int64_t at_ms = game->state >= LAWS_ENDED ? game->ended_ms : now_ms;
    for (int color = 0; color < 2; color++)
        CHECK(reading(game, color, at_ms) == books_reading(&books, color, at_ms));
    games_booked += game->state >= LAWS_ENDED;
}

static void check_state(const LawsGame *game, int64_t now_ms) {
    const LawsDesk *const desk = &game->desk;
    CHECK(game->state >= LAWS_SCHEDULED && game->state <= LAWS_ANNULLED);
    if (game->state == LAWS_RUNNING && desk->on_hold == 0)
        CHECK(game->clock.running != 0);
    if (game->state == LAWS_SEALING && desk->on_hold == 0)
        CHECK(game->clock.running == 1 + desk->sealer);
    if (game->state != LAWS_RUNNING && game->state != LAWS_SEALING && game->state != LAWS_ADJOURNED)
        CHECK(game->clock.running == 0);
    CHECK((desk->stop != LAWS_NOT_STOPPED) == (game->state == LAWS_STOPPED));
    CHECK(desk->adjournments > 0 || game->state != LAWS_ADJOURNED);
    if (game->state == LAWS_RUNNING && !game->setup.separate_press && !desk->is_active)
        CHECK(game->clock.running == 1 + game->position.side_to_move);
    if (game->state < LAWS_ENDED && !game->setup.unchecked_moves) {
        ChessMoveList allowed;
        CHECK(chess_has_legal_move(&game->position));
        CHECK(!desk->loose);
        laws_moves_allowed(game, &allowed);
        CHECK(allowed.count > 0);
        for (int i = 0; i < allowed.count; i++)
            CHECK(chess_move_is_legal(&game->position, allowed.moves[i]));
    }
    for (int color = 0; color < 2; color++) {
        CHECK(reading(game, color, now_ms) >= 0);
        // A clock that runs loses what passes beyond the delay; the other one stands.
        const int64_t later = reading(game, color, now_ms + 1000);
        if (game->clock.held_ms[color] > 0)
            continue; // at zero the display shows the next period's time
        CHECK(later <= reading(game, color, now_ms));
        CHECK(later >= reading(game, color, now_ms) - 1000);
        if (game->clock.running != 1 + color)
            CHECK(later == reading(game, color, now_ms));
    }
    CHECK(game->position.zobrist_key == chess_zobrist_key(&game->position));
    CHECK(game->state != LAWS_ENDED || game->reason != LAWS_NOT_ENDED);
    CHECK(game->result[0] + game->result[1] <= 2);
}

// The deadline is the very instant at which a TICK ends the game.
static void check_deadline(const LawsGame *game) {
    JdInstant deadline;
    const LawsEvent tick = { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER };
    if (!laws_deadline(game, &deadline) || deadline.ms <= game->now_ms)
        return;
    LawsGame copy = *game;
    CHECK(!laws_apply(&copy, &tick, (JdInstant) { deadline.ms - 1 }).changed);
    CHECK(memcmp(&copy, game, sizeof copy) == 0);
    CHECK(laws_apply(&copy, &tick, (JdInstant) { deadline.ms + 77 }).changed);
    CHECK(copy.now_ms == deadline.ms);
    if (copy.state == LAWS_STOPPED) {
        CHECK(copy.desk.stop == LAWS_STOP_SHEETS || copy.desk.stop == LAWS_STOP_VERDICT);
        return;
    }
    CHECK(copy.state == LAWS_ENDED && copy.ended_ms == deadline.ms);
    CHECK(copy.reason == LAWS_FLAG || copy.reason == LAWS_FLAG_DRAW ||
          copy.reason == LAWS_DEFAULT || copy.reason == LAWS_BOTH_DEFAULT ||
          copy.reason == LAWS_QPF_PENDING);
}

// Every refusal names its article, but for what no Law speaks of: events nobody could mean, times
// that run backwards, house rules. And everything said has a text.
static void check_verdict(const LawsEvent *event, const LawsVerdict *verdict) {
    const bool is_house = event->kind == LAWS_EVENT_ABORT || event->kind == LAWS_EVENT_ABANDONED ||
                          event->kind == LAWS_EVENT_HOLD || event->kind == LAWS_EVENT_UNHOLD ||
                          event->kind == LAWS_EVENT_BLOCKED;
    char name[LAWS_MESSAGE_NAME_SIZE];
    if (verdict->refusal != LAWS_NOT_REFUSED) {
        CHECK(verdict->article[0] != '\0' || is_house ||
              verdict->refusal == LAWS_REFUSED_UNKNOWN_EVENT ||
              verdict->refusal == LAWS_REFUSED_TIME_BACKWARDS);
        CHECK(verdict->message != LAWS_MESSAGE_NONE);
    }
    CHECK(verdict->message == LAWS_MESSAGE_NONE || laws_message_name(verdict->message, name) > 0);
}

static uint32_t events_seen[128];

static void play_one(uint64_t seed, uint32_t *reasons) {
    current_seed = seed;
    random_game_begin(&random_game, seed);
    LawsGame *const game = &random_game.game;
    most_seen[0] = reading(game, 0, 0);
    most_seen[1] = reading(game, 1, 0);
    books_open(&books, game);
    for (int i = 0; i < RANDOM_GAME_EVENTS; i++) {
        const LawsEvent event = random_game_event(&random_game);
        const LawsGame before = *game;
        current_event = laws_event_name(event.kind);
        memcpy(plies_before, random_game.plies, sizeof plies_before);
        const LawsVerdict verdict = random_game_apply(&random_game, &event);
        if (verdict.refusal != LAWS_NOT_REFUSED && !verdict.changed) {
            CHECK(memcmp(&before, game, sizeof before) == 0);
            CHECK(memcmp(plies_before, random_game.plies, sizeof plies_before) == 0);
        }
        if (verdict.refusal != LAWS_NOT_REFUSED && verdict.changed)
            CHECK((game->state == LAWS_ENDED || game->state == LAWS_STOPPED) &&
                  before.state < LAWS_ENDED && game->now_ms <= random_game.now_ms);
        check_verdict(&event, &verdict);
        events_seen[event.kind % 128] += verdict.refusal == LAWS_NOT_REFUSED;
        check_time(&before, game, &event, &verdict, random_game.now_ms);
        check_grant(&before, game, &verdict, random_game.now_ms);
        CHECK(may_lead(before.state, game->state, game->desk.stop, event.kind) ||
              (verdict.refusal != LAWS_NOT_REFUSED && verdict.changed));
        if (before.state < LAWS_ENDED)
            check_books(game, &event, &verdict, random_game.now_ms);
        check_state(game, random_game.now_ms);
        check_deadline(game);
        for (int color = 0; color < 2; color++) {
            const int64_t now_shown =
                reading(game, color, random_game.now_ms) + game->clock.held_ms[color];
            const int64_t shown = reading(game, color, game->now_ms);
            if (now_shown > most_seen[color])
                most_seen[color] = now_shown;
            if (shown > most_seen[color])
                most_seen[color] = shown;
        }
        if (game->state >= LAWS_ENDED && i % 8 == 0)
            break;
    }
    JdErr err = { 0 };
    LawsGame again;
    if (!laws_log_replay(random_game.log, random_game.log_size, &again, replayed, RANDOM_GAME_PLIES,
                         NULL, &err))
        fail_msg("seed %llu: byte %u: %s", (unsigned long long)seed, err.offset, err.text);
    CHECK(laws_game_digest(&again) == laws_game_digest(game));
    reasons[game->reason]++;
}

static void test_random_games(void **state) {
    (void)state;
    uint32_t reasons[256] = { 0 };
    const char *const wanted_games = getenv("JD_LAWS_GAMES");
    const uint64_t games = wanted_games != NULL ? strtoull(wanted_games, NULL, 10) : GAMES;
    const char *const wanted_seed = getenv("JD_LAWS_SEED");
    const uint64_t first = wanted_seed != NULL ? strtoull(wanted_seed, NULL, 10) : 1;
    for (uint64_t seed = first; seed < first + games; seed++)
        play_one(seed, reasons);
    if (games_booked < games / 20)
        fail_msg("only %u games had their books kept to the end", games_booked);
    // The games are worth something only when they end in every way there is.
    static const LawsReason wanted[] = {
        LAWS_CHECKMATE,        LAWS_DEAD_POSITION, LAWS_RESIGNATION, LAWS_AGREEMENT,
        LAWS_CLAIM_REPETITION, LAWS_CLAIM_50,      LAWS_FLAG,        LAWS_FLAG_DRAW,
        LAWS_AUTO_REPETITION,  LAWS_AUTO_75,       LAWS_BOTH_FLAGS,  LAWS_DEFAULT,
        LAWS_ABORTED,          LAWS_ABANDONED,     LAWS_QPF_DRAW,    LAWS_ILLEGAL_LIMIT,
        LAWS_ILLEGAL_CLAIM,    LAWS_SEALED_FAULT,  LAWS_ARBITER,     LAWS_ILLEGAL_POSITION_DRAW,
        LAWS_BOTH_DEFAULT,     LAWS_PENALTY,       LAWS_DEVICE,      LAWS_ANNULLED_REASON,
        LAWS_BLOCKED,          LAWS_QPF_PENDING,
    };
    for (size_t i = 0; i < JD_COUNT(wanted); i++)
        if (reasons[wanted[i]] == 0)
            fail_msg("no game ended by %s", laws_reason_name(wanted[i]));
    for (uint8_t kind = 1; games >= GAMES && kind < LAWS_EVENT_KIND_COUNT; kind++)
        if (events_seen[kind] == 0)
            fail_msg("no event %s was accepted", laws_event_name(kind));
}

// A digest differs as soon as anything does.
static void test_digest_sees_everything(void **state) {
    (void)state;
    for (uint64_t seed = 5; random_game.game.ply_count == 0 || seed == 5; seed++)
        random_game_play(&random_game, seed);
    const uint64_t digest = laws_game_digest(&random_game.game);
    LawsGame *const game = &random_game.game;
    uint8_t *const bytes[] = {
        &game->state,
        &game->reason,
        &game->result[0],
        &game->offer[1],
        &game->claim_lost,
        &game->bound_from,
        &game->clock.running,
        &game->clock.period[0],
        &game->clock.flag_down[1],
        &game->setup.edition,
        &game->setup.pace,
        &game->setup.supervised,
        &game->setup.draw_never,
        &game->setup.flag_mode,
        &game->setup.mating,
        &game->position.castling_rights,
        &game->position.board[9],
        &game->plies[0].offered_draw,
    };
    for (size_t i = 0; i < JD_COUNT(bytes); i++) {
        *bytes[i] ^= 1;
        if (laws_game_digest(game) == digest)
            fail_msg("bytes[%zu] is not in the digest", i);
        *bytes[i] ^= 1;
    }
    int64_t *const numbers[] = {
        &game->started_ms,
        &game->ended_ms,
        &game->now_ms,
        &game->interrupted_ms,
        &game->clock.remaining_ms[1],
        &game->clock.run_start_ms,
        &game->plies[0].clock_ms,
        &game->plies[0].at_ms,
        &game->setup.default_ms,
    };
    for (size_t i = 0; i < JD_COUNT(numbers); i++) {
        *numbers[i] ^= 1;
        if (laws_game_digest(game) == digest)
            fail_msg("numbers[%zu] is not in the digest", i);
        *numbers[i] ^= 1;
    }
    assert_int_equal(laws_game_digest(game), digest);
    // Every field of the desk; its padding is no field, and holds nothing.
    game->desk.is_active = 1;
    game->desk.verdict_winner = 1;
    const uint64_t active = laws_game_digest(game);
    unsigned char *const desk = (unsigned char *)&game->desk;
    size_t unseen = 0;
    for (size_t i = 1; i < sizeof game->desk; i++) {
        desk[i] ^= 0x20;
        unseen += laws_game_digest(game) == active;
        desk[i] ^= 0x20;
    }
    if (unseen > 12)
        fail_msg("%zu bytes of the desk are not in the digest", unseen);
}

// T-CLK-3: simple delay and Bronstein give the same remaining times and the same flag instants,
// those of R - max(0, e - d) <= 0.
static void test_delays_agree(void **state) {
    (void)state;
    static LawsPly plies[2][64];
    uint64_t chance = 3;
    for (int round = 0; round < 3000; round++) {
        LawsGame games[2];
        const int64_t delay = 1 + jd_random_below(&chance, 9000);
        int64_t remaining[2];
        for (int kind = 0; kind < 2; kind++) {
            LawsSetup setup = { .start = chess_position_start(),
                                .edition = LAWS_FIDE_2023,
                                .pace = LAWS_BLITZ,
                                .supervised = 1 };
            const LawsPeriod period = { .time_ms = 1 + (round * 7919) % 40000,
                                        .delay_ms = delay,
                                        .delay_kind =
                                            kind == 0 ? LAWS_SIMPLE_DELAY : LAWS_BRONSTEIN };
            for (int color = 0; color < 2; color++) {
                setup.control[color] = (LawsControl) { .period_count = 1, .periods = { period } };
                remaining[color] = period.time_ms;
            }
            laws_game_init(&games[kind], &setup, plies[kind], 64);
            const LawsEvent start = { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER };
            laws_apply(&games[kind], &start, (JdInstant) { 0 });
        }
        int64_t now_ms = 0;
        for (int ply = 0; ply < 40; ply++) {
            const int64_t elapsed = jd_random_below(&chance, 12000);
            now_ms += elapsed;
            ChessMoveList list;
            chess_moves_generate(&games[0].position, &list);
            const LawsEvent move = { .kind = LAWS_EVENT_MOVE,
                                     .actor = (uint8_t)(ply % 2),
                                     .move = list.moves[0] };
            for (int kind = 0; kind < 2; kind++)
                laws_apply(&games[kind], &move, (JdInstant) { now_ms });
            assert_int_equal(games[0].state, games[1].state);
            assert_int_equal(games[0].ended_ms, games[1].ended_ms);
            const int64_t used = elapsed > delay ? elapsed - delay : 0;
            const bool fell = remaining[ply % 2] - used <= 0;
            if (fell) {
                assert_int_equal(games[0].state, LAWS_ENDED);
                assert_int_equal(games[0].ended_ms, now_ms - elapsed + delay + remaining[ply % 2]);
                break;
            }
            remaining[ply % 2] -= used;
            for (int kind = 0; kind < 2; kind++)
                for (int color = 0; color < 2; color++)
                    assert_int_equal(reading(&games[kind], color, now_ms), remaining[color]);
            if (games[0].state != LAWS_RUNNING)
                break;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_games),
        cmocka_unit_test(test_delays_agree),
        cmocka_unit_test(test_digest_sees_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
