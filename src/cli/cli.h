// SPDX-License-Identifier: GPL-3.0-or-later
//
// The subcommands of jadoube, one file each. argv[0] is the subcommand's name. Each knows --help
// and returns the exit code of the process: 0 done, 1 refused or failed, 2 wrong usage.
#ifndef CLI_CLI_H
#define CLI_CLI_H

int cli_admin(int argc, char **argv);
const char *cli_admin_copy_fault(int count, char **words);   // NULL: none
int cli_admin_copy(char **words);                            // a verb of cli_admin
const char *cli_admin_result_fault(int count, char **words); // NULL: none
struct NetConfig;
int cli_admin_result(const struct NetConfig *config, char **words); // a verb of cli_admin
// Verbs of cli_admin about the whole site; -1: words[0] is none of them.
int cli_admin_backup(const struct NetConfig *config, int count, char **words);
int cli_arbitrate(int argc, char **argv);
int cli_dead(int argc, char **argv);
int cli_explain(int argc, char **argv);
int cli_hint(int argc, char **argv);
int cli_perft(int argc, char **argv);
int cli_pgn(int argc, char **argv);
int cli_pgn_dead(int argc, char **argv); // the verb of cli_pgn
int cli_play(int argc, char **argv);
int cli_position(int argc, char **argv);
int cli_rate(int argc, char **argv);
int cli_serve(int argc, char **argv);
int cli_version(int argc, char **argv);

#endif
