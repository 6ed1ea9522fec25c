// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files of the captcha share, and its tests. Nobody else includes this.
#ifndef PAGES_CAPTCHA_H
#define PAGES_CAPTCHA_H

#include "pages/internal.h"

#define CAPTCHA_PIECES 6     // pawn, knight, bishop, rook, queen, king
#define CAPTCHA_CELLS_MAX 16 // four by four

typedef struct CaptchaGrid {
    uint8_t side;  // 3 or 4
    uint8_t piece; // the one that is looked for
    uint8_t pieces[CAPTCHA_CELLS_MAX];
    bool noise;
    bool turned;
} CaptchaGrid;

// One grid of a level (1 to 4), drawn by chance; *cells has a bit for each cell with the piece.
void captcha_grid(int level, uint64_t *chance, CaptchaGrid *out, uint32_t *cells);
// The picture as a PNG; false when it does not fit.
JD_MUST_USE bool captcha_draw(const CaptchaGrid *grid, uint64_t chance, unsigned char *png,
                              size_t capacity, size_t *size);

// ---- questions (questions.c) --------------------------------------------------------------------

typedef struct Question {
    char language[4];
    char text[PAGES_QUESTION_MAX + 1];
    char answers[160]; // by ';', folded
} Question;
typedef struct Questions {
    Question *list;
    size_t count;
} Questions;
// The questions of a file, else those of the house; false (err) when the file cannot be read or a
// line is malformed.
JD_MUST_USE bool questions_open(const char *path, Questions *out, JdErr *err);
void questions_close(Questions *questions);
// A question in the language (else in English), by chance.
const Question *question_draw(const Questions *questions, JdStr language, uint32_t chance);
bool question_answered(const Question *question, JdStr answer);

// ---- challenges in memory -----------------------------------------------------------------------

#define CAPTCHAS_MAX 4096

typedef struct CaptchaEntry {
    unsigned char hash[16]; // of the id; all zero: free
    int64_t expires_ms;
    uint32_t cells;
    uint32_t question; // index
    uint8_t way;       // PagesCaptchaWay
    uint8_t level;
    uint8_t grid; // 0, 1
    uint8_t tries_left;
    bool passed; // solved: the id is a pass
    char code[7];
} CaptchaEntry;

struct Captchas {
    pthread_mutex_t mutex;
    Questions questions;
    CaptchaEntry entries[CAPTCHAS_MAX];
};

#endif
