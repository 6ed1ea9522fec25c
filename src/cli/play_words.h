// SPDX-License-Identifier: GPL-3.0-or-later
//
// The words of `jadoube play` in English, Russian and Romanian: one table (play_words.inc), and the
// messages of the Laws, which are those of the browser client. {a}, {b} and {c} are places to fill.
#ifndef CLI_PLAY_WORDS_H
#define CLI_PLAY_WORDS_H

#include <jadoube/laws.h>
#include <jadoube/notation.h>

typedef enum PlayLanguage {
    PLAY_ENGLISH = 0,
    PLAY_RUSSIAN = 1,
    PLAY_ROMANIAN = 2,
    PLAY_LANGUAGE_COUNT = 3,
} PlayLanguage;

typedef enum PlayWord {
#define PLAY_WORD(name, en, ru, ro) PLAY_WORD_##name,
#include "cli/play_words.inc"
#undef PLAY_WORD
    PLAY_WORD_COUNT
} PlayWord;

const char *play_word(PlayWord word, PlayLanguage language);
// The word with its places filled; NULL leaves a place empty.
void play_fill(JdOut *out, const char *text, const char *a, const char *b, const char *c);

// "en", "ru_RU.UTF-8", "ro"; false for any other language.
JD_MUST_USE bool play_language_find(const char *text, PlayLanguage *out);
// By LC_ALL, LC_MESSAGES, LANG; English for any other language.
PlayLanguage play_language_of_locale(void);
// Of the letters in moves.
ChessLanguage play_chess_language(PlayLanguage language);

// What the Laws say to an event: how a game ended, or why the event was refused.
void play_laws_say(JdOut *out, PlayLanguage language, const LawsVerdict *verdict);
// How an ended game ended: "Checkmate. White wins."
void play_laws_ended(JdOut *out, PlayLanguage language, const LawsGame *game);

typedef struct PlayLawsText {
    const char *key;
    const char *text[PLAY_LANGUAGE_COUNT];
} PlayLawsText;
extern const PlayLawsText play_laws_texts[];
extern const size_t play_laws_texts_count;

// What is typed. Each command has a name in every language, and all of them are understood.
typedef enum PlayCommand {
    PLAY_NO_COMMAND = 0,
    PLAY_HELP,
    PLAY_RULES,
    PLAY_BOARD,
    PLAY_MOVES,
    PLAY_LEGAL,
    PLAY_CLOCK,
    PLAY_DRAW,
    PLAY_ACCEPT,
    PLAY_DECLINE,
    PLAY_CLAIM,
    PLAY_FLAG,
    PLAY_RESIGN,
    PLAY_UNDO,
    PLAY_HINT,
    PLAY_CONSIDER,
    PLAY_PAUSE,
    PLAY_CONTINUE,
    PLAY_SAVE,
    PLAY_OPEN,
    PLAY_NEW,
    PLAY_FEN,
    PLAY_SETUP,
    PLAY_RECOVER,
    PLAY_FORGET,
    PLAY_QUIT,
    PLAY_COMMAND_COUNT
} PlayCommand;
// The command a line begins with; *rest is what follows it.
PlayCommand play_command_find(JdStr line, JdStr *rest);
const char *play_command_name(PlayCommand command, PlayLanguage language);

#endif
