// SPDX-License-Identifier: GPL-3.0-or-later
//
// A position on the command line: FEN as one argument or, unquoted, as six.
#ifndef CLI_POSITION_ARGUMENT_H
#define CLI_POSITION_ARGUMENT_H

#include <jadoube/base.h>

// The arguments with single blanks between them, in the caller's memory; longer text is cut there.
JdStr cli_join_arguments(char **arguments, int count, char *out, size_t size);

// On standard error: what is wrong, then the text with a caret under the byte at fault.
void cli_show_fault(const char *command, JdStr text, const JdErr *err);

#endif
