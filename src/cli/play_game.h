// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game on one machine, without any terminal: who plays, what is ruled, what is taken back. Time
// is an argument. Every ruling is that of laws_apply.
#ifndef CLI_PLAY_GAME_H
#define CLI_PLAY_GAME_H

#include <jadoube/laws.h>

#include "cli/dead_text.h"

#define PLAY_NAME_SIZE 64
#define PLAY_MINUTES_MAX 600
#define PLAY_SECONDS_MAX 60

typedef struct PlaySetup {
    ChessPosition start;
    LawsControl control[2]; // by ChessColor; both empty: no clock
    uint8_t edition;        // LawsEdition
    uint8_t level[2];       // 1 to ENGINE_LEVELS; 0: a person
    bool no_undo;           // of a game on the clock
    char name[2][PLAY_NAME_SIZE];
} PlaySetup;

typedef struct PlayGame {
    PlaySetup setup;
    LawsGame laws;
    LawsPly *plies;
    int64_t *clocks; // reading of the mover after each ply; -1: not known
    CliDead dead;
    uint32_t hints;
    int64_t begun_ms;
} PlayGame;

// The initial position, persons on both sides, no clock, the newest edition.
void play_setup_init(PlaySetup *setup);
// minutes: 1 to PLAY_MINUTES_MAX, 0: no clock for anybody. At most one of increment and delay, in
// seconds, up to PLAY_SECONDS_MAX. err names the field.
JD_MUST_USE bool play_setup_clock(PlaySetup *setup, const uint32_t minutes[2], uint32_t increment_s,
                                  uint32_t delay_s, JdErr *err);
bool play_setup_has_clock(const PlaySetup *setup);

// Begins a game. err: why the setup is not sound. Takes memory until play_game_close.
JD_MUST_USE bool play_game_open(PlayGame *game, const PlaySetup *setup, JdInstant now, JdErr *err);
void play_game_close(PlayGame *game);

bool play_is_over(const PlayGame *game);
// 0 when a person is to move, or nobody.
uint8_t play_level_to_move(const PlayGame *game);
int64_t play_reading(const PlayGame *game, ChessColor color, JdInstant now);

// Applies an event, then answers what the Laws could not settle by themselves.
LawsVerdict play_apply(PlayGame *game, const LawsEvent *event, JdInstant now);
LawsVerdict play_move(PlayGame *game, ChessMove move, bool offers_draw, JdInstant now);
// Looks at the clock when a flag may have fallen; true when the game ended by it.
bool play_tick(PlayGame *game, JdInstant now);
// A claim that the opponent's flag is down: it takes one in rapid and blitz of old editions. True
// when the game ended by it.
bool play_claim_flag(PlayGame *game, ChessColor claimant, JdInstant now);

// Claim of a draw by the side to move, with an intended move or CHESS_NO_MOVE (L-010). A claim that
// is not right changes nothing: the counts say how far it is.
typedef struct PlayClaim {
    bool is_right;
    int repetitions;
    int moves; // of each side without a capture or a pawn move
    LawsVerdict verdict;
} PlayClaim;
PlayClaim play_claim(PlayGame *game, ChessMove intended, JdInstant now);

typedef enum PlayUndo {
    PLAY_UNDONE = 0,
    PLAY_UNDO_NOTHING = 1,
    PLAY_UNDO_OFF = 2,
    PLAY_UNDO_OVER = 3,
    PLAY_UNDO_PAUSED = 4,
} PlayUndo;
// Back to the last move of a person; time used is not given back (L-014).
PlayUndo play_undo(PlayGame *game, JdInstant now);
// Back to the position after so many plies (L-018).
PlayUndo play_go_back(PlayGame *game, uint32_t stays, JdInstant now);

// Stops and starts the clocks (L-005); false when that is not possible now.
bool play_pause(PlayGame *game, JdInstant now);
bool play_resume(PlayGame *game, JdInstant now);

// Moves of a file into a game that has just begun, and the clocks they ended at. Returns how many
// plies were taken: fewer than count when the Laws ended the game before.
uint32_t play_refill(PlayGame *game, const ChessMove *moves, const int64_t *clocks, uint32_t count,
                     JdInstant now);
// The result of a file on a game that goes on.
void play_set_result(PlayGame *game, const uint8_t result[2], LawsReason reason, JdInstant now);
// The position after so many plies.
ChessPosition play_position_at(const PlayGame *game, uint32_t plies);

#endif
