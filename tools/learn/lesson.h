// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads a lesson (learn/README.md says how one is written) and proves what it claims.
#ifndef LEARN_LESSON_H
#define LEARN_LESSON_H

#include "learn/learn.h"

typedef struct LessonCount {
    int steps;
    int claims; // proved
    int advice; // that the rules cannot prove
} LessonCount;

// False and a sentence, with the number of the line in err->offset, at the first thing that is
// wrong.
JD_MUST_USE bool lesson_prove(JdStr text, LessonCount *count, JdErr *err);

#endif
