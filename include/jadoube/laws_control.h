// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time controls: periods, increments, delays, and a time for every move; their text. Part of
// laws.h, and of use alone.
#ifndef JADOUBE_LAWS_CONTROL_H
#define JADOUBE_LAWS_CONTROL_H

#include <jadoube/base.h>
#include <jadoube/laws_rules.h>
#include <jadoube/limits.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum LawsDelayKind {
    LAWS_NO_DELAY = 0,
    LAWS_SIMPLE_DELAY = 1,
    LAWS_BRONSTEIN = 2
} LawsDelayKind;

typedef struct LawsPeriod {
    uint32_t moves;           // own completed moves this period asks for; 0: all remaining
    uint32_t increment_moves; // own completed moves that earn the increment; 0: all
    int64_t time_ms;
    int64_t increment_ms; // Fischer: added when a move is completed (Article 6.3)
    int64_t delay_ms;     // main time stands still this long at each move
    uint8_t delay_kind;   // LawsDelayKind
    uint8_t reserved[7];
} LawsPeriod;

// A time control (spec section 5.1): periods, or a fixed time for every move.
typedef struct LawsControl {
    LawsPeriod periods[LAWS_PERIODS_MAX];
    int64_t move_ms; // above 0: days-per-move control, periods are unused; nothing is saved, and a
                     // bonus counts within its move
    uint8_t period_count;
    uint8_t repeat;          // the last period begins again and again
    uint8_t first_increment; // increment before the first move as well (over the board)
    uint8_t reserved[5];
} LawsControl;

// Checks a control for use in a game: spans not negative, not all zero, only the last period
// without a move quota, increment and delay not together, sums far from overflow. err: field and
// reason. A first period without time but with an increment starts with that increment on the
// clock, whatever first_increment says: its flag would be down at the start.
JD_MUST_USE JD_API bool laws_control_check(const LawsControl *control, JdErr *err);
// Pace of a control under an edition (section 2.1). Periods with different increments count the
// largest; a repeating quota counts until move 60.
JD_API LawsPace laws_control_pace(LawsEdition edition, const LawsControl *control);
// Whether it is a slow control (section 5.1): a time per move, or a day or more on the clock.
JD_API bool laws_control_is_slow(const LawsControl *control);
#define LAWS_CONTROL_TEXT_SIZE 256
// PGN TimeControl text: "900+10", "40/7200:3600", "1/259200" for three days a move, "-" for none;
// simple delay "900d10", Bronstein "900b10"; "864000+120x360": the increment for the first 360
// moves. A last period with a quota repeats ("40/7200:20/3600"). Spans are seconds, with up to
// three decimals where needed. first_increment has no text: it is a switch beside the control.
// Writes a NUL, returns the size without it.
JD_API size_t laws_control_write(const LawsControl *control, char out[LAWS_CONTROL_TEXT_SIZE]);
JD_MUST_USE JD_API bool laws_control_parse(JdStr text, LawsControl *out, JdErr *err);

#ifdef __cplusplus
}
#endif
#endif
