// SPDX-License-Identifier: GPL-3.0-or-later
//
// A chess clock by itself, without a board: two displays of which never both run (Article 6.1). The
// arithmetic is that of the clock of a game. Pure: time is an argument.
#ifndef JADOUBE_LAWS_TIMER_H
#define JADOUBE_LAWS_TIMER_H

#include <jadoube/laws.h>

#ifdef __cplusplus
extern "C" {
#endif

// A second press within this time is the same press: hands bounce.
#define LAWS_TIMER_BOUNCE_MS 50

typedef struct LawsTimer {
    LawsGame game; // its setup's controls and its clock are used, and nothing else
    int64_t pressed_ms;
    int64_t fallen_ms[2]; // when that flag fell; valid when it is down
    uint8_t is_started;   // neutral until somebody presses
    uint8_t is_paused;    // whose clock runs after the pause: 1 + colour; 0: not paused
    uint8_t first_fallen; // 1 + colour whose flag fell first; 0: none is down
    uint8_t reserved[5];
} LawsTimer;

typedef enum LawsTimerPress {
    LAWS_TIMER_PRESSED = 0,
    LAWS_TIMER_BOUNCED = 1,     // within LAWS_TIMER_BOUNCE_MS of the last press
    LAWS_TIMER_NOT_RUNNING = 2, // the other side's clock runs: that press does nothing
    LAWS_TIMER_PAUSED = 3,
} LawsTimerPress;

// Sets both sides' time; they may differ (odds). Neither runs. err: as laws_control_check.
JD_MUST_USE JD_API bool laws_timer_set(LawsTimer *timer, const LawsControl control[2], JdErr *err);
// Somebody presses his own side: his clock stops, an increment is added, the other one starts.
// Before the first press both are neutral, and whoever presses starts the other's.
JD_API LawsTimerPress laws_timer_press(LawsTimer *timer, ChessColor side, JdInstant now);
// Stops both; goes on with the one that ran. False when there is nothing to stop or to resume.
JD_API bool laws_timer_pause(LawsTimer *timer, JdInstant now);
JD_API bool laws_timer_resume(LawsTimer *timer, JdInstant now);
// Notes flags that have fallen by now, each at its own instant. A fallen flag stops nothing: it is
// for the players to see it (Article 6.8). True when one was noted.
JD_API bool laws_timer_look(LawsTimer *timer, JdInstant now);
// The reading of a side; 0 when its flag is down.
JD_API int64_t laws_timer_reading(const LawsTimer *timer, ChessColor side, JdInstant now);
// What is left of the running side's delay; 0 without.
JD_API int64_t laws_timer_delay_left(const LawsTimer *timer, JdInstant now);
// 1 + colour of the clock that runs; 0: none.
JD_API uint8_t laws_timer_running(const LawsTimer *timer);
JD_API bool laws_timer_is_down(const LawsTimer *timer, ChessColor side);

#ifdef __cplusplus
}
#endif
#endif
