// SPDX-License-Identifier: GPL-3.0-or-later
//
// Vacations: while one lasts its player's clocks of games by days stand. It ends at its
// time, or when he moves in such a game, or when he says so.
//
// In each game it is an entry that says until when, then the Laws' HOLD; the UNHOLD comes when it
// ends. So a game's own log tells all of it, and a game that slept through the end loses nothing.
// Beginning one and ending one early take all games of the account, so they need them in memory
// (live_need). Here only the vacations that last are known, for games that begin meanwhile.
#include "live/inner.h"

#define DAY_MS INT64_C(86400000)

static Vacation *vacation_of(const Live *live, LiveAccount account) {
    return table_find(&live->vacations, key_of_number((uint64_t)account));
}

static bool lasts(const Live *live, const Vacation *vacation) {
    return vacation != NULL && vacation->until_ms > live->now_ms;
}

void live_replay_vacation(Live *live, LiveAccount account, int64_t from_ms, int64_t until_ms) {
    Vacation *vacation = vacation_of(live, account);
    if (vacation == NULL) {
        vacation = mem_take(&live->memory, sizeof(*vacation));
        table_put(&live->vacations, &live->memory, key_of_number((uint64_t)account), vacation);
    }
    *vacation = (Vacation) { account, from_ms, until_ms, until_ms };
}

static void keep(Live *live, const Vacation *vacation, int64_t ended_ms) {
    fx_push(live->fx, LIVE_FX_VACATION)->vacation = (LiveVacation) {
        .account = vacation->account,
        .from_ms = vacation->from_ms,
        .until_ms = vacation->planned_ms,
        .ended_ms = ended_ms,
    };
}

// Everybody at the game learns whose clock stands until when.
static void tell(Live *live, Game *game) {
    game_project(live, game, true, false);
    game_note_state(live, game);
    game_tell(live, game, true);
}

static void hold(Live *live, Game *game, ChessColor side, int64_t until_ms) {
    if (!fold_is_by_days(&game->fold) || game->fold.laws.state != LAWS_RUNNING ||
        game->fold.vacation_until_ms[side] != LIVE_NEVER)
        return;
    unsigned char body[FOLD_VACATION_BODY];
    fold_vacation(&game->fold, side, until_ms, body);
    const LiveLogEvent entry = {
        .id = game->fold.id,
        .seq = game->fold.last_seq,
        .at = now_of(live),
        .actor = LAWS_SERVER,
        .kind = LIVE_EVENT_VACATION,
        .body = body,
        .body_size = sizeof(body),
    };
    fx_log(live->fx, &entry);
    const LawsEvent event = { .kind = LAWS_EVENT_HOLD,
                              .actor = LAWS_SERVER,
                              .side = (uint8_t)side };
    const LawsVerdict verdict = game_apply(live, game, &event, now_of(live));
    JD_ASSERT(verdict.refusal == LAWS_NOT_REFUSED);
    tell(live, game);
}

static void unhold(Live *live, Game *game, ChessColor side) {
    if (game->fold.laws.state != LAWS_RUNNING || game->fold.vacation_until_ms[side] == LIVE_NEVER)
        return;
    const LawsEvent event = { .kind = LAWS_EVENT_UNHOLD,
                              .actor = LAWS_SERVER,
                              .side = (uint8_t)side };
    const LawsVerdict verdict = game_apply(live, game, &event, now_of(live));
    JD_ASSERT(verdict.refusal == LAWS_NOT_REFUSED);
    tell(live, game);
}

static ChessColor side_of(const Game *game, const Account *account) {
    return game->players[CHESS_WHITE] == account ? CHESS_WHITE : CHESS_BLACK;
}

static void hold_all(Live *live, const Account *account, int64_t until_ms) {
    for (size_t i = 0; account != NULL && i < account->games.count; i++)
        hold(live, account->games.items[i], side_of(account->games.items[i], account), until_ms);
}

static void unhold_all(Live *live, const Account *account) {
    for (size_t i = 0; account != NULL && i < account->games.count; i++)
        unhold(live, account->games.items[i], side_of(account->games.items[i], account));
}

static void finish(Live *live, Account *account, Vacation *vacation) {
    keep(live, vacation, live->now_ms);
    vacation->until_ms = live->now_ms;
    unhold_all(live, account);
}

