// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner to play.c and its parts: a run, its games and who sits at them.
#ifndef JADOUBE_BENCH_PLAY_H
#define JADOUBE_BENCH_PLAY_H

#include <jadoube/chess.h>

#include "load.h"
#include "soak.h"
#include "wire.h"

#define PLACES_MAX 10
#define CODES_MAX 24

typedef enum Role { ROLE_WHITE = 0, ROLE_BLACK = 1, ROLE_WATCHER = 2 } Role;

typedef struct Place {
    struct Place *next; // at the same game
    int connection;
    int game;
    Role role;
    uint32_t heard; // plies
} Place;

typedef struct Player {
    WireConn wire; // first: a WireConn is its Player
    Place places[PLACES_MAX];
    int place_count;
    bool breaking; // on purpose
    bool slow;     // does not read
} Player;

typedef struct Game {
    char id[16];
    int seats[2]; // connections; -1: the computer
    ChessPosition position;
    uint32_t ply;
    uint32_t heard[2];
    char uci[CHESS_UCI_SIZE]; // the last move sent
    bool running;
    bool flying; // sent, and not heard of yet
    bool resent;
    unsigned ended; // bits of the roles that know of the end
    int tries;
    Place *places;
    int64_t due_us;
    int64_t sent_us;
    int heap_place; // -1: not due
} Game;

typedef struct Play {
    Wire wire;
    const Options *options;
    Player *players;
    int player_count; // connections of people
    int watcher_count;
    int computer_count;
    int lobby_count;
    int slow_count;
    int connection_count;
    Game *games;
    int game_count; // with people; those with the computer follow
    int all_games;
    int *heap;
    int heap_size;
    int connected;
    int next_to_connect;
    int begun; // games offered
    int ready; // games that run
    uv_poll_t due;
    int due_fd;
    uv_timer_t clock; // set-up, measuring, the end
    uv_timer_t breaker;
    uv_timer_t minute; // of a soak
    uv_timer_t churn;
    int churned;
    Soak *soak;
    Histogram this_minute;
    uint64_t moves_before;
    double cpu_before;
    enum { SETTING_UP, PLAYING, ENDING, ENDED } phase;
    bool failed;
    int64_t from_us; // what is due from then on, and before until_us, is counted
    int64_t until_us;
    uint64_t random;
    Traffic in; // while it was measured
    Traffic out;
    Usage server_from;
    Usage own_from;
    double played_s;
    Usage server_used;
    Usage own_used;
    // what was measured
    Histogram ack, echo, due_echo, other, watched, late;
    uint64_t moves;
    uint64_t computer_moves;
    uint64_t games_ended;
    uint64_t broken;
    uint64_t errors;
    struct {
        char code[48];
        uint64_t count;
    } codes[CODES_MAX];
} Play;

// Whether a move of the game that is due now belongs to what is measured.
bool play_counts(const Play *play, const Game *game);

// ---- due.c: the games whose next move is due, soonest first
// ---------------------------------------

// Places the game by its due_us; one that is there already stays where it is.
void due_add(Play *play, int game);
int due_take(Play *play); // the soonest; the heap is not empty
void due_remove(Play *play, Game *game);
// Sets the timer to the soonest.
void due_arm(Play *play);

// ---- seats.c: who sits where
// ----------------------------------------------------------------------

// The people, their connections and games, by the options; registers them. False (said on stderr)
// when that is not possible. cookies belong to the process.
bool seats_prepare(Play *play, const Options *options);

// ---- report.c
// -------------------------------------------------------------------------------------

// Prints what was measured. The program's status: 0, or 1 when something is not as it must be.
int report_print(Play *play);

#endif
