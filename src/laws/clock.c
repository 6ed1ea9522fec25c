// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chess clock (Article 6, spec section 5). At most one clock runs. A clock holds what remained
// when the running turn began; the reading follows from the instant asked about.
//
// A period's time is added at once when its quota is completed, so a flag that falls has always
// missed its quota. (Where the event adds it when the display reaches zero, it is held beside the
// remaining time until then; the flag falls when both are used up.) A flag is down from the instant
// at which the remaining time (and the delay of the move) is used up; an increment never revives
// it. In claimed mode a fallen flag ends nothing and its player may go on: the deficit is kept, so
// that a late claim finds the truth.
#include "laws/inner.h"

static const LawsControl *control_of(const LawsGame *game, ChessColor color) {
    return &game->setup.control[color];
}

static const LawsPeriod *period_of(const LawsGame *game, ChessColor color) {
    return &game->setup.control[color].periods[game->clock.period[color]];
}

static bool has_clock(const LawsGame *game, ChessColor color) {
    return !laws_control_is_none(control_of(game, color));
}

static bool runs(const LawsGame *game, ChessColor color) {
    return game->clock.running == 1 + color;
}

static int64_t elapsed_at(const LawsGame *game, int64_t now_ms) {
    const int64_t elapsed = now_ms - game->clock.run_start_ms;
    return elapsed > 0 ? elapsed : 0;
}

static int64_t delay_of(const LawsGame *game, ChessColor color) {
    return control_of(game, color)->move_ms > 0 ? 0 : period_of(game, color)->delay_ms;
}

// Main time a turn of that length takes. Bronstein gives back at the end what simple delay does not
// take at the start: the same in every result and at every instant, so both are computed alike.
static int64_t main_time_used(int64_t elapsed, int64_t delay) {
    return elapsed > delay ? elapsed - delay : 0;
}

bool laws_flags_observed(const LawsGame *game, const LawsRules *rules) {
    if (game->setup.flag_mode == LAWS_FLAGS_CLAIMED)
        return false;
    if (game->setup.flag_mode == LAWS_FLAGS_OBSERVED)
        return true;
    return rules->flag_caller == LAWS_FLAG_BY_ARBITER_OR_PLAYER ||
           laws_control_is_slow(control_of(game, CHESS_WHITE)) ||
           laws_control_is_slow(control_of(game, CHESS_BLACK));
}

int64_t laws_clock_initial(const LawsGame *game, ChessColor color) {
    const LawsControl *const control = control_of(game, color);
    if (control->move_ms > 0 || control->period_count == 0)
        return control->move_ms;
    const LawsPeriod *const first = &control->periods[0];
    const bool starts_with_increment = control->first_increment || first->time_ms == 0;
    return first->time_ms + (starts_with_increment ? first->increment_ms : 0);
}

void laws_clock_init(LawsGame *game) {
    for (int color = 0; color < 2; color++)
        game->clock.remaining_ms[color] = laws_clock_initial(game, (ChessColor)color);
}

void laws_clock_start(LawsGame *game, ChessColor color, int64_t now_ms) {
    const bool on_hold = (game->desk.on_hold >> color & 1) != 0;
    game->clock.running = on_hold ? 0 : (uint8_t)(1 + color);
    game->clock.run_start_ms = now_ms;
}

// A display at zero shows the time that was held back for it.
static void show_held(LawsClock *clock, ChessColor color) {
    if (clock->remaining_ms[color] <= 0) {
        clock->remaining_ms[color] += clock->held_ms[color];
        clock->held_ms[color] = 0;
    }
}

void laws_clock_stop(LawsGame *game, int64_t now_ms) {
    if (game->clock.running == 0)
        return;
    const ChessColor color = (ChessColor)(game->clock.running - 1);
    if (has_clock(game, color)) {
        game->clock.flag_down[color] = laws_clock_is_down(game, color, now_ms);
        game->clock.remaining_ms[color] -=
            main_time_used(elapsed_at(game, now_ms), delay_of(game, color));
        show_held(&game->clock, color);
    }
    game->clock.running = 0;
    game->clock.run_start_ms = now_ms;
}

bool laws_clock_is_down(const LawsGame *game, ChessColor color, int64_t now_ms) {
    if (!has_clock(game, color))
        return false;
    if (game->clock.flag_down[color] || !runs(game, color))
        return game->clock.flag_down[color];
    return elapsed_at(game, now_ms) >=
           game->clock.remaining_ms[color] + game->clock.held_ms[color] + delay_of(game, color);
}

bool laws_clock_shows_zero(const LawsGame *game, int64_t *at_ms) {
    if (game->clock.running == 0)
        return false;
    const ChessColor color = (ChessColor)(game->clock.running - 1);
    if (game->clock.held_ms[color] == 0)
        return false;
    *at_ms = game->clock.run_start_ms + game->clock.remaining_ms[color] + delay_of(game, color);
    return true;
}

