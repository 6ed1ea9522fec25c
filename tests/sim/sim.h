// SPDX-License-Identifier: GPL-3.0-or-later
//
// A small club in simulated time, on one machine or on three that share a database: one seed says
// what everybody does, what breaks and when, and how long every message and every commit takes. The
// code of live and of the Laws is the real one; the shell around it, the store and the bus are
// models of what src/net and src/store promise.
//
//   plan.c     what a seed asks for: a list of actions, each of which may be left out
//   world.c    time, chance, memory, and what breaks
//   db.c       the database: groups that are durable or not, leases, epochs, who owns which shard
//   node.c     a process: the shell around live, adopting, releasing, waking
//   gateway.c  the bus between nodes, and the clients' commands on their way to who owns the game
//   user.c     clients: they believe only what they were told, and check it
//   asked.c    what people asked for, held against what came of it
//   judge.c    the promises, looked at after every step by an independent fold of the log
//   test_sim.c seeds, shrinking, planted faults
//
// Whoever finds a promise broken calls SIM_FAIL; it ends the process of the run.
#ifndef JADOUBE_TESTS_SIM_H
#define JADOUBE_TESTS_SIM_H

#include "../live/world.h"

#define SIM_BASE_MS INT64_C(1700000000000)
#define SIM_NODES 3
#define SIM_USERS 6 // the last one is a guest who watches
#define SIM_SHARDS 8
#define SIM_ALL ((1u << SIM_SHARDS) - 1)
#define SIM_ENTITIES 256
#define SIM_PLIES 600
#define SIM_BOARDS 4
#define SIM_CONNECTIONS 4096
#define SIM_ACTIONS 400

typedef struct Sim Sim;

// ---- the plan of a seed -------------------------------------------------------------------------

typedef enum ActionKind {
    ACTION_THINK,     // who: a user does something
    ACTION_CUT_OFF,   // who: a user loses his connection
    ACTION_KILL,      // who: a node dies, and starts again after span_ms
    ACTION_TERM,      // who: a node is asked to stop, gives its shards away, starts again
    ACTION_FREEZE,    // who: a node stands still for span_ms
    ACTION_CUT_DB,    // who: a node does not reach the database
    ACTION_CUT_BUS,   // who, other: two nodes do not hear each other
    ACTION_BUS_DOWN,  // nobody hears anybody
    ACTION_BAD_BUS,   // messages are lost, doubled and overtaken
    ACTION_DB_CRASH,  // what it was writing may be lost
    ACTION_DISK_FULL, // nothing can be written
    ACTION_DISK_SLOW, // writing takes seconds
    ACTION_CLOCK,     // who: the machine's clock is set by span_ms
    ACTION_KINDS
} ActionKind;

typedef struct Action {
    int64_t at_ms; // since the beginning
    ActionKind kind;
    int who;
    int other;
    int64_t span_ms;
    uint64_t random; // its own chance: what is left out elsewhere changes nothing here
} Action;

typedef struct Plan {
    uint64_t seed;
    bool cluster; // three nodes; else one
    bool slow;    // games by days
    int64_t length_ms;
    size_t count;
    Action actions[SIM_ACTIONS];
} Plan;

void plan_make(uint64_t seed, Plan *out);
const char *action_name(ActionKind kind);

// ---- planted faults -----------------------------------------------------------------------------

