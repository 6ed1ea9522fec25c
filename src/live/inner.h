// SPDX-License-Identifier: GPL-3.0-or-later
//
// The inside of a Live: what it holds, and what its files do for each other.
#ifndef JADOUBE_LIVE_INNER_H
#define JADOUBE_LIVE_INNER_H

#include "live/effects.h"
#include "live/fold.h"
#include "live/heap.h"
#include "live/live.h"
#include "live/table.h"
#include "live/terms.h"

// The last messages of a channel, oldest first; grows to its limit, then forgets the oldest.
typedef struct Ring {
    unsigned char *items;
    uint32_t item_size;
    uint32_t capacity;
    uint32_t limit;
    uint32_t count;
    uint32_t oldest;
} Ring;

typedef struct List {
    void **items;
    size_t count;
    size_t capacity;
} List;

typedef struct Account {
    LiveAccount number;
    char nick[LIVE_NICK_SIZE];        // empty: deleted
    RatingPlayer lists[RATING_LISTS]; // by RatingList
    LiveAccount *blocked;
    uint16_t blocked_count;
    bool confirmed;
    struct Connection *connections[LIVE_CONNECTIONS_PER_ACCOUNT]; // oldest first
    size_t connection_count;
    List games;       // Game, not ended
    List challenges;  // Challenge, open or closed a while ago
    List invitations; // Challenge, open ones directed to him
    size_t open_challenges;
    size_t uses; // games and challenges in memory that point here
    int64_t last_seen_ms;
    uint64_t seq; // of channel "me"
    uint32_t follows;
    Ring notes;                       // MeNote
    int64_t said_ms[LIVE_CHAT_BURST]; // his last lines
    uint8_t said_next;
    bool whole;     // all of its games are in memory
    uint64_t slept; // live->sleeps when the last one left, or may have
    bool meets;     // while entities are adopted: it is one of their people
} Account;

typedef struct Follow {
    uint8_t kind;      // LiveChannelKind
    struct Game *game; // of a game's channel
} Follow;

typedef struct Connection {
    uint64_t number;
    Account *account; // NULL: a guest
    Follow follows[LIVE_CHANNELS_PER_CONNECTION];
    size_t follow_count;
} Connection;

typedef enum DueOwner { DUE_GAME = 1, DUE_CHALLENGE = 2 } DueOwner;

typedef enum ChallengeState {
    CHALLENGE_OPEN = 0,
    CHALLENGE_CANCELLED = 1,
    CHALLENGE_EXPIRED = 2,
    CHALLENGE_JOINED = 3,
    CHALLENGE_DECLINED = 4,
} ChallengeState;

typedef struct Challenge {
    LiveId id;
    HeapNode due;
    Account *creator;
    Account *invitee; // NULL: everybody may join
    LiveId rematch;   // all zero: of no game
    Terms terms;
    bool confirmed_only;
    uint16_t rating_min;
    uint16_t rating_max; // 0: any
    uint8_t color;       // LiveColorChoice
    uint8_t state;       // ChallengeState
    uint8_t key_size;
    char key[LIVE_KEY_MAX];
    uint32_t last_seq;
    int64_t created_ms;
    int64_t closed_ms;
    LiveAccount joiner;
    LiveId game;
    struct Challenge *newer; // of the open ones
    struct Challenge *older;
} Challenge;

// A message of a game's channel, as far as it cannot be made again from the game.
typedef struct GameNote {
    uint8_t kind; // LiveMessageKind: MOVED to PRESENCE, RATED
    union {
        struct {
            uint32_t ply; // plies made, this one included
            bool check;
            LiveClocks clocks;
            int64_t first_move_by_ms;
        } moved;
        LiveClockChange clock;
        LiveOffer offer;
        LiveEnd end;
        LivePresence presence;
        struct {
            uint8_t by;
            uint8_t act; // LiveTouchAct
            uint8_t square;
            uint32_t ply; // it belongs to the turn after so many plies
        } touch;
        LiveFalseFlag false_flag;
        LiveRated rated;
    };
} GameNote;