bool laws_clock_fall(const LawsGame *game, int64_t *at_ms) {
    if (game->clock.running == 0)
        return false;
    const ChessColor color = (ChessColor)(game->clock.running - 1);
    if (!has_clock(game, color) || game->clock.flag_down[color])
        return false;
    *at_ms = game->clock.run_start_ms + game->clock.remaining_ms[color] +
             game->clock.held_ms[color] + delay_of(game, color);
    return true;
}

static bool has_next_period(const LawsGame *game, ChessColor color) {
    const LawsControl *const control = control_of(game, color);
    return control->move_ms == 0 &&
           (game->clock.period[color] + 1 < control->period_count || control->repeat);
}

static void enter_next_period(LawsGame *game, ChessColor color) {
    LawsClock *const clock = &game->clock;
    // O12: read literally, Article 6.2b of old carries no main time over in delay mode.
    if (game->setup.delay_drops_main && period_of(game, color)->delay_ms > 0 &&
        clock->remaining_ms[color] > 0)
        clock->remaining_ms[color] = 0;
    if (clock->period[color] + 1 < control_of(game, color)->period_count)
        clock->period[color]++;
    clock->period_start[color] = clock->moves_done[color];
    const int64_t time_ms = period_of(game, color)->time_ms;
    if (game->setup.add_at_zero && clock->remaining_ms[color] > 0)
        clock->held_ms[color] += time_ms;
    else
        clock->remaining_ms[color] += time_ms;
}

// What the network took from this move: bounded by the move and by ten moves together.
static int64_t credit_granted(LawsClock *clock, ChessColor mover, int64_t wanted, int64_t elapsed) {
    int64_t granted = LAWS_CREDIT_TEN_MOVES_MS - clock->credit_ms[mover];
    if (granted > LAWS_CREDIT_MOVE_MS)
        granted = LAWS_CREDIT_MOVE_MS;
    if (granted > wanted)
        granted = wanted;
    if (granted > elapsed)
        granted = elapsed;
    clock->credit_ms[mover] = (uint16_t)(clock->credit_ms[mover] + granted);
    return granted;
}

// Takes the time of the turn and adds what the completed move earns (section 5.3).
static void settle(LawsGame *game, ChessColor mover, int64_t now_ms, int64_t credit_ms) {
    LawsClock *const clock = &game->clock;
    int64_t elapsed = runs(game, mover) ? elapsed_at(game, now_ms) : 0;
    const bool down = laws_clock_is_down(game, mover, now_ms);
    clock->flag_down[mover] = down;
    // Ten moves begin whether or not the first of them needs any credit.
    if (clock->moves_done[mover] % 10 == 0)
        clock->credit_ms[mover] = 0;
    if (!down && credit_ms > 0)
        elapsed -= credit_granted(clock, mover, credit_ms, elapsed);
    if (control_of(game, mover)->move_ms > 0) {
        clock->remaining_ms[mover] =
            down ? clock->remaining_ms[mover] - elapsed : control_of(game, mover)->move_ms;
        return;
    }
    const LawsPeriod *const period = period_of(game, mover);
    clock->remaining_ms[mover] -= main_time_used(elapsed, period->delay_ms);
    show_held(clock, mover);
    const uint32_t done = clock->moves_done[mover] - clock->period_start[mover];
    if (!down && (period->increment_moves == 0 || done < period->increment_moves))
        clock->remaining_ms[mover] += period->increment_ms;
    if (!down)
        clock->remaining_ms[mover] += clock->extra_increment_ms;
}

// The completed move is the last of its quota: the next period's time is added at once.
static bool completes_quota(const LawsGame *game, ChessColor mover) {
    const uint32_t done = game->clock.moves_done[mover] - game->clock.period_start[mover];
    return has_next_period(game, mover) && done >= period_of(game, mover)->moves;
}

void laws_clock_complete_move(LawsGame *game, ChessColor mover, int64_t now_ms, int64_t credit_ms) {
    // The arbiter may have started the other clock (Article 6.11.3): what it took stays taken.
    if (runs(game, chess_other(mover)))
        laws_clock_stop(game, now_ms);
    if (has_clock(game, mover))
        settle(game, mover, now_ms, credit_ms);
    if (laws_clock_count_move(game, mover))
        game->clock.flag_down[mover] = game->clock.remaining_ms[mover] <= 0;
    laws_clock_start(game, chess_other(mover), now_ms);
}

bool laws_clock_count_move(LawsGame *game, ChessColor mover) {
    game->clock.moves_done[mover]++;
    if (!completes_quota(game, mover))
        return false;
    enter_next_period(game, mover);
    // Of a running clock the elapsed time tells.
    game->clock.flag_down[mover] = !runs(game, mover) && game->clock.remaining_ms[mover] <= 0;
    return true;
}

void laws_clock_set_moves(LawsGame *game, ChessColor color, uint32_t count) {
    LawsClock *const clock = &game->clock;
    const LawsControl *const control = control_of(game, color);
    uint32_t start = 0;
    uint8_t period = 0;
    while (control->move_ms == 0 && period < control->period_count &&
           control->periods[period].moves > 0 && count - start >= control->periods[period].moves &&
           (period + 1 < control->period_count || control->repeat)) {
        start += control->periods[period].moves;
        if (period + 1 < control->period_count)
            period++;
    }
    clock->moves_done[color] = count;
    clock->period[color] = period;
    clock->period_start[color] = start;
}