void vacation_moved(Live *live, Game *game, ChessColor color) {
    Account *account = game->players[color];
    Vacation *vacation = vacation_of(live, account->number);
    if (fold_is_by_days(&game->fold) && lasts(live, vacation))
        finish(live, account, vacation);
}

void vacation_new_game(Live *live, Game *game) {
    for (int color = 0; color < 2; color++) {
        const Vacation *vacation = vacation_of(live, game->players[color]->number);
        if (lasts(live, vacation))
            hold(live, game, (ChessColor)color, vacation->until_ms);
    }
}

static void answer(Live *live, const LiveCommand *command, const Vacation *vacation) {
    LiveAnswer *told = fx_answer(live->fx, command->origin, LIVE_ANSWER_VACATION);
    told->vacation = (LiveVacation) {
        .account = command->account,
        .from_ms = vacation != NULL ? vacation->from_ms : LIVE_NEVER,
        .until_ms = vacation != NULL ? vacation->until_ms : LIVE_NEVER,
        .ended_ms = LIVE_NEVER,
    };
}

static void begin(Live *live, const LiveCommand *command) {
    const LiveOrigin origin = command->origin;
    if (command->days > LIVE_VACATION_DAYS_MAX) {
        (void)fx_error(live->fx, origin, "vacation_days", "days", "expected 1 to %d days",
                       LIVE_VACATION_DAYS_MAX);
        return;
    }
    if (command->used_days + command->days > LIVE_VACATION_DAYS_YEAR) {
        (void)fx_error(live->fx, origin, "vacation_days", "days", "%d of %d days a year are used",
                       command->used_days, LIVE_VACATION_DAYS_YEAR);
        return;
    }
    if (lasts(live, vacation_of(live, command->account))) {
        (void)fx_error(live->fx, origin, "conflict", "days", "a vacation lasts already");
        return;
    }
    live_replay_vacation(live, command->account, live->now_ms,
                         live->now_ms + command->days * DAY_MS);
    const Vacation *vacation = vacation_of(live, command->account);
    keep(live, vacation, LIVE_NEVER);
    hold_all(live, account_find(live, command->account), vacation->until_ms);
    answer(live, command, vacation);
}

static void end(Live *live, const LiveCommand *command) {
    Vacation *vacation = vacation_of(live, command->account);
    Account *account = account_find(live, command->account);
    if (!lasts(live, vacation)) {
        (void)fx_error(live->fx, command->origin, "conflict", "days", "no vacation lasts");
        return;
    }
    finish(live, account, vacation);
    answer(live, command, NULL);
}

void vacation_command(Live *live, const LiveCommand *command) {
    if (command->account == 0)
        (void)fx_error(live->fx, command->origin, "auth_required", NULL, "guests have no games");
    else if (command->days > 0)
        begin(live, command);
    else
        end(live, command);
}

// ---- what other nodes know of vacations ---------------------------------------------------------

// Beginning and end may come from different nodes and so in the wrong order: one that is over stays
// known as such, and its beginning is then no news.
void vacation_told(Live *live, const LiveCommand *command) {
    const LiveVacation *told = command->vacation;
    if (told == NULL)
        return;
    const Vacation *known = vacation_of(live, told->account);
    if (known != NULL && known->from_ms > told->from_ms)
        return; // of an earlier one
    const bool ends = told->ended_ms != LIVE_NEVER;
    const bool over = known != NULL && known->from_ms == told->from_ms && !lasts(live, known);
    if (over && !ends)
        return;
    live_replay_vacation(live, told->account, told->from_ms, told->until_ms);
    if (ends)
        vacation_of(live, told->account)->until_ms = told->ended_ms;
    const Account *account = account_find(live, told->account);
    if (ends)
        unhold_all(live, account);
    else if (told->until_ms > live->now_ms)
        hold_all(live, account, told->until_ms);
}

void vacation_settle(Live *live, Game *game) {
    for (int color = 0; color < 2; color++) {
        const Vacation *vacation = vacation_of(live, game->players[color]->number);
        if (lasts(live, vacation))
            hold(live, game, (ChessColor)color, vacation->until_ms);
        else if (vacation != NULL && game->fold.vacation_until_ms[color] == vacation->planned_ms)
            unhold(live, game, (ChessColor)color);
    }
}

bool vacation_lasts(const Live *live, LiveAccount account) {
    return account != 0 && lasts(live, vacation_of(live, account));
}
