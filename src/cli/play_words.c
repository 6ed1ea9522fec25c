// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/play_words.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[PLAY_WORD_COUNT][PLAY_LANGUAGE_COUNT] = {
#define PLAY_WORD(name, en, ru, ro) [PLAY_WORD_##name] = { en, ru, ro },
#include "cli/play_words.inc"
#undef PLAY_WORD
};

const char *play_word(PlayWord word, PlayLanguage language) {
    return words[word][language];
}

void play_fill(JdOut *out, const char *text, const char *a, const char *b, const char *c) {
    const char *const places[3] = { a, b, c };
    for (const char *at = text; *at != '\0'; at++) {
        if (at[0] == '{' && at[1] >= 'a' && at[1] <= 'c' && at[2] == '}') {
            const char *filled = places[at[1] - 'a'];
            jd_out_cstr(out, filled != NULL ? filled : "");
            at += 2;
        } else {
            jd_out_char(out, *at);
        }
    }
}

// ---- languages ----------------------------------------------------------------------------------

static const char *const language_codes[PLAY_LANGUAGE_COUNT] = { "en", "ru", "ro" };

bool play_language_find(const char *text, PlayLanguage *out) {
    for (int i = 0; i < PLAY_LANGUAGE_COUNT; i++) {
        const char after = strncmp(text, language_codes[i], 2) == 0 ? text[2] : 'x';
        if (after == '\0' || after == '_' || after == '.' || after == '-' || after == '@') {
            *out = (PlayLanguage)i;
            return true;
        }
    }
    return false;
}

PlayLanguage play_language_of_locale(void) {
    static const char *const names[] = { "LC_ALL", "LC_MESSAGES", "LANG" };
    PlayLanguage language = PLAY_ENGLISH;
    for (size_t i = 0; i < JD_COUNT(names); i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0') {
            if (!play_language_find(value, &language))
                language = PLAY_ENGLISH;
            break;
        }
    }
    return language;
}

ChessLanguage play_chess_language(PlayLanguage language) {
    static const ChessLanguage of[PLAY_LANGUAGE_COUNT] = { CHESS_ENGLISH, CHESS_RUSSIAN,
                                                           CHESS_ROMANIAN };
    return of[language];
}

// ---- what the Laws say --------------------------------------------------------------------------

static const char *laws_text(JdStr key, PlayLanguage language) {
    for (size_t i = 0; i < play_laws_texts_count; i++)
        if (jd_str_equal(key, jd_str(play_laws_texts[i].key)))
            return play_laws_texts[i].text[language];
    return "";
}

static void put_span(JdOut *out, int64_t ms) {
    char text[16];
    (void)jd_format(text, sizeof(text), "%lld:%02lld", (long long)(ms / 60000),
                    (long long)(ms / 1000 % 60));
    jd_out_cstr(out, text);
}

static void put_laws_text(JdOut *out, PlayLanguage language, const char *text, uint8_t side,
                          const int64_t numbers[2]) {
    JdStr rest = jd_str(text);
    while (rest.size > 0) {
        const size_t open = jd_str_find(rest, '{');
        jd_out_text(out, jd_str_part(rest, 0, open));
        rest = jd_str_part(rest, open, rest.size);
        const size_t close = jd_str_find(rest, '}');
        if (close >= rest.size)
            break;
        const JdStr place = jd_str_part(rest, 1, close - 1);
        rest = jd_str_part(rest, close + 1, rest.size);
        if (jd_str_equal(place, JD_STR("side")))
            jd_out_cstr(out, play_word(side == CHESS_BLACK ? PLAY_WORD_BLACK_WITHIN
                                                           : PLAY_WORD_WHITE_WITHIN,
                                       language));
        else if (jd_str_starts_with(place, JD_STR("time")))
            put_span(out, numbers[place.size > 4]);
        else
            jd_out_i64(out, numbers[jd_str_equal(place, JD_STR("m"))]);
    }
    jd_out_text(out, rest);
}

void play_laws_say(JdOut *out, PlayLanguage language, const LawsVerdict *verdict) {
    char key[LAWS_MESSAGE_NAME_SIZE];
    const uint16_t message =
        verdict->refusal != LAWS_NOT_REFUSED ? verdict->refusal : verdict->message;
    const size_t size = laws_message_name(message, key);
    put_laws_text(out, language, laws_text(jd_str_n(key, size), language), verdict->message_side,
                  verdict->numbers);
    if (verdict->article[0] != '\0') {
        char article[64];
        JdOut filled = jd_out(article, sizeof(article) - 1);
        play_fill(&filled, play_word(PLAY_WORD_ARTICLE, language), verdict->article, NULL, NULL);
        jd_out_char(out, ' ');
        jd_out_text(out, jd_out_str(&filled));
    }
}

