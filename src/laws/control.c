// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time controls: what may be played, which pace it is, and its text (spec sections 2.1, 5.1).
#include "laws/inner.h"

// No period, increment or delay is longer than ten years, no quota above 9,999 moves: the sums of a
// whole game stay far from overflow.
#define SPAN_MAX_MS (INT64_C(3650) * 86400000)
#define QUOTA_MAX 9999
#define DAY_MS INT64_C(86400000)

bool laws_control_is_none(const LawsControl *control) {
    return control->period_count == 0 && control->move_ms == 0;
}

bool laws_control_is_slow(const LawsControl *control) {
    return control->move_ms > 0 ||
           (control->period_count > 0 && control->periods[0].time_ms >= DAY_MS);
}

static bool is_span(int64_t ms) {
    return ms >= 0 && ms <= SPAN_MAX_MS;
}

static bool fault(JdErr *err, const char *field, const char *text) {
    return jd_fail_field(err, LAWS_FAULT_CONTROL, field, 0, "%s", text);
}

static bool period_check(const LawsPeriod *period, bool is_last, bool repeats, JdErr *err) {
    if (!is_span(period->time_ms))
        return fault(err, "time", "a period lasts 0 to 3650 days");
    if (!is_span(period->increment_ms))
        return fault(err, "increment", "an increment is 0 to 3650 days");
    if (!is_span(period->delay_ms))
        return fault(err, "delay", "a delay is 0 to 3650 days");
    if (period->delay_kind > LAWS_BRONSTEIN)
        return fault(err, "delay", "unknown kind of delay");
    if ((period->delay_ms > 0) != (period->delay_kind != LAWS_NO_DELAY))
        return fault(err, "delay", "a delay needs both a span and a kind");
    if (period->increment_ms > 0 && period->delay_ms > 0)
        return fault(err, "delay", "increment and delay exclude each other");
    if (period->increment_moves > QUOTA_MAX)
        return fault(err, "increment", "at most 9999 moves may earn the increment");
    if (period->increment_moves > 0 && period->increment_ms == 0)
        return fault(err, "increment", "a number of moves that earn no increment");
    if (period->moves > QUOTA_MAX)
        return fault(err, "moves", "a period asks for at most 9999 moves");
    if (!is_last && period->moves == 0)
        return fault(err, "moves", "only the last period is for all remaining moves");
    if (is_last && period->moves > 0 && !repeats)
        return fault(err, "moves", "the last period must be for all remaining moves or repeat");
    if (is_last && period->moves == 0 && repeats)
        return fault(err, "repeat", "a period for all remaining moves cannot repeat");
    return true;
}

bool laws_control_check(const LawsControl *control, JdErr *err) {
    if (control->repeat > 1 || control->first_increment > 1)
        return fault(err, "switch", "a switch is 0 or 1");
    if (control->move_ms != 0) {
        if (!is_span(control->move_ms))
            return fault(err, "move time", "a move has 1 ms to 3650 days");
        if (control->period_count != 0 || control->repeat != 0 || control->first_increment != 0)
            return fault(err, "move time", "a time per move has no periods");
        return true;
    }
    if (control->period_count == 0)
        return fault(err, "periods", "a control needs a period or a time per move");
    if (control->period_count > LAWS_PERIODS_MAX)
        return fault(err, "periods", "at most 6 periods");
    for (int i = 0; i < control->period_count; i++)
        if (!period_check(&control->periods[i], i + 1 == control->period_count,
                          control->repeat != 0, err))
            return false;
    const LawsPeriod *const first = &control->periods[0];
    if (first->time_ms == 0 && first->increment_ms == 0 && first->delay_ms == 0)
        return fault(err, "time", "the first period gives no time at all");
    for (int i = 1; i < control->period_count; i++)
        if (control->periods[i].time_ms == 0)
            return fault(err, "time", "a later period adds no time");
    if (control->repeat != 0 && first->time_ms == 0)
        return fault(err, "time", "a repeating period adds no time");
    if (control->repeat != 0 && control->period_count == 1 && first->moves == 1)
        return fault(err, "moves", "a repeating period of one move is a time per move");
    return true;
}

