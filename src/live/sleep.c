// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games by days that nobody needs leave memory, and come back as if they had never left.
//
// A game sleeps in two steps: the shell is asked to put its events into game_record, and when that
// is durable the game is forgotten, unless something has happened to it meanwhile. One that was
// woken only to be looked at is asleep in the database all the while and is forgotten at once.
//
// Nothing about a sleeping game is kept here. What can happen to it without anybody's doing follows
// from its own log (flags, ends of vacations) and from the outages, which are kept for all games
// together: an outage that ended after the last entry of a game found that game running.
#include "live/inner.h"

// ---- falling asleep -----------------------------------------------------------------------------

static int64_t later(int64_t a, int64_t b) {
    return a > b ? a : b;
}

// The next thing that comes to the game by itself. A running game waits for a clock or for the end
// of a vacation, else for nothing: that one stays.
static int64_t wake_of(const Game *game) {
    JdInstant flag;
    ChessColor back;
    const int64_t flag_ms = laws_deadline(&game->fold.laws, &flag) ? flag.ms : LIVE_NEVER;
    return earlier(flag_ms, fold_vacation_end(&game->fold, &back));
}

int64_t sleep_at(const Live *live, const Game *game) {
    if (game->fold.laws.state != LAWS_RUNNING || !fold_is_slow(&game->fold) || game->follows > 0)
        return LIVE_NEVER;
    // A question that is being answered, a move in advance: these are kept here alone.
    if (game->asks || game->premoves[CHESS_WHITE].uci[0] != '\0' ||
        game->premoves[CHESS_BLACK].uci[0] != '\0')
        return LIVE_NEVER;
    if (computer_is_to_move(live, game))
        return LIVE_NEVER;
    int64_t quiet_ms = later(game->empty_since_ms, game->fold.laws.now_ms);
    for (int color = 0; color < 2; color++) {
        if (game->players[color]->connection_count > 0)
            return LIVE_NEVER;
        quiet_ms = later(quiet_ms, game->players[color]->last_seen_ms);
    }
    const int64_t at_ms = quiet_ms + LIVE_SLEEP_AFTER_MS;
    const int64_t wake_ms = wake_of(game);
    if (wake_ms == LIVE_NEVER || wake_ms < at_ms + LIVE_SLEEP_LEAST_MS)
        return LIVE_NEVER;
    // The shell has been asked already, and will answer.
    return game->asleep_seq == game->fold.last_seq && !game->asleep_durable ? LIVE_NEVER : at_ms;
}

static void forget(Live *live, Game *game) {
    live->sleeps++;
    live->stats.games_slept++;
    for (int color = 0; color < 2; color++) {
        game->players[color]->whole = false;
        game->players[color]->slept = live->sleeps;
    }
    game_forget(live, game);
}

void sleep_mingle(Live *live) {
    live->sleeps++;
    size_t cursor = 0;
    for (Account *account; (account = table_next(&live->accounts, &cursor)) != NULL;) {
        account->whole = false;
        account->slept = live->sleeps;
    }
}

bool sleep_begin(Live *live, Game *game) {
    if (game->asleep_seq == game->fold.last_seq) {
        forget(live, game);
        return true;
    }
    game->asleep_seq = game->fold.last_seq;
    game->asleep_durable = false;
    LiveEffect *effect = fx_push(live->fx, LIVE_FX_GAME_SLEEP);
    effect->id = game->fold.id;
    effect->sleep = (LiveSleep) { .wake_ms = wake_of(game), .last_seq = game->fold.last_seq };
    return false;
}

void sleep_done(Live *live, const LiveCommand *command) {
    Game *game = game_find(live, &command->id);
    if (game == NULL || game->asleep_seq != command->ply || game->fold.last_seq != command->ply)
        return;
    game->asleep_durable = true;
    const int64_t rest_ms = sleep_at(live, game);
    if (rest_ms != LIVE_NEVER && rest_ms <= live->now_ms)
        forget(live, game);
    else
        game_reschedule(live, game);
}

