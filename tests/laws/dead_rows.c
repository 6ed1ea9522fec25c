// SPDX-License-Identifier: GPL-3.0-or-later
#include "../check.h"

#include "dead_rows.h"

void dead_rows_open(DeadRows *rows, const char *name) {
    rows->file = fopen(name, "r");
    rows->number = 0;
    if (rows->file == NULL)
        fail_msg("cannot open %s", name);
}

bool dead_rows_next(DeadRows *rows, DeadRow *row) {
    while (fgets(rows->text, sizeof rows->text, rows->file) != NULL) {
        rows->number++;
        rows->text[strcspn(rows->text, "\r\n")] = '\0';
        if (rows->text[0] == '\0' || rows->text[0] == '#')
            continue;
        char *fields[5];
        char *at = rows->text;
        for (int i = 0; i < 5; i++) {
            fields[i] = at;
            at += strcspn(at, ";");
            if (i < 4 && *at == '\0')
                fail_msg("positions.txt:%d: expected 5 fields", rows->number);
            *at++ = '\0';
        }
        row->number = rows->number;
        row->verdict = fields[0];
        row->fen = fields[1];
        row->walked = strtoull(fields[2], NULL, 10);
        row->line[0] = fields[3];
        row->line[1] = fields[4];
        return true;
    }
    return false;
}

void dead_rows_close(DeadRows *rows) {
    fclose(rows->file);
}
