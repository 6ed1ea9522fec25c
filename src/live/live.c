// SPDX-License-Identifier: GPL-3.0-or-later
//
// A step: what is due, then the command.
#include "live/live.h"
#include "live/inner.h"

// ---- commands -----------------------------------------------------------------------------------

bool live_changes_entity(uint8_t kind) {
    switch ((LiveCommandKind)kind) {
    case LIVE_CANCEL:
    case LIVE_JOIN:
    case LIVE_MOVE:
    case LIVE_DRAW:
    case LIVE_RESIGN:
    case LIVE_ABORT:
    case LIVE_FLAG:
    case LIVE_ABANDON:
    case LIVE_DECLINE:
    case LIVE_SAY:
    case LIVE_CHAT_SWITCH:
    case LIVE_TOUCH:
    case LIVE_ADJUST:
    case LIVE_CLAIM_TOUCH:
    case LIVE_PREMOVE:
    case LIVE_TAKE_BACK:
    case LIVE_HINT:
        return true;
    case LIVE_TIMER:
    case LIVE_CONNECT:
    case LIVE_DISCONNECT:
    case LIVE_SUBSCRIBE:
    case LIVE_UNSUBSCRIBE:
    case LIVE_CHALLENGE:
    case LIVE_PLAY_COMPUTER:
    case LIVE_QUERY_GAME:
    case LIVE_QUERY_LOBBY:
    case LIVE_QUERY_GAMES:
    case LIVE_QUERY_WATCH:
    case LIVE_ACCOUNT_CHANGED:
    case LIVE_ACCOUNT_LEAVES:
    case LIVE_ACCOUNT_PROFILE:
    case LIVE_STALLED:
    case LIVE_RATED:
    case LIVE_VERDICT:
    case LIVE_SLEPT:
    case LIVE_OVERRULED:
    case LIVE_VACATION:
    case LIVE_VACATION_TOLD:
    case LIVE_SUMMONED:
        return false;
    }
    return false;
}

// ---- ids ----------------------------------------------------------------------------------------