// All the time one player has for sixty moves, as pace counts it.
static int64_t pace_value(const LawsControl *control, int factor) {
    int64_t total = 0;
    int64_t added = 0;
    uint32_t moves = 0;
    for (int i = 0; i < control->period_count && i < LAWS_PERIODS_MAX; i++) {
        const LawsPeriod *const period = &control->periods[i];
        total += period->time_ms;
        moves += period->moves;
        int64_t earning = factor;
        if (period->increment_moves > 0 && period->increment_moves < (uint32_t)factor)
            earning = period->increment_moves;
        const int64_t each = period->increment_ms * earning + period->delay_ms * factor;
        if (each > added)
            added = each;
    }
    if (control->repeat != 0 && control->period_count > 0 &&
        control->period_count <= LAWS_PERIODS_MAX) {
        const LawsPeriod *const last = &control->periods[control->period_count - 1];
        for (; last->moves > 0 && moves < 60; moves += last->moves)
            total += last->time_ms;
    }
    return total + added;
}

LawsPace laws_control_pace(LawsEdition edition, const LawsControl *control) {
    // The bounds are the same in every row of an edition.
    const LawsRules *const rules = laws_rules(edition, LAWS_STANDARD, false);
    if (rules == NULL || laws_control_is_none(control) || laws_control_is_slow(control))
        return LAWS_STANDARD;
    const int64_t value = pace_value(control, rules->pace_increment_factor);
    if (value > rules->rapid_max_ms ||
        (value == rules->rapid_max_ms && !rules->rapid_max_inclusive))
        return LAWS_STANDARD;
    if (value > rules->rapid_min_ms || (value == rules->rapid_min_ms && rules->rapid_min_inclusive))
        return LAWS_RAPID;
    return LAWS_BLITZ;
}

// ---- text

static void put_seconds(JdOut *out, int64_t ms) {
    jd_out_i64(out, ms / 1000);
    int64_t rest = ms % 1000;
    if (rest <= 0)
        return;
    jd_out_char(out, '.');
    for (int64_t unit = 100; rest > 0; unit /= 10) {
        jd_out_char(out, (char)('0' + rest / unit));
        rest %= unit;
    }
}

static void put_period(JdOut *out, const LawsPeriod *period) {
    if (period->moves > 0) {
        jd_out_u64(out, period->moves);
        jd_out_char(out, '/');
    }
    put_seconds(out, period->time_ms);
    if (period->increment_ms > 0) {
        jd_out_char(out, '+');
        put_seconds(out, period->increment_ms);
        if (period->increment_moves > 0) {
            jd_out_char(out, 'x');
            jd_out_u64(out, period->increment_moves);
        }
    }
    if (period->delay_ms > 0) {
        jd_out_char(out, period->delay_kind == LAWS_BRONSTEIN ? 'b' : 'd');
        put_seconds(out, period->delay_ms);
    }
}

size_t laws_control_write(const LawsControl *control, char text[LAWS_CONTROL_TEXT_SIZE]) {
    JdOut out = jd_out(text, LAWS_CONTROL_TEXT_SIZE - 1);
    if (control->move_ms > 0) {
        jd_out_cstr(&out, "1/");
        put_seconds(&out, control->move_ms);
    } else if (control->period_count == 0) {
        jd_out_char(&out, '-');
    }
    for (int i = 0; control->move_ms <= 0 && i < control->period_count && i < LAWS_PERIODS_MAX;
         i++) {
        if (i > 0)
            jd_out_char(&out, ':');
        put_period(&out, &control->periods[i]);
    }
    const size_t size = jd_out_str(&out).size;
    text[size] = '\0';
    return size;
}

typedef struct Cursor {
    JdStr text;
    size_t at;
} Cursor;