// ---- outages ------------------------------------------------------------------------------------

void live_replay_outage(Live *live, const LiveOutage *outage) {
    if (live->outage_count == live->outage_capacity) {
        const size_t capacity = live->outage_capacity == 0 ? 16 : live->outage_capacity * 2;
        live->outages =
            mem_grow(&live->memory, live->outages, live->outage_capacity * sizeof(LiveOutage),
                     capacity * sizeof(LiveOutage));
        live->outage_capacity = capacity;
    }
    live->outages[live->outage_count++] = *outage;
    if (live->newest_event_ms < outage->at_ms)
        live->newest_event_ms = outage->at_ms;
}

void sleep_outage(Live *live, JdSpan span) {
    const LiveOutage outage = { .at_ms = live->now_ms, .span_ms = span.ms };
    live_replay_outage(live, &outage);
    fx_push(live->fx, LIVE_FX_OUTAGE)->outage = outage;
}

// ---- waking -------------------------------------------------------------------------------------

static bool replay_all(Live *live, const LiveSleeper *sleeper, const GameBirth *birth, Game **out,
                       JdErr *err) {
    const LiveLogEvent *first = &sleeper->events[0];
    *out = NULL;
    Game *game = game_create(live, &first->id, birth, first->at);
    for (size_t i = 1; i < sleeper->count; i++) {
        if (live_id_equal(&sleeper->events[i].id, &game->fold.id) &&
            game_replay(live, &sleeper->events[i], err))
            continue;
        game_forget(live, game);
        return false;
    }
    *out = game;
    return true;
}

static void name_players(Live *live, const LiveSleeper *sleeper, const GameBirth *birth) {
    for (int color = 0; color < 2; color++)
        if (account_find(live, birth->players[color]) == NULL) {
            (void)account_get(live, birth->players[color], sleeper->nicks[color]);
            if (sleeper->profiles[color] != NULL)
                live_account_profile(live, birth->players[color], sleeper->profiles[color]);
        }
}

static void let_go(Live *live, const GameBirth *birth) {
    for (int color = 0; color < 2; color++) {
        Account *account = account_find(live, birth->players[color]);
        if (account != NULL)
            account_let_go(live, account);
    }
}

// The game as its log left it goes through what happened since.
static void catch_up(Live *live, Game *game, const LiveSleeper *sleeper) {
    const LiveOutage *outages = sleeper->has_outages ? sleeper->outages : live->outages;
    const size_t count = sleeper->has_outages ? sleeper->outage_count : live->outage_count;
    live->stats.games_woken++;
    game->asleep_seq = game->fold.last_seq;
    game->asleep_durable = true;
    game->empty_since_ms = live->now_ms;
    game->seq = (uint64_t)live->now_ms > live->seq_floor ? (uint64_t)live->now_ms : live->seq_floor;
    for (int color = 0; color < 2; color++)
        game->away_since_ms[color] = live->now_ms;
    for (size_t i = 0; i < count; i++)
        if (outages[i].at_ms > game->fold.laws.now_ms)
            game_interrupt(live, game, (JdSpan) { outages[i].span_ms }, outages[i].at_ms);
    game_expire(live, game, live->now_ms);
    vacation_settle(live, game);
    if (!game->asks && !fold_has_ended(&game->fold))
        mating_reopen(live, game);
    game_reschedule(live, game);
}

bool live_wake(Live *live, const LiveSleeper *sleeper, JdInstant now, LiveEffects *effects,
               JdErr *err) {
    GameBirth birth;
    if (sleeper->count == 0)
        return jd_fail(err, 1, 0, "a game without events");
    if (!fold_birth_read(&sleeper->events[0], &birth, err))
        return false;
    if (game_find(live, &sleeper->events[0].id) != NULL)
        return true;
    if (live->now_ms < now.ms)
        live->now_ms = now.ms;
    live->fx = effects;
    name_players(live, sleeper, &birth);
    Game *game = NULL;
    const bool good = replay_all(live, sleeper, &birth, &game, err);
    if (!good)
        let_go(live, &birth);
    else if (fold_has_ended(&game->fold))
        game_forget(live, game);
    else
        catch_up(live, game, sleeper);
    live->fx = NULL;
    return good;
}

