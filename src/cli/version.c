// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube version: which program this is.
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

int cli_version(int argc, char **argv) {
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        printf("usage: jadoube version\n\nPrints the version of the program.\n");
        return 0;
    }
    if (argc > 1 && strcmp(argv[0], "version") == 0) {
        fprintf(stderr, "jadoube version: unexpected argument \"%s\"\n", argv[1]);
        return 2;
    }
    printf("jadoube %s\n", JADOUBE_VERSION);
    return 0;
}