// Each breaks one promise of the shell or the store, on purpose: a simulation that does not find it
// is worth nothing.
typedef enum Mutant {
    MUTANT_NONE,
    MUTANT_PUBLISH_FIRST,    // people are told before the commit
    MUTANT_ACK_UNSYNCED,     // the commit is acknowledged before it is on the disk
    MUTANT_TORN_STEP,        // a crash leaves half of a step
    MUTANT_NO_FENCE,         // the database takes what a deposed owner writes
    MUTANT_COMMIT_TWICE,     // after a lost connection the group is sent again unasked
    MUTANT_NO_CREDIT,        // an outage is charged to whoever has the move
    MUTANT_CREDIT_TWICE,     // it is credited from the last move on
    MUTANT_EARLY_SIGN,       // the new owner's sign of life counts before the credit is durable
    MUTANT_STALL_CHARGED,    // a commit that stood still is charged
    MUTANT_CLOCK_JUMP,       // the machine's clock is believed when it leaps
    MUTANT_LATE_DROP,        // released games leave memory when the release is durable only
    MUTANT_RELEASE_FIRST,    // shards are given away before what was logged is durable
    MUTANT_NO_GAPS,          // a lost message of the bus goes unnoticed
    MUTANT_DOUBLE_MESSAGES,  // one that came twice is taken twice
    MUTANT_NO_TIMEOUT,       // a forwarded command that gets no answer stays so
    MUTANT_FORGET_SLEEPERS,  // nobody wakes the games that sleep
    MUTANT_SLEEPERS_CHARGED, // outages are not kept for games that sleep
    MUTANT_HALF_TAKEN,       // an owner adopts only the first of its entities
    MUTANT_LOSE_LINES,       // what is said is told, but not always kept
    MUTANT_STALE_TEXT,       // a move in advance arrives with the text of the one before it
    MUTANTS
} Mutant;
const char *mutant_name(Mutant mutant);

// ---- what travels -------------------------------------------------------------------------------

// A command on its way from a client; texts have their place here.
typedef struct SimCommand {
    LiveCommand command;
    char uci[8];
    char key[8];
    char text[24]; // of SAY: its token
    int user;      // -1: the shell's own
    int gateway;
    uint64_t gateway_run;
    int64_t arrived_ms;
    uint32_t place; // among those of its connection
} SimCommand;

// What a client is sent, as far as it looks at it.
typedef struct Mail {
    uint64_t connection; // 0: the answer to a request
    uint64_t token;
    int user;
    bool is_answer;
    uint8_t kind;  // LiveAnswerKind or LiveMessageKind
    uint8_t state; // LawsState
    uint64_t seq;
    uint64_t line; // of SAID: the number that stands in it
    LiveId id;
    uint32_t ply; // of MOVED and ACK; of GAME: how many moves follow
    const char *code;
    int color; // of GAME: the reader's
    bool offered;
    char uci[CHESS_UCI_SIZE];
    const char (*moves)[CHESS_UCI_SIZE];
} Mail;

typedef enum BusKind {
    BUS_BEAT,
    BUS_POKE,     // owners have changed: look
    BUS_CONNECT,  // connection, account
    BUS_GONE,     // connection
    BUS_COMMAND,  // command
    BUS_MAIL,     // mail for a connection or a request of the receiver
    BUS_CLOSE,    // the owner has closed that connection
    BUS_RESYNC,   // something was lost: who is there?
    BUS_VACATION, // vacation
} BusKind;

typedef struct BusMessage {
    BusKind kind;
    int from;
    uint64_t run;
    uint64_t number; // of BEAT: of the last one before it
    uint64_t connection;
    LiveAccount account;
    SimCommand *command;
    Mail *mail;
    LiveVacation vacation;
} BusMessage;

// ---- time ---------------------------------------------------------------------------------------

typedef enum EventKind {
    EVENT_ACTION,   // n: its index
    EVENT_START,    // a: node
    EVENT_THAW,     // a
    EVENT_RENEW,    // a, run
    EVENT_TICK,     // a, run: looks at the database
    EVENT_BEAT,     // a, run
    EVENT_DEADLINE, // a, run
    EVENT_SCAN,     // a, run: sleeping games that are due
    EVENT_ADOPT,    // a, run; n: shards
    EVENT_COMMIT,   // a, run; n: group. The database writes
    EVENT_SYNCED,   // a, run; n: group. It is on the disk
    EVENT_ACK,      // a, run; n: group
    EVENT_BUS,      // a: receiver; message
    EVENT_COMMAND,  // command, at its gateway
    EVENT_RETRY,    // command, that waits for an owner
    EVENT_OWN,      // a, run; command of the shell's own
    EVENT_MAIL,     // mail
    EVENT_DIAL,     // a: user
    EVENT_CLOSED,   // a: user; n: connection
} EventKind;

