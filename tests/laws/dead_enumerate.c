// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads positions (FEN, one a line) and walks through everything that can be reached from each:
//
//   dead_enumerate [LIMIT] < positions
//
// Prints "WB", "W-", "-B" or "--" (who can still mate), or '?' where LIMIT positions (default
// 4,000,000) were not enough to know; the positions seen, the shortest mates in plies, and the FEN.
// The verdicts of tests/data/dead/ come from here.
#include "dead_plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    const uint64_t limit = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000000;
    char line[512];
    int faults = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#')
            continue;
        PlainBoard board;
        PlainFindings found;
        if (!plain_read(line, &board) || !plain_enumerate(&board, limit, &found)) {
            printf("!! %s\n", line);
            faults++;
            continue;
        }
        const char none = found.complete ? '-' : '?';
        printf("%c%c %llu %d %d %s\n", found.mated[1] ? 'W' : none, found.mated[0] ? 'B' : none,
               (unsigned long long)found.positions, found.mated[1] ? found.plies[1] : -1,
               found.mated[0] ? found.plies[0] : -1, line);
        fflush(stdout);
    }
    return faults == 0 ? 0 : 1;
}
