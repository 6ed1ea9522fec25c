// SPDX-License-Identifier: GPL-3.0-or-later
//
// A club in simulated time: one seed decides what every player does, how long every message and
// every commit takes, and when the server is killed. Nothing real is slept through.
//
//   sim_ledger.c   the truth: an independent fold of what was logged, and what of it is durable
//   sim_server.c   the shell: group commit, effects held until durable, kill and restart
//   sim_player.c   clients: they believe only what they were sent, and check it
//   test_sim.c     the clock that drives them
//
// Whoever finds a promise broken calls SIM_FAIL, which names the seed.
#ifndef JADOUBE_TESTS_LIVE_SIM_H
#define JADOUBE_TESTS_LIVE_SIM_H

#include "world.h"

#define SIM_BASE_MS INT64_C(1700000000000)
#define SIM_PLAYERS 120
#define SIM_SPECTATORS 8 // the last players are guests who only watch
#define SIM_PLIES_MAX 1000
#define SIM_BOARDS 4 // games a player looks after

typedef struct Sim Sim;

#define SIM_FAIL(sim, ...)                                                                         \
    do {                                                                                           \
        print_error("SIM_SEED=%llu at %.3f s: ", (unsigned long long)(sim)->seed,                  \
                    (double)((sim)->now_ms - SIM_BASE_MS) / 1000);                                 \
        fail_msg(__VA_ARGS__);                                                                     \
    } while (0)