// A move in advance. Memory only: a restart forgets it.
typedef struct Premove {
    uint32_t ply;
    char uci[CHESS_UCI_SIZE]; // empty: none
} Premove;

typedef struct Game {
    GameFold fold;
    HeapNode due;
    Account *players[2]; // by ChessColor
    uint64_t seq;        // of the channel
    Ring notes;          // GameNote
    uint32_t follows;    // connections that follow the game
    uint32_t seat_follows[2];
    bool loaded[2];           // has followed once
    int64_t left_ms[2];       // the last connection stopped following then, or LIVE_NEVER
    int64_t away_since_ms[2]; // no sign of this player since
    int64_t start_by_ms;
    int64_t empty_since_ms; // nobody has followed since
    LivePresence shown;     // last published
    int64_t shown_ms;
    int64_t presence_due_ms; // or LIVE_NEVER
    // Who can mate is being found out (mating.c).
    bool asks;
    bool told_waiting; // everybody knows that the game waits for that
    uint32_t asked_ply;
    int64_t ask_again_ms;  // or LIVE_NEVER
    int64_t verdict_by_ms; // the game waits until then at most, or LIVE_NEVER
    bool chat_off[2];      // a player wants no mini-chat
    uint64_t chat_seq;     // of the last line
    Premove premoves[2];
    int64_t premove_due_ms;   // of the side to move, or LIVE_NEVER
    uint32_t false_flags[2];  // presses in vain
    int64_t flag_quiet_ms[2]; // the button is off until then
    uint32_t touches;         // in the turn that runs
    bool has_ratings;         // of a game that has ended
    LiveRated ratings;
    uint32_t asleep_seq;   // the database lets it sleep, or was told to, as of that entry; 0: no
    bool asleep_durable;   // and has said so
    uint32_t thinking_ply; // plies made when the computer was asked last, plus one; 0: not yet
    int64_t sign_ms;       // of the newest replayed entry that is no interruption
    bool replays;          // it is being replayed: nothing happens to it yet
} Game;

typedef struct LobbyNote {
    uint8_t kind;            // LIVE_MSG_LOBBY_ADD or _REMOVE
    LiveChallenge challenge; // REMOVE: id only
} LobbyNote;

typedef struct MeNote {
    uint8_t kind; // LIVE_MSG_STARTED, _ROW, _CHALLENGE_ADD or _CHALLENGE_REMOVE
    uint8_t gone; // CHALLENGE_REMOVE: LiveGone
    LiveId id;    // of the game or challenge
} MeNote;

typedef struct Vacation {
    LiveAccount account;
    int64_t from_ms;
    int64_t until_ms;   // or when it was ended before its time
    int64_t planned_ms; // what until_ms was at the beginning: games are held until then
} Vacation;

struct Live {
    Memory memory;
    int64_t now_ms;
    LiveEffects *fx;   // of the step that runs
    Table games;       // Game by id
    Table challenges;  // Challenge by id
    Table accounts;    // Account by number
    Table connections; // Connection by number
    Heap due;          // of games and challenges
    Challenge *newest; // open challenges, newest first
    size_t open_count;
    LiveAccount levels[LIVE_LEVELS_MAX]; // 0: no such level
    uint64_t lobby_seq;
    uint32_t lobby_follows;
    Ring lobby_notes;        // LobbyNote
    uint64_t seq_floor;      // no channel that was forgotten has given a higher number
    int64_t newest_event_ms; // of the log, while replaying
    int64_t newest_sign_ms;  // the same without interruptions: the program was at work then
    uint64_t sleeps;         // games that left memory asleep
    Table vacations;         // Vacation by account
    LiveOutage *outages;     // by their instants
    size_t outage_count;
    size_t outage_capacity;
    LiveStats stats;
    uint8_t mating; // LawsMating of new games
};

static inline JdInstant now_of(const Live *live) {
    return (JdInstant) { live->now_ms };
}
static inline int64_t earlier(int64_t a, int64_t b) { // of two instants or LIVE_NEVER
    return a == LIVE_NEVER ? b : b == LIVE_NEVER || a < b ? a : b;
}

