// SPDX-License-Identifier: GPL-3.0-or-later
//
// What two players agree to play: the part of a challenge that becomes the setup of a game.
#ifndef JADOUBE_LIVE_TERMS_H
#define JADOUBE_LIVE_TERMS_H

#include "live/codec.h"
#include "live/live.h"

typedef struct Terms {
    LiveControl control;
    uint8_t type;    // LiveType
    uint8_t edition; // LawsEdition
    uint8_t flag;    // LiveFlag, as chosen
    uint8_t touch;
    uint8_t unwatched;
    uint8_t rated;
    bool set_up;         // begins with start, not with the initial position
    ChessPosition start; // all zero when it does not
} Terms;

// The terms a command asks for; false: the error's wire code, field and sentence.
JD_MUST_USE bool terms_of_command(const LiveCommand *command, Terms *out, const char **code,
                                  JdErr *err);
// Whether terms are sound, as those of the log must be.
JD_MUST_USE bool terms_check(const Terms *terms, const char **code, JdErr *err);
// The terms a game was played under.
void terms_of_setup(const LawsSetup *setup, uint8_t type, uint8_t rated, Terms *out);
// The setup of a game under sound terms.
void terms_setup(const Terms *terms, LawsSetup *out);
// LIVE_FLAG_AUTO or LIVE_FLAG_CLAIM: how flags fall under a setup.
uint8_t terms_flag(const LawsSetup *setup);

// start as FEN; empty when it is the initial position.
void terms_fen(const Terms *terms, char out[CHESS_FEN_SIZE]);
// Reads it back, and what people send; empty: the initial position. False: the error's wire code
// and sentence.
JD_MUST_USE bool terms_set_fen(Terms *terms, JdStr fen, const char **code, JdErr *err);

// All but rated and start, which a challenge's log holds elsewhere.
void terms_write(const Terms *terms, Writer *out);
void terms_read(Reader *in, Terms *out);

#endif
