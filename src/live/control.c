// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time controls as people write them (S-032, R-011) and as the Laws know them.
#include "live/control.h"

#define BASE_MAX_MS (180 * 60 * 1000)
#define EXTRA_MAX_MS (180 * 1000)
#define PERIOD_MOVES_MAX 200
#define DAYS_MAX 14
#define DAY_MS INT64_C(86400000)

static bool fault(JdErr *err, const char *field, const char *text) {
    return jd_fail_field(err, 1, field, 0, "%s", text);
}

// Increment and delay: whole seconds, one of the two.
static bool check_extra(const LivePeriod *period, JdErr *err) {
    if (period->increment_ms < 0 || period->increment_ms > EXTRA_MAX_MS ||
        period->increment_ms % 1000 != 0)
        return fault(err, "increment_ms", "expected 0 to 180 whole seconds of increment");
    if (period->delay_ms < 0 || period->delay_ms > EXTRA_MAX_MS || period->delay_ms % 1000 != 0)
        return fault(err, "delay_ms", "expected 0 to 180 whole seconds of delay");
    if (period->increment_ms > 0 && period->delay_ms > 0)
        return fault(err, "delay_ms", "increment and delay exclude each other");
    return true;
}

static bool check_clock(const LiveControl *control, JdErr *err) {
    const LivePeriod *period = &control->periods[0];
    const int64_t step = period->time_ms < 5 * 60000 ? 30000 : 60000;
    if (period->time_ms < 0 || period->time_ms > BASE_MAX_MS || period->time_ms % step != 0)
        return fault(err, "base_ms",
                     "expected 0 to 180 minutes in steps of one, half a minute below five");
    if (!check_extra(period, err))
        return false;
    if (period->time_ms + period->increment_ms + period->delay_ms == 0)
        return fault(err, "base_ms", "a game needs some time: 0+0 is none");
    return true;
}

static bool check_periods(const LiveControl *control, JdErr *err) {
    if (control->period_count < 1 || control->period_count > LAWS_PERIODS_MAX)
        return fault(err, "periods", "expected 1 to 6 periods");
    for (int i = 0; i < control->period_count; i++) {
        const LivePeriod *period = &control->periods[i];
        const bool last = i == control->period_count - 1;
        if (last ? period->moves != 0 : period->moves < 1 || period->moves > PERIOD_MOVES_MAX)
            return fault(err, "moves", "expected 1 to 200 moves, and 0 in the last period only");
        if (period->time_ms < 1000 || period->time_ms > BASE_MAX_MS || period->time_ms % 1000 != 0)
            return fault(err, "time_ms", "expected 1 to 10800 whole seconds");
        if (!check_extra(period, err))
            return false;
    }
    return true;
}

// S-032: whoever wants another span per move takes days per move.
static bool check_bank(const LiveControl *control, JdErr *err) {
    const LivePeriod *bank = &control->periods[0];
    if (control->period_count != 1 || bank->moves != 0 || bank->delay_ms != 0 ||
        bank->time_ms != LIVE_BANK_MS)
        return fault(err, "base_ms", "expected a bank of 10 days");
    if (bank->increment_ms != LIVE_BANK_INCREMENT_MS)
        return fault(err, "increment_ms", "expected 2 minutes for each move");
    if (bank->increment_moves != LIVE_BANK_MOVES)
        return fault(err, "increment_moves", "expected 360 moves that earn the increment");
    return true;
}

static LawsPeriod to_laws(const LivePeriod *period) {
    return (LawsPeriod) {
        .moves = period->moves,
        .increment_moves = period->increment_moves,
        .time_ms = period->time_ms,
        .increment_ms = period->increment_ms,
        .delay_ms = period->delay_ms,
        .delay_kind = period->delay_ms > 0 ? LAWS_SIMPLE_DELAY : LAWS_NO_DELAY,
    };
}