typedef struct Event {
    int64_t at_ms;
    uint64_t order;
    EventKind kind;
    int a;
    uint64_t run;
    uint64_t n;
    union {
        BusMessage *message;
        SimCommand *command;
        Mail *mail;
        void *ptr;
    };
} Event;

// ---- the database -------------------------------------------------------------------------------

// The game as the judge knows it: folded by the Laws alone.
typedef struct Fold {
    LawsGame laws;
    LawsPly plies[SIM_PLIES + 1];
    uint32_t count; // of entries
} Fold;

typedef struct Entity {
    LiveId id;
    int shard;
    bool is_game;
    bool over;   // ended, or closed
    bool asleep; // in game_record
    int64_t wake_ms;
    bool slow;
    uint8_t mating;
    LiveAccount players[2]; // of a challenge: its creator
    LiveId game;            // of a joined challenge
    LiveLogEvent *log;
    int64_t *arrivals;
    uint32_t count;
    uint32_t capacity;
    uint32_t synced;          // of them on the disk
    uint32_t told;            // somebody was told of the entry with that number
    uint32_t told_plies;      // and of so many plies
    bool published;           // people know of the challenge
    Fold *fold;               // of what the database holds
    Fold *shadows[SIM_NODES]; // of what a node has issued
    // The turn that runs, in true time.
    int64_t turn_ms;
    int64_t turn_reading_ms;
    int64_t held_from_ms[2];
    int64_t held_ms;
    bool turn_known;
    int64_t interrupted_ms[8]; // in this turn, the last ones: a ring
    uint32_t interrupted_count;
} Entity;

// A span in which nobody served a shard, in true time; of it slack_ms may be charged. given_ms may
// be credited beyond it: an interruption is no sign of life, so who dies soon after one is taken to
// have died with it; and what a clock that is set back takes from the time after the last sign is
// not known to have been. Signs are kept back while a credit is not durable: that counts, too.
typedef struct Outage {
    unsigned shards;
    int64_t from_ms;
    int64_t to_ms;
    int64_t slack_ms;
    int64_t given_ms;
} Outage;

// A line of a game's chat.
typedef struct Line {
    LiveId game;
    uint64_t seq;
    uint64_t number; // the token of the command that said it
    bool told;
} Line;

typedef struct KeptOutage {
    unsigned shards;
    LiveOutage outage;
} KeptOutage;

typedef struct Db {
    bool up;
    int64_t full_until_ms;
    int64_t slow_until_ms;
    struct {
        bool alive;
        uint64_t epoch;
        int64_t expires_ms; // by the database's clock, which is the true one
        int64_t alive_ms;   // by the node's
        uint64_t group;     // the last one
    } nodes[SIM_NODES];
    struct {
        int owner;    // -1: nobody
        bool pending; // the adoption is not durable: alive_ms is the former owner's
        bool exact;   // alive_ms is the instant of a release
        int64_t alive_ms;
        int64_t unserved_ms; // the truth: nobody serves it since; 0: somebody does
        bool planned;        // it was given away
        int64_t offset_ms;   // of the clock of who owned it
        int64_t signed_ms;   // in true time: the last sign of its owner that got through
    } shards[SIM_SHARDS];
    Entity entities[SIM_ENTITIES];
    size_t entity_count;
    int64_t arrival;
    KeptOutage *outages;
    size_t outage_count;
    size_t outage_capacity;
    LiveVacation vacations[64];
    size_t vacation_count;
    Line *lines;
    size_t line_count;
    size_t line_capacity;
    size_t lines_synced;
} Db;

