// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words of `jadoube arbitrate` in English, Russian and Romanian. Every text is a whole sentence
// or a part of one that stands alone, with places to fill:
//
//   {c} colour, {g} of the colour, {m} {k} moves, {a} {b} articles, {n} number, {t} ordinal, {s}
//   other text
#ifndef CLI_ARBITRATE_WORDS_H
#define CLI_ARBITRATE_WORDS_H

#include "cli/arbitrate.h"

typedef enum ArbWord {
    ARB_WORD_EDITION,
    ARB_WORD_PACE_STANDARD,
    ARB_WORD_PACE_RAPID,
    ARB_WORD_PACE_BLITZ,
    ARB_WORD_NO_CONTROL,
    ARB_WORD_NO_CLOCK,
    ARB_WORD_MOVES_IN,
    ARB_WORD_PER_MOVE,
    ARB_WORD_DELAY,
    ARB_WORD_BRONSTEIN,
    ARB_WORD_THEN,
    ARB_WORD_AGAIN,
    ARB_WORD_AND,
    ARB_WORD_LINE,
    ARB_WORD_PLIES,
    ARB_WORD_WHITE,
    ARB_WORD_BLACK,
    ARB_WORD_OF_WHITE,
    ARB_WORD_OF_BLACK,
    ARB_WORD_THE_START,
    ARB_WORD_REPETITION_BOARD,
    ARB_WORD_REPETITION_INTENDED,
    ARB_WORD_FIFTY_BOARD,
    ARB_WORD_FIFTY_INTENDED,
    ARB_WORD_TURNS,
    ARB_WORD_LAPSED_MOVE,
    ARB_WORD_LAPSED_TOUCH,
    ARB_WORD_STOOD,
    ARB_WORD_RANGES_LEFT_OUT,
    ARB_WORD_THIRD,
    ARB_WORD_FOURTH,
    ARB_WORD_FIFTH,
    ARB_WORD_NTH,
    ARB_WORD_PLAYED_PAST,
    ARB_WORD_ILLEGAL_MOVE,
    ARB_WORD_ILLEGAL_RULE,
    ARB_WORD_ILLEGAL_RULE_AT_ONCE,
    ARB_WORD_UNREADABLE,
    ARB_WORD_FAULT_AT,
    ARB_WORD_FAULT_MOVE,
    ARB_WORD_CLOCK_GAIN,
    ARB_WORD_FLAG_NOT_TURN,
    ARB_WORD_ASSUME_STANDARD,
    ARB_WORD_CAN_MATE,
    ARB_WORD_CANNOT_MATE,
    ARB_WORD_TOO_EARLY,
    ARB_WORD_ABANDONED,
    ARB_WORD_DECIDED,
    ARB_WORD_VARIANT,
    ARB_WORD_INFRACTION,
    ARB_WORD_NO_MOVES,
    ARB_WORD_UNPROVED,
    ARB_WORD_BY_LAWS,
    ARB_WORD_BY_LAWS_NO_ARTICLE,
    ARB_WORD_NOT_DECIDED,
    ARB_WORD_FILE_SAYS,
    ARB_WORD_FILE_SILENT,
    ARB_WORD_AGREES,
    ARB_WORD_DIFFERS,
    ARB_WORD_TOTAL_GAMES,
    ARB_WORD_TOTAL_AGREE,
    ARB_WORD_TOTAL_DIFFER,
    ARB_WORD_TOTAL_SUPPLIED,
    ARB_WORD_TOTAL_OPEN,
    ARB_WORD_TOTAL_DAMAGED,
    ARB_WORD_TOTAL_PLAYED_PAST,
    ARB_WORD_TOTAL_CLAIMS,
    ARB_WORD_TOTAL_REASONS,
    ARB_WORD_EXPLAIN_ARTICLE,
    ARB_WORD_EXPLAIN_CLASS,
    ARB_WORD_EXPLAIN_REQUIRES,
    ARB_WORD_EXPLAIN_PROGRAM,
    ARB_WORD_EXPLAIN_CODE,
    ARB_WORD_EXPLAIN_CASES,
    ARB_WORD_EXPLAIN_EDITIONS,
    ARB_WORD_EXPLAIN_NOT_KEPT,
    ARB_WORD_CLASS_D,
    ARB_WORD_CLASS_C,
    ARB_WORD_CLASS_A,
    ARB_WORD_CLASS_P,
    ARB_WORD_ACT_REFUSED,
    ARB_WORD_ACT_CLAIM_WRONG,
    ARB_WORD_ACT_UPHELD,
    ARB_WORD_ACT_TO_ARBITER,
    ARB_WORD_ACT_ALLOWED,
    ARB_WORD_ARBITER,
    ARB_WORD_SERVER,
    ARB_WORD_OPPONENT_GETS,
    ARB_WORD_ILLEGAL_COUNT,
    ARB_WORD_FLAG_FELL,
    ARB_WORD_WRITING,
    ARB_WORD_INCIDENT,
    ARB_WORD_IN_ARTICLE,
    ARB_WORD_ACTS_LEFT_OUT,
    ARB_WORD_COUNT
} ArbWord;

const char *arb_word(ArbWord word, ArbLanguage language);
// What a game ended by: "checkmate".
const char *arb_reason_word(LawsReason reason, ArbLanguage language);

// What stands in the places of a text.
typedef struct ArbPlaces {
    const char *c, *g, *m, *k, *a, *b, *n, *t, *s;
} ArbPlaces;
void arb_say(JdOut *out, ArbLanguage language, ArbWord word, const ArbPlaces *places);

// A time control as people say it, and the men of a colour.
void arb_put_control(JdOut *out, ArbLanguage language, const LawsControl *control);
void arb_put_span(JdOut *out, ArbLanguage language, int64_t ms); // "2 min", "30 s"
void arb_put_men(JdOut *out, ArbLanguage language, const ChessPosition *pos, ChessColor color);

#endif
