// SPDX-License-Identifier: GPL-3.0-or-later
//
// Accounts and connections, and which channels a connection follows.
#include "live/inner.h"

// ---- accounts -----------------------------------------------------------------------------------

static void set_nick(Account *account, JdStr nick) {
    JD_ASSERT(nick.size < LIVE_NICK_SIZE);
    jd_zero(account->nick, sizeof(account->nick));
    jd_copy(account->nick, nick.data, nick.size);
}

// What is not given stays as it is; true when a rating changed, in the lists of *changed.
static bool set_profile(Live *live, Account *account, const LiveProfile *profile,
                        bool changed[RATING_LISTS]) {
    bool any = false;
    for (int list = 0; list < RATING_LISTS && (profile->parts & LIVE_PROFILE_RATINGS); list++) {
        const RatingPlayer now = { profile->rating[list], profile->games[list] };
        RatingPlayer *known = &account->lists[list];
        changed[list] = known->rating != now.rating || known->games != now.games;
        any = any || changed[list];
        *known = now;
    }
    if (profile->parts & LIVE_PROFILE_CONFIRMED)
        account->confirmed = profile->confirmed;
    if (profile->parts & LIVE_PROFILE_BLOCKED) {
        JD_ASSERT(profile->blocked_count <= LIVE_BLOCKED_MAX);
        const size_t size = profile->blocked_count * sizeof(LiveAccount);
        mem_give(&live->memory, account->blocked, account->blocked_count * sizeof(LiveAccount));
        account->blocked = size == 0 ? NULL : mem_take(&live->memory, size);
        account->blocked_count = profile->blocked_count;
        if (size > 0)
            jd_copy(account->blocked, profile->blocked, size);
    }
    return any;
}

bool account_blocks(const Account *account, LiveAccount other) {
    for (size_t i = 0; i < account->blocked_count; i++)
        if (account->blocked[i] == other)
            return true;
    return false;
}

Account *account_find(const Live *live, LiveAccount number) {
    return number == 0 ? NULL : table_find(&live->accounts, key_of_number((uint64_t)number));
}

Account *account_get(Live *live, LiveAccount number, JdStr nick) {
    Account *account = account_find(live, number);
    if (account == NULL) {
        account = mem_take(&live->memory, sizeof(*account));
        account->number = number;
        account->last_seen_ms = live->now_ms;
        account->seq =
            (uint64_t)live->now_ms > live->seq_floor ? (uint64_t)live->now_ms : live->seq_floor;
        for (int list = 0; list < RATING_LISTS; list++)
            account->lists[list].rating = RATING_DEFAULT;
        account->slept = live->sleeps;
        ring_open(&account->notes, sizeof(MeNote), LIVE_ME_RING);
        table_put(&live->accounts, &live->memory, key_of_number((uint64_t)number), account);
    }
    if (nick.size > 0)
        set_nick(account, nick);
    return account;
}

Account *account_with(Live *live, LiveAccount number, JdStr nick, const LiveProfile *given) {
    const bool known = account_find(live, number) != NULL;
    Account *account = account_get(live, number, nick);
    bool changed[RATING_LISTS];
    if (given == NULL)
        return account;
    LiveProfile profile = *given;
    if (known) // what the ratings are is known better here
        profile.parts &= (uint8_t)~LIVE_PROFILE_RATINGS;
    (void)set_profile(live, account, &profile, changed);
    return account;
}

Account *account_of(Live *live, const LiveCommand *command) {
    return account_with(live, command->account, command->nick, command->profile);
}

void account_free(Live *live, Account *account) {
    mem_give(&live->memory, account->blocked, account->blocked_count * sizeof(LiveAccount));
    list_free(&account->games, &live->memory);
    list_free(&account->challenges, &live->memory);
    list_free(&account->invitations, &live->memory);
    ring_free(&account->notes, &live->memory);
    mem_give(&live->memory, account, sizeof(*account));
}

