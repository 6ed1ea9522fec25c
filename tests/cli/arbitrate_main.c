// SPDX-License-Identifier: GPL-3.0-or-later
//
// `jadoube arbitrate` as a program of its own, so that its tests build little.
#include "cli/cli.h"

int main(int argc, char **argv) {
    return cli_arbitrate(argc, argv);
}
