// SPDX-License-Identifier: GPL-3.0-or-later
//
// Channels: numbers, the messages remembered for those who come back, full states.
#include "live/inner.h"

#define RING_CAPACITY_MIN 8

void ring_open(Ring *ring, uint32_t item_size, uint32_t limit) {
    *ring = (Ring) { .item_size = item_size, .limit = limit };
}

void ring_push(Ring *ring, Memory *memory, const void *item) {
    if (ring->count == ring->capacity && ring->capacity < ring->limit) {
        // Until the limit is reached nothing is forgotten, so the oldest stands at index 0 ...
        JD_ASSERT(ring->oldest == 0 || ring->count == 0);
        const uint32_t doubled = ring->capacity == 0 ? RING_CAPACITY_MIN : ring->capacity * 2;
        const uint32_t capacity = doubled < ring->limit ? doubled : ring->limit;
        ring->items = mem_grow(memory, ring->items, (size_t)ring->capacity * ring->item_size,
                               (size_t)capacity * ring->item_size);
        ring->capacity = capacity;
    }
    uint32_t at = ring->oldest + ring->count;
    if (ring->count == ring->capacity) {
        at = ring->oldest;
        ring->oldest = (ring->oldest + 1) % ring->capacity;
    } else {
        ring->count++;
    }
    jd_copy(ring->items + (size_t)(at % ring->capacity) * ring->item_size, item, ring->item_size);
}

const void *ring_at(const Ring *ring, uint32_t index) {
    return ring->items + (size_t)((ring->oldest + index) % ring->capacity) * ring->item_size;
}

void ring_clear(Ring *ring) {
    ring->count = 0;
    ring->oldest = 0; // ... here as well
}

void ring_free(Ring *ring, Memory *memory) {
    mem_give(memory, ring->items, (size_t)ring->capacity * ring->item_size);
    ring_open(ring, ring->item_size, ring->limit);
}

void list_add(List *list, Memory *memory, void *item) {
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity == 0 ? 4 : list->capacity * 2;
        list->items = mem_grow(memory, list->items, list->capacity * sizeof(void *),
                               capacity * sizeof(void *));
        list->capacity = capacity;
    }
    list->items[list->count++] = item;
}

void list_remove(List *list, const void *item) {
    size_t at = 0;
    while (at < list->count && list->items[at] != item)
        at++;
    JD_ASSERT(at < list->count);
    list->items[at] = list->items[--list->count];
}

void list_free(List *list, Memory *memory) {
    mem_give(memory, list->items, list->capacity * sizeof(void *));
    *list = (List) { NULL, 0, 0 };
}

// ---- messages out of notes ----------------------------------------------------------------------

static LiveMessage *lobby_note_message(Live *live, const LobbyNote *note, uint64_t seq) {
    LiveMessage *message = fx_message(live->fx, (LiveMessageKind)note->kind, seq);
    message->id = note->challenge.id;
    if (note->kind == LIVE_MSG_LOBBY_ADD) {
        LiveChallenge *challenge = fx_take(live->fx, sizeof(*challenge));
        *challenge = note->challenge;
        message->challenge = challenge;
    }
    return message;
}

// S-047: his games in which it is his move.
static uint32_t waiting_for(const Account *account) {
    uint32_t count = 0;
    for (size_t i = 0; i < account->games.count; i++) {
        const Game *game = account->games.items[i];
        const ChessColor turn = game->fold.laws.position.side_to_move;
        count += !fold_has_ended(&game->fold) && game->players[turn] == account;
    }
    return count;
}

static LiveMessage *me_note_message(Live *live, const Account *account, const MeNote *note,
                                    uint64_t seq, const Game *game) {
    LiveMessage *message = fx_message(live->fx, (LiveMessageKind)note->kind, seq);
    message->id = note->id;
    if (note->kind == LIVE_MSG_CHALLENGE_REMOVE)
        message->gone = (LiveGone)note->gone;
    if (note->kind == LIVE_MSG_CHALLENGE_ADD) {
        LiveChallenge *row = fx_take(live->fx, sizeof(*row));
        challenge_fill(lobby_find(live, &note->id), row);
        message->challenge = row;
    }
    if (note->kind == LIVE_MSG_ROW) {
        LiveGameRow *row = fx_take(live->fx, sizeof(*row));
        game_fill_row(live, game, row);
        message->row = row;
        message->waiting = waiting_for(account);
    }
    return message;
}