// ---- channels.c
void ring_open(Ring *ring, uint32_t item_size, uint32_t limit);
void ring_push(Ring *ring, Memory *memory, const void *item);
const void *ring_at(const Ring *ring, uint32_t index); // 0: the oldest
void ring_clear(Ring *ring);
void ring_free(Ring *ring, Memory *memory);
void list_add(List *list, Memory *memory, void *item);
void list_remove(List *list, const void *item);
void list_free(List *list, Memory *memory);

void lobby_note(Live *live, LiveMessageKind kind, const Challenge *challenge);
void me_note(Live *live, Account *account, LiveMessageKind kind, const Game *game);
// The same of a game that may have left memory: nothing but its id is told.
void me_note_id(Live *live, Account *account, LiveMessageKind kind, const LiveId *game);
// A challenge of his own or directed to him appears or goes.
void me_note_challenge(Live *live, Account *account, const Challenge *challenge, LiveGone gone);
// fresh: the row of the move just made, for a note of kind MOVED.
void game_note(Live *live, Game *game, const GameNote *note, const LiveMoveRow *fresh);
// Everybody who follows gets the full state.
void game_note_state(Live *live, Game *game);
// Everybody who follows gets the list anew: entities have come from another node.
void lobby_note_state(Live *live);
void me_note_state(Live *live, Account *account);
void send_state(Live *live, uint64_t connection, const LiveChannel *channel, Account *account,
                Game *game);
// Sends what was missed since, or the state when that is not known any more.
void send_since(Live *live, uint64_t connection, const LiveChannel *channel, Account *account,
                Game *game, uint64_t since);
LiveMessage *lobby_message(Live *live);
LiveMessage *games_message(Live *live, const Account *account); // NULL account: empty

// ---- people.c
Account *account_find(const Live *live, LiveAccount number);
// Known from here on, if it was not.
Account *account_get(Live *live, LiveAccount number, JdStr nick);
// The same for the one who sends a command, with the profile that it brings.
Account *account_of(Live *live, const LiveCommand *command);
Account *account_with(Live *live, LiveAccount number, JdStr nick, const LiveProfile *profile);
// Whether the account does not want to deal with the other one.
bool account_blocks(const Account *account, LiveAccount other);
// Forgets it when nothing holds it any more.
void account_let_go(Live *live, Account *account);
void account_free(Live *live, Account *account);
Connection *connection_find(const Live *live, uint64_t number);
void people_connect(Live *live, const LiveCommand *command);
void people_disconnect(Live *live, Connection *connection);
void people_subscribe(Live *live, const LiveCommand *command, Connection *connection);
void people_unsubscribe(Live *live, const LiveCommand *command, Connection *connection);
void people_account_changed(Live *live, LiveAccount number, JdStr nick);
// Ends what an account has going: challenges are dropped, games aborted while that is allowed, else
// resigned.
void people_leave(Live *live, LiveAccount number);
void people_account_profile(Live *live, LiveAccount number, const LiveProfile *profile);
// Nobody follows these games any more.
void people_drop(Live *live, LiveBelongsFn belongs, void *context);

// ---- watch.c
void watch_answer(Live *live, LiveOrigin origin);

// ---- presence.c
LivePresence presence_now(const Live *live, const Game *game);
int64_t abandon_claim_at(const Live *live, const Game *game);
// Tells the game's channel when something changed that is due to be told.
void presence_update(Live *live, Game *game);
void presence_follow(Live *live, Game *game, const Account *account);
void presence_leave(Live *live, Game *game, const Account *account);
// A command of a player is a sign of him.
void presence_sign(Live *live, Game *game, ChessColor color);
// Which player an account is, or LIVE_NO_COLOR.
uint8_t seat_of(const Game *game, const Account *account);

