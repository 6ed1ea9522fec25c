// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games and challenges that change hands between the nodes of a site: adopted from their log while
// this node runs, dropped when another one takes them.
#include "live/inner.h"

static bool is_birth(const LiveLogEvent *event) {
    return event->kind == LIVE_EVENT_GAME_CREATED || event->kind == LIVE_EVENT_CHALLENGE_CREATED;
}

bool live_birth_accounts(const LiveLogEvent *event, LiveAccount out[2], size_t *count, JdErr *err) {
    *count = 0;
    if (!is_birth(event))
        return true;
    if (event->kind == LIVE_EVENT_GAME_CREATED ? !live_birth_players(event, out, err)
                                               : !lobby_birth_people(event, out, err))
        return false;
    *count = out[1] == 0 ? 1 : 2;
    return true;
}

bool live_knows(const Live *live, LiveAccount account) {
    return account_find(live, account) != NULL;
}

// ---- replaying ----------------------------------------------------------------------------------

static void name_people(Live *live, const LiveAdoption *adoption) {
    for (size_t i = 0; i < adoption->people_count; i++) {
        const LivePerson *person = &adoption->people[i];
        if (live_knows(live, person->account))
            continue;
        (void)account_get(live, person->account, person->nick);
        if (person->profile != NULL)
            live_account_profile(live, person->account, person->profile);
    }
}

// Those of them to whom nothing here belongs.
static void let_people_go(Live *live, const LiveAdoption *adoption) {
    for (size_t i = 0; i < adoption->people_count; i++) {
        Account *account = account_find(live, adoption->people[i].account);
        if (account != NULL)
            account_let_go(live, account);
    }
}

// Nothing of it is here, and everybody is named.
static bool check(const Live *live, const LiveAdoption *adoption, JdErr *err) {
    for (size_t i = 0; i < adoption->count; i++) {
        const LiveLogEvent *event = &adoption->events[i];
        LiveAccount accounts[2];
        size_t count;
        if (game_find(live, &event->id) != NULL || lobby_find(live, &event->id) != NULL)
            return jd_fail(err, 1, 0, "%s is here already", event->id.text);
        if (!live_birth_accounts(event, accounts, &count, err))
            return false;
        for (size_t k = 0; k < count; k++)
            if (!live_knows(live, accounts[k]))
                return jd_fail(err, 1, 0, "%s: account %lld is not named", event->id.text,
                               (long long)accounts[k]);
    }
    return true;
}

static void undo(Live *live, const LiveAdoption *adoption, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Game *game = game_find(live, &adoption->events[i].id);
        Challenge *challenge = lobby_find(live, &adoption->events[i].id);
        if (game != NULL)
            game_forget(live, game);
        if (challenge != NULL)
            challenge_free(live, challenge);
    }
}

static bool replay(Live *live, const LiveAdoption *adoption, JdErr *err) {
    name_people(live, adoption);
    bool good = check(live, adoption, err);
    for (size_t i = 0; good && i < adoption->count; i++)
        if (!live_replay_event(live, &adoption->events[i], err)) {
            undo(live, adoption, i);
            good = false;
        }
    let_people_go(live, adoption);
    return good;
}

// ---- going on -----------------------------------------------------------------------------------

static int64_t later(int64_t a, int64_t b) {
    return a > b ? a : b;
}

// Everybody whose the adopted entities are; some of them more than once.
static void each_person(Live *live, const LiveAdoption *adoption,
                        void (*visit)(Live *live, Account *account)) {
    for (size_t i = 0; i < adoption->count; i++) {
        LiveAccount accounts[2];
        size_t count;
        JdErr err = { 0 };
        const bool good = live_birth_accounts(&adoption->events[i], accounts, &count, &err);
        JD_ASSERT(good); // it was read before
        for (size_t k = 0; good && k < count; k++)
            visit(live, account_find(live, accounts[k]));
    }
}

// Whoever has no connection here counts as away from now.
static void meet(Live *live, Account *account) {
    account->last_seen_ms = live->now_ms;
    account->meets = true;
}

// Deleted while nobody owned his challenges.
static void part(Live *live, Account *account) {
    if (account->nick[0] == '\0')
        lobby_drop_all_of(live, account);
}

static void tell(Live *live, Account *account) {
    if (!account->meets)
        return;
    account->meets = false;
    me_note_state(live, account);
}

