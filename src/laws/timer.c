// SPDX-License-Identifier: GPL-3.0-or-later
#include <jadoube/laws_timer.h>

#include "laws/inner.h"

bool laws_timer_set(LawsTimer *timer, const LawsControl control[2], JdErr *err) {
    for (int side = 0; side < 2; side++)
        if (!laws_control_check(&control[side], err))
            return false;
    jd_zero(timer, sizeof(*timer));
    timer->game.setup.control[CHESS_WHITE] = control[CHESS_WHITE];
    timer->game.setup.control[CHESS_BLACK] = control[CHESS_BLACK];
    laws_clock_init(&timer->game);
    return true;
}

bool laws_timer_look(LawsTimer *timer, JdInstant now) {
    int64_t at_ms;
    if (!laws_clock_fall(&timer->game, &at_ms) || at_ms > now.ms)
        return false;
    const uint8_t side = (uint8_t)(timer->game.clock.running - 1);
    timer->game.clock.flag_down[side] = 1;
    timer->fallen_ms[side] = at_ms;
    if (timer->first_fallen == 0)
        timer->first_fallen = (uint8_t)(1 + side);
    return true;
}

LawsTimerPress laws_timer_press(LawsTimer *timer, ChessColor side, JdInstant now) {
    LawsClock *const clock = &timer->game.clock;
    if (timer->is_paused)
        return LAWS_TIMER_PAUSED;
    if (timer->is_started && now.ms - timer->pressed_ms < LAWS_TIMER_BOUNCE_MS)
        return LAWS_TIMER_BOUNCED;
    if (timer->is_started && clock->running != 1 + side)
        return LAWS_TIMER_NOT_RUNNING;
    (void)laws_timer_look(timer, now);
    timer->pressed_ms = now.ms;
    if (timer->is_started) {
        laws_clock_complete_move(&timer->game, side, now.ms, 0);
        return LAWS_TIMER_PRESSED;
    }
    timer->is_started = 1; // nothing has run yet, so nothing is earned
    laws_clock_start(&timer->game, chess_other(side), now.ms);
    return LAWS_TIMER_PRESSED;
}

bool laws_timer_pause(LawsTimer *timer, JdInstant now) {
    const uint8_t running = timer->game.clock.running;
    if (running == 0)
        return false;
    (void)laws_timer_look(timer, now);
    laws_clock_stop(&timer->game, now.ms);
    timer->is_paused = running;
    return true;
}

bool laws_timer_resume(LawsTimer *timer, JdInstant now) {
    if (timer->is_paused == 0)
        return false;
    laws_clock_start(&timer->game, (ChessColor)(timer->is_paused - 1), now.ms);
    timer->is_paused = 0;
    return true;
}

int64_t laws_timer_reading(const LawsTimer *timer, ChessColor side, JdInstant now) {
    return laws_clock_reading(&timer->game, side, now);
}

int64_t laws_timer_delay_left(const LawsTimer *timer, JdInstant now) {
    return laws_clock_delay_left(&timer->game, now);
}

uint8_t laws_timer_running(const LawsTimer *timer) {
    return timer->game.clock.running;
}

bool laws_timer_is_down(const LawsTimer *timer, ChessColor side) {
    return timer->game.clock.flag_down[side] != 0;
}
