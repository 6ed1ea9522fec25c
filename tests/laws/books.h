// SPDX-License-Identifier: GPL-3.0-or-later
//
// The books of two clocks, kept apart from the program's own: what each began with, what was used,
// and what an article granted. Kept for games without events at the board, in which the Laws alone
// move the time, until a flag is down that nobody has claimed.
#ifndef JADOUBE_TESTS_LAWS_BOOKS_H
#define JADOUBE_TESTS_LAWS_BOOKS_H

#include <jadoube/laws.h>

typedef struct Books {
    const LawsGame *game;
    bool are_kept;
    int64_t begun[2];   // before the first move
    int64_t granted[2]; // Articles 6.3 and 9.5, network credit
    int64_t used[2];    // by completed turns and by the cut of a wrong claim
    int64_t start_ms;   // of the running turn; an interruption moves it on
    int64_t last_ms;    // the last accepted event
    uint8_t running;    // 0, or 1 + colour
    uint32_t moves[2], period_moves[2];
    uint8_t period[2];
    int64_t credit[2]; // given within the present ten moves
} Books;

void books_open(Books *books, const LawsGame *game);
// Enters an event that was applied at at_ms; verdict is the answer.
void books_enter(Books *books, const LawsEvent *event, const LawsVerdict *verdict, int64_t at_ms);
// What that clock must show.
int64_t books_reading(const Books *books, int color, int64_t at_ms);

#endif
