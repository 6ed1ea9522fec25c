// SPDX-License-Identifier: GPL-3.0-or-later
#include "books.h"

static const LawsControl *control_of(const Books *books, int color) {
    return &books->game->setup.control[color];
}

static const LawsPeriod *period_of(const Books *books, int color) {
    return &control_of(books, color)->periods[books->period[color]];
}

static bool has_clock(const Books *books, int color) {
    return control_of(books, color)->move_ms > 0 || control_of(books, color)->period_count > 0;
}

static int64_t balance(const Books *books, int color) {
    return books->begun[color] + books->granted[color] - books->used[color];
}

// Main time of a turn of that length: nothing within the delay.
static int64_t main_time(const Books *books, int color, int64_t elapsed) {
    const int64_t delay =
        control_of(books, color)->move_ms > 0 ? 0 : period_of(books, color)->delay_ms;
    return elapsed > delay ? elapsed - delay : 0;
}

void books_open(Books *books, const LawsGame *game) {
    *books = (Books) { .game = game, .are_kept = !game->desk.is_active };
    for (int color = 0; color < 2; color++) {
        const LawsControl *const control = control_of(books, color);
        const LawsPeriod *const first = &control->periods[0];
        if (control->move_ms > 0)
            books->begun[color] = control->move_ms;
        else if (control->period_count > 0)
            books->begun[color] =
                first->time_ms +
                (control->first_increment || first->time_ms == 0 ? first->increment_ms : 0);
    }
}

int64_t books_reading(const Books *books, int color, int64_t at_ms) {
    if (!has_clock(books, color))
        return 0;
    const int64_t elapsed =
        books->running == 1 + color && at_ms > books->start_ms ? at_ms - books->start_ms : 0;
    const int64_t left = balance(books, color) - main_time(books, color, elapsed);
    return left > 0 ? left : 0;
}

// Network credit: at most 0.3 s of a move and 1 s of ten, and never more than the move took.
static int64_t credit_for(Books *books, int color, int64_t wanted, int64_t elapsed) {
    if (books->moves[color] % 10 == 0)
        books->credit[color] = 0;
    int64_t credit = 1000 - books->credit[color];
    if (credit > 300)
        credit = 300;
    if (credit > wanted)
        credit = wanted;
    if (credit > elapsed)
        credit = elapsed;
    books->credit[color] += credit;
    return credit;
}

static void enter_move(Books *books, int color, int64_t wanted_credit, int64_t at_ms) {
    const LawsControl *const control = control_of(books, color);
    const int64_t elapsed = at_ms - books->start_ms;
    if (control->move_ms > 0) {
        // A time per move: whatever is left of it, or was given for it, is gone.
        books->used[color] = 0;
        books->granted[color] = 0;
    } else if (has_clock(books, color)) {
        const LawsPeriod *const period = period_of(books, color);
        const int64_t credit = credit_for(books, color, wanted_credit, elapsed);
        const int64_t with = main_time(books, color, elapsed);
        books->used[color] += with;
        books->granted[color] += with - main_time(books, color, elapsed - credit);
        if (period->increment_moves == 0 || books->period_moves[color] < period->increment_moves)
            books->granted[color] += period->increment_ms;
        const bool is_last = books->period[color] + 1 == control->period_count;
        books->period_moves[color]++;
        if (period->moves > 0 && books->period_moves[color] == period->moves &&
            (!is_last || control->repeat)) {
            books->period[color] = (uint8_t)(books->period[color] + !is_last);
            books->period_moves[color] = 0;
            books->granted[color] += period_of(books, color)->time_ms;
        }
    }
    books->moves[color]++;
    books->running = (uint8_t)(1 + (color ^ 1));
    books->start_ms = at_ms;
}

// Section 2.5 of the rules specification: the cut of the claimant's own time, 1997 and 2005.
static int64_t cut_of(int64_t left_ms) {
    if (left_ms > 120000)
        return left_ms / 2 < 180000 ? left_ms / 2 : 180000;
    return left_ms > 60000 ? left_ms - 60000 : 0;
}

static void enter_wrong_claim(Books *books, int color, int64_t at_ms) {
    const LawsSetup *const setup = &books->game->setup;
    const LawsRules *const rules =
        laws_rules((LawsEdition)setup->edition, (LawsPace)setup->pace, setup->supervised != 0);
    if (setup->slow_no_penalty)
        return;
    if (has_clock(books, color ^ 1))
        books->granted[color ^ 1] += rules->wrong_claim_bonus_ms;
    if (rules->wrong_claim_cuts_time)
        books->used[color] += cut_of(books_reading(books, color, at_ms));
}

void books_enter(Books *books, const LawsEvent *event, const LawsVerdict *verdict, int64_t at_ms) {
    const LawsGame *const game = books->game;
    if (!books->are_kept)
        return;
    if (game->desk.is_active || game->clock.flag_down[0] || game->clock.flag_down[1] ||
        (books->running != 0 && has_clock(books, books->running - 1) &&
         books_reading(books, books->running - 1, at_ms) == 0)) {
        books->are_kept = false;
        return;
    }
    if (verdict->refusal != LAWS_NOT_REFUSED)
        return;
    switch (event->kind) {
    case LAWS_EVENT_START:
        books->running = (uint8_t)(1 + game->position.side_to_move);
        books->start_ms = at_ms;
        break;
    case LAWS_EVENT_MOVE:
        enter_move(books, event->actor, event->span_ms, at_ms);
        break;
    case LAWS_EVENT_INTERRUPTION: {
        const int64_t most = at_ms - books->last_ms;
        books->start_ms += event->span_ms < most ? event->span_ms : most;
        break;
    }
    case LAWS_EVENT_CLAIM_REP:
    case LAWS_EVENT_CLAIM_50:
    case LAWS_EVENT_CLAIM_DRAW:
        if (verdict->claim_wrong)
            enter_wrong_claim(books, event->actor, at_ms);
        break;
    default:
        break;
    }
    if (event->kind != LAWS_EVENT_TICK)
        books->last_ms = at_ms;
}
