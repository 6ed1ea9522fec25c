// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube serve: runs the site.
#include <stdio.h>
#include <string.h>

#include <jadoube/base.h>

#include "cli/cli.h"
#include "net/net.h"

static void print_help(void) {
    printf("usage: jadoube serve [OPTION...]\n"
           "\n"
           "Runs the site until SIGTERM or SIGINT (Ctrl-C).\n"
           "\n"
           "  --config FILE        read settings from lines \"key = value\"; # begins a comment\n");
    for (size_t i = 0; net_config_help(i) != NULL; i++)
        fputs(net_config_help(i), stdout);
    printf("\n"
           "A setting may stand in the file (max_connections = 5000), in the environment\n"
           "(JADOUBE_MAX_CONNECTIONS=5000) or here (--max-connections 5000); the later of these "
           "wins.\n");
}

int cli_serve(int argc, char **argv) {
    NetConfig config;
    JdErr err = { 0 };
    bool help = false;
    net_config_init(&config);
    if (!net_config_load(&config, argc - 1, argv + 1, &help, &err)) {
        fprintf(stderr, "jadoube serve: %s\n", err.text);
        return err.code == NET_CONFIG_USAGE ? 2 : 1;
    }
    if (help) {
        print_help();
        return 0;
    }
    return net_serve(&config);
}