void account_let_go(Live *live, Account *account) {
    if (account->uses > 0 || account->connection_count > 0)
        return;
    if (account->seq > live->seq_floor)
        live->seq_floor = account->seq;
    table_remove(&live->accounts, key_of_number((uint64_t)account->number));
    account_free(live, account);
}

bool live_is_online(const Live *live, LiveAccount number) {
    const Account *account = account_find(live, number);
    return account != NULL && account->connection_count > 0;
}

bool live_account_next(const Live *live, size_t *cursor, LiveAccount *out) {
    const Account *account = table_next(&live->accounts, cursor);
    if (account != NULL)
        *out = account->number;
    return account != NULL;
}

void live_account_name(Live *live, LiveAccount number, JdStr nick) {
    Account *account = account_find(live, number);
    if (account != NULL)
        set_nick(account, nick);
}

void live_account_profile(Live *live, LiveAccount number, const LiveProfile *profile) {
    Account *account = account_find(live, number);
    bool changed[RATING_LISTS];
    if (account != NULL)
        (void)set_profile(live, account, profile, changed);
}

// ---- connections --------------------------------------------------------------------------------

Connection *connection_find(const Live *live, uint64_t number) {
    return table_find(&live->connections, key_of_number(number));
}

static void stop_following(Live *live, Connection *connection, size_t index) {
    const Follow follow = connection->follows[index];
    JD_ASSERT(follow.kind != LIVE_CHANNEL_ME || connection->account != NULL);
    connection->follows[index] = connection->follows[--connection->follow_count];
    if (follow.kind == LIVE_CHANNEL_LOBBY)
        live->lobby_follows--;
    else if (follow.kind == LIVE_CHANNEL_ME)
        connection->account->follows--;
    else
        presence_leave(live, follow.game, connection->account);
}

void people_disconnect(Live *live, Connection *connection) {
    while (connection->follow_count > 0)
        stop_following(live, connection, connection->follow_count - 1);
    table_remove(&live->connections, key_of_number(connection->number));
    Account *account = connection->account;
    if (account != NULL) {
        size_t at = 0;
        while (account->connections[at] != connection)
            at++;
        for (account->connection_count--; at < account->connection_count; at++)
            account->connections[at] = account->connections[at + 1];
        account->last_seen_ms = live->now_ms;
        // They may sleep a while from now.
        for (size_t i = 0; i < account->games.count && account->connection_count == 0; i++)
            game_reschedule(live, account->games.items[i]);
        account_let_go(live, account);
    }
    mem_give(&live->memory, connection, sizeof(*connection));
}

static void close_connection(Live *live, Connection *connection, uint16_t code) {
    LiveEffect *effect = fx_push(live->fx, LIVE_FX_CLOSE);
    effect->connection = connection->number;
    effect->close_code = code;
    people_disconnect(live, connection);
}

void people_connect(Live *live, const LiveCommand *command) {
    if (connection_find(live, command->origin.connection) != NULL)
        return;
    if (live->connections.count >= LIVE_CONNECTIONS_MAX) {
        LiveEffect *effect = fx_push(live->fx, LIVE_FX_CLOSE);
        effect->connection = command->origin.connection;
        effect->close_code = LIVE_CLOSE_FULL;
        return;
    }
    Connection *connection = mem_take(&live->memory, sizeof(*connection));
    connection->number = command->origin.connection;
    table_put(&live->connections, &live->memory, key_of_number(connection->number), connection);
    if (command->account == 0)
        return;
    Account *account = account_of(live, command);
    if (account->connection_count == LIVE_CONNECTIONS_PER_ACCOUNT) {
        account->uses++; // so that it outlives its oldest connection
        close_connection(live, account->connections[0], LIVE_CLOSE_REPLACED);
        account->uses--;
    }
    connection->account = account;
    account->connections[account->connection_count++] = connection;
    account->last_seen_ms = live->now_ms;
}

// ---- following channels -------------------------------------------------------------------------

