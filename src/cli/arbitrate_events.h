// SPDX-License-Identifier: GPL-3.0-or-later
//
// Event files: JSON lines, a setup and then the events of a game. jadoube-arbitrate(1) is their
// manual.
#ifndef CLI_ARBITRATE_EVENTS_H
#define CLI_ARBITRATE_EVENTS_H

#include "cli/arbitrate.h"

#include <jansson.h>

// Events that are told; plain moves and the like are not.
#define ARB_ACTS_MAX 256

typedef struct ArbAct {
    uint64_t line;
    int64_t at_ms;
    LawsEvent event; // without its text
    LawsVerdict verdict;
    ChessPosition position;         // before it
    char move[CHESS_NOTATION_SIZE]; // as the file has it; empty: none
} ArbAct;

typedef struct ArbEventFile {
    LawsGame game;
    LawsPly plies[CHESS_GAME_PLIES_MAX];
    uint8_t language; // ChessLanguage of moves
    bool is_open;     // a setup has been read
    bool is_bad;      // the game has a faulty line: what follows is passed over
    uint32_t act_count;
    uint32_t acts_left_out;
    ArbAct acts[ARB_ACTS_MAX];
    char end_article[12];
    char text[LAWS_EVENT_TEXT_MAX + 1]; // of the event being applied
} ArbEventFile;

// Where something is wrong, and what: the key of the line it is about, or NULL.
typedef struct ArbLineFault {
    const char *key;
    char text[200];
} ArbLineFault;

// A setup line into a setup, names and the stated result; false: fault says why.
bool arb_events_setup(ArbRun *run, ArbEventFile *file, json_t *line, LawsSetup *setup,
                      ArbLineFault *fault);
// An event line into an event and its instant; false: fault says why.
bool arb_events_event(ArbEventFile *file, json_t *line, LawsEvent *event, int64_t *at_ms,
                      ArbLineFault *fault);

// What an event is called, and why it was refused.
const char *arb_event_word(uint8_t kind, ArbLanguage language);
const char *arb_refusal_word(LawsRefusal refusal, ArbLanguage language);

#endif
