// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: what engines say, line by line (UCI protocol, April 2006). Pure.
#ifndef JADOUBE_ENGINE_UCI_H
#define JADOUBE_ENGINE_UCI_H

#include "engine/engine.h"

typedef enum UciWord {
    UCI_OTHER = 0, // anything that need not be understood
    UCI_ID_NAME = 1,
    UCI_OPTION = 2,
    UCI_OK = 3,
    UCI_READY_OK = 4,
    UCI_INFO = 5,
    UCI_BEST_MOVE = 6,
} UciWord;

// Options the pool sets itself.
typedef enum UciOption {
    UCI_MULTI_PV = 0,
    UCI_LIMIT_STRENGTH = 1,
    UCI_ELO = 2,
    UCI_SKILL = 3,
    UCI_CHESS960 = 4,
    UCI_SHOW_WDL = 5,
    UCI_OPTION_COUNT = 6,
} UciOption;
extern const char *const uci_option_names[UCI_OPTION_COUNT];

typedef struct UciLine {
    UciWord word;
    JdStr rest; // after the word that was recognised
} UciLine;
UciLine uci_line(JdStr text);

// "name <id> type <t> default <x> min <a> max <b>": the name and, for spins, the bounds (0 and 0
// otherwise). False: malformed.
typedef struct UciOptionLine {
    JdStr name;
    int64_t min;
    int64_t max;
} UciOptionLine;
JD_MUST_USE bool uci_option_line(JdStr rest, UciOptionLine *out);

// One "info" line with a score and a variation; false for every other (no pv, a bound only,
// malformed, or a first move that is illegal in pos). *number is the variation, from 1. The
// variation is cut at its first illegal move. *nodes is left alone when absent.
JD_MUST_USE bool uci_info_line(JdStr rest, const ChessPosition *pos, uint32_t *number,
                               EngineLine *out, uint64_t *nodes);

// "bestmove e2e4 ponder e7e5": the move, which must be legal in pos.
JD_MUST_USE bool uci_best_move(JdStr rest, const ChessPosition *pos, ChessMove *out);

#endif
