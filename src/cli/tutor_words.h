// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tutor's facts in words, in the terminal: the browser client's own messages.
#ifndef CLI_TUTOR_WORDS_H
#define CLI_TUTOR_WORDS_H

#include "cli/play_words.h"
#include "tutor/tutor.h"

// Writes a move of the position as the reader likes it.
typedef void (*CliMoveFn)(void *context, const ChessPosition *pos, ChessMove move, JdOut *out);

// One fact about a move of pos, as a sentence. write NULL: SAN in English letters.
void cli_fact_say(PlayLanguage language, const ChessPosition *pos, ChessMove move,
                  const TutorFact *fact, CliMoveFn write, void *context, JdOut *out);
// A message without places, such as "tutor.plain".
const char *cli_tutor_text(PlayLanguage language, const char *key);

extern const PlayLawsText tutor_texts[];
extern const size_t tutor_texts_count;

#endif