// One group of effects; what of it is durable is so together, but for cuts.
typedef struct Group {
    LiveEffects fx;
    size_t *cuts;
    size_t cut_count;
    size_t cut_capacity;
    size_t carried;   // effects that were carried out too early (MUTANT_PUBLISH_FIRST)
    int64_t *true_ms; // of each effect that is an entry of the log
    size_t true_capacity;
    struct {
        size_t index;
        unsigned shards;
    } outages[32]; // those that adoptions brought
    size_t outage_count;
    uint64_t number;
    uint64_t epoch;
    unsigned owned;                 // when it was closed
    unsigned adopted;               // shards
    int64_t adopted_ms[SIM_SHARDS]; // in true time
    unsigned released;              // shards
    int64_t released_ms;            // by the node's clock
    int64_t released_true_ms;
    int64_t alive_ms;  // a sign of life that is kept with it; 0: none
    bool holds_credit; // an INTERRUPTION or an outage
} Group;

// ---- nodes --------------------------------------------------------------------------------------

typedef struct Following {
    uint64_t connection;
    LiveId game;
} Following;

typedef struct Node {
    int index;
    bool up;
    int64_t frozen_until_ms;
    int64_t cut_until_ms; // from the database
    int64_t mute_until_ms[SIM_NODES];
    int64_t down_since_ms; // dead, frozen, or without the database since; 0: it got through
    uint64_t run;
    uint64_t epoch;
    int64_t wall_ms;        // what the machine's clock is ahead of true time
    int64_t offset_ms;      // what the shell's is
    int64_t last_offset_ms; // of the last run that the database knew
    int64_t renewed_ms;
    bool has_heart;  // single: the first sign of a run may be given
    int64_t sign_ms; // the last one
    Live *live;
    LiveMemory memory;
    int64_t bytes;
    bool asks;
    unsigned owned;
    int64_t served_ms[SIM_SHARDS]; // since when, in true time
    unsigned claimed;              // in the database, not adopted yet
    unsigned leaving;              // MUTANT_LATE_DROP
    bool stopping;
    int view[SIM_SHARDS]; // who owns what, as last seen; -1: nobody
    LiveMemory fx_memory; // of the groups, which may outlive the process
    int64_t fx_bytes;
    Group open;
    Group flying;
    Group ghost; // of a dead process, on its way to the database
    bool has_ghost;
    bool is_flying;
    int64_t timer_ms; // set; 0: none
    LiveEffect slept[64];
    size_t slept_count;
    int64_t commit_ms;
    uint64_t group;
    SimCommand **held;
    size_t held_count;
    size_t held_capacity;
    Following *following; // the hub
    size_t following_count;
    size_t following_capacity;
    uint64_t sent[SIM_NODES];
    uint64_t heard[SIM_NODES]; // the last number
    uint64_t heard_run[SIM_NODES];
    int64_t heard_ms[SIM_NODES];
    bool lost[SIM_NODES];       // its connections were dropped here; it has to name them anew
    bool here[SIM_CONNECTIONS]; // connections that live knows
} Node;

// A client's connection, as both ends know it.
typedef struct Connection {
    int user;
    int gateway;
    uint64_t run;
    bool open;
    int64_t last_delivery_ms;
    int64_t last_arrival_ms;
    uint32_t arrived; // commands at the gateway
    uint32_t done;    // of them on their way, in that order
    LiveId follows[SIM_BOARDS + 2];
    size_t follow_count;
} Connection;

// What a gateway waits for.
typedef struct Pending {
    uint64_t token;
    int gateway;
    uint64_t run;
    int peer;
    uint64_t connection;
    int user;
    int64_t sent_ms;
} Pending;

// ---- users --------------------------------------------------------------------------------------

typedef struct Board {
    LiveId game; // empty: free
    int color;
    bool known;
    bool over;
    uint64_t seq;
    uint32_t count;
    char moves[SIM_PLIES + 1][CHESS_UCI_SIZE];
    ChessPosition pos;
    int64_t sent_ms;
    bool offered;
    uint64_t line; // the number of the last one said
} Board;

// A move that somebody asked for; ply: plies before it.
typedef struct Wish {
    LiveId game;
    LiveAccount account;
    uint32_t ply;
    bool early; // while the opponent was thinking
    char uci[CHESS_UCI_SIZE];
} Wish;