#define SIM_CHECK(sim, condition)                                                                  \
    do {                                                                                           \
        if (!(condition))                                                                          \
            SIM_FAIL(sim, "%s", #condition);                                                       \
    } while (0)

// ---- events of the simulation -------------------------------------------------------------------

typedef enum SimEventKind {
    SIM_COMMAND,   // arrives at the server
    SIM_DELIVERY,  // arrives at a client
    SIM_THINK,     // a player does something
    SIM_COMMITTED, // the disk has written a group
    SIM_HEARTBEAT,
    SIM_DEADLINE, // the server's timer
    SIM_KILL,
    SIM_RESTART,
    SIM_SCAN, // the server looks for sleeping games that are due
} SimEventKind;

// What a client was sent, as far as clients look at it.
typedef struct SimMail {
    uint64_t connection; // 0: the answer to a request
    bool is_answer;
    bool is_since; // sent after a subscription, not published
    uint8_t kind;  // LiveAnswerKind or LiveMessageKind
    uint8_t state; // LawsState, of GAME and END
    bool draw;
    uint64_t seq;
    uint64_t token;
    LiveId id;
    uint32_t ply; // of MOVED and ACK; of GAME: how many moves follow
    char code[24];
    int color; // of GAME: the reader's
    LiveId rows[16];
    size_t row_count;
    char uci[CHESS_UCI_SIZE];
    char (*moves)[CHESS_UCI_SIZE];
} SimMail;

typedef struct SimCommand {
    LiveCommand command;
    char uci[8];
    char key[8];
    int player;
} SimCommand;

typedef struct SimEvent {
    int64_t at_ms;
    uint64_t order; // ties go first come, first served
    SimEventKind kind;
    int player;
    uint64_t serial; // DEADLINE, COMMITTED, HEARTBEAT: of the incarnation or commit they belong to
    SimMail *mail;
    SimCommand *command;
} SimEvent;

void sim_at(Sim *sim, int64_t at_ms, SimEvent event);
uint32_t sim_below(Sim *sim, uint32_t below);
bool sim_chance(Sim *sim, uint32_t in_thousand);
int64_t sim_between(Sim *sim, int64_t least, int64_t most);

// ---- the ledger ---------------------------------------------------------------------------------

typedef struct Outage {
    int64_t from_ms;
    int64_t to_ms;
    int64_t slack_ms; // of it may have been charged to a clock
} Outage;

typedef struct LedgerGame {
    LiveId id;
    LiveAccount players[2];
    bool slow;
    uint8_t mating; // LawsMating, by the server that made it
    LawsGame laws;  // everything issued
    LawsPly plies[SIM_PLIES_MAX + 1];
    LiveLogEvent *log; // bodies belong to the entries
    size_t count;
    size_t capacity;
    size_t durable; // of the entries
    uint32_t durable_plies;
    bool durable_end;
    bool has_row; // the projection was written
    bool folded;  // into game_record
    bool asleep;  // in the database, and not replayed at a start
    int64_t wake_ms;
    LiveGameRow row;
    int64_t turn_start_ms;
    int64_t turn_reading_ms; // of the side to move, then
    int64_t hold_from_ms[2]; // a vacation; 0: none
    int64_t held_ms;         // of the turn that runs, outages within it aside
    uint64_t *follows;       // connections, as net keeps them
    size_t follow_count;
    size_t follow_capacity;
} LedgerGame;

typedef struct LedgerChallenge {
    LiveId id;
    LiveAccount creator;
    uint32_t count;
    uint32_t durable;
    bool closed; // issued
    bool durable_closed;
    bool told_closed; // to the store
    bool published;   // clients see it in the lobby
    LiveAccount to;   // directed to this account, as far as anybody was told
    LiveId game;
    LiveAccount joiner;
} LedgerChallenge;

typedef struct Ledger {
    LedgerGame **games;
    size_t game_count;
    LedgerChallenge *challenges;
    size_t challenge_count;
    int32_t *slots; // hash of ids: index + 1 of a game, -(index + 1) of a challenge
    size_t slot_count;
    Log durable; // in arrival order
    Outage *outages;
    size_t outage_count;
    size_t ended;
    size_t moves;
    size_t reasons[128];
} Ledger;

LedgerGame *ledger_game(const Sim *sim, const LiveId *id);
LedgerChallenge *ledger_challenge(const Sim *sim, const LiveId *id);
void ledger_issue(Sim *sim, const LiveLogEvent *event); // live asked for it to be logged
void ledger_durable(Sim *sim, const LiveLogEvent *event);
void ledger_crash(Sim *sim); // what was not durable has never been
void ledger_outage(Sim *sim, int64_t from_ms, int64_t to_ms, int64_t slack_ms);
void ledger_check_all(Sim *sim); // every game in memory equals its fold
void ledger_check_end(Sim *sim); // decoding, projection
void ledger_free(Sim *sim);

// ---- the server ---------------------------------------------------------------------------------

typedef struct Group {
    LiveEffects fx;
    size_t *cuts; // counts of effects after which a crash may cut
    size_t cut_count;
    size_t cut_capacity;
} Group;

typedef struct SimConnection {
    uint64_t number;
    int player;
    bool open;
    bool follows_me;
    int64_t last_delivery_ms;
} SimConnection;

typedef struct Server {
    Live *live; // NULL: dead
    LiveMemory memory;
    int64_t bytes;
    uint64_t incarnation;
    Group open;
    Group flying;
    bool is_flying;
    int64_t commit_start_ms;
    uint64_t commit_serial;
    int64_t killed_ms;
    int64_t heartbeat_ms;            // how often
    int64_t last_alive_ms;           // durable
    int64_t last_alive_heartbeat_ms; // how often it was written then
    bool has_heart;                  // heartbeats have begun
    SimCommand **held;               // commands that wait while a commit stands still
    size_t held_count;
    size_t held_capacity;
    SimConnection *connections; // by number
    size_t connection_count;
    uint64_t lobby_follows[4 * SIM_PLAYERS];
    size_t lobby_follow_count;
    size_t kills;
    size_t stalls;
    size_t questions; // who can mate
    bool asks;        // live_ask_always
    size_t steps;
    LiveOutage *outages; // durable
    size_t outage_count;
    LiveVacation *vacations; // durable
    size_t vacation_count;
    LiveEffect *slept; // told by the group that is being carried out
    size_t slept_count;
    size_t slept_capacity;
    size_t falls_asleep;
    size_t wakes;
    int64_t heart_begin_ms; // of a slow club: heartbeats are counted, not lived through
    int64_t started_ms;
} Server;

void server_start(Sim *sim);
void server_receive(Sim *sim, SimCommand *command);
void server_committed(Sim *sim, uint64_t serial);
void server_heartbeat(Sim *sim, uint64_t incarnation);
void server_deadline(Sim *sim, uint64_t incarnation);
void server_scan(Sim *sim);
void server_kill(Sim *sim);
void server_stop(Sim *sim);                 // in good order, at the end
uint64_t server_dial(Sim *sim, int player); // a new connection, 0 when the server is dead
void server_hang_up(Sim *sim, uint64_t connection);

// ---- the players --------------------------------------------------------------------------------

typedef struct Board {
    LiveId game; // empty: free
    int color;   // ChessColor, or 2: a spectator
    bool known;  // the state has been received
    bool over;
    uint64_t seq;
    uint32_t count;
    char moves[SIM_PLIES_MAX + 1][CHESS_UCI_SIZE];
    ChessPosition pos;
    int64_t sent_ms; // the move for the present ply was sent then; 0: not yet
    char sent[8];
    bool offered; // the opponent's offer stands, as far as known
} Board;

typedef struct Player {
    LiveAccount account;
    char nick[8];
    uint64_t connection; // 0: none
    bool lazy;           // thinks long, loses on time
    bool restless;       // walks to and fro and claims
    Board boards[SIM_BOARDS];
    uint64_t lobby_seq; // 0: not followed
    uint64_t me_seq;
    int64_t away_until_ms;
    int64_t last_arrival_ms; // at the server, of his commands
    uint32_t keys;
    uint64_t challenge_token; // of the last challenge that was answered
    uint64_t challenge_incarnation;
    LiveId challenge;
    LiveId invitation; // the last one that reached him
} Player;

void player_think(Sim *sim, int player);
void player_mail(Sim *sim, int player, const SimMail *mail);
void player_cut_off(Sim *sim, int player); // the connection is gone

struct Sim {
    uint64_t seed;
    uint64_t random;
    int64_t now_ms;
    SimEvent *queue; // a heap
    size_t queue_count;
    size_t queue_capacity;
    uint64_t order;
    bool closing; // no new games
    bool slow;    // a club of games by days: weeks go by, and everybody is away most of the time
    Ledger ledger;
    Server server;
    Player players[SIM_PLAYERS];
};

#endif
