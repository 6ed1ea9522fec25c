// SPDX-License-Identifier: GPL-3.0-or-later
//
// The computer at the board of `jadoube play`: one question at a time, asked in the background.
#ifndef CLI_PLAY_ENGINE_H
#define CLI_PLAY_ENGINE_H

#include "cli/play_game.h"
#include "engine/engine.h"

typedef struct PlayEngine PlayEngine;

typedef enum PlayAsked {
    PLAY_ASKED_NOTHING = 0,
    PLAY_ASKED_MOVE = 1,
    PLAY_ASKED_DRAW = 2, // whether the computer takes the draw
    PLAY_ASKED_HINT = 3,
} PlayAsked;

// program: a path or name; NULL: stockfish. NULL on want of memory or handles.
PlayEngine *play_engine_open(const char *program);
void play_engine_close(PlayEngine *engine);
bool play_engine_is_there(const PlayEngine *engine);
// Readable when an answer waits.
int play_engine_fd(const PlayEngine *engine);

// Asks about the position on the board; what was asked before is forgotten.
void play_engine_ask(PlayEngine *engine, PlayAsked what, const PlayGame *game, JdInstant now);
void play_engine_forget(PlayEngine *engine);
PlayAsked play_engine_asked(const PlayEngine *engine);
// The answer when there is one; PLAY_ASKED_NOTHING else. Of a draw, scores are from the side of the
// computer.
PlayAsked play_engine_take(PlayEngine *engine, EngineAnswer *out);

#endif
