// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game on one machine, without any terminal or page: who plays, what is ruled, what is taken
// back, how it is written as PGN and read again. Pure: time and memory are arguments. Every ruling
// is that of laws_apply. `jadoube play` and the page /local are its two faces.
#ifndef JADOUBE_PLAY_PLAY_H
#define JADOUBE_PLAY_PLAY_H

#include <jadoube/dead.h>
#include <jadoube/laws.h>
#include <jadoube/pgn.h>

#define PLAY_NAME_SIZE 64
#define PLAY_MINUTES_MAX 600
#define PLAY_SECONDS_MAX 60
#define PLAY_MOVE_SECONDS_MAX 3600

typedef struct PlaySetup {
    ChessPosition start;
    LawsControl control[2]; // by ChessColor; both empty: no clock
    uint8_t edition;        // LawsEdition
    uint8_t level[2];       // 1 to ENGINE_LEVELS; 0: a person
    bool no_undo;           // of a game on the clock
    char name[2][PLAY_NAME_SIZE];
} PlaySetup;

// What a game is given by whoever keeps it.
typedef struct PlayMeans {
    LawsPly *plies;  // CHESS_GAME_PLIES_MAX of each
    int64_t *clocks; // reading of the mover after each ply; -1: not known
    // Whether that side can still mate by any series of legal moves (dead.h).
    DeadVerdict (*can_mate)(void *context, const ChessPosition *pos, ChessColor winner);
    void *context;
} PlayMeans;

typedef struct PlayGame {
    PlaySetup setup;
    LawsGame laws;
    LawsPly *plies; // those of the means
    int64_t *clocks;
    PlayMeans means;
    uint32_t hints;
    int64_t begun_ms;
    char article[12]; // that ended the game, in the numbering of its edition; empty: none
} PlayGame;

// The initial position, persons on both sides, no clock, the newest edition.
void play_setup_init(PlaySetup *setup);
// minutes: 1 to PLAY_MINUTES_MAX, 0: no clock for anybody. At most one of increment and delay, in
// seconds, up to PLAY_SECONDS_MAX. err names the field.
JD_MUST_USE bool play_setup_clock(PlaySetup *setup, const uint32_t minutes[2], uint32_t increment_s,
                                  uint32_t delay_s, JdErr *err);
// Instead of a time for the game a limit for each move, in seconds, 1 to PLAY_MOVE_SECONDS_MAX
// (L-003): what is left of it is not saved.
JD_MUST_USE bool play_setup_move_limit(PlaySetup *setup, const uint32_t seconds[2], JdErr *err);
bool play_setup_has_clock(const PlaySetup *setup);
// Whether a game can begin so; err: why not (laws_setup_check).
JD_MUST_USE bool play_setup_check(const PlaySetup *setup, JdErr *err);

// Begins a game. err: why the setup is not sound; game is then untouched.
JD_MUST_USE bool play_begin(PlayGame *game, const PlaySetup *setup, const PlayMeans *means,
                            JdInstant now, JdErr *err);

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

// ---- files (L-015, L-016) -----------------------------------------------------------------------

// Writes the game with the clock after each move. date: "2026.11.30", or empty.
void play_pgn_write(const PlayGame *game, JdStr date, JdInstant now, ChessPgnSink sink,
                    void *context);

typedef struct PlayOpened {
    uint64_t games;          // in the file
    bool is_cut;             // damaged: opened up to the fault
    bool is_over_before_end; // the Laws ended it before the moves of the file did
    bool has_problem;        // problem says where and what
    ChessPgnProblem problem;
} PlayOpened;

// Reads one game of a text that comes in pieces.
typedef struct PlayPgn {
    ChessPgnReader reader;
    ChessPgnLine lines[2];
    char buffer[CHESS_PGN_BUFFER_MIN];
    uint64_t wanted;
    uint64_t current;
    uint64_t games;
    PlaySetup setup;
    bool has_control[2];
    bool is_found;
    bool is_damaged;
    uint8_t reason; // of the LawsReason tag
    uint32_t hints;
    uint32_t count;
    ChessMove moves[CHESS_GAME_PLIES_MAX];
    int64_t clocks[CHESS_GAME_PLIES_MAX];
    ChessPgnResult result;
    ChessPgnProblem problem;
    bool has_problem;
} PlayPgn;

// number: which game, from 1.
void play_pgn_init(PlayPgn *pgn, uint64_t number);
// False when it wants no more.
bool play_pgn_push(PlayPgn *pgn, JdStr text);
// After the last piece: whether there is a game to go on with. report tells what was found.
JD_MUST_USE bool play_pgn_finish(PlayPgn *pgn, PlayOpened *report);
// Begins the game that was read, where it stood.
JD_MUST_USE bool play_pgn_begin(PlayPgn *pgn, const PlayMeans *means, PlayGame *game, JdInstant now,
                                PlayOpened *report, JdErr *err);

#endif
