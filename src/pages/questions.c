// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions in words, where pictures are no help (S-009, S-013). The operator's file has lines
//     en | How many squares has a chessboard? | 64; sixty-four
// and # begins a comment; without a file these of the house are asked.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pages/captcha.h"

#define QUESTIONS_MAX 1000

static const char of_the_house[] =
    "en | How many squares has a chessboard? (a number) | 64; sixty-four; sixty four\n"
    "en | How many pawns has each side at the start? (a number) | 8; eight\n"
    "en | Which piece jumps over others? | knight; the knight; horse\n"
    "en | Which side moves first? | white\n"
    "en | Which piece must not be left in check? | king; the king\n"
    "en | How many rooks has each side at the start? (a number) | 2; two\n"
    "ru | Сколько полей на шахматной доске? (число) | 64; шестьдесят четыре\n"
    "ru | Сколько пешек у каждой стороны в начале партии? (число) | 8; восемь\n"
    "ru | Какая фигура перепрыгивает через другие? | конь\n"
    "ru | Какая сторона ходит первой? | белые; белая\n"
    "ru | Какую фигуру нельзя оставлять под шахом? | король; короля\n"
    "ru | Сколько ладей у каждой стороны в начале партии? (число) | 2; две\n"
    "ro | Câte câmpuri are tabla de șah? (un număr) | 64; șaizeci și patru\n"
    "ro | Câți pioni are fiecare parte la început? (un număr) | 8; opt\n"
    "ro | Ce piesă sare peste altele? | cal; calul\n"
    "ro | Care parte mută prima? | alb; albul; albele\n"
    "ro | Ce piesă nu poate fi lăsată în șah? | rege; regele\n"
    "ro | Câte turnuri are fiecare parte la început? (un număr) | 2; două\n";

static bool fold(JdStr text, char *out, size_t size) {
    CodePoints folded;
    return text_folded(jd_str_trim(text), &folded) && text_write(&folded, out, size);
}

static bool read_line(JdStr line, Question *out) {
    *out = (Question) { .language = "" };
    const JdStr language = jd_str_trim(jd_str_cut(&line, '|'));
    const JdStr text = jd_str_trim(jd_str_cut(&line, '|'));
    if (!check_language(language, NULL) || text.size == 0 || text.size > PAGES_QUESTION_MAX ||
        !check_text(text, "", PAGES_QUESTION_MAX, NULL) || jd_str_trim(line).size == 0)
        return false;
    copy_text(out->language, sizeof out->language, language);
    copy_text(out->text, sizeof out->text, text);
    return fold(line, out->answers, sizeof out->answers);
}

static bool read_text(JdStr text, const char *name, Questions *out, JdErr *err) {
    for (int number = 1; text.size > 0; number++) {
        const JdStr line = jd_str_trim(jd_str_cut(&text, '\n'));
        if (line.size == 0 || line.data[0] == '#')
            continue;
        if (out->count == QUESTIONS_MAX)
            return jd_fail(err, PAGES_BAD_REQUEST, 0, "%s: more than %d questions", name,
                           QUESTIONS_MAX);
        if (!read_line(line, &out->list[out->count++]))
            return jd_fail(err, PAGES_BAD_REQUEST, 0,
                           "%s, line %d: expected ru, ro or en | question | answer; answer", name,
                           number);
    }
    return out->count > 0 || jd_fail(err, PAGES_BAD_REQUEST, 0, "%s: no question", name);
}

bool questions_open(const char *path, Questions *out, JdErr *err) {
    *out = (Questions) { .list = calloc(QUESTIONS_MAX, sizeof *out->list) };
    if (out->list == NULL)
        return jd_fail(err, PAGES_INTERNAL, 0, "no memory for the questions");
    if (path == NULL || path[0] == '\0')
        return read_text(jd_str(of_the_house), "questions", out, err);
    char *text = malloc(FILE_TEXT_MAX);
    size_t size = 0;
    const bool ok = text != NULL && file_read(path, text, FILE_TEXT_MAX, &size, err) &&
                    read_text(jd_str_n(text, size), path, out, err);
    free(text);
    return ok;
}

void questions_close(Questions *questions) {
    free(questions->list);
    *questions = (Questions) { 0 };
}

const Question *question_draw(const Questions *questions, JdStr language, uint32_t chance) {
    const JdStr wanted[] = { language, JD_STR("en") };
    for (size_t w = 0; w < JD_COUNT(wanted); w++) {
        uint32_t count = 0;
        for (size_t i = 0; i < questions->count; i++)
            count += jd_str_equal(jd_str(questions->list[i].language), wanted[w]);
        uint32_t left = count > 0 ? chance % count : 0;
        for (size_t i = 0; i < questions->count && count > 0; i++)
            if (jd_str_equal(jd_str(questions->list[i].language), wanted[w]) && left-- == 0)
                return &questions->list[i];
    }
    return &questions->list[0];
}

bool question_answered(const Question *question, JdStr answer) {
    char folded[160];
    if (!fold(answer, folded, sizeof folded) || folded[0] == '\0')
        return false;
    for (JdStr rest = jd_str(question->answers); rest.size > 0;)
        if (jd_str_equal(jd_str_trim(jd_str_cut(&rest, ';')), jd_str(folded)))
            return true;
    return false;
}