// ---- lobby.c
void lobby_challenge(Live *live, const LiveCommand *command);
void lobby_cancel(Live *live, const LiveCommand *command);
void lobby_decline(Live *live, const LiveCommand *command);
void lobby_join(Live *live, const LiveCommand *command);
void lobby_due(Live *live, Challenge *challenge);
void lobby_drop_all_of(Live *live, Account *account);      // the account was deleted
Challenge *lobby_find(const Live *live, const LiveId *id); // NULL: not there
void lobby_renamed(Live *live, const Account *account);
void lobby_rerated(Live *live, const Account *account, const bool lists[RATING_LISTS]);
void challenge_fill(const Challenge *challenge, LiveChallenge *out);
JD_MUST_USE bool lobby_replay(Live *live, const LiveLogEvent *event, JdErr *err);
// The accounts of a creation entry: its creator, and whom it is directed to, or 0.
JD_MUST_USE bool lobby_birth_people(const LiveLogEvent *event, LiveAccount out[2], JdErr *err);
// After its events have been replayed.
void lobby_resume(Live *live, Challenge *challenge);
void challenge_free(Live *live, Challenge *challenge);

void log_birth(Live *live, const Game *game, const GameBirth *birth);

// ---- computer.c
// The level of the computer with that account; 0: a person.
uint8_t level_of(const Live *live, LiveAccount account);
bool is_against_computer(const Game *game);
void computer_play(Live *live, const LiveCommand *command);
bool computer_is_to_move(const Live *live, const Game *game);
// Asks it to think, when it is to move and was not asked yet.
void computer_ask(Live *live, Game *game);
void computer_take_back(Live *live, const LiveCommand *command, Game *game, ChessColor color);
void computer_hint(Live *live, const LiveCommand *command, Game *game, ChessColor color);

// ---- fair.c
// Whether the computer may not be asked to play on from there, or after that move of a person's.
bool fair_forbids_start(const Live *live, LiveAccount asker, const ChessPosition *start);
bool fair_forbids_move(const Live *live, const Game *game, ChessMove move);

// ---- games.c
// A game out of a creation record; used by play and replay.
Game *game_create(Live *live, const LiveId *id, const GameBirth *birth, JdInstant at);
void game_free(Live *live, Game *game);
// It leaves memory before it has ended: takes it out of its players' lists too.
void game_forget(Live *live, Game *game);
void game_command(Live *live, const LiveCommand *command);
Game *game_find(const Live *live, const LiveId *id);
void game_fill_row(const Live *live, const Game *game, LiveGameRow *out);
LiveGameView *game_view(Live *live, const Game *game); // in the step's effects
// A refusal with the full state: who is refused is in doubt.
LiveAnswer *game_refuse(Live *live, const LiveCommand *command, const Game *game, const char *code,
                        const char *field, const char *text);
void game_refuse_by_laws(Live *live, const LiveCommand *command, const Game *game,
                         LawsVerdict verdict);
// A connection hears of its success before the rest of the world does; an HTTP request gets the
// game with all of its messages counted, so afterwards. Called at both places.
void game_acknowledge(Live *live, const LiveCommand *command, const Game *game, bool claim_wrong,
                      bool is_told);
// Old or repeated commands; answered here.
bool game_is_stale(Live *live, const LiveCommand *command, const Game *game);
// The move just made is told, and the offer it declined.
void game_tell_move(Live *live, Game *game, const ChessPosition *before, uint8_t offer_before);
void game_tell_offer(Live *live, Game *game, ChessColor by, LiveOfferAct act,
                     const LawsVerdict *verdict, int64_t bonus_ms);
// Events with one answer and no more to it: offers, resignations, flags.
void game_plain(Live *live, const LiveCommand *command, Game *game, const LawsEvent *event,
                LiveOfferAct act);
// A message to those connections of a player that follow the game.
void game_send(Live *live, const Game *game, ChessColor color, const LiveMessage *message);
// An entry of the game's log that the Laws know nothing of.
void game_log_note(Live *live, Game *game, LiveEventKind kind, uint8_t actor, uint8_t value);

// ---- chat.c
void chat_say(Live *live, const LiveCommand *command, Game *game);
void chat_switch(Live *live, const LiveCommand *command, Game *game, ChessColor color);
// What a player who comes to the board has to know beside the state.
void chat_greet(Live *live, const Game *game, const Connection *connection);