static LiveMoved *moved_of(Live *live, const Game *game, const GameNote *note,
                           const LiveMoveRow *fresh) {
    LiveMoved *moved = fx_take(live->fx, sizeof(*moved));
    moved->ply = note->moved.ply;
    moved->check = note->moved.check;
    moved->clocks = note->moved.clocks;
    moved->first_move_by_ms = note->moved.first_move_by_ms;
    if (fresh != NULL)
        moved->move = *fresh;
    else
        fold_move_row_at(&game->fold, note->moved.ply - 1, &moved->move);
    return moved;
}

// What is touched belongs to the turn: of a turn that is over only the act is told.
static LiveTouch *touch_of(Live *live, const Game *game, const GameNote *note) {
    LiveTouch *touch = fx_take(live->fx, sizeof(*touch));
    touch->by = note->touch.by;
    touch->act = note->touch.act;
    touch->square = note->touch.square;
    if (note->touch.ply == game->fold.laws.ply_count)
        fold_touched(&game->fold, &touch->touched);
    return touch;
}

static LiveMessage *game_note_message(Live *live, const Game *game, const GameNote *note,
                                      uint64_t seq, const LiveMoveRow *fresh) {
    LiveMessage *message = fx_message(live->fx, (LiveMessageKind)note->kind, seq);
    message->id = game->fold.id;
    if (note->kind == LIVE_MSG_MOVED) {
        message->moved = moved_of(live, game, note, fresh);
        return message;
    }
    if (note->kind == LIVE_MSG_TOUCHED) {
        message->touch = touch_of(live, game, note);
        return message;
    }
    if (note->kind == LIVE_MSG_FALSE_FLAG) {
        message->false_flag = note->false_flag;
        return message;
    }
    GameNote *copy = fx_take(live->fx, sizeof(*copy));
    *copy = *note;
    if (note->kind == LIVE_MSG_CLOCK)
        message->clock = &copy->clock;
    else if (note->kind == LIVE_MSG_OFFER)
        message->offer = &copy->offer;
    else if (note->kind == LIVE_MSG_END)
        message->end = &copy->end;
    else if (note->kind == LIVE_MSG_RATED)
        message->rated = &copy->rated;
    else
        message->presence = &copy->presence;
    return message;
}

// ---- publishing ---------------------------------------------------------------------------------

void lobby_note(Live *live, LiveMessageKind kind, const Challenge *challenge) {
    LobbyNote note;
    jd_zero(&note, sizeof(note));
    note.kind = (uint8_t)kind;
    note.challenge.id = challenge->id;
    if (kind == LIVE_MSG_LOBBY_ADD)
        challenge_fill(challenge, &note.challenge);
    live->lobby_seq++;
    ring_push(&live->lobby_notes, &live->memory, &note);
    if (live->lobby_follows == 0)
        return;
    const LiveChannel channel = { .kind = LIVE_CHANNEL_LOBBY };
    fx_publish(live->fx, &channel, lobby_note_message(live, &note, live->lobby_seq));
}

static void publish_to_me(Live *live, Account *account, const MeNote *note, const Game *game) {
    account->seq++;
    // Who has never followed his channel gets the full list when he comes; nothing is kept for him.
    if (account->follows == 0 && account->notes.count == 0)
        return;
    ring_push(&account->notes, &live->memory, note);
    if (account->follows == 0)
        return;
    const LiveChannel channel = { .kind = LIVE_CHANNEL_ME, .account = account->number };
    fx_publish(live->fx, &channel, me_note_message(live, account, note, account->seq, game));
}

void me_note(Live *live, Account *account, LiveMessageKind kind, const Game *game) {
    const MeNote note = { .kind = (uint8_t)kind, .id = game->fold.id };
    publish_to_me(live, account, &note, game);
}

void me_note_id(Live *live, Account *account, LiveMessageKind kind, const LiveId *game) {
    const MeNote note = { .kind = (uint8_t)kind, .id = *game };
    publish_to_me(live, account, &note, NULL);
}

