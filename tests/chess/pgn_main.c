// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube pgn alone, for its tests: the program itself links the whole site.
#include "cli/cli.h"

int main(int argc, char **argv) {
    return cli_pgn(argc, argv);
}