bool live_control_to_laws(const LiveControl *control, LawsControl *out, JdErr *err) {
    LawsControl laws;
    jd_zero(&laws, sizeof(laws));
    switch (control->kind) {
    case LIVE_CONTROL_CLOCK:
        if (!check_clock(control, err))
            return false;
        laws.period_count = 1;
        laws.periods[0] = to_laws(&control->periods[0]);
        laws.periods[0].moves = 0;
        laws.periods[0].increment_moves = 0;
        // no increment before the first move (the Laws make an exception for 0+5).
        break;
    case LIVE_CONTROL_PERIODS:
        if (!check_periods(control, err))
            return false;
        laws.period_count = control->period_count;
        for (int i = 0; i < control->period_count; i++)
            laws.periods[i] = to_laws(&control->periods[i]);
        for (int i = 0; i < control->period_count; i++)
            laws.periods[i].increment_moves = 0;
        break;
    case LIVE_CONTROL_BANK:
        if (!check_bank(control, err))
            return false;
        laws.period_count = 1;
        laws.periods[0] = to_laws(&control->periods[0]);
        break;
    case LIVE_CONTROL_DAYS:
        if (control->days < 1 || control->days > DAYS_MAX)
            return fault(err, "days", "expected 1 to 14 days for a move");
        laws.move_ms = control->days * DAY_MS;
        break;
    default:
        return fault(err, "kind", "expected clock, periods, days or bank");
    }
    if (!laws_control_check(&laws, err))
        return false;
    *out = laws;
    return true;
}

LiveControl live_control_from_laws(const LawsControl *control) {
    LiveControl out;
    jd_zero(&out, sizeof(out));
    if (control->move_ms > 0) {
        out.kind = LIVE_CONTROL_DAYS;
        out.days = (uint8_t)(control->move_ms / DAY_MS);
        return out;
    }
    out.kind = laws_control_is_slow(control) ? LIVE_CONTROL_BANK
               : control->period_count == 1  ? LIVE_CONTROL_CLOCK
                                             : LIVE_CONTROL_PERIODS;
    out.period_count = control->period_count;
    for (int i = 0; i < control->period_count; i++)
        out.periods[i] = (LivePeriod) {
            .moves = control->periods[i].moves,
            .increment_moves = control->periods[i].increment_moves,
            .time_ms = control->periods[i].time_ms,
            .increment_ms = control->periods[i].increment_ms,
            .delay_ms = control->periods[i].delay_ms,
        };
    return out;
}

bool live_control_is_slow(const LiveControl *control) {
    return control->kind == LIVE_CONTROL_DAYS || control->kind == LIVE_CONTROL_BANK;
}

// The limits of are those of the newest edition.
LawsPace live_control_category(const LiveControl *control) {
    LawsControl laws;
    JdErr err = { 0 };
    return live_control_to_laws(control, &laws, &err) ? laws_control_pace(LAWS_FIDE_2023, &laws)
                                                      : LAWS_STANDARD;
}

void control_write(const LiveControl *control, Writer *out) {
    write_number(out, control->kind, 1);
    write_number(out, control->period_count, 1);
    write_number(out, control->days, 1);
    for (int i = 0; i < control->period_count; i++) {
        write_number(out, control->periods[i].moves, 4);
        write_number(out, (uint64_t)control->periods[i].time_ms, 8);
        write_number(out, (uint64_t)control->periods[i].increment_ms, 8);
        write_number(out, (uint64_t)control->periods[i].delay_ms, 8);
        if (control->kind == LIVE_CONTROL_BANK)
            write_number(out, control->periods[i].increment_moves, 4);
    }
}

void control_read(Reader *in, LiveControl *out) {
    jd_zero(out, sizeof(*out));
    out->kind = (uint8_t)read_number(in, 1);
    out->period_count = (uint8_t)read_number(in, 1);
    out->days = (uint8_t)read_number(in, 1);
    if (out->period_count > LAWS_PERIODS_MAX)
        in->failed = true;
    for (int i = 0; i < out->period_count && !in->failed; i++) {
        out->periods[i].moves = (uint32_t)read_number(in, 4);
        out->periods[i].time_ms = (int64_t)read_number(in, 8);
        out->periods[i].increment_ms = (int64_t)read_number(in, 8);
        out->periods[i].delay_ms = (int64_t)read_number(in, 8);
        if (out->kind == LIVE_CONTROL_BANK)
            out->periods[i].increment_moves = (uint32_t)read_number(in, 4);
    }
}
