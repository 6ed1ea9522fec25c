// SPDX-License-Identifier: GPL-3.0-or-later
//
// Makes positions for tests/data/dead/positions.txt:
//
//   dead_generate KIND COUNT SEED
//
// Kinds: dead_make.h. Writes FEN records, one a line.
#include "dead_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc == 4)
        for (int kind = 0; kind < DEAD_KIND_COUNT; kind++) {
            if (strcmp(argv[1], dead_kind_name(kind)) != 0)
                continue;
            uint64_t seed = strtoull(argv[3], NULL, 10);
            for (long left = strtol(argv[2], NULL, 10); left > 0; left--) {
                char fen[DEAD_FEN_SIZE];
                dead_make(kind, &seed, fen);
                puts(fen);
            }
            return 0;
        }
    fprintf(stderr, "usage: dead_generate KIND COUNT SEED\n");
    return 2;
}