// ---- what a command needs -----------------------------------------------------------------------

static bool needs_account(const Live *live, LiveAccount number, LiveNeed *out) {
    const Account *account = account_find(live, number);
    out->account = number != 0 && (account == NULL || !account->whole);
    return out->account;
}

static bool needs_game(const Live *live, const LiveId *id, LiveNeed *out) {
    out->game = game_find(live, id) == NULL;
    out->id = *id;
    return out->game;
}

bool live_need(const Live *live, const LiveCommand *command, LiveNeed *out) {
    jd_zero(out, sizeof(*out));
    switch ((LiveCommandKind)command->kind) {
    case LIVE_SUBSCRIBE:
        return command->channel.kind == LIVE_CHANNEL_GAME
                   ? needs_game(live, &command->channel.game, out)
                   : command->channel.kind == LIVE_CHANNEL_ME &&
                         needs_account(live, command->account, out);
    case LIVE_CHALLENGE: // a rematch may be a joining
        return command->rematch.text[0] != '\0' && needs_account(live, command->account, out);
    case LIVE_JOIN:
    case LIVE_QUERY_GAMES:
    case LIVE_VACATION:
    case LIVE_VACATION_TOLD:
    case LIVE_ACCOUNT_LEAVES:
        return needs_account(live, command->account, out);
    case LIVE_MOVE:
    case LIVE_DRAW:
        // A move ends his vacation, in all of his games.
        if (vacation_lasts(live, command->account) && needs_account(live, command->account, out))
            return true;
        return needs_game(live, &command->id, out);
    case LIVE_HINT: // none while he plays with people (fair.c)
        return needs_account(live, command->account, out) || needs_game(live, &command->id, out);
    case LIVE_PLAY_COMPUTER:
        return command->fen.size > 0 && needs_account(live, command->account, out);
    case LIVE_RESIGN:
    case LIVE_ABORT:
    case LIVE_FLAG:
    case LIVE_ABANDON:
    case LIVE_QUERY_GAME:
    case LIVE_SAY:
    case LIVE_CHAT_SWITCH:
    case LIVE_TOUCH:
    case LIVE_ADJUST:
    case LIVE_CLAIM_TOUCH:
    case LIVE_PREMOVE:
    case LIVE_TAKE_BACK:
        return needs_game(live, &command->id, out);
    case LIVE_TIMER:
    case LIVE_CONNECT:
    case LIVE_DISCONNECT:
    case LIVE_UNSUBSCRIBE:
    case LIVE_CANCEL:
    case LIVE_DECLINE:
    case LIVE_QUERY_LOBBY:
    case LIVE_QUERY_WATCH:
    case LIVE_ACCOUNT_CHANGED:
    case LIVE_STALLED:
    case LIVE_SLEPT:
    case LIVE_SUMMONED:
    case LIVE_ACCOUNT_PROFILE:
    case LIVE_RATED:
    case LIVE_OVERRULED:
    case LIVE_VERDICT:
        return false;
    }
    return false;
}

void sleep_summoned(Live *live, const LiveCommand *command) {
    Account *account = account_find(live, command->account);
    if (account == NULL)
        return;
    if (account->slept <= command->since)
        account->whole = true;
    account->last_seen_ms = live->now_ms; // somebody is about to ask for them
}

bool live_is_partial(const Live *live, LiveAccount number) {
    const Account *account = account_find(live, number);
    return account != NULL && !account->whole;
}

bool live_birth_players(const LiveLogEvent *first, LiveAccount out[2], JdErr *err) {
    GameBirth birth;
    if (!fold_birth_read(first, &birth, err))
        return false;
    out[CHESS_WHITE] = birth.players[CHESS_WHITE];
    out[CHESS_BLACK] = birth.players[CHESS_BLACK];
    return true;
}

uint64_t live_sleeps(const Live *live) {
    return live->sleeps;
}