// ---- board.c
void board_touch(Live *live, const LiveCommand *command, Game *game, ChessColor color);
void board_claim_touch(Live *live, const LiveCommand *command, Game *game, ChessColor color);
void board_flag(Live *live, const LiveCommand *command, Game *game, ChessColor color);
// When a flag that nobody has claimed is settled, or LIVE_NEVER.
int64_t board_settle_at(const Game *game);
void board_settle_flag(Live *live, Game *game);

// ---- premove.c
void premove_set(Live *live, const LiveCommand *command, Game *game, ChessColor color);
// After a move or anything else that changed the position.
void premove_consider(Live *live, Game *game);
// Makes the move in advance that is due, as of an instant.
void premove_make(Live *live, Game *game, JdInstant at);
void premove_greet(Live *live, const Game *game, const Connection *connection);
void game_rated(Live *live, const LiveCommand *command);
void game_overruled(Live *live, const LiveCommand *command);

// ---- mating.c
// After every accepted event: asks what it left open, forgets what it settled.
void mating_note(Live *live, Game *game, const LawsVerdict *verdict);
// After a restart: asks again what nobody can have answered.
void mating_reopen(Live *live, Game *game);
int64_t mating_due_at(const Game *game); // or LIVE_NEVER
void mating_due(Live *live, Game *game);
void mating_verdict(Live *live, const LiveCommand *command);

// ---- clockwork.c
// Applies an event; when it is accepted, puts it into the log.
LawsVerdict game_apply(Live *live, Game *game, const LawsEvent *event, JdInstant at);
// Room for another ply.
void game_make_room(Live *live, Game *game);
// After the events of a command: the projection, written when a game starts and ends, and folding.
void game_project(Live *live, Game *game, bool was_running, bool started);
// After the answer: the end, and the rows of both players.
void game_tell(Live *live, Game *game, bool was_running);
void game_start(Live *live, Game *game);
void game_due(Live *live, Game *game);
void game_reschedule(Live *live, Game *game);
// An outage that ended at at_ms; at_ms may be past when the game has just been woken.
void game_interrupt(Live *live, Game *game, JdSpan span, int64_t at_ms);
// Does what came due until then, each thing at its own instant.
void game_expire(Live *live, Game *game, int64_t until_ms);
void game_tell_clock(Live *live, Game *game);

// ---- replay.c
JD_MUST_USE bool game_replay(Live *live, const LiveLogEvent *event, JdErr *err);
// A game that has been replayed goes on. served_ms: when it was served last, at the latest; what is
// between that and now is an outage.
void game_resume(Live *live, Game *game, int64_t served_ms);

// ---- vacation.c
void vacation_command(Live *live, const LiveCommand *command);
// He has made a move there.
void vacation_moved(Live *live, Game *game, ChessColor color);
// A game that has just begun, perhaps during somebody's vacation.
void vacation_new_game(Live *live, Game *game);
// Another node says that one began or ended.
void vacation_told(Live *live, const LiveCommand *command);
// A game that nobody held while a vacation of its players began or ended catches up with that.
void vacation_settle(Live *live, Game *game);
bool vacation_lasts(const Live *live, LiveAccount account);

// ---- sleep.c
// When the game may leave memory, as things stand, or LIVE_NEVER.
int64_t sleep_at(const Live *live, const Game *game);
// Asks for it to be put away, or, when the database has it so already, forgets it: then true.
bool sleep_begin(Live *live, Game *game);
void sleep_done(Live *live, const LiveCommand *command);
void sleep_summoned(Live *live, const LiveCommand *command);
// Other games may sleep from here on than those that left memory here: no list is whole.
void sleep_mingle(Live *live);
// A span before now is charged to no running game.
void live_credit_all(Live *live, int64_t span_ms);
// Keeps an outage for the games that sleep; tells the shell unless it was replayed.
void sleep_outage(Live *live, JdSpan span);

#endif