static char peek(const Cursor *in) {
    return in->at < in->text.size ? in->text.data[in->at] : '\0';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool text_fault(JdErr *err, const Cursor *in, const char *expected) {
    return jd_fail_field(err, LAWS_FAULT_CONTROL_TEXT, "time control", in->at, "expected %s",
                         expected);
}

// At most nine digits without superfluous zeros in front.
static bool parse_number(Cursor *in, int64_t *out, JdErr *err) {
    const size_t start = in->at;
    int64_t value = 0;
    while (is_digit(peek(in)) && in->at - start < 9)
        value = value * 10 + (in->text.data[in->at++] - '0');
    if (in->at == start)
        return text_fault(err, in, "a number");
    if (is_digit(peek(in)))
        return text_fault(err, in, "at most nine digits");
    if (in->text.data[start] == '0' && in->at - start > 1) {
        in->at = start;
        return text_fault(err, in, "a number without leading zeros");
    }
    *out = value;
    return true;
}

static bool parse_fraction(Cursor *in, int64_t *ms, JdErr *err) {
    if (peek(in) != '.')
        return true;
    in->at++;
    if (!is_digit(peek(in)))
        return text_fault(err, in, "a digit after the decimal point");
    int64_t unit = 100;
    for (; is_digit(peek(in)); unit /= 10, in->at++) {
        if (unit == 0)
            return text_fault(err, in, "at most three decimals");
        *ms += (in->text.data[in->at] - '0') * unit;
    }
    return true;
}

static bool parse_seconds(Cursor *in, int64_t *ms, JdErr *err) {
    int64_t seconds = 0;
    if (!parse_number(in, &seconds, err))
        return false;
    *ms = seconds * 1000;
    return parse_fraction(in, ms, err);
}

static bool parse_added(Cursor *in, LawsPeriod *period, JdErr *err) {
    const char sign = peek(in);
    if (sign != '+' && sign != 'd' && sign != 'b')
        return true;
    in->at++;
    if (sign != '+') {
        period->delay_kind = sign == 'b' ? LAWS_BRONSTEIN : LAWS_SIMPLE_DELAY;
        if (!parse_seconds(in, &period->delay_ms, err))
            return false;
        if (period->delay_ms == 0)
            period->delay_kind = LAWS_NO_DELAY;
        return true;
    }
    if (!parse_seconds(in, &period->increment_ms, err))
        return false;
    if (peek(in) != 'x')
        return true;
    in->at++;
    int64_t moves = 0;
    if (!parse_number(in, &moves, err))
        return false;
    period->increment_moves = (uint32_t)moves;
    return true;
}

static bool parse_period(Cursor *in, LawsPeriod *period, JdErr *err) {
    int64_t number = 0;
    if (!parse_number(in, &number, err))
        return false;
    if (peek(in) == '/') {
        in->at++;
        period->moves = (uint32_t)number;
        if (number == 0)
            return text_fault(err, in, "a quota of at least one move");
        if (!parse_seconds(in, &period->time_ms, err))
            return false;
    } else {
        period->time_ms = number * 1000;
        if (!parse_fraction(in, &period->time_ms, err))
            return false;
    }
    return parse_added(in, period, err);
}

bool laws_control_parse(JdStr text, LawsControl *out, JdErr *err) {
    Cursor in = { .text = text };
    LawsControl control = { 0 };
    if (jd_str_equal(text, JD_STR("-"))) {
        *out = control;
        return true;
    }
    for (;;) {
        if (control.period_count == LAWS_PERIODS_MAX)
            return text_fault(err, &in, "at most six periods");
        if (!parse_period(&in, &control.periods[control.period_count++], err))
            return false;
        if (peek(&in) != ':')
            break;
        in.at++;
    }
    if (in.at < text.size)
        return text_fault(err, &in, "'+', 'd', 'b', ':' or the end");
    LawsPeriod *const last = &control.periods[control.period_count - 1];
    if (control.period_count == 1 && last->moves == 1 && last->increment_ms == 0 &&
        last->delay_ms == 0) {
        control = (LawsControl) { .move_ms = last->time_ms };
        if (control.move_ms == 0)
            return text_fault(err, &in, "a time per move above zero");
    } else {
        control.repeat = last->moves > 0;
    }
    if (!laws_control_check(&control, err))
        return false;
    *out = control;
    return true;
}