typedef struct Ask {
    uint64_t token;
    uint64_t connection;
    int gateway;
    uint64_t run;
    int64_t sent_ms;
    bool answered;
    bool says; // a line at that game
    LiveId game;
} Ask;

typedef struct User {
    LiveAccount account;
    char nick[8];
    uint64_t connection;
    bool dials;
    Board boards[SIM_BOARDS];
    uint32_t keys;
    Ask *asks;
    size_t ask_count;
    size_t ask_capacity;
} User;

// ---- all of it ----------------------------------------------------------------------------------

typedef struct Sim {
    const Plan *plan;
    Mutant mutant;
    bool trace;
    uint64_t net_random;
    uint64_t disk_random;
    uint64_t live_random;
    int64_t now_ms; // true
    uint64_t step;
    uint64_t order;
    Event *queue;
    size_t queue_count;
    size_t queue_capacity;
    int nodes_count;
    bool calm;  // faults are over
    bool home;  // users are, too
    bool quiet; // nothing breaks any more: beats are rare
    int64_t bad_bus_until_ms;
    int64_t bus_down_until_ms;
    Node nodes[SIM_NODES];
    Db db;
    Outage *outages;
    size_t outage_count;
    size_t outage_capacity;
    Connection connections[SIM_CONNECTIONS];
    uint64_t connection_count;
    Pending *pending;
    size_t pending_count;
    size_t pending_capacity;
    User users[SIM_USERS];
    uint64_t token;
    Wish *wishes;
    size_t wish_count;
    size_t wish_capacity;
    char stale_uci[CHESS_UCI_SIZE]; // MUTANT_STALE_TEXT
    struct Chunk *chunks;
    struct {
        size_t moves, games, ends, commits, kills, fences, adoptions, releases, gaps, timeouts;
        size_t sleeps, wakes, stalls, flags, closed, lost, unavailable;
        size_t lines, premoves, touches;
    } count;
} Sim;

// Ends the process of the run, with the words for whoever started it.
__attribute__((noreturn, format(printf, 2, 3))) void sim_fail(const Sim *s, const char *format,
                                                              ...);
#define SIM_CHECK(s, condition)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            sim_fail(s, "%s (%s:%d)", #condition, __func__, __LINE__);                             \
    } while (0)
__attribute__((format(printf, 2, 3))) void sim_trace(const Sim *s, const char *format, ...);

// world.c
void *sim_take(Sim *s, size_t size); // zeroed, until the end of the run
void *sim_grow(void *list, size_t count, size_t *capacity, size_t size);
void sim_at(Sim *s, int64_t at_ms, Event event);
int64_t sim_between(uint64_t *random, int64_t least, int64_t most);
bool sim_chance(uint64_t *random, uint32_t in_thousand);
int64_t sim_scaled(const Sim *s, int64_t ms); // of the infrastructure: longer in a slow club
void sim_run(Sim *s, const Plan *plan, Mutant mutant, bool trace);
int sim_shard(const LiveId *id);

// What the cluster runs by.
#define LEASE_MS 3000
#define RENEW_MS 1000
#define TICK_MS 500
#define BEAT_MS 500
// A sign of life is no older than that when it gets into the database.
#define HEARTBEAT_MS (RENEW_MS + BEAT_MS)
#define SCAN_MS 20000
#define SILENCE_MS 2500
#define PATIENCE_MS 5000

// db.c
void db_open(Sim *s);
Entity *db_find(const Sim *s, const LiveId *id);
bool db_reached(const Sim *s, const Node *node);
// What stands in the group before `upto` becomes durable; false: fenced.
bool db_commit(Sim *s, Node *node, Group *group, size_t upto);
void db_register(Sim *s, Node *node);
void db_give(Sim *s, Node *node, unsigned shards, int64_t clock_ms, int64_t true_ms);
void db_synced(Sim *s);
void db_crash(Sim *s);
void db_renew(Sim *s, Node *node);
void db_look(Sim *s, Node *node); // leases, view, claims; the node may be dead after it
void db_unserved(Sim *s, unsigned shards, int64_t since_ms);
LiveLogEvent *db_unfinished(Sim *s, unsigned shards, size_t *count);
LiveOutage *db_outages(Sim *s, const Entity *entity, size_t *count);