void me_note_challenge(Live *live, Account *account, const Challenge *challenge, LiveGone gone) {
    const bool is_open = challenge->state == CHALLENGE_OPEN;
    const MeNote note = {
        .kind = (uint8_t)(is_open ? LIVE_MSG_CHALLENGE_ADD : LIVE_MSG_CHALLENGE_REMOVE),
        .gone = (uint8_t)gone,
        .id = challenge->id,
    };
    publish_to_me(live, account, &note, NULL);
}

void game_note(Live *live, Game *game, const GameNote *note, const LiveMoveRow *fresh) {
    game->seq++;
    ring_push(&game->notes, &live->memory, note);
    if (game->follows == 0)
        return;
    const LiveChannel channel = { .kind = LIVE_CHANNEL_GAME, .game = game->fold.id };
    fx_publish(live->fx, &channel, game_note_message(live, game, note, game->seq, fresh));
}

void game_note_state(Live *live, Game *game) {
    game->seq++;
    ring_clear(&game->notes); // who missed this one gets the full state anyway
    if (game->follows == 0)
        return;
    const LiveChannel channel = { .kind = LIVE_CHANNEL_GAME, .game = game->fold.id };
    LiveMessage *message = fx_message(live->fx, LIVE_MSG_GAME, game->seq);
    message->id = game->fold.id;
    message->game = game_view(live, game);
    fx_publish(live->fx, &channel, message);
}

void lobby_note_state(Live *live) {
    live->lobby_seq++;
    ring_clear(&live->lobby_notes);
    if (live->lobby_follows == 0)
        return;
    const LiveChannel channel = { .kind = LIVE_CHANNEL_LOBBY };
    fx_publish(live->fx, &channel, lobby_message(live));
}

void me_note_state(Live *live, Account *account) {
    account->seq++;
    ring_clear(&account->notes);
    if (account->follows == 0)
        return;
    const LiveChannel channel = { .kind = LIVE_CHANNEL_ME, .account = account->number };
    fx_publish(live->fx, &channel, games_message(live, account));
}

// ---- states -------------------------------------------------------------------------------------

LiveMessage *lobby_message(Live *live) {
    LiveMessage *message = fx_message(live->fx, LIVE_MSG_LOBBY, live->lobby_seq);
    LiveChallenge *list = fx_take(live->fx, live->open_count * sizeof(*list));
    size_t count = 0;
    for (const Challenge *at = live->newest; at != NULL; at = at->older)
        if (at->invitee == NULL)
            challenge_fill(at, &list[count++]);
    message->lobby.challenges = list;
    message->lobby.count = count;
    return message;
}

// S-046: the games that wait for his move first, then those with the least time left.
static bool row_before(const LiveGameRow *a, const LiveGameRow *b, LiveAccount account) {
    const bool mine_a = a->seats[a->turn].account == account;
    const bool mine_b = b->seats[b->turn].account == account;
    if (mine_a != mine_b)
        return mine_a;
    if (a->deadline_ms != b->deadline_ms)
        return b->deadline_ms == LIVE_NEVER ||
               (a->deadline_ms != LIVE_NEVER && a->deadline_ms < b->deadline_ms);
    return jd_str_compare(jd_str(a->id.text), jd_str(b->id.text)) < 0;
}

static void add_row(const Challenge *challenge, LiveChallenge *rows, size_t *count) {
    size_t at = (*count)++;
    for (; at > 0 && rows[at - 1].created_ms < challenge->created_ms; at--)
        rows[at] = rows[at - 1];
    challenge_fill(challenge, &rows[at]);
}

// S-045: what he offers, and what is offered to him alone.
static void list_challenges(Live *live, const Account *account, LiveMessage *message) {
    LiveChallenge *rows =
        fx_take(live->fx, (account->open_challenges + account->invitations.count) * sizeof(*rows));
    size_t count = 0;
    for (size_t i = 0; i < account->challenges.count; i++) {
        const Challenge *own = account->challenges.items[i];
        if (own->state == CHALLENGE_OPEN)
            add_row(own, rows, &count);
    }
    for (size_t i = 0; i < account->invitations.count; i++)
        add_row(account->invitations.items[i], rows, &count);
    message->games.challenges = rows;
    message->games.challenge_count = count;
}

