// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads tests/data/dead/positions.txt: verdict;FEN;positions;White's line;Black's line
#ifndef DEAD_ROWS_H
#define DEAD_ROWS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define DEAD_ROW_TEXT_MAX 16384

typedef struct DeadRow {
    int number;          // line of the file
    const char *verdict; // "WB", "W-", "-B" or "--"
    const char *fen;
    uint64_t walked; // positions that can be reached, all visited when the table was made; 0: not
    const char *line[2]; // helpmates for White and for Black; empty where there is none
} DeadRow;

typedef struct DeadRows {
    FILE *file;
    int number;
    char text[DEAD_ROW_TEXT_MAX];
} DeadRows;

void dead_rows_open(DeadRows *rows, const char *name); // fails the test when it cannot
bool dead_rows_next(DeadRows *rows, DeadRow *row);
void dead_rows_close(DeadRows *rows);

#endif
