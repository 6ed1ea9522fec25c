// SPDX-License-Identifier: GPL-3.0-or-later
//
// A question to the engine that waits for its answer.
#ifndef LEARN_ASK_H
#define LEARN_ASK_H

#include "engine/engine.h"

// question->done and context are set here.
void learn_ask(EnginePool *pool, EngineQuestion *question, EngineAnswer *answer);
// One process of the engine; false after saying so when there is none.
bool learn_engine(const char *who, EnginePool **out);

#endif