static void go_on(Live *live, const LiveAdoption *adoption) {
    bool any_challenge = false;
    each_person(live, adoption, meet);
    for (size_t i = 0; i < adoption->count; i++) {
        const LiveLogEvent *event = &adoption->events[i];
        if (event->kind == LIVE_EVENT_CHALLENGE_CREATED) {
            lobby_resume(live, lobby_find(live, &event->id));
            any_challenge = true;
        }
        if (event->kind != LIVE_EVENT_GAME_CREATED)
            continue;
        Game *game = game_find(live, &event->id);
        const int64_t alive_ms = later(adoption->last_alive.ms, game->sign_ms);
        game_resume(live, game, alive_ms + adoption->heartbeat.ms);
        if (!fold_has_ended(&game->fold))
            vacation_settle(live, game);
    }
    each_person(live, adoption, part);
    each_person(live, adoption, tell);
    if (any_challenge)
        lobby_note_state(live);
}

// What the games that sleep in these shards were without.
static void tell_outage(Live *live, const LiveAdoption *adoption) {
    int64_t alive_ms = adoption->last_alive.ms;
    if (alive_ms == 0)
        return;
    for (size_t i = 0; i < adoption->count; i++)
        if (adoption->events[i].kind != LAWS_EVENT_INTERRUPTION)
            alive_ms = later(alive_ms, adoption->events[i].at.ms);
    const int64_t span_ms = live->now_ms - alive_ms - adoption->heartbeat.ms;
    if (span_ms > 0)
        fx_push(live->fx, LIVE_FX_OUTAGE)->outage =
            (LiveOutage) { .at_ms = live->now_ms, .span_ms = span_ms, .adopted = true };
}

// Where time goes on: here, unless the former owner's clock is known to have been ahead. Then it
// may have run for a heartbeat more than is known.
static int64_t goes_on_at(const Live *live, const LiveAdoption *adoption) {
    int64_t known_ms = adoption->last_alive.ms;
    for (size_t i = 0; i < adoption->count; i++)
        known_ms = later(known_ms, adoption->events[i].at.ms);
    if (known_ms <= live->now_ms)
        return live->now_ms;
    return later(known_ms, adoption->last_alive.ms + adoption->heartbeat.ms);
}

bool live_adopt(Live *live, const LiveAdoption *adoption, JdInstant now, LiveEffects *effects,
                JdErr *err) {
    if (!replay(live, adoption, err))
        return false;
    live->fx = effects;
    live->now_ms = later(live->now_ms, now.ms);
    const int64_t newest_ms = goes_on_at(live, adoption);
    const int64_t leap_ms = newest_ms - live->now_ms;
    live->now_ms = newest_ms;
    live_credit_all(live, leap_ms);
    tell_outage(live, adoption);
    sleep_mingle(live);
    go_on(live, adoption);
    live->fx = NULL;
    return true;
}

// ---- dropping -----------------------------------------------------------------------------------

// What is remembered of these channels may speak of what has left.
static void forget_notes(Account *account) {
    ring_clear(&account->notes);
}

static void drop_game(Live *live, Game *game) {
    forget_notes(game->players[CHESS_WHITE]);
    forget_notes(game->players[CHESS_BLACK]);
    game_forget(live, game);
}

static void drop_challenge(Live *live, Challenge *challenge) {
    ring_clear(&live->lobby_notes);
    forget_notes(challenge->creator);
    if (challenge->invitee != NULL)
        forget_notes(challenge->invitee);
    challenge_free(live, challenge);
}

// Those that belong, in a list of their own: a table is not walked through while it changes.
static List gather(Live *live, const Table *table, bool games, LiveBelongsFn belongs,
                   void *context) {
    List list = { NULL, 0, 0 };
    size_t cursor = 0;
    for (void *item; (item = table_next(table, &cursor)) != NULL;)
        if (belongs(context, games ? &((Game *)item)->fold.id : &((Challenge *)item)->id))
            list_add(&list, &live->memory, item);
    return list;
}

void live_drop(Live *live, LiveBelongsFn belongs, void *context, LiveEffects *effects) {
    live->fx = effects;
    people_drop(live, belongs, context);
    List games = gather(live, &live->games, true, belongs, context);
    for (size_t i = 0; i < games.count; i++)
        drop_game(live, games.items[i]);
    list_free(&games, &live->memory);
    List challenges = gather(live, &live->challenges, false, belongs, context);
    for (size_t i = 0; i < challenges.count; i++)
        drop_challenge(live, challenges.items[i]);
    list_free(&challenges, &live->memory);
    live->fx = NULL;
}
