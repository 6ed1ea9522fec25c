// SPDX-License-Identifier: GPL-3.0-or-later
//
// Computer opponents: named levels from somebody in his first week to the engine's full strength.
// Pure: chance and time are arguments.
//
// Debian's Stockfish reaches down to about 1350 (UCI_Elo); what is weaker is made here, after the
// way people go wrong rather than by throwing dice:
//
// - A beginner sees what he can take before he sees what can be taken from him. With a level's
//   chance (`hasty`) the move is chosen by one look at the board: the value of what it captures,
//   checks, development, castling, a threatened man that gets away; what the opponent may take in
//   return (by static exchange) is only seen with the level's `attention`, man by man.
// - Otherwise the move is one of the engine's best few, weighed by what each loses: a loss of
//   `blur` centipawns halves its chance. A player of that level sees that there are several good
//   moves and not which is best.
//
// What a level really is worth is measured: `./dev bench levels` (bench/README.md).
#ifndef JADOUBE_ENGINE_LEVELS_H
#define JADOUBE_ENGINE_LEVELS_H

#include "engine/engine.h"

#define ENGINE_LEVELS 15

typedef struct EngineLevel {
    const char *name;   // "novice": stable word for APIs and catalogues
    uint16_t elo;       // about, as measured against each other
    uint16_t hasty;     // chance in thousandths of a move by one look
    uint16_t attention; // chance in thousandths to see that a man would be lost
    uint16_t blur;      // centipawns of loss that halve a move's chance; 0: always the best
    uint8_t lines;      // variations looked at
    int16_t engine_elo; // UCI_Elo asked of the engine; 0: full strength
    uint32_t nodes;     // of a question; 0: by time
} EngineLevel;

// number: 1 to ENGINE_LEVELS, weakest first.
const EngineLevel *engine_level(int number);
// The number of a level by its name; 0 when there is none.
int engine_level_find(JdStr name);

// Fills in what the level asks the engine: limits, lines, elo, skill; priority ENGINE_FOR_MOVE.
// left_ms and increment_ms: the clock of the side to move; left_ms 0 means that there is no clock.
void engine_level_question(const EngineLevel *level, int64_t left_ms, int64_t increment_ms,
                           EngineQuestion *question);

// The move the level plays: always legal. answer may have any outcome: without an engine's word the
// move is chosen by one look. *random advances (jd_random).
ChessMove engine_level_choose(const EngineLevel *level, const ChessPosition *pos,
                              const EngineAnswer *answer, uint64_t *random);

// How long a person would take over this move, in milliseconds, the search included: short for a
// forced move or a recapture, longer where several moves are nearly as good, never all the same,
// and never so much that the clock suffers (at most a tenth of what is left, once below 20 s).
uint32_t engine_level_pace(const EngineLevel *level, const ChessPosition *pos, ChessMove last_move,
                           const EngineAnswer *answer, int64_t left_ms, int64_t increment_ms,
                           uint64_t *random);

// Whether the level takes the draw it is offered: after move 30, when it does not stand better by
// more than 30 centipawns (L-010). score: from its side.
bool engine_level_accepts_draw(const EngineAnswer *answer, uint32_t fullmove_number);

#endif