void play_laws_ended(JdOut *out, PlayLanguage language, const LawsGame *game) {
    static const int64_t none[2] = { 0, 0 };
    char key[LAWS_MESSAGE_NAME_SIZE];
    const size_t size = laws_message_name((uint16_t)(LAWS_MESSAGE_REASONS + game->reason), key);
    const uint8_t winner =
        game->result[CHESS_BLACK] > game->result[CHESS_WHITE] ? CHESS_BLACK : CHESS_WHITE;
    put_laws_text(out, language, laws_text(jd_str_n(key, size), language), winner, none);
}

// ---- commands -----------------------------------------------------------------------------------

// The first name of a language is the one that is shown.
static const struct {
    PlayCommand command;
    const char *names[PLAY_LANGUAGE_COUNT];
    const char *others; // parted by blanks: without diacritics, short
} commands[] = {
    { PLAY_HELP, { "help", "помощь", "ajutor" }, "? h" },
    { PLAY_RULES, { "rules", "правила", "reguli" }, "" },
    { PLAY_BOARD, { "board", "доска", "tabla" }, "tablă" },
    { PLAY_MOVES, { "moves", "ходы", "mutări" }, "mutari" },
    { PLAY_LEGAL, { "legal", "возможные", "legale" }, "" },
    { PLAY_CLOCK, { "clock", "часы", "ceas" }, "" },
    { PLAY_DRAW, { "draw", "ничья", "remiză" }, "remiza" },
    { PLAY_ACCEPT, { "accept", "согласен", "accept" }, "yes согласна да da" },
    { PLAY_DECLINE, { "decline", "отказ", "refuz" }, "no нет nu" },
    { PLAY_CLAIM, { "claim", "заявить", "revendic" }, "" },
    { PLAY_FLAG, { "flag", "флажок", "steag" }, "флаг" },
    { PLAY_RESIGN, { "resign", "сдаюсь", "cedez" }, "" },
    { PLAY_UNDO, { "undo", "назад", "înapoi" }, "inapoi" },
    { PLAY_HINT, { "hint", "подсказка", "indiciu" }, "" },
    { PLAY_CONSIDER, { "consider", "обдумать", "cântăresc" }, "cantaresc" },
    { PLAY_PAUSE, { "pause", "пауза", "pauză" }, "pauza" },
    { PLAY_CONTINUE, { "continue", "продолжить", "continuă" }, "continua" },
    { PLAY_SAVE, { "save", "сохранить", "salvează" }, "salveaza" },
    { PLAY_OPEN, { "open", "открыть", "deschide" }, "" },
    { PLAY_NEW, { "new", "новая", "nou" }, "" },
    { PLAY_FEN, { "fen", "позиция", "poziție" }, "pozitie" },
    { PLAY_SETUP, { "setup", "расставить", "așază" }, "aseaza" },
    { PLAY_RECOVER, { "recover", "восстановить", "recuperează" }, "recupereaza" },
    { PLAY_FORGET, { "forget", "забыть", "uită" }, "uita" },
    { PLAY_QUIT, { "quit", "выход", "ieșire" }, "iesire exit q" },
};

static bool is_among(JdStr word, const char *names) {
    for (JdStr rest = jd_str(names); rest.size > 0;)
        if (jd_str_equal_nocase(word, jd_str_cut(&rest, ' ')))
            return true;
    return false;
}

PlayCommand play_command_find(JdStr line, JdStr *rest) {
    *rest = jd_str_trim(line);
    const JdStr word = jd_str_cut(rest, ' ');
    *rest = jd_str_trim(*rest);
    for (size_t i = 0; i < JD_COUNT(commands); i++) {
        bool found = is_among(word, commands[i].others);
        for (int language = 0; language < PLAY_LANGUAGE_COUNT; language++)
            found = found || jd_str_equal_nocase(word, jd_str(commands[i].names[language]));
        if (found && word.size > 0)
            return commands[i].command;
    }
    *rest = jd_str_trim(line);
    return PLAY_NO_COMMAND;
}

const char *play_command_name(PlayCommand command, PlayLanguage language) {
    for (size_t i = 0; i < JD_COUNT(commands); i++)
        if (commands[i].command == command)
            return commands[i].names[language];
    return "";
}