static const char id_alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static bool is_id_char(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

bool live_id_parse(JdStr text, LiveId *out) {
    if (text.size != LIVE_ID_CHARS)
        return false;
    for (size_t i = 0; i < LIVE_ID_CHARS; i++)
        if (!is_id_char(text.data[i]))
            return false;
    jd_zero(out, sizeof(*out));
    jd_copy(out->text, text.data, LIVE_ID_CHARS);
    return true;
}

LiveId live_id_of_bytes(const uint8_t bytes[9]) {
    LiveId id;
    jd_zero(&id, sizeof(id));
    for (int group = 0; group < 3; group++) {
        const uint32_t bits = (uint32_t)bytes[group * 3] << 16 |
                              (uint32_t)bytes[group * 3 + 1] << 8 | bytes[group * 3 + 2];
        for (int i = 0; i < 4; i++)
            id.text[group * 4 + i] = id_alphabet[bits >> (18 - 6 * i) & 63];
    }
    return id;
}

bool live_id_equal(const LiveId *a, const LiveId *b) {
    return jd_bytes_equal(a->text, b->text, LIVE_ID_CHARS);
}

bool live_channel_equal(const LiveChannel *a, const LiveChannel *b) {
    return a->kind == b->kind && a->account == b->account && live_id_equal(&a->game, &b->game);
}

// ---- opening, closing ---------------------------------------------------------------------------

Live *live_open(const LiveMemory *memory, JdInstant now) {
    Memory counted = { *memory, 0 };
    Live *live = mem_take(&counted, sizeof(*live));
    live->memory = counted;
    live->now_ms = now.ms;
    live->lobby_seq = (uint64_t)now.ms;
    ring_open(&live->lobby_notes, sizeof(LobbyNote), LIVE_LOBBY_RING);
    live->mating = LAWS_MATING_EXACT;
    return live;
}

void live_ask_always(Live *live) {
    live->mating = LAWS_MATING_ASKED;
}

static void free_all(Live *live) {
    Memory *memory = &live->memory;
    size_t cursor = 0;
    for (Game *game; (game = table_next(&live->games, &cursor)) != NULL;) {
        ring_free(&game->notes, memory);
        mem_give(memory, game->fold.laws.plies, game->fold.laws.ply_capacity * sizeof(LawsPly));
        mem_give(memory, game, sizeof(*game));
    }
    cursor = 0;
    for (Challenge *challenge; (challenge = table_next(&live->challenges, &cursor)) != NULL;)
        mem_give(memory, challenge, sizeof(*challenge));
    cursor = 0;
    for (Connection *connection; (connection = table_next(&live->connections, &cursor)) != NULL;)
        mem_give(memory, connection, sizeof(*connection));
    cursor = 0;
    for (Account *account; (account = table_next(&live->accounts, &cursor)) != NULL;)
        account_free(live, account);
    table_free(&live->games, memory);
    table_free(&live->challenges, memory);
    table_free(&live->connections, memory);
    table_free(&live->accounts, memory);
    heap_free(&live->due, memory);
    cursor = 0;
    for (Vacation *vacation; (vacation = table_next(&live->vacations, &cursor)) != NULL;)
        mem_give(memory, vacation, sizeof(*vacation));
    table_free(&live->vacations, memory);
    mem_give(memory, live->outages, live->outage_capacity * sizeof(LiveOutage));
    ring_free(&live->lobby_notes, memory);
}

void live_close(Live *live) {
    free_all(live);
    Memory memory = live->memory;
    JD_ASSERT(memory.bytes == sizeof(*live)); // nothing was lost
    mem_give(&memory, live, sizeof(*live));
}

// ---- steps --------------------------------------------------------------------------------------

_Static_assert(offsetof(Game, due) != 0 && offsetof(Challenge, due) != 0, "owners are found back");

static void serve_due(Live *live) {
    for (HeapNode *node; (node = heap_first(&live->due)) != NULL && node->at_ms <= live->now_ms;) {
        if (node->owner == DUE_GAME)
            game_due(live, (Game *)(void *)((char *)node - offsetof(Game, due)));
        else
            lobby_due(live, (Challenge *)(void *)((char *)node - offsetof(Challenge, due)));
    }
}

void live_credit_all(Live *live, int64_t span_ms) {
    if (span_ms <= 0)
        return;
    sleep_outage(live, (JdSpan) { span_ms });
    size_t cursor = 0;
    for (Game *game; (game = table_next(&live->games, &cursor)) != NULL;)
        if (!game->replays)
            game_interrupt(live, game, (JdSpan) { span_ms }, live->now_ms);
}

static void answer_lobby(Live *live, LiveOrigin origin) {
    const LiveMessage *message = lobby_message(live);
    fx_answer(live->fx, origin, LIVE_ANSWER_LOBBY)->message = message;
}

static void answer_games(Live *live, const LiveCommand *command) {
    if (command->account == 0) {
        (void)fx_error(live->fx, command->origin, "auth_required", NULL, "guests have no games");
        return;
    }
    const LiveMessage *message = games_message(live, account_find(live, command->account));
    fx_answer(live->fx, command->origin, LIVE_ANSWER_GAMES)->message = message;
}

// What the shell tells about connections and accounts; nobody waits for an answer.
static bool tell(Live *live, const LiveCommand *command, Connection *connection) {
    switch (command->kind) {
    case LIVE_TIMER:
    case LIVE_STALLED: // done before anything else
        return true;
    case LIVE_CONNECT:
        people_connect(live, command);
        return true;
    case LIVE_DISCONNECT:
        if (connection != NULL)
            people_disconnect(live, connection);
        return true;
    case LIVE_ACCOUNT_CHANGED:
        people_account_changed(live, command->account, command->nick);
        return true;
    case LIVE_ACCOUNT_LEAVES:
        people_leave(live, command->account);
        return true;
    case LIVE_ACCOUNT_PROFILE:
        people_account_profile(live, command->account, command->profile);
        return true;
    case LIVE_RATED:
        game_rated(live, command);
        return true;
    case LIVE_OVERRULED:
        game_overruled(live, command);
        return true;
    case LIVE_VERDICT:
        mating_verdict(live, command);
        return true;
    case LIVE_SLEPT:
        sleep_done(live, command);
        return true;
    case LIVE_SUMMONED:
        sleep_summoned(live, command);
        return true;
    case LIVE_VACATION_TOLD:
        vacation_told(live, command);
        return true;
    default:
        return false;
    }
}

static void dispatch(Live *live, const LiveCommand *command, Connection *connection) {
    switch (command->kind) {
    case LIVE_SUBSCRIBE:
    case LIVE_UNSUBSCRIBE:
        if (connection == NULL)
            (void)fx_error(live->fx, command->origin, "bad_request", NULL,
                           "only a connection follows");
        else if (command->kind == LIVE_SUBSCRIBE)
            people_subscribe(live, command, connection);
        else
            people_unsubscribe(live, command, connection);
        return;
    case LIVE_CHALLENGE:
        lobby_challenge(live, command);
        return;
    case LIVE_CANCEL:
        lobby_cancel(live, command);
        return;
    case LIVE_JOIN:
        lobby_join(live, command);
        return;
    case LIVE_PLAY_COMPUTER:
        computer_play(live, command);
        return;
    case LIVE_DECLINE:
        lobby_decline(live, command);
        return;
    case LIVE_VACATION:
        vacation_command(live, command);
        return;
    case LIVE_QUERY_LOBBY:
        answer_lobby(live, command->origin);
        return;
    case LIVE_QUERY_WATCH:
        watch_answer(live, command->origin);
        return;
    case LIVE_QUERY_GAMES:
        answer_games(live, command);
        return;
    case LIVE_MOVE:
    case LIVE_DRAW:
    case LIVE_RESIGN:
    case LIVE_ABORT:
    case LIVE_FLAG:
    case LIVE_ABANDON:
    case LIVE_SAY:
    case LIVE_CHAT_SWITCH:
    case LIVE_TOUCH:
    case LIVE_ADJUST:
    case LIVE_CLAIM_TOUCH:
    case LIVE_PREMOVE:
    case LIVE_TAKE_BACK:
    case LIVE_HINT:
    case LIVE_QUERY_GAME:
        game_command(live, command);
        return;
    default:
        (void)fx_error(live->fx, command->origin, "bad_request", NULL, "unknown command");
    }
}

static uint64_t refusals_since(const LiveEffects *effects, size_t from) {
    uint64_t count = 0;
    for (size_t i = from; i < effects->count; i++)
        if (effects->list[i].kind == LIVE_FX_ANSWER &&
            effects->list[i].answer->kind == LIVE_ANSWER_ERROR)
            count++;
    return count;
}

void live_step(Live *live, const LiveCommand *command, JdInstant now, LiveEffects *effects) {
    const size_t from = effects->count;
    JD_ASSERT(command->nick.size < LIVE_NICK_SIZE);
    if (live->now_ms < now.ms)
        live->now_ms = now.ms;
    live->fx = effects;
    live->stats.commands++;
    // No flag falls within an interruption, so it goes before what would be due.
    if (command->kind == LIVE_STALLED)
        live_credit_all(live, command->span_ms);
    serve_due(live);
    Connection *connection = connection_find(live, command->origin.connection);
    if (!tell(live, command, connection) && (connection != NULL || command->origin.connection == 0))
        dispatch(live, command, connection);
    live->stats.refusals += refusals_since(effects, from);
    live->fx = NULL;
}

JdInstant live_now(const Live *live) {
    return now_of(live);
}

bool live_next_deadline(const Live *live, JdInstant *out) {
    const HeapNode *node = heap_first(&live->due);
    if (node != NULL)
        out->ms = node->at_ms;
    return node != NULL;
}

LiveStats live_stats(const Live *live) {
    LiveStats stats = live->stats;
    stats.connections = live->connections.count;
    stats.accounts = live->accounts.count;
    stats.challenges = live->open_count;
    stats.games_in_memory = live->games.count;
    stats.memory_bytes = live->memory.bytes;
    return stats;
}