static size_t follow_index(const Connection *connection, uint8_t kind, const Game *game) {
    size_t at = 0;
    while (at < connection->follow_count &&
           (connection->follows[at].kind != kind || connection->follows[at].game != game))
        at++;
    return at;
}

static void start_following(Live *live, Connection *connection, const LiveChannel *channel,
                            Game *game) {
    connection->follows[connection->follow_count++] = (Follow) { channel->kind, game };
    if (channel->kind == LIVE_CHANNEL_LOBBY)
        live->lobby_follows++;
    else if (channel->kind == LIVE_CHANNEL_ME)
        connection->account->follows++;
    else
        presence_follow(live, game, connection->account);
    LiveEffect *effect = fx_push(live->fx, LIVE_FX_ADD);
    effect->connection = connection->number;
    effect->channel = *channel;
}

// The channel that a command means; false after an error was answered.
static bool find_channel(Live *live, const LiveCommand *command, const Connection *connection,
                         LiveChannel *out, Game **game) {
    const LiveOrigin origin = command->origin;
    jd_zero(out, sizeof(*out));
    out->kind = command->channel.kind;
    *game = NULL;
    switch (command->channel.kind) {
    case LIVE_CHANNEL_LOBBY:
        return true;
    case LIVE_CHANNEL_ME:
        if (connection->account == NULL) {
            (void)fx_error(live->fx, origin, "auth_required", "ch", "a guest has no channel me");
            return false;
        }
        out->account = connection->account->number;
        return true;
    case LIVE_CHANNEL_GAME:
        *game = game_find(live, &command->channel.game);
        if (*game == NULL) {
            (void)fx_error(live->fx, origin, "not_found", "ch", "game %s is not in memory",
                           command->channel.game.text);
            return false;
        }
        out->game = (*game)->fold.id;
        return true;
    default:
        (void)fx_error(live->fx, origin, "bad_request", "ch", "expected lobby, me or game:ID");
        return false;
    }
}

void people_subscribe(Live *live, const LiveCommand *command, Connection *connection) {
    LiveChannel channel;
    Game *game;
    if (!find_channel(live, command, connection, &channel, &game))
        return;
    const bool follows = follow_index(connection, channel.kind, game) < connection->follow_count;
    if (!follows && connection->follow_count == LIVE_CHANNELS_PER_CONNECTION) {
        (void)fx_error(live->fx, command->origin, "bad_request", "ch",
                       "at most %d channels at once", LIVE_CHANNELS_PER_CONNECTION);
        return;
    }
    (void)fx_answer(live->fx, command->origin, LIVE_ANSWER_OK);
    if (!follows)
        start_following(live, connection, &channel, game);
    if (command->has_since)
        send_since(live, connection->number, &channel, connection->account, game, command->since);
    else
        send_state(live, connection->number, &channel, connection->account, game);
    if (game == NULL)
        return;
    chat_greet(live, game, connection);
    premove_greet(live, game, connection);
    // White's clock starts when both boards have loaded.
    if (game->fold.laws.state == LAWS_SCHEDULED && game->loaded[CHESS_WHITE] &&
        game->loaded[CHESS_BLACK])
        game_start(live, game);
    presence_update(live, game);
    game_reschedule(live, game);
}

void people_unsubscribe(Live *live, const LiveCommand *command, Connection *connection) {
    LiveChannel channel = { .kind = command->channel.kind };
    Game *game = NULL;
    if (channel.kind == LIVE_CHANNEL_GAME) {
        game = game_find(live, &command->channel.game);
        channel.game = command->channel.game;
    } else if (connection->account != NULL) {
        channel.account = connection->account->number;
    }
    (void)fx_answer(live->fx, command->origin, LIVE_ANSWER_OK);
    const size_t index = follow_index(connection, channel.kind, game);
    if (index == connection->follow_count || (channel.kind == LIVE_CHANNEL_GAME && game == NULL))
        return;
    if (channel.kind != LIVE_CHANNEL_ME)
        channel.account = 0;
    stop_following(live, connection, index);
    LiveEffect *effect = fx_push(live->fx, LIVE_FX_REMOVE);
    effect->connection = connection->number;
    effect->channel = channel;
}