LiveMessage *games_message(Live *live, const Account *account) {
    LiveMessage *message = fx_message(live->fx, LIVE_MSG_GAMES, account != NULL ? account->seq : 0);
    if (account == NULL)
        return message;
    LiveGameRow *rows = fx_take(live->fx, account->games.count * sizeof(*rows));
    for (size_t i = 0; i < account->games.count; i++) {
        LiveGameRow row;
        game_fill_row(live, account->games.items[i], &row);
        size_t at = i; // at most LIVE_GAMES_PER_PLAYER: insertion is good enough
        for (; at > 0 && row_before(&row, &rows[at - 1], account->number); at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
    message->games.rows = rows;
    message->waiting = waiting_for(account);
    message->games.count = account->games.count;
    list_challenges(live, account, message);
    return message;
}

static LiveMessage *game_message(Live *live, const Game *game) {
    LiveMessage *message = fx_message(live->fx, LIVE_MSG_GAME, game->seq);
    message->id = game->fold.id;
    message->game = game_view(live, game);
    return message;
}

void send_state(Live *live, uint64_t connection, const LiveChannel *channel, Account *account,
                Game *game) {
    if (channel->kind == LIVE_CHANNEL_LOBBY)
        fx_send(live->fx, connection, lobby_message(live));
    else if (channel->kind == LIVE_CHANNEL_ME)
        fx_send(live->fx, connection, games_message(live, account));
    else
        fx_send(live->fx, connection, game_message(live, game));
}

// How many of the last messages somebody who saw `since` has missed; -1: more than is known.
static int64_t missed(uint64_t seq, uint64_t since, const Ring *ring) {
    if (since > seq || seq - since > ring->count)
        return -1;
    return (int64_t)(seq - since);
}

static bool send_missed_of_me(Live *live, uint64_t connection, const Account *account,
                              uint32_t count) {
    const Ring *ring = &account->notes;
    for (uint32_t i = ring->count - count; i < ring->count; i++) {
        const MeNote *note = ring_at(ring, i);
        if (note->kind == LIVE_MSG_ROW && game_find(live, &note->id) == NULL)
            return false; // ended and left memory
        if (note->kind == LIVE_MSG_CHALLENGE_ADD && lobby_find(live, &note->id) == NULL)
            return false;
    }
    for (uint32_t i = ring->count - count; i < ring->count; i++) {
        const MeNote *note = ring_at(ring, i);
        fx_send(live->fx, connection,
                me_note_message(live, account, note, account->seq - (ring->count - 1 - i),
                                game_find(live, &note->id)));
    }
    return true;
}

void send_since(Live *live, uint64_t connection, const LiveChannel *channel, Account *account,
                Game *game, uint64_t since) {
    const Ring *ring = channel->kind == LIVE_CHANNEL_LOBBY ? &live->lobby_notes
                       : channel->kind == LIVE_CHANNEL_ME  ? &account->notes
                                                           : &game->notes;
    const uint64_t seq = channel->kind == LIVE_CHANNEL_LOBBY ? live->lobby_seq
                         : channel->kind == LIVE_CHANNEL_ME  ? account->seq
                                                             : game->seq;
    const int64_t count = missed(seq, since, ring);
    if (count < 0 || (channel->kind == LIVE_CHANNEL_ME &&
                      !send_missed_of_me(live, connection, account, (uint32_t)count))) {
        send_state(live, connection, channel, account, game);
        return;
    }
    if (channel->kind == LIVE_CHANNEL_ME)
        return;
    for (uint32_t i = ring->count - (uint32_t)count; i < ring->count; i++) {
        const uint64_t number = seq - (ring->count - 1 - i);
        if (channel->kind == LIVE_CHANNEL_LOBBY)
            fx_send(live->fx, connection, lobby_note_message(live, ring_at(ring, i), number));
        else
            fx_send(live->fx, connection,
                    game_note_message(live, game, ring_at(ring, i), number, NULL));
    }
}
