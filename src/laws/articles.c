// SPDX-License-Identifier: GPL-3.0-or-later
//
// Article numbers by edition (spec section 1). Main articles moved between editions; 2023 counts
// with digits what the others count with letters.
#include "laws/inner.h"

typedef struct Numbers {
    const char *main[LAWS_EDITION_COUNT];
    // Where rapid and blitz have an article of their own; NULL: the main one.
    const char *fast[LAWS_EDITION_COUNT];
    // Where blitz has one beside that of rapid; NULL: the same.
    const char *blitz[LAWS_EDITION_COUNT];
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
    [ARTICLE_ADJUST] = { .main = ROW("4.2", "4.2", "4.2", "4.2", "4.2.1") },
    [ARTICLE_TOUCH] = { .main = ROW("4.3", "4.3", "4.3", "4.3", "4.3") },
    [ARTICLE_TOUCH_CASTLING] = { .main = ROW("4.4", "4.4", "4.4", "4.4", "4.4") },
    [ARTICLE_RELEASE] = { .main = ROW("4.7", "4.6", "4.6", "4.7", "4.7") },
    [ARTICLE_PROMOTION_CHOICE] = { .main = ROW("4.7", "4.6c", "4.6c", "4.7c", "4.7.3") },
    [ARTICLE_COMPLAINT] = { .main = ROW("4.6", "4.7", "4.7", "4.8", "4.8") },
    [ARTICLE_TOUCH_REQUEST] = { .main = ROW("4.3", "4.3", "4.3", "4.3", "4.3"),
                                .fast = ROW("B5a", "B5", "A.4b", NULL, NULL) },
    [ARTICLE_ASSISTANT] = { .main = ROW("8.1", "8.1", "8.1", "4.9", "4.9") },
    [ARTICLE_PRESS] = { .main = ROW("6.8a", "6.8a", "6.7a", "6.2a", "6.2.1") },
    [ARTICLE_PRESS_WITHOUT_MOVE] = { .main = ROW("6.8a", "6.8a", "6.7a", "6.2a", "7.5.3") },
    [ARTICLE_CLOCK_HAND] = { .main = ROW("6.8b", "6.8b", "6.7b", "6.2c", "6.2.3") },
    [ARTICLE_CLOCK_ABUSE] = { .main = ROW("6.8c", "6.8c", "6.7c", "6.2d", "6.2.4") },
    [ARTICLE_ARRIVAL] = { .main = ROW("6.6", "6.6", "6.6", "6.7", "6.7") },
    [ARTICLE_PERIODS] = { .main = ROW("6.2", "6.2", "6.2", "6.3", "6.3") },
    [ARTICLE_CHECK_AT_FLAG] = { .main = ROW("6.3", "6.3", "6.3", "6.4", "6.4") },
    [ARTICLE_CLOCK_READING] = { .main = ROW("6.11", "6.11", "6.10", "6.10", "6.10") },
    [ARTICLE_CLOCK_SETTING] = { .main = ROW("6.11", "6.11", "6.10b", "6.10b", "6.10.2"),
                                .fast = ROW("B4", "B4", "A.4a", "A.4a", NULL) },
    [ARTICLE_STOP_BY_ARBITER] = { .main = ROW("6.13a", "6.13a", "6.12a", "6.12a", "6.11.1") },
    [ARTICLE_STOP_BY_PLAYER] = { .main = ROW("6.13b", "6.13b", "6.12b", "6.12b", "6.11.2") },
    [ARTICLE_RESUMPTION] = { .main = ROW("6.13c", "6.13c", "6.12c", "6.12c", "6.11.3") },
    [ARTICLE_BAD_STOP] = { .main = ROW("6.13d", "6.13d", "6.12d", "6.12d", "6.11.4") },
    [ARTICLE_TIMES_AFTER] = { .main = ROW("6.14", "6.14", "6.13", "7.1", "7.1") },
    [ARTICLE_SETUP] = { .main = ROW("7.1a", "7.1a", "7.1a", "7.2a", "7.2.1"),
                        .fast = ROW("B4", "B4", "A.4a", "A.4a", NULL) },
    [ARTICLE_SETUP_ANNULLED] = { .main = ROW("7.1a", "7.1a", "7.1a", "7.2a", "7.2.1") },
    [ARTICLE_BOARD_TURNED] = { .main = ROW("7.1b", "7.1b", "7.1b", "7.2b", "7.2.2") },
    [ARTICLE_COLORS_REVERSED] = { .main = ROW("7.2", "7.2", "7.2", "7.3", "7.3") },
    [ARTICLE_DISPLACED] = { .main = ROW("7.3", "7.3", "7.3", "7.4", "7.4") },
    [ARTICLE_DISPLACED_FOUND] = { .main = ROW("7.5", "7.5", "7.5", "7.6", "7.6") },
    [ARTICLE_ILLEGAL_FOUND] = { .main = ROW("7.4a", "7.4a", "7.4a", "7.5a", "7.5.1"),
                                .fast = ROW("B5b", "B6", "A.4c", "A.4b", NULL),
                                .blitz = ROW("C3", "C3", "B.3c", "A.4b", NULL) },
    [ARTICLE_ILLEGAL_PENALTY] = { .main = ROW("7.4b", "7.4b", "7.4b", "7.5b", "7.5.5") },
    [ARTICLE_ILLEGAL_AT_ONCE] = { .main = ROW("7.4b", "7.4b", "7.4b", "7.5b", "7.5.5"),
                                  .fast = ROW("B5b", "B6", "A.4c", "A.4b", NULL),
                                  .blitz = ROW("C3", "C3", "B.3c", "A.4b", NULL) },
    [ARTICLE_UNFINISHED_PROMOTION] = { .main = ROW("3.7e", "7.4a", "7.4a", "7.5a", "7.5.2") },
    [ARTICLE_ILLEGAL_POSITION] = { .main = ROW("7.4", "B6", "A.4c", "A.4d", "A.5.4") },
    [ARTICLE_TWO_HANDS] = { .main = ROW("4.1", "4.1", "4.1", "4.1", "7.5.4") },
    [ARTICLE_RECORD] = { .main = ROW("8.1", "8.1", "8.1", "8.1", "8.1.1") },
    [ARTICLE_RECORD_AHEAD] = { .main = ROW("8.1", "8.1", "8.1", "8.1b", "8.1.2") },
    [ARTICLE_SHEET_EXEMPT] = { .main = ROW("8.4", "8.4", "8.4", "8.4", "8.4") },
    [ARTICLE_SHEET_COMPLETE] = { .main = ROW("8.5", "8.5", "8.5", "8.5", "8.5") },
    [ARTICLE_SHEET_VIEW] = { .main = ROW("8.2", "8.2", "8.2", "8.2", "A.3") },
    [ARTICLE_MOVE_COUNT] = { .main = ROW("8.6", "8.6", "8.6", "8.6", "8.6") },
    [ARTICLE_SIGNED] = { .main = ROW("8.7", "8.7", "8.7", "8.7", "8.7") },
    [ARTICLE_QUICKPLAY] = { .main = ROW("10.2", "10.2", "10.2", "G.5", "III.5") },
    [ARTICLE_QUICKPLAY_FINAL] = { .main = ROW("10.2d", "10.2d", "10.2d", "G.5", "III.5") },
    [ARTICLE_QUICKPLAY_NO_ARBITER] = { .main = ROW("D", "D", "D", "G.6", "III.6") },
    [ARTICLE_QUICKPLAY_INCREMENT] = { .main = ROW("10.2", "10.2", "10.2", "G.4", "III.4") },
    [ARTICLE_POINTS] = { .main = ROW("11.1", "11.1", "11.1", "10.1", "10.2") },
    [ARTICLE_CONDUCT] = { .main = ROW("12.1", "12.1", "12.1", "11.1", "11.1") },
    [ARTICLE_ADVICE] = { .main = ROW("12.2", "12.2a", "12.3a", "11.3a", "11.3.1") },
    [ARTICLE_DEVICE] = { .main = ROW("12.2", "12.2b", "12.3b", "11.3b", "11.3.2") },
    [ARTICLE_SMOKING] = { .main = ROW("12.5", "12.5", "12.3c", "11.3c", "11.3.3") },
    [ARTICLE_LEFT] = { .main = ROW("12.4", "12.5", "12.2", "11.2", "11.2") },
    [ARTICLE_DISTRACTION] = { .main = ROW("12.5", "12.6", "12.6", "11.5", "11.5") },
    [ARTICLE_PENALTY_CLAUSE] = { .main = ROW("12.6", "12.7", "12.7", "11.6", "11.6") },
    [ARTICLE_REFUSAL] = { .main = ROW("12.7", "12.8", "12.8", "11.7", "11.7") },
    [ARTICLE_BOTH_GUILTY] = { .main = ROW("12.8", "12.9", "12.9", "11.8", "11.8") },
    [ARTICLE_APPEAL] = { .main = ROW("13.1", "13.1", "12.10", "11.10", "11.10") },
    [ARTICLE_ARBITER] = { .main = ROW("13.1", "13.1", "13.1", "12.2", "12.2") },
    [ARTICLE_PENALTIES] = { .main = ROW("13.4", "13.4", "13.4", "12.9", "12.9") },
    [ARTICLE_EXTRA_TIME] = { .main = ROW("13.5", "13.5", "13.5", "12.5", "12.5") },
    [ARTICLE_SPECTATORS] = { .main = ROW("13.7a", "13.7a", "13.7a", "12.7", "12.7") },
    [ARTICLE_ANNOUNCEMENT] = { .main = ROW("F2.3", "F2.3", "E2.3", "D.2.3", "D.2.3") },
    [ARTICLE_SEAL] = { .main = ROW("A1a", "A1a", "I.1a", "E.1a", "I.1.1") },
    [ARTICLE_ADJOURN_EARLY] = { .main = ROW("A1b", "A1b", "I.1b", "E.1b", "I.1.2") },
    [ARTICLE_ENVELOPE] = { .main = ROW("A2", "A2", "I.2", "E.2", "I.2") },
    [ARTICLE_ENVELOPE_CHECK] = { .main = ROW("A3", "A3", "I.3", "E.3", "I.3") },
    [ARTICLE_ADJOURN_OFFER] = { .main = ROW("A4", "A4", "I.4", "E.4", "I.4") },
    [ARTICLE_RESUME_POSITION] = { .main = ROW("A5", "A5", "I.5", "E.5", "I.5") },
    [ARTICLE_ENVELOPE_CLOSED] = { .main = ROW("A6", "A6", "I.6", "E.6", "I.6") },
    [ARTICLE_ENVELOPE_OPENED] = { .main = ROW("A7", "A7", "I.7", "E.7", "I.7") },
    [ARTICLE_SEAL_FAULT] = { .main = ROW("A8", "A8", "I.8", "E.8", "I.8") },
    [ARTICLE_RESUMED] = { .main = ROW("A9", "A9", "I.9", "E.9", "I.9") },
    [ARTICLE_LATE_RESUMPTION] = { .main = ROW("A10", "A10", "I.10", "E.10", "I.10") },
    [ARTICLE_ENVELOPE_LOST] = { .main = ROW("A11", "A11", "I.11", "E.11", "I.11") },
    [ARTICLE_RESUMED_TIMES] = { .main = ROW("A12", "A12", "I.12", "E.12", "I.12") },
    [ARTICLE_DISPLAYS] = { .main = ROW("6.15", "6.15", "6.14", "6.13", "6.12") },
    [ARTICLE_FINISHED] = { .main = ROW("12.3", "12.4", "12.5", "11.4", "11.4") },
};

void laws_article_write(Article article, const LawsRules *rules, char out[12]) {
    const Numbers *const row = &numbers[article];
    const char *text = rules->pace == LAWS_BLITZ ? row->blitz[rules->edition] : NULL;
    if (text == NULL && rules->pace != LAWS_STANDARD)
        text = row->fast[rules->edition];
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
