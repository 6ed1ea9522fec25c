// SPDX-License-Identifier: GPL-3.0-or-later
//
// Article numbers by edition (spec section 1). Main articles moved between editions; 2023 counts
// with digits what the others count with letters.
#include "laws/inner.h"

typedef struct Numbers {
    const char *main[LAWS_EDITION_COUNT];
    // Where rapid and blitz have an article of their own; NULL: the main one.
    const char *fast[LAWS_EDITION_COUNT];
} Numbers;

#define ROW(n1997, n2005, n2009, n2014, n2023)                                                     \
    { NULL, n1997, n2005, n2009, n2014, n2023 }

static const Numbers numbers[ARTICLE_COUNT] = {
    [ARTICLE_NONE] = { .main = ROW("", "", "", "", "") },
    [ARTICLE_TO_MOVE] = { .main = ROW("1.1", "1.1", "1.1", "1.1", "1.3") },
    [ARTICLE_ILLEGAL_MOVE] = { .main = ROW("7.4", "7.4a", "7.4a", "3.10b", "3.10.2") },
    [ARTICLE_MOVE_MADE] = { .main = ROW("4.7", "4.6", "4.6", "4.7", "4.7") },
    [ARTICLE_CHECKMATE] = { .main = ROW("5.1a", "5.1a", "5.1a", "5.1a", "5.1.1") },
    [ARTICLE_RESIGNATION] = { .main = ROW("5.1b", "5.1b", "5.1b", "5.1b", "5.1.2") },
    [ARTICLE_STALEMATE] = { .main = ROW("5.2a", "5.2a", "5.2a", "5.2a", "5.2.1") },
    [ARTICLE_DEAD_POSITION] = { .main = ROW("5.2b", "5.2b", "5.2b", "5.2b", "5.2.2") },
    [ARTICLE_AGREEMENT] = { .main = ROW("5.2c", "5.2c", "5.2c", "5.2c", "5.2.3") },
    [ARTICLE_CLOCK_START] = { .main = ROW("6.5", "6.5", "6.5", "6.6", "6.6") },
    [ARTICLE_FLAG_CONSIDERED_FALLEN] = { .main = ROW("6.9", "6.9", "6.8", "6.8", "6.8"),
                                         .fast = ROW("B7", "B7", "A.4d", "A.4c", NULL) },
    [ARTICLE_FLAG_FALL] = { .main = ROW("6.10", "6.10", "6.9", "6.9", "6.9") },
    [ARTICLE_BOTH_FLAGS] = { .main = ROW("6.12", "6.12", "6.11", "6.11", "III.3"),
                             .fast = ROW("B8", "B8", "A.4d", "A.4c", NULL) },
    [ARTICLE_INTERRUPTION] = { .main = ROW("6.13", "6.13", "6.12", "6.12", "6.11") },
    [ARTICLE_DEFAULT_TIME] = { .main = ROW("6.7", "6.7", "6.6a", "6.7", "6.7") },
    [ARTICLE_DRAW_RESTRICTION] = { .main = ROW("9.1", "9.1", "9.1a", "9.1a", "9.1.1") },
    [ARTICLE_DRAW_OFFER] = { .main = ROW("9.1a", "9.1a", "9.1b", "9.1b", "9.1.2") },
    [ARTICLE_REPETITION_INTENDED] = { .main = ROW("9.2a", "9.2a", "9.2a", "9.2a", "9.2.1") },
    [ARTICLE_REPETITION_ON_BOARD] = { .main = ROW("9.2b", "9.2b", "9.2b", "9.2b", "9.2.2") },
    [ARTICLE_50_INTENDED] = { .main = ROW("9.3a", "9.3a", "9.3a", "9.3a", "9.3.1") },
    [ARTICLE_50_ON_BOARD] = { .main = ROW("9.3b", "9.3b", "9.3b", "9.3b", "9.3.2") },
    [ARTICLE_CLAIM_LOST] = { .main = ROW("9.4", "9.4", "9.4", "9.4", "9.4") },
    [ARTICLE_WRONG_CLAIM] = { .main = ROW("9.5b", "9.5b", "9.5b", "9.5b", "9.5.3") },
    [ARTICLE_AUTO_REPETITION] = { .main = ROW("", "", "", "9.6a", "9.6.1") },
    [ARTICLE_AUTO_75] = { .main = ROW("", "", "", "9.6b", "9.6.2") },
};

void laws_article_write(Article article, const LawsRules *rules, char out[12]) {
    const Numbers *const row = &numbers[article];
    const char *text = rules->pace == LAWS_STANDARD ? NULL : row->fast[rules->edition];
    if (text == NULL)
        text = row->main[rules->edition];
    size_t size = 0;
    while (text[size] != '\0' && size < 11) {
        out[size] = text[size];
        size++;
    }
    while (size < 12)
        out[size++] = '\0';
}
