// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube: one program, and a table of what it can do.
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} commands[] = {
    { "serve", cli_serve, "run the site" },
    { "admin", cli_admin, "roles, names, blocks: what the operator does by hand" },
    { "play", cli_play, "play a game on this machine, against the computer or beside somebody" },
    { "pgn", cli_pgn, "check, convert, filter and count files of games" },
    { "arbitrate", cli_arbitrate, "say what the Laws make of games: results, claims, flags" },
    { "dead", cli_dead, "say who can still mate in a position, with the proof" },
    { "perft", cli_perft, "count the legal lines of a position" },
    { "position", cli_position, "describe a position: legal moves, check, mate" },
    { "explain", cli_explain, "say what is true of a move: threats, exchanges, what it leaves" },
    { "hint", cli_hint, "ask the engine for the best move, and say why" },
    { "rate", cli_rate, "say what a game does to two ratings" },
    { "version", cli_version, "print the version" },
};
#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void print_usage(FILE *out) {
    fprintf(out,
            "usage: jadoube COMMAND [OPTION...]\n\nA chess club's whole house in one program.\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].what);
    fprintf(out, "  %-10s print this; \"jadoube COMMAND --help\" tells of one command\n", "help");
}

static int find(const char *name) {
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0)
            return (int)i;
    return -1;
}

// help, or help COMMAND.
static int help(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stdout);
        return 0;
    }
    const int which = find(argv[1]);
    if (which < 0) {
        fprintf(stderr, "jadoube help: there is no command \"%s\"\n", argv[1]);
        return 2;
    }
    char option[] = "--help";
    char *arguments[] = { argv[1], option, NULL };
    return commands[which].run(2, arguments);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    const char *name = argv[1];
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc - 1, argv + 1);
    if (strcmp(name, "--version") == 0)
        name = "version";
    const int which = find(name);
    if (which < 0) {
        fprintf(stderr, "jadoube: there is no command \"%s\"; \"jadoube help\" lists them\n", name);
        return 2;
    }
    return commands[which].run(argc - 1, argv + 1);
}