void laws_clock_set(LawsGame *game, ChessColor color, int64_t ms, int64_t now_ms) {
    LawsClock *const clock = &game->clock;
    if (!has_clock(game, color))
        return;
    clock->remaining_ms[color] = ms;
    clock->held_ms[color] = 0;
    clock->flag_down[color] = ms <= 0;
    if (runs(game, color))
        clock->run_start_ms = now_ms;
}

void laws_clock_hold_back(LawsGame *game, ChessColor color, int periods) {
    if (has_clock(game, color) && game->clock.period_start[color] > 0)
        game->clock.held_ms[color] = periods * period_of(game, color)->time_ms;
    if (has_clock(game, color))
        game->clock.flag_down[color] =
            game->clock.remaining_ms[color] + game->clock.held_ms[color] <= 0;
}

uint8_t laws_clock_periods_held(const LawsGame *game, ChessColor color) {
    const int64_t held = game->clock.held_ms[color];
    if (held == 0)
        return 0;
    const int64_t count = held / period_of(game, color)->time_ms;
    return (uint8_t)(count < 1 ? 1 : count > UINT8_MAX ? UINT8_MAX : count);
}

void laws_clock_give(LawsGame *game, ChessColor color, int64_t ms) {
    LawsClock *const clock = &game->clock;
    if (!has_clock(game, color))
        return;
    if (clock->flag_down[color] && clock->remaining_ms[color] < 0)
        clock->remaining_ms[color] = 0;
    clock->remaining_ms[color] += ms;
    clock->flag_down[color] = 0;
}

void laws_clock_adjust(LawsGame *game, ChessColor color, int64_t by_ms) {
    if (has_clock(game, color) && !game->clock.flag_down[color])
        game->clock.remaining_ms[color] += by_ms;
}

bool laws_clock_next_periods(LawsGame *game, int64_t now_ms) {
    bool any = false;
    for (int i = 0; i < 2; i++) {
        const ChessColor color = (ChessColor)i;
        game->clock.flag_down[color] = laws_clock_is_down(game, color, now_ms);
        while (game->clock.flag_down[color] && has_next_period(game, color)) {
            enter_next_period(game, color);
            game->clock.flag_down[color] = 0;
            game->clock.flag_down[color] = runs(game, color)
                                               ? laws_clock_is_down(game, color, now_ms)
                                               : game->clock.remaining_ms[color] <= 0;
            any = true;
        }
    }
    return any;
}

bool laws_clock_is_quickplay(const LawsGame *game, ChessColor color) {
    const LawsControl *const control = control_of(game, color);
    if (control->move_ms > 0 || control->period_count == 0)
        return false;
    const LawsPeriod *const period = period_of(game, color);
    return period->moves == 0 && period->increment_ms == 0 && period->delay_ms == 0 &&
           game->clock.extra_increment_ms == 0;
}

int64_t laws_clock_added(const LawsGame *game, ChessColor color) {
    if (!has_clock(game, color) || control_of(game, color)->move_ms > 0)
        return 0;
    const LawsPeriod *const period = period_of(game, color);
    return period->increment_ms + period->delay_ms + game->clock.extra_increment_ms;
}

// ---- what callers ask

int64_t laws_clock_reading(const LawsGame *game, ChessColor color, JdInstant now) {
    if (!has_clock(game, color) || laws_clock_is_down(game, color, now.ms))
        return 0;
    int64_t reading = game->clock.remaining_ms[color];
    if (runs(game, color))
        reading -= main_time_used(elapsed_at(game, now.ms), delay_of(game, color));
    if (reading <= 0)
        reading += game->clock.held_ms[color];
    return reading > 0 ? reading : 0;
}

int64_t laws_clock_delay_left(const LawsGame *game, JdInstant now) {
    if (game->clock.running == 0)
        return 0;
    const ChessColor color = (ChessColor)(game->clock.running - 1);
    const int64_t left = delay_of(game, color) - elapsed_at(game, now.ms);
    return has_clock(game, color) && left > 0 ? left : 0;
}

bool laws_deadline(const LawsGame *game, JdInstant *out) {
    LawsRules space;
    const LawsRules *const rules = laws_game_rules(game, &space);
    return rules != NULL && laws_due(game, rules, &out->ms);
}

int64_t laws_clock_mark(int64_t before_ms, int64_t after_ms) {
    static const int64_t minutes[] = { 1, 5, 10, 15 };
    // The last ten seconds one by one: a reading of 9.4 s has passed the mark of ten.
    if (after_ms > 0 && after_ms <= 10000) {
        const int64_t second = (after_ms + 999) / 1000 * 1000;
        if (second < before_ms)
            return second;
    }
    for (size_t i = 0; i < JD_COUNT(minutes); i++)
        if (after_ms <= minutes[i] * 60000 && minutes[i] * 60000 < before_ms)
            return minutes[i] * 60000;
    return 0;
}
