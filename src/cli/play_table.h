// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table at which a local game is played: the game, the computer, and whoever types. Both faces
// of `jadoube play`, lines and screen, hand in what was typed and show what is said.
#ifndef CLI_PLAY_TABLE_H
#define CLI_PLAY_TABLE_H

#include "cli/play_engine.h"
#include "cli/play_game.h"
#include "cli/play_store.h"
#include "cli/play_words.h"

typedef enum PlayNotation {
    PLAY_SHORT = 0,
    PLAY_LONG = 1,
    PLAY_FIGURINE = 2,
    PLAY_WORDS = 3, // as moves are announced (Appendix D; F and E of old)
} PlayNotation;

typedef struct PlayOptions {
    PlayLanguage language;
    uint8_t notation;  // PlayNotation
    uint8_t promotion; // ChessKind taken when none is named; CHESS_NO_KIND: ask
    bool ascii;
    bool black_below; // Black's side of the board in the foreground
    bool alternates;  // each new game with the other colour (L-002)
    bool paced;       // the computer takes the time of a person, in a game on the clock
} PlayOptions;

// One line for the player, without its end.
typedef void (*PlaySayFn)(void *context, const char *line);

typedef struct PlayTable {
    PlayOptions options;
    PlayGame game;
    PlayEngine *engine;
    PlaySayFn say;
    void *context;
    char kept_path[PLAY_PATH_SIZE]; // of the automatic save; empty: it is off
    char lost_path[PLAY_PATH_SIZE]; // a game that was cut off; empty: none
    char file[PLAY_PATH_SIZE];      // last saved or opened
    uint64_t random;
    uint32_t shown;      // plies; the board shown, while leafing (L-018)
    bool leafing_stops;  // the clocks
    bool is_leafing;     // else the present position is shown
    bool is_saved;       // nothing has changed since
    PlayCommand leaving; // asked once while the game was not saved; PLAY_NO_COMMAND: none
    bool is_resigning;
    bool is_over_told;
    bool is_done; // leave the program
    // The computer's move, kept until a person would have found it.
    ChessMove ready_move;
    int64_t ready_ms;
    int64_t asked_ms;
    // The last hint, for the screen; CHESS_NO_MOVE: none.
    ChessMove hint;
} PlayTable;

JdInstant play_now(void);

// Sits down: begins a game of that setup. err: why not.
JD_MUST_USE bool play_table_open(PlayTable *table, const PlaySetup *setup, JdErr *err);
// Goes on with the game of a file; false after a line on standard error.
JD_MUST_USE bool play_table_open_file(PlayTable *table, const char *path);
// Says what game it is, what was found, who is to move.
void play_table_greet(PlayTable *table);
void play_table_close(PlayTable *table);

// A line that was typed: a command or a move.
void play_table_input(PlayTable *table, JdStr line);
void play_table_move(PlayTable *table, ChessMove move, bool offers_draw);
void play_table_command(PlayTable *table, PlayCommand command, JdStr rest);
// Shows the board after so many plies (L-018). Against the computer the clocks wait meanwhile.
void play_table_leaf(PlayTable *table, uint32_t plies);
// What is due: flags, answers of the engine, the computer's moves.
void play_table_step(PlayTable *table);
// Until something is due, in ms; -1: nothing by itself.
int play_table_wait_ms(const PlayTable *table);
// The computer has the move or an answer is awaited.
bool play_table_is_busy(const PlayTable *table);
// The position shown.
ChessPosition play_table_shown(const PlayTable *table);

// What is true of a move of the present position, line by line (L-052).
void play_table_consider(PlayTable *table, ChessMove move);

// How the game ended, once.
void play_table_tell_end(PlayTable *table);
// Who plays whom on what clock.
void play_table_tell_game(PlayTable *table);

// A line made of a word and what fills it.
void play_say(PlayTable *table, PlayWord word, const char *a, const char *b, const char *c);
#define PLAY_LINE_SIZE 2048
// Saves the game for the next start, or removes it when it is over (L-017).
void play_table_keep(PlayTable *table);

#endif