// node.c
int64_t node_clock(const Sim *s, const Node *node);
bool node_may_step(const Sim *s, const Node *node);
void node_start(Sim *s, Node *node);
void node_kill(Sim *s, Node *node, int64_t back_ms);
void node_fenced(Sim *s, Node *node);
void node_term(Sim *s, Node *node);
void node_release(Sim *s, Node *node, unsigned shards);
void node_claimed(Sim *s, Node *node, unsigned shards);
void node_adopt(Sim *s, Node *node, unsigned shards);
void node_commit(Sim *s, Node *node, uint64_t run, uint64_t number);
void node_ack(Sim *s, Node *node, uint64_t number);
void node_deadline(Sim *s, Node *node);
void node_beat(Sim *s, Node *node);
void node_scan(Sim *s, Node *node);
// A command for an entity that is owned here, or for none; held while a commit stands still.
void node_command(Sim *s, Node *node, SimCommand *command);
void node_tell(Sim *s, Node *node, LiveCommandKind kind, uint64_t connection, LiveAccount account);
void node_vacation(Sim *s, Node *node, const LiveVacation *vacation);
void node_stop_serving(Sim *s, Node *node);
void node_close(Sim *s, Node *node);

// gateway.c
void bus_send(Sim *s, Node *from, int to, BusMessage message);
void bus_all(Sim *s, Node *from, BusMessage message);
void bus_take(Sim *s, Node *node, BusMessage *message);
void bus_beat(Sim *s, Node *node);
void gateway_dial(Sim *s, int user);
void gateway_gone(Sim *s, uint64_t connection);  // the client has left
void gateway_close(Sim *s, uint64_t connection); // the server closes
void gateway_command(Sim *s, SimCommand *command);
void gateway_mail(Sim *s, Node *owner, Mail *mail); // of an owner, to whom it belongs
void gateway_owners(Sim *s, Node *node, unsigned shards);
void gateway_died(Sim *s, Node *node);
void client_mail(Sim *s, Mail *mail);

// user.c
void user_think(Sim *s, const Action *action);
void user_mail(Sim *s, Mail *mail);
void user_dial(Sim *s, int user);
void user_closed(Sim *s, int user, uint64_t connection);
void user_go_home(Sim *s);

// asked.c
void asked_move(Sim *s, const SimCommand *command);
void asked_made(Sim *s, const Entity *entity, const LawsGame *before, const LawsEvent *event);
uint64_t asked_line_number(const LiveSaid *said);
void asked_kept(Sim *s, const Node *node, const LiveEffect *effect);
void asked_told(Sim *s, const LiveId *game, uint64_t number); // its sender, or who reads it
void asked_crashed(Sim *s);

// judge.c
void judge_appended(Sim *s, Node *node, const LiveLogEvent *event, int64_t true_ms);
// Before the node takes them: its copies are those of the database.
void judge_adopted(Sim *s, Node *node, unsigned shards);
void judge_woken(Sim *s, Node *node, Entity *entity);
// Everything unfinished of these shards is in its memory, as the log has it.
void judge_in_memory(Sim *s, Node *node, unsigned shards);
void judge_step(Sim *s, Node *node, size_t from, const LiveCommand *command, bool known);
int64_t judge_down(const Sim *s, int shard, int64_t from_ms, int64_t to_ms, int64_t *slack_ms,
                   int64_t *given_ms);
void judge_told(Sim *s, const LiveMessage *message);
void judge_answer(Sim *s, const LiveAnswer *answer);
void judge_crashed(Sim *s); // the database: what was told must be there still
void judge_outage(Sim *s, unsigned shards, int64_t from_ms, int64_t to_ms, int64_t slack_ms,
                  int64_t given_ms);
void judge_asked(Sim *s, int user, const SimCommand *command);
void judge_answered(Sim *s, const Mail *mail);
void judge_end(Sim *s);

#endif