// No message and no word to those who stay: the games leave with all that is known of them.
void people_drop(Live *live, LiveBelongsFn belongs, void *context) {
    size_t cursor = 0;
    for (Connection *at; (at = table_next(&live->connections, &cursor)) != NULL;)
        for (size_t i = at->follow_count; i-- > 0;) {
            Game *game = at->follows[i].game;
            if (game == NULL || !belongs(context, &game->fold.id))
                continue;
            at->follows[i] = at->follows[--at->follow_count];
            game->follows--;
            LiveEffect *effect = fx_push(live->fx, LIVE_FX_REMOVE);
            effect->connection = at->number;
            effect->channel.kind = LIVE_CHANNEL_GAME;
            effect->channel.game = game->fold.id;
        }
}

// ---- renamed, deleted, rated -------------------------------------------------------------------

void people_account_changed(Live *live, LiveAccount number, JdStr nick) {
    Account *account = account_find(live, number);
    if (account == NULL)
        return;
    account->uses++; // until the end of this function
    set_nick(account, nick);
    if (nick.size == 0) {
        lobby_drop_all_of(live, account);
        while (account->connection_count > 0)
            close_connection(live, account->connections[0], LIVE_CLOSE_ACCOUNT_GONE);
    } else {
        lobby_renamed(live, account);
    }
    for (size_t i = 0; i < account->games.count; i++) {
        Game *game = account->games.items[i];
        game_note_state(live, game);
        me_note(live, game->players[CHESS_WHITE], LIVE_MSG_ROW, game);
        me_note(live, game->players[CHESS_BLACK], LIVE_MSG_ROW, game);
    }
    account->uses--;
    account_let_go(live, account);
}

// Ratings are shown as they are now (S-061): in the lobby, and in running games of the list.
void people_account_profile(Live *live, LiveAccount number, const LiveProfile *profile) {
    Account *account = account_find(live, number);
    bool changed[RATING_LISTS] = { false };
    if (account == NULL || profile == NULL || !set_profile(live, account, profile, changed))
        return;
    lobby_rerated(live, account, changed);
    for (size_t i = 0; i < account->games.count; i++) {
        Game *game = account->games.items[i];
        if (!changed[fold_list(&game->fold)])
            continue;
        game_note_state(live, game);
        me_note(live, game->players[CHESS_WHITE], LIVE_MSG_ROW, game);
        me_note(live, game->players[CHESS_BLACK], LIVE_MSG_ROW, game);
    }
}

// ---- leaving -----------------------------------------------------------------------------------

static bool end_by(Live *live, Game *game, const Account *account, LawsEventKind kind) {
    const ChessColor color = game->players[CHESS_WHITE] == account ? CHESS_WHITE : CHESS_BLACK;
    const LawsEvent event = { .kind = (uint8_t)kind, .actor = (uint8_t)color };
    if (game_apply(live, game, &event, now_of(live)).refusal != LAWS_NOT_REFUSED)
        return false;
    game_project(live, game, true, false);
    game_tell(live, game, true);
    return true;
}

void people_leave(Live *live, LiveAccount number) {
    Account *account = account_find(live, number);
    if (account == NULL)
        return;
    account->uses++; // until the end of this function
    lobby_drop_all_of(live, account);
    // A game that ends leaves the list; one that can be neither aborted nor resigned stays in it.
    for (size_t at = 0; at < account->games.count;) {
        Game *game = account->games.items[at];
        const bool ended = end_by(live, game, account, LAWS_EVENT_ABORT) ||
                           end_by(live, game, account, LAWS_EVENT_RESIGN);
        if (!ended || (at < account->games.count && account->games.items[at] == game))
            at++;
    }
    account->uses--;
    account_let_go(live, account);
}
